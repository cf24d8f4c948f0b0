// The list of solid models.
#include "solids/solid_model.h"

const cdg_solid_model_table *cdg_solid_model_get(cdg_solid_model model) {
    switch (model) {
    case CDG_SOLID_NEO_HOOKEAN: return &cdg_solid_neo_hookean;
    case CDG_SOLID_COROTATIONAL: return &cdg_solid_corotational;
    case CDG_SOLID_SHAPE_MATCHING: return &cdg_solid_shape_matching;
    case CDG_SOLID_MASS_SPRING: return &cdg_solid_mass_spring;
    case CDG_SOLID_MODEL_COUNT: break;
    }
    return NULL;
}
