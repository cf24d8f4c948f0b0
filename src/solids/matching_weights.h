// The constants of shape matching: slots, weights and the functions that shapes are made of.
#ifndef CDG_SOLIDS_MATCHING_WEIGHTS_H
#define CDG_SOLIDS_MATCHING_WEIGHTS_H

#include "solids/shape_matching.h"

cdg_result cdg_matching_build(cdg_solid *solid, cdg_error *error);
void cdg_matching_free(cdg_solid *solid);
// When other nodes are held than the last time.
void cdg_matching_renew_weights(cdg_solid *solid);

#endif
