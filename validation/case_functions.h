// The functions behind the table of validation cases.
#ifndef VALIDATION_CASE_FUNCTIONS_H
#define VALIDATION_CASE_FUNCTIONS_H

#include "validation/cases.h"

cdg_result validate_free_fall(validation_context *context, cdg_error *error);
cdg_result validate_gradients(validation_context *context, cdg_error *error);
cdg_result validate_free_flight(validation_context *context, cdg_error *error);
cdg_result validate_spiral(validation_context *context, cdg_error *error);
cdg_result validate_roll_up(validation_context *context, cdg_error *error);
cdg_result validate_cantilever(validation_context *context, cdg_error *error);
cdg_result validate_cantilever_settings(validation_context *context, cdg_error *error);
cdg_result validate_cantilever_order(validation_context *context, cdg_error *error);

#endif
