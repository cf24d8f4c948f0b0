// Rods as contact sees them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/pieces.h"
#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

static const cdg_vec3 none = {0, 0, 0};

static void build(cdg_world *world, cdg_pieces *out) {
    cdg_rod *rods[8];
    cdg_error error;
    must(world, cdg_joints_form_nets(world));
    for (size_t i = 0; i < world->rod_count; i++) rods[i] = world->rods[i].rod;
    must(world, cdg_pieces_build(out, rods, world->rod_count, world->nets, world->net_count, 0, &error));
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

// By arc length, whatever the number of elements: pi radii.
static void neighbours_are_told_by_length(void **state) {
    (void)state;
    static const size_t counts[] = {10, 40, 160};
    for (int round = 0; round < 6; round++) {
        cdg_world *world = contact_world(none, 1e-3, 0, 1);
        bool is_ring = round >= 3;
        size_t count = counts[round % 3];
        cdg_rod_def def = contact_rod("rod", none, vec3(1, 0, 0), 0.02, count);
        if (is_ring) {
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.closed = true;
            def.centerline.circle.axis = vec3(0, 0, 1);
            def.centerline.circle.radius = 1 / 6.283185307179586;
        }
        contact_add(world, &def);
        cdg_pieces p = {0};
        build(world, &p);
        double length = world->rods[0].rod->length / (double)count;
        for (uint32_t a = 0; a < count; a++)
            for (uint32_t b = 0; b < count; b++) {
                uint32_t between = a > b ? a - b : b - a; // elements between their nearest ends, and one
                if (is_ring && between > count - between) between = (uint32_t)count - between;
                double apart = between > 0 ? (between - 1) * length : -length;
                if (fabs(apart - 3.141592653589793 * 0.02) < 1e-9) continue;
                assert_int_equal(cdg_pieces_are_neighbours(&p, a, b), apart < 3.141592653589793 * 0.02);
            }
        cdg_pieces_free(&p);
        cdg_world_destroy(world);
    }
}

static void joined_nodes_are_one_point(void **state) {
    (void)state;
    cdg_world *world = contact_world(none, 1e-3, 0, 1);
    cdg_rod_def a = contact_rod("a", none, vec3(1, 0, 0), 0.01, 10);
    cdg_rod_def b = contact_rod("b", vec3(0.5, 0, 0), vec3(0.5, 1, 0), 0.01, 10);
    cdg_rod_id ids[2] = {contact_add(world, &a), contact_add(world, &b)};
    cdg_place places[2] = {{.rod = ids[0], .index = 5}, {.rod = ids[1], .index = 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places, joint.place_count = 2;
    must(world, cdg_world_add_joint(world, &joint, NULL));
    cdg_pieces p = {0};
    build(world, &p);
    assert_int_equal(p.point_count, 1 + 11 + 11 - 1);
    assert_int_equal(p.point_of[5], p.point_of[11]);
    assert_int_equal(p.ends[10][0], p.ends[4][1]);
    assert_true(cdg_pieces_are_neighbours(&p, 4, 10)); // at the joint
    assert_true(cdg_pieces_are_neighbours(&p, 10, 5));
    assert_false(cdg_pieces_are_neighbours(&p, 10, 7)); // 0.2 m along the rods
    assert_false(cdg_pieces_are_neighbours(&p, 14, 5));

    // One force moves both copies, by their common mass.
    for (int k = 0; k < 2; k++) stand_still(world->rods[k].rod);
    double step = 1e-3;
    cdg_pieces_load(&p, step);
    double mass = world->rods[0].rod->node_mass[5] + world->rods[1].rod->node_mass[0];
    assert_near(p.give[p.point_of[5]], step * step / mass, 1e-12 * p.give[p.point_of[5]]);
    p.force[p.point_of[5]] = vec3(0, 0, 2);
    bool touched[2];
    cdg_pieces_store(&p, step, touched);
    assert_true(touched[0] && touched[1]);
    for (int k = 0; k < 2; k++) {
        const cdg_rod *rod = world->rods[k].rod;
        size_t node = k == 0 ? 5 : 0;
        assert_near(rod->x_next[2][node], 2 * step * step / mass, 1e-18);
        assert_near(rod->v_next[2][node], 2 * step / mass, 1e-15);
    }
    cdg_pieces_free(&p);
    cdg_world_destroy(world);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_told_by_length),
        cmocka_unit_test(joined_nodes_are_one_point),
        cmocka_unit_test(forces_go_where_they_belong),
        cmocka_unit_test(frames_without_inertia_across_keep_their_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
