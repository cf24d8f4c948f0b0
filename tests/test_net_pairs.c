// Stiffness of the pairs at a joint: closed forms, and the energy that remains when the joint's section is in
// equilibrium, found here from the sum of the half segments.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/random.h"
#include "math/symmetric3.h"
#include "near.h"
#include "rods/net.h"

#define ELEMENTS 4

static cdg_rod *line(cdg_vec3 from, cdg_vec3 to, const double bend[2], double twist) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "line";
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE, .line = {from, to}};
    def.element_count = ELEMENTS;
    cdg_vec3 along = vec3_sub(to, from), normal = vec3(along.y, along.z, along.x);
    def.initial_normal = &normal; // lines along axes have sections along axes
    def.has_stiffness = true;
    def.stiffness = (cdg_stiffness){.stretch = 1e3,
                                    .shear = {1e3, 1e3},
                                    .bend = {bend[0], bend[1]},
                                    .twist = twist,
                                    .mass = 1,
                                    .inertia = {1e-4, 1e-4, 2e-4},
                                    .radius = 1e-2};
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
    return rod;
}

static cdg_net *join(cdg_rod *const *rods, const size_t *nodes, size_t count, cdg_net_joint_def joint) {
    cdg_net_member members[8];
    for (size_t i = 0; i < count; i++) members[i] = cdg_net_member_of(rods[i], (uint32_t)i, nodes[i]);
    joint.members = members;
    joint.count = count;
    cdg_net *net = NULL;
    cdg_error error;
    assert_int_equal(cdg_net_build(rods, count, &joint, 1, &net, &error), CDG_OK);
    return net;
}

static void drop(cdg_net *net, cdg_rod **rods, size_t count) {
    cdg_net_destroy(net);
    for (size_t i = 0; i < count; i++) cdg_rod_destroy(rods[i]);
}

static void assert_diagonal(const double k[6], double x, double y, double z) {
    const double expected[6] = {x, 0, 0, y, 0, z};
    for (int i = 0; i < 6; i++) assert_near(k[i], expected[i], 1e-12);
}

// n equal segments, equally stiff about all axes: 2 B/(n l) for each two of them, at any angles.
static void equal_segments_share_the_joint(void **state) {
    (void)state;
    cdg_random random = {1};
    const double bend[2] = {3, 3};
    for (size_t n = 2; n <= 6; n++) {
        cdg_rod *rods[6];
        size_t nodes[6] = {0};
        for (size_t i = 0; i < n; i++) rods[i] = line(vec3(0, 0, 0), vec3_normalize(random_vec3(&random, 1)), bend, 3);
        cdg_net *net = join(rods, nodes, n, (cdg_net_joint_def){.stiffness = 1});
        assert_int_equal(net->pair_count, n * (n - 1) / 2);
        double k = 2 * 3.0 * ELEMENTS / (double)n;
        for (size_t p = 0; p < net->pair_count; p++) assert_diagonal(net->pairs[p].stiffness, k, k, k);
        drop(net, rods, n);
    }
}

