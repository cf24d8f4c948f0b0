// What rods show to contact: forces that come back reach nodes, supports and frames.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/rod_proxy.h"
#include "world/world.h"

#include <string.h>

static const cdg_vec3 none = {0, 0, 0};

static void build(cdg_world *world, cdg_pieces *out) {
    cdg_rod *rods[8];
    cdg_error error;
    must(world, cdg_joints_form_nets(world));
    for (size_t i = 0; i < world->rod_count; i++) rods[i] = world->rods[i].rod;
    cdg_rod_proxies proxies;
    must(world, cdg_rod_proxies_build(&proxies, rods, world->rod_count, world->nets, world->net_count, &error));
    must(world, cdg_pieces_build(out, &proxies.list, 0, &error));
    cdg_rod_proxies_free(&proxies);
}

// The candidate is the state.
static void stand_still(const cdg_rod *rod) {
    for (int k = 0; k < 3; k++) {
        memcpy(rod->x_next[k], rod->x[k], rod->node_count * sizeof(double));
        memcpy(rod->v_next[k], rod->v[k], rod->node_count * sizeof(double));
        memcpy(rod->w_next[k], rod->w[k], rod->element_count * sizeof(double));
    }
    for (int k = 0; k < 4; k++) memcpy(rod->q_next[k], rod->q[k], rod->element_count * sizeof(double));
}

// A held node does not move, and its support carries the force; a torque turns the frame and gives just its impulse.
static void forces_go_where_they_belong(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("a", none, vec3(1, 0, 0), 0.01, 10);
    cdg_rod_id id = contact_add(world, &def);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = id, .index = 3}};
    must(world, cdg_world_add_support(world, &pin, NULL));
    cdg_pieces p = {0};
    build(world, &p);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    cdg_supports_drive(world, 0, 1e-3);
    for (int k = 0; k < 3; k++)
        for (size_t j = 0; j < 10; j++) rod->w[k][j] = 1 + k;
    stand_still(rod);
    cdg_pieces_load(&p, 1e-3);
    assert_near(p.give[p.point_of[3]], 0, 0);
    p.force[p.point_of[3]] = vec3(1, 2, 3);
    p.torque[6] = 1e-4;
    double inertia[3];
    for (int k = 0; k < 3; k++) inertia[k] = rod->frame_inertia[k][0] * rod->rest_length[6];
    cdg_vec3 before = quat_rotate(rod_quat(rod->q, 6), vec3(inertia[0], 2 * inertia[1], 3 * inertia[2]));
    bool touched;
    cdg_pieces_store(&p, 1e-3, &touched);
    assert_near(rod->x_next[0][3], rod->x[0][3], 0);
    assert_vec3_near(rod->holds[0].force, vec3(-1, -2, -3), 1e-15);
    cdg_vec3 w = rod_vec3(rod->w_next, 6);
    cdg_vec3 after = quat_rotate(rod_quat(rod->q_next, 6), vec3(inertia[0] * w.x, inertia[1] * w.y, inertia[2] * w.z));
    assert_vec3_near(after, vec3_add(before, vec3(1e-7, 0, 0)), 1e-20);
    assert_near(quat_log(quat_relative(rod_quat(rod->q, 6), rod_quat(rod->q_next, 6))).z, 1e-10 / inertia[2], 1e-12);
    cdg_pieces_free(&p);
    cdg_world_destroy(world);
}

// Of a long rod threads read parts and give parts back (cdg_parallel_for): one force anywhere touches all of it.
static void parts_of_a_long_rod_make_a_whole(void **state) {
    (void)state;
    enum { LONG = 3000 };
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("a", none, vec3(30, 0, 0), 0.01, LONG);
    contact_add(world, &def);
    cdg_pieces p = {0};
    build(world, &p);
    cdg_rod *rod = world->rods[0].rod;
    stand_still(rod);
    for (int round = 0; round < 60; round++) {
        p.threads = 1 + round % 3;
        memset(p.start, 0, p.point_count * sizeof *p.start);
        cdg_pieces_load(&p, 1e-3);
        for (size_t i = 0; i <= LONG; i++) {
            assert_vec3_near(p.start[p.point_of[i]], rod_vec3(rod->x, i), 0);
            assert_near(p.give[p.point_of[i]], 1e-6 / rod->node_mass[i], 0);
            if (i < LONG) assert_vec3_near(p.axis[i], vec3(1, 0, 0), 1e-12);
        }
        bool touched = true;
        cdg_pieces_store(&p, 1e-3, &touched);
        assert_false(touched);
        size_t node = (size_t)(50 * round);
        p.force[p.point_of[node]] = vec3(0, 0, 1);
        cdg_pieces_store(&p, 1e-3, &touched);
        assert_true(touched);
        assert_near(rod->x_next[2][node], p.give[p.point_of[node]], 1e-15);
        rod->x_next[2][node] = rod->v_next[2][node] = 0;
    }
    cdg_pieces_free(&p);
    cdg_world_destroy(world);
}

// Frames that have no inertia across (corde's constraint) turn there with their edge; a torque about it must not divide
// by that inertia.
static void frames_without_inertia_across_keep_their_turn(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("a", none, vec3(1, 2, 3), 0.01, 4);
    def.corde.coupling = CDG_CORDE_CONSTRAINT;
    cdg_rod_id id = contact_add(world, &def);
    cdg_pieces p = {0};
    build(world, &p);
    cdg_rod *rod = cdg_world_get_rod(world, id);
    stand_still(rod);
    rod_set_vec3(rod->w_next, 2, vec3(3, -4, 5));
    cdg_pieces_load(&p, 1e-3);
    p.torque[2] = 1e-3;
    bool touched[1];
    cdg_pieces_store(&p, 1e-3, touched);
    assert_true(touched[0]);
    cdg_vec3 w = rod_vec3(rod->w_next, 2);
    assert_near(hypot(w.x, w.y), 5, 1e-9);
    assert_true(w.z > 5 && isfinite(w.z));
    cdg_pieces_free(&p);
    cdg_world_destroy(world);
}

// A rod of an implicit model hands in its own response, and what contact will do comes to it as its own word.
static void implicit_rods_answer_as_a_whole(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("a", none, vec3(1, 0, 0), 0.01, 4);
    contact_add(world, &def);
    def.name = "b";
    def.model = CDG_MODEL_DER;
    contact_add(world, &def);
    cdg_proxy by_mass = cdg_rod_proxy(world->rods[0].rod), whole = cdg_rod_proxy(world->rods[1].rod);
    assert_false(by_mass.is_implicit);
    assert_int_equal(by_mass.response_size, 0);
    assert_true(whole.is_implicit && whole.response_size > 0 && !whole.is_loaded);
    assert_int_equal(whole.point_count, 5);
    assert_string_equal(whole.name, "b");
    assert_null(cdg_rod_proxy(NULL).object);
    assert_int_equal(cdg_rod_touch_of(NULL), CDG_UNTOUCHED);
    assert_int_equal(cdg_rod_touch_of(&(cdg_coupled){.state = CDG_CONTACT_RESTS}), CDG_RESTS);
    assert_int_equal(cdg_rod_touch_of(&(cdg_coupled){.state = CDG_CONTACT_STRIKES}), CDG_IS_STRUCK);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_go_where_they_belong),
        cmocka_unit_test(parts_of_a_long_rod_make_a_whole),
        cmocka_unit_test(frames_without_inertia_across_keep_their_turn),
        cmocka_unit_test(implicit_rods_answer_as_a_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
