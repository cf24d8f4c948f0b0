// One sweep over batches of contacts (contact_sweep.h), for each instruction set.
#include "contact/contact_sweep.h"
#include "math/simd.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

typedef float simd_float __attribute__((vector_size(4 * CDG_SIMD_DOUBLES)));

// As a share of the tolerance: smaller changes are rounding.
static const double least_share = 2e-8;

SIMD_INLINE simd_double read(const double *from) {
    simd_double v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

SIMD_INLINE void write(double *to, simd_double v) { __builtin_memcpy(to, &v, sizeof v); }

SIMD_INLINE simd_float read_float(const float *from) {
    simd_float v;
    __builtin_memcpy(&v, from, sizeof v);
    return v;
}

SIMD_INLINE void write_float(float *to, simd_float v) { __builtin_memcpy(to, &v, sizeof v); }

// GCC converts and compares vectors of two kinds by halves unless it is told the instruction.
SIMD_INLINE simd_double to_double(simd_float a) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_double)_mm512_cvtps_pd((__m256)a);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_double)_mm256_cvtps_pd((__m128)a);
#else
    return __builtin_convertvector(a, simd_double);
#endif
}

SIMD_INLINE simd_float narrow(simd_double a) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_float)_mm512_cvtpd_ps((__m512d)a);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_float)_mm256_cvtpd_ps((__m256d)a);
#else
    return __builtin_convertvector(a, simd_float);
#endif
}

SIMD_INLINE simd_double widen(const float *from) { return to_double(read_float(from)); }

SIMD_INLINE simd_double min(simd_double a, simd_double b) { return simd_select(a < b, a, b); }

SIMD_INLINE simd_float larger(simd_float a, simd_float b) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_float)_mm256_max_ps((__m256)a, (__m256)b);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_float)_mm_max_ps((__m128)a, (__m128)b);
#else
    return (simd_float){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
#endif
}

SIMD_INLINE simd_float smaller(simd_float a, simd_float b) { return -larger(-a, -b); }

SIMD_INLINE simd_float root(simd_float a) {
#if CDG_SIMD_DOUBLES == 8
    return (simd_float)_mm256_sqrt_ps((__m256)a);
#elif CDG_SIMD_DOUBLES == 4
    return (simd_float)_mm_sqrt_ps((__m128)a);
#else
    return (simd_float){__builtin_sqrtf(a[0]), __builtin_sqrtf(a[1])};
#endif
}

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

// ---- points ---------------------------------------------------------------------------------------------------------

// The three of each lane's point. Whole points are read and written, so that what one batch has written the next reads
// without waiting for the cache.
#if CDG_SIMD_DOUBLES == 8
SIMD_INLINE simd_double two_points(const double *array, int32_t low, int32_t high) {
    __m512d v = _mm512_castpd256_pd512(_mm256_load_pd(array + low));
    return (simd_double)_mm512_insertf64x4(v, _mm256_load_pd(array + high), 1);
}

