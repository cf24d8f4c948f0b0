// Numbers of a rod at other nodes and elements: what both divisions have stays to the bit, the rest lies between.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fields/resampled.h"
#include "math/quat.h"

#include <math.h>
#include <string.h>

enum { COARSE = 6, FINE = 24 };

typedef struct fixture {
    double coarse_arc[COARSE + 1], fine_arc[FINE + 1];
    double coarse[4 * (COARSE + 1)], fine[4 * (FINE + 1)], other[4 * (FINE + 1)];
} fixture;

// Divisions of a metre: one even, the other four times as fine with places that rounding has touched.
static fixture make(void) {
    fixture f = {0};
    for (int i = 0; i <= COARSE; i++) f.coarse_arc[i] = i / (double)COARSE;
    for (int i = 1; i <= FINE; i++) f.fine_arc[i] = f.fine_arc[i - 1] + 1.0 / FINE;
    return f;
}

static cdg_division coarse_of(const fixture *f, bool is_closed) {
    return (cdg_division){is_closed, COARSE, f->coarse_arc, {NULL, NULL, NULL}};
}
static cdg_division fine_of(const fixture *f, bool is_closed) {
    return (cdg_division){is_closed, FINE, f->fine_arc, {NULL, NULL, NULL}};
}

static void test_nodes(void **state) {
    (void)state;
    fixture f = make();
    cdg_division from = coarse_of(&f, false), to = fine_of(&f, false);
    for (int i = 0; i <= COARSE; i++)
        for (int k = 0; k < 3; k++) f.coarse[3 * i + k] = sin(10.0 * i + k);
    assert_int_equal(cdg_field_resample(CDG_FIELD_velocities, &from, f.coarse, NULL, &to, f.fine, NULL), CDG_OK);
    for (int i = 0; i <= FINE; i++) {
        int left = i / 4;
        double u = (i % 4) / 4.0;
        if (i % 4 == 0) {
            assert_memory_equal(f.fine + 3 * i, f.coarse + 3 * left, 3 * sizeof(double)); // to the bit
            continue;
        }
        for (int k = 0; k < 3; k++)
            assert_true(fabs(f.fine[3 * i + k] - (1 - u) * f.coarse[3 * left + k] - u * f.coarse[3 * left + 3 + k]) <
                        1e-12);
    }
}

static void test_elements(void **state) {
    (void)state;
    fixture f = make();
    for (int closed = 0; closed < 2; closed++) {
        cdg_division from = coarse_of(&f, closed), to = fine_of(&f, closed);
        // linear along the rod: linear between middles, and constant beyond the first and last one of an open rod
        for (int j = 0; j < COARSE; j++) f.coarse[j] = j;
        assert_int_equal(cdg_field_resample(CDG_FIELD_tension, &from, f.coarse, NULL, &to, f.fine, NULL), CDG_OK);
        for (int j = 2; j + 2 < FINE; j++) assert_true(fabs(f.fine[j] - ((j + 0.5) / 4 - 0.5)) < 1e-12);
        double first = closed ? 3.0 / 8 * 5 : 0;
        assert_true(fabs(f.fine[0] - first) < 1e-12);
        // levels are no mean of anything
        for (int j = 0; j < COARSE; j++) f.coarse[j] = j % 3;
        assert_int_equal(cdg_field_resample(CDG_FIELD_level, &from, f.coarse, NULL, &to, f.fine, NULL), CDG_OK);
        for (int j = 0; j < FINE; j++) assert_true(f.fine[j] == (j / 4) % 3);
    }
}

// The same division twice: every field to the bit.
static void test_identity(void **state) {
    (void)state;
    fixture f = make();
    cdg_division division = fine_of(&f, false);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        cdg_field_info info = cdg_field_get((cdg_field)k);
        size_t count = cdg_field_entries(&info, FINE + 1, FINE) * info.component_count;
        double numbers[4 * (FINE + 1)], out[4 * (FINE + 1)];
        for (size_t i = 0; i < count; i++) numbers[i] = cos(3.0 * (double)i) + 2;
        if ((info.traits & CDG_FIELD_INNER) != 0) numbers[0] = numbers[count - 1] = NAN;
        for (size_t i = 0; i < 4 * (FINE + 1); i++) f.other[i] = 1 + sin((double)i);
        cdg_result result = cdg_field_resample((cdg_field)k, &division, numbers, f.other, &division, out, NULL);
        assert_int_equal(result, CDG_OK);
        assert_memory_equal(numbers, out, count * sizeof *out);
    }
}

static void test_free_ends(void **state) {
    (void)state;
    fixture f = make();
    cdg_division from = coarse_of(&f, false), to = fine_of(&f, false);
    for (int i = 0; i <= COARSE; i++) f.coarse[i] = i == 0 || i == COARSE ? NAN : 5 + i;
    assert_int_equal(cdg_field_resample(CDG_FIELD_twist, &from, f.coarse, NULL, &to, f.fine, NULL), CDG_OK);
    assert_true(isnan(f.fine[0]) && isnan(f.fine[FINE]));
    for (int i = 1; i < FINE; i++) assert_true(!isnan(f.fine[i]));
    assert_true(f.fine[1] == 6 && f.fine[FINE - 1] == 5 + COARSE - 1);
}

static cdg_vec3 helix(double s) { return vec3(0.3 * cos(2 * s), 0.3 * sin(2 * s), 0.4 * s); }
static cdg_quat frame_at(double s) {
    return quat_between(vec3(0, 0, 1), vec3_normalize(vec3(-0.6 * sin(2 * s), 0.6 * cos(2 * s), 0.4)));
}

static void test_shape(void **state) {
    (void)state;
    fixture f = make();
    cdg_division from = coarse_of(&f, false), to = fine_of(&f, false);
    cdg_vec3 positions[COARSE + 1], fine[FINE + 1];
    cdg_quat frames[COARSE], turned[FINE];
    for (int i = 0; i <= COARSE; i++) positions[i] = helix(f.coarse_arc[i]);
    for (int j = 0; j < COARSE; j++) frames[j] = frame_at((f.coarse_arc[j] + f.coarse_arc[j + 1]) / 2);
    const double *x = &positions[0].x, *q = &frames[0].w;
    assert_int_equal(cdg_field_resample(CDG_FIELD_positions, &from, x, q, &to, &fine[0].x, NULL), CDG_OK);
    assert_int_equal(cdg_field_resample(CDG_FIELD_frames, &from, q, x, &to, &turned[0].w, NULL), CDG_OK);
    for (int i = 0; i <= FINE; i++) assert_true(vec3_distance(fine[i], helix(f.fine_arc[i])) < 3e-4);
    for (int i = 0; i <= COARSE; i++) assert_memory_equal(&fine[4 * i], &positions[i], sizeof *fine);
    for (int j = 0; j < FINE; j++) {
        cdg_vec3 off = quat_log(quat_relative(turned[j], frame_at((f.fine_arc[j] + f.fine_arc[j + 1]) / 2)));
        assert_true(vec3_norm(off) < 0.05);
    }
    const double places[] = {0.37, 0, 0.93, 1, 0.05};
    cdg_vec3 at[5];
    assert_int_equal(cdg_field_at_places(CDG_FIELD_positions, &from, x, q, places, 5, &at[0].x, NULL), CDG_OK);
    for (int i = 0; i < 5; i++) assert_true(vec3_distance(at[i], helix(places[i])) < 3e-4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_elements),
                                       cmocka_unit_test(test_identity), cmocka_unit_test(test_free_ends),
                                       cmocka_unit_test(test_shape)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
