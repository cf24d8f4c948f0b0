// Measures in vectors: every instruction set gives the bits of measuring one by one, whatever the rod's length,
// measure, sections, rest shape and holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "hand_rod.h"
#include "near.h"
#include "rods/rod_rows.h"
#include "rods/rod_strain.h"

#include <string.h>

static const size_t lengths[] = {1, 2, 3, 7, 8, 9, 16, 17, 63, 64, 65, 66, 130};
enum { LENGTHS = sizeof lengths / sizeof *lengths, KINDS = 32, ROWS_MAX = 131 };

static const cdg_rod_row_kernels *kernels_of(int lanes) {
#if defined(__x86_64__)
    if (lanes == CDG_LANES_AVX512) return &cdg_rod_row_kernels_avx512;
    if (lanes == CDG_LANES_AVX2) return &cdg_rod_row_kernels_avx2;
#endif
    (void)lanes;
    return &cdg_rod_row_kernels_base;
}

// A bit each: closed, uniform, one turn at rest, from rest, holds; and the measures in turn.
static cdg_rod *rod_of(cdg_random *random, size_t elements, int kind) {
    if ((kind & 1) != 0 && elements < 3) elements = 3;
    cdg_rod *rod = hand_rod(random, elements, (kind & 1) != 0);
    for (size_t i = 0; i < rod->node_count; i++) rod_set_quat(rod->rest_turn, i, quat_exp(random_vec3(random, 0.4)));
    for (size_t j = 0; j < elements; j++) // neighbours that turn little against each other, of either sign
        rod_set_quat(rod->q, j, quat_exp(random_vec3(random, 0.8)));
    for (size_t j = 0; j < elements; j += 3) rod_set_quat(rod->q, j, quat_negate(rod_quat(rod->q, j)));
    for (size_t j = 4; j < elements; j += 5) // which do not turn: 0 and -0
        rod_set_quat(rod->q, j, quat_negate(rod_quat(rod->q, j - 1)));
    static const cdg_pobd_darboux measures[] = {CDG_POBD_SINE, CDG_POBD_TANGENT, CDG_POBD_ANGLE};
    rod->measure = measures[(elements + (size_t)kind) % 3];
    if ((kind & 2) != 0) rod->section_stride = 0;
    rod->has_one_turn = (kind & 4) != 0;
    rod->measures_from_rest = (kind & 8) != 0;
    rod->line_mass = rod->node_mass; // energies do not ask for it
    for (size_t h = 0; (kind & 16) != 0 && h < 3; h++) {
        static const cdg_frame_hold holds[] = {CDG_HOLD_FRAME, CDG_HOLD_ROLL, CDG_HOLD_NO_FRAME};
        rod->holds[rod->hold_count++] = (cdg_hold){.node = (h * rod->node_count) / 3,
                                                   .frame_hold = holds[(h + elements) % 3],
                                                   .frame = random_rotation(random)};
    }
    return rod;
}

// What is written starts as something else everywhere.
static void check_kernels(const cdg_rod *rod, const cdg_rod_row_kernels *kernels) {
    cdg_element_rows e;
    cdg_node_rows n;
    double *const strain[3] = {e.strain[0], e.strain[1], e.strain[2]};
    double *const force[3] = {e.force[0], e.force[1], e.force[2]};
    double *const darboux[3] = {n.darboux[0], n.darboux[1], n.darboux[2]};
    double *const moment[3] = {n.moment[0], n.moment[1], n.moment[2]};
    for (size_t first = 0, count; (count = cdg_rod_plain_elements(rod, first)) > 0; first += count) {
        memset(&e, 255, sizeof e);
        kernels->elements(rod, first, count, strain, force);
        for (size_t i = 0; i < count; i++) {
            cdg_element_measure m;
            cdg_rod_measure_element(rod, first + i, &m);
            cdg_vec3 s = vec3(e.strain[0][i], e.strain[1][i], e.strain[2][i]);
            cdg_vec3 f = vec3(e.force[0][i], e.force[1][i], e.force[2][i]);
            assert_memory_equal(&s, &m.strain, sizeof s);
            assert_memory_equal(&f, &m.force, sizeof f);
        }
    }
    for (size_t first = 0; first < rod->node_count; first++) {
        size_t count = cdg_rod_plain_nodes(rod, first);
        if (count == 0) continue;
        memset(&n, 255, sizeof n);
        kernels->nodes(rod, first, count, darboux, moment);
        for (size_t i = 0; i < count; i++) {
            cdg_node_measure m;
            cdg_rod_measure_node(rod, first + i, &m);
            cdg_vec3 d = vec3(n.darboux[0][i], n.darboux[1][i], n.darboux[2][i]);
            cdg_vec3 t = vec3(n.moment[0][i], n.moment[1][i], n.moment[2][i]);
            cdg_vec3 right = cdg_rod_moment_of(rod, first + i, m.strain);
            assert_memory_equal(&d, &m.darboux, sizeof d);
            assert_memory_equal(&t, &right, sizeof t);
        }
        first += count - 1;
    }
}

