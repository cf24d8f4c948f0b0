// Which contacts of surfaces are solved for: those that push, and those that lie deep with the forces that push.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "surface_case.h"

// A tetrahedron's face on a sheet, pressed into it by 1 % of the thickness.
static void start(cloth_world *world, cloth *sheet, cloth *other) {
    cdg_contact_def def = {0};
    cdg_contact_input input = {.def = &def, .step = 1, .time = 1};
    cdg_error error;
    cloth_sheet(sheet, 3, 1, 0.05);
    cloth_tetrahedron(other, 0.05);
    double low = HUGE_VAL;
    for (size_t i = 0; i < other->point_count; i++) low = fmin(low, other->x[2][i]);
    for (size_t i = 0; i < other->point_count; i++) other->x[2][i] += 0.1 - 5e-4 - low;
    cloth_predict(NULL, sheet, vec3(0, 0, 0), 1);
    cloth_predict(NULL, other, vec3(0, 0, 0), 1);
    *world = (cloth_world){.cloths = {sheet, other}, .count = 2};
    assert_int_equal(cloth_build(world), CDG_OK);
    cdg_pieces_load(&world->contacts.pieces, 1);
    assert_int_equal(cdg_contacts_find(&world->contacts, &input, true, &error), CDG_OK);
    for (size_t i = 0; i < world->contacts.count; i++) world->contacts.list[i].target = 0;
}

static void contacts_that_others_hold_apart_are_left_out(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    start(&world, &sheet, &other);
    cdg_contacts *c = &world.contacts;
    uint32_t chosen[256];
    assert_in_range(c->count, 2, 256);
    // All lie deep, none pushes: all are solved for.
    size_t all = cdg_contacts_choose_touching(c, chosen);
    assert_int_equal(all, c->count);
    // One pushes, by far enough to lift what lies beside it: it is solved for, and what it lifts is not.
    double give = c->pieces.give[1];
    c->list[0].force = vec3_scale(0.2 / give, c->list[0].normal);
    size_t fewer = cdg_contacts_choose_touching(c, chosen);
    assert_int_equal(chosen[0], 0);
    assert_in_range(fewer, 1, all - 1);
    for (size_t i = 1; i < fewer; i++) assert_true(chosen[i] > chosen[i - 1]);
    // The candidate has that force already: what lies deep in it counts again.
    memcpy(c->pieces.force_before, c->pieces.force, c->pieces.point_count * sizeof *c->pieces.force);
    assert_int_equal(cdg_contacts_choose_touching(c, chosen), all);
    cloth_free(&world);
}

static void what_comes_to_lie_deep_is_added(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    start(&world, &sheet, &other);
    cdg_contacts *c = &world.contacts;
    const cdg_pieces *p = &c->pieces;
    uint32_t chosen[256];
    assert_in_range(c->count, 2, 256);
    // As they are all lie deep: whatever is not listed yet is added, and nothing twice.
    assert_int_equal(cdg_contacts_choose_touching(c, chosen), c->count);
    memset(p->move, 0, p->point_count * sizeof *p->move);
    chosen[0] = 1;
    assert_int_equal(cdg_contacts_choose_pressed(c, chosen, 1), c->count);
    bool is_there[256] = {false};
    for (size_t i = 0; i < c->count; i++) {
        assert_false(is_there[chosen[i]]);
        is_there[chosen[i]] = true;
    }
    // What moves away from the sheet does not.
    for (uint32_t n = p->first_node[1]; n < p->first_node[2]; n++) p->move[p->point_of[n]] = vec3(0, 0, 1e-2);
    assert_int_equal(cdg_contacts_choose_pressed(c, chosen, 1), 1);
    for (size_t i = 0; i < c->count; i++) assert_false(c->list[i].is_left_out);
    cloth_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_that_others_hold_apart_are_left_out),
                                       cmocka_unit_test(what_comes_to_lie_deep_is_added)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
