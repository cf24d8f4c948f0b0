// What `cordage check` tells of deformable solids: their meshes, sub-steps, and what these are good for.
#ifndef CLI_CHECK_SOLIDS_H
#define CLI_CHECK_SOLIDS_H

#include "output/json.h"

#include <cordage/world.h>

// A table, then advice on resolution and on slivers. `step`: s, of the run; 0: an equilibrium.
void print_check_solids(const cdg_world *world, double step);
void add_check_solids_json(cdg_json *json, const cdg_world *world, double step);

#endif
