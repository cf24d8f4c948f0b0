// Triangle meshes that enclose space. Inside and outside by angle-weighted pseudonormals (Baerentzen and Aanaes 2005):
// the side of a point is the sign of its product with the normal of the nearest face, edge or corner.
#include "contact/contact_mesh.h"

#include "base/error.h"
#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void cdg_contact_mesh_free(cdg_contact_mesh *mesh) {
    free(mesh->vertices);
    free(mesh->triangles);
    free(mesh->face_normals);
    free(mesh->corner_normals);
    free(mesh->edge_normals);
    free(mesh->nodes);
    cdg_mesh_features_free(&mesh->features);
    *mesh = (cdg_contact_mesh){0};
}

// ---- corners --------------------------------------------------------------------------------------------------------

typedef struct indexed_vertex {
    cdg_vec3 at;
    uint32_t index;
} indexed_vertex;

static int compare_vertices(const void *a, const void *b) {
    const indexed_vertex *x = a, *y = b;
    if (x->at.x != y->at.x) return x->at.x < y->at.x ? -1 : 1;
    if (x->at.y != y->at.y) return x->at.y < y->at.y ? -1 : 1;
    if (x->at.z != y->at.z) return x->at.z < y->at.z ? -1 : 1;
    return (x->index > y->index) - (x->index < y->index);
}

// Corners at the very same point become one, as files that repeat them for each triangle (STL) need. Each keeps the
// number of the first of them, compacted.
static bool merge_vertices(cdg_contact_mesh *mesh) {
    size_t count = mesh->vertex_count;
    indexed_vertex *sorted = malloc(count * sizeof *sorted);
    uint32_t *first = malloc(count * sizeof *first), *number = malloc(count * sizeof *number);
    bool has_memory = sorted != NULL && first != NULL && number != NULL;
    if (has_memory) {
        for (size_t i = 0; i < count; i++) sorted[i] = (indexed_vertex){mesh->vertices[i], (uint32_t)i};
        qsort(sorted, count, sizeof *sorted, compare_vertices);
        for (size_t i = 0, start = 0; i < count; i++) {
            if (vec3_distance(sorted[i].at, sorted[start].at) > 0) start = i;
            first[sorted[i].index] = sorted[start].index;
        }
        size_t kept = 0;
        for (size_t i = 0; i < count; i++) {
            number[i] = first[i] == i ? (uint32_t)kept : number[first[i]];
            if (first[i] == i) mesh->vertices[kept++] = mesh->vertices[i];
        }
        mesh->vertex_count = kept;
        size_t triangles = 0;
        for (size_t t = 0; t < mesh->triangle_count; t++) {
            uint32_t c[3];
            for (int k = 0; k < 3; k++) c[k] = number[mesh->triangles[t][k]];
            if (c[0] == c[1] || c[1] == c[2] || c[2] == c[0]) continue;
            memcpy(mesh->triangles[triangles++], c, sizeof c);
        }
        mesh->triangle_count = triangles;
    }
    free(sorted);
    free(first);
    free(number);
    return has_memory;
}

// ---- tree -----------------------------------------------------------------------------------------------------------

enum { LEAF_TRIANGLES = 4, DEPTH_MAX = 64 };

static double component(cdg_vec3 v, int k) { return k == 0 ? v.x : k == 1 ? v.y : v.z; }

static cdg_box triangle_box(const cdg_contact_mesh *mesh, const uint32_t c[3]) {
    cdg_box box;
    for (int k = 0; k < 3; k++) {
        double a = component(mesh->vertices[c[0]], k), b = component(mesh->vertices[c[1]], k),
               d = component(mesh->vertices[c[2]], k);
        box.low[k] = fmin(a, fmin(b, d));
        box.high[k] = fmax(a, fmax(b, d));
    }
    return box;
}

static void include(cdg_box *all, const cdg_box *box) {
    for (int k = 0; k < 3; k++) {
        all->low[k] = fmin(all->low[k], box->low[k]);
        all->high[k] = fmax(all->high[k], box->high[k]);
    }
}

typedef struct sorted_triangle {
    double key;
    uint32_t corners[3];
} sorted_triangle;

static int compare_triangles(const void *a, const void *b) {
    const sorted_triangle *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return memcmp(x->corners, y->corners, sizeof x->corners);
}

