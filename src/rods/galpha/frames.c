// Frames at nodes for a rod whose shape is given with frames at the middles of elements, as scenes do: such that
// halfway between two nodes lies what the element has. Means of neighbours would be smoother, but an element is then
// turned away from its own frame, and either its ends move or it is sheared by far more than the rod is bent.
//
// The frames at nodes make
//     sum over elements  w |E^-1 q|^2 + k |turn - rest turn|^2
// least, E: the element's frame between its nodes, q: the one it should have, w: its stiffness against shearing times
// its length, k: against bending over its length. So a rod that can shear starts with its sections in balance at the
// given positions. One that cannot takes the frames of its elements exactly: with f_j and the middle m the next node
// has m f_j^-1 m, and one free frame, at the first node, is where turns are nearest to those of the given shape.
//
// A free end's section is tilted so that it bears no moment. One that a clamp holds is not: it stays where the shape
// has it (rod_section_frame), which is what the clamp holds; and so does the roll that a support of the twist holds.
#include "base/error.h"
#include "math/symmetric3.h"
#include "rods/galpha/options.h"
#include "rods/galpha/parts.h"

static void put_rows(const mat3 *a, cdg_vec3 *x, cdg_vec3 *y, cdg_vec3 *z) {
    *x = vec3(a->m[0][0], a->m[0][1], a->m[0][2]);
    *y = vec3(a->m[1][0], a->m[1][1], a->m[1][2]);
    *z = vec3(a->m[2][0], a->m[2][1], a->m[2][2]);
}
static mat3 get_rows(cdg_vec3 x, cdg_vec3 y, cdg_vec3 z) {
    return (mat3){{{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}}};
}

// While frames are fitted, fields of a node that are not yet set hold its rows of the equations.
static void keep_pivot(galpha_node *n, const mat3 *a) { put_rows(a, &n->velocity, &n->spin, &n->darboux); }
static mat3 pivot_of(const galpha_node *n) { return get_rows(n->velocity, n->spin, n->darboux); }
static void keep_beside(galpha_node *n, const mat3 *a) {
    put_rows(a, &n->position_rate, &n->frame_rate, &n->acceleration);
}
static mat3 beside_of(const galpha_node *n) { return get_rows(n->position_rate, n->frame_rate, n->acceleration); }
static cdg_vec3 *right_of(galpha_node *n) { return &n->force; }

static double bend_weight(const cdg_rod *rod, size_t element) {
    size_t at = element * rod->section_stride;
    double sum = rod->bend_stiffness[0][at] + rod->bend_stiffness[1][at] + rod->bend_stiffness[2][at];
    return sum / 3 / rod->rest_length[element];
}

// Against shearing. Where that is impossible, so stiff that the fit knows only which frame the first node has.
static double shear_weight(const cdg_rod *rod, size_t element) {
    size_t at = element * rod->section_stride;
    double least = 1e-3 * bend_weight(rod, element); // a string has neither
    if (!galpha_options(rod)->is_extensible) return 1e8 * bend_weight(rod, element);
    double stiffness = 0.5 * (rod->stretch_stiffness[0][at] + rod->stretch_stiffness[1][at]);
    return fmax(least, stiffness * rod->rest_length[element]);
}

// What is wrong with an element, as rotation vectors in fixed axes: with its frame, and with its turn; and tan(theta/4)
// n of that turn, by which the frame halfway leans (galpha/element.c).
static void misfit(const cdg_rod *rod, size_t element, const galpha_node *a, cdg_vec3 *frame, cdg_vec3 *turn,
                   cdg_vec3 *tilt) {
    const galpha_rest *rest = &galpha_rest_of(rod)[element];
    cdg_quat middle = galpha_middle(a[0].frame, a[1].frame, rest->turn), own = quat_multiply(middle, rest->offset);
    *frame = quat_log(quat_multiply(rod_quat(rod->q, element), quat_conjugate(own)));
    cdg_vec3 whole = galpha_turn(a[0].frame, a[1].frame, rest->turn);
    double angle = vec3_norm(whole);
    *turn = quat_rotate(middle, vec3_sub(whole, rest->turn));
    *tilt = quat_rotate(middle, vec3_scale(angle > 1e-3 ? tan(angle / 4) / angle : 0.25, whole));
}

static mat3 inverse_of(const mat3 *a) { // symmetric
    symmetric3 i = symmetric3_inverse((symmetric3){
        .xx = a->m[0][0], .xy = a->m[0][1], .xz = a->m[0][2], .yy = a->m[1][1], .yz = a->m[1][2], .zz = a->m[2][2]});
    return (mat3){{{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}}};
}

