// What probes, plots, pictures and exports say about a run is one number, for every model, open and closed rods and
// many turns; and the names that colours go by.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"
#include "plot/along_rod.h"
#include "render/run_player.h"

enum { ELEMENTS = 10 };

typedef struct variant {
    const char *model, *options;
    bool has_ring;
    double turns; // of the line's end, and of the closed ring
} variant;

static const variant variants[] = {
    {"pobd", "pobd: {solver: direct}, ", true, 2},
    {"pobd", "pobd: {solver: gauss_seidel}, ", true, 0.5},
    {"der", "", true, 8},
    {"der", "der: {curvature: angle}, ", true, 8},
    {"galpha", "", false, 2},
    {"corde", "", true, 2},
    {"reference", "", true, 2},
};

static const char *const rod_names[] = {"line", "ring"};

static void add_probes(char *text, const char *rod, size_t nodes) {
    for (size_t i = 0; i < nodes; i++)
        sprintf(text + strlen(text),
                "  - {name: %s_k%zu, curvature: \"%s.node(%zu)\"}\n  - {name: %s_t%zu, twist: \"%s.node(%zu)\"}\n", rod,
                i, rod, i, rod, i, rod, i);
    for (size_t i = 0; i < ELEMENTS; i++)
        sprintf(text + strlen(text), "  - {name: %s_n%zu, tension: \"%s.element(%zu)\"}\n", rod, i, rod, i);
}

// A line that is turned and pushed at one end, its other end clamped, and a ring that is straight at rest and twisted
// by the same number of turns.
static void simulate(const variant *v, const char *directory) {
    static char text[20000];
    sprintf(text,
            "cordage: 1\n"
            "simulation: {model: %s, %sstep: 2 ms, duration: 0.6 s, gravity: [0, 0, -2]}\n"
            "output: {every: 200 ms}\n"
            "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 20 ms}}\n"
            "rods:\n"
            "  - {name: line, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [1, 0, 0]}}, "
            "elements: %d}\n",
            v->model, v->options, ELEMENTS);
    if (v->has_ring)
        sprintf(text + strlen(text),
                "  - {name: ring, material: m, section: {circle: {radius: 5 mm}}, centerline: {circle: {radius: 0.2, "
                "center: [0, 2, 0]}}, elements: %d, rest: straight, twist: %.17g}\n",
                ELEMENTS, v->turns / 0.2); // 2 pi turns over 2 pi times the radius
    sprintf(text + strlen(text),
            "supports:\n"
            "  - {clamp: line.start}\n"
            "  - {clamp: line.end, motion: [{rotate: {axis: [1, 0, 0], angle: %g turns}, to: 0.15 s}, "
            "{move: [-0.02, 0, 0], to: 0.1 s}]}\n"
            "probes:\n",
            v->turns);
    add_probes(text, "line", ELEMENTS + 1);
    if (v->has_ring) add_probes(text, "ring", ELEMENTS);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(text, strlen(text), "test", NULL, NULL, 0, &scene, &error);
    if (result != CDG_OK) fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s %s: %s", v->model, v->options, error.message);
    cdg_scene_destroy(scene);
}

// Numbers of a line of a table, by the beginning of its column's heading; the last line, or the one where `key` columns
// are given.
static double cell(const char *table, const char *column, const char *rod, size_t entry) {
    const char *heading = table, *end = strchr(table, '\n');
    size_t place = 0, length = strlen(column);
    for (const char *at = heading; at < end; at++) {
        if (strncmp(at, column, length) == 0 && at[length] == ' ' && (at == heading || at[-1] == ',')) break;
        place += *at == ',';
    }
    char key[64] = "";
    if (rod != NULL) snprintf(key, sizeof key, ",%s,%zu,", rod, entry);
    const char *line = NULL; // the last that fits
    for (const char *at = end + 1; *at != '\0'; at = strchr(at, '\n') + 1) {
        const char *found = rod != NULL ? strstr(at, key) : at;
        if (found != NULL && found < strchr(at, '\n')) line = at;
    }
    assert_non_null(line);
    for (; place > 0; place--) line = strchr(line, ',') + 1;
    return strtod(line, NULL);
}

static void expect_same(const variant *v, const char *what, const char *rod, size_t entry, double probe, double other) {
    if (isnan(probe) && isnan(other)) return;
    if (!(fabs(probe - other) <= 1e-12 * fmax(1, fabs(probe))))
        fail_msg("%s %s, %s of %s at %zu: the probe says %.17g, another %.17g", v->model, v->options, what, rod, entry,
                 probe, other);
}

typedef struct compared {
    const variant *v;
    const cdg_run_reader *reader;
    size_t rod;
    const char *probes, *nodes, *elements; // tables
} compared;

