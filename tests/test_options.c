// Command lines: every way to write an option, mistakes, suggestions; and the table itself.
#include "options.h"

#include "commands.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { WORDS_MAX = 16 };

// Parses words for a command, with complaints thrown away.
static bool parse(const char *command, command_line *line, int count, const char *const *words) {
    char *arguments[WORDS_MAX];
    assert_true(count <= WORDS_MAX);
    for (int i = 0; i < count; i++) arguments[i] = (char *)(uintptr_t)words[i];
    FILE *sink = freopen("/dev/null", "w", stderr);
    assert_non_null(sink);
    return command_line_parse(find_command(command), count, arguments, line);
}

#define PARSE(command, line, ...)                                                                                      \
    parse(command, line, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)),                           \
          (const char *const[]){__VA_ARGS__})

static void test_all_ways_to_write(void **state) {
    (void)state;
    command_line line;
    assert_true(PARSE("run", &line, "scene.yaml", "-o", "one", "--output=two", "-othree", "--output", "four"));
    assert_string_equal(option_text(&line, "output"), "four");
    assert_int_equal(line.word_count, 1);
    assert_string_equal(line.words[0], "scene.yaml");
    command_line_free(&line);

    assert_true(PARSE("run", &line, "--set", "a=b=c", "-qt3", "x", "--set=d=", "--json"));
    assert_string_equal(option_list_item(&line, "set", 0), "a=b=c");
    assert_string_equal(option_list_item(&line, "set", 1), "d=");
    assert_null(option_list_item(&line, "set", 2));
    assert_true(has_option(&line, "quiet"));
    assert_true(has_option(&line, "json"));
    assert_false(has_option(&line, "resume"));
    assert_int_equal(option_integer(&line, "threads", 0), 3);
    command_line_free(&line);

    assert_true(PARSE("run", &line, "--", "--json"));
    assert_string_equal(line.words[0], "--json");
    assert_false(has_option(&line, "json"));
    command_line_free(&line);

    assert_true(PARSE("run", &line, "-"));
    assert_string_equal(line.words[0], "-");
    assert_int_equal(option_integer(&line, "threads", 7), 7);
    assert_null(option_text(&line, "output"));
    command_line_free(&line);
}

static void test_mistakes_are_refused(void **state) {
    (void)state;
    const char *const lines[][3] = {
        {"x", "--tread", "2"},
        {"x", "--threads", NULL},
        {"x", "--threads", "two"},
        {"x", "--threads", "0"},
        {"x", "--threads", "2x"},
        {"x", "--threads=", NULL},
        {"x", "--json=yes", NULL},
        {"x", "-z", NULL},
        {"x", "-qz", NULL},
        {"x", "-o", NULL},
        {"x", "--output", ""},
        {"x", "y", NULL},
        {"x", "--threads", "99999999999999999999"},
        {"x", "--", "-q"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        command_line line;
        assert_false(parse("run", &line, lines[i][2] ? 3 : 2, lines[i]));
        command_line_free(&line);
    }
    command_line line;
    assert_false(parse("info", &line, 0, NULL));
    command_line_free(&line);
    assert_true(PARSE("info", &line, "--help")); // help needs no argument
    command_line_free(&line);
}

static void test_nearest_word(void **state) {
    (void)state;
    const char *const words[] = {"run", "check", "info", "examples", "validate", "bench"};
    assert_string_equal(nearest_word("chekc", words, 6), "check");
    assert_string_equal(nearest_word("rum", words, 6), "run");
    assert_string_equal(nearest_word("exam", words, 6), "examples");
    assert_string_equal(nearest_word("validat", words, 6), "validate");
    assert_null(nearest_word("xyzzy", words, 6));
    assert_null(nearest_word("", words, 6));
    assert_null(nearest_word("run", words, 0));
}

// The table is what help, man page and completion are made from, so it must be whole.
static void test_table_is_whole(void **state) {
    (void)state;
    for (size_t i = 0; i < command_count; i++) {
        const command_spec *command = &command_table[i];
        assert_ptr_equal(find_command(command->name), command);
        assert_true(strlen(command->summary) > 0 && strlen(command->description) > 0);
        assert_non_null(command->run);
        assert_true(command->minimum <= command->maximum);
        assert_non_null(command->examples[0].line);
        bool has_help = false;
        for (const option_spec *const *a = command->options; *a; a++) {
            has_help = has_help || strcmp((*a)->name, "help") == 0;
            assert_true(strlen((*a)->help) > 0);
            assert_true(((*a)->kind == OPTION_FLAG) == ((*a)->value == NULL));
            if ((*a)->kind == OPTION_INTEGER) assert_true((*a)->minimum < (*a)->maximum);
            for (const option_spec *const *b = command->options; *b != *a; b++) {
                assert_string_not_equal((*a)->name, (*b)->name);
                if ((*a)->letter) assert_int_not_equal((*a)->letter, (*b)->letter);
            }
        }
        assert_true(has_help);
    }
    assert_null(find_command("rum"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_ways_to_write),
        cmocka_unit_test(test_mistakes_are_refused),
        cmocka_unit_test(test_nearest_word),
        cmocka_unit_test(test_table_is_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
