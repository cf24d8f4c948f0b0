// Inner friction of corde in parts: the loops over all elements (corde/friction_simd.c), and the band matrix that
// serves where the chain of dampers (corde/dampers.h) does not (corde/band.c).
#ifndef CDG_RODS_CORDE_FRICTION_H
#define CDG_RODS_CORDE_FRICTION_H

#include "rods/corde/corde.h"

// ---- corde/friction_simd.c ------------------------------------------------------------------------------------------

// Dampers of elements begin to end - 1 and the impulses that they and everything in `work` and `loads` will exert if
// velocities do not change; with the penalty coupling also the forces through elements.
void corde_friction_elements(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, size_t begin,
                             size_t end, const corde_work *work, const corde_friction *friction);
// Dampers of the cells at nodes begin to end - 1, and likewise.
void corde_friction_cells(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,
                          const corde_friction *friction);
// After both: masses and impulses of all nodes, and the cells' share in the frames' angular impulses.
void corde_friction_sums(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,
                         const corde_friction *friction);

// With the solution: what friction exerts on elements begin to end - 1, added to their forces and to their spins
// (constraint) or, with the coupling's torques, to those of their frames (penalty). `spin` and the dampers' have a
// entry before the first element and one behind the last.
void corde_friction_apply(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end, const corde_work *work,
                          const corde_friction *friction);
#define CORDE_FRICTION_DECLARE(suffix)                                                                                 \
    void corde_friction_elements##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,       \
                                         size_t begin, size_t end, const corde_work *work,                             \
                                         const corde_friction *friction);                                              \
    void corde_friction_cells##suffix(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,            \
                                      const corde_friction *friction);                                                 \
    void corde_friction_sums##suffix(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads,           \
                                     const corde_friction *friction);                                                  \
    void corde_friction_apply##suffix(const cdg_rod *rod, const corde_substep *s, size_t begin, size_t end,            \
                                      const corde_work *work, const corde_friction *friction);
CORDE_FRICTION_DECLARE(_base)
CORDE_FRICTION_DECLARE(_avx2)
CORDE_FRICTION_DECLARE(_avx512)
#undef CORDE_FRICTION_DECLARE

// ---- corde/band.c ---------------------------------------------------------------------------------------------------

size_t corde_band_doubles(const cdg_rod *rod);
// Velocities of nodes and spins of frames (world axes) at the end of the sub-step. False: singular.
bool corde_band_solve(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, const corde_pairs *pairs,
                      const corde_work *work, double *memory, double *const velocity[3], double *const spin[3]);

#endif
