// Validation: what the simulation must reproduce. One table of cases; each fills rows of value against reference.
//
// A case is one function in a file validation/case_NAME.c. It builds what it needs, passes every rod definition through
// validation_spoil_rod and every gravity through validation_spoil_gravity, and adds rows. References must not pass
// through them: that is how a test shows that each case fails when the simulation uses a wrong parameter.
#ifndef VALIDATION_CASES_H
#define VALIDATION_CASES_H

#include <cordage/cordage.h>

// The one list of parameters that --wrong can multiply: X(name, what it is).
#define VALIDATION_PARAMETER_LIST(X)                                                                                   \
    X(gravity, "gravity")                                                                                              \
    X(mass, "mass and rotary inertia per length")                                                                      \
    X(stretch, "stretching and shearing stiffness")                                                                    \
    X(bend, "bending stiffness about both axes")                                                                       \
    X(twist, "twisting stiffness")                                                                                     \
    X(radius, "how thick contact takes rods to be")                                                                    \
    X(friction, "friction of contacts, where a case has it")                                                           \
    X(rest, "the rest shape's curvature and twist, where a case has them")

typedef struct validation_factors { // 1: as it should be
#define VALIDATION_MEMBER(name, text) double name;
    VALIDATION_PARAMETER_LIST(VALIDATION_MEMBER)
#undef VALIDATION_MEMBER
} validation_factors;

enum { VALIDATION_TEXT_SIZE = 96 };

typedef struct validation_row {
    char label[VALIDATION_TEXT_SIZE];
    char unit[16];           // "" for pure numbers
    double value, reference; // reference NAN: there is none, the error itself is what counts
    double error, tolerance; // in the same measure: relative or absolute, as `is_relative` says
    bool is_relative;
    bool pass; // error <= tolerance; false for numbers that are not finite
} validation_row;

typedef struct validation_context {
    validation_factors factor;
    int thread_count; // 0: all cores
    bool is_quick;    // a long case may take fewer elements or less time, with the same rows
    // May be called by a case as it goes along, with the fraction done in [0, 1].
    void (*on_progress)(void *user, double fraction);
    void *user;
    validation_row *rows;
    size_t row_count, row_capacity;
    bool out_of_memory;
} validation_context;

typedef struct validation_case {
    const char *name;    // letters, digits, '_'
    const char *shows;   // one sentence
    const char *source;  // closed form, or paper with section
    const char *spoiler; // "bend=1.1": with this --wrong the case must fail
    cdg_result (*run)(validation_context *context, cdg_error *error);
} validation_case;

extern const validation_case validation_cases[];
extern const size_t validation_case_count;

// ---- for cases (validation.c) ---------------------------------------------------------------------------------------

// |value - reference| / |reference| <= tolerance
void validation_add_relative(validation_context *context, const char *label, const char *unit, double value,
                             double reference, double tolerance);
// |value - reference| <= tolerance
void validation_add_absolute(validation_context *context, const char *label, const char *unit, double value,
                             double reference, double tolerance);
// value <= limit: for errors, drifts and residuals
void validation_add_limit(validation_context *context, const char *label, const char *unit, double value, double limit);

// Applies the factors to a definition: its stiffness is computed from material and section, then multiplied.
cdg_result validation_spoil_rod(const validation_context *context, cdg_rod_def *def, cdg_error *error);
cdg_vec3 validation_spoil_gravity(const validation_context *context, cdg_vec3 gravity);

// Copies the world's message into error when result is not CDG_OK; returns result.
cdg_result validation_fail(const cdg_world *world, cdg_result result, cdg_error *error);

void validation_progress(const validation_context *context, double fraction);

// ---- for the command and tests --------------------------------------------------------------------------------------

validation_context validation_context_default(void);
void validation_context_free(validation_context *context);
// Sets a factor from "name=number"; on a mistake fills error with what is possible.
cdg_result validation_set_factor(validation_context *context, const char *text, cdg_error *error);
bool validation_all_passed(const validation_context *context); // false when there are no rows

#endif
