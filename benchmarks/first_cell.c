/* The plain search for polyomino tilings: cover the first bare cell in every way.

   One 64-bit word per state, no look-ahead, no merging: the yardstick for the
   compiled search of calmip. Standard input: the numbers of items, cells and
   options, then one hexadecimal mask per option, by lowest bit ascending; the
   cells are the lowest bits. Output: solutions, nodes, seconds of the search.

   cc -O3 -o first_cell first_cell.c */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static uint64_t *masks, full, nodes, solutions;
static int first[65], cells;

static void search(uint64_t covered)
{
    int cell = ~covered ? __builtin_ctzll(~covered) : 64;
    if (cell >= cells) {
        solutions += covered == full;
        return;
    }
    for (int option = first[cell]; option < first[cell + 1]; option++)
        if (!(covered & masks[option])) {
            nodes++;
            search(covered | masks[option]);
        }
}

int main(void)
{
    int items, options, bucket = 0;
    if (scanf("%d %d %d", &items, &cells, &options) != 3 || items < 1 || items > 64 || options < 0)
        return 1;
    masks = malloc(sizeof *masks * (options + 1));
    if (!masks)
        return 1;
    for (int option = 0; option < options; option++) {
        unsigned long long mask;
        if (scanf("%llx", &mask) != 1 || !mask)
            return 1;
        masks[option] = mask;
        while (bucket <= __builtin_ctzll(mask))
            first[bucket++] = option;
    }
    while (bucket < 65)
        first[bucket++] = options;
    full = items == 64 ? ~0ULL : (1ULL << items) - 1;

    struct timespec start, end;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &start);
    search(0);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
    printf("%llu %llu %.6f\n", (unsigned long long)solutions, (unsigned long long)nodes,
           (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec));
    return 0;
}
