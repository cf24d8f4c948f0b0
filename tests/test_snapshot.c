// Snapshots: a world continued from one is identical to the last bit, for every solver and integrator.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "near.h"
#include "small_world.h"
#include "world/world.h"

static small_world make(cdg_pobd_solver solver, cdg_pobd_integrator integrator) {
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 15;
    def.pobd.solver = solver;
    def.pobd.integrator = integrator;
    def.material.damping_bend = 0.01;
    small_world small = small_world_make(&def, vec3(0, 1, -9.81), 3e-3, false);
    cdg_motion motion = {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 20, .from = 0, .to = 1};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &support, &small.support));
    return small;
}

static void test_continuation_is_bit_identical(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++)
        for (int integrator = 0; integrator < 2; integrator++)
            for (int start = 0; start <= 3; start++) {
                small_world whole = make((cdg_pobd_solver)solver, (cdg_pobd_integrator)integrator);
                small_world_run(&whole, start);
                size_t size = cdg_world_snapshot_size(whole.world);
                double *saved = malloc(size * sizeof *saved), *a = malloc(size * sizeof *a),
                       *b = malloc(size * sizeof *b);
                must(whole.world, cdg_world_snapshot_save(whole.world, saved));
                small_world_run(&whole, 25);
                must(whole.world, cdg_world_snapshot_save(whole.world, a));

                small_world resumed = make((cdg_pobd_solver)solver, (cdg_pobd_integrator)integrator);
                assert_int_equal(cdg_world_snapshot_size(resumed.world), size);
                must(resumed.world, cdg_world_snapshot_load(resumed.world, saved));
                small_world_run(&resumed, 25);
                must(resumed.world, cdg_world_snapshot_save(resumed.world, b));
                assert_memory_equal(a, b, size * sizeof *a);
                assert_int_equal(cdg_world_step_index(resumed.world), start + 25);
                assert_true(cdg_world_energy(whole.world).dissipated == cdg_world_energy(resumed.world).dissipated);
                free(saved);
                free(a);
                free(b);
                cdg_world_destroy(whole.world);
                cdg_world_destroy(resumed.world);
            }
}

// Scratch must be large enough for every support that may act, not only for those acting when it was sized.
static void test_going_back_before_a_release(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++) {
        small_world worlds[2];
        double *early = NULL, *late = NULL;
        for (int w = 0; w < 2; w++) {
            cdg_rod_def def = cdg_rod_def_default();
            def.element_count = 1000;
            def.pobd.solver = (cdg_pobd_solver)solver;
            worlds[w] = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
            cdg_support_def support = {.kind = solver ? CDG_SUPPORT_TWIST : CDG_SUPPORT_CLAMP,
                                       .place = {worlds[w].rod, CDG_PLACE_NODE, 300},
                                       .release = 0.05};
            must(worlds[w].world, cdg_world_add_support(worlds[w].world, &support, NULL));
        }
        size_t size = cdg_world_snapshot_size(worlds[0].world);
        early = malloc(size * sizeof *early);
        late = malloc(size * sizeof *late);
        small_world_run(&worlds[0], 1);
        must(worlds[0].world, cdg_world_snapshot_save(worlds[0].world, early));
        small_world_run(&worlds[0], 9);
        must(worlds[0].world, cdg_world_snapshot_save(worlds[0].world, late));
        must(worlds[1].world, cdg_world_snapshot_load(worlds[1].world, late));
        small_world_run(&worlds[1], 1);
        must(worlds[1].world, cdg_world_snapshot_load(worlds[1].world, early));
        small_world_run(&worlds[1], 9);
        double *again = malloc(size * sizeof *again);
        must(worlds[1].world, cdg_world_snapshot_save(worlds[1].world, again));
        assert_memory_equal(again, late, size * sizeof *again);
        free(early);
        free(late);
        free(again);
        for (int w = 0; w < 2; w++) cdg_world_destroy(worlds[w].world);
    }
}

