// A contact sheet: pictures of equal size in rows, in one picture.
#ifndef CDG_RENDER_SHEET_H
#define CDG_RENDER_SHEET_H

#include <cordage/base.h>

typedef struct cdg_sheet {
    int columns, rows;
    int width, height;           // of the whole
    int margin;                  // pixels at the right without pictures
    int gap;                     // pixels between pictures
    int cell_width, cell_height; // of one
} cdg_sheet;

// "4x3": columns and rows, up to 64 each.
cdg_result cdg_sheet_parse(const char *text, int *columns, int *rows, cdg_error *error);
// CDG_ERROR_ARGUMENT when a picture would be smaller than 16 pixels.
cdg_result cdg_sheet_make(int columns, int rows, int width, int height, int margin, cdg_sheet *out, cdg_error *error);
// Upper left corner of a picture, counted along rows.
void cdg_sheet_place(const cdg_sheet *sheet, int index, int *x, int *y);
// Copies a picture (3 cell_width cell_height bytes) into the sheet's (3 width height bytes).
void cdg_sheet_put(const cdg_sheet *sheet, int index, const unsigned char *cell, unsigned char *rgb);

#endif
