// A few elements as they are in a rod (rod_patch.h): their laws, and cells as rod_measure.c lists them.
#include "adapt/rod_patch.h"

#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

static cdg_cell_kind cell_kind(const cdg_rod *rod) {
    if (rod->twist != NULL) return rod->curls_by_angle ? CDG_CELL_CURL_ANGLE : CDG_CELL_CURL;
    if (rod->measures_from_rest) return CDG_CELL_FROM_REST;
    return rod->measure == CDG_POBD_SINE      ? CDG_CELL_SINE
           : rod->measure == CDG_POBD_TANGENT ? CDG_CELL_TANGENT
                                              : CDG_CELL_ANGLE;
}

// One spring more, over `length` of a node's cell, between the frames left and right, of which one may be `still`.
// `rest`: its turn at rest. `near`: rad, its twist, as counted by models that do. `bends`, `twists`: what it is stiff
// against.
typedef struct spring {
    size_t node;
    double length, near;
    cdg_quat rest;
    bool bends, twists;
    cdg_rod_patch_ends ends;
} spring;

static void add_spring(cdg_rod_patch *p, const cdg_rod *rod, const spring *s) {
    if ((s->ends.left < 0 && s->ends.right < 0) || p->spring_count == CDG_PATCH_SPRINGS) return; // nothing of it moves
    size_t at = s->node * rod->section_stride, lane = p->spring_count % CDG_PATCH_LANES;
    cdg_cell_laws *laws = &p->springs[p->spring_count / CDG_PATCH_LANES];
    laws->kind = cell_kind(rod);
    p->ends[p->spring_count++] = s->ends;
    const double rest[4] = {s->rest.w, s->rest.x, s->rest.y, s->rest.z};
    cdg_vec3 half = vec3(0, 0, 0);
    if (rod->twist != NULL) {
        double share = s->length / rod_cell_length(rod, s->node);
        cdg_vec3 curl = rod_vec3(rod->rest_curl, s->node);
        if (share != 1) curl = der_turn_strain(s->rest, share * curl.z, rod->curls_by_angle);
        laws->near[lane] = s->near;
        half = vec3_scale(0.5, curl);
    } else {
        laws->near[lane] = 0;
        if (laws->kind <= CDG_CELL_ANGLE) half = cdg_cell_half_strain(laws->kind, s->rest);
    }
    for (int k = 0; k < 4; k++) laws->rest[k][lane] = rest[k];
    laws->rest_half[0][lane] = half.x, laws->rest_half[1][lane] = half.y, laws->rest_half[2][lane] = half.z;
    for (int k = 0; k < 3; k++)
        laws->stiffness[k][lane] = (k < 2 ? s->bends : s->twists) ? 4 * rod->bend_stiffness[k][at] / s->length : 0;
}

// As rod_measure.c lists them: one over the cell, or one over each half cell beside a section that is held.
static void add_springs(cdg_rod_patch *p, const cdg_rod *rod, size_t node, int left_frame, int right_frame) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    size_t element[2] = {rod_left_element(rod, node), rod_right_element(rod, node)};
    int frame[2] = {left_frame, right_frame};
    if (hold != NULL && hold->frame_hold == CDG_HOLD_NO_FRAME) hold = NULL;
    bool rolls = hold != NULL && hold->frame_hold == CDG_HOLD_ROLL;
    if (element[0] != SIZE_MAX && element[1] != SIZE_MAX && (hold == NULL || rolls)) {
        cdg_quat still = left_frame < 0 ? rod_quat(rod->q, element[0]) : rod_quat(rod->q, element[1]);
        spring whole = {.node = node,
                        .length = rod_cell_length(rod, node),
                        .near = rod->twist != NULL ? rod->twist[node] : 0,
                        .rest = rod_rest_turn(rod, node),
                        .bends = true,
                        .twists = !rolls,
                        .ends = {left_frame, right_frame, still}};
        add_spring(p, rod, &whole);
    }
    for (int side = 0; side < 2 && hold != NULL; side++) {
        if (element[side] == SIZE_MAX) continue;
        spring half = {.node = node,
                       .length = rod->rest_length[element[side]] / 2,
                       .near = rod->twist != NULL ? cdg_rod_half_twist(rod, node, element[side]) : 0,
                       .rest = rod_half_cell_rest(rod, node, element[side]),
                       .bends = !rolls,
                       .twists = true,
                       .ends = {side == 0 ? frame[0] : -1, side == 1 ? frame[1] : -1, hold->frame}};
        add_spring(p, rod, &half);
    }
}

void cdg_rod_patch_read(cdg_rod_patch *out, const cdg_rod *rod, const size_t *elements, const size_t *nodes,
                        size_t count) {
    const cdg_rod_model *model = rod->model;
    out->count = count;
    out->follows = model->contact.frames_follow != NULL && model->contact.frames_follow(rod);
    out->spring_count = out->plane_count = 0;
    out->edges.kind = model->measures.edge_kind != NULL ? model->measures.edge_kind(rod) : CDG_EDGE_COSSERAT;
    out->edges.follows = out->follows;
    for (size_t k = 0; k < count; k++) {
        size_t j = elements[k], at = j * rod->section_stride;
        out->q[k] = rod_quat(rod->q, j);
        out->edges.length[k] = rod->rest_length[j];
        for (int i = 0; i < 3; i++) out->edges.stiffness[i][k] = rod->stretch_stiffness[i][at];
    }
    for (size_t k = count; k < CDG_PATCH_LANES; k++) cdg_edge_law_clear(&out->edges, k);
    for (size_t k = 0; k <= count; k++) {
        out->x[k] = rod_vec3(rod->x, nodes[k]);
        add_springs(out, rod, nodes[k], k > 0 ? (int)k - 1 : -1, k < count ? (int)k : -1);
    }
    for (size_t k = out->spring_count; k % CDG_PATCH_LANES != 0; k++)
        cdg_cell_law_clear(&out->springs[k / CDG_PATCH_LANES], k % CDG_PATCH_LANES);
}
