// Validation: what the simulation must reproduce. One table of cases; each fills rows of value against reference, and
// curves, for the models that it runs under.
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

enum { VALIDATION_TEXT_SIZE = 96, VALIDATION_NOTE_SIZE = 160 };

// The one list of models that cases run under: X(name, text). Where a model has two ways to step, each counts.
#define VALIDATION_MODEL_LIST(X)                                                                                       \
    X(CORDE, "corde")                                                                                                  \
    X(REFERENCE, "reference")                                                                                          \
    X(DER_EXPLICIT, "der explicit")                                                                                    \
    X(DER_IMPLICIT, "der implicit")                                                                                    \
    X(GAUSS_SEIDEL, "pobd gauss_seidel")                                                                               \
    X(DIRECT, "pobd direct")                                                                                           \
    X(GALPHA, "galpha")

typedef enum validation_model {
#define VALIDATION_MODEL_ENUM(name, text) VALIDATION_##name,
    VALIDATION_MODEL_LIST(VALIDATION_MODEL_ENUM)
#undef VALIDATION_MODEL_ENUM
        VALIDATION_MODEL_COUNT // as a row's model: none in particular
} validation_model;

// The one list of what the papers show that must have a row with theirs and ours: X(name, paper and place).
#define VALIDATION_SEED_LIST(X)                                                                                        \
    X(000_10, "000 figure 10")                                                                                         \
    X(000_11, "000 figure 11")                                                                                         \
    X(000_12, "000 figure 12")                                                                                         \
    X(000_14, "000 figure 14")                                                                                         \
    X(001_5, "001 figure 5")                                                                                           \
    X(001_6, "001 figure 6")                                                                                           \
    X(001_7, "001 figure 7")                                                                                           \
    X(001_8, "001 figure 8")                                                                                           \
    X(001_11, "001 figure 11")                                                                                         \
    X(001_TABLE_1, "001 table 1")                                                                                      \
    X(002_5, "002 figure 5")                                                                                           \
    X(002_6, "002 figure 6")                                                                                           \
    X(002_TABLE_1, "002 table 1")                                                                                      \
    X(003_1_1, "003 figure 1 (1)")                                                                                     \
    X(003_1_2, "003 figure 1 (2)")                                                                                     \
    X(003_1_3, "003 figure 1 (3)")                                                                                     \
    X(003_1_4, "003 figure 1 (4)")                                                                                     \
    X(003_1_5, "003 figure 1 (5)")                                                                                     \
    X(003_1_6, "003 figure 1 (6)")                                                                                     \
    X(003_1_7, "003 figure 1 (7)")                                                                                     \
    X(004_TABLE_3_1, "004 table 3.1")                                                                                  \
    X(004_4_3, "004 figure 4.3")                                                                                       \
    X(004_TABLE_4_1, "004 table 4.1")                                                                                  \
    X(004_6_2, "004 figure 6.2")

typedef enum validation_seed {
    VALIDATION_NO_SEED,
#define VALIDATION_SEED_ENUM(name, text) VALIDATION_SEED_##name,
    VALIDATION_SEED_LIST(VALIDATION_SEED_ENUM)
#undef VALIDATION_SEED_ENUM
        VALIDATION_SEED_END
} validation_seed;

typedef enum validation_row_kind {
    VALIDATION_CHECK,
    VALIDATION_ORDER,      // an observed order of convergence; fails as a check does
    VALIDATION_INFORMATION // a time or a count that says something and never fails, unless it is not a number
} validation_row_kind;

typedef struct validation_row {
    char label[VALIDATION_TEXT_SIZE];
    char unit[24];           // "" for pure numbers
    double value, reference; // reference NAN: there is none, the error itself is what counts
    double error, tolerance; // in the same measure: relative or absolute, as `is_relative` says
    bool is_relative;
    bool pass; // error <= tolerance; false for numbers that are not finite
    validation_row_kind kind;
    validation_model model;
    const char *reason; // of the tolerance; NULL: the case's
    validation_seed seed;
    char theirs[VALIDATION_NOTE_SIZE]; // what the paper prints or shows
} validation_row;

// A chart's axes, and its curves: those of the case's run, and references in the text's colour.
typedef struct validation_chart {
    char title[VALIDATION_TEXT_SIZE], x_label[32], x_unit[16], y_label[32], y_unit[16];
    bool is_log; // both axes
} validation_chart;

typedef struct validation_curve {
    char label[VALIDATION_TEXT_SIZE];
    size_t chart; // index
    bool is_reference;
    double *x, *y;
    size_t count;
} validation_curve;

