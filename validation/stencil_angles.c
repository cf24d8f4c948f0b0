// A corner of an element is a vertex of the lattice, one that was warped along an edge, or a cut of an edge: its place
// is linear in one parameter, so that an element has at most four. With e along an edge and N the product of the
// normals of the faces that meet there, the cotangent of their angle is N / (|e| 6V). N - cot(bound) min|e| 6V is a
// polynomial of degree two in the parameters of the edge's ends and one in the others; where no Bernstein coefficient
// of it over a box of parameters is above zero, the bound holds in the whole box. Boxes where that is not so are
// halved. How faces are divided is asked of the mesher's own stencils; rounding, 1e-13 of these numbers, is far below
// the slack.
#include "validation/stencil_angles.h"

#include "math/random.h"
#include "meshing/stencil.h"
#include "meshing/tetrahedron.h"

#include <string.h>

enum { SPOTS = 10, WAYS = 14, PAIRS_MOST = 3, OPTIONS_MOST = 2, DEPTH_MOST = 40, SAMPLES = 300 };

// Two cubes' middles, and an edge of their common face; lengths in half cubes.
static const cdg_vec3 lattice[4] = {{1, 1, 1}, {3, 1, 1}, {2, 0, 0}, {2, 2, 0}};

typedef struct spot { // a corner (0 to 3) or a cut (4 and on): start + parameter * way
    cdg_vec3 start, way;
} spot;

typedef struct box {
    double low[SPOTS], high[SPOTS]; // of each spot's parameter
} box;

typedef struct pair { // corners a and b inside, d outside: the face is divided from a when its edge has more inside
    int a, b, d;
} pair;

typedef struct filling { // what a stencil made
    int count;
    uint32_t parts[CDG_STENCIL_MOST][4];
} filling;

typedef struct rule { // for one order of the lengths inside
    unsigned order;   // bit i: pair i is divided from a
    int count;
    filling options[OPTIONS_MOST]; // the stencil takes the better one
} rule;

typedef struct proof {
    stencil_proof *out;
    double near_long, near_short;
    double cot_least, cot_most; // of the smallest angle, and of what the largest lacks to a half turn
    int side[4], way[4];
    spot spots[SPOTS];
    pair pairs[PAIRS_MOST];
    int pair_count;
    rule rules[1 << PAIRS_MOST];
    int rule_count;
} proof;

static cdg_vec3 place_of(const spot *s, double parameter) { return vec3_mad(s->start, parameter, s->way); }

// ---- one element ----------------------------------------------------------------------------------------------------

typedef struct element { // corners as spots, with their ranges
    const spot *spots[4];
    double low[4], high[4];
} element;

static element element_of(const proof *p, const uint32_t part[4], const box *b) {
    element e;
    for (int k = 0; k < 4; k++) {
        e.spots[k] = &p->spots[part[k]];
        e.low[k] = b->low[part[k]];
        e.high[k] = b->high[part[k]];
    }
    return e;
}

// Values on a grid of `count[k]` places in direction k become Bernstein coefficients: of the second degree the middle
// one is twice the middle value less half of both ends'.
static void to_bernstein(double *values, const int count[4]) {
    int total = count[0] * count[1] * count[2] * count[3];
    for (int k = 0, stride = 1; k < 4; stride *= count[k++])
        for (int i = 0; i < total && count[k] == 3; i++)
            if (i / stride % 3 == 1) values[i] = 2 * values[i] - 0.5 * (values[i - stride] + values[i + stride]);
}

// N, 6V and |e|^2 at the edge between corners 0 and 1.
static void evaluate(const cdg_vec3 p[4], double *product, double *volume6, double *length2) {
    cdg_vec3 e = vec3_sub(p[1], p[0]), r = vec3_sub(p[2], p[0]), s = vec3_sub(p[3], p[0]);
    cdg_vec3 first = vec3_cross(e, r);
    *product = vec3_dot(first, vec3_cross(e, s));
    *volume6 = vec3_dot(first, s);
    *length2 = vec3_dot(e, e);
}

