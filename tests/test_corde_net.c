// Joined corde rods: momentum, energy, cut and joined rods, return to rest, friction that leaves rigid motion and
// equilibria alone, reactions, longest steps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "net_case.h"
#include "rods/corde/corde.h"
#include "rounds.h"
#include "world/world.h"

static const cdg_corde_coupling couplings[2] = {CDG_CORDE_PENALTY, CDG_CORDE_CONSTRAINT};

static cdg_rod_def corde_rod(cdg_corde_coupling coupling) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.corde.coupling = coupling;
    def.section.radius = 4e-3;
    return def;
}

static void damp(cdg_rod_def *def, double time) {
    def->material.damping_stretch = def->material.damping_shear = time;
    def->material.damping_bend = def->material.damping_twist = time;
}

// Random velocities and spins for all rods; what they share is that of the last.
static void shake(net_case *net, cdg_random *random, double speed, double spin) {
    for (int i = 0; i < net->rod_count; i++) {
        cdg_rod_info info;
        must(net->world, cdg_rod_get_info(net->world, net->rods[i], &info));
        cdg_vec3 v[NET_NODES_MAX], w[NET_NODES_MAX];
        for (size_t n = 0; n < info.node_count; n++) v[n] = random_vec3(random, speed);
        for (size_t j = 0; j < info.element_count; j++) w[j] = random_vec3(random, spin);
        must(net->world, cdg_rod_set_state(net->world, net->rods[i], NULL, NULL, v, w));
    }
}

// A closed square of four rods with a diagonal, all corners joined: loops and points with three segments.
static net_case square(const cdg_rod_def *def, cdg_vec3 gravity, double step) {
    net_case net = net_case_make(gravity, step);
    const cdg_vec3 corners[4] = {{0, 0, 0}, {0.1, 0, 0}, {0.1, 0.1, 0}, {0, 0.1, 0}};
    for (int i = 0; i < 4; i++) net_case_add(&net, def, corners[i], corners[(i + 1) % 4], 3);
    net_case_add(&net, def, corners[0], corners[2], 4);
    for (int i = 0; i < 4; i++) {
        cdg_place places[3] = {net_node(net.rods[i], 0), net_node(net.rods[(i + 3) % 4], 3)};
        if (i % 2 == 0) places[2] = net_node(net.rods[4], i == 0 ? 0 : 4);
        net_join(&net, places, i % 2 == 0 ? 3 : 2, 1);
    }
    return net;
}

static void test_a_free_net_keeps_its_momentum(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        for (int damped = 0; damped < 2; damped++) {
            cdg_random random = {11};
            cdg_rod_def def = corde_rod(couplings[c]);
            if (damped) damp(&def, 2e-3);
            net_case net = square(&def, vec3(0, 0, 0), 0);
            shake(&net, &random, 0.5, c == 0 ? 20 : 0);
            net_run(&net, 1); // with the constraint, spins across the tangent are then those of the nodes
            cdg_vec3 linear, angular, later, later_angular;
            cdg_world_momentum(net.world, &linear, &angular);
            net_run(&net, 500);
            cdg_world_momentum(net.world, &later, &later_angular);
            assert_true(vec3_norm(linear) > 1e-4 && vec3_norm(angular) > 1e-6);
            assert_vec3_near(later, linear, 1e-12 * vec3_norm(linear));
            assert_vec3_near(later_angular, angular, 1e-10 * vec3_norm(angular));
            cdg_world_destroy(net.world);
        }
    }
}

