// The two triangular solutions of solid_gradients_simd.c for entries of one precision: a row of a block at a time.
// Included with KIND(name), FIELD (of cdg_gradient_entries) and WIDEN(a), four entries as a vector of doubles. The
// fourth lane of an entry's row is what comes next in memory; it meets zeros or is set to zero again.

SIMD_INLINE void KIND(back_row)(const cdg_solid_gradients *g, const double *more, double share, double *p, double *t,
                                size_t i) {
    four own = LOAD(p + 4 * i);
    if (more != NULL) {
        own = LOAD(more + 4 * i) + share * own;
        STORE(p + 4 * i, own);
    }
    four x = own - LOAD(t + 4 * i); // what rows after this one have left there
    x[3] = 0;
    STORE(t + 4 * i, x);
    double x0 = x[0], x1 = x[1], x2 = x[2];
    for (uint32_t e = g->first_lower[i]; e < g->first_lower[i + 1]; e++) {
        const ENTRY *a = g->lower_entries.FIELD + 9 * (size_t)e;
        double *to = t + 4 * (size_t)g->lower[e];
        STORE(to, LOAD(to) + (x0 * WIDEN(a) + x1 * WIDEN(a + 3)) + x2 * WIDEN(a + 6));
    }
}

// Rows of two blocks in turn, so that neither waits for itself.
static void KIND(back)(const cdg_solid_gradients *g, const double *more, double share, double *p, double *t,
                       size_t begin, size_t end) {
    size_t middle = begin + g->block_rows < end ? begin + g->block_rows : end;
    memset(t + 4 * begin, 0, 4 * (end - begin) * sizeof *t);
    for (size_t k = g->block_rows; k-- > 0;) {
        if (begin + k < middle) KIND(back_row)(g, more, share, p, t, begin + k);
        if (middle + k < end) KIND(back_row)(g, more, share, p, t, middle + k);
    }
}

SIMD_INLINE four KIND(forth_row)(const cdg_solid_gradients *g, const double *p, const double *t, double *w, size_t i) {
    four own = LOAD(p + 4 * i), sum[3] = {{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}}, x = {0, 0, 0, 0};
    if (t != NULL) {
        const ENTRY *k = g->shift.FIELD + 9 * i;
        x = LOAD(t + 4 * i);
        sum[0] = WIDEN(k) * x, sum[1] = WIDEN(k + 3) * x, sum[2] = WIDEN(k + 6) * x;
        for (uint32_t e = g->first_cross[i]; e < g->first_cross[i + 1]; e++) {
            const ENTRY *a = g->cross_entries.FIELD + 9 * (size_t)e;
            four far = LOAD(t + 4 * (size_t)g->cross[e]);
            sum[0] -= WIDEN(a) * far, sum[1] -= WIDEN(a + 3) * far, sum[2] -= WIDEN(a + 6) * far;
        }
    }
    for (uint32_t e = g->first_lower[i]; e < g->first_lower[i + 1]; e++) {
        const ENTRY *a = g->lower_entries.FIELD + 9 * (size_t)e;
        four near = LOAD(w + 4 * (size_t)g->lower[e]);
        sum[0] += WIDEN(a) * near, sum[1] += WIDEN(a + 3) * near, sum[2] += WIDEN(a + 6) * near;
    }
    four found = {sum[0][0] + sum[0][1] + sum[0][2], sum[1][0] + sum[1][1] + sum[1][2],
                  sum[2][0] + sum[2][1] + sum[2][2], 0};
    found = own - found;
    STORE(w + 4 * i, found);
    return own * (x + found);
}

static double KIND(forth)(const cdg_solid_gradients *g, const double *p, const double *t, double *w, size_t begin,
                          size_t end) {
    size_t middle = begin + g->block_rows < end ? begin + g->block_rows : end;
    four dot = {0, 0, 0, 0};
    for (size_t k = 0; k < g->block_rows; k++) {
        if (begin + k < middle) dot += KIND(forth_row)(g, p, t, w, begin + k);
        if (middle + k < end) dot += KIND(forth_row)(g, p, t, w, middle + k);
    }
    return dot[0] + dot[1] + dot[2];
}

#undef KIND
#undef ENTRY
#undef FIELD
#undef WIDEN
