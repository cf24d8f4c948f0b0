// Interpolating cubic spline, parametrised by chord length.
//
// Chord length rather than centripetal: a rod's shape is usually sampled from a smooth curve, often unevenly, and then
// the chordal spline is fourth-order accurate whatever the spacing (Floater, IMA J. Numer. Anal. 26, 2006), while its
// parameter is close to arc length, so that curvature does not jump where the spacing does. With h the chords, p the
// points and M the second derivatives, continuity of the first derivative at point i reads
//
//     h[i-1] M[i-1] + 2 (h[i-1] + h[i]) M[i] + h[i] M[i+1] = 6 ((p[i+1] - p[i]) / h[i] - (p[i] - p[i-1]) / h[i-1]),
//
// which is diagonally dominant, so elimination needs no pivoting. A closed spline makes it cyclic: with the unknown
// M[0] taken out, the rest is tridiagonal with two right-hand sides, M = Y + M[0] Z, and row 0 yields M[0]. Free ends
// ("not a knot") let M run straight on over the end pieces, M[0] = ((h[0] + h[1]) M[1] - h[0] M[2]) / h[1], which is
// put into row 1; it stays dominant.
#include "geometry/spline.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>

static cdg_vec3 right_side(const cdg_spline *spline, size_t i) {
    size_t before = i > 0 ? i - 1 : spline->point_count - 1, after = i + 1 < spline->point_count ? i + 1 : 0;
    const cdg_vec3 *p = spline->points;
    cdg_vec3 slope = vec3_scale(1 / spline->span[i], vec3_sub(p[after], p[i]));
    return vec3_scale(6, vec3_mad(slope, -1 / spline->span[before], vec3_sub(p[i], p[before])));
}

// Solves the rows first .. last for M; what lies beyond both ends is zero, or follows from them when they are free.
// `factor` is scratch of point_count.
static void solve_rows(const cdg_spline *spline, size_t first, size_t last, bool has_free_ends, double *factor) {
    const double *h = spline->span;
    cdg_vec3 *m = spline->curvature;
    for (size_t i = first; i <= last; ++i) {
        double lower = h[i - 1], pivot = 2 * (h[i - 1] + h[i]), upper = h[i];
        if (has_free_ends && i == first) {
            pivot += h[i - 1] * (h[i - 1] + h[i]) / h[i];
            upper -= h[i - 1] * h[i - 1] / h[i];
        }
        if (has_free_ends && i == last) {
            pivot += h[i] * (h[i] + h[i - 1]) / h[i - 1];
            lower -= h[i] * h[i] / h[i - 1];
        }
        m[i] = right_side(spline, i);
        if (i > first) {
            pivot -= lower * factor[i - 1];
            m[i] = vec3_mad(m[i], -lower, m[i - 1]);
        }
        factor[i] = upper / pivot;
        m[i] = vec3_scale(1 / pivot, m[i]);
    }
    for (size_t i = last; i-- > first;) m[i] = vec3_mad(m[i], -factor[i], m[i + 1]);
}

static void solve_free(const cdg_spline *spline, double *factor) {
    size_t n = spline->point_count;
    const double *h = spline->span;
    cdg_vec3 *m = spline->curvature;
    if (n == 3) { // one parabola
        m[0] = m[1] = m[2] = vec3_scale(1 / (3 * (h[0] + h[1])), right_side(spline, 1));
        return;
    }
    solve_rows(spline, 1, n - 2, true, factor);
    m[0] = vec3_scale(1 / h[1], vec3_mad(vec3_scale(h[0] + h[1], m[1]), -h[0], m[2]));
    m[n - 1] = vec3_scale(1 / h[n - 3], vec3_mad(vec3_scale(h[n - 2] + h[n - 3], m[n - 2]), -h[n - 2], m[n - 3]));
}