// Semi-implicit Euler's energy swings with the step but has no drift.
static void test_energy_stays(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_random random = {12};
        cdg_rod_def def = corde_rod(couplings[c]);
        net_case net = square(&def, vec3(0, 0, 0), 0);
        shake(&net, &random, 0.2, 0);
        const cdg_rod *rod = net.world->rods[4].rod;
        must(net.world, cdg_world_set_step_size(net.world, 0.2 * fmin(rod->node_step_limit, rod->frame_step_limit)));
        net_run(&net, 1);
        double start = cdg_world_energy(net.world).total, first = 0, last = 0;
        const int steps = rounds(8000), quarter = steps / 4;
        for (int i = 0; i < steps; i++) {
            net_run(&net, 1);
            double energy = cdg_world_energy(net.world).total;
            assert_near(energy, start, 0.1 * start);
            if (i < quarter) first += energy / quarter;
            if (i >= 3 * quarter) last += energy / quarter;
        }
        assert_near(last, first, 0.01 * first);
        cdg_world_destroy(net.world);
    }
}

static void test_a_cut_and_joined_rod_bends_as_a_whole_one(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = corde_rod(couplings[c]);
        net_case whole = net_case_make(vec3(0, 0, -9.81), 1e-4), cut = net_case_make(vec3(0, 0, -9.81), 1e-4);
        cdg_rod_id all = net_case_add(&whole, &def, vec3(0, 0, 0), vec3(0.2, 0, 0), 8);
        cdg_rod_id left = net_case_add(&cut, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
        cdg_rod_id right = net_case_add(&cut, &def, vec3(0.1, 0, 0), vec3(0.2, 0, 0), 4);
        net_join(&cut, (cdg_place[]){net_node(left, 4), net_node(right, 0)}, 2, 1);
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = net_node(all, 0)};
        must(whole.world, cdg_world_add_support(whole.world, &support, NULL));
        support.place = net_node(left, 0);
        must(cut.world, cdg_world_add_support(cut.world, &support, NULL));
        for (int i = 0; i < 10; i++) {
            net_run(&whole, 50);
            net_run(&cut, 50);
            // the measure of turns at a joint and within a rod differs by the turn's square
            assert_vec3_near(net_position(&cut, right, 4), net_position(&whole, all, 8), 1e-3 * 0.2);
        }
        assert_true(net_position(&whole, all, 8).z < -0.01);
        cdg_world_destroy(whole.world);
        cdg_world_destroy(cut.world);
    }
}

// Turns the arms of a joint at random and lets it settle: the old shape, and less energy at every step.
static void test_deformed_joints_return_to_rest(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int kind = 0; kind < 6; kind++) {
        cdg_random random = {(uint64_t)kind};
        cdg_rod_def def = corde_rod(couplings[kind % 2]);
        damp(&def, 5e-3);
        const double angles[3] = {2.0943951023931953, 1.5707963267948966, 2.6};
        net_case net = net_star(&def, angles[kind / 2], 3, vec3(0, 0, 0), 0);
        net_drag(&net, 12);
        cdg_vec3 rest[12], now[12];
        size_t count = net_all_positions(&net, rest);
        for (int i = 0; i < 3; i++) {
            cdg_vec3 x[4];
            cdg_quat q[3], turn = quat_exp(random_vec3(&random, 0.4));
            must(net.world, cdg_rod_positions(net.world, net.rods[i], x));
            must(net.world, cdg_rod_frames(net.world, net.rods[i], q));
            for (int n = 0; n < 4; n++) x[n] = quat_rotate(turn, x[n]);
            for (int j = 0; j < 3; j++) q[j] = quat_multiply(turn, q[j]);
            must(net.world, cdg_rod_set_state(net.world, net.rods[i], x, q, NULL, NULL));
        }
        net_all_positions(&net, now);
        assert_true(net_shape_difference(rest, now, count) > 0.002);
        double energy = cdg_world_energy(net.world).total;
        for (int i = 0; cdg_world_time(net.world) < 3; i++) {
            net_run(&net, 1);
            double next = cdg_world_energy(net.world).total;
            assert_true(next <= energy * (1 + 1e-6) + 1e-18);
            energy = next;
        }
        net_all_positions(&net, now);
        assert_near(net_shape_difference(rest, now, count), 0, 1e-6 * 0.1);
        cdg_world_destroy(net.world);
    }
}

