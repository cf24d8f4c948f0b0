// Sweeps over the contacts of explicit rods, eight at a time: contacts that share no point are coloured alike, and
// eight of a colour are solved at once, one in each lane, exactly as if one after the other. Many rows are cut into two
// halves that share no point (contact_halves.h), which two threads take; more threads share colours out.
//
// Points are moved in units of the root of their give: with y = move / root(give) the rows' columns become J' =
// root(give) J, gaps are offset + J' y and forces change y by the transpose. Columns are kept in single precision,
// because reading memory is what takes the time of sweeps: a fixed point of the sweeps is exact to a ten-millionth of
// the moves, and what is given back to rods is summed from exact rows.
//
// From sweep to sweep forces are taken further along the way they go, as conjugate gradients do with sweeps for
// gradients (Silcowitz-Hansen, Niebe and Erleben 2010, "A nonsmooth nonlinear conjugate gradient method for interactive
// contact force problems"). Most contacts come to rest soon, a few do not for long: a look at all is followed by sweeps
// over those batches that have not come to rest.
#ifndef CDG_CONTACT_CONTACT_SWEEP_H
#define CDG_CONTACT_CONTACT_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CDG_BATCH = 8 };
// Of a row or batch that does not act within half 0 or 1 of the points alone (contact_halves.h).
enum { CDG_BOTH_HALVES = 2 };

// Lanes without a contact have no columns and answer nothing. A batch is a whole number of cache lines.
typedef struct cdg_sweep_batch {
    _Alignas(64) double force[3][CDG_BATCH]; // N
    double offset[3][CDG_BATCH];             // m
    double friction[CDG_BATCH];
    float column[7][3][2][CDG_BATCH]; // J': [m / 2][k][m % 2] is column k of the move m
    float change[3][CDG_BATCH];       // N, by the last sweep
    float direction[3][CDG_BATCH];    // that forces are taken further along
    // m/N and its inverse, 0 where there is none: how the force moves its own contact along the normal and both
    // tangents, which are chosen such that they do not move each other; how the normal force moves it along these
    float answer[3][CDG_BATCH], inverse[3][CDG_BATCH], across[2][CDG_BATCH];
    float alpha[CDG_BATCH];      // of the search for sliding friction
    float tolerance[CDG_BATCH];  // m
    float moved[CDG_BATCH];      // by the last sweep, in tolerances
    int32_t point[4][CDG_BATCH]; // four times the point's number
    int32_t element[2][CDG_BATCH];
    // The same in y. What never moves has entries of the batch's own there, so that no two of a colour share any.
    int32_t at_point[4][CDG_BATCH], at_element[2][CDG_BATCH];
    uint32_t row[CDG_BATCH]; // UINT32_MAX: none
    bool pushes;             // some lane has a force to begin with
    bool rubs;               // some lane has friction
} cdg_sweep_batch;

// Two more points of each lane, where rows need them: those of surfaces. A wide batch is both.
typedef struct cdg_sweep_more {
    _Alignas(64) float column[3][3][2][CDG_BATCH]; // J' of their moves, as in a batch
    int32_t point[2][CDG_BATCH];                   // four times the point's number
    int32_t at_point[2][CDG_BATCH];
} cdg_sweep_more;

// A cache line of its own, because threads write them side by side.
typedef struct cdg_sweep_sums {
    _Alignas(64) double worst; // largest move of a contact, in tolerances
    double square;             // sum of the changes' work
    double largest;            // normal force
} cdg_sweep_sums;

typedef struct cdg_sweep_kernels {
    // Visits batches in the given order, with `more` of each (NULL: there is none); `point` and `turn` are y of points
    // (four doubles each) and elements. `further`: how far forces go along their direction first; negative: not at all,
    // and directions end. `times`: steps of the search for sliding friction. Changes of forces by less than
    // `least_force` are within tolerance only if what they move is, too. The largest force in `sums` is carried on.
    void (*sweep)(cdg_sweep_batch *batches, const cdg_sweep_more *more, const uint32_t *order, size_t count,
                  double *point, double *turn, double further, int times, double least_force, cdg_sweep_sums *sums);
    // Adds what the forces do to y.
    void (*add_forces)(const cdg_sweep_batch *batches, const cdg_sweep_more *more, size_t count, double *point,
                       double *turn);
    // y goes `share` of its direction further, from where the next sweep begins; the direction becomes what is left of
    // it and what the sweep changed since `before`. Whole cache lines.
    void (*go_further)(double *restrict y, double *restrict before, double *restrict direction, size_t size,
                       double share);
} cdg_sweep_kernels;

