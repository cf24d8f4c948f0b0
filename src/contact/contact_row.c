// A contact's row: its points and axes, how a force on it acts on points and elements, gap and slip in the candidate.
// contact_rows.h has the same for explicit rods, eight contacts at a time.
//
// A force f acts on an element at a point of its surface, at the foot w along the element's axis e and the arm r
// from there. It is shared out to the end points so that forces and moments are those of f:
//   on the ends  (1 - w) f + r (e . f)/L  and  w f - r (e . f)/L,    about the axis  (e x r) . f,
// L being the element's length; r is perpendicular to e. The point's displacement by moves of the ends and a turn is
// the transpose of this. Both sides of a contact feel opposite forces at one and the same point, so linear and angular
// momentum are kept (pieces.h).
#include "contact/contacts.h"

#include "math/quat.h"
#include "math/vec3.h"

#include <string.h>

typedef cdg_row_side side;

side cdg_segment_row_side(const cdg_pieces *p, uint32_t e, cdg_vec3 point) {
    cdg_vec3 from = p->base[p->ends[e][0]], to = p->base[p->ends[e][1]], axis = p->axis[e];
    double length = vec3_distance(from, to), along = vec3_dot(vec3_sub(point, from), axis);
    cdg_vec3 arm = vec3_sub(vec3_sub(point, from), vec3_scale(along, axis));
    return (side){length > 0 ? along / length : 0, axis, vec3_scale(length > 0 ? 1 / length : 0, arm),
                  vec3_cross(axis, arm)};
}

// As if the element were where it is in the candidate: for motions so large that the base is no guide.
side cdg_segment_plain_side(const cdg_pieces *p, uint32_t e, double s, cdg_vec3 arm) {
    cdg_vec3 edge = vec3_sub(p->next[p->ends[e][1]], p->next[p->ends[e][0]]);
    double length = vec3_norm(edge);
    cdg_vec3 axis = length > 0 ? vec3_scale(1 / length, edge) : p->axis[e];
    arm = vec3_mad(arm, -vec3_dot(arm, axis), axis);
    return (side){s, axis, vec3_scale(length > 0 ? 1 / length : 0, arm), vec3_cross(axis, arm)};
}

// A rod and a body. The body's side says nothing but that its centre moves with the force; `lever` says how it turns.
void cdg_contact_body_sides(const cdg_pieces *p, const cdg_contact *contact, bool at_base, side out[2],
                            cdg_vec3 *lever) {
    double radius = pieces_radius(p, contact->side[0].element, contact->parameter[0]);
    cdg_vec3 arm = vec3_scale(-radius, contact->normal);
    uint32_t center = contact_point(p, &contact->side[1], 0);
    cdg_vec3 point = vec3_add(pieces_at(p, p->next, contact->side[0].element, contact->parameter[0]), arm);
    out[1] = (side){0};
    *lever = vec3_sub(point, p->next[center]);
    if (at_base && !p->held[center] && !pieces_is_implicit(p, contact->side[0].element)) {
        point = vec3_add(pieces_at(p, p->base, contact->side[0].element, contact->parameter[0]), arm);
        out[0] = cdg_segment_row_side(p, contact->side[0].element, point);
        cdg_vec3 at_start = vec3_sub(point, p->base[center]);
        // As between rods; and where the lever is off by no more than a quarter of itself.
        double most = fmax(2 * radius, 0.25 * vec3_norm(*lever));
        bool is_near = vec3_distance(at_start, *lever) < most && fabs(out[0].w - contact->parameter[0]) < 0.5;
        if (is_near) *lever = at_start;
        if (is_near) return;
    }
    out[0] = cdg_segment_plain_side(p, contact->side[0].element, contact->parameter[0], arm);
}

// Where one side's shape touches, when its axes lie as the body's at the end of the step, from its centre.
static cdg_vec3 lever_of(const cdg_pieces *p, const cdg_body_piece *bodies, const cdg_contact_side *it,
                         cdg_vec3 point) {
    cdg_pose pose = cdg_body_piece_pose(p, bodies, it->object);
    cdg_vec3 at = vec3_add(pose.position, quat_rotate(pose.orientation, point));
    return vec3_sub(at, p->next[contact_point(p, it, 0)]);
}

// Opposite forces must act at one and the same point from the bases (pieces.h) to keep angular momentum: the one
// halfway between both surfaces at the start of the step, unless that is too far a guess.
static void take_common_levers(const cdg_pieces *p, const cdg_body_piece *bodies, const cdg_contact *contact,
                               cdg_vec3 lever[2]) {
    cdg_vec3 at[2], base[2];
    for (int i = 0; i < 2; i++) {
        cdg_pose start = cdg_body_piece_start(&bodies[contact->side[i].object]);
        at[i] = vec3_add(start.position, quat_rotate(start.orientation, contact->point[i]));
    }
    for (int i = 0; i < 2; i++) {
        base[i] = vec3_sub(vec3_lerp(at[0], at[1], 0.5), p->base[contact_point(p, &contact->side[i], 0)]);
        if (!(vec3_distance(base[i], lever[i]) < fmax(contact->radius, 0.25 * vec3_norm(lever[i])))) return;
    }
    lever[0] = base[0], lever[1] = base[1];
}

