// The search for rooms (contact_rooms.h): it halves chains, again and again, down to single elements where boxes tell
// too little.
#include "contact/contact_rooms.h"

#include "contact/contact_find.h"
#include "contact/shape_motion.h"

#include <math.h>

// Pairs of chains, and of shapes, that are looked at one by one; more chains are left to the finder of boxes.
enum { CHAINS_FEW = 24, SHAPE_PAIRS_MOST = 4096 };
// Stretches with fewer elements are not halved; blocks have no more than this.
enum { HALVED_LEAST = 4, BLOCK_MOST = 32 };
// Two elements are listed as a contact when they are nearer than 1.05 of the sum of their radii, an element and a shape
// when they are nearer than 1.1 radii (margin_share): a little more.
static const double pair_share = 1.06, reach_share = 1.12;
// Neighbours that may be folded onto each other are half the sum of their radii apart along the chain, and are listed
// when they are nearer than 1.05 times a tenth of it (core_share): a little more of the way between them.
static const double folded_share = 0.22;
// Rooms that are worth having: stretches with more are not examined more closely. For bending, and the share of the
// most there can be for that; for other moves, as many steps' as the last one's, but from half of an element's mean
// length to four of them.
static const double bend_wanted = 0.3, bend_share = 0.6, bend_least = 0.05;
static const double steps_wanted = 20, lengths_least = 0.5, lengths_most = 4, times_least = 1.5;

typedef struct look {
    cdg_contacts *contacts;
    const cdg_contact_input *input;
    const cdg_pieces *p;
    cdg_rooms *rooms;
    double wanted;       // m; less once something has less
    double bend;         // room for bending that is wanted
    cdg_room_pair *pair; // of blocks, that is being looked at; NULL: larger stretches
    bool is_near;
} look;

// Elements first to end - 1 of a chain, by its own numbers.
typedef struct stretch {
    uint32_t object, first, end;
} stretch;

static double smaller(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

// ---- where things are -----------------------------------------------------------------------------------------------

static cdg_vec3 node_at(const look *l, uint32_t object, size_t node) {
    double *const *at = l->contacts->idle.at;
    size_t i = l->p->first_node[object] + node;
    return vec3(at[0][i], at[1][i], at[2][i]);
}
static cdg_vec3 end_of(const look *l, uint32_t object, size_t element) {
    return node_at(l, object, proxy_next_point(&l->p->objects[object], element));
}

// The box comes to hold the element with the reach of its contacts.
static cdg_room_element make_element(const look *l, stretch s, uint32_t element, cdg_box *box) {
    cdg_vec3 a = node_at(l, s.object, element), b = end_of(l, s.object, element);
    const double one[3] = {a.x, a.y, a.z}, other[3] = {b.x, b.y, b.z};
    cdg_room_element it = {.radius = pieces_largest_radius(l->p, l->p->first_element[s.object] + element)};
    for (int k = 0; k < 3; k++) {
        it.middle[k] = 0.5 * (one[k] + other[k]);
        it.half[k] = 0.5 * (other[k] - one[k]);
        box->low[k] = smaller(box->low[k], smaller(one[k], other[k]) - reach_share * it.radius);
        box->high[k] = larger(box->high[k], larger(one[k], other[k]) + reach_share * it.radius);
    }
    return it;
}

static double gap_of_boxes(const cdg_box *a, const cdg_box *b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double gap = larger(0, larger(a->low[k] - b->high[k], b->low[k] - a->high[k]));
        sum += gap * gap;
    }
    return sum > 0 ? sqrt(sum) : 0;
}

static uint32_t count_of(stretch s) { return s.end - s.first; }
static bool is_whole(stretch s) { return count_of(s) < HALVED_LEAST; }
static stretch half_of(stretch s, int which) {
    uint32_t middle = s.first + count_of(s) / 2;
    return which == 0 ? (stretch){s.object, s.first, middle} : (stretch){s.object, middle, s.end};
}

// Each stretch has a box of its own among those of its elements. One that is halved has that of the element where it
// is: no other is halved there, and none that is not halved has it, for these have the one after their first.
static cdg_box *box_of(const look *l, stretch s) {
    uint32_t number = is_whole(s) ? s.first + (count_of(s) > 1) : s.first + count_of(s) / 2;
    return &l->contacts->boxes[l->p->first_element[s.object] + number];
}

