// How contacts on objects that are solved as a whole move each other, through their responses.
#include "contact/coupling.h"

#include "base/error.h"
#include "contact/contacts.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// A response is followed along the chain until it has fallen to this share of its largest value. The next round, which
// predicts the object anew, corrects for what is left out.
static const double cutoff = 1e-4;
static const double sparse_cutoff = 1e-3; // solvers that use it look at what is left
// Points: a range of fewer would be answered by sums in another order (outward_template.h), and so would the loads at
// its end if it ended with them.
enum { LEAST_TOUCHED = 4, BEYOND = 2 };
static const double at_once = 2; // a cutoff that ends a response where it begins

// ---- memory ---------------------------------------------------------------------------------------------------------

static void free_objects(cdg_coupling *c) {
    for (size_t i = 0; i < c->object_count; i++) free(c->objects[i].response);
    free(c->objects);
    free(c->field);
    free(c->active);
    c->objects = NULL, c->field = NULL, c->active = NULL;
    c->object_count = c->active_count = 0;
}

// Those that are solved together, in a chain from their lead.
static void link_members(cdg_coupling *c, const cdg_pieces *p) {
    for (size_t i = 0; i < p->object_count; i++) c->objects[i].next = UINT32_MAX, c->objects[i].is_alone = true;
    for (size_t i = p->object_count; i-- > 0;) {
        uint32_t lead = p->objects[i].lead;
        if (!p->objects[i].is_implicit || lead == i) continue;
        c->objects[i].next = c->objects[lead].next;
        c->objects[lead].next = (uint32_t)i;
        c->objects[lead].is_alone = false;
    }
}

