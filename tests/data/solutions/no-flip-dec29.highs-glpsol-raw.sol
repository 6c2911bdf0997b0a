c Problem:    no-flip-dec29
c Rows:       50
c Columns:    530
c Non-zeros:  3222
c Status:     INTEGER EMPTY
c Objective:  0 (MINimum)
c
s mip 50 530 n 0
