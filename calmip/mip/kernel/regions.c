/* Counting by regions; calmip/puzzle/search/exact_cover/regions.py says how, and calls these loops.

   A region is a set of covered cells; its words say which pieces and labels may cover
   it. Regions wait in levels, by their first bare cell, together with the edges that
   lead to them: an edge is an option, from one region to a later one. Every loop keeps
   its place in memory that the caller handed in, so it can come back when its budget is
   spent or an array is full, and go on.

   The file is compiled twice, by including itself: for 64 cells and words of 16 bits,
   whose sets are 8 kilobytes of bits; and for 128 cells and words of 32 bits, whose sets
   are hash tables. */

#ifndef WIDE

#include "kernel.h"

#define EXPORT(name) PUBLIC(name) /* with its name spelt out */

typedef unsigned __int128 u128 __attribute__((aligned(8)));

#define MIX 0x9E3779B97F4A7C15u /* an odd number without pattern */
#define BATCH 128               /* look-ups whose memory is asked for beforehand */

/* Mix bits so that the lowest of 32 depend on all (Knuth, TAOCP 6.4, multiplied twice). */
static inline uint64_t mixed(uint64_t bits)
{
    bits *= MIX;
    return (bits ^ bits >> 32) * MIX >> 32;
}

/* Count the edges to each number; from the counts' sums on, `place` then sorts them. */
EXPORT(calmip_regions_tally)
number calmip_regions_tally(const uint32_t *to, number edges, uint32_t *counts)
{
    for (number edge = 0; edge < edges; edge++) counts[to[edge]]++;
    return DONE;
}

#define WIDE 0
#define CELLS uint64_t
#define WORD uint16_t
#define OPTION uint16_t
#define NAME(name) name##_16
#include "regions.c"
#undef WIDE
#undef CELLS
#undef WORD
#undef OPTION
#undef NAME
#undef FIRST
#undef HASH
#define WIDE 1
#define CELLS u128
#define WORD uint32_t
#define OPTION uint32_t
#define NAME(name) name##_32

#endif

#if WIDE
#define FIRST(set) ((uint64_t)(set) ? __builtin_ctzll(set) : 64 + __builtin_ctzll((uint64_t)((set) >> 64)))
#define HASH(set) mixed(mixed((uint64_t)(set)) ^ (uint64_t)((set) >> 64))
#else
#define FIRST(set) __builtin_ctzll(set)
#define HASH(set) mixed(set)
#endif

/* An exact cover. Cells are numbered in the order of filling, options by their first cell.
   A field is a part of a word: a counter for equal pieces, mostly one bit. An option must
   find the bits of its mask clear, and adds its delta. */
typedef struct {
    number cells, fields;
    const CELLS *covers;    /* option: its cells */
    const WORD *mask, *delta;
    const uint32_t *lead;        /* option: its first cell */
    const uint32_t *first;       /* cell: its options begin at first[cell] */
    const uint32_t *at_cell;     /* the options that cover a cell: of_cell[at_cell[cell]] ... */
    const OPTION *of_cell;
    const uint32_t *at_field;    /* those of a field, by first cell: of_field[at_field[field]] ... */
    const OPTION *of_field;
    const CELLS *near;      /* cell: those that touch it */
    const WORD *top;        /* field: its top bit, set when the field is full */
    const uint32_t *low;         /* field: the place of its lowest bit */
    const uint32_t *times;       /* field: how many options one step of its counter stands for */
    const uint64_t *areas;       /* field: bit a is set where an option covers a cells */
    CELLS board;            /* all cells */
    WORD root, full;        /* the words of the empty region and of a solution */
} NAME(Cover);

/* The regions with one first bare cell, and the edges to them. */
typedef struct {
    number found, room, slots; /* regions, room for them, a power of two */
    CELLS *keys;            /* region: its cells */
    uint32_t *slot;              /* hash table: 1 + region, or 0 */
    number filled, limit;      /* edges in the block that is being filled, and room for them: */
    uint32_t *to, *from;         /* region, region */
    OPTION *by;
    uint32_t *begin;             /* region: its edges are edges[begin[region]] ... as they came */
    uint32_t *edge, *at;         /* region that was kept: where its edges and its words begin */
    uint32_t *source;
    OPTION *option;
    WORD *words;
    uint32_t *state;             /* word: 1 + its state, or 0 where it leads to no solution */
} NAME(Level);

