// Options of the der model: what a scene says arrives, defaults are those that the table tells, and
// options that do not go together are refused.
#include "model_options_text.h"

#include "rods/der/options.h"

static void test_der_options(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        SIMULATION("model: der, der: {integrator: explicit, scheme: euler, twist: quasistatic, constraint: rattle, "
                   "curvature: angle, iterations: 9, tolerance: 1e-7}"));
    const cdg_der_options *o = scene->options[CDG_MODEL_DER];
    assert_int_equal(o->integrator, CDG_DER_EXPLICIT);
    assert_int_equal(o->scheme, CDG_DER_EULER);
    assert_int_equal(o->twist, CDG_DER_TWIST_QUASISTATIC);
    assert_int_equal(o->constraint, CDG_DER_CONSTRAINT_RATTLE);
    assert_int_equal(o->curvature, CDG_DER_ANGLE);
    assert_true(o->iterations == 9 && o->tolerance == 1e-7);
    assert_memory_equal(&scene->rods[0].der, o, sizeof *o);
    cdg_scene_destroy(scene);
    assert_says(SIMULATION("der: {integrator: implizit}"),
                "scene.yaml:2:47: error: integrator: 'implizit' is not known; did you mean 'implicit'?\n");
}

static void test_table(void **state) {
    (void)state;
    check_option_table(&der_model_options, &(cdg_der_options){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_der_options), cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
