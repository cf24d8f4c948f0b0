// Loads carried along a chain at once against one after the other (outward.h), for both kinds of chains. Any numbers
// will do for records, if transfers make what they carry smaller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/processor.h"
#include "math/outward_carry.h"
#include "math/random.h"

enum { ELEMENTS = 60, NODES = ELEMENTS + 1, THREES = 20, ROOM = 64 };

static double records[ELEMENTS * OUTWARD_THICK];

static void make(bool is_thick, cdg_random *random) {
    size_t size = is_thick ? OUTWARD_THICK : OUTWARD_THIN, core = is_thick ? OUTWARD_THICK_CORE : OUTWARD_THIN_CORE;
    for (size_t i = 0; i < ELEMENTS * size; i++) records[i] = (i % size < core ? 0.2 : 1) * random_in(random, -1, 1);
}

static outward_three some_three(cdg_random *random) {
    outward_three out;
    for (int k = 0; k < 28; k++) out.row[k / 4][k % 4] = random_in(random, -1, 1);
    return out;
}

// One of the loads, with room for moves of all nodes.
static void push_one(bool is_thick, size_t element, const outward_three *load, int which, double move[3][NODES],
                     double turn[ELEMENTS]) {
    static double force[3][NODES], torque[ELEMENTS];
    for (int k = 0; k < 3; k++) {
        force[k][element] = load->row[k][which];
        force[k][element + 1] = load->row[4 + k][which];
    }
    torque[element] = load->row[3][which];
    outward_push push = {.records = records, .element_count = ELEMENTS, .node_count = NODES, .torque = torque};
    push.force = (double *const[3]){force[0], force[1], force[2]};
    push.nodes[0] = (outward_range){element, element + 2}, push.elements[0] = (outward_range){element, element + 1};
    double *const moves[3] = {move[0], move[1], move[2]};
    if (is_thick)
        outward_push_thick(&push, moves, turn);
    else
        outward_push_thin(&push, moves, turn);
}

// What a weight feels of one load at an element after it.
static double felt_of_one(bool is_thick, size_t from, const outward_three *load, int which, size_t to,
                          const outward_three *weight, int axis) {
    static double move[3][NODES], turn[ELEMENTS];
    push_one(is_thick, from, load, which, move, turn);
    double sum = weight->row[3][axis] * turn[to];
    for (int k = 0; k < 3; k++) sum += weight->row[k][axis] * move[k][to] + weight->row[4 + k][axis] * move[k][to + 1];
    return sum;
}

// Several enter at one element, and none at others.
static const size_t places[THREES] = {3, 3, 3, 4, 6, 6, 9, 10, 14, 15, 15, 20, 21, 22, 23, 31, 31, 32, 40, 59};

static void all_are_as_one_by_one(void **state) {
    (void)state;
    cdg_random random = {1};
    static double memory[OUTWARD_CARRY_ROWS * ROOM], felt[3 * ROOM];
    for (int kind = 0; kind < 2; kind++) {
        make(kind == 0, &random);
        outward_three loads[THREES];
        outward_carry carry = outward_carry_begin((outward_chain){records, kind == 0, 1}, places[0], THREES, memory);
        assert_int_equal(carry.room, ROOM);
        assert_true(outward_carry_room(16) > 48); // loads enter by fours
        for (size_t i = 0; i < THREES; i++) {
            while (carry.element < places[i]) outward_carry_on(&carry);
            loads[i] = some_three(&random);
            outward_carry_enter(&carry, &loads[i]);
            assert_int_equal(carry.end, 3 * i + 3);
            outward_three weight = some_three(&random);
            outward_carry_felt(&carry, &weight, felt);
            for (size_t k = 0; k <= i; k++)
                for (int which = 0; which < 3; which++)
                    for (int axis = 0; axis < 3; axis++) {
                        double one = felt_of_one(kind == 0, places[k], &loads[k], which, places[i], &weight, axis);
                        double at_once = felt[(size_t)axis * ROOM + 3 * k + (size_t)which];
                        assert_true(fabs(one - at_once) < 1e-12 * (1 + fabs(one)));
                    }
        }
    }
}

// All instruction sets, on columns that do not fill their vectors, and where the first no longer count.
static void instruction_sets_agree(void **state) {
    (void)state;
#if defined(__x86_64__)
    cdg_random random = {2};
    static double memory[2][OUTWARD_CARRY_ROWS * ROOM], felt[2][3 * ROOM];
    for (int set = 0; set < 2; set++) {
        if (cdg_processor_lanes() < (set == 0 ? CDG_LANES_AVX2 : CDG_LANES_AVX512)) continue;
        for (int kind = 0; kind < 2; kind++)
            for (size_t threes = 1; threes <= 8; threes++) {
                make(kind == 0, &random);
                double rows[9][4];
                for (int k = 0; k < 36; k++) rows[k / 4][k % 4] = random_in(&random, -1, 1);
                outward_carry it[2];
                for (int k = 0; k < 2; k++) {
                    it[k] = outward_carry_begin((outward_chain){records, kind == 0, 1}, 0, THREES, memory[k]);
                    it[k].end = 3 * threes, it[k].first = 3 * (threes / 2);
                }
                for (size_t k = 0; k < OUTWARD_CARRY_ROWS * ROOM; k++)
                    memory[0][k] = memory[1][k] = k % ROOM < it[0].end ? random_in(&random, -1, 1) : 0;
                outward_carry_on_base(&it[0], records);
                outward_carry_felt_base(&it[0], rows, felt[0]);
                (set == 0 ? outward_carry_on_avx2 : outward_carry_on_avx512)(&it[1], records);
                (set == 0 ? outward_carry_felt_avx2 : outward_carry_felt_avx512)(&it[1], rows, felt[1]);
                for (size_t column = it[0].first; column < it[0].end; column++) {
                    for (size_t k = 0; k < OUTWARD_CARRY_ROWS; k++)
                        assert_true(fabs(memory[0][k * ROOM + column] - memory[1][k * ROOM + column]) < 1e-13);
                    for (size_t a = 0; a < 3; a++)
                        assert_true(fabs(felt[0][a * ROOM + column] - felt[1][a * ROOM + column]) < 1e-13);
                }
            }
    }
#endif
}

// Of three loads the largest move counts, and turns by what they do to the surface.
static void reach_is_the_largest_move(void **state) {
    (void)state;
    static double memory[OUTWARD_CARRY_ROWS * ROOM];
    outward_carry carry = outward_carry_begin((outward_chain){records, true, 0.5}, 0, THREES, memory);
    carry.end = 6;
    carry.x[4] = 1, carry.y[2 * ROOM + 5] = -2, carry.t[ROOM + 3] = 6, carry.t[2] = 100;
    assert_true(outward_carry_reach(&carry, 3) == 3);
    carry.t[ROOM + 3] = 2;
    assert_true(outward_carry_reach(&carry, 3) == 2);
    assert_true(outward_carry_reach(&carry, 0) == 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_are_as_one_by_one),
        cmocka_unit_test(instruction_sets_agree),
        cmocka_unit_test(reach_is_the_largest_move),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
