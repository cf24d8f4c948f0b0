// The words of contact and obstacles, and where their values go.
#include "schema_words.h"

static void words_and_members(void **state) {
    (void)state;
    char said[200];
    assert_int_equal(key_of(&cdg_schema_box, "size")->offset, offsetof(cdg_shape, size));
    assert_int_equal(key_of(&cdg_schema_capsule, "length")->offset, offsetof(cdg_shape, length));
    assert_int_equal(key_of(&cdg_schema_contact, "friction")->offset, offsetof(cdg_contact_def, friction));
    assert_ptr_equal(key_of(&cdg_schema_obstacle, "mesh")->table, &cdg_schema_mesh);
    assert_ptr_equal(cdg_schema_suggest(&cdg_schema_cylinder, "height", 6, said, sizeof said),
                     key_of(&cdg_schema_cylinder, "length"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