static void check_energies(const cdg_rod *rod, const cdg_rod_row_kernels *kernels) {
    cdg_vec3 gravity = {0.3, -0.2, -9.81};
    cdg_energy_rows rows;
    double inertia[3][CDG_ROWS], *const about[3] = {inertia[0], inertia[1], inertia[2]};
    size_t count = cdg_rod_plain_elements(rod, 0);
    if (count > 0) {
        cdg_rod_frame_inertias(rod, 0, count, about);
        kernels->element_energies(rod, 0, count, about, &rows);
    }
    for (size_t i = 0; i < count; i++) {
        cdg_element_measure m;
        cdg_rod_measure_element(rod, i, &m);
        cdg_vec3 j = cdg_rod_frame_inertia(rod, i), w = rod_vec3(rod->w, i);
        assert_true(rows.stretch[i] == m.stretch_energy && rows.shear[i] == m.shear_energy);
        assert_true(rows.kinetic[i] == 0.5 * vec3_dot(w, vec3(j.x * w.x, j.y * w.y, j.z * w.z)));
    }
    count = cdg_rod_plain_nodes(rod, 1);
    if (count > 0) kernels->node_energies(rod, 1, count, gravity, &rows);
    for (size_t i = 0; i < count; i++) {
        cdg_vec3 v = rod_vec3(rod->v, 1 + i);
        assert_true(rows.kinetic[i] == 0.5 * rod->node_mass[1 + i] * vec3_dot(v, v));
        assert_true(rows.weight[i] == rod->node_mass[1 + i] * vec3_dot(gravity, rod_vec3(rod->x, 1 + i)));
        cdg_node_measure m;
        cdg_rod_measure_node(rod, 1 + i, &m);
        cdg_vec3 t = cdg_rod_moment_of(rod, 1 + i, m.strain);
        double cell = rod_cell_length(rod, 1 + i), bend = cell / 2 * (t.x * m.strain.x + t.y * m.strain.y);
        assert_near(rows.bend[i], bend, 1e-14 * bend);
        assert_near(rows.twist[i], cell / 2 * t.z * m.strain.z, 1e-14 * rows.twist[i]);
    }
}

static size_t count_calm(const cdg_rod *rod, double cosine) {
    size_t less = 0;
    for (size_t i = 1; i < rod->element_count; i++) {
        cdg_quat turn = quat_relative(rod_quat(rod->q, i - 1), rod_quat(rod->q, i));
        less += fabs(quat_dot(turn, rod_rest_turn(rod, i))) > cosine;
    }
    return less;
}

static void every_instruction_set_has_the_same_bits(void **state) {
    (void)state;
    cdg_random random = {41};
    for (int kind = 0; kind < KINDS; kind++)
        for (int l = 0; l < LENGTHS; l++) {
            cdg_rod *rod = rod_of(&random, lengths[l], kind);
            for (int lanes = 0; lanes <= (int)cdg_processor_widest(); lanes++) {
                check_kernels(rod, kernels_of(lanes));
                check_energies(rod, kernels_of(lanes));
                assert_int_equal(kernels_of(lanes)->count_turns_less(rod, 0.9), count_calm(rod, 0.9));
                assert_int_equal(kernels_of(lanes)->count_turns_less(rod, 0), rod->element_count - 1);
            }
            hand_rod_free(rod);
        }
}

