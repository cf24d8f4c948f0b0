// Sums the strips of joined der rods and their pairs into one sparse matrix (der/net_system.h).
#include "rods/der/net_system.h"

#include <math.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

static size_t aligned_bytes(size_t bytes) { return (bytes + 63) / 64 * 64; }

size_t der_net_system_bytes(const cdg_net *net, const der_net_plan *plan) {
    return aligned_bytes(BLOCK_DOUBLES * (plan->most_blocks + plan->most_entries) * sizeof(double)) +
           3 * aligned_bytes(4 * plan->most_blocks * sizeof(double)) +
           aligned_bytes(net->pair_count * sizeof(der_pair));
}

void der_net_system_place(der_net_system *s, char *memory) {
    size_t vector = aligned_bytes(4 * s->plan->pattern->count * sizeof(double));
    block_matrix_place(&s->matrix, s->plan->pattern, (double *)(void *)memory);
    memory += aligned_bytes(block_matrix_doubles(s->plan->pattern) * sizeof(double));
    s->right = (double *)(void *)memory;
    s->spare = (double *)(void *)(memory + vector);
    s->gradient = (double *)(void *)(memory + 2 * vector);
    s->pairs = (der_pair *)(void *)(memory + 3 * vector);
}

// ---- strips ---------------------------------------------------------------------------------------------------------

// A part of a node's four unknowns that lies in one block.
typedef struct part {
    size_t block;
    int from, to; // unknowns
} part;

static int parts_of(const der_net_plan *plan, size_t number, part out[2]) {
    size_t block = plan->block[number], angle = plan->angle[number];
    if (block == angle) {
        out[0] = (part){block, 0, 4};
        return 1;
    }
    out[0] = (part){block, 0, 3};
    out[1] = (part){angle, 3, 4};
    return angle == SIZE_MAX ? 1 : 2;
}

// The products of node a (rows) with node b, a != b. Copies of one point may be neighbours in a rod: then their product
// lies within a block, and its mirror image, too.
static void add_between(der_net_system *s, size_t a, size_t b, const double *values, size_t stride) {
    part rows[2], columns[2];
    int row_count = parts_of(s->plan, a, rows), column_count = parts_of(s->plan, b, columns);
    for (int r = 0; r < row_count; r++)
        for (int c = 0; c < column_count; c++) {
            double block[BLOCK_DOUBLES] = {0};
            for (int k = rows[r].from; k < rows[r].to; k++)
                for (int l = columns[c].from; l < columns[c].to; l++) {
                    double value = values[stride * (size_t)k + (size_t)l];
                    block[4 * k + l] += value;
                    if (rows[r].block == columns[c].block) block[4 * l + k] += value;
                }
            block_add(&s->matrix, rows[r].block, columns[c].block, block);
        }
}

// A node with itself, of which the lower triangle is given.
static void add_own(der_net_system *s, size_t a, const double *values, size_t stride) {
    part parts[2];
    int count = parts_of(s->plan, a, parts);
    for (int r = 0; r < count; r++)
        for (int c = 0; c <= r; c++) {
            double block[BLOCK_DOUBLES] = {0};
            for (int k = parts[r].from; k < parts[r].to; k++)
                for (int l = parts[c].from; l < parts[c].to; l++) {
                    int high = k > l ? k : l, low = k > l ? l : k;
                    block[4 * k + l] = values[stride * (size_t)high + (size_t)low];
                }
            block_add(&s->matrix, parts[r].block, parts[c].block, block);
        }
}

static void add_right(der_net_system *s, size_t a, const double right[4]) {
    for (int k = 0; k < 4; k++) {
        size_t block = k < 3 ? s->plan->block[a] : s->plan->angle[a];
        if (block != SIZE_MAX) s->right[4 * block + (size_t)k] += right[k];
    }
}

static void add_strip(der_net_system *s, size_t rod) {
    const strip *m = &s->works[rod].matrix;
    size_t first = s->plan->first[rod], border = m->ring != NULL ? 2 : 0;
    for (size_t i = 0; i < m->count; i++) {
        const double *rows = m->rows + STRIP_NODE * i;
        size_t number = first + border + i;
        double right[4];
        for (size_t k = 0; k < 4; k++) right[k] = rows[STRIP_ROW * k + STRIP_RIGHT];
        add_right(s, number, right);
        add_own(s, number, rows, STRIP_ROW);
        if (i + 1 < m->count) add_between(s, number, number + 1, rows + STRIP_NEXT, STRIP_ROW);
        if (i + 2 < m->count) {
            double after[BLOCK_DOUBLES] = {0}; // without the angle, whose position the right side has
            for (size_t k = 0; k < 4; k++)
                for (size_t l = 0; l < 3; l++) after[4 * k + l] = rows[STRIP_ROW * k + STRIP_AFTER_NEXT + l];
            add_between(s, number, number + 2, after, 4);
        }
        for (size_t node = 0; node < border; node++) {
            // Far from the seam there is nothing, and no room either.
            if (i > 1 && i + 2 < m->count) break;
            const double *ring = m->ring + STRIP_RING_NODE * i + 4 * node;
            bool has_any = false;
            for (size_t k = 0; k < 4; k++)
                for (size_t l = 0; l < 4; l++) has_any = has_any || ring[8 * k + l] != 0;
            if (has_any) add_between(s, number, first + node, ring, 8);
        }
    }
    if (border == 0) return;
    for (size_t a = 0; a < 2; a++) {
        add_right(s, first + a, m->border_right + 4 * a);
        add_own(s, first + a, &m->border[4 * a][4 * a], STRIP_BORDER);
    }
    add_between(s, first, first + 1, &m->border[0][4], STRIP_BORDER);
}