// A branch on a rod that goes on: of the rod's cell, k/2, a third of k is left, which with the way over the branch,
// k/6, is as much as without it.
static void a_branch_leaves_the_rod_as_stiff_as_it_was(void **state) {
    (void)state;
    const double bend[2] = {2, 2}, k = 2 * 2 * ELEMENTS / 2.0;
    cdg_rod *rods[2] = {line(vec3(-1, 0, 0), vec3(1, 0, 0), bend, 2), line(vec3(0, 0, 0), vec3(0, 2, 0), bend, 2)};
    cdg_net *net = join(rods, (size_t[]){2, 0}, 2, (cdg_net_joint_def){.stiffness = 1});
    assert_int_equal(net->pair_count, 3);
    int within = 0;
    for (size_t p = 0; p < 3; p++) {
        const cdg_net_pair *pair = &net->pairs[p];
        within += pair->is_within;
        double expected = pair->is_within ? k / 3 - k / 2 : k / 3;
        assert_diagonal(pair->stiffness, expected, expected, expected);
        if (!pair->is_within) continue;
        assert_int_equal(pair->node_a, 2);
        assert_diagonal(pair->instead, k / 3, k / 3, k / 3);
    }
    assert_int_equal(within, 1);
    assert_int_equal(net->segments[0].pair_count, 1); // that within the rod is not counted
    cdg_net_destroy(net);
    net = join(rods, (size_t[]){2, 0}, 2, (cdg_net_joint_def){.stiffness = 0});
    assert_int_equal(net->pair_count, 0); // a hinge takes nothing from the rod
    // nothing is taken, either, where the section is held, for the cell is not there then
    cdg_net_destroy(net);
    net = join(rods, (size_t[]){2, 0}, 2, (cdg_net_joint_def){.stiffness = 1});
    cdg_hold hold = {.node = 2, .holds_position = true, .frame_hold = CDG_HOLD_FRAME};
    cdg_hold other = {.node = 0, .holds_position = true, .frame_hold = CDG_HOLD_FRAME};
    for (int held = 0; held < 3; held++) { // none, the rod, the branch as well
        rods[0]->holds = held > 0 ? &hold : NULL;
        rods[0]->hold_count = held > 0;
        rods[1]->holds = held > 1 ? &other : NULL;
        rods[1]->hold_count = held > 1;
        for (size_t p = 0; p < 3; p++)
            assert_int_equal(cdg_net_pair_acts(net, &net->pairs[p]),
                             held == 0 || (held == 1 && !net->pairs[p].is_within));
    }
    for (int i = 0; i < 2; i++) rods[i]->holds = NULL, rods[i]->hold_count = 0;
    drop(net, rods, 2);
}

// A factor is that of two rods end to end; above 1 it is that of pairs.
static void a_factor_is_that_of_two_rods(void **state) {
    (void)state;
    const double bend[2] = {2, 5}, factors[] = {0.1, 0.5, 0.999, 1, 3, 100};
    for (size_t i = 0; i < 6; i++) {
        cdg_rod *rods[2] = {line(vec3(0, 0, 0), vec3(1, 0, 0), bend, 3), line(vec3(1, 0, 0), vec3(2, 0, 0), bend, 3)};
        cdg_net *net = join(rods, (size_t[]){ELEMENTS, 0}, 2, (cdg_net_joint_def){.stiffness = factors[i]});
        assert_int_equal(net->pair_count, 1);
        double k = factors[i] * ELEMENTS, size = fmax(1, factors[i]);
        const double expected[6] = {2 * k, 0, 0, 5 * k, 0, 3 * k};
        for (int c = 0; c < 6; c++) assert_near(net->pairs[0].stiffness[c], expected[c], 1e-12 * size);
        drop(net, rods, 2);
    }
}

// However the rods lie, what is soft about one axis is neither lost beside what is rigid about the others, nor do these
// give way: with arms of 8e5 N m a hinge became a ball joint, and 2 mN m were wrong by several times. Numbers that
// are larger than rigid ones are these.
static void soft_axes_are_kept_beside_rigid_ones(void **state) {
    (void)state;
    cdg_random random = {5};
    const double bend[2] = {1e5, 1e5}, soft[] = {0, 2e-3, 2e-2, 1e3, HUGE_VAL}, rigid[] = {HUGE_VAL, 1e18, 1e300};
    for (size_t i = 0; i < 60; i++) {
        cdg_vec3 way = vec3_normalize(random_vec3(&random, 1));
        cdg_rod *rods[2] = {line(vec3(0, 0, 0), way, bend, 8e4), line(way, vec3_scale(2, way), bend, 8e4)};
        cdg_net_joint_def joint = {.has_axes = true, .axes = {soft[i % 5], rigid[i % 3], rigid[i / 3 % 3]}};
        cdg_net *net = join(rods, (size_t[]){ELEMENTS, 0}, 2, joint);
        assert_int_equal(net->pair_count, 1);
        double arm = 2 * ELEMENTS * 1e5, twist = 2 * ELEMENTS * 8e4, k0 = joint.axes[0];
        const double *k = net->pairs[0].stiffness;
        double expected = k0 > 0 ? 1 / (2 / arm + 1 / k0) : 0;
        assert_near(k[0], expected, 1e-4 * fmax(expected, 2e-3));
        assert_near(k[3], arm / 2, 1e-5 * arm);
        assert_near(k[5], twist / 2, 1e-5 * twist);
        drop(net, rods, 2);
    }
}

