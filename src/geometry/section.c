// Cross-sections: area, second moments, Saint-Venant's torsion constant and Timoshenko's shear factors.
// Torsion: Timoshenko and Goodier, Theory of Elasticity, sections 101 (ellipse) and 109 (rectangle). Shear: Cowper, The
// shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966), 335-340.
#include <cordage/geometry.h>

#include "base/error.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

cdg_section cdg_section_default(void) { return (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = 1e-3}; }

// J of a rectangle from the series of its stress function. With a >= b the sides,
//
//     J = a b^3 / 3 (1 - 192/pi^5 b/a sum over odd n of tanh(n pi a / (2 b)) / n^5).
//
// The terms fall only like n^-5, so the sum with tanh replaced by 1, which is 31/32 zeta(5), is taken out; what
// remains, 1 - tanh x = 2 / (exp(2 x) + 1), falls exponentially: ten terms reach rounding for the square, the slowest
// case.
static double rectangle_torsion(double side1, double side2) {
    double a = fmax(side1, side2), b = fmin(side1, side2);
    double sum = 1.0045237627951396161;
    for (int n = 1; n < 20; n += 2) sum -= 2 / ((exp(n * PI * a / b) + 1) * pow(n, 5));
    return a * b * b * b / 3 * (1 - 192 / pow(PI, 5) * (b / a) * sum);
}

// Cowper's factor of an ellipse for shear along the semi-axis a.
static double ellipse_shear_factor(double a, double b, double nu) {
    double ratio = b / a, square = ratio * ratio;
    return 12 * (1 + nu) * (3 + square) / ((40 + 37 * nu) + (16 + 10 * nu) * square + nu * square * square);
}

static double tube_shear_factor(double ratio, double nu) {
    double square = ratio * ratio, sum = (1 + square) * (1 + square);
    return 6 * (1 + nu) * sum / ((7 + 6 * nu) * sum + (20 + 12 * nu) * square);
}

static cdg_result check_size(const char *kind, const char *name, double value, cdg_error *error) {
    if (value > 0 && isfinite(value)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "section %s: %s is %g m; give a finite length greater than 0", kind,
                    name, value);
}

static void compute_ellipse(double a, double b, double nu, cdg_section_properties *out) {
    out->area = PI * a * b;
    out->second_moment[0] = out->area * b * b / 4;
    out->second_moment[1] = out->area * a * a / 4;
    double ratio = fmin(a, b) / fmax(a, b); // a^3 b^3 / (a^2 + b^2) without large powers
    out->torsion_constant = PI * a * b * fmin(a, b) * fmin(a, b) / (1 + ratio * ratio);
    out->shear_factor[0] = ellipse_shear_factor(a, b, nu);
    out->shear_factor[1] = ellipse_shear_factor(b, a, nu);
    out->bounding_radius = fmax(a, b);
}

static void compute_tube(double outer, double inner, double nu, cdg_section_properties *out) {
    // differences of squares as products, so that a thin wall keeps its digits
    out->area = PI * (outer - inner) * (outer + inner);
    out->second_moment[0] = out->second_moment[1] = out->area * (outer * outer + inner * inner) / 4;
    out->torsion_constant = 2 * out->second_moment[0];
    out->shear_factor[0] = out->shear_factor[1] = tube_shear_factor(inner / outer, nu);
    out->bounding_radius = outer;
}

static void compute_rectangle(double side1, double side2, double nu, cdg_section_properties *out) {
    out->area = side1 * side2;
    out->second_moment[0] = out->area * side2 * side2 / 12;
    out->second_moment[1] = out->area * side1 * side1 / 12;
    out->torsion_constant = rectangle_torsion(side1, side2);
    // Cowper's value holds for either direction and any ratio of the sides.
    out->shear_factor[0] = out->shear_factor[1] = 10 * (1 + nu) / (12 + 11 * nu);
    out->bounding_radius = hypot(side1, side2) / 2;
}

