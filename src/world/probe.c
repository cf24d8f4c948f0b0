// Probes: column titles from the one list, and the numbers behind them.
#include "geometry/topology.h"
#include "math/quat.h"
#include "world/cuts.h"
#include "world/place.h"
#include "world/solid_object.h"

#include <stdio.h>
#include <stdlib.h>
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

cdg_probe cdg_probe_default(void) { return (cdg_probe){.kind = CDG_PROBE_ENERGY}; }

size_t cdg_probe_column_count(cdg_probe_kind kind) {
    const char *columns = probe_columns(kind);
    size_t count = columns[0] != '\0';
    for (; *columns != '\0'; columns++) count += *columns == ' ';
    return count;
}

size_t cdg_probe_column_title(cdg_probe_kind kind, const char *probe_name, size_t column, char *out, size_t size) {
    if (probe_name == NULL) probe_name = "";
    if (out == NULL) size = 0;
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

// A point of the body, own axes: it turns about the centre of mass, whose velocity the state has.
static cdg_result measure_body_point(const cdg_world *world, const cdg_probe *probe, const cdg_body_state *now,
                                     double *out) {
    cdg_body_info info;
    cdg_result result = cdg_body_get_info(world, probe->place.body, &info);
    if (result != CDG_OK || !vec3_is_finite(probe->place.point)) return CDG_ERROR_ARGUMENT;
    cdg_vec3 arm = quat_rotate(now->orientation, vec3_sub(probe->place.point, info.center));
    switch (probe->kind) {
    case CDG_PROBE_POSITION:
        put(out, vec3_add(now->position, quat_rotate(now->orientation, probe->place.point)));
        break;
    case CDG_PROBE_VELOCITY: put(out, vec3_add(now->velocity, vec3_cross(now->angular_velocity, arm))); break;
    default: return CDG_ERROR_ARGUMENT;
    }
    return CDG_OK;
}

static cdg_result measure_body(const cdg_world *world, const cdg_probe *probe, double *out) {
    cdg_body_state now;
    cdg_energy energy = {0};
    cdg_result result = cdg_body_get_state(world, probe->place.body, &now);
    if (result != CDG_OK) return result;
    if (probe->place.kind == CDG_PLACE_POINT) return measure_body_point(world, probe, &now, out);
    if (probe->place.kind != CDG_PLACE_WHOLE) return CDG_ERROR_ARGUMENT;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, now.position); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, now.velocity); return CDG_OK;
    case CDG_PROBE_ANGULAR_VELOCITY: put(out, now.angular_velocity); return CDG_OK;
    case CDG_PROBE_FRAME:
        out[0] = now.orientation.w;
        put(out + 1, quat_imaginary(now.orientation));
        return CDG_OK;
    case CDG_PROBE_ENERGY:
        cdg_body_energy(world, probe->place.body, &energy.kinetic, &energy.gravity);
        energy.total = energy.kinetic + energy.gravity;
        put_energy(out, &energy);
        return CDG_OK;
    default: return CDG_ERROR_ARGUMENT;
    }
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
    if (only != NULL) return CDG_OK;
    double joints = cdg_joints_energy(world, false);
    cdg_energy others = {.bend = joints, .total = joints};
    cdg_bodies_measure_energy(world, &others);
    cdg_objects_energy(world, false, &others);
    put_energy(out, &others);
    return CDG_OK;
}

// The sum over all supports at the node; a node that never had one is a mistake, not a zero.
static cdg_result measure_reaction(const cdg_world *world, const cdg_place *place, double *out) {
    cdg_vec3 force = vec3(0, 0, 0), moment = vec3(0, 0, 0);
    bool is_supported = false;
    const cdg_rod *rod = world->rods[place->rod.index1 - 1].rod;
    uint32_t last = rod->support_at != NULL ? rod->support_at[place->index] : CDG_NO_INDEX;
    for (uint32_t i = last; i != CDG_NO_INDEX; i = world->supports[i].before_at_node) {
        const world_support *support = &world->supports[i];
        is_supported = true;
        force = vec3_add(force, support->force);
        moment = vec3_add(moment, support->moment);
    }
    put(out, force);
    put(out + 3, moment);
    return is_supported ? CDG_OK : CDG_ERROR_ARGUMENT;
}

