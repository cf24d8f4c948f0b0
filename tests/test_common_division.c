// One division for all outputs of a rod whose resolution changes.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/common_division.h"
#include "output/run_reader.h"
#include "run_scene.h"

#include "ragged_case.h"

// Every place at which some output has a node, and no other.
static void expect_union(const cdg_run_reader *reader, size_t frames) {
    int finest[RAGGED_ELEMENTS] = {0};
    for (size_t i = 0; i < frames; i++)
        for (int e = 0; e < RAGGED_ELEMENTS; e++)
            if (ragged_levels_at(i)[e] > finest[e]) finest[e] = ragged_levels_at(i)[e];
    const cdg_run_rod *rod = &reader->rods[0];
    size_t element = 0;
    double whole = rod->length / RAGGED_ELEMENTS, sum = 0;
    for (int e = 0; e < RAGGED_ELEMENTS; e++)
        for (int k = 0; k < 1 << finest[e]; k++, element++) {
            assert_true(fabs(rod->rest_length[element] - whole / (1 << finest[e])) < 1e-9);
            sum += rod->rest_length[element];
        }
    assert_int_equal(element, rod->element_count);
    assert_true(fabs(sum - rod->length) < 1e-12);
    for (size_t i = 0; i < rod->node_count; i++)
        assert_true(rod->radius[i] == 0.004 && rod->sections[i].radius == 0.004);
}

// A node that an output has is where it was; those between are on the curve, nearly.
static void expect_shapes(const cdg_run_reader *reader, size_t frames) {
    const cdg_run_rod *rod = &reader->rods[0];
    double x[3 * RAGGED_NODES_MAX], own[3 * RAGGED_NODES_MAX];
    for (size_t frame = 0; frame < frames; frame++) {
        cdg_run_division division;
        assert_int_equal(cdg_run_reader_division(reader, frame, 0, &division, NULL), CDG_OK);
        assert_int_equal(cdg_run_reader_read(reader, frame, 0, CDG_FIELD_positions, x, NULL), CDG_OK);
        assert_int_equal(cdg_run_reader_read_own(reader, frame, 0, CDG_FIELD_positions, own, NULL), CDG_OK);
        size_t met = 0;
        double arc = 0;
        for (size_t i = 0; i < rod->node_count; i++) {
            if (met < division.node_count && fabs(division.arc[met] - arc) < 1e-9)
                assert_memory_equal(x + 3 * i, own + 3 * met++, 3 * sizeof *x);
            cdg_vec3 wanted = ragged_curve(arc, 0.1 * (double)frame);
            if (!rod->is_closed) assert_true(vec3_distance(wanted, vec3(x[3 * i], x[3 * i + 1], x[3 * i + 2])) < 5e-4);
            if (i < rod->element_count) arc += rod->rest_length[i];
        }
        assert_int_equal(met, division.node_count);
        cdg_run_division_free(&division);
    }
}

static void check(bool is_closed, size_t frames) {
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    ragged_run(base, is_closed, frames);
    cdg_run_reader *reader = NULL;
    cdg_error error;
    if (cdg_run_reader_open(base, &reader, &error) != CDG_OK) fail_msg("%s", error.message);
    expect_union(reader, frames);
    expect_shapes(reader, frames);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

static void test_open(void **state) {
    (void)state;
    check(false, 6);
}
static void test_closed(void **state) {
    (void)state;
    check(true, 6);
}
static void test_few_outputs(void **state) {
    (void)state;
    check(false, 1);
    check(false, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_open), cmocka_unit_test(test_closed),
                                       cmocka_unit_test(test_few_outputs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
