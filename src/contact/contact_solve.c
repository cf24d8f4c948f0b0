// Forces of all contacts, with exact Coulomb friction. Where all rods are explicit, contact_sweep.h finds them by block
// Gauss-Seidel, eight contacts at once; with implicit rods contact_gradient.h does, through the rods' responses.
//
// The laws: the normal force such that the gap reaches its target, but no pull; then the friction that takes the slip
// back (sticks), and if that is more than friction times the normal force, one of just that size that opposes the slip.
#include "contact/contacts.h"

#include "base/parallel.h"
#include "contact/contact_normal.h"
#include "contact/contact_wide.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

// With implicit rods projected gradients (contact_gradient.h) find the forces, and where they do not, alternating
// directions (contact_coupled.h), if contacts are not too many. The normal forces of a few contacts without friction
// are found exactly (contact_normal.h): their matrix is small, while an iteration of the gradients goes through whole
// rods. Those of many are found by Newton's method (contact_normals.c); where they are off after all, gradients go on.
// Gradients that are far off after some iterations give way at once to the matrix, where contacts are few enough for
// one: in tight knots they would go on for hundreds of iterations. From DIRECT_LEAST contacts on, nine of ten times
// they would give way, and are left out.
enum { GRADIENT_TURNS = 200, GRADIENT_PROBATION = 20, COUPLED_TIMES = 6, NORMAL_CONTACTS_MAX = 60, DIRECT_LEAST = 40 };
// Of too many contacts for a matrix, the first two rounds, which a new prediction makes out of date, take fewer.
enum { MANY_TURNS_FIRST = 40, MANY_TURNS_SECOND = 60, MANY_TURNS = 150 };
// Tolerances, 0.002 of the radius: of so many contacts those farther apart wait, once the first round has shown which
// ones touch. Should one come to touch after all, the next round finds it.
static const double waiting_gap = 40;
// Of many contacts, sweeps are as many as time allows: what is left, the next round or step goes on from.
enum { SWEEPS_MAX = 100, FAST_SWEEPS_LEAST = 12, FAST_VISITS_MAX = 75000, FEW = 1000 };
// Bodies that stand on each other pass forces on from one to the next, and are so large beside what a step may leave of
// a gap that its rest is a speed one sees: few of them are solved to the end.
enum { SWEEPS_MAX_SHAPES = 2000 };
// How often contacts of surfaces that come to lie deep under the forces are added to those that are solved for.
enum { TOUCHING_TIMES = 5 };
// The first rounds of surfaces are out of date as soon as nearest points are looked for again: they take few sweeps.
enum { ROUNDS_SHORT = 4, SWEEPS_SHORT = 8 };
// Sweeps end when no contact moves by more than a share of the radius, and no force changes by more than a share
// of the largest: in short steps forces matter that move nothing visibly. Rounding ends it, too.
static const double force_share = 1e-3, rounding_share = 1e-12;
// What rests is solved better by this share: where forces of the step before leave gaps within a fiftieth of their
// tolerance. It costs little, for that is where solvers begin; and reactions of supports, which are what contacts leave
// of the weight, are still from step to step (docs/contact.md).
static const double resting_gap = 0.02, rest_share = 1e-2;
// Contacts of many implicit solids: sweeps that are enough in these rounds, as long as things lie deeper in each other
// than this share of the radius, and from which number of contacts on. More sweeps lead to no fewer rounds; and where
// faces lie on each other with much friction they do not come to an end, so other solvers have the last word.
enum { SPARSE_SWEEPS = 18, SPARSE_LEAST = 20, ROUNDS_ROUGH = 4 };
static const double rough_share = 0.1;
enum { ROUNDS_FAR = 4, ROUNDS_NEAR = 6, ROUNDS_NEAREST = 8 };
static const double near_share = 0.2, nearest_share = 0.1; // of a triangle
// Of the radius: by which friction may be off in what is left out of a solve.
static const double settled_slip = 8e-4;

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// What points' and elements' moves do to gap and slips.
static void feel(const cdg_contact_row *row, const cdg_pieces *p, double out[3]) {
    double u[3] = {0};
    for (uint32_t i = 0; i < row->point_count; i++) {
        const double(*j)[3] = &row->jacobian[3 * i];
        cdg_vec3 d = p->move[row->point[i]];
        for (int k = 0; k < 3; k++) u[k] += j[0][k] * d.x + j[1][k] * d.y + j[2][k] * d.z;
    }
    for (uint32_t i = 0; i < 2; i++) {
        double turn = p->more_turn[row->element[i]];
        for (int k = 0; k < 3; k++) u[k] += contact_row_turn(row, i)[k] * turn;
    }
    for (int k = 0; k < 3; k++) out[k] = u[k];
}

static void measure(const cdg_contact_row *row, const cdg_pieces *p, double out[3]) {
    feel(row, p, out);
    for (int k = 0; k < 3; k++) out[k] += row->offset[k];
}

