// Advice on meshes, from their rest shapes.
#include "solids/solid_advice.h"

#include "math/eigen3.h"

#include <math.h>

// The least side of the box with the same moments: about its middle those of a box of side a are a^2/12 of its volume.
// Of a tetrahedron the integral of x x^T is V/20 (sum of p p^T over the corners + s s^T), s the sum of the corners.
static double least_side(const cdg_solid *s) {
    cdg_vec3 center = vec3(0, 0, 0);
    mat3 spread = {{{0}}};
    for (size_t i = 0; i < s->node_count; i++) center = vec3_mad(center, s->mass[i], solid_vec3(s->rest, i));
    center = vec3_scale(1 / s->total_mass, center);
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        double sum[3] = {0}, share = s->volume[t] / (20 * s->rest_volume);
        for (int c = 0; c <= 4; c++) {
            cdg_vec3 way = c < 4 ? vec3_sub(solid_vec3(s->rest, s->tetrahedra[t][c]), center) : vec3(0, 0, 0);
            const double w[3] = {c < 4 ? way.x : sum[0], c < 4 ? way.y : sum[1], c < 4 ? way.z : sum[2]};
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++) spread.m[a][b] += share * w[a] * w[b];
            for (int a = 0; a < 3; a++) sum[a] += w[a];
        }
    }
    double value[3];
    mat3 axes;
    eigen3(spread, value, &axes);
    return sqrt(12 * fmin(fmin(value[0], value[1]), value[2]));
}

static double surface_area(const cdg_solid *s) {
    double sum = 0;
    for (size_t t = 0; t < s->surface_count; t++) {
        cdg_vec3 a = solid_vec3(s->rest, s->surface[t][0]), b = solid_vec3(s->rest, s->surface[t][1]);
        cdg_vec3 c = solid_vec3(s->rest, s->surface[t][2]);
        sum += 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)));
    }
    return sum;
}

// Three volumes over the largest face.
static double least_height_of(const cdg_solid *s, size_t t) {
    double largest = 0;
    for (int k = 0; k < 4; k++) {
        cdg_vec3 a = solid_vec3(s->rest, s->tetrahedra[t][(k + 1) % 4]);
        cdg_vec3 b = solid_vec3(s->rest, s->tetrahedra[t][(k + 2) % 4]);
        cdg_vec3 c = solid_vec3(s->rest, s->tetrahedra[t][(k + 3) % 4]);
        largest = fmax(largest, 0.5 * vec3_norm(vec3_cross(vec3_sub(b, a), vec3_sub(c, a))));
    }
    return 3 * s->volume[t] / largest;
}

cdg_solid_advice cdg_solid_advise(const cdg_solid *s) {
    cdg_solid_advice out = {.least_height = INFINITY};
    // A long bar of side a has 4 V/A = a, less with its ends; where it is much less, the solid is hollow or branched.
    double side = least_side(s), wall = 4 * s->rest_volume / surface_area(s);
    out.thickness = wall < 0.5 * side ? wall : side;
    out.cell = cbrt(6 * s->rest_volume / (double)s->tetrahedron_count);
    double across = out.thickness / out.cell;
    out.bending_error = CDG_SOLID_BENDING_ERROR / (across * across);
    out.resolution = out.thickness / sqrt(CDG_SOLID_BENDING_ERROR / CDG_SOLID_GOOD_BENDING);
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        double height = least_height_of(s, t);
        out.sliver_count += height < CDG_SOLID_SLIVER * out.cell;
        if (height < out.least_height) out.least_height = height, out.flattest = t;
    }
    return out;
}
