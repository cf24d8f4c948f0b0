// Stiffness of the pairs of segments at a joint (net_pairs.h).
#include "rods/net_pairs.h"

#include "base/error.h"
#include "math/dense_inverse.h"
#include "math/eigen3.h"
#include "math/mat3.h"

#include <stdlib.h>

// What is rigid about one axis and not about others is this many times as stiff as the stiffest arm, and nothing is
// stiffer: it could not be told apart, and would drown what is soft in rounding errors.
static const double rigid_factor = 1e6;
// A pair of neighbours in a rod that lacks less than this share of its cell lacks nothing.
static const double least_share = 1e-9;

// Where more than two segments meet, arms twist at least this share as stiffly as they bend. The less stiffly a rod
// twists, the larger is the skew part that pairs leave out; but a frame that its rod hardly holds about the tangent
// follows the joint with next to no torque, however stiff the arm: it matters to nobody that the arm is stiffer.
static const double least_twist = 0.3;

typedef struct segment {
    uint32_t rod;
    size_t element, node;
    cdg_quat frame; // at rest
    size_t member;  // in the joint, counted from 0
    bool is_after;  // its node
    mat3 arm;       // N m, axes of the star
    cdg_quat section;
    double twist; // root of how much of the arm's twisting stiffness its rod has
} segment;

// A joint's segments and sections. Sections are those of its members and, behind these, one for each joint that was
// asked for there; those that are rigid against each other have one number, `section`.
typedef struct star {
    const cdg_net *net;
    const cdg_net_joint *joint;
    const cdg_net_request *request;
    cdg_quat
        axes; // all matrices are in these: of the first joint that has some, so that soft and rigid ones do not mix
    size_t segment_count, asked_count, section_count;
    bool is_many; // more than two segments
    segment *segments;
    mat3 *mean_arm;                  // of each member
    const cdg_net_joint_def **asked; // those asked for
    size_t *section;                 // of members, then of `asked`
    double *inverse;                 // A^-1, 3 section_count squared, lower part
} star;

// ---- segments -------------------------------------------------------------------------------------------------------

static cdg_quat section_frame(const cdg_net *net, const cdg_net_member *m) {
    const cdg_rod *rod = net->rods[m->rod];
    if (rod_left_element(rod, m->node) == SIZE_MAX) return m->right;
    if (rod_right_element(rod, m->node) == SIZE_MAX) return m->left;
    cdg_quat turn = quat_relative(m->left, m->right);
    return quat_multiply(m->left, quat_power(turn.w < 0 ? quat_negate(turn) : turn, 0.5));
}

static mat3 about(const star *s, cdg_quat frame, const double k[3]) { // R diag(k) R^T
    mat3 r = mat3_from_quat(quat_relative(s->axes, frame));
    return mat3_multiply(r, mat3_multiply(mat3_diagonal(k[0], k[1], k[2]), mat3_transpose(r)));
}

static void add_segment(star *s, size_t member, bool is_after) {
    const cdg_net_member *m = &s->net->members[s->joint->first + member];
    const cdg_rod *rod = s->net->rods[m->rod];
    size_t element = is_after ? rod_right_element(rod, m->node) : rod_left_element(rod, m->node);
    size_t at = m->node * rod->section_stride;
    double k[3];
    for (int i = 0; i < 3; i++) k[i] = 2 * rod->bend_stiffness[i][at] / rod->rest_length[element];
    double least = s->is_many ? least_twist * fmin(k[0], k[1]) : 0;
    double twist = fmax(k[2], least), share = twist > 0 ? sqrt(k[2] / twist) : 1;
    k[2] = twist;
    cdg_quat section = section_frame(s->net, m);
    s->segments[s->segment_count++] = (segment){.rod = m->rod,
                                                .element = element,
                                                .node = m->node,
                                                .frame = is_after ? m->right : m->left,
                                                .member = member,
                                                .is_after = is_after,
                                                .arm = about(s, section, k),
                                                .section = section,
                                                .twist = share};
}

