// Contacts that say what another says: what is left out has one nearby that is as deep, forces are handed on, and
// explicit rods keep all.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double radius = 5e-3;
enum { STEPS = 16 };

// Turns with hair's breadths between them, sinking.
static cdg_world *sunk_tower(cdg_model model) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 2e-3, 0.3, 1);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rope";
    rod.model = model;
    rod.material.young_modulus = 3e5, rod.material.poisson_ratio = 0.4, rod.material.density = 1100;
    rod.material.damping_bend = rod.material.damping_twist = 0.01;
    rod.section.radius = radius;
    rod.element_count = 252;
    rod.centerline.kind = CDG_CENTERLINE_HELIX;
    rod.centerline.helix.base = (cdg_vec3){0, 0, 6e-3};
    rod.centerline.helix.radius = 0.1;
    rod.centerline.helix.pitch = 10.02e-3;
    rod.centerline.helix.turns = 4;
    must(world, cdg_world_add_rod(world, &rod, NULL));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    for (int step = 0; step < STEPS; step++) must(world, cdg_world_step(world, NULL));
    return world;
}

static bool pushes(const cdg_contact *contact) { return vec3_norm(contact->force) > 0; }

static size_t count_pushing(const cdg_contacts *c) {
    size_t count = 0;
    for (size_t i = 0; i < c->count; i++) count += pushes(&c->list[i]);
    return count;
}

static cdg_vec3 sum_of_forces(const cdg_contacts *c) {
    cdg_vec3 sum = {0, 0, 0};
    for (size_t i = 0; i < c->count; i++) sum = vec3_add(sum, c->list[i].force);
    return sum;
}

static double apart(const cdg_pieces *p, const cdg_contact *a, const cdg_contact *b, int side) {
    return vec3_distance(pieces_at(p, p->next, a->side[side].element, a->parameter[side]),
                         pieces_at(p, p->next, b->side[side].element, b->parameter[side]));
}

static bool is_same_place(const cdg_contact *a, const cdg_contact *b) {
    return contact_compare_sides(a->side, b->side) == 0 && a->parameter[0] == b->parameter[0];
}

// Whether a contact is in the list, or one that is near and no less deep.
static bool is_stood_for(const cdg_contacts *c, const cdg_contact *contact) {
    for (size_t i = 0; i < c->count; i++) {
        const cdg_contact *other = &c->list[i];
        if (is_same_place(other, contact)) return true;
        if (other->side[1].kind != CDG_SIDE_SEGMENT || contact->side[1].kind != CDG_SIDE_SEGMENT) continue;
        bool is_near = apart(&c->pieces, other, contact, 0) < radius && apart(&c->pieces, other, contact, 1) < radius;
        if (is_near && other->gap <= contact->gap + 1.01e-4 * radius) return true;
    }
    return false;
}

static void check(cdg_contacts *c, bool merges) {
    size_t count = c->count, pushing = count_pushing(c);
    cdg_contact *all = malloc(count * sizeof *all);
    assert_non_null(all);
    memcpy(all, c->list, count * sizeof *all);
    cdg_vec3 sum = sum_of_forces(c);
    cdg_contacts_thin(c, merges);
    assert_true(c->count < 0.9 * (double)count);
    assert_true(vec3_distance(sum, sum_of_forces(c)) <= 1e-12 * vec3_norm(sum));
    if (merges)
        assert_true(count_pushing(c) < pushing);
    else
        assert_int_equal(count_pushing(c), pushing);
    size_t alone = 0; // one may stand for a second that stood for a third
    for (size_t i = 0; i < count; i++) alone += !is_stood_for(c, &all[i]);
    assert_true(alone <= count / 50);
    for (size_t i = 1; i < c->count; i++) assert_true(contact_compare_sides(c->list[i - 1].side, c->list[i].side) <= 0);
    size_t once = c->count;
    cdg_contacts_thin(c, merges);
    assert_true(c->count >= once - once / 50); // and nothing much is left to do
    free(all);
}

static void contacts_that_push_stay(void **state) {
    (void)state;
    cdg_world *world = sunk_tower(CDG_MODEL_POBD);
    check(&world->contacts, false);
    cdg_world_destroy(world);
}

// A place beside one that pushes comes to push, too, whether or not the solver has left any such pair.
static void push_beside(cdg_contacts *c) {
    for (size_t i = 0; i < c->count; i++)
        for (size_t j = 0; j < c->count; j++) {
            cdg_contact *a = &c->list[i], *b = &c->list[j];
            bool is_pair = i != j && pushes(a) && !a->is_impact && !b->is_impact && !a->crosses && !b->crosses;
            if (!is_pair || a->side[1].kind != CDG_SIDE_SEGMENT || b->side[1].kind != CDG_SIDE_SEGMENT) continue;
            if (apart(&c->pieces, a, b, 0) > 0.5 * radius || apart(&c->pieces, a, b, 1) > 0.5 * radius) continue;
            b->force = vec3_scale(0.5, a->force);
            return;
        }
    fail_msg("no place is beside one that pushes");
}

static void forces_are_handed_on(void **state) {
    (void)state;
    cdg_world *world = sunk_tower(CDG_MODEL_DER);
    push_beside(&world->contacts);
    check(&world->contacts, true);
    cdg_world_destroy(world);
}

// Deeper than one that pushes: both are solved for.
static void the_deeper_one_is_kept(void **state) {
    (void)state;
    cdg_world *world = sunk_tower(CDG_MODEL_POBD);
    cdg_contacts *c = &world->contacts;
    size_t i = 0;
    while (i < c->count && !(pushes(&c->list[i]) && c->list[i].side[1].kind == CDG_SIDE_SEGMENT)) i++;
    assert_true(i < c->count && c->capacity >= 2);
    c->list[0] = c->list[1] = c->list[i];
    c->list[1].force = vec3(0, 0, 0);
    for (int deep = 0; deep < 2; deep++) {
        c->list[1].gap = c->list[0].gap - (deep ? 2e-4 : 0.5e-4) * radius;
        c->count = 2;
        cdg_contacts_thin(c, true);
        assert_int_equal(c->count, deep ? 2 : 1);
        assert_true(pushes(&c->list[0]));
        c->list[1] = c->list[0];
        c->list[1].force = vec3(0, 0, 0);
        c->list[1].is_left_out = false;
    }
    cdg_world_destroy(world);
}

static void explicit_rods_keep_all(void **state) {
    (void)state;
    cdg_world *world = sunk_tower(CDG_MODEL_CORDE);
    size_t count = world->contacts.count;
    assert_true(count > 100);
    cdg_contacts_thin(&world->contacts, true);
    assert_int_equal(world->contacts.count, count);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(contacts_that_push_stay),
                                       cmocka_unit_test(forces_are_handed_on), cmocka_unit_test(the_deeper_one_is_kept),
                                       cmocka_unit_test(explicit_rods_keep_all)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
