Problem:    tiny
Rows:       6
Columns:    5 (5 integer, 5 binary)
Non-zeros:  12
Status:     INTEGER OPTIMAL
Objective:  0 (MINimum)

   No.   Row name        Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 OBJ                         0                             
     2 c_00                        1             1             = 
     3 c_01                        1             1             = 
     4 c_10                        1             1             = 
     5 p_dom                       1             1             = 
     6 p_squ                       1             1             = 

   No. Column name       Activity     Lower bound   Upper bound
------ ------------    ------------- ------------- -------------
     1 dom_a00      *              1             0             1 
     2 dom_b00      *              0             0             1 
     3 squ_a00      *              0             0             1 
     4 squ_a01      *              0             0             1 
     5 squ_a10      *              1             0             1 

Integer feasibility conditions:

KKT.PE: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

KKT.PB: max.abs.err = 0.00e+00 on row 0
        max.rel.err = 0.00e+00 on row 0
        High quality

End of output
