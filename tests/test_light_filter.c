// Smoothing of light: what is even stays, noise goes, sharp shadows stay sharp, the number of threads does not matter.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/light_filter.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 150, HEIGHT = 90, COUNT = WIDTH * HEIGHT };

typedef struct fields {
    float seen[COUNT], weight[COUNT], blur[COUNT], level[COUNT];
} fields;

static void fill(float *out, float value) {
    for (int i = 0; i < COUNT; i++) out[i] = value;
}

static void smooth(fields *f, int threads) {
    cdg_light_filter_def def = {.width = WIDTH, .height = HEIGHT, .threads = threads, .foreshortening = 0.5};
    cdg_error error;
    if (cdg_light_filter_levels(&def, f->blur, f->level, &error) != CDG_OK) fail_msg("%s", error.message);
    if (cdg_light_filter(&def, f->seen, f->weight, f->level, &error) != CDG_OK) fail_msg("%s", error.message);
}

static void test_even_stays(void **state) {
    (void)state;
    static fields f;
    cdg_random random = {.state = 1};
    fill(f.seen, 0.37F);
    for (int i = 0; i < COUNT; i++) {
        f.weight[i] = (float)(1 + random_bits(&random) % 16) / 16; // shares of 16 samples
        f.blur[i] = i % 7 ? 0 : (float)random_in(&random, 0, 60);
    }
    smooth(&f, 1);
    for (int i = 0; i < COUNT; i++) assert_float_equal(f.seen[i], 0.37, 1e-4);
    fill(f.seen, 1);
    smooth(&f, 1);
    for (int i = 0; i < COUNT; i++) assert_float_equal(f.seen[i], 1, 0);
}

static void test_noise_goes(void **state) {
    (void)state;
    static fields f;
    cdg_random random = {.state = 2};
    fill(f.weight, 1);
    fill(f.blur, 40);
    for (int i = 0; i < COUNT; i++) f.seen[i] = random_unit(&random) < 0.3 ? 0 : 1;
    smooth(&f, 1);
    double variance = 0;
    for (int i = 0; i < COUNT; i++) variance += (f.seen[i] - 0.7) * (f.seen[i] - 0.7) / COUNT;
    assert_true(sqrt(variance) < 0.03); // 0.46 before
}

static void test_sharp_stays_sharp(void **state) {
    (void)state;
    static fields f;
    fill(f.weight, 1);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            f.seen[y * WIDTH + x] = x < 70 ? 0 : 1;
            f.blur[y * WIDTH + x] = x < 70 ? 1 : 0;
        }
    smooth(&f, 1);
    for (int y = 0; y < HEIGHT; y++) {
        assert_true(f.seen[y * WIDTH + 66] < 0.01F && f.seen[y * WIDTH + 73] > 0.99F);
    }
    // the same edge where something far away makes it
    for (int i = 0; i < COUNT; i++) f.seen[i] = i % WIDTH < 70 ? 0 : 1, f.blur[i] = i % WIDTH < 70 ? 30 : 0;
    smooth(&f, 1);
    for (int x = 50; x < 90; x++) assert_true(f.seen[40 * WIDTH + x + 1] >= f.seen[40 * WIDTH + x] - 1e-4F);
    assert_true(f.seen[40 * WIDTH + 60] > 0.02F && f.seen[40 * WIDTH + 80] < 0.98F);
}

// Pixels without weight take no part: what lies there does not leak out.
static void test_weights(void **state) {
    (void)state;
    static fields f;
    fill(f.blur, 20);
    for (int i = 0; i < COUNT; i++) {
        bool is_ground = i % 3 != 0;
        f.seen[i] = is_ground ? 0.5F : 0;
        f.weight[i] = is_ground ? 1 : 0;
    }
    smooth(&f, 1);
    for (int i = 0; i < COUNT; i++) assert_float_equal(f.seen[i], 0.5, 1e-4);
}

static void test_threads(void **state) {
    (void)state;
    static fields f, g;
    cdg_random random = {.state = 3};
    for (int i = 0; i < COUNT; i++) {
        f.seen[i] = (float)random_unit(&random);
        f.weight[i] = (float)random_unit(&random);
        f.blur[i] = (float)random_in(&random, -5, 40);
    }
    memcpy(&g, &f, sizeof f);
    smooth(&f, 1);
    smooth(&g, 3);
    assert_memory_equal(f.seen, g.seen, sizeof f.seen);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_even_stays), cmocka_unit_test(test_noise_goes),
                                       cmocka_unit_test(test_sharp_stays_sharp), cmocka_unit_test(test_weights),
                                       cmocka_unit_test(test_threads)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
