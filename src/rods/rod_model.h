// The table of operations that every rod model offers. Nothing else switches over model names.
#ifndef CDG_RODS_ROD_MODEL_H
#define CDG_RODS_ROD_MODEL_H

#include "math/outward_carry.h"
#include "math/rate_rule.h"
#include "rods/net.h"
#include "rods/rod.h"

// What the world hands to predict: external loads of the coming step, in scratch memory.
typedef struct cdg_rod_loads {
    double *force[3];    // N, world axes, node_count
    double *torque[3];   // N m, material frame, element_count
    cdg_vec3 gravity;    // m/s^2, contained in force
    bool is_weight_only; // gravity is all there is, and there are no arrays; only for models that take this
    // The candidate is near already, e.g. that of the same step under slightly other loads: iterations may start there
    // and not from the state. The answer is the same within the solver's tolerance, unless iterations run out before.
    bool starts_from_candidate;
} cdg_rod_loads;

static inline cdg_vec3 rod_load_force(const cdg_rod *rod, const cdg_rod_loads *loads, size_t node) {
    double mass = rod->node_mass[node];
    cdg_vec3 g = loads->gravity;
    return loads->is_weight_only ? (cdg_vec3){mass * g.x, mass * g.y, mass * g.z} : rod_vec3(loads->force, node);
}

// Memory that this thread will probably touch next: what the rods that follow need.
enum { CDG_SOON_MAX = 64 };
typedef struct cdg_soon {
    struct {
        const void *at;
        size_t bytes;
    } blocks[CDG_SOON_MAX];
    size_t count;
} cdg_soon;

static inline void cdg_soon_add(cdg_soon *soon, const void *at, size_t bytes) {
    if (soon->count == CDG_SOON_MAX) return;
    soon->blocks[soon->count].at = at;
    soon->blocks[soon->count++].bytes = bytes;
}

typedef struct cdg_rod_step_result {
    int iterations;
    double residual; // last correction relative to the element length, or strain by which constraints are not met
    int halvings;    // times that the model had to halve its internal step
    int parts;       // internal steps, of models that choose them
    bool is_lost;    // of a failure: the rod has been wrong for some time; shorter steps from now on would only hide it
} cdg_rod_step_result;

// Nodes from first to end - 1 and the elements between them, first to end - 2. Of a closed rod they may go on beyond
// the last, to node 0 again (entry i means i modulo the count); end = first + node_count + 1 is all the way round, with
// every node and element once.
typedef struct cdg_rod_range {
    size_t first, end;
} cdg_rod_range;

// How a model's step turns what a hold exerts into momentum and speed into motion. A body that is welded to the rod
// follows the same rules, so that what one loses the other gains, and both are one system to the integrator.
typedef struct cdg_weld_scheme {
    cdg_rate_rule force, moment; // from a hold's force and moment to momentum and spin
    cdg_rate_rule motion;        // from velocity to position
    double arm; // where in the step, 0 beginning to 1 end, lies the point that the moment is taken about
} cdg_weld_scheme;

typedef void cdg_rod_reload(void *user, const cdg_rod *rod, const cdg_rod_loads *loads);

// Whether energies of strain belong to the forces that a model's step has.
typedef enum cdg_strain_trust {
    CDG_STRAIN_TRUE,
    CDG_STRAIN_ROUGH, // but for what iterations leave: strains of stiff rods are not small enough to be energies
    CDG_STRAIN_OTHER  // other forces altogether
} cdg_strain_trust;

typedef struct cdg_rod_equilibrium {
    int iterations;
    double residual, force; // N
    bool is_stable;
    double lowest; // rad^2/s^2
    int history_count;
    double history[CDG_HISTORY_SIZE]; // as in cdg_equilibrium_report
} cdg_rod_equilibrium;

enum { CDG_TEAM_MAX = 8 }; // rods that any model takes at once

