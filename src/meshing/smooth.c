// Smoothing. On the boundary: towards neighbours, weighted by nearness, then along normals until the volume around each
// point is what it was. Inside: small steps that improve the worst angle of a point's elements.
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

static void smooth_pass(cdg_moves *m, cdg_angle_bounds bounds, double *loss, double *area) {
    uint32_t points = (uint32_t)m->mesh->point_count;
    for (uint32_t p = 0; p < points; p++) {
        loss[p] = 0;
        if (!cdg_moves_is_boundary(m, p)) continue;
        double before = volume_about(m, p);
        cdg_moves_try(m, p, umbrella(m, p), bounds);
        loss[p] = before - volume_about(m, p);
    }
    for (int round = 0; round < 8; round++) { // first where it was lost, then what is left everywhere
        for (uint32_t p = 0; p < points; p++) area[p] = cdg_moves_is_boundary(m, p) ? vec3_norm(area_vector(m, p)) : 0;
        double mean = mean_loss(loss, area, points);
        for (uint32_t p = 0; p < points; p++) {
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
    for (int pass = 0; has_memory && pass < passes; pass++) smooth_pass(moves, bounds, loss, area);
    cdg_budget_give(budget, loss);
    cdg_budget_give(budget, area);
    return has_memory;
}

// ---- inside ---------------------------------------------------------------------------------------------------------

static double badness(cdg_angle_bounds range) { return fmax(range.most, -range.least); }

static double shortest_edge(const cdg_moves *m, uint32_t point) {
    double least = HUGE_VAL;
    for (uint32_t i = m->start[point]; i < m->start[point + 1]; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t other = m->mesh->tetrahedra[m->list[i]][k];
            if (other != point) least = fmin(least, vec3_distance(m->mesh->points[other], m->mesh->points[point]));
        }
    return least;
}

static void improve_point(cdg_moves *m, uint32_t point) {
    double best = badness(cdg_moves_range(m, point, m->mesh->points[point])), reach = 0.2 * shortest_edge(m, point);
    if (best < 0.8) return; // 37 degrees and more: good enough
    for (int round = 0; round < 6; round++, reach /= 2) {
        for (int way = 0; way < 14; way++) {
            cdg_vec3 d = way < 6 ? vec3((way / 2 == 0) * (way % 2 * 2 - 1), (way / 2 == 1) * (way % 2 * 2 - 1),
                                        (way / 2 == 2) * (way % 2 * 2 - 1))
                                 : vec3_scale(0.57735026918962576, vec3((way - 6) & 1 ? 1 : -1, (way - 6) & 2 ? 1 : -1,
                                                                        (way - 6) & 4 ? 1 : -1));
            cdg_vec3 candidate = vec3_mad(m->mesh->points[point], reach, d);
            double found = badness(cdg_moves_range(m, point, candidate));
            if (found < best) {
                best = found;
                m->mesh->points[point] = candidate;
            }
        }
    }
}

void cdg_smooth_inside(cdg_moves *moves, int passes) {
    for (int pass = 0; pass < passes; pass++)
        for (uint32_t p = 0; p < moves->mesh->point_count; p++)
            if (!cdg_moves_is_boundary(moves, p) && moves->start[p + 1] > moves->start[p]) improve_point(moves, p);
}
