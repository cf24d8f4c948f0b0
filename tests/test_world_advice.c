// The advised step: models, pushes, motions and contact, the shortest of them, within reason.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/contact.h>

#include "near.h"
#include "small_world.h"
#include "world/world.h"

static small_world soft_rod(void) { // 5 ms by its model
    cdg_rod_def def = cdg_rod_def_default();
    def.material.young_modulus = 1e6;
    def.section.radius = 5e-3;
    return small_world_make(&def, vec3(0, 0, -10), 0, false);
}

static void push(small_world *small, double lasts) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_LINE;
    load.value = vec3(0, 0, 1);
    load.from = 0.1, load.to = 0.1 + lasts;
    must(small->world, cdg_world_add_load(small->world, &load, NULL));
}

static void pushes_get_four_steps(void **state) {
    (void)state;
    small_world small = soft_rod();
    assert_near(cdg_world_advice(small.world).step, 5e-3, 1e-15);
    push(&small, 1); // long enough
    assert_near(cdg_world_advice(small.world).step, 5e-3, 1e-15);
    push(&small, 4e-3);
    cdg_step_advice advice = cdg_world_advice(small.world);
    assert_near(advice.step, 1e-3, 1e-12);
    assert_int_equal(advice.limit, CDG_LIMIT_LOAD);
    assert_non_null(strstr(advice.reason, "4 steps"));
    push(&small, 1e-7); // not at any price
    advice = cdg_world_advice(small.world);
    assert_near(advice.step, 2.5e-4, 1e-12);
    assert_non_null(strstr(advice.reason, "twentieth"));
    cdg_world_destroy(small.world);
}

// A fall by the rod's own length of 1 m gives 4.47 m/s, a short run less.
static void contact_counts(void **state) {
    (void)state;
    small_world small = soft_rod();
    cdg_contact_def contact = cdg_contact_def_default();
    must(small.world, cdg_world_set_contact(small.world, &contact));
    cdg_step_advice advice = cdg_world_advice(small.world);
    assert_near(advice.step, 5e-3 / sqrt(20), 1e-9);
    assert_int_equal(advice.limit, CDG_LIMIT_CONTACT);
    assert_non_null(strstr(advice.reason, "'rod'"));
    assert_int_equal(advice.rod.index1, small.rod.index1);
    assert_near(cdg_world_advise(small.world, 0.2).step, 2.5e-3, 1e-12); // 2 m/s
    assert_near(cdg_world_contact_time(small.world, 0.2).fastest, 2, 1e-12);
    contact.choice = CDG_CONTACT_OFF;
    must(small.world, cdg_world_set_contact(small.world, &contact));
    cdg_step_advice plain = cdg_world_advice(small.world);
    assert_near(plain.step, 5e-3, 1e-15);
    assert_true(plain.limit != CDG_LIMIT_CONTACT);
    assert_string_not_equal(plain.reason, advice.reason); // another limit, another reason
    cdg_world_destroy(small.world);
}

// What moves as prescribed is as fast as its motion: a support of a rod that is there, an obstacle, a fixed body.
static void prescribed_motion_counts(void **state) {
    (void)state;
    const cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = {3, 0, 0}, .to = 0.5}; // 6 m/s
    for (int way = 0; way < 4; way++) {
        small_world small = soft_rod();
        cdg_contact_def contact = cdg_contact_def_default();
        must(small.world, cdg_world_set_contact(small.world, &contact));
        must(small.world, cdg_world_set_gravity(small.world, vec3(0, 0, 0)));
        cdg_support_def support = {.kind = CDG_SUPPORT_CLAMP, .place = {.rod = small.rod}};
        cdg_obstacle_def obstacle = cdg_obstacle_def_default();
        cdg_body_def body = cdg_body_def_default();
        support.motions = obstacle.motions = body.motions = &motion;
        support.motion_count = obstacle.motion_count = body.motion_count = 1;
        obstacle.shape.offset = body.shape.position.z = -5, body.is_fixed = true;
        if (way == 0 || way == 3) must(small.world, cdg_world_add_support(small.world, &support, NULL));
        if (way == 1) must(small.world, cdg_world_add_obstacle(small.world, &obstacle, NULL));
        if (way == 2) must(small.world, cdg_world_add_body(small.world, &body, NULL));
        if (way == 3) must(small.world, cdg_world_remove_rod(small.world, small.rod)); // and its support
        assert_near(cdg_world_contact_time(small.world, 10).fastest, way < 3 ? 6 : 0, 1e-12);
        cdg_world_destroy(small.world);
    }
}

// A step that nobody gave is the advised one.
static void automatic_is_what_is_advised(void **state) {
    (void)state;
    small_world small = soft_rod();
    push(&small, 4e-3);
    small_world_run(&small, 1);
    assert_near(cdg_world_step_size(small.world), 1e-3, 1e-12);
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_get_four_steps),
        cmocka_unit_test(contact_counts),
        cmocka_unit_test(prescribed_motion_counts),
        cmocka_unit_test(automatic_is_what_is_advised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
