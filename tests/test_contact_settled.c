// Which contacts of implicit surfaces keep their forces in a round, and by how much contacts are off.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_judge.h"
#include "math/vec3.h"
#include "near.h"

enum { OBJECTS = 4, CONTACTS = 4 };
static const uint32_t triangle[1][3] = {{0, 1, 2}};

// Four surfaces in a row, each of which touches the next, and the first one the floor. All push, and nothing is off.
typedef struct row_of_surfaces {
    cdg_proxy proxies[OBJECTS];
    cdg_coupled coupled[OBJECTS];
    cdg_contact list[CONTACTS];
    cdg_contact_row rows[CONTACTS], before[CONTACTS];
    cdg_contacts contacts;
} row_of_surfaces;

static void make(row_of_surfaces *it) {
    *it = (row_of_surfaces){0};
    for (uint32_t i = 0; i < OBJECTS; i++) {
        it->proxies[i] = (cdg_proxy){.is_implicit = true, .lead = i, .triangles = triangle, .triangle_count = 1};
        it->coupled[i] = (cdg_coupled){.is_alone = true, .next = UINT32_MAX};
    }
    for (uint32_t i = 0; i < CONTACTS; i++) {
        cdg_contact *contact = &it->list[i];
        contact->side[0] = (cdg_contact_side){.kind = CDG_SIDE_VERTEX, .object = i};
        contact->side[1] = (cdg_contact_side){.kind = CDG_SIDE_TRIANGLE, .object = i + 1};
        if (i == CONTACTS - 1) // the floor below the first
            contact->side[0].object = 0, contact->side[1] = (cdg_contact_side){.kind = CDG_SIDE_OBSTACLE};
        contact->normal = vec3(0, 0, 1), contact->force = vec3(0, 0, 2), contact->radius = 0.1;
        contact->row = CONTACTS - 1 - i; // in another order
        it->rows[i] = (cdg_contact_row){.friction = 0.5, .force = {2, 0, 0}};
        it->before[contact->row] = it->rows[i];
        it->before[contact->row].answer[0] = it->before[contact->row].answer[3] = 1e-3;
        it->before[contact->row].answer[5] = 1e-3;
        it->before[contact->row].tolerance = i + 1; // tells them apart
    }
    it->contacts = (cdg_contacts){.pieces = {.objects = it->proxies, .object_count = OBJECTS},
                                  .coupling = {.objects = it->coupled, .object_count = OBJECTS, .has_implicit = true},
                                  .list = it->list,
                                  .count = CONTACTS,
                                  .rows = it->rows,
                                  .rows_before = it->before};
}

// Rows that keep their forces are those of the solve before.
static void check(row_of_surfaces *it, const bool settled[CONTACTS]) {
    cdg_contacts_settle(&it->contacts, 1e-3);
    for (int i = 0; i < CONTACTS; i++) {
        assert_int_equal(it->rows[i].is_settled, settled[i]);
        assert_near(it->rows[i].tolerance, settled[i] ? i + 1 : 0, 0);
    }
}

static void what_is_off_and_its_neighbours_are_solved_for(void **state) {
    (void)state;
    row_of_surfaces it;
    make(&it);
    check(&it, (bool[CONTACTS]){true, true, true, true});
    make(&it);
    it.list[2].is_off = true; // between the third and the last: that of the second and third goes with it
    check(&it, (bool[CONTACTS]){true, false, false, true});
    make(&it);
    it.list[3].is_off = true; // on the floor
    check(&it, (bool[CONTACTS]){false, true, true, false});
    make(&it);
    it.list[0].is_off = true;
    it.list[0].force = vec3(0, 0, 0); // deep without a force
    check(&it, (bool[CONTACTS]){false, false, true, false});
}

static void friction_may_be_off(void **state) {
    (void)state;
    row_of_surfaces it;
    make(&it);
    it.rows[2].offset[1] = 0.9e-4; // it sticks, and slips by less than 1e-3 of the radius
    check(&it, (bool[CONTACTS]){true, true, true, true});
    make(&it);
    it.rows[2].offset[1] = 1.1e-4;
    check(&it, (bool[CONTACTS]){true, false, false, true});
    make(&it);
    it.rows[2].offset[1] = 1, it.rows[2].force[1] = -1; // it slides against its friction
    check(&it, (bool[CONTACTS]){true, true, true, true});
    make(&it);
    it.rows[2].offset[1] = 1, it.rows[2].force[1] = 1; // friction drives it on
    check(&it, (bool[CONTACTS]){true, false, false, true});
    make(&it);
    it.before[1].answer[0] = 0; // nothing is known of the third
    check(&it, (bool[CONTACTS]){true, false, false, true});
}

static void others_are_always_solved_for(void **state) {
    (void)state;
    row_of_surfaces it;
    make(&it);
    it.coupled[3].is_alone = false;
    check(&it, (bool[CONTACTS]){true, true, false, true});
    make(&it);
    it.proxies[3].is_implicit = false;
    check(&it, (bool[CONTACTS]){true, true, false, true});
    make(&it);
    it.list[3].side[1].kind = CDG_SIDE_BODY;
    check(&it, (bool[CONTACTS]){true, true, true, false});
}

static void shortfalls(void **state) {
    (void)state;
    row_of_surfaces it;
    make(&it);
    cdg_contact *contact = &it.list[0];
    contact->clearance = contact->gap = -1e-3;
    cdg_contact_shortfall off = cdg_contact_shortfall_of(&it.contacts, contact);
    assert_near(off.missing, 1e-2, 1e-15), assert_near(off.deep, 1e-2, 1e-15);
    contact->target = -0.8e-3; // parts slowly
    off = cdg_contact_shortfall_of(&it.contacts, contact);
    assert_near(off.missing, 2e-3, 1e-15), assert_near(off.deep, 2e-3, 1e-15);
    contact->target = 0, contact->clearance = contact->gap = 1e-3; // pushes across a gap
    off = cdg_contact_shortfall_of(&it.contacts, contact);
    assert_near(off.missing, 1e-3, 1e-15), assert_near(off.deep, 1e-3, 1e-15);
    contact->force = vec3(0, 0, 0);
    assert_near(cdg_contact_shortfall_of(&it.contacts, contact).missing, 0, 0);
    assert_false(cdg_contact_passes(contact));
    contact->crosses = true;
    assert_true(cdg_contact_passes(contact));
    contact->crosses = false, contact->is_impact = true, contact->gap = -1.1e-3;
    assert_true(cdg_contact_passes(contact));
    contact->gap = -0.9e-3;
    assert_false(cdg_contact_passes(contact));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_off_and_its_neighbours_are_solved_for),
        cmocka_unit_test(friction_may_be_off),
        cmocka_unit_test(others_are_always_solved_for),
        cmocka_unit_test(shortfalls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
