// Joined rods that adapt: two arms begin in the middle of a third rod, and lie with it across a pole. What is joined
// stays so, under every model that can; momentum, snapshots, and the fine net that they stand for.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "rounds.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>

enum { ARMS = 3, COARSE = 8, LEVELS = 3, MODELS = 3 };
static const cdg_model models[MODELS] = {CDG_MODEL_CORDE, CDG_MODEL_POBD, CDG_MODEL_DER};

typedef struct arms {
    cdg_model model;
    size_t elements;
    bool adapts, is_free, is_held; // is_free: no weight; is_held: the first arm's start, and then there is no pole
    int threads;
} arms;

static void add_arm(cdg_world *world, const arms *what, int i, cdg_rod_id *out) {
    static const char *const names[ARMS] = {"a", "b", "c"};
    const cdg_vec3 middle = vec3(0, 0, 0.03), ends[ARMS] = {{0.3, 0, 0.03}, {0.12, 0.32, 0.03}, {0.12, -0.32, 0.03}};
    cdg_rod_def def = contact_rod(names[i], i == 0 ? vec3(-0.3, 0, 0.03) : middle, ends[i], 4e-3, what->elements);
    def.model = what->model;
    def.material.young_modulus = what->is_held ? 1e7 : 3e6;
    def.material.damping_bend = def.material.damping_twist = 5e-3;
    def.material.damping_stretch = def.material.damping_shear = 5e-3;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = 60;
    def.adapt.is_on = what->adapts;
    def.adapt.levels = LEVELS;
    def.adapt.angle = 0.1, def.adapt.coarsen = 0.04, def.adapt.hold = 5e-3;
    *out = contact_add(world, &def);
}

static cdg_world *build(const arms *what) {
    cdg_world *world = contact_world(what->is_free ? vec3(0, 0, 0) : vec3(0, 0, -9.81), 1e-3, 0.2, what->threads);
    cdg_rod_id rods[ARMS];
    for (int i = 0; i < ARMS; i++) add_arm(world, what, i, &rods[i]);
    const cdg_place places[ARMS] = {
        {rods[0], CDG_PLACE_NODE, what->elements / 2}, {rods[1], CDG_PLACE_NODE, 0}, {rods[2], CDG_PLACE_NODE, 0}};
    cdg_joint_def joint = cdg_joint_def_default();
    joint.places = places, joint.place_count = ARMS;
    must(world, cdg_world_add_joint(world, &joint, NULL));
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {rods[0], CDG_PLACE_NODE, 0}};
    cdg_load_def drag = cdg_load_def_default();
    drag.kind = CDG_LOAD_DRAG;
    drag.drag_rate = 4;
    if (what->is_held) must(world, cdg_world_add_support(world, &clamp, NULL));
    if (what->is_held) must(world, cdg_world_add_load(world, &drag, NULL));
    if (what->is_free || what->is_held) return world;
    cdg_obstacle_def pole = cdg_obstacle_def_default();
    pole.shape.kind = CDG_SHAPE_CAPSULE;
    pole.shape.radius = 0.02;
    pole.shape.length = 0.6;
    pole.shape.position = vec3(0.05, 0, 0);
    pole.shape.orientation = quat_exp(vec3(1.5707963267948966, 0, 0));
    must(world, cdg_world_add_obstacle(world, &pole, NULL));
    return world;
}

static cdg_rod *rod_of(const cdg_world *world, size_t i) { return world->rods[i].rod; }