// The response Z of the rows 1 .. count - 1 to M[0] = 1, which enters the first and the last of them.
static void solve_response(const cdg_spline *spline, double *factor, double *z) {
    size_t n = spline->point_count;
    const double *h = spline->span;
    for (size_t i = 1; i < n; ++i) {
        double pivot = 2 * (h[i - 1] + h[i]);
        z[i] = (i == 1 ? -h[0] : 0) - (i == n - 1 ? h[n - 1] : 0);
        if (i > 1) {
            pivot -= h[i - 1] * factor[i - 1];
            z[i] -= h[i - 1] * z[i - 1];
        }
        factor[i] = h[i] / pivot;
        z[i] /= pivot;
    }
    for (size_t i = n - 1; i-- > 1;) z[i] -= factor[i] * z[i + 1];
}

static void solve_closed(const cdg_spline *spline, double *factor, double *z) {
    size_t n = spline->point_count;
    const double *h = spline->span;
    cdg_vec3 *m = spline->curvature;
    solve_rows(spline, 1, n - 1, false, factor);
    solve_response(spline, factor, z);
    cdg_vec3 rest = vec3_mad(vec3_mad(right_side(spline, 0), -h[n - 1], m[n - 1]), -h[0], m[1]);
    m[0] = vec3_scale(1 / (2 * (h[n - 1] + h[0]) + h[n - 1] * z[n - 1] + h[0] * z[1]), rest);
    for (size_t i = 1; i < n; ++i) m[i] = vec3_mad(m[i], z[i], m[0]);
}

void cdg_spline_solve(const cdg_spline *spline, cdg_spline_ends ends, double *scratch) {
    size_t n = spline->point_count;
    for (size_t i = 0; i < n; ++i) spline->curvature[i] = vec3(0, 0, 0);
    if (ends == CDG_SPLINE_PERIODIC) {
        solve_closed(spline, scratch, scratch + n);
    } else if (n > 2 && ends == CDG_SPLINE_FREE) {
        solve_free(spline, scratch);
    } else if (n > 2) {
        solve_rows(spline, 1, n - 2, false, scratch);
    }
}

cdg_result cdg_spline_init(const cdg_vec3 *points, size_t count, bool is_closed, cdg_spline *out, cdg_error *error) {
    *out = (cdg_spline){.points = points, .point_count = count, .piece_count = is_closed ? count : count - 1};
    out->span = calloc(count, sizeof *out->span);
    out->curvature = calloc(count, sizeof *out->curvature);
    double *scratch = calloc(2 * count, sizeof *scratch);
    if (out->span == NULL || out->curvature == NULL || scratch == NULL) {
        free(scratch);
        cdg_spline_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a spline through %zu points", count);
    }
    for (size_t i = 0; i < out->piece_count; ++i) {
        out->span[i] = vec3_distance(points[i], points[i + 1 < count ? i + 1 : 0]);
    }
    cdg_spline_solve(out, is_closed ? CDG_SPLINE_PERIODIC : CDG_SPLINE_NATURAL, scratch);
    free(scratch);
    return CDG_OK;
}

void cdg_spline_free(cdg_spline *spline) {
    free(spline->span);
    free(spline->curvature);
    *spline = (cdg_spline){0};
}

void cdg_spline_evaluate(const cdg_spline *spline, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    size_t after = piece + 1 < spline->point_count ? piece + 1 : 0;
    cdg_vec3 a = spline->points[piece], b = spline->points[after];
    cdg_vec3 m = vec3_scale(spline->span[piece] * spline->span[piece] / 6, spline->curvature[piece]);
    cdg_vec3 n = vec3_scale(spline->span[piece] * spline->span[piece] / 6, spline->curvature[after]);
    double v = 1 - u;
    // v a + u b keeps both ends exact; the curvature terms vanish there.
    cdg_vec3 chord = vec3_mad(vec3_scale(v, a), u, b);
    *position = vec3_mad(vec3_mad(chord, v * v * v - v, m), u * u * u - u, n);
    *derivative = vec3_mad(vec3_mad(vec3_sub(b, a), 1 - 3 * v * v, m), 3 * u * u - 1, n);
}

static void spline_point(const void *context, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *derivative) {
    cdg_spline_evaluate(context, piece, u, position, derivative);
}

cdg_curve cdg_spline_curve(const cdg_spline *spline) { return (cdg_curve){spline, spline->piece_count, spline_point}; }
