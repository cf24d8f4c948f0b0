// Springs for lengths, areas and volumes: stiffnesses of Young's modulus, rest values, energy, the stable step.
//
// Directions of edges and triangles taken as even, small strains e have the energy per volume
// length/30 (tr^2 + 2 e:e) + area/30 (6 tr^2 + 2 e:e) + volume/2 tr^2, so that
// mu = (length + area)/15, lambda = length/15 + 6 area/15 + volume. Lengths alone have a Poisson's ratio of 1/4.
#include "solids/mass_spring.h"
#include "base/error.h"
#include "base/processor.h"
#include "solids/solid_model.h"

#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#define CHOOSE(name, ...)                                                                                              \
    (cdg_processor_lanes() == CDG_LANES_AVX512 ? name##_avx512(__VA_ARGS__)                                            \
     : cdg_processor_lanes() == CDG_LANES_AVX2 ? name##_avx2(__VA_ARGS__)                                              \
                                               : name##_base(__VA_ARGS__))
#else
#define CHOOSE(name, ...) name##_base(__VA_ARGS__)
#endif

double cdg_mass_spring_forces(cdg_solid *solid, const cdg_solid_at *at, size_t begin, size_t end) {
    return CHOOSE(cdg_mass_spring_forces, solid, at, begin, end);
}

static cdg_vec3 corner(const cdg_solid *s, double *const x[3], size_t slot, int k) {
    return solid_vec3(x, s->corner[k][slot]);
}

static double face_area(const cdg_vec3 p[3]) {
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
}

// ---- stiffnesses ----------------------------------------------------------------------------------------------------

static cdg_result find_stiffness(const cdg_solid *s, cdg_mass_spring *m, cdg_error *error) {
    const cdg_mass_spring_def *d = &s->def.mass_spring;
    if (!(d->length >= 0 && d->area >= 0 && d->volume >= 0) || !isfinite(d->length + d->area + d->volume))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "solid '%s': stiffnesses of springs cannot be negative", s->name);
    m->length = d->length, m->area = d->area, m->volume = d->volume;
    if (d->length > 0) return CDG_OK;
    if (d->area > 0 || d->volume > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "solid '%s': springs for areas and volumes alone hold no shape; give lengths a stiffness, too",
                        s->name);
    if (s->lambda < s->mu * (1 - 1e-12))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "solid '%s': springs have a Poisson's ratio of 0.25 at least, not %g; give more, or the "
                        "stiffnesses themselves",
                        s->name, s->def.poisson_ratio);
    // Half of what is left beyond lengths goes to areas, up to a tenth of all of mu.
    double share = fmin(0.1, fmax(0, (s->lambda / s->mu - 1) / 10));
    m->length = 15 * s->mu * (1 - share);
    m->area = 15 * s->mu * share;
    m->volume = fmax(0, s->lambda - s->mu * (1 + 5 * share));
    return CDG_OK;
}

// ---- the stable step ------------------------------------------------------------------------------------------------

typedef struct spring_term {
    double stiffness; // J
    cdg_vec3 slope[4];
} spring_term;

// Slopes of all terms of a tetrahedron at rest.
static void list_terms(const cdg_solid *s, const cdg_mass_spring *m, size_t slot, spring_term out[11]) {
    memset(out, 0, 11 * sizeof *out);
    cdg_vec3 x[4];
    for (int k = 0; k < 4; k++) x[k] = corner(s, s->rest, slot, k);
    for (int e = 0; e < 6; e++) {
        int a = spring_edge[e][0], b = spring_edge[e][1];
        double rest = m->rest_length[e][slot];
        out[e].stiffness = m->length / 6 * s->volume[slot];
        out[e].slope[b] = vec3_scale(1 / (rest * rest), vec3_sub(x[b], x[a]));
        out[e].slope[a] = vec3_scale(-1, out[e].slope[b]);
    }
    for (int f = 0; f < 4; f++) {
        const int *w = spring_face[f];
        cdg_vec3 normal = vec3_cross(vec3_sub(x[w[1]], x[w[0]]), vec3_sub(x[w[2]], x[w[0]]));
        normal = vec3_scale(0.25 / (m->rest_area[f][slot] * m->rest_area[f][slot]), normal);
        out[6 + f].stiffness = m->area / 4 * s->volume[slot];
        for (int k = 0; k < 3; k++)
            out[6 + f].slope[w[k]] = vec3_cross(normal, vec3_sub(x[w[(k + 2) % 3]], x[w[(k + 1) % 3]]));
    }
    out[10].stiffness = m->volume * s->volume[slot];
    for (int k = 1; k < 4; k++) {
        out[10].slope[k] = vec3(s->shape[3 * k - 3][slot], s->shape[3 * k - 2][slot], s->shape[3 * k - 1][slot]);
        out[10].slope[0] = vec3_sub(out[10].slope[0], out[10].slope[k]);
    }
}

