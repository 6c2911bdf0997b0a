/* The linear relaxations of the pool's nodes: solved in floating point by simplex.c or HiGHS, judged
   in whole numbers of 128 bits.

   NodeArrays in calmip/mip/pool/safe_bounds.py says what the arrays are, and `judge` there is the
   same in Python. The digits of the multipliers are chosen so that no sum reaches 2**126. HiGHS is
   called through the addresses of its functions; nothing rests on its numbers. */

#include "pool.h"
#include "simplex.h"

typedef __int128 wide;
typedef unsigned __int128 natural;

typedef struct {
    /* The matrix by columns, the costs, and the bounds of the rows. */
    const number *column_start, *column_row, *column_value, *cost, *lower, *upper;
    /* By row and by continuous column, which bounds there are: 1 the lower, 2 the upper one. */
    const number *sides, *ends;
    /* The bounds of continuous columns in parts of the grid. */
    const number *end_low, *end_high;
    /* By row: the factors of multipliers that bound the objective, and of those of a ray. */
    const double *factor, *ray_factor;
    /* By row: the binary digits of all that it adds to sums for a multiplier of 1. */
    const number *reach;
    /* The multipliers in parts of their grid; the reduced costs. Both have 128 bits. */
    wide *y, *reduced;
    /* HiGHS's answers, and the bounds of the integer columns that it has. */
    double *values, *prices, *low, *high;
    int32_t *changed;
    double *changed_low, *changed_high;
    /* By side and column: how much branching raised the bound; how often it was observed. At
       the end the sums of both sides. */
    double *gains, *times;
    /* By depth: the bound and the value of the column where a relaxation was branched. */
    number *note_column;
    double *note_bound, *note_value;
    number *numbers;
} Nodes;

typedef struct {
    void *highs;
    int (*change_bounds)(void *, int, const int32_t *, const double *, const double *);
    int (*run)(void *);
    int (*get_status)(void *);
    int (*get_solution)(void *, double *, double *, double *, double *);
    int (*get_ray)(void *, int32_t *, double *);
    int (*get_basis)(void *, int32_t *, int32_t *);
} Highs;

/* The places of single numbers. */
enum {
    ROWS, INTEGERS, DIGITS, POWER, LIMITED, STRICT, LIMIT_HIGH, LIMIT_LOW, LIMIT_BITS,
    RELAXATIONS, PRUNED, UNPROVED, STOP, EFFORT, CONTINUOUS_COLUMNS
};

/* What a relaxation claims: the numbers of `CLAIMS`. */
enum { NOTHING, INFEASIBLE, BOUND_REACHED, OPTIMAL };
_Static_assert(NOTHING == (int)SIMPLEX_DOUBT && OPTIMAL == (int)SIMPLEX_OPTIMAL, "one order");

#define FINE 40      /* the binary digits of the cutoff's fraction */
#define GRID 20      /* those of the bounds of continuous columns */
#define ROOM 126
#define WHOLE 1e-6
#define TINY 1e-6

static inline double double_of(wide value)
{
    return (double)(int64_t)(value >> 64) * 18446744073709551616.0 + (double)(uint64_t)value;
}

/* Return 2**power for -1000 <= power <= 1000. */
static inline double power_of_two(number power)
{
    union { word bits; double value; } found;
    found.bits = (word)(power + 1023) << 52;
    return found.value;
}

/* Return the exponent e with 2**(e-1) <= value < 2**e, for a normal value. */
static inline number exponent_of(double value)
{
    union { double value; word bits; } found;
    found.value = value;
    return (number)((found.bits >> 52) & 2047) - 1022;
}

/* Return the nearest whole number, halves to the even one. */
static inline number nearest(double value)
{
    const double magic = 6755399441055744.0; /* 1.5 * 2**52 */
    if (absolute(value) < 2251799813685248.0)
        value = value + magic - magic;
    return (number)value;
}

/* The same of values up to 2**126; from 2**53 on, all are whole. */
static inline wide nearest_wide(double value)
{
    const number more = exponent_of(value) - 53;
    if (more <= 0)
        return nearest(value);
    return (wide)(number)(value * power_of_two(-more)) * ((wide)1 << more);
}

