solution status: optimal solution found
objective value:                                    0
L_h20                                               1 	(obj:0)
N_a52                                               1 	(obj:0)
P_e14                               0.999999999999996 	(obj:0)
U_d00                                               1 	(obj:0)
V_a03                               0.999999999999998 	(obj:0)
Y_e26                               0.999999999999999 	(obj:0)
Z_d33                               0.999999999999999 	(obj:0)
O6_b21                                              1 	(obj:0)
