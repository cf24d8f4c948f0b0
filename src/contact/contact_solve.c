// Forces of all contacts: block Gauss-Seidel with exact Coulomb friction in each block. Where all rods are explicit,
// contact_sweep.h does it for eight contacts at once; with implicit rods it is done here.
//
// A force f acts on an element at a point of its surface, at the foot place w along the element's axis e and the arm r
// from there. It is shared out to the end points so that forces and moments are those of f:
//   on the ends  (1 - w) f + r (e . f)/L  and  w f - r (e . f)/L,    about the axis  (e x r) . f,
// L being the element's length; r is perpendicular to e. The point's displacement by moves of the ends and a turn is
// the transpose of this. Both sides of a contact feel opposite forces at one and the same point, so linear and angular
// momentum are kept (pieces.h).
//
// For each contact in turn, with everything else fixed: the normal force such that the gap reaches its target, but no
// pull; then the friction that takes the slip back (sticks), and if that is more than friction times the normal force,
// one of just that size that opposes the slip.
#include "contact/contacts.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// With implicit rods a few sweeps find roughly what touches, and alternating directions the forces (contact_coupled.h).
// Of many contacts, sweeps are as many as time allows: what is left, the next round or step goes on from.
enum { SWEEPS_MAX = 100, SWEEPS_LEAST = 20, VISITS_MAX = 100000, SWEEPS_ROUGH = 8, COUPLED_TIMES = 6 };
// Those of explicit rods are several times as fast (contact_sweep.h).
enum { FAST_SWEEPS_LEAST = 10, FAST_VISITS_MAX = 64000, FAST_COUNT = 1000 };
// Sweeps end when no contact moves by more than a share of the radius, and no force changes by more than a share
// of the largest: in short steps forces matter that move nothing visibly. Rounding ends it, too.
static const double tolerance_share = 5e-5, force_share = 1e-3, rounding_share = 1e-12;

// ---- rows -----------------------------------------------------------------------------------------------------------

typedef cdg_row_side side;

static side side_of(const cdg_pieces *p, uint32_t e, cdg_vec3 point) {
    cdg_vec3 from = p->base[p->ends[e][0]], to = p->base[p->ends[e][1]], axis = p->axis[e];
    double length = vec3_distance(from, to), along = vec3_dot(vec3_sub(point, from), axis);
    cdg_vec3 arm = vec3_sub(vec3_sub(point, from), vec3_scale(along, axis));
    return (side){length > 0 ? along / length : 0, axis, vec3_scale(length > 0 ? 1 / length : 0, arm),
                  vec3_cross(axis, arm)};
}

// As if the element were where it is in the candidate: for motions so large that the base is no guide.
static side plain_side(const cdg_pieces *p, uint32_t e, double s, cdg_vec3 arm) {
    cdg_vec3 edge = vec3_sub(p->next[p->ends[e][1]], p->next[p->ends[e][0]]);
    double length = vec3_norm(edge);
    cdg_vec3 axis = length > 0 ? vec3_scale(1 / length, edge) : p->axis[e];
    arm = vec3_mad(arm, -vec3_dot(arm, axis), axis);
    return (side){s, axis, vec3_scale(length > 0 ? 1 / length : 0, arm), vec3_cross(axis, arm)};
}

// A rod and a body. The body's side says nothing but that its centre moves with the force; `lever` says how it turns.
void cdg_contact_body_sides(const cdg_pieces *p, const cdg_contact *contact, bool at_base, side out[2],
                            cdg_vec3 *lever) {
    double radius = pieces_radius(p, contact->a, contact->s);
    cdg_vec3 arm = vec3_scale(-radius, contact->normal);
    uint32_t center = p->first_body_point + 2 * (contact->body1 - 1);
    cdg_vec3 point = vec3_add(pieces_at(p, p->next, contact->a, contact->s), arm);
    out[1] = (side){0};
    *lever = vec3_sub(point, p->next[center]);
    if (at_base && !p->held[center] && !p->is_implicit[p->rod_of[contact->a]]) {
        point = vec3_add(pieces_at(p, p->base, contact->a, contact->s), arm);
        out[0] = side_of(p, contact->a, point);
        cdg_vec3 at_start = vec3_sub(point, p->base[center]);
        // As between rods; and where the lever is off by no more than a quarter of itself.
        double most = fmax(2 * radius, 0.25 * vec3_norm(*lever));
        bool is_near = vec3_distance(at_start, *lever) < most && fabs(out[0].w - contact->s) < 0.5;
        if (is_near) *lever = at_start;
        if (is_near) return;
    }
    out[0] = plain_side(p, contact->a, contact->s, arm);
}

