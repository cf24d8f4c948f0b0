// What is in the way of a change of resolution: rods, obstacles, bodies, solids.
#include "world/adapt_way.h"

#include "adapt/near_move.h"
#include "contact/segment_triangle.h"
#include "world/tie.h"

#include <math.h>

// Shares of the radius. After a move, overlaps may be half as deep as contact leaves them, which then removes them;
// those that were deeper before may stay so, to rounding.
static const double deep_share = 5e-4, same_share = 1e-6;
enum { STAGES = 8 };                               // of a way that is longer than what is in its way is far
static const double bend_back = 3.141592653589793; // radii along the rod within which it does not touch itself

static const cdg_box no_box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};

// A move, and what is found in its way.
typedef struct moving {
    const cdg_adapt_surroundings *around;
    const cdg_adapt_move *move;
    double longest; // m: that any point goes
    cdg_adapt_obstructions *out;
    double radius[CDG_ADAPT_POINTS_MAX]; // of segments, the larger of both ends
    cdg_near_move near;                  // its box is not grown
} moving;

static double square(double x) { return x * x; }
static double distance2(cdg_vec3 a, cdg_vec3 b) {
    cdg_vec3 d = vec3_sub(a, b);
    return vec3_dot(d, d);
}

static double larger(double a, double b) { return a > b ? a : b; }
static double smaller(double a, double b) { return a < b ? a : b; }

// Radii of both ends of a segment; between them it is as thick as contact has it.
typedef struct ends {
    double radius[2];
} ends;

static ends ends_of(const cdg_rod *rod, size_t element) {
    return (ends){
        {rod->radius[element * rod->section_stride], rod->radius[rod_next_node(rod, element) * rod->section_stride]}};
}

static double thickest(ends of) { return larger(of.radius[0], of.radius[1]); }
static double thickness_at(ends of, double share) { return of.radius[0] + share * (of.radius[1] - of.radius[0]); }

static double largest_radius_of(const cdg_adapt_move *move) {
    double largest = 0;
    for (size_t k = 0; k < move->count; k++) largest = larger(largest, move->radius[k]);
    return largest;
}

static double longest_way(const cdg_adapt_move *move) {
    double most = 0;
    for (size_t k = 0; k < move->count; k++) most = larger(most, distance2(move->from[k], move->to[k]));
    return sqrt(most);
}

static void grow_box(cdg_box *box, cdg_vec3 p) {
    const double c[3] = {p.x, p.y, p.z};
    for (int k = 0; k < 3; k++) box->low[k] = smaller(box->low[k], c[k]), box->high[k] = larger(box->high[k], c[k]);
}

static cdg_box box_of(const cdg_adapt_move *move) {
    cdg_box box = no_box;
    for (size_t k = 0; k < move->count; k++) grow_box(&box, move->from[k]), grow_box(&box, move->to[k]);
    return box;
}

static cdg_box grown(cdg_box box, double by) {
    for (int k = 0; k < 3; k++) box.low[k] -= by, box.high[k] += by;
    return box;
}

static double largest_radius(const cdg_rod *rod) {
    double largest = rod->radius[0];
    for (size_t i = 1; i < rod->node_count && rod->section_stride != 0; i++) largest = fmax(largest, rod->radius[i]);
    return largest;
}

// A stretch of a rod at rest, m from its start.
typedef struct stretch {
    double from, to;
} stretch;

static stretch stretch_of(const cdg_rod *rod, size_t element) {
    double from = rod->adapt->arc[element];
    return (stretch){from, from + rod->rest_length[element]};
}

// m: along the rod between two stretches; not positive where they meet. Those of moves may go on beyond a ring's
// length.
static double way_between(const cdg_rod *rod, stretch a, stretch b) {
    double way = HUGE_VAL;
    for (int turn = rod->is_closed ? -1 : 0; turn <= (rod->is_closed ? 1 : 0); turn++) {
        double round = turn * rod->length;
        way = smaller(way, larger(b.from + round - a.to, a.from - b.to - round));
    }
    return way;
}

// m: along the rod, within which two segments never touch (pieces.c).
static double reach_between(const double a[2], const double b[2]) {
    return bend_back * 0.25 * (a[0] + a[1] + b[0] + b[1]);
}

