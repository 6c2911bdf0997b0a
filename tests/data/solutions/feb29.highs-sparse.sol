Model status
Optimal

# Primal solution values
Feasible
Objective 0
# Columns -8
L_b02 1 18
N_h30 1 275
P_h35 1 452
U_a24 1 464
V_d00 1 592
Y_b11 1 631
Z_c44 1 810
O6_a31 1 842