// How the model divides steps. All may be left out.
typedef struct cdg_rod_division {
    // Divides a step by itself where it finds no solution, as long as nothing touches the rod: to repeat the step in
    // halves does not help.
    bool divides_by_itself;
    // Whether the rod may find no solution, and a step that is repeated in halves helps; NULL: no.
    bool (*gains_by_halves)(const cdg_rod *rod);
    // Whether steps longer than advised are divided, so that they cost time but no accuracy; NULL: they are not.
    bool (*divides_steps)(const cdg_rod *rod);
    // In how many parts a step is to be taken while the rod touches something: a whole number; NULL: one.
    double (*contact_parts)(const cdg_rod *rod, double step);
} cdg_rod_division;

// Many short rods are faster in teams. All NULL: the model has none.
typedef struct cdg_rod_teams {
    size_t (*size)(void);                                 // most rods in one
    bool (*is_alike)(const cdg_rod *a, const cdg_rod *b); // may be in one team
    size_t (*scratch_size)(const cdg_rod *rod);           // bytes, for a team of rods like this one
    // As predict for each rod; loads and results have `count` entries; `soon` is to be fetched into the caches
    // meanwhile. False: these rods must be done one by one in this step, from the same state.
    bool (*predict)(cdg_rod *const *rods, size_t count, double step, const cdg_rod_loads *loads, const cdg_soon *soon,
                    void *scratch, cdg_rod_step_result *results);
    // Several steps at once, from state to state, then one more as predict does it, with the same bits: loads are
    // weight alone, holds and their history stay, and nobody asks what happens on the way. False: `taken` says how many
    // of the steps the states have gone, all or none; the rest goes one by one. With `is_final` candidates are taken
    // without a look at them, and histories need not be kept for another try. May be NULL.
    bool (*advance)(cdg_rod *const *rods, size_t count, double step, uint64_t steps, bool is_final,
                    const cdg_rod_loads *loads, const cdg_soon *soon, void *scratch, uint64_t *taken,
                    cdg_rod_step_result *results);
} cdg_rod_teams;

// How the candidate answers forces that act in addition during the step, linearised about the candidate. Without
// `respond` every node and frame answers for itself, by step^2/mass and step^2/inertia, as in explicit models (two
// thirds of the step for gauss_seidel with bdf2); joined nodes as one, by the sum of their masses.
typedef struct cdg_rod_answers {
    // Bytes of `response`, 64-byte aligned, kept as long as the rod. 0: with its options this rod answers for itself.
    size_t (*response_size)(const cdg_rod *rod);
    // Right after predict, with the same step, loads and scratch: keeps the linearised step in `response`.
    cdg_result (*keep_response)(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                                cdg_error *error);
    // Forces (N, node_count, world axes) and torques about the tangent (N m, element_count; may be NULL) to moves of
    // x_next (m) and turns of q_next about d3 (rad). Held nodes stay. Only what is within `loaded` acts
    // and is read. What move and turn get is the response within the returned range, which holds `loaded`; elsewhere
    // they are left alone, and the rod's surface moves there by less than about `cutoff` times the largest move (0: the
    // range is the whole rod). Time is proportional to that range. Linear but for the cutoff; from several threads at
    // once. The compliance that takes forces and torques to moves and turns is symmetric and positive definite where a
    // step is a minimisation.
    cdg_rod_range (*respond)(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                             const double *torque, double cutoff, double *const move[3], double *turn);
    // The same for loads throughout `loaded` and moves there alone, but for parts in a million: for solvers that ask
    // hundreds of times. `lighten` readies the response for it; false: this rod has no such answer. From one thread at
    // a time. NULL: the model has none.
    bool (*lighten)(const cdg_rod *rod, void *response, cdg_rod_range loaded);
    void (*respond_lightly)(const cdg_rod *rod, void *response, cdg_rod_range loaded, double *const force[3],
                            const double *torque, double *const move[3], double *turn);
    // What takes loads along the rod from where they act (outward_carry.h); without records: this rod has no such
    // answer. NULL: the model has none, because its compliance is not symmetric.
    outward_chain (*outward)(const cdg_rod *rod, const void *response);
    // Without respond: inertia of an element's frame about d3 as the model has it, kg m^2; 0: contact does not turn
    // frames. NULL: the frame's own.
    double (*spin_inertia)(const cdg_rod *rod, size_t element);
    // Without respond: the rod is to be predicted with the contact forces that last from the step before, as loads,
    // because its step spreads forces along it (damping, sweeps, ...), which answering node by node does not.
    // NULL: never.
    bool (*takes_loads)(const cdg_rod *rod);
    // Without damping to speak of: forces become such loads little by little (contact_lasting.h), and where contact has
    // none to offer (contact_shock.h) it does without.
    bool takes_loads_slowly;
    bool (*frames_follow)(const cdg_rod *rod); // d3 is the edge's direction, always; NULL: never
} cdg_rod_answers;