// Largest eigenvalue of the sum of stiffness slope slope^T, by repeated multiplication.
static double largest_eigenvalue(const spring_term terms[11]) {
    cdg_vec3 u[4];
    double largest = 0;
    for (int k = 0; k < 4; k++) u[k] = vec3(1 + k, k * k - 2, 3 - 2 * k);
    for (int iteration = 0; iteration < 20; iteration++) {
        double norm = 0;
        cdg_vec3 next[4] = {{0}};
        for (int k = 0; k < 4; k++) norm += vec3_dot(u[k], u[k]);
        for (int t = 0; t < 11; t++) {
            double along = 0;
            for (int k = 0; k < 4; k++) along += vec3_dot(terms[t].slope[k], u[k]);
            for (int k = 0; k < 4; k++) next[k] = vec3_mad(next[k], terms[t].stiffness * along, terms[t].slope[k]);
        }
        double size = 0;
        for (int k = 0; k < 4; k++) size += vec3_dot(next[k], next[k]);
        largest = sqrt(size / norm);
        for (int k = 0; k < 4; k++) u[k] = vec3_scale(1 / sqrt(size), next[k]);
    }
    return 1.05 * largest;
}

static void find_rate(cdg_solid *s, const cdg_mass_spring *m) {
    s->largest_rate = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        spring_term terms[11];
        list_terms(s, m, t, terms);
        double rate2 = largest_eigenvalue(terms) / (s->def.density * s->volume[t] / 4);
        s->largest_rate = fmax(s->largest_rate, sqrt(rate2));
    }
}

// ---- building -------------------------------------------------------------------------------------------------------

static void free_springs(cdg_solid *s) {
    cdg_mass_spring *m = s->own;
    if (m != NULL) free(m->block);
    free(m);
    s->own = NULL;
}

static cdg_result build(cdg_solid *s, cdg_error *error) {
    cdg_mass_spring *m = s->own = calloc(1, sizeof *m);
    double *block = m != NULL ? m->block = malloc(10 * s->slot_count * sizeof *block) : NULL;
    if (block == NULL) return CDG_ERROR_MEMORY;
    for (int e = 0; e < 6; e++) m->rest_length[e] = block + (size_t)e * s->slot_count;
    for (int f = 0; f < 4; f++) m->rest_area[f] = block + (size_t)(6 + f) * s->slot_count;
    for (size_t slot = 0; slot < s->slot_count; slot++) {
        for (int e = 0; e < 6; e++)
            m->rest_length[e][slot] =
                vec3_distance(corner(s, s->rest, slot, spring_edge[e][0]), corner(s, s->rest, slot, spring_edge[e][1]));
        for (int f = 0; f < 4; f++) {
            cdg_vec3 p[3];
            for (int k = 0; k < 3; k++) p[k] = corner(s, s->rest, slot, spring_face[f][k]);
            m->rest_area[f][slot] = face_area(p);
        }
    }
    cdg_result result = find_stiffness(s, m, error);
    if (result == CDG_OK) find_rate(s, m);
    return result;
}

// ---- energy ---------------------------------------------------------------------------------------------------------

static double square(double a) { return a * a; }

static double whole_energy(const cdg_solid *s, double *const x[3]) {
    const cdg_mass_spring *m = solid_springs(s);
    double sum = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        double lengths = 0, areas = 0;
        for (int e = 0; e < 6; e++)
            lengths += square(vec3_distance(corner(s, x, t, spring_edge[e][0]), corner(s, x, t, spring_edge[e][1])) /
                                  m->rest_length[e][t] -
                              1);
        for (int f = 0; f < 4; f++) {
            cdg_vec3 p[3];
            for (int k = 0; k < 3; k++) p[k] = corner(s, x, t, spring_face[f][k]);
            areas += square(face_area(p) / m->rest_area[f][t] - 1);
        }
        mat3 f = solid_gradient(s, x, t);
        sum += 0.5 * s->volume[t] *
               (m->length / 6 * lengths + m->area / 4 * areas + m->volume * square(mat3_determinant(&f) - 1));
    }
    return sum;
}

const cdg_solid_model_table cdg_solid_mass_spring = {.name = "mass_spring",
                                                     .forces = cdg_mass_spring_forces,
                                                     .build = build,
                                                     .free = free_springs,
                                                     .whole_energy = whole_energy};
