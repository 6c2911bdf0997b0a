/* All solutions of an exact cover, depth first.

   A state says which items are covered, as bits in words. An item that is to be
   covered more than once has a counter in the state, whose top bit is set when
   it has been covered often enough. An option's mask has the bits that it must
   find clear, and its delta is what it adds to the state.

   Every node keeps the list of the options that still fit. It branches on the
   item with the fewest of them, 32 and more being many; among equals on the one
   with the lowest bit. The options of all items of a word are counted together,
   in vertical counters: bit i of the planes is the count of item i (Knuth, TAOCP
   7.1.3, "bitwise tricks"). */

#include "kernel.h"

enum { PLANES = 5, MANY = 1 << PLANES, LATE = 2 << PLANES };

/* What `choose` says where there is no item to branch on, and a frame before it was asked. */
enum { SOLVED = -1, DEAD = -2, NEW = -3 };

/* The places of the numbers in the state of a search, and in a frame of its stack:
   where the node's list begins and ends, which entry comes next, and the item. */
enum { DEPTH, NODES, FOUND };
enum { BEGIN, END, NEXT, ITEM, FRAME };

typedef struct {
    const word *masks, *deltas; /* by option */
    const word *full;           /* the state of a solution */
    const word *late;           /* items to branch on only if forced, or if no other is left */
    word *states;               /* from the root to here */
    number *frames;             /* the same */
    word *lists;                /* the masks of the options that still fit, list after list */
    uint32_t *names;            /* and their numbers */
    number *out;                /* the options of the solutions found, then -1 */
    number *state;
    number room;      /* the options that there is room for in the lists */
    number solutions; /* the solutions that there is room for */
    number size;      /* the most options in a solution */
    number budget;    /* stop after so many options were looked at */
} Search;

static inline number choose(const number words, const word *masks, number count,
                            const word *state, const word *full, const word *late)
{
    number best = SOLVED, fewest = 2 * LATE;
    for (number w = 0; w < words; w++) {
        word any = state[w];
        for (number k = 0; k < count; k++)
            any |= masks[k * words + w];
        if (full[w] & ~any)
            return DEAD;
    }
    for (number w = 0; w < words; w++) {
        word open = full[w] & ~state[w];
        if (!open)
            continue;
        word plane[PLANES] = {0}, many = 0;
        for (number k = 0; k < count; k++) {
            word carry = masks[k * words + w];
            for (int p = 0; p < PLANES; p++) {
                const word both = plane[p] & carry;
                plane[p] ^= carry;
                carry = both;
            }
            many |= carry;
        }
        word several = many;
        for (int p = 1; p < PLANES; p++)
            several |= plane[p];
        number rank = 0;
        if (open & ~(late[w] & several))
            open &= ~(late[w] & several);
        else
            rank += LATE;
        if (open & ~many) {
            open &= ~many;
            for (int p = PLANES - 1; p >= 0; p--)
                if (open & ~plane[p])
                    open &= ~plane[p];
                else
                    rank += 1 << p;
        } else
            rank += MANY;
        if (rank < fewest) {
            fewest = rank;
            best = 64 * w + __builtin_ctzll(open);
        }
    }
    return best;
}

/* Copy the options of a list that fit a state, and return how many they are. */
static inline number filter(const number words, const word *state, const word *masks,
                            const uint32_t *names, number count, word *restrict to_masks,
                            uint32_t *restrict to_names)
{
    number kept = 0;
    for (number k = 0; k < count; k++) {
        word clash = 0;
        for (number w = 0; w < words; w++) {
            clash |= masks[k * words + w] & state[w];
            to_masks[kept * words + w] = masks[k * words + w];
        }
        to_names[kept] = names[k];
        kept += !clash;
    }
    return kept;
}

static inline __attribute__((always_inline)) number search(const number words, const Search *s)
{
    number depth = s->state[DEPTH], nodes = 0, steps = 0, result = DONE;
    while (depth >= 0) {
        number *frame = s->frames + depth * FRAME, *child = frame + FRAME;
        word *state = s->states + depth * words, *after = state + words;
        const number begin = frame[BEGIN], end = frame[END];
        if (steps >= s->budget) {
            result = MORE;
            break;
        }
        if (frame[ITEM] == NEW) {
            if (s->state[FOUND] == s->solutions) {
                result = FULL;
                break;
            }
            frame[ITEM] = choose(words, s->lists + begin * words, end - begin, state, s->full,
                                 s->late);
            steps += end - begin + 1;
            if (frame[ITEM] == SOLVED) {
                number *row = s->out + s->size * s->state[FOUND]++;
                for (number level = 0; level < depth; level++)
                    row[level] = s->names[s->frames[level * FRAME + NEXT] - 1];
                for (number level = depth; level < s->size; level++)
                    row[level] = -1;
            }
        }
        number k = frame[NEXT];
        if (frame[ITEM] < 0)
            k = end;
        const number at = frame[ITEM] >> 6;
        const word bit = (word)1 << (frame[ITEM] & 63);
        while (k < end && !(s->lists[k * words + at] & bit))
            k++;
        if (k == end) {
            depth--;
            continue;
        }
        if (end + (end - begin) > s->room) {
            result = GROW;
            break;
        }
        nodes++;
        steps += end - begin;
        frame[NEXT] = k + 1;
        const word *delta = s->deltas + s->names[k] * words;
        for (number w = 0; w < words; w++)
            after[w] = state[w] + delta[w];
        /* Of what covers this item, only that comes below which was not tried yet. */
        const word own = after[at];
        after[at] |= bit;
        number kept = filter(words, after, s->lists + begin * words, s->names + begin, k - begin,
                             s->lists + end * words, s->names + end);
        after[at] = own;
        kept += filter(words, after, s->lists + (k + 1) * words, s->names + k + 1, end - k - 1,
                       s->lists + (end + kept) * words, s->names + end + kept);
        child[BEGIN] = child[NEXT] = end;
        child[END] = end + kept;
        child[ITEM] = NEW;
        depth++;
    }
    s->state[DEPTH] = depth;
    s->state[NODES] += nodes;
    return result;
}

/* Search on until something stops it. Before the first call the state is 0, 0, 0 and the
   first frame has the list of the options that fit the first state, and -3 for its item;
   after a call that found solutions their number, the last of the state, is set to 0. */
PUBLIC(calmip_search)
number calmip_search(number words, const Search *s)
{
    switch (words) {
    case 1: return search(1, s);
    case 2: return search(2, s);
    case 3: return search(3, s);
    default: return search(words, s);
    }
}
