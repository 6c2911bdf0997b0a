/* The branch-and-bound tree of the pool: bounds of integer columns in whole numbers of 64 bits.

   PoolTree in calmip/mip/pool/branch_and_bound.py says what the arrays are, and the rest of it is
   the same in Python. The caller has made sure that no sum reaches 2**62. */

#include "pool.h"

#define PATIENCE 10
#define BLIND_SHARE 20

/* Tighten a bound of a column and the sums of its rows; 0 if nothing is left. */
static int move(const Tree *t, number column, number bound, int upper)
{
    const int was_free = t->low[column] < t->high[column];
    const number top = t->numbers[TRAIL]++;
    number step;
    t->trail_side[top] = 2 * column + upper;
    if (upper) {
        t->trail_old[top] = t->high[column];
        step = t->high[column] - bound;
        t->high[column] = bound;
    } else {
        t->trail_old[top] = t->low[column];
        step = bound - t->low[column];
        t->low[column] = bound;
    }
    int fine = t->low[column] <= t->high[column];
    const int fixed = was_free && t->low[column] >= t->high[column];
    t->numbers[FREE] -= fixed;
    const number first = t->column_start[column], last = t->column_start[column + 1];
    t->numbers[WORK] += last - first;
    for (number k = first; k < last; k++) {
        const number row = t->column_row[k], a = t->column_value[k];
        if ((a > 0) != upper)
            t->least[row] += size_of(a) * step;
        else
            t->most[row] -= size_of(a) * step;
        t->free[row] -= fixed;
        const number rise = t->upper[row] - t->least[row], fall = t->most[row] - t->lower[row];
        if (rise < 0 || fall < 0)
            fine = 0;
        else if (!t->queued[row] && smaller(rise, fall) < t->largest[row]) {
            t->queued[row] = 1;
            t->queue[t->numbers[QUEUE]++] = row;
        }
    }
    return fine;
}

/* Restore the bounds that changed after the trail had a length. */
static void undo(const Tree *t, number height)
{
    for (number top = t->numbers[TRAIL] - 1; top >= height; top--) {
        const number side = t->trail_side[top], old = t->trail_old[top];
        const number column = side >> 1;
        const int upper = side & 1, was_free = t->low[column] < t->high[column];
        number step;
        if (upper) {
            step = old - t->high[column];
            t->high[column] = old;
        } else {
            step = t->low[column] - old;
            t->low[column] = old;
        }
        const int freed = !was_free && t->low[column] < t->high[column];
        t->numbers[FREE] += freed;
        for (number k = t->column_start[column]; k < t->column_start[column + 1]; k++) {
            const number row = t->column_row[k], a = t->column_value[k];
            if ((a > 0) != upper)
                t->least[row] -= size_of(a) * step;
            else
                t->most[row] += size_of(a) * step;
            t->free[row] += freed;
        }
    }
    t->numbers[TRAIL] = height;
}

/* Tighten the bounds of a row's columns; 0 if nothing is left. */
static int push(const Tree *t, number row)
{
    t->numbers[WORK] += t->row_start[row + 1] - t->row_start[row];
    for (number k = t->row_start[row]; k < t->row_start[row + 1]; k++) {
        const number column = t->row_column[k];
        number span = t->high[column] - t->low[column];
        if (span == 0)
            continue;
        const number a = t->row_value[k], size = size_of(a);
        const number rise = t->upper[row] - t->least[row];
        number fall = t->most[row] - t->lower[row];
        if (size * span > rise) {
            const number steps = rise / size;
            const number bound = a > 0 ? t->low[column] + steps : t->high[column] - steps;
            if (!move(t, column, bound, a > 0))
                return 0;
            span = t->high[column] - t->low[column];
            fall = t->most[row] - t->lower[row];
        }
        if (size * span > fall) {
            const number steps = fall / size;
            const number bound = a > 0 ? t->high[column] - steps : t->low[column] + steps;
            if (!move(t, column, bound, a < 0))
                return 0;
        }
    }
    return 1;
}