static double tolerance_of(const cdg_contacts *c, const cdg_contact_row *row, double largest) {
    double tolerance = fmin(row->tolerance, c->force_share * row->answer[0] * largest);
    return fmax(tolerance, rounding_share / contact_tolerance_share * row->tolerance);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static void clear_forces(const cdg_pieces *p) {
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
}

// A force of a row, shared out to its points and elements.
static void spread(const cdg_contact_row *row, const double f[3], const cdg_pieces *p) {
    for (uint32_t k = 0; k < row->point_count; k++) {
        const double(*j)[3] = &row->jacobian[3 * k];
        cdg_vec3 *force = &p->force[row->point[k]];
        force->x += j[0][0] * f[0] + j[0][1] * f[1] + j[0][2] * f[2];
        force->y += j[1][0] * f[0] + j[1][1] * f[1] + j[1][2] * f[2];
        force->z += j[2][0] * f[0] + j[2][1] * f[1] + j[2][2] * f[2];
    }
    for (uint32_t k = 0; k < 2; k++) {
        const double *j = contact_row_turn(row, k);
        p->torque[row->element[k]] += j[0] * f[0] + j[1] * f[1] + j[2] * f[2];
    }
}

static void clear_moves(const cdg_pieces *p) {
    memset(p->move, 0, p->point_count * sizeof *p->move);
    memset(p->more_turn, 0, (p->element_count + 1) * sizeof *p->more_turn);
}

// What the rows' forces do to points and elements.
static void gather_forces(const cdg_contacts *c, size_t count) {
    cdg_pieces const *p = &c->pieces;
    clear_forces(p);
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_row *row = &c->rows[i];
        const double *f = row->force;
        if (f[0] == 0 && f[1] == 0 && f[2] == 0) continue;
        spread(row, f, p);
    }
}

static void read_back_row(const cdg_contacts *c, const cdg_contact_row *row, cdg_contact *contact) {
    contact->force = vec3_mad(vec3_mad(vec3_scale(row->force[0], row->axes[0]), row->force[1], row->axes[1]),
                              row->force[2], row->axes[2]);
    double u[3];
    measure(row, &c->pieces, u);
    double most = row->friction * row->force[0];
    contact->sticks =
        row->force[0] > 0 && sqrt(row->force[1] * row->force[1] + row->force[2] * row->force[2]) < most * (1 - 1e-9);
    contact->left =
        contact->sticks ? vec3_add(vec3_scale(u[1], row->axes[1]), vec3_scale(u[2], row->axes[2])) : vec3(0, 0, 0);
}

static void read_back(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++)
        if (!c->rows[i].is_settled) read_back_row(c, &c->rows[i], &c->list[i]);
}

// What the forces, as they are, add to the candidate, which has those before.
static void move_points(const cdg_pieces *p) {
    for (size_t k = 0; k < p->point_count; k++)
        p->move[k] = vec3_scale(p->give[k], vec3_sub(p->force[k], p->force_before[k]));
    for (size_t e = 0; e <= p->element_count; e++)
        p->more_turn[e] = p->turn_give[e] * (p->torque[e] - p->torque_before[e]);
}

// Few are solved better, because it costs little, and a rod alone on a slope should not creep.
static double few_share(size_t count) { return fmin(1, fmax(0.02, (double)count / FEW)); }

// ---- strongly coupled contacts --------------------------------------------------------------------------------------

static bool reserve_dense(cdg_contacts *c, size_t count) {
    if (count <= c->dense_capacity) return true;
    size_t capacity = count + count / 2;
    size_t doubles = cdg_coupled_scratch(capacity) + 9 * capacity * capacity;
    double *memory = realloc(c->dense_memory, doubles * sizeof *memory);
    if (memory == NULL) return false;
    c->dense_memory = memory;
    c->dense_capacity = capacity;
    return true;
}

// Whether nothing lies deeper than tolerated.
static bool is_clear(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++) {
        double u[3];
        if (c->rows[i].is_settled) continue;
        measure(&c->rows[i], &c->pieces, u);
        if (u[0] < -c->rows[i].tolerance) return false;
    }
    return true;
}

// What is solved for of a row, from where it is.
static void put_active(cdg_contacts *c, size_t i, double largest) {
    cdg_coupled_contact *contact = &c->active[c->active_count];
    const cdg_contact_row *row = &c->rows[i];
    c->active_row[c->active_count] = (uint32_t)i;
    c->compliance[c->active_count][0] = row->answer[0];
    c->compliance[c->active_count++][1] = 0.5 * (row->answer[3] + row->answer[5]);
    measure(row, &c->pieces, contact->offset);
    memcpy(contact->force, row->force, sizeof contact->force);
    contact->friction = row->friction;
    contact->tolerance = 0.5 * tolerance_of(c, row, largest);
}

static double largest_force(const cdg_contacts *c) {
    double largest = 0;
    for (size_t i = 0; i < c->count; i++) largest = fmax(largest, c->rows[i].force[0]);
    return largest;
}

// Whether forces of the step before nearly do.
static bool rests(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact_row *row = &c->rows[i];
        double u[3], most = resting_gap * row->tolerance;
        measure(row, &c->pieces, u);
        if (row->force[0] > 0 ? fabs(u[0]) > most : u[0] < -most) return false;
    }
    return true;
}

