# hand-made from the real answer of SCIP
=obj= 0
L_h20 1
N_a52 1
P_e14 1
U_d00 1
V_a03 1
Y_e26 0.9999999999
Z_d33 1
O6_b21 1