/* Tighten bounds until nothing changes; 0 if a row cannot hold. */
static int propagate(const Tree *t)
{
    number *const count = t->numbers;
    int fine = 1;
    if (t->least[0] > t->upper[0])
        fine = 0;
    else if (!t->queued[0]) {
        t->queued[0] = 1;
        t->queue[count[QUEUE]++] = 0;
    }
    const number end = count[TRAIL] + PATIENCE * t->columns + 100;
    while (fine && count[QUEUE] > 0) {
        const number row = t->queue[--count[QUEUE]];
        t->queued[row] = 0;
        const number rise = t->upper[row] - t->least[row], fall = t->most[row] - t->lower[row];
        if (rise < 0 || fall < 0)
            fine = 0;
        else if (smaller(rise, fall) < t->most[row] - t->least[row] && count[TRAIL] < end)
            fine = push(t, row);
    }
    for (number place = 0; place < count[QUEUE]; place++)
        t->queued[t->queue[place]] = 0;
    count[QUEUE] = 0;
    return fine;
}

/* Return in how many ways `free` 0/1 columns can have `low` to `high` ones, at most. */
static double patterns(number free, number low, number high)
{
    const number fewest = low > 0 ? low : 0, most = smaller(free, high);
    if (fewest == most) {
        double ways = 1;
        const number steps = smaller(smaller(fewest, free - fewest), 60);
        for (number k = 0; k < steps; k++)
            ways *= (double)(free - k) / ((double)k + 1);
        return ways;
    }
    if (most == 1 || fewest == free - 1)
        return (double)free + 1;
    return (double)((word)1 << smaller(free, 60));
}

/* Return the row with the fewest remaining patterns, -1 if no row can be violated. */
static number tightest(const Tree *t)
{
    number best = -1;
    double fewest = 1e300;
    t->numbers[WORK] += t->rows;
    for (number row = 0; row < t->rows; row++) {
        const number free = t->free[row], base = t->least[row];
        if (free <= 0 || !(base < t->lower[row] || t->most[row] > t->upper[row]))
            continue;
        double ways;
        if (row == 0)
            ways = 1e200;
        else if (t->unit[row])
            ways = patterns(free, t->lower[row] - base, t->upper[row] - base);
        else
            ways = (double)((word)1 << smaller(free, 60));
        if (ways < fewest) {
            best = row;
            fewest = ways;
        }
    }
    return best;
}

/* Return the column to branch on, or -1 if the node is a leaf. */
static number choose(const Tree *t)
{
    if (t->numbers[DISTINCT] < t->columns) {
        for (number column = 0; column < t->numbers[DISTINCT]; column++)
            if (t->low[column] < t->high[column])
                return column;
        if (t->numbers[PATTERN] < 0)
            t->numbers[PATTERN] = t->numbers[DEPTH];
    }
    if (t->numbers[FREE] == 0)
        return -1;
    const number best = tightest(t);
    if (best >= 0) {
        for (number k = t->row_start[best]; k < t->row_start[best + 1]; k++)
            if (t->low[t->row_column[k]] < t->high[t->row_column[k]])
                return t->row_column[k];
    } else if (!t->numbers[CUBES]) {
        for (number column = 0; column < t->columns; column++)
            if (t->low[column] < t->high[column])
                return column;
    }
    return -1;
}

/* Enter a part of the node on top of the stack. */
static int child(const Tree *t, int above)
{
    const number top = t->numbers[DEPTH] - 1;
    if (above)
        return move(t, t->branch[top], t->split[top] + 1, 0);
    return move(t, t->branch[top], t->split[top], 1);
}

/* Go to the second part of the deepest node that has one left: NODE; or LEFT, POOL_DONE. */
static number backtrack(const Tree *t)
{
    while (t->numbers[DEPTH] > 0) {
        if (t->numbers[DEPTH] <= t->numbers[PATTERN])
            return LEFT;
        const number top = t->numbers[DEPTH] - 1;
        undo(t, t->mark[top]);
        if (!t->second[top]) {
            t->second[top] = 1;
            return NODE;
        }
        if (t->leaves[top] == t->numbers[LEAVES]) {
            t->fruitless[t->group[top]]++;
            t->fruitless_work[t->group[top]] +=
                t->numbers[WORK] - t->numbers[SPENT] - t->began[top];
        }
        t->numbers[DEPTH] = top;
    }
    return t->numbers[PATTERN] == 0 ? LEFT : POOL_DONE;
}

