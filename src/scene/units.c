// Quantities as text: number grammar, unit table with SI prefixes, products, quotients and powers, dimension names.
#define _GNU_SOURCE // strtod_l

#include "scene/units.h"

#include "base/error.h"
#include "scene/diagnostics.h"
#include "scene/suggest.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- kinds ----------------------------------------------------------------------------------------------------------

typedef struct quantity_row {
    const char *text, *plural, *unit, *example;
    cdg_dimension dimension;
} quantity_row;

static const quantity_row quantities[CDG_QUANTITY_COUNT] = {
#define QUANTITY_ROW(name, text, plural, m, kg, s, rad, unit, example) {text, plural, unit, example, {m, kg, s, rad}},
    CDG_QUANTITY_LIST(QUANTITY_ROW)
#undef QUANTITY_ROW
};

cdg_dimension cdg_quantity_dimension(cdg_quantity quantity) { return quantities[quantity].dimension; }
const char *cdg_quantity_text(cdg_quantity quantity) { return quantities[quantity].text; }
const char *cdg_quantity_plural(cdg_quantity quantity) { return quantities[quantity].plural; }
const char *cdg_quantity_unit(cdg_quantity quantity) { return quantities[quantity].unit; }
const char *cdg_quantity_example(cdg_quantity quantity) { return quantities[quantity].example; }

bool cdg_measure_fits(const cdg_measure *measure, cdg_quantity quantity) {
    if (!measure->has_unit) return true;
    cdg_dimension expected = quantities[quantity].dimension, given = measure->dimension;
    return given.m == expected.m && given.kg == expected.kg && given.s == expected.s &&
           (given.rad == expected.rad || given.rad == 0);
}

static size_t append_power(char *out, size_t size, size_t used, const char *unit, int power) {
    if (power == 0 || used >= size) return used;
    int length = power == 1 ? snprintf(out + used, size - used, " %s", unit)
                            : snprintf(out + used, size - used, " %s^%d", unit, power);
    return used + (length > 0 ? (size_t)length : 0);
}

void cdg_dimension_describe(cdg_dimension dimension, char *out, size_t size) {
    for (size_t i = 0; i < CDG_QUANTITY_COUNT; i++) {
        cdg_dimension d = quantities[i].dimension;
        bool is_curvature = d.m == -1 && d.rad == 1 && d.kg == 0 && d.s == 0; // 1/m is a curvature too
        if (d.m == dimension.m && d.kg == dimension.kg && d.s == dimension.s &&
            (d.rad == dimension.rad || (is_curvature && dimension.rad == 0))) {
            snprintf(out, size, "%s", quantities[i].text);
            return;
        }
    }
    snprintf(out, size, "in");
    size_t used = append_power(out, size, 2, "kg", dimension.kg);
    used = append_power(out, size, used, "m", dimension.m);
    used = append_power(out, size, used, "s", dimension.s);
    append_power(out, size, used, "rad", dimension.rad);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Length of the longest number at the start of the text; 0: none.
static size_t scan_number(const char *text, size_t length) {
    size_t i = 0, digits = 0;
    if (i < length && (text[i] == '+' || text[i] == '-')) i++;
    while (i < length && is_digit(text[i])) i++, digits++;
    if (i < length && text[i] == '.') {
        i++;
        while (i < length && is_digit(text[i])) i++, digits++;
    }
    if (digits == 0) return 0;
    // "2 e" or "2em": an e without digits belongs to the unit.
    size_t j = i;
    if (j < length && (text[j] == 'e' || text[j] == 'E')) {
        j++;
        if (j < length && (text[j] == '+' || text[j] == '-')) j++;
        size_t exponent = j;
        while (j < length && is_digit(text[j])) j++;
        if (j > exponent) i = j;
    }
    return i;
}

// The text is a number by scan_number. glibc hands out its own "C" locale without allocating.
static bool convert_number(const char *text, size_t length, double *out) {
    char buffer[128];
    if (length >= sizeof buffer) return false;
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0) return false;
    *out = strtod_l(buffer, NULL, c_locale);
    freelocale(c_locale);
    return isfinite(*out);
}

bool cdg_number_parse(const char *text, size_t length, double *out) {
    return length > 0 && scan_number(text, length) == length && convert_number(text, length, out);
}

