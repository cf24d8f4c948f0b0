// A growing text of XML or HTML (XML 1.0, section 2: which characters a document may hold and which need escapes).
#include "plot/markup.h"

#include "base/growing_text.h"
#include "base/utf8.h"
#include "output/number.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void cdg_markup_bytes(cdg_markup *markup, const char *bytes, size_t size) {
    if (markup->has_failed) return;
    markup->has_failed = !cdg_text_append(&markup->text, &markup->size, &markup->capacity, bytes, size);
}

void cdg_markup_raw(cdg_markup *markup, const char *text) { cdg_markup_bytes(markup, text, strlen(text)); }

// The next character of `text` as XML may hold it; returns the bytes read, at least 1.
static size_t next_character(const char *text, const char **out, size_t *out_size) {
    const unsigned char *bytes = (const unsigned char *)text;
    size_t length = cdg_utf8_length(bytes, SIZE_MAX);
    *out = text;
    *out_size = length;
    bool is_control = length == 1 && (bytes[0] < 0x20 || bytes[0] == 0x7F);
    bool is_c1 = length == 2 && bytes[0] == 0xC2 && bytes[1] < 0xA0;
    bool is_noncharacter = length == 3 && bytes[0] == 0xEF && bytes[1] == 0xBF && bytes[2] >= 0xBE; // U+FFFE, U+FFFF
    if (is_control || is_c1) {
        *out = " ";
        *out_size = 1;
    } else if (length == 0 || is_noncharacter) {
        *out = "\xEF\xBF\xBD";
        *out_size = 3;
    }
    return length > 0 ? length : 1;
}

static const char *entity(char character) {
    switch (character) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return NULL;
    }
}

void cdg_markup_text(cdg_markup *markup, const char *text) {
    while (*text != '\0') {
        const char *character;
        size_t size, read = next_character(text, &character, &size);
        const char *escape = size == 1 ? entity(character[0]) : NULL;
        if (escape != NULL) {
            cdg_markup_raw(markup, escape);
        } else {
            cdg_markup_bytes(markup, character, size);
        }
        text += read;
    }
}

char *cdg_markup_clean(const char *text) {
    char *clean = malloc(3 * strlen(text) + 1); // a bad byte becomes three
    if (clean == NULL) return NULL;
    size_t length = 0;
    while (*text != '\0') {
        const char *character;
        size_t size;
        text += next_character(text, &character, &size);
        memcpy(clean + length, character, size);
        length += size;
    }
    clean[length] = '\0';
    return clean;
}

void cdg_markup_number(cdg_markup *markup, double value, int decimals) {
    if (!isfinite(value)) value = 0;
    double scale = 1;
    for (int i = 0; i < decimals && i < 9; i++) scale *= 10;
    double rounded = fabs(value) < 1e15 / scale ? round(value * scale) / scale : value;
    if (rounded == 0) rounded = 0; // no "-0"
    char text[CDG_NUMBER_SIZE];
    size_t length = cdg_number_shortest(rounded, text);
    cdg_markup_bytes(markup, text, length);
}

void cdg_markup_base64(cdg_markup *markup, const unsigned char *bytes, size_t size) {
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        unsigned word = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        char group[4] = {digits[word >> 18], digits[word >> 12 & 63], left > 1 ? digits[word >> 6 & 63] : '=',
                         left > 2 ? digits[word & 63] : '='};
        cdg_markup_bytes(markup, group, sizeof group);
    }
}

void cdg_markup_free(cdg_markup *markup) {
    free(markup->text);
    *markup = (cdg_markup){0};
}
