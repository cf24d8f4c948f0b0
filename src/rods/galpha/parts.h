// What the files of the galpha model share: the state of a node, the equations of a pair of nodes, the step.
//
// The twelve fields of a node are velocity, angular velocity, Darboux vector and contact force, all in the moving frame
// (Sobottka et al. 2008, eq. 14). Two of the four equations are kept in a time-integrated form that is equal to them
// for smooth motions: instead of the compatibility of velocities (eq. 14c, 14d) the poses themselves fit together,
//     log(R_j^T R_j+1) = rest turn + l (kappa - kappa_rest),     r_j+1 - r_j = l R_middle nu,
// and a pose is the time integral of its velocities by the scheme. So nothing drifts. The two balances (eq. 14a, 14b)
// are written in fixed axes, where their sum over the rod telescopes to its total momentum. Moment and contact force at
// the middle of an element are the means of its nodes', less the jumps there, and the material laws (eq. 11) hold
// there.
#ifndef CDG_RODS_GALPHA_PARTS_H
#define CDG_RODS_GALPHA_PARTS_H

#include "math/mat3.h"
#include "math/two_point_solve.h"
#include "rods/rod_model.h"

// ---- galpha/scheme.c: the coefficients ------------------------------------------------------------------------------

typedef struct galpha_scheme {
    double alpha, beta, gamma;
} galpha_scheme;

galpha_scheme galpha_scheme_from_lambda(double lambda_infinity); // second order; -1 <= lambda_infinity <= 0
galpha_scheme galpha_scheme_choose(const cdg_galpha_options *options);
galpha_scheme galpha_scheme_euler(void); // needs no rates of the step before
// The scheme itself, or the least damped of second order that keeps fast modes from growing when their directions turn
// by so much in a step, rad.
galpha_scheme galpha_scheme_for_turn(galpha_scheme scheme, double turn);
// Unconditionally stable for every decaying or oscillating mode.
bool galpha_scheme_is_stable(galpha_scheme scheme);
// Largest factor by which a mode x' = i omega x grows in a step, omega_step = omega times the step.
double galpha_scheme_spectral_radius(galpha_scheme scheme, double omega_step);

// ---- galpha/state.c: a rod's own state ------------------------------------------------------------------------------

typedef struct galpha_node { // doubles only: it lives in rod->own
    cdg_vec3 position;       // m
    cdg_quat frame;
    // the twelve fields, moving frame
    cdg_vec3 velocity; // m/s
    cdg_vec3 spin;     // rad/s
    cdg_vec3 darboux;  // 1/m: of the moment there, damping included
    cdg_vec3 force;    // N: what the part beyond exerts on the part before
    // rates that the scheme carries along
    cdg_vec3 position_rate; // m/s, fixed axes
    cdg_vec3 frame_rate;    // rad/s, moving frame
    cdg_vec3 acceleration;  // m/s^2, fixed axes
    cdg_vec3 momentum_rate; // N: of the angular momentum per length about the section's centre, fixed axes
    cdg_vec3 force_per_mass, moment_per_length; // m/s^2, N: what acts on the node by the balances, fixed axes
    // of the element after the node
    cdg_vec3 stretch_rate, bend_rate; // 1/s, 1/(m s): of its strains
    cdg_vec3 middle_force;            // N: contact force at its middle, in its frame
} galpha_node;

typedef struct galpha_rest { // constants of a node and of the element after it; lives in rod->own_constant
    cdg_vec3 darboux;        // 1/m, at rest
    cdg_vec3 inertia;        // kg m, rotary inertia per length
    cdg_vec3 turn;           // rotation vector from the node's frame to the next one's at rest
    cdg_quat offset;         // from halfway between the two frames to the element's frame, whose d3 is the chord
} galpha_rest;

enum {
    GALPHA_NODE_DOUBLES = sizeof(galpha_node) / sizeof(double),
    GALPHA_REST_DOUBLES = sizeof(galpha_rest) / sizeof(double)
};

