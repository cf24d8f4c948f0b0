// Forces of solids: the energy's slope, patch test, rigid motion, damping, threads.
#include "solid_case.h"

static const cdg_vec3 block = {0.3, 0.2, 0.2};

static double largest(const cdg_solid *s, double *const f[3]) {
    double most = 0;
    for (size_t i = 0; i < s->node_count; i++) most = fmax(most, vec3_norm(solid_vec3(f, i)));
    return most;
}

static void set_affine(cdg_solid *s, const mat3 *f, cdg_vec3 shift) {
    for (size_t i = 0; i < s->node_count; i++)
        solid_set_vec3(s->x, i, vec3_add(shift, mat3_apply(f, solid_vec3(s->rest, i))));
}

static void test_forces_are_the_slope_of_energy(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(solid_case_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT), block, 0.1);
        cdg_random random = {7};
        solid_case_shake(&s, 0.015, &random);
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.force, 1);
        double scale = largest(&s, s.force);
        for (size_t i = 0; i < s.node_count; i++)
            for (int k = 0; k < 3; k++) {
                const double h = 1e-4;
                double x = s.x[k][i], sum = 0, shift[4] = {-2 * h, -h, h, 2 * h}, weight[4] = {1, -8, 8, -1};
                for (int j = 0; j < 4; j++) {
                    s.x[k][i] = x + shift[j];
                    sum += weight[j] * cdg_solid_elastic_energy(&s, s.x);
                }
                s.x[k][i] = x;
                assert_near(s.force[k][i], -sum / (12 * h), 1e-7 * scale);
            }
        cdg_solid_free(&s);
    }
}

// A constant deformation gradient: no force at inner nodes, and at the surface what the stress asks for.
static void test_patch(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(solid_case_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT), block, 0.05);
        mat3 f = {{{1.1, 0.2, 0}, {-0.1, 0.9, 0.05}, {0.03, 0, 1.2}}};
        set_affine(&s, &f, vec3(1, 2, 3));
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.force, 1);
        bool *is_outer = calloc(s.node_count, sizeof *is_outer);
        for (size_t i = 0; i < s.surface_count; i++)
            for (int k = 0; k < 3; k++) is_outer[s.surface[i][k]] = true;
        double scale = largest(&s, s.force);
        size_t inner = 0;
        for (size_t i = 0; i < s.node_count; i++) {
            if (!is_outer[i]) assert_true(vec3_norm(solid_vec3(s.force, i)) <= 1e-12 * scale * 10);
            inner += !is_outer[i];
        }
        assert_true(inner > 10);
        // and the surface's forces are those of the stress: work on another constant gradient is stress : gradient
        mat3 p = s.model->stress(&s, &f, quat_identity()), g = {{{0.3, -1, 2}, {0.7, 1, -0.4}, {-2, 0.1, 1.5}}};
        double work = 0;
        for (size_t i = 0; i < s.node_count; i++)
            work -= vec3_dot(solid_vec3(s.force, i), mat3_apply(&g, solid_vec3(s.rest, i)));
        assert_near(work, s.rest_volume * mat3_dot(&p, &g), 1e-12 * scale);
        free(is_outer);
        cdg_solid_free(&s);
    }
}

static void test_rigid_motion_makes_no_force(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid_def def = solid_case_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT);
        def.damping_time = 0.01;
        cdg_solid s = solid_case_build(def, block, 0.1);
        cdg_random random = {8};
        for (int i = 0; i < 20; i++) {
            cdg_quat q = random_rotation(&random);
            mat3 r = mat3_from_quat(q);
            set_affine(&s, &r, random_vec3(&random, 1));
            cdg_vec3 spin = random_vec3(&random, 10);
            for (size_t n = 0; n < s.node_count; n++)
                solid_set_vec3(s.v, n, vec3_add(vec3(1, 2, 3), vec3_cross(spin, solid_vec3(s.x, n))));
            cdg_solid_at at = {.x = s.x, .v = s.v}, since = {.x = s.x, .before = s.rest, .rate = 100};
            double scale = s.def.young_modulus * 0.01; // Pa times a face of an element, m^2
            cdg_solid_forces(&s, &at, s.force, 1);
            assert_true(largest(&s, s.force) <= 1e-12 * scale * 10);
            cdg_solid_forces(&s, &since, s.force, 1);
            assert_true(largest(&s, s.force) <= 1e-12 * scale * 10);
        }
        cdg_solid_free(&s);
    }
}

static void test_damping_takes_energy_and_has_its_potential(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.damping_time = 0.01;
    cdg_solid s = solid_case_build(def, block, 0.1);
    cdg_random random = {9};
    solid_case_shake(&s, 0.01, &random);
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.v, i, random_vec3(&random, 1));
    cdg_solid_at still = {.x = s.x}, moving = {.x = s.x, .v = s.v};
    cdg_solid_forces(&s, &still, s.force, 1);
    cdg_solid_forces(&s, &moving, s.reaction, 1);
    double power = 0;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < s.node_count; i++) power += (s.reaction[k][i] - s.force[k][i]) * s.v[k][i];
    assert_true(power < 0);
    cdg_solid_at since = {.x = s.x, .before = s.rest, .rate = 50};
    cdg_solid_forces(&s, &since, s.reaction, 1);
    double scale = largest(&s, s.reaction);
    for (size_t i = 0; i < s.node_count; i += 3)
        for (int k = 0; k < 3; k++) {
            const double h = 1e-4;
            double x = s.x[k][i], sum = 0, shift[4] = {-2 * h, -h, h, 2 * h}, weight[4] = {1, -8, 8, -1};
            for (int j = 0; j < 4; j++) {
                s.x[k][i] = x + shift[j];
                sum += weight[j] * cdg_solid_damping_energy(&s, &since);
            }
            s.x[k][i] = x;
            assert_near(s.reaction[k][i] - s.force[k][i], -sum / (12 * h), 1e-7 * scale);
        }
    cdg_solid_free(&s);
}

static void start_rotations(cdg_solid *s) {
    for (int k = 0; k < 4 && s->rotation[0] != NULL; k++)
        for (size_t i = 0; i < s->slot_count; i++) s->rotation[k][i] = k == 0;
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(solid_case_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT), block, 0.015);
        cdg_random random = {10};
        solid_case_shake(&s, 0.004, &random);
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.force, 1);
        int thread_count = 3;
        start_rotations(&s);
        cdg_solid_forces(&s, &at, s.reaction, thread_count);
        for (int k = 0; k < 3; k++) assert_memory_equal(s.force[k], s.reaction[k], s.node_count * sizeof(double));
        cdg_solid_free(&s);
    }
}

static void test_inverted_elements_are_pushed_back(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(solid_case_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT), block, 0.2);
        mat3 mirror = mat3_diagonal(1, 1, -0.5);
        set_affine(&s, &mirror, vec3(0, 0, 0));
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.force, 1);
        double power = 0; // towards the rest shape
        for (int k = 0; k < 3; k++)
            for (size_t i = 0; i < s.node_count; i++) power += s.force[k][i] * (s.rest[k][i] - s.x[k][i]);
        assert_true(isfinite(power) && power > 0);
        cdg_solid_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forces_are_the_slope_of_energy),
        cmocka_unit_test(test_patch),
        cmocka_unit_test(test_rigid_motion_makes_no_force),
        cmocka_unit_test(test_damping_takes_energy_and_has_its_potential),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_inverted_elements_are_pushed_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
