// Stiffness and inertia: closed forms, homogeneity in modulus, density and size, symmetry, bad materials.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <cordage/rod.h>

#include "math/random.h"
#include "near.h"

#define PI 3.14159265358979323846

static cdg_stiffness compute(cdg_material material, cdg_section section) {
    cdg_stiffness stiffness;
    cdg_error error = {0};
    if (cdg_stiffness_compute(&material, &section, &stiffness, &error) != CDG_OK) fail_msg("%s", error.message);
    return stiffness;
}

static void test_default_material(void **state) {
    (void)state;
    cdg_material material = cdg_material_default();
    assert_true(material.young_modulus == 1e6 && material.poisson_ratio == 0.5 && material.density == 1100);
    assert_true(material.shear_modulus == 0);
    assert_true(material.damping_stretch == 0 && material.damping_shear == 0);
    assert_true(material.damping_bend == 0 && material.damping_twist == 0);
}

static void test_round_rod(void **state) {
    (void)state;
    double r = 2e-3, e = 1e6, g = e / 3, i = PI * pow(r, 4) / 4;
    cdg_section section = {.kind = CDG_SECTION_CIRCLE, .radius = r};
    cdg_stiffness s = compute(cdg_material_default(), section);
    assert_near(s.stretch, e * PI * r * r, 1e-12 * s.stretch);
    assert_near(s.shear[0], g * PI * r * r * 0.9, 1e-12 * s.stretch); // 6 * 1.5 / 10
    assert_near(s.shear[1], s.shear[0], 0);
    assert_near(s.bend[0], e * i, 1e-12 * s.bend[0]);
    assert_near(s.bend[1], e * i, 1e-12 * s.bend[0]);
    assert_near(s.twist, g * 2 * i, 1e-12 * s.twist);
    assert_near(s.mass, 1100 * PI * r * r, 1e-12 * s.mass);
    assert_near(s.inertia[0], 1100 * i, 1e-12 * s.inertia[0]);
    assert_near(s.inertia[1], 1100 * i, 1e-12 * s.inertia[0]);
    assert_near(s.inertia[2], 2200 * i, 1e-12 * s.inertia[2]);
    assert_near(s.radius, r, 0);
}

// A blade that is wide along d1 is stiff against bending about d2, where its width resists.
static void test_blade_axes(void **state) {
    (void)state;
    cdg_section section = {.kind = CDG_SECTION_RECTANGLE, .side = {0.04, 0.01}};
    cdg_material material = {.young_modulus = 2e9, .poisson_ratio = 0.3, .density = 1000};
    cdg_stiffness s = compute(material, section);
    assert_near(s.bend[0], 2e9 * 0.04 * 1e-6 / 12, 1e-9);
    assert_near(s.bend[1], 2e9 * 0.01 * 64e-6 / 12, 1e-9);
    assert_near(s.inertia[2], s.inertia[0] + s.inertia[1], 1e-18);
    assert_true(s.twist < material.young_modulus / 2.6 * (s.inertia[2] / 1000)); // warping softens
}

static void test_shear_modulus_given_outright(void **state) {
    (void)state;
    cdg_section section = {.kind = CDG_SECTION_ELLIPSE, .semi_axis = {0.02, 0.01}};
    cdg_material material = {.young_modulus = 1e7, .poisson_ratio = 0.25, .density = 900};
    cdg_stiffness derived = compute(material, section);
    material.shear_modulus = 1e7 / 2.5;
    cdg_stiffness given = compute(material, section);
    assert_near(given.twist, derived.twist, 1e-14 * derived.twist);
    assert_near(given.shear[0], derived.shear[0], 1e-14 * derived.shear[0]);
    material.shear_modulus *= 10;
    given = compute(material, section);
    assert_near(given.twist, 10 * derived.twist, 1e-13 * given.twist);
    assert_near(given.shear[1], 10 * derived.shear[1], 1e-13 * given.shear[1]);
    assert_near(given.bend[0], derived.bend[0], 0);
}

static void test_stretch_modulus_of_its_own(void **state) {
    (void)state;
    cdg_section section = {.kind = CDG_SECTION_ELLIPSE, .semi_axis = {0.02, 0.01}};
    cdg_material material = {.young_modulus = 1e7, .poisson_ratio = 0.25, .density = 900};
    cdg_stiffness plain = compute(material, section);
    material.stretch_modulus = 4e8;
    cdg_stiffness own = compute(material, section);
    assert_near(own.stretch, 40 * plain.stretch, 1e-13 * own.stretch);
    for (int k = 0; k < 2; k++) assert_near(own.shear[k], 40 * plain.shear[k], 1e-13 * own.shear[k]);
    own.stretch = plain.stretch; // and nothing else
    memcpy(own.shear, plain.shear, sizeof own.shear);
    assert_memory_equal(&own, &plain, sizeof own);
    material.stretch_modulus = 1e6; // shear does not become softer
    own = compute(material, section);
    assert_memory_equal(own.shear, plain.shear, sizeof own.shear);
}

