// Where the time of a run went, in words: largest first, and what would help.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/run_times.h"

#include <string.h>

static void test_text(void **state) {
    (void)state;
    char text[CDG_TIMES_SIZE];
    cdg_run_summary s = {
        .step_count = 10,
        .times = {.rods = 3, .contact = 5, .again = 1.9, .in_vain = 0, .commit = 0.05, .output = 0.05, .rounds = 25}};
    assert_true(cdg_run_times_text(&s, text));
    assert_string_equal(text, "50 % contact, 30 % rods, 19 % rods with contact forces (2.5 rounds a step)");
    s.resumed = true; // steps of other processes are not in the rounds
    assert_true(cdg_run_times_text(&s, text));
    assert_string_equal(text, "50 % contact, 30 % rods, 19 % rods with contact forces");
    s.times.has_solids = true;
    assert_true(cdg_run_times_text(&s, text));
    assert_string_equal(text, "50 % contact, 30 % solids, 19 % solids with contact forces");
    s.times.has_rods = true;
    assert_true(cdg_run_times_text(&s, text));
    assert_string_equal(text, "50 % contact, 30 % rods and solids, 19 % rods and solids with contact forces");
    s.is_static = true;
    assert_false(cdg_run_times_text(&s, text));
    s = (cdg_run_summary){.step_count = 0};
    assert_false(cdg_run_times_text(&s, text));
    assert_string_equal(text, "");
}

static void test_advice(void **state) {
    (void)state;
    static const struct {
        cdg_run_times times;
        const char *begins;
    } cases[] = {
        {{.rods = 5, .in_vain = 5},
         "quicker: a shorter step, so that fewer are divided, such as '--set simulation.step=0.001s'"},
        {{.rods = 5, .output = 5}, "quicker: fewer outputs"},
        {{.rods = 3, .contact = 7, .rounds = 20}, "quicker: longer elements where rods touch"},
        {{.rods = 3, .again = 7, .rounds = 400}, "quicker: longer elements where rods touch, or a shorter step"},
        {{.rods = 3, .contact = 7, .has_solids = true}, "quicker: coarser meshes and longer elements of what touches"},
        {{.rods = 9, .contact = 1}, "quicker: fewer elements"},
        {{.rods = 9, .contact = 1, .has_solids = true}, "quicker: fewer tetrahedra, or a longer step"},
        {{.rods = 9, .contact = 1, .has_solids = true, .has_rods = true}, "quicker: fewer tetrahedra or elements"},
        {{.rods = 5, .contact = 5}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[CDG_TIME_ADVICE_SIZE];
        cdg_run_summary s = {.step = 2e-3, .step_count = 10, .wall_seconds = 10, .times = cases[i].times};
        assert_int_equal(cdg_run_times_advice(&s, text), cases[i].begins[0] != '\0');
        assert_memory_equal(text, cases[i].begins, strlen(cases[i].begins));
        s.wall_seconds = 1; // not worth a word
        assert_false(cdg_run_times_advice(&s, text));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_text), cmocka_unit_test(test_advice)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
