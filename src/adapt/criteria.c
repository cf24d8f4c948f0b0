// Where a rod should be finer and where it may be coarser: by how far it turns within an element, and by contact.
// Neighbours differ by a factor of two at most; what is fine stays so for a time.
#include "adapt/adapt.h"

#include "adapt/drawn.h"
#include "adapt/resolution.h"
#include "math/quat.h"
#include "rods/rod_model.h"

#include <math.h>

// rad: a twist between neighbours beyond this comes near half a turn, where it is lost.
static const double largest_twist = 1.5;

// Share of the turn that splits: before the first step, halves that turn by less become one.
static const double start_share = 0.45;

// s: after so long the energy that changes of resolution gave the rod no longer counts; otherwise a rod in motion for
// hours could one day change no more.
static const double forgetting = 0.2;

static double angle_of(double sine) { // of which `sine` is that of the half
    return 2 * (sine < 0.2 ? sine * (1 + sine * sine / 6) : asin(fmin(sine, 1)));
}

// Measures of turns that grow less, or more, than the turn do so with twist as with bending: sections that are twisted
// by 1 rad against each other have a torque that is 16 % too low by the sine. The angle is exact.
static bool errs_in_twist(const cdg_rod *rod) { return rod->twist == NULL && rod->measure != CDG_POBD_ANGLE; }

// rad: how far one section is turned against another: by bending; and by twist, where that counts.
static double turn_between(const cdg_rod *rod, cdg_quat from, cdg_quat to, cdg_quat rest) {
    cdg_quat p = quat_relative(from, to);
    double turn = angle_of(sqrt(p.x * p.x + p.y * p.y));
    if (errs_in_twist(rod)) {
        cdg_quat s = rod->measures_from_rest ? quat_relative(rest, p) : p;
        turn = fmax(turn, angle_of(sqrt(s.x * s.x + s.y * s.y + s.z * s.z)));
    }
    if (rod->twist == NULL && fabs(p.z) > 0.6 * fabs(p.w)) { // 2 atan 0.6 = 1.08
        double twist = 2 * fabs(atan2(p.z, p.w));
        turn = fmax(turn, rod->adapt->options.angle * twist / largest_twist);
    }
    return turn;
}

// rad for each metre, over the cell of a node.
static double curvature_at(const cdg_rod *rod, size_t node) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    if (left == SIZE_MAX || right == SIZE_MAX) return 0;
    return turn_between(rod, rod_quat(rod->q, left), rod_quat(rod->q, right), rod_rest_turn(rod, node)) /
           rod_cell_length(rod, node);
}

static const cdg_hold *clamp_at(const cdg_rod *rod, size_t node) {
    const cdg_hold *hold = rod->hold_count > 0 ? rod_hold_at(rod, node) : NULL;
    return hold != NULL && hold->frame_hold == CDG_HOLD_FRAME ? hold : NULL;
}

// The same for an element beside the node: where the section there is clamped, over the half cell between the two.
static double curvature_beside(const cdg_rod *rod, size_t node, size_t element) {
    const cdg_hold *clamp = clamp_at(rod, node);
    if (clamp == NULL) return curvature_at(rod, node);
    cdg_quat from = clamp->frame, to = rod_quat(rod->q, element), rest = quat_identity();
    double half = rod->rest_length[element] / 2;
    if (element != node) from = to, to = clamp->frame; // the element is before it
    if (errs_in_twist(rod) && rod->measures_from_rest)
        rest = quat_exp(vec3_scale(half / rod_cell_length(rod, node), cdg_rod_rest_turn_vector(rod, node)));
    return turn_between(rod, from, to, rest) / half;
}

double cdg_adapt_turn_within(const cdg_rod *rod, size_t element) {
    return rod->rest_length[element] *
           fmax(curvature_beside(rod, element, element), curvature_beside(rod, rod_next_node(rod, element), element));
}

static int level_beside(const cdg_rod *rod, size_t element, int side, int none) {
    if (side < 0) {
        size_t left = rod_left_element(rod, element);
        return left != SIZE_MAX ? rod->adapt->level[left] : none;
    }
    size_t right = rod_right_element(rod, rod_next_node(rod, element));
    return right != SIZE_MAX ? rod->adapt->level[right] : none;
}

// Whether the present step is stable with elements as long as this. A `shortest` that was given counts for itself.
static bool is_borne(const cdg_rod *rod, size_t element, double length) {
    const cdg_rod_adapt *adapt = rod->adapt;
    if (adapt->options.shortest > 0 || rod->model->bears_length == NULL) return true;
    return rod->model->bears_length(rod, element, length, adapt->step);
}

