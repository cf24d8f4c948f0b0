// Sphere trees: spheres enclose their points under any deformation, are not much larger than they need be, and searches
// find every pair of points that is near, at the cost of hardly more spheres than with the smallest ones.
// CORDAGE_SPHERE_DEFORMATIONS in the environment sets how many deformations are tried.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "solids/sphere_tree.h"

enum { POINTS = 203 };

typedef struct cloud {
    cdg_vec3 rest[POINTS];
    double place[3][POINTS], *x[3];
    cdg_sphere_tree tree;
} cloud;

static void make_cloud(cloud *c, bool is_quadratic, int shape, cdg_random *random) {
    cdg_error error;
    for (int k = 0; k < 3; k++) c->x[k] = c->place[k];
    for (int i = 0; i < POINTS; i++) { // a ball's surface, a box, a plane, a line, one place; away from the origin
        cdg_vec3 p = random_vec3(random, 1);
        if (shape == 0) p = vec3_normalize(p);
        if (shape == 2) p.z = 0;
        if (shape == 3) p.y = p.z = 0;
        if (shape == 4) p = vec3(0, 0, 0);
        c->rest[i] = vec3_add(vec3(5, -3, 2), p);
    }
    assert_int_equal(cdg_sphere_tree_build(&c->tree, c->rest, POINTS, is_quadratic, &error), CDG_OK);
}

// An affine map, bent, with noise; sizes up to `most`.
static void deform(cloud *c, double most, cdg_random *random) {
    double a[3][3], q[3][6], noise = random_unit(random) < 0.5 ? 0 : 0.3 * most * random_unit(random);
    double bend = random_unit(random) < 0.5 ? 0 : most;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 6; k++) {
            if (k < 3) a[i][k] = (i == k) + random_in(random, -most, most);
            q[i][k] = random_in(random, -bend, bend);
        }
    cdg_quat turn = random_rotation(random);
    cdg_vec3 shift = random_vec3(random, 10);
    for (int n = 0; n < POINTS; n++) {
        cdg_vec3 p = vec3_sub(c->rest[n], vec3(5, -3, 2));
        double v[3] = {p.x, p.y, p.z}, w[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.y * p.z, p.z * p.x}, y[3];
        for (int i = 0; i < 3; i++) {
            y[i] = 0;
            for (int k = 0; k < 3; k++) y[i] += a[i][k] * v[k];
            for (int k = 0; k < 6; k++) y[i] += 0.5 * q[i][k] * w[k];
        }
        cdg_vec3 at = vec3_add(quat_rotate(turn, vec3(y[0], y[1], y[2])), shift);
        if (noise > 0) at = vec3_add(at, random_vec3(random, noise));
        c->x[0][n] = at.x, c->x[1][n] = at.y, c->x[2][n] = at.z;
    }
}

static void check_enclosed(cloud *c) {
    cdg_sphere_tree_move(&c->tree, c->x, NULL);
    for (size_t n = 0; n < c->tree.node_count; n++) {
        cdg_sphere s = cdg_sphere_tree_get(&c->tree, n);
        const sphere_node *node = &c->tree.nodes[n];
        for (uint32_t i = node->first; i < node->first + node->count; i++) {
            uint32_t k = c->tree.index[i];
            double away = vec3_distance(vec3(c->x[0][k], c->x[1][k], c->x[2][k]), s.center);
            if (!(away <= s.radius * (1 + 1e-12) + 1e-13)) fail_msg("node %zu: %.17g > %.17g", n, away, s.radius);
        }
    }
}

static void test_spheres_enclose(void **state) {
    (void)state;
    const char *wanted = getenv("CORDAGE_SPHERE_DEFORMATIONS");
    long count = wanted != NULL ? strtol(wanted, NULL, 10) : 3000;
    cloud *c = calloc(1, sizeof *c);
    for (int shape = 0; shape < 5; shape++)
        for (int kind = 0; kind < 2; kind++) {
            cdg_random random = {(uint64_t)(100 + 2 * shape + kind)};
            make_cloud(c, kind == 1, shape, &random);
            for (long n = 0; n < count / 10; n++) {
                deform(c, n % 3 == 0 ? 3 : 0.5, &random);
                check_enclosed(c);
            }
            cdg_sphere_tree_free(&c->tree);
        }
    free(c);
}

