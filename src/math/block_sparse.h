// Direct solution of symmetric sparse systems whose unknowns come in blocks of four, by L D L^T. An elimination order
// that keeps fill low is found once for a pattern (minimum degree); for chains that meet in few places it makes next to
// none, so time and memory are linear in the blocks then. There is no exchange of rows, so an indefinite matrix is
// factored, too, and the signs of D tell how many eigenvalues are negative (Sylvester).
#ifndef CDG_MATH_BLOCK_SPARSE_H
#define CDG_MATH_BLOCK_SPARSE_H

#include <stdbool.h>
#include <stddef.h>

enum { BLOCK_SIZE = 4, BLOCK_DOUBLES = 16 };

typedef struct block_pair {
    size_t a, b;
} block_pair;

// Which blocks L has. Columns and rows are in the order of elimination.
typedef struct block_pattern {
    size_t count, entry_count;
    size_t *position; // count: where a block comes in that order
    size_t *first;    // count + 1: entries of a column, below its diagonal
    size_t *row;      // entry_count, ascending in a column
} block_pattern;

// For `count` blocks of which those in pairs are coupled; pairs may repeat. NULL: no memory.
block_pattern *block_pattern_find(size_t count, const block_pair *pairs, size_t pair_count);
void block_pattern_free(block_pattern *pattern); // NULL is fine

// A pattern that is made again and again, in an order that is given, in memory that is reserved once.
typedef struct block_planner block_planner;
// For at most so many blocks, pairs, and entries of L. NULL: no memory.
block_planner *block_planner_make(size_t count, size_t pair_count, size_t entry_count);
void block_planner_free(block_planner *planner); // NULL is fine
// position: where each block comes. The result is valid until the next call; NULL: more entries than were reserved.
const block_pattern *block_planner_order(block_planner *planner, size_t count, const size_t *position,
                                         const block_pair *pairs, size_t pair_count);

// A matrix, and after block_factor its factors in the same place.
typedef struct block_matrix {
    const block_pattern *pattern;
    double *diagonal; // BLOCK_DOUBLES * count, row by row
    double *below;    // BLOCK_DOUBLES * entry_count
    size_t negative_count;
    bool is_broken; // a pivot was zero or not a number: the factors are of no use
} block_matrix;

size_t block_matrix_doubles(const block_pattern *pattern);
void block_matrix_place(block_matrix *matrix, const block_pattern *pattern, double *memory);
void block_clear(block_matrix *matrix);
// Adds values to the rows of block a and the columns of block b, and mirrored to those of b and a. a == b: values must
// be symmetric and are added once. The two must be a pair of the pattern.
void block_add(block_matrix *matrix, size_t a, size_t b, const double values[BLOCK_DOUBLES]);
void block_factor(block_matrix *matrix);
// In place: right sides of the blocks in their own numbering, 4 * count. `spare` has room for as many.
void block_solve(const block_matrix *matrix, double *right, double *spare);
// What units on the right side of one block make: column k of the inverse is in `out`, of block b in the number
// BLOCK_DOUBLES position[b] + 4 l + k for its unknown l. Quicker than four solutions: what is zero is left out.
void block_solve_units(const block_matrix *matrix, size_t block, double *out);

#define BLOCK_DECLARE(suffix)                                                                                          \
    void block_factor##suffix(block_matrix *matrix);                                                                   \
    void block_solve##suffix(const block_matrix *matrix, double *right, double *spare);                                \
    void block_solve_units##suffix(const block_matrix *matrix, size_t block, double *out);
BLOCK_DECLARE(_base)
BLOCK_DECLARE(_avx2)
BLOCK_DECLARE(_avx512)
#undef BLOCK_DECLARE

#endif
