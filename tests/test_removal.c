// What is added and removed leaves no trace: a world that had it goes on, to the last bit, like one that never did. And
// handles of what was removed are refused, also when something else has their slot.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "rounds.h"
#include <cmocka.h>

#include <cordage/cordage.h>

typedef struct stage {
    cdg_world *world;
    cdg_rod_id rods[3];
    cdg_support_id clamp;
    cdg_load_id push;
    cdg_joint_id joint;
    cdg_obstacle_id floor, ball;
    cdg_body_id weight, block;
    cdg_weld_id weld;
    cdg_solid_id cube;
    cdg_solid_support_id grip;
    cdg_solid_load_id squeeze;
} stage;

static cdg_rod_id add_rod(cdg_world *world, const char *name, cdg_vec3 from, cdg_model model) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.model = model;
    def.element_count = 6;
    def.centerline.line.from = from;
    def.centerline.line.to = (cdg_vec3){from.x + 0.3, from.y, from.z};
    def.section.radius = 0.004;
    cdg_rod_id id;
    assert_int_equal(cdg_world_add_rod(world, &def, &id), CDG_OK);
    return id;
}

static cdg_obstacle_id add_ball(cdg_world *world, const char *name, cdg_vec3 at) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.name = name;
    def.shape.kind = CDG_SHAPE_SPHERE;
    def.shape.radius = 0.03;
    def.shape.position = at;
    cdg_obstacle_id id;
    assert_int_equal(cdg_world_add_obstacle(world, &def, &id), CDG_OK);
    return id;
}

static cdg_body_id add_body(cdg_world *world, const char *name, cdg_vec3 at) {
    cdg_body_def def = cdg_body_def_default();
    def.name = name;
    def.shape.radius = 0.02;
    def.shape.position = at;
    cdg_body_id id;
    assert_int_equal(cdg_world_add_body(world, &def, &id), CDG_OK);
    return id;
}

static cdg_solid_id add_cube(cdg_world *world, const char *name, cdg_vec3 at) {
    cdg_shape shape = cdg_shape_default();
    shape.kind = CDG_SHAPE_BOX;
    cdg_solid_def def = cdg_solid_def_default();
    assert_int_equal(cdg_shape_mesh(&shape, 0.05, &def.mesh, NULL), CDG_OK);
    def.name = name;
    def.position = at;
    cdg_solid_id id;
    assert_int_equal(cdg_world_add_solid(world, &def, &id), CDG_OK);
    cdg_mesh_free(&def.mesh);
    return id;
}

static cdg_support_id add_clamp(cdg_world *world, cdg_rod_id rod, size_t node) {
    cdg_support_def def = cdg_support_def_default();
    def.place = (cdg_place){rod, CDG_PLACE_NODE, node};
    cdg_support_id id;
    assert_int_equal(cdg_world_add_support(world, &def, &id), CDG_OK);
    return id;
}

static cdg_load_id add_push(cdg_world *world, cdg_rod_id rod, double force) {
    cdg_load_def def = cdg_load_def_default();
    def.kind = CDG_LOAD_FORCE;
    def.place = (cdg_place){rod, CDG_PLACE_NODE, 3};
    def.value = (cdg_vec3){0, force, 0};
    cdg_load_id id;
    assert_int_equal(cdg_world_add_load(world, &def, &id), CDG_OK);
    return id;
}

static cdg_joint_id add_joint(cdg_world *world, cdg_rod_id a, size_t at_a, cdg_rod_id b, size_t at_b) {
    cdg_joint_def def = cdg_joint_def_default();
    cdg_place places[2] = {{a, CDG_PLACE_NODE, at_a}, {b, CDG_PLACE_NODE, at_b}};
    def.places = places;
    def.place_count = 2;
    cdg_joint_id id;
    assert_int_equal(cdg_world_add_joint(world, &def, &id), CDG_OK);
    return id;
}

static cdg_weld_id add_weld(cdg_world *world, cdg_rod_id rod, size_t node, cdg_body_id body) {
    cdg_weld_def def = cdg_weld_def_default();
    def.place = (cdg_place){rod, CDG_PLACE_NODE, node};
    def.body = body;
    cdg_weld_id id;
    assert_int_equal(cdg_world_add_weld(world, &def, &id), CDG_OK);
    return id;
}

static cdg_solid_support_id add_solid_support(cdg_world *world, cdg_solid_id solid, const cdg_shape *region) {
    cdg_solid_support_def def = cdg_solid_support_def_default();
    def.solid = solid;
    def.region = region;
    cdg_solid_support_id id;
    assert_int_equal(cdg_world_add_solid_support(world, &def, &id), CDG_OK);
    return id;
}