// Joined rods (net.h). All NULL: the model has no joints.
typedef struct cdg_rod_nets {
    bool (*supports_joints)(const cdg_rod *rod); // with the options that this rod has
    size_t (*scratch_size)(const cdg_net *net);  // bytes
    // Called when a net is formed; may be NULL: makes its rods' constants those of joined rods (longest steps, ...)
    // and the net's plan.
    cdg_result (*prepare)(cdg_net *net, cdg_error *error);
    void (*settle)(const cdg_net *net); // after its rods' resolution has changed: constants anew, in place; may be NULL
    // As predict, for all rods of the net at once; loads and results have an entry for each. On failure `failed` is the
    // number of the rod that the message is about.
    cdg_result (*predict)(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *results, size_t *failed, cdg_error *error);
    // Contact: as in cdg_rod_answers, of a net that is solved as one. Numbers of nodes, and of elements, are those of
    // its rods one after the other, with room for as many nodes as each may have, elements beginning where the rod's
    // nodes do. Forces on copies of a point add up;
    // all copies move. NULL: rods of nets answer by their points' masses.
    size_t (*response_size)(const cdg_net *net);
    cdg_result (*keep_response)(const cdg_net *net, double step, const cdg_rod_loads *loads, void *scratch,
                                void *response, cdg_error *error);
    void (*respond)(const cdg_net *net, void *response, double *const force[3], const double *torque,
                    double *const move[3], double *turn);
} cdg_rod_nets;

// Equilibria and vibrations. NULL: the model finds none.
typedef struct cdg_rod_statics {
    // Moves the rod's state to an equilibrium under holds and loads; `reload` sets loads anew for a state. And the
    // lowest eigenvalues of stiffness against mass about the state, with the moves of nodes (may be NULL).
    cdg_result (*find_equilibrium)(cdg_rod *rod, const cdg_rod_loads *loads, cdg_rod_reload *reload, void *user,
                                   cdg_rod_equilibrium *out, cdg_error *error);
    cdg_result (*find_modes)(cdg_rod *rod, const cdg_rod_loads *loads, size_t count, double *eigenvalues,
                             cdg_vec3 *shapes, cdg_error *error);
    const struct cdg_rod_path_operations *path; // rod_path.h
} cdg_rod_statics;

// How elements store energy, for whoever needs its derivatives (src/adapt).
typedef enum cdg_edge_kind {
    CDG_EDGE_COSSERAT,  // stretch and shear: 1/2 l (y/l - e3)^T S (y/l - e3), y the edge in material axes
    CDG_EDGE_COUPLED,   // stretch of the edge with a barrier, and coupling of its direction to d3 (corde)
    CDG_EDGE_STRETCHED, // stretch of the edge alone; d3 lies along it (der)
    CDG_EDGE_BARRED     // the same with the barrier (corde, coupling: constraint)
} cdg_edge_kind;

