// Shared libraries of the command that are loaded when they are used for the first time. The stubs that stand for their
// functions are written by scripts/lazy_libraries.
#ifndef CDG_CLI_LAZY_LOAD_H
#define CDG_CLI_LAZY_LOAD_H

#include <stddef.h>

typedef struct lazy_symbol {
    int library; // in lazy_libraries
    const char *name;
} lazy_symbol;

extern const char *const lazy_libraries[];
extern const lazy_symbol lazy_symbols[];

#endif
