// A camera that goes along with something.
#ifndef CDG_RENDER_FOLLOW_H
#define CDG_RENDER_FOLLOW_H

#include "render/camera.h"
#include "render/run_player.h"

// The middle of a rod's or solid's nodes, or where a body or obstacle is, at the player's moment, m.
// CDG_ERROR_ARGUMENT: the run has nothing of that name.
cdg_result cdg_follow_middle(const cdg_run_player *player, const char *name, cdg_vec3 *out, cdg_error *error);

// Adds the nodes or corners of what has that name, moved by `offset`, m, to what a camera must show.
cdg_result cdg_follow_fit(const cdg_run_player *player, const char *name, cdg_vec3 offset, cdg_camera_fit *fit,
                          cdg_error *error);

#endif
