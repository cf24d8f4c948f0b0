// The system of corde's inner friction (corde/friction.c) as one band matrix,
//   (M + h C) v = M v_now + h f,   C = sum c g g^T,
// each damper g.v with coefficient c = tau stiffness/length, rates in the strains' own terms. It serves any rod and any
// strength of friction, and is slow: rods for which there is no faster way (corde/dampers.h) come here, and tests.
#include "rods/corde/friction.h"

#include "math/band_solve.h"
#include "math/quat.h"

// ---- the system -----------------------------------------------------------------------------------------------------

// Unknowns in blocks: the velocity of node i, then of the element that starts there its spin (penalty) or its axial
// spin (constraint).
enum {
    PENALTY_UNKNOWNS = 6,
    CONSTRAINT_UNKNOWNS = 4,
    DAMPER_ENTRIES = 18 // of any two elements: at most four nodes and two spins
};

static size_t unknowns_of(const cdg_rod *rod) {
    return corde_is_constraint(rod) ? CONSTRAINT_UNKNOWNS : PENALTY_UNKNOWNS;
}

// The farthest places that a damper joins. Penalty: a node, its element's spin and the next node, or two neighbouring
// spins. Constraint: the three nodes of a cell. A folded ring doubles the distance of neighbours.
static size_t band_width(const cdg_rod *rod) {
    if (corde_is_constraint(rod)) return rod->is_closed ? 4 * CONSTRAINT_UNKNOWNS + 3 : 11;
    return rod->is_closed ? 2 * PENALTY_UNKNOWNS + 5 : 8;
}

typedef struct edge {
    cdg_vec3 tangent;
    double inverse; // 1/|e|
} edge;

// The strain of the coupling in material axes is s = R^T t - e3; its rate R^T dt/dt + R^T t x w is zero when the
// tangent turns with the frame. With dt/dt = (1 - t t^T) dv/|e|, row k of it is d_k - (d_k.t) t over |e| times dv.
typedef struct coupling_map {
    corde_axes axes;
    corde_vec across[3];         // on dv
    corde_vec tangent;           // R^T t
    double inverse, coefficient; // 1/|e|; tau kappa l
} coupling_map;

// What a sub-step asks of an element's geometry again and again; doubles only.
typedef struct element_map {
    edge edge;
    coupling_map coupling; // penalty alone
} element_map;
enum { MAP_DOUBLES = sizeof(element_map) / sizeof(double) };

static size_t system_size(const cdg_rod *rod) { return unknowns_of(rod) * rod->node_count; }

size_t corde_band_doubles(const cdg_rod *rod) {
    size_t size = system_size(rod);
    return band_doubles(size, band_width(rod)) + size + MAP_DOUBLES * rod->element_count;
}

typedef struct damper_system {
    const cdg_rod *rod;
    const corde_state *at;
    band_matrix matrix;
    double *right;
    double step; // s, that forces act
    size_t unknowns;
    bool is_constraint;
    const element_map *maps; // element_count
} damper_system;

static damper_system system_begin(const cdg_rod *rod, double *memory, const element_map *maps, const corde_substep *s) {
    double *right = memory + MAP_DOUBLES * rod->element_count, *matrix = right + system_size(rod);
    damper_system system = {rod,
                            s->from,
                            {matrix, system_size(rod), band_width(rod)},
                            right,
                            s->kick,
                            unknowns_of(rod),
                            corde_is_constraint(rod),
                            maps};
    band_clear(&system.matrix);
    return system;
}

static size_t block_start(const damper_system *s, size_t block) {
    return s->unknowns * (s->rod->is_closed ? band_fold(block, s->rod->node_count) : block);
}

static void set_mass(const damper_system *s, size_t index, double mass, double momentum) {
    *band_entry(&s->matrix, index, index) = mass;
    s->right[index] = momentum;
}

