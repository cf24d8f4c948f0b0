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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(forces_and_moments_balance),
                                       cmocka_unit_test(gaps_change_as_foretold)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
