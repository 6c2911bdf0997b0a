"""Linear relaxations: in HiGHS, in rational numbers, and their cuts."""