// ---- units ----------------------------------------------------------------------------------------------------------

typedef struct unit_row {
    const char *name;
    double factor;
    cdg_dimension dimension;
    bool takes_prefix;
} unit_row;

#define PI 3.14159265358979323846
// clang-format off
static const unit_row units[] = {
    {"m", 1, {1, 0, 0, 0}, true},          {"g", 1e-3, {0, 1, 0, 0}, true},
    {"s", 1, {0, 0, 1, 0}, true},          {"rad", 1, {0, 0, 0, 1}, true},
    {"N", 1, {1, 1, -2, 0}, true},         {"Pa", 1, {-1, 1, -2, 0}, true},
    {"J", 1, {2, 1, -2, 0}, true},         {"W", 1, {2, 1, -3, 0}, true},
    {"Hz", 1, {0, 0, -1, 0}, true},        {"bar", 1e5, {-1, 1, -2, 0}, true},
    {"t", 1e3, {0, 1, 0, 0}, false},       {"min", 60, {0, 0, 1, 0}, false},
    {"h", 3600, {0, 0, 1, 0}, false},      {"L", 1e-3, {3, 0, 0, 0}, false},
    {"deg", PI / 180, {0, 0, 0, 1}, false}, {"degree", PI / 180, {0, 0, 0, 1}, false},
    {"degrees", PI / 180, {0, 0, 0, 1}, false}, {"\xC2\xB0", PI / 180, {0, 0, 0, 1}, false},
    {"turn", 2 * PI, {0, 0, 0, 1}, false}, {"turns", 2 * PI, {0, 0, 0, 1}, false},
    {"rev", 2 * PI, {0, 0, 0, 1}, false},  {"rpm", 2 * PI / 60, {0, 0, -1, 1}, false},
    {"%", 0.01, {0, 0, 0, 0}, false},
    {"in", 0.0254, {1, 0, 0, 0}, false},   {"inch", 0.0254, {1, 0, 0, 0}, false},
    {"ft", 0.3048, {1, 0, 0, 0}, false},   {"lb", 0.45359237, {0, 1, 0, 0}, false},
    {"lbf", 4.4482216152605, {1, 1, -2, 0}, false},
    {"psi", 4.4482216152605 / (0.0254 * 0.0254), {-1, 1, -2, 0}, false},
};
static const struct {
    const char *name;
    double factor;
} prefixes[] = {
    {"T", 1e12}, {"G", 1e9}, {"M", 1e6}, {"k", 1e3}, {"d", 1e-1}, {"c", 1e-2}, {"m", 1e-3},
    {"u", 1e-6}, {"\xC2\xB5", 1e-6}, {"\xCE\xBC", 1e-6}, {"n", 1e-9}, {"p", 1e-12},
};
// clang-format on
enum { UNIT_COUNT = sizeof units / sizeof *units, PREFIX_COUNT = sizeof prefixes / sizeof *prefixes };

static bool equals(const char *text, size_t length, const char *word) {
    return strlen(word) == length && memcmp(text, word, length) == 0;
}

// The unit's name as a whole comes before a prefix with a unit: "min" is a minute, "ft" a foot.
static bool find_unit(const char *text, size_t length, double *factor, cdg_dimension *dimension) {
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        if (equals(text, length, units[i].name)) {
            *factor = units[i].factor;
            *dimension = units[i].dimension;
            return true;
        }
    }
    for (size_t p = 0; p < PREFIX_COUNT; p++) {
        size_t size = strlen(prefixes[p].name);
        if (length <= size || memcmp(text, prefixes[p].name, size) != 0) continue;
        for (size_t i = 0; i < UNIT_COUNT; i++) {
            if (units[i].takes_prefix && equals(text + size, length - size, units[i].name)) {
                *factor = prefixes[p].factor * units[i].factor;
                *dimension = units[i].dimension;
                return true;
            }
        }
    }
    return false;
}

// "Nm" is two units without the space; "mmm" is not, because nobody writes a product of two lengths so.
static bool find_split(const char *text, size_t length, size_t *split) {
    double factor;
    cdg_dimension first, second;
    for (size_t i = length - 1; i >= 1; i--) {
        if (find_unit(text, i, &factor, &first) && find_unit(text + i, length - i, &factor, &second) &&
            memcmp(&first, &second, sizeof first) != 0) {
            *split = i;
            return true;
        }
    }
    return false;
}

