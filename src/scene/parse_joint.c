// The key `joints`, and the joints of structures: nodes that are one point.
#include "scene/reader.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool append_joint(scene_reader *reader, const cdg_joint_def *def, scene_mark mark) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->joint_count;
    cdg_joint_def *joints = cdg_storage_grow(reader->storage, scene->joints, count, sizeof *joints);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->joint_marks, count, sizeof *marks);
    if (joints == NULL || marks == NULL) return false;
    scene->joints = joints;
    scene->joint_marks = marks;
    joints[count] = *def;
    marks[count] = mark;
    scene->joint_count++;
    return true;
}

// A structure's rods stand in scene->rods one after the other; `first` is the index of the first.
static bool append_expanded(scene_reader *reader, const cdg_structure *structure, size_t first) {
    for (size_t j = 0; j < structure->joint_count; j++) {
        cdg_joint_def def = structure->joints[j];
        cdg_place *places = cdg_storage_allocate(reader->storage, def.place_count, sizeof *places);
        if (places == NULL) return false;
        for (size_t i = 0; i < def.place_count; i++) {
            places[i] = def.places[i];
            places[i].rod.index1 += (uint32_t)first;
        }
        def.places = places;
        if (!append_joint(reader, &def, reader->scene->rod_marks[first])) return false;
    }
    return true;
}

static bool parse_axis(scene_reader *reader, const scene_node *node, const char *label, double *out) {
    if (cdg_tree_is_word(node, "rigid")) {
        *out = HUGE_VAL;
        return true;
    }
    if (cdg_tree_is_word(node, "free") || cdg_tree_is_word(node, "hinge"))
        return cdg_reader_fault(reader, node, "%s: what turns freely is written '0'", label);
    return cdg_read_quantity(reader, node, label, CDG_TURN_STIFFNESS, SCENE_NOT_NEGATIVE, out);
}

static bool is_number(const scene_node *node) {
    return node->kind == SCENE_SCALAR && node->text[0] != '\0' &&
           node->text[strspn(node->text, "+-.0123456789eE")] == '\0';
}

// A factor, or what the joint has about each axis; what a map leaves out is rigid.
static bool parse_stiffness(scene_reader *reader, const scene_node *node, size_t joint, cdg_joint_def *out) {
    if (node == NULL || node->kind == SCENE_NOTHING) return true;
    if (node->kind != SCENE_MAP && !is_number(node)) {
        char found[CDG_QUOTE_SIZE];
        return cdg_reader_fault(
            reader, node,
            "the stiffness of a joint is a factor, 1 as within a rod, 0 for a hinge, or a map such as "
            "{bend: [0, rigid], twist: 0.2 N m}; found %s",
            cdg_tree_describe(node, found));
    }
    if (node->kind != SCENE_MAP)
        return cdg_read_quantity(reader, node, "stiffness", CDG_NUMBER, SCENE_NOT_NEGATIVE, &out->stiffness);
    char where[CDG_WHERE_SIZE], quoted[CDG_QUOTE_SIZE];
    snprintf(where, sizeof where, "the stiffness of joint %zu", joint);
    bool is_good = cdg_read_table(reader, &cdg_schema_joint_stiffness, node, where, out);
    const scene_node *bend = cdg_tree_get(node, "bend"), *twist = cdg_tree_get(node, "twist");
    out->has_axes = true;
    for (int k = 0; k < 3; k++) out->axes[k] = HUGE_VAL;
    if (twist != NULL && twist->kind != SCENE_NOTHING)
        is_good = parse_axis(reader, twist, "twist", &out->axes[2]) && is_good;
    if (bend == NULL || bend->kind == SCENE_NOTHING) return is_good;
    if (bend->kind == SCENE_LIST && bend->count != 2)
        return cdg_reader_fault(reader, bend, "bend: expected one stiffness or two, such as [0.1 N m, rigid], found %s",
                                cdg_tree_describe(bend, quoted));
    for (size_t k = 0; k < 2; k++)
        if (k == 0 || bend->kind == SCENE_LIST)
            is_good =
                parse_axis(reader, bend->kind == SCENE_LIST ? bend->items[k] : bend, "bend", &out->axes[k]) && is_good;
    if (bend->kind != SCENE_LIST) out->axes[1] = out->axes[0];
    return is_good;
}

