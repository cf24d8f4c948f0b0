// Scenes whose values change while they run.
#include "scene_text.h"

#include <cordage/user_data.h>

#include <math.h>
#include <stdlib.h>

#define HANGING(changes)                                                                                               \
    "cordage: 1\n"                                                                                                     \
    "simulation: {duration: 1 s, step: 2 ms, model: pobd}\n"                                                           \
    "materials: {m: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100, damping: 5 ms}}\n"                       \
    "rods: [{name: a, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.3, 0, 0]}}, "         \
    "elements: 12}]\n"                                                                                                 \
    "supports: [{clamp: a.start}]\n" changes

static cdg_world *world_of(const char *text, const char *model) {
    char line[64];
    snprintf(line, sizeof line, "simulation.model=%s", model);
    const char *lines[] = {line};
    cdg_scene *scene = scene_parse_with(text, lines, 1);
    cdg_world *world = NULL;
    cdg_error error;
    cdg_result result = cdg_scene_build(scene, 1, &world, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    cdg_scene_destroy(scene);
    return world;
}

static void step_many(cdg_world *world, int count) {
    for (int i = 0; i < count; i++) {
        cdg_result result = cdg_world_step(world, NULL);
        if (result != CDG_OK) print_error("%s\n", cdg_world_message(world));
        assert_int_equal(result, CDG_OK);
    }
}

static cdg_vec3 tip(const cdg_world *world) {
    cdg_vec3 x[13];
    assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 0), x), CDG_OK);
    return x[12];
}

static const char *const models[] = {"pobd", "der", "galpha", "corde", "reference"};
enum { MODEL_COUNT = sizeof models / sizeof *models };

// Gravity that ends is the same as gravity that is ended by hand, under every model, to the bit.
static void a_change_is_what_a_program_would_do(void **state) {
    (void)state;
    for (int m = 0; m < MODEL_COUNT; m++) {
        cdg_world *planned =
            world_of(HANGING("changes: [{at: 40 ms, set: 'simulation.gravity=[0, 0, 2]'}]\n"), models[m]);
        cdg_world *by_hand = world_of(HANGING(""), models[m]);
        step_many(planned, 20);
        step_many(by_hand, 20);
        assert_int_equal(cdg_world_set_gravity(by_hand, (cdg_vec3){0, 0, 2}), CDG_OK);
        step_many(planned, 20);
        step_many(by_hand, 20);
        cdg_vec3 a = tip(planned), b = tip(by_hand);
        double apart = fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z);
        if (apart > 1e-14) print_error("%s: %g m apart\n", models[m], apart);
        assert_true(apart <= 1e-14 && fabs(a.z) > 1e-3);
        cdg_energy one = cdg_world_energy(planned), two = cdg_world_energy(by_hand);
        assert_true(fabs(one.dissipated - two.dissipated) < 1e-9 * fabs(two.dissipated) + 1e-15);
        cdg_world_destroy(planned);
        cdg_world_destroy(by_hand);
    }
}

// From any snapshot, before or after changes, the same bits come again.
static void snapshots_know_what_is_in_force(void **state) {
    (void)state;
    static const char text[] =
        HANGING("changes:\n"
                "  - {at: 20 ms, set: 'materials.m.young_modulus=4 MPa'}\n"
                "  - {at: 60 ms, set: ['materials.m.density=500', 'simulation.gravity=[0, 3, 0]']}\n");
    for (int m = 0; m < MODEL_COUNT; m++) {
        cdg_world *world = world_of(text, models[m]), *other = world_of(text, models[m]);
        size_t size = cdg_world_snapshot_size(world);
        double *kept = malloc(size * sizeof *kept);
        assert_non_null(kept);
        for (int at = 0; at <= 50; at += 10) {
            assert_int_equal(cdg_world_snapshot_save(world, kept), CDG_OK);
            step_many(world, 60 - at);
            cdg_vec3 end = tip(world);
            assert_int_equal(cdg_world_snapshot_load(other, kept), CDG_OK);
            step_many(other, 60 - at);
            cdg_vec3 again = tip(other);
            assert_memory_equal(&end, &again, sizeof end);
            assert_int_equal(cdg_world_snapshot_load(world, kept), CDG_OK);
            step_many(world, 10);
        }
        free(kept);
        cdg_world_destroy(world);
        cdg_world_destroy(other);
    }
}

static void handles_and_forces_stay(void **state) {
    (void)state;
    cdg_world *world = world_of(HANGING("changes: [{at: 40 ms, set: 'simulation.gravity=[0, 0, 0]'}]\n"), "pobd");
    cdg_rod_id rod = cdg_world_rod_at(world, 0);
    int mine = 0;
    cdg_vec3 forces[13] = {{0}};
    forces[12].y = 0.1;
    cdg_world_set_user_data(world, &mine);
    assert_int_equal(cdg_rod_set_forces(world, rod, forces, NULL), CDG_OK);
    step_many(world, 60);
    assert_true(cdg_world_rod_at(world, 0).index1 == rod.index1 && cdg_world_user_data(world) == &mine);
    double y = tip(world).y;
    step_many(world, 60);
    assert_true(y > 1e-4 && tip(world).y > y); // it still pulls
    cdg_world_destroy(world);
}

static void what_was_added_since_is_refused(void **state) {
    (void)state;
    cdg_world *world = world_of(HANGING("changes: [{at: 40 ms, set: 'simulation.gravity=[0, 0, 0]'}]\n"), "pobd");
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN,
                           .place = {.rod = cdg_world_rod_at(world, 0), .kind = CDG_PLACE_NODE, .index = 12}};
    assert_int_equal(cdg_world_add_support(world, &pin, NULL), CDG_OK);
    step_many(world, 20);
    assert_int_not_equal(cdg_world_step(world, NULL), CDG_OK);
    assert_non_null(strstr(cdg_world_message(world), "added or removed"));
    cdg_vec3 before = tip(world);
    assert_int_not_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_vec3 after = tip(world);
    assert_memory_equal(&before, &after, sizeof before);
    cdg_world_destroy(world);
}

static void changes_that_cannot_be_made_are_told(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {HANGING("changes: [{at: 40 ms, set: 'rods.a.elements=13'}]\n"), "stay as they are"},
        {HANGING("changes: [{at: 40 ms, set: 'materials.m.mass=13'}]\n"), "unknown key 'mass'"},
        {HANGING("changes: [{at: 40 ms, set: 'simulation.model=der'}]\n"), "stay as they are"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cdg_scene *scene = scene_parse_good(wrong[i][0]);
        cdg_world *world;
        cdg_error error;
        assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_ERROR_SCENE);
        assert_null(world);
        if (strstr(error.message, wrong[i][1]) == NULL) print_error("%s\n", error.message);
        assert_non_null(strstr(error.message, wrong[i][1]));
        assert_non_null(strstr(error.message, "0.04 s"));
        cdg_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_what_a_program_would_do),
        cmocka_unit_test(snapshots_know_what_is_in_force),
        cmocka_unit_test(handles_and_forces_stay),
        cmocka_unit_test(what_was_added_since_is_refused),
        cmocka_unit_test(changes_that_cannot_be_made_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
