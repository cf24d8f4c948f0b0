// Joints of a world: what is refused, who belongs to which net, energies and states of joined rods, nothing left
// behind.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "math/random.h"
#include "near.h"
#include "net_case.h"
#include "world/world.h"

static cdg_rod_def soft_rod(void) {
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.iterations = 20;
    return def;
}

static void expect_refusal(net_case *net, cdg_place a, cdg_place b, cdg_result code, const char *part) {
    const cdg_place places[2] = {a, b};
    assert_int_equal(net_try_join(net, places, 2, 1), code);
    const char *message = cdg_world_message(net->world);
    if (strstr(message, part) == NULL) print_error("'%s' is not in '%s'\n", part, message);
    assert_non_null(strstr(message, part));
}

static void test_what_is_refused(void **state) {
    (void)state;
    net_case net = net_case_make(vec3(0, 0, 0), 1e-3);
    switch_contact_off(net.world); // rods that could not be joined lie in each other
    cdg_rod_def def = soft_rod(), direct = soft_rod(), reference = soft_rod();
    direct.pobd.solver = CDG_POBD_DIRECT;
    reference.model = CDG_MODEL_REFERENCE;
    cdg_rod_id a = net_case_add(&net, &def, vec3(0, 0, 0), vec3(1, 0, 0), 4);
    cdg_rod_id b = net_case_add(&net, &def, vec3(0, 0.5, 0), vec3(0, 1, 0), 4);
    cdg_rod_id c = net_case_add(&net, &direct, vec3(0, 0, 0), vec3(0, 0, 1), 4);
    cdg_rod_id d = net_case_add(&net, &reference, vec3(0, 0, 0), vec3(0, 0, 1), 4);
    expect_refusal(&net, net_node(a, 0), net_node(b, 0), CDG_ERROR_ARGUMENT, "0.5 m apart");
    expect_refusal(&net, net_node(a, 0), net_node(c, 0), CDG_ERROR_UNSUPPORTED, "solver gauss_seidel");
    expect_refusal(&net, net_node(a, 0), net_node(d, 0), CDG_ERROR_UNSUPPORTED, "give them the same model");
    expect_refusal(&net, net_node(d, 0), net_node(d, 4), CDG_ERROR_UNSUPPORTED, "has no joints");
    expect_refusal(&net, net_node(a, 0), net_node(b, 9), CDG_ERROR_ARGUMENT, "nodes 0 to 4");
    expect_refusal(&net, net_node(a, 0), (cdg_place){b, CDG_PLACE_ELEMENT, 0}, CDG_ERROR_ARGUMENT, "joins nodes");
    expect_refusal(&net, net_node(a, 0), net_node((cdg_rod_id){99, 1}, 0), CDG_ERROR_STALE, "does not exist");
    assert_int_equal(cdg_world_remove_rod(net.world, d), CDG_OK);
    expect_refusal(&net, net_node(a, 0), net_node(d, 0), CDG_ERROR_STALE, "does not exist");
    cdg_place one = net_node(a, 0);
    assert_int_equal(net_try_join(&net, &one, 1, 1), CDG_ERROR_ARGUMENT);
    assert_int_equal(net_try_join(&net, &one, 0, 1), CDG_ERROR_ARGUMENT);
    assert_int_equal(net_try_join(&net, (cdg_place[]){net_node(a, 0), net_node(a, 0)}, 2, 1), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(net.world), "names node 0 of rod 'a' twice"));
    assert_int_equal(net_try_join(&net, (cdg_place[]){net_node(a, 0), net_node(b, 0)}, 2, -2), CDG_ERROR_ARGUMENT);
    // nothing of all this is left: the world still steps, each rod for itself
    assert_int_equal(net.world->joint_count, 0);
    net_run(&net, 2);
    cdg_world_destroy(net.world);
}

static void test_joined_rods_form_nets(void **state) {
    (void)state;
    net_case net = net_case_make(vec3(0, 0, -1), 1e-3);
    switch_contact_off(net.world); // rods meet end to end that are not joined
    cdg_rod_def def = soft_rod();
    cdg_rod_id rods[6];
    for (int i = 0; i < 6; i++) { // a chain of lines along x, and two that have nothing to do with it
        rods[i] = net_case_add(&net, &def, vec3(i, 0, 0), vec3(i + 1, 0, 0), 4);
    }
    net_join(&net, (cdg_place[]){net_node(rods[0], 4), net_node(rods[1], 0)}, 2, 1);
    net_join(&net, (cdg_place[]){net_node(rods[3], 4), net_node(rods[4], 0)}, 2, 1);
    net_join(&net, (cdg_place[]){net_node(rods[2], 0), net_node(rods[1], 4)}, 2, 1);
    net_run(&net, 3);
    assert_int_equal(net.world->net_count, 2);
    assert_int_equal(net.world->nets[0]->rod_count, 3);
    assert_int_equal(net.world->nets[1]->rod_count, 2);
    assert_int_equal(net.world->team_count, 3);
    assert_vec3_near(net_position(&net, rods[0], 4), net_position(&net, rods[1], 0), 0);
    // a joint made later makes one net of both
    net_join(&net, (cdg_place[]){net_node(rods[2], 4), net_node(rods[3], 0)}, 2, 1);
    net_run(&net, 3);
    assert_int_equal(net.world->net_count, 1);
    assert_int_equal(cdg_world_remove_rod(net.world, rods[3]), CDG_ERROR_UNSUPPORTED);
    assert_int_equal(cdg_world_remove_rod(net.world, rods[5]), CDG_OK);
    net_run(&net, 3);
    for (int i = 0; i < 4; i++) assert_vec3_near(net_position(&net, rods[i], 4), net_position(&net, rods[i + 1], 0), 0);
    cdg_world_destroy(net.world);
}

