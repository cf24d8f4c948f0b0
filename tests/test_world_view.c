// Views of the state without a copy, and fields by their names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "near.h"
#include "world/world.h"

#include <string.h>

enum { ELEMENTS = 10 };

// In every model, and after any number of steps (states swap their memory), a view has the numbers of a copy.
static void views_have_the_numbers_of_copies(void **state) {
    (void)state;
    for (int model = 0; model < CDG_MODEL_COUNT; model++) {
        cdg_world *world = contact_world(vec3(0, 1, -10), 1e-3, 0, 1);
        cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
        def.model = (cdg_model)model;
        cdg_rod_id rod = contact_add(world, &def);
        must(world,
             cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_CLAMP, .place = {.rod = rod}}, NULL));
        for (int i = 0; i < 5; i++) {
            cdg_vec3 x[ELEMENTS + 1], w[ELEMENTS];
            cdg_quat q[ELEMENTS];
            cdg_state_view view;
            must(world, cdg_rod_positions(world, rod, x));
            must(world, cdg_rod_frames(world, rod, q));
            must(world, cdg_rod_angular_velocities(world, rod, w));
            must(world, cdg_rod_view(world, rod, CDG_STATE_POSITIONS, &view));
            assert_int_equal(view.count, ELEMENTS + 1);
            assert_ptr_equal(view.data, cdg_world_get_rod(world, rod)->x[0]);
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + 2 * view.component_stride], x[k].z, 0);
            must(world, cdg_rod_view(world, rod, CDG_STATE_FRAMES, &view));
            assert_int_equal(view.components, 4);
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + 3 * view.component_stride], q[k].z, 0);
            must(world, cdg_rod_view(world, rod, CDG_STATE_ANGULAR_VELOCITIES, &view));
            for (size_t k = 0; k < view.count; k++)
                assert_near(view.data[k * view.entry_stride + view.component_stride], w[k].y, 0);
            contact_run(world, 1);
        }
        cdg_world_destroy(world);
    }
}

static void fields_are_found_by_name(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, -10), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    double out[4 * (ELEMENTS + 1)];
    for (size_t i = 0; i < cdg_field_shape_count(); i++) {
        cdg_field_shape shape;
        assert_int_equal(cdg_field_shape_at(i, &shape), CDG_OK);
        must(world, cdg_rod_measure_field(world, rod, shape.name, out, sizeof out / sizeof *out));
        size_t needed = shape.components * (ELEMENTS + (shape.is_per_element ? 0 : 1));
        assert_int_equal(cdg_rod_measure_field(world, rod, shape.name, out, needed - 1), CDG_ERROR_ARGUMENT);
        must(world, cdg_rod_measure_field(world, rod, shape.name, out, needed));
    }
    assert_int_equal(cdg_rod_measure_field(world, rod, "colour", out, 1), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(cdg_world_message(world), "colour"));
    cdg_world_destroy(world);
}

static void a_support_says_where_it_holds(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 5e-3, ELEMENTS);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_support_id pin;
    must(world, cdg_world_add_support(world, &(cdg_support_def){.kind = CDG_SUPPORT_PIN, .place = {.rod = rod}}, &pin));
    cdg_vec3 position, target = {0, 0, 1e-4};
    cdg_quat frame;
    must(world, cdg_support_set_pose(world, pin, &target, NULL));
    must(world, cdg_support_get_pose(world, pin, &position, &frame));
    assert_vec3_near(position, vec3(0, 0, 0), 0); // it goes there in the next step
    contact_run(world, 1);
    must(world, cdg_support_get_pose(world, pin, &position, &frame));
    assert_vec3_near(position, target, 1e-15);
    must(world, cdg_world_remove_support(world, pin));
    assert_int_equal(cdg_support_get_pose(world, pin, &position, &frame), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_have_the_numbers_of_copies),
        cmocka_unit_test(fields_are_found_by_name),
        cmocka_unit_test(a_support_says_where_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
