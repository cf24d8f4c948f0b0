// Angles in vectors (simd.h): arc tangent of two arguments, sine and cosine of small angles, rounding.
#ifndef CDG_MATH_SIMD_ANGLE_H
#define CDG_MATH_SIMD_ANGLE_H

#include "math/simd.h"

// To the nearest whole number, for |a| < 2^51: adding 3 * 2^51 leaves no room for fractions.
SIMD_INLINE simd_double simd_round(simd_double a) {
    const double large = 6755399441055744.0;
    return (a + large) - large;
}

// atan2(y, x) to 3e-16 of the result, signs of zeros apart; not both may be zero. The quotient of the smaller by the
// larger argument lies between 0 and 1; above tan(pi/8) it is turned back by pi/4. What is left goes through the
// polynomial that interpolates atan(r)/r in r^2 at Chebyshev's points, which is good to 4e-18.
SIMD_INLINE simd_double simd_atan2(simd_double y, simd_double x) {
    const double half_pi = 1.57079632679489661923;
    simd_double a = simd_abs(y), b = simd_abs(x), zero = 0 * a;
    simd_mask is_steep = a > b;
    simd_double small = simd_select(is_steep, b, a), large = simd_select(is_steep, a, b);
    simd_mask is_turned = small > 0.41421356237309503 * large;
    simd_double r = simd_select(is_turned, small - large, small) / simd_select(is_turned, small + large, large);
    simd_double s = r * r, p = simd_broadcast(-0.017805382196606493);
    p = p * s + 0.03796524391097195;
    p = p * s - 0.05035101930016078;
    p = p * s + 0.05846878181892052;
    p = p * s - 0.06662951797955637;
    p = p * s + 0.07692045329539092;
    p = p * s - 0.09090896808988135;
    p = p * s + 0.11111110744917034;
    p = p * s - 0.14285714279250192;
    p = p * s + 0.1999999999994089;
    p = p * s - 0.3333333333333312;
    simd_double angle = r + r * (s * p) + simd_select(is_turned, half_pi / 2 - zero, zero);
    angle = simd_select(is_steep, half_pi - angle, angle);
    angle = simd_select(x < 0, 2 * half_pi - angle, angle);
    return simd_select(y < 0, -angle, angle);
}

// Sine and cosine for |a| <= 0.52 by Taylor's series, to rounding.
SIMD_INLINE void simd_small_turn(simd_double a, simd_double *sine, simd_double *cosine) {
    simd_double h = a * a, s = simd_broadcast(1.0 / 6227020800), c = simd_broadcast(1.0 / 479001600);
    s = s * h - 1.0 / 39916800;
    s = s * h + 1.0 / 362880;
    s = s * h - 1.0 / 5040;
    s = s * h + 1.0 / 120;
    s = s * h - 1.0 / 6;
    c = c * h - 1.0 / 3628800;
    c = c * h + 1.0 / 40320;
    c = c * h - 1.0 / 720;
    c = c * h + 1.0 / 24;
    c = c * h - 1.0 / 2;
    *sine = a + a * (h * s);
    *cosine = 1 + h * c;
}

#endif
