// Worlds that are stepped by several threads at once share the threads of the process and no results: each has the bits
// that it has alone. A process that is forked meanwhile steps worlds of its own.
#define _DEFAULT_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <cordage/cordage.h>

enum { WORLDS = 4, RODS = 12, NODES = 9, STEPS = 60 };

// Rods of two models that fall onto a floor and each other: every part of a step is shared out.
static cdg_world *make_world(int number) {
    cdg_world_def def = cdg_world_def_default();
    def.step = 2e-3;
    def.thread_count = 2;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, NULL) != CDG_OK) return NULL;
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE;
    (void)cdg_world_add_obstacle(world, &floor, NULL);
    for (int i = 0; i < RODS; i++) {
        char name[20];
        snprintf(name, sizeof name, "rod_%d", i);
        cdg_rod_def rod = cdg_rod_def_default();
        rod.name = name;
        rod.model = i % 2 == 0 ? CDG_MODEL_POBD : CDG_MODEL_CORDE;
        rod.element_count = NODES - 1;
        rod.section.radius = 0.005;
        rod.material.young_modulus = 1e6;
        rod.centerline.line.from = (cdg_vec3){0, 0.02 * i, 0.02 + 0.011 * (i + number)};
        rod.centerline.line.to = (cdg_vec3){0.3, 0.02 * i - 0.1, 0.02 + 0.011 * (i + number)};
        if (cdg_world_add_rod(world, &rod, NULL) != CDG_OK) return NULL;
    }
    return world;
}

typedef struct outcome {
    int number;
    bool is_good;
    cdg_vec3 x[RODS][NODES];
} outcome;

// Asserts are for the main thread.
static void *run_world(void *user) {
    outcome *o = user;
    cdg_world *world = make_world(o->number);
    o->is_good = world != NULL;
    for (int i = 0; i < STEPS && o->is_good; i++) o->is_good = cdg_world_step(world, NULL) == CDG_OK;
    for (size_t i = 0; i < RODS && o->is_good; i++)
        o->is_good = cdg_rod_positions(world, cdg_world_rod_at(world, i), o->x[i]) == CDG_OK;
    cdg_world_destroy(world);
    return NULL;
}

static outcome alone[WORLDS];

static void test_same_bits(void **state) {
    (void)state;
    static outcome together[WORLDS];
    pthread_t threads[WORLDS];
    for (int i = 0; i < WORLDS; i++) together[i].number = i;
    for (int i = 0; i < WORLDS; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_world, &together[i]), 0);
    for (int i = 0; i < WORLDS; i++) {
        pthread_join(threads[i], NULL);
        assert_true(together[i].is_good);
        assert_memory_equal(together[i].x, alone[i].x, sizeof alone[i].x);
    }
    assert_memory_not_equal(alone[0].x, alone[1].x, sizeof alone[0].x);
}

static void test_forked_meanwhile(void **state) {
    (void)state;
#ifdef CORDAGE_SANITIZED
    skip(); // the thread sanitizer starts no threads in a child of many
#endif
    static outcome other = {.number = 1}, own;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, run_world, &other), 0);
    for (int k = 0; k < 5; k++) {
        usleep(3000); // in the middle of its steps, as a rule
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(1000); // should it wait for threads that it does not have
            own.number = 2;
            run_world(&own);
            _exit(own.is_good && memcmp(own.x, alone[2].x, sizeof own.x) == 0 ? 0 : 1);
        }
        int status = 0;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    pthread_join(thread, NULL);
    assert_true(other.is_good);
    assert_memory_equal(other.x, alone[1].x, sizeof other.x);
}

static int set_up(void **state) {
    (void)state;
    for (int i = 0; i < WORLDS; i++) {
        alone[i].number = i;
        run_world(&alone[i]);
        if (!alone[i].is_good) return 1;
    }
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_forked_meanwhile),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
