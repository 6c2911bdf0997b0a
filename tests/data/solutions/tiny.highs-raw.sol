Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns 5
dom_a00 1
dom_b00 0
squ_a00 0
squ_a01 0
squ_a10 1
# Rows 5
c_00 1
c_01 1
c_10 1
p_dom 1
p_squ 1

# Dual solution values
None

# Basis
HiGHS_basis_file v2
None