// Points' and elements' moves by the forces as they are, beyond those that the candidate has.
static void move_all(cdg_contacts *c) {
    gather_forces(c, c->count);
    move_points(&c->pieces);
    cdg_coupling_respond(&c->coupling, &c->pieces, c->pieces.force_before, c->pieces.torque_before);
}

static void take_active(cdg_contacts *c) {
    for (size_t i = 0; i < c->active_count; i++) {
        cdg_contact_row *row = &c->rows[c->active_row[i]];
        memcpy(row->force, c->active[i].force, sizeof row->force);
        row->force[0] = fmax(0, row->force[0]);
        contact_clip(row->force + 1, row->friction * row->force[0]);
    }
    move_all(c);
}

// Whether it pushes or touches, with forces and moves as they are, and is solved for.
static bool touches(const cdg_contacts *c, const cdg_contact_row *row) {
    double u[3];
    if (row->is_settled) return false;
    measure(row, &c->pieces, u);
    return row->force[0] > 0 || u[0] <= 0;
}

static bool has_friction(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++)
        if (c->rows[i].friction > 0) return true;
    return false;
}

// How contacts of chains with friction are solved for. Those that wait are left out where others are many, which of too
// many for a matrix is known after the first round.
static void choose_way(cdg_contacts *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) count += touches(c, &c->rows[i]);
    bool has_room = count <= CDG_COUPLED_CONTACTS_MAX, applies = c->pieces.surfaces.count == 0 && has_friction(c);
    c->is_direct = applies && has_room && count >= DIRECT_LEAST;
    c->is_dense = c->is_direct || (applies && !has_room && c->round > 0);
}

// Whether it neither pushes nor nearly touches, with forces and moves as they are.
static bool waits(const cdg_contacts *c, const cdg_contact_row *row) {
    if (row->force[0] > 0 || contact_row_gives(row)) return false;
    double u[3];
    measure(row, &c->pieces, u);
    return u[0] > waiting_gap * row->tolerance;
}

static void put_link(cdg_contacts *c, const cdg_contact_row *row, size_t number) {
    cdg_link *out = &c->links[number];
    int used = 0;
    memset(out, 0, sizeof *out); // point 0 is the still one
    for (uint32_t n = 0; n < row->point_count; n++) {
        const double(*j)[3] = &row->jacobian[3 * n];
        if (row->point_count > 4 && row->point[n] == CDG_STILL_POINT) continue;
        if (used == 4) {
            cdg_link_point *more = &c->link_points[c->link_point_count++];
            *more = (cdg_link_point){.link = (uint32_t)number, .point = row->point[n]};
            for (int a = 0; a < 3; a++)
                for (int m = 0; m < 3; m++) more->column[a][m] = j[m][a];
            continue;
        }
        out->point[used] = row->point[n];
        for (int a = 0; a < 3; a++)
            for (int m = 0; m < 3; m++) out->column[a][4 * used + m] = j[m][a];
        used++;
    }
    for (uint32_t k = 0; k < 2; k++) {
        out->element[k] = row->element[k];
        for (int a = 0; a < 3; a++) out->turn[k][a] = contact_row_turn(row, k)[a];
    }
}

// Points and elements that answer for themselves.
static void move_giving(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_contact_row *row = &c->rows[c->active_row[i]];
        for (uint32_t k = 0; k < row->point_count; k++)
            p->move[row->point[k]] = vec3_scale(row->give[k], p->force[row->point[k]]);
        for (uint32_t k = 0; k < 2; k++)
            p->more_turn[row->element[k]] = contact_row_turn_give(row, k) * p->torque[row->element[k]];
    }
}

// Of all that is near, what changes of the forces do to gaps and slips.
static void respond_active(void *user, const double *change, double *out) {
    cdg_contacts *c = user;
    cdg_pieces *p = &c->pieces;
    const cdg_link_kernels *kernels = cdg_link_kernels_choose();
    if (4 * c->active_count > p->point_count)
        clear_forces(p);
    else
        cdg_links_clear(c->links, c->active_count, &p->force[0].x, p->torque);
    cdg_link_points_clear(c->link_points, c->link_point_count, &p->force[0].x);
    kernels->spread(c->links, c->active_count, change, &p->force[0].x, p->torque);
    cdg_link_points_spread(c->link_points, c->link_point_count, change, &p->force[0].x);
    if (c->has_giving) move_giving(c);
    cdg_coupling_respond_touched(&c->coupling, p);
    kernels->feel(c->links, c->active_count, &p->move[0].x, p->more_turn, out);
    cdg_link_points_feel(c->link_points, c->link_point_count, &p->move[0].x, out);
}

static size_t count_touching(const cdg_contacts *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) count += contact_row_is_answered(&c->rows[i]) && touches(c, &c->rows[i]);
    return count;
}

