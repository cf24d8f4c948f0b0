// Brackets that nothing closes, and cures for the parser's messages.
#include "scene_text.h"

#include "scene/syntax_hint.h"

static void assert_open(const char *text, int line, int column, int at_line, int at_column, char closing) {
    open_bracket open = {0};
    assert_true(cdg_find_open_bracket(text, strlen(text), line, column, &open));
    assert_int_equal(open.line, at_line);
    assert_int_equal(open.column, at_column);
    assert_int_equal(open.closing, closing);
}

static void assert_closed(const char *text, int line, int column) {
    open_bracket open;
    assert_false(cdg_find_open_bracket(text, strlen(text), line, column, &open));
}

static void test_open_brackets(void **state) {
    (void)state;
    assert_open("a: {b: 1\nc: 2\n", 2, 1, 1, 4, '}');
    assert_open("a: {b: {c: 1}\nc: 2\n", 2, 1, 1, 4, '}'); // the inner one is closed
    assert_open("a: [1, {b: 2]\n", 1, 13, 1, 8, '}');      // the innermost open one
    assert_open("  - {a: [1, 2}\n", 1, 14, 1, 9, ']');
    assert_closed("a: {b: 1}\nc: 2\n", 2, 1);
    assert_closed("a: {b: 1\n", 1, 4); // before it opens
}

// What looks like a bracket and is none.
static void test_text(void **state) {
    (void)state;
    assert_closed("a: x{y\nb: 1\n", 2, 1);
    assert_closed("a: 1 # {\nb: 1\n", 2, 1);
    assert_closed("a: \"{\"\nb: 1\n", 2, 1);
    assert_closed("a: '{'\nb: 1\n", 2, 1);
    assert_open("a: [\"}\", 'x]'\nb: 1\n", 2, 1, 1, 4, ']');
    assert_open("\xC3\xA4: {b\nc: 1\n", 2, 1, 1, 4, '}'); // columns count characters
}

static void test_indent(void **state) {
    (void)state;
    const char *text = "a:\n  b: 1\n\n";
    assert_int_equal(cdg_line_indent(text, strlen(text), 1), 0);
    assert_int_equal(cdg_line_indent(text, strlen(text), 2), 2);
    assert_int_equal(cdg_line_indent(text, strlen(text), 9), -1);
}

static void test_cures(void **state) {
    (void)state;
    assert_string_equal(cdg_syntax_cure("invalid tab used as indentation"), "; indent with spaces");
    assert_string_equal(cdg_syntax_cure("could not find expected ':'"),
                        "; write 'key: value', with a space after the colon");
    assert_string_equal(cdg_syntax_cure("something else"), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_open_brackets),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_indent),
        cmocka_unit_test(test_cures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
