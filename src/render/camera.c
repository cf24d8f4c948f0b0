// The view follows from the principal axes of all positions of the run; the distance is exact: every point gives one
// half-space for each side of the picture, and the camera's position is where the tightest ones meet.
#include "render/camera.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 0.017453292519943295;
static const double fov_default =
    28 * 0.017453292519943295; // a long lens: little distortion, as for product photographs

// As good as parallel: things as deep as the picture is high change by 1/300 of their size. Still a lens, so that
// nothing that draws must tell two kinds of cameras apart.
static const double fov_parallel = 0.2 * 0.017453292519943295;

cdg_camera_wish cdg_camera_wish_default(void) { return (cdg_camera_wish){.zoom = 1, .up = {0, 0, 1}}; }

// ---- what a user writes ---------------------------------------------------------------------------------------------

// Up to `most` finite numbers separated by commas; 0 when it is not that.
static int parse_numbers(const char *text, size_t length, double *out, int most) {
    char copy[128];
    if (length == 0 || length >= sizeof copy) return 0;
    memcpy(copy, text, length);
    copy[length] = '\0';
    int count = 0;
    for (const char *at = copy;;) {
        char *end;
        double value = strtod(at, &end);
        if (end == at || !isfinite(value) || count == most) return 0;
        out[count++] = value;
        if (*end == '\0') return count;
        if (*end != ',') return 0;
        at = end + 1;
    }
}

typedef struct wish_text {
    const char *key, *value;
    size_t key_length, value_length;
} wish_text;

static bool has_key(const wish_text *text, const char *key) {
    return strlen(key) == text->key_length && strncmp(text->key, key, text->key_length) == 0;
}

static bool has_value(const wish_text *text, const char *value) {
    return strlen(value) == text->value_length && strncmp(text->value, value, text->value_length) == 0;
}

static cdg_result set_fit(const wish_text *text, cdg_camera_wish *wish, cdg_error *error) {
    wish->fits_moment = has_value(text, "moment"), wish->has_fit = true;
    if (!wish->fits_moment && !has_value(text, "run"))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--camera: fit is run (the whole of it is inside of the picture) or moment, not '%.*s'",
                        (int)text->value_length, text->value);
    return CDG_OK;
}

static cdg_result set_view(const wish_text *text, cdg_camera_wish *wish, cdg_error *error) {
#define X(NAME, name) name,
    static const char *const names[] = {CDG_CAMERA_VIEW_LIST(X)};
#undef X
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (has_value(text, names[i])) {
            wish->view = (cdg_camera_view)(CDG_VIEW_FRONT + (int)i);
            return CDG_OK;
        }
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "--camera: view is front, back, left, right, top or bottom, not '%.*s'; other sides are "
                    "'from=X,Y,Z' or 'orbit=30,10'",
                    (int)text->value_length, text->value);
}

static cdg_result set_follow(const wish_text *text, cdg_camera_wish *wish, cdg_error *error) {
    if (text->value_length == 0 || text->value_length >= sizeof wish->follow)
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--camera: follow is the name of a rod, body, obstacle or solid, not '%.*s'",
                        (int)text->value_length, text->value);
    memcpy(wish->follow, text->value, text->value_length);
    wish->follow[text->value_length] = '\0';
    return CDG_OK;
}

static cdg_result set_lens(const wish_text *text, cdg_camera_wish *wish, cdg_error *error) {
    if (!has_value(text, "parallel"))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--camera: lens is parallel (nothing looks smaller for being far away), not '%.*s'; the angle "
                        "of a lens is 'fov=40'",
                        (int)text->value_length, text->value);
    wish->has_fov = true, wish->fov = fov_parallel;
    return CDG_OK;
}

