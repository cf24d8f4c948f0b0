// The key `rods`: each item becomes a definition.
#include "base/error.h"
#include "math/vec3.h"
#include "rods/rod.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const scene_node *given(const scene_node *map, const char *key) {
    const scene_node *node = cdg_tree_get(map, key);
    return node != NULL && node->kind != SCENE_NOTHING ? node : NULL;
}

// Material, section and stiffness, of which either the first two or the last are given.
static bool parse_build(scene_reader *reader, const scene_node *node, const scene_table *table, const char *where,
                        cdg_rod_def *def) {
    const scene_node *material = given(node, "material"), *section = given(node, "section");
    const scene_node *stiffness = given(node, "stiffness"), *damping = given(node, "damping");
    bool is_good = true;
    char inside[CDG_WHERE_SIZE];
    if (material != NULL) is_good = cdg_find_material(reader, material, where, &def->material);
    if (section != NULL) {
        snprintf(inside, sizeof inside, "the section of %.120s", where);
        is_good = cdg_parse_section(reader, section, inside, def) && is_good;
    }
    if (stiffness != NULL) {
        snprintf(inside, sizeof inside, "the stiffness of %.120s", where);
        is_good = cdg_parse_stiffness(reader, stiffness, inside, &def->stiffness) && is_good;
        def->has_stiffness = true;
        if (section != NULL) {
            is_good = cdg_reader_fault(
                reader, cdg_tree_get_key(node, "stiffness"),
                "%s has both section and stiffness; keep one (stiffness has a radius of its own)", where);
        }
    } else if (!cdg_read_means(node, table, "section") && !cdg_read_means(node, table, "stiffness")) {
        is_good = cdg_reader_fault(reader, node,
                                   "%s has no section; add for example 'section: {circle: {radius: 2 mm}}'", where);
    }
    if (stiffness == NULL && !cdg_read_means(node, table, "material")) {
        is_good = cdg_reader_fault(reader, node,
                                   "%s has no material; add for example 'material: {young_modulus: 1 MPa, "
                                   "density: 1100 kg/m^3}'",
                                   where);
    }
    if (damping != NULL) is_good = cdg_parse_damping(reader, damping, where, &def->material) && is_good;
    return is_good;
}

static bool parse_rest(scene_reader *reader, const scene_node *node, const scene_node *closed, const char *where,
                       double rope_radius, cdg_rest *out) {
    if (cdg_tree_is_word(node, "straight")) {
        out->kind = CDG_REST_STRAIGHT;
        return true;
    }
    if (cdg_tree_is_word(node, "initial")) {
        out->kind = CDG_REST_INITIAL;
        return true;
    }
    char inside[CDG_WHERE_SIZE], quoted[CDG_QUOTE_SIZE];
    if (node->kind != SCENE_MAP) {
        return cdg_reader_fault(reader, node,
                                "rest: expected straight, initial, {curvature: [3 1/m, 0], twist: 0} or "
                                "{centerline: ...}, found %s",
                                cdg_tree_describe(node, quoted));
    }
    snprintf(inside, sizeof inside, "the rest shape of %.120s", where);
    if (!cdg_read_table(reader, &cdg_schema_rest, node, inside, out)) return false;
    const scene_node *centerline = given(node, "centerline"), *roll = cdg_tree_get_key(node, "roll");
    if (centerline == NULL) {
        if (roll != NULL) return cdg_reader_fault(reader, roll, "roll in rest goes with centerline only");
        out->kind = CDG_REST_CURVATURE;
        return true;
    }
    for (int i = 0; i < 2; i++) {
        const scene_node *other = cdg_tree_get_key(node, i == 0 ? "curvature" : "twist");
        if (other != NULL) return cdg_reader_fault(reader, other, "rest has either centerline or curvature and twist");
    }
    out->kind = CDG_REST_CENTERLINE;
    snprintf(inside, sizeof inside, "the rest centerline of %.120s", where);
    return cdg_parse_centerline(reader, centerline, closed, inside, rope_radius, &out->centerline);
}

