// Everything is drawn flat, over the finished picture: nothing of it is hidden behind a rod, and no text by another.
#include "render/annotations.h"

#include "math/vec3.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// Where something is written already. What would lie over it is left out, so the weightier is written first.
enum { BOXES_MAX = 256 };
typedef struct text_boxes {
    struct {
        double left, top, right, bottom;
    } items[BOXES_MAX];
    size_t count;
} text_boxes;

typedef struct sketch {
    const cdg_annotations *what;
    const cdg_run_player *player;
    int width, height;
    double text; // pixels, height of text
    cdg_canvas *canvas;
    text_boxes *boxes;
} sketch;

static cdg_rgba ink(const sketch *s, double alpha) {
    return s->what->is_on_dark ? (cdg_rgba){0.93, 0.94, 0.96, alpha} : (cdg_rgba){0.16, 0.18, 0.22, alpha};
}

static const cdg_rgba load_color = {0.74, 0.10, 0.12, 1}, motion_color = {0.10, 0.36, 0.75, 1};

static void line(const sketch *s, double ax, double ay, double bx, double by, double width, cdg_rgba color) {
    const double ends[] = {ax, ay, bx, by};
    cdg_canvas_polyline(s->canvas, ends, 2, width, color, NULL, 0);
}

// A line with a head at b; nothing when it would be shorter than a pixel.
static void arrow(const sketch *s, double ax, double ay, double bx, double by, cdg_rgba color) {
    double x = bx - ax, y = by - ay, length = hypot(x, y), head = fmin(0.75 * s->text, 0.6 * length);
    if (!(length > 1)) return;
    x /= length, y /= length;
    line(s, ax, ay, bx - 0.8 * head * x, by - 0.8 * head * y, 0.13 * s->text, color);
    const double corners[] = {bx,
                              by,
                              bx - head * x - 0.38 * head * y,
                              by - head * y + 0.38 * head * x,
                              bx - head * x + 0.38 * head * y,
                              by - head * y - 0.38 * head * x};
    cdg_canvas_polygon(s->canvas, corners, 3, color);
}

// False: something is written there.
static bool take_room(const sketch *s, double left, double top, double right, double bottom) {
    text_boxes *boxes = s->boxes;
    for (size_t i = 0; i < boxes->count; i++)
        if (left < boxes->items[i].right && boxes->items[i].left < right && top < boxes->items[i].bottom &&
            boxes->items[i].top < bottom)
            return false;
    if (boxes->count < BOXES_MAX) {
        boxes->items[boxes->count].left = left, boxes->items[boxes->count].right = right;
        boxes->items[boxes->count].top = top, boxes->items[boxes->count].bottom = bottom;
        boxes->count++;
    }
    return true;
}

// Text over whatever is in the picture; false where there is no room for it.
static bool write_on(const sketch *s, double x, double y, double size, cdg_text_anchor anchor, bool is_bold,
                     cdg_rgba color, const char *text) {
    double width = cdg_canvas_text_width(s->canvas, size, is_bold, text);
    double left = x - (anchor == CDG_TEXT_CENTER ? 0.5 * width : anchor == CDG_TEXT_RIGHT ? width : 0);
    if (!take_room(s, left, y - 0.8 * size, left + width, y + 0.1 * size)) return false;
    cdg_rgba rim = s->what->is_on_dark ? (cdg_rgba){0.1, 0.11, 0.13, 0.7} : (cdg_rgba){0.91, 0.925, 0.945, 0.7};
    cdg_canvas_text_on(s->canvas, x, y, size, anchor, is_bold, color, rim, text);
    return true;
}

static bool label(const sketch *s, double x, double y, double size, cdg_rgba color, const char *text) {
    return write_on(s, x, y, size, CDG_TEXT_LEFT, false, color, text);
}

// ---- axes and scale -------------------------------------------------------------------------------------------------

double cdg_scale_bar(double most, char *text, size_t size) {
    if (!(most > 0 && isfinite(most))) most = 1;
    double power = pow(10, floor(log10(most) + 1e-9)), share = most / power;
    double length = power * (share >= 5 * (1 - 1e-9) ? 5 : share >= 2 * (1 - 1e-9) ? 2 : 1);
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e3, "km"}, {1, "m"}, {1e-2, "cm"}, {1e-3, "mm"}, {1e-6, "\xc2\xb5m"}};
    size_t i = 0;
    while (i + 1 < sizeof units / sizeof *units && length < units[i].unit * (1 - 1e-9)) i++;
    snprintf(text, size, "%.4g %s", length / units[i].unit, units[i].name);
    return length;
}

