// The part of der rods in following a path: corrections lead to equilibria, rates are those of equilibria in time.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "path_case.h"

static void test_rates_and_corrections(void **state) {
    (void)state;
    path_case_run(CDG_MODEL_DER, 4, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_and_corrections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