static void find_sides(const cdg_pieces *p, const cdg_contact *contact, bool at_base, side out[2]) {
    double ra = pieces_radius(p, contact->a, contact->s);
    cdg_vec3 arm = vec3_scale(-ra, contact->normal);
    if (contact->obstacle != UINT32_MAX) {
        out[0] = plain_side(p, contact->a, contact->s, arm);
        out[1] = (side){0};
        return;
    }
    double rb = pieces_radius(p, contact->b, contact->t);
    // Implicit rods are predicted anew with the forces, where they are in the candidate: the base says nothing of them.
    at_base = at_base && !p->is_implicit[p->rod_of[contact->a]] && !p->is_implicit[p->rod_of[contact->b]];
    cdg_vec3 a = pieces_at(p, p->base, contact->a, contact->s), b = pieces_at(p, p->base, contact->b, contact->t);
    cdg_vec3 point = vec3_lerp(a, b, ra / (ra + rb));
    out[0] = side_of(p, contact->a, point);
    out[1] = side_of(p, contact->b, point);
    // Farther than two radii from the axis, or off the element's place by more than half of it: too far a guess.
    bool is_near = at_base && vec3_distance(a, b) < 2 * (ra + rb) && fabs(out[0].w - contact->s) < 0.5 &&
                   fabs(out[1].w - contact->t) < 0.5;
    if (is_near) return;
    out[0] = plain_side(p, contact->a, contact->s, arm);
    out[1] = plain_side(p, contact->b, contact->t, vec3_scale(rb, contact->normal));
}

