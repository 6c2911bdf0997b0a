/* Model files as bytes: names become numbers, and short decimal numbers become floats.

   A loop reads usual lines, and stops before the first that is in any way unusual; plain Python
   reads what is left, and names every fault. The bytes are UTF-8 whose only blanks are those of
   ASCII. Places in them have 32 bits, since files have 64 MB at the most. */

#ifndef CALMIP_TEXTS_H
#define CALMIP_TEXTS_H

#include "kernel.h"

/* Why a loop came back, besides MORE and DONE: the next line is not a usual one. */
enum { UNUSUAL = 4 };

typedef struct {
    number at, size;
} Piece;

/* A hash table of names, which stand in the text: an empty slot is 0, a name is its number + 1. */
typedef struct {
    int32_t *slots;
    number mask;
    int32_t *at, *size;
    number count, room;
} Names;

/* Coefficients in the order of the text. */
typedef struct {
    int32_t *row, *column;
    double *value;
    number count, room;
} Coefficients;

/* What Python looks at: a place, a kind, and a piece of the text. */
typedef struct {
    int32_t *place, *kind, *at, *size;
    number count, room;
} Items;

static inline int is_blank(unsigned char c) { return c == ' ' || c == '\t'; }
static inline int is_digit(unsigned char c) { return c >= '0' && c <= '9'; }
static inline unsigned char lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static inline int same(const unsigned char *a, const unsigned char *b, number size)
{
    while (size > 0 && *a == *b)
        a++, b++, size--;
    return size == 0;
}

/* Whether a piece is a word, whatever its case; the word is in small letters. */
static inline int is_word(const unsigned char *text, Piece piece, const char *word)
{
    for (number i = 0; i < piece.size; i++)
        if (lower(text[piece.at + i]) != (unsigned char)word[i])
            return 0;
    return !word[piece.size];
}

static inline number slot_of(const Names *names, const unsigned char *text, Piece piece)
{
    word hash = 14695981039346656037u;
    for (number i = 0; i < piece.size; i++)
        hash = (hash ^ text[piece.at + i]) * 1099511628211u;
    number slot = (number)(hash ^ (hash >> 29)) & names->mask;
    while (names->slots[slot]) {
        const number name = names->slots[slot] - 1;
        if (names->size[name] == piece.size && same(text + names->at[name], text + piece.at, piece.size))
            break;
        slot = (slot + 1) & names->mask;
    }
    return slot;
}

/* The number of a name, or -1. */
static inline number find_name(const Names *names, const unsigned char *text, Piece piece)
{
    return names->slots[slot_of(names, text, piece)] - 1;
}

/* Add a name that is new, for which there is room. */
static inline number add_name(Names *names, const unsigned char *text, Piece piece)
{
    const number name = names->count++;
    names->slots[slot_of(names, text, piece)] = (int32_t)(name + 1);
    names->at[name] = (int32_t)piece.at;
    names->size[name] = (int32_t)piece.size;
    return name;
}

static inline void add_item(Items *items, number place, number kind, Piece piece)
{
    items->place[items->count] = (int32_t)place;
    items->kind[items->count] = (int32_t)kind;
    items->at[items->count] = (int32_t)piece.at;
    items->size[items->count++] = (int32_t)piece.size;
}

/* The end of the decimal number without a sign that begins at `at`, or `at` if there is none.
   With at most 15 digits, and a power of ten that is a float, its value is exact or rounded once:
   then `known` is set. */
static inline number scan_number(const unsigned char *text, number at, number end, double *value, int *known)
{
    static const double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const number first = at;
    number digits = 0, significant = 0, part = 0, power = 0;
    word whole = 0;
    for (int point = 0; at < end; at++) {
        const unsigned char c = text[at];
        if (c == '.' && !point) {
            point = 1;
            continue;
        }
        if (!is_digit(c))
            break;
        digits++;
        part += point;
        if (significant || c != '0')
            significant++;
        if (significant <= 15)
            whole = 10 * whole + (c - '0');
    }
    if (!digits)
        return first;
    if (at < end && lower(text[at]) == 'e') {
        number next = at + 1;
        int negative = 0;
        if (next < end && (text[next] == '+' || text[next] == '-'))
            negative = text[next++] == '-';
        if (next < end && is_digit(text[next])) {
            for (; next < end && is_digit(text[next]); next++)
                if (power < 100000)
                    power = 10 * power + (text[next] - '0');
            if (negative)
                power = -power;
            at = next;
        }
    }
    power -= part;
    *known = !significant || (significant <= 15 && power >= -22 && power <= 22);
    if (*known)
        *value = !significant ? 0 : power < 0 ? (double)whole / tens[-power] : (double)whole * tens[power];
    return at;
}

#endif
