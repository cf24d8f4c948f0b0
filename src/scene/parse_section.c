// The keys `section` and `stiffness` of a rod.
#include "base/error.h"
#include "math/vec3.h"
#include "scene/reader.h"

#include <stdio.h>
#include <string.h>

static const char *const kind_names[] = {
#define SECTION_NAME(id, name) name,
    CDG_SECTION_LIST(SECTION_NAME)
#undef SECTION_NAME
        NULL};
// In the order of CDG_SECTION_LIST.
static const scene_table *const kind_tables[CDG_SECTION_KIND_COUNT] = {&cdg_schema_circle, &cdg_schema_ellipse,
                                                                       &cdg_schema_rectangle, &cdg_schema_tube};

static bool parse_one(scene_reader *reader, const scene_node *node, const char *where, cdg_section *out) {
    if (!cdg_read_table(reader, &cdg_schema_section, node, where, NULL)) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_section, where, kind_names);
    if (kind < 0) return false;
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "%s in %.120s", kind_names[kind], where);
    *out = cdg_section_default();
    out->kind = (cdg_section_kind)kind;
    const scene_node *shape = cdg_tree_get(node, kind_names[kind]);
    if (!cdg_read_table(reader, kind_tables[kind], shape, inside, out)) return false;
    if (out->kind == CDG_SECTION_TUBE && out->inner_radius >= out->radius) {
        return cdg_reader_fault(reader, cdg_tree_get(shape, "inner_radius"),
                                "inner_radius (%g m) must be less than radius (%g m)", out->inner_radius, out->radius);
    }
    cdg_section_properties properties;
    cdg_error error;
    // Poisson's ratio only enters the shear factors, which are not looked at here.
    if (cdg_section_compute(out, 0.3, &properties, &error) != CDG_OK) {
        return cdg_reader_pass_on(reader, shape, where, error.message);
    }
    return true;
}

bool cdg_parse_section(scene_reader *reader, const scene_node *node, const char *where, cdg_rod_def *out) {
    if (!parse_one(reader, node, where, &out->section)) return false;
    out->section_end = out->section;
    const scene_node *end = cdg_tree_get(node, "end");
    if (end == NULL) return true;
    if (cdg_tree_get(end, "end") != NULL) {
        return cdg_reader_fault(reader, cdg_tree_get_key(end, "end"), "the end of %s has no end of its own; remove it",
                                where);
    }
    char inside[CDG_WHERE_SIZE];
    snprintf(inside, sizeof inside, "the end of %.120s", where);
    if (!parse_one(reader, end, inside, &out->section_end)) return false;
    if (out->section_end.kind != out->section.kind) {
        return cdg_reader_fault(reader, end, "%s is a %s, but the section is a %s; both must be of one kind", inside,
                                kind_names[out->section_end.kind], kind_names[out->section.kind]);
    }
    out->is_tapered = true;
    return true;
}

bool cdg_parse_stiffness(scene_reader *reader, const scene_node *node, const char *where, cdg_stiffness *out) {
    *out = (cdg_stiffness){0};
    if (!cdg_read_table(reader, &cdg_schema_stiffness, node, where, out)) return false;
    if (cdg_tree_get(node, "shear") == NULL) out->shear[0] = out->shear[1] = out->stretch;
    // For a homogeneous section I/A = (E I)/(E A), and rho I = (rho A) I/A.
    if (cdg_tree_get(node, "inertia") == NULL) {
        out->inertia[0] = out->mass * (out->bend[0] / out->stretch);
        out->inertia[1] = out->mass * (out->bend[1] / out->stretch);
        out->inertia[2] = out->inertia[0] + out->inertia[1];
    }
    // A circle has I/A = r^2/4.
    if (cdg_tree_get(node, "radius") == NULL) out->radius = 2 * sqrt(fmax(out->bend[0], out->bend[1]) / out->stretch);
    // Rotary inertia and radius of a real section are far from the limits of a double: only nonsense gets there.
    bool is_sound = out->radius > 0 && isfinite(out->radius);
    for (int i = 0; i < 3; i++) is_sound = is_sound && out->inertia[i] > 0 && isfinite(out->inertia[i]);
    if (!is_sound) {
        return cdg_reader_fault(reader, node, "%s: stretch and bend do not belong together (radius %g m from them)",
                                where, out->radius);
    }
    return true;
}
