// Block Gauss-Seidel among contacts of implicit surfaces (contact_sparse.h).
#include "contact/contact_sparse.h"

#include "contact/contacts.h"
#include "math/anderson.h"

#include <stdlib.h>
#include <string.h>

// Of a full matrix' blocks: a matrix with more of them is left to solvers that are made for such.
static const double full_share = 0.5;
enum { SWEEPS_PLAIN = 4 }; // before they are mixed
// Of the tolerance: what a contact may still move by in the last sweep. It is then off by some times as much.
static const double end_share = 1;

void cdg_contact_sparse_free(cdg_contact_sparse *it) {
    free(it->sides);
    free(it->order);
    free(it->first);
    free(it->at);
    free(it->group);
    free(it->group_end);
    free(it->block);
    free(it->gap);
    free(it->own);
    free(it->blocks);
    free(it->mixing);
    *it = (cdg_contact_sparse){0};
}

// ---- the matrix -----------------------------------------------------------------------------------------------------

static bool grow(void **memory, size_t bytes) {
    void *grown = realloc(*memory, bytes);
    if (grown != NULL) *memory = grown;
    return grown != NULL;
}

// Of lists of forces: whole vectors.
static size_t numbers_of(size_t count) { return (3 * count + 7) / 8 * 8; }

static bool reserve(cdg_contact_sparse *it, size_t count) {
    if (count <= it->capacity) return true;
    size_t capacity = count + count / 2 + 16, sides = 2 * capacity;
    if (!grow((void **)&it->sides, sides * sizeof *it->sides) ||
        !grow((void **)&it->order, sides * sizeof *it->order) ||
        !grow((void **)&it->first, (capacity + 1) * sizeof *it->first) ||
        !grow((void **)&it->at, sides * sizeof *it->at) || !grow((void **)&it->group, sides * sizeof *it->group) ||
        !grow((void **)&it->group_end, sides * sizeof *it->group_end) ||
        !grow((void **)&it->block, sides * sizeof *it->block) || !grow((void **)&it->gap, capacity * sizeof *it->gap) ||
        !grow((void **)&it->own, capacity * sizeof *it->own))
        return false;
    free(it->mixing);
    size_t size = numbers_of(capacity), doubles = (3 * size + anderson_scratch(size) + 7) / 8 * 8;
    it->mixing = aligned_alloc(64, doubles * sizeof *it->mixing);
    if (it->mixing == NULL) return false;
    it->capacity = capacity;
    return true;
}

static bool reserve_blocks(cdg_contact_sparse *it, size_t count) {
    if (count <= it->block_capacity) return true;
    size_t capacity = count + count / 2;
    if (!grow((void **)&it->blocks, capacity * sizeof *it->blocks)) return false;
    it->block_capacity = capacity;
    return true;
}

// Sides object by object, and where each contact's are among them. Returns the number of blocks.
static size_t arrange(cdg_contact_sparse *it, const cdg_coupling *coupling) {
    size_t blocks = 0, placed = 0;
    for (size_t i = 0; i <= it->count; i++) it->first[i] = 0;
    for (size_t s = 0; s < it->side_count; s++) it->first[it->sides[s].number + 1]++;
    for (size_t i = 0; i < it->count; i++) it->first[i + 1] += it->first[i];
    for (size_t s = 0; s < it->side_count; s++) it->at[s] = UINT32_MAX;
    for (size_t a = 0; a < coupling->active_count; a++) {
        size_t begin = placed;
        for (size_t s = 0; s < it->side_count; s++)
            if (it->sides[s].lead == coupling->active[a])
                it->at[s] = (uint32_t)placed, it->order[placed++] = (uint32_t)s;
        for (size_t k = begin; k < placed; k++) {
            it->group[k] = (uint32_t)begin, it->group_end[k] = (uint32_t)placed;
            it->block[k] = blocks;
            blocks += placed - begin;
        }
    }
    it->side_count = placed; // of objects that answer
    return blocks;
}

static void add_own(double own[6], cdg_sparse_block block) {
    own[0] += block[0][0], own[1] += block[1][0], own[2] += block[2][0];
    own[3] += block[1][1], own[4] += block[2][1], own[5] += block[2][2];
}

// How a force on side k of the order moves the sides of its object.
static void find_blocks(cdg_contact_sparse *it, const cdg_coupling *coupling, const cdg_pieces *p, size_t k) {
    const cdg_listed_side *from = &it->sides[it->order[k]];
    cdg_sparse_block *blocks = it->blocks + it->block[k];
    for (int axis = 0; axis < 3; axis++) {
        cdg_coupling_push_side(coupling, p, from, axis);
        for (size_t t = it->group[k]; t < it->group_end[k]; t++) {
            double *column = blocks[t - it->group[k]][axis];
            cdg_coupling_feel_side(coupling, &it->sides[it->order[t]], column);
            column[3] = 0;
        }
    }
    for (size_t t = it->group[k]; t < it->group_end[k]; t++)
        if (it->sides[it->order[t]].number == from->number) add_own(it->own[from->number], blocks[t - it->group[k]]);
}

cdg_sparse_outcome cdg_contact_sparse_fill(cdg_contact_sparse *it, const cdg_coupling *coupling, const cdg_pieces *p,
                                           const cdg_contact_row *rows, const uint32_t *numbers, size_t count) {
    if (!reserve(it, count)) return CDG_SPARSE_MEMORY;
    it->count = count;
    it->side_count = cdg_coupling_list_sides(p, rows, numbers, count, it->sides);
    size_t blocks = arrange(it, coupling);
    if ((double)blocks > full_share * (double)count * (double)count) return CDG_SPARSE_NONE;
    if (!reserve_blocks(it, blocks)) return CDG_SPARSE_MEMORY;
    memset(it->own, 0, count * sizeof *it->own);
    for (size_t k = 0; k < it->side_count; k++) find_blocks(it, coupling, p, k);
    return CDG_SPARSE_OK;
}