// A net that turns and flies as one piece loses nothing to inner friction, however strong.
static void test_rigid_motion_is_not_damped(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = corde_rod(couplings[c]);
        damp(&def, 0.1);
        net_case net = square(&def, vec3(0, 0, 0), 0);
        cdg_vec3 spin = vec3(0.01, -0.02, 0.03); // so slow that what it stretches is nothing
        for (int i = 0; i < net.rod_count; i++) {
            cdg_rod_info info;
            must(net.world, cdg_rod_get_info(net.world, net.rods[i], &info));
            cdg_vec3 x[NET_NODES_MAX], v[NET_NODES_MAX], w[NET_NODES_MAX];
            cdg_quat q[NET_NODES_MAX];
            must(net.world, cdg_rod_positions(net.world, net.rods[i], x));
            must(net.world, cdg_rod_frames(net.world, net.rods[i], q));
            for (size_t n = 0; n < info.node_count; n++) v[n] = vec3_cross(spin, vec3_sub(x[n], vec3(0.05, 0.05, 0)));
            for (size_t j = 0; j < info.element_count; j++) w[j] = quat_rotate_inverse(q[j], spin);
            must(net.world, cdg_rod_set_state(net.world, net.rods[i], NULL, NULL, v, w));
        }
        double start = cdg_world_energy(net.world).kinetic;
        net_run(&net, 1000);
        assert_near(cdg_world_energy(net.world).kinetic, start, 1e-4 * start);
        cdg_world_destroy(net.world);
    }
}

// Friction acts on rates only: a hanging star comes to rest in the same shape whatever its damping time.
static void test_equilibria_do_not_depend_on_friction(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int c = 0; c < 2; c++) {
        cdg_vec3 shape[2][12];
        size_t count = 0;
        for (int strong = 0; strong < 2; strong++) {
            cdg_rod_def def = corde_rod(couplings[c]);
            damp(&def, strong ? 0.05 : 0.002);
            net_case net = net_star(&def, 2.0943951023931953, 3, vec3(0, 0, -9.81), 0);
            cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = net_node(net.rods[0], 3)};
            must(net.world, cdg_world_add_support(net.world, &support, NULL));
            net_drag(&net, 20);
            while (cdg_world_time(net.world) < 3) net_run(&net, 1);
            count = net_all_positions(&net, shape[strong]);
            cdg_world_destroy(net.world);
        }
        for (size_t i = 0; i < count; i++) assert_vec3_near(shape[0][i], shape[1][i], 1e-6);
        assert_true(shape[0][4].z < -1e-3);
    }
}

static void test_reactions_are_those_of_the_whole_point(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int which = 0; which < 6; which++) {
        cdg_rod_def def = corde_rod(couplings[which % 2]);
        damp(&def, which < 3 ? 0.01 : 0);
        net_case net = net_star(&def, 2.0943951023931953, 3, vec3(0, 0, -9.81), 0);
        cdg_support_id id;
        cdg_support_def support = {.kind = CDG_SUPPORT_PIN, .place = net_node(net.rods[which % 3], 0)};
        must(net.world, cdg_world_add_support(net.world, &support, &id));
        net_drag(&net, 12);
        while (cdg_world_time(net.world) < 3) net_run(&net, 1);
        double weight = 0;
        for (int i = 0; i < 3; i++) {
            cdg_rod_info info;
            must(net.world, cdg_rod_get_info(net.world, net.rods[i], &info));
            weight += 9.81 * info.mass;
        }
        cdg_vec3 force, moment;
        must(net.world, cdg_support_reaction(net.world, id, &force, &moment));
        assert_vec3_near(force, vec3(0, 0, weight), 1e-4 * weight);
        for (int i = 0; i < 3; i++) assert_vec3_near(net_position(&net, net.rods[i], 0), vec3(0, 0, 0), 0);
        cdg_world_destroy(net.world);
    }
}

