// The pobd model as a whole: momentum, damping, equilibria that do not depend on step or iterations, reactions,
// options.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "small_world.h"
#include "world/world.h"

#define PI 3.14159265358979323846

static cdg_rod_def flying_def(cdg_pobd_solver solver, cdg_pobd_integrator integrator) {
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 20;
    def.section.radius = 5e-3;
    def.pobd.solver = solver;
    def.pobd.integrator = integrator;
    def.pobd.iterations = solver == CDG_POBD_DIRECT ? 5 : 20;
    def.velocity = vec3(1, -2, 0.5);
    def.angular_velocity = vec3(0, 0.3, 2);
    return def;
}

static void test_linear_momentum_is_kept_to_rounding(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++)
        for (int integrator = 0; integrator < 2; integrator++) {
            cdg_rod_def def = flying_def((cdg_pobd_solver)solver, (cdg_pobd_integrator)integrator);
            small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-3, false);
            cdg_vec3 before, after, angular;
            cdg_world_momentum(small.world, &before, &angular);
            small_world_run(&small, 500);
            cdg_world_momentum(small.world, &after, &angular);
            assert_vec3_near(after, before, 1e-9 * vec3_norm(before));
            cdg_world_destroy(small.world);
        }
}

static double angular_loss(cdg_pobd_integrator integrator) {
    cdg_rod_def def = flying_def(CDG_POBD_DIRECT, integrator);
    def.velocity = vec3(0, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-3, false);
    cdg_vec3 linear, before, after;
    cdg_world_momentum(small.world, &linear, &before);
    small_world_run(&small, 400);
    cdg_world_momentum(small.world, &linear, &after);
    cdg_world_destroy(small.world);
    return vec3_distance(before, after) / vec3_norm(before);
}

// Implicit Euler loses (spin * step)^2 = 1e-4 of a rotation a step; BDF2 its square.
static void test_bdf2_keeps_rotation_that_euler_loses(void **state) {
    (void)state;
    double euler = angular_loss(CDG_POBD_EULER), bdf2 = angular_loss(CDG_POBD_BDF2);
    assert_near(euler, 1 - exp(-1e-4 * 400), 0.01);
    assert_true(bdf2 < 2e-3);
}

// A straight rod keeps one rest turn for all its nodes, one with a rest curvature, be it zero, an array of them.
static void test_one_rest_turn_serves_as_well_as_many(void **state) {
    (void)state;
    for (int variant = 0; variant < 24; variant++) {
        cdg_vec3 ends[2][21];
        size_t sizes[2];
        for (int many = 0; many < 2; many++) {
            cdg_rod_def def = flying_def((cdg_pobd_solver)(variant & 1), CDG_POBD_BDF2);
            def.rest.kind = many ? CDG_REST_CURVATURE : CDG_REST_STRAIGHT;
            def.material.young_modulus = 1e6;
            if (variant & 2) def.material.damping_bend = def.material.damping_twist = 0.02;
            if (variant & 4) def.is_tapered = true, def.section_end = def.section, def.section_end.radius = 3e-3;
            def.pobd.darboux = (cdg_pobd_darboux)(variant / 8);
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
            small_world_run(&small, 30);
            must(small.world, cdg_rod_positions(small.world, small.rod, ends[many]));
            sizes[many] = cdg_world_memory(small.world);
            cdg_world_destroy(small.world);
        }
        assert_memory_equal(ends[0], ends[1], sizeof ends[0]);
        assert_true(sizes[0] < sizes[1]);
    }
}

static void test_damping_leaves_rigid_motion_alone(void **state) {
    (void)state;
    double energy[2];
    for (int damped = 0; damped < 2; damped++) {
        cdg_rod_def def = flying_def(CDG_POBD_DIRECT, CDG_POBD_BDF2);
        def.material.young_modulus = 1e9; // stiff: practically a rigid body
        if (damped)
            def.material.damping_bend = def.material.damping_twist = def.material.damping_stretch =
                def.material.damping_shear = 0.5;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        small_world_run(&small, 300);
        energy[damped] = cdg_world_energy(small.world).kinetic;
        cdg_world_destroy(small.world);
    }
    assert_near(energy[1], energy[0], 1e-4 * energy[0]);
}

