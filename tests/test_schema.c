// The schema describes itself soundly: no key twice, examples and defaults that the reader itself accepts.
#include "scene_text.h"

static const scene_table *const tables[] = {
#define TABLE_ADDRESS(name) &cdg_schema_##name,
    CDG_SCENE_TABLE_LIST(TABLE_ADDRESS)
#undef TABLE_ADDRESS
};
enum { TABLE_COUNT = sizeof tables / sizeof *tables };

static void test_keys_are_complete_and_different(void **state) {
    (void)state;
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        assert_true(tables[t]->text[0] != '\0' && tables[t]->title[0] != '\0');
        for (size_t i = 0; i < tables[t]->count; i++) {
            const scene_key *key = &tables[t]->keys[i];
            assert_ptr_equal(cdg_schema_find(tables[t], key->name, strlen(key->name)), key);
            if (key->type == SCENE_TYPE_LATER) continue;
            assert_true(key->text != NULL && key->text[0] != '\0');
            if (key->is_required) assert_non_null(key->example);
            if (key->type == SCENE_TYPE_SPECIAL) assert_true(key->form != NULL || key->table != NULL);
            if (key->type == SCENE_TYPE_CHOICE) assert_non_null(key->choices);
            if (key->type == SCENE_TYPE_PAIR || key->type == SCENE_TYPE_TRIPLE) assert_non_null(key->example);
            char value[200];
            cdg_schema_value(key, value, sizeof value);
            assert_true(strlen(value) >= 3);
        }
    }
}

// Reads every example and every default that is a value with the reader itself.
static void test_examples_and_defaults_are_readable(void **state) {
    (void)state;
    size_t read = 0;
    for (size_t t = 0; t < TABLE_COUNT; t++) {
        for (size_t i = 0; i < tables[t]->count; i++) {
            const scene_key *key = &tables[t]->keys[i];
            if (key->type == SCENE_TYPE_LATER || key->type == SCENE_TYPE_SPECIAL) continue;
            for (int which = 0; which < 2; which++) {
                const char *text = which == 0 ? key->example : key->initial;
                bool is_word = text != NULL && which == 1 && key->type != SCENE_TYPE_CHOICE &&
                               key->type != SCENE_TYPE_SWITCH && strchr("0123456789[-", text[0]) == NULL;
                if (text == NULL || is_word || strchr(text, ';') != NULL || strchr(text, ':') != NULL) continue;
                scene_storage *storage = cdg_storage_create(0);
                scene_diagnostics diagnostics = {.storage = storage};
                scene_reader reader = {.storage = storage, .diagnostics = &diagnostics};
                const scene_node *node = cdg_tree_parse(text, strlen(text), NULL, storage, &diagnostics);
                double target[64] = {0};
                scene_key at_start = *key;
                at_start.offset = 0;
                if (node == NULL || !cdg_read_value(&reader, &at_start, node, target)) {
                    fail_msg("%s.%s: '%s': %s", tables[t]->name, key->name, text,
                             diagnostics.count > 0 ? diagnostics.items[0].text : "nothing");
                }
                read++;
                cdg_storage_destroy(storage);
            }
        }
    }
    assert_true(read > 80);
}

static void test_suggestions(void **state) {
    (void)state;
    const struct {
        const scene_table *table;
        const char *word, *expected;
    } cases[] = {
        {&cdg_schema_material, "young_modul", "did you mean 'young_modulus'?"},
        {&cdg_schema_material, "E", "use 'young_modulus'"},
        {&cdg_schema_material, "rho", "use 'density'"},
        {&cdg_schema_rod, "centreline", "use 'centerline'"},
        {&cdg_schema_circle, "diameter", "use 'radius'"},
        {&cdg_schema_circle, "colour", "the only key here is radius"},
        {&cdg_schema_motion, "colour", "keys here: move, rotate, from, to, ease"},
        {&cdg_schema_scene, "body",
         "keys here: cordage, title, simulation, output, materials, rods, structures, strands, joints, "
         "supports, loads, contact, obstacles, probes, solids, bodies, hands, cuts, changes, controls, looks, set"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[300];
        const scene_key *key =
            cdg_schema_suggest(cases[i].table, cases[i].word, strlen(cases[i].word), out, sizeof out);
        assert_string_equal(out, cases[i].expected);
        assert_int_equal(key == NULL, strstr(out, "key") != NULL);
    }
}

// The defaults in the tables are those of the library.
static void test_defaults_are_the_library_s(void **state) {
    (void)state;
    const cdg_material material = cdg_material_default();
    const cdg_rod_def rod = cdg_rod_def_default();
    const cdg_load_def load = cdg_load_def_default();
    const struct {
        const scene_table *table;
        const char *key;
        double value;
    } cases[] = {
        {&cdg_schema_material, "poisson_ratio", material.poisson_ratio},
        {&cdg_schema_rod, "elements", (double)rod.element_count},
        {&cdg_schema_load, "fluid_density", load.fluid_density},
        {&cdg_schema_load, "drag_coefficient", load.drag_coefficient},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const scene_key *key = cdg_schema_find(cases[i].table, cases[i].key, strlen(cases[i].key));
        cdg_measure measure;
        size_t length = strcspn(key->initial, ";");
        assert_int_equal(cdg_measure_parse(key->initial, length, &measure, NULL), CDG_OK);
        assert_true(measure.value == cases[i].value);
    }
    assert_int_equal(rod.rest.kind, CDG_REST_STRAIGHT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_are_complete_and_different),
        cmocka_unit_test(test_examples_and_defaults_are_readable),
        cmocka_unit_test(test_suggestions),
        cmocka_unit_test(test_defaults_are_the_library_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