/* An edge whose region is still to be looked up. */
typedef struct {
    CELLS key;
    uint64_t hash;
    uint32_t level, from;
    OPTION by;
} NAME(Child);

/* What the loops work with, and where they are. */
typedef struct {
    number budget;
    number region, end;        /* the next region, and where they end */
    number kept, edges, words; /* regions, edges and words that were kept */
    number room;               /* for words */
    number waiting, sent;      /* children, and how many of them are in their levels */
    number edge;               /* the next edge of the region */
    number level;              /* the level that is full */
    number need;               /* words for which there must be room */
    NAME(Child) *children;
    uint64_t *set;               /* a set of words, and */
    number slots;              /* its size, a power of two, or */
    uint64_t *used;              /* which of its 1024 words are not zero */
    uint64_t stamp;              /* the set's number */
    uint32_t *place;             /* word: its number in the set */
    uint64_t *sums;              /* word: which areas its free fields can fill, or 0 */
    uint32_t *hits;              /* field: its option that fitted last */
} NAME(Work);

#if WIDE
static inline uint64_t *NAME(slot)(NAME(Work) *work, WORD word, const WORD *words)
{
    uint64_t slot = mixed(word);
    while (work->set[slot &= work->slots - 1] >> 32 == work->stamp
           && words[(uint32_t)work->set[slot]] != word) slot++;
    return work->set + slot;
}
#endif

/* Empty the set. */
static inline void NAME(clear)(NAME(Work) *work)
{
#if WIDE
    work->stamp = (work->stamp + 1) & 0xFFFFFFFFu;
    if (work->stamp == 0) {
        for (number slot = 0; slot < work->slots; slot++) work->set[slot] = 0;
        work->stamp = 1;
    }
#else
    for (number block = 0; block < 16; block++)
        for (; work->used[block]; work->used[block] &= work->used[block] - 1)
            work->set[block << 6 | __builtin_ctzll(work->used[block])] = 0;
#endif
}

/* Add a word to the set of those that are listed in `words`, and to the list. */
static inline number NAME(put)(NAME(Work) *work, WORD word, WORD *words, number count)
{
    (void)words;
#if WIDE
    uint64_t *slot = NAME(slot)(work, word, words);
    if (*slot >> 32 == work->stamp) return count;
    *slot = work->stamp << 32 | count;
    words[count] = word;
    return count + 1;
#else
    /* All that matters is a bit; the list is read out of the bits in the end. */
    work->set[word >> 6] |= (uint64_t)1 << (word & 63);
    work->used[word >> 12] |= (uint64_t)1 << (word >> 6 & 63);
    return count;
#endif
}

/* Collect the words of a region from the regions before it; return how many. */
static number NAME(pull)(const NAME(Cover) *cover, const NAME(Level) *levels, NAME(Work) *work,
                      const NAME(Level) *here, uint32_t begin, uint32_t end, WORD *words)
{
    number count = 0;
    NAME(clear)(work);
    for (uint32_t edge = begin; edge < end; edge++) {
        uint32_t option = here->option[edge], source = here->source[edge];
        const NAME(Level) *level = levels + cover->lead[option];
        const WORD mask = cover->mask[option], delta = cover->delta[option];
        for (uint32_t i = level->at[source]; i < level->at[source + 1]; i++)
            if (!(level->words[i] & mask))
                count = NAME(put)(work, level->words[i] + delta, words, count);
    }
#if !WIDE
    for (number block = 0; block < 16; block++)
        for (uint64_t used = work->used[block]; used; used &= used - 1) {
            number at = block << 6 | __builtin_ctzll(used);
            for (uint64_t bits = work->set[at]; bits; bits &= bits - 1)
                words[count++] = at << 6 | __builtin_ctzll(bits);
        }
#endif
    return count;
}

