// The page of the live view: a server on this machine, and the browser that shows it.
#ifndef SERVE_PAGE_H
#define SERVE_PAGE_H

#include "commands.h"
#include "view/act.h"

// Serves what is shown until Ctrl-C, and destroys it. Options of the line that it knows: port, listen, no-browser,
// paused, quiet; interrupt_watch was called.
exit_status serve_act(const command_line *line, cdg_act act, double speed);
exit_status serve_status(cdg_result result); // of a refusal or a failure

#endif