static cdg_solid_load_id add_solid_load(cdg_world *world, cdg_solid_id solid, double force) {
    cdg_solid_load_def def = cdg_solid_load_def_default();
    def.solid = solid;
    def.force = (cdg_vec3){force, 0, 0};
    cdg_solid_load_id id;
    assert_int_equal(cdg_world_add_solid_load(world, &def, &id), CDG_OK);
    return id;
}

static const cdg_shape top = {.kind = CDG_SHAPE_PLANE,
                              .position = {0, 0, 0.549},
                              .orientation = {1, 0, 0, 0},
                              .normal = {0, 0, -1}}; // of the cube at 0.5 m

// Every kind once: a clamped rod with a weight welded to its end above a floor, a net of two, a cube that hangs.
static stage make_stage(void) {
    stage s = {0};
    cdg_world_def def = cdg_world_def_default();
    def.step = 1e-3;
    def.thread_count = 1;
    assert_int_equal(cdg_world_create(&def, &s.world, NULL), CDG_OK);
    cdg_world *w = s.world;
    s.rods[0] = add_rod(w, "beam", (cdg_vec3){0, 0, 0.1}, CDG_MODEL_POBD);
    s.rods[1] = add_rod(w, "left", (cdg_vec3){0, 1, 0.1}, CDG_MODEL_CORDE);
    s.rods[2] = add_rod(w, "right", (cdg_vec3){0.3, 1, 0.1}, CDG_MODEL_CORDE);
    s.clamp = add_clamp(w, s.rods[0], 0);
    s.push = add_push(w, s.rods[0], 0.2);
    s.joint = add_joint(w, s.rods[1], 6, s.rods[2], 0);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.name = "floor";
    assert_int_equal(cdg_world_add_obstacle(w, &floor, &s.floor), CDG_OK);
    s.ball = add_ball(w, "ball", (cdg_vec3){0.3, 1, 0.05});
    s.weight = add_body(w, "weight", (cdg_vec3){0.32, 0, 0.1});
    s.block = add_body(w, "block", (cdg_vec3){0, -1, 0.021});
    s.weld = add_weld(w, s.rods[0], 6, s.weight);
    s.cube = add_cube(w, "cube", (cdg_vec3){2, 0, 0.5});
    s.grip = add_solid_support(w, s.cube, &top);
    s.squeeze = add_solid_load(w, s.cube, 3);
    return s;
}

static void step(cdg_world *world, int count) {
    for (int i = 0; i < count; i++)
        if (cdg_world_step(world, NULL) != CDG_OK) fail_msg("%s", cdg_world_message(world));
}

// Everything that moves.
static void assert_same(const stage *a, const stage *b) {
    for (int r = 0; r < 3; r++) {
        cdg_vec3 x[2][7], v[2][7];
        assert_int_equal(cdg_rod_positions(a->world, a->rods[r], x[0]), CDG_OK);
        assert_int_equal(cdg_rod_positions(b->world, b->rods[r], x[1]), CDG_OK);
        assert_int_equal(cdg_rod_velocities(a->world, a->rods[r], v[0]), CDG_OK);
        assert_int_equal(cdg_rod_velocities(b->world, b->rods[r], v[1]), CDG_OK);
        assert_memory_equal(x[0], x[1], sizeof x[0]);
        assert_memory_equal(v[0], v[1], sizeof v[0]);
    }
    const cdg_body_id bodies[2][2] = {{a->weight, b->weight}, {a->block, b->block}};
    for (int k = 0; k < 2; k++) {
        cdg_body_state one, other;
        assert_int_equal(cdg_body_get_state(a->world, bodies[k][0], &one), CDG_OK);
        assert_int_equal(cdg_body_get_state(b->world, bodies[k][1], &other), CDG_OK);
        assert_memory_equal(&one, &other, sizeof one);
    }
    cdg_solid_state cubes[2];
    assert_int_equal(cdg_solid_get_state(a->world, a->cube, &cubes[0]), CDG_OK);
    assert_int_equal(cdg_solid_get_state(b->world, b->cube, &cubes[1]), CDG_OK);
    assert_memory_equal(&cubes[0], &cubes[1], sizeof cubes[0]);
}

