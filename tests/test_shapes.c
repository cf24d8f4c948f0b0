// Shapes of structures: how many rods, elements, points and joints; joined nodes lie at one point; sizes and axes;
// names; what is refused. Expanding is in structure.c, so that this tests both sides of structure_build.h.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "nets/structure_build.h"

#define PI 3.14159265358979323846

static cdg_structure_def make(cdg_structure_kind kind, size_t elements) {
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "s";
    def.kind = kind;
    def.element_count = elements;
    return def;
}

static cdg_structure *expand(const cdg_structure_def *def) {
    cdg_structure *out = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_structure_expand(def, &out, &error);
    if (result != CDG_OK) print_error("%s\n", error.message);
    assert_int_equal(result, CDG_OK);
    return out;
}

static cdg_vec3 *nodes_of(const cdg_rod_def *rod, size_t *count) {
    cdg_error error;
    *count = rod->element_count + !cdg_centerline_is_closed(&rod->centerline);
    cdg_vec3 *nodes = calloc(*count, sizeof *nodes);
    assert_non_null(nodes);
    assert_int_equal(cdg_centerline_sample(&rod->centerline, rod->element_count, nodes, &error), CDG_OK);
    return nodes;
}

static cdg_vec3 node_at(const cdg_structure *s, cdg_place place) {
    size_t count;
    cdg_vec3 *nodes = nodes_of(&s->rods[place.rod.index1 - 1], &count);
    assert_true(place.index < count && place.kind == CDG_PLACE_NODE);
    cdg_vec3 out = nodes[place.index];
    free(nodes);
    return out;
}

// Every joint's nodes lie at one point and are different; returns points, elements and orientation elements in all.
typedef struct tally {
    size_t points, elements, orientations;
} tally;

static tally check_joints(const cdg_structure *s) {
    tally sum = {0};
    for (size_t i = 0; i < s->rod_count; i++) {
        bool is_closed = cdg_centerline_is_closed(&s->rods[i].centerline);
        sum.elements += s->rods[i].element_count;
        sum.points += s->rods[i].element_count + !is_closed;
        sum.orientations += s->rods[i].element_count - !is_closed;
        for (size_t k = 0; k < i; k++) assert_string_not_equal(s->rods[i].name, s->rods[k].name);
    }
    for (size_t j = 0; j < s->joint_count; j++) {
        const cdg_joint_def *joint = &s->joints[j];
        assert_true(joint->place_count >= 2);
        size_t segments = 0, own = 0;
        for (size_t m = 0; m < joint->place_count; m++) {
            assert_vec3_near(node_at(s, joint->places[m]), node_at(s, joint->places[0]), 1e-12);
            const cdg_rod_def *rod = &s->rods[joint->places[m].rod.index1 - 1];
            bool is_end = !cdg_centerline_is_closed(&rod->centerline) &&
                          (joint->places[m].index == 0 || joint->places[m].index == rod->element_count);
            segments += is_end ? 1 : 2;
            own += is_end ? 0 : 1;
        }
        sum.points -= joint->place_count - 1;
        sum.orientations += segments * (segments - 1) / 2 - own;
    }
    return sum;
}

static void test_nets_of_the_paper(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_NET, 5);
    def.net.threads[0] = def.net.threads[1] = 10; // figure 16 a: 0.8, 0.9 and 1.1 thousand
    cdg_structure *net = expand(&def);
    tally coarse = check_joints(net);
    assert_int_equal(net->rod_count, 20);
    assert_int_equal(net->joint_count, 100);
    assert_int_equal(coarse.points, 820);
    assert_int_equal(coarse.elements, 900);
    assert_int_equal(coarse.orientations, 1204);
    cdg_structure_destroy(net);
    def.net.threads[0] = def.net.threads[1] = 20; // figure 16 c: 1.2, 1.5 and 3 thousand
    def.element_count = 2;
    net = expand(&def);
    tally dense = check_joints(net);
    assert_int_equal(dense.points, 1160);
    assert_int_equal(dense.elements, 1520);
    assert_int_equal(dense.orientations, 2924);
    cdg_structure_destroy(net);
}

static void test_a_net_of_unequal_sides(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_NET, 3);
    def.net.size[0] = 2;
    def.net.threads[0] = 3;
    def.net.threads[1] = 5;
    def.joint_stiffness = 0.5;
    cdg_structure *net = expand(&def);
    check_joints(net);
    assert_int_equal(net->rod_count, 8);
    assert_string_equal(net->rods[2].name, "s.h2");
    assert_string_equal(net->rods[3].name, "s.v0");
    assert_int_equal(net->rods[0].element_count, 12); // along x there are four meshes
    assert_int_equal(net->rods[3].element_count, 6);
    assert_vec3_near(net->rods[2].centerline.line.to, vec3(2, 1, 0), 1e-15);
    for (size_t j = 0; j < net->joint_count; j++) assert_near(net->joints[j].stiffness, 0.5, 0);
    cdg_structure_destroy(net);
}

