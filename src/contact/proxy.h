// What an object shows to contact, whatever it is: points, and capsules between neighbouring ones (a chain) or
// triangles between any three (a surface), and one small table that says how the candidate is read, how it answers
// forces, and how it gets back what contact did. Contact knows nothing else of it.
#ifndef CDG_CONTACT_PROXY_H
#define CDG_CONTACT_PROXY_H

#include "math/outward_carry.h"

#include <cordage/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cdg_pieces;

// What contact will do to an object in the step: integrators that look back may have to know.
typedef enum cdg_contact_state {
    CDG_CONTACT_NONE,
    CDG_CONTACT_RESTS, // lies on something that does not yield
    CDG_CONTACT_STRIKES
} cdg_contact_state;

// Points from first to end - 1 and the segments between them, first to end - 2. Of a closed chain they may go on beyond
// the last, to point 0 again (number i means i modulo the count); end = first + point_count + 1 is all the way round,
// with every point and segment once.
typedef struct cdg_chain_range {
    size_t first, end;
} cdg_chain_range;

typedef struct cdg_proxy_operations {
    // State and candidate into the pieces' points and segments of object `index`, masses into `give` (pieces.h). Of a
    // surface's point k = point_of[first_node[index] + i]: start, free, next, velocity and base are set, give[k] grows
    // by its mass, held[k] is set where a support holds it.
    void (*read)(struct cdg_pieces *pieces, size_t index, double step);
    // What contact did into the candidate. Returns whether anything acted on the object. An explicit object's point
    // goes to free + give (force - loaded) and gains that move over the step in velocity; an implicit one was predicted
    // with the forces.
    bool (*give_back)(const struct cdg_pieces *pieces, size_t index, double step);
    // For objects with other constraints than contact: changes `next` and `free` alike, and the rest of the candidate,
    // so that these constraints hold. For each of its points, the pieces' `move` is the direction in which contact
    // holds the point back, times the root of the share that it takes. Returns whether anything had to move. NULL: none
    // exist.
    bool (*hold)(const struct cdg_pieces *pieces, size_t index, double step);
    // A force comes that was not there before: differences over two steps would answer it with a swing.
    void (*restart)(void *object);
    // Of objects that are solved as a whole: forces on points (N, world axes, one array a component) and torques about
    // segments (N m), of which those within `loaded` act, to moves (m) and turns (rad) of the candidate; `response` is
    // what its last prediction kept. Filled is the returned range, which holds `loaded`; elsewhere it moves by less
    // than about `cutoff` of the largest move (0: the range is the whole object).
    // `whole` is the proxy's. Where several objects are solved together, points and segments are numbered one object
    // after the other (first_in_whole), copies of one point move alike, and all is loaded and answers.
    // Of a surface all points are loaded and answer; torque and turn are not read, nor is the range.
    cdg_chain_range (*respond)(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                               const double *torque, double cutoff, double *const move[3], double *turn);
    // Of chains that are solved alone, the same for loads throughout `loaded` and moves there alone, but for parts in a
    // million: for solvers that ask hundreds of times. `lighten` readies the response; false: there is no such answer.
    // NULL: never.
    bool (*lighten)(const void *whole, void *response, cdg_chain_range loaded);
    void (*respond_lightly)(const void *whole, void *response, cdg_chain_range loaded, double *const force[3],
                            const double *torque, double *const move[3], double *turn);
    // Of open chains that are solved alone and answer symmetrically: what takes loads along them (outward_carry.h);
    // without records: there is no such answer. NULL: never.
    outward_chain (*outward)(const void *whole, const void *response);
} cdg_proxy_operations;

// A chain of capsules: segment j lies between points j and j + 1, that of a closed chain's last point goes to point 0.
// Or a surface: triangles between points, open or closed, with `thickness` on both sides; no inside is needed, because
// nothing ever passes. Its points are the vertices of the surface alone, whatever else the object has.
typedef struct cdg_proxy {
    void *object; // NULL: nobody is there
    const cdg_proxy_operations *operations;
    const char *name; // for messages
    size_t point_count, segment_count;
    size_t point_capacity, segment_capacity; // that the counts may come to (cdg_contacts_renumber); 0: they stay
    bool is_closed;
    double length;                                      // m, of a chain
    const double *rest_length;                          // m, segment_count
    const double *radius;                               // m, point_count, `radius_stride` apart, of a chain
    size_t radius_stride;                               // 0: all alike
    double *const *now, *const *next, *const *velocity; // m, m/s: three arrays each, wherever they are at the time
    // Of a surface; triangle_count 0: it is a chain. Triangles and `rest` are copied.
    const uint32_t (*triangles)[3]; // its points; contact finds the edges itself
    size_t triangle_count;
    double thickness;         // m: how far around it reaches, a twentieth of an edge, say; depths are relative to it
    bool passes_itself;       // its triangles do not touch each other
    const uint32_t *node;     // point_count: where its points are in the arrays above; NULL: at their own numbers
    const cdg_vec3 *rest;     // m, point_count: primitives that are near each other there never touch; NULL: `now`
    const double *compliance; // m/N, point_count, for implicit ones: how far, about, a force moves a point that acts on
                              // it alone, in the present prediction; NULL: contact asks `respond` for every contact
    bool is_implicit;         // it is solved as a whole and answers by `respond`; else points answer by their masses
    bool is_loaded;           // it is not, but is predicted with the forces that last from the step before
    bool is_loaded_slowly;    // and these come little by little (contact_lasting.h)
    bool is_fine;         // of a surface: it gains energy from gaps that are met less well than rounds can meet them
    size_t response_size; // bytes that `respond` needs, 64-byte aligned; 0: it is not solved as a whole
    // Objects that are solved together, as one: the first of them, and where in its numbering this one's points begin.
    uint32_t lead;
    size_t first_in_whole;
    const void *whole; // what is solved: the object itself, or what it is a part of
} cdg_proxy;

static inline size_t proxy_point_capacity(const cdg_proxy *proxy) {
    return proxy->point_capacity > proxy->point_count ? proxy->point_capacity : proxy->point_count;
}
static inline size_t proxy_segment_capacity(const cdg_proxy *proxy) {
    return proxy->segment_capacity > proxy->segment_count ? proxy->segment_capacity : proxy->segment_count;
}
static inline size_t proxy_next_point(const cdg_proxy *proxy, size_t segment) {
    return segment + 1 < proxy->point_count ? segment + 1 : 0;
}

// Points that are one: of joined objects. Members first .. first + count - 1.
typedef struct cdg_proxy_member {
    uint32_t object, point;
} cdg_proxy_member;
typedef struct cdg_proxy_joint {
    size_t first, count;
} cdg_proxy_joint;

static inline bool proxy_is_surface(const cdg_proxy *proxy) { return proxy->triangle_count > 0; }
// Where a point is in now, next and velocity.
static inline size_t proxy_node(const cdg_proxy *proxy, size_t point) {
    return proxy->node != NULL ? proxy->node[point] : point;
}

// All that is handed in: chains first, then surfaces. Either are counted apart where contacts name them (contacts.h),
// so that adding one leaves the numbers of the others alone.
typedef struct cdg_proxy_list {
    const cdg_proxy *proxies;
    size_t count;
    size_t surface_count; // of them, the last
    const cdg_proxy_joint *joints;
    size_t joint_count;
    const cdg_proxy_member *members;
} cdg_proxy_list;

#endif
