// Mass, centre and inertia of shapes, against sums over a fine grid of points and against meshes of the same shapes.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bodies/body.h"
#include "closed_meshes.h"
#include "math/random.h"
#include "near.h"

static bool is_inside(const cdg_body_def *def, cdg_vec3 p) {
    double across = hypot(p.x, p.y), z = fabs(p.z);
    switch (def->shape.kind) {
    case CDG_SHAPE_SPHERE: return vec3_norm(p) <= def->shape.radius;
    case CDG_SHAPE_BOX:
        return fabs(p.x) <= def->shape.size.x / 2 && fabs(p.y) <= def->shape.size.y / 2 && z <= def->shape.size.z / 2;
    case CDG_SHAPE_CYLINDER: return across <= def->shape.radius && z <= def->shape.length / 2;
    case CDG_SHAPE_CAPSULE: return hypot(across, fmax(z - def->shape.length / 2, 0)) <= def->shape.radius;
    default: return false;
    }
}

// The midpoint rule on 60^3 cells: surfaces are cut to about a percent of a cell's size.
static void shapes_have_the_inertia_of_their_points(void **state) {
    (void)state;
    cdg_body_def def = cdg_body_def_default();
    def.shape.radius = 0.3;
    def.shape.length = 0.48;
    def.shape.size = vec3(0.4, 0.72, 1.08);
    for (int kind = CDG_SHAPE_SPHERE; kind < CDG_SHAPE_MESH; kind++) {
        enum { CELLS = 60 };
        def.shape.kind = (cdg_shape_kind)kind;
        const double half = 0.6, cell = 2 * half / CELLS, density = 800, mass = density * cell * cell * cell;
        cdg_mass sum = {0};
        for (int i = 0; i < CELLS * CELLS * CELLS; i++) {
            cdg_vec3 p = vec3((i % CELLS + 0.5) * cell - half, (i / CELLS % CELLS + 0.5) * cell - half,
                              (i / CELLS / CELLS + 0.5) * cell - half);
            if (!is_inside(&def, p)) continue;
            sum.mass += mass;
            sum.inertia.xx += mass * (p.y * p.y + p.z * p.z);
            sum.inertia.yy += mass * (p.x * p.x + p.z * p.z);
            sum.inertia.zz += mass * (p.x * p.x + p.y * p.y);
        }
        cdg_mass found = cdg_shape_mass(&def, density);
        assert_near(found.mass, sum.mass, 0.04 * sum.mass);
        assert_near(found.inertia.xx, sum.inertia.xx, 0.04 * sum.inertia.xx);
        assert_near(found.inertia.yy, sum.inertia.yy, 0.04 * sum.inertia.yy);
        assert_near(found.inertia.zz, sum.inertia.zz, 0.04 * sum.inertia.zz);
        assert_vec3_near(found.center, vec3(0, 0, 0), 0);
    }
}

// A block as a mesh, turned and moved far away, is the block: products of inertia included.
static void a_mesh_is_the_solid_that_it_bounds(void **state) {
    (void)state;
    cdg_random random = {7};
    cdg_body_def block = cdg_body_def_default();
    block.shape.kind = CDG_SHAPE_BOX;
    block.shape.size = vec3(0.2, 0.3, 0.5);
    cdg_mass straight = cdg_shape_mass(&block, 2000);
    for (int n = 0; n < 50; n++) {
        cdg_vec3 vertices[8], move = random_vec3(&random, n < 25 ? 1 : 1000);
        cdg_quat turn = random_rotation(&random);
        block_vertices(vec3(0.1, 0.15, 0.25), vertices);
        for (int i = 0; i < 8; i++) vertices[i] = vec3_add(move, quat_rotate(turn, vertices[i]));
        cdg_body_def mesh = {.shape.kind = CDG_SHAPE_MESH};
        mesh.shape.mesh.points = vertices, mesh.shape.mesh.point_count = 8;
        mesh.shape.mesh.triangles = block_triangles, mesh.shape.mesh.triangle_count = 12;
        cdg_mass found = cdg_shape_mass(&mesh, 2000);
        double tolerance = n < 25 ? 1e-13 : 1e-10;
        assert_near(found.mass, straight.mass, tolerance * straight.mass);
        assert_vec3_near(found.center, move, n < 25 ? 1e-14 : 1e-10);
        cdg_vec3 v = random_vec3(&random, 1);
        cdg_vec3 expected = quat_rotate(turn, symmetric3_times(straight.inertia, quat_rotate_inverse(turn, v)));
        assert_vec3_near(symmetric3_times(found.inertia, v), expected, tolerance * straight.inertia.xx);
    }
}

static void a_ball_of_triangles_is_nearly_a_ball(void **state) {
    (void)state;
    static cdg_vec3 vertices[BALL_VERTICES];
    static uint32_t triangles[BALL_TRIANGLES][3];
    ball_mesh(0.5, vertices, triangles);
    cdg_body_def ball = cdg_body_def_default(), mesh = {.shape.kind = CDG_SHAPE_MESH};
    ball.shape.radius = 0.5;
    mesh.shape.mesh.points = vertices, mesh.shape.mesh.point_count = BALL_VERTICES;
    mesh.shape.mesh.triangles = triangles, mesh.shape.mesh.triangle_count = BALL_TRIANGLES;
    cdg_mass round = cdg_shape_mass(&ball, 1), cut = cdg_shape_mass(&mesh, 1);
    assert_near(cut.mass / round.mass, 1, 0.02);
    assert_true(cut.mass < round.mass);
    assert_near(cut.inertia.zz / round.inertia.zz, 1, 0.03);
}

static void nothing_weighs_nothing(void **state) {
    (void)state;
    cdg_body_def none = {.shape.kind = CDG_SHAPE_MESH};
    assert_near(cdg_shape_mass(&none, 1000).mass, 0, 0);
    cdg_body_def inside_out = {.shape.kind = CDG_SHAPE_MESH};
    cdg_vec3 vertices[8];
    uint32_t turned[12][3];
    block_vertices(vec3(1, 1, 1), vertices);
    for (int t = 0; t < 12; t++)
        for (int k = 0; k < 3; k++) turned[t][k] = block_triangles[t][2 - k];
    inside_out.shape.mesh.points = vertices, inside_out.shape.mesh.point_count = 8;
    inside_out.shape.mesh.triangles = turned, inside_out.shape.mesh.triangle_count = 12;
    assert_near(cdg_shape_mass(&inside_out, 1000).mass, 0, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_have_the_inertia_of_their_points),
        cmocka_unit_test(a_mesh_is_the_solid_that_it_bounds),
        cmocka_unit_test(a_ball_of_triangles_is_nearly_a_ball),
        cmocka_unit_test(nothing_weighs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
