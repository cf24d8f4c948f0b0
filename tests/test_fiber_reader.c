// Fibres of a run as rods: names and sizes, the formula's positions, velocities against differences in time, frames
// along the tangents, means of the guides' forces; and plain runs stay plain.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hair_case.h"
#include "near.h"
#include "output/fiber_reader.h"

static char directory[RUN_PATH_SIZE];

static cdg_run_reader *open_run(bool with_fibers) {
    cdg_run_reader *reader = NULL;
    cdg_error error = {0};
    if (cdg_run_reader_open(directory, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    if (with_fibers && cdg_run_reader_add_fibers(reader, &error) != CDG_OK) fail_msg("%s", error.message);
    return reader;
}

static void must_read(const cdg_run_reader *reader, size_t frame, size_t rod, cdg_field field, void *out) {
    cdg_error error;
    if (cdg_run_reader_read(reader, frame, rod, field, out, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_rods(void **state) {
    (void)state;
    cdg_run_reader *reader = open_run(false);
    assert_int_equal(reader->rod_count, HAIR_RODS);
    assert_null(reader->fibers);
    assert_int_equal(reader->rods[1].strands, 0);
    cdg_run_reader_close(reader);
    reader = open_run(true);
    assert_int_equal(reader->rod_count, HAIR_RODS + HAIR_FIBERS);
    static const size_t strands[HAIR_RODS] = {0, 1, 2, 2, 2, 2, 0};
    for (size_t i = 0; i < HAIR_RODS; i++) {
        assert_int_equal(reader->rods[i].strands, strands[i]);
        assert_false(reader->rods[i].is_fiber);
    }
    assert_string_equal(reader->rods[HAIR_RODS].name, "one.f0");
    assert_string_equal(reader->rods[HAIR_RODS + 6].name, "two.f0");
    assert_string_equal(reader->rods[HAIR_RODS + 14].name, "two.f8");
    for (size_t i = HAIR_RODS; i < reader->rod_count; i++) {
        const cdg_run_rod *rod = &reader->rods[i];
        bool is_one = i < HAIR_RODS + 6;
        assert_true(rod->is_fiber && !rod->is_closed && rod->strands == (is_one ? 1 : 2));
        assert_string_equal(rod->model, "galpha");
        assert_int_equal(rod->node_count, rod->element_count + 1);
        assert_true(is_one ? rod->node_count >= 8 && rod->node_count <= 11 : rod->node_count == 9);
        double length = 0;
        for (size_t k = 0; k < rod->element_count; k++) length += rod->rest_length[k];
        assert_near(rod->length, length, 1e-15);
        assert_true(length > 0.06 && length < 0.12);
        assert_near(rod->radius[3], is_one ? 1e-4 : 2e-4, 1e-18);
        assert_true(rod->sections[3].kind == CDG_SECTION_CIRCLE && rod->sections[3].radius == rod->radius[3]);
    }
    cdg_error error;
    assert_int_equal(cdg_run_reader_add_fibers(reader, &error), CDG_OK); // once is enough
    assert_int_equal(reader->rod_count, HAIR_RODS + HAIR_FIBERS);
    double number;
    assert_int_equal(cdg_run_reader_read(reader, 0, reader->rod_count, CDG_FIELD_tension, &number, &error),
                     CDG_ERROR_ARGUMENT);
    cdg_run_reader_close(reader);
}

// Roots go with the patch, which turns by 60 degrees.
static void test_roots(void **state) {
    (void)state;
    cdg_run_reader *reader = open_run(true);
    for (size_t i = HAIR_RODS + 6; i < reader->rod_count; i++) {
        cdg_vec3 first[9], last[9];
        must_read(reader, 0, i, CDG_FIELD_positions, first);
        must_read(reader, HAIR_OUTPUTS - 1, i, CDG_FIELD_positions, last);
        assert_near(vec3_norm(first[0]), 0.02, 1e-12);
        cdg_quat turn = quat_exp(vec3(0, 3.141592653589793 / 3, 0));
        assert_vec3_near(last[0], quat_rotate(turn, first[0]), 1e-3);
        assert_true(vec3_distance(last[0], first[0]) > 5e-3 || fabs(first[0].x) + fabs(first[0].z) < 0.02);
    }
    cdg_run_reader_close(reader);
}

static void test_rates_and_frames(void **state) {
    (void)state;
    cdg_run_reader *reader = open_run(true);
    for (size_t i = HAIR_RODS; i < reader->rod_count; i++) {
        const cdg_run_rod *rod = &reader->rods[i];
        cdg_vec3 places[3][11], velocities[11], spins[11];
        cdg_quat frames[10];
        for (size_t f = 5; f < 8; f++) must_read(reader, f, i, CDG_FIELD_positions, places[f - 5]);
        must_read(reader, 6, i, CDG_FIELD_velocities, velocities);
        must_read(reader, 6, i, CDG_FIELD_frames, frames);
        must_read(reader, 6, i, CDG_FIELD_angular_velocities, spins);
        double largest = 0;
        for (size_t k = 0; k < rod->node_count; k++) largest = fmax(largest, vec3_norm(velocities[k]));
        for (size_t k = 0; k < rod->node_count; k++) { // outputs are 10 ms apart
            cdg_vec3 mean = vec3_scale(1 / 0.02, vec3_sub(places[2][k], places[0][k]));
            assert_vec3_near(velocities[k], mean, 0.1 * largest + 1e-4);
        }
        for (size_t k = 0; k < rod->element_count; k++) {
            cdg_vec3 tangent = vec3_normalize(vec3_sub(places[1][k + 1], places[1][k]));
            assert_vec3_near(quat_d3(frames[k]), tangent, 1e-9);
            assert_true(vec3_is_finite(spins[k]));
        }
    }
    cdg_run_reader_close(reader);
}

static void test_means(void **state) {
    (void)state;
    cdg_run_reader *reader = open_run(true);
    double guide[10], fiber[10], guides[4][3 * 9], mean[3 * 9];
    must_read(reader, 9, 1, CDG_FIELD_tension, guide); // one guide: its own values, as far as the fibre goes
    must_read(reader, 9, HAIR_RODS + 2, CDG_FIELD_tension, fiber);
    for (size_t k = 0; k < reader->rods[HAIR_RODS + 2].element_count; k++) assert_near(fiber[k], guide[k], 0);
    for (size_t g = 0; g < 4; g++) must_read(reader, 9, 2 + g, CDG_FIELD_moment, guides[g]);
    must_read(reader, 9, HAIR_RODS + 8, CDG_FIELD_moment, mean);
    for (size_t k = 0; k < 3 * 9; k++) { // several: between the smallest and the largest
        double least = INFINITY, most = -INFINITY;
        for (size_t g = 0; g < 4; g++) least = fmin(least, guides[g][k]), most = fmax(most, guides[g][k]);
        double rounding = 1e-12 * fmax(fabs(least), fabs(most));
        assert_true(mean[k] >= least - rounding && mean[k] <= most + rounding);
    }
    cdg_run_reader_close(reader);
}

// A vibration is one of the guides; fibres have none of their own and follow.
static void test_modes(void **state) {
    (void)state;
    static const char *const overrides[] = {"simulation.modes=2", "simulation.duration=10 ms"};
    char own[RUN_PATH_SIZE];
    run_directory_make(own);
    cdg_scene *scene = run_scene_parse(HAIR_TEXT, overrides, 2);
    cdg_run_def def = {.scene = scene, .directory = own};
    cdg_run_summary summary;
    cdg_error error = {0};
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(own, &reader, &error), CDG_OK);
    assert_int_equal(cdg_run_reader_add_fibers(reader, &error), CDG_OK);
    assert_int_equal(reader->rod_count, HAIR_RODS + HAIR_FIBERS);
    double frequencies[2];
    assert_int_equal(cdg_run_reader_modes(reader, HAIR_RODS, frequencies, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_run_reader_show_mode(reader, 1, 1e-2, &error), CDG_OK);
    cdg_vec3 first[11], later[11];
    double farthest = 0;
    for (size_t rod = HAIR_RODS; rod < reader->rod_count; rod++) {
        must_read(reader, 0, rod, CDG_FIELD_positions, first);
        must_read(reader, reader->frame_count / 2, rod, CDG_FIELD_positions, later);
        for (size_t i = 0; i < reader->rods[rod].node_count; i++)
            farthest = fmax(farthest, vec3_distance(first[i], later[i]));
    }
    assert_true(farthest > 1e-3 && farthest < 0.1); // to one side and to the other
    cdg_run_reader_close(reader);
    run_directory_remove(own);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rods), cmocka_unit_test(test_modes),
                                       cmocka_unit_test(test_roots), cmocka_unit_test(test_rates_and_frames),
                                       cmocka_unit_test(test_means)};
    hair_run(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