static void put3(double column[14][3], int first, int k, cdg_vec3 v) {
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

static double give_of(const cdg_contact_row *row, int m) { return m < 12 ? row->give[m / 3] : row->give[m - 8]; }

// Into the disk of radius `most`.
static void clip(double force[2], double most) {
    double norm2 = force[0] * force[0] + force[1] * force[1];
    if (norm2 <= most * most) return;
    double scale = norm2 > 0 ? most / sqrt(norm2) : 0;
    force[0] *= scale, force[1] *= scale;
}

static double along_normal(const double normal[3], cdg_vec3 d) {
    return normal[0] * d.x + normal[1] * d.y + normal[2] * d.z;
}

// How far the candidate is from what the contact aims at. Of explicit rods that bounce, the speed at which the gap
// opens should be a share of that at which it would close without contact, both measured as the contact's force acts:
// then what the force does to energy is what it does to this speed, and never more than it took (Newton's law in
// Moreau's form). What implicit rods would do without contact is not known here, nor is that of bodies: they aim at a
// gap.
double cdg_contact_missing_gap(const cdg_pieces *p, const cdg_contact *contact, const uint32_t point[4],
                               const double normal[12]) {
    bool is_explicit = !p->is_implicit[p->rod_of[contact->a]] && contact->body1 == 0 &&
                       (contact->obstacle != UINT32_MAX || !p->is_implicit[p->rod_of[contact->b]]);
    if (!is_explicit || !(contact->restitution > 0)) return contact->gap - contact->target;
    double opens = -vec3_dot(contact->normal, contact->carried), closes = -opens;
    for (int i = 0; i < 4; i++) {
        uint32_t k = point[i];
        opens += along_normal(&normal[3 * i], vec3_sub(p->next[k], p->base[k]));
        closes -= along_normal(&normal[3 * i], vec3_sub(p->free[k], p->base[k]));
    }
    return fmin(contact->gap, opens - contact->restitution * fmax(0, closes));
}

// `body`: with which the contact is; NULL: none.
static void make_row(const cdg_pieces *p, const cdg_contact *contact, const cdg_body_piece *body, bool at_base,
                     cdg_contact_row *row) {
    side sides[2];
    cdg_vec3 lever = {0, 0, 0};
    if (body != NULL)
        cdg_contact_body_sides(p, contact, at_base, sides, &lever);
    else
        find_sides(p, contact, at_base, sides);
    for (int k = 0; k < 2; k++) {
        row->point[k] = p->ends[contact->a][k];
        row->point[2 + k] =
            body != NULL ? p->first_body_point + 2 * (contact->body1 - 1) + (uint32_t)k : p->ends[contact->b][k];
    }
    row->element[0] = contact->a, row->element[1] = contact->b;
    for (int i = 0; i < 4; i++) row->give[i] = p->give[row->point[i]];
    for (int i = 0; i < 2; i++) row->give[4 + i] = p->turn_give[row->element[i]];
    cdg_vec3 axis = sides[0].axis;
    cdg_vec3 along = vec3_mad(axis, -vec3_dot(axis, contact->normal), contact->normal);
    row->axes[0] = contact->normal;
    row->axes[1] = vec3_norm(along) > 1e-3 ? vec3_normalize(along) : vec3_any_perpendicular(contact->normal);
    row->axes[2] = vec3_cross(row->axes[0], row->axes[1]);
    for (int k = 0; k < 3; k++) fill_column(row, sides, k, row->axes[k]);
    for (int k = 0; k < 3 && body != NULL; k++)
        put3(row->jacobian, 9, k, body_piece_turn(body, lever, vec3_scale(-1, row->axes[k])));

    memset(row->answer, 0, sizeof row->answer);
    for (int m = 0; m < 14; m++) {
        const double *j = row->jacobian[m], give = give_of(row, m);
        row->answer[0] += give * j[0] * j[0];
        row->answer[1] += give * j[0] * j[1];
        row->answer[2] += give * j[0] * j[2];
        row->answer[3] += give * j[1] * j[1];
        row->answer[4] += give * j[1] * j[2];
        row->answer[5] += give * j[2] * j[2];
    }
    // Slip over the step in the candidate, and what was left of it in steps before.
    double slip[3] = {0};
    for (int i = 0; i < (body != NULL ? 2 : 4); i++) { // `carried` has what the body's surface does, exactly
        cdg_vec3 d = vec3_sub(p->next[row->point[i]], p->start[row->point[i]]);
        for (int k = 1; k < 3; k++)
            slip[k] +=
                row->jacobian[3 * i][k] * d.x + row->jacobian[3 * i + 1][k] * d.y + row->jacobian[3 * i + 2][k] * d.z;
    }
    cdg_vec3 more = vec3_sub(contact->drift, contact->carried);
    for (int k = 1; k < 3; k++)
        slip[k] += row->jacobian[12][k] * p->turn[row->element[0]] + row->jacobian[13][k] * p->turn[row->element[1]] +
                   vec3_dot(row->axes[k], more);
    double normal[12];
    for (int m = 0; m < 12; m++) normal[m] = row->jacobian[m][0];
    row->offset[0] = cdg_contact_missing_gap(p, contact, row->point, normal);
    row->offset[1] = slip[1], row->offset[2] = slip[2];
    row->friction = contact->friction;
    row->tolerance = tolerance_share * contact->radius;
    for (int k = 0; k < 3; k++) row->force[k] = vec3_dot(row->axes[k], contact->force);
    if (!(row->force[0] > 0)) row->force[0] = 0;
    clip(row->force + 1, row->friction * row->force[0]);
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

static void apply(const cdg_contact_row *row, const double change[3], cdg_pieces *p) {
    for (int i = 0; i < 4; i++) {
        const double(*j)[3] = &row->jacobian[3 * i];
        cdg_vec3 *move = &p->move[row->point[i]];
        double give = row->give[i];
        move->x += give * (j[0][0] * change[0] + j[0][1] * change[1] + j[0][2] * change[2]);
        move->y += give * (j[1][0] * change[0] + j[1][1] * change[1] + j[1][2] * change[2]);
        move->z += give * (j[2][0] * change[0] + j[2][1] * change[1] + j[2][2] * change[2]);
    }
    for (int i = 0; i < 2; i++) {
        const double *j = row->jacobian[12 + i];
        p->more_turn[row->element[i]] += row->give[4 + i] * (j[0] * change[0] + j[1] * change[1] + j[2] * change[2]);
    }
}

static void measure(const cdg_contact_row *row, const cdg_pieces *p, double out[3]) {
    double u[3] = {row->offset[0], row->offset[1], row->offset[2]};
    for (int i = 0; i < 4; i++) {
        const double(*j)[3] = &row->jacobian[3 * i];
        cdg_vec3 d = p->move[row->point[i]];
        for (int k = 0; k < 3; k++) u[k] += j[0][k] * d.x + j[1][k] * d.y + j[2][k] * d.z;
    }
    for (int i = 0; i < 2; i++) {
        double turn = p->more_turn[row->element[i]];
        for (int k = 0; k < 3; k++) u[k] += row->jacobian[12 + i][k] * turn;
    }
    for (int k = 0; k < 3; k++) out[k] = u[k];
}

// The friction with everything else fixed; `slip` is that of the force as it is.
static void rub(const cdg_contact_row *row, double normal, const double slip[2], double out[2]) {
    double a = row->answer[3], b = row->answer[4], c = row->answer[5], most = row->friction * normal;
    double determinant = a * c - b * b;
    out[0] = row->force[1], out[1] = row->force[2];
    if (determinant > 1e-12 * a * c) {
        double stick[2] = {out[0] - (c * slip[0] - b * slip[1]) / determinant,
                           out[1] - (a * slip[1] - b * slip[0]) / determinant};
        if (stick[0] * stick[0] + stick[1] * stick[1] <= most * most) {
            out[0] = stick[0], out[1] = stick[1];
            return;
        }
    }
    // Sliding: the fixed point of projecting onto the disk opposes the slip, whatever the step length of projecting.
    double largest = 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
    double step = largest > 0 ? 1 / largest : 0;
    for (int i = 0; i < 8; i++) {
        double d0 = out[0] - row->force[1], d1 = out[1] - row->force[2];
        out[0] -= step * (slip[0] + a * d0 + b * d1);
        out[1] -= step * (slip[1] + b * d0 + c * d1);
        clip(out, most);
        if (b * b <= 1e-6 * a * c && fabs(a - c) <= 1e-3 * largest) break; // one projection is exact
    }
}

static double tolerance_of(const cdg_contact_row *row, double largest) {
    double tolerance = fmin(row->tolerance, force_share * row->answer[0] * largest);
    return fmax(tolerance, rounding_share / tolerance_share * row->tolerance);
}

// What a change of a row's force does to all rows by way of rods that answer as a whole.
static void apply_coupling(cdg_contacts *c, size_t index, const double change[3]) {
    if (!c->coupling.has_implicit || c->coupling.count[index] == 0) return; // without any there is no array
    const cdg_coupling_entry *entry = c->coupling.entries + c->coupling.first[index];
    for (uint32_t i = 0; i < c->coupling.count[index]; i++, entry++) {
        double *offset = c->rows[entry->row].offset;
        for (int k = 0; k < 3; k++)
            offset[k] += entry->by[0][k] * change[0] + entry->by[1][k] * change[1] + entry->by[2][k] * change[2];
    }
}

// Returns how far the contact's points moved, in tolerances; `largest` is the largest normal force so far. Negative: no
// memory.
static double solve_row(cdg_contacts *c, size_t index, double *largest) {
    cdg_contact_row *row = &c->rows[index];
    cdg_pieces *p = &c->pieces;
    double u[3], change[3];
    measure(row, p, u);
    if (u[0] >= 0 && row->force[0] == 0) return 0;
    if (!cdg_coupling_of(&c->coupling, p, c->rows, index)) return -1;
    if (!(row->answer[0] > 0)) return 0;
    double normal = fmax(0, row->force[0] - u[0] / row->answer[0]);
    change[0] = normal - row->force[0];
    change[1] = change[2] = 0;
    if (row->friction > 0 && (normal > 0 || row->force[0] > 0)) {
        double slip[2] = {u[1] + row->answer[1] * change[0], u[2] + row->answer[2] * change[0]}, friction[2];
        rub(row, normal, slip, friction);
        change[1] = friction[0] - row->force[1], change[2] = friction[1] - row->force[2];
    }
    if (change[0] == 0 && change[1] == 0 && change[2] == 0) return 0;
    apply(row, change, p);
    apply_coupling(c, index, change);
    for (int k = 0; k < 3; k++) row->force[k] += change[k];
    double moved =
        fabs(change[0] * row->answer[0]) + fabs(change[1] * row->answer[3]) + fabs(change[2] * row->answer[5]);
    if (normal > *largest) *largest = normal;
    return moved / tolerance_of(row, *largest);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void clear_forces(const cdg_pieces *p) {
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
}

// What the contacts' forces do to points and elements.
static void gather_forces(const cdg_contacts *c) {
    cdg_pieces const *p = &c->pieces;
    clear_forces(p);
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact_row *row = &c->rows[i];
        const double *f = row->force;
        if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
        for (int k = 0; k < 4; k++) {
            const double(*j)[3] = &row->jacobian[3 * k];
            cdg_vec3 *force = &p->force[row->point[k]];
            force->x += j[0][0] * f[0] + j[0][1] * f[1] + j[0][2] * f[2];
            force->y += j[1][0] * f[0] + j[1][1] * f[1] + j[1][2] * f[2];
            force->z += j[2][0] * f[0] + j[2][1] * f[1] + j[2][2] * f[2];
        }
        for (int k = 0; k < 2; k++) {
            const double *j = row->jacobian[12 + k];
            p->torque[row->element[k]] += j[0] * f[0] + j[1] * f[1] + j[2] * f[2];
        }
    }
}

static void read_back(cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact_row *row = &c->rows[i];
        cdg_contact *contact = &c->list[i];
        contact->force = vec3_mad(vec3_mad(vec3_scale(row->force[0], row->axes[0]), row->force[1], row->axes[1]),
                                  row->force[2], row->axes[2]);
        double u[3];
        measure(row, &c->pieces, u);
        double most = row->friction * row->force[0];
        contact->sticks = row->force[0] > 0 &&
                          sqrt(row->force[1] * row->force[1] + row->force[2] * row->force[2]) < most * (1 - 1e-9);
        contact->left =
            contact->sticks ? vec3_add(vec3_scale(u[1], row->axes[1]), vec3_scale(u[2], row->axes[2])) : vec3(0, 0, 0);
    }
}

// Sweeps over all contacts until forces hold, at most `most`. Returns how many; negative: no memory.
static int sweep(cdg_contacts *c, int most, bool *is_good) {
    int sweeps = 0;
    double largest = 0, worst = 2;
    for (size_t i = 0; i < c->count; i++) largest = fmax(largest, c->rows[i].force[0]);
    for (; sweeps < most && worst > 1; sweeps++) {
        worst = 0;
        for (size_t i = 0; i < c->count; i++) {
            double moved = solve_row(c, i, &largest);
            if (moved < 0) return -1;
            worst = fmax(worst, moved);
        }
    }
    *is_good = worst <= 1;
    return sweeps;
}

// ---- strongly coupled contacts --------------------------------------------------------------------------------------

static bool reserve_dense(cdg_contacts *c, size_t count) {
    if (count <= c->dense_capacity) return true;
    size_t capacity = count + count / 2;
    cdg_coupled_contact *dense = realloc(c->dense, capacity * sizeof *dense);
    if (dense != NULL) c->dense = dense;
    uint32_t *dense_row = realloc(c->dense_row, capacity * sizeof *dense_row);
    if (dense_row != NULL) c->dense_row = dense_row;
    size_t doubles = cdg_coupled_scratch(capacity) + 9 * capacity * capacity;
    double *memory = realloc(c->dense_memory, doubles * sizeof *memory);
    if (memory != NULL) c->dense_memory = memory;
    if (dense == NULL || dense_row == NULL || memory == NULL) return false;
    c->dense_capacity = capacity;
    return true;
}

// What a force on one row does to another through points and elements that they share.
static void add_shared(const cdg_contact_row *to, const cdg_contact_row *from, double *block, size_t n) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            if (to->point[i] != from->point[j] || to->give[i] == 0) continue;
            for (int k = 0; k < 3; k++)
                for (size_t a = 0; a < 3; a++)
                    for (size_t b = 0; b < 3; b++)
                        block[a * n + b] += to->give[i] * to->jacobian[3 * i + k][a] * from->jacobian[3 * j + k][b];
        }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            if (to->element[i] != from->element[j] || to->give[4 + i] == 0) continue;
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    block[a * n + b] += to->give[4 + i] * to->jacobian[12 + i][a] * from->jacobian[12 + j][b];
        }
}