static cdg_result set_wish(const wish_text *text, cdg_camera_wish *wish, cdg_error *error) {
    if (has_key(text, "fit")) return set_fit(text, wish, error);
    if (has_key(text, "view")) return set_view(text, wish, error);
    if (has_key(text, "lens")) return set_lens(text, wish, error);
    if (has_key(text, "follow")) return set_follow(text, wish, error);
    double n[3] = {0, 0, 0};
    int count = parse_numbers(text->value, text->value_length, n, 3), wanted = 1;
    cdg_vec3 point = vec3(n[0], n[1], n[2]);
    const char *rule = "";
    bool is_right = true;
    if (has_key(text, "from")) {
        wanted = 3, wish->has_from = true, wish->from = point;
    } else if (has_key(text, "at")) {
        wanted = 3, wish->has_at = true, wish->at = point;
    } else if (has_key(text, "up")) {
        wanted = 3, wish->has_up = true, wish->up = vec3_normalize(point);
        is_right = vec3_norm(point) > 0, rule = " that are not all zero";
    } else if (has_key(text, "fov")) {
        wish->has_fov = true, wish->fov = n[0] * degree;
        is_right = n[0] >= 1 && n[0] <= 150, rule = " of degrees from 1 to 150";
    } else if (has_key(text, "zoom")) {
        wish->zoom = n[0];
        is_right = n[0] >= 1e-3 && n[0] <= 1e3, rule = " from 0.001 to 1000";
    } else if (has_key(text, "orbit")) {
        wanted = count == 1 ? 1 : 2, wish->turn = n[0] * degree, wish->elevation = n[1] * degree;
        rule = " of degrees";
    } else {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "--camera: unknown key '%.*s'; known are from, at, up, fov, zoom, orbit, fit, view, lens and follow, as in "
            "\"from=1,2,3 at=0,0,0 fov=40\"",
            (int)text->key_length, text->key);
    }
    if (count != wanted || !is_right)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--camera: %.*s is %s%s, not '%.*s'", (int)text->key_length,
                        text->key,
                        wanted == 1   ? "a number"
                        : wanted == 2 ? "one or two numbers"
                                      : "three numbers separated by commas",
                        rule, (int)text->value_length, text->value);
    return CDG_OK;
}

cdg_result cdg_camera_parse(const char *text, cdg_camera_wish *out, cdg_error *error) {
    static const char *const separators = " ;\t\n";
    *out = cdg_camera_wish_default();
    for (const char *at = text + strspn(text, separators); *at; at += strspn(at, separators)) {
        size_t length = strcspn(at, separators);
        const char *equals = memchr(at, '=', length);
        if (!equals)
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "--camera: '%.*s' is not key=value; write for example \"from=1,2,3 at=0,0,0 fov=40\"",
                            (int)length, at);
        wish_text part = {.key = at, .key_length = (size_t)(equals - at), .value = equals + 1};
        part.value_length = length - part.key_length - 1;
        cdg_result result = set_wish(&part, out, error);
        if (result != CDG_OK) return result;
        at += length;
    }
    if (out->has_from && out->has_at && vec3_distance(out->from, out->at) == 0)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "--camera: from and at are the same point; move one of them");
    return CDG_OK;
}

// ---- the spread of points -------------------------------------------------------------------------------------------

void cdg_point_spread_add(cdg_point_spread *spread, const cdg_vec3 *points, size_t count) {
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 p = points[i];
        if (spread->count == 0) spread->first = spread->lower = spread->upper = p;
        spread->count++;
        spread->lower = vec3(fmin(spread->lower.x, p.x), fmin(spread->lower.y, p.y), fmin(spread->lower.z, p.z));
        spread->upper = vec3(fmax(spread->upper.x, p.x), fmax(spread->upper.y, p.y), fmax(spread->upper.z, p.z));
        p = vec3_sub(p, spread->first);
        spread->sum = vec3_add(spread->sum, p);
        const double products[6] = {p.x * p.x, p.y * p.y, p.z * p.z, p.x * p.y, p.x * p.z, p.y * p.z};
        for (int k = 0; k < 6; k++) spread->products[k] += products[k];
    }
}

