// Rows of contacts: forces on both sides are opposite and act at one point, and gap and slip are those of the motion.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/world.h"

#include <math.h>
#include <string.h>

// Rods across each other, the upper one falling and sliding.
static cdg_world *make_cross(void) {
    cdg_world *world = contact_world((cdg_vec3){0, 0, -9.81}, 1e-3, 0.3, 1);
    cdg_rod_def low = contact_rod("low", vec3(-0.1, 0.003, 0), vec3(0.1, 0.004, 0.01), 4e-3, 8);
    cdg_rod_def high = contact_rod("high", vec3(0.011, -0.1, 0.0136), vec3(0, 0.1, 0.0136), 4e-3, 8);
    low.velocity = (cdg_vec3){0.1, 0, 0};
    high.velocity = (cdg_vec3){0, 0.3, -0.2};
    contact_add(world, &low);
    contact_add(world, &high);
    for (int step = 0; step < 50 && world->contacts.count == 0; step++) must(world, cdg_world_step(world, NULL));
    assert_true(world->contacts.count > 0);
    return world;
}

static cdg_vec3 column(const cdg_contact_row *row, int point, int axis) {
    return vec3(row->jacobian[3 * point][axis], row->jacobian[3 * point + 1][axis], row->jacobian[3 * point + 2][axis]);
}

static void forces_and_moments_balance(void **state) {
    (void)state;
    cdg_world *world = make_cross();
    const cdg_contacts *c = &world->contacts;
    const cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact_row row;
        cdg_contact_make_row(p, &c->list[i], c->bodies, true, &row);
        assert_int_equal(row.point_count, 4);
        for (int axis = 0; axis < 3; axis++) {
            cdg_vec3 force = {0, 0, 0}, moment = {0, 0, 0},
                     on_first = vec3_add(column(&row, 0, axis), column(&row, 1, axis));
            for (int n = 0; n < 4; n++) {
                force = vec3_add(force, column(&row, n, axis));
                moment = vec3_add(moment, vec3_cross(p->base[row.point[n]], column(&row, n, axis)));
            }
            for (uint32_t k = 0; k < 2; k++)
                moment = vec3_mad(moment, contact_row_turn(&row, k)[axis], p->axis[row.element[k]]);
            assert_near(vec3_distance(on_first, row.axes[axis]), 0, 1e-12);
            assert_near(vec3_norm(force), 0, 1e-12);
            assert_near(vec3_norm(moment), 0, 1e-14);
        }
    }
    cdg_world_destroy(world);
}

// A little motion of the points changes the gap, as it is measured anew, by what the row says.
static void gaps_change_as_foretold(void **state) {
    (void)state;
    cdg_world *world = make_cross();
    const cdg_contacts *c = &world->contacts;
    const cdg_pieces *p = &c->pieces;
    const cdg_contact *contact = &c->list[0];
    cdg_contact_row row;
    cdg_contact_make_row(p, contact, c->bodies, false, &row);
    assert_near(row.offset[0], contact->gap - contact->target, 1e-15);
    for (int n = 0; n < 4; n++)
        for (int k = 0; k < 3; k++) {
            double at[2][2];
            for (int way = 0; way < 2; way++) {
                double *place = &p->next[row.point[n]].x + k, was = *place;
                *place += way == 0 ? -1e-7 : 1e-7;
                cdg_vec3 a[2], b[2];
                for (int e = 0; e < 2; e++) {
                    a[e] = p->next[p->ends[row.element[0]][e]];
                    b[e] = p->next[p->ends[row.element[1]][e]];
                }
                cdg_vec3 between = vec3_sub(vec3_lerp(a[0], a[1], contact->parameter[0]), //
                                            vec3_lerp(b[0], b[1], contact->parameter[1]));
                at[way][0] = vec3_norm(between), at[way][1] = vec3_dot(between, contact->normal);
                *place = was;
            }
            assert_near((at[1][0] - at[0][0]) / 2e-7, row.jacobian[3 * n + k][0], 2e-3);
            assert_near((at[1][1] - at[0][1]) / 2e-7, row.jacobian[3 * n + k][0], 1e-3);
        }
    cdg_world_destroy(world);
}

// A unit force along one axis moves the points and turns the elements by what they give way; what the contact feels of
// that along each axis is its answer.
static void answers_are_felt_moves(void **state) {
    (void)state;
    static const int index[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    cdg_world *world = make_cross();
    const cdg_contacts *c = &world->contacts;
    const cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact_row row;
        cdg_contact_make_row(p, &c->list[i], c->bodies, true, &row);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) {
                double felt = 0;
                for (int n = 0; n < 4; n++)
                    felt += p->give[row.point[n]] * vec3_dot(column(&row, n, a), column(&row, n, b));
                for (uint32_t k = 0; k < 2; k++)
                    felt += p->turn_give[row.element[k]] * contact_row_turn(&row, k)[a] * contact_row_turn(&row, k)[b];
                assert_near(row.answer[index[a][b]], felt, 1e-12 * row.answer[0]);
                if (a == b) assert_true(felt > 0);
            }
    }
    cdg_world_destroy(world);
}

