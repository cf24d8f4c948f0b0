// summary.json: complete, valid, with warnings that name the rod and the cure.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/summary.h"
#include "run_scene.h"

typedef struct fixture {
    char base[RUN_PATH_SIZE];
    cdg_run_plan plan;
    cdg_run_tally tally;
    cdg_summary summary;
    cdg_scene *scene;
    cdg_world *world;
} fixture;

static int set_up(void **state) {
    static fixture f;
    run_directory_make(f.base);
    f.scene = run_scene_make((run_scene_options){0});
    assert_int_equal(cdg_scene_build(f.scene, 1, &f.world, NULL), CDG_OK);
    assert_int_equal(cdg_run_plan_make(f.scene, f.world, &f.plan, NULL), CDG_OK);
    f.tally = (cdg_run_tally){
        .wall_seconds = 3, .energy_start = 0.25, .worst_residual = 1e-4, .worst_rod = 0, .turn_rod = -1};
    f.summary = (cdg_summary){.scene = f.scene,
                              .world = f.world,
                              .plan = &f.plan,
                              .tally = &f.tally,
                              .wall_seconds = 2,
                              .steps_here = 100,
                              .frame_count = 13,
                              .is_finished = true};
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

static char *written(fixture *f) {
    cdg_error error;
    if (cdg_summary_write(run_path(f->base, "summary.json"), &f->summary, &error) != CDG_OK)
        fail_msg("%s", error.message);
    char *text = run_read_text(f->base, "summary.json", NULL);
    assert_memory_equal(text, CDG_SUMMARY_SIGNATURE, strlen(CDG_SUMMARY_SIGNATURE));
    return text;
}

static void expect(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("'%s' is missing in:\n%s", part, text);
}

static void test_good_run(void **state) {
    fixture *f = *state;
    char *text = written(f);
    const char *const parts[] = {
        "\"cordage\": \"0.1.0\"",
        "\"scene\": \"test.yaml\"",
        "\"title\": \"A cable and a ring\"",
        "\"finished\": true",
        "\"failure\": null",
        "\"warnings\": []",
        "\"models\": [\n    \"pobd\"\n  ]",
        "\"rods\": 2",
        "\"nodes\": 23",
        "\"elements\": 22",
        "\"step\": 0.001",
        "\"steps_planned\": 60",
        "\"outputs\": 13",
        "\"wall_seconds\": 2",
        "\"wall_seconds_total\": 3",
        "\"steps_per_second\": 50",
        "\"real_time_factor\": 0.05",
        "\"value\": 0.0001",
        "\"rod\": \"cable\"",
        "\"energy_start\": 0.25",
        "\"watched\": ",
        "\"worst\": ",
        "\"step_reason\": \"the scene",
        "\"resumed\": false",
        "\"overrides\": \"\"",
    };
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) expect(text, parts[i]);
#define EXPECT_ENERGY(name, description) expect(text, "\"" #name "\": ");
    CDG_ENERGY_LIST(EXPECT_ENERGY)
#undef EXPECT_ENERGY
    free(text);
    assert_false(run_path_exists(f->base, "summary.json.new"));
}

static void test_warnings(void **state) {
    fixture *f = *state;
    f->tally.worst_residual = 0.034;
    f->tally.worst_residual_time = 0.02;
    f->tally.worst_rod = 1;
    f->tally.poor_step_count = 12;
    strcpy(f->plan.warning, "the times do not fit");
    char *text = written(f);
    expect(text, "rod 'ring': the solver stopped some 3.4 % of an element's length away from its solution (at 0.02 "
                 "s; in 12 of");
    expect(text, "try more iterations (--set simulation.pobd.iterations=20), or a shorter step");
    expect(text, "the times do not fit");
    free(text);
    f->tally.worst_rod = 5; // no such rod: no crash
    text = written(f);
    expect(text, "\"rod\": null");
    free(text);
}

static void test_failure(void **state) {
    fixture *f = *state;
    cdg_error failure = {CDG_ERROR_NOT_FINITE, "rod 'cable' at t = 0.1 s: \"node\" 3"};
    f->summary.failure = &failure;
    f->summary.is_finished = false;
    f->summary.steps_here = 0;
    char *text = written(f);
    expect(text, "\"finished\": false");
    expect(text, "\"message\": \"rod 'cable' at t = 0.1 s: \\\"node\\\" 3\"");
    expect(text, "\"kind\": \"the simulation produced a number that is not finite\"");
    expect(text, "\"steps_per_second\": null");
    free(text);
}

static void test_unwritable(void **state) {
    fixture *f = *state;
    cdg_error error;
    assert_int_equal(cdg_summary_write("/no/such/summary.json", &f->summary, &error), CDG_ERROR_IO);
    assert_string_equal(error.message, "/no/such/summary.json: cannot create: No such file or directory");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_good_run, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_warnings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_failure, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_unwritable, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
