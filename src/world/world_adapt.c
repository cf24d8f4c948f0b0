// Rods that adapt, in a world: after a step, where contact and shape ask for it, resolution changes, and all that knows
// nodes by number follows: supports, contacts. Hands find their place when they take hold.
#include "adapt/adapt.h"
#include "adapt/near_move.h"
#include "contact/segment_pair.h"
#include "math/quat.h"
#include "world/rod_proxy.h"
#include "world/tie.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// After an operation the next element stays as it is in this step. (Farther apart, resolution takes more steps to
// follow, after each of which contact begins anew.)
enum { APART = 1 };

// Pushes near one operation; what there is beyond is left out.
enum { PUSHES_MAX = 64, PUSH_ELEMENTS = 4 };
// Of the radius: how deep a move may lie in something, which contact then parts: half of what it leaves itself. What
// was deeper before may stay so, to rounding.
static const double deep_share = 5e-4, same_share = 1e-6;
static const double bend_back = 3.141592653589793; // radii along the rod within which it does not touch itself

// ---- contact --------------------------------------------------------------------------------------------------------

static void mark_side(const cdg_world *world, const cdg_contact *contact, int k) {
    const cdg_contact_side *side = &contact->side[k];
    if (side->kind != CDG_SIDE_SEGMENT || side->object >= world->rod_count) return;
    const cdg_rod *rod = world->rods[side->object].rod;
    if (rod == NULL || rod->adapt == NULL || side->primitive >= rod->element_count) return;
    rod->adapt->touch[side->primitive] |= contact->parameter[k] < 0.5 ? 1 : 2;
}

static void mark_contacts(const cdg_world *world) {
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod != NULL && rod->adapt != NULL) memset(rod->adapt->touch, 0, rod->element_count);
    }
    for (size_t i = 0; i < world->contacts.kept_count && world_has_contact(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        if (!(vec3_dot(contact->force, contact->force) > 0)) continue;
        for (int k = 0; k < 2; k++) mark_side(world, contact, k);
    }
}

static bool has_contacts(const cdg_world *world) {
    return world_has_contact(world) && world->contacts.pieces.memory != NULL;
}

// ---- what is in the way ---------------------------------------------------------------------------------------------

typedef struct surroundings {
    const cdg_world *world;
    size_t rod_index;
} surroundings;

