// What cases leave behind: charts, curves thinned to their ends, and pictures as scenes that can be read again.
#include "validation/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_curves_keep_their_ends(void **state) {
    (void)state;
    enum { MOST = 2500 };
    double x[MOST], y[MOST];
    for (int i = 0; i < MOST; i++) x[i] = i, y[i] = -2.0 * i;
    for (size_t count = 1; count <= MOST; count += 83) {
        validation_context context = validation_context_default();
        validation_add_curve(&context, "no chart yet", x, y, count);
        assert_int_equal(context.curve_count, 0);
        validation_begin_chart(&context, "title", "time", "s", "height", "m");
        validation_add_curve(&context, "curve", x, y, count);
        validation_begin_log_chart(&context, "another", "time", "s", "height", "m");
        validation_add_reference_curve(&context, "reference", x, y, count);
        validation_add_curve(&context, "empty", x, y, 0);
        assert_int_equal(context.curve_count, 2);
        assert_int_equal(context.chart_count, 2);
        assert_true(context.charts[1].is_log && !context.charts[0].is_log);
        for (size_t k = 0; k < 2; k++) {
            const validation_curve *curve = &context.curves[k];
            assert_int_equal(curve->chart, k);
            assert_true(curve->is_reference == (k == 1));
            assert_true(curve->count >= 1 && curve->count <= 402 && curve->count <= count);
            assert_true(curve->x[0] == 0 && curve->x[curve->count - 1] == (double)(count - 1));
            for (size_t i = 0; i < curve->count; i++) assert_true(curve->y[i] == -2 * curve->x[i]);
            for (size_t i = 1; i < curve->count; i++) assert_true(curve->x[i] > curve->x[i - 1]);
        }
        validation_context_free(&context);
    }
}

static void test_pictures_are_scenes(void **state) {
    (void)state;
    for (int is_closed = 0; is_closed < 2; is_closed++) {
        validation_context context = validation_context_default();
        cdg_world_def world_def = cdg_world_def_default();
        cdg_world *world = NULL;
        cdg_error error;
        cdg_rod_def def = cdg_rod_def_default();
        def.element_count = 12;
        if (is_closed) {
            def.centerline.kind = CDG_CENTERLINE_CIRCLE;
            def.centerline.circle.radius = 0.1;
            def.centerline.circle.axis = (cdg_vec3){0, 0, 1};
        }
        assert_int_equal(cdg_world_create(&world_def, &world, &error), CDG_OK);
        def.name = "a";
        assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_OK);
        def.name = "b";
        assert_int_equal(cdg_world_add_rod(world, &def, NULL), CDG_OK);
        validation_add_picture(&context, "not wanted", world);
        assert_int_equal(context.picture_count, 0);
        context.wants_pictures = true;
        validation_add_picture(&context, "wanted", world);
        assert_int_equal(context.picture_count, 1);
        const char *text = context.pictures[0].scene;
        cdg_scene *scene = NULL;
        cdg_world *again = NULL;
        assert_int_equal(cdg_scene_parse(text, strlen(text), "picture.yaml", NULL, NULL, 0, &scene, &error), CDG_OK);
        assert_int_equal(cdg_scene_build(scene, 1, &again, &error), CDG_OK);
        cdg_rod_info info, before;
        cdg_vec3 nodes[13], there[13];
        assert_int_equal(cdg_rod_get_info(world, cdg_world_rod_at(world, 1), &before), CDG_OK);
        assert_int_equal(cdg_rod_get_info(again, cdg_world_rod_at(again, 1), &info), CDG_OK);
        assert_int_equal(info.node_count, before.node_count);
        assert_int_equal(cdg_rod_positions(world, cdg_world_rod_at(world, 1), nodes), CDG_OK);
        assert_int_equal(cdg_rod_positions(again, cdg_world_rod_at(again, 1), there), CDG_OK);
        for (size_t i = 0; i < info.node_count; i++)
            assert_true(there[i].x - nodes[i].x < 1e-6 && nodes[i].x - there[i].x < 1e-6);
        cdg_world_destroy(again);
        cdg_scene_destroy(scene);
        cdg_world_destroy(world);
        validation_context_free(&context);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curves_keep_their_ends),
        cmocka_unit_test(test_pictures_are_scenes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