// The energy of a pair appears in the world's as soon as a rod is turned against the other, and set_state keeps books.
static void test_energy_and_new_states(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod();
    net_case net = net_star(&def, 2, 4, vec3(0, 0, 0), 1e-3);
    assert_near(cdg_world_energy(net.world).total, 0, 1e-18);
    cdg_vec3 x[5], v[5];
    cdg_quat q[4], turn = quat_exp(vec3(0, 0, 0.2));
    must(net.world, cdg_rod_positions(net.world, net.rods[1], x));
    must(net.world, cdg_rod_frames(net.world, net.rods[1], q));
    for (int i = 0; i < 5; i++) x[i] = vec3_add(quat_rotate(turn, x[i]), vec3(0, 0, 0.001));
    for (int i = 0; i < 5; i++) v[i] = vec3(0, 0, 1);
    for (int i = 0; i < 4; i++) q[i] = quat_multiply(turn, q[i]);
    must(net.world, cdg_rod_set_state(net.world, net.rods[1], x, q, v, NULL));
    // others' copies of the shared point come along
    assert_vec3_near(net_position(&net, net.rods[0], 0), x[0], 0);
    assert_vec3_near(net_position(&net, net.rods[2], 0), x[0], 0);
    cdg_vec3 velocities[5];
    must(net.world, cdg_rod_velocities(net.world, net.rods[2], velocities));
    assert_vec3_near(velocities[0], v[0], 0);
    // two of three segments' pairs turned by 0.2 rad in the plane: U = 2 K sin^2(0.1) each, K = 2 B/(3 l)
    cdg_stiffness stiffness;
    must(NULL, cdg_stiffness_compute(&def.material, &def.section, &stiffness, NULL));
    double expected = 2 * 2 * 2.0 / 3 * stiffness.bend[0] / 0.025 * sin(0.1) * sin(0.1);
    assert_near(cdg_world_energy(net.world).bend, expected, 1e-9 * expected);
    double measured[CDG_PROBE_COLUMNS_MAX] = {0};
    cdg_probe all = {.kind = CDG_PROBE_ENERGY};
    assert_int_equal(cdg_world_measure(net.world, &all, measured), CDG_OK);
    assert_near(measured[2], expected, 1e-9 * expected);
    // dissipation counts from the new state
    net_run(&net, 1);
    must(net.world, cdg_rod_set_state(net.world, net.rods[1], x, q, v, NULL));
    cdg_energy before = cdg_world_energy(net.world);
    must(net.world, cdg_rod_set_state(net.world, net.rods[0], NULL, NULL, NULL, NULL));
    assert_near(cdg_world_energy(net.world).dissipated, before.dissipated, 1e-12);
    cdg_world_destroy(net.world);
}

// A state of before a joint has its nodes apart: no step can be taken from it, but the joint can be removed.
static void test_joints_between_nodes_apart_can_be_removed(void **state) {
    (void)state;
    net_case net = net_case_make(vec3(0, 0, 0), 1e-3);
    cdg_rod_def def = soft_rod();
    cdg_rod_id a = net_case_add(&net, &def, vec3(0, 0, 0), vec3(1, 0, 0), 4);
    cdg_rod_id b = net_case_add(&net, &def, vec3(0, 0.5, 0), vec3(0, 1, 0), 4);
    double *apart = malloc(cdg_world_snapshot_size(net.world) * sizeof *apart);
    assert_int_equal(cdg_world_snapshot_save(net.world, apart), CDG_OK);
    cdg_vec3 x[5];
    for (int i = 0; i < 5; i++) x[i] = vec3(0, 0.25 * i, 0);
    assert_int_equal(cdg_rod_set_state(net.world, b, x, NULL, NULL, NULL), CDG_OK);
    cdg_joint_def joint = cdg_joint_def_default();
    cdg_joint_id id;
    joint.places = (cdg_place[]){net_node(a, 0), net_node(b, 0)}, joint.place_count = 2;
    assert_int_equal(cdg_world_add_joint(net.world, &joint, &id), CDG_OK);
    assert_int_equal(cdg_world_step(net.world, NULL), CDG_OK);
    assert_int_equal(cdg_world_snapshot_load(net.world, apart), CDG_OK);
    cdg_rod_id c = net_case_add(&net, &def, vec3(0, 0, 1), vec3(1, 0, 1), 4);
    cdg_rod_id d = net_case_add(&net, &def, vec3(0, 0, 1), vec3(0, 1, 1), 4);
    net_join(&net, (cdg_place[]){net_node(c, 0), net_node(d, 0)}, 2, 1); // nets are formed anew
    assert_int_equal(cdg_world_step(net.world, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(net.world), "0.5 m apart"));
    assert_int_equal(cdg_world_remove_joint(net.world, id), CDG_OK);
    assert_int_equal(cdg_world_remove_joint(net.world, id), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_step(net.world, NULL), CDG_OK);
    free(apart);
    cdg_world_destroy(net.world);
}

