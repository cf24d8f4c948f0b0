// Single-quoted scalars by YAML 1.2.2, section 7.3.2: '' is a quote; lines are folded as in section 6.5.
#include "scene/single_quoted.h"

static int is_break(char c) { return c == '\n' || c == '\r'; }
static int is_white(char c) { return c == ' ' || c == '\t'; }

size_t cdg_single_quoted_decode(const char *raw, size_t size, char *out) {
    size_t used = 0, i = 0;
    while (i < size) {
        if (!is_break(raw[i])) {
            if (raw[i] == '\'' && i + 1 < size && raw[i + 1] == '\'') i++;
            out[used++] = raw[i++];
            continue;
        }
        // White space around the break is not text. One break becomes a space; of several the first is dropped.
        while (used > 0 && is_white(out[used - 1])) used--;
        size_t breaks = 0;
        while (i < size && (is_break(raw[i]) || is_white(raw[i]))) {
            if (is_break(raw[i])) {
                breaks++;
                if (raw[i] == '\r' && i + 1 < size && raw[i + 1] == '\n') i++;
            }
            i++;
        }
        if (breaks == 1) out[used++] = ' ';
        for (size_t k = 1; k < breaks; k++) out[used++] = '\n';
    }
    return used;
}
