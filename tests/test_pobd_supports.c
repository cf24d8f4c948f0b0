// Supports of pobd: half-cell springs, and reactions that balance momentum.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "near.h"
#include "rods/pobd/parts.h"
#include "small_world.h"

// The half cell has half the length, hence twice the stiffness of a whole one, and half the rest turn.
static void test_anchors(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.element_count = 4;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.5;
    cdg_rod *rod = NULL;
    assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
    cdg_hold holds[3] = {{.node = 0, .frame_hold = CDG_HOLD_FRAME, .frame = {1, 0, 0, 0}},
                         {.node = 2, .frame_hold = CDG_HOLD_ROLL, .frame = {1, 0, 0, 0}},
                         {.node = 4, .holds_position = true}};
    rod->holds = holds;
    rod->hold_count = 3;
    double bend[3][5];
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 5; i++) bend[k][i] = 7;
    pobd_anchor anchors[6];
    assert_int_equal(pobd_set_anchors(rod, 1e-3, 1, (double *[]){bend[0], bend[1], bend[2]}, anchors), 3);
    double half = rod->rest_length[0] / 2;
    assert_int_equal(anchors[0].side, 1);
    assert_near(anchors[0].stiffness[0], 4 * rod->bend_stiffness[0][0] / half, 1e-9 * anchors[0].stiffness[0]);
    assert_near(anchors[0].rest_half.x, sin(0.5 * 0.5 * half), 1e-12);
    assert_int_equal(anchors[1].side, -1); // left half cell of the inner node, then the right one
    assert_int_equal(anchors[2].side, 1);
    assert_true(anchors[1].stiffness[0] == 0 && anchors[1].stiffness[2] > 0); // roll only
    assert_true(bend[0][2] == 7 && bend[2][2] == 0 && bend[2][1] == 7);       // its own twist spring is replaced
    rod->holds = NULL;
    cdg_rod_destroy(rod);
}

// Euler's step balances exactly: change of momentum = (reaction + weight) times step.
static void test_reactions_balance_momentum(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = 50;
    def.pobd.tolerance = 1e-15;
    def.element_count = 12;
    def.centerline.line.to = (cdg_vec3){0.4, 0, 0};
    cdg_vec3 gravity = {1, 2, -9};
    small_world small = small_world_make(&def, gravity, 1e-3, true);
    cdg_rod_info info;
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    for (int step = 0; step < 40; step++) {
        cdg_vec3 before, after, angular, force, moment;
        cdg_world_momentum(small.world, &before, &angular);
        must(small.world, cdg_world_step(small.world, NULL));
        cdg_world_momentum(small.world, &after, &angular);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        cdg_vec3 push = vec3_mad(force, info.mass, gravity);
        cdg_vec3 change = vec3_scale(1e3, vec3_sub(after, before));
        assert_true(vec3_distance(push, change) < 1e-6 * (1e-3 + vec3_norm(change)));
    }
    cdg_world_destroy(small.world);
}

// At rest the clamp carries weight and its moment about the clamp.
static void test_reactions_at_rest(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "a";
    def.element_count = 20;
    def.section.radius = 5e-3;
    def.centerline.line.to = (cdg_vec3){0.2, 0, 0};
    small_world small = small_world_make(&def, (cdg_vec3){0, 0, -9.81}, 5e-3, true);
    small_world_drag(&small, 20);
    small_world_run(&small, 2000);
    cdg_rod_info info;
    cdg_vec3 positions[21], force, moment, expected = {0};
    must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
    must(small.world, cdg_rod_positions(small.world, small.rod, positions));
    must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
    assert_near(force.z, info.mass * 9.81, 1e-6 * info.mass * 9.81);
    for (int i = 0; i <= 20; i++) {
        double mass = info.mass / 20 * (i == 0 || i == 20 ? 0.5 : 1);
        cdg_vec3 weight = {0, 0, -9.81 * mass};
        expected = vec3_sub(expected, vec3_cross(vec3_sub(positions[i], positions[0]), weight));
    }
    assert_true(vec3_distance(moment, expected) < 1e-6 * vec3_norm(expected));
    cdg_world_destroy(small.world);
}

// ---- sweeps that are not finished -----------------------------------------------------------------------------------

enum { RODS_MAX = 8, ITERATIONS = 4 };

typedef struct swept_case {
    const char *name;
    int rods;        // side by side; 0: one
    bool is_joined;  // all to the first, at its held start
    bool holds_ends; // of each rod: clamps at both ends, else at the start alone
    bool is_damped;
    cdg_pobd_darboux darboux;
    int inner;        // node that a clamp holds, too; 0: none
    bool is_attached; // by long-range attachments
} swept_case;

static void add_swept(cdg_world *world, const swept_case *it, int number, cdg_rod_id *rod) {
    char name[8];
    (void)snprintf(name, sizeof name, "r%d", number);
    cdg_rod_def def = cdg_rod_def_default();
    def.name = name;
    def.material.young_modulus = 1e8;
    def.section.radius = 2e-3;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = ITERATIONS;
    def.pobd.darboux = it->darboux;
    def.pobd.long_range_attachments = it->is_attached;
    def.element_count = 12;
    double y = it->is_joined ? 0 : 0.1 * number, angle = it->is_joined ? 0.7 * number : 0;
    def.centerline.line.from = vec3(0, y, 0);
    def.centerline.line.to = vec3(0.4 * cos(angle), y + 0.4 * sin(angle), 0);
    if (it->is_damped) def.material.damping_stretch = def.material.damping_bend = 1e-4;
    must(world, cdg_world_add_rod(world, &def, rod));
}

