// The words of rods, and where their values go.
#include "schema_words.h"

static void words_and_members(void **state) {
    (void)state;
    char said[200];
    assert_int_equal(key_of(&cdg_schema_circle, "radius")->offset, offsetof(cdg_section, radius));
    assert_int_equal(key_of(&cdg_schema_material, "density")->offset, offsetof(cdg_material, density));
    assert_int_equal(key_of(&cdg_schema_rest, "roll")->offset, offsetof(cdg_rest, roll));
    assert_ptr_equal(key_of(&cdg_schema_rod, "centerline")->table, &cdg_schema_centerline);
    assert_ptr_equal(cdg_schema_suggest(&cdg_schema_rod, "sektion", 7, said, sizeof said),
                     key_of(&cdg_schema_rod, "section"));
    assert_non_null(strstr(said, "did you mean 'section'"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
