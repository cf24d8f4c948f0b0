// cordage render: a picture, a contact sheet or a film of a run.
#include "commands.h"

#include "base/error.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "mesh_picture.h"
#include "mix_up.h"
#include "progress.h"
#include "render/film.h"
#include "render/render_run.h"
#include "render/sheet.h"
#include "scene_source.h"
#include "temporary_run.h"
#include "terminal.h"

#include <cordage/run.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

typedef struct render_request {
    const command_line *line;
    progress_bar bar;
    double start; // s
    cdg_render_report report;
} render_request;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool on_progress(void *user, const cdg_render_progress *progress) {
    render_request *request = user;
    double elapsed = now() - request->start;
    if (progress->total > 1 && progress_is_due(&request->bar, elapsed)) {
        char count[64], eta[96], rate[64];
        double done = (double)progress->done, left = (double)(progress->total - progress->done);
        snprintf(count, sizeof count, "%zu/%zu pictures", progress->done, progress->total);
        snprintf(eta, sizeof eta, "ETA %s", done > 0 ? format_seconds(ceil(left * elapsed / done)).text : "?");
        snprintf(rate, sizeof rate, "%.3g a second", done / fmax(elapsed, 1e-6));
        const char *const parts[] = {count, eta, rate};
        progress_draw(&request->bar, elapsed, done / (double)progress->total, parts, 3);
    }
    return !interrupt_was_asked();
}

// A scene as it begins: a run with one output.
static cdg_result write_start(const command_line *line, const char *directory, cdg_error *error) {
    loaded_scene loaded = load_scene(line->words[0], line);
    cdg_result result = loaded.result;
    if (result == CDG_OK) {
        cdg_run_def def = cdg_run_def_default();
        def.scene = loaded.scene;
        def.directory = directory;
        def.start_only = true;
        def.thread_count = 1;
        result = cdg_run(&def, NULL, error);
        if (result != CDG_OK) complain_of_scene(loaded.scene, error->message);
    }
    cdg_error_clear(error); // it was told
    loaded_scene_free(&loaded);
    return result;
}

// What is drawn of a scene: its start, explained. Films and chosen times need a run.
static cdg_result prepare_scene(const command_line *line, cdg_render_def *def, char *directory, cdg_error *error) {
    if (cdg_film_is_film(def->output) || def->has_time || def->moments.count > 0 || def->has_frame ||
        def->sheet_columns > 0 || def->mode > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s is a scene, of which one picture of its start can be drawn; for more run it first: cordage "
                        "run %s",
                        line->words[0], line->words[0]);
    def->is_annotated = !def->is_plain;
    def->caption = "start";
    cdg_result result = temporary_run_begin(directory, error);
    if (result == CDG_OK) result = write_start(line, directory, error);
    def->run = directory;
    return result;
}

// A number above zero with nothing behind it.
static cdg_result parse_positive(const char *name, const char *text, double most, double *out, cdg_error *error) {
    char *end;
    *out = strtod(text, &end);
    if (end != text && !*end && isfinite(*out) && *out > 0 && *out <= most) return CDG_OK;
    snprintf(error->message, sizeof error->message, "--%s is a number above 0 and up to %g, not '%s'", name, most,
             text);
    return error->code = CDG_ERROR_ARGUMENT;
}

// One time chooses a picture, several or a span those of a sheet or a film.
static cdg_result parse_time(const char *text, cdg_render_def *def, cdg_error *error) {
    cdg_result result = cdg_moments_parse(text, &def->moments, error);
    if (result != CDG_OK || def->moments.count > 1) return result;
    def->has_time = true;
    def->time = def->moments.times[0];
    def->moments.count = 0;
    return CDG_OK;
}

