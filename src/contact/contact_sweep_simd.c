// One sweep over batches of contacts (contact_sweep.h), for each instruction set.
#include "contact/contact_sweep.h"
#include "math/simd.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

typedef float simd_float __attribute__((vector_size(4 * CDG_SIMD_DOUBLES)));

static const double tiny = 1e-300;
// Changes that are rounding, as a share of the tolerance.
static const double least_share = 2e-8;

SIMD_INLINE simd_double read(const double *from) {
    simd_double v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

SIMD_INLINE void write(double *to, simd_double v) { __builtin_memcpy(to, &v, sizeof v); }

SIMD_INLINE simd_double widen(const float *from) {
    simd_float v;
    __builtin_memcpy(&v, from, sizeof v);
    return __builtin_convertvector(v, simd_double);
}

SIMD_INLINE simd_double min(simd_double a, simd_double b) { return simd_select(a < b, a, b); }

// Lane i is array[index[i]].
SIMD_INLINE simd_double gather(const double *array, const int32_t *index) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_i32gather_pd(_mm256_loadu_si256((const __m256i *)(const void *)index), array, 8);
#else
    simd_double v;
    for (int i = 0; i < SIMD_LANES; i++) simd_lanes(&v)[i] = array[index[i]];
    return v;
#endif
}

// Lanes of one index hold equal values: those of points that do not move.
SIMD_INLINE void scatter(double *array, const int32_t *index, simd_double v) {
#if CDG_SIMD_DOUBLES == 8
    _mm512_i32scatter_pd(array, _mm256_loadu_si256((const __m256i *)(const void *)index), (__m512d)v, 8);
#else
    for (int i = 0; i < SIMD_LANES; i++) array[index[i]] = simd_get(&v, (size_t)i);
#endif
}

SIMD_INLINE bool any(simd_mask mask) {
#if CDG_SIMD_DOUBLES == 8
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#elif CDG_SIMD_DOUBLES == 4
    return _mm256_testz_si256((__m256i)mask, (__m256i)mask) == 0;
#else
    return (mask[0] | mask[1]) != 0;
#endif
}

// y of a batch's points and elements, 14 in all.
SIMD_INLINE void gather_moves(const cdg_sweep_batch *b, int first, const double *point, const double *turn,
                              simd_double y[14]) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) y[3 * i + k] = gather(point + k, &b->point[i][first]);
    for (int i = 0; i < 2; i++) y[12 + i] = gather(turn, &b->element[i][first]);
}

SIMD_INLINE void scatter_moves(const cdg_sweep_batch *b, int first, const simd_double y[14], double *point,
                               double *turn) {
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) scatter(point + k, &b->point[i][first], y[3 * i + k]);
    for (int i = 0; i < 2; i++) scatter(turn, &b->element[i][first], y[12 + i]);
}

// The friction of size `most` that opposes the slip. With the slip b without friction and answers l it is
// t = -b/(l + alpha), alpha such that its size is `most`: Newton's method on the inverse of the size, which is nearly
// linear in alpha, from below (as in trust regions: More and Sorensen 1983).
SIMD_INLINE void slide(simd_double l1, simd_double l2, simd_double b1, simd_double b2, simd_double most,
                       simd_double out[2]) {
    simd_double zero = simd_broadcast(0), some = simd_max(most, simd_broadcast(tiny));
    simd_double size = simd_sqrt(b1 * b1 + b2 * b2);
    simd_double alpha = simd_max(zero, size / some - simd_max(l1, l2));
    for (int i = 0; i < 3; i++) {
        simd_double i1 = 1 / simd_max(l1 + alpha, simd_broadcast(tiny));
        simd_double i2 = 1 / simd_max(l2 + alpha, simd_broadcast(tiny));
        simd_double p1 = b1 * b1 * i1 * i1, p2 = b2 * b2 * i2 * i2, p = p1 + p2;
        simd_double q = simd_max(p1 * i1 + p2 * i2, simd_broadcast(tiny));
        alpha = simd_max(zero, alpha + p / q * (simd_sqrt(p) / some - 1));
    }
    simd_double t1 = -b1 / simd_max(l1 + alpha, simd_broadcast(tiny));
    simd_double t2 = -b2 / simd_max(l2 + alpha, simd_broadcast(tiny));
    simd_double scale = most / simd_max(simd_sqrt(t1 * t1 + t2 * t2), simd_broadcast(tiny));
    out[0] = t1 * scale, out[1] = t2 * scale;
}

typedef struct sums {
    simd_double worst, square, largest;
    simd_mask awake;
} sums;

