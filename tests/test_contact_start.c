// What lies in each other at the start: told by name, the deepest first and others after it, or pushed apart by work
// that is counted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <string.h>

static const cdg_vec3 none = {0, 0, 0};

// Bars across each other, `distance` apart from one to the next, radius 5 mm.
static cdg_world *crossed_bars(size_t count, double distance) {
    static const char *const names[] = {"first", "second", "third", "fourth", "fifth", "sixth"};
    cdg_world *world = contact_world(none, 1e-4, 0, 1);
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 half = i % 2 == 0 ? vec3(0.1, 0, 0) : vec3(0, 0.1, 0), middle = vec3(0, 0, (double)i * distance);
        cdg_rod_def def = contact_rod(names[i], vec3_sub(middle, half), vec3_add(middle, half), 5e-3, 3);
        contact_add(world, &def);
    }
    return world;
}

static void what_lies_in_each_other_is_told(void **state) {
    (void)state;
    cdg_world *world = crossed_bars(3, 9e-3);
    assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
    const char *message = cdg_world_message(world);
    assert_non_null(strstr(message, "lies 0.001 m deep in"));
    assert_non_null(strstr(message, "'first'"));
    assert_non_null(strstr(message, "'second'"));
    assert_non_null(strstr(message, "; likewise "));
    assert_non_null(strstr(message, "'third'"));
    assert_true(cdg_world_time(world) == 0);
    cdg_world_destroy(world);
}

// Three pairs beside the worst are told, the rest by a word.
static void of_many_a_few_are_told(void **state) {
    (void)state;
    for (size_t count = 5; count <= 6; count++) {
        cdg_world *world = crossed_bars(count, 9e-3);
        assert_int_equal(cdg_world_step(world, NULL), CDG_ERROR_ARGUMENT);
        const char *message = cdg_world_message(world), *others = strstr(message, "; likewise ");
        assert_non_null(others);
        size_t told = 0;
        for (; (others = strstr(others, " in ")) != NULL; others++) told++;
        assert_int_equal(told, 3);
        assert_true((strstr(message, " and others") != NULL) == (count == 6));
        cdg_world_destroy(world);
    }
}

// A hundredth of a radius is what files and lines may meet by.
static void what_merely_touches_is_not(void **state) {
    (void)state;
    for (int i = 0; i < 2; i++) {
        cdg_world *world = crossed_bars(2, 1e-2 - (i == 0 ? 0.9e-2 : 1.1e-2) * 5e-3);
        assert_int_equal(cdg_world_step(world, NULL), i == 0 ? CDG_OK : CDG_ERROR_ARGUMENT);
        cdg_world_destroy(world);
    }
}

// Without gravity all energy of bars that are pushed apart is the work of contact, in the step it is done.
static void parting_is_work(void **state) {
    (void)state;
    cdg_world *world = crossed_bars(2, 9e-3);
    cdg_contact_def def = cdg_contact_def_default();
    def.separates = true;
    must(world, cdg_world_set_contact(world, &def));
    contact_run(world, 1);
    assert_true(cdg_contacts_overlap(&world->contacts, UINT32_MAX));
    assert_true(cdg_contacts_overlap(&world->contacts, 0) && cdg_contacts_overlap(&world->contacts, 1));
    cdg_energy energy = cdg_world_energy(world);
    double work = cdg_contacts_parting_work(&world->contacts);
    print_message("work %g J, kinetic energy %g J\n", work, energy.kinetic);
    assert_true(work > 0 && energy.kinetic > 0 && energy.kinetic <= work);
    contact_run(world, 2000);
    assert_false(cdg_contacts_overlap(&world->contacts, UINT32_MAX));
    assert_true(cdg_contacts_parting_work(&world->contacts) == 0);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_lies_in_each_other_is_told),
        cmocka_unit_test(of_many_a_few_are_told),
        cmocka_unit_test(what_merely_touches_is_not),
        cmocka_unit_test(parting_is_work),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
