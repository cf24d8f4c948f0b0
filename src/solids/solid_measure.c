// What can be measured on a solid: energy, volume, momentum, stress.
#include "math/eigen3.h"
#include "solids/nodal_pressure.h"
#include "solids/solid_model.h"
#include "solids/volume_barrier.h"

solid_energies cdg_solid_measure_motion(const cdg_solid *s, double *const x[3], double *const v[3], cdg_vec3 gravity) {
    solid_energies e = {0};
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 speed = solid_vec3(v, i);
        e.kinetic += 0.5 * s->mass[i] * vec3_dot(speed, speed);
        e.gravity -= s->mass[i] * vec3_dot(gravity, solid_vec3(x, i));
    }
    return e;
}

solid_energies cdg_solid_measure_energy(const cdg_solid *s, double *const x[3], double *const v[3], cdg_vec3 gravity) {
    solid_energies e = cdg_solid_measure_motion(s, x, v, gravity);
    e.elastic = cdg_solid_elastic_energy(s, x);
    return e;
}

double cdg_solid_elastic_energy(const cdg_solid *s, double *const x[3]) {
    double sum = s->model->whole_energy(s, x);
    if (s->def.volume_barrier > 0) sum += cdg_volume_barrier_energy(s, x);
    return s->bulk > 0 ? sum + cdg_nodal_pressure_energy(s, x) : sum;
}

double cdg_solid_damping_energy(const cdg_solid *s, const cdg_solid_at *at) {
    if (!(s->def.damping_time > 0) || at->before == NULL) return 0;
    double sum = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, at->x, t), b = solid_gradient(s, at->before, t);
        mat3 e = mat3_add(mat3_multiply(mat3_transpose(f), f), mat3_scale(-1, mat3_multiply(mat3_transpose(b), b)));
        double trace = 0.5 * (e.m[0][0] + e.m[1][1] + e.m[2][2]);
        sum += s->volume[t] * (s->mu * 0.25 * mat3_dot(&e, &e) + 0.5 * s->lambda * trace * trace);
    }
    return s->def.damping_time * at->rate * sum;
}

double cdg_solid_volume(const cdg_solid *s, double *const x[3]) {
    double sum = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, x, t);
        sum += s->volume[t] * mat3_determinant(&f);
    }
    return sum;
}

double cdg_solid_least_volume(const cdg_solid *s, double *const x[3], size_t *tetrahedron) {
    double least = INFINITY;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, x, t);
        double det = mat3_determinant(&f);
        if (det >= least) continue;
        least = det;
        if (tetrahedron != NULL) *tetrahedron = t;
    }
    return least;
}

void cdg_solid_momentum(const cdg_solid *s, double *const x[3], double *const v[3], cdg_vec3 *linear,
                        cdg_vec3 *angular) {
    for (size_t i = 0; i < s->node_count; i++) {
        cdg_vec3 momentum = vec3_scale(s->mass[i], solid_vec3(v, i));
        if (linear != NULL) *linear = vec3_add(*linear, momentum);
        if (angular != NULL) *angular = vec3_add(*angular, vec3_cross(solid_vec3(x, i), momentum));
    }
}

// Cauchy's stress is P F^T / det F.
static double von_mises_of(const mat3 *p, const mat3 *f) {
    double det = mat3_determinant(f);
    if (!(det > 1e-6)) det = 1e-6; // inverted: as large as it gets
    mat3 c = mat3_scale(1 / det, mat3_multiply(*p, mat3_transpose(*f)));
    double xx = c.m[0][0], yy = c.m[1][1], zz = c.m[2][2];
    double xy = 0.5 * (c.m[0][1] + c.m[1][0]), xz = 0.5 * (c.m[0][2] + c.m[2][0]), yz = 0.5 * (c.m[1][2] + c.m[2][1]);
    return sqrt(0.5 * ((xx - yy) * (xx - yy) + (yy - zz) * (yy - zz) + (zz - xx) * (zz - xx)) +
                3 * (xy * xy + xz * xz + yz * yz));
}

static double stress_of(const cdg_solid *s, const mat3 *f, size_t tetrahedron) {
    if (s->model->stress == NULL) return 0; // shape matching has none
    mat3 p = s->model->stress(s, f, solid_rotation(s, tetrahedron));
    return von_mises_of(&p, f);
}

double cdg_solid_tetrahedron_stress(const cdg_solid *s, double *const x[3], size_t tetrahedron) {
    mat3 f = solid_gradient(s, x, tetrahedron);
    return stress_of(s, &f, tetrahedron);
}

static double strain_of(const mat3 *f) {
    double value[3];
    mat3 axes;
    eigen3(mat3_multiply(mat3_transpose(*f), *f), value, &axes);
    return sqrt(fmax(fmax(value[0], value[1]), value[2])) - 1;
}

void cdg_solid_stresses(const cdg_solid *s, double *const x[3], double *von_mises, double *strain) {
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, x, t);
        if (von_mises != NULL) von_mises[t] = stress_of(s, &f, t);
        if (strain != NULL) strain[t] = strain_of(&f);
    }
}

void cdg_solid_extremes(const cdg_solid *s, double *const x[3], double *von_mises, double *strain) {
    *von_mises = *strain = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, x, t);
        *von_mises = fmax(*von_mises, stress_of(s, &f, t));
        *strain = fmax(*strain, strain_of(&f));
    }
}
