// Columns of a run: the same numbers as in its files, grouped into charts by probe and unit.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/run_columns.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_run_reader *reader;
    cdg_run_columns columns;
} fixture;

static int set_up(void **state) {
    static fixture f;
    cdg_error error = {0};
    run_directory_make(f.base);
    cdg_scene *scene = run_scene_make((run_scene_options){.force = 0.01});
    cdg_run_def def = {.scene = scene, .directory = f.base};
    cdg_run_summary summary;
    assert_int_equal(cdg_run(&def, &summary, &error), CDG_OK);
    cdg_scene_destroy(scene);
    assert_int_equal(cdg_run_reader_open(f.base, &f.reader, &error), CDG_OK);
    assert_int_equal(cdg_run_columns_read(f.reader, &f.columns, &error), CDG_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_run_columns_free(&f->columns);
    cdg_run_reader_close(f->reader);
    run_directory_remove(f->base);
    return 0;
}

static const cdg_run_column *find(const fixture *f, const char *name) {
    for (size_t i = 0; i < f->columns.count; i++)
        if (strcmp(f->columns.items[i].name, name) == 0) return &f->columns.items[i];
    fail_msg("there is no column %s", name);
    return NULL;
}

static void test_numbers(void **state) {
    fixture *f = *state;
    hid_t file = run_open(f->base);
    size_t count;
    hsize_t size[3];
    double *total = run_read(file, "/energy/total", NULL, &count);
    const cdg_run_column *column = find(f, "energy.total");
    assert_int_equal(column->count, 13);
    assert_memory_equal(column->values, total, 13 * sizeof *total);
    assert_string_equal(column->unit, "J");
    double *positions = run_read(file, "/rods/cable/positions", size, &count);
    column = find(f, "tip_z");
    assert_string_equal(column->unit, "m");
    for (size_t i = 0; i < 13; i++) {
        assert_true(column->values[i] == positions[(i * size[1] + size[1] - 1) * 3 + 2]);
        assert_true(column->time[i] == f->reader->times[i]);
    }
    free(total);
    free(positions);
    H5Fclose(file);
}

static void test_overview(void **state) {
    fixture *f = *state;
    cdg_chart_list charts;
    cdg_error error = {0};
    double *shear = f->columns.energies + f->reader->frame_count; // the second in the list
    assert_ptr_equal(shear, find(f, "energy.shear")->values);
    for (size_t i = 0; i < f->reader->frame_count; i++) shear[i] = 0;
    assert_int_equal(cdg_run_columns_overview(&f->columns, &charts, &error), CDG_OK);
    static const struct {
        const char *title, *label, *unit;
        size_t curves;
    } expected[] = {{"Energy", "energy", "J", 0},       {"tip", "position", "m", 3},
                    {"pull", "reaction force", "N", 3}, {"pull", "reaction moment", "N*m", 3},
                    {"pull", "peak force", "N", 1},     {"all", "energy", "J", 7}};
    assert_int_equal(charts.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(charts.items[i].title, expected[i].title);
        assert_string_equal(charts.items[i].y.label, expected[i].label);
        assert_string_equal(charts.items[i].y.unit, expected[i].unit);
        if (expected[i].curves > 0) assert_int_equal(charts.items[i].series_count, expected[i].curves);
    }
    assert_string_equal(charts.items[1].series[2].name, "z");
    assert_memory_equal(charts.items[1].series[2].y, find(f, "tip_z")->values, 13 * sizeof(double));
    const cdg_chart *energy = &charts.items[0];
    assert_true(energy->series[energy->series_count - 1].is_main); // the total
    for (size_t i = 0; i < energy->series_count; i++) {            // nothing that is zero all the time
        cdg_series_facts facts = cdg_chart_get_facts(energy, i);
        assert_true(facts.least != 0 || facts.largest != 0);
    }
    cdg_chart_list_free(&charts);
}

static void test_choice(void **state) {
    fixture *f = *state;
    cdg_chart_list charts;
    cdg_error error = {0};
    assert_int_equal(cdg_run_columns_choose(&f->columns, "tip_?,energy.total, tip_z,all_*", &charts, &error), CDG_OK);
    assert_int_equal(charts.count, 2); // metres and joules
    assert_int_equal(charts.items[0].series_count, 3);
    assert_int_equal(charts.items[1].series_count, 8);
    assert_string_equal(charts.items[0].y.label, "position");
    assert_string_equal(charts.items[1].series[0].name, "energy.total");
    cdg_chart_list_free(&charts);
    assert_int_equal(cdg_run_columns_choose(&f->columns, "pull_fz", &charts, &error), CDG_OK);
    assert_string_equal(charts.items[0].y.label, "pull_fz");
    cdg_chart_list_free(&charts);
    assert_int_equal(cdg_run_columns_choose(&f->columns, "tip_x,tipz", &charts, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(charts.count, 0);
    assert_non_null(strstr(error.message, "no column 'tipz'"));
    assert_non_null(strstr(error.message, "did you mean 'tip_"));
    assert_non_null(strstr(error.message, "energy.total, tip_x, tip_y"));
    assert_int_equal(cdg_run_columns_choose(&f->columns, " ,,", &charts, &error), CDG_ERROR_ARGUMENT);
}

// How many contacts there are and how deep they go have no unit, but are no numbers of one axis; frames' parts are.
static void test_numbers_of_different_kinds(void **state) {
    (void)state;
    double time[] = {0, 1}, values[] = {3, 4};
    cdg_run_column items[] = {{(char *)"touch_count", "1", time, values, 2, false},
                              {(char *)"touch_deepest", "1", time, values, 2, false},
                              {(char *)"turn_w", "1", time, values, 2, false},
                              {(char *)"turn_x", "1", time, values, 2, false}};
    cdg_run_columns columns = {.items = items, .count = 4};
    cdg_chart_list charts;
    assert_int_equal(cdg_run_columns_choose(&columns, "*", &charts, NULL), CDG_OK);
    assert_int_equal(charts.count, 3);
    assert_int_equal(charts.items[2].series_count, 2);
    assert_float_equal(charts.items[0].y.scale, 4, 0);
    cdg_chart_list_free(&charts);
    assert_int_equal(cdg_run_columns_overview(&columns, &charts, NULL), CDG_OK);
    assert_int_equal(charts.count, 4); // and one of energies
    assert_string_equal(charts.items[1].y.label, "contacts");
    assert_string_equal(charts.items[2].y.label, "depth / radius");
    cdg_chart_list_free(&charts);
}

static void test_energies_that_are_not_there(void **state) {
    (void)state;
    double time[] = {0, 1}, values[] = {3, 4}, none[] = {0, 0};
    cdg_run_column items[] = {{(char *)"energy.bend", "J", time, values, 2, true},
                              {(char *)"energy.shear", "J", time, none, 2, true}};
    cdg_run_columns columns = {.items = items, .count = 2};
    cdg_chart_list charts;
    assert_int_equal(cdg_run_columns_choose(&columns, "energy.*", &charts, NULL), CDG_OK);
    assert_int_equal(charts.items[0].series_count, 1);
    cdg_chart_list_free(&charts);
    assert_int_equal(cdg_run_columns_choose(&columns, "energy.shear", &charts, NULL), CDG_OK);
    assert_int_equal(charts.items[0].series_count, 1);
    cdg_chart_list_free(&charts);
    items[0].values = none; // where there is nothing else
    assert_int_equal(cdg_run_columns_choose(&columns, "energy.*", &charts, NULL), CDG_OK);
    assert_int_equal(charts.items[0].series_count, 2);
    cdg_chart_list_free(&charts);
}

static void test_without_probes(void **state) {
    fixture *f = *state;
    cdg_run_columns columns;
    cdg_error error = {0};
    size_t size;
    char *text = run_read_text(f->base, "probes.csv", &size);
    unlink(run_path(f->base, "probes.csv"));
    assert_int_equal(cdg_run_columns_read(f->reader, &columns, &error), CDG_OK);
    assert_int_equal(columns.count, 9);
    cdg_run_columns_free(&columns);
    run_write_text(f->base, "probes.csv", "time [s],a [m]\n0,x\n", 19);
    assert_int_equal(cdg_run_columns_read(f->reader, &columns, &error), CDG_ERROR_FORMAT);
    assert_int_equal(columns.count, 0);
    run_write_text(f->base, "probes.csv", text, size);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_numbers),
                                       cmocka_unit_test(test_overview),
                                       cmocka_unit_test(test_choice),
                                       cmocka_unit_test(test_numbers_of_different_kinds),
                                       cmocka_unit_test(test_energies_that_are_not_there),
                                       cmocka_unit_test(test_without_probes)};
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