// Not in a step, so it may allocate; to be freed.
static cdg_vec3 *copy_nodes(const cdg_rod *rod) {
    cdg_vec3 *points = malloc(rod->node_count * sizeof *points);
    for (size_t i = 0; points != NULL && i < rod->node_count; i++) points[i] = rod_vec3(rod->x, i);
    return points;
}

// Curves that touch have no knot or link at that moment: not a number, and no reason to stop.
static cdg_result value_or_nan(cdg_result result, double value, double *out) {
    *out = result == CDG_OK ? value : NAN;
    return result == CDG_ERROR_NO_CONVERGENCE ? CDG_OK : result;
}

static cdg_result measure_linking(const cdg_world *world, const cdg_rod *a, cdg_rod_id other, double *out) {
    const cdg_rod *b = cdg_world_get_rod(world, other);
    if (b == NULL) return CDG_ERROR_STALE;
    if (!a->is_closed || !b->is_closed || a == b) return CDG_ERROR_ARGUMENT;
    cdg_vec3 *a_points = copy_nodes(a), *b_points = copy_nodes(b);
    cdg_result result = CDG_ERROR_MEMORY;
    long number = 0;
    if (a_points != NULL && b_points != NULL)
        result = cdg_linking_number(a_points, a->node_count, b_points, b->node_count, &number, NULL);
    free(a_points);
    free(b_points);
    return value_or_nan(result, (double)number, out);
}

static cdg_result measure_knot(const cdg_rod *rod, double *out) {
    cdg_vec3 *points = copy_nodes(rod);
    if (points == NULL) return CDG_ERROR_MEMORY;
    uint64_t determinant = 1;
    cdg_result result = cdg_knot_determinant(points, rod->node_count, rod->is_closed, &determinant, NULL);
    free(points);
    return value_or_nan(result, (double)determinant, out);
}

static cdg_result measure_writhe(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe, double *out) {
    const double turn = 6.28318530717958647693;
    cdg_vec3 *points = copy_nodes(rod);
    if (points == NULL) return CDG_ERROR_MEMORY;
    out[1] = cdg_writhe(points, rod->node_count, rod->is_closed);
    free(points);
    for (size_t i = 0; i < rod->node_count; i++) {
        double twist[CDG_PROBE_COLUMNS_MAX];
        cdg_result result = cdg_world_measure_field_at(world, probe->place.rod, CDG_FIELD_twist, i, twist);
        if (result != CDG_OK) return result;
        if (isfinite(twist[0])) out[0] += twist[0] * rod_cell_length(rod, i) / turn; // free ends have none
    }
    out[2] = out[0] + out[1];
    return CDG_OK;
}

// A straight rod is bent to no radius: infinite, at its start.
static cdg_result measure_bend_radius(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe, double *out) {
    out[0] = INFINITY;
    for (size_t i = 0; i < rod->node_count; i++) {
        double curvature[CDG_PROBE_COLUMNS_MAX];
        cdg_result result = cdg_world_measure_field_at(world, probe->place.rod, CDG_FIELD_curvature, i, curvature);
        if (result != CDG_OK) return result;
        double radius = 1 / hypot(curvature[0], curvature[1]);
        if (!(radius < out[0])) continue;
        out[0] = radius;
        out[1] = rod_user_number(rod, i);
    }
    return CDG_OK;
}

// Means are by length.
static cdg_result measure_tension_range(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe,
                                        double *out) {
    double length = 0, sum = 0;
    out[0] = INFINITY, out[1] = -INFINITY;
    for (size_t j = 0; j < rod->element_count; j++) {
        double tension[CDG_PROBE_COLUMNS_MAX];
        cdg_result result = cdg_world_measure_field_at(world, probe->place.rod, CDG_FIELD_tension, j, tension);
        if (result != CDG_OK) return result;
        if (tension[0] > out[1]) out[1] = tension[0], out[3] = floor(rod_user_number(rod, j));
        out[0] = fmin(out[0], tension[0]);
        sum += tension[0] * rod->rest_length[j];
        length += rod->rest_length[j];
    }
    out[2] = sum / length;
    return CDG_OK;
}

static cdg_result measure_moment_range(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe,
                                       double *out) {
    double length = 0, sum = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        double moment[CDG_PROBE_COLUMNS_MAX];
        cdg_result result = cdg_world_measure_field_at(world, probe->place.rod, CDG_FIELD_moment, i, moment);
        if (result != CDG_OK) return result;
        double size = vec3_norm(vec3(moment[0], moment[1], moment[2])), cell = rod_cell_length(rod, i);
        if (size > out[0]) out[0] = size, out[2] = rod_user_number(rod, i);
        sum += size * cell;
        length += cell;
    }
    out[1] = sum / length;
    return CDG_OK;
}