// Rods as they were at some moment of a case, to be drawn.
typedef struct validation_picture {
    char caption[VALIDATION_TEXT_SIZE];
    char *scene; // text of a scene that starts with these rods
} validation_picture;

typedef struct validation_context {
    validation_factors factor;
    int thread_count; // 0: all cores
    // How much of a long case is done, with the same rows. Quick: as much as tests have time for, all cases in three
    // minutes. Neither, in full: all cases in less than 40 minutes. Exhaustive: hours, 10,000 shapes or 100,000 steps.
    bool is_quick, is_exhaustive;
    // May be called by a case as it goes along, with the fraction done in [0, 1].
    void (*on_progress)(void *user, double fraction);
    void *user;
    // Given wrong parameters, a long case may stop at its first failing row: nothing more is to be learnt.
    bool stops_at_failure;
    bool wants_pictures;
    // What is added from now on belongs to this model, and has this reason for its tolerance.
    validation_model model;
    const char *reason;
    bool has_run[VALIDATION_MODEL_COUNT];
    char unsupported[VALIDATION_MODEL_COUNT][VALIDATION_NOTE_SIZE]; // why; "": not said
    validation_row *rows;
    size_t row_count, row_capacity;
    validation_chart *charts;
    validation_curve *curves;
    validation_picture *pictures;
    size_t chart_count, curve_count, picture_count;
    bool out_of_memory;
} validation_context;

typedef struct validation_case {
    const char *name;    // letters, digits, '_'
    const char *shows;   // one sentence
    const char *source;  // closed form, or paper with section
    const char *spoiler; // "bend=1.1": with this --wrong the case must fail
    const char *reason;  // why its tolerances are what they are
    // For cases about one model: that model, 1 + its number (VALIDATION_ONLY); 0: rows tell (validation_under).
    int only;
    const char *others; // why the models that neither ran nor are said to be unsupported are not there
    cdg_result (*run)(validation_context *context, cdg_error *error);
} validation_case;

#define VALIDATION_ONLY(model) (1 + VALIDATION_##model)

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

// An observed order of convergence: |value - expected| <= tolerance.
void validation_add_order(validation_context *context, const char *label, double value, double expected,
                          double tolerance);
// A time, or a number without a reference: passes if it is finite.
void validation_add_information(validation_context *context, const char *label, const char *unit, double value);

// Says of the row added last which figure or table of the papers it belongs to, and what stands there: the number as
// printed, with the machine for times, or what is shown where none is printed.
void validation_cite(validation_context *context, validation_seed seed, const char *theirs, ...)
    __attribute__((format(printf, 3, 4)));

// From now on rows belong to this model; VALIDATION_MODEL_COUNT: to none in particular.
void validation_under(validation_context *context, validation_model model);
// From now on this is why tolerances are what they are: a text that stays, or NULL for the case's own reason.
void validation_because(validation_context *context, const char *reason);
// The case cannot be done with this model, and why; listed with the results.
void validation_unsupported(validation_context *context, validation_model model, const char *why, ...)
    __attribute__((format(printf, 3, 4)));
// That of the three which belongs to how much is done.
double validation_by_level(const validation_context *context, double quick, double full, double exhaustive);
// Nothing more is to be learnt (stops_at_failure).
bool validation_is_decided(const validation_context *context);

// Begins a chart; curves go to the last one begun. Of long curves a few hundred points are kept.
void validation_begin_chart(validation_context *context, const char *title, const char *x_label, const char *x_unit,
                            const char *y_label, const char *y_unit);
void validation_begin_log_chart(validation_context *context, const char *title, const char *x_label, const char *x_unit,
                                const char *y_label, const char *y_unit);
void validation_add_curve(validation_context *context, const char *label, const double *x, const double *y,
                          size_t count);
void validation_add_reference_curve(validation_context *context, const char *label, const double *x, const double *y,
                                    size_t count);
// Keeps the world's rods as they are now for a picture, if pictures are wanted.
void validation_add_picture(validation_context *context, const char *caption, const cdg_world *world);

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
// Prepares the context for the case, runs it, and sees to it that every model is accounted for.
cdg_result validation_run_case(const validation_case *item, validation_context *context, cdg_error *error);
const char *validation_model_name(validation_model model); // "" for VALIDATION_MODEL_COUNT
const char *validation_seed_name(validation_seed seed);
// "ran", or why not; NULL: other models are told and this one is not, which fails the case.
const char *validation_model_status(const validation_case *item, const validation_context *context,
                                    validation_model model);
const char *validation_row_reason(const validation_case *item, const validation_row *row);

#endif
