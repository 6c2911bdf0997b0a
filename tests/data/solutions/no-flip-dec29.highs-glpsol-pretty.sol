Problem:    no-flip-dec29
Rows:       50
Columns:    530 (530 integer, 530 binary)
Non-zeros:  3222
Status:     INTEGER EMPTY
Objective:  0 (MINimum)

