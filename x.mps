* A-Puzzle-A-Day (DragonFjord): feb29
* uncovered: month Feb, day 29; pieces may be turned over
* 872 columns, 49 rows, 5274 nonzeros; 64 tilings
* A column is a placement: L_a02 is piece L on Mar(0,2) Apr(0,3) May(0,4)
*   Jun(0,5) Sep(1,2). Its name is piece _ orientation (a, b, ...) row
*   column; row and column, from 0, are those of the first cell in row-major
*   order.
* A row is what must be covered: c_ row column a cell, p_ a piece.
NAME          calmip
ROWS
 N  OBJ
 E  c_00
 E  c_02
 E  c_03
 E  c_04
 E  c_05
 E  c_10
 E  c_11
 E  c_12
 E  c_13
 E  c_14
 E  c_15
 E  c_20
 E  c_21
 E  c_22
 E  c_23
 E  c_24
 E  c_25
 E  c_26
 E  c_30
 E  c_31
 E  c_32
 E  c_33
 E  c_34
 E  c_35
 E  c_36
 E  c_40
 E  c_41
 E  c_42
 E  c_43
 E  c_44
 E  c_45
 E  c_46
 E  c_50
 E  c_51
 E  c_52
 E  c_53
 E  c_54
 E  c_55
 E  c_56
 E  c_61
 E  c_62
 E  p_L
 E  p_N
 E  p_P
 E  p_U
 E  p_V
 E  p_Y
 E  p_Z
 E  p_O6
