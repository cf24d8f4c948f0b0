// Rows of contacts with surfaces: where a force acts on vertices, edges and triangles, and on what they touch.
//
// Both sides feel opposite forces at one and the same point, so linear and angular momentum are kept (pieces.h). A
// vertex and an edge bear forces at themselves alone: there the point is. A triangle bears a force f at any point; with
// that point's foot at the weights w_i, its height d above the plane, and the plane's normal n,
//   on corner i   w_i f - d n (grad w_i . f),
// whose sum is f, because the gradients' sum is zero, and whose moment is that of f, because that of n (grad w_i . f)
// over the corners is f x n. Of two edges the second acts as the triangle that it is of. A segment bears a force as in
// contact_row.c.
#include "contact/contacts.h"

#include "math/vec3.h"

#include <math.h>
#include <string.h>

// Off the point of contact by more than this share of the triangle, if the contact asks for no less, or higher above it
// than this share of its heights: too far a guess.
static const double far_most = 0.5, height_most = 0.5;

// ---- points ---------------------------------------------------------------------------------------------------------

// The object's own numbers of the same.
static void own_points(const cdg_surfaces *s, const cdg_contact_side *side, uint32_t local[3]) {
    uint32_t first = s->first_vertex[side->object];
    for (int k = 0; k < 3; k++) local[k] = 0;
    if (side->kind == CDG_SIDE_VERTEX) {
        local[0] = side->primitive;
    } else if (side->kind == CDG_SIDE_EDGE) {
        const cdg_surface_edge *edge = &s->edges[s->first_edge[side->object] + side->primitive];
        local[0] = edge->end[0] - first, local[1] = edge->end[1] - first, local[2] = edge->opposite - first;
    } else {
        const cdg_surface_triangle *triangle = &s->triangles[s->first_triangle[side->object] + side->primitive];
        for (int k = 0; k < 3; k++) local[k] = triangle->corner[k] - first;
    }
}

void cdg_surface_points(const cdg_pieces *p, const cdg_contact_side *side, uint32_t point[3], uint32_t *local) {
    const cdg_surfaces *s = &p->surfaces;
    if (local != NULL) own_points(s, side, local);
    if (side->kind == CDG_SIDE_VERTEX) {
        point[0] = s->vertices[s->first_vertex[side->object] + side->primitive].point;
        point[1] = point[2] = CDG_STILL_POINT;
        return;
    }
    const uint32_t *from = side->kind == CDG_SIDE_EDGE
                               ? s->edges[s->first_edge[side->object] + side->primitive].point
                               : s->triangles[s->first_triangle[side->object] + side->primitive].point;
    for (int k = 0; k < 3; k++) point[k] = from[k];
}

cdg_vec3 cdg_surface_at(const cdg_pieces *p, const cdg_vec3 *points, const cdg_contact_side *side, cdg_vec3 weights) {
    uint32_t at[3];
    cdg_surface_points(p, side, at, NULL);
    cdg_vec3 sum = vec3_scale(weights.x, points[at[0]]);
    if (side->kind != CDG_SIDE_VERTEX) sum = vec3_mad(sum, weights.y, points[at[1]]);
    return side->kind == CDG_SIDE_TRIANGLE ? vec3_mad(sum, weights.z, points[at[2]]) : sum;
}

// ---- one side -------------------------------------------------------------------------------------------------------

// What a force does to a side: to its three points, by weights, by what a triangle bears off its plane, and by whole
// matrices (rows), which only segments and bodies have; and to a segment's turn.
typedef struct action {
    double w[3];
    bool is_triangle, is_whole;
    cdg_vec3 n, gradient[3]; // of a triangle: its normal times the height above it; of weights
    double on[3][3][3];      // point, component of what it feels, component of the force
    cdg_vec3 lever;
} action;

static void put_weights(action *out, cdg_vec3 weights) {
    out->w[0] = weights.x, out->w[1] = weights.y, out->w[2] = weights.z;
}

// A triangle that is pushed at `point`, its corners being where `x` has them; false: that is too far from the contact,
// by more than a share of the triangle.
static bool act_on_triangle(const cdg_vec3 *x, const uint32_t corner[3], cdg_vec3 weights, cdg_vec3 point,
                            double off_most, action *out) {
    cdg_vec3 edge1 = vec3_sub(x[corner[1]], x[corner[0]]), edge2 = vec3_sub(x[corner[2]], x[corner[0]]);
    cdg_vec3 across = vec3_cross(edge1, edge2), way = vec3_sub(point, x[corner[0]]);
    double area2 = vec3_dot(across, across);
    if (!(area2 > 0)) return false;
    cdg_vec3 n = vec3_scale(1 / sqrt(area2), across);
    cdg_vec3 *gradient = out->gradient;
    gradient[1] = vec3_scale(1 / area2, vec3_cross(edge2, across));
    gradient[2] = vec3_scale(1 / area2, vec3_cross(across, edge1));
    gradient[0] = vec3_scale(-1, vec3_add(gradient[1], gradient[2]));
    double d = vec3_dot(n, way), w1 = vec3_dot(gradient[1], way), w2 = vec3_dot(gradient[2], way);
    const double w[3] = {1 - w1 - w2, w1, w2}, wanted[3] = {weights.x, weights.y, weights.z};
    for (int i = 0; i < 3; i++) {
        double high2 = d * d * vec3_dot(gradient[i], gradient[i]);
        if (!(fabs(w[i] - wanted[i]) < off_most) || !(high2 < height_most * height_most)) return false;
    }
    for (int i = 0; i < 3; i++) out->w[i] = w[i];
    out->is_triangle = true;
    out->n = vec3_scale(d, n);
    return true;
}

