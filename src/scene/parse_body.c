// The key `bodies`, and welds of rods to bodies.
#include "math/quat.h"
#include "scene/reader.h"
#include "scene/suggest.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// ---- bodies ---------------------------------------------------------------------------------------------------------

size_t cdg_find_body(const scene_reader *reader, const char *name, size_t length) {
    for (size_t i = 0; i < reader->scene->body_count; i++) {
        const char *candidate = reader->scene->bodies[i].name;
        if (strlen(candidate) == length && memcmp(candidate, name, length) == 0) return i;
    }
    return SIZE_MAX;
}

// {cylinder: {radius: 5 cm, height: 1 cm}}
static bool parse_body_shape(scene_reader *reader, const scene_node *node, const char *where, cdg_shape *out) {
    enum { KINDS = CDG_SHAPE_MESH - CDG_SHAPE_SPHERE + 1 };
    static const scene_table *const tables[KINDS] = {&cdg_schema_sphere, &cdg_schema_box, &cdg_schema_capsule,
                                                     &cdg_schema_body_cylinder, &cdg_schema_mesh};
    const char *names[KINDS + 1] = {NULL};
    for (int i = 0; i < KINDS; i++) names[i] = cdg_shape_name((cdg_shape_kind)(CDG_SHAPE_SPHERE + i));
    char label[CDG_WHERE_SIZE + 16];
    snprintf(label, sizeof label, "the shape of %s", where);
    bool is_good = cdg_read_table(reader, &cdg_schema_body_shape, node, label, NULL);
    if (node->kind != SCENE_MAP) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_body_shape, label, names);
    if (kind < 0) return false;
    const scene_node *values = cdg_tree_get(node, names[kind]);
    if (values->kind == SCENE_NOTHING) return false; // reported with the table
    out->kind = (cdg_shape_kind)(CDG_SHAPE_SPHERE + kind);
    if (!cdg_parse_shape(reader, values, tables[kind], out)) return false;
    if (out->kind == CDG_SHAPE_MESH && out->is_surface)
        return cdg_reader_fault(reader, cdg_tree_get(values, "surface"),
                                "surface: a body is solid, so its mesh must be closed");
    return is_good;
}

// Plain numbers in kg m^2: the language has no word for the quantity.
static bool parse_inertia(scene_reader *reader, const scene_node *node, cdg_vec3 *out) {
    double values[3] = {0};
    bool is_good = node->kind == SCENE_LIST && node->count == 3;
    char quoted[CDG_QUOTE_SIZE];
    if (!is_good)
        return cdg_reader_fault(reader, node,
                                "inertia: expected three numbers in kg m^2, such as [1e-3, 1e-3, 2e-3], "
                                "found %s",
                                cdg_tree_describe(node, quoted));
    for (size_t i = 0; i < 3; i++)
        is_good =
            cdg_read_quantity(reader, node->items[i], "inertia", CDG_NUMBER, SCENE_POSITIVE, &values[i]) && is_good;
    *out = vec3(values[0], values[1], values[2]);
    return is_good;
}

static bool is_given(const scene_node *node, const char *key) {
    const scene_node *value = cdg_tree_get(node, key);
    return value != NULL && value->kind != SCENE_NOTHING;
}

static bool parse_parts(scene_reader *reader, const scene_node *node, const char *where, cdg_body_def *def) {
    bool is_good = is_given(node, "shape") && parse_body_shape(reader, cdg_tree_get(node, "shape"), where, &def->shape);
    if (is_given(node, "inertia"))
        is_good = parse_inertia(reader, cdg_tree_get(node, "inertia"), &def->inertia) && is_good;
    if (is_given(node, "orientation"))
        is_good = cdg_parse_orientation(reader, cdg_tree_get(node, "orientation"), &def->shape.orientation) && is_good;
    if (is_given(node, "motion")) {
        cdg_motion *motions = NULL;
        is_good =
            cdg_parse_motions(reader, cdg_tree_get(node, "motion"), CDG_SUPPORT_CLAMP, &motions, &def->motion_count) &&
            is_good;
        def->motions = motions;
    }
    return is_good;
}

static void parse_body(scene_reader *reader, const scene_node *node, size_t index) {
    cdg_scene *scene = reader->scene;
    char where[CDG_WHERE_SIZE];
    cdg_reader_where(where, "body", node, index);
    scene_body_flags read = {.def = cdg_body_def_default(), .collides = true};
    read.def.density = 0;
    bool is_good = cdg_read_table(reader, &cdg_schema_body, node, where, &read);
    if (node->kind != SCENE_MAP) return;
    const char *name = cdg_read_name(reader, node, "body");
    cdg_body_def def = read.def;
    def.is_ghost = !read.collides;
    is_good = parse_parts(reader, node, where, &def) && is_good;
    if (!is_good || name == NULL || cdg_storage_has_failed(reader->storage)) return;
    size_t same = cdg_find_body(reader, name, strlen(name));
    if (same != SIZE_MAX) {
        cdg_reader_fault(reader, node, "another body is named '%s' already (line %d); names must differ", name,
                         scene->body_marks[same].line);
        return;
    }
    if (cdg_find_rod(reader, name, strlen(name)) != SIZE_MAX) {
        cdg_reader_fault(reader, node, "a rod is named '%s', too; names of bodies and rods must differ", name);
        return;
    }
    char *own = cdg_storage_copy(reader->storage, name, strlen(name));
    if (own == NULL) return;
    def.name = own;
    // Built once for its faults: a body without mass is told with its line.
    cdg_body built;
    cdg_error error;
    if (cdg_body_build_clean(&def, own, &built, &error) != CDG_OK) {
        cdg_reader_pass_on(reader, node, where, error.message);
        return;
    }
    cdg_body_free(&built);
    cdg_check_density(reader, cdg_tree_get(node, "density"), def.density);
    cdg_check_friction(reader, cdg_tree_get(node, "friction"), def.friction);
    scene->bodies[scene->body_count] = def;
    scene->body_marks[scene->body_count++] = node->mark;
}

