// Sweeps eight at a time end where Signorini's and Coulomb's laws hold for all rows at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contacts.h"
#include "math/random.h"
#include "near.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Point 0 and the last element never move.
typedef struct problem {
    size_t point_count, element_count, row_count;
    double *give, *turn_give, *force_before, *torque_before;
    cdg_contact_row *rows;
    cdg_sweep_link *links;
} problem;

static double give_of(const cdg_contact_row *row, int m) { return m < 12 ? row->give[m / 3] : row->give[m - 8]; }

// Points are anywhere, or among `reach` from one on.
static void make_row(problem *it, cdg_contact_row *row, cdg_random *random, bool meets_all, size_t from, size_t reach) {
    *row = (cdg_contact_row){.friction = 0.4 * (random_bits(random) % 3), .tolerance = 1e-9};
    for (size_t i = 0; i < 4; i++) {
        bool is_new = false;
        while (!is_new) {
            row->point[i] = i == 0 && meets_all ? 1 : (uint32_t)(from + random_bits(random) % reach);
            is_new = true;
            for (size_t k = 0; k < i; k++) is_new = is_new && row->point[k] != row->point[i];
        }
        row->give[i] = it->give[row->point[i]];
    }
    for (size_t i = 0; i < 2; i++) {
        // an element belongs to its first point, so that none is shared without it
        row->element[i] = row->point[2 * i] == 0 ? (uint32_t)it->element_count - 1 : row->point[2 * i] - 1;
        row->give[4 + i] = it->turn_give[row->element[i]];
    }
    for (int m = 0; m < 14; m++)
        for (int k = 0; k < 3; k++) row->jacobian[m][k] = random_in(random, -1, 1);
    for (int k = 0; k < 3; k++) row->offset[k] = random_in(random, -1e-3, 1e-3);
    // Turned to tangents that do not move each other.
    double one = 0, both = 0, two = 0;
    for (int m = 0; m < 14; m++) {
        one += give_of(row, m) * row->jacobian[m][1] * row->jacobian[m][1];
        both += give_of(row, m) * row->jacobian[m][1] * row->jacobian[m][2];
        two += give_of(row, m) * row->jacobian[m][2] * row->jacobian[m][2];
    }
    double angle = 0.5 * atan2(2 * both, one - two);
    for (int m = 0; m < 15; m++) {
        double *j = m < 14 ? row->jacobian[m] : row->offset, first = j[1];
        j[1] = cos(angle) * first + sin(angle) * j[2];
        j[2] = cos(angle) * j[2] - sin(angle) * first;
    }
    for (int m = 0; m < 14; m++) {
        const double *j = row->jacobian[m], give = give_of(row, m);
        static const int first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {0, 1, 2, 1, 2, 2};
        for (int n = 0; n < 6; n++) row->answer[n] += give * j[first[n]] * j[second[n]];
    }
    row->axes[0] = (cdg_vec3){1, 0, 0}, row->axes[1] = (cdg_vec3){0, 1, 0}, row->axes[2] = (cdg_vec3){0, 0, 1};
    row->force[0] = fmax(0, random_in(random, -1, 1));
}

// `reach`: of how many neighbouring points a row takes its own.
static problem make_local_problem(cdg_random *random, size_t points, size_t rows, bool meets_all, size_t reach) {
    problem it = {points,
                  points,
                  rows,
                  calloc(points, sizeof(double)),
                  calloc(points, sizeof(double)),
                  calloc(points, 3 * sizeof(double)),
                  calloc(points, sizeof(double)),
                  calloc(rows, sizeof(cdg_contact_row)),
                  calloc(rows, sizeof(cdg_sweep_link))};
    for (size_t i = 1; i < points; i++) it.give[i] = i % 7 == 0 ? 0 : random_in(random, 1e-4, 1e-3);
    for (size_t e = 0; e + 1 < points; e++) it.turn_give[e] = random_in(random, 1e-4, 1e-3);
    for (size_t i = 3; i < 3 * points; i++) it.force_before[i] = random_in(random, -1, 1);
    for (size_t e = 0; e + 1 < points; e++) it.torque_before[e] = random_in(random, -1, 1);
    for (size_t i = 0; i < rows; i++) {
        cdg_contact_row *row = &it.rows[i];
        cdg_sweep_link *link = &it.links[i];
        make_row(&it, row, random, meets_all, i * (points - reach) / rows, reach);
        memcpy(link->point, row->point, sizeof link->point);
        memcpy(link->element, row->element, sizeof link->element);
    }
    return it;
}

