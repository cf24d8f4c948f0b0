// Nets: pairs of segments against differences of their energy, rigid motions, opposite torques, rest at any angle;
// which points are one and which pairs there are; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "math/random.h"
#include "near.h"
#include "rods/net.h"

#define PI 3.14159265358979323846
#define JOINT(members_, count_, factor)                                                                                \
    { .members = (members_), .count = (count_), .stiffness = (factor) }

// ---- pairs ----------------------------------------------------------------------------------------------------------

typedef struct long_quat {
    long double w, x, y, z;
} long_quat;

static long_quat widen(cdg_quat q) { return (long_quat){q.w, q.x, q.y, q.z}; }

static long_quat times(long_quat a, long_quat b) {
    return (long_quat){a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                       a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}

static long_quat conjugate(long_quat q) { return (long_quat){q.w, -q.x, -q.y, -q.z}; }

static long_quat turned(long_quat q, int axis, long double angle) { // about a material axis
    long double half[3] = {0, 0, 0};
    half[axis] = sinl(angle / 2);
    return times(q, (long_quat){cosl(angle / 2), half[0], half[1], half[2]});
}

// The energy as net.h states it, written out once more.
static long double energy_of(const cdg_net_pair *pair, long_quat a, long_quat b) {
    long_quat e = times(conjugate(widen(pair->rest)), times(conjugate(a), b));
    const double *k = pair->stiffness;
    long double sum = k[0] * e.x * e.x + k[3] * e.y * e.y + k[5] * e.z * e.z;
    sum += 2 * (k[1] * e.x * e.y + k[2] * e.x * e.z + k[4] * e.y * e.z);
    return 2 * sum;
}

static cdg_net_pair random_pair(cdg_random *random, int which) {
    cdg_net_pair pair = {.rest = random_rotation(random)};
    if (which % 4 == 1) pair.rest = quat_exp(vec3_scale(PI / 2, vec3_normalize(random_vec3(random, 1))));
    if (which % 4 == 2) pair.rest = quat_exp(vec3_scale(PI, vec3_normalize(random_vec3(random, 1))));
    if (which % 4 == 3) pair.rest = quat_identity();
    double low[3][3]; // K = L L^T is positive definite
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) low[i][j] = j > i ? 0 : random_in(random, i == j ? 0.5 : -1, 1);
    double k[3][3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            k[i][j] = 0;
            for (int m = 0; m < 3; m++) k[i][j] += low[i][m] * low[j][m];
        }
    const double six[6] = {k[0][0], k[0][1], k[0][2], k[1][1], k[1][2], k[2][2]};
    memcpy(pair.stiffness, six, sizeof six);
    return pair;
}

static double component(cdg_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

static void test_torques_are_minus_the_gradient(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int i = 0; i < 400; i++) {
        cdg_net_pair pair = random_pair(&random, i);
        cdg_quat a = random_rotation(&random);
        // Away from rest by up to 2.6 rad; at pi the energy has its kink.
        cdg_vec3 away = vec3_scale(random_in(&random, 0, 2.6), vec3_normalize(random_vec3(&random, 1)));
        cdg_quat b = quat_multiply(quat_multiply(a, pair.rest), quat_exp(away));
        if (i % 2 == 0) b = quat_negate(b);
        assert_near(cdg_net_pair_energy(&pair, a, b), (double)energy_of(&pair, widen(a), widen(b)), 1e-14);
        cdg_net_torques torques = cdg_net_pair_torques(&pair, a, b);
        const long double small = 1e-6L;
        for (int axis = 0; axis < 3; axis++) {
            long double up_a = energy_of(&pair, turned(widen(a), axis, small), widen(b));
            long double down_a = energy_of(&pair, turned(widen(a), axis, -small), widen(b));
            long double up_b = energy_of(&pair, widen(a), turned(widen(b), axis, small));
            long double down_b = energy_of(&pair, widen(a), turned(widen(b), axis, -small));
            assert_near(component(torques.on_a, axis), (double)((down_a - up_a) / (2 * small)), 1e-10);
            assert_near(component(torques.on_b, axis), (double)((down_b - up_b) / (2 * small)), 1e-10);
        }
    }
}

