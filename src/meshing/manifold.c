// Repair of boundaries. The lattice's elements form a manifold but where vertices were drawn onto the surface: there
// two parts may meet in a point or an edge. Elements around a point that do not hang together by faces at it get points
// of their own; of those around an edge the smaller group goes; around a point that is left, all go.
#include "meshing/manifold.h"

#include "meshing/faces.h"
#include "meshing/fans.h"

#include <string.h>

typedef struct repair {
    cdg_raw_mesh *mesh;
    cdg_budget *budget;
    cdg_mesh view; // of the same arrays
    uint32_t *mate;
    bool *goes;             // elements that are dropped
    uint32_t *start, *list; // elements of each point
    cdg_fans fans;
} repair;

static bool renew_view(repair *r) {
    r->view = (cdg_mesh){.points = r->mesh->points,
                         .point_count = r->mesh->point_count,
                         .tetrahedra = r->mesh->tetrahedra,
                         .tetrahedron_count = r->mesh->tetrahedron_count};
    return cdg_faces_match(&r->view, NULL, r->budget->patience, r->mate);
}

// ---- finding --------------------------------------------------------------------------------------------------------

static bool count_fans(repair *r) {
    size_t half_faces = 4 * r->view.tetrahedron_count, count = 0;
    for (size_t h = 0; h < half_faces; h++) count += r->mate[h] == CDG_NO_FACE;
    uint32_t(*triangles)[3] = cdg_budget_take(r->budget, count, sizeof *triangles);
    if (triangles == NULL) return false;
    count = 0;
    for (size_t h = 0; h < half_faces; h++)
        if (r->mate[h] == CDG_NO_FACE) cdg_face_points(&r->view, (uint32_t)h, triangles[count++]);
    bool has_memory =
        cdg_fans_count((const uint32_t(*)[3])triangles, count, r->view.point_count, r->budget->patience, &r->fans);
    cdg_budget_give(r->budget, triangles);
    return has_memory;
}

static bool list_elements(repair *r) {
    size_t points = r->view.point_count, corners = 4 * r->view.tetrahedron_count;
    memset(r->start, 0, (points + 2) * sizeof *r->start);
    for (size_t i = 0; i < corners; i++) r->start[r->view.tetrahedra[i / 4][i % 4] + 2]++;
    for (size_t p = 0; p < points; p++) r->start[p + 2] += r->start[p + 1];
    for (size_t i = 0; i < corners; i++) {
        if (!cdg_budget_lasts(r->budget, i)) return false;
        r->list[r->start[r->view.tetrahedra[i / 4][i % 4] + 1]++] = (uint32_t)(i / 4);
    }
    return true;
}

// ---- groups of elements ---------------------------------------------------------------------------------------------

enum { GROUP_MOST = 256 }; // elements around a point of the lattice are far fewer

static bool has_point(const uint32_t *corners, uint32_t point) {
    return corners[0] == point || corners[1] == point || corners[2] == point || corners[3] == point;
}

// Labels elements by which of them hang together through faces that hold `point` and, unless it is UINT32_MAX, `other`.
// Returns the number of groups; groups are numbered in the order of their first element.
static uint32_t find_groups(const repair *r, const uint32_t *elements, uint32_t count, uint32_t point, uint32_t other,
                            uint32_t *group) {
    uint32_t groups = 0, stack[GROUP_MOST];
    for (uint32_t i = 0; i < count; i++) group[i] = UINT32_MAX;
    for (uint32_t seed = 0; seed < count; seed++) {
        if (group[seed] != UINT32_MAX) continue;
        uint32_t depth = 0;
        group[seed] = groups;
        stack[depth++] = seed;
        while (depth > 0) {
            uint32_t at = stack[--depth], t = elements[at];
            for (uint32_t k = 0; k < 4; k++) {
                uint32_t corner = r->view.tetrahedra[t][k], mate = r->mate[4 * (size_t)t + k];
                if (corner == point || corner == other || mate >= CDG_OVERFULL_FACE) continue;
                for (uint32_t i = 0; i < count; i++)
                    if (elements[i] == mate / 4 && group[i] == UINT32_MAX) {
                        group[i] = groups;
                        stack[depth++] = i;
                    }
            }
        }
        groups++;
    }
    return groups;
}

