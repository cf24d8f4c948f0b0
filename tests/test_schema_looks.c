// The looks' part of the schema: it stands in the scene's table, and other words lead to it.
#include "scene_text.h"

static void test_words(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_find(&cdg_schema_scene, "looks", 5));
    assert_non_null(cdg_schema_find(&cdg_schema_look, "surface", 7));
    assert_non_null(cdg_schema_suggest(&cdg_schema_look, "colour", 6, said, sizeof said));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
