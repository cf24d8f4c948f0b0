// A live scene without threads: what is announced, drawn and answered.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void assert_tells(cdg_board *board, cdg_slot slot, const char *wanted) {
    char *text = view_text(board, slot);
    assert_non_null(text);
    if (strstr(text, wanted) == NULL) print_error("%s is not in %s\n", wanted, text);
    assert_non_null(strstr(text, wanted));
    free(text);
}

static void it_announces_itself(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_init(&board);
    cdg_act act = view_live();
    act.announce(act.self, &board);
    assert_tells(&board, CDG_SLOT_HELLO, "\"title\": \"Shown\"");
    assert_tells(&board, CDG_SLOT_WORLD, "\"band\"");
    assert_tells(&board, CDG_SLOT_PROBES, "\"tip_x\"");
    assert_tells(&board, CDG_SLOT_TEXT, "young_modulus");
    act.destroy(act.self);
    cdg_board_free(&board);
}

static void steps_are_drawn(void **state) {
    (void)state;
    cdg_error error;
    cdg_act act = view_live();
    for (int i = 0; i < 50; i++) assert_int_equal(act.advance(act.self, 0, &error), CDG_OK);
    assert_true(fabs(act.time(act.self) - 0.1) < 1e-9);
    cdg_message *picture = view_draw(&act);
    uint32_t count;
    const float *positions = view_block(picture, CDG_BLOCK_POSITIONS, &count);
    assert_int_equal(count, 3 * (11 + 5));
    assert_true(positions[3 * 10 + 2] < -0.01 && positions[2] == 0);
    assert_non_null(view_block(picture, CDG_BLOCK_FRAMES, &count));
    assert_int_equal(count, 4 * 14);
    assert_non_null(view_block(picture, CDG_BLOCK_BODIES, &count));
    assert_int_equal(count, 7);
    assert_non_null(view_block(picture, CDG_BLOCK_OBSTACLES, &count));
    assert_int_equal(count, 14);
    assert_null(view_block(picture, CDG_BLOCK_VALUES, NULL));
    cdg_message_release(picture);
    cdg_message *sample = act.sample(act.self);
    assert_non_null(sample);
    cdg_message_release(sample);
    act.destroy(act.self);
}

static cdg_message *ask_and_draw(const cdg_act *act, cdg_board *board, cdg_request request) {
    cdg_error error;
    assert_true(act->answer(act->self, &request, board, &error));
    return view_draw(act);
}

static void colors_arrows_undo_and_reset(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_init(&board);
    cdg_act act = view_live();
    cdg_error error;
    cdg_message *picture =
        ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_COLOR, .field = "tension", .component = -1});
    uint32_t count;
    assert_non_null(view_block(picture, CDG_BLOCK_VALUES, &count));
    assert_int_equal(count, 16);
    cdg_message_release(picture);
    picture = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_ARROWS, .is_on = true});
    assert_non_null(view_block(picture, CDG_BLOCK_CONTACTS, &count));
    cdg_message_release(picture);
    for (int i = 0; i < 3; i++) assert_int_equal(act.advance(act.self, 0, &error), CDG_OK);
    act.mark(act.self);
    cdg_message *then = view_draw(&act);
    for (int i = 0; i < 3; i++) assert_int_equal(act.advance(act.self, 0, &error), CDG_OK);
    picture = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_UNDO});
    assert_int_equal(picture->size, then->size);
    assert_memory_equal(cdg_message_body(picture), cdg_message_body(then), then->size);
    cdg_message_release(picture);
    cdg_message_release(then);
    picture = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_RESET});
    assert_true(view_picture_time(picture) == 0);
    cdg_message_release(picture);
    assert_false(act.answer(act.self, &(cdg_request){.kind = CDG_REQUEST_SEEK}, &board, &error));
    act.destroy(act.self);
    cdg_board_free(&board);
}

static void ask(const cdg_act *act, cdg_board *board, cdg_request request) {
    cdg_error error;
    assert_true(act->answer(act->self, &request, board, &error));
}