// For a rod that cannot shear: the rotation vector by which a node's frame turns to the next one's, less that of the
// shape as it is given, in fixed axes.
static cdg_vec3 misfit_of_shape(const cdg_rod *rod, size_t element, const galpha_node *a) {
    cdg_vec3 near = galpha_rest_of(rod)[element].turn;
    cdg_quat middle = galpha_middle(a[0].frame, a[1].frame, near);
    cdg_vec3 given = galpha_turn(rod_section_frame(rod, element), rod_section_frame(rod, element + 1), near);
    return quat_rotate(middle, vec3_sub(galpha_turn(a[0].frame, a[1].frame, near), given));
}

// The element's part of the equations of its nodes: into `first` and `second` on the diagonal, and what joins them.
static void add_element(const cdg_rod *rod, size_t element, galpha_node *a, mat3 *first, mat3 *second) {
    double w = shear_weight(rod, element), k = bend_weight(rod, element);
    cdg_vec3 frame, turn, tilt;
    misfit(rod, element, a, &frame, &turn, &tilt);
    if (!galpha_options(rod)->is_extensible) turn = misfit_of_shape(rod, element, a);
    mat3 unit = mat3_diagonal(k, k, k), half = mat3_diagonal(0.5, 0.5, 0.5), lean = mat3_cross(vec3_scale(0.5, tilt));
    mat3 with_a = mat3_add(half, lean), with_b = mat3_add(half, mat3_scale(-1, lean));
    mat3 to_a = mat3_transpose(with_a), to_b = mat3_transpose(with_b);
    *first = mat3_add(*first, mat3_add(mat3_scale(w, mat3_multiply(to_a, with_a)), unit));
    *second = mat3_add(mat3_scale(w, mat3_multiply(to_b, with_b)), unit);
    mat3 beside = mat3_add(mat3_scale(w, mat3_multiply(to_a, with_b)), mat3_scale(-1, unit));
    keep_beside(&a[0], &beside);
    *right_of(&a[0]) = vec3_mad(vec3_mad(*right_of(&a[0]), w, mat3_apply(&to_a, frame)), k, turn);
    *right_of(&a[1]) = vec3_mad(vec3_scale(w, mat3_apply(&to_b, frame)), -k, turn);
}

// An end's support as a spring so stiff that moments turn the section it holds by 1e-8 of what they would a free one.
static void add_support(const cdg_rod *rod, size_t node, galpha_node *n, mat3 *pivot) {
    const cdg_hold *hold = rod_hold_at(rod, node);
    if (hold == NULL || hold->frame_hold == CDG_HOLD_NO_FRAME || !galpha_options(rod)->is_extensible) return;
    size_t element = node == 0 ? 0 : node - 1;
    double w = 1e8 * (shear_weight(rod, element) + bend_weight(rod, element));
    cdg_quat frame = rod_section_frame(rod, node);
    mat3 weight = mat3_diagonal(w, w, w);
    if (hold->frame_hold == CDG_HOLD_ROLL) weight = mat3_outer(w, quat_d3(frame), quat_d3(frame));
    cdg_vec3 away = quat_log(quat_multiply(frame, quat_conjugate(n->frame)));
    *right_of(n) = vec3_add(*right_of(n), mat3_apply(&weight, away));
    *pivot = mat3_add(*pivot, weight);
}

// One step of Gauss and Newton; returns the largest turn, rad.
static double improve(const cdg_rod *rod, galpha_node *nodes) {
    size_t last = rod->element_count;
    mat3 pivot = mat3_diagonal(0, 0, 0), next;
    *right_of(&nodes[0]) = vec3(0, 0, 0);
    add_support(rod, 0, &nodes[0], &pivot);
    for (size_t j = 0; j < last; j++) { // elimination, from the first node on
        add_element(rod, j, &nodes[j], &pivot, &next);
        mat3 inverse = inverse_of(&pivot), beside = beside_of(&nodes[j]);
        keep_pivot(&nodes[j], &inverse);
        mat3 share = mat3_multiply(mat3_transpose(beside), inverse);
        pivot = mat3_add(next, mat3_scale(-1, mat3_multiply(share, beside)));
        *right_of(&nodes[j + 1]) = vec3_sub(*right_of(&nodes[j + 1]), mat3_apply(&share, *right_of(&nodes[j])));
    }
    add_support(rod, last, &nodes[last], &pivot);
    mat3 inverse = inverse_of(&pivot);
    keep_pivot(&nodes[last], &inverse);
    double largest = 0;
    for (size_t i = last + 1; i-- > 0;) {
        cdg_vec3 right = *right_of(&nodes[i]);
        mat3 own = pivot_of(&nodes[i]), beside = beside_of(&nodes[i]);
        if (i < last) right = vec3_sub(right, mat3_apply(&beside, *right_of(&nodes[i + 1])));
        *right_of(&nodes[i]) = mat3_apply(&own, right);
        largest = fmax(largest, vec3_norm(*right_of(&nodes[i])));
    }
    double share = largest > 0.5 ? 0.5 / largest : 1; // beyond, a linearised rotation says little
    for (size_t i = 0; i <= last; i++) {
        cdg_quat turn = quat_exp(vec3_scale(share, *right_of(&nodes[i])));
        nodes[i].frame = quat_normalize(quat_multiply(turn, nodes[i].frame));
    }
    return largest;
}