// Whether the angle at the edge between corners 0 and 1 is within bounds throughout.
static bool holds_at_edge(const proof *p, const element *e) {
    enum { MOST = 36 };
    double product[MOST], volume6[MOST], length2[MOST], small[MOST], large[MOST], least_length2 = HUGE_VAL;
    int count[4], total = 1;
    for (int k = 0; k < 4; k++) {
        count[k] = e->low[k] == e->high[k] ? 1 : k < 2 ? 3 : 2;
        total *= count[k];
    }
    for (int i = 0; i < total; i++) {
        cdg_vec3 places[4];
        for (int k = 0, rest = i; k < 4; rest /= count[k++]) {
            double share = count[k] == 1 ? 0 : (double)(rest % count[k]) / (count[k] - 1);
            places[k] = place_of(e->spots[k], e->low[k] + share * (e->high[k] - e->low[k]));
        }
        evaluate(places, &product[i], &volume6[i], &length2[i]);
        if (!(volume6[i] > 1e-9)) return false; // linear in each parameter: least at a corner of the box
    }
    to_bernstein(length2, count);
    for (int i = 0; i < total; i++) least_length2 = fmin(least_length2, length2[i]);
    double length = sqrt(fmax(0, least_length2));
    for (int i = 0; i < total; i++) {
        small[i] = product[i] - p->cot_least * length * volume6[i];
        large[i] = -product[i] - p->cot_most * length * volume6[i];
    }
    to_bernstein(small, count);
    to_bernstein(large, count);
    for (int i = 0; i < total; i++)
        if (!(fmax(small[i], large[i]) < -1e-9)) return false;
    return true;
}

static bool holds_in_element(const proof *p, const element *e) {
    static const unsigned char turns[6][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2},
                                              {1, 2, 0, 3}, {1, 3, 2, 0}, {2, 3, 0, 1}}; // keep the orientation
    for (int i = 0; i < 6; i++) {
        element turned;
        for (int k = 0; k < 4; k++) {
            turned.spots[k] = e->spots[turns[i][k]];
            turned.low[k] = e->low[turns[i][k]];
            turned.high[k] = e->high[turns[i][k]];
        }
        if (!holds_at_edge(p, &turned)) return false;
    }
    return true;
}

static bool holds_in_filling(const proof *p, const filling *f, const box *b) {
    for (int t = 0; t < f->count; t++) {
        element e = element_of(p, f->parts[t], b);
        if (!holds_in_element(p, &e)) return false;
    }
    return true;
}

static void meet(proof *p, const filling *f, const double parameter[SPOTS]) {
    for (int t = 0; t < f->count; t++) {
        cdg_vec3 places[4];
        double least, most;
        for (int k = 0; k < 4; k++) places[k] = place_of(&p->spots[f->parts[t][k]], parameter[f->parts[t][k]]);
        tetrahedron_cosine_range(places, &least, &most);
        p->out->smallest = fmin(p->out->smallest, acos(most));
        p->out->largest = fmax(p->out->largest, acos(least));
    }
}

// ---- one case -------------------------------------------------------------------------------------------------------

static double edge_length(int edge) { return edge == 0 || edge == 5 ? 2 : sqrt(3); }

// Of the part of the edge between a (inside) and d that is inside, for a parameter that counts from the lower corner.
static double inner_length(int a, int d, double parameter) {
    return edge_length(stencil_edge(a, d)) * (a < d ? parameter : 1 - parameter);
}

static int cut_of(int a, int d) { return 4 + stencil_edge(a, d); }

static filling fill(const proof *p, const double parameter[SPOTS]) {
    cdg_stencil s;
    filling f;
    for (int k = 0; k < 4; k++) {
        s.side[k] = p->side[k];
        s.point[k] = (uint32_t)k;
        s.position[k] = place_of(&p->spots[k], parameter[k]);
    }
    for (int e = 0; e < 6; e++) {
        s.cut[e] = (uint32_t)(4 + e);
        s.cut_point[e] = place_of(&p->spots[4 + e], parameter[4 + e]);
    }
    f.count = cdg_stencil_fill(&s, f.parts);
    return f;
}

static unsigned order_of(const proof *p, const double parameter[SPOTS]) {
    unsigned order = 0;
    for (int i = 0; i < p->pair_count; i++) {
        const pair *c = &p->pairs[i];
        double first = inner_length(c->a, c->d, parameter[cut_of(c->a, c->d)]);
        double second = inner_length(c->b, c->d, parameter[cut_of(c->b, c->d)]);
        order |= (unsigned)(first > second) << i;
    }
    return order;
}

static void learn(proof *p, unsigned order, const filling *f) {
    rule *r = NULL;
    for (int i = 0; i < p->rule_count; i++)
        if (p->rules[i].order == order) r = &p->rules[i];
    if (r == NULL) {
        r = &p->rules[p->rule_count++];
        *r = (rule){.order = order};
    }
    for (int i = 0; i < r->count; i++)
        if (r->options[i].count == f->count &&
            memcmp(r->options[i].parts, f->parts, (size_t)f->count * sizeof *f->parts) == 0)
            return;
    if (r->count < OPTIONS_MOST) r->options[r->count++] = *f;
}

