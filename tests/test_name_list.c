// Lists of names: whole names only, spaces do not count, and what the run does not have is refused by name.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "render/name_list.h"

#include <string.h>

static void whole_names(void **state) {
    (void)state;
    assert_true(cdg_name_is_listed("pipe", "pipe"));
    assert_true(cdg_name_is_listed("rope, pipe ,floor", "pipe"));
    assert_false(cdg_name_is_listed("rope,pipes", "pipe"));
    assert_false(cdg_name_is_listed("rope,pip", "pipe"));
    assert_false(cdg_name_is_listed(NULL, "pipe"));
    assert_false(cdg_name_is_listed("pipe", NULL));
}

static void names_of_a_run(void **state) {
    (void)state;
    cdg_run_rod rods[] = {{.name = "rope"}, {.name = "cord"}};
    cdg_run_reader reader = {.directory = (char *)"my-run", .rods = rods, .rod_count = 2};
    cdg_error error;
    assert_int_equal(cdg_name_list_check(NULL, "--hide", &reader, &error), CDG_OK);
    assert_int_equal(cdg_name_list_check("cord, rope", "--hide", &reader, &error), CDG_OK);
    assert_int_equal(cdg_name_list_check("cord,pipe", "--see-through", &reader, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--see-through: "));
    assert_non_null(strstr(error.message, "'pipe'"));
    assert_non_null(strstr(error.message, "cordage info my-run"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(whole_names), cmocka_unit_test(names_of_a_run)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
