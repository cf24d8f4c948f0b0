// The hands' part of the schema: it stands in the scene's table, and other words lead to it.
#include "scene_text.h"

static void test_words(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_find(&cdg_schema_scene, "hands", 5));
    assert_non_null(cdg_schema_find(&cdg_schema_hand, "path", 4));
    assert_non_null(cdg_schema_suggest(&cdg_schema_hand, "keyframes", 9, said, sizeof said));
    assert_null(cdg_schema_find(&cdg_schema_hand, "stiffness", 9));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
