"""The problem as frozen data, from the lattice to the exact cover and the tiling."""
