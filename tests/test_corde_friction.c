// Inner friction: the rates it acts at are those at the end of the sub-step, however strong it is; it never adds
// energy. (test_corde.c has its power, rigid motion and momentum.)
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"

static void set_damping(cdg_rod_def *def, double stretch, double shear, double bend, double twist) {
    def->material.damping_stretch = stretch;
    def->material.damping_shear = shear;
    def->material.damping_bend = bend;
    def->material.damping_twist = twist;
}

static double kinetic(const cdg_rod *rod) {
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.kinetic;
}

// At its rest shape, moved at random, with friction of all strengths: a single short step never gains kinetic energy,
// and in the limit of infinite friction only rigid motion is left.
static void test_never_adds_energy(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 32; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_corde_coupling coupling = round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY;
        cdg_rod_def def = case_def(round / 2 % 2, coupling, points, &random);
        def.rest.kind = CDG_REST_INITIAL;
        const double times[] = {1e-6, 1e-2, 1e2, 1e8};
        double time = times[round / 8];
        if (round / 4 % 2)
            set_damping(&def, time, time, time, time);
        else
            set_damping(&def, 0, 0, time, 0);
        corde_case c = case_build(&def);
        for (size_t i = 0; i < c.rod->node_count; i++) rod_set_vec3(c.rod->v, i, random_vec3(&random, 0.01));
        for (size_t j = 0; j < c.rod->element_count; j++) c.rod->w[2][j] = random_in(&random, -0.1, 0.1);
        double before = kinetic(c.rod);
        case_predict(&c, 1e-6);
        c.rod->model->commit(c.rod, 1e-6);
        assert_true(kinetic(c.rod) <= before * (1 + 1e-9));
        if (time > 1e7 && round / 4 % 2) {
            // rigid: every element's length keeps its value
            for (size_t j = 0; j < c.rod->element_count; j++) {
                size_t next = rod_next_node(c.rod, j);
                cdg_vec3 e = vec3_sub(rod_vec3(c.rod->x, next), rod_vec3(c.rod->x, j));
                cdg_vec3 de = vec3_sub(rod_vec3(c.rod->v, next), rod_vec3(c.rod->v, j));
                assert_near(vec3_dot(e, de), 0, 1e-6);
            }
        }
        case_free(&c);
    }
}

// The velocities after the step solve (M + h C) v = M v_now + h f: friction by differences of the rates that the step
// ends with equals the momentum that was lost.
static void test_acts_at_the_end_of_the_step(void **state) {
    (void)state;
    for (int c = 0; c < 2; c++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_CORDE;
        def.corde.coupling = c ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY;
        def.corde.substeps = 1;
        def.element_count = 1;
        def.section.radius = 1e-2;
        set_damping(&def, 0.5, 0, 0, 0);
        corde_case one = case_build(&def);
        double h = 1e-3, v = 0.3;
        one.rod->v[0][1] = v; // pulls its end along the rod
        case_predict(&one, h);
        double k = 1e6 * 3.14159265358979323846 * 1e-4, m = one.rod->node_mass[0];
        // relative velocity u: m u'/2 = m u/2 - h tau k u', and the mean stays
        double u = v / (1 + 2 * h * 0.5 * k / m);
        assert_near(one.rod->v_next[0][1] - one.rod->v_next[0][0], u, 1e-12);
        assert_near(one.rod->v_next[0][1] + one.rod->v_next[0][0], v, 1e-12);
        case_free(&one);
    }
}

// ---- modes of a straight rod ----------------------------------------------------------------------------------------

// Its end sections are held in their directions but may slide, so waves with whole numbers of half waves are modes.
enum { MODE_ELEMENTS = 320 };

static corde_case mode_case(cdg_corde_coupling coupling, double time) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_CORDE;
    def.corde.coupling = coupling;
    def.corde.substeps = 1;
    def.element_count = MODE_ELEMENTS;
    def.centerline.line.to = vec3(0.01 * MODE_ELEMENTS, 0, 0);
    def.section.radius = 4e-3;
    set_damping(&def, time, 2 * time, 3 * time, 4 * time);
    corde_case c = case_build(&def);
    for (size_t h = 0; h < 2; h++) {
        size_t element = h == 0 ? 0 : MODE_ELEMENTS - 1;
        c.rod->holds[h] = (cdg_hold){
            .node = h == 0 ? 0 : MODE_ELEMENTS, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(c.rod->q, element)};
    }
    c.rod->hold_count = 2;
    return c;
}

static const double mode_pi = 3.14159265358979323846, mode_speed = 1e-4; // so slow that the rod stays as it is

