// The vectorised passes of the direct solver against the same terms one by one, for each instruction set of this CPU.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/chain_solve.h"
#include "near.h"
#include "pobd_case.h"
#include "rods/pobd/assemble.h"
#include "rods/pobd/terms.h"

typedef struct variant {
    void (*assemble)(const pobd_assembly *, size_t, size_t, bool, double *);
    double (*value)(const pobd_problem *, size_t);
    void (*advance)(const pobd_problem *, const pobd_correction *, double);
    double (*excess)(const pobd_problem *, const pobd_correction *, double, size_t);
    void (*center)(const pobd_problem *, const pobd_correction *);
    pobd_size (*measure)(const pobd_problem *, const pobd_correction *);
} variant;

static int variants(variant out[3]) {
    int count = 0;
#define ADD(suffix)                                                                                                    \
    out[count++] = (variant){pobd_assemble##suffix, pobd_value##suffix,  pobd_advance##suffix,                         \
                             pobd_excess##suffix,   pobd_center##suffix, pobd_measure##suffix}
    ADD(_base);
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) ADD(_avx2);
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("fma"))
        ADD(_avx512);
#endif
    return count;
}

static void check_slots(const double *place, int slot, const double *wanted, int count) {
    for (int k = 0; k < count; k++)
        assert_near(place[(slot + k) * CHAIN_TILE_STRIDE], wanted[k], 1e-12 * (1 + fabs(wanted[k])));
}
static void check_vector(const double *place, int slot, block_vector v) {
    double wanted[3];
    memcpy(wanted, &v, sizeof v), check_slots(place, slot, wanted, 3);
}
static void check_symmetric(const double *place, int slot, block_symmetric s) {
    double wanted[6];
    memcpy(wanted, &s, sizeof s), check_slots(place, slot, wanted, 6);
}
static void check_matrix(const double *place, int slot, block_matrix m) {
    double wanted[9];
    memcpy(wanted, &m, sizeof m), check_slots(place, slot, wanted, 9);
}

static void tiles_hold_the_terms(void **unused) {
    (void)unused;
    cdg_random random = {61};
    variant all[3];
    int count = variants(all);
    for (int round = 0; round < 60; round++) {
        size_t elements = 2 + (size_t)(random_unit(&random) * 24);
        pobd_case *c = case_random(&random, elements, false, 0.5);
        pobd_problem *p = &c->problem;
        c->node_weight[elements / 2] = INFINITY;
        p->is_tangent = round % 3 == 2;
        if (round % 5 == 0) p->stretch_stride = 0, p->rest_strain[0] = NULL;
        if (round % 7 == 0) p->bend_stride = 0;
        pobd_assembly assembly = {p, round % 2 == 0, 0.25, 0.5, elements};
        for (int v = 0; v < count; v++)
            for (int forward = 0; forward < 2; forward++) {
                size_t low = forward ? 0 : 1, high = forward ? elements - 1 : elements;
                size_t first = low + (size_t)(random_unit(&random) * (double)(high - low));
                size_t steps = 1 + (size_t)(random_unit(&random) * (double)(high - first));
                if (steps > high - first) steps = high - first;
                if (steps > CHAIN_TILE) steps = CHAIN_TILE;
                double tile[CHAIN_TILE_SIZE];
                all[v].assemble(&assembly, first, steps, forward, tile);
                for (size_t k = 0; k < steps; k++) {
                    size_t j = first + k, node = forward ? j : j + 1, left = forward ? j : j - 1;
                    const double *place = tile + CHAIN_TILE_PAD + k;
                    block_stretch_term s = block_stretch_at(p, j, j + 1, assembly.is_exact);
                    block_spin_term spin = block_spin_at(p, j, assembly.is_exact);
                    block_bend_term b = block_bend_at(p, left, left + 1, left + 1, p->is_tangent, assembly.is_exact);
                    block_node_term n = block_node_at(p, node);
                    double weight = node == elements / 2 ? POBD_HELD_WEIGHT : c->node_weight[node] + 0.25;
                    assert_near(place[CHAIN_WEIGHT * CHAIN_TILE_STRIDE], weight, 1e-12 * weight);
                    check_vector(place, CHAIN_RIGHT_NEAR, block_add(s.force, block_scale(forward ? -1 : 1, n.force)));
                    check_vector(place, CHAIN_FORCE, s.force);
                    check_symmetric(place, CHAIN_SPRING, s.spring);
                    check_matrix(place, CHAIN_COUPLING, s.coupling);
                    block_symmetric own = block_add_symmetric(s.turning, spin.turning);
                    own = block_add_symmetric(own, forward ? b.left_left : b.right_right);
                    check_symmetric(place, CHAIN_TURNING, block_add_diagonal(own, 0.5));
                    check_vector(place, CHAIN_MOMENT,
                                 block_add(block_add(s.moment, spin.moment), forward ? b.left : b.right));
                    check_matrix(place, CHAIN_NEXT, forward ? b.left_right : block_transpose(b.left_right));
                    check_symmetric(place, CHAIN_NEXT_TURNING, forward ? b.right_right : b.left_left);
                    check_vector(place, CHAIN_NEXT_MOMENT, forward ? b.right : b.left);
                    double energy = s.energy + spin.energy + b.energy + n.energy;
                    assert_near(place[CHAIN_ENERGY * CHAIN_TILE_STRIDE], energy, 1e-12 * (1 + energy));
                }
            }
        case_destroy(c);
    }
}

