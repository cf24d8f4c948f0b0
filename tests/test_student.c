// Student's t against printed tables and closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/student.h"
#include "near.h"

static void test_table(void **state) {
    (void)state;
    // Quantiles of 0.975 as every table prints them.
    static const double rows[][2] = {{1, 12.706}, {2, 4.303}, {5, 2.571}, {10, 2.228}, {30, 2.042}, {120, 1.980}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near(student_limit(0.95, rows[i][0]), rows[i][1], 5.1e-4);
    assert_near(student_limit(0.99, 10), 3.169, 5.1e-4);
    assert_near(student_limit(0.95, 1e7), 1.959964, 1e-5);
    assert_near(student_limit(0.6826894921, 1e7), 1, 1e-5);
}

// One degree is Cauchy's distribution, two have a root.
static void test_closed_forms(void **state) {
    (void)state;
    const double pi = 3.141592653589793;
    for (double t = 0.01; t < 100; t *= 1.7) {
        assert_near(student_within(t, 1), 2 / pi * atan(t), 1e-13);
        assert_near(student_within(t, 2), t / sqrt(2 + t * t), 1e-13);
        for (double freedom = 1; freedom < 1e4; freedom *= 7)
            if (student_within(t, freedom) < 0.999999)
                assert_near(student_limit(student_within(t, freedom), freedom), t, 1e-6 * t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_closed_forms)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
