// Bends and Prusiks: ropes and posts keep their distance at every thickness, wind as often as they should, are straight
// at rest, and what cannot be tied is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "contact/segment_pair.h"
#include "geometry/topology.h"
#include "math/random.h"
#include "near.h"

#include <cordage/structure.h>

#define PI 3.14159265358979323846

static cdg_structure_def make(cdg_structure_kind kind, double radius) {
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "s";
    def.kind = kind;
    def.element_count = 0;
    def.rod.section = (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius};
    return def;
}

static cdg_structure *expand(const cdg_structure_def *def) {
    cdg_structure *out = NULL;
    cdg_error error = {0};
    if (cdg_structure_expand(def, &out, &error) != CDG_OK) fail_msg("%s", error.message);
    return out;
}

typedef struct polygon {
    cdg_vec3 *nodes;
    size_t count;
    bool is_closed;
} polygon;

static polygon polygon_of(const cdg_rod_def *rod) {
    cdg_error error = {0};
    polygon out = {NULL, rod->element_count + 1, cdg_centerline_is_closed(&rod->centerline)};
    out.nodes = calloc(out.count, sizeof *out.nodes);
    assert_non_null(out.nodes);
    if (cdg_centerline_sample(&rod->centerline, rod->element_count, out.nodes, &error) != CDG_OK)
        fail_msg("%s", error.message);
    if (out.is_closed) out.nodes[rod->element_count] = out.nodes[0];
    return out;
}

static double least_distance(const polygon *a, const polygon *b, double along) {
    double least = HUGE_VAL;
    size_t skipped = (size_t)ceil(along / vec3_distance(a->nodes[0], a->nodes[1])) + 1;
    for (size_t i = 0; i + 1 < a->count; i++) {
        for (size_t j = a == b ? i + skipped : 0; j + 1 < b->count; j++) {
            if (a == b && a->is_closed && i + a->count - 1 - j < skipped) continue;
            cdg_closest closest = cdg_segments_closest(a->nodes[i], a->nodes[i + 1], b->nodes[j], b->nodes[j + 1]);
            least = fmin(least, closest.distance2);
        }
    }
    return sqrt(least);
}

static double sharpest_radius(const polygon *a) {
    double sharpest = 0;
    for (size_t i = 1; i + 1 < a->count; i++) {
        cdg_vec3 before = vec3_sub(a->nodes[i], a->nodes[i - 1]), after = vec3_sub(a->nodes[i + 1], a->nodes[i]);
        double angle = atan2(vec3_norm(vec3_cross(before, after)), vec3_dot(before, after));
        sharpest = fmax(sharpest, 2 * tan(angle / 2) / (0.5 * (vec3_norm(before) + vec3_norm(after))));
    }
    return 1 / sharpest;
}

// ---- bends ----------------------------------------------------------------------------------------------------------

static void bends_are_two_ropes_apart(void **state) {
    (void)state;
    const double ratios[] = {1, 0.5, 2.5};
    for (int knot = CDG_TIED_SQUARE; knot < CDG_TIED_KNOT_COUNT; knot++) {
        for (int k = 0; k < 3; k++) {
            cdg_structure_def def = make(CDG_STRUCTURE_BEND, 0.003);
            def.bend.knot = (cdg_tied_knot)knot;
            def.bend.ratio = ratios[k];
            def.bend.clearance = 0.001 * k;
            def.direction = vec3(0, 1, 1);
            def.origin = vec3(1, 2, 3);
            cdg_structure *s = expand(&def);
            assert_int_equal(s->rod_count, 2);
            assert_int_equal(s->joint_count, 0);
            assert_string_equal(s->rods[0].name, "s.a");
            assert_string_equal(s->rods[1].name, "s.b");
            polygon a = polygon_of(&s->rods[0]), b = polygon_of(&s->rods[1]);
            double first = 0.003, second = 0.003 * ratios[k];
            assert_near(s->rods[0].section.radius, first, 0);
            assert_near(s->rods[1].section.radius, second, 1e-15);
            assert_true(least_distance(&a, &b, 0) >= first + second + def.bend.clearance);
            double unit = 2 * fmax(first, second) + def.bend.clearance;
            assert_true(least_distance(&a, &a, 2 * unit) >= unit);
            assert_true(least_distance(&b, &b, 2 * unit) >= unit);
            for (int rope = 0; rope < 2; rope++) assert_int_equal(s->rods[rope].rest.kind, CDG_REST_STRAIGHT);
            // standing parts leave along the structure's -x and x
            cdg_vec3 x = vec3_normalize(def.direction);
            assert_near(vec3_dot(vec3_normalize(vec3_sub(a.nodes[0], a.nodes[1])), x), -1, 1e-6);
            assert_near(vec3_dot(vec3_normalize(vec3_sub(b.nodes[0], b.nodes[1])), x), 1, 1e-6);
            free(a.nodes);
            free(b.nodes);
            cdg_structure_destroy(s);
        }
    }
}

// ---- Prusiks --------------------------------------------------------------------------------------------------------