static void test_torques_are_opposite_in_the_world(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int i = 0; i < 200; i++) {
        cdg_net_pair pair = random_pair(&random, i);
        cdg_quat a = random_rotation(&random), b = random_rotation(&random);
        cdg_net_torques torques = cdg_net_pair_torques(&pair, a, b);
        cdg_vec3 sum = vec3_add(quat_rotate(a, torques.on_a), quat_rotate(b, torques.on_b));
        assert_vec3_near(sum, vec3(0, 0, 0), 1e-14);
    }
}

static void test_a_rigid_turn_changes_nothing(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int i = 0; i < 200; i++) {
        cdg_net_pair pair = random_pair(&random, i);
        cdg_quat a = random_rotation(&random), b = random_rotation(&random), turn = random_rotation(&random);
        cdg_quat c = quat_multiply(turn, a), d = quat_multiply(turn, b);
        assert_near(cdg_net_pair_energy(&pair, a, b), cdg_net_pair_energy(&pair, c, d), 1e-14);
        assert_vec3_near(cdg_net_pair_torques(&pair, a, b).on_b, cdg_net_pair_torques(&pair, c, d).on_b, 1e-14);
    }
}

static void test_rest_has_neither_energy_nor_torque(void **state) {
    (void)state;
    cdg_random random = {4};
    for (int i = 0; i < 40; i++) {
        cdg_net_pair pair = random_pair(&random, i);
        cdg_quat a = random_rotation(&random), b = quat_multiply(a, pair.rest);
        if (i % 3 == 0) a = quat_negate(a);
        assert_near(cdg_net_pair_energy(&pair, a, b), 0, 1e-30);
        assert_vec3_near(cdg_net_pair_torques(&pair, a, b).on_a, vec3(0, 0, 0), 1e-15);
        // and any small turn away from it costs energy, also where the segments meet at 180 degrees
        cdg_quat off = quat_multiply(b, quat_exp(vec3_scale(1e-3, vec3_normalize(random_vec3(&random, 1)))));
        assert_true(cdg_net_pair_energy(&pair, a, off) > 1e-9);
    }
}

// ---- building -------------------------------------------------------------------------------------------------------

static cdg_rod *line(cdg_vec3 from, cdg_vec3 to, size_t elements, const cdg_section *section) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "line";
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE, .line = {from, to}};
    def.element_count = elements;
    if (section != NULL) def.section = *section;
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
    return rod;
}

static void set_members(cdg_rod *const *rods, const uint32_t *rod, const size_t *node, size_t count,
                        cdg_net_member *out) {
    for (size_t i = 0; i < count; i++) out[i] = cdg_net_member_of(rods[rod[i]], rod[i], node[i]);
}

static double bend_energy(const cdg_rod *rod) {
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &energy);
    return energy.bend + energy.twist;
}

// Cut a bent and twisted rod in two and join the halves: nothing changes, for small turns (the measures within a rod
// and at a joint differ by the turn's square).
static void test_two_rods_end_to_end_are_as_one(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_section flat = {.kind = CDG_SECTION_RECTANGLE, .side = {4e-3, 1e-3}};
    for (int trial = 0; trial < 20; trial++) {
        cdg_rod *whole = line(vec3(0, 0, 0), vec3(1, 0, 0), 8, &flat);
        cdg_rod *halves[2] = {line(vec3(0, 0, 0), vec3(0.5, 0, 0), 4, &flat),
                              line(vec3(0.5, 0, 0), vec3(1, 0, 0), 4, &flat)};
        cdg_net_member members[2];
        set_members(halves, (uint32_t[]){0, 1}, (size_t[]){4, 0}, 2, members);
        cdg_net_joint_def joint = JOINT(members, 2, 1);
        cdg_net *net = NULL;
        cdg_error error;
        assert_int_equal(cdg_net_build(halves, 2, &joint, 1, &net, &error), CDG_OK);
        assert_int_equal(net->pair_count, 1);
        for (size_t j = 0; j < 8; j++) {
            cdg_quat q = quat_multiply(rod_quat(whole->q, j), quat_exp(random_vec3(&random, 1e-4)));
            rod_set_quat(whole->q, j, q);
            rod_set_quat(halves[j / 4]->q, j % 4, q);
        }
        double pair = cdg_net_pair_energy(&net->pairs[0], rod_quat(halves[0]->q, 3), rod_quat(halves[1]->q, 0));
        double parts = bend_energy(halves[0]) + bend_energy(halves[1]) + pair, all = bend_energy(whole);
        assert_true(pair > 1e-3 * all);
        assert_near(parts, all, 1e-7 * all);
        cdg_net_destroy(net);
        cdg_rod_destroy(whole);
        cdg_rod_destroy(halves[0]);
        cdg_rod_destroy(halves[1]);
    }
}

