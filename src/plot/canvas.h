// A surface to draw on: lines, filled shapes and text, kept as a picture of pixels or as SVG. The only user of cairo.
#ifndef CDG_PLOT_CANVAS_H
#define CDG_PLOT_CANVAS_H

#include <cordage/base.h>

typedef struct cdg_canvas cdg_canvas;

typedef struct cdg_rgba {
    double red, green, blue, alpha; // [0, 1], sRGB
} cdg_rgba;

typedef enum cdg_text_anchor { CDG_TEXT_LEFT, CDG_TEXT_CENTER, CDG_TEXT_RIGHT } cdg_text_anchor;

// Sizes and positions in pixels, y downward; 1 to 16384 each way.
cdg_result cdg_canvas_create_image(int width, int height, cdg_canvas **out, cdg_error *error); // starts transparent
// A picture of 8-bit red, green, blue triples, rows from the top.
cdg_result cdg_canvas_create_from_rgb(int width, int height, const unsigned char *rgb, cdg_canvas **out,
                                      cdg_error *error);
// The picture in a PNG file's bytes. CDG_ERROR_FORMAT: they are none.
cdg_result cdg_canvas_create_from_png(const unsigned char *bytes, size_t size, cdg_canvas **out, cdg_error *error);
cdg_result cdg_canvas_create_svg(int width, int height, cdg_canvas **out, cdg_error *error); // in memory
void cdg_canvas_destroy(cdg_canvas *canvas);                                                 // NULL is fine

void cdg_canvas_fill_all(cdg_canvas *canvas, cdg_rgba color);
void cdg_canvas_rectangle(cdg_canvas *canvas, double x, double y, double width, double height, cdg_rgba color);
void cdg_canvas_polyline(cdg_canvas *canvas, const double *xy, size_t count, double width, cdg_rgba color,
                         const double *dashes, size_t dash_count);
void cdg_canvas_polygon(cdg_canvas *canvas, const double *xy, size_t count, cdg_rgba color);
void cdg_canvas_circle(cdg_canvas *canvas, double x, double y, double radius, cdg_rgba color);
// Text with its baseline at y; `angle` in rad, counter-clockwise on the screen.
void cdg_canvas_text(cdg_canvas *canvas, double x, double y, double size, cdg_text_anchor anchor, double angle,
                     bool is_bold, cdg_rgba color, const char *text);
// The same, level and on pixels, with a rim of another colour that sets it off from what is behind it.
void cdg_canvas_text_on(cdg_canvas *canvas, double x, double y, double size, cdg_text_anchor anchor, bool is_bold,
                        cdg_rgba color, cdg_rgba rim, const char *text);
double cdg_canvas_text_width(cdg_canvas *canvas, double size, bool is_bold, const char *text);
void cdg_canvas_clip(cdg_canvas *canvas, double x, double y, double width, double height);
void cdg_canvas_unclip(cdg_canvas *canvas);
// Draws one image canvas onto another, scaled into a rectangle.
void cdg_canvas_place_image(cdg_canvas *canvas, const cdg_canvas *image, double x, double y, double width,
                            double height);

// Image canvas: its pixels as red, green, blue triples over white.
cdg_result cdg_canvas_read_rgb(cdg_canvas *canvas, unsigned char *rgb, cdg_error *error);
// The file's bytes, malloc'ed: PNG for an image, SVG for SVG. The canvas is finished by this.
cdg_result cdg_canvas_encode(cdg_canvas *canvas, unsigned char **bytes, size_t *size, cdg_error *error);

#endif
