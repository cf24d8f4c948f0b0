// Three loads carried along a chain at once against one after the other (outward.h), for both kinds of chains. Any
// numbers will do for records, if transfers make what they carry smaller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/processor.h"
#include "math/outward_carry.h"
#include "math/random.h"

enum { ELEMENTS = 60, NODES = ELEMENTS + 1 };

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

static void assert_near_to(double one, double other) { assert_true(fabs(one - other) < 1e-12); }

static void check(const outward_carry_kernels *kernels, bool is_thick, size_t element, cdg_random *random) {
    static double move[3][NODES], turn[ELEMENTS];
    outward_three load = some_three(random), out[ELEMENTS];
    outward_carry carry = {records, element, ELEMENTS, 1, 0};
    size_t end = (is_thick ? kernels->thick : kernels->thin)(&carry, &load, out);
    assert_int_equal(end, ELEMENTS);
    for (int which = 0; which < 3; which++) {
        push_one(is_thick, element, &load, which, move, turn);
        for (size_t j = element; j < ELEMENTS; j++)
            for (int k = 0; k < 3; k++) {
                assert_near_to(out[j - element].row[k][which], move[k][j]);
                assert_near_to(out[j - element].row[4 + k][which], move[k][j + 1]);
                assert_near_to(out[j - element].row[3][which], turn[j]);
            }
    }
}

static void test_three_are_as_one_by_one(void **state) {
    (void)state;
    cdg_random random = {1};
    const outward_carry_kernels *all[3] = {&outward_carry_kernels_base};
#if defined(__x86_64__)
    if (cdg_processor_lanes() >= CDG_LANES_AVX2) all[1] = &outward_carry_kernels_avx2;
    if (cdg_processor_lanes() >= CDG_LANES_AVX512) all[2] = &outward_carry_kernels_avx512;
#endif
    for (int kind = 0; kind < 2; kind++) {
        make(kind == 0, &random);
        for (int s = 0; s < 3 && all[s] != NULL; s++)
            for (size_t element = 0; element < ELEMENTS; element += 7) check(all[s], kind == 0, element, &random);
    }
}

// What is left where it ends is less than a share of the first's moves, and what is there is what a longer way has.
static void test_cutoff(void **state) {
    (void)state;
    cdg_random random = {2};
    const outward_carry_kernels *kernels = outward_carry_kernels_choose();
    for (int kind = 0; kind < 2; kind++) {
        make(kind == 0, &random);
        outward_three load = some_three(&random), all[ELEMENTS], some[ELEMENTS];
        outward_carry carry = {records, 3, ELEMENTS, 1, 0};
        (kind == 0 ? kernels->thick : kernels->thin)(&carry, &load, all);
        carry.cutoff = 1e-3;
        size_t end = (kind == 0 ? kernels->thick : kernels->thin)(&carry, &load, some), count = end - 3;
        assert_true(end > 4 && end < ELEMENTS / 2);
        assert_memory_equal(all, some, count * sizeof *all);
        double first = 0, last = 0;
        for (int k = 0; k < 7; k++)
            for (int lane = 0; lane < 3; lane++) {
                first = fmax(first, fabs(all[0].row[k][lane]));
                last = fmax(last, fabs(all[count - 1].row[k][lane]));
            }
        assert_true(last < 1e-3 * first * 9);
    }
}

static void test_felt(void **state) {
    (void)state;
    cdg_random random = {3};
    outward_three weight = some_three(&random), moves = some_three(&random);
    double block[3][4];
    outward_carry_kernels_choose()->felt(&weight, &moves, block);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double sum = 0;
            for (int k = 0; k < 7; k++) sum += weight.row[k][a] * moves.row[k][b];
            assert_near_to(block[a][b], sum);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_are_as_one_by_one),
        cmocka_unit_test(test_cutoff),
        cmocka_unit_test(test_felt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
