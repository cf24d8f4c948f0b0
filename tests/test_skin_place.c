// A skin in its pose: through the nodes, turned as the material is, the same for any motion and, nearly, any division.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "skin_case.h"
#include "small_world.h"

static cdg_section round_section(double radius) { return (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius}; }

// The station at each node, and the middle of its ring, are the node.
static void test_rings_stand_at_nodes(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {1};
    for (int trial = 0; trial < 60; trial++) {
        bool is_closed = trial % 2 == 1;
        cdg_section section = skin_section((cdg_section_kind)(trial / 2 % CDG_SECTION_KIND_COUNT), 0.004);
        size_t elements = (is_closed ? 3 : 1) + random_bits(&random) % 50, rings = 1 + random_bits(&random) % 5;
        smooth_rod_make(&rod, &random, is_closed, 0.05, 0);
        cut_rod_make(&cut, &rod, elements, 0.5, &random, &section, &section);
        cdg_skin_def def = cut_rod_def(&cut, rings, 0);
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        cdg_vec3 *positions = malloc(skin->station_count * sizeof *positions);
        cdg_quat *frames = malloc(skin->station_count * sizeof *frames);
        assert_true(positions != NULL && frames != NULL);
        assert_int_equal(cdg_skin_place_stations(skin, &pose, positions, frames, NULL), CDG_OK);
        float *vertices = skin_place(skin, &pose, NULL);
        for (size_t i = 0; i < cut.node_count; i++) {
            assert_vec3_near(positions[i * rings], cut.positions[i], 1e-13);
            cdg_vec3 middle = vec3(0, 0, 0);
            for (size_t k = 0; k < skin->ring_size; k++) {
                middle = vec3_add(middle, float_vec3(vertices + 3 * (i * rings * skin->ring_size + k)));
            }
            assert_vec3_near(vec3_scale(1 / (double)skin->ring_size, middle), cut.positions[i], 1e-7);
        }
        for (size_t s = 1; s < skin->station_count; s++) assert_true(quat_dot(frames[s - 1], frames[s]) > 0);
        // vertices are their station's frame times what is stored
        for (size_t i = 0; i < skin->vertex_count; i += 7) {
            size_t s = skin->station_of[i];
            cdg_vec3 expected = vec3_add(positions[s], quat_rotate(frames[s], float_vec3(skin->local + 3 * i)));
            assert_vec3_near(float_vec3(vertices + 3 * i), expected, 1e-7);
        }
        free(vertices);
        free(frames);
        free(positions);
        cdg_skin_destroy(skin);
    }
}

// ---- the twisted ribbon ---------------------------------------------------------------------------------------------

// Largest distance between the ribbon's edges in the skin, the outermost vertices along d1 and -d1, and where the rod's
// own frames have them at the nodes, in parts of the ribbon's width. The frame at a node is halfway, in arc length,
// between those of its elements; the ends are left out, having no frame of their own.
static double edge_error(const cdg_skin *skin, const cdg_skin_pose *pose, double width) {
    float *vertices = skin_place(skin, pose, NULL);
    size_t rings = skin->station_count / pose->element_count;
    double worst = 0;
    for (size_t i = skin->is_closed ? 0 : 1; i < pose->element_count; i++) {
        size_t left = i > 0 ? i - 1 : pose->element_count - 1;
        double fraction = pose->rest_length[left] / (pose->rest_length[left] + pose->rest_length[i]);
        cdg_quat turn = quat_relative(pose->frames[left], pose->frames[i]);
        cdg_quat frame = quat_multiply(pose->frames[left], quat_power(turn, fraction));
        for (int side = -1; side <= 1; side += 2) {
            cdg_vec3 expected = vec3_mad(pose->positions[i], side * width / 2, quat_d1(frame));
            // face 0 looks along d1, face 2 along -d1; each has two vertices, above and below its middle
            const float *face = vertices + 3 * (i * rings * skin->ring_size + (side > 0 ? 0 : 4));
            cdg_vec3 edge = vec3_lerp(float_vec3(face), float_vec3(face + 3), 0.5);
            worst = fmax(worst, vec3_distance(edge, expected) / width);
        }
    }
    free(vertices);
    return worst;
}