SIMD_INLINE void visit(cdg_sweep_batch *b, int first, double *point, double *turn, double further, double least_force,
                       sums *s) {
    simd_double y[14], u[3], f[3], t[2], change[3];
    gather_moves(b, first, point, turn, y);
    for (int k = 0; k < 3; k++) {
        u[k] = read(&b->offset[k][first]);
        f[k] = read(&b->force[k][first]);
        simd_double direction = simd_broadcast(0);
        if (further >= 0) {
            simd_double more = further * read(&b->direction[k][first]);
            f[k] += more;
            direction = more + read(&b->change[k][first]);
        }
        write(&b->direction[k][first], direction);
        s->awake |= direction != 0;
    }
    for (int m = 0; m < 14; m++) u[0] += widen(&b->column[m][0][first]) * y[m];
    simd_double zero = simd_broadcast(0), answer = widen(&b->answer[0][first]);
    simd_double normal = simd_max(zero, f[0] - u[0] * widen(&b->inverse[0][first]));
    change[0] = normal - f[0];
    t[0] = t[1] = zero;
    if (b->rubs) {
        for (int m = 0; m < 14; m++)
            for (int k = 1; k < 3; k++) u[k] += widen(&b->column[m][k][first]) * y[m];
        simd_double most = read(&b->friction[first]) * normal, l[2], slip[2];
        for (int k = 0; k < 2; k++) {
            l[k] = widen(&b->answer[1 + k][first]);
            slip[k] = u[1 + k] + widen(&b->across[k][first]) * change[0];
            t[k] = f[1 + k] - slip[k] * widen(&b->inverse[1 + k][first]);
        }
        simd_mask slides = t[0] * t[0] + t[1] * t[1] > most * most;
        if (any(slides)) {
            simd_double sliding[2];
            slide(l[0], l[1], slip[0] - l[0] * f[1], slip[1] - l[1] * f[2], most, sliding);
            for (int k = 0; k < 2; k++) t[k] = simd_select(slides, sliding[k], t[k]);
        }
    }
    simd_double moved = simd_abs(change[0]) * answer, work = change[0] * change[0] * answer;
    for (int k = 0; k < 2; k++) {
        simd_double l = widen(&b->answer[1 + k][first]);
        change[1 + k] = t[k] - f[1 + k];
        moved += simd_abs(change[1 + k]) * l;
        work += change[1 + k] * change[1 + k] * l;
        write(&b->force[1 + k][first], t[k]);
    }
    write(&b->force[0][first], normal);
    for (int k = 0; k < 3; k++) write(&b->change[k][first], change[k]);
    s->awake |= (normal != 0) | (change[0] != 0);
    simd_double tolerance = widen(&b->tolerance[first]);
    tolerance = simd_max(min(tolerance, least_force * answer), least_share * tolerance);
    s->worst = simd_max(s->worst, moved / tolerance);
    s->square += work;
    s->largest = simd_max(s->largest, normal);
    for (int m = 0; m < 14; m++) {
        y[m] += widen(&b->column[m][0][first]) * change[0];
        if (!b->rubs) continue;
        for (int k = 1; k < 3; k++) y[m] += widen(&b->column[m][k][first]) * change[k];
    }
    scatter_moves(b, first, y, point, turn);
}

static void sweep(cdg_sweep_batch *batches, size_t count, double *point, double *turn, double further,
                  double least_force, bool all, cdg_sweep_sums *out) {
    sums s = {.largest = simd_broadcast(out->largest)};
    for (size_t i = 0; i < count; i++) {
        cdg_sweep_batch *b = &batches[i];
        if (b->sleeps && !all) continue;
        s.awake = (simd_mask){0};
        for (int first = 0; first < CDG_BATCH; first += SIMD_LANES)
            visit(b, first, point, turn, further, least_force, &s);
        b->sleeps = !any(s.awake);
    }
    out->worst = out->square = 0;
    for (size_t i = 0; i < SIMD_LANES; i++) {
        double worst = simd_get(&s.worst, i), largest = simd_get(&s.largest, i);
        out->worst = worst > out->worst ? worst : out->worst;
        out->largest = largest > out->largest ? largest : out->largest;
        out->square += simd_get(&s.square, i);
    }
}

static void add_forces(const cdg_sweep_batch *batches, size_t count, double *point, double *turn) {
    for (size_t i = 0; i < count; i++) {
        const cdg_sweep_batch *b = &batches[i];
        if (b->sleeps) continue;
        for (int first = 0; first < CDG_BATCH; first += SIMD_LANES) {
            simd_double y[14];
            gather_moves(b, first, point, turn, y);
            for (int m = 0; m < 14; m++)
                for (int k = 0; k < 3; k++) y[m] += widen(&b->column[m][k][first]) * read(&b->force[k][first]);
            scatter_moves(b, first, y, point, turn);
        }
    }
}

extern const cdg_sweep_kernels JOIN(cdg_sweep_kernels, CDG_SIMD_SUFFIX);
const cdg_sweep_kernels JOIN(cdg_sweep_kernels, CDG_SIMD_SUFFIX) = {sweep, add_forces};