// One of each kind comes and goes, each before others of its kind, too, so that those are closed up.
static void come_and_go(stage *s) {
    cdg_world *w = s->world;
    cdg_rod_id rods[2] = {add_rod(w, "guest", (cdg_vec3){0, 2, 0.1}, CDG_MODEL_CORDE),
                          add_rod(w, "guest_too", (cdg_vec3){0.3, 2, 0.1}, CDG_MODEL_CORDE)};
    cdg_support_id supports[2] = {add_clamp(w, s->rods[0], 0), add_clamp(w, rods[0], 0)};
    cdg_load_id loads[2] = {add_push(w, s->rods[0], 5), add_push(w, rods[0], 5)};
    cdg_joint_id joint = add_joint(w, rods[0], 6, rods[1], 0);
    cdg_obstacle_id balls[2] = {add_ball(w, "guest", (cdg_vec3){5, 5, 5}),
                                add_ball(w, "guest_too", (cdg_vec3){6, 5, 5})};
    cdg_body_id bodies[2] = {add_body(w, "guest", (cdg_vec3){5, -5, 5}),
                             add_body(w, "guest_too", (cdg_vec3){6, -5, 5})};
    cdg_weld_id weld = add_weld(w, rods[1], 6, bodies[1]);
    cdg_solid_id cubes[2] = {add_cube(w, "guest", (cdg_vec3){-5, 0, 0.5}),
                             add_cube(w, "guest_too", (cdg_vec3){-6, 0, 0.5})};
    cdg_solid_support_id grips[2] = {add_solid_support(w, s->cube, NULL), add_solid_support(w, cubes[1], &top)};
    cdg_solid_load_id squeezes[2] = {add_solid_load(w, s->cube, 100), add_solid_load(w, cubes[1], 100)};
    cdg_grip_def hand = cdg_grip_def_default();
    hand.place = cdg_body_point(bodies[1], (cdg_vec3){0, 0, 0});
    hand.target = (cdg_vec3){6, -5, 6};
    cdg_grip_id grip;
    assert_int_equal(cdg_world_add_grip(w, &hand, &grip), CDG_OK);
    const cdg_grip_key key = {.time = 0.001, .target = {5, 5, 6}};
    const cdg_lead_def lead = {.obstacle = balls[1], .keys = &key, .key_count = 1, .to = 1};
    assert_int_equal(cdg_world_add_lead(w, &lead), CDG_OK);

    // What something else needs stays until that is removed.
    assert_int_equal(cdg_world_remove_rod(w, rods[0]), CDG_ERROR_UNSUPPORTED);
    assert_int_equal(cdg_world_remove_body(w, bodies[1]), CDG_ERROR_UNSUPPORTED);
    assert_non_null(strstr(cdg_world_message(w), "remove the weld first"));

    assert_int_equal(cdg_world_remove_solid_support(w, grips[0]), CDG_OK);
    assert_int_equal(cdg_world_remove_solid_load(w, squeezes[0]), CDG_OK);
    for (int k = 0; k < 2; k++) assert_int_equal(cdg_world_remove_solid(w, cubes[k]), CDG_OK);
    assert_int_equal(cdg_world_remove_solid_support(w, grips[1]), CDG_ERROR_STALE); // went with its solid
    assert_int_equal(cdg_world_remove_solid_load(w, squeezes[1]), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_remove_weld(w, weld), CDG_OK);
    assert_int_equal(cdg_world_remove_body(w, bodies[0]), CDG_OK);
    assert_int_equal(cdg_grip_move(w, grip, &hand.target), CDG_OK); // of a body that was closed up
    assert_int_equal(cdg_world_remove_body(w, bodies[1]), CDG_OK);
    assert_int_equal(cdg_grip_move(w, grip, &hand.target), CDG_ERROR_STALE);
    for (int k = 0; k < 2; k++) assert_int_equal(cdg_world_remove_obstacle(w, balls[k]), CDG_OK);
    assert_int_equal(cdg_world_remove_joint(w, joint), CDG_OK);
    assert_int_equal(cdg_world_remove_support(w, supports[0]), CDG_OK);
    assert_int_equal(cdg_world_remove_load(w, loads[0]), CDG_OK);
    for (int k = 0; k < 2; k++) assert_int_equal(cdg_world_remove_rod(w, rods[k]), CDG_OK);
    assert_int_equal(cdg_world_remove_support(w, supports[1]), CDG_ERROR_STALE); // went with its rod
    assert_int_equal(cdg_world_remove_load(w, loads[1]), CDG_ERROR_STALE);
}