static void test_ribbon_edges_follow_the_frames(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {2};
    double worst = 0;
    for (int trial = 0; trial < 200; trial++) {
        bool is_closed = trial % 2 == 1;
        double width = random_in(&random, 0.01, 0.05);
        cdg_section ribbon = {.kind = CDG_SECTION_RECTANGLE, .side = {width, 0.05 * width}};
        double turns = is_closed ? (double)(random_bits(&random) % 5) : random_in(&random, -6, 6);
        smooth_rod_make(&rod, &random, is_closed, 0.02, turns);
        cut_rod_make(&cut, &rod, 100, 0.1, &random, &ribbon, &ribbon);
        cdg_skin_def def = cut_rod_def(&cut, 1 + trial % 3, 0);
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        worst = fmax(worst, edge_error(skin, &pose, width));
        cdg_skin_destroy(skin);
    }
    // What differs is the tangent: of the spline, and of the frames halfway. Second order in the element length, here
    // with up to 0.3 rad from frame to frame. Half a degree of twist too much would be 4.4e-3.
    assert_true(worst < 4e-3);
}

// The same for ribbons that were simulated: clamped at both ends, one turned by several half turns, hanging.
static void test_simulated_ribbon(void **state) {
    (void)state;
    double most_twist = 0;
    for (int trial = 0; trial < 4; trial++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {20e-3, 1e-3}};
        def.centerline.line.to = vec3(0.5, 0, 0);
        def.element_count = 60;
        def.material.young_modulus = 50e6; // not so limp that it folds within an element
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
        small_world_drag(&small, 5);
        cdg_motion motions[2] = {
            {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 2 * SKIN_PI * (trial + 0.5), .from = 0, .to = 0.6},
            {.kind = CDG_MOTION_MOVE, .move = {-0.05, 0, 0}, .from = 0, .to = 0.6}};
        cdg_support_def support = {
            .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = 60}, .motions = motions, .motion_count = 2};
        must(small.world, cdg_world_add_support(small.world, &support, NULL));
        cdg_section sections[61];
        must(small.world, cdg_rod_sections(small.world, small.rod, sections));
        double rest_length[60];
        for (int j = 0; j < 60; j++) rest_length[j] = 0.5 / 60;
        cdg_skin_def skin_def = {.element_count = 60, .rest_length = rest_length, .sections = sections};
        cdg_skin *skin = skin_make(&skin_def);
        cdg_vec3 positions[61];
        cdg_quat frames[60];
        cdg_skin_pose pose = {
            .element_count = 60, .rest_length = rest_length, .positions = positions, .frames = frames};
        for (int output = 0; output < 8; output++) {
            small_world_run(&small, 50);
            must(small.world, cdg_rod_positions(small.world, small.rod, positions));
            must(small.world, cdg_rod_frames(small.world, small.rod, frames));
            // as above; it comes to 0.45 rad from frame to frame
            assert_true(edge_error(skin, &pose, 20e-3) < 4e-3);
        }
        double twist = 0;
        for (int j = 1; j < 60; j++) twist += fabs(quat_relative(frames[j - 1], frames[j]).z) * 2;
        most_twist = fmax(most_twist, twist);
        cdg_skin_destroy(skin);
        cdg_world_destroy(small.world);
    }
    assert_true(most_twist > 4 * SKIN_PI); // there was something to see
}

// ---- symmetries -----------------------------------------------------------------------------------------------------

