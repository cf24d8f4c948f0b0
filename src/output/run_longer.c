// A run that goes on beyond its end. Step and outputs are written out as numbers, because a step or an interval that
// the scene leaves open depends on the duration: so the longer run is, to the bit, what it would have been from the
// start.
#include "output/run_longer.h"

#include "base/error.h"
#include "output/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const paths[CDG_LONGER_COUNT] = {"simulation.duration=", "output.every=", "simulation.step="};

// Decimals miss whole ratios by some roundings (run_plan.c).
static const double ratio_slack = 1e-9;

cdg_result cdg_run_longer_make(const char *directory, const cdg_run_info *info, double until, cdg_run_longer *out,
                               cdg_error *error) {
    if (!(info->step > 0) || !(info->output_every > 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: this run has no time to go on in; run the scene anew with another 'duration'", directory);
    if (!(until > info->end_time * (1 + ratio_slack)))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s: the run %s %g s; give a later time than that%s", directory,
                        info->is_finished ? "ends at" : "was to end at", info->end_time,
                        info->is_finished ? "" : ", or leave out --until to come there");
    out->end = ceil(until / info->output_every * (1 - ratio_slack)) * info->output_every;
    const double values[CDG_LONGER_COUNT] = {out->end, info->output_every, info->step};
    for (int i = 0; i < CDG_LONGER_COUNT; i++) {
        char number[CDG_NUMBER_SIZE];
        cdg_number_shortest(values[i], number);
        snprintf(out->overrides[i], CDG_LONGER_SIZE, "%s%s", paths[i], number);
    }
    return CDG_OK;
}

bool cdg_run_longer_is(const char *then, const char *now) {
    size_t length = strlen(then);
    if (strncmp(then, now, length) != 0 || now[length] == '\0') return false;
    for (const char *line = now + length; *line != '\0';) {
        bool is_known = false;
        for (int i = 0; i < CDG_LONGER_COUNT; i++)
            is_known = is_known || strncmp(line, paths[i], strlen(paths[i])) == 0;
        if (!is_known) return false;
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return true;
}
