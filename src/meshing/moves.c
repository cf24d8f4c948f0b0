// Lists of elements and faces of points, and guarded moves.
#include "meshing/moves.h"

#include "meshing/faces.h"
#include "meshing/tetrahedron.h"

#include <string.h>

void cdg_moves_free(cdg_moves *moves, cdg_budget *budget) {
    void *arrays[] = {moves->start, moves->list, moves->faces, moves->face_start, moves->face_list};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cdg_budget_give(budget, arrays[i]);
    *moves = (cdg_moves){0};
}

// start[p] .. start[p + 1]: which groups of `width` corners name point p.
static bool list_users(const uint32_t *corners, size_t count, size_t width, size_t points, cdg_budget *budget,
                       uint32_t **start, uint32_t **list) {
    *start = cdg_budget_take_zero(budget, points + 2, sizeof **start);
    *list = cdg_budget_take(budget, count * width, sizeof **list);
    if (*start == NULL || *list == NULL) return false;
    for (size_t i = 0; i < count * width; i++) (*start)[corners[i] + 2]++;
    for (size_t p = 0; p < points; p++) (*start)[p + 2] += (*start)[p + 1];
    for (size_t i = 0; i < count * width; i++) {
        if (!cdg_budget_lasts(budget, i)) return false;
        (*list)[(*start)[corners[i] + 1]++] = (uint32_t)(i / width);
    }
    return true;
}

static bool list_faces(cdg_moves *m, cdg_budget *budget) {
    cdg_mesh view = {.points = m->mesh->points,
                     .point_count = m->mesh->point_count,
                     .tetrahedra = m->mesh->tetrahedra,
                     .tetrahedron_count = m->mesh->tetrahedron_count};
    size_t half_faces = 4 * view.tetrahedron_count;
    uint32_t *mate = cdg_budget_take(budget, half_faces, sizeof *mate);
    bool has_memory = mate != NULL && cdg_faces_match(&view, NULL, budget->patience, mate);
    for (size_t h = 0; has_memory && h < half_faces; h++) m->face_count += mate[h] == CDG_NO_FACE;
    if (has_memory) m->faces = cdg_budget_take(budget, m->face_count, sizeof *m->faces);
    has_memory = has_memory && m->faces != NULL;
    size_t count = 0;
    for (size_t h = 0; has_memory && h < half_faces; h++)
        if (mate[h] == CDG_NO_FACE) cdg_face_points(&view, (uint32_t)h, m->faces[count++]);
    cdg_budget_give(budget, mate);
    return has_memory;
}

bool cdg_moves_build(cdg_raw_mesh *mesh, cdg_budget *budget, cdg_moves *out) {
    *out = (cdg_moves){.mesh = mesh};
    bool has_memory = list_faces(out, budget) &&
                      list_users((const uint32_t *)mesh->tetrahedra, mesh->tetrahedron_count, 4, mesh->point_count,
                                 budget, &out->start, &out->list) &&
                      list_users((const uint32_t *)out->faces, out->face_count, 3, mesh->point_count, budget,
                                 &out->face_start, &out->face_list);
    if (!has_memory) cdg_moves_free(out, budget);
    return has_memory;
}

cdg_angle_bounds cdg_moves_range(const cdg_moves *moves, uint32_t point, cdg_vec3 position) {
    cdg_angle_bounds all = {1, -1};
    for (uint32_t i = moves->start[point]; i < moves->start[point + 1]; i++) {
        const uint32_t *corners = moves->mesh->tetrahedra[moves->list[i]];
        cdg_vec3 p[4];
        double least, most;
        for (int k = 0; k < 4; k++) p[k] = corners[k] == point ? position : moves->mesh->points[corners[k]];
        if (!tetrahedron_is_solid(p)) return (cdg_angle_bounds){-1, 1};
        tetrahedron_cosine_range(p, &least, &most);
        all.least = fmin(all.least, least);
        all.most = fmax(all.most, most);
    }
    return all;
}

double cdg_moves_try(cdg_moves *moves, uint32_t point, cdg_vec3 position, cdg_angle_bounds bounds) {
    cdg_vec3 here = moves->mesh->points[point];
    cdg_angle_bounds now = cdg_moves_range(moves, point, here);
    double least = fmin(bounds.least, now.least), most = fmax(bounds.most, now.most);
    for (double share = 1; share > 0.1; share /= 2) {
        cdg_vec3 candidate = vec3_lerp(here, position, share);
        cdg_angle_bounds range = cdg_moves_range(moves, point, candidate);
        if (!(range.least >= least && range.most <= most && range.least > -1)) continue;
        moves->mesh->points[point] = candidate;
        return share;
    }
    return 0;
}

cdg_vec3 cdg_moves_normal(const cdg_moves *moves, uint32_t point) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (uint32_t i = moves->face_start[point]; i < moves->face_start[point + 1]; i++) {
        const uint32_t *c = moves->faces[moves->face_list[i]];
        cdg_vec3 a = moves->mesh->points[c[0]];
        sum = vec3_add(sum, vec3_cross(vec3_sub(moves->mesh->points[c[1]], a), vec3_sub(moves->mesh->points[c[2]], a)));
    }
    return vec3_normalize(sum);
}