static void step_many(const cdg_act *act, int count) {
    cdg_error error;
    for (int i = 0; i < count; i++) {
        cdg_result result = act->advance(act->self, 0, &error);
        if (result != CDG_OK) print_error("%s\n", error.message);
        assert_int_equal(result, CDG_OK);
    }
}

// A support and an obstacle are led, let go and taken again.
static void lead_things(const cdg_act *act, cdg_board *board) {
    for (int k = 0; k < 2; k++) {
        ask(act, board,
            (cdg_request){
                .kind = CDG_REQUEST_GRAB, .hand = 1, .object = CDG_GRAB_OBSTACLE, .index = 1, .point = {2, 0, 0}});
        ask(act, board, (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 2, .object = CDG_GRAB_SUPPORT, .index = 0});
        ask(act, board, (cdg_request){.kind = CDG_REQUEST_MOVE, .hand = 1, .point = {0.3, 0.01, -0.1 + 0.02 * k}});
        step_many(act, 7);
        ask(act, board, (cdg_request){.kind = CDG_REQUEST_MOVE, .hand = 2, .point = {0.05, 0, 0.1}});
        step_many(act, 30);
        ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 1});
        step_many(act, 5);
        ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 2});
        step_many(act, 3);
    }
}

static char *read_whole(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *text = calloc(1, 1 << 20);
    assert_true(fread(text, 1, (1 << 20) - 1, file) > 0);
    fclose(file);
    return text;
}

// What hands did to supports and obstacles, saved as a scene, gives the same picture to the bit.
static void leads_are_recorded(void **state) {
    (void)state;
    char folder[] = "/tmp/cordage-live-XXXXXX", path[128];
    cdg_board board;
    cdg_board_init(&board);
    assert_non_null(mkdtemp(folder));
    cdg_act act = view_live_in(folder);
    lead_things(&act, &board);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RECORD, .action = CDG_RECORD_SAVE});
    snprintf(path, sizeof path, "%s/shown-hands-1.yaml", folder);
    char *text = read_whole(path);
    assert_non_null(strstr(text, "obstacle: 'ball'"));
    assert_non_null(strstr(text, "support: 0"));
    cdg_act again = view_live_of(text);
    step_many(&again, 90);
    cdg_message *one = view_draw(&act), *two = view_draw(&again);
    assert_int_equal(one->size, two->size);
    // the epoch is another
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8);
    cdg_message_release(one);
    cdg_message_release(two);
    free(text);
    remove(path);
    rmdir(folder);
    again.destroy(again.self);
    act.destroy(act.self);
    cdg_board_free(&board);
}

// Undo takes back where things were led to.
static void leads_are_undone(void **state) {
    (void)state;
    cdg_board board;
    cdg_board_init(&board);
    cdg_act act = view_live();
    step_many(&act, 3);
    act.mark(act.self);
    cdg_message *then = view_draw(&act);
    lead_things(&act, &board);
    cdg_message *picture = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_UNDO});
    assert_int_equal(picture->size, then->size);
    assert_memory_equal(cdg_message_body(picture), cdg_message_body(then), then->size);
    cdg_message_release(picture);
    cdg_message_release(then);
    act.destroy(act.self);
    cdg_board_free(&board);
}

