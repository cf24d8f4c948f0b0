// Orientation of triangles. Floods over edges that two triangles share; a component that was given consistently keeps
// its orientation against the one that holds it; outermost closed ones, and those given in no order, are turned.
#include "meshing/orient.h"

#include "math/vec3.h"
#include "meshing/winding.h"

#include <stdlib.h>
#include <string.h>

// ---- edges ----------------------------------------------------------------------------------------------------------

typedef struct edge_entry {
    uint32_t larger, half_edge;
} edge_entry;

static int compare_edges(const void *a, const void *b) {
    const edge_entry *x = a, *y = b;
    if (x->larger != y->larger) return x->larger < y->larger ? -1 : 1;
    return (x->half_edge > y->half_edge) - (x->half_edge < y->half_edge);
}

static void edge_ends(const cdg_soup *soup, size_t half_edge, uint32_t *from, uint32_t *to) {
    const uint32_t *c = soup->triangles[half_edge / 3];
    *from = c[half_edge % 3];
    *to = c[(half_edge + 1) % 3];
}

static void match_edges(edge_entry *entries, size_t count, uint32_t *mate) {
    qsort(entries, count, sizeof *entries, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && entries[end].larger == entries[i].larger;) end++;
        for (size_t k = i; k < end; k++)
            mate[entries[k].half_edge] = end - i == 1   ? CDG_NO_MATE
                                         : end - i == 2 ? entries[i + (k == i)].half_edge
                                                        : CDG_MANY_MATES;
    }
}

static bool find_mates(cdg_soup *soup, cdg_budget *budget) {
    size_t half_edges = 3 * soup->triangle_count;
    uint32_t *start = cdg_budget_take_zero(budget, soup->point_count + 2, sizeof *start);
    edge_entry *entries = cdg_budget_take(budget, half_edges, sizeof *entries);
    bool has_memory = start != NULL && entries != NULL;
    uint32_t from, to;
    for (size_t h = 0; has_memory && h < half_edges; h++) {
        edge_ends(soup, h, &from, &to);
        start[(from < to ? from : to) + 2]++;
    }
    for (size_t p = 0; has_memory && p < soup->point_count; p++) start[p + 2] += start[p + 1];
    for (size_t h = 0; has_memory && h < half_edges; h++) {
        edge_ends(soup, h, &from, &to);
        entries[start[(from < to ? from : to) + 1]++] = (edge_entry){from < to ? to : from, (uint32_t)h};
    }
    for (size_t p = 0; has_memory && p < soup->point_count; p++)
        match_edges(entries + start[p], start[p + 1] - start[p], soup->mate);
    cdg_budget_give(budget, start);
    cdg_budget_give(budget, entries);
    return has_memory;
}

// ---- components -----------------------------------------------------------------------------------------------------

typedef struct component {
    uint32_t first, count; // in the order of the flood
    double area, turned_area;
    double volume; // signed, as oriented; of an open one: of its cones from its own middle
    cdg_vec3 low, high;
    bool is_orientable, is_closed, was_consistent;
    cdg_winding tree; // as the flood has its triangles; of those that were asked whether they hold another
    bool is_double;   // of the one that holds it
    bool is_wrong;    // to be turned against how the flood has it
    int sign;         // 1: adds to the winding number inside, -1: takes away, as seen from outside of all that hold it
    int frame;        // -1: what holds it is an open part that is inside out, and stays so for now
} component;

typedef struct flood {
    cdg_soup *soup;
    uint32_t *order; // triangles, component by component
    bool *is_reached;
    bool *is_turned; // against the first of its component
    component *components;
    size_t component_count, capacity;
} flood;

static bool runs_the_same_way(const cdg_soup *soup, size_t half_edge, size_t mate) {
    uint32_t a, b, c, d;
    edge_ends(soup, half_edge, &a, &b);
    edge_ends(soup, mate, &c, &d);
    return a == c;
}

static double triangle_area(const cdg_soup *soup, size_t t) {
    cdg_vec3 a = cdg_soup_corner(soup, t, 0);
    return 0.5 *
           vec3_norm(vec3_cross(vec3_sub(cdg_soup_corner(soup, t, 1), a), vec3_sub(cdg_soup_corner(soup, t, 2), a)));
}

static void reach_neighbours(flood *f, uint32_t t, component *part, uint32_t *end) {
    for (int k = 0; k < 3; k++) {
        uint32_t mate = f->soup->mate[3 * t + (size_t)k];
        if (mate >= CDG_MANY_MATES) {
            part->is_closed = false;
            continue;
        }
        uint32_t other = mate / 3;
        bool is_turned = f->is_turned[t] != runs_the_same_way(f->soup, 3 * t + (size_t)k, mate);
        if (!f->is_reached[other]) {
            f->is_reached[other] = true;
            f->is_turned[other] = is_turned;
            f->order[(*end)++] = other;
        } else if (f->is_turned[other] != is_turned) {
            part->is_orientable = false;
        }
    }
}

