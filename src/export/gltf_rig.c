// Binding a skin to the nodes of its rod: linear blend skinning with the pose and the weights of gltf_rig.h.
#include "export/gltf_rig.h"

#include "base/error.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double bound_scale = 0.5; // of arc length; see gltf_rig.h

// Coarser than pictures have it: every vertex is stored, and often sent through the net.
enum { RINGS_WANTED = 200, RINGS_AT_MOST = 8, ROUND_SIDES = 16 };

static size_t ring_count(size_t element_count) {
    size_t rings = (RINGS_WANTED + element_count - 1) / element_count;
    return rings < 2 ? 2 : rings > RINGS_AT_MOST ? RINGS_AT_MOST : rings;
}

double cdg_gltf_rig_vertices(const cdg_run_rod *rod) {
    static const double ring[] = {[CDG_SECTION_CIRCLE] = ROUND_SIDES,
                                  [CDG_SECTION_TUBE] = 2 * ROUND_SIDES,
                                  [CDG_SECTION_ELLIPSE] = 32, // as skin.c has it
                                  [CDG_SECTION_RECTANGLE] = 8};
    return (double)rod->element_count * (double)ring_count(rod->element_count) * ring[rod->sections[0].kind];
}

// Where a station stands: in which element, at which fraction of it.
typedef struct rig_place {
    size_t element;
    double fraction;
} rig_place;

static rig_place place_at(const cdg_run_rod *rod, const double *arc_length, double s) {
    size_t low = 0, high = rod->element_count; // arc_length[low] <= s
    assert(high > 0);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (arc_length[middle] <= s) {
            low = middle;
        } else {
            high = middle;
        }
    }
    double length = arc_length[low + 1] - arc_length[low];
    double fraction = length > 0 ? (s - arc_length[low]) / length : 0;
    if (fraction < 1e-6) fraction = 0; // rings at nodes belong to their node alone; stations have rounding errors
    if (fraction > 1 - 1e-6) fraction = 1;
    return (rig_place){low, fraction};
}

// Solves u + 3 u^2 - 2 u^3 = 2 t in [0, 1] by Newton's method: the slope is between 1 and 5/2, so it settles at once.
static double bound_fraction(double t) {
    double u = t;
    for (int i = 0; i < 20 && u > 0 && u < 1; i++) {
        double excess = u + u * u * (3 - 2 * u) - 2 * t;
        u -= excess / (1 + 6 * u * (1 - u));
    }
    return fmin(fmax(u, 0), 1);
}

static void bind_vertex(cdg_gltf_rig *rig, size_t vertex, rig_place place, const double *arc_length) {
    double u = bound_fraction(place.fraction), weight = (1 - u) * (1 - u) * (1 + 2 * u);
    double start = arc_length[place.element], end = arc_length[place.element + 1];
    size_t first_joint = place.element, second_joint = place.element + 1;
    float first = (float)weight, second = 1 - first;
    uint16_t *joints = rig->joints + 4 * vertex;
    float *weights = rig->weights + 4 * vertex;
    memset(joints, 0, 4 * sizeof *joints);
    memset(weights, 0, 4 * sizeof *weights);
    if (first > 0 && second > 0) {
        joints[0] = (uint16_t)first_joint;
        joints[1] = (uint16_t)second_joint;
        weights[0] = first;
        weights[1] = second;
    } else {
        joints[0] = (uint16_t)(first > 0 ? first_joint : second_joint);
        weights[0] = 1;
    }
    const float *local = rig->skin->local + 3 * vertex;
    float *position = rig->positions + 3 * vertex;
    position[0] = local[0];
    position[1] = local[1];
    position[2] = (float)(bound_scale * (u < 1 ? start + u * (end - start) : end) + (double)local[2]);
}

static void bind_joints(cdg_gltf_rig *rig, const double *arc_length) {
    memset(rig->inverse_bind, 0, 16 * rig->joint_count * sizeof *rig->inverse_bind);
    for (size_t i = 0; i < rig->joint_count; i++) {
        float *matrix = rig->inverse_bind + 16 * i;
        for (int k = 0; k < 4; k++) matrix[5 * k] = 1;
        matrix[14] = (float)(-bound_scale * arc_length[i]);
    }
    if (rig->rod
            ->is_closed) { // a turn by -closing_turn about z after the shift: the frame as seen from before the joint
        float *matrix = rig->inverse_bind + 16 * (rig->joint_count - 1);
        float c = (float)cos(rig->skin->closing_turn), s = (float)sin(rig->skin->closing_turn);
        matrix[0] = c, matrix[1] = -s;
        matrix[4] = s, matrix[5] = c;
    }
}

