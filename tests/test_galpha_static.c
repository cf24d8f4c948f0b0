// Equilibria of galpha rods: an unstable one is left for a stable one, whichever model finds it; failures tell the
// history of their corrections.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "arch_case.h"
#include "near.h"

static void test_buckled_column_is_found(void **state) {
    (void)state;
    cdg_vec3 tips[2];
    for (int k = 0; k < 2; k++) {
        small_world small = column_make(k == 0 ? CDG_MODEL_GALPHA : CDG_MODEL_DER, 40, 4);
        cdg_path_def path = cdg_path_def_default();
        path.step = 0.2;
        cdg_path_report report;
        must(small.world, cdg_world_follow_path(small.world, &path, &report));
        assert_true(report.equilibrium.is_stable && report.equilibrium.lowest > 0);
        cdg_vec3 nodes[41];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        tips[k] = nodes[40];
        assert_near(fabs(tips[k].z) < 1e-6 ? tips[k].z : tips[k].y, 0, 1e-6); // it bends the soft way only
        cdg_world_destroy(small.world);
    }
    double aside[2] = {hypot(tips[0].y, tips[0].z), hypot(tips[1].y, tips[1].z)};
    assert_true(aside[0] > 0.5);
    assert_near(aside[0], aside[1], 2e-3); // either side is as good
    assert_near(tips[0].x, tips[1].x, 2e-3);
}

static void test_history_of_a_failure(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_GALPHA;
    def.element_count = 5;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 0, false);
    cdg_equilibrium_report report;
    assert_int_equal(cdg_world_find_equilibrium(small.world, &report), CDG_ERROR_NO_CONVERGENCE);
    assert_true(report.history_count > 0);
    assert_non_null(strstr(cdg_world_message(small.world), "last corrections in element lengths: "));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckled_column_is_found),
        cmocka_unit_test(test_history_of_a_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