cdg_result cdg_coupling_build(cdg_coupling *c, const cdg_pieces *p, cdg_error *error) {
    free_objects(c);
    c->has_implicit = false;
    c->objects = calloc(p->object_count + 1, sizeof *c->objects);
    if (c->objects == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact");
    c->object_count = p->object_count;
    size_t most = 0;
    for (size_t i = 0; i < p->object_count; i++) {
        const cdg_proxy *proxy = &p->objects[i];
        if (!proxy->is_implicit) continue;
        c->has_implicit = true;
        cdg_coupled *coupled = &c->objects[proxy->lead];
        size_t largest = proxy->first_in_whole + proxy_point_capacity(proxy);
        size_t end = proxy->lead == i && proxy->first_in_whole == 0 ? proxy->point_count : largest;
        if (end > coupled->size) coupled->size = end;
        if (largest > most) most = largest;
        if (proxy->lead != i) continue;
        coupled->response = aligned_alloc(64, (proxy->response_size + 63) / 64 * 64);
        if (coupled->response == NULL)
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact of rod '%s'", proxy->name);
    }
    link_members(c, p);
    c->field_count = most + 1;
    c->field = calloc(8 * c->field_count, sizeof *c->field);
    c->active = calloc(p->object_count + 1, sizeof *c->active);
    if (c->field == NULL || c->active == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for contact");
    return CDG_OK;
}

void cdg_coupling_free(cdg_coupling *c) {
    free_objects(c);
    *c = (cdg_coupling){0};
}

// ---- responses ------------------------------------------------------------------------------------------------------

typedef struct response_field {
    double *force[3], *torque, *move[3], *turn;
} response_field;

static response_field field_of(const cdg_coupling *c) {
    response_field f;
    for (size_t k = 0; k < 3; k++) {
        f.force[k] = c->field + k * c->field_count;
        f.move[k] = c->field + (4 + k) * c->field_count;
    }
    f.torque = c->field + 3 * c->field_count;
    f.turn = c->field + 7 * c->field_count;
    return f;
}

static size_t wrapped(size_t i, size_t count) { return i < count ? i : i % count; }

// What a field of moves does to the three points of a surface.
static void felt_by_surface(const cdg_contact_row *row, int side, const response_field *f, size_t first,
                            double out[3]) {
    out[0] = out[1] = out[2] = 0;
    for (int n = 3 * side; n < 3 * side + 3; n++)
        for (int m = 0; m < 3 && row->point[n] != CDG_STILL_POINT; m++)
            for (int k = 0; k < 3; k++) out[k] += row->jacobian[3 * n + m][k] * f->move[m][first + row->local[n]];
}

// What a field of moves and turns does to side `side` of a row, a segment whose ends are points i and j.
static void felt(const cdg_contact_row *row, int side, const response_field *f, size_t i, size_t j, size_t element,
                 double out[3]) {
    int points = (int)row->point_count / 2;
    const double(*a)[3] = &row->jacobian[3 * points * side], (*b)[3] = a + 3;
    const double *t = row->jacobian[6 * points + side];
    for (int k = 0; k < 3; k++)
        out[k] = a[0][k] * f->move[0][i] + a[1][k] * f->move[1][i] + a[2][k] * f->move[2][i] + b[0][k] * f->move[0][j] +
                 b[1][k] * f->move[1][j] + b[2][k] * f->move[2][j] + t[k] * f->turn[element];
}

// The object's response with what its holds yield.
static cdg_chain_range respond(const cdg_coupled *coupled, const cdg_proxy *proxy, cdg_chain_range loaded,
                               const response_field *f, double share) {
    const cdg_yield *yield = coupled->yield;
    cdg_chain_range range = proxy->operations->respond(proxy->whole, coupled->response, loaded, f->force, f->torque,
                                                       yield != NULL ? 0 : share, f->move, f->turn);
    if (yield == NULL) return range;
    size_t nodes = proxy->point_count, elements = proxy->segment_count, ways = yield->way_count;
    double *pushed = yield->along, *gone = yield->along + ways;
    for (size_t w = 0; w < ways; w++) {
        const double *way = yield->way + w * (3 * nodes + elements), *turn = way + 3 * nodes;
        pushed[w] = 0;
        for (size_t n = loaded.first; n < loaded.end; n++) {
            size_t i = wrapped(n, nodes);
            for (size_t k = 0; k < 3; k++) pushed[w] += f->force[k][i] * way[k * nodes + i];
            if (n + 1 < loaded.end) pushed[w] += f->torque[wrapped(n, elements)] * turn[wrapped(n, elements)];
        }
    }
    for (size_t v = 0; v < ways; v++) {
        gone[v] = 0;
        for (size_t w = 0; w < ways; w++) gone[v] += yield->give[v * ways + w] * pushed[w];
    }
    for (size_t w = 0; w < ways; w++) {
        const double *way = yield->way + w * (3 * nodes + elements), *turn = way + 3 * nodes;
        for (size_t k = 0; k < 3; k++)
            for (size_t i = 0; i < nodes; i++) f->move[k][i] += gone[w] * way[k * nodes + i];
        for (size_t j = 0; j < elements; j++) f->turn[j] += gone[w] * turn[j];
    }
    return range;
}

// ---- all objects at once --------------------------------------------------------------------------------------------

// Whether what a side of a row acts on is solved as a whole.
static bool is_coupled(const cdg_pieces *p, const cdg_contact_row *row, int side) {
    return row->object[side] != UINT32_MAX && p->objects[row->object[side]].is_implicit;
}

static cdg_chain_range all_of(const cdg_proxy *proxy) {
    return (cdg_chain_range){0, proxy->is_closed ? proxy->point_count + 1 : proxy->point_count};
}

// All points and segments: of a surface there are more of these than points.
static cdg_chain_range whole_of(const cdg_proxy *proxy) {
    return (cdg_chain_range){
        0, (proxy->point_count > proxy->segment_count ? proxy->point_count : proxy->segment_count) + 1};
}

// Whether loads elsewhere count for nothing in a part of it.
static bool is_open_chain(const cdg_pieces *p, const cdg_proxy *proxy, const cdg_coupled *coupled) {
    return coupled->is_alone && coupled->yield == NULL && !proxy->is_closed && !proxy_is_surface(proxy) &&
           p->member_count == 0;
}

bool cdg_coupling_carries(const cdg_coupling *c, const cdg_pieces *p, size_t object) {
    const cdg_proxy *proxy = &p->objects[object];
    return proxy->operations->outward != NULL && is_open_chain(p, proxy, coupling_of(c, p, object));
}

void cdg_coupling_touch(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *rows,
                        const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < c->active_count; i++) c->objects[c->active[i]].touched = (cdg_chain_range){SIZE_MAX, 0};
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact_row *row = &rows[numbers != NULL ? numbers[i] : i];
            if (!is_coupled(p, row, k) || proxy_is_surface(&p->objects[row->object[k]])) continue;
            cdg_chain_range *range = &c->objects[row->object[k]].touched;
            size_t first = pieces_local(p, row->element[k]);
            if (first < range->first) range->first = first;
            if (first + 2 > range->end) range->end = first + 2;
        }
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_proxy *proxy = &p->objects[c->active[i]];
        cdg_coupled *it = &c->objects[c->active[i]];
        if (it->touched.end == 0 && is_open_chain(p, proxy, it)) {
            it->touched = (cdg_chain_range){0, 0};
            continue;
        }
        it->touched.end += BEYOND;
        if (it->touched.end > proxy->point_count) it->touched.end = proxy->point_count;
        if (!is_open_chain(p, proxy, it) || it->touched.end < it->touched.first + LEAST_TOUCHED)
            it->touched = all_of(proxy);
    }
}

