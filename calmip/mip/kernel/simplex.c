/* The dual simplex method for the small linear relaxations of the pool's nodes.

   The inverse of the basis is kept as it is, column by column: for some hundred rows that is faster than
   factors, and a node costs a few pivots without any start. Leaving rows are chosen by the exact
   steepest edge (Forrest and Goldfarb 1992), entering columns by the ratio test that passes
   columns whose other bound is near (Fourer 1994). All is in floating point, and nothing
   rests on it: relaxation.c judges the multipliers in whole numbers. Where this method is in doubt,
   it says so, and HiGHS solves the node.

   Column `columns + i` is the sum of row i: every row is an equation, with right-hand side 0. */

#include "simplex.h"

#define FEASIBLE 1e-7
#define OPTIMAL_WITHIN 1e-9
#define PIVOT 1e-7
#define CANCELLED 1e-13
#define INFINITE __builtin_inf()

static inline int open_ended(double bound) { return bound == INFINITE || bound == -INFINITE; }

/* List the places of what is not 0. */
static number list_places(const Simplex *s, const double *numbers)
{
    number count = 0;
    for (number i = 0; i < s->rows; i++)
        if (numbers[i] != 0)
            s->places[count++] = (int32_t)i;
    return count;
}

/* Add a multiple of a column of the inverse. */
static inline void add(const Simplex *s, number i, double factor, double *sums)
{
    const double *const own = s->inverse + i * s->rows;
    for (number place = 0; place < s->rows; place++)
        sums[place] += factor * own[place];
}

/* Set `column` to the inverse times a column of the matrix. */
static void transform(const Simplex *s, number chosen, double *column)
{
    for (number place = 0; place < s->rows; place++)
        column[place] = 0;
    if (chosen >= s->columns)
        add(s, chosen - s->columns, -1, column);
    else
        for (number k = s->column_start[chosen]; k < s->column_start[chosen + 1]; k++)
            add(s, s->column_row[k], s->column_value[k], column);
}

/* Let the column at a place of the basis leave for another, whose transformed column is given. */
static void pivot(const Simplex *s, number place, number entering, const double *column)
{
    const number m = s->rows, count = list_places(s, column);
    const int sparse = 4 * count < m;
    const double by = 1 / column[place];
    double *const weight = s->weight;
    double norm = 0;
    for (number i = 0; i < m; i++) {
        double *const own = s->inverse + i * m;
        if (own[place] == 0)
            continue;
        const double factor = own[place] * by;
        norm += factor * factor;
        if (sparse)
            for (number k = 0; k < count; k++) {
                const number other = s->places[k];
                const double old = own[other], now = old - factor * column[other];
                own[other] = absolute(now) < CANCELLED * absolute(old) ? 0 : now;
                weight[other] += now * now - old * old;
            }
        else
            for (number other = 0; other < m; other++) {
                const double old = own[other], now = old - factor * column[other];
                own[other] = now;
                weight[other] += now * now - old * old;
            }
        own[place] = factor;
    }
    weight[place] = norm;
    for (number other = 0; other < m; other++)
        if (!(weight[other] > 1e-12))
            weight[other] = 1e-12;
    const number leaving = s->basis[place];
    s->place_of[leaving] = -1;
    s->place_of[entering] = (int32_t)place;
    s->basis[place] = (int32_t)entering;
}

/* Compute the values of the basic columns. */
static void compute_values(const Simplex *s)
{
    const number m = s->rows, all = s->columns + m;
    double *const right = s->right;
    for (number i = 0; i < m; i++)
        right[i] = s->moved[i] = 0;
    for (number column = 0; column < all; column++) {
        const double value = s->value[column];
        if (s->place_of[column] >= 0 || value == 0)
            continue;
        if (column >= s->columns)
            right[column - s->columns] += value;
        else
            for (number k = s->column_start[column]; k < s->column_start[column + 1]; k++)
                right[s->column_row[k]] -= s->column_value[k] * value;
    }
    double *const sums = s->column;
    for (number place = 0; place < m; place++)
        sums[place] = 0;
    for (number i = 0; i < m; i++)
        if (right[i] != 0)
            add(s, i, right[i], sums);
    for (number place = 0; place < m; place++)
        s->value[s->basis[place]] = sums[place];
}

