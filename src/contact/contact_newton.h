// Normal forces of many contacts that implicit rods couple, by Newton's method with a sparse matrix.
//
// Gaps are u = u_0 + A f, and either f = 0 and u >= 0, or f > 0 and u = 0. What a normal force does dies away along a
// rod after some elements, so A is sparse. Contacts that push, or would, are active; their forces are those that close
// their gaps, found by a sparse Cholesky factor; with these forces others are active, and so on. A few iterations
// suffice, because this is Newton's method (Hintermueller, Ito and Kunisch 2003). Neighbouring contacts share forces in
// many ways, so A is nearly singular: a small share of the compliance holds forces to where they were (the proximal
// point method), and what is left is the next call's, which starts from gaps that are true.
#ifndef CDG_CONTACT_CONTACT_NEWTON_H
#define CDG_CONTACT_CONTACT_NEWTON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// A by columns, of which only those of contacts that were ever active are there.
typedef struct cdg_newton_matrix {
    size_t count, capacity, entry_count, entry_capacity;
    size_t (*range)
        [3]; // of each column: where its entries begin (SIZE_MAX: it is not there), those below the diagonal, end
    uint32_t *row;
    double *value; // m/N
    // working memory: entries between active contacts, and the factor
    uint32_t *near_index;
    double *near_value, *factor;
    size_t factor_capacity;
} cdg_newton_matrix;

// A matrix of `count` contacts without columns. False: no memory.
bool cdg_newton_matrix_start(cdg_newton_matrix *matrix, size_t count);
// A column, whose rows are those listed; values are by row. False: no memory.
bool cdg_newton_matrix_add(cdg_newton_matrix *matrix, size_t column, const uint32_t *rows, const double *values,
                           size_t row_count);
void cdg_newton_matrix_free(cdg_newton_matrix *matrix);

typedef struct cdg_newton_problem {
    cdg_newton_matrix *matrix;
    bool (*add_column)(void *user, uint32_t column); // to the matrix. False: no memory
    void *user;
    const double *gap;        // m, with the forces to start from
    const double *compliance; // m/N, above 0: the diagonal
    const double *tolerance;  // m
    double held;              // the share of the compliance that holds forces
    double *force;            // N, to start from, replaced
} cdg_newton_problem;

typedef enum cdg_newton_outcome { CDG_NEWTON_OK, CDG_NEWTON_LARGE, CDG_NEWTON_MEMORY } cdg_newton_outcome;

// Doubles of scratch memory that `count` contacts need; besides, it needs 2 `count` numbers.
size_t cdg_newton_scratch(size_t count);

// Replaces the forces. CDG_NEWTON_LARGE: contacts are coupled too widely for this to be fast, forces are left.
cdg_newton_outcome cdg_newton_solve(const cdg_newton_problem *problem, double *scratch, uint32_t *numbers, int *turns);

#endif
