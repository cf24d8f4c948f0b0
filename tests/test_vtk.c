// The VTK series: which files there are, what the collection says, and that a new series takes the place of the old.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "export_case.h"

#include "ragged_case.h"

static void test_series(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    cdg_export *export = export_write(c, "s.pvd", def);
    assert_int_equal(cdg_export_file_count(export), 14);
    assert_int_equal(entry_count(run_path(c->base, "s")), 13);
    double bytes = 0;
    for (size_t i = 0; i < 13; i++) {
        char name[40];
        size_t size;
        snprintf(name, sizeof name, "s/s_%04zu.vtp", i);
        char *text = run_read_text(c->base, name, &size);
        bytes += (double)size;
        const char *const parts[] = {"compressor=\"vtkZLibDataCompressor\"",
                                     "NumberOfPoints=\"23\"",
                                     "NumberOfLines=\"2\"",
                                     "Name=\"tension\"",
                                     "Name=\"moment\"",
                                     "Name=\"radius\"",
                                     "Name=\"d3\""};
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) expect_text(text, parts[k]);
        free(text);
    }
    size_t size;
    char *text = run_read_text(c->base, "s.pvd", &size), *next = text;
    assert_true(cdg_export_bytes(export) == bytes + (double)size);
    for (size_t i = 0; i < 13; i++) {
        char expected[80];
        next = strstr(next, "timestep=\"");
        assert_non_null(next);
        assert_true(strtod(next + 10, &next) == cdg_export_time(export, i));
        snprintf(expected, sizeof expected, "\" group=\"\" part=\"0\" file=\"s/s_%04zu.vtp\"/>", i);
        assert_memory_equal(next, expected, strlen(expected));
    }
    assert_null(strstr(next, "timestep"));
    free(text);
    cdg_export_close(export);

    def.first = 3, def.every = 5;
    cdg_export_close(export_write(c, "s.pvd", def));
    assert_int_equal(entry_count(run_path(c->base, "s")), 2);
    assert_true(run_path_exists(c->base, "s/s_0003.vtp") && run_path_exists(c->base, "s/s_0008.vtp"));
    assert_int_equal(entry_count(c->base), 2);
}

// Each output has the points that the rods have then.
static void test_changing_resolution(void **state) {
    export_case *c = *state, ragged = *c;
    run_directory_make(ragged.run);
    ragged_run(ragged.run, true, 6);
    cdg_export_close(export_write(&ragged, "r.pvd", cdg_export_def_default()));
    for (size_t i = 0; i < 6; i++) {
        char name[40], points[60];
        snprintf(name, sizeof name, "r/r_%04zu.vtp", i);
        snprintf(points, sizeof points, "NumberOfPoints=\"%zu\"", ragged_elements(ragged_levels_at(i)) + 6);
        char *text = run_read_text(c->base, name, NULL);
        expect_text(text, points);
        expect_text(text, "Name=\"level\"");
        free(text);
    }
    run_directory_remove(ragged.run);
}

int main(void) {
    const struct CMUnitTest tests[] = {export_test(test_series), export_test(test_changing_resolution)};
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