// ---- repairs --------------------------------------------------------------------------------------------------------

static bool add_point(repair *r, uint32_t source, uint32_t *number) {
    cdg_raw_mesh *m = r->mesh;
    if (!cdg_budget_grow(r->budget, (void **)&m->points, m->point_count, &m->point_capacity, sizeof *m->points))
        return false;
    m->points[m->point_count] = m->points[source];
    *number = (uint32_t)m->point_count++;
    return true;
}

// Groups beyond the first get copies of the point.
static bool part_groups(repair *r, uint32_t point, const uint32_t *elements, uint32_t count, const uint32_t *group,
                        uint32_t groups) {
    for (uint32_t g = 1; g < groups; g++) {
        uint32_t copy;
        if (!add_point(r, point, &copy)) return false;
        for (uint32_t i = 0; i < count; i++)
            for (int k = 0; k < 4 && group[i] == g; k++)
                if (r->mesh->tetrahedra[elements[i]][k] == point) r->mesh->tetrahedra[elements[i]][k] = copy;
    }
    return true;
}

// Around the edge from point to other: all groups but the largest go.
static bool drop_at_edge(repair *r, uint32_t point, uint32_t other, const uint32_t *elements, uint32_t count) {
    uint32_t around[GROUP_MOST], group[GROUP_MOST], size[GROUP_MOST] = {0}, found = 0, largest = 0;
    for (uint32_t i = 0; i < count; i++)
        if (has_point(r->view.tetrahedra[elements[i]], other)) around[found++] = elements[i];
    uint32_t groups = find_groups(r, around, found, point, other, group);
    if (groups < 2) return false;
    for (uint32_t i = 0; i < found; i++) size[group[i]]++;
    for (uint32_t g = 1; g < groups; g++)
        if (size[g] > size[largest]) largest = g;
    for (uint32_t i = 0; i < found; i++)
        if (group[i] != largest) r->goes[around[i]] = true;
    return true;
}

// One point at which the boundary touches itself or has an edge of more than two faces.
static bool repair_point(repair *r, uint32_t point) {
    const uint32_t *elements = r->list + r->start[point];
    uint32_t count = r->start[point + 1] - r->start[point], group[GROUP_MOST];
    if (count > GROUP_MOST) count = GROUP_MOST;
    uint32_t groups = find_groups(r, elements, count, point, UINT32_MAX, group);
    if (groups > 1) return part_groups(r, point, elements, count, group, groups);
    bool is_done = false;
    for (uint32_t i = 0; i < count && r->fans.branching[point] > 0; i++)
        for (int k = 0; k < 4; k++) {
            uint32_t other = r->view.tetrahedra[elements[i]][k];
            if (other > point) is_done = drop_at_edge(r, point, other, elements, count) || is_done;
        }
    if (is_done || r->fans.fan_count[point] < 2) return true;
    for (uint32_t i = 0; i < count; i++) r->goes[elements[i]] = true; // touched from two sides
    return true;
}

// Points are parted by writing into the elements that other points' lists name, so each element changes in one place
// a round only: its neighbours' repairs wait.
static bool repair_round(repair *r) {
    if (!list_elements(r)) return false;
    memset(r->goes, 0, r->view.tetrahedron_count * sizeof *r->goes);
    size_t points = r->view.point_count;
    bool *waits = cdg_budget_take_zero(r->budget, points, sizeof *waits);
    if (waits == NULL) return false;
    bool has_memory = true;
    for (uint32_t p = 0; has_memory && p < points; p++) {
        has_memory = cdg_budget_lasts(r->budget, p);
        if ((r->fans.fan_count[p] < 2 && r->fans.branching[p] == 0) || waits[p]) continue;
        for (uint32_t i = r->start[p]; i < r->start[p + 1]; i++)
            for (int k = 0; k < 4; k++) {
                uint32_t corner = r->view.tetrahedra[r->list[i]][k];
                if (corner < points) waits[corner] = true;
            }
        has_memory = has_memory && repair_point(r, p);
        r->view.points = r->mesh->points;
    }
    cdg_budget_give(r->budget, waits);
    size_t kept = 0;
    cdg_raw_mesh *m = r->mesh;
    for (size_t t = 0; t < m->tetrahedron_count; t++)
        if (!r->goes[t]) memmove(m->tetrahedra[kept++], m->tetrahedra[t], sizeof *m->tetrahedra);
    m->tetrahedron_count = kept;
    return has_memory;
}

