// Pressure that is averaged over nodes: slopes and second derivatives against differences, rigid motion, momentum, and
// what it is for: blocks near a Poisson's ratio of 0.5 that bend.
#include "solid_case.h"

#include "solids/nodal_pressure.h"

static cdg_solid_def averaged_def(cdg_solid_model model, cdg_solid_integrator integrator) {
    cdg_solid_def def = solid_case_def(model, integrator);
    def.poisson_ratio = 0.49;
    return def;
}

static void test_division(void **state) {
    (void)state;
    const struct {
        cdg_solid_model model;
        double ratio;
        cdg_solid_pressure pressure;
        bool is_averaged;
    } cases[] = {
        {CDG_SOLID_NEO_HOOKEAN, 0.45, CDG_SOLID_PRESSURE_AUTO, false},
        {CDG_SOLID_NEO_HOOKEAN, 0.46, CDG_SOLID_PRESSURE_AUTO, true},
        {CDG_SOLID_COROTATIONAL, 0.46, CDG_SOLID_PRESSURE_AUTO, true},
        {CDG_SOLID_MASS_SPRING, 0.46, CDG_SOLID_PRESSURE_AUTO, false},
        {CDG_SOLID_NEO_HOOKEAN, 0.49, CDG_SOLID_PRESSURE_ELEMENTS, false},
        {CDG_SOLID_NEO_HOOKEAN, 0.4, CDG_SOLID_PRESSURE_AVERAGED, true},
        {CDG_SOLID_NEO_HOOKEAN, 0.1, CDG_SOLID_PRESSURE_AVERAGED, false}, // tetrahedra keep all of it
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        cdg_solid_def def = solid_case_def(cases[i].model, CDG_SOLID_EXPLICIT);
        def.poisson_ratio = cases[i].ratio, def.pressure = cases[i].pressure;
        cdg_solid s = solid_case_build(def, vec3(1, 1, 1), 0.5);
        double nu = cases[i].ratio, lambda = 1e5 * nu / ((1 + nu) * (1 - 2 * nu));
        assert_int_equal(s.bulk > 0, cases[i].is_averaged);
        assert_near(s.lambda + s.bulk, lambda, 1e-9 * lambda);
        double volume = 0;
        for (size_t k = 0; k < s.node_count && s.bulk > 0; k++) volume += s.node_volume[k];
        if (s.bulk > 0) assert_near(volume, 1, 1e-12);
        cdg_solid_free(&s);
    }
}

static double energy_along(cdg_solid *s, const cdg_vec3 *way, double share) {
    for (size_t i = 0; i < s->node_count; i++)
        solid_set_vec3(s->x_next, i, vec3_mad(solid_vec3(s->x, i), share, way[i]));
    return cdg_solid_elastic_energy(s, s->x_next);
}

static void test_forces_are_slopes_of_energy(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(averaged_def((cdg_solid_model)model, CDG_SOLID_EXPLICIT), vec3(2, 1, 1), 0.5);
        cdg_random random = {7};
        cdg_vec3 way[200];
        solid_case_shake(&s, 0.08, &random);
        cdg_solid_at at = {.x = s.x};
        cdg_solid_forces(&s, &at, s.inner_force, 1);
        double slope = 0, size = 0;
        cdg_vec3 sum = vec3(0, 0, 0);
        for (size_t i = 0; i < s.node_count; i++) {
            cdg_vec3 force = solid_vec3(s.inner_force, i);
            way[i] = random_vec3(&random, 1);
            slope -= vec3_dot(force, way[i]), size += vec3_norm(force);
            sum = vec3_add(sum, force);
        }
        const double h = 1e-4;
        double expected = (energy_along(&s, way, -2 * h) - 8 * energy_along(&s, way, -h) +
                           8 * energy_along(&s, way, h) - energy_along(&s, way, 2 * h)) /
                          (12 * h);
        assert_near(slope, expected, 1e-7 * size);
        assert_near(vec3_norm(sum), 0, 1e-13 * size);
        cdg_solid_free(&s);
    }
}

