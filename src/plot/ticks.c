// Ticks: the "nice numbers" of Heckbert (Graphics Gems, 1990) with 2.5 as one more, in units with SI prefixes.
#include "plot/ticks.h"

#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char MINUS[] = "\xE2\x88\x92"; // U+2212, as wide as a plus

// "-1.5" with a true minus sign.
static void put_signed(const char *text, char *out, size_t size) {
    snprintf(out, size, "%s%s", text[0] == '-' ? MINUS : "", text[0] == '-' ? text + 1 : text);
}

static void put_power(int exponent, char *out, size_t size) {
    static const char *const raised[] = {"\xE2\x81\xB0", "\xC2\xB9",     "\xC2\xB2",     "\xC2\xB3",
                                         "\xE2\x81\xB4", "\xE2\x81\xB5", "\xE2\x81\xB6", "\xE2\x81\xB7",
                                         "\xE2\x81\xB8", "\xE2\x81\xB9"};
    char digits[16];
    snprintf(digits, sizeof digits, "%d", exponent < 0 ? -exponent : exponent);
    size_t length = (size_t)snprintf(out, size, "10%s", exponent < 0 ? "\xE2\x81\xBB" : "");
    for (const char *digit = digits; *digit != '\0' && length < size; digit++)
        length += (size_t)snprintf(out + length, size - length, "%s", raised[*digit - '0']);
}

// ---- units

static const char *prefix_of(int exponent) {
    static const char *const prefixes[] = {"f", "p", "n", "\xC2\xB5", "m", "", "k", "M", "G", "T"};
    return exponent >= -15 && exponent <= 12 && exponent % 3 == 0 ? prefixes[exponent / 3 + 5] : NULL;
}

// Units whose first factor may carry a prefix; "kg" has one already, and 1/m, rad and plain numbers are better left.
static bool takes_prefix(const char *unit) {
    size_t length = strcspn(unit, "*/ ^");
    static const char *const prefixable[] = {"m", "s", "N", "J", "Pa", "W", "Hz"};
    if (unit[length] == '^') return false; // (km)^2 is not k(m^2)
    for (size_t i = 0; i < sizeof prefixable / sizeof *prefixable; i++)
        if (strlen(prefixable[i]) == length && strncmp(unit, prefixable[i], length) == 0) return true;
    return false;
}

int cdg_ticks_exponent(double largest, const char *unit) {
    if (!isfinite(largest) || !(largest > 0)) return 0;
    bool is_time = strcmp(unit, "s") == 0, has_prefix = takes_prefix(unit);
    double low = has_prefix ? 0.1 : 1e-3, high = has_prefix ? 1e4 : 1e5;
    if (largest >= low && largest < high) return 0;
    int exponent = 3 * (int)floor(log10(largest) / 3 + 1e-12);
    return is_time && exponent > 0 ? 0 : exponent;
}

void cdg_unit_text(const char *unit, int exponent, char out[CDG_UNIT_SIZE]) {
    const char *prefix = takes_prefix(unit) ? prefix_of(exponent) : exponent == 0 ? "" : NULL;
    size_t length;
    if (prefix != NULL) {
        length = (size_t)snprintf(out, CDG_UNIT_SIZE, "%s", prefix);
    } else {
        put_power(exponent, out, CDG_UNIT_SIZE);
        length = strlen(out);
        if (strcmp(unit, "1") != 0) length += (size_t)snprintf(out + length, CDG_UNIT_SIZE - length, " ");
    }
    if (strcmp(unit, "1") == 0) return;
    for (; *unit != '\0' && length + 3 < CDG_UNIT_SIZE; unit++) {
        if (*unit == '*') {
            length += (size_t)snprintf(out + length, CDG_UNIT_SIZE - length, "\xC2\xB7");
        } else {
            out[length++] = *unit;
            out[length] = '\0';
        }
    }
}

void cdg_number_text(double value, int digits, char *out, size_t size) {
    if (!isfinite(value)) {
        snprintf(out, size, "%s", isnan(value) ? "not a number" : value > 0 ? "infinite" : "minus infinite");
        return;
    }
    char text[CDG_NUMBER_SIZE];
    snprintf(text, sizeof text, "%.*e", digits - 1, value);
    char *e = strchr(text, 'e');
    int exponent = 0;
    if (e == NULL || sscanf(e + 1, "%d", &exponent) != 1) return; // printf always writes one
    if (value == 0) {
        snprintf(out, size, "0");
    } else if (exponent >= -4 && exponent < 6) {
        int decimals = digits - 1 - exponent;
        snprintf(text, sizeof text, "%.*f", decimals > 0 ? decimals : 0, value);
        put_signed(text, out, size);
    } else {
        char power[48];
        *e = '\0';
        put_power(exponent, power, sizeof power);
        put_signed(text, out, size);
        size_t length = strlen(out);
        if (length < size) snprintf(out + length, size - length, "\xC2\xB7%s", power);
    }
}

