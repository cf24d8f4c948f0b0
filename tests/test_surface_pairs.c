// Broad phase of surfaces, against looking at all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/point_triangle.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

enum { ALL = 20000 };
typedef struct listing {
    cdg_surface_pair pairs[ALL];
    size_t count;
} listing;

static bool is_listed(const listing *all, cdg_surface_pair wanted) {
    for (size_t i = 0; i < all->count; i++)
        if (memcmp(&all->pairs[i], &wanted, sizeof wanted) == 0) return true;
    return false;
}

// The object of one of a pair's primitives.
static uint32_t object_of(const cdg_pieces *p, const cdg_surface_pair *pair, int i) {
    uint32_t number = pair->number[i];
    if (pair->kind[i] == CDG_SIDE_SEGMENT) return p->object_of[number];
    uint32_t surface = pair->kind[i] == CDG_SIDE_VERTEX ? p->surfaces.vertices[number].surface
                       : pair->kind[i] == CDG_SIDE_EDGE ? surfaces_of_edge(&p->surfaces, number)
                                                        : p->surfaces.triangles[number].surface;
    return (uint32_t)p->chain_count + surface;
}

// Pairs of all couples, which are in order and have each pair once, in order.
static void list_all(cdg_surface_pairs *it, const cdg_pieces *p, double room, double range, listing *out) {
    const double rooms[3] = {room, room, room};
    cdg_error error;
    out->count = 0;
    assert_int_equal(cdg_surface_pairs_list_couples(it, p, rooms, 0.2, &error), CDG_OK);
    for (size_t n = 0; n < it->couple_count; n++) {
        const cdg_object_couple couple = it->couples[n], *before = n > 0 ? &it->couples[n - 1] : NULL;
        assert_true(before == NULL || before->object[0] < couple.object[0] ||
                    (before->object[0] == couple.object[0] && before->object[1] < couple.object[1]));
        assert_int_equal(cdg_surface_pairs_find(it, p, &couple, range, 0.2, &error), CDG_OK);
        cdg_surface_pairs_sort(it);
        for (size_t i = 0; i < it->count; i++) {
            const cdg_surface_pair *x = &it->pairs[i > 0 ? i - 1 : 0], *y = &it->pairs[i];
            const uint32_t one[5] = {x->kind[0], x->number[0], x->kind[1], x->number[1], x->detail};
            const uint32_t two[5] = {y->kind[0], y->number[0], y->kind[1], y->number[1], y->detail};
            int k = 0;
            while (k < 5 && one[k] == two[k]) k++;
            assert_true(i == 0 || (k < 5 && one[k] < two[k]));
            uint32_t a = object_of(p, y, 0), b = object_of(p, y, 1);
            bool is_turned = b >= p->chain_count && b < a;
            assert_int_equal(is_turned ? b : a, couple.object[0]);
            assert_int_equal(is_turned ? a : b, couple.object[1]);
            assert_true(out->count < ALL);
            out->pairs[out->count++] = *y;
        }
    }
}