static void set_node_masses(const damper_system *s, const corde_substep *substep, const cdg_rod_loads *loads,
                            const corde_work *work) {
    const cdg_rod *rod = s->rod;
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t index = block_start(s, i);
        double mass = rod->node_mass[i];
        for (size_t k = 0; k < 3; k++)
            set_mass(s, index + k, mass / substep->slow,
                     mass * s->at->v[k][i] +
                         substep->kick * (loads->force[k][i] + work->force[k][i + 1] - work->force[k][i]));
    }
    for (size_t h = 0; h < rod->hold_count; h++) {
        if (!rod->holds[h].holds_position) continue;
        size_t node = rod->holds[h].node, slot = block_start(s, node);
        cdg_vec3 moved = vec3_sub(corde_held_position(rod, &rod->holds[h], substep->done), rod_vec3(s->at->x, node));
        // a mass so large that nothing moves the node, yet far from overflow
        double part[3] = {moved.x, moved.y, moved.z}, mass = 1e20 * rod->mass;
        for (size_t k = 0; k < 3; k++) set_mass(s, slot + k, mass, mass * part[k] / substep->step);
    }
}

// A damper with places anywhere in the band.
typedef struct damper {
    size_t index[DAMPER_ENTRIES];
    double value[DAMPER_ENTRIES];
    size_t count;
    double given; // the part of the rate that is prescribed
} damper;

static void damper_entry(damper *d, size_t index, double value) { // entries at one place are added
    size_t found = 0;
    while (found < d->count && d->index[found] != index) found++;
    if (found == d->count) d->index[d->count] = index, d->value[d->count++] = 0;
    d->value[found] += value;
}

static void add_damper(const damper_system *s, const damper *d, double coefficient) {
    double c = s->step * coefficient;
    if (!(c > 0)) return;
    band_add_square(&s->matrix, d->index, d->value, d->count, c);
    for (size_t k = 0; k < d->count; k++) s->right[d->index[k]] -= c * d->given * d->value[k];
}

// ---- geometry of an element -----------------------------------------------------------------------------------------

static edge edge_of(const cdg_rod *rod, const corde_state *at, size_t element) {
    cdg_vec3 e = vec3_sub(rod_vec3(at->x, rod_next_node(rod, element)), rod_vec3(at->x, element));
    double inverse = 1 / vec3_norm(e);
    return (edge){vec3_scale(inverse, e), inverse};
}

static double stretch_coefficient(const cdg_rod *rod, size_t element) {
    return rod->damping_time[1] * rod->stretch_stiffness[2][element * rod->section_stride] / rod->rest_length[element];
}

static void add_stretch_dampers(const damper_system *s) {
    const cdg_rod *rod = s->rod;
    if (!(rod->damping_time[1] > 0)) return;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 t = s->maps[j].edge.tangent;
        double coefficient = stretch_coefficient(rod, j);
        size_t from = block_start(s, j), to = block_start(s, rod_next_node(rod, j));
        if (to == from + s->unknowns) {
            double run[3][BAND_RUN_MAX] = {{-t.x, -t.y, -t.z}}, c[3] = {s->step * coefficient};
            run[0][s->unknowns] = t.x, run[0][s->unknowns + 1] = t.y, run[0][s->unknowns + 2] = t.z;
            band_add_run(&s->matrix, from, run, s->unknowns + 3, c);
            continue;
        }
        damper d = {.count = 0};
        double part[3] = {t.x, t.y, t.z};
        for (size_t k = 0; k < 3; k++) {
            damper_entry(&d, from + k, -part[k]);
            damper_entry(&d, to + k, part[k]);
        }
        add_damper(s, &d, coefficient);
    }
}

static cdg_vec3 solved(const damper_system *s, size_t index) {
    return vec3(s->right[index], s->right[index + 1], s->right[index + 2]);
}

// ---- cells ----------------------------------------------------------------------------------------------------------

// How an element's spin (material axes) depends on the unknowns. Penalty: it is the unknown. Constraint: the frame
// follows its tangent, spin = (-d2.dv, d1.dv)/|e| across it and the unknown w3 along it, dv = v_far - v_near.
typedef struct spin_map {
    corde_vec d1, d2; // over |e|
} spin_map;

static spin_map spin_map_of(const damper_system *s, size_t element) {
    if (!s->is_constraint) return (spin_map){{0, 0, 0}, {0, 0, 0}};
    corde_axes a = corde_axes_of(corde_turn_from(rod_quat(s->at->q, element)));
    double i = s->maps[element].edge.inverse;
    return (spin_map){{i * a.d1.x, i * a.d1.y, i * a.d1.z}, {i * a.d2.x, i * a.d2.y, i * a.d2.z}};
}

