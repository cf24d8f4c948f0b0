// Smoothing of the boundary: towards neighbours, weighted by nearness, then along normals until the volume around each
// point is what it was.
#include "meshing/smooth.h"

#include "meshing/tetrahedron.h"

static const double step = 0.5; // of the way to the neighbours' mean

// Sum of weights 1/length and of weighted places over the faces' edges: inner edges count twice, which changes nothing.
static cdg_vec3 umbrella(const cdg_moves *m, uint32_t point) {
    cdg_vec3 here = m->mesh->points[point], sum = vec3(0, 0, 0);
    double weights = 0;
    for (uint32_t i = m->face_start[point]; i < m->face_start[point + 1]; i++) {
        const uint32_t *c = m->faces[m->face_list[i]];
        for (int k = 0; k < 3; k++) {
            if (c[k] == point) continue;
            cdg_vec3 d = vec3_sub(m->mesh->points[c[k]], here);
            double weight = 1 / fmax(vec3_norm(d), 1e-300);
            sum = vec3_mad(sum, weight, d);
            weights += weight;
        }
    }
    return weights > 0 ? vec3_mad(here, step / weights, sum) : here;
}

static cdg_vec3 area_vector(const cdg_moves *m, uint32_t point) { // a third of its faces'
    cdg_vec3 sum = vec3(0, 0, 0);
    for (uint32_t i = m->face_start[point]; i < m->face_start[point + 1]; i++) {
        const uint32_t *c = m->faces[m->face_list[i]];
        cdg_vec3 a = m->mesh->points[c[0]];
        sum = vec3_add(sum, vec3_cross(vec3_sub(m->mesh->points[c[1]], a), vec3_sub(m->mesh->points[c[2]], a)));
    }
    return vec3_scale(1.0 / 6, sum);
}

static double element_volume(const cdg_moves *m, uint32_t t) {
    cdg_vec3 p[4];
    for (int k = 0; k < 4; k++) p[k] = m->mesh->points[m->mesh->tetrahedra[t][k]];
    return tetrahedron_volume6(p) / 6;
}

static double volume_about(const cdg_moves *m, uint32_t point) {
    double sum = 0;
    for (uint32_t i = m->start[point]; i < m->start[point + 1]; i++) sum += element_volume(m, m->list[i]);
    return sum;
}

// The volume lost around a point, with half of its neighbours' share, over the area there: how far it must move out.
static double gather_loss(const cdg_moves *m, uint32_t point, const double *loss, const double *area) {
    double volume = loss[point], sum = area[point];
    for (uint32_t i = m->face_start[point]; i < m->face_start[point + 1]; i++) {
        const uint32_t *c = m->faces[m->face_list[i]];
        for (int k = 0; k < 3; k++) {
            if (c[k] == point) continue;
            volume += 0.5 * loss[c[k]];
            sum += 0.5 * area[c[k]];
        }
    }
    return sum > 0 ? volume / sum : 0;
}

static double mean_loss(const double *loss, const double *area, uint32_t points) {
    double volume = 0, sum = 0;
    for (uint32_t p = 0; p < points; p++) {
        volume += loss[p];
        sum += area[p];
    }
    return sum > 0 ? volume / sum : 0;
}

static void smooth_pass(cdg_moves *m, cdg_angle_bounds bounds, double *loss, double *area, cdg_patience *patience) {
    uint32_t points = (uint32_t)m->mesh->point_count;
    for (uint32_t p = 0; p < points && cdg_patience_lasts_at(patience, p); p++) {
        loss[p] = 0;
        if (!cdg_moves_is_boundary(m, p)) continue;
        double before = volume_about(m, p);
        cdg_moves_try(m, p, umbrella(m, p), bounds);
        loss[p] = before - volume_about(m, p);
    }
    for (int round = 0; round < 8; round++) { // first where it was lost, then what is left everywhere
        for (uint32_t p = 0; p < points; p++) area[p] = cdg_moves_is_boundary(m, p) ? vec3_norm(area_vector(m, p)) : 0;
        double mean = mean_loss(loss, area, points);
        for (uint32_t p = 0; p < points && cdg_patience_lasts_at(patience, p); p++) {
            if (!cdg_moves_is_boundary(m, p)) continue;
            double out = round < 4 ? gather_loss(m, p, loss, area) : mean, before = volume_about(m, p);
            cdg_moves_try(m, p, vec3_mad(m->mesh->points[p], out, cdg_moves_normal(m, p)), bounds);
            loss[p] -= volume_about(m, p) - before;
        }
    }
}

bool cdg_smooth_boundary(cdg_moves *moves, int passes, cdg_angle_bounds bounds, cdg_budget *budget) {
    size_t points = moves->mesh->point_count;
    double *loss = cdg_budget_take(budget, points, sizeof *loss), *area = cdg_budget_take(budget, points, sizeof *area);
    bool has_memory = loss != NULL && area != NULL;
    for (int pass = 0; has_memory && pass < passes; pass++) smooth_pass(moves, bounds, loss, area, budget->patience);
    cdg_budget_give(budget, loss);
    cdg_budget_give(budget, area);
    return has_memory && !cdg_patience_is_over(budget->patience);
}