static cdg_rod_def cantilever_def(void) {
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 20;
    def.section.radius = 5e-3;
    return def; // w L^3/B = 176: hangs far down
}

static cdg_vec3 settled_tip(cdg_rod_def def, double step, int iterations, double seconds) {
    def.pobd.iterations = iterations;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, true);
    small_world_drag(&small, 4);
    small_world_run(&small, (int)(seconds / step + 0.5));
    cdg_vec3 nodes[21];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    return nodes[20];
}

static void test_equilibrium_does_not_depend_on_step_or_iterations(void **state) {
    (void)state;
    cdg_vec3 reference = settled_tip(cantilever_def(), 5e-3, 5, 8);
    const double steps[] = {2e-3, 1e-2, 2e-2};
    const int iterations[] = {1, 2};
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < 2; i++)
            assert_vec3_near(settled_tip(cantilever_def(), steps[s], iterations[i], 8), reference, 1e-4);
}

// Kelvin-Voigt damping takes the motion out and leaves the equilibrium where it is.
static void test_damping_does_not_move_the_equilibrium(void **state) {
    (void)state;
    cdg_vec3 reference = settled_tip(cantilever_def(), 5e-3, 5, 8);
    cdg_rod_def def = cantilever_def();
    def.material.damping_bend = def.material.damping_stretch = 0.05;
    assert_vec3_near(settled_tip(def, 5e-3, 5, 8), reference, 1e-4);
}

static void test_the_two_darboux_vectors_agree(void **state) {
    (void)state;
    cdg_rod_def def = cantilever_def();
    def.section.radius = 5e-2; // moderate bending: w L^3/B = 17; sin and tan of half a turn differ by its square/2
    def.pobd.darboux = CDG_POBD_SINE;
    cdg_vec3 sine = settled_tip(def, 5e-3, 5, 6);
    def.pobd.darboux = CDG_POBD_TANGENT;
    assert_vec3_near(settled_tip(def, 5e-3, 5, 6), sine, 5e-3);
    def.pobd.darboux = CDG_POBD_ANGLE;
    assert_vec3_near(settled_tip(def, 5e-3, 5, 6), sine, 5e-3);
}

// Twisted by 1.5 rad an element, a rod exerts the torque of its twist, G J times angle over length: with the sine of
// half a turn it would be a third less, with the tangent twice as much.
static void test_torque_of_large_twist(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.element_count = 8;
        def.section.radius = 2e-2;
        def.pobd.solver = (cdg_pobd_solver)solver;
        def.pobd.iterations = solver == CDG_POBD_DIRECT ? 20 : 200;
        def.material.damping_stretch = def.material.damping_shear = 0.05;
        def.material.damping_bend = def.material.damping_twist = 0.05;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-3, true);
        cdg_motion motions[] = {{.kind = CDG_MOTION_MOVE, .move = {0.3, 0, 0}, .to = 0.5}, // or it would buckle
                                {.kind = CDG_MOTION_ROTATE, .axis = {1, 0, 0}, .angle = 12, .from = 0.5, .to = 1.5}};
        cdg_support_def end = {
            .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = 8}, .motions = motions, .motion_count = 2};
        must(small.world, cdg_world_add_support(small.world, &end, NULL));
        small_world_run(&small, 2000); // frames of gauss_seidel have more inertia, and settle late
        cdg_stiffness stiffness;
        assert_int_equal(cdg_stiffness_compute(&def.material, &def.section, &stiffness, NULL), CDG_OK);
        cdg_vec3 force, moment;
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        assert_near(moment.x / (-12 * stiffness.twist), 1, 2e-3);
        cdg_world_destroy(small.world);
    }
}

