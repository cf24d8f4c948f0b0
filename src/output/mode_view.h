// A vibration of a rod as a swing: outputs over one period, for pictures and exports.
#ifndef CDG_OUTPUT_MODE_VIEW_H
#define CDG_OUTPUT_MODE_VIEW_H

#include <cordage/base.h>

enum { CDG_MODE_VIEW_FRAMES = 49 }; // from one extreme over the other and back

// Where in the swing output `frame` is: 1 at both ends, -1 in the middle.
double cdg_mode_view_phase(size_t frame);

// The factor by which the shapes of all rods (node_counts[i] moves at shapes[i]) swing so that the largest move is
// `amplitude`; 0: none moves.
double cdg_mode_view_factor(const cdg_vec3 *const *shapes, const size_t *node_counts, size_t rod_count,
                            double amplitude);

// Moves nodes by factor * shape, and turns frames with the elements between them the shortest way; frames may be NULL.
void cdg_mode_view_move(const cdg_vec3 *shape, double factor, size_t node_count, size_t element_count,
                        cdg_vec3 *positions, cdg_quat *frames);

#endif