static void act_on_segment(const cdg_row_side *side, action *out) {
    const double axis[3] = {side->axis.x, side->axis.y, side->axis.z}, arm[3] = {side->arm.x, side->arm.y, side->arm.z};
    for (int k = 0; k < 3; k++)
        for (int m = 0; m < 3; m++) {
            double same = k == m ? 1 : 0, couple = arm[k] * axis[m];
            out->on[0][k][m] = (1 - side->w) * same + couple;
            out->on[1][k][m] = side->w * same - couple;
        }
    out->lever = side->lever;
    out->is_whole = true;
}

static void act_on_body(const cdg_body_piece *body, cdg_vec3 lever, action *out) {
    out->is_whole = true;
    for (int m = 0; m < 3; m++) {
        cdg_vec3 unit = vec3(m == 0, m == 1, m == 2);
        cdg_vec3 move = body_piece_move(body, lever, unit), turn = body_piece_turn(body, lever, unit);
        out->on[0][0][m] = move.x, out->on[0][1][m] = move.y, out->on[0][2][m] = move.z;
        out->on[1][0][m] = turn.x, out->on[1][1][m] = turn.y, out->on[1][2][m] = turn.z;
    }
}

// ---- both sides -----------------------------------------------------------------------------------------------------

typedef struct setting {
    const cdg_pieces *p;
    const cdg_body_piece *bodies;
    const cdg_contact *contact;
    const uint32_t *point; // three of each side
} setting;

static cdg_vec3 own_point(const setting *it, const cdg_vec3 *x, int i) {
    const cdg_contact_side *side = &it->contact->side[i];
    if (side->kind == CDG_SIDE_SEGMENT) return pieces_at(it->p, x, side->element, it->contact->parameter[i]);
    return cdg_surface_at(it->p, x, side, it->contact->point[i]);
}

static double thickness_of(const setting *it, int i) {
    const cdg_contact_side *side = &it->contact->side[i];
    if (contact_side_is_surface(side)) return it->p->surfaces.thickness[side->object];
    return side->kind == CDG_SIDE_SEGMENT ? pieces_radius(it->p, side->element, it->contact->parameter[i]) : 0;
}

// The point that both forces act at.
static cdg_vec3 common_point(const setting *it, const cdg_vec3 *x) {
    cdg_vec3 own = own_point(it, x, 0);
    if (it->contact->side[0].kind != CDG_SIDE_TRIANGLE) return own;
    if (it->contact->side[1].kind != CDG_SIDE_SEGMENT) return vec3_mad(own, -thickness_of(it, 0), it->contact->normal);
    double mine = thickness_of(it, 0), other = thickness_of(it, 1);
    return vec3_lerp(own, own_point(it, x, 1), mine / (mine + other));
}

static void clear_action(action *it, cdg_side_kind kind) {
    if (kind == CDG_SIDE_SEGMENT || kind == CDG_SIDE_BODY) memset(it->on, 0, sizeof it->on);
    for (int k = 0; k < 3; k++) it->w[k] = 0;
    it->is_triangle = it->is_whole = false;
    it->lever = vec3(0, 0, 0);
}

// False: with points where x has them it is too far a guess.
static bool act(const setting *it, const cdg_vec3 *x, action out[2]) {
    const cdg_pieces *p = it->p;
    const cdg_contact *contact = it->contact;
    const cdg_contact_side *other = &contact->side[1];
    clear_action(&out[0], contact->side[0].kind);
    clear_action(&out[1], other->kind);
    cdg_vec3 point = common_point(it, x);
    double off_most = contact->far_share == 0 ? far_most : fabs(contact->far_share);
    bool is_near = true;
    put_weights(&out[0], contact->point[0]);
    if (contact->side[0].kind == CDG_SIDE_TRIANGLE)
        is_near = act_on_triangle(x, it->point, contact->point[0], point, off_most, &out[0]);
    if (other->kind == CDG_SIDE_EDGE || other->kind == CDG_SIDE_TRIANGLE)
        is_near = is_near && act_on_triangle(x, it->point + 3, contact->point[1], point, off_most, &out[1]);
    if (other->kind == CDG_SIDE_SEGMENT) {
        cdg_row_side side = x == p->base ? cdg_segment_row_side(p, other->element, point)
                                         : cdg_segment_plain_side(p, other->element, contact->parameter[1],
                                                                  vec3_sub(point, own_point(it, x, 1)));
        is_near = is_near && fabs(side.w - contact->parameter[1]) < off_most;
        act_on_segment(&side, &out[1]);
    }
    if (other->kind == CDG_SIDE_BODY) {
        uint32_t center = contact_point(p, other, 0);
        cdg_vec3 lever = vec3_sub(point, x[center]), now = vec3_sub(own_point(it, p->next, 0), p->next[center]);
        double most = fmax(2 * thickness_of(it, 0), 0.25 * vec3_norm(now));
        is_near = is_near && (x == p->next || (!p->held[center] && vec3_distance(lever, now) < most));
        act_on_body(&it->bodies[other->object], lever, &out[1]);
    }
    return is_near;
}