void cdg_contact_shape_levers(const cdg_pieces *p, const cdg_body_piece *bodies, const cdg_contact *contact,
                              bool at_base, cdg_vec3 lever[2]) {
    bool is_free = true;
    for (int i = 0; i < 2; i++) {
        const cdg_contact_side *it = &contact->side[i];
        lever[i] = vec3(0, 0, 0);
        is_free = is_free && it->kind == CDG_SIDE_BODY && !p->held[contact_point(p, it, 0)];
        if (it->kind == CDG_SIDE_BODY) lever[i] = lever_of(p, bodies, it, contact->point[i]);
    }
    if (at_base && is_free) take_common_levers(p, bodies, contact, lever);
}

static void find_sides(const cdg_pieces *p, const cdg_contact *contact, bool at_base, side out[2]) {
    double ra = pieces_radius(p, contact->side[0].element, contact->parameter[0]);
    cdg_vec3 arm = vec3_scale(-ra, contact->normal);
    if (contact->side[1].kind == CDG_SIDE_OBSTACLE) {
        out[0] = cdg_segment_plain_side(p, contact->side[0].element, contact->parameter[0], arm);
        out[1] = (side){0};
        return;
    }
    double rb = pieces_radius(p, contact->side[1].element, contact->parameter[1]);
    // Implicit rods are predicted anew with the forces, where they are in the candidate: the base says nothing of them.
    if (at_base && !pieces_is_implicit(p, contact->side[0].element) &&
        !pieces_is_implicit(p, contact->side[1].element)) {
        cdg_vec3 a = pieces_at(p, p->base, contact->side[0].element, contact->parameter[0]),
                 b = pieces_at(p, p->base, contact->side[1].element, contact->parameter[1]);
        cdg_vec3 point = vec3_lerp(a, b, ra / (ra + rb));
        out[0] = cdg_segment_row_side(p, contact->side[0].element, point);
        out[1] = cdg_segment_row_side(p, contact->side[1].element, point);
        // Farther than two radii from the axis, or off the element by more than half of it: too far a guess.
        bool is_near = vec3_distance(a, b) < 2 * (ra + rb) && fabs(out[0].w - contact->parameter[0]) < 0.5 &&
                       fabs(out[1].w - contact->parameter[1]) < 0.5;
        if (is_near) return;
    }
    out[0] = cdg_segment_plain_side(p, contact->side[0].element, contact->parameter[0], arm);
    out[1] =
        cdg_segment_plain_side(p, contact->side[1].element, contact->parameter[1], vec3_scale(rb, contact->normal));
}

static void put3(double (*column)[3], int first, int k, cdg_vec3 v) {
    column[first][k] = v.x, column[first + 1][k] = v.y, column[first + 2][k] = v.z;
}

static void fill_column(cdg_contact_row *row, const side sides[2], int k, cdg_vec3 direction) {
    for (int i = 0; i < 2; i++) {
        cdg_vec3 d = i == 0 ? direction : vec3_scale(-1, direction);
        const side *it = &sides[i];
        double along = vec3_dot(it->axis, d);
        put3(row->jacobian, 6 * i, k, vec3_mad(vec3_scale(1 - it->w, d), along, it->arm));
        put3(row->jacobian, 6 * i + 3, k, vec3_mad(vec3_scale(it->w, d), -along, it->arm));
        row->jacobian[12 + i][k] = vec3_dot(it->lever, d);
    }
}

static double along_normal(const double normal[3], cdg_vec3 d) {
    return normal[0] * d.x + normal[1] * d.y + normal[2] * d.z;
}

// How far the candidate is from what the contact aims at. Of explicit rods that bounce, the speed at which the gap
// opens should be a share of that at which it would close without contact, both measured as the contact's force acts:
// then what the force does to energy is what it does to this speed, and never more than it took (Newton's law in
// Moreau's form). What implicit rods would do without contact is not known here, nor is that of bodies: they aim at a
// gap.
double cdg_contact_missing_gap(const cdg_pieces *p, const cdg_contact *contact, const uint32_t *point,
                               const double *normal, size_t point_count) {
    bool is_explicit = true;
    for (int i = 0; i < 2; i++)
        is_explicit =
            is_explicit && contact->side[i].kind != CDG_SIDE_BODY && !contact_side_is_implicit(p, &contact->side[i]);
    if (!is_explicit || !(contact->restitution > 0)) return contact->gap - contact->target;
    double opens = -vec3_dot(contact->normal, contact->carried), closes = -opens;
    for (size_t i = 0; i < point_count; i++) {
        uint32_t k = point[i];
        opens += along_normal(&normal[3 * i], vec3_sub(p->next[k], p->base[k]));
        closes -= along_normal(&normal[3 * i], vec3_sub(p->free[k], p->base[k]));
    }
    return fmin(contact->gap, opens - contact->restitution * fmax(0, closes));
}

