# Objective value 0
dom_a00   0
dom_b00   1
squ_a00   0
squ_a01   1
squ_a10   0
