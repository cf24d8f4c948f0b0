// Opens the run, looks through it once, places the camera, then takes one picture after the other.
#include "render/render_run.h"

#include "base/error.h"
#include "base/parallel.h"
#include "math/vec3.h"
#include "output/fiber_reader.h"
#include "output/run_scene.h"
#include "output/whole_file.h"
#include "plot/canvas.h"
#include "render/annotations.h"
#include "render/film.h"
#include "render/follow.h"
#include "render/legend.h"
#include "render/name_list.h"
#include "render/rest_line.h"
#include "render/rod_meshes.h"
#include "render/run_survey.h"
#include "render/sheet.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const double thinnest_pixels = 2.2; // rods are at least this thick; less flickers and looks like a hair

cdg_render_def cdg_render_def_default(void) {
    return (cdg_render_def){.width = 1280,
                            .height = 720,
                            .fps = 30,
                            .speed = 1,
                            .camera = cdg_camera_wish_default(),
                            .has_supports = true,
                            .thickness = 1,
                            .quality = {.edge_samples = 16, .ground_samples = 1},
                            .background = cdg_background_default()};
}

// ---- what a user writes ---------------------------------------------------------------------------------------------

cdg_result cdg_picture_quality_parse(const char *text, cdg_picture_quality *out, cdg_error *error) {
    static const struct {
        const char *name;
        cdg_picture_quality quality;
    } known[] = {{"draft", {4, 1}}, {"normal", {16, 1}}, {"fine", {64, 8}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].name) == 0) {
            *out = known[i].quality;
            return CDG_OK;
        }
    char *end;
    long samples = strtol(text, &end, 10);
    if (end == text || *end || samples < 1 || samples > CDG_SAMPLES_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--quality is draft, normal, fine or the samples in a pixel, 1 to %d, not '%s'",
                        CDG_SAMPLES_MAX, text);
    *out = (cdg_picture_quality){.edge_samples = (int)samples, .ground_samples = (int)(samples + 7) / 8};
    return CDG_OK;
}

cdg_result cdg_picture_size_parse(const char *text, int *width, int *height, cdg_error *error) {
    enum { SIDE_MIN = 16 };
    char rest;
    bool is_right = strspn(text, "0123456789x") == strlen(text) && strlen(text) <= 11 &&
                    sscanf(text, "%dx%d%c", width, height, &rest) == 2;
    if (!is_right || *width < SIDE_MIN || *height < SIDE_MIN || *width > CDG_PICTURE_SIDE_MAX ||
        *height > CDG_PICTURE_SIDE_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--size is width x height in pixels such as 1280x720, each from %d to %d, not '%s'", SIDE_MIN,
                        CDG_PICTURE_SIDE_MAX, text);
    return CDG_OK;
}

cdg_result cdg_range_parse(const char *text, double range[2], cdg_error *error) {
    char *middle, *end;
    range[0] = strtod(text, &middle);
    range[1] = *middle == ':' ? strtod(middle + 1, &end) : 0;
    if (middle == text || *middle != ':' || end == middle + 1 || *end || !isfinite(range[0]) || !isfinite(range[1]) ||
        !(range[0] < range[1]))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--range is two numbers, the smaller first, such as 0:2.5 or -3:3, not '%s'", text);
    return CDG_OK;
}

// ---- one picture after the other ------------------------------------------------------------------------------------

typedef enum output_kind { OUTPUT_PICTURE, OUTPUT_FILM } output_kind;

typedef struct render_state {
    const cdg_render_def *def;
    output_kind kind;
    cdg_run_reader *reader;
    cdg_run_player *player;
    cdg_run_survey survey;
    cdg_rod_meshes *meshes;
    cdg_ray_tracer *tracer;
    cdg_picture_def picture; // one picture; a sheet's are smaller
    cdg_color_map map;
    cdg_legend legend; // of one picture; a sheet's pictures share the colours' meaning, which is drawn once
    cdg_annotations annotations;
    cdg_scene *scene;          // of the run, where pictures explain it
    cdg_camera camera;         // m, where it stands when it does not follow anything, or at the run's first output
    cdg_rest_lines rest_lines; // of a vibration
    double thickened[2];       // least and most, of all pictures so far
    char note[96], caption[64];
    double time_step; // s, to write times with
    cdg_sheet sheet;
    cdg_render_progress progress;
} render_state;

