// Rigids of an export: meshes of obstacles, poses, and how much of a plane is shown. What other programs read of them
// is compared in tests/exports.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/rigids.h"
#include "export_case.h"
#include "math/vec3.h"
#include "output/run_looks.h"

static const char *const with_rigids[] = {
    "contact=off",
    "obstacles=[{name: slope, plane: {normal: [0, 0.6, 0.8], offset: -3}},"
    "{name: ball, sphere: {radius: 0.5}, position: [0, 0, 7], motion: {move: [0, 0, 0.06], to: 60 ms}}]"};

static int set_up_rigids(void **state) {
    static export_case c;
    run_directory_make(c.run);
    cdg_scene *scene = run_scene_make((run_scene_options){.overrides = with_rigids, .override_count = 2});
    const cdg_run_def def = {.scene = scene, .directory = c.run, .thread_count = 1};
    cdg_run_summary summary;
    cdg_error error;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    *state = &c;
    return 0;
}

static void test_shapes_and_poses(void **state) {
    cdg_export *export = export_open(*state, "a.glb", cdg_export_def_default());
    cdg_export_rigids rigids;
    assert_int_equal(cdg_export_rigids_make(export, &rigids, NULL), CDG_OK);
    assert_int_equal(rigids.count, 2);
    assert_string_equal(rigids.items[0].name, "slope");
    assert_true(rigids.items[0].is_still && !rigids.items[1].is_still && !rigids.items[1].is_free);
    const cdg_shape_surface *slope = &rigids.items[0].shape, *ball = &rigids.items[1].shape;
    cdg_vec3 low = slope->vertices[0], high = low;
    for (size_t i = 0; i < slope->vertex_count; i++) {
        cdg_vec3 v = slope->vertices[i];
        assert_true(fabs(vec3_dot(v, vec3(0, 0.6, 0.8)) + 3) < 1e-12);
        low = vec3(fmin(low.x, v.x), fmin(low.y, v.y), fmin(low.z, v.z));
        high = vec3(fmax(high.x, v.x), fmax(high.y, v.y), fmax(high.z, v.z));
    }
    assert_true(low.x < 0 && high.x > 1); // under the whole cable, which is 1 m long,
    assert_true(high.x - low.x < 4);      // and not much more
    for (size_t i = 0; i < ball->vertex_count; i++) assert_true(fabs(vec3_norm(ball->vertices[i]) - 0.5) < 1e-12);
    for (size_t frame = 0; frame < export->frame_count; frame++) {
        cdg_vec3 position;
        cdg_quat orientation;
        assert_int_equal(cdg_export_rigid_pose(export, frame, 1, &position, &orientation, NULL), CDG_OK);
        assert_true(fabs(position.z - 7 - cdg_export_time(export, frame)) < 1e-9 && orientation.w == 1);
    }
    double color[3];
    cdg_export_rigid_color(export, 0, color);
    float3 wanted = cdg_rigid_color(false); // as pictures have it
    const float parts[3] = {wanted.x, wanted.y, wanted.z};
    for (int k = 0; k < 3; k++) assert_float_equal(cdg_export_linear(color[k]), parts[k], 1e-3);
    cdg_export_rigids_free(&rigids);
    cdg_export_close(export);
}

static void test_files_of_every_format(void **state) {
    export_case *c = *state;
    cdg_export *export = export_write(c, "s.pvd", cdg_export_def_default());
    assert_int_equal(cdg_export_file_count(export), 27);
    cdg_export_close(export);
    size_t size;
    char *text = run_read_text(c->base, "s.pvd", &size);
    expect_text(text, "part=\"1\" file=\"s/s_solids_0012.vtp\"");
    free(text);
    export = export_write(c, "s.usda", cdg_export_def_default());
    cdg_export_close(export);
    text = run_read_text(c->base, "s.usda", &size);
    expect_text(text, "def Mesh \"slope\"");
    expect_text(text, "double3 xformOp:translate = (0, 0, 0)");
    expect_text(text, "double3 xformOp:translate.timeSamples = {");
    free(text);
    cdg_export_def one = cdg_export_def_default();
    one.first = one.last = 3;
    export = export_write(c, "one.usda", one); // nothing moves in a single output
    cdg_export_close(export);
    text = run_read_text(c->base, "one.usda", &size);
    assert_null(strstr(text, "xformOp:translate.timeSamples"));
    free(text);
    export = export_write(c, "s.glb", cdg_export_def_default());
    cdg_export_close(export);
    text = run_read_text(c->base, "s.glb", &size);
    expect_text(text + 20, "\"name\":\"ball\",\"mesh\":3,\"translation\":[0,0,7]");
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_shapes_and_poses, export_set_up, export_tear_down),
        cmocka_unit_test_setup_teardown(test_files_of_every_format, export_set_up, export_tear_down),
    };
    return cmocka_run_group_tests(tests, set_up_rigids, export_tear_down_run);
}
