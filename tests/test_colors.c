// Fields as a number a node.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/colors.h"

#include <math.h>
#include <string.h>

static cdg_colors choose(const char *field, int component) {
    cdg_colors colors = {0};
    cdg_error error;
    cdg_request request = {.component = component};
    strcpy(request.field, field);
    assert_true(cdg_colors_choose(&colors, &request, &error));
    return colors;
}

static void elements_become_nodes(void **state) {
    (void)state;
    cdg_colors colors = choose("tension", CDG_REQUEST_NORM);
    const double tension[] = {1, 3, -5};
    float out[4];
    double low = INFINITY, high = -INFINITY;
    cdg_colors_put(&colors, tension, 4, 3, false, out, &low, &high);
    assert_true(out[0] == 1 && out[1] == 2 && out[2] == -1 && out[3] == -5 && low == -5 && high == 2);
    cdg_colors_put(&colors, tension, 3, 3, true, out, &low, &high);
    assert_true(out[0] == -2 && out[1] == 2 && out[2] == -1);
}

static void vectors_have_lengths_and_components(void **state) {
    (void)state;
    const double velocities[] = {3, 4, 0, NAN, 0, 0};
    float out[2];
    double low = INFINITY, high = -INFINITY;
    cdg_colors colors = choose("velocities", CDG_REQUEST_NORM);
    cdg_colors_put(&colors, velocities, 2, 1, false, out, &low, &high);
    assert_true(out[0] == 5 && isnan(out[1]) && low == 5 && high == 5);
    colors = choose("velocities", 1);
    cdg_colors_put(&colors, velocities, 2, 1, false, out, &low, &high);
    assert_true(out[0] == 4);
}

static void what_is_not_there_is_refused(void **state) {
    (void)state;
    cdg_colors colors = {0};
    cdg_error error;
    cdg_request request = {.field = "beauty"}, component = {.field = "twist", .component = 1}, none = {.field = ""};
    assert_false(cdg_colors_choose(&colors, &request, &error));
    assert_false(cdg_colors_choose(&colors, &component, &error));
    assert_true(cdg_colors_choose(&colors, &none, &error) && !colors.is_set);
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_colors_list(&json);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    assert_non_null(strstr(text, "\"curvature\""));
    assert_null(strstr(text, "\"frames\""));
    cdg_json_free(&json);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_become_nodes),
        cmocka_unit_test(vectors_have_lengths_and_components),
        cmocka_unit_test(what_is_not_there_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
