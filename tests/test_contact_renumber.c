// Kept contacts of a chain whose segments change stay where they are on it.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contacts.h"
#include "near.h"

static cdg_contact touch(uint32_t object, uint32_t segment, double at, uint32_t other, double force) {
    return (cdg_contact){.side = {{.kind = CDG_SIDE_SEGMENT, .object = object, .primitive = segment},
                                  {.kind = CDG_SIDE_SEGMENT, .object = 7, .primitive = other}},
                         .parameter = {at, 0.25},
                         .force = {0, 0, force}};
}

static void contacts_stay_at_their_places(void **state) {
    (void)state;
    cdg_contact kept[] = {touch(1, 2, 0.3, 9, 1), touch(1, 3, 0.75, 4, 2), touch(1, 3, 0.25, 8, 3),
                          touch(1, 4, 0.5, 0, 4), touch(2, 4, 0.5, 0, 5)};
    cdg_contacts contacts = {.kept = kept, .kept_count = 5};
    cdg_contacts_halve(&contacts, 1, 3);
    assert_int_equal(kept[1].side[0].primitive, 4);
    assert_near(kept[1].parameter[0], 0.5, 0);
    assert_int_equal(kept[2].side[0].primitive, 3);
    assert_near(kept[2].parameter[0], 0.5, 0);
    assert_int_equal(kept[3].side[0].primitive, 5);
    assert_int_equal(kept[4].side[0].primitive, 4);
    cdg_contacts_sort_kept(&contacts);
    for (size_t i = 1; i < 5; i++) assert_true(contact_compare_sides(kept[i - 1].side, kept[i].side) < 0);
    cdg_contacts_join(&contacts, 1, 3);
    cdg_contacts_sort_kept(&contacts);
    assert_int_equal(contacts.kept_count, 5);
    assert_int_equal(kept[1].side[1].primitive, 4);
    assert_near(kept[1].parameter[0], 0.75, 0);
    assert_near(kept[2].parameter[0], 0.25, 0);
}

static void two_between_the_same_become_one(void **state) {
    (void)state;
    cdg_contact kept[] = {touch(1, 3, 0.75, 4, 2), touch(1, 4, 0.5, 4, 5), touch(1, 4, 0.5, 6, 1)};
    cdg_contacts contacts = {.kept = kept, .kept_count = 3};
    cdg_contacts_join(&contacts, 1, 3);
    cdg_contacts_sort_kept(&contacts);
    assert_int_equal(contacts.kept_count, 2);
    assert_near(kept[0].force.z, 7, 0);
    assert_near(kept[0].parameter[0], 0.75, 0);
}

static cdg_contact between(cdg_side_kind a, uint32_t object_a, cdg_side_kind b, uint32_t object_b) {
    return (cdg_contact){.side = {{.kind = a, .object = object_a}, {.kind = b, .object = object_b}}};
}

static void those_of_what_is_removed_go(void **state) {
    (void)state;
    cdg_contact kept[] = {
        between(CDG_SIDE_SEGMENT, 2, CDG_SIDE_SEGMENT, 3),  between(CDG_SIDE_SEGMENT, 2, CDG_SIDE_OBSTACLE, 2),
        between(CDG_SIDE_SEGMENT, 2, CDG_SIDE_OBSTACLE, 3), between(CDG_SIDE_VERTEX, 2, CDG_SIDE_OBSTACLE, 1),
        between(CDG_SIDE_EDGE, 3, CDG_SIDE_SEGMENT, 2),     between(CDG_SIDE_BODY, 2, CDG_SIDE_OBSTACLE, 3)};
    cdg_contacts contacts = {.kept = kept, .kept_count = 6};
    cdg_contacts_forget(&contacts, CDG_SIDE_OBSTACLE, 2);
    assert_int_equal(contacts.kept_count, 5);
    assert_int_equal(kept[0].side[1].object, 3); // another kind
    assert_int_equal(kept[1].side[1].object, 2);
    assert_int_equal(kept[1].side[0].object, 2);
    assert_int_equal(kept[2].side[1].object, 1);
    assert_int_equal(kept[4].side[1].object, 2);
    cdg_contacts_forget(&contacts, CDG_SIDE_TRIANGLE, 2); // an object's vertices, edges and triangles alike
    assert_int_equal(contacts.kept_count, 4);
    assert_int_equal(kept[2].side[0].kind, CDG_SIDE_EDGE);
    assert_int_equal(kept[2].side[0].object, 2);
    assert_int_equal(kept[2].side[1].object, 2);
    cdg_contacts_forget(&contacts, CDG_SIDE_BODY, 2);
    assert_int_equal(contacts.kept_count, 3);
}

// Sides stand in the order of their numbers, which a cut may turn round; what has a direction turns with them.
static void those_of_a_chain_that_is_cut_stay(void **state) {
    (void)state;
    cdg_contact kept[] = {touch(1, 2, 0.25, 6, 1), touch(1, 5, 0.5, 7, 2), touch(1, 7, 0.75, 3, 4)};
    for (int i = 0; i < 3; i++) kept[i].side[1] = (cdg_contact_side){.object = 1, .primitive = i == 0 ? 6 : 7};
    kept[2].side[1].object = 2; // another chain, whose number is below that of the new one
    kept[2].normal = vec3(0, 0, 1);
    cdg_contacts contacts = {.kept = kept, .kept_count = 3};
    cdg_contacts_cut(&contacts, &(cdg_segment_cut){1, 3, 5, 9});
    assert_int_equal(contacts.kept_count, 3);
    assert_int_equal(kept[0].side[0].object, 1);
    assert_int_equal(kept[0].side[1].object, 3);
    assert_int_equal(kept[0].side[1].primitive, 1);
    assert_int_equal(kept[1].side[0].object, 2);
    assert_int_equal(kept[1].side[1].object, 3);
    assert_int_equal(kept[1].side[1].primitive, 2);
    assert_near(kept[1].parameter[1], 0.75, 0);
    assert_near(kept[1].force.z, -4, 0);
    assert_near(kept[1].normal.z, -1, 0);
    assert_int_equal(kept[2].side[0].object, 3);
    assert_int_equal(kept[2].side[0].primitive, 0);
    cdg_contact ring[] = {touch(1, 2, 0.25, 6, 1)};
    ring[0].side[1] = (cdg_contact_side){.object = 1, .primitive = 6};
    contacts = (cdg_contacts){.kept = ring, .kept_count = 1};
    cdg_contacts_cut(&contacts, &(cdg_segment_cut){1, 1, 5, 9});
    assert_int_equal(ring[0].side[0].primitive, 1); // was 6
    assert_int_equal(ring[0].side[1].primitive, 6); // was 2
    assert_near(ring[0].force.z, -1, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(contacts_stay_at_their_places), cmocka_unit_test(two_between_the_same_become_one),
        cmocka_unit_test(those_of_what_is_removed_go), cmocka_unit_test(those_of_a_chain_that_is_cut_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
