// Momentum of a part of a rod, and a rigid motion that gives back what a change of resolution took (rod_momentum.h).
#include "adapt/rod_momentum.h"

#include "adapt/rigid_lanes.h"
#include "math/quat.h"

#include <assert.h>
#include <math.h>

// ---- what there is --------------------------------------------------------------------------------------------------

// World axes.
static cdg_vec3 spin_momentum(const cdg_rod *rod, size_t element) {
    cdg_vec3 i = cdg_rod_frame_inertia(rod, element), w = rod_vec3(rod->w, element);
    return quat_rotate(rod_quat(rod->q, element), vec3(i.x * w.x, i.y * w.y, i.z * w.z));
}

cdg_part_momentum cdg_part_momentum_of(const cdg_rod *rod, const cdg_rod_part *part, cdg_vec3 centre) {
    cdg_part_momentum m = {{0, 0, 0}, {0, 0, 0}};
    for (size_t k = 0; k <= part->count; k++) {
        cdg_vec3 linear = vec3_scale(rod->node_mass[part->node[k]], rod_vec3(rod->v, part->node[k]));
        m.linear = vec3_add(m.linear, linear);
        m.angular = vec3_add(m.angular, vec3_cross(vec3_sub(rod_vec3(rod->x, part->node[k]), centre), linear));
    }
    for (size_t k = 0; k < part->count; k++) m.angular = vec3_add(m.angular, spin_momentum(rod, part->element[k]));
    return m;
}

static double kinetic_of_node(const cdg_rod *rod, size_t i) {
    cdg_vec3 v = rod_vec3(rod->v, i);
    return 0.5 * rod->node_mass[i] * vec3_dot(v, v);
}

static double kinetic_of_frame(const cdg_rod *rod, size_t j) {
    cdg_vec3 w = rod_vec3(rod->w, j), i = cdg_rod_frame_inertia(rod, j);
    return 0.5 * (i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z);
}

double cdg_part_kinetic(const cdg_rod *rod, const cdg_rod_part *part) {
    double sum = 0;
    for (size_t k = 0; k <= part->count; k++) sum += kinetic_of_node(rod, part->node[k]);
    for (size_t k = 0; k < part->count; k++) sum += kinetic_of_frame(rod, part->element[k]);
    return sum;
}

// ---- what is around -------------------------------------------------------------------------------------------------

static cdg_vec3 get3(double *const a[3], size_t i) { return a[0] != NULL ? rod_vec3(a, i) : vec3(0, 0, 0); }
static void set3(double *const a[3], size_t i, cdg_vec3 v) {
    if (a[0] != NULL) rod_set_vec3(a, i, v);
}
static void add3(double *const a[3], size_t i, cdg_vec3 v) {
    if (a[0] != NULL) rod_set_vec3(a, i, vec3_add(rod_vec3(a, i), v));
}

static void take(const cdg_rod *rod, size_t element, size_t node, cdg_part_surroundings *out) {
    size_t k = out->count++;
    out->element[k] = element;
    out->node[k] = node;
    out->v[k] = rod_vec3(rod->v, node), out->v_before[k] = get3(rod->v_before, node);
    out->w[k] = rod_vec3(rod->w, element), out->w_before[k] = get3(rod->w_before, element);
}

void cdg_part_list_surroundings(const cdg_rod *rod, const cdg_rod_part *part, cdg_part_surroundings *out) {
    size_t left = part->node[0], right = part->node[part->count], most = rod->node_count - (part->count + 1);
    out->count = 0;
    for (size_t k = 0; k < CDG_BESIDE_SIDE; k++) {
        size_t before = rod_left_element(rod, left), after = rod_right_element(rod, right);
        if (before != SIZE_MAX && out->count < most) {
            left = before; // element j begins at node j
            take(rod, before, left, out);
        }
        if (after != SIZE_MAX && out->count < most) {
            right = rod_next_node(rod, after);
            take(rod, after, right, out);
        }
    }
}

void cdg_part_reset_surroundings(cdg_rod *rod, const cdg_part_surroundings *around) {
    for (size_t k = 0; k < around->count; k++) {
        rod_set_vec3(rod->v, around->node[k], around->v[k]), set3(rod->v_before, around->node[k], around->v_before[k]);
        rod_set_vec3(rod->w, around->element[k], around->w[k]);
        set3(rod->w_before, around->element[k], around->w_before[k]);
    }
}

// ---- rigid motions --------------------------------------------------------------------------------------------------

