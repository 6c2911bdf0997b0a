/* Coefficients by rows, in the order of the columns; calmip/mip/files/entries.py calls this loop. */

#include "kernel.h"

typedef struct {
    number count, rows, columns;
    const int32_t *row, *column;
    int32_t *start;          /* rows + 1 */
    int32_t *order;          /* the place of each coefficient before */
    int32_t *by_column;      /* as many as `order`, or none if it is not yet needed */
    int32_t *column_start;   /* columns + 1, likewise */
} Sorting;

enum { SORTED = DONE, MIXED = 4, DOUBLE = 5 };

/* Sort places by a key, stably. */
static void sort(number count, const int32_t *from, const int32_t *key, number keys, int32_t *start, int32_t *to)
{
    for (number i = 0; i <= keys; i++)
        start[i] = 0;
    for (number i = 0; i < count; i++)
        start[key[i] + 1]++;
    for (number i = 0; i < keys; i++)
        start[i + 1] += start[i];
    for (number i = 0; i < count; i++) {
        const int32_t place = from ? from[i] : (int32_t)i;
        to[start[key[place]]++] = place;
    }
    for (number i = keys; i > 0; i--)
        start[i] = start[i - 1];
    start[0] = 0;
}

/* Whether the columns of each row ascend, MIXED if not, DOUBLE if one comes twice. */
static number ascending(const Sorting *s)
{
    number found = SORTED;
    for (number row = 0; row < s->rows; row++)
        for (number i = s->start[row] + 1; i < s->start[row + 1]; i++) {
            const int32_t before = s->column[s->order[i - 1]], now = s->column[s->order[i]];
            if (before == now)
                return DOUBLE;
            if (before > now)
                found = MIXED;
        }
    return found;
}

PUBLIC(calmip_by_row)
number calmip_by_row(Sorting *s)
{
    if (s->by_column)
        sort(s->count, 0, s->column, s->columns, s->column_start, s->by_column);
    sort(s->count, s->by_column, s->row, s->rows, s->start, s->order);
    return ascending(s);
}

/* Copy the coefficients in their new order. */
PUBLIC(calmip_by_row_copy)
number calmip_by_row_copy(const Sorting *s, const double *from, int32_t *column, double *to)
{
    for (number i = 0; i < s->count; i++) {
        column[i] = s->column[s->order[i]];
        to[i] = from[s->order[i]];
    }
    return DONE;
}