// Keeps the candidate when it is nearer: by edits, then by how much of its beginning agrees, for "mmm" is nearer to mm
// than to Mm.
static void offer_unit(const char *text, size_t length, const char *prefix, const char *unit, char best[16],
                       long *best_score) {
    char candidate[16];
    snprintf(candidate, sizeof candidate, "%s%s", prefix, unit);
    word_search search = cdg_suggest_begin(text, length);
    cdg_suggest_offer(&search, candidate);
    if (search.best == NULL) return;
    long same = 0;
    while (same < (long)length && candidate[same] != '\0' && candidate[same] == text[same]) same++;
    long score = 64 * (long)search.best_distance - same;
    if (score < *best_score) {
        memcpy(best, candidate, sizeof candidate);
        *best_score = score;
    }
}

// What people write for units, and what they should; case does not matter.
static const char *cure_of_unit(const char *text, size_t length) {
    static const struct {
        const char *words, *cure;
    } cures[] = {
        {"sec secs second seconds", "write 's'"},
        {"msec msecs millisecond milliseconds", "write 'ms'"},
        {"usec microsecond microseconds", "write 'us'"},
        {"mins minute minutes", "write 'min'"},
        {"hr hrs hour hours", "write 'h'"},
        {"day days", "a day is 24 h"},
        {"meter meters metre metres", "write 'm'"},
        {"millimeter millimeters millimetre millimetres", "write 'mm'"},
        {"centimeter centimeters centimetre centimetres", "write 'cm'"},
        {"kilometer kilometers kilometre kilometres", "write 'km'"},
        {"micron microns micrometer micrometre", "write 'um'"},
        {"inches \"", "write 'in'"},
        {"foot feet", "write 'ft'"},
        {"yard yards yd", "a yard is 0.9144 m"},
        {"mile miles mi", "a mile is 1609.344 m"},
        {"newton newtons", "write 'N'"},
        {"kgf kp kilopond", "1 kgf is 9.80665 N"},
        {"gf", "1 gf is 9.80665 mN"},
        {"dyn dyne dynes", "1 dyn is 10 uN"},
        {"kip kips", "1 kip is 4.448222 kN"},
        {"lbs pound pounds", "write 'lb' for a mass, 'lbf' for a force"},
        {"ksi", "1 ksi is 1000 psi"},
        {"atm", "1 atm is 1.01325 bar"},
        {"pascal pascals", "write 'Pa'"},
        {"joule joules", "write 'J'"},
        {"watt watts", "write 'W'"},
        {"hertz", "write 'Hz'"},
        {"gram grams gr", "write 'g'"},
        {"kilogram kilograms kilo kilos kgs", "write 'kg'"},
        {"ton tons tonne tonnes", "write 't' for 1000 kg"},
        {"oz ounce ounces", "1 oz is 28.3495 g"},
        {"radian radians", "write 'rad'"},
        {"degs", "write 'deg'"},
        {"grad gon", "1 gon is 0.9 deg"},
        {"revolution revolutions revs", "write 'turns'"},
        {"kn knot knots kts", "write 'kN' for a thousand newtons; a knot is 0.514444 m/s"},
        {"mph", "1 mph is 0.44704 m/s"},
        {"kmh kph", "write 'km/h'"},
        {"cc ccm", "write 'cm^3'"},
        {"liter liters litre litres", "write 'L'"},
        {"step steps", "times are in seconds: so many steps times the length of one"},
        {"rpm", "1 rpm is 0.10472 rad/s"},
        {"e x", "a power of ten is written with an e and no space, such as 1e6"},
        {"'", "digits are not grouped; write 1000000 or 1e6"},
    };
    for (size_t i = 0; i < sizeof cures / sizeof *cures; i++) {
        for (const char *at = cures[i].words; *at != '\0';) {
            size_t size = strcspn(at, " ");
            if (size == length && cdg_edit_distance(at, size, text, length) == 0) return cures[i].cure;
            at += size + (at[size] == ' ');
        }
    }
    return NULL;
}