static bool check_rest(scene_reader *reader, const scene_node *node, const char *where, const cdg_rod_def *def) {
    if (def->rest.kind != CDG_REST_CENTERLINE) return true;
    const scene_node *blamed = cdg_tree_get(cdg_tree_get(node, "rest"), "centerline");
    bool is_closed = cdg_centerline_is_closed(&def->centerline);
    if (cdg_centerline_is_closed(&def->rest.centerline) != is_closed) {
        return cdg_reader_fault(reader, blamed, "%s is %s, but its rest centerline is %s; both must be the same", where,
                                is_closed ? "closed" : "open", is_closed ? "open" : "closed");
    }
    double length, rest_length;
    cdg_error error;
    if (cdg_centerline_length(&def->centerline, &length, &error) != CDG_OK ||
        cdg_centerline_length(&def->rest.centerline, &rest_length, &error) != CDG_OK) {
        return cdg_reader_pass_on(reader, blamed, where, error.message);
    }
    double stretch = length / rest_length - 1;
    if (fabs(stretch) > 0.02) {
        cdg_reader_warn(reader, blamed,
                        "%s starts %.3g %% %s than its rest centerline (%.4g m against %.4g m): it will pull "
                        "itself to that length at once",
                        where, 100 * fabs(stretch), stretch > 0 ? "longer" : "shorter", length, rest_length);
    }
    return true;
}

static bool check_elements(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *def) {
    const scene_node *elements = given(node, "elements");
    bool is_closed = cdg_centerline_is_closed(&def->centerline);
    if (elements == NULL && def->centerline.kind == CDG_CENTERLINE_POLYLINE) {
        def->element_count = def->centerline.points.count - (is_closed ? 0 : 1);
    }
    if (def->centerline.kind == CDG_CENTERLINE_TIED) {
        size_t least;
        cdg_error error;
        if (cdg_centerline_least_elements(&def->centerline, &least, &error) != CDG_OK) {
            return cdg_reader_pass_on(reader, node, where, error.message);
        }
        least = ((least - 1) >> cdg_adapt_start_levels(def)) + 1;
        if (elements == NULL) def->element_count = least;
        if (def->element_count < least) {
            return cdg_reader_fault(reader, elements,
                                    "%s has %zu elements, but its knot needs %zu or its strands would come too near "
                                    "each other; leave 'elements' out to have as many as it needs",
                                    where, def->element_count, least);
        }
    }
    const scene_node *blamed = elements != NULL ? elements : node;
    if (is_closed && def->element_count < 3) {
        return cdg_reader_fault(reader, blamed, "%s is closed and needs at least 3 elements; it has %zu", where,
                                def->element_count);
    }
    if (def->element_count > CDG_SCENE_ELEMENTS_MAX) {
        return cdg_reader_fault(reader, blamed, "%s has %zu elements; at most %d are possible: say fewer by 'elements'",
                                where, def->element_count, CDG_SCENE_ELEMENTS_MAX);
    }
    reader->element_total += def->element_count;
    if (reader->element_total > CDG_SCENE_ALL_ELEMENTS_MAX) {
        return cdg_reader_fault(reader, blamed, "the rods up to here have more than %d elements together",
                                CDG_SCENE_ALL_ELEMENTS_MAX);
    }
    return true;
}

bool cdg_parse_nature(scene_reader *reader, const scene_node *node, const scene_table *table, const char *where,
                      cdg_rod_def *def) {
    cdg_scene *scene = reader->scene;
    def->model = scene->model;
    bool is_good = true;
    const scene_node *model = given(node, "model");
    if (model != NULL) is_good = cdg_parse_model(reader, model, &def->model);
    is_good = cdg_parse_options(reader, node, where, def) && is_good;
    return parse_build(reader, node, table, where, def) && is_good;
}

