// Text that grows in memory.
#ifndef CDG_BASE_GROWING_TEXT_H
#define CDG_BASE_GROWING_TEXT_H

#include <stdbool.h>
#include <stddef.h>

// Appends bytes and a zero that does not count. *text is NULL and both numbers are 0 at first; the caller frees it.
// False without memory: nothing has changed.
bool cdg_text_append(char **text, size_t *size, size_t *capacity, const char *bytes, size_t count);

#endif
