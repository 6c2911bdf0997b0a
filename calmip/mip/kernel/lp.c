/* The usual statements of LP files; calmip/mip/files/lp/compiled.py calls this loop.

   A statement begins at a line and ends with one: the objective, a row with its variables on the
   left and one number on the right, a bound, a name. All others are left to plain Python. */

#include "texts.h"

typedef struct {
    const unsigned char *text;
    number size, at;        /* where the next statement begins */
    Names columns;
    number row;             /* the number of the next row */
    Coefficients entries;
    Items items;
} Lp;

enum { OBJECTIVE, ROWS, BOUNDS, NAMES };

/* The kinds of items: signs and relations of numbers, and what a piece is otherwise. */
enum { NEGATIVE = 1, LESS = 2, GREATER = 4, EQUAL = 6, ROW_NAME = 8, COEFFICIENT = 16, FREE = 32 };

/* Where the next word stands: on the same line, at the beginning of one, where a section or a
   named row may begin there, or nowhere. */
enum { SAME, LINE, HEADING, LABEL, NOWHERE, STRANGE };

/* The first words of the headings of sections. */
static const char *const HEADINGS[] = {
    "sos", "sos1", "sos2", "partial", "lazy", "user", "pwlobj", "multi-objective", "multi-objectives",
    "scenario", "scenarios", "semi-integer", "semi-integers", "sin", "semi", "semis", "semi-continuous",
    "general", "generals", "gen", "minimize", "minimise", "minimum", "min", "maximize", "maximise",
    "maximum", "max", "subject", "such", "s.t.", "s.", "st", "st.", "bound", "bounds", "binary",
    "binaries", "bin", "integer", "integers", "int", "end", 0};

static inline int is_relation(unsigned char c) { return c == '<' || c == '>' || c == '='; }
static inline int is_sign(unsigned char c) { return c == '+' || c == '-'; }

static int in_name(unsigned char c)
{
    return c > ' ' && !is_sign(c) && !is_relation(c) && c != ':' && c != '*' && c != '^' && c != '\\';
}

static int begins_name(unsigned char c)
{
    return in_name(c) && !is_digit(c) && c != '.' && c != '[' && c != ']';
}

static int is_heading(const Lp *m, number at)
{
    Piece first = {at, 0};
    while (at < m->size && m->text[at] > ' ' && m->text[at] != '\\')
        at++;
    first.size = at - first.at;
    if (first.size > 16)
        return 0;
    for (const char *const *one = HEADINGS; *one; one++)
        if (lower(m->text[first.at]) == (unsigned char)**one && is_word(m->text, first, *one))
            return 1;
    return 0;
}

/* The end of the name of a row that begins at a place, or the place itself; `next` is behind the
   colon. */
static number label_end(const Lp *m, number first, number *next)
{
    number at = first;
    while (at < m->size && m->text[at] > ' ' && m->text[at] != ':' && m->text[at] != '<' &&
           m->text[at] != '>' && m->text[at] != '\\')
        at++;
    const number end = at;
    while (at < m->size && is_blank(m->text[at]))
        at++;
    if (at >= m->size || m->text[at] != ':' || (at + 1 < m->size && m->text[at + 1] == ':'))
        return first;
    *next = at + 1;
    return end;
}

/* Go to the next word. */
static int skip(const Lp *m, number *place)
{
    number at = *place, next;
    int fresh = at == m->at;
    for (;; at++) {
        if (at >= m->size)
            return NOWHERE;
        if (m->text[at] == '\\')
            while (at < m->size && m->text[at] != '\n')
                at++;
        if (at >= m->size)
            return NOWHERE;
        if (m->text[at] == '\n')
            fresh = 1;
        else if (!is_blank(m->text[at]))
            break;
    }
    *place = at;
    if (m->text[at] < ' ')
        return STRANGE;
    if (!fresh)
        return SAME;
    if (m->text[at] == ':') /* a name without a letter */
        return STRANGE;
    if (is_heading(m, at))
        return HEADING;
    return label_end(m, at, &next) > at ? LABEL : LINE;
}

static inline int goes_on(int where) { return where == SAME || where == LINE; }

/* Whether nothing follows on the line, and the next does not go on with a relation or an arrow. */
static int ends(const Lp *m, number *place)
{
    number at = *place, behind;
    while (at < m->size && is_blank(m->text[at]))
        at++;
    if (at < m->size && m->text[at] != '\n' && m->text[at] != '\\')
        return 0;
    while (at < m->size && m->text[at] != '\n')
        at++;
    *place = behind = at < m->size ? at + 1 : at;
    const int where = skip(m, &behind);
    if (where >= NOWHERE)
        return where == NOWHERE;
    return !is_relation(m->text[behind]) &&
           !(m->text[behind] == '-' && behind + 1 < m->size && m->text[behind + 1] == '>');
}

