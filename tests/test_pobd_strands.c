// The team solver, each instruction set: every rod of a team gets the candidate that it gets alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/processor.h"
#include "math/quat.h"
#include "math/random.h"
#include "rods/pobd/parts.h"
#include "rods/pobd/strands.h"

typedef bool (*solve_function)(pobd_strand *, size_t, pobd_scheme, int, const cdg_soon *, void *);

static const struct {
    solve_function solve;
    size_t (*scratch_size)(size_t element_count);
    size_t most;
    cdg_lanes needs;
} variants[] = {
    {pobd_solve_strands_base, pobd_strands_scratch_size_base, 2, CDG_LANES_BASE},
#if defined(__x86_64__)
    {pobd_solve_strands_avx2, pobd_strands_scratch_size_avx2, 4, CDG_LANES_AVX2},
    {pobd_solve_strands_avx512, pobd_strands_scratch_size_avx512, 8, CDG_LANES_AVX512},
#endif
};

// A rod with all that its step needs: loads, holds, scratch.
typedef struct loaded_rod {
    cdg_rod *rod;
    cdg_rod_loads loads;
    cdg_hold holds[2];
    pobd_anchor anchors[2];
    double *arrays;
} loaded_rod;

static double *doubles(double **next, size_t count) {
    double *block = *next;
    *next += (count + 7) / 8 * 8;
    return block;
}

// Curved or straight, clamped, pinned or free, in a pose away from rest, moving; with loads or with weight only.
static void make_rod(loaded_rod *out, cdg_random *random, size_t elements, bool is_bdf2, bool has_loads) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "strand";
    def.element_count = elements;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = is_bdf2 ? CDG_POBD_BDF2 : CDG_POBD_EULER;
    def.pobd.iterations = 3;
    def.section.radius = random_in(random, 1e-3, 3e-3);
    def.material.young_modulus = random_in(random, 1e5, 1e7);
    def.centerline.line.to = (cdg_vec3){random_in(random, 0.3, 0.6), 0, 0};
    if (random_in(random, 0, 1) < 0.5) {
        def.rest.kind = CDG_REST_CURVATURE;
        def.rest.curvature[0] = random_in(random, -9, 9);
        def.rest.twist = random_in(random, -9, 9);
    }
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &out->rod, &error), CDG_OK);
    cdg_rod *rod = out->rod;
    size_t nodes = rod->node_count;
    for (size_t i = 0; i < nodes; i++) {
        cdg_vec3 x = vec3_add(rod_vec3(rod->x, i), random_vec3(random, 1e-3)), v = random_vec3(random, 0.5);
        rod_set_vec3(rod->x, i, x), rod_set_vec3(rod->v, i, v);
        if (is_bdf2) {
            rod_set_vec3(rod->x_before, i, vec3_mad(x, -1e-3, v));
            rod_set_vec3(rod->v_before, i, vec3_add(v, random_vec3(random, 0.02)));
        }
    }
    for (size_t j = 0; j < elements; j++) {
        cdg_quat q = quat_multiply(rod_quat(rod->q, j), quat_exp(random_vec3(random, 0.1)));
        cdg_vec3 w = random_vec3(random, 20);
        double sign = random_in(random, 0, 1) < 0.5 ? -1 : 1; // q and -q are the same
        q = quat(sign * q.w, sign * q.x, sign * q.y, sign * q.z);
        rod_set_quat(rod->q, j, q), rod_set_vec3(rod->w, j, w);
        if (is_bdf2) {
            rod_set_quat(rod->q_before, j, quat_multiply(q, quat_exp(vec3_scale(-1e-3, w))));
            rod_set_vec3(rod->w_before, j, vec3_add(w, random_vec3(random, 0.5)));
        }
    }
    rod->has_history = is_bdf2;
    rod->history_step = 1e-3;
    rod->drag_rate = random_in(random, 0, 5);

    rod->holds = out->holds;
    rod->hold_count = 0;
    rod->hold_capacity = 2;
    for (size_t end = 0; end < 2; end++) {
        double choice = random_in(random, 0, 1);
        if (choice < 0.3) continue;
        size_t node = end == 0 ? 0 : nodes - 1;
        out->holds[rod->hold_count++] = (cdg_hold){
            .node = node,
            .holds_position = choice < 0.8,
            .frame_hold = choice < 0.6   ? CDG_HOLD_FRAME
                          : choice < 0.7 ? CDG_HOLD_ROLL
                                         : CDG_HOLD_NO_FRAME,
            .position = vec3_add(rod_vec3(rod->x, node), random_vec3(random, 1e-3)),
            .frame = quat_multiply(rod_quat(rod->q, end == 0 ? 0 : elements - 1), quat_exp(random_vec3(random, 0.1)))};
    }

    double *next = out->arrays = aligned_alloc(64, 6 * ((nodes + 7) / 8 * 64));
    assert_non_null(out->arrays);
    out->loads = (cdg_rod_loads){.gravity = {1, 2, -9.81}, .is_weight_only = !has_loads};
    for (int k = 0; k < 3; k++) {
        out->loads.force[k] = doubles(&next, nodes);
        out->loads.torque[k] = doubles(&next, elements);
        double gravity = k == 0 ? 1 : k == 1 ? 2 : -9.81;
        for (size_t i = 0; i < nodes; i++)
            out->loads.force[k][i] =
                rod->node_mass[i] * (gravity + (has_loads ? random_in(random, -3, 3) : 0)); // alone: always filled
        for (size_t j = 0; j < elements; j++) out->loads.torque[k][j] = has_loads ? random_in(random, -1e-6, 1e-6) : 0;
    }
}

