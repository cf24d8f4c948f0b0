// What must be known of a whole run before its first picture: where it goes, which way is up, how large its numbers
// get.
#ifndef CDG_RENDER_RUN_SURVEY_H
#define CDG_RENDER_RUN_SURVEY_H

#include "render/camera.h"
#include "render/rod_field.h"
#include "render/run_player.h"

typedef struct cdg_run_survey {
    cdg_vec3 up; // unit, against gravity; z when there is none
    bool has_gravity;
    cdg_point_spread spread; // of all nodes at all outputs
    cdg_vec3 near[2];        // m, lower and upper corner of the part of obstacles that the camera is to show
    cdg_vec3 center;         // m
    double scale;            // m, radius of a ball about `center` that holds everything
    double thickness;        // m, largest radius of a section
    double lowest;           // m, along `up`, the lowest point of any surface; of obstacles what is near
    bool has_floor;          // a plane that lies across `up`: the ground
    double floor;            // m, along `up`
    double span[2];          // by the reader's `play`: what films and sheets show; all of it unless somebody changes it
    const char *hidden;      // names of what the camera need not show, with commas; NULL unless somebody sets it
    cdg_vec3 followed;       // m, where the middle of what a camera follows is at the run's first output
    double range[2];         // of the field; 0.5 % at either end may be beyond
    bool reaches_beyond[2];
} cdg_run_survey;

// Goes through all outputs; `range` is that of the player's field.
cdg_result cdg_run_survey_make(cdg_run_player *player, cdg_run_survey *out, cdg_error *error);

// A camera that sees all of it, m; or, when the wish says so, what the player shows. One that follows something sees
// that alone, with room about it, and stands where it does while that is at survey->followed.
cdg_result cdg_run_survey_frame(cdg_run_player *player, const cdg_run_survey *survey, const cdg_camera_wish *wish,
                                double aspect, cdg_camera_window window, cdg_camera *out, cdg_error *error);

// Whether a rigid is the ground itself: a plane across `up` that stays where it is.
bool cdg_rigid_is_floor(const cdg_run_rigid *rigid, const cdg_rigid_moment *now, cdg_vec3 up);

// Radius of the smallest circle about the centroid that holds the section, m.
double cdg_section_reach(const cdg_section *section);

#endif
