/* The number of solutions of an exact cover by dancing links: the yardstick for calmip's count.

   Plain: no table, no bit masks; the item with the fewest options is covered (D. E. Knuth,
   "Dancing links", 2000). Standard input: a line of items, then a line per option, as in a
   .dlx file without secondary items. Output: solutions and nodes.

   cc -O3 -o dancing_links dancing_links.c */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 4096, NODES = 1 << 20, LINE = 1 << 16 };

static int left[NODES], right[NODES], up[NODES], down[NODES], head[NODES], size[ITEMS];
static char *names[ITEMS], line[LINE];
static int items, last;
static uint64_t solutions, nodes;

static void cover(int item)
{
    right[left[item]] = right[item];
    left[right[item]] = left[item];
    for (int i = down[item]; i != item; i = down[i])
        for (int j = right[i]; j != i; j = right[j]) {
            down[up[j]] = down[j];
            up[down[j]] = up[j];
            size[head[j]]--;
        }
}

static void uncover(int item)
{
    for (int i = up[item]; i != item; i = up[i])
        for (int j = left[i]; j != i; j = left[j]) {
            size[head[j]]++;
            down[up[j]] = up[down[j]] = j;
        }
    right[left[item]] = left[right[item]] = item;
}

static void search(void)
{
    if (!right[0]) {
        solutions++;
        return;
    }
    int best = right[0];
    for (int item = right[best]; item; item = right[item])
        if (size[item] < size[best])
            best = item;
    if (!size[best])
        return;
    cover(best);
    for (int i = down[best]; i != best; i = down[i]) {
        nodes++;
        for (int j = right[i]; j != i; j = right[j])
            cover(head[j]);
        search();
        for (int j = left[i]; j != i; j = left[j])
            uncover(head[j]);
    }
    uncover(best);
}

int main(void)
{
    if (!fgets(line, LINE, stdin))
        return 1;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (++items >= ITEMS)
            return 1;
        names[items] = strdup(word);
        up[items] = down[items] = items;
        left[items] = items - 1;
        right[items - 1] = items;
    }
    right[items] = 0;
    left[0] = last = items;
    while (fgets(line, LINE, stdin)) {
        int first = 0;
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            int item = 1;
            while (item <= items && strcmp(names[item], word))
                item++;
            if (item > items || ++last >= NODES)
                return 1;
            head[last] = item;
            up[last] = up[item];
            down[last] = item;
            down[up[last]] = up[item] = last;
            size[item]++;
            if (!first)
                first = left[last] = right[last] = last;
            left[last] = left[first];
            right[last] = first;
            right[left[last]] = left[first] = last;
        }
    }
    search();
    printf("%llu %llu\n", (unsigned long long)solutions, (unsigned long long)nodes);
    return 0;
}
