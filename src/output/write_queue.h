// Writing beside computing: what goes into a file is handed over in buffers, which a thread of its own writes, in the
// order in which they come. What may wait is bounded: whoever takes a buffer waits for one.
#ifndef CDG_OUTPUT_WRITE_QUEUE_H
#define CDG_OUTPUT_WRITE_QUEUE_H

#include <cordage/base.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct cdg_write_queue cdg_write_queue;

// Bytes, and where they go.
typedef struct cdg_write_piece {
    const void *data;
    size_t size;
    uint64_t offset;
} cdg_write_piece;
enum { CDG_WRITE_PIECES_MAX = 32 };

// `path` stands in messages. NULL: no memory, or no thread; then write without one.
cdg_write_queue *cdg_write_queue_create(const char *path, size_t buffer_bytes, size_t buffer_count);
// Writes all that waits, unless something failed before, and ends the thread. NULL is allowed.
void cdg_write_queue_destroy(cdg_write_queue *queue);

// A buffer of buffer_bytes, which the next put hands over; waits until there is one. NULL: no memory.
void *cdg_write_queue_take(cdg_write_queue *queue);
// Has pieces written. Their data lie in `buffer`, which is the queue's again; NULL: they are the caller's, and stay as
// they are until this ticket is done. Returns the ticket.
uint64_t cdg_write_queue_put(cdg_write_queue *queue, int descriptor, void *buffer, const cdg_write_piece *pieces,
                             size_t count);
void cdg_write_queue_put_number(cdg_write_queue *queue, int descriptor, double number, uint64_t offset);
// Has room asked for where pieces will be written; their data are NULL.
void cdg_write_queue_put_room(cdg_write_queue *queue, int descriptor, const cdg_write_piece *pieces, size_t count);
void cdg_write_queue_put_sync(cdg_write_queue *queue, int descriptor); // waits until all so far is on the device

// Waits until all up to a ticket is written; UINT64_MAX: all. Returns the first failure that there was: nothing is
// written after it, lest a part of the file that counts on another is there without it.
cdg_result cdg_write_queue_wait(cdg_write_queue *queue, uint64_t ticket, cdg_error *error);
// Seconds that a job without a buffer took to write, the last of its kind; negative: it waits, or is being written.
double cdg_write_queue_seconds(cdg_write_queue *queue, uint64_t ticket);
// The first failure so far, without waiting.
cdg_result cdg_write_queue_failure(cdg_write_queue *queue, cdg_error *error);

#endif
