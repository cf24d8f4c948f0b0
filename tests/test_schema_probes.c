// The words of probes: one for each kind of probe.
#include "schema_words.h"

static void words_and_members(void **state) {
    (void)state;
    char said[200];
#define PROBE(id, word, text, columns) assert_non_null(key_of(&cdg_schema_probe, word));
    CDG_PROBE_LIST(PROBE)
#undef PROBE
    assert_int_equal(key_of(&cdg_schema_probe_place, "at")->offset, offsetof(cdg_probe, place.point));
    assert_ptr_equal(key_of(&cdg_schema_probe, "stress")->table, &cdg_schema_probe_place);
    assert_ptr_equal(cdg_schema_suggest(&cdg_schema_probe, "max_tension", 11, said, sizeof said),
                     key_of(&cdg_schema_probe, "tension range"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_and_members)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