// Eigenvalues (descending) and axes of the covariance by Jacobi's rotations.
static void principal_axes(const cdg_point_spread *spread, double value[3], cdg_vec3 axis[3]) {
    double n = spread->count > 0 ? (double)spread->count : 1;
    cdg_vec3 mean = vec3_scale(1 / n, spread->sum);
    const double *s = spread->products;
    double a[3][3] = {{s[0] / n - mean.x * mean.x, s[3] / n - mean.x * mean.y, s[4] / n - mean.x * mean.z},
                      {s[3] / n - mean.x * mean.y, s[1] / n - mean.y * mean.y, s[5] / n - mean.y * mean.z},
                      {s[4] / n - mean.x * mean.z, s[5] / n - mean.y * mean.z, s[2] / n - mean.z * mean.z}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int sweep = 0; sweep < 30; sweep++)
        for (int p = 0; p < 2; p++)
            for (int q = p + 1; q < 3; q++) {
                if (a[p][q] == 0) continue;
                double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
                double t = copysign(1, theta) / (fabs(theta) + sqrt(theta * theta + 1));
                double c = 1 / sqrt(t * t + 1), sine = t * c;
                for (int k = 0; k < 3; k++) {
                    double x = a[k][p], y = a[k][q];
                    a[k][p] = c * x - sine * y, a[k][q] = sine * x + c * y;
                }
                for (int k = 0; k < 3; k++) {
                    double x = a[p][k], y = a[q][k];
                    a[p][k] = c * x - sine * y, a[q][k] = sine * x + c * y;
                    x = v[k][p], y = v[k][q];
                    v[k][p] = c * x - sine * y, v[k][q] = sine * x + c * y;
                }
            }
    int order[3] = {0, 1, 2};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (a[order[j]][order[j]] < a[order[j + 1]][order[j + 1]]) {
                int swap = order[j];
                order[j] = order[j + 1], order[j + 1] = swap;
            }
    for (int i = 0; i < 3; i++) {
        int k = order[i];
        value[i] = fmax(0, a[k][k]);
        axis[i] = vec3(v[0][k], v[1][k], v[2][k]);
    }
}

// ---- the view -------------------------------------------------------------------------------------------------------

static cdg_vec3 perpendicular_part(cdg_vec3 a, cdg_vec3 unit) { return vec3_mad(a, -vec3_dot(a, unit), unit); }

// Some fixed horizontal direction: the side that people expect the viewer on, x to the right and z up.
static cdg_vec3 usual_side(cdg_vec3 up) {
    cdg_vec3 side = perpendicular_part(vec3(0.2, -1, 0), up);
    return vec3_norm(side) > 0.3 ? vec3_normalize(side) : vec3_normalize(perpendicular_part(vec3(0, 0, 1), up));
}

// Where one stands who sees x go to the right and z upward; the nearest to it when `up` is not z.
static cdg_vec3 front_side(cdg_vec3 up) {
    cdg_vec3 side = perpendicular_part(vec3(0, -1, 0), up);
    return vec3_normalize(vec3_norm(side) > 0.3 ? side : perpendicular_part(vec3(0, 0, 1), up));
}

// Direction from the middle of things to a viewer on one of the sides that drawings are made from.
static cdg_vec3 named_side(cdg_camera_view view, cdg_vec3 up) {
    cdg_vec3 front = front_side(up), right = vec3_cross(up, front);
    switch (view) {
    case CDG_VIEW_BACK: return vec3_scale(-1, front);
    case CDG_VIEW_LEFT: return vec3_scale(-1, right);
    case CDG_VIEW_RIGHT: return right;
    case CDG_VIEW_TOP: return up;
    case CDG_VIEW_BOTTOM: return vec3_scale(-1, up);
    case CDG_VIEW_AUTO:
    case CDG_VIEW_FRONT: break;
    }
    return front;
}

static void look(cdg_camera *camera, cdg_vec3 forward, cdg_vec3 up) {
    camera->forward = vec3_normalize(forward);
    cdg_vec3 right = vec3_cross(camera->forward, up);
    if (vec3_norm(right) <
        1e-6) // straight down or up: the front is at the picture's lower or upper edge, so that x goes to the right
        right = vec3_cross(camera->forward, vec3_scale(vec3_dot(camera->forward, up), front_side(up)));
    camera->right = vec3_normalize(right);
    camera->up = vec3_cross(camera->right, camera->forward);
}

