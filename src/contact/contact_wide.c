// Wide rows in the batches of the sweeps (contact_wide.h).
#include "contact/contact_wide.h"

#include "math/vec3.h"

#include <math.h>

// A Jacobi rotation.
void cdg_contact_turn_tangents(cdg_contact_row *row) {
    double a = row->answer[3], c = row->answer[5], both = row->answer[4];
    if (!(fabs(both) > 1e-12 * (a + c))) return;
    double ratio = (c - a) / (2 * both), tangent = 1 / (fabs(ratio) + sqrt(1 + ratio * ratio));
    if (ratio < 0) tangent = -tangent;
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    double(*lists[])[3] = {row->jacobian, &row->offset, &row->force};
    const uint32_t counts[] = {contact_row_move_count(row), 1, 1};
    for (int n = 0; n < 3; n++)
        for (uint32_t m = 0; m < counts[n]; m++) {
            double first = lists[n][m][1], second = lists[n][m][2];
            lists[n][m][1] = cosine * first - sine * second;
            lists[n][m][2] = sine * first + cosine * second;
        }
    cdg_vec3 first = row->axes[1], second = row->axes[2];
    row->axes[1] = vec3_mad(vec3_scale(cosine, first), -sine, second);
    row->axes[2] = vec3_mad(vec3_scale(sine, first), cosine, second);
    double across[2] = {row->answer[1], row->answer[2]};
    row->answer[1] = cosine * across[0] - sine * across[1];
    row->answer[2] = sine * across[0] + cosine * across[1];
    row->answer[3] = a - tangent * both, row->answer[4] = 0, row->answer[5] = c + tangent * both;
}

// Slots of a row's points in a batch: 0 to 3 are in the batch itself, two for each side; 4 and 5 hold the third point
// of each side, among the further ones.
static void place_in_batch(const cdg_contact_row *row, uint32_t slot[CDG_ROW_POINTS]) {
    static const uint32_t wide[CDG_ROW_POINTS] = {0, 1, 4, 2, 3, 5};
    for (uint32_t n = 0; n < CDG_ROW_POINTS; n++) slot[n] = row->point_count == 4 ? n : wide[n];
}

static void fill_lane(const cdg_contact_row *row, size_t lane, cdg_sweep_batch *batch, cdg_sweep_more *more) {
    static const int diagonal[3] = {0, 3, 5};
    uint32_t slot[CDG_ROW_POINTS];
    place_in_batch(row, slot);
    for (uint32_t n = 0; n < row->point_count; n++) {
        if (!(row->give[n] > 0)) continue; // columns are zero to begin with
        double root = sqrt(row->give[n]);
        const double(*j)[3] = &row->jacobian[3 * n];
        for (uint32_t m = 0; m < 3; m++) {
            uint32_t at = 3 * slot[n] + m, beyond = at - 12;
            for (int k = 0; k < 3; k++)
                *(slot[n] < 4 ? &batch->column[at / 2][k][at % 2][lane]
                              : &more->column[beyond / 2][k][beyond % 2][lane]) = (float)(root * j[m][k]);
        }
    }
    for (uint32_t i = 0; i < 2; i++) {
        if (!(contact_row_turn_give(row, i) > 0)) continue;
        double root = sqrt(contact_row_turn_give(row, i));
        for (int k = 0; k < 3; k++) batch->column[6][k][i][lane] = (float)(root * contact_row_turn(row, i)[k]);
    }
    for (int k = 0; k < 3; k++) {
        double answer = row->answer[diagonal[k]];
        batch->answer[k][lane] = (float)answer;
        batch->inverse[k][lane] = answer > 0 ? (float)(1 / answer) : 0;
        batch->offset[k][lane] = row->offset[k];
        batch->force[k][lane] = row->force[k];
    }
    for (int k = 0; k < 2; k++) batch->across[k][lane] = (float)row->answer[1 + k];
    batch->friction[lane] = row->friction;
    batch->tolerance[lane] = (float)row->tolerance;
    batch->pushes = batch->pushes || row->force[0] > 0;
    batch->rubs = batch->rubs || row->friction > 0;
}

void cdg_contact_fill_wide(const void *contacts, cdg_sweep_batch *batch, cdg_sweep_more *more) {
    const cdg_contacts *c = contacts;
    for (size_t lane = 0; lane < CDG_BATCH; lane++)
        if (batch->row[lane] != UINT32_MAX) fill_lane(&c->rows[batch->row[lane]], lane, batch, more);
}

void cdg_contact_link_row(cdg_contacts *c, const cdg_contact_row *row, const cdg_contact *contact,
                          cdg_sweep_link *out) {
    uint32_t slot[CDG_ROW_POINTS], point[CDG_ROW_POINTS] = {0};
    place_in_batch(row, slot);
    for (uint32_t n = 0; n < row->point_count; n++)
        point[slot[n]] = cdg_local_points_number(&c->local, &c->pieces, row->point[n]);
    *out = (cdg_sweep_link){.element = {row->element[0], row->element[1]}, .more = {point[4], point[5]}};
    for (int n = 0; n < 4; n++) out->point[n] = point[n];
    out->is_active = contact->gap < contact->target || vec3_dot(contact->force, contact->normal) > 0;
}
