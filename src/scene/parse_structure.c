// The key `structures`: each item is expanded into rods and joints.
#include "base/error.h"
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {
#define STRUCTURE_NAME(id, name, text) name,
    CDG_STRUCTURE_LIST(STRUCTURE_NAME)
#undef STRUCTURE_NAME
        NULL};

static const scene_table *const shape_tables[] = {
    [CDG_STRUCTURE_NET] = &cdg_schema_net,        [CDG_STRUCTURE_TRUSS] = &cdg_schema_truss,
    [CDG_STRUCTURE_RIBBON] = &cdg_schema_ribbon,  [CDG_STRUCTURE_RING] = &cdg_schema_loop,
    [CDG_STRUCTURE_CHAIN] = &cdg_schema_chain,    [CDG_STRUCTURE_SPHEROID] = &cdg_schema_spheroid,
    [CDG_STRUCTURE_TREE] = &cdg_schema_branching, [CDG_STRUCTURE_BEND] = &cdg_schema_bend,
    [CDG_STRUCTURE_PRUSIK] = &cdg_schema_prusik,
};

static bool parse_threads(scene_reader *reader, const scene_node *node, size_t out[2]) {
    char quoted[CDG_QUOTE_SIZE];
    int threads[2];
    bool is_list = node->kind == SCENE_LIST;
    if (is_list && node->count != 2)
        return cdg_reader_fault(reader, node, "threads: expected a whole number or a list of two, found %s",
                                cdg_tree_describe(node, quoted));
    for (int k = 0; k < 2; k++) {
        if (!cdg_read_integer(reader, is_list ? node->items[k] : node, "threads", 2, 10000, &threads[k])) return false;
        out[k] = (size_t)threads[k];
    }
    return true;
}

static bool parse_shape(scene_reader *reader, const scene_node *node, const char *where, cdg_structure_def *def) {
    char inside[CDG_WHERE_SIZE];
    const char *key = kind_names[def->kind];
    const scene_node *shape = cdg_tree_get(node, key);
    snprintf(inside, sizeof inside, "the %s of %.120s", key, where);
    if (!cdg_read_table(reader, shape_tables[def->kind], shape, inside, def)) return false;
    const scene_node *threads = cdg_tree_get(shape, "threads"), *seed = cdg_tree_get(shape, "seed");
    if (def->kind == CDG_STRUCTURE_NET && threads != NULL) return parse_threads(reader, threads, def->net.threads);
    if (def->kind == CDG_STRUCTURE_TREE && seed != NULL) {
        int number;
        if (!cdg_read_integer(reader, seed, "seed", 0, 1000000000, &number)) return false;
        def->tree.seed = (uint64_t)number;
    }
    return true;
}

// Structures of joined rods do not adapt.
static bool parse_adapt(scene_reader *reader, const scene_node *node, const char *where, bool is_rope,
                        cdg_rod_def *def) {
    const scene_node *adapt = cdg_tree_get(node, "adapt");
    def->adapt = reader->scene->adapt;
    if (is_rope) return cdg_parse_adapt(reader, node, where, &def->adapt);
    def->adapt.is_on = false;
    return adapt == NULL || cdg_reader_fault(reader, adapt,
                                             "adapt: structures of joined rods keep their resolution; ropes "
                                             "of 'bend' and 'prusik' can change it");
}

static bool parse_structure(scene_reader *reader, const scene_node *node, const char *where, cdg_structure_def *def) {
    *def = cdg_structure_def_default();
    if (!cdg_read_table(reader, &cdg_schema_structure, node, where, def) && node->kind != SCENE_MAP) return false;
    def->name = cdg_read_name(reader, node, "structure");
    int kind = cdg_read_one_of(reader, node, &cdg_schema_structure, where, kind_names);
    bool is_good = def->name != NULL && kind >= 0;
    if (kind >= 0) {
        def->kind = (cdg_structure_kind)kind;
        bool is_round =
            def->kind == CDG_STRUCTURE_RING || def->kind == CDG_STRUCTURE_CHAIN || def->kind == CDG_STRUCTURE_SPHEROID;
        if (is_round && cdg_tree_get(node, "elements") == NULL) def->element_count = 40;
        bool is_rope = def->kind == CDG_STRUCTURE_BEND || def->kind == CDG_STRUCTURE_PRUSIK;
        if (is_rope && cdg_tree_get(node, "elements") == NULL) def->element_count = 0; // as many as the knot needs
        if (is_rope) def->bend.standing = def->bend.tail = 0;
        is_good = parse_shape(reader, node, where, def) && is_good;
    }
    bool is_rope = kind >= 0 && (def->kind == CDG_STRUCTURE_BEND || def->kind == CDG_STRUCTURE_PRUSIK);
    is_good = parse_adapt(reader, node, where, is_rope, &def->rod) && is_good;
    return cdg_parse_nature(reader, node, &cdg_schema_structure, where, &def->rod) && is_good;
}

// What the expansion says begins with the structure's name; in a scene the line says more.
static const char *without_name(const char *message, const char *name) {
    char start[CDG_WHERE_SIZE];
    int length = snprintf(start, sizeof start, "structure '%.100s': ", name);
    return strncmp(message, start, (size_t)length) == 0 ? message + length : message;
}

void cdg_parse_structures(scene_reader *reader, const scene_node *list) {
    if (list == NULL || list->count == 0) return;
    cdg_scene *scene = reader->scene;
    scene->structures = cdg_storage_allocate(reader->storage, list->count, sizeof(cdg_structure *));
    reader->structure_items = cdg_storage_allocate(reader->storage, list->count, sizeof *reader->structure_items);
    if (cdg_storage_has_failed(reader->storage)) return;
    enum { RODS_MAX = 100000, ELEMENTS_MAX = 20 * 1000 * 1000 };
    size_t rods = 0;
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *node = list->items[i];
        char where[CDG_WHERE_SIZE];
        cdg_reader_where(where, "structure", node, i);
        size_t faults = reader->diagnostics->fault_count;
        cdg_structure_def def;
        cdg_error error = {0};
        if (!parse_structure(reader, node, where, &def) || reader->diagnostics->fault_count != faults) continue;
        cdg_structure *structure = NULL;
        if (cdg_structure_expand(&def, &structure, &error) != CDG_OK) {
            cdg_reader_pass_on(reader, node, where, without_name(error.message, def.name));
            continue;
        }
        for (size_t k = 0; k < structure->rod_count; k++) reader->element_total += structure->rods[k].element_count;
        rods += structure->rod_count;
        if (reader->element_total > ELEMENTS_MAX || rods > RODS_MAX) {
            cdg_reader_fault(reader, node, "the structures up to here have more than %d rods or %d elements together",
                             RODS_MAX, ELEMENTS_MAX);
            cdg_structure_destroy(structure);
            return;
        }
        reader->structure_items[scene->structure_count] = i;
        scene->structures[scene->structure_count++] = structure;
    }
}
