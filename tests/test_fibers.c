// Fibres: where the formula has them, carried along rigidly, roots that stay, cut tips, rates against differences.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/fibers.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { NODES = 12, GUIDES = 4, FIBERS = 30 };

// Random fibres and random, but continuous, guides.
typedef struct hair_case {
    uint32_t guides[FIBERS][CDG_FIBER_GUIDES];
    double weights[FIBERS][CDG_FIBER_GUIDES], lengths[FIBERS], spread[NODES];
    cdg_vec3 roots[FIBERS], offsets[FIBERS * NODES];
    cdg_vec3 positions[GUIDES][NODES];
    cdg_quat frames[GUIDES][NODES - 1];
    cdg_fibers fibers;
} hair_case;

static void make(hair_case *c, uint64_t seed) {
    cdg_random random = {seed};
    for (int g = 0; g < GUIDES; g++) {
        cdg_quat frame = random_rotation(&random);
        c->positions[g][0] = random_vec3(&random, 1);
        for (int i = 0; i + 1 < NODES; i++) {
            c->frames[g][i] = frame;
            c->positions[g][i + 1] = vec3_add(c->positions[g][i], vec3_scale(0.1, quat_d3(frame)));
            frame = quat_multiply(frame, quat_exp(random_vec3(&random, 0.3)));
        }
    }
    for (int i = 0; i < NODES; i++) c->spread[i] = i == 0 ? 1 : random_in(&random, 0.5, 1.5);
    for (int f = 0; f < FIBERS; f++) {
        double sum = 0;
        for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
            c->guides[f][k] = (uint32_t)(random_unit(&random) * GUIDES);
            sum += c->weights[f][k] = random_unit(&random);
        }
        for (int k = 0; k < CDG_FIBER_GUIDES; k++) c->weights[f][k] /= sum;
        c->roots[f] = random_vec3(&random, 0.5);
        c->lengths[f] = 1;
        for (int i = 0; i < NODES; i++) c->offsets[f * NODES + i] = random_vec3(&random, i == 0 ? 0 : 0.1);
    }
    c->fibers = (cdg_fibers){.fiber_count = FIBERS,
                             .guide_count = GUIDES,
                             .node_count = NODES,
                             .guides = (const uint32_t(*)[CDG_FIBER_GUIDES])c->guides,
                             .weights = (const double(*)[CDG_FIBER_GUIDES])c->weights,
                             .roots = c->roots,
                             .lengths = c->lengths,
                             .spread = c->spread,
                             .offsets = c->offsets};
}

static void point_at(const hair_case *c, const cdg_vec3 *positions[GUIDES], const cdg_quat *frames[GUIDES]) {
    for (int g = 0; g < GUIDES; g++) positions[g] = c->positions[g], frames[g] = c->frames[g];
}

static cdg_fiber_placer *place(const hair_case *c) {
    const cdg_vec3 *positions[GUIDES];
    const cdg_quat *frames[GUIDES];
    point_at(c, positions, frames);
    cdg_fiber_placer *placer = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_fiber_placer_create(&c->fibers, positions, frames, &placer, &error), CDG_OK);
    return placer;
}