static bool ends_with(const char *text, const char *ending) {
    size_t length = strlen(text), part = strlen(ending);
    return length > part && strcasecmp(text + length - part, ending) == 0;
}

static cdg_result check(const cdg_render_def *def, output_kind *kind, cdg_error *error) {
    *kind = cdg_film_is_film(def->output) ? OUTPUT_FILM : OUTPUT_PICTURE;
    if (*kind == OUTPUT_PICTURE && !ends_with(def->output, ".png"))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "%s: cannot tell what to write from this name; let it end in .png for a picture, .mp4, .webm "
                        "or .gif for a film",
                        def->output);
    bool is_list = def->moments.count > 0 && !def->moments.is_span;
    if (*kind == OUTPUT_FILM && (def->has_time || def->has_frame || is_list))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--time and --frame choose one picture, but %s is a film; write a .png, leave them out, or "
                        "give where the film begins and ends: --time 0.2:1",
                        def->output);
    if (*kind == OUTPUT_PICTURE && def->sheet_columns == 0 && def->moments.count > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "one picture shows one time; several belong to --sheet, and a film begins and ends at two");
    if (*kind == OUTPUT_FILM && def->sheet_columns > 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--sheet is one picture, but %s is a film; write a .png",
                        def->output);
    if (def->sheet_columns > 0 && (def->has_time || def->has_frame))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--sheet shows the whole run, or what --time 0.2:1 or --time 0.2,0.5,1 chooses of it; one time "
                        "or --frame is one picture");
    size_t cells = (size_t)def->sheet_columns * (size_t)def->sheet_rows;
    if (is_list && def->moments.count != cells)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a sheet of %d x %d has %zu pictures, but --time gives %zu times",
                        def->sheet_columns, def->sheet_rows, cells, def->moments.count);
    if ((def->has_time || def->moments.count > 0) && def->has_frame)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--time and --frame exclude each other; leave one out");
    if (*kind == OUTPUT_FILM && (def->width % 2 != 0 || def->height % 2 != 0))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "a film's width and height must be even, not %d x %d; try %d x %d",
                        def->width, def->height, def->width + def->width % 2, def->height + def->height % 2);
    return CDG_OK;
}

static cdg_result check_moment(const cdg_render_def *def, const cdg_run_reader *reader, cdg_error *error) {
    double first = reader->times[0], last = first;
    for (size_t i = 1; i < reader->frame_count; i++) { // times of static runs may turn back
        first = fmin(first, reader->times[i]);
        last = fmax(last, reader->times[i]);
    }
    double slack = 1e-9 * fmax(fabs(first), fabs(last)); // times that were printed and typed again
    for (size_t i = 0; i < def->moments.count + def->has_time; i++) {
        double time = def->has_time ? def->time : def->moments.times[i];
        if (!(time >= first - slack && time <= last + slack))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "--time %g is outside of the run, which goes from %g to %g s",
                            time, first, last);
    }
    if (def->has_frame && def->frame >= reader->frame_count)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--frame %zu is outside of the run, which has outputs 0 to %zu",
                        def->frame, reader->frame_count - 1);
    return CDG_OK;
}

// A time of the run by the reader's `play`.
static double play_of(const cdg_run_reader *reader, double time) {
    if (reader->turns_back) return reader->play[cdg_run_reader_nearest_frame(reader, time)];
    return fmin(fmax(time, reader->play[0]), reader->play[reader->frame_count - 1]);
}

// The moment that a picture shows, by the reader's `play`: the last one unless asked otherwise.
static double chosen_time(const cdg_render_def *def, const cdg_run_reader *reader) {
    if (def->has_time) return play_of(reader, def->time);
    return reader->play[def->has_frame ? def->frame : reader->frame_count - 1];
}

// The part of the run that a film or a sheet shows.
static void find_span(const cdg_render_def *def, const cdg_run_reader *reader, double span[2]) {
    span[0] = reader->play[0], span[1] = reader->play[reader->frame_count - 1];
    for (size_t i = 0; i < def->moments.count; i++) {
        double at = play_of(reader, def->moments.times[i]);
        span[0] = i > 0 ? fmin(span[0], at) : at;
        span[1] = i > 0 ? fmax(span[1], at) : at;
    }
}

