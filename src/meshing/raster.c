// Cells that a triangle touches, column by column along the axis that it faces most: work grows with its area.
#include "meshing/raster.h"

typedef struct column_range { // of the cubes above and below a square
    double least, most;
} column_range;

// Heights of a triangle's plane over the square about (u, v), in cells; n is the normal, w its longest axis.
static column_range plane_over_square(const double n[3], const double p0[3], int u, int v, int w, double at_u,
                                      double at_v) {
    double height = p0[w] - (n[u] * (at_u - p0[u]) + n[v] * (at_v - p0[v])) / n[w];
    double slope = 0.5 * (fabs(n[u]) + fabs(n[v])) / fabs(n[w]);
    return (column_range){height - slope, height + slope};
}

static bool square_is_met(const double c[3][3], int u, int v, double at_u, double at_v) {
    double turn = (c[1][u] - c[0][u]) * (c[2][v] - c[0][v]) - (c[1][v] - c[0][v]) * (c[2][u] - c[0][u]);
    double sign = turn < 0 ? -1 : 1;
    for (int k = 0; k < 3; k++) {
        const double *p = c[k], *q = c[(k + 1) % 3];
        double nu = -(q[v] - p[v]) * sign, nv = (q[u] - p[u]) * sign; // inward
        if (nu * (at_u - p[u]) + nv * (at_v - p[v]) + 0.5 * (fabs(nu) + fabs(nv)) < 0) return false;
    }
    return true;
}

static bool visit_column(const cdg_raster *raster, int u, int v, int w, long at_u, long at_v, column_range range) {
    const double margin = 1e-6; // cubes that are only touched count, too
    for (long k = (long)floor(range.least - margin); k <= (long)floor(range.most + margin); k++) {
        long cell[3];
        cell[u] = at_u;
        cell[v] = at_v;
        cell[w] = k;
        if (!raster->visit(raster->user, cell)) return false;
    }
    return true;
}

bool cdg_raster_triangle(const cdg_raster *raster, const cdg_vec3 corners[3]) {
    double c[3][3], low[3], high[3], e[2][3], n[3];
    for (int k = 0; k < 3; k++) {
        cdg_vec3 p = vec3_scale(1 / raster->cell, vec3_sub(corners[k], raster->origin));
        c[k][0] = p.x;
        c[k][1] = p.y;
        c[k][2] = p.z;
    }
    for (int a = 0; a < 3; a++) {
        low[a] = fmin(c[0][a], fmin(c[1][a], c[2][a]));
        high[a] = fmax(c[0][a], fmax(c[1][a], c[2][a]));
        for (int k = 0; k < 2; k++) e[k][a] = c[k + 1][a] - c[0][a];
    }
    int w = 0;
    for (int a = 0; a < 3; a++) n[a] = e[0][(a + 1) % 3] * e[1][(a + 2) % 3] - e[0][(a + 2) % 3] * e[1][(a + 1) % 3];
    for (int a = 1; a < 3; a++)
        if (fabs(n[a]) > fabs(n[w])) w = a;
    int u = (w + 1) % 3, v = (w + 2) % 3;
    for (long i = (long)floor(low[u]); i <= (long)floor(high[u]); i++)
        for (long j = (long)floor(low[v]); j <= (long)floor(high[v]); j++) {
            double at_u = (double)i + 0.5, at_v = (double)j + 0.5;
            if (!square_is_met((const double(*)[3])c, u, v, at_u, at_v)) continue;
            column_range range = plane_over_square(n, c[0], u, v, w, at_u, at_v);
            range.least = fmax(range.least, low[w]);
            range.most = fmin(range.most, high[w]);
            if (!visit_column(raster, u, v, w, i, j, range)) return false;
        }
    return true;
}
