/* The number of solutions of an exact cover, without listing them.

   A state says which items are covered, as bits in words; an option's mask has the items
   that it covers. Items outside `full` may be left uncovered. Every node keeps the list of
   the options that still fit and branches on the item with the fewest of them, among equals
   on the one with the lowest bit. They are counted in vertical counters, as in search.c.

   The items of all options that still fit are the key of a node: they determine these
   options, and so the number of solutions below. A table keeps the numbers of nodes that
   were counted (Nishino, Yasuda, Minato and Nagata, "Dancing with decision diagrams", 2017,
   https://doi.org/10.1609/aaai.v31i1.10662). It has buckets of four entries. Keys are
   compared whole. In a full bucket, an entry whose count took the fewest nodes is replaced,
   or ages. Numbers have as many words as the greatest possible one needs. Threads that count
   different branches may share a table. Then each look-up holds the lock of its bucket, which is
   in the bucket, as that is fetched anyway; while another one holds it, there is none.

   Rows of other kinds, terms @ x <= most without negative numbers, are in the last words of a
   state, the rest words: a field has how much of a row is used, and below its guard all bits are
   set if that is all of it. An option's mask has what it adds there. With `out`, solutions are
   listed, and not counted: then `ways` has the numbers of the options. */

#include "kernel.h"

enum { LATE = 1 << 30, FEW = 4, PLANES = 24, DEAD = -1 };
enum { BUCKET = 4, AGE = 4, SMALL = 12, COST = 64 };

/* The bit of the worth of a bucket's first entry that is set while a count is at the bucket. */
#define LOCKED ((word)1 << 63)

/* The places of the numbers in the state of a count, and in a frame of its stack: where the
   node's list begins and ends, which entry comes next, the item, and the steps before it. */
enum { DEPTH, NODES, STEPS, ASKED, SAVED, ENTRIES, REMEMBERS, FOUND };
enum { BEGIN, END, NEXT, ITEM, BEFORE, FRAME };

typedef struct {
    const word *full; /* the items that must be covered */
    const word *late; /* items to branch on only if forced, or if no other is left */
    word *states;     /* from the root to here */
    word *keys;       /* the same */
    word *sums;       /* the same: the solutions found below, so far */
    number *frames;   /* the same */
    word *lists;      /* the masks of the options that still fit, list after list */
    uint32_t *ways;   /* and how many options each of them stands for; null if it is always one */
    word *table;      /* buckets of entries: a key, a number, and one more than its worth */
    number *state;
    number room;    /* the options that there is room for in the lists */
    number buckets; /* in the table: a power of two */
    number fill;    /* come back when there are so many entries, for a larger table */
    number trial;   /* look-ups after which the table is judged */
    number budget;  /* stop after so many options were looked at */
    number shared;  /* whether other counts use the table */
    number rests;   /* the rest words; the pointers of them are null if there are none */
    const word *guards;    /* of each rest word: the bits above its fields */
    const number *widths;  /* the bits of each of its fields below the guard */
    const word *homes;     /* items of which no option has two; those of one follow each other */
    word *scratch;         /* room for two numbers for each rest word */
    const word *greatest;  /* by item: the most that an option whose home it is adds */
    number *out;           /* the numbers of the options of each solution, then -1; or null */
    number solutions;      /* the solutions that there is room for */
    number size;           /* the most options in a solution */
} Count;

/* Two words of a set, which are counted together. */
typedef word pair __attribute__((vector_size(16), aligned(8), may_alias));

/* Count the options of the items of a word, or of a pair of words, up to 15 each; `plane`
   gets the bits of the counts and, last, the items that have more. Four masks at a time make
   one carry beyond the lower planes (Harley and Seal's counter, see H. S. Warren, "Hacker's
   Delight", 5-1). */
