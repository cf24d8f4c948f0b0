// Goes through the outputs once for sizes and ranges, and once more for the camera, whose direction follows from the
// first.
#include "render/run_survey.h"

#include "base/error.h"
#include "geometry/shape_surface.h"
#include "math/quat.h"
#include "output/run_gravity.h"
#include "render/follow.h"
#include "render/name_list.h"

#include <stdlib.h>
#include <string.h>

double cdg_section_reach(const cdg_section *section) {
    switch (section->kind) {
    case CDG_SECTION_ELLIPSE: return fmax(section->semi_axis[0], section->semi_axis[1]);
    case CDG_SECTION_RECTANGLE: return 0.5 * hypot(section->side[0], section->side[1]);
    default: return section->radius;
    }
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

// A bounded number of values, evenly taken from all.
typedef struct value_list {
    double *values;
    size_t count, room, stride, passed;
} value_list;

enum { VALUES_MAX = 1 << 20 };

static int compare_numbers(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static size_t rod_values(const cdg_rod_field *field, const cdg_run_rod *rod) {
    if (!cdg_rod_field_is_of_rods(field)) return 0;
    return cdg_rod_field_is_per_element(field) ? rod->element_count : rod->node_count;
}

static size_t solid_values(const cdg_rod_field *field, const cdg_run_solid_entry *solid) {
    return field->is_of_solids ? cdg_rod_field_solid_entries(field, solid) : 0;
}

static cdg_result begin_values(value_list *list, const cdg_run_reader *reader, const cdg_rod_field *field,
                               cdg_error *error) {
    size_t total = 0;
    for (size_t i = 0; i < reader->rod_count; i++) total += rod_values(field, &reader->rods[i]);
    for (size_t i = 0; i < reader->solid_count; i++) total += solid_values(field, &reader->solids[i]);
    total *= reader->frame_count;
    list->stride = total / VALUES_MAX + 1;
    list->room = total / list->stride + 1;
    list->values = malloc(list->room * sizeof *list->values);
    if (!list->values) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's numbers");
    return CDG_OK;
}

static void add_values(value_list *list, const double *values, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (list->passed++ % list->stride == 0 && list->count < list->room && isfinite(values[i]))
            list->values[list->count++] = values[i];
}

static void end_values(value_list *list, bool is_signed, cdg_run_survey *out) {
    if (list->count > 0) {
        qsort(list->values, list->count, sizeof *list->values, compare_numbers);
        // Half a percent at either end is often one jerk that would leave no colours for the rest.
        size_t cut = list->count / 200, last = list->count - 1;
        out->range[0] = list->values[cut];
        out->range[1] = list->values[last - cut];
        double most = fmax(fabs(out->range[0]), fabs(out->range[1]));
        if (!is_signed || out->range[0] > 0) {
            if (out->range[0] < 0.5 * out->range[1]) out->range[0] = 0;
        } else if (out->range[1] < 0) {
            if (out->range[1] > 0.5 * out->range[0]) out->range[1] = 0;
        } else if (out->range[0] < -0.02 * most && out->range[1] > 0.02 * most) {
            out->range[0] = -most, out->range[1] = most; // zero in the middle
        } else if (out->range[1] > -out->range[0]) {
            out->range[0] = 0;
        } else {
            out->range[1] = 0;
        }
        out->reaches_beyond[0] = list->values[0] < out->range[0] - 0.01 * most;
        out->reaches_beyond[1] = list->values[last] > out->range[1] + 0.01 * most;
    }
    double middle = 0.5 * (out->range[0] + out->range[1]), width = out->range[1] - out->range[0];
    if (!(width > 1e-9 * fabs(middle)) || width == 0) { // one value everywhere
        double half = middle != 0 ? 0.5 * fabs(middle) : 0.5;
        out->range[0] = middle - half, out->range[1] = middle + half;
    }
}

// ---- all outputs ----------------------------------------------------------------------------------------------------

static void survey_rod(const cdg_run_rod *rod, const cdg_rod_moment *moment, cdg_run_survey *out) {
    cdg_point_spread_add(&out->spread, moment->positions, rod->node_count);
    for (size_t i = 0; i < rod->node_count; i++) {
        double reach = cdg_section_reach(&rod->sections[i]);
        out->thickness = fmax(out->thickness, reach);
        out->lowest = fmin(out->lowest, vec3_dot(moment->positions[i], out->up) - reach);
    }
}

bool cdg_rigid_is_floor(const cdg_run_rigid *rigid, const cdg_rigid_moment *now, cdg_vec3 up) {
    return rigid->shape.kind == CDG_SHAPE_PLANE && rigid->is_still &&
           vec3_dot(quat_rotate(now->orientation, rigid->shape.normal), up) > 1 - 1e-6;
}

static void rigid_corners(const cdg_run_player *player, size_t index, const cdg_run_rigid *rigid, cdg_vec3 out[8]) {
    const cdg_rigid_moment *now = &player->rigids[index];
    cdg_shape_surface_corners(&rigid->shape, out);
    for (int i = 0; i < 8; i++) out[i] = vec3_add(now->position, quat_rotate(now->orientation, out[i]));
}

static void survey_bodies(const cdg_run_player *player, cdg_run_survey *out) {
    for (size_t i = 0; i < cdg_run_rigid_count(player->reader); i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, i);
        if (!rigid.is_free) continue;
        cdg_vec3 corners[8];
        rigid_corners(player, i, &rigid, corners);
        cdg_point_spread_add(&out->spread, corners, 8);
        double lowest = INFINITY;
        for (int k = 0; k < 8; k++) lowest = fmin(lowest, vec3_dot(corners[k], out->up));
        if (rigid.shape.kind == CDG_SHAPE_SPHERE) // which fills no corner of its box
            lowest = vec3_dot(player->rigids[i].position, out->up) - rigid.shape.radius;
        out->lowest = fmin(out->lowest, lowest);
    }
}

static void survey_solids(const cdg_run_player *player, value_list *list, cdg_run_survey *out) {
    for (size_t i = 0; i < player->reader->solid_count; i++) {
        size_t count = player->reader->solids[i].node_count;
        const cdg_vec3 *at = player->solids[i].positions;
        cdg_point_spread_add(&out->spread, at, count);
        for (size_t n = 0; n < count; n++) out->lowest = fmin(out->lowest, vec3_dot(at[n], out->up));
        add_values(list, player->solids[i].values, solid_values(&player->field, &player->reader->solids[i]));
    }
}

// ---- what rods and bodies touch -------------------------------------------------------------------------------------

// Of obstacles and fixed bodies only what is near the rest is looked at: a quarter of its size around it. False:
// nothing is.
static bool near_corners(const cdg_run_player *player, const cdg_run_survey *survey, size_t index,
                         const cdg_run_rigid *rigid, cdg_vec3 out[8]) {
    cdg_vec3 low = survey->near[0], high = survey->near[1];
    rigid_corners(player, index, rigid, out);
    cdg_point_spread all = {.count = 0};
    cdg_point_spread_add(&all, out, 8);
    for (int k = 0; k < 8; k++)
        out[k] = vec3(fmin(fmax(out[k].x, low.x), high.x), fmin(fmax(out[k].y, low.y), high.y),
                      fmin(fmax(out[k].z, low.z), high.z));
    return rigid->shape.kind != CDG_SHAPE_PLANE && all.lower.x <= high.x && all.lower.y <= high.y &&
           all.lower.z <= high.z && all.upper.x >= low.x && all.upper.y >= low.y && all.upper.z >= low.z;
}

static void survey_obstacles(const cdg_run_player *player, cdg_run_survey *out) {
    for (size_t i = 0; i < cdg_run_rigid_count(player->reader); i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, i);
        const cdg_rigid_moment *now = &player->rigids[i];
        if (rigid.is_free) continue;
        if (cdg_rigid_is_floor(&rigid, now, out->up)) {
            double height = vec3_dot(now->position, out->up) + rigid.shape.offset;
            out->floor = out->has_floor ? fmax(out->floor, height) : height;
            out->has_floor = true;
        }
        cdg_vec3 corners[8];
        if (!near_corners(player, out, i, &rigid, corners)) continue;
        cdg_point_spread_add(&out->spread, corners, 8);
        for (int k = 0; k < 8; k++) out->lowest = fmin(out->lowest, vec3_dot(corners[k], out->up));
    }
}

