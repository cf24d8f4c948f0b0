// The part of the schema that is about resolution: in simulation and in rods, and other words lead to it.
#include "scene_text.h"

static void test_words(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_find(&cdg_schema_simulation, "adapt", 5));
    assert_non_null(cdg_schema_find(&cdg_schema_rod, "adapt", 5));
    assert_non_null(cdg_schema_find(&cdg_schema_adapt, "coarsen", 7));
    assert_non_null(cdg_schema_suggest(&cdg_schema_rod, "refinement", 10, said, sizeof said));
    assert_null(cdg_schema_find(&cdg_schema_adapt, "radius", 6));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