// Direction from the middle of things to the viewer.
static cdg_vec3 choose_side(const cdg_point_spread *spread, cdg_vec3 up, double *elevation) {
    double value[3];
    cdg_vec3 axis[3];
    principal_axes(spread, value, axis);
    double size = sqrt(value[0]), breadth = sqrt(value[1]), depth = sqrt(value[2]);
    // 0: flat or straight, 1: as deep as broad. Turned away from the normal the more, the less flat things are.
    double roundness = breadth > 0 ? depth / breadth : 0;
    cdg_vec3 normal = breadth > 1e-3 * size ? axis[2] : vec3_cross(axis[0], up);
    double steepness = vec3_norm(normal) > 0 ? fabs(vec3_dot(vec3_normalize(normal), up)) : 1;
    cdg_vec3 level = perpendicular_part(normal, up);
    *elevation = (12 + 10 * fmin(1, 2 * roundness)) * degree;
    if (steepness > 0.7 || vec3_norm(level) < 1e-6) {
        // It lies flat on the ground: look at it from well above, across its longer side.
        level = vec3_cross(axis[0], up);
        if (roundness < 0.35) *elevation = 48 * degree;
    }
    if (vec3_norm(level) < 0.3 || breadth <= 1e-3 * size) level = vec3_cross(axis[0], up);
    if (vec3_norm(level) < 1e-3) level = usual_side(up);
    level = vec3_normalize(level);
    if (vec3_dot(level, usual_side(up)) < 0) level = vec3_scale(-1, level);
    double turn = (8 + 22 * fmin(1, 2 * roundness)) * degree;
    return quat_rotate(quat_from_axis_angle(up, turn), level);
}

void cdg_camera_choose_view(const cdg_point_spread *spread, cdg_vec3 up, const cdg_camera_wish *wish,
                            cdg_camera *camera) {
    if (wish->has_up) up = wish->up;
    double elevation = 0;
    cdg_vec3 side = choose_side(spread, up, &elevation), middle = vec3_lerp(spread->lower, spread->upper, 0.5);
    cdg_vec3 back = vec3_add(vec3_scale(cos(elevation), side), vec3_scale(sin(elevation), up));
    if (wish->view != CDG_VIEW_AUTO) back = named_side(wish->view, up);
    if (wish->has_from) {
        cdg_vec3 asked = vec3_sub(wish->from, wish->has_at ? wish->at : middle);
        if (vec3_norm(asked) > 0) back = vec3_normalize(asked);
    }
    if (wish->turn != 0 || wish->elevation != 0) {
        side = perpendicular_part(back, up);
        side = vec3_norm(side) > 1e-9 ? vec3_normalize(side) : usual_side(up);
        double raised = asin(fmax(-1, fmin(1, vec3_dot(back, up)))) + wish->elevation;
        raised = fmax(-89.9 * degree, fmin(89.9 * degree, raised));
        side = quat_rotate(quat_from_axis_angle(up, wish->turn), side);
        back = vec3_add(vec3_scale(cos(raised), side), vec3_scale(sin(raised), up));
    }
    look(camera, vec3_scale(-1, back), up);
}

void cdg_camera_set_aspect(cdg_camera *camera, const cdg_camera_wish *wish, double aspect) {
    camera->slope_up = tan(0.5 * (wish->has_fov ? wish->fov : fov_default));
    camera->slope_right = aspect * camera->slope_up;
}

// ---- the position ---------------------------------------------------------------------------------------------------

cdg_camera_fit cdg_camera_fit_begin(const cdg_camera *camera, cdg_camera_window window, double radius) {
    return (cdg_camera_fit){.camera = *camera,
                            .window = window,
                            .radius = radius,
                            .most = {-INFINITY, -INFINITY},
                            .least = {INFINITY, INFINITY},
                            .nearest = INFINITY};
}

