// A run, or two laid over each other, shown again.
#include "view/replay.h"

#include "base/error.h"
#include "output/fiber_reader.h"
#include "output/probe_table.h"
#include "render/run_player.h"
#include "view/cast.h"
#include "view/colors.h"
#include "view/render_job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct replay {
    cdg_run_reader *readers[CDG_REPLAY_RUNS_MAX];
    cdg_run_player *players[CDG_REPLAY_RUNS_MAX];
    size_t count;
    double time, first, last; // s
    cdg_colors colors;
    bool has_arrows;
    cdg_probe_table probes; // of the first run
    cdg_run_contact *contacts;
    size_t contact_capacity;
    cdg_cast cast;
    cdg_render_job job;
} replay;

static const uint32_t epoch = 1;

static void destroy(void *self) {
    replay *r = self;
    cdg_render_job_end(&r->job);
    for (size_t i = 0; i < r->count; i++) {
        cdg_run_player_destroy(r->players[i]);
        cdg_run_reader_close(r->readers[i]);
    }
    cdg_probe_table_free(&r->probes);
    cdg_cast_free(&r->cast);
    free(r->contacts);
    free(r);
}

// ---- telling --------------------------------------------------------------------------------------------------------

static void put_hello(const replay *r, cdg_board *board) {
    static const char *const abilities[] = {"grab", "cut", "edit", "record"};
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "hello");
    cdg_json_text(&json, "version", cdg_version());
    cdg_json_text(&json, "mode", "replay");
    cdg_json_text(&json, "title", r->readers[0]->title);
    cdg_json_text(&json, "file", r->readers[0]->directory);
    cdg_json_number(&json, "step", 0);
    cdg_json_number(&json, "duration", r->last);
    cdg_colors_list(&json);
    cdg_json_begin_object(&json, "can");
    for (size_t i = 0; i < 4; i++) cdg_json_boolean(&json, abilities[i], false);
    cdg_json_end(&json);
    cdg_json_begin_array(&json, "runs");
    for (size_t i = 0; i < r->count; i++) cdg_json_text(&json, NULL, r->readers[i]->directory);
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_HELLO, &json);
}

static cdg_result make_cast(replay *r, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < r->count && result == CDG_OK; i++)
        result = cdg_cast_add_run(&r->cast, r->readers[i], (int)i, error);
    r->cast.times = r->readers[0]->play;
    r->cast.time_count = r->readers[0]->frame_count;
    return result;
}

static void put_text(const replay *r, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "text");
    cdg_json_text(&json, "text", r->readers[0]->scene_text);
    cdg_json_begin_array(&json, "errors");
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_TEXT, &json);
}

static void put_probes(const replay *r, cdg_board *board) {
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "probes");
    for (int is_unit = 0; is_unit < 2; is_unit++) {
        cdg_json_begin_array(&json, is_unit ? "units" : "names");
        for (size_t i = 1; i < r->probes.column_count; i++)
            cdg_json_text(&json, NULL, is_unit ? r->probes.columns[i].unit : r->probes.columns[i].name);
        cdg_json_end(&json);
    }
    cdg_json_end(&json);
    cdg_board_put_json(board, CDG_SLOT_PROBES, &json);
}

static void announce(void *self, cdg_board *board) {
    replay *r = self;
    r->job.board = board;
    put_hello(r, board);
    put_text(r, board);
    cdg_board_put(board, CDG_SLOT_WORLD, cdg_cast_message(&r->cast, epoch));
    put_probes(r, board);
}

static size_t frame_of(const replay *r, size_t run) { return cdg_run_reader_nearest_frame(r->readers[run], r->time); }

static cdg_message *sample(const void *self) {
    const replay *r = self;
    cdg_json json = {0};
    size_t row = frame_of(r, 0);
    if (r->probes.column_count < 2 || row >= r->probes.row_count) return NULL;
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "sample");
    cdg_json_number(&json, "time", r->probes.columns[0].values[row]);
    cdg_json_begin_array(&json, "values");
    for (size_t i = 1; i < r->probes.column_count; i++) cdg_json_number(&json, NULL, r->probes.columns[i].values[row]);
    cdg_json_end(&json);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    cdg_message *message = text != NULL ? cdg_message_create(text, json.size, false) : NULL;
    cdg_json_free(&json);
    return message;
}

static cdg_act_facts facts(const void *self) {
    const replay *r = self;
    cdg_act_facts facts = {.energy = NAN};
    cdg_error error;
    if (r->readers[0]->has_contacts)
        (void)cdg_run_reader_contact_count(r->readers[0], frame_of(r, 0), &facts.contacts, &error);
    return facts;
}

// ---- pictures -------------------------------------------------------------------------------------------------------

