// The table of rod models, in the order of CDG_MODEL_LIST.
#include "rods/rod_model.h"

#include "rods/corde/corde.h"
#include "rods/der/der.h"
#include "rods/galpha/galpha.h"
#include "rods/pobd/pobd.h"
#include "rods/reference/reference.h"

const cdg_rod_model *cdg_rod_model_get(cdg_model model) {
    static const cdg_rod_model *const models[CDG_MODEL_COUNT] = {
        [CDG_MODEL_POBD] = &cdg_pobd_model,           [CDG_MODEL_CORDE] = &cdg_corde_model,
        [CDG_MODEL_REFERENCE] = &cdg_reference_model, [CDG_MODEL_DER] = &cdg_der_model,
        [CDG_MODEL_GALPHA] = &cdg_galpha_model,
    };
    return models[model];
}