// The three directions of the world as they are seen, in the lower right corner; the longest is `reach` long.
static void draw_axes(const sketch *s) {
    static const char *const names[] = {"x", "y", "z"};
    static const cdg_rgba colors[] = {{0.80, 0.16, 0.14, 1}, {0.13, 0.55, 0.20, 1}, {0.14, 0.33, 0.80, 1}};
    const cdg_vec3 axes[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double reach = 2.6 * s->text, x = s->width - s->what->margin - 2.2 * reach, y = s->height - 1.9 * reach;
    for (int k = 0; k < 3; k++) {
        double right = vec3_dot(axes[k], s->what->camera.right), up = vec3_dot(axes[k], s->what->camera.up);
        double bx = x + reach * right, by = y - reach * up;
        if (hypot(right, up) < 0.05) { // it points at the viewer, or away
            cdg_canvas_circle(s->canvas, x, y, 0.22 * s->text, colors[k]);
            bx = x - 0.9 * s->text, by = y + 0.9 * s->text;
        } else {
            arrow(s, x, y, bx, by, colors[k]);
        }
        write_on(s, bx + 0.55 * s->text * right, by - 0.55 * s->text * up + 0.35 * s->text, 0.9 * s->text,
                 CDG_TEXT_CENTER, true, colors[k], names[k]);
    }
}

static void draw_scale(const sketch *s) {
    const cdg_camera *camera = &s->what->camera;
    double depth = vec3_dot(vec3_sub(s->what->center, camera->from), camera->forward);
    if (!(depth > 0)) return;
    double meter = s->width / (2 * depth * camera->slope_right); // pixels
    char text[32];
    double length = cdg_scale_bar(0.2 * s->width / meter, text, sizeof text) * meter;
    double x = 0.5 * (s->width - s->what->margin - length), y = s->height - 1.3 * s->text, tick = 0.3 * s->text;
    cdg_rgba color = ink(s, 0.9);
    line(s, x, y, x + length, y, 0.12 * s->text, color);
    line(s, x, y - tick, x, y + tick, 0.12 * s->text, color);
    line(s, x + length, y - tick, x + length, y + tick, 0.12 * s->text, color);
    write_on(s, x + 0.5 * length, y - 0.5 * s->text, 0.9 * s->text, CDG_TEXT_CENTER, false, color, text);
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static cdg_camera_point seen(const sketch *s, cdg_vec3 point) {
    return cdg_camera_project(&s->what->camera, s->width, s->height, point);
}

// Every so many nodes, so that numbers are about `apart` pixels from each other: 1, 2, 5, 10, ...
static size_t stride_of(const sketch *s, const cdg_run_rod *rod, const cdg_vec3 *positions) {
    double pixels = 0, apart = 4 * s->text;
    for (size_t i = 0; i + 1 < rod->node_count; i++) {
        cdg_camera_point a = seen(s, positions[i]), b = seen(s, positions[i + 1]);
        if (a.depth > 0 && b.depth > 0) pixels += hypot(b.x - a.x, b.y - a.y);
    }
    double wanted = pixels > 0 ? apart * (double)rod->element_count / pixels : (double)rod->element_count;
    static const size_t strides[] = {1, 2, 5};
    for (size_t power = 1;; power *= 10)
        for (size_t k = 0; k < 3; k++)
            if ((double)(strides[k] * power) >= wanted || power > rod->element_count) return strides[k] * power;
}

static void draw_numbers(const sketch *s, const cdg_run_rod *rod, const cdg_vec3 *positions) {
    size_t stride = stride_of(s, rod, positions), last = rod->node_count - 1;
    for (size_t i = 0; i <= last; i += stride) {
        cdg_camera_point at = seen(s, positions[i]);
        if (!(at.depth > 0)) continue;
        char text[24];
        snprintf(text, sizeof text, "%zu", i);
        if (label(s, at.x + 0.3 * s->text, at.y - 0.45 * s->text, 0.75 * s->text, ink(s, 0.8), text))
            cdg_canvas_circle(s->canvas, at.x, at.y, 0.14 * s->text, ink(s, 0.9));
    }
}

enum { NAMED = 12 }; // more things than that would be buried under their names

static bool is_named(const cdg_run_reader *reader, size_t rod) {
    return reader->rod_count <= NAMED && reader->rods[rod].strands == 0;
}

// Of a rod that adapts, numbers of nodes change.
static bool is_numbered(const cdg_run_reader *reader, size_t rod) {
    return is_named(reader, rod) && !reader->rods[rod].adapts;
}

static void draw_all_numbers(const sketch *s) {
    const cdg_run_reader *reader = s->player->reader;
    for (size_t i = 0; i < reader->rod_count; i++)
        if (is_numbered(reader, i)) draw_numbers(s, &reader->rods[i], s->player->rods[i].positions);
}

static void draw_name(const sketch *s, cdg_vec3 at, double below, const char *name) {
    cdg_camera_point p = seen(s, at);
    if (p.depth > 0 && name)
        write_on(s, p.x, p.y + below * s->text, s->text, CDG_TEXT_CENTER, true, ink(s, 0.95), name);
}

// Below the middle of a rod; on bodies, obstacles and solids, planes apart, which have no middle.
static void draw_names(const sketch *s) {
    const cdg_run_reader *reader = s->player->reader;
    size_t rigid_count = cdg_run_rigid_count(reader);
    for (size_t i = 0; i < reader->rod_count; i++)
        if (is_named(reader, i))
            draw_name(s, s->player->rods[i].positions[reader->rods[i].node_count / 2], 1.6, reader->rods[i].name);
    for (size_t i = 0; i < rigid_count && rigid_count <= NAMED; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(reader, i);
        if (rigid.shape.kind != CDG_SHAPE_PLANE) draw_name(s, s->player->rigids[i].position, 0.35, rigid.name);
    }
    for (size_t i = 0; i < reader->solid_count && reader->solid_count <= NAMED; i++) {
        cdg_vec3 middle = {0, 0, 0};
        size_t count = reader->solids[i].node_count;
        for (size_t k = 0; k < count; k++)
            middle = vec3_mad(middle, 1.0 / (double)count, s->player->solids[i].positions[k]);
        draw_name(s, middle, 0.35, reader->solids[i].name);
    }
}

// ---- loads and motions ----------------------------------------------------------------------------------------------

// How much of the rod lies before a node of its definition; negative: it cannot be told.
static double share_before(const cdg_rod_def *def, size_t node) {
    cdg_vec3 *nodes = malloc((def->element_count + 1) * sizeof *nodes);
    double before = 0, whole = 0;
    if (nodes == NULL || cdg_centerline_sample(&def->centerline, def->element_count, nodes, NULL) != CDG_OK) {
        free(nodes);
        return -1;
    }
    if (cdg_centerline_is_closed(&def->centerline)) nodes[def->element_count] = nodes[0];
    for (size_t i = 0; i < def->element_count; i++) {
        if (i == node) before = whole;
        whole += vec3_distance(nodes[i], nodes[i + 1]);
    }
    free(nodes);
    return node >= def->element_count ? 1 : before / whole;
}

// The node of the run that is a node of the definition; SIZE_MAX where the run's rod is divided otherwise. Of a rod
// that adapts the run has the nodes of its definition among others.
static size_t node_of(const sketch *s, const cdg_place *place) {
    const cdg_run_reader *reader = s->player->reader;
    size_t index = place->rod.index1;
    if (index < 1 || index > reader->rod_count) return SIZE_MAX;
    const cdg_run_rod *rod = &reader->rods[index - 1];
    if (!rod->adapts) return place->index < rod->node_count ? place->index : SIZE_MAX;
    double share = share_before(&s->what->scene->rods[index - 1], place->index), before = 0;
    size_t node = 0;
    if (share < 0) return SIZE_MAX;
    while (node + 1 < rod->node_count && before + 0.5 * rod->rest_length[node] < share * rod->length)
        before += rod->rest_length[node++];
    return node;
}

static bool is_inside(const sketch *s, double x, double y) { return x > 0 && y > 0 && x < s->width && y < s->height; }

// Whether what lies beside a node is where an arrow to it would come from: the arrow would lie on the rod.
static bool is_pull(const sketch *s, size_t rod, size_t node, cdg_vec3 way) {
    const cdg_vec3 *positions = s->player->rods[rod].positions;
    cdg_vec3 beside = {0, 0, 0};
    if (node > 0) beside = vec3_add(beside, vec3_normalize(vec3_sub(positions[node - 1], positions[node])));
    if (node + 1 < s->player->reader->rods[rod].node_count)
        beside = vec3_add(beside, vec3_normalize(vec3_sub(positions[node + 1], positions[node])));
    return vec3_dot(beside, way) < -0.3;
}

// Something at a place that acts in a direction: an arrow of fixed length that ends there, or begins there where it
// pulls, and its size.
static void draw_vector(const sketch *s, cdg_vec3 at, cdg_vec3 value, bool pulls, const char *text) {
    double reach = 4.5 * s->text;
    cdg_camera_point p = seen(s, at);
    if (!(p.depth > 0) || !(vec3_norm(value) > 0)) return;
    cdg_vec3 way = vec3_normalize(value);
    double right = vec3_dot(way, s->what->camera.right), up = vec3_dot(way, s->what->camera.up);
    if (!is_inside(s, p.x + reach * right, p.y - reach * up)) pulls = false; // its head would not be seen
    double side = pulls ? 1 : -1, x = p.x + side * reach * right, y = p.y - side * reach * up;
    arrow(s, pulls ? p.x : x, pulls ? p.y : y, pulls ? x : p.x, pulls ? y : p.y, load_color);
    double down = pulls && up < -0.5 ? -0.9 : -0.3; // beside the head, not below the picture
    for (int line = 0; line < 4; line++)            // several loads may act at one place
        if (label(s, x + 0.5 * s->text, y + (down - line) * s->text, 0.85 * s->text, load_color, text)) return;
}

static void draw_loads(const sketch *s) {
    for (size_t i = 0; i < s->what->scene->load_count; i++) {
        const cdg_load_def *load = &s->what->scene->loads[i];
        bool is_moment = load->kind == CDG_LOAD_MOMENT;
        if ((load->kind != CDG_LOAD_FORCE && !is_moment) || load->follows) continue;
        size_t node = node_of(s, &load->place), rod = load->place.rod.index1 - 1;
        if (node == SIZE_MAX) continue;
        char text[48];
        snprintf(text, sizeof text, "%.3g %s", vec3_norm(load->value), is_moment ? "N m" : "N");
        draw_vector(s, s->player->rods[rod].positions[node], load->value,
                    is_pull(s, rod, node, vec3_normalize(load->value)), text);
    }
}

// The part of the way from a to b that lies between 2 and `size` - 2.
static double share_inside(double a, double b, double size) {
    if (b < 2) return fmax(0, (a - 2) / (a - b));
    return b > size - 2 ? fmax(0, (size - 2 - a) / (b - a)) : 1;
}

// From where a support begins to where its moves lead, and how far it turns.
static void draw_motion(const sketch *s, const cdg_support_def *support) {
    cdg_vec3 from, move = {0, 0, 0};
    double turns = 0;
    size_t node = node_of(s, &support->place);
    if (node == SIZE_MAX) return;
    from = s->player->rods[support->place.rod.index1 - 1].positions[node];
    for (size_t i = 0; i < support->motion_count; i++) {
        const cdg_motion *motion = &support->motions[i];
        if (motion->kind == CDG_MOTION_MOVE)
            move = vec3_add(move, motion->move);
        else
            turns += motion->angle / (2 * 3.141592653589793);
    }
    cdg_camera_point a = seen(s, from), b = seen(s, vec3_add(from, move));
    if (!(a.depth > 0 && b.depth > 0)) return;
    if (is_inside(s, a.x, a.y)) { // a way that leads out of the picture ends at its edge, where its head is seen
        double share = fmin(share_inside(a.x, b.x, s->width), share_inside(a.y, b.y, s->height));
        b.x = a.x + share * (b.x - a.x), b.y = a.y + share * (b.y - a.y);
    }
    arrow(s, a.x, a.y, b.x, b.y, motion_color);
    if (turns == 0) return;
    char text[48];
    snprintf(text, sizeof text, "%.3g turn%s", turns, fabs(turns) == 1 ? "" : "s");
    label(s, b.x + 0.6 * s->text, b.y + 1.2 * s->text, 0.85 * s->text, motion_color, text);
}

void cdg_annotations_draw(const cdg_annotations *annotations, const cdg_run_player *player, int width, int height,
                          cdg_canvas *canvas) {
    text_boxes boxes = {.count = 0};
    sketch s = {.boxes = &boxes,
                .what = annotations,
                .player = player,
                .width = width,
                .height = height,
                .text = fmax(9, 17 * fmin(width / 1280.0, height / 720.0)),
                .canvas = canvas};
    take_room(&s, 0, height - 2 * s.text, 8 * s.text, height); // the time
    draw_axes(&s);
    draw_scale(&s);
    if (!annotations->scene) return;
    draw_loads(&s);
    draw_names(&s);
    for (size_t i = 0; i < annotations->scene->support_count; i++) draw_motion(&s, &annotations->scene->supports[i]);
    draw_all_numbers(&s);
}
