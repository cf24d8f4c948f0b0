// ODE's errors come back as results, in every thread, and its handlers are left as they were found.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

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

static atomic_bool is_over;

static void *use_always(void *user) {
    (void)user;
    while (!atomic_load(&is_over))
        if (cdg_ode_acquire()) cdg_ode_release();
    return NULL;
}

// Forked while another thread starts and closes ODE: the child does not wait for that thread.
static void children_do_not_wait(void **state) {
    (void)state;
#ifdef CORDAGE_SANITIZED
    skip(); // the thread sanitizer starts no threads in a child of many
#endif
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, use_always, NULL), 0);
    for (int k = 0; k < 200; k++) {
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(60);
            bool is_good = cdg_ode_acquire();
            if (is_good) cdg_ode_release();
            _exit(is_good ? 0 : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    atomic_store(&is_over, true);
    pthread_join(thread, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(children_do_not_wait),
        cmocka_unit_test(errors_come_back),
        cmocka_unit_test(threads_have_their_own_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
