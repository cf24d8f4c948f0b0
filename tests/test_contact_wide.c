// Rows of contacts between surfaces in batches: turned tangents do not move each other, and nothing else about the
// contact changes; a batch and its links hold each point of a row, with its own columns, in one slot.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_wide.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

#include <string.h>

// Slots are what links and batches have in common: the point in slot `n` has the batch's columns 3 n to 3 n + 2.
enum { TRIALS = 200, SLOTS = CDG_ROW_POINTS, BATCH_SLOTS = 4, POINTS = 20 };

// The contact's answers, which follow from its Jacobian and from what answers a force.
static void find_answer(const cdg_contact_row *row, double out[6]) {
    int n = 0;
    for (int a = 0; a < 3; a++)
        for (int b = a; b < 3; b++) {
            out[n] = 0;
            for (uint32_t m = 0; m < contact_row_move_count(row); m++) {
                double give = row->give[m < 3 * row->point_count ? m / 3 : m - 2 * row->point_count];
                out[n] += give * row->jacobian[m][a] * row->jacobian[m][b];
            }
            n++;
        }
}

static cdg_contact_row random_row(cdg_random *random, uint32_t point_count) {
    cdg_contact_row row = {.point_count = point_count, .friction = 0.3, .tolerance = 1e-6, .element = {3, 5}};
    for (uint32_t n = 0; n < point_count; n++) row.point[n] = 2 + 3 * n;
    for (uint32_t n = 0; n < point_count + 2; n++) row.give[n] = n == 1 ? 0 : random_in(random, 0.1, 2);
    for (uint32_t m = 0; m < contact_row_move_count(&row); m++)
        for (int k = 0; k < 3; k++) row.jacobian[m][k] = random_in(random, -1, 1);
    for (int k = 0; k < 3; k++) row.offset[k] = random_in(random, -1, 1), row.force[k] = random_in(random, 0, 1);
    row.axes[0] = vec3_normalize(random_vec3(random, 1));
    row.axes[1] = vec3_normalize(vec3_cross(row.axes[0], vec3(0.3, 0.5, -0.7)));
    row.axes[2] = vec3_cross(row.axes[0], row.axes[1]);
    find_answer(&row, row.answer);
    return row;
}

// A vector by its components along the row's axes.
static cdg_vec3 in_space(const cdg_contact_row *row, const double v[3]) {
    cdg_vec3 sum = vec3_scale(v[0], row->axes[0]);
    return vec3_mad(vec3_mad(sum, v[1], row->axes[1]), v[2], row->axes[2]);
}

static void turned_tangents_do_not_move_each_other(void **state) {
    (void)state;
    cdg_random random = {5};
    for (int i = 0; i < TRIALS; i++) {
        cdg_contact_row before = random_row(&random, i % 2 == 0 ? 4 : 6), row = before;
        assert_true(fabs(before.answer[4]) > 1e-9);
        cdg_contact_turn_tangents(&row);
        assert_float_equal(row.answer[4], 0, 0);
        double answer[6];
        find_answer(&row, answer); // the new Jacobian has the new answers
        for (int n = 0; n < 6; n++) assert_near(row.answer[n], answer[n], 1e-12);
        assert_near(row.answer[3] + row.answer[5], before.answer[3] + before.answer[5], 1e-12);
        assert_near(row.answer[3] * row.answer[5],
                    before.answer[3] * before.answer[5] - before.answer[4] * before.answer[4], 1e-11);
    }
}

static void turned_tangents_are_the_same_contact(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int i = 0; i < TRIALS; i++) {
        cdg_contact_row before = random_row(&random, i % 2 == 0 ? 4 : 6), row = before;
        cdg_contact_turn_tangents(&row);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++) assert_near(vec3_dot(row.axes[a], row.axes[b]), a == b, 1e-14);
        assert_vec3_near(row.axes[0], before.axes[0], 0);
        assert_vec3_near(vec3_cross(row.axes[1], row.axes[2]), row.axes[0], 1e-14); // still a right-handed frame
        assert_vec3_near(in_space(&row, row.force), in_space(&before, before.force), 1e-14);
        assert_vec3_near(in_space(&row, row.offset), in_space(&before, before.offset), 1e-14);
        for (uint32_t m = 0; m < contact_row_move_count(&row); m++)
            assert_vec3_near(in_space(&row, row.jacobian[m]), in_space(&before, before.jacobian[m]), 1e-14);
        assert_near(row.answer[0], before.answer[0], 0);
    }
}

// Tangents stay as they are where friction along one does not move the contact along the other.
static void tangents_that_are_apart_stay(void **state) {
    (void)state;
    cdg_random random = {9};
    cdg_contact_row before = random_row(&random, 6);
    before.answer[4] = 0, before.answer[5] = before.answer[3]; // no direction is better than another
    cdg_contact_row row = before;
    cdg_contact_turn_tangents(&row);
    assert_memory_equal(&row, &before, sizeof row);
}

