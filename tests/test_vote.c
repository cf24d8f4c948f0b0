// Votes on surfaces without orientation: whole, half gone, and thin air.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mesh_shapes.h"
#include "meshing/vote.h"

static double inside_share(cdg_mesh s, double close, int thread_count, cdg_vote *out, cdg_budget *budget) {
    cdg_soup soup;
    cdg_error error;
    assert_int_equal(cdg_soup_build(&s, budget, &soup, &error), CDG_OK);
    assert_true(cdg_vote_build(&soup, close, 48, thread_count, budget, out));
    size_t count = (size_t)out->count[0] * (size_t)out->count[1] * (size_t)out->count[2];
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += 2 * out->share[i] > CDG_VOTE_SCALE;
    cdg_soup_free(&soup, budget);
    cdg_mesh_free(&s);
    return sum * out->voxel * out->voxel * out->voxel;
}

static void test_volume_of_whole_and_damaged_spheres(void **state) {
    (void)state;
    const double closes[3] = {0.1, 0.3, 0.6};
    for (int i = 0; i < 3; i++) { // the size of holes must not make the body larger
        cdg_budget budget = {.limit = 1 << 28};
        cdg_vote vote;
        cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 26, 52);
        shape_flip(&s, 0.5, 1);
        double volume = inside_share(s, closes[i], 1, &vote, &budget);
        assert_true(fabs(volume / (4 * mesh_pi / 3) - 1) < 0.05);
        assert_true(cdg_vote_at(&vote, vec3(0, 0, 0)) > 0.9);
        assert_true(cdg_vote_at(&vote, vec3(50, 0, 0)) == 0);
        cdg_vote_free(&vote, &budget);
        assert_int_equal(budget.used, 0);
    }
    cdg_budget budget = {.limit = 1 << 28};
    cdg_vote vote;
    cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 26, 52);
    shape_drop(&s, 0.5, 1);
    assert_true(fabs(inside_share(s, 0.4, 1, &vote, &budget) / (4 * mesh_pi / 3) - 1) < 0.07);
    cdg_vote_free(&vote, &budget);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    cdg_budget budget = {.limit = 1 << 28};
    cdg_vote one, two;
    inside_share(shape_torus(0.5, 0.2, 40, 20), 0.1, 1, &one, &budget);
    inside_share(shape_torus(0.5, 0.2, 40, 20), 0.1, 2, &two, &budget); // thread_count
    assert_memory_equal(one.share, two.share, (size_t)one.count[0] * (size_t)one.count[1] * (size_t)one.count[2]);
    cdg_vote_free(&one, &budget);
    cdg_vote_free(&two, &budget);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_volume_of_whole_and_damaged_spheres),
        cmocka_unit_test(test_threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
