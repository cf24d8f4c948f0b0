// Models and their options, by the tables that the models have (rods/model_options.h).
#include "rods/model_options.h"
#include "rods/rod_model.h"
#include "scene/reader.h"
#include "scene/suggest.h"

#include <stdio.h>
#include <string.h>

bool cdg_parse_model(scene_reader *reader, const scene_node *node, cdg_model *out) {
    char quoted[CDG_QUOTE_SIZE], list[120] = "";
    cdg_tree_describe(node, quoted);
    size_t used = 0;
    word_search search = cdg_suggest_begin(node->kind == SCENE_SCALAR ? node->text : "", node->length);
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const char *name = cdg_rod_model_get((cdg_model)i)->name;
        if (cdg_tree_is_word(node, name)) {
            *out = (cdg_model)i;
            return true;
        }
        cdg_suggest_offer(&search, name);
        if (used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i > 0 ? ", " : "", name);
    }
    if (node->kind != SCENE_SCALAR) {
        return cdg_reader_fault(reader, node, "model: expected a name, found %s; models: %s",
                                cdg_tree_describe(node, quoted), list);
    }
    if (search.best != NULL) {
        return cdg_reader_fault(reader, node, "unknown model %s; did you mean '%s'?", quoted, search.best);
    }
    return cdg_reader_fault(reader, node, "unknown model %s; models: %s", quoted, list);
}

void **cdg_default_options(scene_storage *storage) {
    size_t count = cdg_rod_model_count();
    void **options = cdg_storage_allocate(storage, count, sizeof *options);
    for (size_t i = 0; i < count && options != NULL; i++) {
        const cdg_model_options *of = cdg_rod_model_get((cdg_model)i)->options;
        if (of != NULL) options[i] = cdg_storage_allocate(storage, 1, of->size);
        if (options[i] != NULL) of->set_default(options[i]);
    }
    return options;
}

static bool is_given(const void *map, const char *key) { return cdg_tree_get_key(map, key) != NULL; }

static bool read_options(scene_reader *reader, const cdg_model_options *of, const scene_node *map, const char *where,
                         void *options) {
    if (!cdg_read_table(reader, of->tables[0], map, where, options)) return false;
    cdg_option_fault fault = {0};
    if (of->settle == NULL || of->settle(options, is_given, map, &fault)) return true;
    const scene_node *key = fault.key != NULL ? cdg_tree_get_key(map, fault.key) : NULL;
    return cdg_reader_fault(reader, key != NULL ? key : map, "%s: %s", where, fault.text);
}

// The map of a model's options in `node`; NULL: none.
static const scene_node *map_of(const scene_node *node, const cdg_rod_model *model) {
    const scene_node *map = model->options != NULL ? cdg_tree_get(node, model->name) : NULL;
    return map != NULL && map->kind != SCENE_NOTHING ? map : NULL;
}

bool cdg_parse_options_for_all(scene_reader *reader, const scene_node *simulation) {
    bool is_good = true;
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)i);
        const scene_node *map = map_of(simulation, model);
        if (map == NULL) continue;
        char where[CDG_WHERE_SIZE];
        snprintf(where, sizeof where, "%s in simulation", model->name);
        is_good = read_options(reader, model->options, map, where, reader->scene->options[i]) && is_good;
    }
    return is_good;
}

bool cdg_parse_options(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *def) {
    bool is_good = true;
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)i);
        const scene_node *map = map_of(node, model);
        const void *options = reader->scene->options[i];
        if (map != NULL) {
            void *own = cdg_storage_allocate(reader->storage, 1, model->options->size);
            if (own == NULL) return false; // the storage remembers it
            memcpy(own, options, model->options->size);
            char inside[CDG_WHERE_SIZE];
            snprintf(inside, sizeof inside, "%s of %.120s", model->name, where);
            is_good = read_options(reader, model->options, map, inside, own) && is_good;
            options = own;
        }
        cdg_rod_def_set_options(def, (cdg_model)i, options);
    }
    return is_good;
}

// Options of a model that no rod has do nothing. Where the command chose the model, they may be meant for another time.
void cdg_check_idle_options(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    const scene_node *simulation = cdg_tree_get(reader->root, "simulation"),
                     *chosen = cdg_tree_get(simulation, "model");
    if (chosen != NULL && chosen->mark.override != NULL) return;
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)i);
        bool is_used = scene->model == (cdg_model)i;
        for (size_t k = 0; k < scene->rod_count && !is_used; k++) is_used = scene->rods[k].model == (cdg_model)i;
        if (is_used || map_of(simulation, model) == NULL) continue;
        cdg_reader_warn(reader, cdg_tree_get_key(simulation, model->name),
                        "these options do nothing: no rod has the model %s; 'model: %s' would choose it", model->name,
                        model->name);
    }
}