// ---- sweeps ---------------------------------------------------------------------------------------------------------

// Gaps and slips of all that feel a contact, whose force changes by so much.
static void add_change(cdg_contact_sparse *it, size_t contact, const double change[3]) {
    for (uint32_t s = it->first[contact]; s < it->first[contact + 1]; s++) {
        size_t k = it->at[s];
        if (k == UINT32_MAX) continue;
        cdg_sparse_block *block = it->blocks + it->block[k];
        for (size_t t = it->group[k]; t < it->group_end[k]; t++, block++) {
            double *gap = it->gap[it->sides[it->order[t]].number];
            for (int a = 0; a < 4; a++)
                gap[a] += (*block)[0][a] * change[0] + (*block)[1][a] * change[1] + (*block)[2][a] * change[2];
        }
    }
}

// The force that a contact's laws ask for where the others' are what they are; what it changes by.
static void choose_force(const double gap[4], const double own[6], double friction, const double force[3],
                         double change[3]) {
    double normal = fmax(0, force[0] - gap[0] / own[0]);
    change[0] = normal - force[0], change[1] = -force[1], change[2] = -force[2];
    if (!(friction > 0) || !(normal > 0)) return;
    double slip[2] = {gap[1] + own[1] * change[0], gap[2] + own[2] * change[0]};
    double det = own[3] * own[5] - own[4] * own[4];
    if (!(det > 0)) return;
    double to[2] = {force[1] - (own[5] * slip[0] - own[4] * slip[1]) / det,
                    force[2] - (own[3] * slip[1] - own[4] * slip[0]) / det};
    double most = friction * normal;
    if (to[0] * to[0] + to[1] * to[1] > most * most) { // it slides, against its force: one number divides both slips
        double give = 0.5 * (own[3] + own[5]) + hypot(0.5 * (own[3] - own[5]), own[4]);
        for (int k = 0; k < 2; k++) to[k] = force[1 + k] - slip[k] / give;
        contact_clip(to, most);
    }
    change[1] = to[0] - force[1], change[2] = to[1] - force[2];
}

// m: how far the change of its own force moves a contact.
static double size_of(const double own[6], const double change[3]) {
    return fmax(own[0] * fabs(change[0]), 0.5 * (own[3] + own[5]) * hypot(change[1], change[2]));
}

// A turn of all contacts. Returns whether none moved by more than its tolerance.
static bool sweep(cdg_contact_sparse *it, cdg_coupled_contact *contacts) {
    bool is_good = true;
    for (size_t i = 0; i < it->count; i++) {
        cdg_coupled_contact *contact = &contacts[i];
        const double *own = it->own[i];
        if (!(own[0] > 0) || (contact->force[0] == 0 && it->gap[i][0] >= 0)) continue;
        double change[3];
        choose_force(it->gap[i], own, contact->friction, contact->force, change);
        is_good = is_good && size_of(own, change) <= end_share * contact->tolerance;
        for (int k = 0; k < 3; k++) contact->force[k] += change[k];
        add_change(it, i, change);
    }
    return is_good;
}

static void read_forces(const cdg_coupled_contact *contacts, size_t count, double *out) {
    for (size_t i = 0; i < count; i++) memcpy(out + 3 * i, contacts[i].force, 3 * sizeof *out);
}

// Mixed forces, as far as the laws let them be.
static void take_mixed(cdg_contact_sparse *it, cdg_coupled_contact *contacts, const double *mixed) {
    for (size_t i = 0; i < it->count; i++) {
        cdg_coupled_contact *contact = &contacts[i];
        double force[3] = {fmax(0, mixed[3 * i]), mixed[3 * i + 1], mixed[3 * i + 2]}, change[3];
        contact_clip(force + 1, contact->friction * force[0]);
        for (int k = 0; k < 3; k++) change[k] = force[k] - contact->force[k];
        if (change[0] == 0 && change[1] == 0 && change[2] == 0) continue;
        memcpy(contact->force, force, sizeof force);
        add_change(it, i, change);
    }
}

int cdg_contact_sparse_solve(cdg_contact_sparse *it, cdg_coupled_contact *contacts, int most, bool *is_good) {
    int sweeps = 0;
    size_t size = numbers_of(it->count);
    double *before = it->mixing, *after = before + size, *weight = after + size;
    memset(before, 0, 3 * size * sizeof *before);
    for (size_t i = 0; i < it->count; i++) {
        memcpy(it->gap[i], contacts[i].offset, 3 * sizeof(double));
        it->gap[i][3] = 0;
        double across = 0.5 * (it->own[i][3] + it->own[i][5]);
        weight[3 * i] = it->own[i][0] * it->own[i][0];
        weight[3 * i + 1] = weight[3 * i + 2] = across * across;
    }
    anderson mixing = anderson_begin(size, weight, weight + size);
    read_forces(contacts, it->count, before);
    for (*is_good = false; sweeps < most;) {
        sweeps++;
        *is_good = sweep(it, contacts);
        if (*is_good) break;
        read_forces(contacts, it->count, after);
        if (sweeps > SWEEPS_PLAIN) {
            anderson_mix(&mixing, before, after);
            take_mixed(it, contacts, after);
        }
        read_forces(contacts, it->count, before);
    }
    return sweeps;
}
