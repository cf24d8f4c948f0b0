// The (0,2)-sequence as in Kollig and Keller, Efficient multidimensional sampling (2002): van der Corput's radical
// inverse and Sobol's second dimension; scrambled by exclusive-or, which keeps the stratification.
#include "render/sampling.h"

static uint32_t reverse_bits(uint32_t bits) {
    bits = (bits << 16) | (bits >> 16);
    bits = ((bits & 0x00ff00ffU) << 8) | ((bits & 0xff00ff00U) >> 8);
    bits = ((bits & 0x0f0f0f0fU) << 4) | ((bits & 0xf0f0f0f0U) >> 4);
    bits = ((bits & 0x33333333U) << 2) | ((bits & 0xccccccccU) >> 2);
    return ((bits & 0x55555555U) << 1) | ((bits & 0xaaaaaaaaU) >> 1);
}

static uint32_t sobol_bits(uint32_t index) {
    uint32_t bits = 0;
    for (uint32_t direction = 1U << 31; index; index >>= 1, direction ^= direction >> 1)
        if (index & 1) bits ^= direction;
    return bits;
}

static float to_unit(uint32_t bits) { return (float)(bits >> 8) * 0x1p-24F; }

cdg_sample2 cdg_sample_square(uint32_t index) {
    return (cdg_sample2){to_unit(reverse_bits(index)), to_unit(sobol_bits(index))};
}

static uint32_t spread_bits(uint32_t value) { // four bits, one place between each
    value = (value | (value << 2)) & 0x33U;
    return (value | (value << 1)) & 0x55U;
}

static uint32_t hash(uint32_t value) {
    value = (value ^ (value >> 16)) * 0x7feb352dU;
    value = (value ^ (value >> 15)) * 0x846ca68bU;
    return value ^ (value >> 16);
}

cdg_sample2 cdg_sample_at_pixel(uint32_t x, uint32_t y, uint32_t number, uint32_t purpose) {
    uint32_t index = spread_bits(x % CDG_SAMPLE_BLOCK) | (spread_bits(y % CDG_SAMPLE_BLOCK) << 1);
    // The pixel's point and the number's point, by exclusive-or: both the pixels of a block and the samples of a pixel
    // fill the square evenly. Below the first eight bits, which 256 pixels have filled, each number goes its own way.
    uint32_t scramble = hash(2 * purpose + 1), other = hash(2 * purpose + 2);
    uint32_t low = hash(scramble + number) >> 8, other_low = hash(other + number) >> 8;
    return (cdg_sample2){to_unit(reverse_bits(index) ^ reverse_bits(number) ^ scramble ^ low),
                         to_unit(sobol_bits(index) ^ sobol_bits(number) ^ other ^ other_low)};
}

cdg_sample2 cdg_sample_to_disk(cdg_sample2 sample) {
    const float quarter = 0.78539816F; // pi / 4
    float a = 2 * sample.x - 1, b = 2 * sample.y - 1, radius, angle;
    if (a == 0 && b == 0) return (cdg_sample2){0, 0};
    if (fabsf(a) > fabsf(b)) {
        radius = a;
        angle = quarter * (b / a);
    } else {
        radius = b;
        angle = 2 * quarter - quarter * (a / b);
    }
    return (cdg_sample2){radius * cosf(angle), radius * sinf(angle)};
}

void cdg_basis_about(float3 axis, float3 *first, float3 *second) {
    float sign = copysignf(1, axis.z), a = -1 / (sign + axis.z), b = axis.x * axis.y * a;
    *first = float3_make(1 + sign * axis.x * axis.x * a, sign * b, -sign * axis.x);
    *second = float3_make(b, sign + axis.y * axis.y * a, -axis.y);
}

float3 cdg_sample_to_hemisphere(cdg_sample2 sample, float3 axis) {
    cdg_sample2 disk = cdg_sample_to_disk(sample);
    float3 first, second;
    cdg_basis_about(axis, &first, &second);
    float height = sqrtf(fmaxf(0, 1 - disk.x * disk.x - disk.y * disk.y));
    return float3_mad(float3_mad(float3_scale(disk.x, first), disk.y, second), height, axis);
}
