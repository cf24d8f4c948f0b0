// What every material must do: stress and curvature against differences, rotations, small strains, projection.
#ifndef CDG_TESTS_SOLID_MATERIAL_CASE_H
#define CDG_TESTS_SOLID_MATERIAL_CASE_H

#include "solid_case.h"

#include "math/polar.h"

static inline mat3 material_gradient(cdg_random *random, double size) {
    mat3 f = mat3_from_quat(random_rotation(random)), d;
    for (int k = 0; k < 9; k++) d.m[k / 3][k % 3] = random_in(random, -size, size);
    return mat3_multiply(f, mat3_add(mat3_diagonal(1, 1, 1), d));
}

static inline cdg_solid material_solid(cdg_solid_model model) {
    return (cdg_solid){.model = cdg_solid_model_get(model), .mu = 2.5, .lambda = 4};
}

static inline double material_energy(const cdg_solid *s, const mat3 *f) {
    return s->model->energy(s, f, quat_identity());
}

static inline void check_material_stress(cdg_solid_model model) {
    cdg_solid s = material_solid(model);
    cdg_random random = {3};
    for (int i = 0; i < 200; i++) {
        mat3 f = material_gradient(&random, 0.5), p = s.model->stress(&s, &f, quat_identity());
        for (int k = 0; k < 9; k++) {
            const double h = 1e-3; // fourth order: error about 1e-12
            double value[4], shift[4] = {-2 * h, -h, h, 2 * h};
            for (int j = 0; j < 4; j++) {
                mat3 moved = f;
                moved.m[k / 3][k % 3] += shift[j];
                value[j] = material_energy(&s, &moved);
            }
            assert_near(p.m[k / 3][k % 3], (value[0] - 8 * value[1] + 8 * value[2] - value[3]) / (12 * h), 1e-7);
        }
    }
}

// d^2 det / dF^2 along d, twice: det(f + t d) has t^2 with cof(d) : f
static inline double material_quadratic(const solid_curvature *c, const mat3 *f, const mat3 *d) {
    mat3 cofactor = mat3_cofactor(d);
    double sum = c->scale * mat3_dot(d, d) + c->curl * 2 * mat3_dot(&cofactor, f);
    for (int r = 0; r < c->count; r++) {
        double along = mat3_dot(&c->direction[r], d);
        sum += c->factor[r] * along * along;
    }
    return sum;
}

static inline void check_material_curvature(cdg_solid_model model) {
    cdg_solid s = material_solid(model);
    cdg_random random = {4};
    for (int i = 0; i < 200; i++) {
        mat3 f = material_gradient(&random, 0.3), d = material_gradient(&random, 1);
        solid_curvature exact, projected;
        s.model->curvature(&s, &f, quat_identity(), false, &exact);
        s.model->curvature(&s, &f, quat_identity(), true, &projected);
        const double h = 1e-3;
        double value = 0, weight[4] = {1, -8, 8, -1}, shift[4] = {-2 * h, -h, h, 2 * h};
        for (int j = 0; j < 4; j++) {
            mat3 moved = mat3_add(f, mat3_scale(shift[j], d)), p = s.model->stress(&s, &moved, quat_identity());
            value += weight[j] * mat3_dot(&p, &d) / (12 * h);
        }
        double form = material_quadratic(&exact, &f, &d), positive = material_quadratic(&projected, &f, &d);
        assert_near(form, value, 1e-7 * (1 + fabs(value)));
        assert_true(positive >= -1e-12);
        assert_true(positive >= form - 1e-9 * (1 + fabs(form))); // negative directions are left out, others kept
    }
}

static inline void check_material_projection_keeps_what_is_positive(cdg_solid_model model) {
    cdg_solid s = material_solid(model);
    cdg_random random = {5};
    for (int i = 0; i < 50; i++) { // stretched a little in all directions: nothing is negative
        mat3 r = mat3_from_quat(random_rotation(&random));
        mat3 f = mat3_multiply(r, mat3_diagonal(random_in(&random, 1.02, 1.04), random_in(&random, 1.02, 1.04),
                                                random_in(&random, 1.02, 1.04)));
        mat3 d = material_gradient(&random, 1);
        solid_curvature exact, projected;
        s.model->curvature(&s, &f, quat_identity(), false, &exact);
        s.model->curvature(&s, &f, quat_identity(), true, &projected);
        assert_near(material_quadratic(&exact, &f, &d), material_quadratic(&projected, &f, &d), 1e-9);
    }
}

// At rest there is no stress, whichever way it is turned; near rest it is Hooke's.
static inline void check_material_rest(cdg_solid_model model) {
    cdg_solid s = material_solid(model);
    cdg_random random = {6};
    for (int i = 0; i < 100; i++) {
        mat3 r = mat3_from_quat(random_rotation(&random)), p = s.model->stress(&s, &r, quat_identity());
        assert_near(sqrt(mat3_dot(&p, &p)), 0, 1e-13 * s.lambda * 10);
        assert_near(material_energy(&s, &r), 0, 1e-13 * s.lambda * 10);
        mat3 e = mat3_diagonal(0, 0, 0);
        const double small = 1e-6;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b <= a; b++) e.m[a][b] = e.m[b][a] = random_in(&random, -1, 1);
        mat3 f = mat3_add(mat3_diagonal(1, 1, 1), mat3_scale(small, e));
        p = s.model->stress(&s, &f, quat_identity());
        double trace = e.m[0][0] + e.m[1][1] + e.m[2][2];
        for (int k = 0; k < 9; k++) {
            double hooke = 2 * s.mu * e.m[k / 3][k % 3] + (k % 4 == 0 ? s.lambda * trace : 0);
            assert_near(p.m[k / 3][k % 3] / small, hooke, 1e-4);
        }
    }
}

#define MATERIAL_TESTS(model)                                                                                          \
    static void test_stress(void **state) {                                                                            \
        (void)state;                                                                                                   \
        check_material_stress(model);                                                                                  \
    }                                                                                                                  \
    static void test_curvature(void **state) {                                                                         \
        (void)state;                                                                                                   \
        check_material_curvature(model);                                                                               \
    }                                                                                                                  \
    static void test_projection(void **state) {                                                                        \
        (void)state;                                                                                                   \
        check_material_projection_keeps_what_is_positive(model);                                                       \
    }                                                                                                                  \
    static void test_rest(void **state) {                                                                              \
        (void)state;                                                                                                   \
        check_material_rest(model);                                                                                    \
    }

#endif
