objective value:                                    0
squ_a01                                             1 	(obj:0)
dom_a00                                             0 	(obj:0)
dom_b00                                             1 	(obj:0)
squ_a00                                            -0 	(obj:0)
squ_a10                                             0 	(obj:0)
