// Quantities with units for programs: "2 mm" where a length is wanted, with the sentences that a scene would give.
#include "base/error.h"
#include "scene/units.h"

#include <cordage/scene.h>

#include <stdio.h>
#include <string.h>

static bool find_quantity(const char *unit, cdg_quantity *out) {
    for (int q = 0; q < CDG_QUANTITY_COUNT; q++) {
        if (strcmp(cdg_quantity_unit((cdg_quantity)q), unit) != 0) continue;
        *out = (cdg_quantity)q;
        return true;
    }
    return false;
}

cdg_result cdg_quantity_read(const char *text, const char *unit, double *out, cdg_error *error) {
    if (text == NULL) return cdg_fail_null(error, "text");
    if (unit == NULL) return cdg_fail_null(error, "unit");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_quantity quantity;
    if (!find_quantity(unit, &quantity))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "'%.40s' is none of the SI units that Cordage expects somewhere",
                        unit);
    cdg_measure measure;
    cdg_error reason = {0};
    if (cdg_measure_parse(text, strlen(text), &measure, &reason) != CDG_OK)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%.900s", reason.message);
    if (!cdg_measure_fits(&measure, quantity)) {
        char given[64];
        cdg_dimension_describe(measure.dimension, given, sizeof given);
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "expected %s such as '%s'; '%.80s' is %s",
                        cdg_quantity_text(quantity), cdg_quantity_example(quantity), text, given);
    }
    *out = measure.value;
    return CDG_OK;
}