// Grabs before and after a cut, of both parts, a cut of a part, one that is undone; then the saved scene run again.
static void cuts_are_recorded(void **state) {
    (void)state;
    char folder[] = "/tmp/cordage-live-XXXXXX", path[128];
    cdg_board board;
    cdg_board_init(&board);
    assert_non_null(mkdtemp(folder));
    cdg_act act = view_live_in(folder);
    step_many(&act, 20);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .element = 8, .point = {0.4, 0.1, 0.1}});
    step_many(&act, 10);
    cdg_request cut = {.kind = CDG_REQUEST_CUT, .element = 4, .fraction = 0.7};
    ask(&act, &board, cut);
    assert_tells(&board, CDG_SLOT_WORLD, "\"thread.2\"");
    step_many(&act, 10);
    ask(&act, &board,
        (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 2, .index = 2, .element = 5, .point = {0.5, -0.1, 0}});
    step_many(&act, 10);
    act.mark(act.self);
    cdg_message *then = view_draw(&act), *picture;
    cut = (cdg_request){.kind = CDG_REQUEST_CUT, .index = 2, .element = 2};
    ask(&act, &board, cut);
    assert_tells(&board, CDG_SLOT_WORLD, "\"thread.3\"");
    step_many(&act, 10);
    picture = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_UNDO}); // hands let go
    uint32_t count, before;
    const float *now = view_block(picture, CDG_BLOCK_POSITIONS, &count), *old;
    old = view_block(then, CDG_BLOCK_POSITIONS, &before);
    assert_int_equal(count, before);
    assert_memory_equal(now, old, count * sizeof *now);
    cdg_message_release(picture);
    cdg_message_release(then);
    step_many(&act, 5);
    cut.element = 3;
    ask(&act, &board, cut);
    step_many(&act, 20);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RECORD, .action = CDG_RECORD_SAVE});
    snprintf(path, sizeof path, "%s/shown-hands-1.yaml", folder);
    char *text = read_whole(path);
    assert_non_null(strstr(text, "cut: 'thread.node(5)'"));
    assert_non_null(strstr(text, "cut: 'thread.node(8)'"));
    assert_null(strstr(text, "thread.node(7)"));
    cdg_act again = view_live_of(text);
    again.announce(again.self, &board); // so that it can tell of its rods
    step_many(&again, 75);
    assert_tells(&board, CDG_SLOT_WORLD, "\"thread.3\"");
    cdg_message *one = view_draw(&act), *two = view_draw(&again);
    assert_int_equal(one->size, two->size);
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8);
    cdg_message_release(one);
    cdg_message_release(two);
    ask(&again, &board, (cdg_request){.kind = CDG_REQUEST_RESET});
    step_many(&again, 3);
    free(text);
    remove(path);
    rmdir(folder);
    again.destroy(again.self);
    act.destroy(act.self);
    cdg_board_free(&board);
}

static const char soft_text[] =
    "cordage: 1\n"
    "title: Soft\n"
    "simulation: {duration: 1 s, step: 4 ms}\n"
    "obstacles: [{name: ground, plane: {normal: [0, 0, 1]}}]\n"
    "solids:\n"
    "  - {name: block, material: {young_modulus: 0.2 MPa, density: 1000 kg/m^3},\n"
    "     shape: {box: {size: [6 cm, 6 cm, 12 cm]}, resolution: 3 cm}, position: [0, 0, 7 cm]}\n";

// A hand takes a solid, shakes it and lets go; saved as a scene, the same again.
static void solids_are_pulled_and_recorded(void **state) {
    (void)state;
    char folder[] = "/tmp/cordage-live-XXXXXX", path[128];
    cdg_board board;
    cdg_board_init(&board);
    assert_non_null(mkdtemp(folder));
    cdg_error error;
    cdg_act act;
    cdg_live_def def = {.scene = view_scene_in(soft_text, folder), .thread_count = 1};
    assert_int_equal(cdg_live_create(&def, &act, &error), CDG_OK);
    step_many(&act, 10);
    ask(&act, &board,
        (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .object = CDG_GRAB_SOLID, .point = {0, 0, 0.13}});
    for (int i = 0; i < 10; i++) {
        ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_MOVE, .hand = 1, .point = {0.01 * i, 0, 0.13 + 0.02 * i}});
        step_many(&act, 5);
    }
    cdg_message *picture = view_draw(&act);
    uint32_t count = 0;
    const float *points = view_block(picture, CDG_BLOCK_SOLIDS, &count);
    float highest = 0;
    for (uint32_t i = 2; i < count; i += 3) highest = fmaxf(highest, points[i]);
    assert_true(highest > 0.25F); // lifted
    const float *hand = view_block(picture, CDG_BLOCK_HANDS, &count);
    assert_true(count == 12 && hand[1] == 4);
    cdg_message_release(picture);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 1});
    step_many(&act, 20);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RECORD, .action = CDG_RECORD_SAVE});
    snprintf(path, sizeof path, "%s/shown-hands-1.yaml", folder);
    char *text = read_whole(path);
    assert_non_null(strstr(text, "solid: 'block'"));
    cdg_act again = view_live_of(text);
    step_many(&again, 80);
    cdg_message *one = view_draw(&act), *two = view_draw(&again);
    assert_int_equal(one->size, two->size);
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8);
    cdg_message_release(one);
    cdg_message_release(two);
    free(text);
    remove(path);
    rmdir(folder);
    again.destroy(again.self);
    act.destroy(act.self);
    cdg_board_free(&board);
}