static void test_pairs_of_a_crossing_and_of_a_t(void **state) {
    (void)state;
    cdg_rod *rods[2] = {line(vec3(-1, 0, 0), vec3(1, 0, 0), 4, NULL), line(vec3(0, -1, 0), vec3(0, 1, 0), 4, NULL)};
    cdg_net_member members[2];
    cdg_net_joint_def joint = JOINT(members, 2, 1);
    cdg_net *net = NULL;
    cdg_error error;
    set_members(rods, (uint32_t[]){0, 1}, (size_t[]){2, 2}, 2, members);
    assert_int_equal(cdg_net_build(rods, 2, &joint, 1, &net, &error), CDG_OK);
    assert_int_equal(net->pair_count, 6); // two of them say what is missing to the cells within the rods
    for (size_t k = 0, within = 0; k < 6; k++) {
        within += net->pairs[k].is_within;
        if (k == 5) assert_int_equal(within, 2);
    }
    cdg_net_destroy(net);
    cdg_rod_destroy(rods[1]);

    rods[1] = line(vec3(0, 0, 0), vec3(0, 1, 0), 4, NULL);
    set_members(rods, (uint32_t[]){0, 1}, (size_t[]){2, 0}, 2, members);
    assert_int_equal(cdg_net_build(rods, 2, &joint, 1, &net, &error), CDG_OK);
    assert_int_equal(net->pair_count, 3); // the paper's figure 8
    // tangents at rest stand at right angles, but for those within the rod
    for (size_t k = 0; k < 3; k++) assert_near(quat_d3(net->pairs[k].rest).z, net->pairs[k].is_within ? 1 : 0, 1e-15);
    cdg_net_destroy(net);

    joint.stiffness = 0;
    assert_int_equal(cdg_net_build(rods, 2, &joint, 1, &net, &error), CDG_OK);
    assert_int_equal(net->pair_count, 0); // a hinge
    assert_int_equal(net->joint_count, 1);
    cdg_net_destroy(net);
    cdg_rod_destroy(rods[0]);
    cdg_rod_destroy(rods[1]);
}

static void test_joints_that_share_a_node_are_one(void **state) {
    (void)state;
    cdg_rod *rods[4];
    for (int i = 0; i < 4; i++) rods[i] = line(vec3(0, 0, 0), vec3(cos(i), sin(i), 0), 3, NULL);
    cdg_net_member members[6];
    // 2-3, 0-1 and 1-2, in this order: only the last shows that all are one; and one named twice
    set_members(rods, (uint32_t[]){2, 3, 0, 1, 2, 1}, (size_t[]){0, 0, 0, 0, 0, 0}, 6, members);
    cdg_net_joint_def joints[3] = {JOINT(members, 2, 1), JOINT(members + 2, 2, 0.5), JOINT(members + 4, 2, 2)};
    cdg_net *net = NULL;
    cdg_error error;
    assert_int_equal(cdg_net_build(rods, 4, joints, 3, &net, &error), CDG_OK);
    assert_int_equal(net->joint_count, 1);
    assert_int_equal(net->member_count, 4);
    assert_int_equal(net->joints[0].count, 4);
    assert_int_equal(net->pair_count, 6);
    cdg_net_destroy(net);
    // joints of different points have each its own stiffness
    cdg_net *one = NULL;
    assert_int_equal(cdg_net_build(rods, 4, joints, 2, &net, &error), CDG_OK);
    assert_int_equal(net->joint_count, 2);
    joints[1].stiffness = 1;
    assert_int_equal(cdg_net_build(rods, 4, joints, 2, &one, &error), CDG_OK);
    for (size_t k = 0; k < 2; k++) { // joints are in the order of their first mention
        double ratio = net->pairs[k].stiffness[0] / one->pairs[k].stiffness[0];
        assert_near(ratio, net->pairs[k].rod_a >= 2 ? 1 : 0.5, 1e-14);
    }
    cdg_net_destroy(one);
    cdg_net_destroy(net);
    for (int i = 0; i < 4; i++) cdg_rod_destroy(rods[i]);
}

