// Fields of a rod: the table from the list, and one function a field that measures it.
#include "fields/field.h"

#include "math/interleave.h"
#include "rods/rod_rows.h"

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

// Some nodes or elements, one after the other, with what is measured there for the fields that need it. A field finds
// its components in arrays, the rod's own or those of a measure; what is in none of them it puts into `other`.
typedef struct sample {
    const cdg_rod *rod;
    size_t first, count;
    cdg_node_rows node;
    cdg_element_rows element;
    double other[3][CDG_ROWS];
} sample;

static void find(double *const *arrays, size_t components, size_t first, const double **out) {
    for (size_t k = 0; k < components; k++) out[k] = arrays[k] + first;
}

static void find_rows(double (*rows)[CDG_ROWS], size_t components, const double **out) {
    for (size_t k = 0; k < components; k++) out[k] = rows[k];
}

static void find_positions(sample *at, const double **out) { find(at->rod->x, 3, at->first, out); }
static void find_velocities(sample *at, const double **out) { find(at->rod->v, 3, at->first, out); }
static void find_frames(sample *at, const double **out) { find(at->rod->q, 4, at->first, out); }
static void find_angular_velocities(sample *at, const double **out) { find(at->rod->w, 3, at->first, out); }
static void find_tension(sample *at, const double **out) { out[0] = at->element.force[2]; }
static void find_forces(sample *at, const double **out) { find_rows(at->element.force, 3, out); }
static void find_strains(sample *at, const double **out) { find_rows(at->element.strain, 3, out); }
static void find_moment(sample *at, const double **out) { find_rows(at->node.moment, 3, out); }
static void find_curvature(sample *at, const double **out) { find_rows(at->node.darboux, 2, out); }
static void find_twist(sample *at, const double **out) { out[0] = at->node.darboux[2]; }

static void find_level(sample *at, const double **out) {
    for (size_t i = 0; i < at->count; i++)
        at->other[0][i] = at->rod->adapt != NULL ? at->rod->adapt->level[at->first + i] : 0;
    out[0] = at->other[0];
}

static const cdg_rod_beside *beside(const sample *at, size_t i) {
    static const cdg_rod_beside nothing = {{0, 0, 0}, 0, 0};
    return at->rod->adapt != NULL ? rod_beside(at->rod, at->first + i) : &nothing;
}

static void find_drawn_shift(sample *at, const double **out) {
    for (size_t i = 0; i < at->count; i++) {
        cdg_vec3 shift = beside(at, i)->shift;
        at->other[0][i] = shift.x, at->other[1][i] = shift.y, at->other[2][i] = shift.z;
    }
    find_rows(at->other, 3, out);
}

static void find_drawn_roll(sample *at, const double **out) {
    for (size_t i = 0; i < at->count; i++) at->other[0][i] = beside(at, i)->roll;
    out[0] = at->other[0];
}

static void find_drawn_node_roll(sample *at, const double **out) {
    for (size_t i = 0; i < at->count; i++) at->other[0][i] = beside(at, i)->node_roll;
    out[0] = at->other[0];
}

typedef void find_function(sample *at, const double **out);
static find_function *const finders[] = {
#define FINDER(name, per, axes, components, unit, label, vtk, csv, traits, text) find_##name,
    CDG_FIELD_LIST(FINDER)
#undef FINDER
};

static void take_sample(cdg_field_per per, sample *at) {
    if (per == CDG_FIELD_PER_NODE)
        cdg_rod_node_rows(at->rod, at->first, at->count, &at->node);
    else
        cdg_rod_element_rows(at->rod, at->first, at->count, &at->element);
}

static void put_field(cdg_field field, sample *at, double *out) {
    const double *from[CDG_FIELD_COMPONENTS_MAX] = {NULL};
    finders[field](at, from);
    cdg_interleave(from, fields[field].component_count, at->count, out);
}

void cdg_field_measure(cdg_field field, const cdg_rod *rod, size_t index, double *out) {
    sample at;
    at.rod = rod, at.first = index, at.count = 1;
    if ((fields[field].traits & CDG_FIELD_STATE) == 0) take_sample(fields[field].per, &at);
    put_field(field, &at, out);
}

// Whether any field that is asked for must be measured.
static bool needs_sample(cdg_field_per per, double *const out[CDG_FIELD_COUNT]) {
    for (int f = 0; f < CDG_FIELD_COUNT; f++)
        if (fields[f].per == per && out[f] != NULL && (fields[f].traits & CDG_FIELD_STATE) == 0) return true;
    return false;
}

static void measure_per(cdg_field_per per, const cdg_rod *rod, double *const out[CDG_FIELD_COUNT]) {
    sample at;
    bool is_measured = needs_sample(per, out);
    size_t count = per == CDG_FIELD_PER_NODE ? rod->node_count : rod->element_count;
    at.rod = rod;
    for (at.first = 0; at.first < count; at.first += at.count) {
        at.count = count - at.first < CDG_ROWS ? count - at.first : CDG_ROWS;
        if (is_measured) take_sample(per, &at);
        for (int f = 0; f < CDG_FIELD_COUNT; f++)
            if (fields[f].per == per && out[f] != NULL)
                put_field((cdg_field)f, &at, out[f] + at.first * fields[f].component_count);
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