static void parse_joint(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE], quoted[CDG_QUOTE_SIZE];
    snprintf(where, sizeof where, "joint %zu", index + 1);
    cdg_joint_def def = cdg_joint_def_default();
    bool is_good = cdg_read_table(reader, &cdg_schema_joint, node, where, &def);
    if (node->kind != SCENE_MAP) return;
    static const char *const kinds[] = {"join", "weld", "pin", NULL};
    int kind = cdg_read_one_of(reader, node, &cdg_schema_joint, where, kinds);
    if (kind < 0) return;
    const scene_node *join = cdg_tree_get(node, kinds[kind]);
    if (join->kind == SCENE_NOTHING) return; // reported already
    if (kind > 0) {
        if (cdg_tree_get(node, "stiffness") != NULL)
            cdg_reader_fault(reader, cdg_tree_get(node, "stiffness"), "a %s is stiff; 'stiffness' belongs to 'join'",
                             kinds[kind]);
        if (kind == 1 && !cdg_is_tie(reader, join)) cdg_parse_weld(reader, node, join);
        return; // ties are read after the solids
    }
    if (join->kind != SCENE_LIST) {
        cdg_reader_fault(reader, join,
                         "join: expected a list of two places or more, such as [trunk.end, branch.start], "
                         "found %s",
                         cdg_tree_describe(join, quoted));
        return;
    }
    cdg_place *places = NULL;
    if (!cdg_parse_places(reader, join, "join", PLACE_NODE, &places, &def.place_count)) return;
    def.places = places;
    if (def.place_count < 2) {
        cdg_reader_fault(reader, join, "a joint needs two places or more; this is one");
        return;
    }
    for (size_t i = 1; i < def.place_count; i++)
        for (size_t k = 0; k < i && def.place_count < 1000; k++)
            if (places[i].rod.index1 == places[k].rod.index1 && places[i].index == places[k].index) {
                cdg_reader_fault(reader, join, "the joint names node %zu of rod '%s' twice; it needs different ones",
                                 places[i].index, reader->scene->rods[places[i].rod.index1 - 1].name);
                return;
            }
    is_good = parse_stiffness(reader, cdg_tree_get(node, "stiffness"), index + 1, &def) && is_good;
    if (is_good) append_joint(reader, &def, node->mark);
}

// ---- joints of the same nodes ---------------------------------------------------------------------------------------

typedef struct joint_key {
    size_t sum; // over its places, the same in any order
    size_t joint;
} joint_key;

static joint_key key_of(const cdg_scene *scene, size_t joint) {
    joint_key key = {.joint = joint};
    for (size_t i = 0; i < scene->joints[joint].place_count; i++) {
        const cdg_place *place = &scene->joints[joint].places[i];
        key.sum += (place->rod.index1 * (size_t)2654435761U) ^ (place->index * (size_t)40503U);
    }
    return key;
}

static int compare_keys(const void *a, const void *b) {
    const joint_key *x = a, *y = b;
    return x->sum != y->sum ? (x->sum > y->sum) - (x->sum < y->sum) : (x->joint > y->joint) - (x->joint < y->joint);
}

static bool have_same_nodes(const cdg_joint_def *a, const cdg_joint_def *b) {
    if (a->place_count != b->place_count) return false;
    for (size_t i = 0; i < a->place_count; i++) {
        size_t k = 0;
        while (k < b->place_count &&
               (a->places[i].rod.index1 != b->places[k].rod.index1 || a->places[i].index != b->places[k].index))
            k++;
        if (k == b->place_count) return false;
    }
    return true;
}

static bool are_as_stiff(const cdg_joint_def *a, const cdg_joint_def *b) {
    if (a->has_axes != b->has_axes) return false;
    if (!a->has_axes) return a->stiffness == b->stiffness;
    return a->axes[0] == b->axes[0] && a->axes[1] == b->axes[1] && a->axes[2] == b->axes[2];
}

// Springs between the same nodes act side by side, which is seldom what two lines of a scene mean.
static void warn_of_same_nodes(scene_reader *reader, size_t first) {
    const cdg_scene *scene = reader->scene;
    size_t count = scene->joint_count - first;
    joint_key *keys = cdg_storage_allocate(reader->storage, count, sizeof *keys);
    for (size_t i = 0; keys != NULL && i < count; i++) keys[i] = key_of(scene, first + i);
    if (keys == NULL || count < 2) return;
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        const cdg_joint_def *before = &scene->joints[keys[i - 1].joint], *def = &scene->joints[keys[i].joint];
        if (keys[i].sum != keys[i - 1].sum || !have_same_nodes(before, def)) continue;
        scene_node at = {.mark = scene->joint_marks[keys[i].joint]};
        int line = scene->joint_marks[keys[i - 1].joint].line;
        if (are_as_stiff(before, def))
            cdg_reader_warn(reader, &at, "this joint says what the one in line %d says, and does nothing", line);
        else
            cdg_reader_warn(reader, &at,
                            "the joint in line %d joins the same nodes: both act side by side, and their "
                            "stiffnesses add up; leave one of them out unless that is meant",
                            line);
    }
}

void cdg_parse_joints(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    size_t first = scene->rod_count;
    if (reader->rod_names != NULL) {
        for (size_t i = 0; i < scene->structure_count; i++) first -= scene->structures[i]->rod_count;
        for (size_t i = 0; i < scene->strands_count; i++) first -= scene->strands[i]->rod_count; // stand at the end
        for (size_t i = 0; i < scene->structure_count; i++) {
            if (!append_expanded(reader, scene->structures[i], first)) return;
            first += scene->structures[i]->rod_count;
        }
    }
    const scene_node *list = cdg_read_list(reader, "joints", "join: [trunk.end, branch.start]");
    size_t listed = scene->joint_count;
    for (size_t i = 0; list != NULL && i < list->count; i++) parse_joint(reader, list->items[i], i);
    warn_of_same_nodes(reader, listed);
}