// What strains, energies and momentum of the model are (rod_measure.c). All may be left out.
typedef struct cdg_rod_measures {
    bool has_consistent_mass; // cdg_rod
    bool counts_turns;        // keeps rest_curl, twist and twist_next of the rod
    // Whether bending and twist are measured by angle (cdg_rod), and of models that count turns their strain; NULL:
    // never.
    bool (*by_angle)(const cdg_rod_def *def);
    bool (*curls_by_angle)(const cdg_rod_def *def);
    // Stretching and shearing of an element; NULL: those of a Cosserat rod.
    void (*element)(const cdg_rod *rod, size_t element, cdg_element_measure *out);
    cdg_edge_kind (*edge_kind)(const cdg_rod *rod); // NULL: that of a Cosserat rod
    // How wrong the moment is that the model has between two sections which turn by `turn` and at rest by `rest`, as a
    // share of it; NULL: as the rod's measure of turns (by_angle, measure) tells.
    double (*moment_error)(const cdg_rod *rod, cdg_quat turn, cdg_quat rest);
    // Rotary inertia about d1, d2, d3 that elements' frames have in the model, kg m^2, of `count` from `first` on: what
    // kinetic energy and angular momentum are measured with. NULL: that of their sections.
    void (*frame_inertia)(const cdg_rod *rod, size_t first, size_t count, double *const out[3]);
    // Adds energies of motion, bending and twist as the model's own state has them; NULL: those of the rod's arrays.
    void (*energy)(const cdg_rod *rod, cdg_energy *out);
    // For models whose step is sub-steps (its result's iterations) of semi-implicit Euler: the rate at which the energy
    // of strain grows, W. Velocities are then those half a sub-step before positions, and of a vibration near the limit
    // of stability nearly all energy seems to come and go; energy and half a sub-step's power less are constant
    // (world_guard.c). NULL: others.
    double (*strain_power)(const cdg_rod *rod);
    // s: how much later a candidate's positions are than its velocities, in models that keep loads constant during a
    // step of `substeps` parts. A load that changes from step to step does its work along earlier positions. NULL: 0.
    double (*velocity_lag)(const cdg_rod *rod, double step, int substeps);
    // How far the rod's energies of strain are those of its forces; NULL: they are.
    cdg_strain_trust (*strain_trust)(const cdg_rod *rod);
} cdg_rod_measures;

struct cdg_rod_model {
    const char *name;
    const struct cdg_model_options *options; // model_options.h; NULL: it has none
    double element_cost; // s, of a step of one of very many elements: `cordage bench sweep_elements` at 100,000

    // ---- what it supports
    bool supports_closed, supports_anisotropic, supports_varying_section, supports_frame_clamp;
    bool supports_slide; // holds a node on a line
    bool ties_to_solids; // implicit steps are Euler's or BDF2, with a hold's force at the end of the step, as solids'
    bool carries_node_mass; // nodes have the inertia of cdg_rod.node_mass, which may change between steps (hands)
    bool takes_weight_only; // predict copes with loads that are weight only: arrays need not be filled, nor have room
    bool chatters_undamped; // without damping, rods chatter under friction instead of holding: scenes give them some
    bool adapts;            // its elements may differ in length and be halved and made one between steps (src/adapt)
    bool takes_one_turn;    // reads rest turns by rod_rest_turn only, so that a straight rod needs no array of them

    // ---- core: every model has these
    // Refuses what the model cannot do, before anything is built.
    cdg_result (*check)(const cdg_rod_def *def, cdg_error *error);
    // Whether the model keeps the state of the step before (x_before ...).
    bool (*needs_history)(const cdg_rod_def *def);
    // Bytes of scratch for one step of this rod; handed in 64-byte aligned.
    size_t (*scratch_size)(const cdg_rod *rod);
    // Computes the candidate x_next, v_next, q_next, w_next at time + step from state, loads and holds, and what the
    // holds exert. Leaves the state alone.
    cdg_result (*predict)(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error);
    // Accepts the candidate: it becomes the state, and the state becomes history.
    void (*commit)(cdg_rod *rod, double step);
    // Step that is accurate and stable, with one sentence why (reason holds 256 characters).
    double (*advise_step)(const cdg_rod *rod, char *reason);

