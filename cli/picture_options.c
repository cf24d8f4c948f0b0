// Options that commands which make pictures share.
#include "picture_options.h"

#include "terminal.h"

#include <stdlib.h>
#include <string.h>

enum { SIDE_MAX = 16384 };

static bool parse_side(const char *text, char **end, int *out) {
    if (*text < '0' || *text > '9') return false;
    long value = strtol(text, end, 10);
    *out = value <= SIDE_MAX ? (int)value : 0;
    return value >= 1 && value <= SIDE_MAX;
}

bool parse_size(const char *option, const char *text, int *width, int *height) {
    char *end = NULL;
    bool is_good = parse_side(text, &end, width) && (*end == 'x' || *end == 'X') && parse_side(end + 1, &end, height) &&
                   *end == '\0';
    if (!is_good)
        complain("--%s needs width and height in pixels, each from 1 to %d, such as 1280x720, not '%s'", option,
                 SIDE_MAX, text);
    return is_good;
}

bool parse_quantity(const char *option, const char *text, cdg_quantity kind, double *out) {
    cdg_measure measure;
    cdg_error error = {0};
    if (cdg_measure_parse(text, strlen(text), &measure, &error) != CDG_OK) {
        complain("--%s: %s", option, error.message);
        return false;
    }
    if (!cdg_measure_fits(&measure, kind)) {
        char found[80];
        cdg_dimension_describe(measure.dimension, found, sizeof found);
        complain("--%s needs %s, such as %s; '%s' is %s", option, cdg_quantity_text(kind), cdg_quantity_example(kind),
                 text, found);
        return false;
    }
    *out = measure.value;
    return true;
}