// The system's solution is a move whose change of forces, with inertia, is the right side.
static void test_solution_against_differences_of_forces(void **state) {
    (void)state;
    const double inertia = 1e4, share = 0.01;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid s = solid_case_build(averaged_def((cdg_solid_model)model, CDG_SOLID_EULER), vec3(2, 1, 1), 0.5);
        cdg_random random = {9};
        solid_case_shake(&s, 0.04, &random);
        s.is_held[3] = true; // whose pressure counts all the same
        cdg_solid_at at = {.x = s.x};
        cdg_solid_assemble(&s, &at, inertia, false, 1);
        double *right = s.system->right;
        for (size_t k = 0; k < 3 * s.node_count; k++) right[k] = k / 3 == 3 ? 0 : random_in(&random, -1, 1);
        assert_true(cdg_solid_solve(&s, 1e-12, 1));
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < s.node_count; i++)
                for (int k = 0; k < 3; k++)
                    s.x_next[k][i] = s.x[k][i] + (side == 0 ? -share : share) * s.system->move[3 * i + (size_t)k];
            cdg_solid_at moved = {.x = s.x_next};
            cdg_solid_forces(&s, &moved, side == 0 ? s.inner_force : s.system->force, 1);
        }
        for (size_t i = 0; i < s.node_count; i++)
            for (int k = 0; k < 3 && i != 3; k++) {
                double change = (s.system->force[k][i] - s.inner_force[k][i]) / (2 * share);
                double move = s.system->move[3 * i + (size_t)k];
                assert_near(inertia * s.mass[i] * move - change, right[3 * i + (size_t)k], 1e-6);
            }
        cdg_solid_free(&s);
    }
}

// Blocks of rows and columns without pressures as unknowns: along any way their square is that of the pressures.
static void test_condensed_blocks(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(averaged_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER), vec3(2, 1, 1), 0.5);
    cdg_random random = {11};
    cdg_vec3 way[200];
    uint32_t columns[2000];
    solid_case_shake(&s, 0.05, &random);
    for (size_t i = 0; i < s.node_count; i++) way[i] = random_vec3(&random, 1);
    nodal_slopes *slopes = s.system->slopes;
    cdg_nodal_slopes_find(&s, slopes, s.x, 1);
    assert_true(cdg_nodal_slopes_most(slopes, s.node_count) <= sizeof columns / sizeof *columns);
    double found = 0, expected = 0, low[200];
    for (size_t i = 0; i < s.node_count; i++) {
        size_t count = cdg_nodal_slopes_columns(slopes, i, columns);
        assert_true(count > 4 && count <= s.node_count);
        for (size_t c = 0; c < count; c++) {
            double k[9] = {0};
            if (c > 0) assert_true(columns[c - 1] < columns[c]);
            cdg_nodal_slopes_add(slopes, i, columns[c], k);
            cdg_vec3 b = way[columns[c]];
            found += vec3_dot(way[i], vec3(k[0] * b.x + k[3] * b.y + k[6] * b.z, k[1] * b.x + k[4] * b.y + k[7] * b.z,
                                           k[2] * b.x + k[5] * b.y + k[8] * b.z));
        }
    }
    const double h = 1e-5;
    (void)energy_along(&s, way, -h);
    memcpy(low, s.node_pressure, s.node_count * sizeof *low);
    (void)energy_along(&s, way, h);
    for (size_t i = 0; i < s.node_count; i++) {
        double change = (s.node_pressure[i] - low[i]) / (2 * h);
        expected += s.node_volume[i] / s.bulk * change * change;
    }
    assert_near(found, expected, 1e-7 * expected);
    cdg_solid_free(&s);
}

