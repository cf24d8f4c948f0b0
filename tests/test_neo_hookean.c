// Stable neo-Hookean material: what every material must do.
#include "solid_material_case.h"

MATERIAL_TESTS(CDG_SOLID_NEO_HOOKEAN)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stress),
        cmocka_unit_test(test_curvature),
        cmocka_unit_test(test_projection),
        cmocka_unit_test(test_rest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
