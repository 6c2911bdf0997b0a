Optimal - objective value 0.00000000
      0 c_00                   1                       0
      1 c_01                   1                       0
      2 c_10                   1                       0
      3 p_dom                  1                       0
      4 p_squ                  1                       0
      0 dom_a00                0                       0
      1 dom_b00                1                       0
      2 squ_a00                0                       0
      3 squ_a01                1                       0
      4 squ_a10                0                       0
