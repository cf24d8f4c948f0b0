// The thesis' conjugate gradients: downhill, and in the end where Newton's method is.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rod_patch_descent.h"
#include "adapt_case.h"

static const size_t elements[3] = {3, 4, 5}, nodes[4] = {3, 4, 5, 6};

// A bent rod, soft enough for gradients, whose inner nodes were moved out of equilibrium.
static cdg_rod *build(adapt_variant variant, cdg_rod_patch *patch) {
    cdg_rod_def def = adapt_def(variant, 9);
    cdg_vec3 points[ADAPT_ARC_MAX];
    def.section.radius = 0.02;
    adapt_arc(&def, 0.3, points);
    cdg_rod *rod = adapt_build(&def);
    rod->x[2][4] += 0.002, rod->x[1][5] -= 0.001;
    cdg_rod_patch_read(patch, rod, elements, nodes, 3);
    for (size_t e = 0; e < 3 && patch->follows; e++)
        patch->q[e] = quat_multiply(
            quat_between(quat_d3(patch->q[e]), vec3_normalize(vec3_sub(patch->x[e + 1], patch->x[e]))), patch->q[e]);
    return rod;
}

// 1e-3: as if of a step that is too long by far.
static cdg_patch_gives gives_of(const cdg_rod *rod) {
    cdg_patch_gives gives;
    double first = 16 * 1e-3 * 1e-3;
    for (size_t k = 0; k < 4; k++) gives.node[k] = first / rod->node_mass[nodes[k]];
    for (size_t k = 0; k < 3; k++) {
        cdg_vec3 inertia = cdg_rod_frame_inertia(rod, elements[k]);
        gives.frame[k] = first / (inertia.x + inertia.y + inertia.z);
    }
    return gives;
}

static void leads_where_newton_does(void **state) {
    (void)state;
    for (int variant = 0; variant < ADAPT_VARIANTS; variant++) {
        cdg_rod_patch newton, few, many;
        const cdg_rod_patch_gradient none = {0};
        cdg_rod *rod = build((adapt_variant)variant, &newton);
        few = many = newton;
        cdg_patch_gives gives = gives_of(rod);
        double before = cdg_rod_patch_energy(&newton, NULL), found;
        assert_true(cdg_rod_patch_solve(&newton, &none, false, &found) > 0);
        assert_int_equal(cdg_rod_patch_descend(&few, &none, &gives, 10), 10);
        assert_true(cdg_rod_patch_descend(&many, &none, &gives, 3000) > 10);
        double least = cdg_rod_patch_energy(&newton, NULL);
        double after_few = cdg_rod_patch_energy(&few, NULL), after_many = cdg_rod_patch_energy(&many, NULL);
        assert_true(after_few < before && after_many < after_few);
        assert_true(after_few - least < 0.2 * (before - least));
        assert_near(after_many, least, 1e-7 * before);
        for (size_t k = 1; k < 3; k++) assert_vec3_near(many.x[k], newton.x[k], 1e-3 * 0.05);
        assert_vec3_near(many.x[0], newton.x[0], 0);
        cdg_rod_destroy(rod);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leads_where_newton_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