// One point, by the numbers of now, with elements beside it that are as short as there may be.
static void check_joint(const cdg_world *world) {
    // of both segments of the first rod with either arm, of the arms, and of the neighbours in the first rod
    enum { PAIRS = 6 };
    assert_int_equal(world->net_count, 1);
    const cdg_net *net = world->nets[0];
    const cdg_rod *first = rod_of(world, 0);
    size_t middle = first->adapt->user_node[COARSE / 2];
    assert_near(first->adapt->arc[middle], first->length / 2, 1e-12);
    assert_int_equal(first->adapt->level[middle - 1], LEVELS);
    assert_int_equal(net->member_count, ARMS);
    assert_int_equal(net->pair_count, PAIRS);
    for (size_t m = 0; m < ARMS; m++) {
        const cdg_rod *rod = net->rods[net->members[m].rod];
        size_t node = net->members[m].node;
        assert_int_equal(node, rod == first ? middle : 0);
        assert_int_equal(rod->adapt->joined[node], 1);
        assert_int_equal(rod->adapt->level[node], LEVELS);
        for (int k = 0; k < 3; k++) assert_true(rod->x[k][node] == first->x[k][middle]);
        for (int k = 0; k < 3; k++) assert_true(rod->v[k][node] == first->v[k][middle]);
    }
    for (size_t k = 0; k < PAIRS; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        assert_true(pair->rod_a == 0 ? pair->element_a + 1 == middle || pair->element_a == middle
                                     : pair->element_a == 0);
        assert_int_equal(pair->element_b, pair->is_within ? middle : 0);
        assert_int_equal(pair->node_a, pair->rod_a == 0 ? middle : 0);
        assert_int_equal(pair->node_b, pair->is_within ? middle : 0);
        assert_int_equal(net->segments[pair->segment_a].element, pair->element_a);
        assert_int_equal(net->segments[pair->segment_b].element, pair->element_b);
    }
}

static void what_is_joined_stays_so(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int m = 0; m < MODELS; m++) {
        cdg_world *world = build(&(arms){models[m], COARSE, true, false, false, 1});
        for (int step = 0; step < 300; step++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            assert_true(report.deepest <= 1e-3);
            check_joint(world);
        }
        uint64_t splits = 0, merges = 0;
        for (size_t r = 0; r < ARMS; r++)
            splits += rod_of(world, r)->adapt->split_count, merges += rod_of(world, r)->adapt->merge_count;
        assert_true(splits > 8 && merges > 2);
        // elements before the joint's were halved
        assert_true(rod_of(world, 0)->adapt->user_node[COARSE / 2] > COARSE / 2 + LEVELS);
        cdg_world_destroy(world);
    }
}

// All elements that may be are halved and made one again, of arms that fly and turn.
static void momentum_stays_through_changes(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        cdg_world *world = build(&(arms){models[m], COARSE, true, true, false, 1});
        for (size_t r = 0; r < ARMS; r++) {
            cdg_rod *rod = rod_of(world, r);
            for (size_t i = 0; i < rod->node_count; i++) {
                cdg_vec3 x = rod_vec3(rod->x, i), v = vec3_add(vec3(1, 2, 3), vec3_cross(vec3(1, -4, 9), x));
                rod_set_vec3(rod->v, i, vec3_add(v, vec3(0, 0, 8 * x.x * x.x))); // bends, too
            }
        }
        contact_run(world, 8);
        uint64_t changes = 0;
        for (int round = 0; round < 6; round++) {
            cdg_vec3 linear[2], angular[2];
            bool is_finer = round % 4 < 2;
            for (size_t r = 0; r < ARMS; r++) {
                cdg_adapt_options *o = &rod_of(world, r)->adapt->options;
                o->angle = is_finer ? 1e-9 : 3, o->coarsen = 1.4, o->hold = is_finer ? HUGE_VAL : 0;
            }
            double mass = 0, total = cdg_world_energy(world).total, adapted = cdg_world_energy(world).adapted;
            cdg_world_momentum(world, &linear[0], &angular[0]);
            cdg_adapt_rods(world, 1e-3);
            cdg_world_momentum(world, &linear[1], &angular[1]);
            for (size_t r = 0; r < ARMS; r++) mass += rod_of(world, r)->mass;
            assert_vec3_near(linear[0], linear[1], 1e-13 * mass * 4);
            assert_vec3_near(angular[0], angular[1], 1e-13 * mass * 4);
            assert_near(cdg_world_energy(world).total - total, cdg_world_energy(world).adapted - adapted,
                        1e-12 * fabs(total));
            check_joint(world);
        }
        for (size_t r = 0; r < ARMS; r++)
            changes += rod_of(world, r)->adapt->split_count + rod_of(world, r)->adapt->merge_count;
        assert_true(changes > 40);
        contact_run(world, 20);
        cdg_world_destroy(world);
    }
}

