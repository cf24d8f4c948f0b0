// Building bodies: mass from density or given, what is refused, and what is read off a state.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bodies/body.h"
#include "math/random.h"
#include "near.h"

#include <string.h>

static void refuse(cdg_body_def def, const char *words) {
    cdg_body body;
    cdg_error error = {0};
    cdg_result result = cdg_body_build(&def, "b", &body, &error);
    assert_int_equal(result, CDG_ERROR_ARGUMENT);
    if (strstr(error.message, words) == NULL) print_error("'%s' lacks '%s'\n", error.message, words);
    assert_non_null(strstr(error.message, words));
    assert_non_null(strstr(error.message, "body"));
}

static void mistakes_are_told(void **state) {
    (void)state;
    cdg_body_def good = cdg_body_def_default(), def = good;
    def.density = 0, refuse(def, "has no mass");
    def = good, def.mass = 1, refuse(def, "density and a mass");
    def = good, def.density = -1, refuse(def, "not negative");
    def = good, def.density = NAN, refuse(def, "finite");
    def = good, def.shape.radius = 0, refuse(def, "radius is 0");
    def = good, def.shape.kind = CDG_SHAPE_TORUS, refuse(def, "body kind");
    def = good, def.shape.kind = CDG_SHAPE_BOX, def.shape.size.y = -1, refuse(def, "sides");
    def = good, def.shape.kind = CDG_SHAPE_CYLINDER, def.shape.length = 0, refuse(def, "length is 0");
    def = good, def.shape.kind = CDG_SHAPE_MESH, refuse(def, "no volume");
    def = good, def.shape.orientation = (cdg_quat){0}, refuse(def, "orientation");
    def = good, def.shape.position.x = INFINITY, refuse(def, "position");
    def = good, def.angular_velocity.x = NAN, refuse(def, "velocities");
    def = good, def.is_fixed = true, def.velocity.x = 1, refuse(def, "fixed and has a velocity");
    cdg_motion motion = {.to = 1};
    def = good, def.motions = &motion, def.motion_count = 1, refuse(def, "prescribed motion");
    def = good, def.restitution = 1.5, refuse(def, "restitution");
    def = good, def.inertia = vec3(1, 1, 3), refuse(def, "sum of the other two");
    def = good, def.inertia = vec3(1, 0, 1), refuse(def, "must be positive");
    def = good, def.shape.radius = 1e-80, refuse(def, "too small");
    def = good, def.shape.radius = 1e200, refuse(def, "too");
}

static void mass_is_given_or_follows(void **state) {
    (void)state;
    cdg_body body;
    cdg_error error;
    cdg_body_def def = cdg_body_def_default();
    def.shape.radius = 0.1;
    assert_int_equal(cdg_body_build(&def, "b", &body, &error), CDG_OK);
    assert_near(body.mass.mass, 4.18879, 1e-5);
    cdg_body_free(&body);
    def.density = 0, def.mass = 2;
    assert_int_equal(cdg_body_build(&def, "b", &body, &error), CDG_OK);
    assert_near(body.mass.inertia.xx, 0.4 * 2 * 0.01, 1e-15);
    cdg_body_free(&body);
    def.inertia = vec3(1, 2, 3);
    assert_int_equal(cdg_body_build(&def, "b", &body, &error), CDG_OK);
    assert_near(body.mass.inertia.zz, 3, 0);
    cdg_body_free(&body);
    def.mass = 0, def.is_fixed = true; // needs none
    assert_int_equal(cdg_body_build(&def, "b", &body, &error), CDG_OK);
    assert_near(cdg_body_kinetic_energy(&body), 0, 0);
    cdg_body_free(&body);
}

static void spin_and_velocity_belong_together(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int n = 0; n < 100; n++) {
        cdg_body_def def = cdg_body_def_default();
        cdg_body body;
        def.shape.kind = CDG_SHAPE_BOX;
        def.shape.size = vec3(random_in(&random, 0.1, 1), random_in(&random, 0.1, 1), random_in(&random, 0.1, 1));
        def.shape.orientation = random_rotation(&random);
        def.velocity = random_vec3(&random, 3);
        def.angular_velocity = random_vec3(&random, 5);
        assert_int_equal(cdg_body_build(&def, "b", &body, NULL), CDG_OK);
        assert_vec3_near(cdg_body_angular_velocity(&body, body.now.q, body.now.spin), def.angular_velocity, 1e-12);
        symmetric3 inertia = cdg_body_world_inertia(&body, body.now.q);
        double turning = vec3_dot(def.angular_velocity, symmetric3_times(inertia, def.angular_velocity));
        double moving = body.mass.mass * vec3_dot(def.velocity, def.velocity);
        assert_near(cdg_body_kinetic_energy(&body), 0.5 * (turning + moving), 1e-12 * (turning + moving));
        assert_vec3_near(cdg_body_origin(&body, &body.now), def.shape.position, 1e-15);
        cdg_body_free(&body);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(mass_is_given_or_follows),
        cmocka_unit_test(spin_and_velocity_belong_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
