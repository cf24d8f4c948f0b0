// The dense matrix between contacts that touch, where all that gives way is open chains that answer symmetrically and
// are solved alone (proxy.h: outward): sides of contacts are put in order along their chains, and forces on them are
// carried along all at once; each side is asked what it feels of those before it. That takes a thirtieth of the time of
// finding column after column (contact_matrix.h).
#ifndef CDG_CONTACT_CONTACT_CHAIN_MATRIX_H
#define CDG_CONTACT_CONTACT_CHAIN_MATRIX_H

#include "contact/contact_coupled.h"
#include "contact/coupling.h"

// Zero is a good start.
typedef struct cdg_chain_matrix {
    cdg_listed_side *sides; // 2 CDG_COUPLED_CONTACTS_MAX, in order along chains
    double *memory;         // for what is carried along a chain, what a side feels, and how far each reached at first
} cdg_chain_matrix;

typedef enum cdg_chain_matrix_outcome {
    CDG_CHAIN_MATRIX_OK,
    CDG_CHAIN_MATRIX_NONE,
    CDG_CHAIN_MATRIX_MEMORY
} cdg_chain_matrix_outcome;

// Puts what is between the numbered rows, CDG_COUPLED_CONTACTS_MAX at most, into `out`, 3 count x 3 count by rows;
// above the blocks of the diagonal nothing is written. CDG_CHAIN_MATRIX_NONE: something else gives way.
cdg_chain_matrix_outcome cdg_chain_matrix_fill(cdg_chain_matrix *matrix, const cdg_coupling *coupling,
                                               const cdg_pieces *pieces, const struct cdg_contact_row *rows,
                                               const uint32_t *numbers, size_t count, double *out);
void cdg_chain_matrix_free(cdg_chain_matrix *matrix);

#endif