// One field against the probe's column: the plot's curve, the picture's numbers, the table's cells.
static void compare(const compared *c, const char *field, const char *probe_letter, const char *probe_suffix,
                    const char *column) {
    const cdg_run_rod *rod = &c->reader->rods[c->rod];
    cdg_error error = {0};
    cdg_chart_list charts;
    if (cdg_along_rod_charts(c->reader, rod->name, field, NULL, 0, &charts, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_rod_field color;
    if (cdg_rod_field_parse(field, &color, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_player *player = NULL;
    assert_int_equal(cdg_run_player_create(c->reader, &color, &player, &error), CDG_OK);
    assert_int_equal(cdg_run_player_seek(player, 1e9, &error), CDG_OK);
    bool per_element = cdg_rod_field_is_per_element(&color);
    size_t count = per_element ? rod->element_count : rod->node_count;
    assert_int_equal(charts.items[0].series[0].count, count);
    for (size_t i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%s%zu%s", rod->name, probe_letter, i, probe_suffix);
        double probe = cell(c->probes, name, NULL, 0);
        expect_same(c->v, field, rod->name, i, probe, charts.items[0].series[0].y[i]);
        if (!isnan(probe)) expect_same(c->v, field, rod->name, i, probe, player->rods[c->rod].values[i]);
        expect_same(c->v, field, rod->name, i, probe, cell(per_element ? c->elements : c->nodes, column, rod->name, i));
    }
    cdg_run_player_destroy(player);
    cdg_chart_list_free(&charts);
}

static void test_same_numbers(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++) {
        export_case place;
        run_directory_make(place.run);
        run_directory_make(place.base);
        simulate(&variants[k], place.run);
        cdg_export_close(export_write(&place, "t.csv", cdg_export_def_default()));
        compared c = {.v = &variants[k]};
        cdg_run_reader *reader = NULL;
        assert_int_equal(cdg_run_reader_open(place.run, &reader, NULL), CDG_OK);
        assert_false(reader->is_recomputed);
        c.reader = reader;
        char *probes = run_read_text(place.run, "probes.csv", NULL);
        char *nodes = run_read_text(place.base, "t_nodes.csv", NULL);
        char *elements = run_read_text(place.base, "t_elements.csv", NULL);
        c.probes = probes, c.nodes = nodes, c.elements = elements;
        for (c.rod = 0; c.rod < reader->rod_count; c.rod++) {
            assert_string_equal(reader->rods[c.rod].name, rod_names[c.rod]);
            compare(&c, "curvature.1", "k", "_1", "curvature_1");
            compare(&c, "curvature.2", "k", "_2", "curvature_2");
            compare(&c, "twist", "t", "", "twist");
            compare(&c, "tension", "n", "", "tension");
        }
        // More than half a turn from element to element: a model that counts turns has them all.
        if (strcmp(variants[k].model, "der") == 0) {
            double sum = 0;
            for (int i = 0; i < ELEMENTS; i++) {
                char name[8];
                snprintf(name, sizeof name, "ring_t%d", i);
                sum += cell(probes, name, NULL, 0) / ELEMENTS;
            }
            assert_true(cell(probes, "line_t5", NULL, 0) > 40);
            assert_true(fabs(sum) > 35); // of 40 rad/m, less what a ring that buckles turns into writhe
        }
        cdg_run_reader_close(reader);
        free(probes), free(nodes), free(elements);
        run_directory_remove(place.run);
        run_directory_remove(place.base);
    }
}

static void test_names(void **state) {
    (void)state;
    cdg_rod_field field;
    cdg_error error;
    assert_int_equal(cdg_rod_field_parse("rod", &field, &error), CDG_OK);
    assert_false(field.is_set);
    assert_int_equal(cdg_rod_field_parse("colour", &field, &error), CDG_ERROR_ARGUMENT);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        const char *name = cdg_field_get((cdg_field)i).name;
        assert_non_null(strstr(error.message, name)); // the message lists them all
        assert_int_equal(cdg_rod_field_parse(name, &field, NULL), CDG_OK);
        assert_true(field.is_set && field.view.field == (cdg_field)i);
        assert_true(field.view.component != CDG_VIEW_ALL); // one number: the length of a vector
    }
    assert_int_equal(cdg_rod_field_parse("strain", &field, NULL), CDG_OK);
    assert_string_equal(field.view.shown, "%");
    assert_true(field.view.scale == 100 && cdg_rod_field_is_per_element(&field));
}

// Which names solids have, alone or as rods do.
static void test_names_of_solids(void **state) {
    (void)state;
    cdg_rod_field field;
    cdg_error error = {0};
    assert_int_equal(cdg_rod_field_parse("stress", &field, NULL), CDG_OK);
    assert_true(field.is_only_of_solids && field.is_of_solids && field.of_solid == CDG_SOLID_FIELD_stress);
    assert_string_equal(field.view.shown, "Pa");
    assert_int_equal(cdg_rod_field_parse("strain", &field, NULL), CDG_OK);
    assert_true(field.is_of_solids && cdg_rod_field_is_of_rods(&field) && field.of_solid == CDG_SOLID_FIELD_strain);
    assert_int_equal(cdg_rod_field_parse("speed", &field, NULL), CDG_OK);
    assert_true(field.is_of_solids && field.of_solid_component == CDG_VIEW_LENGTH);
    assert_int_equal(cdg_rod_field_parse("positions.z", &field, NULL), CDG_OK);
    assert_true(field.is_of_solids && field.of_solid_component == 2 && field.view.component == 2);
    cdg_run_reader reader = {.rod_count = 1};
    assert_int_equal(cdg_rod_field_parse("tension", &field, NULL), CDG_OK);
    assert_false(field.is_of_solids);
    assert_int_equal(cdg_rod_field_check(&field, &reader, &error), CDG_OK);
    reader.rod_count = 0, reader.solid_count = 1;
    assert_int_equal(cdg_rod_field_check(&field, &reader, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "stress"));
    assert_int_equal(cdg_rod_field_parse("stress", &field, NULL), CDG_OK);
    assert_int_equal(cdg_rod_field_check(&field, &reader, &error), CDG_OK);
    reader.rod_count = 1, reader.solid_count = 0;
    assert_int_equal(cdg_rod_field_check(&field, &reader, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(cdg_rod_field_parse("stress.x", &field, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_numbers), cmocka_unit_test(test_names),
                                       cmocka_unit_test(test_names_of_solids)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
