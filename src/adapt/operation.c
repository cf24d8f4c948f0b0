// Splitting an element and merging two, of a rod in motion: the new resolution's positions and frames, then velocities
// that keep linear and angular momentum to rounding.
//
// Velocities are corrected by a rigid motion of the coarser of the two resolutions, between whose nodes the finer one's
// new node moves. So a merge takes back what a split did, whatever the rod's motion: what is left is a rigid motion
// without momentum, which is none.
#include "adapt/adapt.h"

#include "adapt/resolution.h"
#include "adapt/rod_patch.h"
#include "math/quat.h"
#include "rods/discrete_spring.h"
#include "rods/rod_model.h"

#include <math.h>

enum { NODES_MAX = CDG_PATCH_NODES, ELEMENTS_MAX = CDG_PATCH_ELEMENTS };
static const double farthest = 0.5;   // of an element: what moves farther has left its neighbourhood
static const double most_gain = 0.25; // of the part's energy of strain: what an operation may add to it
static const double calmest = 0.9;    // of the turn that splits, which a merge must stay below

// The part of the rod that an operation is about, in its present numbering: elements one after the other, round the
// seam of a closed rod, and their nodes.
typedef struct part {
    size_t count; // elements
    size_t element[ELEMENTS_MAX], node[NODES_MAX];
    size_t fresh; // which of the nodes is the one that a split makes and a merge removes; NODES_MAX: it is not there
} part;

static bool is_held(const cdg_rod *rod, size_t node) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    return hold != NULL && (hold->holds_position || hold->slides);
}

static part part_of(const cdg_rod *rod, size_t first, size_t count, size_t fresh) {
    part p = {.count = count, .fresh = fresh};
    for (size_t k = 0; k < count; k++) p.element[k] = (first + k) % rod->element_count;
    for (size_t k = 0; k <= count; k++) p.node[k] = (first + k) % rod->node_count;
    return p;
}

static bool frames_follow(const cdg_rod *rod) {
    return rod->model->contact.frames_follow != NULL && rod->model->contact.frames_follow(rod);
}

// ---- momentum -------------------------------------------------------------------------------------------------------

typedef struct momentum {
    double of[6]; // linear, and angular about a centre
} momentum;

static void put_vec3(double *out, cdg_vec3 v) { out[0] += v.x, out[1] += v.y, out[2] += v.z; }

// World axes.
static cdg_vec3 spin_momentum(const cdg_rod *rod, size_t element, cdg_vec3 spin) {
    cdg_quat q = rod_quat(rod->q, element);
    cdg_vec3 i = cdg_rod_frame_inertia(rod, element), w = quat_rotate_inverse(q, spin);
    return quat_rotate(q, vec3(i.x * w.x, i.y * w.y, i.z * w.z));
}

static momentum momentum_of(const cdg_rod *rod, const part *p, cdg_vec3 centre) {
    momentum m = {{0}};
    for (size_t k = 0; k <= p->count; k++) {
        cdg_vec3 linear = vec3_scale(rod->node_mass[p->node[k]], rod_vec3(rod->v, p->node[k]));
        put_vec3(m.of, linear);
        put_vec3(m.of + 3, vec3_cross(vec3_sub(rod_vec3(rod->x, p->node[k]), centre), linear));
    }
    for (size_t k = 0; k < p->count; k++) {
        cdg_vec3 spin = quat_rotate(rod_quat(rod->q, p->element[k]), rod_vec3(rod->w, p->element[k]));
        put_vec3(m.of + 3, spin_momentum(rod, p->element[k], spin));
    }
    return m;
}

// Gauss' elimination with the largest of all pivots; what has none stays 0: a straight part does not turn about itself.
static void solve6(double a[6][6], double b[6], double x[6]) {
    int row_of[6], column_of[6];
    bool row_is_used[6] = {false}, column_is_used[6] = {false};
    double largest = 0;
    int rank = 0;
    for (; rank < 6; rank++) {
        double best = 0;
        for (int r = 0; r < 6; r++)
            for (int c = 0; c < 6; c++)
                if (!row_is_used[r] && !column_is_used[c] && fabs(a[r][c]) > best)
                    best = fabs(a[r][c]), row_of[rank] = r, column_of[rank] = c;
        if (rank == 0) largest = best;
        if (!(best > 1e-11 * largest)) break;
        int pr = row_of[rank], pc = column_of[rank];
        row_is_used[pr] = column_is_used[pc] = true;
        for (int r = 0; r < 6; r++) {
            if (row_is_used[r]) continue;
            double factor = a[r][pc] / a[pr][pc];
            for (int c = 0; c < 6; c++) a[r][c] -= factor * a[pr][c];
            b[r] -= factor * b[pr];
        }
    }
    for (int k = 0; k < 6; k++) x[k] = 0;
    for (int k = rank; k-- > 0;) {
        double sum = b[row_of[k]];
        for (int m = k + 1; m < rank; m++) sum -= a[row_of[k]][column_of[m]] * x[column_of[m]];
        x[column_of[k]] = sum / a[row_of[k]][column_of[k]];
    }
}

