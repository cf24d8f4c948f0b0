// Following the surface: all cubes with both signs are found, across holes, too.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "meshing/track.h"
#include "meshing_fixture.h"

static const cdg_bcc place = {.origin = {-2.013, -2.007, -2.019}, .half = 0.0625, .levels = 5};

static bool is_inside_sphere(uint64_t key, cdg_vec3 origin) {
    return vec3_norm(vec3_add(bcc_point(&place, key), origin)) < 0.999;
}

static void test_all_cut_cubes_are_found(void **state) {
    (void)state;
    for (int hole = 0; hole < 2; hole++) {
        fixture f;
        cdg_mesh s = shape_sphere(1, vec3(0, 0, 0), 60, 120);
        if (hole) { // a cap of the sphere is missing
            size_t kept = 0;
            for (size_t t = 0; t < s.triangle_count; t++)
                if (s.points[s.triangles[t][0]].z < 0.8) memmove(s.triangles[kept++], s.triangles[t], 12);
            s.triangle_count = kept;
        }
        fixture_build(&f, s);
        cdg_track track = {.lattice = &place, .inside = &f.inside, .thread_count = 1, .budget = &f.budget};
        assert_true(cdg_track_touch(&track, &f.winding) && cdg_track_follow(&track, 0));
        size_t missed = 0, cut = 0;
        for (uint32_t i = 0; i < 32 * 32 * 32; i++) {
            uint64_t cube = bcc_key(2 * (i % 32) + 1, 2 * (i / 32 % 32) + 1, 2 * (i / 1024) + 1);
            int in = is_inside_sphere(cube, f.soup.origin);
            for (int c = 0; c < 8; c++) in += is_inside_sphere(bcc_corner(cube, 0, c), f.soup.origin);
            if (in == 0 || in == 9 || (hole && bcc_point(&place, cube).z > 0.5)) continue;
            uint32_t found = cdg_key_map_find(&track.cubes, cube);
            cut++;
            missed += found == CDG_NO_NUMBER || !track.is_cut[found];
        }
        assert_true(cut > 300 && missed * 50 < cut); // a few differ because the surface is a polyhedron
        bool is_closed = false;                      // across the hole the surface goes on
        for (uint32_t i = 0; i < track.cubes.count; i++) {
            cdg_vec3 p = bcc_point(&place, track.cubes.keys[i]);
            is_closed = is_closed || (track.is_cut[i] && p.x * p.x + p.y * p.y < 0.02 && p.z > 0.5);
        }
        assert_true(is_closed);
        cdg_track_free(&track);
        fixture_release(&f);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_cut_cubes_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
