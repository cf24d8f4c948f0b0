// Looking through a run: sizes, ground, ranges, and a camera that sees every node of every output.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/run_survey.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_run_reader *reader;
    cdg_run_player *player;
} fixture;

static void open_colored(fixture *f, const char *color, const char *const *overrides, size_t count) {
    cdg_rod_field field;
    assert_int_equal(cdg_rod_field_parse(color, &field, NULL), CDG_OK);
    run_directory_make(f->base);
    cdg_scene *scene = run_scene_make(
        (run_scene_options){.force = 0.05, .every_ms = 10, .overrides = overrides, .override_count = count});
    cdg_run_def def = {.scene = scene, .directory = f->base};
    cdg_error error;
    cdg_run_summary summary;
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_scene_destroy(scene);
    if (cdg_run_reader_open(f->base, &f->reader, &error) != CDG_OK) fail_msg("%s", error.message);
    if (cdg_run_player_create(f->reader, &field, &f->player, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void open_run(fixture *f, const char *const *overrides, size_t count) {
    open_colored(f, "rod", overrides, count);
}

static void close_run(fixture *f) {
    cdg_run_player_destroy(f->player);
    cdg_run_reader_close(f->reader);
    run_directory_remove(f->base);
}

static void test_sizes(void **state) {
    (void)state;
    fixture f;
    open_colored(&f, "speed", NULL, 0);
    cdg_run_survey survey;
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    assert_true(survey.has_gravity);
    assert_float_equal(survey.up.z, 1, 0);
    assert_float_equal(survey.thickness, 0.002, 1e-12);
    double lowest = INFINITY, fastest = 0, farthest = 0;
    for (size_t frame = 0; frame < f.reader->frame_count; frame++) {
        assert_int_equal(cdg_run_player_show_frame(f.player, frame, NULL), CDG_OK);
        for (size_t r = 0; r < f.reader->rod_count; r++)
            for (size_t i = 0; i < f.reader->rods[r].node_count; i++) {
                cdg_vec3 p = f.player->rods[r].positions[i];
                lowest = fmin(lowest, p.z - 0.002);
                farthest = fmax(farthest, vec3_distance(p, survey.center));
                fastest = fmax(fastest, vec3_norm(f.player->rods[r].velocities[i]));
            }
    }
    assert_float_equal(survey.lowest, lowest, 1e-12);
    assert_true(farthest <= survey.scale && survey.scale < 2 * farthest);
    assert_true(survey.range[0] == 0 && survey.range[1] <= fastest && survey.range[1] > 0.5 * fastest);
    close_run(&f);
}

static void test_no_gravity_and_other_gravity(void **state) {
    (void)state;
    static const char *const none[] = {"simulation.gravity=[0, 0, 0]"}, *const sideways[] = {
                                                                            "simulation.gravity=[0, 3, 0]"};
    fixture f;
    cdg_run_survey survey;
    open_run(&f, none, 1);
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    assert_false(survey.has_gravity);
    assert_float_equal(survey.up.z, 1, 0);
    close_run(&f);
    open_run(&f, sideways, 1);
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    assert_true(survey.has_gravity);
    assert_float_equal(survey.up.y, -1, 1e-12);
    close_run(&f);
}

static void test_ranges(void **state) {
    (void)state;
    static const char *const names[] = {"twist", "curvature", "tension", "speed", "strain", "moment.1", "positions.x"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        fixture f;
        open_colored(&f, names[i], NULL, 0);
        cdg_run_survey survey;
        assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
        assert_true(isfinite(survey.range[0]) && survey.range[0] < survey.range[1]);
        if (!f.player->field.view.is_signed) assert_true(survey.range[0] >= 0 || survey.range[1] > 0);
        close_run(&f);
    }
}

static void test_camera_sees_everything(void **state) {
    (void)state;
    fixture f;
    open_run(&f, NULL, 0);
    cdg_run_survey survey;
    cdg_camera_wish wish = cdg_camera_wish_default();
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    cdg_camera camera;
    cdg_camera_window window = {-0.9, 0.9, -0.9, 0.9};
    assert_int_equal(cdg_run_survey_frame(f.player, &survey, &wish, 16.0 / 9, window, &camera, NULL), CDG_OK);
    for (size_t frame = 0; frame < f.reader->frame_count; frame++) {
        assert_int_equal(cdg_run_player_show_frame(f.player, frame, NULL), CDG_OK);
        for (size_t r = 0; r < f.reader->rod_count; r++)
            for (size_t i = 0; i < f.reader->rods[r].node_count; i++) {
                cdg_camera_point at = cdg_camera_project(&camera, 1600, 900, f.player->rods[r].positions[i]);
                assert_true(at.depth > 0 && at.x > 79.9 && at.x < 1520.1 && at.y > 44.9 && at.y < 855.1);
            }
    }
    // fit=moment: nearer when the moment is smaller than the run
    wish.fits_moment = true;
    assert_int_equal(cdg_run_player_show_frame(f.player, 0, NULL), CDG_OK);
    cdg_camera now;
    assert_int_equal(cdg_run_survey_frame(f.player, &survey, &wish, 16.0 / 9, window, &now, NULL), CDG_OK);
    for (size_t i = 0; i < f.reader->rods[0].node_count; i++) {
        cdg_camera_point at = cdg_camera_project(&now, 1600, 900, f.player->rods[0].positions[i]);
        assert_true(at.x > 79.9 && at.x < 1520.1 && at.y > 44.9 && at.y < 855.1);
    }

    // and from the side of the whole run where it is one of a sheet's pictures
    cdg_camera kept, whole;
    wish.keeps_side = true;
    assert_int_equal(cdg_run_survey_frame(f.player, &survey, &wish, 16.0 / 9, window, &kept, NULL), CDG_OK);
    wish.fits_moment = false;
    assert_int_equal(cdg_run_survey_frame(f.player, &survey, &wish, 16.0 / 9, window, &whole, NULL), CDG_OK);
    assert_float_equal(vec3_distance(kept.forward, whole.forward), 0, 1e-12);
    assert_true(vec3_distance(kept.forward, now.forward) > 0.01);

    // What is followed and small beside the run, here the cable made a point, is seen with something around it.
    wish = cdg_camera_wish_default();
    wish.fits_moment = true;
    strcpy(wish.follow, f.reader->rods[0].name);
    for (size_t i = 0; i < f.reader->rods[0].node_count; i++) f.player->rods[0].positions[i] = vec3(0, 0, 0);
    survey.followed = vec3(0, 0, 0);
    assert_int_equal(cdg_run_survey_frame(f.player, &survey, &wish, 16.0 / 9, window, &now, NULL), CDG_OK);
    assert_true(2 * vec3_norm(now.from) * now.slope_right > 0.2 * survey.scale);
    close_run(&f);
}

// A floor is the ground; of a large box only what is near the rods is looked at; what is far away does not count.
static void test_obstacles(void **state) {
    (void)state;
    static const char *const near[] = {"contact=off", "obstacles=[{plane: {normal: [0, 0, 1], offset: -0.9}},"
                                                      "{plane: {normal: [0, 1, 1], offset: -5}},"
                                                      "{box: {size: [100, 100, 100]}, position: [0, 0, -50.1]}]"},
                             *const far[] = {"contact=off",
                                             "obstacles=[{sphere: {radius: 1 cm}, position: [0, 0, 90]}]"};
    fixture f;
    cdg_run_survey bare, survey;
    open_run(&f, NULL, 0);
    assert_int_equal(cdg_run_survey_make(f.player, &bare, NULL), CDG_OK);
    assert_false(bare.has_floor);
    close_run(&f);
    open_run(&f, near, 2);
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    assert_true(survey.has_floor);
    assert_float_equal(survey.floor, -0.9, 1e-12);
    assert_true(survey.scale > bare.scale && survey.scale < 2 * bare.scale);
    assert_true(survey.lowest < bare.lowest && survey.lowest > bare.lowest - bare.scale);
    for (size_t i = 0; i < 3; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(f.reader, i);
        assert_int_equal(cdg_rigid_is_floor(&rigid, &f.player->rigids[i], vec3(0, 0, 1)), i == 0);
    }
    close_run(&f);
    open_run(&f, far, 2);
    assert_int_equal(cdg_run_survey_make(f.player, &survey, NULL), CDG_OK);
    assert_float_equal(survey.scale, bare.scale, 1e-3 * bare.scale);
    close_run(&f);
}

static void test_section_reach(void **state) {
    (void)state;
    cdg_section section = {.kind = CDG_SECTION_RECTANGLE, .side = {6, 8}};
    assert_float_equal(cdg_section_reach(&section), 5, 1e-12);
    section = (cdg_section){.kind = CDG_SECTION_ELLIPSE, .semi_axis = {1, 2}};
    assert_float_equal(cdg_section_reach(&section), 2, 0);
    section = (cdg_section){.kind = CDG_SECTION_TUBE, .radius = 3, .inner_radius = 1};
    assert_float_equal(cdg_section_reach(&section), 3, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_no_gravity_and_other_gravity),
        cmocka_unit_test(test_ranges),    cmocka_unit_test(test_camera_sees_everything),
        cmocka_unit_test(test_obstacles), cmocka_unit_test(test_section_reach)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