static cdg_camera to_picture_units(const cdg_camera *camera, const cdg_run_survey *survey) {
    cdg_camera out = *camera;
    out.from = vec3_scale(1 / survey->scale, vec3_sub(camera->from, survey->center));
    return out;
}

static void prepare_legend(render_state *state) {
    const cdg_render_def *def = state->def;
    cdg_legend *legend = &state->legend;
    legend->is_on_dark = cdg_background_is_dark(&def->background);
    if (def->field.is_set) {
        if (def->has_range) memcpy(state->survey.range, def->range, sizeof def->range);
        state->map = cdg_rod_field_color_map(state->survey.range);
        legend->has_map = !def->is_plain && def->sheet_columns == 0;
        legend->name = def->field.view.name;
        legend->unit = def->field.view.shown;
        legend->map = &state->map;
        legend->is_count = def->field.view.field == CDG_FIELD_level;
        for (int k = 0; k < 2; k++) {
            legend->range[k] = state->survey.range[k];
            legend->reaches_beyond[k] = !def->has_range && state->survey.reaches_beyond[k];
        }
    }
    const cdg_run_reader *reader = state->reader;
    legend->is_static = reader->is_static;
    legend->caption = def->caption;
    if (!legend->caption && reader->is_static && reader->frame_count == 1) legend->caption = "equilibrium";
    double duration = state->survey.span[1] - state->survey.span[0];
    state->time_step = duration > 0 ? pow(10, floor(log10(duration / 20))) : 1e-3;
    cdg_moments chosen = def->has_time ? (cdg_moments){.count = 1, .times = {def->time}} : def->moments;
    state->time_step = cdg_moments_step(&chosen, state->time_step);
}

// A vibration's number and frequency in place of the time, and where the rods are without it: a quarter of a period
// after the first output.
static cdg_result caption_mode(render_state *state, const cdg_camera *camera, cdg_error *error) {
    const cdg_run_reader *reader = state->reader;
    double *frequencies = calloc(reader->mode_count + 1, sizeof *frequencies);
    if (!frequencies) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for frequencies");
    cdg_result result = reader->rod_count > 0 ? cdg_run_reader_modes(reader, 0, frequencies, NULL, error)
                                              : cdg_run_reader_solid_modes(reader, 0, frequencies, NULL, error);
    double frequency =
        result == CDG_OK && state->def->mode <= reader->mode_count ? frequencies[state->def->mode - 1] : NAN;
    free(frequencies);
    if (result != CDG_OK) return result;
    if (isfinite(frequency) && reader->rod_count + reader->solid_count == 1)
        snprintf(state->caption, sizeof state->caption, "mode %zu: %.4g Hz", state->def->mode, frequency);
    else
        snprintf(state->caption, sizeof state->caption, "mode %zu", state->def->mode);
    state->legend.caption = state->caption;
    double first = reader->play[0], last = reader->play[reader->frame_count - 1];
    result = cdg_run_player_seek(state->player, first + 0.25 * (last - first), error);
    if (result == CDG_OK)
        result = cdg_rest_lines_make(state->player, camera, state->picture.width, state->picture.height,
                                     &state->rest_lines, error);
    return result;
}

// Where the camera stands at the present moment, which depends on the room that the legend leaves.
static cdg_result frame_moment(render_state *state, cdg_camera *out, cdg_error *error) {
    const cdg_render_def *def = state->def;
    int width = state->picture.width, height = state->picture.height;
    double legend = 2 * cdg_legend_share(&state->legend, width, height);
    cdg_camera_wish wish = def->camera;
    bool is_still = state->kind == OUTPUT_PICTURE && def->sheet_columns == 0;
    wish.keeps_side = def->sheet_columns > 0;
    if (!wish.has_fit)
        wish.fits_moment = is_still && wish.follow[0] == '\0'; // a still of what moves is one of its film
    double base = fmax(0.09, cdg_legend_base(width, height));  // small pictures have large letters
    cdg_camera_window window = {.left = -0.90, .right = 0.90 - legend, .bottom = 2 * base - 1, .top = 0.86};
    return cdg_run_survey_frame(state->player, &state->survey, &wish, (double)width / height, window, out, error);
}

