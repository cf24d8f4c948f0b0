// Deformable solids as tetrahedra of a VTK file: points and cells of all of them, and the series that names the files.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/export.h"
#include "export/solids_vtu.h"
#include "run_scene.h"

#include <cordage/mesh_files.h>

static const char scene_text[] =
    "cordage: 1\ncontact: off\nsimulation: {duration: 20 ms, step: 5 ms}\noutput: {every: 10 ms}\nsolids:\n"
    "  - {name: one, shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm}, material: {young_modulus: 100 kPa, "
    "density: 1000 kg/m^3}}\n"
    "  - {name: two, shape: {box: {size: [5 cm, 5 cm, 5 cm]}, resolution: 5 cm}, material: {young_modulus: 100 kPa, "
    "density: 1000 kg/m^3}, position: [1 m, 0, 0]}\n";

static void simulate(const char *base) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    if (cdg_scene_parse(scene_text, strlen(scene_text), "vtu", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = base, .thread_count = 1};
    if (cdg_run(&def, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
}

static char *text_of(const cdg_vtp *vtu) {
    char *text = malloc(vtu->xml.size + 1);
    assert_non_null(text);
    memcpy(text, vtu->xml.data, vtu->xml.size);
    text[vtu->xml.size] = '\0';
    return text;
}

static void test_cells(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE];
    run_directory_make(base);
    simulate(base);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(base, &reader, NULL), CDG_OK);
    cdg_vtp vtu = {0};
    assert_int_equal(cdg_solids_vtu_make(&vtu, reader, 2, NULL), CDG_OK);
    char expected[80], *text = text_of(&vtu);
    snprintf(expected, sizeof expected, "NumberOfPoints=\"%d\" NumberOfCells=\"%d\"", 45 + 8, 96 + 6);
    assert_non_null(strstr(text, expected));
    static const char *const names[] = {"stress",       "strain",  "velocity", "solid",     "Points",
                                        "connectivity", "offsets", "types",    "solid_name"};
    for (size_t k = 0; k < 9; k++) {
        snprintf(expected, sizeof expected, "Name=\"%s\"", names[k]);
        assert_non_null(strstr(text, expected));
    }
    free(text);
    assert_int_equal(cdg_solids_vtu_make(&vtu, reader, 3, NULL), CDG_ERROR_ARGUMENT);
    cdg_vtp_free(&vtu);
    cdg_run_reader_close(reader);
    run_directory_remove(base);
}

// A series of a run without rods, which can be read as a mesh again.
static void test_series(void **state) {
    (void)state;
    char base[RUN_PATH_SIZE], path[2 * RUN_PATH_SIZE];
    run_directory_make(base);
    simulate(base);
    cdg_export_def def = cdg_export_def_default();
    cdg_export *export = NULL;
    cdg_error error = {0};
    def.run = base, def.path = path;
    snprintf(path, sizeof path, "%s/soft.pvd", base);
    if (cdg_export_open(&def, &export, &error) != CDG_OK) fail_msg("%s", error.message);
    if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_export_close(export);
    snprintf(path, sizeof path, "%s/soft/soft_tetrahedra_0002.vtu", base);
    cdg_mesh mesh;
    if (cdg_mesh_read(path, 1, &mesh, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(mesh.point_count, 45 + 8);
    assert_int_equal(mesh.tetrahedron_count, 96 + 6);
    double lowest = 0, highest = -1;
    for (size_t i = 0; i < 45; i++) lowest = mesh.points[i].z < lowest ? mesh.points[i].z : lowest;
    for (size_t i = 45; i < 53; i++) highest = mesh.points[i].x > highest ? mesh.points[i].x : highest;
    assert_true(lowest < -0.05 - 1e-3 && lowest > -0.06); // it has fallen for 20 ms
    assert_true(highest > 1.02 && highest < 1.03);
    cdg_mesh_free(&mesh);
    run_directory_remove(base);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells),
        cmocka_unit_test(test_series),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
