// A format of exports is one table of operations, one file each.
#ifndef CDG_EXPORT_FORMAT_H
#define CDG_EXPORT_FORMAT_H

#include "export/bytes.h"
#include "export/export.h"
#include "output/run_looks.h"
#include "output/run_reader.h"
#include "output/whole_file.h"

enum { CDG_EXPORT_MAIN_FILES = 4 };

struct cdg_export {
    const cdg_export_format *format;
    cdg_export_def def;
    cdg_run_reader *reader;
    size_t first, every, frame_count;        // the outputs asked for
    char *path, *stem;                       // "out/cable.glb", "out/cable"
    char *main_files[CDG_EXPORT_MAIN_FILES]; // set by begin
    size_t pass_count;                       // set by begin; 1 unless it says otherwise
    bool has_begun;                          // set by begin once files could be made
    size_t file_count;                       // written
    uint64_t byte_count;
    void *state; // the format's own
    cdg_run_looks looks;
};

typedef struct cdg_export_operations {
    double large;    // bytes above which the export is called large
    bool has_fields; // all fields of rods are written, not their shape alone
    bool is_picture; // what is written is to be looked at
    double (*estimate)(const cdg_export *export);
    // Then for every pass all frames are written, in order; `frame` counts the outputs asked for.
    cdg_result (*begin)(cdg_export *export, cdg_error *error);
    cdg_result (*write)(cdg_export *export, size_t pass, size_t frame, cdg_error *error);
    cdg_result (*end)(cdg_export *export, cdg_error *error); // puts the files in place
    void (*release)(cdg_export *export);                     // always called; removes what end has not put in place
} cdg_export_operations;

#define CDG_EXPORT_DECLARE(name, extension, help) extern const cdg_export_operations cdg_export_##name;
CDG_EXPORT_LIST(CDG_EXPORT_DECLARE)
#undef CDG_EXPORT_DECLARE

// The run's output behind a frame of the export, and its time, s.
static inline size_t cdg_export_output(const cdg_export *export, size_t frame) {
    return export->first + frame * export->every;
}
static inline double cdg_export_time(const cdg_export *export, size_t frame) {
    return export->reader->times[cdg_export_output(export, frame)];
}

// For animations, whose times must rise.
static inline double cdg_export_play(const cdg_export *export, size_t frame) {
    return export->reader->play[cdg_export_output(export, frame)];
}

// For formats whose outputs may differ in their nodes: a rod as the frame has it, and its numbers there. `memory` is
// freed with cdg_run_division_free.
cdg_result cdg_export_own_rod(const cdg_export *export, size_t frame, size_t rod, cdg_run_division *memory,
                              cdg_run_rod *out, cdg_error *error);
cdg_result cdg_export_read_own(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                               cdg_error *error);
// Fields of rods whose resolution changes are left out where there are none, and those that the run does not hold.
static inline bool cdg_export_has_field(const cdg_export *export, cdg_field field) {
    if (!cdg_run_reader_has(export->reader, field)) return false;
    return export->reader->has_adaptive || (cdg_field_get(field).traits & CDG_FIELD_ADAPTS) == 0;
}

// One rod's numbers at one frame.
cdg_result cdg_export_read(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                           cdg_error *error);
// The same for formats of single precision: what is not finite there is refused, with its place.
cdg_result cdg_export_read_single(const cdg_export *export, size_t frame, size_t rod, cdg_field field, double *out,
                                  cdg_error *error);

// One solid's numbers at one frame, for formats of single precision: what is not finite there is refused.
cdg_result cdg_export_read_solid(const cdg_export *export, size_t frame, size_t solid, cdg_solid_field field,
                                 double *out, cdg_error *error);
size_t cdg_export_largest_solid_field(const cdg_export *export); // numbers

// A block of doubles that holds any field of any rod.
size_t cdg_export_largest_field(const cdg_export *export);

// Writes bytes and counts them; notices a full disk at once.
cdg_result cdg_export_put(cdg_export *export, cdg_whole_file *file, const void *data, size_t size, cdg_error *error);
// The same for bytes made in memory, which are cleared.
cdg_result cdg_export_put_bytes(cdg_export *export, cdg_whole_file *file, cdg_bytes *bytes, cdg_error *error);

// Remembers a file to open (a copy); false when out of memory.
cdg_result cdg_export_set_main_file(cdg_export *export, size_t index, const char *path, cdg_error *error);
cdg_result cdg_export_fail_memory(const cdg_export *export, cdg_error *error);

// How rough and how metallic a surface is, as glTF measures it.
void cdg_export_finish(scene_surface surface, double *metallic, double *roughness);
// The colour that pictures have for a rod, a rigid or a solid, sRGB in [0, 1].
void cdg_export_rod_color(const cdg_export *export, size_t rod, double out[3]);
void cdg_export_rigid_color(const cdg_export *export, size_t rigid, double out[3]);
void cdg_export_solid_color(const cdg_export *export, size_t solid, double out[3]);
double cdg_export_linear(double srgb); // the light that an sRGB value stands for

#endif