#define COUNT_FEW(name, type)                                                                 \
    static inline __attribute__((always_inline)) void name(                                    \
        const number words, const word *masks, number count, type plane[FEW + 1])              \
    {                                                                                          \
        type one = {0}, two = {0}, four = {0}, eight = {0}, many = {0};                        \
        number k = 0;                                                                          \
        for (; k + 4 <= count; k += 4, masks += 4 * words) {                                   \
            const type a = *(const type *)masks, b = *(const type *)(masks + words);           \
            const type c = *(const type *)(masks + 2 * words);                                 \
            const type d = *(const type *)(masks + 3 * words);                                 \
            const type ab = a ^ b, cd = c ^ d, odd = one ^ ab;                                 \
            const type first = (a & b) | (one & ab), second = (c & d) | (odd & cd);            \
            one = odd ^ cd;                                                                    \
            const type both = first ^ second, carry = (first & second) | (two & both);         \
            two ^= both;                                                                       \
            const type more = four & carry;                                                    \
            four ^= carry;                                                                     \
            many |= eight & more;                                                              \
            eight ^= more;                                                                     \
        }                                                                                      \
        for (; k < count; k++, masks += words) {                                               \
            const type a = *(const type *)masks, b = one & a, c = two & b, d = four & c;       \
            one ^= a;                                                                          \
            two ^= b;                                                                          \
            four ^= c;                                                                         \
            many |= eight & d;                                                                 \
            eight ^= d;                                                                        \
        }                                                                                      \
        plane[0] = one, plane[1] = two, plane[2] = four, plane[3] = eight, plane[4] = many;    \
    }

COUNT_FEW(count_few, word)
COUNT_FEW(count_few_pairs, pair)

/* Count the options of the items of a word, all of them. */
static inline void count_all(const number words, const word *masks, number count,
                             word plane[PLANES])
{
    for (int p = 0; p < PLANES; p++)
        plane[p] = 0;
    for (number k = 0; k < count; k++) {
        word carry = masks[k * words];
        for (int p = 0; carry && p < PLANES; p++) {
            const word both = plane[p] & carry;
            plane[p] ^= carry;
            carry = both;
        }
    }
}

/* Compare the open items of a word by their counts with the best one so far. */
static inline __attribute__((always_inline)) void compare(
    const int planes, const word *plane, number w, word open, word late, number *best,
    number *fewest)
{
    word several = 0;
    for (int p = 1; p < planes; p++)
        several |= plane[p];
    number rank = 0;
    if (open & ~(late & several))
        open &= ~(late & several);
    else
        rank += LATE;
    for (int p = planes - 1; p >= 0; p--)
        if (open & ~plane[p])
            open &= ~plane[p];
        else
            rank += (number)1 << p;
    if (rank < *fewest) {
        *fewest = rank;
        *best = 64 * w + __builtin_ctzll(open);
    }
}

/* Return the item to branch on, or DEAD if one has no option. */
static inline __attribute__((always_inline)) number choose(
    const number words, const number cover, const word *masks, number count, const word *state,
    const word *full, const word *late)
{
    number best = DEAD, fewest = 2 * (number)LATE;
    for (number w = 0; w < cover; w += 2) {
        word plane[2][FEW + 1];
        if (w + 1 < cover) {
            pair both[FEW + 1];
            count_few_pairs(words, masks + w, count, both);
            for (int p = 0; p <= FEW; p++)
                plane[0][p] = both[p][0], plane[1][p] = both[p][1];
        } else
            count_few(words, masks + w, count, plane[0]);
        for (number v = w; v < w + 2 && v < cover; v++) {
            const word open = full[v] & ~state[v];
            if (open)
                compare(FEW + 1, plane[v - w], v, open, late[v], &best, &fewest);
        }
    }
    const number least = fewest & (LATE - 1);
    if (!least)
        return DEAD;
    if (least < 1 << FEW)
        return best;
    fewest = 2 * (number)LATE;
    for (number w = 0; w < cover; w++) {
        const word open = full[w] & ~state[w];
        if (!open)
            continue;
        word plane[PLANES];
        count_all(words, masks + w, count, plane);
        compare(PLANES, plane, w, open, late[w], &best, &fewest);
    }
    return best;
}

