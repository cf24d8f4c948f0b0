// Forces of a few contacts without friction by an active set (contact_normal.h).
#include "contact/contact_normal.h"

#include <math.h>
#include <string.h>

// Contacts that share a force make A singular. Raising its diagonal by this share takes the most even forces.
static const double raise = 1e-9;

typedef struct active_set {
    const double *answer, *gap, *tolerance;
    size_t count;
    double *force, *wanted; // f, and what the active set alone would have
    double *factor;         // of A between active contacts, lower, row after row
    size_t *active;         // active contacts' numbers
    size_t active_count;
} active_set;

size_t cdg_normal_scratch(size_t count) { return count * (count + 1) / 2 + 2 * count; }

static size_t number_of(const active_set *s, size_t i) { return s->active[i]; }
static double *row_of(const active_set *s, size_t i) { return s->factor + i * (i + 1) / 2; }

// Row i of the factor, those before it being done. False: not positive, to rounding.
static bool factor_row(const active_set *s, size_t i) {
    double *row = row_of(s, i);
    const double *a = s->answer + number_of(s, i) * s->count;
    for (size_t j = 0; j <= i; j++) {
        const double *other = row_of(s, j);
        double sum = a[number_of(s, j)] * (i == j ? 1 + raise : 1);
        for (size_t k = 0; k < j; k++) sum -= row[k] * other[k];
        if (j < i) {
            row[j] = sum / other[j];
            continue;
        }
        if (!(sum > 0)) return false;
        row[i] = sqrt(sum);
    }
    return true;
}

static void drop(active_set *s, size_t i) {
    s->force[number_of(s, i)] = 0;
    memmove(s->active + i, s->active + i + 1, (s->active_count - i - 1) * sizeof *s->active);
    s->active_count--;
}

// Contacts that others cannot be told from, to rounding, do not push.
static void factor_from(active_set *s, size_t first) {
    for (size_t i = first; i < s->active_count;)
        if (factor_row(s, i))
            i++;
        else
            drop(s, i);
}

// Forces with which the gaps of the active contacts are closed, the others' forces being zero.
static void solve_active(const active_set *s) {
    double *x = s->wanted;
    for (size_t i = 0; i < s->active_count; i++) {
        const double *row = row_of(s, i);
        double sum = -s->gap[number_of(s, i)];
        for (size_t k = 0; k < i; k++) sum -= row[k] * x[k];
        x[i] = sum / row[i];
    }
    for (size_t i = s->active_count; i-- > 0;) {
        x[i] /= row_of(s, i)[i];
        for (size_t k = 0; k < i; k++) x[k] -= row_of(s, i)[k] * x[i];
    }
}

// Goes towards the wanted forces until one of them would pull, and drops that. True: it went all the way.
static bool approach(active_set *s, size_t *first_changed) {
    double share = 1;
    size_t stopper = s->active_count;
    for (size_t i = 0; i < s->active_count; i++) {
        if (s->wanted[i] > 0) continue;
        double now = s->force[number_of(s, i)], part = now > s->wanted[i] ? now / (now - s->wanted[i]) : 0;
        if (stopper == s->active_count || part < share) share = part, stopper = i;
    }
    for (size_t i = 0; i < s->active_count; i++) {
        double *f = &s->force[number_of(s, i)];
        *f = fmax(0, *f + share * (s->wanted[i] - *f));
    }
    if (stopper == s->active_count) return true;
    drop(s, stopper);
    *first_changed = stopper;
    return false;
}

// The contact whose gap is the most negative, in tolerances; count: none beyond one.
static size_t deepest(const active_set *s) {
    size_t found = s->count;
    double worst = 1;
    for (size_t i = 0; i < s->count; i++) {
        if (s->force[i] > 0) continue;
        double gap = s->gap[i];
        for (size_t k = 0; k < s->active_count; k++)
            gap += s->answer[i * s->count + number_of(s, k)] * s->force[number_of(s, k)];
        if (-gap > worst * s->tolerance[i]) worst = -gap / s->tolerance[i], found = i;
    }
    return found;
}

bool cdg_normal_solve(const double *answer, const double *gap, const double *tolerance, size_t count, double *force,
                      double *scratch) {
    active_set s = {.answer = answer,
                    .gap = gap,
                    .tolerance = tolerance,
                    .count = count,
                    .force = force,
                    .factor = scratch,
                    .wanted = scratch + count * (count + 1) / 2,
                    .active = (size_t *)(void *)(scratch + count * (count + 1) / 2 + count)};
    for (size_t i = 0; i < count; i++) {
        force[i] = fmax(0, force[i]);
        if (force[i] > 0) s.active[s.active_count++] = i;
    }
    size_t first_changed = 0;
    for (size_t changes = 0; changes < 4 * count + 16; changes++) {
        factor_from(&s, first_changed);
        solve_active(&s);
        if (!approach(&s, &first_changed)) continue;
        size_t next = deepest(&s);
        if (next == count) return true;
        first_changed = s.active_count;
        s.active[s.active_count++] = next;
    }
    return false;
}
