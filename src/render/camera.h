// The camera: where it stands, how it chooses its position by itself, and what a user may ask of it.
#ifndef CDG_RENDER_CAMERA_H
#define CDG_RENDER_CAMERA_H

#include <cordage/base.h>

typedef struct cdg_camera {
    cdg_vec3 from;                // m, or picture units
    cdg_vec3 right, up, forward;  // orthonormal; right x forward = -up
    double slope_right, slope_up; // half the picture's width and height at distance 1
} cdg_camera;

// Sides that drawings are made from. Seen from the front, x goes to the right and z upward.
#define CDG_CAMERA_VIEW_LIST(X)                                                                                        \
    X(FRONT, "front")                                                                                                  \
    X(BACK, "back")                                                                                                    \
    X(LEFT, "left")                                                                                                    \
    X(RIGHT, "right")                                                                                                  \
    X(TOP, "top")                                                                                                      \
    X(BOTTOM, "bottom")
typedef enum cdg_camera_view {
    CDG_VIEW_AUTO,
#define X(NAME, name) CDG_VIEW_##NAME,
    CDG_CAMERA_VIEW_LIST(X)
#undef X
} cdg_camera_view;

// What a user asks for. Everything else is chosen.
typedef struct cdg_camera_wish {
    bool has_from, has_at, has_up, has_fov, has_fit;
    bool fits_moment; // only what the picture shows must fit, not the whole run; pictures do unless has_fit
    bool keeps_side;  // even then from the side that the whole run is seen from: a sheet's pictures
    cdg_camera_view view;
    cdg_vec3 from, at; // m
    cdg_vec3 up;
    double fov;             // rad, vertical
    double zoom;            // 2: twice as large
    double turn, elevation; // rad; the position is turned about `up` to the right, and raised
    char follow[64];        // the name of what the camera goes along with; "": it stands still
} cdg_camera_wish;

cdg_camera_wish cdg_camera_wish_default(void);
// "from=1,2,3 at=0,0,0 up=0,0,1 fov=40 zoom=1.5 orbit=30,10 fit=moment view=top lens=parallel", angles in degrees, any
// subset, separated by spaces or semicolons.
cdg_result cdg_camera_parse(const char *text, cdg_camera_wish *out, cdg_error *error);

// The spread of points, gathered piece by piece.
typedef struct cdg_point_spread {
    size_t count;
    cdg_vec3 lower, upper;
    cdg_vec3 sum;
    double products[6]; // sums of xx, yy, zz, xy, xz, yz about the first point
    cdg_vec3 first;
} cdg_point_spread;
void cdg_point_spread_add(cdg_point_spread *spread, const cdg_vec3 *points, size_t count);

// Chooses the direction to look along. `up` is a unit vector. Flat things are looked at nearly along their normal and a
// little from above, long ones from the side, others from a corner.
void cdg_camera_choose_view(const cdg_point_spread *spread, cdg_vec3 up, const cdg_camera_wish *wish,
                            cdg_camera *camera);

// The part of the picture that the points are to fill: -1 to 1 each way, y upward.
typedef struct cdg_camera_window {
    double left, right, bottom, top;
} cdg_camera_window;

// Then finds the position from which balls of `radius` about all points given are just inside of the window.
typedef struct cdg_camera_fit {
    cdg_camera camera;
    cdg_camera_window window;
    double radius;
    double most[2], least[2], nearest; // of the four planes; along forward
} cdg_camera_fit;
cdg_camera_fit cdg_camera_fit_begin(const cdg_camera *camera, cdg_camera_window window, double radius);
void cdg_camera_fit_add(cdg_camera_fit *fit, const cdg_vec3 *points, size_t count);
// With the wish's position or zoom, when it names them.
cdg_camera cdg_camera_fit_end(const cdg_camera_fit *fit, const cdg_camera_wish *wish);

// Sets the shape of the picture: width / height.
void cdg_camera_set_aspect(cdg_camera *camera, const cdg_camera_wish *wish, double aspect);

// Position in the picture (pixels, y downward) and distance along `forward`; x and y mean nothing unless depth > 0.
typedef struct cdg_camera_point {
    double x, y, depth;
} cdg_camera_point;
cdg_camera_point cdg_camera_project(const cdg_camera *camera, int width, int height, cdg_vec3 point);
// From pixels to a direction with length 1 along `forward`.
cdg_vec3 cdg_camera_direction(const cdg_camera *camera, int width, int height, double x, double y);

#endif
