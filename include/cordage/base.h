// Result codes, vectors, quaternions and handles shared by every part of the public API.
#ifndef CORDAGE_BASE_H
#define CORDAGE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CDG_VERSION_MAJOR 0
#define CDG_VERSION_MINOR 1
#define CDG_VERSION_PATCH 0

// "0.1.0"
const char *cdg_version(void);

// Misuse is answered, not punished. Where a function needs something and is given NULL, or is given a number or a kind
// out of range, it does nothing and returns CDG_ERROR_ARGUMENT; a handle of nothing gives CDG_ERROR_STALE. The reason
// is a sentence in the cdg_error that was passed or, where there is none, in cdg_world_message; only functions that
// read a const world have no place for one. Functions that return a value and no code return zero, a null handle or "".
// NULL is fine for a cdg_error, for reports, for handles of what is added, and wherever a comment says so. What cannot
// be noticed is memory that is too short, was freed or never filled, and one world in two threads at a time.

// The one list of result codes: X(name, text).
#define CDG_RESULT_LIST(X)                                                                                             \
    X(CDG_OK, "done")                                                                                                  \
    X(CDG_ERROR_ARGUMENT, "an argument is not valid")                                                                  \
    X(CDG_ERROR_MEMORY, "out of memory")                                                                               \
    X(CDG_ERROR_STALE, "the handle names something that no longer exists")                                             \
    X(CDG_ERROR_UNSUPPORTED, "the chosen model cannot simulate this")                                                  \
    X(CDG_ERROR_SCENE, "the scene has errors")                                                                         \
    X(CDG_ERROR_NOT_FINITE, "the simulation produced a number that is not finite")                                     \
    X(CDG_ERROR_NO_CONVERGENCE, "an iteration did not converge")                                                       \
    X(CDG_ERROR_IO, "a file could not be read or written")                                                             \
    X(CDG_ERROR_FORMAT, "a file does not hold what it should")                                                         \
    X(CDG_ERROR_INTERRUPTED, "stopped on request")                                                                     \
    X(CDG_ERROR_ENERGY, "energy appeared that nobody put in")

typedef enum cdg_result {
#define CDG_RESULT_ENUM(name, text) name,
    CDG_RESULT_LIST(CDG_RESULT_ENUM)
#undef CDG_RESULT_ENUM
        CDG_RESULT_COUNT
} cdg_result;

// One sentence for a code; never NULL.
const char *cdg_result_text(cdg_result result);

// A result code with the sentence that explains this very case. Callers own it; functions that can fail fill it.
enum { CDG_MESSAGE_SIZE = 1024 };
typedef struct cdg_error {
    cdg_result code;
    char message[CDG_MESSAGE_SIZE];
} cdg_error;

typedef struct cdg_vec3 {
    double x, y, z;
} cdg_vec3;

// Rotation as a unit quaternion, scalar first. A frame's columns d1, d2, d3 are the rotated unit axes.
typedef struct cdg_quat {
    double w, x, y, z;
} cdg_quat;

// Handles: zero is null. A handle to something that was removed is noticed (CDG_ERROR_STALE), even when something else,
// which has another generation, has taken its slot.
typedef struct cdg_rod_id {
    uint32_t index1; // slot + 1; 0 is null
    uint32_t generation;
} cdg_rod_id;
typedef struct cdg_support_id {
    uint32_t index1;
    uint32_t generation;
} cdg_support_id;
typedef struct cdg_load_id {
    uint32_t index1;
    uint32_t generation;
} cdg_load_id;
typedef struct cdg_joint_id {
    uint32_t index1;
    uint32_t generation;
} cdg_joint_id;
typedef struct cdg_obstacle_id {
    uint32_t index1;
    uint32_t generation;
} cdg_obstacle_id;
typedef struct cdg_body_id {
    uint32_t index1;
    uint32_t generation;
} cdg_body_id;
typedef struct cdg_weld_id {
    uint32_t index1;
    uint32_t generation;
} cdg_weld_id;
typedef struct cdg_solid_id {
    uint32_t index1;
    uint32_t generation;
} cdg_solid_id;
typedef struct cdg_solid_support_id {
    uint32_t index1;
    uint32_t generation;
} cdg_solid_support_id;
typedef struct cdg_solid_load_id {
    uint32_t index1;
    uint32_t generation;
} cdg_solid_load_id;
typedef struct cdg_tie_id {
    uint32_t index1;
    uint32_t generation;
} cdg_tie_id;

#ifdef __cplusplus
}
#endif
#endif
