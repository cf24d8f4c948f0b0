// Advice on meshes: blocks have the cells that they were made of, wherever they point; slivers are found.
#include "solid_case.h"

#include "solids/solid_advice.h"

static void test_cells_across(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
    def.orientation = quat_from_axis_angle(vec3(0.3, -1, 0.5), 0.7);
    for (int across = 2; across <= 4; across++) {
        cdg_solid s = solid_case_build(def, vec3(0.8, 0.2, 0.2), 0.2 / across);
        cdg_solid_advice advice = cdg_solid_advise(&s);
        assert_near(advice.cell, 0.2 / across, 1e-9);
        assert_near(advice.thickness, 0.2, 1e-9);
        assert_near(advice.bending_error, CDG_SOLID_BENDING_ERROR / (across * across), 1e-6);
        assert_near(advice.resolution / advice.thickness, sqrt(CDG_SOLID_GOOD_BENDING / CDG_SOLID_BENDING_ERROR),
                    1e-12);
        assert_int_equal(advice.sliver_count, 0);
        cdg_solid_free(&s);
    }
    cdg_solid slab = solid_case_build(def, vec3(0.8, 0.8, 0.1), 0.05);
    assert_near(cdg_solid_advise(&slab).thickness, 0.1, 1e-9);
    cdg_solid_free(&slab);
}

static void test_slivers(void **state) {
    (void)state;
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.mesh = solid_case_box(vec3(0.2, 0.2, 0.2), 0.1);
    // the middle goes almost to the face below
    for (size_t i = 0; i < def.mesh.point_count; i++)
        if (vec3_norm(def.mesh.points[i]) < 1e-9) def.mesh.points[i].z = -0.098;
    cdg_solid s;
    cdg_error error = {0};
    cdg_result result = cdg_solid_build(&def, "block", &s, &error);
    if (result != CDG_OK) fail_msg("%s", error.message);
    cdg_solid_advice advice = cdg_solid_advise(&s);
    assert_true(advice.sliver_count > 0);
    assert_true(advice.least_height > 0 && advice.least_height <= 0.002 + 1e-12);
    bool has_middle = false;
    for (int k = 0; k < 4; k++)
        has_middle = has_middle || fabs(s.rest[2][s.tetrahedra[advice.flattest][k]] + 0.098) < 1e-9;
    assert_true(has_middle);
    cdg_solid_free(&s);
    cdg_mesh_free(&def.mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells_across), cmocka_unit_test(test_slivers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