// The scene's own floor, or what was asked for.
static void place_ground(render_state *state) {
    const cdg_render_def *def = state->def;
    const cdg_run_survey *survey = &state->survey;
    cdg_picture_scene *scene = state->meshes->scene;
    scene->has_ground = def->ground == CDG_GROUND_ON || (def->ground == CDG_GROUND_AUTO && survey->has_floor);
    scene->up = survey->up;
    double lowest = survey->lowest - state->meshes->extra_radius;
    // The scene's own floor, when it is so near that shadows fall on it.
    if (survey->has_floor && survey->floor > lowest - survey->scale) lowest = fmin(lowest, survey->floor);
    scene->ground_height = (lowest - vec3_dot(survey->center, survey->up)) / survey->scale - 1e-4;
}

static void set_camera(render_state *state, cdg_camera camera) {
    state->annotations.camera = camera;
    state->picture.camera = to_picture_units(&camera, &state->survey);
}

// Size of a pixel where the camera looks at, m.
static double pixel_size(const render_state *state, const cdg_camera *camera) {
    const cdg_camera_wish *wish = &state->def->camera;
    cdg_vec3 at = state->survey.center;
    if (wish->has_from && wish->has_at) at = wish->at;
    if (wish->follow[0] != '\0') at = state->survey.followed;
    double depth = vec3_dot(vec3_sub(at, camera->from), camera->forward);
    if (!(depth > 0.1 * state->survey.scale)) depth = 0.1 * state->survey.scale; // within the scene
    return 2 * depth * camera->slope_right / state->picture.width;
}

// Rods as thick as it takes to be seen where a pixel has this size, m.
static cdg_result make_meshes(render_state *state, double pixel, cdg_error *error) {
    const cdg_render_def *def = state->def;
    const cdg_run_survey *survey = &state->survey;
    cdg_rod_meshes_def meshes = {.center = survey->center,
                                 .scale = survey->scale,
                                 .up = survey->up,
                                 .thickness = def->thickness,
                                 .smallest_radius = 0.5 * thinnest_pixels * pixel,
                                 .pixel = pixel,
                                 .has_field = def->field.is_set,
                                 .range = {survey->range[0], survey->range[1]},
                                 .has_contacts = def->has_contacts,
                                 .has_nodes = def->has_nodes,
                                 .has_supports = def->has_supports,
                                 .hidden = def->hidden,
                                 .see_through = def->see_through,
                                 .has_stripe = def->has_stripe};
    cdg_rod_meshes_destroy(state->meshes);
    cdg_result result = cdg_rod_meshes_create(state->player, &meshes, &state->meshes, error);
    if (result != CDG_OK) return result;
    state->thickened[0] = fmin(state->thickened[0], state->meshes->least_thickened);
    state->thickened[1] = fmax(state->thickened[1], state->meshes->most_thickened);
    state->picture.scene = state->meshes->scene;
    return CDG_OK;
}

// The camera goes along with what it follows; on a sheet of moments that each fill their picture it stands anew.
static cdg_result move_camera(render_state *state, cdg_error *error) {
    const cdg_camera_wish *wish = &state->def->camera;
    bool fits_each = state->def->sheet_columns > 0 && wish->has_fit && wish->fits_moment;
    cdg_camera camera = state->camera;
    cdg_result result = CDG_OK;
    if (!fits_each && wish->follow[0] == '\0') return CDG_OK;
    if (fits_each) {
        result = frame_moment(state, &camera, error);
        if (result == CDG_OK) result = make_meshes(state, pixel_size(state, &camera), error);
        if (result == CDG_OK) place_ground(state);
    }
    if (result == CDG_OK && wish->follow[0] != '\0') {
        cdg_vec3 middle;
        result = cdg_follow_middle(state->player, wish->follow, &middle, error);
        if (result == CDG_OK) camera.from = vec3_add(camera.from, vec3_sub(middle, state->survey.followed));
    }
    if (result == CDG_OK) set_camera(state, camera);
    return result;
}