static void resumed_and_on_threads_it_has_the_same_bits(void **state) {
    (void)state;
    for (int m = 0; m < MODELS; m++) {
        cdg_world *whole = build(&(arms){models[m], COARSE, true, false, false, 1});
        cdg_world *resumed = build(&(arms){models[m], COARSE, true, false, false, 3});
        contact_run(whole, 120);
        double *kept = malloc(cdg_world_snapshot_size(whole) * sizeof *kept);
        must(whole, cdg_world_snapshot_save(whole, kept));
        contact_run(resumed, 40); // has another resolution by then
        must(resumed, cdg_world_snapshot_load(resumed, kept));
        check_joint(resumed);
        contact_run(whole, 100);
        contact_run(resumed, 100);
        for (size_t r = 0; r < ARMS; r++) {
            const cdg_rod *a = rod_of(whole, r), *b = rod_of(resumed, r);
            assert_int_equal(a->element_count, b->element_count);
            for (int k = 0; k < 3; k++) assert_memory_equal(a->x[k], b->x[k], a->node_count * sizeof(double));
            for (int k = 0; k < 4; k++) assert_memory_equal(a->q[k], b->q[k], a->element_count * sizeof(double));
        }
        free(kept);
        cdg_world_destroy(whole);
        cdg_world_destroy(resumed);
    }
}

static cdg_vec3 tip_of(const cdg_world *world, size_t i) {
    return rod_vec3(rod_of(world, i)->x, rod_of(world, i)->element_count);
}

// Hung from the first arm's end they swing down. Distances of the length of two arms.
static void go_where_a_fine_net_goes(cdg_model model) {
    enum { FEW = 10 };
    cdg_world *fine = build(&(arms){model, FEW << LEVELS, false, false, true, 1});
    cdg_world *adaptive = build(&(arms){model, FEW, true, false, true, 1});
    cdg_world *coarse = build(&(arms){model, FEW, false, false, true, 1});
    contact_run(fine, 500), contact_run(adaptive, 500), contact_run(coarse, 500);
    for (size_t i = 1; i < ARMS; i++) {
        double length = rod_of(fine, 0)->length + rod_of(fine, i)->length,
               off = vec3_distance(tip_of(fine, i), tip_of(adaptive, i));
        double coarse_off = vec3_distance(tip_of(fine, i), tip_of(coarse, i));
        print_message("%.3g of the length, coarse %.3g\n", off / length, coarse_off / length);
        assert_true(off < 0.01 * length && off < 0.5 * coarse_off);
    }
    for (size_t r = 0; r < ARMS; r++) {
        const cdg_rod_adapt *adapt = rod_of(adaptive, r)->adapt;
        assert_true(rod_of(adaptive, r)->element_count < rod_of(fine, r)->element_count);
        for (int k = 0; k < CDG_ADAPT_REFUSALS; k++) assert_int_equal(adapt->refused[0][k], 0);
    }
    cdg_world_destroy(fine), cdg_world_destroy(adaptive), cdg_world_destroy(coarse);
}

static void they_go_where_a_fine_net_goes(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int m = 0; m < MODELS; m++) go_where_a_fine_net_goes(models[m]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_joined_stays_so), cmocka_unit_test(momentum_stays_through_changes),
        cmocka_unit_test(resumed_and_on_threads_it_has_the_same_bits), cmocka_unit_test(they_go_where_a_fine_net_goes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
