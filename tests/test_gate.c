// Who may come in.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/gate.h"

#include <string.h>

static void hosts(void **state) {
    (void)state;
    cdg_gate gate = {.port = 8850};
    assert_true(cdg_gate_takes_host(&gate, "127.0.0.1:8850"));
    assert_true(cdg_gate_takes_host(&gate, "LOCALHOST:8850"));
    assert_true(cdg_gate_takes_host(&gate, "[::1]:8850"));
    static const char *const wrong[] = {"",
                                        "localhost",
                                        "127.0.0.1",
                                        "localhost:8851",
                                        "evil.example:8850",
                                        "localhost:8850.evil.example",
                                        "127.0.0.1:88500",
                                        "localhost:8850 ",
                                        "?"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) assert_false(cdg_gate_takes_host(&gate, wrong[i]));
    cdg_gate outside = {.listen = "192.168.1.7", .port = 80};
    assert_true(cdg_gate_takes_host(&outside, "192.168.1.7:80") && cdg_gate_takes_host(&outside, "192.168.1.7"));
    assert_false(cdg_gate_takes_host(&outside, "192.168.1.8"));
    cdg_gate everywhere = {.listen = "0.0.0.0", .port = 8850};
    assert_true(cdg_gate_takes_host(&everywhere, "any.example:8850"));
    assert_false(cdg_gate_takes_host(&everywhere, ""));
}

static void origins(void **state) {
    (void)state;
    cdg_gate gate = {.port = 8850};
    assert_true(cdg_gate_takes_origin(&gate, "localhost:8850", ""));
    assert_true(cdg_gate_takes_origin(&gate, "localhost:8850", "http://localhost:8850"));
    assert_false(cdg_gate_takes_origin(&gate, "localhost:8850", "http://127.0.0.1:8850")); // another page of ours
    assert_false(cdg_gate_takes_origin(&gate, "localhost:8850", "https://localhost:8850"));
    assert_false(cdg_gate_takes_origin(&gate, "localhost:8850", "null"));
    assert_false(cdg_gate_takes_origin(&gate, "evil.example:8850", "http://evil.example:8850"));
}

static void tokens(void **state) {
    (void)state;
    cdg_gate open = {.port = 1}, shut = {.port = 1}, other = {.port = 1};
    assert_true(cdg_gate_takes_token(&open, "") && cdg_gate_takes_token(&open, "anything"));
    assert_true(cdg_gate_make_token(shut.token) && cdg_gate_make_token(other.token));
    assert_int_equal(strlen(shut.token), CDG_TOKEN_SIZE - 1);
    assert_true(strcmp(shut.token, other.token) != 0);
    assert_true(cdg_gate_takes_token(&shut, shut.token));
    assert_false(cdg_gate_takes_token(&shut, ""));
    assert_false(cdg_gate_takes_token(&shut, other.token));
    assert_false(cdg_gate_takes_token(&shut, "0"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(hosts), cmocka_unit_test(origins), cmocka_unit_test(tokens)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