static void cuts_are_refused(void **state) {
    (void)state;
    cdg_board board;
    cdg_error error;
    cdg_board_init(&board);
    cdg_act act = view_live();
    cdg_request cut = {.kind = CDG_REQUEST_CUT, .index = 9};
    assert_false(act.answer(act.self, &cut, &board, &error));
    assert_non_null(strstr(error.message, "no such rod"));
    cut = (cdg_request){.kind = CDG_REQUEST_CUT, .index = 1, .element = 4000000}; // the nearest node is taken
    ask(&act, &board, cut);
    cut = (cdg_request){.kind = CDG_REQUEST_CUT, .index = 2};
    assert_false(act.answer(act.self, &cut, &board, &error));
    assert_non_null(strstr(error.message, "one element"));
    act.destroy(act.self);
    cdg_board_free(&board);
}

// A session in a scene, saved and run again for as many steps, a multiple of ten: the same picture to the bit. Returns
// the saved text.
static char *assert_replays(const char *scene_text, int (*session)(const cdg_act *act, cdg_board *board)) {
    char folder[] = "/tmp/cordage-live-XXXXXX", path[128];
    cdg_board board;
    cdg_error error;
    cdg_board_init(&board);
    assert_non_null(mkdtemp(folder));
    cdg_act act, again;
    cdg_live_def def = {.scene = view_scene_in(scene_text, folder), .thread_count = 1};
    assert_int_equal(cdg_live_create(&def, &act, &error), CDG_OK);
    act.announce(act.self, &board);
    int steps = session(&act, &board);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RECORD, .action = CDG_RECORD_SAVE});
    snprintf(path, sizeof path, "%s/shown-hands-1.yaml", folder);
    char *text = read_whole(path);
    again = view_live_of(text);
    again.announce(again.self, &board);
    for (int k = 0; k < 10; k++) { // now and then gone back to, whatever hands and cuts there were since
        step_many(&again, steps / 10);
        again.mark(again.self);
        step_many(&again, steps / 5);
        ask(&again, &board, (cdg_request){.kind = CDG_REQUEST_UNDO});
    }
    cdg_message *one = view_draw(&act), *two = view_draw(&again);
    assert_int_equal(one->size, two->size);
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8);
    cdg_message_release(one);
    cdg_message_release(two);
    remove(path);
    rmdir(folder);
    again.destroy(again.self);
    act.destroy(act.self);
    cdg_board_free(&board);
    return text;
}

static const char adaptive_text[] =
    "cordage: 1\n"
    "simulation: {duration: 4 s, step: 2 ms}\n"
    "contact: {friction: 0.3}\n"
    "materials: {rubber: {young_modulus: 1 MPa, density: 1100 kg/m^3, damping: 5 ms}}\n"
    "rods:\n"
    "  - {name: rope, material: rubber, section: {circle: {radius: 3 mm}}, elements: 12, adapt: {levels: 3, hold: 0 "
    "s},\n"
    "     centerline: {line: {from: [0, 0, 0], to: [0.6 m, 0, 0]}}}\n"
    "obstacles: [{name: ball, sphere: {radius: 4 cm}, position: [0.3 m, 0, -6 cm]}]\n"
    "supports: [{clamp: rope.start}]\n";

static size_t divided_into(const cdg_act *act, cdg_board *board) { // elements of the rope at present
    cdg_message *picture =
        ask_and_draw(act, board, (cdg_request){.kind = CDG_REQUEST_COLOR, .field = "level", .component = -1});
    uint32_t count = 0;
    const float *levels = view_block(picture, CDG_BLOCK_VALUES, &count);
    double elements = 0;
    for (uint32_t i = 0; i + 1 < count; i++) elements += (double)exp2f(levels[i]) / 8;
    cdg_message_release(picture);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_COLOR, .component = -1});
    return (size_t)(elements + 0.5);
}

