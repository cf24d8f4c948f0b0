// Splitting an element and merging two, of a rod in motion: positions and frames of the new resolution in equilibrium
// with what the old one was in equilibrium with, inertia included, then velocities that keep linear and angular
// momentum to rounding.
//
// What is carried over (velocities, and how nodes are accelerated) a split interpolates and a merge projects, in the
// norm of mass: so a merge takes a split back, and neither adds to what it carries.
#include "adapt/adapt.h"

#include "adapt/drawn.h"
#include "adapt/resolution.h"
#include "adapt/rod_momentum.h"
#include "adapt/rod_part.h"
#include "adapt/rod_patch.h"
#include "adapt/rod_patch_descent.h"
#include "math/quat.h"
#include "rods/discrete_spring.h"

#include <math.h>

enum { NODES_MAX = CDG_PART_NODES, ELEMENTS_MAX = CDG_PART_ELEMENTS, ROUNDS_MAX = 4, DESCENTS = 10 };
static const double farthest = 0.5;   // of an element: what moves farther has left its neighbourhood
static const double most_gain = 0.25; // of the part's energy of strain: what an operation may add to it
static const double nothing = 1e-5; // of the stiffest cell: energy of turns by 0.01 rad, below which gains do not count
static const double wound = 0.25;   // tangent of a quarter of a radian: cells that are twisted by half of one or more
static const double lost = 3.14159; // rad: what is twisted by so much less or more has passed half a turn somewhere
static const double calmest = 0.9;  // of the turn that splits, which a merge must stay below
// Shares of a rod's energy that its changes may have given it in all.
static const double most_by_merges = 0.01, most_by_splits = 0.4;

// One operation: the parts before and after it, and all that is taken from the one to the other.
typedef struct operation {
    cdg_rod *rod;
    const cdg_adapt_context *context;
    cdg_adapt_outcome *out;
    size_t element;
    cdg_part_sides sides;
    bool is_split;
    cdg_rod_part from, to;    // in the numbering of their time
    cdg_part_state was, then; // of `from`, and of `to` before anything has moved
    cdg_rod_patch patch;
    cdg_rod_patch_gradient wanted; // by what is to move
    cdg_vec3 acceleration[NODES_MAX], spin[ELEMENTS_MAX];
    cdg_vec3 pulled[NODES_MAX]; // N: what elasticity does to inner nodes, negative
    cdg_part_rigid rigid;
    cdg_part_momentum momentum;
    double strain, gravity; // J, of `from`
    cdg_drawn drawn;
    double twist; // rad, of `from`, where cells are wound so far that a turn could be lost; else 0
} operation;

// ---- as in the thesis -----------------------------------------------------------------------------------------------

static bool is_paper(const cdg_rod *rod) { return rod->adapt->options.method == CDG_ADAPT_PAPER; }

static size_t count_contacts(const cdg_rod *rod, const cdg_adapt_context *context, size_t element) {
    double from = rod->adapt->arc[element], to = from + rod->rest_length[element];
    size_t count = 0;
    for (size_t i = 0; i < context->push_count; i++)
        count += context->pushes[i].is_contact && context->pushes[i].arc >= from && context->pushes[i].arc <= to;
    return count;
}

// One neighbour moves along: that with fewer contacts.
static cdg_part_sides choose_side(const cdg_rod *rod, const cdg_adapt_context *context, size_t first, size_t last,
                                  cdg_part_sides most) {
    if (most.before == 0 || most.next == 0) return (cdg_part_sides){most.before > 0 ? 1 : 0, most.next > 0 ? 1 : 0};
    size_t before = count_contacts(rod, context, rod_left_element(rod, first));
    size_t after = count_contacts(rod, context, rod_right_element(rod, rod_next_node(rod, last)));
    return before < after ? (cdg_part_sides){1, 0} : (cdg_part_sides){0, 1};
}