/* Compute the reduced costs; 0 if a column without the bound that it needs has a wrong one. */
static int compute_costs(const Simplex *s)
{
    const number m = s->rows;
    double *const prices = s->right;
    for (number place = 0; place < m; place++)
        s->column[place] = s->basis[place] < s->columns ? s->cost[s->basis[place]] : 0;
    const number count = list_places(s, s->column);
    for (number i = 0; i < m; i++) {
        prices[i] = 0;
        for (number k = 0; k < count; k++)
            prices[i] += s->column[s->places[k]] * s->inverse[i * m + s->places[k]];
    }
    int fine = 1;
    for (number column = 0; column < s->columns + m; column++) {
        double d = column < s->columns ? s->cost[column] : prices[column - s->columns];
        if (s->place_of[column] >= 0) {
            s->reduced[column] = 0;
            continue;
        }
        if (column < s->columns)
            for (number k = s->column_start[column]; k < s->column_start[column + 1]; k++)
                d -= prices[s->column_row[k]] * s->column_value[k];
        if (absolute(d) < OPTIMAL_WITHIN)
            d = 0;
        const double low = s->low[column], high = s->high[column];
        if ((d > 0 && open_ended(low)) || (d < 0 && open_ended(high))) {
            fine = fine && absolute(d) < 1e-6;
            d = 0;
        }
        s->reduced[column] = d;
        double value = s->value[column];
        if (d > 0)
            value = low;
        else if (d < 0)
            value = high;
        else if (value != high || open_ended(high))
            value = open_ended(low) ? (open_ended(high) ? 0 : high) : low;
        s->value[column] = value;
    }
    return fine;
}

/* Invert the basis of the marked columns; 0 if some place finds no column. */
static int invert(const Simplex *s)
{
    const number m = s->rows, all = s->columns + m;
    int32_t *const wanted = s->candidates;
    number count = 0;
    for (number column = 0; column < s->columns; column++)
        if (s->place_of[column] >= 0)
            wanted[count++] = (int32_t)column;
    for (number k = 0; k < m * m; k++)
        s->inverse[k] = 0;
    for (number i = 0; i < m; i++) {
        s->inverse[i * m + i] = -1;
        s->weight[i] = 1;
        s->basis[i] = (int32_t)(s->columns + i);
        /* The sums that are to stay in the basis are no places for others. */
        s->kept[i] = s->place_of[s->columns + i] >= 0;
    }
    for (number column = 0; column < all; column++)
        s->place_of[column] = -1;
    for (number i = 0; i < m; i++)
        s->place_of[s->columns + i] = (int32_t)i;
    /* Short columns first: they fill least. */
    for (number length = 1; count > 0; length++) {
        number left = 0;
        for (number k = 0; k < count; k++) {
            const number column = wanted[k];
            if (s->column_start[column + 1] - s->column_start[column] > length) {
                wanted[left++] = (int32_t)column;
                continue;
            }
            transform(s, column, s->column);
            number best = -1;
            for (number i = 0; i < m; i++)
                if (!s->kept[i] && (best < 0 || absolute(s->column[i]) > absolute(s->column[best])))
                    best = i;
            if (best < 0 || absolute(s->column[best]) < PIVOT)
                return 0;
            s->kept[best] = 1;
            pivot(s, best, column, s->column);
        }
        count = left;
    }
    s->numbers[PIVOTS] = 0;
    return 1;
}

/* Invert again and compute all numbers from there; 0 if that fails. */
static int renew(const Simplex *s)
{
    if (!invert(s) || !compute_costs(s))
        return 0;
    compute_values(s);
    return 1;
}

/* Begin with a basis: by column and by row 1 if it is basic, 2 if it is at its upper bound. */
int simplex_start(const Simplex *s, const int32_t *states)
{
    number count = 0;
    for (number column = 0; column < s->columns + s->rows; column++) {
        const double low = s->low[column], high = s->high[column];
        count += states[column] == 1;
        s->place_of[column] = states[column] == 1 ? 0 : -1;
        s->value[column] = states[column] == 2 ? high : low;
        if (open_ended(s->value[column]))
            s->value[column] = open_ended(low) ? (open_ended(high) ? 0 : high) : low;
    }
    s->numbers[READY] = count == s->rows && renew(s);
    return s->numbers[READY] != 0;
}