// The advised step is stable; a stiff joint of many segments needs shorter ones than its rods alone.
static void test_joints_shorten_the_longest_step(void **state) {
    (void)state;
    for (int trial = 0; trial < 4; trial++) {
        int c = trial / 2;
        double stiffness = trial % 2 == 0 ? 1 : 5, most = stiffness > 1 ? 0.8 : 1;
        cdg_random random = {13};
        cdg_rod_def def = corde_rod(couplings[c]);
        def.section.radius = 0.02; // thick and short: frames and bending are what limits the step
        net_case net = net_case_make(vec3(0, 0, 0), 0);
        switch_contact_off(net.world); // the rods are so thick that they lie in each other about the joint
        cdg_place places[8];
        for (int i = 0; i < 8; i++) {
            cdg_vec3 to = vec3_scale(0.1, vec3_normalize(random_vec3(&random, 1)));
            places[i] = net_node(net_case_add(&net, &def, vec3(0, 0, 0), to, 3), 0);
        }
        double alone = net.world->rods[0].rod->frame_step_limit, alone_node = net.world->rods[0].rod->node_step_limit;
        net_join(&net, places, 8, stiffness);
        shake(&net, &random, 0.05, 0);
        if (couplings[c] == CDG_CORDE_PENALTY)
            assert_true(net.world->rods[0].rod->frame_step_limit < most * alone);
        else
            assert_true(net.world->rods[0].rod->node_step_limit < most * alone_node);
        double start = cdg_world_energy(net.world).total;
        for (int i = 0; i < 3000; i++) net_run(&net, 1);
        assert_near(cdg_world_energy(net.world).total, start, 0.5 * start);
        cdg_world_destroy(net.world);
    }
}

// Loads are as before when a step is over: their work is counted from them.
static void test_a_step_gives_loads_back(void **state) {
    (void)state;
    cdg_rod_def def = corde_rod(CDG_CORDE_PENALTY);
    damp(&def, 1e-3);
    net_case net = net_star(&def, 2, 3, vec3(0, 0, 0), 1e-4);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_FORCE;
    load.place = net_node(net.rods[0], 0); // at the joint
    load.value = vec3(0, 0, 1e-3);
    must(net.world, cdg_world_add_load(net.world, &load, NULL));
    cdg_energy before = cdg_world_energy(net.world);
    net_run(&net, 2000);
    cdg_energy after = cdg_world_energy(net.world);
    cdg_vec3 linear, angular;
    cdg_world_momentum(net.world, &linear, &angular);
    assert_vec3_near(linear, vec3(0, 0, 1e-3 * 0.2), 1e-12);
    // work of the load = energy + what friction took, which is small here and not negative
    double work = 1e-3 * net_position(&net, net.rods[0], 0).z;
    assert_near(after.total - before.total + after.dissipated, work, 1e-3 * work);
    assert_true(after.dissipated > -1e-3 * work);
    cdg_world_destroy(net.world);
}

static void test_blowing_up_is_noticed(void **state) {
    (void)state;
    cdg_rod_def def = corde_rod(CDG_CORDE_PENALTY);
    def.corde.substeps = 1;
    net_case net = net_star(&def, 2, 3, vec3(0, 0, -9.81), 0.05);
    cdg_random random = {1};
    shake(&net, &random, 1, 1);
    cdg_result result = CDG_OK;
    for (int i = 0; i < 2000 && result == CDG_OK; i++) result = cdg_world_step(net.world, NULL);
    assert_true(result == CDG_ERROR_NOT_FINITE || result == CDG_ERROR_ENERGY);
    cdg_world_destroy(net.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_free_net_keeps_its_momentum),
        cmocka_unit_test(test_energy_stays),
        cmocka_unit_test(test_a_cut_and_joined_rod_bends_as_a_whole_one),
        cmocka_unit_test(test_deformed_joints_return_to_rest),
        cmocka_unit_test(test_rigid_motion_is_not_damped),
        cmocka_unit_test(test_equilibria_do_not_depend_on_friction),
        cmocka_unit_test(test_reactions_are_those_of_the_whole_point),
        cmocka_unit_test(test_joints_shorten_the_longest_step),
        cmocka_unit_test(test_a_step_gives_loads_back),
        cmocka_unit_test(test_blowing_up_is_noticed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
