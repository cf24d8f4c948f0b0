// The words of the key `cuts`.
#include "scene_text.h"

static void test_words(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_find(&cdg_schema_scene, "cuts", 4));
    assert_non_null(cdg_schema_find(&cdg_schema_cut, "at", 2));
    assert_non_null(cdg_schema_suggest(&cdg_schema_cut, "time", 4, said, sizeof said));
    assert_null(cdg_schema_find(&cdg_schema_cut, "width", 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
