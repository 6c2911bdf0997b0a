c Problem:    tiny
c Rows:       6
c Columns:    5
c Non-zeros:  12
c Status:     INTEGER OPTIMAL
c Objective:  0 (MINimum)
c
s mip 6 5 o 0
i 1 0
i 2 1
i 3 1
i 4 1
i 5 1
i 6 1
j 1 1
j 2 0
j 3 0
j 4 0
j 5 1
e o f
