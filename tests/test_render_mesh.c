// Pictures of meshes: outer faces in one colour, laid open ones in another, dark edges, and the same on any threads.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "plot/canvas.h"
#include "render/render_mesh.h"
#include "tetrahedra_case.h"

typedef struct colors {
    size_t blue, amber, dark; // pixels
} colors;

static colors count_colors(const unsigned char *png, size_t size, int width, int height) {
    cdg_canvas *canvas = NULL;
    cdg_error error = {0};
    unsigned char *rgb = malloc(3 * (size_t)width * (size_t)height);
    assert_int_equal(cdg_canvas_create_from_png(png, size, &canvas, &error), CDG_OK);
    assert_int_equal(cdg_canvas_read_rgb(canvas, rgb, &error), CDG_OK);
    colors found = {0};
    for (int i = 0; i < width * height; i++) {
        int red = rgb[3 * i], green = rgb[3 * i + 1], blue = rgb[3 * i + 2];
        found.blue += blue > red + 50;
        found.amber += red > blue + 50;
        found.dark += red + green + blue < 200;
    }
    cdg_canvas_destroy(canvas);
    free(rgb);
    return found;
}

static cdg_render_mesh_def small_def(const cdg_mesh *mesh) {
    cdg_render_mesh_def def = cdg_render_mesh_def_default();
    def.tetrahedra = mesh;
    def.width = 120, def.height = 80;
    def.threads = 1;
    def.quality = (cdg_picture_quality){.edge_samples = 4, .ground_samples = 1};
    return def;
}

static colors take(const cdg_render_mesh_def *def, cdg_render_mesh_report *report) {
    unsigned char *png;
    size_t size;
    cdg_error error = {0};
    if (cdg_render_mesh(def, &png, &size, report, &error) != CDG_OK) fail_msg("%s", error.message);
    colors found = count_colors(png, size, def->width, def->height);
    free(png);
    return found;
}

static void cuts_are_seen(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(4, 0);
    cdg_render_mesh_def def = small_def(&mesh);
    cdg_render_mesh_report report;
    colors whole = take(&def, &report);
    assert_true(whole.blue > 800 && whole.amber == 0 && whole.dark > 30);
    assert_int_equal(report.face_count, 192);
    // whichever way it is cut, the camera looks at the cut
    static const cdg_vec3 normals[] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0.6, 0, 0.8}};
    for (size_t i = 0; i < sizeof normals / sizeof *normals; i++) {
        cdg_cut_plane cut = {.normal = normals[i]};
        def.cut = &cut;
        colors opened = take(&def, &report);
        assert_true(opened.amber > 300);
        assert_true(report.hidden_count > mesh.tetrahedron_count / 4);
    }
    cdg_mesh_free(&mesh);
}

static void threads_do_not_matter(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(3, 0.1);
    cdg_render_mesh_def def = small_def(&mesh);
    cdg_render_mesh_report report;
    unsigned char *png[2];
    size_t size[2];
    cdg_error error = {0};
    for (int i = 0; i < 2; i++) {
        def.threads = 1 + 2 * i;
        assert_int_equal(cdg_render_mesh(&def, &png[i], &size[i], &report, &error), CDG_OK);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(png[0], png[1], size[0]);
    free(png[0]), free(png[1]);
    cdg_mesh_free(&mesh);
}

static bool stop(void *user) {
    (void)user;
    return false;
}

static void nothing_to_draw_is_told(void **state) {
    (void)state;
    cdg_mesh mesh = tetrahedra_block(1, 0);
    cdg_render_mesh_def def = small_def(&mesh);
    cdg_render_mesh_report report;
    cdg_cut_plane all = {.normal = {0, 0, 1}, .has_offset = true, .offset = -3};
    unsigned char *png;
    size_t size;
    cdg_error error = {0};
    def.cut = &all;
    assert_int_equal(cdg_render_mesh(&def, &png, &size, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--cut takes the whole mesh away"));
    def.cut = NULL;
    for (size_t i = 0; i < mesh.point_count; i++) mesh.points[i] = vec3(1, 1, 1);
    assert_int_equal(cdg_render_mesh(&def, &png, &size, &report, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "in one place"));
    cdg_mesh_free(&mesh);
    mesh = tetrahedra_block(1, 0);
    def.tetrahedra = &mesh;
    def.goes_on = stop;
    assert_int_equal(cdg_render_mesh(&def, &png, &size, &report, &error), CDG_ERROR_INTERRUPTED);
    assert_null(png);
    cdg_mesh_free(&mesh);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(cuts_are_seen), cmocka_unit_test(threads_do_not_matter),
                                       cmocka_unit_test(nothing_to_draw_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
