// Points that lie in other surfaces or in obstacles: each that does and no other, with its depth and its way out.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/point_triangle.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

static const double thickness = 0.02; // of tetrahedra of edge 1

static void find(cloth_world *world, bool *is_too_fast) {
    cdg_contact_input input = {.def = &world->def,
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .step = 1,
                               .time = 1};
    for (size_t i = 0; i < world->count; i++) cloth_predict(NULL, world->cloths[i], vec3(0, 0, 0), 1);
    assert_int_equal(cloth_build(world), CDG_OK);
    cdg_pieces_load(&world->contacts.pieces, 1);
    *is_too_fast = false;
    assert_int_equal(cdg_paper_find(&world->contacts, &input, is_too_fast, &world->error), CDG_OK);
}

// m: signed distance of a point from a tetrahedron.
static double distance_from(cloth *it, cdg_vec3 at) {
    double nearest = HUGE_VAL, inside = -HUGE_VAL;
    for (size_t t = 0; t < it->triangle_count; t++) {
        cdg_vec3 x[3];
        for (int k = 0; k < 3; k++) x[k] = cloth_at(it->x, it->triangles[t][k]);
        cdg_vec3 normal = vec3_normalize(vec3_cross(vec3_sub(x[1], x[0]), vec3_sub(x[2], x[0])));
        inside = fmax(inside, vec3_dot(normal, vec3_sub(at, x[0])));
        nearest = fmin(nearest, sqrt(cdg_point_triangle_closest(at, x).distance2));
    }
    return inside < 0 ? inside : nearest;
}

static const cdg_contact *contact_of(const cdg_contacts *c, uint32_t surface, uint32_t vertex) {
    const cdg_contact *found = NULL;
    for (size_t i = 0; i < c->count; i++) {
        if (c->list[i].side[0].object != surface || c->list[i].side[0].primitive != vertex) continue;
        assert_null(found); // once
        found = &c->list[i];
    }
    return found;
}

static void every_point_that_lies_in_another_solid_is_found_and_no_other(void **state) {
    (void)state;
    static cloth one, other;
    cdg_random random = {11};
    size_t inside = 0, beside = 0;
    for (int n = 0; n < 3000; n++) {
        cloth_world world = {.cloths = {&one, &other}, .count = 2};
        cloth *cloths[2] = {&one, &other};
        for (int k = 0; k < 2; k++) {
            cloth_tetrahedron(cloths[k], thickness);
            cdg_quat turn = random_rotation(&random);
            cloth_place(cloths[k], turn, random_vec3(&random, 0.5 * k), vec3(0, 0, 0));
        }
        bool is_too_fast;
        find(&world, &is_too_fast);
        assert_false(is_too_fast);
        for (uint32_t k = 0; k < 2; k++)
            for (uint32_t i = 0; i < 4; i++) {
                cdg_vec3 at = cloth_at(cloths[k]->x, i);
                double distance = distance_from(cloths[1 - k], at);
                uint32_t vertex = UINT32_MAX; // number among the surface's
                const cdg_surfaces *s = &world.contacts.pieces.surfaces;
                for (uint32_t v = s->first_vertex[k]; v < s->first_vertex[k + 1]; v++)
                    if (vec3_distance(world.contacts.pieces.start[s->vertices[v].point], at) < 1e-12)
                        vertex = v - s->first_vertex[k];
                const cdg_contact *found = contact_of(&world.contacts, k, vertex);
                bool is_deep = distance < -0.5 * CDG_PAPER_REACH * 2 * thickness; // beyond the reach
                if (is_deep) continue;
                assert_true((found != NULL) == (distance < 2 * thickness));
                if (found == NULL) continue;
                assert_near(found->gap, distance - 2 * thickness, 1e-12);
                // Along the normal the point comes to lie on the other surface.
                double out = distance_from(cloths[1 - k], vec3_mad(at, -distance, found->normal));
                assert_near(out, 0, 1e-9);
                inside += distance < 0, beside += distance >= 0;
            }
        cloth_free(&world);
    }
    assert_true(inside > 1000 && beside > 500);
}

static void points_in_an_obstacle_have_its_normal(void **state) {
    (void)state;
    static cloth one;
    cloth_tetrahedron(&one, thickness);
    cdg_obstacle_def def = cdg_obstacle_def_default();
    cdg_obstacle floor;
    cdg_error error;
    def.shape.kind = CDG_SHAPE_PLANE;
    def.shape.normal = vec3(0, 0, 1);
    def.friction = 0.7;
    assert_int_equal(cdg_obstacle_build(&def, "floor", &floor, &error), CDG_OK);
    cloth_place(&one, quat(1, 0, 0, 0), vec3(0, 0, 0.3), vec3(0, 0, 0)); // two corners at z = -0.0536
    cloth_world world = {.cloths = {&one}, .count = 1, .obstacles = &floor, .obstacle_count = 1};
    bool is_too_fast;
    find(&world, &is_too_fast);
    assert_int_equal(world.contacts.count, 2);
    for (size_t i = 0; i < 2; i++) {
        const cdg_contact *it = &world.contacts.list[i];
        assert_near(it->gap, 0.3 - 0.35355339059327373 - thickness, 1e-15);
        assert_near(it->normal.z, 1, 0);
        assert_near(it->friction, 0.7, 0);
    }
    cloth_free(&world);
    cdg_obstacle_free(&floor);
}

static void what_goes_too_far_at_once_is_told(void **state) {
    (void)state;
    static cloth one, other;
    for (int is_fast = 0; is_fast < 2; is_fast++) {
        cloth_tetrahedron(&one, thickness);
        cloth_tetrahedron(&other, thickness);
        cloth_place(&other, quat(1, 0, 0, 0), vec3(0, 0, 2), vec3(0, 0, is_fast ? -4 : -0.01)); // through in one step
        cloth_world world = {.cloths = {&one, &other}, .count = 2};
        bool is_too_fast;
        find(&world, &is_too_fast);
        assert_int_equal(is_too_fast, is_fast);
        cloth_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_point_that_lies_in_another_solid_is_found_and_no_other),
                                       cmocka_unit_test(points_in_an_obstacle_have_its_normal),
                                       cmocka_unit_test(what_goes_too_far_at_once_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
