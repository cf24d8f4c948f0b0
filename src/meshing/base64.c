// Bytes written as letters: four of them for three bytes.
#include "meshing/base64.h"

size_t cdg_base64_length(size_t size) { return (size + 2) / 3 * 4; }

void cdg_base64_encode(const void *data, size_t size, char *out) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i += 3, out += 4) {
        size_t left = size - i;
        unsigned bits = (unsigned)bytes[i] << 16 | (left > 1 ? (unsigned)bytes[i + 1] << 8 : 0) |
                        (left > 2 ? (unsigned)bytes[i + 2] : 0);
        for (size_t k = 0; k < 4; k++) out[k] = k <= left ? letters[bits >> (18 - 6 * k) & 63] : '=';
    }
}

static int value_of(char letter) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A';
    if (letter >= 'a' && letter <= 'z') return letter - 'a' + 26;
    if (letter >= '0' && letter <= '9') return letter - '0' + 52;
    return letter == '+' ? 62 : letter == '/' ? 63 : -1;
}

bool cdg_base64_decode(const char *text, size_t length, void *out, size_t size) {
    unsigned char *bytes = out;
    if (size > length / 4 * 3) return false;
    for (size_t done = 0; done < size; text += 4) {
        unsigned bits = 0;
        size_t count = size - done < 3 ? size - done : 3;
        for (size_t k = 0; k <= count; k++) { // one letter more than bytes
            int value = value_of(text[k]);
            if (value < 0) return false;
            bits |= (unsigned)value << (18 - 6 * k);
        }
        for (size_t k = 0; k < count; k++) bytes[done++] = (unsigned char)(bits >> (16 - 8 * k));
    }
    return true;
}
