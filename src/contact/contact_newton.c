// Forces of strongly coupled contacts by a semismooth Newton's method.
#include "contact/contact_newton.h"

#include "math/dense_solve.h"

#include <math.h>
#include <string.h>

enum { ITERATIONS_MAX = 40, HALVINGS = 6 };
static const double raise = 1e-7; // of the diagonal

typedef struct newton {
    const cdg_newton_contact *contacts;
    size_t count;
    const double *answer; // A
    double *matrix;
    double *force, *slip;     // f and u = u_0 + A (f - f_0)
    double *step, *slip_step; // change of f, and A times it
    double *trial, *trial_slip;
    double *best;
    double *rho; // count x 2: normal, tangential
} newton;

size_t cdg_newton_scratch(size_t count) { return 9 * count * count + 24 * count; }

static newton carve(double *scratch, const cdg_newton_contact *contacts, size_t count, const double *answer) {
    size_t n = 3 * count;
    newton it = {.contacts = contacts, .count = count, .answer = answer, .matrix = scratch};
    double **lists[] = {&it.force, &it.slip, &it.step, &it.slip_step, &it.trial, &it.trial_slip, &it.best};
    double *next = scratch + n * n;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++, next += n) *lists[i] = next;
    it.rho = next;
    return it;
}

// What kind of law holds at a contact: none touches, sticks, or slides in direction d.
typedef struct law {
    bool is_touching, is_sliding;
    double d[2], share; // share: friction f_n over the distance of f_t - rho u_t from none
} law;

static law law_of(const newton *it, size_t c, const double *force, const double *slip) {
    const double *f = force + 3 * c, *u = slip + 3 * c, *rho = it->rho + 2 * c;
    law out = {.is_touching = f[0] - rho[0] * u[0] > 0};
    if (!out.is_touching) return out;
    double t[2] = {f[1] - rho[1] * u[1], f[2] - rho[1] * u[2]}, size = sqrt(t[0] * t[0] + t[1] * t[1]);
    double most = it->contacts[c].friction * fmax(f[0], 0);
    if (size <= most) return out;
    out.is_sliding = true;
    if (size > 0) out.d[0] = t[0] / size, out.d[1] = t[1] / size;
    out.share = size > 0 ? most / size : 0;
    return out;
}

// By how much the laws do not hold, as displacements in tolerances.
static void residual_of(const newton *it, size_t c, const double *force, const double *slip, double out[3]) {
    const double *f = force + 3 * c, *u = slip + 3 * c, *rho = it->rho + 2 * c;
    law l = law_of(it, c, force, slip);
    double scale[2] = {1 / (rho[0] * it->contacts[c].tolerance), 1 / (rho[1] * it->contacts[c].tolerance)};
    out[0] = l.is_touching ? rho[0] * u[0] : f[0];
    if (!l.is_touching) {
        out[1] = f[1], out[2] = f[2];
    } else if (l.is_sliding) {
        double most = it->contacts[c].friction * fmax(f[0], 0);
        out[1] = f[1] - most * l.d[0], out[2] = f[2] - most * l.d[1];
    } else {
        out[1] = rho[1] * u[1], out[2] = rho[1] * u[2];
    }
    out[0] *= scale[0], out[1] *= scale[1], out[2] *= scale[1];
}

static double merit_of(const newton *it, const double *force, const double *slip, double *largest) {
    double sum = 0;
    *largest = 0;
    for (size_t c = 0; c < it->count; c++) {
        double r[3];
        residual_of(it, c, force, slip, r);
        for (int k = 0; k < 3; k++) {
            sum += r[k] * r[k];
            *largest = fmax(*largest, fabs(r[k]));
        }
    }
    return sum;
}

static void unit_row(double *row, size_t at, size_t n) {
    memset(row, 0, n * sizeof *row);
    row[at] = 1;
}