static void test_rigid_motion_moves_the_skin(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut, moved;
    cdg_random random = {3};
    for (int trial = 0; trial < 40; trial++) {
        bool is_closed = trial % 2 == 1;
        cdg_section section = skin_section((cdg_section_kind)(trial / 2 % CDG_SECTION_KIND_COUNT), 0.01);
        smooth_rod_make(&rod, &random, is_closed, 0.05, 2);
        cut_rod_make(&cut, &rod, 40, 0.3, &random, &section, &section);
        cdg_quat turn = random_rotation(&random);
        cdg_vec3 shift = random_vec3(&random, 1);
        moved = cut;
        for (size_t i = 0; i < cut.node_count; i++) {
            moved.positions[i] = vec3_add(shift, quat_rotate(turn, cut.positions[i]));
        }
        for (size_t j = 0; j < 40; j++) {
            moved.frames[j] = quat_multiply(turn, cut.frames[j]);
            // q and -q are one rotation, and a file's quaternions are unit only to rounding
            if (random_unit(&random) < 0.5) moved.frames[j] = quat_negate(moved.frames[j]);
        }
        cdg_skin_def def = cut_rod_def(&cut, 2, 0);
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose here = cut_rod_pose(&cut), there = cut_rod_pose(&moved);
        float *normals, *moved_normals;
        float *vertices = skin_place(skin, &here, &normals), *moved_vertices = skin_place(skin, &there, &moved_normals);
        for (size_t i = 0; i < skin->vertex_count; i++) {
            cdg_vec3 expected = vec3_add(shift, quat_rotate(turn, float_vec3(vertices + 3 * i)));
            assert_vec3_near(float_vec3(moved_vertices + 3 * i), expected, 1e-6);
            expected = quat_rotate(turn, float_vec3(normals + 3 * i));
            assert_vec3_near(float_vec3(moved_normals + 3 * i), expected, 2e-6);
        }
        free(vertices);
        free(normals);
        free(moved_vertices);
        free(moved_normals);
        cdg_skin_destroy(skin);
    }
}

// Where a closed rod begins does not show.
static void test_closed_rods_have_no_seam(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut, shifted;
    cdg_random random = {4};
    for (int trial = 0; trial < 40; trial++) {
        cdg_section section = skin_section((cdg_section_kind)(trial % CDG_SECTION_KIND_COUNT), 0.01);
        size_t elements = 5 + random_bits(&random) % 40, by = random_bits(&random) % elements, rings = 3;
        smooth_rod_make(&rod, &random, true, 0.02, (double)(elements / 8));
        cut_rod_make(&cut, &rod, elements, 0.3, &random, &section, &section);
        shifted = cut;
        for (size_t i = 0; i < elements; i++) {
            size_t from = (i + by) % elements;
            shifted.positions[i] = cut.positions[from];
            shifted.frames[i] = cut.frames[from];
            shifted.rest_length[i] = cut.rest_length[from];
        }
        cdg_skin_def def = cut_rod_def(&cut, rings, 0), shifted_def = cut_rod_def(&shifted, rings, 0);
        def.frames = cut.frames;
        shifted_def.frames = shifted.frames;
        cdg_skin *a = skin_make(&def), *b = skin_make(&shifted_def);
        cdg_skin_pose pose = cut_rod_pose(&cut), shifted_pose = cut_rod_pose(&shifted);
        float *normals, *shifted_normals;
        float *vertices = skin_place(a, &pose, &normals), *others = skin_place(b, &shifted_pose, &shifted_normals);
        for (size_t i = 0; i < a->vertex_count; i++) {
            size_t s = i / a->ring_size, k = i % a->ring_size;
            size_t other = (s + (elements - by) * rings) % a->station_count * a->ring_size + k;
            assert_vec3_near(float_vec3(vertices + 3 * i), float_vec3(others + 3 * other), 1e-7);
            assert_vec3_near(float_vec3(normals + 3 * i), float_vec3(shifted_normals + 3 * other), 1e-5);
            assert_near(a->around[i], b->around[other], 1e-6);
        }
        free(vertices);
        free(normals);
        free(others);
        free(shifted_normals);
        cdg_skin_destroy(a);
        cdg_skin_destroy(b);
    }
}

// ---- resolution -----------------------------------------------------------------------------------------------------

