// The table of rod models, in the order of CDG_MODEL_LIST.
#include "rods/rod_model.h"

#include "rods/pobd.h"

const cdg_rod_model *cdg_rod_model_get(cdg_model model) {
    static const cdg_rod_model *const models[CDG_MODEL_COUNT] = {
        [CDG_MODEL_POBD] = &cdg_pobd_model,
    };
    return models[model];
}
