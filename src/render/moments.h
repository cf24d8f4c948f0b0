// Which moments of a run pictures show, as a user writes it: one, several, or all between two.
#ifndef CDG_RENDER_MOMENTS_H
#define CDG_RENDER_MOMENTS_H

#include <cordage/base.h>

enum { CDG_MOMENTS_MAX = 256 };

typedef struct cdg_moments {
    bool is_span;                  // from times[0] to times[1]
    size_t count;                  // of `times`; 0: nothing was chosen
    double times[CDG_MOMENTS_MAX]; // s
} cdg_moments;

// "1.5", "200ms", "0.2,0.5,1 s", "0.2:1"; s where no unit is given.
cdg_result cdg_moments_parse(const char *text, cdg_moments *out, cdg_error *error);

// The k-th of `count` moments to be shown: the k-th that was chosen, or one of as many evenly from `first` to `last`.
double cdg_moments_at(const cdg_moments *moments, size_t k, size_t count, double first, double last);

// A step of time, at most `step` and a power of ten, whose multiples all chosen moments are: how finely to write them.
double cdg_moments_step(const cdg_moments *moments, double step);

#endif