// A move, and what is found in its way.
typedef struct moving {
    const surroundings *around;
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

// The larger of both ends'.
static double radius_of(const cdg_rod *rod, size_t element) {
    return larger(rod->radius[element * rod->section_stride],
                  rod->radius[rod_next_node(rod, element) * rod->section_stride]);
}

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
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
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

// Whether the element is of the part that moves, or so near along the rod that they never touch.
static bool is_neighbour(const cdg_adapt_move *move, size_t element) {
    const cdg_rod *rod = move->rod;
    double reach = bend_back * radius_of(rod, element), from = rod->adapt->arc[element];
    double to = from + rod->rest_length[element];
    if (to > move->arc[0] - reach && from < move->arc[1] + reach) return true;
    if (!rod->is_closed) return false;
    for (int side = -1; side < 2; side += 2) {
        double round = side * rod->length;
        if (to + round > move->arc[0] - reach && from + round < move->arc[1] + reach) return true;
    }
    return false;
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

// As long as no point of a moving segment goes as far as the other centreline is away, they cannot pass through each
// other, and no link changes. False: that cannot be told.
static bool list_near(const moving *it, size_t k, cdg_vec3 a, cdg_vec3 b, double other) {
    const cdg_adapt_move *move = it->move;
    cdg_closest was = cdg_segments_closest(move->from[k], move->from[k + 1], a, b);
    double before = sqrt(was.distance2), radius = it->radius[k], touching = radius + other;
    if (before > touching + 2 * it->longest) return true;
    if (!(before > it->longest)) return false;
    cdg_closest is = cdg_segments_closest(move->to[k], move->to[k + 1], a, b);
    if (is.distance2 >= square(least_gap(before - touching, smaller(radius, other)) + touching)) return true;
    cdg_vec3 normal = vec3_scale(1 / before, was.between);
    list_obstruction(it->out, k, is.s, normal, vec3_dot(normal, vec3_lerp(a, b, is.t)) + smaller(before, touching));
    return true;
}

// Of what moves most is too far away by middles and lengths.
static bool list_segment(const moving *it, const cdg_rod *rod, size_t j, double other) {
    cdg_vec3 a = rod_vec3(rod->x, j), b = rod_vec3(rod->x, rod_next_node(rod, j)), middle = vec3_lerp(a, b, 0.5);
    double reach = 0.5 * vec3_distance(a, b) + other;
    for (size_t k = 0; k + 1 < it->move->count; k++) {
        const cdg_near_move *near = &it->near;
        cdg_vec3 own = vec3(near->middle[0][k], near->middle[1][k], near->middle[2][k]);
        if (distance2(middle, own) > square(reach + near->reach[k]) || are_joined(it, k, rod, j, other)) continue;
        if (!list_near(it, k, a, b, other)) return false;
    }
    return true;
}

static bool list_element(const moving *it, size_t index, size_t j) {
    const cdg_rod *rod = it->around->world->rods[index].rod;
    if (index == it->around->rod_index && is_neighbour(it->move, j)) return true;
    return list_segment(it, rod, j, radius_of(rod, j));
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

static bool list_shape(const moving *it, const cdg_obstacle *shape, cdg_pose pose) {
    const cdg_adapt_move *move = it->move;
    double margin = 2 * it->longest;
    for (size_t k = 0; k + 1 < move->count; k++) {
        double before = margin, after = margin, radius = it->radius[k];
        bool was_near = cdg_obstacle_gap(shape, &pose, move->from[k], move->from[k + 1], radius, margin, &before);
        bool is_near = cdg_obstacle_gap(shape, &pose, move->to[k], move->to[k + 1], radius, margin, &after);
        if (was_near && !(before + radius > it->longest)) return false;
        if (!is_near || !(after < least_gap(was_near ? before : margin, radius))) continue;
        cdg_obstacle_contact found[CDG_OBSTACLE_CONTACTS_MAX];
        int count = cdg_obstacle_contacts(shape, &pose, move->to[k], move->to[k + 1], radius, 0, found);
        if (count == 0) return false;
        for (int c = 0; c < count; c++)
            list_obstruction(it->out, k, found[c].s, found[c].normal,
                             vec3_dot(found[c].normal, found[c].point) + radius + (was_near ? fmin(before, 0) : 0));
    }
    return true;
}

// Solids: not near at all.
static bool is_clear_of_surface(const cdg_box *box, const cdg_proxy *proxy, double reach) {
    cdg_box other = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < proxy->point_count; i++) {
        size_t n = proxy_node(proxy, i);
        grow_box(&other, vec3(proxy->now[0][n], proxy->now[1][n], proxy->now[2][n]));
    }
    for (int k = 0; k < 3; k++)
        if (other.low[k] > box->high[k] + reach || other.high[k] < box->low[k] - reach) return true;
    return false;
}

static void describe(const surroundings *around, const cdg_adapt_move *move, double longest,
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

static bool may_move(const void *user, const cdg_adapt_move *move, cdg_adapt_obstructions *out) {
    const surroundings *around = user;
    const cdg_world *world = around->world;
    const cdg_contacts *contacts = &world->contacts;
    double longest = longest_way(move), radius = largest_radius_of(move);
    if (longest < same_share * radius) return true; // as in what is straight
    moving it;
    describe(around, move, longest, out, &it);
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
    for (size_t i = contacts->pieces.chain_count; i < contacts->pieces.object_count; i++) {
        const cdg_proxy *proxy = &contacts->pieces.objects[i];
        if (proxy->object != NULL && !is_clear_of_surface(&it.near.box, proxy, radius + proxy->thickness + longest))
            return false;
    }
    return out->count == 0;
}

// ---- pushes ---------------------------------------------------------------------------------------------------------

static bool is_near_element(const cdg_rod *rod, size_t a, size_t b) {
    size_t apart = a > b ? a - b : b - a;
    return apart <= PUSH_ELEMENTS || (rod->is_closed && rod->element_count - apart <= PUSH_ELEMENTS);
}

static size_t add_contact_pushes(const cdg_world *world, size_t index, size_t element, cdg_adapt_push *out) {
    const cdg_rod *rod = world->rods[index].rod;
    size_t count = 0;
    for (size_t i = 0; i < world->contacts.kept_count; i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        for (int k = 0; k < 2; k++) {
            const cdg_contact_side *side = &contact->side[k];
            if (side->kind != CDG_SIDE_SEGMENT || side->object != index) continue;
            if (count == PUSHES_MAX || !is_near_element(rod, side->primitive, element)) continue;
            if (!(vec3_dot(contact->force, contact->force) > 0)) continue;
            double arc = rod->adapt->arc[side->primitive] + contact->parameter[k] * rod->rest_length[side->primitive];
            double sign = k == 0 ? 1 : -1;
            out[count++] =
                (cdg_adapt_push){arc, vec3_scale(sign, contact->force), true, vec3_scale(sign, contact->normal)};
        }
    }
    return count;
}

static size_t add_load_pushes(const cdg_world *world, size_t index, size_t element, size_t count, cdg_adapt_push *out) {
    const cdg_rod *rod = world->rods[index].rod;
    for (uint32_t i = world->rods[index].first_load; i != CDG_NO_INDEX; i = world->loads[i].next) {
        const cdg_load_def *load = &world->loads[i].def;
        if (load->kind != CDG_LOAD_FORCE || count == PUSHES_MAX) continue;
        cdg_place place = rod_present_place(rod, load->place);
        size_t beside = place.index < rod->element_count ? place.index : rod->element_count - 1;
        if (!is_near_element(rod, beside, element)) continue;
        cdg_vec3 force = vec3_scale(cdg_load_factor(load, world->time), load->value);
        if (load->follows) force = quat_rotate(rod_quat(rod->q, beside), force);
        double half = place.kind == CDG_PLACE_ELEMENT ? rod->rest_length[place.index] / 2 : 0;
        out[count++] = (cdg_adapt_push){.arc = rod->adapt->arc[place.index] + half, .force = force};
    }
    return count;
}

// ---- a rod ----------------------------------------------------------------------------------------------------------

// Whose nodes somebody else knows by number: a hand, a program that sets forces.
static bool is_fixed(const world_rod *entry) {
    return entry->rod->is_gripped || entry->grip_count > 0 || entry->own_forces != NULL;
}

static bool has_true_strain(const cdg_rod *rod) {
    return rod->model->measures.strain_trust == NULL || rod->model->measures.strain_trust(rod) == CDG_STRAIN_TRUE;
}

static void book(cdg_world *world, const cdg_rod *rod, const cdg_adapt_outcome *outcome) {
    world->adapted += outcome->energy;
    world->guard.adapted += has_true_strain(rod) ? outcome->energy : outcome->kinetic + outcome->gravity;
}

// What segments are bent by against others at joints, where frames beside have moved.
static void book_joints(cdg_world *world, double before) {
    if (world->net_count == 0) return;
    double gained = cdg_joints_energy(world, false) - before;
    world->adapted += gained;
    if (has_true_strain(world->nets[0]->rods[0])) world->guard.adapted += gained;
}

static bool do_one(cdg_world *world, size_t index, size_t j, cdg_adapt_kind kind) {
    cdg_rod *rod = world->rods[index].rod;
    cdg_adapt_push pushes[PUSHES_MAX];
    surroundings around = {world, index};
    cdg_adapt_context context = {.gravity = world->def.gravity, .step = world->step, .pushes = pushes, .user = &around};
    cdg_adapt_outcome outcome;
    if (has_contacts(world)) {
        context.may_move = may_move;
        context.push_count = add_contact_pushes(world, index, j, pushes);
    }
    context.push_count = add_load_pushes(world, index, j, context.push_count, pushes);
    bool is_split = kind == CDG_ADAPT_SPLIT;
    bool is_done = (is_split ? cdg_adapt_split : cdg_adapt_merge)(rod, j, &context, &outcome);
    if (!is_done && !is_split) rod->adapt->calm[j] = 0; // not again at once
    if (!is_done) rod->adapt->refused[is_split ? 0 : 1][outcome.refusal]++;
    if (!is_done) return false;
    if (!rod->adapt->is_new) book(world, rod, &outcome);
    if (has_contacts(world))
        (is_split ? cdg_contacts_halve : cdg_contacts_join)(&world->contacts, (uint32_t)index, (uint32_t)j);
    return true;
}

static bool change_rod(cdg_world *world, size_t index) {
    const cdg_rod *rod = world->rods[index].rod;
    bool is_changed = false;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_adapt_kind kind = cdg_adapt_wanted(rod, j);
        if (kind == CDG_ADAPT_KEEP || !do_one(world, index, j, kind)) continue;
        is_changed = true;
        j += APART;
    }
    return is_changed;
}

// What was made at the finest resolution becomes as coarse as its shape allows.
static bool coarsen_new(cdg_world *world, size_t index) {
    cdg_rod *rod = world->rods[index].rod;
    bool is_changed = false, goes_on = true;
    rod->adapt->step = world->step;
    for (int pass = 0; pass < 2 * rod->adapt->options.levels && goes_on; pass++) {
        goes_on = false;
        for (size_t j = rod->element_count; j-- > 0;) // so that less comes after what goes, and has to be moved
            if (cdg_adapt_starts_too_fine(rod, j) && do_one(world, index, j, CDG_ADAPT_MERGE)) goes_on = true;
        is_changed = is_changed || goes_on;
    }
    rod->adapt->is_new = false;
    return is_changed;
}

static void follow(cdg_world *world, size_t index) {
    cdg_rod *rod = world->rods[index].rod;
    cdg_rod_adapt_settle(rod);
    if (has_contacts(world))
        cdg_contacts_resize(&world->contacts, (uint32_t)index, rod->node_count, rod->element_count);
}

static void renumber(cdg_world *world) {
    if (!has_contacts(world)) return;
    cdg_rod_proxies_renumber(&world->contacts.pieces, world->nets, world->net_count);
    cdg_contacts_sort_kept(&world->contacts);
    cdg_contacts_renumber(&world->contacts);
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
}

void cdg_adapt_begin(cdg_world *world) {
    bool is_any = false;
    for (size_t i = 0; i < world->rod_count; i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL || !rod->adapt->is_new) continue;
        double before = cdg_world_energy(world).total;
        if (is_fixed(&world->rods[i]) || !coarsen_new(world, i)) continue;
        follow(world, i);
        if (world->net_count > 0) cdg_joints_renumber(world);
        if (world->has_started) world->energy_at_start += cdg_world_energy(world).total - before;
        is_any = true;
    }
    if (is_any) renumber(world);
}

void cdg_adapt_rods(cdg_world *world, double step) {
    bool is_any = false;
    double joints = world->net_count > 0 ? cdg_joints_energy(world, false) : 0;
    mark_contacts(world);
    for (size_t i = 0; i < world->rod_count; i++) {
        cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL) continue;
        rod->adapt->step = world->step;
        cdg_adapt_watch(rod, step);
        if (is_fixed(&world->rods[i]) || !change_rod(world, i)) continue;
        follow(world, i);
        is_any = true;
    }
    if (!is_any) return;
    if (world->net_count > 0) cdg_joints_renumber(world);
    book_joints(world, joints);
    renumber(world);
}

void cdg_adapt_restore(cdg_world *world) {
    bool is_any = false;
    for (size_t i = 0; i < world->rod_count && has_contacts(world); i++) {
        const cdg_rod *rod = world->rods[i].rod;
        if (rod == NULL || rod->adapt == NULL) continue;
        if (world->contacts.pieces.objects[i].segment_count == rod->element_count) continue;
        cdg_contacts_resize(&world->contacts, (uint32_t)i, rod->node_count, rod->element_count);
        is_any = true;
    }
    cdg_joints_renumber(world);
    if (!is_any && (world->net_count == 0 || !has_contacts(world))) return;
    cdg_rod_proxies_renumber(&world->contacts.pieces, world->nets, world->net_count);
    cdg_contacts_renumber(&world->contacts);
    cdg_contact_mark_welds(world);
    cdg_ties_mark(world);
}
