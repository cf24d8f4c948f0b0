// Marks of nodes: the rings at them are dark, all others keep their colour.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/node_marks.h"

#include <math.h>
#include <stdlib.h>

static cdg_skin *make_skin(void) {
    static const double rest_length[] = {0.25, 0.25, 0.25, 0.25};
    cdg_section sections[5];
    for (int i = 0; i < 5; i++) sections[i] = (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = 0.01};
    const cdg_skin_def def = {
        .element_count = 4, .rest_length = rest_length, .sections = sections, .rings_per_element = 8, .side_count = 6};
    cdg_skin *skin = NULL;
    assert_int_equal(cdg_skin_create(&def, &skin, NULL), CDG_OK);
    return skin;
}

// Dark are the stations within `half_width` of a node, and the nearest one.
static void check(const double *nodes, size_t count, double half_width, size_t expected) {
    cdg_skin *skin = make_skin();
    float *colors = malloc(3 * skin->vertex_count * sizeof *colors);
    assert_non_null(colors);
    for (size_t i = 0; i < 3 * skin->vertex_count; i++) colors[i] = 0.5F;
    cdg_node_marks_put(skin, nodes, count, half_width, colors);
    size_t dark = 0;
    for (size_t s = 0; s < skin->station_count; s++) {
        double distance = INFINITY;
        for (size_t i = 0; i < count; i++) distance = fmin(distance, fabs(skin->station[s] - nodes[i]));
        bool is_dark = colors[3 * s * skin->ring_size] < 0.4F;
        for (size_t i = 3 * s * skin->ring_size; i < 3 * (s + 1) * skin->ring_size; i++) {
            assert_true(is_dark ? colors[i] < 0.1F && colors[i] > 0.03F : colors[i] == 0.5F); // darkened once
        }
        assert_true(is_dark == (distance <= fmax(half_width, 1e-9)));
        dark += is_dark;
    }
    assert_int_equal(dark, expected);
    for (size_t i = 3 * skin->station_count * skin->ring_size; i < 3 * skin->vertex_count; i++)
        assert_true(colors[i] == 0.5F); // caps
    free(colors);
    cdg_skin_destroy(skin);
}

static void test_rings(void **state) {
    (void)state;
    const double nodes[] = {0, 0.25, 0.5, 0.75, 1};
    check(nodes, 5, 0, 5);
    check(nodes, 5, 1.1 / 32, 13);
    const double fewer[] = {0, 0.5, 1};
    check(fewer, 3, 0, 3);
    check(fewer, 3, 0.01, 3);
}

// A node between two rings is marked at the nearer one.
static void test_between(void **state) {
    (void)state;
    cdg_skin *skin = make_skin();
    float *colors = malloc(3 * skin->vertex_count * sizeof *colors);
    assert_non_null(colors);
    for (size_t i = 0; i < 3 * skin->vertex_count; i++) colors[i] = 0.5F;
    const double nodes[] = {2.4 / 32, 17.8 / 32};
    cdg_node_marks_put(skin, nodes, 2, 0, colors);
    for (size_t s = 0; s < skin->station_count; s++)
        assert_true((colors[3 * s * skin->ring_size] < 0.4F) == (s == 2 || s == 18));
    free(colors);
    cdg_skin_destroy(skin);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rings), cmocka_unit_test(test_between)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
