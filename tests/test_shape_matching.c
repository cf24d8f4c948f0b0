// Shape matching: the best rotation, the same relaxation at any step, momentum, supports, and the same bits for any
// number of threads; in contact energy never rises.
#include "math/polar.h"
#include "solid_world_case.h"
#include "solids/shape_matching.h"

#include <cordage/contact.h>
#include <cordage/obstacle.h>

static cdg_solid_def def_of(cdg_matching_mode mode, size_t clusters) {
    cdg_solid_def def = solid_case_def(CDG_SOLID_SHAPE_MATCHING, CDG_SOLID_BDF2);
    def.shape_matching.mode = mode;
    def.shape_matching.cluster_count = clusters;
    def.shape_matching.cluster_overlap = 1;
    def.shape_matching.relaxation_time = 0.05;
    return def;
}

static cdg_solid block(cdg_matching_mode mode, size_t clusters) {
    return solid_case_build(def_of(mode, clusters), vec3(0.4, 0.15, 0.1), 0.025);
}

// With a time that is short against the step one step leads to the goal, which is the rest shape turned by R of the
// polar decomposition, through half turns and for mirrored clouds.
static void test_goal_is_the_best_rotation(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int round = 0; round < 40; round++) {
        cdg_solid_def def = def_of(CDG_MATCHING_RIGID, 1);
        def.shape_matching.relaxation_time = 1e-6;
        cdg_solid s = solid_case_build(def, vec3(0.4, 0.15, 0.1), 0.05);
        cdg_quat turn = round % 3 == 0 ? quat(0, 1, 0, 0) : random_rotation(&random);
        double mirror = round % 4 == 0 ? -1 : 1;
        mat3 a = {{{0}}};
        for (size_t i = 0; i < s.node_count; i++) {
            cdg_vec3 p = solid_vec3(s.rest, i), q = vec3(mirror * p.x, p.y, p.z);
            q = vec3_add(quat_rotate(turn, q), random_vec3(&random, 0.01));
            solid_set_vec3(s.x, i, q);
        }
        cdg_vec3 center = solid_case_center(&s, s.x), rest = solid_case_center(&s, s.rest);
        for (size_t i = 0; i < s.node_count; i++)
            a = mat3_add(
                a, mat3_outer(s.mass[i], vec3_sub(solid_vec3(s.x, i), center), vec3_sub(solid_vec3(s.rest, i), rest)));
        cdg_quat best = polar_rotation(&a, random_rotation(&random));
        solid_case_step(&s, 1e-3, vec3(0, 0, 0));
        for (size_t i = 0; i < s.node_count; i++) { // halfway there, at the speed of the other half
            cdg_vec3 goal = vec3_add(center, quat_rotate(best, vec3_sub(solid_vec3(s.rest, i), rest)));
            cdg_vec3 end = vec3_mad(solid_vec3(s.x, i), 0.5e-3, solid_vec3(s.v, i));
            assert_near(vec3_distance(end, goal), 0, 1e-12);
        }
        cdg_solid_free(&s);
    }
}

// A small deformation of the kind that a level holds, and what is left of it after `time`.
static double left_after(cdg_matching_mode mode, int level, double step, double time) {
    cdg_solid s = block(mode, 1);
    double size = 1e-5, before = 0, after = 0;
    for (size_t i = 0; i < s.node_count; i++) {
        cdg_vec3 p = solid_vec3(s.rest, i);
        double away = level == 0 ? cos(60 * p.x) * cos(40 * p.y) * p.z * p.z * p.z * 1e3 : level == 1 ? p.x : p.x * p.x;
        s.x[level == 1 ? 0 : 2][i] += size * away;
    }
    s.history_step = step; // energy is that of steps so long
    before = cdg_solid_elastic_energy(&s, s.x);
    for (double t = 0; t < time - 0.5 * step; t += step) solid_case_step(&s, step, vec3(0, 0, 0));
    after = cdg_solid_elastic_energy(&s, s.x);
    cdg_solid_free(&s);
    return sqrt(after / before);
}

