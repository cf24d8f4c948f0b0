// Where a rod is drawn while its resolution changes.
//
// A coarse rod that is bent is not where a finer one is: when a rope falls over a pole and its elements are halved,
// nodes move by a radius and more, because only then can it follow the pole. That is right, but would be seen as a
// jump. So each node is drawn a `shift` beside its place, and each frame turned by a `roll` about its axis, which a
// change chooses so that the skin stays as it was, and which then go away with time.
//
// The axis of the skin is a cubic spline through the nodes as drawn, over arc length at rest (geometry/rod_curve.h). A
// spline through points of another one, at all of its knots and some more, is the other one: so where the new node of
// a split is drawn on the axis, the axis is the same to rounding. A merge takes a knot away. What the axis then lacks
// is shared between the knot that is gone and its neighbours, and a merge waits while that would be seen. As frames lie
// along the axis, they can only be turned about it: that is measured in the middles of elements.
//
// A spline is determined by all of its points, but each next one counts by a factor of 0.27 less, so a few around a
// change are enough.
#include "adapt/drawn.h"

#include "geometry/spline.h"
#include "math/quat.h"

#include <math.h>

enum { MARGIN = 4, POINTS_MAX = CDG_PART_NODES - 1 + 2 * MARGIN };

static const double share = 0.45;        // of what is missing, by which the neighbours of a node that goes are moved
static const double most_shared = 0.022; // of the radius, before it is shared: 0.01 are seen
static const double most_alone = 0.007;  // the same where it is not: beside a node that is held, near a free end
// Of the length of a half: the axis also leans, by up to three times as much, and sections lean with it.
static const double tilt_shared = 0.008, tilt_alone = 0.004;
static const double most_unrolled = 0.01; // rad
static const double pace_time = 0.05;     // s: what is drawn comes nearer by a factor of e
static const double pace_steps = 50;      // not in fewer steps
static const double pace_share = 0.01;    // of the radius a step: and not faster
static const double nothing = 1e-4;       // of the radius, and rad: nobody sees that
static const double seam = 2;             // rad a cell: frames of rings may jump where they close

// ---- the axis -------------------------------------------------------------------------------------------------------

// Points around a change, on the nodes of the coarser resolution.
typedef struct window {
    cdg_vec3 point[POINTS_MAX], curvature[POINTS_MAX];
    double span[POINTS_MAX];
    size_t count, first; // of them; that of the part's first node
    bool is_ring;
    cdg_spline spline;
} window;

static cdg_vec3 drawn_at(const cdg_rod *rod, size_t node) {
    return vec3_add(rod_vec3(rod->x, node), rod_beside(rod, node)->shift);
}

static void add_point(const cdg_rod *rod, window *w, size_t node, double span) {
    w->point[w->count] = drawn_at(rod, node);
    w->span[w->count++] = span;
}

// The part's nodes but for the last, without the one that goes.
static void add_part(const cdg_rod *rod, const cdg_rod_part *part, window *w) {
    for (size_t k = 0; k < part->count; k++) {
        if (k == part->fresh) continue;
        double length = rod->rest_length[part->element[k]];
        add_point(rod, w, part->node[k], k + 1 == part->fresh ? 2 * length : length);
    }
}

// Nodes from `node` on, and its elements, as long as there are some and it does not come to `end`.
static void add_behind(const cdg_rod *rod, window *w, size_t node, size_t most, size_t end) {
    for (size_t k = 0; k < most; k++) {
        size_t element = rod_right_element(rod, node);
        if (element == SIZE_MAX || element == end) break;
        add_point(rod, w, node, rod->rest_length[element]);
        node = rod_next_node(rod, element);
    }
    if (node != end) add_point(rod, w, node, 0);
}

static void find_axis(const cdg_rod *rod, const cdg_rod_part *part, window *w) {
    size_t halves = part->fresh != CDG_PART_NODES ? 1 : 0, coarse = rod->node_count - halves, begin = part->node[0];
    w->count = 0;
    w->is_ring = rod->is_closed && coarse <= POINTS_MAX;
    for (size_t k = 0; k < MARGIN && !w->is_ring; k++) {
        size_t element = rod_left_element(rod, begin);
        if (element == SIZE_MAX) break;
        begin = element;
    }
    for (size_t node = begin; node != part->node[0]; node = rod_next_node(rod, node))
        add_point(rod, w, node, rod->rest_length[node]);
    w->first = w->count;
    add_part(rod, part, w);
    if (w->is_ring)
        add_behind(rod, w, part->node[part->count], POINTS_MAX, part->node[0]);
    else
        add_behind(rod, w, part->node[part->count], MARGIN, SIZE_MAX);
    double scratch[2 * POINTS_MAX];
    w->spline = (cdg_spline){w->point, w->count, w->count - (w->is_ring ? 0 : 1), w->span, w->curvature};
    cdg_spline_solve(&w->spline, w->is_ring ? CDG_SPLINE_PERIODIC : CDG_SPLINE_FREE, scratch);
}