static void test_the_ribbon_of_the_paper(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_RIBBON, 1);
    def.ribbon.bays = 42; // figure 12: 86 points and 127 quaternions
    cdg_structure *ribbon = expand(&def);
    tally sum = check_joints(ribbon);
    assert_int_equal(sum.points, 86);
    assert_int_equal(sum.elements, 127);
    assert_string_equal(ribbon->rods[0].name, "s.left");
    assert_string_equal(ribbon->rods[1].name, "s.right");
    assert_string_equal(ribbon->rods[44].name, "s.s42");
    cdg_structure_destroy(ribbon);
}

static void test_trusses(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_TRUSS, 2);
    def.truss.bays = 5;
    cdg_structure *truss = expand(&def);
    tally sum = check_joints(truss);
    assert_int_equal(truss->rod_count, 2 + 6 + 5);
    assert_int_equal(truss->joint_count, 12);
    assert_int_equal(sum.points, 12 + 10 + 6 + 5);
    assert_string_equal(truss->rods[1].name, "s.upper");
    assert_string_equal(truss->rods[8].name, "s.d0");
    cdg_structure_destroy(truss);
    def.truss.has_diagonals = false;
    truss = expand(&def);
    assert_int_equal(truss->rod_count, 8);
    check_joints(truss);
    cdg_structure_destroy(truss);
}

static void test_rings_and_chains(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_RING, 12);
    cdg_structure *ring = expand(&def);
    assert_int_equal(ring->rod_count, 1);
    assert_int_equal(ring->joint_count, 0);
    assert_string_equal(ring->rods[0].name, "s");
    assert_true(cdg_centerline_is_closed(&ring->rods[0].centerline));
    cdg_structure_destroy(ring);
    def = make(CDG_STRUCTURE_CHAIN, 12);
    def.chain.links = 4;
    cdg_structure *chain = expand(&def);
    check_joints(chain);
    assert_int_equal(chain->joint_count, 3);
    assert_near(chain->joints[0].stiffness, 0, 0);
    cdg_structure_destroy(chain);
    def.chain.is_loose = true;
    chain = expand(&def);
    assert_int_equal(chain->joint_count, 0);
    assert_near(chain->rods[1].centerline.circle.center.x - chain->rods[0].centerline.circle.center.x, 0.075, 1e-15);
    cdg_structure_destroy(chain);
}

static void test_spheroids(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_SPHEROID, 20);
    def.spheroid.meridians = 5;
    def.spheroid.height = 3;
    cdg_structure *spheroid = expand(&def);
    check_joints(spheroid);
    assert_int_equal(spheroid->rod_count, 5);
    assert_int_equal(spheroid->joint_count, 2);
    for (size_t i = 0; i < 5; i++) {
        size_t count;
        cdg_vec3 *nodes = nodes_of(&spheroid->rods[i], &count);
        double widest = 0;
        for (size_t n = 0; n < count; n++) {
            double away = hypot(nodes[n].x, nodes[n].y) / 0.5, up = (nodes[n].z - 1.5) / 1.5;
            assert_near(away * away + up * up, 1, 1e-3); // on the ellipse
            widest = fmax(widest, away);
        }
        assert_near(widest, 1, 1e-3);
        assert_vec3_near(nodes[count - 1], vec3(0, 0, 3), 1e-15);
        free(nodes);
    }
    cdg_structure_destroy(spheroid);
}

static void test_trees(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_TREE, 2);
    def.tree.levels = 3;
    def.tree.branches = 2;
    cdg_structure *tree = expand(&def), *same = expand(&def);
    check_joints(tree);
    assert_int_equal(tree->rod_count, 1 + 2 + 4 + 8);
    assert_int_equal(tree->joint_count, 1 + 2 + 4);
    assert_near(tree->rods[1].section.radius, 0.7 * def.rod.section.radius, 1e-18);
    for (size_t i = 0; i < tree->rod_count; i++)
        assert_vec3_near(tree->rods[i].centerline.line.to, same->rods[i].centerline.line.to, 0);
    def.tree.seed = 2;
    cdg_structure *other = expand(&def);
    assert_true(vec3_distance(tree->rods[1].centerline.line.to, other->rods[1].centerline.line.to) > 1e-3);
    cdg_structure_destroy(tree);
    cdg_structure_destroy(same);
    cdg_structure_destroy(other);
    def.tree.levels = 0;
    tree = expand(&def);
    assert_int_equal(tree->rod_count, 1);
    assert_int_equal(tree->joint_count, 0);
    cdg_structure_destroy(tree);
}

