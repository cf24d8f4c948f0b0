// Requests: each kind as the protocol has it, and nothing else.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/request.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool parse(const char *text, cdg_request *out) {
    cdg_error error = {0};
    bool is_good = cdg_request_parse(text, strlen(text), out, &error);
    if (!is_good) assert_true(error.message[0] != '\0');
    return is_good;
}

static void good_ones_are_taken(void **state) {
    (void)state;
    cdg_request r;
    assert_true(parse("{\"type\":\"play\"}", &r) && r.kind == CDG_REQUEST_PLAY);
    assert_true(parse("{\"type\":\"step\"}", &r) && r.count == 1);
    assert_true(parse("{\"type\":\"step\",\"count\":20}", &r) && r.count == 20);
    assert_true(parse("{\"type\":\"speed\",\"value\":0.25}", &r) && r.value == 0.25);
    assert_true(
        parse("{\"type\":\"grab\",\"hand\":3,\"object\":\"rod\",\"index\":2,\"place\":7.25,\"point\":[1,2,3]}", &r));
    assert_true(r.hand == 3 && r.index == 2 && r.element == 7 && r.fraction == 0.25 && r.point.z == 3);
    assert_true(parse(
        "{\"type\":\"grab\",\"hand\":0,\"object\":\"body\",\"index\":0,\"place\":[4,5,6],\"point\":[1,2,3]}", &r));
    assert_true(r.object == CDG_GRAB_BODY && r.local.y == 5);
    assert_true(parse("{\"type\":\"move\",\"hand\":1,\"point\":[0,0,1],\"twist\":-2}", &r));
    assert_true(r.has_twist && r.twist == -2);
    assert_true(parse("{\"type\":\"move\",\"hand\":1,\"point\":[0,0,1],\"twist\":null}", &r) && !r.has_twist);
    assert_true(parse("{\"type\":\"color\",\"field\":\"moment\",\"component\":2}", &r));
    assert_true(r.component == 2 && strcmp(r.field, "moment") == 0);
    assert_true(parse("{\"type\":\"grab\",\"hand\":1,\"object\":\"solid\",\"index\":2,\"point\":[1,2,3]}", &r));
    assert_true(r.object == CDG_GRAB_SOLID && r.index == 2 && r.point.z == 3);
    assert_true(parse("{\"type\":\"cut\",\"rod\":3,\"place\":7.25}", &r));
    assert_true(r.index == 3 && r.element == 7 && r.fraction == 0.25);
    assert_true(parse("{\"type\":\"color\",\"field\":null}", &r) && r.field[0] == '\0');
    assert_true(parse("{\"type\":\"arrows\",\"contacts\":true}", &r) && r.is_on);
    assert_true(parse("{\"type\":\"record\",\"action\":\"save\"}", &r) && r.action == CDG_RECORD_SAVE);
    assert_true(
        parse("{\"type\":\"picture\",\"camera\":{\"eye\":[1,0,0],\"at\":[0,0,0],\"up\":[0,0,1],\"fov\":0.7}}", &r));
    assert_true(r.camera.is_set && r.camera.fov == 0.7);
    assert_true(parse("{\"type\":\"edit\",\"text\":\"cordage: 1\\n\"}", &r));
    assert_string_equal(r.text, "cordage: 1\n");
    free(r.text);
    assert_true(parse("{\"type\":\"ack\",\"index\":4294967295}", &r) && r.index == UINT32_MAX);
}

static void others_are_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {
        "[]",
        "{}",
        "{\"type\":7}",
        "{\"type\":\"fly\"}",
        "{\"type\":\"step\",\"count\":0}",
        "{\"type\":\"step\",\"count\":1.5}",
        "{\"type\":\"step\",\"count\":1e9}",
        "{\"type\":\"speed\",\"value\":0}",
        "{\"type\":\"speed\",\"value\":\"1\"}",
        "{\"type\":\"grab\",\"hand\":16,\"object\":\"rod\",\"index\":2,\"place\":7,\"point\":[1,2,3]}",
        "{\"type\":\"grab\",\"hand\":1,\"object\":\"cat\",\"index\":2,\"place\":7,\"point\":[1,2,3]}",
        "{\"type\":\"grab\",\"hand\":1,\"object\":\"rod\",\"index\":-2,\"place\":7,\"point\":[1,2,3]}",
        "{\"type\":\"grab\",\"hand\":1,\"object\":\"rod\",\"index\":2,\"place\":-1,\"point\":[1,2,3]}",
        "{\"type\":\"grab\",\"hand\":1,\"object\":\"rod\",\"index\":2,\"place\":[1,2,3],\"point\":[1,2,3]}",
        "{\"type\":\"grab\",\"hand\":1,\"object\":\"body\",\"index\":2,\"place\":1,\"point\":[1,2,3]}",
        "{\"type\":\"cut\",\"rod\":3}",
        "{\"type\":\"cut\",\"rod\":-1,\"place\":7}",
        "{\"type\":\"cut\",\"rod\":3,\"place\":-7}",
        "{\"type\":\"cut\",\"rod\":3,\"place\":[7]}",
        "{\"type\":\"move\",\"hand\":1,\"point\":[1,2]}",
        "{\"type\":\"move\",\"hand\":1,\"point\":[1,2,3,4]}",
        "{\"type\":\"move\",\"hand\":1,\"point\":[1,2,1e300]}",
        "{\"type\":\"move\",\"hand\":1,\"point\":[1,2,3],\"twist\":1e9}",
        "{\"type\":\"color\",\"field\":\"a name that is far longer than any field's\"}",
        "{\"type\":\"arrows\",\"contacts\":1}",
        "{\"type\":\"picture\",\"camera\":{\"eye\":[1,0,0]}}",
        "{\"type\":\"film\",\"from\":1}",
        "{\"type\":\"edit\",\"text\":1}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cdg_request request;
        bool is_taken = parse(wrong[i], &request);
        if (is_taken) print_error("taken: %s\n", wrong[i]);
        assert_false(is_taken);
        assert_null(request.text);
    }
}

static void long_ones_are_refused_unless_they_edit(void **state) {
    (void)state;
    for (int is_edit = 0; is_edit < 2; is_edit++)
        for (size_t size = 100000; size < 3000000; size += 2000000) {
            char *text = malloc(size + 64);
            size_t at = (size_t)sprintf(text, "{\"type\":\"%s\",\"text\":\"", is_edit ? "edit" : "play");
            memset(text + at, 'x', size);
            strcpy(text + at + size, "\"}");
            cdg_request request;
            cdg_error error;
            bool is_taken = cdg_request_parse(text, strlen(text), &request, &error);
            assert_int_equal(is_taken, is_edit && size < CDG_REQUEST_EDIT_BYTES_MAX);
            free(request.text);
            free(text);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(good_ones_are_taken),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(long_ones_are_refused_unless_they_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