// Stretching along the rod: v' = v/(1 + h tau omega^2) with the chain's own omega = 2 sqrt(k/m) sin(angle/2). The same
// for twisting.
static void check_stretch_and_twist(corde_case *c, double step, double angle) {
    cdg_rod *rod = c->rod;
    double l = rod->rest_length[0], sine = sin(angle / 2), mass = rod->node_mass[1];
    double stretch = 4 * rod->stretch_stiffness[2][0] / l / mass * sine * sine;
    double twist = 4 * rod->bend_stiffness[2][0] / l / (l * rod->frame_inertia[2][0]) * sine * sine;
    for (size_t i = 0; i < rod->node_count; i++)
        rod_set_vec3(rod->v, i, vec3(mode_speed * cos(angle * (double)i), 0, 0));
    for (size_t j = 0; j < rod->element_count; j++) // held at both ends: odd about them
        rod_set_vec3(rod->w, j, vec3(0, 0, mode_speed * sin(angle * ((double)j + 0.5))));
    case_predict(c, step);
    double v = mode_speed / (1 + step * rod->damping_time[1] * stretch);
    double w = mode_speed / (1 + step * rod->damping_time[3] * twist);
    for (size_t i = 0; i < rod->node_count; i++)
        assert_vec3_near(rod_vec3(rod->v_next, i), vec3(v * cos(angle * (double)i), 0, 0), 1e-5 * mode_speed);
    for (size_t j = 0; j < rod->element_count; j++)
        assert_near(rod->w_next[2][j], w * sin(angle * ((double)j + 0.5)), 1e-5 * mode_speed);
    // what the frames lose goes into the held sections
    double lost = 0, scale = mode_speed * l * rod->frame_inertia[2][0] * MODE_ELEMENTS / step;
    for (size_t j = 0; j < rod->element_count; j++)
        lost += l * rod->frame_inertia[2][0] * (rod->w[2][j] - rod->w_next[2][j]) / step;
    assert_near(rod->holds[0].moment.x + rod->holds[1].moment.x, -lost, 1e-9 * scale);
}

// Bending with v = a cos, w = b sin: see the dampers' u = dv - w x e for what is damped. Penalty:
//   m (a' - a) = -2 s g (2 s a' + l b'),    I (b' - b) = -4 s^2 k b' - l g (2 s a' + l b'),
// g = h tau kappa/l, k = h tau B/l; constraint: l b = -2 s a and g gives way.
static void check_bend_and_shear(corde_case *c, double step, double angle) {
    cdg_rod *rod = c->rod;
    double l = rod->rest_length[0], s = sin(angle / 2), m = rod->node_mass[1], a = mode_speed, b = 0;
    double k = step * rod->damping_time[2] * rod->bend_stiffness[0][0] / l;
    if (corde_is_constraint(rod)) {
        b = -2 * s * a / l;
        a /= 1 + 16 * s * s * s * s * k / (l * l * m);
    } else {
        double inertia = l * rod->frame_inertia[0][0];
        double g = step * rod->damping_time[0] * rod->stretch_stiffness[0][0] / l;
        b = -s * a / l; // half follows
        double p = m + 4 * s * s * g, q = 2 * s * l * g, r = inertia + 4 * s * s * k + l * l * g;
        double right_a = m * a, right_b = inertia * b, det = p * r - q * q;
        a = (r * right_a - q * right_b) / det;
    }
    double first = mode_speed;
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, vec3(0, first * cos(angle * (double)i), 0));
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 spin = vec3(0, 0, b * sin(angle * ((double)j + 0.5)));
        rod_set_vec3(rod->w, j, quat_rotate_inverse(rod_quat(rod->q, j), spin));
    }
    case_predict(c, step);
    for (size_t i = 0; i < rod->node_count; i++)
        assert_near(rod->v_next[1][i], a * cos(angle * (double)i), 1e-5 * mode_speed);
}

static void test_modes_lose_what_they_should(void **state) {
    (void)state;
    for (int round = 0; round < 24; round++) {
        const double times[] = {1e-6, 1e-4, 1e-2, 1};
        const int waves[] = {1, 20, MODE_ELEMENTS};
        corde_case c = mode_case(round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, times[round / 2 % 4]);
        double step = corde_safe_step(fmin(c.rod->node_step_limit, c.rod->frame_step_limit));
        double angle = mode_pi * waves[round / 8] / MODE_ELEMENTS;
        check_stretch_and_twist(&c, step, angle);
        check_bend_and_shear(&c, step, angle);
        case_free(&c);
    }
}

// ---- long rods ------------------------------------------------------------------------------------------------------

static corde_case wavy_case(cdg_corde_coupling coupling, double time, cdg_vec3 *points, size_t count) {
    cdg_rod_def def = cdg_rod_def_default();
    for (size_t i = 0; i <= count; i++) {
        double s = 0.01 * (double)i;
        points[i] = vec3(s, 0.1 * sin(9 * s), 0.05 * cos(14 * s));
    }
    def.model = CDG_MODEL_CORDE;
    def.corde.coupling = coupling;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = count + 1;
    def.element_count = count;
    def.section.radius = 4e-3;
    def.rest.kind = CDG_REST_INITIAL;
    set_damping(&def, time, time, time, time);
    return case_build(&def);
}

