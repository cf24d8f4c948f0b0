// The schema of solids: every shape has its key, in the order of the list.
#include "scene_text.h"

static void test_every_shape_has_a_key(void **state) {
    (void)state;
    static const cdg_shape_kind kinds[] = {CDG_SHAPE_BOX,  CDG_SHAPE_SPHERE, CDG_SHAPE_ELLIPSOID, CDG_SHAPE_CYLINDER,
                                           CDG_SHAPE_TUBE, CDG_SHAPE_TORUS,  CDG_SHAPE_WEDGE,     CDG_SHAPE_REVOLVED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_string_equal(cdg_schema_solid_shape.keys[i].name, cdg_shape_name(kinds[i]));
    char said[200];
    assert_non_null(cdg_schema_suggest(&cdg_schema_solid_material, "E", 1, said, sizeof said));
    assert_non_null(strstr(said, "young_modulus"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_shape_has_a_key)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
