// From the staggered grid to galpha's nodes and back.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "galpha_case.h"
#include "near.h"

// A curve whose curvature varies, unevenly spaced.
static cdg_rod *wavy_rod(cdg_random *random, bool is_extensible, cdg_rest_kind rest) {
    enum { COUNT = 12 };
    static cdg_vec3 points[COUNT];
    for (int i = 0; i < COUNT; i++) {
        double s = i + random_in(random, -0.2, 0.2);
        points[i] = vec3(0.1 * s, 0.05 * sin(0.7 * s), 0.03 * cos(1.1 * s));
    }
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.model = CDG_MODEL_GALPHA;
    def.galpha.is_extensible = is_extensible;
    def.element_count = COUNT - 1;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = COUNT;
    def.rest.kind = rest;
    def.velocity = vec3(1, 2, 3);
    def.angular_velocity = vec3(0.5, -1, 2);
    cdg_rod *rod = NULL;
    cdg_error error;
    cdg_result result = cdg_rod_build(&def, &rod, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return rod;
}

// A rod that is at rest has no strain at all, whatever its shape, and comes back as it was.
static void test_rest(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 10; round++) {
        cdg_rod *rod = wavy_rod(&random, round % 2 == 0, CDG_REST_INITIAL);
        const galpha_rest *rest = galpha_rest_of(rod);
        galpha_node nodes[32];
        galpha_read_arrays(rod, nodes);
        for (size_t j = 0; j < rod->element_count; j++) {
            cdg_vec3 turn = galpha_turn(nodes[j].frame, nodes[j + 1].frame, rest[j].turn);
            assert_vec3_near(galpha_bend(rod, &rest[j], j, turn), vec3(0, 0, 0), 1e-11);
            assert_vec3_near(cdg_rod_strain(rod, j), vec3(0, 0, 0), 1e-12);
            assert_vec3_near(nodes[j].position, rod_vec3(rod->x, j), 1e-13);
        }
        for (size_t i = 0; i < rod->node_count; i++) assert_vec3_near(nodes[i].darboux, rest[i].darboux, 1e-11);
        cdg_quat frames[32];
        cdg_vec3 spins[32], velocities[32];
        for (size_t j = 0; j < rod->element_count; j++)
            frames[j] = rod_quat(rod->q, j), spins[j] = rod_vec3(rod->w, j), velocities[j] = rod_vec3(rod->v, j);
        galpha_write_arrays(rod, nodes, rod->x, rod->v, rod->q, rod->w);
        for (size_t j = 0; j < rod->element_count; j++) {
            assert_rotation_near(rod_quat(rod->q, j), frames[j], 1e-13);
            assert_vec3_near(rod_vec3(rod->w, j), spins[j], 1e-12);
            assert_vec3_near(rod_vec3(rod->v, j), velocities[j], 1e-12);
        }
        cdg_rod_destroy(rod);
    }
}

// A bent rod that is straight at rest: inextensible elements have their length and no shear, others the little shear
// that bends them.
static void test_bent(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 10; round++) {
        cdg_rod *rod = wavy_rod(&random, round % 2 == 0, CDG_REST_STRAIGHT);
        double accepted = round % 2 == 0 ? 1e-2 : 1e-12;
        for (size_t j = 0; j < rod->element_count; j++)
            assert_vec3_near(cdg_rod_strain(rod, j), vec3(0, 0, 0), accepted);
        cdg_rod_destroy(rod);
    }
}

// A rigid rotation of the rod spins every node alike.
static void test_spin(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_rod *rod = wavy_rod(&random, true, CDG_REST_INITIAL);
    galpha_node nodes[32];
    galpha_read_arrays(rod, nodes);
    for (size_t i = 0; i < rod->node_count; i++)
        assert_vec3_near(quat_rotate(nodes[i].frame, nodes[i].spin), vec3(0.5, -1, 2), 1e-12);
    cdg_rod_destroy(rod);
}

static void test_turn(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int i = 0; i < 1000; i++) {
        cdg_quat from = random_rotation(&random);
        double angle = random_in(&random, 0, 6.1); // up to nearly a whole turn
        cdg_vec3 axis = vec3_normalize(random_vec3(&random, 1)), turn = vec3_scale(angle, axis);
        cdg_quat to = quat_multiply(from, quat_exp(turn));
        if (i % 2 == 0) to = quat_negate(to);
        cdg_vec3 near = vec3_add(turn, random_vec3(&random, 0.1));
        assert_vec3_near(galpha_turn(from, to, near), turn, 1e-12);
        cdg_quat middle = quat_multiply(from, quat_exp(vec3_scale(0.5, turn)));
        assert_rotation_near(galpha_middle(from, to, near), middle, 1e-12);
    }
    assert_vec3_near(galpha_turn(quat_identity(), quat_identity(), vec3(0, 0, 0)), vec3(0, 0, 0), 0);
}

static void test_law(void **state) {
    (void)state;
    cdg_rod *rod = galpha_case_rod(true, false);
    cdg_vec3 darboux = vec3(1, -2, 3);
    for (size_t i = 0; i < rod->node_count; i++)
        assert_vec3_near(galpha_darboux_of(rod, i, galpha_moment_of(rod, i, darboux)), darboux, 1e-12);
    rod->bend_stiffness[2][3] = 0; // no stiffness, no moment: the rest twist
    assert_near(galpha_darboux_of(rod, 3, vec3(0, 0, 0)).z, galpha_rest_of(rod)[3].darboux.z, 0);
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest), cmocka_unit_test(test_bent), cmocka_unit_test(test_spin),
        cmocka_unit_test(test_turn), cmocka_unit_test(test_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
