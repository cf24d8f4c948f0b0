// The key `loads`: forces, moments, line loads, drag and wind, and how they change in time.
#include "math/vec3.h"
#include "scene/reader.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {
#define LOAD_NAME(id, name) name,
    CDG_LOAD_LIST(LOAD_NAME)
#undef LOAD_NAME
        NULL};

static bool parse_keyframe(scene_reader *reader, const scene_node *node, cdg_keyframe *out) {
    const scene_node *time = NULL, *factor = NULL;
    if (node->kind == SCENE_LIST && node->count == 2) {
        time = node->items[0];
        factor = node->items[1];
    } else if (node->kind == SCENE_MAP && node->count == 2) {
        time = cdg_tree_get(node, "time");
        factor = cdg_tree_get(node, "factor");
    }
    if (time == NULL || factor == NULL) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, node, "keyframes: expected [time, factor] such as [1 s, 0.5], found %s",
                                cdg_tree_describe(node, quoted));
    }
    bool is_good = cdg_read_quantity(reader, time, "the time of a keyframe", CDG_TIME, SCENE_NOT_NEGATIVE, &out->time);
    return cdg_read_quantity(reader, factor, "the factor of a keyframe", CDG_NUMBER, SCENE_ANY, &out->factor) &&
           is_good;
}

static bool parse_keyframes(scene_reader *reader, const scene_node *node, cdg_load_def *out) {
    char quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_LIST || node->count == 0) {
        return cdg_reader_fault(reader, node, "keyframes: expected a list such as [[0 s, 0], [1 s, 1]], found %s",
                                cdg_tree_describe(node, quoted));
    }
    cdg_keyframe *keyframes = cdg_storage_allocate(reader->storage, node->count, sizeof *keyframes);
    if (keyframes == NULL) return false;
    bool is_good = true;
    for (size_t i = 0; i < node->count; i++) {
        is_good = parse_keyframe(reader, node->items[i], &keyframes[i]) && is_good;
        if (is_good && i > 0 && !(keyframes[i].time > keyframes[i - 1].time)) {
            is_good = cdg_reader_fault(reader, node->items[i],
                                       "keyframe %zu (%g s) must be later than the one before it (%g s)", i + 1,
                                       keyframes[i].time, keyframes[i - 1].time);
        }
    }
    out->keyframes = keyframes;
    out->keyframe_count = node->count;
    return is_good;
}

// A vortex thinner than an element meets a rod only by chance, because the rod feels the wind at its places alone.
static void check_vortex(scene_reader *reader, const scene_node *node, const cdg_vortex *vortex, size_t index) {
    for (size_t i = 0; i < reader->scene->rod_count; i++) {
        const cdg_rod_def *rod = &reader->scene->rods[i];
        cdg_error error;
        double length;
        if (!reader->rod_is_good[i] || rod->element_count == 0 ||
            cdg_centerline_length(&rod->centerline, &length, &error) != CDG_OK)
            continue;
        double element = length / (double)rod->element_count;
        if (!(vortex->radius < element)) continue;
        cdg_reader_warn(
            reader, node,
            "vortex %zu has a radius of %g m, and elements of rod '%s' are %.3g m long: what it does to them "
            "is chance; use %.0f elements or more, or a wider vortex",
            index + 1, vortex->radius, rod->name, element, ceil(length / vortex->radius));
        return;
    }
}

static bool parse_vortices(scene_reader *reader, const scene_node *node, cdg_load_def *out) {
    char quoted[CDG_QUOTE_SIZE], where[CDG_WHERE_SIZE];
    if (node->kind != SCENE_LIST || node->count == 0)
        return cdg_reader_fault(reader, node,
                                "vortices: expected a list such as [{center: [0, 0, 0], speed: 8 m/s, radius: 0.5 m}], "
                                "found %s",
                                cdg_tree_describe(node, quoted));
    cdg_vortex *vortices = cdg_storage_allocate(reader->storage, node->count, sizeof *vortices);
    if (vortices == NULL) return false;
    bool is_good = true;
    for (size_t i = 0; i < node->count; i++) {
        snprintf(where, sizeof where, "vortex %zu", i + 1);
        vortices[i] = (cdg_vortex){.axis = {0, 0, 1}};
        is_good = cdg_read_table(reader, &cdg_schema_vortex, node->items[i], where, &vortices[i]) && is_good;
        if (is_good) check_vortex(reader, node->items[i], &vortices[i], i);
    }
    out->vortices = vortices;
    out->vortex_count = node->count;
    return is_good;
}

