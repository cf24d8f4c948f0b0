// Text that grows in memory, by doubling.
#include "base/growing_text.h"

#include <stdlib.h>
#include <string.h>

bool cdg_text_append(char **text, size_t *size, size_t *capacity, const char *bytes, size_t count) {
    if (*capacity - *size <= count) {
        size_t wanted = *capacity > 0 ? *capacity : 1024;
        while (wanted - *size <= count) wanted *= 2;
        char *grown = realloc(*text, wanted);
        if (grown == NULL) return false;
        *text = grown;
        *capacity = wanted;
    }
    memcpy(*text + *size, bytes, count);
    *size += count;
    (*text)[*size] = '\0';
    return true;
}
