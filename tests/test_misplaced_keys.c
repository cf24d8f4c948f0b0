// Words in the wrong map: each is told where it belongs, and no word that is a key is among them.
#include "scene_text.h"

#include "scene/misplaced_keys.h"
#include "scene/schema.h"

static const char *cure(const scene_table *table, const char *word) {
    return cdg_misplaced_key(table, word, strlen(word));
}

static void test_words(void **state) {
    (void)state;
    assert_non_null(strstr(cure(&cdg_schema_load, "weight"), "'bodies'"));
    assert_non_null(strstr(cure(&cdg_schema_rod, "Young-Modulus"), "material")); // as people write it
    assert_non_null(strstr(cure(&cdg_schema_scene, "gravity"), "gravity: [0, 0, -9.81]"));
    assert_non_null(strstr(cure(&cdg_schema_rod, "restitution"), "'contact'")); // not 'rest'
    assert_non_null(strstr(cure(&cdg_schema_rotate, "rpm"), "speed times time"));
    assert_null(cure(&cdg_schema_rod, "wei"));
    assert_null(cure(&cdg_schema_rod, ""));
    assert_null(cure(&cdg_schema_obstacle, "pressure"));
}

// A key of a table would never be asked for: a row that names one is dead.
static void test_no_key_is_misplaced(void **state) {
    (void)state;
#define CHECK(table)                                                                                                   \
    for (size_t i = 0; i < cdg_schema_count(&cdg_schema_##table); i++) {                                               \
        const scene_key *key = cdg_schema_key(&cdg_schema_##table, i);                                                 \
        if (cure(&cdg_schema_##table, key->name) != NULL) fail_msg("'%s' is a key of %s", key->name, #table);          \
    }
    CDG_SCENE_TABLE_LIST(CHECK)
#undef CHECK
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_no_key_is_misplaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
