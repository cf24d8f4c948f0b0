// Numbers for people: lengths of time, bytes, SI prefixes, thousands.
#ifndef CLI_FORMAT_H
#define CLI_FORMAT_H

#include <stddef.h>
#include <stdint.h>

// A short text by value, so that several fit into one printf.
typedef struct text_buffer {
    char text[64];
} text_buffer;

text_buffer format_seconds(double seconds);              // "340 ms", "1.68 s", "2 min 03 s", "3 h 05 min"
text_buffer format_bytes(double bytes);                  // "12.3 MB"
text_buffer format_unit(double value, const char *unit); // "2 mm": SI prefix from n to G; plain for 0 and "" units
text_buffer format_beside(double value, double scale, const char *unit); // the same, but roundings of `scale` are 0
text_buffer format_count(uint64_t value);                                // "12,300"
text_buffer format_number(double value);                                 // "0.00123", "1.2e-09"

text_buffer format_plural(uint64_t count, const char *noun); // "1 rod", "2,000 rods"

// Columns a UTF-8 text takes (one a character).
size_t text_columns(const char *text);

#endif