static void test_relaxation_does_not_depend_on_the_step(void **state) {
    (void)state;
    static const double steps[] = {1e-3, 2e-3, 5e-3};
    double relaxation = 0.05;
    for (int mode = 0; mode < CDG_MATCHING_MODE_COUNT; mode++)
        for (int level = 0; level <= mode; level++) {
            double time = level == 0 ? relaxation : level == 1 ? 2 * relaxation : 1.5 * relaxation, span = 0.1;
            double exact = (1 + span / time) * exp(-span / time);
            for (int k = 0; k < 3; k++) {
                double left = left_after((cdg_matching_mode)mode, level, steps[k], span);
                // c of (1 + c n) E^n is sinh(h/time), h/time (1 + (h/time)^2/6)
                double away = steps[k] / time, most = away * away / 6 + 1e-3;
                if (fabs(left / exact - 1) > most) print_error("mode %d level %d: %g, %g\n", mode, level, left, exact);
                assert_true(fabs(left / exact - 1) <= most);
            }
        }
}

static void test_momentum_is_kept(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int mode = 0; mode < CDG_MATCHING_MODE_COUNT; mode++)
        for (size_t clusters = 1; clusters <= 6; clusters += 5) {
            cdg_solid s = block((cdg_matching_mode)mode, clusters);
            solid_case_shake(&s, 0.01, &random);
            for (size_t i = 0; i < s.node_count; i++)
                solid_set_vec3(s.v, i, vec3_add(random_vec3(&random, 3), vec3(1, -2, solid_vec3(s.x, i).x * 20)));
            cdg_vec3 linear = vec3(0, 0, 0), angular = linear, linear_end = linear, angular_end = linear;
            cdg_solid_momentum(&s, s.x, s.v, &linear, &angular);
            for (int k = 0; k < 200; k++) solid_case_step(&s, 2e-3, vec3(0, 0, 0));
            cdg_solid_momentum(&s, s.x, s.v, &linear_end, &angular_end);
            assert_near(vec3_distance(linear, linear_end) / vec3_norm(linear), 0, 1e-12);
            assert_near(vec3_distance(angular, angular_end) / (vec3_norm(angular) + vec3_norm(linear)), 0, 1e-12);
            cdg_solid_free(&s);
        }
}