static void value_equals_the_objective(void **unused) {
    (void)unused;
    cdg_random random = {62};
    variant all[3];
    int count = variants(all);
    for (size_t elements = 1; elements < 40; elements++) {
        pobd_case *c = case_random(&random, elements, false, 0.7);
        c->problem.is_tangent = elements % 3 == 1;
        double wanted = pobd_objective(&c->problem, NULL, NULL);
        for (int v = 0; v < count; v++) assert_near(all[v].value(&c->problem, elements), wanted, 1e-12 * wanted);
        case_destroy(c);
    }
}

static pobd_correction random_correction(cdg_random *random, const pobd_problem *p, double *memory, double size) {
    pobd_correction correction;
    for (size_t k = 0; k < 3; k++) {
        correction.x[k] = memory + k * p->node_count, correction.t[k] = memory + (3 + k) * p->node_count;
        for (size_t i = 0; i < p->node_count; i++) correction.x[k][i] = random_in(random, -size, size);
        for (size_t j = 0; j < p->element_count; j++) correction.t[k][j] = random_in(random, -size, size);
    }
    return correction;
}

static double stretch_energy(const pobd_problem *p) {
    double sum = 0;
    for (size_t j = 0; j < p->element_count; j++) sum += block_stretch_at(p, j, pobd_next_node(p, j), true).energy;
    return sum;
}

// The linear strain from its derivative: dGamma = R^T (dx_end - dx_start)/l + e x theta.
static double linear_stretch_energy(const pobd_problem *p, const pobd_correction *correction, double factor) {
    double sum = 0;
    for (size_t j = 0; j < p->element_count; j++) {
        size_t next = pobd_next_node(p, j);
        cdg_quat q = quat(p->q[0][j], p->q[1][j], p->q[2][j], p->q[3][j]);
        double d[3], dd[3], s[3];
        for (int k = 0; k < 3; k++) {
            d[k] = (p->x[k][next] - p->x[k][j]) / p->rest_length[j];
            dd[k] = factor * (correction->x[k][next] - correction->x[k][j]) / p->rest_length[j];
        }
        cdg_vec3 e = quat_rotate_inverse(q, vec3(d[0], d[1], d[2]));
        cdg_vec3 turn = vec3(correction->t[0][j], correction->t[1][j], correction->t[2][j]);
        cdg_vec3 change = vec3_mad(quat_rotate_inverse(q, vec3(dd[0], dd[1], dd[2])), factor, vec3_cross(e, turn));
        s[0] = e.x + change.x, s[1] = e.y + change.y, s[2] = e.z + change.z - 1;
        for (int k = 0; k < 3; k++) {
            s[k] -= p->rest_strain[0] != NULL ? p->rest_strain[k][j] : 0;
            sum += p->rest_length[j] * p->stretch_stiffness[k][j * p->stretch_stride] * s[k] * s[k] / 2;
        }
    }
    return sum;
}

