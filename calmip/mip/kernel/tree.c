/* The branch-and-bound tree of the one-tree search: propagation, branching, backtracking.

   SearchTree in calmip/mip/one_tree/_tree_plain.py says what the arrays are, and the rest
   of it is the same in Python. Sums are of doubles, added in the same order there and here, and
   `-ffp-contract=off` keeps the compiler from rounding them otherwise. */

#include "kernel.h"

typedef struct {
    const number *row_start, *row_column;
    const double *row_value;
    const number *column_start, *column_row;
    const double *column_value;
    const double *lower, *upper, *largest;
    const uint8_t *unit;
    const number *class_of;
    int8_t *value;
    number *trail;
    double *least, *most;
    number *free, *queue;
    uint8_t *queued;
    number *branch;
    uint8_t *second;
    number *mark, *group, *began, *leaves;
    number *relaxed, *pruned, *fruitless, *fruitless_work;
    number *count;
    number rows, columns;
} Tree;

/* What `calmip_tree` stopped for, and what the tree does next. */
enum { TREE_DONE, LEAF, RELAX, PAUSE };
enum { ENTER, BRANCH, BACKTRACK };

/* The places of the numbers in count. */
enum { DEPTH, TRAIL, APPLIED, QUEUE, MODE, WORK, NODES, LEAVES, RELAX_WORK, BLIND };

#define BLIND_SHARE 20

static inline double size_of(double a) { return a < 0 ? -a : a; }
static inline double smaller(double a, double b) { return a < b ? a : b; }

/* Fix the columns of a row that have no choice, and return the new length of the trail. */
static number force(const Tree *t, number row, double rise, double fall, number fixed)
{
    for (number k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        const number column = t->row_column[k];
        const double a = t->row_value[k];
        if (t->value[column] != -1)
            continue;
        if (size_of(a) > rise)
            t->value[column] = !(a > 0);
        else if (size_of(a) > fall)
            t->value[column] = a > 0;
        else
            continue;
        t->trail[fixed++] = column;
    }
    return fixed;
}

/* Fix what the rows force until nothing changes; 0 if a row cannot hold. */
static int propagate(const Tree *t)
{
    number head = t->count[APPLIED], fixed = t->count[TRAIL], waiting = t->count[QUEUE], work = 0;
    int fine = 1;
    while (fine && (head < fixed || waiting > 0)) {
        while (fine && head < fixed) {
            const number column = t->trail[head++];
            const int one = t->value[column] == 1;
            const number first = t->column_start[column], last = t->column_start[column + 1];
            work += last - first;
            for (number k = first; k < last; k++) {
                const number row = t->column_row[k];
                const double a = t->column_value[k];
                if ((a > 0) == one)
                    t->least[row] += size_of(a);
                else
                    t->most[row] -= size_of(a);
                t->free[row]--;
                const double room =
                    smaller(t->upper[row] - t->least[row], t->most[row] - t->lower[row]);
                fine = fine && room >= 0;
                if (room < t->largest[row] && !t->queued[row]) {
                    t->queued[row] = 1;
                    t->queue[waiting++] = row;
                }
            }
        }
        if (!fine || waiting == 0)
            break;
        const number row = t->queue[--waiting];
        t->queued[row] = 0;
        const double rise = t->upper[row] - t->least[row], fall = t->most[row] - t->lower[row];
        if (smaller(rise, fall) < 0)
            fine = 0;
        else if (t->free[row] > 0 &&
                 (t->least[row] < t->lower[row] || t->most[row] > t->upper[row])) {
            work += t->row_start[row + 1] - t->row_start[row];
            fixed = force(t, row, rise, fall, fixed);
        }
    }
    for (number k = 0; k < waiting; k++)
        t->queued[t->queue[k]] = 0;
    t->count[APPLIED] = head;
    t->count[TRAIL] = fixed;
    t->count[QUEUE] = 0;
    t->count[WORK] += work;
    return fine;
}

/* Free the columns that were fixed after the trail had a length. */
static void undo(const Tree *t, number height)
{
    for (number place = t->count[APPLIED]; place < t->count[TRAIL]; place++)
        t->value[t->trail[place]] = -1;
    for (number place = t->count[APPLIED] - 1; place >= height; place--) {
        const number column = t->trail[place];
        const int one = t->value[column] == 1;
        t->value[column] = -1;
        for (number k = t->column_start[column]; k < t->column_start[column + 1]; k++) {
            const number row = t->column_row[k];
            const double a = t->column_value[k];
            if ((a > 0) == one)
                t->least[row] -= size_of(a);
            else
                t->most[row] += size_of(a);
            t->free[row]++;
        }
    }
    t->count[APPLIED] = t->count[TRAIL] = height;
}

