// Compressed blocks of bytes in zlib's format, and reading gzip's.
#include "base/deflate.h"

#include <limits.h>
#include <zlib.h>

size_t cdg_deflate_bound(size_t size) { return compressBound((uLong)size); }

bool cdg_deflate(const void *data, size_t size, int level, void *out, size_t *out_size) {
    uLongf used = (uLongf)*out_size;
    bool is_done = compress2(out, &used, data, (uLong)size, level) == Z_OK;
    *out_size = is_done ? (size_t)used : 0;
    return is_done;
}

bool cdg_inflate(const void *data, size_t size, void *out, size_t out_size) {
    enum { ANY_HEADER = 32 }; // zlib's or gzip's
    if (size > UINT_MAX || out_size > UINT_MAX) return false;
    z_stream stream = {.next_in = (Bytef *)data, .avail_in = (uInt)size, .next_out = out, .avail_out = (uInt)out_size};
    if (inflateInit2(&stream, ANY_HEADER + MAX_WBITS) != Z_OK) return false;
    bool is_whole = inflate(&stream, Z_FINISH) == Z_STREAM_END && stream.avail_out == 0;
    inflateEnd(&stream);
    return is_whole;
}