// Of two stretches of one rod, the first of a move's segment k: they are neighbours, which never touch; or may touch;
// or may touch from now on, because k is a half of what was a neighbour.
typedef enum nearness { NEIGHBOURS, MAY_TOUCH, MAY_TOUCH_NOW } nearness;

static nearness nearness_of(const cdg_adapt_move *move, size_t k, stretch other, double reach) {
    stretch own = {move->at[k], move->at[k + 1]};
    if (way_between(move->rod, own, other) < reach) return NEIGHBOURS;
    if (!move->is_split || (k + 1 != move->fresh && k != move->fresh)) return MAY_TOUCH;
    stretch whole = {move->at[move->fresh - 1], move->at[move->fresh + 1]};
    return way_between(move->rod, whole, other) < reach ? MAY_TOUCH_NOW : MAY_TOUCH;
}

static double arc_of(const cdg_rod *rod, size_t node) {
    if (rod->adapt != NULL) return node < rod->node_count ? rod->adapt->arc[node] : rod->length;
    double arc = 0;
    for (size_t j = 0; j < node; j++) arc += rod->rest_length[j];
    return arc;
}

// m: from a stretch of a rod to one of its nodes, along it.
static double way_to(const cdg_rod *rod, double from, double to, double arc) {
    double way = arc < from ? from - arc : arc > to ? arc - to : 0;
    if (rod->is_closed) way = smaller(way, smaller(fabs(arc + rod->length - to), fabs(from + rod->length - arc)));
    return way;
}

// m: along both rods by way of a joint, from segment k of the move to the other rod's element, as contact counts it
// (pieces.c): what is nearer than pi radii never touches.
static double way_through(const cdg_net *net, const cdg_net_joint *joint, const cdg_adapt_move *move, size_t k,
                          const cdg_rod *other, size_t element) {
    double own = HUGE_VAL, far = HUGE_VAL;
    for (size_t m = joint->first; m < joint->first + joint->count; m++) {
        const cdg_rod *rod = net->rods[net->members[m].rod];
        if (rod != move->rod && rod != other) continue;
        double arc = arc_of(rod, rod_user_node(rod, net->members[m].defined));
        double begin = rod == other ? arc_of(rod, element) : 0;
        if (rod == move->rod) own = smaller(own, way_to(rod, move->at[k], move->at[k + 1], arc));
        if (rod == other) far = smaller(far, way_to(rod, begin, begin + rod->rest_length[element], arc));
    }
    return own + far;
}

static bool are_joined(const moving *it, size_t k, const cdg_rod *other, size_t element, double radius) {
    const cdg_world *world = it->around->world;
    double reach = bend_back * 0.5 * (it->radius[k] + radius);
    for (size_t n = 0; n < world->net_count; n++) {
        const cdg_net *net = world->nets[n];
        for (size_t j = 0; j < net->joint_count; j++)
            if (way_through(net, &net->joints[j], it->move, k, other, element) < reach) return true;
    }
    return false;
}

// The gap that a move may leave where it was `before`.
static double least_gap(double before, double radius) {
    double deepest = -deep_share * radius;
    return before < deepest ? before - same_share * radius : deepest;
}

static void list_obstruction(cdg_adapt_obstructions *out, size_t segment, double share, cdg_vec3 normal,
                             double offset) {
    if (out->count < CDG_ADAPT_OBSTRUCTIONS)
        out->list[out->count++] = (cdg_adapt_obstruction){segment, share, normal, offset};
}

// The nearest points of a segment of the move and of something else, before or after.
typedef struct nearest {
    double share, other; // on the segment, and on the other one
    cdg_vec3 place, between;
    double distance2;
} nearest;

static ends own_ends(const moving *it, size_t k) { return (ends){{it->move->radius[k], it->move->radius[k + 1]}}; }

static void list_pair(const moving *it, size_t k, const nearest *was, const nearest *is, ends other) {
    ends own = own_ends(it, k);
    double before = sqrt(was->distance2),
           radius = smaller(thickness_at(own, is->share), thickness_at(other, is->other));
    double gap = before - thickness_at(own, was->share) - thickness_at(other, was->other);
    double touching = thickness_at(own, is->share) + thickness_at(other, is->other);
    if (is->distance2 >= square(least_gap(gap, radius) + touching)) return;
    cdg_vec3 normal = vec3_scale(1 / before, was->between);
    list_obstruction(it->out, k, is->share, normal, vec3_dot(normal, is->place) + touching + smaller(gap, 0));
}

