// A world that is simulated while it is shown: steps, pictures, reset and undo.
#include "view/live.h"

#include "base/error.h"
#include "output/run_plan.h"
#include "output/whole_file.h"
#include "scene/scene.h"
#include "view/hands.h"
#include "view/moment_run.h"
#include "view/record.h"
#include "view/render_job.h"
#include "view/shown.h"
#include "view/world_picture.h"
#include "world/cuts.h"
#include "world/planned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct live {
    cdg_scene *scene;
    cdg_world *world;
    char *overrides; // of the command line, "path=value\n" each
    int thread_count;
    double step; // s
    uint32_t epoch;
    cdg_world_picture picture;
    cdg_hands hands;
    cdg_record record;
    double marked_time; // s
    size_t cut_count;   // cuts of the world that is shown
    double *values;     // of the scene's controls
    double *marked;     // a snapshot; NULL: none
    cdg_render_job job; // pictures and films
} live;

// ---- building -------------------------------------------------------------------------------------------------------

// A world of the scene at its beginning; destroyed when it cannot be shown.
static cdg_result make_world(live *l, const cdg_scene *scene, cdg_world **out, double *step, cdg_error *error) {
    cdg_world *world;
    cdg_run_plan plan;
    if (scene->mode == SCENE_STATIC)
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "the scene asks for equilibria, which have no motion to watch; run it and view its directory");
    cdg_result result = cdg_scene_build(scene, l->thread_count, &world, error);
    if (result != CDG_OK) return result;
    result = cdg_run_plan_make(scene, world, &plan, error);
    if (result == CDG_OK && cdg_world_set_step_size(world, plan.step) != CDG_OK)
        result = cdg_fail(error, CDG_ERROR_ARGUMENT, "%s", cdg_world_message(world));
    if (result == CDG_OK) result = cdg_world_picture_make(&l->picture, scene, world, error);
    if (result != CDG_OK) {
        cdg_world_destroy(world);
        return result;
    }
    *out = world;
    *step = plan.step;
    return CDG_OK;
}

static void show(live *l, cdg_world *world) {
    cdg_world_destroy(l->world);
    free(l->marked);
    l->marked = NULL;
    l->hands = (cdg_hands){0};
    l->world = world;
    l->cut_count = 0;
    l->epoch++;
}

// A world at its beginning, in the place of the one before.
static cdg_result build(live *l, cdg_error *error) {
    cdg_world *world;
    cdg_result result = make_world(l, l->scene, &world, &l->step, error);
    if (result != CDG_OK) return result;
    show(l, world);
    cdg_record_begin(&l->record, l->scene);
    return CDG_OK;
}

static void destroy(void *self) {
    live *l = self;
    cdg_render_job_end(&l->job);
    cdg_world_destroy(l->world);
    cdg_scene_destroy(l->scene);
    cdg_record_clear(&l->record);
    free(l->overrides);
    free(l->values);
    free(l->marked);
    cdg_world_picture_free(&l->picture);
    free(l);
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void put_hello(const live *l, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "hello");
    cdg_json_text(&json, "version", cdg_version());
    cdg_json_text(&json, "mode", "live");
    cdg_json_text(&json, "title", l->scene->title);
    cdg_json_text(&json, "file", l->scene->name);
    cdg_json_number(&json, "step", l->step);
    cdg_json_null(&json, "duration");
    cdg_colors_list(&json);
    cdg_json_begin_object(&json, "can");
    cdg_json_boolean(&json, "grab", true);
    cdg_json_boolean(&json, "cut", true);
    cdg_json_boolean(&json, "edit", true);
    cdg_json_boolean(&json, "record", true);
    cdg_json_end(&json);
    cdg_json_begin_array(&json, "runs");
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_HELLO, &json);
}

static void put_world(const live *l, cdg_board *board) {
    cdg_board_put(board, CDG_SLOT_WORLD, cdg_world_picture_announce(&l->picture, l->epoch));
}

// Rods were cut, or are whole again: pictures have others from now on.
static cdg_result follow_cuts(live *l, cdg_board *board, cdg_error *error) {
    if (cdg_world_cut_count(l->world) == l->cut_count) return CDG_OK;
    cdg_result result = cdg_world_picture_make(&l->picture, l->scene, l->world, error);
    if (result != CDG_OK) return result;
    l->cut_count = cdg_world_cut_count(l->world);
    l->epoch++;
    if (board != NULL) put_world(l, board);
    return CDG_OK;
}

