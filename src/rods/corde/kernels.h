// The loops of corde over all cells, elements and nodes, compiled once for each instruction set
// (corde/kernels_simd.c). corde/corde.c calls them in turn; corde/terms.h derives what they compute.
#ifndef CDG_RODS_CORDE_KERNELS_H
#define CDG_RODS_CORDE_KERNELS_H

#include "rods/rod_model.h"

// The rod at one instant: a step takes it through several of these, each in arrays of its own.
typedef struct corde_state {
    double *x[3]; // m, node_count
    double *v[3]; // m/s, node_count
    double *q[4]; // element_count
    double *w[3]; // rad/s, material axes, element_count
} corde_state;

// What a step computes on the way; arrays in scratch memory.
typedef struct corde_work {
    // Torque on each element's frame by the cells at its near (first) and far end, N m, material axes, element_count.
    // Any pair of elements may add to any of them: the chain's own neighbours do so in corde_cells, half cells at held
    // sections and the seam of a closed rod after that.
    double *near[3], *far[3];
    // Force through element j, N, world axes, at [j + 1]; [0] and [element_count + 1] are zero at the ends of an open
    // rod and repeat the other end's element on a closed one. Node i feels force[i + 1] - force[i].
    double *force[3];
    double *kick[3]; // constraint: impulse through element j by its turning spin, N s, laid out like force
    double *spin;    // constraint: axial angular momentum of element j after its torques, kg m^2/s
    double *rest[3]; // constraint: what is left for the frame of its angular momentum, kg m^2/s, world axes
} corde_work;

typedef struct corde_substep {
    double step; // s, that velocities move positions and frames
    double kick; // s, that forces change velocities: half of this sub-step and half of the one before
    double slow; // 1/(1 + drag_rate * kick)
    double done; // part of the whole step that is over at the end of the sub-step
    const corde_state *from, *to;
    ptrdiff_t ahead; // from an element's first node to its second: 1, or 1 - node_count across the seam of a closed rod
    double watched;  // of its rest length: how far an element may be squeezed before somebody looks
    bool *squeezed;  // set when one is squeezed further in `from`; NULL: nobody asks
    // constraint: by how much a tangent may turn within the sub-step, and whether one turned further; NULL: nobody asks
    double least_cosine;
    bool *turned;
} corde_substep;

// Elastic torques of the cells at nodes begin to end - 1, each between elements node - 1 and node.
void corde_cells(const cdg_rod *rod, const corde_state *at, size_t begin, size_t end, const corde_work *work);

// Penalty coupling: forces through elements begin to end - 1, then their frames' kick and drift. False when a spin is
// not finite.
bool corde_penalty_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                            size_t end, const corde_work *work);

// The forces alone: friction is solved for with them before the frames move.
void corde_penalty_forces(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                          size_t end, const corde_work *work);

// The frames alone, when their torques hold those of the coupling, too. False when a spin is not finite.
bool corde_penalty_frames(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                          size_t end, const corde_work *work);

// Constraint coupling: forces through elements by stretch and by the torques across the tangent; axial momentum.
void corde_constraint_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                               size_t end, const corde_work *work);
// After the nodes' kick: half of what the turning of the spins takes from the nodes, into work->kick.
void corde_constraint_spin(const corde_substep *s, size_t begin, size_t end, const corde_work *work);
// After the nodes' drift: turns the frames along with their tangents and about them. False when something is not
// finite.
bool corde_constraint_frames(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                             const corde_work *work);

// Kick and drift of nodes begin to end - 1 by work->force and loads. False when a velocity is not finite.
bool corde_nodes(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin, size_t end,
                 const corde_work *work);
// Adds what work->kick gives to the new velocities and, for the time `drift`, to the new positions.
void corde_kick_nodes(const cdg_rod *rod, const corde_substep *s, double drift, size_t begin, size_t end,
                      const corde_work *work);

#define CORDE_DECLARE(suffix)                                                                                          \
    void corde_cells##suffix(const cdg_rod *rod, const corde_state *at, size_t begin, size_t end,                      \
                             const corde_work *work);                                                                  \
    bool corde_penalty_elements##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,        \
                                        size_t begin, size_t end, const corde_work *work);                             \
    void corde_penalty_forces##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,          \
                                      size_t begin, size_t end, const corde_work *work);                               \
    bool corde_penalty_frames##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,          \
                                      size_t begin, size_t end, const corde_work *work);                               \
    void corde_constraint_elements##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,     \
                                           size_t begin, size_t end, const corde_work *work);                          \
    void corde_constraint_spin##suffix(const corde_substep *s, size_t begin, size_t end, const corde_work *work);      \
    bool corde_constraint_frames##suffix(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,         \
                                         const corde_work *work);                                                      \
    bool corde_nodes##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,     \
                             size_t end, const corde_work *work);                                                      \
    void corde_kick_nodes##suffix(const cdg_rod *rod, const corde_substep *s, double drift, size_t begin, size_t end,  \
                                  const corde_work *work);
CORDE_DECLARE(_base)
CORDE_DECLARE(_avx2)
CORDE_DECLARE(_avx512)
#undef CORDE_DECLARE

#endif