// Exactly the frames of the elements, from the first node on.
static void follow_elements(const cdg_rod *rod, galpha_node *nodes) {
    const galpha_rest *rest = galpha_rest_of(rod);
    size_t count = rod->element_count;
    for (size_t j = 0; j < count; j++) {
        cdg_quat middle = quat_multiply(rod_quat(rod->q, j), quat_conjugate(rest[j].offset));
        cdg_quat half = quat_relative(nodes[j].frame, middle);
        nodes[j + 1].frame = quat_normalize(quat_multiply(middle, half));
    }
}

void galpha_fit_frames(const cdg_rod *rod, galpha_node *nodes) {
    enum { ROUNDS = 40 };
    const double enough = 1e-13; // rad
    bool has_stiffness = true;
    for (size_t j = 0; j < rod->element_count; j++) has_stiffness = has_stiffness && bend_weight(rod, j) > 0;
    double turn = INFINITY, before = INFINITY;
    for (int i = 0; i < ROUNDS && has_stiffness && turn > enough; i++) {
        turn = improve(rod, nodes);
        if (turn < 1e-9 && turn >= 0.5 * before) break; // rounding
        before = turn;
    }
    if (!galpha_options(rod)->is_extensible) follow_elements(rod, nodes);
    for (size_t i = 0; i < rod->node_count; i++) nodes[i] = (galpha_node){.frame = nodes[i].frame};
}

// ---- shapes that frames at nodes cannot have ------------------------------------------------------------------------

static double fitted_energy(const cdg_rod *rod, const galpha_node *nodes) {
    double sum = 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 frame, turn, tilt;
        misfit(rod, j, &nodes[j], &frame, &turn, &tilt);
        if (galpha_options(rod)->is_extensible) sum += shear_weight(rod, j) * vec3_dot(frame, frame);
        sum += bend_weight(rod, j) * vec3_dot(turn, turn);
    }
    return sum;
}

// With the frames as they are, in the middles of elements; and where they turn most against the shape at rest.
static double given_energy(const cdg_rod *rod, size_t *sharpest, double *most) {
    double sum = 0;
    *most = 0, *sharpest = 1;
    for (size_t i = 1; i < rod->element_count; i++) {
        cdg_quat turn = quat_relative(rod_quat(rod->q, i - 1), rod_quat(rod->q, i));
        double angle = vec3_norm(quat_log(quat_relative(rod_quat(rod->rest_turn, i), turn)));
        double length = 0.5 * (rod->rest_length[i - 1] + rod->rest_length[i]);
        sum += bend_weight(rod, i) * rod->rest_length[i] / length * angle * angle;
        if (angle > *most) *most = angle, *sharpest = i;
    }
    return sum;
}

cdg_result galpha_check_shape(const cdg_rod *rod, cdg_error *error) {
    const double stretch_accepted = 1e-9, energy_accepted = 4; // the latter: times what the shape's own turns have
    const double most_accepted = 2.2, degrees = 180 / 3.14159265358979323846; // beyond, the way round is not known
    for (size_t j = 0; j < rod->element_count && !galpha_options(rod)->is_extensible; j++) {
        double length = vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, j + 1));
        if (fabs(length - rod->rest_length[j]) <= stretch_accepted * rod->rest_length[j]) continue;
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "rod '%s': element %zu is %g m long at the start and %g m at rest, which a rod of model 'galpha' "
            "with extensible: false cannot be; give the rest shape the same length, or set extensible: true",
            rod->name, j, length, rod->rest_length[j]);
    }
    const galpha_node *nodes = galpha_nodes_of(rod->own);
    size_t sharpest;
    double most, given = given_energy(rod, &sharpest, &most), fitted = fitted_energy(rod, nodes);
    if (most > most_accepted)
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "rod '%s' has too few elements for model 'galpha': at node %zu it turns by %.3g degrees against "
            "its rest shape; use %d times as many",
            rod->name, sharpest, most * degrees, (int)ceil(2 * most));
    if (most < 1e-3 || fitted <= energy_accepted * given) return CDG_OK;
    return cdg_fail(
        error, CDG_ERROR_UNSUPPORTED,
        "rod '%s' has a kink that model 'galpha' cannot start with: at node %zu it turns by %.3g degrees against its "
        "rest shape, and sections that turn evenly from node to node would have %.2g times the energy of that; round "
        "the corner over several elements, set rest: initial, or take model 'der' or 'pobd'",
        rod->name, sharpest, most * degrees, fitted / given);
}
