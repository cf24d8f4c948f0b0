// The table of validation cases. Each function stands in its own file, case_NAME.c.
#include "validation/cases.h"

#include "validation/case_functions.h"

const validation_case validation_cases[] = {
    {.name = "free_fall",
     .shows = "an unsupported rod falls as a whole: its centre of mass by g t^2 / 2, without strain or spin",
     .source = "Newton's second law; the integrators' own error for constant acceleration",
     .spoiler = "gravity=1.001",
     .run = validate_free_fall},
    {.name = "gradients",
     .shows = "the gradients of the stretch-shear and bend-twist constraints are those of their energies",
     .source = "finite differences",
     .spoiler = "bend=1.001",
     .run = validate_gradients},
    {.name = "free_flight",
     .shows = "a thrown, spinning, vibrating rod keeps its momentum over 10,000 steps",
     .source = "conservation laws; paper 002 section 8",
     .spoiler = "gravity=1.01",
     .run = validate_free_flight},
    {.name = "spiral",
     .shows = "from a random pose a spiral is back at its rest shape within 100 frames",
     .source = "paper 002 figure 6",
     .spoiler = "rest=1.05",
     .run = validate_spiral},
    {.name = "cantilever",
     .shows = "the settled shape of a heavy cantilever is the elastica's",
     .source = "planar elastica under its own weight (elliptic integrals, shooting)",
     .spoiler = "bend=1.1",
     .run = validate_cantilever},
    {.name = "cantilever_settings",
     .shows = "that shape does not depend on time step or iterations",
     .source = "planar elastica under its own weight",
     .spoiler = "bend=1.1",
     .run = validate_cantilever_settings},
    {.name = "cantilever_order",
     .shows = "its error falls with the square of the element length, clamp included",
     .source = "planar elastica under its own weight",
     .spoiler = "bend=1.01",
     .run = validate_cantilever_order},
};
const size_t validation_case_count = sizeof validation_cases / sizeof *validation_cases;