static void list_segments(star *s) {
    size_t total = 0;
    for (size_t i = 0; i < s->joint->count; i++) {
        const cdg_net_member *m = &s->net->members[s->joint->first + i];
        const cdg_rod *rod = s->net->rods[m->rod];
        total += (rod_left_element(rod, m->node) != SIZE_MAX) + (rod_right_element(rod, m->node) != SIZE_MAX);
    }
    s->is_many = total > 2;
    for (size_t i = 0; i < s->joint->count; i++) {
        const cdg_net_member *m = &s->net->members[s->joint->first + i];
        const cdg_rod *rod = s->net->rods[m->rod];
        size_t left = rod_left_element(rod, m->node), right = rod_right_element(rod, m->node);
        size_t from = s->segment_count;
        if (left != SIZE_MAX) add_segment(s, i, false);
        if (right != SIZE_MAX && right != left) add_segment(s, i, true);
        mat3 sum = mat3_diagonal(0, 0, 0);
        for (size_t k = from; k < s->segment_count; k++) sum = mat3_add(sum, s->segments[k].arm);
        s->mean_arm[i] = mat3_scale(1 / (double)(s->segment_count - from), sum);
    }
}

// ---- sections -------------------------------------------------------------------------------------------------------

static const cdg_net_asked *items_of(const star *s, size_t member, size_t *count) {
    const size_t *first = s->request->first + s->joint->first + member;
    *count = first[1] - first[0];
    return s->request->items + first[0];
}

static size_t asked_number(const star *s, const cdg_net_joint_def *def) {
    size_t k = 0;
    while (k < s->asked_count && s->asked[k] != def) k++;
    return k;
}

static bool is_rigid(const cdg_net_joint_def *def) {
    return def->has_axes ? isinf(def->axes[0]) && isinf(def->axes[1]) && isinf(def->axes[2]) : def->stiffness >= 1;
}

static bool says_the_same(const cdg_net_joint_def *a, const cdg_net_joint_def *b) {
    if (a->count != b->count || a->has_axes != b->has_axes || a->stiffness != b->stiffness) return false;
    for (int k = 0; k < 3 && a->has_axes; k++)
        if (a->axes[k] != b->axes[k]) return false;
    for (size_t i = 0; i < a->count; i++) {
        size_t k = 0;
        while (k < b->count && (a->members[i].rod != b->members[k].rod || a->members[i].node != b->members[k].node))
            k++;
        if (k == b->count) return false;
    }
    return true;
}

// A joint that says what another says has no effect of its own.
static void list_asked(star *s) {
    for (size_t i = 0; i < s->joint->count; i++) {
        size_t count;
        const cdg_net_asked *items = items_of(s, i, &count);
        for (size_t k = 0; k < count; k++) {
            bool is_known = false;
            for (size_t a = 0; a < s->asked_count && !is_known; a++)
                is_known = s->asked[a] == items[k].def || says_the_same(s->asked[a], items[k].def);
            if (!is_known) s->asked[s->asked_count++] = items[k].def;
        }
    }
}

static const cdg_net_joint_def *first_with_axes(const star *s) { // NULL: none
    for (size_t k = 0; k < s->asked_count; k++)
        if (s->asked[k]->has_axes) return s->asked[k];
    return NULL;
}

static void choose_axes(star *s) {
    const cdg_net_joint_def *def = first_with_axes(s);
    s->axes = def != NULL ? section_frame(s->net, &def->members[0]) : quat(1, 0, 0, 0);
}

static size_t root_of(size_t *parent, size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}

