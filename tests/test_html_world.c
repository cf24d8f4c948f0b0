// The world of a page: rods with their places in the blocks, sections, bodies and obstacles, and probes.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export/html_world.h"
#include "export_case.h"

static char *world_of(const cdg_export *export, cdg_vec3 gravity) {
    cdg_export_rigids rigids;
    cdg_json json = {0};
    assert_int_equal(cdg_export_rigids_make(export, &rigids, NULL), CDG_OK);
    cdg_json_begin_object(&json, NULL);
    cdg_html_put_world(&json, export, &rigids, NULL, gravity, (const double[3]){0, 1, 2}, (const double[3]){3, 4, 5});
    cdg_html_put_probes(&json, export);
    cdg_json_end(&json);
    char *text = strdup(cdg_json_finish(&json));
    cdg_json_free(&json);
    cdg_export_rigids_free(&rigids);
    // without spaces it is easier to compare
    size_t used = 0;
    for (size_t i = 0; text[i] != '\0'; i++)
        if (text[i] != ' ' && text[i] != '\n') text[used++] = text[i];
    text[used] = '\0';
    return text;
}

static void assert_has(const char *text, const char *part) {
    if (strstr(text, part) == NULL) fail_msg("'%s' is not in %.1500s", part, text);
}

static void test_rods(void **state) {
    export_case *c = *state;
    cdg_export *export = export_open(c, "x.html", cdg_export_def_default());
    char *text = world_of(export, (cdg_vec3){0, 0, -9.81});
    assert_has(text, "\"name\":\"cable\",\"first_node\":0,\"node_count\":11,\"first_element\":0,\"element_count\":10,"
                     "\"closed\":false,\"section\":\"round\",\"half1\":[0.002],\"half2\":[0.002],\"color\":\"");
    assert_has(text, "\"name\":\"ring\",\"first_node\":11,\"node_count\":12,\"first_element\":10,\"element_count\":12,"
                     "\"closed\":true");
    assert_has(text,
               "\"bounds\":{\"min\":[0,1,2],\"max\":[3,4,5]},\"up\":\"z\",\"gravity\":[0,0,-9.81],\"times\":[0,0.005");
    assert_has(text, "\"names\":[\"tip_x\"");
    assert_has(text, "\"units\":[\"m\"");
    assert_has(text, "\"columns\":[[0,0.005");
    free(text);
    text = world_of(export, (cdg_vec3){0, -1, 0});
    assert_has(text, "\"up\":\"y\"");
    free(text);
    cdg_export_close(export);
}

// A run whose probes.csv is gone has no charts, and is no worse for it.
static void test_without_probes(void **state) {
    export_case *c = *state;
    char path[2 * RUN_PATH_SIZE], away[2 * RUN_PATH_SIZE];
    snprintf(path, sizeof path, "%s/probes.csv", c->run);
    snprintf(away, sizeof away, "%s/probes.away", c->run);
    assert_int_equal(rename(path, away), 0);
    cdg_export *export = export_open(c, "x.html", cdg_export_def_default());
    char *text = world_of(export, (cdg_vec3){0, 0, 0});
    assert_has(text, "\"probes\":{}");
    free(text);
    cdg_export_close(export);
    assert_int_equal(rename(away, path), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rods, export_set_up, export_tear_down),
        cmocka_unit_test_setup_teardown(test_without_probes, export_set_up, export_tear_down),
    };
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