static void what_is_near_is_listed_once(void **state) {
    (void)state;
    static cloth chain, a, b;
    const double range = 0.07, near_by = 0.1 + range;
    size_t near = 0, joined = 0, near_edges = 0;
    for (int n = 0; n < 30; n++) {
        cdg_random random = {300 + (uint64_t)n};
        cloth_chain(&chain, 3, 1, 0.05);
        cloth_sheet(&a, 3, 1, 0.05);
        cloth_tetrahedron(&b, 0.05);
        cloth_place(&a, random_rotation(&random), vec3(0, 0, 0), random_vec3(&random, 0.1));
        cloth_place(&b, random_rotation(&random), random_vec3(&random, 1), random_vec3(&random, 0.1));
        cloth_place(&chain, random_rotation(&random), random_vec3(&random, 1), random_vec3(&random, 0.1));
        cloth_world world = {.cloths = {&chain, &a, &b}, .count = 3};
        assert_int_equal(cloth_build(&world), CDG_OK);
        for (int i = 0; i < 3; i++) cloth_predict(NULL, world.cloths[i], vec3(0, 0, 0), 1);
        cdg_pieces *p = &world.contacts.pieces;
        cdg_pieces_load(p, 1);
        static listing all;
        const listing *pairs = &all;
        list_all(&world.contacts.surface_pairs, p, 0.5 * range, range, &all);
        const cdg_surfaces *s = &p->surfaces;
        for (uint32_t v = 0; v < s->vertex_count; v++)
            for (uint32_t t = 0; t < s->triangle_count; t++) {
                const uint32_t *corner = s->triangles[t].corner;
                cdg_vec3 x[3];
                bool is_own = corner[0] == v || corner[1] == v || corner[2] == v;
                for (int k = 0; k < 3; k++) x[k] = p->start[s->vertices[corner[k]].point];
                double distance = sqrt(cdg_point_triangle_closest(p->start[s->vertices[v].point], x).distance2);
                if (is_own || distance > near_by) continue;
                near++;
                assert_true(is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_VERTEX, CDG_SIDE_TRIANGLE}, {v, t}, 0}));
            }
        for (uint32_t e = 0; e < s->edge_count; e++)
            for (uint32_t f = 0; f < p->element_count; f++) {
                cdg_vec3 from = p->start[s->vertices[s->edges[e].end[0]].point],
                         to = p->start[s->vertices[s->edges[e].end[1]].point];
                cdg_closest at = cdg_segments_closest(from, to, p->start[p->ends[f][0]], p->start[p->ends[f][1]]);
                if (sqrt(at.distance2) > near_by) continue;
                near++;
                assert_true(is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_EDGE, CDG_SIDE_SEGMENT}, {e, f}, 0}));
            }
        for (uint32_t e = 0; e < s->edge_count; e++)
            for (uint32_t f = e + 1; f < s->edge_count; f++) { // but for those with a common corner
                const uint32_t *one = s->edges[e].end, *other = s->edges[f].end;
                bool is_joined = one[0] == other[0] || one[0] == other[1] || one[1] == other[0] || one[1] == other[1];
                cdg_vec3 x[4];
                for (int k = 0; k < 4; k++) x[k] = p->start[s->vertices[k < 2 ? one[k] : other[k - 2]].point];
                bool is_near = sqrt(cdg_segments_closest(x[0], x[1], x[2], x[3]).distance2) <= near_by;
                bool is_there = is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_EDGE, CDG_SIDE_EDGE}, {e, f}, 0});
                assert_true(is_joined ? !is_there : is_there || !is_near);
                joined += is_joined, near_edges += is_near && !is_joined;
            }
        cloth_free(&world);
    }
    assert_true(near > 30 && joined > 30 && near_edges > 30);
}

// Objects that are farther apart than they may go are no couple; one that passes itself is none with itself.
static void couples_are_of_what_may_meet(void **state) {
    (void)state;
    static cloth a, b, c;
    cloth_sheet(&a, 2, 1, 0.05);
    cloth_sheet(&b, 2, 1, 0.05);
    cloth_sheet(&c, 2, 1, 0.05);
    cloth_place(&b, quat(1, 0, 0, 0), vec3(0, 0, 0.5), vec3(0, 0, 0));
    cloth_place(&c, quat(1, 0, 0, 0), vec3(0, 0, 2), vec3(0, 0, 0));
    cloth_world world = {.cloths = {&a, &b, &c}, .count = 3};
    assert_int_equal(cloth_build(&world), CDG_OK);
    for (int i = 0; i < 3; i++) cloth_predict(NULL, world.cloths[i], vec3(0, 0, 0), 1);
    cdg_pieces *p = &world.contacts.pieces;
    cdg_pieces_load(p, 1);
    p->surfaces.passes_itself[2] = true;
    cdg_surface_pairs *pairs = &world.contacts.surface_pairs;
    const struct {
        double room;
        size_t with_others;
    } cases[] = {{0.1, 0}, {0.2, 1}, {0.8, 2}};
    for (int n = 0; n < 3; n++) {
        const double room[3] = {cases[n].room, cases[n].room, cases[n].room};
        assert_int_equal(cdg_surface_pairs_list_couples(pairs, p, room, 0.2, &world.error), CDG_OK);
        size_t with_self = 0, with_others = 0;
        for (size_t i = 0; i < pairs->couple_count; i++) {
            const uint32_t *object = pairs->couples[i].object;
            with_self += object[0] == object[1], with_others += object[0] != object[1];
        }
        assert_int_equal(with_others, cases[n].with_others);
        assert_int_equal(with_self, 2);
    }
    cloth_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_near_is_listed_once),
                                       cmocka_unit_test(couples_are_of_what_may_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