static double stiffness_between(const cdg_net *net, uint32_t a, uint32_t b) {
    for (size_t k = 0; k < net->pair_count; k++)
        if (net->pairs[k].rod_a == a && net->pairs[k].rod_b == b) return net->pairs[k].stiffness[5];
    return 0;
}

// Joints of several stiffnesses at one point. Equal segments of stiffness k about all axes: every two of n that are
// rigid have k/n.
static void test_each_joint_keeps_its_stiffness(void **state) {
    (void)state;
    cdg_rod *rods[4];
    for (int i = 0; i < 4; i++) rods[i] = line(vec3(0, 0, 0), vec3(cos(i), sin(i), 0), 3, NULL);
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) rods[i]->bend_stiffness[k][0] = 1;
    const double arm = 2 / rods[0]->rest_length[0];
    cdg_net_member members[6];
    // 0 and 1 rigid, 1 and 2 hinged, 2 and 3 at half, and 0-1 asked for once more
    set_members(rods, (uint32_t[]){0, 1, 1, 2, 2, 3}, (size_t[]){0, 0, 0, 0, 0, 0}, 6, members);
    const cdg_net_member again[2] = {members[1], members[0]}, halves[2] = {members[5], members[4]};
    const cdg_net_joint_def joints[5] = {JOINT(members, 2, 1), JOINT(members + 2, 2, 0), JOINT(members + 4, 2, 0.5),
                                         JOINT(again, 2, 1), JOINT(halves, 2, 0.5)};
    cdg_net *net = NULL;
    cdg_error error;
    assert_int_equal(cdg_net_build(rods, 4, joints, 5, &net, &error), CDG_OK);
    assert_int_equal(net->joint_count, 1);
    const double expected[4][4] = {{0, 0.5, 0, 0}, {0}, {0, 0, 0, 0.25}, {0}};
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = a + 1; b < 4; b++) assert_near(stiffness_between(net, a, b) / arm, expected[a][b], 1e-14);
    assert_int_equal(net->pair_count, 2);
    cdg_net_destroy(net);
    // 0-1-2 rigid one by one is rigid as a whole. A joint of a quarter puts 3/k more on either side of it: 3 hangs on
    // the others by k/7.
    const cdg_net_joint_def chain[3] = {JOINT(members, 2, 1), JOINT(members + 2, 2, 1), JOINT(members + 4, 2, 0.25)};
    assert_int_equal(cdg_net_build(rods, 4, chain, 3, &net, &error), CDG_OK);
    const double weak = 1.0 / 7, sum = 3 + weak;
    for (uint32_t a = 0; a < 4; a++)
        for (uint32_t b = a + 1; b < 4; b++)
            assert_near(stiffness_between(net, a, b) / arm, (b == 3 ? weak : 1) / sum, 1e-14);
    cdg_net_destroy(net);
    for (int i = 0; i < 4; i++) cdg_rod_destroy(rods[i]);
}

static void test_a_rod_joined_to_itself(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "loop";
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_ARC,
                                      .arc = {.tangent = {1, 0, 0}, .normal = {0, 1, 0}, .radius = 1, .angle = 2 * PI}};
    def.element_count = 20;
    def.rest.kind = CDG_REST_INITIAL;
    cdg_rod *rod = NULL;
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &rod, &error), CDG_OK);
    cdg_net_member members[2];
    set_members(&rod, (uint32_t[]){0, 0}, (size_t[]){0, 20}, 2, members);
    cdg_net_joint_def joint = JOINT(members, 2, 1);
    cdg_net *net = NULL;
    assert_int_equal(cdg_net_build(&rod, 1, &joint, 1, &net, &error), CDG_OK);
    assert_int_equal(net->pair_count, 1);
    assert_vec3_near(rod_vec3(rod->x, 0), rod_vec3(rod->x, 20), 0); // settled into one place
    cdg_net_destroy(net);
    cdg_rod_destroy(rod);
}

