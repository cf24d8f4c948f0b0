// simulation and output.
#include "scene_text.h"

static void test_defaults(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SCENE_GOOD);
    assert_true(scene->duration == 4 && scene->step == 0 && scene->output_every == 0);
    assert_true(scene->gravity.x == 0 && scene->gravity.y == 0 && scene->gravity.z == -9.81);
    assert_int_equal(scene->model, CDG_MODEL_POBD);
    cdg_pobd_options options = cdg_pobd_options_default();
    assert_int_equal(scene->pobd.solver, options.solver);
    assert_int_equal(scene->pobd.iterations, options.iterations);
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
    const cdg_pobd_options *p = &scene->pobd;
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
    assert_says(SIMULATION("model: der, mode: static, step: 1 ms"),
                "scene.yaml:2:61: warning: a static simulation has no time step; output.every bounds its steps\n");
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
    scene = scene_parse_good(STATIC(""));
    assert_true(scene->duration == 0 && scene->statics.steps == 1000 && scene->statics.path == CDG_PATH_STABLE);
    cdg_scene_destroy(scene);
    assert_says(STATIC(", static: {path: arc_length}"),
                "scene.yaml:2:55: error: path: arc_length follows what changes with time, but nothing does; give a "
                "load a ramp, such as 'ramp: 1 s', or a support a motion\n");
}

static void test_corde_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        "cordage: 1\n"
        "simulation:\n"
        "  model: corde\n  duration: 2 s\n"
        "  corde: {coupling: constraint, penalty: 2 kN, inertia_factor: 0.01, substeps: 7}\n" SCENE_CABLE
        "    corde: {coupling: penalty, penalty: auto, substeps: auto}\n");
    assert_int_equal(scene->model, CDG_MODEL_CORDE);
    assert_int_equal(scene->corde.coupling, CDG_CORDE_CONSTRAINT);
    assert_true(scene->corde.penalty == 2000 && scene->corde.inertia_factor == 0.01 && scene->corde.substeps == 7);
    const cdg_corde_options *own = &scene->rods[0].corde; // starts from the simulation's
    assert_int_equal(own->coupling, CDG_CORDE_PENALTY);
    assert_true(own->penalty == 0 && own->inertia_factor == 0.01 && own->substeps == 0);
    cdg_scene_destroy(scene);
    assert_says(SIMULATION("corde: {substeps: 0}"),
                "scene.yaml:2:47: error: substeps must be from 1 to 100000; it is '0'\n");
    assert_says(SIMULATION("corde: {penalty: 3 m}"), "scene.yaml:2:46: error: penalty is a force; '3 m' is a length\n");
    assert_says(SIMULATION("corde: {inertia_factor: -1}"),
                "scene.yaml:2:53: error: inertia_factor must be greater than 0; it is '-1'\n");
}

static void test_pobd_options_that_do_not_go_together(void **state) {
    (void)state;
    const char *paper = "scene.yaml:2:36: error: stiffness: paper needs the paper's method; add 'solver: gauss_seidel, "
                        "integrator: euler'\n";
    assert_says(SIMULATION("pobd: {stiffness: paper}"), paper);
    assert_says(SIMULATION("pobd: {stiffness: paper, solver: gauss_seidel}"), paper);
    assert_says(SIMULATION("pobd: {stiffness: paper, solver: gauss_seidel, integrator: euler}"), "");
    assert_says(
        SIMULATION("pobd: {long_range_attachments: true}"),
        "scene.yaml:2:36: error: long_range_attachments needs 'solver: gauss_seidel'; the direct solver does not "
        "stretch the rod in the first place\n");
    assert_says(SIMULATION("pobd: {solver: gauss_seidel, long_range_attachments: true}"), "");
    assert_says(SIMULATION("pobd: {stiffness: {paper: {stretch: 2}}}"),
                "scene.yaml:2:65: error: stretch must be from 0 to 1; it is '2'\n");
    assert_says(SIMULATION("pobd: {iterations: 0}"),
                "scene.yaml:2:48: error: iterations must be from 1 to 10000; it is '0'\n");
    assert_says(
        SIMULATION("pobd: {stiffness: soft}"),
        "scene.yaml:2:47: error: stiffness of pobd in simulation: expected physical, paper or {paper: {stretch: [1, 1, "
        "1], bend: [1, 1, 1]}}, found 'soft'; a rod's own moduli belong into the rod, not into pobd\n");
}

static void test_reference_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SIMULATION("model: reference, reference: {iterations: 20, tolerance: 1e-8, dissipation: 0.5, darboux: sine}"));
    assert_int_equal(scene->model, CDG_MODEL_REFERENCE);
    assert_int_equal(scene->reference.iterations, 20);
    assert_true(scene->reference.tolerance == 1e-8 && scene->reference.dissipation == 0.5);
    assert_int_equal(scene->reference.darboux, CDG_REFERENCE_SINE);
    assert_int_equal(scene->rods[0].reference.darboux, CDG_REFERENCE_SINE);
    cdg_scene_destroy(scene);
    assert_says(SIMULATION("reference: {dissipation: 0.7}"),
                "scene.yaml:2:54: error: dissipation: at most 0.5, found 0.7\n");
    assert_says(SIMULATION("reference: {tolerance: 0}"),
                "scene.yaml:2:52: error: tolerance must be greater than 0; it is '0'\n");
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

static void test_galpha_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SIMULATION("model: galpha, galpha: {alpha: 0.3, beta: 0, gamma: 0.7, extensible: false, relaxation: 0.5, "
                   "tolerance: 1e-6, iterations: 9}"));
    const cdg_galpha_options *o = &scene->galpha;
    assert_int_equal(scene->model, CDG_MODEL_GALPHA);
    assert_true(o->has_coefficients && o->alpha == 0.3 && o->beta == 0 && o->gamma == 0.7);
    assert_true(!o->is_extensible && o->relaxation == 0.5 && o->tolerance == 1e-6 && o->iterations == 9);
    assert_true(scene->rods[0].galpha.gamma == 0.7);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SIMULATION("galpha: {lambda_infinity: -0.2}"));
    assert_true(!scene->galpha.has_coefficients && scene->galpha.lambda_infinity == -0.2);
    cdg_scene_destroy(scene);
    assert_says(
        SIMULATION("galpha: {alpha: 0.3, gamma: 0.7}"),
        "scene.yaml:2:37: error: galpha in simulation: alpha, beta and gamma belong together; give all three\n");
    assert_says(SIMULATION("galpha: {lambda_infinity: 0, alpha: 0, beta: 0, gamma: 1}"),
                "scene.yaml:2:38: error: galpha in simulation: lambda_infinity stands for alpha, beta and gamma; give "
                "either it or the three\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_everything),
        cmocka_unit_test(test_models),
        cmocka_unit_test(test_statics),
        cmocka_unit_test(test_corde_options),
        cmocka_unit_test(test_galpha_options),
        cmocka_unit_test(test_pobd_options_that_do_not_go_together),
        cmocka_unit_test(test_reference_options),
        cmocka_unit_test(test_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
