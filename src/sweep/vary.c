// Reading what varies: label, paths, range or list, unit, and words in parentheses.
#include "sweep/vary.h"

#include "base/error.h"
#include "output/number.h"
#include "scene/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A part of the text, blanks around it left out.
typedef struct span {
    const char *at;
    size_t length;
} span;

static span trim(const char *at, size_t length) {
    while (length > 0 && (*at == ' ' || *at == '\t')) at++, length--;
    while (length > 0 && (at[length - 1] == ' ' || at[length - 1] == '\t')) length--;
    return (span){at, length};
}

static char *copy(span s) {
    char *text = malloc(s.length + 1);
    if (text == NULL) return NULL;
    memcpy(text, s.at, s.length);
    text[s.length] = '\0';
    return text;
}

static bool is(span s, const char *word) { return strlen(word) == s.length && memcmp(s.at, word, s.length) == 0; }

static int shown(span s) { return (int)(s.length < 80 ? s.length : 80); }

static cdg_result no_memory(cdg_error *error) { return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory"); }

// Up to the next `separator` outside brackets and quotes.
static size_t part_length(span s, char separator) {
    int depth = 0;
    char quote = '\0';
    for (size_t i = 0; i < s.length; i++) {
        char c = s.at[i];
        if (quote != '\0') {
            if (c == quote) quote = '\0';
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (strchr("[{(", c) != NULL) {
            depth++;
        } else if (strchr("]})", c) != NULL) {
            depth--;
        } else if (c == separator && depth <= 0) {
            return i;
        }
    }
    return s.length;
}

static size_t part_count(span s, char separator) {
    size_t count = 1;
    for (size_t length; (length = part_length(s, separator)) < s.length; count++)
        s = (span){s.at + length + 1, s.length - length - 1};
    return count;
}

// Takes the next part off the front of *rest.
static span next_part(span *rest, char separator) {
    size_t length = part_length(*rest, separator);
    span part = trim(rest->at, length);
    size_t used = length < rest->length ? length + 1 : length;
    *rest = (span){rest->at + used, rest->length - used};
    return part;
}

// ---- the left side --------------------------------------------------------------------------------------------------

static cdg_result read_paths(span left, cdg_vary *out, cdg_error *error) {
    span rest = left;
    const char *colon = memchr(left.at, ':', left.length);
    if (colon != NULL) {
        span label = trim(left.at, (size_t)(colon - left.at));
        if (label.length == 0)
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "nothing stands before ':'; write NAME: PATH=...");
        for (size_t i = 0; i < label.length; i++)
            if (strchr("/[]\"", label.at[i]) != NULL || (unsigned char)label.at[i] < ' ' || label.at[0] == '.')
                return cdg_fail(error, CDG_ERROR_ARGUMENT,
                                "'%.*s' cannot name a column: it begins with '.', or has one of / [ ] \" in it",
                                shown(label), label.at);
        out->has_label = true;
        out->label = copy(label);
        if (out->label == NULL) return no_memory(error);
        rest = trim(colon + 1, left.length - (size_t)(colon - left.at) - 1);
    }
    out->paths = calloc(part_count(rest, ','), sizeof *out->paths);
    if (out->paths == NULL) return no_memory(error);
    do {
        span path = next_part(&rest, ',');
        if (path.length == 0)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "a path is missing before '='; write PATH=VALUES, such as rods.cable.elements=10, 20, 50");
        if ((out->paths[out->path_count++] = copy(path)) == NULL) return no_memory(error);
    } while (rest.length > 0);
    if (out->label == NULL) out->label = copy((span){out->paths[0], strlen(out->paths[0])});
    return out->label != NULL ? CDG_OK : no_memory(error);
}

// ---- words in parentheses -------------------------------------------------------------------------------------------

static cdg_result read_word(span word, cdg_vary *out, cdg_error *error) {
    if (is(word, "log")) {
        out->is_log = true;
    } else if (is(word, "whole")) {
        out->is_whole = true;
    } else if (word.length > 6 && memcmp(word.at, "start ", 6) == 0) {
        span number = trim(word.at + 6, word.length - 6);
        if (!cdg_number_parse(number.at, number.length, &out->start))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "'%.*s' is not a number to start from; write (start 3), in the range's unit", shown(number),
                            number.at);
    } else {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%.*s' is not known here; in parentheses stand log, whole, and start NUMBER", shown(word),
                        word.at);
    }
    return CDG_OK;
}