// Fibres begin at their roots; when guides move rigidly, fibres do.
static void test_rigid(void **state) {
    (void)state;
    static hair_case c;
    for (uint64_t seed = 0; seed < 20; seed++) {
        make(&c, seed);
        cdg_fiber_placer *placer = place(&c);
        static cdg_vec3 before[FIBERS][NODES];
        for (size_t f = 0; f < FIBERS; f++) {
            cdg_fiber_placer_read(placer, f, before[f]);
            assert_vec3_near(before[f][0], c.roots[f], 1e-12);
        }
        cdg_random random = {seed + 100};
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 move = random_vec3(&random, 3);
        for (int g = 0; g < GUIDES; g++) {
            for (int i = 0; i < NODES; i++) c.positions[g][i] = vec3_add(move, quat_rotate(turn, c.positions[g][i]));
            for (int i = 0; i + 1 < NODES; i++) { // q and -q are the same frame
                c.frames[g][i] = quat_multiply(turn, c.frames[g][i]);
                if (random_unit(&random) < 0.5) c.frames[g][i] = quat_negate(c.frames[g][i]);
            }
        }
        const cdg_vec3 *positions[GUIDES];
        const cdg_quat *frames[GUIDES];
        point_at(&c, positions, frames);
        cdg_fiber_placer_move(placer, positions, frames);
        for (size_t f = 0; f < FIBERS; f++) {
            cdg_vec3 after[NODES];
            cdg_fiber_placer_read(placer, f, after);
            for (int i = 0; i < NODES; i++)
                assert_vec3_near(after[i], vec3_add(move, quat_rotate(turn, before[f][i])), 1e-11);
        }
        cdg_fiber_placer_destroy(placer);
    }
}

// A fibre that follows one straight guide without offsets is the guide, moved across and drawn together by the spread.
static void test_straight(void **state) {
    (void)state;
    static hair_case c;
    make(&c, 1);
    cdg_quat frame = quat_between(vec3(0, 0, 1), vec3(0.6, 0, 0.8));
    for (int i = 0; i + 1 < NODES; i++) c.frames[2][i] = frame;
    for (int i = 0; i < NODES; i++) c.positions[2][i] = vec3_scale(0.1 * i, quat_d3(frame));
    memset(c.offsets, 0, sizeof c.offsets);
    for (int k = 0; k < CDG_FIBER_GUIDES; k++) c.guides[5][k] = 2, c.weights[5][k] = k == 1;
    cdg_fiber_placer *placer = place(&c);
    cdg_vec3 out[NODES];
    cdg_fiber_placer_read(placer, 5, out);
    for (int i = 0; i < NODES; i++)
        assert_vec3_near(out[i], vec3_mad(c.positions[2][i], c.spread[i], c.roots[5]), 1e-14);
    cdg_fiber_placer_destroy(placer);
}

// Frames at the nodes of a guide that bends and twists evenly are the true ones, at its ends too.
static void test_node_frames(void **state) {
    (void)state;
    cdg_vec3 rate = vec3(0.2, -0.1, 0.15), positions[NODES] = {{0}};
    cdg_quat frames[NODES - 1];
    for (int i = 0; i + 1 < NODES; i++) frames[i] = quat_exp(vec3_scale(i + 0.5, rate));
    cdg_guide_node guide[NODES];
    cdg_guide_set(positions, frames, NODES, guide);
    for (int i = 0; i < NODES; i++) {
        mat3 expected = mat3_from_quat(quat_exp(vec3_scale(i, rate)));
        for (int k = 0; k < 9; k++) assert_near((&guide[i].axes.m[0][0])[k], (&expected.m[0][0])[k], 1e-13);
    }
    cdg_guide_set(positions, frames, 2, guide); // one element
    mat3 only = mat3_from_quat(frames[0]);
    assert_memory_equal(&guide[0].axes, &only, sizeof only);
    assert_memory_equal(&guide[1].axes, &only, sizeof only);
}

static void test_cut(void **state) {
    (void)state;
    static hair_case c;
    make(&c, 2);
    cdg_fiber_placer *placer = place(&c);
    cdg_vec3 whole[NODES], cut[NODES];
    cdg_random random = {5};
    for (int round = 0; round < 200; round++) {
        c.lengths[0] = 1;
        assert_int_equal(cdg_fiber_node_count(&c.fibers, 0), NODES);
        cdg_fiber_placer_read(placer, 0, whole);
        c.lengths[0] = round < 11 ? (round + 1) / 11.0 : random_in(&random, 1e-3, 1);
        size_t nodes = cdg_fiber_node_count(&c.fibers, 0);
        cdg_fiber_placer_read(placer, 0, cut);
        double end = c.lengths[0] * (NODES - 1);
        assert_true(nodes >= 2 && fabs((double)nodes - 1 - end) <= 1 && (double)nodes - 1 >= end - 1e-6);
        for (size_t i = 0; i + 1 < nodes; i++) assert_vec3_near(cut[i], whole[i], 0);
        size_t from = nodes - 2;
        assert_vec3_near(cut[nodes - 1], vec3_lerp(whole[from], whole[from + 1], fmin(end - (double)from, 1)), 1e-3);
    }
    cdg_fiber_placer_destroy(placer);
}

