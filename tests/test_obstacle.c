// Obstacles: signed distances against definitions, contact points of segments against sampling, boxes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/obstacle.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

#include <string.h>

static cdg_vec3 block[8];
static const cdg_shape_kind kinds[] = {CDG_SHAPE_PLANE,   CDG_SHAPE_SPHERE,   CDG_SHAPE_BOX,
                                       CDG_SHAPE_CAPSULE, CDG_SHAPE_CYLINDER, CDG_SHAPE_MESH};
enum { KINDS = sizeof kinds / sizeof *kinds };

static cdg_obstacle_def make_def(cdg_shape_kind kind) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape.kind = kind;
    def.shape.normal = vec3(0, 3, 4);
    def.shape.offset = 0.2;
    def.shape.radius = 0.4;
    def.shape.length = 1;
    def.shape.size = vec3(0.8, 1, 1.4);
    block_vertices(vec3(0.4, 0.5, 0.7), block);
    def.shape.mesh.points = block;
    def.shape.mesh.point_count = 8;
    def.shape.mesh.triangles = block_triangles;
    def.shape.mesh.triangle_count = 12;
    return def;
}

static cdg_obstacle make(const cdg_obstacle_def *def) {
    cdg_obstacle obstacle;
    cdg_error error = {0};
    cdg_result result = cdg_obstacle_build(def, "thing", &obstacle, &error);
    assert_string_equal(error.message, "");
    assert_int_equal(result, CDG_OK);
    return obstacle;
}

// Whether a point is in the solid, from the definition; own axes.
static bool is_inside(const cdg_obstacle_def *def, cdg_vec3 p) {
    double rho = hypot(p.x, p.y), end = fmax(0, fabs(p.z) - 0.5 * def->shape.length);
    switch (def->shape.kind) {
    case CDG_SHAPE_PLANE: return 0.6 * p.y + 0.8 * p.z < def->shape.offset;
    case CDG_SHAPE_SPHERE: return vec3_norm(p) < def->shape.radius;
    case CDG_SHAPE_CAPSULE: return hypot(rho, end) < def->shape.radius;
    case CDG_SHAPE_CYLINDER: return rho < def->shape.radius && end == 0;
    default: return fabs(p.x) < 0.4 && fabs(p.y) < 0.5 && fabs(p.z) < 0.7; // box and mesh are the same
    }
}

// The distance is one when following the normal by it leads to the surface, inside is negative, and nothing of the
// surface is nearer: the distance changes by no more than the way.
static void distances_are_signed_and_exact(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int k = 0; k < KINDS; k++) {
        cdg_obstacle_def def = make_def(kinds[k]);
        cdg_obstacle obstacle = make(&def);
        for (int i = 0; i < rounds(4000); i++) {
            cdg_pose pose = {random_vec3(&random, 2), random_rotation(&random)};
            cdg_vec3 own = random_vec3(&random, 1.2);
            if (i % 10 == 0) own = vec3(0, 0, i % 20 == 0 ? 0 : own.z); // centre and axis
            cdg_vec3 p = vec3_add(pose.position, quat_rotate(pose.orientation, own));
            cdg_distance d = cdg_obstacle_distance(&obstacle, &pose, p);
            assert_int_equal(d.value < 0, is_inside(&def, own));
            assert_near(vec3_norm(d.normal), 1, 1e-14);
            cdg_vec3 foot = vec3_mad(p, -d.value, d.normal);
            assert_near(cdg_obstacle_distance(&obstacle, &pose, foot).value, 0, 1e-14);
            assert_int_equal(cdg_obstacle_distance(&obstacle, &pose, vec3_mad(foot, 1e-9, d.normal)).value > 0, true);
            cdg_vec3 q = vec3_add(p, random_vec3(&random, 0.5));
            double other = cdg_obstacle_distance(&obstacle, &pose, q).value;
            assert_true(fabs(other - d.value) <= vec3_distance(p, q) + 1e-14);
        }
        cdg_obstacle_free(&obstacle);
    }
}

