// A scene to be shown, for tests of the viewer.
#ifndef CDG_TESTS_VIEW_CASE_H
#define CDG_TESTS_VIEW_CASE_H

#include "view/live.h"
#include "view/picture_message.h"

#include <cordage/scene.h>

#include <stdlib.h>
#include <string.h>

static const char view_scene_text[] = "cordage: 1\n"
                                      "title: Shown\n"
                                      "simulation: {duration: 1 s, step: 2 ms, model: pobd}\n"
                                      "contact: {friction: 0.2}\n"
                                      "materials:\n"
                                      "  rubber: {young_modulus: 1 MPa, poisson_ratio: 0.5, density: 1100 kg/m^3}\n"
                                      "rods:\n"
                                      "  - name: thread\n"
                                      "    material: rubber\n"
                                      "    section: {circle: {radius: 2 mm}}\n"
                                      "    centerline: {line: {from: [0, 0, 0], to: [0.5 m, 0, 0]}}\n"
                                      "    elements: 10\n"
                                      "  - name: band\n"
                                      "    material: rubber\n"
                                      "    section: {rectangle: {width: 6 mm, height: 2 mm}}\n"
                                      "    centerline: {line: {from: [0, 1 m, 0], to: [0.5 m, 1 m, 0]}}\n"
                                      "    elements: 4\n"
                                      "obstacles:\n"
                                      "  - {name: ground, plane: {normal: [0, 0, 1], offset: -1 m}}\n"
                                      "  - {name: ball, sphere: {radius: 3 cm}, position: [2 m, 0, 0]}\n"
                                      "bodies:\n"
                                      "  - {name: box, shape: {box: {size: [1 cm, 2 cm, 3 cm]}}, mass: 0.1 kg,"
                                      " position: [1 m, 1 m, 0]}\n"
                                      "supports:\n"
                                      "  - clamp: thread.start\n"
                                      "probes:\n"
                                      "  - {name: tip, position: thread.end}\n";

static inline cdg_scene *view_scene_in(const char *scene_text, const char *folder) {
    cdg_scene *scene = NULL;
    cdg_error error = {0};
    cdg_result result = cdg_scene_parse(scene_text, strlen(scene_text), "shown.yaml", folder, NULL, 0, &scene, &error);
    if (result != CDG_OK) {
        char text[512];
        cdg_scene_format_diagnostic(scene, 0, text, sizeof text);
        print_error("%s %s\n", error.message, text);
    }
    assert_int_equal(result, CDG_OK);
    return scene;
}

static inline cdg_scene *view_scene_of(const char *scene_text) { return view_scene_in(scene_text, NULL); }
static inline cdg_scene *view_scene(void) { return view_scene_of(view_scene_text); }

static inline cdg_act view_live_of(const char *scene_text) {
    cdg_act act;
    cdg_error error;
    cdg_live_def def = {.scene = view_scene_of(scene_text), .thread_count = 1};
    assert_int_equal(cdg_live_create(&def, &act, &error), CDG_OK);
    return act;
}

static inline cdg_act view_live_in(const char *folder) {
    cdg_act act;
    cdg_error error;
    cdg_live_def def = {.scene = view_scene_in(view_scene_text, folder), .thread_count = 1};
    assert_int_equal(cdg_live_create(&def, &act, &error), CDG_OK);
    return act;
}

static inline cdg_act view_live(void) { return view_live_of(view_scene_text); }

// The numbers of a block; NULL: there is none.
static inline const float *view_block(const cdg_message *picture, uint32_t id, uint32_t *count) {
    const unsigned char *body = picture->bytes + CDG_MESSAGE_FRONT;
    uint32_t blocks;
    memcpy(&blocks, body + 12, sizeof blocks);
    for (size_t at = 24; blocks > 0; blocks--) {
        uint32_t head[2];
        memcpy(head, body + at, sizeof head);
        if (count != NULL) *count = head[1];
        if (head[0] == id) return (const float *)(const void *)(body + at + 8);
        at += 8 + 4 * (size_t)head[1];
    }
    return NULL;
}

// A message's text, terminated, which messages are not; the caller frees it. NULL: nothing.
static inline char *view_message_text(cdg_message *message) {
    char *text = message != NULL ? malloc(message->size + 1) : NULL;
    if (text == NULL) return NULL;
    memcpy(text, cdg_message_body(message), message->size);
    text[message->size] = 0;
    return text;
}
static inline char *view_text(cdg_board *board, cdg_slot slot) { return view_message_text(board->slots[slot]); }

static inline cdg_message *view_draw(const cdg_act *act) {
    cdg_picture_draft draft = {0};
    act->draw(act->self, &draft, 1);
    cdg_message *message = cdg_draft_finish(&draft);
    cdg_draft_free(&draft);
    assert_non_null(message);
    return message;
}

static inline double view_picture_time(const cdg_message *picture) {
    double time;
    memcpy(&time, picture->bytes + CDG_MESSAGE_FRONT + 16, sizeof time);
    return time;
}

#endif