// Whether nothing lies deeper than tolerated.
static bool is_clear(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++) {
        double u[3];
        measure(&c->rows[i], &c->pieces, u);
        if (u[0] < -c->rows[i].tolerance) return false;
    }
    return true;
}

// All that touches or pushes, as one dense system. Returns the iterations; negative: no memory.
static int solve_dense(cdg_contacts *c, bool *is_good) {
    *is_good = false;
    size_t count = 0;
    double largest = 0;
    for (size_t i = 0; i < c->count; i++) {
        double u[3];
        measure(&c->rows[i], &c->pieces, u);
        c->rows[i].place = UINT32_MAX;
        if (c->rows[i].force[0] == 0 && u[0] > 0) continue;
        if (!(c->rows[i].answer[0] > 0) && !cdg_coupling_of(&c->coupling, &c->pieces, c->rows, i)) return -1;
        c->rows[i].place = (uint32_t)count++;
        largest = fmax(largest, c->rows[i].force[0]);
    }
    if (count == 0 || count > CDG_COUPLED_CONTACTS_MAX) return 0;
    if (!reserve_dense(c, count)) return -1;
    size_t n = 3 * count;
    double *answer = c->dense_memory, *scratch = answer + n * n;
    memset(answer, 0, n * n * sizeof *answer);
    for (size_t i = 0, at = 0; i < c->count; i++) {
        cdg_contact_row *row = &c->rows[i];
        if (row->place == UINT32_MAX) continue;
        if (!cdg_coupling_of(&c->coupling, &c->pieces, c->rows, i)) return -1;
        c->dense_row[at] = (uint32_t)i;
        cdg_coupled_contact *contact = &c->dense[at++];
        measure(row, &c->pieces, contact->offset);
        memcpy(contact->force, row->force, sizeof contact->force);
        contact->friction = row->friction;
        contact->tolerance = 0.5 * tolerance_of(row, largest);
        if (c->coupling.count[i] == 0) continue;
        const cdg_coupling_entry *entry = c->coupling.entries + c->coupling.first[i];
        for (uint32_t k = 0; k < c->coupling.count[i]; k++, entry++) {
            size_t to = c->rows[entry->row].place;
            if (to == UINT32_MAX) continue;
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++) answer[(3 * to + a) * n + 3 * row->place + b] += entry->by[b][a];
        }
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++)
            add_shared(&c->rows[c->dense_row[i]], &c->rows[c->dense_row[j]], answer + 3 * i * n + 3 * j, n);
    int iterations = cdg_coupled_solve(c->dense, count, answer, scratch, is_good);
    for (size_t i = 0; i < count; i++) {
        cdg_contact_row *row = &c->rows[c->dense_row[i]];
        double force[3] = {fmax(0, c->dense[i].force[0]), c->dense[i].force[1], c->dense[i].force[2]};
        clip(force + 1, row->friction * force[0]);
        double change[3] = {force[0] - row->force[0], force[1] - row->force[1], force[2] - row->force[2]};
        apply(row, change, &c->pieces);
        apply_coupling(c, c->dense_row[i], change);
        for (int k = 0; k < 3; k++) row->force[k] = force[k];
    }
    *is_good = *is_good && is_clear(c);
    return iterations;
}