// The skin of a rod whose elements have just been halved, on the same smooth curve, does not jump.
static void test_refinement_does_not_pop(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod coarse, fine;
    cdg_random random = {5};
    double worst[2] = {0, 0};
    for (int trial = 0; trial < 80; trial++) {
        bool is_closed = trial % 2 == 1;
        cdg_section section = skin_section(trial % 4 < 2 ? CDG_SECTION_CIRCLE : CDG_SECTION_RECTANGLE, 0.01);
        smooth_rod_make(&rod, &random, is_closed, 0.02, 2);
        for (int level = 0; level < 2; level++) {
            size_t elements = level == 0 ? 50 : 100;
            cut_rod_make(&coarse, &rod, elements, 0, &random, &section, &section);
            cut_rod_make(&fine, &rod, 2 * elements, 0, &random, &section, &section);
            cdg_skin_def def = cut_rod_def(&coarse, 3, 0);
            cdg_skin *skin = skin_make(&def);
            cdg_skin_pose before = cut_rod_pose(&coarse), after = cut_rod_pose(&fine);
            float *vertices = skin_place(skin, &before, NULL), *others = skin_place(skin, &after, NULL);
            for (size_t i = 0; i < skin->vertex_count; i++) {
                double moved = vec3_distance(float_vec3(vertices + 3 * i), float_vec3(others + 3 * i));
                worst[level] = fmax(worst[level], moved / 0.01);
            }
            free(vertices);
            free(others);
            cdg_skin_destroy(skin);
        }
    }
    // In parts of the radius: less than one part in a hundred with up to 0.4 rad from frame to frame; second order. At
    // a picture's scale, where a radius is some ten pixels, that is below what is seen.
    assert_true(worst[0] < 0.01);
    assert_true(worst[1] < 0.0025);
}

// The centreline between nodes is the smooth curve, also at the ends, to fourth order; d3 is its tangent, and d1 where
// the curve's frame has it.
static void test_centreline_is_accurate(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_section section = round_section(0.01);
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        double worst[2] = {0, 0}, tangent[2] = {0, 0}, turn[2] = {0, 0};
        for (int level = 0; level < 2; level++) {
            cdg_random random = {6};
            smooth_rod_make(&rod, &random, is_closed == 1, 0.02, 0);
            cut_rod_make(&cut, &rod, level == 0 ? 30 : 60, 0, &random, &section, &section);
            cdg_skin_def def = cut_rod_def(&cut, 4, 0);
            cdg_skin *skin = skin_make(&def);
            cdg_skin_pose pose = cut_rod_pose(&cut);
            cdg_vec3 positions[300], exact;
            cdg_quat frames[300], exact_frame;
            assert_int_equal(cdg_skin_place_stations(skin, &pose, positions, frames, NULL), CDG_OK);
            for (size_t s = 0; s < skin->station_count; s++) {
                smooth_rod_at(&rod, skin->station[s], &exact, &exact_frame);
                worst[level] = fmax(worst[level], vec3_distance(exact, positions[s]));
                tangent[level] = fmax(tangent[level], vec3_distance(quat_d3(exact_frame), quat_d3(frames[s])));
                turn[level] = fmax(turn[level], vec3_distance(quat_d1(exact_frame), quat_d1(frames[s])));
            }
            cdg_skin_destroy(skin);
        }
        assert_true(worst[1] < worst[0] / 10 && worst[1] < 1e-4);
        assert_true(tangent[1] < tangent[0] / 4 && tangent[1] < 4e-3);
        assert_true(turn[1] < turn[0] / 4 && turn[1] < 4e-3);
    }
}

// ---- normals --------------------------------------------------------------------------------------------------------

