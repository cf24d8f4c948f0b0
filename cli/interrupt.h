// Ctrl-C, SIGTERM and SIGHUP: the first asks the run to end after its step, the second ends the process at once.
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

void interrupt_watch(void);
bool interrupt_was_asked(void);

#endif
