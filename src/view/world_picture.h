// A world as it is told to pages: who is in it, once, and then pictures of it.
#ifndef CDG_VIEW_WORLD_PICTURE_H
#define CDG_VIEW_WORLD_PICTURE_H

#include "view/cast.h"
#include "view/colors.h"
#include "view/live_fibers.h"

typedef struct cdg_world_picture {
    cdg_colors colors;
    bool has_arrows;
    cdg_cast cast;
    cdg_live_fibers *fibers; // NULL: none
    double *numbers;         // room for a field of the largest rod
    cdg_contact_info *contacts;
    size_t contact_capacity;
} cdg_world_picture;

// For a world at its start, in the place of the one before; when it fails, that one stays.
cdg_result cdg_world_picture_make(cdg_world_picture *picture, const cdg_scene *scene, const cdg_world *world,
                                  cdg_error *error);
void cdg_world_picture_free(cdg_world_picture *picture);

cdg_message *cdg_world_picture_announce(const cdg_world_picture *picture, uint32_t epoch); // `world`
void cdg_world_picture_draw(cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft);
// The rod of the world that is meant by one of the page's: itself, or the guide that a fibre follows.
uint32_t cdg_world_picture_rod(const cdg_world_picture *picture, uint32_t rod);

#endif