static void make_boxes(const look *l, stretch s) {
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (uint32_t j = s.first; is_whole(s) && j < s.end; j++)
        l->contacts->idle.elements[l->p->first_element[s.object] + j] = make_element(l, s, j, &box);
    for (int i = 0; i < 2 && !is_whole(s); i++) {
        make_boxes(l, half_of(s, i));
        const cdg_box *half = box_of(l, half_of(s, i));
        for (int k = 0; k < 3; k++) {
            box.low[k] = smaller(box.low[k], half->low[k]);
            box.high[k] = larger(box.high[k], half->high[k]);
        }
    }
    *box_of(l, s) = box;
}

// ---- chains ---------------------------------------------------------------------------------------------------------

static double *room_of(const look *l, uint32_t a, uint32_t b) {
    if (l->pair != NULL) return &l->pair->room;
    return a == b ? &l->rooms->own[a] : &l->rooms->chains;
}

// Whether a gap takes nothing from the rooms, or leaves as much as is wanted: `path` is the longest way along chains
// between the two.
static bool is_enough(const look *l, double gap, double path, uint32_t a, uint32_t b) {
    if (!(gap > 0)) return false;
    return gap >= smaller(l->bend, l->rooms->bend) * path || gap >= smaller(l->wanted, *room_of(l, a, b));
}

// Two that are apart by `gap` beyond what they need.
static void note(look *l, double gap, double path, uint32_t a, uint32_t b) {
    double *room = room_of(l, a, b);
    if (!(gap > 0))
        l->is_near = true;
    else if (gap >= l->rooms->bend * path || gap >= *room)
        return;
    else if (gap >= l->bend * path)
        l->rooms->bend = gap / path;
    else {
        *room = gap;
        l->wanted = smaller(l->wanted, times_least * gap); // others will not be the first to use up theirs
    }
}

// Whether every edge goes along an axis by so large a share of its length that parts of the stretch that are apart
// along it stay apart in space: then it has a room for bending.
static bool goes_along(look *l, stretch s) {
    const double *length = l->contacts->idle.length + l->p->first_element[s.object];
    double share = l->contacts->idle.share[s.object], least = HUGE_VAL;
    cdg_vec3 chord = vec3_sub(end_of(l, s.object, s.end - 1), node_at(l, s.object, s.first));
    double size = vec3_norm(chord);
    if (!(size > 0)) return false;
    cdg_vec3 axis = vec3_scale(1 / size, chord), from = node_at(l, s.object, s.first);
    for (uint32_t j = s.first; j < s.end; j++) {
        cdg_vec3 to = end_of(l, s.object, j);
        double along = vec3_dot(axis, vec3_sub(to, from));
        if (!(along >= (share + l->bend) * length[j])) return false;
        least = smaller(least, along / length[j]);
        from = to;
    }
    l->rooms->bend = smaller(l->rooms->bend, least - share);
    return true;
}

// m: the longest way along the chain from a point of `a` to one of `b`, which comes later in it.
static double path_between(const look *l, stretch a, stretch b) {
    const cdg_pieces *p = l->p;
    const cdg_proxy *proxy = &p->objects[a.object];
    const double(*arc)[2] = (const double(*)[2])p->arc + p->first_element[a.object];
    double path = arc[b.end - 1][1] - arc[a.first][0];
    return proxy->is_closed ? smaller(path, proxy->length - (arc[b.first][0] - arc[a.end - 1][1])) : path;
}

// The same of two elements, also through a joint next to both. Marks of welds and cuts are no joints: what they are at
// may turn.
static double path_of_elements(const look *l, uint32_t a, uint32_t b) {
    const cdg_pieces *p = l->p;
    uint32_t object = p->object_of[a], low = a < b ? a : b, high = a < b ? b : a;
    double path = HUGE_VAL, lengths = p->arc[a][1] - p->arc[a][0] + p->arc[b][1] - p->arc[b][0];
    if (object == p->object_of[b]) {
        uint32_t first = p->first_element[object];
        path = path_between(l, (stretch){object, low - first, low - first + 1},
                            (stretch){object, high - first, high - first + 1});
    }
    for (int i = 0; i < 2 && p->joint_count > 0; i++)
        for (int k = 0; k < 2; k++)
            if (p->near_joint[a][i] < p->joint_count && p->near_joint[a][i] == p->near_joint[b][k])
                path = smaller(path, p->joint_distance[a][i] + p->joint_distance[b][k] + lengths);
    return path;
}

