// Products with the rows of contacts (contact_links.h), four numbers at once.
#include "contact/contact_links.h"
#include "math/row8.h"

#define JOIN_TWO(a, b) a##b
#define JOIN(a, b) JOIN_TWO(a, b)
#define VARIANT(name) JOIN(name, CDG_SIMD_SUFFIX)

typedef double row4 __attribute__((vector_size(32)));

INLINE row4 read4(const double *from) {
    row4 value;
    memcpy(&value, from, sizeof value);
    return value;
}
// Forces are read and written by twos and ones: four at once would reach into the next point, which the next contact
// often acts on, and what was just written in other parts than it is read takes long to arrive.
typedef double row2 __attribute__((vector_size(16)));
INLINE row2 read2(const double *from) {
    row2 value;
    memcpy(&value, from, sizeof value);
    return value;
}

static void spread(const cdg_link *links, size_t count, const double *change, double *force, double *torque) {
    for (size_t i = 0; i < count; i++) {
        const cdg_link *link = &links[i];
        const double *c = change + 3 * i;
        if (c[0] == 0 && c[1] == 0 && c[2] == 0) continue; // apart, as half of those that are near may be
        for (int k = 0; k < 4; k++) {
            double *at = force + 3 * (size_t)link->point[k];
            row2 sum = read2(at);
            double last = at[2];
            for (int a = 0; a < 3; a++) {
                sum += c[a] * read2(link->column[a] + 4 * k);
                last += c[a] * link->column[a][4 * k + 2];
            }
            memcpy(at, &sum, sizeof sum);
            at[2] = last;
        }
        for (int k = 0; k < 2; k++) {
            const double *t = link->turn[k];
            torque[link->element[k]] += t[0] * c[0] + t[1] * c[1] + t[2] * c[2];
        }
    }
}

static void feel(const cdg_link *links, size_t count, const double *move, const double *turn, double *out) {
    for (size_t i = 0; i < count; i++) {
        const cdg_link *link = &links[i];
        row4 sum[3] = {{0}, {0}, {0}};
        for (int k = 0; k < 4; k++) {
            row4 at = read4(move + 3 * (size_t)link->point[k]);
            for (int a = 0; a < 3; a++) sum[a] += at * read4(link->column[a] + 4 * k);
        }
        double first = turn[link->element[0]], second = turn[link->element[1]];
        for (int a = 0; a < 3; a++)
            out[3 * i + (size_t)a] = (sum[a][0] + sum[a][1]) + (sum[a][2] + sum[a][3]) + //
                                     link->turn[0][a] * first + link->turn[1][a] * second;
    }
}

const cdg_link_kernels VARIANT(cdg_link_kernels) = {spread, feel};
