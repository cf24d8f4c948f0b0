// Bodies that begin inside each other, or inside obstacles, are refused by name, or pushed apart gently.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

typedef struct scene {
    cdg_contact_choice choice;
    bool separates, is_ghost, has_obstacle;
    double apart; // m, of the middles of two things of 5 cm
} scene;

static cdg_world *make(scene it) {
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.choice = it.choice, contact.separates = it.separates;
    must(world, cdg_world_set_contact(world, &contact));
    cdg_body_def body = cdg_body_def_default();
    body.name = "ball", body.shape.radius = 0.05, body.is_ghost = it.is_ghost;
    must(world, cdg_world_add_body(world, &body, NULL));
    if (it.has_obstacle) {
        cdg_obstacle_def wall = cdg_obstacle_def_default();
        wall.shape.kind = CDG_SHAPE_BOX, wall.shape.size = vec3(0.1, 0.1, 0.1);
        wall.shape.position = vec3(it.apart, 0, 0);
        must(world, cdg_world_add_obstacle(world, &wall, NULL));
    } else {
        body.name = "box", body.is_ghost = false;
        body.shape = (cdg_shape){.kind = CDG_SHAPE_BOX, .size = vec3(0.1, 0.1, 0.1), .orientation = quat(1, 0, 0, 0)};
        body.shape.position = vec3(it.apart, 0, 0);
        must(world, cdg_world_add_body(world, &body, NULL));
    }
    return world;
}

static void expect_refusal(scene it, const char *depth, const char *other, const char *cure) {
    cdg_world *world = make(it);
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
    const char *said = cdg_world_message(world);
    if (strstr(said, "body 'ball' lies") == NULL || strstr(said, depth) == NULL || strstr(said, other) == NULL ||
        strstr(said, cure) == NULL)
        fail_msg("%s", said);
    cdg_world_destroy(world);
}

static void what_lies_in_something_is_named(void **state) {
    (void)state;
    const cdg_contact_choice on = CDG_CONTACT_ON, off = CDG_CONTACT_OFF;
    expect_refusal((scene){.choice = on, .apart = 0.09}, "0.01 m deep", "in body 'box'", "{separate: true}");
    expect_refusal((scene){.choice = off, .apart = 0.09}, "0.01 m deep", "in body 'box'", "collides: false");
    expect_refusal((scene){.choice = on, .apart = 0.08, .has_obstacle = true}, "0.02 m", "in obstacle", "separate");
    expect_refusal((scene){.choice = off, .apart = 0.08, .has_obstacle = true}, "0.02 m", "in obstacle", "collides");
}

// What touches, or overlaps by what a step may leave, goes on, and so does what collides with nothing.
static void what_touches_is_fine(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_contact_choice choice = k == 0 ? CDG_CONTACT_ON : CDG_CONTACT_OFF;
        const scene scenes[] = {{.choice = choice, .apart = 0.1},
                                {.choice = choice, .apart = 0.1 - 2e-4},
                                {.choice = choice, .apart = 0.02, .is_ghost = true},
                                {.choice = choice, .apart = 0.1 - 2e-4, .has_obstacle = true}};
        for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
            cdg_world *world = make(scenes[i]);
            contact_run(world, 3);
            cdg_world_destroy(world);
        }
    }
}

// With `separate`, contact parts them slowly while the energy guard lets them gain energy; then it watches again.
static void they_are_pushed_apart(void **state) {
    (void)state;
    cdg_world *world = make((scene){.separates = true, .choice = CDG_CONTACT_ON, .apart = 0.07});
    contact_run(world, 1);
    assert_true(world->contacts.is_parting);
    contact_run(world, 400);
    assert_false(world->contacts.is_parting);
    double apart = world->bodies[1].now.x.x - world->bodies[0].now.x.x;
    assert_true(apart > 0.1 * (1 - 1e-3) && apart < 0.5);
    cdg_world_destroy(world);
}

// A body that is moved into another during the run is found, too.
static void a_body_that_is_moved_is_looked_at(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        cdg_world *world = make((scene){.choice = k == 0 ? CDG_CONTACT_ON : CDG_CONTACT_OFF, .apart = 0.2});
        contact_run(world, 3);
        cdg_body_id ball = cdg_world_find_body(world, "ball");
        cdg_body_state now;
        must(world, cdg_body_get_state(world, ball, &now));
        now.position = vec3(0.15, 0, 0);
        must(world, cdg_body_set_state(world, ball, &now));
        assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
        assert_non_null(strstr(cdg_world_message(world), "body 'ball' lies 0.05 m deep in body 'box'"));
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_in_something_is_named),
        cmocka_unit_test(what_touches_is_fine),
        cmocka_unit_test(they_are_pushed_apart),
        cmocka_unit_test(a_body_that_is_moved_is_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
