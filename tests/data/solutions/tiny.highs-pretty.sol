Columns
    Index Status        Lower        Upper       Primal         Dual  Type        Name
        0                   0            1            1               Integer     dom_a00
        1                   0            1            0               Integer     dom_b00
        2                   0            1            0               Integer     squ_a00
        3                   0            1            0               Integer     squ_a01
        4                   0            1            1               Integer     squ_a10
Rows
    Index Status        Lower        Upper       Primal         Dual  Name
        0                   1            1            1               c_00
        1                   1            1            1               c_01
        2                   1            1            1               c_10
        3                   1            1            1               p_dom
        4                   1            1            1               p_squ

Model status: Optimal

Objective value: 0
