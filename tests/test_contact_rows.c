// Rows of contacts in lanes: columns balance forces and moments, answers and slips are what moves of the points give,
// and what is given back to points is what the columns say, under every instruction set.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/contacts.h"
#include "math/random.h"
#include "math/vec3.h"
#include "near.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 40, POINTS = 2 * ELEMENTS + 1, CONTACTS = 21 };

// Loose elements, each with two points of its own, that move and turn.
typedef struct pile {
    cdg_pieces pieces;
    uint32_t ends[ELEMENTS + 1][2];
    double radius[ELEMENTS][2], give[POINTS], turn[ELEMENTS + 1], turn_give[ELEMENTS + 1];
    double torque[ELEMENTS + 1], more_turn[ELEMENTS + 1];
    cdg_vec3 start[POINTS], base[POINTS], next[POINTS], force[POINTS], move[POINTS], axis[ELEMENTS + 1];
    cdg_contact contacts[CONTACTS];
    cdg_row_memory memory;
} pile;

static cdg_vec3 near(cdg_random *random, cdg_vec3 at, double size) { return vec3_add(at, random_vec3(random, size)); }

static void make_pile(pile *it, cdg_random *random) {
    *it = (pile){0};
    for (uint32_t e = 0; e < ELEMENTS; e++) {
        cdg_vec3 ends[2] = {random_vec3(random, 0.05), random_vec3(random, 0.05)};
        for (uint32_t k = 0; k < 2; k++) {
            uint32_t i = it->ends[e][k] = 1 + 2 * e + k;
            it->start[i] = ends[k];
            it->base[i] = near(random, ends[k], 1e-3);
            it->next[i] = near(random, ends[k], 1e-3);
            it->move[i] = random_vec3(random, 1e-3);
            it->give[i] = e % 5 == 0 ? 0 : random_in(random, 1e-4, 1e-3);
            it->radius[e][k] = random_in(random, 0.03, 0.06);
        }
        it->axis[e] = vec3_normalize(vec3_sub(it->base[it->ends[e][1]], it->base[it->ends[e][0]]));
        it->turn[e] = random_in(random, -0.1, 0.1);
        it->more_turn[e] = random_in(random, -0.1, 0.1);
        it->turn_give[e] = e % 3 == 0 ? 0 : random_in(random, 1e-1, 1);
    }
    it->pieces = (cdg_pieces){.element_count = ELEMENTS,
                              .element_capacity = ELEMENTS,
                              .point_capacity = POINTS,
                              .point_count = POINTS,
                              .ends = it->ends,
                              .radius = it->radius,
                              .start = it->start,
                              .base = it->base,
                              .next = it->next,
                              .give = it->give,
                              .turn = it->turn,
                              .turn_give = it->turn_give,
                              .axis = it->axis,
                              .force = it->force,
                              .torque = it->torque,
                              .move = it->move,
                              .more_turn = it->more_turn};
    for (uint32_t i = 0; i < CONTACTS; i++) {
        bool is_obstacle = i % 7 == 3;
        uint32_t b = is_obstacle ? ELEMENTS : ELEMENTS - 1 - i % (ELEMENTS - CONTACTS);
        cdg_contact_side other = {is_obstacle ? CDG_SIDE_OBSTACLE : CDG_SIDE_SEGMENT, 0, is_obstacle ? 0 : b, b};
        it->contacts[i] =
            (cdg_contact){.side = {{CDG_SIDE_SEGMENT, 0, i, i}, other},
                          .parameter = {random_in(random, 0, 1), is_obstacle ? 0 : random_in(random, 0, 1)},
                          .normal = vec3_normalize(random_vec3(random, 1)),
                          .gap = random_in(random, -1e-3, 1e-3),
                          .target = random_in(random, -1e-4, 0),
                          .radius = random_in(random, 0.01, 0.02),
                          .friction = 0.2 * (i % 3),
                          .carried = random_vec3(random, 1e-3),
                          .force = random_vec3(random, 1),
                          .drift = random_vec3(random, 1e-3)};
    }
}

