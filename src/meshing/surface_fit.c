// Fit in the mean. The gap between a face and the surface is nearly quadratic, so its mean is 3/4 of the gap at the
// middle and 1/12 of that at each corner; a point moves by the mean gap of its faces.
#include "meshing/surface_fit.h"

#include "base/parallel.h"

enum { PASSES = 2, PIECE = 64 };

typedef struct fitting {
    cdg_moves *moves;
    const cdg_inside *inside;
    double reach;
    cdg_patience *patience;
    double *gap_point, *gap_face; // m, along the normal, positive when the surface is outside
} fitting;

// How far the surface is from a place along a direction: the nearest crossing; 0: none within reach.
static double find_gap(const fitting *f, cdg_vec3 position, cdg_vec3 normal) {
    enum { MOST = 8 };
    cdg_crossing crossings[MOST];
    cdg_vec3 a = vec3_mad(position, -f->reach, normal), b = vec3_mad(position, f->reach, normal);
    size_t count = cdg_winding_cross(f->inside->winding, a, b, crossings, MOST);
    double best = 0, least = HUGE_VAL;
    for (size_t i = 0; i < count && i < MOST; i++) {
        double gap = (2 * crossings[i].position - 1) * f->reach;
        bool is_way_out = f->inside->rule == CDG_INSIDE_VOTE || f->inside->is_absolute || crossings[i].change < 0;
        if (is_way_out && fabs(gap) < least) {
            least = fabs(gap);
            best = gap;
        }
    }
    return count <= MOST ? best : 0;
}

static void measure_points(void *user, size_t index, int thread) {
    fitting *f = user;
    if (!cdg_patience_lasts_on(f->patience, thread)) return;
    for (size_t p = index * PIECE; p < (index + 1) * PIECE && p < f->moves->mesh->point_count; p++) {
        f->gap_point[p] = 0;
        if (cdg_moves_is_boundary(f->moves, (uint32_t)p))
            f->gap_point[p] = find_gap(f, f->moves->mesh->points[p], cdg_moves_normal(f->moves, (uint32_t)p));
    }
}

static void measure_faces(void *user, size_t index, int thread) {
    fitting *f = user;
    if (!cdg_patience_lasts_on(f->patience, thread)) return;
    for (size_t i = index * PIECE; i < (index + 1) * PIECE && i < f->moves->face_count; i++) {
        const uint32_t *c = f->moves->faces[i];
        const cdg_vec3 *points = f->moves->mesh->points;
        cdg_vec3 normal =
            vec3_normalize(vec3_cross(vec3_sub(points[c[1]], points[c[0]]), vec3_sub(points[c[2]], points[c[0]])));
        cdg_vec3 middle = vec3_scale(1.0 / 3, vec3_add(points[c[0]], vec3_add(points[c[1]], points[c[2]])));
        double corners = f->gap_point[c[0]] + f->gap_point[c[1]] + f->gap_point[c[2]];
        f->gap_face[i] = 0.75 * find_gap(f, middle, normal) + corners / 12;
    }
}

static double face_area(const cdg_moves *m, uint32_t face) {
    const uint32_t *c = m->faces[face];
    cdg_vec3 a = m->mesh->points[c[0]];
    return 0.5 * vec3_norm(vec3_cross(vec3_sub(m->mesh->points[c[1]], a), vec3_sub(m->mesh->points[c[2]], a)));
}

static void move_point(fitting *f, uint32_t point, cdg_angle_bounds bounds) {
    cdg_moves *m = f->moves;
    double sum = 0, area = 0;
    for (uint32_t i = m->face_start[point]; i < m->face_start[point + 1]; i++) {
        double weight = face_area(m, m->face_list[i]);
        sum += weight * f->gap_face[m->face_list[i]];
        area += weight;
    }
    if (!(area > 0) || sum == 0) return;
    cdg_moves_try(m, point, vec3_mad(m->mesh->points[point], sum / area, cdg_moves_normal(m, point)), bounds);
}

bool cdg_fit_boundary(cdg_moves *moves, const cdg_inside *inside, double size, cdg_angle_bounds bounds,
                      const bool *is_held, int thread_count, cdg_budget *budget) {
    size_t points = moves->mesh->point_count;
    fitting f = {.moves = moves,
                 .inside = inside,
                 .reach = 0.4 * size,
                 .patience = budget->patience,
                 .gap_point = cdg_budget_take(budget, points, sizeof *f.gap_point),
                 .gap_face = cdg_budget_take(budget, moves->face_count, sizeof *f.gap_face)};
    bool has_memory = f.gap_point != NULL && f.gap_face != NULL;
    for (int pass = 0; has_memory && pass < PASSES; pass++) {
        cdg_parallel_for(points / PIECE + 1, thread_count, measure_points, &f);
        cdg_parallel_for(moves->face_count / PIECE + 1, thread_count, measure_faces, &f);
        for (uint32_t p = 0; p < points && cdg_budget_lasts(budget, p); p++)
            if (cdg_moves_is_boundary(moves, p) && (is_held == NULL || !is_held[p])) move_point(&f, p, bounds);
    }
    cdg_budget_give(budget, f.gap_point);
    cdg_budget_give(budget, f.gap_face);
    return has_memory && !cdg_patience_is_over(budget->patience);
}