static cdg_result survey_all_obstacles(cdg_run_player *player, cdg_run_survey *out, cdg_error *error) {
    double margin = 0.25 * vec3_distance(out->spread.lower, out->spread.upper);
    out->near[0] = vec3_sub(out->spread.lower, vec3(margin, margin, margin));
    out->near[1] = vec3_add(out->spread.upper, vec3(margin, margin, margin));
    bool has_moving = false;
    for (size_t i = 0; i < cdg_run_rigid_count(player->reader); i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, i);
        has_moving = has_moving || !(rigid.is_still || rigid.is_free);
    }
    size_t count = has_moving ? player->reader->frame_count : 1;
    for (size_t frame = 0; frame < count; frame++) {
        cdg_result result = cdg_run_player_show_frame(player, frame, error);
        if (result != CDG_OK) return result;
        survey_obstacles(player, out);
    }
    return CDG_OK;
}

cdg_result cdg_run_survey_make(cdg_run_player *player, cdg_run_survey *out, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    const cdg_rod_field *field = &player->field;
    value_list list = {.count = 0};
    *out = (cdg_run_survey){.lowest = INFINITY, .up = vec3(0, 0, 1), .span = {-INFINITY, INFINITY}};
    cdg_vec3 gravity = cdg_run_reader_gravity(reader);
    out->has_gravity = vec3_norm(gravity) > 0;
    if (out->has_gravity) out->up = vec3_normalize(vec3_scale(-1, gravity));
    cdg_result result = field->is_set ? begin_values(&list, reader, field, error) : CDG_OK;
    for (size_t frame = 0; result == CDG_OK && frame < reader->frame_count; frame++) {
        result = cdg_run_player_show_frame(player, frame, error);
        if (result == CDG_OK) survey_bodies(player, out);
        if (result == CDG_OK) survey_solids(player, &list, out);
        for (size_t i = 0; result == CDG_OK && i < reader->rod_count; i++) {
            const cdg_run_rod *rod = &reader->rods[i];
            survey_rod(rod, &player->rods[i], out);
            add_values(&list, player->rods[i].values, rod_values(field, rod));
        }
    }
    if (result == CDG_OK && field->is_set) end_values(&list, field->view.is_signed, out);
    if (result == CDG_OK && cdg_run_rigid_count(reader) > 0) result = survey_all_obstacles(player, out, error);
    free(list.values);
    out->center = vec3_lerp(out->spread.lower, out->spread.upper, 0.5);
    out->scale = 0.5 * vec3_distance(out->spread.lower, out->spread.upper) + out->thickness;
    if (result == CDG_OK && !(isfinite(out->scale) && out->scale > 0))
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: the positions are not finite, or all the same; there is nothing to draw",
                        reader->directory);
    return result;
}

