// The list of solids' fields: names are found, whole and nothing else, and entries are counted where they live.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/solid_field.h"

#include <string.h>

static void test_names(void **state) {
    (void)state;
    for (int i = 0; i < CDG_SOLID_FIELD_COUNT; i++) {
        cdg_solid_field_info info = cdg_solid_field_get((cdg_solid_field)i);
        cdg_solid_field found = CDG_SOLID_FIELD_COUNT;
        assert_true(cdg_solid_field_find(info.name, strlen(info.name), &found));
        assert_int_equal(found, i);
        assert_false(cdg_solid_field_find(info.name, strlen(info.name) - 1, &found));
        assert_true(info.component_count == 1 || info.component_count == 3);
        assert_int_equal(cdg_solid_field_entries(&info, 7, 9), info.per == CDG_SOLID_PER_NODE ? 7 : 9);
    }
    cdg_solid_field found;
    assert_true(cdg_solid_field_find("stress.x", 6, &found));
    assert_int_equal(found, CDG_SOLID_FIELD_stress);
    assert_false(cdg_solid_field_find("tension", 7, &found));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
