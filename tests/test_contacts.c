// Steps with contact: momentum, sticking, sliding, rolling, nothing passes through anything.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/cordage.h>

#include "contact_case.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"
#include "world/step.h"
#include "world/world.h"

#include <stdlib.h>

static const cdg_vec3 none = {0, 0, 0};

// Two rods crash into each other in free flight, askew and spinning; nothing but contact with friction acts.
static void collisions_keep_momentum(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 6; round++) {
        cdg_world *world = contact_world(none, 2e-4, round < 2 ? 0 : 0.5, 1);
        cdg_rod_def a = contact_rod("a", vec3(-0.1, 0, 0), vec3(0.1, 0, 0), 5e-3, 16);
        cdg_rod_def b = contact_rod("b", vec3(0.01, -0.1, 0.012), vec3(0.02, 0.1, 0.0125), 5e-3, 14);
        a.velocity = vec3_add(vec3(0, 0, 1), random_vec3(&random, 0.5));
        b.velocity = vec3_add(vec3(0, 0, -2), random_vec3(&random, 1));
        a.angular_velocity = random_vec3(&random, 3);
        b.angular_velocity = random_vec3(&random, 3);
        cdg_rod_id rod_a = contact_add(world, &a);
        contact_add(world, &b);
        // spin about the rod's own axis, so that friction has something to act on
        cdg_vec3 spin[16], velocity[17];
        cdg_rod_angular_velocities(world, rod_a, spin);
        cdg_rod_velocities(world, rod_a, velocity);
        for (int j = 0; j < 16; j++) spin[j].z += 200;
        must(world, cdg_rod_set_state(world, rod_a, NULL, NULL, velocity, spin));
        cdg_vec3 linear[2], angular[2];
        cdg_world_momentum(world, &linear[0], &angular[0]);
        size_t most = 0;
        for (int i = 0; i < 100; i++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            if (report.contact_count > most) most = report.contact_count;
            assert_true(report.deepest <= 1e-3);
        }
        assert_true(most > 0);
        cdg_world_momentum(world, &linear[1], &angular[1]);
        cdg_rod_info info;
        cdg_rod_get_info(world, rod_a, &info);
        double scale = info.mass * 2;
        print_message("momentum changes by %.2g and %.2g of what flies\n", vec3_distance(linear[0], linear[1]) / scale,
                      vec3_distance(angular[0], angular[1]) / (scale * 0.2));
        assert_vec3_near(linear[1], linear[0], 1e-10 * scale);
        assert_vec3_near(angular[1], angular[0], 1e-10 * scale * 0.2);
        cdg_world_destroy(world);
    }
}

typedef struct variant {
    const char *name;
    cdg_model model;
    bool is_implicit;
    double step;
} variant;

