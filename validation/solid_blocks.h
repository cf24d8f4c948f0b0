// Blocks of solids that are held, loaded and settled, for cases of their mechanics.
#ifndef VALIDATION_SOLID_BLOCKS_H
#define VALIDATION_SOLID_BLOCKS_H

#include "solids/solid_model.h"
#include "validation/case_functions.h"

typedef cdg_vec3 (*solid_mapping)(cdg_vec3 at);

// A block of `size` about the origin, cut to cells of `cell`, whose points are mapped, unless `map` is NULL. Of `def`
// the mesh is made here, and moduli and density are made wrong as the context says.
cdg_result validation_block(const validation_context *context, cdg_solid_def def, cdg_vec3 size, double cell,
                            solid_mapping map, cdg_solid *out, cdg_error *error);

cdg_result validation_settle(cdg_solid *solid, cdg_error *error); // to its equilibrium
void validation_hold(cdg_solid *solid, size_t node, cdg_vec3 at);
// A force on the face x = `end`, by the share of its triangles that nodes have.
void validation_load_end(cdg_solid *solid, double end, cdg_vec3 force);

// Patch test, rigid motion and forces as slopes of energy, rows with `name`.
cdg_result validation_patch(validation_context *context, cdg_solid_def def, const char *name, cdg_error *error);
// Moment about y of a block of twice its side that is held as in Saint-Venant's pure bending, N m.
cdg_result validation_bending_moment(const validation_context *context, cdg_solid_def def, double side, int cells,
                                     double curvature, double *out, cdg_error *error);
// How far the end of a cantilever ten times as long as wide sinks under a force, over Timoshenko's.
cdg_result validation_cantilever(const validation_context *context, cdg_solid_def def, double side, int cells,
                                 double *out, cdg_error *error);
// How far Cook's membrane rises, for E = 1 and a force of 1 (small displacements), with `cells` cells a side.
cdg_result validation_cook(const validation_context *context, cdg_solid_def def, int cells, double *out,
                           cdg_error *error);

#endif
