// The words of the key `changes`.
#include "scene_text.h"

static void test_words(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_find(&cdg_schema_scene, "changes", 7));
    assert_non_null(cdg_schema_find(&cdg_schema_change, "at", 2));
    assert_non_null(cdg_schema_suggest(&cdg_schema_change, "when", 4, said, sizeof said));
    assert_null(cdg_schema_find(&cdg_schema_change, "width", 5));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
