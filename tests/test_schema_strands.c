// The tables of hair: every key of every table has a meaning and a way to be read, and examples in them parse.
#include "scene_text.h"

static void check_table(const scene_table *table) {
    assert_true(table->count > 0 && table->title != NULL && table->text != NULL);
    for (size_t i = 0; i < table->count; i++) {
        const scene_key *key = &table->keys[i];
        assert_true(key->text != NULL && key->text[0] != '\0');
        assert_true(key->type != SCENE_TYPE_SPECIAL || key->form != NULL || key->table != NULL);
        assert_true(!key->is_required || key->example != NULL);
        assert_ptr_equal(cdg_schema_find(table, key->name, strlen(key->name)), key);
    }
}

static void test_tables(void **state) {
    (void)state;
    static const scene_table *const tables[] = {&cdg_schema_strands, &cdg_schema_roots, &cdg_schema_disc,
                                                &cdg_schema_cap,     &cdg_schema_scalp, &cdg_schema_curl};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) check_table(tables[i]);
}

static void test_examples(void **state) {
    (void)state;
    static const char *const keys[] = {"guides", "length", "direction", "curl",         "fiber_curl", "frizz",
                                       "clump",  "roots",  "motion",    "fiber_radius", "section"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const scene_key *key = cdg_schema_find(&cdg_schema_strands, keys[i], strlen(keys[i]));
        assert_true(key != NULL && key->example != NULL);
        bool is_roots = strcmp(keys[i], "roots") == 0, is_section = strcmp(keys[i], "section") == 0;
        char text[1000];
        snprintf(text, sizeof text,
                 SCENE_HEAD "strands:\n  - {name: a, material: {young_modulus: 1 GPa, density: 1 g/cm^3}, "
                            "%s%s%s: %s}\n",
                 is_roots ? "" : "roots: {disc: {radius: 1 cm}}, ",
                 is_section ? "" : "section: {circle: {radius: 0.1 mm}}, ", keys[i], key->example);
        cdg_scene_destroy(scene_parse_good(text));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