/* Copy the options of a list that fit a state, and return how many they are. */
static inline __attribute__((always_inline)) number filter(
    const number words, const number cover, const number alike, const word *guards,
    const word *state, const word *restrict masks, const uint32_t *restrict ways, number count,
    word *restrict to_masks, uint32_t *restrict to_ways)
{
    number kept = 0;
    for (number k = 0; k < count; k++) {
        word clash = 0;
        for (number w = 0; w < cover; w++) {
            clash |= masks[k * words + w] & state[w];
            to_masks[kept * words + w] = masks[k * words + w];
        }
        for (number w = cover; w < words; w++) {
            clash |= (masks[k * words + w] + state[w]) & guards[w - cover];
            to_masks[kept * words + w] = masks[k * words + w];
        }
        if (!alike)
            to_ways[kept] = ways[k];
        kept += !clash;
    }
    return kept;
}

/* Find the items of all options of a list. */
static inline __attribute__((always_inline)) void unite(
    const number words, const number cover, const word *masks, number count, word *items)
{
    for (number w = 0; w < cover; w++) {
        word every = 0;
        for (number k = 0; k < count; k++)
            every |= masks[k * words + w];
        items[w] = every;
    }
}

/* Return the end of the options of a list that have the same home as the first one. */
static inline number group_end(number words, number cover, const word *homes, const word *masks,
                               number first, number count, number *home)
{
    number end = first + 1;
    *home = 0;
    for (number v = 0; v < cover; v++) {
        const word own = masks[first * words + v] & homes[v];
        if (!own)
            continue;
        *home = 1;
        while (end < count && masks[end * words + v] & own)
            end++;
    }
    return end;
}

/* Return the least numbers of some options in each field of a rest word. */
static inline word least_of(number words, const word *masks, number first, number end, word guard,
                            number width)
{
    word least = masks[first * words];
    for (number k = first + 1; k < end; k++) {
        const word a = masks[k * words];
        const word over = ((a | guard) - least) & guard, keep = over - (over >> width);
        least = (least & keep) | (a & ~keep);
    }
    return least;
}

/* Leave out the options that exceed a row with the least of all other homes; return how many are
   left: none if the least alone exceeds a row. */
static number narrow(const Count *s, number words, const word *state, word *masks, uint32_t *ways,
                     number count)
{
    const number rests = s->rests, cover = words - rests;
    word *least = s->scratch, *base = least + rests, any = 0;
    number home, kept = 0;
    for (number r = 0; r < rests; r++)
        least[r] = 0;
    for (number k = 0, end; k < count; k = end) {
        end = group_end(words, cover, s->homes, masks, k, count, &home);
        for (number r = 0; home && r < rests; r++) {
            least[r] += least_of(words, masks + cover + r, k, end, s->guards[r], s->widths[r]);
            if (least[r] & s->guards[r])
                return 0;
        }
    }
    for (number r = 0; r < rests; r++) {
        any |= least[r];
        least[r] += state[cover + r];
        if (least[r] & s->guards[r])
            return 0;
    }
    if (!any)
        return count;
    for (number k = 0, end; k < count; k = end) {
        end = group_end(words, cover, s->homes, masks, k, count, &home);
        for (number r = 0; r < rests; r++) {
            base[r] = least[r];
            if (home)
                base[r] -= least_of(words, masks + cover + r, k, end, s->guards[r], s->widths[r]);
        }
        for (number j = k; j < end; j++) {
            word over = 0;
            for (number r = 0; r < rests; r++)
                over |= (masks[j * words + cover + r] + base[r]) & s->guards[r];
            for (number w = 0; w < words; w++)
                masks[kept * words + w] = masks[j * words + w];
            if (ways)
                ways[kept] = ways[j];
            kept += !over;
        }
    }
    return kept;
}

/* Add to a key what is used of the rows that some options within its items would exceed. */
static void key_of_rests(const Count *s, number words, const word *state, word *key)
{
    const number rests = s->rests, cover = words - rests;
    for (number r = 0; r < rests; r++) {
        const word guard = s->guards[r], used = state[cover + r];
        word high = 0, over = 0;
        for (number w = 0; w < cover; w++)
            for (word open = key[w] & s->full[w]; open; open &= open - 1) {
                high += s->greatest[(64 * w + __builtin_ctzll(open)) * rests + r];
                over |= high & guard;
                high &= ~guard;
            }
        over |= (used + high) & guard;
        key[cover + r] = used & (over - (over >> s->widths[r]));
    }
}

