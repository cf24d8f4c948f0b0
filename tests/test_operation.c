// Splits and merges of rods in motion: momentum, books, what stays.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt/rod_patch.h"
#include "adapt_case.h"
#include "rounds.h"

#include <string.h>

static cdg_rod *build_arc(adapt_variant variant, double turn) {
    cdg_rod_def def = adapt_def(variant, 12);
    cdg_vec3 points[ADAPT_ARC_MAX];
    adapt_arc(&def, turn, points);
    return adapt_build(&def);
}

static void momentum_is_kept(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {31 + (uint64_t)variant};
        cdg_rod *rod = build_arc((adapt_variant)variant, 0.3);
        adapt_shake(rod, &random, 2);
        const cdg_adapt_context context = {.gravity = {0, 0, -9.81}};
        cdg_adapt_outcome outcome;
        for (int round = 0; round < 200; round++) {
            size_t j = (size_t)random_in(&random, 0, (double)rod->element_count);
            cdg_vec3 linear[2] = {{0, 0, 0}, {0, 0, 0}}, angular[2] = {{0, 0, 0}, {0, 0, 0}};
            cdg_energy before, after;
            cdg_rod_measure_momentum(rod, &linear[0], &angular[0]);
            cdg_rod_measure_energy(rod, context.gravity, &before);
            bool is_done = false;
            if (cdg_resolution_are_halves(rod, j))
                is_done = cdg_adapt_merge(rod, j, &context, &outcome);
            else if (rod->adapt->level[j] < 3)
                is_done = cdg_adapt_split(rod, j, &context, &outcome);
            cdg_rod_measure_momentum(rod, &linear[1], &angular[1]);
            cdg_rod_measure_energy(rod, context.gravity, &after);
            double size = rod->mass * 2;
            assert_vec3_near(linear[0], linear[1], 1e-13 * size);
            assert_vec3_near(angular[0], angular[1], 1e-13 * size);
            if (is_done) assert_near(after.total - before.total, outcome.energy, 1e-12 * fabs(before.total) + 1e-15);
        }
        cdg_rod_destroy(rod);
    }
}

// In equilibrium: inner nodes and frames, part by part, until nothing moves.
static void relax(cdg_rod *rod) {
    for (int sweep = 0; sweep < 300; sweep++)
        for (size_t f = 1; f + 3 < rod->element_count; f++) {
            const size_t elements[3] = {f, f + 1, f + 2}, nodes[4] = {f, f + 1, f + 2, f + 3};
            cdg_rod_patch patch;
            const cdg_rod_patch_gradient none = {0};
            double energy;
            cdg_rod_patch_read(&patch, rod, elements, nodes, 3);
            if (cdg_rod_patch_solve(&patch, &none, false, &energy) == 0) continue;
            for (size_t k = 1; k < 3; k++) rod_set_vec3(rod->x, nodes[k], patch.x[k]);
            for (size_t k = 0; k < 3; k++) rod_set_quat(rod->q, elements[k], patch.q[k]);
        }
    if (rod->twist != NULL) cdg_rod_recount_turns(rod);
}

static cdg_rod *build_relaxed(adapt_variant variant, double ratio) {
    cdg_rod_def def = adapt_def(variant, 12);
    def.section.radius = 0.05 * sqrt(4 / ratio); // E A l^2/B = 4 l^2/r^2
    cdg_vec3 points[ADAPT_ARC_MAX];
    adapt_arc(&def, 0.3, points);
    cdg_rod *rod = adapt_build(&def);
    relax(rod);
    rod->adapt->options.angle = 3; // merges are not too bent
    return rod;
}

static double strain_energy(const cdg_rod *rod, size_t first, size_t count) {
    cdg_energy e;
    cdg_rod_measure_part(rod, first, count, vec3(0, 0, 0), &e);
    return e.stretch + e.shear + e.bend + e.twist;
}

