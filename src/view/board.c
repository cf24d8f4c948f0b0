// What is there to be sent, with the newest of each kind in the place of the one before.
#include "view/board.h"

#include <stdlib.h>
#include <string.h>

// ---- messages -------------------------------------------------------------------------------------------------------

cdg_message *cdg_message_create(const void *bytes, size_t size, bool is_binary) {
    cdg_message *message = malloc(sizeof *message + CDG_MESSAGE_FRONT + size);
    if (message == NULL) return NULL;
    atomic_init(&message->holders, 1);
    message->is_binary = is_binary;
    message->index = 0;
    message->size = size;
    if (bytes != NULL) memcpy(cdg_message_body(message), bytes, size);
    return message;
}

void cdg_message_release(cdg_message *message) {
    if (message != NULL && atomic_fetch_sub(&message->holders, 1) == 1) free(message);
}

static cdg_message *hold(cdg_message *message) {
    atomic_fetch_add(&message->holders, 1);
    return message;
}

// ---- board ----------------------------------------------------------------------------------------------------------

void cdg_board_init(cdg_board *board) {
    memset(board, 0, sizeof *board);
    pthread_mutex_init(&board->lock, NULL);
}

void cdg_board_free(cdg_board *board) {
    for (size_t i = 0; i < CDG_SLOT_COUNT; i++) cdg_message_release(board->slots[i]);
    for (size_t i = 0; i < CDG_BOARD_EVENTS; i++) cdg_message_release(board->events[i]);
    pthread_mutex_destroy(&board->lock);
}

void cdg_board_set_wake(cdg_board *board, void (*wake)(void *user), void *user) {
    pthread_mutex_lock(&board->lock);
    board->wake = wake;
    board->user = user;
    pthread_mutex_unlock(&board->lock);
}

// Called with the lock held, so that nobody takes the one who is to be woken away meanwhile.
static void wake(const cdg_board *board) {
    if (board->wake != NULL) board->wake(board->user);
}

void cdg_board_put(cdg_board *board, cdg_slot slot, cdg_message *message) {
    if (message == NULL) return;
    pthread_mutex_lock(&board->lock);
    cdg_message *before = board->slots[slot];
    board->slots[slot] = message;
    board->serials[slot]++;
    wake(board);
    pthread_mutex_unlock(&board->lock);
    cdg_message_release(before);
}

void cdg_board_put_json(cdg_board *board, cdg_slot slot, cdg_json *json) {
    const char *text = cdg_json_finish(json);
    if (text != NULL) cdg_board_put(board, slot, cdg_message_create(text, json->size, false));
    cdg_json_free(json);
}

void cdg_board_tell(cdg_board *board, cdg_message *event) {
    if (event == NULL) return;
    pthread_mutex_lock(&board->lock);
    cdg_message **slot = &board->events[board->event_count++ % CDG_BOARD_EVENTS], *before = *slot;
    *slot = event;
    wake(board);
    pthread_mutex_unlock(&board->lock);
    cdg_message_release(before);
}

// ---- readers --------------------------------------------------------------------------------------------------------

void cdg_board_reader_init(cdg_board *board, cdg_board_reader *reader) {
    memset(reader, 0, sizeof *reader);
    pthread_mutex_lock(&board->lock);
    reader->events_seen = board->event_count;
    pthread_mutex_unlock(&board->lock);
}

// The slot whose message is next; CDG_SLOT_COUNT: none. Events come after what stands for long, before what passes.
static cdg_slot next_slot(const cdg_board *board, const cdg_board_reader *reader, cdg_slot from, cdg_slot to) {
    for (cdg_slot slot = from; slot < to; slot++) {
        bool must_wait = slot == CDG_SLOT_PICTURE && reader->in_flight_count >= CDG_PICTURES_IN_FLIGHT;
        if (board->serials[slot] != reader->seen[slot] && !must_wait) return slot;
    }
    return CDG_SLOT_COUNT;
}

static cdg_message *take_slot(cdg_board *board, cdg_board_reader *reader, cdg_slot slot) {
    reader->seen[slot] = board->serials[slot];
    if (slot == CDG_SLOT_PICTURE) reader->in_flight[reader->in_flight_count++] = board->slots[slot]->index;
    return hold(board->slots[slot]);
}

static cdg_message *take_event(cdg_board *board, cdg_board_reader *reader) {
    if (board->event_count - reader->events_seen > CDG_BOARD_EVENTS)
        reader->events_seen = board->event_count - CDG_BOARD_EVENTS;
    return hold(board->events[reader->events_seen++ % CDG_BOARD_EVENTS]);
}

cdg_message *cdg_board_next(cdg_board *board, cdg_board_reader *reader) {
    cdg_message *message = NULL;
    pthread_mutex_lock(&board->lock);
    cdg_slot slot = next_slot(board, reader, CDG_SLOT_HELLO, CDG_SLOT_STATUS);
    if (slot == CDG_SLOT_COUNT && reader->events_seen != board->event_count) {
        message = take_event(board, reader);
    } else {
        if (slot == CDG_SLOT_COUNT) slot = next_slot(board, reader, CDG_SLOT_STATUS, CDG_SLOT_COUNT);
        if (slot != CDG_SLOT_COUNT) message = take_slot(board, reader, slot);
    }
    pthread_mutex_unlock(&board->lock);
    return message;
}

bool cdg_board_has_next(cdg_board *board, const cdg_board_reader *reader) {
    pthread_mutex_lock(&board->lock);
    bool has_next = reader->events_seen != board->event_count ||
                    next_slot(board, reader, CDG_SLOT_HELLO, CDG_SLOT_COUNT) != CDG_SLOT_COUNT;
    pthread_mutex_unlock(&board->lock);
    return has_next;
}

void cdg_board_acknowledge(cdg_board_reader *reader, uint32_t index) {
    size_t kept = 0;
    for (size_t i = 0; i < reader->in_flight_count; i++) {
        bool is_later = (int32_t)(reader->in_flight[i] - index) > 0; // counts may wrap around
        if (is_later) reader->in_flight[kept++] = reader->in_flight[i];
    }
    reader->in_flight_count = kept;
}