// Paper stiffness knows no unit of length: a rod fifty times as long under fifty times the gravity has the same shape,
// and its elements keep much of their length when its ends approach, in metres as in anything else.
static void test_paper_stiffness_knows_no_unit(void **state) {
    (void)state;
    enum { COUNT = 50 };
    cdg_vec3 nodes[2][COUNT + 1];
    for (int is_large = 0; is_large < 2; is_large++) {
        double scale = is_large ? 50 : 1;
        cdg_rod_def def = cdg_rod_def_default();
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.integrator = CDG_POBD_EULER;
        def.pobd.paper_stiffness = true;
        def.pobd.iterations = 50;
        for (int k = 0; k < 3; k++) def.pobd.paper_bend[k] = 0.05;
        def.element_count = COUNT;
        def.centerline.line.to = vec3(scale, 0, 0);
        def.section.radius *= scale;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81 * scale), 1e-2, true);
        cdg_motion way = {.kind = CDG_MOTION_MOVE, .move = {-0.5 * scale, 0, 0.1 * scale}, .to = 1};
        cdg_support_def end = {
            .kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod, .index = COUNT}, .motions = &way, .motion_count = 1};
        must(small.world, cdg_world_add_support(small.world, &end, NULL));
        small_world_run(&small, 200);
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes[is_large]));
        cdg_world_destroy(small.world);
    }
    for (size_t i = 0; i <= COUNT; i++) assert_vec3_near(vec3_scale(0.02, nodes[1][i]), nodes[0][i], 1e-6);
    for (size_t i = 0; i < COUNT; i++) {
        double length = COUNT * vec3_distance(nodes[0][i], nodes[0][i + 1]);
        assert_true(length > 0.8 && length < 1.1);
    }
}

// Where the ends of a stiff rod approach by two fifths, frames of the paper's weight in a short unit of length let it
// bend; in a long one they are so heavy that its elements are squeezed instead.
static double shortest_element(double unit) {
    enum { COUNT = 50 };
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd = (cdg_pobd_options){.solver = CDG_POBD_GAUSS_SEIDEL,
                                  .iterations = 10,
                                  .integrator = CDG_POBD_EULER,
                                  .paper_stiffness = true,
                                  .paper_stretch = {1, 1, 1},
                                  .paper_bend = {1, 1, 1},
                                  .paper_unit = unit};
    def.element_count = COUNT;
    def.centerline.line.to = vec3(1, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, -0.2), 1e-2, true);
    cdg_motion way = {.kind = CDG_MOTION_MOVE, .move = {-0.4, 0, 0}, .to = 2};
    cdg_support_def end = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod, .index = COUNT}, .motions = &way, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &end, NULL));
    small_world_run(&small, 300);
    cdg_vec3 nodes[COUNT + 1];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    double least = 1;
    for (size_t i = 0; i < COUNT; i++) least = fmin(least, COUNT * vec3_distance(nodes[i], nodes[i + 1]));
    return least;
}

static void test_paper_stiffness_has_a_unit(void **state) {
    (void)state;
    double light = shortest_element(1), heavy = shortest_element(30);
    assert_true(light > 0.9);
    assert_true(heavy < 0.5);
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.paper_stiffness = true;
    for (int k = 0; k < 3; k++) {
        def.pobd.paper_unit = (double[]){0, -1, NAN}[k];
        cdg_world *world = NULL;
        cdg_world_def world_def = cdg_world_def_default();
        assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
        assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_ERROR_ARGUMENT);
        cdg_world_destroy(world);
    }
}

// A rope that hangs from one end: stretching must converge, too, at the step that is advised; where it does not, the
// report says by how much elements are too long, and the model doubts beforehand.
static double hanging_tip(double step, double *residual, char *doubt, double *taken) {
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.element_count = 60;
    def.centerline.line.to = vec3(0, 0, -1);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, false);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod}};
    must(small.world, cdg_world_add_support(small.world, &pin, NULL));
    small_world_drag(&small, 5);
    *taken = step > 0 ? step : cdg_world_advice(small.world).step;
    doubt[0] = '\0';
    cdg_world_doubts(small.world, *taken, doubt);
    cdg_step_report report = {0};
    for (int s = 0; s < 3 / *taken; s++) must(small.world, cdg_world_step(small.world, &report));
    cdg_vec3 nodes[61];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    *residual = report.residual;
    cdg_world_destroy(small.world);
    return -nodes[60].z;
}

static void test_stretching_converges_or_is_told(void **state) {
    (void)state;
    double residual, step;
    char doubt[256];
    const double right = 1 + 1100 * 9.81 / (2 * 1e6); // stretched by its own weight
    double tip = hanging_tip(0, &residual, doubt, &step);
    assert_near(tip, right, 0.01);
    assert_true(residual < 1e-2 && doubt[0] == '\0' && step < 5e-3);
    tip = hanging_tip(8e-3, &residual, doubt, &step);
    assert_true(tip > right + 0.03); // visibly too long
    assert_true(residual > 1e-2);
    assert_non_null(strstr(doubt, "too long"));
}

