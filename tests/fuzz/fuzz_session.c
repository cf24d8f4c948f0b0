// Fuzzes a session of a page with a live scene: requests line by line, acted on as they come. Whatever is asked, in
// whatever order, is done or refused with a sentence, and numbers stay finite.
#include "view/live.h"

#include <cordage/scene.h>

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_MAX = 40, STEPS_MAX = 6, EDITS_MAX = 2 };

// Few elements: what is looked for are mistakes in the order of things.
static const char scene_text[] =
    "cordage: 1\n"
    "simulation: {duration: 1 s, step: 4 ms}\n"
    "contact: {friction: 0.2}\n"
    "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3}}\n"
    "rods:\n"
    "  - {name: thread, material: rubber, section: {circle: {radius: 4 mm}}, elements: 6,\n"
    "     centerline: {line: {from: [0, 0, 0], to: [0.3 m, 0, 0]}}}\n"
    "  - {name: ring, material: rubber, section: {circle: {radius: 4 mm}}, elements: 8,\n"
    "     centerline: {circle: {radius: 5 cm, center: [0.1 m, 0, 8 cm], axis: [0, 1, 0]}}}\n"
    "  - {name: rope, material: rubber, section: {circle: {radius: 4 mm}}, elements: 4, adapt: {levels: 2, hold: 0 "
    "s},\n"
    "     centerline: {line: {from: [0, 0.1 m, 0], to: [0.3 m, 0.1 m, 0]}}}\n"
    "obstacles: [{name: ground, plane: {normal: [0, 0, 1], offset: -10 cm}}, {name: ball, sphere: {radius: 2 cm},"
    " position: [0.15 m, 0, -5 cm]}]\n"
    "bodies: [{name: box, shape: {box: {size: [1 cm, 2 cm, 3 cm]}}, mass: 0.1 kg, position: [0.2 m, 0.2 m, 0]}]\n"
    "solids:\n"
    "  - {name: block, material: {young_modulus: 0.2 MPa, density: 1000 kg/m^3},\n"
    "     shape: {box: {size: [4 cm, 4 cm, 4 cm]}, resolution: 4 cm}, position: [0, 0.3 m, 0]}\n"
    "supports: [{clamp: thread.start}]\n"
    "probes: [{name: tip, position: thread.end}]\n"
    "controls: [{path: contact.friction, label: friction, min: 0, max: 1, value: 0.2}]\n"
    "cuts: [{cut: thread.node(2), at: 40 ms}]\n"
    "hands: [{rod: ring, element: 3, path: [[8 ms, [0.1 m, 0, 0.1 m]], [20 ms, [0, 0, 0], 1 rad]], to: 60 ms}]\n";

static cdg_act begin(void) {
    cdg_act act;
    cdg_scene *scene = NULL;
    cdg_error error;
    if (cdg_scene_parse(scene_text, sizeof scene_text - 1, "fuzz.yaml", NULL, NULL, 0, &scene, &error) != CDG_OK)
        abort();
    cdg_live_def def = {.scene = scene, .thread_count = 1};
    if (cdg_live_create(&def, &act, &error) != CDG_OK) abort();
    return act;
}

static void check_picture(const cdg_act *act, cdg_picture_draft *draft) {
    act->draw(act->self, draft, 0);
    cdg_message *picture = cdg_draft_finish(draft), *sample = act->sample(act->self);
    if (picture == NULL || sample == NULL || !isfinite(act->time(act->self))) abort();
    cdg_message_release(picture);
    cdg_message_release(sample);
}

// Files are not written here, and a scene of somebody's own may take as long as it wants.
static bool is_tried(const cdg_request *request, int *edits) {
    if (request->kind == CDG_REQUEST_PICTURE || request->kind == CDG_REQUEST_FILM) return false;
    if (request->kind == CDG_REQUEST_RECORD) return request->action != CDG_RECORD_SAVE;
    if (request->kind == CDG_REQUEST_EDIT) return ++*edits <= EDITS_MAX && strlen(request->text) < 200;
    return true;
}

static void act_on(const cdg_act *act, cdg_board *board, const cdg_request *request) {
    cdg_error error = {0};
    if (request->kind == CDG_REQUEST_STEP) {
        for (uint32_t i = 0; i < request->count && i < STEPS_MAX; i++)
            if (act->advance(act->self, 0, &error) != CDG_OK && error.message[0] == '\0') abort();
    } else if (request->kind == CDG_REQUEST_PAUSE || request->kind == CDG_REQUEST_PLAY) {
        act->mark(act->self);
    } else if (!act->answer(act->self, request, board, &error) && error.message[0] == '\0') {
        abort(); // refused without a sentence
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    cdg_act act = begin();
    cdg_board board;
    cdg_picture_draft draft = {0};
    int lines = 0, edits = 0;
    cdg_board_init(&board);
    act.announce(act.self, &board);
    for (const uint8_t *line = data, *end = data + size; line < end && lines < LINES_MAX; lines++) {
        const uint8_t *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        cdg_request request;
        cdg_error error;
        if (cdg_request_parse((const char *)line, (size_t)(stop - line), &request, &error)) {
            if (is_tried(&request, &edits)) act_on(&act, &board, &request);
            free(request.text);
            check_picture(&act, &draft);
        }
        line = stop + 1;
    }
    cdg_draft_free(&draft);
    act.destroy(act.self);
    cdg_board_free(&board);
    return 0;
}
