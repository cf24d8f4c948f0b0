// Options of the galpha model: what a scene says arrives, defaults are those that the table tells, and
// options that do not go together are refused.
#include "model_options_text.h"

#include "rods/galpha/options.h"

static void test_galpha_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SIMULATION("model: galpha, galpha: {alpha: 0.3, beta: 0, gamma: 0.7, extensible: false, relaxation: 0.5, "
                   "tolerance: 1e-6, iterations: 9}"));
    const cdg_galpha_options *o = scene->options[CDG_MODEL_GALPHA];
    assert_int_equal(scene->model, CDG_MODEL_GALPHA);
    assert_true(o->has_coefficients && o->alpha == 0.3 && o->beta == 0 && o->gamma == 0.7);
    assert_true(!o->is_extensible && o->relaxation == 0.5 && o->tolerance == 1e-6 && o->iterations == 9);
    assert_true(scene->rods[0].galpha.gamma == 0.7);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SIMULATION("galpha: {lambda_infinity: -0.2}"));
    assert_true(!((const cdg_galpha_options *)scene->options[CDG_MODEL_GALPHA])->has_coefficients &&
                ((const cdg_galpha_options *)scene->options[CDG_MODEL_GALPHA])->lambda_infinity == -0.2);
    cdg_scene_destroy(scene);
    assert_says(
        SIMULATION("galpha: {alpha: 0.3, gamma: 0.7}"),
        "scene.yaml:2:37: error: galpha in simulation: alpha, beta and gamma belong together; give all three\n");
    assert_says(SIMULATION("galpha: {lambda_infinity: 0, alpha: 0, beta: 0, gamma: 1}"),
                "scene.yaml:2:38: error: galpha in simulation: lambda_infinity stands for alpha, beta and gamma; give "
                "either it or the three\n");
}

static void test_table(void **state) {
    (void)state;
    check_option_table(&galpha_model_options, &(cdg_galpha_options){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_galpha_options), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
