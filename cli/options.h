// Table-driven command lines: one table of commands and options drives parsing, help, the man page and completion.
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

// Exit status of the command, the same for every sub-command.
typedef enum exit_status { EXIT_STATUS_DONE = 0, EXIT_STATUS_FAILED = 1, EXIT_STATUS_REFUSED = 2 } exit_status;

typedef enum option_kind {
    OPTION_FLAG,    // --json
    OPTION_TEXT,    // --output DIR
    OPTION_INTEGER, // --threads N, from `minimum` to `maximum`
    OPTION_LIST,    // --set k=v, may be repeated
} option_kind;

// What a word stands for, so that completion can offer something useful.
typedef enum word_kind {
    WORD_ANY,
    WORD_SCENE,
    WORD_DIRECTORY,
    WORD_EXAMPLE,
    WORD_MODEL,
    WORD_CASE,
    WORD_BENCH,
    WORD_COMMAND,
    WORD_SHELL,
    WORD_FORMAT,
    WORD_FILE,
} word_kind;

typedef struct option_spec {
    const char *name; // long name without dashes
    char letter;      // short name; 0: none
    option_kind kind;
    const char *value; // "DIR"; NULL for flags
    word_kind word;    // what the value is
    long minimum, maximum;
    const char *help;    // one or two sentences
    const char *initial; // the default in words; NULL: none worth telling
} option_spec;

typedef struct example_line {
    const char *line, *text;
} example_line;

typedef struct command_line command_line;

typedef struct command_spec {
    const char *name;
    const char *arguments; // "SCENE", "[CASE...]"
    word_kind word;        // what the arguments are
    size_t minimum, maximum;
    const char *summary;               // one line, for the list of commands
    const char *description;           // paragraphs separated by an empty line
    const option_spec *const *options; // ends with NULL
    const example_line *examples;      // ends with {NULL, NULL}
    exit_status (*run)(const command_line *line);
} command_spec;

typedef struct option_value {
    const option_spec *spec;
    const char *text; // NULL for flags
} option_value;

// A parsed command line. Words point into argv.
struct command_line {
    const command_spec *command;
    const char **words; // arguments that are not options
    size_t word_count;
    option_value *values; // in the order given
    size_t value_count;
};

// Parses argv[0 .. count - 1], which follow the command's name. On a mistake prints it with a suggestion to standard
// error and returns false. --help is found by has_option("help"). Call command_line_free in either case.
bool command_line_parse(const command_spec *command, int count, char **argv, command_line *out);
void command_line_free(command_line *line);

bool has_option(const command_line *line, const char *name);
const char *option_text(const command_line *line, const char *name); // the last one given; NULL: not given
long option_integer(const command_line *line, const char *name, long otherwise);
// The index-th value given for a repeatable option; NULL after the last.
const char *option_list_item(const command_line *line, const char *name, size_t index);

// The nearest of `count` words to `word`, NULL when none is near.
const char *nearest_word(const char *word, const char *const *words, size_t count);

#endif