static void contacts_are_the_deepest_points(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int k = 0; k < KINDS; k++) {
        cdg_obstacle_def def = make_def(kinds[k]);
        cdg_obstacle obstacle = make(&def);
        int touching = 0, none = 0;
        for (int i = 0; i < rounds(2000); i++) {
            cdg_pose pose = {random_vec3(&random, 2), random_rotation(&random)};
            cdg_vec3 a = vec3_add(pose.position, random_vec3(&random, 1.2)), b = vec3_add(a, random_vec3(&random, 0.5));
            double radius = random_in(&random, 0.01, 0.1), margin = random_in(&random, 0, 0.1), least = HUGE_VAL;
            for (int s = 0; s <= 200; s++)
                least = fmin(least, cdg_obstacle_distance(&obstacle, &pose, vec3_lerp(a, b, s / 200.0)).value);
            cdg_obstacle_contact contacts[CDG_OBSTACLE_CONTACTS_MAX];
            int count = cdg_obstacle_contacts(&obstacle, &pose, a, b, radius, margin, contacts);
            double gap = 0;
            bool is_near = cdg_obstacle_gap(&obstacle, &pose, a, b, radius, margin, &gap);
            assert_int_equal(is_near, count > 0);
            if (count == 0) {
                none++;
                assert_true(least - radius >= margin - 1e-12);
                continue;
            }
            touching++;
            double deepest = HUGE_VAL;
            bool is_mesh = kinds[k] == CDG_SHAPE_MESH;
            assert_true(count <= (is_mesh ? CDG_OBSTACLE_CONTACTS_MAX : CDG_OBSTACLE_CONTACTS_CONVEX));
            for (int c = 0; c < count; c++) {
                cdg_vec3 at = vec3_lerp(a, b, contacts[c].s);
                cdg_distance d = cdg_obstacle_distance(&obstacle, &pose, at);
                // of a mesh, some other face may be nearer there
                assert_true(!is_mesh || contacts[c].gap > d.value - radius - 1e-14);
                if (!is_mesh || contacts[c].gap < d.value - radius + 1e-14) {
                    assert_near(contacts[c].gap, d.value - radius, 1e-14);
                    assert_vec3_near(contacts[c].normal, d.normal, 1e-14 + 1e-15 / fabs(d.value));
                }
                assert_near(cdg_obstacle_distance(&obstacle, &pose, contacts[c].point).value, 0, 1e-13);
                assert_true(contacts[c].gap < margin);
                deepest = fmin(deepest, contacts[c].gap);
            }
            assert_near(gap, deepest, 2e-5 * radius); // ends of a part along a face may be that much higher
            // the deeper of them is the deepest of all; between points deep in a mesh sampling may see more
            assert_true(deepest <= least - radius + (kinds[k] == CDG_SHAPE_MESH ? 0.02 : 1e-9));
        }
        assert_true(touching > rounds(100) && none > rounds(20));
        cdg_obstacle_free(&obstacle);
    }
}

// Of points, segments and triangles, against a grid of points; of a mesh, which is not convex, points.
static void lowest_points_are_found(void **state) {
    (void)state;
    cdg_random random = {77};
    for (size_t n = 0; n < 40 * sizeof kinds / sizeof *kinds; n++) {
        cdg_obstacle_def def = make_def(kinds[n / 40]);
        cdg_obstacle o = make(&def);
        cdg_pose pose = cdg_obstacle_pose(&o, 0);
        int count = 1 + (int)(n % (def.shape.kind == CDG_SHAPE_MESH ? 1 : 3));
        cdg_vec3 middle = vec3_add(pose.position, random_vec3(&random, 1)), corner[3];
        for (int k = 0; k < 3; k++) corner[k] = vec3_add(middle, random_vec3(&random, 0.6));
        enum { GRID = 40 };
        double least = HUGE_VAL, w[3], sum = 0, spacing = 1.5 * 1.8 / GRID;
        for (int i = 0; i <= GRID; i++)
            for (int k = 0; k <= GRID - i; k++) {
                cdg_vec3 at = corner[0];
                if (count > 1) at = vec3_mad(at, (double)i / GRID, vec3_sub(corner[1], corner[0]));
                if (count > 2) at = vec3_mad(at, (double)k / GRID, vec3_sub(corner[2], corner[0]));
                least = fmin(least, cdg_obstacle_distance(&o, &pose, at).value);
            }
        cdg_distance found;
        assert_true(cdg_obstacle_lowest(&o, &pose, corner, count, HUGE_VAL, w, &found));
        cdg_vec3 point = {0, 0, 0};
        for (int k = 0; k < count; k++) point = vec3_mad(point, w[k], corner[k]), sum += w[k];
        assert_near(sum, 1, 1e-12);
        assert_near(cdg_obstacle_distance(&o, &pose, point).value, found.value, 1e-12);
        assert_true(found.value < least + 1e-7 && found.value > least - spacing);
        assert_false(cdg_obstacle_lowest(&o, &pose, corner, count, found.value - 1e-6, w, &found));
        cdg_obstacle_free(&o);
    }
}

static int rest_on(cdg_shape_kind kind, cdg_vec3 a, cdg_vec3 b, double radius,
                   cdg_obstacle_contact out[CDG_OBSTACLE_CONTACTS_MAX]) {
    cdg_obstacle_def def = make_def(kind);
    def.shape.normal = vec3(0, 0, 1);
    def.shape.offset = 0.7;
    def.shape.size = vec3(0.8, 1, 1.4);
    def.shape.length = 1.4;
    cdg_obstacle obstacle = make(&def);
    cdg_pose pose = cdg_obstacle_pose(&obstacle, 0);
    int count = cdg_obstacle_contacts(&obstacle, &pose, a, b, radius, 0.01, out);
    cdg_obstacle_free(&obstacle);
    return count;
}