// m: less than what two elements are apart by beyond what they need: along the line from middle to middle.
static double gap_along_middles(const cdg_room_element *a, const cdg_room_element *b) {
    double square = 0, one = 0, other = 0;
    for (int k = 0; k < 3; k++) {
        double way = b->middle[k] - a->middle[k];
        square += way * way;
        one += way * a->half[k];
        other += way * b->half[k];
    }
    return square > 0 ? (square - fabs(one) - fabs(other)) / sqrt(square) - pair_share * (a->radius + b->radius)
                      : -HUGE_VAL;
}

static cdg_closest closest_of(const look *l, uint32_t a, uint32_t b) {
    const cdg_pieces *p = l->p;
    uint32_t one = p->object_of[a], other = p->object_of[b];
    uint32_t i = a - p->first_element[one], k = b - p->first_element[other];
    return cdg_segments_closest(node_at(l, one, i), end_of(l, one, i), node_at(l, other, k), end_of(l, other, k));
}

// Of most pairs the line between their middles says enough.
static void look_at_elements(look *l, uint32_t a, uint32_t b) {
    const cdg_pieces *p = l->p;
    uint32_t one = p->object_of[a], other = p->object_of[b];
    const cdg_room_element *elements = l->contacts->idle.elements;
    double gap = gap_along_middles(&elements[a], &elements[b]);
    if (gap >= *room_of(l, one, other)) return;
    double path = path_of_elements(l, a, b);
    if (!is_enough(l, gap, path, one, other)) {
        if (cdg_pieces_are_neighbours(p, a, b) && !contact_may_be_folded(p, a, b)) return;
        double need = pair_share * contact_touching_share(p, a, b) * (elements[a].radius + elements[b].radius);
        gap = sqrt(closest_of(l, a, b).distance2) - need;
    }
    note(l, gap, path, one, other);
}

static void look_at_all_elements(look *l, stretch a, stretch b) {
    uint32_t first = l->p->first_element[a.object], second = l->p->first_element[b.object];
    for (uint32_t i = a.first; i < a.end; i++)
        for (uint32_t k = b.first; k < b.end && !l->is_near; k++) {
            bool follows = a.object == b.object && k <= i + 1; // or is looked at the other way round
            if (!follows) look_at_elements(l, first + i, second + k);
        }
}

// Two blocks, or parts of one, get a room of their own, as long as there is memory for it. False: they have one, are
// larger, or there is none.
static bool open_pair(look *l, stretch a, stretch b) {
    cdg_rooms *rooms = l->rooms;
    const uint32_t *block_of = l->contacts->idle.block_of;
    if (l->pair != NULL || count_of(a) > BLOCK_MOST || count_of(b) > BLOCK_MOST) return false;
    if (rooms->pair_count == rooms->pair_capacity) return false;
    l->pair = &rooms->pairs[rooms->pair_count++];
    l->pair->a = block_of[l->p->first_element[a.object] + a.first];
    l->pair->b = block_of[l->p->first_element[b.object] + b.first];
    l->pair->room = HUGE_VAL;
    return true;
}

static void close_pair(look *l) {
    if (l->pair->room == HUGE_VAL) l->rooms->pair_count--; // nothing in it needs one
    l->pair = NULL;
}

static void look_closer(look *l, stretch a, stretch b);

// Two stretches, of one chain in its order.
static void look_at_pair(look *l, stretch a, stretch b) {
    bool is_own = a.object == b.object;
    if (l->is_near) return;
    double gap = gap_of_boxes(box_of(l, a), box_of(l, b)), path = is_own ? path_between(l, a, b) : HUGE_VAL;
    if (is_enough(l, gap, path, a.object, b.object)) {
        note(l, gap, path, a.object, b.object);
        return;
    }
    if (is_own && a.end == b.first && goes_along(l, (stretch){a.object, a.first, b.end})) return;
    bool is_opened = open_pair(l, a, b);
    look_closer(l, a, b);
    if (is_opened) close_pair(l);
}

static void look_closer(look *l, stretch a, stretch b) {
    if (is_whole(a) && is_whole(b)) {
        look_at_all_elements(l, a, b);
        return;
    }
    bool halves_first = is_whole(b) || (!is_whole(a) && count_of(a) >= count_of(b));
    for (int i = 0; i < 2; i++) look_at_pair(l, halves_first ? half_of(a, i) : a, halves_first ? b : half_of(b, i));
}

