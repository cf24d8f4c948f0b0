// Loads on thick chains answered outwards against dense solutions, with records made densely, too: any range, two
// ranges, a cutoff, a stand-in for the last node. Thin chains: test_strip_outward.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/processor.h"
#include "math/outward.h"
#include "math/random.h"
#include "near.h"

enum { ELEMENTS = 9, NODES = ELEMENTS + 1, SIZE = 6 * ELEMENTS + 3 }; // x_j at 6 j, t_j at 6 j + 3

static double a[SIZE][SIZE], inverse[SIZE][SIZE], records[ELEMENTS * OUTWARD_THICK], lever[ELEMENTS][3];

// Solves the system of unknowns first to end - 1 alone, for `count` right sides in the columns of b.
static void solve(size_t first, size_t end, size_t count, double b[SIZE][SIZE]) {
    static double m[SIZE][SIZE];
    memcpy(m, a, sizeof m);
    for (size_t j = first; j < end; j++)
        for (size_t i = j + 1; i < end; i++) {
            double factor = m[i][j] / m[j][j];
            for (size_t k = j; k < end; k++) m[i][k] -= factor * m[j][k];
            for (size_t k = 0; k < count; k++) b[i][k] -= factor * b[j][k];
        }
    for (size_t i = end; i-- > first;)
        for (size_t c = 0; c < count; c++) {
            for (size_t k = i + 1; k < end; k++) b[i][c] -= m[i][k] * b[k][c];
            b[i][c] /= m[i][i];
        }
}

static void put_transfer(double *to, size_t row, size_t column, size_t first, size_t end) {
    static double b[SIZE][SIZE];
    for (size_t i = first; i < end; i++)
        for (size_t c = 0; c < 6; c++) b[i][c] = -a[i][column + c];
    solve(first, end, 6, b);
    for (size_t c = 0; c < 6; c++)
        for (size_t r = 0; r < 6; r++) to[6 * c + r] = b[row + r][c];
}

// x_j couples to t_j and x_{j+1}, t_j to x_{j+1} and t_{j+1}. `weight` on the diagonal makes the answer decay.
static void make(cdg_random *random, double weight) {
    memset(a, 0, sizeof a);
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j <= i; j++) {
            size_t block = i / 3 - j / 3;
            if (block <= 1 || block == 2) a[i][j] = a[j][i] = random_in(random, -1, 1) + (i == j ? weight : 0);
        }
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) inverse[i][j] = i == j;
    solve(0, SIZE, SIZE, inverse);
    memset(records, 0xff, sizeof records);
    for (size_t j = 0; j < ELEMENTS; j++) {
        double *record = records + j * OUTWARD_THICK;
        for (size_t r = 0, n = 0; r < 9; r++)
            for (size_t c = 0; c <= r; c++) record[OUTWARD_THICK_CORE + n++] = inverse[6 * j + r][6 * j + c];
        for (int k = 0; k < 3; k++) record[OUTWARD_THICK_LEVER + k] = lever[j][k] = random_in(random, -1, 1);
        if (j + 1 < ELEMENTS) put_transfer(record + OUTWARD_THICK_LEFT, 6 * j, 6 * j + 6, 0, 6 * j + 6);
        if (j > 0) put_transfer(record + OUTWARD_THICK_RIGHT, 6 * j + 3, 6 * j - 3, 6 * j + 3, SIZE);
    }
}

typedef struct load {
    double force[3][NODES], torque[ELEMENTS], right[SIZE], x[SIZE];
} load;

static void fill(cdg_random *random, const outward_push *push, load *out) {
    memset(out, 0xff, sizeof *out);
    memset(out->right, 0, sizeof out->right);
    memset(out->x, 0, sizeof out->x);
    for (int part = 0; part < 2; part++) {
        for (size_t i = push->nodes[part].first; i < push->nodes[part].end; i++)
            for (size_t k = 0; k < 3; k++) out->right[6 * i + k] = out->force[k][i] = random_in(random, -1, 1);
        for (size_t j = push->elements[part].first; j < push->elements[part].end; j++) {
            out->torque[j] = random_in(random, -1, 1);
            for (size_t k = 0; k < 3; k++) out->right[6 * j + 3 + k] = out->torque[j] * lever[j][k];
        }
    }
    for (size_t i = 0; i < SIZE; i++)
        for (size_t j = 0; j < SIZE; j++) out->x[i] += inverse[i][j] * out->right[j];
}