// Whether parentheses, from `open` on, are a value's own: those of a place, as in cable.node(5), touch its name.
static bool belongs_to_value(span right, size_t open, span words) {
    char before = open > 1 ? right.at[open - 2] : ' ';
    bool touches = (before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') || before == '_';
    span first = next_part(&words, ',');
    bool is_word = is(first, "log") || is(first, "whole") || (first.length > 6 && memcmp(first.at, "start ", 6) == 0);
    return touches && !is_word;
}

// Takes "(log, start 3)" off the end. Brackets of other values end in ']' or '}'.
static cdg_result read_words(span *right, cdg_vary *out, cdg_error *error) {
    if (right->length == 0 || right->at[right->length - 1] != ')') return CDG_OK;
    size_t open = right->length;
    while (open > 0 && right->at[open - 1] != '(') open--;
    if (open == 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "')' has no '(' before it");
    span words = trim(right->at + open, right->length - 1 - open);
    if (belongs_to_value(*right, open, words)) return CDG_OK;
    *right = trim(right->at, open - 1);
    while (words.length > 0) {
        cdg_result result = read_word(next_part(&words, ','), out, error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

// "10 MPa" is a number and what stands behind it.
static bool split_number(span s, double *number, span *unit) {
    size_t length = 0;
    for (size_t i = 1; i <= s.length; i++)
        if (cdg_number_parse(s.at, i, number)) length = i;
    *unit = trim(s.at + length, s.length - length);
    return length > 0 && cdg_number_parse(s.at, length, number);
}

static cdg_result check_unit(const cdg_vary *out, cdg_error *error) {
    char text[CDG_VARY_TEXT_SIZE];
    cdg_measure measure;
    cdg_error cause = {0};
    int length = snprintf(text, sizeof text, "1 %s", out->unit);
    if (out->unit[0] == '\0' || (length > 0 && (size_t)length < sizeof text &&
                                 cdg_measure_parse(text, (size_t)length, &measure, &cause) == CDG_OK))
        return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "the unit is not understood: %.700s", cause.message);
}

static cdg_result check_range(const cdg_vary *out, cdg_error *error) {
    bool has_start = !isnan(out->start);
    if (!isfinite(out->low) || !isfinite(out->high))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the ends of a range are finite numbers");
    if (out->is_log && !(out->low > 0 && out->high > 0))
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "a range by ratios (log) lies above zero, and %g:%g does not; leave '(log)' out, or begin above 0",
            out->low, out->high);
    if (has_start && !(out->start >= fmin(out->low, out->high) && out->start <= fmax(out->low, out->high)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the start, %g, lies outside of the range %g:%g", out->start,
                        out->low, out->high);
    if (out->count == 1 && out->low != out->high)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "one value cannot have two ends; give at least 2, as in %g:%g:2, or the value alone", out->low,
                        out->high);
    return check_unit(out, error);
}

static cdg_result read_range(span right, cdg_vary *out, cdg_error *error) {
    span rest = right, unit = {"", 0}, parts[3] = {{"", 0}, {"", 0}, {"", 0}};
    size_t count = part_count(right, ':');
    if (count > 3)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.*s' has too many ':'; a range is LOW:HIGH:COUNT UNIT",
                        shown(right), right.at);
    for (size_t i = 0; i < count; i++) parts[i] = next_part(&rest, ':');
    double number = 0;
    bool is_good = cdg_number_parse(parts[0].at, parts[0].length, &out->low);
    if (count == 2) {
        is_good = is_good && split_number(parts[1], &out->high, &unit);
    } else {
        is_good = is_good && cdg_number_parse(parts[1].at, parts[1].length, &out->high) &&
                  split_number(parts[2], &number, &unit);
        if (is_good && !(number >= 1 && number <= CDG_VARY_COUNT_MAX && number == floor(number)))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the count of '%.*s' is not a whole number from 1 to %d",
                            shown(right), right.at, CDG_VARY_COUNT_MAX);
        out->count = (size_t)number;
    }
    if (!is_good)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%.*s' is not a range; write LOW:HIGH:COUNT UNIT, as in 1:10:20 MPa, with one unit at the end",
                        shown(right), right.at);
    out->unit = copy(unit);
    return out->unit != NULL ? check_range(out, error) : no_memory(error);
}

// ---- lists ----------------------------------------------------------------------------------------------------------

static bool is_unit_text(const char *unit) {
    char text[CDG_VARY_TEXT_SIZE];
    cdg_measure measure;
    int length = snprintf(text, sizeof text, "1 %s", unit);
    return length > 0 && (size_t)length < sizeof text &&
           cdg_measure_parse(text, (size_t)length, &measure, NULL) == CDG_OK;
}