// The text of a scene, with all that is wrong with it at its place.
static void put_text(const cdg_scene *scene, const char *text, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "text");
    cdg_json_text(&json, "text", text);
    cdg_json_begin_array(&json, "errors");
    for (size_t i = 0; scene != NULL && i < cdg_scene_diagnostic_count(scene); i++) {
        cdg_diagnostic diagnostic = cdg_scene_diagnostic(scene, i);
        if (diagnostic.severity != CDG_FAULT) continue;
        cdg_json_begin_object(&json, NULL);
        cdg_json_integer(&json, "line", (uint64_t)diagnostic.line);
        cdg_json_integer(&json, "column", (uint64_t)diagnostic.column);
        cdg_json_text(&json, "message", diagnostic.text);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_TEXT, &json);
}

// "tip_x [m]" is told as a name and a unit.
static void put_probes(const live *l, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "probes");
    for (int is_unit = 0; is_unit < 2; is_unit++) {
        cdg_json_begin_array(&json, is_unit ? "units" : "names");
        for (size_t i = 0; i < l->scene->probe_count; i++) {
            const scene_probe *probe = &l->scene->probes[i];
            for (size_t k = 0; k < cdg_probe_column_count(probe->probe.kind); k++) {
                char title[256], *bracket;
                cdg_probe_column_title(probe->probe.kind, probe->name, k, title, sizeof title);
                bracket = strstr(title, " [");
                if (bracket != NULL) {
                    *bracket = '\0';
                    bracket[strlen(bracket + 2) + 1] = '\0';
                }
                cdg_json_text(&json, NULL, is_unit ? (bracket != NULL ? bracket + 2 : "") : title);
            }
        }
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_PROBES, &json);
}

static bool take_values(live *l) {
    double *values = malloc((l->scene->control_count + 1) * sizeof *values);
    if (values == NULL) return false;
    for (size_t i = 0; i < l->scene->control_count; i++) values[i] = l->scene->controls[i].value;
    free(l->values);
    l->values = values;
    return true;
}

static cdg_scene *parse_moved(const live *l, size_t changed, double value, cdg_error *error);
static bool begin_anew(live *l, cdg_scene *after, cdg_error *error);

// Whether moving it keeps the state: tried at one end of its range.
static bool is_live(const live *l, size_t index) {
    cdg_error error;
    cdg_scene *moved = parse_moved(l, index, l->scene->controls[index].least, &error);
    bool is_alike = moved != NULL && cdg_scene_is_alike(l->scene, moved);
    cdg_scene_destroy(moved);
    return is_alike;
}

static void put_controls(const live *l, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "controls");
    cdg_json_begin_array(&json, "items");
    for (size_t i = 0; i < l->scene->control_count; i++) {
        const scene_control *control = &l->scene->controls[i];
        cdg_json_begin_object(&json, NULL);
        cdg_json_integer(&json, "index", i);
        cdg_json_text(&json, "label", control->label != NULL ? control->label : control->path);
        cdg_json_text(&json, "path", control->path);
        cdg_json_text(&json, "unit", control->unit != NULL ? control->unit : "");
        cdg_json_number(&json, "min", control->least);
        cdg_json_number(&json, "max", control->most);
        cdg_json_number(&json, "value", l->values[i]);
        cdg_json_boolean(&json, "live", is_live(l, i));
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_CONTROLS, &json);
}

static void announce(void *self, cdg_board *board) {
    live *l = self;
    l->job.board = board;
    put_controls(l, board);
    put_hello(l, board);
    put_text(l->scene, l->scene->text, board);
    put_world(l, board);
    put_probes(l, board);
}

