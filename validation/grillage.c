// Stiffness method with three unknowns a node: z and the turns about x and y.
#include "validation/grillage.h"

#include <math.h>
#include <string.h>

enum { UNKNOWNS_MAX = 3 * GRILLAGE_NODES_MAX };

typedef struct grillage_system {
    double matrix[UNKNOWNS_MAX][UNKNOWNS_MAX], right[UNKNOWNS_MAX];
    size_t size;
} grillage_system;

// What a beam feels of a node: z, slope along the beam, turn about the beam; each as a row over the node's unknowns.
typedef struct beam_rows {
    double lift[3], slope[3], turn[3];
} beam_rows;

static beam_rows rows_of(double along_x, double along_y) {
    // a turn about y takes x down
    return (beam_rows){{1, 0, 0}, {0, along_y, -along_x}, {0, along_x, along_y}};
}

// Adds factor a b^T to the block of two nodes.
static void add_product(grillage_system *s, size_t i, const double a[3], size_t j, const double b[3], double factor) {
    for (size_t m = 0; m < 3; m++)
        for (size_t n = 0; n < 3; n++) s->matrix[3 * i + m][3 * j + n] += factor * a[m] * b[n];
}

static void add_beam(grillage_system *s, const grillage *g, size_t beam) {
    const size_t *ends = g->beams[beam];
    double x = g->nodes[ends[1]].x - g->nodes[ends[0]].x, y = g->nodes[ends[1]].y - g->nodes[ends[0]].y;
    double l = hypot(x, y);
    beam_rows rows = rows_of(x / l, y / l);
    const double *felt[4] = {rows.lift, rows.slope, rows.lift, rows.slope};
    const size_t at[4] = {ends[0], ends[0], ends[1], ends[1]};
    const double stiffness[4][4] = {{12, 6 * l, -12, 6 * l},
                                    {6 * l, 4 * l * l, -6 * l, 2 * l * l},
                                    {-12, -6 * l, 12, -6 * l},
                                    {6 * l, 2 * l * l, -6 * l, 4 * l * l}};
    const double load[4] = {l / 2, l * l / 12, l / 2, -l * l / 12};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < 4; j++)
            add_product(s, at[i], felt[i], at[j], felt[j], g->bend / (l * l * l) * stiffness[i][j]);
        for (size_t n = 0; n < 3; n++) s->right[3 * at[i] + n] += g->load * load[i] * felt[i][n];
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            add_product(s, ends[i], rows.turn, ends[j], rows.turn, (i == j ? 1 : -1) * g->twist / l);
}

static void clamp(grillage_system *s, size_t unknown) {
    memset(s->matrix[unknown], 0, sizeof s->matrix[unknown]);
    s->matrix[unknown][unknown] = 1;
    s->right[unknown] = 0;
}

// Gauss with pivots by row.
static void eliminate(grillage_system *s) {
    for (size_t i = 0; i < s->size; i++) {
        size_t best = i;
        for (size_t r = i + 1; r < s->size; r++)
            if (fabs(s->matrix[r][i]) > fabs(s->matrix[best][i])) best = r;
        for (size_t c = 0; c < s->size && best != i; c++) {
            double kept = s->matrix[i][c];
            s->matrix[i][c] = s->matrix[best][c];
            s->matrix[best][c] = kept;
        }
        double kept = s->right[i];
        s->right[i] = s->right[best];
        s->right[best] = kept;
        for (size_t r = 0; r < s->size; r++) {
            double factor = r != i ? s->matrix[r][i] / s->matrix[i][i] : 0;
            if (factor == 0) continue;
            for (size_t c = i; c < s->size; c++) s->matrix[r][c] -= factor * s->matrix[i][c];
            s->right[r] -= factor * s->right[i];
        }
    }
    for (size_t i = 0; i < s->size; i++) s->right[i] /= s->matrix[i][i];
}

void grillage_solve(const grillage *g, double *out) {
    grillage_system s = {.size = 3 * g->node_count};
    for (size_t i = 0; i < g->beam_count; i++) add_beam(&s, g, i);
    for (size_t i = 0; i < s.size; i++)
        if (g->is_clamped[i / 3]) clamp(&s, i);
    eliminate(&s);
    for (size_t i = 0; i < g->node_count; i++) out[i] = s.right[3 * i];
}

static void add(grillage *g, size_t from, size_t to) {
    g->beams[g->beam_count][0] = from;
    g->beams[g->beam_count++][1] = to;
}

grillage grillage_truss(const double size[2], size_t bays) {
    grillage g = {.node_count = 2 * (bays + 1)};
    for (size_t i = 0; i <= bays; i++) {
        size_t upper = bays + 1 + i;
        double x = size[0] * (double)i / (double)bays;
        g.nodes[i] = (cdg_vec3){x, 0, 0};
        g.nodes[upper] = (cdg_vec3){x, size[1], 0};
        add(&g, i, upper);
        if (i == bays) continue;
        add(&g, i, i + 1);
        add(&g, upper, upper + 1);
        add(&g, i % 2 == 0 ? i : upper, i % 2 == 0 ? upper + 1 : i + 1);
    }
    g.is_clamped[0] = g.is_clamped[bays + 1] = true;
    return g;
}
