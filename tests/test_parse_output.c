// output: which fields of rods are written.
#include "fields/field.h"
#include "scene_text.h"

#define OUTPUT(text) SCENE_GOOD "output: {" text "}\n"

static cdg_field_set left_out_of(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    cdg_field_set set = scene->left_out;
    cdg_scene_destroy(scene);
    return set;
}

static void test_fields(void **state) {
    (void)state;
    assert_int_equal(left_out_of(SCENE_GOOD), 0);
    assert_int_equal(left_out_of(OUTPUT("fields: all")), 0);
    assert_int_equal(left_out_of(OUTPUT("every: 10 ms")), 0);
    cdg_field_set nothing = left_out_of(OUTPUT("fields: []")),
                  two = left_out_of(OUTPUT("fields: [velocities, tension, velocities]"));
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        cdg_field_set bit = cdg_field_bit((cdg_field)k);
        bool adapts = (cdg_field_get((cdg_field)k).traits & CDG_FIELD_ADAPTS) != 0;
        bool stays = k == CDG_FIELD_positions || k == CDG_FIELD_frames || adapts;
        assert_int_equal((nothing & bit) != 0, !stays);
        assert_int_equal((two & bit) != 0, !stays && k != CDG_FIELD_velocities && k != CDG_FIELD_tension);
    }
    assert_int_equal(left_out_of(OUTPUT("fields: [positions, frames]")), nothing);
    cdg_scene *scene = scene_parse_good(OUTPUT("fields: [positions, tension]"));
    assert_true(scene_says(scene, "warning: positions are always written and need not be named"));
    assert_false(scene_says(scene, "tension are"));
    cdg_scene_destroy(scene);
}

static void test_precision(void **state) {
    (void)state;
    static const char *const texts[] = {SCENE_GOOD, OUTPUT("precision: double"), OUTPUT("precision: single")};
    for (int i = 0; i < 3; i++) {
        cdg_scene *scene = scene_parse_good(texts[i]);
        assert_int_equal(scene->precision, i == 2 ? SCENE_SINGLE : SCENE_DOUBLE);
        cdg_scene_destroy(scene);
    }
}

// The reference and the message name every field that there is to choose.
static void test_text(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_with(OUTPUT("fields: [zzzzzzzzzzzzzz]"), NULL, 0);
    const scene_key *row = NULL;
    for (size_t i = 0; i < cdg_schema_output.count; i++)
        if (strcmp(cdg_schema_output.keys[i].name, "fields") == 0) row = &cdg_schema_output.keys[i];
    assert_non_null(row);
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        if ((cdg_field_get((cdg_field)k).traits & CDG_FIELD_ADAPTS) != 0) continue;
        const char *name = cdg_field_get((cdg_field)k).name;
        assert_non_null(strstr(row->text, name));
        if (k == CDG_FIELD_positions || k == CDG_FIELD_frames) continue;
        assert_non_null(strstr(cdg_scene_diagnostic(scene, 0).text, name));
    }
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {OUTPUT("fields: tension"), "'all' or a list of fields"},
        {OUTPUT("fields: {tension: on}"), "'all' or a list of fields"},
        {OUTPUT("fields: [tenson]"), "did you mean 'tension'?"},
        {OUTPUT("fields: [[tension]]"), "there is no field a list"},
        {OUTPUT("field: [tension]"), "fields"},
        {OUTPUT("precision: half"), "single"},
        {OUTPUT("float32: on"), "precision"},
        {OUTPUT("quantities: [tension]"), "fields"},
    };
    scene_check_mistakes(wrong, sizeof wrong / sizeof *wrong);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fields), cmocka_unit_test(test_precision),
                                       cmocka_unit_test(test_text), cmocka_unit_test(test_mistakes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
