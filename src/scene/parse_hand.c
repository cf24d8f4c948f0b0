// The key `hands`: grips that come, pull along a path, and let go.
#include "math/vec3.h"
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool parse_key(scene_reader *reader, const scene_node *node, cdg_grip_key *out) {
    if (node->kind != SCENE_LIST || (node->count != 2 && node->count != 3)) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, node, "path: expected [time, point] such as [1 s, [0, 0, 10 cm]], found %s",
                                cdg_tree_describe(node, quoted));
    }
    bool is_good =
        cdg_read_quantity(reader, node->items[0], "the time of a point", CDG_TIME, SCENE_NOT_NEGATIVE, &out->time);
    is_good = cdg_read_vector(reader, node->items[1], "a point of the path", CDG_LENGTH, &out->target) && is_good;
    if (node->count == 3)
        is_good = cdg_read_quantity(reader, node->items[2], "the twist", CDG_ANGLE, SCENE_ANY, &out->twist) && is_good;
    return is_good;
}

static bool parse_path(scene_reader *reader, const scene_node *node, cdg_grip_def *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_LIST || node->count == 0)
        return cdg_reader_fault(reader, node, "path: expected a list of [time, point], found %s",
                                cdg_tree_describe(node, quoted));
    cdg_grip_key *keys = cdg_storage_allocate(reader->storage, node->count, sizeof *keys);
    if (keys == NULL) return false;
    bool is_good = true;
    for (size_t i = 0; i < node->count && is_good; i++) {
        keys[i] = (cdg_grip_key){0};
        is_good = parse_key(reader, node->items[i], &keys[i]);
        if (is_good && i > 0 && !(keys[i].time > keys[i - 1].time))
            is_good =
                cdg_reader_fault(reader, node->items[i], "this time (%g s) must be after the one before it (%g s)",
                                 keys[i].time, keys[i - 1].time);
    }
    out->keys = keys;
    out->key_count = node->count;
    return is_good;
}

static size_t find_obstacle(const scene_reader *reader, const char *name, size_t length) {
    for (size_t i = 0; i < reader->scene->obstacle_count; i++) {
        const char *candidate = reader->scene->obstacles[i].name;
        if (candidate != NULL && strlen(candidate) == length && memcmp(candidate, name, length) == 0) return i;
    }
    return SIZE_MAX;
}

static size_t find_solid(const scene_reader *reader, const char *name, size_t length) {
    for (size_t i = 0; i < reader->scene->solid_count; i++) {
        const char *candidate = reader->scene->solids[i].def.name;
        if (candidate != NULL && strlen(candidate) == length && memcmp(candidate, name, length) == 0) return i;
    }
    return SIZE_MAX;
}

// Supports have no names: their number in the scene, from 0.
static size_t find_support(const scene_reader *reader, const char *text, size_t length) {
    size_t number = 0;
    for (size_t i = 0; i < length; i++) {
        if (text[i] < '0' || text[i] > '9' || number > reader->scene->support_count) return SIZE_MAX;
        number = 10 * number + (size_t)(text[i] - '0');
    }
    return length > 0 && number < reader->scene->support_count ? number : SIZE_MAX;
}

enum { OF_ROD, OF_BODY, OF_OBSTACLE, OF_SUPPORT, OF_SOLID };

static size_t find_by_name(const scene_reader *reader, int kind, const scene_node *name) {
    switch (kind) {
    case OF_ROD: return cdg_find_rod(reader, name->text, name->length);
    case OF_BODY: return cdg_find_body(reader, name->text, name->length);
    case OF_OBSTACLE: return find_obstacle(reader, name->text, name->length);
    case OF_SOLID: return find_solid(reader, name->text, name->length);
    default: return find_support(reader, name->text, name->length);
    }
}