cdg_result cdg_section_compute(const cdg_section *section, double poisson_ratio, cdg_section_properties *out,
                               cdg_error *error) {
    if (section == NULL) return cdg_fail_null(error, "section");
    if (out == NULL) return cdg_fail_null(error, "out");
    if (!(poisson_ratio > -1 && poisson_ratio <= 0.5)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "poisson_ratio is %g; an isotropic solid has one above -1 and at most 0.5", poisson_ratio);
    }
    cdg_section_properties properties = {0};
    cdg_result result = CDG_OK;
    switch (section->kind) {
    case CDG_SECTION_CIRCLE:
        result = check_size("circle", "radius", section->radius, error);
        if (result == CDG_OK) compute_tube(section->radius, 0, poisson_ratio, &properties);
        break;
    case CDG_SECTION_TUBE:
        result = check_size("tube", "radius", section->radius, error);
        if (result != CDG_OK) break;
        if (!(section->inner_radius >= 0 && section->inner_radius < section->radius)) {
            return cdg_fail(
                error, CDG_ERROR_ARGUMENT,
                "section tube: inner_radius is %g m; it must be 0 or more and less than the outer radius, %g m",
                section->inner_radius, section->radius);
        }
        compute_tube(section->radius, section->inner_radius, poisson_ratio, &properties);
        break;
    case CDG_SECTION_ELLIPSE:
        result = check_size("ellipse", "the semi-axis along d1", section->semi_axis[0], error);
        if (result == CDG_OK) result = check_size("ellipse", "the semi-axis along d2", section->semi_axis[1], error);
        if (result == CDG_OK) {
            compute_ellipse(section->semi_axis[0], section->semi_axis[1], poisson_ratio, &properties);
        }
        break;
    case CDG_SECTION_RECTANGLE:
        result = check_size("rectangle", "the side along d1", section->side[0], error);
        if (result == CDG_OK) result = check_size("rectangle", "the side along d2", section->side[1], error);
        if (result == CDG_OK) compute_rectangle(section->side[0], section->side[1], poisson_ratio, &properties);
        break;
    case CDG_SECTION_KIND_COUNT:
    default:
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "section: there is no kind number %d; use one of cdg_section_kind",
                        (int)section->kind);
    }
    if (result != CDG_OK) return result;
    properties.polar_moment = properties.second_moment[0] + properties.second_moment[1];
    for (int i = 0; i < 2; ++i) {
        // Cowper's ellipse loses its meaning for flat sections of auxetic material: its denominator passes through
        // zero.
        if (!(properties.shear_factor[i] > 0 && properties.shear_factor[i] <= 1)) {
            return cdg_fail(
                error, CDG_ERROR_ARGUMENT,
                "section ellipse: there is no shear factor for semi-axes of %g m and %g m with poisson_ratio %g; "
                "use a poisson_ratio of 0 or more, a rounder section, or give the stiffness outright",
                section->semi_axis[0], section->semi_axis[1], poisson_ratio);
        }
        if (!(properties.second_moment[i] >= 1e-290) || !isfinite(properties.polar_moment) ||
            !(properties.torsion_constant >= 1e-290)) {
            return cdg_fail(
                error, CDG_ERROR_ARGUMENT,
                "section: its sizes are beyond what numbers can hold (second moment %g m^4); check their units",
                properties.second_moment[i]);
        }
    }
    *out = properties;
    return CDG_OK;
}

static double mix(double a, double b, double fraction) { return (1 - fraction) * a + fraction * b; }

cdg_section cdg_section_interpolate(const cdg_section *a, const cdg_section *b, double fraction) {
    if (a == NULL || b == NULL) return cdg_section_default();
    return (cdg_section){
        .kind = a->kind,
        .radius = mix(a->radius, b->radius, fraction),
        .inner_radius = mix(a->inner_radius, b->inner_radius, fraction),
        .semi_axis = {mix(a->semi_axis[0], b->semi_axis[0], fraction), mix(a->semi_axis[1], b->semi_axis[1], fraction)},
        .side = {mix(a->side[0], b->side[0], fraction), mix(a->side[1], b->side[1], fraction)}};
}
