// The contact sheet of a comparison. The camera is the one that sees the whole of the reference's run.
#include "compare_sheet.h"

#include "base/error.h"
#include "interrupt.h"
#include "output/disk.h"
#include "output/whole_file.h"
#include "plot/canvas.h"
#include "progress.h"
#include "render/render_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 5, CELL_WIDTH = 400, CELL_HEIGHT = 250, GAP = 6, NAMES_WIDTH = 150, HEADING = 34, ROWS_MAX = 40 };

static const cdg_rgba INK = {0.13, 0.13, 0.13, 1}, SOFT_INK = {0.45, 0.45, 0.45, 1}, WHITE = {1, 1, 1, 1},
                      EMPTY = {0.95, 0.95, 0.95, 1};

typedef struct sheet_work {
    const comparison *compared;
    cdg_canvas *canvas;
    cdg_render_def def;
    bool has_camera;
    progress_bar bar;
    size_t done, total;
    double begin; // s of the clock
} sheet_work;

static bool on_progress(void *user, const cdg_render_progress *progress) {
    sheet_work *work = user;
    (void)progress;
    double elapsed = cdg_disk_clock() - work->begin;
    if (progress_is_due(&work->bar, elapsed)) {
        char text[64];
        snprintf(text, sizeof text, "picture %zu of %zu", work->done + 1, work->total);
        const char *const parts[] = {text};
        progress_draw(&work->bar, elapsed, (double)work->done / (double)work->total, parts, 1);
    }
    return !interrupt_was_asked();
}

// The camera of a picture as a wish that leads to the same one.
static cdg_camera_wish wish_for(const cdg_camera *camera) {
    cdg_camera_wish wish = cdg_camera_wish_default();
    wish.has_from = wish.has_at = wish.has_up = wish.has_fov = true;
    wish.from = camera->from;
    wish.at = (cdg_vec3){camera->from.x + camera->forward.x, camera->from.y + camera->forward.y,
                         camera->from.z + camera->forward.z};
    wish.up = camera->up;
    wish.fov = 2 * atan(camera->slope_up);
    return wish;
}

// Renders into a file, as the renderer does, and takes the picture from there.
static cdg_result draw_cell(sheet_work *work, const variant_result *result, double time, int x, int y,
                            cdg_error *error) {
    cdg_render_report report;
    char *bytes = NULL;
    size_t size = 0;
    cdg_canvas *picture = NULL;
    work->def.run = result->directory;
    work->def.time = time;
    cdg_result code = cdg_render_run(&work->def, &report, error);
    if (code != CDG_OK) return code;
    if (!work->has_camera) work->def.camera = wish_for(&report.camera);
    work->has_camera = true;
    code = cdg_disk_read_file(work->def.output, SIZE_MAX / 2, &bytes, &size, error);
    if (code == CDG_OK) code = cdg_canvas_create_from_png((unsigned char *)bytes, size, &picture, error);
    if (code == CDG_OK) cdg_canvas_place_image(work->canvas, picture, x, y, CELL_WIDTH, CELL_HEIGHT);
    cdg_canvas_destroy(picture);
    free(bytes);
    return code;
}

static double end_of(const variant_result *result) { return result->reader->times[result->reader->frame_count - 1]; }

static void put_name(cdg_canvas *canvas, const variant_result *result, int y) {
    char name[COMPARE_NAME_SIZE];
    snprintf(name, sizeof name, "%s", result->name);
    double size = 17, width = cdg_canvas_text_width(canvas, size, true, name);
    if (width > NAMES_WIDTH - 20) size *= (NAMES_WIDTH - 20) / width;
    cdg_canvas_text(canvas, 12, y + CELL_HEIGHT / 2.0, size, CDG_TEXT_LEFT, 0, true, INK, name);
    if (result->outcome == VARIANT_FINISHED) return;
    snprintf(name, sizeof name, "ended at %.4g s", end_of(result));
    cdg_canvas_text(canvas, 12, y + CELL_HEIGHT / 2.0 + 20, 12, CDG_TEXT_LEFT, 0, false, SOFT_INK, name);
}