void cdg_coupling_lighten(const cdg_coupling *c, const cdg_pieces *p) {
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_proxy *proxy = &p->objects[c->active[i]];
        cdg_coupled *it = &c->objects[c->active[i]];
        it->is_light = is_open_chain(p, proxy, it) && it->touched.end >= it->touched.first + LEAST_TOUCHED &&
                       proxy->operations->lighten != NULL &&
                       proxy->operations->lighten(proxy->whole, it->response, it->touched);
    }
}

void cdg_coupling_start(cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *rows, size_t row_count) {
    c->active_count = 0;
    if (!c->has_implicit) return;
    for (size_t i = 0; i < p->object_count; i++) c->objects[i].is_listed = false;
    for (size_t i = 0; i < row_count; i++)
        for (int k = 0; k < 2; k++)
            if (!rows[i].is_settled && is_coupled(p, &rows[i], k))
                coupling_of(c, p, rows[i].object[k])->is_listed = true;
    for (uint32_t i = 0; i < p->object_count; i++)
        if (c->objects[i].has_response && c->objects[i].is_listed) c->active[c->active_count++] = i;
    for (size_t i = 0; i < c->active_count; i++) c->objects[c->active[i]].is_light = false;
    cdg_coupling_touch(c, p, rows, NULL, row_count);
}

// Loads of an object within a range of its points, and whether there are any. Of copies of a point the first has them.
static bool read_loads(const cdg_pieces *p, size_t index, cdg_chain_range range, const cdg_vec3 *before,
                       const double *torque_before, const response_field *f) {
    const cdg_proxy *proxy = &p->objects[index];
    const uint32_t *point = p->point_of + p->first_node[index];
    const bool *is_first = p->is_first + p->first_node[index];
    uint32_t first = p->first_element[index];
    size_t from = proxy->first_in_whole;
    bool has_any = false;
    for (size_t i = range.first; i < range.end && i < proxy->point_count; i++) {
        cdg_vec3 now = p->force[point[i]];
        if (before != NULL) now = vec3_sub(now, before[point[i]]);
        if (!is_first[i]) now = vec3(0, 0, 0);
        f->force[0][from + i] = now.x, f->force[1][from + i] = now.y, f->force[2][from + i] = now.z;
        has_any = has_any || now.x != 0 || now.y != 0 || now.z != 0;
    }
    for (size_t j = range.first; j + 1 < range.end && j < proxy->segment_count; j++) {
        f->torque[from + j] = p->torque[first + j] - (torque_before != NULL ? torque_before[first + j] : 0);
        has_any = has_any || f->torque[from + j] != 0;
    }
    return has_any;
}