// 0.3 rad a node, stiff and soft: the energy of the part, five elements, and the moments at its ends. Of models that
// measure bending by the tangent of half the turn, the energy of an arc is 1.5 % too large, of which the finer part
// takes back a sixth; the sine's is 0.8 % too small; by the angle hardly anything is left.
static void a_split_of_an_arc_changes_little(void **state) {
    (void)state;
    const double ratios[] = {1e2, 1e4, 1e6};
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (int s = 0; s < 3; s++) {
            bool is_exact = variant == ADAPT_POBD || variant == ADAPT_GAUSS_SEIDEL || variant == ADAPT_DER_ANGLE;
            cdg_rod *rod = build_relaxed((adapt_variant)variant, ratios[s]);
            double before = strain_energy(rod, 3, 5),
                   moment[2] = {vec3_norm(cdg_rod_section_moment(rod, 3)), vec3_norm(cdg_rod_section_moment(rod, 8))};
            const cdg_adapt_context context = {.gravity = {0, 0, 0}};
            cdg_adapt_outcome outcome;
            assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
            double jump = strain_energy(rod, 3, 6) / before - 1;
            assert_near(jump, 0, is_exact ? 0.0001 : 0.003);
            assert_near(vec3_norm(cdg_rod_section_moment(rod, 3)) / moment[0], 1, 0.01);
            assert_near(vec3_norm(cdg_rod_section_moment(rod, 9)) / moment[1], 1, 0.01);
            cdg_rod_destroy(rod);
        }
}

// Back within 1e-8, at rest and in flight, and momentum to rounding.
static void a_merge_takes_a_split_back(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (int flies = 0; flies < 2; flies++)
            for (size_t at = 0; at<12; at += ROUNDS_LESS> 1 ? 3 : 1) {
                cdg_random random = {77};
                cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e4);
                if (flies) {
                    adapt_shake(rod, &random, 1);
                    for (size_t i = 0; i < rod->node_count; i++) rod->v[0][i] += 5;
                }
                cdg_vec3 x[13], v[13], linear[2] = {{0, 0, 0}, {0, 0, 0}}, angular[2] = {{0, 0, 0}, {0, 0, 0}};
                cdg_quat q[12];
                for (size_t i = 0; i < 13; i++) x[i] = rod_vec3(rod->x, i), v[i] = rod_vec3(rod->v, i);
                for (size_t j = 0; j < 12; j++) q[j] = rod_quat(rod->q, j);
                cdg_rod_measure_momentum(rod, &linear[0], &angular[0]);
                const cdg_adapt_context context = {.gravity = {0, 0, -9.81}};
                cdg_adapt_outcome outcome;
                assert_true(cdg_adapt_split(rod, at, &context, &outcome));
                assert_true(cdg_adapt_merge(rod, at, &context, &outcome));
                cdg_rod_measure_momentum(rod, &linear[1], &angular[1]);
                for (size_t i = 0; i < 13; i++) {
                    assert_vec3_near(rod_vec3(rod->x, i), x[i], 1e-8 * 0.05);
                    assert_vec3_near(rod_vec3(rod->v, i), v[i], 1e-8 * 5);
                }
                for (size_t j = 0; j < 12; j++) assert_rotation_near(rod_quat(rod->q, j), q[j], 1e-8);
                assert_vec3_near(linear[0], linear[1], 1e-12 * rod->mass * 5);
                assert_vec3_near(angular[0], angular[1], 1e-12 * rod->mass * 5);
                cdg_rod_destroy(rod);
            }
}

// What is in the way: a part that may not move stays, to the last bit.
static bool never(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out) {
    (void)user, (void)out;
    assert_true(move->count == 7 && move->arc[1] > move->arc[0]);
    return false;
}

static void a_refused_operation_leaves_no_trace(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e4), *same = build_relaxed((adapt_variant)variant, 1e4);
        const cdg_adapt_context context = {.may_move = never};
        cdg_adapt_outcome outcome;
        assert_false(cdg_adapt_split(rod, 5, &context, &outcome));
        assert_int_equal(rod->element_count, 12);
        for (int k = 0; k < 3; k++) assert_memory_equal(rod->x[k], same->x[k], 13 * sizeof(double));
        for (int k = 0; k < 4; k++) assert_memory_equal(rod->q[k], same->q[k], 12 * sizeof(double));
        assert_memory_equal(rod->node_mass, same->node_mass, 13 * sizeof(double));
        cdg_rod_destroy(rod);
        cdg_rod_destroy(same);
    }
}