// Halves along the longest side, so that the depth is the logarithm of the count.
static void build_node(cdg_contact_mesh *mesh, sorted_triangle *list, size_t first,
                       size_t count) { // NOLINT(misc-no-recursion)
    size_t index = mesh->node_count++;
    cdg_contact_mesh_node *node = &mesh->nodes[index];
    node->box = triangle_box(mesh, list[first].corners);
    for (size_t i = first + 1; i < first + count; i++) {
        cdg_box box = triangle_box(mesh, list[i].corners);
        include(&node->box, &box);
    }
    node->first = (uint32_t)first;
    node->count = (uint32_t)count;
    if (count <= LEAF_TRIANGLES) return;
    int longest = 0;
    for (int k = 1; k < 3; k++)
        if (node->box.high[k] - node->box.low[k] > node->box.high[longest] - node->box.low[longest]) longest = k;
    for (size_t i = first; i < first + count; i++) {
        cdg_box box = triangle_box(mesh, list[i].corners);
        list[i].key = box.low[longest] + box.high[longest];
    }
    qsort(list + first, count, sizeof *list, compare_triangles);
    node->count = 0;
    build_node(mesh, list, first, count / 2);
    mesh->nodes[index].first = (uint32_t)mesh->node_count;
    build_node(mesh, list, first + count / 2, count - count / 2);
}

static bool build_tree(cdg_contact_mesh *mesh) {
    size_t count = mesh->triangle_count;
    sorted_triangle *list = malloc(count * sizeof *list);
    mesh->nodes = malloc(2 * count * sizeof *mesh->nodes);
    if (list == NULL || mesh->nodes == NULL) {
        free(list);
        return false;
    }
    for (size_t t = 0; t < count; t++) memcpy(list[t].corners, mesh->triangles[t], sizeof list[t].corners);
    build_node(mesh, list, 0, count);
    for (size_t t = 0; t < count; t++) memcpy(mesh->triangles[t], list[t].corners, sizeof list[t].corners);
    free(list);
    return true;
}

// ---- edges, normals -------------------------------------------------------------------------------------------------

static int compare_edges(const void *a, const void *b) {
    const cdg_half_edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

static cdg_result refuse_edge(const cdg_contact_mesh *mesh, const cdg_half_edge *edge, size_t count, cdg_error *error) {
    cdg_vec3 a = mesh->vertices[edge->low], b = mesh->vertices[edge->high];
    const char *cure = "close it, have it closed (repair: true), or let it be open (surface: true)";
    if (count == 1)
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "the mesh is open: the edge from (%g, %g, %g) to (%g, %g, %g) has one triangle only; %s", a.x,
                        a.y, a.z, b.x, b.y, b.z, cure);
    if (count > 2)
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "the mesh encloses nothing: the edge from (%g, %g, %g) to (%g, %g, %g) has %zu triangles; %s",
                        a.x, a.y, a.z, b.x, b.y, b.z, count, cure);
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "the mesh is not oriented: both triangles at the edge from (%g, %g, %g) to (%g, %g, %g) run along "
                    "it in the same direction; turn one of them, or let it have no inside (surface: true)",
                    a.x, a.y, a.z, b.x, b.y, b.z);
}

static double corner_angle(cdg_vec3 at, cdg_vec3 b, cdg_vec3 c) {
    cdg_vec3 u = vec3_sub(b, at), v = vec3_sub(c, at);
    return atan2(vec3_norm(vec3_cross(u, v)), vec3_dot(u, v));
}

static cdg_result find_edges(cdg_contact_mesh *mesh, cdg_half_edge *edges, cdg_error *error) {
    size_t count = 3 * mesh->triangle_count;
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (uint32_t k = 0; k < 3; k++) {
            uint32_t a = mesh->triangles[t][(k + 1) % 3], b = mesh->triangles[t][(k + 2) % 3];
            edges[3 * t + k] = (cdg_half_edge){a < b ? a : b, a < b ? b : a, (uint32_t)t, (uint8_t)k, a < b};
        }
    qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        cdg_vec3 sum = mesh->face_normals[edges[i].triangle];
        for (end = i + 1; end < count && edges[end].low == edges[i].low && edges[end].high == edges[i].high; end++)
            sum = vec3_add(sum, mesh->face_normals[edges[end].triangle]);
        bool is_closed = end - i == 2 && edges[i].is_ascending != edges[i + 1].is_ascending;
        if (!is_closed && !mesh->is_surface) return refuse_edge(mesh, &edges[i], end - i, error);
        for (; i < end; i++) mesh->edge_normals[edges[i].triangle][edges[i].side] = sum;
    }
    return CDG_OK;
}