// What moves, the part first; which nodes and elements those are.
enum { NODES_MAX = CDG_PART_NODES + CDG_BESIDE_MAX };
static_assert((int)NODES_MAX <= (int)CDG_RIGID_LANES, "nodes and frames have room");
typedef struct rigid_motion {
    cdg_rigid_nodes nodes;
    cdg_rigid_frames frames;
    size_t node[NODES_MAX], element[NODES_MAX], node_count, element_count, groups;
} rigid_motion;

static void put3(cdg_rigid_lane to[3], size_t lane, cdg_vec3 v) {
    to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
}

static double share_of(const cdg_rod *rod, size_t node) { return cdg_part_is_held(rod, node) ? 0 : 1; }

static void add_node(const cdg_rod *rod, size_t node, cdg_vec3 centre, double share, cdg_vec3 arm, rigid_motion *out) {
    size_t lane = out->node_count++;
    out->node[lane] = node;
    out->nodes.mass[lane] = rod->node_mass[node];
    out->nodes.share[lane] = share;
    put3(out->nodes.x, lane, vec3_sub(rod_vec3(rod->x, node), centre));
    put3(out->nodes.arm, lane, arm);
    put3(out->nodes.v, lane, rod_vec3(rod->v, node));
}

static void add_frame(const cdg_rod *rod, size_t element, cdg_vec3 axis, rigid_motion *out) {
    size_t lane = out->element_count++;
    out->element[lane] = element;
    for (int k = 0; k < 4; k++) out->frames.q[k][lane] = rod->q[k][element];
    put3(out->frames.inertia, lane, cdg_rod_frame_inertia(rod, element));
    put3(out->frames.w, lane, rod_vec3(rod->w, element));
    put3(out->frames.axis, lane, axis);
}

// The fresh node goes between its neighbours.
static void add_part_node(const cdg_rod *rod, const cdg_rod_part *p, const cdg_part_rigid *r, size_t k,
                          rigid_motion *out) {
    size_t i = p->node[k];
    if (k != p->fresh) {
        add_node(rod, i, r->centre, share_of(rod, i), vec3_sub(r->coarse[k], r->centre), out);
        return;
    }
    double before = share_of(rod, p->node[k - 1]), after = share_of(rod, p->node[k + 1]), sum = before + after;
    cdg_vec3 middle = vec3_lerp(r->coarse[k - 1], r->coarse[k + 1], sum > 0 ? after / sum : 0.5);
    add_node(rod, i, r->centre, sum / 2, vec3_sub(middle, r->centre), out);
}

// The last lanes that anybody needs, of which some may be nobody's: without mass, at the centre.
static void clear_last(size_t last, rigid_motion *out) {
    cdg_rigid_lane *const lanes[] = {&out->nodes.mass, &out->nodes.share, out->nodes.x,
                                     out->nodes.arm,   out->nodes.v,      out->frames.inertia,
                                     out->frames.q,    out->frames.w,     out->frames.axis};
    static const int counts[] = {1, 1, 3, 3, 3, 3, 4, 3, 3};
    for (size_t i = 0; i < sizeof lanes / sizeof *lanes; i++)
        for (int c = 0; c < counts[i]; c++)
            for (size_t k = 0; k < CDG_RIGID_GROUP; k++) lanes[i][c][last + k] = 0;
}

static void list_motion(const cdg_rod *rod, const cdg_rod_part *p, const cdg_part_surroundings *around,
                        const cdg_part_rigid *r, rigid_motion *out) {
    size_t count = p->count + 1 + around->count;
    out->node_count = out->element_count = 0;
    out->groups = (count + CDG_RIGID_GROUP - 1) / CDG_RIGID_GROUP;
    clear_last((out->groups - 1) * CDG_RIGID_GROUP, out);
    out->frames.follows = cdg_part_follows(rod);
    for (size_t k = 0; k <= p->count; k++) add_part_node(rod, p, r, k, out);
    for (size_t k = 0; k < p->count; k++) add_frame(rod, p->element[k], r->axis[k], out);
    for (size_t k = 0; k < around->count; k++) {
        size_t i = around->node[k], j = around->element[k];
        add_node(rod, i, r->centre, share_of(rod, i), vec3_sub(rod_vec3(rod->x, i), r->centre), out);
        add_frame(rod, j, out->frames.follows ? quat_d3(rod_quat(rod->q, j)) : vec3(0, 0, 0), out);
    }
}

