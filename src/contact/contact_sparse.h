// Forces of the contacts of many implicit surfaces: block Gauss-Seidel on the matrix between them.
//
// A force moves the two objects that it acts on and no others, so in a heap the matrix is sparse: a contact feels those
// on its own two objects. Each contact in turn takes the force that its laws demand while the others stay:
// a normal force that closes its gap, and friction that undoes its slip, within Coulomb's disk. The effect of a changed
// force is added to the gaps and slips of the contacts that feel it, so contacts that do not push cost nothing.
#ifndef CDG_CONTACT_CONTACT_SPARSE_H
#define CDG_CONTACT_CONTACT_SPARSE_H

#include "contact/contact_coupled.h"
#include "contact/coupling.h"

// Three columns, each what a force along an axis does to gap and slips; the fourth number of each is zero.
typedef double cdg_sparse_block[3][4];

// Keeps its memory from call to call. Zero is a good start.
typedef struct cdg_contact_sparse {
    size_t count;           // contacts
    size_t side_count;      // sides of contacts on what is solved as a whole, object by object
    cdg_listed_side *sides; // of contacts as they are listed
    uint32_t *order;        // by object: numbers of these
    uint32_t *first;        // of the sides of contact i by object: first[i] to first[i + 1] - 1 in `at`
    uint32_t *at;           // where in `order`
    uint32_t *group;        // of an index into `order`: where its object's sides begin
    uint32_t *group_end;    // ... and end
    size_t *block;          // of an index into `order`: where its blocks begin, one for each side of its object
    double (*gap)[4];       // of contacts: gap and slips by the forces as they are
    double (*own)[6];       // ... how its own force moves it: nn n1 n2 11 12 22
    size_t capacity, block_capacity;
    cdg_sparse_block *blocks;
    double *mixing; // forces before and after a sweep, and what mixing needs
} cdg_contact_sparse;

void cdg_contact_sparse_free(cdg_contact_sparse *sparse);

typedef enum cdg_sparse_outcome { CDG_SPARSE_OK, CDG_SPARSE_NONE, CDG_SPARSE_MEMORY } cdg_sparse_outcome;

// The matrix between the numbered rows, of which nothing answers but surfaces that are solved as a whole, each alone.
// CDG_SPARSE_NONE: it would be nearly full.
cdg_sparse_outcome cdg_contact_sparse_fill(cdg_contact_sparse *sparse, const cdg_coupling *coupling,
                                           const cdg_pieces *pieces, const struct cdg_contact_row *rows,
                                           const uint32_t *numbers, size_t count);
// Forces of the contacts, from those that they have, to which gaps and slips belong. Returns the number of sweeps, at
// most `most`. `is_good`: no contact moved by more than its tolerance in the last one.
int cdg_contact_sparse_solve(cdg_contact_sparse *sparse, cdg_coupled_contact *contacts, int most, bool *is_good);

#endif