// What dv is multiplied by in row . spin.
static corde_vec row_on_nodes(const spin_map *m, corde_vec row) {
    return (corde_vec){row.y * m->d1.x - row.x * m->d2.x, row.y * m->d1.y - row.x * m->d2.y,
                       row.y * m->d1.z - row.x * m->d2.z};
}

// The rate of a cell's strain is left spin_l + right spin_r (corde/terms.h: corde_bend_rate).
typedef struct cell_rows {
    corde_vec left[3], right[3];
} cell_rows;

// Takes k v0 from each row, k = share v0.rows - sign v.
static void bend_rows(corde_vec rows[3], corde_rest rest, corde_vec v, double sign) {
    const corde_vec u = rest.v, a = rows[0], b = rows[1], c = rows[2];
    corde_vec k = {rest.share * (u.x * a.x + u.y * b.x + u.z * c.x) - sign * v.x,
                   rest.share * (u.x * a.y + u.y * b.y + u.z * c.y) - sign * v.y,
                   rest.share * (u.x * a.z + u.y * b.z + u.z * c.z) - sign * v.z};
    const double part[3] = {u.x, u.y, u.z};
    for (int i = 0; i < 3; i++)
        rows[i] = (corde_vec){rows[i].x - part[i] * k.x, rows[i].y - part[i] * k.y, rows[i].z - part[i] * k.z};
}

static cell_rows rows_of(corde_turn p, corde_turn rest) {
    cell_rows rows = {{{-p.w, -p.z, p.y}, {p.z, -p.w, -p.x}, {-p.y, p.x, -p.w}},
                      {{p.w, -p.z, p.y}, {p.z, p.w, -p.x}, {-p.y, p.x, p.w}}};
    bend_rows(rows.left, corde_rest_of(rest), (corde_vec){p.x, p.y, p.z}, -1);
    bend_rows(rows.right, corde_rest_of(rest), (corde_vec){p.x, p.y, p.z}, 1);
    return rows;
}

static void spin_entries(const damper_system *s, size_t element, corde_vec row, damper *d) {
    size_t from = block_start(s, element);
    if (!s->is_constraint) {
        damper_entry(d, from + 3, row.x);
        damper_entry(d, from + 4, row.y);
        damper_entry(d, from + 5, row.z);
        return;
    }
    size_t to = block_start(s, rod_next_node(s->rod, element));
    spin_map map = spin_map_of(s, element);
    corde_vec g = row_on_nodes(&map, row);
    double part[3] = {g.x, g.y, g.z};
    for (size_t k = 0; k < 3; k++) {
        damper_entry(d, from + k, -part[k]);
        damper_entry(d, to + k, part[k]);
    }
    damper_entry(d, from + 3, row.z);
}

typedef struct cell {
    size_t left, right; // SIZE_MAX: held
    corde_turn turn, rest;
    corde_vec stiffness; // B/c
    corde_vec held_spin;
} cell;

static void add_cell(const damper_system *s, const cell *c) {
    cell_rows rows = rows_of(c->turn, c->rest);
    const double *time = s->rod->damping_time;
    double coefficient[3] = {time[2] * c->stiffness.x, time[2] * c->stiffness.y, time[3] * c->stiffness.z};
    for (int k = 0; k < 3; k++) {
        damper d = {.count = 0};
        if (c->left != SIZE_MAX)
            spin_entries(s, c->left, rows.left[k], &d);
        else
            d.given += corde_dot(rows.left[k], c->held_spin);
        if (c->right != SIZE_MAX)
            spin_entries(s, c->right, rows.right[k], &d);
        else
            d.given += corde_dot(rows.right[k], c->held_spin);
        add_damper(s, &d, coefficient[k]);
    }
}

