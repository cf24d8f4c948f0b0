// Bodies in a world: kept, found, read back; energy and momentum; free fall, bouncing, sliding and resting.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "near.h"
#include "small_world.h"

#include <string.h>

static cdg_world *make_world(cdg_vec3 gravity, double step) {
    cdg_world_def def = cdg_world_def_default();
    cdg_world *world = NULL;
    def.gravity = gravity;
    def.step = step;
    must(NULL, cdg_world_create(&def, &world, NULL));
    return world;
}

static void run(cdg_world *world, double time) {
    while (cdg_world_time(world) < time - cdg_world_step_size(world) / 2) must(world, cdg_world_step(world, NULL));
}

static cdg_body_state state_of(const cdg_world *world, cdg_body_id id) {
    cdg_body_state now;
    must(world, cdg_body_get_state(world, id, &now));
    return now;
}

static void bodies_are_kept_and_found(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, 0), 0.01);
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id[3];
    must(world, cdg_world_add_body(world, &def, &id[0]));
    char name[] = "disk";
    def.name = name, def.shape.kind = CDG_SHAPE_CYLINDER, def.density = 0, def.mass = 2;
    must(world, cdg_world_add_body(world, &def, &id[1]));
    name[0] = 'X';
    cdg_vec3 vertices[8];
    block_vertices(vec3(0.1, 0.1, 0.1), vertices);
    for (int i = 0; i < 8; i++) vertices[i].x += 0.5;
    cdg_body_def mesh = cdg_body_def_default();
    mesh.shape.kind = CDG_SHAPE_MESH;
    mesh.shape.orientation = quat_exp(vec3(0, 0, 1));
    mesh.shape.position = vec3(1, 2, 3);
    mesh.shape.mesh.points = vertices, mesh.shape.mesh.point_count = 8;
    mesh.shape.mesh.triangles = block_triangles, mesh.shape.mesh.triangle_count = 12;
    must(world, cdg_world_add_body(world, &mesh, &id[2]));
    assert_int_equal(cdg_world_body_count(world), 3);
    assert_int_equal(cdg_world_find_body(world, "disk").index1, id[1].index1);
    assert_int_equal(cdg_world_find_body(world, "nobody").index1, 0);
    assert_int_equal(cdg_world_body_at(world, 3).index1, 0);
    cdg_body_info info;
    must(world, cdg_body_get_info(world, id[0], &info));
    assert_string_equal(info.name, "body_1");
    must(world, cdg_body_get_info(world, id[2], &info));
    assert_vec3_near(info.center, vec3(0.5, 0, 0), 1e-15);
    assert_near(info.mass, 8, 1e-12);
    assert_int_equal(info.shape.mesh.triangle_count, 12);
    assert_vec3_near(state_of(world, id[2]).position, vec3(1, 2, 3), 1e-15);

    def.name = "disk";
    assert_int_equal(cdg_world_add_body(world, &def, NULL), CDG_ERROR_ARGUMENT);
    def.name = "a disk";
    assert_int_equal(cdg_world_add_body(world, &def, NULL), CDG_ERROR_ARGUMENT);
    def.name = "light", def.mass = 0;
    assert_int_equal(cdg_world_add_body(world, &def, NULL), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "has no mass"));
    mesh.shape.mesh.triangle_count = 11; // open
    assert_int_not_equal(cdg_world_add_body(world, &mesh, NULL), CDG_OK);
    assert_int_equal(cdg_world_body_count(world), 3);
    cdg_body_state now;
    assert_int_equal(cdg_body_get_state(world, (cdg_body_id){9, 1}, &now), CDG_ERROR_STALE);
    assert_int_equal(cdg_body_get_info(world, (cdg_body_id){0}, &info), CDG_ERROR_STALE);
    assert_int_equal(cdg_body_energy(world, (cdg_body_id){0}, NULL, NULL), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

// A thrown body flies a parabola exactly and keeps energy and the momentum that gravity does not touch.
static void a_thrown_body_flies(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, -10), 0.01);
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id;
    def.shape.kind = CDG_SHAPE_BOX;
    def.shape.size = vec3(0.1, 0.2, 0.4);
    def.velocity = vec3(1, 0, 5);
    def.angular_velocity = vec3(1, 7, 0.5);
    must(world, cdg_world_add_body(world, &def, &id));
    cdg_vec3 p0, l0, p, l;
    cdg_world_momentum(world, &p0, &l0);
    double start = cdg_world_energy(world).total;
    run(world, 1);
    assert_vec3_near(state_of(world, id).position, vec3(1, 0, 0), 1e-12);
    assert_vec3_near(state_of(world, id).velocity, vec3(1, 0, -5), 1e-12);
    assert_near(cdg_world_energy(world).total, start, 1e-11 * start);
    assert_near(cdg_world_energy(world).dissipated, 0, 1e-11 * start);
    cdg_world_momentum(world, &p, &l);
    assert_near(p.x, p0.x, 1e-13);
    double kinetic, gravity;
    must(world, cdg_body_energy(world, id, &kinetic, &gravity));
    assert_near(kinetic + gravity, start, 1e-11 * start);
    // put elsewhere, the books stay right
    cdg_body_state there = {.position = {0, 0, 1}, .orientation = {2, 0, 0, 0}, .velocity = {0, 3, 0}};
    must(world, cdg_body_set_state(world, id, &there));
    assert_near(cdg_world_energy(world).dissipated, 0, 1e-11 * start);
    there.velocity.x = NAN;
    assert_int_equal(cdg_body_set_state(world, id, &there), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(world);
}

