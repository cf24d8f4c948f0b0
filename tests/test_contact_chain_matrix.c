// The matrix between contacts on chains is that found column by column, for rods on each other and on themselves.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "world/world.h"

#include <stdlib.h>

enum { MOST = 60, WIDTH = 3 * MOST };

// Three turns of a coil on the floor, with a rod or a ring across them.
static cdg_world *make_coil(cdg_model model, bool has_ring) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 2e-3, 0.3, 1);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    cdg_rod_def coil = contact_rod("coil", vec3(0, 0, 0), vec3(0, 0, 1), 4e-3, 70);
    coil.model = model;
    coil.centerline.kind = CDG_CENTERLINE_HELIX;
    coil.centerline.helix.base = vec3(0, 0, 4.001e-3);
    coil.centerline.helix.radius = 0.05, coil.centerline.helix.pitch = 8.001e-3, coil.centerline.helix.turns = 3;
    coil.rest.kind = CDG_REST_INITIAL;
    contact_add(world, &coil);
    double height = 3 * 8.001e-3 + 12.1e-3;
    cdg_rod_def rod = contact_rod("rod", vec3(-0.08, 0.01, height), vec3(0.08, 0, height), 4e-3, 16);
    rod.model = model;
    if (has_ring) {
        rod.centerline.kind = CDG_CENTERLINE_CIRCLE;
        rod.centerline.closed = true;
        rod.centerline.circle.center = vec3(0, 0, height);
        rod.centerline.circle.axis = vec3(0, 0, 1);
        rod.centerline.circle.radius = 0.05;
        rod.rest.kind = CDG_REST_INITIAL;
    }
    contact_add(world, &rod);
    contact_run(world, 12);
    return world;
}

static size_t list_rows(const cdg_contacts *c, uint32_t *numbers) {
    size_t count = 0, own = 0;
    for (uint32_t i = 0; i < c->row_count && count < MOST; i++) {
        if (!contact_row_is_answered(&c->rows[i])) continue;
        own += c->rows[i].object[0] == c->rows[i].object[1];
        numbers[count++] = i;
    }
    assert_true(count > 20 && own > 10);
    return count;
}

static void columns_are_those_found_one_by_one(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    static double quick[WIDTH * WIDTH], slow[WIDTH * WIDTH];
    for (int k = 0; k < 2; k++) {
        cdg_world *world = make_coil(models[k], false);
        const cdg_contacts *c = &world->contacts;
        uint32_t numbers[MOST];
        size_t count = list_rows(c, numbers), size = 3 * count, coupled = 0;
        cdg_chain_matrix chain = {0};
        cdg_contact_matrix columns = {0};
        assert_int_equal(cdg_chain_matrix_fill(&chain, &c->coupling, &c->pieces, c->rows, numbers, count, quick),
                         CDG_CHAIN_MATRIX_OK);
        assert_true(cdg_contact_matrix_fill(&columns, &c->coupling, &c->pieces, c->rows, numbers, count, slow));
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < i / 3 * 3 + 3; j++) {
                double own = fmax(slow[i * size + i], slow[j * size + j]);
                assert_true(fabs(quick[i * size + j] - slow[i * size + j]) < 1e-3 * own); // both are cut off far away
                if (i / 3 == j / 3) assert_true(fabs(quick[i * size + j] - quick[j * size + i]) < 1e-9 * own);
                coupled += fabs(slow[i * size + j]) > 1e-2 * own && i / 3 != j / 3;
            }
        assert_true(coupled > size);
        cdg_chain_matrix_free(&chain);
        cdg_contact_matrix_free(&columns);
        cdg_world_destroy(world);
    }
}

// Rings answer all round: theirs is another way.
static void rings_are_left_to_others(void **state) {
    (void)state;
    cdg_world *world = make_coil(CDG_MODEL_POBD, true);
    const cdg_contacts *c = &world->contacts;
    static double out[9];
    cdg_chain_matrix chain = {0};
    int met = 0;
    for (uint32_t i = 0; i < c->row_count; i++) {
        bool has_ring = c->rows[i].object[0] == 1 || c->rows[i].object[1] == 1;
        cdg_chain_matrix_outcome outcome = cdg_chain_matrix_fill(&chain, &c->coupling, &c->pieces, c->rows, &i, 1, out);
        assert_int_equal(outcome, has_ring ? CDG_CHAIN_MATRIX_NONE : CDG_CHAIN_MATRIX_OK);
        met |= has_ring ? 1 : 2;
    }
    assert_int_equal(met, 3);
    cdg_chain_matrix_free(&chain);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_those_found_one_by_one),
                                       cmocka_unit_test(rings_are_left_to_others)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
