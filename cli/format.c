// Numbers for people. Four significant digits are enough to read; exact values stand in the JSON output.
#include "format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

text_buffer format_number(double value) {
    text_buffer out;
    snprintf(out.text, sizeof out.text, "%.4g", value);
    return out;
}

text_buffer format_unit(double value, const char *unit) {
    static const struct {
        double scale;
        const char *prefix;
    } steps[] = {{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "u"}, {1e-9, "n"}};
    text_buffer out;
    double size = fabs(value);
    if (isfinite(value) && size >= 1e-10 && size < 1e13 && unit[0]) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            // 0.99995 would print as 1000 of the smaller unit
            if (size >= 0.99995 * steps[i].scale || i + 1 == sizeof steps / sizeof *steps) {
                snprintf(out.text, sizeof out.text, "%.4g %s%s", value / steps[i].scale, steps[i].prefix, unit);
                return out;
            }
        }
    }
    snprintf(out.text, sizeof out.text, "%.4g%s%s", value, unit[0] ? " " : "", unit);
    return out;
}

text_buffer format_beside(double value, double scale, const char *unit) {
    return format_unit(fabs(value) < 1e-12 * fabs(scale) ? 0 : value, unit);
}

text_buffer format_seconds(double seconds) {
    text_buffer out;
    if (!(seconds < 1e9)) {
        snprintf(out.text, sizeof out.text, "a very long time");
    } else if (seconds < 59.95) {
        return format_unit(seconds, "s");
    } else if (seconds < 3599.5) {
        long whole = lround(seconds);
        snprintf(out.text, sizeof out.text, "%ld min %02ld s", whole / 60, whole % 60);
    } else {
        long minutes = lround(seconds / 60);
        snprintf(out.text, sizeof out.text, "%ld h %02ld min", minutes / 60, minutes % 60);
    }
    return out;
}

text_buffer format_bytes(double bytes) {
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    text_buffer out;
    size_t unit = 0;
    while (bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units) {
        bytes /= 1000;
        unit++;
    }
    snprintf(out.text, sizeof out.text, "%.3g %s", bytes, units[unit]);
    return out;
}

text_buffer format_count(uint64_t value) {
    char digits[32];
    text_buffer out;
    int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)value), used = 0;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0) out.text[used++] = ',';
        out.text[used++] = digits[i];
    }
    out.text[used] = '\0';
    return out;
}

text_buffer format_plural(uint64_t count, const char *noun) {
    text_buffer out;
    snprintf(out.text, sizeof out.text, "%.26s %.30s%s", format_count(count).text, noun, count == 1 ? "" : "s");
    return out;
}

size_t text_columns(const char *text) {
    size_t columns = 0;
    for (; *text; text++) columns += ((unsigned char)*text & 0xC0) != 0x80;
    return columns;
}