// The same for neighbours on an open rod, whose places follow each other.
static void add_chain_cell(const damper_system *s, const cell *c, const spin_map *left, const spin_map *right) {
    cell_rows rows = rows_of(c->turn, c->rest);
    const double *time = s->rod->damping_time;
    double h = s->step, run[3][BAND_RUN_MAX];
    double coefficient[3] = {h * time[2] * c->stiffness.x, h * time[2] * c->stiffness.y, h * time[3] * c->stiffness.z};
    size_t first = block_start(s, c->left);
    if (!s->is_constraint) first += 3; // from one spin to the next, across a node
    for (int k = 0; k < 3; k++) {
        corde_vec l = rows.left[k], r = rows.right[k];
        double *out = run[k];
        if (!s->is_constraint) {
            out[0] = l.x, out[1] = l.y, out[2] = l.z, out[3] = out[4] = out[5] = 0;
            out[6] = r.x, out[7] = r.y, out[8] = r.z;
            continue;
        }
        corde_vec a = row_on_nodes(left, l), b = row_on_nodes(right, r);
        out[0] = -a.x, out[1] = -a.y, out[2] = -a.z, out[3] = l.z;
        out[4] = a.x - b.x, out[5] = a.y - b.y, out[6] = a.z - b.z, out[7] = r.z;
        out[8] = b.x, out[9] = b.y, out[10] = b.z;
    }
    band_add_run(&s->matrix, first, run, s->is_constraint ? 11 : 9, coefficient);
}

static bool is_replaced(const corde_pairs *pairs, size_t node) {
    for (size_t r = 0; r < pairs->replaced_count; r++)
        if (pairs->replaced[r] == node) return true;
    return false;
}

static void add_cells(const damper_system *s, const corde_pairs *pairs) {
    const cdg_rod *rod = s->rod;
    if (!(rod->damping_time[2] > 0 || rod->damping_time[3] > 0)) return;
    spin_map left = spin_map_of(s, 0);
    for (size_t i = 1; i < rod->element_count; i++) {
        spin_map right = spin_map_of(s, i);
        if (!is_replaced(pairs, i)) {
            size_t at = i * rod->section_stride;
            double inverse = 1 / rod_cell_length(rod, i);
            cell c = {.left = i - 1,
                      .right = i,
                      .turn = corde_relative(corde_turn_from(rod_quat(s->at->q, i - 1)),
                                             corde_turn_from(rod_quat(s->at->q, i))),
                      .rest = corde_turn_from(rod_quat(rod->rest_turn, i)),
                      .stiffness = {inverse * rod->bend_stiffness[0][at], inverse * rod->bend_stiffness[1][at],
                                    inverse * rod->bend_stiffness[2][at]}};
            if (rod->is_closed)
                add_cell(s, &c);
            else
                add_chain_cell(s, &c, &left, &right);
        }
        left = right;
    }
    for (size_t i = 0; i < pairs->count; i++) {
        const corde_pair *pair = &pairs->items[i];
        cdg_quat from = pair->left != SIZE_MAX ? rod_quat(s->at->q, pair->left) : pair->held;
        cdg_quat to = pair->right != SIZE_MAX ? rod_quat(s->at->q, pair->right) : pair->held;
        cell c = {.left = pair->left,
                  .right = pair->right,
                  .turn = corde_relative(corde_turn_from(from), corde_turn_from(to)),
                  .rest = pair->rest,
                  .stiffness = pair->stiffness,
                  .held_spin = pair->held_spin};
        add_cell(s, &c);
    }
}

// ---- penalty coupling -----------------------------------------------------------------------------------------------

static coupling_map coupling_of(const cdg_rod *rod, const corde_state *at, edge e, size_t element) {
    corde_vec t = corde_vec_from(e.tangent);
    corde_axes a = corde_axes_of(corde_turn_from(rod_quat(at->q, element)));
    corde_vec local = corde_to_material(a, t);
    double i = e.inverse;
    coupling_map m = {.axes = a, .tangent = local, .inverse = i};
    const corde_vec d[3] = {a.d1, a.d2, a.d3};
    const double along[3] = {local.x, local.y, local.z};
    for (int k = 0; k < 3; k++)
        m.across[k] =
            (corde_vec){i * (d[k].x - along[k] * t.x), i * (d[k].y - along[k] * t.y), i * (d[k].z - along[k] * t.z)};
    m.coefficient =
        rod->damping_time[0] * rod->stretch_stiffness[0][element * rod->section_stride] * rod->rest_length[element];
    return m;
}

