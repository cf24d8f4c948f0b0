// The matrix between contacts that touch: what is kept from list to list is what would be found anew.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <stdlib.h>

enum { MOST = 24, WIDTH = 3 * MOST };

// A grid of rods on each other, on a floor.
static cdg_world *make_grid(cdg_model model) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 2e-3, 0.3, 1);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    for (int i = 0; i < 3; i++) {
        double at = 0.02 * i - 0.02;
        char names[2][4] = {{'a', (char)('0' + i), 0}, {'b', (char)('0' + i), 0}};
        cdg_rod_def low = contact_rod(names[0], vec3(-0.05, at, 4e-3), vec3(0.05, at, 4e-3), 4e-3, 12);
        cdg_rod_def high = contact_rod(names[1], vec3(at, -0.05, 11.999e-3), vec3(at, 0.05, 11.999e-3), 4e-3, 12);
        low.model = high.model = model;
        contact_add(world, &low);
        contact_add(world, &high);
    }
    contact_run(world, 4);
    assert_true(world->contacts.row_count > MOST);
    return world;
}

static void fill(cdg_contact_matrix *m, const cdg_contacts *c, const uint32_t *numbers, size_t count, double *out) {
    assert_true(cdg_contact_matrix_fill(m, &c->coupling, &c->pieces, c->rows, numbers, count, out));
}

static void known_columns_are_those_found_anew(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int k = 0; k < 2; k++) {
        cdg_world *world = make_grid(models[k]);
        const cdg_contacts *c = &world->contacts;
        cdg_contact_matrix kept = {0};
        static double some[WIDTH * WIDTH], all[WIDTH * WIDTH], anew[WIDTH * WIDTH];
        uint32_t odd[MOST], list[MOST];
        for (uint32_t i = 0; i < MOST; i++) list[i] = i;
        for (uint32_t i = 0; i < MOST / 2; i++) odd[i] = 2 * i + 1;
        fill(&kept, c, odd, MOST / 2, some);
        assert_int_equal(kept.count, MOST / 2);
        fill(&kept, c, list, MOST, all); // half of them is known, and stands in another order
        assert_int_equal(kept.count, MOST);
        cdg_contact_matrix fresh = {0};
        fill(&fresh, c, list, MOST, anew);
        size_t coupled = 0;
        for (size_t i = 0; i < WIDTH; i++) {
            assert_true(anew[i * WIDTH + i] > 0);
            for (size_t j = 0; j < i; j++) {
                double own = fmax(anew[i * WIDTH + i], anew[j * WIDTH + j]);
                if (i / 3 != j / 3)
                    assert_near(all[i * WIDTH + j], anew[i * WIDTH + j], 5e-3 * own); // cut off far away
                coupled += fabs(anew[i * WIDTH + j]) > 1e-2 * own && i / 3 != j / 3;
            }
        }
        assert_true(coupled > WIDTH);
        for (size_t i = 0; i < WIDTH / 2; i++) // and those that were known are the same to the bit
            for (size_t j = 0; j <= i; j++) {
                size_t row = 3 * odd[i / 3] + i % 3, column = 3 * odd[j / 3] + j % 3;
                assert_true(all[row * WIDTH + column] == some[i * WIDTH / 2 + j]);
            }
        cdg_contact_matrix_free(&kept);
        cdg_contact_matrix_free(&fresh);
        cdg_world_destroy(world);
    }
}

// Rows that have changed are forgotten.
static void changed_rows_are_found_anew(void **state) {
    (void)state;
    cdg_world *world = make_grid(CDG_MODEL_DER);
    cdg_contacts *c = &world->contacts;
    cdg_contact_matrix m = {0};
    double before[9], after[9];
    const uint32_t first = 0;
    fill(&m, c, &first, 1, before);
    for (int i = 0; i < CDG_ROW_MOVES; i++)
        for (int k = 0; k < 3; k++) c->rows[0].jacobian[i][k] *= 2;
    contact_matrix_forget(&m);
    fill(&m, c, &first, 1, after);
    assert_near(after[0], 4 * before[0], 1e-12 * after[0]);
    cdg_contact_matrix_free(&m);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(known_columns_are_those_found_anew),
                                       cmocka_unit_test(changed_rows_are_found_anew)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