static const variant variants[] = {
    {"corde", CDG_MODEL_CORDE, false, 1e-4},
    {"der explicit", CDG_MODEL_DER, false, 1e-4},
    {"pobd gauss_seidel", CDG_MODEL_POBD, false, 1e-3},
    {"der implicit", CDG_MODEL_DER, true, 5e-3},
    {"pobd direct", CDG_MODEL_POBD, true, 5e-3},
    {"galpha", CDG_MODEL_GALPHA, true, 5e-3},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

static void choose(cdg_rod_def *def, const variant *it) {
    def->model = it->model;
    def->pobd.solver = it->is_implicit ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    def->der.integrator = it->is_implicit ? CDG_DER_IMPLICIT : CDG_DER_EXPLICIT;
}

// Rods that meet in free flight, at a tenth of a radius to some radii a step. Returns the largest gain of energy.
static double collide(const variant *it, double restitution, uint64_t seed) {
    cdg_random random = {seed};
    double speed = pow(10, random_in(&random, -1, 0.7)) * 5e-3 / it->step;
    cdg_world *world = contact_world(none, it->step, random_unit(&random) < 0.5 ? 0 : 0.3, 1);
    cdg_contact_def contact = cdg_world_contact(world);
    contact.restitution = restitution;
    must(world, cdg_world_set_contact(world, &contact));
    cdg_vec3 side = vec3(random_in(&random, -0.05, 0.05), random_in(&random, -0.05, 0.05), 0);
    cdg_rod_def a = contact_rod("a", vec3(-0.1, 0, 0), vec3(0.1, 0, 0), 5e-3, 9);
    double angle = random_in(&random, 0.5, 2.6), apart = random_in(&random, 1.01e-2, 2e-2);
    cdg_vec3 direction = vec3(0.1 * cos(angle), 0.1 * sin(angle), 0), middle = vec3_add(side, vec3(0, 0, apart));
    cdg_rod_def b = contact_rod("b", vec3_sub(middle, direction), vec3_add(middle, direction), 5e-3, 8);
    a.material.young_modulus = b.material.young_modulus = 1e5;
    choose(&a, it);
    choose(&b, it);
    b.velocity = vec3(0, 0, -speed);
    a.angular_velocity = random_vec3(&random, 2 * speed);
    contact_add(world, &a);
    contact_add(world, &b);
    double before = cdg_world_energy(world).total, most = 0;
    size_t contacts = 0;
    for (int i = 0; i < 60; i++) {
        cdg_step_report report;
        must(world, cdg_world_step(world, &report));
        contacts += report.contact_count + (size_t)report.contact_halvings;
        most = fmax(most, cdg_world_energy(world).total / before - 1);
    }
    assert_true(contacts > 0);
    cdg_world_destroy(world);
    return most;
}

static void collisions_never_gain_energy(void **state) {
    (void)state;
    static const double restitutions[] = {0, 0.5, 1};
    for (int m = 0; m < VARIANTS; m++) {
        // galpha, of second order, goes on from the rates of a blow when it bounces.
        for (int r = 0; r < (variants[m].model == CDG_MODEL_GALPHA ? 1 : 3); r++) {
            double most = 0;
            for (uint64_t seed = 0; seed < (uint64_t)rounds(20); seed++)
                most = fmax(most, collide(&variants[m], restitutions[r], 100 * (uint64_t)m + seed));
            print_message("%s, restitution %g: energy grows by %.3g at most\n", variants[m].name, restitutions[r],
                          most);
            // Explicit rods are moved node by node, which stretches elements next to a blow: where nothing at all is
            // lost, that shows, and most in the long steps of gauss_seidel.
            double stretched = variants[m].is_implicit ? 1e-2 : variants[m].model == CDG_MODEL_POBD ? 0.3 : 0.06;
            assert_true(most < (restitutions[r] < 1 ? 1e-3 : stretched));
        }
    }
}

// A rod lies on the slope of a plane, along it or across; how far its middle gets.
static double slide(const variant *it, double angle, double friction, double duration, bool across) {
    cdg_world *world = contact_world(vec3(9.81 * sin(angle), 0, -9.81 * cos(angle)), it->step, 0, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.friction = friction;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    double r = 5e-3;
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, r), across ? vec3(0, 0.1, r) : vec3(0.1, 0, r), r, 5);
    choose(&def, it);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_vec3 before[6], after[6];
    cdg_rod_positions(world, rod, before);
    int steps = (int)(duration / it->step + 0.5);
    for (int i = 0; i < steps; i++) {
        cdg_step_report report;
        must(world, cdg_world_step(world, &report));
        assert_true(report.deepest <= 1e-3);
        assert_true(report.contact_count > 0);
    }
    cdg_rod_positions(world, rod, after);
    cdg_world_destroy(world);
    return after[2].x - before[2].x;
}

static void rods_stick_on_slopes(void **state) {
    (void)state;
    skip_when_sanitized();
    for (int m = 0; m < VARIANTS; m++) {
        double moved = slide(&variants[m], 0.3, 1.1 * tan(0.3), 3e3 * variants[m].step, false);
        print_message("%s creeps %.3g m in %g s\n", variants[m].name, moved, 3e3 * variants[m].step);
        assert_true(fabs(moved) < 1e-6);
    }
}

// Euler's steps, which rods that are touched take, begin with the speed of their end; galpha is of second order.
static double euler_way(const variant *it, double way, double time) {
    return it->model == CDG_MODEL_GALPHA ? way : way * (1 + it->step / time);
}

