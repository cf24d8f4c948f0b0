// How contacts on implicit rods move each other: as a force does when the rod is predicted again.
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

// A rod and a ring lie on the floor, the rod across the ring, after a step.
static cdg_world *lie(cdg_model model) {
    cdg_world *world = contact_world(vec3(0, 0.5, -9.81), 2e-3, 0.3, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    cdg_rod_def ring = contact_rod("ring", vec3(0, 0, 0), vec3(0, 0, 0), 4e-3, 24);
    ring.model = model;
    ring.centerline.kind = CDG_CENTERLINE_CIRCLE;
    ring.centerline.closed = true;
    ring.centerline.circle.center = vec3(0, 0, 3.999e-3);
    ring.centerline.circle.axis = vec3(0, 0, 1);
    ring.centerline.circle.radius = 0.05;
    ring.rest.kind = CDG_REST_INITIAL;
    contact_add(world, &ring);
    cdg_rod_def rod = contact_rod("rod", vec3(-0.08, 0.01, 11.999e-3), vec3(0.08, 0, 11.999e-3), 4e-3, 16);
    rod.model = model;
    contact_add(world, &rod);
    contact_run(world, 4);
    return world;
}

// Which rows have a rod that answers, and what each does to each: 3 x 3 of all pairs, columns first.
static double *couplings(const cdg_contacts *c, size_t *count) {
    uint32_t *numbers = malloc(c->row_count * sizeof *numbers);
    for (uint32_t i = 0; i < c->row_count; i++) numbers[i] = i;
    *count = c->row_count;
    size_t n = 3 * c->row_count;
    double *out = calloc(n * n, sizeof *out);
    cdg_listed_side *sides = malloc(2 * c->row_count * sizeof *sides);
    size_t listed = cdg_coupling_list_sides(&c->pieces, c->rows, numbers, c->row_count, sides);
    for (size_t j = 0; j < n; j++)
        cdg_coupling_add_column(&c->coupling, &c->pieces, &c->rows[j / 3], (int)(j % 3), sides, listed, out + j * n);
    free(sides);
    free(numbers);
    return out;
}

// What a moves by a force on b, b moves by a force on a.
static void coupling_is_mutual(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        cdg_contacts *c = &world->contacts;
        assert_true(c->row_count > 20);
        size_t count, pairs = 0;
        double *all = couplings(c, &count);
        size_t n = 3 * count;
        for (size_t a = 0; a < n; a++) {
            assert_true(all[a * n + a] > 0);
            for (size_t b = 0; b < n; b++) {
                if (all[a * n + b] == 0 || all[b * n + a] == 0) continue;
                assert_near(all[a * n + b], all[b * n + a], 1e-3 * fmax(all[a * n + a], all[b * n + b]));
                pairs++;
            }
        }
        assert_true(pairs > 20 * count);
        free(all);
        cdg_world_destroy(world);
    }
}

// A row's own answer is what its force does where it acts, on open and on closed rods.
static void own_answers_are_diagonals(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    static const int diagonal[] = {0, 3, 5};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        const cdg_contacts *c = &world->contacts;
        const cdg_pieces *p = &c->pieces;
        for (uint32_t e = 0; e < p->element_count; e++) { // a contact with the floor, put onto every element
            cdg_contact_row row = c->rows[0];
            const uint32_t number = 0;
            row.element[0] = e, row.element[1] = (uint32_t)p->element_count;
            row.object[0] = p->object_of[e], row.object[1] = UINT32_MAX;
            memset(row.answer, 0, sizeof row.answer);
            cdg_listed_side sides[2];
            size_t listed = cdg_coupling_list_sides(p, &row, &number, 1, sides);
            cdg_coupling_add_own(&c->coupling, p, &row);
            double column[3][3] = {{0}};
            for (int axis = 0; axis < 3; axis++) {
                double own = row.answer[diagonal[axis]];
                cdg_coupling_add_column(&c->coupling, p, &row, axis, sides, listed, column[axis]);
                assert_true(own > 0);
                assert_near(own, column[axis][axis], 1e-12 * own);
            }
            for (int a = 0; a < 3; a++) // between two axes: the mean of both ways
                for (int b = a + 1; b < 3; b++)
                    assert_near(row.answer[a + b + (a > 0)], (column[a][b] + column[b][a]) / 2, 1e-12 * row.answer[0]);
            double along = row.answer[0];
            row.friction = 0; // nothing acts along the surface
            memset(row.answer, 0, sizeof row.answer);
            cdg_coupling_add_own(&c->coupling, p, &row);
            assert_near(row.answer[0], along, 1e-12 * along);
            assert_true(row.answer[1] == 0 && row.answer[2] == 0 && row.answer[4] == 0);
            assert_true(row.answer[3] > 0 && row.answer[5] > 0);
        }
        cdg_world_destroy(world);
    }
}