static inline galpha_node *galpha_nodes_of(double *own) { return (galpha_node *)(void *)own; }

static inline const galpha_rest *galpha_rest_of(const cdg_rod *rod) {
    return (const galpha_rest *)(const void *)rod->own_constant;
}

// The material law at a node (Sobottka et al. 2008, eq. 11), moving frame.
cdg_vec3 galpha_moment_of(const cdg_rod *rod, size_t node, cdg_vec3 darboux);
cdg_vec3 galpha_darboux_of(const cdg_rod *rod, size_t node, cdg_vec3 moment);

// galpha/energy.c: adds the energies of motion, bending and twist that the equations of a pair of nodes conserve.
void galpha_measure_energy(const cdg_rod *rod, cdg_energy *out);

// Rotation vector from one frame to another, on the branch nearest to the rotation vector `near`.
cdg_vec3 galpha_turn(cdg_quat from, cdg_quat to, cdg_vec3 near);
// Halfway between two frames on that branch.
cdg_quat galpha_middle(cdg_quat from, cdg_quat to, cdg_vec3 near);

void galpha_set_rest(cdg_rod *rod);
// Nodes from the rod's staggered arrays: positions as they are, and frames that fit the elements' (galpha/frames.c). In
// a rod that cannot stretch positions follow the frames from the first node on, which differs where those do not fit.
void galpha_read_arrays(const cdg_rod *rod, galpha_node *nodes);
// An element's frame by the rod's own nodes, which differs from the array's before the first step.
cdg_quat galpha_own_frame(const cdg_rod *rod, size_t element);
// The staggered arrays from nodes.
void galpha_write_arrays(const cdg_rod *rod, const galpha_node *nodes, double *const x[3], double *const v[3],
                         double *const q[4], double *const w[3]);

// ---- galpha/frames.c: frames at nodes for a shape that is given -----------------------------------------------------

// From a first guess to frames between which the elements have theirs, as far as the rod can. All else in nodes is then
// 0.
void galpha_fit_frames(const cdg_rod *rod, galpha_node *nodes);
// Refuses a shape that frames at nodes cannot follow; after the nodes in rod->own were read from it.
cdg_result galpha_check_shape(const cdg_rod *rod, cdg_error *error);

// ---- galpha/element.c: the equations of a pair of nodes -------------------------------------------------------------

typedef struct galpha_loads {  // on one element
    cdg_vec3 at_start, at_end; // N, fixed axes, at its two nodes
    cdg_vec3 torque;           // N m, in its frame
} galpha_loads;

// One step: from `old` by `step_rate` = 1/step (0: the equilibrium) with the scheme's coefficients.
typedef struct galpha_step {
    const cdg_rod *rod;
    const galpha_node *old;
    const galpha_rest *rest;
    const galpha_loads *loads; // element_count
    galpha_scheme scheme;
    double step_rate;                 // 1/s
    double velocity_gain;             // 1/s: d velocity/d position
    double balance_gain;              // 1/(1 - beta)
    double length_scale, force_scale; // m, N: units in which the equations are solved
    double give;                      // of its compliance: by how much a rod that cannot stretch does (galpha/bow.c)
    double damping_gain[4];           // 1 + damping time/(gamma step): shear, stretch, bend, twist
    const struct galpha_hold_pair *holds; // galpha/ends.c
} galpha_step;

// The unknowns of one node during Newton's iteration and what follows from them alone.
typedef struct galpha_trial {
    cdg_vec3 position;
    cdg_quat frame;
    cdg_vec3 moment; // N m, fixed axes
    cdg_vec3 force;  // N, fixed axes
    // set by galpha_update_trial
    cdg_vec3 position_rate, velocity, acceleration; // fixed axes
    cdg_vec3 frame_turn;                            // rotation vector from the old frame, moving frame
    cdg_vec3 frame_rate, spin;                      // moving frame
    cdg_vec3 momentum, momentum_rate;               // kg m/s, N: angular, per length, fixed axes
    cdg_vec3 force_per_mass, moment_per_length;     // m/s^2, N: what must act on the node for its rates, fixed axes
} galpha_trial;

