// Shortest events: pulses of loads by window, ramp and keyframes, prescribed motions, and the warning they give.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"
#include "small_world.h"
#include "world/world.h"

// One load on a rod: how long its shortest pulse lasts.
static double pulse_of(const cdg_load_def *load) {
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    must(small.world, cdg_world_add_load(small.world, load, NULL));
    cdg_event event = cdg_world_shortest_event(small.world);
    if (isfinite(event.lasts)) assert_int_equal(event.limit, CDG_LIMIT_LOAD);
    cdg_world_destroy(small.world);
    return event.lasts;
}

static cdg_load_def line(double from, double to, double ramp) {
    cdg_load_def load = cdg_load_def_default();
    load.kind = CDG_LOAD_LINE;
    load.value = vec3(0, 0, 1);
    load.from = from, load.to = to, load.ramp = ramp;
    return load;
}

static void windows_last_as_long_as_they_are_open(void **state) {
    (void)state;
    cdg_load_def always = line(0, 0, 0), later = line(1, 0, 0.1), window = line(1, 1.5, 0), ramped = line(1, 1.5, 0.2);
    assert_true(isinf(pulse_of(&always)));
    assert_true(isinf(pulse_of(&later))); // a rise alone is no pulse, however steep
    assert_near(pulse_of(&window), 0.5, 1e-12);
    assert_near(pulse_of(&ramped), 0.4, 1e-12); // from half way up
}

static double pulse_of_keyframes(const cdg_keyframe *keyframes, size_t count) {
    cdg_load_def load = line(0, 0, 0);
    load.keyframes = keyframes, load.keyframe_count = count;
    return pulse_of(&load);
}

static void keyframes_are_followed_from_extreme_to_extreme(void **state) {
    (void)state;
    const cdg_keyframe triangle[] = {{1, 0}, {1.2, 1}, {1.4, 0}};
    assert_near(pulse_of_keyframes(triangle, 3), 0.2, 1e-12);
    const cdg_keyframe steep[] = {{1, 0}, {1 + 1e-6, 1}, {3, 1}, {3 + 1e-6, 0}}; // jumps, but for the letter
    assert_near(pulse_of_keyframes(steep, 4), 2, 1e-5);
    const cdg_keyframe noise[] = {{1, 0}, {2, 1}, {2.001, 0.95}, {2.002, 1}, {3, 0}}; // ripples on a slow pulse
    assert_near(pulse_of_keyframes(noise, 5), 1, 2e-3);
    const cdg_keyframe stairs[] = {{1, 0}, {1.1, 1}, {2, 1}, {2.1, 2}, {3, 3}};
    assert_true(isinf(pulse_of_keyframes(stairs, 5)));
    cdg_keyframe wave[400]; // 200 Hz, sampled finely: half a period, and at first, from zero, three quarters of that
    for (int k = 0; k < 400; k++) wave[k] = (cdg_keyframe){5e-5 * k, sin(2 * 3.141592653589793 * 200 * 5e-5 * k)};
    assert_near(pulse_of_keyframes(wave, 400), 1.875e-3, 1e-4);
    cdg_load_def cut = line(1.1, 1.2, 0); // a window that shows a part of a slow change
    cut.keyframes = stairs, cut.keyframe_count = 5;
    assert_near(pulse_of(&cut), 0.1, 1e-12);
}

static void motions_count_and_are_warned_of(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    small_world small = small_world_make(&def, vec3(0, 0, 0), 1e-3, false);
    cdg_motion motions[] = {
        {.kind = CDG_MOTION_MOVE, .move = {0, 0, 1}, .from = 1, .to = 1}, // at once: nothing to show
        {.kind = CDG_MOTION_MOVE, .move = {0, 0, 1}, .from = 2, .to = 2.01}};
    cdg_support_def support = {
        .kind = CDG_SUPPORT_PIN, .place = {.rod = small.rod}, .motions = motions, .motion_count = 2};
    must(small.world, cdg_world_add_support(small.world, &support, NULL));
    cdg_event event = cdg_world_shortest_event(small.world);
    assert_near(event.lasts, 0.01, 1e-12);
    assert_int_equal(event.limit, CDG_LIMIT_MOTION);
    char text[256] = "";
    assert_false(cdg_world_doubts_times(small.world, 0.01, text));
    assert_true(cdg_world_doubts(small.world, 0.011, text));
    assert_non_null(strstr(text, "lasts 0.01 s"));
    cdg_load_def push = line(0.1, 0.1005, 0);
    must(small.world, cdg_world_add_load(small.world, &push, NULL));
    assert_true(cdg_world_doubts(small.world, 1e-3, text));
    assert_non_null(strstr(text, "impulse is right"));
    cdg_world_destroy(small.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_last_as_long_as_they_are_open),
        cmocka_unit_test(keyframes_are_followed_from_extreme_to_extreme),
        cmocka_unit_test(motions_count_and_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