// First lengths: 16 h^2/m of nodes, and of frames by the trace of their inertia.
static int descend(operation *o, double *energy) {
    const cdg_rod *rod = o->rod;
    cdg_patch_gives gives;
    double first = 16 * o->context->step * o->context->step;
    for (size_t k = 0; k <= o->to.count; k++) gives.node[k] = first / rod->node_mass[o->to.node[k]];
    for (size_t k = 0; k < o->to.count; k++) {
        cdg_vec3 inertia = cdg_rod_frame_inertia(rod, o->to.element[k]);
        double radius = rod->radius[o->to.node[k] * rod->section_stride], trace = inertia.x + inertia.y + inertia.z;
        if (!(trace > 0)) trace = rod->node_mass[o->to.node[k]] * radius * radius; // models without inertia of frames
        gives.frame[k] = first / trace;
    }
    int iterations = cdg_rod_patch_descend(&o->patch, &o->wanted, &gives, DESCENTS);
    *energy = cdg_rod_patch_own_energy(&o->patch);
    return iterations;
}

// ---- forces ---------------------------------------------------------------------------------------------------------

// What pushes on the node at `arc` between its neighbours, each push shared by the two nodes beside it.
static cdg_vec3 pushed(const cdg_rod *rod, const cdg_adapt_context *context, const double arc[3]) {
    cdg_vec3 sum = vec3(0, 0, 0);
    double round = rod->is_closed ? rod->length : 0;
    for (size_t i = 0; i < context->push_count; i++) {
        double at = context->pushes[i].arc;
        if (round > 0 && at < arc[0]) at += round;
        if (at <= arc[0] || at >= arc[2]) continue;
        double share = at < arc[1] ? (at - arc[0]) / (arc[1] - arc[0]) : (arc[2] - at) / (arc[2] - arc[1]);
        sum = vec3_mad(sum, share, context->pushes[i].force);
    }
    return sum;
}

// Pushes on the inner nodes of a part.
static void list_pushed(const operation *o, const cdg_rod_part *p, cdg_vec3 out[NODES_MAX]) {
    double arc[NODES_MAX] = {o->rod->adapt->arc[p->node[0]]};
    for (size_t k = 0; k < p->count; k++) arc[k + 1] = arc[k] + o->rod->rest_length[p->element[k]];
    for (size_t k = 0; k <= p->count; k++) out[k] = vec3(0, 0, 0);
    for (size_t k = 1; k < p->count && o->context->push_count > 0; k++)
        out[k] = pushed(o->rod, o->context, &arc[k - 1]);
}

// How inner nodes are accelerated by elasticity, as it is, and pushes. It stands for all loads that are spread along
// the rod, inertia among them, and is what the new resolution is to balance.
static void find_accelerations(operation *o, const cdg_rod_patch_gradient *gradient) {
    cdg_vec3 pushes[NODES_MAX];
    list_pushed(o, &o->from, pushes);
    for (size_t k = 1; k < o->from.count; k++) {
        o->acceleration[k] = vec3_scale(1 / o->was.mass[k], vec3_sub(pushes[k], gradient->node[k]));
        o->pulled[k] = gradient->node[k];
    }
}

static double height_energy(const cdg_rod *rod, const cdg_rod_part *p, cdg_vec3 gravity) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t k = 0; k <= p->count; k++)
        sum = vec3_mad(sum, rod->node_mass[p->node[k]], rod_vec3(rod->x, p->node[k]));
    return -vec3_dot(gravity, sum);
}

// ---- from one resolution to the other -------------------------------------------------------------------------------

// Of the coarser resolution, the number of a node of the finer one that is not the fresh one.
static size_t coarse_node(const cdg_rod_part *fine, size_t k) { return k < fine->fresh ? k : k - 1; }

// From the inner nodes of the coarse part to those of the fine one; the fresh one has the mean of those beside it.
static void interpolate(const cdg_rod_part *fine, const cdg_vec3 *coarse, cdg_vec3 out[NODES_MAX]) {
    cdg_vec3 sum = vec3(0, 0, 0);
    double count = 0;
    for (size_t k = 1; k < fine->count; k++) {
        if (k == fine->fresh) continue;
        out[k] = coarse[coarse_node(fine, k)];
        if (k + 1 != fine->fresh && k != fine->fresh + 1) continue;
        sum = vec3_add(sum, out[k]);
        count++;
    }
    out[fine->fresh] = count > 0 ? vec3_scale(1 / count, sum) : sum;
}