// ---- frames ---------------------------------------------------------------------------------------------------------

// Turns are small here, and series are much faster than the functions: below 0.4 rad they err by 1e-8.
static cdg_quat small_exp(cdg_vec3 v) {
    double square = vec3_dot(v, v) / 4; // of half of it
    if (square > 0.04) return quat_exp(v);
    double sine = 0.5 * (1 - square * (1.0 / 6 - square * (1.0 / 120 - square / 5040)));
    double cosine = 1 - square * (1.0 / 2 - square * (1.0 / 24 - square * (1.0 / 720 - square / 40320)));
    return quat(cosine, sine * v.x, sine * v.y, sine * v.z);
}

static cdg_vec3 small_log(cdg_quat q) {
    double square = q.x * q.x + q.y * q.y + q.z * q.z; // of the sine of half of it
    if (square > 0.04) return quat_log(q);
    double scale = 2 * (1 + square * (1.0 / 6 + square * (3.0 / 40 + square * (15.0 / 336 + square * 105.0 / 3456))));
    return vec3_scale(q.w < 0 ? -scale : scale, quat_imaginary(q));
}

static cdg_quat roll_by(cdg_quat q, double angle) {
    return angle == 0 ? q : quat_multiply(q, small_exp(vec3(0, 0, angle)));
}

static cdg_quat drawn_frame(const cdg_rod *rod, size_t element) {
    return roll_by(rod_quat(rod->q, element), rod_beside(rod, element)->roll);
}

// As geometry/rod_curve.c lays frames along the axis.
static cdg_quat lay(cdg_quat q, cdg_vec3 tangent) { return quat_multiply(quat_between(quat_d3(q), tangent), q); }

// How frames turn over the cell at a node, rad/m, and the middles of its elements are apart.
typedef struct cell_turn {
    bool is_there;
    cdg_vec3 rate;
    double beyond; // m: from the node to the middle of the element on the far side
} cell_turn;

static cell_turn find_turn(const cdg_rod *rod, size_t node, bool is_before) {
    size_t left = rod_left_element(rod, node), right = rod_right_element(rod, node);
    cell_turn out = {.is_there = false};
    if (left == SIZE_MAX || right == SIZE_MAX) return out;
    cdg_vec3 turn = small_log(quat_relative(drawn_frame(rod, left), drawn_frame(rod, right)));
    out.is_there = vec3_dot(turn, turn) < seam * seam;
    out.rate = vec3_scale(1 / rod_cell_length(rod, node), turn);
    out.beyond = rod->rest_length[is_before ? left : right] / 2;
    return out;
}

// Of an element that is halved: frames a quarter of it before and behind its middle, and rolls of its nodes by which
// frames are the same between the new middles. (In rad from the straight line of the old ones.) Beyond an end frames go
// on at the rate beside it.
static void find_halves(const cdg_rod *rod, size_t element, cdg_quat out[2], double node_roll[3]) {
    size_t next = rod_next_node(rod, element);
    cdg_quat q = drawn_frame(rod, element);
    double quarter = rod->rest_length[element] / 4,
           was[2] = {rod_beside(rod, element)->node_roll, rod_beside(rod, next)->node_roll};
    cell_turn cell[2] = {find_turn(rod, element, true), find_turn(rod, next, false)};
    for (int k = 0; k < 2; k++)
        if (!cell[k].is_there) cell[k].rate = cell[1 - k].is_there ? cell[1 - k].rate : vec3(0, 0, 0);
    for (int k = 0; k < 2; k++) {
        cdg_vec3 turn = vec3_scale(k == 0 ? -quarter : quarter, cell[k].rate);
        turn.z += was[k] / 2;
        out[k] = quat_multiply(q, small_exp(turn));
        double apart = cell[k].beyond / (cell[k].beyond + quarter);
        node_roll[2 * k] = cell[k].is_there ? was[k] * (1 - apart / 2) : was[k] / 2 + (was[1 - k] - was[k]) / 4;
    }
    node_roll[1] = -((cell[1].rate.z - cell[0].rate.z) * quarter + (was[0] + was[1]) / 2) / 2;
}

// Of halves that become one, the same: in rad from the frame at the node between them, seen from there to one side.
typedef struct half_side {
    bool is_there;
    double middle, node, beyond; // of the half, at its far node, of the element beyond
    double length;               // m, from the node between to the middle beyond
} half_side;