// a = scale [x], 3 x 3 within 6 x 6.
static void set_cross(double a[6][6], int row, int column, double scale, const double x[3]) {
    a[row][column + 1] = -scale * x[2], a[row][column + 2] = scale * x[1];
    a[row + 1][column] = scale * x[2], a[row + 1][column + 2] = -scale * x[0];
    a[row + 2][column] = -scale * x[1], a[row + 2][column + 1] = scale * x[0];
}

// Momentum by the motion: linear by (u, turn), then angular; turns and angular momentum scaled to the size of the
// others.
static void set_matrix(const cdg_rigid_sums *sums, double size, double a[6][6]) {
    for (int i = 0; i < 3; i++) {
        a[i][i] = sums->mass;
        for (int k = 0; k < 3; k++) a[3 + i][3 + k] = size * size * (sums->turn[i][k] + (i == k ? sums->along : 0));
    }
    set_cross(a, 0, 3, -size, sums->r); // u x r = - r x u
    set_cross(a, 3, 0, size, sums->x);
}

// Gauss' elimination with the largest pivot of each column. False: one is so small that its unknown may not be
// determined.
static bool solve6_by_columns(double from[6][6], const double right[6], double x[6]) {
    double a[6][7], largest = 0;
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            a[r][c] = from[r][c];
            largest = fabs(a[r][c]) > largest ? fabs(a[r][c]) : largest;
        }
        a[r][6] = right[r];
    }
    for (int k = 0; k < 6; k++) {
        int best = k;
        for (int r = k + 1; r < 6; r++)
            if (fabs(a[r][k]) > fabs(a[best][k])) best = r;
        if (!(fabs(a[best][k]) > 1e-6 * largest)) return false;
        for (int c = k; c < 7 && best != k; c++) {
            double swapped = a[k][c];
            a[k][c] = a[best][c], a[best][c] = swapped;
        }
        double inverse = 1 / a[k][k];
        for (int r = k + 1; r < 6; r++) {
            double factor = a[r][k] * inverse;
            for (int c = k + 1; c < 7; c++) a[r][c] -= factor * a[k][c];
        }
    }
    for (int k = 6; k-- > 0;) {
        double sum = a[k][6];
        for (int c = k + 1; c < 6; c++) sum -= a[k][c] * x[c];
        x[k] = sum / a[k][k];
    }
    return true;
}

// With the largest of all pivots; what has none stays 0: a straight part does not turn about itself.
static void solve6(double a[6][6], double b[6], double x[6]) {
    if (solve6_by_columns(a, b, x)) return;
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
        double inverse = 1 / a[pr][pc];
        for (int r = 0; r < 6; r++) {
            if (row_is_used[r]) continue;
            double factor = a[r][pc] * inverse;
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

// Of what is around, with what it was before, whose difference stays.
static double move(cdg_rod *rod, const cdg_rod_part *p, const rigid_motion *motion, cdg_vec3 u, cdg_vec3 turn) {
    cdg_rigid_change by;
    double gain = cdg_rigid_move(&motion->nodes, &motion->frames, motion->groups, u, turn, &by);
    for (size_t k = 0; k < motion->node_count; k++) {
        cdg_vec3 v = vec3(by.v[0][k], by.v[1][k], by.v[2][k]);
        add3(rod->v, motion->node[k], v);
        if (k > p->count) add3(rod->v_before, motion->node[k], v);
    }
    for (size_t k = 0; k < motion->element_count; k++) {
        cdg_vec3 w = vec3(by.w[0][k], by.w[1][k], by.w[2][k]);
        add3(rod->w, motion->element[k], w);
        if (k >= p->count) add3(rod->w_before, motion->element[k], w);
    }
    return gain;
}

double cdg_part_restore_momentum(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_surroundings *around,
                                 const cdg_part_rigid *rigid, const cdg_part_momentum *wanted) {
    cdg_part_momentum now = cdg_part_momentum_of(rod, part, rigid->centre);
    cdg_vec3 linear = vec3_sub(wanted->linear, now.linear), angular = vec3_sub(wanted->angular, now.angular);
    double size = 1 / rigid->size, a[6][6] = {{0}}, x[6];
    double b[6] = {linear.x, linear.y, linear.z, size * angular.x, size * angular.y, size * angular.z};
    rigid_motion motion;
    cdg_rigid_sums sums;
    list_motion(rod, part, around, rigid, &motion);
    cdg_rigid_sum(&motion.nodes, &motion.frames, motion.groups, &sums);
    set_matrix(&sums, size, a);
    solve6(a, b, x);
    return move(rod, part, &motion, vec3(x[0], x[1], x[2]), vec3(size * x[3], size * x[4], size * x[5]));
}
