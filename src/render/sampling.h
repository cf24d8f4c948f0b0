// Where to take samples: points that fill the unit square evenly, at every pixel and over every block of pixels.
#ifndef CDG_RENDER_SAMPLING_H
#define CDG_RENDER_SAMPLING_H

#include "math/float3.h"

typedef struct cdg_sample2 {
    float x, y; // [0, 1)
} cdg_sample2;

// The index-th point of the (0,2)-sequence of Sobol: of each aligned run of 2^k points every elementary box of area
// 2^-k holds one.
cdg_sample2 cdg_sample_square(uint32_t index);

// Side of the block of pixels over which samples are spread; a box filter of this size sees each sample once.
enum { CDG_SAMPLE_BLOCK = 16 };

// Sample `number` at a pixel: points of the sequence are dealt to the pixels of a block along a Z-curve, so that blocks
// of 2, 4, 8 and 16 pixels are each evenly filled, and so are the samples 0 to 2^k - 1 of one pixel. `purpose` moves
// the points, so that two uses do not go together.
cdg_sample2 cdg_sample_at_pixel(uint32_t x, uint32_t y, uint32_t number, uint32_t purpose);

// Maps from the square: the unit disk (Shirley and Chiu 1997), and directions about `axis` with density cos / pi.
cdg_sample2 cdg_sample_to_disk(cdg_sample2 sample);
float3 cdg_sample_to_hemisphere(cdg_sample2 sample, float3 axis);

// Two unit vectors that make a right-handed triple with a unit `axis` (Duff et al. 2017).
void cdg_basis_about(float3 axis, float3 *first, float3 *second);

#endif