// One response of each rod does what all columns together do.
static void responses_are_sums_of_columns(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        cdg_contacts *c = &world->contacts;
        cdg_pieces *p = &c->pieces;
        size_t count;
        double *all = couplings(c, &count);
        cdg_coupling_start(&c->coupling, p, c->rows, c->row_count);
        assert_int_equal(c->coupling.active_count, 2);
        memset(p->force, 0, p->point_count * sizeof *p->force);
        memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
        cdg_contact_row *pushed = &c->rows[count / 2]; // along its normal
        double *force = &p->force[0].x;
        for (int k = 0; k < 12; k++) force[3 * pushed->point[k / 3] + (unsigned)(k % 3)] += pushed->jacobian[k][0];
        for (int k = 0; k < 2; k++) p->torque[pushed->element[k]] += pushed->jacobian[12 + k][0];
        p->force[CDG_STILL_POINT] = vec3(0, 0, 0);
        memset(p->move, 0, p->point_count * sizeof *p->move);
        memset(p->more_turn, 0, (p->element_count + 1) * sizeof *p->more_turn);
        cdg_coupling_respond(&c->coupling, p, NULL, NULL);
        double largest = all[(3 * (count / 2)) * 3 * count + 3 * (count / 2)];
        for (size_t i = 0; i < count; i++) {
            double felt = 0;
            for (int k = 0; k < 12; k++)
                felt += c->rows[i].jacobian[k][0] * (&p->move[0].x)[3 * c->rows[i].point[k / 3] + (unsigned)(k % 3)];
            for (int k = 0; k < 2; k++) felt += c->rows[i].jacobian[12 + k][0] * p->more_turn[c->rows[i].element[k]];
            assert_near(felt, all[3 * (count / 2) * 3 * count + 3 * i], 1e-3 * largest);
        }
        free(all);
        cdg_world_destroy(world);
    }
}

// What is touched answers the same when it is made quick, to single precision; a ring is not.
static void light_answers_are_the_same(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        cdg_contacts *c = &world->contacts;
        cdg_pieces *p = &c->pieces;
        cdg_coupling_start(&c->coupling, p, c->rows, c->row_count);
        memset(p->force, 0, p->point_count * sizeof *p->force);
        memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
        for (size_t i = 0; i < c->row_count; i++)
            for (int k = 0; k < 4; k++) p->force[c->rows[i].point[k]] = vec3(0.1 * (double)i, 1, -0.3);
        p->force[CDG_STILL_POINT] = vec3(0, 0, 0);
        cdg_vec3 *exact = calloc(p->point_count, sizeof *exact);
        cdg_coupling_respond_touched(&c->coupling, p);
        memcpy(exact, p->move, p->point_count * sizeof *exact);
        cdg_coupling_lighten(&c->coupling, p);
        assert_false(c->coupling.objects[0].is_light);
        assert_true(c->coupling.objects[1].is_light);
        cdg_coupling_respond_touched(&c->coupling, p);
        double largest = 0, most = 0;
        for (size_t i = 0; i < p->point_count; i++) {
            largest = fmax(largest, vec3_norm(exact[i]));
            most = fmax(most, vec3_distance(exact[i], p->move[i]));
        }
        assert_true(largest > 0 && most > 0 && most < 1e-5 * largest);
        cdg_coupling_start(&c->coupling, p, c->rows, c->row_count);
        assert_false(c->coupling.objects[1].is_light);
        free(exact);
        cdg_world_destroy(world);
    }
}

// Rows of a rod in ascending order of its segments, which are all on the floor or the ring.
static size_t list_rows(const cdg_contacts *c, uint32_t object, uint32_t least, uint32_t most, uint32_t *numbers) {
    size_t count = 0;
    for (uint32_t i = 0; i < c->row_count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t local = c->rows[i].element[k] - c->pieces.first_element[object];
            bool is_of_it = c->rows[i].object[k] == object && local >= least && local <= most;
            if (is_of_it && (count == 0 || numbers[count - 1] != i)) numbers[count++] = i;
        }
    return count;
}

// Where some of the rows are solved for, what lies between them is touched and answers as ever; a rod without any does
// nothing, and a ring is touched all round.
static void parts_are_touched(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        cdg_contacts *c = &world->contacts;
        cdg_pieces *p = &c->pieces;
        uint32_t numbers[256];
        assert_true(c->row_count <= 256);
        cdg_coupling_start(&c->coupling, p, c->rows, c->row_count);
        const cdg_coupled *ring = &c->coupling.objects[0], *rod = &c->coupling.objects[1];
        size_t count = list_rows(c, 1, 0, 7, numbers), first = SIZE_MAX, end = 0;
        assert_true(count > 0);
        for (size_t i = 0; i < count; i++)
            for (int k = 0; k < 2; k++) {
                if (c->rows[numbers[i]].object[k] != 1) continue;
                size_t local = c->rows[numbers[i]].element[k] - p->first_element[1];
                first = local < first ? local : first;
                end = local + 4 > end ? local + 4 : end;
            }
        cdg_coupling_touch(&c->coupling, p, c->rows, numbers, count);
        assert_int_equal(rod->touched.first, first);
        assert_int_equal(rod->touched.end, end);
        assert_true(end < 12 && ring->touched.first == 0 && ring->touched.end == 25);
        memset(p->force, 0, p->point_count * sizeof *p->force);
        memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
        const uint32_t *points = p->point_of + p->first_node[1];
        for (size_t i = first; i < rod->touched.end; i++) p->force[points[i]] = vec3(0.1 * (double)i, 1, -0.3);
        cdg_coupling_respond(&c->coupling, p, NULL, NULL);
        cdg_vec3 whole[17];
        for (size_t i = 0; i < 17; i++) whole[i] = p->move[points[i]], p->move[points[i]] = vec3(7, 7, 7);
        cdg_coupling_respond_touched(&c->coupling, p);
        for (size_t i = 0; i < 17; i++) {
            bool is_within = i >= first && i < rod->touched.end;
            cdg_vec3 expected = is_within ? whole[i] : vec3(7, 7, 7);
            assert_true(vec3_distance(p->move[points[i]], expected) <= 1e-9 * vec3_norm(expected));
        }
        cdg_coupling_touch(&c->coupling, p, c->rows, numbers, 0);
        assert_true(rod->touched.first == 0 && rod->touched.end == 0);
        cdg_coupling_lighten(&c->coupling, p);
        assert_false(rod->is_light);
        cdg_world_destroy(world);
    }
}

