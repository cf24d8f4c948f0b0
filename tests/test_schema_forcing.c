// The words of supports, loads and motions, and where their values go; a row for every kind of support and load.
#include "schema_words.h"

static void words_and_members(void **state) {
    (void)state;
    char said[200];
#define SUPPORT(id, name) assert_non_null(key_of(&cdg_schema_support, name));
    CDG_SUPPORT_LIST(SUPPORT)
#undef SUPPORT
#define LOAD(id, name) assert_non_null(key_of(&cdg_schema_load, name));
    CDG_LOAD_LIST(LOAD)
#undef LOAD
    assert_int_equal(key_of(&cdg_schema_support, "release")->offset, offsetof(cdg_support_def, release));
    assert_int_equal(key_of(&cdg_schema_load, "force")->offset, offsetof(cdg_load_def, value));
    assert_int_equal(key_of(&cdg_schema_motion, "to")->offset, offsetof(cdg_motion, to));
    assert_int_equal(key_of(&cdg_schema_rotate, "angle")->offset, offsetof(cdg_motion, angle));
    assert_ptr_equal(cdg_schema_suggest(&cdg_schema_support, "hinge", 5, said, sizeof said),
                     key_of(&cdg_schema_support, "pin"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