static void test_no_trace(void **state) {
    (void)state;
    stage plain = make_stage(), visited = make_stage();
    come_and_go(&visited);
    step(plain.world, 20);
    step(visited.world, 20);
    assert_same(&plain, &visited);
    // In the middle of a run, too. Both prepare anew, which begins some estimates again.
    come_and_go(&visited);
    come_and_go(&plain);
    step(plain.world, 20);
    step(visited.world, 20);
    assert_same(&plain, &visited);
    assert_true(fabs(cdg_world_energy(plain.world).dissipated - cdg_world_energy(visited.world).dissipated) < 1e-12);
    cdg_world_destroy(plain.world);
    cdg_world_destroy(visited.world);
}

// The energy of what is removed is no loss.
static void test_books(void **state) {
    (void)state;
    stage s = make_stage();
    step(s.world, 5);
    double before = cdg_world_energy(s.world).dissipated;
    assert_int_equal(cdg_world_remove_body(s.world, s.block), CDG_OK);
    assert_int_equal(cdg_world_remove_solid(s.world, s.cube), CDG_OK);
    assert_int_equal(cdg_world_remove_joint(s.world, s.joint), CDG_OK);
    assert_int_equal(cdg_world_remove_rod(s.world, s.rods[2]), CDG_OK);
    assert_true(fabs(cdg_world_energy(s.world).dissipated - before) < 1e-12);
    step(s.world, 20); // and the guard has no doubts
    cdg_world_destroy(s.world);
}

static size_t contacts_on(const stage *s, cdg_obstacle_id obstacle) {
    size_t count = 0;
    for (size_t i = 0; i < cdg_world_contact_count(s->world); i++) {
        cdg_contact_info info;
        assert_int_equal(cdg_world_contact_at(s->world, i, &info), CDG_OK);
        count += info.obstacle.index1 == obstacle.index1 && info.obstacle.generation == obstacle.generation;
    }
    return count;
}

// A rod that lay on an obstacle falls when that is removed, and one that a weld held when the weld is.
static void test_effects(void **state) {
    (void)state;
    stage s = make_stage();
    cdg_vec3 x[7];
    size_t on_floor = 0, on_ball = 0; // the net bounces a little before it lies on both
    for (int i = 0; i < 1000 && (on_floor == 0 || on_ball == 0); i++) {
        step(s.world, 1);
        on_floor = contacts_on(&s, s.floor), on_ball = contacts_on(&s, s.ball);
    }
    assert_true(on_floor > 0 && on_ball > 0);
    assert_int_equal(cdg_rod_positions(s.world, s.rods[1], x), CDG_OK);
    double lain = x[3].z;
    assert_int_equal(cdg_world_remove_obstacle(s.world, s.floor), CDG_OK); // the ball moves to its place
    assert_int_equal(contacts_on(&s, s.ball), on_ball);
    assert_int_equal(contacts_on(&s, s.floor), 0);
    step(s.world, 20);
    assert_int_equal(cdg_world_remove_obstacle(s.world, s.ball), CDG_OK);
    assert_int_equal(contacts_on(&s, s.ball), 0);
    step(s.world, 100);
    assert_int_equal(cdg_rod_positions(s.world, s.rods[1], x), CDG_OK);
    assert_true(x[3].z < lain - 0.02);

    cdg_contact_def off = cdg_contact_def_default();
    off.choice = CDG_CONTACT_OFF;
    assert_int_equal(cdg_world_set_contact(s.world, &off), CDG_OK);
    cdg_body_state held, free;
    assert_int_equal(cdg_world_remove_weld(s.world, s.weld), CDG_OK);
    assert_int_equal(cdg_body_get_state(s.world, s.weight, &held), CDG_OK);
    step(s.world, 50);
    assert_int_equal(cdg_body_get_state(s.world, s.weight, &free), CDG_OK);
    assert_true(fabs(free.velocity.z - held.velocity.z + 9.81 * 0.05) < 1e-9); // falls freely

    assert_int_equal(cdg_world_remove_support(s.world, s.clamp), CDG_OK);
    assert_int_equal(cdg_world_remove_solid_support(s.world, s.grip), CDG_OK);
    cdg_solid_load_def still = cdg_solid_load_def_default();
    still.solid = s.cube;
    assert_int_equal(cdg_solid_load_change(s.world, s.squeeze, &still), CDG_OK);
    cdg_solid_state before, after;
    assert_int_equal(cdg_solid_get_state(s.world, s.cube, &before), CDG_OK);
    step(s.world, 50);
    assert_int_equal(cdg_solid_get_state(s.world, s.cube, &after), CDG_OK);
    assert_true(fabs(after.velocity.z - before.velocity.z + 9.81 * 0.05) < 0.01); // a step's worth: bdf2 remembers
    assert_true(fabs(after.velocity.x - before.velocity.x) < 0.01);               // 0.15 with the load
    cdg_world_destroy(s.world);
}

