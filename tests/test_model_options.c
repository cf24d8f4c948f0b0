// Options by their tables: where a definition has them, and when two are equal.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "rods/model_options.h"
#include "rods/rod_model.h"

static const cdg_model_options *of(cdg_model model) { return cdg_rod_model_get(model)->options; }

static void test_members(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    assert_ptr_equal(cdg_rod_def_options(&def), &def.der);
    cdg_der_options der = def.der;
    der.iterations = 77;
    cdg_rod_def_set_options(&def, CDG_MODEL_DER, &der);
    assert_int_equal(def.der.iterations, 77);
    cdg_pobd_options pobd = def.pobd;
    pobd.iterations = 5;
    cdg_rod_def_set_options(&def, CDG_MODEL_POBD, &pobd); // not its model's: kept, for whoever changes the model
    assert_int_equal(def.pobd.iterations, 5);
}

static void test_equal(void **state) {
    (void)state;
    cdg_pobd_options a = cdg_pobd_options_default(), b = a;
    assert_true(cdg_options_are_equal(of(CDG_MODEL_POBD), &a, &b));
    b.paper_bend[2] = 0.5; // says nothing without paper_stiffness
    assert_true(cdg_options_are_equal(of(CDG_MODEL_POBD), &a, &b));
    a.paper_stiffness = b.paper_stiffness = true;
    assert_false(cdg_options_are_equal(of(CDG_MODEL_POBD), &a, &b));
    b = a;
    b.tolerance *= 2;
    assert_false(cdg_options_are_equal(of(CDG_MODEL_POBD), &a, &b));
    cdg_galpha_options c = cdg_galpha_options_default(), d = c;
    d.alpha = 0.25;
    assert_true(cdg_options_are_equal(of(CDG_MODEL_GALPHA), &c, &d));
    c.has_coefficients = d.has_coefficients = true;
    assert_false(cdg_options_are_equal(of(CDG_MODEL_GALPHA), &c, &d));
    c.alpha = d.alpha;
    c.lambda_infinity = -0.1;
    assert_true(cdg_options_are_equal(of(CDG_MODEL_GALPHA), &c, &d));
    d.has_coefficients = false;
    assert_false(cdg_options_are_equal(of(CDG_MODEL_GALPHA), &c, &d));
}

static void test_lists(void **state) {
    (void)state;
    cdg_der_options o = cdg_der_options_default();
    int choice = 0;
    assert_null(cdg_options_beyond_list(of(CDG_MODEL_DER), &o, &choice));
    o.constraint = (cdg_der_constraint)3;
    const scene_key *key = cdg_options_beyond_list(of(CDG_MODEL_DER), &o, &choice);
    assert_non_null(key);
    assert_string_equal(key->name, "constraint");
    assert_int_equal(choice, 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_members), cmocka_unit_test(test_equal),
                                       cmocka_unit_test(test_lists)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