// A stretch and itself.
static void look_at_chain(look *l, stretch s) {
    if (l->is_near || goes_along(l, s)) return;
    bool is_opened = open_pair(l, s, s);
    if (is_whole(s)) {
        look_at_all_elements(l, s, s);
    } else {
        for (int i = 0; i < 2; i++) look_at_chain(l, half_of(s, i));
        look_at_pair(l, half_of(s, 0), half_of(s, 1));
    }
    if (is_opened) close_pair(l);
}

static stretch whole_chain(const look *l, size_t object) {
    return (stretch){(uint32_t)object, 0, (uint32_t)l->p->objects[object].segment_count};
}

static void look_at_chains(look *l) {
    const cdg_pieces *p = l->p;
    bool are_few = p->chain_count <= CHAINS_FEW;
    for (size_t i = 0; i < p->chain_count && !l->is_near; i++) {
        if (p->objects[i].object == NULL) continue;
        make_boxes(l, whole_chain(l, i));
        look_at_chain(l, whole_chain(l, i));
        for (size_t k = 0; k < i && are_few; k++)
            if (p->objects[k].object != NULL) look_at_pair(l, whole_chain(l, k), whole_chain(l, i));
    }
}

// Many chains: those whose boxes, grown by half of the room that is wanted, do not meet have that room.
static void look_at_many_chains(look *l) {
    const cdg_pieces *p = l->p;
    cdg_box_finder *finder = &l->contacts->finder;
    cdg_box *boxes = l->contacts->idle.boxes;
    if (p->chain_count <= CHAINS_FEW || l->is_near) return;
    for (size_t i = 0; i < p->chain_count; i++) {
        boxes[i] = (cdg_box){{NAN, NAN, NAN}, {NAN, NAN, NAN}};
        if (p->objects[i].object == NULL) continue;
        boxes[i] = *box_of(l, whole_chain(l, i));
        for (int k = 0; k < 3; k++) boxes[i].low[k] -= 0.5 * l->wanted, boxes[i].high[k] += 0.5 * l->wanted;
    }
    l->rooms->chains = smaller(l->rooms->chains, l->wanted);
    if (cdg_box_finder_find(finder, boxes, p->chain_count, NULL, NULL, NULL) != CDG_OK) l->is_near = true;
    for (size_t i = 0; i < finder->pair_count && !l->is_near; i++)
        look_at_pair(l, whole_chain(l, finder->pairs[i].a), whole_chain(l, finder->pairs[i].b));
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

static double gap_to_shape(const cdg_obstacle *o, const cdg_pose *pose, const cdg_box *own, const cdg_box *box) {
    if (o->def.shape.kind != CDG_SHAPE_PLANE) return gap_of_boxes(own, box);
    cdg_vec3 middle = {0.5 * (box->low[0] + box->high[0]), 0.5 * (box->low[1] + box->high[1]),
                       0.5 * (box->low[2] + box->high[2])};
    cdg_distance distance = cdg_obstacle_distance(o, pose, middle);
    return distance.value - 0.5 * (fabs(distance.normal.x) * (box->high[0] - box->low[0]) +
                                   fabs(distance.normal.y) * (box->high[1] - box->low[1]) +
                                   fabs(distance.normal.z) * (box->high[2] - box->low[2]));
}

static void note_shape(look *l, double gap, double *room) {
    if (!(gap > 0)) l->is_near = true;
    *room = smaller(*room, gap);
}

static void look_at_shape(look *l, const cdg_obstacle *o, const cdg_pose *pose, const cdg_box *own, stretch s) {
    if (l->is_near) return;
    double gap = gap_to_shape(o, pose, own, box_of(l, s));
    if (gap >= smaller(l->wanted, l->rooms->shapes)) {
        note_shape(l, gap, &l->rooms->shapes);
        return;
    }
    for (int i = 0; i < 2 && !is_whole(s); i++) look_at_shape(l, o, pose, own, half_of(s, i));
    for (uint32_t j = s.first; is_whole(s) && j < s.end; j++) {
        double reach = reach_share * pieces_largest_radius(l->p, l->p->first_element[s.object] + j);
        bool is_close =
            cdg_obstacle_gap(o, pose, node_at(l, s.object, j), end_of(l, s.object, j), reach, l->wanted, &gap);
        note_shape(l, is_close ? gap : l->wanted, &l->rooms->shapes);
    }
}

static void look_at_two_shapes(look *l, const cdg_contact_shape *a, const cdg_pose *pose_a, const cdg_contact_shape *b,
                               const cdg_pose *pose_b) {
    if (a->form == NULL || b->form == NULL || (contact_shape_is_still(a) && contact_shape_is_still(b))) return;
    cdg_box box_a = cdg_obstacle_box(a->form, pose_a), box_b = cdg_obstacle_box(b->form, pose_b);
    note_shape(l, gap_to_shape(a->form, pose_a, &box_a, &box_b), &l->rooms->bodies);
}

static void look_at_shapes(look *l) {
    const cdg_contacts *c = l->contacts;
    size_t count = cdg_contact_shape_count(c, l->input);
    if (count * c->body_count > SHAPE_PAIRS_MOST) l->is_near = true;
    for (size_t i = 0; i < count && !l->is_near; i++) {
        cdg_contact_shape it = cdg_contact_shape_at(c, l->input, i);
        if (it.form == NULL) continue;
        cdg_box own = cdg_obstacle_box(it.form, &c->stood[i]);
        for (uint32_t k = 0; k < l->p->chain_count; k++) {
            bool passes = it.body != NULL && cdg_body_piece_passes(it.body, k);
            if (l->p->objects[k].object != NULL && !passes)
                look_at_shape(l, it.form, &c->stood[i], &own, whole_chain(l, k));
        }
        size_t first = i + 1 > l->input->obstacle_count ? i + 1 : l->input->obstacle_count; // bodies alone
        for (size_t k = first; k < count; k++) {
            cdg_contact_shape other = cdg_contact_shape_at(c, l->input, k);
            look_at_two_shapes(l, &it, &c->stood[i], &other, &c->stood[k]);
        }
    }
}

// ---- all ------------------------------------------------------------------------------------------------------------

static size_t divide(stretch s, cdg_room_block *out) {
    if (count_of(s) > BLOCK_MOST) {
        size_t count = divide(half_of(s, 0), out);
        return count + divide(half_of(s, 1), out + count);
    }
    *out = (cdg_room_block){s.object, s.first, s.end};
    return 1;
}

size_t cdg_rooms_divide(const cdg_pieces *p, uint32_t object, cdg_room_block *out) {
    return divide((stretch){object, 0, (uint32_t)p->objects[object].segment_count}, out);
}

// m: along the chain, from an element to the first after it that is no neighbour of it; those after that are farther.
static double way_to_stranger(const cdg_pieces *p, uint32_t element, uint32_t end) {
    for (uint32_t other = element + 2; other < end; other++)
        if (!cdg_pieces_are_neighbours(p, element, other)) return p->arc[other][0] - p->arc[element][1];
    return HUGE_VAL;
}

double cdg_rooms_along(const cdg_pieces *p, size_t object) {
    double most = 0, share = folded_share;
    uint32_t first = p->first_element[object], end = p->first_element[object + 1];
    for (uint32_t e = first; e < end; e++) most = larger(most, pieces_largest_radius(p, e));
    for (uint32_t e = first; e < end; e++)
        share = larger(share, pair_share * (pieces_largest_radius(p, e) + most) / way_to_stranger(p, e, end));
    return share;
}

bool cdg_rooms_find(cdg_contacts *c, const cdg_contact_input *input, double way, cdg_rooms *out) {
    const cdg_pieces *p = &c->pieces;
    look l = {.contacts = c, .input = input, .p = p, .rooms = out};
    out->pair_count = 0;
    out->bend = out->chains = out->shapes = out->bodies = HUGE_VAL;
    double length = 0, share = 0;
    for (size_t i = 0; i < p->chain_count; i++) {
        out->own[i] = HUGE_VAL;
        if (p->objects[i].object == NULL) continue;
        length += p->objects[i].length;
        share = larger(share, c->idle.share[i]);
    }
    l.bend = larger(smaller(bend_wanted, bend_share * (1 - share)), bend_least);
    if (p->element_count > 0) length /= (double)p->element_count;
    l.wanted = smaller(larger(steps_wanted * way, lengths_least * length), lengths_most * length);
    look_at_chains(&l);
    look_at_many_chains(&l);
    look_at_shapes(&l);
    return !l.is_near;
}