// Of the fresh node and its neighbours, left, fresh, right: what the neighbours may have so that they and their mean
// are nearest to `fine` in the norm of mass. (m_l + m_f/4) a + m_f/4 b = m_l a_l + m_f a_f/2, and so for b.
static void find_nearest(const double mass[3], const cdg_vec3 fine[3], cdg_vec3 out[2]) {
    double quarter = mass[1] / 4, a = mass[0] + quarter, b = mass[2] + quarter;
    double inverse = 1 / (a * b - quarter * quarter);
    cdg_vec3 left = vec3_add(vec3_scale(mass[0], fine[0]), vec3_scale(2 * quarter, fine[1]));
    cdg_vec3 right = vec3_add(vec3_scale(mass[2], fine[2]), vec3_scale(2 * quarter, fine[1]));
    out[0] = vec3_scale(inverse, vec3_sub(vec3_scale(b, left), vec3_scale(quarter, right)));
    out[1] = vec3_scale(inverse, vec3_sub(vec3_scale(a, right), vec3_scale(quarter, left)));
}

// The reverse of interpolate: of all that the coarse part may have, what is nearest.
static void project(const cdg_rod_part *fine, const double *mass, const cdg_vec3 *from, cdg_vec3 out[NODES_MAX]) {
    size_t f = fine->fresh, l = f - 1, r = f + 1;
    for (size_t k = 1; k < fine->count; k++)
        if (k != f) out[coarse_node(fine, k)] = from[k];
    bool has_left = l > 0, has_right = r < fine->count;
    if (has_left && has_right) {
        find_nearest(mass + l, from + l, out + l);
    } else if (has_left || has_right) {
        size_t k = has_left ? l : r;
        out[coarse_node(fine, k)] = vec3_lerp(from[k], from[f], mass[f] / (mass[f] + mass[k]));
    }
}

// Velocities of the nodes beside the one that goes, the same way. One that is held keeps its own.
static void project_velocities(operation *o) {
    cdg_rod *rod = o->rod;
    size_t f = o->from.fresh, l = f - 1, node[2] = {o->to.node[l], o->to.node[f]};
    const cdg_vec3 *v = o->was.v + l;
    const double *mass = o->was.mass + l;
    bool moves[2] = {!cdg_part_is_held(rod, node[0]), !cdg_part_is_held(rod, node[1])};
    if (moves[0] && moves[1]) {
        cdg_vec3 nearest[2];
        find_nearest(mass, v, nearest);
        for (int k = 0; k < 2; k++) rod_set_vec3(rod->v, node[k], nearest[k]);
    } else if (moves[0] || moves[1]) {
        int k = moves[0] ? 0 : 1;
        cdg_vec3 alone = vec3_sub(vec3_scale(2, v[1]), v[2 - 2 * k]); // the moving one's, if the mean were exact
        rod_set_vec3(rod->v, node[k], vec3_lerp(v[2 * k], alone, mass[1] / (4 * mass[2 * k] + mass[1])));
    }
}

// What an operation carries over of a frame's spin: all of it, in world axes, or, of frames that follow, that about d3.
static cdg_vec3 spin_of(const operation *o, size_t k) {
    return o->patch.follows ? vec3(0, 0, o->was.w[k].z) : quat_rotate(o->was.q[k], o->was.w[k]);
}

// Spins, and torques that frames are to have: halves have the spin of the whole and half of its torque, and a whole one
// the mean of theirs and the sum of their torques.
static void carry_frames(operation *o, const cdg_rod_patch_gradient *gradient) {
    for (size_t k = 0, c = 0; k < o->from.count; k++) {
        cdg_vec3 spin = spin_of(o, k), torque = gradient->frame[k];
        if (o->is_split && k == o->from.changed) {
            o->spin[c] = o->spin[c + 1] = spin;
            o->wanted.frame[c] = o->wanted.frame[c + 1] = vec3_scale(0.5, torque);
            c += 2;
        } else if (k == o->from.fresh) { // the second half, into the first's place
            o->spin[c - 1] = vec3_lerp(o->spin[c - 1], spin, 0.5);
            o->wanted.frame[c - 1] = vec3_add(o->wanted.frame[c - 1], torque);
        } else {
            o->spin[c] = spin;
            o->wanted.frame[c++] = torque;
        }
    }
}

