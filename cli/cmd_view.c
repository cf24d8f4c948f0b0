// cordage view: a page in the browser that shows a scene while it is simulated, or a run.
#include "commands.h"
#include "interrupt.h"
#include "scene_source.h"
#include "serve_page.h"
#include "terminal.h"
#include "view/live.h"
#include "view/replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

// A directory, or a run file.
static bool is_run(const char *path) {
    struct stat status;
    size_t length = strlen(path);
    if (stat(path, &status) != 0) return false;
    return S_ISDIR(status.st_mode) || (length > 3 && strcmp(path + length - 3, ".h5") == 0);
}

// Threads wait for each other many times in a step: where the browser has taken a core, one thread fewer is faster.
static int spare_cores(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 2 ? (int)cores - 1 : 1;
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
    cdg_live_def def = {.scene = loaded.scene, .thread_count = (int)option_integer(line, "threads", spare_cores())};
    return cdg_live_create(&def, act, error);
}

exit_status cmd_view(const command_line *line) {
    cdg_act act;
    cdg_error error;
    double speed;
    if (!parse_speed(line, &speed)) return EXIT_STATUS_REFUSED;
    interrupt_watch();
    cdg_result result = make_act(line, &act, &error);
    if (result != CDG_OK) {
        if (error.message[0]) complain("%s", error.message);
        return result == CDG_ERROR_IO ? EXIT_STATUS_REFUSED : serve_status(result);
    }
    return serve_act(line, act, speed);
}
