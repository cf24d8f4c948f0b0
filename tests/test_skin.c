// The mesh of a skin: closed, outward, of the right volume for each section, joined where a closed rod is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "skin_case.h"

static double area_of(const cdg_section *section) {
    cdg_section_properties properties;
    assert_int_equal(cdg_section_compute(section, 0.3, &properties, NULL), CDG_OK);
    return properties.area;
}

// ---- closed surfaces ------------------------------------------------------------------------------------------------

static void test_watertight_and_outward(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {1};
    for (int trial = 0; trial < 120; trial++) {
        bool is_closed = trial % 2 == 1;
        cdg_section start = skin_section((cdg_section_kind)(trial / 2 % CDG_SECTION_KIND_COUNT), 0.006);
        cdg_section end = start;
        if (!is_closed) end.radius *= 0.7, end.semi_axis[0] *= 0.5, end.side[1] *= 2;
        size_t elements = 3 + random_bits(&random) % 40, rings = random_bits(&random) % 4;
        size_t sides = trial % 3 == 0 ? 0 : 3 + random_bits(&random) % 30;
        // less than a quarter turn an element, more cannot be told from less
        smooth_rod_make(&rod, &random, is_closed, 0.02, (double)(random_bits(&random) % (elements / 8 + 1)));
        cut_rod_make(&cut, &rod, elements, 0.3, &random, &start, &end);
        cdg_skin_def def = cut_rod_def(&cut, rings, sides);
        if (is_closed) def.frames = cut.frames;
        cdg_skin *skin = skin_make(&def);
        long euler = skin_check_watertight(skin);
        assert_int_equal(euler, is_closed || start.kind == CDG_SECTION_TUBE ? 0 : 2);
        assert_int_equal(skin->station_count, (skin->station_count - !is_closed) / elements * elements + !is_closed);
        if (rings == 0) assert_true(skin->station_count >= 2 * elements);

        cdg_skin_pose pose = cut_rod_pose(&cut);
        float *normals, *vertices = skin_place(skin, &pose, &normals);
        assert_true(skin_volume(skin, vertices) > 0);
        for (size_t i = 0; i < skin->vertex_count; i++) {
            assert_near(vec3_norm(float_vec3(normals + 3 * i)), 1, 1e-5);
            assert_near(vec3_norm(float_vec3(skin->local_normal + 3 * i)), 1, 1e-5);
            assert_true(skin->around[i] >= 0 && skin->around[i] < 1);
            assert_true(skin->station_of[i] < skin->station_count);
        }
        free(vertices);
        free(normals);
        cdg_skin_destroy(skin);
    }
}

// A closed rod's volume is its section's area times its length (Pappus) when the curve is flat, up to the polygon that
// stands for the outline and the rings' chords.
static void test_closed_volume(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    for (int kind = 0; kind < CDG_SECTION_KIND_COUNT; kind++) {
        cdg_random random = {2};
        cdg_section section = skin_section((cdg_section_kind)kind, 0.01);
        smooth_rod_make(&rod, &random, true, 0, 0);
        cut_rod_make(&cut, &rod, 40, 0.2, &random, &section, &section);
        double exact = area_of(&section) * rod.arc[SMOOTH_SAMPLES], errors[2];
        for (int refined = 0; refined < 2; refined++) {
            cdg_skin_def def = cut_rod_def(&cut, refined ? 8 : 4, refined ? 96 : 48);
            cdg_skin *skin = skin_make(&def);
            cdg_skin_pose pose = cut_rod_pose(&cut);
            float *vertices = skin_place(skin, &pose, NULL);
            errors[refined] = fabs(skin_volume(skin, vertices) / exact - 1);
            free(vertices);
            cdg_skin_destroy(skin);
        }
        assert_true(errors[0] < 4e-3);
        assert_true(errors[1] < 1e-3);
        // second order, until the spline's own error (1e-6 with 40 elements) shows
        assert_true(errors[1] < 0.3 * errors[0] + 1e-5);
    }
}

// ---- open rods ------------------------------------------------------------------------------------------------------

static double pair_integral(double a0, double b0, double a1, double b1) { // of the product of two linear functions
    return (a0 * b0 + a1 * b1) / 3 + (a0 * b1 + a1 * b0) / 6;
}