// A rod's end that was inside of a body is pushed out of it.
static void test_free_of_a_body(void **state) {
    (void)state;
    stage s = make_stage();
    step(s.world, 5);
    assert_int_equal(cdg_world_remove_weld(s.world, s.weld), CDG_OK);
    step(s.world, 100);
    cdg_vec3 x[7];
    cdg_body_state ball;
    assert_int_equal(cdg_rod_positions(s.world, s.rods[0], x), CDG_OK);
    assert_int_equal(cdg_body_get_state(s.world, s.weight, &ball), CDG_OK);
    double apart = hypot(hypot(x[6].x - ball.position.x, x[6].y - ball.position.y), x[6].z - ball.position.z);
    assert_true(apart > 0.0239); // radii of 2 cm and 4 mm
    cdg_world_destroy(s.world);
}

// To be free of a weld excuses that rod alone, until it has left the body: what is added in between is looked at, and
// the world is watched again.
static void test_free_rod_is_like_others(void **state) {
    (void)state;
    skip_when_sanitized();
    stage s = make_stage();
    step(s.world, 5);
    assert_int_equal(cdg_world_remove_weld(s.world, s.weld), CDG_OK);
    assert_false(cdg_world_contact(s.world).separates);
    step(s.world, 1);
    add_rod(s.world, "aside", (cdg_vec3){0, 5, 3},
            CDG_MODEL_CORDE); // contact begins anew, while the end still is inside
    double *data = calloc(cdg_world_snapshot_size(s.world), sizeof *data);
    assert_non_null(data);
    assert_int_equal(cdg_world_snapshot_save(s.world, data), CDG_OK);
    step(s.world, 2);
    assert_int_equal(cdg_world_snapshot_load(s.world, data), CDG_OK);
    free(data);
    step(s.world, 300);
    assert_true(cdg_world_energy_balance(s.world).is_watched);
    assert_true(cdg_world_energy_balance(s.world).allowed > 0);
    cdg_vec3 x[7];
    assert_int_equal(cdg_rod_positions(s.world, s.rods[0], x), CDG_OK);
    cdg_rod_id within = add_rod(s.world, "within", x[0], CDG_MODEL_CORDE);
    assert_int_equal(cdg_world_step(s.world, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(s.world), "'within'"));
    assert_int_equal(cdg_world_remove_rod(s.world, within), CDG_OK);
    step(s.world, 1);
    cdg_world_destroy(s.world);
}

// Rods whose joint is gone are at one point, which contact does not take; apart they go on.
static void test_free_of_a_joint(void **state) {
    (void)state;
    stage s = make_stage();
    step(s.world, 5);
    assert_int_equal(cdg_world_remove_joint(s.world, s.joint), CDG_OK);
    assert_int_not_equal(cdg_world_step(s.world, NULL), CDG_OK);
    assert_non_null(strstr(cdg_world_message(s.world), "'left'"));
    assert_non_null(strstr(cdg_world_message(s.world), "'right'"));
    cdg_vec3 x[7];
    assert_int_equal(cdg_rod_positions(s.world, s.rods[2], x), CDG_OK);
    for (int i = 0; i < 7; i++) x[i].x += 0.02;
    assert_int_equal(cdg_rod_set_state(s.world, s.rods[2], x, NULL, NULL, NULL), CDG_OK);
    step(s.world, 20);
    cdg_vec3 moved[7];
    assert_int_equal(cdg_rod_positions(s.world, s.rods[1], moved), CDG_OK);
    assert_true(moved[6].x < x[0].x - 0.01); // it did not come along
    cdg_world_destroy(s.world);
}