// The next step must not take a state that was loaded for a new start, where rods may be refused for lying in each
// other.
static void test_contact_goes_on(void **state) {
    (void)state;
    cdg_world *worlds[2];
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.offset = -0.1;
    for (int k = 0; k < 2; k++) {
        small_world small = make(CDG_POBD_DIRECT, CDG_POBD_BDF2);
        worlds[k] = small.world;
        must(worlds[k], cdg_world_add_obstacle(worlds[k], &floor, NULL));
    }
    for (int i = 0; i < 3; i++) must(worlds[0], cdg_world_step(worlds[0], NULL));
    assert_true(worlds[0]->contacts.is_known_free);
    double *saved = malloc(cdg_world_snapshot_size(worlds[0]) * sizeof *saved);
    must(worlds[0], cdg_world_snapshot_save(worlds[0], saved));
    must(worlds[1], cdg_world_snapshot_load(worlds[1], saved));
    must(worlds[1], cdg_world_ensure_scratch(worlds[1])); // what a step begins with
    assert_true(worlds[1]->contacts.is_known_free);
    free(saved);
    for (int k = 0; k < 2; k++) cdg_world_destroy(worlds[k]);
}

// A contact is kept with all that the next step reads of it.
static void test_contacts_are_kept_whole(void **state) {
    (void)state;
    cdg_world *worlds[2];
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.offset = -0.1, floor.friction = 0.5;
    for (int k = 0; k < 2; k++) {
        small_world small = make(CDG_POBD_DIRECT, CDG_POBD_BDF2);
        worlds[k] = small.world;
        must(worlds[k], cdg_world_add_obstacle(worlds[k], &floor, NULL));
    }
    for (int i = 0; i < 300 && worlds[0]->contacts.kept_count == 0; i++)
        must(worlds[0], cdg_world_step(worlds[0], NULL));
    cdg_contact *one = worlds[0]->contacts.kept;
    assert_true(worlds[0]->contacts.kept_count > 0);
    one->is_impact = one->sticks = true; // whatever they are
    one->drift = vec3(1e-5, 2e-5, 3e-5);
    double *saved = malloc(cdg_world_snapshot_size(worlds[0]) * sizeof *saved);
    must(worlds[0], cdg_world_snapshot_save(worlds[0], saved));
    must(worlds[1], cdg_world_snapshot_load(worlds[1], saved));
    assert_int_equal(worlds[1]->contacts.kept_count, worlds[0]->contacts.kept_count);
    const cdg_contact *other = worlds[1]->contacts.kept;
    assert_int_equal(contact_compare_sides(other->side, one->side), 0);
    assert_int_equal(other->side[1].kind, CDG_SIDE_OBSTACLE);
    assert_true(other->is_impact && other->sticks && other->parameter[0] == one->parameter[0] &&
                other->parameter[1] == one->parameter[1]);
    assert_true(other->gap == one->gap && other->radius == one->radius);
    assert_vec3_near(other->normal, one->normal, 0);
    assert_vec3_near(other->force, one->force, 0);
    assert_vec3_near(other->drift, one->drift, 0);
    // and nothing else is there that only one of them would have
    assert_vec3_near(one->left, vec3(0, 0, 0), 0);
    assert_vec3_near(one->carried, vec3(0, 0, 0), 0);
    assert_true(one->side[0].element == 0 && one->side[1].element == 0 && one->target == 0 && one->clearance == 0 &&
                one->friction == 0);
    free(saved);
    for (int k = 0; k < 2; k++) cdg_world_destroy(worlds[k]);
}

// Memory to go back to within a step is sized before it: whatever is added to a world that has been stepped, the state
// that it then has fits.
typedef struct growing {
    cdg_world *world;
    cdg_rod_id rod, other;
    cdg_body_id body;
    cdg_solid_id solid;
} growing;

static void expect_room(const growing *g) {
    must(g->world, cdg_world_ensure_scratch(g->world));
    assert_true(g->world->snapshot_capacity >= cdg_world_snapshot_size(g->world));
    must(g->world, cdg_world_step(g->world, NULL));
}

static void add_hands(const growing *g) {
    const cdg_place places[] = {cdg_rod_node(g->rod, 3), cdg_body_point(g->body, vec3(0, 0, 0)),
                                cdg_solid_node(g->solid, 0)};
    const cdg_grip_key key = {.time = 1};
    for (int k = 0; k < 6; k++) { // those that are moved, and those that come by themselves
        cdg_grip_def def = {.place = places[k % 3], .target = vec3(0.1, 0, 0.3), .stiffness = 1e-3};
        if (k >= 3) def.keys = &key, def.key_count = 1, def.to = 2;
        cdg_grip_id id;
        must(g->world, cdg_world_add_grip(g->world, &def, &id));
        expect_room(g);
    }
}

