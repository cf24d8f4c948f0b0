// Fields of a rod: the table from the list, and one function a field that measures it.
#include "fields/field.h"

#include "rods/rod_strain.h"

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

// A node or an element with what is measured there, for the fields that need it.
typedef struct sample {
    const cdg_rod *rod;
    size_t index;
    cdg_node_measure node;
    cdg_element_measure element;
} sample;

static void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static void measure_positions(const sample *at, double *out) { put(out, rod_vec3(at->rod->x, at->index)); }
static void measure_velocities(const sample *at, double *out) { put(out, rod_vec3(at->rod->v, at->index)); }

static void measure_frames(const sample *at, double *out) {
    for (int k = 0; k < 4; k++) out[k] = at->rod->q[k][at->index];
}

static void measure_angular_velocities(const sample *at, double *out) { put(out, rod_vec3(at->rod->w, at->index)); }
static void measure_tension(const sample *at, double *out) { out[0] = at->element.force.z; }
static void measure_forces(const sample *at, double *out) { put(out, at->element.force); }
static void measure_strains(const sample *at, double *out) { put(out, at->element.strain); }

static void measure_moment(const sample *at, double *out) {
    put(out, cdg_rod_moment_of(at->rod, at->index, at->node.strain));
}

static void measure_curvature(const sample *at, double *out) {
    out[0] = at->node.measured.bending ? at->node.darboux.x : NAN;
    out[1] = at->node.measured.bending ? at->node.darboux.y : NAN;
}

static void measure_twist(const sample *at, double *out) {
    out[0] = at->node.measured.twist ? at->node.darboux.z : NAN;
}

static void measure_level(const sample *at, double *out) {
    out[0] = at->rod->adapt != NULL ? at->rod->adapt->level[at->index] : 0;
}

static void measure_drawn_shift(const sample *at, double *out) {
    put(out, at->rod->adapt != NULL ? rod_beside(at->rod, at->index)->shift : vec3(0, 0, 0));
}

static void measure_drawn_roll(const sample *at, double *out) {
    out[0] = at->rod->adapt != NULL ? rod_beside(at->rod, at->index)->roll : 0;
}

static void measure_drawn_node_roll(const sample *at, double *out) {
    out[0] = at->rod->adapt != NULL ? rod_beside(at->rod, at->index)->node_roll : 0;
}

typedef void measure_function(const sample *at, double *out);
static measure_function *const measures[] = {
#define MEASURE(name, per, axes, components, unit, label, vtk, csv, traits, text) measure_##name,
    CDG_FIELD_LIST(MEASURE)
#undef MEASURE
};

static void take_sample(cdg_field_per per, const cdg_rod *rod, size_t index, sample *out) {
    out->index = index;
    if (per == CDG_FIELD_PER_NODE) {
        cdg_rod_measure_node(rod, index, &out->node);
    } else {
        cdg_rod_measure_element(rod, index, &out->element);
    }
}

void cdg_field_measure(cdg_field field, const cdg_rod *rod, size_t index, double *out) {
    sample at = {.rod = rod, .index = index};
    if ((fields[field].traits & CDG_FIELD_STATE) == 0) take_sample(fields[field].per, rod, index, &at);
    measures[field](&at, out);
}

// Whether any field that is asked for must be measured.
static bool needs_sample(cdg_field_per per, double *const out[CDG_FIELD_COUNT]) {
    for (int f = 0; f < CDG_FIELD_COUNT; f++)
        if (fields[f].per == per && out[f] != NULL && (fields[f].traits & CDG_FIELD_STATE) == 0) return true;
    return false;
}

static void measure_per(cdg_field_per per, const cdg_rod *rod, double *const out[CDG_FIELD_COUNT]) {
    sample at = {.rod = rod};
    bool is_measured = needs_sample(per, out);
    size_t count = per == CDG_FIELD_PER_NODE ? rod->node_count : rod->element_count;
    for (size_t i = 0; i < count; i++) {
        at.index = i;
        if (is_measured) take_sample(per, rod, i, &at);
        for (int f = 0; f < CDG_FIELD_COUNT; f++)
            if (fields[f].per == per && out[f] != NULL) measures[f](&at, out[f] + i * fields[f].component_count);
    }
}

void cdg_field_measure_rod(const cdg_rod *rod, double *const out[CDG_FIELD_COUNT]) {
    measure_per(CDG_FIELD_PER_NODE, rod, out);
    measure_per(CDG_FIELD_PER_ELEMENT, rod, out);
}

void cdg_field_measure_all(cdg_field field, const cdg_rod *rod, double *out) {
    double *only[CDG_FIELD_COUNT] = {NULL};
    only[field] = out;
    measure_per(fields[field].per, rod, only);
}