static double turn_of(const load *l, size_t j) {
    return lever[j][0] * l->x[6 * j + 3] + lever[j][1] * l->x[6 * j + 4] + lever[j][2] * l->x[6 * j + 5];
}

// Within the answered range as the dense solution, beyond it untouched; returns the range.
static outward_range check(cdg_random *random, outward_push push) {
    load l;
    fill(random, &push, &l);
    double memory[3][NODES], turn[ELEMENTS], *const move[3] = {memory[0], memory[1], memory[2]};
    double *const force[3] = {l.force[0], l.force[1], l.force[2]};
    memset(memory, 0xff, sizeof memory), memset(turn, 0xff, sizeof turn);
    push.records = records, push.element_count = ELEMENTS, push.force = force, push.radius = 1;
    if (push.torque != NULL) push.torque = l.torque;
    outward_answer out = outward_push_thick(&push, move, turn);
    for (size_t i = 0; i < NODES; i++)
        for (size_t k = 0; k < 3; k++) {
            if (i < push.node_count && i >= out.nodes.first && i < out.nodes.end)
                assert_near(move[k][i], l.x[6 * i + k], 1e-13);
            else
                assert_true(isnan(move[k][i]));
        }
    for (size_t j = 0; j < ELEMENTS; j++) {
        if (j >= out.nodes.first && j + 1 < out.nodes.end)
            assert_near(turn[j], turn_of(&l, j), 1e-13);
        else
            assert_true(isnan(turn[j]));
    }
    for (size_t k = 0; k < 3; k++) {
        assert_near(out.first[k], out.nodes.first == 0 ? l.x[3 + k] : 0, 1e-13);
        assert_near(out.last[k], out.nodes.end == NODES ? l.x[SIZE - 6 + k] : 0, 1e-13);
    }
    return out.nodes;
}

static const double some = 0; // there are torques; check knows where

static void test_any_range(void **state) {
    (void)state;
    cdg_random random = {1};
    make(&random, 8);
    for (size_t first = 0; first < NODES; first++)
        for (size_t end = first + 1; end <= NODES; end++) {
            outward_push push = {.node_count = NODES, .nodes[0] = {first, end}, .elements[0] = {first, end - 1}};
            push.torque = &some;
            outward_range range = check(&random, push);
            assert_true(range.first == 0 && range.end == NODES);
            push.torque = NULL;
            push.elements[0] = (outward_range){0, 0};
            check(&random, push);
            if (end == NODES) continue;
            push.node_count = NODES - 1;
            check(&random, push);
        }
}

static void test_two_ranges(void **state) {
    (void)state;
    cdg_random random = {2};
    make(&random, 8);
    outward_push push = {.node_count = NODES, .torque = &some};
    push.nodes[0] = (outward_range){7, NODES}, push.nodes[1] = (outward_range){1, 3};
    push.elements[0] = (outward_range){7, ELEMENTS}, push.elements[1] = (outward_range){0, 2};
    check(&random, push);
    push.nodes[0] = push.elements[1] = (outward_range){0, 0};
    check(&random, push);
}

static void test_cutoff_ends_the_range(void **state) {
    (void)state;
    cdg_random random = {3};
    make(&random, 30);
    outward_push push = {.node_count = NODES, .nodes[0] = {4, 6}, .elements[0] = {4, 5}, .torque = &some};
    size_t before = 0;
    for (int n = 1; n < 10; n++) {
        push.cutoff = pow(10, -n);
        outward_range range = check(&random, push);
        assert_true(range.first <= 4 && range.end >= 6 && range.end - range.first >= before);
        before = range.end - range.first;
        if (n == 1) assert_true(before < NODES);
    }
    assert_int_equal(before, NODES);
}

