/* The branch-and-bound tree of the pool: its arrays, and why its search comes back.

   PoolTree in calmip/mip/pool/branch_and_bound.py says what the arrays are. */

#ifndef CALMIP_POOL_H
#define CALMIP_POOL_H

#include "kernel.h"

typedef struct {
    const number *row_start, *row_column, *row_value;
    const number *column_start, *column_row, *column_value;
    const number *lower;
    number *upper;
    const number *largest, *unit;
    number *low, *high, *least, *most, *free;
    number *trail_side, *trail_old, *queue, *queued;
    number *branch, *split, *above, *second, *mark;
    number *group, *began, *leaves;
    number *relaxed, *refuted, *fruitless, *fruitless_work;
    number *wish_side, *wish_bound;
    number *numbers;
    number rows, columns;
} Tree;

/* What `calmip_pool` stopped for, and what the tree does next. */
enum { POOL_DONE, LEAF, NODE, PAUSE, LEFT, POOL_GROW };
enum { ENTER, CHOOSE, BRANCH, BACKTRACK };

/* The places of single numbers. */
enum {
    MODE, WORK, NODES, FREE, PATTERN, DISTINCT, CUBES, ASK, COLUMN, SPLIT, ABOVE, FAR,
    TRAIL, DEPTH, QUEUE, WISHES, PLACES, LEAVES, RELAXED, SPENT, BLIND, CHOSEN
};

/* Whose relaxations are solved. */
enum { NONE, BRANCHED, ALL, PAYING };

static inline number size_of(number a) { return a < 0 ? -a : a; }
static inline number smaller(number a, number b) { return a < b ? a : b; }

/* The class of the current node, which has a free column: four to a doubling. */
static inline number class_of(const Tree *t)
{
    const number free = t->numbers[FREE];
    number doublings = 0;
    while (free >> (doublings + 1))
        doublings++;
    return 4 * doublings + (((4 * free) >> doublings) & 3);
}

/* Close the current node, which its relaxation refutes. */
static inline void prune(const Tree *t)
{
    if (t->numbers[FREE] > 0)
        t->refuted[class_of(t)]++;
    t->numbers[MODE] = BACKTRACK;
}

PUBLIC(calmip_pool)
number calmip_pool(const Tree *t, number work);

#endif