static nearest near_segment(const cdg_vec3 own[2], cdg_vec3 a, cdg_vec3 b) {
    cdg_closest it = cdg_segments_closest(own[0], own[1], a, b);
    return (nearest){it.s, it.t, vec3_lerp(a, b, it.t), it.between, it.distance2};
}

// Segment k on its way, of which there are so many stages.
static void find_stage(const moving *it, size_t k, int stage, cdg_vec3 out[2]) {
    double time = (double)stage / STAGES;
    for (size_t i = 0; i < 2; i++) out[i] = vec3_lerp(it->move->from[k + i], it->move->to[k + i], time);
}

// As long as no point of a moving segment goes as far as the other thing's middle is away, they cannot pass through
// each other, and no link changes: at once, or in each stage of the way. False: that cannot be told.
static bool passes_segment(const moving *it, size_t k, cdg_vec3 a, cdg_vec3 b) {
    for (int stage = 0; stage < STAGES; stage++) {
        cdg_vec3 own[2];
        find_stage(it, k, stage, own);
        if (!(cdg_segments_closest(own[0], own[1], a, b).distance2 > square(it->longest / STAGES))) return true;
    }
    return false;
}

static bool is_beyond(const moving *it, size_t k, const nearest *was, double other) {
    return was->distance2 > square(it->radius[k] + other + 2 * it->longest);
}

static bool list_near(const moving *it, size_t k, cdg_vec3 a, cdg_vec3 b, ends other) {
    nearest was = near_segment(it->move->from + k, a, b);
    if (is_beyond(it, k, &was, thickest(other))) return true;
    if (!(was.distance2 > square(it->longest)) && passes_segment(it, k, a, b)) return false;
    nearest is = near_segment(it->move->to + k, a, b);
    list_pair(it, k, &was, &is, other);
    return true;
}

static nearest near_triangle(const cdg_vec3 own[2], const cdg_vec3 corners[3]) {
    cdg_triangle_closest it = cdg_segment_triangle_closest(own[0], own[1], corners);
    cdg_vec3 place = vec3_scale(it.weights[0], corners[0]);
    for (int c = 1; c < 3; c++) place = vec3_mad(place, it.weights[c], corners[c]);
    return (nearest){it.s, 0, place, it.between, it.distance2};
}

static bool passes_triangle(const moving *it, size_t k, const cdg_vec3 corners[3]) {
    for (int stage = 0; stage < STAGES; stage++) {
        cdg_vec3 own[2];
        find_stage(it, k, stage, own);
        double away2 = cdg_segment_triangle_closest(own[0], own[1], corners).distance2;
        if (!(away2 > square(it->longest / STAGES))) return true;
    }
    return false;
}

static bool list_near_triangle(const moving *it, size_t k, const cdg_vec3 corners[3], double thickness) {
    nearest was = near_triangle(it->move->from + k, corners);
    if (is_beyond(it, k, &was, thickness)) return true;
    if (!(was.distance2 > square(it->longest)) && passes_triangle(it, k, corners)) return false;
    nearest is = near_triangle(it->move->to + k, corners);
    list_pair(it, k, &was, &is, (ends){{thickness, thickness}});
    return true;
}

static bool are_far(const moving *it, size_t k, cdg_vec3 middle, double reach) {
    const cdg_near_move *near = &it->near;
    cdg_vec3 own = vec3(near->middle[0][k], near->middle[1][k], near->middle[2][k]);
    return distance2(middle, own) > square(reach + near->reach[k]);
}

// Of what moves most is too far away by middles and lengths.
static bool list_segment(const moving *it, const cdg_rod *rod, size_t j) {
    ends other = ends_of(rod, j);
    cdg_vec3 a = rod_vec3(rod->x, j), b = rod_vec3(rod->x, rod_next_node(rod, j)), middle = vec3_lerp(a, b, 0.5);
    double reach = 0.5 * vec3_distance(a, b) + thickest(other);
    for (size_t k = 0; k + 1 < it->move->count; k++) {
        if (are_far(it, k, middle, reach) || are_joined(it, k, rod, j, thickest(other))) continue;
        if (!list_near(it, k, a, b, other)) return false;
    }
    return true;
}

