// Comparing vectors and rotations in tests: fails with the numbers and the place of the caller.
#ifndef CDG_TESTS_NEAR_H
#define CDG_TESTS_NEAR_H

#include <math.h>

#include "math/quat.h"

// |a - b| <= tolerance; never true for NaN.
#define assert_near(a, b, tolerance) near_check((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
#define assert_vec3_near(a, b, tolerance) near_check_vec3((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)
// The same rotation: q and -q count as equal.
#define assert_rotation_near(a, b, tolerance)                                                                          \
    near_check_rotation((a), (b), (tolerance), #a " ~ " #b, __FILE__, __LINE__)

static inline void near_check(double a, double b, double tolerance, const char *text, const char *file, int line) {
    if (fabs(a - b) <= tolerance) return;
    print_error("%s: %.17g and %.17g differ by %.3g > %.3g\n", text, a, b, fabs(a - b), tolerance);
    _fail(file, line);
}

static inline void near_check_vec3(cdg_vec3 a, cdg_vec3 b, double tolerance, const char *text, const char *file,
                                   int line) {
    if (vec3_distance(a, b) <= tolerance) return;
    print_error("%s: (%.17g, %.17g, %.17g) and (%.17g, %.17g, %.17g) differ by %.3g > %.3g\n", text, a.x, a.y, a.z, b.x,
                b.y, b.z, vec3_distance(a, b), tolerance);
    _fail(file, line);
}

static inline void near_check_rotation(cdg_quat a, cdg_quat b, double tolerance, const char *text, const char *file,
                                       int line) {
    if (quat_dot(a, b) < 0) b = quat_negate(b);
    cdg_quat d = quat(a.w - b.w, a.x - b.x, a.y - b.y, a.z - b.z);
    if (sqrt(quat_dot(d, d)) <= tolerance) return;
    print_error("%s: (%.17g, %.17g, %.17g, %.17g) and (%.17g, %.17g, %.17g, %.17g) differ by %.3g > %.3g\n", text, a.w,
                a.x, a.y, a.z, b.w, b.x, b.y, b.z, sqrt(quat_dot(d, d)), tolerance);
    _fail(file, line);
}

#endif