static void a_ball_bounces_and_comes_to_rest(void **state) {
    (void)state;
    cdg_world *world = make_world(vec3(0, 0, -9.81), 1e-3);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id id;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    def.shape.radius = 0.1, def.shape.position = vec3(0, 0, 1.1), def.restitution = 0.8;
    must(world, cdg_world_add_body(world, &def, &id));
    double highest = 0, fall = sqrt(2 * 1 / 9.81);
    run(world, fall * 1.05);
    while (state_of(world, id).velocity.z > 0) {
        must(world, cdg_world_step(world, NULL));
        highest = fmax(highest, state_of(world, id).position.z);
    }
    assert_near(highest - 0.1, 0.64, 0.02); // restitution squared
    run(world, 8);
    assert_near(state_of(world, id).position.z, 0.1, 2e-3);
    assert_true(vec3_norm(state_of(world, id).velocity) < 0.02);
    cdg_energy energy = cdg_world_energy(world);
    assert_near(energy.dissipated, 4.0 / 3 * 3.14159265 * 1e-3 * 1000 * 9.81, 0.2);
    cdg_world_destroy(world);
}

// Coulomb: a box on a slope slides when it is steeper than friction holds, with the acceleration of the book.
static void a_box_on_a_slope_slides_or_stays(void **state) {
    (void)state;
    for (int n = 0; n < 2; n++) {
        double friction = n == 0 ? 0.7 : 0.3, angle = 0.5;
        cdg_world *world = make_world(vec3(9.81 * sin(angle), 0, -9.81 * cos(angle)), 1e-3);
        cdg_obstacle_def plane = cdg_obstacle_def_default();
        plane.friction = friction;
        must(world, cdg_world_add_obstacle(world, &plane, NULL));
        cdg_body_def def = cdg_body_def_default();
        cdg_body_id id;
        def.shape.kind = CDG_SHAPE_BOX, def.shape.size = vec3(0.3, 0.2, 0.1), def.shape.position.z = 0.05,
        def.friction = friction;
        must(world, cdg_world_add_body(world, &def, &id));
        run(world, 0.5);
        double expected = n == 0 ? 0 : 9.81 * (sin(angle) - friction * cos(angle)) * 0.5;
        assert_near(state_of(world, id).velocity.x, expected, 0.02);
        assert_near(state_of(world, id).position.z, 0.05, 1e-3);
        cdg_world_destroy(world);
    }
}

// A stack on a lifting platform, several worlds at once, and a step that is the same for any number of threads.
static void a_stack_rides_a_platform(void **state) {
    (void)state;
    cdg_body_state end[2];
    for (int n = 0; n < 2; n++) {
        cdg_world *other = make_world(vec3(0, 0, -1), 1e-2); // lives meanwhile
        cdg_world *world = make_world(vec3(0, 0, -9.81), 2e-3);
        cdg_motion lift = {.kind = CDG_MOTION_MOVE, .move = {0, 0, 0.5}, .to = 1, .ease = CDG_EASE_SMOOTH};
        cdg_body_def table = cdg_body_def_default(), box = cdg_body_def_default();
        table.shape.kind = box.shape.kind = CDG_SHAPE_BOX;
        table.shape.size = vec3(1, 1, 0.1), table.is_fixed = true, table.motions = &lift, table.motion_count = 1;
        box.shape.size = vec3(0.2, 0.2, 0.2), box.friction = 0.5;
        cdg_body_id id = {0};
        must(world, cdg_world_add_body(world, &table, NULL));
        must(other, cdg_world_add_body(other, &table, NULL));
        for (int i = 0; i < 3; i++) {
            box.shape.position = vec3(0.01 * i, 0, 0.15 + 0.2 * i);
            must(world, cdg_world_add_body(world, &box, &id));
        }
        run(world, 1.2);
        run(other, 0.1);
        end[n] = state_of(world, id);
        assert_near(end[n].position.z, 0.15 + 0.4 + 0.5, 5e-3);
        assert_near(end[n].position.x, 0.02, 5e-3);
        cdg_world_destroy(other);
        cdg_world_destroy(world);
    }
    assert_memory_equal(&end[0], &end[1], sizeof end[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_kept_and_found),        cmocka_unit_test(a_thrown_body_flies),
        cmocka_unit_test(a_ball_bounces_and_comes_to_rest), cmocka_unit_test(a_box_on_a_slope_slides_or_stays),
        cmocka_unit_test(a_stack_rides_a_platform),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
