/* Fails calls for regular files and folders: LD_PRELOAD of `machine_faults`.

   The environment says which: from call FAIL_FROM on, FAIL_NUMBER calls set errno to FAIL_ERROR.
   Without FAIL_FROM none is counted. At the end of a process FAIL_COUNT prints how many were.
   Only what writes lacks room. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static atomic_long seen;

static long number(const char *name) {
    const char *text = getenv(name);
    return text ? atol(text) : 0;
}

static int fails(int writes) {
    long from = number("FAIL_FROM"), error = number("FAIL_ERROR");
    if (!from || (!writes && (error == ENOSPC || error == EDQUOT))) return 0;
    long now = ++seen;
    if (now < from || now >= from + number("FAIL_NUMBER")) return 0;
    errno = (int)error;
    return 1;
}

static int regular(int file) {
    struct stat found;
    int before = errno;
    int known = !fstat(file, &found) && S_ISREG(found.st_mode);
    errno = before;
    return known;
}

__attribute__((destructor)) static void count(void) {
    if (getenv("FAIL_COUNT")) dprintf(2, "CALLS %ld\n", (long)seen);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define FAILING(type, name, given, passed, condition, writes) \
    type name given { return (condition) && fails(writes) ? -1 : NEXT(name) passed; }

FAILING(ssize_t, read, (int f, void *b, size_t n), (f, b, n), regular(f), 0)
FAILING(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), regular(f), 1)
FAILING(int, fsync, (int f), (f), 1, 1)
FAILING(int, ftruncate, (int f, off_t n), (f, n), 1, 1)
FAILING(int, ftruncate64, (int f, off64_t n), (f, n), 1, 1)
FAILING(int, mkdir, (const char *path, mode_t mode), (path, mode), 1, 1)
FAILING(int, rename, (const char *from, const char *to), (from, to), 1, 1)
FAILING(int, unlink, (const char *path), (path), 1, 0)
FAILING(int, rmdir, (const char *path), (path), 1, 0)
FAILING(int, chmod, (const char *path, mode_t mode), (path, mode), 1, 1)

#define OPENING(name, given, passed) \
    int name given { \
        mode_t mode = 0; \
        if (flags & (O_CREAT | O_TMPFILE)) { \
            va_list more; \
            va_start(more, flags); \
            mode = va_arg(more, mode_t); \
            va_end(more); \
        } \
        return fails(!!(flags & O_CREAT)) ? -1 : NEXT(name) passed; \
    }

OPENING(open, (const char *path, int flags, ...), (path, flags, mode))
OPENING(open64, (const char *path, int flags, ...), (path, flags, mode))
OPENING(openat, (int at, const char *path, int flags, ...), (at, path, flags, mode))
OPENING(openat64, (int at, const char *path, int flags, ...), (at, path, flags, mode))