// Where the camera stands, and how thick rods must be to be seen.
static cdg_result place_camera(render_state *state, cdg_render_report *report, double *pixel, cdg_error *error) {
    const cdg_render_def *def = state->def;
    cdg_camera camera;
    cdg_result result = frame_moment(state, &camera, error);
    if (result == CDG_OK && def->mode > 0) result = caption_mode(state, &camera, error);
    if (result != CDG_OK) return result;
    state->camera = report->camera = camera;
    double share = cdg_legend_share(&state->legend, state->picture.width, state->picture.height);
    state->annotations = (cdg_annotations){.scene = state->scene,
                                           .center = state->survey.center,
                                           .margin = (int)(share * state->picture.width),
                                           .is_on_dark = cdg_background_is_dark(&def->background)};
    set_camera(state, camera);
    *pixel = pixel_size(state, &camera);
    return CDG_OK;
}

static bool goes_on(void *user) {
    const render_state *state = user;
    return !state->def->on_progress || state->def->on_progress(state->def->user, &state->progress);
}

static cdg_result prepare(render_state *state, cdg_render_report *report, cdg_error *error) {
    const cdg_render_def *def = state->def;
    cdg_run_survey *survey = &state->survey;
    cdg_result result = cdg_run_player_create(state->reader, &def->field, &state->player, error);
    if (result == CDG_OK) result = cdg_run_survey_make(state->player, survey, error);
    find_span(def, state->reader, survey->span);
    survey->hidden = def->hidden;
    if (result == CDG_OK && def->camera.follow[0] != '\0') {
        result = cdg_run_player_seek(state->player, state->reader->play[0], error);
        if (result == CDG_OK) result = cdg_follow_middle(state->player, def->camera.follow, &survey->followed, error);
    }
    if (result == CDG_OK) result = cdg_run_player_seek(state->player, chosen_time(def, state->reader), error);
    if (result != CDG_OK) return result;
    report->is_recomputed = cdg_rod_field_is_of_rods(&def->field) && state->reader->is_recomputed &&
                            (cdg_field_get(def->field.view.field).traits & CDG_FIELD_LATER) != 0;
    prepare_legend(state);
    double pixel = 0;
    result = place_camera(state, report, &pixel, error);
    if (result != CDG_OK) return result;
    result = make_meshes(state, pixel, error);
    if (result == CDG_OK) result = cdg_ray_tracer_create(&state->tracer, error);
    if (result != CDG_OK) return result;
    place_ground(state);
    cdg_vec3 upward = def->camera.has_up ? def->camera.up : survey->up;
    state->picture.tracer = state->tracer;
    state->picture.goes_on = goes_on;
    state->picture.user = state;
    state->picture.studio = cdg_studio_make(&state->picture.camera, upward, &def->background);
    report->has_ground = state->meshes->scene->has_ground;
    memcpy(report->range, survey->range, sizeof report->range);
    return CDG_OK;
}

// Says by how much the rods of all pictures so far are thicker than they are.
static void note_thickness(render_state *state) {
    const double *thickened = state->thickened;
    if (!(thickened[1] > 1.05) || state->def->is_plain) return;
    bool is_even = thickened[0] > 0.95 * thickened[1];
    snprintf(state->note, sizeof state->note, "drawn %s%.2g\xc3\x97 thicker", is_even ? "" : "up to ", thickened[1]);
}

static cdg_result take_picture(render_state *state, double time, unsigned char *rgb, cdg_error *error) {
    if (!goes_on(state)) return cdg_fail(error, CDG_ERROR_INTERRUPTED, "stopped on request; nothing was written");
    cdg_result result = cdg_run_player_seek(state->player, time, error);
    if (result == CDG_OK) result = move_camera(state, error);
    if (result == CDG_OK) result = cdg_rod_meshes_move(state->meshes, state->player, error);
    if (result == CDG_OK) result = cdg_ray_tracer_set_scene(state->tracer, state->meshes->scene, error);
    if (result == CDG_OK) result = cdg_picture_take(&state->picture, rgb, error);
    if (result == CDG_OK && !state->def->is_plain) {
        cdg_canvas *canvas = NULL;
        result = cdg_canvas_create_from_rgb(state->picture.width, state->picture.height, rgb, &canvas, error);
        if (result != CDG_OK) return result;
        cdg_rest_lines_draw(&state->rest_lines, state->legend.is_on_dark, state->picture.height / 400.0, canvas);
        if (state->def->is_annotated)
            cdg_annotations_draw(&state->annotations, state->player, state->picture.width, state->picture.height,
                                 canvas);
        note_thickness(state);
        cdg_legend_draw(&state->legend, state->player->time, state->time_step, state->picture.width,
                        state->picture.height, canvas);
        result = cdg_canvas_read_rgb(canvas, rgb, error);
        cdg_canvas_destroy(canvas);
    }
    state->progress.done++;
    return result;
}

