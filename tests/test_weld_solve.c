// The poses at which bodies and their rods agree, where they are hard to find: light bodies on stiff rods, fast ones.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "welded_case.h"

// A body of a milligram on a steel wire: explicit exchange of forces would blow up within a few steps. The reference
// model, whose middle rule damps nothing, takes one of a gram.
static void a_light_body_on_a_stiff_rod_is_stable(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER, CDG_MODEL_GALPHA, CDG_MODEL_REFERENCE};
    for (int m = 0; m < 4; m++) {
        cdg_rod_def def = rod_of((int)models[m]);
        def.material.young_modulus = 200e9, def.material.density = 7800, def.section.radius = 1e-3;
        small_world small = small_world_make(&def, vec3(0, 0, -9.81), 2e-3, true);
        cdg_body_id body = add_box(small.world, m == 3 ? 1e-3 : 1e-6, vec3(1.01, 0, 0), vec3(0, 0, 0), vec3(0, 0, 0));
        weld(small.world, small.rod, ELEMENTS, body);
        double start = cdg_world_energy(small.world).total;
        small_world_run(&small, 100);
        cdg_energy now = cdg_world_energy(small.world);
        assert_true(now.total < start + 1e-3);
        cdg_body_state end;
        must(small.world, cdg_body_get_state(small.world, body, &end));
        assert_true(end.position.z < 0 && end.position.z > -0.5); // the wire sags by 0.1 m or so
        cdg_world_destroy(small.world);
    }
}

// A body that is next to nothing, spun at the end of a rod at rest: it takes on the rod's motion at once, and what its
// spin had is all the energy there is. (Whole turns within a step, which orientations do not show, solve the same
// equations.)
static void a_spun_mote_follows_its_rod(void **state) {
    (void)state;
    const double masses[] = {1e-5, 1e-8, 1e-12};
    for (int m = 0; m < 3; m++) {
        cdg_rod_def def = rod_of(CDG_MODEL_DER);
        def.material.young_modulus = 1e9, def.der.tolerance = 1e-9;
        small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
        cdg_body_id id = add_box(small.world, masses[m], vec3(0, 0, 0), vec3(0, 0, 0), vec3(0, 3, 10));
        weld(small.world, small.rod, 0, id);
        double start = cdg_world_energy(small.world).total;
        for (int n = 0; n < 10; n++) {
            small_world_run(&small, 1);
            cdg_body_state now;
            must(small.world, cdg_body_get_state(small.world, id, &now));
            assert_true(vec3_norm(now.velocity) < 1);
            assert_true(vec3_norm(now.angular_velocity) < 20);
            assert_true(cdg_world_energy(small.world).total < 1.01 * start + 1e-12);
        }
        cdg_world_destroy(small.world);
    }
}

// Rod and bodies that fly by at many elements a step do what they do at rest.
static void speed_alone_changes_nothing(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER};
    for (int m = 0; m < 2; m++) {
        cdg_vec3 end[2], fast = vec3(-200, 0, 0); // an element is 0.125 m, a step 2 ms
        for (int n = 0; n < 2; n++) {
            cdg_rod_def def = rod_of((int)models[m]);
            def.velocity = n == 1 ? fast : vec3(0, 0, 0);
            small_world small = small_world_make(&def, vec3(0, 0, 0), 2e-3, false);
            cdg_vec3 turned = vec3_add(def.velocity, vec3(0, 0.1, 0));
            cdg_body_id a = add_box(small.world, 0.1, vec3(1, 0, 0), turned, vec3(0, 4, 2));
            weld(small.world, small.rod, ELEMENTS, a);
            weld(small.world, small.rod, 0, add_box(small.world, 0.3, vec3(0, 0, 0), def.velocity, vec3(0, 0, 0)));
            small_world_run(&small, 20);
            cdg_body_state now;
            must(small.world, cdg_body_get_state(small.world, a, &now));
            end[n] = vec3_mad(now.position, -20 * 2e-3, def.velocity);
            cdg_world_destroy(small.world);
        }
        assert_vec3_near(end[0], end[1], 1e-8);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_light_body_on_a_stiff_rod_is_stable),
        cmocka_unit_test(a_spun_mote_follows_its_rod),
        cmocka_unit_test(speed_alone_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