// The order of rows: the reference first, for its camera, then the others as they were given.
static size_t order_rows(const comparison *compared, const variant_result *rows[ROWS_MAX]) {
    size_t count = 0;
    if (compared->results[compared->reference].reader) rows[count++] = &compared->results[compared->reference];
    for (size_t i = 0; i < compared->count && count < ROWS_MAX; i++)
        if (i != compared->reference && compared->results[i].reader) rows[count++] = &compared->results[i];
    return count;
}

static cdg_result draw_rows(sheet_work *work, const variant_result *const *rows, size_t row_count, double end,
                            cdg_error *error) {
    cdg_result code = CDG_OK;
    for (size_t r = 0; r < row_count; r++) {
        int y = HEADING + (int)r * (CELL_HEIGHT + GAP);
        put_name(work->canvas, rows[r], y);
        for (int c = 0; c < COLUMNS; c++) {
            int x = NAMES_WIDTH + c * (CELL_WIDTH + GAP);
            double time = end * c / (COLUMNS - 1);
            if (time > end_of(rows[r]) * (1 + 1e-9)) {
                cdg_canvas_rectangle(work->canvas, x, y, CELL_WIDTH, CELL_HEIGHT, EMPTY);
            } else {
                code = draw_cell(work, rows[r], time, x, y, error);
            }
            work->done++;
            if (code != CDG_OK) return code;
        }
    }
    return code;
}

cdg_result comparison_write_sheet(const comparison *compared, const char *path, int thread_count, bool quiet,
                                  cdg_error *error) {
    const variant_result *rows[ROWS_MAX];
    size_t row_count = order_rows(compared, rows);
    if (row_count == 0) return CDG_OK;
    double end = 0;
    for (size_t i = 0; i < row_count; i++) end = fmax(end, end_of(rows[i]));
    int width = NAMES_WIDTH + COLUMNS * (CELL_WIDTH + GAP), height = HEADING + (int)row_count * (CELL_HEIGHT + GAP);
    sheet_work work = {.compared = compared,
                       .def = cdg_render_def_default(),
                       .bar = progress_begin(stderr, !quiet),
                       .total = row_count * COLUMNS,
                       .begin = cdg_disk_clock()};
    char *cell = cdg_disk_join(compared->directory, ".picture", ".png");
    if (!cell) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a contact sheet");
    work.def.output = cell;
    work.def.camera.has_fit = true; // the whole run, in all pictures
    work.def.width = CELL_WIDTH;
    work.def.height = CELL_HEIGHT;
    work.def.has_time = true;
    work.def.is_plain = true;
    work.def.threads = thread_count;
    work.def.on_progress = on_progress;
    work.def.user = &work;
    unsigned char *bytes = NULL;
    size_t size = 0;
    cdg_result code = cdg_canvas_create_image(width, height, &work.canvas, error);
    if (code == CDG_OK) {
        cdg_canvas_fill_all(work.canvas, WHITE);
        for (int c = 0; c < COLUMNS; c++) {
            char text[64];
            snprintf(text, sizeof text, "%.4g s", end * c / (COLUMNS - 1));
            cdg_canvas_text(work.canvas, NAMES_WIDTH + c * (CELL_WIDTH + GAP) + CELL_WIDTH / 2.0, 23, 15,
                            CDG_TEXT_CENTER, 0, false, INK, text);
        }
        code = draw_rows(&work, rows, row_count, end, error);
    }
    if (code == CDG_OK) code = cdg_canvas_encode(work.canvas, &bytes, &size, error);
    if (code == CDG_OK) code = cdg_whole_file_write(path, bytes, size, error);
    progress_clear(&work.bar);
    unlink(cell);
    free(cell);
    free(bytes);
    cdg_canvas_destroy(work.canvas);
    return code;
}