static void set_batch(cdg_sweep_batch *batch, const pile *it, uint32_t first) {
    *batch = (cdg_sweep_batch){0};
    for (uint32_t lane = 0; lane < CDG_BATCH; lane++) {
        uint32_t i = first + lane;
        bool is_there = i < CONTACTS;
        batch->row[lane] = is_there ? i : UINT32_MAX;
        for (int k = 0; k < 4; k++)
            batch->point[k][lane] = is_there ? 4 * (int32_t)it->memory.links[i].point[k] : CDG_STILL_POINT;
        for (int k = 0; k < 2; k++)
            batch->element[k][lane] = is_there ? (int32_t)it->memory.links[i].element[k] : ELEMENTS;
    }
}

static double column(const cdg_sweep_batch *batch, int m, int k, uint32_t lane) {
    return (double)batch->column[m / 2][k][m % 2][lane];
}

static void check_batch(const cdg_sweep_batch *batch, const pile *it) {
    for (uint32_t lane = 0; lane < CDG_BATCH; lane++) {
        if (batch->row[lane] == UINT32_MAX) {
            for (int k = 0; k < 3; k++) assert_true(batch->force[k][lane] == 0 && batch->inverse[k][lane] == 0);
            continue;
        }
        const cdg_contact *contact = &it->contacts[batch->row[lane]];
        // Answers are the columns' own, and tangents do not move each other.
        double answer[3] = {0}, across[2] = {0}, tangents = 0;
        for (int m = 0; m < 14; m++) {
            for (int k = 0; k < 3; k++) answer[k] += column(batch, m, k, lane) * column(batch, m, k, lane);
            for (int k = 0; k < 2; k++) across[k] += column(batch, m, 0, lane) * column(batch, m, 1 + k, lane);
            tangents += column(batch, m, 1, lane) * column(batch, m, 2, lane);
        }
        double scale = answer[0] + answer[1] + answer[2];
        for (int k = 0; k < 3; k++) assert_near((double)batch->answer[k][lane], answer[k], 2e-6 * scale);
        for (int k = 0; k < 2; k++) assert_near((double)batch->across[k][lane], across[k], 2e-6 * scale);
        assert_near(tangents, 0, 2e-6 * scale);
        assert_near(batch->offset[0][lane], contact->gap - contact->target, 1e-15);
        // Nothing pulls, and friction is within its limit, if it is there at all.
        double normal = fmax(0, vec3_dot(contact->force, contact->normal)), most = contact->friction * normal;
        double tangential = vec3_norm(vec3_mad(contact->force, -vec3_dot(contact->force, contact->normal), //
                                               contact->normal));
        assert_near(batch->force[0][lane], normal, 1e-12);
        assert_near(hypot(batch->force[1][lane], batch->force[2][lane]), fmin(most, tangential), 1e-12);
        assert_near((double)batch->tolerance[lane], 0.5 * contact->radius, 1e-8);
    }
}

// Whether lever arms may be taken at the base: the touching point is not far beside the element there.
static bool is_near_base(const pile *it, const cdg_contact *contact) {
    cdg_vec3 at[2];
    uint32_t element[2] = {contact->side[0].element, contact->side[1].element};
    double place[2] = {contact->parameter[0], contact->parameter[1]}, radius[2];
    for (int k = 0; k < 2; k++) {
        at[k] = pieces_at(&it->pieces, it->base, element[k], place[k]);
        radius[k] = pieces_radius(&it->pieces, element[k], place[k]);
    }
    cdg_vec3 touch = vec3_lerp(at[0], at[1], radius[0] / (radius[0] + radius[1]));
    for (int k = 0; k < 2; k++) {
        cdg_vec3 from = it->base[it->ends[element[k]][0]], to = it->base[it->ends[element[k]][1]];
        double w = vec3_dot(vec3_sub(touch, from), it->axis[element[k]]) / vec3_distance(from, to);
        if (fabs(w - place[k]) >= 0.5) return false;
    }
    return vec3_distance(at[0], at[1]) < 2 * (radius[0] + radius[1]);
}