// The velocity that a rigid motion (rates, and turns scaled to the same size) gives to a node of the part. The fresh
// node goes between its neighbours, which are at the places `coarse` of the coarser resolution; held nodes stay.
typedef struct rigid {
    const cdg_vec3 *coarse; // by the part's nodes; not that of the fresh one
    const cdg_vec3 *axis;   // by the part's elements: d3 of the coarser resolution, for frames that spin about it alone
    bool follows;
    cdg_vec3 centre;
    double size; // m
} rigid;

static cdg_vec3 rigid_velocity(const cdg_rod *rod, const part *p, const rigid *r, size_t k, const double x[6]) {
    if (k == p->fresh) return vec3_lerp(rigid_velocity(rod, p, r, k - 1, x), rigid_velocity(rod, p, r, k + 1, x), 0.5);
    if (is_held(rod, p->node[k])) return vec3(0, 0, 0);
    cdg_vec3 turn = vec3(x[3] / r->size, x[4] / r->size, x[5] / r->size);
    return vec3_add(vec3(x[0], x[1], x[2]), vec3_cross(turn, vec3_sub(r->coarse[k], r->centre)));
}

// World axes.
static cdg_vec3 rigid_spin(const cdg_rod *rod, const part *p, const rigid *r, size_t k, const double x[6]) {
    cdg_vec3 turn = vec3(x[3] / r->size, x[4] / r->size, x[5] / r->size);
    return r->follows ? vec3_scale(vec3_dot(turn, r->axis[k]), quat_d3(rod_quat(rod->q, p->element[k]))) : turn;
}

// Nodes and elements beside the part that take their share of a correction: a part alone, nearly straight, could be
// turned about itself only by spins without measure.
enum { BESIDE = 8 };
typedef struct beside {
    size_t node[2 * BESIDE], element[2 * BESIDE], count;
} beside;

static beside list_beside(const cdg_rod *rod, const part *p) {
    beside out = {.count = 0};
    size_t left = p->node[0], right = p->node[p->count], most = rod->node_count - (p->count + 1);
    for (size_t k = 0; k < BESIDE; k++) {
        size_t before = rod_left_element(rod, left), after = rod_right_element(rod, right);
        if (before != SIZE_MAX && out.count < most) {
            left = before; // element j begins at node j
            out.element[out.count] = before;
            out.node[out.count++] = left;
        }
        if (after != SIZE_MAX && out.count < most) {
            right = rod_next_node(rod, after);
            out.element[out.count] = after;
            out.node[out.count++] = right;
        }
    }
    return out;
}

static cdg_vec3 rigid_beside(const cdg_rod *rod, const rigid *r, size_t node, const double x[6]) {
    if (is_held(rod, node)) return vec3(0, 0, 0);
    cdg_vec3 turn = vec3(x[3] / r->size, x[4] / r->size, x[5] / r->size);
    return vec3_add(vec3(x[0], x[1], x[2]), vec3_cross(turn, vec3_sub(rod_vec3(rod->x, node), r->centre)));
}

static cdg_vec3 spin_beside(const cdg_rod *rod, const rigid *r, size_t element, const double x[6]) {
    cdg_vec3 turn = vec3(x[3] / r->size, x[4] / r->size, x[5] / r->size), d3 = quat_d3(rod_quat(rod->q, element));
    return r->follows ? vec3_scale(vec3_dot(turn, d3), d3) : turn;
}

static void add_column(const cdg_rod *rod, const rigid *r, size_t node, cdg_vec3 velocity, double column[6]) {
    cdg_vec3 linear = vec3_scale(rod->node_mass[node], velocity);
    put_vec3(column, linear);
    put_vec3(column + 3, vec3_cross(vec3_sub(rod_vec3(rod->x, node), r->centre), linear));
}

