// Pages: the run stands where the page's mark was, whole, and nothing of it can end the script early.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/deflate.h"
#include "export_case.h"
#include "meshing/base64.h"

static void test_page(void **state) {
    export_case *c = *state;
    cdg_export *export = export_open(c, "cable.html", cdg_export_def_default());
    cdg_error error;
    if (cdg_export_write(export, &error) != CDG_OK) fail_msg("%s", error.message);
    assert_int_equal(cdg_export_file_count(export), 1);
    assert_int_equal(entry_count(c->base), 1);
    char *text = run_read_text(c->base, "cable.html", NULL);
    assert_true(cdg_export_bytes(export) == (double)strlen(text));
    assert_memory_equal(text, "<p>before</p><script type=\"application/json\" id=\"cordage-run\">", 60);
    const char *end = text + strlen(text) - strlen("<p>after</p>\n");
    assert_string_equal(end, "<p>after</p>\n");
    assert_null(strstr(text, CDG_EXPORT_PAGE_MARK));

    // one chunk holds all 13 pictures: positions, frames, no bodies, no obstacles, contacts' count, nine fields
    const char *mark = "class=\"cordage-chunk\">", *chunk = strstr(text, mark) + strlen(mark);
    assert_null(strstr(chunk, mark));
    size_t length = strcspn(chunk, "<"),
           size = length / 4 * 3 - (chunk[length - 1] == '=') - (chunk[length - 2] == '=');
    size_t nodes = 23, elements = 22, expected = 13 * (2 * (3 * nodes + 4 * elements + 9 * nodes) + 4);
    unsigned char *packed = malloc(size), *bytes = malloc(expected);
    assert_true(packed != NULL && bytes != NULL);
    assert_true(cdg_base64_decode(chunk, length, packed, size));
    assert_true(cdg_inflate(packed, size, bytes, expected));
    free(packed);
    free(bytes);
    free(text);
    cdg_export_close(export);
}

static void test_ranges(void **state) {
    export_case *c = *state;
    cdg_export_def def = cdg_export_def_default();
    def.first = 2, def.last = 6, def.every = 2;
    cdg_export *export = export_open(c, "few.html", def);
    assert_true(cdg_export_estimate(export) > (double)sizeof export_page);
    assert_int_equal(cdg_export_write(export, NULL), CDG_OK);
    char *text = run_read_text(c->base, "few.html", NULL);
    assert_non_null(strstr(text, "\"count\": 3,"));
    free(text);
    cdg_export_close(export);
}

static void test_without_page(void **state) {
    export_case *c = *state;
    static const char *const pages[] = {"", "<p>a page without the mark</p>"};
    for (int i = 0; i < 2; i++) {
        cdg_export_def def = cdg_export_def_default();
        def.page = pages[i];
        cdg_export *export = export_open(c, "none.html", def);
        cdg_error error;
        assert_int_equal(cdg_export_write(export, &error), CDG_ERROR_UNSUPPORTED);
        assert_non_null(strstr(error.message, "CORDAGE_VIEWER"));
        assert_false(cdg_export_has_begun(export));
        assert_int_equal(entry_count(c->base), 0);
        cdg_export_close(export);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_page, export_set_up, export_tear_down),
        cmocka_unit_test_setup_teardown(test_ranges, export_set_up, export_tear_down),
        cmocka_unit_test_setup_teardown(test_without_page, export_set_up, export_tear_down),
    };
    return cmocka_run_group_tests(tests, export_set_up_run, export_tear_down_run);
}