// ---- kinds of output ------------------------------------------------------------------------------------------------

static cdg_result write_png(const cdg_render_def *def, const unsigned char *rgb, cdg_whole_file *file,
                            cdg_error *error) {
    cdg_canvas *canvas = NULL;
    unsigned char *bytes = NULL;
    size_t size = 0;
    cdg_result result = cdg_canvas_create_from_rgb(def->width, def->height, rgb, &canvas, error);
    if (result == CDG_OK) result = cdg_canvas_encode(canvas, &bytes, &size, error);
    if (result == CDG_OK) {
        fwrite(bytes, 1, size, file->stream); // a failure is found at the end
        result = cdg_whole_file_end(file, error);
    }
    free(bytes);
    cdg_canvas_destroy(canvas);
    return result;
}

static cdg_result render_one(render_state *state, unsigned char *rgb, cdg_render_report *report, cdg_error *error) {
    double time = chosen_time(state->def, state->reader);
    report->first_time = report->last_time = time;
    state->progress.total = 1;
    return take_picture(state, time, rgb, error);
}

// Beside all of the sheet's pictures.
static cdg_result draw_sheet_legend(const render_state *state, unsigned char *rgb, cdg_error *error) {
    int width = state->def->width, height = state->def->height;
    cdg_legend legend = state->legend;
    legend.has_map = true, legend.note = NULL;
    cdg_canvas *canvas = NULL;
    cdg_result result = cdg_canvas_create_from_rgb(width, height, rgb, &canvas, error);
    if (result != CDG_OK) return result;
    cdg_legend_draw(&legend, NAN, 1, width, height, canvas);
    result = cdg_canvas_read_rgb(canvas, rgb, error);
    cdg_canvas_destroy(canvas);
    return result;
}

static cdg_result render_sheet(render_state *state, unsigned char *rgb, cdg_render_report *report, cdg_error *error) {
    const cdg_render_def *def = state->def;
    const cdg_sheet *sheet = &state->sheet;
    size_t whole = 3 * (size_t)def->width * (size_t)def->height;
    unsigned char *cell = malloc(3 * (size_t)sheet->cell_width * (size_t)sheet->cell_height);
    if (!cell) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the sheet");
    memset(rgb, state->legend.is_on_dark ? CDG_DARK_PAPER : 255, whole);
    const double *span = state->survey.span;
    size_t count = (size_t)sheet->columns * (size_t)sheet->rows;
    state->progress.total = count;
    report->first_time = span[0], report->last_time = count > 1 ? span[1] : span[0];
    cdg_result result = CDG_OK;
    bool is_list = def->moments.count > 0 && !def->moments.is_span;
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        double time = cdg_moments_at(&def->moments, i, count, span[0], span[1]);
        if (is_list) time = play_of(state->reader, time);
        state->legend.note = i + 1 == count ? state->note : NULL; // it holds for all
        result = take_picture(state, time, cell, error);
        if (result == CDG_OK) cdg_sheet_put(sheet, (int)i, cell, rgb);
    }
    free(cell);
    if (result == CDG_OK && sheet->margin > 0) result = draw_sheet_legend(state, rgb, error);
    return result;
}

// The file is begun first: a place that cannot be written to is found before the work.
static cdg_result render_picture(render_state *state, unsigned char *rgb, cdg_render_report *report, cdg_error *error) {
    const cdg_render_def *def = state->def;
    cdg_whole_file file;
    cdg_result result = cdg_whole_file_begin(def->output, &file, error);
    if (result != CDG_OK) return result;
    result = def->sheet_columns > 0 ? render_sheet(state, rgb, report, error) : render_one(state, rgb, report, error);
    if (result == CDG_OK) result = write_png(def, rgb, &file, error);
    cdg_whole_file_abandon(&file);
    return result;
}