static inline double floor_of(double value)
{
    const double whole = (double)(number)value;
    return whole > value ? whole - 1 : whole;
}

/* The bound that multipliers give, times 2**power; 0 if they give none. */
static int bound_of(const Tree *t, const Nodes *r, double sign, int cost, wide *bound,
                    number *power)
{
    const number *const n = r->numbers;
    const double *const factor = cost ? r->factor : r->ray_factor;
    double greatest = 0;
    number reach = -4000;
    for (number row = 0; row < n[ROWS]; row++) {
        const double one = sign * r->prices[row] * factor[row];
        if ((one > 0 && !(r->sides[row] & 1)) || (one < 0 && !(r->sides[row] & 2)))
            continue;
        const double size = absolute(one);
        if (!(size < 1e290))
            return 0;
        if (size > greatest)
            greatest = size;
        if (size > 0 && exponent_of(size) + r->reach[row] > reach)
            reach = exponent_of(size) + r->reach[row];
    }
    if (greatest < 1e-290) {
        if (!cost)
            return 0;
        greatest = 0;
    }
    const number size = greatest > 0 ? exponent_of(greatest) : 0;
    *power = smaller(n[DIGITS] - size, ROOM - reach);
    if (cost)
        *power = *power < 0 ? 0 : smaller(*power, n[POWER]);
    if (size + *power > n[DIGITS] || reach + *power > ROOM || *power > 1000 || *power < -1000)
        return 0;
    const double by = power_of_two(*power);
    wide total = 0;
    for (number row = 0; row < n[ROWS]; row++) {
        const double one = sign * r->prices[row] * factor[row];
        wide y = 0;
        if (!((one > 0 && !(r->sides[row] & 1)) || (one < 0 && !(r->sides[row] & 2))))
            y = nearest_wide(one * by);
        r->y[row] = y;
        if (y != 0)
            total += y * (y > 0 ? r->lower[row] : r->upper[row]);
    }
    wide rest = 0;
    const number columns = n[INTEGERS] + n[CONTINUOUS_COLUMNS];
    for (number column = 0; column < columns; column++) {
        wide d = cost ? (wide)((natural)(wide)r->cost[column] << *power) : 0;
        for (number k = r->column_start[column]; k < r->column_start[column + 1]; k++)
            d -= r->y[r->column_row[k]] * r->column_value[k];
        r->reduced[column] = d;
        if (d == 0)
            continue;
        if (column < n[INTEGERS])
            total += d * (d > 0 ? t->low[column] : t->high[column]);
        else {
            const number own = column - n[INTEGERS];
            if (!(r->ends[own] & (d > 0 ? 1 : 2)))
                return 0;
            rest += d * (d > 0 ? r->end_low[own] : r->end_high[own]);
        }
    }
    *bound = total + (rest >> GRID);
    return 1;
}

/* The cutoff times 2**power, rounded up; 0 if it is too large for 128 bits. */
static int limit_of(const Nodes *r, number power, wide *limit)
{
    const number *const n = r->numbers;
    const wide fine = (wide)(((natural)(word)n[LIMIT_HIGH] << 64) | (word)n[LIMIT_LOW]);
    if (n[LIMIT_BITS] + power - FINE > ROOM)
        return 0;
    if (power >= FINE)
        *limit = (wide)((natural)fine << (power - FINE));
    else
        *limit = -((-fine) >> (FINE - power));
    return 1;
}

static double limit_as_double(const Nodes *r)
{
    const number *const n = r->numbers;
    return double_of((wide)(((natural)(word)n[LIMIT_HIGH] << 64) | (word)n[LIMIT_LOW]))
           * power_of_two(-FINE);
}

/* Note by how much the branching above has raised the bound. */
static void learn(const Tree *t, const Nodes *r, number depth, double bound)
{
    if (depth == 0 || r->note_column[depth - 1] != t->branch[depth - 1])
        return;
    const number column = t->branch[depth - 1], split = t->split[depth - 1];
    const number columns = r->numbers[INTEGERS];
    const int above = t->low[column] > split;
    const double value = r->note_value[depth - 1];
    const double distance = above ? (double)(split + 1) - value : value - (double)split;
    if (distance > WHOLE && distance < 1) {
        const double rise = bound - r->note_bound[depth - 1];
        const double gain = (rise > 0 ? rise : 0) / distance;
        r->gains[above * columns + column] += gain;
        r->times[above * columns + column] += 1;
        r->gains[2 * columns + above] += gain;
        r->times[2 * columns + above] += 1;
    }
}

