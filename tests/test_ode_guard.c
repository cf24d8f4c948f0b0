// ODE's errors come back as results, in every thread, and its handlers are left as they were found.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/parallel.h"
#include "bodies/ode_guard.h"

#include <ode/ode.h>
#include <string.h>

static void make_error(void *user) {
    (void)user;
    dError(1, "made on purpose, number %d", 42);
}
static void make_debug(void *user) {
    (void)user;
    dDebug(2, "found by %s", "us");
}
static void make_message(void *user) {
    dMessage(3, "only a remark");
    *(bool *)user = true;
}

static void errors_come_back(void **state) {
    (void)state;
    dMessageFunction *before = dGetErrorHandler();
    assert_true(cdg_ode_acquire());
    assert_true(cdg_ode_acquire()); // twice
    for (int n = 0; n < 3; n++) {
        cdg_error error = {0};
        assert_int_equal(cdg_ode_run(make_error, NULL, &error), CDG_ERROR_NOT_FINITE);
        assert_non_null(strstr(error.message, "made on purpose, number 42"));
        assert_int_equal(cdg_ode_run(make_debug, NULL, &error), CDG_ERROR_NOT_FINITE);
        assert_non_null(strstr(error.message, "found by us"));
        bool has_run = false;
        assert_int_equal(cdg_ode_run(make_message, &has_run, &error), CDG_OK);
        assert_true(has_run);
    }
    cdg_ode_release();
    assert_true(dGetErrorHandler() != before);
    cdg_ode_release();
    assert_true(dGetErrorHandler() == before);
}

static void use_once(void *user, size_t index, int thread) {
    (void)thread;
    int *good = user;
    cdg_error error = {0};
    if (!cdg_ode_acquire()) return;
    cdg_result result = cdg_ode_run(index % 2 == 0 ? make_error : make_debug, NULL, &error);
    if (result == CDG_ERROR_NOT_FINITE && strstr(error.message, index % 2 == 0 ? "42" : "us") != NULL) good[index] = 1;
    cdg_ode_release();
}

static void threads_have_their_own_errors(void **state) {
    (void)state;
    enum { COUNT = 64 };
    int good[COUNT] = {0};
    cdg_parallel_for(COUNT, 4, use_once, good);
    for (int i = 0; i < COUNT; i++) assert_int_equal(good[i], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_come_back),
        cmocka_unit_test(threads_have_their_own_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
