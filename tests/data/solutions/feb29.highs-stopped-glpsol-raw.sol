c Problem:    feb29
c Rows:       50
c Columns:    872
c Non-zeros:  5274
c Status:     UNDEFINED
c Objective:  0 (MINimum)
c
s mip 50 872 u 0
