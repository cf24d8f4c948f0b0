// A surface to draw on. Pixels are cairo's; SVG is written here, because cairo's own gives text as outlines with names
// that collide when several drawings stand in one page, and coordinates rounded to 1/256 pixel. Cairo measures the text
// for both, so that a drawing looks the same in either form.
#include "plot/canvas.h"

#include "base/error.h"
#include "plot/markup.h"

#include <assert.h>
#include <cairo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_PIXELS = 16384, SVG_DECIMALS = 3 };

static const char FONT[] = "DejaVu Sans";

struct cdg_canvas {
    int width, height;
    cairo_surface_t *surface; // of the picture; of one pixel, for measuring text, when the canvas is SVG
    cairo_t *context;
    bool is_svg, is_finished;
    cdg_markup svg;
    int clip_depth;
};

// ---- making and ending

static cdg_result check_size(int width, int height, cdg_error *error) {
    if (width >= 1 && height >= 1 && width <= SIZE_MAX_PIXELS && height <= SIZE_MAX_PIXELS) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "a picture of %d x %d pixels cannot be made; each side may have 1 to %d",
                    width, height, SIZE_MAX_PIXELS);
}

static cdg_result create(int width, int height, bool is_svg, cdg_canvas **out, cdg_error *error) {
    *out = NULL;
    cdg_result result = check_size(width, height, error);
    if (result != CDG_OK) return result;
    cdg_canvas *canvas = calloc(1, sizeof *canvas);
    if (canvas == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture");
    canvas->width = width;
    canvas->height = height;
    canvas->is_svg = is_svg;
    canvas->surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, is_svg ? 1 : width, is_svg ? 1 : height);
    canvas->context = cairo_create(canvas->surface);
    if (cairo_status(canvas->context) != CAIRO_STATUS_SUCCESS) {
        cdg_canvas_destroy(canvas);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture of %d x %d pixels", width, height);
    }
    // Unhinted text has the same width at any place and size, so what is measured is what is drawn.
    cairo_font_options_t *options = cairo_font_options_create();
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE);
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF);
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY);
    cairo_set_font_options(canvas->context, options);
    cairo_font_options_destroy(options);
    cairo_set_line_join(canvas->context, CAIRO_LINE_JOIN_ROUND);
    *out = canvas;
    return CDG_OK;
}

cdg_result cdg_canvas_create_image(int width, int height, cdg_canvas **out, cdg_error *error) {
    return create(width, height, false, out, error);
}

cdg_result cdg_canvas_create_from_rgb(int width, int height, const unsigned char *rgb, cdg_canvas **out,
                                      cdg_error *error) {
    cdg_result result = create(width, height, false, out, error);
    if (result != CDG_OK) return result;
    assert(*out != NULL);
    cairo_surface_t *surface = (*out)->surface;
    unsigned char *data = cairo_image_surface_get_data(surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(surface);
    for (size_t y = 0; y < (size_t)height; y++) {
        for (size_t x = 0; x < (size_t)width; x++) {
            const unsigned char *from = rgb + 3 * (y * (size_t)width + x);
            uint32_t pixel = 0xFF000000U | (uint32_t)from[0] << 16 | (uint32_t)from[1] << 8 | from[2];
            memcpy(data + y * stride + 4 * x, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface);
    return CDG_OK;
}

typedef struct byte_source {
    const unsigned char *bytes;
    size_t left;
} byte_source;

static cairo_status_t take_bytes(void *closure, unsigned char *data, unsigned length) {
    byte_source *source = closure;
    if (length > source->left) return CAIRO_STATUS_READ_ERROR;
    memcpy(data, source->bytes, length);
    source->bytes += length;
    source->left -= length;
    return CAIRO_STATUS_SUCCESS;
}

cdg_result cdg_canvas_create_from_png(const unsigned char *bytes, size_t size, cdg_canvas **out, cdg_error *error) {
    *out = NULL;
    byte_source source = {bytes, size};
    cairo_surface_t *surface = cairo_image_surface_create_from_png_stream(take_bytes, &source);
    cairo_status_t status = cairo_surface_status(surface);
    cdg_result result = CDG_OK;
    if (status == CAIRO_STATUS_NO_MEMORY) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a picture");
    } else if (status != CAIRO_STATUS_SUCCESS) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "this is not a whole PNG picture: %s", cairo_status_to_string(status));
    } else {
        result =
            create(cairo_image_surface_get_width(surface), cairo_image_surface_get_height(surface), false, out, error);
    }
    if (result == CDG_OK) {
        assert(*out != NULL);
        cairo_set_source_surface((*out)->context, surface, 0, 0);
        cairo_paint((*out)->context);
    }
    cairo_surface_destroy(surface);
    return result;
}

