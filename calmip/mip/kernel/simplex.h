/* The dual simplex method of the pool's nodes: its arrays, and what it claims.

   `SimplexArrays` in calmip/mip/pool/safe_bounds.py says what the arrays are. */

#ifndef CALMIP_SIMPLEX_H
#define CALMIP_SIMPLEX_H

#include "kernel.h"

typedef struct {
    const number *column_start, *column_row, *row_start, *row_column;
    const double *column_value, *row_value, *cost;
    double *low, *high, *value, *reduced, *row;
    double *inverse, *weight, *column, *right, *moved;
    int32_t *basis, *place_of, *candidates, *passed, *places, *kept, *states;
    const double *cutoff;
    number *numbers;
    number rows, columns;
} Simplex;

enum { READY, PIVOTS, PASSED, ITERATIONS, DOUBTS };

enum { SIMPLEX_DOUBT, SIMPLEX_INFEASIBLE, SIMPLEX_BOUND, SIMPLEX_OPTIMAL };

static inline double absolute(double value) { return value < 0 ? -value : value; }

int simplex_start(const Simplex *s, const int32_t *states);
void simplex_bound(const Simplex *s, number column, double low, double high);
int simplex_solve(const Simplex *s, double *values, double *prices);

#endif