static void add3(double *const a[3], size_t i, cdg_vec3 v) {
    if (a[0] != NULL) rod_set_vec3(a, i, vec3_add(rod_vec3(a, i), v));
}

static void correct(cdg_rod *rod, const part *p, const beside *b, const rigid *r, const double x[6]) {
    for (size_t k = 0; k <= p->count; k++) add3(rod->v, p->node[k], rigid_velocity(rod, p, r, k, x));
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k];
        add3(rod->w, j, quat_rotate_inverse(rod_quat(rod->q, j), rigid_spin(rod, p, r, k, x)));
    }
    for (size_t k = 0; k < b->count; k++) { // with what it was before, whose difference stays
        cdg_vec3 velocity = rigid_beside(rod, r, b->node[k], x);
        size_t j = b->element[k];
        cdg_vec3 spin = quat_rotate_inverse(rod_quat(rod->q, j), spin_beside(rod, r, j, x));
        add3(rod->v, b->node[k], velocity), add3(rod->v_before, b->node[k], velocity);
        add3(rod->w, j, spin), add3(rod->w_before, j, spin);
    }
}

static void restore_momentum(cdg_rod *rod, const part *p, const beside *around, const rigid *r,
                             const momentum *wanted) {
    momentum now = momentum_of(rod, p, r->centre);
    double a[6][6] = {{0}}, b[6], x[6];
    for (int k = 0; k < 3; k++) b[k] = wanted->of[k] - now.of[k];
    for (int k = 3; k < 6; k++) b[k] = (wanted->of[k] - now.of[k]) / r->size;
    for (int c = 0; c < 6; c++) {
        double unit[6] = {0}, column[6] = {0};
        unit[c] = 1;
        for (size_t k = 0; k <= p->count; k++)
            add_column(rod, r, p->node[k], rigid_velocity(rod, p, r, k, unit), column);
        for (size_t k = 0; k < p->count && c >= 3; k++)
            put_vec3(column + 3, spin_momentum(rod, p->element[k], rigid_spin(rod, p, r, k, unit)));
        for (size_t k = 0; k < around->count; k++) {
            size_t j = around->element[k];
            add_column(rod, r, around->node[k], rigid_beside(rod, r, around->node[k], unit), column);
            if (c >= 3) put_vec3(column + 3, spin_momentum(rod, j, spin_beside(rod, r, j, unit)));
        }
        for (int k = 0; k < 3; k++) a[k][c] = column[k], a[k + 3][c] = column[k + 3] / r->size;
    }
    solve6(a, b, x);
    correct(rod, p, around, r, x);
}

// ---- books ----------------------------------------------------------------------------------------------------------

static void measure(const cdg_rod *rod, const part *p, cdg_vec3 gravity, cdg_energy *out) {
    cdg_rod_measure_part(rod, p->element[0], p->count, gravity, out);
}

static double kinetic_beside(const cdg_rod *rod, const beside *b) {
    double sum = 0;
    for (size_t k = 0; k < b->count; k++) {
        cdg_vec3 v = rod_vec3(rod->v, b->node[k]), w = rod_vec3(rod->w, b->element[k]);
        cdg_vec3 i = cdg_rod_frame_inertia(rod, b->element[k]);
        sum += 0.5 * rod->node_mass[b->node[k]] * vec3_dot(v, v);
        sum += 0.5 * (i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z);
    }
    return sum;
}

static void compare(const cdg_energy *before, const cdg_energy *after, double more, cdg_adapt_outcome *out) {
    out->energy = after->total - before->total + more;
    out->kinetic = after->kinetic - before->kinetic + more;
    out->gravity = after->gravity - before->gravity;
}

// ---- states ---------------------------------------------------------------------------------------------------------

// What an operation may change of a part, to go back when it is refused; and to go on from.
typedef struct kept {
    cdg_vec3 x[NODES_MAX], v[NODES_MAX], x_before[NODES_MAX], v_before[NODES_MAX], rest_curl[NODES_MAX];
    cdg_quat rest_turn[NODES_MAX];
    double twist[NODES_MAX];
    cdg_quat q[ELEMENTS_MAX], q_before[ELEMENTS_MAX];
    cdg_vec3 w[ELEMENTS_MAX], w_before[ELEMENTS_MAX];
    double tension[ELEMENTS_MAX];
    float calm[ELEMENTS_MAX];
} kept;