// In a scene a rod is its index in the list; in the world it has a handle.
static cdg_probe probe_in_world(const live *l, cdg_probe probe) {
    if (probe.place.rod.index1 != 0) probe.place.rod = cdg_world_rod_at(l->world, probe.place.rod.index1 - 1);
    if (probe.other.index1 != 0) probe.other = cdg_world_rod_at(l->world, probe.other.index1 - 1);
    if (probe.place.solid.index1 != 0) probe.place.solid = cdg_world_solid_at(l->world, probe.place.solid.index1 - 1);
    if (probe.place.body.index1 != 0) probe.place.body = cdg_world_body_at(l->world, probe.place.body.index1 - 1);
    return cdg_probe_now(l->world, &probe);
}

static cdg_message *sample(const void *self) {
    const live *l = self;
    cdg_json json = {0};
    if (l->scene->probe_count == 0) return NULL;
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "sample");
    cdg_json_number(&json, "time", cdg_world_time(l->world));
    cdg_json_begin_array(&json, "values");
    for (size_t i = 0; i < l->scene->probe_count; i++) {
        double values[CDG_PROBE_COLUMNS_MAX];
        cdg_probe probe = probe_in_world(l, l->scene->probes[i].probe);
        bool is_known = cdg_world_measure(l->world, &probe, values) == CDG_OK;
        for (size_t k = 0; k < cdg_probe_column_count(probe.kind); k++)
            cdg_json_number(&json, NULL, is_known ? values[k] : NAN);
    }
    cdg_json_end(&json);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    cdg_message *message = text != NULL ? cdg_message_create(text, json.size, false) : NULL;
    cdg_json_free(&json);
    return message;
}

static cdg_act_facts facts(const void *self) {
    const live *l = self;
    return (cdg_act_facts){.energy = cdg_world_energy(l->world).total, .contacts = cdg_world_contact_count(l->world)};
}

// ---- pictures -------------------------------------------------------------------------------------------------------

static void draw(void *self, cdg_picture_draft *draft, uint32_t index) {
    live *l = self;
    cdg_draft_begin(draft, l->epoch, index, cdg_world_time(l->world));
    cdg_world_picture_draw(&l->picture, l->world, draft);
    cdg_hands_draw(&l->hands, l->world, draft);
}

// ---- time -----------------------------------------------------------------------------------------------------------

static double time_of(const void *self) { return cdg_world_time(((const live *)self)->world); }
static double end_of(const void *self) { return self != NULL ? INFINITY : 0; }
static double step_of(const void *self) { return ((const live *)self)->step; }

static void record_leads(live *l) {
    for (uint32_t i = 0; i < CDG_HANDS_MAX; i++)
        cdg_record_lead(&l->record, i, cdg_world_time(l->world), l->hands.hands[i].position);
}

// Hands and their recording.
static void let_go(live *l) {
    for (uint32_t i = 0; i < CDG_HANDS_MAX; i++) cdg_record_release(&l->record, i, cdg_world_time(l->world));
    cdg_hands_release_all(&l->hands, l->world);
}

static cdg_result advance(void *self, double wanted, cdg_error *error) {
    live *l = self;
    (void)wanted;
    if (cdg_planned_are_due(l->world)) let_go(l); // they hold what will be another world
    cdg_hands_drive(&l->hands, l->world);
    record_leads(l);
    cdg_result result = cdg_world_step(l->world, NULL);
    if (result != CDG_OK && !cdg_hands_are_empty(&l->hands)) { // too hard; the hands give way
        cdg_hands_relax(&l->hands, l->world);
        for (uint32_t i = 0; i < CDG_HANDS_MAX; i++)
            cdg_record_move(&l->record, i, cdg_world_time(l->world), cdg_hand_aim(&l->hands.hands[i]),
                            l->hands.hands[i].twist);
        record_leads(l);
        result = cdg_world_step(l->world, NULL);
    }
    cdg_result followed = follow_cuts(l, l->job.board, error); // those of the scene
    if (followed != CDG_OK) return followed;
    return result == CDG_OK ? CDG_OK : cdg_fail(error, result, "%s", cdg_world_message(l->world));
}

static void mark(void *self) {
    live *l = self;
    double *marked = realloc(l->marked, cdg_world_snapshot_size(l->world) * sizeof *l->marked); // hands need room, too
    if (marked != NULL) l->marked = marked;
    l->marked_time = cdg_world_time(l->world);
    if (marked != NULL && cdg_world_snapshot_save(l->world, l->marked) == CDG_OK) return;
    free(l->marked);
    l->marked = NULL;
}