// ---- SVG's attributes

static void put_attribute(cdg_canvas *canvas, const char *name, double value) {
    cdg_markup_raw(&canvas->svg, " ");
    cdg_markup_raw(&canvas->svg, name);
    cdg_markup_raw(&canvas->svg, "=\"");
    cdg_markup_number(&canvas->svg, value, SVG_DECIMALS);
    cdg_markup_raw(&canvas->svg, "\"");
}

static unsigned byte_of(double value) {
    return value >= 1 ? 255U : value > 0 ? (unsigned)(value * 255 + 0.5) : 0U; // NaN is 0
}

static void put_color(cdg_canvas *canvas, const char *name, cdg_rgba color) {
    char text[16];
    snprintf(text, sizeof text, "#%02x%02x%02x", byte_of(color.red), byte_of(color.green), byte_of(color.blue));
    cdg_markup_raw(&canvas->svg, " ");
    cdg_markup_raw(&canvas->svg, name);
    cdg_markup_raw(&canvas->svg, "=\"");
    cdg_markup_raw(&canvas->svg, text);
    cdg_markup_raw(&canvas->svg, "\"");
    if (color.alpha < 1) {
        char opacity[32];
        snprintf(opacity, sizeof opacity, "%s-opacity", name);
        put_attribute(canvas, opacity, color.alpha);
    }
}

static void put_points(cdg_canvas *canvas, const double *xy, size_t count) {
    cdg_markup_raw(&canvas->svg, " points=\"");
    for (size_t i = 0; i < 2 * count; i++) {
        if (i > 0) cdg_markup_raw(&canvas->svg, i % 2 == 0 ? " " : ",");
        cdg_markup_number(&canvas->svg, xy[i], SVG_DECIMALS);
    }
    cdg_markup_raw(&canvas->svg, "\"");
}

cdg_result cdg_canvas_create_svg(int width, int height, cdg_canvas **out, cdg_error *error) {
    cdg_result result = create(width, height, true, out, error);
    if (result != CDG_OK) return result;
    cdg_canvas *canvas = *out;
    char text[256];
    snprintf(text, sizeof text, " viewBox=\"0 0 %d %d\" font-family=\"%s, Verdana, sans-serif\">\n", width, height,
             FONT);
    cdg_markup_raw(&canvas->svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    put_attribute(canvas, "width", width);
    put_attribute(canvas, "height", height);
    cdg_markup_raw(&canvas->svg, text);
    return CDG_OK;
}

void cdg_canvas_destroy(cdg_canvas *canvas) {
    if (canvas == NULL) return;
    cairo_destroy(canvas->context);
    cairo_surface_destroy(canvas->surface);
    cdg_markup_free(&canvas->svg);
    free(canvas);
}

// ---- shapes

static bool are_finite(const double *numbers, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(numbers[i])) return false;
    }
    return true;
}

static void set_color(cdg_canvas *canvas, cdg_rgba color) {
    cairo_set_source_rgba(canvas->context, color.red, color.green, color.blue, color.alpha);
}

