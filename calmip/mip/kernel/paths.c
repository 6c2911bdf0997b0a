/* Numbers of paths in a graph whose states are numbered so that every edge leads to a
   smaller number; calmip/puzzle/search/exact_cover/regions.py calls these loops. Edges of state s
   are edges[s] ... edges[s + 1].

   A path has a choice, the sum of what its edges are worth. The list of a state says for
   each choice how many paths lead to state 0; the list of state s is at[s] ... at[s + 1]. */


#include "kernel.h"

enum { OVERFLOW = 4 };

/* Add up the paths of the states from `begin` on, whatever their choice. */
PUBLIC(calmip_paths_all)
number calmip_paths_all(const uint32_t *edges, const uint32_t *target, number begin, number end, uint64_t *paths)
{
    for (number state = begin; state < end; state++)
        for (uint32_t edge = edges[state]; edge < edges[state + 1]; edge++) {
            paths[state] += paths[target[edge]];
            if (paths[state] >> 63) return OVERFLOW;
        }
    return DONE;
}

typedef struct {
    number budget;
    number state, end;       /* the next state, and where they end */
    number room;             /* for choices and counts */
    number choices;
    const uint32_t *edges, *target, *worth;
    number *at;
    uint32_t *choice;
    uint64_t *count;
    uint64_t *sums;            /* choice: 0 */
} Lists;

/* Make the lists of the next states. */
PUBLIC(calmip_paths_lists)
number calmip_paths_lists(Lists *lists)
{
    number budget = lists->budget;
    for (; lists->state < lists->end; lists->state++) {
        if (budget <= 0) return MORE;
        number begin = lists->at[lists->state], written = begin;
        uint32_t edge = lists->edges[lists->state], stop = lists->edges[lists->state + 1];
        number most = 0;
        for (uint32_t e = edge; e < stop; e++)
            most += lists->at[lists->target[e] + 1] - lists->at[lists->target[e]];
        budget -= 1 + most;
        if (most > lists->choices) most = lists->choices;
        if (written + most > lists->room) return FULL;
        for (; edge < stop; edge++) {
            const uint32_t target = lists->target[edge], worth = lists->worth[edge];
            for (number i = lists->at[target]; i < lists->at[target + 1]; i++) {
                const uint32_t choice = lists->choice[i] + worth;
                if (!lists->sums[choice]) lists->choice[written++] = choice;
                lists->sums[choice] += lists->count[i];
            }
        }
        for (number i = begin; i < written; i++) {
            lists->count[i] = lists->sums[lists->choice[i]];
            lists->sums[lists->choice[i]] = 0;
        }
        lists->at[lists->state + 1] = written;
    }
    return DONE;
}

/* Add up the paths from the last state to state 0 that go through an edge from a state
   beyond a cut, `state` ... `end`, to one before it. `above` has the lists of the graph
   turned round: its state s is state last - s. `sums` gets the totals. */
PUBLIC(calmip_paths_join)
number calmip_paths_join(Lists *lists, const Lists *above, number last, number cut)
{
    number budget = lists->budget;
    for (; lists->state < lists->end; lists->state++) {
        const number up = last - lists->state;
        if (budget <= 0) return MORE;
        for (uint32_t edge = lists->edges[lists->state]; edge < lists->edges[lists->state + 1]; edge++) {
            const uint32_t target = lists->target[edge];
            if (target >= cut) continue;
            for (number i = above->at[up]; i < above->at[up + 1]; i++) {
                uint64_t *sums = lists->sums + lists->worth[edge] + above->choice[i];
                const uint64_t count = above->count[i];
                for (number j = lists->at[target]; j < lists->at[target + 1]; j++)
                    sums[lists->choice[j]] += count * lists->count[j];
                budget -= 1 + lists->at[target + 1] - lists->at[target];
            }
        }
    }
    return DONE;
}
