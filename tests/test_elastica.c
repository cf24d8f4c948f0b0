// The curve that rods are plotted against, beside values by elliptic integrals.
#include "validation/elastica.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void test_tips(void **state) {
    (void)state;
    static const double known[][4] = {{1, 0, 0.9435667637, 0.3017207738},  {2, 0, 0.8393582792, 0.4934574804},
                                      {10, 0, 0.4450044022, 0.8106090249}, {0, 1, 0.9912463953, 0.1234714020},
                                      {0, 10, 0.6563537612, 0.7001997155}, {0, 100, 0.1592233826, 0.9375239354}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double x[101], y[101];
        elastica_shape(known[i][0], known[i][1], 101, x, y);
        assert_true(x[0] == 0 && y[0] == 0);
        assert_true(fabs(x[100] - known[i][2]) < 1e-6);
        assert_true(fabs(y[100] + known[i][3]) < 1e-6);
        for (int k = 1; k <= 100; k++) assert_true(fabs(hypot(x[k] - x[k - 1], y[k] - y[k - 1]) - 0.01) < 1e-4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tips)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
