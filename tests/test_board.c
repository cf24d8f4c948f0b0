// The board: newest messages win, events are few, pictures wait for the page, and nothing grows.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/board.h"

#include <string.h>

static cdg_message *text(const char *bytes) { return cdg_message_create(bytes, strlen(bytes), false); }

static cdg_message *picture(uint32_t index) {
    cdg_message *message = cdg_message_create("p", 1, true);
    message->index = index;
    return message;
}

static void assert_next(cdg_board *board, cdg_board_reader *reader, const char *wanted) {
    cdg_message *message = cdg_board_next(board, reader);
    assert_int_equal(message != NULL, wanted != NULL);
    if (message == NULL || wanted == NULL) return;
    assert_int_equal(message->size, strlen(wanted));
    assert_memory_equal(cdg_message_body(message), wanted, message->size);
    cdg_message_release(message);
}

static void newest_wins_in_the_order_of_slots(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_reader reader;
    cdg_board_init(&board);
    cdg_board_reader_init(&board, &reader);
    assert_false(cdg_board_has_next(&board, &reader));
    cdg_board_put(&board, CDG_SLOT_STATUS, text("old"));
    cdg_board_put(&board, CDG_SLOT_STATUS, text("status"));
    cdg_board_put(&board, CDG_SLOT_WORLD, text("world"));
    cdg_board_put(&board, CDG_SLOT_HELLO, text("hello"));
    cdg_board_put(&board, CDG_SLOT_HELLO, NULL);
    cdg_board_tell(&board, text("event"));
    assert_true(cdg_board_has_next(&board, &reader));
    assert_next(&board, &reader, "hello");
    assert_next(&board, &reader, "world");
    assert_next(&board, &reader, "event");
    assert_next(&board, &reader, "status");
    assert_next(&board, &reader, NULL);
    cdg_board_free(&board);
}

static void two_pictures_at_most_are_in_flight(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_reader reader;
    cdg_board_init(&board);
    cdg_board_reader_init(&board, &reader);
    for (uint32_t i = 0; i < 10; i++) {
        cdg_board_put(&board, CDG_SLOT_PICTURE, picture(UINT32_MAX - 4 + i)); // counts wrap around
        assert_next(&board, &reader, i < 2 ? "p" : NULL);
    }
    cdg_board_acknowledge(&reader, UINT32_MAX - 4);
    cdg_message *message = cdg_board_next(&board, &reader);
    assert_int_equal(message->index, 4); // the newest, not the next
    cdg_message_release(message);
    assert_next(&board, &reader, NULL);
    cdg_board_acknowledge(&reader, 4);
    assert_int_equal(reader.in_flight_count, 0);
    cdg_board_free(&board);
}

static void who_comes_late_or_is_slow_misses_events(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_reader reader, late;
    cdg_board_init(&board);
    cdg_board_reader_init(&board, &reader);
    for (int i = 0; i < 3 * CDG_BOARD_EVENTS; i++) cdg_board_tell(&board, text("event"));
    cdg_board_reader_init(&board, &late);
    assert_next(&board, &late, NULL);
    for (int i = 0; i < CDG_BOARD_EVENTS; i++) assert_next(&board, &reader, "event");
    assert_next(&board, &reader, NULL);
    cdg_board_free(&board);
}

static void count_wake(void *user) { ++*(int *)user; }

static void writers_wake(void **state) {
    (void)state;
    cdg_board board;
    int count = 0;
    cdg_board_init(&board);
    cdg_board_set_wake(&board, count_wake, &count);
    cdg_board_put(&board, CDG_SLOT_TEXT, text("a"));
    cdg_board_tell(&board, text("b"));
    assert_int_equal(count, 2);
    cdg_board_set_wake(&board, NULL, NULL);
    cdg_board_put(&board, CDG_SLOT_TEXT, text("c"));
    assert_int_equal(count, 2);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newest_wins_in_the_order_of_slots),
        cmocka_unit_test(two_pictures_at_most_are_in_flight),
        cmocka_unit_test(who_comes_late_or_is_slow_misses_events),
        cmocka_unit_test(writers_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