// Unequal elements whose first, middle and last happen to be alike: the same as the general path, which a taper forces.
static void test_unequal_elements_are_not_taken_for_equal(void **state) {
    (void)state;
    const cdg_vec3 points[] = {{0, 0, 0}, {0.2, 0, 0}, {0.3, 0, 0}, {0.5, 0, 0}, {0.8, 0, 0}, {1, 0, 0}};
    double drop[2][2];
    for (int solver = 0; solver < 2; solver++)
        for (int general = 0; general < 2; general++) {
            cdg_rod_def def = cdg_rod_def_default();
            def.centerline.kind = CDG_CENTERLINE_POLYLINE;
            def.centerline.points.points = points;
            def.centerline.points.count = 6;
            def.element_count = 5;
            def.section.radius = def.section_end.radius = 2e-2;
            def.material.young_modulus = 1e8;
            def.is_tapered = general;
            def.pobd.solver = (cdg_pobd_solver)solver;
            def.pobd.iterations = solver == CDG_POBD_DIRECT ? 10 : 300;
            small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
            small_world_drag(&small, 20);
            small_world_run(&small, 400);
            cdg_vec3 nodes[6];
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            drop[solver][general] = nodes[5].z;
            cdg_world_destroy(small.world);
        }
    assert_true(drop[0][0] < -1e-3);
    assert_near(drop[0][0], drop[0][1], 1e-9);
    assert_near(drop[1][0], drop[1][1], 1e-9);
}

static double inner_clamp_tip(double damping) {
    cdg_rod_def def = cantilever_def();
    def.section.radius = 2e-2;
    def.material.damping_bend = damping;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
    cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {small.rod, CDG_PLACE_NODE, 8}};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    cdg_load_def load = cdg_load_def_default();
    for (int end = 0; end < 2; end++) {
        load.place = (cdg_place){small.rod, CDG_PLACE_NODE, end ? 20 : 0};
        load.value = vec3(0, 0, end ? 0.1 : -0.05);
        must(small.world, cdg_world_add_load(small.world, &load, NULL));
    }
    small_world_drag(&small, 8);
    small_world_run(&small, 2000);
    cdg_vec3 nodes[21];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    return nodes[0].z;
}

// The two half cells beside an inner clamp are strained differently; damping must not mix them up.
static void test_damping_beside_an_inner_clamp(void **state) {
    (void)state;
    double undamped = inner_clamp_tip(0);
    assert_true(undamped < -1e-3);
    assert_near(inner_clamp_tip(0.1), undamped, 1e-5 * fabs(undamped));
}

// A torque far beyond what the frame's inertia could take up in a step bends the rod as it should.
static void test_moment_load_is_not_clipped(void **state) {
    (void)state;
    cdg_rod_def def = cantilever_def();
    def.section.radius = 1e-3;
    def.material.young_modulus = 200e9;
    def.material.density = 7800;
    small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-3, true);
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_MOMENT;
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 20};
    load.value = vec3(0, 0.0785, 0);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    small_world_drag(&small, 30);
    small_world_run(&small, 1000);
    cdg_vec3 force, moment, nodes[21];
    must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    assert_vec3_near(moment, vec3(0, -0.0785, 0), 1e-6);
    double curvature = 0.0785 / (200e9 * PI * 1e-12 / 4);
    assert_near(nodes[20].z, -(1 - cos(curvature)) / curvature, 1e-3);
    cdg_world_destroy(small.world);
}

static void test_reaction_carries_the_weight(void **state) {
    (void)state;
    for (int darboux = 0; darboux < 2; darboux++) {
        cdg_rod_def def = cantilever_def();
        def.section.radius = 2e-2;
        def.pobd.darboux = (cdg_pobd_darboux)darboux;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 5e-3, true);
        small_world_drag(&small, 10);
        small_world_run(&small, 3000);
        cdg_rod_info info;
        must(small.world, cdg_rod_get_info(small.world, small.rod, &info));
        cdg_vec3 force, moment, nodes[21], expected = {0};
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        double weight = info.mass * 9.81;
        assert_vec3_near(force, vec3(0, 0, weight), 1e-6 * weight);
        for (int i = 0; i <= 20; i++) { // minus the weight's moment about the clamp
            double share = i == 0 || i == 20 ? weight / 40 : weight / 20;
            expected = vec3_add(expected, vec3_cross(nodes[i], vec3(0, 0, share)));
        }
        assert_vec3_near(moment, expected, 1e-5 * vec3_norm(expected));
        cdg_world_destroy(small.world);
    }
}