static cdg_vec3 get3(double *const a[3], size_t i) { return a[0] != NULL ? rod_vec3(a, i) : vec3(0, 0, 0); }
static cdg_quat get4(double *const a[4], size_t i) { return a[0] != NULL ? rod_quat(a, i) : quat_identity(); }
static void set3(double *const a[3], size_t i, cdg_vec3 v) {
    if (a[0] != NULL) rod_set_vec3(a, i, v);
}
static void set4(double *const a[4], size_t i, cdg_quat q) {
    if (a[0] != NULL) rod_set_quat(a, i, q);
}

static void keep(const cdg_rod *rod, const part *p, kept *out) {
    for (size_t k = 0; k <= p->count; k++) {
        size_t i = p->node[k];
        out->x[k] = rod_vec3(rod->x, i), out->v[k] = rod_vec3(rod->v, i);
        out->x_before[k] = get3(rod->x_before, i), out->v_before[k] = get3(rod->v_before, i);
        out->rest_curl[k] = get3(rod->rest_curl, i);
        if (!rod->has_one_turn) out->rest_turn[k] = rod_quat(rod->rest_turn, i);
        if (rod->twist != NULL) out->twist[k] = rod->twist[i];
    }
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k];
        out->q[k] = rod_quat(rod->q, j), out->w[k] = rod_vec3(rod->w, j);
        out->q_before[k] = get4(rod->q_before, j), out->w_before[k] = get3(rod->w_before, j);
        if (rod->tension != NULL) out->tension[k] = rod->tension[j];
        out->calm[k] = rod->adapt->calm[j];
    }
}

static void put_back(cdg_rod *rod, const part *p, const kept *from) {
    for (size_t k = 0; k <= p->count; k++) {
        size_t i = p->node[k];
        rod_set_vec3(rod->x, i, from->x[k]), rod_set_vec3(rod->v, i, from->v[k]);
        set3(rod->x_before, i, from->x_before[k]), set3(rod->v_before, i, from->v_before[k]);
        set3(rod->rest_curl, i, from->rest_curl[k]);
        if (!rod->has_one_turn) rod_set_quat(rod->rest_turn, i, from->rest_turn[k]);
        if (rod->twist != NULL) rod->twist[i] = from->twist[k];
    }
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k];
        rod_set_quat(rod->q, j, from->q[k]), rod_set_vec3(rod->w, j, from->w[k]);
        set4(rod->q_before, j, from->q_before[k]), set3(rod->w_before, j, from->w_before[k]);
        if (rod->tension != NULL) rod->tension[j] = from->tension[k];
        rod->adapt->calm[j] = from->calm[k];
    }
}

// The past of integrators that look back: nodes came as far in the last step as they did (`then`: in the new numbering,
// before anything moved), frames turned as far, and velocities changed as much.
static void move_past(cdg_rod *rod, const part *p, const kept *then) {
    if (rod->x_before[0] == NULL) return;
    for (size_t k = 0; k <= p->count; k++) {
        size_t i = p->node[k];
        cdg_vec3 way = vec3_sub(then->x[k], then->x_before[k]), faster = vec3_sub(then->v[k], then->v_before[k]);
        rod_set_vec3(rod->x_before, i, vec3_sub(rod_vec3(rod->x, i), way));
        rod_set_vec3(rod->v_before, i, vec3_sub(rod_vec3(rod->v, i), faster));
    }
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k];
        cdg_quat back = quat_relative(then->q[k], then->q_before[k]);
        rod_set_quat(rod->q_before, j, quat_normalize(quat_multiply(rod_quat(rod->q, j), back)));
        cdg_vec3 faster = vec3_sub(then->w[k], then->w_before[k]);
        rod_set_vec3(rod->w_before, j, vec3_sub(rod_vec3(rod->w, j), faster));
    }
}

// What an operation carries over of a frame's spin: all of it, in world axes, or, of frames that follow, that about d3.
static cdg_vec3 spin_of(const cdg_rod *rod, cdg_quat q, cdg_vec3 w) {
    return frames_follow(rod) ? vec3(0, 0, w.z) : quat_rotate(q, w);
}

static void set_spins(cdg_rod *rod, const part *p, const cdg_vec3 *spin) {
    for (size_t k = 0; k < p->count; k++) {
        size_t j = p->element[k];
        rod_set_vec3(rod->w, j, frames_follow(rod) ? spin[k] : quat_rotate_inverse(rod_quat(rod->q, j), spin[k]));
    }
}