static bool parse_rod(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *def) {
    *def = cdg_rod_def_default();
    def->name = "";
    def->model = reader->scene->model;
    if (!cdg_read_table(reader, &cdg_schema_rod, node, where, def) && node->kind != SCENE_MAP) return false;
    const char *name = cdg_read_name(reader, node, "rod");
    if (name != NULL) def->name = name;
    bool is_good = cdg_parse_nature(reader, node, &cdg_schema_rod, where, def) && name != NULL;
    def->adapt = reader->scene->adapt;
    is_good = cdg_parse_adapt(reader, node, where, &def->adapt) && is_good;

    char inside[CDG_WHERE_SIZE];
    const scene_node *normal = given(node, "normal"), *rest = given(node, "rest");
    const scene_node *centerline = given(node, "centerline"), *closed = given(node, "closed");
    bool has_curve = false;
    bool has_section = given(node, "section") != NULL || given(node, "stiffness") != NULL;
    double rope_radius = has_section ? cdg_section_radius(def) : 0;
    if (centerline != NULL) {
        snprintf(inside, sizeof inside, "the centerline of %.120s", where);
        has_curve = cdg_parse_centerline(reader, centerline, closed, inside, rope_radius, &def->centerline);
    }
    bool has_rest = rest == NULL || parse_rest(reader, rest, closed, where, rope_radius, &def->rest);
    if (normal != NULL) {
        cdg_vec3 *direction = cdg_storage_allocate(reader->storage, 1, sizeof *direction);
        if (direction == NULL) return false;
        is_good = cdg_read_direction(reader, normal, "normal", direction) && is_good;
        def->initial_normal = direction;
    }
    if (has_curve) {
        is_good = check_elements(reader, node, where, def) && is_good;
        if (has_rest) is_good = check_rest(reader, node, where, def) && is_good;
    }
    return is_good && has_curve && has_rest;
}

static int compare_names(const void *a, const void *b) {
    const named_rod *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

// Sorts the names for looking up, and finds equal ones.
static void sort_names(scene_reader *reader) {
    cdg_scene *scene = reader->scene;
    named_rod *names = cdg_storage_allocate(reader->storage, scene->rod_count, sizeof *names);
    const scene_node *said = NULL;
    if (names == NULL) return;
    reader->rod_names = names;
    for (size_t i = 0; i < scene->rod_count; i++) names[i] = (named_rod){scene->rods[i].name, i};
    qsort(names, scene->rod_count, sizeof *names, compare_names);
    for (size_t i = 1; i < scene->rod_count; i++) {
        if (names[i].name[0] == '\0' || strcmp(names[i - 1].name, names[i].name) != 0) continue;
        const scene_node *node = reader->rod_nodes[names[i].index], *blamed = cdg_tree_get(node, "name");
        if (node == said) continue; // of a structure, one is enough
        said = node;
        cdg_reader_fault(reader, blamed, "another rod is named '%s' already (line %d); names must differ",
                         names[i].name, scene->rod_marks[names[i - 1].index].line);
    }
}

static void parse_listed(scene_reader *reader, const scene_node *list) {
    cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < list->count; i++) {
        char where[CDG_WHERE_SIZE];
        const scene_node *node = list->items[i];
        cdg_reader_where(where, "rod", node, i);
        size_t faults = reader->diagnostics->fault_count;
        bool is_good = parse_rod(reader, node, where, &scene->rods[i]);
        scene->rod_marks[i] = node->mark;
        reader->rod_nodes[i] = node;
        scene->rod_count = i + 1;
        reader->rod_is_good[i] = is_good && reader->diagnostics->fault_count == faults;
        if (reader->rod_is_good[i]) cdg_check_rod(reader, node, where, &scene->rods[i]);
    }
}

// The rods that structures became; one of each is looked at as a listed rod is.
static void append_expanded(scene_reader *reader, const scene_node *list) {
    cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->structure_count; i++) {
        const cdg_structure *structure = scene->structures[i];
        const scene_node *node = list->items[reader->structure_items[i]];
        char where[CDG_WHERE_SIZE];
        cdg_reader_where(where, "structure", node, reader->structure_items[i]);
        for (size_t k = 0; k < structure->rod_count; k++) {
            scene->rods[scene->rod_count] = structure->rods[k];
            scene->rod_marks[scene->rod_count] = node->mark;
            reader->rod_nodes[scene->rod_count] = node;
            reader->rod_is_good[scene->rod_count] = true;
            scene->rod_count++;
        }
        if (structure->rod_count > 0) cdg_check_rod(reader, node, where, &structure->rods[0]);
    }
}

