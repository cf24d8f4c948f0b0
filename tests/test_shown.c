// Rods as pages see them: the same nodes in every picture, whatever the resolution.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "run_scene.h"
#include "view/cast.h"
#include "view/shown.h"

#include "ragged_case.h"

typedef struct fixture {
    cdg_scene *scene;
    cdg_world *world;
    cdg_rod *rope, *other;
} fixture;

static fixture build(bool is_closed) {
    fixture f = {.scene = ragged_scene(is_closed)};
    assert_int_equal(cdg_scene_build(f.scene, 1, &f.world, NULL), CDG_OK);
    f.rope = cdg_world_get_rod(f.world, cdg_world_find_rod(f.world, "rope"));
    f.other = cdg_world_get_rod(f.world, cdg_world_find_rod(f.world, "other"));
    return f;
}

static void free_all(fixture *f) {
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
}

static void check(bool is_closed) {
    fixture f = build(is_closed);
    double whole = f.rope->length / 64;
    for (size_t frame = 0; frame < 6; frame++) {
        double moment = 0.1 * (double)frame, numbers[4 * (RAGGED_NODES_MAX + 1)];
        ragged_show(f.world, ragged_levels_at(frame), moment);
        cdg_shown_counts shown = cdg_shown_count(f.rope);
        assert_int_equal(shown.elements, 64);
        assert_int_equal(shown.nodes, is_closed ? 64 : 65);
        assert_int_equal(cdg_shown_measure(f.rope, CDG_FIELD_velocities, numbers, NULL), CDG_OK);
        for (size_t i = 0; i < shown.nodes && (!is_closed || i < 56); i++) // vx is the arc length; it jumps at a seam
            assert_true(fabs(numbers[3 * i] - whole * (double)i) < 1e-12 && fabs(numbers[3 * i + 1] - moment) < 1e-12);
        assert_int_equal(cdg_shown_measure(f.rope, CDG_FIELD_positions, numbers, NULL), CDG_OK);
        for (size_t i = 0; i < f.rope->node_count; i++) { // nodes that there are keep their places, but for a little
            size_t at = (size_t)lround(f.rope->adapt->arc[i] / whole);
            cdg_vec3 there = vec3(numbers[3 * at], numbers[3 * at + 1], numbers[3 * at + 2]);
            double kept = vec3_distance(rod_vec3(f.rope->x, i), there), bend = 9 * 0.2, h = 8 * whole; // 1/m, m
            bool is_end = !is_closed && (i == 0 || i + 1 == f.rope->node_count);
            if (!is_closed || (i > 1 && i + 2 < f.rope->node_count))
                assert_true(kept <= (is_end ? 0 : 1.05 * bend * h * h / 24));
        }
        assert_int_equal(cdg_shown_measure(f.rope, CDG_FIELD_level, numbers, NULL), CDG_OK);
        for (size_t j = 0; j < 64; j++) assert_true(numbers[j] == ragged_levels_at(frame)[j / 8]);
        assert_int_equal(cdg_shown_measure(f.rope, CDG_FIELD_frames, numbers, NULL), CDG_OK);
        // there and back
        for (size_t j = 0; j < 64; j++) {
            size_t element;
            double fraction;
            cdg_shown_find(f.rope, j, 0.25, &element, &fraction);
            assert_int_equal(element, j / 8); // of the scene's
            rod_present_point(f.rope, element, fraction, &element, &fraction);
            double arc = f.rope->adapt->arc[element] + fraction * f.rope->rest_length[element];
            assert_true(fabs(arc - whole * ((double)j + 0.25)) < 1e-12);
        }
    }
    assert_int_equal(cdg_shown_node(f.rope, 3), 24);
    free_all(&f);
}

static void test_open(void **state) {
    (void)state;
    check(false);
}
static void test_closed(void **state) {
    (void)state;
    check(true);
}

// Others are shown as they are, to the bit.
static void test_others(void **state) {
    (void)state;
    fixture f = build(false);
    cdg_shown_counts shown = cdg_shown_count(f.other);
    assert_true(shown.nodes == 6 && shown.elements == 5 && cdg_shown_node(f.other, 4) == 4);
    double numbers[24];
    assert_int_equal(cdg_shown_measure(f.other, CDG_FIELD_positions, numbers, NULL), CDG_OK);
    for (size_t i = 0; i < 6; i++)
        for (int k = 0; k < 3; k++) assert_true(numbers[3 * i + (size_t)k] == f.other->x[k][i]);
    size_t element;
    double fraction;
    cdg_shown_find(f.other, 4, 0.75, &element, &fraction);
    assert_true(element == 4 && fraction == 0.75);
    free_all(&f);
}

// The message `world` says the same before and after a change.
static void test_message(void **state) {
    (void)state;
    fixture f = build(false);
    size_t sizes[2];
    for (int i = 0; i < 2; i++) {
        cdg_cast cast = {0};
        if (i > 0) ragged_show(f.world, ragged_levels[2], 0);
        assert_int_equal(cdg_cast_add_world(&cast, f.world, NULL), CDG_OK);
        sizes[i] = cast.node_count;
        assert_int_equal(cast.rods[0].node_count, 65);
        assert_true(cast.rods[0].sections[64].radius == 0.004);
        cdg_cast_free(&cast);
    }
    assert_true(sizes[0] == 71 && sizes[1] == 71);
    free_all(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_open), cmocka_unit_test(test_closed),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_message)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
