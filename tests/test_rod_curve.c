// The smooth curve of a rod: through the nodes, the same at any division of the same shape, turned with the rod.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "geometry/rod_curve.h"
#include "math/quat.h"

#include <stdlib.h>

enum { MOST = 65 };

typedef struct shape {
    size_t elements;
    double rest_length[MOST];
    cdg_vec3 positions[MOST];
    cdg_quat frames[MOST];
} shape;

static cdg_vec3 helix(double s) { return vec3(0.3 * cos(4 * s), 0.3 * sin(4 * s), 0.5 * s); }

static cdg_quat frame_at(double s) {
    cdg_vec3 tangent = vec3_normalize(vec3(-1.2 * sin(4 * s), 1.2 * cos(4 * s), 0.5));
    return quat_multiply(quat_between(vec3(0, 0, 1), tangent), quat_exp(vec3(0, 0, 2 * s)));
}

static cdg_rod_pose lay(shape *out, size_t elements, const double *lengths) {
    double s = 0;
    out->elements = elements;
    for (size_t j = 0; j < elements; j++) {
        out->rest_length[j] = lengths != NULL ? lengths[j] : 1.0 / (double)elements;
        out->positions[j] = helix(s);
        out->frames[j] = frame_at(s + out->rest_length[j] / 2);
        s += out->rest_length[j];
    }
    out->positions[elements] = helix(s);
    return (cdg_rod_pose){
        .element_count = elements, .rest_length = out->rest_length, .positions = out->positions, .frames = out->frames};
}

static void test_nodes(void **state) {
    (void)state;
    shape s;
    cdg_rod_pose pose = lay(&s, 12, NULL);
    cdg_rod_curve curve;
    assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_OK);
    for (size_t i = 0; i <= 12; i++) {
        size_t e = cdg_rod_curve_element(&curve, 0, curve.arc[i]);
        assert_int_equal(e, i < 12 ? i : 11);
        cdg_rod_point at = cdg_rod_curve_at(&curve, e, curve.arc[i]);
        assert_true(vec3_distance(at.position, s.positions[i]) < 1e-14);
        cdg_vec3 tangent = vec3_normalize(vec3(-1.2 * sin(4 * curve.arc[i]), 1.2 * cos(4 * curve.arc[i]), 0.5));
        assert_true(vec3_distance(quat_d3(at.frame), tangent) < 0.05);
    }
    for (size_t j = 0; j < 12; j++) {
        cdg_quat middle = cdg_rod_curve_frame(&curve, j, curve.arc[j] + s.rest_length[j] / 2);
        assert_true(fabs(quat_dot(middle, s.frames[j])) > 1 - 1e-12);
    }
    cdg_rod_curve_free(&curve);
    cdg_rod_curve_free(&curve); // fine when empty
}

// Twice as many elements: the error of positions falls 16 times, that of frames 4 times, also where lengths differ.
static void test_order(void **state) {
    (void)state;
    double place_error[2] = {0}, frame_error[2] = {0};
    for (int level = 0; level < 2; level++) {
        shape s;
        double lengths[MOST];
        size_t count = level == 0 ? 18 : 36;
        for (size_t j = 0; j < count; j++) lengths[j] = (j * 3 / count == 1 ? 0.5 : 1.25) / (double)count;
        cdg_rod_pose pose = lay(&s, count, lengths);
        cdg_rod_curve curve;
        assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_OK);
        size_t e = 0;
        for (int i = 50; i <= 950; i++) {
            double at = 1e-3 * i;
            e = cdg_rod_curve_element(&curve, e, at);
            cdg_rod_point point = cdg_rod_curve_at(&curve, e, at);
            place_error[level] = fmax(place_error[level], vec3_distance(point.position, helix(at)));
            cdg_vec3 off = quat_log(quat_relative(point.frame, frame_at(at)));
            frame_error[level] = fmax(frame_error[level], fabs(off.z));
        }
        cdg_rod_curve_free(&curve);
    }
    assert_true(place_error[0] < 2e-3 && place_error[1] < place_error[0] / 10);
    assert_true(frame_error[0] < 2e-2 && frame_error[1] < frame_error[0] / 3);
}

static void test_turned(void **state) {
    (void)state;
    shape s, t;
    cdg_rod_pose a = lay(&s, 9, NULL), b = lay(&t, 9, NULL);
    cdg_quat turn = quat_exp(vec3(1.3, -0.4, 0.9));
    for (size_t i = 0; i <= 9; i++) t.positions[i] = quat_rotate(turn, s.positions[i]);
    for (size_t j = 0; j < 9; j++) t.frames[j] = quat_multiply(turn, s.frames[j]);
    cdg_rod_curve one, two;
    assert_int_equal(cdg_rod_curve_make(&a, &one, NULL), CDG_OK);
    assert_int_equal(cdg_rod_curve_make(&b, &two, NULL), CDG_OK);
    for (int i = 0; i <= 100; i++) {
        double at = 0.01 * i;
        size_t e = cdg_rod_curve_element(&one, 0, at);
        cdg_rod_point p = cdg_rod_curve_at(&one, e, at), q = cdg_rod_curve_at(&two, e, at);
        assert_true(vec3_distance(quat_rotate(turn, p.position), q.position) < 1e-13);
        assert_true(fabs(quat_dot(quat_multiply(turn, p.frame), q.frame)) > 1 - 1e-13);
    }
    cdg_rod_curve_free(&one);
    cdg_rod_curve_free(&two);
}

static void test_refusals(void **state) {
    (void)state;
    shape s;
    cdg_rod_pose pose = lay(&s, 5, NULL);
    cdg_rod_curve curve;
    s.positions[3].y = NAN;
    assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_ERROR_ARGUMENT);
    pose = lay(&s, 5, NULL);
    s.rest_length[2] = 0;
    assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_ERROR_ARGUMENT);
    pose = lay(&s, 5, NULL);
    s.frames[4] = (cdg_quat){0};
    assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_ERROR_ARGUMENT);
    pose = lay(&s, 2, NULL);
    pose.is_closed = true;
    assert_int_equal(cdg_rod_curve_make(&pose, &curve, NULL), CDG_ERROR_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_turned), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
