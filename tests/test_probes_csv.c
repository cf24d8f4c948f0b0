// probes.csv: heading, numbers that read back exactly, cutting at a line for resuming.
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/probes_csv.h"
#include "run_scene.h"
#include "scene/scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE], path[RUN_PATH_SIZE + 20];
    cdg_scene *scene;
    cdg_world *world;
} fixture;

static cdg_result create_file(const char *path, const cdg_scene *scene, const cdg_world *world, cdg_probes_csv **out,
                              cdg_error *error) {
    cdg_result result = cdg_probes_csv_stage(path, scene, world, out, error);
    return result == CDG_OK ? cdg_probes_csv_install(*out, error) : result;
}

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    snprintf(f.path, sizeof f.path, "%s/probes.csv", f.base);
    f.scene = run_scene_make((run_scene_options){0});
    assert_int_equal(cdg_scene_build(f.scene, 1, &f.world, NULL), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(f.world, 1e-3), CDG_OK);
    *state = &f;
    return 0;
}

static int tear_down(void **state) {
    fixture *f = *state;
    cdg_world_destroy(f->world);
    cdg_scene_destroy(f->scene);
    run_directory_remove(f->base);
    return 0;
}

// Lines at times 0, 1 ms, ...; returns the time of the last.
static double write_lines(fixture *f, cdg_probes_csv *file, int count) {
    cdg_error error;
    for (int i = 0; i < count; i++) {
        if (i > 0) assert_int_equal(cdg_world_step(f->world, NULL), CDG_OK);
        if (cdg_probes_csv_write(file, f->world, &error) != CDG_OK) fail_msg("%s", error.message);
    }
    return cdg_world_time(f->world);
}

static const char heading[] =
    "time [s],tip_x [m],tip_y [m],tip_z [m],pull_fx [N],pull_fy [N],pull_fz [N],pull_mx [N*m],"
    "pull_my [N*m],pull_mz [N*m],pull_peak [N],all_stretch [J],all_shear [J],all_bend [J],all_twist [J],"
    "all_kinetic [J],all_gravity [J],all_total [J]\n";

static void test_lines(void **state) {
    fixture *f = *state;
    cdg_probes_csv *file;
    assert_int_equal(create_file(f->path, f->scene, f->world, &file, NULL), CDG_OK);
    char *text = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(text, heading); // there before the first output
    free(text);
    write_lines(f, file, 4);
    text = run_read_text(f->base, "probes.csv", NULL); // and every line at once, not when the file is closed
    const char *line = text + strlen(heading);
    for (int i = 0; i < 3; i++) line = strchr(line, '\n') + 1;
    char *next = NULL;
    assert_true(strtod(line, &next) == cdg_world_time(f->world));
    cdg_vec3 positions[11];
    assert_int_equal(cdg_rod_positions(f->world, cdg_world_find_rod(f->world, "cable"), positions), CDG_OK);
    assert_true(strtod(next + 1, &next) == positions[10].x);
    assert_true(strtod(next + 1, &next) == positions[10].y);
    assert_true(strtod(next + 1, &next) == positions[10].z);
    double force = 0;
    for (int i = 0; i < 6; i++) { // the reaction
        double part = strtod(next + 1, &next);
        if (i < 3) force = hypot(force, part);
    }
    assert_float_equal(strtod(next + 1, &next), force, 1e-12 * (1 + force)); // nobody watched the steps between
    cdg_energy energy = cdg_world_energy(f->world);
    assert_true(strtod(next + 1, &next) == energy.stretch);
    for (int i = 0; i < 5; i++) strtod(next + 1, &next);
    assert_true(strtod(next + 1, &next) == energy.total);
    assert_string_equal(next, "\n");
    free(text);
    assert_int_equal(cdg_probes_csv_close(file, NULL), CDG_OK);
    assert_int_equal(cdg_probes_csv_close(NULL, NULL), CDG_OK);
}

