// Bytes that grow in memory: text and binary data before they go into a file.
#ifndef CDG_EXPORT_BYTES_H
#define CDG_EXPORT_BYTES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cdg_bytes {
    unsigned char *data;
    size_t size, capacity;
    bool has_failed; // out of memory, or a text that could not be formatted; what came after was left out
} cdg_bytes;

void cdg_bytes_append(cdg_bytes *bytes, const void *data, size_t size);
void cdg_bytes_print(cdg_bytes *bytes, const char *format, ...) __attribute__((format(printf, 2, 3)));
void cdg_bytes_number(cdg_bytes *bytes, double value); // the shortest text with the same bits
void cdg_bytes_float(cdg_bytes *bytes, float value);   // the same for a float
// A text with every byte of `special` replaced by its counterpart in `replacements`: for quoting.
void cdg_bytes_escaped(cdg_bytes *bytes, const char *text, const char *special, const char *const *replacements);
void cdg_bytes_clear(cdg_bytes *bytes); // keeps the memory
void cdg_bytes_free(cdg_bytes *bytes);

#endif
