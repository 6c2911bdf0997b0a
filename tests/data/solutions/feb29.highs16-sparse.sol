Model status
Optimal

# Primal solution values
Feasible
Objective 0
Objective_bound 0
MIP_rel_gap 0
# Columns -8 sparse
L_h20 1 129
N_c24 1 179
P_c44 1 341
U_d00 1 517
V_a21 1 546
Y_e26 1 697
Z_a42 1 771
O6_a03 1 831
