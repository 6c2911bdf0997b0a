/* The compiled loops of calmip: plain C without any library.

   Every function works on arrays that its caller owns, allocates nothing, and
   comes back when its budget of steps is spent, so that clocks and interrupts
   are heard; its whole state is in its arguments, so it can be called again
   and goes on. Numbers are 64 bits wide; a place in an array is a number. */

#ifndef CALMIP_KERNEL_H
#define CALMIP_KERNEL_H

#include <stdint.h>

typedef uint64_t word;
typedef int64_t number;

/* The functions that the library shows. */
#if defined(_WIN32)
#define PUBLIC(name) __declspec(dllexport)
#elif defined(__wasm__)
#define PUBLIC(name) __attribute__((export_name(#name)))
#else
#define PUBLIC(name) __attribute__((visibility("default")))
#endif

/* Raised with every change of what a function takes or gives back. */
#define KERNEL_VERSION 1

/* Why a loop came back: its budget is spent, it is done, the solutions have no
   more room, or its working memory has to grow. */
enum { MORE, DONE, FULL, GROW };

#endif