// All forces on two elements together: none, and no moment about the points at the base, with torques about axes.
// Returns how many moments were looked at.
static int check_balance(const cdg_sweep_batch *batch, pile *it, const cdg_row_kernels *kernels,
                         const cdg_row_maker *maker, bool at_base) {
    int moments = 0;
    for (uint32_t lane = 0; lane < CDG_BATCH; lane++) {
        if (batch->row[lane] == UINT32_MAX) continue;
        cdg_sweep_batch alone = *batch;
        for (uint32_t other = 0; other < CDG_BATCH; other++)
            for (int k = 0; k < 3; k++) alone.force[k][other] = other == lane ? 1 + 0.3 * k : 0;
        memset(it->force, 0, sizeof it->force);
        memset(it->torque, 0, sizeof it->torque);
        kernels->give_back(maker, &alone);
        const cdg_contact *contact = &it->contacts[batch->row[lane]];
        cdg_vec3 force = {0}, moment = {0}, on_a = {0};
        for (uint32_t i = 0; i < POINTS; i++) {
            force = vec3_add(force, it->force[i]);
            moment = vec3_add(moment, vec3_cross(it->base[i], it->force[i]));
        }
        for (int k = 0; k < 2; k++) on_a = vec3_add(on_a, it->force[it->ends[contact->side[0].element][k]]);
        for (uint32_t e = 0; e < ELEMENTS; e++) moment = vec3_mad(moment, it->torque[e], it->axis[e]);
        assert_near(vec3_norm(on_a), sqrt(1 + 1.69 + 2.56), 1e-12);
        assert_near(vec3_dot(on_a, contact->normal), 1, 1e-12);
        // What never moves is given nothing, for several threads give back at once.
        bool is_still = contact->side[1].kind == CDG_SIDE_OBSTACLE;
        assert_near(vec3_norm(force), is_still ? vec3_norm(on_a) : 0, 1e-12);
        assert_true(vec3_norm(it->force[CDG_STILL_POINT]) == 0 && it->torque[ELEMENTS] == 0);
        if (!at_base || contact->side[1].kind == CDG_SIDE_OBSTACLE || !is_near_base(it, contact)) continue;
        assert_near(vec3_norm(moment), 0, 1e-12);
        moments++;
    }
    return moments;
}

// The candidate's slip and what moves and turns add to it are linear in these: twice as much of both is twice the slip.
static void check_slip(const cdg_sweep_batch *batch, pile *it, const cdg_row_kernels *kernels, cdg_row_maker *maker) {
    cdg_sweep_batch pushed = *batch;
    for (uint32_t lane = 0; lane < CDG_BATCH; lane++)
        for (int k = 0; k < 3; k++) pushed.force[k][lane] = k == 0 && batch->row[lane] != UINT32_MAX;
    cdg_contact before[CONTACTS];
    memcpy(before, it->contacts, sizeof before);
    kernels->read_back(maker, &pushed);
    for (uint32_t lane = 0; lane < CDG_BATCH; lane++) {
        if (batch->row[lane] == UINT32_MAX) continue;
        const cdg_contact *contact = &it->contacts[batch->row[lane]];
        assert_near(vec3_distance(contact->force, contact->normal), 0, 1e-12);
        assert_true(contact->sticks == (contact->friction > 0));
        if (!contact->sticks) {
            assert_true(vec3_norm(contact->left) == 0);
            continue;
        }
        // As measured through the single columns, whose tangents have the forces that were inherited as witnesses.
        double squares = 0;
        for (int k = 1; k < 3; k++) {
            double u = batch->offset[k][lane];
            for (int m = 0; m < 14; m++) {
                uint32_t point = m < 12 ? (uint32_t)batch->point[m / 3][lane] / 4 : 0;
                const double *move = &it->move[point].x;
                double root = m < 12 ? sqrt(it->give[point]) : sqrt(it->turn_give[batch->element[m - 12][lane]]);
                double by = m < 12 ? move[m % 3] : it->more_turn[batch->element[m - 12][lane]];
                u += root > 0 ? column(batch, m, k, lane) / root * by : 0;
            }
            squares += u * u;
        }
        bool all_move = true; // columns of what does not move are gone
        for (int k = 0; k < 4; k++) all_move = all_move && it->give[batch->point[k][lane] / 4] > 0;
        for (int k = 0; k < 2; k++) all_move = all_move && it->turn_give[batch->element[k][lane]] > 0;
        if (all_move) assert_near(vec3_norm(contact->left), sqrt(squares), 1e-8);
        assert_near(vec3_dot(contact->left, contact->normal), 0, 1e-12);
    }
    memcpy(it->contacts, before, sizeof before);
}