// "1 MPa, 2, 5": whether 2 is in MPa or in Pa nobody can know. Zero is the same in all units.
static cdg_result check_bare(const cdg_vary *out, cdg_error *error) {
    const char *bare = NULL, *united = NULL;
    for (size_t i = 0; i < out->item_count; i++) {
        span item = {out->items[i], strlen(out->items[i])}, behind;
        double number;
        if (!split_number(item, &number, &behind)) continue;
        if (behind.length == 0 && number != 0) bare = out->items[i];
        if (behind.length > 0 && is_unit_text(behind.at)) united = out->items[i];
    }
    if (bare == NULL || united == NULL) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "'%.60s' has a unit and '%.60s' has none; write the unit once, behind the last of plain numbers "
                    "(1, 2, 5 MPa), or behind each of them",
                    united, bare);
}

// "1, 2, 5 MPa": a unit at the last of several bare numbers is that of all.
static cdg_result share_unit(cdg_vary *out, cdg_error *error) {
    double *numbers = malloc(out->item_count * sizeof *numbers);
    span unit = {"", 0};
    if (numbers == NULL) return no_memory(error);
    size_t bare = 0;
    for (size_t i = 0; i < out->item_count; i++) {
        span item = {out->items[i], strlen(out->items[i])}, behind;
        if (!split_number(item, &numbers[i], &behind)) break;
        if (behind.length > 0 && i + 1 < out->item_count) break;
        if (behind.length > 0) unit = behind;
        bare++;
    }
    char *text = copy(bare == out->item_count ? unit : (span){"", 0});
    if (text == NULL) {
        free(numbers);
        return no_memory(error);
    }
    out->unit = text;
    if (bare < out->item_count || (text[0] != '\0' && !is_unit_text(text))) {
        free(numbers); // words, or values with units of their own
        text[0] = '\0';
        return check_bare(out, error);
    }
    out->numbers = numbers;
    return CDG_OK;
}

// A list says its values as they are: none is rounded.
static cdg_result check_whole(const cdg_vary *out, cdg_error *error) {
    for (size_t i = 0; i < out->item_count && out->is_whole; i++) {
        if (out->numbers != NULL && out->numbers[i] == floor(out->numbers[i])) continue;
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'whole' rounds the values of a range, LOW:HIGH:COUNT; '%.60s' of a list is no whole number: "
                        "leave '(whole)' out, or list whole numbers",
                        out->items[i]);
    }
    return CDG_OK;
}

static cdg_result read_list(span right, cdg_vary *out, cdg_error *error) {
    out->kind = CDG_VARY_LIST;
    if (out->is_log || !isnan(out->start))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'log' and 'start' belong to a range, LOW:HIGH:COUNT, not to a list");
    out->items = calloc(part_count(right, ','), sizeof *out->items);
    if (out->items == NULL) return no_memory(error);
    do {
        span item = next_part(&right, ',');
        if (item.length == 0)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "a value is missing between two commas, or at an end of the list");
        if ((out->items[out->item_count++] = copy(item)) == NULL) return no_memory(error);
    } while (right.length > 0);
    cdg_result result = share_unit(out, error);
    return result == CDG_OK ? check_whole(out, error) : result;
}

// "a:b" of a list in brackets or a map is YAML, not a range.
static bool is_range(span right) {
    return right.length > 0 && strchr("[{\"'", right.at[0]) == NULL && part_length(right, ':') < right.length;
}

cdg_result cdg_vary_parse(const char *text, cdg_vary *out, cdg_error *error) {
    cdg_error cause = {0};
    const char *equal = strchr(text, '=');
    *out = (cdg_vary){.start = NAN};
    if (equal == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "'%.200s': write PATH=VALUES, as in rods.cable.elements=10, 20, 50 or "
                        "materials.rubber.young_modulus=1:10:20 MPa (log)",
                        text);
    span right = trim(equal + 1, strlen(equal + 1));
    cdg_result result = read_paths(trim(text, (size_t)(equal - text)), out, &cause);
    if (result == CDG_OK) result = read_words(&right, out, &cause);
    if (result == CDG_OK && right.length == 0)
        result = cdg_fail(&cause, CDG_ERROR_ARGUMENT, "no values stand after '='");
    if (result == CDG_OK) result = is_range(right) ? read_range(right, out, &cause) : read_list(right, out, &cause);
    return result == CDG_OK ? CDG_OK : cdg_fail(error, result, "'%.200s': %.750s", text, cause.message);
}

// Does `path` set what `earlier` set, or a whole that it is part of?
static bool undoes(const char *path, const char *earlier) {
    size_t length = strlen(path);
    return strncmp(path, earlier, length) == 0 && (earlier[length] == '\0' || earlier[length] == '.');
}

