// Rods that are tied to solids: `weld` and `pin` of the key `joints` whose last name is a solid's.
#include "scene/reader.h"
#include "scene/suggest.h"

#include <stdint.h>
#include <string.h>

// The name of a solid as it is written, whether or not the solid is good.
static bool names_written_solid(const scene_reader *reader, const scene_node *node) {
    const scene_node *list = cdg_tree_get(reader->root, "solids");
    if (node->kind != SCENE_SCALAR || list == NULL || list->kind != SCENE_LIST) return false;
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *name = cdg_tree_get(list->items[i], "name");
        if (name != NULL && name->kind == SCENE_SCALAR && name->length == node->length &&
            memcmp(name->text, node->text, node->length) == 0)
            return true;
    }
    return false;
}

bool cdg_is_tie(const scene_reader *reader, const scene_node *places) {
    return places->kind == SCENE_LIST && places->count > 0 &&
           names_written_solid(reader, places->items[places->count - 1]);
}

static size_t find_solid(const cdg_scene *scene, const scene_node *node) {
    for (size_t i = 0; i < scene->solid_count; i++) {
        const char *name = scene->solids[i].def.name;
        if (strlen(name) == node->length && memcmp(name, node->text, node->length) == 0) return i;
    }
    return SIZE_MAX;
}

static bool append_tie(scene_reader *reader, const cdg_tie_def *def, scene_mark mark) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->tie_count;
    cdg_tie_def *ties = cdg_storage_grow(reader->storage, scene->ties, count, sizeof *ties);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->tie_marks, count, sizeof *marks);
    if (ties == NULL || marks == NULL) return false;
    scene->ties = ties;
    scene->tie_marks = marks;
    ties[count] = *def;
    marks[count] = mark;
    scene->tie_count++;
    return true;
}

// A rod's name alone is all of its nodes.
static bool append_rod(scene_reader *reader, size_t rod, cdg_tie_def def, scene_mark mark) {
    const cdg_rod_def *of = &reader->scene->rods[rod];
    if (!reader->rod_is_good[rod]) return true; // told already
    size_t nodes = of->element_count + (cdg_centerline_is_closed(&of->centerline) ? 0 : 1);
    for (size_t i = 0; i < nodes; i++) {
        def.place = (cdg_place){.rod = {(uint32_t)rod + 1, 1}, .kind = CDG_PLACE_NODE, .index = i};
        if (!append_tie(reader, &def, mark)) return false;
    }
    return true;
}

static void parse_tie(scene_reader *reader, const scene_node *node, const scene_node *list, const char *label) {
    char quoted[CDG_QUOTE_SIZE];
    if (list->kind != SCENE_LIST || list->count < 2) {
        cdg_reader_fault(reader, list,
                         "%s: expected a list of places and, last, a solid, such as [tendon.end, finger], "
                         "found %s",
                         label, cdg_tree_describe(list, quoted));
        return;
    }
    const scene_node *last = list->items[list->count - 1];
    if (!names_written_solid(reader, last)) {
        cdg_reader_fault(reader, last, "no solid is named %s; a pin is a list of places and, last, a solid",
                         cdg_tree_describe(last, quoted));
        return;
    }
    size_t solid = find_solid(reader->scene, last); // SIZE_MAX: it has faults of its own
    cdg_tie_def def = {.solid = {(uint32_t)solid + 1, 1}, .turns = strcmp(label, "pin") == 0};
    for (size_t i = 0; i + 1 < list->count; i++) {
        const scene_node *item = list->items[i];
        size_t rod = item->kind == SCENE_SCALAR ? cdg_find_rod(reader, item->text, item->length) : SIZE_MAX, count = 0;
        cdg_place *places = NULL;
        if (rod != SIZE_MAX) {
            if (solid != SIZE_MAX && !append_rod(reader, rod, def, node->mark)) return;
            continue;
        }
        if (!cdg_parse_places(reader, item, label, PLACE_NODE, &places, &count) || solid == SIZE_MAX) continue;
        for (size_t k = 0; k < count; k++) {
            def.place = places[k];
            if (!append_tie(reader, &def, node->mark)) return;
        }
    }
}

void cdg_parse_ties(scene_reader *reader) {
    const scene_node *list = cdg_tree_get(reader->root, "joints");
    if (list == NULL || list->kind != SCENE_LIST) return; // reported already
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *node = list->items[i];
        if (node->kind != SCENE_MAP) continue;
        const scene_node *weld = cdg_tree_get(node, "weld"), *pin = cdg_tree_get(node, "pin");
        if (cdg_tree_get(node, "join") != NULL || (weld != NULL && pin != NULL)) continue; // likewise
        if (weld != NULL && cdg_is_tie(reader, weld)) parse_tie(reader, node, weld, "weld");
        if (pin != NULL && pin->kind != SCENE_NOTHING) parse_tie(reader, node, pin, "pin");
    }
}
