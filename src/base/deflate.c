// Compressed blocks of bytes in zlib's format.
#include "base/deflate.h"

#include <zlib.h>

size_t cdg_deflate_bound(size_t size) { return compressBound((uLong)size); }

bool cdg_deflate(const void *data, size_t size, int level, void *out, size_t *out_size) {
    uLongf used = (uLongf)*out_size;
    bool is_done = compress2(out, &used, data, (uLong)size, level) == Z_OK;
    *out_size = is_done ? (size_t)used : 0;
    return is_done;
}

bool cdg_inflate(const void *data, size_t size, void *out, size_t out_size) {
    uLongf used = (uLongf)out_size;
    uLong taken = (uLong)size;
    return uncompress2(out, &used, data, &taken) == Z_OK && used == out_size;
}