static cdg_result measure_contacts(const cdg_world *world, const cdg_probe *probe, double *out) {
    uint32_t rod = probe->place.rod.index1;
    if (rod != 0 && cdg_world_get_rod(world, probe->place.rod) == NULL) return CDG_ERROR_STALE;
    for (size_t i = 0; i < cdg_contacts_kept(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        const cdg_contact_side *a = &contact->side[0], *b = &contact->side[1];
        bool is_first = a->kind == CDG_SIDE_SEGMENT && a->object + 1 == rod;
        bool is_second = b->kind == CDG_SIDE_SEGMENT && b->object + 1 == rod;
        if (rod != 0 && !is_first && !is_second) continue;
        out[0] += 1;
        if (a->kind == CDG_SIDE_BODY) continue; // bodies alone have no radius to measure depths by
        out[1] = fmax(out[1], -contact->gap / contact->radius);
    }
    return CDG_OK;
}

static cdg_result measure_field(const cdg_world *world, const cdg_probe *probe, cdg_field field, double *out) {
    return cdg_world_measure_field_at(world, probe->place.rod, field, probe->place.index, out);
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
    case CDG_PROBE_ANGULAR_VELOCITY:
    case CDG_PROBE_TENSION:
    case CDG_PROBE_FORCE: return (probe_needs){.element = true};
    case CDG_PROBE_MOMENT:
    case CDG_PROBE_CURVATURE:
    case CDG_PROBE_TWIST:
    case CDG_PROBE_REACTION: return (probe_needs){.node = true};
    case CDG_PROBE_ENERGY:
    case CDG_PROBE_LENGTH:
    case CDG_PROBE_LINKING:
    case CDG_PROBE_KNOT:
    case CDG_PROBE_CONTACTS:
    case CDG_PROBE_CONTACT_FORCE:
    case CDG_PROBE_WRITHE:
    case CDG_PROBE_BEND_RADIUS:
    case CDG_PROBE_VOLUME:
    case CDG_PROBE_STRESS:
    case CDG_PROBE_TENSION_RANGE:
    case CDG_PROBE_MOMENT_RANGE:
    case CDG_PROBE_KIND_COUNT: break;
    }
    return (probe_needs){0};
}

static bool is_place_valid(const cdg_rod *rod, const cdg_probe *probe) {
    probe_needs needs = needs_of(probe->kind);
    if (!needs.node && !needs.element) return true; // whole rods
    if (probe->place.kind == CDG_PLACE_NODE) return needs.node && probe->place.index < rod_user_node_count(rod);
    return needs.element && probe->place.index < rod_user_element_count(rod);
}

static cdg_result measure_at(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe, double *out);

// The middle of an element that was halved is a node: what elements have goes straight from the middle of the one
// before it to that of the one after it, which may be of other lengths, as in resampled.h; frames turn steadily.
static cdg_result measure_middle(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe, size_t node,
                                 double *out) {
    double beside[2][CDG_PROBE_COLUMNS_MAX] = {{0}};
    for (size_t k = 0; k < 2; k++) {
        cdg_probe part = *probe;
        part.place.index = node - 1 + k;
        cdg_result result = measure_at(world, rod, &part, beside[k]);
        if (result != CDG_OK) return result;
    }
    double before = rod->rest_length[node - 1], u = before / (before + rod->rest_length[node]);
    for (size_t i = 0; i < CDG_PROBE_COLUMNS_MAX; i++) out[i] = (1 - u) * beside[0][i] + u * beside[1][i];
    if (probe->kind != CDG_PROBE_FRAME) return CDG_OK;
    cdg_quat a = rod_quat(rod->q, node - 1), turn = quat_relative(a, rod_quat(rod->q, node));
    a = quat_normalize(quat_multiply(a, quat_exp(vec3_scale(u, quat_log(turn)))));
    out[0] = a.w;
    put(out + 1, quat_imaginary(a));
    return CDG_OK;
}

cdg_probe cdg_probe_now(const cdg_world *world, const cdg_probe *probe) {
    cdg_probe now = *probe;
    probe_needs needs = needs_of(probe->kind);
    if (cdg_place_is_of_rod(&probe->place) && (needs.node || needs.element))
        now.place = cdg_cuts_place_now(world, probe->place);
    return now;
}