// A rod at rest in its rest shape, unsupported and without gravity, stays there: exactly zero motion.
static void test_nothing_happens_at_rest(void **state) {
    (void)state;
    for (int solver = 0; solver < 2; solver++) {
        cdg_rod_def def = flying_def((cdg_pobd_solver)solver, CDG_POBD_BDF2);
        def.velocity = def.angular_velocity = vec3(0, 0, 0);
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-2, false);
        small_world_run(&small, 100);
        assert_near(cdg_world_energy(small.world).total, 0, 1e-18);
        cdg_world_destroy(small.world);
    }
}

// Gyroscopic term: a free rod spinning about its own axis with a slight tilt keeps its angular momentum in space.
static void test_axial_spin_is_kept(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.element_count = 8;
    def.section.radius = 2e-2;
    def.material.young_modulus = 1e8;
    def.centerline.line.to = vec3(0.3, 0, 0);
    def.angular_velocity = vec3(20, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_vec3 linear, before, after;
    cdg_world_momentum(small.world, &linear, &before);
    small_world_run(&small, 1000);
    cdg_world_momentum(small.world, &linear, &after);
    assert_vec3_near(after, before, 1e-3 * vec3_norm(before));
    cdg_world_destroy(small.world);
}

static void test_paper_stiffness_bends_less_with_larger_factors(void **state) {
    (void)state;
    double drop[2];
    for (int stiff = 0; stiff < 2; stiff++) {
        cdg_rod_def def = cantilever_def();
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.integrator = CDG_POBD_EULER;
        def.pobd.paper_stiffness = true;
        def.pobd.iterations = 20;
        for (int k = 0; k < 3; k++) def.pobd.paper_bend[k] = stiff ? 1 : 0.05;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-2, true);
        small_world_run(&small, 300);
        cdg_vec3 nodes[21];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        drop[stiff] = -nodes[20].z;
        cdg_world_destroy(small.world);
    }
    assert_true(drop[0] > 0.1 && drop[0] < 1.1);
    assert_true(drop[1] > 0 && drop[1] < 0.5 * drop[0]);
}

static void test_long_range_attachments_limit_stretch(void **state) {
    (void)state;
    double reach[2];
    for (int attached = 0; attached < 2; attached++) {
        cdg_rod_def def = cantilever_def();
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.integrator = CDG_POBD_EULER;
        def.pobd.iterations = 2;
        def.pobd.long_range_attachments = attached;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 7e-3, true); // in 10 ms it would be lost
        reach[attached] = 0;
        for (int i = 0; i < 300; i++) {
            small_world_run(&small, 1);
            cdg_vec3 nodes[21];
            must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
            reach[attached] = fmax(reach[attached], vec3_norm(nodes[20]));
        }
        cdg_world_destroy(small.world);
    }
    assert_true(reach[0] > 1.01); // two iterations leave it stretchy
    assert_true(reach[1] <= 1.005);
}

// Between pins a hundredth farther apart than it is long, in steps far shorter than any motion, it stays where it is.
static void test_nodes_out_of_reach_are_not_thrown(void **state) {
    (void)state;
    cdg_rod_def def = cantilever_def();
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.long_range_attachments = true;
    def.centerline.line.to = vec3(1.01, 0, 0);
    def.rest.kind = CDG_REST_CENTERLINE;
    def.rest.centerline.kind = CDG_CENTERLINE_LINE, def.rest.centerline.line.to = vec3(1, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 3e-6, true);
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod, .index = def.element_count}};
    must(small.world, cdg_world_add_support(small.world, &pin, NULL));
    double start = cdg_world_energy(small.world).total;
    small_world_run(&small, 50);
    assert_true(start > 0 && cdg_world_energy(small.world).kinetic < 0.1 * start);
    cdg_world_destroy(small.world);
}