static bool reserve_rows(cdg_contacts *c) {
    if (c->count <= c->row_capacity) return true;
    size_t capacity = c->count + c->count / 2;
    cdg_contact_row *grown = realloc(c->rows, capacity * sizeof *grown);
    if (grown == NULL) return false;
    c->rows = grown;
    c->row_capacity = capacity;
    return true;
}

// What the forces, as they are, add to the candidate, which has those before.
static void move_points(const cdg_pieces *p) {
    for (size_t k = 0; k < p->point_count; k++)
        p->move[k] = vec3_scale(p->give[k], vec3_sub(p->force[k], p->force_before[k]));
    for (size_t e = 0; e <= p->element_count; e++)
        p->more_turn[e] = p->turn_give[e] * (p->torque[e] - p->torque_before[e]);
}

// Sweeps of rows, as many as time allows.
static int sweep_limit(size_t count, size_t visits, int least) {
    size_t most = count > 0 ? visits / count : 0;
    return most > SWEEPS_MAX ? SWEEPS_MAX : most < (size_t)least ? least : (int)most;
}

static void fill_batch(const void *user, cdg_sweep_batch *batch) {
    cdg_row_kernels_choose()->fill((const cdg_row_maker *)user, batch);
}

// All rods are explicit: contacts feel each other by shared points and elements only. Few are solved better, for it
// costs little, and a rod alone on a slope should not creep.
static int solve_explicit(cdg_contacts *c, bool at_base) {
    const cdg_pieces *p = &c->pieces;
    cdg_row_maker maker = {
        .contacts = c->list, .pieces = p, .bodies = c->bodies, .at_base = at_base, .tolerance_share = tolerance_share};
    if (!cdg_row_maker_start(&maker, &c->lanes, c->count)) return -1;
    double share = fmin(1, fmax(0.02, (double)c->count / FAST_COUNT));
    cdg_sweep_problem problem = {.links = c->lanes.links,
                                 .row_count = c->count,
                                 .point_count = p->point_count,
                                 .element_count = p->element_count + 1,
                                 .give = p->give,
                                 .turn_give = p->turn_give,
                                 .force_before = &p->force_before[0].x,
                                 .torque_before = p->torque_before,
                                 .force_share = share * force_share,
                                 .most = sweep_limit(c->count, FAST_VISITS_MAX, FAST_SWEEPS_LEAST),
                                 .fill = fill_batch,
                                 .user = &maker};
    int sweeps = cdg_sweeper_solve(&c->sweeper, &problem);
    if (sweeps < 0) return -1;
    const cdg_row_kernels *kernels = cdg_row_kernels_choose();
    const cdg_sweep_batch *batches = c->sweeper.batches;
    clear_forces(p);
    for (size_t i = 0; i < c->sweeper.batch_count; i++) kernels->give_back(&maker, &batches[i]);
    move_points(p);
    for (size_t i = 0; i < c->sweeper.batch_count; i++) kernels->read_back(&maker, &batches[i]);
    return sweeps;
}