// Hands do not go back in time: they let go.
static bool undo(live *l, cdg_board *board, cdg_error *error) {
    cdg_hands_release_all(&l->hands, l->world);
    if (l->marked != NULL) cdg_planned_choose(l->world, l->marked_time, l->step);
    if (l->marked != NULL && cdg_world_take_state_over(l->world, l->marked) == CDG_OK) {
        cdg_record_rewind(&l->record, l->marked_time, cdg_world_cut_count(l->world));
        return follow_cuts(l, board, error) == CDG_OK;
    }
    (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "there is nothing to undo");
    return false;
}

// Controls keep their values.
static bool reset(live *l, cdg_board *board, cdg_error *error) {
    cdg_scene *scene = parse_moved(l, SIZE_MAX, 0, error);
    if (scene == NULL || !begin_anew(l, scene, error)) return false;
    put_world(l, board);
    return true;
}

// "a=b\nc=d\n" as separate strings, which point into `text` and end in zeros there.
static size_t split_lines(char *text, const char **out, size_t most) {
    size_t count = 0;
    for (char *at = text, *end; *at != '\0' && count < most; at = end + 1) {
        end = strchr(at, '\n');
        if (end == NULL) break;
        *end = '\0';
        out[count++] = at;
    }
    return count;
}

// A text in the scene's place with these values, which are cut up.
static cdg_scene *parse_lines(const live *l, const char *text, char *lines, cdg_error *error) {
    size_t room = 1;
    for (const char *c = lines; *c != '\0'; c++) room += *c == '\n';
    const char **overrides = malloc(room * sizeof *overrides);
    if (overrides == NULL) return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a scene"), NULL;
    cdg_scene *scene = NULL;
    size_t count = split_lines(lines, overrides, room);
    const char *directory = l->scene->directory != NULL ? l->scene->directory : ".";
    (void)cdg_scene_parse_confined(text, strlen(text), l->scene->name, directory, overrides, count, &scene, error);
    free(overrides);
    return scene;
}

// The same scene with another text and, in the order given, more values; the --set values of the command line stay.
static cdg_scene *parse_with(const live *l, const char *text, const char *more, cdg_error *error) {
    const char *first = l->overrides != NULL ? l->overrides : "";
    size_t size = strlen(first) + strlen(more) + 1;
    char *lines = malloc(size);
    if (lines == NULL) return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a scene"), NULL;
    snprintf(lines, size, "%s%s", first, more);
    cdg_scene *scene = parse_lines(l, text, lines, error);
    free(lines);
    return scene;
}

static cdg_scene *parse_text(const live *l, const char *text, cdg_error *error) {
    return parse_with(l, text, "", error);
}

// A recording says itself what was set.
static cdg_scene *parse_recording(const live *l, const char *text, cdg_error *error) {
    cdg_scene *scene = NULL;
    const char *directory = l->scene->directory != NULL ? l->scene->directory : ".";
    (void)cdg_scene_parse_confined(text, strlen(text), l->scene->name, directory, NULL, 0, &scene, error);
    return scene;
}

// Nothing happens to what is shown unless the new text can be built.
static bool edit(live *l, const cdg_request *request, cdg_board *board, cdg_error *error) {
    cdg_scene *before = l->scene, *after = parse_text(l, request->text, error);
    if (after == NULL) return false;
    put_text(after, request->text, board);
    if (!after->is_usable) {
        cdg_scene_destroy(after);
        (void)cdg_fail(error, CDG_ERROR_SCENE, "the scene has errors; what is shown is the one before");
        return false;
    }
    l->scene = after;
    if (build(l, error) != CDG_OK) {
        l->scene = before;
        cdg_scene_destroy(after);
        return false;
    }
    cdg_scene_destroy(before);
    put_hello(l, board);
    put_world(l, board);
    put_probes(l, board);
    if (take_values(l)) put_controls(l, board);
    return true;
}

// ---- controls -------------------------------------------------------------------------------------------------------

