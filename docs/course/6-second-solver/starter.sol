Optimal - objective value 0.00000000
     18 L_b02                  1                       0
    229 N_f12                  1                       0
    431 P_h00                  1                       0
