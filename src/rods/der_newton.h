// Newton's method on a der_chain, with a line search on its value.
#ifndef CDG_RODS_DER_NEWTON_H
#define CDG_RODS_DER_NEWTON_H

#include "rods/der_chain.h"

enum { DER_HISTORY = 12 };

typedef struct der_history { // the first iterations and the last, for messages
    int count;
    double correction[DER_HISTORY]; // m; iteration i at [i % DER_HISTORY]
} der_history;

typedef struct der_outcome {
    int iterations;
    double correction; // m, largest move of a node in the last iteration
    der_history history;
} der_outcome;

typedef struct der_workspace {
    strip matrix;
    double *solution; // 4 * strip nodes
    double border[STRIP_BORDER];
    double *start[3]; // m: nodes before the first iteration
    double *turn;     // rad: of the frames in this iteration
} der_workspace;

// Doubles of a workspace for a rod, and laying it out in aligned memory.
size_t der_workspace_doubles(size_t node_count, bool is_closed);
void der_workspace_place(der_workspace *work, double *memory, size_t node_count, bool is_closed);

// Changes of node and angle in the solution.
static inline const double *der_solution(const der_chain *chain, const der_workspace *work, size_t node) {
    if (!chain->is_closed) return work->solution + 4 * node;
    return node < 2 ? work->border + 4 * node : work->solution + 4 * (node - 2);
}

// The largest move of a node and the largest turn of an edge or angle that the solution asks for. False: not finite.
bool der_solution_size(const der_chain *chain, const der_workspace *work, double *move, double *turn);
// x += factor * solution, theta likewise; frames follow. False when an edge collapses (*element).
bool der_advance(const der_chain *chain, const der_workspace *work, double factor, size_t *element);

void der_history_add(der_history *history, double correction);
// "1e-3, 4e-7, ..." into out.
void der_history_print(const der_history *history, char *out, size_t size);

// From the unknowns as they are, at most `iterations`, until the next correction is expected below tolerance (m).
cdg_result der_newton(const der_chain *chain, der_workspace *work, int iterations, double tolerance,
                      der_outcome *outcome, cdg_error *error);

#endif