// What the joint has about each axis acts in series with both halves.
static void axes_act_in_series(void **state) {
    (void)state;
    const double bend[2] = {2, 5}, other[2] = {1, 4};
    cdg_rod *rods[2] = {line(vec3(0, 0, 0), vec3(1, 0, 0), bend, 3), line(vec3(1, 0, 0), vec3(2, 0, 0), other, 7)};
    cdg_net_joint_def joint = {.has_axes = true, .axes = {0.5, HUGE_VAL, 0}};
    cdg_net *net = join(rods, (size_t[]){ELEMENTS, 0}, 2, joint);
    assert_int_equal(net->pair_count, 1);
    double arm = 2 * ELEMENTS;
    const double *k = net->pairs[0].stiffness;
    assert_near(1 / k[0], 1 / (arm * 2) + 1 / 0.5 + 1 / (arm * 1), 1e-8);
    assert_near(1 / k[3], 1 / (arm * 5) + 1 / (arm * 4), 1e-6); // rigid
    assert_near(k[5], 0, 1e-9);                                 // a swivel
    cdg_net_destroy(net);
    joint = (cdg_net_joint_def){.has_axes = true, .axes = {0, 0, 0}};
    net = join(rods, (size_t[]){ELEMENTS, 0}, 2, joint);
    assert_int_equal(net->pair_count, 0);
    cdg_net_destroy(net);
    cdg_net_member members[2] = {cdg_net_member_of(rods[0], 0, ELEMENTS), cdg_net_member_of(rods[1], 1, 0)};
    joint = (cdg_net_joint_def){.members = members, .count = 2, .has_axes = true, .axes = {0, -1, 0}};
    cdg_error error = {0};
    assert_int_equal(cdg_net_build(rods, 2, &joint, 1, &net, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "about its axis 2 is -1 N m"));
    cdg_rod_destroy(rods[0]);
    cdg_rod_destroy(rods[1]);
}

// Of segments that are turned by small vectors: what half segments hold when the section between them is free.
static double free_section_energy(cdg_rod *const *rods, const cdg_vec3 *turn, size_t count) {
    symmetric3 sum = {0};
    cdg_vec3 pull = vec3(0, 0, 0);
    double energy = 0;
    for (size_t i = 0; i < count; i++) {
        cdg_quat q = rod_quat(rods[i]->q, 0);
        const cdg_vec3 axes[3] = {quat_d1(q), quat_d2(q), quat_d3(q)};
        for (int a = 0; a < 3; a++) {
            double k = 2 * rods[i]->bend_stiffness[a][0] / rods[i]->rest_length[0], part = vec3_dot(axes[a], turn[i]);
            sum = symmetric3_add_outer(sum, k, axes[a]);
            pull = vec3_mad(pull, k * part, axes[a]);
            energy += k * part * part / 2;
        }
    }
    return energy - vec3_dot(pull, symmetric3_times(symmetric3_inverse(sum), pull)) / 2;
}

static double pairs_energy(const cdg_net *net, const cdg_vec3 *turn) {
    double sum = 0;
    for (size_t p = 0; p < net->pair_count; p++) {
        const cdg_net_pair *pair = &net->pairs[p];
        cdg_quat a = rod_quat(net->rods[pair->rod_a]->q, 0), b = rod_quat(net->rods[pair->rod_b]->q, 0);
        sum += cdg_net_pair_energy(pair, quat_multiply(quat_exp(turn[pair->rod_a]), a),
                                   quat_multiply(quat_exp(turn[pair->rod_b]), b));
    }
    return sum;
}