// Rows to be solved for: of those that are near, where contacts are dense only what touches or nearly does. An
// iteration then goes through these, and through what they act on, alone.
static void list_gradient(cdg_contacts *c) {
    c->active_count = c->link_point_count = 0;
    c->has_giving = false;
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact_row *row = &c->rows[i];
        if (row->is_settled || contact_row_is_far(row) || !contact_row_is_answered(row) ||
            (c->is_dense && waits(c, row)))
            continue;
        put_link(c, row, c->active_count);
        c->has_giving = c->has_giving || contact_row_gives(row);
        put_active(c, i, INFINITY);
    }
    if (c->is_dense) cdg_coupling_touch(&c->coupling, &c->pieces, c->rows, c->active_row, c->active_count);
}

// All that is near, without a matrix. Returns the iterations.
static int solve_gradient(cdg_contacts *c, bool *is_good) {
    bool may_give_up = count_touching(c) <= CDG_COUPLED_CONTACTS_MAX;
    int many = c->round == 0 ? MANY_TURNS_FIRST : c->round == 1 && c->is_dense ? MANY_TURNS_SECOND : MANY_TURNS;
    list_gradient(c);
    clear_forces(&c->pieces);
    clear_moves(&c->pieces);
    cdg_gradient_problem problem = {.contacts = c->active,
                                    .count = c->active_count,
                                    .compliance = c->compliance,
                                    .respond = respond_active,
                                    .user = c,
                                    .force_share = few_share(c->active_count) * c->force_share,
                                    .most = may_give_up ? GRADIENT_TURNS : many,
                                    .probation = may_give_up ? GRADIENT_PROBATION : 0};
    cdg_coupling_lighten(&c->coupling, &c->pieces);
    int turns = cdg_gradient_solve(&problem, c->active_memory, is_good);
    take_active(c);
    return turns;
}

static size_t count_pushing(const cdg_contacts *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++)
        count += !c->rows[i].is_settled && c->rows[i].force[0] > 0 && contact_row_is_answered(&c->rows[i]);
    return count;
}

// How contacts' own forces move those that are near, which the solvers measure by.
static void ask_near(cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact_row *row = &c->rows[i];
        if (row->is_settled || contact_row_is_far(row) || (c->is_dense && waits(c, row))) continue;
        if (!contact_row_gives(row)) memset(row->answer, 0, sizeof row->answer); // it may be known of a matrix
        cdg_coupling_add_own(&c->coupling, &c->pieces, row);
    }
    c->is_asked = true;
}

static void take_own_block(cdg_contact_row *row, const double *block, size_t size) {
    for (int k = 0; k < 3; k++) row->answer[k] = block[(size_t)k * size];
    row->answer[3] = block[size + 1], row->answer[4] = block[2 * size + 1], row->answer[5] = block[2 * size + 2];
}

// Rows on chains, whose own answers are taken from the matrix. Those that nothing moves are left out of both.
static cdg_chain_matrix_outcome fill_on_chains(cdg_contacts *c, size_t *count, double *answer) {
    size_t size = 3 * *count, kept = 0;
    cdg_chain_matrix_outcome outcome =
        cdg_chain_matrix_fill(&c->on_chains, &c->coupling, &c->pieces, c->rows, c->active_row, *count, answer);
    if (outcome != CDG_CHAIN_MATRIX_OK) return outcome;
    for (size_t i = 0; i < *count; i++) {
        cdg_contact_row *row = &c->rows[c->active_row[i]];
        if (!(row->answer[0] > 0)) take_own_block(row, answer + 3 * i * (size + 1), size);
        if (contact_row_is_answered(row)) c->active_row[kept++] = c->active_row[i];
    }
    if (kept == *count) return outcome;
    *count = kept;
    return cdg_chain_matrix_fill(&c->on_chains, &c->coupling, &c->pieces, c->rows, c->active_row, kept, answer);
}

// Other rows, each of which is asked how its own force moves it, and the matrix column by column. False: no memory.
static bool fill_by_columns(cdg_contacts *c, size_t *count, double *answer) {
    size_t kept = 0;
    if (!c->is_asked) ask_near(c);
    for (size_t i = 0; i < *count; i++) {
        cdg_contact_row *row = &c->rows[c->active_row[i]];
        if (!(row->answer[0] > 0) && !c->is_direct) continue;
        if (!(row->answer[0] > 0)) cdg_coupling_add_own(&c->coupling, &c->pieces, row); // it waited
        if (contact_row_is_answered(row)) c->active_row[kept++] = c->active_row[i];
    }
    *count = kept;
    return cdg_contact_matrix_fill(&c->touching, &c->coupling, &c->pieces, c->rows, c->active_row, kept, answer);
}