void cdg_canvas_fill_all(cdg_canvas *canvas, cdg_rgba color) {
    if (canvas->is_svg) {
        cdg_canvas_rectangle(canvas, 0, 0, canvas->width, canvas->height, color);
        return;
    }
    if (canvas->is_finished) return;
    set_color(canvas, color);
    cairo_paint(canvas->context);
}

void cdg_canvas_rectangle(cdg_canvas *canvas, double x, double y, double width, double height, cdg_rgba color) {
    if (canvas->is_finished || !are_finite((double[]){x, y, width, height}, 4) || !(width > 0) || !(height > 0)) return;
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "<rect");
        put_attribute(canvas, "x", x);
        put_attribute(canvas, "y", y);
        put_attribute(canvas, "width", width);
        put_attribute(canvas, "height", height);
        put_color(canvas, "fill", color);
        cdg_markup_raw(&canvas->svg, "/>\n");
        return;
    }
    set_color(canvas, color);
    cairo_rectangle(canvas->context, x, y, width, height);
    cairo_fill(canvas->context);
}

// One stretch of a polyline without gaps, at least two points.
static void draw_stretch(cdg_canvas *canvas, const double *xy, size_t count, double width, cdg_rgba color,
                         const double *dashes, size_t dash_count) {
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "<polyline fill=\"none\"");
        put_color(canvas, "stroke", color);
        put_attribute(canvas, "stroke-width", width);
        cdg_markup_raw(&canvas->svg, " stroke-linejoin=\"round\"");
        if (dash_count > 0) {
            cdg_markup_raw(&canvas->svg, " stroke-dasharray=\"");
            for (size_t i = 0; i < dash_count; i++) {
                if (i > 0) cdg_markup_raw(&canvas->svg, " ");
                cdg_markup_number(&canvas->svg, dashes[i], SVG_DECIMALS);
            }
            cdg_markup_raw(&canvas->svg, "\"");
        }
        put_points(canvas, xy, count);
        cdg_markup_raw(&canvas->svg, "/>\n");
        return;
    }
    set_color(canvas, color);
    cairo_set_line_width(canvas->context, width);
    cairo_set_dash(canvas->context, dashes, (int)dash_count, 0);
    for (size_t i = 0; i < count; i++) cairo_line_to(canvas->context, xy[2 * i], xy[2 * i + 1]);
    cairo_stroke(canvas->context);
}

void cdg_canvas_polyline(cdg_canvas *canvas, const double *xy, size_t count, double width, cdg_rgba color,
                         const double *dashes, size_t dash_count) {
    if (canvas->is_finished || !isfinite(width) || !(width > 0)) return;
    // Dashes that are not positive would be an error that cairo never forgets.
    double sum = 0;
    bool has_bad_dash = false;
    for (size_t i = 0; i < dash_count; i++) {
        has_bad_dash = has_bad_dash || !(dashes[i] >= 0) || !isfinite(dashes[i]);
        sum += dashes[i];
    }
    if (has_bad_dash || !(sum > 0) || dash_count > 64) dash_count = 0;
    for (size_t begin = 0; begin < count;) { // a point that is not finite interrupts the line
        size_t end = begin;
        while (end < count && are_finite(xy + 2 * end, 2)) end++;
        if (end - begin >= 2) draw_stretch(canvas, xy + 2 * begin, end - begin, width, color, dashes, dash_count);
        begin = end + 1;
    }
}

void cdg_canvas_polygon(cdg_canvas *canvas, const double *xy, size_t count, cdg_rgba color) {
    if (canvas->is_finished || count < 3 || !are_finite(xy, 2 * count)) return;
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "<polygon");
        put_color(canvas, "fill", color);
        put_points(canvas, xy, count);
        cdg_markup_raw(&canvas->svg, "/>\n");
        return;
    }
    set_color(canvas, color);
    for (size_t i = 0; i < count; i++) cairo_line_to(canvas->context, xy[2 * i], xy[2 * i + 1]);
    cairo_close_path(canvas->context);
    cairo_fill(canvas->context);
}

