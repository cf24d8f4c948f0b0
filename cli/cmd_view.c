// cordage view: a page in the browser that shows a scene while it is simulated, or a run.
#include "commands.h"
#include "interrupt.h"
#include "scene_source.h"
#include "terminal.h"
#include "view/live.h"
#include "view/replay.h"
#include "view/server.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static exit_status status_of(cdg_result result) {
    return result == CDG_ERROR_ARGUMENT || result == CDG_ERROR_SCENE || result == CDG_ERROR_UNSUPPORTED
               ? EXIT_STATUS_REFUSED
               : EXIT_STATUS_FAILED;
}

static bool parse_speed(const command_line *line, double *out) {
    const char *text = option_text(line, "speed");
    char *end;
    *out = 1;
    if (!text) return true;
    *out = strtod(text, &end);
    if (end != text && !*end && isfinite(*out) && *out >= 1e-6 && *out <= 1e6) return true;
    complain("--speed is a number above 0, not '%s'", text);
    return false;
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
        return status_of(result);
    }
    printf("%s\n", cdg_server_address(server));
    if (!has_option(line, "quiet")) fprintf(stderr, "Ctrl-C ends.\n");
    fflush(stdout);
    if (!has_option(line, "no-browser") && has_display()) open_browser(cdg_server_address(server));
    cdg_server_run(server, stage, interrupt_was_asked);
    cdg_stage_stop(stage);
    return EXIT_STATUS_DONE;
}

// A directory, or a run file.
static bool is_run(const char *path) {
    struct stat status;
    size_t length = strlen(path);
    if (stat(path, &status) != 0) return false;
    return S_ISDIR(status.st_mode) || (length > 3 && strcmp(path + length - 3, ".h5") == 0);
}

static cdg_result make_act(const command_line *line, cdg_act *act, cdg_error *error) {
    if (is_run(line->words[0]) || line->word_count > 1)
        return cdg_replay_create(line->words, line->word_count, act, error);
    loaded_scene loaded = load_scene(line->words[0], line);
    if (loaded.result != CDG_OK) {
        loaded_scene_free(&loaded);
        error->message[0] = '\0'; // it has been told
        return loaded.result;
    }
    cdg_live_def def = {.scene = loaded.scene, .thread_count = (int)option_integer(line, "threads", 0)};
    return cdg_live_create(&def, act, error);
}

exit_status cmd_view(const command_line *line) {
    cdg_board board;
    cdg_server *server = NULL;
    cdg_act act;
    cdg_error error;
    double speed;
    if (!parse_speed(line, &speed)) return EXIT_STATUS_REFUSED;
    interrupt_watch();
    cdg_result result = make_act(line, &act, &error);
    if (result != CDG_OK) {
        if (error.message[0]) complain("%s", error.message);
        return status_of(result);
    }
    cdg_board_init(&board);
    cdg_server_def def = {
        .board = &board, .listen = option_text(line, "listen"), .port = (int)option_integer(line, "port", 0)};
    exit_status status;
    if ((result = cdg_server_create(&def, &server, &error)) != CDG_OK) {
        complain("%s", error.message);
        act.destroy(act.self);
        status = status_of(result);
    } else {
        status = serve(line, server, &board, act, speed);
    }
    cdg_server_destroy(server);
    cdg_board_free(&board);
    return status;
}