// Beside a node that is held, whose motion is prescribed.
static void a_merge_takes_a_split_back_beside_a_hold(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (size_t at = 4; at < 6; at++) { // on either side of it
            cdg_random random = {7};
            cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e4);
            cdg_hold hold = {.node = 5, .holds_position = true, .position = rod_vec3(rod->x, 5)};
            uint32_t *hold_at = rod->hold_at;
            rod->holds = &hold, rod->hold_count = 1, rod->hold_at = NULL;
            adapt_shake(rod, &random, 1);
            cdg_vec3 x[13], v[13];
            for (size_t i = 0; i < 13; i++) x[i] = rod_vec3(rod->x, i), v[i] = rod_vec3(rod->v, i);
            const cdg_adapt_context context = {.gravity = {0, 0, -9.81}};
            cdg_adapt_outcome outcome;
            assert_true(cdg_adapt_split(rod, at, &context, &outcome));
            assert_int_equal(hold.node, at == 4 ? 6 : 5);
            assert_vec3_near(rod_vec3(rod->x, hold.node), x[5], 0);
            assert_vec3_near(rod_vec3(rod->v, hold.node), v[5], 0);
            assert_true(cdg_adapt_merge(rod, at, &context, &outcome));
            for (size_t i = 0; i < 13; i++) {
                assert_vec3_near(rod_vec3(rod->x, i), x[i], 1e-8 * 0.05);
                assert_vec3_near(rod_vec3(rod->v, i), v[i], 1e-8);
            }
            rod->holds = NULL, rod->hold_count = 0, rod->hold_at = hold_at;
            cdg_rod_destroy(rod);
        }
}

// A coarse rod may become fine, although each split changes a large share of its energy.
static void coarse_rods_become_fine(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod_def def = adapt_def((adapt_variant)variant, 4);
        cdg_vec3 points[ADAPT_ARC_MAX];
        adapt_arc(&def, 0.4, points);
        cdg_rod *rod = adapt_build(&def);
        const cdg_adapt_context context = {.gravity = {0, 0, -9.81}};
        cdg_adapt_outcome outcome;
        for (size_t j = 0; j < 8; j += 2) assert_true(cdg_adapt_split(rod, j, &context, &outcome));
        cdg_rod_destroy(rod);
    }
}

// Of a straight rod that moves along itself a merge keeps momentum without the help of what is around, and takes
// energy.
static void a_merge_projects_velocities(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {29};
        cdg_rod_def def = adapt_def((adapt_variant)variant, 12);
        cdg_rod *rod = adapt_build(&def);
        const cdg_adapt_context context = {.gravity = {0, 0, 0}};
        cdg_adapt_outcome outcome;
        assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
        cdg_vec3 along = vec3_normalize(vec3_sub(rod_vec3(rod->x, 12), rod_vec3(rod->x, 0))), v[14];
        for (size_t i = 0; i < 14; i++) {
            v[i] = vec3_scale(random_in(&random, -1, 1), along);
            rod_set_vec3(rod->v, i, v[i]);
        }
        assert_true(cdg_adapt_merge(rod, 5, &context, &outcome));
        for (size_t i = 0; i < 13; i++)
            if (i != 5 && i != 6) assert_vec3_near(rod_vec3(rod->v, i), v[i < 6 ? i : i + 1], 1e-9);
        assert_true(outcome.kinetic < -1e-6 * rod->mass);
        cdg_rod_destroy(rod);
    }
}

