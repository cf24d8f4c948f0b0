// Natural frequencies of beams, rigid motions, and critical loads where an eigenvalue passes zero.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "der_static_case.h"

static void test_cantilever_frequencies(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(60, 1e-3);
    def.stiffness.bend[1] = 100; // one plane is enough
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    double values[4], *shapes = malloc(4 * 4 * 61 * sizeof *shapes);
    cdg_error error = {0};
    assert_int_equal(der_find_modes(c.rod, &c.loads, 4, values, shapes, &error), CDG_OK);
    const double roots[] = {1.8751040687, 4.6940911330, 7.8547574382};
    // the second plane's first mode, ten times the first's frequency, comes before the third
    assert_near(sqrt(values[0]), roots[0] * roots[0], 5e-3 * sqrt(values[0]));
    assert_near(sqrt(values[1]), roots[1] * roots[1], 5e-3 * sqrt(values[1]));
    assert_near(sqrt(values[2]), 10 * roots[0] * roots[0], 5e-3 * sqrt(values[2]));
    assert_near(sqrt(values[3]), roots[2] * roots[2], 5e-3 * sqrt(values[3]));
    for (int m = 0; m < 4; m++) // unit modal mass, and the first clamped node at rest
        for (int n = 0; n <= m; n++) {
            double sum = 0;
            for (size_t i = 0; i <= 60; i++)
                for (size_t k = 0; k < 3; k++)
                    sum +=
                        c.rod->node_mass[i] * shapes[244 * (size_t)m + 4 * i + k] * shapes[244 * (size_t)n + 4 * i + k];
            assert_near(sum, m == n, 1e-6);
        }
    assert_near(shapes[0], 0, 0);
    free(shapes);
    case_free(&c);
}

// A free rod has six rigid motions and turns freely about its axis (that is one of the six); a free ring likewise.
static void test_free_rods_have_rigid_motions(void **state) {
    (void)state;
    for (int is_ring = 0; is_ring < 2; is_ring++) {
        cdg_rod_def def = unit_rod(24, 1e-2);
        if (is_ring) {
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 0.2;
            def.centerline.circle.axis = vec3(0, 0, 1);
            def.rest.kind = CDG_REST_INITIAL;
        }
        der_case c = case_build(&def);
        double values[8];
        cdg_error error = {0};
        assert_int_equal(der_find_modes(c.rod, &c.loads, 8, values, NULL, &error), CDG_OK);
        double scale = cdg_rod_eigenvalue_scale(c.rod);
        for (int m = 0; m < 6; m++) assert_near(values[m], 0, 1e-6 * scale);
        assert_true(values[6] > 1e-2 * scale);
        case_free(&c);
    }
}

// The load at which the first eigenvalue passes zero, by bisection on the count.
typedef void set_load(der_case *c, double load);

static double critical(der_case *c, set_load *set, double low, double high) {
    for (int i = 0; i < 40; i++) {
        double middle = (low + high) / 2;
        set(c, middle);
        *(count_unstable(c, 0) > 0 ? &high : &low) = middle;
    }
    return low;
}

// The straight rod shortens under the load; its nodes are put where that equilibrium has them.
static void press(der_case *c, double load) {
    size_t last = c->rod->node_count - 1;
    double strain = -load / c->rod->stretch_stiffness[2][0];
    for (size_t i = 0; i <= last; i++) c->rod->x[0][i] = (double)i / (double)last * (1 + strain);
}

static void test_euler_loads(void **state) {
    (void)state;
    const double loads[4] = {2.4674011003, 9.8696044011, 20.1907285564, 39.4784176044};
    for (int kind = 0; kind < 4; kind++) {
        cdg_rod_def def = unit_rod(60, 1e-3);
        der_case c = case_build(&def);
        if (kind == 1) {
            pin_node(&c, 0);
            // a pinned-pinned rod may turn about its axis: a clamp of the roll alone
            c.rod->holds[0].frame_hold = CDG_HOLD_ROLL;
            c.rod->holds[0].frame = rod_quat(c.rod->q, 0);
        } else {
            clamp_node(&c, 0);
        }
        if (kind == 1 || kind == 2) pin_node(&c, 60);
        if (kind == 3) clamp_node(&c, 60);
        assert_near(critical(&c, press, 0.5 * loads[kind], 2 * loads[kind]), loads[kind], 5e-3 * loads[kind]);
        case_free(&c);
    }
}