// Forces at the contact's weights, whatever their moments.
static void act_plainly(const setting *it, action out[2]) {
    const cdg_contact_side *other = &it->contact->side[1];
    clear_action(&out[0], it->contact->side[0].kind);
    clear_action(&out[1], other->kind);
    put_weights(&out[0], it->contact->point[0]);
    if (contact_side_is_surface(other)) put_weights(&out[1], it->contact->point[1]);
    if (other->kind == CDG_SIDE_SEGMENT) {
        double radius = thickness_of(it, 1);
        cdg_row_side side = cdg_segment_plain_side(it->p, other->element, it->contact->parameter[1],
                                                   vec3_scale(radius, it->contact->normal));
        act_on_segment(&side, &out[1]);
    }
    if (other->kind == CDG_SIDE_BODY) {
        cdg_vec3 at = vec3_mad(own_point(it, it->p->next, 0), -thickness_of(it, 0), it->contact->normal);
        act_on_body(&it->bodies[other->object], vec3_sub(at, it->p->next[contact_point(it->p, other, 0)]), &out[1]);
    }
}

static void find_points(const cdg_pieces *p, const cdg_contact *contact, cdg_contact_row *row) {
    for (uint32_t i = 0; i < 2; i++) {
        const cdg_contact_side *side = &contact->side[i];
        row->element[i] = side->element;
        row->object[i] = contact_object(p, side);
        if (contact_side_is_surface(side)) {
            cdg_surface_points(p, side, row->point + 3 * i, row->local + 3 * i);
            continue;
        }
        for (uint32_t k = 0; k < 2; k++) row->point[3 * i + k] = contact_point(p, side, k);
        row->point[3 * i + 2] = CDG_STILL_POINT;
    }
}

// The triangle that the second edge is of may have an end of the first: a row has each point once.
static void merge_points(cdg_contact_row *row) {
    for (uint32_t n = 0; n < 3; n++)
        for (uint32_t m = 3; m < CDG_ROW_POINTS; m++) {
            if (row->point[n] == CDG_STILL_POINT || row->point[n] != row->point[m]) continue;
            for (uint32_t k = 0; k < 9; k++) {
                row->jacobian[3 * n + k / 3][k % 3] += row->jacobian[3 * m + k / 3][k % 3];
                row->jacobian[3 * m + k / 3][k % 3] = 0;
            }
            row->point[m] = CDG_STILL_POINT;
        }
}

// How moves of a side's points change what is measured along `axis`: three of each.
static void put_column(const action *it, cdg_vec3 axis, int k, double (*jacobian)[3]) {
    const double d[3] = {axis.x, axis.y, axis.z};
    for (int n = 0; n < 3 && it->is_whole; n++)
        for (int m = 0; m < 3; m++)
            jacobian[3 * n + m][k] = it->on[n][m][0] * d[0] + it->on[n][m][1] * d[1] + it->on[n][m][2] * d[2];
    for (int n = 0; n < 3 && !it->is_whole; n++) {
        cdg_vec3 felt = vec3_scale(it->w[n], axis);
        if (it->is_triangle) felt = vec3_mad(felt, -vec3_dot(it->gradient[n], axis), it->n);
        jacobian[3 * n][k] = felt.x, jacobian[3 * n + 1][k] = felt.y, jacobian[3 * n + 2][k] = felt.z;
    }
}

void cdg_surface_row(const cdg_pieces *p, const cdg_body_piece *bodies, const cdg_contact *contact, bool at_base,
                     cdg_contact_row *row) {
    row->point_count = CDG_ROW_POINTS;
    find_points(p, contact, row);
    setting it = {p, bodies, contact, row->point};
    const cdg_contact_side *other = &contact->side[1];
    bool is_implicit_chain = other->kind == CDG_SIDE_SEGMENT && contact_side_is_implicit(p, other);
    at_base = at_base && !is_implicit_chain && other->kind != CDG_SIDE_OBSTACLE && !(contact->far_share < 0);
    action actions[2];
    if (!(at_base && act(&it, p->base, actions)) && !act(&it, p->next, actions)) act_plainly(&it, actions);
    row->axes[0] = contact->normal;
    row->axes[1] = vec3_any_perpendicular(contact->normal);
    row->axes[2] = vec3_cross(row->axes[0], row->axes[1]);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 2; i++) {
            double sign = i == 0 ? 1 : -1;
            put_column(&actions[i], vec3_scale(sign, row->axes[k]), k, &row->jacobian[9 * i]);
            row->jacobian[3 * CDG_ROW_POINTS + i][k] = sign * vec3_dot(actions[i].lever, row->axes[k]);
        }
    merge_points(row);
}