static void test_rigid_motion_has_no_force(void **state) {
    (void)state;
    cdg_solid s = solid_case_build(averaged_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(1, 1, 1), 0.25);
    cdg_quat turn = quat_normalize(quat(0.3, -0.5, 0.7, 0.2));
    for (size_t i = 0; i < s.node_count; i++) solid_set_vec3(s.x, i, quat_rotate(turn, solid_vec3(s.rest, i)));
    cdg_solid_at at = {.x = s.x};
    cdg_solid_forces(&s, &at, s.inner_force, 1);
    for (size_t i = 0; i < s.node_count; i++)
        assert_near(vec3_norm(solid_vec3(s.inner_force, i)), 0, 1e-12 * (s.lambda + s.bulk) * 0.25 * 0.25);
    cdg_solid_free(&s);
}

static void test_steps_keep_momentum_and_energy(void **state) {
    (void)state;
    for (int integrator = 0; integrator < CDG_SOLID_INTEGRATOR_COUNT; integrator++) {
        cdg_solid_def def = averaged_def(CDG_SOLID_NEO_HOOKEAN, (cdg_solid_integrator)integrator);
        def.velocity = vec3(1, 2, 3);
        cdg_solid s = solid_case_build(def, vec3(1, 0.5, 0.5), 0.25);
        cdg_random random = {13};
        solid_case_shake(&s, 0.02, &random);
        cdg_vec3 before = vec3(0, 0, 0), after = vec3(0, 0, 0), still = vec3(0, 0, 0);
        cdg_solid_momentum(&s, s.x, s.v, &before, NULL);
        solid_energies start = cdg_solid_measure_energy(&s, s.x, s.v, still);
        for (int i = 0; i < 200; i++) solid_case_step(&s, 1e-3, still);
        solid_energies end = cdg_solid_measure_energy(&s, s.x, s.v, still);
        cdg_solid_momentum(&s, s.x, s.v, &after, NULL);
        assert_near(vec3_distance(before, after), 0, 1e-11 * vec3_norm(before));
        assert_true(end.kinetic + end.elastic <= 1.02 * (start.kinetic + start.elastic));
        cdg_solid_free(&s);
    }
}

// Over E I x curvature: how stiff a block is that is bent as Saint-Venant has it.
static double bending_stiffness(cdg_solid_pressure pressure) {
    const double bend = 1e-4, nu = 0.4999;
    cdg_solid_def def = averaged_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    def.poisson_ratio = nu, def.pressure = pressure;
    cdg_solid s = solid_case_build(def, vec3(2, 1, 1), 0.25);
    for (size_t i = 0; i < s.node_count; i++) {
        cdg_vec3 p = solid_vec3(s.rest, i);
        if (fabs(p.x) < 1 - 1e-9) continue;
        s.is_held[i] = true, s.held_count++;
        solid_set_vec3(s.target, i,
                       vec3(p.x + bend * p.x * p.z, p.y - nu * bend * p.y * p.z,
                            p.z - 0.5 * bend * (p.x * p.x + nu * (p.z * p.z - p.y * p.y))));
    }
    cdg_solid_result result;
    cdg_error error = {0};
    assert_int_equal(cdg_solid_find_equilibrium(&s, vec3(0, 0, 0), 1, &result, &error), CDG_OK);
    double moment = 0;
    for (size_t i = 0; i < s.node_count; i++)
        if (s.rest[0][i] > 1 - 1e-9) moment += vec3_cross(solid_vec3(s.rest, i), solid_vec3(s.reaction, i)).y;
    cdg_solid_free(&s);
    return fabs(moment) / (1e5 / 12 * bend);
}

static void test_blocks_bend_near_one_half(void **state) {
    (void)state;
    double averaged = bending_stiffness(CDG_SOLID_PRESSURE_AUTO),
           locked = bending_stiffness(CDG_SOLID_PRESSURE_ELEMENTS);
    assert_true(averaged > 1 && averaged < 1.4);
    assert_true(locked > 50);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_division),
        cmocka_unit_test(test_forces_are_slopes_of_energy),
        cmocka_unit_test(test_solution_against_differences_of_forces),
        cmocka_unit_test(test_condensed_blocks),
        cmocka_unit_test(test_rigid_motion_has_no_force),
        cmocka_unit_test(test_steps_keep_momentum_and_energy),
        cmocka_unit_test(test_blocks_bend_near_one_half),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