// Chooses gains and scales from rod, scheme and step_rate.
void galpha_step_prepare(galpha_step *step);
void galpha_update_trial(const galpha_step *step, size_t node, galpha_trial *trial);
// What acts on an element, and how the poses of its nodes fail to fit together.
typedef struct galpha_element {
    cdg_quat middle, frame;      // halfway between the nodes' frames; of the element
    cdg_vec3 turn;               // rotation vector between the nodes' frames
    cdg_vec3 pull[2], twist[2];  // N, N m: loads less inertia and drag on its halves, at its nodes, fixed axes
    cdg_vec3 edge, force;        // m, N: between its nodes; contact force at its middle, fixed axes
    cdg_vec3 tangent;            // edge per length that the material law wants, fixed axes
    cdg_vec3 tilt;               // tan(theta/4) n of the turn, fixed axes
    cdg_vec3 arm_moment;         // N m: edge x force
    cdg_vec3 moment, law_moment; // N m, fixed axes: at the middle from the nodes, and from the strain
    cdg_vec3 law_local;          // N m: stiffness times strain
    cdg_vec3 force_balance, moment_balance; // N, N m: of all that acts, inertia included
} galpha_element;

void galpha_measure_element(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                            galpha_element *out);
// Strains of an element (0 at rest) and their rates by the scheme.
cdg_vec3 galpha_stretch(const cdg_rod *rod, size_t element, cdg_vec3 from, cdg_vec3 to, cdg_quat frame);
cdg_vec3 galpha_stretch_rate(const galpha_step *step, size_t element, cdg_vec3 stretch);
cdg_vec3 galpha_bend_stiffness(const cdg_rod *rod, size_t element); // N m^2, at its middle
cdg_vec3 galpha_bend(const cdg_rod *rod, const galpha_rest *rest, size_t element, cdg_vec3 turn);
cdg_vec3 galpha_bend_rate(const galpha_step *step, size_t element, cdg_vec3 bend);
// Residual of the twelve equations in the units of the step: 0-2 forces, 3-5 moments, 6-8 bending, 9-11 edges.
void galpha_element_residual(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                             double out[TWO_POINT_FIELDS]);
// Its derivatives: rows of 12 columns for a's unknowns and 12 for b's. Unknowns in the step's units: 0-2 position,
// 3-5 rotation about fixed axes, 6-8 moment, 9-11 force.
void galpha_element_rows(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                         double (*rows)[TWO_POINT_COLUMNS]);
// Both at once, which is cheaper; residual NULL: rows alone.
void galpha_element_system(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                           double (*rows)[TWO_POINT_COLUMNS], double *residual);
// How the residual changes with a unit of force at the element's start (columns 0-2) and end (3-5), and of torque about
// its d3 (6); and how much its frame turns about d3 with the rotations of its first node (0-2) and second node (3-5).
enum { GALPHA_LOADS = 7 };
void galpha_element_loads(const galpha_step *step, size_t element, const galpha_trial *a, const galpha_trial *b,
                          double columns[GALPHA_LOADS][TWO_POINT_FIELDS], double turn[6]);

// ---- galpha/ends.c: boundary conditions -----------------------------------------------------------------------------

typedef struct galpha_hold_pair { // what holds the first and the last node in this step
    bool has_hold[2];
    cdg_hold hold[2];
} galpha_hold_pair;

// Those of the rod, or on the way to them: `share` of the motion from `start` and `finish` is done.
galpha_hold_pair galpha_holds_at(const cdg_rod *rod, const galpha_node *first, const galpha_node *last, double share);
void galpha_end_residual(const galpha_step *step, int end, const galpha_trial *trial, double out[TWO_POINT_ENDS]);
void galpha_end_rows(const galpha_step *step, int end, const galpha_trial *trial, double (*rows)[TWO_POINT_COLUMNS]);
void galpha_set_reactions(cdg_rod *rod, const galpha_trial *first, const galpha_trial *last);

