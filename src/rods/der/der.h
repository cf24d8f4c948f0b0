// The der rod model: discrete elastic rods (Bergou et al. 2008; frames transported parallel in time as in Bergou et al.
// 2010), implicit or explicit, and what its files share.
#ifndef CDG_RODS_DER_H
#define CDG_RODS_DER_H

#include "rods/der/newton.h"
#include "rods/der/options.h"
#include "rods/rod_model.h"

extern const cdg_rod_model cdg_der_model;

static inline bool der_is_explicit(const cdg_rod *rod) { return der_options(rod)->integrator == CDG_DER_EXPLICIT; }
static inline bool der_is_quasistatic(const cdg_rod *rod) {
    return der_options(rod)->twist == CDG_DER_TWIST_QUASISTATIC ||
           (der_options(rod)->twist == CDG_DER_TWIST_AUTO && der_is_explicit(rod));
}
static inline bool der_is_damped(const cdg_rod *rod) {
    return rod->damping_time[1] > 0 || rod->damping_time[2] > 0 || rod->damping_time[3] > 0;
}

// How a step weighs the past: rate = (y_next - y_hat)/h with y_hat = y + history (y - y_before); likewise for the
// rates. Implicit Euler has h = step and history 0, BDF2 h = 2/3 step and history 1/3. An equilibrium has h = 0;
// `pull`, times the masses, then draws to the state as it is.
typedef struct der_scheme {
    double step, h, history; // s, s, 1
    double pull;             // 1/s^2
    bool is_explicit;        // there is no inertia in the chain: neither weights nor targets
} der_scheme;

der_scheme der_choose_scheme(const cdg_rod *rod, double step);

// der/setup.c ---------------------------------------------------------------------------------------------------------
// Spring constants of a node's cell or a part of it `length` long.
der_material der_material_of(const cdg_rod *rod, size_t node, double length, cdg_vec3 rest);
// Rest strains over the half cell between a node and an element beside it.
cdg_vec3 der_half_rest(const cdg_rod *rod, size_t node, size_t element);
// The springs of held sections, without damping; returns how many (at most two a hold).
size_t der_list_anchors(const cdg_rod *rod, der_anchor *anchors);

size_t der_setup_bytes(const cdg_rod *rod); // memory for the below
// The chain of a rod's candidate x_next, q_next, twist_next about its state, in `memory` (64-byte aligned). Sets
// neither unknowns nor q_next. Returns what follows the memory used.
char *der_setup(const cdg_rod *rod, der_scheme scheme, const cdg_rod_loads *loads, char *memory, der_chain *out);
// The same chain with springs that resist being turned within `step`, in memory of its own.
size_t der_damped_bytes(const cdg_rod *rod);
char *der_damp_chain(const cdg_rod *rod, double step, const der_chain *elastic, char *memory, der_chain *out);
// The force on a node that its motion asks for and nothing in the rod or its loads gives, N.
cdg_vec3 der_missing_force(const cdg_rod *rod, const der_chain *chain, der_scheme scheme, const cdg_rod_loads *loads,
                           size_t node);
// What the holds exert, from the candidate.
void der_set_reactions(cdg_rod *rod, const der_chain *chain, der_scheme scheme, const cdg_rod_loads *loads);

// der/implicit.c, der/explicit.c --------------------------------------------------------------------------------------
size_t der_implicit_scratch(const cdg_rod *rod);
cdg_result der_implicit_predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                                cdg_rod_step_result *result, cdg_error *error);

// Puts the chain, which is set up, where the candidate in x_next, q_next and w_next is. False: there is none.
bool der_implicit_resume(const cdg_rod *rod, der_scheme scheme, const der_chain *chain, const der_workspace *work);
// Velocities from the candidate's positions.
cdg_result der_implicit_finish(cdg_rod *rod, const der_chain *chain, der_scheme scheme, cdg_error *error);

size_t der_explicit_scratch(const cdg_rod *rod);
cdg_result der_explicit_predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                                cdg_rod_step_result *result, cdg_error *error);

// der/response.c (rod_model.h: response; size 0 when explicit) --------------------------------------------------------
size_t der_response_size(const cdg_rod *rod);
cdg_result der_keep_response(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch, void *response,
                             cdg_error *error);
cdg_rod_range der_response(const cdg_rod *rod, const void *response, cdg_rod_range loaded, double *const force[3],
                           const double *torque, double cutoff, double *const move[3], double *turn);
bool der_lighten(const cdg_rod *rod, void *response, cdg_rod_range loaded); // false for closed rods
void der_respond_lightly(const cdg_rod *rod, void *response, cdg_rod_range loaded, double *const force[3],
                         const double *torque, double *const move[3], double *turn);
outward_chain der_outward(const cdg_rod *rod, const void *response); // none for closed rods

// der/measure.c -------------------------------------------------------------------------------------------------------
double der_moment_error(const cdg_rod *rod, cdg_quat turn, cdg_quat rest);
void der_measure_element(const cdg_rod *rod, size_t element, cdg_element_measure *out);

// Memory of `count` doubles, or of bytes, from a block, 64-byte aligned.
static inline size_t der_bytes(size_t bytes) { return (bytes + 63) / 64 * 64; }
static inline double *der_take(char **next, size_t count) {
    double *block = (double *)(void *)*next;
    *next += der_bytes(count * sizeof(double));
    return block;
}

#endif
