// The manual page as roff source, from the same table as --help. docs/cordage.1 is its output; a test compares them.
#include "commands.h"
#include "help.h"

#include <cordage/base.h>

// Hyphens that are typed must be \-, a leading dot or quote would be a request, backslashes are escapes.
static void print_roff(FILE *stream, const char *text) {
    bool is_line_start = true;
    for (; *text; text++) {
        if (is_line_start && (*text == '.' || *text == '\'')) fputs("\\&", stream);
        if (*text == '-')
            fputs("\\-", stream);
        else if (*text == '\\')
            fputs("\\e", stream);
        else if (*text == '\n')
            fputs(text[1] == '\n' ? "\n.PP" : "\n", stream);
        else
            fputc(*text, stream);
        is_line_start = *text == '\n';
    }
}

static void print_tagged(FILE *stream, const char *tag, const char *text) {
    fputs(".TP\n.B ", stream);
    print_roff(stream, tag);
    fputc('\n', stream);
    print_roff(stream, text);
    fputc('\n', stream);
}

static void print_option(FILE *stream, const option_spec *spec) {
    fputs(".TP\n", stream);
    if (spec->letter) fprintf(stream, "\\fB\\-%c\\fR, ", spec->letter);
    fputs("\\fB\\-\\-", stream);
    print_roff(stream, spec->name);
    fputs("\\fR", stream);
    if (spec->value) fprintf(stream, " \\fI%s\\fR", spec->value);
    fputc('\n', stream);
    print_roff(stream, spec->help);
    fputc('\n', stream);
    if (spec->initial) {
        fputs("Default: ", stream);
        print_roff(stream, spec->initial);
        fputs(".\n", stream);
    }
}

static void print_command(FILE *stream, const command_spec *command) {
    fprintf(stream, ".SS cordage %s \\fI%s\\fR [\\fIOPTIONS\\fR]\n", command->name, command->arguments);
    print_roff(stream, command->description);
    fputc('\n', stream);
    for (const option_spec *const *spec = command->options; *spec; spec++) print_option(stream, *spec);
    for (const example_line *example = command->examples; example->line; example++) {
        fputs(example == command->examples ? ".PP\nExamples:\n" : "", stream);
        print_tagged(stream, example->line, example->text);
    }
}

void print_man_page(FILE *stream) {
    fprintf(stream, ".TH CORDAGE 1 \"\" \"cordage %s\" \"User Commands\"\n", cdg_version());
    fputs(".SH NAME\ncordage \\- simulate elastic rods\n", stream);
    fputs(".SH SYNOPSIS\n.B cordage\n\\fICOMMAND\\fR [\\fIARGUMENTS\\fR] [\\fIOPTIONS\\fR]\n.PP\n"
          ".B cordage \\-\\-help\n.PP\n.B cordage \\-\\-version\n",
          stream);
    fputs(
        ".SH DESCRIPTION\nSimulates elastic rods \\- ropes, cables, hair, springs, plants \\- that are described in a "
        "scene file.\n",
        stream);
    fputs(".SH COMMANDS\n", stream);
    for (size_t i = 0; i < command_count; i++) print_command(stream, &command_table[i]);
    fputs(".SH EXIT STATUS\n", stream);
    for (const example_line *entry = exit_status_texts; entry->line; entry++)
        print_tagged(stream, entry->line, entry->text);
    fputs(".SH ENVIRONMENT\n", stream);
    for (const example_line *entry = environment_texts; entry->line; entry++)
        print_tagged(stream, entry->line, entry->text);
    fputs(".SH FILES\n", stream);
    print_tagged(stream, "DIR/run.h5", "positions, frames, velocities, forces and energies over time (HDF5)");
    print_tagged(stream, "DIR/probes.csv", "the scene's probes: one column a number, one line an output");
    print_tagged(stream, "DIR/summary.json", "what ran, how long it took, and how it ended");
}
