/* What a compiler takes for granted, for a library that needs no other. With HOSTED the
   library is linked with the C library, which has it. */

#include <stddef.h>

#include "kernel.h"

#ifndef HOSTED
void *memcpy(void *restrict to, const void *restrict from, size_t size)
{
    unsigned char *target = to;
    const unsigned char *source = from;
    while (size--)
        *target++ = *source++;
    return to;
}

void *memset(void *to, int value, size_t size)
{
    unsigned char *target = to;
    while (size--)
        *target++ = (unsigned char)value;
    return to;
}

#ifdef _WIN32
/* Windows calls this when it loads a library. */
int DllMainCRTStartup(void *library, unsigned reason, void *reserved)
{
    (void)library, (void)reason, (void)reserved;
    return 1;
}
#endif
#endif

PUBLIC(calmip_version)
number calmip_version(void)
{
    return KERNEL_VERSION;
}
