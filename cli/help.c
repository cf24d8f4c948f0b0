// Help texts: wrapped to the terminal's width, headings bold on a terminal.
#include "help.h"

#include "commands.h"
#include "format.h"
#include "json_print.h"
#include "terminal.h"

#include <cordage/base.h>

#include <string.h>

enum { TEXT_COLUMNS_MAX = 100, OPTION_COLUMN = 26 };

const example_line exit_status_texts[] = {
    {"0", "done"},
    {"1", "the simulation failed (diverged, disk full, interrupted); what was computed is kept and readable"},
    {"2", "the request was wrong (a mistake in the scene or on the command line); nothing was run"},
    {NULL, NULL},
};

const example_line environment_texts[] = {
    {"NO_COLOR", "when set and not empty: no colours"},
    {"TERM", "'dumb': no colours and no progress bar"},
    {"LC_ALL, LC_CTYPE, LANG", "when they name a UTF-8 locale, the progress bar is drawn with blocks"},
    {NULL, NULL},
};

// Prints words from column `column` on (where the cursor is now), starting new lines at `indent`.
static void print_wrapped(FILE *stream, const char *text, size_t indent, size_t column, size_t width) {
    const char *word = text;
    bool is_line_start = true;
    while (*word) {
        if (*word == '\n') { // "\n\n" separates paragraphs
            fputs("\n", stream);
            for (; *word == '\n'; word++) fputs(word[1] == '\n' ? "\n" : "", stream);
            fprintf(stream, "%*s", (int)indent, "");
            column = indent;
            is_line_start = true;
            continue;
        }
        size_t length = strcspn(word, " \n");
        if (!is_line_start && column + 1 + length > width) {
            fprintf(stream, "\n%*s", (int)indent, "");
            column = indent;
            is_line_start = true;
        }
        if (!is_line_start) {
            fputc(' ', stream);
            column++;
        }
        fwrite(word, 1, length, stream);
        column += length;
        is_line_start = false;
        word += length;
        while (*word == ' ') word++;
    }
    fputc('\n', stream);
}

static void print_entry(FILE *stream, const char *left, const char *right, size_t column, size_t width) {
    size_t used = (size_t)fprintf(stream, "  %s", left);
    if (used + 2 > column) {
        fprintf(stream, "\n%*s", (int)column, "");
    } else {
        fprintf(stream, "%*s", (int)(column - used), "");
    }
    print_wrapped(stream, right, column, column, width);
}

static size_t help_width(const terminal *target) {
    int width = terminal_width(target);
    return width > TEXT_COLUMNS_MAX ? TEXT_COLUMNS_MAX : width < 40 ? 40 : (size_t)width;
}

static void print_heading(const terminal *target, const char *text) {
    fprintf(target->stream, "\n%s%s%s\n", terminal_style_code(target, STYLE_BOLD), text,
            terminal_style_code(target, STYLE_PLAIN));
}

static void print_exit_statuses(const terminal *target, size_t width) {
    print_heading(target, "Exit status");
    for (const example_line *entry = exit_status_texts; entry->line; entry++)
        print_entry(target->stream, entry->line, entry->text, 6, width);
}

void print_overview(FILE *stream) {
    terminal target = terminal_for(stream);
    size_t width = help_width(&target);
    fprintf(stream, "cordage %s: simulate elastic rods: ropes, cables, hair, springs, plants.\n", cdg_version());
    print_heading(&target, "Usage");
    fputs("  cordage COMMAND [ARGUMENTS] [OPTIONS]\n", stream);
    print_heading(&target, "Commands");
    for (size_t i = 0; i < command_count; i++) {
        char left[64];
        snprintf(left, sizeof left, "%s %s", command_table[i].name, command_table[i].arguments);
        print_entry(stream, left, command_table[i].summary, OPTION_COLUMN, width);
    }
    print_heading(&target, "Options");
    print_entry(stream, "-h, --help", "Show this help and end. 'cordage COMMAND --help' explains a command.",
                OPTION_COLUMN, width);
    print_entry(stream, "-V, --version", "Show the version and end.", OPTION_COLUMN, width);
    print_heading(&target, "First steps");
    print_entry(stream, "cordage examples", "list the built-in scenes", OPTION_COLUMN + 4, width);
    print_entry(stream, "cordage run NAME", "run one of them", OPTION_COLUMN + 4, width);
    print_entry(stream, "cordage examples NAME", "write it to NAME.yaml, to edit", OPTION_COLUMN + 4, width);
    print_entry(stream, "cordage check NAME.yaml", "find mistakes, get advice", OPTION_COLUMN + 4, width);
    print_exit_statuses(&target, width);
}

