// Options of the corde model: what a scene says arrives, defaults are those that the table tells, and
// options that do not go together are refused.
#include "model_options_text.h"

#include "rods/corde/options.h"

static void test_corde_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        "cordage: 1\n"
        "simulation:\n"
        "  model: corde\n  duration: 2 s\n"
        "  corde: {coupling: constraint, penalty: 2 kN, inertia_factor: 0.01, substeps: 7}\n" SCENE_CABLE
        "    corde: {coupling: penalty, penalty: auto, substeps: auto}\n");
    assert_int_equal(scene->model, CDG_MODEL_CORDE);
    assert_int_equal(((const cdg_corde_options *)scene->options[CDG_MODEL_CORDE])->coupling, CDG_CORDE_CONSTRAINT);
    assert_true(((const cdg_corde_options *)scene->options[CDG_MODEL_CORDE])->penalty == 2000 &&
                ((const cdg_corde_options *)scene->options[CDG_MODEL_CORDE])->inertia_factor == 0.01 &&
                ((const cdg_corde_options *)scene->options[CDG_MODEL_CORDE])->substeps == 7);
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

static void test_table(void **state) {
    (void)state;
    check_option_table(&corde_model_options, &(cdg_corde_options){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_corde_options), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