// Of the thesis: equilibrium with weight and contacts, as if nothing moved.
static void want_equilibrium(operation *o, const cdg_vec3 *pushes) {
    for (size_t k = 1; k < o->to.count; k++)
        o->wanted.node[k] = vec3_mad(pushes[k], o->rod->node_mass[o->to.node[k]], o->context->gravity);
    for (size_t k = 0; k < o->to.count; k++) o->wanted.frame[k] = vec3(0, 0, 0);
}

// Of a rod that is struck: elasticity has not answered yet, and forces are at the nodes where they were.
static void carry_blow(operation *o) {
    for (size_t k = 1; k < o->to.count; k++)
        o->wanted.node[k] = k != o->to.fresh ? o->pulled[coarse_node(&o->to, k)] : vec3(0, 0, 0);
}

static void carry_nodes(operation *o) {
    cdg_vec3 pushes[NODES_MAX], acceleration[NODES_MAX];
    list_pushed(o, &o->to, pushes);
    if (is_paper(o->rod)) {
        want_equilibrium(o, pushes);
        return;
    }
    if (o->is_split)
        interpolate(&o->to, o->acceleration, acceleration);
    else
        project(&o->from, o->was.mass, o->acceleration, acceleration);
    for (size_t k = 1; k < o->to.count; k++)
        o->wanted.node[k] = vec3_mad(pushes[k], -o->rod->node_mass[o->to.node[k]], acceleration[k]);
}

// ---- where the search begins ----------------------------------------------------------------------------------------

static void follow_edge(cdg_rod *rod, const cdg_rod_part *p, size_t k) {
    cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, p->node[k + 1]), rod_vec3(rod->x, p->node[k]));
    cdg_quat q = rod_quat(rod->q, p->element[k]);
    rod_set_quat(rod->q, p->element[k], der_transport(q, vec3_normalize(edge), 0));
}

// rad/m: how the rod turns between a frame of the part that is halved and what is beside it: the section that is
// clamped there, or the next frame, whose `element` may be none.
static cdg_vec3 rate_beside(const cdg_rod *rod, size_t node, size_t element, size_t half, double side, double *count) {
    const cdg_hold *hold = rod->hold_count > 0 ? rod_hold_at(rod, node) : NULL;
    bool is_clamped = hold != NULL && hold->frame_hold == CDG_HOLD_FRAME;
    if (!is_clamped && element == SIZE_MAX) return vec3(0, 0, 0);
    cdg_quat other = is_clamped ? hold->frame : rod_quat(rod->q, element);
    double apart = rod->rest_length[half] + (is_clamped ? 0 : rod->rest_length[element] / 2);
    (*count)++;
    return vec3_scale(side / apart, quat_log(quat_relative(rod_quat(rod->q, half), other)));
}

// Frames of the halves turn against each other as the rod does around them.
static void guess_halves(cdg_rod *rod, const cdg_rod_part *p) {
    size_t a = p->element[p->fresh - 1], b = p->element[p->fresh], first = p->node[p->fresh - 1];
    size_t last = p->node[p->fresh + 1];
    cdg_quat q = rod_quat(rod->q, a);
    double count = 0;
    cdg_vec3 rate = rate_beside(rod, first, rod_left_element(rod, first), a, -1, &count);
    rate = vec3_add(rate, rate_beside(rod, last, rod_right_element(rod, last), b, 1, &count));
    if (count == 0) return;
    cdg_vec3 quarter = vec3_scale(rod->rest_length[a] / 2 / count, rate);
    cdg_quat qa = quat_multiply(q, quat_exp(vec3_scale(-1, quarter))), qb = quat_multiply(q, quat_exp(quarter));
    cdg_vec3 from = rod_vec3(rod->x, first), to = rod_vec3(rod->x, last);
    double half = vec3_distance(from, to) / 4;
    cdg_vec3 away = vec3_scale(half, vec3_sub(quat_d3(qa), quat_d3(qb)));
    rod_set_quat(rod->q, a, qa);
    rod_set_quat(rod->q, b, qb);
    rod_set_vec3(rod->x, p->node[p->fresh], vec3_add(vec3_lerp(from, to, 0.5), away));
}