/* Wish the bounds that columns have below the cutoff, by their reduced costs. */
static void fix(const Tree *t, const Nodes *r, wide room)
{
    number count = 0;
    for (number column = 0; column < r->numbers[INTEGERS]; column++) {
        const wide d = r->reduced[column], size = d < 0 ? -d : d;
        const number low = t->low[column], high = t->high[column];
        if (size * (high - low) <= room)
            continue;
        /* The most steps that leave it within the cutoff, fewer than its range. */
        number steps = 0, beyond = high - low;
        while (beyond - steps > 1) {
            const number middle = steps + (beyond - steps) / 2;
            if (size * middle <= room)
                steps = middle;
            else
                beyond = middle;
        }
        t->wish_side[count] = 2 * column + (d > 0);
        t->wish_bound[count++] = d > 0 ? low + steps : high - steps;
    }
    t->numbers[WISHES] = count;
}

/* Choose the column on which the current node is branched. */
static void branch(const Tree *t, const Nodes *r, number depth, int bounded, double bound)
{
    const number columns = r->numbers[INTEGERS];
    number end = 0, widest = -1, best = -1;
    /* Columns that distinguish solutions come first. */
    for (number column = 0; column < t->numbers[DISTINCT]; column++)
        if (t->low[column] < t->high[column])
            end = t->numbers[DISTINCT];
    if (end == 0)
        end = columns;
    double mean[2], most = -1, best_value = 0;
    for (int side = 0; side < 2; side++) {
        const double times = r->times[2 * columns + side];
        mean[side] = times > 0 ? r->gains[2 * columns + side] / times : 1.0;
    }
    double widest_value = 0;
    for (number column = 0; column < end; column++) {
        if (t->low[column] >= t->high[column])
            continue;
        double value = r->values[column];
        if (!(value > (double)t->low[column]))
            value = (double)t->low[column];
        else if (!(value < (double)t->high[column]))
            value = (double)t->high[column];
        const double part = value - floor_of(value);
        if (part > WHOLE && part < 1 - WHOLE) {
            double score[2];
            for (int side = 0; side < 2; side++) {
                const double times = r->times[side * columns + column];
                const double gain =
                    times > 0 ? r->gains[side * columns + column] / times : mean[side];
                score[side] = gain * (side ? 1 - part : part);
                if (!(score[side] > TINY))
                    score[side] = TINY;
            }
            if (score[0] * score[1] > most) {
                most = score[0] * score[1];
                best = column;
                best_value = value;
            }
        } else if (bounded) {
            const wide d = r->reduced[column], other = widest < 0 ? -1 : r->reduced[widest];
            if (widest < 0 || (d < 0 ? -d : d) > (other < 0 ? -other : other)) {
                widest = column;
                widest_value = value;
            }
        }
    }
    number *const count = t->numbers;
    if (best >= 0) {
        count[COLUMN] = best;
        count[SPLIT] = (number)floor_of(best_value);
        count[ABOVE] = best_value - floor_of(best_value) > 0.5;
        if (bounded) {
            r->note_column[depth] = best;
            r->note_bound[depth] = bound;
            r->note_value[depth] = best_value;
        }
    } else if (widest >= 0) {
        const number value = nearest(widest_value);
        count[COLUMN] = widest;
        count[ABOVE] = value > t->low[widest];
        count[SPLIT] = value - count[ABOVE];
    }
}