static double column(const cdg_sweep_batch *batch, const cdg_sweep_more *more, uint32_t m, int k, size_t lane) {
    uint32_t beyond = m - 3 * BATCH_SLOTS;
    if (m < 3 * BATCH_SLOTS) return (double)batch->column[m / 2][k][m % 2][lane];
    return (double)more->column[beyond / 2][k][beyond % 2][lane];
}

// The slot of a row's point according to its link; SLOTS: none.
static uint32_t slot_of(const cdg_sweep_link *link, uint32_t number) {
    for (uint32_t slot = 0; slot < SLOTS; slot++)
        if ((slot < BATCH_SLOTS ? link->point[slot] : link->more[slot - BATCH_SLOTS]) == number) return slot;
    return SLOTS;
}

static void check_lane(const cdg_contact_row *row, const cdg_sweep_link *link, cdg_local_points *local,
                       const cdg_pieces *pieces, const cdg_sweep_batch *batch, const cdg_sweep_more *more,
                       size_t lane) {
    bool is_taken[SLOTS] = {false};
    for (uint32_t n = 0; n < row->point_count; n++) {
        uint32_t slot = slot_of(link, cdg_local_points_number(local, pieces, row->point[n]));
        assert_true(slot < SLOTS && !is_taken[slot]);
        is_taken[slot] = true;
        // of either side two points are in the batch itself, side by side
        assert_true(slot >= BATCH_SLOTS || slot / 2 == n / (row->point_count / 2));
        for (uint32_t m = 0; m < 3; m++)
            for (int k = 0; k < 3; k++)
                assert_near(column(batch, more, 3 * slot + m, k, lane),
                            sqrt(row->give[n]) * row->jacobian[3 * n + m][k], 2e-7);
    }
    for (uint32_t i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++)
            assert_near((double)batch->column[6][k][i][lane],
                        sqrt(contact_row_turn_give(row, i)) * contact_row_turn(row, i)[k], 2e-7);
    for (int k = 0; k < 3; k++) {
        double answer = row->answer[k == 0 ? 0 : k == 1 ? 3 : 5];
        assert_near((double)batch->answer[k][lane], answer, 1e-6 * answer);
        assert_near((double)(batch->inverse[k][lane] * batch->answer[k][lane]), 1, 1e-6);
        assert_float_equal(batch->offset[k][lane], row->offset[k], 0);
        assert_float_equal(batch->force[k][lane], row->force[k], 0);
    }
    for (int k = 0; k < 2; k++) assert_near((double)batch->across[k][lane], row->answer[1 + k], 1e-6);
}

static void batches_and_links_agree(void **state) {
    (void)state;
    cdg_random random = {11};
    cdg_contact_row rows[2] = {random_row(&random, 4), random_row(&random, 6)};
    double give[POINTS] = {0};
    cdg_vec3 force_before[POINTS] = {{0}};
    for (int i = 1; i < POINTS; i++) give[i] = i;
    cdg_contacts c = {
        .rows = rows,
        .pieces = {.point_count = POINTS, .point_capacity = POINTS, .give = give, .force_before = force_before}};
    assert_true(cdg_local_points_start(&c.local, &c.pieces));
    cdg_sweep_link links[2];
    const cdg_contact apart = {.gap = 1, .normal = {0, 0, 1}};
    const cdg_contact pushing = {.gap = 1, .normal = {0, 0, 1}, .force = {0, 0, 2}};
    cdg_contact_link_row(&c, &rows[0], &apart, &links[0]);
    cdg_contact_link_row(&c, &rows[1], &pushing, &links[1]);
    assert_true(!links[0].is_active && links[1].is_active);
    cdg_sweep_batch batch = {0};
    cdg_sweep_more more = {0};
    memset(batch.row, 0xff, sizeof batch.row); // no row
    batch.row[1] = 1, batch.row[CDG_BATCH - 1] = 0;
    cdg_contact_fill_wide(&c, &batch, &more);
    check_lane(&rows[1], &links[1], &c.local, &c.pieces, &batch, &more, 1);
    check_lane(&rows[0], &links[0], &c.local, &c.pieces, &batch, &more, CDG_BATCH - 1);
    assert_true(batch.pushes && batch.rubs);
    for (int k = 0; k < 3; k++) assert_float_equal(batch.inverse[k][0], 0, 0); // an empty lane
    cdg_local_points_free(&c.local);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(turned_tangents_do_not_move_each_other),
        cmocka_unit_test(turned_tangents_are_the_same_contact),
        cmocka_unit_test(tangents_that_are_apart_stay),
        cmocka_unit_test(batches_and_links_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