static problem make_problem(cdg_random *random, size_t points, size_t rows, bool meets_all) {
    return make_local_problem(random, points, rows, meets_all, points);
}

static void free_problem(problem *it) {
    free(it->give);
    free(it->turn_give);
    free(it->force_before);
    free(it->torque_before);
    free(it->rows);
    free(it->links);
}

// By how much the forces on points and elements differ from those before, times their give.
static void find_moves(const problem *it, double *move, double *turn) {
    for (size_t i = 0; i < 3 * it->point_count; i++) move[i] = -it->give[i / 3] * it->force_before[i];
    for (size_t e = 0; e < it->element_count; e++) turn[e] = -it->turn_give[e] * it->torque_before[e];
    for (size_t i = 0; i < it->row_count; i++) {
        const cdg_contact_row *row = &it->rows[i];
        for (int m = 0; m < 14; m++) {
            const double *j = row->jacobian[m];
            double change = give_of(row, m) * (j[0] * row->force[0] + j[1] * row->force[1] + j[2] * row->force[2]);
            *(m < 12 ? &move[3 * row->point[m / 3] + (size_t)m % 3] : &turn[row->element[m - 12]]) += change;
        }
    }
}

static void check_laws(const problem *it, size_t seen[3]) {
    double *move = malloc(3 * it->point_count * sizeof *move), *turn = malloc(it->element_count * sizeof *turn);
    find_moves(it, move, turn);
    for (size_t i = 0; i < it->row_count; i++) {
        const cdg_contact_row *row = &it->rows[i];
        double u[3] = {row->offset[0], row->offset[1], row->offset[2]}, near = 1e-8;
        for (int m = 0; m < 14; m++)
            for (int k = 0; k < 3; k++)
                u[k] += row->jacobian[m][k] *
                        (m < 12 ? move[3 * row->point[m / 3] + (size_t)m % 3] : turn[row->element[m - 12]]);
        assert_true(row->force[0] >= 0);
        assert_true(u[0] > -near);
        if (row->force[0] > 0) assert_near(u[0], 0, near);
        double friction = hypot(row->force[1], row->force[2]), most = row->friction * row->force[0];
        assert_true(friction <= most * (1 + 1e-9));
        if (row->force[0] == 0) {
            seen[0]++;
        } else if (friction < most * (1 - 1e-9)) {
            assert_near(u[1], 0, near);
            assert_near(u[2], 0, near);
            seen[1]++;
        } else if (most > 0) { // opposes the slip
            double slip = hypot(u[1], u[2]);
            assert_near(row->force[1] * slip, -u[1] * most, 1e-4 * most * (slip + near));
            assert_near(row->force[2] * slip, -u[2] * most, 1e-4 * most * (slip + near));
            seen[2]++;
        }
    }
    free(move);
    free(turn);
}

static void fill(const void *user, cdg_sweep_batch *batch) {
    const problem *it = user;
    static const int own[3] = {0, 3, 5};
    for (int lane = 0; lane < CDG_BATCH; lane++) {
        if (batch->row[lane] == UINT32_MAX) continue;
        const cdg_contact_row *row = &it->rows[batch->row[lane]];
        for (int m = 0; m < 14; m++)
            for (int k = 0; k < 3; k++)
                batch->column[m / 2][k][m % 2][lane] = (float)(sqrt(give_of(row, m)) * row->jacobian[m][k]);
        for (int k = 0; k < 3; k++) {
            double answer = row->answer[own[k]];
            batch->answer[k][lane] = (float)answer;
            batch->inverse[k][lane] = answer > 0 ? (float)(1 / answer) : 0;
            batch->offset[k][lane] = row->offset[k];
            batch->force[k][lane] = row->force[k];
        }
        for (int k = 0; k < 2; k++) batch->across[k][lane] = (float)row->answer[1 + k];
        batch->friction[lane] = row->friction;
        batch->tolerance[lane] = (float)row->tolerance;
        batch->pushes = batch->pushes || row->force[0] > 0;
        batch->rubs = batch->rubs || row->friction > 0;
    }
}