static void measure_part(const flood *f, component *part) {
    cdg_vec3 middle = vec3(0, 0, 0);
    for (uint32_t i = part->first; i < part->first + part->count; i++) {
        uint32_t t = f->order[i];
        double area = triangle_area(f->soup, t);
        part->area += area;
        if (f->is_turned[t]) part->turned_area += area;
        for (int k = 0; k < 3; k++) {
            cdg_vec3 p = cdg_soup_corner(f->soup, t, k);
            middle = vec3_mad(middle, area / 3, p);
            if (i == part->first && k == 0) part->low = part->high = p;
            part->low = vec3(fmin(part->low.x, p.x), fmin(part->low.y, p.y), fmin(part->low.z, p.z));
            part->high = vec3(fmax(part->high.x, p.x), fmax(part->high.y, p.y), fmax(part->high.z, p.z));
        }
    }
    middle = vec3_scale(1 / part->area, middle);
    for (uint32_t i = part->first; i < part->first + part->count; i++) {
        uint32_t t = f->order[i];
        cdg_vec3 p[3];
        for (int k = 0; k < 3; k++) p[k] = vec3_sub(cdg_soup_corner(f->soup, t, k), middle);
        part->volume += vec3_dot(p[0], vec3_cross(p[1], p[2])) / 6 * (f->is_turned[t] ? -1 : 1);
    }
    part->was_consistent = part->turned_area == 0; // the first of a component is never turned
}

static bool find_components(flood *f, cdg_budget *budget) {
    uint32_t end = 0;
    for (size_t seed = 0; seed < f->soup->triangle_count; seed++) {
        if (f->is_reached[seed]) continue;
        if (!cdg_budget_grow(budget, (void **)&f->components, f->component_count, &f->capacity, sizeof *f->components))
            return false;
        component part = {.first = end, .is_orientable = true, .is_closed = true};
        f->is_reached[seed] = true;
        f->order[end++] = (uint32_t)seed;
        for (uint32_t at = part.first; at < end; at++) reach_neighbours(f, f->order[at], &part, &end);
        part.count = end - part.first;
        measure_part(f, &part);
        f->components[f->component_count++] = part;
    }
    return true;
}

// ---- which way is out -----------------------------------------------------------------------------------------------

static bool holds_box(const component *outer, const component *inner) {
    return outer->low.x <= inner->low.x && outer->low.y <= inner->low.y && outer->low.z <= inner->low.z &&
           outer->high.x >= inner->high.x && outer->high.y >= inner->high.y && outer->high.z >= inner->high.z;
}

// A tree of one component's triangles, turned as the flood has them.
static bool plant(const flood *f, component *part, cdg_budget *budget) {
    if (part->tree.nodes != NULL) return true;
    cdg_soup own = {.points = f->soup->points,
                    .triangle_count = part->count,
                    .triangles = cdg_budget_take(budget, part->count, sizeof *own.triangles)};
    if (own.triangles == NULL) return false;
    for (uint32_t i = 0; i < part->count; i++) {
        uint32_t t = f->order[part->first + i];
        const uint32_t *c = f->soup->triangles[t];
        own.triangles[i][0] = c[0];
        own.triangles[i][1] = c[f->is_turned[t] ? 2 : 1];
        own.triangles[i][2] = c[f->is_turned[t] ? 1 : 2];
    }
    bool has_memory = cdg_winding_build(&own, budget, &part->tree);
    cdg_budget_give(budget, own.triangles);
    return has_memory;
}

// 1 or -1: the outer one's winding number at all of some points of the inner, evenly chosen; 0: it does not hold it. A
// part with holes holds what is deep inside.
static int held_by(const flood *f, const component *outer, const component *inner) {
    enum { SAMPLES = 32 }; // surfaces that nearly coincide pass through each other
    double least = outer->is_closed ? 0.5 : 0.75;
    int sign = 0;
    for (int s = 0; s < SAMPLES; s++) {
        uint32_t t = f->order[inner->first + (uint32_t)((uint64_t)inner->count * (uint64_t)s / SAMPLES)];
        double winding = cdg_winding_at(&outer->tree, cdg_soup_corner(f->soup, t, 0));
        int found = winding > least ? 1 : winding < -least ? -1 : 0;
        if (found == 0 || (s > 0 && found != sign)) return 0;
        sign = found;
    }
    return sign;
}

static int given_sign(const component *part) { return part->volume < 0 ? -1 : 1; }

// In no other. An open one that was given consistently stays: the survey of the whole tells more than its own cones.
static void decide_outermost(component *part) {
    bool stays = part->was_consistent && !part->is_closed;
    part->sign = 1;
    part->frame = stays ? given_sign(part) : 1;
    part->is_wrong = !stays && part->volume < 0;
}

// A cavity that leaves less than a thousandth of its holder is the same surface once more, with small differences.
static bool is_doubled(const component *part, const component *holder) {
    return part->is_closed && holder->is_closed && fabs(part->volume) > 0.999 * fabs(holder->volume);
}

