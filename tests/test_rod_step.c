// What models' steps share: which array is which after a commit, and the advised step against the closed form.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "rods/rod_model.h"

// Candidate to state, state to history; without history the old state's array takes the next candidate.
static void test_commit_rotates(void **state) {
    (void)state;
    double arrays[3][13] = {{0}}, twist[2], own[2];
    for (int with_history = 0; with_history < 2; with_history++) {
        cdg_rod rod = {.twist = &twist[0], .twist_next = &twist[1], .own = &own[0], .own_next = &own[1]};
        double **groups[3][4] = {{rod.x, rod.v, rod.q, rod.w},
                                 {rod.x_next, rod.v_next, rod.q_next, rod.w_next},
                                 {rod.x_before, rod.v_before, rod.q_before, rod.w_before}};
        const int counts[4] = {3, 3, 4, 3};
        for (int g = 0; g < 2 + with_history; g++)
            for (int a = 0, place = 0; a < 4; a++)
                for (int k = 0; k < counts[a]; k++) groups[g][a][k] = &arrays[g][place++];
        cdg_rod_commit(&rod, 0.25);
        const int expected[3] = {1, with_history ? 2 : 0, 0};
        for (int g = 0; g < 2 + with_history; g++)
            for (int a = 0, place = 0; a < 4; a++)
                for (int k = 0; k < counts[a]; k++) assert_ptr_equal(groups[g][a][k], &arrays[expected[g]][place++]);
        assert_ptr_equal(rod.twist, &twist[1]);
        assert_ptr_equal(rod.own_next, &own[0]);
        assert_true(rod.has_history && rod.history_step == 0.25);
    }
}

static void test_a_rod_without_memory_of_its_past_has_no_history(void **state) {
    (void)state;
    cdg_rod rod = {0};
    cdg_rod_commit(&rod, 1);
    assert_false(rod.has_history);
}

static void test_advice(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    cdg_rod *rod = NULL;
    def.name = "cable";
    assert_int_equal(cdg_rod_build(&def, &rod, NULL), CDG_OK);
    // 2 pi/((2 pi/L)^2 sqrt(B/m)) with L = 1 m, B = E pi r^4/4, m = rho pi r^2: r/2 sqrt(E/rho) is all that is left
    double expected = 1 / (6.283185307179586 * 1e-3 * sqrt(1e6 / 1100));
    assert_near(cdg_rod_bending_period(rod), expected, 1e-9 * expected);
    char reason[256];
    assert_near(cdg_rod_advise_by_bending(rod, reason), 5e-3, 1e-15);
    assert_non_null(strstr(reason, "'cable'"));
    assert_non_null(strstr(reason, "not above 5 ms"));
    cdg_rod_destroy(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_commit_rotates),
        cmocka_unit_test(test_a_rod_without_memory_of_its_past_has_no_history),
        cmocka_unit_test(test_advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