static void fill(double *numbers, size_t count, double scale) {
    for (size_t i = 0; i < count; i++) numbers[i] = scale * sin(1 + 7 * (double)i);
}

// Where holds yield, moves are those of the rod between still holds, and of its ways as far as loads along them go.
static void yielding_holds_add_their_ways(void **state) {
    (void)state;
    enum { NODES = 17, ELEMENTS = 16, WAYS = 2, ROW = 3 * NODES + ELEMENTS };
    cdg_world *world = lie(CDG_MODEL_DER);
    cdg_contacts *c = &world->contacts;
    cdg_pieces *p = &c->pieces;
    double way[WAYS * ROW], give[WAYS * WAYS] = {2e-3, 5e-4, 5e-4, 1e-3}, along[2 * WAYS], still[ROW];
    assert_int_equal(p->objects[1].point_count, NODES);
    fill(way, WAYS * ROW, 1);
    memset(p->force, 0, p->point_count * sizeof *p->force);
    memset(p->torque, 0, (p->element_count + 1) * sizeof *p->torque);
    const uint32_t *points = p->point_of + p->first_node[1];
    uint32_t first = p->first_element[1];
    for (size_t i = 0; i < NODES; i++) fill(&p->force[points[i]].x, 3, 0.1 * (double)i);
    fill(p->torque + first, ELEMENTS, 1e-3);
    double pushed[WAYS] = {0};
    for (size_t w = 0; w < WAYS; w++) {
        for (size_t i = 0; i < 3 * NODES; i++)
            pushed[w] += way[w * ROW + i] * (&p->force[points[i % NODES]].x)[i / NODES];
        for (size_t j = 0; j < ELEMENTS; j++) pushed[w] += way[w * ROW + 3 * NODES + j] * p->torque[first + j];
    }
    const cdg_yield yield = {WAYS, way, give, along};
    for (int yields = 0; yields < 2; yields++) {
        coupling_of(&c->coupling, p, 1)->yield = yields ? &yield : NULL;
        cdg_coupling_start(&c->coupling, p, c->rows, c->row_count);
        cdg_coupling_respond(&c->coupling, p, NULL, NULL);
        for (size_t i = 0; i < ROW; i++) {
            double now =
                i < 3 * NODES ? (&p->move[points[i % NODES]].x)[i / NODES] : p->more_turn[first + i - 3 * NODES];
            double gone = 0;
            for (size_t v = 0; v < WAYS; v++)
                for (size_t w = 0; w < WAYS; w++) gone += way[v * ROW + i] * give[v * WAYS + w] * pushed[w];
            if (!yields) still[i] = now;
            if (yields) assert_near(now, still[i] + gone, 1e-12);
        }
    }
    assert_true(fabs(pushed[0]) > 0.1 && fabs(pushed[1]) > 0.1);
    coupling_of(&c->coupling, p, 1)->yield = NULL;
    cdg_world_destroy(world);
}

// A solve moves gaps to where the rods, predicted again, have them: a second round finds nothing left to do.
static void rods_answer_as_foretold(void **state) {
    (void)state;
    static const cdg_model models[] = {CDG_MODEL_DER, CDG_MODEL_POBD};
    for (int m = 0; m < 2; m++) {
        cdg_world *world = lie(models[m]);
        for (int i = 0; i < 20; i++) {
            must(world, cdg_world_step(world, NULL));
            assert_true(world->contact_outcome.rounds <= 2);
            assert_true(world->contact_outcome.deepest < 2e-4);
        }
        cdg_world_destroy(world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(coupling_is_mutual),
        cmocka_unit_test(own_answers_are_diagonals),
        cmocka_unit_test(responses_are_sums_of_columns),
        cmocka_unit_test(light_answers_are_the_same),
        cmocka_unit_test(parts_are_touched),
        cmocka_unit_test(yielding_holds_add_their_ways),
        cmocka_unit_test(rods_answer_as_foretold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