// `directions` of the rods; returns the largest error as a share of the energy.
static double worst_error(cdg_random *random, const cdg_vec3 *directions, size_t count, const double bend[2],
                          double twist) {
    cdg_rod *rods[6];
    size_t nodes[6] = {0};
    for (size_t i = 0; i < count; i++) rods[i] = line(vec3(0, 0, 0), directions[i], bend, twist);
    cdg_net *net = join(rods, nodes, count, (cdg_net_joint_def){.stiffness = 1});
    double worst = 0;
    for (int trial = 0; trial < 50; trial++) {
        cdg_vec3 turn[6];
        for (size_t i = 0; i < count; i++) turn[i] = random_vec3(random, 1e-7);
        double expected = free_section_energy(rods, turn, count), energy = pairs_energy(net, turn);
        assert_true(energy >= 0);
        worst = fmax(worst, fabs(energy - expected) / expected);
    }
    drop(net, rods, count);
    return worst;
}

static void pairs_hold_what_a_free_section_leaves(void **state) {
    (void)state;
    cdg_random random = {2};
    const cdg_vec3 square[5] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, -1, 0}};
    // flat sections at right angles: all principal axes are parallel or at right angles
    assert_true(worst_error(&random, square, 5, (double[]){1, 10}, 4) < 1e-5);
    for (int trial = 0; trial < 20; trial++) {
        cdg_vec3 any[5];
        for (int i = 0; i < 5; i++) any[i] = vec3_normalize(random_vec3(&random, 1));
        assert_true(worst_error(&random, any, 5, (double[]){2, 2}, 2) < 1e-5);
        // round rods of rubber twist 2/3 as stiffly as they bend: the skew part is small
        assert_true(worst_error(&random, any, 5, (double[]){3, 3}, 2) < 0.02);
        worst_error(&random, any, 5, (double[]){1, 1000}, 10); // never negative
    }
}

// Rods that hardly twist: arms do, but what is missing to a rod's cell is never more than the cell.
static void nothing_is_taken_from_twisting_that_is_not_there(void **state) {
    (void)state;
    const double bend[2] = {3, 3}, twist = 1e-6, k = 2 * ELEMENTS / 2.0;
    cdg_rod *rods[2] = {line(vec3(-1, 0, 0), vec3(1, 0, 0), bend, twist),
                        line(vec3(0, 0, 0), vec3(1, 1, 1), bend, twist)};
    cdg_net *net = join(rods, (size_t[]){2, 0}, 2, (cdg_net_joint_def){.stiffness = 1});
    assert_int_equal(net->pair_count, 3);
    for (size_t p = 0; p < 3; p++) {
        const cdg_net_pair *pair = &net->pairs[p];
        if (!pair->is_within) continue;
        assert_true(pair->stiffness[5] < 0 && pair->stiffness[5] > -twist * k / 2);
        assert_true(pair->instead[5] > 0 && pair->instead[5] < twist * k / 2);
        assert_near(pair->instead[5] - pair->stiffness[5], twist * k / 2, 1e-15);
        assert_near(pair->instead[0] - pair->stiffness[0], 3 * k / 2, 1e-12);
    }
    drop(net, rods, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_segments_share_the_joint),
        cmocka_unit_test(a_branch_leaves_the_rod_as_stiff_as_it_was),
        cmocka_unit_test(a_factor_is_that_of_two_rods),
        cmocka_unit_test(axes_act_in_series),
        cmocka_unit_test(soft_axes_are_kept_beside_rigid_ones),
        cmocka_unit_test(nothing_is_taken_from_twisting_that_is_not_there),
        cmocka_unit_test(pairs_hold_what_a_free_section_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
