// The dense matrix between contacts that touch (contact_matrix.h).
#include "contact/contact_matrix.h"

#include "contact/contacts.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 3 * CDG_COUPLED_CONTACTS_MAX }; // of a column

// What a force on one row does to another through points and elements that they share; `block` is of three columns.
static void add_shared(const cdg_contact_row *to, const cdg_contact_row *from, double *block) {
    for (uint32_t i = 0; i < to->point_count; i++)
        for (uint32_t j = 0; j < from->point_count; j++) {
            if (to->point[i] != from->point[j] || to->give[i] == 0) continue;
            for (int k = 0; k < 3; k++)
                for (size_t a = 0; a < 3; a++)
                    for (size_t b = 0; b < 3; b++)
                        block[b * WIDTH + a] += to->give[i] * to->jacobian[3 * i + k][a] * from->jacobian[3 * j + k][b];
        }
    for (uint32_t i = 0; i < 2; i++)
        for (uint32_t j = 0; j < 2; j++) {
            double give = contact_row_turn_give(to, i);
            if (to->element[i] != from->element[j] || give == 0) continue;
            for (size_t a = 0; a < 3; a++)
                for (size_t b = 0; b < 3; b++)
                    block[b * WIDTH + a] += give * contact_row_turn(to, i)[a] * contact_row_turn(from, j)[b];
        }
}

// Where among the known rows a row is; their number: nowhere.
static size_t find(const cdg_contact_matrix *m, uint32_t row) {
    size_t at = 0;
    while (at < m->count && m->row[at] != row) at++;
    return at;
}

static size_t count_new(const cdg_contact_matrix *m, const uint32_t *numbers, size_t count) {
    size_t fresh = 0;
    for (size_t i = 0; i < count; i++) fresh += find(m, numbers[i]) == m->count;
    return fresh;
}

// Columns of the known rows from `first` on. The matrix is symmetric: rows before a column's own are enough.
static void find_columns(const cdg_contact_matrix *m, size_t first, const cdg_coupling *coupling, const cdg_pieces *p,
                         const cdg_contact_row *rows) {
    cdg_listed_side sides[2 * CDG_COUPLED_CONTACTS_MAX];
    size_t listed = cdg_coupling_list_sides(p, rows, m->row, m->count, sides), before = 0;
    for (size_t j = first; j < m->count; j++) {
        const cdg_contact_row *from = &rows[m->row[j]];
        double *columns = m->value + 3 * j * WIDTH;
        memset(columns, 0, 3 * WIDTH * sizeof *columns);
        while (before < listed && sides[before].number <= j) before++;
        for (size_t k = 0; k < 3; k++)
            cdg_coupling_add_column(coupling, p, from, (int)k, sides, before, columns + k * WIDTH);
        for (size_t i = 0; i <= j && contact_row_gives(from); i++) add_shared(&rows[m->row[i]], from, columns + 3 * i);
    }
}

bool cdg_contact_matrix_fill(cdg_contact_matrix *m, const cdg_coupling *coupling, const cdg_pieces *p,
                             const cdg_contact_row *rows, const uint32_t *numbers, size_t count, double *out) {
    if (m->value == NULL) m->value = malloc((size_t)WIDTH * WIDTH * sizeof *m->value);
    if (m->value == NULL) return false;
    if (m->count + count_new(m, numbers, count) > CDG_COUPLED_CONTACTS_MAX) contact_matrix_forget(m);
    size_t known = m->count, at[CDG_COUPLED_CONTACTS_MAX];
    for (size_t i = 0; i < count; i++) {
        at[i] = find(m, numbers[i]);
        if (at[i] == m->count) m->row[m->count++] = numbers[i];
    }
    find_columns(m, known, coupling, p, rows);
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; i <= j; i++)
            for (size_t b = 0; b < 3; b++)
                for (size_t a = 0; a < 3; a++)
                    out[(3 * j + b) * 3 * count + 3 * i + a] = at[i] <= at[j]
                                                                   ? m->value[(3 * at[j] + b) * WIDTH + 3 * at[i] + a]
                                                                   : m->value[(3 * at[i] + a) * WIDTH + 3 * at[j] + b];
    return true;
}

void cdg_contact_matrix_free(cdg_contact_matrix *m) {
    free(m->value);
    *m = (cdg_contact_matrix){0};
}