static void add_moment(const cdg_run_player *player, const cdg_run_survey *survey, cdg_point_spread *spread,
                       cdg_camera_fit *fit) {
    for (size_t i = 0; i < player->reader->rod_count; i++) {
        if (cdg_name_is_listed(survey->hidden, player->reader->rods[i].name)) continue;
        if (spread) cdg_point_spread_add(spread, player->rods[i].positions, player->reader->rods[i].node_count);
        if (fit) cdg_camera_fit_add(fit, player->rods[i].positions, player->reader->rods[i].node_count);
    }
    for (size_t i = 0; i < player->reader->solid_count; i++) {
        if (cdg_name_is_listed(survey->hidden, player->reader->solids[i].name)) continue;
        if (spread) cdg_point_spread_add(spread, player->solids[i].positions, player->reader->solids[i].node_count);
        if (fit) cdg_camera_fit_add(fit, player->solids[i].positions, player->reader->solids[i].node_count);
    }
    for (size_t i = 0; i < cdg_run_rigid_count(player->reader); i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, i);
        cdg_vec3 corners[8];
        if (cdg_name_is_listed(survey->hidden, rigid.name)) continue;
        if (rigid.is_free)
            rigid_corners(player, i, &rigid, corners);
        else if (!near_corners(player, survey, i, &rigid, corners))
            continue;
        if (spread) cdg_point_spread_add(spread, corners, 8);
        if (fit) cdg_camera_fit_add(fit, corners, 8);
    }
}