// Heavy column: compression grows from the top down; each element shortens by its own.
static void weigh(der_case *c, double weight) {
    size_t last = c->rod->node_count - 1;
    for (size_t i = 0; i < last; i++) {
        double above = weight * ((double)(last - i) - 0.5) / (double)last;
        c->force[0][i + 1] = -weight / (double)last * (i + 1 == last ? 0.5 : 1);
        c->rod->x[0][i + 1] = c->rod->x[0][i] + (1 - above / c->rod->stretch_stiffness[2][0]) / (double)last;
    }
}

static void test_heavy_column(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(60, 1e-3);
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    assert_near(critical(&c, weigh, 4, 12), 7.8373474389, 5e-3 * 7.84);
    case_free(&c);
}

// Twisted between clamps: the twisting moment M L/B at which it buckles (Greenhill), without tension.
static void twist_up(der_case *c, double moment) {
    size_t elements = c->rod->element_count;
    double angle = moment / 0.8;
    for (size_t j = 0; j < elements; j++) {
        cdg_quat q = c->rod->holds[0].frame;
        rod_set_quat(c->rod->q, j,
                     quat_multiply(q, quat_exp(vec3(0, 0, angle * ((double)j + 0.5) / (double)elements))));
    }
    c->rod->holds[1].frame = quat_multiply(c->rod->holds[0].frame, quat_exp(vec3(0, 0, angle)));
    for (size_t i = 0; i <= elements; i++)
        c->rod->twist[i] = angle / (double)elements * (i == 0 || i == elements ? 0.5 : 1);
}

static void test_twisted_rod(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(60, 1e-3);
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    clamp_node(&c, 60);
    assert_near(critical(&c, twist_up, 5, 14), 8.9868189158, 5e-3 * 8.99);
    case_free(&c);
}

// A cantilever strip on edge under a tip load buckles sideways (Prandtl): P L^2/sqrt(B_lateral C) = 4.0126. Its bending
// in the stiff plane is made negligible.
static void load_tip(der_case *c, double load) {
    size_t last = c->rod->node_count - 1;
    c->force[2][last] = -load;
    der_static_options options = der_static_options_default();
    der_static_report report;
    cdg_error error = {0};
    options.leaves_saddles = false;
    assert_int_equal(der_find_equilibrium(c->rod, &c->loads, &options, &report, &error), CDG_OK);
}

static void test_lateral_buckling(void **state) {
    (void)state;
    cdg_rod_def def = unit_rod(40, 1e-3);
    cdg_vec3 up = vec3(0, 0, 1);
    def.initial_normal = &up; // d1 upwards: bending about d2 is the stiff one
    def.stiffness.bend[0] = 1e-3, def.stiffness.bend[1] = 1, def.stiffness.twist = 0.8e-3;
    der_case c = case_build(&def);
    clamp_node(&c, 0);
    double expected = 4.0125993436 * sqrt(1e-3 * 0.8e-3);
    assert_near(critical(&c, load_tip, 0.7 * expected, 1.3 * expected), expected, 5e-3 * expected);
    case_free(&c);
}

// A closed ring of a straight rod, twisted: Michell's 2 pi sqrt(3) B/C. The twist is put into the rest shape, which for
// an isotropic rod is the same as cutting, turning and gluing.
static void test_michell_ring(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) {
        double ratio = 0.5 * (i + 1), expected = 2 * der_pi * sqrt(3) / ratio, low = 0.8 * expected,
               high = 1.2 * expected;
        for (int k = 0; k < 20; k++) {
            double twist = (low + high) / 2;
            cdg_rod_def def = unit_rod(100, 1e-3);
            def.stiffness.twist = ratio;
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 1 / (2 * der_pi);
            def.centerline.circle.axis = vec3(0, 0, 1);
            def.rest.kind = CDG_REST_CURVATURE;
            def.rest.twist = -twist;
            der_case c = case_build(&def);
            // seven motions cost nothing: six rigid ones and turning the section round the ring
            size_t below = count_unstable(&c, -1e-4 * cdg_rod_eigenvalue_scale(c.rod));
            *(below > 0 ? &high : &low) = twist;
            case_free(&c);
        }
        assert_near(low, expected, 1e-2 * expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cantilever_frequencies),
        cmocka_unit_test(test_free_rods_have_rigid_motions),
        cmocka_unit_test(test_euler_loads),
        cmocka_unit_test(test_heavy_column),
        cmocka_unit_test(test_twisted_rod),
        cmocka_unit_test(test_lateral_buckling),
        cmocka_unit_test(test_michell_ring),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
