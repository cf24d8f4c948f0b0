// Blocks between contacts on the same object (contact_condensed.h).
#include "contact/contact_condensed.h"

#include "contact/contacts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---- memory ---------------------------------------------------------------------------------------------------------

void cdg_condensed_free(cdg_condensed *m) {
    free(m->place);
    free(m->members);
    free(m->groups);
    free(m->blocks);
    free(m->diagonal);
    free(m->normal);
    free(m->column);
    free(m->point);
    free(m->slot);
    free(m->moved);
    *m = (cdg_condensed){0};
}

// The former content is of no use.
static void *renew(void *memory, size_t size) {
    free(memory);
    return malloc(size);
}

static bool reserve(cdg_condensed *m, size_t count, size_t objects, size_t points) {
    if (count > m->capacity) {
        m->capacity = count + count / 2;
        m->place = renew(m->place, m->capacity * sizeof *m->place);
        m->members = renew(m->members, 2 * m->capacity * sizeof *m->members);
        m->diagonal = renew(m->diagonal, 9 * m->capacity * sizeof *m->diagonal);
        m->normal = renew(m->normal, m->capacity * sizeof *m->normal);
    }
    if (objects > m->object_capacity) {
        m->object_capacity = objects;
        m->groups = renew(m->groups, objects * sizeof *m->groups);
    }
    if (points > m->point_capacity) {
        m->point_capacity = points;
        m->column = renew((void *)m->column, points * sizeof *m->column);
        m->point = renew(m->point, points * sizeof *m->point);
        m->slot = renew(m->slot, points * sizeof *m->slot);
        m->moved = renew(m->moved, 9 * points * sizeof *m->moved);
        if (m->slot != NULL) memset(m->slot, 0, points * sizeof *m->slot);
    }
    bool is_good = m->place != NULL && m->members != NULL && m->diagonal != NULL && m->normal != NULL &&
                   m->groups != NULL && m->column != NULL && m->point != NULL && m->slot != NULL && m->moved != NULL;
    if (!is_good) cdg_condensed_free(m);
    return is_good;
}

static bool reserve_blocks(cdg_condensed *m, size_t count) {
    if (count <= m->block_capacity) return true;
    m->block_capacity = count + count / 2;
    m->blocks = renew(m->blocks, 9 * m->block_capacity * sizeof *m->blocks);
    if (m->blocks == NULL) m->block_capacity = 0;
    return m->blocks != NULL;
}

// ---- which contacts are on which objects ----------------------------------------------------------------------------

// Whether it is still, or an object whose points say how they are moved.
static bool is_known(const cdg_coupling *c, const cdg_pieces *p, const cdg_contact_row *row, int side) {
    if (row->object[side] == UINT32_MAX) return true;
    const cdg_proxy *proxy = &p->objects[row->object[side]];
    if (!proxy->is_implicit || !proxy_is_surface(proxy) || proxy->operations->columns == NULL) return false;
    const cdg_coupled *it = &c->objects[row->object[side]];
    return it->is_alone && it->yield == NULL && it->has_response;
}

// Sides by their objects, those of one object in the order of contacts. Returns how many blocks there are.
static size_t group_sides(cdg_condensed *m, const cdg_pieces *p, const cdg_contact_row *rows, const uint32_t *numbers) {
    for (size_t o = 0; o < p->object_count; o++) m->groups[o] = (cdg_condensed_group){.object = (uint32_t)o};
    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < 2; k++)
            if (rows[numbers[i]].object[k] != UINT32_MAX) m->groups[rows[numbers[i]].object[k]].count++;
    size_t first = 0, blocks = 0;
    m->group_count = p->object_count;
    for (size_t g = 0; g < m->group_count; g++) {
        m->groups[g].first = first, m->groups[g].block = blocks;
        first += m->groups[g].count, blocks += m->groups[g].count * m->groups[g].count;
        m->groups[g].count = 0;
    }
    for (size_t i = 0; i < m->count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t object = rows[numbers[i]].object[k];
            m->place[i][k] = UINT32_MAX;
            if (object == UINT32_MAX) continue;
            cdg_condensed_group *g = &m->groups[object];
            m->place[i][k] = (uint32_t)(g->first + g->count++);
            m->members[m->place[i][k]] = (cdg_condensed_member){(uint32_t)i, object, k};
        }
    return blocks;
}

// ---- gaps -----------------------------------------------------------------------------------------------------------

// Where a force acts so differently from where its gap is felt, a contact may hardly feel its own force.
static const double like_least = 0.8; // of a cosine

// How moves of the points change the gap where it is; as the force acts, where that is too different, or the two sides
// may have points in common.
static void find_normal(const cdg_contact *contact, const cdg_contact_row *row, double out[18]) {
    double product = 0, size = 0, acts = 0;
    for (int n = 0; n < CDG_ROW_POINTS && contact != NULL; n++) {
        cdg_vec3 at = contact->point[n / 3];
        const double weight[3] = {at.x, at.y, at.z}, axis[3] = {row->axes[0].x, row->axes[0].y, row->axes[0].z};
        for (int k = 0; k < 3; k++) {
            double force = row->jacobian[3 * n + k][0], *felt = &out[3 * n + k];
            *felt = row->point[n] != CDG_STILL_POINT ? (n < 3 ? 1 : -1) * weight[n % 3] * axis[k] : 0;
            product += *felt * force, size += *felt * *felt, acts += force * force;
        }
    }
    bool is_apart = contact != NULL && !contact->is_impact && row->object[0] != row->object[1] &&
                    product > like_least * sqrt(size * acts);
    for (int m = 0; m < 18 && !is_apart; m++) out[m] = row->jacobian[m][0];
}