// Points, axes and Jacobian between segments and shapes.
static void make_narrow(const cdg_pieces *p, const cdg_contact *contact, const cdg_body_piece *bodies, bool at_base,
                        cdg_contact_row *row) {
    side sides[2] = {0};
    cdg_vec3 lever[2] = {{0, 0, 0}, {0, 0, 0}};
    if (contact->side[0].kind != CDG_SIDE_SEGMENT)
        cdg_contact_shape_levers(p, bodies, contact, at_base, lever);
    else if (contact->side[1].kind == CDG_SIDE_BODY)
        cdg_contact_body_sides(p, contact, at_base, sides, &lever[1]);
    else
        find_sides(p, contact, at_base, sides);
    row->point_count = 4;
    for (uint32_t i = 0; i < 2; i++) {
        row->element[i] = contact->side[i].element;
        row->object[i] = contact_object(p, &contact->side[i]);
        for (uint32_t k = 0; k < 2; k++) row->point[2 * i + k] = contact_point(p, &contact->side[i], k);
    }
    cdg_vec3 axis = sides[0].axis;
    cdg_vec3 along = vec3_mad(axis, -vec3_dot(axis, contact->normal), contact->normal);
    row->axes[0] = contact->normal;
    row->axes[1] = vec3_norm(along) > 1e-3 ? vec3_normalize(along) : vec3_any_perpendicular(contact->normal);
    row->axes[2] = vec3_cross(row->axes[0], row->axes[1]);
    for (int k = 0; k < 3; k++) fill_column(row, sides, k, row->axes[k]);
    for (int i = 0; i < 2; i++) {
        const cdg_body_piece *body = contact_body(bodies, &contact->side[i]);
        for (int k = 0; k < 3 && body != NULL; k++) {
            cdg_vec3 d = vec3_scale(i == 0 ? 1 : -1, row->axes[k]);
            put3(row->jacobian, 6 * i, k, body_piece_move(body, lever[i], d));
            put3(row->jacobian, 6 * i + 3, k, body_piece_turn(body, lever[i], d));
        }
    }
}

void cdg_contact_make_row(const cdg_pieces *p, const cdg_contact *contact, const cdg_body_piece *bodies, bool at_base,
                          cdg_contact_row *row) {
    if (contact_is_wide(contact))
        cdg_surface_row(p, bodies, contact, at_base, row);
    else
        make_narrow(p, contact, bodies, at_base, row);
    for (uint32_t i = 0; i < row->point_count; i++) row->give[i] = p->give[row->point[i]];
    for (uint32_t i = 0; i < 2; i++) row->give[row->point_count + i] = p->turn_give[row->element[i]];
    memset(row->answer, 0, sizeof row->answer);
    row->is_settled = false;
    for (uint32_t i = 0; i < row->point_count + 2; i++) {
        double give = row->give[i];
        uint32_t first = i < row->point_count ? 3 * i : 2 * row->point_count + i; // one of a turn
        for (uint32_t m = first; m < first + (i < row->point_count ? 3 : 1) && give > 0; m++) {
            const double *j = row->jacobian[m];
            row->answer[0] += give * j[0] * j[0];
            row->answer[1] += give * j[0] * j[1];
            row->answer[2] += give * j[0] * j[2];
            row->answer[3] += give * j[1] * j[1];
            row->answer[4] += give * j[1] * j[2];
            row->answer[5] += give * j[2] * j[2];
        }
    }
    // Slip over the step in the candidate, and what was left of it in steps before.
    double slip[3] = {0};
    for (uint32_t i = 0; i < row->point_count; i++) {
        if (contact->side[2 * i / row->point_count].kind == CDG_SIDE_BODY)
            continue; // `carried` has what a body's surface does, exactly
        cdg_vec3 d = vec3_sub(p->next[row->point[i]], p->start[row->point[i]]);
        for (int k = 1; k < 3; k++)
            slip[k] +=
                row->jacobian[3 * i][k] * d.x + row->jacobian[3 * i + 1][k] * d.y + row->jacobian[3 * i + 2][k] * d.z;
    }
    cdg_vec3 more = vec3_sub(contact->drift, contact->carried);
    for (int k = 1; k < 3; k++)
        slip[k] += contact_row_turn(row, 0)[k] * p->turn[row->element[0]] +
                   contact_row_turn(row, 1)[k] * p->turn[row->element[1]] + vec3_dot(row->axes[k], more);
    double normal[3 * CDG_ROW_POINTS];
    for (uint32_t m = 0; m < 3 * row->point_count; m++) normal[m] = row->jacobian[m][0];
    row->offset[0] = cdg_contact_missing_gap(p, contact, row->point, normal, row->point_count);
    row->offset[1] = slip[1], row->offset[2] = slip[2];
    row->friction = contact->friction;
    row->tolerance = contact_tolerance_share * contact->radius;
    for (int k = 0; k < 3; k++) row->force[k] = vec3_dot(row->axes[k], contact->force);
    if (!(row->force[0] > 0)) row->force[0] = 0;
    contact_clip(row->force + 1, row->friction * row->force[0]);
}