// ---- pairs ----------------------------------------------------------------------------------------------------------

// One of a segment's three groups of unknowns: the positions of its nodes, which move its edge, and its angle.
typedef struct item {
    size_t block;
    int from, at, count; // unknowns of the pair from .. are those at .. of the block
    double sign;
} item;

static size_t items_of(const der_net_system *s, uint32_t rod, size_t element, int from, item *out) {
    size_t nodes[2] = {element, rod_next_node(s->net->rods[rod], element)}, count = 0;
    for (int end = 0; end < 2; end++) {
        if (!(s->chains[rod].weight[nodes[end]] < INFINITY)) continue; // held
        size_t number = der_net_number(s->plan, rod, nodes[end]);
        out[count++] = (item){s->plan->block[number], from, 0, 3, end == 0 ? -1 : 1};
    }
    out[count++] = (item){s->plan->angle[der_net_number(s->plan, rod, element)], from + 3, 3, 1, 1};
    return count;
}

static double add_pair(der_net_system *s, const der_pair *p, double geometric) {
    const cdg_net_pair *pair = p->pair;
    const der_chain *a = &s->chains[pair->rod_a], *b = &s->chains[pair->rod_b];
    der_pair_state state;
    der_pair_evaluate(p, rod_quat(a->q, pair->element_a), a->inverse_length[pair->element_a],
                      rod_quat(b->q, pair->element_b), b->inverse_length[pair->element_b], geometric, &state);
    item items[6];
    size_t count = items_of(s, pair->rod_a, pair->element_a, 0, items);
    count += items_of(s, pair->rod_b, pair->element_b, 4, items + count);
    for (size_t m = 0; m < count; m++) {
        const item *row = &items[m];
        for (int k = 0; k < row->count; k++)
            s->right[4 * row->block + (size_t)(row->at + k)] -= row->sign * state.gradient[row->from + k];
        for (size_t n = 0; n <= m; n++) {
            const item *column = &items[n];
            double block[BLOCK_DOUBLES] = {0};
            for (int k = 0; k < row->count; k++)
                for (int l = 0; l < column->count; l++) {
                    double value = row->sign * column->sign * state.hessian[row->from + k][column->from + l];
                    int at_row = row->at + k, at_column = column->at + l;
                    block[4 * at_row + at_column] += value;
                    if (m != n && row->block == column->block) block[4 * at_column + at_row] += value;
                }
            block_add(&s->matrix, row->block, column->block, block);
        }
    }
    return state.energy;
}

// ---- all together ---------------------------------------------------------------------------------------------------

double der_net_assemble(der_net_system *s, double geometric) {
    static const double unit_block[BLOCK_DOUBLES] = {[0] = 1, [5] = 1, [10] = 1};
    block_clear(&s->matrix);
    memset(s->right, 0, 4 * s->plan->pattern->count * sizeof(double));
    for (size_t r = 0; r < s->net->rod_count; r++) add_strip(s, r);
    for (size_t i = 0; i < s->plan->first[s->net->rod_count]; i++) // a copy's own block has no position in it
        if (s->plan->block[i] != s->plan->angle[i] && s->plan->angle[i] != SIZE_MAX)
            block_add(&s->matrix, s->plan->angle[i], s->plan->angle[i], unit_block);
    double value = 0;
    for (size_t k = 0; k < s->net->pair_count; k++) value += add_pair(s, &s->pairs[k], geometric);
    memcpy(s->gradient, s->right, 4 * s->plan->pattern->count * sizeof(double));
    return value;
}

void der_net_factor(der_net_system *s) { block_factor(&s->matrix); }

void der_net_substitute(der_net_system *s) {
    memcpy(s->right, s->gradient, 4 * s->plan->pattern->count * sizeof(double));
    block_solve(&s->matrix, s->right, s->spare);
    for (size_t r = 0; r < s->net->rod_count; r++)
        for (size_t i = 0; i < s->net->rods[r]->node_count; i++) {
            size_t number = der_net_number(s->plan, r, i), block = s->plan->block[number],
                   angle = s->plan->angle[number];
            double *to = der_solution_at(&s->chains[r], &s->works[r], i);
            for (size_t k = 0; k < 3; k++) to[k] = s->right[4 * block + k];
            to[3] = angle != SIZE_MAX ? s->right[4 * angle + 3] : 0;
        }
}

double der_net_slope(const der_net_system *s) {
    double sum = 0;
    for (size_t r = 0; r < s->net->rod_count; r++)
        for (size_t i = 0; i < s->net->rods[r]->node_count; i++) {
            size_t number = der_net_number(s->plan, r, i), block = s->plan->block[number],
                   angle = s->plan->angle[number];
            const double *solution = der_solution(&s->chains[r], &s->works[r], i);
            bool is_copy = block != angle; // each position counts once
            for (size_t k = 0; k < 3 && !is_copy; k++) sum += s->gradient[4 * block + k] * solution[k];
            if (angle != SIZE_MAX) sum += s->gradient[4 * angle + 3] * solution[3];
        }
    return sum;
}