/* Give an integer column the bounds of a node. */
void simplex_bound(const Simplex *s, number column, double low, double high)
{
    if (s->low[column] == low && s->high[column] == high)
        return;
    s->low[column] = low;
    s->high[column] = high;
    if (s->place_of[column] >= 0)
        return;
    const double d = s->reduced[column], old = s->value[column];
    const double value = d > 0 ? low : d < 0 ? high : old < low ? low : old > high ? high
                       : old == low || old == high ? old : low;
    const double step = value - old;
    if (step == 0)
        return;
    s->value[column] = value;
    for (number k = s->column_start[column]; k < s->column_start[column + 1]; k++)
        s->moved[s->column_row[k]] += s->column_value[k] * step;
}

/* Move the basic columns by what the others have moved. */
static void follow(const Simplex *s)
{
    const number m = s->rows;
    double *const sums = s->right;
    int any = 0;
    for (number i = 0; i < m; i++)
        sums[i] = 0;
    for (number i = 0; i < m; i++)
        if (s->moved[i] != 0) {
            add(s, i, s->moved[i], sums);
            s->moved[i] = 0;
            any = 1;
        }
    for (number place = 0; any && place < m; place++)
        s->value[s->basis[place]] -= sums[place];
}

/* The row of the tableau at a place, for all columns that are not basic. */
static void expand(const Simplex *s, number place)
{
    const number m = s->rows;
    for (number column = 0; column < s->columns; column++)
        s->row[column] = 0;
    for (number i = 0; i < m; i++) {
        const double factor = s->inverse[i * m + place];
        s->row[s->columns + i] = -factor;
        if (factor == 0)
            continue;
        for (number k = s->row_start[i]; k < s->row_start[i + 1]; k++)
            s->row[s->row_column[k]] += factor * s->row_value[k];
    }
}

/* Return the column that enters, -1 if there is none; move those that it passes. */
static number enter(const Simplex *s, double sign, double slope)
{
    number count = 0;
    for (number column = 0; column < s->columns + s->rows; column++) {
        if (s->place_of[column] >= 0 || s->low[column] == s->high[column])
            continue;
        const double a = sign * s->row[column];
        if (absolute(a) < 1e-9)
            continue;
        const double d = s->reduced[column];
        const int free = open_ended(s->low[column]) && open_ended(s->high[column]);
        const int at_low = d > 0 || (d == 0 && s->value[column] == s->low[column]);
        if (free || (a > 0) == at_low)
            s->candidates[count++] = (int32_t)column;
    }
    while (count > 0) {
        double most = INFINITE;
        for (number k = 0; k < count; k++) {
            const number column = s->candidates[k];
            const double ratio =
                (absolute(s->reduced[column]) + OPTIMAL_WITHIN) / absolute(s->row[column]);
            if (ratio < most)
                most = ratio;
        }
        number left = 0, best = -1;
        double fall = 0;
        for (number k = 0; k < count; k++) {
            const number column = s->candidates[k];
            const double size = absolute(s->row[column]);
            if (absolute(s->reduced[column]) > most * size)
                continue;
            fall += size * (s->high[column] - s->low[column]);
            if (best < 0 || size > absolute(s->row[best]))
                best = column;
        }
        if (!(slope - fall > FEASIBLE))
            return best;
        slope -= fall;
        for (number k = 0; k < count; k++) {
            const number column = s->candidates[k];
            if (absolute(s->reduced[column]) > most * absolute(s->row[column])) {
                s->candidates[left++] = (int32_t)column;
                continue;
            }
            s->passed[s->numbers[PASSED]++] = (int32_t)column;
        }
        count = left;
    }
    return -1;
}

/* Move columns to their other bounds. */
static void flip(const Simplex *s)
{
    for (number k = 0; k < s->numbers[PASSED]; k++) {
        const number column = s->passed[k];
        const double low = s->low[column], high = s->high[column];
        const double step = s->value[column] == low ? high - low : low - high;
        s->value[column] = step > 0 ? high : low;
        if (column >= s->columns)
            s->moved[column - s->columns] -= step;
        else
            for (number i = s->column_start[column]; i < s->column_start[column + 1]; i++)
                s->moved[s->column_row[i]] += s->column_value[i] * step;
    }
    follow(s);
}