/* Return whether the relaxation of the current node is likely to save more work than it costs. */
static int pays(const Tree *t)
{
    number *const count = t->numbers;
    const number group = class_of(t);
    const number cost = count[SPENT] / (count[RELAXED] > 1 ? count[RELAXED] : 1);
    if (t->fruitless[group] == 0) {
        if (count[NODES] > 1 && count[WORK] - count[SPENT] < BLIND_SHARE * cost * count[BLIND])
            return 0;
        count[BLIND]++;
        return 1;
    }
    const double saved = (double)t->fruitless_work[group] / (double)t->fruitless[group];
    const double rate = ((double)t->refuted[group] + 0.5) / ((double)t->relaxed[group] + 1);
    return rate * saved > (double)cost;
}

/* Return whether the relaxation of the current node is to be solved. */
static int asks(const Tree *t)
{
    if (t->numbers[ASK] != PAYING)
        return t->numbers[ASK] != NONE;
    if (!pays(t))
        return 0;
    t->relaxed[class_of(t)]++;
    return 1;
}

/* Tighten the current node as wished and put it on the stack; 0 if it is a leaf. */
static int divide(const Tree *t)
{
    number *const count = t->numbers;
    if (count[WISHES] > 0) {
        int fine = 1;
        for (number place = 0; place < count[WISHES]; place++) {
            const number side = t->wish_side[place];
            fine = move(t, side >> 1, t->wish_bound[place], side & 1) && fine;
        }
        count[WISHES] = 0;
        count[CHOSEN] = -1;
        if (!(fine && propagate(t))) {
            count[MODE] = BACKTRACK;
            return 1;
        }
    }
    number column = count[COLUMN], split = count[SPLIT], above = count[ABOVE];
    if (column < 0 || !(t->low[column] <= split && split < t->high[column])) {
        column = count[CHOSEN] >= 0 ? count[CHOSEN] : choose(t);
        if (column < 0) {
            count[MODE] = BACKTRACK;
            return 0;
        }
        split = (t->low[column] + t->high[column]) >> 1;
        above = t->high[column] - t->low[column] == 1;
    }
    const number top = count[DEPTH]++;
    t->branch[top] = column;
    t->split[top] = split;
    t->above[top] = above;
    t->second[top] = 0;
    t->mark[top] = count[TRAIL];
    t->group[top] = class_of(t);
    t->began[top] = count[WORK] - count[SPENT];
    t->leaves[top] = count[LEAVES];
    count[MODE] = BRANCH;
    return 1;
}

/* Search on until something happens, or until so many coefficients were touched. */
number calmip_pool(const Tree *t, number work)
{
    number *const count = t->numbers;
    const number end = count[WORK] + work, room = (PATIENCE + 4) * t->columns + 200;
    while (count[WORK] < end) {
        if (count[TRAIL] + room > count[PLACES] || count[DEPTH] + 2 > count[PLACES])
            return POOL_GROW;
        if (count[MODE] == BACKTRACK) {
            const number event = backtrack(t);
            if (event != NODE)
                return event;
            if (!child(t, !t->above[count[DEPTH] - 1]))
                continue;
            count[MODE] = ENTER;
        } else if (count[MODE] == BRANCH) {
            count[MODE] = ENTER;
            if (!child(t, t->above[count[DEPTH] - 1] != 0)) {
                count[MODE] = BACKTRACK;
                continue;
            }
        }
        if (count[MODE] == ENTER) {
            count[NODES]++;
            count[WORK]++;
            if (!propagate(t)) {
                count[MODE] = BACKTRACK;
                continue;
            }
            count[CHOSEN] = choose(t);
            if (count[CHOSEN] < 0 && count[ASK] != ALL) {
                count[MODE] = BACKTRACK;
                count[LEAVES]++;
                return LEAF;
            }
            count[MODE] = CHOOSE;
            count[COLUMN] = -1;
            if (asks(t))
                return NODE;
        }
        if (count[MODE] == CHOOSE && !divide(t)) {
            count[LEAVES]++;
            return LEAF;
        }
    }
    return PAUSE;
}
