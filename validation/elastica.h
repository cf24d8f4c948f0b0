// The planar elastica, clamped level, under a tip load and its own weight: the curve that rods are plotted against.
#ifndef VALIDATION_ELASTICA_H
#define VALIDATION_ELASTICA_H

#include <stddef.h>

// Length and bending stiffness 1; `tip` is P L^2/B, `weight` w L^3/B, both downward. count >= 2 points from the clamp
// to the tip, y upward.
void elastica_shape(double tip, double weight, size_t count, double *x, double *y);

#endif
