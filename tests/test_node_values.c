// Element values at nodes: linear fields and steady turns are found again, joints are left alone.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/node_values.h"
#include "math/random.h"
#include "near.h"

enum { ELEMENTS_MAX = 40 };

typedef struct sample {
    cdg_run_rod rod;
    double rest_length[ELEMENTS_MAX], middle[ELEMENTS_MAX], arc[ELEMENTS_MAX + 1];
} sample;

static void make(sample *s, cdg_random *random, size_t elements, bool is_closed) {
    double arc = 0;
    for (size_t i = 0; i < elements; i++) {
        s->rest_length[i] = random_in(random, 0.1, 1);
        s->arc[i] = arc;
        s->middle[i] = arc + s->rest_length[i] / 2;
        arc += s->rest_length[i];
    }
    s->arc[elements] = arc;
    s->rod = (cdg_run_rod){.is_closed = is_closed,
                           .element_count = elements,
                           .node_count = elements + !is_closed,
                           .rest_length = s->rest_length};
}

static void test_linear_fields(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int trial = 0; trial < 200; trial++) {
        static sample s;
        bool is_closed = trial % 2;
        size_t n = (is_closed ? 3 : 1) + random_bits(&random) % (ELEMENTS_MAX - 3);
        make(&s, &random, n, is_closed);
        double slope[2] = {random_in(&random, -1, 1), random_in(&random, -1, 1)};
        double values[2 * ELEMENTS_MAX], out[2 * (ELEMENTS_MAX + 1)];
        for (size_t i = 0; i < 2 * n; i++) values[i] = slope[i % 2] * s.middle[i / 2] + (double)(i % 2);
        cdg_node_values_average(&s.rod, false, values, 2, out);
        for (size_t i = 1; i < n; i++) {
            for (size_t k = 0; k < 2; k++) assert_near(out[2 * i + k], slope[k] * s.arc[i] + (double)k, 1e-13);
        }
        for (size_t k = 0; k < 2; k++) {
            double last = values[2 * (n - 1) + k],
                   share = s.rest_length[n - 1] / (s.rest_length[n - 1] + s.rest_length[0]);
            if (is_closed) {
                assert_near(out[k], last + share * (values[k] - last), 1e-13);
            } else {
                assert_true(out[k] == values[k] && out[2 * n + k] == last);
            }
        }
        cdg_node_values_average(&s.rod, true, values, 2, out);
        assert_true(out[0] == values[0] && out[1] == values[1]);
    }
}

// Frames that turn at a constant rate about one axis are found again, whatever the signs of the quaternions.
static void test_frames(void **state) {
    (void)state;
    cdg_random random = {2};
    for (int trial = 0; trial < 200; trial++) {
        static sample s;
        size_t n = 1 + random_bits(&random) % (ELEMENTS_MAX - 1);
        make(&s, &random, n, false);
        cdg_quat base = random_rotation(&random), frames[ELEMENTS_MAX], out[ELEMENTS_MAX + 1];
        cdg_vec3 rate = random_vec3(&random, 1);
        for (size_t i = 0; i < n; i++) {
            frames[i] = quat_multiply(base, quat_exp(vec3_scale(s.middle[i], rate)));
            if (random_bits(&random) % 2) frames[i] = quat_negate(frames[i]);
        }
        cdg_node_values_frames(&s.rod, false, frames, out);
        for (size_t i = 1; i < n; i++) {
            assert_rotation_near(out[i], quat_multiply(base, quat_exp(vec3_scale(s.arc[i], rate))), 1e-13);
        }
        assert_rotation_near(out[0], frames[0], 1e-15);
        assert_rotation_near(out[n], frames[n - 1], 1e-15);
        for (size_t i = 1; i <= n; i++) assert_true(quat_dot(out[i - 1], out[i]) >= 0);
    }
}

static void test_joint(void **state) {
    (void)state;
    cdg_random random = {3};
    static sample s;
    make(&s, &random, 20, true);
    for (int turns = -3; turns <= 3; turns++) { // a ring with so many half turns: odd ones jump where it is joined
        cdg_quat frames[ELEMENTS_MAX], out[ELEMENTS_MAX];
        double length = s.arc[20];
        for (size_t i = 0; i < 20; i++) {
            double angle = 3.14159265358979323846 * turns * s.middle[i] / length;
            frames[i] = quat_exp(vec3(0, 0, angle));
        }
        bool has_joint = cdg_node_values_has_joint(&s.rod, frames);
        assert_int_equal(has_joint, turns % 2 != 0);
        cdg_node_values_frames(&s.rod, has_joint, frames, out);
        if (has_joint) assert_rotation_near(out[0], frames[0], 1e-15);
        if (!has_joint) assert_rotation_near(out[0], quat_identity(), 1e-12);
        s.rod.is_closed = false;
        assert_false(cdg_node_values_has_joint(&s.rod, frames));
        s.rod.is_closed = true;
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_linear_fields),
        cmocka_unit_test(test_frames),
        cmocka_unit_test(test_joint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