/* Add a number, times the ways to get it, to a sum. */
static inline void add(const number values, word *sum, const word *value, word ways)
{
    word carry = 0;
    for (number v = 0; v < values; v++) {
        const unsigned __int128 part = (unsigned __int128)value[v] * ways + sum[v] + carry;
        sum[v] = (word)part;
        carry = (word)(part >> 64);
    }
}

static inline void increase(const number values, word *sum, word ways)
{
    for (number v = 0; v < values && ways; v++) {
        sum[v] += ways;
        ways = sum[v] < ways;
    }
}

static inline word *bucket_of(const number words, const number values, word *table,
                              number buckets, const word *key)
{
    word hash = 0;
    for (number w = 0; w < words; w++) {
        hash = (hash ^ key[w]) * 0x9E3779B97F4A7C15u;
        hash ^= hash >> 29;
    }
    hash *= 0xBF58476D1CE4E5B9u;
    hash ^= hash >> 32;
    return table + (hash & (word)(buckets - 1)) * BUCKET * (words + values + 1);
}

/* Take a bucket, by its lock, if no other count is at it; return whether that was so. */
static inline number take(const Count *s, word *lock)
{
    return !s->shared || !(__atomic_fetch_or(lock, LOCKED, __ATOMIC_ACQUIRE) & LOCKED);
}

static inline void leave(const Count *s, word *lock)
{
    if (s->shared)
        __atomic_store_n(lock, *lock & ~LOCKED, __ATOMIC_RELEASE);
}

/* Return the number of a key in the table and, behind it, its worth; or null. */
static inline const word *recall(const number words, const number values, const word *bucket,
                                 const word *key)
{
    for (number k = 0; k < BUCKET; k++, bucket += words + values + 1) {
        word odd = !(bucket[words + values] & ~LOCKED);
        for (number w = 0; w < words; w++)
            odd |= bucket[w] ^ key[w];
        if (!odd)
            return bucket + words;
    }
    return 0;
}

/* Keep a number; return whether there is one more entry. */
static inline number keep(const number words, const number values, word *bucket, const word *key,
                          const word *value, word worth)
{
    word *known = bucket + words + values, *last = known;
    for (number k = 1; k < BUCKET; k++) {
        last += words + values + 1;
        if ((*last & ~LOCKED) < (*known & ~LOCKED))
            known = last;
    }
    const word locked = *known & LOCKED, old = *known & ~LOCKED;
    if (old > worth) {
        *known = (old - (old >> AGE)) | locked;
        return 0;
    }
    word *least = known - words - values;
    for (number w = 0; w < words; w++)
        least[w] = key[w];
    for (number v = 0; v < values; v++)
        least[words + v] = value[v];
    *known = worth | locked;
    return !old;
}

