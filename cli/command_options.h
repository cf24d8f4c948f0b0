// Parts of the table of commands (commands.c): options that several commands share, and those of large commands.
#ifndef CLI_COMMAND_OPTIONS_H
#define CLI_COMMAND_OPTIONS_H

#include "options.h"

extern const option_spec option_help, option_json, option_set, option_model, option_threads, option_quiet, option_cut,
    option_no_browser;

extern const option_spec *const plot_options[], *const compare_options[];
extern const example_line plot_examples[], compare_examples[];
extern const option_spec *const mesh_options[], *const sweep_options[], *const fit_options[], *const gradient_options[];
extern const example_line mesh_examples[], sweep_examples[], fit_examples[], gradient_examples[];

#endif
