// Options that commands which make pictures share: sizes, times and lengths as text.
#ifndef CLI_PICTURE_OPTIONS_H
#define CLI_PICTURE_OPTIONS_H

#include "scene/units.h"

#include <stdbool.h>

// "1280x720". Complains and returns false when it is no size from 1x1 to 16384x16384.
bool parse_size(const char *option, const char *text, int *width, int *height);
// "1.5", "20 ms", "3 cm": a quantity of the kind, in SI. Complains and returns false when it is not.
bool parse_quantity(const char *option, const char *text, cdg_quantity kind, double *out);

#endif
