// The list of fields: names that are told apart, letters for each component, and measuring against closed forms.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/field.h"
#include "hand_rod.h"

#include <math.h>
#include <string.h>

static void test_list(void **state) {
    (void)state;
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        cdg_field_info info = cdg_field_get((cdg_field)i);
        cdg_field found;
        assert_true(cdg_field_find(info.name, &found) && found == (cdg_field)i);
        assert_in_range(info.component_count, 1, CDG_FIELD_COMPONENTS_MAX);
        assert_int_equal(strlen(cdg_field_letters(&info)), info.component_count > 1 ? info.component_count : 0);
        assert_true((cdg_field_component_names(&info) == NULL) == (info.component_count == 1));
        assert_true(strlen(info.units) > 0 && strlen(info.description) > 0 && strlen(info.label) > 0);
        for (int k = 0; k < i; k++) {
            cdg_field_info other = cdg_field_get((cdg_field)k);
            assert_true(strcmp(other.name, info.name) != 0 && strcmp(other.entry_name, info.entry_name) != 0);
            assert_true(strcmp(other.column, info.column) != 0);
        }
    }
    cdg_field none;
    assert_false(cdg_field_find("colour", &none));
}

// Every field at every entry is what the rod's own measure says, and NaN only where nothing is measured.
static void test_measure(void **state) {
    (void)state;
    cdg_random random = {21};
    for (int closed = 0; closed < 2; closed++) {
        cdg_rod *rod = hand_rod(&random, 7, closed);
        double out[8 * CDG_FIELD_COMPONENTS_MAX], one[CDG_FIELD_COMPONENTS_MAX];
        for (int f = 0; f < CDG_FIELD_COUNT; f++) {
            cdg_field_info info = cdg_field_get((cdg_field)f);
            size_t count = cdg_field_entries(&info, rod->node_count, rod->element_count), missing = 0;
            cdg_field_measure_all((cdg_field)f, rod, out);
            for (size_t i = 0; i < count; i++) {
                cdg_field_measure((cdg_field)f, rod, i, one);
                assert_memory_equal(one, out + i * info.component_count, info.component_count * sizeof *one);
                missing += isnan(one[0]) != 0;
            }
            assert_int_equal(missing, (info.traits & CDG_FIELD_INNER) != 0 && !closed ? 2 : 0);
        }
        cdg_vec3 darboux = cdg_rod_darboux(rod, 3), strain = cdg_rod_strain(rod, 2);
        cdg_field_measure_all(CDG_FIELD_curvature, rod, out);
        assert_true(out[6] == darboux.x && out[7] == darboux.y);
        cdg_field_measure_all(CDG_FIELD_twist, rod, out);
        assert_true(out[3] == darboux.z);
        cdg_field_measure_all(CDG_FIELD_strains, rod, out);
        assert_true(out[6] == strain.x && out[7] == strain.y && out[8] == strain.z);
        cdg_field_measure_all(CDG_FIELD_tension, rod, out);
        assert_true(out[2] == cdg_rod_section_force(rod, 2).z);
        hand_rod_free(rod);
    }
}

// A section that is held at an end is one to measure against; one whose roll alone is held twists but does not bend.
static void test_held_ends(void **state) {
    (void)state;
    cdg_random random = {22};
    cdg_rod *rod = hand_rod(&random, 4, false);
    rod->holds[0] = (cdg_hold){.node = 0, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(rod->q, 0)};
    rod->holds[1] = (cdg_hold){.node = 4, .frame_hold = CDG_HOLD_ROLL, .frame = rod_quat(rod->q, 3)};
    rod->hold_count = 2;
    double out[2];
    cdg_field_measure(CDG_FIELD_curvature, rod, 0, out);
    assert_true(isfinite(out[0]) && isfinite(out[1]));
    cdg_field_measure(CDG_FIELD_curvature, rod, 4, out);
    assert_true(isnan(out[0]) && isnan(out[1]));
    cdg_field_measure(CDG_FIELD_twist, rod, 4, out);
    assert_true(isfinite(out[0]));
    hand_rod_free(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_list), cmocka_unit_test(test_measure),
                                       cmocka_unit_test(test_held_ends)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