// The rows of contact c: derivatives of the laws, and on the right what is missing.
static void linearise(const newton *it, size_t c, double *right) {
    size_t n = 3 * it->count, at = 3 * c;
    const double *f = it->force + at, *u = it->slip + at, *rho = it->rho + 2 * c;
    double *row[3] = {it->matrix + at * n, it->matrix + (at + 1) * n, it->matrix + (at + 2) * n};
    const double *a[3] = {it->answer + at * n, it->answer + (at + 1) * n, it->answer + (at + 2) * n};
    law l = law_of(it, c, it->force, it->slip);
    if (!l.is_touching) {
        for (size_t k = 0; k < 3; k++) {
            unit_row(row[k], at + k, n);
            right[at + k] = -f[k];
        }
        return;
    }
    for (size_t j = 0; j < n; j++) row[0][j] = rho[0] * a[0][j];
    row[0][at] *= 1 + raise;
    right[at] = -rho[0] * u[0];
    if (!l.is_sliding) {
        for (size_t k = 1; k < 3; k++) {
            for (size_t j = 0; j < n; j++) row[k][j] = rho[1] * a[k][j];
            row[k][at + k] *= 1 + raise;
            right[at + k] = -rho[1] * u[k];
        }
        return;
    }
    // d(f_t - friction f_n d): across d the direction turns with f_t - rho u_t.
    double friction = it->contacts[c].friction, most = friction * fmax(f[0], 0);
    double across[2][2] = {{l.share * (1 - l.d[0] * l.d[0]), -l.share * l.d[0] * l.d[1]},
                           {-l.share * l.d[0] * l.d[1], l.share * (1 - l.d[1] * l.d[1])}};
    for (size_t k = 0; k < 2; k++) {
        for (size_t j = 0; j < n; j++) row[1 + k][j] = rho[1] * (across[k][0] * a[1][j] + across[k][1] * a[2][j]);
        row[1 + k][at + 1 + k] += 1;
        row[1 + k][at + 1] -= across[k][0];
        row[1 + k][at + 2] -= across[k][1];
        row[1 + k][at] -= f[0] > 0 ? friction * l.d[k] : 0;
        right[at + 1 + k] = most * l.d[k] - f[1 + k];
    }
}

int cdg_newton_solve(cdg_newton_contact *contacts, size_t count, const double *answer, double *scratch, bool *is_good) {
    newton it = carve(scratch, contacts, count, answer);
    size_t n = 3 * count;
    for (size_t c = 0; c < count; c++) {
        for (size_t k = 0; k < 3; k++) {
            it.force[3 * c + k] = contacts[c].force[k];
            it.slip[3 * c + k] = contacts[c].offset[k];
        }
        const double *a = answer + 3 * c * n + 3 * c;
        it.rho[2 * c] = 1 / a[0];
        it.rho[2 * c + 1] = 2 / (a[n + 1] + a[2 * n + 2]);
    }
    double largest, merit = merit_of(&it, it.force, it.slip, &largest), best_merit = merit;
    memcpy(it.best, it.force, n * sizeof *it.best);
    int iterations = 0;
    for (; iterations < ITERATIONS_MAX && largest > 0.5; iterations++) {
        for (size_t c = 0; c < count; c++) linearise(&it, c, it.step);
        if (!dense_solve(it.matrix, n, it.step)) break;
        for (size_t i = 0; i < n; i++) {
            double sum = 0;
            for (size_t j = 0; j < n; j++) sum += answer[i * n + j] * it.step[j];
            it.slip_step[i] = sum;
        }
        // The first share of the step that is better; kinks may make all of them worse, then the last.
        double share = 1, now = 0;
        for (int h = 0; h < HALVINGS; h++, share /= 2) {
            for (size_t i = 0; i < n; i++) {
                it.trial[i] = it.force[i] + share * it.step[i];
                it.trial_slip[i] = it.slip[i] + share * it.slip_step[i];
            }
            now = merit_of(&it, it.trial, it.trial_slip, &largest);
            if (now < merit) break;
        }
        if (!isfinite(now)) break;
        memcpy(it.force, it.trial, n * sizeof *it.force);
        memcpy(it.slip, it.trial_slip, n * sizeof *it.slip);
        merit = now;
        if (merit >= best_merit) continue;
        best_merit = merit;
        memcpy(it.best, it.force, n * sizeof *it.best);
    }
    *is_good = largest <= 0.5;
    for (size_t c = 0; c < count; c++)
        for (size_t k = 0; k < 3; k++) contacts[c].force[k] = it.best[3 * c + k];
    return iterations;
}
