// Two-sided elimination of random chains against a dense solution, for each instruction set that this CPU has.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "math/chain_solve.h"
#include "math/random.h"
#include "near.h"

enum { STEPS_MAX = 16, MATRIX_MAX = 6 * (2 * STEPS_MAX + 1) + 3 };

typedef struct variant {
    bool (*eliminate)(chain_state *, const double *, const double *, size_t, double *);
    bool (*eliminate_bordered)(chain_state *, const double *, const double *, size_t, double *);
    void (*substitute)(const double *, size_t, chain_front *, const chain_target *);
    void (*substitute_bordered)(const double *, size_t, chain_front *, const chain_target *);
} variant;

static int variants(variant out[3]) {
    int count = 0;
#define ADD(suffix)                                                                                                    \
    out[count++] = (variant){chain_eliminate##suffix, chain_eliminate_bordered##suffix, chain_substitute##suffix,      \
                             chain_substitute_bordered##suffix}
    ADD(_base);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ADD(_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        ADD(_avx512);
#endif
    return count;
}

// 6x6 positive definite in blocks: [a, b; b^T, c], symmetric ones as 6 numbers
typedef struct six {
    double full[6][6];
} six;

static six random_six(cdg_random *random) {
    six s;
    double b[6][6];
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) b[i][j] = random_in(random, -1, 1);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            s.full[i][j] = i == j ? 0.05 : 0;
            for (int k = 0; k < 6; k++) s.full[i][j] += b[i][k] * b[j][k];
        }
    return s;
}

typedef struct element_blocks { // in the direction of the chain
    double weight, right_near[3], force[3], moment[3], next_moment[3];
    six stretch, bend; // (d, t), (t, t')
} element_blocks;

static element_blocks random_blocks(cdg_random *random) {
    element_blocks e = {.weight = random_in(random, 0.1, 1), .stretch = random_six(random), .bend = random_six(random)};
    for (int k = 0; k < 3; k++) {
        e.right_near[k] = random_in(random, -1, 1), e.force[k] = random_in(random, -1, 1);
        e.moment[k] = random_in(random, -1, 1), e.next_moment[k] = random_in(random, -1, 1);
    }
    return e;
}

static void put_symmetric(double *place, int slot, const six *s, int at) {
    const int rows[6] = {0, 0, 0, 1, 1, 2}, columns[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) place[(slot + k) * CHAIN_TILE_STRIDE] += s->full[at + rows[k]][at + columns[k]];
}
static void put_matrix(double *place, int slot, const six *s) {
    for (int k = 0; k < 9; k++) place[(slot + k) * CHAIN_TILE_STRIDE] += s->full[k / 3][3 + k % 3];
}

static void put_step(double *place, const element_blocks *e) {
    for (int slot = 0; slot < CHAIN_SLOTS; slot++) place[slot * CHAIN_TILE_STRIDE] = 0;
    place[CHAIN_WEIGHT * CHAIN_TILE_STRIDE] = e->weight;
    place[CHAIN_ENERGY * CHAIN_TILE_STRIDE] = 1;
    for (int k = 0; k < 3; k++) {
        place[(CHAIN_RIGHT_NEAR + k) * CHAIN_TILE_STRIDE] = e->right_near[k];
        place[(CHAIN_FORCE + k) * CHAIN_TILE_STRIDE] = e->force[k];
        place[(CHAIN_MOMENT + k) * CHAIN_TILE_STRIDE] = e->moment[k];
        place[(CHAIN_NEXT_MOMENT + k) * CHAIN_TILE_STRIDE] = e->next_moment[k];
    }
    put_symmetric(place, CHAIN_SPRING, &e->stretch, 0);
    put_matrix(place, CHAIN_COUPLING, &e->stretch);
    put_symmetric(place, CHAIN_TURNING, &e->stretch, 3);
    put_symmetric(place, CHAIN_TURNING, &e->bend, 0);
    put_matrix(place, CHAIN_NEXT, &e->bend);
    put_symmetric(place, CHAIN_NEXT_TURNING, &e->bend, 3);
}

