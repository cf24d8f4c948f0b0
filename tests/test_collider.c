// Contact of bodies: who touches whom, impulses of known cases, and nothing that remembers the past.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bodies/collider.h"
#include "closed_meshes.h"
#include "near.h"

#include <string.h>

static cdg_collider *make(const cdg_shape *shapes, size_t count) {
    cdg_collider *collider = NULL;
    assert_int_equal(cdg_collider_create(&collider, NULL), CDG_OK);
    for (size_t i = 0; i < count; i++) assert_int_equal(cdg_collider_add(collider, &shapes[i], NULL), CDG_OK);
    assert_int_equal(cdg_collider_count(collider), count);
    return collider;
}

static cdg_collider_item item_at(cdg_vec3 position, double mass) {
    return (cdg_collider_item){.position = position,
                               .center = position,
                               .orientation = quat_identity(),
                               .mass = mass,
                               .inertia = symmetric3_diagonal(vec3(mass / 100, mass / 100, mass / 100))};
}

static const cdg_shape ball = {.kind = CDG_SHAPE_SPHERE, .radius = 0.1};
static const cdg_shape ground = {.kind = CDG_SHAPE_PLANE, .normal = {0, 0, 1}};

// Two balls that meet exchange momentum as restitution says, whichever is heavier.
static void balls_bounce(void **state) {
    (void)state;
    const cdg_shape shapes[] = {ball, ball};
    cdg_collider *collider = make(shapes, 2);
    for (int n = 0; n < 4; n++) {
        double e = n / 4.0, a = 1, b = 1 + 10.0 * n;
        cdg_collider_item items[2] = {item_at(vec3(0, 0, 0), a), item_at(vec3(0.2 - 1e-6, 0, 0), b)};
        items[0].velocity = vec3(2, 0, 0);
        items[1].velocity = vec3(-1, 0, 0);
        items[0].restitution = e;
        size_t count = 0;
        assert_int_equal(cdg_collider_find(collider, items, &count, NULL), CDG_OK);
        assert_int_equal(count, 1);
        assert_true(items[0].is_touched && items[1].is_touched);
        assert_int_equal(cdg_collider_solve(collider, 1e-3, 0.01, items, NULL), CDG_OK);
        double expected = -(1 + e) * 3 / (1 / a + 1 / b);
        assert_near(items[0].impulse.x, expected, 2e-3); // taking out the overlap adds a little
        assert_vec3_near(vec3_add(items[0].impulse, items[1].impulse), vec3(0, 0, 0), 1e-12);
    }
    cdg_collider_destroy(collider);
}

static void friction_holds_up_to_its_cone(void **state) {
    (void)state;
    const cdg_shape shapes[] = {{.kind = CDG_SHAPE_BOX, .size = {0.2, 0.2, 0.2}}, ground};
    cdg_collider *collider = make(shapes, 2);
    for (int n = 0; n < 2; n++) {
        cdg_collider_item items[2] = {item_at(vec3(0, 0, 0.1 - 1e-7), 2), item_at(vec3(0, 0, 0), 0)};
        double fall = 0.01, slide = n == 0 ? 0.004 : 0.5;
        items[0].velocity = vec3(slide, 0, -fall);
        items[0].friction = 0.4, items[1].friction = 0.6;
        assert_int_equal(cdg_collider_find(collider, items, NULL, NULL), CDG_OK);
        assert_int_equal(cdg_collider_solve(collider, 1e-3, 1, items, NULL), CDG_OK);
        assert_near(items[0].impulse.z, 2 * fall, 1e-3);
        assert_near(items[0].impulse.x, n == 0 ? -2 * slide : -0.5 * 2 * fall, 1e-4);
    }
    cdg_collider_destroy(collider);
}

static void a_moving_floor_pushes(void **state) {
    (void)state;
    const cdg_shape shapes[] = {ball, ground};
    cdg_collider *collider = make(shapes, 2);
    cdg_collider_item items[2] = {item_at(vec3(5, 1, 0.1 - 1e-9), 3), item_at(vec3(0, 0, 0), 0)};
    items[1].velocity = vec3(0, 0, 0.7);
    assert_int_equal(cdg_collider_find(collider, items, NULL, NULL), CDG_OK);
    assert_int_equal(cdg_collider_solve(collider, 1e-3, 1, items, NULL), CDG_OK);
    assert_near(items[0].impulse.z, 3 * 0.7, 1e-5);
    // a plane in a pose of its own
    items[1] = item_at(vec3(0, 0, 5), 0);
    items[1].orientation = quat_from_axis_angle(vec3(0, 1, 0), 1.5707963267948966);
    items[0] = item_at(vec3(0.2, 0, 0), 1);
    assert_int_equal(cdg_collider_find(collider, items, NULL, NULL), CDG_OK);
    assert_false(items[0].is_touched);
    items[0] = item_at(vec3(0.05, 0, 0), 1);
    assert_int_equal(cdg_collider_find(collider, items, NULL, NULL), CDG_OK);
    assert_true(items[0].is_touched);
    cdg_collider_destroy(collider);
}

