// Block Gauss-Seidel on the matrix of contacts (contact_relax.h).
#include "contact/contact_relax.h"

#include "math/anderson.h"

#include <math.h>
#include <string.h>

static const double rounding = 1e-7; // of the tolerance
// A force that is to become less only acts at a distance, of which so much counts: where contacts lie side by side it
// passes from one to the other ever so slowly, and either is as good.
static const double apart_share = 0.1;
// Of what the laws did not hold by at first: the next round, whose rows are others, starts from what is left.
static const double enough_share = 1e-4;
// What does not get better by this share in SWEEPS_PATIENT sweeps is left to the next round: in the first ones impacts
// may ask for what cannot be, and forces would grow for ever.
static const double gain_least = 0.8;
enum { SWEEPS_PATIENT = 60, SLIDES = 3 }; // SLIDES: projections of a contact that slides

typedef struct relaxation {
    const cdg_condensed *matrix;
    cdg_coupled_contact *contacts;
    size_t count;
    double force_share, largest; // largest: N, of the normal forces when the sweep began
    double *change;              // of the forces since the start
    double *before;              // the change before the sweep
    double *weight;              // of each force, for what counts as a short way
    anderson mixing;
} relaxation;

size_t cdg_relax_scratch(size_t count) { return 9 * count + anderson_scratch(3 * count); }

static void clip(double f[2], double most) {
    double size2 = f[0] * f[0] + f[1] * f[1];
    if (size2 <= most * most) return;
    double scale = size2 > 0 ? most / sqrt(size2) : 0;
    f[0] *= scale, f[1] *= scale;
}

// Friction with the slips u: none, or as much as there may be, against it. d: how the two forces move the two slips.
static void rub(const double d[9], double most, double f[2], double u[2]) {
    double a = d[4], b = 0.5 * (d[5] + d[7]), c = d[8], det = a * c - b * b, start[2] = {f[0], f[1]};
    if (det > 1e-12 * a * c) {
        double stuck[2] = {f[0] - (c * u[0] - b * u[1]) / det, f[1] - (a * u[1] - b * u[0]) / det};
        if (stuck[0] * stuck[0] + stuck[1] * stuck[1] <= most * most) {
            f[0] = stuck[0], f[1] = stuck[1];
            return;
        }
    }
    double stiff = 0.5 * (a + c) + sqrt(0.25 * (a - c) * (a - c) + b * b);
    for (int times = 0; times < SLIDES && stiff > 0; times++) {
        double way[2] = {f[0] - start[0], f[1] - start[1]};
        f[0] -= (u[0] + a * way[0] + b * way[1]) / stiff;
        f[1] -= (u[1] + b * way[0] + c * way[1]) / stiff;
        clip(f, most);
    }
}

// The force that a contact asks for. Returns by how many tolerances its laws did not hold.
static double visit(const relaxation *it, size_t i) {
    const cdg_coupled_contact *contact = &it->contacts[i];
    const double *d = it->matrix->diagonal + 9 * i;
    double *change = it->change + 3 * i, u[3], f[3], old[3];
    cdg_condensed_feel(it->matrix, i, it->change, u);
    for (int k = 0; k < 3; k++) {
        u[k] += contact->offset[k];
        old[k] = f[k] = contact->force[k] + change[k];
    }
    f[0] = f[0] - u[0] / d[0];
    f[0] = f[0] > 0 ? f[0] : 0;
    double slip[2] = {u[1] + d[3] * (f[0] - old[0]), u[2] + d[6] * (f[0] - old[0])};
    rub(d, contact->friction * f[0], f + 1, slip);
    double normal = (f[0] > old[0] ? f[0] - old[0] : apart_share * (old[0] - f[0])) * d[0];
    double across = hypot((f[1] - old[1]) * d[4], (f[2] - old[2]) * d[8]);
    double tolerance = fmin(contact->tolerance, it->force_share * it->largest * d[0]);
    for (int k = 0; k < 3; k++) change[k] = f[k] - contact->force[k];
    return fmax(normal, across) / fmax(tolerance, rounding * contact->tolerance);
}

static double sweep(relaxation *it, bool is_first) {
    double worst = 0;
    it->largest = is_first ? INFINITY : 0; // there may be no forces yet
    for (size_t i = 0; i < it->count; i++)
        it->largest = fmax(it->largest, it->contacts[i].force[0] + it->change[3 * i]);
    for (size_t i = 0; i < it->count; i++) worst = fmax(worst, visit(it, i));
    return worst;
}

// Forces go on from what the sweeps have made of the last ones.
static void go_on(relaxation *it) {
    anderson_mix(&it->mixing, it->before, it->change);
    for (size_t i = 0; i < it->count; i++) {
        const cdg_coupled_contact *contact = &it->contacts[i];
        double f[3];
        for (size_t k = 0; k < 3; k++) f[k] = contact->force[k] + it->change[3 * i + k];
        f[0] = f[0] > 0 ? f[0] : 0;
        clip(f + 1, contact->friction * f[0]);
        for (size_t k = 0; k < 3; k++) it->change[3 * i + k] = f[k] - contact->force[k];
    }
}

int cdg_relax_solve(const cdg_condensed *matrix, cdg_coupled_contact *contacts, double force_share, int most,
                    double *scratch, bool *is_good) {
    size_t size = 3 * matrix->count;
    relaxation it = {.matrix = matrix, .contacts = contacts, .count = matrix->count, .force_share = force_share};
    it.change = scratch, it.before = scratch + size, it.weight = scratch + 2 * size;
    memset(it.change, 0, size * sizeof *it.change);
    for (size_t k = 0; k < size; k++) it.weight[k] = matrix->diagonal[9 * (k / 3) + 4 * (k % 3)];
    it.mixing = anderson_begin(size, it.weight, scratch + 3 * size);
    double enough = 1, least = INFINITY;
    int sweeps = 0, gained = 0;
    *is_good = size == 0;
    while (!*is_good && sweeps < most) {
        memcpy(it.before, it.change, size * sizeof *it.before);
        double worst = sweep(&it, sweeps == 0);
        if (sweeps == 0) enough = fmax(1, enough_share * worst);
        sweeps++;
        if (worst < gain_least * least) least = worst, gained = sweeps;
        *is_good = worst <= enough && sweeps > 1;
        // what a sweep has left, not what goes beyond it
        if (*is_good || sweeps == most || sweeps - gained >= SWEEPS_PATIENT) break;
        go_on(&it);
    }
    for (size_t i = 0; i < it.count; i++)
        for (size_t k = 0; k < 3; k++) contacts[i].force[k] += it.change[3 * i + k];
    return sweeps;
}