// By how much momentum, linear and angular, changes otherwise than supports and weight say, as a share of what the
// supports exert, in the worst step.
typedef struct imbalance {
    double linear, angular;
} imbalance;

static imbalance drive(const swept_case *it) {
    const double step = 2e-3;
    const cdg_vec3 gravity = {1, 2, -9};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = gravity;
    world_def.step = step;
    world_def.is_unguarded = true;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    cdg_rod_id rods[RODS_MAX];
    cdg_support_id supports[3 * RODS_MAX];
    size_t nodes[3] = {0, 12, (size_t)it->inner}, of_rod = it->holds_ends ? 2 : 1, count = 0;
    if (it->inner > 0) nodes[of_rod++] = (size_t)it->inner;
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {0.03, 0.01, 0.04}, .to = 0.1, .ease = CDG_EASE_SMOOTH};
    for (int i = 0; i < it->rods; i++) {
        add_swept(world, it, i, &rods[i]);
        for (size_t k = 0; k < of_rod && (i == 0 || !it->is_joined); k++) {
            cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP,
                                     .place = {rods[i], CDG_PLACE_NODE, nodes[k]},
                                     .motions = &motion,
                                     .motion_count = 1};
            must(world, cdg_world_add_support(world, &clamp, &supports[count++]));
        }
    }
    cdg_place places[RODS_MAX];
    for (int i = 0; i < it->rods; i++) places[i] = (cdg_place){rods[i], CDG_PLACE_NODE, 0};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places, joint.place_count = (size_t)it->rods;
    if (it->is_joined) must(world, cdg_world_add_joint(world, &joint, NULL));
    imbalance worst = {0};
    for (int i = 0; i < 50; i++) {
        cdg_vec3 before[2], after[2], push = {0}, turn = {0};
        double pushes = 0, turns = 0;
        cdg_world_momentum(world, &before[0], &before[1]);
        must(world, cdg_world_step(world, NULL));
        cdg_world_momentum(world, &after[0], &after[1]);
        for (int r = 0; r < it->rods; r++) {
            cdg_vec3 x[13];
            cdg_rod_info info;
            must(world, cdg_rod_get_info(world, rods[r], &info));
            must(world, cdg_rod_positions(world, rods[r], x));
            for (int k = 0; k <= 12; k++) {
                cdg_vec3 weight = vec3_scale(info.mass / 12 * (k == 0 || k == 12 ? 0.5 : 1), gravity);
                push = vec3_add(push, weight);
                turn = vec3_add(turn, vec3_cross(x[k], weight));
            }
            for (size_t k = 0; k < of_rod && (r == 0 || !it->is_joined); k++) {
                cdg_vec3 force, moment;
                must(world, cdg_support_reaction(world, supports[(size_t)r * of_rod + k], &force, &moment));
                moment = vec3_add(moment, vec3_cross(x[nodes[k]], force));
                push = vec3_add(push, force), turn = vec3_add(turn, moment);
                pushes += vec3_norm(force), turns += vec3_norm(moment);
            }
        }
        cdg_vec3 change[2];
        for (int k = 0; k < 2; k++) change[k] = vec3_scale(1 / step, vec3_sub(after[k], before[k]));
        worst.linear = fmax(worst.linear, vec3_distance(push, change[0]) / pushes);
        worst.angular = fmax(worst.angular, vec3_distance(turn, change[1]) / turns);
    }
    cdg_world_destroy(world);
    return worst;
}

// Few sweeps leave strains that are far from what they have done to the nodes; supports exert what they have done.
static void test_unfinished_sweeps_balance_momentum(void **state) {
    (void)state;
    const swept_case cases[] = {
        {.name = "start"},
        {.name = "ends", .holds_ends = true},
        {.name = "sine", .holds_ends = true, .darboux = CDG_POBD_SINE},
        {.name = "tangent", .holds_ends = true, .darboux = CDG_POBD_TANGENT},
        {.name = "damped", .holds_ends = true, .is_damped = true},
        {.name = "inner", .holds_ends = true, .inner = 5},
        {.name = "inner, tangent", .holds_ends = true, .inner = 5, .darboux = CDG_POBD_TANGENT},
        {.name = "team", .rods = 8, .holds_ends = true},
        {.name = "team, sine", .rods = 8, .darboux = CDG_POBD_SINE},
        {.name = "net", .rods = 4, .is_joined = true},
        {.name = "attached", .is_attached = true},
        {.name = "attached net", .rods = 4, .is_joined = true, .is_attached = true},
        {.name = "attached to both ends", .holds_ends = true, .is_attached = true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        swept_case it = cases[i];
        if (it.rods == 0) it.rods = 1;
        imbalance off = drive(&it);
        // by strains 0.77 to 0.99 and 0.5 to 2.6; what is left is by frames that turn between sweeps
        if (!(off.linear < 0.01 && off.angular < 0.04))
            fail_msg("%s: forces %g, moments %g", cases[i].name, off.linear, off.angular);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_anchors),
        cmocka_unit_test(test_reactions_balance_momentum),
        cmocka_unit_test(test_reactions_at_rest),
        cmocka_unit_test(test_unfinished_sweeps_balance_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
