Problem:    feb29
Rows:       50
Columns:    872 (872 integer, 872 binary)
Non-zeros:  5274
Status:     UNDEFINED
Objective:  0 (MINimum)

