// Tables of deformable solids: headings, and every number to the bit; which tables a run has.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/export.h"
#include "export/solids_csv.h"
#include "run_scene.h"

static const char solids_text[] =
    "cordage: 1\ncontact: off\nsimulation: {duration: 20 ms, step: 5 ms}\noutput: {every: 10 ms}\nsolids:\n"
    "  - {name: one, shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm}, material: {young_modulus: 100 kPa, "
    "density: 1000 kg/m^3}, angular_velocity: [0, 0, 20 rad/s]}\n"
    "  - {name: two, shape: {box: {size: [5 cm, 5 cm, 5 cm]}, resolution: 5 cm}, material: {young_modulus: 100 kPa, "
    "density: 1000 kg/m^3}, position: [1 m, 0, 0]}\n";
static const char rod_text[] =
    "rods:\n"
    "  - {name: cord, elements: 4, centerline: {line: {from: [0, 0, 1 m], to: [1 m, 0, 1 m]}}, "
    "section: {circle: {radius: 5 mm}}, material: {young_modulus: 1 MPa, density: 1000 kg/m^3}}\n";

static void simulate(const char *base, bool with_rod) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    char text[2000];
    snprintf(text, sizeof text, "%s%s", solids_text, with_rod ? rod_text : "");
    if (cdg_scene_parse(text, strlen(text), "csv", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

static void check_lines(const cdg_run_reader *reader, char *text, cdg_solid_per per) {
    const char *heading = per == CDG_SOLID_PER_NODE
                              ? "time [s],output,solid,node,x [m],y [m],z [m],vx [m/s],vy [m/s],vz [m/s]\n"
                              : "time [s],output,solid,tetrahedron,stress [Pa],strain [1]\n";
    assert_memory_equal(text, heading, strlen(heading));
    char *next = text + strlen(heading);
    double largest = 0;
    for (size_t output = 0; output < 3; output++)
        for (size_t i = 0; i < reader->solid_count; i++) {
            const cdg_run_solid_entry *solid = &reader->solids[i];
            double *values[CDG_SOLID_FIELD_COUNT] = {NULL};
            for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
                values[f] = malloc(cdg_run_solid_numbers(solid, (cdg_solid_field)f) * sizeof(double));
                assert_int_equal(cdg_run_reader_solid(reader, output, i, (cdg_solid_field)f, values[f], NULL), CDG_OK);
            }
            size_t count = per == CDG_SOLID_PER_NODE ? solid->node_count : solid->tetrahedron_count;
            for (size_t entry = 0; entry < count; entry++) {
                char expected[100];
                assert_true(strtod(next, &next) == reader->times[output]);
                snprintf(expected, sizeof expected, ",%zu,%s,%zu", output, solid->name, entry);
                assert_memory_equal(next, expected, strlen(expected));
                next += strlen(expected);
                for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
                    cdg_solid_field_info info = cdg_solid_field_get((cdg_solid_field)f);
                    for (size_t k = 0; k < info.component_count && info.per == per; k++) {
                        assert_true(*next++ == ',');
                        double read = strtod(next, &next), own = values[f][entry * info.component_count + k];
                        assert_memory_equal(&read, &own, sizeof own);
                        largest = read > largest ? read : largest;
                    }
                }
                assert_true(*next++ == '\n');
            }
            for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) free(values[f]);
        }
    assert_true(*next == '\0');
    assert_true(largest > 0.1);
}

static void test_tables(void **state) {
    (void)state;
    for (int with_rod = 0; with_rod < 2; with_rod++) {
        char base[RUN_PATH_SIZE], path[2 * RUN_PATH_SIZE];
        run_directory_make(base);
        simulate(base, with_rod == 1);
        cdg_export_def def = cdg_export_def_default();
        cdg_export *export = NULL;
        cdg_error error = {0};
        snprintf(path, sizeof path, "%s/soft.csv", base);
        def.run = base, def.path = path;
        if (cdg_export_open(&def, &export, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_true(cdg_export_estimate(export) > 3 * 100 * 5 * 20);
        if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_int_equal(cdg_export_file_count(export), with_rod ? 4 : 2);
        assert_non_null(strstr(cdg_export_main_file(export, 0), with_rod ? "soft_nodes.csv" : "soft_solid_nodes.csv"));
        assert_non_null(strstr(cdg_export_main_file(export, with_rod ? 3 : 1), "soft_tetrahedra.csv"));
        assert_null(cdg_export_main_file(export, with_rod ? 4 : 2));
        cdg_export_close(export);
        cdg_run_reader *reader = NULL;
        assert_int_equal(cdg_run_reader_open(base, &reader, &error), CDG_OK);
        for (int per = 0; per < 2; per++) {
            char *text = run_read_text(base, per == 0 ? "soft_solid_nodes.csv" : "soft_tetrahedra.csv", NULL);
            check_lines(reader, text, (cdg_solid_per)per);
            free(text);
        }
        cdg_run_reader_close(reader);
        run_directory_remove(base);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