static half_side find_side(const cdg_rod *rod, size_t half, size_t far, bool is_before, double between, double own) {
    cell_turn cell = find_turn(rod, far, is_before);
    double h = rod->rest_length[half], sign = is_before ? -1 : 1;
    half_side s = {.is_there = cell.is_there, .middle = sign * between * h / 2 - own};
    double rate = cell.is_there ? cell.rate.z : between;
    s.node = s.middle + sign * rate * h / 2 + rod_beside(rod, far)->node_roll;
    s.length = h + cell.beyond;
    s.beyond = s.middle + sign * rate * (h / 2 + cell.beyond);
    return s;
}

static void find_whole(const cdg_rod *rod, size_t first, size_t second, cdg_drawn *out) {
    cell_turn between = find_turn(rod, second, false);
    double rate = between.is_there ? between.rate.z : 0, own = rod_beside(rod, second)->node_roll,
           h = rod->rest_length[first];
    half_side side[2] = {find_side(rod, first, first, true, rate, own),
                         find_side(rod, second, rod_next_node(rod, second), false, rate, own)};
    out->unrolled = 0;
    for (int k = 0; k < 2; k++) {
        const half_side *s = &side[k], *other = &side[1 - k];
        double slope = s->is_there ? s->beyond / s->length : other->is_there ? -other->beyond / other->length : 0;
        out->node_roll[2 * k] = s->node - slope * h;
        out->unrolled = fmax(out->unrolled, fabs(s->middle - slope * h / 2 - out->node_roll[2 * k] / 2));
    }
}

static cdg_quat halfway(cdg_quat a, cdg_quat b) {
    if (quat_dot(a, b) < 0) b = quat_negate(b);
    return quat_normalize(quat(a.w + b.w, a.x + b.x, a.y + b.y, a.z + b.z));
}

static void find_tangent(const window *w, size_t piece, double u, cdg_vec3 *position, cdg_vec3 *tangent) {
    cdg_vec3 derivative;
    cdg_spline_evaluate(&w->spline, w->first + piece, u, position, &derivative);
    *tangent = vec3_normalize(derivative);
}

// ---- operations -----------------------------------------------------------------------------------------------------

// In the middle of the whole element: where the axis is, and the skin's frames in the middles of what comes.
static void keep_middle(const cdg_rod *rod, const cdg_rod_part *from, bool is_split, const window *w, cdg_drawn *out) {
    size_t changed = from->changed, j = from->element[changed];
    cdg_quat q[2];
    cdg_vec3 at;
    find_tangent(w, changed, 0.5, &out->fresh, &out->tangent[0]);
    if (is_split) {
        find_halves(rod, j, q, out->node_roll);
        for (size_t k = 0; k < 2; k++) find_tangent(w, changed, 0.25 + 0.5 * (double)k, &at, &out->tangent[k]);
    } else {
        size_t next = from->element[changed + 1];
        q[0] = roll_by(halfway(drawn_frame(rod, j), drawn_frame(rod, next)), rod_beside(rod, next)->node_roll);
        out->between = vec3_sub(out->place[from->fresh], out->fresh);
        find_whole(rod, j, next, out);
    }
    for (size_t k = 0; k < (is_split ? 2 : 1); k++) out->frame[changed + k] = lay(q[k], out->tangent[k]);
}

void cdg_drawn_keep(const cdg_rod *rod, const cdg_rod_part *from, bool is_split, cdg_drawn *out) {
    window w;
    find_axis(rod, from, &w);
    for (size_t k = 0; k <= from->count; k++) out->place[k] = drawn_at(rod, from->node[k]);
    for (size_t k = 0; k < from->count; k++) {
        if (k == from->changed || (!is_split && k == from->changed + 1)) continue;
        size_t then = k < from->changed ? k : is_split ? k + 1 : k - 1;
        out->frame[then] = rod_quat(rod->q, from->element[k]);
    }
    keep_middle(rod, from, is_split, &w, out);
}

// Whether the neighbours of a node that goes take a share. The axis swings more where it ends: not there.
static bool is_shared(const cdg_rod *rod, size_t left, size_t right) {
    size_t before = rod_left_element(rod, left), behind = rod_right_element(rod, right);
    if (before == SIZE_MAX || behind == SIZE_MAX) return false;
    if (rod_left_element(rod, before) == SIZE_MAX) return false;
    if (rod_right_element(rod, rod_next_node(rod, behind)) == SIZE_MAX) return false;
    return !cdg_part_is_held(rod, left) && !cdg_part_is_held(rod, right);
}