// Straight between two pins a rod hangs by its tension alone, which sweeps find from nothing in every step: the advised
// step lets them; at a longer one it falls nearly freely, and the model doubts beforehand.
static double taut_sag(bool is_direct, double damping, double step, char *doubt) {
    enum { COUNT = 20 };
    cdg_rod_def def = cdg_rod_def_default();
    def.pobd.solver = is_direct ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
    def.material.young_modulus = 8e6;
    def.material.damping_stretch = damping;
    def.section.radius = 3.5e-3;
    def.element_count = COUNT;
    def.centerline.line.to = vec3(0.77, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, false);
    for (size_t end = 0; end < 2; end++) {
        cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod, .index = end * COUNT}};
        must(small.world, cdg_world_add_support(small.world, &pin, NULL));
    }
    double taken = step > 0 ? step : cdg_world_advice(small.world).step;
    doubt[0] = '\0';
    cdg_world_doubts(small.world, taken, doubt);
    small_world_run(&small, (int)round(0.18 / taken));
    cdg_vec3 nodes[COUNT + 1];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    cdg_world_destroy(small.world);
    return -nodes[COUNT / 2].z;
}

static void test_taut_rods_find_their_tension(void **state) {
    (void)state;
    char doubt[512];
    double sag = taut_sag(true, 1e-3, 2e-4, doubt);
    assert_near(taut_sag(false, 1e-3, 0, doubt), sag, 0.15 * sag);
    assert_string_equal(doubt, "");
    assert_true(taut_sag(false, 1e-3, 5e-3, doubt) > 2 * sag);
    assert_non_null(strstr(doubt, "softer than its stiffness"));
}

// What hangs on long-range attachments hangs on the support: a soft rope that they keep from stretching.
static void test_long_range_attachments_have_a_reaction(void **state) {
    (void)state;
    for (int is_bdf2 = 0; is_bdf2 < 2; is_bdf2++) {
        cdg_rod_def def = cantilever_def();
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.integrator = is_bdf2 ? CDG_POBD_BDF2 : CDG_POBD_EULER;
        def.pobd.long_range_attachments = true;
        def.centerline.line.to = vec3(0, 0, -1);
        def.material.young_modulus = 1e4; // by itself it would be half as long again
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
        small_world_drag(&small, 20);
        small_world_run(&small, 2000);
        cdg_vec3 force, moment, nodes[21];
        must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        double weight = def.material.density * 3.141592653589793 * def.section.radius * def.section.radius * 9.81;
        assert_true(vec3_norm(nodes[20]) < 1 + 1e-9);
        assert_near(force.z / weight, 1, 0.01);
        cdg_world_destroy(small.world);
    }
}

// Of a stiff hair that is pulled along, attachments act in every sweep: its root gives the momentum, and no more.
static void test_the_root_of_a_moving_hair_gives_its_momentum(void **state) {
    (void)state;
    const double step = 2e-3;
    cdg_rod_def def = cantilever_def();
    def.element_count = 12;
    def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
    def.pobd.integrator = CDG_POBD_EULER;
    def.pobd.iterations = 30;
    def.pobd.long_range_attachments = true;
    def.centerline.line.to = vec3(0.17, 0, 0.17);
    def.section.radius = 2e-4;
    def.material.young_modulus = 3e8;
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), step, false);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {-0.03, 0.04, -0.03}, .from = 0, .to = 0.6};
    cdg_support_def clamp = {
        .kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &clamp, &small.support));
    double weight = def.material.density * 3.141592653589793 * 4e-8 * 0.17 * sqrt(2) * 9.81;
    for (int i = 0; i < 20; i++) {
        cdg_vec3 before, after, angular, force, moment;
        cdg_world_momentum(small.world, &before, &angular);
        small_world_run(&small, 1);
        cdg_world_momentum(small.world, &after, &angular);
        must(small.world, cdg_support_reaction(small.world, small.support, &force, &moment));
        cdg_vec3 given = vec3_mad(vec3_scale(1 / step, vec3_sub(after, before)), weight, vec3(0, 0, 1));
        assert_true(vec3_distance(force, given) < 1e-6 * weight);
    }
    cdg_world_destroy(small.world);
}

