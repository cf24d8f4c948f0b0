// What is there to be sent: one newest message of each kind, and the last few events. Written by the simulation, read
// by the server for each of its clients. Newer messages take the place of older ones, so nothing grows however slow a
// client is.
#ifndef CDG_VIEW_BOARD_H
#define CDG_VIEW_BOARD_H

#include "output/json.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CDG_MESSAGE_FRONT = 64,     // free bytes before a message, for the frame's header
    CDG_BOARD_EVENTS = 64,      // a client that is slower than that misses some
    CDG_PICTURES_IN_FLIGHT = 2, // sent and not acknowledged
};

// Kinds in the order in which a client gets them: X(enumerator).
#define CDG_SLOT_LIST(X)                                                                                               \
    X(CDG_SLOT_HELLO)                                                                                                  \
    X(CDG_SLOT_TEXT)                                                                                                   \
    X(CDG_SLOT_WORLD)                                                                                                  \
    X(CDG_SLOT_CONTROLS)                                                                                               \
    X(CDG_SLOT_PROBES)                                                                                                 \
    X(CDG_SLOT_STATUS)                                                                                                 \
    X(CDG_SLOT_SAMPLE)                                                                                                 \
    X(CDG_SLOT_PICTURE)

typedef enum cdg_slot {
#define CDG_SLOT_ENUM(name) name,
    CDG_SLOT_LIST(CDG_SLOT_ENUM)
#undef CDG_SLOT_ENUM
        CDG_SLOT_COUNT
} cdg_slot;

// Shared by all who hold it; freed by the last.
typedef struct cdg_message {
    atomic_int holders;
    bool is_binary;
    uint32_t index; // of a picture
    size_t size;
    unsigned char bytes[]; // CDG_MESSAGE_FRONT free ones, then the message
} cdg_message;

cdg_message *cdg_message_create(const void *bytes, size_t size,
                                bool is_binary); // NULL bytes: not filled; NULL: no memory
static inline unsigned char *cdg_message_body(cdg_message *message) { return message->bytes + CDG_MESSAGE_FRONT; }
void cdg_message_release(cdg_message *message); // NULL is fine

typedef struct cdg_board {
    pthread_mutex_t lock;
    cdg_message *slots[CDG_SLOT_COUNT];
    uint64_t serials[CDG_SLOT_COUNT]; // 0: empty
    cdg_message *events[CDG_BOARD_EVENTS];
    uint64_t event_count;     // ever
    void (*wake)(void *user); // somebody may have something to read; called from the writer's thread; may be NULL
    void *user;
} cdg_board;

void cdg_board_init(cdg_board *board);
void cdg_board_free(cdg_board *board);
void cdg_board_set_wake(cdg_board *board, void (*wake)(void *user), void *user);
// Both take the message over; NULL (no memory) is left out.
void cdg_board_put(cdg_board *board, cdg_slot slot, cdg_message *message);
void cdg_board_tell(cdg_board *board, cdg_message *event);
void cdg_board_put_json(cdg_board *board, cdg_slot slot, cdg_json *json); // finishes and frees the text

// How far one client has read.
typedef struct cdg_board_reader {
    uint64_t seen[CDG_SLOT_COUNT];
    uint64_t events_seen;
    uint32_t in_flight[CDG_PICTURES_IN_FLIGHT];
    size_t in_flight_count;
} cdg_board_reader;

void cdg_board_reader_init(cdg_board *board, cdg_board_reader *reader); // events of the past are not for it
// The next message for this client, which the caller releases; NULL: none at present.
cdg_message *cdg_board_next(cdg_board *board, cdg_board_reader *reader);
bool cdg_board_has_next(cdg_board *board, const cdg_board_reader *reader);
// This picture, and all before it, have been drawn.
void cdg_board_acknowledge(cdg_board_reader *reader, uint32_t index);

#endif