static void guess(operation *o) {
    if (o->is_split && !is_paper(o->rod)) guess_halves(o->rod, &o->to); // the thesis begins at the barycentre
    if (!o->patch.follows) return;
    follow_edge(o->rod, &o->to, o->to.changed);
    if (o->is_split) follow_edge(o->rod, &o->to, o->to.changed + 1);
}

// ---- where it ends --------------------------------------------------------------------------------------------------

// Points of a part and, where it is not there, of the fresh node between its neighbours.
static void list_points(const cdg_vec3 *x, size_t count, size_t fresh, bool has_fresh, cdg_vec3 *out) {
    for (size_t k = 0, c = 0; k < count; k++)
        if (has_fresh || k != fresh) out[k] = x[c++];
    if (!has_fresh) out[fresh] = vec3_lerp(out[fresh - 1], out[fresh + 1], 0.5);
}

// Of the finer polygon's points; that of one that goes lies between its neighbours.
static void list_radii(const operation *o, size_t count, size_t fresh, double *out) {
    const cdg_rod *rod = o->rod;
    for (size_t k = 0, c = 0; k < count; k++)
        if (o->is_split || k != fresh) out[k] = rod->radius[o->to.node[c++] * rod->section_stride];
    if (!o->is_split) out[fresh] = fmax(out[fresh - 1], out[fresh + 1]);
}

static void describe_move(const operation *o, cdg_adapt_move *move) {
    size_t fresh = o->is_split ? o->to.fresh : o->from.fresh;
    move->rod = o->rod, move->fresh = fresh, move->is_split = o->is_split;
    move->count = (o->is_split ? o->to.count : o->from.count) + 1;
    list_points(o->was.x, move->count, fresh, !o->is_split, move->from);
    list_points(o->patch.x, move->count, fresh, o->is_split, move->to);
    list_radii(o, move->count, fresh, move->radius);
    double arc = o->rod->adapt->arc[o->to.node[0]];
    for (size_t k = 0, c = 0; k < move->count; k++) {
        if (!o->is_split && k == fresh) continue;
        move->at[k] = arc;
        if (c < o->to.count) arc += o->rod->rest_length[o->to.element[c++]];
    }
    if (!o->is_split) move->at[fresh] = (move->at[fresh - 1] + move->at[fresh + 1]) / 2;
    move->arc[0] = move->at[0], move->arc[1] = move->at[move->count - 1];
}

// Contacts do not get closer than they are: the place of each, on the polygon as it was.
static void add_planes(operation *o) {
    const cdg_rod *rod = o->rod;
    const cdg_rod_part *p = &o->to, *from = &o->from;
    double first = rod->adapt->arc[p->node[0]], ends[NODES_MAX] = {0}, old_ends[NODES_MAX] = {0};
    for (size_t k = 0; k < p->count; k++) ends[k + 1] = ends[k] + rod->rest_length[p->element[k]];
    // halves are half as long as what they were made of
    for (size_t k = 0, c = 0; k <= p->count && o->is_split; k++)
        if (k != p->fresh) old_ends[c++] = ends[k];
    for (size_t k = 0, c = 0; k <= from->count && !o->is_split; k++)
        old_ends[k] = k != from->fresh ? ends[c++] : (ends[k - 1] + ends[k]) / 2;
    for (size_t i = 0; i < o->context->push_count; i++) {
        const cdg_adapt_push *push = &o->context->pushes[i];
        double at = push->arc - first;
        if (rod->is_closed && at < 0) at += rod->length;
        if (!push->is_contact || at < 0 || at > ends[p->count]) continue;
        size_t e = 0, was = 0;
        while (e + 1 < p->count && at > ends[e + 1]) e++;
        while (was + 1 < from->count && at > old_ends[was + 1]) was++;
        cdg_vec3 position =
            vec3_lerp(o->was.x[was], o->was.x[was + 1], (at - old_ends[was]) / (old_ends[was + 1] - old_ends[was]));
        cdg_rod_patch_add_plane(&o->patch, e, (at - ends[e]) / (ends[e + 1] - ends[e]), push->normal,
                                vec3_dot(push->normal, position));
    }
}

