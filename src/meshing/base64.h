// Bytes written as letters (RFC 4648), as XML holds them.
#ifndef CDG_MESHING_BASE64_H
#define CDG_MESHING_BASE64_H

#include <stdbool.h>
#include <stddef.h>

// Letters that `size` bytes take, with the padding.
size_t cdg_base64_length(size_t size);
// All of them and nothing after: `out` has room for cdg_base64_length(size).
void cdg_base64_encode(const void *data, size_t size, char *out);
// Exactly `size` bytes from at most `length` letters. False: too few letters, or others than those of the code.
bool cdg_base64_decode(const char *text, size_t length, void *out, size_t size);

#endif
