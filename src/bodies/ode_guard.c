// ODE counts its users but not safely between threads, and its error handlers are the whole process's: both are kept
// here, under a lock, and put back as they were when the last user goes. These are the only variables of the library
// that outlive a call, because ODE's are.
#include "bodies/ode_guard.h"

#include "base/error.h"

#include <ode/ode.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static size_t user_count;
static dMessageFunction *error_before, *debug_before, *message_before;
static _Thread_local jmp_buf *back; // NULL: not in one of our calls
static _Thread_local char what[256];

// A handler must not return: ODE would end the process.
static void leave(int number, const char *text, va_list arguments) {
    vsnprintf(what, sizeof what, text, arguments);
    (void)number;
    longjmp(*back, 1);
}

static void on_error(int number, const char *text, va_list arguments) {
    if (back != NULL) leave(number, text, arguments);
    if (error_before != NULL) error_before(number, text, arguments);
}

static void on_debug(int number, const char *text, va_list arguments) {
    if (back != NULL) leave(number, text, arguments);
    if (debug_before != NULL) debug_before(number, text, arguments);
}

static void on_message(int number, const char *text, va_list arguments) { // remarks, which nobody asked for
    if (back == NULL && message_before != NULL) message_before(number, text, arguments);
}

// A child that is forked while another thread holds the lock would wait for that thread, which it does not have.
static void hold(void) { pthread_mutex_lock(&lock); }
static void let_go(void) { pthread_mutex_unlock(&lock); }
static void guard_forks(void) { pthread_atfork(hold, let_go, let_go); }

bool cdg_ode_acquire(void) {
    static pthread_once_t is_guarded = PTHREAD_ONCE_INIT;
    pthread_once(&is_guarded, guard_forks);
    pthread_mutex_lock(&lock);
    bool is_good = dInitODE2(0) != 0;
    if (is_good && user_count++ == 0) {
        error_before = dGetErrorHandler();
        debug_before = dGetDebugHandler();
        message_before = dGetMessageHandler();
        dSetErrorHandler(on_error);
        dSetDebugHandler(on_debug);
        dSetMessageHandler(on_message);
    }
    pthread_mutex_unlock(&lock);
    return is_good;
}

void cdg_ode_release(void) {
    pthread_mutex_lock(&lock);
    if (--user_count == 0) {
        dSetErrorHandler(error_before);
        dSetDebugHandler(debug_before);
        dSetMessageHandler(message_before);
    }
    dCloseODE();
    pthread_mutex_unlock(&lock);
}

cdg_result cdg_ode_run(void (*work)(void *user), void *user, cdg_error *error) {
    jmp_buf here;
    if (setjmp(here) != 0) {
        back = NULL;
        return cdg_fail(error, CDG_ERROR_NOT_FINITE, "the collisions of bodies failed: %s", what);
    }
    back = &here;
    bool is_ready = dAllocateODEDataForThread(dAllocateMaskAll) != 0;
    if (is_ready) work(user);
    back = NULL;
    return is_ready ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the collisions of bodies");
}