/* Return which areas the fields that are free in a word can fill together. */
static uint64_t NAME(areas)(const NAME(Cover) *cover, WORD word)
{
    uint64_t sums = 1;
    for (number field = 0; field < cover->fields; field++) {
        WORD top = cover->top[field], counter = word & (2 * top - 1);
        if (counter & top) continue;
        counter >>= cover->low[field];
        uint32_t free = ((top >> cover->low[field]) - counter) * cover->times[field];
        while (free--)
            for (uint64_t areas = cover->areas[field], old = sums; areas; areas &= areas - 1)
                sums |= old << __builtin_ctzll(areas);
    }
    return sums;
}

/* Return the areas of the parts into which the bare cells fall, as bits; 0 if it is one part. */
static uint64_t NAME(parts)(const NAME(Cover) *cover, CELLS bare)
{
    uint64_t found = 0;
    for (CELLS left = bare; left;) {
        CELLS part = left & -left;
        for (CELLS edge = part; edge;) {
            CELLS around = 0;
            for (; edge; edge &= edge - 1) around |= cover->near[FIRST(edge)];
            edge = around & left & ~part;
            part |= edge;
        }
        if (part == bare) return 0;
        left &= ~part;
        number area = __builtin_popcountll(part);
#if WIDE
        area += __builtin_popcountll((uint64_t)(part >> 64));
#endif
        if (area < 64) found |= (uint64_t)1 << area;
    }
    return found;
}

/* Return the top bits of the fields that have an option on bare cells beyond `cell`. */
static WORD NAME(placed)(const NAME(Cover) *cover, NAME(Work) *work, CELLS covered, number cell,
                         WORD wanted)
{
    WORD found = 0;
    for (number field = 0; field < cover->fields; field++) {
        if (!(cover->top[field] & wanted)) continue;
        if (!(cover->covers[work->hits[field]] & covered)) {
            found |= cover->top[field];
            continue;
        }
        for (uint32_t i = cover->at_field[field + 1]; i-- > cover->at_field[field];) {
            uint32_t option = cover->of_field[i];
            if (cover->lead[option] <= cell) break;
            if (cover->covers[option] & covered) continue;
            work->hits[field] = option;
            found |= cover->top[field];
            break;
        }
    }
    return found;
}

/* Keep the words in which one of these bits is clear; return how many. */
static inline number NAME(some)(WORD *words, number count, WORD bits)
{
    number kept = 0;
    for (number i = 0; i < count; i++) {
        words[kept] = words[i];
        kept += (words[i] & bits) != bits;
    }
    return kept;
}

/* Keep the words in which all of these bits are set; return how many. */
static inline number NAME(all)(WORD *words, number count, WORD bits)
{
    number kept = 0;
    for (number i = 0; i < count; i++) {
        words[kept] = words[i];
        kept += (words[i] & bits) == bits;
    }
    return kept;
}

/* Keep the words that a region's cells do not rule out; return how many. Each test is made
   once and says which bits of the words it is about. */
static number NAME(test)(const NAME(Cover) *cover, NAME(Work) *work, CELLS covered, number cell,
                      WORD *words, number count, WORD starting)
{
    CELLS bare = cover->board & ~covered;
    WORD free = 0;
    if (!(count = NAME(some)(words, count, starting))) return 0;
    for (number i = 0; i < count; i++) free |= ~words[i];
    /* Every piece and every group that is left must have a place. */
    free &= cover->full & ~starting;
    free &= ~NAME(placed)(cover, work, covered, cell, free);
    if (free && !(count = NAME(all)(words, count, free))) return 0;
    /* Every part that is cut off must be filled by some of them. */
    uint64_t areas = NAME(parts)(cover, bare);
    if (areas) {
        number kept = 0;
        for (number i = 0; i < count; i++) {
#if WIDE
            uint64_t sums = NAME(areas)(cover, words[i]);
#else
            uint64_t sums = work->sums[words[i]];
            if (!sums) sums = work->sums[words[i]] = NAME(areas)(cover, words[i]);
#endif
            if (!(areas & ~sums)) words[kept++] = words[i];
        }
        if (!(count = kept)) return 0;
    }
    /* Every dead end must be covered. */
    for (CELLS left = bare & (bare - 1); left; left &= left - 1) {
        number end = FIRST(left);
        CELLS beside = cover->near[end] & bare;
        if (beside & (beside - 1)) continue;
        WORD bits = 0;
        for (uint32_t i = cover->at_cell[end]; i < cover->at_cell[end + 1]; i++)
            if (!(cover->covers[cover->of_cell[i]] & covered)) bits |= cover->mask[cover->of_cell[i]];
        if (!(count = NAME(some)(words, count, bits))) return 0;
    }
    return count;
}

