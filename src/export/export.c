// Exports: finding the run, the format, where to write and the outputs; the loop over them.
#define _POSIX_C_SOURCE 200809L
#include "export/export.h"

#include "base/error.h"
#include "export/format.h"
#include "fields/color_map.h"
#include "output/disk.h"
#include "output/fiber_reader.h"
#include "scene/suggest.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---- formats --------------------------------------------------------------------------------------------------------

static const cdg_export_format formats[] = {
#define FORMAT_ROW(format, extension_text, help_text)                                                                  \
    {.name = #format, .extension = (extension_text), .help = (help_text), .operations = &cdg_export_##format},
    CDG_EXPORT_LIST(FORMAT_ROW)
#undef FORMAT_ROW
};

// Extensions that people write for formats whose files end otherwise.
static const struct {
    const char *extension, *format;
} other_extensions[] = {{".vtp", "vtk"}, {".vtk", "vtk"},  {".vtu", "vtk"}, {".gltf", "gltf"},
                        {".usd", "usd"}, {".usdc", "usd"}, {".usdz", "usd"}};

size_t cdg_export_format_count(void) { return sizeof formats / sizeof *formats; }
const cdg_export_format *cdg_export_format_at(size_t index) { return &formats[index]; }

const cdg_export_format *cdg_export_format_find(const char *name) {
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        if (strcmp(formats[i].name, name) == 0) return &formats[i];
    }
    return NULL;
}

// "vtk, gltf, usd, csv, html"
static void list_formats(char *out, size_t size) {
    size_t used = 0;
    out[0] = '\0';
    for (size_t i = 0; i < cdg_export_format_count() && used < size; i++) {
        used += (size_t)snprintf(out + used, size - used, "%s%s", i > 0 ? ", " : "", formats[i].name);
    }
}

static bool ends_with(const char *text, const char *tail) {
    size_t length = strlen(text), tail_length = strlen(tail);
    return length > tail_length && strcmp(text + length - tail_length, tail) == 0;
}

// The format that a file's name stands for; NULL: none.
static const cdg_export_format *format_of_path(const char *path) {
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        if (ends_with(path, formats[i].extension)) return &formats[i];
    }
    for (size_t i = 0; i < sizeof other_extensions / sizeof *other_extensions; i++) {
        if (ends_with(path, other_extensions[i].extension)) return cdg_export_format_find(other_extensions[i].format);
    }
    return NULL;
}

static cdg_result choose_format(const cdg_export_def *def, const cdg_export_format **out, cdg_error *error) {
    char names[200];
    list_formats(names, sizeof names);
    if (def->format == NULL) {
        *out = def->path != NULL ? format_of_path(def->path) : NULL;
        if (*out != NULL) return CDG_OK;
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "which format? There are: %s", names);
    }
    *out = cdg_export_format_find(def->format);
    if (*out != NULL) return CDG_OK;
    word_search search = cdg_suggest_begin(def->format, strlen(def->format));
    for (size_t i = 0; i < cdg_export_format_count(); i++) {
        cdg_suggest_offer(&search, formats[i].name);
        cdg_suggest_offer(&search, formats[i].extension + 1);
    }
    const char *nearest = NULL;
    for (size_t i = 0; i < cdg_export_format_count(); i++) { // "glb" means gltf
        bool is_it = search.best == formats[i].name || search.best == formats[i].extension + 1;
        if (search.best != NULL && is_it) nearest = formats[i].name;
    }
    if (nearest != NULL) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no format '%.60s'; did you mean '%s'? There are: %s",
                        def->format, nearest, names);
    }
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "there is no format '%.60s'; there are: %s", def->format, names);
}

// ---- where to write -------------------------------------------------------------------------------------------------

// "cable" for the scene "dir/cable.yaml"; only characters that are plain in every file system and format.
static void default_name(const cdg_run_reader *reader, char *out, size_t size) {
    const char *name = reader->scene_name != NULL ? reader->scene_name : "";
    const char *slash = strrchr(name, '/');
    if (slash != NULL) name = slash + 1;
    size_t length = strcspn(name, "."), used = 0;
    for (size_t i = 0; i < length && used + 1 < size; i++) {
        unsigned char c = (unsigned char)name[i];
        if (c < 128 && (isalnum(c) || c == '_' || c == '-')) out[used++] = (char)c;
    }
    out[used] = '\0';
    if (used == 0 || strcmp(out, "-") == 0 || strcmp(out, "run") == 0) snprintf(out, size, "export");
}

