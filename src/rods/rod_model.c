// The table of rod models. A program may be built with a longer list (tests/models does so).
#include "rods/rod_model.h"

#ifndef CDG_ROD_MODELS
#define CDG_ROD_MODELS CDG_MODEL_LIST
#endif

#define DECLARE(id, key, text) extern const cdg_rod_model cdg_##key##_model;
CDG_ROD_MODELS(DECLARE)
#undef DECLARE

static const cdg_rod_model *const models[] = {
#define ENTER(id, key, text) &cdg_##key##_model,
    CDG_ROD_MODELS(ENTER)
#undef ENTER
};

size_t cdg_rod_model_count(void) { return sizeof models / sizeof *models; }

const cdg_rod_model *cdg_rod_model_get(cdg_model model) { return models[model]; }