static void test_no_probes(void **state) {
    fixture *f = *state;
    cdg_scene scene = *f->scene;
    scene.probe_count = 0;
    cdg_probes_csv *file;
    assert_int_equal(create_file(f->path, &scene, f->world, &file, NULL), CDG_OK);
    write_lines(f, file, 2);
    assert_int_equal(cdg_probes_csv_close(file, NULL), CDG_OK);
    char *text = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(text, "time [s]\n0\n0.001\n");
    free(text);
}

static void test_titles_with_commas(void **state) {
    fixture *f = *state;
    cdg_scene scene = *f->scene;
    scene_probe probe = scene.probes[0];
    char name[] = "a,\"b\"";
    probe.name = name;
    scene.probes = &probe;
    scene.probe_count = 1;
    cdg_probes_csv *file;
    assert_int_equal(create_file(f->path, &scene, f->world, &file, NULL), CDG_OK);
    assert_int_equal(cdg_probes_csv_close(file, NULL), CDG_OK);
    char *text = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(text, "time [s],\"a,\"\"b\"\"_x [m]\",\"a,\"\"b\"\"_y [m]\",\"a,\"\"b\"\"_z [m]\"\n");
    free(text);
}

static void test_reopen(void **state) {
    fixture *f = *state;
    cdg_probes_csv *file;
    cdg_error error;
    assert_int_equal(create_file(f->path, f->scene, f->world, &file, NULL), CDG_OK);
    double time = write_lines(f, file, 4);
    size_t kept_size, size;
    char *kept = run_read_text(f->base, "probes.csv", &kept_size);
    double next_time = write_lines(f, file, 2);
    char *whole = run_read_text(f->base, "probes.csv", &size);
    assert_int_equal(cdg_probes_csv_close(file, NULL), CDG_OK);

    // what does not fit is refused, and the file stays
    assert_int_equal(cdg_probes_csv_reopen(f->path, f->scene, f->world, 4, time * 2, &file, &error), CDG_ERROR_FORMAT);
    assert_null(file);
    assert_int_equal(cdg_probes_csv_reopen(f->path, f->scene, f->world, 7, next_time, &file, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "missing"));
    cdg_scene other = *f->scene;
    other.probe_count--;
    assert_int_equal(cdg_probes_csv_reopen(f->path, &other, f->world, 4, time, &file, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "columns"));
    char *text = run_read_text(f->base, "probes.csv", NULL);
    assert_string_equal(text, whole);
    free(text);

    for (size_t tail = 0; tail < 3; tail++) { // extra lines, half a line, nothing
        run_write_text(f->base, "probes.csv", whole, tail == 0 ? size : tail == 1 ? kept_size + 5 : kept_size);
        if (cdg_probes_csv_reopen(f->path, f->scene, f->world, 4, time, &file, &error) != CDG_OK)
            fail_msg("%s", error.message);
        assert_int_equal(cdg_probes_csv_close(file, NULL), CDG_OK);
        text = run_read_text(f->base, "probes.csv", NULL);
        assert_string_equal(text, kept);
        free(text);
    }
    run_write_text(f->base, "probes.csv", whole, kept_size - 1); // the last line is not whole
    assert_int_equal(cdg_probes_csv_reopen(f->path, f->scene, f->world, 4, time, &file, &error), CDG_ERROR_FORMAT);
    run_write_text(f->base, "probes.csv", "", 0);
    assert_int_equal(cdg_probes_csv_reopen(f->path, f->scene, f->world, 4, time, &file, &error), CDG_ERROR_FORMAT);
    unlink(f->path);
    assert_int_equal(cdg_probes_csv_reopen(f->path, f->scene, f->world, 4, time, &file, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "cannot be resumed"));
    free(kept);
    free(whole);
}

static void test_unwritable(void **state) {
    fixture *f = *state;
    cdg_probes_csv *file;
    cdg_error error;
    assert_int_equal(create_file("/no/such/probes.csv", f->scene, f->world, &file, &error), CDG_ERROR_IO);
    assert_null(file);
    assert_string_equal(error.message, "/no/such/probes.csv: cannot create: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_probes, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_titles_with_commas, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reopen, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritable, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
