// The keys of `adapt` in the scene language.
#include "scene/schema_rows.h"

#include <cordage/rod.h>

// clang-format off
static const char *const contact_choices[] = {"any", "both_halves", NULL};
static const char *const method_choices[] = {"variational", "paper", NULL};

static const scene_key adapt_keys[] = {
    {.name = "angle", QUANTITY(CDG_ANGLE), .range = SCENE_POSITIVE, IN(cdg_adapt_options, angle),
     .initial = "0.3 rad", .example = "0.3 rad", .also = "refine",
     .text = "elements within which the rod turns further than this are halved"},
    {.name = "coarsen", QUANTITY(CDG_ANGLE), .range = SCENE_NOT_NEGATIVE, IN(cdg_adapt_options, coarsen),
     .initial = "0.1 rad", .example = "0.1 rad",
     .text = "two halves within which it turns less than this become one; less than half of `angle`"},
    {.name = "shortest", QUANTITY(CDG_LENGTH), .range = SCENE_NOT_NEGATIVE, .is_automatic = true,
     IN(cdg_adapt_options, shortest), .initial = "auto", .example = "2 mm", .also = "minimum min_length",
     .text = "no element becomes shorter; auto: 0.7 radii, and what an explicit step bears"},
    {.name = "levels", .type = SCENE_TYPE_INTEGER, .least = 1, .most = 7, IN(cdg_adapt_options, levels),
     .initial = "3", .text = "how often an element may be halved"},
    {.name = "hold", QUANTITY(CDG_TIME), .range = SCENE_NOT_NEGATIVE, IN(cdg_adapt_options, hold),
     .initial = "50 ms", .text = "for how long there must have been no reason to be fine"},
    {.name = "contact", .type = SCENE_TYPE_CHOICE, .choices = contact_choices, IN(cdg_adapt_options, contact),
     .initial = "any",
     .text = "what contact halves an element: any, or contact on both of its halves, as in the thesis"},
    {.name = "method", .type = SCENE_TYPE_CHOICE, .choices = method_choices, IN(cdg_adapt_options, method),
     .initial = "variational",
     .text = "how positions of a changed resolution are found: by Newton's method, or by ten conjugate gradients"},
};
TABLE(adapt, "`adapt`", "Resolution that follows the shape; in `simulation` for all of `rods`, or in one rod.");