// One end alone: x_0, t_0, ..., x_n, t_n with n steps and then an identity on x_n, t_n and on the border (a, b).
typedef struct dense {
    int size;
    double a[MATRIX_MAX + 6][MATRIX_MAX + 6], right[MATRIX_MAX + 6];
} dense;

static void add_step(dense *d, int place, const element_blocks *e) { // place: of x_near
    for (int i = 0; i < 3; i++) {
        d->a[place + i][place + i] += e->weight;
        d->right[place + i] += e->right_near[i], d->right[place + 6 + i] -= e->force[i];
        d->right[place + 3 + i] -= e->moment[i], d->right[place + 9 + i] -= e->next_moment[i];
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            // d = x_far - x_near: rows of d go to both with their signs; t stands between them
            const int rows[2] = {i < 3 ? place + i : place + i, i < 3 ? place + 6 + i : -1};
            const int columns[2] = {j < 3 ? place + j : place + j, j < 3 ? place + 6 + j : -1};
            for (int r = 0; r < 2; r++)
                for (int c = 0; c < 2; c++) {
                    if (rows[r] < 0 || columns[c] < 0) continue;
                    double sign = (i < 3 && r == 0 ? -1 : 1) * (j < 3 && c == 0 ? -1 : 1);
                    d->a[rows[r]][columns[c]] += sign * e->stretch.full[i][j];
                }
            int row = place + (i < 3 ? 3 + i : 6 + i), column = place + (j < 3 ? 3 + j : 6 + j);
            d->a[row][column] += e->bend.full[i][j];
        }
}

static void gauss(dense *d) {
    for (int j = 0; j < d->size; j++)
        for (int i = j + 1; i < d->size; i++) { // positive definite: no pivoting
            double f = d->a[i][j] / d->a[j][j];
            for (int k = j; k < d->size && f != 0; k++) d->a[i][k] -= f * d->a[j][k];
            d->right[i] -= f * d->right[j];
        }
    for (int j = d->size; j-- > 0;) {
        for (int k = j + 1; k < d->size; k++) d->right[j] -= d->a[j][k] * d->right[k];
        d->right[j] /= d->a[j][j];
    }
}

static double symmetric_entry(const double *s, int lane, int i, int j) {
    const int index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    return s[2 * index[i][j] + lane];
}

