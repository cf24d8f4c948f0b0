// Shape matching (Mueller, Heidelberger, Teschner, Gross 2005; appendix B of the thesis) as a force law: the deviation
// of each point from the best fitting shape of its cluster is a damped oscillation, with a time in place of a
// stiffness. Points of a cluster lie in slots, SOLID_GROUP at least, filled up with points without weight.
//
// With weights w, rest positions p and functions phi of them that are orthonormal under w (the first three linear, six
// more quadratic), the fits of positions y are sums: linear: c + sum B_k phi_k over the first three, B_k = sum w y
// phi_k; quadratic: over nine; rigid: c + R p, p = sum C_k phi_k. No system is solved.
#ifndef CDG_SOLIDS_SHAPE_MATCHING_H
#define CDG_SOLIDS_SHAPE_MATCHING_H

#include "math/mat3.h"
#include "solids/solid.h"

enum { MATCHING_BASIS_MAX = 9, MATCHING_CHUNK = 2048 };

// Sums over slots of a cluster, positions and velocities taken from those of its first.
typedef struct matching_moments {
    double position[3], speed[3];                                     // w y, w v
    double shape[MATCHING_BASIS_MAX][3], rate[MATCHING_BASIS_MAX][3]; // w y phi, w v phi
    double spread[6];                                                 // w y y^T: xx, xy, xz, yy, yz, zz
    double spin[3];                                                   // w y x v
} matching_moments;

// What points are given: dv = pull q + drag u + sum shape_k phi_k + turn x q, q and u from center and speed.
typedef struct matching_move {
    double center[3], speed[3], pull, drag, turn[3], shape[MATCHING_BASIS_MAX][3];
} matching_move;

typedef struct matching_chunk {
    uint32_t cluster, begin, end; // slots, multiples of SOLID_GROUP
} matching_chunk;

typedef struct cdg_shape_matching {
    size_t cluster_count, slot_count, chunk_count;
    int basis_count;      // 3 or 9
    bool is_whole;        // one cluster: slots are nodes
    uint32_t *first_slot; // cluster_count + 1
    uint32_t *node;       // slot_count
    double *weight;       // slot_count, kg; 0 fills up. Held nodes weigh more than everything else
    double *basis[MATCHING_BASIS_MAX];
    double *move[3];      // slot_count, m/s
    double *given[3];     // room of nodes, m/s: of all their slots together; `move` if whole
    double *mass;         // cluster_count, kg, of weights
    cdg_vec3 *middle;     // cluster_count, m, at rest
    cdg_vec3 (*frame)[3]; // cluster_count: C
    double *goal_free;    // slot room of nodes: 1 for nodes that are free, 0 for held ones and what fills up
    double *inverse_mass; // the same room, 1/kg
    uint32_t *first_use;  // node_count + 1: slots of a node; NULL if whole
    uint32_t *use;
    bool *was_held;                 // node_count: when weights were set
    bool has_weights, is_projector; // fits of fits change nothing: one cluster, and nothing held
    double step;                    // s, that was last predicted
    matching_chunk *chunks;
    matching_moments *partial; // chunk_count
    matching_move *moves;      // cluster_count
    void *block;
} cdg_shape_matching;

// How a swing of rate 1/time with a damping ratio is taken over a step, dv = pull d + drag u halfway. With one cluster
// fits are projections, and the step has exactly the swing's own decay, whatever its length. Clusters that overlap
// answer each other, some deformations more weakly: there velocities are damped before and after the pull, each time
// with a fit of its own, which is of second order for all of them and stable at any step.
typedef struct matching_rates {
    double pull, drag; // 1/s, 1
} matching_rates;
matching_rates cdg_matching_rates(double step, double time, double damping_ratio);
matching_rates cdg_matching_half_rates(double step, double time, double damping_ratio);    // of the first of two fits
matching_rates cdg_matching_touched_rates(double step, double time, double damping_ratio); // before the whole way
double cdg_matching_borne_time(double time, double longest_step);                          // s
double cdg_matching_early(double step, double time, const matching_rates *rates,
                          bool is_half); // share of forces before

static inline cdg_shape_matching *solid_matching(const cdg_solid *solid) { return solid->own; }

// shape_matching_simd.c: one variant an instruction set.
typedef struct matching_kick {
    double step, lead, early; // s; s, of the way before the match; share of forces before it
    double gravity[3];
} matching_kick;
#define MATCHING_DECLARE(suffix)                                                                                       \
    void cdg_matching_begin##suffix(cdg_solid *solid, const matching_kick *kick, size_t begin, size_t end);            \
    void cdg_matching_sum##suffix(const cdg_solid *solid, size_t chunk);                                               \
    void cdg_matching_move##suffix(const cdg_solid *solid, size_t chunk);                                              \
    void cdg_matching_end##suffix(cdg_solid *solid, const matching_kick *kick, size_t begin, size_t end);
MATCHING_DECLARE()
MATCHING_DECLARE(_base)
MATCHING_DECLARE(_avx2)
MATCHING_DECLARE(_avx512)
#undef MATCHING_DECLARE

#endif
