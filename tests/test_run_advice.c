// Warnings in the words of the model that they are about, and none where the model is right.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_advice.h"
#include "run_scene.h"
#include "world/world.h"

// Runs a scene; *is_said: its summary.json has the words.
static cdg_run_summary run_text(const char *text, const char *words, bool *is_said) {
    char directory[RUN_PATH_SIZE];
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_run_summary summary;
    run_directory_make(directory);
    if (cdg_scene_parse(text, strlen(text), "test", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    char *json = run_read_text(directory, "summary.json", NULL);
    *is_said = strstr(json, words) != NULL;
    free(json);
    cdg_scene_destroy(scene);
    run_directory_remove(directory);
    return summary;
}

// A rod of ten elements that is turned `turns` times at its end.
static cdg_run_summary run(const char *model, double turns, double back) {
    char text[2000];
    snprintf(
        text, sizeof text,
        "cordage: 1\n"
        "simulation: {model: %s, step: 2 ms, duration: 0.4 s, gravity: [0, 0, 0]}\n"
        "output: {every: 20 ms}\n"
        "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 5 ms}}\n"
        "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.4, 0, 0]}}, "
        "elements: 10}]\n"
        "supports:\n"
        "  - {clamp: rod.start}\n"
        "  - {clamp: rod.end, motion: [{rotate: {axis: [1, 0, 0], angle: %g turns}, to: 0.2 s}, "
        "{rotate: {axis: [1, 0, 0], angle: %g turns}, from: 0.2 s, to: 0.3 s}]}\n",
        model, turns, -back);
    bool is_said;
    cdg_run_summary summary = run_text(text, "elements turn by up to", &is_said);
    assert_true(is_said == (summary.turn_advice[0] != '\0'));
    return summary;
}

static void expect(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("'%s' is missing in '%s'", part, text);
}

// Half a turn on ten elements is 0.31 rad each: fine for all. One turn, 0.63 rad, is 6 % for a sine.
static void test_turns_by_model(void **state) {
    (void)state;
    // what is put in place of a model's name may have options after it
    static const char *const models[] = {"pobd, pobd: {darboux: sine}", "corde", "pobd", "der", "galpha", "reference"};
    static const char *const names[] = {"pobd", "corde"};
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(run(models[i], 0.5, 0).turn_advice, "");
        cdg_run_summary summary = run(models[i], 1, 0);
        if (i < 2) {
            expect(summary.turn_advice, "rod 'rod': neighbouring elements turn by up to 0.");
            expect(summary.turn_advice, " % wrong under model ");
            expect(summary.turn_advice, names[i]);
        } else {
            assert_string_equal(summary.turn_advice, "");
        }
    }
    assert_string_equal(run("der", 8, 0).turn_advice, ""); // whole turns are counted
    expect(run("galpha", 4.5, 0).turn_advice, "model galpha loses whole turns");
}

// Turned there and back: nothing is to be seen at the end, but it was during the run.
static void test_during_the_run(void **state) {
    (void)state;
    cdg_run_summary summary = run("corde", 1, 1);
    assert_true(summary.largest_turn < 0.3);
    expect(summary.turn_advice, "at 0.2");
}

static void test_residual(void **state) {
    (void)state;
    static const struct {
        const char *model, *part;
    } cases[] = {{"pobd", "--set simulation.pobd.iterations="},
                 {"der", "--set simulation.der.iterations="},
                 {"galpha", "--set simulation.galpha.iterations="},
                 {"reference", "--set simulation.reference.iterations="},
                 {"corde", "try a shorter step"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char override[64], text[CDG_ADVICE_SIZE];
        snprintf(override, sizeof override, "rods.1.model=%s", cases[i].model);
        const char *const overrides[] = {override};
        if (strcmp(cases[i].model, "galpha") == 0) snprintf(override, sizeof override, "rods.0.model=galpha");
        cdg_scene *scene = run_scene_make((run_scene_options){.overrides = overrides, .override_count = 1});
        cdg_world *world = NULL;
        assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
        cdg_run_tally tally = {.worst_residual = 0.034,
                               .worst_residual_time = 0.02,
                               .poor_step_count = 7,
                               .worst_rod = strcmp(cases[i].model, "galpha") == 0 ? 0 : 1,
                               .turn_rod = -1};
        assert_true(cdg_run_advice_residual(world, &tally, text));
        expect(text, cases[i].part);
        expect(text, "3.4 %");
        if (i != 0) assert_null(strstr(text, "pobd"));
        tally.poor_step_count = 0;
        assert_false(cdg_run_advice_residual(world, &tally, text));
        assert_string_equal(text, "");
        assert_false(cdg_run_advice_turn(world, &tally, text));
        cdg_world_destroy(world);
        cdg_scene_destroy(scene);
    }
}

// Steps that a model has halved, and those that contact or the guard has, count alike.
static void test_halved_steps(void **state) {
    (void)state;
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    cdg_error error = {0};
    if (cdg_world_create(&def, &world, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_run_tally tally = {.worst_rod = -1, .turn_rod = -1};
    const cdg_step_report reports[] = {
        {.halvings = 0}, {.halvings = 2}, {.contact_halvings = 3}, {.halvings = 1, .contact_halvings = 1}};
    for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) cdg_run_advice_count(world, &reports[i], &tally);
    assert_true(tally.halved_step_count == 3);
    cdg_world_destroy(world);
}

// A rod of rubber, E A = 314 N and k G A = 0.3 E A, gives way by shear where it is stretched by more than 1/0.7 - 1 =
// 43 %, and one whose stiffness has another ratio elsewhere. Told by models that shear, there, and no sooner.
static cdg_run_summary pull(const char *mode, double stretch, const char *stiffness) {
    char text[2000];
    snprintf(text, sizeof text,
             "cordage: 1\n"
             "simulation: {%s}\n"
             "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100, damping: 20 ms}}\n"
             "rods: [{name: band, %s, centerline: {line: {to: [1, 0, 0]}}, elements: 20}]\n"
             "supports:\n"
             "  - {clamp: band.start}\n"
             "  - {clamp: band.end, motion: [{move: [%g, 0, 0], to: 0.5 s}]}\n"
             "loads: [{drag: 3/s}]\n",
             mode, stiffness, stretch);
    bool is_said;
    cdg_run_summary summary = run_text(text, "sections lean by up to", &is_said);
    assert_true(is_said == (summary.tilt_advice[0] != '\0'));
    return summary;
}

static void test_sections_that_give_way(void **state) {
    (void)state;
    const char *rubber = "material: m, section: {circle: {radius: 1 cm}}";
    const char *soft = "damping: 20 ms, stiffness: {stretch: 300 N, shear: 60 N, bend: 8e-3 N m^2, twist: 5e-3 N m^2, "
                       "mass: 340 g/m}";
    const char *hard = "damping: 20 ms, stiffness: {stretch: 300 N, shear: 300 N, bend: 8e-3 N m^2, twist: 5e-3 N m^2, "
                       "mass: 340 g/m}";
    static const char *const shear[] = {"model: pobd, step: 5 ms, duration: 1.5 s",
                                        "model: galpha, step: 5 ms, duration: 1.5 s"};
    for (size_t i = 0; i < 2; i++) {
        expect(pull(shear[i], 0.6, rubber).tilt_advice, "rod 'band': sections lean by up to 0.");
        expect(pull(shear[i], 0.6, rubber).tilt_advice, "from 42.9 % on it gives way by shear");
        assert_string_equal(pull(shear[i], 0.4, rubber).tilt_advice, "");
        expect(pull(shear[i], 0.4, soft).tilt_advice, "from 25 % on it gives way by shear");
        assert_string_equal(pull(shear[i], 0.2, soft).tilt_advice, "");
        assert_string_equal(pull(shear[i], 0.6, hard).tilt_advice, "");
    }
    static const char *const others[] = {"model: der, step: 5 ms, duration: 1 s",
                                         "model: reference, step: 5 ms, duration: 1 s", "model: corde, duration: 1 s",
                                         "model: der, mode: static"};
    for (size_t i = 0; i < 4; i++) assert_string_equal(pull(others[i], 0.6, rubber).tilt_advice, "");
}

// Sweeps that are far too few in every step: the run says that it is wrong, and names as many as do, or no number where
// none that may be asked for does; where the rod is left longer by half of its length it stops, with the same cure.
static void test_sweeps_that_are_too_few(void **state) {
    (void)state;
    static const struct {
        const char *step, *force;
        int iterations;
        const char *part, *not_there;
        bool stops;
    } cases[] = {{"1 ms", "-100", 30, "iterations=200)", NULL, false},
                 {"1 ms", "-100", 10, "iterations=200)", NULL, true},
                 {"1 ms", "-100", 200, NULL, NULL, false},
                 {"5 ms", "-5", 20, ": its shape, forces and energy are wrong; try", "iterations=40)", false},
                 {"5 ms", "-100", 20, "would be wrong; take", "iterations=40)", true},
                 {"20 ms", "-100", 20, "solver=direct), or a shorter step", "iterations=", true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000], directory[RUN_PATH_SIZE];
        snprintf(text, sizeof text,
                 "cordage: 1\n"
                 "simulation: {model: pobd, pobd: {solver: gauss_seidel, iterations: %d}, step: %s, duration: 60 ms, "
                 "gravity: [0, 0, 0]}\n"
                 "contact: off\noutput: {every: 20 ms}\n"
                 "rods: [{name: cord, material: {young_modulus: 20 MPa, poisson_ratio: 0.4, density: 1100 kg/m^3}, "
                 "section: {circle: {radius: 5 mm}}, centerline: {line: {to: [1 m, 0, 0]}}, elements: 50}]\n"
                 "supports: [{clamp: cord.start}]\n"
                 "loads: [{force: [0, 0, %s N], at: cord.end}]\n",
                 cases[i].iterations, cases[i].step, cases[i].force);
        cdg_scene *scene = NULL;
        cdg_error error = {0};
        cdg_run_summary summary;
        run_directory_make(directory);
        if (cdg_scene_parse(text, strlen(text), "test", NULL, NULL, 0, &scene, &error) != CDG_OK)
            fail_msg("%s", error.message);
        cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
        cdg_result result = cdg_run(&def, &summary, &error);
        assert_int_equal(result, cases[i].stops ? CDG_ERROR_NO_CONVERGENCE : CDG_OK);
        const char *said = cases[i].stops ? error.message : summary.residual_advice;
        if (cases[i].part == NULL) assert_true(summary.worst_residual < 0.02);
        if (cases[i].part != NULL) expect(said, cases[i].part);
        if (cases[i].not_there != NULL) assert_null(strstr(said, cases[i].not_there));
        cdg_scene_destroy(scene);
        run_directory_remove(directory);
    }
}

// A model that counts turns is not told to lose them, nor is it the cure for itself.
static void test_large_bends_of_models_that_count_turns(void **state) {
    (void)state;
    const char *const overrides[] = {"rods.1.model=der"};
    cdg_scene *scene = run_scene_make((run_scene_options){.overrides = overrides, .override_count = 1});
    cdg_world *world = NULL;
    assert_int_equal(cdg_scene_build(scene, 1, &world, NULL), CDG_OK);
    cdg_run_tally tally = {.turn = 2.2, .turn_error = 1.5, .turn_rod = 1, .worst_rod = -1};
    char text[CDG_ADVICE_SIZE];
    assert_true(cdg_run_advice_turn(world, &tally, text));
    expect(text, "150 % wrong under model der; use more elements");
    assert_null(strstr(text, "whole turns"));
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

// Splits that are refused are told where they are more than a few.
static void test_refused_splits(void **state) {
    (void)state;
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    cdg_error error = {0};
    if (cdg_world_create(&def, &world, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.adapt.is_on = true;
    cdg_rod_id id;
    assert_int_equal(cdg_world_add_rod(world, &rod, &id), CDG_OK);
    cdg_rod_adapt *adapt = cdg_world_get_rod(world, id)->adapt;
    char advice[CDG_ADVICE_SIZE];
    adapt->split_count = 95, adapt->merge_count = 7, adapt->refused[0][CDG_ADAPT_TOO_DEAR] = 4;
    adapt->refused[1][CDG_ADAPT_IN_THE_WAY] = 1000; // merges can wait
    assert_false(cdg_run_advice_adapt(world, advice));
    assert_string_equal(advice, "");
    adapt->refused[0][CDG_ADAPT_IN_THE_WAY] = 2;
    assert_true(cdg_run_advice_adapt(world, advice));
    expect(advice,
           "rod 'rope': 6 times an element was to be halved and could not be, and 95 times it was (something in "
           "the way 2, no equilibrium near 0, strained too much 0, too much energy gained 4)");
    cdg_adapt_counts counts = cdg_run_count_changes(world);
    assert_true(counts.splits == 95 && counts.merges == 7 && counts.refused_splits == 6);
    cdg_world_destroy(world);
}

// The top of a block is drawn down through its bottom, or half of the way.
static cdg_run_summary run_block(const char *model, double way) {
    char text[1500], directory[RUN_PATH_SIZE];
    snprintf(text, sizeof text,
             "cordage: 1\n"
             "contact: off\n"
             "simulation: {step: 5 ms, duration: 0.1 s, gravity: [0, 0, 0]}\n"
             "solids:\n"
             "  - name: block\n"
             "    shape: {box: {size: [10 cm, 10 cm, 10 cm]}, resolution: 5 cm}\n"
             "    model: %s\n"
             "    material: {%sdensity: 1000 kg/m^3}\n"
             "    supports:\n"
             "      - {plane: {point: [0, 0, -4.9 cm], normal: [0, 0, -1]}}\n"
             "      - {plane: {point: [0, 0, 4.9 cm], normal: [0, 0, 1]}, "
             "motion: [{move: [0, 0, %g m], to: 0.1 s}]}\n",
             model, strcmp(model, "shape_matching") != 0 ? "young_modulus: 100 kPa, poisson_ratio: 0.3, " : "", -way);
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_run_summary summary;
    run_directory_make(directory);
    if (cdg_scene_parse(text, strlen(text), "test", NULL, NULL, 0, &scene, &error) != CDG_OK)
        fail_msg("%s", error.message);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
    char *json = run_read_text(directory, "summary.json", NULL);
    assert_true((strstr(json, "are inside out") != NULL) == (summary.solid_advice[0] != '\0'));
    assert_true((strstr(json, "\"inverted_tetrahedra\": 0,") == NULL) == (summary.solid_advice[0] != '\0'));
    free(json);
    cdg_scene_destroy(scene);
    run_directory_remove(directory);
    return summary;
}

static void test_solids_inside_out(void **state) {
    (void)state;
    static const char *const models[] = {"shape_matching", "neo_hookean"};
    static const char *const cures[] = {"relaxation_time", "a stiffer material"};
    for (int i = 0; i < 2; i++) {
        assert_string_equal(run_block(models[i], 0.05).solid_advice, "");
        cdg_run_summary summary = run_block(models[i], 0.2);
        expect(summary.solid_advice, "solid 'block': ");
        expect(summary.solid_advice, " tetrahedra are inside out at 0.");
        expect(summary.solid_advice, cures[i]);
        assert_null(strstr(summary.solid_advice, "shorter step")); // it would not help
    }
}

// A stiff rod that comes to rest on two bars. Contact moves nodes after the sweeps, which in long steps strains it.
static void test_strain_that_sweeps_leave(void **state) {
    (void)state;
    const struct {
        const char *solver;
        double step; // ms
        bool is_strained;
    } tries[] = {{"gauss_seidel", 5, true}, {"gauss_seidel", 0.5, false}, {"direct", 5, false}};
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        char text[2000], directory[RUN_PATH_SIZE];
        snprintf(text, sizeof text,
                 "cordage: 1\n"
                 "simulation: {model: pobd, step: %g ms, duration: 0.1 s, pobd: {solver: %s, iterations: 50}}\n"
                 "obstacles:\n"
                 "  - {capsule: &bar {radius: 5 mm, length: 20 cm}, position: [-5 cm, 0, -5 mm], orientation: &turn "
                 "{axis: [1, 0, 0], angle: 90 deg}}\n"
                 "  - {capsule: *bar, position: [5 cm, 0, -5 mm], orientation: *turn}\n"
                 "rods: [{name: rod, material: {young_modulus: 10 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}, "
                 "section: {circle: {radius: 5 mm}}, elements: 16, "
                 "centerline: {line: {from: [-8 cm, 0, 5 mm], to: [8 cm, 0, 5 mm]}}}]\n",
                 tries[i].step, tries[i].solver);
        cdg_scene *scene = NULL;
        cdg_error error = {0};
        cdg_run_summary summary;
        run_directory_make(directory);
        if (cdg_scene_parse(text, strlen(text), "test", NULL, NULL, 0, &scene, &error) != CDG_OK)
            fail_msg("%s", error.message);
        cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
        if (cdg_run(&def, &summary, &error) != CDG_OK) fail_msg("%s", error.message);
        if (tries[i].is_strained) expect(summary.energy_advice, "rod 'rod': sweeps left it strained");
        if (!tries[i].is_strained) assert_string_equal(summary.energy_advice, "");
        cdg_scene_destroy(scene);
        run_directory_remove(directory);
    }
}

static void test_energy_for_a_moment(void **state) {
    (void)state;
    char text[CDG_ADVICE_SIZE];
    cdg_world *world = NULL;
    cdg_world_def def = cdg_world_def_default();
    assert_int_equal(cdg_world_create(&def, &world, NULL), CDG_OK);
    world->guard.is_on = true;
    world->guard.worst = 0.9;
    cdg_run_tally tally = {0};
    assert_false(cdg_run_advice_energy(world, &tally, text));
    world->guard.worst = 1.8;
    assert_true(cdg_run_advice_energy(world, &tally, text));
    expect(text, "energy from nowhere, 1.8 times as much as is allowed");
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sweeps_that_are_too_few),
                                       cmocka_unit_test(test_sections_that_give_way),
                                       cmocka_unit_test(test_halved_steps),
                                       cmocka_unit_test(test_solids_inside_out),
                                       cmocka_unit_test(test_energy_for_a_moment),
                                       cmocka_unit_test(test_strain_that_sweeps_leave),
                                       cmocka_unit_test(test_turns_by_model),
                                       cmocka_unit_test(test_during_the_run),
                                       cmocka_unit_test(test_residual),
                                       cmocka_unit_test(test_refused_splits),
                                       cmocka_unit_test(test_large_bends_of_models_that_count_turns)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
