// The one field that pictures carry, a number a node, for colours.
#ifndef CDG_VIEW_COLORS_H
#define CDG_VIEW_COLORS_H

#include "output/field_view.h"
#include "output/json.h"
#include "view/picture_message.h"
#include "view/request.h"

typedef struct cdg_colors {
    bool is_set;
    cdg_view view;
} cdg_colors;

// False: there is no such field or component; the sentence is there.
bool cdg_colors_choose(cdg_colors *colors, const cdg_request *request, cdg_error *error);
// "fields" of the message `hello`.
void cdg_colors_list(cdg_json *json);

// One rod's field, as measured at nodes or elements, to a number a node; `low` and `high` grow with it. Not a number:
// none there.
void cdg_colors_put(const cdg_colors *colors, const double *numbers, size_t node_count, size_t element_count,
                    bool is_closed, float *out, double *low, double *high);
void cdg_colors_put_range(cdg_picture_draft *draft, double low, double high);

#endif
