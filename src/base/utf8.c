// Well-formed UTF-8 (Unicode 15, table 3-7).
#include "base/utf8.h"

size_t cdg_utf8_length(const unsigned char *text, size_t size) {
    if (size == 0) return 0;
    unsigned char first = text[0];
    size_t length = first < 0x80                    ? 1
                    : first >= 0xC2 && first < 0xE0 ? 2
                    : first >= 0xE0 && first < 0xF0 ? 3
                    : first >= 0xF0 && first < 0xF5 ? 4
                                                    : 0;
    if (length > size) return 0;
    for (size_t i = 1; i < length; i++) {
        unsigned char low = 0x80, high = 0xBF;
        if (i == 1 && first == 0xE0) low = 0xA0;  // overlong
        if (i == 1 && first == 0xED) high = 0x9F; // surrogates
        if (i == 1 && first == 0xF0) low = 0x90;  // overlong
        if (i == 1 && first == 0xF4) high = 0x8F; // beyond U+10FFFF
        if (text[i] < low || text[i] > high) return 0;
    }
    return length;
}