cdg_result cdg_varies_check(const cdg_vary *varies, size_t count, cdg_error *error) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++) {
            if (strcmp(varies[i].label, varies[k].label) == 0)
                return cdg_fail(error, CDG_ERROR_ARGUMENT,
                                "two variables are called '%.200s'; leave one out, or give it a name of its own "
                                "(NAME: PATH=VALUES)",
                                varies[i].label);
            for (size_t p = 0; p < varies[i].path_count * varies[k].path_count; p++) {
                const char *path = varies[i].paths[p / varies[k].path_count];
                const char *earlier = varies[k].paths[p % varies[k].path_count];
                if (undoes(path, earlier))
                    return cdg_fail(
                        error, CDG_ERROR_ARGUMENT,
                        "'%.200s' and '%.200s' both set '%.200s', so the second would undo the first; leave "
                        "one of them out",
                        varies[k].label, varies[i].label, earlier);
            }
        }
    return CDG_OK;
}

void cdg_vary_free(cdg_vary *vary) {
    for (size_t i = 0; i < vary->path_count; i++) free(vary->paths[i]);
    for (size_t i = 0; i < vary->item_count; i++) free(vary->items[i]);
    free(vary->paths);
    free(vary->items);
    free(vary->numbers);
    free(vary->label);
    free(vary->unit);
    *vary = (cdg_vary){0};
}

// ---- values ---------------------------------------------------------------------------------------------------------

size_t cdg_vary_count(const cdg_vary *vary) { return vary->kind == CDG_VARY_LIST ? vary->item_count : vary->count; }

double cdg_vary_at(const cdg_vary *vary, double share) {
    if (vary->kind == CDG_VARY_LIST) return fmin(floor(share * (double)vary->item_count), (double)vary->item_count - 1);
    double value =
        vary->is_log ? vary->low * pow(vary->high / vary->low, share) : vary->low + share * (vary->high - vary->low);
    if (share <= 0) value = vary->low;
    if (share >= 1) value = vary->high;
    return vary->is_whole ? round(value) : value;
}

double cdg_vary_grid(const cdg_vary *vary, size_t index) {
    if (vary->kind == CDG_VARY_LIST) return (double)index;
    if (vary->count == 1) return vary->is_whole ? round(vary->low) : vary->low;
    double value = cdg_vary_at(vary, (double)index / (double)(vary->count - 1));
    if (vary->is_log || index == 0 || index + 1 == vary->count) return value; // ends are as they were given
    // Steps that are short decimals give short decimals: 0.3 and not 0.30000000000000004.
    double unit = pow(10, 13 - floor(log10(fmax(fabs(vary->low), fabs(vary->high)))));
    double tidy = round(value * unit) / unit;
    return isfinite(tidy) && fabs(tidy - value) <= 4e-16 * fmax(fabs(vary->low), fabs(vary->high)) ? tidy : value;
}

bool cdg_vary_is_number(const cdg_vary *vary) { return vary->kind == CDG_VARY_RANGE || vary->numbers != NULL; }

double cdg_vary_number(const cdg_vary *vary, double value) {
    if (vary->kind == CDG_VARY_RANGE) return value;
    return vary->numbers != NULL ? vary->numbers[(size_t)value] : NAN;
}

size_t cdg_vary_text(const cdg_vary *vary, double value, char *out, size_t size) {
    int length;
    const char *blank = vary->unit[0] != '\0' ? " " : "";
    if (vary->kind == CDG_VARY_LIST && vary->numbers == NULL) {
        length = snprintf(out, size, "%s", vary->items[(size_t)value]);
    } else {
        char number[CDG_NUMBER_SIZE];
        cdg_number_shortest(cdg_vary_number(vary, value), number);
        length = snprintf(out, size, "%s%s%s", number, blank, vary->unit);
    }
    return length > 0 ? (size_t)length : 0;
}

bool cdg_vary_override(const cdg_vary *vary, size_t path, double value, char *out, size_t size) {
    int length = snprintf(out, size, "%s=", vary->paths[path]);
    if (length < 0 || (size_t)length >= size) return false;
    size_t rest = size - (size_t)length;
    return cdg_vary_text(vary, value, out + length, rest) < rest;
}

size_t cdg_vary_title(const cdg_vary *vary, char *out, size_t size) {
    const char *unit = vary->unit[0] != '\0' ? vary->unit : "1";
    int length = cdg_vary_is_number(vary) ? snprintf(out, size, "%s [%s]", vary->label, unit)
                                          : snprintf(out, size, "%s", vary->label);
    return length > 0 ? (size_t)length : 0;
}
