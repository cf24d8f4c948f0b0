// The server of the live view runs in this thread, what it shows in another.
#include "serve_page.h"
#include "interrupt.h"
#include "terminal.h"
#include "view/server.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

exit_status serve_status(cdg_result result) {
    return result == CDG_ERROR_ARGUMENT || result == CDG_ERROR_SCENE || result == CDG_ERROR_UNSUPPORTED
               ? EXIT_STATUS_REFUSED
               : EXIT_STATUS_FAILED;
}

// The browser's opener is on its own: nothing is waited for, and it does not share our output.
static void open_browser(const char *address) {
    pid_t child = fork();
    if (child == 0) {
        pid_t grandchild = fork();
        if (grandchild == 0) {
            if (!freopen("/dev/null", "r", stdin) || !freopen("/dev/null", "w", stdout) ||
                !freopen("/dev/null", "w", stderr))
                _exit(1);
            execlp("xdg-open", "xdg-open", address, (char *)NULL);
        }
        _exit(0);
    }
    if (child > 0) (void)waitpid(child, NULL, 0);
}

static bool has_display(void) { return getenv("DISPLAY") != NULL || getenv("WAYLAND_DISPLAY") != NULL; }

static exit_status serve(const command_line *line, cdg_server *server, cdg_board *board, cdg_act act, double speed) {
    cdg_stage *stage;
    cdg_error error;
    cdg_stage_def def = {.board = board, .act = act, .speed = speed, .is_paused = has_option(line, "paused")};
    cdg_result result = cdg_stage_start(&def, &stage, &error);
    if (result != CDG_OK) {
        complain("%s", error.message);
        return serve_status(result);
    }
    printf("%s\n", cdg_server_address(server));
    if (!has_option(line, "quiet")) fprintf(stderr, "Ctrl-C ends.\n");
    fflush(stdout);
    if (!has_option(line, "no-browser") && has_display()) open_browser(cdg_server_address(server));
    cdg_server_run(server, stage, interrupt_was_asked);
    cdg_stage_stop(stage);
    return EXIT_STATUS_DONE;
}

exit_status serve_act(const command_line *line, cdg_act act, double speed) {
    cdg_board board;
    cdg_server *server = NULL;
    cdg_error error;
    exit_status status;
    cdg_board_init(&board);
    cdg_server_def def = {
        .board = &board, .listen = option_text(line, "listen"), .port = (int)option_integer(line, "port", 0)};
    cdg_result result = cdg_server_create(&def, &server, &error);
    if (result != CDG_OK) {
        complain("%s", error.message);
        act.destroy(act.self);
        status = serve_status(result);
    } else {
        status = serve(line, server, &board, act, speed);
    }
    cdg_server_destroy(server);
    cdg_board_free(&board);
    return status;
}
