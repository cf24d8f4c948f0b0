// Variants from the command line: order, names, settings with commas inside, and every mistake refused.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "commands.h"
#include "compare_variants.h"

enum { ARGUMENTS_MAX = 12 };

// Parses "compare scene ARGUMENTS..." (ends with NULL).
static bool parse(const char *const *arguments, variant_list *out) {
    char copies[ARGUMENTS_MAX][200] = {"scene.yaml"};
    char *argv[ARGUMENTS_MAX] = {copies[0]};
    int count = 1;
    for (; arguments[count - 1] != NULL; count++) {
        snprintf(copies[count], sizeof copies[0], "%s", arguments[count - 1]);
        argv[count] = copies[count];
    }
    command_line line;
    assert_true(command_line_parse(find_command("compare"), count, argv, &line));
    bool is_good = variant_list_parse(&line, out);
    command_line_free(&line);
    return is_good;
}

static void test_good(void **state) {
    (void)state;
    variant_list list;
    assert_true(parse((const char *const[]){"--models", "pobd,der", "-v", "a.1:", "--variant",
                                            "b:x=[1, 2],y={p: 1, q: 2},z='a,b'", "--against", "b", NULL},
                      &list));
    assert_int_equal(list.count, 4);
    assert_int_equal(list.reference, 3);
    assert_string_equal(list.items[0].name, "pobd");
    assert_string_equal(list.items[0].model, "pobd");
    assert_string_equal(list.items[1].model, "der");
    assert_string_equal(list.items[2].name, "a.1");
    assert_null(list.items[2].model);
    assert_int_equal(list.items[2].override_count, 0);
    assert_int_equal(list.items[3].override_count, 3);
    assert_string_equal(list.items[3].overrides[0], "x=[1, 2]");
    assert_string_equal(list.items[3].overrides[1], "y={p: 1, q: 2}");
    assert_string_equal(list.items[3].overrides[2], "z='a,b'");
    variant_list_free(&list);
}

static void test_bad(void **state) {
    (void)state;
    static const char *const bad[][8] = {
        {NULL},
        {"-m", "pobd", NULL},
        {"-m", "pobd,pobd", NULL},
        {"-m", "pobd,pobt", NULL},
        {"-m", "pobd", "-v", "pobd:", NULL},
        {"-m", "pobd", "-v", "name", NULL},
        {"-m", "pobd", "-v", "a:nothing", NULL},
        {"-m", "pobd", "-v", ":x=1", NULL},
        {"-m", "pobd", "-v", "../up:x=1", NULL},
        {"-m", "pobd", "-v", ".:x=1", NULL},
        {"-m", "pobd", "-v", "a:x=1", "--against", "c", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        variant_list list;
        if (parse(bad[i], &list)) fail_msg("case %zu was taken", i);
        variant_list_free(&list);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_good), cmocka_unit_test(test_bad)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
