// A process that does cases for its parent, so that a crash costs one case and not the sweep: the same command, started
// again, which reads what to do from a socket and answers with lines (outcome.h).
#ifndef CDG_SWEEP_CHILD_H
#define CDG_SWEEP_CHILD_H

#include <cordage/base.h>

typedef struct cdg_child {
    int process; // 0: none
    int socket;
    char *buffer; // what came and was not read
    size_t size, capacity;
} cdg_child;

enum { CDG_CHILD_SOCKET = 3 }; // the socket's number in the child

// Starts program `path` with arguments and environment (both end with NULL).
cdg_result cdg_child_start(const char *path, char *const *arguments, char *const *environment, cdg_child *out,
                           cdg_error *error);
// Asks for something: one line. False: the child is gone.
bool cdg_child_ask(cdg_child *child, const char *line);
// The next line, malloc'ed and without its end; NULL: the child is gone.
char *cdg_child_answer(cdg_child *child, size_t *length);
// Lets it end and waits for it. `how` says how it ended: "" when it did so by itself, else "was ended by signal 11
// (Segmentation fault)". *signal_number is 0 when it was not ended by one.
void cdg_child_end(cdg_child *child, char *how, size_t size, int *signal_number);

// In the child: the next line from the parent, malloc'ed; NULL: it is gone. And an answer, its end included.
char *cdg_child_hear(cdg_child *self);
bool cdg_child_say(cdg_child *self, const char *line, size_t size);

#endif
