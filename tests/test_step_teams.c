// Teams of rods: which go together, and the same results for any number of threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "math/vec3.h"
#include "near.h"
#include "rods/pobd/strands.h"
#include "small_world.h"
#include "world/step.h"

static void strands(int thread_count, cdg_pobd_solver solver, cdg_vec3 *out, size_t rods, size_t elements) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.step = 5e-3;
    world_def.thread_count = thread_count;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    for (size_t i = 0; i < rods; i++) {
        cdg_rod_def def = cdg_rod_def_default();
        char name[32];
        snprintf(name, sizeof name, "strand%zu", i);
        def.name = name;
        def.element_count = elements;
        def.pobd.solver = solver;
        def.centerline.line.from = vec3(0, 0.1 * (double)i, 0);
        def.centerline.line.to = vec3(1, 0.1 * (double)i, 0.01 * (double)i);
        cdg_rod_id rod;
        must(world, cdg_world_add_rod(world, &def, &rod));
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}};
        must(world, cdg_world_add_support(world, &support, NULL));
    }
    for (int s = 0; s < 40; s++) must(world, cdg_world_step(world, NULL));
    for (size_t i = 0; i < rods; i++)
        must(world, cdg_rod_positions(world, cdg_world_rod_at(world, i), out + i * (elements + 1)));
    cdg_world_destroy(world);
}

static void test_threads_do_not_change_results(void **state) {
    (void)state;
    enum { RODS = 13, ELEMENTS = 17, COUNT = RODS * (ELEMENTS + 1) };
    static cdg_vec3 one[COUNT], several[COUNT];
    for (int solver = 0; solver < 2; solver++) {
        strands(1, (cdg_pobd_solver)solver, one, RODS, ELEMENTS);
        for (int threads = 2; threads <= 5; threads += 3) {
            strands(threads, (cdg_pobd_solver)solver, several, RODS, ELEMENTS);
            assert_memory_equal(one, several, sizeof one);
        }
    }
}

// Strands that are alike and stand side by side go together; others, and nets, do not.
static void test_alike_rods_form_teams(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_world *world = small.world;
    static const char *const names[4] = {"b", "c", "d", "e"};
    for (int i = 0; i < 4; i++) {
        def.name = names[i];
        def.element_count = i < 3 ? cdg_rod_def_default().element_count : 7;
        def.centerline.line.from.y = def.centerline.line.to.y = 0.1 * (i + 1);
        must(world, cdg_world_add_rod(world, &def, NULL));
    }
    must(world, cdg_world_ensure_scratch(world));
    size_t most = pobd_strands_most(), together = most < 4 ? most : 4; // lanes of the instruction set in use
    assert_int_equal(world->team_count, 4 / together + 1);             // four alike, one of other size
    assert_int_equal(world->teams[0].count, together);
    assert_int_equal(cdg_team_rod(world, &world->teams[4 / together], 0), 4);
    assert_true(world->scratch_size >= 64 && world->scratch_count == 1);
    assert_int_equal(step_aligned_bytes(65), 128);
    cdg_world_destroy(world);
}

// A second thread is woken where a step takes longer than waking it: not for one rod, nor for a few short sums.
static void test_threads_are_woken_for_long_steps_alone(void **state) {
    (void)state;
    static const struct {
        size_t rods;
        int substeps;
        int threads;
    } cases[] = {{1, 1000, 1}, {20, 1, 1}, {20, 1000, 3}}; // 200, 4 and 4000 us
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        cdg_world_def world_def = cdg_world_def_default();
        world_def.thread_count = 3;
        cdg_world *world;
        must(NULL, cdg_world_create(&world_def, &world, NULL));
        for (size_t i = 0; i < cases[k].rods; i++) {
            cdg_rod_def def = cdg_rod_def_default();
            char name[32];
            snprintf(name, sizeof name, "rod%zu", i);
            def.name = name;
            def.model = CDG_MODEL_CORDE;
            def.corde.substeps = cases[k].substeps;
            def.element_count = 10 + i % 2; // neighbours that are alike would be one team
            def.centerline.line.from.y = def.centerline.line.to.y = 0.1 * (double)i;
            must(world, cdg_world_add_rod(world, &def, NULL));
        }
        must(world, cdg_world_ensure_scratch(world));
        assert_int_equal(cdg_step_threads(world), cases[k].threads);
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_do_not_change_results),
        cmocka_unit_test(test_alike_rods_form_teams),
        cmocka_unit_test(test_threads_are_woken_for_long_steps_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