// Hands on a rod that changes its resolution: before the first step, while it is fine and while it is coarse, of a
// part, twisting. Places are shown elements, of which there are 96.
static int pull_what_adapts(const cdg_act *act, cdg_board *board) {
    ask(act, board,
        (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 2, .element = 93, .fraction = 0.37, .point = {0.5839, 0, 0}});
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_MOVE, .hand = 2, .point = {0.4, 0.05, 0.1}});
    step_many(act, 60);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 2});
    step_many(act, 100);
    size_t before = divided_into(act, board);
    assert_true(before > 12 && before < 96);
    ask(act, board,
        (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .element = 70, .fraction = 0.61, .point = {0.4, 0, -0.2}});
    ask(act, board,
        (cdg_request){.kind = CDG_REQUEST_MOVE, .hand = 1, .point = {0.1, 0.1, 0.1}, .twist = 0.7, .has_twist = true});
    step_many(act, 80);
    assert_int_equal(divided_into(act, board), before); // what is held stays as it is divided
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_CUT, .element = 30});
    step_many(act, 40);
    ask(act, board,
        (cdg_request){
            .kind = CDG_REQUEST_GRAB, .hand = 3, .index = 1, .element = 21, .fraction = 0.9, .point = {0.3, 0, 0.1}});
    step_many(act, 40);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 3});
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 1});
    step_many(act, 30);
    return 350;
}

static void hands_on_rods_that_adapt_are_recorded(void **state) {
    (void)state;
    char *text = assert_replays(adaptive_text, pull_what_adapts);
    assert_non_null(strstr(text, "element: 11\n")); // 93.37 of 96 that are shown is 11.67 of the scene's 12
    assert_non_null(strstr(text, "element: 8\n"));
    free(text);
}

static const char *const own_cuts[] = {
    "cuts:\n  - {cut: thread.node(3), at: 40 ms}\n# between\n  - {cut: thread.node(8),"
    " at: 200 ms}\n",
    "cuts: [{cut: thread.node(3), at: 40 ms},\n  {cut: thread.node(8), at: 0.2 s}]\n"};

static int cut_once_more(const cdg_act *act, cdg_board *board) {
    step_many(act, 25);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_CUT, .index = 2, .element = 3}); // node 6
    ask(act, board,
        (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .index = 2, .element = 1, .point = {0.2, 0, 0.1}});
    step_many(act, 25);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_CUT, .index = 3, .element = 2}); // node 8, before its time
    step_many(act, 60);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 1});
    step_many(act, 20);
    return 130;
}

static int pull_once_more(const cdg_act *act, cdg_board *board) {
    step_many(act, 30);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .element = 1, .point = {0.1, 0.1, 0.1}});
    step_many(act, 70);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_RELEASE, .hand = 1});
    step_many(act, 20);
    return 120;
}

static size_t count_of(const char *text, const char *word) {
    size_t count = 0;
    for (; (text = strstr(text, word)) != NULL; text++) count++;
    return count;
}

// Cuts and hands that a scene has already stay, beside those by hand, however they are written.
static void own_cuts_and_hands_stay(void **state) {
    (void)state;
    for (int k = 0; k < 2; k++) {
        char *whole = calloc(1, sizeof view_scene_text + 200);
        const char *probes = strstr(view_scene_text, "probes:");
        snprintf(whole, sizeof view_scene_text + 200, "%.*s%s%s", (int)(probes - view_scene_text), view_scene_text,
                 own_cuts[k], probes);
        char *text = assert_replays(whole, cut_once_more);
        assert_true(count_of(text, "cuts:") == 1 && count_of(text, "{cut: ") == 3 && count_of(text, "probes:") == 1);
        char *more = assert_replays(text, pull_once_more);
        assert_true(count_of(more, "{cut: ") == 3 && count_of(more, "- rod: ") == 2 && count_of(more, "hands:") == 1);
        free(more);
        free(text);
        free(whole);
    }
}