static double exact_volume(const cdg_section *s, const cdg_section *e, double length) {
    // a dome is half an ellipsoid: two thirds of the cylinder over its rim, a quarter of the smaller semi-axis high
    switch (s->kind) {
    case CDG_SECTION_CIRCLE:
        return SKIN_PI * (length * pair_integral(s->radius, s->radius, e->radius, e->radius) +
                          (pow(s->radius, 3) + pow(e->radius, 3)) / 6);
    case CDG_SECTION_TUBE:
        return SKIN_PI * length *
               (pair_integral(s->radius, s->radius, e->radius, e->radius) -
                pair_integral(s->inner_radius, s->inner_radius, e->inner_radius, e->inner_radius));
    case CDG_SECTION_ELLIPSE: {
        double domes = s->semi_axis[0] * s->semi_axis[1] * fmin(s->semi_axis[0], s->semi_axis[1]) +
                       e->semi_axis[0] * e->semi_axis[1] * fmin(e->semi_axis[0], e->semi_axis[1]);
        return SKIN_PI *
               (length * pair_integral(s->semi_axis[0], s->semi_axis[1], e->semi_axis[0], e->semi_axis[1]) + domes / 6);
    }
    default: return length * pair_integral(s->side[0], s->side[1], e->side[0], e->side[1]);
    }
}

static void test_open_volume_converges(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {3};
    for (int trial = 0; trial < 16; trial++) {
        cdg_section start = skin_section((cdg_section_kind)(trial % CDG_SECTION_KIND_COUNT), 0.02), end = start;
        if (trial >= 4) { // taper
            double factor = random_in(&random, 0.3, 1.5);
            end.radius *= factor, end.inner_radius *= factor, end.semi_axis[0] *= factor, end.side[0] *= factor;
        }
        smooth_rod_make(&rod, &random, false, 0, 0);
        cut_rod_make(&cut, &rod, 6, 0.3, &random, &start, &end);
        double exact = exact_volume(&start, &end, 1), errors[3];
        for (int k = 0; k < 3; k++) {
            cdg_skin_def def = cut_rod_def(&cut, (size_t)8 << k, (size_t)48 << k);
            cdg_skin *skin = skin_make(&def);
            cdg_skin_pose pose = cut_rod_pose(&cut);
            float *vertices = skin_place(skin, &pose, NULL);
            errors[k] = fabs(skin_volume(skin, vertices) / exact - 1);
            free(vertices);
            cdg_skin_destroy(skin);
        }
        assert_true(errors[0] < 4e-3);
        // second order in the sides; floats end it at about 1e-6
        assert_true(errors[1] < 0.3 * errors[0] + 1e-6 && errors[2] < 0.3 * errors[1] + 1e-6);
    }
}

// Vertices lie on the outline, `around` tells where, and the skin does not reach beyond a quarter of the thickness.
static void test_vertices_lie_on_the_outline(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {4};
    for (int kind = 0; kind < CDG_SECTION_KIND_COUNT; kind++) {
        cdg_section section = skin_section((cdg_section_kind)kind, 0.01);
        smooth_rod_make(&rod, &random, false, 0, 0);
        cut_rod_make(&cut, &rod, 3, 0, &random, &section, &section);
        cdg_skin_def def = cut_rod_def(&cut, 2, kind == CDG_SECTION_RECTANGLE ? 16 : 0);
        cdg_skin *skin = skin_make(&def);
        for (size_t i = 0; i < skin->station_count * skin->ring_size; i++) {
            const float *p = skin->local + 3 * i;
            double turn = 2 * SKIN_PI * skin->around[i], c = cos(turn), s = sin(turn), size = hypot(p[0], p[1]);
            assert_true(p[2] == 0);
            switch (section.kind) {
            case CDG_SECTION_CIRCLE:
            case CDG_SECTION_TUBE:
                assert_near(
                    size, i % skin->ring_size < skin->ring_size / 2 || kind == CDG_SECTION_CIRCLE ? 0.01 : 0.006, 1e-8);
                assert_near(p[0], size * c, 1e-8);
                assert_near(p[1], size * s, 1e-8);
                break;
            case CDG_SECTION_ELLIPSE:
                assert_near(p[0], 0.01 * c, 1e-8);
                assert_near(p[1], 0.005 * s, 1e-8);
                break;
            default: {
                double x = fabs(p[0]) / 0.01, y = fabs(p[1]) / 0.0015;
                assert_near(fmax(x, y), 1, 1e-6);
                // evenly along the outline of length 0.046, from the middle of the side at +d1
                double expected = p[1] >= 0 ? (x > 0.999999 && p[0] > 0 ? p[1] : 0.0015 + 0.01 - p[0])
                                            : (x > 0.999999 && p[0] > 0 ? p[1] : -(0.0015 + 0.01 - p[0]));
                if (x > 0.999999 && p[0] < 0) expected = 0.0015 + 0.02 + 0.0015 - p[1];
                expected /= 0.046;
                assert_near(remainder(expected - skin->around[i], 1), 0, 1e-5);
                break;
            }
            }
        }
        double deepest = 0;
        for (size_t i = 0; i < skin->vertex_count; i++) deepest = fmax(deepest, fabs(skin->local[3 * i + 2]));
        double dome = kind == CDG_SECTION_CIRCLE ? 0.0025 : kind == CDG_SECTION_ELLIPSE ? 0.00125 : 0;
        assert_near(deepest, dome, 1e-8);
        cdg_skin_destroy(skin);
    }
}