// What begins to be able to touch must not lie in it yet: contact would throw it apart.
static bool is_too_deep(cdg_closest is, ends own, ends far) {
    double a = thickness_at(own, is.s), b = thickness_at(far, is.t);
    return is.distance2 < square(a + b - deep_share * smaller(a, b));
}

// The rod itself, beside the part that moves.
static bool list_own(const moving *it, size_t j) {
    const cdg_adapt_move *move = it->move;
    const cdg_rod *rod = move->rod;
    stretch at = stretch_of(rod, j), part = {move->arc[0], move->arc[1]};
    if (way_between(rod, part, at) < -0.5 * rod->rest_length[j]) return true; // it moves itself
    size_t next = rod_next_node(rod, j);
    ends other = ends_of(rod, j);
    cdg_vec3 a = rod_vec3(rod->x, j), b = rod_vec3(rod->x, next), middle = vec3_lerp(a, b, 0.5);
    double reach = 0.5 * vec3_distance(a, b) + thickest(other);
    for (size_t k = 0; k + 1 < move->count; k++) {
        if (are_far(it, k, middle, reach) || are_joined(it, k, rod, j, thickest(other))) continue;
        nearness how = nearness_of(move, k, at, reach_between(move->radius + k, other.radius));
        if (how == NEIGHBOURS) continue;
        if (how == MAY_TOUCH_NOW &&
            is_too_deep(cdg_segments_closest(move->to[k], move->to[k + 1], a, b), own_ends(it, k), other))
            return false;
        if (!list_near(it, k, a, b, other)) return false;
    }
    return true;
}

// Two segments of the part, both of which move: each stays on its side of the middle between them.
static bool list_both(const moving *it, size_t k, size_t l, nearness how) {
    const cdg_adapt_move *move = it->move;
    nearest was = near_segment(move->from + k, move->from[l], move->from[l + 1]);
    ends own = own_ends(it, k), far = own_ends(it, l);
    double before = sqrt(was.distance2);
    double gap = before - thickness_at(own, was.share) - thickness_at(far, was.other);
    if (gap > 4 * it->longest) return true;
    if (!(before > 2 * it->longest)) return false;
    cdg_closest is = cdg_segments_closest(move->to[k], move->to[k + 1], move->to[l], move->to[l + 1]);
    if (how == MAY_TOUCH_NOW && is_too_deep(is, own, far)) return false;
    double a = thickness_at(own, is.s), b = thickness_at(far, is.t), touching = a + b;
    if (is.distance2 >= square(least_gap(gap, smaller(a, b)) + touching)) return true;
    cdg_vec3 normal = vec3_scale(1 / before, was.between);
    double middle = vec3_dot(normal, was.place) + before / 2, half = (touching + smaller(gap, 0)) / 2;
    list_obstruction(it->out, k, is.s, normal, middle + half);
    list_obstruction(it->out, l, is.t, vec3_scale(-1, normal), half - middle);
    return true;
}

static bool list_part(const moving *it) {
    const cdg_adapt_move *move = it->move;
    for (size_t k = 0; k + 1 < move->count; k++)
        for (size_t l = k + 2; l + 1 < move->count; l++) {
            stretch a = {move->at[k], move->at[k + 1]}, b = {move->at[l], move->at[l + 1]};
            double reach = reach_between(move->radius + k, move->radius + l);
            nearness how = nearness_of(move, k, b, reach), back = nearness_of(move, l, a, reach);
            if (how == NEIGHBOURS) continue;
            const double(*middle)[CDG_NEAR_LANES] = it->near.middle;
            if (are_far(it, k, vec3(middle[0][l], middle[1][l], middle[2][l]), it->near.reach[l])) continue;
            if (!list_both(it, k, l, back == MAY_TOUCH_NOW ? back : how)) return false;
        }
    return true;
}

static bool list_element(const moving *it, size_t index, size_t j) {
    const cdg_rod *rod = it->around->world->rods[index].rod;
    return index == it->around->rod_index ? list_own(it, j) : list_segment(it, rod, j);
}