/* Put the waiting children into their levels; return DONE or GROW. */
static number NAME(send)(NAME(Level) *levels, NAME(Work) *work)
{
    for (number i = work->sent; i < work->waiting; i++) {
        NAME(Level) *level = levels + work->children[i].level;
        uint32_t region = level->slot[work->children[i].hash & (level->slots - 1)];
        if (region) __builtin_prefetch(level->keys + region - 1);
    }
    for (; work->sent < work->waiting; work->sent++) {
        NAME(Child) *child = work->children + work->sent;
        NAME(Level) *level = levels + child->level;
        if (level->found == level->room || level->filled == level->limit) {
            work->level = child->level;
            return GROW;
        }
        uint64_t slot = child->hash;
        uint32_t region;
        while ((region = level->slot[slot &= level->slots - 1])
               && level->keys[region - 1] != child->key) slot++;
        if (!region) {
            level->keys[level->found++] = child->key;
            level->slot[slot] = region = level->found;
        }
        level->to[level->filled] = region - 1;
        level->from[level->filled] = child->from;
        level->by[level->filled++] = child->by;
    }
    work->waiting = work->sent = 0;
    return DONE;
}

/* Enter all regions of a level into its hash table, which is empty. */
EXPORT(NAME(calmip_regions_enter))
number NAME(calmip_regions_enter)(NAME(Level) *level)
{
    for (number region = 0; region < level->found; region++) {
        uint64_t slot = HASH(level->keys[region]);
        while (level->slot[slot &= level->slots - 1]) slot++;
        level->slot[slot] = region + 1;
    }
    return DONE;
}

/* Sort a block of edges by where they lead; see calmip_regions_tally. */
EXPORT(NAME(calmip_regions_place))
number NAME(calmip_regions_place)(const uint32_t *to, const uint32_t *from, const OPTION *by, number edges, uint32_t *next,
                         uint32_t *source, OPTION *option)
{
    for (number edge = 0; edge < edges; edge++) {
        uint32_t place = next[to[edge]]++;
        source[place] = from[edge];
        option[place] = by[edge];
    }
    return DONE;
}

/* Forward: find the words of the regions of a level, drop those without any, and send the
   children of the others to later levels. */
