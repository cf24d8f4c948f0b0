// Objects as contact sees them, in one numbering.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/pieces.h"
#include "contact_case.h"
#include "near.h"
#include "world/rod_proxy.h"
#include "world/world.h"

#include <stdlib.h>
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
    assert_near(cdg_pieces_separation(&p, 10, 7), 0.2, 1e-9);
    assert_near(cdg_pieces_separation(&p, 4, 10), 0, 1e-12);
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

// ---- an object that is no rod ---------------------------------------------------------------------------------------

// Beads on a line, all of one mass, that fly on at their speed.
enum { BEADS = 3 };
typedef struct beads {
    double x[3][BEADS], v[3][BEADS], x_next[3][BEADS];
    double *now[3], *velocity[3], *next[3];
    double rest_length[BEADS - 1], radius, mass;
    cdg_vec3 pushed[BEADS];
} beads;

static cdg_vec3 at(double *const arrays[3], size_t i) { return vec3(arrays[0][i], arrays[1][i], arrays[2][i]); }

static void read_beads(cdg_pieces *p, size_t index, double step) {
    const beads *it = p->objects[index].object;
    for (size_t i = 0; i < BEADS; i++) {
        uint32_t k = p->point_of[p->first_node[index] + i];
        p->start[k] = at(it->now, i);
        p->velocity[k] = at(it->velocity, i);
        p->free[k] = p->next[k] = at(it->next, i);
        p->base[k] = vec3_mad(p->next[k], -step, p->velocity[k]);
        p->give[k] += it->mass;
    }
}

static bool give_back_beads(const cdg_pieces *p, size_t index, double step) {
    beads *it = p->objects[index].object;
    (void)step;
    for (size_t i = 0; i < BEADS; i++) it->pushed[i] = p->force[p->point_of[p->first_node[index] + i]];
    return vec3_norm(it->pushed[0]) > 0;
}

// Whatever hands in points and a table is part of contact: nothing here is a rod.
static void any_object_takes_part(void **state) {
    (void)state;
    static const cdg_proxy_operations operations = {.read = read_beads, .give_back = give_back_beads};
    beads all[2] = {0};
    cdg_proxy proxies[2];
    for (int b = 0; b < 2; b++) {
        beads *it = &all[b];
        it->radius = 0.05, it->mass = 0.5;
        for (size_t k = 0; k < 3; k++) it->now[k] = it->x[k], it->velocity[k] = it->v[k], it->next[k] = it->x_next[k];
        for (size_t i = 0; i < BEADS; i++) it->x[0][i] = it->x_next[0][i] = (double)i, it->x[2][i] = 0.3 * b;
        for (size_t j = 0; j + 1 < BEADS; j++) it->rest_length[j] = 1;
        proxies[b] = (cdg_proxy){.object = it,
                                 .operations = &operations,
                                 .name = "beads",
                                 .point_count = BEADS,
                                 .segment_count = BEADS - 1,
                                 .length = BEADS - 1,
                                 .rest_length = it->rest_length,
                                 .radius = &it->radius,
                                 .now = it->now,
                                 .next = it->next,
                                 .velocity = it->velocity};
    }
    // The last bead of the first is the first of the second.
    const cdg_proxy_member members[2] = {{0, BEADS - 1}, {1, 0}};
    const cdg_proxy_joint joint = {0, 2};
    cdg_proxy_list list = {.proxies = proxies, .count = 2, .joints = &joint, .joint_count = 1, .members = members};
    cdg_pieces p = {0};
    cdg_error error;
    must(NULL, cdg_pieces_build(&p, &list, 0, &error));
    assert_int_equal(p.point_count, 1 + 2 * BEADS - 1);
    double step = 1e-2;
    cdg_pieces_load(&p, step);
    assert_near(p.give[1], step * step / 0.5, 1e-18);
    assert_near(p.give[p.ends[2][0]], step * step / 1.0, 1e-18); // two beads in one
    p.force[1] = vec3(0, 0, 7);
    bool touched[2];
    cdg_pieces_store(&p, step, touched);
    assert_true(touched[0] && !touched[1]);
    assert_vec3_near(all[0].pushed[0], vec3(0, 0, 7), 0);
    cdg_pieces_free(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbours_are_told_by_length),
        cmocka_unit_test(joined_nodes_are_one_point),
        cmocka_unit_test(any_object_takes_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
