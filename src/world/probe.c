// Probes: column titles from the one list, and the numbers behind them.
#include "math/quat.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

// ---- columns --------------------------------------------------------------------------------------------------------

static const char *probe_columns(cdg_probe_kind kind) {
    switch (kind) {
#define PROBE_CASE(name, key, text, columns)                                                                           \
    case name: return columns;
        CDG_PROBE_LIST(PROBE_CASE)
#undef PROBE_CASE
    case CDG_PROBE_KIND_COUNT: break;
    }
    return "";
}

size_t cdg_probe_column_count(cdg_probe_kind kind) {
    const char *columns = probe_columns(kind);
    size_t count = columns[0] != '\0';
    for (; *columns != '\0'; columns++) count += *columns == ' ';
    return count;
}

size_t cdg_probe_column_title(cdg_probe_kind kind, const char *probe_name, size_t column, char *out, size_t size) {
    const char *text = probe_columns(kind); // "suffix:unit suffix:unit ..."
    if (size > 0) out[0] = '\0';
    if (column >= cdg_probe_column_count(kind)) return 0;
    for (; column > 0; column--) text = strchr(text, ' ') + 1;
    size_t suffix = strcspn(text, ":");
    const char *unit = text + suffix + 1;
    int length = snprintf(out, size, "%s%s%.*s [%.*s]", probe_name, suffix > 0 ? "_" : "", (int)suffix, text,
                          (int)strcspn(unit, " "), unit);
    return length > 0 ? (size_t)length : 0;
}

// ---- measuring ------------------------------------------------------------------------------------------------------

static void put(double *out, cdg_vec3 v) {
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v.z;
}

// A nodal quantity at a node, or halfway between the nodes of an element.
static cdg_vec3 at_place(const cdg_rod *rod, double *const a[3], const cdg_place *place) {
    cdg_vec3 here = rod_vec3(a, place->index);
    if (place->kind == CDG_PLACE_NODE) return here;
    return vec3_lerp(here, rod_vec3(a, rod_next_node(rod, place->index)), 0.5);
}

static double centerline_length(const cdg_rod *rod) {
    double length = 0;
    for (size_t j = 0; j < rod->element_count; j++)
        length += vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, rod_next_node(rod, j)));
    return length;
}

static void put_energy(double *out, const cdg_energy *e) { // adds
    const double values[] = {e->stretch, e->shear, e->bend, e->twist, e->kinetic, e->gravity, e->total};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) out[i] += values[i];
}

static cdg_result measure_energy(const cdg_world *world, const cdg_probe *probe, double *out) {
    const cdg_rod *only = cdg_world_get_rod(world, probe->place.rod);
    if (only == NULL && probe->place.rod.index1 != 0) return CDG_ERROR_STALE;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || (only != NULL && rod != only)) continue;
        cdg_energy energy = {0};
        cdg_rod_measure_energy(rod, world->def.gravity, &energy);
        put_energy(out, &energy);
    }
    return CDG_OK;
}

// The sum over all supports at the node; a node that never had one is a mistake, not a zero.
static cdg_result measure_reaction(const cdg_world *world, const cdg_place *place, double *out) {
    cdg_vec3 force = vec3(0, 0, 0), moment = vec3(0, 0, 0);
    bool is_supported = false;
    const world_rod *rod = &world->rods[place->rod.index1 - 1];
    for (uint32_t i = rod->first_support; i != CDG_NO_INDEX; i = world->supports[i].next_of_rod) {
        const world_support *support = &world->supports[i];
        if (support->def.place.index != place->index) continue;
        is_supported = true;
        force = vec3_add(force, support->force);
        moment = vec3_add(moment, support->moment);
    }
    put(out, force);
    put(out + 3, moment);
    return is_supported ? CDG_OK : CDG_ERROR_ARGUMENT;
}

// Which places a kind of probe can be at.
typedef struct probe_needs {
    bool node, element;
} probe_needs;

static probe_needs needs_of(cdg_probe_kind kind) {
    switch (kind) {
    case CDG_PROBE_POSITION:
    case CDG_PROBE_VELOCITY: return (probe_needs){.node = true, .element = true};
    case CDG_PROBE_FRAME:
    case CDG_PROBE_TENSION:
    case CDG_PROBE_FORCE: return (probe_needs){.element = true};
    case CDG_PROBE_MOMENT:
    case CDG_PROBE_CURVATURE:
    case CDG_PROBE_TWIST:
    case CDG_PROBE_REACTION: return (probe_needs){.node = true};
    case CDG_PROBE_ENERGY:
    case CDG_PROBE_LENGTH:
    case CDG_PROBE_KIND_COUNT: break;
    }
    return (probe_needs){0};
}

static bool is_place_valid(const cdg_rod *rod, const cdg_probe *probe) {
    probe_needs needs = needs_of(probe->kind);
    if (!needs.node && !needs.element) return true; // whole rods
    if (probe->place.kind == CDG_PLACE_NODE) return needs.node && probe->place.index < rod->node_count;
    return needs.element && probe->place.index < rod->element_count;
}

cdg_result cdg_world_measure(const cdg_world *world, const cdg_probe *probe, double out[CDG_PROBE_COLUMNS_MAX]) {
    memset(out, 0, CDG_PROBE_COLUMNS_MAX * sizeof(double));
    if (probe->kind == CDG_PROBE_ENERGY) return measure_energy(world, probe, out);
    const cdg_rod *rod = cdg_world_get_rod(world, probe->place.rod);
    if (rod == NULL) return CDG_ERROR_STALE;
    if (!is_place_valid(rod, probe)) return CDG_ERROR_ARGUMENT;
    size_t index = probe->place.index;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, at_place(rod, rod->x, &probe->place)); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, at_place(rod, rod->v, &probe->place)); return CDG_OK;
    case CDG_PROBE_FRAME:
        out[0] = rod->q[0][index];
        put(out + 1, quat_imaginary(rod_quat(rod->q, index)));
        return CDG_OK;
    case CDG_PROBE_TENSION: out[0] = cdg_rod_section_force(rod, index).z; return CDG_OK;
    case CDG_PROBE_FORCE:
        put(out, quat_rotate(rod_quat(rod->q, index), cdg_rod_section_force(rod, index)));
        return CDG_OK;
    case CDG_PROBE_MOMENT: put(out, cdg_rod_section_moment(rod, index)); return CDG_OK;
    case CDG_PROBE_CURVATURE: {
        cdg_vec3 darboux = cdg_rod_darboux(rod, index);
        out[0] = darboux.x;
        out[1] = darboux.y;
        return CDG_OK;
    }
    case CDG_PROBE_TWIST: out[0] = cdg_rod_darboux(rod, index).z; return CDG_OK;
    case CDG_PROBE_REACTION: return measure_reaction(world, &probe->place, out);
    case CDG_PROBE_LENGTH: out[0] = centerline_length(rod); return CDG_OK;
    case CDG_PROBE_ENERGY:
    case CDG_PROBE_KIND_COUNT: break;
    }
    return CDG_ERROR_ARGUMENT;
}