// All that touches or pushes, if that is not too much, as one dense system, the others' forces being what they are.
// Returns the iterations; negative: no memory.
static int solve_touching(cdg_contacts *c, bool *is_good) {
    double largest = largest_force(c);
    size_t count = 0;
    *is_good = false;
    if (count_pushing(c) > CDG_COUPLED_CONTACTS_MAX) return 0;
    for (size_t i = 0; i < c->count; i++)
        if (touches(c, &c->rows[i])) c->active_row[count++] = (uint32_t)i;
    if (count == 0 || count > CDG_COUPLED_CONTACTS_MAX) return 0;
    if (!reserve_dense(c, count)) return -1;
    double *answer = c->dense_memory;
    cdg_chain_matrix_outcome outcome = fill_on_chains(c, &count, answer);
    if (outcome == CDG_CHAIN_MATRIX_MEMORY) return -1;
    if (outcome == CDG_CHAIN_MATRIX_NONE && !fill_by_columns(c, &count, answer)) return -1;
    if (count == 0) return 0;
    c->active_count = 0;
    for (size_t i = 0; i < count; i++) put_active(c, c->active_row[i], largest);
    int iterations = cdg_coupled_solve(c->active, count, answer, answer + 9 * count * count, is_good);
    take_active(c);
    *is_good = *is_good && is_clear(c);
    return iterations;
}

// What a normal force on one row does to another's gap through points and elements that they share.
static double shared_normal(const cdg_contact_row *to, const cdg_contact_row *from) {
    double sum = 0;
    for (uint32_t i = 0; i < to->point_count; i++)
        for (uint32_t j = 0; j < from->point_count; j++)
            for (int k = 0; k < 3 && to->point[i] == from->point[j]; k++)
                sum += to->give[i] * to->jacobian[3 * i + k][0] * from->jacobian[3 * j + k][0];
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 2; j++)
            if (to->element[i] == from->element[j])
                sum += contact_row_turn_give(to, i) * contact_row_turn(to, i)[0] * contact_row_turn(from, j)[0];
    return sum;
}

// A between the listed contacts' normals, symmetric.
static void fill_normals(const cdg_contacts *c, double *answer, double *column) {
    size_t count = c->active_count;
    cdg_listed_side sides[2 * NORMAL_CONTACTS_MAX];
    size_t side_count = cdg_coupling_list_sides(&c->pieces, c->rows, c->active_row, count, sides);
    for (size_t j = 0; j < count; j++) {
        const cdg_contact_row *from = &c->rows[c->active_row[j]];
        memset(column, 0, 3 * count * sizeof *column);
        cdg_coupling_add_column(&c->coupling, &c->pieces, from, 0, sides, side_count, column);
        for (size_t i = 0; i < count; i++)
            answer[i * count + j] = column[3 * i] + shared_normal(&c->rows[c->active_row[i]], from);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++)
            answer[i * count + j] = answer[j * count + i] = 0.5 * (answer[i * count + j] + answer[j * count + i]);
}

static void solve_normals(cdg_contacts *c) {
    size_t count = c->active_count;
    if (count == 0) return;
    double *answer = c->dense_memory, *force = answer + count * count, *gap = force + count, *tolerance = gap + count;
    double *scratch = tolerance + count;
    fill_normals(c, answer, scratch);
    for (size_t i = 0; i < count; i++) {
        force[i] = c->active[i].force[0];
        gap[i] = c->active[i].offset[0];
        tolerance[i] = c->active[i].tolerance;
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) gap[i] -= answer[i * count + j] * force[j];
    cdg_normal_solve(answer, gap, tolerance, count, force, scratch);
    for (size_t i = 0; i < count; i++) {
        c->active[i].force[0] = force[i];
        c->active[i].force[1] = c->active[i].force[2] = 0;
    }
}

// Whether no contact that was solved for lies deeper than tolerated, and none pushes across a gap.
static bool is_solved(const cdg_contacts *c, double largest) {
    for (size_t n = 0; n < c->active_count; n++) {
        size_t i = c->active_row[n];
        double u[3], tolerance = c->rows[i].force[0] > 0 ? tolerance_of(c, &c->rows[i], largest) : c->rows[i].tolerance;
        measure(&c->rows[i], &c->pieces, u);
        if (u[0] < -tolerance || (c->rows[i].force[0] > 0 && u[0] > tolerance)) return false;
    }
    return true;
}

// Few contacts without friction, exactly; responses are cut off far away, so it goes on from what is left. Returns the
// number of matrices; negative: no memory.
static int solve_frictionless(cdg_contacts *c, bool *is_good) {
    if (c->count > NORMAL_CONTACTS_MAX || has_friction(c)) return 0;
    if (!reserve_dense(c, c->count)) return -1;
    int times = 0;
    while (times < COUPLED_TIMES && !*is_good) {
        double largest = largest_force(c);
        c->active_count = 0;
        for (size_t i = 0; i < c->count; i++)
            if (!c->rows[i].is_settled && contact_row_is_answered(&c->rows[i])) put_active(c, i, largest);
        solve_normals(c);
        take_active(c);
        times++;
        *is_good = is_solved(c, largest_force(c));
    }
    return times;
}

// ---- many implicit surfaces -----------------------------------------------------------------------------------------

// Whether nothing answers but surfaces that are solved as a whole, each alone.
static bool has_surfaces_alone(const cdg_contacts *c) {
    if (!contacts_are_of_solids(c)) return false;
    for (size_t i = 0; i < c->count; i++)
        if (!c->rows[i].is_settled && contact_row_gives(&c->rows[i])) return false;
    return true;
}