static void read_patch(operation *o, const cdg_rod_part *p) {
    cdg_rod_patch_read(&o->patch, o->rod, p->element, p->node, p->count);
}

// rad: how far the part's cells and those beside it are twisted, each the shorter way; 0 where none is wound, unless it
// is asked for anyhow.
static double twist_within(const cdg_rod *rod, const cdg_rod_part *p, bool is_wound) {
    cdg_quat turn[NODES_MAX];
    size_t count = 0;
    for (size_t k = 0; k <= p->count; k++) {
        size_t left = rod_left_element(rod, p->node[k]), right = rod_right_element(rod, p->node[k]);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        turn[count] = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
        is_wound = is_wound || fabs(turn[count].z) > wound * fabs(turn[count].w);
        count++;
    }
    double sum = 0;
    for (size_t k = 0; k < count && is_wound; k++)
        sum += 2 * atan2(turn[k].w < 0 ? -turn[k].z : turn[k].z, fabs(turn[k].w));
    return sum;
}

// One more plane for what is in the way. A place on the finer polygon is one on the coarser: halves have its shares.
static void add_obstruction(operation *o, const cdg_adapt_obstruction *it) {
    size_t element = it->segment, fresh = o->from.fresh;
    double share = it->share;
    if (!o->is_split && element + 1 >= fresh) {
        if (element + 1 == fresh || element == fresh) share = (share + (element == fresh ? 1 : 0)) / 2;
        if (element >= fresh) element--;
    }
    cdg_rod_patch_add_plane(&o->patch, element, share, it->normal, it->offset);
}

// J: what the forces that the part is in equilibrium with, weight and inertia among them, have done while it moved to
// where it is now.
static double work_done(const operation *o) {
    double work = 0;
    for (size_t k = 1; k < o->to.count; k++) work += vec3_dot(o->wanted.node[k], vec3_sub(o->patch.x[k], o->then.x[k]));
    return work;
}

// Puts what was found into the rod, unless it is too far away, or strained or bent more than the part was. What forces
// have put into it does not count: beside a clamp a coarse rod is bent too little, and gives way when it is halved.
// `strain`: its own energy; planes keep it out of things, but are not its own.
static cdg_adapt_refusal put(operation *o, double strain) {
    cdg_rod *rod = o->rod;
    const cdg_rod_part *p = &o->to;
    double most = (1 + most_gain) * o->strain + nothing * cdg_rod_patch_stiffness(&o->patch);
    if (o->context->push_count == 0 && strain > most && strain - work_done(o) > most) return CDG_ADAPT_TOO_STRAINED;
    o->out->energy = strain - o->strain;
    for (size_t k = 1; k < p->count; k++) {
        if (vec3_distance(o->patch.x[k], o->then.x[k]) > farthest * rod->rest_length[p->element[0]])
            return CDG_ADAPT_NO_EQUILIBRIUM;
        rod_set_vec3(rod->x, p->node[k], o->patch.x[k]);
    }
    for (size_t k = 0; k < p->count; k++) rod_set_quat(rod->q, p->element[k], o->patch.q[k]);
    // Models that count turns keep them; of others a measure of strain that softens may let one go.
    if (o->twist != 0 && fabs(twist_within(rod, p, true) - o->twist) > lost) return CDG_ADAPT_TOO_STRAINED;
    bool is_too_bent =
        !o->is_split && cdg_adapt_turn_within(rod, p->element[p->changed]) > calmest * rod->adapt->options.angle;
    return is_too_bent ? CDG_ADAPT_TOO_STRAINED : CDG_ADAPT_NOT_REFUSED;
}

