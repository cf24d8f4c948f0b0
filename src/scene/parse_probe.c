// The key `probes`: what is measured at every output.
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
#define PROBE_NAME(id, name, text, columns) name,
    CDG_PROBE_LIST(PROBE_NAME)
#undef PROBE_NAME
        NULL};

static place_need need_of(cdg_probe_kind kind) {
    switch (kind) {
    case CDG_PROBE_POSITION:
    case CDG_PROBE_VELOCITY: return PLACE_EITHER;
    case CDG_PROBE_FRAME:
    case CDG_PROBE_ANGULAR_VELOCITY:
    case CDG_PROBE_TENSION:
    case CDG_PROBE_FORCE: return PLACE_ELEMENT;
    case CDG_PROBE_LINKING:
    case CDG_PROBE_KNOT:
    case CDG_PROBE_ENERGY:
    case CDG_PROBE_CONTACTS:
    case CDG_PROBE_CONTACT_FORCE:
    case CDG_PROBE_WRITHE:
    case CDG_PROBE_BEND_RADIUS:
    case CDG_PROBE_TENSION_RANGE:
    case CDG_PROBE_MOMENT_RANGE:
    case CDG_PROBE_LENGTH: return PLACE_ROD;
    default: return PLACE_NODE;
    }
}

static bool is_for_bodies(cdg_probe_kind kind) {
    return kind == CDG_PROBE_POSITION || kind == CDG_PROBE_VELOCITY || kind == CDG_PROBE_FRAME ||
           kind == CDG_PROBE_ANGULAR_VELOCITY || kind == CDG_PROBE_ENERGY;
}

// Whether a body can be measured so, and the node names one.
static bool names_body(const scene_reader *reader, cdg_probe_kind kind, const scene_node *node, cdg_body_id *out) {
    if (!is_for_bodies(kind) || node->kind != SCENE_SCALAR) return false;
    size_t body = cdg_find_body(reader, node->text, node->length);
    if (body == SIZE_MAX) return false;
    *out = (cdg_body_id){(uint32_t)body + 1, 1};
    return true;
}

static bool is_for_solids(cdg_probe_kind kind) {
    return kind == CDG_PROBE_POSITION || kind == CDG_PROBE_VELOCITY || kind == CDG_PROBE_ENERGY ||
           kind == CDG_PROBE_REACTION || kind == CDG_PROBE_CONTACTS || kind == CDG_PROBE_CONTACT_FORCE ||
           kind == CDG_PROBE_VOLUME || kind == CDG_PROBE_STRESS;
}
static bool is_for_solids_alone(cdg_probe_kind kind) { return kind == CDG_PROBE_VOLUME || kind == CDG_PROBE_STRESS; }
static bool is_at_places(cdg_probe_kind kind) {
    return kind == CDG_PROBE_POSITION || kind == CDG_PROBE_VELOCITY || kind == CDG_PROBE_STRESS;
}

static bool names_solid(const scene_reader *reader, cdg_probe_kind kind, const scene_node *node, cdg_solid_id *out) {
    if (!is_for_solids(kind) || node == NULL || node->kind != SCENE_SCALAR) return false;
    for (size_t i = 0; i < reader->scene->solid_count; i++) {
        const char *name = reader->scene->solids[i].def.name;
        if (strlen(name) != node->length || memcmp(name, node->text, node->length) != 0) continue;
        *out = (cdg_solid_id){(uint32_t)i + 1, 1};
        return true;
    }
    return false;
}

// A solid or a body that the scene has, but that could not be read.
static bool names_faulty(const scene_reader *reader, const char *kind, const scene_node *node) {
    const scene_node *list = cdg_tree_get(reader->root, kind);
    if (node == NULL || node->kind != SCENE_SCALAR || list == NULL || list->kind != SCENE_LIST) return false;
    for (size_t i = 0; i < list->count; i++) {
        const scene_node *name = cdg_tree_get(list->items[i], "name");
        if (name != NULL && cdg_tree_is_word(name, node->text)) return reader->diagnostics->fault_count > 0;
    }
    return false;
}

static bool parse_body_place(scene_reader *reader, const scene_node *body, cdg_probe *out) {
    char quoted[CDG_QUOTE_SIZE];
    const char *label = kind_names[out->kind];
    if (out->kind == CDG_PROBE_STRESS)
        return cdg_reader_fault(reader, body, "stress: bodies are rigid and have none; name a solid");
    if (names_body(reader, out->kind, body, &out->place.body)) return true;
    if (names_faulty(reader, "bodies", body)) return false; // told there
    return cdg_reader_fault(reader, body, "%s: no body is named %s", label, cdg_tree_describe(body, quoted));
}

