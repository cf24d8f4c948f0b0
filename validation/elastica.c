// The planar elastica by shooting: with t the slope below the level, t'' = -(P + w (1 - s)) cos t, t(0) = 0, t'(1) = 0.
// The slope at the clamp is found by bisection, the curve by Runge-Kutta steps.
#include "validation/elastica.h"

#include <math.h>
#include <stdbool.h>

typedef struct state {
    double x, y, slope, curvature;
} state;

static state rate(state s, double tip, double weight, double at) {
    return (state){cos(s.slope), -sin(s.slope), s.curvature, -(tip + weight * (1 - at)) * cos(s.slope)};
}

static state add(state a, double h, state b) {
    return (state){a.x + h * b.x, a.y + h * b.y, a.slope + h * b.slope, a.curvature + h * b.curvature};
}

static state step(state s, double tip, double weight, double at, double h) {
    state a = rate(s, tip, weight, at), b = rate(add(s, h / 2, a), tip, weight, at + h / 2);
    state c = rate(add(s, h / 2, b), tip, weight, at + h / 2), d = rate(add(s, h, c), tip, weight, at + h);
    return add(add(add(add(s, h / 6, a), h / 3, b), h / 3, c), h / 6, d);
}

void elastica_shape(double tip, double weight, size_t count, double *x, double *y) {
    enum { PARTS = 8 }; // of a piece between two points
    double low = 0, high = tip + weight / 2, h = 1 / (double)((count - 1) * PARTS);
    for (int round = 0; round < 60; round++) {
        state s = {.curvature = (low + high) / 2};
        bool has_turned = false; // bends back before its end: too little curvature
        for (size_t i = 0; i < (count - 1) * PARTS && !has_turned; i++) {
            s = step(s, tip, weight, (double)i * h, h);
            has_turned = s.curvature < 0;
        }
        if (has_turned)
            low = (low + high) / 2;
        else
            high = (low + high) / 2;
    }
    state s = {.curvature = (low + high) / 2};
    for (size_t i = 0; i < count; i++) {
        x[i] = s.x;
        y[i] = s.y;
        for (int k = 0; k < PARTS && i + 1 < count; k++) s = step(s, tip, weight, ((double)(i * PARTS) + k) * h, h);
    }
}
