// The schema of solids: every shape has its key, in the order of the list.
#include "scene_text.h"

static void test_every_shape_has_a_key(void **state) {
    (void)state;
    static const char *const names[] = {
#define NAME(id, name, text) name,
        CDG_SHAPE_LIST(NAME)
#undef NAME
    };
    for (int i = 0; i < CDG_SHAPE_KIND_COUNT; i++) assert_string_equal(cdg_schema_solid_shape.keys[i].name, names[i]);
    char said[200];
    assert_non_null(cdg_schema_suggest(&cdg_schema_solid_material, "E", 1, said, sizeof said));
    assert_non_null(strstr(said, "young_modulus"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_shape_has_a_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
