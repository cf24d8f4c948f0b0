// Contact sheets: cells lie inside, in order, do not overlap, and receive the pictures.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "render/sheet.h"

#include <stdlib.h>
#include <string.h>

static void test_cells(void **state) {
    (void)state;
    cdg_random random = {.state = 4};
    for (int trial = 0; trial < 200; trial++) {
        int columns = 1 + (int)(random_bits(&random) % 6), rows = 1 + (int)(random_bits(&random) % 6);
        int width = 130 + (int)(random_bits(&random) % 300), height = 130 + (int)(random_bits(&random) % 300);
        int margin = trial % 3 * 10; // at the right
        cdg_sheet sheet;
        assert_int_equal(cdg_sheet_make(columns, rows, width, height, margin, &sheet, NULL), CDG_OK);
        size_t cell_bytes = (size_t)3 * (size_t)sheet.cell_width * (size_t)sheet.cell_height;
        size_t bytes = (size_t)3 * (size_t)width * (size_t)height;
        unsigned char *cell = malloc(cell_bytes), *rgb = calloc(bytes, 1);
        assert_non_null(cell);
        assert_non_null(rgb);
        for (int i = 0; i < columns * rows; i++) {
            memset(cell, i + 1, cell_bytes);
            cdg_sheet_put(&sheet, i, cell, rgb);
        }
        size_t counts[64] = {0};
        for (size_t i = 0; i < bytes; i++) counts[rgb[i]]++;
        for (int i = 0; i < columns * rows; i++) assert_int_equal(counts[i + 1], cell_bytes); // none covered
        for (int i = 0; i < columns * rows; i++) {
            int x, y;
            cdg_sheet_place(&sheet, i, &x, &y);
            assert_true(x >= 0 && y >= 0 && x + sheet.cell_width <= width - margin && y + sheet.cell_height <= height);
            assert_int_equal(rgb[3 * ((size_t)y * (size_t)width + (size_t)x)], i + 1);
        }
        // hardly anything is wasted
        assert_true(columns * sheet.cell_width + (columns + 1) * sheet.gap > width - margin - columns);
        free(cell);
        free(rgb);
    }
}

static void test_text(void **state) {
    (void)state;
    int columns, rows;
    cdg_error error;
    assert_int_equal(cdg_sheet_parse("4x3", &columns, &rows, &error), CDG_OK);
    assert_true(columns == 4 && rows == 3);
    static const char *const bad[] = {"",     "4",     "4x",   "x3",    "0x3",       "4x0",
                                      "-4x3", "4x3x2", "65x1", "4 x 3", "99999999x1"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(cdg_sheet_parse(bad[i], &columns, &rows, &error), CDG_ERROR_ARGUMENT);
    cdg_sheet sheet;
    assert_int_equal(cdg_sheet_make(20, 20, 200, 200, 0, &sheet, &error), CDG_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "--size"));
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cells), cmocka_unit_test(test_text)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