/* Take a sign if there is one; return whether a word follows. */
static int take_sign(const Lp *m, number *at, int *negative)
{
    *negative = 0;
    if (!is_sign(m->text[*at]))
        return 1;
    *negative = m->text[(*at)++] == '-';
    return goes_on(skip(m, at)) && !is_sign(m->text[*at]) && m->text[*at] != '>';
}

/* Take a number if there is one; return whether it is usual. */
static int take_number(const Lp *m, number *at, Piece *piece, double *value, int *known)
{
    piece->at = *at;
    *known = 0;
    *at = scan_number(m->text, *at, m->size, value, known);
    piece->size = *at - piece->at;
    return !(piece->size && *at < m->size && m->text[*at] == '/');
}

static Piece take_name(const Lp *m, number *at)
{
    Piece name = {*at, 0};
    if (begins_name(m->text[*at]))
        while (*at < m->size && in_name(m->text[*at]))
            (*at)++;
    name.size = *at - name.at;
    return name;
}

static int is_infinite(const Lp *m, Piece name)
{
    return is_word(m->text, name, "inf") || is_word(m->text, name, "infinity");
}

/* The number of a column, which may be new, or -1 without room. */
static number column_of(Lp *m, Piece name)
{
    const number found = find_name(&m->columns, m->text, name);
    if (found >= 0 || m->columns.count == m->columns.room)
        return found;
    return add_name(&m->columns, m->text, name);
}

/* Forget the names from a number on, the last first, so that the others are still found. */
static void forget(Lp *m, number count)
{
    while (m->columns.count > count) {
        const number last = m->columns.count - 1;
        const Piece name = {m->columns.at[last], m->columns.size[last]};
        m->columns.slots[slot_of(&m->columns, m->text, name)] = 0;
        m->columns.count--;
    }
}

/* Take a relation, of which there is one. */
static int take_relation(const Lp *m, number *at)
{
    const unsigned char first = m->text[(*at)++];
    const unsigned char second = *at < m->size ? m->text[*at] : 0;
    if (first == '=' ? second == '<' || second == '>' : second == '=')
        (*at)++;
    if (first == '=')
        return second == '<' ? LESS : second == '>' ? GREATER : EQUAL;
    return first == '<' ? LESS : GREATER;
}

/* What a function of a statement returns: it is taken, not usual, or has no room. */
enum { TAKEN, NOT_USUAL, NO_ROOM };

/* Take a sum up to a relation, or in the objective up to a heading. */
static int take_sum(Lp *m, number *at, int objective)
{
    for (int first = 1;; first = 0) {
        const int where = skip(m, at);
        int negative, known;
        double value = 1;
        Piece piece;
        if (objective && where == HEADING)
            return TAKEN;
        if (!goes_on(where))
            return NOT_USUAL;
        if (!objective && !first && is_relation(m->text[*at]))
            return TAKEN;
        if (!first && !is_sign(m->text[*at]))
            return NOT_USUAL;
        if (m->items.count == m->items.room || m->entries.count == m->entries.room)
            return NO_ROOM;
        if (!take_sign(m, at, &negative) || !take_number(m, at, &piece, &value, &known))
            return NOT_USUAL;
        if (piece.size) {
            const int then = skip(m, at);
            if (objective && (then == HEADING || (goes_on(then) && is_sign(m->text[*at])))) {
                add_item(&m->items, -1, negative, piece);
                continue;
            }
            if (!goes_on(then))
                return NOT_USUAL;
            if (m->text[*at] == '*') {
                (*at)++;
                if (!goes_on(skip(m, at)))
                    return NOT_USUAL;
            }
        }
        const Piece name = take_name(m, at);
        if (!name.size || is_infinite(m, name))
            return NOT_USUAL;
        const number column = column_of(m, name);
        if (column < 0)
            return NO_ROOM;
        if (objective) {
            add_item(&m->items, column, negative, piece);
            continue;
        }
        if (piece.size && !known)
            add_item(&m->items, m->entries.count, COEFFICIENT + negative, piece);
        else if (value == 0)
            continue;
        Coefficients *e = &m->entries;
        e->row[e->count] = (int32_t)m->row;
        e->column[e->count] = (int32_t)column;
        e->value[e->count++] = piece.size && !known ? 0 : negative ? -value : value;
    }
}

static int take_row(Lp *m, number *at)
{
    Piece piece = {0, 0};
    number next = *at;
    const number end = label_end(m, *at, &next);
    int negative, known;
    double value;
    if (m->items.count + 2 > m->items.room)
        return NO_ROOM;
    piece.at = *at;
    piece.size = end - *at;
    add_item(&m->items, m->row, ROW_NAME, piece);
    *at = next;
    const int taken = take_sum(m, at, 0);
    if (taken != TAKEN)
        return taken;
    const int relation = take_relation(m, at);
    if (!goes_on(skip(m, at)) || !take_sign(m, at, &negative) ||
        !take_number(m, at, &piece, &value, &known) || !piece.size || !ends(m, at))
        return NOT_USUAL;
    if (m->items.count == m->items.room)
        return NO_ROOM;
    add_item(&m->items, m->row, relation + negative, piece);
    m->row++;
    return TAKEN;
}