static bool list_rod(const moving *it, size_t index) {
    const cdg_rod *rod = it->around->world->rods[index].rod;
    size_t open_count = rod->node_count - 1; // the element that closes a ring goes from the last point to the first
    double thickest = largest_radius(rod);
    cdg_near_move near = it->near;
    near.box = grown(near.box, largest_radius_of(it->move) + thickest + it->longest);
    for (size_t first = 0; first < open_count; first += CDG_NEAR_SEGMENTS) {
        size_t count = open_count - first < CDG_NEAR_SEGMENTS ? open_count - first : CDG_NEAR_SEGMENTS;
        uint64_t found = cdg_near_segments(&near, rod->x, first, count, thickest);
        for (; found != 0; found &= found - 1)
            if (!list_element(it, index, first + (size_t)__builtin_ctzll(found))) return false;
    }
    return !rod->is_closed || list_element(it, index, rod->element_count - 1);
}

static bool passes_shape(const moving *it, size_t k, const cdg_obstacle *shape, const cdg_pose *pose) {
    double radius = it->radius[k], least = it->longest / STAGES - radius, gap;
    for (int stage = 0; stage < STAGES; stage++) {
        cdg_vec3 own[2];
        find_stage(it, k, stage, own);
        if (cdg_obstacle_gap(shape, pose, own[0], own[1], radius, it->longest, &gap) && !(gap > least)) return true;
    }
    return false;
}

// The gap of a segment that is below the margin by its thickest point, at its deepest by its own thickness there.
static double own_gap(const cdg_obstacle *shape, const cdg_pose *pose, const cdg_vec3 at[2], ends own, double gap) {
    cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
    if (own.radius[0] == own.radius[1] || gap >= 0) return gap;
    int count = cdg_obstacle_contacts(shape, pose, at[0], at[1], thickest(own), 0, found);
    double least = HUGE_VAL;
    for (int c = 0; c < count; c++)
        least = smaller(least, found[c].gap + thickest(own) - thickness_at(own, found[c].s));
    return count > 0 ? least : gap;
}

static bool list_shape(const moving *it, const cdg_obstacle *shape, cdg_pose pose) {
    const cdg_adapt_move *move = it->move;
    double margin = 2 * it->longest;
    for (size_t k = 0; k + 1 < move->count; k++) {
        ends own = own_ends(it, k);
        double before = margin, after = margin, radius = it->radius[k];
        bool was_near = cdg_obstacle_gap(shape, &pose, move->from[k], move->from[k + 1], radius, margin, &before);
        bool is_near = cdg_obstacle_gap(shape, &pose, move->to[k], move->to[k + 1], radius, margin, &after);
        if (was_near && !(before + radius > it->longest) && passes_shape(it, k, shape, &pose)) return false;
        if (!is_near) continue;
        before = own_gap(shape, &pose, move->from + k, own, before);
        after = own_gap(shape, &pose, move->to + k, own, after);
        if (!(after < least_gap(before, thickest(own)))) continue;
        cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
        int count = cdg_obstacle_contacts(shape, &pose, move->to[k], move->to[k + 1], radius, 0, found);
        if (count == 0) return false;
        for (int c = 0; c < count; c++)
            list_obstruction(it->out, k, found[c].s, found[c].normal,
                             vec3_dot(found[c].normal, found[c].point) + thickness_at(own, found[c].s) +
                                 smaller(before, 0));
    }
    return true;
}

static bool is_apart(const cdg_box *a, const cdg_box *b) {
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || a->high[k] < b->low[k]) return true;
    return false;
}

static cdg_vec3 point_of(const cdg_proxy *proxy, size_t point) {
    size_t n = proxy_node(proxy, point);
    return vec3(proxy->now[0][n], proxy->now[1][n], proxy->now[2][n]);
}

static bool is_clear_of_surface(const cdg_box *box, const cdg_proxy *proxy) {
    cdg_box other = no_box;
    for (size_t i = 0; i < proxy->point_count; i++) grow_box(&other, point_of(proxy, i));
    return is_apart(&other, box);
}