static cdg_result fail_unit(const char *whole, const char *text, size_t length, cdg_error *error) {
    enum { UNIT_MAX = 24 };
    char quoted[CDG_QUOTE_SIZE];
    cdg_quote(quoted, text, length);
    if (length > UNIT_MAX) return cdg_fail(error, CDG_ERROR_FORMAT, "%s has the unknown unit %s", whole, quoted);
    if (equals(text, length, "C") ||
        equals(text, length,
               "\xC2\xB0"
               "C") ||
        equals(text, length, "K")) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s is a temperature; Cordage has no temperatures", whole);
    }
    const char *cure = equals(text, length, "mpa") ? "write 'MPa' for a million pascals, 'mPa' for a thousandth"
                                                   : cure_of_unit(text, length);
    if (cure != NULL) return cdg_fail(error, CDG_ERROR_FORMAT, "%s has the unknown unit %s; %s", whole, quoted, cure);
    size_t split;
    if (length >= 2 && find_split(text, length, &split)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s has the unknown unit %s; did you mean '%.*s %.*s'?", whole, quoted,
                        (int)split, text, (int)(length - split), text + split);
    }
    char best[16] = "";
    long best_score = LONG_MAX;
    for (size_t i = 0; i < UNIT_COUNT; i++) {
        offer_unit(text, length, "", units[i].name, best, &best_score);
        for (size_t p = 0; p < PREFIX_COUNT && units[i].takes_prefix; p++) {
            offer_unit(text, length, prefixes[p].name, units[i].name, best, &best_score);
        }
    }
    if (best[0] != '\0') {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s has the unknown unit %s; did you mean '%s'?", whole, quoted, best);
    }
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s has the unknown unit %s; units are m, g, s, rad, deg, turn, N, Pa, J, W, Hz, %% with prefixes "
                    "such as k, M, c, m, and products, quotients and powers of them",
                    whole, quoted);
}

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_spaces(const char *text, size_t length, size_t i) {
    while (i < length && is_space(text[i])) i++;
    return i;
}

// Multiplication signs: '*', the middle dot and the dot operator. Returns their length; 0: none here.
static size_t multiplication_sign(const char *text, size_t length) {
    if (length >= 1 && *text == '*') return 1;
    if (length >= 2 && memcmp(text, "\xC2\xB7", 2) == 0) return 2;
    return length >= 3 && memcmp(text, "\xE2\x8B\x85", 3) == 0 ? 3 : 0;
}

static bool is_superscript(const char *text, size_t length, int *power) {
    if (length < 2 || text[0] != '\xC2') return false;
    if (text[1] != '\xB2' && text[1] != '\xB3') return false;
    *power = text[1] == '\xB2' ? 2 : 3;
    return true;
}

static size_t scan_unit_name(const char *text, size_t length) {
    size_t i = 0;
    int power;
    while (i < length && !is_space(text[i]) && strchr("*/^()[]{},;+-.=", text[i]) == NULL && !is_digit(text[i]) &&
           multiplication_sign(text + i, length - i) == 0 && !is_superscript(text + i, length - i, &power)) {
        i++;
    }
    return i;
}

// [^][-]digits or a superscript after a unit. false: malformed.
static bool scan_power(const char *text, size_t length, size_t *at, int *power) {
    size_t i = *at;
    *power = 1;
    if (i < length && is_superscript(text + i, length - i, power)) {
        *at = i + 2;
        return true;
    }
    size_t caret = skip_spaces(text, length, i);
    if (caret < length && text[caret] == '^') {
        i = skip_spaces(text, length, caret + 1);
    } else if (i >= length || !is_digit(text[i])) {
        return true; // no power ("m2" is read as m^2)
    }
    bool is_negative = false;
    if (i < length && (text[i] == '-' || text[i] == '+')) is_negative = text[i++] == '-';
    if (i >= length || !is_digit(text[i]) || (i + 1 < length && is_digit(text[i + 1]))) return false;
    *power = (text[i] - '0') * (is_negative ? -1 : 1);
    *at = i + 1;
    return true;
}

static bool add_power(cdg_dimension *sum, cdg_dimension d, int power) {
    sum->m += power * d.m;
    sum->kg += power * d.kg;
    sum->s += power * d.s;
    sum->rad += power * d.rad;
    // Nothing physical has such exponents, and the limit keeps the sums small whatever the text.
    enum { EXPONENT_MAX = 32 };
    return abs(sum->m) <= EXPONENT_MAX && abs(sum->kg) <= EXPONENT_MAX && abs(sum->s) <= EXPONENT_MAX &&
           abs(sum->rad) <= EXPONENT_MAX;
}

