// Wind that varies in space: a velocity that is the same everywhere, and vortices in it, each the flow about a line
// that stands or moves (Lamb and Oseen). With V the largest speed, at the distance R from the line,
//   u(r) = V (1 + 1/(2 a)) (R/r) (1 - exp(-a r^2/R^2)),   a = 1.25643...: the root of exp(a) = 1 + 2 a,
// which turns like a solid body near the line and falls as 1/r far from it.
#ifndef CDG_WORLD_WIND_FIELD_H
#define CDG_WORLD_WIND_FIELD_H

#include "base/error.h"
#include "math/vec3.h"

#include <cordage/world.h>

// m/s, without the load's factor in time.
cdg_vec3 cdg_wind_velocity(const cdg_load_def *load, cdg_vec3 position, double time);
// Whether vortices move, so that the wind at a point changes though its factor does not.
bool cdg_wind_moves(const cdg_load_def *load);
// s: the shortest time in which one of them passes a point; infinite: none moves.
double cdg_wind_passing_time(const cdg_load_def *load);
cdg_result cdg_wind_check(const cdg_load_def *load, cdg_error *error);

#endif
