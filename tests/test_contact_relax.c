// Block Gauss-Seidel on the matrix between contacts: the laws of contact hold, forces are those of alternating
// directions, and what cannot be is given up early.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_relax.h"
#include "math/random.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { COUNT = 40, N = 3 * COUNT };

typedef struct dense_case {
    double answer[N][N];
    cdg_coupled_contact contacts[COUNT];
    cdg_condensed matrix;
    uint32_t place[COUNT][2];
    cdg_condensed_member members[COUNT];
    cdg_condensed_group group;
    double blocks[COUNT * COUNT * 9], diagonal[COUNT * 9];
} dense_case;

// All on one object.
static void condense(dense_case *it) {
    it->group = (cdg_condensed_group){.count = COUNT};
    it->matrix = (cdg_condensed){.count = COUNT,
                                 .place = it->place,
                                 .members = it->members,
                                 .groups = &it->group,
                                 .group_count = 1,
                                 .blocks = it->blocks,
                                 .diagonal = it->diagonal};
    for (uint32_t i = 0; i < COUNT; i++) {
        it->place[i][0] = i, it->place[i][1] = UINT32_MAX;
        it->members[i] = (cdg_condensed_member){.number = i};
        for (size_t j = 0; j < COUNT; j++)
            for (size_t k = 0; k < 9; k++)
                it->blocks[9 * (i * COUNT + j) + k] = it->answer[3 * i + k / 3][3 * j + k % 3];
        memcpy(it->diagonal + 9 * (size_t)i, it->blocks + 9 * (i * (size_t)COUNT + i), 9 * sizeof(double));
    }
}

// Contacts along a chain: each moves its neighbours, the less the farther they are.
static dense_case *make(double friction, double reach) {
    dense_case *it = calloc(1, sizeof *it);
    cdg_random random = {11};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            it->answer[i][j] = i % 3 == j % 3 ? exp(-abs(i / 3 - j / 3) / reach) + (i == j ? 0.05 : 0) : 0;
    for (int c = 0; c < COUNT; c++) {
        it->contacts[c] = (cdg_coupled_contact){.friction = friction, .tolerance = 1e-7};
        it->contacts[c].offset[0] = random_in(&random, -1, 0.3);
        for (int k = 1; k < 3; k++) it->contacts[c].offset[k] = random_in(&random, -0.3, 0.3);
    }
    condense(it);
    return it;
}

// Until it is as near as its tolerance, however far off it was.
static int solve(dense_case *it, int most, bool *is_good) {
    double *scratch = malloc(cdg_relax_scratch(COUNT) * sizeof *scratch);
    int sweeps = 0;
    for (int times = 0; times < 4; times++) {
        double before[N], after[N];
        for (int i = 0; i < N; i++) before[i] = it->contacts[i / 3].force[i % 3];
        sweeps += cdg_relax_solve(&it->matrix, it->contacts, 1, most, scratch, is_good);
        for (int i = 0; i < N; i++) before[i] = it->contacts[i / 3].force[i % 3] - before[i];
        for (size_t c = 0; c < COUNT; c++) {
            cdg_condensed_feel(&it->matrix, c, before, after);
            for (int k = 0; k < 3; k++) it->contacts[c].offset[k] += after[k];
        }
    }
    free(scratch);
    return sweeps;
}

static void laws_hold(void **state) {
    (void)state;
    size_t sliding = 0, sticking = 0, apart = 0;
    for (int round = 0; round < 6; round++) {
        dense_case *it = make(0.3 * round, 1 + 3 * round);
        bool is_good;
        solve(it, 2000, &is_good);
        assert_true(is_good);
        for (int c = 0; c < COUNT; c++) {
            const double *f = it->contacts[c].force, *u = it->contacts[c].offset;
            double tangential = hypot(f[1], f[2]), most = it->contacts[c].friction * f[0];
            assert_true(f[0] >= 0 && u[0] > -1e-6);
            assert_near(f[0] * u[0], 0, 1e-5);
            assert_true(tangential <= most * (1 + 1e-12));
            apart += f[0] == 0;
            if (f[0] == 0) continue;
            double slip = hypot(u[1], u[2]);
            if (slip > 1e-5) { // opposes it
                assert_near(tangential, most, 1e-4);
                assert_near(f[1] * u[1] + f[2] * u[2], -tangential * slip, 1e-5);
                sliding++;
            } else {
                sticking++;
            }
        }
        free(it);
    }
    assert_true(sliding > 10 && sticking > 10 && apart > 10);
}

// Where friction does not matter the forces are one solution, whoever finds them.
static void forces_are_those_of_alternating_directions(void **state) {
    (void)state;
    dense_case *it = make(0, 4), *other = make(0, 4);
    bool is_good, is_other_good;
    solve(it, 2000, &is_good);
    double *scratch = malloc(cdg_coupled_scratch(COUNT) * sizeof *scratch);
    cdg_coupled_solve(other->contacts, COUNT, &other->answer[0][0], scratch, &is_other_good);
    assert_true(is_good && is_other_good);
    for (int c = 0; c < COUNT; c++) assert_near(it->contacts[c].force[0], other->contacts[c].force[0], 1e-4);
    free(scratch);
    free(it);
    free(other);
}

// A gap that no force opens: sweeps end long before the limit.
static void what_cannot_be_is_given_up(void **state) {
    (void)state;
    dense_case *it = make(0.3, 1);
    for (int k = 0; k < 3; k++) // two contacts that press each other in
        for (int m = 0; m < 3; m++) it->answer[k][3 + m] = it->answer[3 + k][m] = k == m ? -it->answer[k][k] : 0;
    it->contacts[0].offset[0] = it->contacts[1].offset[0] = -1;
    condense(it);
    double *scratch = malloc(cdg_relax_scratch(COUNT) * sizeof *scratch);
    bool is_good;
    int sweeps = cdg_relax_solve(&it->matrix, it->contacts, 1, 5000, scratch, &is_good);
    assert_false(is_good);
    assert_true(sweeps < 300);
    free(scratch);
    free(it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(laws_hold),
        cmocka_unit_test(forces_are_those_of_alternating_directions),
        cmocka_unit_test(what_cannot_be_is_given_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