// ---- joints of closed rods ------------------------------------------------------------------------------------------

// The longest step from a vertex to the one that continues it in the next ring, over all gaps but the last, and there.
static void longest_steps(const cdg_skin *skin, const float *vertices, double *inside, double *joint) {
    *inside = *joint = 0;
    for (size_t t = 0; t < skin->triangle_count; t++) {
        uint32_t low = skin->triangles[3 * t], high = skin->triangles[3 * t + 2]; // the second of each pair goes upward
        if (t % 2 == 0) continue;
        double step = vec3_distance(float_vec3(vertices + 3 * (size_t)low), float_vec3(vertices + 3 * (size_t)high));
        double *longest = skin->station_of[low] + 1 == skin->station_count ? joint : inside;
        *longest = fmax(*longest, step);
    }
}

static void test_joints(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_section square = {.kind = CDG_SECTION_RECTANGLE, .side = {0.02, 0.02}};
    const struct {
        cdg_section section;
        double jump; // turns
    } cases[] = {{skin_section(CDG_SECTION_RECTANGLE, 0.02), 0.5},
                 {skin_section(CDG_SECTION_RECTANGLE, 0.02), 1.5},
                 {skin_section(CDG_SECTION_ELLIPSE, 0.02), 0.5},
                 {skin_section(CDG_SECTION_ELLIPSE, 0.02), -0.5},
                 {square, 0.25},
                 {square, -0.25},
                 {square, 0.5},
                 {skin_section(CDG_SECTION_CIRCLE, 0.02), 0.3},
                 {skin_section(CDG_SECTION_TUBE, 0.02), -0.41},
                 {skin_section(CDG_SECTION_CIRCLE, 0.02), 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t twist = 0; twist < 3; twist++) {
            cdg_random random = {5 + i};
            smooth_rod_make(&rod, &random, true, 0.01, cases[i].jump + (double)twist);
            cut_rod_make(&cut, &rod, 60, 0.1, &random, &cases[i].section, &cases[i].section);
            cdg_skin_def def = cut_rod_def(&cut, 3, 0);
            cdg_skin_pose pose = cut_rod_pose(&cut);
            double smooth = 0;
            for (int told = 1; told >= 0; told--) {
                def.frames = told ? cut.frames : NULL;
                cdg_skin *skin = skin_make(&def);
                assert_int_equal(skin_check_watertight(skin), 0);
                float *vertices = skin_place(skin, &pose, NULL);
                double inside, joint;
                longest_steps(skin, vertices, &inside, &joint);
                if (told) {
                    assert_true(joint < 1.2 * inside);
                    smooth = fmax(inside, joint);
                    assert_true(skin->closing_turn != 0);
                    assert_near(remainder(skin->closing_turn + 2 * SKIN_PI * cases[i].jump, 2 * SKIN_PI), 0, 0.14);
                } else {
                    assert_true(skin->closing_turn == 0);
                    // else the jump is drawn as a twist: the test can tell
                    assert_true(fmax(inside, joint) > 1.2 * smooth);
                }
                assert_true(skin_volume(skin, vertices) > 0);
                free(vertices);
                cdg_skin_destroy(skin);
            }
        }
    }
    // frames that close up, and frames with ordinary twist, are not taken for jumps
    for (size_t turns = 0; turns < 6; turns++) {
        cdg_random random = {50 + turns};
        smooth_rod_make(&rod, &random, true, 0.02, (double)turns);
        cut_rod_make(&cut, &rod, 48, 0.2, &random, &cases[0].section, &cases[0].section);
        for (size_t j = 0; j < 48; j++) {
            if (random_unit(&random) < 0.5) cut.frames[j] = quat_negate(cut.frames[j]);
        }
        cdg_skin_def def = cut_rod_def(&cut, 0, 0);
        def.frames = cut.frames;
        cdg_skin *skin = skin_make(&def);
        assert_true(skin->closing_turn == 0);
        cdg_skin_destroy(skin);
    }
}