// `flooded`: the sign of the holder's winding number as the flood has it; `count`: the winding number around the part.
static void decide_held(component *part, const component *holder, int flooded, int count) {
    int actual = holder->is_wrong ? -flooded : flooded, frame = actual * holder->sign;
    int kept = given_sign(part) * flooded * holder->sign; // as it was given, against its holder
    part->frame = frame;
    if (part->was_consistent && !part->is_closed) {
        part->sign = kept;
        part->is_wrong = holder->is_wrong;
        return;
    }
    part->sign = part->was_consistent ? kept : count > 0 ? -1 : 1;
    part->is_double = part->sign < 0 && is_doubled(part, holder);
    if (part->is_double || count + part->sign < 0) part->sign = 1;
    part->is_wrong = given_sign(part) * part->sign * frame < 0;
}

// What can hold another or be held; largest boxes first, so that a holder comes before what it holds.
static bool is_body(const component *part) { return part->count >= 4 && part->is_orientable; }

static int compare_parts(const void *a, const void *b) {
    const component *x = *(const component *const *)a, *y = *(const component *const *)b;
    double u = vec3_distance(x->low, x->high), v = vec3_distance(y->low, y->high);
    if (u != v) return u > v ? -1 : 1;
    u = fabs(x->volume), v = fabs(y->volume);
    if (u != v) return u > v ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static bool decide_one(const flood *f, component **sorted, size_t which, cdg_budget *budget) {
    component *part = sorted[which], *holder = NULL;
    int flooded = 0, count = 0;
    for (size_t i = 0; i < which; i++) {
        if (!holds_box(sorted[i], part)) continue;
        if (!plant(f, sorted[i], budget)) return false;
        int sign = held_by(f, sorted[i], part);
        if (sign == 0) continue;
        holder = sorted[i];
        flooded = sign;
        count += holder->sign;
    }
    if (holder == NULL) {
        decide_outermost(part);
    } else {
        decide_held(part, holder, flooded, count);
    }
    return true;
}

static bool decide_orientations(flood *f, cdg_budget *budget) {
    component **sorted = cdg_budget_take(budget, f->component_count, sizeof *sorted);
    bool has_memory = sorted != NULL;
    size_t count = 0;
    for (size_t i = 0; has_memory && i < f->component_count; i++) {
        decide_outermost(&f->components[i]);
        if (is_body(&f->components[i])) sorted[count++] = &f->components[i];
    }
    if (has_memory) qsort(sorted, count, sizeof *sorted, compare_parts);
    for (size_t i = 0; has_memory && i < count; i++) has_memory = decide_one(f, sorted, i, budget);
    for (size_t i = 0; i < f->component_count; i++) cdg_winding_free(&f->components[i].tree, budget);
    cdg_budget_give(budget, sorted);
    return has_memory;
}

static void turn_component(flood *f, size_t which) {
    const component *part = &f->components[which];
    if (!part->is_orientable) return;
    for (uint32_t i = part->first; i < part->first + part->count; i++) {
        uint32_t t = f->order[i];
        f->is_turned[t] = f->is_turned[t] != part->is_wrong;
    }
}

static void finish(flood *f) {
    cdg_soup *soup = f->soup;
    size_t open = 0;
    double undecided = 0;
    soup->is_closed = true;
    for (size_t h = 0; h < 3 * soup->triangle_count; h++) open += soup->mate[h] == CDG_NO_MATE;
    for (size_t i = 0; i < f->component_count; i++) {
        const component *part = &f->components[i];
        soup->is_closed = soup->is_closed && part->is_closed && part->is_orientable;
        soup->one_sided += !part->is_orientable;
        soup->doubled += part->is_double;
        if (!part->is_orientable || (!part->was_consistent && !part->is_closed)) undecided += part->area;
        for (uint32_t k = part->first; k < part->first + part->count && part->is_orientable; k++)
            if (f->is_turned[f->order[k]]) {
                cdg_orient_flip(soup, f->order[k]);
                soup->flipped++;
            }
    }
    soup->components = f->component_count;
    soup->open_share = (double)open / (3.0 * (double)soup->triangle_count);
    soup->undecided_share = undecided / soup->area;
}

bool cdg_orient(cdg_soup *soup, cdg_budget *budget) {
    flood f = {.soup = soup,
               .order = cdg_budget_take(budget, soup->triangle_count, sizeof *f.order),
               .is_reached = cdg_budget_take_zero(budget, soup->triangle_count, sizeof *f.is_reached),
               .is_turned = cdg_budget_take_zero(budget, soup->triangle_count, sizeof *f.is_turned)};
    bool has_memory = f.order != NULL && f.is_reached != NULL && f.is_turned != NULL && find_mates(soup, budget) &&
                      find_components(&f, budget) && decide_orientations(&f, budget);
    if (has_memory) {
        for (size_t i = 0; i < f.component_count; i++) turn_component(&f, i);
        finish(&f);
    }
    cdg_budget_give(budget, f.order);
    cdg_budget_give(budget, f.is_reached);
    cdg_budget_give(budget, f.is_turned);
    cdg_budget_give(budget, f.components);
    return has_memory;
}
