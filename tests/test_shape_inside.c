// Which points are in a shape: volumes by counting against closed forms, and points that lie a billionth of a length
// inside and outside of every part of the surface, wherever the shape is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "geometry/shape_inside.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"

static const double pi = 3.14159265358979323846;
static const double vase[][2] = {{0.03, -0.05}, {0.06, 0.01}, {0.02, 0.05}};

static cdg_shape shape_of(cdg_shape_kind kind) {
    cdg_shape shape = cdg_shape_default();
    shape.kind = kind;
    shape.size = vec3(0.1, 0.06, 0.08);
    shape.inner_radius = 0.02;
    shape.thickness = 0.015;
    shape.angle = 1.2;
    shape.normal = vec3(0, 0, 3);
    shape.offset = 0.02;
    shape.profile = vase, shape.profile_count = 3;
    return shape;
}

static void place(cdg_random *random, cdg_shape *shape) {
    shape->position = vec3(random_in(random, -2, 2), random_in(random, -2, 2), random_in(random, -2, 2));
    shape->orientation = random_rotation(random);
}

static bool has(const cdg_shape *shape, cdg_vec3 local) {
    return cdg_shape_contains(shape, vec3_add(shape->position, quat_rotate(shape->orientation, local)));
}

static double frustum(double a, double b, double height) { return pi * height * (a * a + a * b + b * b) / 3; }

static double volume_of(const cdg_shape *s) {
    double r = s->radius, l = s->length, ring = pi * (r * r - s->inner_radius * s->inner_radius) * l;
    switch (s->kind) {
    case CDG_SHAPE_SPHERE: return 4 * pi * r * r * r / 3;
    case CDG_SHAPE_BOX: return s->size.x * s->size.y * s->size.z;
    case CDG_SHAPE_CAPSULE: return pi * r * r * (l + 4 * r / 3);
    case CDG_SHAPE_CYLINDER: return pi * r * r * l;
    case CDG_SHAPE_ELLIPSOID: return pi * s->size.x * s->size.y * s->size.z / 6;
    case CDG_SHAPE_TUBE: return ring;
    case CDG_SHAPE_TORUS: return 2 * pi * pi * r * s->thickness * s->thickness;
    case CDG_SHAPE_WEDGE: return ring * s->angle / (2 * pi);
    case CDG_SHAPE_REVOLVED: return frustum(0.03, 0.06, 0.06) + frustum(0.06, 0.02, 0.04);
    default: return NAN;
    }
}

static void volumes_are_right(void **state) {
    (void)state;
    enum { POINTS = 40000 };
    cdg_random random = {3};
    for (int kind = CDG_SHAPE_SPHERE; kind < CDG_SHAPE_KIND_COUNT; kind++) {
        if (kind == CDG_SHAPE_MESH) continue;
        cdg_shape shape = shape_of((cdg_shape_kind)kind);
        place(&random, &shape);
        size_t inside = 0;
        double side = 0.22; // all of them fit into such a cube
        for (int i = 0; i < POINTS; i++) {
            double x = random_in(&random, -0.5, 0.5), y = random_in(&random, -0.5, 0.5),
                   z = random_in(&random, -0.5, 0.5);
            inside += has(&shape, vec3(side * x, side * y, side * z));
        }
        double share = volume_of(&shape) / (side * side * side), found = (double)inside / POINTS;
        assert_near(found, share, 4 * sqrt(share * (1 - share) / POINTS)); // four standard deviations
    }
}

// A point of the surface, in the shape's axes, and the way out there.
typedef struct border {
    cdg_shape_kind kind;
    cdg_vec3 point, out;
} border;

