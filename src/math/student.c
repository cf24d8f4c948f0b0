// Student's t by the incomplete beta function as a continued fraction (Lentz' method), and its inverse by halving.
#include "math/student.h"

#include <float.h>
#include <math.h>

// Continued fraction of the incomplete beta function (DLMF 8.17.22); converges for x < (a + 1)/(a + b + 2).
static double beta_fraction(double a, double b, double x) {
    double c = 1, d = 1 / fmax(fabs(1 - (a + b) * x / (a + 1)), 1e-300), value = d;
    if ((a + b) * x > a + 1) d = -d, value = d;
    for (int m = 1; m < 500; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 / (1 + even * d), c = 1 + even / c, value *= c * d;
        d = 1 / (1 + odd * d), c = 1 + odd / c;
        double change = c * d;
        value *= change;
        if (fabs(change - 1) < 4 * DBL_EPSILON) break;
    }
    return value;
}

static double incomplete_beta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
    return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_within(double t, double freedom) {
    return 1 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double student_limit(double share, double freedom) {
    double low = 0, high = 1;
    while (student_within(high, freedom) < share && high < 1e12) high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; i++) {
        double middle = (low + high) / 2;
        if (student_within(middle, freedom) < share)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