// {solid: pad, at: [0, 0, 1 cm]} or {body: ball, at: [0, 0, 1 cm]}.
static bool parse_point(scene_reader *reader, const scene_node *node, cdg_probe *out) {
    static const char *const owners[] = {"solid", "body", NULL};
    char quoted[CDG_QUOTE_SIZE];
    const char *label = kind_names[out->kind];
    if (!cdg_read_table(reader, &cdg_schema_probe_place, node, label, out)) return false;
    int owner = cdg_read_one_of(reader, node, &cdg_schema_probe_place, label, owners);
    if (owner < 0) return false;
    const scene_node *name = cdg_tree_get(node, owners[owner]);
    out->place.kind = CDG_PLACE_POINT;
    if (owner == 1) return parse_body_place(reader, name, out);
    if (names_solid(reader, out->kind, name, &out->place.solid)) return true;
    if (names_faulty(reader, "solids", name)) return false; // told there
    return cdg_reader_fault(reader, name, "%s: no solid is named %s", label, cdg_tree_describe(name, quoted));
}

static bool is_supported(const scene_reader *reader, cdg_place place) {
    for (size_t i = 0; i < reader->scene->support_count; i++) {
        cdg_place held = reader->scene->supports[i].place;
        if (held.rod.index1 == place.rod.index1 && held.index == place.index) return true;
    }
    for (size_t i = 0; i < reader->scene->weld_count; i++) {
        cdg_place held = reader->scene->welds[i].place;
        if (held.rod.index1 == place.rod.index1 && held.index == place.index) return true;
    }
    for (size_t i = 0; i < reader->scene->tie_count; i++) {
        cdg_place held = reader->scene->ties[i].place;
        if (held.rod.index1 == place.rod.index1 && held.index == place.index) return true;
    }
    return false;
}

// [ring_1, ring_2]: two closed rods.
static bool parse_link(scene_reader *reader, const scene_node *node, cdg_probe *out) {
    const char *label = kind_names[CDG_PROBE_LINKING];
    if (node->kind != SCENE_LIST || node->count != 2) {
        char quoted[CDG_QUOTE_SIZE];
        return cdg_reader_fault(reader, node, "%s: expected two closed rods such as [ring_1, ring_2], found %s", label,
                                cdg_tree_describe(node, quoted));
    }
    cdg_place places[2] = {0};
    bool is_good = true;
    for (int k = 0; k < 2; k++) {
        bool is_rod = cdg_parse_place(reader, node->items[k], label, PLACE_ROD, &places[k]);
        uint32_t rod = places[k].rod.index1;
        is_good = is_good && is_rod;
        if (!is_rod || rod == 0 || !reader->rod_is_good[rod - 1]) continue;
        const cdg_rod_def *def = &reader->scene->rods[rod - 1];
        if (!cdg_centerline_is_closed(&def->centerline))
            is_good = cdg_reader_fault(reader, node->items[k], "%s: rod '%s' is open; only closed rods are linked",
                                       label, def->name);
    }
    if (is_good && places[0].rod.index1 == places[1].rod.index1)
        return cdg_reader_fault(reader, node, "%s: a rod is not linked with itself; name two", label);
    out->place = places[0];
    out->other = places[1].rod;
    return is_good;
}

// Whether all supports could be read, so that a missing one is truly missing.
static bool knows_supports(const scene_reader *reader) { return reader->diagnostics->fault_count == 0; }

static const char of_rods[] =
    "; of rods measure 'tension', 'moment', 'curvature' or 'twist', from which stress follows";

// What is measured: all, a body, a solid or a place in one, two rods, a rod or a place on one.
static bool parse_target(scene_reader *reader, const scene_node *node, cdg_probe *out) {
    char quoted[CDG_QUOTE_SIZE];
    cdg_probe_kind kind = out->kind;
    if (kind == CDG_PROBE_LINKING) return parse_link(reader, node, out);
    if (node->kind == SCENE_MAP && is_at_places(kind)) return parse_point(reader, node, out);
    bool is_all = (kind == CDG_PROBE_ENERGY || kind == CDG_PROBE_CONTACTS) && cdg_tree_is_word(node, "all");
    bool is_whole =
        names_body(reader, kind, node, &out->place.body) || names_solid(reader, kind, node, &out->place.solid);
    if (is_whole) out->place.kind = CDG_PLACE_WHOLE;
    if (is_all || is_whole) return true;
    bool is_told = (is_for_solids(kind) && names_faulty(reader, "solids", node)) ||
                   (is_for_bodies(kind) && names_faulty(reader, "bodies", node));
    if (is_told) return false;
    if (is_for_solids_alone(kind))
        return cdg_reader_fault(reader, node, "%s: no solid is named %s%s", kind_names[kind],
                                cdg_tree_describe(node, quoted), kind == CDG_PROBE_STRESS ? of_rods : "");
    return cdg_parse_place(reader, node, kind_names[kind], need_of(kind), &out->place);
}

