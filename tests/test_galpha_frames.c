// Frames at galpha's nodes for shapes that are given: positions and held places are the scene's, and what cannot be is
// refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "rods/galpha/parts.h"
#include "small_world.h"

enum { ELEMENTS = 12, NODES = ELEMENTS + 1 };

// Smooth, with curvature that varies, straight at rest; unevenly spaced.
static cdg_rod_def wave(cdg_vec3 points[NODES], bool is_extensible) {
    cdg_random random = {5};
    for (int i = 0; i < NODES; i++) {
        double s = (i + random_in(&random, -0.2, 0.2)) / ELEMENTS;
        points[i] = vec3(s, 0.1 * sin(5 * s), 0.06 * cos(3 * s));
    }
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = ELEMENTS;
    def.galpha.is_extensible = is_extensible;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = NODES;
    return def;
}

static void add_support(const small_world *small, cdg_support_kind kind, size_t node) {
    cdg_support_def support = {.kind = kind, .place = {small->rod, CDG_PLACE_NODE, node}};
    must(small->world, cdg_world_add_support(small->world, &support, NULL));
}

// All nodes start where the scene has them, and ends that are held stay there; the first step moves nothing far.
static void test_places(void **state) {
    (void)state;
    for (int i = 0; i < 4; i++) {
        cdg_vec3 points[NODES], x[NODES];
        cdg_rod_def def = wave(points, i % 2 == 0);
        cdg_support_kind kind = i < 2 ? CDG_SUPPORT_PIN : CDG_SUPPORT_CLAMP;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        add_support(&small, kind, 0);
        add_support(&small, kind, ELEMENTS);
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        for (int k = 0; k < NODES; k++) assert_vec3_near(x[k], points[k], 1e-12);
        double start = cdg_world_energy(small.world).total;
        small_world_run(&small, 1);
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        for (int k = 0; k < NODES; k++) assert_vec3_near(x[k], points[k], 1e-3);
        assert_near(cdg_world_energy(small.world).total, start, 0.05 * start);
        small_world_run(&small, 50);
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        assert_vec3_near(x[0], points[0], 1e-12);
        assert_vec3_near(x[ELEMENTS], points[ELEMENTS], 1e-12);
        cdg_world_destroy(small.world);
    }
}

static cdg_rod *build(const cdg_rod_def *def) {
    cdg_rod *rod = NULL;
    cdg_error error;
    if (cdg_rod_build(def, &rod, &error) != CDG_OK) fail_msg("%s", error.message);
    return rod;
}

// An inextensible rod takes its elements' frames exactly; an extensible one shears by little.
static void test_fit(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cdg_vec3 points[NODES];
        cdg_rod_def def = wave(points, i == 0);
        def.name = "a";
        cdg_rod *rod = build(&def);
        galpha_node nodes[NODES];
        galpha_read_arrays(rod, nodes);
        for (size_t j = 0; j < ELEMENTS; j++) {
            cdg_quat frame = galpha_middle(nodes[j].frame, nodes[j + 1].frame, vec3(0, 0, 0));
            assert_rotation_near(frame, rod_quat(rod->q, j), i == 0 ? 1e-2 : 1e-12);
            // sections turn from node to node as the elements do, and not to and fro
            cdg_vec3 turn = galpha_turn(nodes[j].frame, nodes[j + 1].frame, vec3(0, 0, 0));
            assert_true(vec3_norm(turn) < 0.35);
        }
        cdg_rod_destroy(rod);
    }
}

static void test_kink_is_refused(void **state) {
    (void)state;
    cdg_vec3 corner[] = {{0, 0, 0}, {0.5, 0, 0}, {0.5, 0.5, 0}};
    for (int i = 0; i < 4; i++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.name = "bent";
        def.model = CDG_MODEL_GALPHA;
        def.element_count = 10;
        def.galpha.is_extensible = i % 2 == 0;
        def.centerline.kind = CDG_CENTERLINE_POLYLINE;
        def.centerline.points.points = corner;
        def.centerline.points.count = 3;
        def.rest.kind = i < 2 ? CDG_REST_STRAIGHT : CDG_REST_INITIAL; // the latter is no kink for it
        cdg_rod *rod = NULL;
        cdg_error error;
        assert_int_equal(cdg_rod_build(&def, &rod, &error), i < 2 ? CDG_ERROR_UNSUPPORTED : CDG_OK);
        if (i < 2) assert_non_null(strstr(error.message, "'bent' has a kink"));
        if (i < 2) assert_non_null(strstr(error.message, "node 5"));
        if (i >= 2) cdg_rod_destroy(rod);
    }
}

// Fewer than two or three elements a turn, or a length at rest that an inextensible rod does not have.
static void test_other_refusals(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "coil";
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 5;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.radius = 0.05;
    def.centerline.helix.pitch = 0.03;
    def.centerline.helix.turns = 3;
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "too few elements"));
    def.element_count = 40;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_kink_is_refused),
        cmocka_unit_test(test_other_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