static void rods_slide_down_slopes(void **state) {
    (void)state;
    double angle = 0.5, friction = 0.2, time = 0.3;
    double expected = 0.5 * 9.81 * (sin(angle) - friction * cos(angle)) * time * time;
    for (int m = 0; m < VARIANTS; m++) {
        double moved = slide(&variants[m], angle, friction, time, false);
        double first_order = euler_way(&variants[m], expected, time);
        print_message("%s slides %.5g m, %.5g m expected\n", variants[m].name, moved, first_order);
        assert_near(moved, first_order, 0.01 * expected);
    }
}

// Across the slope it rolls: a solid cylinder accelerates by 2/3 g sin.
static void rods_roll_down_slopes(void **state) {
    (void)state;
    double angle = 0.2, time = 0.3, expected = 0.5 * 9.81 * 2 / 3 * sin(angle) * time * time;
    for (int m = 0; m < VARIANTS; m++) {
        if (m == 1 || m == 2) continue; // no inertia, and artificial inertia about the tangent
        double moved = slide(&variants[m], angle, 0.5, time, true);
        double first_order = euler_way(&variants[m], expected, time);
        print_message("%s rolls %.5g m, %.5g m expected\n", variants[m].name, moved, first_order);
        assert_near(moved, first_order, 0.01 * expected);
    }
}

// Two rings through each other; one is given a velocity of 1 to 1,000 radii a step in any direction.
static void fast_rods_do_not_tunnel(void **state) {
    (void)state;
    cdg_random random = {3};
    const char *wanted = getenv("CORDAGE_TEST_CASES"); // 10,000 by hand
    int cases = wanted != NULL ? atoi(wanted) : 80;
    double r = 2e-3;
    int halvings = 0, too_deep = 0;
    for (int round = 0; round < cases; round++) {
        double step = 1e-3;
        cdg_world *world = contact_world(none, step, round % 2 == 0 ? 0 : 0.3, 1);
        cdg_rod_id ids[2];
        for (int k = 0; k < 2; k++) {
            cdg_rod_def def = contact_rod(k == 0 ? "a" : "b", none, none, r, 12);
            choose(&def, &variants[round / 2 % 4]); // validation/case_tunnel.c takes other pairs and shapes, too
            def.pobd.iterations = 30;
            def.material.young_modulus = 1e4;
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.closed = true;
            def.centerline.circle.center = k == 0 ? none : vec3(0.04, 0, 0);
            def.centerline.circle.axis = k == 0 ? vec3(0, 0, 1) : vec3(0, 1, 0);
            def.centerline.circle.radius = 0.04;
            def.rest.kind = CDG_REST_INITIAL;
            if (k == 0) {
                double speed = pow(10, random_in(&random, 0, 3)) * r / step;
                def.velocity = vec3_scale(speed, quat_rotate(random_rotation(&random), vec3(1, 0, 0)));
            }
            ids[k] = contact_add(world, &def);
        }
        cdg_probe linking = {.kind = CDG_PROBE_LINKING, .place = {.rod = ids[0]}, .other = ids[1]};
        double before[CDG_PROBE_COLUMNS_MAX], after[CDG_PROBE_COLUMNS_MAX];
        must(world, cdg_world_measure(world, &linking, before));
        assert_near(fabs(before[0]), 1, 0);
        for (int i = 0; i < 3; i++) {
            cdg_step_report report;
            must(world, cdg_world_step(world, &report));
            halvings += report.contact_halvings;
            must(world, cdg_world_measure(world, &linking, after));
            assert_near(after[0], before[0], 0);
            if (report.deepest > 1e-3)
                print_error("case %d step %d: %g radii deep, %d halvings\n", round, i, report.deepest,
                            report.contact_halvings);
            too_deep += report.deepest > 1e-3;
        }
        cdg_world_destroy(world);
    }
    assert_int_equal(too_deep, 0);
    print_message("%d cases, %d halvings\n", cases, halvings);
}

// ---- threads --------------------------------------------------------------------------------------------------------

enum { TOWER = 900 };