// Velocities of fibres against differences of their positions, for guides whose nodes and elements move.
static void test_rates(void **state) {
    (void)state;
    static hair_case c, later;
    make(&c, 7);
    cdg_random random = {8};
    static cdg_guide_node poses[GUIDES * NODES], rates[GUIDES * NODES], moved[GUIDES * NODES];
    cdg_vec3 velocities[GUIDES][NODES], spins[GUIDES][NODES];
    double h = 1e-6;
    for (int g = 0; g < GUIDES; g++) { // spins that change slowly along the guide: means over nodes are then exact
        cdg_vec3 spin = random_vec3(&random, 2);
        for (int i = 0; i < NODES; i++) velocities[g][i] = random_vec3(&random, 1);
        for (int i = 0; i + 1 < NODES; i++) spins[g][i] = quat_rotate_inverse(c.frames[g][i], spin);
        cdg_guide_set(c.positions[g], c.frames[g], NODES, poses + g * NODES);
        cdg_guide_set_rates(poses + g * NODES, c.frames[g], velocities[g], spins[g], NODES, rates + g * NODES);
    }
    for (size_t f = 0; f < FIBERS; f++) {
        cdg_vec3 root[CDG_FIBER_GUIDES], rate[NODES], place[2][NODES];
        cdg_fiber_root(&c.fibers, f, poses, root);
        cdg_fiber_place(&c.fibers, f, root, rates, rate);
        for (int side = 0; side < 2; side++) {
            double t = side == 0 ? -h : h;
            later = c;
            for (int g = 0; g < GUIDES; g++) {
                for (int i = 0; i < NODES; i++)
                    later.positions[g][i] = vec3_mad(c.positions[g][i], t, velocities[g][i]);
                for (int i = 0; i + 1 < NODES; i++)
                    later.frames[g][i] = quat_multiply(c.frames[g][i], quat_exp(vec3_scale(t, spins[g][i])));
                cdg_guide_set(later.positions[g], later.frames[g], NODES, moved + g * NODES);
            }
            cdg_fiber_place(&c.fibers, f, root, moved, place[side]);
        }
        for (int i = 0; i < NODES; i++)
            assert_vec3_near(rate[i], vec3_scale(0.5 / h, vec3_sub(place[1][i], place[0][i])), 1e-7);
    }
}

static void test_refused(void **state) {
    (void)state;
    static hair_case c;
    make(&c, 3);
    const cdg_vec3 *positions[GUIDES];
    const cdg_quat *frames[GUIDES];
    point_at(&c, positions, frames);
    cdg_fiber_placer *placer = NULL;
    cdg_error error = {0};
    c.guides[7][1] = GUIDES;
    assert_int_equal(cdg_fiber_placer_create(&c.fibers, positions, frames, &placer, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "fibre 7 follows guide 4"));
    assert_null(placer);
    c.fibers.node_count = 1;
    assert_int_equal(cdg_fiber_placer_create(&c.fibers, positions, frames, &placer, &error), CDG_ERROR_ARGUMENT);
    cdg_fiber_placer_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rigid),       cmocka_unit_test(test_straight),
                                       cmocka_unit_test(test_node_frames), cmocka_unit_test(test_cut),
                                       cmocka_unit_test(test_rates),       cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