// With c the camera's position, a point p is left of the window's right edge when (p - c).right <= s (p - c).forward,
// where s is the edge's slope: p.right - s p.forward <= c.right - s c.forward. So only the largest left side counts.
void cdg_camera_fit_add(cdg_camera_fit *fit, const cdg_vec3 *points, size_t count) {
    const cdg_camera *camera = &fit->camera;
    const double slope[2] = {camera->slope_right, camera->slope_up};
    const double high[2] = {slope[0] * fit->window.right, slope[1] * fit->window.top};
    const double low[2] = {slope[0] * fit->window.left, slope[1] * fit->window.bottom};
    for (size_t i = 0; i < count; i++) {
        const double across[2] = {vec3_dot(points[i], camera->right), vec3_dot(points[i], camera->up)};
        double along = vec3_dot(points[i], camera->forward);
        for (int k = 0; k < 2; k++) {
            fit->most[k] = fmax(fit->most[k], across[k] - high[k] * along + fit->radius * sqrt(1 + high[k] * high[k]));
            fit->least[k] = fmin(fit->least[k], across[k] - low[k] * along - fit->radius * sqrt(1 + low[k] * low[k]));
        }
        fit->nearest = fmin(fit->nearest, along - fit->radius);
    }
}

cdg_camera cdg_camera_fit_end(const cdg_camera_fit *fit, const cdg_camera_wish *wish) {
    cdg_camera camera = fit->camera;
    if (wish->has_from) {
        camera.from = wish->from;
        camera.slope_right /= wish->zoom;
        camera.slope_up /= wish->zoom;
        return camera;
    }
    const double high[2] = {camera.slope_right * fit->window.right, camera.slope_up * fit->window.top};
    const double low[2] = {camera.slope_right * fit->window.left, camera.slope_up * fit->window.bottom};
    // c.k - high c.along >= most and c.k - low c.along <= least: c.along at most (least - most) / (high - low)
    double along = INFINITY, across[2];
    for (int k = 0; k < 2; k++) along = fmin(along, (fit->least[k] - fit->most[k]) / (high[k] - low[k]));
    along = fmin(along, fit->nearest - 1e-3 * fmax(fit->radius, fabs(fit->nearest)));
    if (!isfinite(along)) along = -1; // no points at all
    for (int k = 0; k < 2; k++) {
        across[k] = 0.5 * (fit->most[k] + high[k] * along + fit->least[k] + low[k] * along);
        if (!isfinite(across[k])) across[k] = 0;
    }
    camera.from = vec3_add(vec3_add(vec3_scale(across[0], camera.right), vec3_scale(across[1], camera.up)),
                           vec3_scale(along, camera.forward));
    if (wish->has_at) { // moved sideways so that the point asked for is in the middle
        cdg_vec3 offset = perpendicular_part(vec3_sub(wish->at, camera.from), camera.forward);
        camera.from = vec3_add(camera.from, offset);
    }
    camera.slope_right /= wish->zoom;
    camera.slope_up /= wish->zoom;
    return camera;
}

cdg_camera_point cdg_camera_project(const cdg_camera *camera, int width, int height, cdg_vec3 point) {
    cdg_vec3 p = vec3_sub(point, camera->from);
    double depth = vec3_dot(p, camera->forward), far = depth != 0 ? depth : 1;
    return (cdg_camera_point){
        .x = 0.5 * width * (1 + vec3_dot(p, camera->right) / (far * camera->slope_right)),
        .y = 0.5 * height * (1 - vec3_dot(p, camera->up) / (far * camera->slope_up)),
        .depth = depth,
    };
}

cdg_vec3 cdg_camera_direction(const cdg_camera *camera, int width, int height, double x, double y) {
    double right = (2 * x / width - 1) * camera->slope_right, up = (1 - 2 * y / height) * camera->slope_up;
    return vec3_add(camera->forward, vec3_add(vec3_scale(right, camera->right), vec3_scale(up, camera->up)));
}