// The pull of a short step without velocities is the slope of the energy.
static void test_pulls_are_slopes_of_the_energy(void **state) {
    (void)state;
    cdg_random random = {11};
    for (int mode = 0; mode < CDG_MATCHING_MODE_COUNT; mode++)
        for (size_t clusters = 1; clusters <= 4; clusters += 3) {
            cdg_solid s = block((cdg_matching_mode)mode, clusters);
            solid_case_shake(&s, 0.01, &random);
            double step = 1e-9, largest = 0, worst = 0;
            cdg_solid_result result;
            cdg_error error;
            assert_int_equal(cdg_solid_predict(&s, step, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
            for (size_t i = 0; i < s.node_count; i += 17)
                for (int k = 0; k < 3; k++) {
                    double kept = s.x[k][i], reach = 1e-4, e[4];
                    for (int n = 0; n < 4; n++) {
                        s.x[k][i] = kept + reach * (n < 2 ? n - 2 : n - 1);
                        e[n] = cdg_solid_elastic_energy(&s, s.x);
                    }
                    s.x[k][i] = kept;
                    double slope = (e[0] - 8 * e[1] + 8 * e[2] - e[3]) / (12 * reach);
                    double force = s.mass[i] * s.v_next[k][i] / step;
                    largest = fmax(largest, fabs(force));
                    worst = fmax(worst, fabs(force + slope));
                }
            if (!(worst < 1e-7 * largest)) print_error("mode %d: %g of %g\n", mode, worst, largest);
            assert_true(worst < 1e-7 * largest);
            cdg_solid_free(&s);
        }
}

// Held at one end and pulled: it rests at force time^2/mass, whatever the step, and the support bears weight and pull.
static void test_supports_and_loads(void **state) {
    (void)state;
    for (size_t clusters = 1; clusters <= 3; clusters += 2) {
        double sag[3];
        for (int k = 0; k < 3; k++) {
            double step = k == 0 ? 1e-3 : k == 1 ? 5e-3 : 0.02, pull = 0;
            cdg_solid s = block(CDG_MATCHING_RIGID, clusters);
            for (size_t i = 0; i < s.node_count; i++) s.is_held[i] = s.rest[0][i] < -0.15;
            for (size_t i = 0; i < s.node_count; i++)
                if (s.rest[0][i] > 0.15) s.force[0][i] = 0.3 * s.mass[i], pull += s.force[0][i];
            for (int n = 0; n < (clusters == 1 ? 2 : 4) / step; n++) solid_case_step(&s, step, vec3(0, 0, -1));
            cdg_vec3 reaction = vec3(0, 0, 0);
            for (size_t i = 0; i < s.node_count; i++) {
                reaction = vec3_add(reaction, solid_vec3(s.reaction, i));
                if (s.is_held[i]) assert_true(vec3_distance(solid_vec3(s.x, i), solid_vec3(s.rest, i)) == 0);
            }
            assert_near(reaction.z, s.total_mass, 1e-6 * s.total_mass);
            assert_near(reaction.x, -pull, 1e-6 * s.total_mass);
            sag[k] = s.x[2][s.node_count - 1] - s.rest[2][s.node_count - 1];
            cdg_solid_free(&s);
        }
        // one cluster: and a little turn about the held end, which weighs much, not all
        if (clusters == 1) assert_near(sag[0], -0.05 * 0.05, 2.5e-4);
        for (int k = 1; k < 3; k++) { // tanh^2 of half of step/time
            double away = k == 1 ? 0.1 : 0.4;
            assert_near(sag[k] / sag[0], 1, away * away / 5 + 1e-4);
        }
    }
}

static void test_rates_are_those_of_the_swing(void **state) {
    (void)state;
    for (double ratio = 0; ratio < 2.1; ratio += 0.25)
        for (double step = 1e-4; step < 2; step *= 3) {
            matching_rates r = cdg_matching_rates(step, 0.1, ratio);
            double turned = step / 0.1, fade = exp(-ratio * turned);
            double swing = ratio < 1 ? cos(turned * sqrt(1 - ratio * ratio)) : cosh(turned * sqrt(ratio * ratio - 1));
            assert_near(1 + r.drag, fade * fade, 1e-14);
            if (ratio * turned < 30) assert_near(2 + step * r.pull + r.drag, 2 * fade * swing, 1e-13);
            double early = cdg_matching_early(step, 0.1, &r, false);
            assert_true(early >= 0 && early <= 1);
            matching_rates half = cdg_matching_half_rates(step, 0.1, ratio); // in the limit the same
            if (turned < 0.01) assert_near(half.pull / r.pull, 1, 2 * ratio * turned + turned * turned);
            assert_near((1 + half.drag) * (1 + half.drag), fade * fade, 1e-14);
        }
}

// Of twice the energy u^2 + (step/time)^2 y^2, y = d/step, a step in contact leaves at most 2 P u', the work of
// contact, whatever the impulse P: (1 - a) u'^2 - 2 c u u' + u^2 is not negative. The stiffness is that of the swing
// itself.
static void test_touched_steps_lose_energy(void **state) {
    (void)state;
    cdg_random random = {17};
    for (double ratio = 0; ratio < 2.1; ratio += 0.25)
        for (double turned = 0.01; turned <= 0.95; turned += 0.05) {
            matching_rates r = cdg_matching_touched_rates(2e-3, 2e-3 / turned, ratio);
            assert_near(-r.pull * 2e-3, turned * turned, 1e-15);
            assert_true(r.drag <= 0 && r.drag >= -1);
            for (int k = 0; k < 50; k++) {
                double u = random_in(&random, -1, 1), y = random_in(&random, -1, 1), push = random_in(&random, -1, 1);
                double a = turned * turned, speed = (1 + r.drag) * u - a * y + push, far = y + speed;
                assert_true(speed * speed + a * far * far <= u * u + a * y * y + 2 * push * speed + 1e-14);
            }
        }
    assert_true(cdg_matching_borne_time(0.1, 0.05) == 0.1); // a step that it bears changes nothing
    assert_true(cdg_matching_borne_time(0.1, 0.2) >= 0.2);
}

static cdg_world *world_with_floor(double step) {
    cdg_world *world = solid_world(1, step);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    cdg_contact_def contact = cdg_contact_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1);
    contact.friction = 0.6;
    assert_int_equal(cdg_world_set_contact(world, &contact), CDG_OK);
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
    return world;
}

// A block falls askew, bounces, and comes to rest; two lie on each other. Steps of changing length, shorter and longer
// than the block's times, which once made a stack stiffer at once where a step was divided: energy never rises by more
// than contact that is closed to 1e-3 of a thickness is worth.
static void test_energy_never_rises_in_contact(void **state) {
    (void)state;
    for (int mode = 0; mode < CDG_MATCHING_MODE_COUNT; mode++)
        for (int kind = 0; kind < 4; kind++) { // one block or two; one cluster or several
            cdg_world *world = world_with_floor(4e-3);
            cdg_solid_def def = def_of((cdg_matching_mode)mode, kind % 2 == 0 ? 1 : 4);
            def.shape_matching.relaxation_time = kind < 2 ? 4e-3 : 2e-3;
            def.shape_matching.damping_ratio = kind < 2 ? 1 : 0.3;
            def.density = 300;
            for (int b = 0; b <= kind / 2; b++) {
                def.position = vec3(0.01 * b, 0, 0.08 + 0.11 * b);
                def.orientation = quat_from_axis_angle(vec3(0.6, 0.8, 0), kind < 2 ? 0.3 : 0);
                solid_world_add(world, def, vec3(0.12, 0.12, 0.08), 0.04);
            }
            double before = cdg_world_energy(world).total, scale = before, rise = 0;
            for (int k = 0; k < 300; k++) {
                if (k % 20 == 0) assert_int_equal(cdg_world_set_step_size(world, k % 40 == 0 ? 4e-3 : 1e-3), CDG_OK);
                solid_world_steps(world, 1);
                double now = cdg_world_energy(world).total;
                rise = fmax(rise, now - before);
                before = now;
            }
            if (!(rise < 1e-4 * scale)) print_error("mode %d kind %d: %g of %g J\n", mode, kind, rise, scale);
            assert_true(rise < 1e-4 * scale);
            assert_true(before < 0.9 * scale);
            cdg_world_destroy(world);
        }
}

static void test_threads_do_not_matter(void **state) {
    (void)state;
    for (size_t clusters = 1; clusters <= 40; clusters += 39) {
        cdg_solid s[2];
        for (int k = 0; k < 2; k++) {
            cdg_random random = {5};
            s[k] = solid_case_build(def_of(CDG_MATCHING_QUADRATIC, clusters), vec3(0.5, 0.5, 0.5), 0.019);
            solid_case_shake(&s[k], 0.01, &random);
            for (int n = 0; n < 2; n++) {
                cdg_solid_result result;
                cdg_error error;
                assert_int_equal(cdg_solid_predict(&s[k], 2e-3, vec3(0, 0, -10), k == 0 ? 1 : 3, &result, &error),
                                 CDG_OK);
                cdg_solid_commit(&s[k], 2e-3);
            }
        }
        assert_true(s[0].node_count > 16384);
        for (int k = 0; k < 3; k++) assert_memory_equal(s[0].x[k], s[1].x[k], s[0].node_count * sizeof(double));
        cdg_solid_free(&s[0]);
        cdg_solid_free(&s[1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_goal_is_the_best_rotation), cmocka_unit_test(test_relaxation_does_not_depend_on_the_step),
        cmocka_unit_test(test_momentum_is_kept),          cmocka_unit_test(test_pulls_are_slopes_of_the_energy),
        cmocka_unit_test(test_supports_and_loads),        cmocka_unit_test(test_rates_are_those_of_the_swing),
        cmocka_unit_test(test_touched_steps_lose_energy), cmocka_unit_test(test_energy_never_rises_in_contact),
        cmocka_unit_test(test_threads_do_not_matter)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
