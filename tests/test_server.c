// The server's beginning and end; tests/cli/test_view.py speaks to it over the network.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/server.h"
#include "view_case.h"

#include <stdio.h>

static bool at_once(void) { return true; }

static void ports_are_found_and_refused(void **state) {
    (void)state;
    cdg_board board;
    cdg_server *first, *second, *third;
    cdg_error error;
    cdg_board_init(&board);
    cdg_server_def def = {.board = &board};
    assert_int_equal(cdg_server_create(&def, &first, &error), CDG_OK);
    assert_int_equal(cdg_server_create(&def, &second, &error), CDG_OK);
    assert_string_not_equal(cdg_server_address(first), cdg_server_address(second));
    assert_int_equal(sscanf(cdg_server_address(first), "http://127.0.0.1:%d/", &def.port), 1);
    assert_int_equal(cdg_server_create(&def, &third, &error), CDG_ERROR_IO);
    assert_null(third);
    def.listen = "not an address";
    assert_int_equal(cdg_server_create(&def, &third, &error), CDG_ERROR_ARGUMENT);
    cdg_server_destroy(second);
    cdg_server_destroy(NULL);
    def = (cdg_server_def){.board = &board, .listen = "127.0.0.1"};
    assert_int_equal(cdg_server_create(&def, &second, &error), CDG_OK);
    assert_non_null(strstr(cdg_server_address(second), "/?token="));
    cdg_server_run(first, NULL, at_once);
    cdg_server_destroy(first);
    cdg_server_destroy(second);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ports_are_found_and_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