static void find_face_normals(cdg_contact_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const cdg_vec3 *v = mesh->vertices;
        const uint32_t *c = mesh->triangles[t];
        mesh->face_normals[t] = vec3_normalize(vec3_cross(vec3_sub(v[c[1]], v[c[0]]), vec3_sub(v[c[2]], v[c[0]])));
    }
}

static void find_corner_normals(cdg_contact_mesh *mesh) {
    for (size_t i = 0; i < mesh->vertex_count; i++) mesh->corner_normals[i] = vec3(0, 0, 0);
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t *c = mesh->triangles[t];
            double angle =
                corner_angle(mesh->vertices[c[k]], mesh->vertices[c[(k + 1) % 3]], mesh->vertices[c[(k + 2) % 3]]);
            mesh->corner_normals[c[k]] = vec3_mad(mesh->corner_normals[c[k]], angle, mesh->face_normals[t]);
        }
}

// Six times the volume, about a corner to lose nothing far from the origin.
static double volume6(const cdg_contact_mesh *mesh) {
    double sum = 0;
    cdg_vec3 o = mesh->vertices[0];
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        const uint32_t *c = mesh->triangles[t];
        sum += vec3_dot(vec3_sub(mesh->vertices[c[0]], o),
                        vec3_cross(vec3_sub(mesh->vertices[c[1]], o), vec3_sub(mesh->vertices[c[2]], o)));
    }
    return sum;
}

static void turn_triangles(cdg_contact_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++) {
        uint32_t c = mesh->triangles[t][1];
        mesh->triangles[t][1] = mesh->triangles[t][2];
        mesh->triangles[t][2] = c;
    }
}

static cdg_result check_input(const cdg_vec3 *vertices, size_t vertex_count, const uint32_t (*triangles)[3],
                              size_t triangle_count, cdg_error *error) {
    if (triangle_count == 0 || triangles == NULL || vertices == NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the mesh has no triangles");
    if (vertex_count > UINT32_MAX / 8 || triangle_count > UINT32_MAX / 8)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the mesh has more than half a billion corners or triangles");
    for (size_t i = 0; i < vertex_count; i++)
        if (!vec3_is_finite(vertices[i]))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "corner %zu of the mesh is not finite", i);
    for (size_t t = 0; t < triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (triangles[t][k] >= vertex_count)
                return cdg_fail(error, CDG_ERROR_ARGUMENT, "triangle %zu of the mesh names corner %u; there are %zu", t,
                                (unsigned)triangles[t][k], vertex_count);
    return CDG_OK;
}

// The arrays are there and hold what was given.
static cdg_result prepare(cdg_contact_mesh *mesh, cdg_half_edge *edges, cdg_error *error) {
    size_t given = mesh->triangle_count;
    if (!merge_vertices(mesh)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a mesh of %zu triangles", given);
    if (mesh->triangle_count == 0)
        return cdg_fail(error, CDG_ERROR_FORMAT, "all triangles of the mesh are without area");
    if (!build_tree(mesh)) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a mesh of %zu triangles", given);
    if (!mesh->is_surface && volume6(mesh) < 0) turn_triangles(mesh);
    find_face_normals(mesh);
    find_corner_normals(mesh);
    cdg_result result = find_edges(mesh, edges, error);
    if (result != CDG_OK) return result;
    if (!cdg_mesh_features_build(mesh->vertices, mesh->vertex_count, mesh->triangle_count,
                                 (const uint32_t(*)[3])mesh->triangles, edges, &mesh->features))
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a mesh of %zu triangles", given);
    return CDG_OK;
}

cdg_result cdg_contact_mesh_build(const cdg_vec3 *vertices, size_t vertex_count, const uint32_t (*triangles)[3],
                                  size_t triangle_count, bool is_surface, cdg_contact_mesh *out, cdg_error *error) {
    *out = (cdg_contact_mesh){.is_surface = is_surface};
    cdg_result result = check_input(vertices, vertex_count, triangles, triangle_count, error);
    if (result != CDG_OK) return result;
    cdg_contact_mesh mesh = {.vertex_count = vertex_count, .triangle_count = triangle_count, .is_surface = is_surface};
    mesh.vertices = malloc(vertex_count * sizeof *mesh.vertices);
    mesh.triangles = malloc(triangle_count * sizeof *mesh.triangles);
    mesh.face_normals = malloc(triangle_count * sizeof *mesh.face_normals);
    mesh.edge_normals = malloc(triangle_count * sizeof *mesh.edge_normals);
    mesh.corner_normals = malloc(vertex_count * sizeof *mesh.corner_normals);
    cdg_half_edge *edges = malloc(3 * triangle_count * sizeof *edges);
    if (mesh.vertices == NULL || mesh.triangles == NULL || mesh.face_normals == NULL || mesh.edge_normals == NULL ||
        mesh.corner_normals == NULL || edges == NULL) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory for a mesh of %zu triangles", triangle_count);
    } else {
        memcpy(mesh.vertices, vertices, vertex_count * sizeof *vertices);
        memcpy(mesh.triangles, triangles, triangle_count * sizeof *triangles);
        result = prepare(&mesh, edges, error);
    }
    free(edges);
    if (result != CDG_OK) {
        cdg_contact_mesh_free(&mesh);
        return result;
    }
    *out = mesh;
    return CDG_OK;
}

// ---- nearest --------------------------------------------------------------------------------------------------------

// Squared distance of two boxes.
static double boxes_distance2(const cdg_box *a, const cdg_box *b) {
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double gap = fmax(0, fmax(a->low[k] - b->high[k], b->low[k] - a->high[k]));
        sum += gap * gap;
    }
    return sum;
}