// Whether lengths in the box can have this order.
static bool can_be(const proof *p, const box *b, unsigned order) {
    for (int i = 0; i < p->pair_count; i++) {
        const pair *c = &p->pairs[i];
        int first = cut_of(c->a, c->d), second = cut_of(c->b, c->d);
        double first_a = inner_length(c->a, c->d, b->low[first]), first_b = inner_length(c->a, c->d, b->high[first]);
        double second_a = inner_length(c->b, c->d, b->low[second]),
               second_b = inner_length(c->b, c->d, b->high[second]);
        bool is_from_first = order >> i & 1;
        if (is_from_first && fmax(first_a, first_b) < fmin(second_a, second_b)) return false;
        if (!is_from_first && fmax(second_a, second_b) < fmin(first_a, first_b)) return false;
    }
    return true;
}

// Of two ways to fill the stencil takes the one whose worst cosine, of whatever sign, is nearer to 0. So both must be
// within bounds, or one of them within the narrower one both ways.
static bool holds_by_rule(const proof *p, const rule *r, const box *b) {
    bool holds_in_all = true;
    for (int i = 0; i < r->count && holds_in_all; i++) holds_in_all = holds_in_filling(p, &r->options[i], b);
    if (holds_in_all) return true;
    proof narrow = *p;
    narrow.cot_least = narrow.cot_most = fmin(p->cot_least, p->cot_most);
    for (int i = 0; i < r->count && r->count > 1; i++)
        if (holds_in_filling(&narrow, &r->options[i], b)) return true;
    return false;
}

static int longest_range(const proof *p, const box *b) {
    int best = -1;
    double most = 0;
    for (int i = 0; i < SPOTS; i++) {
        double length = (b->high[i] - b->low[i]) * vec3_norm(p->spots[i].way);
        if (length > most) {
            most = length;
            best = i;
        }
    }
    return best;
}

static void prove_box(proof *p, const rule *r, const box *b, int depth) {
    if (!can_be(p, b, r->order)) return;
    p->out->boxes++;
    double middle[SPOTS];
    for (int i = 0; i < SPOTS; i++) middle[i] = 0.5 * (b->low[i] + b->high[i]);
    if (order_of(p, middle) == r->order) {
        filling f = fill(p, middle);
        meet(p, &f, middle);
    }
    if (holds_by_rule(p, r, b)) return;
    int along = longest_range(p, b);
    if (depth == DEPTH_MOST || along < 0) {
        p->out->open++;
        return;
    }
    for (int half = 0; half < 2 && p->out->open == 0; half++) {
        box part = *b;
        *(half == 0 ? &part.high[along] : &part.low[along]) = middle[along];
        prove_box(p, r, &part, depth + 1);
    }
}

static cdg_vec3 edge_way(int edge) {
    if (edge >= 6) return vec3(edge & 1 ? 1 : -1, edge & 2 ? 1 : -1, edge & 4 ? 1 : -1);
    double s = edge % 2 ? -2 : 2;
    return vec3(edge / 2 == 0 ? s : 0, edge / 2 == 1 ? s : 0, edge / 2 == 2 ? s : 0);
}

// A corner on the surface was drawn along an edge towards a corner of the other side: one within this element cannot
// have been on its own side; warps along the same edge from both ends exclude each other.
static bool is_possible(const int side[4], const int way[4]) {
    for (int mask = 0; mask < 16; mask++) {
        bool is_good = true;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4 && side[a] == 0; b++) {
                int sign_a = mask >> a & 1 ? 1 : -1, sign_b = side[b] != 0 ? side[b] : mask >> b & 1 ? 1 : -1;
                bool leads_to_b = a != b && vec3_distance(vec3_add(lattice[a], edge_way(way[a])), lattice[b]) < 0.1;
                bool leads_back =
                    side[b] == 0 && vec3_distance(vec3_add(lattice[b], edge_way(way[b])), lattice[a]) < 0.1;
                if (leads_to_b && (sign_a == sign_b || leads_back)) is_good = false;
            }
        if (is_good) return true;
    }
    return false;
}

static void place_spots(proof *p, box *b) {
    memset(b, 0, sizeof *b);
    for (int k = 0; k < 4; k++) {
        p->spots[k] = (spot){lattice[k], vec3(0, 0, 0)};
        if (p->side[k] != 0) continue;
        p->spots[k].way = edge_way(p->way[k]);
        b->high[k] = p->way[k] < 6 ? p->near_long : p->near_short;
    }
    for (int a = 0; a < 3; a++)
        for (int d = a + 1; d < 4; d++) {
            int cut = cut_of(a, d);
            double near = cut == 4 || cut == 9 ? p->near_long : p->near_short;
            p->spots[cut] = (spot){lattice[a], vec3_sub(lattice[d], lattice[a])};
            if (p->side[a] * p->side[d] >= 0) continue; // not cut
            b->low[cut] = near;
            b->high[cut] = 1 - near;
        }
    p->pair_count = 0;
    for (int d = 0; d < 4; d++)
        for (int a = 0; a < 3; a++)
            for (int c = a + 1; c < 4; c++)
                if (p->side[d] < 0 && p->side[a] > 0 && p->side[c] > 0) p->pairs[p->pair_count++] = (pair){a, c, d};
}