// Against differences of the surface itself: along the outline and along the rod, finely sampled.
static void test_normals_are_those_of_the_surface(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {7};
    for (int trial = 0; trial < 12; trial++) {
        cdg_section_kind kind = (cdg_section_kind)(trial % CDG_SECTION_KIND_COUNT);
        cdg_section start = skin_section(kind, 0.02), end = start;
        end.radius *= 0.7, end.semi_axis[0] *= 0.5, end.semi_axis[1] *= 0.8, end.side[1] *= 3;
        smooth_rod_make(&rod, &random, false, 0.02, 3);
        cut_rod_make(&cut, &rod, 100, 0, &random, &start, &end);
        cdg_skin_def def = cut_rod_def(&cut, 4, 64);
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        float *normals, *vertices = skin_place(skin, &pose, &normals);
        size_t ring = skin->ring_size, outer = kind == CDG_SECTION_TUBE ? ring / 2 : ring;
        double worst = 0;
        for (size_t s = 8; s + 8 < skin->station_count; s++) {
            for (size_t k = 1; k + 1 < outer; k++) {
                if (kind == CDG_SECTION_RECTANGLE && (k % 17 == 0 || k % 17 == 16)) continue; // corners
                size_t i = s * ring + k;
                cdg_vec3 along = vec3_sub(float_vec3(vertices + 3 * (i + ring)), float_vec3(vertices + 3 * (i - ring)));
                cdg_vec3 around = vec3_sub(float_vec3(vertices + 3 * (i + 1)), float_vec3(vertices + 3 * (i - 1)));
                cdg_vec3 normal = vec3_normalize(vec3_cross(around, along));
                worst = fmax(worst, vec3_distance(normal, float_vec3(normals + 3 * i)));
            }
        }
        // Without the lean by twist a ribbon's normals would be wrong by 0.37, without that by taper by 0.03.
        assert_true(worst < 0.02);
        free(vertices);
        free(normals);
        cdg_skin_destroy(skin);
    }
}

// ---- values ---------------------------------------------------------------------------------------------------------

static void test_spread_is_linear(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut, other;
    cdg_random random = {8};
    cdg_section section = round_section(0.01);
    for (int trial = 0; trial < 40; trial++) {
        smooth_rod_make(&rod, &random, false, 0.02, 0);
        size_t elements = 1 + random_bits(&random) % 30;
        cut_rod_make(&cut, &rod, elements, 0.4, &random, &section, &section);
        cut_rod_make(&other, &rod, 1 + random_bits(&random) % 30, 0.4, &random, &section, &section);
        cdg_skin_def def = cut_rod_def(&other, 3, 0); // a skin made for another division
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        double at_nodes[40], at_middles[40], out[200], length = rod.arc[SMOOTH_SAMPLES], arc = 0;
        for (size_t j = 0; j < elements; j++) {
            at_nodes[j] = 2 + 3 * arc / length;
            at_middles[j] = 2 + 3 * (arc + cut.rest_length[j] / 2) / length;
            arc += cut.rest_length[j];
        }
        at_nodes[elements] = 5;
        cdg_skin_spread(skin, &pose, at_nodes, false, out);
        for (size_t s = 0; s < skin->station_count; s++) assert_near(out[s], 2 + 3 * skin->station[s], 1e-9);
        cdg_skin_spread(skin, &pose, at_middles, true, out);
        for (size_t s = 0; s < skin->station_count; s++) {
            double expected = 2 + 3 * skin->station[s];
            assert_near(out[s], fmin(fmax(expected, at_middles[0]), at_middles[elements - 1]), 1e-9);
        }
        cdg_skin_destroy(skin);
    }
    // closed: between the last and the first, too
    smooth_rod_make(&rod, &random, true, 0, 0);
    cut_rod_make(&cut, &rod, 4, 0, &random, &section, &section);
    cdg_skin_def def = cut_rod_def(&cut, 4, 0);
    cdg_skin *skin = skin_make(&def);
    cdg_skin_pose pose = cut_rod_pose(&cut);
    const double values[4] = {1, 0, 0, 0};
    double out[16];
    const double nodes[16] = {1, 0.75, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25, 0.5, 0.75};
    const double middles[16] = {0.5, 0.75, 1, 0.75, 0.5, 0.25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0.25};
    cdg_skin_spread(skin, &pose, values, false, out);
    for (size_t s = 0; s < 16; s++) assert_near(out[s], nodes[s], 1e-12);
    cdg_skin_spread(skin, &pose, values, true, out);
    for (size_t s = 0; s < 16; s++) assert_near(out[s], middles[s], 1e-12);
    cdg_skin_destroy(skin);
}

// ---- odd poses ------------------------------------------------------------------------------------------------------

