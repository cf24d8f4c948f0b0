// The key `adapt`, in simulation and in rods.
#include "scene_text.h"

#define SIMULATION(text) "cordage: 1\nsimulation: {duration: 4 s, " text "}\n" SCENE_CABLE

static void test_where_it_holds(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SIMULATION("model: pobd"));
    assert_false(scene->rods[0].adapt.is_on);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SIMULATION("adapt: on"));
    assert_true(scene->rods[0].adapt.is_on && scene->rods[0].adapt.angle == 0.3 && scene->rods[0].adapt.levels == 3);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SIMULATION("adapt: on") "    adapt: off\n");
    assert_false(scene->rods[0].adapt.is_on);
    cdg_scene_destroy(scene);
    scene = scene_parse_good(SIMULATION("adapt: {levels: 2}") "    adapt: {angle: 30 deg, coarsen: 0.2 rad, shortest: "
                                                              "4 mm, hold: 10 ms, method: paper}\n");
    const cdg_adapt_options *o = &scene->rods[0].adapt;
    assert_true(o->is_on && o->levels == 2 && o->shortest == 0.004 && o->hold == 0.01 && o->coarsen == 0.2);
    assert_true(o->method == CDG_ADAPT_PAPER && o->angle > 0.523 && o->angle < 0.524);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(SIMULATION("adapt: maybe"), "scene.yaml:2:36: error: adapt: expected on, off, or a map such as {angle: "
                                            "0.3 rad}, found 'maybe'\n");
    assert_says(
        SIMULATION("adapt: {coarsen: 0.2 rad}"),
        "scene.yaml:2:46: error: coarsen (0.2 rad) must be less than half of angle (0.3 rad), or elements would "
        "be halved and made one in turn\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_where_it_holds), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