// A control that keeps the state keeps where things were led to.
static void controls_keep_what_was_led(void **state) {
    (void)state;
    static const char more[] = "controls: [{path: contact.friction, min: 0, max: 1, value: 0.2}]\n";
    char *whole = calloc(1, sizeof view_scene_text + sizeof more);
    strcat(strcpy(whole, view_scene_text), more);
    cdg_board board;
    cdg_board_init(&board);
    cdg_act act = view_live_of(whole);
    lead_things(&act, &board);
    double time = act.time(act.self);
    cdg_message *before = view_draw(&act);
    cdg_message *after = ask_and_draw(&act, &board, (cdg_request){.kind = CDG_REQUEST_CONTROL, .value = 0.7});
    assert_true(act.time(act.self) == time && time > 0.1);
    static const uint32_t blocks[] = {CDG_BLOCK_POSITIONS, CDG_BLOCK_OBSTACLES};
    for (int k = 0; k < 2; k++) {
        uint32_t count = 0, counts = 0;
        const float *one = view_block(before, blocks[k], &count), *two = view_block(after, blocks[k], &counts);
        assert_int_equal(count, counts);
        assert_memory_equal(one, two, count * sizeof *one);
        if (k == 1) assert_true(two[7] < 1.9F); // the ball, from 2 m
    }
    cdg_message_release(before);
    cdg_message_release(after);
    step_many(&act, 5);
    act.destroy(act.self);
    cdg_board_free(&board);
    free(whole);
}

// Sliders while it runs, twice without a step between, with hands before and after, and back to an earlier value.
static int move_sliders(const cdg_act *act, cdg_board *board) {
    cdg_request friction = {.kind = CDG_REQUEST_CONTROL, .value = 0.7},
                density = {.kind = CDG_REQUEST_CONTROL, .index = 1, .value = 700};
    step_many(act, 20);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 1, .element = 1, .point = {0.1, 0.1, 0.1}});
    step_many(act, 20);
    ask(act, board, density);
    density.value = 1900;
    ask(act, board, density);
    step_many(act, 30);
    ask(act, board, friction);
    ask(act, board, (cdg_request){.kind = CDG_REQUEST_GRAB, .hand = 2, .element = 7, .point = {0.1, -0.1, 0.1}});
    step_many(act, 30);
    density.value = 1100;
    ask(act, board, density);
    step_many(act, 20);
    friction.value = 0.4; // no step is taken with it
    ask(act, board, friction);
    return 120;
}

static const char *const slider_texts[] = {
    "controls:\n  - {path: contact.friction, min: 0, max: 1, value: 0.2}\n"
    "  - {path: materials.rubber.density, unit: kg/m^3, min: 100, max: 2000, value: 1100}\n",
    "controls:\n  - {path: contact.friction, min: 0, max: 1, value: 0.2}\n"
    "  - {path: materials.rubber.density, unit: kg/m^3, min: 100, max: 2000, value: 1100}\n"
    "changes:\n  - {at: 60 ms, set: 'materials.rubber.density=400 kg/m^3'}\n"
    "  - {at: 170 ms, set: ['materials.rubber.density=1500 kg/m^3', 'contact.friction=0.1']}\n"};

static void controls_that_are_moved_while_it_runs_are_recorded(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) { // the last without a step of its own, which changes would make another
        char *whole = calloc(1, sizeof view_scene_text + strlen(slider_texts[k % 2]));
        strcat(strcpy(whole, view_scene_text), slider_texts[k % 2]);
        if (k == 2) memcpy(strstr(whole, "step: 2 ms"), "step: auto", 10);
        char *text = assert_replays(whole, move_sliders);
        assert_int_equal(count_of(text, "{at: "), k != 1 ? 4 : 7); // with the scene's own lines
        assert_int_equal(count_of(text, "'simulation.step="), 1);
        assert_int_equal(count_of(text, "changes:"), 1);
        char *more = assert_replays(text, pull_once_more);
        assert_int_equal(count_of(more, "{at: "), k != 1 ? 4 : 7);
        char *again = assert_replays(text, move_sliders);
        assert_int_equal(count_of(again, "{at: "), k != 1 ? 8 : 11);
        free(again);
        free(more);
        free(text);
        free(whole);
    }
}