static void number_sections(star *s) {
    size_t members = s->joint->count, total = members + s->asked_count;
    for (size_t i = 0; i < total; i++) s->section[i] = i;
    for (size_t i = 0; i < members; i++) {
        size_t count;
        const cdg_net_asked *items = items_of(s, i, &count);
        for (size_t k = 0; k < count; k++) {
            size_t asked = asked_number(s, items[k].def);
            if (asked == s->asked_count || !is_rigid(items[k].def)) continue;
            size_t a = root_of(s->section, i), b = root_of(s->section, members + asked);
            s->section[a > b ? a : b] = a > b ? b : a; // the lowest is the root
        }
    }
    for (size_t i = 0; i < total; i++) s->section[i] = root_of(s->section, i);
    for (size_t i = 0; i < total; i++) // roots come first
        s->section[i] = s->section[i] == i ? s->section_count++ : s->section[s->section[i]];
}

// ---- elimination ----------------------------------------------------------------------------------------------------

static void add_to(const star *s, double *matrix, size_t row, size_t column, mat3 k, double sign) {
    size_t size = 3 * s->section_count;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) matrix[(3 * row + i) * size + 3 * column + j] += sign * k.m[i][j];
}

// What a joint that is not rigid puts between a member's section and its own. A factor f makes each arm f times as
// stiff as it is; stiffness about axes is halved between every two members, so that each gets twice as much.
static mat3 link_of(const star *s, const cdg_net_joint_def *def, size_t member, double stiffest) {
    if (!def->has_axes) return mat3_scale(def->stiffness / (1 - def->stiffness), s->mean_arm[member]);
    double k[3];
    for (int i = 0; i < 3; i++) k[i] = fmin(2 * def->axes[i], rigid_factor * stiffest);
    if (def == first_with_axes(s)) return mat3_diagonal(k[0], k[1], k[2]);
    return about(s, section_frame(s->net, &def->members[0]), k);
}

static void add_links(const star *s, double *matrix, double stiffest) {
    for (size_t i = 0; i < s->joint->count; i++) {
        size_t count;
        const cdg_net_asked *items = items_of(s, i, &count);
        for (size_t k = 0; k < count; k++) {
            size_t asked = asked_number(s, items[k].def);
            if (asked == s->asked_count || is_rigid(items[k].def)) continue;
            mat3 link = link_of(s, items[k].def, i, stiffest);
            size_t a = s->section[i], b = s->section[s->joint->count + asked];
            if (a == b) continue;
            add_to(s, matrix, a, a, link, 1);
            add_to(s, matrix, b, b, link, 1);
            add_to(s, matrix, a, b, link, -1);
            add_to(s, matrix, b, a, link, -1);
        }
    }
}

static double trace_of(mat3 a) { return a.m[0][0] + a.m[1][1] + a.m[2][2]; }

static double stiffest_arm(const star *s) {
    double stiffest = 0;
    for (size_t i = 0; i < s->segment_count; i++) stiffest = fmax(stiffest, trace_of(s->segments[i].arm));
    return stiffest;
}

// Where something turns freely (no stiffness, a joint that holds nothing) a millionth of a millionth holds it.
static bool eliminate(const star *s, double stiffest) {
    size_t size = 3 * s->section_count;
    for (double slack = 0; slack < 1e-9; slack = slack == 0 ? 1e-12 : 1e3 * slack) {
        for (size_t i = 0; i < size * size; i++) s->inverse[i] = 0;
        for (size_t i = 0; i < s->segment_count; i++) {
            size_t at = s->section[s->segments[i].member];
            add_to(s, s->inverse, at, at, s->segments[i].arm, 1);
        }
        add_links(s, s->inverse, stiffest);
        for (size_t i = 0; i < size; i++) {
            double *on = &s->inverse[i * size + i];
            *on += *on > 0 ? slack * stiffest : stiffest; // nothing at all: the section of a joint that holds nothing
        }
        if (dense_invert(s->inverse, size)) return true;
    }
    return false;
}