SIMD_INLINE void load_points(const double *array, const int32_t *index, simd_double out[3]) {
    simd_double p0 = two_points(array, index[0], index[2]), p1 = two_points(array, index[1], index[3]);
    simd_double p2 = two_points(array, index[4], index[6]), p3 = two_points(array, index[5], index[7]);
    simd_double xz0 = __builtin_shufflevector(p0, p1, 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double xz1 = __builtin_shufflevector(p2, p3, 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double y0 = __builtin_shufflevector(p0, p1, 1, 9, 3, 11, 5, 13, 7, 15);
    simd_double y1 = __builtin_shufflevector(p2, p3, 1, 9, 3, 11, 5, 13, 7, 15);
    out[0] = __builtin_shufflevector(xz0, xz1, 0, 1, 4, 5, 8, 9, 12, 13);
    out[1] = __builtin_shufflevector(y0, y1, 0, 1, 4, 5, 8, 9, 12, 13);
    out[2] = __builtin_shufflevector(xz0, xz1, 2, 3, 6, 7, 10, 11, 14, 15);
}

SIMD_INLINE void put_two(double *array, int32_t low, int32_t high, simd_double v) {
    _mm256_store_pd(array + low, _mm512_castpd512_pd256((__m512d)v));
    _mm256_store_pd(array + high, _mm512_extractf64x4_pd((__m512d)v, 1));
}

SIMD_INLINE void store_points(double *array, const int32_t *index, const simd_double v[3]) {
    simd_double zero = {0};
    simd_double xy0 = __builtin_shufflevector(v[0], v[1], 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double xy1 = __builtin_shufflevector(v[0], v[1], 1, 9, 3, 11, 5, 13, 7, 15);
    simd_double z0 = __builtin_shufflevector(v[2], zero, 0, 8, 2, 10, 4, 12, 6, 14);
    simd_double z1 = __builtin_shufflevector(v[2], zero, 1, 9, 3, 11, 5, 13, 7, 15);
    put_two(array, index[0], index[2], __builtin_shufflevector(xy0, z0, 0, 1, 8, 9, 2, 3, 10, 11));
    put_two(array, index[1], index[3], __builtin_shufflevector(xy1, z1, 0, 1, 8, 9, 2, 3, 10, 11));
    put_two(array, index[4], index[6], __builtin_shufflevector(xy0, z0, 4, 5, 12, 13, 6, 7, 14, 15));
    put_two(array, index[5], index[7], __builtin_shufflevector(xy1, z1, 4, 5, 12, 13, 6, 7, 14, 15));
}
#elif CDG_SIMD_DOUBLES == 4
SIMD_INLINE void load_points(const double *array, const int32_t *index, simd_double out[3]) {
    simd_double row[4];
    for (int i = 0; i < 4; i++) row[i] = read(array + index[i]);
    simd_transpose(row);
    for (int k = 0; k < 3; k++) out[k] = row[k];
}

SIMD_INLINE void store_points(double *array, const int32_t *index, const simd_double v[3]) {
    simd_double row[4] = {v[0], v[1], v[2], simd_broadcast(0)};
    simd_transpose(row);
    for (int i = 0; i < 4; i++) write(array + index[i], row[i]);
}
#else
SIMD_INLINE void load_points(const double *array, const int32_t *index, simd_double out[3]) {
    for (int k = 0; k < 3; k++) out[k] = gather(array + k, index);
}

SIMD_INLINE void store_points(double *array, const int32_t *index, const simd_double v[3]) {
    for (int k = 0; k < 3; k++) scatter(array + k, index, v[k]);
}
#endif

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
    for (int i = 0; i < 4; i++) load_points(point, &b->at_point[i][first], &y[3 * i]);
    for (int i = 0; i < 2; i++) y[12 + i] = gather(turn, &b->at_element[i][first]);
}

SIMD_INLINE void scatter_moves(const cdg_sweep_batch *b, int first, const simd_double y[14], double *point,
                               double *turn) {
    for (int i = 0; i < 4; i++) store_points(point, &b->at_point[i][first], &y[3 * i]);
    for (int i = 0; i < 2; i++) scatter(turn, &b->at_element[i][first], y[12 + i]);
}

SIMD_INLINE simd_double column(const cdg_sweep_batch *b, int first, int m, int k) {
    return widen(&b->column[m / 2][k][m % 2][first]);
}

// Gap or slip of a batch.
SIMD_INLINE simd_double measure(const cdg_sweep_batch *b, int first, int k, const simd_double y[14]) {
    simd_double even = read(&b->offset[k][first]), odd = simd_broadcast(0);
    for (int m = 0; m < 14; m += 2) {
        even += column(b, first, m, k) * y[m];
        odd += column(b, first, m + 1, k) * y[m + 1];
    }
    return even + odd;
}

// What changes of forces do to y. They are single as the columns are, and two moves are taken at once where vectors
// have room for them.
SIMD_INLINE void add_changes(const cdg_sweep_batch *b, int first, int count, const simd_float change[3],
                             simd_double y[14]) {
#if CDG_SIMD_DOUBLES == 8
    typedef float pair __attribute__((vector_size(64)));
    pair twice[3];
    for (int k = 0; k < count; k++)
        twice[k] = __builtin_shufflevector(change[k], change[k], 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
    for (int n = 0; n < 7; n++) {
        pair sum = {0}, value;
        for (int k = 0; k < count; k++) {
            __builtin_memcpy(&value, b->column[n][k], sizeof value);
            sum += value * twice[k];
        }
        simd_float low = __builtin_shufflevector(sum, sum, 0, 1, 2, 3, 4, 5, 6, 7);
        simd_float high = __builtin_shufflevector(sum, sum, 8, 9, 10, 11, 12, 13, 14, 15);
        y[2 * n] += to_double(low);
        y[2 * n + 1] += to_double(high);
    }
    (void)first;
#else
    for (int m = 0; m < 14; m++) {
        simd_float sum = {0};
        for (int k = 0; k < count; k++) sum += read_float(&b->column[m / 2][k][m % 2][first]) * change[k];
        y[m] += to_double(sum);
    }
#endif
}

// ---- two more points ------------------------------------------------------------------------------------------------

// y of these, 6 in all.
SIMD_INLINE void gather_more(const cdg_sweep_more *more, int first, const double *point, simd_double y[6]) {
    for (int i = 0; i < 2; i++) load_points(point, &more->at_point[i][first], &y[3 * i]);
}

SIMD_INLINE void scatter_more(const cdg_sweep_more *more, int first, const simd_double y[6], double *point) {
    for (int i = 0; i < 2; i++) store_points(point, &more->at_point[i][first], &y[3 * i]);
}

SIMD_INLINE simd_double measure_more(const cdg_sweep_more *more, int first, int k, const simd_double y[6]) {
    simd_double sum = simd_broadcast(0);
    for (int m = 0; m < 6; m++) sum += widen(&more->column[m / 2][k][m % 2][first]) * y[m];
    return sum;
}

SIMD_INLINE void add_more(const cdg_sweep_more *more, int first, int count, const simd_float change[3],
                          simd_double y[6]) {
    for (int m = 0; m < 6; m++) {
        simd_float sum = {0};
        for (int k = 0; k < count; k++) sum += read_float(&more->column[m / 2][k][m % 2][first]) * change[k];
        y[m] += to_double(sum);
    }
}

// ---- friction -------------------------------------------------------------------------------------------------------

// The friction of size `most` that opposes the slip. With the slip b without friction and answers l it is
// t = -b/(l + alpha), alpha such that its size is `most`: Newton's method on the inverse of the size, which is nearly
// linear in alpha (as in trust regions: More and Sorensen 1983), `times` steps from where the last sweep left it. This
// is in single precision, with answers in units of the larger one, whose inverse is `scale`, and the slip in that unit
// times `most`, cut where more of it does not matter.
SIMD_INLINE void slide(const simd_float answer[2], simd_float scale, const simd_double slip[2], simd_double most,
                       int times, float *kept, simd_double out[2]) {
    simd_float zero = {0}, least = zero + 1e-6F, alpha = read_float(kept), l[2], size[2];
    simd_float unit = scale / larger(narrow(most), zero + 1e-30F);
    for (int k = 0; k < 2; k++) {
        size[k] = smaller(narrow(simd_abs(slip[k])) * unit, zero + 1e6F);
        l[k] = answer[k] * scale;
    }
    do {
        simd_float inverse[2], square[2];
        for (int k = 0; k < 2; k++) {
            inverse[k] = (zero + 1) / larger(l[k] + alpha, least);
            square[k] = size[k] * size[k] * inverse[k] * inverse[k];
        }
        simd_float p = square[0] + square[1], q = square[0] * inverse[0] + square[1] * inverse[1];
        alpha = smaller(larger(zero, alpha + p * (root(p) - 1) / larger(q, zero + 1e-30F)), zero + 1e7F);
    } while (--times > 0);
    write_float(kept, alpha);
    // -b/(l + alpha), but for a factor.
    for (int k = 0; k < 2; k++) out[k] = -slip[k] * to_double(l[1 - k] + alpha);
    simd_double length = simd_max(out[0] * out[0] + out[1] * out[1], simd_broadcast(1e-280));
    length = most * simd_inverse_sqrt(length);
    for (int k = 0; k < 2; k++) out[k] *= length;
}

// ---- a sweep --------------------------------------------------------------------------------------------------------

typedef struct sums {
    simd_double worst, square, largest;
} sums;

// `more` is NULL or not for all, and known where this is compiled into.
SIMD_INLINE void visit(cdg_sweep_batch *b, const cdg_sweep_more *more, int first, double *point, double *turn,
                       double further, int times, double least_force, sums *s) {
    simd_double y[14], further_y[6], f[3], t[2], change[3];
    gather_moves(b, first, point, turn, y);
    if (more != NULL) gather_more(more, first, point, further_y);
    for (int k = 0; k < 3; k++) {
        f[k] = read(&b->force[k][first]);
        simd_float direction = {0};
        if (further >= 0) {
            simd_float way = (float)further * read_float(&b->direction[k][first]);
            f[k] += to_double(way);
            direction = way + read_float(&b->change[k][first]);
        }
        write_float(&b->direction[k][first], direction);
    }
    simd_double zero = simd_broadcast(0), answer = widen(&b->answer[0][first]);
    simd_double gap = measure(b, first, 0, y);
    if (more != NULL) gap += measure_more(more, first, 0, further_y);
    simd_double normal = simd_max(zero, f[0] - gap * widen(&b->inverse[0][first]));
    if (!any((normal != 0) | (f[0] != 0) | (f[1] != 0) | (f[2] != 0))) { // near, no more
        for (int k = 0; k < 3; k++) {
            write(&b->force[k][first], zero);
            write_float(&b->change[k][first], (simd_float){0});
        }
        write_float(&b->moved[first], (simd_float){0});
        return;
    }
    change[0] = normal - f[0];
    t[0] = t[1] = zero;
    if (b->rubs) {
        simd_double most = read(&b->friction[first]) * normal, slip[2];
        simd_float l[2], inverse[2];
        for (int k = 0; k < 2; k++) {
            l[k] = read_float(&b->answer[1 + k][first]);
            inverse[k] = read_float(&b->inverse[1 + k][first]);
            slip[k] = measure(b, first, 1 + k, y) + widen(&b->across[k][first]) * change[0];
            if (more != NULL) slip[k] += measure_more(more, first, 1 + k, further_y);
            t[k] = f[1 + k] - slip[k] * to_double(inverse[k]);
        }
        simd_mask slides = t[0] * t[0] + t[1] * t[1] > most * most;
        if (any(slides)) {
            simd_double sliding[2];
            for (int k = 0; k < 2; k++) slip[k] -= to_double(l[k]) * f[1 + k];
            slide(l, smaller(inverse[0], inverse[1]), slip, most, times, &b->alpha[first], sliding);
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
    simd_float single[3];
    for (int k = 0; k < 3; k++) {
        single[k] = narrow(change[k]);
        write_float(&b->change[k][first], single[k]);
    }
    simd_double tolerance = widen(&b->tolerance[first]);
    tolerance = simd_max(min(tolerance, least_force * answer), least_share * tolerance);
    moved /= tolerance;
    write_float(&b->moved[first], narrow(moved));
    s->worst = simd_max(s->worst, moved);
    s->square += work;
    s->largest = simd_max(s->largest, normal);
    add_changes(b, first, b->rubs ? 3 : 1, single, y);
    scatter_moves(b, first, y, point, turn);
    if (more == NULL) return;
    add_more(more, first, b->rubs ? 3 : 1, single, further_y);
    scatter_more(more, first, further_y, point);
}

static void sweep(cdg_sweep_batch *batches, const cdg_sweep_more *more, const uint32_t *order, size_t count,
                  double *point, double *turn, double further, int times, double least_force, cdg_sweep_sums *out) {
    sums s = {.largest = simd_broadcast(out->largest)};
    for (size_t i = 0; i < count && more == NULL; i++)
        for (int first = 0; first < CDG_BATCH; first += SIMD_LANES)
            visit(&batches[order[i]], NULL, first, point, turn, further, times, least_force, &s);
    for (size_t i = 0; i < count && more != NULL; i++)
        for (int first = 0; first < CDG_BATCH; first += SIMD_LANES)
            visit(&batches[order[i]], &more[order[i]], first, point, turn, further, times, least_force, &s);
    out->worst = out->square = 0;
    for (size_t i = 0; i < SIMD_LANES; i++) {
        double worst = simd_get(&s.worst, i), largest = simd_get(&s.largest, i);
        out->worst = worst > out->worst ? worst : out->worst;
        out->largest = largest > out->largest ? largest : out->largest;
        out->square += simd_get(&s.square, i);
    }
}

static void add_forces(const cdg_sweep_batch *batches, const cdg_sweep_more *more, size_t count, double *point,
                       double *turn) {
    for (size_t i = 0; i < count; i++) {
        const cdg_sweep_batch *b = &batches[i];
        if (!b->pushes) continue;
        for (int first = 0; first < CDG_BATCH; first += SIMD_LANES) {
            simd_double y[14];
            gather_moves(b, first, point, turn, y);
            for (int m = 0; m < 14; m++)
                for (int k = 0; k < 3; k++) y[m] += column(b, first, m, k) * read(&b->force[k][first]);
            scatter_moves(b, first, y, point, turn);
            if (more == NULL) continue;
            simd_double further_y[6];
            gather_more(&more[i], first, point, further_y);
            for (int m = 0; m < 6; m++)
                for (int k = 0; k < 3; k++)
                    further_y[m] += widen(&more[i].column[m / 2][k][m % 2][first]) * read(&b->force[k][first]);
            scatter_more(&more[i], first, further_y, point);
        }
    }
}

static void go_further(double *restrict y, double *restrict before, double *restrict direction, size_t size,
                       double share) {
    for (size_t i = 0; i < size; i += SIMD_LANES) {
        simd_double more = share * read(direction + i), now = read(y + i), next = now + more;
        write(direction + i, more + (now - read(before + i)));
        write(before + i, next);
        write(y + i, next);
    }
}

extern const cdg_sweep_kernels JOIN(cdg_sweep_kernels, CDG_SIMD_SUFFIX);
const cdg_sweep_kernels JOIN(cdg_sweep_kernels, CDG_SIMD_SUFFIX) = {sweep, add_forces, go_further};