static void excess_is_beyond_the_linear_strain(void **unused) {
    (void)unused;
    cdg_random random = {63};
    variant all[3];
    int count = variants(all);
    for (size_t elements = 2; elements < 30; elements++) {
        pobd_case *c = case_random(&random, elements, elements % 2, 0.3);
        pobd_problem *p = &c->problem;
        if (elements % 3 == 0) p->rest_strain[0] = NULL, p->stretch_stride = 0;
        double *memory = calloc(6 * p->node_count, sizeof *memory);
        pobd_correction correction = random_correction(&random, p, memory, 0.5);
        double factor = 0.7, linear = linear_stretch_energy(p, &correction, factor);
        for (int v = 0; v < count; v++) {
            all[v].advance(p, &correction, factor);
            size_t chain = elements % 2 ? elements - 1 : elements;
            double now = stretch_energy(p);
            assert_near(all[v].excess(p, &correction, factor, chain), now - linear, 1e-11 * (now + linear));
            all[v].advance(p, &correction, -factor);
        }
        free(memory);
        case_destroy(c);
    }
}

static void center_and_measure(void **unused) {
    (void)unused;
    cdg_random random = {64};
    variant all[3];
    int count = variants(all);
    for (size_t elements = 1; elements < 30; elements++) {
        pobd_case *c = case_random(&random, elements, false, 0.3);
        pobd_problem *p = &c->problem;
        double *memory = calloc(6 * p->node_count, sizeof *memory);
        for (int v = 0; v < count; v++) {
            pobd_correction correction = random_correction(&random, p, memory, 0.5);
            double difference = correction.x[1][1] - correction.x[1][0];
            all[v].center(p, &correction);
            assert_near(correction.x[1][1] - correction.x[1][0], difference, 1e-14 * 100);
            for (int k = 0; k < 3; k++) {
                double sum = 0;
                for (size_t i = 0; i < p->node_count; i++)
                    sum += c->node_weight[i] * (p->x[k][i] + correction.x[k][i] - c->x_target[k][i]);
                assert_near(sum, 0, 1e-12);
            }
            pobd_size size = all[v].measure(p, &correction);
            double move = 0, turn = 0, swing = 0;
            for (size_t i = 0; i < p->node_count; i++)
                move = fmax(move, vec3_norm(vec3(correction.x[0][i], correction.x[1][i], correction.x[2][i])));
            for (size_t j = 0; j < elements; j++) {
                double t = vec3_norm(vec3(correction.t[0][j], correction.t[1][j], correction.t[2][j]));
                turn = fmax(turn, t), swing = fmax(swing, t * c->rest_length[j]);
            }
            assert_true(size.is_finite);
            assert_near(size.move, move, 1e-14), assert_near(size.turn, turn, 1e-14);
            assert_near(size.swing, swing, 1e-14);
            correction.t[2][elements / 2] = NAN;
            assert_false(all[v].measure(p, &correction).is_finite);
            // a held node: the mean is the support's affair
            double keep = correction.x[0][0], weight = c->node_weight[1];
            c->node_weight[1] = INFINITY;
            all[v].center(p, &correction);
            assert_true(correction.x[0][0] == keep);
            c->node_weight[1] = weight;
        }
        free(memory);
        case_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_hold_the_terms),
        cmocka_unit_test(value_equals_the_objective),
        cmocka_unit_test(excess_is_beyond_the_linear_strain),
        cmocka_unit_test(center_and_measure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