static void test_homogeneity(void **state) {
    (void)state;
    cdg_random random = {1};
    for (int round = 0; round < 100; round++) {
        cdg_section section = {.kind = CDG_SECTION_RECTANGLE,
                               .side = {random_in(&random, 1, 2), random_in(&random, 1, 2)}};
        cdg_material material = {.young_modulus = exp(random_in(&random, 0, 20)),
                                 .poisson_ratio = random_in(&random, -0.5, 0.5),
                                 .density = exp(random_in(&random, 0, 9)),
                                 .damping_bend = 1};
        cdg_stiffness a = compute(material, section);
        double modulus = exp(random_in(&random, -3, 3)), weight = exp(random_in(&random, -3, 3)),
               size = exp(random_in(&random, -3, 3));
        material.young_modulus *= modulus;
        material.density *= weight;
        section.side[0] *= size;
        section.side[1] *= size;
        cdg_stiffness b = compute(material, section);
        double square = size * size, fourth = square * square;
        assert_near(b.stretch, modulus * square * a.stretch, 1e-12 * b.stretch);
        assert_near(b.twist, modulus * fourth * a.twist, 1e-12 * b.twist);
        assert_near(b.mass, weight * square * a.mass, 1e-12 * b.mass);
        assert_near(b.radius, size * a.radius, 1e-12 * b.radius);
        for (int i = 0; i < 2; i++) {
            assert_near(b.shear[i], modulus * square * a.shear[i], 1e-12 * b.shear[i]);
            assert_near(b.bend[i], modulus * fourth * a.bend[i], 1e-12 * b.bend[i]);
        }
        for (int i = 0; i < 3; i++) assert_near(b.inertia[i], weight * fourth * a.inertia[i], 1e-12 * b.inertia[i]);
    }
}

static void refuse(cdg_material material, cdg_section section, const char *text) {
    cdg_stiffness stiffness = {.mass = 7};
    cdg_error error = {0};
    assert_int_equal(cdg_stiffness_compute(&material, &section, &stiffness, &error), CDG_ERROR_ARGUMENT);
    if (strstr(error.message, text) == NULL) fail_msg("'%s' does not name '%s'", error.message, text);
    assert_true(stiffness.mass == 7); // nothing written
}

static void test_bad_input_is_named(void **state) {
    (void)state;
    cdg_section section = cdg_section_default();
    const double bad[] = {-1, NAN, INFINITY};
    for (size_t i = 0; i < 3; i++) {
        struct {
            size_t place;
            const char *name;
        } members[] = {{offsetof(cdg_material, young_modulus), "young_modulus"},
                       {offsetof(cdg_material, poisson_ratio), "poisson_ratio"},
                       {offsetof(cdg_material, shear_modulus), "shear_modulus"},
                       {offsetof(cdg_material, stretch_modulus), "stretch_modulus"},
                       {offsetof(cdg_material, density), "density"},
                       {offsetof(cdg_material, damping_stretch), "damping of stretch"},
                       {offsetof(cdg_material, damping_shear), "damping of shear"},
                       {offsetof(cdg_material, damping_bend), "damping of bend"},
                       {offsetof(cdg_material, damping_twist), "damping of twist"}};
        for (size_t k = 0; k < sizeof members / sizeof members[0]; k++) {
            cdg_material material = cdg_material_default();
            memcpy((char *)&material + members[k].place, &bad[i], sizeof bad[i]);
            refuse(material, section, members[k].name);
        }
    }
    cdg_material material = cdg_material_default();
    material.young_modulus = 0;
    refuse(material, section, "young_modulus");
    material = cdg_material_default();
    material.density = 0;
    refuse(material, section, "density");
    material = cdg_material_default();
    section.radius = 0;
    refuse(material, section, "radius");
    section.radius = 1e-70;
    material.density = 1e-30;
    refuse(material, section, "units");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default_material),
        cmocka_unit_test(test_round_rod),
        cmocka_unit_test(test_blade_axes),
        cmocka_unit_test(test_shear_modulus_given_outright),
        cmocka_unit_test(test_stretch_modulus_of_its_own),
        cmocka_unit_test(test_homogeneity),
        cmocka_unit_test(test_bad_input_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
