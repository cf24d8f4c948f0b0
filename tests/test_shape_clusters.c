// Clusters for shape matching: they cover the mesh, overlap, are as many as wanted, and do not join what is apart.
#include "solid_case.h"
#include "solids/shape_clusters.h"

static void count_uses(const cdg_solid *s, const shape_clusters *c, int *uses) {
    memset(uses, 0, s->node_count * sizeof *uses);
    for (size_t i = 0; i < c->first[c->count]; i++) uses[c->node[i]]++;
}

static void test_they_cover_and_overlap(void **state) {
    (void)state;
    cdg_solid s =
        solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.4, 0.1, 0.1), 0.02);
    int *uses = malloc(s.node_count * sizeof *uses);
    size_t before = 0;
    for (size_t wanted = 1; wanted <= 16; wanted *= 4) {
        shape_clusters c;
        assert_true(cdg_shape_clusters_choose(&s, wanted, 0.25, &c));
        assert_int_equal(c.count, wanted);
        count_uses(&s, &c, uses);
        size_t shared = 0;
        for (size_t i = 0; i < s.node_count; i++) {
            assert_true(uses[i] >= 1);
            shared += uses[i] > 1;
        }
        for (size_t k = 0; k < c.count; k++) { // ascending, and of even size
            for (size_t i = c.first[k] + 1; i < c.first[k + 1]; i++) assert_true(c.node[i - 1] < c.node[i]);
            double size = c.first[k + 1] - c.first[k], mean = (double)c.first[c.count] / (double)c.count;
            assert_true(size > 0.4 * mean && size < 2 * mean);
        }
        assert_true(wanted == 1 ? shared == 0 : shared > before);
        before = shared;
        cdg_shape_clusters_free(&c);
    }
    free(uses);
    cdg_solid_free(&s);
}

static void test_more_overlap_takes_more(void **state) {
    (void)state;
    cdg_solid s =
        solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT), vec3(0.4, 0.1, 0.1), 0.02);
    size_t before = 0;
    for (int k = 0; k < 3; k++) {
        shape_clusters c;
        assert_true(cdg_shape_clusters_choose(&s, 4, 0.3 * k, &c));
        assert_true(c.first[c.count] > before);
        assert_true(c.first[c.count] > s.node_count); // one edge at least
        before = c.first[c.count];
        cdg_shape_clusters_free(&c);
    }
    cdg_solid_free(&s);
}

// Two blocks a millimetre apart are two pieces: no cluster has nodes of both.
static void test_pieces_stay_apart(void **state) {
    (void)state;
    cdg_mesh one = solid_case_box(vec3(0.1, 0.1, 0.1), 0.05), two;
    two.point_count = 2 * one.point_count, two.tetrahedron_count = 2 * one.tetrahedron_count;
    two.points = malloc(two.point_count * sizeof *two.points);
    two.tetrahedra = malloc(two.tetrahedron_count * sizeof *two.tetrahedra);
    for (size_t i = 0; i < two.point_count; i++) {
        two.points[i] = one.points[i % one.point_count];
        if (i >= one.point_count) two.points[i].x += 0.101;
    }
    for (size_t t = 0; t < two.tetrahedron_count; t++)
        for (int c = 0; c < 4; c++)
            two.tetrahedra[t][c] = one.tetrahedra[t % one.tetrahedron_count][c] +
                                   (t >= one.tetrahedron_count ? (uint32_t)one.point_count : 0);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.mesh = two;
    cdg_solid s;
    cdg_error error;
    assert_int_equal(cdg_solid_build(&def, "pair", &s, &error), CDG_OK);
    shape_clusters c;
    assert_true(cdg_shape_clusters_choose(&s, 1, 0.5, &c));
    assert_int_equal(c.count, 2);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = c.first[k]; i < c.first[k + 1]; i++)
            assert_true((c.node[i] < one.point_count) == (c.node[c.first[k]] < one.point_count));
    cdg_shape_clusters_free(&c);
    cdg_solid_free(&s);
    free(two.points), free(two.tetrahedra);
    cdg_mesh_free(&one);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_they_cover_and_overlap),
                                       cmocka_unit_test(test_more_overlap_takes_more),
                                       cmocka_unit_test(test_pieces_stay_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
