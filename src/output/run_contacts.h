// Contacts in a run file: how many at each output, and each one's place and force. A ragged field: those of an output
// are rows first to first + count - 1 of arrays that all outputs share.
#ifndef CDG_OUTPUT_RUN_CONTACTS_H
#define CDG_OUTPUT_RUN_CONTACTS_H

#include <cordage/contact.h>

// What a side of a contact may belong to: X(enumerator, word).
#define CDG_RUN_SIDE_LIST(X)                                                                                           \
    X(CDG_RUN_SIDE_ROD, "rod")                                                                                         \
    X(CDG_RUN_SIDE_OBSTACLE, "obstacle")                                                                               \
    X(CDG_RUN_SIDE_BODY, "body")                                                                                       \
    X(CDG_RUN_SIDE_SOLID, "solid")

typedef enum cdg_run_side_kind {
#define CDG_RUN_SIDE_ENUM(name, word) name,
    CDG_RUN_SIDE_LIST(CDG_RUN_SIDE_ENUM)
#undef CDG_RUN_SIDE_ENUM
        CDG_RUN_SIDE_COUNT
} cdg_run_side_kind;

// Datasets with a row for each contact: X(name, numbers, units, description).
#define CDG_RUN_CONTACT_LIST(X)                                                                                        \
    X(sides, 6, "1",                                                                                                   \
      "the two sides, each: kind (0 rod, 1 obstacle, 2 body, 3 solid), its number in the run from 0, its element, or " \
      "the triangle of a solid's surface (0 for others)")                                                              \
    X(parameters, 2, "1", "where on the element, from 0 to 1, of both sides; 0 unless rods")                           \
    X(position, 3, "m", "on the surface of the first side, world axes")                                                \
    X(normal, 3, "1", "unit vector from the second side to the first, world axes")                                     \
    X(force, 3, "N", "on the first side; the second feels the opposite")                                               \
    X(gap, 1, "m", "distance of the surfaces; negative: penetration")

typedef struct cdg_run_contact_side {
    cdg_run_side_kind kind;
    size_t object;    // its number in the run
    size_t element;   // of rods; of solids the triangle
    double parameter; // on the element of a rod, 0 to 1
} cdg_run_contact_side;

typedef struct cdg_run_contact {
    cdg_run_contact_side sides[2];
    cdg_vec3 position, normal, force; // m, 1, N: on the first side
    double gap;                       // m
} cdg_run_contact;

// Byte offsets in the file; `room` contacts fit into the arrays.
typedef struct cdg_run_contacts {
    bool is_there;   // there is contact: the group `contacts`
    bool has_places; // and each contact's row; files of format 1 have counts alone
    size_t room;
    uint64_t count, deepest, first; // each output
#define CDG_RUN_MEMBER(name, numbers, units, text) uint64_t name;
    CDG_RUN_CONTACT_LIST(CDG_RUN_MEMBER)
#undef CDG_RUN_MEMBER
} cdg_run_contacts;

// Numbers (8 bytes) of a contact's rows.
size_t cdg_run_contact_numbers(void);

// The first `count` contacts of the world's last step. Objects are numbered as the run file numbers them.
cdg_result cdg_run_contacts_list(const cdg_world *world, cdg_run_contact *out, size_t count);

// Writes contacts to rows from `first` on, and that output's count and first row. `room` must suffice.
cdg_result cdg_run_contacts_write_frame(const cdg_run_contacts *contacts, size_t frame, size_t first,
                                        const cdg_run_contact *list, size_t count, double deepest, int descriptor,
                                        const char *path, cdg_error *error);
// The rows of an output.
cdg_result cdg_run_contacts_range(const cdg_run_contacts *contacts, size_t frame, int descriptor, const char *path,
                                  size_t *first, size_t *count, cdg_error *error);
cdg_result cdg_run_contacts_read(const cdg_run_contacts *contacts, size_t first, size_t count, int descriptor,
                                 const char *path, cdg_run_contact *out, cdg_error *error);

#endif
