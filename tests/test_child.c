// A child that answers, one that dies, and one that cannot be started.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sweep/child.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

extern char **environ;

static void start(const char *script, cdg_child *child) {
    char *arguments[] = {"sh", "-c", (char *)script, NULL};
    cdg_error error = {0};
    if (cdg_child_start("/bin/sh", arguments, environ, child, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_answers(void **state) {
    (void)state;
    cdg_child child;
    char how[128];
    int signal_number;
    size_t length;
    start("while read word <&3; do echo \"got $word\" >&3; done; exit 3", &child);
    for (int i = 0; i < 3; i++) {
        assert_true(cdg_child_ask(&child, "this"));
        char *line = cdg_child_answer(&child, &length);
        assert_string_equal(line, "got this");
        assert_int_equal(length, 8);
        free(line);
    }
    cdg_child_end(&child, how, sizeof how, &signal_number); // sees the end of its input
    assert_string_equal(how, "ended with status 3");
    assert_int_equal(signal_number, 0);
}

static void test_dies(void **state) {
    (void)state;
    cdg_child child;
    char how[128];
    int signal_number;
    start("read word <&3; kill -SEGV $$", &child);
    assert_true(cdg_child_ask(&child, "go"));
    assert_null(cdg_child_answer(&child, NULL));
    cdg_child_end(&child, how, sizeof how, &signal_number);
    assert_int_equal(signal_number, SIGSEGV);
    assert_non_null(strstr(how, "signal 11"));
}

static void test_no_program(void **state) {
    (void)state;
    cdg_child child;
    char *arguments[] = {"nothing", NULL};
    cdg_error error = {0};
    assert_int_equal(cdg_child_start("/no/such/program", arguments, environ, &child, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "/no/such/program"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_answers), cmocka_unit_test(test_dies),
                                       cmocka_unit_test(test_no_program)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