// A directory to write into, and not the folder of an earlier export of this name ("-o cable" has made cable.pvd and
// cable/).
static bool names_directory(const char *path, const char *extension) {
    size_t length = strlen(path);
    struct stat status;
    if (length > 0 && path[length - 1] == '/') return true;
    if (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)) return false;
    char *file = malloc(length + strlen(extension) + 1);
    if (file == NULL) return true;
    memcpy(file, path, length);
    memcpy(file + length, extension, strlen(extension) + 1);
    bool is_export = access(file, F_OK) == 0;
    free(file);
    return !is_export;
}

static cdg_result choose_path(cdg_export *export, cdg_error *error) {
    const char *path = export->def.path, *extension = export->format->extension;
    if (path != NULL && path[0] == '\0') {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the file to export to has an empty name");
    }
    if (path == NULL || names_directory(path, extension)) {
        char name[100];
        default_name(export->reader, name, sizeof name);
        export->path = cdg_disk_join(path != NULL ? path : export->reader->directory, name, extension);
    } else {
        const cdg_export_format *meant = format_of_path(path);
        bool is_complete = ends_with(path, extension);
        if (meant != NULL && !is_complete) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            meant == export->format
                                ? "%.700s: exports to %s end in '%s'; name the file so"
                                : "%.700s: this is no name for an export to %s; such files end in '%s'",
                            path, export->format->name, extension);
        }
        size_t size = strlen(path) + strlen(extension) + 1;
        export->path = malloc(size);
        if (export->path != NULL) snprintf(export->path, size, "%s%s", path, is_complete ? "" : extension);
    }
    export->stem = export->path != NULL ? strdup(export->path) : NULL;
    if (export->stem == NULL) return cdg_export_fail_memory(export, error);
    export->stem[strlen(export->stem) - strlen(extension)] = '\0';
    return CDG_OK;
}

static cdg_result choose_frames(cdg_export *export, cdg_error *error) {
    const cdg_export_def *def = &export->def;
    size_t count = export->reader->frame_count, last = def->last == SIZE_MAX ? count - 1 : def->last;
    if (def->first >= count || last >= count) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the run has outputs 0 to %zu; output %zu is not there", count - 1,
                        def->first >= count ? def->first : last);
    }
    if (last < def->first) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "output %zu comes before output %zu; write the smaller number first",
                        last, def->first);
    }
    export->first = def->first;
    export->every = def->every > 0 ? def->every : 1;
    export->frame_count = (last - def->first) / export->every + 1;
    return CDG_OK;
}

// ---- opening and asking ---------------------------------------------------------------------------------------------

cdg_export_def cdg_export_def_default(void) { return (cdg_export_def){.last = SIZE_MAX, .every = 1}; }

