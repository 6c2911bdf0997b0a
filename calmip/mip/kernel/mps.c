/* The usual lines of MPS files; calmip/mip/files/mps/compiled.py calls this loop. */

#include "texts.h"

typedef struct {
    const unsigned char *text;
    number size, at;          /* where the next line begins */
    Names rows, columns;      /* rows are all lines of ROWS */
    const int32_t *target;    /* the model's row, or one of the next two */
    int32_t *mark;            /* the last column that has the row, plus 1 */
    int8_t *integer;
    number current, in_marker;   /* -1 behind a marker */
    number set_at, set_size;     /* the set of the section; the first is -1 without any */
    Coefficients entries;
    Items items;
} Mps;

enum { OBJECTIVE = -1, FREE_ROW = -2 };
enum { ROWS, COLUMNS, RHS, RANGES, BOUNDS };
enum { MOST_FIELDS = 5 };

static const char *const KINDS[] = {"up", "lo", "fx", "ui", "li", "sc", "si", "bv", "fr", "mi", "pl"};
enum { WITH_VALUE = 7, ALL_KINDS = 11 };

/* The number of fields of the line, or -1 if one of its characters is unusual. */
static number split(const Mps *m, Piece *fields, number *next)
{
    const unsigned char *text = m->text;
    number at = m->at, count = 0;
    for (;;) {
        while (at < m->size && is_blank(text[at]))
            at++;
        if (at >= m->size || text[at] == '\n')
            break;
        if (count == MOST_FIELDS || text[at] == '$')
            return -1;
        const number first = at;
        while (at < m->size && text[at] > ' ')
            at++;
        if (at < m->size && !is_blank(text[at]) && text[at] != '\n')
            return -1;
        fields[count].at = first;
        fields[count++].size = at - first;
    }
    *next = at < m->size ? at + 1 : at;
    return count;
}

/* Whether the whole of a piece is a short decimal number. */
static int short_number(const unsigned char *text, Piece piece, double *value)
{
    const number end = piece.at + piece.size;
    number at = piece.at;
    int known = 0;
    const int negative = text[at] == '-';
    at += negative || text[at] == '+';
    if (scan_number(text, at, end, value, &known) != end || !known)
        return 0;
    if (negative)
        *value = -*value;
    return 1;
}

static int take_row(Mps *m, const Piece *f, number count)
{
    if (count != 2 || f[0].size != 1 || m->rows.count == m->rows.room)
        return 0;
    const unsigned char sense = lower(m->text[f[0].at]);
    if (sense != 'n' && sense != 'e' && sense != 'l' && sense != 'g')
        return 0;
    Piece bare = f[1];
    while (bare.size && m->text[bare.at] == '\'')
        bare.at++, bare.size--;
    while (bare.size && m->text[bare.at + bare.size - 1] == '\'')
        bare.size--;
    if (is_word(m->text, bare, "marker") || find_name(&m->rows, m->text, f[1]) >= 0)
        return 0;
    add_item(&m->items, add_name(&m->rows, m->text, f[1]), sense, f[1]);
    return 1;
}

static int take_marker(Mps *m, Piece kind)
{
    const int begins = is_word(m->text, kind, "'intorg'");
    if ((!begins && !is_word(m->text, kind, "'intend'")) || begins == m->in_marker)
        return 0;
    m->in_marker = begins;
    m->current = -1;
    return 1;
}

