// Samples: evenly spread over the square, at one pixel and over blocks of pixels; maps keep their densities.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/sampling.h"

#include <string.h>

// Every elementary box of area 1 / count holds one of `count` points (a power of two).
static void assert_stratified(const cdg_sample2 *samples, uint32_t count) {
    for (uint32_t columns = 1; columns <= count; columns *= 2) {
        unsigned char filled[256] = {0};
        uint32_t rows = count / columns;
        for (uint32_t i = 0; i < count; i++) {
            assert_true(samples[i].x >= 0 && samples[i].x < 1 && samples[i].y >= 0 && samples[i].y < 1);
            uint32_t x = (uint32_t)(samples[i].x * (float)columns), y = (uint32_t)(samples[i].y * (float)rows);
            assert_int_equal(filled[y * columns + x]++, 0);
        }
    }
}

static void test_sequence(void **state) {
    (void)state;
    cdg_sample2 samples[256];
    for (uint32_t count = 1; count <= 256; count *= 2)
        for (uint32_t block = 0; block < 3; block++) {
            for (uint32_t i = 0; i < count; i++) samples[i] = cdg_sample_square(block * count + i);
            assert_stratified(samples, count);
        }
}

static void test_blocks_and_pixels(void **state) {
    (void)state;
    cdg_sample2 samples[256];
    for (uint32_t purpose = 0; purpose < 4; purpose++) {
        for (uint32_t size = 2; size <= CDG_SAMPLE_BLOCK; size *= 2)
            for (uint32_t number = 0; number < 5; number++) {
                for (uint32_t i = 0; i < size * size; i++)
                    samples[i] = cdg_sample_at_pixel(3 * size + i % size, 5 * size + i / size, number, purpose);
                assert_stratified(samples, size * size);
            }
        for (uint32_t pixel = 0; pixel < 20; pixel++) {
            for (uint32_t i = 0; i < 64; i++) samples[i] = cdg_sample_at_pixel(7 * pixel, pixel, i, purpose);
            // below eight bits numbers go their own way, so only boxes of 1/8 are sure
            unsigned char filled[64] = {0};
            for (uint32_t i = 0; i < 64; i++) filled[(uint32_t)(8 * samples[i].y) * 8 + (uint32_t)(8 * samples[i].x)]++;
            for (int i = 0; i < 64; i++) assert_int_equal(filled[i], 1);
        }
    }
}

static void test_maps(void **state) {
    (void)state;
    cdg_random random = {.state = 11};
    float3 axis = float3_normalize(float3_from(random_vec3(&random, 1)));
    double inner = 0, height = 0;
    enum { COUNT = 4096 };
    for (uint32_t i = 0; i < COUNT; i++) {
        cdg_sample2 sample = cdg_sample_square(i), disk = cdg_sample_to_disk(sample);
        float radius = disk.x * disk.x + disk.y * disk.y;
        assert_true(radius <= 1.00001F);
        inner += radius < 0.25F;
        float3 along = cdg_sample_to_hemisphere(sample, axis);
        assert_float_equal(float3_norm(along), 1, 1e-4);
        assert_true(float3_dot(along, axis) > -1e-4F);
        height += float3_dot(along, axis);
    }
    assert_float_equal(inner / COUNT, 0.25, 0.01);       // half the radius is a quarter of the area
    assert_float_equal(height / COUNT, 2.0 / 3.0, 0.01); // mean cosine under the density cos / pi
}

static void test_basis(void **state) {
    (void)state;
    cdg_random random = {.state = 5};
    for (int i = 0; i < 1000; i++) {
        float3 axis = i == 0   ? float3_make(0, 0, -1)
                      : i == 1 ? float3_make(0, 0, 1)
                               : float3_normalize(float3_from(random_vec3(&random, 1)));
        float3 first, second;
        cdg_basis_about(axis, &first, &second);
        float3 third = float3_cross(first, second);
        assert_float_equal(float3_dot(third, axis), 1, 1e-4);
        assert_float_equal(float3_norm(first), 1, 1e-4);
        assert_float_equal(float3_dot(first, axis), 0, 1e-4);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sequence), cmocka_unit_test(test_blocks_and_pixels),
                                       cmocka_unit_test(test_maps), cmocka_unit_test(test_basis)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
