// Vortices: closed form, largest speed where it should be, circulation, divergence; that they move; what is refused;
// and that a rod in a vortex is turned by it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "math/random.h"
#include "near.h"
#include "world/wind_field.h"

static const double pi = 3.14159265358979323846;

static cdg_load_def wind_of(const cdg_vortex *vortices, size_t count) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_WIND;
    load.value = vec3(3, 0, 1);
    load.vortices = vortices;
    load.vortex_count = count;
    return load;
}

static void fastest_at_its_radius(void **state) {
    (void)state;
    const cdg_vortex v = {.center = {1, 2, 3}, .axis = {0, 0, 2}, .speed = 8, .radius = 0.5};
    cdg_load_def load = wind_of(&v, 1);
    load.value = vec3(0, 0, 0);
    // by the right hand about z, wherever along it
    assert_vec3_near(cdg_wind_velocity(&load, vec3(1.5, 2, -7), 4), vec3(0, 8, 0), 1e-12);
    assert_vec3_near(cdg_wind_velocity(&load, vec3(1, 2.5, 3), 0), vec3(-8, 0, 0), 1e-12);
    assert_vec3_near(cdg_wind_velocity(&load, vec3(1, 2, 3), 0), vec3(0, 0, 0), 0);
    for (int i = 1; i < 400; i++) {
        double r = 0.01 * i, speed = vec3_norm(cdg_wind_velocity(&load, vec3(1 + r, 2, 3), 0));
        assert_true(speed <= 8 * (1 + 1e-14));
        const double a = 1.2564312086261697, s = r / 0.5;
        assert_near(speed, 8 * (1 + 0.5 / a) * (1 - exp(-a * s * s)) / s, 1e-12);
    }
    // as a solid body near the line
    cdg_vec3 near_line = cdg_wind_velocity(&load, vec3(1 + 1e-9, 2, 3), 0);
    assert_near(near_line.y / 1e-9, 8 / 0.5 * (1.2564312086261697 + 0.5), 1e-5);
}

// Air neither comes nor goes, and far off the flow along a circle around the line does not depend on the circle.
static void divergence_and_circulation(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int trial = 0; trial < 50; trial++) {
        cdg_vortex v = {.center = random_vec3(&random, 1), .axis = random_vec3(&random, 1), .speed = 5, .radius = 0.3};
        cdg_load_def load = wind_of(&v, 1);
        cdg_vec3 place = random_vec3(&random, 1);
        double divergence = 0, h = 1e-5;
        for (int k = 0; k < 3; k++) {
            cdg_vec3 d = vec3(k == 0 ? h : 0, k == 1 ? h : 0, k == 2 ? h : 0);
            cdg_vec3 change = vec3_sub(cdg_wind_velocity(&load, vec3_add(place, d), 0),
                                       cdg_wind_velocity(&load, vec3_sub(place, d), 0));
            divergence += vec3_dot(change, d) / (2 * h * h);
        }
        assert_near(divergence, 0, 1e-6);
        double circulation[2] = {0, 0};
        cdg_vec3 axis = vec3_normalize(v.axis), e1 = vec3_normalize(vec3_cross(axis, vec3(0.3, 0.5, 0.8)));
        cdg_vec3 e2 = vec3_cross(axis, e1);
        enum { PARTS = 200 };
        for (int circle = 0; circle < 2; circle++)
            for (int i = 0; i < PARTS; i++) {
                double phi = 2 * pi * i / PARTS, r = circle == 0 ? 3 : 7;
                cdg_vec3 out = vec3_add(vec3_scale(cos(phi), e1), vec3_scale(sin(phi), e2));
                cdg_vec3 along = vec3_cross(axis, out);
                cdg_vec3 u = cdg_wind_velocity(&load, vec3_mad(v.center, r, out), 0);
                circulation[circle] += vec3_dot(u, along) * 2 * pi * r / PARTS;
            }
        assert_near(circulation[0], 2 * pi * 5 * 0.3 * (1 + 0.5 / 1.2564312086261697), 1e-9);
        assert_near(circulation[1], circulation[0], 1e-9);
    }
}