// ---- afterwards -----------------------------------------------------------------------------------------------------

static bool drop_unused_points(repair *r) {
    cdg_raw_mesh *m = r->mesh;
    uint32_t *number = cdg_budget_take(r->budget, m->point_count, sizeof *number);
    if (number == NULL) return false;
    memset(number, 0xFF, m->point_count * sizeof *number);
    for (size_t i = 0; i < 4 * m->tetrahedron_count; i++) number[m->tetrahedra[i / 4][i % 4]] = 0;
    uint32_t kept = 0;
    for (size_t p = 0; p < m->point_count; p++) {
        if (number[p] == UINT32_MAX) continue;
        m->points[kept] = m->points[p];
        number[p] = kept++;
    }
    m->point_count = kept;
    for (size_t i = 0; i < 4 * m->tetrahedron_count; i++)
        m->tetrahedra[i / 4][i % 4] = number[m->tetrahedra[i / 4][i % 4]];
    cdg_budget_give(r->budget, number);
    return true;
}

static size_t count_pieces(repair *r) { // `list` serves as a stack, `goes` as marks
    size_t pieces = 0;
    memset(r->goes, 0, r->view.tetrahedron_count * sizeof *r->goes);
    for (size_t seed = 0; seed < r->view.tetrahedron_count; seed++) {
        if (r->goes[seed] || !cdg_budget_lasts(r->budget, seed)) continue;
        size_t depth = 0;
        pieces++;
        r->goes[seed] = true;
        r->list[depth++] = (uint32_t)seed;
        for (size_t turn = 0; depth > 0 && cdg_budget_lasts(r->budget, turn); turn++) {
            size_t t = r->list[--depth];
            for (int k = 0; k < 4; k++) {
                uint32_t mate = r->mate[4 * t + (size_t)k];
                if (mate >= CDG_OVERFULL_FACE || r->goes[mate / 4]) continue;
                r->goes[mate / 4] = true;
                r->list[depth++] = mate / 4;
            }
        }
    }
    return pieces;
}

static bool take_arrays(repair *r, size_t points) {
    size_t elements = r->mesh->tetrahedron_count;
    r->mate = cdg_budget_take(r->budget, 4 * elements, sizeof *r->mate);
    r->goes = cdg_budget_take(r->budget, elements, sizeof *r->goes);
    r->list = cdg_budget_take(r->budget, 4 * elements, sizeof *r->list);
    r->start = cdg_budget_take(r->budget, points + 2, sizeof *r->start);
    r->fans.fan_count = cdg_budget_take(r->budget, points, sizeof *r->fans.fan_count);
    r->fans.branching = cdg_budget_take(r->budget, points, sizeof *r->fans.branching);
    return r->mate != NULL && r->goes != NULL && r->list != NULL && r->start != NULL && r->fans.fan_count != NULL &&
           r->fans.branching != NULL;
}

static void give_arrays(repair *r) {
    void *arrays[] = {r->mate, r->goes, r->list, r->start, r->fans.fan_count, r->fans.branching};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) cdg_budget_give(r->budget, arrays[i]);
}

bool cdg_manifold_repair(cdg_raw_mesh *mesh, cdg_budget *budget, size_t *pieces) {
    bool is_changed = false, has_memory = true;
    for (bool is_sound = false; has_memory && !is_sound;) {
        repair r = {.mesh = mesh, .budget = budget};
        has_memory = take_arrays(&r, mesh->point_count) && renew_view(&r) && count_fans(&r);
        is_sound = has_memory && r.fans.branching_total == 0 && r.fans.pinched_total == 0;
        if (is_sound) *pieces = count_pieces(&r);
        if (has_memory && !is_sound) {
            is_changed = true;
            has_memory = repair_round(&r);
        }
        give_arrays(&r);
    }
    repair r = {.mesh = mesh, .budget = budget};
    if (cdg_patience_is_over(budget->patience)) return false;
    return has_memory && (!is_changed || drop_unused_points(&r));
}