void print_command_help(FILE *stream, const command_spec *command) {
    terminal target = terminal_for(stream);
    size_t width = help_width(&target), column = 0;
    fprintf(stream, "cordage %s: %s\n", command->name, command->summary);
    print_heading(&target, "Usage");
    fprintf(stream, "  cordage %s %s [OPTIONS]\n\n", command->name, command->arguments);
    print_wrapped(stream, command->description, 0, 0, width);
    print_heading(&target, "Options");
    for (const option_spec *const *spec = command->options; *spec; spec++) {
        char left[80], right[512];
        char letter[] = {'-', (*spec)->letter, ',', ' ', '\0'};
        snprintf(left, sizeof left, "%s--%s%s%s", (*spec)->letter ? letter : "    ", (*spec)->name,
                 (*spec)->value ? " " : "", (*spec)->value ? (*spec)->value : "");
        snprintf(right, sizeof right, "%s%s%s%s", (*spec)->help, (*spec)->initial ? " Default: " : "",
                 (*spec)->initial ? (*spec)->initial : "", (*spec)->initial ? "." : "");
        print_entry(stream, left, right, OPTION_COLUMN, width);
    }
    print_heading(&target, "Examples");
    for (const example_line *example = command->examples; example->line; example++)
        if (strlen(example->line) + 4 > column) column = strlen(example->line) + 4;
    if (column > width / 2) column = 6;
    for (const example_line *example = command->examples; example->line; example++)
        print_entry(stream, example->line, example->text, column, width);
    print_exit_statuses(&target, width);
}

static void print_json(void) {
    cdg_json json = json_begin("help");
    cdg_json_begin_array(&json, "commands");
    for (size_t i = 0; i < command_count; i++) {
        const command_spec *command = &command_table[i];
        cdg_json_begin_object(&json, NULL);
        cdg_json_text(&json, "name", command->name);
        cdg_json_text(&json, "arguments", command->arguments);
        cdg_json_text(&json, "summary", command->summary);
        cdg_json_begin_array(&json, "options");
        for (const option_spec *const *spec = command->options; *spec; spec++) {
            cdg_json_begin_object(&json, NULL);
            cdg_json_text(&json, "name", (*spec)->name);
            if ((*spec)->letter) cdg_json_text(&json, "letter", (char[]){(*spec)->letter, '\0'});
            if ((*spec)->value) cdg_json_text(&json, "value", (*spec)->value);
            if ((*spec)->initial) cdg_json_text(&json, "default", (*spec)->initial);
            cdg_json_boolean(&json, "repeatable", (*spec)->kind == OPTION_LIST);
            cdg_json_text(&json, "help", (*spec)->help);
            cdg_json_end(&json);
        }
        cdg_json_end(&json);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    json_print(&json);
}

exit_status cmd_help(const command_line *line) {
    if (has_option(line, "man")) {
        print_man_page(stdout);
    } else if (has_option(line, "json")) {
        print_json();
    } else if (line->word_count == 0) {
        print_overview(stdout);
    } else {
        const command_spec *command = find_command(line->words[0]);
        if (!command) {
            refuse_command(line->words[0]);
            return EXIT_STATUS_REFUSED;
        }
        print_command_help(stdout, command);
    }
    return EXIT_STATUS_DONE;
}
