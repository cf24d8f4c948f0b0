// Options of the reference model: what a scene says arrives, defaults are those that the table tells, and
// options that do not go together are refused.
#include "model_options_text.h"

#include "rods/reference/options.h"

static void test_reference_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SIMULATION("model: reference, reference: {iterations: 20, tolerance: 1e-8, dissipation: 0.5, darboux: sine}"));
    assert_int_equal(scene->model, CDG_MODEL_REFERENCE);
    assert_int_equal(((const cdg_reference_options *)scene->options[CDG_MODEL_REFERENCE])->iterations, 20);
    assert_true(((const cdg_reference_options *)scene->options[CDG_MODEL_REFERENCE])->tolerance == 1e-8 &&
                ((const cdg_reference_options *)scene->options[CDG_MODEL_REFERENCE])->dissipation == 0.5);
    assert_int_equal(((const cdg_reference_options *)scene->options[CDG_MODEL_REFERENCE])->darboux, CDG_REFERENCE_SINE);
    assert_int_equal(scene->rods[0].reference.darboux, CDG_REFERENCE_SINE);
    cdg_scene_destroy(scene);
    assert_says(SIMULATION("reference: {dissipation: 0.7}"),
                "scene.yaml:2:54: error: dissipation must be from 0 to 0.5; it is '0.7'\n");
    assert_says(SIMULATION("reference: {tolerance: 0}"),
                "scene.yaml:2:52: error: tolerance must be greater than 0; it is '0'\n");
}

static void test_table(void **state) {
    (void)state;
    check_option_table(&reference_model_options, &(cdg_reference_options){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reference_options), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
