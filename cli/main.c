// The cordage command: finds the sub-command in the table, parses its options and runs it.
#include "commands.h"
#include "help.h"
#include "terminal.h"

#include <cordage/base.h>

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <string.h>

static exit_status dispatch(int argc, char **argv) {
    if (argc < 2) {
        print_overview(stderr);
        return EXIT_STATUS_REFUSED;
    }
    const char *name = argv[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_overview(stdout);
        return EXIT_STATUS_DONE;
    }
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("cordage %s\n", cdg_version());
        return EXIT_STATUS_DONE;
    }
    if (name[0] == '-') {
        const char *const known[] = {"--help", "--version"};
        const char *nearest = nearest_word(name, known, 2);
        if (nearest)
            complain("unknown option '%s'; did you mean '%s'?", name, nearest);
        else
            complain("'%s' stands before any command; usage: cordage COMMAND [ARGUMENTS] [OPTIONS]", name);
        return EXIT_STATUS_REFUSED;
    }
    const command_spec *command = find_command(name);
    if (!command) {
        refuse_command(name);
        return EXIT_STATUS_REFUSED;
    }
    command_line line;
    exit_status status = EXIT_STATUS_REFUSED;
    if (command_line_parse(command, argc - 2, argv + 2, &line)) {
        if (has_option(&line, "help")) {
            print_command_help(stdout, command);
            status = EXIT_STATUS_DONE;
        } else {
            status = command->run(&line);
        }
    }
    command_line_free(&line);
    return status;
}

int main(int argc, char **argv) {
    setlocale(LC_CTYPE, "");  // for UTF-8 only: numbers keep their dot
    signal(SIGXFSZ, SIG_IGN); // a file-size limit becomes a write error with a message, not a silent death
    exit_status status = dispatch(argc, argv);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        complain("standard output could not be written: %s", strerror(errno));
        if (status == EXIT_STATUS_DONE) status = EXIT_STATUS_FAILED;
    }
    return (int)status;
}
