// What hands did, as a scene: the text is read back to the same numbers.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/record.h"
#include "view_case.h"

#include <stdlib.h>

static cdg_request grab(uint32_t hand, uint32_t rod, uint32_t element) {
    return (cdg_request){.hand = hand,
                         .object = CDG_GRAB_ROD,
                         .index = rod,
                         .element = element,
                         .fraction = 1.0 / 3,
                         .point = {0.1, 0, 0}};
}

static cdg_scene *read_back(const cdg_record *record, const cdg_scene *scene, double time) {
    cdg_error error = {0};
    cdg_scene *again = NULL;
    char *text = cdg_record_text(record, scene, time, &error);
    assert_non_null(text);
    cdg_result result = cdg_scene_parse(text, strlen(text), "again.yaml", NULL, NULL, 0, &again, &error);
    if (result != CDG_OK) print_error("%s\n%s", error.message, text);
    assert_int_equal(result, CDG_OK);
    free(text);
    return again;
}

static void pulls_are_read_back_to_the_bit(void **state) {
    (void)state;
    cdg_record record = {0};
    cdg_scene *scene = view_scene();
    cdg_request first = grab(0, 0, 7), second = grab(1, 1, 2),
                body = {.hand = 2, .object = CDG_GRAB_BODY, .local = {0.1, 0, 0}};
    cdg_record_grab(&record, &first, 0.1);
    cdg_record_move(&record, 0, 0.2 + 0.1, (cdg_vec3){1.0 / 7, 2, 3}, 0);
    cdg_record_move(&record, 0, 0.2 + 0.1, (cdg_vec3){1.0 / 9, 2, 3}, 0); // no step between: the last counts
    cdg_record_move(&record, 0, 0.4, (cdg_vec3){1, 2, 3}, 1.0 / 3);
    cdg_record_move(&record, 5, 0.4, (cdg_vec3){1, 2, 3}, 0); // holds nothing
    cdg_record_grab(&record, &second, 0.5);
    cdg_record_grab(&record, &body, 0.5);
    cdg_record_release(&record, 1, 0.5); // lasted for no step
    cdg_record_release(&record, 0, 0.7);
    cdg_scene *again = read_back(&record, scene, 2);
    assert_int_equal(again->hand_count, 2);
    const cdg_grip_def *hand = &again->hands[0].def;
    assert_true(hand->place.rod.index1 == 1 && hand->place.index == 7 && hand->place.fraction == 1.0 / 3 &&
                hand->to == 0.7);
    assert_int_equal(hand->key_count, 3);
    assert_true(hand->keys[0].time == 0.1 && hand->keys[1].time == 0.2 + 0.1 && hand->keys[1].target.x == 1.0 / 9);
    assert_true(hand->keys[1].twist == 0 && hand->keys[2].twist == 1.0 / 3);
    assert_true(again->hands[1].def.place.body.index1 == 1 && again->hands[1].def.to == 2 &&
                again->hands[1].def.place.point.x == 0.1);
    assert_true(again->duration >= 2 && again->step_duration == scene->duration); // longer than the scene was
    cdg_scene_destroy(again);
    cdg_scene_destroy(scene);
    cdg_record_clear(&record);
}

static void undone_pulls_did_not_happen(void **state) {
    (void)state;
    cdg_record record = {0};
    cdg_scene *scene = view_scene();
    cdg_request first = grab(0, 0, 7), second = grab(1, 0, 2);
    cdg_record_grab(&record, &first, 0.1);
    cdg_record_move(&record, 0, 0.3, (cdg_vec3){1, 2, 3}, 0);
    cdg_record_grab(&record, &second, 0.4);
    cdg_record_rewind(&record, 0.2, 0);
    cdg_scene *again = read_back(&record, scene, 1);
    assert_int_equal(again->hand_count, 1);
    assert_true(again->hands[0].def.key_count == 1 && again->hands[0].def.to == 0.2);
    cdg_scene_destroy(again);
    cdg_record_rewind(&record, 0, 0);
    assert_int_equal(record.count, 0);
    assert_int_equal(record.key_count, 0);
    cdg_scene_destroy(scene);
    cdg_record_clear(&record);
}

// What is led has a key for each step in which it goes on, none where it stays, and none before the first step.
static void leads_have_their_own_positions(void **state) {
    (void)state;
    cdg_record record = {0};
    cdg_error error;
    cdg_scene *scene = view_scene();
    cdg_request support = {.object = CDG_GRAB_SUPPORT, .hand = 3, .point = {9, 9, 9}};
    cdg_record_grab(&record, &support, 0);
    assert_int_equal(record.key_count, 0);
    cdg_record_move(&record, 3, 0, (cdg_vec3){8, 8, 8}, 0); // the hand's own place does not matter
    assert_int_equal(record.key_count, 0);
    const double places[] = {0.1, 0.2, 0.2, 0.2, 0.3};
    for (int i = 0; i < 5; i++) cdg_record_lead(&record, 3, 0.01 * i, (cdg_vec3){places[i], 0, 0});
    assert_int_equal(record.key_count, 3);
    cdg_record_release(&record, 3, 0.05);
    char *text = cdg_record_text(&record, scene, 1, &error);
    cdg_scene *again = view_scene_of(text);
    assert_int_equal(again->hand_count, 1);
    const scene_hand *hand = &again->hands[0];
    assert_true(hand->support1 == 1 && hand->def.to == 0.05 && hand->def.key_count == 3);
    assert_true(hand->def.keys[1].time == 0.01 && hand->def.keys[1].target.x == 0.2);
    assert_true(hand->def.keys[2].time == 0.04 && hand->def.keys[2].target.x == 0.3);
    free(text);
    cdg_scene_destroy(again);
    cdg_scene_destroy(scene);
    cdg_record_clear(&record);
}

// What was given beside the text is in the recording, after what the text has of its own.
static void what_was_set_is_recorded(void **state) {
    (void)state;
    static const char own[] = "set: [contact.friction=0.4, \"title=It's\"]\n";
    char *whole = calloc(1, sizeof view_scene_text + sizeof own);
    strcat(strcpy(whole, view_scene_text), own);
    cdg_error error;
    cdg_record record = {0};
    cdg_scene *scene = NULL, *again;
    const char *overrides[] = {"contact.friction=0.7"};
    assert_int_equal(cdg_scene_parse(whole, strlen(whole), "s.yaml", NULL, overrides, 1, &scene, &error), CDG_OK);
    char *text = cdg_record_text(&record, scene, 1, &error);
    again = view_scene_of(text);
    assert_true(again->contact.friction == 0.7);
    assert_string_equal(again->title, "It's");
    assert_string_equal(again->own_sets, "contact.friction=0.4\ntitle=It's\ncontact.friction=0.7\n");
    free(text);
    free(whole);
    cdg_scene_destroy(again);
    cdg_scene_destroy(scene);
}

static void what_cannot_be_recorded_is_said(void **state) {
    (void)state;
    cdg_record record = {0};
    cdg_error error;
    cdg_scene *scene = view_scene();
    cdg_record_spoil(&record, "a control was moved");
    assert_null(cdg_record_text(&record, scene, 1, &error));
    assert_non_null(strstr(error.message, "control"));
    cdg_record_clear(&record);
    char *text = cdg_record_text(&record, scene, 1, &error);
    assert_string_equal(text, view_scene_text);
    free(text);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pulls_are_read_back_to_the_bit),  cmocka_unit_test(undone_pulls_did_not_happen),
        cmocka_unit_test(leads_have_their_own_positions),  cmocka_unit_test(what_was_set_is_recorded),
        cmocka_unit_test(what_cannot_be_recorded_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