// Every pair of shapes that overlap by a tenth of their size is found, and none that is far away, nor a ghost.
static void all_shapes_touch_each_other(void **state) {
    (void)state;
    static cdg_vec3 vertices[8];
    block_vertices(vec3(0.1, 0.1, 0.1), vertices);
    const cdg_shape shapes[] = {
        ball,
        {.kind = CDG_SHAPE_BOX, .size = {0.2, 0.2, 0.2}},
        {.kind = CDG_SHAPE_CAPSULE, .radius = 0.1, .length = 0.1},
        {.kind = CDG_SHAPE_CYLINDER, .radius = 0.1, .length = 0.2},
        {.kind = CDG_SHAPE_MESH,
         .mesh.points = vertices,
         .mesh.point_count = 8,
         .mesh.triangles = block_triangles,
         .mesh.triangle_count = 12},
        ground,
    };
    enum { KINDS = sizeof shapes / sizeof *shapes };
    for (int a = 0; a < KINDS - 1; a++)
        for (int b = 0; b < KINDS; b++)
            for (int n = 0; n < 3; n++) {
                const cdg_shape pair[] = {shapes[a], shapes[b]};
                cdg_collider *collider = make(pair, 2);
                double height = b == KINDS - 1 ? 0.09 : 0.18, near_by = n == 1 ? 10 : 0;
                cdg_collider_item items[2] = {item_at(vec3(0.013, 0.007, height + near_by), 1),
                                              item_at(vec3(0, 0, 0), b == KINDS - 1 ? 0 : 1)};
                items[0].is_ghost = n == 2;
                items[0].velocity = vec3(0, 0, -1);
                assert_int_equal(cdg_collider_find(collider, items, NULL, NULL), CDG_OK);
                if (items[0].is_touched != (n == 0)) print_error("shapes %d and %d, case %d\n", a, b, n);
                assert_int_equal(items[0].is_touched, n == 0);
                assert_int_equal(cdg_collider_solve(collider, 1e-3, 1, items, NULL), CDG_OK);
                if (n == 0) assert_true(items[0].impulse.z > 0.2);
                if (n != 0) assert_near(vec3_norm(items[0].impulse), 0, 0);
                cdg_collider_destroy(collider);
            }
}

// The same question has the same answer to the last bit, whatever was asked in between.
static void nothing_is_remembered(void **state) {
    (void)state;
    const cdg_shape shapes[] = {{.kind = CDG_SHAPE_BOX, .size = {0.2, 0.3, 0.2}}, ball, ground};
    cdg_collider *collider = make(shapes, 3), *fresh = make(shapes, 3);
    cdg_collider_item start[3] = {item_at(vec3(0, 0, 0.099), 1), item_at(vec3(0.05, 0, 0.29), 2),
                                  item_at(vec3(0, 0, 0), 0)};
    start[0].velocity = vec3(0.1, 0.2, -1), start[1].velocity = vec3(0, 0, -2), start[0].friction = 0.5;
    start[0].angular_velocity = vec3(1, 2, 3);
    cdg_collider_item a[3], b[3];
    memcpy(a, start, sizeof a);
    cdg_collider_find(collider, a, NULL, NULL), cdg_collider_solve(collider, 1e-3, 0, a, NULL);
    for (int n = 0; n < 5; n++) { // something else
        memcpy(b, start, sizeof b);
        b[n % 2].position.z += 0.01 * n, b[n % 2].center.z += 0.01 * n;
        cdg_collider_find(collider, b, NULL, NULL), cdg_collider_solve(collider, 1e-2, 0, b, NULL);
    }
    cdg_collider *const askers[] = {collider, fresh};
    for (int k = 0; k < 2; k++) {
        memcpy(b, start, sizeof b);
        cdg_collider_find(askers[k], b, NULL, NULL), cdg_collider_solve(askers[k], 1e-3, 0, b, NULL);
        for (int i = 0; i < 2; i++) {
            assert_memory_equal(&a[i].impulse, &b[i].impulse, sizeof a[i].impulse);
            assert_memory_equal(&a[i].turn_impulse, &b[i].turn_impulse, sizeof a[i].impulse);
        }
        assert_true(vec3_norm(a[0].impulse) > 0);
    }
    cdg_collider_destroy(collider);
    cdg_collider_destroy(fresh);
    cdg_collider_destroy(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_bounce),          cmocka_unit_test(friction_holds_up_to_its_cone),
        cmocka_unit_test(a_moving_floor_pushes), cmocka_unit_test(all_shapes_touch_each_other),
        cmocka_unit_test(nothing_is_remembered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
