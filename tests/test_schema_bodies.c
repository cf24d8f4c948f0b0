// The bodies' part of the schema: what scenes promise is there, and shapes are those of the list of bodies.
#include "scene_text.h"

#include <cordage/body.h>

static void test_shapes_are_those_of_the_list(void **state) {
    (void)state;
    enum { KINDS = CDG_SHAPE_MESH - CDG_SHAPE_SPHERE + 1 };
    assert_int_equal(cdg_schema_body_shape.count, KINDS);
    for (int i = 0; i < KINDS; i++)
        assert_string_equal(cdg_schema_body_shape.keys[i].name, cdg_shape_name((cdg_shape_kind)(CDG_SHAPE_SPHERE + i)));
}

static void test_other_words_are_understood(void **state) {
    (void)state;
    char said[200];
    assert_non_null(cdg_schema_suggest(&cdg_schema_body_cylinder, "length", 6, said, sizeof said));
    assert_string_equal(said, "use 'height'");
    assert_non_null(cdg_schema_suggest(&cdg_schema_body, "weight", 6, said, sizeof said));
    assert_string_equal(said, "use 'mass'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shapes_are_those_of_the_list),
        cmocka_unit_test(test_other_words_are_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
