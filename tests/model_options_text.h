// For tests of models' options: scenes with options, and what every table of options keeps to.
#ifndef CDG_TESTS_MODEL_OPTIONS_TEXT_H
#define CDG_TESTS_MODEL_OPTIONS_TEXT_H

#include "rods/model_options.h"
#include "scene_text.h"

#define SIMULATION(text) "cordage: 1\nsimulation: {duration: 4 s, " text "}\n" SCENE_CABLE

// Keys say what they are, no two are the same, and each default that is a value is what set_default sets: it is read by
// the reader into options that hold nothing (`room`, zeroed) and compared with the default's bytes.
static void check_option_table(const cdg_model_options *of, void *room) {
    unsigned char defaults[CDG_OPTIONS_BYTES_MAX] = {0};
    assert_true(of->size <= sizeof defaults);
    of->set_default(defaults);
    assert_string_equal(of->keys[0].name, of->keys[1].name);
    for (size_t t = 0; of->tables[t] != NULL; t++) {
        const scene_table *table = of->tables[t];
        assert_true(table->text[0] != '\0' && table->title[0] != '\0');
        for (size_t i = 0; i < table->count; i++) {
            const scene_key *key = &table->keys[i];
            assert_true(key->text != NULL && key->text[0] != '\0' && key->initial != NULL);
            assert_ptr_equal(cdg_schema_find(table, key->name, strlen(key->name)), key);
            if (key->type == SCENE_TYPE_QUANTITY && strchr("0123456789-a", key->initial[0]) == NULL) continue;
            if (strchr(key->initial, ':') != NULL) continue; // in words
            scene_storage *storage = cdg_storage_create(0);
            scene_diagnostics diagnostics = {.storage = storage};
            scene_reader reader = {.storage = storage, .diagnostics = &diagnostics};
            const scene_node *node = cdg_tree_parse(key->initial, strlen(key->initial), NULL, storage, &diagnostics);
            memset(room, 0x55, of->size);
            assert_true(node != NULL && cdg_read_value(&reader, key, node, room));
            size_t bytes = key->type == SCENE_TYPE_TRIPLE                                      ? 3 * sizeof(double)
                           : key->type == SCENE_TYPE_QUANTITY                                  ? sizeof(double)
                           : key->type == SCENE_TYPE_SWITCH || key->type == SCENE_TYPE_VARIANT ? sizeof(bool)
                                                                                               : sizeof(int);
            assert_memory_equal((char *)room + key->offset, defaults + key->offset, bytes);
            cdg_storage_destroy(storage);
        }
    }
}

#endif