static cdg_result find_node_stations(cdg_gltf_rig *rig, const double *arc_length, cdg_error *error) {
    const cdg_skin *skin = rig->skin;
    double length = arc_length[rig->rod->element_count];
    size_t station = 0;
    assert(rig->rod->node_count <= rig->rod->element_count + 1);
    for (size_t i = 0; i < rig->rod->node_count; i++) {
        double wanted = arc_length[i] / length;
        while (station + 1 < skin->station_count &&
               fabs(skin->station[station + 1] - wanted) < fabs(skin->station[station] - wanted)) {
            station++;
        }
        if (!(fabs(skin->station[station] - wanted) < 1e-9)) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "the skin of rod '%s' has no ring at node %zu", rig->rod->name,
                            i);
        }
        rig->station[i] = station;
    }
    return CDG_OK;
}

static cdg_result bind(cdg_gltf_rig *rig, cdg_error *error) {
    const cdg_run_rod *rod = rig->rod;
    double *arc_length = calloc(rod->element_count + 1, sizeof *arc_length);
    if (arc_length == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the skin of a rod");
    for (size_t i = 0; i < rod->element_count; i++) arc_length[i + 1] = arc_length[i] + rod->rest_length[i];
    for (size_t i = 0; i < rig->skin->vertex_count; i++) {
        double s = rig->skin->station[rig->skin->station_of[i]] * arc_length[rod->element_count];
        bind_vertex(rig, i, place_at(rod, arc_length, s), arc_length);
    }
    bind_joints(rig, arc_length);
    cdg_result result = find_node_stations(rig, arc_length, error);
    free(arc_length);
    return result;
}

cdg_result cdg_gltf_rig_create(const cdg_run_rod *rod, const cdg_quat *frames, cdg_gltf_rig *out, cdg_error *error) {
    *out = (cdg_gltf_rig){.rod = rod, .joint_count = rod->element_count + 1};
    if (out->joint_count > CDG_GLTF_JOINTS_MAX) {
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "rod '%s' has %zu nodes, but a skin in glTF follows %d at most; use another format, or fewer "
                        "elements",
                        rod->name, rod->node_count, CDG_GLTF_JOINTS_MAX - 1);
    }
    bool is_round = rod->sections[0].kind == CDG_SECTION_CIRCLE || rod->sections[0].kind == CDG_SECTION_TUBE;
    const cdg_skin_def def = {.is_closed = rod->is_closed,
                              .element_count = rod->element_count,
                              .rest_length = rod->rest_length,
                              .sections = rod->sections,
                              .rings_per_element = ring_count(rod->element_count),
                              .side_count = is_round ? ROUND_SIDES : 0,
                              .frames = rod->is_closed ? frames : NULL};
    cdg_result result = cdg_skin_create(&def, &out->skin, error);
    if (result != CDG_OK) return result;
    size_t vertices = out->skin->vertex_count;
    out->positions = malloc(3 * vertices * sizeof *out->positions);
    out->joints = malloc(4 * vertices * sizeof *out->joints);
    out->weights = malloc(4 * vertices * sizeof *out->weights);
    out->inverse_bind = malloc(16 * out->joint_count * sizeof *out->inverse_bind);
    out->station = malloc(rod->node_count * sizeof *out->station);
    out->station_positions = malloc(out->skin->station_count * sizeof *out->station_positions);
    out->turns = malloc(out->skin->station_count * sizeof *out->turns);
    bool has_memory = out->positions != NULL && out->joints != NULL && out->weights != NULL &&
                      out->inverse_bind != NULL && out->station != NULL && out->station_positions != NULL &&
                      out->turns != NULL;
    result = has_memory ? bind(out, error) : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the skin of a rod");
    if (result != CDG_OK) cdg_gltf_rig_free(out);
    return result;
}

void cdg_gltf_rig_free(cdg_gltf_rig *rig) {
    cdg_skin_destroy(rig->skin);
    free(rig->positions);
    free(rig->joints);
    free(rig->weights);
    free(rig->inverse_bind);
    free(rig->station);
    free(rig->station_positions);
    free(rig->turns);
    *rig = (cdg_gltf_rig){0};
}

cdg_result cdg_gltf_rig_pose(cdg_gltf_rig *rig, const cdg_vec3 *positions, const cdg_quat *frames, cdg_quat *out,
                             cdg_error *error) {
    const cdg_skin_pose pose = {.element_count = rig->rod->element_count,
                                .rest_length = rig->rod->rest_length,
                                .positions = positions,
                                .frames = frames};
    cdg_result result = cdg_skin_place_stations(rig->skin, &pose, rig->station_positions, rig->turns, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < rig->rod->node_count; i++) out[i] = rig->turns[rig->station[i]];
    return CDG_OK;
}