static void write_moves(cdg_pieces *p, size_t index, cdg_chain_range range, const response_field *f, bool has_any) {
    const cdg_proxy *proxy = &p->objects[index];
    const uint32_t *point = p->point_of + p->first_node[index];
    uint32_t first = p->first_element[index];
    size_t from = proxy->first_in_whole;
    for (size_t i = range.first; i < range.end && i < proxy->point_count; i++)
        p->move[point[i]] =
            has_any ? vec3(f->move[0][from + i], f->move[1][from + i], f->move[2][from + i]) : vec3(0, 0, 0);
    for (size_t j = range.first; j + 1 < range.end && j < proxy->segment_count; j++)
        p->more_turn[first + j] = has_any ? f->turn[from + j] : 0;
}

void cdg_coupling_respond_listed(const cdg_coupling *c, cdg_pieces *p, const uint32_t *leads, size_t count,
                                 const cdg_vec3 *before, const double *torque_before) {
    response_field f = field_of(c);
    for (size_t i = 0; i < count; i++) {
        uint32_t index = leads[i];
        const cdg_proxy *proxy = &p->objects[index];
        const cdg_coupled *coupled = &c->objects[index];
        bool has_any = false;
        for (uint32_t m = index; m != UINT32_MAX; m = c->objects[m].next)
            has_any = read_loads(p, m, whole_of(&p->objects[m]), before, torque_before, &f) || has_any;
        if (has_any) respond(coupled, proxy, all_of(proxy), &f, 0);
        for (uint32_t m = index; m != UINT32_MAX; m = c->objects[m].next)
            write_moves(p, m, whole_of(&p->objects[m]), &f, has_any);
    }
}

void cdg_coupling_respond(const cdg_coupling *c, cdg_pieces *p, const cdg_vec3 *before, const double *torque_before) {
    cdg_coupling_respond_listed(c, p, c->active, c->active_count, before, torque_before);
}

void cdg_coupling_respond_touched(const cdg_coupling *c, cdg_pieces *p) {
    response_field f = field_of(c);
    for (size_t i = 0; i < c->active_count; i++) {
        uint32_t index = c->active[i];
        const cdg_proxy *proxy = &p->objects[index];
        const cdg_coupled *coupled = &c->objects[index];
        cdg_chain_range all = all_of(proxy), touched = coupled->touched;
        bool has_any = false, is_part = touched.first > all.first || touched.end < all.end;
        for (uint32_t m = index; m != UINT32_MAX; m = c->objects[m].next)
            has_any = read_loads(p, m, is_part ? touched : whole_of(&p->objects[m]), NULL, NULL, &f) || has_any;
        if (has_any && coupled->is_light)
            proxy->operations->respond_lightly(proxy->whole, coupled->response, touched, f.force, f.torque, f.move,
                                               f.turn);
        else if (has_any)
            respond(coupled, proxy, touched, &f, is_part ? at_once : 0);
        for (uint32_t m = index; m != UINT32_MAX; m = c->objects[m].next)
            write_moves(p, m, is_part ? touched : whole_of(&p->objects[m]), &f, has_any);
    }
}

// ---- single rows ----------------------------------------------------------------------------------------------------

// Where a segment and its ends are in what it is solved with.
typedef struct solved_segment {
    size_t from, to, segment;
} solved_segment;

static solved_segment segment_in_whole(const cdg_pieces *p, uint32_t element) {
    const cdg_proxy *proxy = &p->objects[p->object_of[element]];
    size_t j = pieces_local(p, element), first = proxy->first_in_whole;
    return (solved_segment){first + j, first + proxy_next_point(proxy, j), first + j};
}

// Of what is solved together all is read.
static void clear_loads(const cdg_coupled *whole, const response_field *f) {
    for (int k = 0; k < 3; k++) memset(f->force[k], 0, whole->size * sizeof(double));
    memset(f->torque, 0, whole->size * sizeof(double));
}

