// Fields of a rod: the table from the list, and one function a field that measures it.
#include "fields/field.h"

#include <math.h>
#include <string.h>

static const cdg_field_info fields[] = {
#define FIELD(name_text, per_what, axes_kind, components, unit, label_text, vtk, csv, trait_set, text)                 \
    {.name = #name_text,                                                                                               \
     .units = (unit),                                                                                                  \
     .description = (text),                                                                                            \
     .label = (label_text),                                                                                            \
     .entry_name = (vtk),                                                                                              \
     .column = (csv),                                                                                                  \
     .per = (per_what),                                                                                                \
     .axes = (axes_kind),                                                                                              \
     .component_count = (components),                                                                                  \
     .traits = (trait_set)},
    CDG_FIELD_LIST(FIELD)
#undef FIELD
};

cdg_field_info cdg_field_get(cdg_field field) { return fields[field]; }

bool cdg_field_find(const char *name, cdg_field *out) {
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        if (strcmp(fields[i].name, name) != 0) continue;
        *out = (cdg_field)i;
        return true;
    }
    return false;
}

const char *cdg_field_letters(const cdg_field_info *info) {
    switch (info->axes) {
    case CDG_FIELD_WORLD: return "xyz";
    case CDG_FIELD_QUATERNION: return "wxyz";
    case CDG_FIELD_MATERIAL: return info->component_count == 2 ? "12" : "123";
    case CDG_FIELD_SCALAR: break;
    }
    return "";
}

const char *const *cdg_field_component_names(const cdg_field_info *info) {
    static const char *const world[] = {"x", "y", "z"}, *const quaternion[] = {"w", "x", "y", "z"},
                             *const material[] = {"d1", "d2", "d3"};
    switch (info->axes) {
    case CDG_FIELD_WORLD: return world;
    case CDG_FIELD_QUATERNION: return quaternion;
    case CDG_FIELD_MATERIAL: return material;
    case CDG_FIELD_SCALAR: break;
    }
    return NULL;
}

// ---- measuring ------------------------------------------------------------------------------------------------------

static void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static void measure_positions(const cdg_rod *rod, size_t node, double *out) { put(out, rod_vec3(rod->x, node)); }
static void measure_velocities(const cdg_rod *rod, size_t node, double *out) { put(out, rod_vec3(rod->v, node)); }

static void measure_frames(const cdg_rod *rod, size_t element, double *out) {
    for (int k = 0; k < 4; k++) out[k] = rod->q[k][element];
}

static void measure_angular_velocities(const cdg_rod *rod, size_t element, double *out) {
    put(out, rod_vec3(rod->w, element));
}

static void measure_tension(const cdg_rod *rod, size_t element, double *out) {
    out[0] = cdg_rod_section_force(rod, element).z;
}

static void measure_forces(const cdg_rod *rod, size_t element, double *out) {
    put(out, cdg_rod_section_force(rod, element));
}

static void measure_moment(const cdg_rod *rod, size_t node, double *out) {
    put(out, cdg_rod_section_moment(rod, node));
}

static void measure_strains(const cdg_rod *rod, size_t element, double *out) { put(out, cdg_rod_strain(rod, element)); }

static void measure_curvature(const cdg_rod *rod, size_t node, double *out) {
    cdg_rod_measured measured = cdg_rod_is_measured(rod, node);
    cdg_vec3 darboux = cdg_rod_darboux(rod, node);
    out[0] = measured.bending ? darboux.x : NAN;
    out[1] = measured.bending ? darboux.y : NAN;
}

static void measure_twist(const cdg_rod *rod, size_t node, double *out) {
    out[0] = cdg_rod_is_measured(rod, node).twist ? cdg_rod_darboux(rod, node).z : NAN;
}

typedef void measure_function(const cdg_rod *rod, size_t index, double *out);
static measure_function *const measures[] = {
#define MEASURE(name, per, axes, components, unit, label, vtk, csv, traits, text) measure_##name,
    CDG_FIELD_LIST(MEASURE)
#undef MEASURE
};

void cdg_field_measure(cdg_field field, const cdg_rod *rod, size_t index, double *out) {
    measures[field](rod, index, out);
}

void cdg_field_measure_all(cdg_field field, const cdg_rod *rod, double *out) {
    size_t components = fields[field].component_count;
    size_t count = cdg_field_entries(&fields[field], rod->node_count, rod->element_count);
    for (size_t i = 0; i < count; i++) measures[field](rod, i, out + i * components);
}
