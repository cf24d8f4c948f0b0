// What the tests of misuse share: a world with a rod and a body, in which no misuse may leave a trace, and what a call
// that is misused must answer.
#ifndef CDG_TESTS_MISUSE_CASE_H
#define CDG_TESTS_MISUSE_CASE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <cordage/cordage.h>

static size_t misuses; // tried in all tests

typedef struct fixture {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_body_id body;
    cdg_error error;
} fixture;

static inline int set_up(void **state) {
    static fixture f;
    f = (fixture){0};
    cdg_world_def def = cdg_world_def_default();
    def.thread_count = 1;
    assert_int_equal(cdg_world_create(&def, &f.world, NULL), CDG_OK);
    cdg_rod_def rod = cdg_rod_def_default();
    rod.name = "rod";
    rod.element_count = 5;
    assert_int_equal(cdg_world_add_rod(f.world, &rod, &f.rod), CDG_OK);
    cdg_body_def body = cdg_body_def_default();
    body.shape.position = (cdg_vec3){0, 0, 9};
    assert_int_equal(cdg_world_add_body(f.world, &body, &f.body), CDG_OK);
    *state = &f;
    return 0;
}

static inline int tear_down(void **state) {
    fixture *f = *state;
    assert_int_equal(cdg_world_rod_count(f->world), 1); // nothing of it left a trace
    assert_int_equal(cdg_world_body_count(f->world), 1);
    assert_int_equal(cdg_world_obstacle_count(f->world), 0);
    assert_int_equal(cdg_world_weld_count(f->world), 0);
    assert_int_equal(cdg_world_step(f->world, NULL), CDG_OK);
    cdg_world_destroy(f->world);
    return 0;
}

static inline void expect(cdg_result result, bool may_be_stale, const char *call, int line) {
    misuses++;
    bool is_refused = result == CDG_ERROR_ARGUMENT || (may_be_stale && result == CDG_ERROR_STALE);
    if (!is_refused) fail_msg("line %d: %s gave '%s'", line, call, cdg_result_text(result));
}

#define REFUSED(call) expect(call, false, #call, __LINE__)
#define STALE(call) expect(call, true, #call, __LINE__)
#define HARMLESS(call) ((void)(call), misuses++)
// ... and the world's message, or the error, says why.
#define REFUSED_BY_WORLD(call)                                                                                         \
    do {                                                                                                               \
        expect(call, true, #call, __LINE__);                                                                           \
        if (cdg_world_message(f->world)[0] == '\0') fail_msg("line %d: no sentence after %s", __LINE__, #call);        \
    } while (0)
#define REFUSED_WITH_ERROR(call)                                                                                       \
    do {                                                                                                               \
        f->error = (cdg_error){0};                                                                                     \
        expect(call, false, #call, __LINE__);                                                                          \
        if (f->error.message[0] == '\0') fail_msg("line %d: no sentence after %s", __LINE__, #call);                   \
    } while (0)

static const double bad_numbers[] = {NAN, INFINITY, -INFINITY};
enum { BAD_NUMBERS = 3 };

static inline void expect_enough(size_t least) {
    print_message("%zu misuses\n", misuses);
    assert_true(misuses >= least);
}

#endif