// Interpolated, as everything is; only what lies on surfaces.
static void draw_solids(const replay *r, cdg_picture_draft *draft) {
    size_t count = 0, solid = 0;
    for (size_t i = 0; i < r->cast.solid_count; i++) count += r->cast.solids[i].point_count;
    float *to = count > 0 ? cdg_draft_block(draft, CDG_BLOCK_SOLIDS, 3 * count) : NULL;
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->solid_count; i++, solid++)
            for (size_t n = 0; n < r->cast.solids[solid].point_count; n++)
                to = cdg_put_vec3(to, r->players[k]->solids[i].positions[r->cast.solids[solid].nodes[n]]);
}

typedef struct totals {
    size_t nodes, elements, bodies, obstacles;
} totals;

static totals count_all(const replay *r) {
    totals sum = {0};
    for (size_t k = 0; k < r->count; k++) {
        for (size_t i = 0; i < r->readers[k]->rod_count; i++) {
            sum.nodes += r->readers[k]->rods[i].node_count;
            sum.elements += r->readers[k]->rods[i].element_count;
        }
        sum.bodies += r->readers[k]->body_count;
        sum.obstacles += r->readers[k]->obstacle_count;
    }
    return sum;
}

static void draw_rods(const replay *r, totals sum, cdg_picture_draft *draft) {
    float *to = cdg_draft_block(draft, CDG_BLOCK_POSITIONS, 3 * sum.nodes);
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->rod_count; i++)
            for (size_t n = 0; n < r->readers[k]->rods[i].node_count; n++)
                to = cdg_put_vec3(to, r->players[k]->rods[i].positions[n]);
    to = cdg_draft_block(draft, CDG_BLOCK_FRAMES, 4 * sum.elements);
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->rod_count; i++)
            for (size_t j = 0; j < r->readers[k]->rods[i].element_count; j++) {
                cdg_quat q = r->players[k]->rods[i].frames[j];
                to[0] = (float)q.w, to[1] = (float)q.x, to[2] = (float)q.y, to[3] = (float)q.z;
                to += 4;
            }
}

// The player has one number an entry already, as fields have that are one number.
static void draw_colors(const replay *r, totals sum, cdg_picture_draft *draft) {
    double low = INFINITY, high = -INFINITY;
    if (!r->colors.is_set) return;
    bool is_per_node = cdg_field_get(r->colors.view.field).per == CDG_FIELD_PER_NODE;
    cdg_colors single = {.is_set = true, .view = cdg_view_of(is_per_node ? CDG_FIELD_twist : CDG_FIELD_tension, 0)};
    float *to = cdg_draft_block(draft, CDG_BLOCK_VALUES, sum.nodes);
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->rod_count; i++) {
            const cdg_run_rod *rod = &r->readers[k]->rods[i];
            cdg_colors_put(&single, r->players[k]->rods[i].values, rod->node_count, rod->element_count, rod->is_closed,
                           to, &low, &high);
            to += rod->node_count;
        }
    cdg_colors_put_range(draft, low, high);
}

static void draw_rigids(const replay *r, totals sum, cdg_picture_draft *draft) {
    float *to = sum.bodies > 0 ? cdg_draft_block(draft, CDG_BLOCK_BODIES, 7 * sum.bodies) : NULL;
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->body_count; i++) {
            const cdg_rigid_moment *rigid = &r->players[k]->rigids[r->readers[k]->obstacle_count + i];
            to = cdg_put_pose(to, rigid->position, rigid->orientation);
        }
    to = sum.obstacles > 0 ? cdg_draft_block(draft, CDG_BLOCK_OBSTACLES, 7 * sum.obstacles) : NULL;
    for (size_t k = 0; k < r->count && to != NULL; k++)
        for (size_t i = 0; i < r->readers[k]->obstacle_count; i++)
            to = cdg_put_pose(to, r->players[k]->rigids[i].position, r->players[k]->rigids[i].orientation);
}

// Those of the first run, at the nearest output.
static void draw_contacts(replay *r, cdg_picture_draft *draft) {
    size_t count;
    cdg_error error;
    const cdg_run_reader *reader = r->readers[0];
    if (!r->has_arrows || !reader->has_contact_places) return;
    if (cdg_run_reader_contact_count(reader, frame_of(r, 0), &count, &error) != CDG_OK) return;
    if (count > r->contact_capacity) {
        cdg_run_contact *grown = realloc(r->contacts, count * sizeof *grown);
        if (grown == NULL) return;
        r->contacts = grown;
        r->contact_capacity = count;
    }
    if (cdg_run_reader_contacts(reader, frame_of(r, 0), r->contacts, count, &error) != CDG_OK) return;
    float *to = cdg_draft_block(draft, CDG_BLOCK_CONTACTS, 8 * count);
    for (size_t i = 0; i < count && to != NULL; i++) {
        to = cdg_put_vec3(cdg_put_vec3(to, r->contacts[i].position), r->contacts[i].force);
        *to++ = (float)-r->contacts[i].gap;
        *to++ = (float)r->contacts[i].sides[1].kind;
    }
}