/* Return whether the values satisfy the equations. */
static int accurate(const Simplex *s)
{
    for (number i = 0; i < s->rows; i++) {
        double sum = -s->value[s->columns + i], size = 1;
        for (number k = s->row_start[i]; k < s->row_start[i + 1]; k++) {
            const double part = s->row_value[k] * s->value[s->row_column[k]];
            sum += part;
            if (absolute(part) > size)
                size = absolute(part);
        }
        if (!(absolute(sum) <= 1e-7 * size))
            return 0;
    }
    return 1;
}

static void write_prices(const Simplex *s, double *prices)
{
    for (number i = 0; i < s->rows; i++)
        prices[i] = s->reduced[s->columns + i];
}

static int search(const Simplex *s, double *values, double *prices)
{
    const number m = s->rows, all = s->columns + m, end = 100 + m;
    number *const count = s->numbers;
    const double cutoff = *s->cutoff;
    follow(s);
    int renewed = 0;
    for (number step = 0; step < end; step++) {
        if (count[PIVOTS] >= 100 + m) {
            if (!renew(s))
                return SIMPLEX_DOUBT;
        }
        number place = -1;
        double worst = 0;
        for (number i = 0; i < m; i++) {
            const number column = s->basis[i];
            const double value = s->value[column];
            const double excess =
                value < s->low[column] ? s->low[column] - value : value - s->high[column];
            if (excess > FEASIBLE && excess * excess > worst * s->weight[i]) {
                worst = excess * excess / s->weight[i];
                place = i;
            }
        }
        if (place < 0) {
            if (!accurate(s)) {
                if (renewed++ || !renew(s))
                    return SIMPLEX_DOUBT;
                continue;
            }
            for (number column = 0; column < s->columns; column++)
                values[column] = s->value[column];
            write_prices(s, prices);
            return SIMPLEX_OPTIMAL;
        }
        const number leaving = s->basis[place];
        const int below = s->value[leaving] < s->low[leaving];
        const double bound = below ? s->low[leaving] : s->high[leaving];
        const double sign = below ? -1 : 1;
        expand(s, place);
        count[PASSED] = 0;
        const number entering = enter(s, sign, absolute(s->value[leaving] - bound));
        if (entering < 0) {
            for (number i = 0; i < m; i++)
                prices[i] = s->inverse[i * m + place];
            return SIMPLEX_INFEASIBLE;
        }
        transform(s, entering, s->column);
        const double size = s->row[entering], other = s->column[place];
        if (absolute(size) < PIVOT || absolute(size - other) > 1e-7 * (1 + absolute(size))) {
            if (renewed++ || !renew(s))
                return SIMPLEX_DOUBT;
            continue;
        }
        flip(s);
        const double far = (s->value[leaving] - bound) / other;
        for (number i = 0; i < m; i++)
            s->value[s->basis[i]] -= far * s->column[i];
        s->value[entering] += far;
        s->value[leaving] = bound;
        double along = s->reduced[entering] / size;
        if (along * sign < 0)
            along = 0;
        for (number column = 0; column < all; column++) {
            if (s->place_of[column] >= 0 || s->row[column] == 0 || along == 0)
                continue;
            double d = s->reduced[column] - along * s->row[column];
            if (absolute(d) < 1e-12)
                d = 0;
            /* A wrong sign within the tolerance counts as 0. */
            const double value = s->value[column];
            if ((d > 0 && value != s->low[column]) || (d < 0 && value != s->high[column])) {
                if (s->low[column] != s->high[column])
                    d = 0;
            }
            s->reduced[column] = d;
        }
        s->reduced[entering] = 0;
        s->reduced[leaving] = -along;
        pivot(s, place, entering, s->column);
        count[PIVOTS]++;
        count[ITERATIONS]++;
        double total = 0;
        for (number column = 0; column < s->columns; column++)
            total += s->cost[column] * s->value[column];
        if (total > cutoff) {
            write_prices(s, prices);
            return SIMPLEX_BOUND;
        }
    }
    return SIMPLEX_DOUBT;
}

/* Solve for the bounds of a node: SIMPLEX_OPTIMAL, _INFEASIBLE, _BOUND or _DOUBT. */
int simplex_solve(const Simplex *s, double *values, double *prices)
{
    const int found = s->numbers[READY] ? search(s, values, prices) : SIMPLEX_DOUBT;
    s->numbers[READY] = found != SIMPLEX_DOUBT;
    return found;
}