// The response to one axis of one side.
static cdg_chain_range respond_side(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *row, int side,
                                    int axis, double share, const response_field *f) {
    const cdg_proxy *proxy = &p->objects[row->object[side]];
    const cdg_coupled *coupled = &c->objects[proxy->lead];
    bool is_surface = proxy_is_surface(proxy);
    if (!coupled->is_alone || is_surface) clear_loads(coupled, f);
    int points = (int)row->point_count / 2;
    const double(*j)[3] = &row->jacobian[3 * points * side];
    if (is_surface) {
        for (int n = 0; n < 3; n++)
            for (int k = 0; k < 3 && row->point[3 * side + n] != CDG_STILL_POINT; k++)
                f->force[k][proxy->first_in_whole + row->local[3 * side + n]] = j[3 * n + k][axis];
        return respond(coupled, proxy, (cdg_chain_range){0, coupled->size}, f, 0);
    }
    solved_segment at = segment_in_whole(p, row->element[side]);
    for (int k = 0; k < 3; k++) {
        f->force[k][at.from] = j[k][axis];
        f->force[k][at.to] = j[3 + k][axis];
    }
    f->torque[at.segment] = row->jacobian[6 * points + side][axis];
    return respond(coupled, proxy, (cdg_chain_range){at.from, at.from + 2}, f, share);
}

static bool has_response(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *row, int side) {
    return is_coupled(p, row, side) && coupling_of(c, p, row->object[side])->has_response;
}

// What a field does to a side of a row on the object that it is of.
static void felt_by_side(const cdg_pieces *p, const cdg_contact_row *row, int side, const response_field *f,
                         double out[3]) {
    const cdg_proxy *proxy = &p->objects[row->object[side]];
    if (proxy_is_surface(proxy)) {
        felt_by_surface(row, side, f, proxy->first_in_whole, out);
        return;
    }
    solved_segment at = segment_in_whole(p, row->element[side]);
    felt(row, side, f, at.from, at.to, at.segment, out);
}

// A surface that says itself how far its points give way.
static void add_compliance(const double *compliance, int side, cdg_contact_row *row) {
    static const int first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {0, 1, 2, 1, 2, 2};
    for (int n = 3 * side; n < 3 * side + 3; n++) {
        if (row->point[n] == CDG_STILL_POINT) continue;
        for (int k = 0; k < 3; k++) {
            const double *j = row->jacobian[3 * n + k];
            for (int a = 0; a < 6; a++) row->answer[a] += compliance[row->local[n]] * j[first[a]] * j[second[a]];
        }
    }
}

void cdg_coupling_add_own(const cdg_coupling *c, const cdg_pieces *p, cdg_contact_row *row) {
    response_field f = field_of(c);
    for (int side = 0; side < 2; side++) {
        if (!has_response(c, p, row, side)) continue;
        const cdg_proxy *proxy = &p->objects[row->object[side]];
        if (proxy_is_surface(proxy) && proxy->compliance != NULL) {
            add_compliance(proxy->compliance, side, row);
            continue;
        }
        double by[3][3], share = proxy->is_closed ? cutoff : at_once; // round a ring the answer comes back
        for (int axis = 0; axis < (row->friction > 0 ? 3 : 1); axis++) {
            respond_side(c, p, row, side, axis, share, &f);
            felt_by_side(p, row, side, &f, by[axis]);
        }
        row->answer[0] += by[0][0];
        if (!(row->friction > 0)) { // no force acts across: a guess will do
            row->answer[3] += by[0][0];
            row->answer[5] += by[0][0];
            continue;
        }
        row->answer[1] += 0.5 * (by[0][1] + by[1][0]);
        row->answer[2] += 0.5 * (by[0][2] + by[2][0]);
        row->answer[3] += by[1][1];
        row->answer[4] += 0.5 * (by[1][2] + by[2][1]);
        row->answer[5] += by[2][2];
    }
}

static bool is_within(cdg_chain_range range, size_t element, const cdg_proxy *proxy) {
    if (element >= range.first && element + 1 < range.end) return true;
    element += proxy->segment_count;
    return proxy->is_closed && element >= range.first && element + 1 < range.end;
}

size_t cdg_coupling_list_sides(const cdg_pieces *p, const cdg_contact_row *rows, const uint32_t *numbers, size_t count,
                               cdg_listed_side *out) {
    size_t listed = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact_row *row = &rows[numbers[i]];
            if (!is_coupled(p, row, k)) continue;
            const cdg_proxy *proxy = &p->objects[row->object[k]];
            cdg_listed_side side = {.row = row, .number = i, .side = k, .lead = proxy->lead};
            side.is_surface = proxy_is_surface(proxy);
            side.first = proxy->first_in_whole;
            if (!side.is_surface) {
                solved_segment at = segment_in_whole(p, row->element[k]);
                side.from = at.from, side.to = at.to, side.segment = at.segment;
            }
            out[listed++] = side;
        }
    return listed;
}

