// Characters of UTF-8 text.
#ifndef CDG_BASE_UTF8_H
#define CDG_BASE_UTF8_H

#include <stddef.h>

// Bytes of the well-formed sequence at `text` (Unicode 15, table 3-7), which has `size` bytes; 0: there is none. A
// text that ends in a zero byte may be given any size: the zero ends the sequence.
size_t cdg_utf8_length(const unsigned char *text, size_t size);

#endif