cdg_result cdg_export_open(const cdg_export_def *def, cdg_export **out, cdg_error *error) {
    *out = NULL;
    const cdg_export_format *format = NULL;
    cdg_result result = choose_format(def, &format, error);
    if (result != CDG_OK) return result;
    cdg_export *export = calloc(1, sizeof *export);
    if (export == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for an export");
    export->format = format;
    export->def = *def;
    export->pass_count = 1;
    result = cdg_run_reader_open(def->run, &export->reader, error);
    if (result == CDG_OK) export->reader->is_for_pictures = format->operations->is_picture;
    if (result == CDG_OK && !def->has_no_fibers) result = cdg_run_reader_add_fibers(export->reader, error);
    if (result == CDG_OK && def->mode > 0) {
        result = cdg_run_reader_show_mode(export->reader, def->mode, def->amplitude, error);
    }
    if (result == CDG_OK && export->reader->rod_count + export->reader->solid_count == 0) {
        result = cdg_fail(error, CDG_ERROR_ARGUMENT,
                          "%s: the run has neither rods nor solids; there is nothing to export", def->run);
    }
    if (result == CDG_OK) result = cdg_run_looks_make(export->reader, &export->looks, error);
    if (result == CDG_OK) result = choose_frames(export, error);
    if (result == CDG_OK) result = choose_path(export, error);
    if (result != CDG_OK) {
        cdg_export_close(export);
        return result;
    }
    *out = export;
    return CDG_OK;
}

void cdg_export_close(cdg_export *export) {
    if (export == NULL) return;
    cdg_run_looks_free(&export->looks);
    cdg_run_reader_close(export->reader);
    free(export->path);
    free(export->stem);
    for (size_t i = 0; i < CDG_EXPORT_MAIN_FILES; i++) free(export->main_files[i]);
    free(export);
}

const cdg_export_format *cdg_export_get_format(const cdg_export *export) { return export->format; }
const char *cdg_export_path(const cdg_export *export) { return export->path; }
size_t cdg_export_frame_count(const cdg_export *export) { return export->frame_count; }
double cdg_export_estimate(const cdg_export *export) { return export->format->operations->estimate(export); }
bool cdg_export_is_recomputed(const cdg_export *export) {
    return export->reader->is_recomputed && export->format->operations->has_fields;
}

bool cdg_export_is_large(const cdg_export *export) {
    return cdg_export_estimate(export) > export->format->operations->large;
}
bool cdg_export_has_begun(const cdg_export *export) { return export->has_begun; }
size_t cdg_export_file_count(const cdg_export *export) { return export->file_count; }
double cdg_export_bytes(const cdg_export *export) { return (double)export->byte_count; }
const char *cdg_export_main_file(const cdg_export *export, size_t index) {
    return index < CDG_EXPORT_MAIN_FILES ? export->main_files[index] : NULL;
}

// ---- writing --------------------------------------------------------------------------------------------------------

static cdg_result write_frames(cdg_export *export, cdg_error *error) {
    size_t total = export->pass_count * export->frame_count, done = 0;
    for (size_t pass = 0; pass < export->pass_count; pass++) {
        for (size_t frame = 0; frame < export->frame_count; frame++) {
            cdg_result result = export->format->operations->write(export, pass, frame, error);
            if (result != CDG_OK) return result;
            done++;
            if (export->def.on_progress != NULL && !export->def.on_progress(export->def.user, done, total)) {
                return cdg_fail(error, CDG_ERROR_INTERRUPTED, "the export was stopped; no file was left");
            }
        }
    }
    return CDG_OK;
}

cdg_result cdg_export_write(cdg_export *export, cdg_error *error) {
    cdg_result result = export->format->operations->begin(export, error);
    if (result == CDG_OK) result = write_frames(export, error);
    if (result == CDG_OK) result = export->format->operations->end(export, error);
    export->format->operations->release(export);
    return result;
}

// ---- for the formats ------------------------------------------------------------------------------------------------

cdg_result cdg_export_read(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                           cdg_error *error) {
    return cdg_run_reader_read(export->reader, cdg_export_output(export, frame), rod, field, out, error);
}

cdg_result cdg_export_read_own(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                               cdg_error *error) {
    return cdg_run_reader_read_own(export->reader, cdg_export_output(export, frame), rod, field, out, error);
}

cdg_result cdg_export_own_rod(const cdg_export *export, size_t frame, size_t rod, cdg_run_division *memory,
                              cdg_run_rod *out, cdg_error *error) {
    const cdg_run_rod *of = &export->reader->rods[rod];
    *memory = (cdg_run_division){0};
    *out = *of;
    if (!of->adapts) return CDG_OK;
    cdg_result result = cdg_run_reader_division(export->reader, cdg_export_output(export, frame), rod, memory, error);
    if (result == CDG_OK) *out = cdg_run_division_rod(memory, of);
    return result;
}

cdg_result cdg_export_read_single(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                                  cdg_error *error) {
    cdg_result result = cdg_export_read(export, frame, rod, field, out, error);
    if (result != CDG_OK) return result;
    const cdg_run_rod *own = &export->reader->rods[rod];
    cdg_field_info info = cdg_field_get(field);
    size_t entries = info.per == CDG_FIELD_PER_ELEMENT ? own->element_count : own->node_count;
    for (size_t i = 0; i < entries * info.component_count; i++) {
        if (fabs(out[i]) <= (double)FLT_MAX) continue;
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: '%s' of rod '%s' at output %zu has the value %g, which %s cannot hold; leave that output "
                        "out with --frames, or use --to csv",
                        export->def.run, info.name, own->name, cdg_export_output(export, frame), out[i],
                        export->format->name);
    }
    return CDG_OK;
}