static void free_rod(loaded_rod *r) {
    r->rod->holds = NULL; // ours
    cdg_rod_destroy(r->rod);
    free(r->arrays);
}

typedef struct candidate {
    cdg_vec3 *x, *v, *w;
    cdg_quat *q;
    double residual;
} candidate;

static candidate solve_alone(loaded_rod *r) {
    size_t nodes = r->rod->node_count, elements = r->rod->element_count;
    candidate c = {malloc(nodes * sizeof *c.x), malloc(nodes * sizeof *c.v), malloc(elements * sizeof *c.w),
                   malloc(elements * sizeof *c.q), 0};
    void *scratch = aligned_alloc(64, (r->rod->model->scratch_size(r->rod) + 63) / 64 * 64);
    cdg_rod_step_result result;
    cdg_error error;
    cdg_rod_loads loads = r->loads;
    loads.is_weight_only = false;
    assert_int_equal(r->rod->model->predict(r->rod, 1e-3, &loads, scratch, &result, &error), CDG_OK);
    for (size_t i = 0; i < nodes; i++) c.x[i] = rod_vec3(r->rod->x_next, i), c.v[i] = rod_vec3(r->rod->v_next, i);
    for (size_t j = 0; j < elements; j++) c.q[j] = rod_quat(r->rod->q_next, j), c.w[j] = rod_vec3(r->rod->w_next, j);
    c.residual = result.residual;
    free(scratch);
    return c;
}

static void free_candidate(candidate *c) { free(c->x), free(c->v), free(c->w), free(c->q); }

static void expect_same(const loaded_rod *r, const candidate *alone) {
    for (size_t i = 0; i < r->rod->node_count; i++) {
        assert_true(vec3_distance(rod_vec3(r->rod->x_next, i), alone->x[i]) < 1e-11);
        assert_true(vec3_distance(rod_vec3(r->rod->v_next, i), alone->v[i]) < 1e-8);
    }
    for (size_t j = 0; j < r->rod->element_count; j++) {
        cdg_quat a = rod_quat(r->rod->q_next, j), b = alone->q[j];
        assert_true(fabs(a.w - b.w) + fabs(a.x - b.x) + fabs(a.y - b.y) + fabs(a.z - b.z) < 1e-9);
        assert_true(vec3_distance(rod_vec3(r->rod->w_next, j), alone->w[j]) < 1e-6);
    }
}