static void a_segment_rests_on_both_ends(void **state) {
    (void)state;
    // plane z = 0.7, and the tops of box, mesh and cylinder at the same height
    const cdg_shape_kind flat[] = {CDG_SHAPE_PLANE, CDG_SHAPE_BOX, CDG_SHAPE_CYLINDER, CDG_SHAPE_MESH};
    for (int k = 0; k < 4; k++) {
        cdg_obstacle_contact c[CDG_OBSTACLE_CONTACTS_MAX];
        assert_int_equal(rest_on(flat[k], vec3(-0.2, 0, 0.75), vec3(0.2, 0, 0.75), 0.05, c), 2);
        assert_near(c[0].s, 0, 1e-8);
        assert_near(c[1].s, 1, 1e-8);
        for (int i = 0; i < 2; i++) {
            assert_vec3_near(c[i].normal, vec3(0, 0, 1), 1e-14);
            assert_near(c[i].gap, 0, 1e-14);
        }
        if (flat[k] == CDG_SHAPE_PLANE) continue;
        // tilted, but within reach
        assert_int_equal(rest_on(flat[k], vec3(-0.2, 0, 0.75), vec3(0.2, 0, 0.755), 0.05, c), 2);
        assert_near(c[1].gap, 0.005, 1e-12);
        // over the edge at x = 0.4: as far as the face goes
        assert_int_equal(rest_on(flat[k], vec3(0, 0, 0.74), vec3(0.8, 0, 0.74), 0.05, c), 2);
        assert_near(c[0].s, 0, 1e-6);
        assert_near(c[1].s, 0.5, 0.002);
    }
    // along a capsule, and across it
    cdg_obstacle_contact c[CDG_OBSTACLE_CONTACTS_MAX];
    assert_int_equal(rest_on(CDG_SHAPE_CAPSULE, vec3(0.44, 0, -0.2), vec3(0.44, 0, 0.3), 0.05, c), 2);
    assert_int_equal(rest_on(CDG_SHAPE_CAPSULE, vec3(0.44, -0.3, 0), vec3(0.44, 0.3, 0), 0.05, c), 1);
    assert_near(c[0].s, 0.5, 1e-6);
    // standing on end
    assert_int_equal(rest_on(CDG_SHAPE_PLANE, vec3(0, 0, 0.74), vec3(0, 0, 1), 0.05, c), 1);
    assert_near(c[0].s, 0, 0);
}

// The ball about a shape is the smallest about its middle: the farthest point of the shape lies on it.
static void balls_touch_the_farthest_point(void **state) {
    (void)state;
    const cdg_pose still = {vec3(0, 0, 0), quat_identity()};
    for (int k = 0; k < KINDS; k++) {
        cdg_obstacle_def def = make_def(kinds[k]);
        cdg_obstacle obstacle = make(&def);
        const cdg_shape *shape = &def.shape;
        cdg_vec3 farthest = {0, 0, 0};
        switch (kinds[k]) {
        case CDG_SHAPE_SPHERE: farthest = vec3(0, shape->radius, 0); break;
        case CDG_SHAPE_BOX: farthest = vec3_scale(0.5, shape->size); break;
        case CDG_SHAPE_CAPSULE: farthest = vec3(0, 0, shape->length / 2 + shape->radius); break;
        case CDG_SHAPE_CYLINDER: farthest = vec3(shape->radius, 0, -shape->length / 2); break;
        case CDG_SHAPE_MESH:
            for (size_t i = 0; i < obstacle.mesh.vertex_count; i++)
                if (vec3_distance(obstacle.mesh.vertices[i], obstacle.middle) >
                    vec3_distance(farthest, obstacle.middle))
                    farthest = obstacle.mesh.vertices[i];
            break;
        default: break;
        }
        if (kinds[k] == CDG_SHAPE_PLANE) {
            assert_true(obstacle.reach == HUGE_VAL);
        } else {
            assert_near(cdg_obstacle_distance(&obstacle, &still, farthest).value, 0, 1e-14);
            assert_near(obstacle.reach, vec3_distance(farthest, obstacle.middle), 1e-15);
        }
        cdg_obstacle_free(&obstacle);
    }
}