// Whether so much lies in each other that forces are solved for again in any case, once more is known of it.
static bool is_rough(const cdg_contacts *c) { return c->round < ROUNDS_ROUGH && c->left.deep > rough_share; }

// Those that push or touch, by some sweeps on a sparse matrix. Returns these; negative: no memory.
static int sweep_sparse(cdg_contacts *c, bool *is_good) {
    size_t count = 0;
    if (!is_rough(c) || !has_surfaces_alone(c)) return 0;
    for (size_t i = 0; i < c->count; i++)
        if (touches(c, &c->rows[i])) c->active_row[count++] = (uint32_t)i;
    if (count < SPARSE_LEAST) return 0;
    cdg_sparse_outcome outcome =
        cdg_contact_sparse_fill(&c->sparse, &c->coupling, &c->pieces, c->rows, c->active_row, count);
    if (outcome != CDG_SPARSE_OK) return outcome == CDG_SPARSE_NONE ? 0 : -1;
    c->active_count = 0;
    for (size_t n = 0; n < count; n++) {
        cdg_contact_row *row = &c->rows[c->active_row[n]];
        memcpy(row->answer, c->sparse.own[n], sizeof row->answer);
        put_active(c, c->active_row[n], INFINITY);
    }
    bool is_exact = false;
    int sweeps = cdg_contact_sparse_solve(&c->sparse, c->active, SPARSE_SWEEPS, &is_exact);
    take_active(c);
    *is_good = true; // what is left, the next round goes on from
    return sweeps;
}

// ---- all that is near -----------------------------------------------------------------------------------------------

// Normals of many contacts without friction by Newton's method; all forces where that does not apply, or is not good
// enough, by gradients. Returns the iterations; negative: no memory.
static int solve_many(cdg_contacts *c, bool *is_good) {
    int turns = 0;
    if (c->count > NORMAL_CONTACTS_MAX && !has_friction(c) && cdg_contacts_have_sparse_normals(c)) {
        turns = cdg_contacts_solve_normals(c, is_good);
        if (turns > 0) move_all(c);
    }
    if (turns >= 0 && !*is_good && !c->is_direct) turns += solve_gradient(c, is_good);
    return turns;
}

static bool reserve_rows(cdg_contacts *c) {
    if (c->count <= c->row_capacity) return true;
    size_t capacity = c->count + c->count / 2;
    cdg_contact_row *rows = realloc(c->rows, capacity * sizeof *rows);
    if (rows != NULL) c->rows = rows;
    cdg_contact_row *before = realloc(c->rows_before, capacity * sizeof *before);
    if (before != NULL) c->rows_before = before;
    cdg_coupled_contact *active = realloc(c->active, capacity * sizeof *active);
    if (active != NULL) c->active = active;
    uint32_t *active_row = realloc(c->active_row, capacity * sizeof *active_row);
    if (active_row != NULL) c->active_row = active_row;
    double(*compliance)[2] = realloc(c->compliance, capacity * sizeof *compliance);
    if (compliance != NULL) c->compliance = compliance;
    cdg_link *links = realloc(c->links, capacity * sizeof *links);
    if (links != NULL) c->links = links;
    cdg_link_point *points = realloc(c->link_points, 2 * capacity * sizeof *points);
    if (points != NULL) c->link_points = points;
    double *memory = realloc(c->active_memory, cdg_gradient_scratch(capacity) * sizeof *memory);
    if (memory != NULL) c->active_memory = memory;
    if (rows == NULL || before == NULL || active == NULL || active_row == NULL || compliance == NULL || links == NULL ||
        points == NULL || memory == NULL)
        return false;
    c->row_capacity = capacity;
    return true;
}

// Sweeps of rows, as many as time allows.
static int sweep_limit(size_t count, size_t visits, int least, int limit) {
    size_t most = count > 0 ? visits / count : 0;
    return most > (size_t)limit ? limit : most < (size_t)least ? least : (int)most;
}

// Those of shapes with each other are the last of the list but for those of surfaces.
static bool has_shapes(const cdg_contacts *c) {
    size_t count = c->count;
    while (count > 0 && contact_is_wide(&c->list[count - 1])) count--;
    return count > 0 && c->list[count - 1].side[0].kind == CDG_SIDE_BODY;
}

static void fill_batch(const void *user, cdg_sweep_batch *batch) {
    cdg_row_kernels_choose()->fill((const cdg_row_maker *)user, batch);
}

// What sweeps are about, but for the rows.
static cdg_sweep_problem problem_of(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    return (cdg_sweep_problem){.links = c->lanes.links,
                               .row_count = c->count,
                               .point_count = p->point_count,
                               .element_count = p->element_count + 1,
                               .give = p->give,
                               .turn_give = p->turn_give,
                               .force_before = &p->force_before[0].x,
                               .torque_before = p->torque_before,
                               .force_share = few_share(c->count) * force_share,
                               .threads = c->threads,
                               .most = sweep_limit(c->count, FAST_VISITS_MAX, FAST_SWEEPS_LEAST,
                                                   has_shapes(c) ? SWEEPS_MAX_SHAPES : SWEEPS_MAX)};
}