static void add_coupling_dampers(const damper_system *s) {
    if (s->is_constraint || !(s->rod->damping_time[0] > 0)) return;
    for (size_t j = 0; j < s->rod->element_count; j++) {
        const coupling_map m = s->maps[j].coupling;
        const corde_vec t = m.tangent, turned[3] = {{0, -t.z, t.y}, {t.z, 0, -t.x}, {-t.y, t.x, 0}};
        size_t from = block_start(s, j), to = block_start(s, rod_next_node(s->rod, j));
        if (to == from + s->unknowns) { // node, spin, node: one run
            double c = s->step * m.coefficient, all[3] = {c, c, c}, run[3][BAND_RUN_MAX];
            for (int k = 0; k < 3; k++) {
                corde_vec a = m.across[k], b = turned[k];
                double *out = run[k];
                out[0] = -a.x, out[1] = -a.y, out[2] = -a.z, out[3] = b.x, out[4] = b.y, out[5] = b.z;
                out[6] = a.x, out[7] = a.y, out[8] = a.z;
            }
            band_add_run(&s->matrix, from, run, 9, all);
            continue;
        }
        for (int k = 0; k < 3; k++) {
            damper d = {.count = 0};
            double part[3] = {m.across[k].x, m.across[k].y, m.across[k].z};
            for (size_t c = 0; c < 3; c++) {
                damper_entry(&d, from + c, -part[c]);
                damper_entry(&d, to + c, part[c]);
            }
            spin_entries(s, j, turned[k], &d);
            add_damper(s, &d, m.coefficient);
        }
    }
}

static void set_frame_masses(const damper_system *system, const corde_substep *s, const cdg_rod_loads *loads,
                             const corde_work *work) {
    const cdg_rod *rod = system->rod;
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t index = block_start(system, j) + 3, at = j * rod->section_stride;
        double l = rod->rest_length[j], pull = rod->stretch_stiffness[0][at] * l;
        corde_vec along = corde_to_material(corde_axes_of(corde_turn_from(rod_quat(s->from->q, j))),
                                            corde_vec_from(system->maps[j].edge.tangent));
        double coupling[3] = {-pull * along.y, pull * along.x, 0};
        for (size_t k = system->is_constraint ? 2 : 0, to = 0; k < 3; k++, to++) {
            double inertia = l * rod->frame_inertia[k][at];
            double torque = work->near[k][j] + work->far[k][j] + loads->torque[k][j] + coupling[k];
            set_mass(system, index + to, inertia / s->slow, inertia * s->from->w[k][j] + s->kick * torque);
        }
    }
    if (rod->is_closed) return;
    size_t slot = block_start(system, rod->element_count) + 3; // the last node starts no element
    for (size_t k = 3; k < system->unknowns; k++) set_mass(system, slot + k - 3, 1, 0);
}

static void keep_maps(const cdg_rod *rod, const corde_state *at, element_map *maps) {
    bool has_coupling = !corde_is_constraint(rod) && rod->damping_time[0] > 0;
    for (size_t j = 0; j < rod->element_count; j++) {
        maps[j].edge = edge_of(rod, at, j);
        if (has_coupling) maps[j].coupling = coupling_of(rod, at, maps[j].edge, j);
    }
}

// ---- solution -------------------------------------------------------------------------------------------------------

static cdg_vec3 spin_of(const damper_system *s, size_t element) { // world axes
    size_t from = block_start(s, element), to = block_start(s, rod_next_node(s->rod, element));
    cdg_quat q = rod_quat(s->at->q, element);
    if (!s->is_constraint) return quat_rotate(q, solved(s, from + 3));
    corde_vec de = corde_vec_from(vec3_sub(solved(s, to), solved(s, from)));
    spin_map map = spin_map_of(s, element);
    return quat_rotate(q, vec3(-corde_dot(map.d2, de), corde_dot(map.d1, de), s->right[from + 3]));
}

bool corde_band_solve(const cdg_rod *rod, const corde_substep *s, const cdg_rod_loads *loads, const corde_pairs *pairs,
                      const corde_work *work, double *memory, double *const velocity[3], double *const spin[3]) {
    element_map *maps = (element_map *)(void *)memory;
    keep_maps(rod, s->from, maps);
    damper_system system = system_begin(rod, memory, maps, s);
    set_node_masses(&system, s, loads, work);
    set_frame_masses(&system, s, loads, work);
    add_stretch_dampers(&system);
    add_coupling_dampers(&system);
    add_cells(&system, pairs);
    if (!band_solve(&system.matrix, system.right)) return false;
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(velocity, i, solved(&system, block_start(&system, i)));
    for (size_t j = 0; j < rod->element_count; j++) rod_set_vec3(spin, j, spin_of(&system, j));
    return true;
}