COLUMNS
    MARKER    'MARKER'                 'INTORG'
    L_a02     c_02      1
    L_a02     c_03      1
    L_a02     c_04      1
    L_a02     c_05      1
    L_a02     c_12      1
    L_a02     p_L       1
    L_a10     c_10      1
    L_a10     c_11      1
    L_a10     c_12      1
    L_a10     c_13      1
    L_a10     c_20      1
    L_a10     p_L       1
    L_a11     c_11      1
    L_a11     c_12      1
    L_a11     c_13      1
    L_a11     c_14      1
    L_a11     c_21      1
    L_a11     p_L       1
    L_a12     c_12      1
    L_a12     c_13      1
    L_a12     c_14      1
    L_a12     c_15      1
    L_a12     c_22      1
    L_a12     p_L       1
    L_a20     c_20      1
    L_a20     c_21      1
    L_a20     c_22      1
    L_a20     c_23      1
    L_a20     c_30      1
    L_a20     p_L       1
    L_a21     c_21      1
    L_a21     c_22      1
    L_a21     c_23      1
    L_a21     c_24      1
    L_a21     c_31      1
    L_a21     p_L       1
    L_a22     c_22      1
    L_a22     c_23      1
    L_a22     c_24      1
    L_a22     c_25      1
    L_a22     c_32      1
    L_a22     p_L       1
    L_a23     c_23      1
    L_a23     c_24      1
    L_a23     c_25      1
    L_a23     c_26      1
    L_a23     c_33      1
    L_a23     p_L       1
    L_a30     c_30      1
    L_a30     c_31      1
    L_a30     c_32      1
    L_a30     c_33      1
    L_a30     c_40      1
    L_a30     p_L       1
    L_a31     c_31      1
    L_a31     c_32      1
    L_a31     c_33      1
    L_a31     c_34      1
    L_a31     c_41      1
    L_a31     p_L       1
    L_a32     c_32      1
    L_a32     c_33      1
    L_a32     c_34      1
    L_a32     c_35      1
    L_a32     c_42      1
    L_a32     p_L       1
    L_a33     c_33      1
    L_a33     c_34      1
    L_a33     c_35      1
    L_a33     c_36      1
    L_a33     c_43      1
    L_a33     p_L       1
    L_a40     c_40      1
    L_a40     c_41      1
    L_a40     c_42      1
    L_a40     c_43      1
    L_a40     c_50      1
    L_a40     p_L       1
    L_a41     c_41      1
    L_a41     c_42      1
    L_a41     c_43      1
    L_a41     c_44      1
    L_a41     c_51      1
    L_a41     p_L       1
    L_a42     c_42      1
    L_a42     c_43      1
    L_a42     c_44      1
    L_a42     c_45      1
    L_a42     c_52      1
    L_a42     p_L       1
    L_a43     c_43      1
    L_a43     c_44      1
    L_a43     c_45      1
    L_a43     c_46      1
    L_a43     c_53      1
    L_a43     p_L       1
    L_a51     c_51      1
    L_a51     c_52      1
    L_a51     c_53      1
    L_a51     c_54      1
    L_a51     c_61      1
    L_a51     p_L       1
    L_a52     c_52      1
    L_a52     c_53      1
    L_a52     c_54      1
    L_a52     c_55      1
    L_a52     c_62      1
    L_a52     p_L       1
    L_b02     c_02      1
    L_b02     c_03      1
    L_b02     c_04      1
    L_b02     c_05      1
    L_b02     c_15      1
    L_b02     p_L       1
    L_b10     c_10      1
    L_b10     c_11      1
    L_b10     c_12      1
    L_b10     c_13      1
    L_b10     c_23      1
    L_b10     p_L       1
    L_b11     c_11      1
    L_b11     c_12      1
    L_b11     c_13      1
    L_b11     c_14      1
    L_b11     c_24      1
    L_b11     p_L       1
    L_b12     c_12      1
    L_b12     c_13      1
    L_b12     c_14      1
    L_b12     c_15      1
    L_b12     c_25      1
    L_b12     p_L       1
    L_b20     c_20      1
    L_b20     c_21      1
    L_b20     c_22      1
    L_b20     c_23      1
    L_b20     c_33      1
    L_b20     p_L       1
    L_b21     c_21      1
    L_b21     c_22      1
    L_b21     c_23      1
    L_b21     c_24      1
    L_b21     c_34      1
    L_b21     p_L       1
    L_b22     c_22      1
    L_b22     c_23      1
    L_b22     c_24      1
    L_b22     c_25      1
    L_b22     c_35      1
    L_b22     p_L       1
    L_b23     c_23      1
    L_b23     c_24      1
    L_b23     c_25      1
    L_b23     c_26      1
    L_b23     c_36      1
    L_b23     p_L       1
    L_b30     c_30      1
    L_b30     c_31      1
    L_b30     c_32      1
    L_b30     c_33      1
    L_b30     c_43      1
    L_b30     p_L       1
    L_b31     c_31      1
    L_b31     c_32      1
    L_b31     c_33      1
    L_b31     c_34      1
    L_b31     c_44      1
    L_b31     p_L       1
    L_b32     c_32      1
    L_b32     c_33      1
    L_b32     c_34      1
    L_b32     c_35      1
    L_b32     c_45      1
    L_b32     p_L       1
    L_b33     c_33      1
    L_b33     c_34      1
    L_b33     c_35      1
    L_b33     c_36      1
    L_b33     c_46      1
    L_b33     p_L       1
    L_b40     c_40      1
    L_b40     c_41      1
    L_b40     c_42      1
    L_b40     c_43      1
    L_b40     c_53      1
    L_b40     p_L       1
    L_b41     c_41      1
    L_b41     c_42      1
    L_b41     c_43      1
    L_b41     c_44      1
    L_b41     c_54      1
    L_b41     p_L       1
    L_b42     c_42      1
    L_b42     c_43      1
    L_b42     c_44      1
    L_b42     c_45      1
    L_b42     c_55      1
    L_b42     p_L       1
    L_b43     c_43      1
    L_b43     c_44      1
    L_b43     c_45      1
    L_b43     c_46      1
    L_b43     c_56      1
    L_b43     p_L       1
    L_c02     c_02      1
    L_c02     c_03      1
    L_c02     c_12      1
    L_c02     c_22      1
    L_c02     c_32      1
    L_c02     p_L       1
    L_c03     c_03      1
    L_c03     c_04      1
    L_c03     c_13      1
    L_c03     c_23      1
    L_c03     c_33      1
    L_c03     p_L       1
    L_c04     c_04      1
    L_c04     c_05      1
    L_c04     c_14      1
    L_c04     c_24      1
    L_c04     c_34      1
    L_c04     p_L       1
    L_c10     c_10      1
    L_c10     c_11      1
    L_c10     c_20      1
    L_c10     c_30      1
    L_c10     c_40      1
    L_c10     p_L       1
    L_c11     c_11      1
    L_c11     c_12      1
    L_c11     c_21      1
    L_c11     c_31      1
    L_c11     c_41      1
    L_c11     p_L       1
    L_c12     c_12      1
    L_c12     c_13      1
    L_c12     c_22      1
    L_c12     c_32      1
    L_c12     c_42      1
    L_c12     p_L       1
    L_c13     c_13      1
    L_c13     c_14      1
    L_c13     c_23      1
    L_c13     c_33      1
    L_c13     c_43      1
    L_c13     p_L       1
    L_c14     c_14      1
    L_c14     c_15      1
    L_c14     c_24      1
    L_c14     c_34      1
    L_c14     c_44      1
    L_c14     p_L       1
    L_c20     c_20      1
    L_c20     c_21      1
    L_c20     c_30      1
    L_c20     c_40      1
    L_c20     c_50      1
    L_c20     p_L       1
    L_c21     c_21      1
    L_c21     c_22      1
    L_c21     c_31      1
    L_c21     c_41      1
    L_c21     c_51      1
    L_c21     p_L       1
    L_c22     c_22      1
    L_c22     c_23      1
    L_c22     c_32      1
    L_c22     c_42      1
    L_c22     c_52      1
    L_c22     p_L       1
    L_c23     c_23      1
    L_c23     c_24      1
    L_c23     c_33      1
    L_c23     c_43      1
    L_c23     c_53      1
    L_c23     p_L       1
    L_c24     c_24      1
    L_c24     c_25      1
    L_c24     c_34      1
    L_c24     c_44      1
    L_c24     c_54      1
    L_c24     p_L       1
    L_c25     c_25      1
    L_c25     c_26      1
    L_c25     c_35      1
    L_c25     c_45      1
    L_c25     c_55      1
    L_c25     p_L       1
    L_c31     c_31      1
    L_c31     c_32      1
    L_c31     c_41      1
    L_c31     c_51      1
    L_c31     c_61      1
    L_c31     p_L       1
    L_c32     c_32      1
    L_c32     c_33      1
    L_c32     c_42      1
    L_c32     c_52      1
    L_c32     c_62      1
    L_c32     p_L       1
    L_d02     c_02      1
    L_d02     c_03      1
    L_d02     c_13      1
    L_d02     c_23      1
    L_d02     c_33      1
    L_d02     p_L       1
    L_d03     c_03      1
    L_d03     c_04      1
    L_d03     c_14      1
    L_d03     c_24      1
    L_d03     c_34      1
    L_d03     p_L       1
    L_d04     c_04      1
    L_d04     c_05      1
    L_d04     c_15      1
    L_d04     c_25      1
    L_d04     c_35      1
    L_d04     p_L       1
    L_d10     c_10      1
    L_d10     c_11      1
    L_d10     c_21      1
    L_d10     c_31      1
    L_d10     c_41      1
    L_d10     p_L       1
    L_d11     c_11      1
    L_d11     c_12      1
    L_d11     c_22      1
    L_d11     c_32      1
    L_d11     c_42      1
    L_d11     p_L       1
    L_d12     c_12      1
    L_d12     c_13      1
    L_d12     c_23      1
    L_d12     c_33      1
    L_d12     c_43      1
    L_d12     p_L       1
    L_d13     c_13      1
    L_d13     c_14      1
    L_d13     c_24      1
    L_d13     c_34      1
    L_d13     c_44      1
    L_d13     p_L       1
    L_d14     c_14      1
    L_d14     c_15      1
    L_d14     c_25      1
    L_d14     c_35      1
    L_d14     c_45      1
    L_d14     p_L       1
    L_d20     c_20      1
    L_d20     c_21      1
    L_d20     c_31      1
    L_d20     c_41      1
    L_d20     c_51      1
    L_d20     p_L       1
    L_d21     c_21      1
    L_d21     c_22      1
    L_d21     c_32      1
    L_d21     c_42      1
    L_d21     c_52      1
    L_d21     p_L       1
    L_d22     c_22      1
    L_d22     c_23      1
    L_d22     c_33      1
    L_d22     c_43      1
    L_d22     c_53      1
    L_d22     p_L       1
    L_d23     c_23      1
    L_d23     c_24      1
    L_d23     c_34      1
    L_d23     c_44      1
    L_d23     c_54      1
    L_d23     p_L       1
    L_d24     c_24      1
    L_d24     c_25      1
    L_d24     c_35      1
    L_d24     c_45      1
    L_d24     c_55      1
    L_d24     p_L       1
    L_d25     c_25      1
    L_d25     c_26      1
    L_d25     c_36      1
    L_d25     c_46      1
    L_d25     c_56      1
    L_d25     p_L       1
    L_d30     c_30      1
    L_d30     c_31      1
    L_d30     c_41      1
    L_d30     c_51      1
    L_d30     c_61      1
    L_d30     p_L       1
    L_d31     c_31      1
    L_d31     c_32      1
    L_d31     c_42      1
    L_d31     c_52      1
    L_d31     c_62      1
    L_d31     p_L       1
    L_e03     c_03      1
    L_e03     c_10      1
    L_e03     c_11      1
    L_e03     c_12      1
    L_e03     c_13      1
    L_e03     p_L       1
    L_e04     c_04      1
    L_e04     c_11      1
    L_e04     c_12      1
    L_e04     c_13      1
    L_e04     c_14      1
    L_e04     p_L       1
    L_e05     c_05      1
    L_e05     c_12      1
    L_e05     c_13      1
    L_e05     c_14      1
    L_e05     c_15      1
    L_e05     p_L       1
    L_e13     c_13      1
    L_e13     c_20      1
    L_e13     c_21      1
    L_e13     c_22      1
    L_e13     c_23      1
    L_e13     p_L       1
    L_e14     c_14      1
    L_e14     c_21      1
    L_e14     c_22      1
    L_e14     c_23      1
    L_e14     c_24      1
    L_e14     p_L       1
    L_e15     c_15      1
    L_e15     c_22      1
    L_e15     c_23      1
    L_e15     c_24      1
    L_e15     c_25      1
    L_e15     p_L       1
    L_e23     c_23      1
    L_e23     c_30      1
    L_e23     c_31      1
    L_e23     c_32      1
    L_e23     c_33      1
    L_e23     p_L       1
    L_e24     c_24      1
    L_e24     c_31      1
    L_e24     c_32      1
    L_e24     c_33      1
    L_e24     c_34      1
    L_e24     p_L       1
    L_e25     c_25      1
    L_e25     c_32      1
    L_e25     c_33      1
    L_e25     c_34      1
    L_e25     c_35      1
    L_e25     p_L       1
    L_e26     c_26      1
    L_e26     c_33      1
    L_e26     c_34      1
    L_e26     c_35      1
    L_e26     c_36      1
    L_e26     p_L       1
    L_e33     c_33      1
    L_e33     c_40      1
    L_e33     c_41      1
    L_e33     c_42      1
    L_e33     c_43      1
    L_e33     p_L       1
    L_e34     c_34      1
    L_e34     c_41      1
    L_e34     c_42      1
    L_e34     c_43      1
    L_e34     c_44      1
    L_e34     p_L       1
    L_e35     c_35      1
    L_e35     c_42      1
    L_e35     c_43      1
    L_e35     c_44      1
    L_e35     c_45      1
    L_e35     p_L       1
    L_e36     c_36      1
    L_e36     c_43      1
    L_e36     c_44      1
    L_e36     c_45      1
    L_e36     c_46      1
    L_e36     p_L       1
    L_e43     c_43      1
    L_e43     c_50      1
    L_e43     c_51      1
    L_e43     c_52      1
    L_e43     c_53      1
    L_e43     p_L       1
    L_e44     c_44      1
    L_e44     c_51      1
    L_e44     c_52      1
    L_e44     c_53      1
    L_e44     c_54      1
    L_e44     p_L       1
    L_e45     c_45      1
    L_e45     c_52      1
    L_e45     c_53      1
    L_e45     c_54      1
    L_e45     c_55      1
    L_e45     p_L       1
    L_e46     c_46      1
    L_e46     c_53      1
    L_e46     c_54      1
    L_e46     c_55      1
    L_e46     c_56      1
    L_e46     p_L       1
    L_f00     c_00      1
    L_f00     c_10      1
    L_f00     c_11      1
    L_f00     c_12      1
    L_f00     c_13      1
    L_f00     p_L       1
    L_f02     c_02      1
    L_f02     c_12      1
    L_f02     c_13      1
    L_f02     c_14      1
    L_f02     c_15      1
    L_f02     p_L       1
    L_f10     c_10      1
    L_f10     c_20      1
    L_f10     c_21      1
    L_f10     c_22      1
    L_f10     c_23      1
    L_f10     p_L       1
    L_f11     c_11      1
    L_f11     c_21      1
    L_f11     c_22      1
    L_f11     c_23      1
    L_f11     c_24      1
    L_f11     p_L       1
    L_f12     c_12      1
    L_f12     c_22      1
    L_f12     c_23      1
    L_f12     c_24      1
    L_f12     c_25      1
    L_f12     p_L       1
    L_f13     c_13      1
    L_f13     c_23      1
    L_f13     c_24      1
    L_f13     c_25      1
    L_f13     c_26      1
    L_f13     p_L       1
    L_f20     c_20      1
    L_f20     c_30      1
    L_f20     c_31      1
    L_f20     c_32      1
    L_f20     c_33      1
    L_f20     p_L       1
    L_f21     c_21      1
    L_f21     c_31      1
    L_f21     c_32      1
    L_f21     c_33      1
    L_f21     c_34      1
    L_f21     p_L       1
    L_f22     c_22      1
    L_f22     c_32      1
    L_f22     c_33      1
    L_f22     c_34      1
    L_f22     c_35      1
    L_f22     p_L       1
    L_f23     c_23      1
    L_f23     c_33      1
    L_f23     c_34      1
    L_f23     c_35      1
    L_f23     c_36      1
    L_f23     p_L       1
    L_f30     c_30      1
    L_f30     c_40      1
    L_f30     c_41      1
    L_f30     c_42      1
    L_f30     c_43      1
    L_f30     p_L       1
    L_f31     c_31      1
    L_f31     c_41      1
    L_f31     c_42      1
    L_f31     c_43      1
    L_f31     c_44      1
    L_f31     p_L       1
    L_f32     c_32      1
    L_f32     c_42      1
    L_f32     c_43      1
    L_f32     c_44      1
    L_f32     c_45      1
    L_f32     p_L       1
    L_f33     c_33      1
    L_f33     c_43      1
    L_f33     c_44      1
    L_f33     c_45      1
    L_f33     c_46      1
    L_f33     p_L       1
    L_f40     c_40      1
    L_f40     c_50      1
    L_f40     c_51      1
    L_f40     c_52      1
    L_f40     c_53      1
    L_f40     p_L       1
    L_f41     c_41      1
    L_f41     c_51      1
    L_f41     c_52      1
    L_f41     c_53      1
    L_f41     c_54      1
    L_f41     p_L       1
    L_f42     c_42      1
    L_f42     c_52      1
    L_f42     c_53      1
    L_f42     c_54      1
    L_f42     c_55      1
    L_f42     p_L       1
    L_f43     c_43      1
    L_f43     c_53      1
    L_f43     c_54      1
    L_f43     c_55      1
    L_f43     c_56      1
    L_f43     p_L       1
    L_g02     c_02      1
    L_g02     c_12      1
    L_g02     c_22      1
    L_g02     c_31      1
    L_g02     c_32      1
    L_g02     p_L       1
    L_g03     c_03      1
    L_g03     c_13      1
    L_g03     c_23      1
    L_g03     c_32      1
    L_g03     c_33      1
    L_g03     p_L       1
    L_g04     c_04      1
    L_g04     c_14      1
    L_g04     c_24      1
    L_g04     c_33      1
    L_g04     c_34      1
    L_g04     p_L       1
    L_g05     c_05      1
    L_g05     c_15      1
    L_g05     c_25      1
    L_g05     c_34      1
    L_g05     c_35      1
    L_g05     p_L       1
    L_g11     c_11      1
    L_g11     c_21      1
    L_g11     c_31      1
    L_g11     c_40      1
    L_g11     c_41      1
    L_g11     p_L       1
    L_g12     c_12      1
    L_g12     c_22      1
    L_g12     c_32      1
    L_g12     c_41      1
    L_g12     c_42      1
    L_g12     p_L       1
    L_g13     c_13      1
    L_g13     c_23      1
    L_g13     c_33      1
    L_g13     c_42      1
    L_g13     c_43      1
    L_g13     p_L       1
    L_g14     c_14      1
    L_g14     c_24      1
    L_g14     c_34      1
    L_g14     c_43      1
    L_g14     c_44      1
    L_g14     p_L       1
    L_g15     c_15      1
    L_g15     c_25      1
    L_g15     c_35      1
    L_g15     c_44      1
    L_g15     c_45      1
    L_g15     p_L       1
    L_g21     c_21      1
    L_g21     c_31      1
    L_g21     c_41      1
    L_g21     c_50      1
    L_g21     c_51      1
    L_g21     p_L       1
    L_g22     c_22      1
    L_g22     c_32      1
    L_g22     c_42      1
    L_g22     c_51      1
    L_g22     c_52      1
    L_g22     p_L       1
    L_g23     c_23      1
    L_g23     c_33      1
    L_g23     c_43      1
    L_g23     c_52      1
    L_g23     c_53      1
    L_g23     p_L       1
    L_g24     c_24      1
    L_g24     c_34      1
    L_g24     c_44      1
    L_g24     c_53      1
    L_g24     c_54      1
    L_g24     p_L       1
    L_g25     c_25      1
    L_g25     c_35      1
    L_g25     c_45      1
    L_g25     c_54      1
    L_g25     c_55      1
    L_g25     p_L       1
    L_g26     c_26      1
    L_g26     c_36      1
    L_g26     c_46      1
    L_g26     c_55      1
    L_g26     c_56      1
    L_g26     p_L       1
    L_g32     c_32      1
    L_g32     c_42      1
    L_g32     c_52      1
    L_g32     c_61      1
    L_g32     c_62      1
    L_g32     p_L       1
    L_h00     c_00      1
    L_h00     c_10      1
    L_h00     c_20      1
    L_h00     c_30      1
    L_h00     c_31      1
    L_h00     p_L       1
    L_h02     c_02      1
    L_h02     c_12      1
    L_h02     c_22      1
    L_h02     c_32      1
    L_h02     c_33      1
    L_h02     p_L       1
    L_h03     c_03      1
    L_h03     c_13      1
    L_h03     c_23      1
    L_h03     c_33      1
    L_h03     c_34      1
    L_h03     p_L       1
    L_h04     c_04      1
    L_h04     c_14      1
    L_h04     c_24      1
    L_h04     c_34      1
    L_h04     c_35      1
    L_h04     p_L       1
    L_h05     c_05      1
    L_h05     c_15      1
    L_h05     c_25      1
    L_h05     c_35      1
    L_h05     c_36      1
    L_h05     p_L       1
    L_h10     c_10      1
    L_h10     c_20      1
    L_h10     c_30      1
    L_h10     c_40      1
    L_h10     c_41      1
    L_h10     p_L       1
    L_h11     c_11      1
    L_h11     c_21      1
    L_h11     c_31      1
    L_h11     c_41      1
    L_h11     c_42      1
    L_h11     p_L       1
    L_h12     c_12      1
    L_h12     c_22      1
    L_h12     c_32      1
    L_h12     c_42      1
    L_h12     c_43      1
    L_h12     p_L       1
    L_h13     c_13      1
    L_h13     c_23      1
    L_h13     c_33      1
    L_h13     c_43      1
    L_h13     c_44      1
    L_h13     p_L       1
    L_h14     c_14      1
    L_h14     c_24      1
    L_h14     c_34      1
    L_h14     c_44      1
    L_h14     c_45      1
    L_h14     p_L       1
    L_h15     c_15      1
    L_h15     c_25      1
    L_h15     c_35      1
    L_h15     c_45      1
    L_h15     c_46      1
    L_h15     p_L       1
    L_h20     c_20      1
    L_h20     c_30      1
    L_h20     c_40      1
    L_h20     c_50      1
    L_h20     c_51      1
    L_h20     p_L       1
    L_h21     c_21      1
    L_h21     c_31      1
    L_h21     c_41      1
    L_h21     c_51      1
    L_h21     c_52      1
    L_h21     p_L       1
    L_h22     c_22      1
    L_h22     c_32      1
    L_h22     c_42      1
    L_h22     c_52      1
    L_h22     c_53      1
    L_h22     p_L       1
    L_h23     c_23      1
    L_h23     c_33      1
    L_h23     c_43      1
    L_h23     c_53      1
    L_h23     c_54      1
    L_h23     p_L       1
    L_h24     c_24      1
    L_h24     c_34      1
    L_h24     c_44      1
    L_h24     c_54      1
    L_h24     c_55      1
    L_h24     p_L       1
    L_h25     c_25      1
    L_h25     c_35      1
    L_h25     c_45      1
    L_h25     c_55      1
    L_h25     c_56      1
    L_h25     p_L       1
    L_h31     c_31      1
    L_h31     c_41      1
    L_h31     c_51      1
    L_h31     c_61      1
    L_h31     c_62      1
    L_h31     p_L       1
    N_a02     c_02      1
    N_a02     c_03      1
    N_a02     c_04      1
    N_a02     c_11      1
    N_a02     c_12      1
    N_a02     p_N       1
    N_a03     c_03      1
    N_a03     c_04      1
    N_a03     c_05      1
    N_a03     c_12      1
    N_a03     c_13      1
    N_a03     p_N       1
    N_a11     c_11      1
    N_a11     c_12      1
    N_a11     c_13      1
    N_a11     c_20      1
    N_a11     c_21      1
    N_a11     p_N       1
    N_a12     c_12      1
    N_a12     c_13      1
    N_a12     c_14      1
    N_a12     c_21      1
    N_a12     c_22      1
    N_a12     p_N       1
    N_a13     c_13      1
    N_a13     c_14      1
    N_a13     c_15      1
    N_a13     c_22      1
    N_a13     c_23      1
    N_a13     p_N       1
    N_a21     c_21      1
    N_a21     c_22      1
    N_a21     c_23      1
    N_a21     c_30      1
    N_a21     c_31      1
    N_a21     p_N       1
    N_a22     c_22      1
    N_a22     c_23      1
    N_a22     c_24      1
    N_a22     c_31      1
    N_a22     c_32      1
    N_a22     p_N       1
    N_a23     c_23      1
    N_a23     c_24      1
    N_a23     c_25      1
    N_a23     c_32      1
    N_a23     c_33      1
    N_a23     p_N       1
    N_a24     c_24      1
    N_a24     c_25      1
    N_a24     c_26      1
    N_a24     c_33      1
    N_a24     c_34      1
    N_a24     p_N       1
    N_a31     c_31      1
    N_a31     c_32      1
    N_a31     c_33      1
    N_a31     c_40      1
    N_a31     c_41      1
    N_a31     p_N       1
    N_a32     c_32      1
    N_a32     c_33      1
    N_a32     c_34      1
    N_a32     c_41      1
    N_a32     c_42      1
    N_a32     p_N       1
    N_a33     c_33      1
    N_a33     c_34      1
    N_a33     c_35      1
    N_a33     c_42      1
    N_a33     c_43      1
    N_a33     p_N       1
    N_a34     c_34      1
    N_a34     c_35      1
    N_a34     c_36      1
    N_a34     c_43      1
    N_a34     c_44      1
    N_a34     p_N       1
    N_a41     c_41      1
    N_a41     c_42      1
    N_a41     c_43      1
    N_a41     c_50      1
    N_a41     c_51      1
    N_a41     p_N       1
    N_a42     c_42      1
    N_a42     c_43      1
    N_a42     c_44      1
    N_a42     c_51      1
    N_a42     c_52      1
    N_a42     p_N       1
    N_a43     c_43      1
    N_a43     c_44      1
    N_a43     c_45      1
    N_a43     c_52      1
    N_a43     c_53      1
    N_a43     p_N       1
    N_a44     c_44      1
    N_a44     c_45      1
    N_a44     c_46      1
    N_a44     c_53      1
    N_a44     c_54      1
    N_a44     p_N       1
    N_a52     c_52      1
    N_a52     c_53      1
    N_a52     c_54      1
    N_a52     c_61      1
    N_a52     c_62      1
    N_a52     p_N       1
    N_b02     c_02      1
    N_b02     c_03      1
    N_b02     c_04      1
    N_b02     c_14      1
    N_b02     c_15      1
    N_b02     p_N       1
    N_b10     c_10      1
    N_b10     c_11      1
    N_b10     c_12      1
    N_b10     c_22      1
    N_b10     c_23      1
    N_b10     p_N       1
    N_b11     c_11      1
    N_b11     c_12      1
    N_b11     c_13      1
    N_b11     c_23      1
    N_b11     c_24      1
    N_b11     p_N       1
    N_b12     c_12      1
    N_b12     c_13      1
    N_b12     c_14      1
    N_b12     c_24      1
    N_b12     c_25      1
    N_b12     p_N       1
    N_b13     c_13      1
    N_b13     c_14      1
    N_b13     c_15      1
    N_b13     c_25      1
    N_b13     c_26      1
    N_b13     p_N       1
    N_b20     c_20      1
    N_b20     c_21      1
    N_b20     c_22      1
    N_b20     c_32      1
    N_b20     c_33      1
    N_b20     p_N       1
    N_b21     c_21      1
    N_b21     c_22      1
    N_b21     c_23      1
    N_b21     c_33      1
    N_b21     c_34      1
    N_b21     p_N       1
    N_b22     c_22      1
    N_b22     c_23      1
    N_b22     c_24      1
    N_b22     c_34      1
    N_b22     c_35      1
    N_b22     p_N       1
    N_b23     c_23      1
    N_b23     c_24      1
    N_b23     c_25      1
    N_b23     c_35      1
    N_b23     c_36      1
    N_b23     p_N       1
    N_b30     c_30      1
    N_b30     c_31      1
    N_b30     c_32      1
    N_b30     c_42      1
    N_b30     c_43      1
    N_b30     p_N       1
    N_b31     c_31      1
    N_b31     c_32      1
    N_b31     c_33      1
    N_b31     c_43      1
    N_b31     c_44      1
    N_b31     p_N       1
    N_b32     c_32      1
    N_b32     c_33      1
    N_b32     c_34      1
    N_b32     c_44      1
    N_b32     c_45      1
    N_b32     p_N       1
    N_b33     c_33      1
    N_b33     c_34      1
    N_b33     c_35      1
    N_b33     c_45      1
    N_b33     c_46      1
    N_b33     p_N       1
    N_b40     c_40      1
    N_b40     c_41      1
    N_b40     c_42      1
    N_b40     c_52      1
    N_b40     c_53      1
    N_b40     p_N       1
    N_b41     c_41      1
    N_b41     c_42      1
    N_b41     c_43      1
    N_b41     c_53      1
    N_b41     c_54      1
    N_b41     p_N       1
    N_b42     c_42      1
    N_b42     c_43      1
    N_b42     c_44      1
    N_b42     c_54      1
    N_b42     c_55      1
    N_b42     p_N       1
    N_b43     c_43      1
    N_b43     c_44      1
    N_b43     c_45      1
    N_b43     c_55      1
    N_b43     c_56      1
    N_b43     p_N       1
    N_c02     c_02      1
    N_c02     c_03      1
    N_c02     c_10      1
    N_c02     c_11      1
    N_c02     c_12      1
    N_c02     p_N       1
    N_c03     c_03      1
    N_c03     c_04      1
    N_c03     c_11      1
    N_c03     c_12      1
    N_c03     c_13      1
    N_c03     p_N       1
    N_c04     c_04      1
    N_c04     c_05      1
    N_c04     c_12      1
    N_c04     c_13      1
    N_c04     c_14      1
    N_c04     p_N       1
    N_c12     c_12      1
    N_c12     c_13      1
    N_c12     c_20      1
    N_c12     c_21      1
    N_c12     c_22      1
    N_c12     p_N       1
    N_c13     c_13      1
    N_c13     c_14      1
    N_c13     c_21      1
    N_c13     c_22      1
    N_c13     c_23      1
    N_c13     p_N       1
    N_c14     c_14      1
    N_c14     c_15      1
    N_c14     c_22      1
    N_c14     c_23      1
    N_c14     c_24      1
    N_c14     p_N       1
    N_c22     c_22      1
    N_c22     c_23      1
    N_c22     c_30      1
    N_c22     c_31      1
    N_c22     c_32      1
    N_c22     p_N       1
    N_c23     c_23      1
    N_c23     c_24      1
    N_c23     c_31      1
    N_c23     c_32      1
    N_c23     c_33      1
    N_c23     p_N       1
    N_c24     c_24      1
    N_c24     c_25      1
    N_c24     c_32      1
    N_c24     c_33      1
    N_c24     c_34      1
    N_c24     p_N       1
    N_c25     c_25      1
    N_c25     c_26      1
    N_c25     c_33      1
    N_c25     c_34      1
    N_c25     c_35      1
    N_c25     p_N       1
    N_c32     c_32      1
    N_c32     c_33      1
    N_c32     c_40      1
    N_c32     c_41      1
    N_c32     c_42      1
    N_c32     p_N       1
    N_c33     c_33      1
    N_c33     c_34      1
    N_c33     c_41      1
    N_c33     c_42      1
    N_c33     c_43      1
    N_c33     p_N       1
    N_c34     c_34      1
    N_c34     c_35      1
    N_c34     c_42      1
    N_c34     c_43      1
    N_c34     c_44      1
    N_c34     p_N       1
    N_c35     c_35      1
    N_c35     c_36      1
    N_c35     c_43      1
    N_c35     c_44      1
    N_c35     c_45      1
    N_c35     p_N       1
    N_c42     c_42      1
    N_c42     c_43      1
    N_c42     c_50      1
    N_c42     c_51      1
    N_c42     c_52      1
    N_c42     p_N       1
    N_c43     c_43      1
    N_c43     c_44      1
    N_c43     c_51      1
    N_c43     c_52      1
    N_c43     c_53      1
    N_c43     p_N       1
    N_c44     c_44      1
    N_c44     c_45      1
    N_c44     c_52      1
    N_c44     c_53      1
    N_c44     c_54      1
    N_c44     p_N       1
    N_c45     c_45      1
    N_c45     c_46      1
    N_c45     c_53      1
    N_c45     c_54      1
    N_c45     c_55      1
    N_c45     p_N       1
    N_d02     c_02      1
    N_d02     c_03      1
    N_d02     c_13      1
    N_d02     c_14      1
    N_d02     c_15      1
    N_d02     p_N       1
    N_d10     c_10      1
    N_d10     c_11      1
    N_d10     c_21      1
    N_d10     c_22      1
    N_d10     c_23      1
    N_d10     p_N       1
    N_d11     c_11      1
    N_d11     c_12      1
    N_d11     c_22      1
    N_d11     c_23      1
    N_d11     c_24      1
    N_d11     p_N       1
    N_d12     c_12      1
    N_d12     c_13      1
    N_d12     c_23      1
    N_d12     c_24      1
    N_d12     c_25      1
    N_d12     p_N       1
    N_d13     c_13      1
    N_d13     c_14      1
    N_d13     c_24      1
    N_d13     c_25      1
    N_d13     c_26      1
    N_d13     p_N       1
    N_d20     c_20      1
    N_d20     c_21      1
    N_d20     c_31      1
    N_d20     c_32      1
    N_d20     c_33      1
    N_d20     p_N       1
    N_d21     c_21      1
    N_d21     c_22      1
    N_d21     c_32      1
    N_d21     c_33      1
    N_d21     c_34      1
    N_d21     p_N       1
    N_d22     c_22      1
    N_d22     c_23      1
    N_d22     c_33      1
    N_d22     c_34      1
    N_d22     c_35      1
    N_d22     p_N       1
    N_d23     c_23      1
    N_d23     c_24      1
    N_d23     c_34      1
    N_d23     c_35      1
    N_d23     c_36      1
    N_d23     p_N       1
    N_d30     c_30      1
    N_d30     c_31      1
    N_d30     c_41      1
    N_d30     c_42      1
    N_d30     c_43      1
    N_d30     p_N       1
    N_d31     c_31      1
    N_d31     c_32      1
    N_d31     c_42      1
    N_d31     c_43      1
    N_d31     c_44      1
    N_d31     p_N       1
    N_d32     c_32      1
    N_d32     c_33      1
    N_d32     c_43      1
    N_d32     c_44      1
    N_d32     c_45      1
    N_d32     p_N       1
    N_d33     c_33      1
    N_d33     c_34      1
    N_d33     c_44      1
    N_d33     c_45      1
    N_d33     c_46      1
    N_d33     p_N       1
    N_d40     c_40      1
    N_d40     c_41      1
    N_d40     c_51      1
    N_d40     c_52      1
    N_d40     c_53      1
    N_d40     p_N       1
    N_d41     c_41      1
    N_d41     c_42      1
    N_d41     c_52      1
    N_d41     c_53      1
    N_d41     c_54      1
    N_d41     p_N       1
    N_d42     c_42      1
    N_d42     c_43      1
    N_d42     c_53      1
    N_d42     c_54      1
    N_d42     c_55      1
    N_d42     p_N       1
    N_d43     c_43      1
    N_d43     c_44      1
    N_d43     c_54      1
    N_d43     c_55      1
    N_d43     c_56      1
    N_d43     p_N       1
    N_e02     c_02      1
    N_e02     c_11      1
    N_e02     c_12      1
    N_e02     c_21      1
    N_e02     c_31      1
    N_e02     p_N       1
    N_e03     c_03      1
    N_e03     c_12      1
    N_e03     c_13      1
    N_e03     c_22      1
    N_e03     c_32      1
    N_e03     p_N       1
    N_e04     c_04      1
    N_e04     c_13      1
    N_e04     c_14      1
    N_e04     c_23      1
    N_e04     c_33      1
    N_e04     p_N       1
    N_e05     c_05      1
    N_e05     c_14      1
    N_e05     c_15      1
    N_e05     c_24      1
    N_e05     c_34      1
    N_e05     p_N       1
    N_e11     c_11      1
    N_e11     c_20      1
    N_e11     c_21      1
    N_e11     c_30      1
    N_e11     c_40      1
    N_e11     p_N       1
    N_e12     c_12      1
    N_e12     c_21      1
    N_e12     c_22      1
    N_e12     c_31      1
    N_e12     c_41      1
    N_e12     p_N       1
    N_e13     c_13      1
    N_e13     c_22      1
    N_e13     c_23      1
    N_e13     c_32      1
    N_e13     c_42      1
    N_e13     p_N       1
    N_e14     c_14      1
    N_e14     c_23      1
    N_e14     c_24      1
    N_e14     c_33      1
    N_e14     c_43      1
    N_e14     p_N       1
    N_e15     c_15      1
    N_e15     c_24      1
    N_e15     c_25      1
    N_e15     c_34      1
    N_e15     c_44      1
    N_e15     p_N       1
    N_e21     c_21      1
    N_e21     c_30      1
    N_e21     c_31      1
    N_e21     c_40      1
    N_e21     c_50      1
    N_e21     p_N       1
    N_e22     c_22      1
    N_e22     c_31      1
    N_e22     c_32      1
    N_e22     c_41      1
    N_e22     c_51      1
    N_e22     p_N       1
    N_e23     c_23      1
    N_e23     c_32      1
    N_e23     c_33      1
    N_e23     c_42      1
    N_e23     c_52      1
    N_e23     p_N       1
    N_e24     c_24      1
    N_e24     c_33      1
    N_e24     c_34      1
    N_e24     c_43      1
    N_e24     c_53      1
    N_e24     p_N       1
    N_e25     c_25      1
    N_e25     c_34      1
    N_e25     c_35      1
    N_e25     c_44      1
    N_e25     c_54      1
    N_e25     p_N       1
    N_e26     c_26      1
    N_e26     c_35      1
    N_e26     c_36      1
    N_e26     c_45      1
    N_e26     c_55      1
    N_e26     p_N       1
    N_e32     c_32      1
    N_e32     c_41      1
    N_e32     c_42      1
    N_e32     c_51      1
    N_e32     c_61      1
    N_e32     p_N       1
    N_e33     c_33      1
    N_e33     c_42      1
    N_e33     c_43      1
    N_e33     c_52      1
    N_e33     c_62      1
    N_e33     p_N       1
    N_f00     c_00      1
    N_f00     c_10      1
    N_f00     c_11      1
    N_f00     c_21      1
    N_f00     c_31      1
    N_f00     p_N       1
    N_f02     c_02      1
    N_f02     c_12      1
    N_f02     c_13      1
    N_f02     c_23      1
    N_f02     c_33      1
    N_f02     p_N       1
    N_f03     c_03      1
    N_f03     c_13      1
    N_f03     c_14      1
    N_f03     c_24      1
    N_f03     c_34      1
    N_f03     p_N       1
    N_f04     c_04      1
    N_f04     c_14      1
    N_f04     c_15      1
    N_f04     c_25      1
    N_f04     c_35      1
    N_f04     p_N       1
    N_f10     c_10      1
    N_f10     c_20      1
    N_f10     c_21      1
    N_f10     c_31      1
    N_f10     c_41      1
    N_f10     p_N       1
    N_f11     c_11      1
    N_f11     c_21      1
    N_f11     c_22      1
    N_f11     c_32      1
    N_f11     c_42      1
    N_f11     p_N       1
    N_f12     c_12      1
    N_f12     c_22      1
    N_f12     c_23      1
    N_f12     c_33      1
    N_f12     c_43      1
    N_f12     p_N       1
    N_f13     c_13      1
    N_f13     c_23      1
    N_f13     c_24      1
    N_f13     c_34      1
    N_f13     c_44      1
    N_f13     p_N       1
    N_f14     c_14      1
    N_f14     c_24      1
    N_f14     c_25      1
    N_f14     c_35      1
    N_f14     c_45      1
    N_f14     p_N       1
    N_f15     c_15      1
    N_f15     c_25      1
    N_f15     c_26      1
    N_f15     c_36      1
    N_f15     c_46      1
    N_f15     p_N       1
    N_f20     c_20      1
    N_f20     c_30      1
    N_f20     c_31      1
    N_f20     c_41      1
    N_f20     c_51      1
    N_f20     p_N       1
    N_f21     c_21      1
    N_f21     c_31      1
    N_f21     c_32      1
    N_f21     c_42      1
    N_f21     c_52      1
    N_f21     p_N       1
    N_f22     c_22      1
    N_f22     c_32      1
    N_f22     c_33      1
    N_f22     c_43      1
    N_f22     c_53      1
    N_f22     p_N       1
    N_f23     c_23      1
    N_f23     c_33      1
    N_f23     c_34      1
    N_f23     c_44      1
    N_f23     c_54      1
    N_f23     p_N       1
    N_f24     c_24      1
    N_f24     c_34      1
    N_f24     c_35      1
    N_f24     c_45      1
    N_f24     c_55      1
    N_f24     p_N       1
    N_f25     c_25      1
    N_f25     c_35      1
    N_f25     c_36      1
    N_f25     c_46      1
    N_f25     c_56      1
    N_f25     p_N       1
    N_f30     c_30      1
    N_f30     c_40      1
    N_f30     c_41      1
    N_f30     c_51      1
    N_f30     c_61      1
    N_f30     p_N       1
    N_f31     c_31      1
    N_f31     c_41      1
    N_f31     c_42      1
    N_f31     c_52      1
    N_f31     c_62      1
    N_f31     p_N       1
    N_g02     c_02      1
    N_g02     c_12      1
    N_g02     c_21      1
    N_g02     c_22      1
    N_g02     c_31      1
    N_g02     p_N       1
    N_g03     c_03      1
    N_g03     c_13      1
    N_g03     c_22      1
    N_g03     c_23      1
    N_g03     c_32      1
    N_g03     p_N       1
    N_g04     c_04      1
    N_g04     c_14      1
    N_g04     c_23      1
    N_g04     c_24      1
    N_g04     c_33      1
    N_g04     p_N       1
    N_g05     c_05      1
    N_g05     c_15      1
    N_g05     c_24      1
    N_g05     c_25      1
    N_g05     c_34      1
    N_g05     p_N       1
    N_g11     c_11      1
    N_g11     c_21      1
    N_g11     c_30      1
    N_g11     c_31      1
    N_g11     c_40      1
    N_g11     p_N       1
    N_g12     c_12      1
    N_g12     c_22      1
    N_g12     c_31      1
    N_g12     c_32      1
    N_g12     c_41      1
    N_g12     p_N       1
    N_g13     c_13      1
    N_g13     c_23      1
    N_g13     c_32      1
    N_g13     c_33      1
    N_g13     c_42      1
    N_g13     p_N       1
    N_g14     c_14      1
    N_g14     c_24      1
    N_g14     c_33      1
    N_g14     c_34      1
    N_g14     c_43      1
    N_g14     p_N       1
    N_g15     c_15      1
    N_g15     c_25      1
    N_g15     c_34      1
    N_g15     c_35      1
    N_g15     c_44      1
    N_g15     p_N       1
    N_g21     c_21      1
    N_g21     c_31      1
    N_g21     c_40      1
    N_g21     c_41      1
    N_g21     c_50      1
    N_g21     p_N       1
    N_g22     c_22      1
    N_g22     c_32      1
    N_g22     c_41      1
    N_g22     c_42      1
    N_g22     c_51      1
    N_g22     p_N       1
    N_g23     c_23      1
    N_g23     c_33      1
    N_g23     c_42      1
    N_g23     c_43      1
    N_g23     c_52      1
    N_g23     p_N       1
    N_g24     c_24      1
    N_g24     c_34      1
    N_g24     c_43      1
    N_g24     c_44      1
    N_g24     c_53      1
    N_g24     p_N       1
    N_g25     c_25      1
    N_g25     c_35      1
    N_g25     c_44      1
    N_g25     c_45      1
    N_g25     c_54      1
    N_g25     p_N       1
    N_g26     c_26      1
    N_g26     c_36      1
    N_g26     c_45      1
    N_g26     c_46      1
    N_g26     c_55      1
    N_g26     p_N       1
    N_g32     c_32      1
    N_g32     c_42      1
    N_g32     c_51      1
    N_g32     c_52      1
    N_g32     c_61      1
    N_g32     p_N       1
    N_g33     c_33      1
    N_g33     c_43      1
    N_g33     c_52      1
    N_g33     c_53      1
    N_g33     c_62      1
    N_g33     p_N       1
    N_h00     c_00      1
    N_h00     c_10      1
    N_h00     c_20      1
    N_h00     c_21      1
    N_h00     c_31      1
    N_h00     p_N       1
    N_h02     c_02      1
    N_h02     c_12      1
    N_h02     c_22      1
    N_h02     c_23      1
    N_h02     c_33      1
    N_h02     p_N       1
    N_h03     c_03      1
    N_h03     c_13      1
    N_h03     c_23      1
    N_h03     c_24      1
    N_h03     c_34      1
    N_h03     p_N       1
    N_h04     c_04      1
    N_h04     c_14      1
    N_h04     c_24      1
    N_h04     c_25      1
    N_h04     c_35      1
    N_h04     p_N       1
    N_h05     c_05      1
    N_h05     c_15      1
    N_h05     c_25      1
    N_h05     c_26      1
    N_h05     c_36      1
    N_h05     p_N       1
    N_h10     c_10      1
    N_h10     c_20      1
    N_h10     c_30      1
    N_h10     c_31      1
    N_h10     c_41      1
    N_h10     p_N       1
    N_h11     c_11      1
    N_h11     c_21      1
    N_h11     c_31      1
    N_h11     c_32      1
    N_h11     c_42      1
    N_h11     p_N       1
    N_h12     c_12      1
    N_h12     c_22      1
    N_h12     c_32      1
    N_h12     c_33      1
    N_h12     c_43      1
    N_h12     p_N       1
    N_h13     c_13      1
    N_h13     c_23      1
    N_h13     c_33      1
    N_h13     c_34      1
    N_h13     c_44      1
    N_h13     p_N       1
    N_h14     c_14      1
    N_h14     c_24      1
    N_h14     c_34      1
    N_h14     c_35      1
    N_h14     c_45      1
    N_h14     p_N       1
    N_h15     c_15      1
    N_h15     c_25      1
    N_h15     c_35      1
    N_h15     c_36      1
    N_h15     c_46      1
    N_h15     p_N       1
    N_h20     c_20      1
    N_h20     c_30      1
    N_h20     c_40      1
    N_h20     c_41      1
    N_h20     c_51      1
    N_h20     p_N       1
    N_h21     c_21      1
    N_h21     c_31      1
    N_h21     c_41      1
    N_h21     c_42      1
    N_h21     c_52      1
    N_h21     p_N       1
    N_h22     c_22      1
    N_h22     c_32      1
    N_h22     c_42      1
    N_h22     c_43      1
    N_h22     c_53      1
    N_h22     p_N       1
    N_h23     c_23      1
    N_h23     c_33      1
    N_h23     c_43      1
    N_h23     c_44      1
    N_h23     c_54      1
    N_h23     p_N       1
    N_h24     c_24      1
    N_h24     c_34      1
    N_h24     c_44      1
    N_h24     c_45      1
    N_h24     c_55      1
    N_h24     p_N       1
    N_h25     c_25      1
    N_h25     c_35      1
    N_h25     c_45      1
    N_h25     c_46      1
    N_h25     c_56      1
    N_h25     p_N       1
    N_h30     c_30      1
    N_h30     c_40      1
    N_h30     c_50      1
    N_h30     c_51      1
    N_h30     c_61      1
    N_h30     p_N       1
    N_h31     c_31      1
    N_h31     c_41      1
    N_h31     c_51      1
    N_h31     c_52      1
    N_h31     c_62      1
    N_h31     p_N       1
    P_a02     c_02      1
    P_a02     c_03      1
    P_a02     c_04      1
    P_a02     c_12      1
    P_a02     c_13      1
    P_a02     p_P       1
    P_a03     c_03      1
    P_a03     c_04      1
    P_a03     c_05      1
    P_a03     c_13      1
    P_a03     c_14      1
    P_a03     p_P       1
    P_a10     c_10      1
    P_a10     c_11      1
    P_a10     c_12      1
    P_a10     c_20      1
    P_a10     c_21      1
    P_a10     p_P       1
    P_a11     c_11      1
    P_a11     c_12      1
    P_a11     c_13      1
    P_a11     c_21      1
    P_a11     c_22      1
    P_a11     p_P       1
    P_a12     c_12      1
    P_a12     c_13      1
    P_a12     c_14      1
    P_a12     c_22      1
    P_a12     c_23      1
    P_a12     p_P       1
    P_a13     c_13      1
    P_a13     c_14      1
    P_a13     c_15      1
    P_a13     c_23      1
    P_a13     c_24      1
    P_a13     p_P       1
    P_a20     c_20      1
    P_a20     c_21      1
    P_a20     c_22      1
    P_a20     c_30      1
    P_a20     c_31      1
    P_a20     p_P       1
    P_a21     c_21      1
    P_a21     c_22      1
    P_a21     c_23      1
    P_a21     c_31      1
    P_a21     c_32      1
    P_a21     p_P       1
    P_a22     c_22      1
    P_a22     c_23      1
    P_a22     c_24      1
    P_a22     c_32      1
    P_a22     c_33      1
    P_a22     p_P       1
    P_a23     c_23      1
    P_a23     c_24      1
    P_a23     c_25      1
    P_a23     c_33      1
    P_a23     c_34      1
    P_a23     p_P       1
    P_a24     c_24      1
    P_a24     c_25      1
    P_a24     c_26      1
    P_a24     c_34      1
    P_a24     c_35      1
    P_a24     p_P       1
    P_a30     c_30      1
    P_a30     c_31      1
    P_a30     c_32      1
    P_a30     c_40      1
    P_a30     c_41      1
    P_a30     p_P       1
    P_a31     c_31      1
    P_a31     c_32      1
    P_a31     c_33      1
    P_a31     c_41      1
    P_a31     c_42      1
    P_a31     p_P       1
    P_a32     c_32      1
    P_a32     c_33      1
    P_a32     c_34      1
    P_a32     c_42      1
    P_a32     c_43      1
    P_a32     p_P       1
    P_a33     c_33      1
    P_a33     c_34      1
    P_a33     c_35      1
    P_a33     c_43      1
    P_a33     c_44      1
    P_a33     p_P       1
    P_a34     c_34      1
    P_a34     c_35      1
    P_a34     c_36      1
    P_a34     c_44      1
    P_a34     c_45      1
    P_a34     p_P       1
    P_a40     c_40      1
    P_a40     c_41      1
    P_a40     c_42      1
    P_a40     c_50      1
    P_a40     c_51      1
    P_a40     p_P       1
    P_a41     c_41      1
    P_a41     c_42      1
    P_a41     c_43      1
    P_a41     c_51      1
    P_a41     c_52      1
    P_a41     p_P       1
    P_a42     c_42      1
    P_a42     c_43      1
    P_a42     c_44      1
    P_a42     c_52      1
    P_a42     c_53      1
    P_a42     p_P       1
    P_a43     c_43      1
    P_a43     c_44      1
    P_a43     c_45      1
    P_a43     c_53      1
    P_a43     c_54      1
    P_a43     p_P       1
    P_a44     c_44      1
    P_a44     c_45      1
    P_a44     c_46      1
    P_a44     c_54      1
    P_a44     c_55      1
    P_a44     p_P       1
    P_a51     c_51      1
    P_a51     c_52      1
    P_a51     c_53      1
    P_a51     c_61      1
    P_a51     c_62      1
    P_a51     p_P       1
    P_b02     c_02      1
    P_b02     c_03      1
    P_b02     c_04      1
    P_b02     c_13      1
    P_b02     c_14      1
    P_b02     p_P       1
    P_b03     c_03      1
    P_b03     c_04      1
    P_b03     c_05      1
    P_b03     c_14      1
    P_b03     c_15      1
    P_b03     p_P       1
    P_b10     c_10      1
    P_b10     c_11      1
    P_b10     c_12      1
    P_b10     c_21      1
    P_b10     c_22      1
    P_b10     p_P       1
    P_b11     c_11      1
    P_b11     c_12      1
    P_b11     c_13      1
    P_b11     c_22      1
    P_b11     c_23      1
    P_b11     p_P       1
    P_b12     c_12      1
    P_b12     c_13      1
    P_b12     c_14      1
    P_b12     c_23      1
    P_b12     c_24      1
    P_b12     p_P       1
    P_b13     c_13      1
    P_b13     c_14      1
    P_b13     c_15      1
    P_b13     c_24      1
    P_b13     c_25      1
    P_b13     p_P       1
    P_b20     c_20      1
    P_b20     c_21      1
    P_b20     c_22      1
    P_b20     c_31      1
    P_b20     c_32      1
    P_b20     p_P       1
    P_b21     c_21      1
    P_b21     c_22      1
    P_b21     c_23      1
    P_b21     c_32      1
    P_b21     c_33      1
    P_b21     p_P       1
    P_b22     c_22      1
    P_b22     c_23      1
    P_b22     c_24      1
    P_b22     c_33      1
    P_b22     c_34      1
    P_b22     p_P       1
    P_b23     c_23      1
    P_b23     c_24      1
    P_b23     c_25      1
    P_b23     c_34      1
    P_b23     c_35      1
    P_b23     p_P       1
    P_b24     c_24      1
    P_b24     c_25      1
    P_b24     c_26      1
    P_b24     c_35      1
    P_b24     c_36      1
    P_b24     p_P       1
    P_b30     c_30      1
    P_b30     c_31      1
    P_b30     c_32      1
    P_b30     c_41      1
    P_b30     c_42      1
    P_b30     p_P       1
    P_b31     c_31      1
    P_b31     c_32      1
    P_b31     c_33      1
    P_b31     c_42      1
    P_b31     c_43      1
    P_b31     p_P       1
    P_b32     c_32      1
    P_b32     c_33      1
    P_b32     c_34      1
    P_b32     c_43      1
    P_b32     c_44      1
    P_b32     p_P       1
    P_b33     c_33      1
    P_b33     c_34      1
    P_b33     c_35      1
    P_b33     c_44      1
    P_b33     c_45      1
    P_b33     p_P       1
    P_b34     c_34      1
    P_b34     c_35      1
    P_b34     c_36      1
    P_b34     c_45      1
    P_b34     c_46      1
    P_b34     p_P       1
    P_b40     c_40      1
    P_b40     c_41      1
    P_b40     c_42      1
    P_b40     c_51      1
    P_b40     c_52      1
    P_b40     p_P       1
    P_b41     c_41      1
    P_b41     c_42      1
    P_b41     c_43      1
    P_b41     c_52      1
    P_b41     c_53      1
    P_b41     p_P       1
    P_b42     c_42      1
    P_b42     c_43      1
    P_b42     c_44      1
    P_b42     c_53      1
    P_b42     c_54      1
    P_b42     p_P       1
    P_b43     c_43      1
    P_b43     c_44      1
    P_b43     c_45      1
    P_b43     c_54      1
    P_b43     c_55      1
    P_b43     p_P       1
    P_b44     c_44      1
    P_b44     c_45      1
    P_b44     c_46      1
    P_b44     c_55      1
    P_b44     c_56      1
    P_b44     p_P       1
    P_b50     c_50      1
    P_b50     c_51      1
    P_b50     c_52      1
    P_b50     c_61      1
    P_b50     c_62      1
    P_b50     p_P       1
    P_c02     c_02      1
    P_c02     c_03      1
    P_c02     c_11      1
    P_c02     c_12      1
    P_c02     c_13      1
    P_c02     p_P       1
    P_c03     c_03      1
    P_c03     c_04      1
    P_c03     c_12      1
    P_c03     c_13      1
    P_c03     c_14      1
    P_c03     p_P       1
    P_c04     c_04      1
    P_c04     c_05      1
    P_c04     c_13      1
    P_c04     c_14      1
    P_c04     c_15      1
    P_c04     p_P       1
    P_c11     c_11      1
    P_c11     c_12      1
    P_c11     c_20      1
    P_c11     c_21      1
    P_c11     c_22      1
    P_c11     p_P       1
    P_c12     c_12      1
    P_c12     c_13      1
    P_c12     c_21      1
    P_c12     c_22      1
    P_c12     c_23      1
    P_c12     p_P       1
    P_c13     c_13      1
    P_c13     c_14      1
    P_c13     c_22      1
    P_c13     c_23      1
    P_c13     c_24      1
    P_c13     p_P       1
    P_c14     c_14      1
    P_c14     c_15      1
    P_c14     c_23      1
    P_c14     c_24      1
    P_c14     c_25      1
    P_c14     p_P       1
    P_c21     c_21      1
    P_c21     c_22      1
    P_c21     c_30      1
    P_c21     c_31      1
    P_c21     c_32      1
    P_c21     p_P       1
    P_c22     c_22      1
    P_c22     c_23      1
    P_c22     c_31      1
    P_c22     c_32      1
    P_c22     c_33      1
    P_c22     p_P       1
    P_c23     c_23      1
    P_c23     c_24      1
    P_c23     c_32      1
    P_c23     c_33      1
    P_c23     c_34      1
    P_c23     p_P       1
    P_c24     c_24      1
    P_c24     c_25      1
    P_c24     c_33      1
    P_c24     c_34      1
    P_c24     c_35      1
    P_c24     p_P       1
    P_c25     c_25      1
    P_c25     c_26      1
    P_c25     c_34      1
    P_c25     c_35      1
    P_c25     c_36      1
    P_c25     p_P       1
    P_c31     c_31      1
    P_c31     c_32      1
    P_c31     c_40      1
    P_c31     c_41      1
    P_c31     c_42      1
    P_c31     p_P       1
    P_c32     c_32      1
    P_c32     c_33      1
    P_c32     c_41      1
    P_c32     c_42      1
    P_c32     c_43      1
    P_c32     p_P       1
    P_c33     c_33      1
    P_c33     c_34      1
    P_c33     c_42      1
    P_c33     c_43      1
    P_c33     c_44      1
    P_c33     p_P       1
    P_c34     c_34      1
    P_c34     c_35      1
    P_c34     c_43      1
    P_c34     c_44      1
    P_c34     c_45      1
    P_c34     p_P       1
    P_c35     c_35      1
    P_c35     c_36      1
    P_c35     c_44      1
    P_c35     c_45      1
    P_c35     c_46      1
    P_c35     p_P       1
    P_c41     c_41      1
    P_c41     c_42      1
    P_c41     c_50      1
    P_c41     c_51      1
    P_c41     c_52      1
    P_c41     p_P       1
    P_c42     c_42      1
    P_c42     c_43      1
    P_c42     c_51      1
    P_c42     c_52      1
    P_c42     c_53      1
    P_c42     p_P       1
    P_c43     c_43      1
    P_c43     c_44      1
    P_c43     c_52      1
    P_c43     c_53      1
    P_c43     c_54      1
    P_c43     p_P       1
    P_c44     c_44      1
    P_c44     c_45      1
    P_c44     c_53      1
    P_c44     c_54      1
    P_c44     c_55      1
    P_c44     p_P       1
    P_c45     c_45      1
    P_c45     c_46      1
    P_c45     c_54      1
    P_c45     c_55      1
    P_c45     c_56      1
    P_c45     p_P       1
    P_d02     c_02      1
    P_d02     c_03      1
    P_d02     c_12      1
    P_d02     c_13      1
    P_d02     c_14      1
    P_d02     p_P       1
    P_d03     c_03      1
    P_d03     c_04      1
    P_d03     c_13      1
    P_d03     c_14      1
    P_d03     c_15      1
    P_d03     p_P       1
    P_d10     c_10      1
    P_d10     c_11      1
    P_d10     c_20      1
    P_d10     c_21      1
    P_d10     c_22      1
    P_d10     p_P       1
    P_d11     c_11      1
    P_d11     c_12      1
    P_d11     c_21      1
    P_d11     c_22      1
    P_d11     c_23      1
    P_d11     p_P       1
    P_d12     c_12      1
    P_d12     c_13      1
    P_d12     c_22      1
    P_d12     c_23      1
    P_d12     c_24      1
    P_d12     p_P       1
    P_d13     c_13      1
    P_d13     c_14      1
    P_d13     c_23      1
    P_d13     c_24      1
    P_d13     c_25      1
    P_d13     p_P       1
    P_d14     c_14      1
    P_d14     c_15      1
    P_d14     c_24      1
    P_d14     c_25      1
    P_d14     c_26      1
    P_d14     p_P       1
    P_d20     c_20      1
    P_d20     c_21      1
    P_d20     c_30      1
    P_d20     c_31      1
    P_d20     c_32      1
    P_d20     p_P       1
    P_d21     c_21      1
    P_d21     c_22      1
    P_d21     c_31      1
    P_d21     c_32      1
    P_d21     c_33      1
    P_d21     p_P       1
    P_d22     c_22      1
    P_d22     c_23      1
    P_d22     c_32      1
    P_d22     c_33      1
    P_d22     c_34      1
    P_d22     p_P       1
    P_d23     c_23      1
    P_d23     c_24      1
    P_d23     c_33      1
    P_d23     c_34      1
    P_d23     c_35      1
    P_d23     p_P       1
    P_d24     c_24      1
    P_d24     c_25      1
    P_d24     c_34      1
    P_d24     c_35      1
    P_d24     c_36      1
    P_d24     p_P       1
    P_d30     c_30      1
    P_d30     c_31      1
    P_d30     c_40      1
    P_d30     c_41      1
    P_d30     c_42      1
    P_d30     p_P       1
    P_d31     c_31      1
    P_d31     c_32      1
    P_d31     c_41      1
    P_d31     c_42      1
    P_d31     c_43      1
    P_d31     p_P       1
    P_d32     c_32      1
    P_d32     c_33      1
    P_d32     c_42      1
    P_d32     c_43      1
    P_d32     c_44      1
    P_d32     p_P       1
    P_d33     c_33      1
    P_d33     c_34      1
    P_d33     c_43      1
    P_d33     c_44      1
    P_d33     c_45      1
    P_d33     p_P       1
    P_d34     c_34      1
    P_d34     c_35      1
    P_d34     c_44      1
    P_d34     c_45      1
    P_d34     c_46      1
    P_d34     p_P       1
    P_d40     c_40      1
    P_d40     c_41      1
    P_d40     c_50      1
    P_d40     c_51      1
    P_d40     c_52      1
    P_d40     p_P       1
    P_d41     c_41      1
    P_d41     c_42      1
    P_d41     c_51      1
    P_d41     c_52      1
    P_d41     c_53      1
    P_d41     p_P       1
    P_d42     c_42      1
    P_d42     c_43      1
    P_d42     c_52      1
    P_d42     c_53      1
    P_d42     c_54      1
    P_d42     p_P       1
    P_d43     c_43      1
    P_d43     c_44      1
    P_d43     c_53      1
    P_d43     c_54      1
    P_d43     c_55      1
    P_d43     p_P       1
    P_d44     c_44      1
    P_d44     c_45      1
    P_d44     c_54      1
    P_d44     c_55      1
    P_d44     c_56      1
    P_d44     p_P       1
    P_e02     c_02      1
    P_e02     c_03      1
    P_e02     c_12      1
    P_e02     c_13      1
    P_e02     c_22      1
    P_e02     p_P       1
    P_e03     c_03      1
    P_e03     c_04      1
    P_e03     c_13      1
    P_e03     c_14      1
    P_e03     c_23      1
    P_e03     p_P       1
    P_e04     c_04      1
    P_e04     c_05      1
    P_e04     c_14      1
    P_e04     c_15      1
    P_e04     c_24      1
    P_e04     p_P       1
    P_e10     c_10      1
    P_e10     c_11      1
    P_e10     c_20      1
    P_e10     c_21      1
    P_e10     c_30      1
    P_e10     p_P       1
    P_e11     c_11      1
    P_e11     c_12      1
    P_e11     c_21      1
    P_e11     c_22      1
    P_e11     c_31      1
    P_e11     p_P       1
    P_e12     c_12      1
    P_e12     c_13      1
    P_e12     c_22      1
    P_e12     c_23      1
    P_e12     c_32      1
    P_e12     p_P       1
    P_e13     c_13      1
    P_e13     c_14      1
    P_e13     c_23      1
    P_e13     c_24      1
    P_e13     c_33      1
    P_e13     p_P       1
    P_e14     c_14      1
    P_e14     c_15      1
    P_e14     c_24      1
    P_e14     c_25      1
    P_e14     c_34      1
    P_e14     p_P       1
    P_e20     c_20      1
    P_e20     c_21      1
    P_e20     c_30      1
    P_e20     c_31      1
    P_e20     c_40      1
    P_e20     p_P       1
    P_e21     c_21      1
    P_e21     c_22      1
    P_e21     c_31      1
    P_e21     c_32      1
    P_e21     c_41      1
    P_e21     p_P       1
    P_e22     c_22      1
    P_e22     c_23      1
    P_e22     c_32      1
    P_e22     c_33      1
    P_e22     c_42      1
    P_e22     p_P       1
    P_e23     c_23      1
    P_e23     c_24      1
    P_e23     c_33      1
    P_e23     c_34      1
    P_e23     c_43      1
    P_e23     p_P       1
    P_e24     c_24      1
    P_e24     c_25      1
    P_e24     c_34      1
    P_e24     c_35      1
    P_e24     c_44      1
    P_e24     p_P       1
    P_e25     c_25      1
    P_e25     c_26      1
    P_e25     c_35      1
    P_e25     c_36      1
    P_e25     c_45      1
    P_e25     p_P       1
    P_e30     c_30      1
    P_e30     c_31      1
    P_e30     c_40      1
    P_e30     c_41      1
    P_e30     c_50      1
    P_e30     p_P       1
    P_e31     c_31      1
    P_e31     c_32      1
    P_e31     c_41      1
    P_e31     c_42      1
    P_e31     c_51      1
    P_e31     p_P       1
    P_e32     c_32      1
    P_e32     c_33      1
    P_e32     c_42      1
    P_e32     c_43      1
    P_e32     c_52      1
    P_e32     p_P       1
    P_e33     c_33      1
    P_e33     c_34      1
    P_e33     c_43      1
    P_e33     c_44      1
    P_e33     c_53      1
    P_e33     p_P       1
    P_e34     c_34      1
    P_e34     c_35      1
    P_e34     c_44      1
    P_e34     c_45      1
    P_e34     c_54      1
    P_e34     p_P       1
    P_e35     c_35      1
    P_e35     c_36      1
    P_e35     c_45      1
    P_e35     c_46      1
    P_e35     c_55      1
    P_e35     p_P       1
    P_e41     c_41      1
    P_e41     c_42      1
    P_e41     c_51      1
    P_e41     c_52      1
    P_e41     c_61      1
    P_e41     p_P       1
    P_e42     c_42      1
    P_e42     c_43      1
    P_e42     c_52      1
    P_e42     c_53      1
    P_e42     c_62      1
    P_e42     p_P       1
    P_f02     c_02      1
    P_f02     c_03      1
    P_f02     c_12      1
    P_f02     c_13      1
    P_f02     c_23      1
    P_f02     p_P       1
    P_f03     c_03      1
    P_f03     c_04      1
    P_f03     c_13      1
    P_f03     c_14      1
    P_f03     c_24      1
    P_f03     p_P       1
    P_f04     c_04      1
    P_f04     c_05      1
    P_f04     c_14      1
    P_f04     c_15      1
    P_f04     c_25      1
    P_f04     p_P       1
    P_f10     c_10      1
    P_f10     c_11      1
    P_f10     c_20      1
    P_f10     c_21      1
    P_f10     c_31      1
    P_f10     p_P       1
    P_f11     c_11      1
    P_f11     c_12      1
    P_f11     c_21      1
    P_f11     c_22      1
    P_f11     c_32      1
    P_f11     p_P       1
    P_f12     c_12      1
    P_f12     c_13      1
    P_f12     c_22      1
    P_f12     c_23      1
    P_f12     c_33      1
    P_f12     p_P       1
    P_f13     c_13      1
    P_f13     c_14      1
    P_f13     c_23      1
    P_f13     c_24      1
    P_f13     c_34      1
    P_f13     p_P       1
    P_f14     c_14      1
    P_f14     c_15      1
    P_f14     c_24      1
    P_f14     c_25      1
    P_f14     c_35      1
    P_f14     p_P       1
    P_f20     c_20      1
    P_f20     c_21      1
    P_f20     c_30      1
    P_f20     c_31      1
    P_f20     c_41      1
    P_f20     p_P       1
    P_f21     c_21      1
    P_f21     c_22      1
    P_f21     c_31      1
    P_f21     c_32      1
    P_f21     c_42      1
    P_f21     p_P       1
    P_f22     c_22      1
    P_f22     c_23      1
    P_f22     c_32      1
    P_f22     c_33      1
    P_f22     c_43      1
    P_f22     p_P       1
    P_f23     c_23      1
    P_f23     c_24      1
    P_f23     c_33      1
    P_f23     c_34      1
    P_f23     c_44      1
    P_f23     p_P       1
    P_f24     c_24      1
    P_f24     c_25      1
    P_f24     c_34      1
    P_f24     c_35      1
    P_f24     c_45      1
    P_f24     p_P       1
    P_f25     c_25      1
    P_f25     c_26      1
    P_f25     c_35      1
    P_f25     c_36      1
    P_f25     c_46      1
    P_f25     p_P       1
    P_f30     c_30      1
    P_f30     c_31      1
    P_f30     c_40      1
    P_f30     c_41      1
    P_f30     c_51      1
    P_f30     p_P       1
    P_f31     c_31      1
    P_f31     c_32      1
    P_f31     c_41      1
    P_f31     c_42      1
    P_f31     c_52      1
    P_f31     p_P       1
    P_f32     c_32      1
    P_f32     c_33      1
    P_f32     c_42      1
    P_f32     c_43      1
    P_f32     c_53      1
    P_f32     p_P       1
    P_f33     c_33      1
    P_f33     c_34      1
    P_f33     c_43      1
    P_f33     c_44      1
    P_f33     c_54      1
    P_f33     p_P       1
    P_f34     c_34      1
    P_f34     c_35      1
    P_f34     c_44      1
    P_f34     c_45      1
    P_f34     c_55      1
    P_f34     p_P       1
    P_f35     c_35      1
    P_f35     c_36      1
    P_f35     c_45      1
    P_f35     c_46      1
    P_f35     c_56      1
    P_f35     p_P       1
    P_f40     c_40      1
    P_f40     c_41      1
    P_f40     c_50      1
    P_f40     c_51      1
    P_f40     c_61      1
    P_f40     p_P       1
    P_f41     c_41      1
    P_f41     c_42      1
    P_f41     c_51      1
    P_f41     c_52      1
    P_f41     c_62      1
    P_f41     p_P       1
    P_g02     c_02      1
    P_g02     c_11      1
    P_g02     c_12      1
    P_g02     c_21      1
    P_g02     c_22      1
    P_g02     p_P       1
    P_g03     c_03      1
    P_g03     c_12      1
    P_g03     c_13      1
    P_g03     c_22      1
    P_g03     c_23      1
    P_g03     p_P       1
    P_g04     c_04      1
    P_g04     c_13      1
    P_g04     c_14      1
    P_g04     c_23      1
    P_g04     c_24      1
    P_g04     p_P       1
    P_g05     c_05      1
    P_g05     c_14      1
    P_g05     c_15      1
    P_g05     c_24      1
    P_g05     c_25      1
    P_g05     p_P       1
    P_g11     c_11      1
    P_g11     c_20      1
    P_g11     c_21      1
    P_g11     c_30      1
    P_g11     c_31      1
    P_g11     p_P       1
    P_g12     c_12      1
    P_g12     c_21      1
    P_g12     c_22      1
    P_g12     c_31      1
    P_g12     c_32      1
    P_g12     p_P       1
    P_g13     c_13      1
    P_g13     c_22      1
    P_g13     c_23      1
    P_g13     c_32      1
    P_g13     c_33      1
    P_g13     p_P       1
    P_g14     c_14      1
    P_g14     c_23      1
    P_g14     c_24      1
    P_g14     c_33      1
    P_g14     c_34      1
    P_g14     p_P       1
    P_g15     c_15      1
    P_g15     c_24      1
    P_g15     c_25      1
    P_g15     c_34      1
    P_g15     c_35      1
    P_g15     p_P       1
    P_g21     c_21      1
    P_g21     c_30      1
    P_g21     c_31      1
    P_g21     c_40      1
    P_g21     c_41      1
    P_g21     p_P       1
    P_g22     c_22      1
    P_g22     c_31      1
    P_g22     c_32      1
    P_g22     c_41      1
    P_g22     c_42      1
    P_g22     p_P       1
    P_g23     c_23      1
    P_g23     c_32      1
    P_g23     c_33      1
    P_g23     c_42      1
    P_g23     c_43      1
    P_g23     p_P       1
    P_g24     c_24      1
    P_g24     c_33      1
    P_g24     c_34      1
    P_g24     c_43      1
    P_g24     c_44      1
    P_g24     p_P       1
    P_g25     c_25      1
    P_g25     c_34      1
    P_g25     c_35      1
    P_g25     c_44      1
    P_g25     c_45      1
    P_g25     p_P       1
    P_g26     c_26      1
    P_g26     c_35      1
    P_g26     c_36      1
    P_g26     c_45      1
    P_g26     c_46      1
    P_g26     p_P       1
    P_g31     c_31      1
    P_g31     c_40      1
    P_g31     c_41      1
    P_g31     c_50      1
    P_g31     c_51      1
    P_g31     p_P       1
    P_g32     c_32      1
    P_g32     c_41      1
    P_g32     c_42      1
    P_g32     c_51      1
    P_g32     c_52      1
    P_g32     p_P       1
    P_g33     c_33      1
    P_g33     c_42      1
    P_g33     c_43      1
    P_g33     c_52      1
    P_g33     c_53      1
    P_g33     p_P       1
    P_g34     c_34      1
    P_g34     c_43      1
    P_g34     c_44      1
    P_g34     c_53      1
    P_g34     c_54      1
    P_g34     p_P       1
    P_g35     c_35      1
    P_g35     c_44      1
    P_g35     c_45      1
    P_g35     c_54      1
    P_g35     c_55      1
    P_g35     p_P       1
    P_g36     c_36      1
    P_g36     c_45      1
    P_g36     c_46      1
    P_g36     c_55      1
    P_g36     c_56      1
    P_g36     p_P       1
    P_g42     c_42      1
    P_g42     c_51      1
    P_g42     c_52      1
    P_g42     c_61      1
    P_g42     c_62      1
    P_g42     p_P       1
    P_h00     c_00      1
    P_h00     c_10      1
    P_h00     c_11      1
    P_h00     c_20      1
    P_h00     c_21      1
    P_h00     p_P       1
    P_h02     c_02      1
    P_h02     c_12      1
    P_h02     c_13      1
    P_h02     c_22      1
    P_h02     c_23      1
    P_h02     p_P       1
    P_h03     c_03      1
    P_h03     c_13      1
    P_h03     c_14      1
    P_h03     c_23      1
    P_h03     c_24      1
    P_h03     p_P       1
    P_h04     c_04      1
    P_h04     c_14      1
    P_h04     c_15      1
    P_h04     c_24      1
    P_h04     c_25      1
    P_h04     p_P       1
    P_h10     c_10      1
    P_h10     c_20      1
    P_h10     c_21      1
    P_h10     c_30      1
    P_h10     c_31      1
    P_h10     p_P       1
    P_h11     c_11      1
    P_h11     c_21      1
    P_h11     c_22      1
    P_h11     c_31      1
    P_h11     c_32      1
    P_h11     p_P       1
    P_h12     c_12      1
    P_h12     c_22      1
    P_h12     c_23      1
    P_h12     c_32      1
    P_h12     c_33      1
    P_h12     p_P       1
    P_h13     c_13      1
    P_h13     c_23      1
    P_h13     c_24      1
    P_h13     c_33      1
    P_h13     c_34      1
    P_h13     p_P       1
    P_h14     c_14      1
    P_h14     c_24      1
    P_h14     c_25      1
    P_h14     c_34      1
    P_h14     c_35      1
    P_h14     p_P       1
    P_h15     c_15      1
    P_h15     c_25      1
    P_h15     c_26      1
    P_h15     c_35      1
    P_h15     c_36      1
    P_h15     p_P       1
    P_h20     c_20      1
    P_h20     c_30      1
    P_h20     c_31      1
    P_h20     c_40      1
    P_h20     c_41      1
    P_h20     p_P       1
    P_h21     c_21      1
    P_h21     c_31      1
    P_h21     c_32      1
    P_h21     c_41      1
    P_h21     c_42      1
    P_h21     p_P       1
    P_h22     c_22      1
    P_h22     c_32      1
    P_h22     c_33      1
    P_h22     c_42      1
    P_h22     c_43      1
    P_h22     p_P       1
    P_h23     c_23      1
    P_h23     c_33      1
    P_h23     c_34      1
    P_h23     c_43      1
    P_h23     c_44      1
    P_h23     p_P       1
    P_h24     c_24      1
    P_h24     c_34      1
    P_h24     c_35      1
    P_h24     c_44      1
    P_h24     c_45      1
    P_h24     p_P       1
    P_h25     c_25      1
    P_h25     c_35      1
    P_h25     c_36      1
    P_h25     c_45      1
    P_h25     c_46      1
    P_h25     p_P       1
    P_h30     c_30      1
    P_h30     c_40      1
    P_h30     c_41      1
    P_h30     c_50      1
    P_h30     c_51      1
    P_h30     p_P       1
    P_h31     c_31      1
    P_h31     c_41      1
    P_h31     c_42      1
    P_h31     c_51      1
    P_h31     c_52      1
    P_h31     p_P       1
    P_h32     c_32      1
    P_h32     c_42      1
    P_h32     c_43      1
    P_h32     c_52      1
    P_h32     c_53      1
    P_h32     p_P       1
    P_h33     c_33      1
    P_h33     c_43      1
    P_h33     c_44      1
    P_h33     c_53      1
    P_h33     c_54      1
    P_h33     p_P       1
    P_h34     c_34      1
    P_h34     c_44      1
    P_h34     c_45      1
    P_h34     c_54      1
    P_h34     c_55      1
    P_h34     p_P       1
    P_h35     c_35      1
    P_h35     c_45      1
    P_h35     c_46      1
    P_h35     c_55      1
    P_h35     c_56      1
    P_h35     p_P       1
    P_h41     c_41      1
    P_h41     c_51      1
    P_h41     c_52      1
    P_h41     c_61      1
    P_h41     c_62      1
    P_h41     p_P       1
    U_a02     c_02      1
    U_a02     c_03      1
    U_a02     c_04      1
    U_a02     c_12      1
    U_a02     c_14      1
    U_a02     p_U       1
    U_a03     c_03      1
    U_a03     c_04      1
    U_a03     c_05      1
    U_a03     c_13      1
    U_a03     c_15      1
    U_a03     p_U       1
    U_a10     c_10      1
    U_a10     c_11      1
    U_a10     c_12      1
    U_a10     c_20      1
    U_a10     c_22      1
    U_a10     p_U       1
    U_a11     c_11      1
    U_a11     c_12      1
    U_a11     c_13      1
    U_a11     c_21      1
    U_a11     c_23      1
    U_a11     p_U       1
    U_a12     c_12      1
    U_a12     c_13      1
    U_a12     c_14      1
    U_a12     c_22      1
    U_a12     c_24      1
    U_a12     p_U       1
    U_a13     c_13      1
    U_a13     c_14      1
    U_a13     c_15      1
    U_a13     c_23      1
    U_a13     c_25      1
    U_a13     p_U       1
    U_a20     c_20      1
    U_a20     c_21      1
    U_a20     c_22      1
    U_a20     c_30      1
    U_a20     c_32      1
    U_a20     p_U       1
    U_a21     c_21      1
    U_a21     c_22      1
    U_a21     c_23      1
    U_a21     c_31      1
    U_a21     c_33      1
    U_a21     p_U       1
    U_a22     c_22      1
    U_a22     c_23      1
    U_a22     c_24      1
    U_a22     c_32      1
    U_a22     c_34      1
    U_a22     p_U       1
    U_a23     c_23      1
    U_a23     c_24      1
    U_a23     c_25      1
    U_a23     c_33      1
    U_a23     c_35      1
    U_a23     p_U       1
    U_a24     c_24      1
    U_a24     c_25      1
    U_a24     c_26      1
    U_a24     c_34      1
    U_a24     c_36      1
    U_a24     p_U       1
    U_a30     c_30      1
    U_a30     c_31      1
    U_a30     c_32      1
    U_a30     c_40      1
    U_a30     c_42      1
    U_a30     p_U       1
    U_a31     c_31      1
    U_a31     c_32      1
    U_a31     c_33      1
    U_a31     c_41      1
    U_a31     c_43      1
    U_a31     p_U       1
    U_a32     c_32      1
    U_a32     c_33      1
    U_a32     c_34      1
    U_a32     c_42      1
    U_a32     c_44      1
    U_a32     p_U       1
    U_a33     c_33      1
    U_a33     c_34      1
    U_a33     c_35      1
    U_a33     c_43      1
    U_a33     c_45      1
    U_a33     p_U       1
    U_a34     c_34      1
    U_a34     c_35      1
    U_a34     c_36      1
    U_a34     c_44      1
    U_a34     c_46      1
    U_a34     p_U       1
    U_a40     c_40      1
    U_a40     c_41      1
    U_a40     c_42      1
    U_a40     c_50      1
    U_a40     c_52      1
    U_a40     p_U       1
    U_a41     c_41      1
    U_a41     c_42      1
    U_a41     c_43      1
    U_a41     c_51      1
    U_a41     c_53      1
    U_a41     p_U       1
    U_a42     c_42      1
    U_a42     c_43      1
    U_a42     c_44      1
    U_a42     c_52      1
    U_a42     c_54      1
    U_a42     p_U       1
    U_a43     c_43      1
    U_a43     c_44      1
    U_a43     c_45      1
    U_a43     c_53      1
    U_a43     c_55      1
    U_a43     p_U       1
    U_a44     c_44      1
    U_a44     c_45      1
    U_a44     c_46      1
    U_a44     c_54      1
    U_a44     c_56      1
    U_a44     p_U       1
    U_b02     c_02      1
    U_b02     c_03      1
    U_b02     c_12      1
    U_b02     c_22      1
    U_b02     c_23      1
    U_b02     p_U       1
    U_b03     c_03      1
    U_b03     c_04      1
    U_b03     c_13      1
    U_b03     c_23      1
    U_b03     c_24      1
    U_b03     p_U       1
    U_b04     c_04      1
    U_b04     c_05      1
    U_b04     c_14      1
    U_b04     c_24      1
    U_b04     c_25      1
    U_b04     p_U       1
    U_b10     c_10      1
    U_b10     c_11      1
    U_b10     c_20      1
    U_b10     c_30      1
    U_b10     c_31      1
    U_b10     p_U       1
    U_b11     c_11      1
    U_b11     c_12      1
    U_b11     c_21      1
    U_b11     c_31      1
    U_b11     c_32      1
    U_b11     p_U       1
    U_b12     c_12      1
    U_b12     c_13      1
    U_b12     c_22      1
    U_b12     c_32      1
    U_b12     c_33      1
    U_b12     p_U       1
    U_b13     c_13      1
    U_b13     c_14      1
    U_b13     c_23      1
    U_b13     c_33      1
    U_b13     c_34      1
    U_b13     p_U       1
    U_b14     c_14      1
    U_b14     c_15      1
    U_b14     c_24      1
    U_b14     c_34      1
    U_b14     c_35      1
    U_b14     p_U       1
    U_b20     c_20      1
    U_b20     c_21      1
    U_b20     c_30      1
    U_b20     c_40      1
    U_b20     c_41      1
    U_b20     p_U       1
    U_b21     c_21      1
    U_b21     c_22      1
    U_b21     c_31      1
    U_b21     c_41      1
    U_b21     c_42      1
    U_b21     p_U       1
    U_b22     c_22      1
    U_b22     c_23      1
    U_b22     c_32      1
    U_b22     c_42      1
    U_b22     c_43      1
    U_b22     p_U       1
    U_b23     c_23      1
    U_b23     c_24      1
    U_b23     c_33      1
    U_b23     c_43      1
    U_b23     c_44      1
    U_b23     p_U       1
    U_b24     c_24      1
    U_b24     c_25      1
    U_b24     c_34      1
    U_b24     c_44      1
    U_b24     c_45      1
    U_b24     p_U       1
    U_b25     c_25      1
    U_b25     c_26      1
    U_b25     c_35      1
    U_b25     c_45      1
    U_b25     c_46      1
    U_b25     p_U       1
    U_b30     c_30      1
    U_b30     c_31      1
    U_b30     c_40      1
    U_b30     c_50      1
    U_b30     c_51      1
    U_b30     p_U       1
    U_b31     c_31      1
    U_b31     c_32      1
    U_b31     c_41      1
    U_b31     c_51      1
    U_b31     c_52      1
    U_b31     p_U       1
    U_b32     c_32      1
    U_b32     c_33      1
    U_b32     c_42      1
    U_b32     c_52      1
    U_b32     c_53      1
    U_b32     p_U       1
    U_b33     c_33      1
    U_b33     c_34      1
    U_b33     c_43      1
    U_b33     c_53      1
    U_b33     c_54      1
    U_b33     p_U       1
    U_b34     c_34      1
    U_b34     c_35      1
    U_b34     c_44      1
    U_b34     c_54      1
    U_b34     c_55      1
    U_b34     p_U       1
    U_b35     c_35      1
    U_b35     c_36      1
    U_b35     c_45      1
    U_b35     c_55      1
    U_b35     c_56      1
    U_b35     p_U       1
    U_b41     c_41      1
    U_b41     c_42      1
    U_b41     c_51      1
    U_b41     c_61      1
    U_b41     c_62      1
    U_b41     p_U       1
    U_c02     c_02      1
    U_c02     c_03      1
    U_c02     c_13      1
    U_c02     c_22      1
    U_c02     c_23      1
    U_c02     p_U       1
    U_c03     c_03      1
    U_c03     c_04      1
    U_c03     c_14      1
    U_c03     c_23      1
    U_c03     c_24      1
    U_c03     p_U       1
    U_c04     c_04      1
    U_c04     c_05      1
    U_c04     c_15      1
    U_c04     c_24      1
    U_c04     c_25      1
    U_c04     p_U       1
    U_c10     c_10      1
    U_c10     c_11      1
    U_c10     c_21      1
    U_c10     c_30      1
    U_c10     c_31      1
    U_c10     p_U       1
    U_c11     c_11      1
    U_c11     c_12      1
    U_c11     c_22      1
    U_c11     c_31      1
    U_c11     c_32      1
    U_c11     p_U       1
    U_c12     c_12      1
    U_c12     c_13      1
    U_c12     c_23      1
    U_c12     c_32      1
    U_c12     c_33      1
    U_c12     p_U       1
    U_c13     c_13      1
    U_c13     c_14      1
    U_c13     c_24      1
    U_c13     c_33      1
    U_c13     c_34      1
    U_c13     p_U       1
    U_c14     c_14      1
    U_c14     c_15      1
    U_c14     c_25      1
    U_c14     c_34      1
    U_c14     c_35      1
    U_c14     p_U       1
    U_c20     c_20      1
    U_c20     c_21      1
    U_c20     c_31      1
    U_c20     c_40      1
    U_c20     c_41      1
    U_c20     p_U       1
    U_c21     c_21      1
    U_c21     c_22      1
    U_c21     c_32      1
    U_c21     c_41      1
    U_c21     c_42      1
    U_c21     p_U       1
    U_c22     c_22      1
    U_c22     c_23      1
    U_c22     c_33      1
    U_c22     c_42      1
    U_c22     c_43      1
    U_c22     p_U       1
    U_c23     c_23      1
    U_c23     c_24      1
    U_c23     c_34      1
    U_c23     c_43      1
    U_c23     c_44      1
    U_c23     p_U       1
    U_c24     c_24      1
    U_c24     c_25      1
    U_c24     c_35      1
    U_c24     c_44      1
    U_c24     c_45      1
    U_c24     p_U       1
    U_c25     c_25      1
    U_c25     c_26      1
    U_c25     c_36      1
    U_c25     c_45      1
    U_c25     c_46      1
    U_c25     p_U       1
    U_c30     c_30      1
    U_c30     c_31      1
    U_c30     c_41      1
    U_c30     c_50      1
    U_c30     c_51      1
    U_c30     p_U       1
    U_c31     c_31      1
    U_c31     c_32      1
    U_c31     c_42      1
    U_c31     c_51      1
    U_c31     c_52      1
    U_c31     p_U       1
    U_c32     c_32      1
    U_c32     c_33      1
    U_c32     c_43      1
    U_c32     c_52      1
    U_c32     c_53      1
    U_c32     p_U       1
    U_c33     c_33      1
    U_c33     c_34      1
    U_c33     c_44      1
    U_c33     c_53      1
    U_c33     c_54      1
    U_c33     p_U       1
    U_c34     c_34      1
    U_c34     c_35      1
    U_c34     c_45      1
    U_c34     c_54      1
    U_c34     c_55      1
    U_c34     p_U       1
    U_c35     c_35      1
    U_c35     c_36      1
    U_c35     c_46      1
    U_c35     c_55      1
    U_c35     c_56      1
    U_c35     p_U       1
    U_c41     c_41      1
    U_c41     c_42      1
    U_c41     c_52      1
    U_c41     c_61      1
    U_c41     c_62      1
    U_c41     p_U       1
    U_d00     c_00      1
    U_d00     c_02      1
    U_d00     c_10      1
    U_d00     c_11      1
    U_d00     c_12      1
    U_d00     p_U       1
    U_d02     c_02      1
    U_d02     c_04      1
    U_d02     c_12      1
    U_d02     c_13      1
    U_d02     c_14      1
    U_d02     p_U       1
    U_d03     c_03      1
    U_d03     c_05      1
    U_d03     c_13      1
    U_d03     c_14      1
    U_d03     c_15      1
    U_d03     p_U       1
    U_d10     c_10      1
    U_d10     c_12      1
    U_d10     c_20      1
    U_d10     c_21      1
    U_d10     c_22      1
    U_d10     p_U       1
    U_d11     c_11      1
    U_d11     c_13      1
    U_d11     c_21      1
    U_d11     c_22      1
    U_d11     c_23      1
    U_d11     p_U       1
    U_d12     c_12      1
    U_d12     c_14      1
    U_d12     c_22      1
    U_d12     c_23      1
    U_d12     c_24      1
    U_d12     p_U       1
    U_d13     c_13      1
    U_d13     c_15      1
    U_d13     c_23      1
    U_d13     c_24      1
    U_d13     c_25      1
    U_d13     p_U       1
    U_d20     c_20      1
    U_d20     c_22      1
    U_d20     c_30      1
    U_d20     c_31      1
    U_d20     c_32      1
    U_d20     p_U       1
    U_d21     c_21      1
    U_d21     c_23      1
    U_d21     c_31      1
    U_d21     c_32      1
    U_d21     c_33      1
    U_d21     p_U       1
    U_d22     c_22      1
    U_d22     c_24      1
    U_d22     c_32      1
    U_d22     c_33      1
    U_d22     c_34      1
    U_d22     p_U       1
    U_d23     c_23      1
    U_d23     c_25      1
    U_d23     c_33      1
    U_d23     c_34      1
    U_d23     c_35      1
    U_d23     p_U       1
    U_d24     c_24      1
    U_d24     c_26      1
    U_d24     c_34      1
    U_d24     c_35      1
    U_d24     c_36      1
    U_d24     p_U       1
    U_d30     c_30      1
    U_d30     c_32      1
    U_d30     c_40      1
    U_d30     c_41      1
    U_d30     c_42      1
    U_d30     p_U       1
    U_d31     c_31      1
    U_d31     c_33      1
    U_d31     c_41      1
    U_d31     c_42      1
    U_d31     c_43      1
    U_d31     p_U       1
    U_d32     c_32      1
    U_d32     c_34      1
    U_d32     c_42      1
    U_d32     c_43      1
    U_d32     c_44      1
    U_d32     p_U       1
    U_d33     c_33      1
    U_d33     c_35      1
    U_d33     c_43      1
    U_d33     c_44      1
    U_d33     c_45      1
    U_d33     p_U       1
    U_d34     c_34      1
    U_d34     c_36      1
    U_d34     c_44      1
    U_d34     c_45      1
    U_d34     c_46      1
    U_d34     p_U       1
    U_d40     c_40      1
    U_d40     c_42      1
    U_d40     c_50      1
    U_d40     c_51      1
    U_d40     c_52      1
    U_d40     p_U       1
    U_d41     c_41      1
    U_d41     c_43      1
    U_d41     c_51      1
    U_d41     c_52      1
    U_d41     c_53      1
    U_d41     p_U       1
    U_d42     c_42      1
    U_d42     c_44      1
    U_d42     c_52      1
    U_d42     c_53      1
    U_d42     c_54      1
    U_d42     p_U       1
    U_d43     c_43      1
    U_d43     c_45      1
    U_d43     c_53      1
    U_d43     c_54      1
    U_d43     c_55      1
    U_d43     p_U       1
    U_d44     c_44      1
    U_d44     c_46      1
    U_d44     c_54      1
    U_d44     c_55      1
    U_d44     c_56      1
    U_d44     p_U       1
    V_a02     c_02      1
    V_a02     c_03      1
    V_a02     c_04      1
    V_a02     c_12      1
    V_a02     c_22      1
    V_a02     p_V       1
    V_a03     c_03      1
    V_a03     c_04      1
    V_a03     c_05      1
    V_a03     c_13      1
    V_a03     c_23      1
    V_a03     p_V       1
    V_a10     c_10      1
    V_a10     c_11      1
    V_a10     c_12      1
    V_a10     c_20      1
    V_a10     c_30      1
    V_a10     p_V       1
    V_a11     c_11      1
    V_a11     c_12      1
    V_a11     c_13      1
    V_a11     c_21      1
    V_a11     c_31      1
    V_a11     p_V       1
    V_a12     c_12      1
    V_a12     c_13      1
    V_a12     c_14      1
    V_a12     c_22      1
    V_a12     c_32      1
    V_a12     p_V       1
    V_a13     c_13      1
    V_a13     c_14      1
    V_a13     c_15      1
    V_a13     c_23      1
    V_a13     c_33      1
    V_a13     p_V       1
    V_a20     c_20      1
    V_a20     c_21      1
    V_a20     c_22      1
    V_a20     c_30      1
    V_a20     c_40      1
    V_a20     p_V       1
    V_a21     c_21      1
    V_a21     c_22      1
    V_a21     c_23      1
    V_a21     c_31      1
    V_a21     c_41      1
    V_a21     p_V       1
    V_a22     c_22      1
    V_a22     c_23      1
    V_a22     c_24      1
    V_a22     c_32      1
    V_a22     c_42      1
    V_a22     p_V       1
    V_a23     c_23      1
    V_a23     c_24      1
    V_a23     c_25      1
    V_a23     c_33      1
    V_a23     c_43      1
    V_a23     p_V       1
    V_a24     c_24      1
    V_a24     c_25      1
    V_a24     c_26      1
    V_a24     c_34      1
    V_a24     c_44      1
    V_a24     p_V       1
    V_a30     c_30      1
    V_a30     c_31      1
    V_a30     c_32      1
    V_a30     c_40      1
    V_a30     c_50      1
    V_a30     p_V       1
    V_a31     c_31      1
    V_a31     c_32      1
    V_a31     c_33      1
    V_a31     c_41      1
    V_a31     c_51      1
    V_a31     p_V       1
    V_a32     c_32      1
    V_a32     c_33      1
    V_a32     c_34      1
    V_a32     c_42      1
    V_a32     c_52      1
    V_a32     p_V       1
    V_a33     c_33      1
    V_a33     c_34      1
    V_a33     c_35      1
    V_a33     c_43      1
    V_a33     c_53      1
    V_a33     p_V       1
    V_a34     c_34      1
    V_a34     c_35      1
    V_a34     c_36      1
    V_a34     c_44      1
    V_a34     c_54      1
    V_a34     p_V       1
    V_a41     c_41      1
    V_a41     c_42      1
    V_a41     c_43      1
    V_a41     c_51      1
    V_a41     c_61      1
    V_a41     p_V       1
    V_a42     c_42      1
    V_a42     c_43      1
    V_a42     c_44      1
    V_a42     c_52      1
    V_a42     c_62      1
    V_a42     p_V       1
    V_b02     c_02      1
    V_b02     c_03      1
    V_b02     c_04      1
    V_b02     c_14      1
    V_b02     c_24      1
    V_b02     p_V       1
    V_b03     c_03      1
    V_b03     c_04      1
    V_b03     c_05      1
    V_b03     c_15      1
    V_b03     c_25      1
    V_b03     p_V       1
    V_b10     c_10      1
    V_b10     c_11      1
    V_b10     c_12      1
    V_b10     c_22      1
    V_b10     c_32      1
    V_b10     p_V       1
    V_b11     c_11      1
    V_b11     c_12      1
    V_b11     c_13      1
    V_b11     c_23      1
    V_b11     c_33      1
    V_b11     p_V       1
    V_b12     c_12      1
    V_b12     c_13      1
    V_b12     c_14      1
    V_b12     c_24      1
    V_b12     c_34      1
    V_b12     p_V       1
    V_b13     c_13      1
    V_b13     c_14      1
    V_b13     c_15      1
    V_b13     c_25      1
    V_b13     c_35      1
    V_b13     p_V       1
    V_b20     c_20      1
    V_b20     c_21      1
    V_b20     c_22      1
    V_b20     c_32      1
    V_b20     c_42      1
    V_b20     p_V       1
    V_b21     c_21      1
    V_b21     c_22      1
    V_b21     c_23      1
    V_b21     c_33      1
    V_b21     c_43      1
    V_b21     p_V       1
    V_b22     c_22      1
    V_b22     c_23      1
    V_b22     c_24      1
    V_b22     c_34      1
    V_b22     c_44      1
    V_b22     p_V       1
    V_b23     c_23      1
    V_b23     c_24      1
    V_b23     c_25      1
    V_b23     c_35      1
    V_b23     c_45      1
    V_b23     p_V       1
    V_b24     c_24      1
    V_b24     c_25      1
    V_b24     c_26      1
    V_b24     c_36      1
    V_b24     c_46      1
    V_b24     p_V       1
    V_b30     c_30      1
    V_b30     c_31      1
    V_b30     c_32      1
    V_b30     c_42      1
    V_b30     c_52      1
    V_b30     p_V       1
    V_b31     c_31      1
    V_b31     c_32      1
    V_b31     c_33      1
    V_b31     c_43      1
    V_b31     c_53      1
    V_b31     p_V       1
    V_b32     c_32      1
    V_b32     c_33      1
    V_b32     c_34      1
    V_b32     c_44      1
    V_b32     c_54      1
    V_b32     p_V       1
    V_b33     c_33      1
    V_b33     c_34      1
    V_b33     c_35      1
    V_b33     c_45      1
    V_b33     c_55      1
    V_b33     p_V       1
    V_b34     c_34      1
    V_b34     c_35      1
    V_b34     c_36      1
    V_b34     c_46      1
    V_b34     c_56      1
    V_b34     p_V       1
    V_b40     c_40      1
    V_b40     c_41      1
    V_b40     c_42      1
    V_b40     c_52      1
    V_b40     c_62      1
    V_b40     p_V       1
    V_c02     c_02      1
    V_c02     c_12      1
    V_c02     c_20      1
    V_c02     c_21      1
    V_c02     c_22      1
    V_c02     p_V       1
    V_c03     c_03      1
    V_c03     c_13      1
    V_c03     c_21      1
    V_c03     c_22      1
    V_c03     c_23      1
    V_c03     p_V       1
    V_c04     c_04      1
    V_c04     c_14      1
    V_c04     c_22      1
    V_c04     c_23      1
    V_c04     c_24      1
    V_c04     p_V       1
    V_c05     c_05      1
    V_c05     c_15      1
    V_c05     c_23      1
    V_c05     c_24      1
    V_c05     c_25      1
    V_c05     p_V       1
    V_c12     c_12      1
    V_c12     c_22      1
    V_c12     c_30      1
    V_c12     c_31      1
    V_c12     c_32      1
    V_c12     p_V       1
    V_c13     c_13      1
    V_c13     c_23      1
    V_c13     c_31      1
    V_c13     c_32      1
    V_c13     c_33      1
    V_c13     p_V       1
    V_c14     c_14      1
    V_c14     c_24      1
    V_c14     c_32      1
    V_c14     c_33      1
    V_c14     c_34      1
    V_c14     p_V       1
    V_c15     c_15      1
    V_c15     c_25      1
    V_c15     c_33      1
    V_c15     c_34      1
    V_c15     c_35      1
    V_c15     p_V       1
    V_c22     c_22      1
    V_c22     c_32      1
    V_c22     c_40      1
    V_c22     c_41      1
    V_c22     c_42      1
    V_c22     p_V       1
    V_c23     c_23      1
    V_c23     c_33      1
    V_c23     c_41      1
    V_c23     c_42      1
    V_c23     c_43      1
    V_c23     p_V       1
    V_c24     c_24      1
    V_c24     c_34      1
    V_c24     c_42      1
    V_c24     c_43      1
    V_c24     c_44      1
    V_c24     p_V       1
    V_c25     c_25      1
    V_c25     c_35      1
    V_c25     c_43      1
    V_c25     c_44      1
    V_c25     c_45      1
    V_c25     p_V       1
    V_c26     c_26      1
    V_c26     c_36      1
    V_c26     c_44      1
    V_c26     c_45      1
    V_c26     c_46      1
    V_c26     p_V       1
    V_c32     c_32      1
    V_c32     c_42      1
    V_c32     c_50      1
    V_c32     c_51      1
    V_c32     c_52      1
    V_c32     p_V       1
    V_c33     c_33      1
    V_c33     c_43      1
    V_c33     c_51      1
    V_c33     c_52      1
    V_c33     c_53      1
    V_c33     p_V       1
    V_c34     c_34      1
    V_c34     c_44      1
    V_c34     c_52      1
    V_c34     c_53      1
    V_c34     c_54      1
    V_c34     p_V       1
    V_c35     c_35      1
    V_c35     c_45      1
    V_c35     c_53      1
    V_c35     c_54      1
    V_c35     c_55      1
    V_c35     p_V       1
    V_c36     c_36      1
    V_c36     c_46      1
    V_c36     c_54      1
    V_c36     c_55      1
    V_c36     c_56      1
    V_c36     p_V       1
    V_d00     c_00      1
    V_d00     c_10      1
    V_d00     c_20      1
    V_d00     c_21      1
    V_d00     c_22      1
    V_d00     p_V       1
    V_d02     c_02      1
    V_d02     c_12      1
    V_d02     c_22      1
    V_d02     c_23      1
    V_d02     c_24      1
    V_d02     p_V       1
    V_d03     c_03      1
    V_d03     c_13      1
    V_d03     c_23      1
    V_d03     c_24      1
    V_d03     c_25      1
    V_d03     p_V       1
    V_d04     c_04      1
    V_d04     c_14      1
    V_d04     c_24      1
    V_d04     c_25      1
    V_d04     c_26      1
    V_d04     p_V       1
    V_d10     c_10      1
    V_d10     c_20      1
    V_d10     c_30      1
    V_d10     c_31      1
    V_d10     c_32      1
    V_d10     p_V       1
    V_d11     c_11      1
    V_d11     c_21      1
    V_d11     c_31      1
    V_d11     c_32      1
    V_d11     c_33      1
    V_d11     p_V       1
    V_d12     c_12      1
    V_d12     c_22      1
    V_d12     c_32      1
    V_d12     c_33      1
    V_d12     c_34      1
    V_d12     p_V       1
    V_d13     c_13      1
    V_d13     c_23      1
    V_d13     c_33      1
    V_d13     c_34      1
    V_d13     c_35      1
    V_d13     p_V       1
    V_d14     c_14      1
    V_d14     c_24      1
    V_d14     c_34      1
    V_d14     c_35      1
    V_d14     c_36      1
    V_d14     p_V       1
    V_d20     c_20      1
    V_d20     c_30      1
    V_d20     c_40      1
    V_d20     c_41      1
    V_d20     c_42      1
    V_d20     p_V       1
    V_d21     c_21      1
    V_d21     c_31      1
    V_d21     c_41      1
    V_d21     c_42      1
    V_d21     c_43      1
    V_d21     p_V       1
    V_d22     c_22      1
    V_d22     c_32      1
    V_d22     c_42      1
    V_d22     c_43      1
    V_d22     c_44      1
    V_d22     p_V       1
    V_d23     c_23      1
    V_d23     c_33      1
    V_d23     c_43      1
    V_d23     c_44      1
    V_d23     c_45      1
    V_d23     p_V       1
    V_d24     c_24      1
    V_d24     c_34      1
    V_d24     c_44      1
    V_d24     c_45      1
    V_d24     c_46      1
    V_d24     p_V       1
    V_d30     c_30      1
    V_d30     c_40      1
    V_d30     c_50      1
    V_d30     c_51      1
    V_d30     c_52      1
    V_d30     p_V       1
    V_d31     c_31      1
    V_d31     c_41      1
    V_d31     c_51      1
    V_d31     c_52      1
    V_d31     c_53      1
    V_d31     p_V       1
    V_d32     c_32      1
    V_d32     c_42      1
    V_d32     c_52      1
    V_d32     c_53      1
    V_d32     c_54      1
    V_d32     p_V       1
    V_d33     c_33      1
    V_d33     c_43      1
    V_d33     c_53      1
    V_d33     c_54      1
    V_d33     c_55      1
    V_d33     p_V       1
    V_d34     c_34      1
    V_d34     c_44      1
    V_d34     c_54      1
    V_d34     c_55      1
    V_d34     c_56      1
    V_d34     p_V       1
    Y_a02     c_02      1
    Y_a02     c_03      1
    Y_a02     c_04      1
    Y_a02     c_05      1
    Y_a02     c_13      1
    Y_a02     p_Y       1
    Y_a10     c_10      1
    Y_a10     c_11      1
    Y_a10     c_12      1
    Y_a10     c_13      1
    Y_a10     c_21      1
    Y_a10     p_Y       1
    Y_a11     c_11      1
    Y_a11     c_12      1
    Y_a11     c_13      1
    Y_a11     c_14      1
    Y_a11     c_22      1
    Y_a11     p_Y       1
    Y_a12     c_12      1
    Y_a12     c_13      1
    Y_a12     c_14      1
    Y_a12     c_15      1
    Y_a12     c_23      1
    Y_a12     p_Y       1
    Y_a20     c_20      1
    Y_a20     c_21      1
    Y_a20     c_22      1
    Y_a20     c_23      1
    Y_a20     c_31      1
    Y_a20     p_Y       1
    Y_a21     c_21      1
    Y_a21     c_22      1
    Y_a21     c_23      1
    Y_a21     c_24      1
    Y_a21     c_32      1
    Y_a21     p_Y       1
    Y_a22     c_22      1
    Y_a22     c_23      1
    Y_a22     c_24      1
    Y_a22     c_25      1
    Y_a22     c_33      1
    Y_a22     p_Y       1
    Y_a23     c_23      1
    Y_a23     c_24      1
    Y_a23     c_25      1
    Y_a23     c_26      1
    Y_a23     c_34      1
    Y_a23     p_Y       1
    Y_a30     c_30      1
    Y_a30     c_31      1
    Y_a30     c_32      1
    Y_a30     c_33      1
    Y_a30     c_41      1
    Y_a30     p_Y       1
    Y_a31     c_31      1
    Y_a31     c_32      1
    Y_a31     c_33      1
    Y_a31     c_34      1
    Y_a31     c_42      1
    Y_a31     p_Y       1
    Y_a32     c_32      1
    Y_a32     c_33      1
    Y_a32     c_34      1
    Y_a32     c_35      1
    Y_a32     c_43      1
    Y_a32     p_Y       1
    Y_a33     c_33      1
    Y_a33     c_34      1
    Y_a33     c_35      1
    Y_a33     c_36      1
    Y_a33     c_44      1
    Y_a33     p_Y       1
    Y_a40     c_40      1
    Y_a40     c_41      1
    Y_a40     c_42      1
    Y_a40     c_43      1
    Y_a40     c_51      1
    Y_a40     p_Y       1
    Y_a41     c_41      1
    Y_a41     c_42      1
    Y_a41     c_43      1
    Y_a41     c_44      1
    Y_a41     c_52      1
    Y_a41     p_Y       1
    Y_a42     c_42      1
    Y_a42     c_43      1
    Y_a42     c_44      1
    Y_a42     c_45      1
    Y_a42     c_53      1
    Y_a42     p_Y       1
    Y_a43     c_43      1
    Y_a43     c_44      1
    Y_a43     c_45      1
    Y_a43     c_46      1
    Y_a43     c_54      1
    Y_a43     p_Y       1
    Y_a50     c_50      1
    Y_a50     c_51      1
    Y_a50     c_52      1
    Y_a50     c_53      1
    Y_a50     c_61      1
    Y_a50     p_Y       1
    Y_a51     c_51      1
    Y_a51     c_52      1
    Y_a51     c_53      1
    Y_a51     c_54      1
    Y_a51     c_62      1
    Y_a51     p_Y       1
    Y_b02     c_02      1
    Y_b02     c_03      1
    Y_b02     c_04      1
    Y_b02     c_05      1
    Y_b02     c_14      1
    Y_b02     p_Y       1
    Y_b10     c_10      1
    Y_b10     c_11      1
    Y_b10     c_12      1
    Y_b10     c_13      1
    Y_b10     c_22      1
    Y_b10     p_Y       1
    Y_b11     c_11      1
    Y_b11     c_12      1
    Y_b11     c_13      1
    Y_b11     c_14      1
    Y_b11     c_23      1
    Y_b11     p_Y       1
    Y_b12     c_12      1
    Y_b12     c_13      1
    Y_b12     c_14      1
    Y_b12     c_15      1
    Y_b12     c_24      1
    Y_b12     p_Y       1
    Y_b20     c_20      1
    Y_b20     c_21      1
    Y_b20     c_22      1
    Y_b20     c_23      1
    Y_b20     c_32      1
    Y_b20     p_Y       1
    Y_b21     c_21      1
    Y_b21     c_22      1
    Y_b21     c_23      1
    Y_b21     c_24      1
    Y_b21     c_33      1
    Y_b21     p_Y       1
    Y_b22     c_22      1
    Y_b22     c_23      1
    Y_b22     c_24      1
    Y_b22     c_25      1
    Y_b22     c_34      1
    Y_b22     p_Y       1
    Y_b23     c_23      1
    Y_b23     c_24      1
    Y_b23     c_25      1
    Y_b23     c_26      1
    Y_b23     c_35      1
    Y_b23     p_Y       1
    Y_b30     c_30      1
    Y_b30     c_31      1
    Y_b30     c_32      1
    Y_b30     c_33      1
    Y_b30     c_42      1
    Y_b30     p_Y       1
    Y_b31     c_31      1
    Y_b31     c_32      1
    Y_b31     c_33      1
    Y_b31     c_34      1
    Y_b31     c_43      1
    Y_b31     p_Y       1
    Y_b32     c_32      1
    Y_b32     c_33      1
    Y_b32     c_34      1
    Y_b32     c_35      1
    Y_b32     c_44      1
    Y_b32     p_Y       1
    Y_b33     c_33      1
    Y_b33     c_34      1
    Y_b33     c_35      1
    Y_b33     c_36      1
    Y_b33     c_45      1
    Y_b33     p_Y       1
    Y_b40     c_40      1
    Y_b40     c_41      1
    Y_b40     c_42      1
    Y_b40     c_43      1
    Y_b40     c_52      1
    Y_b40     p_Y       1
    Y_b41     c_41      1
    Y_b41     c_42      1
    Y_b41     c_43      1
    Y_b41     c_44      1
    Y_b41     c_53      1
    Y_b41     p_Y       1
    Y_b42     c_42      1
    Y_b42     c_43      1
    Y_b42     c_44      1
    Y_b42     c_45      1
    Y_b42     c_54      1
    Y_b42     p_Y       1
    Y_b43     c_43      1
    Y_b43     c_44      1
    Y_b43     c_45      1
    Y_b43     c_46      1
    Y_b43     c_55      1
    Y_b43     p_Y       1
    Y_b50     c_50      1
    Y_b50     c_51      1
    Y_b50     c_52      1
    Y_b50     c_53      1
    Y_b50     c_62      1
    Y_b50     p_Y       1
    Y_c02     c_02      1
    Y_c02     c_10      1
    Y_c02     c_11      1
    Y_c02     c_12      1
    Y_c02     c_13      1
    Y_c02     p_Y       1
    Y_c03     c_03      1
    Y_c03     c_11      1
    Y_c03     c_12      1
    Y_c03     c_13      1
    Y_c03     c_14      1
    Y_c03     p_Y       1
    Y_c04     c_04      1
    Y_c04     c_12      1
    Y_c04     c_13      1
    Y_c04     c_14      1
    Y_c04     c_15      1
    Y_c04     p_Y       1
    Y_c12     c_12      1
    Y_c12     c_20      1
    Y_c12     c_21      1
    Y_c12     c_22      1
    Y_c12     c_23      1
    Y_c12     p_Y       1
    Y_c13     c_13      1
    Y_c13     c_21      1
    Y_c13     c_22      1
    Y_c13     c_23      1
    Y_c13     c_24      1
    Y_c13     p_Y       1
    Y_c14     c_14      1
    Y_c14     c_22      1
    Y_c14     c_23      1
    Y_c14     c_24      1
    Y_c14     c_25      1
    Y_c14     p_Y       1
    Y_c15     c_15      1
    Y_c15     c_23      1
    Y_c15     c_24      1
    Y_c15     c_25      1
    Y_c15     c_26      1
    Y_c15     p_Y       1
    Y_c22     c_22      1
    Y_c22     c_30      1
    Y_c22     c_31      1
    Y_c22     c_32      1
    Y_c22     c_33      1
    Y_c22     p_Y       1
    Y_c23     c_23      1
    Y_c23     c_31      1
    Y_c23     c_32      1
    Y_c23     c_33      1
    Y_c23     c_34      1
    Y_c23     p_Y       1
    Y_c24     c_24      1
    Y_c24     c_32      1
    Y_c24     c_33      1
    Y_c24     c_34      1
    Y_c24     c_35      1
    Y_c24     p_Y       1
    Y_c25     c_25      1
    Y_c25     c_33      1
    Y_c25     c_34      1
    Y_c25     c_35      1
    Y_c25     c_36      1
    Y_c25     p_Y       1
    Y_c32     c_32      1
    Y_c32     c_40      1
    Y_c32     c_41      1
    Y_c32     c_42      1
    Y_c32     c_43      1
    Y_c32     p_Y       1
    Y_c33     c_33      1
    Y_c33     c_41      1
    Y_c33     c_42      1
    Y_c33     c_43      1
    Y_c33     c_44      1
    Y_c33     p_Y       1
    Y_c34     c_34      1
    Y_c34     c_42      1
    Y_c34     c_43      1
    Y_c34     c_44      1
    Y_c34     c_45      1
    Y_c34     p_Y       1
    Y_c35     c_35      1
    Y_c35     c_43      1
    Y_c35     c_44      1
    Y_c35     c_45      1
    Y_c35     c_46      1
    Y_c35     p_Y       1
    Y_c42     c_42      1
    Y_c42     c_50      1
    Y_c42     c_51      1
    Y_c42     c_52      1
    Y_c42     c_53      1
    Y_c42     p_Y       1
    Y_c43     c_43      1
    Y_c43     c_51      1
    Y_c43     c_52      1
    Y_c43     c_53      1
    Y_c43     c_54      1
    Y_c43     p_Y       1
    Y_c44     c_44      1
    Y_c44     c_52      1
    Y_c44     c_53      1
    Y_c44     c_54      1
    Y_c44     c_55      1
    Y_c44     p_Y       1
    Y_c45     c_45      1
    Y_c45     c_53      1
    Y_c45     c_54      1
    Y_c45     c_55      1
    Y_c45     c_56      1
    Y_c45     p_Y       1
    Y_d02     c_02      1
    Y_d02     c_11      1
    Y_d02     c_12      1
    Y_d02     c_13      1
    Y_d02     c_14      1
    Y_d02     p_Y       1
    Y_d03     c_03      1
    Y_d03     c_12      1
    Y_d03     c_13      1
    Y_d03     c_14      1
    Y_d03     c_15      1
    Y_d03     p_Y       1
    Y_d11     c_11      1
    Y_d11     c_20      1
    Y_d11     c_21      1
    Y_d11     c_22      1
    Y_d11     c_23      1
    Y_d11     p_Y       1
    Y_d12     c_12      1
    Y_d12     c_21      1
    Y_d12     c_22      1
    Y_d12     c_23      1
    Y_d12     c_24      1
    Y_d12     p_Y       1
    Y_d13     c_13      1
    Y_d13     c_22      1
    Y_d13     c_23      1
    Y_d13     c_24      1
    Y_d13     c_25      1
    Y_d13     p_Y       1
    Y_d14     c_14      1
    Y_d14     c_23      1
    Y_d14     c_24      1
    Y_d14     c_25      1
    Y_d14     c_26      1
    Y_d14     p_Y       1
    Y_d21     c_21      1
    Y_d21     c_30      1
    Y_d21     c_31      1
    Y_d21     c_32      1
    Y_d21     c_33      1
    Y_d21     p_Y       1
    Y_d22     c_22      1
    Y_d22     c_31      1
    Y_d22     c_32      1
    Y_d22     c_33      1
    Y_d22     c_34      1
    Y_d22     p_Y       1
    Y_d23     c_23      1
    Y_d23     c_32      1
    Y_d23     c_33      1
    Y_d23     c_34      1
    Y_d23     c_35      1
    Y_d23     p_Y       1
    Y_d24     c_24      1
    Y_d24     c_33      1
    Y_d24     c_34      1
    Y_d24     c_35      1
    Y_d24     c_36      1
    Y_d24     p_Y       1
    Y_d31     c_31      1
    Y_d31     c_40      1
    Y_d31     c_41      1
    Y_d31     c_42      1
    Y_d31     c_43      1
    Y_d31     p_Y       1
    Y_d32     c_32      1
    Y_d32     c_41      1
    Y_d32     c_42      1
    Y_d32     c_43      1
    Y_d32     c_44      1
    Y_d32     p_Y       1
    Y_d33     c_33      1
    Y_d33     c_42      1
    Y_d33     c_43      1
    Y_d33     c_44      1
    Y_d33     c_45      1
    Y_d33     p_Y       1
    Y_d34     c_34      1
    Y_d34     c_43      1
    Y_d34     c_44      1
    Y_d34     c_45      1
    Y_d34     c_46      1
    Y_d34     p_Y       1
    Y_d41     c_41      1
    Y_d41     c_50      1
    Y_d41     c_51      1
    Y_d41     c_52      1
    Y_d41     c_53      1
    Y_d41     p_Y       1
    Y_d42     c_42      1
    Y_d42     c_51      1
    Y_d42     c_52      1
    Y_d42     c_53      1
    Y_d42     c_54      1
    Y_d42     p_Y       1
    Y_d43     c_43      1
    Y_d43     c_52      1
    Y_d43     c_53      1
    Y_d43     c_54      1
    Y_d43     c_55      1
    Y_d43     p_Y       1
    Y_d44     c_44      1
    Y_d44     c_53      1
    Y_d44     c_54      1
    Y_d44     c_55      1
    Y_d44     c_56      1
    Y_d44     p_Y       1
    Y_e02     c_02      1
    Y_e02     c_11      1
    Y_e02     c_12      1
    Y_e02     c_22      1
    Y_e02     c_32      1
    Y_e02     p_Y       1
    Y_e03     c_03      1
    Y_e03     c_12      1
    Y_e03     c_13      1
    Y_e03     c_23      1
    Y_e03     c_33      1
    Y_e03     p_Y       1
    Y_e04     c_04      1
    Y_e04     c_13      1
    Y_e04     c_14      1
    Y_e04     c_24      1
    Y_e04     c_34      1
    Y_e04     p_Y       1
    Y_e05     c_05      1
    Y_e05     c_14      1
    Y_e05     c_15      1
    Y_e05     c_25      1
    Y_e05     c_35      1
    Y_e05     p_Y       1
    Y_e11     c_11      1
    Y_e11     c_20      1
    Y_e11     c_21      1
    Y_e11     c_31      1
    Y_e11     c_41      1
    Y_e11     p_Y       1
    Y_e12     c_12      1
    Y_e12     c_21      1
    Y_e12     c_22      1
    Y_e12     c_32      1
    Y_e12     c_42      1
    Y_e12     p_Y       1
    Y_e13     c_13      1
    Y_e13     c_22      1
    Y_e13     c_23      1
    Y_e13     c_33      1
    Y_e13     c_43      1
    Y_e13     p_Y       1
    Y_e14     c_14      1
    Y_e14     c_23      1
    Y_e14     c_24      1
    Y_e14     c_34      1
    Y_e14     c_44      1
    Y_e14     p_Y       1
    Y_e15     c_15      1
    Y_e15     c_24      1
    Y_e15     c_25      1
    Y_e15     c_35      1
    Y_e15     c_45      1
    Y_e15     p_Y       1
    Y_e21     c_21      1
    Y_e21     c_30      1
    Y_e21     c_31      1
    Y_e21     c_41      1
    Y_e21     c_51      1
    Y_e21     p_Y       1
    Y_e22     c_22      1
    Y_e22     c_31      1
    Y_e22     c_32      1
    Y_e22     c_42      1
    Y_e22     c_52      1
    Y_e22     p_Y       1
    Y_e23     c_23      1
    Y_e23     c_32      1
    Y_e23     c_33      1
    Y_e23     c_43      1
    Y_e23     c_53      1
    Y_e23     p_Y       1
    Y_e24     c_24      1
    Y_e24     c_33      1
    Y_e24     c_34      1
    Y_e24     c_44      1
    Y_e24     c_54      1
    Y_e24     p_Y       1
    Y_e25     c_25      1
    Y_e25     c_34      1
    Y_e25     c_35      1
    Y_e25     c_45      1
    Y_e25     c_55      1
    Y_e25     p_Y       1
    Y_e26     c_26      1
    Y_e26     c_35      1
    Y_e26     c_36      1
    Y_e26     c_46      1
    Y_e26     c_56      1
    Y_e26     p_Y       1
    Y_e31     c_31      1
    Y_e31     c_40      1
    Y_e31     c_41      1
    Y_e31     c_51      1
    Y_e31     c_61      1
    Y_e31     p_Y       1
    Y_e32     c_32      1
    Y_e32     c_41      1
    Y_e32     c_42      1
    Y_e32     c_52      1
    Y_e32     c_62      1
    Y_e32     p_Y       1
    Y_f00     c_00      1
    Y_f00     c_10      1
    Y_f00     c_11      1
    Y_f00     c_20      1
    Y_f00     c_30      1
    Y_f00     p_Y       1
    Y_f02     c_02      1
    Y_f02     c_12      1
    Y_f02     c_13      1
    Y_f02     c_22      1
    Y_f02     c_32      1
    Y_f02     p_Y       1
    Y_f03     c_03      1
    Y_f03     c_13      1
    Y_f03     c_14      1
    Y_f03     c_23      1
    Y_f03     c_33      1
    Y_f03     p_Y       1
    Y_f04     c_04      1
    Y_f04     c_14      1
    Y_f04     c_15      1
    Y_f04     c_24      1
    Y_f04     c_34      1
    Y_f04     p_Y       1
    Y_f10     c_10      1
    Y_f10     c_20      1
    Y_f10     c_21      1
    Y_f10     c_30      1
    Y_f10     c_40      1
    Y_f10     p_Y       1
    Y_f11     c_11      1
    Y_f11     c_21      1
    Y_f11     c_22      1
    Y_f11     c_31      1
    Y_f11     c_41      1
    Y_f11     p_Y       1
    Y_f12     c_12      1
    Y_f12     c_22      1
    Y_f12     c_23      1
    Y_f12     c_32      1
    Y_f12     c_42      1
    Y_f12     p_Y       1
    Y_f13     c_13      1
    Y_f13     c_23      1
    Y_f13     c_24      1
    Y_f13     c_33      1
    Y_f13     c_43      1
    Y_f13     p_Y       1
    Y_f14     c_14      1
    Y_f14     c_24      1
    Y_f14     c_25      1
    Y_f14     c_34      1
    Y_f14     c_44      1
    Y_f14     p_Y       1
    Y_f15     c_15      1
    Y_f15     c_25      1
    Y_f15     c_26      1
    Y_f15     c_35      1
    Y_f15     c_45      1
    Y_f15     p_Y       1
    Y_f20     c_20      1
    Y_f20     c_30      1
    Y_f20     c_31      1
    Y_f20     c_40      1
    Y_f20     c_50      1
    Y_f20     p_Y       1
    Y_f21     c_21      1
    Y_f21     c_31      1
    Y_f21     c_32      1
    Y_f21     c_41      1
    Y_f21     c_51      1
    Y_f21     p_Y       1
    Y_f22     c_22      1
    Y_f22     c_32      1
    Y_f22     c_33      1
    Y_f22     c_42      1
    Y_f22     c_52      1
    Y_f22     p_Y       1
    Y_f23     c_23      1
    Y_f23     c_33      1
    Y_f23     c_34      1
    Y_f23     c_43      1
    Y_f23     c_53      1
    Y_f23     p_Y       1
    Y_f24     c_24      1
    Y_f24     c_34      1
    Y_f24     c_35      1
    Y_f24     c_44      1
    Y_f24     c_54      1
    Y_f24     p_Y       1
    Y_f25     c_25      1
    Y_f25     c_35      1
    Y_f25     c_36      1
    Y_f25     c_45      1
    Y_f25     c_55      1
    Y_f25     p_Y       1
    Y_f31     c_31      1
    Y_f31     c_41      1
    Y_f31     c_42      1
    Y_f31     c_51      1
    Y_f31     c_61      1
    Y_f31     p_Y       1
    Y_f32     c_32      1
    Y_f32     c_42      1
    Y_f32     c_43      1
    Y_f32     c_52      1
    Y_f32     c_62      1
    Y_f32     p_Y       1
    Y_g02     c_02      1
    Y_g02     c_12      1
    Y_g02     c_21      1
    Y_g02     c_22      1
    Y_g02     c_32      1
    Y_g02     p_Y       1
    Y_g03     c_03      1
    Y_g03     c_13      1
    Y_g03     c_22      1
    Y_g03     c_23      1
    Y_g03     c_33      1
    Y_g03     p_Y       1
    Y_g04     c_04      1
    Y_g04     c_14      1
    Y_g04     c_23      1
    Y_g04     c_24      1
    Y_g04     c_34      1
    Y_g04     p_Y       1
    Y_g05     c_05      1
    Y_g05     c_15      1
    Y_g05     c_24      1
    Y_g05     c_25      1
    Y_g05     c_35      1
    Y_g05     p_Y       1
    Y_g11     c_11      1
    Y_g11     c_21      1
    Y_g11     c_30      1
    Y_g11     c_31      1
    Y_g11     c_41      1
    Y_g11     p_Y       1
    Y_g12     c_12      1
    Y_g12     c_22      1
    Y_g12     c_31      1
    Y_g12     c_32      1
    Y_g12     c_42      1
    Y_g12     p_Y       1
    Y_g13     c_13      1
    Y_g13     c_23      1
    Y_g13     c_32      1
    Y_g13     c_33      1
    Y_g13     c_43      1
    Y_g13     p_Y       1
    Y_g14     c_14      1
    Y_g14     c_24      1
    Y_g14     c_33      1
    Y_g14     c_34      1
    Y_g14     c_44      1
    Y_g14     p_Y       1
    Y_g15     c_15      1
    Y_g15     c_25      1
    Y_g15     c_34      1
    Y_g15     c_35      1
    Y_g15     c_45      1
    Y_g15     p_Y       1
    Y_g21     c_21      1
    Y_g21     c_31      1
    Y_g21     c_40      1
    Y_g21     c_41      1
    Y_g21     c_51      1
    Y_g21     p_Y       1
    Y_g22     c_22      1
    Y_g22     c_32      1
    Y_g22     c_41      1
    Y_g22     c_42      1
    Y_g22     c_52      1
    Y_g22     p_Y       1
    Y_g23     c_23      1
    Y_g23     c_33      1
    Y_g23     c_42      1
    Y_g23     c_43      1
    Y_g23     c_53      1
    Y_g23     p_Y       1
    Y_g24     c_24      1
    Y_g24     c_34      1
    Y_g24     c_43      1
    Y_g24     c_44      1
    Y_g24     c_54      1
    Y_g24     p_Y       1
    Y_g25     c_25      1
    Y_g25     c_35      1
    Y_g25     c_44      1
    Y_g25     c_45      1
    Y_g25     c_55      1
    Y_g25     p_Y       1
    Y_g26     c_26      1
    Y_g26     c_36      1
    Y_g26     c_45      1
    Y_g26     c_46      1
    Y_g26     c_56      1
    Y_g26     p_Y       1
    Y_g31     c_31      1
    Y_g31     c_41      1
    Y_g31     c_50      1
    Y_g31     c_51      1
    Y_g31     c_61      1
    Y_g31     p_Y       1
    Y_g32     c_32      1
    Y_g32     c_42      1
    Y_g32     c_51      1
    Y_g32     c_52      1
    Y_g32     c_62      1
    Y_g32     p_Y       1
    Y_h00     c_00      1
    Y_h00     c_10      1
    Y_h00     c_20      1
    Y_h00     c_21      1
    Y_h00     c_30      1
    Y_h00     p_Y       1
    Y_h02     c_02      1
    Y_h02     c_12      1
    Y_h02     c_22      1
    Y_h02     c_23      1
    Y_h02     c_32      1
    Y_h02     p_Y       1
    Y_h03     c_03      1
    Y_h03     c_13      1
    Y_h03     c_23      1
    Y_h03     c_24      1
    Y_h03     c_33      1
    Y_h03     p_Y       1
    Y_h04     c_04      1
    Y_h04     c_14      1
    Y_h04     c_24      1
    Y_h04     c_25      1
    Y_h04     c_34      1
    Y_h04     p_Y       1
    Y_h05     c_05      1
    Y_h05     c_15      1
    Y_h05     c_25      1
    Y_h05     c_26      1
    Y_h05     c_35      1
    Y_h05     p_Y       1
    Y_h10     c_10      1
    Y_h10     c_20      1
    Y_h10     c_30      1
    Y_h10     c_31      1
    Y_h10     c_40      1
    Y_h10     p_Y       1
    Y_h11     c_11      1
    Y_h11     c_21      1
    Y_h11     c_31      1
    Y_h11     c_32      1
    Y_h11     c_41      1
    Y_h11     p_Y       1
    Y_h12     c_12      1
    Y_h12     c_22      1
    Y_h12     c_32      1
    Y_h12     c_33      1
    Y_h12     c_42      1
    Y_h12     p_Y       1
    Y_h13     c_13      1
    Y_h13     c_23      1
    Y_h13     c_33      1
    Y_h13     c_34      1
    Y_h13     c_43      1
    Y_h13     p_Y       1
    Y_h14     c_14      1
    Y_h14     c_24      1
    Y_h14     c_34      1
    Y_h14     c_35      1
    Y_h14     c_44      1
    Y_h14     p_Y       1
    Y_h15     c_15      1
    Y_h15     c_25      1
    Y_h15     c_35      1
    Y_h15     c_36      1
    Y_h15     c_45      1
    Y_h15     p_Y       1
    Y_h20     c_20      1
    Y_h20     c_30      1
    Y_h20     c_40      1
    Y_h20     c_41      1
    Y_h20     c_50      1
    Y_h20     p_Y       1
    Y_h21     c_21      1
    Y_h21     c_31      1
    Y_h21     c_41      1
    Y_h21     c_42      1
    Y_h21     c_51      1
    Y_h21     p_Y       1
    Y_h22     c_22      1
    Y_h22     c_32      1
    Y_h22     c_42      1
    Y_h22     c_43      1
    Y_h22     c_52      1
    Y_h22     p_Y       1
    Y_h23     c_23      1
    Y_h23     c_33      1
    Y_h23     c_43      1
    Y_h23     c_44      1
    Y_h23     c_53      1
    Y_h23     p_Y       1
    Y_h24     c_24      1
    Y_h24     c_34      1
    Y_h24     c_44      1
    Y_h24     c_45      1
    Y_h24     c_54      1
    Y_h24     p_Y       1
    Y_h25     c_25      1
    Y_h25     c_35      1
    Y_h25     c_45      1
    Y_h25     c_46      1
    Y_h25     c_55      1
    Y_h25     p_Y       1
    Y_h31     c_31      1
    Y_h31     c_41      1
    Y_h31     c_51      1
    Y_h31     c_52      1
    Y_h31     c_61      1
    Y_h31     p_Y       1
    Y_h32     c_32      1
    Y_h32     c_42      1
    Y_h32     c_52      1
    Y_h32     c_53      1
    Y_h32     c_62      1
    Y_h32     p_Y       1
    Z_a02     c_02      1
    Z_a02     c_03      1
    Z_a02     c_12      1
    Z_a02     c_21      1
    Z_a02     c_22      1
    Z_a02     p_Z       1
    Z_a03     c_03      1
    Z_a03     c_04      1
    Z_a03     c_13      1
    Z_a03     c_22      1
    Z_a03     c_23      1
    Z_a03     p_Z       1
    Z_a04     c_04      1
    Z_a04     c_05      1
    Z_a04     c_14      1
    Z_a04     c_23      1
    Z_a04     c_24      1
    Z_a04     p_Z       1
    Z_a11     c_11      1
    Z_a11     c_12      1
    Z_a11     c_21      1
    Z_a11     c_30      1
    Z_a11     c_31      1
    Z_a11     p_Z       1
    Z_a12     c_12      1
    Z_a12     c_13      1
    Z_a12     c_22      1
    Z_a12     c_31      1
    Z_a12     c_32      1
    Z_a12     p_Z       1
    Z_a13     c_13      1
    Z_a13     c_14      1
    Z_a13     c_23      1
    Z_a13     c_32      1
    Z_a13     c_33      1
    Z_a13     p_Z       1
    Z_a14     c_14      1
    Z_a14     c_15      1
    Z_a14     c_24      1
    Z_a14     c_33      1
    Z_a14     c_34      1
    Z_a14     p_Z       1
    Z_a21     c_21      1
    Z_a21     c_22      1
    Z_a21     c_31      1
    Z_a21     c_40      1
    Z_a21     c_41      1
    Z_a21     p_Z       1
    Z_a22     c_22      1
    Z_a22     c_23      1
    Z_a22     c_32      1
    Z_a22     c_41      1
    Z_a22     c_42      1
    Z_a22     p_Z       1
    Z_a23     c_23      1
    Z_a23     c_24      1
    Z_a23     c_33      1
    Z_a23     c_42      1
    Z_a23     c_43      1
    Z_a23     p_Z       1
    Z_a24     c_24      1
    Z_a24     c_25      1
    Z_a24     c_34      1
    Z_a24     c_43      1
    Z_a24     c_44      1
    Z_a24     p_Z       1
    Z_a25     c_25      1
    Z_a25     c_26      1
    Z_a25     c_35      1
    Z_a25     c_44      1
    Z_a25     c_45      1
    Z_a25     p_Z       1
    Z_a31     c_31      1
    Z_a31     c_32      1
    Z_a31     c_41      1
    Z_a31     c_50      1
    Z_a31     c_51      1
    Z_a31     p_Z       1
    Z_a32     c_32      1
    Z_a32     c_33      1
    Z_a32     c_42      1
    Z_a32     c_51      1
    Z_a32     c_52      1
    Z_a32     p_Z       1
    Z_a33     c_33      1
    Z_a33     c_34      1
    Z_a33     c_43      1
    Z_a33     c_52      1
    Z_a33     c_53      1
    Z_a33     p_Z       1
    Z_a34     c_34      1
    Z_a34     c_35      1
    Z_a34     c_44      1
    Z_a34     c_53      1
    Z_a34     c_54      1
    Z_a34     p_Z       1
    Z_a35     c_35      1
    Z_a35     c_36      1
    Z_a35     c_45      1
    Z_a35     c_54      1
    Z_a35     c_55      1
    Z_a35     p_Z       1
    Z_a42     c_42      1
    Z_a42     c_43      1
    Z_a42     c_52      1
    Z_a42     c_61      1
    Z_a42     c_62      1
    Z_a42     p_Z       1
    Z_b02     c_02      1
    Z_b02     c_03      1
    Z_b02     c_13      1
    Z_b02     c_23      1
    Z_b02     c_24      1
    Z_b02     p_Z       1
    Z_b03     c_03      1
    Z_b03     c_04      1
    Z_b03     c_14      1
    Z_b03     c_24      1
    Z_b03     c_25      1
    Z_b03     p_Z       1
    Z_b04     c_04      1
    Z_b04     c_05      1
    Z_b04     c_15      1
    Z_b04     c_25      1
    Z_b04     c_26      1
    Z_b04     p_Z       1
    Z_b10     c_10      1
    Z_b10     c_11      1
    Z_b10     c_21      1
    Z_b10     c_31      1
    Z_b10     c_32      1
    Z_b10     p_Z       1
    Z_b11     c_11      1
    Z_b11     c_12      1
    Z_b11     c_22      1
    Z_b11     c_32      1
    Z_b11     c_33      1
    Z_b11     p_Z       1
    Z_b12     c_12      1
    Z_b12     c_13      1
    Z_b12     c_23      1
    Z_b12     c_33      1
    Z_b12     c_34      1
    Z_b12     p_Z       1
    Z_b13     c_13      1
    Z_b13     c_14      1
    Z_b13     c_24      1
    Z_b13     c_34      1
    Z_b13     c_35      1
    Z_b13     p_Z       1
    Z_b14     c_14      1
    Z_b14     c_15      1
    Z_b14     c_25      1
    Z_b14     c_35      1
    Z_b14     c_36      1
    Z_b14     p_Z       1
    Z_b20     c_20      1
    Z_b20     c_21      1
    Z_b20     c_31      1
    Z_b20     c_41      1
    Z_b20     c_42      1
    Z_b20     p_Z       1
    Z_b21     c_21      1
    Z_b21     c_22      1
    Z_b21     c_32      1
    Z_b21     c_42      1
    Z_b21     c_43      1
    Z_b21     p_Z       1
    Z_b22     c_22      1
    Z_b22     c_23      1
    Z_b22     c_33      1
    Z_b22     c_43      1
    Z_b22     c_44      1
    Z_b22     p_Z       1
    Z_b23     c_23      1
    Z_b23     c_24      1
    Z_b23     c_34      1
    Z_b23     c_44      1
    Z_b23     c_45      1
    Z_b23     p_Z       1
    Z_b24     c_24      1
    Z_b24     c_25      1
    Z_b24     c_35      1
    Z_b24     c_45      1
    Z_b24     c_46      1
    Z_b24     p_Z       1
    Z_b30     c_30      1
    Z_b30     c_31      1
    Z_b30     c_41      1
    Z_b30     c_51      1
    Z_b30     c_52      1
    Z_b30     p_Z       1
    Z_b31     c_31      1
    Z_b31     c_32      1
    Z_b31     c_42      1
    Z_b31     c_52      1
    Z_b31     c_53      1
    Z_b31     p_Z       1
    Z_b32     c_32      1
    Z_b32     c_33      1
    Z_b32     c_43      1
    Z_b32     c_53      1
    Z_b32     c_54      1
    Z_b32     p_Z       1
    Z_b33     c_33      1
    Z_b33     c_34      1
    Z_b33     c_44      1
    Z_b33     c_54      1
    Z_b33     c_55      1
    Z_b33     p_Z       1
    Z_b34     c_34      1
    Z_b34     c_35      1
    Z_b34     c_45      1
    Z_b34     c_55      1
    Z_b34     c_56      1
    Z_b34     p_Z       1
    Z_b40     c_40      1
    Z_b40     c_41      1
    Z_b40     c_51      1
    Z_b40     c_61      1
    Z_b40     c_62      1
    Z_b40     p_Z       1
    Z_c02     c_02      1
    Z_c02     c_10      1
    Z_c02     c_11      1
    Z_c02     c_12      1
    Z_c02     c_20      1
    Z_c02     p_Z       1
    Z_c03     c_03      1
    Z_c03     c_11      1
    Z_c03     c_12      1
    Z_c03     c_13      1
    Z_c03     c_21      1
    Z_c03     p_Z       1
    Z_c04     c_04      1
    Z_c04     c_12      1
    Z_c04     c_13      1
    Z_c04     c_14      1
    Z_c04     c_22      1
    Z_c04     p_Z       1
    Z_c05     c_05      1
    Z_c05     c_13      1
    Z_c05     c_14      1
    Z_c05     c_15      1
    Z_c05     c_23      1
    Z_c05     p_Z       1
    Z_c12     c_12      1
    Z_c12     c_20      1
    Z_c12     c_21      1
    Z_c12     c_22      1
    Z_c12     c_30      1
    Z_c12     p_Z       1
    Z_c13     c_13      1
    Z_c13     c_21      1
    Z_c13     c_22      1
    Z_c13     c_23      1
    Z_c13     c_31      1
    Z_c13     p_Z       1
    Z_c14     c_14      1
    Z_c14     c_22      1
    Z_c14     c_23      1
    Z_c14     c_24      1
    Z_c14     c_32      1
    Z_c14     p_Z       1
    Z_c15     c_15      1
    Z_c15     c_23      1
    Z_c15     c_24      1
    Z_c15     c_25      1
    Z_c15     c_33      1
    Z_c15     p_Z       1
    Z_c22     c_22      1
    Z_c22     c_30      1
    Z_c22     c_31      1
    Z_c22     c_32      1
    Z_c22     c_40      1
    Z_c22     p_Z       1
    Z_c23     c_23      1
    Z_c23     c_31      1
    Z_c23     c_32      1
    Z_c23     c_33      1
    Z_c23     c_41      1
    Z_c23     p_Z       1
    Z_c24     c_24      1
    Z_c24     c_32      1
    Z_c24     c_33      1
    Z_c24     c_34      1
    Z_c24     c_42      1
    Z_c24     p_Z       1
    Z_c25     c_25      1
    Z_c25     c_33      1
    Z_c25     c_34      1
    Z_c25     c_35      1
    Z_c25     c_43      1
    Z_c25     p_Z       1
    Z_c26     c_26      1
    Z_c26     c_34      1
    Z_c26     c_35      1
    Z_c26     c_36      1
    Z_c26     c_44      1
    Z_c26     p_Z       1
    Z_c32     c_32      1
    Z_c32     c_40      1
    Z_c32     c_41      1
    Z_c32     c_42      1
    Z_c32     c_50      1
    Z_c32     p_Z       1
    Z_c33     c_33      1
    Z_c33     c_41      1
    Z_c33     c_42      1
    Z_c33     c_43      1
    Z_c33     c_51      1
    Z_c33     p_Z       1
    Z_c34     c_34      1
    Z_c34     c_42      1
    Z_c34     c_43      1
    Z_c34     c_44      1
    Z_c34     c_52      1
    Z_c34     p_Z       1
    Z_c35     c_35      1
    Z_c35     c_43      1
    Z_c35     c_44      1
    Z_c35     c_45      1
    Z_c35     c_53      1
    Z_c35     p_Z       1
    Z_c36     c_36      1
    Z_c36     c_44      1
    Z_c36     c_45      1
    Z_c36     c_46      1
    Z_c36     c_54      1
    Z_c36     p_Z       1
    Z_c43     c_43      1
    Z_c43     c_51      1
    Z_c43     c_52      1
    Z_c43     c_53      1
    Z_c43     c_61      1
    Z_c43     p_Z       1
    Z_c44     c_44      1
    Z_c44     c_52      1
    Z_c44     c_53      1
    Z_c44     c_54      1
    Z_c44     c_62      1
    Z_c44     p_Z       1
    Z_d00     c_00      1
    Z_d00     c_10      1
    Z_d00     c_11      1
    Z_d00     c_12      1
    Z_d00     c_22      1
    Z_d00     p_Z       1
    Z_d02     c_02      1
    Z_d02     c_12      1
    Z_d02     c_13      1
    Z_d02     c_14      1
    Z_d02     c_24      1
    Z_d02     p_Z       1
    Z_d03     c_03      1
    Z_d03     c_13      1
    Z_d03     c_14      1
    Z_d03     c_15      1
    Z_d03     c_25      1
    Z_d03     p_Z       1
    Z_d10     c_10      1
    Z_d10     c_20      1
    Z_d10     c_21      1
    Z_d10     c_22      1
    Z_d10     c_32      1
    Z_d10     p_Z       1
    Z_d11     c_11      1
    Z_d11     c_21      1
    Z_d11     c_22      1
    Z_d11     c_23      1
    Z_d11     c_33      1
    Z_d11     p_Z       1
    Z_d12     c_12      1
    Z_d12     c_22      1
    Z_d12     c_23      1
    Z_d12     c_24      1
    Z_d12     c_34      1
    Z_d12     p_Z       1
    Z_d13     c_13      1
    Z_d13     c_23      1
    Z_d13     c_24      1
    Z_d13     c_25      1
    Z_d13     c_35      1
    Z_d13     p_Z       1
    Z_d14     c_14      1
    Z_d14     c_24      1
    Z_d14     c_25      1
    Z_d14     c_26      1
    Z_d14     c_36      1
    Z_d14     p_Z       1
    Z_d20     c_20      1
    Z_d20     c_30      1
    Z_d20     c_31      1
    Z_d20     c_32      1
    Z_d20     c_42      1
    Z_d20     p_Z       1
    Z_d21     c_21      1
    Z_d21     c_31      1
    Z_d21     c_32      1
    Z_d21     c_33      1
    Z_d21     c_43      1
    Z_d21     p_Z       1
    Z_d22     c_22      1
    Z_d22     c_32      1
    Z_d22     c_33      1
    Z_d22     c_34      1
    Z_d22     c_44      1
    Z_d22     p_Z       1
    Z_d23     c_23      1
    Z_d23     c_33      1
    Z_d23     c_34      1
    Z_d23     c_35      1
    Z_d23     c_45      1
    Z_d23     p_Z       1
    Z_d24     c_24      1
    Z_d24     c_34      1
    Z_d24     c_35      1
    Z_d24     c_36      1
    Z_d24     c_46      1
    Z_d24     p_Z       1
    Z_d30     c_30      1
    Z_d30     c_40      1
    Z_d30     c_41      1
    Z_d30     c_42      1
    Z_d30     c_52      1
    Z_d30     p_Z       1
    Z_d31     c_31      1
    Z_d31     c_41      1
    Z_d31     c_42      1
    Z_d31     c_43      1
    Z_d31     c_53      1
    Z_d31     p_Z       1
    Z_d32     c_32      1
    Z_d32     c_42      1
    Z_d32     c_43      1
    Z_d32     c_44      1
    Z_d32     c_54      1
    Z_d32     p_Z       1
    Z_d33     c_33      1
    Z_d33     c_43      1
    Z_d33     c_44      1
    Z_d33     c_45      1
    Z_d33     c_55      1
    Z_d33     p_Z       1
    Z_d34     c_34      1
    Z_d34     c_44      1
    Z_d34     c_45      1
    Z_d34     c_46      1
    Z_d34     c_56      1
    Z_d34     p_Z       1
    Z_d40     c_40      1
    Z_d40     c_50      1
    Z_d40     c_51      1
    Z_d40     c_52      1
    Z_d40     c_62      1
    Z_d40     p_Z       1
    O6_a02    c_02      1
    O6_a02    c_03      1
    O6_a02    c_04      1
    O6_a02    c_12      1
    O6_a02    c_13      1
    O6_a02    c_14      1
    O6_a02    p_O6      1
    O6_a03    c_03      1
    O6_a03    c_04      1
    O6_a03    c_05      1
    O6_a03    c_13      1
    O6_a03    c_14      1
    O6_a03    c_15      1
    O6_a03    p_O6      1
    O6_a10    c_10      1
    O6_a10    c_11      1
    O6_a10    c_12      1
    O6_a10    c_20      1
    O6_a10    c_21      1
    O6_a10    c_22      1
    O6_a10    p_O6      1
    O6_a11    c_11      1
    O6_a11    c_12      1
    O6_a11    c_13      1
    O6_a11    c_21      1
    O6_a11    c_22      1
    O6_a11    c_23      1
    O6_a11    p_O6      1
    O6_a12    c_12      1
    O6_a12    c_13      1
    O6_a12    c_14      1
    O6_a12    c_22      1
    O6_a12    c_23      1
    O6_a12    c_24      1
    O6_a12    p_O6      1
    O6_a13    c_13      1
    O6_a13    c_14      1
    O6_a13    c_15      1
    O6_a13    c_23      1
    O6_a13    c_24      1
    O6_a13    c_25      1
    O6_a13    p_O6      1
    O6_a20    c_20      1
    O6_a20    c_21      1
    O6_a20    c_22      1
    O6_a20    c_30      1
    O6_a20    c_31      1
    O6_a20    c_32      1
    O6_a20    p_O6      1
    O6_a21    c_21      1
    O6_a21    c_22      1
    O6_a21    c_23      1
    O6_a21    c_31      1
    O6_a21    c_32      1
    O6_a21    c_33      1
    O6_a21    p_O6      1
    O6_a22    c_22      1
    O6_a22    c_23      1
    O6_a22    c_24      1
    O6_a22    c_32      1
    O6_a22    c_33      1
    O6_a22    c_34      1
    O6_a22    p_O6      1
    O6_a23    c_23      1
    O6_a23    c_24      1
    O6_a23    c_25      1
    O6_a23    c_33      1
    O6_a23    c_34      1
    O6_a23    c_35      1
    O6_a23    p_O6      1
    O6_a24    c_24      1
    O6_a24    c_25      1
    O6_a24    c_26      1
    O6_a24    c_34      1
    O6_a24    c_35      1
    O6_a24    c_36      1
    O6_a24    p_O6      1
    O6_a30    c_30      1
    O6_a30    c_31      1
    O6_a30    c_32      1
    O6_a30    c_40      1
    O6_a30    c_41      1
    O6_a30    c_42      1
    O6_a30    p_O6      1
    O6_a31    c_31      1
    O6_a31    c_32      1
    O6_a31    c_33      1
    O6_a31    c_41      1
    O6_a31    c_42      1
    O6_a31    c_43      1
    O6_a31    p_O6      1
    O6_a32    c_32      1
    O6_a32    c_33      1
    O6_a32    c_34      1
    O6_a32    c_42      1
    O6_a32    c_43      1
    O6_a32    c_44      1
    O6_a32    p_O6      1
    O6_a33    c_33      1
    O6_a33    c_34      1
    O6_a33    c_35      1
    O6_a33    c_43      1
    O6_a33    c_44      1
    O6_a33    c_45      1
    O6_a33    p_O6      1
    O6_a34    c_34      1
    O6_a34    c_35      1
    O6_a34    c_36      1
    O6_a34    c_44      1
    O6_a34    c_45      1
    O6_a34    c_46      1
    O6_a34    p_O6      1
    O6_a40    c_40      1
    O6_a40    c_41      1
    O6_a40    c_42      1
    O6_a40    c_50      1
    O6_a40    c_51      1
    O6_a40    c_52      1
    O6_a40    p_O6      1
    O6_a41    c_41      1
    O6_a41    c_42      1
    O6_a41    c_43      1
    O6_a41    c_51      1
    O6_a41    c_52      1
    O6_a41    c_53      1
    O6_a41    p_O6      1
    O6_a42    c_42      1
    O6_a42    c_43      1
    O6_a42    c_44      1
    O6_a42    c_52      1
    O6_a42    c_53      1
    O6_a42    c_54      1
    O6_a42    p_O6      1
    O6_a43    c_43      1
    O6_a43    c_44      1
    O6_a43    c_45      1
    O6_a43    c_53      1
    O6_a43    c_54      1
    O6_a43    c_55      1
    O6_a43    p_O6      1
    O6_a44    c_44      1
    O6_a44    c_45      1
    O6_a44    c_46      1
    O6_a44    c_54      1
    O6_a44    c_55      1
    O6_a44    c_56      1
    O6_a44    p_O6      1
    O6_b02    c_02      1
    O6_b02    c_03      1
    O6_b02    c_12      1
    O6_b02    c_13      1
    O6_b02    c_22      1
    O6_b02    c_23      1
    O6_b02    p_O6      1
    O6_b03    c_03      1
    O6_b03    c_04      1
    O6_b03    c_13      1
    O6_b03    c_14      1
    O6_b03    c_23      1
    O6_b03    c_24      1
    O6_b03    p_O6      1
    O6_b04    c_04      1
    O6_b04    c_05      1
    O6_b04    c_14      1
    O6_b04    c_15      1
    O6_b04    c_24      1
    O6_b04    c_25      1
    O6_b04    p_O6      1
    O6_b10    c_10      1
    O6_b10    c_11      1
    O6_b10    c_20      1
    O6_b10    c_21      1
    O6_b10    c_30      1
    O6_b10    c_31      1
    O6_b10    p_O6      1
    O6_b11    c_11      1
    O6_b11    c_12      1
    O6_b11    c_21      1
    O6_b11    c_22      1
    O6_b11    c_31      1
    O6_b11    c_32      1
    O6_b11    p_O6      1
    O6_b12    c_12      1
    O6_b12    c_13      1
    O6_b12    c_22      1
    O6_b12    c_23      1
    O6_b12    c_32      1
    O6_b12    c_33      1
    O6_b12    p_O6      1
    O6_b13    c_13      1
    O6_b13    c_14      1
    O6_b13    c_23      1
    O6_b13    c_24      1
    O6_b13    c_33      1
    O6_b13    c_34      1
    O6_b13    p_O6      1
    O6_b14    c_14      1
    O6_b14    c_15      1
    O6_b14    c_24      1
    O6_b14    c_25      1
    O6_b14    c_34      1
    O6_b14    c_35      1
    O6_b14    p_O6      1
    O6_b20    c_20      1
    O6_b20    c_21      1
    O6_b20    c_30      1
    O6_b20    c_31      1
    O6_b20    c_40      1
    O6_b20    c_41      1
    O6_b20    p_O6      1
    O6_b21    c_21      1
    O6_b21    c_22      1
    O6_b21    c_31      1
    O6_b21    c_32      1
    O6_b21    c_41      1
    O6_b21    c_42      1
    O6_b21    p_O6      1
    O6_b22    c_22      1
    O6_b22    c_23      1
    O6_b22    c_32      1
    O6_b22    c_33      1
    O6_b22    c_42      1
    O6_b22    c_43      1
    O6_b22    p_O6      1
    O6_b23    c_23      1
    O6_b23    c_24      1
    O6_b23    c_33      1
    O6_b23    c_34      1
    O6_b23    c_43      1
    O6_b23    c_44      1
    O6_b23    p_O6      1
    O6_b24    c_24      1
    O6_b24    c_25      1
    O6_b24    c_34      1
    O6_b24    c_35      1
    O6_b24    c_44      1
    O6_b24    c_45      1
    O6_b24    p_O6      1
    O6_b25    c_25      1
    O6_b25    c_26      1
    O6_b25    c_35      1
    O6_b25    c_36      1
    O6_b25    c_45      1
    O6_b25    c_46      1
    O6_b25    p_O6      1
    O6_b30    c_30      1
    O6_b30    c_31      1
    O6_b30    c_40      1
    O6_b30    c_41      1
    O6_b30    c_50      1
    O6_b30    c_51      1
    O6_b30    p_O6      1
    O6_b31    c_31      1
    O6_b31    c_32      1
    O6_b31    c_41      1
    O6_b31    c_42      1
    O6_b31    c_51      1
    O6_b31    c_52      1
    O6_b31    p_O6      1
    O6_b32    c_32      1
    O6_b32    c_33      1
    O6_b32    c_42      1
    O6_b32    c_43      1
    O6_b32    c_52      1
    O6_b32    c_53      1
    O6_b32    p_O6      1
    O6_b33    c_33      1
    O6_b33    c_34      1
    O6_b33    c_43      1
    O6_b33    c_44      1
    O6_b33    c_53      1
    O6_b33    c_54      1
    O6_b33    p_O6      1
    O6_b34    c_34      1
    O6_b34    c_35      1
    O6_b34    c_44      1
    O6_b34    c_45      1
    O6_b34    c_54      1
    O6_b34    c_55      1
    O6_b34    p_O6      1
    O6_b35    c_35      1
    O6_b35    c_36      1
    O6_b35    c_45      1
    O6_b35    c_46      1
    O6_b35    c_55      1
    O6_b35    c_56      1
    O6_b35    p_O6      1
    O6_b41    c_41      1
    O6_b41    c_42      1
    O6_b41    c_51      1
    O6_b41    c_52      1
    O6_b41    c_61      1
    O6_b41    c_62      1
    O6_b41    p_O6      1
    MARKER    'MARKER'                 'INTEND'