static bool list_triangle(const moving *it, uint32_t surface, const cdg_vec3 corners[3], double thickness) {
    cdg_vec3 middle = vec3_lerp(corners[0], vec3_lerp(corners[1], corners[2], 0.5), 2.0 / 3);
    double size2 =
        larger(larger(distance2(middle, corners[0]), distance2(middle, corners[1])), distance2(middle, corners[2]));
    double reach = sqrt(size2) + thickness;
    for (size_t k = 0; k + 1 < it->move->count; k++) {
        if (are_far(it, k, middle, reach)) continue;
        double arc = 0.5 * (it->move->at[k] + it->move->at[k + 1]);
        if (cdg_ties_pass(it->around->world, (uint32_t)it->around->rod_index, surface, arc)) continue;
        if (!list_near_triangle(it, k, corners, thickness)) return false;
    }
    return true;
}

// Of a solid: its triangles, as capsules would be.
static bool list_surface(const moving *it, uint32_t surface) {
    const cdg_pieces *pieces = &it->around->world->contacts.pieces;
    const cdg_surfaces *s = &pieces->surfaces;
    const cdg_proxy *proxy = &pieces->objects[pieces->chain_count + surface];
    if (proxy->object == NULL) return true;
    cdg_box box = grown(it->near.box, largest_radius_of(it->move) + proxy->thickness + 2 * it->longest);
    if (is_clear_of_surface(&box, proxy)) return true;
    for (uint32_t t = s->first_triangle[surface]; t < s->first_triangle[surface + 1]; t++) {
        cdg_vec3 corners[3];
        cdg_box own = no_box;
        for (int c = 0; c < 3; c++) {
            corners[c] = point_of(proxy, s->triangles[t].corner[c] - s->first_vertex[surface]);
            grow_box(&own, corners[c]);
        }
        if (!is_apart(&own, &box) && !list_triangle(it, surface, corners, proxy->thickness)) return false;
    }
    return true;
}

static void describe(const cdg_adapt_surroundings *around, const cdg_adapt_move *move, double longest,
                     cdg_adapt_obstructions *out, moving *it) {
    it->around = around, it->move = move, it->longest = longest, it->out = out;
    it->near.box = box_of(move);
    for (size_t k = 0; k < CDG_NEAR_LANES; k++) {
        bool is_there = k + 1 < move->count;
        cdg_vec3 middle = is_there ? vec3_lerp(move->from[k], move->from[k + 1], 0.5) : vec3(1e150, 0, 0);
        it->near.middle[0][k] = middle.x, it->near.middle[1][k] = middle.y, it->near.middle[2][k] = middle.z;
        it->near.reach[k] = 0;
        if (!is_there) continue;
        it->radius[k] = larger(move->radius[k], move->radius[k + 1]);
        it->near.reach[k] = 0.5 * vec3_distance(move->from[k], move->from[k + 1]) + it->radius[k] + 2 * longest;
    }
}

bool cdg_adapt_may_move(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out) {
    const cdg_adapt_surroundings *around = user;
    const cdg_world *world = around->world;
    const cdg_contacts *contacts = &world->contacts;
    double longest = longest_way(move);
    if (longest < same_share * largest_radius_of(move)) return true; // as in what is straight
    moving it;
    describe(around, move, longest, out, &it);
    if (!list_part(&it)) return false;
    for (size_t i = 0; i < world->rod_count; i++)
        if (world->rods[i].rod != NULL && !list_rod(&it, i)) return false;
    for (size_t i = 0; i < world->obstacle_count; i++) {
        const cdg_obstacle *o = &world->obstacles[i];
        if (!list_shape(&it, o, cdg_obstacle_pose(o, world->time))) return false;
    }
    for (size_t i = 0; i < contacts->body_count && i < world->body_count; i++) {
        cdg_pose pose = {world->bodies[i].now.x, world->bodies[i].now.q};
        if (cdg_body_piece_passes(&contacts->bodies[i], (uint32_t)around->rod_index)) continue; // welded to it
        if (contacts->bodies[i].shape != NULL && !list_shape(&it, contacts->bodies[i].shape, pose)) return false;
    }
    for (size_t i = 0; i + contacts->pieces.chain_count < contacts->pieces.object_count; i++)
        if (!list_surface(&it, (uint32_t)i)) return false;
    return out->count == 0;
}