bool cdg_contact_mesh_segment(const cdg_contact_mesh *mesh, cdg_vec3 a0, cdg_vec3 a1, double most,
                              cdg_triangle_closest *out, uint32_t *triangle) {
    cdg_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = fmin(component(a0, k), component(a1, k));
        box.high[k] = fmax(component(a0, k), component(a1, k));
    }
    double best = most < HUGE_VAL ? most * most : HUGE_VAL;
    bool is_found = false;
    uint32_t stack[DEPTH_MAX];
    int depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const cdg_contact_mesh_node *node = &mesh->nodes[stack[--depth]];
        if (boxes_distance2(&node->box, &box) > best) continue;
        if (node->count == 0) { // the nearer child is looked at first
            uint32_t left = (uint32_t)(node - mesh->nodes) + 1, right = node->first;
            bool is_left =
                boxes_distance2(&mesh->nodes[left].box, &box) <= boxes_distance2(&mesh->nodes[right].box, &box);
            stack[depth++] = is_left ? right : left;
            stack[depth++] = is_left ? left : right;
            continue;
        }
        for (uint32_t t = node->first; t < node->first + node->count; t++) {
            const uint32_t *c = mesh->triangles[t];
            const cdg_vec3 corners[3] = {mesh->vertices[c[0]], mesh->vertices[c[1]], mesh->vertices[c[2]]};
            cdg_triangle_closest now = cdg_segment_triangle_closest(a0, a1, corners);
            if (now.distance2 > best || (is_found && now.distance2 == best)) continue;
            best = now.distance2;
            *out = now;
            *triangle = t;
            is_found = true;
        }
    }
    return is_found;
}

// The normal of the face, edge or corner that a point of the triangle lies on. Weights from nearest points on edges
// and corners are exactly zero there.
static cdg_vec3 feature_normal(const cdg_contact_mesh *mesh, uint32_t triangle, const double weights[3]) {
    int zeros = 0, zero = 0, one = 0;
    for (int k = 0; k < 3; k++) {
        if (weights[k] <= 1e-12) {
            zeros++;
            zero = k;
        } else {
            one = k;
        }
    }
    if (zeros == 0) return mesh->face_normals[triangle];
    return zeros == 1 ? mesh->edge_normals[triangle][zero] : mesh->corner_normals[mesh->triangles[triangle][one]];
}

cdg_contact_mesh_near cdg_contact_mesh_point(const cdg_contact_mesh *mesh, cdg_vec3 point, double most) {
    cdg_triangle_closest nearest;
    uint32_t triangle = 0;
    if (!cdg_contact_mesh_segment(mesh, point, point, most, &nearest, &triangle))
        return (cdg_contact_mesh_near){HUGE_VAL, vec3(0, 0, 1)};
    cdg_vec3 outward = feature_normal(mesh, triangle, nearest.weights);
    double distance = sqrt(nearest.distance2);
    bool is_inside = !mesh->is_surface && vec3_dot(nearest.between, outward) < 0;
    // On the surface the connection has no direction.
    if (!(distance > 0)) return (cdg_contact_mesh_near){0, vec3_normalize(outward)};
    double sign = is_inside ? -1 : 1;
    return (cdg_contact_mesh_near){sign * distance, vec3_scale(sign / distance, nearest.between)};
}
