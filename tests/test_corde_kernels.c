// corde's loops: every instruction set and every kind of sameness give the same, element by element.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "corde_case.h"
#include "near.h"

typedef void (*cells_function)(const cdg_rod *, const corde_state *, size_t, size_t, const corde_work *);

static corde_state state_of(cdg_rod *rod) {
    return (corde_state){{rod->x[0], rod->x[1], rod->x[2]},
                         {rod->v[0], rod->v[1], rod->v[2]},
                         {rod->q[0], rod->q[1], rod->q[2], rod->q[3]},
                         {rod->w[0], rod->w[1], rod->w[2]}};
}

// 100 elements: whole vectors and a rest.
static corde_case long_case(cdg_random *random, bool is_tapered) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.element_count = 101;
    def.corde.substeps = 1;
    def.section.radius = def.section_end.radius = 5e-3;
    def.is_tapered = is_tapered;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 3;
    corde_case c = case_build(&def);
    for (size_t i = 0; i < c.rod->node_count; i++) {
        rod_set_vec3(c.rod->x, i, vec3_add(rod_vec3(c.rod->x, i), random_vec3(random, 1e-3)));
        rod_set_vec3(c.rod->v, i, random_vec3(random, 1));
    }
    for (size_t j = 0; j < c.rod->element_count; j++) {
        rod_set_quat(c.rod->q, j, quat_multiply(rod_quat(c.rod->q, j), quat_exp(random_vec3(random, 0.2))));
        rod_set_vec3(c.rod->w, j, random_vec3(random, 3));
    }
    return c;
}

// A taper from a radius to the same one has the same numbers, but arrays of them.
static void test_uniform_and_varying_rods_agree(void **state) {
    (void)state;
    cdg_vec3 v[102], w[101];
    for (int tapered = 0; tapered < 2; tapered++) {
        cdg_random random = {5};
        corde_case c = long_case(&random, tapered == 1);
        assert_int_equal(c.rod->section_stride, tapered);
        case_predict(&c, 1e-5);
        for (size_t i = 0; i < 102; i++) {
            if (tapered) assert_vec3_near(rod_vec3(c.rod->v_next, i), v[i], 1e-11);
            v[i] = rod_vec3(c.rod->v_next, i);
        }
        for (size_t j = 0; j < 101; j++) {
            if (tapered) assert_vec3_near(rod_vec3(c.rod->w_next, j), w[j], 1e-9);
            w[j] = rod_vec3(c.rod->w_next, j);
        }
        case_free(&c);
    }
}

static void test_every_instruction_set_agrees(void **state) {
    (void)state;
    const cells_function variants[] = {
        corde_cells_base,
#if defined(__x86_64__)
        cdg_processor_lanes() != CDG_LANES_BASE ? corde_cells_avx2 : corde_cells_base,
        cdg_processor_lanes() == CDG_LANES_AVX512 ? corde_cells_avx512 : corde_cells_base,
#endif
    };
    for (size_t variant = 0; variant < sizeof variants / sizeof *variants; variant++) {
        cdg_random random = {6};
        corde_case c = long_case(&random, false);
        corde_state at = state_of(c.rod);
        static double memory[12][128];
        corde_work work[2];
        for (int k = 0; k < 3; k++) {
            work[0].near[k] = memory[k], work[0].far[k] = memory[3 + k];
            work[1].near[k] = memory[6 + k], work[1].far[k] = memory[9 + k];
        }
        variants[0](c.rod, &at, 1, 101, &work[0]);
        variants[variant](c.rod, &at, 1, 101, &work[1]);
        for (size_t j = 1; j < 100; j++) {
            assert_vec3_near(rod_vec3(work[1].near, j), rod_vec3(work[0].near, j), 1e-13);
            assert_vec3_near(rod_vec3(work[1].far, j), rod_vec3(work[0].far, j), 1e-13);
        }
        case_free(&c);
    }
}

// The torques of a cell on its two frames are opposite in world axes.
static void test_torques_are_opposite(void **state) {
    (void)state;
    cdg_random random = {7};
    corde_case c = long_case(&random, false);
    corde_state at = state_of(c.rod);
    static double memory[6][128];
    corde_work work = {.near = {memory[0], memory[1], memory[2]}, .far = {memory[3], memory[4], memory[5]}};
    corde_cells(c.rod, &at, 1, 101, &work);
    for (size_t i = 1; i < 101; i++) {
        cdg_vec3 left = quat_rotate(rod_quat(c.rod->q, i - 1), rod_vec3(work.far, i - 1));
        cdg_vec3 right = quat_rotate(rod_quat(c.rod->q, i), rod_vec3(work.near, i));
        assert_true(vec3_norm(left) > 1e-8);
        assert_vec3_near(left, vec3_scale(-1, right), 1e-14 * (1 + vec3_norm(left)));
    }
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_uniform_and_varying_rods_agree),
        cmocka_unit_test(test_every_instruction_set_agrees),
        cmocka_unit_test(test_torques_are_opposite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
