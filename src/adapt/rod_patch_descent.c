// Conjugate gradients on a few elements (rod_patch_descent.h). The two first lengths of the thesis' line search, one of
// positions and one of turns, make a diagonal preconditioner, and the inner product of Fletcher and Reeves is by it,
// too.
#include "adapt/rod_patch_descent.h"

#include <math.h>
#include <string.h>

enum { N = CDG_PATCH_UNKNOWNS, HALVINGS = 40, LENGTHENINGS = 6 };
static const double decrease = 0.3, flattening = 0.99; // c1 and c2 of the thesis
static const double smallest = 1e-12;                  // of lengths and radians: what is shorter is no step

// A search: where it is, and what is asked of it.
typedef struct descent {
    cdg_rod_patch *patch;
    cdg_rod_patch start; // of the present line
    size_t count;
    double goal[N], slope[N], way[N], give[N];
    double energy, gone; // J at the start of the line; how far along `way` the patch is
} descent;

static double product(const double *a, const double *b, size_t count) {
    double sum = 0;
    for (size_t u = 0; u < count; u++) sum += a[u] * b[u];
    return sum;
}

// Goes to `length` along the line. Returns what the energy rises by, less the work of what acts; `slope` becomes that
// of the position.
static double go(descent *d, double length) {
    double by[N];
    for (size_t u = 0; u < d->count; u++) by[u] = length * d->way[u];
    memcpy(d->patch->x, d->start.x, sizeof d->start.x), memcpy(d->patch->q, d->start.q, sizeof d->start.q);
    cdg_rod_patch_move(d->patch, by);
    d->gone = length;
    double energy = cdg_rod_patch_slope(d->patch, d->slope);
    for (size_t u = 0; u < d->count; u++) d->slope[u] -= d->goal[u];
    return energy - d->energy - product(d->goal, by, d->count);
}

// Along the line: halves until the energy falls as it should and the line gets flatter, then looks for less beyond.
static bool search(descent *d, double slope) {
    double length = 1, rise = go(d, length);
    int halvings = 0;
    while (!(rise <= decrease * length * slope) || !(product(d->slope, d->way, d->count) >= flattening * slope)) {
        if (++halvings > HALVINGS) return false;
        length *= 0.5;
        rise = go(d, length);
    }
    double more = length;
    for (int k = 0; k < LENGTHENINGS; k++) {
        double other = go(d, length + more);
        if (other < rise)
            rise = other, length += more;
        else
            more *= 0.5;
    }
    go(d, length);
    return true;
}

static double size_of(const descent *d) {
    double size = 0;
    for (size_t u = 0; u < d->count; u++)
        size = fmax(size, fabs(d->gone * d->way[u]) /
                              (cdg_rod_patch_is_position(d->patch, u) ? d->patch->edges.length[0] : 1));
    return size;
}

int cdg_rod_patch_descend(cdg_rod_patch *patch, const cdg_rod_patch_gradient *wanted, const cdg_patch_gives *gives,
                          int most) {
    descent d = {.patch = patch};
    d.count = cdg_rod_patch_spread(patch, gives->node, gives->frame, d.give);
    cdg_rod_patch_list(patch, wanted, d.goal);
    d.energy = cdg_rod_patch_slope(patch, d.slope);
    for (size_t u = 0; u < d.count; u++) d.slope[u] -= d.goal[u], d.way[u] = -d.give[u] * d.slope[u];
    double before = -product(d.slope, d.way, d.count);
    for (int i = 1; i <= most; i++) {
        double slope = product(d.slope, d.way, d.count), old[N];
        if (!(slope < 0)) { // the directions are no longer conjugate: straight downhill
            for (size_t u = 0; u < d.count; u++) d.way[u] = -d.give[u] * d.slope[u];
            slope = product(d.slope, d.way, d.count);
        }
        if (!(slope < 0)) return i;
        memcpy(old, d.slope, sizeof old);
        d.start = *patch;
        if (!search(&d, slope)) {
            memcpy(patch->x, d.start.x, sizeof d.start.x), memcpy(patch->q, d.start.q, sizeof d.start.q);
            memcpy(d.slope, old, sizeof old);
            return i - 1;
        }
        if (size_of(&d) < smallest) return i;
        d.energy = cdg_rod_patch_slope(patch, d.slope);
        double after = 0;
        for (size_t u = 0; u < d.count; u++) d.slope[u] -= d.goal[u], after += d.give[u] * d.slope[u] * d.slope[u];
        double keep = after / before;
        for (size_t u = 0; u < d.count; u++) d.way[u] = keep * d.way[u] - d.give[u] * d.slope[u];
        before = after;
    }
    return most;
}
