// simulation and output.
#include "scene_text.h"

static void test_defaults(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SCENE_GOOD);
    assert_true(scene->duration == 4 && scene->step == 0 && scene->output_every == 0);
    assert_true(scene->gravity.x == 0 && scene->gravity.y == 0 && scene->gravity.z == -9.81);
    assert_int_equal(scene->model, CDG_MODEL_POBD);
    cdg_pobd_options options = cdg_pobd_options_default();
    assert_int_equal(((const cdg_pobd_options *)scene->options[CDG_MODEL_POBD])->solver, options.solver);
    assert_int_equal(((const cdg_pobd_options *)scene->options[CDG_MODEL_POBD])->iterations, options.iterations);
    assert_string_equal(scene->title, "");
    cdg_scene_destroy(scene);
}

static void test_everything(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        "cordage: 1\ntitle: Test\n"
        "simulation:\n"
        "  model: pobd\n  step: 1 ms\n  duration: 2 min\n  gravity: [0, -1, 9.81 m/s^2]\n"
        "  pobd:\n"
        "    solver: gauss_seidel\n    iterations: 20\n    tolerance: 1e-5\n"
        "    integrator: euler\n    darboux: tangent\n    long_range_attachments: yes\n"
        "    stiffness: {paper: {stretch: 1, bend: [0.1, 0.2, 0.3]}}\n"
        "output: {every: 20 ms}\ncontact: off\n" SCENE_CABLE "    pobd: {stiffness: physical, iterations: 3}\n");
    assert_string_equal(scene->title, "Test");
    assert_true(scene->step == 1e-3 && scene->duration == 120 && scene->gravity.z == 9.81 && scene->gravity.y == -1);
    assert_true(scene->output_every == 0.02);
    const cdg_pobd_options *p = scene->options[CDG_MODEL_POBD];
    assert_int_equal(p->solver, CDG_POBD_GAUSS_SEIDEL);
    assert_int_equal(p->iterations, 20);
    assert_true(p->tolerance == 1e-5);
    assert_int_equal(p->integrator, CDG_POBD_EULER);
    assert_int_equal(p->darboux, CDG_POBD_TANGENT);
    assert_true(p->long_range_attachments && p->paper_stiffness);
    assert_true(p->paper_stretch[1] == 1 && p->paper_bend[2] == 0.3);
    const cdg_pobd_options *own = &scene->rods[0].pobd;
    assert_int_equal(own->iterations, 3);
    assert_int_equal(own->solver, CDG_POBD_GAUSS_SEIDEL); // inherited
    assert_false(own->paper_stiffness);
    cdg_scene_destroy(scene);
}

#define SIMULATION(text) "cordage: 1\nsimulation: {duration: 4 s, " text "}\n" SCENE_CABLE

static void test_models(void **state) {
    (void)state;
    assert_says(SIMULATION("model: dre"), "scene.yaml:2:36: error: unknown model 'dre'; did you mean 'der'?\n");
    assert_says(SIMULATION("model: podb"), "scene.yaml:2:36: error: unknown model 'podb'; did you mean 'pobd'?\n");
    assert_says(SIMULATION("model: magic"),
                "scene.yaml:2:36: error: unknown model 'magic'; models: pobd, corde, reference, der, galpha\n");
    assert_says(SIMULATION("model: []"), "scene.yaml:2:36: error: model: expected a name, found an empty list; models: "
                                         "pobd, corde, reference, der, galpha\n");
}

static void test_statics(void **state) {
    (void)state;
    // Only models that find equilibria; the message names them.
    assert_says(SIMULATION("mode: static"), "scene.yaml:4:5: error: rod 'cable': model 'pobd' cannot find equilibria "
                                            "(mode: static); models that can: der, galpha\n");
    assert_says(SIMULATION("modes: 3"), "scene.yaml:4:5: error: rod 'cable': model 'pobd' cannot find vibrations "
                                        "(modes); models that can: der, galpha\n");
    assert_says(SIMULATION("mode: statik"),
                "scene.yaml:2:35: error: mode: 'statik' is not known; did you mean 'static'?\n");
    assert_says(SIMULATION("model: der, static: {steps: 3}"),
                "scene.yaml:2:41: warning: static does nothing without 'mode: static'\n");
    assert_says(SIMULATION("model: der, mode: static, gravity: [0, 0, 0], step: 1 ms"),
                "scene.yaml:2:81: warning: a static simulation has no time step; output.every bounds its steps\n");
    // Without a duration: when everything has come to its end.
#define STATIC(text) "cordage: 1\nsimulation: {model: der, mode: static" text "}\n" SCENE_CABLE
    cdg_scene *scene =
        scene_parse_good(STATIC(", modes: 2, static: {path: arc_length, steps: 7, imperfection: 0.1, "
                                "seed: 3}") "supports:\n  - clamp: cable.start\n"
                                            "    motion: [{move: [1, 0, 0], from: 0 s, to: 3 s}]\n"
                                            "loads:\n  - {force: [1, 0, 0], at: cable.end, from: 1 s, ramp: 4 s}\n");
    assert_true(scene->mode == SCENE_STATIC && scene->duration == 5 && scene->mode_count == 2);
    assert_true(scene->statics.path == CDG_PATH_ARC_LENGTH && scene->statics.steps == 7);
    assert_true(scene->statics.imperfection == 0.1 && scene->statics.seed == 3);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(STATIC(", gravity: [0, 0, 0]"));
    assert_true(scene->duration == 0 && scene->statics.steps == 1000 && scene->statics.path == CDG_PATH_STABLE);
    cdg_scene_destroy(scene);
    assert_says(STATIC(", static: {path: arc_length}"),
                "scene.yaml:2:55: error: path: arc_length follows what changes with time, but nothing does; give a "
                "load a ramp, such as 'ramp: 1 s', or a support a motion\n");
}

static void test_times(void **state) {
    (void)state;
    assert_says(SIMULATION("step: 5 s"), "scene.yaml:2:35: error: step (5 s) is longer than the duration (4 s)\n");
    assert_says(SIMULATION("step: fast"),
                "scene.yaml:2:35: error: step: expected a time such as '20 ms', found 'fast'\n");
    assert_says(
        SIMULATION("step: 10 ms") "output: {every: 1 ms}\n",
        "scene.yaml:9:17: warning: output every 0.001 s, but a step is 0.01 s: the steps will be made as short as the "
        "output interval\n");
    assert_says(SIMULATION("step: 10 ms") "output: {every: 10 ms}\n", "");
    assert_says(
        SIMULATION("step: auto") "output: {every: 5 s}\n",
        "scene.yaml:9:17: warning: output every 5 s is longer than the duration, 4 s: only the start and the end are "
        "written\n");
    assert_says("cordage: 1\nsimulation: {step: 1 ms}\n" SCENE_CABLE,
                "scene.yaml:2:13: error: simulation has no duration; add for example 'duration: 4 s'\n");
    assert_says("cordage: 1\nsimulation: [{step: 1 ms}]\n" SCENE_CABLE,
                "scene.yaml:2:13: error: simulation: expected a map such as {model: ...}, found a list\n");
    assert_says("cordage: 1\n" SCENE_CABLE,
                "scene.yaml:1:1: error: the scene has no simulation; add for example 'simulation: {duration: 4 s}'\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_everything), cmocka_unit_test(test_models),
        cmocka_unit_test(test_statics),  cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