static cdg_result parse_look(const command_line *line, cdg_render_def *def, cdg_error *error) {
    const char *text;
    cdg_result result = CDG_OK;
    if ((text = option_text(line, "camera"))) result = cdg_camera_parse(text, &def->camera, error);
    if (result == CDG_OK && (text = option_text(line, "color"))) result = cdg_rod_field_parse(text, &def->field, error);
    if (result == CDG_OK && (text = option_text(line, "range"))) {
        result = cdg_range_parse(text, def->range, error);
        def->has_range = true;
        if (result == CDG_OK && !def->field.is_set) {
            snprintf(error->message, sizeof error->message, "--range belongs to a field; add --color twist or another");
            result = error->code = CDG_ERROR_ARGUMENT;
        }
    }
    if (result == CDG_OK && (text = option_text(line, "background")))
        result = cdg_background_parse(text, &def->background, error);
    if (result == CDG_OK && (text = option_text(line, "quality")))
        result = cdg_picture_quality_parse(text, &def->quality, error);
    if (result == CDG_OK && (text = option_text(line, "thickness")))
        result = parse_positive("thickness", text, 1000, &def->thickness, error);
    if (result == CDG_OK && has_option(line, "ground") && has_option(line, "no-ground")) {
        snprintf(error->message, sizeof error->message, "--ground and --no-ground exclude each other; leave one out");
        result = error->code = CDG_ERROR_ARGUMENT;
    }
    if (has_option(line, "ground")) def->ground = CDG_GROUND_ON;
    if (has_option(line, "no-ground")) def->ground = CDG_GROUND_OFF;
    def->has_contacts = has_option(line, "contacts");
    def->has_nodes = has_option(line, "nodes");
    def->has_stripe = has_option(line, "stripe");
    def->has_supports = !has_option(line, "no-supports");
    def->is_annotated = has_option(line, "annotate");
    def->hidden = option_text(line, "hide");
    def->see_through = option_text(line, "see-through");
    def->has_no_fibers = has_option(line, "no-fibers");
    def->is_plain = has_option(line, "plain");
    return result;
}

static cdg_result parse(const command_line *line, cdg_render_def *def, cdg_error *error) {
    const char *text;
    cdg_result result = CDG_OK;
    def->run = line->words[0];
    def->output = option_text(line, "output");
    if (!def->output) {
        snprintf(error->message, sizeof error->message,
                 "'cordage render' needs a file to write: cordage render %s -o picture.png, or -o film.mp4", def->run);
        return error->code = CDG_ERROR_ARGUMENT;
    }
    if ((text = option_text(line, "size"))) result = cdg_picture_size_parse(text, &def->width, &def->height, error);
    if (result == CDG_OK && (text = option_text(line, "fps")))
        result = parse_positive("fps", text, 240, &def->fps, error);
    if (result == CDG_OK && (text = option_text(line, "speed")))
        result = parse_positive("speed", text, 1e9, &def->speed, error);
    if (result == CDG_OK && (text = option_text(line, "time"))) result = parse_time(text, def, error);
    if (result == CDG_OK && has_option(line, "frame")) {
        def->has_frame = true;
        def->frame = (size_t)option_integer(line, "frame", 0);
    }
    def->mode = (size_t)option_integer(line, "mode", 0);
    if (result == CDG_OK && (text = option_text(line, "amplitude")))
        result = parse_positive("amplitude", text, 1e6, &def->amplitude, error);
    if (result == CDG_OK && def->amplitude > 0 && def->mode == 0) {
        snprintf(error->message, sizeof error->message, "--amplitude belongs to --mode; give that, too");
        result = error->code = CDG_ERROR_ARGUMENT;
    }
    if (result == CDG_OK && (text = option_text(line, "sheet")))
        result = cdg_sheet_parse(text, &def->sheet_columns, &def->sheet_rows, error);
    if (result == CDG_OK && has_option(line, "cut")) {
        snprintf(error->message, sizeof error->message, "--cut opens a mesh; a run is not cut, so leave it out");
        result = error->code = CDG_ERROR_ARGUMENT;
    }
    def->threads = (int)option_integer(line, "threads", 0);
    return result == CDG_OK ? parse_look(line, def, error) : result;
}

// A missing or damaged run is a wrong request. A disk that fills up is not, nor is lack of memory.
static exit_status status_of(cdg_result result, bool has_begun) {
    switch (result) {
    case CDG_OK: return EXIT_STATUS_DONE;
    case CDG_ERROR_MEMORY:
    case CDG_ERROR_INTERRUPTED: return EXIT_STATUS_FAILED;
    case CDG_ERROR_IO: return has_begun ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
    default: return EXIT_STATUS_REFUSED;
    }
}

static double file_size(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 ? (double)status.st_size : 0;
}

static void print_report(const cdg_render_def *def, const cdg_render_report *report, double seconds) {
    printf("%s: %d x %d, %s, %s, in %s\n", def->output, def->width, def->height,
           format_plural(report->picture_count, "picture").text, format_bytes(file_size(def->output)).text,
           format_seconds(seconds).text);
    if (report->picture_count > 1)
        printf("  time      %s to %s\n", format_seconds(report->first_time).text,
               format_seconds(report->last_time).text);
    else
        printf("  time      %s\n", format_seconds(report->first_time).text);
    const cdg_camera *camera = &report->camera;
    printf("  camera    \"from=%.4g,%.4g,%.4g at=%.4g,%.4g,%.4g fov=%.3g\"\n", camera->from.x, camera->from.y,
           camera->from.z, camera->from.x + camera->forward.x, camera->from.y + camera->forward.y,
           camera->from.z + camera->forward.z, 2 * atan(camera->slope_up) * 57.29577951308232);
    if (def->field.is_set)
        printf("  color     %s, %.4g to %.4g %s\n", def->field.view.name, report->range[0], report->range[1],
               def->field.view.shown);
    if (report->thickened > 1.05)
        printf("  rods      drawn up to %.2gx thicker%s\n", report->thickened,
               def->thickness > 1 ? "" : " where they would be too thin to be seen");
}