static void test_a_huge_load_is_reported_and_the_state_kept(void **state) {
    (void)state;
    cdg_rod_def def = cantilever_def();
    small_world small = small_world_make(&def, vec3(0, 0, -9.81), 1e-3, true);
    small_world_run(&small, 10);
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, 20};
    load.value = vec3(0, 0, 1e306);
    must(small.world, cdg_world_add_load(small.world, &load, NULL));
    cdg_vec3 before[21], after[21];
    must(small.world, cdg_rod_positions(small.world, small.rod, before));
    double time = cdg_world_time(small.world);
    cdg_result result = CDG_OK;
    for (int i = 0; i < 5 && result == CDG_OK; i++) {
        result = cdg_world_step(small.world, NULL);
        if (result == CDG_OK) {
            must(small.world, cdg_rod_positions(small.world, small.rod, before));
            time = cdg_world_time(small.world);
        }
    }
    assert_int_equal(result, CDG_ERROR_NOT_FINITE);
    assert_non_null(strstr(cdg_world_message(small.world), "rod 'rod'"));
    must(small.world, cdg_rod_positions(small.world, small.rod, after));
    assert_memory_equal(before, after, sizeof before);
    assert_near(cdg_world_time(small.world), time, 0);
    cdg_world_destroy(small.world);
}

// Gauss-Seidel with too few iterations is soft; the model says so, and says nothing where it is not.
static void test_doubts_tell_soft_rods(void **state) {
    (void)state;
    double sag[3];
    const int iterations[3] = {20, 3, 30};
    for (int i = 0; i < 3; i++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.pobd.solver = i == 0 ? CDG_POBD_DIRECT : CDG_POBD_GAUSS_SEIDEL;
        def.pobd.iterations = iterations[i];
        def.material.young_modulus = 1e8;
        def.centerline.line.to = (cdg_vec3){0.3, 0, 0};
        def.element_count = 24;
        small_world small = small_world_make(&def, (cdg_vec3){0, 0, -9.81}, 2e-3, true);
        small_world_drag(&small, 20);
        small_world_run(&small, 300);
        cdg_vec3 x[25];
        must(small.world, cdg_rod_positions(small.world, small.rod, x));
        sag[i] = -x[24].z;
        char text[256] = "";
        assert_int_equal(cdg_world_doubts(small.world, 2e-3, text), i == 1);
        assert_int_equal(strstr(text, "some four times as many in nets, not 3;") != NULL, i == 1);
        assert_int_equal(cdg_world_doubts(small.world, 2e-4, text), false); // a shorter step will do as well
        cdg_world_destroy(small.world);
    }
    assert_true(sag[1] > 1.1 * sag[0]);
    assert_near(sag[2], sag[0], 0.02 * sag[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_momentum_is_kept_to_rounding),
        cmocka_unit_test(test_bdf2_keeps_rotation_that_euler_loses),
        cmocka_unit_test(test_one_rest_turn_serves_as_well_as_many),
        cmocka_unit_test(test_damping_leaves_rigid_motion_alone),
        cmocka_unit_test(test_equilibrium_does_not_depend_on_step_or_iterations),
        cmocka_unit_test(test_damping_does_not_move_the_equilibrium),
        cmocka_unit_test(test_the_two_darboux_vectors_agree),
        cmocka_unit_test(test_torque_of_large_twist),
        cmocka_unit_test(test_paper_stiffness_knows_no_unit),
        cmocka_unit_test(test_paper_stiffness_has_a_unit),
        cmocka_unit_test(test_stretching_converges_or_is_told),
        cmocka_unit_test(test_unequal_elements_are_not_taken_for_equal),
        cmocka_unit_test(test_damping_beside_an_inner_clamp),
        cmocka_unit_test(test_moment_load_is_not_clipped),
        cmocka_unit_test(test_reaction_carries_the_weight),
        cmocka_unit_test(test_nothing_happens_at_rest),
        cmocka_unit_test(test_axial_spin_is_kept),
        cmocka_unit_test(test_paper_stiffness_bends_less_with_larger_factors),
        cmocka_unit_test(test_long_range_attachments_limit_stretch),
        cmocka_unit_test(test_nodes_out_of_reach_are_not_thrown),
        cmocka_unit_test(test_long_range_attachments_have_a_reaction),
        cmocka_unit_test(test_the_root_of_a_moving_hair_gives_its_momentum),
        cmocka_unit_test(test_taut_rods_find_their_tension),
        cmocka_unit_test(test_a_huge_load_is_reported_and_the_state_kept),
        cmocka_unit_test(test_doubts_tell_soft_rods),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