// Finds the equilibrium, beside what is in the way of it, and puts it into the rod.
static cdg_adapt_refusal find_place(operation *o) {
    read_patch(o, &o->to);
    if (o->context->push_count > 0) add_planes(o);
    for (int round = 0; round < ROUNDS_MAX; round++) {
        double strain = 0;
        int iterations =
            is_paper(o->rod) ? descend(o, &strain) : cdg_rod_patch_solve(&o->patch, &o->wanted, !o->is_split, &strain);
        if (iterations == 0) return CDG_ADAPT_NO_EQUILIBRIUM;
        o->out->iterations += iterations;
        cdg_adapt_refusal refusal = put(o, strain);
        if (refusal != CDG_ADAPT_NOT_REFUSED || o->context->may_move == NULL) return refusal;
        cdg_adapt_move move;
        cdg_adapt_obstructions found;
        found.count = 0;
        describe_move(o, &move);
        if (o->context->may_move(o->context->user, &move, &found)) return CDG_ADAPT_NOT_REFUSED;
        if (found.count == 0 || !o->is_split) return CDG_ADAPT_IN_THE_WAY; // a merge can wait
        for (size_t k = 0; k < found.count; k++) add_obstruction(o, &found.list[k]);
    }
    return CDG_ADAPT_IN_THE_WAY;
}

// Where a rod is struck, or its solver has left much undone, nodes are accelerated by far more than elasticity can be
// in equilibrium with nearby.
static cdg_adapt_refusal settle(operation *o) {
    carry_nodes(o);
    guess(o);
    cdg_adapt_refusal refusal = find_place(o);
    if (refusal != CDG_ADAPT_NO_EQUILIBRIUM || !o->is_split || is_paper(o->rod)) return refusal;
    cdg_part_put_back(o->rod, &o->to, &o->then);
    carry_blow(o);
    guess(o);
    return find_place(o);
}

// ---- velocities -----------------------------------------------------------------------------------------------------

static void set_spins(operation *o) {
    for (size_t k = 0; k < o->to.count; k++) {
        size_t j = o->to.element[k];
        rod_set_vec3(o->rod->w, j,
                     o->patch.follows ? o->spin[k] : quat_rotate_inverse(rod_quat(o->rod->q, j), o->spin[k]));
    }
}

// Frames that follow turn across as their edges do.
static void follow_spins(cdg_rod *rod, const cdg_rod_part *p) {
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k], a = p->node[k], b = p->node[k + 1];
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, b), rod_vec3(rod->x, a));
        cdg_vec3 rate = vec3_sub(rod_vec3(rod->v, b), rod_vec3(rod->v, a));
        cdg_vec3 across = vec3_scale(1 / vec3_dot(edge, edge), vec3_cross(edge, rate));
        cdg_vec3 w = quat_rotate_inverse(rod_quat(rod->q, j), across);
        rod_set_vec3(rod->w, j, vec3(w.x, w.y, rod->w[2][j]));
    }
}

// Where the coarser resolution's nodes and axes are: for a split what was, for a merge what is.
static void describe_rigid(operation *o) {
    for (size_t k = 0, c = 0; k <= o->to.count; k++)
        if (k != o->to.fresh) o->rigid.coarse[k] = o->is_split ? o->was.x[c++] : rod_vec3(o->rod->x, o->to.node[k]);
    for (size_t k = 0; k < o->to.count; k++) {
        bool is_second = o->is_split && k > o->to.changed;
        o->rigid.axis[k] =
            quat_d3(o->is_split ? o->was.q[is_second ? k - 1 : k] : rod_quat(o->rod->q, o->to.element[k]));
    }
}

// Returns the kinetic energy that the part, and with it the rod, has then, but for what is the same around. (What
// follow_spins sets has no inertia.)
static double move_on(operation *o, const cdg_part_surroundings *around) {
    cdg_rod *rod = o->rod;
    if (!o->is_split) project_velocities(o);
    set_spins(o);
    describe_rigid(o);
    double kinetic = cdg_part_kinetic(rod, &o->to);
    kinetic += cdg_part_restore_momentum(rod, &o->to, around, &o->rigid, &o->momentum);
    if (o->patch.follows) follow_spins(rod, &o->to);
    cdg_part_move_past(rod, &o->to, &o->then);
    cdg_part_count_turns(rod, &o->to);
    return kinetic;
}

// ---- operations -----------------------------------------------------------------------------------------------------

static void take_back(operation *o) {
    (o->is_split ? cdg_resolution_join : cdg_resolution_halve)(o->rod, o->element);
    cdg_part_put_back(o->rod, &o->from, &o->was);
}

