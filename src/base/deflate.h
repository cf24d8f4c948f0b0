// Compressed blocks of bytes (the only user of zlib).
#ifndef CDG_BASE_DEFLATE_H
#define CDG_BASE_DEFLATE_H

#include <stdbool.h>
#include <stddef.h>

// Room that compressing `size` bytes may need.
size_t cdg_deflate_bound(size_t size);
// `level` is 1, fast, to 9, small. *out_size is the room at first, then what is used. False: not enough room or memory.
bool cdg_deflate(const void *data, size_t size, int level, void *out, size_t *out_size);
// Of zlib's format, or of gzip's. False unless the data are whole and give exactly out_size bytes.
bool cdg_inflate(const void *data, size_t size, void *out, size_t out_size);

#endif