static mat3 inverse_block(const star *s, size_t row, size_t column) {
    size_t size = 3 * s->section_count;
    mat3 out;
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j < 3; j++) {
            size_t r = 3 * row + i, c = 3 * column + j;
            out.m[i][j] = s->inverse[r >= c ? r * size + c : c * size + r];
        }
    return out;
}

// K_ij, its symmetric part.
static mat3 between(const star *s, const segment *a, const segment *b) {
    mat3 inner = inverse_block(s, s->section[a->member], s->section[b->member]);
    mat3 k = mat3_multiply(a->arm, mat3_multiply(inner, b->arm));
    return mat3_scale(0.5, mat3_add(k, mat3_transpose(k)));
}

// The skew part that is left out may make what remains negative where sections are very unequal: a pair never is.
static mat3 without_negative(mat3 k) {
    double value[3];
    mat3 v;
    eigen3(k, value, &v);
    if (value[0] >= 0 && value[1] >= 0 && value[2] >= 0) return k;
    for (int i = 0; i < 3; i++) value[i] = fmax(value[i], 0);
    return mat3_multiply(v, mat3_multiply(mat3_diagonal(value[0], value[1], value[2]), mat3_transpose(v)));
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

static void store(const star *s, mat3 here, cdg_quat frame, double out[6]) { // in the axes of `frame`
    mat3 r = mat3_from_quat(quat_relative(s->axes, frame)),
         k = mat3_multiply(mat3_transpose(r), mat3_multiply(here, r));
    const double upper[6] = {k.m[0][0], k.m[0][1], k.m[0][2], k.m[1][1], k.m[1][2], k.m[2][2]};
    for (int i = 0; i < 6; i++) out[i] = upper[i];
}

static cdg_net_pair pair_of(const star *s, const segment *a, const segment *b) {
    const cdg_rod *rod_a = s->net->rods[a->rod], *rod_b = s->net->rods[b->rod];
    return (cdg_net_pair){.rod_a = a->rod,
                          .rod_b = b->rod,
                          .element_a = a->element,
                          .element_b = b->element,
                          .node_a = a->node,
                          .node_b = b->node,
                          .end_a = {s->joint->first + a->member, a->is_after},
                          .end_b = {s->joint->first + b->member, b->is_after},
                          .rest = quat_relative(a->frame, b->frame),
                          .damping_time = (rod_a->damping_time[2] + rod_b->damping_time[2]) / 2};
}

static size_t pair_up(const star *s, const segment *a, const segment *b, cdg_net_pair *out) {
    if (a->rod == b->rod && a->element == b->element) return 0; // a rod of one segment closed on itself
    mat3 k = without_negative(between(s, a, b));
    double factor = fmax(s->request->reach[s->joint->first + b->member], 1);
    if (!(trace_of(k) > 1e-14 * trace_of(a->arm)) || isinf(factor)) return 0;
    *out = pair_of(s, a, b);
    store(s, mat3_scale(factor, k), b->frame, out->stiffness);
    return 1;
}

// The cell that two neighbours have in their rod is in the axes of the section between them, as the arms are.
static size_t pair_up_neighbours(const star *s, const segment *a, const segment *b, cdg_net_pair *out) {
    const cdg_rod *rod = s->net->rods[a->rod];
    double share = rod->rest_length[a->element] / (rod->rest_length[a->element] + rod->rest_length[b->element]);
    mat3 cell = mat3_scale(share, a->arm), lack = mat3_add(between(s, a, b), mat3_scale(-1, cell));
    if (!(fabs(trace_of(lack)) > least_share * trace_of(cell))) return 0;
    // of the twisting stiffness, the share that is the rod's
    mat3 twist = about(s, a->section, (double[]){1, 1, a->twist});
    lack = mat3_multiply(twist, mat3_multiply(lack, twist));
    mat3 whole = mat3_add(lack, mat3_multiply(twist, mat3_multiply(cell, twist)));
    *out = pair_of(s, a, b);
    out->is_within = true;
    out->rest = rod_rest_turn(rod, a->node);
    store(s, lack, b->frame, out->stiffness);
    store(s, whole, b->frame, out->instead);
    return 1;
}

// How stiff every member of a joint is held against the member `from`: as the stiffest chain of joints that were asked
// for, a chain being as stiff as its weakest one. It tells which pairs a factor above 1 counts for.
static void find_reach(const star *s, size_t from) {
    const cdg_net_request *r = s->request;
    size_t first = s->joint->first, end = first + s->joint->count;
    for (size_t m = first; m < end; m++) r->reach[m] = m == first + from ? HUGE_VAL : 0;
    for (bool is_new = true; is_new;) {
        is_new = false;
        for (size_t m = first; m < end; m++)
            for (size_t i = r->first[m]; i < r->first[m + 1]; i++)
                for (size_t k = r->first[first]; k < r->first[end]; k++) {
                    const cdg_net_joint_def *def = r->items[i].def;
                    if (r->items[k].asked != r->items[i].asked) continue;
                    double chain = fmin(r->reach[m], def->has_axes ? 1 : def->stiffness);
                    double *reach = &r->reach[r->items[k].index];
                    is_new = is_new || chain > *reach;
                    *reach = fmax(*reach, chain);
                }
    }
}

static size_t find_pairs(const star *s, cdg_net_pair *out) {
    size_t count = 0, known = SIZE_MAX;
    for (size_t i = 0; i < s->segment_count; i++) {
        const segment *a = &s->segments[i];
        if (a->member != known) find_reach(s, known = a->member);
        for (size_t k = i + 1; k < s->segment_count; k++) {
            const segment *b = &s->segments[k];
            count += a->member == b->member ? pair_up_neighbours(s, a, b, out + count) : pair_up(s, a, b, out + count);
        }
    }
    return count;
}

size_t cdg_net_pairs_bound(const cdg_net *net, size_t joint) {
    size_t segments = 2 * net->joints[joint].count;
    return segments * (segments - 1) / 2;
}

cdg_result cdg_net_pairs_find(const cdg_net *net, size_t joint, const cdg_net_request *request, cdg_net_pair *out,
                              size_t *count, cdg_error *error) {
    star s = {.net = net, .joint = &net->joints[joint], .request = request};
    size_t members = s.joint->count;
    size_t asked = request->first[s.joint->first + members] - request->first[s.joint->first];
    s.segments = calloc(2 * members, sizeof *s.segments);
    s.mean_arm = calloc(members, sizeof *s.mean_arm);
    s.asked = calloc(asked, sizeof *s.asked);
    s.section = calloc(members + asked, sizeof *s.section);
    bool has_memory = s.segments != NULL && s.mean_arm != NULL && s.asked != NULL && s.section != NULL, is_good = true;
    *count = 0;
    if (has_memory) {
        list_asked(&s);
        choose_axes(&s);
        list_segments(&s);
        number_sections(&s);
        s.inverse = calloc(9 * s.section_count * s.section_count, sizeof *s.inverse);
        has_memory = s.inverse != NULL;
    }
    double stiffest = has_memory ? stiffest_arm(&s) : 0;
    if (stiffest > 0) is_good = eliminate(&s, stiffest); // segments without any stiffness feel nobody
    if (stiffest > 0 && is_good) *count = find_pairs(&s, out);
    free(s.segments);
    free(s.mean_arm);
    free(s.asked);
    free(s.section);
    free(s.inverse);
    if (!has_memory)
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the pairs of a joint of %zu nodes", members);
    if (!is_good)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "the joint at node %zu of rod '%s' is so much stiffer about one axis than about another that "
                        "the soft one is lost in rounding errors; give stiffnesses that are nearer to each other",
                        net->members[s.joint->first].defined, net->rods[net->members[s.joint->first].rod]->name);
    return CDG_OK;
}
