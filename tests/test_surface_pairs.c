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

static bool is_listed(const cdg_surface_pairs *pairs, cdg_surface_pair wanted) {
    for (size_t i = 0; i < pairs->count; i++)
        if (memcmp(&pairs->pairs[i], &wanted, sizeof wanted) == 0) return true;
    return false;
}

static void what_is_near_is_listed_once(void **state) {
    (void)state;
    static cloth chain, a, b;
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
        cdg_surface_pairs *pairs = &world.contacts.surface_pairs;
        bool is_new;
        assert_int_equal(cdg_surface_pairs_find(pairs, p, 0.2, &is_new, &world.error), CDG_OK);
        const cdg_surfaces *s = &p->surfaces;
        for (uint32_t v = 0; v < s->vertex_count; v++)
            for (uint32_t t = 0; t < s->triangle_count; t++) {
                const uint32_t *corner = s->triangles[t].corner;
                cdg_vec3 x[3];
                bool is_own = corner[0] == v || corner[1] == v || corner[2] == v;
                for (int k = 0; k < 3; k++) x[k] = p->next[s->vertices[corner[k]].point];
                double distance = sqrt(cdg_point_triangle_closest(p->next[s->vertices[v].point], x).distance2);
                if (is_own || distance > 0.1) continue;
                near++;
                assert_true(is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_VERTEX, CDG_SIDE_TRIANGLE}, {v, t}, 0}));
            }
        for (uint32_t e = 0; e < s->edge_count; e++)
            for (uint32_t f = 0; f < p->element_count; f++) {
                cdg_vec3 from = p->next[s->vertices[s->edges[e].end[0]].point],
                         to = p->next[s->vertices[s->edges[e].end[1]].point];
                cdg_closest at = cdg_segments_closest(from, to, p->next[p->ends[f][0]], p->next[p->ends[f][1]]);
                if (sqrt(at.distance2) > 0.1) continue;
                near++;
                assert_true(is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_EDGE, CDG_SIDE_SEGMENT}, {e, f}, 0}));
            }
        for (uint32_t e = 0; e < s->edge_count; e++)
            for (uint32_t f = e + 1; f < s->edge_count; f++) { // but for those with a common corner
                const uint32_t *one = s->edges[e].end, *other = s->edges[f].end;
                bool is_joined = one[0] == other[0] || one[0] == other[1] || one[1] == other[0] || one[1] == other[1];
                cdg_vec3 x[4];
                for (int k = 0; k < 4; k++) x[k] = p->next[s->vertices[k < 2 ? one[k] : other[k - 2]].point];
                bool is_near = sqrt(cdg_segments_closest(x[0], x[1], x[2], x[3]).distance2) <= 0.1;
                bool is_there = is_listed(pairs, (cdg_surface_pair){{CDG_SIDE_EDGE, CDG_SIDE_EDGE}, {e, f}, 0});
                assert_true(is_joined ? !is_there : is_there || !is_near);
                joined += is_joined, near_edges += is_near && !is_joined;
            }
        for (size_t i = 1; i < pairs->count; i++) { // in order, none twice
            const cdg_surface_pair *x = &pairs->pairs[i - 1], *y = &pairs->pairs[i];
            const uint32_t one[5] = {x->kind[0], x->number[0], x->kind[1], x->number[1], x->detail};
            const uint32_t two[5] = {y->kind[0], y->number[0], y->kind[1], y->number[1], y->detail};
            int k = 0;
            while (k < 5 && one[k] == two[k]) k++;
            assert_true(k < 5 && one[k] < two[k]);
        }
        cloth_free(&world);
    }
    assert_true(near > 30 && joined > 30 && near_edges > 30);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_is_near_is_listed_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
