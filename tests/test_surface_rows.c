// Rows of contacts with surfaces: opposite forces at one point, and gaps and slips as points of contact move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/point_triangle.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

enum { VERTEX_AND_TRIANGLE, EDGES, TRIANGLE_AND_END, EDGE_AND_SEGMENT, KINDS };

static cdg_contact random_contact(int kind, cdg_random *random, uint32_t none) {
    double s = random_in(random, 0.1, 0.9), t = random_in(random, 0.1, 0.9);
    double u = random_in(random, 0.1, 0.5), v = random_in(random, 0.1, 0.4);
    cdg_vec3 in_triangle = {1 - u - v, u, v}, on_edge = {1 - s, s, 0}, on_other = {1 - t, t, 0};
    cdg_contact_side vertex = {CDG_SIDE_VERTEX, 0, 2, none}, edge = {CDG_SIDE_EDGE, 0, 3, none},
                     other = {CDG_SIDE_EDGE, 1, 4, none}, triangle = {CDG_SIDE_TRIANGLE, 1, 1, none},
                     segment = {CDG_SIDE_SEGMENT, 0, 1, 1};
    switch (kind) {
    case VERTEX_AND_TRIANGLE: return (cdg_contact){.side = {vertex, triangle}, .point = {{1, 0, 0}, in_triangle}};
    case EDGES: return (cdg_contact){.side = {edge, other}, .point = {on_edge, on_other}};
    case TRIANGLE_AND_END:
        return (cdg_contact){.side = {triangle, segment}, .point = {in_triangle}, .parameter = {0, 1}};
    default: return (cdg_contact){.side = {edge, segment}, .point = {on_edge}, .parameter = {0, t}};
    }
}

static cdg_vec3 point_at(const cdg_pieces *p, const cdg_vec3 *x, const cdg_contact *contact, int i) {
    if (contact->side[i].kind == CDG_SIDE_SEGMENT)
        return pieces_at(p, x, contact->side[i].element, contact->parameter[i]);
    return cdg_surface_at(p, x, &contact->side[i], contact->point[i]);
}

// Forces and moments of a row about the origin, at the base, a segment's turn being a moment about its axis.
static void totals_of(const cdg_pieces *p, const cdg_contact_row *row, int axis, cdg_vec3 *force, cdg_vec3 *moment) {
    *force = *moment = vec3(0, 0, 0);
    for (uint32_t i = 0; i < row->point_count; i++) {
        cdg_vec3 f = {row->jacobian[3 * i][axis], row->jacobian[3 * i + 1][axis], row->jacobian[3 * i + 2][axis]};
        *force = vec3_add(*force, f);
        *moment = vec3_add(*moment, vec3_cross(p->base[row->point[i]], f));
    }
    for (uint32_t i = 0; i < 2; i++)
        *moment = vec3_mad(*moment, row->jacobian[3 * row->point_count + i][axis], p->axis[row->element[i]]);
}

static void rows_balance(void **state) {
    (void)state;
    static cloth chain, a, b;
    int balanced = 0;
    for (int n = 0; n < 400; n++) {
        cdg_random random = {50 + (uint64_t)n};
        cloth_chain(&chain, 3, 1, 0.05);
        cloth_tetrahedron(&a, 0.05);
        cloth_tetrahedron(&b, 0.05);
        cloth_world world = {.cloths = {&chain, &a, &b}, .count = 3};
        assert_int_equal(cloth_build(&world), CDG_OK);
        cdg_pieces *p = &world.contacts.pieces;
        cdg_contact contact = random_contact(n % KINDS, &random, (uint32_t)p->element_count);
        // The second is put where the two points are a thickness or two apart.
        cloth *moved = n % KINDS >= TRIANGLE_AND_END ? &chain : &b;
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < 3; i++) cloth_predict(NULL, world.cloths[i], vec3(0, 0, 0), 1);
            cdg_pieces_load(p, 1);
            cdg_vec3 apart = vec3_sub(point_at(p, p->next, &contact, 0), point_at(p, p->next, &contact, 1));
            cdg_vec3 wanted = vec3_scale(0.1, vec3_normalize(random_vec3(&random, 1)));
            contact.normal = vec3_normalize(apart);
            if (pass == 0) cloth_place(moved, (cdg_quat){1, 0, 0, 0}, vec3_sub(apart, wanted), vec3(0, 0, 0));
        }
        cdg_contact_row row;
        cdg_surface_row(p, NULL, &contact, true, &row);
        assert_int_equal(row.point_count, CDG_ROW_POINTS);
        for (int axis = 0; axis < 3; axis++) {
            cdg_vec3 force, moment;
            totals_of(p, &row, axis, &force, &moment);
            assert_vec3_near(force, vec3(0, 0, 0), 1e-13);
            assert_vec3_near(moment, vec3(0, 0, 0), 1e-12);
            balanced++;
            // A common move of one side is seen as it is.
            double felt = 0;
            for (int m = 0; m < 9; m++) felt += row.jacobian[m][axis] * (m % 3 == 0 ? 0.3 : m % 3 == 1 ? -0.2 : 0.7);
            assert_near(felt, vec3_dot(row.axes[axis], vec3(0.3, -0.2, 0.7)), 1e-12);
        }
        cloth_free(&world);
    }
    assert_int_equal(balanced, 1200);
}

// A contact that asks for it is pushed at its own points, wherever the point that both sides have in common would be.
static void forces_act_near_their_points(void **state) {
    (void)state;
    static cloth a, b;
    cdg_random random = {7};
    cloth_tetrahedron(&a, 0.05);
    cloth_tetrahedron(&b, 0.05);
    cloth_world world = {.cloths = {&a, &b}, .count = 2};
    assert_int_equal(cloth_build(&world), CDG_OK);
    cdg_pieces *p = &world.contacts.pieces;
    cdg_contact contact = random_contact(VERTEX_AND_TRIANGLE, &random, (uint32_t)p->element_count);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < 2; i++) cloth_predict(NULL, world.cloths[i], vec3(0, 0, 0), 1);
        cdg_pieces_load(p, 1);
        cdg_vec3 apart = vec3_sub(point_at(p, p->next, &contact, 0), point_at(p, p->next, &contact, 1));
        if (pass == 0) cloth_place(&b, (cdg_quat){1, 0, 0, 0}, vec3_sub(apart, vec3(0.06, 0.05, 0.06)), vec3(0, 0, 0));
    }
    contact.normal = vec3(0, 0, 1), contact.far_share = 1e-6;
    const double weight[6] = {1, 0, 0, -contact.point[1].x, -contact.point[1].y, -contact.point[1].z};
    cdg_contact_row row;
    cdg_surface_row(p, NULL, &contact, true, &row);
    for (size_t n = 0; n < 6; n++) assert_near(row.jacobian[3 * n + 2][0], weight[n], 1e-15);
    cloth_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_balance), cmocka_unit_test(forces_act_near_their_points)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
