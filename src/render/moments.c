// Times with commas between them, or two with a colon.
#include "render/moments.h"

#include "base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One time with its unit, from `*at` to the next comma, colon or end.
static bool read_time(const char **at, double *out) {
    char *end;
    *out = strtod(*at, &end);
    if (end == *at || !isfinite(*out)) return false;
    end += strspn(end, " ");
    size_t unit = strcspn(end, ",: ");
    if (unit == 2 && strncmp(end, "ms", 2) == 0)
        *out *= 1e-3;
    else if (unit != 0 && (unit != 1 || *end != 's'))
        return false;
    end += unit;
    *at = end + strspn(end, " ");
    return true;
}

cdg_result cdg_moments_parse(const char *text, cdg_moments *out, cdg_error *error) {
    *out = (cdg_moments){.count = 0};
    bool is_right = false;
    for (const char *at = text; out->count < CDG_MOMENTS_MAX && read_time(&at, &out->times[out->count]); at++) {
        out->count++;
        is_right = *at == '\0';
        if (*at == ':' && out->count == 1)
            out->is_span = true;
        else if (*at != ',' || out->is_span)
            break;
    }
    if (!is_right && !strpbrk(text, ",:"))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--time is a time such as 1.5, '1.5 s' or 200ms, not '%s'", text);
    if (!is_right)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--time is up to %d times for the pictures of a sheet (0.2,0.5,1), or where a sheet or a film "
                        "begins and ends (0.2:1), not '%s'",
                        CDG_MOMENTS_MAX, text);
    if (out->is_span && !(out->times[0] < out->times[1]))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--time %s ends before it begins; write the smaller time first",
                        text);
    return CDG_OK;
}

double cdg_moments_at(const cdg_moments *moments, size_t k, size_t count, double first, double last) {
    if (!moments->is_span && moments->count > 0) return moments->times[k < moments->count ? k : moments->count - 1];
    return count > 1 ? first + (last - first) * (double)k / (double)(count - 1) : last;
}

double cdg_moments_step(const cdg_moments *moments, double step) {
    static const double finest = 1e-4; // below, times are written with four digits anyway
    for (size_t i = 0; i < moments->count && !moments->is_span; i++)
        while (step > 1.5 * finest && fabs(moments->times[i] / step - round(moments->times[i] / step)) > 1e-6)
            step /= 10;
    return step;
}