// Shows each output of the span and its two ends, which may lie between outputs; *k counts on, false: that was all.
static bool show_next(cdg_run_player *player, const double span[2], size_t *k, cdg_result *result, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (; *k < reader->frame_count; (*k)++)
        if (reader->play[*k] >= span[0] && reader->play[*k] <= span[1]) {
            *result = cdg_run_player_show_frame(player, (*k)++, error);
            return *result == CDG_OK;
        }
    for (; *k < reader->frame_count + 2; (*k)++)
        if (isfinite(span[*k - reader->frame_count])) {
            *result = cdg_run_player_seek(player, span[*k - reader->frame_count], error);
            (*k)++;
            return *result == CDG_OK;
        }
    return false;
}

// What is followed stays where it was at first, so that its turns and swings alone must fit; of something small, such
// as a body at the end of a rope, what is around it.
static cdg_result fit_followed(const cdg_run_player *player, const cdg_run_survey *survey, const char *name,
                               cdg_camera_fit *fit, cdg_error *error) {
    cdg_vec3 now;
    cdg_result result = cdg_follow_middle(player, name, &now, error);
    if (result == CDG_OK) result = cdg_follow_fit(player, name, vec3_sub(survey->followed, now), fit, error);
    double around = 0.1 * survey->scale;
    const cdg_vec3 least[] = {vec3_mad(survey->followed, around, fit->camera.right),
                              vec3_mad(survey->followed, -around, fit->camera.right)};
    cdg_camera_fit_add(fit, least, 2);
    return result;
}

static cdg_result fit_moment(const cdg_run_player *player, const cdg_run_survey *survey, const cdg_camera_wish *wish,
                             cdg_camera_fit *fit, cdg_error *error) {
    if (wish->follow[0] != '\0') return fit_followed(player, survey, wish->follow, fit, error);
    add_moment(player, survey, NULL, fit);
    return CDG_OK;
}

cdg_result cdg_run_survey_frame(cdg_run_player *player, const cdg_run_survey *survey, const cdg_camera_wish *wish,
                                double aspect, cdg_camera_window window, cdg_camera *out, cdg_error *error) {
    static const double room = 0.75; // of the picture for what is followed; the rest for what it passes
    cdg_camera camera = {.slope_up = 0};
    cdg_point_spread spread = survey->spread;
    bool follows = wish->follow[0] != '\0';
    if (wish->fits_moment && !wish->keeps_side && !follows) {
        spread = (cdg_point_spread){.count = 0};
        add_moment(player, survey, &spread, NULL);
    }
    cdg_camera_choose_view(&spread, survey->up, wish, &camera);
    cdg_camera_set_aspect(&camera, wish, aspect);
    if (follows)
        window = (cdg_camera_window){room * window.left, room * window.right, room * window.bottom, room * window.top};
    cdg_camera_fit fit = cdg_camera_fit_begin(&camera, window, survey->thickness);
    cdg_result result = wish->fits_moment ? fit_moment(player, survey, wish, &fit, error) : CDG_OK;
    for (size_t k = 0; !wish->fits_moment && show_next(player, survey->span, &k, &result, error);) {
        result = fit_moment(player, survey, wish, &fit, error);
        if (result != CDG_OK) break;
    }
    *out = cdg_camera_fit_end(&fit, wish);
    return result;
}