// Frames that follow turn across as their edges do.
static void follow_spins(cdg_rod *rod, const part *p) {
    for (size_t k = 0; k < p->count && frames_follow(rod); k++) {
        size_t j = p->element[k], a = p->node[k], b = p->node[k + 1];
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, b), rod_vec3(rod->x, a));
        cdg_vec3 rate = vec3_sub(rod_vec3(rod->v, b), rod_vec3(rod->v, a));
        cdg_vec3 across = vec3_scale(1 / vec3_dot(edge, edge), vec3_cross(edge, rate));
        cdg_vec3 w = quat_rotate_inverse(rod_quat(rod->q, j), across);
        rod_set_vec3(rod->w, j, vec3(w.x, w.y, rod->w[2][j]));
    }
}

static void follow_edges(cdg_rod *rod, const part *p) {
    for (size_t k = 0; k < p->count && frames_follow(rod); k++) {
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, p->node[k + 1]), rod_vec3(rod->x, p->node[k]));
        cdg_quat q = rod_quat(rod->q, p->element[k]);
        rod_set_quat(rod->q, p->element[k], der_transport(q, vec3_normalize(edge), 0));
    }
}

// Twist as counted, nearest to what it was.
static void count_turns(cdg_rod *rod, const part *p) {
    for (size_t k = 0; k <= p->count && rod->twist != NULL; k++) {
        size_t i = p->node[k], left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        cdg_quat turn = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
        rod->twist[i] = der_turn_strain(turn, rod->twist[i], rod->curls_by_angle).z;
    }
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
static void list_pushed(const cdg_rod *rod, const part *p, const cdg_adapt_context *context, cdg_vec3 out[NODES_MAX]) {
    double arc[NODES_MAX] = {rod->adapt->arc[p->node[0]]};
    for (size_t k = 0; k < p->count; k++) arc[k + 1] = arc[k] + rod->rest_length[p->element[k]];
    for (size_t k = 0; k <= p->count; k++) out[k] = vec3(0, 0, 0);
    for (size_t k = 1; k < p->count && context->push_count > 0; k++) out[k] = pushed(rod, context, &arc[k - 1]);
}

// How inner nodes are accelerated by what is not a push: elasticity, as it is. It stands for all loads that are spread
// along the rod, inertia among them, and is what the new resolution is to balance.
static void accelerations(const cdg_rod *rod, const part *p, const cdg_rod_patch_gradient *gradient,
                          const cdg_vec3 *pushes, cdg_vec3 out[NODES_MAX]) {
    for (size_t k = 1; k < p->count; k++)
        out[k] = vec3_scale(1 / rod->node_mass[p->node[k]], vec3_sub(pushes[k], gradient->node[k]));
}

static void want(const cdg_rod *rod, const part *p, const cdg_vec3 *a, const cdg_vec3 *pushes,
                 cdg_rod_patch_gradient *out) {
    for (size_t k = 1; k < p->count; k++) out->node[k] = vec3_mad(pushes[k], -rod->node_mass[p->node[k]], a[k]);
}

// ---- operations -----------------------------------------------------------------------------------------------------

// Neighbours whose nodes towards the changed element move along. One that is held does not; of a short ring none does.
typedef struct sides {
    bool before, next;
} sides;

enum { RING_LEAST = 6 };

static sides choose_sides(const cdg_rod *rod, size_t first, size_t last) {
    size_t end = rod_next_node(rod, last);
    if (rod->is_closed && rod->element_count < RING_LEAST) return (sides){false, false};
    return (sides){.before = rod_left_element(rod, first) != SIZE_MAX && !is_held(rod, first),
                   .next = rod_right_element(rod, end) != SIZE_MAX && !is_held(rod, end)};
}

static part part_beside(const cdg_rod *rod, size_t element, sides with, bool is_fine) {
    size_t first = with.before ? rod_left_element(rod, element) : element;
    size_t count = (size_t)(is_fine ? 2 : 1) + (with.before ? 1 : 0) + (with.next ? 1 : 0);
    return part_of(rod, first, count, is_fine ? (with.before ? 2 : 1) : NODES_MAX);
}

// From the inner nodes of the coarse part to those of the fine one; the fresh one has the mean of those beside it.
static void spread(const part *fine, const cdg_vec3 *coarse, cdg_vec3 out[NODES_MAX]) {
    cdg_vec3 sum = vec3(0, 0, 0);
    double count = 0;
    for (size_t k = 1; k < fine->count; k++) {
        if (k == fine->fresh) continue;
        out[k] = coarse[k < fine->fresh ? k : k - 1];
        if (k + 1 != fine->fresh && k != fine->fresh + 1) continue;
        sum = vec3_add(sum, out[k]);
        count++;
    }
    out[fine->fresh] = count > 0 ? vec3_scale(1 / count, sum) : sum;
}

static void gather(const part *fine, const cdg_vec3 *from, cdg_vec3 out[NODES_MAX]) {
    for (size_t k = 1; k < fine->count; k++)
        if (k != fine->fresh) out[k < fine->fresh ? k : k - 1] = from[k];
}

// Points of a part and, where it is not there, of the fresh node between its neighbours.
static void list_points(const cdg_vec3 *x, size_t count, size_t fresh, bool has_fresh, cdg_vec3 *out) {
    for (size_t k = 0, c = 0; k < count; k++)
        if (has_fresh || k != fresh) out[k] = x[c++];
    if (!has_fresh) out[fresh] = vec3_lerp(out[fresh - 1], out[fresh + 1], 0.5);
}

static cdg_adapt_move describe_move(const cdg_rod *rod, const part *from, const kept *was, const part *to) {
    size_t fresh = from->fresh != NODES_MAX ? from->fresh : to->fresh;
    cdg_adapt_move move = {.rod = rod, .count = (from->count > to->count ? from->count : to->count) + 1};
    cdg_vec3 now[NODES_MAX];
    for (size_t k = 0; k <= to->count; k++) now[k] = rod_vec3(rod->x, to->node[k]);
    list_points(was->x, move.count, fresh, from->fresh != NODES_MAX, move.from);
    list_points(now, move.count, fresh, to->fresh != NODES_MAX, move.to);
    move.arc[0] = move.arc[1] = rod->adapt->arc[to->node[0]];
    for (size_t k = 0; k < to->count; k++) move.arc[1] += rod->rest_length[to->element[k]];
    return move;
}

// Contacts do not get closer than they are: the place of each, on the polygon as it was.
static void add_planes(cdg_rod_patch *patch, const cdg_rod *rod, const part *p, const part *from, const kept *was,
                       const cdg_adapt_context *context) {
    double first = rod->adapt->arc[p->node[0]], ends[NODES_MAX] = {0}, old_ends[NODES_MAX] = {0};
    for (size_t k = 0; k < p->count; k++) ends[k + 1] = ends[k] + rod->rest_length[p->element[k]];
    // halves are half as long as what they were made of
    for (size_t k = 0, c = 0; k <= p->count && from->fresh == NODES_MAX; k++)
        if (k != p->fresh) old_ends[c++] = ends[k];
    for (size_t k = 0, c = 0; k <= from->count && from->fresh != NODES_MAX; k++)
        old_ends[k] = k != from->fresh ? ends[c++] : (ends[k - 1] + ends[k]) / 2;
    for (size_t i = 0; i < context->push_count; i++) {
        const cdg_adapt_push *push = &context->pushes[i];
        double at = push->arc - first;
        if (rod->is_closed && at < 0) at += rod->length;
        if (!push->is_contact || at < 0 || at > ends[p->count]) continue;
        size_t e = 0, o = 0;
        while (e + 1 < p->count && at > ends[e + 1]) e++;
        while (o + 1 < from->count && at > old_ends[o + 1]) o++;
        cdg_vec3 place = vec3_lerp(was->x[o], was->x[o + 1], (at - old_ends[o]) / (old_ends[o + 1] - old_ends[o]));
        cdg_rod_patch_add_plane(patch, e, (at - ends[e]) / (ends[e + 1] - ends[e]), push->normal,
                                vec3_dot(push->normal, place));
    }
}

static void read_patch(cdg_rod_patch *out, const cdg_rod *rod, const part *p) {
    cdg_rod_patch_read(out, rod, p->element, p->node, p->count);
}

// Puts the patch's solution into the rod; false: there is none, it is strained more than the part was (`energy`), or
// something is in the way.
static bool settle(cdg_rod *rod, const part *p, const cdg_rod_patch_gradient *wanted, const part *from, const kept *was,
                   double energy, const cdg_adapt_context *context, cdg_adapt_outcome *out) {
    cdg_rod_patch patch;
    read_patch(&patch, rod, p);
    if (context->push_count > 0) add_planes(&patch, rod, p, from, was, context);
    out->iterations = cdg_rod_patch_solve(&patch, wanted);
    if (out->iterations == 0) return false;
    patch.plane_count = 0;
    if (context->push_count == 0 && cdg_rod_patch_energy(&patch, NULL) > (1 + most_gain) * energy) return false;
    for (size_t k = 1; k < p->count; k++) {
        if (vec3_distance(patch.x[k], rod_vec3(rod->x, p->node[k])) > farthest * rod->rest_length[p->element[0]])
            return false;
        rod_set_vec3(rod->x, p->node[k], patch.x[k]);
    }
    for (size_t k = 0; k < p->count; k++) rod_set_quat(rod->q, p->element[k], patch.q[k]);
    if (context->may_move == NULL) return true;
    cdg_adapt_move move = describe_move(rod, from, was, p);
    return context->may_move(context->user, &move);
}

// Frames of the halves turn against each other as the rod does around them, which is where the search begins.
static void guess_halves(cdg_rod *rod, const part *p) {
    size_t a = p->element[p->fresh - 1], b = p->element[p->fresh], first = p->node[p->fresh - 1];
    size_t last = p->node[p->fresh + 1], left = rod_left_element(rod, first), right = rod_right_element(rod, last);
    cdg_quat q = rod_quat(rod->q, a);
    cdg_vec3 rate = vec3(0, 0, 0);
    double count = 0;
    if (left != SIZE_MAX) {
        double c = rod->rest_length[left] / 2 + rod->rest_length[a];
        rate = vec3_mad(rate, 1 / c, quat_log(quat_relative(rod_quat(rod->q, left), q))), count++;
    }
    if (right != SIZE_MAX) {
        double c = rod->rest_length[right] / 2 + rod->rest_length[b];
        rate = vec3_mad(rate, 1 / c, quat_log(quat_relative(q, rod_quat(rod->q, right)))), count++;
    }
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

static void finish(cdg_rod *rod, const part *p, const beside *around, const kept *then, const cdg_vec3 *spins,
                   const rigid *r, const momentum *wanted) {
    set_spins(rod, p, spins);
    restore_momentum(rod, p, around, r, wanted);
    follow_spins(rod, p);
    move_past(rod, p, then);
    count_turns(rod, p);
}

bool cdg_adapt_split(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out) {
    *out = (cdg_adapt_outcome){0};
    if (rod->element_count == rod->element_capacity) return false;
    sides sides_of = choose_sides(rod, element, element);
    part coarse = part_beside(rod, element, sides_of, false);
    kept was, then;
    cdg_rod_patch patch;
    cdg_rod_patch_gradient gradient, wanted = {0};
    cdg_energy before, after;
    cdg_vec3 pushes[NODES_MAX], spins[ELEMENTS_MAX], places[NODES_MAX], a[NODES_MAX], there[NODES_MAX];
    cdg_vec3 axes[ELEMENTS_MAX];
    keep(rod, &coarse, &was);
    read_patch(&patch, rod, &coarse);
    double energy = cdg_rod_patch_energy(&patch, &gradient);
    measure(rod, &coarse, context->gravity, &before);
    list_pushed(rod, &coarse, context, pushes);
    accelerations(rod, &coarse, &gradient, pushes, a);
    rigid r = {.coarse = places,
               .axis = axes,
               .follows = frames_follow(rod),
               .centre = was.x[0],
               .size = rod->rest_length[element]};
    momentum momentum_before = momentum_of(rod, &coarse, r.centre);

    cdg_resolution_halve(rod, element);
    part fine = part_beside(rod, element, sides_of, true);
    keep(rod, &fine, &then);
    for (size_t k = 0, c = 0; k < fine.count; k++) { // both halves have half of the torque
        bool is_half = k + 1 == fine.fresh || k == fine.fresh;
        wanted.frame[k] = is_half ? vec3_scale(0.5, gradient.frame[c]) : gradient.frame[c];
        spins[k] = spin_of(rod, was.q[c], was.w[c]);
        axes[k] = quat_d3(was.q[c]);
        if (k + 1 != fine.fresh) c++;
    }
    for (size_t k = 0, c = 0; k <= fine.count; k++) places[k] = k == fine.fresh ? vec3(0, 0, 0) : was.x[c++];
    list_pushed(rod, &fine, context, pushes);
    spread(&fine, a, there);
    want(rod, &fine, there, pushes, &wanted);
    guess_halves(rod, &fine);
    follow_edges(rod, &fine);
    if (!settle(rod, &fine, &wanted, &coarse, &was, energy, context, out)) {
        cdg_resolution_join(rod, element);
        put_back(rod, &coarse, &was);
        return false;
    }
    beside around = list_beside(rod, &fine);
    double moving = kinetic_beside(rod, &around);
    finish(rod, &fine, &around, &then, spins, &r, &momentum_before);
    measure(rod, &fine, context->gravity, &after);
    compare(&before, &after, kinetic_beside(rod, &around) - moving, out);
    rod->adapt->split_count++;
    return true;
}

// The turn within an element, rad, as criteria.c has it, is too large for what was merged.
static bool is_too_bent(const cdg_rod *rod, const part *p, size_t element) {
    for (size_t k = 0; k <= p->count; k++) {
        size_t left = rod_left_element(rod, p->node[k]), right = rod_right_element(rod, p->node[k]);
        if (left == SIZE_MAX || right == SIZE_MAX || (left != element && right != element)) continue;
        cdg_quat turn = quat_relative(rod_quat(rod->q, left), rod_quat(rod->q, right));
        double sine = sqrt(turn.x * turn.x + turn.y * turn.y);
        double bend = 2 * asin(fmin(sine, 1)) / rod_cell_length(rod, p->node[k]) * rod->rest_length[element];
        if (bend > calmest * rod->adapt->options.angle) return true;
    }
    return false;
}

bool cdg_adapt_merge(cdg_rod *rod, size_t element, const cdg_adapt_context *context, cdg_adapt_outcome *out) {
    *out = (cdg_adapt_outcome){0};
    sides sides_of = choose_sides(rod, element, element + 1);
    part fine = part_beside(rod, element, sides_of, true);
    kept was, then;
    cdg_rod_patch patch;
    cdg_rod_patch_gradient gradient, wanted = {0};
    cdg_energy before, after;
    cdg_vec3 pushes[NODES_MAX], spins[ELEMENTS_MAX], places[NODES_MAX], a[NODES_MAX], there[NODES_MAX];
    cdg_vec3 axes[ELEMENTS_MAX];
    keep(rod, &fine, &was);
    read_patch(&patch, rod, &fine);
    double energy = cdg_rod_patch_energy(&patch, &gradient);
    measure(rod, &fine, context->gravity, &before);
    list_pushed(rod, &fine, context, pushes);
    accelerations(rod, &fine, &gradient, pushes, a);
    rigid r = {.coarse = places,
               .axis = axes,
               .follows = frames_follow(rod),
               .centre = was.x[0],
               .size = 2 * rod->rest_length[element]};
    momentum momentum_before = momentum_of(rod, &fine, r.centre);
    for (size_t k = 0, c = 0; k < fine.count; k++) {
        cdg_vec3 spin = spin_of(rod, was.q[k], was.w[k]);
        if (k == fine.fresh) { // the second half, into the first's place
            wanted.frame[c - 1] = vec3_add(wanted.frame[c - 1], gradient.frame[k]);
            spins[c - 1] = vec3_lerp(spins[c - 1], spin, 0.5);
            continue;
        }
        wanted.frame[c] = gradient.frame[k];
        spins[c++] = spin;
    }

    cdg_resolution_join(rod, element);
    part coarse = part_beside(rod, element, sides_of, false);
    keep(rod, &coarse, &then);
    list_pushed(rod, &coarse, context, pushes);
    gather(&fine, a, there);
    want(rod, &coarse, there, pushes, &wanted);
    follow_edges(rod, &coarse);
    if (!settle(rod, &coarse, &wanted, &fine, &was, energy, context, out) || is_too_bent(rod, &coarse, element)) {
        cdg_resolution_halve(rod, element);
        put_back(rod, &fine, &was);
        return false;
    }
    for (size_t k = 0; k <= coarse.count; k++) places[k] = rod_vec3(rod->x, coarse.node[k]);
    for (size_t k = 0; k < coarse.count; k++) axes[k] = quat_d3(rod_quat(rod->q, coarse.element[k]));
    beside around = list_beside(rod, &coarse);
    double moving = kinetic_beside(rod, &around);
    finish(rod, &coarse, &around, &then, spins, &r, &momentum_before);
    measure(rod, &coarse, context->gravity, &after);
    compare(&before, &after, kinetic_beside(rod, &around) - moving, out);
    rod->adapt->merge_count++;
    return true;
}