// All controls' values as overrides; malloc'ed.
static char *control_lines(const live *l, size_t changed, double value) {
    size_t size = 1;
    for (size_t i = 0; i < l->scene->control_count; i++) size += strlen(l->scene->controls[i].path) + 64;
    for (size_t i = 0; i < l->scene->control_count; i++)
        if (l->scene->controls[i].unit != NULL) size += strlen(l->scene->controls[i].unit);
    char *lines = calloc(size, 1), *at = lines;
    for (size_t i = 0; lines != NULL && i < l->scene->control_count; i++) {
        const scene_control *control = &l->scene->controls[i];
        bool is_moved = i == changed || l->values[i] != control->value;
        if (!is_moved) continue;
        at += sprintf(at, "%s=%.17g%s%s\n", control->path, i == changed ? value : l->values[i],
                      control->unit != NULL ? " " : "", control->unit != NULL ? control->unit : "");
    }
    return lines;
}

// The scene with one control elsewhere; NULL: `error` says why not.
static cdg_scene *parse_moved(const live *l, size_t changed, double value, cdg_error *error) {
    char *lines = control_lines(l, changed, value);
    if (lines == NULL) return (void)cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a scene"), NULL;
    cdg_scene *scene = parse_with(l, l->scene->text, lines, error);
    free(lines);
    if (scene != NULL && scene->is_usable) return scene;
    cdg_scene_destroy(scene);
    return NULL;
}

// The scene with all controls where they are, from its beginning.
static bool begin_anew(live *l, cdg_scene *after, cdg_error *error) {
    cdg_scene *before = l->scene;
    l->scene = after;
    bool is_built = build(l, error) == CDG_OK;
    if (!is_built) l->scene = before;
    cdg_scene_destroy(is_built ? before : after);
    return is_built;
}

// The world of a scene that is alike goes on from the present state, as a run does that comes to such a change.
static bool go_on_as(live *l, cdg_scene *after, cdg_error *error) {
    double step, time = cdg_world_time(l->world);
    bool was_marked = l->marked != NULL && l->marked_time == time;
    cdg_world *world;
    let_go(l);
    if (make_world(l, after, &world, &step, error) != CDG_OK) return false;
    if (cdg_world_carry_state(l->world, world) != CDG_OK) {
        cdg_world_destroy(world);
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "the state cannot be kept: reset"), false;
    }
    show(l, world);
    cdg_scene_destroy(l->scene);
    l->scene = after;
    if (was_marked) mark(l);
    return true;
}

// The scene as it is from now on, with one more value changed.
static cdg_scene *parse_changed(live *l, size_t index, double value, cdg_error *error) {
    const scene_control *moved = &l->scene->controls[index];
    char line[1024];
    int length = snprintf(line, sizeof line, "%s=%.17g%s%s", moved->path, value, moved->unit != NULL ? " " : "",
                          moved->unit != NULL ? moved->unit : "");
    double time = cdg_world_time(l->world);
    bool fits = length >= 0 && (size_t)length < sizeof line && cdg_record_change_value(&l->record, time, line);
    char *lines = fits ? cdg_record_lines(&l->record, time) : NULL;
    cdg_scene *scene = lines != NULL ? parse_lines(l, l->scene->text, lines, error) : NULL;
    free(lines);
    if (scene != NULL && scene->is_usable) return scene;
    cdg_scene_destroy(scene);
    if (fits) cdg_record_forget_change(&l->record);
    return NULL;
}

static bool move_while_running(live *l, size_t index, double value, cdg_error *error) {
    cdg_scene *after = parse_changed(l, index, value, error);
    if (after == NULL) return false;
    if (go_on_as(l, after, error)) {
        l->record.step = l->step;
        return true;
    }
    cdg_record_forget_change(&l->record);
    cdg_scene_destroy(after);
    return false;
}

static bool control(live *l, const cdg_request *request, cdg_board *board, cdg_error *error) {
    if (request->index >= l->scene->control_count)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no such control"), false;
    const scene_control *moved = &l->scene->controls[request->index];
    double value = fmin(fmax(request->value, moved->least), moved->most);
    cdg_scene *whole = parse_moved(l, request->index, value, error);
    if (whole == NULL) return false;
    bool is_running = cdg_world_step_index(l->world) > 0 && cdg_scene_is_alike(l->scene, whole), is_good;
    if (is_running) {
        cdg_scene_destroy(whole);
        is_good = move_while_running(l, request->index, value, error);
    } else {
        is_good = begin_anew(l, whole, error);
    }
    if (!is_good) return false;
    l->values[request->index] = value;
    (void)follow_cuts(l, NULL, error);
    put_world(l, board);
    put_controls(l, board);
    return true;
}