/* Judge a claim about the current node: prune it, or say where to branch. */
PUBLIC(calmip_pool_judge)
number calmip_pool_judge(const Tree *t, const Nodes *r, number claim)
{
    number *const n = r->numbers;
    const number depth = t->numbers[DEPTH];
    wide bound, limit;
    number power;
    n[RELAXATIONS]++;
    r->note_column[depth] = -1;
    if (claim == INFEASIBLE) {
        for (double sign = 1; sign > -2; sign -= 2)
            if (bound_of(t, r, sign, 0, &bound, &power) && bound > 0) {
                n[PRUNED]++;
                if (n[LIMITED]) /* at least up to the cutoff */
                    learn(t, r, depth, limit_as_double(r));
                prune(t);
                return 1;
            }
        n[UNPROVED]++;
        return 0;
    }
    if (claim == NOTHING)
        return 0;
    int bounded = 0;
    double value = 0;
    if (n[LIMITED] && bound_of(t, r, 1, 1, &bound, &power) && limit_of(r, power, &limit)) {
        bounded = 1;
        value = double_of(bound) * power_of_two(-power);
        learn(t, r, depth, value);
        if (bound > limit || (n[STRICT] && bound == limit)) {
            n[PRUNED]++;
            prune(t);
            return 1;
        }
        fix(t, r, limit - bound);
    }
    if (claim != OPTIMAL)
        n[UNPROVED]++;
    else if (t->numbers[ASK] != PAYING)
        branch(t, r, depth, bounded, value);
    return 0;
}

/* Let HiGHS solve the relaxation of the current node. */
static number ask(const Tree *t, const Nodes *r, const Highs *h)
{
    int32_t count = 0;
    for (number column = 0; column < r->numbers[INTEGERS]; column++) {
        const double low = (double)t->low[column], high = (double)t->high[column];
        if (low == r->low[column] && high == r->high[column])
            continue;
        r->changed[count] = (int32_t)column;
        r->changed_low[count] = r->low[column] = low;
        r->changed_high[count++] = r->high[column] = high;
    }
    if (count > 0)
        h->change_bounds(h->highs, count, r->changed, r->changed_low, r->changed_high);
    h->run(h->highs);
    const int status = h->get_status(h->highs);
    if (status == 8) {
        int32_t known = 0;
        if (r->numbers[ROWS] > 0)
            h->get_ray(h->highs, &known, r->prices);
        r->numbers[UNPROVED] += !known;
        return known ? INFEASIBLE : NOTHING;
    }
    if (status != 7 && status != 11)
        return NOTHING;
    h->get_solution(h->highs, r->values, 0, 0, r->prices);
    return status == 7 ? OPTIMAL : BOUND_REACHED;
}

/* Solve the relaxation of the current node, and judge the answer. */
static void solve(const Tree *t, const Nodes *r, const Highs *h, const Simplex *s)
{
    if (s && s->numbers[DOUBTS] > 0) {
        for (number column = 0; column < r->numbers[INTEGERS]; column++)
            simplex_bound(s, column, (double)t->low[column], (double)t->high[column]);
        const number before = s->numbers[ITERATIONS];
        const number claim = simplex_solve(s, r->values, r->prices);
        t->numbers[WORK] += (s->numbers[ITERATIONS] - before) * s->rows * s->rows / 8;
        const number unproved = r->numbers[UNPROVED];
        /* What it claims without a proof, HiGHS may prove. */
        if (claim != SIMPLEX_DOUBT && (calmip_pool_judge(t, r, claim) || claim == OPTIMAL))
            return;
        r->numbers[UNPROVED] = unproved;
    }
    const number claim = ask(t, r, h);
    const int pruned = calmip_pool_judge(t, r, claim) != 0;
    if (s && s->numbers[DOUBTS] > 0) {
        s->numbers[DOUBTS]--;
        if (claim == OPTIMAL && !pruned) {
            h->get_basis(h->highs, s->states, s->states + s->columns);
            simplex_start(s, s->states);
        }
    }
}

/* Search on until something happens; solve the relaxations of the nodes on the way. */
PUBLIC(calmip_pool_nodes)
number calmip_pool_nodes(const Tree *t, const Nodes *r, const Highs *h, const Simplex *s,
                         number work)
{
    const number end = t->numbers[WORK] + work;
    while (t->numbers[WORK] < end) {
        const number event = calmip_pool(t, end - t->numbers[WORK]);
        if (event != NODE)
            return event;
        solve(t, r, h, s);
        t->numbers[WORK] += r->numbers[EFFORT];
        if (t->numbers[NODES] >= r->numbers[STOP])
            break;
    }
    return PAUSE;
}