EXPORT(NAME(calmip_regions_grow))
number NAME(calmip_regions_grow)(const NAME(Cover) *cover, NAME(Level) *levels, NAME(Work) *work, number cell)
{
    NAME(Level) *here = levels + cell;
    number budget = work->budget;
    for (;; work->region++) {
        if (work->sent || work->waiting >= BATCH || work->region == work->end) {
            number result = NAME(send)(levels, work);
            if (result != DONE || work->region == work->end) return result;
        }
        if (budget <= 0) return MORE;
        const uint32_t begin = here->begin[work->region], end = here->begin[work->region + 1];
        const CELLS covered = here->keys[work->region];
        work->need = WIDE ? 1 : 65536;
        for (uint32_t edge = begin; WIDE && edge < end; edge++) {
            const NAME(Level) *level = levels + cover->lead[here->option[edge]];
            work->need += level->at[here->source[edge] + 1] - level->at[here->source[edge]];
        }
        if (work->words + work->need > work->room || (WIDE && 2 * work->need > work->slots)) return FULL;
        for (uint32_t edge = end; edge < end + 8 && edge < here->begin[work->end]; edge++) {
            const NAME(Level) *level = levels + cover->lead[here->option[edge]];
            __builtin_prefetch(level->at + here->source[edge]);
        }
        WORD *words = here->words + work->words, starting = 0, free = 0;
        number count = NAME(pull)(cover, levels, work, here, begin, end, words);
        if (covered == 0) words[count++] = cover->root;
        budget -= 8 + end - begin + count;
        if (cell == cover->cells) {
            count = NAME(all)(words, count, cover->full);
        } else {
            for (uint32_t option = cover->first[cell]; option < cover->first[cell + 1]; option++)
                if (!(cover->covers[option] & covered)) starting |= cover->mask[option];
            count = NAME(test)(cover, work, covered, cell, words, count, starting);
        }
        if (count == 0) continue;
        here->at[work->kept] = work->words;
        here->edge[work->kept] = work->edges;
        for (uint32_t edge = begin; edge < end; edge++, work->edges++) {
            here->source[work->edges] = here->source[edge];
            here->option[work->edges] = here->option[edge];
        }
        work->words += count;
        if (cell < cover->cells) {
            for (number i = 0; i < count; i++) free |= ~words[i];
            for (uint32_t option = cover->first[cell]; option < cover->first[cell + 1]; option++) {
                if (cover->covers[option] & covered || !(cover->mask[option] & free)) continue;
                NAME(Child) *child = work->children + work->waiting++;
                CELLS bare = cover->board & ~(child->key = covered | cover->covers[option]);
                child->level = bare ? FIRST(bare) : cover->cells;
                child->hash = HASH(child->key);
                child->from = work->kept;
                child->by = option;
                __builtin_prefetch(levels[child->level].slot
                                   + (child->hash & (levels[child->level].slots - 1)));
            }
        }
        work->kept++;
    }
}

/* Backward: send an edge to every word of an earlier region that leads to a state of this
   level; it goes from that word to the state. */
EXPORT(NAME(calmip_regions_trace))
number NAME(calmip_regions_trace)(const NAME(Cover) *cover, NAME(Level) *levels, NAME(Work) *work, number cell)
{
    NAME(Level) *here = levels + cell;
    number budget = work->budget;
    for (; work->region < work->end; work->region++, work->edge = 0) {
        const uint32_t begin = here->at[work->region], end = here->at[work->region + 1];
        if (budget <= 0) return MORE;
        uint32_t any = 0;
        for (uint32_t i = begin; i < end; i++) any |= here->state[i];
        budget -= 1 + end - begin;
        if (!any) continue;
        const WORD *words = here->words + begin;
        NAME(clear)(work);
        for (uint32_t i = 0; i < end - begin; i++) {
            if (!here->state[begin + i]) continue;
#if WIDE
            *NAME(slot)(work, words[i], words) = work->stamp << 32 | i;
#else
            NAME(put)(work, words[i], 0, 0);
            work->place[words[i]] = i;
#endif
        }
        number stop = here->edge[work->region + 1];
        for (number edge = here->edge[work->region] + work->edge; edge < stop; edge++, work->edge++) {
            const uint32_t option = here->option[edge], source = here->source[edge];
            const WORD mask = cover->mask[option], delta = cover->delta[option];
            NAME(Level) *level = levels + cover->lead[option];
            work->need = level->at[source + 1] - level->at[source];
            if (level->filled + work->need > level->limit) {
                work->level = cover->lead[option];
                return GROW;
            }
            budget -= 1 + work->need;
            for (uint32_t i = level->at[source]; i < level->at[source + 1]; i++) {
                WORD word = level->words[i] + delta;
                if (level->words[i] & mask) continue;
#if WIDE
                uint64_t slot = *NAME(slot)(work, word, words);
                if (slot >> 32 != work->stamp) continue;
                uint32_t place = slot;
#else
                if (!(work->set[word >> 6] >> (word & 63) & 1)) continue;
                uint32_t place = work->place[word];
#endif
                level->to[level->filled] = i;
                level->from[level->filled] = here->state[begin + place] - 1;
                level->by[level->filled++] = option;
            }
        }
    }
    return DONE;
}