static void run(bool has_border) {
    cdg_random random = {has_border ? 52 : 51};
    static dense whole, front_system;
    static double first[CHAIN_TILE_SIZE], last[CHAIN_TILE_SIZE], record[CHAIN_BORDER_RECORD * STEPS_MAX];
    variant all[3];
    int variant_count = variants(all);
    for (int steps = 1; steps <= STEPS_MAX; steps++) {
        element_blocks blocks[2][STEPS_MAX];
        double border[2][4][9]; // xa, xb, ta, tb of each end's start
        for (int lane = 0; lane < 2; lane++) {
            for (int k = 0; k < steps; k++) blocks[lane][k] = random_blocks(&random);
            for (int k = 0; k < 4; k++)
                for (int m = 0; m < 9; m++) border[lane][k][m] = has_border ? random_in(&random, -0.02, 0.02) : 0;
        }
        for (int k = 0; k < steps; k++) {
            put_step(first + CHAIN_TILE_PAD + k, &blocks[0][k]);
            put_step(last + CHAIN_TILE_PAD + (steps - 1 - k), &blocks[1][k]);
        }
        for (int v = 0; v < variant_count; v++) {
            chain_state state;
            memset(&state, 0, sizeof state);
            for (int lane = 0; lane < 2 && has_border; lane++)
                for (int m = 0; m < 9; m++) {
                    state.xa[2 * m + lane] = border[lane][0][m], state.xb[2 * m + lane] = border[lane][1][m];
                    state.ta[2 * m + lane] = border[lane][2][m], state.tb[2 * m + lane] = border[lane][3][m];
                }
            const double *from = first + CHAIN_TILE_PAD, *to = last + CHAIN_TILE_PAD + (steps - 1);
            assert_true(
                (has_border ? all[v].eliminate_bordered : all[v].eliminate)(&state, from, to, (size_t)steps, record));
            assert_near(state.energy[0], steps, 0);
            assert_near(state.energy[1], steps, 0);

            chain_front front;
            memset(&front, 0, sizeof front);
            double border_value[2][6], wanted[2][6 * STEPS_MAX + 6];
            for (int lane = 0; lane < 2; lane++) {
                // what is left, plus identities, must give the same front and border as the whole of this end
                memset(&whole, 0, sizeof whole), memset(&front_system, 0, sizeof front_system);
                int n = 6 * steps + 6;
                whole.size = n + 6, front_system.size = 12;
                for (int k = 0; k < steps; k++) add_step(&whole, 6 * k, &blocks[lane][k]);
                for (int i = 0; i < 12; i++) whole.a[n - 6 + i][n - 6 + i] += 1, front_system.a[i][i] += 1;
                for (int i = 0; i < 3; i++)
                    for (int j = 0; j < 3; j++) {
                        for (int b = 0; b < 2; b++) {
                            double x = border[lane][b][3 * i + j], t = border[lane][2 + b][3 * i + j];
                            whole.a[i][n + 3 * b + j] += x, whole.a[n + 3 * b + j][i] += x;
                            whole.a[3 + i][n + 3 * b + j] += t, whole.a[n + 3 * b + j][3 + i] += t;
                        }
                        int m = 2 * (3 * i + j) + lane;
                        front_system.a[i][j] += symmetric_entry(state.p, lane, i, j);
                        front_system.a[3 + i][3 + j] += symmetric_entry(state.q, lane, i, j);
                        front_system.a[i][3 + j] += state.d[m], front_system.a[3 + j][i] += state.d[m];
                        front_system.a[6 + i][6 + j] += symmetric_entry(state.aa, lane, i, j);
                        front_system.a[9 + i][9 + j] += symmetric_entry(state.bb, lane, i, j);
                        front_system.a[6 + i][9 + j] += state.ab[m], front_system.a[9 + j][6 + i] += state.ab[m];
                        front_system.a[i][6 + j] += state.xa[m], front_system.a[6 + j][i] += state.xa[m];
                        front_system.a[i][9 + j] += state.xb[m], front_system.a[9 + j][i] += state.xb[m];
                        front_system.a[3 + i][6 + j] += state.ta[m], front_system.a[6 + j][3 + i] += state.ta[m];
                        front_system.a[3 + i][9 + j] += state.tb[m], front_system.a[9 + j][3 + i] += state.tb[m];
                    }
                for (int i = 0; i < 3; i++) {
                    front_system.right[i] = state.right_x[2 * i + lane];
                    front_system.right[3 + i] = state.right_t[2 * i + lane];
                    front_system.right[6 + i] = state.right_a[2 * i + lane];
                    front_system.right[9 + i] = state.right_b[2 * i + lane];
                }
                double right[MATRIX_MAX + 6], sum = 0, sum_front = 0, right_front[12];
                memcpy(right, whole.right, sizeof right), memcpy(right_front, front_system.right, sizeof right_front);
                gauss(&whole), gauss(&front_system);
                for (int i = 0; i < 12; i++) {
                    assert_near(front_system.right[i], whole.right[n - 6 + i], 1e-9);
                    sum_front += right_front[i] * front_system.right[i];
                }
                for (int i = 0; i < whole.size; i++) sum += right[i] * whole.right[i];
                assert_near(state.decrement[lane] + sum_front, sum, 1e-9 * (1 + fabs(sum)));
                memcpy(wanted[lane], whole.right, sizeof(double) * (size_t)n);
                memcpy(border_value[lane], whole.right + n, sizeof border_value[lane]);
                for (int i = 0; i < 3; i++)
                    front.x[2 * i + lane] = whole.right[n - 6 + i], front.t[2 * i + lane] = whole.right[n - 3 + i];
            }
            // both ends share one border in real use; here each has its own, so each lane is checked with its own
            for (int lane = 0; lane < 2; lane++) {
                double out[6][2 * STEPS_MAX];
                chain_target target = {.last_x = 2 * STEPS_MAX - 1, .last_t = 2 * STEPS_MAX - 1};
                for (int k = 0; k < 3; k++) {
                    target.x[k] = out[k], target.t[k] = out[3 + k];
                    front.a[k] = border_value[lane][k], front.b[k] = border_value[lane][3 + k];
                }
                // in two parts, the later steps first: the front goes on where the first part has left it
                size_t early = (size_t)steps / 3, size = has_border ? CHAIN_BORDER_RECORD : CHAIN_RECORD;
                chain_front at = front;
                chain_target late = target;
                for (int k = 0; k < 3; k++) late.x[k] += early, late.t[k] += early;
                late.last_x -= 2 * early, late.last_t -= 2 * early;
                void (*substitute)(const double *, size_t, chain_front *, const chain_target *) =
                    has_border ? all[v].substitute_bordered : all[v].substitute;
                substitute(record + early * size, (size_t)steps - early, &at, &late);
                substitute(record, early, &at, &target);
                for (int k = 0; k < steps; k++)
                    for (int i = 0; i < 3; i++) {
                        int place = lane == 0 ? k : 2 * STEPS_MAX - 1 - k;
                        assert_near(out[i][place], (lane == 0 ? 1 : -1) * wanted[lane][6 * k + i], 1e-9);
                        assert_near(out[3 + i][place], wanted[lane][6 * k + 3 + i], 1e-9);
                    }
            }
        }
    }
}