    // ---- core that may be NULL
    // The motion that the advised step is for; NULL: bending.
    cdg_limit (*limit)(const cdg_rod *rod);
    // Doubles of state and of constants that the model keeps for itself (rod->own, rod->own_constant), known before
    // anything but counts and options is set.
    size_t (*own_count)(const cdg_rod *rod);
    size_t (*own_constant_count)(const cdg_rod *rod);
    // Called when the rod is built: makes its constants those that the model works with (effective inertia, ...).
    void (*prepare)(cdg_rod *rod);
    // The same for what belongs to the section of one element, of a rod that adapts and varies along itself.
    void (*prepare_section)(cdg_rod *rod, size_t element);
    // Whether an element could be this long, m, in steps of so many seconds, of models whose steps have a limit and no
    // sub-steps. NULL: always.
    bool (*bears_length)(const cdg_rod *rod, size_t element, double length, double step);
    // Called when the shape at rest was changed later (rod_rest.c): makes anew what prepare made of it.
    void (*rest_changed)(cdg_rod *rod);
    // Called when the arrays of the state were set from outside, or a support was added or removed before the first
    // step: makes the model's own state that of them.
    void (*state_changed)(cdg_rod *rod);
    // Called when the rod is built: refuses a shape at the start that the model cannot have.
    cdg_result (*check_shape)(const cdg_rod *rod, cdg_error *error);
    // Refuses to change the rest length of the rod later; NULL: never.
    cdg_result (*check_rest_length)(const cdg_rod *rod, cdg_error *error);
    // Refuses a support that the model cannot hold, before it is added.
    cdg_result (*check_support)(const cdg_rod *rod, const cdg_support_def *def, cdg_error *error);
    // Whether its holds may yield, as bodies that are welded to it do: rods whose lengths are constraints, which follow
    // next to no trial pose of a body. NULL: no.
    bool (*yields_at_welds)(const cdg_rod *rod);
    // For bodies welded to the rod, in the step that comes. NULL: implicit Euler.
    void (*weld_scheme)(const cdg_rod *rod, double step, cdg_weld_scheme *out);
    // The frame of the section at a node, which a clamp holds; NULL: that between the elements' frames
    // (rod_section_frame).
    cdg_quat (*section_frame)(const cdg_rod *rod, size_t node);
    // Roughly how long a step of `step` seconds takes, s; NULL: long enough to be worth another thread.
    double (*step_cost)(const cdg_rod *rod, double step);
    // What is allowed but will disappoint at steps of `step` seconds, in one sentence with a cure (text holds 256
    // characters); false: nothing. NULL: never.
    bool (*doubt)(const cdg_rod *rod, double step, char *text);
    // What helps a solver that stopped before the solution, other than a step shorter than `step` seconds, as words
    // after "try" (text holds 256 characters). NULL: nothing does.
    void (*solver_advice)(const cdg_rod *rod, double step, char *text);

    // ---- what only some have
    cdg_rod_division division;
    cdg_rod_teams team;
    cdg_rod_answers contact;
    cdg_rod_nets net;
    cdg_rod_statics statics;
    cdg_rod_measures measures;
};

// rod_start.c: the candidate's nodes are put where they are now, carried along by supports that move; held ones where
// they are to be.
void cdg_rod_start_from_now(cdg_rod *rod);

// rod_step.c: for models to put into the table.
void cdg_rod_commit(cdg_rod *rod, double step); // candidate to state, state to history, where the rod keeps one
double
cdg_rod_bending_period(const cdg_rod *rod); // s, of the bending wave as long as the rod: 2 pi/((2 pi/L)^2 sqrt(B/m))
double cdg_rod_advise_by_bending(const cdg_rod *rod, char *reason); // a hundredth of it, within sensible bounds

// Squared frequency of the softer bending wave as long as the rod: a scale for eigenvalues, rad^2/s^2.
double cdg_rod_eigenvalue_scale(const cdg_rod *rod);

// rod_measure.c: as a share of B (turn - rest), the moment that follows from the energy 1/2 B (f(turn) - f(rest))^2,
// where f is 2 sin(turn/2) or 2 tan(turn/2). rad.
double cdg_sine_moment_error(double turn, double rest);
double cdg_tangent_moment_error(double turn, double rest);
double cdg_angle_moment_error(double turn, double rest);

// rod_model.c: the models, in the order of the list.
size_t cdg_rod_model_count(void);
const cdg_rod_model *cdg_rod_model_get(cdg_model model);

#endif
