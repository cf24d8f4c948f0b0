// Near points of segments and meshes, compared with the nearest of all triangles, and with hollows, flat parts and
// ridges whose near points are known.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "closed_meshes.h"
#include "contact/mesh_near.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"

static cdg_contact_mesh build(const cdg_vec3 *vertices, size_t count, const uint32_t (*triangles)[3],
                              size_t triangle_count, bool is_surface) {
    cdg_contact_mesh mesh;
    cdg_error error;
    assert_int_equal(cdg_contact_mesh_build(vertices, count, triangles, triangle_count, is_surface, &mesh, &error),
                     CDG_OK);
    return mesh;
}

enum { TERRAIN = 12 };

// A height over a grid, rough or flat, some heights alike.
static cdg_contact_mesh terrain(cdg_random *random, double rough) {
    static cdg_vec3 v[(TERRAIN + 1) * (TERRAIN + 1)];
    static uint32_t triangles[2 * TERRAIN * TERRAIN][3];
    size_t t = 0;
    for (int i = 0; i <= TERRAIN; i++)
        for (int j = 0; j <= TERRAIN; j++) {
            double height = rough * random_in(random, -1, 1);
            v[i * (TERRAIN + 1) + j] = vec3(i, j, random_in(random, 0, 1) < 0.3 ? 0 : height);
        }
    for (uint32_t i = 0; i < TERRAIN; i++)
        for (uint32_t j = 0; j < TERRAIN; j++) {
            uint32_t a = i * (TERRAIN + 1) + j, b = a + 1, c = a + TERRAIN + 1, d = c + 1;
            const uint32_t two[2][3] = {{a, c, b}, {b, c, d}};
            for (int k = 0; k < 2; k++, t++)
                for (int n = 0; n < 3; n++) triangles[t][n] = two[k][n];
        }
    return build(v, (TERRAIN + 1) * (TERRAIN + 1), (const uint32_t(*)[3])triangles, t, true);
}

// The nearest of all is among them; none comes nearer by a move along the surface or the segment, except ends of
// segments along a face; none is listed twice.
static void the_nearest_is_among_them(void **state) {
    (void)state;
    cdg_random random = {11};
    int several = 0, through = 0;
    for (int round = 0; round < 40; round++) {
        double rough = round % 4 == 0 ? 0 : random_in(&random, 0.01, 0.6);
        cdg_contact_mesh mesh = terrain(&random, rough);
        for (int i = 0; i < rounds(500); i++) {
            cdg_vec3 a = vec3(random_in(&random, -1, 13), random_in(&random, -1, 13), random_in(&random, -1, 1));
            cdg_vec3 b = vec3_add(a, random_vec3(&random, 1.5));
            if (i % 5 == 0) b.z = a.z;
            double within = random_in(&random, 0.1, 1), radius = 0.3;
            cdg_mesh_near_points near;
            cdg_contact_mesh_near_points(&mesh, a, b, within, radius, &near);
            cdg_triangle_closest nearest;
            uint32_t triangle;
            bool is_near = cdg_contact_mesh_segment(&mesh, a, b, within, &nearest, &triangle);
            if (near.is_through) {
                assert_true(is_near && nearest.distance2 < 1e-18);
                through++;
                continue;
            }
            assert_int_equal(near.count > 0, is_near);
            if (!is_near) continue;
            double least = HUGE_VAL;
            for (int k = 0; k < near.count; k++) {
                const cdg_mesh_near_point *point = &near.list[k];
                cdg_vec3 at = vec3_lerp(a, b, point->s);
                least = fmin(least, point->distance);
                assert_true(point->s >= 0 && point->s <= 1 && point->distance < within);
                assert_true(k == 0 || point->s >= near.list[k - 1].s);
                assert_near(vec3_norm(point->between), point->distance, 1e-12);
                cdg_contact_mesh_near foot = cdg_contact_mesh_point(&mesh, vec3_sub(at, point->between), HUGE_VAL);
                assert_near(foot.distance, 0, 1e-12);
                for (int n = 0; n < k; n++) {
                    const cdg_mesh_near_point *other = &near.list[n];
                    double cosine = vec3_dot(other->between, point->between) / (other->distance * point->distance);
                    bool is_same = fabs(other->s - point->s) * vec3_distance(a, b) < 0.25 * radius && cosine > 0.999;
                    assert_false(is_same);
                }
            }
            assert_near(least, sqrt(nearest.distance2), 1e-9);
            several += near.count > 1;
        }
        cdg_contact_mesh_free(&mesh);
    }
    assert_true(several > rounds(2000) && through > rounds(500));
}

