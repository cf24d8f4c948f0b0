// Stencils: no volume is lost. Their angles are proven by validation/stencil_angles.c.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "meshing/stencil.h"
#include "meshing/tetrahedron.h"

// Two cubes' middles, and an edge of their common face; lengths in half cubes.
static const cdg_vec3 lattice[4] = {{1, 1, 1}, {3, 1, 1}, {2, 0, 0}, {2, 2, 0}};

typedef struct trial {
    cdg_stencil stencil;
    cdg_vec3 place[10];
} trial;

static cdg_vec3 edge_way(int edge) {
    if (edge >= 6) return vec3(edge & 1 ? 1 : -1, edge & 2 ? 1 : -1, edge & 4 ? 1 : -1);
    double s = edge % 2 ? -2 : 2;
    return vec3(edge / 2 == 0 ? s : 0, edge / 2 == 1 ? s : 0, edge / 2 == 2 ? s : 0);
}

static double extreme(cdg_random *random) { // ends of the range more often than what is between
    double u = random_unit(random);
    return u < 0.4 ? 0 : u < 0.8 ? 1 : random_unit(random);
}

static void make_trial(cdg_random *random, trial *t) {
    cdg_stencil *s = &t->stencil;
    int way[4];
    for (int k = 0; k < 4; k++) {
        s->side[k] = (int)(random_bits(random) % 3) - 1;
        s->point[k] = (uint32_t)k;
        way[k] = (int)(random_bits(random) % 14);
        double near = way[k] < 6 ? stencil_near_long : stencil_near_short;
        s->position[k] = s->side[k] == 0 ? vec3_mad(lattice[k], near * extreme(random), edge_way(way[k])) : lattice[k];
        t->place[k] = s->position[k];
    }
    for (int a = 0; a < 3; a++)
        for (int b = a + 1; b < 4; b++) {
            int e = stencil_edge(a, b);
            double near = e == 0 || e == 5 ? stencil_near_long : stencil_near_short;
            s->cut[e] = (uint32_t)(4 + e);
            t->place[4 + e] = s->cut_point[e] =
                vec3_lerp(lattice[a], lattice[b], near + (1 - 2 * near) * extreme(random));
        }
}

static void test_inside_and_outside_fill_the_element(void **state) {
    (void)state;
    cdg_random random = {5};
    double whole = tetrahedron_volume6(lattice);
    for (int i = 0; i < 20000; i++) {
        trial t;
        make_trial(&random, &t);
        double sum = 0;
        for (int turn = 0; turn < 2; turn++) {
            uint32_t out[CDG_STENCIL_MOST][4];
            for (int k = 0; k < 4; k++) {
                if (t.stencil.side[k] == 0) t.stencil.side[k] = 1; // no warping here
                t.stencil.position[k] = t.place[k] = lattice[k];
                t.stencil.side[k] *= turn == 0 ? 1 : -1;
            }
            int count = cdg_stencil_fill(&t.stencil, out);
            for (int k = 0; k < count; k++) {
                cdg_vec3 p[4];
                for (int c = 0; c < 4; c++) p[c] = t.place[out[k][c]];
                sum += tetrahedron_volume6(p);
            }
        }
        // of two and two the surface has two triangles, whose diagonals may differ between both sides
        int in = 0;
        for (int k = 0; k < 4; k++) in += t.stencil.side[k] > 0;
        assert_true(fabs(sum - fabs(whole)) < (in == 2 ? 0.4 : 1e-12) * fabs(whole));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inside_and_outside_fill_the_element),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