static inline __attribute__((always_inline)) number run(const number words, const number values,
                                                        const number alike, const number rests,
                                                        const Count *s)
{
    const number cover = words - rests;
    number depth = s->state[DEPTH], result = DONE;
    number nodes = s->state[NODES], steps = s->state[STEPS], asked = s->state[ASKED];
    number saved = s->state[SAVED], remembers = s->state[REMEMBERS];
    const number last = steps + s->budget;
    while (depth >= 0) {
        number *frame = s->frames + depth * FRAME, *child = frame + FRAME;
        word *state = s->states + depth * words, *after = state + words;
        word *key = s->keys + depth * words, *items = key + words;
        word *sum = s->sums + depth * values, *below = sum + values;
        const number begin = frame[BEGIN], end = frame[END], size = end - begin;
        if (steps >= last) {
            result = MORE;
            break;
        }
        if (end + size > s->room) {
            result = GROW;
            break;
        }
        const number at = frame[ITEM] >> 6;
        const word bit = (word)1 << (frame[ITEM] & 63);
        number k = frame[NEXT];
        while (k < end && !(s->lists[k * words + at] & bit))
            k++;
        if (k == end) {
            if (remembers && size > SMALL && depth) {
                if (s->state[ENTRIES] >= s->fill) {
                    result = FULL;
                    break;
                }
                word *bucket = bucket_of(words, values, s->table, s->buckets, key);
                word *lock = bucket + words + values;
                if (take(s, lock)) {
                    s->state[ENTRIES] += keep(words, values, bucket, key, sum,
                                              (word)(steps - frame[BEFORE]) + 1);
                    leave(s, lock);
                }
            }
            if (depth && !s->out)
                add(values, sum - values, sum, alike ? 1 : s->ways[frame[NEXT - FRAME] - 1]);
            depth--;
            continue;
        }
        if (rests && s->out && s->state[FOUND] == s->solutions) {
            result = FULL;
            break;
        }
        nodes++;
        steps += words * size + 8;
        frame[NEXT] = k + 1;
        word left = 0;
        for (number w = 0; w < words; w++) {
            after[w] = state[w] + s->lists[k * words + w];
            left |= s->full[w] & ~after[w];
        }
        if (!left && rests && s->out) {
            number *row = s->out + s->size * s->state[FOUND]++;
            for (number level = 0; level < s->size; level++)
                row[level] =
                    level > depth ? -1 : (number)s->ways[s->frames[level * FRAME + NEXT] - 1];
            continue;
        }
        if (!left) {
            increase(values, sum, alike ? 1 : s->ways[k]);
            continue;
        }
        word *to = s->lists + end * words;
        number kept = filter(words, cover, alike, s->guards, after, s->lists + begin * words,
                                   alike ? 0 : s->ways + begin, size, to,
                                   alike ? 0 : s->ways + end);
        if (rests)
            kept = narrow(s, words, after, to, alike ? 0 : s->ways + end, kept);
        if (remembers && kept > SMALL) {
            unite(words, cover, to, kept, items);
            left = 0;
            for (number w = 0; w < cover; w++)
                left |= s->full[w] & ~after[w] & ~items[w];
            if (left)
                continue;
            if (rests)
                key_of_rests(s, words, after, items);
            asked++;
            word *bucket = bucket_of(words, values, s->table, s->buckets, items);
            word *lock = bucket + words + values;
            if (take(s, lock)) {
                const word *known = recall(words, values, bucket, items);
                if (known) {
                    saved += (number)(known[values] & ~LOCKED);
                    add(values, sum, known, alike ? 1 : s->ways[k]);
                }
                leave(s, lock);
                if (known)
                    continue;
            }
            if (asked >= s->trial) {
                remembers = saved >= COST * asked;
                asked = saved = 0;
            }
        }
        const number item = choose(words, cover, to, kept, after, s->full, s->late);
        if (item == DEAD)
            continue;
        child[BEGIN] = child[NEXT] = end;
        child[END] = end + kept;
        child[BEFORE] = steps;
        child[ITEM] = item;
        steps += words * kept;
        for (number v = 0; v < values; v++)
            below[v] = 0;
        depth++;
    }
    s->state[DEPTH] = depth;
    s->state[NODES] = nodes;
    s->state[STEPS] = steps;
    s->state[ASKED] = asked;
    s->state[SAVED] = saved;
    s->state[REMEMBERS] = remembers;
    return result;
}

/* Count on until something stops it. */
PUBLIC(calmip_count)
number calmip_count(number words, number values, const Count *s)
{
    if (s->rests)
        return run(words, values, !s->ways, s->rests, s);
    if (s->ways)
        return run(words, values, 0, 0, s);
    switch (words) {
    case 1: return run(1, values, 1, 0, s);
    case 2: return run(2, values, 1, 0, s);
    case 3: return run(3, values, 1, 0, s);
    case 4: return run(4, values, 1, 0, s);
    default: return run(words, values, 1, 0, s);
    }
}

/* Move the entries of a table into a larger one. */
PUBLIC(calmip_count_move)
number calmip_count_move(number words, number values, const word *table, number buckets,
                         word *larger, number more)
{
    number entries = 0;
    const number size = words + values + 1;
    for (number k = 0; k < BUCKET * buckets; k++, table += size)
        if (table[size - 1])
            entries += keep(words, values, bucket_of(words, values, larger, more, table), table,
                            table + words, table[size - 1]);
    return entries;
}
