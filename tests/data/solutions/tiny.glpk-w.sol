c Problem:    calmip
c Rows:       5
c Columns:    5
c Non-zeros:  12
c Status:     INTEGER OPTIMAL
c Objective:  OBJ = 0 (MINimum)
c
s mip 5 5 o 0
i 1 1
i 2 1
i 3 1
i 4 1
i 5 1
j 1 0
j 2 1
j 3 0
j 4 1
j 5 0
e o f
