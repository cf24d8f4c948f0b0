// The key `changes`: values that become others while the scene runs.
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

enum { CHANGES_MAX = 10000 }; // lines; each time builds a world

static bool is_line(const scene_node *node) {
    return node->kind == SCENE_SCALAR && strchr(node->text, '=') != NULL && strchr(node->text, '\n') == NULL;
}

static bool are_lines(const scene_node *node) {
    if (node == NULL || node->kind != SCENE_LIST) return node != NULL && is_line(node);
    for (size_t i = 0; i < node->count; i++)
        if (!is_line(node->items[i])) return false;
    return node->count > 0;
}

static void add_line(scene_reader *reader, const scene_node *line, double time) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->change_count;
    scene_change *changes = cdg_storage_grow(reader->storage, scene->changes, count, sizeof *changes);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->change_marks, count, sizeof *marks);
    if (changes == NULL || marks == NULL) return;
    scene->changes = changes;
    scene->change_marks = marks;
    changes[count] = (scene_change){time, cdg_storage_copy(reader->storage, line->text, strlen(line->text))};
    marks[count] = line->mark;
    scene->change_count++;
}

static void parse_change(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_change change = {0};
    snprintf(where, sizeof where, "change %zu", index + 1);
    bool is_good = cdg_read_table(reader, &cdg_schema_change, node, where, &change);
    if (node->kind != SCENE_MAP || !is_good) return;
    const cdg_scene *scene = reader->scene;
    const scene_node *set = cdg_tree_get(node, "set");
    if (!are_lines(set)) {
        cdg_reader_fault(reader, set,
                         "%s: 'set' is a line as of --set, or a list of them, such as 'contact.friction=0.3'", where);
        return;
    }
    if (scene->change_count > 0 && change.time < scene->changes[scene->change_count - 1].time) {
        cdg_reader_fault(reader, cdg_tree_get(node, "at"), "%s: it comes before the one above it (%g s); sort them",
                         where, scene->changes[scene->change_count - 1].time);
        return;
    }
    if (set->kind == SCENE_SCALAR) add_line(reader, set, change.time);
    for (size_t i = 0; set->kind == SCENE_LIST && i < set->count; i++) add_line(reader, set->items[i], change.time);
}

void cdg_parse_changes(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "changes", "{at: 1 s, set: 'contact.friction=0.1'}");
    if (list == NULL) return;
    if (reader->scene->mode == SCENE_STATIC) {
        cdg_reader_fault(reader, list, "changes: equilibria have no time in which values change; take mode: dynamic");
        return;
    }
    if (list->count > CHANGES_MAX) {
        cdg_reader_fault(reader, list, "changes: %zu are more than %d", list->count, CHANGES_MAX);
        return;
    }
    for (size_t i = 0; i < list->count; i++) parse_change(reader, list->items[i], i);
}