static int solve_coupled(cdg_contacts *c, bool at_base) {
    cdg_pieces *p = &c->pieces;
    if (!reserve_rows(c)) return -1;
    for (size_t i = 0; i < c->count; i++) {
        uint32_t body1 = c->list[i].body1;
        make_row(p, &c->list[i], body1 > 0 ? &c->bodies[body1 - 1] : NULL, at_base, &c->rows[i]);
    }
    if (!cdg_coupling_start(&c->coupling, p, c->rows, c->count)) return -1;
    gather_forces(c);
    move_points(p);
    cdg_coupling_apply(&c->coupling, p, c->rows, p->force_before, p->torque_before);
    bool is_good = false;
    int sweeps = 0;
    for (int times = 0; times < COUPLED_TIMES && !is_good; times++) {
        int more = times == 0 ? sweep(c, SWEEPS_ROUGH, &is_good) : 0;
        if (more < 0) return -1;
        sweeps += more;
        if (is_good) break;
        more = solve_dense(c, &is_good);
        if (more < 0) return -1;
        if (more == 0 && !is_good) break;
        sweeps += more;
    }
    if (!is_good) {
        int more = sweep(c, sweep_limit(c->count, VISITS_MAX, SWEEPS_LEAST), &is_good);
        if (more < 0) return -1;
        sweeps += more;
    }
    gather_forces(c);
    read_back(c);
    return sweeps;
}