// Rigid motion is the same with friction and without, however strong it is.
static void test_long_rods_fly_freely(void **state) {
    (void)state;
    cdg_vec3 points[301];
    for (int round = 0; round < 8; round++) {
        const double times[] = {1e-6, 1e-4, 1e-2, 1};
        corde_case c = wavy_case(round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, times[round / 2], points, 300);
        cdg_rod *rod = c.rod;
        cdg_vec3 spin = vec3(0.4, -0.7, 1.1), velocity = vec3(3, 2, -1);
        for (size_t i = 0; i < rod->node_count; i++)
            rod_set_vec3(rod->v, i, vec3_add(velocity, vec3_cross(spin, rod_vec3(rod->x, i))));
        for (size_t j = 0; j < rod->element_count; j++)
            rod_set_vec3(rod->w, j, quat_rotate_inverse(rod_quat(rod->q, j), spin));
        double step = 0.2 * corde_safe_step(fmin(rod->node_step_limit, rod->frame_step_limit)), damping[4];
        cdg_vec3 v[301], w[300];
        case_predict(&c, step);
        for (size_t i = 0; i < rod->node_count; i++) v[i] = rod_vec3(rod->v_next, i);
        for (size_t j = 0; j < rod->element_count; j++) w[j] = rod_vec3(rod->w_next, j);
        memcpy(damping, rod->damping_time, sizeof damping);
        memset(rod->damping_time, 0, sizeof damping);
        case_predict(&c, step);
        memcpy(rod->damping_time, damping, sizeof damping);
        for (size_t i = 0; i < rod->node_count; i++) assert_vec3_near(rod_vec3(rod->v_next, i), v[i], 4e-12);
        for (size_t j = 0; j < rod->element_count; j++) assert_vec3_near(rod_vec3(rod->w_next, j), w[j], 4e-12);
        case_free(&c);
    }
}

static double energy_of(const cdg_rod *rod) {
    cdg_energy e;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &e);
    return e.total;
}

// From a violent start energy goes down and momentum stays, whatever the friction and the step.
static void test_long_rods_calm_down(void **state) {
    (void)state;
    cdg_vec3 points[201];
    cdg_random random = {51};
    for (int round = 0; round < 16; round++) {
        const double times[] = {1e-6, 1e-4, 1e-2, 1};
        corde_case c =
            wavy_case(round % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, times[round / 2 % 4], points, 200);
        cdg_rod *rod = c.rod;
        for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(&random, 0.3));
        for (size_t j = 0; j < rod->element_count; j++) rod->w[2][j] = random_in(&random, -20, 20);
        double step = (round < 8 ? 0.2 : 1) * corde_safe_step(fmin(rod->node_step_limit, rod->frame_step_limit));
        cdg_vec3 linear[2] = {{0}}, angular[2] = {{0}};
        case_predict(&c, step); // makes frames' spins those of their tangents
        rod->model->commit(rod, step);
        cdg_rod_measure_momentum(rod, &linear[0], &angular[0]);
        double start = energy_of(rod), last = start, highest = start;
        for (int i = 0; i < 100; i++) {
            case_predict(&c, step);
            rod->model->commit(rod, step);
            last = energy_of(rod);
            highest = fmax(highest, last);
        }
        cdg_rod_measure_momentum(rod, &linear[1], &angular[1]);
        double size = rod->mass * 0.3;
        assert_vec3_near(linear[1], linear[0], 1e-12 * size);
        assert_vec3_near(angular[1], angular[0], 1e-12 * size * rod->length);
        assert_true(highest <= start * (times[round / 2 % 4] > 1e-5 ? 1.02 : 1.3)); // waves near the limit swing
        assert_true(last < start * (times[round / 2 % 4] > 1e-5 ? 0.9 : 1.1));
        case_free(&c);
    }
}

static void test_scratch_is_enough_for_every_kind(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int round = 0; round < 8; round++) {
        static cdg_vec3 points[CASE_ELEMENTS + 1];
        cdg_rod_def def =
            case_def(round % 2, round / 2 % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        assert_false(corde_has_friction(&(cdg_rod){0}));
        set_damping(&def, 1e-3, 1e-3, 1e-3, 1e-3);
        corde_case c = case_build(&def);
        assert_true(corde_has_friction(c.rod));
        if (round >= 4) case_hold(&c, &random);
        case_predict(&c, 1e-5); // a sanitizer sees a step beyond the scratch
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_never_adds_energy),           cmocka_unit_test(test_acts_at_the_end_of_the_step),
        cmocka_unit_test(test_modes_lose_what_they_should), cmocka_unit_test(test_long_rods_fly_freely),
        cmocka_unit_test(test_long_rods_calm_down),         cmocka_unit_test(test_scratch_is_enough_for_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