// ---- blocks ---------------------------------------------------------------------------------------------------------

static bool acts_at(const cdg_contact_row *row, int n) { return row->point[n] != CDG_STILL_POINT; }

// The object's points that its contacts act on, and their columns. False: it does not tell.
static bool list_points(cdg_condensed *m, const cdg_proxy *proxy, const cdg_condensed_group *g,
                        const cdg_contact_row *rows, const uint32_t *numbers, size_t *count, size_t *stride) {
    *count = 0;
    for (size_t i = g->first; i < g->first + g->count; i++) {
        const cdg_contact_row *row = &rows[numbers[m->members[i].number]];
        for (int n = 3 * m->members[i].side; n < 3 * m->members[i].side + 3; n++) {
            uint32_t point = row->local[n], *slot = &m->slot[point];
            if (!acts_at(row, n) || (*slot < *count && m->point[*slot] == point)) continue;
            *slot = (uint32_t)*count;
            m->point[*count] = point;
            m->column[*count] = proxy->operations->columns(proxy->whole, point, stride);
            if (m->column[(*count)++] == NULL) return false;
        }
    }
    return true;
}

// How forces along the axes of a member move the listed points.
static void move_points(const cdg_condensed *m, const cdg_contact_row *row, int side, size_t count, size_t stride) {
    memset(m->moved, 0, 9 * count * sizeof *m->moved);
    for (int n = 3 * side; n < 3 * side + 3; n++) {
        if (!acts_at(row, n)) continue;
        const double *column = m->column[m->slot[row->local[n]]];
        const double(*j)[3] = &row->jacobian[3 * n];
        for (size_t a = 0; a < count; a++) {
            double *to = m->moved + 9 * a;
            for (size_t k = 0; k < 3; k++)
                for (size_t r = 0; r < 3; r++) {
                    double by = column[k * stride + 3 * (size_t)m->point[a] + r];
                    for (int axis = 0; axis < 3; axis++) to[3 * r + (size_t)axis] += by * j[k][axis];
                }
        }
    }
}

// How a member's gap and slips feel the moves of the listed points.
static void feel_points(const cdg_condensed *m, const cdg_contact_row *row, const cdg_condensed_member *member,
                        double out[9]) {
    const double *normal = m->normal[member->number];
    memset(out, 0, 9 * sizeof *out);
    for (int n = 3 * member->side; n < 3 * member->side + 3; n++) {
        if (!acts_at(row, n)) continue;
        const double *moved = m->moved + 9 * (size_t)m->slot[row->local[n]];
        const double(*j)[3] = &row->jacobian[3 * n];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++) {
                out[c] += normal[3 * n + k] * moved[3 * k + c];
                out[3 + c] += j[k][1] * moved[3 * k + c];
                out[6 + c] += j[k][2] * moved[3 * k + c];
            }
    }
}

static bool fill_group(cdg_condensed *m, const cdg_proxy *proxy, const cdg_condensed_group *g,
                       const cdg_contact_row *rows, const uint32_t *numbers) {
    size_t points, stride = 0;
    if (!list_points(m, proxy, g, rows, numbers, &points, &stride)) return false;
    for (size_t b = 0; b < g->count; b++) {
        const cdg_condensed_member *from = &m->members[g->first + b];
        move_points(m, &rows[numbers[from->number]], from->side, points, stride);
        for (size_t a = 0; a < g->count; a++) {
            const cdg_condensed_member *to = &m->members[g->first + a];
            double *block = m->blocks + 9 * (g->block + a * g->count + b);
            feel_points(m, &rows[numbers[to->number]], to, block);
            for (size_t k = 0; k < 9 && to->number == from->number; k++)
                m->diagonal[9 * (size_t)to->number + k] += block[k];
        }
    }
    return true;
}

cdg_condensed_outcome cdg_condensed_fill(cdg_condensed *m, const cdg_coupling *c, const cdg_pieces *p,
                                         const cdg_contact *contacts, const cdg_contact_row *rows,
                                         const uint32_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++)
            if (contact_row_gives(&rows[numbers[i]]) || !is_known(c, p, &rows[numbers[i]], k))
                return CDG_CONDENSED_NONE;
    if (!reserve(m, count + 1, p->object_count + 1, c->field_count)) return CDG_CONDENSED_MEMORY;
    m->count = count;
    if (!reserve_blocks(m, group_sides(m, p, rows, numbers))) return CDG_CONDENSED_MEMORY;
    for (size_t i = 0; i < count; i++)
        find_normal(contacts != NULL ? &contacts[numbers[i]] : NULL, &rows[numbers[i]], m->normal[i]);
    memset(m->diagonal, 0, 9 * count * sizeof *m->diagonal);
    for (size_t g = 0; g < m->group_count; g++)
        if (m->groups[g].count > 0 && !fill_group(m, &p->objects[m->groups[g].object], &m->groups[g], rows, numbers))
            return CDG_CONDENSED_NONE;
    return CDG_CONDENSED_OK;
}