RHS
    RHS       c_00      1
    RHS       c_02      1
    RHS       c_03      1
    RHS       c_04      1
    RHS       c_05      1
    RHS       c_10      1
    RHS       c_11      1
    RHS       c_12      1
    RHS       c_13      1
    RHS       c_14      1
    RHS       c_15      1
    RHS       c_20      1
    RHS       c_21      1
    RHS       c_22      1
    RHS       c_23      1
    RHS       c_24      1
    RHS       c_25      1
    RHS       c_26      1
    RHS       c_30      1
    RHS       c_31      1
    RHS       c_32      1
    RHS       c_33      1
    RHS       c_34      1
    RHS       c_35      1
    RHS       c_36      1
    RHS       c_40      1
    RHS       c_41      1
    RHS       c_42      1
    RHS       c_43      1
    RHS       c_44      1
    RHS       c_45      1
    RHS       c_46      1
    RHS       c_50      1
    RHS       c_51      1
    RHS       c_52      1
    RHS       c_53      1
    RHS       c_54      1
    RHS       c_55      1
    RHS       c_56      1
    RHS       c_61      1
    RHS       c_62      1
    RHS       p_L       1
    RHS       p_N       1
    RHS       p_P       1
    RHS       p_U       1
    RHS       p_V       1
    RHS       p_Y       1
    RHS       p_Z       1
    RHS       p_O6      1