cdg_result cdg_world_measure(const cdg_world *world, const cdg_probe *probe, double out[CDG_PROBE_COLUMNS_MAX]) {
    if (world == NULL || probe == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    memset(out, 0, CDG_PROBE_COLUMNS_MAX * sizeof(double));
    if (probe->place.body.index1 != 0 && probe->place.solid.index1 != 0) return CDG_ERROR_ARGUMENT;
    if (probe->place.body.index1 != 0) return measure_body(world, probe, out);
    if (probe->place.solid.index1 != 0) return cdg_solid_measure_probe(world, probe, out);
    if (!cdg_place_is_of_rod(&probe->place) || probe->place.kind == CDG_PLACE_ALONG) return CDG_ERROR_ARGUMENT;
    if (probe->kind == CDG_PROBE_ENERGY) return measure_energy(world, probe, out);
    if (probe->kind == CDG_PROBE_CONTACTS) return measure_contacts(world, probe, out);
    const cdg_rod *rod = cdg_world_get_rod(world, probe->place.rod);
    if (rod == NULL) return CDG_ERROR_STALE;
    if (!is_place_valid(rod, probe)) return CDG_ERROR_ARGUMENT;
    probe_needs needs = needs_of(probe->kind);
    if (rod->adapt == NULL || probe->kind == CDG_PROBE_REACTION || (!needs.node && !needs.element))
        return measure_at(world, rod, probe, out);
    cdg_probe present = *probe;
    present.place = rod_present_place(rod, probe->place);
    if (present.place.kind == probe->place.kind || needs.node) return measure_at(world, rod, &present, out);
    return measure_middle(world, rod, probe, present.place.index, out);
}

// With places as they are at present.
static cdg_result measure_at(const cdg_world *world, const cdg_rod *rod, const cdg_probe *probe, double *out) {
    size_t index = probe->place.index;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, at_place(rod, rod->x, &probe->place)); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, at_place(rod, rod->v, &probe->place)); return CDG_OK;
    case CDG_PROBE_FRAME:
        out[0] = rod->q[0][index];
        put(out + 1, quat_imaginary(rod_quat(rod->q, index)));
        return CDG_OK;
    case CDG_PROBE_ANGULAR_VELOCITY:
        put(out, quat_rotate(rod_quat(rod->q, index), rod_vec3(rod->w, index)));
        return CDG_OK;
    case CDG_PROBE_TENSION: return measure_field(world, probe, CDG_FIELD_tension, out);
    case CDG_PROBE_FORCE: {
        cdg_result result = measure_field(world, probe, CDG_FIELD_forces, out);
        put(out, quat_rotate(rod_quat(rod->q, index), vec3(out[0], out[1], out[2])));
        return result;
    }
    case CDG_PROBE_MOMENT: return measure_field(world, probe, CDG_FIELD_moment, out);
    case CDG_PROBE_CURVATURE: return measure_field(world, probe, CDG_FIELD_curvature, out);
    case CDG_PROBE_TWIST: return measure_field(world, probe, CDG_FIELD_twist, out);
    case CDG_PROBE_REACTION: return measure_reaction(world, &probe->place, out);
    case CDG_PROBE_LENGTH: out[0] = centerline_length(rod); return CDG_OK;
    case CDG_PROBE_LINKING: return measure_linking(world, rod, probe->other, out);
    case CDG_PROBE_KNOT: return measure_knot(rod, out);
    case CDG_PROBE_WRITHE: return measure_writhe(world, rod, probe, out);
    case CDG_PROBE_BEND_RADIUS: return measure_bend_radius(world, rod, probe, out);
    case CDG_PROBE_TENSION_RANGE: return measure_tension_range(world, rod, probe, out);
    case CDG_PROBE_MOMENT_RANGE: return measure_moment_range(world, rod, probe, out);
    case CDG_PROBE_CONTACT_FORCE: {
        cdg_vec3 force = {0, 0, 0};
        cdg_result result = cdg_rod_contact_force(world, probe->place.rod, &force, NULL);
        put(out, force);
        return result;
    }
    case CDG_PROBE_CONTACTS:
    case CDG_PROBE_ENERGY:
    case CDG_PROBE_VOLUME: // of solids alone
    case CDG_PROBE_STRESS:
    case CDG_PROBE_KIND_COUNT: break;
    }
    return CDG_ERROR_ARGUMENT;
}
