// Constraints beside contact in a step: contact tells in which directions and how strongly it holds points back, and
// both agree in few rounds where a plate presses a block flat.
#include "solid_world_case.h"

#include "contact/contacts.h"
#include "world/solid_proxy.h"

#include <cordage/obstacle.h>

static cdg_world *world_with_floor(double step) {
    cdg_world *world = solid_world(1, step);
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    floor.shape.normal = vec3(0, 0, 1);
    assert_int_equal(cdg_world_add_obstacle(world, &floor, NULL), CDG_OK);
    return world;
}

static void points_are_kept_from_what_they_push_on(void **state) {
    (void)state;
    cdg_world *world = world_with_floor(1e-4);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.position = vec3(0, 0, 0.056), def.velocity = vec3(0, 0, -3);
    solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    def.position = vec3(0.01, 0.02, 0.166), def.velocity = vec3(0, 0, -6);
    solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    cdg_contacts *c = &world->contacts;
    size_t on_floor = 0, on_block = 0;
    for (int i = 0; i < 100; i++) {
        solid_world_steps(world, 1);
        if (c->idle.is_quiet) continue;
        assert_false(cdg_contacts_hold(c, world->step)); // nothing is squeezed
        const cdg_pieces *p = &c->pieces;
        for (size_t k = 0; k < p->point_count; k++) assert_true(vec3_norm(p->move[k]) < 1);
        for (size_t k = 0; k < c->count; k++) {
            const cdg_contact *contact = &c->list[k];
            if (!(vec3_norm(contact->force) > 0)) continue;
            uint32_t point[3];
            cdg_surface_points(p, &contact->side[0], point, NULL);
            bool is_floor = contact->side[1].kind == CDG_SIDE_OBSTACLE;
            if (contact->side[0].kind != CDG_SIDE_VERTEX) continue;
            double along = fabs(vec3_dot(p->move[point[0]], contact->normal));
            assert_true(along > (is_floor ? 0.94 : 0.5)); // nine tenths of it; shared with the other block
            if (is_floor)
                on_floor++;
            else
                on_block++;
        }
    }
    assert_true(on_floor > 10 && on_block > 10);
    cdg_world_destroy(world);
}

// A plate comes down on a block, on the floor, until it has three tenths of its height.
static void a_pressed_block_takes_few_rounds(void **state) {
    (void)state;
    cdg_world *world = world_with_floor(1e-3);
    cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    def.young_modulus = 1e4, def.position = vec3(0, 0, 0.054);
    solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    cdg_obstacle_def plate = cdg_obstacle_def_default();
    cdg_motion motion = cdg_motion_default();
    plate.shape.kind = CDG_SHAPE_BOX, plate.shape.size = vec3(0.4, 0.4, 0.02);
    plate.shape.orientation = quat_identity(), plate.shape.position = vec3(0, 0, 0.119);
    motion.move = vec3(0, 0, -0.075), motion.to = 0.015; // 5 m/s: E is some quarter of rho v^2/2
    plate.motions = &motion, plate.motion_count = 1;
    assert_int_equal(cdg_world_add_obstacle(world, &plate, NULL), CDG_OK);
    double least = 1, deep = 0;
    int most = 0, sum = 0;
    for (int i = 0; i < 17; i++) {
        solid_world_steps(world, 1);
        least = fmin(least, cdg_solid_least_volume(&world->solids[0]->solid, world->solids[0]->solid.x, NULL));
        deep = fmax(deep, world->contacts.left.deep);
        sum += world->contact_outcome.rounds;
        most = world->contact_outcome.rounds > most ? world->contact_outcome.rounds : most;
    }
    print_message("least volume %.3g, %.1e deep, %d rounds in the last parts of steps, %d at most\n", least, deep, sum,
                  most);
    assert_true(least >= 0.1 && least < 0.14);
    assert_true(deep <= 1e-3);
    assert_true(sum < 60);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(points_are_kept_from_what_they_push_on),
                                       cmocka_unit_test(a_pressed_block_takes_few_rounds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
