// Strands: guides on the patch, their curves and clamps, fibres and their weights, seeds; what is refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "nets/strands_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cdg_strands_def make(size_t guides, size_t fibers) {
    cdg_strands_def def = cdg_strands_def_default();
    def.name = "tress";
    def.guide_count = guides;
    def.fiber_count = fibers;
    def.element_count = 20;
    return def;
}

static cdg_strands *expand(const cdg_strands_def *def) {
    cdg_strands *out = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_strands_expand(def, &out, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return out;
}

static void test_guides(void **state) {
    (void)state;
    for (int round = 0; round < 4; round++) {
        cdg_strands_def def = make(round == 0 ? 1 : 12, 5);
        def.roots =
            (cdg_patch){.kind = CDG_PATCH_CAP, .center = {0, 0, 1}, .axis = {0, 1, 1}, .radius = 0.1, .angle = 1};
        def.curl_radius = round >= 2 ? 0.01 : 0;
        def.has_direction = round == 3;
        def.direction = vec3(0, 0, -2);
        cdg_motion motions[2] = {{.kind = CDG_MOTION_MOVE, .move = {1, 0, 0}, .to = 1},
                                 {.kind = CDG_MOTION_ROTATE, .axis = {0, 0, 1}, .angle = 1, .to = 1}};
        def.motions = motions;
        def.motion_count = 2;
        cdg_strands *s = expand(&def);
        assert_int_equal(s->rod_count, def.guide_count);
        assert_string_equal(s->name, "tress");
        for (size_t i = 0; i < s->rod_count; i++) {
            const cdg_rod_def *rod = &s->rods[i];
            char name[30];
            snprintf(name, sizeof name, "tress.g%zu", i);
            assert_string_equal(rod->name, name);
            assert_int_equal(rod->rest.kind, CDG_REST_INITIAL);
            cdg_vec3 nodes[21];
            double length;
            assert_int_equal(cdg_centerline_sample(&rod->centerline, rod->element_count, nodes, NULL), CDG_OK);
            assert_int_equal(cdg_centerline_length(&rod->centerline, &length, NULL), CDG_OK);
            assert_near(length, def.length, 1e-12);
            cdg_vec3 away = vec3_sub(nodes[0], def.roots.center);
            assert_near(vec3_norm(away), 0.1, 1e-12);
            cdg_vec3 along = def.has_direction ? vec3(0, 0, -1) : vec3_normalize(away);
            double reach = vec3_dot(vec3_sub(nodes[20], nodes[0]), along);
            if (def.curl_radius == 0)
                assert_near(reach, def.length, 1e-12);
            else
                assert_true(reach > 0 && reach < 0.8 * def.length);
            const cdg_support_def *clamp = &s->clamps[i];
            assert_true(clamp->kind == CDG_SUPPORT_CLAMP && clamp->place.rod.index1 == i + 1 &&
                        clamp->place.index == 0);
            assert_int_equal(clamp->motion_count, 2);
            assert_true(clamp->motions[1].has_center); // all roots turn together
            assert_vec3_near(clamp->motions[1].center, def.roots.center, 0);
        }
        cdg_strands_destroy(s);
    }
}

static void weigh(const cdg_vec3 *guides, size_t count, cdg_vec3 root, double clump, uint32_t chosen[CDG_FIBER_GUIDES],
                  double weights[CDG_FIBER_GUIDES]) {
    cdg_guide_root sorted[400];
    assert_true(count <= 400);
    cdg_strands_sort(guides, count, sorted);
    cdg_strands_weigh(sorted, count, root, clump, chosen, weights);
}

// The same guides as by looking at all of them, also where several are equally far or have the same x.
static void test_nearest(void **state) {
    (void)state;
    enum { MANY = 400, TRIES = 2000 };
    cdg_random random = {11};
    cdg_vec3 guides[MANY];
    for (int is_grid = 0; is_grid < 2; is_grid++) {
        for (int i = 0; i < MANY; i++)
            guides[i] = is_grid ? vec3(i % 20, i / 20 % 5, i / 100)
                                : vec3(random_unit(&random), random_unit(&random), random_unit(&random));
        for (int t = 0; t < TRIES; t++) {
            cdg_vec3 root = is_grid ? vec3((double)(random_bits(&random) % 20), (double)(random_bits(&random) % 5), 0.5)
                                    : vec3(random_in(&random, -0.5, 1.5), random_unit(&random), random_unit(&random));
            uint32_t chosen[CDG_FIBER_GUIDES];
            double weights[CDG_FIBER_GUIDES];
            weigh(guides, MANY, root, 0, chosen, weights);
            bool is_taken[MANY] = {false};
            for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
                int best = -1;
                for (int i = 0; i < MANY; i++)
                    if (!is_taken[i] &&
                        (best < 0 || vec3_distance(guides[i], root) < vec3_distance(guides[best], root)))
                        best = i;
                is_taken[best] = true;
                assert_int_equal(chosen[k], best);
            }
        }
    }
}