// A tower of turns that sinks: many contacts, which threads find and solve for together.
static void sink_tower(int threads, double out[TOWER + 1][3], size_t *near) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 1e-3, 0.3, threads);
    cdg_rod_def rod = contact_rod("rope", (cdg_vec3){0, 0, 0}, (cdg_vec3){1, 0, 0}, 5e-3, TOWER);
    rod.model = CDG_MODEL_POBD;
    rod.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 6e-3};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 10.02e-3;
    rod.centerline.helix.turns = TOWER / 63.0;
    cdg_rod_id id = contact_add(world, &rod);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    contact_run(world, 24);
    *near = world->contacts.count;
    const cdg_rod *it = cdg_world_get_rod(world, id);
    for (size_t i = 0; i <= TOWER; i++)
        for (int k = 0; k < 3; k++) out[i][k] = it->x[k][i];
    cdg_world_destroy(world);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    static double one[TOWER + 1][3], many[TOWER + 1][3];
    size_t near = 0;
    sink_tower(1, one, &near);
    assert_true(near > 1000);
    for (int threads = 2; threads <= 5; threads += 3) {
        sink_tower(threads, many, &near);
        assert_memory_equal(one, many, sizeof one);
    }
}

// A rod that slides and rolls on the floor under friction starts its next step with the forces of the last, and so do
// rods that lie across each other: on points and elements they come to what forces on the surface come to.
static void forces_of_before_act_on_surfaces(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(1, 2, -9.81), 1e-3, 0.4, 1);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    for (int r = 0; r < 2; r++) {
        double z = r == 0 ? 5e-3 : 15e-3;
        cdg_rod_def def =
            contact_rod(r == 0 ? "low" : "high", vec3(-0.1, 0.02 - 0.1 * r, z), vec3(0.1, 0.1 * r, z), 5e-3, 12);
        def.model = CDG_MODEL_DER;
        def.velocity = vec3(0.3, -0.2 + r, 0);
        contact_add(world, &def);
    }
    contact_run(world, 5);
    cdg_contacts *c = &world->contacts;
    cdg_pieces *p = &c->pieces;
    size_t between = 0;
    for (size_t i = 0; i < c->kept_count; i++) between += c->kept[i].side[1].kind == CDG_SIDE_SEGMENT;
    assert_true(between > 0 && c->kept_count > between + 4);
    cdg_contact_input input = {.def = &world->contact_def, .obstacles = world->obstacles, .obstacle_count = 1};
    input.gravity = world->def.gravity, input.step = 1e-3, input.time = world->time + 1e-3;
    cdg_contacts_begin(c, &input);
    cdg_vec3 force[2] = {none, none}, moment[2] = {none, none};
    double size = 0;
    for (size_t i = 0; i < c->kept_count; i++)
        for (int k = 0; k < 2; k++) {
            const cdg_contact *contact = &c->kept[i];
            const cdg_contact_side *side = &contact->side[k];
            if (side->kind != CDG_SIDE_SEGMENT) continue;
            const cdg_rod *rod = world->rods[side->object].rod;
            cdg_vec3 a = rod_vec3(rod->x, side->primitive), b = rod_vec3(rod->x, side->primitive + 1);
            cdg_vec3 axis = vec3_normalize(vec3_sub(b, a)), f = vec3_scale(k == 0 ? 1 : -1, contact->force);
            cdg_vec3 arm = vec3_scale(k == 0 ? -5e-3 : 5e-3, contact->normal);
            arm = vec3_mad(arm, -vec3_dot(arm, axis), axis);
            cdg_vec3 at = vec3_add(vec3_lerp(a, b, contact->parameter[k]), arm);
            force[0] = vec3_add(force[0], f);
            moment[0] = vec3_add(moment[0], vec3_cross(at, f));
            size += vec3_norm(f);
        }
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = world->rods[r].rod;
        for (uint32_t i = 0; i < 13; i++) {
            cdg_vec3 f = p->force[p->ends[p->first_element[r]][0] + i];
            force[1] = vec3_add(force[1], f);
            moment[1] = vec3_add(moment[1], vec3_cross(rod_vec3(rod->x, i), f));
        }
        for (uint32_t j = 0; j < 12; j++) {
            cdg_vec3 axis = vec3_normalize(vec3_sub(rod_vec3(rod->x, j + 1), rod_vec3(rod->x, j)));
            moment[1] = vec3_mad(moment[1], p->torque[p->first_element[r] + j], axis);
        }
    }
    assert_true(size > 0.1);
    assert_vec3_near(force[1], force[0], 1e-12 * size);
    assert_vec3_near(moment[1], moment[0], 1e-12 * size * 0.1);
    cdg_world_destroy(world);
}