// The scene's own number of a place on a rod, whatever was cut since.
static cdg_request in_scene(const live *l, const cdg_request *request) {
    cdg_request then = *request;
    if (request->object != CDG_GRAB_ROD) return then;
    cdg_place place = {.rod = cdg_world_rod_at(l->world, request->index), .kind = CDG_PLACE_ELEMENT};
    cdg_shown_find(cdg_world_get_rod(l->world, place.rod), request->element, request->fraction, &place.index,
                   &then.fraction);
    place = cdg_cuts_place_then(l->world, place);
    then.index = place.rod.index1 - 1;
    then.element = (uint32_t)place.index;
    return then;
}

// Whoever takes a fibre takes the guide that it follows; the very end of the last element belongs to it.
static void aim(const live *l, cdg_request *request) {
    request->index = cdg_world_picture_rod(&l->picture, request->index);
    const cdg_rod *rod = cdg_world_get_rod(l->world, cdg_world_rod_at(l->world, request->index));
    bool is_end = rod != NULL && request->element == cdg_shown_count(rod).elements && request->fraction == 0;
    if (is_end) request->element--, request->fraction = 1;
}

static bool grab(live *l, const cdg_request *asked, cdg_board *board) {
    cdg_error error;
    cdg_request guided = *asked, *request = &guided;
    if (guided.object == CDG_GRAB_ROD) aim(l, &guided);
    cdg_record_release(&l->record, request->hand, cdg_world_time(l->world));
    bool is_good = cdg_hands_grab(&l->hands, l->world, request, &error);
    cdg_request then = is_good ? in_scene(l, request) : *request;
    if (is_good && request->object == CDG_GRAB_SOLID) {
        then.local = l->hands.hands[request->hand].local;
        then.point = cdg_hand_aim(&l->hands.hands[request->hand]);
    }
    if (is_good) cdg_record_grab(&l->record, &then, cdg_world_time(l->world));
    cdg_board_tell(board, cdg_hands_grabbed(asked, is_good, error.message));
    return true;
}

// ---- cutting --------------------------------------------------------------------------------------------------------

// The node of the definition that is nearest to a place as it is shown, but no end.
static size_t nearest_node(const cdg_rod *rod, double place) {
    size_t count = rod_user_element_count(rod), each = cdg_shown_count(rod).elements / count;
    double node = nearbyint(place / (double)each);
    if (rod->is_closed) return (size_t)node % count;
    return (size_t)fmin(fmax(node, 1), (double)count - 1);
}

static bool cut(live *l, const cdg_request *request, cdg_board *board, cdg_error *error) {
    uint32_t index = cdg_world_picture_rod(&l->picture, request->index);
    cdg_rod_id id = cdg_world_rod_at(l->world, index);
    const cdg_rod *rod = cdg_world_get_rod(l->world, id);
    if (rod == NULL || index != request->index)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, rod == NULL ? "there is no such rod" : "fibres cannot be cut"),
               false;
    if (cdg_live_fibers_follow(l->picture.fibers, index))
        return (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "rod '%s' is a guide that fibres follow, and cannot be cut",
                              rod->name),
               false;
    if (!rod->is_closed && rod_user_element_count(rod) < 2)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s' is one element, which cannot be cut", rod->name),
               false;
    cdg_place place = cdg_rod_node(id, nearest_node(rod, request->element + request->fraction));
    cdg_place then = cdg_cuts_place_then(l->world, place);
    mark(l); // undo takes it back
    if (cdg_rod_cut(l->world, place, NULL) != CDG_OK)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "%s", cdg_world_message(l->world)), false;
    cdg_record_cut kept = {then.rod.index1 - 1, then.index, cdg_world_cut_count(l->world) - 1,
                           cdg_world_time(l->world)};
    cdg_record_cut_rod(&l->record, &kept);
    return follow_cuts(l, board, error) == CDG_OK;
}