BOUNDS
 UP BND       L_a02     1
 UP BND       L_a10     1
 UP BND       L_a11     1
 UP BND       L_a12     1
 UP BND       L_a20     1
 UP BND       L_a21     1
 UP BND       L_a22     1
 UP BND       L_a23     1
 UP BND       L_a30     1
 UP BND       L_a31     1
 UP BND       L_a32     1
 UP BND       L_a33     1
 UP BND       L_a40     1
 UP BND       L_a41     1
 UP BND       L_a42     1
 UP BND       L_a43     1
 UP BND       L_a51     1
 UP BND       L_a52     1
 UP BND       L_b02     1
 UP BND       L_b10     1
 UP BND       L_b11     1
 UP BND       L_b12     1
 UP BND       L_b20     1
 UP BND       L_b21     1
 UP BND       L_b22     1
 UP BND       L_b23     1
 UP BND       L_b30     1
 UP BND       L_b31     1
 UP BND       L_b32     1
 UP BND       L_b33     1
 UP BND       L_b40     1
 UP BND       L_b41     1
 UP BND       L_b42     1
 UP BND       L_b43     1
 UP BND       L_c02     1
 UP BND       L_c03     1
 UP BND       L_c04     1
 UP BND       L_c10     1
 UP BND       L_c11     1
 UP BND       L_c12     1
 UP BND       L_c13     1
 UP BND       L_c14     1
 UP BND       L_c20     1
 UP BND       L_c21     1
 UP BND       L_c22     1
 UP BND       L_c23     1
 UP BND       L_c24     1
 UP BND       L_c25     1
 UP BND       L_c31     1
 UP BND       L_c32     1
 UP BND       L_d02     1
 UP BND       L_d03     1
 UP BND       L_d04     1
 UP BND       L_d10     1
 UP BND       L_d11     1
 UP BND       L_d12     1
 UP BND       L_d13     1
 UP BND       L_d14     1
 UP BND       L_d20     1
 UP BND       L_d21     1
 UP BND       L_d22     1
 UP BND       L_d23     1
 UP BND       L_d24     1
 UP BND       L_d25     1
 UP BND       L_d30     1
 UP BND       L_d31     1
 UP BND       L_e03     1
 UP BND       L_e04     1
 UP BND       L_e05     1
 UP BND       L_e13     1
 UP BND       L_e14     1
 UP BND       L_e15     1
 UP BND       L_e23     1
 UP BND       L_e24     1
 UP BND       L_e25     1
 UP BND       L_e26     1
 UP BND       L_e33     1
 UP BND       L_e34     1
 UP BND       L_e35     1
 UP BND       L_e36     1
 UP BND       L_e43     1
 UP BND       L_e44     1
 UP BND       L_e45     1
 UP BND       L_e46     1
 UP BND       L_f00     1
 UP BND       L_f02     1
 UP BND       L_f10     1
 UP BND       L_f11     1
 UP BND       L_f12     1
 UP BND       L_f13     1
 UP BND       L_f20     1
 UP BND       L_f21     1
 UP BND       L_f22     1
 UP BND       L_f23     1
 UP BND       L_f30     1
 UP BND       L_f31     1
 UP BND       L_f32     1
 UP BND       L_f33     1
 UP BND       L_f40     1
 UP BND       L_f41     1
 UP BND       L_f42     1
 UP BND       L_f43     1
 UP BND       L_g02     1
 UP BND       L_g03     1
 UP BND       L_g04     1
 UP BND       L_g05     1
 UP BND       L_g11     1
 UP BND       L_g12     1
 UP BND       L_g13     1
 UP BND       L_g14     1
 UP BND       L_g15     1
 UP BND       L_g21     1
 UP BND       L_g22     1
 UP BND       L_g23     1
 UP BND       L_g24     1
 UP BND       L_g25     1
 UP BND       L_g26     1
 UP BND       L_g32     1
 UP BND       L_h00     1
 UP BND       L_h02     1
 UP BND       L_h03     1
 UP BND       L_h04     1
 UP BND       L_h05     1
 UP BND       L_h10     1
 UP BND       L_h11     1
 UP BND       L_h12     1
 UP BND       L_h13     1
 UP BND       L_h14     1
 UP BND       L_h15     1
 UP BND       L_h20     1
 UP BND       L_h21     1
 UP BND       L_h22     1
 UP BND       L_h23     1
 UP BND       L_h24     1
 UP BND       L_h25     1
 UP BND       L_h31     1
 UP BND       N_a02     1
 UP BND       N_a03     1
 UP BND       N_a11     1
 UP BND       N_a12     1
 UP BND       N_a13     1
 UP BND       N_a21     1
 UP BND       N_a22     1
 UP BND       N_a23     1
 UP BND       N_a24     1
 UP BND       N_a31     1
 UP BND       N_a32     1
 UP BND       N_a33     1
 UP BND       N_a34     1
 UP BND       N_a41     1
 UP BND       N_a42     1
 UP BND       N_a43     1
 UP BND       N_a44     1
 UP BND       N_a52     1
 UP BND       N_b02     1
 UP BND       N_b10     1
 UP BND       N_b11     1
 UP BND       N_b12     1
 UP BND       N_b13     1
 UP BND       N_b20     1
 UP BND       N_b21     1
 UP BND       N_b22     1
 UP BND       N_b23     1
 UP BND       N_b30     1
 UP BND       N_b31     1
 UP BND       N_b32     1
 UP BND       N_b33     1
 UP BND       N_b40     1
 UP BND       N_b41     1
 UP BND       N_b42     1
 UP BND       N_b43     1
 UP BND       N_c02     1
 UP BND       N_c03     1
 UP BND       N_c04     1
 UP BND       N_c12     1
 UP BND       N_c13     1
 UP BND       N_c14     1
 UP BND       N_c22     1
 UP BND       N_c23     1
 UP BND       N_c24     1
 UP BND       N_c25     1
 UP BND       N_c32     1
 UP BND       N_c33     1
 UP BND       N_c34     1
 UP BND       N_c35     1
 UP BND       N_c42     1
 UP BND       N_c43     1
 UP BND       N_c44     1
 UP BND       N_c45     1
 UP BND       N_d02     1
 UP BND       N_d10     1
 UP BND       N_d11     1
 UP BND       N_d12     1
 UP BND       N_d13     1
 UP BND       N_d20     1
 UP BND       N_d21     1
 UP BND       N_d22     1
 UP BND       N_d23     1
 UP BND       N_d30     1
 UP BND       N_d31     1
 UP BND       N_d32     1
 UP BND       N_d33     1
 UP BND       N_d40     1
 UP BND       N_d41     1
 UP BND       N_d42     1
 UP BND       N_d43     1
 UP BND       N_e02     1
 UP BND       N_e03     1
 UP BND       N_e04     1
 UP BND       N_e05     1
 UP BND       N_e11     1
 UP BND       N_e12     1
 UP BND       N_e13     1
 UP BND       N_e14     1
 UP BND       N_e15     1
 UP BND       N_e21     1
 UP BND       N_e22     1
 UP BND       N_e23     1
 UP BND       N_e24     1
 UP BND       N_e25     1
 UP BND       N_e26     1
 UP BND       N_e32     1
 UP BND       N_e33     1
 UP BND       N_f00     1
 UP BND       N_f02     1
 UP BND       N_f03     1
 UP BND       N_f04     1
 UP BND       N_f10     1
 UP BND       N_f11     1
 UP BND       N_f12     1
 UP BND       N_f13     1
 UP BND       N_f14     1
 UP BND       N_f15     1
 UP BND       N_f20     1
 UP BND       N_f21     1
 UP BND       N_f22     1
 UP BND       N_f23     1
 UP BND       N_f24     1
 UP BND       N_f25     1
 UP BND       N_f30     1
 UP BND       N_f31     1
 UP BND       N_g02     1
 UP BND       N_g03     1
 UP BND       N_g04     1
 UP BND       N_g05     1
 UP BND       N_g11     1
 UP BND       N_g12     1
 UP BND       N_g13     1
 UP BND       N_g14     1
 UP BND       N_g15     1
 UP BND       N_g21     1
 UP BND       N_g22     1
 UP BND       N_g23     1
 UP BND       N_g24     1
 UP BND       N_g25     1
 UP BND       N_g26     1
 UP BND       N_g32     1
 UP BND       N_g33     1
 UP BND       N_h00     1
 UP BND       N_h02     1
 UP BND       N_h03     1
 UP BND       N_h04     1
 UP BND       N_h05     1
 UP BND       N_h10     1
 UP BND       N_h11     1
 UP BND       N_h12     1
 UP BND       N_h13     1
 UP BND       N_h14     1
 UP BND       N_h15     1
 UP BND       N_h20     1
 UP BND       N_h21     1
 UP BND       N_h22     1
 UP BND       N_h23     1
 UP BND       N_h24     1
 UP BND       N_h25     1
 UP BND       N_h30     1
 UP BND       N_h31     1
 UP BND       P_a02     1
 UP BND       P_a03     1
 UP BND       P_a10     1
 UP BND       P_a11     1
 UP BND       P_a12     1
 UP BND       P_a13     1
 UP BND       P_a20     1
 UP BND       P_a21     1
 UP BND       P_a22     1
 UP BND       P_a23     1
 UP BND       P_a24     1
 UP BND       P_a30     1
 UP BND       P_a31     1
 UP BND       P_a32     1
 UP BND       P_a33     1
 UP BND       P_a34     1
 UP BND       P_a40     1
 UP BND       P_a41     1
 UP BND       P_a42     1
 UP BND       P_a43     1
 UP BND       P_a44     1
 UP BND       P_a51     1
 UP BND       P_b02     1
 UP BND       P_b03     1
 UP BND       P_b10     1
 UP BND       P_b11     1
 UP BND       P_b12     1
 UP BND       P_b13     1
 UP BND       P_b20     1
 UP BND       P_b21     1
 UP BND       P_b22     1
 UP BND       P_b23     1
 UP BND       P_b24     1
 UP BND       P_b30     1
 UP BND       P_b31     1
 UP BND       P_b32     1
 UP BND       P_b33     1
 UP BND       P_b34     1
 UP BND       P_b40     1
 UP BND       P_b41     1
 UP BND       P_b42     1
 UP BND       P_b43     1
 UP BND       P_b44     1
 UP BND       P_b50     1
 UP BND       P_c02     1
 UP BND       P_c03     1
 UP BND       P_c04     1
 UP BND       P_c11     1
 UP BND       P_c12     1
 UP BND       P_c13     1
 UP BND       P_c14     1
 UP BND       P_c21     1
 UP BND       P_c22     1
 UP BND       P_c23     1
 UP BND       P_c24     1
 UP BND       P_c25     1
 UP BND       P_c31     1
 UP BND       P_c32     1
 UP BND       P_c33     1
 UP BND       P_c34     1
 UP BND       P_c35     1
 UP BND       P_c41     1
 UP BND       P_c42     1
 UP BND       P_c43     1
 UP BND       P_c44     1
 UP BND       P_c45     1
 UP BND       P_d02     1
 UP BND       P_d03     1
 UP BND       P_d10     1
 UP BND       P_d11     1
 UP BND       P_d12     1
 UP BND       P_d13     1
 UP BND       P_d14     1
 UP BND       P_d20     1
 UP BND       P_d21     1
 UP BND       P_d22     1
 UP BND       P_d23     1
 UP BND       P_d24     1
 UP BND       P_d30     1
 UP BND       P_d31     1
 UP BND       P_d32     1
 UP BND       P_d33     1
 UP BND       P_d34     1
 UP BND       P_d40     1
 UP BND       P_d41     1
 UP BND       P_d42     1
 UP BND       P_d43     1
 UP BND       P_d44     1
 UP BND       P_e02     1
 UP BND       P_e03     1
 UP BND       P_e04     1
 UP BND       P_e10     1
 UP BND       P_e11     1
 UP BND       P_e12     1
 UP BND       P_e13     1
 UP BND       P_e14     1
 UP BND       P_e20     1
 UP BND       P_e21     1
 UP BND       P_e22     1
 UP BND       P_e23     1
 UP BND       P_e24     1
 UP BND       P_e25     1
 UP BND       P_e30     1
 UP BND       P_e31     1
 UP BND       P_e32     1
 UP BND       P_e33     1
 UP BND       P_e34     1
 UP BND       P_e35     1
 UP BND       P_e41     1
 UP BND       P_e42     1
 UP BND       P_f02     1
 UP BND       P_f03     1
 UP BND       P_f04     1
 UP BND       P_f10     1
 UP BND       P_f11     1
 UP BND       P_f12     1
 UP BND       P_f13     1
 UP BND       P_f14     1
 UP BND       P_f20     1
 UP BND       P_f21     1
 UP BND       P_f22     1
 UP BND       P_f23     1
 UP BND       P_f24     1
 UP BND       P_f25     1
 UP BND       P_f30     1
 UP BND       P_f31     1
 UP BND       P_f32     1
 UP BND       P_f33     1
 UP BND       P_f34     1
 UP BND       P_f35     1
 UP BND       P_f40     1
 UP BND       P_f41     1
 UP BND       P_g02     1
 UP BND       P_g03     1
 UP BND       P_g04     1
 UP BND       P_g05     1
 UP BND       P_g11     1
 UP BND       P_g12     1
 UP BND       P_g13     1
 UP BND       P_g14     1
 UP BND       P_g15     1
 UP BND       P_g21     1
 UP BND       P_g22     1
 UP BND       P_g23     1
 UP BND       P_g24     1
 UP BND       P_g25     1
 UP BND       P_g26     1
 UP BND       P_g31     1
 UP BND       P_g32     1
 UP BND       P_g33     1
 UP BND       P_g34     1
 UP BND       P_g35     1
 UP BND       P_g36     1
 UP BND       P_g42     1
 UP BND       P_h00     1
 UP BND       P_h02     1
 UP BND       P_h03     1
 UP BND       P_h04     1
 UP BND       P_h10     1
 UP BND       P_h11     1
 UP BND       P_h12     1
 UP BND       P_h13     1
 UP BND       P_h14     1
 UP BND       P_h15     1
 UP BND       P_h20     1
 UP BND       P_h21     1
 UP BND       P_h22     1
 UP BND       P_h23     1
 UP BND       P_h24     1
 UP BND       P_h25     1
 UP BND       P_h30     1
 UP BND       P_h31     1
 UP BND       P_h32     1
 UP BND       P_h33     1
 UP BND       P_h34     1
 UP BND       P_h35     1
 UP BND       P_h41     1
 UP BND       U_a02     1
 UP BND       U_a03     1
 UP BND       U_a10     1
 UP BND       U_a11     1
 UP BND       U_a12     1
 UP BND       U_a13     1
 UP BND       U_a20     1
 UP BND       U_a21     1
 UP BND       U_a22     1
 UP BND       U_a23     1
 UP BND       U_a24     1
 UP BND       U_a30     1
 UP BND       U_a31     1
 UP BND       U_a32     1
 UP BND       U_a33     1
 UP BND       U_a34     1
 UP BND       U_a40     1
 UP BND       U_a41     1
 UP BND       U_a42     1
 UP BND       U_a43     1
 UP BND       U_a44     1
 UP BND       U_b02     1
 UP BND       U_b03     1
 UP BND       U_b04     1
 UP BND       U_b10     1
 UP BND       U_b11     1
 UP BND       U_b12     1
 UP BND       U_b13     1
 UP BND       U_b14     1
 UP BND       U_b20     1
 UP BND       U_b21     1
 UP BND       U_b22     1
 UP BND       U_b23     1
 UP BND       U_b24     1
 UP BND       U_b25     1
 UP BND       U_b30     1
 UP BND       U_b31     1
 UP BND       U_b32     1
 UP BND       U_b33     1
 UP BND       U_b34     1
 UP BND       U_b35     1
 UP BND       U_b41     1
 UP BND       U_c02     1
 UP BND       U_c03     1
 UP BND       U_c04     1
 UP BND       U_c10     1
 UP BND       U_c11     1
 UP BND       U_c12     1
 UP BND       U_c13     1
 UP BND       U_c14     1
 UP BND       U_c20     1
 UP BND       U_c21     1
 UP BND       U_c22     1
 UP BND       U_c23     1
 UP BND       U_c24     1
 UP BND       U_c25     1
 UP BND       U_c30     1
 UP BND       U_c31     1
 UP BND       U_c32     1
 UP BND       U_c33     1
 UP BND       U_c34     1
 UP BND       U_c35     1
 UP BND       U_c41     1
 UP BND       U_d00     1
 UP BND       U_d02     1
 UP BND       U_d03     1
 UP BND       U_d10     1
 UP BND       U_d11     1
 UP BND       U_d12     1
 UP BND       U_d13     1
 UP BND       U_d20     1
 UP BND       U_d21     1
 UP BND       U_d22     1
 UP BND       U_d23     1
 UP BND       U_d24     1
 UP BND       U_d30     1
 UP BND       U_d31     1
 UP BND       U_d32     1
 UP BND       U_d33     1
 UP BND       U_d34     1
 UP BND       U_d40     1
 UP BND       U_d41     1
 UP BND       U_d42     1
 UP BND       U_d43     1
 UP BND       U_d44     1
 UP BND       V_a02     1
 UP BND       V_a03     1
 UP BND       V_a10     1
 UP BND       V_a11     1
 UP BND       V_a12     1
 UP BND       V_a13     1
 UP BND       V_a20     1
 UP BND       V_a21     1
 UP BND       V_a22     1
 UP BND       V_a23     1
 UP BND       V_a24     1
 UP BND       V_a30     1
 UP BND       V_a31     1
 UP BND       V_a32     1
 UP BND       V_a33     1
 UP BND       V_a34     1
 UP BND       V_a41     1
 UP BND       V_a42     1
 UP BND       V_b02     1
 UP BND       V_b03     1
 UP BND       V_b10     1
 UP BND       V_b11     1
 UP BND       V_b12     1
 UP BND       V_b13     1
 UP BND       V_b20     1
 UP BND       V_b21     1
 UP BND       V_b22     1
 UP BND       V_b23     1
 UP BND       V_b24     1
 UP BND       V_b30     1
 UP BND       V_b31     1
 UP BND       V_b32     1
 UP BND       V_b33     1
 UP BND       V_b34     1
 UP BND       V_b40     1
 UP BND       V_c02     1
 UP BND       V_c03     1
 UP BND       V_c04     1
 UP BND       V_c05     1
 UP BND       V_c12     1
 UP BND       V_c13     1
 UP BND       V_c14     1
 UP BND       V_c15     1
 UP BND       V_c22     1
 UP BND       V_c23     1
 UP BND       V_c24     1
 UP BND       V_c25     1
 UP BND       V_c26     1
 UP BND       V_c32     1
 UP BND       V_c33     1
 UP BND       V_c34     1
 UP BND       V_c35     1
 UP BND       V_c36     1
 UP BND       V_d00     1
 UP BND       V_d02     1
 UP BND       V_d03     1
 UP BND       V_d04     1
 UP BND       V_d10     1
 UP BND       V_d11     1
 UP BND       V_d12     1
 UP BND       V_d13     1
 UP BND       V_d14     1
 UP BND       V_d20     1
 UP BND       V_d21     1
 UP BND       V_d22     1
 UP BND       V_d23     1
 UP BND       V_d24     1
 UP BND       V_d30     1
 UP BND       V_d31     1
 UP BND       V_d32     1
 UP BND       V_d33     1
 UP BND       V_d34     1
 UP BND       Y_a02     1
 UP BND       Y_a10     1
 UP BND       Y_a11     1
 UP BND       Y_a12     1
 UP BND       Y_a20     1
 UP BND       Y_a21     1
 UP BND       Y_a22     1
 UP BND       Y_a23     1
 UP BND       Y_a30     1
 UP BND       Y_a31     1
 UP BND       Y_a32     1
 UP BND       Y_a33     1
 UP BND       Y_a40     1
 UP BND       Y_a41     1
 UP BND       Y_a42     1
 UP BND       Y_a43     1
 UP BND       Y_a50     1
 UP BND       Y_a51     1
 UP BND       Y_b02     1
 UP BND       Y_b10     1
 UP BND       Y_b11     1
 UP BND       Y_b12     1
 UP BND       Y_b20     1
 UP BND       Y_b21     1
 UP BND       Y_b22     1
 UP BND       Y_b23     1
 UP BND       Y_b30     1
 UP BND       Y_b31     1
 UP BND       Y_b32     1
 UP BND       Y_b33     1
 UP BND       Y_b40     1
 UP BND       Y_b41     1
 UP BND       Y_b42     1
 UP BND       Y_b43     1
 UP BND       Y_b50     1
 UP BND       Y_c02     1
 UP BND       Y_c03     1
 UP BND       Y_c04     1
 UP BND       Y_c12     1
 UP BND       Y_c13     1
 UP BND       Y_c14     1
 UP BND       Y_c15     1
 UP BND       Y_c22     1
 UP BND       Y_c23     1
 UP BND       Y_c24     1
 UP BND       Y_c25     1
 UP BND       Y_c32     1
 UP BND       Y_c33     1
 UP BND       Y_c34     1
 UP BND       Y_c35     1
 UP BND       Y_c42     1
 UP BND       Y_c43     1
 UP BND       Y_c44     1
 UP BND       Y_c45     1
 UP BND       Y_d02     1
 UP BND       Y_d03     1
 UP BND       Y_d11     1
 UP BND       Y_d12     1
 UP BND       Y_d13     1
 UP BND       Y_d14     1
 UP BND       Y_d21     1
 UP BND       Y_d22     1
 UP BND       Y_d23     1
 UP BND       Y_d24     1
 UP BND       Y_d31     1
 UP BND       Y_d32     1
 UP BND       Y_d33     1
 UP BND       Y_d34     1
 UP BND       Y_d41     1
 UP BND       Y_d42     1
 UP BND       Y_d43     1
 UP BND       Y_d44     1
 UP BND       Y_e02     1
 UP BND       Y_e03     1
 UP BND       Y_e04     1
 UP BND       Y_e05     1
 UP BND       Y_e11     1
 UP BND       Y_e12     1
 UP BND       Y_e13     1
 UP BND       Y_e14     1
 UP BND       Y_e15     1
 UP BND       Y_e21     1
 UP BND       Y_e22     1
 UP BND       Y_e23     1
 UP BND       Y_e24     1
 UP BND       Y_e25     1
 UP BND       Y_e26     1
 UP BND       Y_e31     1
 UP BND       Y_e32     1
 UP BND       Y_f00     1
 UP BND       Y_f02     1
 UP BND       Y_f03     1
 UP BND       Y_f04     1
 UP BND       Y_f10     1
 UP BND       Y_f11     1
 UP BND       Y_f12     1
 UP BND       Y_f13     1
 UP BND       Y_f14     1
 UP BND       Y_f15     1
 UP BND       Y_f20     1
 UP BND       Y_f21     1
 UP BND       Y_f22     1
 UP BND       Y_f23     1
 UP BND       Y_f24     1
 UP BND       Y_f25     1
 UP BND       Y_f31     1
 UP BND       Y_f32     1
 UP BND       Y_g02     1
 UP BND       Y_g03     1
 UP BND       Y_g04     1
 UP BND       Y_g05     1
 UP BND       Y_g11     1
 UP BND       Y_g12     1
 UP BND       Y_g13     1
 UP BND       Y_g14     1
 UP BND       Y_g15     1
 UP BND       Y_g21     1
 UP BND       Y_g22     1
 UP BND       Y_g23     1
 UP BND       Y_g24     1
 UP BND       Y_g25     1
 UP BND       Y_g26     1
 UP BND       Y_g31     1
 UP BND       Y_g32     1
 UP BND       Y_h00     1
 UP BND       Y_h02     1
 UP BND       Y_h03     1
 UP BND       Y_h04     1
 UP BND       Y_h05     1
 UP BND       Y_h10     1
 UP BND       Y_h11     1
 UP BND       Y_h12     1
 UP BND       Y_h13     1
 UP BND       Y_h14     1
 UP BND       Y_h15     1
 UP BND       Y_h20     1
 UP BND       Y_h21     1
 UP BND       Y_h22     1
 UP BND       Y_h23     1
 UP BND       Y_h24     1
 UP BND       Y_h25     1
 UP BND       Y_h31     1
 UP BND       Y_h32     1
 UP BND       Z_a02     1
 UP BND       Z_a03     1
 UP BND       Z_a04     1
 UP BND       Z_a11     1
 UP BND       Z_a12     1
 UP BND       Z_a13     1
 UP BND       Z_a14     1
 UP BND       Z_a21     1
 UP BND       Z_a22     1
 UP BND       Z_a23     1
 UP BND       Z_a24     1
 UP BND       Z_a25     1
 UP BND       Z_a31     1
 UP BND       Z_a32     1
 UP BND       Z_a33     1
 UP BND       Z_a34     1
 UP BND       Z_a35     1
 UP BND       Z_a42     1
 UP BND       Z_b02     1
 UP BND       Z_b03     1
 UP BND       Z_b04     1
 UP BND       Z_b10     1
 UP BND       Z_b11     1
 UP BND       Z_b12     1
 UP BND       Z_b13     1
 UP BND       Z_b14     1
 UP BND       Z_b20     1
 UP BND       Z_b21     1
 UP BND       Z_b22     1
 UP BND       Z_b23     1
 UP BND       Z_b24     1
 UP BND       Z_b30     1
 UP BND       Z_b31     1
 UP BND       Z_b32     1
 UP BND       Z_b33     1
 UP BND       Z_b34     1
 UP BND       Z_b40     1
 UP BND       Z_c02     1
 UP BND       Z_c03     1
 UP BND       Z_c04     1
 UP BND       Z_c05     1
 UP BND       Z_c12     1
 UP BND       Z_c13     1
 UP BND       Z_c14     1
 UP BND       Z_c15     1
 UP BND       Z_c22     1
 UP BND       Z_c23     1
 UP BND       Z_c24     1
 UP BND       Z_c25     1
 UP BND       Z_c26     1
 UP BND       Z_c32     1
 UP BND       Z_c33     1
 UP BND       Z_c34     1
 UP BND       Z_c35     1
 UP BND       Z_c36     1
 UP BND       Z_c43     1
 UP BND       Z_c44     1
 UP BND       Z_d00     1
 UP BND       Z_d02     1
 UP BND       Z_d03     1
 UP BND       Z_d10     1
 UP BND       Z_d11     1
 UP BND       Z_d12     1
 UP BND       Z_d13     1
 UP BND       Z_d14     1
 UP BND       Z_d20     1
 UP BND       Z_d21     1
 UP BND       Z_d22     1
 UP BND       Z_d23     1
 UP BND       Z_d24     1
 UP BND       Z_d30     1
 UP BND       Z_d31     1
 UP BND       Z_d32     1
 UP BND       Z_d33     1
 UP BND       Z_d34     1
 UP BND       Z_d40     1
 UP BND       O6_a02    1
 UP BND       O6_a03    1
 UP BND       O6_a10    1
 UP BND       O6_a11    1
 UP BND       O6_a12    1
 UP BND       O6_a13    1
 UP BND       O6_a20    1
 UP BND       O6_a21    1
 UP BND       O6_a22    1
 UP BND       O6_a23    1
 UP BND       O6_a24    1
 UP BND       O6_a30    1
 UP BND       O6_a31    1
 UP BND       O6_a32    1
 UP BND       O6_a33    1
 UP BND       O6_a34    1
 UP BND       O6_a40    1
 UP BND       O6_a41    1
 UP BND       O6_a42    1
 UP BND       O6_a43    1
 UP BND       O6_a44    1
 UP BND       O6_b02    1
 UP BND       O6_b03    1
 UP BND       O6_b04    1
 UP BND       O6_b10    1
 UP BND       O6_b11    1
 UP BND       O6_b12    1
 UP BND       O6_b13    1
 UP BND       O6_b14    1
 UP BND       O6_b20    1
 UP BND       O6_b21    1
 UP BND       O6_b22    1
 UP BND       O6_b23    1
 UP BND       O6_b24    1
 UP BND       O6_b25    1
 UP BND       O6_b30    1
 UP BND       O6_b31    1
 UP BND       O6_b32    1
 UP BND       O6_b33    1
 UP BND       O6_b34    1
 UP BND       O6_b35    1
 UP BND       O6_b41    1
ENDATA
