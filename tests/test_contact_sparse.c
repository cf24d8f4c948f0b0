// Forces on a sparse matrix between contacts of implicit surfaces: the matrix is what responses say, laws of contact
// hold, and matrices that are nearly full are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "contact/contacts.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

enum { OBJECTS = 12, POINTS = 6, EACH = 4, CONTACTS = EACH * (OBJECTS - 1), SIZE = 3 * POINTS };
static const uint32_t triangle[1][3] = {{0, 1, 2}};
static double answers[OBJECTS][SIZE][SIZE]; // of each object, symmetric and positive

static cdg_chain_range respond(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                               const double *torque, double cutoff, double *const move[3], double *turn) {
    double(*a)[SIZE] = (double(*)[SIZE])(uintptr_t)whole;
    (void)response, (void)torque, (void)cutoff, (void)turn;
    for (int i = 0; i < SIZE; i++) {
        double sum = 0;
        for (int j = 0; j < SIZE; j++) sum += a[i][j] * force[j % 3][j / 3];
        move[i % 3][i / 3] = sum;
    }
    return loaded;
}
static const cdg_proxy_operations operations = {.respond = respond};

// Objects in a row, each of which touches the next at some places.
typedef struct heap {
    cdg_proxy proxies[OBJECTS];
    cdg_coupled coupled[OBJECTS];
    uint32_t active[OBJECTS], numbers[CONTACTS];
    double field[8 * (POINTS + 1)];
    cdg_contact_row rows[CONTACTS];
    cdg_coupled_contact contacts[CONTACTS];
    cdg_pieces pieces;
    cdg_coupling coupling;
    cdg_contact_sparse sparse;
} heap;

static void make_answer(double a[SIZE][SIZE], cdg_random *random) {
    double root[SIZE][SIZE];
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) root[i][j] = random_in(random, -1, 1);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            a[i][j] = i == j ? 2e-3 : 0;
            for (int k = 0; k < SIZE; k++) a[i][j] += 1e-3 * root[i][k] * root[j][k];
        }
}

static void make_row(cdg_contact_row *row, uint32_t first, uint32_t second, cdg_random *random) {
    *row = (cdg_contact_row){.point_count = 6, .object = {first, second}, .friction = 0.4};
    for (uint32_t n = 0; n < 6; n++) {
        row->point[n] = 1 + n; // none is the still one
        row->local[n] = (n < 3 ? 0 : 3) + n % 3;
        for (int k = 0; k < 3; k++)
            for (int a = 0; a < 3; a++) row->jacobian[3 * n + k][a] = random_in(random, -1, 1);
    }
}

static void make(heap *it, cdg_random *random) {
    memset(it, 0, sizeof *it);
    for (uint32_t i = 0; i < OBJECTS; i++) {
        make_answer(answers[i], random);
        it->proxies[i] = (cdg_proxy){.operations = &operations,
                                     .point_count = POINTS,
                                     .is_implicit = true,
                                     .lead = i,
                                     .whole = answers[i],
                                     .triangles = triangle,
                                     .triangle_count = 1};
        it->coupled[i] = (cdg_coupled){.is_alone = true, .has_response = true, .next = UINT32_MAX, .size = POINTS};
        it->active[i] = i;
    }
    for (uint32_t c = 0; c < CONTACTS; c++) {
        make_row(&it->rows[c], c / EACH, c / EACH + 1, random);
        it->numbers[c] = c;
        it->contacts[c] = (cdg_coupled_contact){.friction = 0.4, .tolerance = 1e-9};
        for (int k = 0; k < 3; k++) it->contacts[c].offset[k] = random_in(random, -1, k == 0 ? 0.2 : 1) * 1e-2;
    }
    it->pieces = (cdg_pieces){.objects = it->proxies, .object_count = OBJECTS, .surfaces = {.count = OBJECTS}};
    it->coupling = (cdg_coupling){.objects = it->coupled,
                                  .object_count = OBJECTS,
                                  .has_implicit = true,
                                  .field = it->field,
                                  .field_count = POINTS + 1,
                                  .active = it->active,
                                  .active_count = OBJECTS};
}

// What contact j's force along axis b does to contact i along axis a.
static double between(const heap *it, size_t i, size_t j, int a, int b) {
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int t = 0; t < 2; t++) {
            const cdg_contact_row *to = &it->rows[i], *from = &it->rows[j];
            if (to->object[s] != from->object[t]) continue;
            for (int n = 0; n < 9; n++)
                for (int m = 0; m < 9; m++)
                    sum += to->jacobian[9 * s + n][a] * from->jacobian[9 * t + m][b] *
                           answers[to->object[s]][3 * to->local[3 * s + n / 3] + (uint32_t)n % 3]
                                  [3 * from->local[3 * t + m / 3] + (uint32_t)m % 3];
        }
    return sum;
}

static void laws_hold(void **state) {
    (void)state;
    cdg_random random = {77};
    heap it;
    for (int c = 0; c < 10; c++) {
        make(&it, &random);
        assert_int_equal(cdg_contact_sparse_fill(&it.sparse, &it.coupling, &it.pieces, it.rows, it.numbers, CONTACTS),
                         CDG_SPARSE_OK);
        static const int first[6] = {0, 0, 0, 1, 1, 2}, second[6] = {0, 1, 2, 1, 2, 2};
        for (size_t i = 0; i < CONTACTS; i++)
            for (int k = 0; k < 6; k++)
                assert_near(it.sparse.own[i][k], between(&it, i, i, first[k], second[k]), 1e-12);
        bool is_good = false;
        int sweeps = cdg_contact_sparse_solve(&it.sparse, it.contacts, 3000, &is_good);
        assert_true(is_good);
        assert_in_range(sweeps, 2, 3000);
        size_t pushing = 0, sliding = 0, sticking = 0;
        for (size_t i = 0; i < CONTACTS; i++) {
            double u[3];
            const double *f = it.contacts[i].force;
            for (int a = 0; a < 3; a++) {
                u[a] = it.contacts[i].offset[a];
                for (size_t j = 0; j < CONTACTS; j++)
                    for (int b = 0; b < 3; b++) u[a] += between(&it, i, j, a, b) * it.contacts[j].force[b];
            }
            double most = 0.4 * f[0], size = hypot(f[1], f[2]), slip = hypot(u[1], u[2]);
            assert_true(f[0] >= 0 && u[0] > -1e-7 && size <= most * (1 + 1e-12));
            if (!(f[0] > 1e-6)) continue;
            pushing++;
            assert_near(u[0], 0, 1e-7);
            if (size < most * (1 - 1e-6)) {
                sticking++;
                assert_near(slip, 0, 1e-7);
                continue;
            }
            sliding++;
            assert_near(f[1] * u[1] + f[2] * u[2], -size * slip, 1e-5 * size * slip + 1e-9); // against it
        }
        assert_true(pushing > CONTACTS / 4 && pushing < CONTACTS && sliding > 0 && sticking > 0);
        cdg_contact_sparse_free(&it.sparse);
    }
}

static void full_matrices_are_refused(void **state) {
    (void)state;
    cdg_random random = {5};
    heap it;
    make(&it, &random);
    assert_int_equal(cdg_contact_sparse_fill(&it.sparse, &it.coupling, &it.pieces, it.rows, it.numbers, EACH),
                     CDG_SPARSE_NONE);
    cdg_contact_sparse_free(&it.sparse);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(laws_hold), cmocka_unit_test(full_matrices_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
