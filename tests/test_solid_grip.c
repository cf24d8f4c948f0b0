// Hands on deformable solids: they bring the place where the hand is, at any step, and leave nothing behind.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "small_world.h"
#include "solid_world_case.h"
#include "world/solid_grip.h"

static cdg_solid_id add_block(cdg_world *world, cdg_solid_integrator integrator) {
    cdg_solid_def def = cdg_solid_def_default();
    def.name = "block";
    def.integrator = integrator;
    def.young_modulus = 2e5;
    def.density = 1000;
    return solid_world_add(world, def, vec3(0.1, 0.1, 0.2), 0.05);
}

static cdg_vec3 center_of(const cdg_world *world, cdg_solid_id id) {
    cdg_solid_state info;
    assert_int_equal(cdg_solid_get_state(world, id, &info), CDG_OK);
    return info.center;
}

// A block that hangs on a hand: it comes to rest below it, and the hand feels its weight.
static void a_block_hangs_on_a_hand(void **state) {
    (void)state;
    const cdg_solid_integrator integrators[] = {CDG_SOLID_EULER, CDG_SOLID_EXPLICIT};
    for (size_t k = 0; k < 2; k++) {
        cdg_world *world = solid_world(1, 4e-3);
        must(world, cdg_world_set_gravity(world, vec3(0, 0, -9.81)));
        cdg_solid_id id = add_block(world, integrators[k]);
        world_solid *entry = cdg_world_get_solid(world, id);
        cdg_vec3 top = cdg_solid_rest_point(entry, vec3_add(center_of(world, id), vec3(0, 0, 1)));
        double mass = entry->solid.total_mass;
        cdg_grip_def def = {.place = cdg_solid_point(id, top), .target = top};
        cdg_grip_id grip;
        must(world, cdg_world_add_grip(world, &def, &grip));
        solid_world_steps(world, 700);
        cdg_vec3 point, force;
        must(world, cdg_grip_get(world, grip, &point, &force));
        assert_near(force.z, mass * 9.81, 0.05 * mass * 9.81);
        assert_near(point.z, top.z - 9.81 / 3600,
                    0.02); // sags by g over the square of the rate, and a little by itself
        must(world, cdg_world_remove_grip(world, grip));
        assert_memory_equal(entry->solid.mass, entry->own_mass, entry->solid.node_count * sizeof(double));
        double before = center_of(world, id).z;
        solid_world_steps(world, 25);
        assert_true(center_of(world, id).z < before - 0.03); // it falls
        cdg_world_destroy(world);
    }
}

// Pulled by keys, on one thread or two, and continued: the same bits.
static void keys_give_the_same_bits(void **state) {
    (void)state;
    cdg_world *worlds[3];
    cdg_grip_key keys[] = {{.time = 0.02, .target = {0.1, 0, 0.1}}, {.time = 0.1, .target = {0, 0.2, 0.3}}};
    cdg_vec3 center[3];
    double *middle = NULL;
    for (int i = 0; i < 3; i++) {
        cdg_world *world = worlds[i] = solid_world(i == 1 ? 2 : 1, 4e-3);
        cdg_solid_id id = add_block(world, CDG_SOLID_EULER);
        cdg_grip_def def = {
            .place = cdg_solid_point(id, center_of(world, id)), .keys = keys, .key_count = 2, .to = 0.3};
        cdg_grip_id grip;
        must(world, cdg_world_add_grip(world, &def, &grip));
        if (i == 2) {
            must(world, cdg_world_snapshot_load(world, middle));
        } else {
            solid_world_steps(world, 40);
        }
        if (i == 0) {
            middle = calloc(cdg_world_snapshot_size(world), sizeof *middle);
            assert_int_equal(cdg_world_snapshot_save(world, middle), CDG_OK);
        }
        solid_world_steps(world, 60);
        center[i] = center_of(world, id);
        assert_memory_equal(&center[i], &center[0], sizeof *center);
    }
    assert_true(center[0].y > 0.05);
    for (int i = 0; i < 3; i++) cdg_world_destroy(worlds[i]);
    free(middle);
}

