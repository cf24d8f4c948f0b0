// A signal handler may only set a flag; it also gives the signals back their usual meaning, so that the next one kills.
#include "interrupt.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t was_asked = 0; // a handler has no other way to tell
static const int watched[] = {SIGINT, SIGTERM, SIGHUP};

static void on_signal(int number) {
    (void)number;
    was_asked = 1;
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) signal(watched[i], SIG_DFL);
}

void interrupt_watch(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART}, before;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof watched / sizeof *watched; i++) {
        // nohup and background jobs start with these ignored, and mean it
        if (sigaction(watched[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
            sigaction(watched[i], &action, NULL);
    }
}

bool interrupt_was_asked(void) { return was_asked != 0; }
