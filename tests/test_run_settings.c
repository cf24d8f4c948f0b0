// Settings as JSON: the words of the scene language.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "output/run_settings.h"

static void test_model_names(void **state) {
    (void)state;
#define CHECK(model, key, text) assert_string_equal(cdg_run_model_name(model), #key);
    CDG_MODEL_LIST(CHECK)
#undef CHECK
    assert_string_equal(cdg_run_model_name(CDG_MODEL_COUNT), "unknown");
}

static void test_scene(void **state) {
    (void)state;
    cdg_pobd_options pobd = {.iterations = 5};
    void *options[CDG_MODEL_COUNT] = {[CDG_MODEL_POBD] = &pobd};
    cdg_scene scene = {.duration = 2, .gravity = {0, 0, -9.81}, .options = options};
    cdg_json json = {0};
    cdg_run_settings_write(&json, NULL, &scene);
    const char *text = cdg_json_finish(&json);
    assert_non_null(text);
    assert_non_null(strstr(text, "\"step\": \"auto\""));
    assert_non_null(strstr(text, "\"duration\": 2"));
    assert_non_null(strstr(text, "-9.81"));
    assert_non_null(strstr(text, "\"solver\": \"direct\""));
    assert_null(strstr(text, "paper"));
    cdg_json_free(&json);
    scene.step = 0.001;
    cdg_run_settings_write(&json, NULL, &scene);
    assert_non_null(strstr(cdg_json_finish(&json), "\"step\": 0.001"));
    cdg_json_free(&json);
}

static void test_rod(void **state) {
    (void)state;
    cdg_rod_def rod = {.pobd = {.solver = CDG_POBD_GAUSS_SEIDEL,
                                .integrator = CDG_POBD_EULER,
                                .darboux = CDG_POBD_TANGENT,
                                .iterations = 7,
                                .paper_stiffness = true,
                                .paper_bend = {0.25, 0.5, 0.75}}};
    cdg_json json = {0};
    cdg_run_settings_write_rod(&json, NULL, &rod);
    const char *text = cdg_json_finish(&json);
    assert_non_null(text);
    const char *const words[] = {"\"gauss_seidel\"",  "\"euler\"", "\"tangent\"",
                                 "\"iterations\": 7", "0.25",      "\"pobd\""};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) assert_non_null(strstr(text, words[i]));
    cdg_json_free(&json);
    rod.model = CDG_MODEL_REFERENCE;
    rod.reference = (cdg_reference_options){.iterations = 9, .dissipation = 0.125, .darboux = CDG_REFERENCE_SINE};
    cdg_run_settings_write_rod(&json, NULL, &rod);
    text = cdg_json_finish(&json);
    const char *const reference[] = {"\"reference\"", "\"iterations\": 9", "0.125", "\"sine\""};
    for (size_t i = 0; i < sizeof reference / sizeof reference[0]; i++) assert_non_null(strstr(text, reference[i]));
    assert_null(strstr(text, "pobd")); // only the options that the rod uses
    cdg_json_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_model_names),
        cmocka_unit_test(test_scene),
        cmocka_unit_test(test_rod),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