// What was marked in a pause is gone back to with the value that was chosen since.
static void an_undo_keeps_the_slider(void **state) {
    (void)state;
    char *whole = calloc(1, sizeof view_scene_text + strlen(slider_texts[0]));
    strcat(strcpy(whole, view_scene_text), slider_texts[0]);
    cdg_board board;
    cdg_board_init(&board);
    cdg_act act = view_live_of(whole), plain = view_live_of(whole);
    step_many(&act, 10);
    act.mark(act.self);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_CONTROL, .index = 1, .value = 700});
    step_many(&act, 10);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_UNDO});
    step_many(&act, 5);
    step_many(&plain, 10);
    ask(&plain, &board, (cdg_request){.kind = CDG_REQUEST_CONTROL, .index = 1, .value = 700});
    step_many(&plain, 5);
    cdg_message *one = view_draw(&act), *two = view_draw(&plain);
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8);
    cdg_message_release(one);
    cdg_message_release(two);
    act.destroy(act.self);
    plain.destroy(plain.self);
    cdg_board_free(&board);
    free(whole);
}

// A control that is moved before the first step, or before a reset, is part of the recording from its beginning, and
// what was led with it happens again to the bit.
static void controls_are_recorded_from_the_beginning(void **state) {
    (void)state;
    static const char more[] =
        "controls: [{path: materials.rubber.density, unit: kg/m^3, min: 100, max: 2000, value: 1100}]\n";
    char folder[] = "/tmp/cordage-live-XXXXXX", path[128], *whole = calloc(1, sizeof view_scene_text + sizeof more);
    strcat(strcpy(whole, view_scene_text), more);
    cdg_board board;
    cdg_error error;
    cdg_board_init(&board);
    assert_non_null(mkdtemp(folder));
    cdg_act act;
    cdg_live_def def = {.scene = view_scene_in(whole, folder), .thread_count = 1};
    assert_int_equal(cdg_live_create(&def, &act, &error), CDG_OK);
    cdg_request denser = {.kind = CDG_REQUEST_CONTROL, .value = 1700},
                save = {.kind = CDG_REQUEST_RECORD, .action = CDG_RECORD_SAVE};
    step_many(&act, 3);
    ask(&act, &board, denser);
    step_many(&act, 3);
    ask(&act, &board, (cdg_request){.kind = CDG_REQUEST_RESET});
    lead_things(&act, &board);
    ask(&act, &board, save);
    snprintf(path, sizeof path, "%s/shown-hands-1.yaml", folder);
    char *text = read_whole(path);
    assert_non_null(strstr(text, "set:\n  - 'materials.rubber.density=1700 kg/m^3'\n"));
    cdg_act again = view_live_of(text);
    step_many(&again, 90);
    cdg_message *one = view_draw(&act), *two = view_draw(&again);
    assert_int_equal(one->size, two->size);
    assert_memory_equal(cdg_message_body(one) + 8, cdg_message_body(two) + 8, one->size - 8); // but for the epoch
    cdg_message_release(one);
    cdg_message_release(two);
    free(text);
    free(whole);
    remove(path);
    rmdir(folder);
    again.destroy(again.self);
    act.destroy(act.self);
    cdg_board_free(&board);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_announces_itself),
        cmocka_unit_test(steps_are_drawn),
        cmocka_unit_test(colors_arrows_undo_and_reset),
        cmocka_unit_test(leads_are_recorded),
        cmocka_unit_test(cuts_are_recorded),
        cmocka_unit_test(cuts_are_refused),
        cmocka_unit_test(solids_are_pulled_and_recorded),
        cmocka_unit_test(leads_are_undone),
        cmocka_unit_test(hands_on_rods_that_adapt_are_recorded),
        cmocka_unit_test(own_cuts_and_hands_stay),
        cmocka_unit_test(controls_keep_what_was_led),
        cmocka_unit_test(controls_that_are_moved_while_it_runs_are_recorded),
        cmocka_unit_test(an_undo_keeps_the_slider),
        cmocka_unit_test(controls_are_recorded_from_the_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