// ---- galpha/control.c: how long a step may be -----------------------------------------------------------------------

// What one step is wrong by: first h^2 u' + second h^3 u''.
typedef struct galpha_error_terms {
    double first, second;
} galpha_error_terms;
galpha_error_terms galpha_scheme_error(galpha_scheme scheme);
double galpha_rate_offset(galpha_scheme scheme); // rates stand for a time that many steps after their own

// What is kept beside the nodes from step to step, behind them in rod->own: doubles only.
typedef struct galpha_memory {
    double step, step_before; // s, of the last step and of the one before; 0: there is none
    double next_step;         // s, wanted; 0: not known
    double rate_offset;       // s: rates stand for a time that much after the state's own
} galpha_memory;
typedef struct galpha_mean_rates { // of a node over a step
    cdg_vec3 move;                 // m/s, fixed axes
    cdg_vec3 turn;                 // rad/s, moving frame
} galpha_mean_rates;
enum {
    GALPHA_MEMORY_DOUBLES = sizeof(galpha_memory) / sizeof(double),
    GALPHA_MEAN_DOUBLES = 2 * sizeof(galpha_mean_rates) / sizeof(double) // a node's last two
};

// Error of a solved step: root of the mean square over nodes, in rod lengths and whole turns. `rates` are each node's
// over the last step and the one before, as far as `memory` has them.
double galpha_step_error(const galpha_step *step, const galpha_trial *trial, const galpha_memory *memory,
                         const galpha_mean_rates *rates);
// Takes the solved step into memory and rates.
void galpha_remember(const galpha_step *step, const galpha_trial *trial, galpha_memory *memory,
                     galpha_mean_rates *rates);
// s: how long the next step should be, or this one should have been, for an error of step_error.
double galpha_next_step(const galpha_step *step, const galpha_memory *memory, double error);
// The state `old` with rates as they are `share` of the last step later; `before` is the state before that step.
void galpha_shift_rates(const galpha_node *old, const galpha_node *before, size_t count, double share,
                        galpha_node *out);

// ---- galpha/newton.c: one step --------------------------------------------------------------------------------------

typedef struct galpha_outcome {
    bool is_solved;
    int iterations;
    double correction; // the last, in element lengths and radians
} galpha_outcome;

typedef struct galpha_work { // scratch of one rod
    galpha_trial *trial, *attempt;
    two_point_factor *factors; // node_count
    double *residual;          // node_count * 12: first end, elements, last end
    double (*correction)[TWO_POINT_FIELDS], (*again)[TWO_POINT_FIELDS]; // node_count
} galpha_work;

// galpha/bow.c: bends a straight trial so that it fits between ends that have come nearer; false: it is none of that.
bool galpha_bow_trial(const galpha_step *step, galpha_trial *trial);
// By how much of its compliance it has to stretch: a rod whose length does not determine its tension; 0: not at all.
double galpha_give_of(const galpha_step *step);
bool galpha_is_nearly_straight(const galpha_step *step); // between two held ends
bool galpha_is_shortened(const galpha_step *step, const galpha_trial *trial);
// Solves the step; `trial` then holds the solution.
galpha_outcome galpha_solve(const galpha_step *step, galpha_work *work);
// Its parts, for equilibria and vibrations: the trial from `old`; the negative of everything that must vanish at a
// trial, node_count * 12; elimination at work->trial, false: singular; a share of a correction.
void galpha_start_trial(const galpha_step *step, galpha_trial *trial);
void galpha_find_residual(const galpha_step *step, const galpha_trial *trial, double *out);
bool galpha_factorise(const galpha_step *step, galpha_work *work);
void galpha_apply(const galpha_step *step, const galpha_trial *from, double (*correction)[TWO_POINT_FIELDS],
                  double share, galpha_trial *to);
// The state that follows from the solution.
void galpha_accept(const galpha_step *step, const galpha_trial *trial, galpha_node *out);

