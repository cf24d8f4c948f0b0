// The validation framework: rows pass and fail as they should, factors reach the rods.
#include "validation/cases.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_rows(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    assert_false(validation_all_passed(&context)); // no rows prove nothing
    validation_add_relative(&context, "a", "m", 1.009, 1, 0.01);
    validation_add_absolute(&context, "b", "m", -2.5, -2, 0.5);
    validation_add_limit(&context, "c", "J", 1e-9, 1e-8);
    assert_true(validation_all_passed(&context));
    validation_add_relative(&context, "d", "m", 1.011, 1, 0.01);
    assert_false(context.rows[3].pass);
    assert_false(validation_all_passed(&context));
    const double odd[] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    for (size_t i = 0; i < 3; i++) {
        validation_add_relative(&context, "e", "", odd[i], 1, 0.01);
        assert_false(context.rows[context.row_count - 1].pass);
        validation_add_absolute(&context, "f", "", odd[i], 1, 0.01);
        assert_false(context.rows[context.row_count - 1].pass);
    }
    validation_add_limit(&context, "g", "", (double)NAN, 1);
    assert_false(context.rows[context.row_count - 1].pass);
    validation_add_relative(&context, "h", "", 0, 0, 1); // relative to nothing
    assert_false(context.rows[context.row_count - 1].pass);
    for (int i = 0; i < 100; i++) validation_add_limit(&context, "many", "", 0, 1);
    assert_int_equal(context.row_count, 112);
    validation_context_free(&context);
}

