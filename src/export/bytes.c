// Bytes that grow by doubling; a failure is remembered, so that callers ask once at the end.
#include "export/bytes.h"

#include "output/number.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAPACITY_MIN = 256 };

static bool make_room(cdg_bytes *bytes, size_t size) {
    if (bytes->has_failed) return false;
    if (size <= bytes->capacity - bytes->size) return true;
    size_t capacity = bytes->capacity > CAPACITY_MIN ? bytes->capacity : CAPACITY_MIN;
    while (capacity - bytes->size < size && capacity <= SIZE_MAX / 2) capacity *= 2;
    unsigned char *data = capacity - bytes->size < size ? NULL : realloc(bytes->data, capacity);
    if (data == NULL) {
        bytes->has_failed = true;
        return false;
    }
    bytes->data = data;
    bytes->capacity = capacity;
    return true;
}

void cdg_bytes_append(cdg_bytes *bytes, const void *data, size_t size) {
    if (size == 0 || !make_room(bytes, size)) return;
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
}

void cdg_bytes_print(cdg_bytes *bytes, const char *format, ...) {
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0) {
        bytes->has_failed = true;
    } else if (make_room(bytes, (size_t)length + 1)) { // the terminator is written but not counted
        vsnprintf((char *)bytes->data + bytes->size, (size_t)length + 1, format, again);
        bytes->size += (size_t)length;
    }
    va_end(again);
    va_end(arguments);
}

void cdg_bytes_number(cdg_bytes *bytes, double value) {
    char text[CDG_NUMBER_SIZE];
    cdg_bytes_append(bytes, text, cdg_number_shortest(value, text));
}

void cdg_bytes_float(cdg_bytes *bytes, float value) {
    char text[CDG_NUMBER_SIZE];
    cdg_bytes_append(bytes, text, cdg_number_shortest_float(value, text));
}

void cdg_bytes_escaped(cdg_bytes *bytes, const char *text, const char *special, const char *const *replacements) {
    for (; *text != '\0'; text++) {
        const char *found = strchr(special, *text);
        if (found != NULL) {
            const char *replacement = replacements[found - special];
            cdg_bytes_append(bytes, replacement, strlen(replacement));
        } else {
            cdg_bytes_append(bytes, text, 1);
        }
    }
}

void cdg_bytes_clear(cdg_bytes *bytes) {
    bytes->size = 0;
    bytes->has_failed = false;
}

void cdg_bytes_free(cdg_bytes *bytes) {
    free(bytes->data);
    *bytes = (cdg_bytes){0};
}