// What is beside a joint keeps its length (world/joint.c).
static bool is_beside_joint(const cdg_rod *rod, size_t element) {
    return rod->adapt->joined[element] != 0 || rod->adapt->joined[rod_next_node(rod, element)] != 0;
}

static bool may_halve(const cdg_rod *rod, size_t element) {
    const cdg_adapt_options *o = &rod->adapt->options;
    if (is_beside_joint(rod, element)) return false;
    return rod->adapt->level[element] < o->levels &&
           rod->rest_length[element] / 2 >= rod_adapt_shortest(rod, element) * (1 - 1e-9) &&
           rod->element_count < rod->element_capacity && is_borne(rod, element, rod->rest_length[element] / 2);
}

// One contact is reason enough by default: with both halves asked for, the ropes of a double fisherman's knot have 6 %
// fewer contacts than fine ones, with any 2 %.
static bool is_touched(const cdg_rod *rod, size_t element) {
    uint8_t touch = rod->adapt->touch[element];
    return rod->adapt->options.contact == CDG_ADAPT_TOUCHED ? touch != 0 : touch == 3;
}

static bool should_halve(const cdg_rod *rod, size_t element) {
    return is_touched(rod, element) || cdg_adapt_turn_within(rod, element) > rod->adapt->options.angle;
}

// For the sake of a finer neighbour that wants to become finer still.
static bool is_asked(const cdg_rod *rod, size_t element) {
    int own = rod->adapt->level[element];
    size_t left = rod_left_element(rod, element), right = rod_right_element(rod, rod_next_node(rod, element));
    size_t beside[2] = {left, right};
    for (int k = 0; k < 2; k++)
        if (beside[k] != SIZE_MAX && rod->adapt->level[beside[k]] > own && may_halve(rod, beside[k]) &&
            should_halve(rod, beside[k]))
            return true;
    return false;
}

cdg_adapt_kind cdg_adapt_wanted(const cdg_rod *rod, size_t element) {
    const cdg_rod_adapt *adapt = rod->adapt;
    int own = adapt->level[element];
    if (may_halve(rod, element) && level_beside(rod, element, -1, own) >= own &&
        level_beside(rod, element, 1, own) >= own && (should_halve(rod, element) || is_asked(rod, element)))
        return CDG_ADAPT_SPLIT;
    if (!cdg_resolution_are_halves(rod, element)) return CDG_ADAPT_KEEP;
    if (is_beside_joint(rod, element) || is_beside_joint(rod, element + 1)) return CDG_ADAPT_KEEP;
    float hold = (float)adapt->options.hold;
    if (adapt->calm[element] < hold || adapt->calm[element + 1] < hold) return CDG_ADAPT_KEEP;
    if (level_beside(rod, element, -1, own) > own || level_beside(rod, element + 1, 1, own) > own)
        return CDG_ADAPT_KEEP;
    return CDG_ADAPT_MERGE;
}

bool cdg_adapt_starts_too_fine(const cdg_rod *rod, size_t element) {
    const cdg_adapt_options *o = &rod->adapt->options;
    int own = rod->adapt->level[element];
    if (!cdg_resolution_are_halves(rod, element)) return false;
    if (is_beside_joint(rod, element) || is_beside_joint(rod, element + 1)) return false;
    if (level_beside(rod, element, -1, own) > own || level_beside(rod, element + 1, 1, own) > own) return false;
    if (rod->rest_length[element] < rod_adapt_shortest(rod, element) * (1 - 1e-9)) return true;
    if (!is_borne(rod, element, rod->rest_length[element])) return true;
    return fmax(cdg_adapt_turn_within(rod, element), cdg_adapt_turn_within(rod, element + 1)) < start_share * o->angle;
}

void cdg_adapt_watch(cdg_rod *rod, double step) {
    cdg_rod_adapt *adapt = rod->adapt;
    double coarsen = adapt->options.coarsen;
    adapt->given -= adapt->given * fmin(step / forgetting, 1);
    adapt->is_scale_present = false;
    cdg_drawn_settle(rod, step);
    if (adapt->halved_count == 0) return;
    double before = curvature_beside(rod, 0, 0);
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j);
        double after = curvature_beside(rod, next, j);
        bool is_calm = adapt->touch[j] == 0 && rod->rest_length[j] * fmax(before, after) < coarsen;
        adapt->calm[j] = is_calm ? adapt->calm[j] + (float)step : 0;
        before = next == j + 1 && next < rod->element_count && clamp_at(rod, next) != NULL
                     ? curvature_beside(rod, next, next)
                     : after;
    }
}