extern const cdg_sweep_kernels cdg_sweep_kernels_base, cdg_sweep_kernels_avx2, cdg_sweep_kernels_avx512;

// Batches of one colour and half, which are visited one after the other.
typedef struct cdg_sweep_part {
    uint32_t first, count; // in the order of batches
    uint32_t colour, half;
} cdg_sweep_part;

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_sweeper {
    cdg_sweep_batch *batches;
    cdg_sweep_more *more; // of each batch, where rows are wide
    size_t batch_count, batch_capacity, more_capacity;
    uint32_t *order;     // of batches: all; those that have not come to rest
    uint32_t *colour_at; // of each batch
    uint32_t *spare_at;  // of each batch: its spare entry in y, which none of the same colour or another half has
    uint32_t *half_at;   // of each batch
    uint32_t *by_half;   // batches of the first half, of both, of the second one
    bool *is_restless;   // of each batch, at the last look
    uint32_t *rows;      // of each batch's lanes; UINT32_MAX: none
    size_t spare;        // entries in y for what never moves: of the batches of a colour
    bool is_halved;      // some batches act within a half; they are the first
    uint64_t *colours;   // of points: that are taken
    // Of points, four each, and spare ones, then elements and spare ones; before the sweep; its direction. Each half
    // begins with a cache line.
    double *y;
    size_t cut[2], gap[2], spare_from[2]; // of points and elements: where halves meet, entries between them, and spares
    size_t point_capacity, y_capacity;
    cdg_sweep_part *parts; // of what a sweep visits, in this order; and their sums
    cdg_sweep_sums *sums;
    size_t part_count, part_capacity;
    uint32_t *waiting;  // rows without a colour
    uint8_t *colour_of; // those that have one
    uint8_t *half_of;   // of each row
    size_t row_capacity;
} cdg_sweeper;

void cdg_sweeper_free(cdg_sweeper *sweeper);

// What a row acts on: two points and an element on each side.
typedef struct cdg_sweep_link {
    uint32_t point[4], element[2];
    uint32_t more[2]; // of wide rows: a third point of each side
    bool is_active;   // pushes, or is pushed into
} cdg_sweep_link;

typedef struct cdg_sweep_problem {
    const cdg_sweep_link *links; // of each row
    size_t row_count, point_count, element_count;
    const double *give, *turn_give;             // of points and elements
    const double *force_before, *torque_before; // that the candidate has: three of each point; one of each element
    double force_share;                         // of the largest force: larger changes of forces go on
    int most;                                   // sweeps over all, or as many visits
    int threads;                                // forces are the same for any number
    // Fills columns, answers, offsets, friction, tolerances and forces, of the rows that are in a batch's lanes, and
    // says whether it pushes and rubs. The rest is there.
    void (*fill)(const void *user, cdg_sweep_batch *batch);
    // The same of wide rows, instead; NULL: none is.
    void (*fill_wide)(const void *user, cdg_sweep_batch *batch, cdg_sweep_more *more);
    const void *user;
} cdg_sweep_problem;

// Calls body(user, batch) for each batch: those of different halves on different threads, then those of both. What is
// summed over points is the same for any number of threads, if the still point (number 0) is left out.
void cdg_sweeper_for_halves(const cdg_sweeper *sweeper, int threads, void (*body)(void *user, size_t batch),
                            void *user);
// ... and in any order: a thread works at the same batches as in sweeps.
void cdg_sweeper_for_all(const cdg_sweeper *sweeper, int threads, void (*body)(void *user, size_t batch), void *user);

// Leaves the forces in the batches. Returns the number of sweeps; negative: no memory.
int cdg_sweeper_solve(cdg_sweeper *sweeper, const cdg_sweep_problem *problem);

#endif
