"""Course: exercises, their marking, and programs of students run apart."""