static const border borders[] = {
    {CDG_SHAPE_PLANE, {7, -3, 0.02}, {0, 0, 1}},           {CDG_SHAPE_SPHERE, {0, 0.05, 0}, {0, 1, 0}},
    {CDG_SHAPE_SPHERE, {-0.03, 0, 0.04}, {-0.6, 0, 0.8}},  {CDG_SHAPE_BOX, {0.05, 0.01, 0.02}, {1, 0, 0}},
    {CDG_SHAPE_BOX, {-0.05, 0.01, 0.02}, {-1, 0, 0}},      {CDG_SHAPE_BOX, {0.01, 0.03, -0.02}, {0, 1, 0}},
    {CDG_SHAPE_BOX, {0.01, 0.02, -0.04}, {0, 0, -1}},      {CDG_SHAPE_CAPSULE, {0.05, 0, 0.049}, {1, 0, 0}},
    {CDG_SHAPE_CAPSULE, {0, 0, -0.1}, {0, 0, -1}},         {CDG_SHAPE_CAPSULE, {0, 0.03, 0.09}, {0, 0.6, 0.8}},
    {CDG_SHAPE_CYLINDER, {0, -0.05, 0.049}, {0, -1, 0}},   {CDG_SHAPE_CYLINDER, {0.03, 0.03, 0.05}, {0, 0, 1}},
    {CDG_SHAPE_ELLIPSOID, {0.05, 0, 0}, {1, 0, 0}},        {CDG_SHAPE_ELLIPSOID, {0, -0.03, 0}, {0, -1, 0}},
    {CDG_SHAPE_ELLIPSOID, {0, 0, 0.04}, {0, 0, 1}},        {CDG_SHAPE_TUBE, {0.05, 0, 0.01}, {1, 0, 0}},
    {CDG_SHAPE_TUBE, {0, 0.02, 0.01}, {0, -1, 0}},         {CDG_SHAPE_TUBE, {0, 0.03, -0.05}, {0, 0, -1}},
    {CDG_SHAPE_TORUS, {0.065, 0, 0}, {1, 0, 0}},           {CDG_SHAPE_TORUS, {0, 0.035, 0}, {0, -1, 0}},
    {CDG_SHAPE_TORUS, {0, 0.05, 0.015}, {0, 0, 1}},        {CDG_SHAPE_WEDGE, {0, 0.02, 0.05}, {0, 0, 1}},
    {CDG_SHAPE_WEDGE, {0, 0.02, 0.02}, {0, 0, -1}},        {CDG_SHAPE_WEDGE, {0, 0.05, 0.03}, {0, 1, 0}},
    {CDG_SHAPE_REVOLVED, {0.06, 0, 0.01}, {1, 0, 0}},      {CDG_SHAPE_REVOLVED, {0, 0.01, 0.05}, {0, 0, 1}},
    {CDG_SHAPE_REVOLVED, {0.02, 0.01, -0.05}, {0, 0, -1}},
};

static void surfaces_are_where_they_are(void **state) {
    (void)state;
    cdg_random random = {4};
    for (size_t i = 0; i < sizeof borders / sizeof *borders; i++) {
        cdg_shape shape = shape_of(borders[i].kind);
        for (int n = 0; n < 20; n++) {
            place(&random, &shape);
            assert_true(has(&shape, borders[i].point)); // on it, as near as rounding lets it be
            assert_true(has(&shape, vec3_mad(borders[i].point, -1e-9, borders[i].out)));
            assert_false(has(&shape, vec3_mad(borders[i].point, 1e-9, borders[i].out)));
        }
    }
    cdg_shape wedge = shape_of(CDG_SHAPE_WEDGE);
    for (int side = -1; side <= 1; side += 2)
        for (int k = 0; k < 2; k++) { // the two flat sides, a billionth within and beyond
            double angle = side * (0.6 + (k == 0 ? -1e-9 : 1e-9));
            assert_int_equal(has(&wedge, vec3(0.03 * sin(angle), 0, 0.03 * cos(angle))), k == 0);
        }
}

static void meshes_wind_around_their_inside(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = vec3(i & 1 ? 0.05 : -0.05, i & 2 ? 0.03 : -0.03, i & 4 ? 0.04 : -0.04);
    cdg_shape mesh = shape_of(CDG_SHAPE_MESH), box = shape_of(CDG_SHAPE_BOX);
    mesh.mesh = (cdg_mesh){.points = corners, .point_count = 8, .triangles = block_triangles, .triangle_count = 12};
    place(&random, &mesh);
    for (int turned = 0; turned < 2; turned++) { // inside out, too
        for (int i = 0; i < 2000; i++) {
            cdg_vec3 p =
                vec3(random_in(&random, -0.1, 0.1), random_in(&random, -0.1, 0.1), random_in(&random, -0.1, 0.1));
            assert_int_equal(has(&mesh, p), has(&box, p));
        }
        for (int t = 0; t < 12; t++) {
            uint32_t first = block_triangles[t][0];
            block_triangles[t][0] = block_triangles[t][1], block_triangles[t][1] = first;
        }
    }
    mesh.is_surface = true;
    assert_false(has(&mesh, vec3(0, 0, 0)));
}

static void no_kind_has_nothing(void **state) {
    (void)state;
    cdg_shape shape = shape_of(CDG_SHAPE_KIND_COUNT);
    assert_false(has(&shape, vec3(0, 0, 0)));
    shape.kind = CDG_SHAPE_REVOLVED, shape.profile_count = 0, shape.profile = NULL;
    assert_false(has(&shape, vec3(0, 0, 0)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(volumes_are_right), cmocka_unit_test(surfaces_are_where_they_are),
        cmocka_unit_test(meshes_wind_around_their_inside), cmocka_unit_test(no_kind_has_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
