// Writing beside computing: all bytes in order, a bounded number of buffers, and a failure that is told and that
// nothing is written after.
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "output/write_queue.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BYTES = 4096, BUFFERS = 3 };

static int make_file(char path[64]) {
    strcpy(path, "/tmp/test_write_queue_XXXXXX");
    int descriptor = mkstemp(path);
    assert_true(descriptor >= 0);
    return descriptor;
}

// Later jobs write over earlier ones: the order decides what is in the file.
static void all_is_written_in_order(void **state) {
    (void)state;
    char path[64];
    int descriptor = make_file(path);
    cdg_write_queue *queue = cdg_write_queue_create(path, BYTES, BUFFERS);
    assert_non_null(queue);
    for (int round = 0; round < 3000; round++) {
        unsigned char *buffer = cdg_write_queue_take(queue);
        assert_non_null(buffer);
        memset(buffer, round % 251, BYTES);
        cdg_write_piece halves[2] = {{buffer, BYTES / 2, (uint64_t)(round % 7) * BYTES + BYTES / 2},
                                     {buffer + BYTES / 2, BYTES / 2, (uint64_t)(round % 7) * BYTES}};
        cdg_write_queue_put(queue, descriptor, buffer, halves, 2);
    }
    cdg_write_piece room = {NULL, 9 * BYTES, 0}; // changes nothing that is there, nor the file's size
    cdg_write_queue_put_room(queue, descriptor, &room, 1);
    cdg_write_queue_put_number(queue, descriptor, 0.5, 7 * BYTES);
    cdg_write_queue_put_sync(queue, descriptor);
    assert_int_equal(cdg_write_queue_wait(queue, UINT64_MAX, NULL), CDG_OK);
    unsigned char *found = malloc(7 * BYTES);
    assert_int_equal(pread(descriptor, found, 7 * BYTES, 0), 7 * BYTES);
    for (int at = 0; at < 7; at++) {
        int last = 2999 - (2999 - at) % 7;
        for (int i = 0; i < BYTES; i++) assert_int_equal(found[at * BYTES + i], last % 251);
    }
    double number;
    assert_int_equal(pread(descriptor, &number, sizeof number, 7 * BYTES), sizeof number);
    assert_true(number == 0.5);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), 7 * BYTES + sizeof number);
    free(found);
    cdg_write_queue_destroy(queue);
    close(descriptor);
    unlink(path);
}

// What the caller keeps is written when its ticket is done, and not before it was put.
static void tickets_tell_what_is_done(void **state) {
    (void)state;
    char path[64], text[] = "held by the caller", found[sizeof text] = {0};
    int descriptor = make_file(path);
    cdg_write_queue *queue = cdg_write_queue_create(path, BYTES, BUFFERS);
    for (int i = 0; i < 100; i++) {
        snprintf(text, sizeof text, "round %d", i);
        cdg_write_piece piece = {text, sizeof text, 0};
        uint64_t ticket = cdg_write_queue_put(queue, descriptor, NULL, &piece, 1);
        assert_int_equal(cdg_write_queue_wait(queue, ticket, NULL), CDG_OK);
        assert_int_equal(pread(descriptor, found, sizeof found, 0), sizeof found);
        assert_string_equal(found, text);
        assert_true(cdg_write_queue_seconds(queue, ticket) > 0);
        assert_true(cdg_write_queue_seconds(queue, ticket + 1) < 0); // is to come
        cdg_write_queue_put_number(queue, descriptor, 1, 64);
        assert_int_equal(cdg_write_queue_wait(queue, UINT64_MAX, NULL), CDG_OK);
        assert_true(cdg_write_queue_seconds(queue, ticket) > 0);      // a number is not the caller's,
        assert_true(cdg_write_queue_seconds(queue, ticket + 1) == 0); // nor is it timed
    }
    cdg_write_queue_destroy(queue);
    close(descriptor);
    unlink(path);
}

// A disk that is full: told, with the path, and what comes after it is not written. Buffers come back all the same.
static void nothing_is_written_after_a_failure(void **state) {
    (void)state;
    char path[64];
    int descriptor = make_file(path), full = open("/dev/full", O_WRONLY);
    assert_true(full >= 0);
    cdg_write_queue *queue = cdg_write_queue_create("run.h5", BYTES, BUFFERS);
    for (int i = 0; i < 4 * BUFFERS; i++) {
        char *buffer = cdg_write_queue_take(queue);
        memset(buffer, 'x', BYTES);
        cdg_write_piece piece = {buffer, BYTES, 0};
        cdg_write_queue_put(queue, i == 0 ? full : descriptor, buffer, &piece, 1);
    }
    cdg_error error = {0};
    assert_int_equal(cdg_write_queue_wait(queue, UINT64_MAX, &error), CDG_ERROR_IO);
    assert_non_null(strstr(error.message, "run.h5"));
    assert_non_null(strstr(error.message, "No space left"));
    assert_int_equal(cdg_write_queue_failure(queue, NULL), CDG_ERROR_IO);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), 0);
    cdg_write_queue_destroy(queue);
    close(descriptor);
    close(full);
    unlink(path);
}

// Destroyed at once: what was put is written.
static void the_end_waits(void **state) {
    (void)state;
    char path[64];
    int descriptor = make_file(path);
    cdg_write_queue *queue = cdg_write_queue_create(path, BYTES, BUFFERS);
    for (int i = 0; i < BUFFERS; i++) {
        char *buffer = cdg_write_queue_take(queue);
        memset(buffer, 'y', BYTES);
        cdg_write_piece piece = {buffer, BYTES, (uint64_t)i * BYTES};
        cdg_write_queue_put(queue, descriptor, buffer, &piece, 1);
    }
    cdg_write_queue_destroy(queue);
    cdg_write_queue_destroy(NULL);
    assert_int_equal(lseek(descriptor, 0, SEEK_END), BUFFERS * BYTES);
    close(descriptor);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_is_written_in_order),
        cmocka_unit_test(tickets_tell_what_is_done),
        cmocka_unit_test(nothing_is_written_after_a_failure),
        cmocka_unit_test(the_end_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
