// What a user writes for times: one, several, a span; everything else is refused with what would be right.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/moments.h"

#include <stdio.h>
#include <string.h>

static void test_texts(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t count;
        bool is_span;
        double first, last;
    } cases[] = {{"1.5", 1, false, 1.5, 1.5},   {"200ms", 1, false, 0.2, 0.2},
                 {"1.5 s", 1, false, 1.5, 1.5}, {"0.1,0.2, 500 ms", 3, false, 0.1, 0.5},
                 {"0.2:1", 2, true, 0.2, 1},    {"20 ms : 1 s", 2, true, 0.02, 1},
                 {"3,2,1", 3, false, 3, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_moments moments;
        cdg_error error;
        if (cdg_moments_parse(cases[i].text, &moments, &error) != CDG_OK) fail_msg("%s", error.message);
        assert_int_equal(moments.count, cases[i].count);
        assert_int_equal(moments.is_span, cases[i].is_span);
        assert_float_equal(moments.times[0], cases[i].first, 1e-12);
        assert_float_equal(moments.times[moments.count - 1], cases[i].last, 1e-12);
    }
    static const char *const wrong[] = {"",      "x",    "1,",  ",1",  "1:",  ":1",  "1:2:3", "1,2:3",
                                        "1:2,3", "1 kg", "nan", "1 2", "2:1", "1:1", "1;2",   "0.1m"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cdg_moments moments;
        cdg_error error;
        assert_int_equal(cdg_moments_parse(wrong[i], &moments, &error), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(error.message, "--time"));
    }
    static char many[CDG_MOMENTS_MAX * 2 + 8]; // one more than there is room for
    for (size_t i = 0; i < CDG_MOMENTS_MAX + 1; i++) memcpy(many + 2 * i, "1,", 2);
    many[2 * CDG_MOMENTS_MAX + 1] = '\0';
    cdg_moments moments;
    assert_int_equal(cdg_moments_parse(many, &moments, NULL), CDG_ERROR_ARGUMENT);
    many[2 * CDG_MOMENTS_MAX - 1] = '\0';
    assert_int_equal(cdg_moments_parse(many, &moments, NULL), CDG_OK);
    assert_int_equal(moments.count, CDG_MOMENTS_MAX);
}

static void test_shares(void **state) {
    (void)state;
    cdg_moments moments = {.count = 0};
    assert_float_equal(cdg_moments_at(&moments, 0, 3, 2, 6), 2, 0);
    assert_float_equal(cdg_moments_at(&moments, 1, 3, 2, 6), 4, 0);
    assert_float_equal(cdg_moments_at(&moments, 2, 3, 2, 6), 6, 0);
    assert_float_equal(cdg_moments_at(&moments, 0, 1, 2, 6), 6, 0);
    moments = (cdg_moments){.count = 3, .times = {5, 3, 4}};
    for (size_t k = 0; k < 3; k++) assert_float_equal(cdg_moments_at(&moments, k, 3, 3, 5), moments.times[k], 0);
    moments = (cdg_moments){.count = 2, .is_span = true, .times = {3, 5}};
    assert_float_equal(cdg_moments_at(&moments, 1, 3, 3, 5), 4, 0);
}

// Two moments of a sheet are not both written as "2.5".
static void test_steps(void **state) {
    (void)state;
    cdg_moments moments = {.count = 3, .times = {0, 2.4, 2.5}};
    assert_float_equal(cdg_moments_step(&moments, 0.1), 0.1, 1e-12);
    moments.times[1] = 2.45;
    assert_float_equal(cdg_moments_step(&moments, 0.1), 0.01, 1e-12);
    moments.times[2] = 1.0 / 3;
    assert_float_equal(cdg_moments_step(&moments, 0.1), 1e-4, 1e-12);
    moments.is_span = true;
    assert_float_equal(cdg_moments_step(&moments, 0.1), 0.1, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts), cmocka_unit_test(test_shares),
                                       cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