static double some_parameter(cdg_random *random, double low, double high) { // ends of the range are worst most often
    double u = random_unit(random);
    return u < 0.25 ? low : u < 0.5 ? high : low + (high - low) * random_unit(random);
}

static void prove_case(proof *p) {
    cdg_random random = {77};
    box whole;
    place_spots(p, &whole);
    p->rule_count = 0;
    for (int i = 0; i < SAMPLES; i++) {
        double parameter[SPOTS];
        for (int k = 0; k < SPOTS; k++) parameter[k] = some_parameter(&random, whole.low[k], whole.high[k]);
        filling f = fill(p, parameter);
        if (f.count == 0) return; // nothing inside
        meet(p, &f, parameter);
        learn(p, order_of(p, parameter), &f);
        if (p->pair_count == 0 && i == 15) break; // one way to fill
    }
    static const int orders[PAIRS_MOST + 1] = {1, 2, 4, 6};
    if (p->rule_count != orders[p->pair_count]) p->out->open++; // an order was never met
    p->out->cases++;
    for (int i = 0; i < p->rule_count && p->out->open == 0; i++) prove_box(p, &p->rules[i], &whole, 0);
}

static void prove_ways(proof *p, int corner) {
    if (corner == 4) {
        if (is_possible(p->side, p->way)) prove_case(p);
        return;
    }
    for (p->way[corner] = 0; p->way[corner] < (p->side[corner] == 0 ? WAYS : 1); p->way[corner]++)
        prove_ways(p, corner + 1);
}

// ---- elements where cubes grow --------------------------------------------------------------------------------------

static void prove_whole(proof *p, const cdg_vec3 corners[4], int way) {
    box b = {{0}, {0}};
    const double none[SPOTS] = {0};
    p->pair_count = 0;
    for (int k = 0; k < SPOTS; k++) p->spots[k] = (spot){corners[k % 4], vec3(0, 0, 0)};
    for (int k = 0; k < 4; k++) p->side[k] = 1;
    if (way >= 0) { // the first corner is warped
        p->side[0] = 0;
        p->spots[0].way = edge_way(way);
        b.high[0] = p->near_long;
    }
    rule r = {.count = 1, .options = {fill(p, none)}};
    p->out->cases++;
    if (p->out->open == 0) prove_box(p, &r, &b, 0);
}

// Next to cubes of another size elements are halves of others. Only one kind of vertex can be warped there, the middle
// of a small cube that lies on one side with all of its corners, beside one that is cut: it moves along a long edge,
// and not towards the larger cube, which is below here. All cubes that touch another warped vertex are small.
static void prove_graded(proof *p) {
    static const cdg_vec3 halved[4] = {{1, 1, 1}, {3, 1, 1}, {2, 0, 0}, {2, 1, 0}}; // an edge has a point in its middle
    static const cdg_vec3 towards_smaller[4] = {{1, 1, 1}, {1, 1, 0}, {0, 0, 0}, {1, 0, 0}};
    static const cdg_vec3 towards_larger[4][4] = {{{1, 1, 1}, {0, 0, 0}, {2, 0, 0}, {2, 2, 0}},
                                                  {{1, 1, 1}, {0, 0, 0}, {2, 2, 0}, {0, 2, 0}},
                                                  {{1, 1, 1}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0}},
                                                  {{1, 1, 1}, {2, 0, 0}, {0, 2, 0}, {0, 0, 0}}};
    prove_whole(p, halved, -1);
    prove_whole(p, towards_smaller, -1);
    for (int i = 0; i < 4; i++)
        for (int way = 0; way < 5; way++) prove_whole(p, towards_larger[i], way);
}

stencil_proof stencil_prove(double near_long, double near_short, double least, double most) {
    static const double half_turn = 3.14159265358979323846;
    stencil_proof out = {.smallest = half_turn};
    proof p = {.out = &out,
               .near_long = near_long,
               .near_short = near_short,
               .cot_least = 1 / tan(least),
               .cot_most = 1 / tan(half_turn - most)};
    for (int sides = 0; sides < 81; sides++) {
        for (int k = 0, rest = sides; k < 4; k++, rest /= 3) p.side[k] = rest % 3 - 1;
        prove_ways(&p, 0);
    }
    prove_graded(&p);
    return out;
}