/* Take a bound, which may be infinite. */
static int take_end(Lp *m, number *at, Piece *piece, int *negative)
{
    double value;
    int known;
    if (!take_sign(m, at, negative) || !take_number(m, at, piece, &value, &known))
        return 0;
    if (piece->size)
        return 1;
    *piece = take_name(m, at);
    return is_infinite(m, *piece);
}

static int take_bound(Lp *m, number *at)
{
    int left = 0, right = 0, negative[2] = {0, 0};
    Piece piece[2] = {{0, 0}, {0, 0}};
    number begin = *at;
    if (m->items.count + 2 > m->items.room)
        return NO_ROOM;
    Piece name = take_name(m, at);
    if (!name.size || is_infinite(m, name)) {
        *at = begin;
        if (!take_end(m, at, &piece[0], &negative[0]) || skip(m, at) != SAME || !is_relation(m->text[*at]))
            return NOT_USUAL;
        left = take_relation(m, at);
        left = left == LESS ? GREATER : left == GREATER ? LESS : EQUAL;
        if (skip(m, at) != SAME)
            return NOT_USUAL;
        name = take_name(m, at);
        if (!name.size || is_infinite(m, name))
            return NOT_USUAL;
    }
    number behind = *at;
    if (skip(m, &behind) == SAME && is_relation(m->text[behind])) {
        *at = behind;
        right = take_relation(m, at);
        if (skip(m, at) != SAME || !take_end(m, at, &piece[1], &negative[1]))
            return NOT_USUAL;
    } else if (!left) {
        if (skip(m, at) != SAME)
            return NOT_USUAL;
        const Piece word = take_name(m, at);
        if (!is_word(m->text, word, "free"))
            return NOT_USUAL;
        right = FREE;
    }
    if (!ends(m, at))
        return NOT_USUAL;
    const number column = column_of(m, name);
    if (column < 0)
        return NO_ROOM;
    if (left)
        add_item(&m->items, column, left + negative[0], piece[0]);
    if (right)
        add_item(&m->items, column, right + negative[1], piece[1]);
    return TAKEN;
}

/* Take the names of a line. */
static int take_names(Lp *m, number *at)
{
    for (;;) {
        if (m->items.count == m->items.room)
            return NO_ROOM;
        const Piece name = take_name(m, at);
        if (!name.size || (*at < m->size && m->text[*at] > ' ' && m->text[*at] != '\\'))
            return NOT_USUAL;
        const number column = column_of(m, name);
        if (column < 0)
            return NO_ROOM;
        add_item(&m->items, column, 0, name);
        if (ends(m, at))
            return TAKEN;
        if (skip(m, at) != SAME)
            return NOT_USUAL;
    }
}

/* Fill the slots, which are all empty, with the names. */
PUBLIC(calmip_names)
number calmip_names(Names *names, const unsigned char *text)
{
    for (number i = 0; i < names->count; i++) {
        const Piece name = {names->at[i], names->size[i]};
        names->slots[slot_of(names, text, name)] = (int32_t)(i + 1);
    }
    return DONE;
}

PUBLIC(calmip_lp)
number calmip_lp(Lp *m, number section)
{
    for (;;) {
        number at = m->at;
        const number names = m->columns.count, items = m->items.count, entries = m->entries.count;
        const int where = skip(m, &at);
        if (section == OBJECTIVE) {
            number next = at;
            if (where == LABEL)
                label_end(m, at, &next);
            /* The heading that ends the objective is seen at the beginning of its line. */
            number end = where == LABEL ? next : m->at;
            const int taken = take_sum(m, &end, 1);
            if (taken == TAKEN) {
                while (end > m->at && m->text[end - 1] != '\n')
                    end--;
                m->at = end;
                return DONE;
            }
            forget(m, names);
            m->items.count = items;
            return taken == NO_ROOM ? MORE : UNUSUAL;
        }
        if (where == HEADING || where == NOWHERE) {
            /* The beginning of the line. */
            while (at > m->at && m->text[at - 1] != '\n')
                at--;
            m->at = where == NOWHERE ? m->size : at;
            return DONE;
        }
        int taken = NOT_USUAL;
        if (where != STRANGE)
            taken = section == ROWS ? take_row(m, &at) : section == BOUNDS ? take_bound(m, &at) : take_names(m, &at);
        if (taken != TAKEN) {
            forget(m, names);
            m->items.count = items;
            m->entries.count = entries;
            return taken == NO_ROOM ? MORE : UNUSUAL;
        }
        m->at = at;
    }
}