bool cdg_drawn_may_merge(const cdg_rod *rod, const cdg_rod_part *from, const cdg_drawn *drawn) {
    size_t left = from->node[from->fresh - 1], right = from->node[from->fresh + 1];
    bool is_between = is_shared(rod, left, right);
    double radius = fmin(rod->radius[left * rod->section_stride], rod->radius[right * rod->section_stride]);
    double most = (is_between ? most_shared : most_alone) * radius;
    most = fmin(most, (is_between ? tilt_shared : tilt_alone) * rod->rest_length[from->element[from->changed]]);
    return vec3_dot(drawn->between, drawn->between) < most * most && drawn->unrolled < most_unrolled;
}

// rad: by which a frame has to be turned about its axis to be as another with nearly the same axis.
static double roll_between(cdg_quat from, cdg_quat to) {
    cdg_quat turn = quat_relative(from, to);
    double tangent = turn.z / turn.w, square = tangent * tangent; // of half of it
    return square < 0.01 ? 2 * tangent * (1 - square * (1.0 / 3 - square * (1.0 / 5 - square / 7)))
                         : 2 * atan2(turn.w < 0 ? -turn.z : turn.z, fabs(turn.w));
}

static void set_place(cdg_rod *rod, size_t node, cdg_vec3 place) {
    rod_beside(rod, node)->shift = vec3_sub(place, rod_vec3(rod->x, node));
}

static void note_farthest(cdg_rod *rod, const cdg_rod_part *part) {
    double farthest = 0;
    for (size_t k = 0; k <= part->count; k++) {
        size_t i = part->node[k];
        const cdg_rod_beside *at = rod_beside(rod, i);
        double radius = rod->radius[i * rod->section_stride], roll = fmax(fabs(at->roll), fabs(at->node_roll));
        farthest = fmax(farthest, fmax(vec3_dot(at->shift, at->shift) / (radius * radius), roll * roll));
    }
    rod->adapt->shifted = fmax(rod->adapt->shifted, sqrt(farthest));
}

// The second half of what has become one is nowhere.
static void clear_gone(cdg_rod *rod, size_t whole) {
    cdg_rod_adapt *adapt = rod->adapt;
    uint32_t half = 1u << (adapt->options.levels - adapt->level[whole] - 1);
    adapt->beside[adapt->finest[whole] + half] = (cdg_rod_beside){{0, 0, 0}, 0, 0};
}

void cdg_drawn_go_on(cdg_rod *rod, const cdg_rod_part *to, bool is_split, const cdg_drawn *drawn) {
    // The first and the last have not moved.
    for (size_t k = 1; k < to->count; k++) {
        if (is_split)
            set_place(rod, to->node[k], k == to->fresh ? drawn->fresh : drawn->place[k < to->fresh ? k : k - 1]);
        else
            set_place(rod, to->node[k], drawn->place[k <= to->changed ? k : k + 1]);
    }
    size_t beside[2] = {to->node[to->changed], to->node[to->changed + 1]};
    if (!is_split && is_shared(rod, beside[0], beside[1]))
        for (int k = 0; k < 2; k++)
            rod_beside(rod, beside[k])->shift = vec3_mad(rod_beside(rod, beside[k])->shift, share, drawn->between);
    for (size_t k = 0; k < to->count; k++) {
        size_t j = to->element[k];
        bool is_changed = k == to->changed || (is_split && k == to->changed + 1);
        cdg_quat q = rod_quat(rod->q, j);
        if (is_changed)
            rod_beside(rod, j)->roll = roll_between(lay(q, drawn->tangent[k - to->changed]), drawn->frame[k]);
        else
            rod_beside(rod, j)->roll += roll_between(q, drawn->frame[k]);
    }
    rod_beside(rod, beside[0])->node_roll = drawn->node_roll[0];
    rod_beside(rod, beside[1])->node_roll = drawn->node_roll[is_split ? 1 : 2];
    if (is_split) rod_beside(rod, to->node[to->changed + 2])->node_roll = drawn->node_roll[2];
    if (!is_split) clear_gone(rod, to->element[to->changed]);
    note_farthest(rod, to);
}

void cdg_drawn_settle(cdg_rod *rod, double step) {
    cdg_rod_adapt *adapt = rod->adapt;
    if (adapt->shifted == 0) return;
    double left = 1 - fmin(fmin(step / pace_time, 1 / pace_steps), pace_share / adapt->shifted);
    adapt->shifted *= left;
    if (adapt->shifted < nothing) left = adapt->shifted = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_rod_beside *at = rod_beside(rod, i);
        *at = (cdg_rod_beside){vec3_scale(left, at->shift), left * at->roll, left * at->node_roll};
    }
}
