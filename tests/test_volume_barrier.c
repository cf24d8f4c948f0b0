// The barrier against tetrahedra that turn inside out: nothing above its share, no bound below, slopes as differences
// say, and a block that is drawn through itself or thrown is never inside out.
#include "solid_case.h"

#include "solid_world_case.h"
#include "solids/volume_barrier.h"

#include <cordage/obstacle.h>

static cdg_solid_def barred(cdg_solid_model model, double barrier) {
    cdg_solid_def def = solid_case_def(model, CDG_SOLID_BDF2);
    def.volume_barrier = barrier;
    return def;
}

static void its_derivatives_are_those_of_its_energy(void **state) {
    (void)state;
    cdg_solid solid = solid_case_build(barred(CDG_SOLID_NEO_HOOKEAN, 0.2), vec3(0.1, 0.1, 0.1), 0.1);
    for (double share = 0.01; share < 0.25; share += 0.007) {
        const double h = 1e-6;
        volume_barrier at = cdg_volume_barrier_at(&solid, share), less = cdg_volume_barrier_at(&solid, share - h),
                       more = cdg_volume_barrier_at(&solid, share + h);
        double scale = at.bend + 1e-3 * solid.mu;
        assert_near((more.energy - less.energy) / (2 * h), at.slope, 1e-5 * scale);
        assert_near((more.slope - less.slope) / (2 * h), at.bend, 1e-5 * scale);
        assert_true(share < 0.2 ? at.energy > 0 : at.energy == 0 && at.slope == 0 && at.bend == 0);
    }
    assert_true(cdg_volume_barrier_at(&solid, 1e-12).slope < -1e10 * solid.mu);
    assert_true(isinf(cdg_volume_barrier_at(&solid, 0).energy) && isinf(cdg_volume_barrier_at(&solid, -1).energy));
    cdg_solid_free(&solid);
}

// A squeezed block, shaken.
static void squeeze(cdg_solid *solid, cdg_random *random) {
    for (size_t i = 0; i < solid->node_count; i++) {
        cdg_vec3 x = solid_vec3(solid->rest, i);
        solid_set_vec3(solid->x, i, vec3_add(vec3(x.x, x.y, 0.15 * x.z), random_vec3(random, 5e-4)));
    }
}

static void forces_and_matrices_are_slopes(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        cdg_solid solid = solid_case_build(barred((cdg_solid_model)model, 0.3), vec3(0.1, 0.1, 0.1), 0.05);
        squeeze(&solid, &random);
        cdg_solid_at at = {.x = solid.x};
        assert_true(cdg_volume_barrier_energy(&solid, solid.x) > 0);
        cdg_solid_forces(&solid, &at, solid.inner_force, 1);
        double largest = 0;
        for (size_t i = 0; i < solid.node_count; i++)
            largest = fmax(largest, vec3_norm(solid_vec3(solid.inner_force, i)));
        for (size_t i = 0; i < solid.node_count; i += 5)
            for (int k = 0; k < 3; k++) {
                const double h = 1e-7;
                double here = solid.x[k][i], energy[2];
                for (int side = 0; side < 2; side++) {
                    solid.x[k][i] = here + (side == 0 ? -h : h);
                    energy[side] = cdg_solid_elastic_energy(&solid, solid.x);
                }
                solid.x[k][i] = here;
                assert_near(-(energy[1] - energy[0]) / (2 * h), solid.inner_force[k][i], 1e-5 * largest);
            }
        cdg_solid_free(&solid);
    }
}

static double least_volume(const cdg_world *world, double *least) {
    for (size_t i = 0; i < world->solid_count; i++)
        *least = fmin(*least, cdg_solid_least_volume(&world->solids[i]->solid, world->solids[i]->solid.x, NULL));
    return *least;
}

// Thrown at the edge of a box, fast for how soft it is.
static double throw_at_an_edge(cdg_solid_model model, double barrier) {
    cdg_world *world = solid_world(1, 2e-3);
    cdg_obstacle_def box = cdg_obstacle_def_default();
    box.shape = (cdg_shape){.kind = CDG_SHAPE_BOX, .size = {0.03, 0.3, 0.2}, .orientation = {1, 0, 0, 0}};
    assert_int_equal(cdg_world_add_obstacle(world, &box, NULL), CDG_OK);
    cdg_solid_def def = barred(model, barrier);
    def.young_modulus = 2e4, def.density = 500;
    def.position = vec3(0.004, 0, 0.16);
    def.velocity = vec3(0, 0, -12);
    solid_world_add(world, def, vec3(0.08, 0.08, 0.08), 0.04);
    double least = 1;
    for (int i = 0; i < 7; i++) {
        solid_world_steps(world, 1);
        least_volume(world, &least);
    }
    cdg_world_destroy(world);
    return least;
}

static void nothing_that_has_it_is_turned_inside_out(void **state) {
    (void)state;
    for (int model = 0; model < SOLID_CASE_LAWS; model++) {
        double without = throw_at_an_edge((cdg_solid_model)model, 0),
               with = throw_at_an_edge((cdg_solid_model)model, 0.2);
        print_message("model %d: least volume %.3g, with a barrier %.3g\n", model, without, with);
        assert_true(without < -0.01);
        assert_true(with > 0);
    }
}

static cdg_result add(cdg_world *world, cdg_solid_def def) {
    def.mesh = solid_case_box(vec3(0.1, 0.1, 0.1), 0.1);
    cdg_result result = cdg_world_add_solid(world, &def, NULL);
    cdg_mesh_free(&def.mesh);
    return result;
}

static void it_is_refused_where_it_makes_no_sense(void **state) {
    (void)state;
    static const double wrong[] = {1, NAN, -0.1, -2, INFINITY};
    cdg_world *world = solid_world(1, 1e-3);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(add(world, barred(CDG_SOLID_NEO_HOOKEAN, wrong[i])), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), "volume barrier"));
    }
    assert_int_equal(add(world, barred(CDG_SOLID_SHAPE_MATCHING, 0.1)), CDG_ERROR_ARGUMENT);
    assert_int_equal(add(world, barred(CDG_SOLID_SHAPE_MATCHING, CDG_VOLUME_BARRIER_AUTO)), CDG_OK);
    assert_int_equal(add(world, barred(CDG_SOLID_MASS_SPRING, 0.6)), CDG_ERROR_ARGUMENT); // explicit
    assert_int_equal(add(world, barred(CDG_SOLID_NEO_HOOKEAN, 0.6)), CDG_OK);
    cdg_solid_def def = barred(CDG_SOLID_NEO_HOOKEAN, 0.6);
    def.integrator = CDG_SOLID_EXPLICIT;
    assert_int_equal(add(world, def), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "at most"));
    def.volume_barrier = 0.5;
    assert_int_equal(add(world, def), CDG_OK);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(its_derivatives_are_those_of_its_energy),
                                       cmocka_unit_test(forces_and_matrices_are_slopes),
                                       cmocka_unit_test(nothing_that_has_it_is_turned_inside_out),
                                       cmocka_unit_test(it_is_refused_where_it_makes_no_sense)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
