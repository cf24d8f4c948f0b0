// A picture, a contact sheet or a film of a run: the way from the run's directory to the file.
#ifndef CDG_RENDER_RENDER_RUN_H
#define CDG_RENDER_RENDER_RUN_H

#include "render/camera.h"
#include "render/moments.h"
#include "render/picture.h"
#include "render/rod_field.h"

typedef struct cdg_render_progress {
    size_t done, total; // pictures
} cdg_render_progress;

typedef struct cdg_render_def {
    const char *run;    // directory, or its run.h5
    const char *output; // .png, .mp4, .webm
    int width, height;
    double fps;   // films
    double speed; // films: run's seconds a second
    bool has_time, has_frame;
    double time;         // s
    cdg_moments moments; // films: a span; sheets: a span or one for each picture; none: the whole run
    size_t frame;        // output, from 0
    size_t mode;         // a vibration instead of the run, from 1; 0: the run
    double amplitude;    // m, of that; 0: a tenth of the longest rod
    cdg_camera_wish camera;
    cdg_rod_field field; // not set: each rod has its colour
    bool has_range;
    double range[2];
    bool has_contacts;       // contact forces as arrows
    bool has_nodes;          // rings mark the nodes
    bool has_supports;       // marks where rods are held
    const char *caption;     // in place of the time; NULL: the time
    bool is_annotated;       // axes, scale, names, numbers, loads, motions (annotations.h)
    const char *hidden;      // names of what is not drawn, with commas; NULL: none
    const char *see_through; // names of what is seen through, with commas; NULL: nothing
    bool has_stripe;
    double thickness;              // rods are drawn this many times as thick
    int sheet_columns, sheet_rows; // 0: no sheet
    cdg_picture_quality quality;
    enum { CDG_GROUND_AUTO, CDG_GROUND_ON, CDG_GROUND_OFF } ground; // auto: when there is gravity
    cdg_background background;
    bool has_no_fibers;                                                   // of strands, the simulated guides only
    bool is_plain;                                                        // no text
    int threads;                                                          // 0: all cores
    bool (*on_progress)(void *user, const cdg_render_progress *progress); // NULL; false: stop
    void *user;
} cdg_render_def;

cdg_render_def cdg_render_def_default(void);

typedef struct cdg_render_report {
    size_t picture_count;
    double first_time, last_time; // s, of the pictures
    cdg_camera camera;            // m
    double range[2];              // of the field
    double thickened;             // largest factor by which a rod is drawn thicker than it is
    bool has_ground;
    bool is_recomputed; // the run is older than the field
} cdg_render_report;

// CDG_ERROR_ARGUMENT, CDG_ERROR_FORMAT, CDG_ERROR_IO: nothing was written, and what was at `output` before is still
// there. CDG_ERROR_INTERRUPTED: on_progress asked to stop; likewise.
cdg_result cdg_render_run(const cdg_render_def *def, cdg_render_report *report, cdg_error *error);

// "draft", "normal", "fine", or the number of samples in a pixel, 1 to CDG_SAMPLES_MAX.
cdg_result cdg_picture_quality_parse(const char *text, cdg_picture_quality *out, cdg_error *error);
// "1280x720": 16 to CDG_PICTURE_SIDE_MAX each.
cdg_result cdg_picture_size_parse(const char *text, int *width, int *height, cdg_error *error);
// "0:2.5"
cdg_result cdg_range_parse(const char *text, double range[2], cdg_error *error);

#endif
