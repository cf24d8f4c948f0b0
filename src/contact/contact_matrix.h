// The dense matrix between contacts that touch: what a force on one does to gaps and slips of the others. Within a
// solve contacts come and go while rows stay what they are, so what is known of the matrix is kept, and only columns of
// contacts that are new are found: each is a response of whole rods.
#ifndef CDG_CONTACT_CONTACT_MATRIX_H
#define CDG_CONTACT_CONTACT_MATRIX_H

#include "contact/contact_coupled.h"
#include "contact/coupling.h"

// Zero is a good start.
typedef struct cdg_contact_matrix {
    size_t count;                           // rows that are known
    uint32_t row[CDG_COUPLED_CONTACTS_MAX]; // their numbers
    double *value;                          // of each three columns, with those known before it and with itself, m/N
} cdg_contact_matrix;

// Nothing is known any more: rows have changed.
static inline void contact_matrix_forget(cdg_contact_matrix *matrix) { matrix->count = 0; }
// Puts what is between the numbered rows, CDG_COUPLED_CONTACTS_MAX at most, into `out`, 3 count x 3 count by rows.
// Above the blocks of the diagonal nothing is written. False: no memory.
bool cdg_contact_matrix_fill(cdg_contact_matrix *matrix, const cdg_coupling *coupling, const cdg_pieces *pieces,
                             const struct cdg_contact_row *rows, const uint32_t *numbers, size_t count, double *out);
void cdg_contact_matrix_free(cdg_contact_matrix *matrix);

#endif