static void fix(const Tree *t, number column, int8_t value)
{
    t->value[column] = value;
    t->trail[t->count[TRAIL]++] = column;
}

/* Return in how many ways `free` columns can have `low` to `high` ones, or a bound. */
static double patterns(number free, double low, double high)
{
    const double all = (double)free;
    const double from = low > 0 ? smaller(low, all + 1) : 0, to = smaller(all, high);
    double fewest = (double)(number)from, most = (double)(number)to;
    if (fewest < from)
        fewest += 1;
    if (most > to)
        most -= 1;
    if (fewest == most) {
        double ways = 1;
        const number steps = (number)smaller(smaller(fewest, all - fewest), 60);
        for (number k = 0; k < steps; k++)
            ways *= (double)(free - k) / ((double)k + 1);
        return ways;
    }
    if (most == 1 || fewest == all - 1)
        return all + 1;
    return (double)((word)1 << (free < 60 ? free : 60));
}

/* Return the column to branch on: the first free one of the row with the fewest patterns
   left, or of all where every row holds whatever happens; -1 if all are fixed. */
static number choose(const Tree *t)
{
    number best = -1;
    double fewest = 1e300;
    for (number row = 0; row < t->rows; row++) {
        if (t->free[row] == 0 || !(t->least[row] < t->lower[row] || t->most[row] > t->upper[row]))
            continue;
        const double ways = t->unit[row]
                                ? patterns(t->free[row], t->lower[row] - t->least[row],
                                           t->upper[row] - t->least[row])
                                : (double)((word)1 << (t->free[row] < 60 ? t->free[row] : 60));
        if (ways < fewest) {
            best = row;
            fewest = ways;
        }
    }
    t->count[WORK] += t->rows;
    if (best >= 0)
        for (number k = t->row_start[best]; k < t->row_start[best + 1]; k++)
            if (t->value[t->row_column[k]] == -1)
                return t->row_column[k];
    if (t->count[TRAIL] < t->columns)
        for (number column = 0; column < t->columns; column++)
            if (t->value[column] == -1)
                return column;
    return -1;
}

/* Return whether a relaxation is likely to save more work than it costs. */
static int pays(const Tree *t, number group)
{
    const number cost = t->count[RELAX_WORK];
    if (t->fruitless[group] == 0) {
        if (t->count[NODES] > 1 && t->count[WORK] < BLIND_SHARE * cost * t->count[BLIND])
            return 0;
        t->count[BLIND]++;
        return 1;
    }
    const double saved = (double)t->fruitless_work[group] / (double)t->fruitless[group];
    const double rate = ((double)t->pruned[group] + 0.5) / ((double)t->relaxed[group] + 1);
    return rate * saved > (double)cost;
}

/* Put the current node on the stack and return its class. */
static number open_node(const Tree *t, number column)
{
    const number top = t->count[DEPTH]++;
    t->branch[top] = column;
    t->second[top] = 0;
    t->mark[top] = t->count[TRAIL];
    t->group[top] = t->class_of[t->columns - t->count[TRAIL]];
    t->began[top] = t->count[WORK];
    t->leaves[top] = t->count[LEAVES];
    return t->group[top];
}

/* Go to the second child of the deepest node that has one left; 0 at the end. */
static int backtrack(const Tree *t)
{
    while (t->count[DEPTH] > 0) {
        const number top = t->count[DEPTH] - 1;
        undo(t, t->mark[top]);
        if (!t->second[top]) {
            t->second[top] = 1;
            fix(t, t->branch[top], 0);
            return 1;
        }
        if (t->leaves[top] == t->count[LEAVES]) {
            t->fruitless[t->group[top]]++;
            t->fruitless_work[t->group[top]] += t->count[WORK] - t->began[top];
        }
        t->count[DEPTH] = top;
    }
    return 0;
}

/* Search on until there is a leaf, a node whose relaxation should be tried, or no more
   node; or until so many coefficients were touched. */
PUBLIC(calmip_tree)
number calmip_tree(const Tree *t, number work)
{
    const number end = t->count[WORK] + work;
    while (t->count[WORK] < end) {
        if (t->count[MODE] == BACKTRACK) {
            if (!backtrack(t))
                return TREE_DONE;
            t->count[MODE] = ENTER;
        } else if (t->count[MODE] == BRANCH) {
            fix(t, t->branch[t->count[DEPTH] - 1], 1);
            t->count[MODE] = ENTER;
        }
        t->count[NODES]++;
        t->count[MODE] = BACKTRACK;
        if (!propagate(t))
            continue;
        const number column = choose(t);
        if (column < 0) {
            t->count[LEAVES]++;
            return LEAF;
        }
        const number group = open_node(t, column);
        t->count[MODE] = BRANCH;
        if (pays(t, group)) {
            t->relaxed[group]++;
            return RELAX;
        }
    }
    return PAUSE;
}
