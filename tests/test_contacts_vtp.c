// Contacts as points of a VTK file: as many as the run has at the output, with all arrays.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/contacts_vtp.h"
#include "export/export.h"
#include "run_scene.h"

static const char scene_text[] = "cordage: 1\n"
                                 "simulation: {model: pobd, step: 1 ms, duration: 0.1 s}\n"
                                 "output: {every: 10 ms}\n"
                                 "materials: {m: {young_modulus: 10 MPa, density: 1200, damping: 2 ms}}\n"
                                 "rods: [{name: bar, material: m, section: {circle: {radius: 5 mm}}, centerline: "
                                 "{line: {from: [0, 0, 0.02], to: [0.2, "
                                 "0, 0.02]}}, elements: 8}]\n"
                                 "obstacles: [{plane: {normal: [0, 0, 1]}, name: floor}]\n";

static void simulate(const char *base) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "vtp", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

static void test_points(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    simulate(base);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(base, &reader, NULL), CDG_OK);
    cdg_vtp vtp = {0};
    size_t touching = 0;
    for (size_t frame = 0; frame < reader->frame_count; frame++) {
        size_t count = 0;
        assert_int_equal(cdg_run_reader_contact_count(reader, frame, &count, NULL), CDG_OK);
        assert_int_equal(cdg_contacts_vtp_make(&vtp, reader, frame, NULL), CDG_OK);
        char expected[80], *text = malloc(vtp.xml.size + 1);
        assert_non_null(text);
        memcpy(text, vtp.xml.data, vtp.xml.size);
        text[vtp.xml.size] = '\0';
        snprintf(expected, sizeof expected, "NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\"", count, count);
        assert_non_null(strstr(text, expected));
        static const char *const names[] = {"force", "normal", "gap", "rod", "other_kind", "other", "Points"};
        for (size_t k = 0; k < 7; k++) {
            snprintf(expected, sizeof expected, "Name=\"%s\"", names[k]);
            assert_non_null(strstr(text, expected));
        }
        free(text);
        touching += count > 0;
    }
    assert_true(touching > 0);
    cdg_vtp_free(&vtp);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

// The series names them as its third part.
static void test_series(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    simulate(base);
    cdg_export_def def = cdg_export_def_default();
    char path[2 * RUN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/bar.pvd", base);
    def.run = base, def.path = path;
    cdg_export *export = NULL;
    cdg_error error = {0};
    if (cdg_export_open(&def, &export, &error) != CDG_OK) fail_msg("%s", error.message);
    if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_export_close(export);
    char *text = run_read_text(base, "bar.pvd", NULL);
    assert_non_null(strstr(text, "part=\"2\" file=\"bar/bar_contacts_0010.vtp\""));
    assert_true(run_path_exists(base, "bar/bar_contacts_0010.vtp"));
    free(text);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_points), cmocka_unit_test(test_series)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