// Sums, nearest guides, all to the nearest with clump 1, exactly one on a guide; and no jumps: a small move of the root
// changes weights little, whichever guides are the nearest ones.
static void test_weights(void **state) {
    (void)state;
    enum { MANY = 30 };
    cdg_random random = {3};
    cdg_vec3 guides[MANY];
    for (int i = 0; i < MANY; i++) guides[i] = vec3(random_unit(&random), random_unit(&random), 0);
    uint32_t chosen[CDG_FIBER_GUIDES];
    double weights[CDG_FIBER_GUIDES];
    double before[MANY] = {0};
    for (int step = 0; step <= 20000; step++) {
        cdg_vec3 root = vec3(step / 20000.0, 0.3 + 0.4 * step / 20000.0, 0);
        weigh(guides, MANY, root, 0, chosen, weights);
        double now[MANY] = {0}, sum = 0;
        for (int k = 0; k < CDG_FIBER_GUIDES; k++) {
            assert_true(weights[k] >= 0 && (k == 0 || weights[k] <= weights[k - 1] + 1e-12));
            now[chosen[k]] += weights[k];
            sum += weights[k];
        }
        assert_near(sum, 1, 1e-12);
        for (int i = 0; i < MANY; i++) {
            assert_true(vec3_distance(guides[i], root) >= vec3_distance(guides[chosen[0]], root));
            if (step > 0) assert_near(now[i], before[i], 0.01);
            before[i] = now[i];
        }
    }
    weigh(guides, MANY, vec3(0.5, 0.5, 0), 1, chosen, weights);
    assert_near(weights[0], 1, 1e-15);
    weigh(guides, MANY, guides[7], 0, chosen, weights);
    assert_int_equal(chosen[0], 7);
    assert_near(weights[0], 1, 0);
    for (size_t count = 1; count <= 4; count++) { // few, and all at one place
        cdg_vec3 same[4] = {{1, 0, 0}, {1, 0, 0}, {1, 0, 0}, {1, 0, 0}};
        weigh(same, count, vec3(0, 0, 0), 0, chosen, weights);
        assert_near(weights[0] + weights[1] + weights[2], 1, 1e-12);
        for (int k = 0; k < CDG_FIBER_GUIDES; k++) assert_true(chosen[k] < count && weights[k] >= 0);
    }
}