// Turned axes move everything rigidly.
static void test_axes_turn_the_whole(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int kind = 0; kind < CDG_STRUCTURE_KIND_COUNT; kind++) {
        bool is_rope = kind == CDG_STRUCTURE_BEND || kind == CDG_STRUCTURE_PRUSIK;
        cdg_structure_def def = make((cdg_structure_kind)kind, is_rope ? 0 : 6);
        cdg_structure *plain = expand(&def);
        cdg_quat turn = random_rotation(&random);
        def.origin = random_vec3(&random, 3);
        def.direction = vec3_scale(3, quat_rotate(turn, vec3(1, 0, 0)));
        def.normal = quat_rotate(turn, vec3(0.4, 0, 2)); // made perpendicular
        cdg_structure *placed = expand(&def);
        assert_int_equal(plain->rod_count, placed->rod_count);
        for (size_t i = 0; i < plain->rod_count; i++) {
            size_t count;
            cdg_vec3 *a = nodes_of(&plain->rods[i], &count), *b = nodes_of(&placed->rods[i], &count);
            for (size_t n = 0; n < count; n++)
                assert_vec3_near(b[n], vec3_add(def.origin, quat_rotate(turn, a[n])), 1e-12);
            free(a);
            free(b);
        }
        check_joints(placed);
        cdg_structure_destroy(plain);
        cdg_structure_destroy(placed);
    }
}

static void refuse(cdg_structure_def def, const char *part) {
    cdg_structure *out = NULL;
    cdg_error error = {0};
    assert_int_equal(cdg_structure_expand(&def, &out, &error), CDG_ERROR_ARGUMENT);
    assert_null(out);
    if (strstr(error.message, part) == NULL) print_error("'%s' is not in '%s'\n", part, error.message);
    assert_non_null(strstr(error.message, part));
}

static void test_what_is_refused(void **state) {
    (void)state;
    cdg_structure_def def = make(CDG_STRUCTURE_NET, 4);
    def.net.threads[1] = 1;
    refuse(def, "1 threads in one direction; it needs 2");
    def = make(CDG_STRUCTURE_NET, 0);
    refuse(def, "0 elements");
    def = make(CDG_STRUCTURE_NET, 4);
    def.net.size[0] = -1;
    refuse(def, "the size is -1 m");
    def.net.size[0] = NAN;
    refuse(def, "the size");
    def = make(CDG_STRUCTURE_NET, 1000);
    def.net.threads[0] = def.net.threads[1] = 9000;
    refuse(def, "more than 100000 rods or 10000000 elements");
    def = make(CDG_STRUCTURE_NET, 4);
    def.name = "";
    refuse(def, "needs a name");
    def = make(CDG_STRUCTURE_NET, 4);
    def.normal = vec3(2, 0, 0);
    refuse(def, "two different directions");
    def = make(CDG_STRUCTURE_NET, 4);
    def.origin.x = INFINITY;
    refuse(def, "origin");
    def = make(CDG_STRUCTURE_TRUSS, 4);
    def.truss.bays = 0;
    refuse(def, "0 bays");
    def = make(CDG_STRUCTURE_CHAIN, 7);
    refuse(def, "even number");
    def = make(CDG_STRUCTURE_CHAIN, 8);
    def.chain.pitch = 1;
    refuse(def, "less than a ring's width");
    def = make(CDG_STRUCTURE_RING, 3);
    refuse(def, "elements of a ring");
    def = make(CDG_STRUCTURE_SPHEROID, 8);
    def.spheroid.height = 0;
    refuse(def, "radius or height is 0 m");
    def = make(CDG_STRUCTURE_TREE, 2);
    def.tree.branches = 50;
    def.tree.levels = 5;
    refuse(def, "more than 100000 rods");
    def.tree.levels = 99;
    refuse(def, "at most 32");
    def = make(CDG_STRUCTURE_TREE, 2);
    def.tree.taper = 0;
    refuse(def, "shrink and taper");
    def = make(CDG_STRUCTURE_KIND_COUNT, 2);
    refuse(def, "no known kind");
    cdg_structure_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nets_of_the_paper),
        cmocka_unit_test(test_a_net_of_unequal_sides),
        cmocka_unit_test(test_the_ribbon_of_the_paper),
        cmocka_unit_test(test_trusses),
        cmocka_unit_test(test_rings_and_chains),
        cmocka_unit_test(test_spheroids),
        cmocka_unit_test(test_trees),
        cmocka_unit_test(test_axes_turn_the_whole),
        cmocka_unit_test(test_what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
