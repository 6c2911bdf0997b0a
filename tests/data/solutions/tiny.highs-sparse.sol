Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns -2
dom_a00 1 0
squ_a10 1 4
