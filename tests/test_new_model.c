// A model that lives in tests/models/beads and is known by one line of a list (tests/models/list.h) is a model like the
// others: scenes name it and set its options, runs are made with it and tell them, and messages offer it.
#include "model_options_text.h"

#include "models/beads/beads.h"
#include "near.h"
#include "output/run_settings.h"

#include <cordage/run.h>
#include <math.h>
#include <unistd.h>

enum { BEADS = CDG_MODEL_COUNT };

#define HANGING(options, own)                                                                                          \
    "cordage: 1\nsimulation: {model: beads, duration: 2 s, step: 0.1 ms" options "}\nrods:\n"                          \
    "  - {name: cord, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, section: {circle: {radius: 2 mm}},\n"    \
    "     centerline: {line: {to: [0, 0, -1 m]}}, elements: 10" own "}\n"                                              \
    "supports:\n  - pin: cord.start\nloads:\n  - {drag: 8 1/s}\n"

static void test_options_of_scenes(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(HANGING(", beads: {softness: 4}", ", beads: {law: slack}"));
    assert_int_equal(scene->model, BEADS);
    const cdg_beads_options *all = scene->options[BEADS], *own = cdg_rod_def_options(&scene->rods[0]);
    assert_true(all->softness == 4 && all->law == CDG_BEADS_LINEAR);
    assert_true(own->softness == 4 && own->law == CDG_BEADS_SLACK);
    cdg_scene_destroy(scene);
    assert_says(HANGING(", beads: {softness: 0}", ""),
                "scene.yaml:2:75: error: softness must be greater than 0; it is '0'\n");
    assert_says(SIMULATION("model: bead"), "scene.yaml:2:36: error: unknown model 'bead'; did you mean 'beads'?\n");
    check_option_table(cdg_beads_model.options, &(cdg_beads_options){0});
}

static void test_settings_and_reference(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(HANGING(", beads: {softness: 4}", ""));
    cdg_json json = {0};
    cdg_run_settings_write_rod(&json, NULL, &scene->rods[0]);
    const char *text = cdg_json_finish(&json);
    assert_non_null(strstr(text, "\"model\": \"beads\""));
    assert_non_null(strstr(text, "\"softness\": 4"));
    assert_non_null(strstr(text, "\"law\": \"linear\""));
    cdg_json_free(&json);
    cdg_scene_destroy(scene);
    size_t size = cdg_scene_reference(NULL, 0) + 1;
    char *reference = malloc(size);
    assert_non_null(reference);
    cdg_scene_reference(reference, size);
    assert_non_null(strstr(reference, "### `beads`"));
    assert_non_null(strstr(reference, "`galpha`, `beads`"));
    free(reference);
}

// The end of a cord that hangs by itself: rho g L^2/(2 E), exact for elements with half of their mass at each end.
static double sag(double softness) { return 1100 * 9.81 / (2 * 1e6 / softness); }

static void test_run(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(HANGING(", beads: {softness: 4}", ""));
    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_set_step_size(world, 1e-4), CDG_OK);
    for (int i = 0; i < 30000; i++)
        if (cdg_world_step(world, NULL) != CDG_OK) fail_msg("%s", cdg_world_message(world));
    cdg_vec3 x[11];
    assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 0), x), CDG_OK);
    assert_near(-x[10].z - 1, sag(4), 1e-5);
    cdg_rod_info info;
    assert_int_equal(cdg_rod_get_info(world, cdg_world_rod_at(world, 0), &info), CDG_OK);
    assert_int_equal(info.model, BEADS);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

// From C: by the pointer to options, and by default without it.
static void test_definition(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    cdg_world *world = NULL;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_rod_def def = cdg_rod_def_default();
    def.model = (cdg_model)BEADS;
    cdg_rod_id id;
    assert_int_equal(cdg_world_add_rod(world, &def, &id), CDG_OK);
    cdg_beads_options options = {.softness = 2, .law = 7};
    def.name = "other";
    def.options = &options;
    assert_int_equal(cdg_world_add_rod(world, &def, &id), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "beads.law is 7, which is not in its list"));
    options.law = CDG_BEADS_SLACK;
    assert_int_equal(cdg_world_add_rod(world, &def, &id), CDG_OK);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options_of_scenes),
                                       cmocka_unit_test(test_settings_and_reference), cmocka_unit_test(test_run),
                                       cmocka_unit_test(test_definition)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