// A merge that gives more than changes have taken is refused, to the last bit.
static void merges_do_not_pump(void **state) {
    (void)state;
    cdg_rod *rod = build_relaxed(ADAPT_GAUSS_SEIDEL, 1e4);
    const cdg_adapt_context context = {.gravity = {0, 0, 0}};
    cdg_adapt_outcome outcome;
    assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
    rod->w[2][5] = rod->w[2][6] = 100; // of this solver's frames, one has more inertia than its halves
    double v[3][13], w[3][13], given = rod->adapt->given;
    for (int k = 0; k < 3; k++) memcpy(v[k], rod->v[k], sizeof v[k]), memcpy(w[k], rod->w[k], sizeof w[k]);
    assert_false(cdg_adapt_merge(rod, 5, &context, &outcome));
    assert_true(outcome.energy > 0 && rod->adapt->given == given);
    assert_int_equal(rod->element_count, 13);
    for (int k = 0; k < 3; k++) {
        assert_memory_equal(v[k], rod->v[k], sizeof v[k]);
        assert_memory_equal(w[k], rod->w[k], sizeof w[k]);
    }
    rod->adapt->given = -10 * outcome.energy; // as much as changes have taken may come back
    assert_true(cdg_adapt_merge(rod, 5, &context, &outcome));
    cdg_rod_destroy(rod);
}

// A contact's plane keeps the new node from bulging into what is touched.
static void a_split_stays_out_of_what_is_touched(void **state) {
    (void)state;
    for (int side = 0; side < 2; side++) {
        cdg_rod *rod = build_relaxed(ADAPT_POBD, 1e4);
        cdg_vec3 a = rod_vec3(rod->x, 5), b = rod_vec3(rod->x, 6), middle = vec3_lerp(a, b, 0.5);
        cdg_vec3 inward = vec3_normalize(vec3_sub(vec3(0, 0.05 / 0.3, 0), middle)); // to the centre of the arc
        cdg_adapt_push push = {.arc = 5.5 * 0.05, .force = vec3_scale(1e-6, inward), .is_contact = true};
        push.arc = rod->adapt->arc[5] + rod->rest_length[5] / 2;
        push.normal = inward; // something lies outside of the arc
        const cdg_adapt_context context = {.pushes = &push, .push_count = side == 0 ? 0 : 1};
        cdg_adapt_outcome outcome;
        assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
        double moved = vec3_dot(inward, vec3_sub(rod_vec3(rod->x, 6), middle)) / 0.05;
        assert_true(side == 0 ? moved < -0.01 : moved > -0.002);
        cdg_rod_destroy(rod);
    }
}

// A blow that elasticity has not answered yet: no bent shape nearby is in equilibrium with it, and the rod is halved as
// it is.
static void a_rod_that_is_struck_is_halved(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e4);
        cdg_adapt_push push = {.arc = rod->adapt->arc[5] + 0.4 * rod->rest_length[5]};
        push.force = vec3(0, 0, 1e3 * rod->bend_stiffness[0][0] / (0.05 * 0.05)); // it would bend it by many radians
        const cdg_adapt_context context = {.pushes = &push, .push_count = 1};
        cdg_adapt_outcome outcome;
        cdg_vec3 middle = vec3_lerp(rod_vec3(rod->x, 5), rod_vec3(rod->x, 6), 0.5);
        assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
        assert_vec3_near(rod_vec3(rod->x, 6), middle, 0.05 * 0.05);
        cdg_rod_destroy(rod);
    }
}

// What is in the way of a split is gone round, not a reason to leave the rod coarse.
typedef struct wall {
    cdg_vec3 normal;
    double offset;
} wall;

static bool beside_wall(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out) {
    const wall *it = user;
    const size_t fresh = 3;
    assert_int_equal(move->count, 7);
    if (vec3_dot(it->normal, move->to[fresh]) > it->offset - 1e-5) return true;
    out->list[out->count++] = (cdg_adapt_obstruction){fresh, 0, it->normal, it->offset};
    return false;
}

static void a_split_goes_round_what_is_in_the_way(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e4);
        cdg_vec3 middle = vec3_lerp(rod_vec3(rod->x, 5), rod_vec3(rod->x, 6), 0.5);
        wall it = {vec3_normalize(vec3_sub(vec3(0, 0.05 / 0.3, 0), middle)), 0};
        it.offset = vec3_dot(it.normal, middle); // outside of the arc, where the new node would go by 0.0019 m
        const cdg_adapt_context context = {.may_move = beside_wall, .user = &it};
        cdg_adapt_outcome outcome;
        assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
        assert_near(vec3_dot(it.normal, rod_vec3(rod->x, 6)), it.offset, 1e-5);
        cdg_rod_destroy(rod);
    }
}