// A free block that a hand pulls aside moves as it does ten metres away: the hand's mass counts in the centre of the
// spin. While it is held, its middle is the centre of its own mass.
static void a_block_is_pulled_alike_everywhere(void **state) {
    (void)state;
    const cdg_solid_integrator integrators[] = {CDG_SOLID_EULER, CDG_SOLID_BDF2, CDG_SOLID_EXPLICIT};
    for (size_t k = 0; k < 3; k++) {
        cdg_vec3 middle[2];
        for (int i = 0; i < 2; i++) {
            cdg_world *world = solid_world(1, 4e-3);
            must(world, cdg_world_set_gravity(world, vec3(0, 0, 0)));
            cdg_solid_def block = cdg_solid_def_default();
            cdg_vec3 at = vec3(i == 0 ? 0 : 10, 0, 0), corner = vec3_add(at, vec3(0.05, 0.05, 0.1));
            block.integrator = integrators[k];
            block.position = at;
            cdg_solid_id id = solid_world_add(world, block, vec3(0.1, 0.1, 0.2), 0.05);
            cdg_grip_def def = {.place = cdg_solid_point(id, corner), .target = vec3_add(corner, vec3(0.1, 0.2, 0))};
            cdg_grip_id grip;
            must(world, cdg_world_add_grip(world, &def, &grip));
            assert_vec3_near(center_of(world, id), at, 1e-12);
            solid_world_steps(world, 50);
            middle[i] = vec3_sub(center_of(world, id), at);
            cdg_world_destroy(world);
        }
        assert_true(vec3_norm(middle[0]) > 0.05);
        assert_vec3_near(middle[1], middle[0], 1e-8);
    }
}

static void what_is_gone_is_not_held(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 4e-3);
    cdg_solid_id id = add_block(world, CDG_SOLID_EULER);
    cdg_grip_def def = {.place = cdg_solid_point(id, vec3(0, 0, 0))};
    cdg_grip_id grip;
    must(world, cdg_world_add_grip(world, &def, &grip)); // far away: the nearest nodes
    assert_int_equal(cdg_grip_twist(world, grip, 1), CDG_ERROR_ARGUMENT);
    solid_world_steps(world, 2);
    must(world, cdg_world_remove_solid(world, id));
    assert_int_equal(cdg_grip_move(world, grip, NULL), CDG_ERROR_STALE);
    assert_int_equal(cdg_world_add_grip(world, &def, &grip), CDG_ERROR_STALE);
    cdg_world_destroy(world);
}

// Where a place of the surface of a deformed block was at rest: the map from one to the other is known here.
static void places_are_found_at_rest(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 4e-3);
    cdg_solid_id id = add_block(world, CDG_SOLID_EULER);
    world_solid *place = cdg_world_get_solid(world, id);
    cdg_solid *solid = &place->solid;
    for (size_t i = 0; i < solid->node_count; i++) { // sheared, stretched and moved
        cdg_vec3 r = solid_vec3(solid->rest, i);
        solid->x[0][i] = 1.2 * r.x + 0.3 * r.z + 1, solid->x[1][i] = 0.9 * r.y - 0.2 * r.x,
        solid->x[2][i] = 1.1 * r.z - 2;
    }
    for (size_t f = 0; f < solid->surface_count; f += 7) {
        const double w[3] = {0.5, 0.2, 0.3};
        cdg_vec3 now = {0, 0, 0}, rest = {0, 0, 0};
        for (int k = 0; k < 3; k++) {
            now = vec3_mad(now, w[k], solid_vec3(solid->x, solid->surface[f][k]));
            rest = vec3_mad(rest, w[k], solid_vec3(solid->rest, solid->surface[f][k]));
        }
        assert_vec3_near(cdg_solid_rest_point(place, now), rest, 1e-12);
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_hangs_on_a_hand), cmocka_unit_test(keys_give_the_same_bits),
        cmocka_unit_test(a_block_is_pulled_alike_everywhere), cmocka_unit_test(what_is_gone_is_not_held),
        cmocka_unit_test(places_are_found_at_rest)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
