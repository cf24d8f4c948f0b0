// Options of rod models by their tables of keys: where they are, whether they are equal and in their lists.
#include "rods/model_options.h"

#include "rods/rod_model.h"

#include <string.h>

const void *cdg_rod_def_options(const cdg_rod_def *def) {
    const cdg_model_options *of = cdg_rod_model_get(def->model)->options;
    if (of == NULL) return NULL;
    return of->def_offset != SIZE_MAX ? (const char *)def + of->def_offset : def->options;
}

void cdg_rod_def_set_options(cdg_rod_def *def, cdg_model model, const void *options) {
    const cdg_model_options *of = cdg_rod_model_get(model)->options;
    if (of == NULL || options == NULL) return;
    if (of->def_offset != SIZE_MAX)
        memcpy((char *)def + of->def_offset, options, of->size);
    else if (model == def->model)
        def->options = options;
}

static size_t value_bytes(const scene_key *key) {
    switch (key->type) {
    case SCENE_TYPE_QUANTITY: return sizeof(double);
    case SCENE_TYPE_VECTOR:
    case SCENE_TYPE_DIRECTION: return sizeof(cdg_vec3);
    case SCENE_TYPE_PAIR: return 2 * sizeof(double);
    case SCENE_TYPE_TRIPLE: return 3 * sizeof(double);
    case SCENE_TYPE_COUNT: return sizeof(size_t);
    case SCENE_TYPE_INTEGER:
    case SCENE_TYPE_CHOICE: return sizeof(int);
    case SCENE_TYPE_SWITCH:
    case SCENE_TYPE_VARIANT: return sizeof(bool);
    case SCENE_TYPE_TEXT:
    case SCENE_TYPE_MODEL:
    case SCENE_TYPE_SPECIAL:
    case SCENE_TYPE_LATER: break;
    }
    return 0;
}

static bool are_keys_equal(const cdg_model_options *of, const scene_table *table, const char *a, const char *b) {
    for (size_t i = 0; i < table->count; i++) {
        const scene_key *key = &table->keys[i];
        bool is_idle = of->is_idle != NULL && of->is_idle(a, key);
        if (is_idle != (of->is_idle != NULL && of->is_idle(b, key))) return false;
        if (is_idle) continue;
        if (memcmp(a + key->offset, b + key->offset, value_bytes(key)) != 0) return false;
        bool holds_table = key->type == SCENE_TYPE_VARIANT && *(const bool *)(a + key->offset);
        if (holds_table && !are_keys_equal(of, key->table, a, b)) return false;
    }
    return true;
}

bool cdg_options_are_equal(const cdg_model_options *of, const void *a, const void *b) {
    return of == NULL || a == b || (a != NULL && b != NULL && are_keys_equal(of, of->tables[0], a, b));
}

const scene_key *cdg_options_beyond_list(const cdg_model_options *of, const void *options, int *choice) {
    if (of == NULL || options == NULL) return NULL;
    for (size_t i = 0; i < of->tables[0]->count; i++) {
        const scene_key *key = &of->tables[0]->keys[i];
        if (key->type != SCENE_TYPE_CHOICE) continue;
        memcpy(choice, (const char *)options + key->offset, sizeof *choice);
        int count = 0;
        while (key->choices[count] != NULL) count++;
        if (*choice < 0 || *choice >= count) return key;
    }
    return NULL;
}
