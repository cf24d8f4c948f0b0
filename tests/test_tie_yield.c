// A rod that is tied to a solid and pushed by an obstacle: its response with what the solid yields is how a prediction
// with more force changes, and contact needs few rounds.
#include "tie_case.h"
#include "world/tie_work.h"

static const double radius = 2e-3;

// A stiff needle, stuck into a soft pad that is held below, beside an obstacle.
static cdg_world *make(void) {
    cdg_world *world = solid_world(1, 2e-3);
    world->def.gravity = vec3(0, 0, 0);
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.section.radius = radius;
    rod.material.young_modulus = 1e10;
    rod.centerline.line.from = vec3(0, 0, 0.01), rod.centerline.line.to = vec3(0, 0, 0.1);
    cdg_rod_id needle;
    must(world, cdg_world_add_rod(world, &rod, &needle));
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    def.young_modulus = 2e4;
    cdg_solid_id pad = solid_world_add(world, def, vec3(0.06, 0.06, 0.03), 0.02);
    cdg_solid_support_def held = cdg_solid_support_def_default();
    held.solid = pad;
    held.region = &(cdg_shape){
        .kind = CDG_SHAPE_PLANE, .position = vec3(0, 0, -0.0149), .orientation = {1, 0, 0, 0}, .normal = vec3(0, 0, 1)};
    must(world, cdg_world_add_solid_support(world, &held, NULL));
    must(world, cdg_world_add_tie(world, &(cdg_tie_def){.place = {needle, CDG_PLACE_NODE, 0}, .solid = pad}, NULL));
    cdg_obstacle_def bar = cdg_obstacle_def_default();
    bar.shape.kind = CDG_SHAPE_SPHERE, bar.shape.radius = 0.01, bar.shape.position = vec3(-0.0121, 0, 0.08);
    cdg_motion move = {.kind = CDG_MOTION_MOVE, .move = vec3(0.02, 0, 0), .from = 0, .to = 0.1};
    bar.motions = &move, bar.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &bar, NULL));
    return world;
}

static void test_pushed_needles_take_few_rounds(void **state) {
    (void)state;
    cdg_world *world = make();
    int rounds = 0, steps = 25;
    for (int i = 0; i < steps; i++) {
        must(world, cdg_world_step(world, NULL));
        rounds += world->contact_outcome.rounds;
        assert_true(tie_case_gap(world) < 1e-8);
    }
    assert_true(world->ties_work->has_yields);
    assert_true(rod_vec3(world->rods[0].rod->x, 12).x > 0.006); // it gives way
    print_message("%.1f rounds a step\n", (double)rounds / steps);
    assert_true(rounds <= 2 * steps);
    cdg_world_destroy(world);
}

// What each way does by a unit force along it is positive and symmetric: a step is a minimisation.
static void test_what_it_gives_is_symmetric(void **state) {
    (void)state;
    cdg_world *world = make();
    solid_world_steps(world, 10);
    const cdg_yield *yield = &world->ties_work->units[0].yield;
    assert_int_equal(yield->way_count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_true(yield->give[i * 6 + i] > 0);
        for (size_t k = 0; k < i; k++) {
            double scale = sqrt(yield->give[i * 6 + i] * yield->give[k * 6 + k]);
            assert_near(yield->give[i * 6 + k], yield->give[k * 6 + i], 0.03 * scale); // moments turn with sections
        }
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_pushed_needles_take_few_rounds),
                                       cmocka_unit_test(test_what_it_gives_is_symmetric)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