// A support of a solid goes where it is led by hand, and from there on.
static void test_solid_support_pose(void **state) {
    (void)state;
    stage s = make_stage();
    assert_int_equal(cdg_world_remove_solid_support(s.world, s.grip), CDG_OK);
    s.grip = add_solid_support(s.world, s.cube, NULL); // all of it
    const double half = sqrt(0.5);
    const cdg_quat quarter = {half, 0, 0, half};
    cdg_solid_view view;
    assert_int_equal(cdg_solid_get_view(s.world, s.cube, &view), CDG_OK);
    cdg_vec3 corner = {view.position[0][0], view.position[1][0], view.position[2][0]}; // about (2, 0, 0.5)
    const cdg_vec3 target = {2.001, 0, 0.5};
    assert_int_equal(cdg_solid_support_set_pose(s.world, s.grip, &target, NULL), CDG_OK);
    step(s.world, 2);
    assert_int_equal(cdg_solid_support_set_pose(s.world, s.grip, NULL, &quarter), CDG_OK);
    step(s.world, 1);
    assert_int_equal(cdg_solid_get_view(s.world, s.cube, &view), CDG_OK);
    assert_true(fabs(view.position[0][0] - (2.001 - corner.y)) < 1e-12);
    assert_true(fabs(view.position[1][0] - (corner.x - 2)) < 1e-12);
    assert_true(fabs(view.position[2][0] - corner.z) < 1e-12);
    const cdg_quat none = {0};
    assert_int_equal(cdg_solid_support_set_pose(s.world, s.grip, NULL, &none), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(s.world);
}

// ---- handles --------------------------------------------------------------------------------------------------------

#define ASSERT_STALE(world, call)                                                                                      \
    do {                                                                                                               \
        assert_int_equal(call, CDG_ERROR_STALE);                                                                       \
        assert_non_null(strstr(cdg_world_message(world), "exist"));                                                    \
    } while (0)

// Slots are used again, and old handles do not name what is there then.
static void test_reused_slots(void **state) {
    (void)state;
    stage s = make_stage();
    cdg_world *w = s.world;
    const cdg_vec3 far = {9, 9, 9};
    cdg_vec3 force;
    cdg_rod_id rod = add_rod(w, "a", far, CDG_MODEL_POBD);
    assert_int_equal(cdg_world_remove_rod(w, rod), CDG_OK);
    cdg_rod_id next_rod = add_rod(w, "b", far, CDG_MODEL_POBD);
    assert_int_equal(next_rod.index1, rod.index1);
    ASSERT_STALE(w, cdg_rod_set_forces(w, rod, NULL, NULL));
    assert_int_equal(cdg_rod_set_forces(w, next_rod, NULL, NULL), CDG_OK);

    cdg_support_id support = add_clamp(w, next_rod, 0);
    assert_int_equal(cdg_world_remove_support(w, support), CDG_OK);
    cdg_support_id next_support = add_clamp(w, next_rod, 1);
    assert_int_equal(next_support.index1, support.index1);
    ASSERT_STALE(w, cdg_support_set_pose(w, support, &far, NULL));
    assert_int_equal(cdg_support_reaction(w, support, &force, NULL), CDG_ERROR_STALE);
    assert_int_equal(cdg_support_reaction(w, next_support, &force, NULL), CDG_OK);
    bool is_listed = false;
    for (size_t i = 0; i < cdg_world_support_count(w); i++) {
        cdg_support_id at = cdg_world_support_at(w, i);
        is_listed = is_listed || (at.index1 == next_support.index1 && at.generation == next_support.generation);
    }
    assert_true(is_listed);

    cdg_load_id load = add_push(w, next_rod, 1);
    assert_int_equal(cdg_world_remove_load(w, load), CDG_OK);
    cdg_load_id next_load = add_push(w, next_rod, 1);
    assert_int_equal(next_load.index1, load.index1);
    ASSERT_STALE(w, cdg_world_remove_load(w, load));
    assert_int_equal(cdg_world_remove_load(w, next_load), CDG_OK);

    cdg_obstacle_id ball = add_ball(w, "a", far);
    assert_int_equal(cdg_world_remove_obstacle(w, ball), CDG_OK);
    cdg_obstacle_id next_ball = add_ball(w, "b", (cdg_vec3){9, 0, 9});
    assert_int_equal(next_ball.index1, ball.index1);
    ASSERT_STALE(w, cdg_obstacle_set_friction(w, ball, 0.5));
    ASSERT_STALE(w, cdg_world_remove_obstacle(w, ball));
    assert_int_equal(cdg_obstacle_set_friction(w, next_ball, 0.5), CDG_OK);

    cdg_body_id body = add_body(w, "a", (cdg_vec3){9, 5, 9});
    assert_int_equal(cdg_world_remove_body(w, body), CDG_OK);
    cdg_body_id next_body = add_body(w, "b", (cdg_vec3){9, 5, 9});
    assert_int_equal(next_body.index1, body.index1);
    ASSERT_STALE(w, cdg_body_set_friction(w, body, 0.5));
    assert_int_equal(cdg_body_energy(w, body, NULL, NULL), CDG_ERROR_STALE);
    ASSERT_STALE(w, cdg_world_add_weld(w, &(cdg_weld_def){{next_rod, CDG_PLACE_NODE, 6}, body}, NULL));
    ASSERT_STALE(w, cdg_world_add_grip(w, &(cdg_grip_def){.place = cdg_body_point(body, (cdg_vec3){0, 0, 0})},
                                       &(cdg_grip_id){0}));
    assert_int_equal(cdg_body_set_friction(w, next_body, 0.5), CDG_OK);

    cdg_weld_id weld = add_weld(w, next_rod, 6, next_body);
    assert_int_equal(cdg_world_remove_weld(w, weld), CDG_OK);
    cdg_weld_id next_weld = add_weld(w, next_rod, 6, next_body);
    assert_int_equal(next_weld.index1, weld.index1);
    ASSERT_STALE(w, cdg_world_remove_weld(w, weld));
    assert_int_equal(cdg_weld_reaction(w, next_weld, &force, NULL), CDG_OK);

    assert_int_equal(cdg_world_remove_joint(w, s.joint), CDG_OK);
    cdg_joint_id next_joint = add_joint(w, s.rods[1], 6, s.rods[2], 0);
    assert_int_equal(next_joint.index1, s.joint.index1);
    ASSERT_STALE(w, cdg_world_remove_joint(w, s.joint));
    assert_int_equal(cdg_world_remove_joint(w, next_joint), CDG_OK);

    cdg_solid_id cube = add_cube(w, "a", far);
    assert_int_equal(cdg_world_remove_solid(w, cube), CDG_OK);
    cdg_solid_id next_cube = add_cube(w, "b", far);
    assert_int_equal(next_cube.index1, cube.index1);
    ASSERT_STALE(w, cdg_world_remove_solid(w, cube));
    ASSERT_STALE(w, cdg_world_add_solid_load(w, &(cdg_solid_load_def){.solid = cube}, NULL));
    assert_int_equal(cdg_world_find_solid(w, "b").generation, next_cube.generation);
    assert_int_equal(cdg_world_find_solid(w, "a").index1, 0);
    cdg_world_destroy(w);
}

// Programs that add and remove all the time need no more memory.
static void test_memory_stays(void **state) {
    (void)state;
    stage s = make_stage();
    size_t most = 0;
    for (int i = 0; i < 100; i++) {
        cdg_support_id clamp = add_clamp(s.world, s.rods[0], 3);
        cdg_load_id push = add_push(s.world, s.rods[0], 1);
        assert_int_equal(cdg_world_remove_support(s.world, clamp), CDG_OK);
        assert_int_equal(cdg_world_remove_load(s.world, push), CDG_OK);
        if (i == 0) most = cdg_world_memory(s.world);
    }
    assert_true(cdg_world_memory(s.world) <= most);
    assert_true(cdg_world_support_count(s.world) < 5);
    cdg_world_destroy(s.world);
}

// Whatever succeeds takes back the message of what failed before it.
#define CLEARS(call)                                                                                                   \
    do {                                                                                                               \
        assert_int_equal(cdg_world_set_gravity(w, (cdg_vec3){NAN, 0, 0}), CDG_ERROR_ARGUMENT);                         \
        assert_string_not_equal(cdg_world_message(w), "");                                                             \
        assert_int_equal(call, CDG_OK);                                                                                \
        assert_string_equal(cdg_world_message(w), "");                                                                 \
    } while (0)

static void test_messages_are_of_the_last_call(void **state) {
    (void)state;
    stage s = make_stage();
    cdg_world *w = s.world;
    CLEARS(cdg_world_step(w, NULL));
    CLEARS(cdg_world_set_gravity(w, (cdg_vec3){0, 0, -9.81}));
    const cdg_vec3 at = {0, 0, 0.1}, force = {0, 0, 0.1}, far = {5, 5, 0.5};
    const cdg_quat turn = {1, 0, 0, 0};
    CLEARS(cdg_support_set_pose(w, s.clamp, &at, NULL));
    CLEARS(cdg_support_put(w, s.clamp, at, turn));
    CLEARS(cdg_obstacle_set_pose(w, s.ball, &far, NULL));
    CLEARS(cdg_obstacle_put(w, s.ball, far, turn));
    CLEARS(cdg_obstacle_set_friction(w, s.ball, 0.2));
    CLEARS(cdg_body_set_friction(w, s.block, 0.2));
    CLEARS(cdg_solid_support_set_pose(w, s.grip, NULL, NULL));
    cdg_solid_load_def squeeze = cdg_solid_load_def_default();
    squeeze.solid = s.cube, squeeze.force = force;
    CLEARS(cdg_solid_load_change(w, s.squeeze, &squeeze));
    CLEARS(cdg_solid_load_set(w, s.squeeze, force, 0));
    CLEARS(cdg_solid_set_forces(w, s.cube, NULL));
    cdg_load_def push = cdg_load_def_default();
    push.kind = CDG_LOAD_FORCE, push.place = (cdg_place){s.rods[0], CDG_PLACE_NODE, 3}, push.value = force;
    CLEARS(cdg_load_change(w, s.push, &push));
    cdg_vec3 forces[7] = {force};
    CLEARS(cdg_rod_set_forces(w, s.rods[0], forces, NULL));
    CLEARS(cdg_rod_set_rest_curvature(w, s.rods[0], NULL));
    CLEARS(cdg_rod_set_rest_length(w, s.rods[0], 0.3));
    cdg_body_state still;
    assert_int_equal(cdg_body_get_state(w, s.block, &still), CDG_OK);
    CLEARS(cdg_body_set_state(w, s.block, &still));
    cdg_contact_def contact = cdg_world_contact(w);
    CLEARS(cdg_world_set_contact(w, &contact));
    cdg_grip_def hand = cdg_grip_def_default();
    hand.place = cdg_rod_along(s.rods[0], 2, 0.5);
    cdg_grip_id grip;
    CLEARS(cdg_world_add_grip(w, &hand, &grip));
    CLEARS(cdg_grip_move(w, grip, &at));
    CLEARS(cdg_grip_twist(w, grip, 0.1));
    CLEARS(cdg_world_remove_grip(w, grip));
    double field[64];
    CLEARS(cdg_rod_measure_field(w, s.rods[0], "tension", field, 64));
    double tone;
    CLEARS(cdg_solid_find_modes(w, s.cube, 1, &tone, NULL));
    cdg_rod_id rod;
    CLEARS((rod = add_rod(w, "new", far, CDG_MODEL_POBD), CDG_OK));
    CLEARS((add_clamp(w, rod, 0), CDG_OK));
    CLEARS((add_push(w, rod, 1), CDG_OK));
    CLEARS((add_ball(w, "far", (cdg_vec3){9, 9, 9}), CDG_OK));
    CLEARS((add_body(w, "far", (cdg_vec3){9, 7, 9}), CDG_OK));
    CLEARS((add_cube(w, "far", (cdg_vec3){9, 5, 9}), CDG_OK));
    CLEARS(cdg_world_plan_cut(w, (cdg_place){rod, CDG_PLACE_NODE, 2}, 100));
    cdg_cut_report cut;
    CLEARS(cdg_rod_cut(w, (cdg_place){rod, CDG_PLACE_NODE, 4}, &cut));
    CLEARS(cdg_world_remove_weld(w, s.weld));
    CLEARS((add_weld(w, s.rods[0], 6, s.weight), CDG_OK));
    CLEARS(cdg_world_remove_joint(w, s.joint));
    CLEARS((add_joint(w, s.rods[1], 6, s.rods[2], 0), CDG_OK));
    CLEARS(cdg_world_remove_solid_load(w, s.squeeze));
    CLEARS((add_solid_load(w, s.cube, 1), CDG_OK));
    CLEARS(cdg_world_remove_solid_support(w, s.grip));
    CLEARS((add_solid_support(w, s.cube, &top), CDG_OK));
    CLEARS(cdg_world_remove_load(w, s.push));
    CLEARS(cdg_world_remove_support(w, s.clamp));
    CLEARS(cdg_world_remove_obstacle(w, s.ball));
    CLEARS(cdg_world_remove_body(w, s.block));
    CLEARS(cdg_world_remove_solid(w, s.cube));
    CLEARS(cdg_world_remove_rod(w, rod));
    cdg_world_destroy(w);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_trace),
        cmocka_unit_test(test_books),
        cmocka_unit_test(test_effects),
        cmocka_unit_test(test_free_of_a_body),
        cmocka_unit_test(test_free_rod_is_like_others),
        cmocka_unit_test(test_free_of_a_joint),
        cmocka_unit_test(test_solid_support_pose),
        cmocka_unit_test(test_reused_slots),
        cmocka_unit_test(test_memory_stays),
        cmocka_unit_test(test_messages_are_of_the_last_call),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