// Indices in the scene's lists, + 1, as everywhere in a scene.
static bool find_object(scene_reader *reader, const scene_node *node, const char *where, scene_hand *out) {
    static const char *const kinds[] = {"rod", "body", "obstacle", "support", "solid", NULL};
    int kind = cdg_read_one_of(reader, node, &cdg_schema_hand, where, kinds);
    if (kind < 0) return false;
    const scene_node *name = cdg_tree_get(node, kinds[kind]);
    char quoted[CDG_QUOTE_SIZE];
    size_t index = name->kind == SCENE_SCALAR ? find_by_name(reader, kind, name) : SIZE_MAX;
    if (index == SIZE_MAX)
        return cdg_reader_fault(reader, name, "%s: there is no %s %s; %s", where, kinds[kind],
                                cdg_tree_describe(name, quoted),
                                kind == OF_SUPPORT ? "supports are counted from 0" : "give a name of this scene");
    if (kind == OF_BODY) out->def.place.body.index1 = (uint32_t)index + 1;
    if (kind == OF_OBSTACLE) out->obstacle1 = (uint32_t)index + 1;
    if (kind == OF_SUPPORT) out->support1 = (uint32_t)index + 1;
    if (kind == OF_SOLID) out->def.place.solid.index1 = (uint32_t)index + 1;
    if (kind != OF_ROD) return true;
    out->def.place.rod.index1 = (uint32_t)index + 1;
    size_t count = reader->scene->rods[index].element_count;
    if ((size_t)out->element < count) return true;
    return cdg_reader_fault(reader, node, "%s: rod '%s' has %zu elements; there is no element %d", where,
                            reader->scene->rods[index].name, count, out->element);
}

static void parse_hand(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    scene_hand hand = {0};
    snprintf(where, sizeof where, "hand %zu", index + 1);
    bool is_good = cdg_read_table(reader, &cdg_schema_hand, node, where, &hand);
    if (node->kind != SCENE_MAP || !is_good || !find_object(reader, node, where, &hand)) return;
    if (!parse_path(reader, cdg_tree_get(node, "path"), &hand.def)) return;
    if (hand.def.place.fraction > 1) {
        cdg_reader_fault(reader, node, "%s: fraction is %g; it lies between 0 and 1", where, hand.def.place.fraction);
        return;
    }
    if (!(hand.def.to > hand.def.keys[hand.def.key_count - 1].time)) {
        cdg_reader_fault(reader, node, "%s: it lets go at %g s, which must be after the last point of its path", where,
                         hand.def.to);
        return;
    }
    hand.def.place.kind = hand.def.place.rod.index1 != 0 ? CDG_PLACE_ALONG : CDG_PLACE_POINT;
    hand.def.place.index = (size_t)hand.element;
    cdg_scene *scene = reader->scene;
    size_t count = scene->hand_count;
    scene_hand *hands = cdg_storage_grow(reader->storage, scene->hands, count, sizeof *hands);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->hand_marks, count, sizeof *marks);
    if (hands == NULL || marks == NULL) return;
    scene->hands = hands;
    scene->hand_marks = marks;
    hands[count] = hand;
    marks[count] = node->mark;
    scene->hand_count++;
}

// Longer than the scene says: outputs and automatic step stay as if it were not.
static void extend_duration(cdg_scene *scene) {
    double last = 0;
    for (size_t i = 0; i < scene->hand_count; i++) last = fmax(last, scene->hands[i].def.to);
    for (size_t i = 0; i < scene->cut_count; i++) last = fmax(last, scene->cuts[i].time);
    if (scene->change_count > 0) last = fmax(last, scene->changes[scene->change_count - 1].time);
    if (!(last > scene->duration) || !(scene->duration > 0) || scene->mode != SCENE_DYNAMIC) return;
    scene->step_duration = scene->duration;
    if (!(scene->output_every > 0)) scene->output_every = scene->duration / 50;
    if (scene->output_every > scene->duration) scene->output_every = scene->duration;
    scene->duration = ceil(last / scene->output_every) * scene->output_every;
}

void cdg_parse_hands(scene_reader *reader) {
    const scene_node *list =
        cdg_read_list(reader, "hands", "{rod: cable, element: 3, path: [[0 s, [0, 0, 0]]], to: 1 s}");
    for (size_t i = 0; list != NULL && i < list->count; i++) parse_hand(reader, list->items[i], i);
    extend_duration(reader->scene);
}