static void test_fibers(void **state) {
    (void)state;
    cdg_strands_def def = make(5, 400);
    def.fiber_curl_radius = 2e-3;
    def.frizz = 1e-3;
    def.length_variation = 0.3;
    def.taper = 0.25;
    def.rod.section.radius = 4e-5;
    cdg_strands *s = expand(&def);
    const cdg_fibers *fibers = &s->fibers;
    assert_true(fibers->fiber_count == 400 && fibers->guide_count == 5 && fibers->node_count == 21);
    assert_near(fibers->spread[0], 1, 0);
    assert_near(fibers->spread[20], 0.25, 1e-15);
    assert_near(fibers->radius, 4e-5, 0);
    double shortest = 1, most = 0, mean = 0;
    for (size_t f = 0; f < 400; f++) {
        assert_true(vec3_norm(fibers->roots[f]) <= def.roots.radius);
        assert_vec3_near(fibers->offsets[f * 21], vec3(0, 0, 0), 0); // fibres begin at their roots
        for (size_t i = 0; i < 21; i++) {
            cdg_vec3 offset = fibers->offsets[f * 21 + i];
            assert_near(offset.z, 0, 0);
            most = fmax(most, vec3_norm(offset));
        }
        shortest = fmin(shortest, fibers->lengths[f]);
        mean += fibers->lengths[f] / 400;
        assert_true(fibers->lengths[f] <= 1);
    }
    assert_true(shortest >= 0.7 && shortest < 0.72);
    assert_near(mean, 0.9, 0.02); // the square of an even number has mean 1/3
    assert_true(most > 2e-3 && most < 2e-3 * 1.16 + 3e-3);
    cdg_strands_destroy(s);
}

// The same seed, the same strands; another number of fibres leaves the guides alone.
static void test_seed(void **state) {
    (void)state;
    cdg_strands_def def = make(6, 50);
    def.curl_radius = 5e-3;
    def.variation = 0.5;
    cdg_strands *a = expand(&def), *b = expand(&def);
    assert_memory_equal(a->fibers.offsets, b->fibers.offsets, 50 * 21 * sizeof(cdg_vec3));
    assert_memory_equal(a->fibers.roots, b->fibers.roots, 50 * sizeof(cdg_vec3));
    cdg_strands_destroy(b);
    def.fiber_count = 70;
    b = expand(&def);
    for (size_t i = 0; i < 6; i++) {
        assert_near(a->rods[i].centerline.helix.radius, b->rods[i].centerline.helix.radius, 0);
        assert_vec3_near(a->rods[i].centerline.helix.base, b->rods[i].centerline.helix.base, 0);
    }
    cdg_strands_destroy(b);
    def.seed = 2;
    b = expand(&def);
    assert_true(a->rods[3].centerline.helix.radius != b->rods[3].centerline.helix.radius);
    cdg_strands_destroy(a);
    cdg_strands_destroy(b);
    cdg_strands_destroy(NULL);
}

static void refused(cdg_strands_def def, const char *part) {
    cdg_strands *out = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_strands_expand(&def, &out, &error), CDG_ERROR_ARGUMENT);
    assert_null(out);
    if (strstr(error.message, part) == NULL) fail_msg("'%s' is not in: %s", part, error.message);
}

static void test_refused(void **state) {
    (void)state;
    cdg_strands_def good = make(3, 10), def = good;
    def.name = "";
    refused(def, "name");
    def = good, def.guide_count = 0;
    refused(def, "0 guides");
    def = good, def.fiber_count = 3000000;
    refused(def, "nodes together");
    def = good, def.element_count = 0;
    refused(def, "nodes together");
    def = good, def.length = -1;
    refused(def, "the length is -1");
    def = good, def.curl_radius = 1, def.curl_pitch = 0;
    refused(def, "the pitch of the curl is 0");
    def = good, def.frizz = NAN;
    refused(def, "frizz");
    def = good, def.clump = 1.5;
    refused(def, "clump is 1.5");
    def = good, def.length_variation = 1;
    refused(def, "length_variation");
    def = good, def.has_direction = true, def.direction = vec3(0, 0, 0);
    refused(def, "direction");
    def = good, def.roots.radius = 0;
    refused(def, "strands 'tress': roots: the radius");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_guides),  cmocka_unit_test(test_nearest),
                                       cmocka_unit_test(test_weights), cmocka_unit_test(test_fibers),
                                       cmocka_unit_test(test_seed),    cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