void cdg_canvas_circle(cdg_canvas *canvas, double x, double y, double radius, cdg_rgba color) {
    if (canvas->is_finished || !are_finite((double[]){x, y, radius}, 3) || !(radius > 0)) return;
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "<circle");
        put_attribute(canvas, "cx", x);
        put_attribute(canvas, "cy", y);
        put_attribute(canvas, "r", radius);
        put_color(canvas, "fill", color);
        cdg_markup_raw(&canvas->svg, "/>\n");
        return;
    }
    set_color(canvas, color);
    cairo_new_sub_path(canvas->context);
    cairo_arc(canvas->context, x, y, radius, 0, 6.283185307179586);
    cairo_fill(canvas->context);
}

// ---- text

static void choose_font(cdg_canvas *canvas, double size, bool is_bold) {
    cairo_select_font_face(canvas->context, FONT, CAIRO_FONT_SLANT_NORMAL,
                           is_bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
    cairo_set_font_size(canvas->context, size);
}

// Cairo refuses text that is not UTF-8 for good, so it gets a cleaned copy; NULL when there is nothing to draw.
static char *usable_text(double size, const char *text) {
    return isfinite(size) && size > 0 && text[0] != '\0' ? cdg_markup_clean(text) : NULL;
}

double cdg_canvas_text_width(cdg_canvas *canvas, double size, bool is_bold, const char *text) {
    char *clean = usable_text(size, text);
    if (clean == NULL) return 0;
    choose_font(canvas, size, is_bold);
    cairo_text_extents_t extents;
    cairo_text_extents(canvas->context, clean, &extents);
    free(clean);
    return extents.x_advance;
}

void cdg_canvas_text(cdg_canvas *canvas, double x, double y, double size, cdg_text_anchor anchor, double angle,
                     bool is_bold, cdg_rgba color, const char *text) {
    if (canvas->is_finished || !are_finite((double[]){x, y, angle}, 3)) return;
    if (canvas->is_svg) {
        if (!isfinite(size) || !(size > 0) || text[0] == '\0') return;
        static const char *const anchors[] = {"start", "middle", "end"};
        cdg_markup_raw(&canvas->svg, "<text");
        put_attribute(canvas, "x", x);
        put_attribute(canvas, "y", y);
        put_attribute(canvas, "font-size", size);
        if (is_bold) cdg_markup_raw(&canvas->svg, " font-weight=\"bold\"");
        if (anchor != CDG_TEXT_LEFT) {
            cdg_markup_raw(&canvas->svg, " text-anchor=\"");
            cdg_markup_raw(&canvas->svg, anchors[anchor]);
            cdg_markup_raw(&canvas->svg, "\"");
        }
        if (angle != 0) {
            cdg_markup_raw(&canvas->svg, " transform=\"rotate(");
            cdg_markup_number(&canvas->svg, -angle * 57.29577951308232, SVG_DECIMALS);
            cdg_markup_raw(&canvas->svg, " ");
            cdg_markup_number(&canvas->svg, x, SVG_DECIMALS);
            cdg_markup_raw(&canvas->svg, " ");
            cdg_markup_number(&canvas->svg, y, SVG_DECIMALS);
            cdg_markup_raw(&canvas->svg, ")\"");
        }
        put_color(canvas, "fill", color);
        cdg_markup_raw(&canvas->svg, ">");
        cdg_markup_text(&canvas->svg, text);
        cdg_markup_raw(&canvas->svg, "</text>\n");
        return;
    }
    char *clean = usable_text(size, text);
    if (clean == NULL) return;
    double width = anchor == CDG_TEXT_LEFT ? 0 : cdg_canvas_text_width(canvas, size, is_bold, clean);
    choose_font(canvas, size, is_bold);
    set_color(canvas, color);
    cairo_save(canvas->context);
    cairo_translate(canvas->context, x, y);
    cairo_rotate(canvas->context, -angle);
    cairo_move_to(canvas->context, anchor == CDG_TEXT_CENTER ? -width / 2 : -width, 0);
    cairo_show_text(canvas->context, clean);
    cairo_new_path(canvas->context);
    cairo_restore(canvas->context);
    free(clean);
}

void cdg_canvas_text_on(cdg_canvas *canvas, double x, double y, double size, cdg_text_anchor anchor, bool is_bold,
                        cdg_rgba color, cdg_rgba rim, const char *text) {
    static const double rim_share = 0.25; // of the size, both sides of the outline together
    char *clean = usable_text(size, text);
    if (clean != NULL && !canvas->is_svg && !canvas->is_finished && are_finite((double[]){x, y}, 2)) {
        double width = anchor == CDG_TEXT_LEFT ? 0 : cdg_canvas_text_width(canvas, size, is_bold, clean);
        choose_font(canvas, size, is_bold);
        set_color(canvas, rim);
        cairo_set_dash(canvas->context, NULL, 0, 0);
        cairo_set_line_width(canvas->context, rim_share * size);
        cairo_move_to(canvas->context, x - (anchor == CDG_TEXT_CENTER ? width / 2 : width), y);
        cairo_text_path(canvas->context, clean);
        cairo_stroke(canvas->context);
    }
    free(clean);
    cdg_canvas_text(canvas, x, y, size, anchor, 0, is_bold, color, text);
}

// ---- clips and images

void cdg_canvas_clip(cdg_canvas *canvas, double x, double y, double width, double height) {
    if (canvas->is_finished) return;
    if (!are_finite((double[]){x, y, width, height}, 4) || width < 0 || height < 0) x = y = width = height = 0;
    canvas->clip_depth++;
    if (canvas->is_svg) { // an inner drawing with the same coordinates: needs no name, unlike a clip path
        cdg_markup_raw(&canvas->svg, "<svg");
        put_attribute(canvas, "x", x);
        put_attribute(canvas, "y", y);
        put_attribute(canvas, "width", width);
        put_attribute(canvas, "height", height);
        cdg_markup_raw(&canvas->svg, " viewBox=\"");
        const double box[4] = {x, y, width, height};
        for (int i = 0; i < 4; i++) {
            if (i > 0) cdg_markup_raw(&canvas->svg, " ");
            cdg_markup_number(&canvas->svg, box[i], SVG_DECIMALS);
        }
        cdg_markup_raw(&canvas->svg, "\">\n");
        return;
    }
    cairo_save(canvas->context);
    cairo_rectangle(canvas->context, x, y, width, height);
    cairo_clip(canvas->context);
}

void cdg_canvas_unclip(cdg_canvas *canvas) {
    if (canvas->is_finished || canvas->clip_depth == 0) return;
    canvas->clip_depth--;
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "</svg>\n");
    } else {
        cairo_restore(canvas->context);
    }
}