// Against the smallest balls about the same points, at moderate deformation: the mean over spheres.
static void test_spheres_are_not_much_too_large(void **state) {
    (void)state;
    cloud *c = calloc(1, sizeof *c);
    cdg_random random = {1};
    for (int kind = 0; kind < 2; kind++) {
        double sum = 0, count = 0;
        make_cloud(c, kind == 1, 1, &random);
        for (int round = 0; round < 20; round++) {
            deform(c, 0, &random);
            for (int n = 0; n < POINTS; n++) { // stretched by a tenth, and bent a little in the second kind
                double z = c->x[2][n] - c->x[2][0];
                c->x[0][n] += 0.1 * (c->x[0][n] - c->x[0][0]) + (kind == 1 ? 0.05 * z * z : 0);
            }
            cdg_sphere_tree_move(&c->tree, c->x, NULL);
            for (size_t n = 0; n < c->tree.node_count; n++) {
                const sphere_node *node = &c->tree.nodes[n];
                cdg_sphere best = cdg_sphere_around(c->tree.x, node->first, node->count, NULL);
                sum += cdg_sphere_tree_get(&c->tree, n).radius / best.radius, count++;
            }
        }
        if (!(sum / count < 1.3)) print_error("mean radius over the smallest: %g\n", sum / count);
        assert_true(sum / count < 1.3);
        cdg_sphere_tree_free(&c->tree);
    }
    free(c);
}

// The search plainly: how many pairs there are.
static size_t count_plainly(cdg_sphere_tree *a, cdg_sphere_tree *b, uint32_t i, uint32_t j, uint32_t level) {
    cdg_sphere one = cdg_sphere_tree_get(a, i), other = cdg_sphere_tree_get(b, j);
    if (vec3_distance(one.center, other.center) > one.radius + other.radius) return 0;
    const sphere_node *p = &a->nodes[i], *q = &b->nodes[j];
    bool can_a = p->child != 0 && p->level < level, can_b = q->child != 0 && q->level < level;
    if (!can_a && !can_b) return 1;
    if (can_a && (!can_b || one.radius >= other.radius))
        return count_plainly(a, b, p->child, j, level) + count_plainly(a, b, p->child + 1, j, level);
    return count_plainly(a, b, i, q->child, level) + count_plainly(a, b, i, q->child + 1, level);
}

// Every pair of points that is nearer than nothing is in a pair of leaves that is found.
static void test_searches_find_what_meets(void **state) {
    (void)state;
    cloud *c = calloc(2, sizeof *c);
    cdg_random random = {8};
    sphere_pairs found = {0};
    for (int k = 0; k < 2; k++) make_cloud(&c[k], true, 1, &random);
    for (int round = 0; round < 20; round++) {
        for (int k = 0; k < 2; k++) {
            deform(&c[k], 0.3, &random);
            for (int n = 0; n < POINTS; n++) c[k].x[0][n] -= k == 0 ? c[0].x[0][0] : c[1].x[0][0];
            for (int n = 0; n < POINTS; n++) c[k].x[1][n] -= k == 0 ? c[0].x[1][0] : c[1].x[1][0];
            for (int n = 0; n < POINTS; n++) c[k].x[2][n] -= k == 0 ? c[0].x[2][0] : c[1].x[2][0];
            cdg_sphere_tree_move(&c[k].tree, c[k].x, NULL);
        }
        size_t counts[3];
        for (int k = 0; k < 2; k++) cdg_sphere_tree_refresh(&c[k].tree, 3);
        uint64_t asked = c[0].tree.updates + c[1].tree.updates;
        for (uint32_t level = 2; level < 5; level++) {
            found.count = 0;
            assert_int_equal(c[0].tree.updates + c[1].tree.updates, asked); // down to level 3 all are there
            assert_true(cdg_sphere_trees_meet(&c[0].tree, &c[1].tree, level == 4 ? 100 : level, &found));
            counts[level - 2] = found.count;
            assert_int_equal(found.count, count_plainly(&c[0].tree, &c[1].tree, 0, 0, level == 4 ? 100 : level));
            for (size_t i = 0; i < found.count; i++)
                assert_true(c[0].tree.nodes[found.pairs[i].a].level <= (level == 4 ? 100 : level));
        }
        assert_true(counts[0] <= 16 && counts[1] <= 64);
        bool is_found = false; // points number 0 are at one place
        for (size_t i = 0; i < found.count; i++) {
            bool holds[2] = {false, false};
            for (int k = 0; k < 2; k++) {
                const sphere_node *node = &c[k].tree.nodes[k == 0 ? found.pairs[i].a : found.pairs[i].b];
                for (uint32_t p = node->first; p < node->first + node->count; p++)
                    holds[k] = holds[k] || c[k].tree.index[p] == 0;
            }
            is_found = is_found || (holds[0] && holds[1]);
        }
        assert_true(is_found);
    }
    for (int k = 0; k < 2; k++) cdg_sphere_tree_free(&c[k].tree);
    cdg_sphere_pairs_free(&found);
    free(c);
}

static void test_nothing_is_refused(void **state) {
    (void)state;
    cdg_sphere_tree tree;
    cdg_error error;
    assert_int_equal(cdg_sphere_tree_build(&tree, NULL, 0, true, &error), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_spheres_enclose), cmocka_unit_test(test_spheres_are_not_much_too_large),
        cmocka_unit_test(test_searches_find_what_meets), cmocka_unit_test(test_nothing_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