static void they_add_and_move(void **state) {
    (void)state;
    const cdg_vortex v[2] = {
        {.axis = {0, 0, 1}, .speed = 2, .radius = 1},
        {.center = {0, 5, 0}, .axis = {1, 0, 0}, .speed = -3, .radius = 2, .velocity = {0, -2, 0}}};
    cdg_load_def both = wind_of(v, 2), first = wind_of(v, 1), second = wind_of(v + 1, 1);
    cdg_vec3 place = vec3(0.4, 0.7, -0.2);
    for (int t = 0; t < 5; t++) {
        cdg_vec3 sum = vec3_add(cdg_wind_velocity(&first, place, t), cdg_wind_velocity(&second, place, t));
        assert_vec3_near(cdg_wind_velocity(&both, place, t), vec3_sub(sum, both.value), 1e-14);
        // one that moves is where it was, seen from a place that moves along
        cdg_vec3 along = vec3_mad(place, t, v[1].velocity);
        assert_vec3_near(cdg_wind_velocity(&second, along, t), cdg_wind_velocity(&second, place, 0), 1e-13);
    }
    assert_false(cdg_wind_moves(&first));
    assert_true(cdg_wind_moves(&both));
    assert_near(cdg_wind_passing_time(&both), 2, 1e-15); // 4 m at 2 m/s
    assert_true(isinf(cdg_wind_passing_time(&first)));
}

static void expect_refusal(cdg_world *world, const cdg_load_def *load, const char *part) {
    assert_int_equal(cdg_world_add_load(world, load, NULL), CDG_ERROR_ARGUMENT);
    if (strstr(cdg_world_message(world), part) == NULL) print_error("'%s'\n", cdg_world_message(world));
    assert_non_null(strstr(cdg_world_message(world), part));
}

static void what_is_refused(void **state) {
    (void)state;
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world;
    assert_int_equal(cdg_world_create(&def, &world, NULL), CDG_OK);
    cdg_vortex v = {.axis = {0, 0, 1}, .speed = 2, .radius = 1};
    cdg_load_def load = wind_of(&v, 1);
    assert_int_equal(cdg_world_add_load(world, &load, NULL), CDG_OK);
    load.kind = CDG_LOAD_LINE;
    expect_refusal(world, &load, "only wind has vortices");
    load.kind = CDG_LOAD_WIND;
    load.vortices = NULL;
    expect_refusal(world, &load, "vortices is NULL");
    load.vortices = &v;
    v.radius = 0;
    expect_refusal(world, &load, "radius of vortex 1 is 0 m");
    v.radius = NAN;
    expect_refusal(world, &load, "vortex 1 is not finite");
    v.radius = 1;
    v.axis = vec3(0, 0, 0);
    expect_refusal(world, &load, "axis of vortex 1 has no length");
    cdg_world_destroy(world);
}

// A free rod across the line of a vortex, with its middle on it: in the end it turns as the vortex does, and nothing
// pushes it aside.
static void a_rod_is_turned(void **state) {
    (void)state;
    const cdg_vortex v = {.center = {0.5, 0, 0}, .axis = {0, 0, 1}, .speed = 4, .radius = 2};
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = vec3(0, 0, 0);
    world_def.step = 2e-3;
    cdg_world *world;
    assert_int_equal(cdg_world_create(&world_def, &world, NULL), CDG_OK);
    cdg_rod_def rod_def = cdg_rod_def_default();
    rod_def.name = "stick";
    rod_def.element_count = 10;
    rod_def.material.young_modulus = 1e9;
    rod_def.material.density = 50;
    cdg_rod_id rod;
    assert_int_equal(cdg_world_add_rod(world, &rod_def, &rod), CDG_OK);
    cdg_load_def load = wind_of(&v, 1);
    load.value = vec3(0, 0, 0);
    assert_int_equal(cdg_world_add_load(world, &load, NULL), CDG_OK);
    for (int i = 0; i < 2000; i++) assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_vec3 x[11], w[11];
    assert_int_equal(cdg_rod_positions(world, rod, x), CDG_OK);
    assert_int_equal(cdg_rod_velocities(world, rod, w), CDG_OK);
    assert_vec3_near(x[5], vec3(0.5, 0, 0), 1e-3);
    cdg_vec3 arm = vec3_sub(x[10], x[5]);
    double turning = vec3_dot(vec3_cross(arm, w[10]), vec3(0, 0, 1)) / vec3_dot(arm, arm);
    double air = 4 / 2.0 * (1.2564312086261697 + 0.5); // at the line, 1/s; slower towards the ends
    assert_true(turning > 0.8 * air && turning < air);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fastest_at_its_radius), cmocka_unit_test(divergence_and_circulation),
        cmocka_unit_test(they_add_and_move),     cmocka_unit_test(what_is_refused),
        cmocka_unit_test(a_rod_is_turned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