typedef struct byte_store {
    unsigned char *bytes;
    size_t size, capacity;
} byte_store;

static cairo_status_t store_bytes(void *closure, const unsigned char *data, unsigned length) {
    byte_store *store = closure;
    if (store->capacity - store->size < length) {
        size_t capacity = store->capacity > 0 ? store->capacity : 65536;
        while (capacity - store->size < length) capacity *= 2;
        unsigned char *bytes = realloc(store->bytes, capacity);
        if (bytes == NULL) return CAIRO_STATUS_NO_MEMORY;
        store->bytes = bytes;
        store->capacity = capacity;
    }
    memcpy(store->bytes + store->size, data, length);
    store->size += length;
    return CAIRO_STATUS_SUCCESS;
}

static bool encode_png(cairo_surface_t *surface, byte_store *store) {
    *store = (byte_store){0};
    cairo_surface_flush(surface);
    if (cairo_surface_write_to_png_stream(surface, store_bytes, store) == CAIRO_STATUS_SUCCESS) return true;
    free(store->bytes);
    *store = (byte_store){0};
    return false;
}

void cdg_canvas_place_image(cdg_canvas *canvas, const cdg_canvas *image, double x, double y, double width,
                            double height) {
    if (canvas->is_finished || image->is_svg || !are_finite((double[]){x, y, width, height}, 4)) return;
    if (!(width > 0) || !(height > 0)) return;
    if (canvas->is_svg) {
        byte_store store;
        if (!encode_png(image->surface, &store)) {
            canvas->svg.has_failed = true;
            return;
        }
        cdg_markup_raw(&canvas->svg, "<image");
        put_attribute(canvas, "x", x);
        put_attribute(canvas, "y", y);
        put_attribute(canvas, "width", width);
        put_attribute(canvas, "height", height);
        cdg_markup_raw(&canvas->svg, " preserveAspectRatio=\"none\" href=\"data:image/png;base64,");
        cdg_markup_base64(&canvas->svg, store.bytes, store.size);
        cdg_markup_raw(&canvas->svg, "\"/>\n");
        free(store.bytes);
        return;
    }
    cairo_save(canvas->context);
    cairo_rectangle(canvas->context, x, y, width, height);
    cairo_clip(canvas->context);
    cairo_translate(canvas->context, x, y);
    cairo_scale(canvas->context, width / image->width, height / image->height);
    cairo_set_source_surface(canvas->context, image->surface, 0, 0);
    cairo_pattern_t *pattern = cairo_get_source(canvas->context);
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD);
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD); // edges of a scaled image do not fade
    cairo_paint(canvas->context);
    cairo_restore(canvas->context);
}