// ---- odd input ------------------------------------------------------------------------------------------------------

static void expect_refusal(const cdg_skin_def *def, const char *part) {
    cdg_skin *skin = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_skin_create(def, &skin, &error), CDG_ERROR_ARGUMENT);
    assert_null(skin);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is missing in: %s", part, error.message);
}

static void test_refusals(void **state) {
    (void)state;
    double lengths[3] = {1, 1, 1};
    cdg_section sections[4];
    for (int i = 0; i < 4; i++) sections[i] = skin_section(CDG_SECTION_TUBE, 0.1);
    cdg_skin_def good = {.element_count = 3, .rest_length = lengths, .sections = sections}, def = good;
    def.element_count = 0;
    expect_refusal(&def, "at least 1");
    def.element_count = 2;
    def.is_closed = true;
    expect_refusal(&def, "at least 3");
    lengths[1] = 0;
    expect_refusal(&good, "element 1");
    lengths[1] = NAN;
    expect_refusal(&good, "element 1");
    lengths[1] = 1;
    sections[2].kind = CDG_SECTION_CIRCLE;
    expect_refusal(&good, "node 2");
    sections[2].kind = CDG_SECTION_TUBE;
    sections[3].inner_radius = NAN;
    expect_refusal(&good, "node 3");
    sections[3].inner_radius = -1;
    expect_refusal(&good, "node 3");
    sections[3].inner_radius = 0.06;
    def = good;
    def.side_count = 1 << 20;
    expect_refusal(&def, "too fine");
    def.side_count = 60000;
    def.rings_per_element = 60000;
    expect_refusal(&def, "too large");
    def.side_count = 1; // rounded up
    def.rings_per_element = 1;
    cdg_skin *skin = skin_make(&def);
    assert_int_equal(skin_check_watertight(skin), 0);
    cdg_skin_destroy(skin);
    cdg_skin_destroy(NULL);
}

// Nothing thick, a tube without bore, a bore that ends: still numbers.
static void test_thin_sections(void **state) {
    (void)state;
    double lengths[2] = {0.5, 0.5};
    cdg_vec3 positions[3] = {{0, 0, 0}, {0, 0, 0.5}, {0, 0, 1}};
    cdg_quat frames[2] = {{1, 0, 0, 0}, {1, 0, 0, 0}};
    cdg_skin_pose pose = {.element_count = 2, .rest_length = lengths, .positions = positions, .frames = frames};
    for (int trial = 0; trial < 10; trial++) {
        cdg_section sections[3];
        for (int i = 0; i < 3; i++) {
            double size = trial < 5 ? 0 : 1e-100;
            sections[i] = skin_section((cdg_section_kind)(trial % CDG_SECTION_KIND_COUNT), size);
            if (trial % 5 == 4)
                sections[i] = (cdg_section){.kind = CDG_SECTION_TUBE, .radius = 1, .inner_radius = 0.1 * i};
        }
        cdg_skin_def def = {.element_count = 2, .rest_length = lengths, .sections = sections};
        cdg_skin *skin = skin_make(&def);
        float *normals, *vertices = skin_place(skin, &pose, &normals);
        for (size_t i = 0; i < 3 * skin->vertex_count; i++) assert_true(isfinite(vertices[i]) && isfinite(normals[i]));
        for (size_t i = 0; i < skin->vertex_count; i++) {
            assert_near(vec3_norm(float_vec3(normals + 3 * i)), 1, 1e-5);
            assert_true(skin->around[i] >= 0 && skin->around[i] < 1);
        }
        free(vertices);
        free(normals);
        cdg_skin_destroy(skin);
    }
    cdg_section solid[3], tube[3];
    for (int i = 0; i < 3; i++) {
        solid[i] = skin_section(CDG_SECTION_CIRCLE, 0.1);
        tube[i] = (cdg_section){.kind = CDG_SECTION_TUBE, .radius = 0.1};
    }
    cdg_skin_def def = {.element_count = 2, .rest_length = lengths, .sections = solid};
    cdg_skin *a = skin_make(&def);
    def.sections = tube;
    cdg_skin *b = skin_make(&def);
    assert_int_equal(a->vertex_count, b->vertex_count);
    assert_memory_equal(a->local, b->local, 3 * a->vertex_count * sizeof *a->local);
    cdg_skin_destroy(a);
    cdg_skin_destroy(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_watertight_and_outward),
        cmocka_unit_test(test_closed_volume),
        cmocka_unit_test(test_open_volume_converges),
        cmocka_unit_test(test_vertices_lie_on_the_outline),
        cmocka_unit_test(test_joints),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_thin_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