static void prusiks_keep_their_distance(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int round = 0; round < 12; round++) {
        double radius = pow(10, random_in(&random, -4, 0)), post = radius * (round < 3 ? 1 : random_in(&random, 1, 12));
        cdg_structure_def def = make(CDG_STRUCTURE_PRUSIK, radius);
        def.prusik.post_radius = post;
        def.prusik.clearance = round % 2 * 0.3 * radius;
        def.prusik.wraps = 1 + (size_t)round % 4;
        def.prusik.loop = post + radius * random_in(&random, 22, 60);
        def.prusik.post_length = 60 * post;
        def.direction = vec3(0.2, 1, 0.1);
        double unit = 2 * radius + def.prusik.clearance;
        cdg_structure *s = expand(&def);
        assert_int_equal(s->rod_count, 2);
        assert_string_equal(s->rods[0].name, "s.loop");
        assert_string_equal(s->rods[1].name, "s.post");
        assert_int_equal(s->rods[0].rest.kind, CDG_REST_STRAIGHT);
        polygon ring = polygon_of(&s->rods[0]), line = polygon_of(&s->rods[1]);
        assert_true(ring.is_closed && !line.is_closed);
        double own = least_distance(&ring, &ring, 2.2 * unit), other = least_distance(&ring, &line, 0);
        if (!(own >= unit)) fail_msg("round %d: strands are %g units apart", round, own / unit);
        if (!(own < 1.3 * unit)) fail_msg("round %d: strands are %g units apart", round, own / unit);
        double least = post + radius + def.prusik.clearance;
        if (!(other >= least && other < least + 0.2 * unit)) fail_msg("round %d: post is %g away", round, other / unit);
        // curvature on a finer polygon
        free(ring.nodes);
        s->rods[0].element_count = 3000;
        ring = polygon_of(&s->rods[0]);
        double sharpest = sharpest_radius(&ring);
        if (!(sharpest > 0.55 * unit)) fail_msg("round %d: bends to %g units", round, sharpest / unit);
        // around the post as often as asked on one side, and back on the other: it is not linked, only wound
        cdg_vec3 x = vec3_normalize(def.direction), z = vec3_normalize(vec3_mad(vec3(0, 0, 1), -x.z, x));
        cdg_vec3 y = vec3_cross(z, x);
        double turned = 0, most = 0;
        for (size_t i = 0; i + 1 < ring.count; i++) {
            cdg_vec3 p = ring.nodes[i], q = ring.nodes[i + 1];
            double from = atan2(vec3_dot(p, z), vec3_dot(p, y)), to = atan2(vec3_dot(q, z), vec3_dot(q, y));
            turned += remainder(to - from, 2 * PI);
            most = fmax(most, turned);
        }
        assert_near(turned, 0, 1e-6);
        assert_true(most > 2 * PI * (double)def.prusik.wraps && most < 2 * PI * ((double)def.prusik.wraps + 0.3));
        free(ring.nodes);
        free(line.nodes);
        cdg_structure_destroy(s);
    }
}

static void a_prusik_may_have_no_post(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_PRUSIK, 0.002);
    cdg_structure *s = expand(&def);
    assert_int_equal(s->rod_count, 1);
    cdg_structure_destroy(s);
}

// ---- what is refused ------------------------------------------------------------------------------------------------

static void refuses(cdg_structure_def def, const char *text) {
    cdg_structure *out = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_structure_expand(&def, &out, &error), CDG_ERROR_ARGUMENT);
    assert_null(out);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not say '%s'", error.message, text);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    cdg_structure_def bend = make(CDG_STRUCTURE_BEND, 0.003), prusik = make(CDG_STRUCTURE_PRUSIK, 0.002), bad = bend;
    bad.bend.knot = CDG_TIED_OVERHAND;
    refuses(bad, "one rope");
    bad = bend;
    bad.bend.ratio = 0;
    refuses(bad, "ratio is 0");
    bad = bend;
    bad.bend.clearance = -1;
    refuses(bad, "clearance is -1");
    bad = bend;
    bad.element_count = 20;
    refuses(bad, "20 elements are too few");
    bad = bend;
    bad.rod.has_stiffness = true;
    bad.rod.stiffness.radius = 0.001;
    bad.bend.ratio = 2;
    refuses(bad, "outright");
    bad.bend.ratio = 1;
    bad.rod.stiffness.radius = 0;
    refuses(bad, "needs a radius");
    bad = prusik;
    bad.prusik.post_radius = 0.001;
    refuses(bad, "thinner post");
    bad = prusik;
    bad.prusik.clearance = NAN;
    refuses(bad, "clearance is");
    bad = prusik;
    bad.prusik.wraps = 0;
    refuses(bad, "0 wraps");
    bad = prusik;
    bad.prusik.loop = 0.01;
    refuses(bad, "at least 0.032 m");
    bad = prusik;
    bad.prusik.post_length = -1;
    refuses(bad, "post_length is -1");
    bad = prusik;
    bad.element_count = 30;
    refuses(bad, "30 elements are too few");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bends_are_two_ropes_apart),
        cmocka_unit_test(prusiks_keep_their_distance),
        cmocka_unit_test(a_prusik_may_have_no_post),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
