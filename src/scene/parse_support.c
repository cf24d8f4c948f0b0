// The key `supports`: clamps, pins and twist holds, their motions, and whether they contradict each other.
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define SUPPORT_NAME(id, name) name,
    CDG_SUPPORT_LIST(SUPPORT_NAME)
#undef SUPPORT_NAME
        NULL};

static void warn_idle(scene_reader *reader, const scene_node *node, cdg_support_kind kind, const cdg_motion *motion) {
    if (motion->kind == CDG_MOTION_MOVE && kind == CDG_SUPPORT_TWIST) {
        cdg_reader_warn(reader, node, "twist holds no position, so this move does nothing");
    }
    if (motion->kind == CDG_MOTION_ROTATE && kind == CDG_SUPPORT_PIN && !motion->has_center) {
        cdg_reader_warn(reader, node,
                        "pin holds no frame, so this rotate does nothing; use clamp, or give it a center");
    }
    double duration = reader->scene->duration;
    if (duration > 0 && motion->to > duration * (1 + 1e-9)) {
        cdg_reader_warn(reader, node, "the motion goes on to %g s, but the simulation ends at %g s", motion->to,
                        duration);
    }
}

static bool parse_motion(scene_reader *reader, const scene_node *node, cdg_support_kind kind, cdg_motion *out) {
    static const char *const kinds[] = {"move", "rotate", NULL};
    *out = (cdg_motion){.axis = {0, 0, 1}};
    if (!cdg_read_table(reader, &cdg_schema_motion, node, "motion", out)) return false;
    int which = cdg_read_one_of(reader, node, &cdg_schema_motion, "a motion", kinds);
    if (which < 0) return false;
    out->kind = which == 0 ? CDG_MOTION_MOVE : CDG_MOTION_ROTATE;
    if (out->kind == CDG_MOTION_ROTATE) {
        const scene_node *rotate = cdg_tree_get(node, "rotate");
        if (!cdg_read_table(reader, &cdg_schema_rotate, rotate, "rotate", out)) return false;
        out->has_center = cdg_tree_get(rotate, "center") != NULL;
    }
    if (out->to < out->from) {
        return cdg_reader_fault(reader, cdg_tree_get(node, "to"),
                                "the motion ends (to %g s) before it begins (from %g s)", out->to, out->from);
    }
    warn_idle(reader, node, kind, out);
    return true;
}

static bool parse_motions(scene_reader *reader, const scene_node *node, cdg_support_kind kind, cdg_motion **out,
                          size_t *count) {
    bool is_one = node->kind == SCENE_MAP, is_good = true;
    if (node->kind != SCENE_LIST && !is_one) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, node,
                                "motion: expected a list such as [{move: [0, 0, 1 m], to: 1 s}], found %s",
                                cdg_tree_describe(node, quoted));
    }
    *count = is_one ? 1 : node->count;
    *out = cdg_storage_allocate(reader->storage, *count, sizeof **out);
    if (*out == NULL) return false;
    for (size_t i = 0; i < *count; i++) {
        is_good = parse_motion(reader, is_one ? node : node->items[i], kind, &(*out)[i]) && is_good;
    }
    return is_good;
}

static bool append_support(scene_reader *reader, const cdg_support_def *def, scene_mark mark) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->support_count;
    cdg_support_def *supports = cdg_storage_grow(reader->storage, scene->supports, count, sizeof *supports);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->support_marks, count, sizeof *marks);
    if (supports == NULL || marks == NULL) return false;
    scene->supports = supports;
    scene->support_marks = marks;
    supports[count] = *def;
    marks[count] = mark;
    scene->support_count++;
    return true;
}