static void give_back_batch(void *user, size_t batch) {
    const cdg_contacts *c = user;
    cdg_row_kernels_choose()->give_back(c->maker, &c->sweeper.batches[batch]);
}

static void read_back_batch(void *user, size_t batch) {
    const cdg_contacts *c = user;
    cdg_row_kernels_choose()->read_back(c->maker, &c->sweeper.batches[batch]);
}

// All rods are explicit: contacts feel each other by shared points and elements only.
static int solve_explicit(cdg_contacts *c, bool at_base) {
    const cdg_pieces *p = &c->pieces;
    cdg_row_maker maker = {.contacts = c->list,
                           .pieces = p,
                           .bodies = c->bodies,
                           .at_base = at_base,
                           .threads = c->threads,
                           .tolerance_share = contact_tolerance_share};
    if (!cdg_row_maker_start(&maker, &c->lanes, c->count)) return -1;
    cdg_sweep_problem problem = problem_of(c);
    problem.fill = fill_batch;
    problem.user = &maker;
    int sweeps = cdg_sweeper_solve(&c->sweeper, &problem);
    if (sweeps < 0) return -1;
    clear_forces(p);
    c->maker = &maker;
    cdg_sweeper_for_halves(&c->sweeper, c->threads, give_back_batch, c);
    move_points(p);
    cdg_sweeper_for_all(&c->sweeper, c->threads, read_back_batch, c);
    c->maker = NULL;
    return sweeps;
}

// ---- wide rows of explicit objects ----------------------------------------------------------------------------------

// Rows that a thread takes at once; as many lots are worth a second one.
enum { ROWS_AT_ONCE = 32, ROW_LOTS_WORTH = 4 };

typedef struct row_work {
    cdg_contacts *contacts;
    bool at_base;
    size_t first, end;
} row_work;

static void for_row_lots(const row_work *w, void (*body)(void *user, size_t index, int thread)) {
    size_t lots = (w->end - w->first + ROWS_AT_ONCE - 1) / ROWS_AT_ONCE;
    cdg_parallel_for(lots, lots >= ROW_LOTS_WORTH ? w->contacts->threads : 1, body, (void *)(uintptr_t)w);
}

static void make_row_lot(void *user, size_t index, int thread) {
    const row_work *w = user;
    cdg_contacts *c = w->contacts;
    size_t first = w->first + ROWS_AT_ONCE * index;
    (void)thread;
    for (size_t i = first; i < first + ROWS_AT_ONCE && i < w->end; i++) {
        cdg_contact_make_row(&c->pieces, &c->list[c->active_row[i]], c->bodies, w->at_base, &c->rows[i]);
        cdg_contact_turn_tangents(&c->rows[i]);
    }
}

// Rows of the contacts that are solved for, from one to before another.
static void add_wide_rows(cdg_contacts *c, bool at_base, size_t first, size_t end) {
    const row_work work = {c, at_base, first, end};
    for_row_lots(&work, make_row_lot);
    for (size_t i = first; i < end; i++) {
        cdg_sweep_link *link = &c->lanes.links[i];
        cdg_contact_link_row(c, &c->rows[i], &c->list[c->active_row[i]], link);
        link->is_active = link->is_active || c->rows[i].force[0] > 0;
    }
}

static void read_back_lot(void *user, size_t index, int thread) {
    const row_work *w = user;
    const cdg_contacts *c = w->contacts;
    size_t first = ROWS_AT_ONCE * index;
    (void)thread;
    for (size_t i = first; i < first + ROWS_AT_ONCE && i < w->end; i++)
        read_back_row(c, &c->rows[i], &c->list[c->active_row[i]]);
}

// Where the solve is about some points, what acts on others stays.
static void keep_other_forces(const cdg_contacts *c) {
    const cdg_pieces *p = &c->pieces;
    for (size_t k = 1; k < p->point_count && c->spots.is_partial; k++)
        if (!c->spots.has_point[k]) p->force[k] = p->force_before[k];
}

// Sweeps over the rows, whose forces are left in them.
static int sweep_rows(cdg_contacts *c, size_t count) {
    cdg_sweep_problem problem = problem_of(c);
    problem.row_count = count;
    problem.most =
        sweep_limit(count, FAST_VISITS_MAX, FAST_SWEEPS_LEAST, has_shapes(c) ? SWEEPS_MAX_SHAPES : SWEEPS_MAX);
    bool is_short = c->round < ROUNDS_SHORT && contacts_are_plain(c);
    if (is_short && problem.most > SWEEPS_SHORT) problem.most = SWEEPS_SHORT;
    problem.point_count = c->local.count;
    problem.give = c->local.give;
    problem.force_before = &c->local.force_before[0].x;
    problem.fill_wide = cdg_contact_fill_wide;
    problem.user = c;
    int sweeps = cdg_sweeper_solve(&c->sweeper, &problem);
    for (size_t i = 0; i < CDG_BATCH * c->sweeper.batch_count && sweeps >= 0; i++) {
        const cdg_sweep_batch *batch = &c->sweeper.batches[i / CDG_BATCH];
        size_t lane = i % CDG_BATCH;
        for (int k = 0; k < 3 && batch->row[lane] != UINT32_MAX; k++)
            c->rows[batch->row[lane]].force[k] = batch->force[k][lane];
    }
    if (sweeps < 0) return sweeps;
    gather_forces(c, count);
    keep_other_forces(c);
    move_points(&c->pieces);
    return sweeps;
}