cdg_result cdg_export_read_solid(const cdg_export *export, size_t frame, size_t solid, cdg_solid_field field,
                                 double *out, cdg_error *error) {
    const cdg_run_solid_entry *own = &export->reader->solids[solid];
    size_t output = cdg_export_output(export, frame);
    cdg_result result = cdg_run_reader_solid(export->reader, output, solid, field, out, error);
    for (size_t i = 0; result == CDG_OK && i < cdg_run_solid_numbers(own, field); i++)
        if (!(fabs(out[i]) <= (double)FLT_MAX))
            return cdg_fail(error, CDG_ERROR_FORMAT,
                            "%s: '%s' of solid '%s' at output %zu has the value %g, which %s cannot hold; leave that "
                            "output out with --frames, or use --to vtk",
                            export->def.run, cdg_solid_field_get(field).name, own->name, output, out[i],
                            export->format->name);
    return result;
}

size_t cdg_export_largest_solid_field(const cdg_export *export) {
    size_t most = 1;
    for (size_t i = 0; i < export->reader->solid_count; i++)
        for (int f = 0; f < CDG_SOLID_FIELD_COUNT; f++) {
            size_t numbers = cdg_run_solid_numbers(&export->reader->solids[i], (cdg_solid_field)f);
            if (numbers > most) most = numbers;
        }
    return most;
}

size_t cdg_export_largest_field(const cdg_export *export) {
    size_t entries = 1, components = 1;
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        if (export->reader->rods[i].node_count > entries) entries = export->reader->rods[i].node_count;
    }
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        size_t count = cdg_field_get((cdg_field)i).component_count;
        if (count > components) components = count;
    }
    return entries * components; // a rod has at least as many nodes as elements
}

cdg_result cdg_export_put(cdg_export *export, cdg_whole_file *file, const void *data, size_t size, cdg_error *error) {
    errno = 0;
    if (size > 0 && fwrite(data, 1, size, file->stream) != size) {
        int number = errno;
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot write: %s; no file was left", file->path,
                        number != 0 ? strerror(number) : "the disk may be full");
    }
    export->byte_count += size;
    return CDG_OK;
}

cdg_result cdg_export_put_bytes(cdg_export *export, cdg_whole_file *file, cdg_bytes *bytes, cdg_error *error) {
    if (bytes->has_failed) return cdg_export_fail_memory(export, error);
    cdg_result result = cdg_export_put(export, file, bytes->data, bytes->size, error);
    cdg_bytes_clear(bytes);
    return result;
}

cdg_result cdg_export_set_main_file(cdg_export *export, size_t index, const char *path, cdg_error *error) {
    export->main_files[index] = strdup(path);
    return export->main_files[index] != NULL ? CDG_OK : cdg_export_fail_memory(export, error);
}

cdg_result cdg_export_fail_memory(const cdg_export *export, cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the export to %s; export fewer outputs (--every)",
                    export->format->name);
}

void cdg_export_finish(scene_surface surface, double *metallic, double *roughness) {
    *metallic = surface == SCENE_SURFACE_METAL ? 1 : 0;
    *roughness = surface == SCENE_SURFACE_METAL ? 0.25 : surface == SCENE_SURFACE_PLASTIC ? 0.45 : 0.8;
}

static void put_color(const cdg_look *look, double out[3]) {
    out[0] = (double)cdg_srgb_encode(look->color.x);
    out[1] = (double)cdg_srgb_encode(look->color.y);
    out[2] = (double)cdg_srgb_encode(look->color.z);
}

void cdg_export_rod_color(const cdg_export *export, size_t rod, double out[3]) {
    put_color(&export->looks.rods[rod], out);
}
void cdg_export_rigid_color(const cdg_export *export, size_t rigid, double out[3]) {
    put_color(&export->looks.rigids[rigid], out);
}
void cdg_export_solid_color(const cdg_export *export, size_t solid, double out[3]) {
    put_color(&export->looks.solids[solid], out);
}

double cdg_export_linear(double srgb) {
    return srgb <= 0.04045 ? srgb / 12.92 : pow((srgb + 0.055) / 1.055, 2.4); // IEC 61966-2-1
}