static void print_json(const command_line *line, const cdg_render_def *def, const render_request *request,
                       const cdg_error *error, exit_status status, double seconds) {
    const cdg_render_report *report = &request->report;
    cdg_json json = json_begin(line->command->name);
    cdg_json_text(&json, "outcome",
                  status == EXIT_STATUS_DONE             ? "finished"
                  : error->code == CDG_ERROR_INTERRUPTED ? "interrupted"
                  : status == EXIT_STATUS_REFUSED        ? "refused"
                                                         : "failed");
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "message", status == EXIT_STATUS_DONE ? NULL : error->message);
    cdg_json_text(&json, "run", def->run);
    cdg_json_text(&json, "output", def->output);
    if (status == EXIT_STATUS_DONE) {
        cdg_json_integer(&json, "width", (uint64_t)def->width);
        cdg_json_integer(&json, "height", (uint64_t)def->height);
        cdg_json_integer(&json, "pictures", report->picture_count);
        cdg_json_integer(&json, "bytes", (uint64_t)file_size(def->output));
        cdg_json_number(&json, "first_time", report->first_time);
        cdg_json_number(&json, "last_time", report->last_time);
        const cdg_camera *camera = &report->camera;
        const struct {
            const char *key;
            cdg_vec3 value;
        } vectors[] = {{"camera_from", camera->from}, {"camera_forward", camera->forward}, {"camera_up", camera->up}};
        for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
            cdg_json_begin_array(&json, vectors[i].key);
            cdg_json_number(&json, NULL, vectors[i].value.x);
            cdg_json_number(&json, NULL, vectors[i].value.y);
            cdg_json_number(&json, NULL, vectors[i].value.z);
            cdg_json_end(&json);
        }
        cdg_json_number(&json, "camera_fov", 2 * atan(camera->slope_up) * 57.29577951308232);
        cdg_json_text(&json, "color", def->field.is_set ? def->field.view.name : "rod");
        if (def->field.is_set) {
            cdg_json_begin_array(&json, "range");
            cdg_json_number(&json, NULL, report->range[0]);
            cdg_json_number(&json, NULL, report->range[1]);
            cdg_json_end(&json);
        }
        cdg_json_boolean(&json, "ground", report->has_ground);
        cdg_json_number(&json, "thickened", report->thickened);
        cdg_json_number(&json, "wall_seconds", seconds);
    }
    json_print(&json);
}

exit_status cmd_render(const command_line *line) {
    if (is_mesh_name(line->words[0])) return render_mesh_file(line);
    cdg_render_def def = cdg_render_def_default();
    render_request request = {.line = line, .start = now()};
    cdg_error error = {.code = CDG_OK};
    bool quiet = has_option(line, "quiet"), as_json = has_option(line, "json");
    char start[TEMPORARY_PATH_SIZE] = "";
    cdg_result result = parse(line, &def, &error);
    if (result == CDG_OK && names_scene(line->words[0]))
        result = prepare_scene(line, &def, start, &error);
    else if (result == CDG_OK && is_no_run(def.run, line->command->name, &error))
        result = error.code;
    else if (result == CDG_OK && (has_option(line, "set") || has_option(line, "model")))
        result = cdg_fail(&error, CDG_ERROR_ARGUMENT, "--set and --model change a scene, but %s is a run", def.run);
    if (result == CDG_OK) {
        interrupt_watch();
        request.bar = progress_begin(stderr, !quiet);
        def.on_progress = on_progress;
        def.user = &request;
        result = cdg_render_run(&def, &request.report, &error);
        progress_clear(&request.bar);
    }
    exit_status status = status_of(result, request.report.picture_count > 0);
    double seconds = now() - request.start;
    temporary_run_end(start);
    if (result != CDG_OK && error.message[0] != '\0') complain("%s", error.message);
    if (request.report.is_recomputed && !quiet) warn_recomputed();
    if (as_json)
        print_json(line, &def, &request, &error, status, seconds);
    else if (result == CDG_OK && !quiet)
        print_report(&def, &request.report, seconds);
    return status;
}