static void open_chain_equals_dense_solution(void **unused) {
    (void)unused;
    run(false);
}

static void bordered_chain_equals_dense_solution(void **unused) {
    (void)unused;
    run(true);
}

// Enormous springs between light nodes: the sum of the nodes' weights must come out at the far end, not rounding
// errors.
static void stiff_chain_keeps_its_weight(void **unused) {
    (void)unused;
    variant all[3];
    int count = variants(all);
    static double first[CHAIN_TILE_SIZE], last[CHAIN_TILE_SIZE], record[CHAIN_RECORD * STEPS_MAX];
    for (int k = 0; k < CHAIN_TILE; k++)
        for (int end = 0; end < 2; end++) {
            double *place = (end == 0 ? first : last) + CHAIN_TILE_PAD + k;
            for (int slot = 0; slot < CHAIN_SLOTS; slot++) place[slot * CHAIN_TILE_STRIDE] = 0;
            place[CHAIN_WEIGHT * CHAIN_TILE_STRIDE] = 1e-3;
            const int diagonal[3] = {0, 3, 5};
            for (int d = 0; d < 3; d++) {
                place[(CHAIN_SPRING + diagonal[d]) * CHAIN_TILE_STRIDE] = 1e14;
                place[(CHAIN_TURNING + diagonal[d]) * CHAIN_TILE_STRIDE] = 1;
            }
        }
    for (int v = 0; v < count; v++) {
        chain_state state;
        memset(&state, 0, sizeof state);
        assert_true(all[v].eliminate(&state, first + CHAIN_TILE_PAD, last + CHAIN_TILE_PAD + CHAIN_TILE - 1, CHAIN_TILE,
                                     record));
        for (int lane = 0; lane < 2; lane++) assert_near(state.p[lane], 16e-3, 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_chain_equals_dense_solution),
        cmocka_unit_test(bordered_chain_equals_dense_solution),
        cmocka_unit_test(stiff_chain_keeps_its_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