static void draw(void *self, cdg_picture_draft *draft, uint32_t index) {
    replay *r = self;
    totals sum = count_all(r);
    cdg_draft_begin(draft, epoch, index, r->time);
    draw_rods(r, sum, draft);
    draw_colors(r, sum, draft);
    draw_contacts(r, draft);
    draw_rigids(r, sum, draft);
    draw_solids(r, draft);
}

// ---- time -----------------------------------------------------------------------------------------------------------

static double time_of(const void *self) { return ((const replay *)self)->time; }
static double end_of(const void *self) { return ((const replay *)self)->last; }
static double step_of(const void *self) { return self != NULL ? 0 : 1; }

static cdg_result seek(replay *r, double time, cdg_error *error) {
    cdg_result result = CDG_OK;
    r->time = fmin(fmax(time, r->first), r->last);
    for (size_t i = 0; i < r->count && result == CDG_OK; i++)
        result = cdg_run_player_seek(r->players[i], r->time, error);
    return result;
}

static cdg_result advance(void *self, double wanted, cdg_error *error) { return seek(self, wanted, error); }
static void mark(void *self) { (void)self; }

static cdg_result make_players(replay *r, cdg_error *error) {
    cdg_rod_field field = {.is_set = r->colors.is_set, .view = r->colors.view};
    field.view.scale = 1;
    for (size_t i = 0; i < r->count; i++) {
        cdg_run_player *player;
        cdg_result result = cdg_run_player_create(r->readers[i], &field, &player, error);
        if (result != CDG_OK) return result;
        cdg_run_player_destroy(r->players[i]);
        r->players[i] = player;
    }
    return seek(r, r->time, error);
}

static bool choose_colors(replay *r, const cdg_request *request, cdg_error *error) {
    cdg_colors before = r->colors;
    if (!cdg_colors_choose(&r->colors, request, error)) return false;
    if (make_players(r, error) == CDG_OK) return true;
    r->colors = before;
    return false;
}

static bool start_drawing(replay *r, const cdg_request *request, cdg_error *error) {
    char output[4096];
    const char *directory = r->readers[0]->directory;
    snprintf(output, sizeof output, "%s/view", directory);
    cdg_render_source source = {.run = directory, .output = output, .time = r->time};
    return cdg_render_job_start(&r->job, &source, request, error);
}

static bool answer(void *self, const cdg_request *request, cdg_board *board, cdg_error *error) {
    replay *r = self;
    (void)board;
    switch (request->kind) {
    case CDG_REQUEST_COLOR: return choose_colors(r, request, error);
    case CDG_REQUEST_ARROWS: r->has_arrows = request->is_on; return true;
    case CDG_REQUEST_RESET: return seek(r, r->first, error) == CDG_OK;
    case CDG_REQUEST_SEEK: return seek(r, request->value, error) == CDG_OK;
    case CDG_REQUEST_PICTURE:
    case CDG_REQUEST_FILM: return start_drawing(r, request, error);
    default: break;
    }
    (void)cdg_fail(error, CDG_ERROR_UNSUPPORTED, "a run that is shown again does not know this request");
    return false;
}

// ---- beginning ------------------------------------------------------------------------------------------------------

static void read_probes(replay *r) {
    char path[4096];
    cdg_error error;
    snprintf(path, sizeof path, "%s/probes.csv", r->readers[0]->directory);
    if (cdg_probe_table_read(path, &r->probes, &error) != CDG_OK) r->probes = (cdg_probe_table){0};
}

static cdg_result open_run(replay *r, const char *directory, cdg_error *error) {
    cdg_run_reader *reader;
    cdg_result result = cdg_run_reader_open(directory, &reader, error);
    if (result != CDG_OK) return result;
    reader->is_for_pictures = true;
    r->readers[r->count++] = reader;
    result = cdg_run_reader_add_fibers(reader, error);
    double first = reader->play[0], last = reader->play[reader->frame_count - 1];
    r->first = r->count == 1 ? first : fmin(r->first, first);
    r->last = r->count == 1 ? last : fmax(r->last, last);
    return result;
}

cdg_result cdg_replay_create(const char *const *directories, size_t count, cdg_act *out, cdg_error *error) {
    if (count == 0 || count > CDG_REPLAY_RUNS_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "one or two runs can be shown, not %zu", count);
    replay *r = calloc(1, sizeof *r);
    cdg_result result = r != NULL ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a run");
    for (size_t i = 0; i < count && result == CDG_OK; i++) result = open_run(r, directories[i], error);
    if (result == CDG_OK) {
        r->time = r->first;
        result = make_players(r, error);
        if (result == CDG_OK) result = make_cast(r, error);
    }
    if (result != CDG_OK) {
        if (r != NULL) destroy(r);
        return result;
    }
    read_probes(r);
    *out = (cdg_act){.self = r,
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
