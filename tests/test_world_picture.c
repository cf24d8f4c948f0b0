// Pictures of worlds with solids and fibres.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view_case.h"

#include <math.h>

static const char soft[] = "cordage: 1\n"
                           "simulation: {duration: 1 s, step: 2 ms}\n"
                           "contact: off\n"
                           "solids:\n"
                           "  - {name: block, shape: {box: {size: [4 cm, 4 cm, 4 cm]}, resolution: 1 cm},\n"
                           "     material: {young_modulus: 50 kPa, density: 1000 kg/m^3}, position: [1 m, 0, 0]}\n"
                           "rods:\n"
                           "  - {name: bar, material: {young_modulus: 1 GPa, density: 1300 kg/m^3}, elements: 3,\n"
                           "     section: {circle: {radius: 1 mm}}, centerline: {line: {to: [1 m, 0, 0]}}}\n";

// Surface points alone are sent, where the solid is, and fall with it.
static void solids_are_drawn(void **state) {
    (void)state;
    cdg_board board;
    cdg_error error;
    cdg_board_init(&board);
    cdg_act act = view_live_of(soft);
    act.announce(act.self, &board);
    char *world = view_text(&board, CDG_SLOT_WORLD);
    assert_non_null(strstr(world, "\"block\""));
    assert_non_null(strstr(world, "\"point_count\": 98")); // of 5^3 nodes, 27 lie inside
    free(world);
    for (int step = 0; step < 2; step++) {
        cdg_message *picture = view_draw(&act);
        uint32_t count = 0;
        const float *points = view_block(picture, CDG_BLOCK_SOLIDS, &count);
        double fallen = -9.81 * act.time(act.self) * act.time(act.self) / 2;
        assert_non_null(points);
        assert_int_equal(count, 3 * 98);
        for (uint32_t i = 0; i < count; i += 3) {
            double reach = fmax(fabs(points[i] - 1), fmax(fabs(points[i + 1]), fabs(points[i + 2] - fallen)));
            assert_true(fabs(reach - 0.02) < 2e-4);
        }
        cdg_message_release(picture);
        for (int i = 0; i < 50; i++) assert_int_equal(act.advance(act.self, 0, &error), CDG_OK);
    }
    act.destroy(act.self);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(solids_are_drawn)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
