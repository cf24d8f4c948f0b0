// A vibration as a swing: its phases, its size, frames that follow the elements.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "output/mode_view.h"

static void test_phases(void **state) {
    (void)state;
    assert_near(cdg_mode_view_phase(0), 1, 0);
    assert_near(cdg_mode_view_phase(CDG_MODE_VIEW_FRAMES - 1), 1, 1e-12);
    assert_near(cdg_mode_view_phase(CDG_MODE_VIEW_FRAMES / 2), -1, 1e-12);
    assert_near(cdg_mode_view_phase((CDG_MODE_VIEW_FRAMES - 1) / 4), 0, 1e-12);
}

static void test_size(void **state) {
    (void)state;
    const cdg_vec3 a[2] = {{0, 0, 0}, {3, 4, 0}}, b[1] = {{0, 0, -10}};
    const cdg_vec3 *const shapes[2] = {a, b};
    const size_t counts[2] = {2, 1};
    assert_near(cdg_mode_view_factor(shapes, counts, 2, 0.5), 0.05, 1e-15);
    assert_near(cdg_mode_view_factor(shapes, counts, 1, 0.5), 0.1, 1e-15);
    assert_near(cdg_mode_view_factor(shapes, (const size_t[]){1, 0}, 2, 0.5), 0, 0); // nothing moves
}

static void test_frames_follow(void **state) {
    (void)state;
    enum { NODES = 8 };
    cdg_random random = {5};
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        size_t elements = is_closed ? NODES : NODES - 1;
        cdg_vec3 nodes[NODES], shape[NODES], moved[NODES];
        cdg_quat frames[NODES];
        for (int i = 0; i < NODES; i++) {
            nodes[i] = vec3_add(vec3(cos(i * 0.785), sin(i * 0.785), 0), random_vec3(&random, 0.1));
            shape[i] = random_vec3(&random, 1);
        }
        for (size_t j = 0; j < elements; j++) {
            cdg_vec3 along = vec3_normalize(vec3_sub(nodes[(j + 1) % NODES], nodes[j]));
            frames[j] = quat_between(vec3(0, 0, 1), along);
            moved[j] = nodes[j];
        }
        moved[NODES - 1] = nodes[NODES - 1];
        cdg_mode_view_move(shape, 0.2, NODES, elements, moved, frames);
        for (int i = 0; i < NODES; i++) assert_vec3_near(moved[i], vec3_mad(nodes[i], 0.2, shape[i]), 1e-15);
        for (size_t j = 0; j < elements; j++) {
            cdg_vec3 along = vec3_normalize(vec3_sub(moved[(j + 1) % NODES], moved[j]));
            assert_vec3_near(quat_d3(frames[j]), along, 1e-12);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phases),
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_frames_follow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
