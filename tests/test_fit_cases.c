// Residuals vanish where the data come from, exact rates are those of differences, many points come out as one by one,
// and data that a run does not reach are refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fit_case.h"

enum { MOST = 200 };

static void begin_at(fit_case *f, double young) {
    char tip[FIT_TEXT], shape[FIT_TEXT], set[64];
    const char *sets[1] = {set};
    fit_case_begin(f, fit_scene);
    snprintf(set, sizeof set, "materials.m.young_modulus=%.17g MPa", young);
    fit_case_measure(f, sets, 1, tip, shape);
    fit_case_data(f, tip);
    fit_case_data(f, shape);
    assert_int_equal(fit_case_vary(f, "materials.m.young_modulus=1:9 MPa"), CDG_OK);
    assert_int_equal(fit_case_vary(f, "materials.m.density=500:2000 kg/m^3"), CDG_OK);
    if (fit_case_make(f) != CDG_OK) fail_msg("%s", f->error.message);
}

static void test_residuals(void **state) {
    (void)state;
    fit_case f;
    begin_at(&f, 3);
    size_t n = cdg_fit_model_residual_count(f.model);
    double true_share = log(1100.0 / 500) / log(4.0), residuals[3 * MOST], alone[MOST];
    double points[6] = {0.5, true_share, 0.7, 0.3, 0, 1}; // 3 MPa is the middle of 1 to 9 by ratios
    bool is_good[3];
    cdg_fit_model_evaluate(f.model, 3, points, residuals, is_good, &f.error);
    assert_true(is_good[0] && is_good[1] && is_good[2]);
    for (size_t i = 0; i < n; i++) assert_near(residuals[i], 0, 2e-9);
    double largest = 0;
    for (size_t i = n; i < 3 * n; i++) largest = fmax(largest, fabs(residuals[i]));
    assert_true(largest > 0.01);
    f.def.setup.thread_count = 1;
    for (size_t k = 0; k < 3; k++) {
        cdg_fit_model_evaluate(f.model, 1, points + 2 * k, alone, is_good, &f.error);
        assert_memory_equal(alone, residuals + k * n, n * sizeof(double));
    }
    fit_case_end(&f);
}

static void test_rates(void **state) {
    (void)state;
    fit_case f;
    begin_at(&f, 4);
    size_t n = cdg_fit_model_residual_count(f.model);
    double point[2] = {0.6, 0.4}, exact[2 * MOST], rough[2 * MOST];
    if (cdg_fit_model_differentiate(f.model, point, exact, &f.error) != CDG_OK) fail_msg("%s", f.error.message);
    assert_true(cdg_fit_model_is_exact(f.model));
    cdg_fit_model_destroy(f.model);
    f.def.setup.is_by_differences = true;
    assert_int_equal(fit_case_make(&f), CDG_OK);
    if (cdg_fit_model_differentiate(f.model, point, rough, &f.error) != CDG_OK) fail_msg("%s", f.error.message);
    assert_false(cdg_fit_model_is_exact(f.model));
    double size = 0, worst = 0, worst_shape = 0;
    for (size_t i = 0; i < 2 * n; i++) size = fmax(size, fabs(exact[i]));
    for (size_t i = 0; i < 2 * n; i++) {
        bool is_shape = cdg_fit_model_residuals(f.model)[i % n].data == 1;
        double *which = is_shape ? &worst_shape : &worst;
        *which = fmax(*which, fabs(exact[i] - rough[i]) / size);
    }
    // Differences are of second order, with steps of 1e-3; a shape's also turn with the curve, by its distance.
    assert_true(size > 0.05 && worst < 1e-5 && worst_shape < 0.05);
    fit_case_end(&f);
}

// At the data's own values the distance is zero, and the rates of shapes agree, too.
static void test_rates_on_the_curve(void **state) {
    (void)state;
    fit_case f;
    begin_at(&f, 3);
    size_t n = cdg_fit_model_residual_count(f.model);
    double point[2] = {0.5, log(1100.0 / 500) / log(4.0)}, exact[2 * MOST], rough[2 * MOST], size = 0, worst = 0;
    assert_int_equal(cdg_fit_model_differentiate(f.model, point, exact, &f.error), CDG_OK);
    cdg_fit_model_destroy(f.model);
    f.def.setup.is_by_differences = true;
    assert_int_equal(fit_case_make(&f), CDG_OK);
    assert_int_equal(cdg_fit_model_differentiate(f.model, point, rough, &f.error), CDG_OK);
    for (size_t i = 0; i < 2 * n; i++) size = fmax(size, fabs(exact[i]));
    for (size_t i = 0; i < 2 * n; i++) worst = fmax(worst, fabs(exact[i] - rough[i]) / size);
    assert_true(worst < 2e-5);
    fit_case_end(&f);
}

static void test_reach(void **state) {
    (void)state;
    fit_case f;
    fit_case_begin(&f, fit_scene);
    fit_case_data(&f, "time [s], tip_z [mm]\n0, -1\n2, 3\n");
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:10 MPa"), CDG_OK);
    assert_int_equal(fit_case_make(&f), CDG_OK);
    double point = 0.5, residuals[2];
    bool is_good;
    cdg_fit_model_evaluate(f.model, 1, &point, residuals, &is_good, &f.error);
    assert_false(is_good);
    assert_non_null(strstr(f.error.message, "data0.csv: row 2 is at 2 s, but the run is from 0 s to 1 s"));
    fit_case_end(&f);
}

