// Constraints on the length: edges get their length to 1e-9, momentum stays, held nodes too; what cannot be is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/explicit.h"

typedef struct length_case {
    der_case base;
    der_explicit_work work;
    void *memory;
} length_case;

static length_case make(bool is_closed, cdg_random *random, cdg_vec3 *points) {
    length_case c;
    cdg_rod_def def = case_def(is_closed, CDG_DER_TANGENT, points, random);
    def.der.integrator = CDG_DER_EXPLICIT;
    def.der.constraint = CDG_DER_CONSTRAINT_PROJECTION;
    c.base = case_build(&def);
    cdg_rod *rod = c.base.rod;
    c.memory = aligned_alloc(64, der_explicit_work_bytes(rod));
    memset(c.memory, 0xff, der_explicit_work_bytes(rod));
    der_explicit_work_place(rod, c.memory, &c.work);
    for (size_t i = 0; i < rod->node_count; i++) c.work.inverse_mass[i] = 1 / rod->node_mass[i];
    return c;
}

static void release(length_case *c) {
    free(c->memory);
    case_free(&c->base);
}

static double worst_length(const cdg_rod *rod, double *const x[3]) {
    double worst = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        double length = vec3_distance(rod_vec3(x, j), rod_vec3(x, rod_next_node(rod, j)));
        worst = fmax(worst, fabs(length / rod->rest_length[j] - 1));
    }
    return worst;
}

static void test_projection(void **state) {
    (void)state;
    cdg_random random = {51};
    for (int round = 0; round < 40; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1], center[2] = {{0}};
        length_case c = make(round % 2, &random, points);
        cdg_rod *rod = c.base.rod;
        bool has_hold = round % 3 == 0, is_shake = round / 2 % 2 == 1;
        if (has_hold) c.work.inverse_mass[2] = c.work.inverse_mass[3] = 0; // an element between held nodes, too
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 push = random_vec3(&random, 0.03);
            bool is_held = c.work.inverse_mass[i] == 0;
            rod_set_vec3(rod->x_next, i, is_held ? rod_vec3(rod->x, i) : vec3_add(rod_vec3(rod->x, i), push));
            center[0] = vec3_mad(center[0], rod->node_mass[i], rod_vec3(rod->x_next, i));
        }
        cdg_vec3 held = rod_vec3(rod->x_next, 2);
        int iterations;
        assert_true(worst_length(rod, rod->x_next) > 1e-3);
        assert_true(der_project_lengths(rod, rod->x_next, is_shake ? rod->x : NULL, 0, &c.work, &iterations));
        assert_true(worst_length(rod, rod->x_next) < 1e-9);
        assert_true(iterations < 20);
        for (size_t i = 0; i < rod->node_count; i++)
            center[1] = vec3_mad(center[1], rod->node_mass[i], rod_vec3(rod->x_next, i));
        if (has_hold)
            assert_vec3_near(rod_vec3(rod->x_next, 2), held, 0);
        else
            assert_vec3_near(center[1], center[0], 1e-12 * rod->mass);
        release(&c);
    }
}

static void test_velocities(void **state) {
    (void)state;
    cdg_random random = {52};
    for (int round = 0; round < 20; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1], momentum[2] = {{0}};
        length_case c = make(round % 2, &random, points);
        cdg_rod *rod = c.base.rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            rod_set_vec3(rod->v, i, random_vec3(&random, 1));
            momentum[0] = vec3_mad(momentum[0], rod->node_mass[i], rod_vec3(rod->v, i));
        }
        assert_true(der_project_velocities(rod, rod->x, rod->v, &c.work));
        for (size_t i = 0; i < rod->node_count; i++)
            momentum[1] = vec3_mad(momentum[1], rod->node_mass[i], rod_vec3(rod->v, i));
        assert_vec3_near(momentum[1], momentum[0], 1e-12 * rod->mass);
        for (size_t j = 0; j < rod->element_count; j++) {
            size_t next = rod_next_node(rod, j);
            cdg_vec3 e = vec3_sub(rod_vec3(rod->x, next), rod_vec3(rod->x, j));
            assert_near(vec3_dot(e, vec3_sub(rod_vec3(rod->v, next), rod_vec3(rod->v, j))), 0, 1e-12);
        }
        release(&c);
    }
}

static void test_too_far_apart(void **state) {
    (void)state;
    cdg_random random = {53};
    cdg_vec3 points[CASE_ELEMENTS + 1];
    length_case c = make(false, &random, points);
    cdg_rod *rod = c.base.rod;
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->x_next, i, vec3_scale(1.5, rod_vec3(rod->x, i)));
    c.work.inverse_mass[0] = c.work.inverse_mass[CASE_ELEMENTS] = 0;
    int iterations;
    assert_false(der_project_lengths(rod, rod->x_next, NULL, 0, &c.work, &iterations));
    rod->x_next[1][3] = NAN;
    assert_false(der_project_lengths(rod, rod->x_next, NULL, 0, &c.work, &iterations));
    release(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_too_far_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
