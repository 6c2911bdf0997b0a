/* The number of solutions of an exact cover by dancing links: the yardstick for calmip's count.

   Plain: no table, no bit masks; the item with the fewest options is covered (D. E. Knuth,
   "Dancing links", 2000, and Algorithm C of TAOCP 7.2.2.1 for colours). Standard input: a line of
   items, those behind | secondary, then a line per option, in which secondary items may have
   colours, as in a .dlx file. Output: solutions and nodes.

   cc -O3 -o dancing_links dancing_links.c */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ITEMS = 1 << 14, NODES = 1 << 20, LINE = 1 << 16 };

static int left[NODES], right[NODES], up[NODES], down[NODES], head[NODES], size[ITEMS];
static int colour[NODES]; /* 0 without one; below 0 if the item has it already */
static char *names[ITEMS], *colours[NODES], line[LINE];
static int items, last, palette;
static uint64_t solutions, nodes;

static void hide(int i)
{
    for (int j = right[i]; j != i; j = right[j])
        if (colour[j] >= 0) {
            down[up[j]] = down[j];
            up[down[j]] = up[j];
            size[head[j]]--;
        }
}

static void unhide(int i)
{
    for (int j = left[i]; j != i; j = left[j])
        if (colour[j] >= 0) {
            size[head[j]]++;
            down[up[j]] = up[down[j]] = j;
        }
}

static void cover(int item)
{
    right[left[item]] = right[item];
    left[right[item]] = left[item];
    for (int i = down[item]; i != item; i = down[i])
        hide(i);
}

static void uncover(int item)
{
    for (int i = up[item]; i != item; i = up[i])
        unhide(i);
    right[left[item]] = left[right[item]] = item;
}

/* Give the item of a node its colour: options with another one go. */
static void commit(int j)
{
    const int own = colour[j], item = head[j];
    if (!own)
        cover(item);
    if (own <= 0)
        return;
    for (int i = down[item]; i != item; i = down[i])
        if (colour[i] != own)
            hide(i);
        else if (i != j)
            colour[i] = -1;
}

static void uncommit(int j)
{
    const int own = colour[j], item = head[j];
    if (!own)
        uncover(item);
    if (own <= 0)
        return;
    for (int i = up[item]; i != item; i = up[i])
        if (colour[i] < 0)
            colour[i] = own;
        else if (i != j)
            unhide(i);
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
            commit(j);
        search();
        for (int j = left[i]; j != i; j = left[j])
            uncommit(j);
    }
    uncover(best);
}

int main(void)
{
    if (!fgets(line, LINE, stdin))
        return 1;
    int secondary = 0;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
        if (!strcmp(word, "|")) {
            secondary = 1;
            continue;
        }
        if (++items >= ITEMS)
            return 1;
        names[items] = strdup(word);
        up[items] = down[items] = left[items] = right[items] = items;
        if (secondary)
            continue;
        left[items] = items - 1;
        right[items - 1] = left[0] = items;
        right[items] = 0;
    }
    last = items;
    while (fgets(line, LINE, stdin)) {
        int first = 0;
        for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
            int item = 1;
            char *own = strchr(word, ':');
            if (own)
                *own++ = 0;
            while (item <= items && strcmp(names[item], word))
                item++;
            if (item > items || ++last >= NODES)
                return 1;
            head[last] = item;
            for (colour[last] = 0; own && colour[last] < palette; colour[last]++)
                if (!strcmp(colours[colour[last]], own))
                    break;
            if (own && colour[last]++ == palette)
                colours[palette++] = strdup(own);
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