// A trough of two slopes at right angles: both ends touch both sides. Seen from below it is a ridge: a segment along it
// has both ends as near points, a segment across it has one.
static void hollows_and_ridges_have_their_near_points(void **state) {
    (void)state;
    const cdg_vec3 v[6] = {{0, -9, 0}, {0, 9, 0}, {5, -9, 5}, {5, 9, 5}, {-5, -9, 5}, {-5, 9, 5}};
    const uint32_t triangles[4][3] = {{0, 2, 1}, {1, 2, 3}, {0, 1, 4}, {1, 5, 4}};
    cdg_contact_mesh mesh = build(v, 6, triangles, 4, true);
    cdg_mesh_near_points near;
    double height = sqrt(2.0);
    cdg_contact_mesh_near_points(&mesh, vec3(0, -1, height), vec3(0, 1, height), 1.1, 1, &near);
    assert_int_equal(near.count, 4);
    for (int k = 0; k < 4; k++) {
        assert_near(near.list[k].s, k < 2 ? 0 : 1, 0);
        assert_near(near.list[k].distance, 1, 1e-12);
        assert_near(fabs(near.list[k].between.x), sqrt(0.5), 1e-12);
    }
    cdg_contact_mesh_near_points(&mesh, vec3(0, -1, -1), vec3(0, 1, -1), 1.1, 1, &near);
    assert_int_equal(near.count, 2);
    cdg_contact_mesh_near_points(&mesh, vec3(0, -1, -1), vec3(0, 1, -1.0001), 1.1, 1, &near); // the higher end stays
    assert_int_equal(near.count, 2);
    cdg_contact_mesh_near_points(&mesh, vec3(-1, 0.5, -1), vec3(1, 0.5, -1), 1.1, 1, &near);
    assert_int_equal(near.count, 1);
    assert_near(near.list[0].s, 0.5, 1e-12);
    assert_vec3_near(near.list[0].between, vec3(0, 0, -1), 1e-12);
    cdg_contact_mesh_free(&mesh);
}

// Of a flat floor of many triangles nothing but the floor is felt: both ends, straight up. From inside a closed block
// and through its faces there is no list.
static void flats_are_flat_and_insides_are_none(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_contact_mesh ground = terrain(&random, 0);
    for (int i = 0; i < 2000; i++) {
        double low = random_in(&random, 0.9, 1), more = i % 3 == 0 ? 0 : random_in(&random, 0, 0.05);
        cdg_vec3 a = vec3(random_in(&random, 1, 11), random_in(&random, 1, 11), low);
        if (i % 2 == 0) a.x = floor(a.x), a.y = floor(a.y);
        cdg_vec3 b =
            vec3(fmin(11.9, fmax(0.1, a.x + random_in(&random, -3, 3))), fmin(11.9, fmax(0.1, a.y + 2)), low + more);
        cdg_mesh_near_points near;
        cdg_contact_mesh_near_points(&ground, a, b, 1.1, 1, &near);
        assert_int_equal(near.count, 2);
        for (int k = 0; k < 2; k++) {
            assert_near(near.list[k].s, k, 0);
            assert_near(near.list[k].between.x, 0, 1e-12);
            assert_near(near.list[k].between.y, 0, 1e-12);
        }
    }
    cdg_contact_mesh_free(&ground);
    cdg_vec3 vertices[8];
    block_vertices(vec3(1, 1, 1), vertices);
    cdg_contact_mesh block = build(vertices, 8, (const uint32_t(*)[3])block_triangles, 12, false);
    cdg_mesh_near_points near;
    cdg_contact_mesh_near_points(&block, vec3(0, 0, 0.9), vec3(0.2, 0, 0.9), 0.5, 0.3, &near);
    assert_true(near.is_through && near.count == 0);
    cdg_contact_mesh_near_points(&block, vec3(0, 0.1, 0.9), vec3(0.2, 0, 1.1), 0.5, 0.3, &near);
    assert_true(near.is_through && near.count == 0);
    cdg_contact_mesh_near_points(&block, vec3(0, 0.1, 1.1), vec3(0.2, 0, 1.1), 0.5, 0.3, &near);
    assert_true(!near.is_through && near.count == 2);
    cdg_contact_mesh_free(&block);
}

// In a fine funnel a segment is near to more faces than there is room for: the nearest stay, and it says so.
static void the_nearest_of_many_stay(void **state) {
    (void)state;
    enum { SIDES = 64 };
    const double pi = 3.141592653589793;
    cdg_vec3 v[2 * SIDES];
    uint32_t triangles[2 * SIDES][3];
    for (uint32_t k = 0; k < SIDES; k++) {
        double angle = 2 * pi * k / SIDES;
        for (int end = 0; end < 2; end++) v[2 * k + (uint32_t)end] = vec3(cos(angle), sin(angle), end == 0 ? -1 : 1);
        uint32_t a = 2 * k, b = 2 * ((k + 1) % SIDES);
        const uint32_t two[2][3] = {{a, b, a + 1}, {b, b + 1, a + 1}};
        for (int i = 0; i < 2; i++)
            for (int n = 0; n < 3; n++) triangles[2 * k + (uint32_t)i][n] = two[i][n];
    }
    cdg_contact_mesh mesh = build(v, 2 * SIDES, (const uint32_t(*)[3])triangles, 2 * SIDES, true);
    cdg_mesh_near_points near;
    cdg_contact_mesh_near_points(&mesh, vec3(0.1, 0, -0.5), vec3(0.1, 0, 0.5), 2, 1, &near);
    assert_true(near.is_short);
    assert_int_equal(near.count, CDG_MESH_NEAR_POINTS_MAX);
    double least = HUGE_VAL;
    for (int k = 0; k < near.count; k++) least = fmin(least, near.list[k].distance);
    cdg_triangle_closest nearest;
    uint32_t triangle;
    assert_true(cdg_contact_mesh_segment(&mesh, vec3(0.1, 0, -0.5), vec3(0.1, 0, 0.5), 2, &nearest, &triangle));
    assert_near(least, sqrt(nearest.distance2), 1e-12);
    cdg_contact_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nearest_is_among_them),
        cmocka_unit_test(hollows_and_ridges_have_their_near_points),
        cmocka_unit_test(flats_are_flat_and_insides_are_none),
        cmocka_unit_test(the_nearest_of_many_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