static int solve_on(cdg_sweeper *sweeper, const problem *it, int most, int thread_count) {
    for (size_t i = 0; i < it->row_count; i++)
        it->links[i].is_active = it->rows[i].force[0] > 0 || it->rows[i].offset[0] < 0;
    cdg_sweep_problem p = {.links = it->links,
                           .fill = fill,
                           .user = it,
                           .row_count = it->row_count,
                           .point_count = it->point_count,
                           .element_count = it->element_count,
                           .give = it->give,
                           .turn_give = it->turn_give,
                           .force_before = it->force_before,
                           .torque_before = it->torque_before,
                           .force_share = 1e-7,
                           .most = most,
                           .threads = thread_count};
    int sweeps = cdg_sweeper_solve(sweeper, &p);
    for (size_t i = 0; i < sweeper->batch_count; i++)
        for (int lane = 0; lane < CDG_BATCH; lane++)
            for (int k = 0; k < 3 && sweeper->batches[i].row[lane] != UINT32_MAX; k++)
                it->rows[sweeper->batches[i].row[lane]].force[k] = sweeper->batches[i].force[k][lane];
    return sweeps;
}

static int solve(cdg_sweeper *sweeper, const problem *it, int most) { return solve_on(sweeper, it, most, 1); }

static void laws_hold(void **state) {
    (void)state;
    cdg_random random = {41};
    cdg_sweeper sweeper = {0};
    size_t seen[3] = {0};
    static const struct {
        size_t points, rows;
        bool meets_all; // more rows at one point than there are colours at once
    } cases[] = {{40, 9, false},    {300, 70, false}, {2000, 600, false},
                 {1500, 150, true}, {5, 1, false},    {30, 0, false}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int round = 0; round < 4; round++) {
            problem it = make_problem(&random, cases[k].points, cases[k].rows, cases[k].meets_all);
            int sweeps = solve(&sweeper, &it, 5000);
            assert_true(sweeps >= 1 && sweeps < 5000);
            check_laws(&it, seen);
            free_problem(&it);
        }
    print_message("%zu open, %zu stick, %zu slide\n", seen[0], seen[1], seen[2]);
    assert_true(seen[0] > 500 && seen[1] > 100 && seen[2] > 200);
    cdg_sweeper_free(&sweeper);
}

// What is solved needs no more than a look, and changes by rounding.
static void solved_stays_solved(void **state) {
    (void)state;
    cdg_random random = {43};
    cdg_sweeper sweeper = {0};
    problem it = make_problem(&random, 2000, 600, false);
    assert_true(solve(&sweeper, &it, 5000) < 5000);
    assert_true(solve(&sweeper, &it, 5000) <= 8);
    size_t seen[3] = {0};
    check_laws(&it, seen);
    free_problem(&it);
    cdg_sweeper_free(&sweeper);
}

// Rows of a rope are cut into halves, of which two threads take one each; more threads share colours out.
static void threads_change_nothing(void **state) {
    (void)state;
    enum { ROWS = 4000, THREADS_MAX = 3 };
    cdg_sweeper sweeper = {0};
    cdg_contact_row *rows[THREADS_MAX + 1] = {NULL};
    int sweeps[THREADS_MAX + 1];
    for (int thread_count = 1; thread_count <= THREADS_MAX; thread_count++) {
        cdg_random random = {47};
        problem it = make_local_problem(&random, 9000, ROWS, false, 60);
        sweeps[thread_count] = solve_on(&sweeper, &it, 5000, thread_count);
        assert_true(sweeper.is_halved);
        size_t seen[3] = {0}, halves[3] = {0};
        check_laws(&it, seen);
        assert_true(seen[0] > 100 && seen[1] > 100 && seen[2] > 100);
        for (size_t i = 0; i < sweeper.batch_count; i++) halves[sweeper.half_at[i]]++;
        assert_true(halves[0] > ROWS / CDG_BATCH / 3 && halves[1] > ROWS / CDG_BATCH / 3 && halves[2] > 0);
        rows[thread_count] = it.rows;
        it.rows = NULL;
        free_problem(&it);
        assert_int_equal(sweeps[thread_count], sweeps[1]);
        for (size_t i = 0; i < ROWS; i++)
            assert_memory_equal(rows[thread_count][i].force, rows[1][i].force, sizeof rows[1][i].force);
    }
    for (int thread_count = 1; thread_count <= THREADS_MAX; thread_count++) free(rows[thread_count]);
    cdg_sweeper_free(&sweeper);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold), cmocka_unit_test(solved_stays_solved),
                                       cmocka_unit_test(threads_change_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