static void test_factors(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    cdg_error error;
    assert_int_equal(validation_set_factor(&context, "bend=1.5", &error), CDG_OK);
    assert_int_equal(validation_set_factor(&context, "gravity=2", &error), CDG_OK);
    const char *const wrong[] = {"bend", "bend=", "bend=x", "bend=1x", "ben=1", "bends=1", "=1", "", "bend=nan"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(validation_set_factor(&context, wrong[i], &error), CDG_ERROR_ARGUMENT);

    cdg_rod_def def = cdg_rod_def_default();
    cdg_stiffness right;
    assert_int_equal(cdg_stiffness_compute(&def.material, &def.section, &right, &error), CDG_OK);
    assert_int_equal(validation_spoil_rod(&context, &def, &error), CDG_OK);
    assert_true(def.has_stiffness);
    assert_true(def.stiffness.bend[0] == 1.5 * right.bend[0] && def.stiffness.bend[1] == 1.5 * right.bend[1]);
    assert_true(def.stiffness.twist == right.twist && def.stiffness.stretch == right.stretch);
    assert_true(def.stiffness.mass == right.mass && def.stiffness.shear[0] == right.shear[0]);
    assert_true(validation_spoil_gravity(&context, (cdg_vec3){0, 0, -1}).z == -2);
}

static void test_without_factors_nothing_changes(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    cdg_error error;
    cdg_rod_def def = cdg_rod_def_default(), before = def;
    assert_int_equal(validation_spoil_rod(&context, &def, &error), CDG_OK);
    assert_memory_equal(&def, &before, sizeof def);
}

static void test_rows_know_their_model(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    const validation_case item = {.reason = "why", .others = NULL};
    validation_add_limit(&context, "a", "", 0, 1);
    validation_under(&context, VALIDATION_GALPHA);
    validation_because(&context, "another");
    validation_add_order(&context, "b", 1.9, 2, 0.2);
    validation_because(&context, NULL);
    validation_unsupported(&context, VALIDATION_CORDE, "it has %d %s", 2, "faults");
    assert_int_equal(context.rows[0].model, VALIDATION_MODEL_COUNT);
    assert_int_equal(context.rows[1].model, VALIDATION_GALPHA);
    assert_int_equal(context.rows[1].kind, VALIDATION_ORDER);
    assert_string_equal(validation_row_reason(&item, &context.rows[0]), "why");
    assert_string_equal(validation_row_reason(&item, &context.rows[1]), "another");
    assert_string_equal(validation_model_status(&item, &context, VALIDATION_GALPHA), "ran");
    assert_string_equal(validation_model_status(&item, &context, VALIDATION_CORDE), "it has 2 faults");
    assert_null(validation_model_status(&item, &context, VALIDATION_DIRECT));
    validation_add_order(&context, "c", 1.7, 2, 0.2);
    assert_false(context.rows[2].pass);
    assert_false(validation_is_decided(&context)); // nobody asked to stop
    context.stops_at_failure = true;
    assert_true(validation_is_decided(&context));
    validation_context_free(&context);
}

static void test_information_fails_only_when_it_is_no_number(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    validation_add_information(&context, "a time", "ms", 1e9);
    validation_cite(&context, VALIDATION_SEED_000_12, "%g ms", 0.21);
    assert_true(context.rows[0].pass);
    assert_string_equal(validation_seed_name(context.rows[0].seed), "000 figure 12");
    assert_string_equal(context.rows[0].theirs, "0.21 ms");
    validation_add_information(&context, "no time", "ms", (double)NAN);
    assert_false(context.rows[1].pass);
    validation_context_free(&context);
}

static cdg_result run_under_one(validation_context *context, cdg_error *error) {
    (void)error;
    validation_add_limit(context, "a", "", 0, 1);
    return CDG_OK;
}

static void test_a_model_that_nobody_mentions_fails_the_case(void **state) {
    (void)state;
    validation_case item = {.run = run_under_one, .only = VALIDATION_ONLY(DIRECT)};
    validation_context context = validation_context_default();
    cdg_error error;
    assert_int_not_equal(validation_run_case(&item, &context, &error), CDG_OK);
    assert_non_null(strstr(error.message, "corde"));
    validation_context_free(&context);
    context = validation_context_default();
    item.only = 0; // no model is told: that is listed, and is no failure
    assert_int_equal(validation_run_case(&item, &context, &error), CDG_OK);
    assert_non_null(validation_model_status(&item, &context, VALIDATION_CORDE));
    validation_context_free(&context);
    context = validation_context_default();
    item.only = VALIDATION_ONLY(DIRECT);
    item.others = "a reason";
    assert_int_equal(validation_run_case(&item, &context, &error), CDG_OK);
    assert_true(context.has_run[VALIDATION_DIRECT]);
    validation_context_free(&context);
}

static void test_levels(void **state) {
    (void)state;
    validation_context context = validation_context_default();
    assert_true(validation_by_level(&context, 1, 2, 3) == 2); // in full unless it is told
    context.is_exhaustive = true;
    assert_true(validation_by_level(&context, 1, 2, 3) == 3);
    context.is_exhaustive = false;
    context.is_quick = true;
    assert_true(validation_by_level(&context, 1, 2, 3) == 1);
}

static void test_table_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < validation_case_count; i++) {
        const validation_case *item = &validation_cases[i];
        validation_context context = validation_context_default();
        cdg_error error;
        assert_true(strlen(item->name) > 0 && strlen(item->shows) > 0 && strlen(item->source) > 0);
        assert_non_null(item->run);
        assert_true(item->only == 0 || item->others != NULL); // a case about one model says why it has no other
        assert_int_equal(validation_set_factor(&context, item->spoiler, &error), CDG_OK);
        for (size_t k = 0; k < i; k++) assert_string_not_equal(item->name, validation_cases[k].name);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_factors),
        cmocka_unit_test(test_without_factors_nothing_changes),
        cmocka_unit_test(test_rows_know_their_model),
        cmocka_unit_test(test_information_fails_only_when_it_is_no_number),
        cmocka_unit_test(test_a_model_that_nobody_mentions_fails_the_case),
        cmocka_unit_test(test_levels),
        cmocka_unit_test(test_table_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