static void try_team(size_t variant, uint64_t seed, size_t elements, size_t count, bool is_bdf2, bool has_loads) {
    cdg_random random = {seed};
    loaded_rod rods[CDG_TEAM_MAX];
    candidate alone[CDG_TEAM_MAX];
    pobd_strand strands[CDG_TEAM_MAX] = {0};
    cdg_soon soon = {0};
    for (size_t i = 0; i < count; i++) {
        make_rod(&rods[i], &random, elements, is_bdf2, has_loads);
        alone[i] = solve_alone(&rods[i]);
        cdg_rod *rod = rods[i].rod;
        cdg_soon_add(&soon, rod->x[0], rod_state_bytes(rod));
        cdg_soon_add(&soon, rod, sizeof *rod);
        strands[i] = (pobd_strand){.rod = rod, .loads = &rods[i].loads, .inertia = pobd_gauss_seidel_inertia(rod, 0)};
        for (size_t h = 0; h < rod->hold_count; h++)
            if (rod->holds[h].holds_position) strands[i].held[rod->holds[h].node != 0] = &rod->holds[h];
        size_t anchors = pobd_set_anchors(rod, 1e-3, 0, NULL, rods[i].anchors);
        for (size_t a = 0; a < anchors; a++) strands[i].anchored[rods[i].anchors[a].node != 0] = &rods[i].anchors[a];
    }
    void *scratch = aligned_alloc(64, (variants[variant].scratch_size(elements) + 63) / 64 * 64);
    pobd_scheme scheme = pobd_choose_scheme(rods[0].rod, 1e-3);
    assert_true((scheme.history != 0) == is_bdf2);
    assert_true(variants[variant].solve(strands, count, scheme, 3, &soon, scratch));
    for (size_t i = 0; i < count; i++) {
        expect_same(&rods[i], &alone[i]);
        double residual = fmax(strands[i].correction * (double)elements / rods[i].rod->length, strands[i].stretch);
        assert_true(fabs(residual - alone[i].residual) < 1e-8 * (1 + alone[i].residual));
        free_candidate(&alone[i]);
        free_rod(&rods[i]);
    }
    free(scratch);
}

static void test_team_equals_rods_alone(void **state) {
    (void)state;
    for (size_t variant = 0; variant < sizeof variants / sizeof *variants; variant++) {
        if (cdg_processor_lanes() < variants[variant].needs) continue;
        uint64_t seed = 1;
        for (size_t elements = 1; elements <= 26; elements++)
            for (size_t count = 1; count <= variants[variant].most; count++, seed++)
                try_team(variant, seed, elements, count, seed % 2 == 0, seed % 3 == 0);
        try_team(variant, seed, 133, variants[variant].most, false, false);
    }
}

// What is too fast for the plain prediction, or not finite, is handed back.
static void test_team_hands_back_what_it_cannot_do(void **state) {
    (void)state;
    for (int what = 0; what < 3; what++) {
        cdg_random random = {5};
        loaded_rod rods[2];
        pobd_strand strands[2] = {0};
        for (size_t i = 0; i < 2; i++) {
            make_rod(&rods[i], &random, 9, false, false);
            strands[i] = (pobd_strand){
                .rod = rods[i].rod, .loads = &rods[i].loads, .inertia = pobd_gauss_seidel_inertia(rods[i].rod, 0)};
        }
        if (what == 1) rods[1].rod->w[2][4] = 1e4;
        if (what == 2) rods[1].rod->v[0][3] = NAN;
        void *scratch = aligned_alloc(64, (pobd_strands_scratch_size(9) + 63) / 64 * 64);
        pobd_scheme scheme = pobd_choose_scheme(rods[0].rod, 1e-3);
        assert_true(pobd_solve_strands(strands, 2, scheme, 3, NULL, scratch) == (what == 0));
        for (size_t i = 0; i < 2; i++) free_rod(&rods[i]);
        free(scratch);
    }
}

static void test_team_size_is_that_of_the_vectors(void **state) {
    (void)state;
    assert_true(pobd_strands_most() >= 2 && pobd_strands_most() <= CDG_TEAM_MAX);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_team_equals_rods_alone),
        cmocka_unit_test(test_team_hands_back_what_it_cannot_do),
        cmocka_unit_test(test_team_size_is_that_of_the_vectors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