static void parse_probe(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE], quoted[CDG_QUOTE_SIZE];
    cdg_reader_where(where, "probe", node, index);
    cdg_scene *scene = reader->scene;
    size_t faults = reader->diagnostics->fault_count;
    cdg_read_table(reader, &cdg_schema_probe, node, where, NULL);
    if (node->kind != SCENE_MAP) return;
    const char *name = cdg_read_name(reader, node, "probe");
    // A key of a later version was meant as the kind.
    bool is_later = false;
    for (size_t i = 0; i < node->count; i++) {
        const scene_key *key = cdg_schema_find(&cdg_schema_probe, node->keys[i]->text, node->keys[i]->length);
        is_later = is_later || (key != NULL && key->type == SCENE_TYPE_LATER);
    }
    if (is_later) return;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_probe, where, kind_names);
    if (kind < 0) return;
    const scene_node *place_node = cdg_tree_get(node, kind_names[kind]);
    if (place_node->kind == SCENE_NOTHING) return; // reported with the table
    scene_probe *probe = &scene->probes[scene->probe_count];
    *probe = (scene_probe){.probe.kind = (cdg_probe_kind)kind};
    if (!parse_target(reader, place_node, &probe->probe)) return;
    bool is_rod = probe->probe.place.solid.index1 == 0;
    if (is_rod && kind == CDG_PROBE_REACTION && knows_supports(reader) && !is_supported(reader, probe->probe.place)) {
        cdg_reader_fault(reader, place_node, "reaction: nothing holds %s; a reaction is what a support exerts there",
                         cdg_tree_describe(place_node, quoted));
        return;
    }
    if (kind == CDG_PROBE_CONTACT_FORCE && scene->contact.shock_height > 0)
        cdg_reader_warn(
            reader, place_node,
            "with 'shock_propagation' forces between rods are those of lighter masses, under a high stack a "
            "tenth of what they are; measure them in a run without it");
    if (name == NULL || reader->diagnostics->fault_count != faults) return;
    probe->name = cdg_storage_copy(reader->storage, name, strlen(name));
    if (probe->name == NULL) return;
    scene->probe_marks[scene->probe_count++] = node->mark;
}

typedef struct named_probe {
    const char *name;
    size_t index;
} named_probe;

static int compare_names(const void *a, const void *b) {
    const named_probe *x = a, *y = b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->index > y->index) - (x->index < y->index);
}

static void report_same_names(scene_reader *reader) {
    const cdg_scene *scene = reader->scene;
    if (scene->probe_count < 2) return;
    named_probe *names = cdg_storage_allocate(reader->storage, scene->probe_count, sizeof *names);
    if (names == NULL) return;
    for (size_t i = 0; i < scene->probe_count; i++) names[i] = (named_probe){scene->probes[i].name, i};
    qsort(names, scene->probe_count, sizeof *names, compare_names);
    for (size_t i = 1; i < scene->probe_count; i++) {
        if (strcmp(names[i - 1].name, names[i].name) != 0) continue;
        scene_node blamed = {.mark = scene->probe_marks[names[i].index]};
        cdg_reader_fault(reader, &blamed, "another probe is named '%s' already (line %d); names must differ",
                         names[i].name, scene->probe_marks[names[i - 1].index].line);
    }
}

void cdg_parse_probes(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "probes", "{name: tip, position: cable.end}");
    if (list == NULL) return;
    cdg_scene *scene = reader->scene;
    scene->probes = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->probes);
    scene->probe_marks = cdg_storage_allocate(reader->storage, list->count, sizeof *scene->probe_marks);
    if (cdg_storage_has_failed(reader->storage)) return;
    for (size_t i = 0; i < list->count; i++) parse_probe(reader, list->items[i], i);
    report_same_names(reader);
}