// The same for guides.
static void append_guides(scene_reader *reader, const scene_node *list) {
    cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->strands_count; i++) {
        const cdg_strands *strands = scene->strands[i];
        const scene_node *node = list->items[reader->strands_items[i]];
        char where[CDG_WHERE_SIZE];
        cdg_reader_where(where, "strands", node, reader->strands_items[i]);
        for (size_t k = 0; k < strands->rod_count; k++) {
            scene->rods[scene->rod_count] = strands->rods[k];
            scene->rod_marks[scene->rod_count] = node->mark;
            reader->rod_nodes[scene->rod_count] = node;
            reader->rod_is_good[scene->rod_count] = true;
            scene->rod_count++;
        }
        cdg_check_rod(reader, node, where, &strands->rods[0]);
    }
}

static size_t items_of(const scene_node *list) { return list != NULL ? list->count : 0; }

// A scene without anything to simulate.
static void check_presence(scene_reader *reader, const scene_node *list, const scene_node *structures,
                           const scene_node *strands) {
    static const char *const others[] = {"structures", "strands"};
    const scene_node *lists[] = {structures, strands}, *solids = cdg_tree_get(reader->root, "solids");
    bool has_other = solids != NULL && solids->kind == SCENE_LIST && solids->count > 0;
    for (int i = 0; i < 2; i++) has_other = has_other || cdg_tree_get(reader->root, others[i]) != NULL;
    if (!has_other) {
        bool is_meant = cdg_read_means(reader->root, &cdg_schema_scene, "rods");
        for (int i = 0; i < 2; i++) is_meant = is_meant || cdg_read_means(reader->root, &cdg_schema_scene, others[i]);
        if (list == NULL && !is_meant)
            cdg_reader_fault(
                reader, reader->root,
                "the scene has no rods; add for example 'rods: [{name: cable, ...}]', or structures, strands or "
                "solids");
        if (list != NULL && list->count == 0)
            cdg_reader_fault(reader, list, "rods is empty; a scene needs at least one rod");
    }
    if (items_of(list) + items_of(structures) + items_of(strands) > 0) return;
    for (int i = 0; i < 2; i++)
        if (lists[i] != NULL) cdg_reader_fault(reader, lists[i], "%s is empty, and there are no rods", others[i]);
}

void cdg_parse_rods(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "rods", "name: cable");
    const scene_node *structures = cdg_read_list(reader, "structures", "name: web");
    const scene_node *strands = cdg_read_list(reader, "strands", "name: tress");
    cdg_scene *scene = reader->scene;
    check_presence(reader, list, structures, strands);
    cdg_parse_structures(reader, structures);
    cdg_parse_strands(reader, strands);
    size_t count = items_of(list);
    for (size_t i = 0; i < scene->structure_count; i++) count += scene->structures[i]->rod_count;
    for (size_t i = 0; i < scene->strands_count; i++) count += scene->strands[i]->rod_count;
    if (count == 0) return;
    scene->rods = cdg_storage_allocate(reader->storage, count, sizeof *scene->rods);
    scene->rod_marks = cdg_storage_allocate(reader->storage, count, sizeof *scene->rod_marks);
    reader->rod_is_good = cdg_storage_allocate(reader->storage, count, sizeof *reader->rod_is_good);
    reader->rod_has_middle = cdg_storage_allocate(reader->storage, count, sizeof *reader->rod_has_middle);
    reader->rod_nodes = cdg_storage_allocate(reader->storage, count, sizeof *reader->rod_nodes);
    if (cdg_storage_has_failed(reader->storage)) return;
    if (list != NULL) parse_listed(reader, list);
    if (structures != NULL) append_expanded(reader, structures);
    if (strands != NULL) append_guides(reader, strands);
    sort_names(reader);
}
