// The words of joints and structures, and where their values go.
#include "schema_words.h"

static void words_and_members(void **state) {
    (void)state;
    char said[200];
    assert_int_equal(key_of(&cdg_schema_net, "size")->offset, offsetof(cdg_structure_def, net.size));
    assert_int_equal(key_of(&cdg_schema_truss, "bays")->offset, offsetof(cdg_structure_def, truss.bays));
    assert_int_equal(key_of(&cdg_schema_branching, "taper")->offset, offsetof(cdg_structure_def, tree.taper));
    assert_ptr_equal(key_of(&cdg_schema_joint, "stiffness")->table, &cdg_schema_joint_stiffness);
    assert_ptr_equal(cdg_schema_suggest(&cdg_schema_joint, "glue", 4, said, sizeof said),
                     key_of(&cdg_schema_joint, "weld"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
