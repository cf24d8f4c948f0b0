// The key `supports`: clamps, pins, twist holds and slides, their motions, and whether they contradict each other.
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

bool cdg_parse_motions(scene_reader *reader, const scene_node *node, cdg_support_kind kind, cdg_motion **out,
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

static bool check_slide(scene_reader *reader, const scene_node *node, const cdg_support_def *def) {
    static const char *const keys[] = {"along", "holds_frame"};
    bool is_slide = def->kind == CDG_SUPPORT_SLIDE;
    for (int i = 0; i < 2; i++) {
        const scene_node *key = cdg_tree_get_key(node, keys[i]);
        if (key != NULL && !is_slide)
            return cdg_reader_fault(reader, key, "%s goes with slide only; a %s has none", keys[i],
                                    kind_names[def->kind]);
    }
    if (!is_slide || cdg_read_means(node, &cdg_schema_support, "along")) return true;
    return cdg_reader_fault(reader, node, "slide needs the direction of its line; add for example 'along: [0, 0, 1]'");
}

static void parse_support(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    snprintf(where, sizeof where, "support %zu", index + 1);
    cdg_support_def def = {0};
    bool is_good = cdg_read_table(reader, &cdg_schema_support, node, where, &def);
    if (node->kind != SCENE_MAP) return;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_support, where, kind_names);
    def.kind = kind < 0 ? CDG_SUPPORT_CLAMP : (cdg_support_kind)kind;
    if (kind >= 0) is_good = check_slide(reader, node, &def) && is_good;
    const scene_node *place_node = kind < 0 ? NULL : cdg_tree_get(node, kind_names[kind]);
    const scene_node *motion = cdg_tree_get(node, "motion");
    cdg_motion *motions = NULL;
    if (motion != NULL && motion->kind != SCENE_NOTHING) {
        is_good = cdg_parse_motions(reader, motion, def.kind, &motions, &def.motion_count) && is_good;
    }
    def.motions = motions;
    if (place_node == NULL || place_node->kind == SCENE_NOTHING) return; // reported already
    cdg_place *places = NULL;
    size_t count = 0;
    is_good = cdg_parse_places(reader, place_node, kind_names[kind], PLACE_NODE, &places, &count) && is_good;
    double duration = reader->scene->duration;
    if (duration > 0 && def.release > duration) {
        cdg_reader_warn(reader, cdg_tree_get(node, "release"),
                        "release is at %g s, after the simulation's end at %g s; nothing is let go of", def.release,
                        duration);
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

// Two supports at one node: pin or slide and twist complete each other; a clamp that will be released may stand over
// either; two that hold the same thing are a contradiction, or at best one too many.
static void compare_supports(scene_reader *reader, size_t first, size_t second) {
    const cdg_scene *scene = reader->scene;
    const cdg_support_def *a = &scene->supports[first], *b = &scene->supports[second];
    bool has_clamp = a->kind == CDG_SUPPORT_CLAMP || b->kind == CDG_SUPPORT_CLAMP;
    bool has_twist = a->kind == CDG_SUPPORT_TWIST || b->kind == CDG_SUPPORT_TWIST;
    if (a->kind != b->kind && !has_clamp && has_twist && !a->holds_frame && !b->holds_frame) return;
    scene_node blamed = {.mark = scene->support_marks[second]};
    const char *rod = scene->rods[a->place.rod.index1 - 1].name;
    if (a->kind == b->kind || !has_clamp || a->motion_count > 0 || b->motion_count > 0) {
        cdg_reader_fault(
            reader, &blamed, "node %zu of rod '%s' is held by a %s already (line %d); this %s contradicts it",
            a->place.index, rod, kind_names[a->kind], scene->support_marks[first].line, kind_names[b->kind]);
        return;
    }
    const cdg_support_def *clamp = a->kind == CDG_SUPPORT_CLAMP ? a : b, *other = clamp == a ? b : a;
    if (clamp->release <= 0 || (other->release > 0 && other->release <= clamp->release)) {
        cdg_reader_warn(reader, &blamed, "node %zu of rod '%s' has a clamp, so the %s there adds nothing",
                        a->place.index, rod, kind_names[other->kind]);
    }
}

// ---- supports of joined nodes ---------------------------------------------------------------------------------------

static bool moves_position(const cdg_motion *motion) { return motion->kind == CDG_MOTION_MOVE || motion->has_center; }

static bool is_same_motion(const cdg_motion *a, const cdg_motion *b) {
    if (a->kind != b->kind || a->from != b->from || a->to != b->to || a->ease != b->ease) return false;
    if (a->kind == CDG_MOTION_MOVE) return vec3_distance(a->move, b->move) == 0;
    return a->angle == b->angle && vec3_distance(a->axis, b->axis) == 0 && vec3_distance(a->center, b->center) == 0;
}

// Whether both take a node along the same way; turning frames do not count.
static bool moves_alike(const cdg_support_def *a, const cdg_support_def *b) {
    size_t i = 0, k = 0;
    for (;; i++, k++) {
        while (i < a->motion_count && !moves_position(&a->motions[i])) i++;
        while (k < b->motion_count && !moves_position(&b->motions[k])) k++;
        if (i == a->motion_count || k == b->motion_count) return i == a->motion_count && k == b->motion_count;
        if (!is_same_motion(&a->motions[i], &b->motions[k])) return false;
    }
}

// The support that holds a node in place, among those sorted by node; SIZE_MAX: none.
static size_t find_holder(const cdg_scene *scene, const held_node *held, cdg_place place) {
    held_node wanted = {place.rod.index1, place.index, 0};
    size_t low = 0, high = scene->support_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_held(&held[middle], &wanted) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < scene->support_count && held[low].rod == wanted.rod && held[low].node == wanted.node; low++)
        if (scene->supports[held[low].support].kind != CDG_SUPPORT_TWIST) return held[low].support;
    return SIZE_MAX;
}

// Joined nodes are one point: supports of several of them must take it to one point.
static void check_joined(scene_reader *reader, const held_node *held) {
    const cdg_scene *scene = reader->scene;
    for (size_t j = 0; j < scene->joint_count; j++) {
        size_t first = SIZE_MAX;
        for (size_t i = 0; i < scene->joints[j].place_count; i++) {
            size_t next = find_holder(scene, held, scene->joints[j].places[i]);
            if (next == SIZE_MAX || first == SIZE_MAX) {
                first = first != SIZE_MAX ? first : next;
                continue;
            }
            const cdg_support_def *a = &scene->supports[first], *b = &scene->supports[next];
            if (moves_alike(a, b)) continue;
            scene_node blamed = {.mark = scene->support_marks[next]};
            cdg_reader_fault(reader, &blamed,
                             "node %zu of rod '%s' is joined to node %zu of rod '%s', whose support (line %d) moves "
                             "otherwise; give both the same motion, or hold only one of them",
                             b->place.index, scene->rods[b->place.rod.index1 - 1].name, a->place.index,
                             scene->rods[a->place.rod.index1 - 1].name, scene->support_marks[first].line);
            break;
        }
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
    check_joined(reader, held);
}

// A guide's rods stand in scene->rods one after the other; `first` is the index of the first.
static void append_roots(scene_reader *reader, const cdg_strands *strands, size_t first) {
    for (size_t i = 0; i < strands->rod_count; i++) {
        cdg_support_def def = strands->clamps[i];
        def.place.rod.index1 += (uint32_t)first;
        if (!append_support(reader, &def, reader->scene->rod_marks[first])) return;
    }
}

void cdg_parse_supports(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    size_t first = scene->rod_count;
    for (size_t i = 0; i < scene->strands_count && reader->rod_names != NULL; i++)
        first -= scene->strands[i]->rod_count;
    for (size_t i = 0; i < scene->strands_count && reader->rod_names != NULL; first += scene->strands[i++]->rod_count)
        append_roots(reader, scene->strands[i], first);
    const scene_node *list = cdg_read_list(reader, "supports", "clamp: cable.start");
    if (list == NULL) return;
    for (size_t i = 0; i < list->count; i++) parse_support(reader, list->items[i], i);
    if (!cdg_storage_has_failed(reader->storage)) check_contradictions(reader);
}