static int solve(cdg_contacts *c, bool at_base) {
    cdg_pieces *p = &c->pieces;
    // The candidate has the forces of the round before, through rows as they were then; the solvers start from what
    // the rows, as they are now, make of them.
    memcpy(p->force_before, p->force, p->point_count * sizeof *p->force);
    memcpy(p->torque_before, p->torque, (p->element_count + 1) * sizeof *p->torque);
    int sweeps = c->coupling.has_implicit ? solve_coupled(c, at_base) : solve_explicit(c, at_base);
    if (sweeps < 0) return -1;
    for (size_t k = 0; k < p->point_count; k++)
        if (p->give[k] > 0) p->next[k] = vec3_mad(p->free[k], p->give[k], vec3_sub(p->force[k], p->loaded[k]));
    for (size_t e = 0; e <= p->element_count; e++)
        if (p->turn_give[e] > 0) p->turn[e] = p->turn_free[e] + p->turn_give[e] * (p->torque[e] - p->loaded_torque[e]);
    return sweeps;
}

int cdg_contacts_solve(cdg_contacts *c, bool at_base) {
    double start = c->clock != NULL ? c->clock() : 0;
    int sweeps = solve(c, at_base);
    if (c->clock != NULL) c->solve_seconds += c->clock() - start;
    return sweeps;
}