// The thesis' search comes near in ten iterations where the rod is soft; momentum is kept there, too.
static void the_search_of_the_thesis_works(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod *rod = build_relaxed((adapt_variant)variant, 1e2);
        cdg_random random = {41};
        adapt_shake(rod, &random, 0.01);
        rod->adapt->options.method = CDG_ADAPT_PAPER;
        const cdg_adapt_context context = {.gravity = {0, 0, 0}, .step = 1e-3};
        cdg_adapt_outcome outcome;
        cdg_vec3 linear[2] = {{0, 0, 0}, {0, 0, 0}}, angular[2] = {{0, 0, 0}, {0, 0, 0}};
        double before = strain_energy(rod, 3, 5);
        cdg_rod_measure_momentum(rod, &linear[0], &angular[0]);
        assert_true(cdg_adapt_split(rod, 5, &context, &outcome));
        assert_true(outcome.iterations > 0 && outcome.iterations <= 10);
        assert_near(strain_energy(rod, 3, 6) / before, 1, 0.08);
        cdg_rod_measure_momentum(rod, &linear[1], &angular[1]);
        assert_vec3_near(linear[0], linear[1], 1e-12 * rod->mass);
        assert_vec3_near(angular[0], angular[1], 1e-12 * rod->mass);
        cdg_rod_destroy(rod);
    }
}

// From the first frame to the last about a straight rod, by the shortest ways, or as it is counted.
static double twist_of(const cdg_rod *rod) {
    double sum = 0;
    for (size_t i = 1; i + 1 < rod->node_count; i++) {
        cdg_quat turn = quat_relative(rod_quat(rod->q, i - 1), rod_quat(rod->q, i));
        sum += rod->twist != NULL ? rod->twist[i] : 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
    }
    return sum;
}

// Three turns in a rod, and more than half a turn in each cell where the model counts them.
static void whole_turns_are_kept(void **state) {
    (void)state;
    const double turn = 6.283185307179586;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_random random = {3 + (uint64_t)variant};
        cdg_rod_def def = adapt_def((adapt_variant)variant, 16);
        bool counts = def.model == CDG_MODEL_DER;
        def.initial_twist = (counts ? 10 : 3) * turn;
        cdg_rod *rod = adapt_build(&def);
        if (counts) // frames do not tell how often they have turned
            for (size_t i = 1; i + 1 < rod->node_count; i++) rod->twist[i] = 10 * turn / 16;
        double before = twist_of(rod);
        assert_near(before, def.initial_twist * 15 / 16, 1e-9);
        const cdg_adapt_context context = {.gravity = {0, 0, 0}};
        cdg_adapt_outcome outcome;
        size_t done = 0;
        for (int round = 0; round < 200; round++) {
            size_t j = 2 + (size_t)random_in(&random, 0, (double)rod->element_count - 4);
            if (cdg_resolution_are_halves(rod, j))
                done += cdg_adapt_merge(rod, j, &context, &outcome);
            else if (rod->adapt->level[j] < 3)
                done += cdg_adapt_split(rod, j, &context, &outcome);
            assert_near(twist_of(rod), before, 0.5 * turn); // frames at its ends are free
        }
        assert_true(done > 20);
        cdg_rod_destroy(rod);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(momentum_is_kept),
                                       cmocka_unit_test(a_split_of_an_arc_changes_little),
                                       cmocka_unit_test(a_merge_takes_a_split_back),
                                       cmocka_unit_test(a_merge_takes_a_split_back_beside_a_hold),
                                       cmocka_unit_test(a_merge_projects_velocities),
                                       cmocka_unit_test(coarse_rods_become_fine),
                                       cmocka_unit_test(merges_do_not_pump),
                                       cmocka_unit_test(a_refused_operation_leaves_no_trace),
                                       cmocka_unit_test(a_split_stays_out_of_what_is_touched),
                                       cmocka_unit_test(a_rod_that_is_struck_is_halved),
                                       cmocka_unit_test(a_split_goes_round_what_is_in_the_way),
                                       cmocka_unit_test(the_search_of_the_thesis_works),
                                       cmocka_unit_test(whole_turns_are_kept)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