// Keys that only some kinds of load have.
static bool check_keys(scene_reader *reader, const scene_node *node, cdg_load_kind kind) {
    const struct {
        const char *key;
        bool is_allowed;
        const char *cure;
    } rules[] = {
        {"at", cdg_load_acts_at_place(kind), "'on' chooses the rod"},
        {"on", !cdg_load_acts_at_place(kind), "'at' chooses the place"},
        {"fluid_density", kind == CDG_LOAD_WIND, "only wind has one"},
        {"drag_coefficient", kind == CDG_LOAD_WIND, "only wind has one"},
        {"vortices", kind == CDG_LOAD_WIND, "only wind has some"},
        {"follow", cdg_load_may_follow(kind), "only force, moment, line and line_moment can follow the rod"},
    };
    bool is_good = true;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        const scene_node *key = cdg_tree_get_key(node, rules[i].key);
        if (key == NULL || rules[i].is_allowed) continue;
        is_good = cdg_reader_fault(reader, key, "'%s' does not go with %s; %s", rules[i].key, kind_names[kind],
                                   rules[i].cure);
    }
    return is_good;
}

static bool append_load(scene_reader *reader, const cdg_load_def *def, scene_mark mark) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->load_count;
    cdg_load_def *loads = cdg_storage_grow(reader->storage, scene->loads, count, sizeof *loads);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->load_marks, count, sizeof *marks);
    if (loads == NULL || marks == NULL) return false;
    scene->loads = loads;
    scene->load_marks = marks;
    loads[count] = *def;
    marks[count] = mark;
    scene->load_count++;
    return true;
}

static bool check_load_times(scene_reader *reader, const scene_node *node, const cdg_load_def *def) {
    const scene_node *to = cdg_tree_get(node, "to"), *from = cdg_tree_get(node, "from");
    double duration = reader->scene->duration;
    if (to != NULL && def->to <= def->from) {
        return cdg_reader_fault(reader, to, "the load ends (to %g s) before it begins (from %g s)", def->to, def->from);
    }
    if (from != NULL && duration > 0 && def->from >= duration) {
        cdg_reader_warn(reader, from, "the load begins at %g s, but the simulation ends at %g s", def->from, duration);
    }
    return true;
}

static void parse_load(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    snprintf(where, sizeof where, "load %zu", index + 1);
    cdg_load_def def = cdg_load_def_default();
    size_t faults = reader->diagnostics->fault_count;
    cdg_read_table(reader, &cdg_schema_load, node, where, &def);
    if (node->kind != SCENE_MAP) return;
    bool has_kind = false;
    for (size_t k = 0; kind_names[k] != NULL; k++) has_kind = has_kind || cdg_tree_get_key(node, kind_names[k]) != NULL;
    const scene_node *lone = has_kind ? NULL : cdg_tree_get_key(node, "vortices");
    if (lone != NULL) {
        cdg_reader_fault(reader, lone, "vortices are in a wind; add for example 'wind: [0, 0, 0]'");
        return;
    }
    int kind = cdg_read_one_of(reader, node, &cdg_schema_load, where, kind_names);
    if (kind < 0) return;
    def.kind = (cdg_load_kind)kind;
    check_keys(reader, node, def.kind);
    const scene_node *keyframes = cdg_tree_get(node, "keyframes");
    if (keyframes != NULL && keyframes->kind != SCENE_NOTHING) parse_keyframes(reader, keyframes, &def);

    const scene_node *vortices = cdg_tree_get(node, "vortices");
    if (vortices != NULL && vortices->kind != SCENE_NOTHING) parse_vortices(reader, vortices, &def);

    bool is_at_place = cdg_load_acts_at_place(def.kind);
    const char *key = is_at_place ? "at" : "on";
    const scene_node *place_node = cdg_tree_get(node, key);
    cdg_place everywhere = {0}, *places = &everywhere;
    size_t count = 1;
    if (place_node == NULL) {
        if (is_at_place) {
            cdg_reader_fault(reader, node, "%s has no 'at'; say where the %s acts, for example 'at: cable.end'", where,
                             kind_names[kind]);
        }
    } else if (place_node->kind == SCENE_NOTHING) {
        return; // reported with the table
    } else if (is_at_place || !cdg_tree_is_word(place_node, "all") || cdg_find_rod(reader, "all", 3) != SIZE_MAX) {
        cdg_parse_places(reader, place_node, key, is_at_place ? PLACE_EITHER : PLACE_ROD, &places, &count);
    }
    if (reader->diagnostics->fault_count != faults || !check_load_times(reader, node, &def)) return;
    if (places == NULL) return;
    for (size_t i = 0; i < count; i++) {
        def.place = places[i];
        if (!append_load(reader, &def, node->mark)) return;
    }
}

void cdg_parse_loads(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "loads", "{force: [0, 0, -1 N], at: cable.end}");
    if (list == NULL) return;
    for (size_t i = 0; i < list->count; i++) parse_load(reader, list->items[i], i);
}
