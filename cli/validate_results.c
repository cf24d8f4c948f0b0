// What the reports of validation tell of a case in one number.
#include "validate_results.h"

#include <math.h>

double observed_order(const validation_context *context, validation_model model) {
    double sum = 0;
    int count = 0;
    for (size_t i = 0; i < context->row_count; i++) {
        const validation_row *row = &context->rows[i];
        if (row->kind != VALIDATION_ORDER || (model != VALIDATION_MODEL_COUNT && row->model != model)) continue;
        sum += row->value;
        count++;
    }
    return count > 0 ? sum / count : (double)NAN;
}

double worst_share(const validation_context *context) {
    double worst = 0;
    for (size_t i = 0; i < context->row_count; i++) {
        const validation_row *row = &context->rows[i];
        if (row->kind == VALIDATION_INFORMATION) continue;
        double share = row->tolerance > 0 ? row->error / row->tolerance : row->pass ? 0 : HUGE_VAL;
        if (!(share <= worst)) worst = share;
    }
    return worst;
}