static const cdg_row_kernels *kernels_of(int which) {
#if defined(__x86_64__)
    if (which == 1 && cdg_processor_lanes() >= CDG_LANES_AVX2) return &cdg_row_kernels_avx2;
    if (which == 2 && cdg_processor_lanes() >= CDG_LANES_AVX512) return &cdg_row_kernels_avx512;
#endif
    return which == 0 ? &cdg_row_kernels_base : NULL;
}

static void rows_are_right(void **state) {
    (void)state;
    cdg_random random = {77};
    pile *it = malloc(sizeof *it);
    assert_non_null(it);
    int moments = 0;
    for (int round = 0; round < 40; round++) {
        make_pile(it, &random);
        bool at_base = round % 2 == 0;
        cdg_row_maker maker = {
            .contacts = it->contacts, .pieces = &it->pieces, .at_base = at_base, .tolerance_share = 0.5};
        assert_true(cdg_row_maker_start(&maker, &it->memory, CONTACTS));
        for (int which = 0; which < 3; which++) {
            const cdg_row_kernels *kernels = kernels_of(which);
            if (kernels == NULL) continue;
            for (uint32_t first = 0; first < CONTACTS; first += CDG_BATCH) {
                cdg_sweep_batch batch;
                set_batch(&batch, it, first);
                kernels->fill(&maker, &batch);
                bool pushes = false;
                for (int lane = 0; lane < CDG_BATCH; lane++) pushes = pushes || batch.force[0][lane] > 0;
                assert_true(batch.rubs && batch.pushes == pushes);
                check_batch(&batch, it);
                moments += check_balance(&batch, it, kernels, &maker, at_base);
                check_slip(&batch, it, kernels, &maker);
            }
        }
        cdg_row_memory_free(&it->memory);
    }
    assert_true(moments > 100);
    free(it);
}

// Elements without length, and a normal along the element: everything stays finite.
static void degenerate_rows_are_finite(void **state) {
    (void)state;
    cdg_random random = {79};
    pile *it = malloc(sizeof *it);
    assert_non_null(it);
    make_pile(it, &random);
    for (uint32_t e = 0; e < 4; e++) {
        it->next[it->ends[e][1]] = it->next[it->ends[e][0]];
        it->base[it->ends[e][1]] = it->base[it->ends[e][0]];
        it->axis[e] = vec3(0, 0, 0);
    }
    for (uint32_t i = 4; i < 8; i++) it->contacts[i].normal = it->axis[i];
    for (int at_base = 0; at_base < 2; at_base++) {
        cdg_row_maker maker = {
            .contacts = it->contacts, .pieces = &it->pieces, .at_base = at_base == 1, .tolerance_share = 0.5};
        assert_true(cdg_row_maker_start(&maker, &it->memory, CONTACTS));
        for (int which = 0; which < 3; which++) {
            const cdg_row_kernels *kernels = kernels_of(which);
            if (kernels == NULL) continue;
            cdg_sweep_batch batch;
            set_batch(&batch, it, 0);
            kernels->fill(&maker, &batch);
            for (uint32_t lane = 0; lane < CDG_BATCH; lane++)
                for (int k = 0; k < 3; k++) {
                    for (int m = 0; m < 14; m++) assert_true(isfinite(column(&batch, m, k, lane)));
                    assert_true(isfinite(batch.force[k][lane]) && isfinite(batch.offset[k][lane]) &&
                                isfinite(batch.inverse[k][lane]));
                }
        }
    }
    cdg_row_memory_free(&it->memory);
    free(it);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_right), cmocka_unit_test(degenerate_rows_are_finite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
