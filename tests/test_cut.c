// Cuts lie on the surface, both ends tell the same place, and warped vertices have none.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/cut.h"
#include "meshing/stencil.h"
#include "meshing_fixture.h"

static const cdg_bcc place = {.origin = {-2.013, -2.007, -2.019}, .half = 0.0625, .levels = 5};

static void test_cuts_and_warps(void **state) {
    (void)state;
    fixture f;
    fixture_build(&f, shape_sphere(1, vec3(0, 0, 0), 60, 120));
    cdg_track track = {.lattice = &place, .inside = &f.inside, .thread_count = 2, .budget = &f.budget};
    assert_true(cdg_track_touch(&track, &f.winding) && cdg_track_follow(&track, 0));
    cdg_cuts cuts;
    assert_true(cdg_cuts_find(&track, &cuts));
    size_t before = 0, after = 0, warped = 0;
    for (uint32_t i = 0; i < cuts.count; i++)
        for (int e = 0; e < CDG_BCC_EDGES; e++) {
            uint32_t other = cuts.rows[i].neighbour[e];
            if (other == CDG_NO_NUMBER) continue;
            before++;
            cdg_vec3 p = cdg_cut_at(&track, &cuts, i, e), q = cdg_cut_at(&track, &cuts, other, bcc_opposite(e));
            assert_memory_equal(&p, &q, sizeof p);
            assert_true(fabs(vec3_norm(p) - 0.9985) < 0.0016); // between a chord's depth and the sphere
        }
    cdg_cuts_warp(&track, &cuts);
    for (uint32_t i = 0; i < cuts.count; i++) {
        warped += cuts.rows[i].is_warped;
        if (cuts.rows[i].is_warped) assert_true(fabs(vec3_norm(cuts.rows[i].at) - 0.9985) < 0.0016);
        for (int e = 0; e < CDG_BCC_EDGES; e++) {
            if (cuts.rows[i].neighbour[e] == CDG_NO_NUMBER) continue;
            after++;
            assert_false(cuts.rows[i].is_warped);
            assert_true(cuts.rows[i].position[e] >= (e < 6 ? stencil_near_long : stencil_near_short));
        }
    }
    assert_true(before > 1000 && after > 0 && after < before / 2 && warped > 300);
    cdg_cuts_free(&cuts, &f.budget);
    cdg_track_free(&track);
    fixture_release(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cuts_and_warps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