static void boxes_hold_all_of_it(void **state) {
    (void)state;
    cdg_random random = {3};
    for (int k = 1; k < KINDS; k++) {
        cdg_obstacle_def def = make_def(kinds[k]);
        cdg_obstacle obstacle = make(&def);
        for (int i = 0; i < 300; i++) {
            cdg_pose from = {random_vec3(&random, 1), random_rotation(&random)}, to = from;
            to.position = vec3_add(from.position, random_vec3(&random, 0.3));
            cdg_vec3 turn = random_vec3(&random, 1.5);
            to.orientation = quat_multiply(quat_exp(turn), from.orientation);
            cdg_box swept = cdg_obstacle_swept_box(&obstacle, &from, &to);
            for (int n = 0; n < 50; n++) {
                double time = random_unit(&random);
                cdg_pose pose = {vec3_lerp(from.position, to.position, time),
                                 quat_multiply(quat_exp(vec3_scale(time, turn)), from.orientation)};
                cdg_box box = cdg_obstacle_box(&obstacle, &pose);
                // a point of the surface
                cdg_vec3 p = vec3_add(pose.position, random_vec3(&random, 1));
                cdg_distance d = cdg_obstacle_distance(&obstacle, &pose, p);
                p = vec3_mad(p, -d.value, d.normal);
                const double at[3] = {p.x, p.y, p.z};
                for (int c = 0; c < 3; c++) {
                    assert_true(at[c] >= box.low[c] - 1e-14 && at[c] <= box.high[c] + 1e-14);
                    assert_true(at[c] >= swept.low[c] - 1e-14 && at[c] <= swept.high[c] + 1e-14);
                }
            }
        }
        // tight where it can be
        cdg_pose rest = {vec3(0, 0, 0), quat_identity()};
        cdg_box box = cdg_obstacle_box(&obstacle, &rest);
        assert_near(cdg_obstacle_distance(&obstacle, &rest, vec3(0, 0, box.high[2])).value, 0, 1e-14);
        assert_near(cdg_obstacle_distance(&obstacle, &rest, vec3(box.high[0], 0, 0)).value, 0, 1e-14);
        cdg_obstacle_free(&obstacle);
    }
    cdg_obstacle_def def = make_def(CDG_SHAPE_PLANE);
    cdg_obstacle plane = make(&def);
    cdg_pose rest = {vec3(0, 0, 0), quat_identity()};
    assert_true(cdg_obstacle_swept_box(&plane, &rest, &rest).high[0] == HUGE_VAL);
    cdg_obstacle_free(&plane);
}

static void motion_carries_it(void **state) {
    (void)state;
    cdg_obstacle_def def = make_def(CDG_SHAPE_SPHERE);
    cdg_motion motion = {.move = {0, 0, 2}, .from = 0, .to = 1};
    def.motions = &motion;
    def.motion_count = 1;
    def.shape.position = vec3(1, 0, 0);
    cdg_obstacle obstacle = make(&def);
    motion.move.z = 99; // it keeps its own copy
    assert_vec3_near(cdg_obstacle_pose(&obstacle, 0.5).position, vec3(1, 0, 1), 1e-15);
    assert_string_equal(obstacle.name, "thing");
    cdg_obstacle_free(&obstacle);
}

static void nonsense_is_refused(void **state) {
    (void)state;
    cdg_obstacle obstacle;
    cdg_error error;
    cdg_motion motion = {.from = 2, .to = 1};
    for (int i = 0; i < 9; i++) {
        cdg_obstacle_def def = make_def(i < 1 ? CDG_SHAPE_PLANE : i < 3 ? CDG_SHAPE_CYLINDER : CDG_SHAPE_BOX);
        if (i == 0) def.shape.normal = vec3(0, 0, 0);
        if (i == 1) def.shape.radius = 0;
        if (i == 2) def.shape.length = -1;
        if (i == 3) def.shape.size.y = NAN;
        if (i == 4) def.shape.position.x = HUGE_VAL;
        if (i == 5) def.shape.orientation = quat(0, 0, 0, 0);
        if (i == 6) def.friction = NAN;
        if (i == 7) def.motions = &motion, def.motion_count = 1;
        if (i == 8) def.shape.kind = (cdg_shape_kind)17;
        assert_int_equal(cdg_obstacle_build(&def, "thing", &obstacle, &error), CDG_ERROR_ARGUMENT);
        assert_true(error.message[0] != '\0');
    }
    cdg_obstacle_def def = make_def(CDG_SHAPE_MESH);
    def.shape.mesh.triangle_count = 11;
    assert_int_equal(cdg_obstacle_build(&def, "thing", &obstacle, &error), CDG_ERROR_FORMAT);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_signed_and_exact),
        cmocka_unit_test(contacts_are_the_deepest_points),
        cmocka_unit_test(lowest_points_are_found),
        cmocka_unit_test(a_segment_rests_on_both_ends),
        cmocka_unit_test(boxes_hold_all_of_it),
        cmocka_unit_test(balls_touch_the_farthest_point),
        cmocka_unit_test(motion_carries_it),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
