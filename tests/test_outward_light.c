// Loads on a stretch of a chain answered in single precision against the same in double precision (outward.h), for both
// kinds of chains. Any numbers will do for records, if transfers make what they carry smaller.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/processor.h"
#include "math/outward_light.h"
#include "math/random.h"

enum { ELEMENTS = 300, NODES = ELEMENTS + 1, PACE = 7 };

static double records[ELEMENTS * OUTWARD_THICK];
static float light[ELEMENTS * OUTWARD_LIGHT_THICK], passes[ELEMENTS * OUTWARD_LIGHT_PASSES];
static double force_memory[3][NODES], torque[ELEMENTS];
static double *const force[3] = {force_memory[0], force_memory[1], force_memory[2]};

typedef struct moves {
    double move[3][NODES], turn[ELEMENTS];
} moves;

static void make(bool is_thick, double transfer, cdg_random *random) {
    size_t size = is_thick ? OUTWARD_THICK : OUTWARD_THIN, core = is_thick ? OUTWARD_THICK_CORE : OUTWARD_THIN_CORE;
    for (size_t i = 0; i < ELEMENTS * size; i++)
        records[i] = (i % size < core ? transfer : 1) * random_in(random, -1, 1);
    memset(light, 0xff, sizeof light), memset(passes, 0xff, sizeof passes);
}

static void load(outward_range nodes, cdg_random *random) {
    memset(force_memory, 0xff, sizeof force_memory), memset(torque, 0xff, sizeof torque);
    for (size_t i = nodes.first; i < nodes.end; i++)
        for (int k = 0; k < 3; k++) force_memory[k][i] = random_in(random, -1, 1);
    for (size_t j = nodes.first; j + 1 < nodes.end; j++) torque[j] = random_in(random, -1, 1);
}

typedef void answerer(const outward_light_push *push, double *const move[3], double *turn);

static void answer_lightly(answerer *answer, outward_range nodes, moves *out) {
    outward_light_push push = {records, light, passes, nodes, force, torque};
    memset(out, 0xff, sizeof *out);
    answer(&push, (double *const[3]){out->move[0], out->move[1], out->move[2]}, out->turn);
}

static void answer_exactly(bool is_thick, outward_range nodes, moves *out) {
    outward_push push = {.records = records, .element_count = ELEMENTS, .node_count = NODES};
    push.nodes[0] = nodes, push.elements[0] = (outward_range){nodes.first, nodes.end - 1};
    push.force = force, push.torque = torque, push.radius = 1, push.cutoff = 2;
    double *const move[3] = {out->move[0], out->move[1], out->move[2]};
    memset(out, 0xff, sizeof *out);
    if (is_thick)
        outward_push_thick(&push, move, out->turn);
    else
        outward_push_thin(&push, move, out->turn);
}

static void lighten(bool is_thick, outward_range nodes) {
    outward_range elements = {nodes.first, nodes.end - 1};
    if (is_thick)
        outward_lighten_thick(records, elements, light);
    else
        outward_lighten_thin(records, elements, light);
}

static void assert_same(double one, double other) {
    if (isnan(one) && isnan(other)) return; // neither was written
    assert_true(fabs(one - other) < 1e-5);
}

// Within the stretch the same to single precision, beyond it nothing is read or written.
static void test_a_stretch(void **state) {
    (void)state;
    static moves exact, quick;
    cdg_random random = {1};
    for (int kind = 0; kind < 2; kind++) {
        make(kind == 0, 0.15, &random);
        for (size_t first = 0; first + 4 <= NODES; first += PACE)
            for (size_t end = first + 4; end <= NODES; end += 3 * PACE) {
                outward_range nodes = {first, end + 3 * PACE > NODES ? NODES : end};
                load(nodes, &random);
                lighten(kind == 0, nodes);
                answer_exactly(kind == 0, nodes, &exact);
                answer_lightly(kind == 0 ? outward_light_thick : outward_light_thin, nodes, &quick);
                for (size_t i = 0; i < NODES; i++)
                    for (int k = 0; k < 3; k++) assert_same(quick.move[k][i], exact.move[k][i]);
                for (size_t j = 0; j < ELEMENTS; j++) assert_same(quick.turn[j], exact.turn[j]);
            }
    }
}

// Far from the only load numbers become zero, not ever smaller: those would be a hundred times as slow.
static void test_far_away(void **state) {
    (void)state;
    static moves quick;
    cdg_random random = {2};
    for (int kind = 0; kind < 2; kind++)
        for (int end = 0; end < 2; end++) {
            make(kind == 0, 0.05, &random);
            outward_range all = {0, NODES};
            load(all, &random);
            for (size_t i = 0; i < NODES; i++)
                for (int k = 0; k < 3 && i != (end == 0 ? 0 : NODES - 1); k++) force_memory[k][i] = 0;
            memset(torque, 0, sizeof torque);
            lighten(kind == 0, all);
            answer_lightly(kind == 0 ? outward_light_thick : outward_light_thin, all, &quick);
            for (size_t i = 0; i < NODES; i++)
                for (int k = 0; k < 3; k++) assert_true(quick.move[k][i] == 0 || fabs(quick.move[k][i]) > 1e-37);
            assert_true(quick.move[0][ELEMENTS / 2] == 0 && quick.turn[ELEMENTS / 2] == 0);
        }
}

static void test_instruction_sets_agree(void **state) {
    (void)state;
    static moves one, other;
    cdg_random random = {3};
    for (int kind = 0; kind < 2; kind++) {
        answerer *all[3] = {kind == 0 ? outward_light_thick_base : outward_light_thin_base};
#if defined(__x86_64__)
        if (cdg_processor_lanes() >= CDG_LANES_AVX2)
            all[1] = kind == 0 ? outward_light_thick_avx2 : outward_light_thin_avx2;
        if (cdg_processor_lanes() >= CDG_LANES_AVX512)
            all[2] = kind == 0 ? outward_light_thick_avx512 : outward_light_thin_avx512;
#endif
        outward_range nodes = {3, 90};
        make(kind == 0, 0.15, &random);
        load(nodes, &random);
        lighten(kind == 0, nodes);
        answer_lightly(all[0], nodes, &one);
        for (int s = 1; s < 3 && all[s] != NULL; s++) {
            answer_lightly(all[s], nodes, &other);
            for (size_t i = nodes.first; i < nodes.end; i++)
                for (int k = 0; k < 3; k++) assert_same(one.move[k][i], other.move[k][i]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_stretch),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