static void expect_refusal(cdg_rod *const *rods, size_t rod_count, const cdg_net_joint_def *joint, const char *part) {
    cdg_net *net = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_net_build(rods, rod_count, joint, 1, &net, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, part) == NULL) print_error("'%s' is not in '%s'\n", part, error.message);
    assert_non_null(strstr(error.message, part));
    assert_null(net);
}

static void test_what_is_refused(void **state) {
    (void)state;
    cdg_rod *rods[2] = {line(vec3(0, 0, 0), vec3(1, 0, 0), 4, NULL), line(vec3(0, 0.1, 0), vec3(0, 1, 0), 4, NULL)};
    cdg_net_member members[2];
    set_members(rods, (uint32_t[]){0, 1}, (size_t[]){0, 0}, 2, members);
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 2, 1), "0.1 m apart");
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 1, 1), "at least two nodes");
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 2, -1), "stiffness of a joint is -1");
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 2, NAN), "stiffness");
    members[1].node = 5;
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 2, 1), "has 5 nodes");
    members[1].rod = 2;
    expect_refusal(rods, 2, &(cdg_net_joint_def)JOINT(members, 2, 1), "rod that is not there");
    cdg_net_destroy(NULL);
    cdg_rod_destroy(rods[0]);
    cdg_rod_destroy(rods[1]);
}

static void test_holders(void **state) {
    (void)state;
    cdg_rod *rods[2] = {line(vec3(0, 0, 0), vec3(1, 0, 0), 4, NULL), line(vec3(0, 0, 0), vec3(0, 1, 0), 4, NULL)};
    cdg_net_member members[2];
    set_members(rods, (uint32_t[]){0, 1}, (size_t[]){0, 0}, 2, members);
    cdg_net_joint_def joint = JOINT(members, 2, 1);
    cdg_net *net = NULL;
    cdg_error error;
    assert_int_equal(cdg_net_build(rods, 2, &joint, 1, &net, &error), CDG_OK);
    assert_null(cdg_net_holder(net, 0));
    cdg_hold holds[2] = {{.node = 0, .frame_hold = CDG_HOLD_ROLL}, {.node = 0, .holds_position = true}};
    rods[1]->holds = holds;
    rods[1]->hold_count = 1;
    assert_null(cdg_net_holder(net, 0)); // holds no position
    rods[1]->hold_count = 2;
    assert_ptr_equal(cdg_net_holder(net, 0), &holds[1]);
    assert_ptr_equal(cdg_net_position_hold(rods[1], 0), &holds[1]);
    assert_null(cdg_net_position_hold(rods[1], 1));
    // a second support of the point may only want what the first wants
    cdg_hold other = {.node = 0, .holds_position = true};
    size_t failed = 9;
    rods[0]->holds = &other;
    rods[0]->hold_count = 1;
    assert_int_equal(cdg_net_check_holds(net, &failed, &error), CDG_OK);
    holds[1].position = vec3(0, 0, 0.01);
    assert_int_equal(cdg_net_check_holds(net, &failed, &error), CDG_ERROR_ARGUMENT);
    assert_int_equal(failed, 1);
    assert_non_null(strstr(error.message, "hold them 0.01 m apart"));
    rods[0]->holds = NULL;
    rods[0]->hold_count = 0;
    rods[1]->holds = NULL;
    rods[1]->hold_count = 0;
    cdg_net_destroy(net);
    cdg_rod_destroy(rods[0]);
    cdg_rod_destroy(rods[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_torques_are_minus_the_gradient),
        cmocka_unit_test(test_torques_are_opposite_in_the_world),
        cmocka_unit_test(test_a_rigid_turn_changes_nothing),
        cmocka_unit_test(test_rest_has_neither_energy_nor_torque),
        cmocka_unit_test(test_two_rods_end_to_end_are_as_one),
        cmocka_unit_test(test_pairs_of_a_crossing_and_of_a_t),
        cmocka_unit_test(test_joints_that_share_a_node_are_one),
        cmocka_unit_test(test_each_joint_keeps_its_stiffness),
        cmocka_unit_test(test_a_rod_joined_to_itself),
        cmocka_unit_test(test_what_is_refused),
        cmocka_unit_test(test_holders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
