// The surface of a mesh: every triangle is a face of the tetrahedron behind it, inner nodes are left out, damage is
// noticed.
#include "solid_case.h"

#include "output/solid_surface.h"

#include <stdlib.h>
#include <string.h>

static cdg_run_solid_entry place_of(const cdg_solid *s) {
    return (cdg_run_solid_entry){.name = "block",
                                 .node_count = s->node_count,
                                 .tetrahedron_count = s->tetrahedron_count,
                                 .surface_count = s->surface_count,
                                 .tetrahedra = (const uint32_t(*)[4])s->tetrahedra,
                                 .surface = (const uint32_t(*)[3])s->surface};
}

static void test_faces(void **state) {
    (void)state;
    cdg_solid solid =
        solid_case_build(solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER), vec3(0.4, 0.4, 0.4), 0.1);
    cdg_run_solid_entry entry = place_of(&solid);
    cdg_solid_surface surface;
    assert_int_equal(cdg_solid_surface_make(&entry, &surface, NULL), CDG_OK);
    assert_int_equal(surface.triangle_count, 6 * 4 * 4 * 2);
    assert_int_equal(surface.point_count, 125 - 27);
    for (size_t i = 0; i < surface.triangle_count; i++)
        for (int k = 0; k < 3; k++) {
            uint32_t node = surface.nodes[surface.triangles[i][k]];
            assert_int_equal(node, entry.surface[i][k]);
            const uint32_t *t = entry.tetrahedra[surface.tetrahedra[i]];
            assert_true(t[0] == node || t[1] == node || t[2] == node || t[3] == node);
        }
    cdg_solid_surface_free(&surface);
    uint32_t(*wrong)[3] = malloc(entry.surface_count * sizeof *wrong);
    memcpy(wrong, entry.surface, entry.surface_count * sizeof *wrong);
    wrong[7][2] = wrong[entry.surface_count - 1][1]; // far away
    entry.surface = (const uint32_t(*)[3])wrong;
    cdg_error error = {0};
    assert_int_equal(cdg_solid_surface_make(&entry, &surface, &error), CDG_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "block"));
    free(wrong);
    cdg_solid_free(&solid);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_faces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
