// The key `cuts`: rods that are cut while the scene runs.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>

// Fibres follow their guides from the root to the tip. NULL: the rod is no guide that fibres follow.
static const cdg_strands *strands_of(const cdg_scene *scene, size_t rod) {
    size_t first = scene->rod_count;
    for (size_t i = 0; i < scene->strands_count; i++) first -= scene->strands[i]->rod_count;
    for (size_t i = 0; i < scene->strands_count; first += scene->strands[i++]->rod_count)
        if (rod >= first && rod < first + scene->strands[i]->rod_count && scene->strands[i]->fibers.fiber_count > 0)
            return scene->strands[i];
    return NULL;
}

static bool check_place(scene_reader *reader, const scene_node *node, const char *where, const cdg_place *place) {
    const cdg_scene *scene = reader->scene;
    size_t rod = place->rod.index1 - 1;
    const cdg_rod_def *def = &scene->rods[rod];
    bool is_closed = reader->rod_is_good[rod] && cdg_centerline_is_closed(&def->centerline);
    if (strands_of(scene, rod) != NULL)
        return cdg_reader_fault(reader, node,
                                "%s: rod '%s' is a guide that fibres follow from root to tip, and cannot be cut", where,
                                def->name);
    if (is_closed || (place->index > 0 && place->index < def->element_count)) return true;
    return cdg_reader_fault(reader, node, "%s: this is an end of rod '%s'; cut it at node(1) to node(%zu)", where,
                            def->name, def->element_count - 1);
}

static bool is_twice(const cdg_scene *scene, const cdg_place *place) {
    for (size_t i = 0; i < scene->cut_count; i++)
        if (scene->cuts[i].place.rod.index1 == place->rod.index1 && scene->cuts[i].place.index == place->index)
            return true;
    return false;
}

static void parse_cut(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_cut cut = {0};
    snprintf(where, sizeof where, "cut %zu", index + 1);
    bool is_good = cdg_read_table(reader, &cdg_schema_cut, node, where, &cut);
    if (node->kind != SCENE_MAP || !is_good) return;
    const scene_node *place = cdg_tree_get(node, "cut");
    if (!cdg_parse_place(reader, place, where, PLACE_NODE, &cut.place)) return;
    if (!check_place(reader, place, where, &cut.place)) return;
    cdg_scene *scene = reader->scene;
    if (is_twice(scene, &cut.place)) {
        cdg_reader_fault(reader, place, "%s: the rod is cut there already; leave one of the two out", where);
        return;
    }
    size_t count = scene->cut_count;
    scene_cut *cuts = cdg_storage_grow(reader->storage, scene->cuts, count, sizeof *cuts);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->cut_marks, count, sizeof *marks);
    if (cuts == NULL || marks == NULL) return;
    scene->cuts = cuts;
    scene->cut_marks = marks;
    cuts[count] = cut;
    marks[count] = node->mark;
    scene->cut_count++;
}

void cdg_parse_cuts(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "cuts", "{cut: cable.node(12), at: 1 s}");
    if (list == NULL) return;
    if (reader->scene->mode == SCENE_STATIC) {
        cdg_reader_fault(reader, list, "cuts: equilibria have no time in which a rod is cut; take mode: dynamic");
        return;
    }
    for (size_t i = 0; i < list->count; i++) parse_cut(reader, list->items[i], i);
}
