// How contacts on implicit rods move each other: as a force does when the rod is predicted again.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <stdlib.h>

// A rod and a ring lie on the floor, the rod across the ring, after a step.
static cdg_world *lie(cdg_model model) {
    cdg_world *world = contact_world(vec3(0, 0.5, -9.81), 2e-3, 0.3, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    cdg_rod_def ring = contact_rod("ring", vec3(0, 0, 0), vec3(0, 0, 0), 4e-3, 24);
    ring.model = model;
    ring.centerline.kind = CDG_CENTERLINE_CIRCLE;
    ring.centerline.closed = true;
    ring.centerline.circle.center = vec3(0, 0, 3.999e-3);
    ring.centerline.circle.axis = vec3(0, 0, 1);
    ring.centerline.circle.radius = 0.05;
    ring.rest.kind = CDG_REST_INITIAL;
    contact_add(world, &ring);
    cdg_rod_def rod = contact_rod("rod", vec3(-0.08, 0.01, 11.999e-3), vec3(0.08, 0, 11.999e-3), 4e-3, 16);
    rod.model = model;
    contact_add(world, &rod);
    contact_run(world, 4);
    return world;
}

static const cdg_coupling_entry *entry_of(const cdg_coupling *c, uint32_t row, uint32_t other) {
    for (size_t i = c->first[row]; i < c->first[row] + c->count[row]; i++)
        if (c->entries[i].row == other) return &c->entries[i];
    return NULL;
}

// What a moves by a force on b, b moves by a force on a.
static void coupling_is_mutual(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        cdg_contacts *c = &world->contacts;
        assert_true(c->count > 20);
        assert_true(cdg_coupling_start(&c->coupling, &c->pieces, c->rows, c->count));
        for (size_t i = 0; i < c->count; i++) assert_true(cdg_coupling_of(&c->coupling, &c->pieces, c->rows, i));
        size_t pairs = 0;
        for (uint32_t a = 0; a < c->count; a++) {
            const cdg_coupling_entry *own = entry_of(&c->coupling, a, a);
            if (own == NULL) continue; // too far from touching to be coupled
            double size = fmax(own->by[0][0], own->by[1][1]);
            for (int k = 0; k < 3; k++) assert_true(own->by[k][k] > 0);
            for (uint32_t b = 0; b < c->count; b++) {
                const cdg_coupling_entry *there = entry_of(&c->coupling, a, b), *back = entry_of(&c->coupling, b, a);
                if (there == NULL || back == NULL) continue;
                for (int i = 0; i < 3; i++)
                    for (int k = 0; k < 3; k++) assert_near(there->by[i][k], back->by[k][i], 1e-3 * size);
                pairs++;
            }
        }
        assert_true(pairs > 2 * c->count);
        cdg_world_destroy(world);
    }
}

// A solve moves gaps to where the rods, predicted again, have them: a second round finds nothing left to do.
static void rods_answer_as_foretold(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        for (int i = 0; i < 20; i++) {
            must(world, cdg_world_step(world, NULL));
            assert_true(world->contact_outcome.rounds <= 2);
            assert_true(world->contact_outcome.deepest < 2e-4);
        }
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupling_is_mutual),
        cmocka_unit_test(rods_answer_as_foretold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