static bool move(live *l, const cdg_request *request, cdg_error *error) {
    const cdg_hand *hand = &l->hands.hands[request->hand];
    if (!cdg_hands_move(&l->hands, l->world, request, error)) return false;
    cdg_record_move(&l->record, request->hand, cdg_world_time(l->world), cdg_hand_aim(hand), hand->twist);
    return true;
}

static bool release(live *l, uint32_t hand) {
    cdg_hands_release(&l->hands, l->world, hand);
    cdg_record_release(&l->record, hand, cdg_world_time(l->world));
    return true;
}

// ---- recording ------------------------------------------------------------------------------------------------------

// Whether the recorded scene would step as this world did: else it would not give the same bits.
static cdg_result check_recording(const live *l, const char *text, cdg_error *error) {
    cdg_scene *scene = parse_recording(l, text, error);
    cdg_world *world = NULL;
    cdg_run_plan plan;
    if (scene == NULL) return CDG_ERROR_MEMORY;
    cdg_result result = CDG_OK;
    if (!scene->is_usable)
        result = cdg_fail(error, CDG_ERROR_SCENE,
                          "the recording would not be a good scene (%s); let `hands` and `cuts` of the scene begin "
                          "lines of their own",
                          cdg_scene_diagnostic_count(scene) > 0 ? cdg_scene_diagnostic(scene, 0).text : "");
    if (result == CDG_OK) result = cdg_scene_build(scene, 1, &world, error);
    if (result == CDG_OK) result = cdg_run_plan_make(scene, world, &plan, error);
    if (result == CDG_OK && plan.step != l->step)
        result = cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                          "the recording would take steps of %.17g s instead of %.17g s; give the scene an output "
                          "interval that divides its duration",
                          plan.step, l->step);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
    return result;
}

// In the scene's own folder, `what` after its name: "cable-hands".
static bool name_beside_scene(const cdg_scene *scene, const char *what, char *out, size_t size) {
    const char *slash = strrchr(scene->name, '/'), *base = slash != NULL ? slash + 1 : scene->name;
    const char *dot = strrchr(base, '.'), *directory = scene->directory != NULL ? scene->directory : ".";
    int length = (int)(dot != NULL ? (size_t)(dot - base) : strlen(base));
    int needed = snprintf(out, size, "%s/%.*s-%s", directory, length, base, what);
    return needed >= 0 && (size_t)needed < size;
}

// A name that is free, both as a scene and as its run: "cable-hands-1.yaml".
static bool choose_recording_path(const live *l, char *out, size_t size) {
    char start[4000], run[4096];
    if (!name_beside_scene(l->scene, "hands", start, sizeof start)) return false;
    for (int i = 1; i < 10000; i++) {
        int needed = snprintf(out, size, "%s-%d.yaml", start, i);
        if (needed < 0 || (size_t)needed >= size) return false;
        snprintf(run, sizeof run, "%s-%d-run", start, i);
        if (access(out, F_OK) != 0 && access(run, F_OK) != 0) return true;
    }
    return false;
}

static void tell_saved(cdg_board *board, const char *path) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "saved");
    cdg_json_text(&json, "what", "scene");
    cdg_json_text(&json, "path", path);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    if (text != NULL) cdg_board_tell(board, cdg_message_create(text, json.size, false));
    cdg_json_free(&json);
}

// *path gets the file's name.
static bool write_recording(const live *l, char *path, size_t size, cdg_board *board, cdg_error *error) {
    char *text = cdg_record_text(&l->record, l->scene, cdg_world_time(l->world), error);
    if (text == NULL) return false;
    cdg_result result = check_recording(l, text, error);
    if (result == CDG_OK && !choose_recording_path(l, path, size))
        result = cdg_fail(error, CDG_ERROR_IO, "there is no free name for the recording in the scene's folder");
    if (result == CDG_OK) result = cdg_whole_file_write(path, text, strlen(text), error);
    free(text);
    if (result == CDG_OK) tell_saved(board, path);
    return result == CDG_OK;
}

static bool save_recording(const live *l, cdg_board *board, cdg_error *error) {
    char path[4096];
    return write_recording(l, path, sizeof path, board, error);
}

// ---- pictures and films by render/ ----------------------------------------------------------------------------------