// ---- galpha/galpha.c and galpha/response.c: the answer to additional forces (rod_model.h) ---------------------------

typedef struct galpha_posed {
    galpha_step step;
    galpha_hold_pair holds;
    galpha_trial *trial; // node_count
} galpha_posed;

// The equations of a step that was predicted, as a whole, and the candidate as a trial of them; memory in scratch.
void galpha_pose_candidate(const cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                           galpha_posed *out);

// Offsets in an element's record of the response, doubles; y: the twelve unknowns of a node in the step's units.
// Matrices column by column.
enum {
    GALPHA_TO_LEFT = 0,    // y_j from y_{j+1}, loads after it
    GALPHA_TO_RIGHT = 144, // y_{j+1} from y_j, loads before it
    GALPHA_CORE = 288,     // y_j and y_{j+1} from the loads of galpha_element_loads
    GALPHA_TURN = 456,
    GALPHA_ANSWER = 464,
};

typedef struct galpha_push {
    const cdg_rod *rod;
    const double *records;
    double length_scale;  // m
    size_t first, end;    // nodes with forces; elements first to end - 2 have torques
    double *const *force; // N
    const double *torque; // N m; NULL: none
    double cutoff;
} galpha_push;

// galpha/response_simd.c
#define GALPHA_PUSH_DECLARE(suffix)                                                                                    \
    cdg_rod_range galpha_push_rod##suffix(const galpha_push *push, double *const move[3], double *turn);
GALPHA_PUSH_DECLARE(_base)
GALPHA_PUSH_DECLARE(_avx2)
GALPHA_PUSH_DECLARE(_avx512)
#undef GALPHA_PUSH_DECLARE

size_t galpha_response_size(const cdg_rod *rod);
cdg_result galpha_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                                cdg_error *error);
cdg_rod_range galpha_respond(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                             const double *torque, double cutoff, double *const move[3], double *turn);

// ---- galpha/modes.c: vibrations -------------------------------------------------------------------------------------

// The lowest eigenvalues (rad^2/s^2) about a state at rest, in rising order, and unless NULL their shapes: six numbers
// a node, its move (m) and the turn of its section about fixed axes (rad), with unit modal mass.
enum { GALPHA_SHAPE = 6 };
cdg_result galpha_find_modes_at(const cdg_rod *rod, const galpha_node *state, const galpha_loads *loads,
                                const galpha_hold_pair *holds, galpha_work *work, size_t count, double *eigenvalues,
                                double *shapes, cdg_error *error);

// ---- galpha/galpha.c: what a step needs besides ---------------------------------------------------------------------

typedef struct galpha_scratch {
    galpha_work work;
    galpha_loads *loads;
    galpha_node *state[4]; // the last two only under step-size control
} galpha_scratch;

size_t galpha_scratch_size(const cdg_rod *rod);
size_t galpha_lay_out(const cdg_rod *rod, void *scratch, galpha_scratch *m); // returns the bytes used
// Loads on elements from those on nodes.
void galpha_set_loads(const cdg_rod *rod, const cdg_rod_loads *loads, galpha_loads *out);
void galpha_forget_steps(const cdg_rod *rod); // what step-size control knows of the steps before

// ---- galpha/static.c: equilibria ------------------------------------------------------------------------------------

// Operations of the model's table.
cdg_result galpha_find_equilibrium(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error);
cdg_result galpha_find_modes(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues,
                             cdg_vec3 *shapes, cdg_error *error);
// A state at rest becomes the rod's.
void galpha_set_state(cdg_rod *rod, const galpha_node *state);
// The rod's state, as if it were at rest.
void galpha_read_at_rest(const cdg_rod *rod, galpha_node *out);

extern const struct cdg_rod_path_operations galpha_path_operations; // galpha/path.c

// galpha/static.c: m, within which the loads, spread evenly, bend the rod by about a radian. Sections that turn evenly
// along an element several times as long would have to turn by more than half a turn there.
double galpha_bending_length(const cdg_rod *rod, const galpha_loads *loads);

#endif