// ---- ticks

static void add_tick(cdg_ticks *ticks, double value, const char *label) {
    if (ticks->count == CDG_TICKS_MAX) return;
    ticks->items[ticks->count].value = value;
    put_signed(label, ticks->items[ticks->count].label, CDG_TICK_LABEL_SIZE);
    ticks->count++;
}

// Makes the range usable: about 1e-10 of the values is the narrowest that still has telling labels.
static void widen(double *low, double *high) {
    if (!isfinite(*low) || !isfinite(*high)) {
        *low = -1;
        *high = 1;
        return;
    }
    if (*low > *high) {
        double kept = *low;
        *low = *high;
        *high = kept;
    }
    *low = fmax(*low, -1e300); // the width of the range must be a number, too
    *high = fmin(*high, 1e300);
    double size = fmax(fabs(*low), fabs(*high)), middle = *low / 2 + *high / 2;
    if (*high - *low > 1e-10 * size && *high - *low > 1e-290) return;
    double half = fabs(middle) > 1e-280 ? 0.1 * fabs(middle) : 1;
    *low = middle - half;
    *high = middle + half;
}

cdg_ticks cdg_ticks_linear(double low, double high, size_t wanted, const char *unit) {
    cdg_ticks ticks = {0};
    widen(&low, &high);
    ticks.low = low;
    ticks.high = high;
    ticks.exponent = cdg_ticks_exponent(fmax(fabs(low), fabs(high)), unit);
    double raw = (high - low) / (double)(wanted > 1 ? wanted : 1), power = floor(log10(raw));
    // The power of ten is kept as a number of decimals, so that ticks are rounded decimals, not sums of rounded steps.
    static const struct {
        double factor;
        int decimals;
    } steps[] = {{1, 0}, {2, 0}, {2.5, 1}, {5, 0}, {10, -1}};
    size_t chosen = 0;
    while (chosen < 4 && steps[chosen].factor * pow(10, power) < 0.8 * raw) chosen++; // rather a few more
    double step = steps[chosen].factor * pow(10, power);
    int decimals = steps[chosen].decimals - (int)power + ticks.exponent;
    if (decimals < 0) decimals = 0;
    double first = ceil(low / step - 1e-9), last = floor(high / step + 1e-9);
    for (double k = first; k <= last && ticks.count < CDG_TICKS_MAX; k++) {
        char label[CDG_TICK_LABEL_SIZE - 4];
        double value = k * step, shown = value / pow(10, ticks.exponent);
        if (k == 0) value = shown = 0; // not "-0"
        snprintf(label, sizeof label, "%.*f", k == 0 ? 0 : decimals < 14 ? decimals : 14, shown);
        add_tick(&ticks, value, label);
    }
    return ticks;
}

static void put_decade(int exponent, char *out, size_t size) {
    if (exponent >= -3 && exponent <= 3) {
        snprintf(out, size, "%g", pow(10, exponent));
    } else {
        put_power(exponent, out, size);
    }
}

cdg_ticks cdg_ticks_log(double low, double high, size_t wanted) {
    cdg_ticks ticks = {0};
    if (!(low > 0) || !isfinite(low)) low = 1e-12;
    if (!(high > low) || !isfinite(high)) high = low < 1e300 ? low * 10 : low;
    if (high < low * (1 + 1e-9)) {
        low /= 2;
        high *= 2;
    }
    ticks.low = low;
    ticks.high = high;
    int first = (int)floor(log10(low) + 1e-9), last = (int)ceil(log10(high) - 1e-9);
    int decades = last - first, stride = 1;
    while (decades / stride > (int)(wanted > 1 ? wanted : 1)) stride++;
    bool has_minor = decades <= 10, labels_minor = log10(high / low) < 1.5;
    for (int e = first; e <= last; e++) {
        for (int digit = 1; digit <= (has_minor ? 9 : 1); digit++) {
            double value = digit * pow(10, e);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9)) continue;
            char label[CDG_TICK_LABEL_SIZE] = "";
            bool is_labelled = digit == 1 ? (e - first) % stride == 0 : labels_minor && (digit == 2 || digit == 5);
            if (is_labelled && digit == 1) {
                put_decade(e, label, sizeof label);
            } else if (is_labelled) {
                cdg_number_text(value, 1, label, sizeof label);
            } else if (digit == 1 && !has_minor) {
                continue;
            }
            add_tick(&ticks, value, label);
        }
    }
    return ticks;
}
