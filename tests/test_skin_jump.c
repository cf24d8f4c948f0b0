// The skin does not pop: when an element of a bent rod is halved, or two halves are made one, no vertex moves by more
// than 2 % of the radius.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"
#include "geometry/skin.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 12, MOST = 8 * ELEMENTS + 1 };

// An arc of this turn an element, under moments at its ends alone: the models' own equilibrium.
static cdg_rod *build_arc(adapt_variant variant, double turn, double length_in_radii) {
    cdg_rod_def def = adapt_def(variant, ELEMENTS);
    def.centerline = (cdg_centerline){.kind = CDG_CENTERLINE_LINE}; // curves would start with halves
    def.centerline.line.to = vec3(0.05 * ELEMENTS, 0, 0);
    def.section.radius = 0.05 / length_in_radii;
    def.adapt.shortest = 1e-6;
    cdg_rod *rod = adapt_build(&def);
    // nodes where elements of the rest length, turned by the same angle against each other, have them
    cdg_vec3 at = vec3(0, 0, 0);
    for (size_t i = 0; i <= ELEMENTS; i++) {
        rod_set_vec3(rod->x, i, at);
        double angle = turn * ((double)i + 0.5);
        if (i < ELEMENTS) at = vec3_mad(at, rod->rest_length[i], vec3(cos(angle), sin(angle), 0));
    }
    for (size_t j = 0; j < ELEMENTS; j++) {
        double angle = turn * ((double)j + 0.5);
        cdg_quat q = rod_quat(rod->q, j);
        cdg_quat to = quat_between(quat_d3(q), vec3(cos(angle), sin(angle), 0));
        rod_set_quat(rod->q, j, quat_normalize(quat_multiply(to, q)));
    }
    return rod;
}

static cdg_skin *make_skin(const cdg_rod *rod) {
    cdg_section sections[MOST];
    for (size_t i = 0; i < rod->node_count; i++) sections[i] = rod->section[0];
    cdg_skin_def def = {.element_count = rod->element_count, .rest_length = rod->rest_length, .sections = sections};
    cdg_skin *skin = NULL;
    assert_int_equal(cdg_skin_create(&def, &skin, NULL), CDG_OK);
    return skin;
}

static float *place(const cdg_skin *skin, const cdg_rod *rod, bool is_beside) {
    cdg_vec3 x[MOST], shift[MOST];
    double roll[MOST], node_roll[MOST];
    cdg_quat q[MOST];
    for (size_t i = 0; i < rod->node_count; i++) {
        x[i] = rod_vec3(rod->x, i);
        shift[i] = rod_beside(rod, i)->shift, roll[i] = rod_beside(rod, i)->roll;
        node_roll[i] = rod_beside(rod, i)->node_roll;
    }
    for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q, j);
    cdg_skin_pose pose = {
        .element_count = rod->element_count, .rest_length = rod->rest_length, .positions = x, .frames = q};
    if (is_beside) pose.beside = (cdg_drawn_beside){shift, roll, node_roll};
    float *vertices = malloc(3 * skin->vertex_count * sizeof *vertices);
    assert_non_null(vertices);
    cdg_error error;
    if (cdg_skin_place(skin, &pose, vertices, NULL, &error) != CDG_OK) fail_msg("%s", error.message);
    return vertices;
}

// The farthest that a vertex moves, in radii.
static double farthest(const cdg_skin *skin, const float *a, const float *b, double radius) {
    double most = 0;
    for (size_t i = 0; i < skin->vertex_count; i++) {
        cdg_vec3 move = vec3(a[3 * i] - b[3 * i], a[3 * i + 1] - b[3 * i + 1], a[3 * i + 2] - b[3 * i + 2]);
        most = fmax(most, vec3_norm(move));
    }
    return most / radius;
}

typedef struct arc_case {
    cdg_rod *rod;
    cdg_skin *skin;
    float *now, *now_plain;
} arc_case;

static arc_case begin(adapt_variant variant, double turn, double length_in_radii) {
    arc_case c = {.rod = build_arc(variant, turn, length_in_radii)};
    c.skin = make_skin(c.rod);
    c.now = place(c.skin, c.rod, true);
    c.now_plain = place(c.skin, c.rod, false);
    return c;
}

static void end(arc_case *c) {
    free(c->now);
    free(c->now_plain);
    cdg_skin_destroy(c->skin);
    cdg_rod_destroy(c->rod);
}

// How far the skin moves by an operation, and, *plain, how far the one on the curve through the nodes does.
static double jump(arc_case *c, bool is_split, size_t element, double *plain) {
    const cdg_adapt_context context = {.gravity = {0, 0, 0}};
    cdg_adapt_outcome outcome;
    bool is_done = is_split ? cdg_adapt_split(c->rod, element, &context, &outcome)
                            : cdg_adapt_merge(c->rod, element, &context, &outcome);
    assert_true(is_done);
    float *then = c->now, *then_plain = c->now_plain;
    c->now = place(c->skin, c->rod, true);
    c->now_plain = place(c->skin, c->rod, false);
    double radius = c->rod->section[0].radius, moved = farthest(c->skin, then, c->now, radius);
    *plain = farthest(c->skin, then_plain, c->now_plain, radius);
    free(then);
    free(then_plain);
    return moved;
}

static const double bar = 0.02;

// Elements from about as short as contact allows to those that can be halved three times before that.
static const double lengths[] = {2.4, 3, 6, 9.6};

static void test_split(void **state) {
    (void)state;
    double worst = 0, worst_plain = 0, plain;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            arc_case c = begin((adapt_variant)variant, 0.3, lengths[k]);
            worst = fmax(worst, jump(&c, true, 6, &plain));
            worst_plain = fmax(worst_plain, plain);
            end(&c);
        }
    print_message("splits: %.4f radii, through the nodes %.4f\n", worst, worst_plain);
    assert_true(worst < bar);
    assert_true(worst_plain > 1.5 * bar); // the bar is none that any curve would hold
}

// Halves of an arc as flat as halves are made one on.
static void test_merge(void **state) {
    (void)state;
    double worst = 0, plain;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            arc_case c = begin((adapt_variant)variant, 0.2, lengths[k]);
            worst = fmax(worst, jump(&c, true, 6, &plain));
            worst = fmax(worst, jump(&c, false, 6, &plain));
            end(&c);
        }
    print_message("merges: %.4f radii\n", worst);
    assert_true(worst < bar);
}

// One beside the other, and halves of halves, with no time between for the rod to settle.
static void test_many(void **state) {
    (void)state;
    static const size_t elements[] = {6, 8, 5, 7, 10, 4}; // neighbours differ by one level at most
    double worst = 0, plain, worst_plain = 0;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++)
        for (size_t k = 0; k < 3; k++) {
            arc_case c = begin((adapt_variant)variant, 0.3, lengths[k]);
            for (size_t i = 0; i < sizeof elements / sizeof *elements; i++) {
                double moved = jump(&c, true, elements[i], &plain);
                worst = fmax(worst, moved);
                worst_plain = fmax(worst_plain, plain);
            }
            end(&c);
        }
    print_message("many splits: %.4f radii, through the nodes %.4f\n", worst, worst_plain);
    assert_true(worst < bar);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_split), cmocka_unit_test(test_merge),
                                       cmocka_unit_test(test_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
