// Stencils: one corner inside leaves a tetrahedron; two or three leave prisms, whose faces are divided so that both
// neighbours do it alike: from the corner whose edge has more of its length inside. This is an order of the corners, so
// diagonals never turn in a circle; and it bounds angles better than the paper's rules (docs/meshing.md).
#include "meshing/stencil.h"

#include "meshing/tetrahedron.h"

typedef struct spot { // a corner or a cut
    uint32_t number;
    cdg_vec3 position;
} spot;

static spot corner_spot(const cdg_stencil *s, int a) { return (spot){s->point[a], s->position[a]}; }

static spot cut_spot(const cdg_stencil *s, int a, int b) {
    int e = stencil_edge(a, b);
    return (spot){s->cut[e], s->cut_point[e]};
}

static void emit(spot a, spot b, spot c, spot d, uint32_t out[4]) {
    cdg_vec3 p[4] = {a.position, b.position, c.position, d.position};
    bool is_positive = tetrahedron_volume6(p) > 0;
    out[0] = a.number;
    out[1] = b.number;
    out[2] = is_positive ? c.number : d.number;
    out[3] = is_positive ? d.number : c.number;
}

static double inner_length(const cdg_stencil *s, int a, int d) { // of the part of the edge that is inside
    return vec3_distance(s->position[a], s->cut_point[stencil_edge(a, d)]);
}

// Whether the quadrilateral a, b, cut bd, cut ad of the face of a and b (inside) and d (outside) is divided from a.
static bool is_divided_from_first(const cdg_stencil *s, int a, int b, int d) {
    double first = inner_length(s, a, d), second = inner_length(s, b, d);
    return first != second ? first > second : s->point[a] < s->point[b];
}

// ---- prisms ---------------------------------------------------------------------------------------------------------

// Triangles u and v, edges u[i] v[i]. from_u[i]: the side of i and i + 1 is divided from u[i] to v[i + 1], else from
// u[i + 1] to v[i]. All three alike would turn in a circle, which no division into tetrahedra has.
static void divide_prism(const spot u[3], const spot v[3], const bool from_u[3], spot out[3][4]) {
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3; // sides i-j and k-i meet at i
        if (!from_u[i] || from_u[k]) continue;
        const spot first[4] = {u[i], v[0], v[1], v[2]};
        // the pyramid from u[i] over u[j], u[k], v[k], v[j]
        const spot second[4] = {u[i], u[j], u[k], from_u[j] ? v[k] : v[j]};
        const spot third[4] = {u[i], from_u[j] ? u[j] : u[k], v[k], v[j]};
        for (int n = 0; n < 4; n++) {
            out[0][n] = first[n];
            out[1][n] = second[n];
            out[2][n] = third[n];
        }
        return;
    }
}

static double worst_cosine(spot parts[3][4]) { // of all dihedral angles, the one farthest from a right angle
    double worst = 0;
    for (int t = 0; t < 3; t++) {
        cdg_vec3 p[4];
        double least, most;
        for (int k = 0; k < 4; k++) p[k] = parts[t][k].position;
        tetrahedron_cosine_range(p, &least, &most);
        worst = fmax(worst, fmax(-least, most));
    }
    return worst;
}

static int emit_prism(spot parts[3][4], uint32_t out[CDG_STENCIL_MOST][4]) {
    for (int t = 0; t < 3; t++) emit(parts[t][0], parts[t][1], parts[t][2], parts[t][3], out[t]);
    return 3;
}

static int fill_three(const cdg_stencil *s, const int in[3], int d, uint32_t out[CDG_STENCIL_MOST][4]) {
    spot u[3], v[3], parts[3][4];
    bool from_u[3];
    for (int i = 0; i < 3; i++) {
        u[i] = corner_spot(s, in[i]);
        v[i] = cut_spot(s, in[i], d);
        from_u[i] = is_divided_from_first(s, in[i], in[(i + 1) % 3], d);
    }
    divide_prism(u, v, from_u, parts);
    return emit_prism(parts, out);
}

// Between the triangles at a and at b; the side on the surface belongs to this element alone, and is divided so that
// angles are best.
static int fill_two(const cdg_stencil *s, int a, int b, int c, int d, uint32_t out[CDG_STENCIL_MOST][4]) {
    const spot u[3] = {corner_spot(s, a), cut_spot(s, a, c), cut_spot(s, a, d)};
    const spot v[3] = {corner_spot(s, b), cut_spot(s, b, c), cut_spot(s, b, d)};
    bool from_u[3] = {is_divided_from_first(s, a, b, c), false, !is_divided_from_first(s, a, b, d)};
    spot parts[3][4], other[3][4];
    bool is_forced = from_u[0] == from_u[2]; // the third must not turn the same way
    from_u[1] = is_forced ? !from_u[0] : false;
    divide_prism(u, v, from_u, parts);
    if (is_forced) return emit_prism(parts, out);
    from_u[1] = true;
    divide_prism(u, v, from_u, other);
    return emit_prism(worst_cosine(other) < worst_cosine(parts) ? other : parts, out);
}

static int fill_two_and_surface(const cdg_stencil *s, int a, int b, int on, int d, uint32_t out[CDG_STENCIL_MOST][4]) {
    spot p = corner_spot(s, a), q = corner_spot(s, b), top = corner_spot(s, on);
    spot pd = cut_spot(s, a, d), qd = cut_spot(s, b, d);
    bool from_a = is_divided_from_first(s, a, b, d);
    emit(p, q, from_a ? qd : pd, top, out[0]);
    emit(from_a ? p : q, qd, pd, top, out[1]);
    return 2;
}

static int fill_one(const cdg_stencil *s, int a, uint32_t out[CDG_STENCIL_MOST][4]) {
    spot spots[4];
    for (int k = 0; k < 4; k++) spots[k] = s->side[k] < 0 ? cut_spot(s, a, k) : corner_spot(s, k);
    emit(spots[0], spots[1], spots[2], spots[3], out[0]);
    return 1;
}

int cdg_stencil_fill(const cdg_stencil *s, uint32_t out[CDG_STENCIL_MOST][4]) {
    int in[4], outside[4], on[4], in_count = 0, outside_count = 0, on_count = 0;
    for (int k = 0; k < 4; k++) {
        if (s->side[k] > 0) in[in_count++] = k;
        if (s->side[k] < 0) outside[outside_count++] = k;
        if (s->side[k] == 0) on[on_count++] = k;
    }
    if (in_count == 0) return 0;
    if (outside_count == 0 || in_count == 1) return fill_one(s, in[0], out);
    if (in_count == 3) return fill_three(s, in, outside[0], out);
    if (on_count == 1) return fill_two_and_surface(s, in[0], in[1], on[0], outside[0], out);
    return fill_two(s, in[0], in[1], outside[0], outside[1], out);
}