// ---- results

cdg_result cdg_canvas_read_rgb(cdg_canvas *canvas, unsigned char *rgb, cdg_error *error) {
    if (canvas->is_svg) return cdg_fail(error, CDG_ERROR_ARGUMENT, "an SVG drawing has no pixels to read");
    cairo_surface_flush(canvas->surface);
    const unsigned char *data = cairo_image_surface_get_data(canvas->surface);
    size_t stride = (size_t)cairo_image_surface_get_stride(canvas->surface);
    for (size_t y = 0; y < (size_t)canvas->height; y++) {
        for (size_t x = 0; x < (size_t)canvas->width; x++) {
            uint32_t pixel;
            memcpy(&pixel, data + y * stride + 4 * x, sizeof pixel);
            unsigned char *to = rgb + 3 * (y * (size_t)canvas->width + x);
            unsigned white = 255 - (pixel >> 24); // cairo's colours are multiplied by alpha already
            to[0] = (unsigned char)((pixel >> 16 & 255) + white);
            to[1] = (unsigned char)((pixel >> 8 & 255) + white);
            to[2] = (unsigned char)((pixel & 255) + white);
        }
    }
    return CDG_OK;
}

cdg_result cdg_canvas_encode(cdg_canvas *canvas, unsigned char **bytes, size_t *size, cdg_error *error) {
    *bytes = NULL;
    *size = 0;
    if (canvas->is_finished) return cdg_fail(error, CDG_ERROR_ARGUMENT, "the picture was encoded before");
    while (canvas->clip_depth > 0) cdg_canvas_unclip(canvas);
    canvas->is_finished = true;
    if (canvas->is_svg) {
        cdg_markup_raw(&canvas->svg, "</svg>\n");
        if (canvas->svg.has_failed) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for an SVG drawing");
        *bytes = (unsigned char *)canvas->svg.text;
        *size = canvas->svg.size;
        canvas->svg = (cdg_markup){0};
        return CDG_OK;
    }
    cairo_status_t status = cairo_status(canvas->context);
    byte_store store = {0};
    if (status != CAIRO_STATUS_SUCCESS)
        return cdg_fail(error, CDG_ERROR_MEMORY, "the picture could not be drawn: %s", cairo_status_to_string(status));
    if (!encode_png(canvas->surface, &store))
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a PNG of %d x %d pixels", canvas->width,
                        canvas->height);
    *bytes = store.bytes;
    *size = store.size;
    return CDG_OK;
}
