// The one table of commands, and the functions behind it (one cmd_*.c each).
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "options.h"

extern const command_spec command_table[];
extern const size_t command_count;

const command_spec *find_command(const char *name); // NULL: none
// Complains about an unknown command, with the nearest one.
void refuse_command(const char *name);

exit_status cmd_run(const command_line *line);
exit_status cmd_check(const command_line *line);
exit_status cmd_info(const command_line *line);
exit_status cmd_render(const command_line *line);
exit_status cmd_view(const command_line *line);
exit_status cmd_export(const command_line *line);
exit_status cmd_mesh(const command_line *line);
exit_status cmd_examples(const command_line *line);
exit_status cmd_validate(const command_line *line);
exit_status cmd_bench(const command_line *line);
exit_status cmd_plot(const command_line *line);
exit_status cmd_compare(const command_line *line);
exit_status cmd_completion(const command_line *line);
exit_status cmd_help(const command_line *line);

#endif
