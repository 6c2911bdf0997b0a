Optimal - objective value 0.00000000
      0 dom_a00                0                       0
      1 dom_b00                1                       0
      2 squ_a00                0                       0
      3 squ_a01                1                       0
      4 squ_a10                0                       0
