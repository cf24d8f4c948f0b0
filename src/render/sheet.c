// What division leaves over is shared by both borders, so that the sheet has exactly the size asked for.
#include "render/sheet.h"

#include "base/error.h"

#include <stdio.h>
#include <string.h>

enum { SIDE_MAX = 64, CELL_MIN = 16 };

cdg_result cdg_sheet_parse(const char *text, int *columns, int *rows, cdg_error *error) {
    char rest;
    if (strspn(text, "0123456789x") != strlen(text) || strlen(text) > 8 ||
        sscanf(text, "%dx%d%c", columns, rows, &rest) != 2 || *columns < 1 || *rows < 1 || *columns > SIDE_MAX ||
        *rows > SIDE_MAX)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--sheet is columns and rows such as 4x3, each from 1 to %d, not '%s'", SIDE_MAX, text);
    return CDG_OK;
}

cdg_result cdg_sheet_make(int columns, int rows, int width, int height, int margin, cdg_sheet *out, cdg_error *error) {
    int gap = (width < height ? width : height) / 180;
    *out = (cdg_sheet){
        .columns = columns, .rows = rows, .width = width, .height = height, .margin = margin, .gap = gap < 1 ? 1 : gap};
    out->cell_width = (width - margin - (columns + 1) * out->gap) / columns;
    out->cell_height = (height - (rows + 1) * out->gap) / rows;
    if (out->cell_width < CELL_MIN || out->cell_height < CELL_MIN)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "a sheet of %d x %d pictures needs more than %d x %d pixels; give a larger --size", columns,
                        rows, width, height);
    return CDG_OK;
}

void cdg_sheet_place(const cdg_sheet *sheet, int index, int *x, int *y) {
    int across = sheet->columns * sheet->cell_width + (sheet->columns - 1) * sheet->gap;
    int down = sheet->rows * sheet->cell_height + (sheet->rows - 1) * sheet->gap;
    *x = (sheet->width - sheet->margin - across) / 2 + index % sheet->columns * (sheet->cell_width + sheet->gap);
    *y = (sheet->height - down) / 2 + index / sheet->columns * (sheet->cell_height + sheet->gap);
}

void cdg_sheet_put(const cdg_sheet *sheet, int index, const unsigned char *cell, unsigned char *rgb) {
    int x, y;
    cdg_sheet_place(sheet, index, &x, &y);
    size_t length = 3 * (size_t)sheet->cell_width;
    for (int row = 0; row < sheet->cell_height; row++)
        memcpy(rgb + 3 * ((size_t)(y + row) * (size_t)sheet->width + (size_t)x), cell + (size_t)row * length, length);
}