void cdg_coupling_add_column(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *from, int axis,
                             const cdg_listed_side *sides, size_t count, double *column) {
    response_field f = field_of(c);
    for (int side = 0; side < 2; side++) {
        if (!has_response(c, p, from, side)) continue;
        const cdg_proxy *proxy = &p->objects[from->object[side]];
        bool is_chain = c->objects[proxy->lead].is_alone && !proxy_is_surface(proxy);
        cdg_chain_range range = respond_side(c, p, from, side, axis, cutoff, &f);
        for (const cdg_listed_side *to = sides; to < sides + count; to++) {
            if (to->lead != proxy->lead || (is_chain && !is_within(range, to->segment, proxy))) continue;
            double change[3];
            if (to->is_surface)
                felt_by_surface(to->row, to->side, &f, to->first, change);
            else
                felt(to->row, to->side, &f, to->from, to->to, to->segment, change);
            for (size_t k = 0; k < 3; k++) column[3 * to->number + k] += change[k];
        }
    }
}

void cdg_coupling_push_side(const cdg_coupling *c, const cdg_pieces *p, const cdg_listed_side *side, int axis) {
    response_field f = field_of(c);
    respond_side(c, p, side->row, side->side, axis, 0, &f);
}

void cdg_coupling_feel_side(const cdg_coupling *c, const cdg_listed_side *side, double *out) {
    response_field f = field_of(c);
    felt_by_surface(side->row, side->side, &f, side->first, out);
}

// ---- normals --------------------------------------------------------------------------------------------------------

bool cdg_coupling_is_local(const cdg_coupling *c, const cdg_pieces *p) {
    for (size_t i = 0; i < c->active_count; i++) {
        const cdg_coupled *coupled = &c->objects[c->active[i]];
        if (!coupled->is_alone || coupled->yield != NULL || proxy_is_surface(&p->objects[c->active[i]])) return false;
    }
    return true;
}

// What a field of moves and turns does to the gap of a row of chains.
static double felt_normal(const cdg_normal_row *row, int side, const response_field *f, size_t i, size_t j,
                          size_t segment) {
    const double *a = &row->column[6 * side], *b = a + 3;
    return a[0] * f->move[0][i] + a[1] * f->move[1][i] + a[2] * f->move[2][i] + b[0] * f->move[0][j] +
           b[1] * f->move[1][j] + b[2] * f->move[2][j] + row->column[12 + side] * f->turn[segment];
}

size_t cdg_coupling_normal_column(const cdg_coupling *c, const cdg_pieces *p, const cdg_normal_index *index,
                                  uint32_t from, uint32_t *stamp, uint32_t *numbers, double *sums) {
    response_field f = field_of(c);
    const cdg_contact_row *row = &index->rows[index->normals[from].row];
    size_t count = 0;
    for (int side = 0; side < 2; side++) {
        if (!has_response(c, p, row, side)) continue;
        uint32_t object = row->object[side], first_element = p->first_element[object];
        const cdg_proxy *proxy = &p->objects[object];
        cdg_chain_range range = respond_side(c, p, row, side, 0, sparse_cutoff, &f);
        for (size_t n = range.first; n + 1 < range.end; n++) {
            size_t j = wrapped(n, proxy->segment_count), next = proxy_next_point(proxy, j);
            for (uint32_t k = index->first[first_element + j]; k < index->first[first_element + j + 1]; k++) {
                uint32_t number = index->sides[k] / 2;
                double felt = felt_normal(&index->normals[number], (int)(index->sides[k] % 2), &f, j, next, j);
                if (stamp[number] != from + 1) {
                    stamp[number] = from + 1;
                    numbers[count++] = number;
                    sums[number] = 0;
                }
                sums[number] += felt;
            }
        }
    }
    return count;
}
