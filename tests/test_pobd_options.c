// Options of the pobd model: what a scene says arrives, defaults are those that the table tells, and
// options that do not go together are refused.
#include "model_options_text.h"

#include "rods/pobd/options.h"

static void test_pobd_options_that_do_not_go_together(void **state) {
    (void)state;
    const char *paper = "scene.yaml:2:36: error: pobd in simulation: stiffness: paper needs the paper's method; add "
                        "'solver: gauss_seidel, "
                        "integrator: euler'\n";
    assert_says(SIMULATION("pobd: {stiffness: paper}"), paper);
    assert_says(SIMULATION("pobd: {stiffness: paper, solver: gauss_seidel}"), paper);
    assert_says(SIMULATION("pobd: {stiffness: paper, solver: gauss_seidel, integrator: euler}"), "");
    assert_says(SIMULATION("pobd: {long_range_attachments: true}"),
                "scene.yaml:2:36: error: pobd in simulation: long_range_attachments needs 'solver: gauss_seidel'; the "
                "direct solver does not "
                "stretch the rod in the first place\n");
    assert_says(SIMULATION("pobd: {solver: gauss_seidel, long_range_attachments: true}"), "");
    assert_says(SIMULATION("pobd: {stiffness: {paper: {stretch: 2}}}"),
                "scene.yaml:2:65: error: stretch must be from 0 to 1; it is '2'\n");
    assert_says(SIMULATION("pobd: {iterations: 0}"),
                "scene.yaml:2:48: error: iterations must be from 1 to 10000; it is '0'\n");
    assert_says(SIMULATION("pobd: {stiffness: soft}"),
                "scene.yaml:2:47: error: stiffness: expected physical, paper or {paper: {stretch: [1, 1, "
                "1], bend: [1, 1, 1]}}, found 'soft'; a rod's own moduli belong into the rod, not into pobd\n");
}

static void test_table(void **state) {
    (void)state;
    check_option_table(&pobd_model_options, &(cdg_pobd_options){0});
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pobd_options_that_do_not_go_together),
                                       cmocka_unit_test(test_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
