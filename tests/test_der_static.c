// Equilibria against the planar elastica (reference values by elliptic integrals and shooting), roll-up, buckling.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_static_case.h"

static cdg_vec3 tip_of(const der_case *c) { return rod_vec3(c->rod->x, c->rod->node_count - 1); }

typedef struct reference {
    double load, x, y;
} reference;

// Tip position under a tip load, or own weight, downwards; the distance to the reference.
static double cantilever_error(size_t elements, reference r, bool is_weight, cdg_der_curvature curvature) {
    cdg_rod_def def = unit_rod(elements, 1e-3);
    def.der.curvature = curvature;
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    if (is_weight)
        for (size_t i = 0; i < c.rod->node_count; i++) c.force[2][i] = -r.load * c.rod->node_mass[i];
    else
        c.force[2][elements] = -r.load;
    der_static_report report = settle(&c);
    assert_true(report.is_stable);
    assert_vec3_near(c.rod->holds[0].force, vec3(0, 0, r.load), 1e-5 * r.load);
    cdg_vec3 tip = tip_of(&c);
    case_free(&c);
    return vec3_distance(tip, vec3(r.x, 0, -r.y));
}

static void test_elastica(void **state) {
    (void)state;
    const reference tip_loads[] = {{1, 0.9435667637, 0.3017207738},
                                   {2, 0.8393582792, 0.4934574804},
                                   {5, 0.6123716393, 0.7137915236},
                                   {10, 0.4450044022, 0.8106090249}};
    const reference weights[] = {
        {1, 0.9912463953, 0.1234714020}, {10, 0.6563537612, 0.7001997155}, {100, 0.1592233826, 0.9375239354}};
    for (int is_angle = 0; is_angle < 2; is_angle++) {
        cdg_der_curvature curvature = is_angle ? CDG_DER_ANGLE : CDG_DER_TANGENT;
        for (int i = 0; i < 4; i++) {
            double coarse = cantilever_error(20, tip_loads[i], false, curvature);
            double fine = cantilever_error(40, tip_loads[i], false, curvature);
            assert_true(fine < 1e-3);
            assert_near(log2(coarse / fine), 2, 0.25);
        }
        for (int i = 0; i < 3; i++) {
            double coarse = cantilever_error(40, weights[i], true, curvature);
            double fine = cantilever_error(80, weights[i], true, curvature);
            assert_true(coarse < 1e-3);
            assert_near(log2(coarse / fine), 2, 0.3);
        }
    }
    assert_true(cantilever_error(200, (reference){1000, 0.0459864548, 0.9811412693}, true, CDG_DER_TANGENT) < 1e-3);
}

// Rounding of coordinates is not an unbalanced force, wherever the rod stands, however short its elements, however
// stiff it is against stretching: the same elastica.
static void test_far_fine_and_stiff(void **state) {
    (void)state;
    const struct {
        double from, radius;
        size_t elements;
    } rods[] = {{30, 2e-3, 50}, {300, 2e-4, 100}, {0, 2e-3, 1000}, {0, 2e-5, 50}};
    for (size_t i = 0; i < sizeof rods / sizeof *rods; i++)
        for (int loaded = 0; loaded < 2; loaded++) { // without a load there is nothing but rounding
            cdg_rod_def def = unit_rod(rods[i].elements, rods[i].radius);
            def.centerline.line.from = vec3(rods[i].from, 0, 0);
            def.centerline.line.to = vec3(rods[i].from + 1, 0, 0);
            der_case c = case_build(&def);
            clamp_node(&c, 0);
            c.force[2][rods[i].elements] = loaded ? -5 : 0;
            settle(&c);
            cdg_vec3 wanted = loaded ? vec3(rods[i].from + 0.6123716393, 0, -0.7137915236) : def.centerline.line.to;
            assert_vec3_near(tip_of(&c), wanted, 2e-4);
            case_free(&c);
        }
}

// An end moment of 2 pi B/L rolls the rod up to a full circle: exactly so if curvature is the angle.
static void test_roll_up_closes(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(40, 1e-3);
    def.der.curvature = CDG_DER_ANGLE;
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    c.torque[1][39] = 2 * der_pi;
    settle(&c);
    assert_vec3_near(tip_of(&c), vec3(0, 0, 0), 1e-6);
    assert_near(fabs(c.rod->holds[0].moment.y) + fabs(c.rod->holds[0].moment.z), 2 * der_pi, 1e-4);
    case_free(&c);
}

// Pressed beyond Euler's load (pi^2/4 clamped-free) a straight column is a saddle; it is left for the buckled shape.
static void test_buckling_leaves_the_saddle(void **state) {
    (void)state;
    for (int leaves = 0; leaves < 2; leaves++) {
        cdg_rod_def def = unit_rod(40, 1e-2);
        der_case c = case_build(&def);
        clamp_node(&c, 0);
        c.force[0][40] = -1.15 * der_pi * der_pi / 4;
        der_static_options options = der_static_options_default();
        options.leaves_saddles = leaves == 1;
        der_static_report report;
        cdg_error error = {0};
        assert_int_equal(der_find_equilibrium(c.rod, &c.loads, &options, &report, &error), CDG_OK);
        cdg_vec3 tip = tip_of(&c);
        double aside = hypot(tip.y, tip.z);
        if (leaves == 0) {
            assert_false(report.is_stable);
            assert_true(report.lowest < 0);
            assert_near(aside, 0, 1e-9);
        } else {
            assert_true(report.is_stable);
            assert_near(aside, 0.5929, 2e-2); // P/P_cr = 1.15: tip angle 60 degrees, Timoshenko and Gere
        }
        case_free(&c);
    }
}

static void test_free_rod_has_no_equilibrium(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(10, 1e-2);
    der_case c = case_build(&def);
    for (size_t i = 0; i < c.rod->node_count; i++) c.force[2][i] = -9.81 * c.rod->node_mass[i];
    der_static_options options = der_static_options_default();
    options.iterations = 200;
    der_static_report report;
    cdg_error error = {0};
    assert_int_equal(der_find_equilibrium(c.rod, &c.loads, &options, &report, &error), CDG_ERROR_NO_CONVERGENCE);
    assert_non_null(strstr(error.message, "unbalanced forces"));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_elastica),
        cmocka_unit_test(test_far_fine_and_stiff),
        cmocka_unit_test(test_roll_up_closes),
        cmocka_unit_test(test_buckling_leaves_the_saddle),
        cmocka_unit_test(test_free_rod_has_no_equilibrium),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
