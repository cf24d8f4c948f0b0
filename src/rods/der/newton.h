// Newton's method on a der_chain, with a line search on its value.
#ifndef CDG_RODS_DER_NEWTON_H
#define CDG_RODS_DER_NEWTON_H

#include "rods/der/chain.h"

enum { DER_HISTORY = 12, DER_SKEW_VECTORS = 8 };

typedef struct der_history { // the first iterations and the last, for messages
    int count;
    double correction[DER_HISTORY]; // m; iteration i at [i % DER_HISTORY]
} der_history;

typedef struct der_outcome {
    int iterations;
    double correction; // m, largest move of a node in the last iteration
    der_history history;
    size_t failed; // the chain that it failed at
} der_outcome;

typedef struct der_workspace {
    strip matrix;
    double *solution; // 4 * strip nodes
    double border[STRIP_BORDER];
    double *start[3]; // m: nodes before the first iteration
    double *turn;     // rad: of the frames in this iteration
    // DER_SKEW_VECTORS * 4 * strip nodes: torques on up to four elements of an open rod are then followed exactly.
    // NULL, as der_workspace_place leaves it: by the symmetric half of their derivative.
    double *skew;
} der_workspace;

// Doubles of a workspace for a rod, and laying it out in aligned memory. The matrix has room for one node more.
size_t der_workspace_doubles(size_t node_count, bool is_closed);
void der_workspace_place(der_workspace *work, double *memory, size_t node_count, bool is_closed);

// Changes of node and angle in the solution.
static inline double *der_solution_at(const der_chain *chain, der_workspace *work, size_t node) {
    if (!chain->is_closed) return work->solution + 4 * node;
    return node < 2 ? work->border + 4 * node : work->solution + 4 * (node - 2);
}
static inline const double *der_solution(const der_chain *chain, const der_workspace *work, size_t node) {
    if (!chain->is_closed) return work->solution + 4 * node;
    return node < 2 ? work->border + 4 * node : work->solution + 4 * (node - 2);
}

// The largest move of a node and the largest turn of an edge or angle that the solution asks for. False: not finite.
bool der_solution_size(const der_chain *chain, const der_workspace *work, double *move, double *turn);
// x += factor * solution, theta likewise; frames follow. False when an edge collapses (*element).
bool der_advance(const der_chain *chain, const der_workspace *work, double factor, size_t *element);

// Puts into the chain what the linear step makes of the tension (der_chain_settle_tension tells why).
void der_predict_tension(const der_chain *chain, const der_workspace *work);

void der_history_add(der_history *history, double correction);
// "1e-3, 4e-7, ..." into out.
void der_history_print(const der_history *history, char *out, size_t size);

// One chain, or several that are coupled (der/net_system.h).
struct der_net_system;
typedef struct der_system {
    const der_chain *chains;
    der_workspace *works;
    size_t count;
    struct der_net_system *net; // NULL: one chain, alone
} der_system;

// As below. On failure outcome->failed is the chain to name.
cdg_result der_newton_system(const der_system *system, int iterations, double tolerance, der_outcome *outcome,
                             cdg_error *error);

// From the unknowns as they are, at most `iterations`, until the next correction is expected below tolerance (m).
cdg_result der_newton(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                      der_outcome *outcome, cdg_error *error);
// The same where a first correction that is small is good enough: who calls looks at the forces himself, and goes on.
cdg_result der_newton_static(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                             der_outcome *outcome, cdg_error *error);
// The same from unknowns that are near the solution, frames in place (der_chain_resume). False: not found; the unknowns
// are of no use then.
bool der_newton_from_near(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                          der_outcome *outcome);

#endif
