// A picture of a mesh in a file.
#include "mesh_picture.h"

#include "base/regular_file.h"
#include "format.h"
#include "interrupt.h"
#include "json_print.h"
#include "output/disk.h"
#include "output/whole_file.h"
#include "render/render_mesh.h"
#include "render/render_run.h"
#include "terminal.h"

#include <cordage/mesh_files.h>

#include <stdio.h>
#include <stdlib.h>

typedef struct mesh_drawing {
    const command_line *line;
    const char *input, *output;
    cdg_render_mesh_def def;
    cdg_cut_plane cut;
    cdg_mesh triangles;
    cdg_mesh tetrahedra;
    cdg_render_mesh_report report;
    size_t bytes;
    cdg_error error;
} mesh_drawing;

bool is_mesh_name(const char *path) { return cdg_mesh_format_of(path) != CDG_MESH_FORMAT_COUNT; }

static cdg_result refuse(mesh_drawing *drawing, const char *sentence, const char *detail) {
    snprintf(drawing->error.message, sizeof drawing->error.message, sentence, detail);
    return drawing->error.code = CDG_ERROR_ARGUMENT;
}

// What only runs have.
static cdg_result check_options(mesh_drawing *drawing) {
    static const char *const names[] = {"time",  "frame", "mode",   "amplitude", "sheet",     "fps",      "speed",
                                        "color", "range", "stripe", "nodes",     "thickness", "no-fibers"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_option(drawing->line, names[i]))
            return refuse(drawing, "--%s is for runs; a mesh has none of that, so leave it out", names[i]);
    if (drawing->output == NULL)
        return refuse(drawing, "'cordage render' needs a file to write: cordage render %s -o picture.png",
                      drawing->input);
    if (!cdg_path_ends_with(drawing->output, ".png"))
        return refuse(drawing, "%s: a mesh is drawn as a picture; let the name end in .png", drawing->output);
    return CDG_OK;
}

static cdg_result parse(mesh_drawing *drawing) {
    const command_line *line = drawing->line;
    cdg_render_mesh_def *def = &drawing->def;
    cdg_error *error = &drawing->error;
    const char *text;
    cdg_result result = check_options(drawing);
    if (result == CDG_OK && (text = option_text(line, "size")))
        result = cdg_picture_size_parse(text, &def->width, &def->height, error);
    if (result == CDG_OK && (text = option_text(line, "camera"))) result = cdg_camera_parse(text, &def->camera, error);
    if (result == CDG_OK && (text = option_text(line, "background")))
        result = cdg_background_parse(text, &def->background, error);
    if (result == CDG_OK && (text = option_text(line, "quality")))
        result = cdg_picture_quality_parse(text, &def->quality, error);
    if (result == CDG_OK && (text = option_text(line, "cut"))) {
        result = cdg_cut_plane_parse(text, &drawing->cut, error);
        def->cut = &drawing->cut;
    }
    def->has_no_ground = has_option(line, "no-ground");
    def->threads = (int)option_integer(line, "threads", 0);
    return result;
}

static cdg_result read_mesh(mesh_drawing *drawing) {
    if (cdg_mesh_format_has_triangles(cdg_mesh_format_of(drawing->input))) {
        drawing->def.triangles = &drawing->triangles;
        return cdg_mesh_read(drawing->input, 1, &drawing->triangles, NULL, &drawing->error);
    }
    drawing->def.tetrahedra = &drawing->tetrahedra;
    return cdg_mesh_read(drawing->input, 1, &drawing->tetrahedra, NULL, &drawing->error);
}

static bool goes_on(void *user) {
    (void)user;
    return !interrupt_was_asked();
}

static cdg_result draw(mesh_drawing *drawing) {
    unsigned char *png = NULL;
    cdg_result result = read_mesh(drawing);
    drawing->def.goes_on = goes_on;
    if (result == CDG_OK)
        result = cdg_render_mesh(&drawing->def, &png, &drawing->bytes, &drawing->report, &drawing->error);
    if (result == CDG_OK) result = cdg_whole_file_write(drawing->output, png, drawing->bytes, &drawing->error);
    free(png);
    return result;
}

static void print_report(const mesh_drawing *drawing, double seconds) {
    const cdg_camera *camera = &drawing->report.camera;
    printf("%s: %d x %d, %s, in %s\n", drawing->output, drawing->def.width, drawing->def.height,
           format_bytes((double)drawing->bytes).text, format_seconds(seconds).text);
    printf("  faces     %s drawn", format_count(drawing->report.face_count).text);
    if (drawing->report.hidden_count > 0)
        printf("; %s cut away", format_plural(drawing->report.hidden_count, "element").text);
    printf("\n  camera    \"from=%.4g,%.4g,%.4g at=%.4g,%.4g,%.4g\"\n", camera->from.x, camera->from.y, camera->from.z,
           camera->from.x + camera->forward.x, camera->from.y + camera->forward.y, camera->from.z + camera->forward.z);
}

static void print_json(const mesh_drawing *drawing, exit_status status, double seconds) {
    cdg_json json = json_begin(drawing->line->command->name);
    cdg_json_text(&json, "outcome",
                  status == EXIT_STATUS_DONE                     ? "finished"
                  : drawing->error.code == CDG_ERROR_INTERRUPTED ? "interrupted"
                  : status == EXIT_STATUS_REFUSED                ? "refused"
                                                                 : "failed");
    cdg_json_integer(&json, "exit_status", (uint64_t)status);
    cdg_json_text(&json, "message", status == EXIT_STATUS_DONE ? NULL : drawing->error.message);
    cdg_json_text(&json, "mesh", drawing->input);
    cdg_json_text(&json, "output", drawing->output);
    if (status == EXIT_STATUS_DONE) {
        cdg_json_integer(&json, "width", (uint64_t)drawing->def.width);
        cdg_json_integer(&json, "height", (uint64_t)drawing->def.height);
        cdg_json_integer(&json, "bytes", drawing->bytes);
        cdg_json_integer(&json, "faces", drawing->report.face_count);
        cdg_json_integer(&json, "cut_away", drawing->report.hidden_count);
        cdg_json_number(&json, "wall_seconds", seconds);
    }
    json_print(&json);
}

exit_status render_mesh_file(const command_line *line) {
    mesh_drawing drawing = {.line = line, .input = line->words[0], .output = option_text(line, "output")};
    drawing.def = cdg_render_mesh_def_default();
    double start = cdg_disk_clock();
    interrupt_watch();
    cdg_result result = parse(&drawing);
    if (result == CDG_OK) result = draw(&drawing);
    bool is_failure = result == CDG_ERROR_MEMORY || result == CDG_ERROR_INTERRUPTED;
    exit_status status = result == CDG_OK ? EXIT_STATUS_DONE : is_failure ? EXIT_STATUS_FAILED : EXIT_STATUS_REFUSED;
    if (result != CDG_OK) complain("%s", drawing.error.message);
    if (has_option(line, "json"))
        print_json(&drawing, status, cdg_disk_clock() - start);
    else if (result == CDG_OK && !has_option(line, "quiet"))
        print_report(&drawing, cdg_disk_clock() - start);
    cdg_mesh_free(&drawing.triangles);
    cdg_mesh_free(&drawing.tetrahedra);
    return status;
}
