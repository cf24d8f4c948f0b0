// Conjugate gradients with incomplete factors: random systems against multiplication back, blocks and threads, held
// rows, how many iterations, matrices that are not positive definite.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "solids/solid_gradients.h"

enum { SIDE = 17, COUNT = SIDE * SIDE * SIDE, EDGES = 3, ROW_MOST = 7 }; // a lattice with its six neighbours

typedef struct lattice {
    uint32_t first[COUNT + 1], column[ROW_MOST * COUNT];
    double entry[ROW_MOST * COUNT][9];
    bool is_held[COUNT];
    double right[3 * COUNT], move[3 * COUNT], product[3 * COUNT];
    cdg_solid_gradients *g;
} lattice;

// Springs between neighbours, each of a random direction and a weaker one across, and something on the diagonal.
static void spring(const size_t ends[2], double out[9]) {
    cdg_random random = {ends[0] < ends[1] ? 31 * ends[0] + ends[1] : 31 * ends[1] + ends[0]};
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = random_in(&random, -1, 1);
    for (int k = 0; k < 9; k++) out[k] = -(n[k / 3] * n[k % 3] + (k % 4 == 0 ? 0.2 : 0));
}

static lattice *make(double inertia) {
    static const size_t stride[EDGES] = {1, SIDE, SIDE * SIDE};
    lattice *l = calloc(1, sizeof *l);
    size_t count = 0;
    for (size_t i = 0; i < COUNT; i++) {
        l->first[i] = (uint32_t)count;
        size_t own = 0;
        double sum[9] = {0};
        for (int side = 0; side < 2; side++) {
            for (int e = 0; e < EDGES; e++) {
                size_t axis = side == 0 ? (size_t)(EDGES - 1 - e) : (size_t)e, at = i / stride[axis] % SIDE;
                if (side == 0 ? at == 0 : at == SIDE - 1) continue;
                size_t ends[2] = {i, side == 0 ? i - stride[axis] : i + stride[axis]};
                spring(ends, l->entry[count]);
                for (int k = 0; k < 9; k++) sum[k] -= l->entry[count][k];
                l->column[count++] = (uint32_t)ends[1];
            }
            if (side == 0) own = count, l->column[count++] = (uint32_t)i;
        }
        for (int k = 0; k < 9; k++) l->entry[own][k] = sum[k] + (k % 4 == 0 ? inertia : 0);
    }
    l->first[COUNT] = (uint32_t)count;
    l->g = cdg_solid_gradients_build(COUNT, l->first, l->column);
    cdg_random random = {5};
    for (size_t k = 0; k < 3 * COUNT; k++) l->right[k] = random_in(&random, -1, 1);
    return l;
}

static void fill(lattice *l, int threads) {
    for (size_t i = 0; i < COUNT; i++) {
        solid_gradients_row at = cdg_solid_gradients_begin(l->g, i);
        for (uint32_t e = l->first[i]; e < l->first[i + 1]; e++) {
            const cdg_gradient_entries *to = cdg_solid_gradients_next(l->g, &at, l->column[e]);
            if (to != NULL) cdg_solid_gradients_put(l->g, to, at.entry, l->entry[e]);
            if (l->column[e] == i) memcpy(l->g->diagonal + 9 * i, l->entry[e], sizeof l->entry[e]);
        }
    }
    cdg_solid_gradients_prepare(l->g, l->is_held, threads);
}

static bool solve(lattice *l, double tolerance, int threads) {
    return cdg_solid_gradients_solve(l->g, l->is_held, l->right, l->move, tolerance, threads);
}

static void multiply(lattice *l) {
    for (size_t i = 0; i < COUNT; i++)
        for (size_t k = 0; k < 3; k++) {
            l->product[3 * i + k] = 0;
            for (uint32_t e = l->first[i]; e < l->first[i + 1]; e++)
                for (size_t c = 0; c < 3; c++)
                    l->product[3 * i + k] += l->entry[e][3 * k + c] * l->move[3 * (size_t)l->column[e] + c];
        }
}

static void release(lattice *l) {
    cdg_solid_gradients_free(l->g);
    free(l);
}

static void test_solutions(void **state) {
    (void)state;
    for (int held = 0; held < 2; held++) {
        lattice *l = make(0.02);
        assert_true(l->g->block_count > 2);
        for (size_t i = 0; i < COUNT && held; i++) l->is_held[i] = i % 11 == 3;
        fill(l, 1);
        assert_true(solve(l, 1e-9, 1));
        multiply(l);
        for (size_t k = 0; k < 3 * COUNT; k++) {
            if (l->is_held[k / 3])
                assert_near(l->move[k], 0, 0);
            else // entries are in single precision, and moves are up to 1/0.02
                assert_near(l->product[k], l->right[k], 3e-5);
        }
        release(l);
    }
}

// Iterations with the inverse of the diagonal alone, plainly.
static int count_plainly(lattice *l, double tolerance) {
    double *r = malloc(sizeof l->move), *x = l->move, size = 0, first = 0;
    memcpy(r, l->right, sizeof l->move);
    memset(x, 0, sizeof l->move);
    int iterations = 0;
    for (;; iterations++) { // x is the direction, which `multiply` takes
        double next = 0, bend = 0;
        for (size_t k = 0; k < 3 * COUNT; k++) next += r[k] * r[k] / l->g->diagonal[9 * (k / 3) + 4 * (k % 3)];
        if (iterations == 0) first = next;
        if (next <= tolerance * tolerance * first) break;
        for (size_t k = 0; k < 3 * COUNT; k++)
            x[k] = r[k] / l->g->diagonal[9 * (k / 3) + 4 * (k % 3)] + (size > 0 ? next / size * x[k] : 0);
        multiply(l);
        for (size_t k = 0; k < 3 * COUNT; k++) bend += x[k] * l->product[k];
        for (size_t k = 0; k < 3 * COUNT; k++) r[k] -= next / bend * l->product[k];
        size = next;
    }
    free(r);
    return iterations;
}

static void test_few_iterations(void **state) {
    (void)state;
    lattice *l = make(0.02);
    fill(l, 1);
    assert_true(solve(l, 1e-6, 1));
    int plain = count_plainly(l, 1e-6);
    if (!(l->g->iterations < 0.45 * plain)) fail_msg("%d iterations, plainly %d", l->g->iterations, plain);
    assert_true(l->g->iterations > 10);
    release(l);
}

static void test_threads_change_no_bit(void **state) {
    (void)state;
    lattice *l = make(0.1);
    double *kept = malloc(sizeof l->move);
    fill(l, 1);
    assert_true(solve(l, 1e-7, 1));
    memcpy(kept, l->move, sizeof l->move);
    for (int thread_count = 2; thread_count <= 3; thread_count++) {
        fill(l, thread_count);
        assert_true(solve(l, 1e-7, thread_count));
        assert_memory_equal(kept, l->move, sizeof l->move);
    }
    free(kept);
    release(l);
}

static void test_not_positive_definite(void **state) {
    (void)state;
    lattice *l = make(-0.5);
    fill(l, 1);
    assert_false(solve(l, 1e-9, 1));
    release(l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solutions),
        cmocka_unit_test(test_few_iterations),
        cmocka_unit_test(test_threads_change_no_bit),
        cmocka_unit_test(test_not_positive_definite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