static void parse_support(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    snprintf(where, sizeof where, "support %zu", index + 1);
    cdg_support_def def = {0};
    bool is_good = cdg_read_table(reader, &cdg_schema_support, node, where, &def);
    if (node->kind != SCENE_MAP) return;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_support, where, kind_names);
    def.kind = kind < 0 ? CDG_SUPPORT_CLAMP : (cdg_support_kind)kind;
    const scene_node *place_node = kind < 0 ? NULL : cdg_tree_get(node, kind_names[kind]);
    const scene_node *motion = cdg_tree_get(node, "motion");
    cdg_motion *motions = NULL;
    if (motion != NULL && motion->kind != SCENE_NOTHING) {
        is_good = parse_motions(reader, motion, def.kind, &motions, &def.motion_count) && is_good;
    }
    def.motions = motions;
    if (place_node == NULL || place_node->kind == SCENE_NOTHING) return; // reported already
    cdg_place *places = NULL;
    size_t count = 0;
    is_good = cdg_parse_places(reader, place_node, kind_names[kind], PLACE_NODE, &places, &count) && is_good;
    double duration = reader->scene->duration;
    if (duration > 0 && def.release > duration) {
        cdg_reader_warn(reader, cdg_tree_get(node, "release"), "release is at %g s, after the simulation's end at %g s",
                        def.release, duration);
    }
    for (size_t i = 0; i < count && is_good; i++) {
        def.place = places[i];
        bool is_each = place_node->kind == SCENE_LIST && place_node->count == count; // no pattern among them
        const scene_node *at = is_each ? place_node->items[i] : place_node;
        if (!append_support(reader, &def, at->mark)) return;
    }
}

typedef struct held_node {
    uint32_t rod;
    size_t node, support;
} held_node;

static int compare_held(const void *a, const void *b) {
    const held_node *x = a, *y = b;
    if (x->rod != y->rod) return x->rod < y->rod ? -1 : 1;
    if (x->node != y->node) return x->node < y->node ? -1 : 1;
    return (x->support > y->support) - (x->support < y->support);
}

// Two supports at one node: pin and twist complete each other; a clamp that will be released may stand over either; two
// that hold the same thing are a contradiction, or at best one too many.
static void compare_supports(scene_reader *reader, size_t first, size_t second) {
    const cdg_scene *scene = reader->scene;
    const cdg_support_def *a = &scene->supports[first], *b = &scene->supports[second];
    bool is_pair = a->kind != b->kind && a->kind != CDG_SUPPORT_CLAMP && b->kind != CDG_SUPPORT_CLAMP;
    if (is_pair) return;
    scene_node place = {.mark = scene->support_marks[second]};
    const char *rod = scene->rods[a->place.rod.index1 - 1].name;
    if (a->kind == b->kind || a->motion_count > 0 || b->motion_count > 0) {
        cdg_reader_fault(
            reader, &place, "node %zu of rod '%s' is held by a %s already (line %d); this %s contradicts it",
            a->place.index, rod, kind_names[a->kind], scene->support_marks[first].line, kind_names[b->kind]);
        return;
    }
    const cdg_support_def *clamp = a->kind == CDG_SUPPORT_CLAMP ? a : b, *other = clamp == a ? b : a;
    if (clamp->release <= 0 || (other->release > 0 && other->release <= clamp->release)) {
        cdg_reader_warn(reader, &place, "node %zu of rod '%s' has a clamp, so the %s there adds nothing",
                        a->place.index, rod, kind_names[other->kind]);
    }
}

static void check_contradictions(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    if (scene->support_count < 2) return;
    held_node *held = cdg_storage_allocate(reader->storage, scene->support_count, sizeof *held);
    if (held == NULL) return;
    for (size_t i = 0; i < scene->support_count; i++) {
        cdg_place place = scene->supports[i].place;
        held[i] = (held_node){place.rod.index1, place.index, i};
    }
    qsort(held, scene->support_count, sizeof *held, compare_held);
    for (size_t i = 1; i < scene->support_count; i++) {
        // Each is compared with the two before it: with three on one node at least one pair is at fault.
        for (size_t back = 1; back <= 2 && back <= i; back++) {
            const held_node *earlier = &held[i - back];
            if (earlier->rod != held[i].rod || earlier->node != held[i].node) break;
            if (!reader->rod_is_good[earlier->rod - 1]) break;
            compare_supports(reader, earlier->support, held[i].support);
        }
    }
}

void cdg_parse_supports(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "supports", "clamp: cable.start");
    if (list == NULL) return;
    for (size_t i = 0; i < list->count; i++) parse_support(reader, list->items[i], i);
    if (!cdg_storage_has_failed(reader->storage)) check_contradictions(reader);
}
