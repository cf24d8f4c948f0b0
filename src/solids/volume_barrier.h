// What keeps tetrahedra from being turned inside out, where a solid asks for it (cdg_solid_def.volume_barrier): beside
// the energy of its material each has, below the share J0 of its volume at rest, K (1 - u)^2 ln(1/u) per volume, with
// u = J/J0 and K = (lambda + 2 mu) J0^2 (the barrier of Li and others 2020, "Incremental potential contact", taken of
// volumes). It has no bound as the tetrahedron becomes flat, and begins with two derivatives of 0.
#ifndef CDG_SOLIDS_VOLUME_BARRIER_H
#define CDG_SOLIDS_VOLUME_BARRIER_H

#include "solids/solid_model.h"

typedef struct volume_barrier {
    double energy, slope, bend; // J/m^3, of J, and its derivatives by J; infinite, 0 and 0 from J = 0 down
} volume_barrier;
volume_barrier cdg_volume_barrier_at(const cdg_solid *solid, double volume_share);

double cdg_volume_barrier_energy(const cdg_solid *solid, double *const x[3]); // J; infinite: something is flat
// Adds its forces on the groups begin .. end - 1 to solid->slot_force.
void cdg_volume_barrier_push(cdg_solid *solid, double *const x[3], size_t begin, size_t end);
// Adds its second derivative; of that by det F's own curvature, which is negative, nothing where it is `is_projected`.
void cdg_volume_barrier_bend(const cdg_solid *solid, const mat3 *f, bool is_projected, solid_curvature *out);

#endif
