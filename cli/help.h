// Help for people, made from the table of commands.
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "options.h"

#include <stdio.h>

void print_overview(FILE *stream);
void print_command_help(FILE *stream, const command_spec *command);

// Exit statuses in words: the one list, for help and manual page. Ends with {NULL, NULL}.
extern const example_line exit_status_texts[];
// Environment variables that change what the command prints. Ends with {NULL, NULL}.
extern const example_line environment_texts[];

// man_page.c
void print_man_page(FILE *stream);

#endif
