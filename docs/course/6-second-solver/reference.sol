Optimal - objective value 0.00000000
     18 L_b02                  1                       0
    229 N_f12                  1                       0
    431 P_h00                  1                       0
    509 U_c25                  1                       0
    550 V_a30                  1                       0
    682 Y_d44                  1                       0
    778 Z_b13                  1                       0
    871 O6_b41                 1                       0