void cdg_parse_bodies(scene_reader *reader) {
    const scene_node *list =
        cdg_read_list(reader, "bodies", "{name: disk, shape: {sphere: {radius: 5 cm}}, mass: 1 kg}");
    if (list == NULL) return;
    cdg_scene *scene = reader->scene;
    scene->bodies = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->bodies);
    scene->body_marks = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->body_marks);
    if (cdg_storage_has_failed(reader->storage)) return;
    enum { BODIES_MAX = 10000 };
    if (list->count > BODIES_MAX) {
        cdg_reader_fault(reader, list, "these are more than %d bodies", BODIES_MAX);
        return;
    }
    for (size_t i = 0; i < list->count; i++) parse_body(reader, list->items[i], i);
}

// ---- welds ----------------------------------------------------------------------------------------------------------

static bool refuse_body(scene_reader *reader, const scene_node *node) {
    char quoted[CDG_QUOTE_SIZE];
    const scene_node *all = cdg_tree_get(reader->root, "bodies");
    if (reader->scene->body_count == 0 && all != NULL) return false; // they have faults of their own
    if (node->kind != SCENE_SCALAR)
        return cdg_reader_fault(reader, node, "weld: expected the name of a body, found %s",
                                cdg_tree_describe(node, quoted));
    word_search search = cdg_suggest_begin(node->text, node->length);
    for (size_t i = 0; i < reader->scene->body_count; i++) cdg_suggest_offer(&search, reader->scene->bodies[i].name);
    cdg_quote(quoted, node->text, node->length);
    if (search.best != NULL)
        return cdg_reader_fault(reader, node, "no body is named %s; did you mean '%s'?", quoted, search.best);
    return cdg_reader_fault(reader, node, "no body is named %s; a weld is a list of places and, last, a body", quoted);
}

static bool append_weld(scene_reader *reader, const cdg_weld_def *def, scene_mark mark) {
    cdg_scene *scene = reader->scene;
    size_t count = scene->weld_count;
    cdg_weld_def *welds = cdg_storage_grow(reader->storage, scene->welds, count, sizeof *welds);
    scene_mark *marks = cdg_storage_grow(reader->storage, scene->weld_marks, count, sizeof *marks);
    if (welds == NULL || marks == NULL) return false;
    scene->welds = welds;
    scene->weld_marks = marks;
    welds[count] = *def;
    marks[count] = mark;
    scene->weld_count++;
    return true;
}

void cdg_parse_weld(scene_reader *reader, const scene_node *node, const scene_node *places) {
    char quoted[CDG_QUOTE_SIZE];
    if (places->kind != SCENE_LIST || places->count < 2) {
        cdg_reader_fault(reader, places,
                         "weld: expected a list of places and, last, a body, such as [cable.end, disk], "
                         "found %s",
                         cdg_tree_describe(places, quoted));
        return;
    }
    const scene_node *last = places->items[places->count - 1];
    size_t body = last->kind == SCENE_SCALAR ? cdg_find_body(reader, last->text, last->length) : SIZE_MAX;
    bool is_good = body != SIZE_MAX || refuse_body(reader, last);
    for (size_t i = 0; i + 1 < places->count; i++) {
        cdg_weld_def def = {.body = {(uint32_t)body + 1, 1}};
        if (!cdg_parse_place(reader, places->items[i], "weld", PLACE_NODE, &def.place)) continue;
        if (is_good && !append_weld(reader, &def, node->mark)) return;
    }
}

static bool is_same(cdg_place a, cdg_place b) { return a.rod.index1 == b.rod.index1 && a.index == b.index; }

void cdg_check_welds(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    enum { CHECKED_MAX = 2000 }; // beyond, the world tells when it is built
    for (size_t i = 0; i < scene->weld_count && i < CHECKED_MAX; i++) {
        cdg_place place = scene->welds[i].place;
        const char *rod = scene->rods[place.rod.index1 - 1].name,
                   *body = scene->bodies[scene->welds[i].body.index1 - 1].name;
        scene_node here = {.mark = scene->weld_marks[i]};
        for (size_t k = 0; k < i; k++)
            if (is_same(scene->welds[k].place, place))
                cdg_reader_fault(
                    reader, &here,
                    "node %zu of rod '%s' is welded to '%s' already (line %d) and cannot be welded to '%s', "
                    "too; make the two one body, or weld another node",
                    place.index, rod, scene->bodies[scene->welds[k].body.index1 - 1].name, scene->weld_marks[k].line,
                    body);
        for (size_t k = 0; k < scene->support_count && k < CHECKED_MAX; k++)
            if (is_same(scene->supports[k].place, place))
                cdg_reader_fault(
                    reader, &here,
                    "node %zu of rod '%s' has a support (line %d) and cannot be welded to '%s', too; fix the "
                    "body instead, or remove the support",
                    place.index, rod, scene->support_marks[k].line, body);
    }
}
