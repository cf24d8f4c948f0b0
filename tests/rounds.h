// How often a loop over random input goes round: an eighth under the sanitizers, which take ten times as long and look
// for mistakes that a few rounds show as well as many.
#ifndef ROUNDS_H
#define ROUNDS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#ifdef CORDAGE_SANITIZED
enum { ROUNDS_LESS = 8 };
#else
enum { ROUNDS_LESS = 1 };
#endif

// For long simulations whose code the file's other tests run as well: first in a test.
static inline void skip_when_sanitized(void) {
    if (ROUNDS_LESS > 1) skip();
}

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define ROUNDS_THREADS_WATCHED
#endif
#endif

// For children of programs that have threads, which may start none under the thread sanitizer: first in a test.
static inline void skip_where_children_have_no_threads(void) {
#ifdef ROUNDS_THREADS_WATCHED
    skip();
#endif
}

static inline int rounds(int full) { return full > ROUNDS_LESS ? full / ROUNDS_LESS : 1; }

#endif