static bool take_picture(live *l, const cdg_request *request, cdg_error *error) {
    char run[4096], output[4096];
    if (l->job.is_running)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "a picture or a film is being drawn; wait for it"), false;
    if (!name_beside_scene(l->scene, "view", output, sizeof output))
        return (void)cdg_fail(error, CDG_ERROR_IO, "the name of the scene's folder is too long"), false;
    if (cdg_moment_run_write(l->scene, l->world, run, sizeof run, error) != CDG_OK) return false;
    cdg_render_source source = {.run = run, .output = output, .is_passing = true, .time = cdg_world_time(l->world)};
    return cdg_render_job_start(&l->job, &source, request, error);
}

// What hands did is saved as a scene, which is run again, to the same bits, and drawn: "cable-hands-1-run".
static bool take_film(live *l, const cdg_request *request, cdg_board *board, cdg_error *error) {
    char path[4096], run[4200], output[4300];
    cdg_scene *scene = NULL;
    if (l->job.is_running)
        return (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "a picture or a film is being drawn; wait for it"), false;
    if (!write_recording(l, path, sizeof path, board, error)) return false;
    snprintf(run, sizeof run, "%.*s-run", (int)(strlen(path) - strlen(".yaml")), path);
    snprintf(output, sizeof output, "%s/view", run);
    char *text = cdg_record_text(&l->record, l->scene, cdg_world_time(l->world), error);
    if (text != NULL) scene = parse_recording(l, text, error);
    free(text);
    if (scene == NULL) return false;
    cdg_render_source source = {.run = run, .scene = scene, .output = output};
    return cdg_render_job_start(&l->job, &source, request, error);
}

// Everything since the world was built is kept; to start is to build it anew.
static bool record(live *l, const cdg_request *request, cdg_board *board, cdg_error *error) {
    switch (request->action) {
    case CDG_RECORD_START: return reset(l, board, error);
    case CDG_RECORD_STOP: return true;
    case CDG_RECORD_SAVE: return save_recording(l, board, error);
    }
    return false;
}

static bool answer(void *self, const cdg_request *request, cdg_board *board, cdg_error *error) {
    live *l = self;
    switch (request->kind) {
    case CDG_REQUEST_COLOR: return cdg_colors_choose(&l->picture.colors, request, error);
    case CDG_REQUEST_ARROWS: l->picture.has_arrows = request->is_on; return true;
    case CDG_REQUEST_RESET: return reset(l, board, error);
    case CDG_REQUEST_UNDO: return undo(l, board, error);
    case CDG_REQUEST_CONTROL: return control(l, request, board, error);
    case CDG_REQUEST_EDIT: return edit(l, request, board, error);
    case CDG_REQUEST_GRAB: return grab(l, request, board);
    case CDG_REQUEST_MOVE: return move(l, request, error);
    case CDG_REQUEST_RECORD: return record(l, request, board, error);
    case CDG_REQUEST_PICTURE: return take_picture(l, request, error);
    case CDG_REQUEST_FILM: return take_film(l, request, board, error);
    case CDG_REQUEST_PIN: return cdg_hands_pin(&l->hands, request, error);
    case CDG_REQUEST_RELEASE: return release(l, request->hand);
    case CDG_REQUEST_CUT: return cut(l, request, board, error);
    default: break;
    }
    (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "a live scene does not know this request");
    return false;
}

cdg_result cdg_live_create(const cdg_live_def *def, cdg_act *out, cdg_error *error) {
    live *l = calloc(1, sizeof *l);
    if (l == NULL) {
        cdg_scene_destroy(def->scene);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene");
    }
    l->scene = def->scene;
    l->thread_count = def->thread_count;
    l->overrides = strdup(def->scene->overrides != NULL ? def->scene->overrides : "");
    cdg_result result = build(l, error);
    if (result == CDG_OK && !take_values(l)) result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene");
    if (result != CDG_OK) {
        destroy(l);
        return result;
    }
    *out = (cdg_act){.self = l,
                     .destroy = destroy,
                     .announce = announce,
                     .time = time_of,
                     .end = end_of,
                     .step = step_of,
                     .advance = advance,
                     .draw = draw,
                     .answer = answer,
                     .mark = mark,
                     .facts = facts,
                     .sample = sample};
    return CDG_OK;
}
