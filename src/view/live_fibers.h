// Fibres of a scene that is simulated: rods for the page, found anew from their guides for each picture.
#ifndef CDG_VIEW_LIVE_FIBERS_H
#define CDG_VIEW_LIVE_FIBERS_H

#include "scene/scene.h"
#include "view/cast.h"
#include "view/colors.h"
#include "view/picture_message.h"

typedef struct cdg_live_fibers cdg_live_fibers;

// At the world's start. *out is NULL where the scene has none.
cdg_result cdg_live_fibers_create(const cdg_scene *scene, const cdg_world *world, cdg_live_fibers **out,
                                  cdg_error *error);
void cdg_live_fibers_destroy(cdg_live_fibers *fibers); // NULL is fine

// They come after the world's rods. NULL: nothing is added.
bool cdg_live_fibers_cast(const cdg_live_fibers *fibers, cdg_cast *cast); // false: no memory
// Where they are now; returns what follows. They have no frames: they are round.
float *cdg_live_fibers_place(cdg_live_fibers *fibers, const cdg_world *world, float *to);
// Values of nodes: those of the guide that a fibre follows most, from those of all rods of the world.
float *cdg_live_fibers_color(const cdg_live_fibers *fibers, const float *values, float *to);
// A rod's index among those of the world and all fibres: of a fibre, that of the guide it follows most.
uint32_t cdg_live_fibers_guide(const cdg_live_fibers *fibers, uint32_t rod);
bool cdg_live_fibers_follow(const cdg_live_fibers *fibers, uint32_t rod); // whether the rod is a guide

#endif