// How far the surface of an element moves where a contact touches it: with its axis, tilted and turned about it.
static cdg_vec3 surface_move(const cdg_pieces *p, uint32_t element, double s, cdg_vec3 arm) {
    const uint32_t *end = p->ends[element];
    cdg_vec3 move[2] = {vec3_sub(p->next[end[0]], p->start[end[0]]), vec3_sub(p->next[end[1]], p->start[end[1]])};
    cdg_vec3 edge = vec3_sub(p->next[end[1]], p->next[end[0]]), along = vec3_normalize(edge);
    cdg_vec3 tilt = vec3_scale(1 / vec3_norm(edge), vec3_cross(along, vec3_sub(move[1], move[0])));
    return vec3_add(vec3_lerp(move[0], move[1], s), vec3_cross(vec3_mad(tilt, p->turn[element], along), arm));
}

// Slip is how far one surface has moved along the other, and forces of before are within the cone of friction.
static void slip_is_that_of_surfaces(void **state) {
    (void)state;
    cdg_world *world = make_cross();
    cdg_contacts *c = &world->contacts;
    cdg_pieces *p = &c->pieces;
    for (size_t i = 0; i < c->count; i++) {
        cdg_contact *contact = &c->list[i];
        cdg_contact_row row;
        cdg_contact_make_row(p, contact, c->bodies, false, &row);
        for (int n = 0; n < 4; n++) { // a small motion, other at each point
            cdg_vec3 move = {1e-7 * (n + 1), 3e-7 - 2e-7 * n, 1e-7 * n * n};
            p->start[row.point[n]] = vec3_sub(p->next[row.point[n]], move);
        }
        p->turn[row.element[0]] = 3e-5, p->turn[row.element[1]] = -5e-5;
        contact->drift = vec3(2e-7, -1e-7, 3e-7), contact->carried = vec3(1e-8, 5e-8, 2e-8);
        contact->force = vec3_mad(vec3_scale(2, contact->normal), 7, row.axes[2]);
        cdg_contact_make_row(p, contact, c->bodies, false, &row);
        cdg_vec3 arm[2] = {vec3_scale(-4e-3, contact->normal), vec3_scale(4e-3, contact->normal)};
        for (int k = 0; k < 2; k++) { // across the axis
            cdg_vec3 axis = p->axis[row.element[k]];
            arm[k] = vec3_mad(arm[k], -vec3_dot(arm[k], axis), axis);
        }
        cdg_vec3 slip = vec3_sub(surface_move(p, row.element[0], contact->parameter[0], arm[0]),
                                 surface_move(p, row.element[1], contact->parameter[1], arm[1]));
        slip = vec3_add(slip, vec3_sub(contact->drift, contact->carried));
        for (int k = 1; k < 3; k++) assert_near(row.offset[k], vec3_dot(slip, row.axes[k]), 1e-4 * vec3_norm(slip));
        assert_near(row.force[0], 2, 1e-14);
        assert_near(hypot(row.force[1], row.force[2]), 0.3 * 2, 1e-14); // of 7 N along a tangent
        assert_true(row.force[2] > 0);
        contact->force = vec3_scale(-1, contact->normal); // pulls: none
        cdg_contact_make_row(p, contact, c->bodies, false, &row);
        assert_true(row.force[0] == 0 && row.force[1] == 0 && row.force[2] == 0);
    }
    cdg_world_destroy(world);
}

// An element that a wild candidate has left without length feels forces at its ends, and nothing that is not finite.
static void elements_without_length_have_sides(void **state) {
    (void)state;
    cdg_world *world = make_cross();
    cdg_pieces *p = &world->contacts.pieces;
    const uint32_t *end = p->ends[3];
    p->base[end[1]] = p->base[end[0]], p->next[end[1]] = p->next[end[0]];
    const cdg_row_side sides[] = {cdg_segment_row_side(p, 3, vec3_add(p->base[end[0]], vec3(1e-3, 2e-3, 3e-3))),
                                  cdg_segment_plain_side(p, 3, 0, vec3(1e-3, 2e-3, 3e-3))};
    for (int k = 0; k < 2; k++) {
        assert_true(sides[k].w == 0);
        double numbers[sizeof *sides / sizeof(double)];
        memcpy(numbers, &sides[k], sizeof numbers);
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) assert_true(isfinite(numbers[i]));
    }
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forces_and_moments_balance), cmocka_unit_test(gaps_change_as_foretold),
        cmocka_unit_test(answers_are_felt_moves), cmocka_unit_test(slip_is_that_of_surfaces),
        cmocka_unit_test(elements_without_length_have_sides)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