// All objects are explicit, and surfaces are among them.
static int solve_wide(cdg_contacts *c, bool at_base) {
    const cdg_pieces *p = &c->pieces;
    if (!reserve_rows(c) || !cdg_row_memory_reserve_links(&c->lanes, c->count) ||
        !cdg_local_points_start(&c->local, p) || !cdg_contact_spots_choose(c))
        return -1;
    size_t count = 0, next = cdg_contacts_choose_touching(c, c->active_row);
    if (next == SIZE_MAX) return -1;
    add_wide_rows(c, at_base, 0, next);
    count = next;
    int sweeps = 0;
    for (int times = 0; times < TOUCHING_TIMES; times++) {
        int more = sweep_rows(c, count);
        if (more < 0) return -1;
        sweeps += more;
        next = cdg_contacts_choose_pressed(c, c->active_row, count);
        if (next == count) break;
        if (times + 1 == TOUCHING_TIMES) break;
        add_wide_rows(c, at_base, count, next);
        count = next;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (!contact_spots_have(&c->spots, i)) continue;
        c->list[i].force = c->list[i].left = vec3(0, 0, 0);
        c->list[i].sticks = false;
    }
    const row_work work = {c, at_base, 0, count};
    for_row_lots(&work, read_back_lot);
    return sweeps;
}

// Forces at the base keep angular momentum, but gaps are felt in the candidate: where the two differ by much, a gap
// closes by only a part of itself in a round. So contacts that take many rounds ask for better guesses, and then for
// levers in the candidate.
static void ask_for_near_base(const cdg_contacts *c) {
    for (size_t i = 0; i < c->count && c->round >= ROUNDS_FAR; i++)
        if (c->list[i].is_off)
            c->list[i].far_share = c->round < ROUNDS_NEAR      ? near_share
                                   : c->round < ROUNDS_NEAREST ? nearest_share
                                                               : -nearest_share;
}

static int solve_coupled(cdg_contacts *c, bool at_base) {
    cdg_pieces *p = &c->pieces;
    if (!reserve_rows(c)) return -1;
    ask_for_near_base(c);
    c->row_count = c->count;
    contact_matrix_forget(&c->touching);
    cdg_contact_row *before = c->rows_before;
    c->rows_before = c->rows, c->rows = before;
    for (size_t i = 0; i < c->count; i++) cdg_contact_make_row(p, &c->list[i], c->bodies, at_base, &c->rows[i]);
    if (c->is_solved) cdg_contacts_settle(c, settled_slip);
    for (size_t i = 0; i < c->count; i++) c->list[i].row = (uint32_t)i;
    cdg_coupling_start(&c->coupling, p, c->rows, c->count);
    move_all(c);
    choose_way(c);
    c->is_asked = false;
    if (!c->is_direct) ask_near(c);
    bool is_later = c->round > 0; // a first round with nothing to solve: forces of the step before did
    if (!c->is_solved) c->force_share = is_later || rests(c) ? rest_share * force_share : force_share;
    bool is_good = false;
    int turns = sweep_sparse(c, &is_good);
    if (turns >= 0 && !is_good) {
        int more = solve_frictionless(c, &is_good);
        turns = more < 0 ? -1 : turns + more;
    }
    if (turns >= 0 && !is_good) {
        int more = solve_many(c, &is_good);
        turns = more < 0 ? -1 : turns + more;
    }
    for (int times = 0; turns >= 0 && times < COUPLED_TIMES && !is_good; times++) {
        int more = solve_touching(c, &is_good);
        if (more < 0) return -1;
        if (more == 0 && times == 0 && c->is_direct && !is_good) {
            if (!c->is_asked) ask_near(c);
            turns += solve_gradient(c, &is_good);
        }
        if (more == 0) break;
        turns += more;
    }
    if (turns >= 0) read_back(c);
    return turns;
}

static int solve(cdg_contacts *c, bool at_base) {
    cdg_pieces *p = &c->pieces;
    // The candidate has the forces of the round before, through rows as they were then; the solvers start from what
    // the rows, as they are now, make of them.
    memcpy(p->force_before, p->force, p->point_count * sizeof *p->force);
    memcpy(p->torque_before, p->torque, (p->element_count + 1) * sizeof *p->torque);
    bool is_wide = c->count > 0 && contact_is_wide(&c->list[c->count - 1]); // those of surfaces come last
    int sweeps = c->coupling.has_implicit ? solve_coupled(c, at_base)
                 : is_wide                ? solve_wide(c, at_base)
                                          : solve_explicit(c, at_base);
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
