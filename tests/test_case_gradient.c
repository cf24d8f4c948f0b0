// Rates of a case's probes against differences of whole cases, with values set by text and several paths at once.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "sweep/case_gradient.h"

static const char text[] = "cordage: 1\n"
                           "simulation: {mode: static, model: der}\n"
                           "materials: {m: {young_modulus: 1 MPa, density: 1000}}\n"
                           "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: "
                           "[0.2, 0, 0]}}, elements: 8}]\n"
                           "supports: [{clamp: rod.start}]\n"
                           "loads: [{force: [0, 0.01 N, 0], at: rod.end}]\n"
                           "probes: [{name: tip, position: rod.end}]\n";

typedef struct look {
    cdg_case_gradient def;
    double rates[2 * CDG_PROBE_COLUMNS_MAX];
    cdg_result result;
    cdg_error error;
} look;

static cdg_result on_row(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    look *l = user;
    (void)scene, (void)error;
    cdg_probe probe = {.kind = CDG_PROBE_POSITION, .place = {cdg_world_rod_at(world, 0), CDG_PLACE_NODE, 8}};
    l->result = cdg_case_gradient_find(&l->def, world, &probe, 1, l->rates, NULL, &l->error);
    return CDG_OK;
}

static double tip_at(const cdg_case_source *source, double young, double density, look *l, size_t column) {
    char overrides[2][64];
    const char *items[2] = {overrides[0], overrides[1]};
    snprintf(overrides[0], 64, "materials.m.young_modulus=%.17g MPa", young);
    snprintf(overrides[1], 64, "materials.m.density=%.17g g/cm^3", density);
    cdg_case_def def = {.source = source, .overrides = items, .override_count = 2, .thread_count = 1};
    if (l != NULL) def.on_row = on_row, def.user = l;
    cdg_case_result result;
    if (cdg_case_run(&def, &result) != CDG_OK) fail_msg("%s", result.sentence);
    double value = result.values[column];
    cdg_case_result_free(&result);
    return value;
}

static void test_rates(void **state) {
    (void)state;
    cdg_case_source source = {.text = text, .size = strlen(text), .name = "case"};
    cdg_vary varies[2];
    double values[2] = {2, 1.1};
    assert_int_equal(cdg_vary_parse("materials.m.young_modulus=1:10 MPa", &varies[0], NULL), CDG_OK);
    assert_int_equal(cdg_vary_parse("materials.m.density=1:2 g/cm^3", &varies[1], NULL), CDG_OK);
    look l = {.def = {.source = &source, .varies = varies, .vary_count = 2, .values = values}};
    tip_at(&source, 2, 1.1, &l, 0);
    if (l.result != CDG_OK) fail_msg("%s", l.error.message);
    for (size_t k = 0; k < 3; k++) {
        double h = 0.01,
               young = (tip_at(&source, 2 + h, 1.1, NULL, k) - tip_at(&source, 2 - h, 1.1, NULL, k)) / (2 * h);
        double density = (tip_at(&source, 2, 1.1 + h, NULL, k) - tip_at(&source, 2, 1.1 - h, NULL, k)) / (2 * h);
        assert_near(l.rates[k], young, 2e-4 * fabs(l.rates[2])); // by the differences
        assert_near(l.rates[CDG_PROBE_COLUMNS_MAX + k], density, 2e-4 * fabs(l.rates[CDG_PROBE_COLUMNS_MAX + 2]));
    }
    assert_true(fabs(l.rates[2]) > 1e-3);
    values[1] = NAN;
    tip_at(&source, 2, 1.1, &l, 0);
    assert_int_equal(l.result, CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(l.error.message, "is no number"));
    for (int i = 0; i < 2; i++) cdg_vary_free(&varies[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