// Several elements, and nothing wanted beyond them: to the bit what the whole chain answers without loads elsewhere, if
// the last two elements have none.
static void test_a_part_answers_as_the_whole(void **state) {
    (void)state;
    cdg_random random = {6};
    make(&random, 8);
    for (size_t first = 0; first + 4 <= NODES; first++)
        for (size_t end = first + 4; end <= NODES; end++) {
            outward_push push = {.records = records, .element_count = ELEMENTS, .node_count = NODES, .radius = 1};
            push.nodes[0] = (outward_range){first, end == NODES ? end : end - 2};
            push.elements[0] = (outward_range){first, push.nodes[0].end - 1};
            load l;
            double memory[2][3][NODES], turn[2][ELEMENTS];
            fill(&random, &push, &l);
            for (size_t k = 0; k < 3; k++)
                for (size_t i = 0; i < NODES; i++) l.force[k][i] = isnan(l.force[k][i]) ? 0 : l.force[k][i];
            for (size_t j = 0; j < ELEMENTS; j++) l.torque[j] = isnan(l.torque[j]) ? 0 : l.torque[j];
            memset(memory, 0xff, sizeof memory), memset(turn, 0xff, sizeof turn);
            double *const force[3] = {l.force[0], l.force[1], l.force[2]};
            push.force = force, push.torque = l.torque;
            for (int part = 0; part < 2; part++) {
                push.nodes[0] = part == 1 ? (outward_range){first, end} : (outward_range){0, NODES};
                push.elements[0] = (outward_range){push.nodes[0].first, push.nodes[0].end - 1};
                push.cutoff = 2 * part;
                outward_range out =
                    outward_push_thick(&push, (double *const[3]){memory[part][0], memory[part][1], memory[part][2]},
                                       turn[part])
                        .nodes;
                assert_true(out.first == push.nodes[0].first && out.end == push.nodes[0].end);
            }
            for (size_t i = 0; i < NODES; i++)
                for (size_t k = 0; k < 3; k++)
                    assert_true(i >= first && i < end ? memory[1][k][i] == memory[0][k][i] : isnan(memory[1][k][i]));
            for (size_t j = 0; j < ELEMENTS; j++)
                assert_true(j >= first && j + 1 < end ? turn[1][j] == turn[0][j] : isnan(turn[1][j]));
        }
}

static void test_no_load_answers_nothing(void **state) {
    (void)state;
    cdg_random random = {4};
    make(&random, 8);
    outward_range range = check(&random, (outward_push){.node_count = NODES});
    assert_int_equal(range.end, 0);
}

static void test_instruction_sets_agree(void **state) {
    (void)state;
    cdg_random random = {5};
    make(&random, 8);
    outward_push push = {.records = records, .element_count = ELEMENTS, .node_count = NODES, .radius = 1};
    push.nodes[0] = (outward_range){2, 6}, push.elements[0] = (outward_range){2, 5};
    load l;
    fill(&random, &push, &l);
    double *const force[3] = {l.force[0], l.force[1], l.force[2]};
    push.force = force, push.torque = l.torque;
    typedef outward_answer pusher(const outward_push *push, size_t, size_t, double *const move[3], double *turn);
    pusher *all[3] = {outward_push_thick_base};
#if defined(__x86_64__)
    if (cdg_processor_lanes() >= CDG_LANES_AVX2) all[1] = outward_push_thick_avx2;
    if (cdg_processor_lanes() >= CDG_LANES_AVX512) all[2] = outward_push_thick_avx512;
#endif
    for (int s = 0; s < 3 && all[s] != NULL; s++) {
        double memory[3][NODES], turn[ELEMENTS], *const move[3] = {memory[0], memory[1], memory[2]};
        all[s](&push, 2, 4, move, turn);
        for (size_t i = 0; i < NODES; i++)
            for (size_t k = 0; k < 3; k++) assert_near(move[k][i], l.x[6 * i + k], 1e-13);
        for (size_t j = 0; j < ELEMENTS; j++) assert_near(turn[j], turn_of(&l, j), 1e-13);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_range),
        cmocka_unit_test(test_two_ranges),
        cmocka_unit_test(test_cutoff_ends_the_range),
        cmocka_unit_test(test_a_part_answers_as_the_whole),
        cmocka_unit_test(test_no_load_answers_nothing),
        cmocka_unit_test(test_instruction_sets_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
