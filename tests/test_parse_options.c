// Options of models in scenes: what a rod without options has, and values arrive in the options of the model that they
// are given for.
#include "scene_text.h"

static cdg_scene *parse(const char *options) {
    char text[1200];
    snprintf(
        text, sizeof text,
        "cordage: 1\nsimulation: {duration: 1 s%s}\nrods:\n"
        "  - {name: a, material: {young_modulus: 1 MPa, density: 1100 kg/m^3}, section: {circle: {radius: 2 mm}},\n"
        "     centerline: {line: {to: [1 m, 0, 0]}}, elements: 10}\n",
        options);
    return scene_parse_good(text);
}

static void test_values_arrive(void **state) {
    (void)state;
    cdg_scene *plain = parse(""),
              *set = parse(", model: der, pobd: {iterations: 7, solver: gauss_seidel},\n"
                           "  corde: {coupling: constraint}, der: {iterations: 9, twist: dynamic},\n"
                           "  galpha: {extensible: false}, reference: {darboux: sine}");
    const cdg_rod_def usual = cdg_rod_def_default();
    const cdg_rod_def *p = &plain->rods[0], *s = &set->rods[0];
    assert_int_equal(p->pobd.iterations, usual.pobd.iterations);
    assert_int_equal(p->der.iterations, usual.der.iterations);
    assert_true(p->galpha.is_extensible == usual.galpha.is_extensible);
    assert_true(s->pobd.iterations == 7 && s->pobd.solver == CDG_POBD_GAUSS_SEIDEL);
    assert_true(s->corde.coupling == CDG_CORDE_CONSTRAINT);
    assert_true(s->der.iterations == 9 && s->der.twist == CDG_DER_TWIST_DYNAMIC);
    assert_false(s->galpha.is_extensible);
    assert_true(s->reference.darboux == CDG_REFERENCE_SINE);
    cdg_scene_destroy(plain);
    cdg_scene_destroy(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_arrive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