// Reads from left to right: "a/b c" is (a/b) c.
static cdg_result parse_unit(const char *whole, const char *text, size_t length, cdg_measure *out, cdg_error *error) {
    size_t i = 0;
    bool is_divided = false, expects_unit = true;
    while (i < length) {
        if (!expects_unit) {
            size_t sign = multiplication_sign(text + i, length - i);
            if (text[i] == '/') {
                is_divided = true;
                sign = 1;
            }
            i = skip_spaces(text, length, i + sign);
            expects_unit = sign > 0;
            if (i >= length) break;
        }
        size_t name_length = scan_unit_name(text + i, length - i);
        double factor = 1;
        cdg_dimension dimension = {0};
        if (name_length == 0) {
            // The 1 of "1/s" is the only number in a unit.
            bool is_one = text[i] == '1' && (i + 1 >= length || text[i + 1] == '/' || is_space(text[i + 1])) &&
                          (i == 0 || expects_unit);
            if (!is_one) {
                char rest[CDG_QUOTE_SIZE];
                return cdg_fail(error, CDG_ERROR_FORMAT,
                                "%s cannot be read from %s on; write a number and a unit, "
                                "such as '1.3 N m^2' or '-9.81 m/s^2'",
                                whole, cdg_quote(rest, text + i, length - i));
            }
            i++;
        } else {
            if (!find_unit(text + i, name_length, &factor, &dimension)) {
                return fail_unit(whole, text + i, name_length, error);
            }
            i += name_length;
            int power;
            if (!scan_power(text, length, &i, &power)) {
                return cdg_fail(error, CDG_ERROR_FORMAT,
                                "%s has a power that is not a whole number from -9 to 9; "
                                "write 'm^2' or 's^-1'",
                                whole);
            }
            if (is_divided) power = -power;
            out->value *= pow(factor, power);
            if (!add_power(&out->dimension, dimension, power)) {
                return cdg_fail(error, CDG_ERROR_FORMAT, "%s has too high powers of its units", whole);
            }
        }
        is_divided = expects_unit = false;
        i = skip_spaces(text, length, i);
    }
    if (expects_unit) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s ends where a unit should follow", whole);
    }
    return CDG_OK;
}

static bool names_no_number(const char *text, size_t length) {
    static const char *const words[] = {"inf", ".inf", "-inf", "-.inf", "+inf", "+.inf", "infinity", "nan", ".nan"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strlen(words[i]) == length && cdg_edit_distance(text, length, words[i], length) == 0) return true;
    }
    return false;
}

cdg_result cdg_measure_parse(const char *text, size_t length, cdg_measure *out, cdg_error *error) {
    char whole[CDG_QUOTE_SIZE];
    cdg_quote(whole, text, length);
    size_t start = skip_spaces(text, length, 0);
    while (length > start && is_space(text[length - 1])) length--;
    text += start;
    length -= start;
    *out = (cdg_measure){0};
    size_t number = scan_number(text, length);
    if (number == 0) {
        if (names_no_number(text, length)) {
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s is not a finite number", whole);
        }
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s does not begin with a number", whole);
    }
    if (!convert_number(text, number, &out->value)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "the number in %s is too large or has too many digits", whole);
    }
    size_t unit = skip_spaces(text, length, number);
    if (unit < length) {
        if (text[unit] == ',' && unit + 1 < length && is_digit(text[unit + 1])) {
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s has a decimal comma; write a point", whole);
        }
        out->has_unit = true;
        size_t sign = multiplication_sign(text + unit, length - unit);
        unit = skip_spaces(text, length, unit + sign);
        // "2/s" is "2 1/s".
        bool is_quotient = sign == 0 && unit < length && text[unit] == '/';
        char joined[160];
        cdg_result result;
        if (is_quotient && length - unit + 1 < sizeof joined) {
            joined[0] = '1';
            memcpy(joined + 1, text + unit, length - unit);
            result = parse_unit(whole, joined, length - unit + 1, out, error);
        } else {
            result = parse_unit(whole, text + unit, length - unit, out, error);
        }
        if (result != CDG_OK) return result;
    }
    if (!isfinite(out->value)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s is too large", whole);
    }
    return CDG_OK;
}