// A rod between two walls that come nearer by half of its radius in one step is pressed into them, though it passes
// neither: no step may be so long, whatever else it may leave undone. A tenth of the way is taken.
static void what_is_squeezed_flat_needs_shorter_steps(void **state) {
    (void)state;
    const double radius = 5e-3, step = 1e-3;
    for (int i = 0; i < 2; i++) {
        cdg_world *world = contact_world(none, step, 0, 1);
        cdg_obstacle_def wall = cdg_obstacle_def_default();
        must(world, cdg_world_add_obstacle(world, &wall, NULL));
        cdg_motion down = cdg_motion_default();
        down.move = vec3(0, 0, i == 0 ? -0.06 * radius : -0.6 * radius), down.to = step;
        wall.shape.normal = vec3(0, 0, -1), wall.shape.offset = -2 * radius;
        wall.motions = &down, wall.motion_count = 1;
        must(world, cdg_world_add_obstacle(world, &wall, NULL));
        cdg_rod_def def = contact_rod("rod", vec3(-0.05, 0, radius), vec3(0.05, 0, radius), radius, 4);
        contact_add(world, &def);
        must(world, cdg_world_ensure_scratch(world));
        cdg_result result = cdg_step_try(world, step, step, 1, CDG_DEMAND_NOT_CRUSHED);
        assert_int_equal(result, i == 0 ? CDG_OK : CDG_ERROR_NO_CONVERGENCE);
        const cdg_contact_outcome *outcome = &world->contact_outcome;
        assert_true(!outcome->passes && outcome->is_sunk && outcome->is_crushed == (i == 1));
        cdg_world_destroy(world);
    }
}

// The same, so slowly that each part of a step presses it in by less than contact may leave: a quarter of its radius is
// the end all the same.
static void what_is_squeezed_slowly_stops_as_well(void **state) {
    (void)state;
    const double radius = 5e-3, step = 1e-5;
    enum { STEPS = 1600 };
    cdg_world *world = contact_world(none, step, 0, 1);
    cdg_obstacle_def wall = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &wall, NULL));
    cdg_motion down = cdg_motion_default();
    down.move = vec3(0, 0, -STEPS * 4e-4 * radius), down.to = STEPS * step;
    wall.shape.normal = vec3(0, 0, -1), wall.shape.offset = -2 * radius;
    wall.motions = &down, wall.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &wall, NULL));
    cdg_rod_def def = contact_rod("rod", vec3(-0.05, 0, radius), vec3(0.05, 0, radius), radius, 2);
    contact_add(world, &def);
    must(world, cdg_world_ensure_scratch(world));
    cdg_result result = CDG_OK;
    double deepest = 0;
    for (int i = 0; i < STEPS && result == CDG_OK; i++) {
        result = cdg_step_try(world, world->time + step, step, 1, CDG_DEMAND_NOT_CRUSHED);
        if (result == CDG_OK) deepest = world->contact_outcome.deepest;
    }
    assert_int_equal(result, CDG_ERROR_NO_CONVERGENCE);
    assert_true(world->contact_outcome.is_crushed);
    assert_near(deepest, 0.25, 2e-3);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_squeezed_flat_needs_shorter_steps),
        cmocka_unit_test(what_is_squeezed_slowly_stops_as_well),
        cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(collisions_keep_momentum),
        cmocka_unit_test(rods_stick_on_slopes),
        cmocka_unit_test(rods_slide_down_slopes),
        cmocka_unit_test(rods_roll_down_slopes),
        cmocka_unit_test(fast_rods_do_not_tunnel),
        cmocka_unit_test(collisions_never_gain_energy),
        cmocka_unit_test(forces_of_before_act_on_surfaces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