static void add_what_holds_and_pulls(const growing *g) {
    cdg_world *world = g->world;
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = cdg_rod_node(g->rod, 0)};
    cdg_support_id id;
    must(world, cdg_world_add_support(world, &support, &id));
    expect_room(g);
    cdg_lead_def lead = cdg_lead_def_default();
    cdg_grip_key key = {.time = 1};
    lead.support = id, lead.keys = &key, lead.key_count = 1, lead.to = 2;
    must(world, cdg_world_add_lead(world, &lead));
    expect_room(g);
    cdg_load_def load = cdg_load_def_default();
    load.place = cdg_rod_node(g->rod, 3), load.value = vec3(0, 0, 1e-3);
    must(world, cdg_world_add_load(world, &load, NULL));
    expect_room(g);
    must(world, cdg_rod_set_forces(world, g->other, (cdg_vec3[16]){{0, 0, 1e-3}}, NULL));
    expect_room(g);
    cdg_solid_support_def held = cdg_solid_support_def_default();
    cdg_solid_load_def pulled = cdg_solid_load_def_default();
    held.solid = pulled.solid = g->solid;
    must(world, cdg_world_add_solid_support(world, &held, &(cdg_solid_support_id){0}));
    expect_room(g);
    must(world, cdg_world_add_solid_load(world, &pulled, &(cdg_solid_load_id){0}));
    expect_room(g);
    must(world, cdg_solid_set_forces(world, g->solid, NULL));
    expect_room(g);
}

static void test_what_is_added_has_room(void **state) {
    (void)state;
    growing g = {0};
    cdg_world_def def = cdg_world_def_default();
    def.step = 1e-4, def.thread_count = 1;
    must(NULL, cdg_world_create(&def, &g.world, NULL));
    cdg_rod_def rod = cdg_rod_def_default();
    rod.model = CDG_MODEL_DER, rod.element_count = 8, rod.name = "rod";
    must(g.world, cdg_world_add_rod(g.world, &rod, &g.rod));
    expect_room(&g);
    rod.name = "other", rod.centerline.line.from.y = rod.centerline.line.to.y = 0.1;
    must(g.world, cdg_world_add_rod(g.world, &rod, &g.other));
    expect_room(&g);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.offset = -1;
    must(g.world, cdg_world_add_obstacle(g.world, &floor, NULL));
    expect_room(&g);
    cdg_body_def body = cdg_body_def_default();
    body.shape.position = vec3(0, 0.1, 0.5);
    must(g.world, cdg_world_add_body(g.world, &body, &g.body));
    expect_room(&g);
    cdg_shape box = cdg_shape_default();
    cdg_solid_def solid = cdg_solid_def_default();
    box.kind = CDG_SHAPE_BOX;
    must(NULL, cdg_shape_mesh(&box, 0.1, &solid.mesh, NULL));
    solid.position = vec3(0, 0.1, 1);
    must(g.world, cdg_world_add_solid(g.world, &solid, &g.solid));
    cdg_mesh_free(&solid.mesh);
    expect_room(&g);
    add_what_holds_and_pulls(&g);
    add_hands(&g);
    must(g.world, cdg_world_add_weld(g.world, &(cdg_weld_def){cdg_rod_node(g.other, 8), g.body}, NULL));
    expect_room(&g);
    cdg_cut_report report;
    must(g.world, cdg_world_plan_cut(g.world, cdg_rod_node(g.rod, 6), 1));
    expect_room(&g);
    must(g.world, cdg_rod_cut(g.world, cdg_rod_node(g.rod, 4), &report));
    expect_room(&g);
    cdg_world_destroy(g.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_added_has_room), cmocka_unit_test(test_continuation_is_bit_identical),
        cmocka_unit_test(test_going_back_before_a_release), cmocka_unit_test(test_contact_goes_on),
        cmocka_unit_test(test_contacts_are_kept_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