static int take_column(Mps *m, const Piece *f, number count)
{
    const unsigned char *text = m->text;
    number rows[2];
    double values[2];
    int known[2];
    if (count == 3 && is_word(text, f[1], "'marker'"))
        return take_marker(m, f[2]);
    if (count != 3 && count != 5)
        return 0;
    number column = m->current;
    if (column < 0 || m->columns.size[column] != f[0].size ||
        !same(text + m->columns.at[column], text + f[0].at, f[0].size)) {
        if (m->columns.count == m->columns.room || find_name(&m->columns, text, f[0]) >= 0)
            return 0;
        column = m->columns.count;
    }
    const number pairs = count / 2;
    for (number i = 0; i < pairs; i++) {
        rows[i] = find_name(&m->rows, text, f[1 + 2 * i]);
        if (rows[i] < 0 || m->mark[rows[i]] == column + 1 || (i && rows[1] == rows[0]))
            return 0;
        known[i] = short_number(text, f[2 + 2 * i], &values[i]);
        if (!known[i] && m->target[rows[i]] == FREE_ROW)
            return 0;
    }
    if (column == m->columns.count) {
        m->current = add_name(&m->columns, text, f[0]);
        m->integer[column] = (int8_t)m->in_marker;
    }
    for (number i = 0; i < pairs; i++) {
        const number row = m->target[rows[i]];
        m->mark[rows[i]] = (int32_t)(column + 1);
        if (row == OBJECTIVE)
            add_item(&m->items, -1 - column, 0, f[2 + 2 * i]);
        if (row < 0 || (known[i] && values[i] == 0))
            continue;
        Coefficients *e = &m->entries;
        if (!known[i])
            add_item(&m->items, e->count, 0, f[2 + 2 * i]);
        e->row[e->count] = (int32_t)row;
        e->column[e->count] = (int32_t)column;
        e->value[e->count++] = known[i] ? values[i] : 0;
    }
    return 1;
}

/* Whether a line may be of a set of that name: a section has one. */
static int take_set(Mps *m, Piece set)
{
    if (m->set_at < 0) {
        m->set_at = set.at;
        m->set_size = set.size;
    }
    return m->set_size == set.size && same(m->text + m->set_at, m->text + set.at, set.size);
}

static int take_side(Mps *m, const Piece *f, number count, number section)
{
    number rows[2];
    if (count < 2)
        return 0;
    const number pairs = count / 2;
    const Piece *pair = f + count % 2;
    for (number i = 0; i < pairs; i++) {
        rows[i] = find_name(&m->rows, m->text, pair[2 * i]);
        if (rows[i] < 0 || m->mark[rows[i]] || (i && rows[1] == rows[0]))
            return 0;
        if (section == RANGES && m->target[rows[i]] < 0)
            return 0;
    }
    if (count % 2 && !take_set(m, f[0]))
        return 0;
    for (number i = 0; i < pairs; i++) {
        m->mark[rows[i]] = 1;
        add_item(&m->items, rows[i], 0, pair[2 * i + 1]);
    }
    return 1;
}

static int take_bound(Mps *m, const Piece *f, number count)
{
    number kind = 0;
    while (kind < ALL_KINDS && !is_word(m->text, f[0], KINDS[kind]))
        kind++;
    if (kind == ALL_KINDS || count < 2 || count > 4)
        return 0;
    /* Without a number, the last of three fields is a column, or Python looks at it. */
    const number name = kind < WITH_VALUE ? count - 2 : count == 2 ? 1 : 2;
    if (name < 1)
        return 0;
    const Piece none = {0, 0}, set = name == 2 ? f[1] : none;
    const number column = find_name(&m->columns, m->text, f[name]);
    if (column < 0 || !take_set(m, set))
        return 0;
    add_item(&m->items, column, kind, kind < WITH_VALUE ? f[count - 1] : none);
    return 1;
}

PUBLIC(calmip_mps)
number calmip_mps(Mps *m, number section)
{
    while (m->at < m->size) {
        const unsigned char c = m->text[m->at];
        number next = m->at;
        if (c == '*') {
            while (next < m->size && m->text[next] != '\n')
                next++;
            m->at = next < m->size ? next + 1 : next;
            continue;
        }
        if (c != '\n' && !is_blank(c))
            return c > ' ' ? DONE : UNUSUAL;
        if (m->items.count + 2 > m->items.room || m->entries.count + 2 > m->entries.room)
            return MORE;
        Piece f[MOST_FIELDS];
        const number count = split(m, f, &next);
        int taken = count == 0;
        if (count > 0)
            taken = section == ROWS      ? take_row(m, f, count)
                    : section == COLUMNS ? take_column(m, f, count)
                    : section == BOUNDS  ? take_bound(m, f, count)
                                         : take_side(m, f, count, section);
        if (!taken)
            return UNUSUAL;
        m->at = next;
    }
    return DONE;
}
