"""What every folder stands on: errors, files, limits, signals, registries, the library of HiGHS."""