static cdg_result render_film(render_state *state, unsigned char *rgb, cdg_render_report *report, cdg_error *error) {
    const cdg_render_def *def = state->def;
    double first = state->survey.span[0], last = state->survey.span[1], step = def->speed / def->fps;
    double wanted = floor((last - first) / step + 1e-6) + 1;
    if (!(wanted <= 1e6))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "the film would have %.3g pictures; give a larger --speed or a smaller --fps", wanted);
    size_t count = (size_t)wanted;
    if (count > 1) count--; // a run of 5 s at 30 a second: 150 pictures, the last one shown until 5 s
    state->progress.total = count;
    report->first_time = first, report->last_time = first + (double)(count - 1) * step;
    cdg_film *film = NULL;
    cdg_result result = cdg_film_begin(def->output, def->width, def->height, def->fps, &film, error);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        result = take_picture(state, first + (double)i * step, rgb, error);
        if (result == CDG_OK) result = cdg_film_add(film, rgb, error);
    }
    if (result == CDG_OK) return cdg_film_end(film, error);
    cdg_film_abandon(film);
    return result;
}

static cdg_result render(render_state *state, cdg_render_report *report, cdg_error *error) {
    const cdg_render_def *def = state->def;
    unsigned char *rgb = malloc(3 * (size_t)def->width * (size_t)def->height);
    if (!rgb)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture of %d x %d", def->width, def->height);
    cdg_result result = prepare(state, report, error);
    if (result == CDG_OK)
        result = state->kind == OUTPUT_FILM ? render_film(state, rgb, report, error)
                                            : render_picture(state, rgb, report, error);
    report->picture_count = state->progress.done;
    report->thickened = fmax(1, state->thickened[1]);
    free(rgb);
    return result;
}

cdg_result cdg_render_run(const cdg_render_def *def, cdg_render_report *report, cdg_error *error) {
    *report = (cdg_render_report){.thickened = 1};
    render_state state = {.def = def, .thickened = {INFINITY, 0}};
    state.legend.note = state.note;
    cdg_result result = check(def, &state.kind, error);
    state.picture = (cdg_picture_def){.width = def->width,
                                      .height = def->height,
                                      .threads = def->threads > 0 ? def->threads : cdg_parallel_default_threads(),
                                      .quality = def->quality};
    if (result == CDG_OK && def->sheet_columns > 0) {
        cdg_legend legend = {.has_map = def->field.is_set && !def->is_plain};
        int margin = (int)(cdg_legend_share(&legend, def->width, def->height) * def->width);
        result =
            cdg_sheet_make(def->sheet_columns, def->sheet_rows, def->width, def->height, margin, &state.sheet, error);
        state.picture.width = state.sheet.cell_width;
        state.picture.height = state.sheet.cell_height;
    }
    if (result == CDG_OK) result = cdg_run_reader_open(def->run, &state.reader, error);
    if (result == CDG_OK) state.reader->is_for_pictures = true;
    if (result == CDG_OK && !def->has_no_fibers) result = cdg_run_reader_add_fibers(state.reader, error);
    if (result == CDG_OK && def->mode > 0)
        result = cdg_run_reader_show_mode(state.reader, def->mode, def->amplitude, error);
    if (result == CDG_OK) result = check_moment(def, state.reader, error);
    if (result == CDG_OK) result = cdg_rod_field_check(&def->field, state.reader, error);
    if (result == CDG_OK) result = cdg_name_list_check(def->hidden, "--hide", state.reader, error);
    if (result == CDG_OK) result = cdg_name_list_check(def->see_through, "--see-through", state.reader, error);
    if (result == CDG_OK && def->is_annotated) state.scene = cdg_run_reader_scene(state.reader);
    if (result == CDG_OK) result = render(&state, report, error);
    cdg_ray_tracer_destroy(state.tracer);
    cdg_rod_meshes_destroy(state.meshes);
    cdg_run_player_destroy(state.player);
    cdg_scene_destroy(state.scene);
    cdg_rest_lines_free(&state.rest_lines);
    cdg_run_reader_close(state.reader);
    return result;
}