// A force curve: the load grows over time, and the hold's reaction is over the tip's move.
static void test_over(void **state) {
    (void)state;
    fit_case f;
    char tip[FIT_TEXT], shape[FIT_TEXT], text[FIT_TEXT];
    fit_case_begin(&f, fit_scene);
    fit_case_measure(&f, NULL, 0, tip, shape);
    cdg_fit_data rows;
    assert_int_equal(cdg_fit_data_parse(tip, strlen(tip), "tip", &rows, &f.error), CDG_OK);
    int used = sprintf(text, "# over: tip_y\ntip_y [m], hold_fy [N]\n");
    for (size_t i = rows.row_count; i-- > 0;) // the force is 0.02 N times the time
        used += sprintf(text + used, "%.12g, %.12g\n", rows.columns[0].values[i], -0.02 * rows.times[i]);
    cdg_fit_data_free(&rows);
    fit_case_data(&f, text);
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:4 MPa"), CDG_OK);
    if (fit_case_make(&f) != CDG_OK) fail_msg("%s", f.error.message);
    double points[2] = {0.5, 0.9}, residuals[2 * MOST];
    bool is_good[2];
    cdg_fit_model_evaluate(f.model, 2, points, residuals, is_good, &f.error);
    size_t n = cdg_fit_model_residual_count(f.model);
    assert_true(is_good[0] && is_good[1] && n >= 5);
    double stiffer = 0;
    for (size_t i = 0; i < n; i++) {
        assert_near(residuals[i], 0, 1e-7);
        stiffer = fmin(stiffer, residuals[n + i]);
    }
    assert_true(stiffer < -1e-3); // a stiffer rod takes more force, which the hold takes up the other way
    cdg_fit_curves curves;
    assert_int_equal(cdg_fit_model_curves(f.model, points, 0, &curves, &f.error), CDG_OK);
    assert_true(curves.row_count >= 5 && curves.columns[0] == 1 && curves.columns[1] == 4);
    cdg_fit_curves_free(&curves);
    fit_case_end(&f);
}

typedef struct film {
    char text[FIT_TEXT];
    int used;
} film;

// Points of the rod at every third output, each with its time.
static cdg_result take_picture(void *user, const cdg_scene *scene, cdg_world *world, cdg_error *error) {
    film *f = user;
    cdg_vec3 nodes[32];
    (void)scene, (void)error;
    int picture = (int)round(cdg_world_time(world) / 0.02);
    if (picture % 3 != 1) return CDG_OK;
    cdg_rod_positions(world, cdg_world_rod_at(world, 0), nodes);
    for (size_t i = 9; i > 1; i -= 3)
        f->used += sprintf(f->text + f->used, "%.12g, %.12g, %.12g\n", 1e3 * cdg_world_time(world), 1e3 * nodes[i].x,
                           1e3 * nodes[i].z);
    return CDG_OK;
}

// A film of shapes: the rod falls, and a picture is compared with the rod at its own time.
static void test_film_of_shapes(void **state) {
    (void)state;
    static const char *const set[] = {"simulation={model: der, step: 5 ms, duration: 0.2 s}", "output.every=20 ms"};
    fit_case f;
    film pictures = {0};
    fit_case_begin(&f, fit_scene);
    f.source.overrides = set;
    f.source.override_count = 2;
    pictures.used = sprintf(pictures.text, "# shape: rod\ntime [ms], x [mm], z [mm]\n");
    cdg_case_def def = {.source = &f.source, .thread_count = 1, .on_row = take_picture, .user = &pictures};
    cdg_case_result r;
    if (cdg_case_run(&def, &r) != CDG_OK) fail_msg("%s", r.sentence);
    cdg_case_result_free(&r);
    fit_case_data(&f, pictures.text);
    assert_int_equal(fit_case_vary(&f, "materials.m.young_modulus=1:4 MPa"), CDG_OK);
    if (fit_case_make(&f) != CDG_OK) fail_msg("%s", f.error.message);
    size_t n = cdg_fit_model_residual_count(f.model);
    double points[2] = {0.5, 0.9}, residuals[2 * MOST], largest = 0; // 2 MPa, as in the scene, and stiffer
    bool is_good[2];
    assert_true(n >= 18 && n <= MOST);
    cdg_fit_model_evaluate(f.model, 2, points, residuals, is_good, &f.error);
    assert_true(is_good[0] && is_good[1]);
    for (size_t i = 0; i < n; i++) {
        assert_near(residuals[i], 0, 1e-9);
        largest = fmax(largest, fabs(residuals[n + i]));
    }
    assert_true(largest > 1e-4);
    // Between outputs the rod is where a cubic in time has it.
    for (size_t i = 0; i < f.data[0].row_count; i++) f.data[0].times[i] -= 0.01;
    cdg_fit_model_evaluate(f.model, 1, points, residuals, is_good, &f.error);
    largest = 0;
    for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(residuals[i]));
    assert_true(largest > 1e-3 && largest < 0.1);
    fit_case_end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_residuals), cmocka_unit_test(test_rates), cmocka_unit_test(test_rates_on_the_curve),
        cmocka_unit_test(test_reach),     cmocka_unit_test(test_over),  cmocka_unit_test(test_film_of_shapes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
