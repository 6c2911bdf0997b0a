"""Any mixed-integer model: exact numbers, files, solution pools, infeasible subsystems."""