// What a step of a net reports is what the net's model has told, not what was in memory before.
static void test_reports_of_nets(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod();
    net_case net = net_star(&def, 2, 4, vec3(0, 0, -9.81), 1e-3);
    assert_int_equal(cdg_world_ensure_scratch(net.world), CDG_OK);
    memset(net.world->scratch[0], 0x11, net.world->scratch_size);
    cdg_step_report report;
    assert_int_equal(cdg_world_step(net.world, &report), CDG_OK);
    assert_int_equal(report.iterations, 20);
    assert_true(report.halvings == 0 && report.parts <= 1 && report.residual < 1);
    cdg_world_destroy(net.world);
}

// Supports that want one point in two places stop the step that they differ in; the world stays at its last good time.
static void test_contradicting_supports(void **state) {
    (void)state;
    for (int model = 0; model < 2; model++) {
        cdg_rod_def def = soft_rod();
        if (model == 1) def.model = CDG_MODEL_CORDE;
        net_case net = net_star(&def, 2, 4, vec3(0, 0, 0), 1e-3);
        cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = vec3(0, 0, 0.05), .from = 2.5e-3, .to = 0.05};
        cdg_support_def still = {.kind = CDG_SUPPORT_PIN, .place = net_node(net.rods[0], 0)};
        cdg_support_def moved = {
            .kind = CDG_SUPPORT_CLAMP, .place = net_node(net.rods[1], 0), .motions = &motion, .motion_count = 1};
        must(net.world, cdg_world_add_support(net.world, &still, NULL));
        must(net.world, cdg_world_add_support(net.world, &moved, NULL));
        net_run(&net, 2);
        assert_int_equal(cdg_world_step(net.world, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(net.world), "joined to node 0 of rod 'a'"));
        assert_near(cdg_world_time(net.world), 2e-3, 1e-15);
        cdg_world_destroy(net.world);
    }
}

// The advised step knows the joints before anything has moved, and a stiff one makes it shorter.
static void test_advice_counts_joints(void **state) {
    (void)state;
    double steps[2];
    for (int stiff = 0; stiff < 2; stiff++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.corde.coupling = CDG_CORDE_CONSTRAINT;
        net_case net = net_case_make(vec3(0, 0, 0), 0);
        cdg_rod_id a = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0.1, 0, 0), 4);
        cdg_rod_id b = net_case_add(&net, &def, vec3(0, 0, 0), vec3(0, 0.1, 0), 4);
        net_join(&net, (cdg_place[]){net_node(a, 0), net_node(b, 0)}, 2, stiff ? 1e4 : 0);
        cdg_step_advice advice = cdg_world_advice(net.world);
        steps[stiff] = advice.step;
        assert_true(advice.divides_longer);
        if (stiff) assert_non_null(strstr(advice.reason, "at joints"));
        net_run(&net, 1);
        assert_near(cdg_world_step_size(net.world), advice.step, 0);
        assert_near(cdg_world_advice(net.world).step, advice.step, 0);
        cdg_world_destroy(net.world);
    }
    assert_true(steps[1] < 0.1 * steps[0]);
}

static void test_a_snapshot_continues_to_the_last_bit(void **state) {
    (void)state;
    cdg_rod_def def = soft_rod();
    net_case one = net_star(&def, 2, 4, vec3(0, 0, -9.81), 1e-3), two = net_star(&def, 2, 4, vec3(0, 0, -9.81), 1e-3);
    net_run(&one, 20);
    size_t size = cdg_world_snapshot_size(one.world);
    double *kept = calloc(size, sizeof *kept);
    assert_non_null(kept);
    must(one.world, cdg_world_snapshot_save(one.world, kept));
    must(two.world, cdg_world_snapshot_load(two.world, kept));
    assert_near(cdg_world_energy(two.world).total, cdg_world_energy(one.world).total, 0);
    net_run(&one, 20);
    net_run(&two, 20);
    for (int i = 0; i < 3; i++)
        for (size_t node = 0; node < 5; node++)
            assert_vec3_near(net_position(&one, one.rods[i], node), net_position(&two, two.rods[i], node), 0);
    free(kept);
    cdg_world_destroy(one.world);
    cdg_world_destroy(two.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_refused),

        cmocka_unit_test(test_joined_rods_form_nets),
        cmocka_unit_test(test_energy_and_new_states),
        cmocka_unit_test(test_joints_between_nodes_apart_can_be_removed),
        cmocka_unit_test(test_reports_of_nets),
        cmocka_unit_test(test_contradicting_supports),
        cmocka_unit_test(test_advice_counts_joints),
        cmocka_unit_test(test_a_snapshot_continues_to_the_last_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