// What changes have given the rod, beyond what they have taken, stays a small share of its energy: else one that is
// split and merged without end could be pumped. Merges, which can wait, have to leave most of it to splits.
static bool is_too_dear(const operation *o) {
    cdg_rod_adapt *adapt = o->rod->adapt;
    double given = adapt->given + o->out->energy, share = o->is_split ? most_by_splits : most_by_merges;
    double least = nothing * cdg_rod_patch_stiffness(&o->patch); // a rod at rest has no energy but for rounding
    if (adapt->is_new || !(o->out->energy > 0) || !(given > share * adapt->scale + least)) return false;
    if (!adapt->is_scale_present) { // once between two steps; then what changes add is known
        cdg_energy whole;
        cdg_rod_measure_energy(o->rod, vec3(0, 0, 0), &whole);
        adapt->scale = whole.total - o->out->energy;
        adapt->is_scale_present = true;
    }
    return given > share * adapt->scale + least;
}

static bool change(operation *o) {
    cdg_rod *rod = o->rod;
    cdg_rod_patch_gradient gradient;
    cdg_part_surroundings around;
    o->from = cdg_part_beside(rod, o->element, o->sides, !o->is_split);
    if (!rod->adapt->is_new) { // what no step was taken with was not seen
        cdg_drawn_keep(rod, &o->from, o->is_split, &o->drawn);
        if (!o->is_split && o->context->waits && !cdg_drawn_may_merge(rod, &o->from, &o->drawn)) {
            o->out->refusal = CDG_ADAPT_WOULD_SHOW;
            return false;
        }
    }
    cdg_part_keep(rod, &o->from, &o->was);
    read_patch(o, &o->from);
    o->strain = cdg_rod_patch_energy(&o->patch, &gradient);
    o->gravity = height_energy(rod, &o->from, o->context->gravity);
    o->twist = rod->twist == NULL ? twist_within(rod, &o->from, false) : 0;
    find_accelerations(o, &gradient);
    o->rigid.centre = o->was.x[0];
    o->rigid.size = (o->is_split ? 1 : 2) * rod->rest_length[o->element];
    o->momentum = cdg_part_momentum_of(rod, &o->from, o->rigid.centre);
    double kinetic = cdg_part_kinetic(rod, &o->from);

    (o->is_split ? cdg_resolution_halve : cdg_resolution_join)(rod, o->element);
    o->to = cdg_part_beside(rod, o->element, o->sides, o->is_split);
    cdg_part_keep(rod, &o->to, &o->then);
    carry_frames(o, &gradient);
    o->out->refusal = settle(o);
    if (o->out->refusal != CDG_ADAPT_NOT_REFUSED) {
        take_back(o);
        return false;
    }
    cdg_part_list_surroundings(rod, &o->to, &around); // in the new numbering
    o->out->kinetic = move_on(o, &around) - kinetic;
    o->out->gravity = height_energy(rod, &o->to, o->context->gravity) - o->gravity;
    o->out->energy += o->out->kinetic + o->out->gravity;
    if (is_too_dear(o)) {
        cdg_part_reset_surroundings(rod, &around);
        take_back(o);
        o->out->refusal = CDG_ADAPT_TOO_DEAR;
        return false;
    }
    if (!rod->adapt->is_new) cdg_drawn_go_on(rod, &o->to, o->is_split, &o->drawn);
    rod->adapt->given += o->out->energy;
    rod->adapt->scale += o->out->energy;
    return true;
}

bool cdg_adapt_split(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out) {
    *out = (cdg_adapt_outcome){0};
    if (rod->element_count == rod->element_capacity) return false;
    operation o;
    o.rod = rod, o.context = context, o.out = out, o.element = element, o.is_split = true;
    o.sides = cdg_part_choose_sides(rod, element, element);
    if (is_paper(rod)) o.sides = choose_side(rod, context, element, element, o.sides);
    if (!change(&o)) return false;
    rod->adapt->split_count++;
    return true;
}

bool cdg_adapt_merge(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out) {
    *out = (cdg_adapt_outcome){0};
    operation o;
    o.rod = rod, o.context = context, o.out = out, o.element = element, o.is_split = false;
    o.sides = cdg_part_choose_sides(rod, element, element + 1);
    if (is_paper(rod)) o.sides = choose_side(rod, context, element, element + 1, o.sides);
    if (!change(&o)) return false;
    rod->adapt->merge_count++;
    return true;
}