// All rows, of special nodes and elements, too; and no row beyond.
static void rows_are_what_is_measured_one_by_one(void **state) {
    (void)state;
    cdg_random random = {42};
    for (int kind = 0; kind < KINDS; kind++)
        for (int l = 0; l < LENGTHS; l++) {
            cdg_rod *rod = rod_of(&random, lengths[l], kind);
            cdg_node_rows n;
            cdg_element_rows e;
            for (size_t first = 0; first < rod->node_count; first += 5) {
                size_t count = rod->node_count - first < CDG_ROWS ? rod->node_count - first : CDG_ROWS;
                cdg_rod_node_rows(rod, first, count, &n);
                for (size_t i = 0; i < count; i++) {
                    cdg_node_measure m;
                    cdg_rod_measure_node(rod, first + i, &m);
                    cdg_vec3 t = cdg_rod_moment_of(rod, first + i, m.strain);
                    assert_true(m.measured.bending ? n.darboux[0][i] == m.darboux.x && n.darboux[1][i] == m.darboux.y
                                                   : isnan(n.darboux[0][i]) && isnan(n.darboux[1][i]));
                    assert_true(m.measured.twist ? n.darboux[2][i] == m.darboux.z : isnan(n.darboux[2][i]));
                    assert_true(n.moment[0][i] == t.x && n.moment[1][i] == t.y && n.moment[2][i] == t.z);
                }
            }
            for (size_t first = 0; first < rod->element_count; first += 5) {
                size_t count = rod->element_count - first < CDG_ROWS ? rod->element_count - first : CDG_ROWS;
                cdg_rod_element_rows(rod, first, count, &e);
                for (size_t i = 0; i < count; i++) {
                    cdg_vec3 s = cdg_rod_strain(rod, first + i), f = cdg_rod_section_force(rod, first + i);
                    assert_true(e.strain[0][i] == s.x && e.strain[1][i] == s.y && e.strain[2][i] == s.z);
                    assert_true(e.force[0][i] == f.x && e.force[1][i] == f.y && e.force[2][i] == f.z);
                }
            }
            hand_rod_free(rod);
        }
}

// cdg_rod_measure_part goes from one to the next: of an open rod it is the same sum.
static void energies_are_summed_in_order(void **state) {
    (void)state;
    cdg_random random = {43};
    cdg_vec3 gravity = {0.3, -0.2, -9.81};
    for (int kind = 0; kind < KINDS; kind += 2)
        for (int l = 0; l < LENGTHS; l++) {
            cdg_rod *rod = rod_of(&random, lengths[l], kind);
            cdg_energy whole, part;
            cdg_rod_measure_energy(rod, gravity, &whole);
            cdg_rod_measure_part(rod, 0, rod->element_count, gravity, &part);
            assert_memory_equal(&whole, &part, sizeof whole);
            hand_rod_free(rod);
        }
}

// More holds than are looked through: each node is asked.
static void many_holds_are_found(void **state) {
    (void)state;
    cdg_random random = {44};
    cdg_rod *rod = hand_rod(&random, 60, false);
    free(rod->holds);
    rod->holds = calloc(20, sizeof *rod->holds);
    for (size_t h = 0; h < 20; h++) rod->holds[h].node = 3 * h + 2;
    for (size_t used = 0; used <= 20; used++) {
        rod->hold_count = used;
        for (size_t i = 0; i < rod->node_count; i++) {
            size_t plain = cdg_rod_plain_nodes(rod, i), right = 0;
            bool is_end = i == 0 || i == 60;
            while (!is_end && i + right < 60 && rod_hold_at(rod, i + right) == NULL) right++;
            assert_int_equal(plain, right);
        }
    }
    hand_rod_free(rod);
}

// Turns that are counted, or measured by the angle, are nothing for vectors.
static void others_are_left_alone(void **state) {
    (void)state;
    cdg_random random = {45};
    cdg_rod *rod = hand_rod(&random, 20, true);
    assert_int_equal(cdg_rod_plain_nodes(rod, 1), 19);
    assert_int_equal(cdg_rod_plain_nodes(rod, 0), 0);
    assert_int_equal(cdg_rod_plain_elements(rod, 0), 19);
    assert_int_equal(cdg_rod_plain_elements(rod, 19), 0);
    rod->measures_angle = true;
    assert_int_equal(cdg_rod_plain_nodes(rod, 1), 0);
    rod->measures_angle = false;
    rod->twist = rod->radius;
    assert_int_equal(cdg_rod_plain_nodes(rod, 1), 0);
    rod->twist = NULL;
    assert_false(cdg_rod_turns_less(rod, 0.99));
    for (size_t j = 0; j < 20; j++) rod_set_quat(rod->q, j, quat_identity());
    assert_true(cdg_rod_turns_less(rod, 0.99));
    rod_set_quat(rod->q, 19, quat_exp(vec3(0, 0.4, 0)));
    assert_false(cdg_rod_turns_less(rod, 0.99));
    hand_rod_free(rod);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_instruction_set_has_the_same_bits),
        cmocka_unit_test(rows_are_what_is_measured_one_by_one),
        cmocka_unit_test(energies_are_summed_in_order),
        cmocka_unit_test(many_holds_are_found),
        cmocka_unit_test(others_are_left_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
