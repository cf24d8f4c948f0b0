// Momentum of a part of a rod, and a rigid motion that gives back what a change of resolution took (rod_momentum.h).
#include "adapt/rod_momentum.h"

#include "math/quat.h"

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

double cdg_part_kinetic(const cdg_rod *rod, const cdg_rod_part *part, const cdg_part_surroundings *around) {
    double sum = 0;
    for (size_t k = 0; k <= part->count; k++) sum += kinetic_of_node(rod, part->node[k]);
    for (size_t k = 0; k < part->count; k++) sum += kinetic_of_frame(rod, part->element[k]);
    for (size_t k = 0; k < around->count; k++)
        sum += kinetic_of_node(rod, around->node[k]) + kinetic_of_frame(rod, around->element[k]);
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

// A node moves by share (u + turn x arm); a frame spins by the turn, or by the part of it along an axis.
typedef struct moving_node {
    size_t node;
    double share;
    cdg_vec3 arm; // m, from the centre
} moving_node;

typedef struct rigid_motion {
    moving_node nodes[CDG_PART_NODES + CDG_BESIDE_MAX];
    size_t node_count;
    size_t elements[CDG_PART_ELEMENTS + CDG_BESIDE_MAX];
    cdg_vec3 axes[CDG_PART_ELEMENTS + CDG_BESIDE_MAX]; // of frames that follow their edges
    size_t element_count;
    bool follows;
} rigid_motion;

static double share_of(const cdg_rod *rod, size_t node) { return cdg_part_is_held(rod, node) ? 0 : 1; }

static moving_node part_node(const cdg_rod *rod, const cdg_rod_part *p, const cdg_part_rigid *r, size_t k) {
    if (k != p->fresh) return (moving_node){p->node[k], share_of(rod, p->node[k]), vec3_sub(r->coarse[k], r->centre)};
    double before = share_of(rod, p->node[k - 1]), after = share_of(rod, p->node[k + 1]), sum = before + after;
    if (!(sum > 0)) return (moving_node){p->node[k], 0, vec3(0, 0, 0)};
    cdg_vec3 middle = vec3_lerp(r->coarse[k - 1], r->coarse[k + 1], after / sum);
    return (moving_node){p->node[k], sum / 2, vec3_sub(middle, r->centre)};
}

static void list_motion(const cdg_rod *rod, const cdg_rod_part *p, const cdg_part_surroundings *around,
                        const cdg_part_rigid *r, rigid_motion *out) {
    out->node_count = out->element_count = 0;
    out->follows = cdg_part_follows(rod);
    for (size_t k = 0; k <= p->count; k++) out->nodes[out->node_count++] = part_node(rod, p, r, k);
    for (size_t k = 0; k < p->count; k++) {
        out->axes[out->element_count] = r->axis[k];
        out->elements[out->element_count++] = p->element[k];
    }
    for (size_t k = 0; k < around->count; k++) {
        size_t i = around->node[k], j = around->element[k];
        out->nodes[out->node_count++] = (moving_node){i, share_of(rod, i), vec3_sub(rod_vec3(rod->x, i), r->centre)};
        if (out->follows) out->axes[out->element_count] = quat_d3(rod_quat(rod->q, j));
        out->elements[out->element_count++] = j;
    }
}

// Sums over what moves rigidly; m, x and r: the mass, place and arm of a node.
typedef struct rigid_sums {
    double mass, along; // m, m x.r
    cdg_vec3 x, r;      // m x, m r
    double turn[3][3];  // angular momentum by turns, less m x.r of nodes
} rigid_sums;

// s += scale x y^T
static void add_outer(double s[3][3], double scale, cdg_vec3 x, cdg_vec3 y) {
    cdg_vec3 z = vec3_scale(scale, x);
    s[0][0] += z.x * y.x, s[0][1] += z.x * y.y, s[0][2] += z.x * y.z;
    s[1][0] += z.y * y.x, s[1][1] += z.y * y.y, s[1][2] += z.y * y.z;
    s[2][0] += z.z * y.x, s[2][1] += z.z * y.y, s[2][2] += z.z * y.z;
}

static void add_diagonal(double s[3][3], double value) { s[0][0] += value, s[1][1] += value, s[2][2] += value; }

// Of x x (turn x r) = turn (x.r) - r (x.turn).
static void add_node_inertia(const cdg_rod *rod, const moving_node *n, cdg_vec3 centre, rigid_sums *sums) {
    double m = n->share * rod->node_mass[n->node];
    cdg_vec3 x = vec3_sub(rod_vec3(rod->x, n->node), centre), r = n->arm;
    sums->mass += m;
    sums->x = vec3_mad(sums->x, m, x), sums->r = vec3_mad(sums->r, m, r);
    sums->along += m * vec3_dot(x, r);
    add_outer(sums->turn, -m, r, x);
}

static void add_frame_inertia(const cdg_rod *rod, size_t element, cdg_vec3 axis, bool follows, rigid_sums *sums) {
    cdg_vec3 i = cdg_rod_frame_inertia(rod, element);
    cdg_quat q = rod_quat(rod->q, element);
    if (follows) {
        add_outer(sums->turn, i.z, quat_d3(q), axis);
    } else if (i.x == i.y) { // of d1 and d2 together: what is not along d3
        cdg_vec3 d3 = quat_d3(q);
        add_diagonal(sums->turn, i.x);
        if (i.z != i.x) add_outer(sums->turn, i.z - i.x, d3, d3);
    } else {
        const cdg_vec3 d[3] = {quat_d1(q), quat_d2(q), quat_d3(q)};
        add_outer(sums->turn, i.x, d[0], d[0]), add_outer(sums->turn, i.y, d[1], d[1]);
        add_outer(sums->turn, i.z, d[2], d[2]);
    }
}

// a = scale [x], 3 x 3 within 6 x 6.
static void set_cross(double a[6][6], int row, int column, double scale, cdg_vec3 x) {
    a[row][column + 1] = -scale * x.z, a[row][column + 2] = scale * x.y;
    a[row + 1][column] = scale * x.z, a[row + 1][column + 2] = -scale * x.x;
    a[row + 2][column] = -scale * x.y, a[row + 2][column + 1] = scale * x.x;
}

// Momentum by the motion: linear by (u, turn), then angular; turns and angular momentum scaled to the size of the
// others.
static void set_matrix(const rigid_sums *sums, double size, double a[6][6]) {
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
static void move(cdg_rod *rod, const cdg_rod_part *p, const rigid_motion *motion, cdg_vec3 u, cdg_vec3 turn) {
    for (size_t k = 0; k < motion->node_count; k++) {
        const moving_node *n = &motion->nodes[k];
        cdg_vec3 v = vec3_scale(n->share, vec3_add(u, vec3_cross(turn, n->arm)));
        add3(rod->v, n->node, v);
        if (k > p->count) add3(rod->v_before, n->node, v);
    }
    for (size_t k = 0; k < motion->element_count; k++) {
        size_t j = motion->elements[k];
        cdg_vec3 w = motion->follows ? vec3(0, 0, vec3_dot(turn, motion->axes[k]))
                                     : quat_rotate_inverse(rod_quat(rod->q, j), turn);
        add3(rod->w, j, w);
        if (k >= p->count) add3(rod->w_before, j, w);
    }
}

void cdg_part_restore_momentum(cdg_rod *rod, const cdg_rod_part *part, const cdg_part_surroundings *around,
                               const cdg_part_rigid *rigid, const cdg_part_momentum *wanted) {
    cdg_part_momentum now = cdg_part_momentum_of(rod, part, rigid->centre);
    cdg_vec3 linear = vec3_sub(wanted->linear, now.linear), angular = vec3_sub(wanted->angular, now.angular);
    double size = 1 / rigid->size, a[6][6] = {{0}}, x[6];
    double b[6] = {linear.x, linear.y, linear.z, size * angular.x, size * angular.y, size * angular.z};
    rigid_motion motion;
    list_motion(rod, part, around, rigid, &motion);
    rigid_sums sums = {0};
    for (size_t k = 0; k < motion.node_count; k++) add_node_inertia(rod, &motion.nodes[k], rigid->centre, &sums);
    for (size_t k = 0; k < motion.element_count; k++)
        add_frame_inertia(rod, motion.elements[k], motion.axes[k], motion.follows, &sums);
    set_matrix(&sums, size, a);
    solve6(a, b, x);
    move(rod, part, &motion, vec3(x[0], x[1], x[2]), vec3(size * x[3], size * x[4], size * x[5]));
}
