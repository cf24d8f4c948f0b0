// What a page asks for: one parsed message, checked and bounded, before anything acts on it.
#ifndef CDG_VIEW_REQUEST_H
#define CDG_VIEW_REQUEST_H

#include <cordage/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CDG_REQUEST_BYTES_MAX = 64 * 1024,
    CDG_REQUEST_EDIT_BYTES_MAX = 1024 * 1024,
    CDG_HANDS_MAX = 16,
    CDG_REQUEST_STEPS_MAX = 10000
};

// X(enumerator, word)
#define CDG_REQUEST_LIST(X)                                                                                            \
    X(CDG_REQUEST_PLAY, "play")                                                                                        \
    X(CDG_REQUEST_PAUSE, "pause")                                                                                      \
    X(CDG_REQUEST_STEP, "step")                                                                                        \
    X(CDG_REQUEST_SPEED, "speed")                                                                                      \
    X(CDG_REQUEST_RESET, "reset")                                                                                      \
    X(CDG_REQUEST_UNDO, "undo")                                                                                        \
    X(CDG_REQUEST_SEEK, "seek")                                                                                        \
    X(CDG_REQUEST_GRAB, "grab")                                                                                        \
    X(CDG_REQUEST_MOVE, "move")                                                                                        \
    X(CDG_REQUEST_PIN, "pin")                                                                                          \
    X(CDG_REQUEST_RELEASE, "release")                                                                                  \
    X(CDG_REQUEST_CUT, "cut")                                                                                          \
    X(CDG_REQUEST_COLOR, "color")                                                                                      \
    X(CDG_REQUEST_ARROWS, "arrows")                                                                                    \
    X(CDG_REQUEST_CONTROL, "control")                                                                                  \
    X(CDG_REQUEST_EDIT, "edit")                                                                                        \
    X(CDG_REQUEST_RECORD, "record")                                                                                    \
    X(CDG_REQUEST_PICTURE, "picture")                                                                                  \
    X(CDG_REQUEST_FILM, "film")                                                                                        \
    X(CDG_REQUEST_ACK, "ack")

typedef enum cdg_request_kind {
#define CDG_REQUEST_ENUM(name, word) name,
    CDG_REQUEST_LIST(CDG_REQUEST_ENUM)
#undef CDG_REQUEST_ENUM
        CDG_REQUEST_KIND_COUNT
} cdg_request_kind;

typedef enum cdg_grab_object {
    CDG_GRAB_ROD,
    CDG_GRAB_BODY,
    CDG_GRAB_OBSTACLE,
    CDG_GRAB_SUPPORT,
    CDG_GRAB_SOLID
} cdg_grab_object;
typedef enum cdg_record_action { CDG_RECORD_START, CDG_RECORD_STOP, CDG_RECORD_SAVE } cdg_record_action;

typedef struct cdg_request_camera {
    bool is_set;
    cdg_vec3 eye, at, up;
    double fov; // rad
} cdg_request_camera;

enum { CDG_REQUEST_NORM = -1 }; // the length of a vector

// Only what the kind has is filled.
typedef struct cdg_request {
    cdg_request_kind kind;
    uint32_t hand;   // grab, move, pin, release: below CDG_HANDS_MAX
    uint32_t index;  // grab: of the object; cut: the rod; control; ack: the picture
    uint32_t count;  // step: 1 to CDG_REQUEST_STEPS_MAX
    double value;    // speed: above 0; seek: s; control
    double from, to; // film: s; to < from: all
    cdg_grab_object object;
    uint32_t element; // grab of a rod, cut
    double fraction;  // grab of a rod, cut: 0 to 1 on the element
    cdg_vec3 local;   // grab of a body or an obstacle: own axes
    cdg_vec3 point;   // grab, move: world axes, m
    double twist;     // move: rad
    bool has_twist;
    char field[32]; // color; "": none
    int component;  // color: from 0, or CDG_REQUEST_NORM
    bool is_on;     // arrows
    cdg_record_action action;
    cdg_request_camera camera; // picture, film
    char *text;                // edit: malloc'ed; the receiver frees it
} cdg_request;

// False: refused; `error` says why. Every number that comes out is finite and within the bounds above.
bool cdg_request_parse(const char *bytes, size_t size, cdg_request *out, cdg_error *error);

#endif
