// Rods as one output has them: their own nodes where resolution changes, those of all outputs where it does not.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_reader.h"
#include "run_scene.h"

#include "ragged_case.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_run_reader *reader;
} fixture;

enum { FRAMES = 6, ROPE = 0, OTHER = 1 };

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    ragged_run(f.base, false, FRAMES);
    cdg_error error;
    if (cdg_run_reader_open(f.base, &f.reader, &error) != CDG_OK) fail_msg("%s", error.message);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_reader_close(f->reader);
    run_directory_remove(f->base);
    return 0;
}

// Elements are halves of halves of the eight that the rope was made with.
static void test_own_nodes(void **state) {
    fixture *f = *state;
    double whole = f->reader->rods[ROPE].length / RAGGED_ELEMENTS;
    for (size_t frame = 0; frame < FRAMES; frame++) {
        const int *levels = ragged_levels_at(frame);
        size_t nodes = 0, elements = 0, j = 0;
        cdg_run_division division;
        assert_int_equal(cdg_run_reader_counts(f->reader, frame, ROPE, &nodes, &elements, NULL), CDG_OK);
        assert_int_equal(cdg_run_reader_division(f->reader, frame, ROPE, &division, NULL), CDG_OK);
        assert_true(elements == ragged_elements(levels) && nodes == elements + 1);
        assert_true(division.node_count == nodes && division.element_count == elements);
        double arc = 0;
        for (int e = 0; e < RAGGED_ELEMENTS; e++)
            for (int k = 0; k < 1 << levels[e]; k++, j++) {
                assert_true(fabs(division.arc[j] - arc) < 1e-12);
                assert_true(fabs(division.rest_length[j] - whole / (1 << levels[e])) < 1e-12);
                arc += whole / (1 << levels[e]);
            }
        assert_true(fabs(division.arc[elements] - f->reader->rods[ROPE].length) < 1e-12);
        for (size_t i = 0; i < nodes; i++)
            assert_true(division.radius[i] == 0.004 && division.sections[i].radius == 0.004);
        cdg_run_rod rod = cdg_run_division_rod(&division, &f->reader->rods[ROPE]);
        assert_true(rod.node_count == nodes && rod.element_count == elements && rod.radius == division.radius);
        assert_true(rod.rest_length == division.rest_length && rod.sections == division.sections);
        assert_string_equal(rod.name, "rope");
        cdg_run_division_free(&division);
        assert_null(division.arc);
    }
}

static void test_rod_that_stays(void **state) {
    fixture *f = *state;
    const cdg_run_rod *rod = &f->reader->rods[OTHER];
    cdg_run_division division;
    assert_int_equal(cdg_run_reader_division(f->reader, 3, OTHER, &division, NULL), CDG_OK);
    assert_true(division.node_count == 6 && division.element_count == 5);
    for (size_t j = 0; j < 5; j++) {
        assert_true(fabs(division.arc[j + 1] - 0.2 * (double)(j + 1)) < 1e-12);
        assert_true(division.rest_length[j] == rod->rest_length[j]);
    }
    for (size_t i = 0; i < 6; i++)
        assert_true(division.radius[i] == 0.002 && division.sections[i].radius == 0.002 && division.arc[0] == 0);
    cdg_run_division_free(&division);
}

// At the nodes of an output a sample is what is stored there; between them it lies on the curve, nearly.
static void test_samples(void **state) {
    fixture *f = *state;
    for (size_t frame = 0; frame < FRAMES; frame++) {
        cdg_run_division division;
        cdg_vec3 own[RAGGED_NODES_MAX], there[RAGGED_NODES_MAX];
        assert_int_equal(cdg_run_reader_division(f->reader, frame, ROPE, &division, NULL), CDG_OK);
        size_t count = division.node_count;
        assert_int_equal(cdg_run_reader_read_own(f->reader, frame, ROPE, CDG_FIELD_positions, &own->x, NULL), CDG_OK);
        assert_int_equal(
            cdg_run_reader_sample(f->reader, frame, ROPE, CDG_FIELD_positions, division.arc, count, &there->x, NULL),
            CDG_OK);
        for (size_t i = 0; i < count; i++) assert_true(vec3_distance(own[i], there[i]) < 1e-12);
        double middle = division.arc[1] / 2;
        assert_int_equal(
            cdg_run_reader_sample(f->reader, frame, ROPE, CDG_FIELD_positions, &middle, 1, &there->x, NULL), CDG_OK);
        assert_true(vec3_distance(there[0], ragged_curve(middle, 0.1 * (double)frame)) < 5e-4);
        cdg_run_division_free(&division);
    }
}

static void test_what_is_not_there(void **state) {
    fixture *f = *state;
    cdg_error error;
    double out[3], beyond[] = {1.01}, before[] = {-0.01}, nan[] = {NAN};
    size_t nodes, elements;
    const double *const wrong[] = {beyond, before, nan};
    for (int k = 0; k < 3; k++) {
        assert_int_equal(cdg_run_reader_sample(f->reader, 0, ROPE, CDG_FIELD_positions, wrong[k], 1, out, &error),
                         CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "rod 'rope' has no place at"));
    }
    assert_int_equal(cdg_run_reader_counts(f->reader, FRAMES, ROPE, &nodes, &elements, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "there is no output 6 of rod number 0; the run has 6 outputs and 2 rods"));
    assert_int_equal(cdg_run_reader_read_own(f->reader, 0, 2, CDG_FIELD_positions, out, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_own_nodes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_rod_that_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_samples, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_what_is_not_there, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