// Curled tighter than thick, pressed to a point, folded back, random: numbers all the same.
static void test_wild_poses(void **state) {
    (void)state;
    static cut_rod cut;
    cdg_random random = {9};
    for (int trial = 0; trial < 200; trial++) {
        size_t elements = 3 + random_bits(&random) % 20;
        cut.is_closed = trial % 2 == 1;
        cut.element_count = elements;
        cut.node_count = elements + !cut.is_closed;
        for (size_t i = 0; i <= elements; i++) {
            double angle = 0.8 * (double)i;
            cut.positions[i] = trial % 5 == 0   ? vec3(0.002 * cos(angle), 0.002 * sin(angle), 1e-4 * (double)i)
                               : trial % 5 == 1 ? vec3(0, 0, 0)
                               : trial % 5 == 2 ? vec3((double)(i % 2), 0, 0)
                                                : random_vec3(&random, trial % 5 == 3 ? 1 : 1e6);
            cut.sections[i] = skin_section((cdg_section_kind)(trial / 2 % CDG_SECTION_KIND_COUNT), 0.01);
        }
        for (size_t j = 0; j < elements; j++) {
            cut.rest_length[j] = random_in(&random, 1e-3, 1);
            cut.frames[j] = trial % 5 == 2 ? quat(0, 0, 1, 0) : random_rotation(&random);
        }
        cdg_skin_def def = cut_rod_def(&cut, 0, 0);
        def.frames = cut.frames;
        cdg_skin *skin = skin_make(&def);
        cdg_skin_pose pose = cut_rod_pose(&cut);
        float *normals, *vertices = skin_place(skin, &pose, &normals);
        for (size_t i = 0; i < skin->vertex_count; i++) {
            assert_true(vec3_is_finite(float_vec3(vertices + 3 * i)));
            assert_near(vec3_norm(float_vec3(normals + 3 * i)), 1, 1e-5);
        }
        free(vertices);
        free(normals);
        cdg_skin_destroy(skin);
    }
}

static void test_refused_poses(void **state) {
    (void)state;
    static smooth_rod rod;
    static cut_rod cut;
    cdg_random random = {10};
    cdg_section section = round_section(0.01);
    smooth_rod_make(&rod, &random, true, 0.02, 0);
    cut_rod_make(&cut, &rod, 8, 0, &random, &section, &section);
    cdg_skin_def def = cut_rod_def(&cut, 0, 0);
    cdg_skin *skin = skin_make(&def);
    float *vertices = malloc(3 * skin->vertex_count * sizeof *vertices);
    cdg_error error;
    cdg_skin_pose pose = cut_rod_pose(&cut);
    pose.element_count = 2;
    assert_int_equal(cdg_skin_place(skin, &pose, vertices, NULL, &error), CDG_ERROR_ARGUMENT);
    pose.element_count = 8;
    cut.positions[3].y = NAN;
    assert_int_equal(cdg_skin_place(skin, &pose, vertices, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "node 3"));
    cut.positions[3].y = 0;
    cut.frames[5] = quat(0, 0, 0, 0);
    assert_int_equal(cdg_skin_place_stations(skin, &pose, NULL, NULL, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "element 5"));
    cut.frames[5] = quat(2, 0, 0, 0); // only its direction counts
    cut.rest_length[1] = -1;
    assert_int_equal(cdg_skin_place(skin, &pose, vertices, NULL, &error), CDG_ERROR_ARGUMENT);
    cut.rest_length[1] = 0.1;
    assert_int_equal(cdg_skin_place(skin, &pose, vertices, NULL, &error), CDG_OK);
    free(vertices);
    cdg_skin_destroy(skin);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rings_stand_at_nodes),
        cmocka_unit_test(test_ribbon_edges_follow_the_frames),
        cmocka_unit_test(test_simulated_ribbon),
        cmocka_unit_test(test_rigid_motion_moves_the_skin),
        cmocka_unit_test(test_closed_rods_have_no_seam),
        cmocka_unit_test(test_refinement_does_not_pop),
        cmocka_unit_test(test_centreline_is_accurate),
        cmocka_unit_test(test_normals_are_those_of_the_surface),
        cmocka_unit_test(test_spread_is_linear),
        cmocka_unit_test(test_wild_poses),
        cmocka_unit_test(test_refused_poses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
