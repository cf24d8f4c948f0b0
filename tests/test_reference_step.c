// The reference model's step over a whole rod: mass matrix, Newton's matrix, numbering of open and closed rods,
// momentum balance with holds.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "rods/reference/step.h"

// A built rod in a random motion, with everything a step needs.
typedef struct step_case {
    cdg_rod *rod;
    reference_step step;
    cdg_rod_loads loads;
    void *blocks[64];
    int block_count;
} step_case;

static void *block(step_case *c, size_t bytes) {
    void *memory = calloc(1, bytes);
    assert_non_null(memory);
    assert_true(c->block_count < 64);
    return c->blocks[c->block_count++] = memory;
}
static double *doubles(step_case *c, size_t count) { return block(c, count * sizeof(double)); }

static step_case *case_create(cdg_random *random, size_t element_count, bool is_closed, bool is_tapered) {
    step_case *c = calloc(1, sizeof *c);
    assert_non_null(c);
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_REFERENCE;
    def.element_count = element_count;
    def.section = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {0.05, 0.03}};
    def.section_end = (cdg_section){.kind = CDG_SECTION_RECTANGLE, .side = {0.03, 0.02}};
    def.is_tapered = is_tapered;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 1, def.rest.twist = 2;
    def.material.damping_bend = 0.02, def.material.damping_stretch = 0.01;
    if (is_closed) {
        def.centerline.kind = CDG_CENTERLINE_CIRCLE;
        def.centerline.circle.radius = 0.3;
        def.centerline.circle.axis = vec3(0, 0, 1);
    }
    cdg_error error;
    assert_int_equal(cdg_rod_build(&def, &c->rod, &error), CDG_OK);
    cdg_rod *rod = c->rod;
    rod->drag_rate = 0.5;
    size_t nodes = rod->node_count, elements = rod->element_count;
    reference_step *s = &c->step;
    *s = (reference_step){.rod = rod, .step = 0.01, .late = 0.5, .is_angle = true, .iterations = 30};
    s->tolerance = 1e-11;
    for (int k = 0; k < 3; k++) {
        s->x0[k] = doubles(c, nodes), s->v0[k] = doubles(c, nodes), s->w0[k] = doubles(c, elements);
        s->x1[k] = doubles(c, nodes), s->v1[k] = doubles(c, nodes), s->w1[k] = doubles(c, elements);
        c->loads.force[k] = doubles(c, nodes), c->loads.torque[k] = doubles(c, elements);
        s->moment[k] = doubles(c, elements);
    }
    for (int k = 0; k < 4; k++) s->q0[k] = doubles(c, elements), s->q1[k] = doubles(c, elements);
    s->roll = doubles(c, elements);
    s->loads = &c->loads;
    s->is_held = block(c, nodes * sizeof *s->is_held);
    s->anchors = block(c, 4 * sizeof *s->anchors);
    s->hold_force = block(c, 4 * sizeof *s->hold_force);
    s->hold_moment = block(c, 4 * sizeof *s->hold_moment);
    size_t unknowns = reference_unknown_count(nodes, is_closed);
    s->momentum0 = doubles(c, unknowns), s->momentum1 = doubles(c, unknowns), s->right = doubles(c, unknowns);
    s->matrix = (cdg_banded){unknowns, reference_matrix_width(is_closed), NULL, block(c, unknowns * sizeof(int))};
    s->matrix.values = doubles(c, unknowns * cdg_banded_column(s->matrix.width));
    s->mass = (cdg_banded_positive){unknowns, reference_mass_width(is_closed), NULL};
    s->mass.values = doubles(c, unknowns * (s->mass.width + 1));

    double small = 0.2 * rod->rest_length[0];
    for (size_t i = 0; i < nodes; i++) {
        cdg_vec3 x = vec3_add(rod_vec3(rod->x, i), random_vec3(random, small));
        rod_set_vec3(s->x0, i, x);
        rod_set_vec3(s->x1, i, vec3_add(x, random_vec3(random, small)));
        rod_set_vec3(s->v0, i, random_vec3(random, 1));
        rod_set_vec3(c->loads.force, i, random_vec3(random, 1));
    }
    for (size_t j = 0; j < elements; j++) {
        cdg_vec3 edge = vec3_sub(rod_vec3(s->x0, rod_next_node(rod, j)), rod_vec3(s->x0, j));
        cdg_quat q = rod_quat(rod->q, j);
        rod_set_quat(s->q0, j, quat_multiply(quat_between(quat_d3(q), vec3_normalize(edge)), q));
        s->roll[j] = random_in(random, -0.3, 0.3);
        s->w0[2][j] = random_in(random, -1, 1);
    }
    return c;
}

static void case_destroy(step_case *c) {
    for (int i = 0; i < c->block_count; i++) free(c->blocks[i]);
    cdg_rod_destroy(c->rod);
    free(c);
}

// Kinetic energy as it is measured, with velocities moved along one node's component or one element's roll.
static double kinetic(step_case *c, const double *velocity) { // 3 a node, then 1 an element
    cdg_rod *rod = c->rod;
    reference_step *s = &c->step;
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, rod_vec3(s->x0, i));
        rod_set_vec3(rod->v, i, vec3(velocity[3 * i], velocity[3 * i + 1], velocity[3 * i + 2]));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        size_t next = rod_next_node(rod, j);
        cdg_quat q = rod_quat(s->q0, j);
        cdg_vec3 edge = vec3_sub(rod_vec3(s->x0, next), rod_vec3(s->x0, j));
        cdg_vec3 rate = vec3_scale(1 / vec3_norm(edge), vec3_sub(rod_vec3(rod->v, next), rod_vec3(rod->v, j)));
        rod_set_quat(rod->q, j, q);
        rod_set_vec3(rod->w, j,
                     vec3(-vec3_dot(quat_d2(q), rate), vec3_dot(quat_d1(q), rate), velocity[3 * rod->node_count + j]));
    }
    cdg_energy energy;
    cdg_rod_measure_energy(rod, vec3(0, 0, 0), &energy);
    return energy.kinetic;
}

// Where the step numbers node i's component k, or element j's roll.
static size_t unknown(const cdg_rod *rod, size_t place, size_t component) {
    size_t n = rod->node_count;
    size_t at = !rod->is_closed ? place : 2 * place < n ? 2 * place : 2 * (n - 1 - place) + 1;
    return 4 * at + component;
}

// The mass matrix is the second derivative of the measured kinetic energy by the velocities, exactly: it is quadratic.
static void test_mass_matrix_is_that_of_the_kinetic_energy(void **state) {
    (void)state;
    cdg_random random = {.state = 1};
    for (int trial = 0; trial < 4; trial++) {
        step_case *c = case_create(&random, trial < 2 ? 5 : 6, trial % 2 == 1, trial >= 2);
        cdg_rod *rod = c->rod;
        reference_step *s = &c->step;
        reference_assemble_mass(s, s->x0, s->q0);
        size_t count = 3 * rod->node_count + rod->element_count;
        double velocity[32] = {0};
        assert_true(count <= 32);
        for (size_t a = 0; a < count; a++)
            for (size_t b = 0; b < count; b++) {
                double sum = 0;
                for (int i = -1; i <= 1; i += 2)
                    for (int j = -1; j <= 1; j += 2) {
                        memset(velocity, 0, sizeof velocity);
                        velocity[a] += i, velocity[b] += j;
                        sum += i * j * kinetic(c, velocity) / 4;
                    }
                size_t nodes3 = 3 * rod->node_count;
                size_t row = a < nodes3 ? unknown(rod, a / 3, a % 3) : unknown(rod, a - nodes3, 3);
                size_t column = b < nodes3 ? unknown(rod, b / 3, b % 3) : unknown(rod, b - nodes3, 3);
                if (row < column) continue;
                double entry = row - column <= s->mass.width ? *cdg_banded_positive_at(&s->mass, row, column) : 0;
                assert_near(entry, sum, 1e-12 * rod->mass);
            }
        case_destroy(c);
    }
}

static void residual(step_case *c, double *out) {
    reference_assemble(&c->step);
    memcpy(out, c->step.right, c->step.matrix.size * sizeof(double));
}

// Newton's matrix is minus the derivative of the right side, for every unknown.
static void test_newtons_matrix_is_the_derivative(void **state) {
    (void)state;
    cdg_random random = {.state = 2};
    for (int trial = 0; trial < 6; trial++) {
        bool is_closed = trial % 2 == 1;
        step_case *c = case_create(&random, is_closed ? 7 : 4, is_closed, trial >= 2);
        cdg_rod *rod = c->rod;
        reference_step *s = &c->step;
        if (trial >= 4) { // a clamp and a twist support inside
            s->anchors[0] = (reference_anchor){
                0, 0, false, {rod_quat(s->q0, 0), quat_multiply(rod_quat(s->q0, 0), quat_exp(vec3(0.1, 0, 0.2)))}};
            s->anchors[1] = (reference_anchor){1, 2, true, {rod_quat(s->q0, 2), rod_quat(s->q0, 2)}};
            s->anchor_count = 2;
        }
        size_t size = s->matrix.size, width = s->matrix.width;
        double *dense = calloc(size * size, sizeof *dense), sides[4][64], scale = 0;
        assert_true(dense != NULL && size <= 64);
        reference_start_momentum(s);
        reference_assemble(s);
        for (size_t r = 0; r < size; r++)
            for (size_t k = 0; k < size; k++)
                if ((r > k ? r - k : k - r) <= width) {
                    dense[r * size + k] = *cdg_banded_at(&s->matrix, r, k);
                    scale = fmax(scale, fabs(dense[r * size + k]));
                }
        for (size_t v = 0; v < 3 * rod->node_count + rod->element_count; v++) {
            bool is_roll = v >= 3 * rod->node_count;
            size_t place = is_roll ? v - 3 * rod->node_count : v / 3;
            double *x = is_roll ? &s->roll[place] : &s->x1[v % 3][place], kept = *x, h = is_roll ? 1e-3 : 1e-4;
            const double offsets[4] = {-2, -1, 1, 2}, weights[4] = {1.0 / 12, -2.0 / 3, 2.0 / 3, -1.0 / 12};
            for (int o = 0; o < 4; o++) {
                *x = kept + offsets[o] * h;
                residual(c, sides[o]);
            }
            *x = kept;
            size_t column = unknown(rod, place, is_roll ? 3 : v % 3);
            for (size_t r = 0; r < size; r++) {
                double sum = 0;
                for (int o = 0; o < 4; o++) sum -= weights[o] * sides[o][r] / h;
                assert_near(dense[r * size + column], sum, 1e-6 * scale);
            }
        }
        free(dense);
        case_destroy(c);
    }
}

// Over a whole step, momentum changes by the impulse of loads and supports: at every node, so for the sum.
static void test_holds_and_loads_balance_momentum(void **state) {
    (void)state;
    cdg_random random = {.state = 3};
    step_case *c = case_create(&random, 6, false, true);
    cdg_rod *rod = c->rod;
    reference_step *s = &c->step;
    rod->drag_rate = 0;
    cdg_hold hold = {.node = 0, .holds_position = true, .frame = quat_identity()};
    free(rod->holds);
    rod->holds = malloc(sizeof hold);
    assert_non_null(rod->holds);
    rod->holds[0] = hold;
    rod->hold_count = rod->hold_capacity = 1;
    s->is_held[0] = true;
    s->anchors[0] = (reference_anchor){0, 0, false, {rod_quat(s->q0, 0), rod_quat(s->q0, 0)}};
    s->anchor_count = 1;
    for (size_t i = 1; i < rod->node_count; i++) // the loads of a step of 0.1 ms leave the rod near where it is
        rod_set_vec3(c->loads.force, i, vec3_scale(10, rod_vec3(c->loads.force, i)));
    rod_set_vec3(s->x1, 0, vec3_add(rod_vec3(s->x0, 0), vec3(1e-5, 0, 2e-5)));
    s->step = 1e-4;
    reference_outcome outcome = reference_take_step(s);
    assert_true(outcome.is_converged);
    assert_true(outcome.correction <= s->tolerance);

    cdg_vec3 linear[2], angular[2];
    for (int end = 0; end < 2; end++) {
        for (size_t i = 0; i < rod->node_count; i++) {
            rod_set_vec3(rod->x, i, rod_vec3(end ? s->x1 : s->x0, i));
            rod_set_vec3(rod->v, i, rod_vec3(end ? s->v1 : s->v0, i));
        }
        for (size_t j = 0; j < rod->element_count; j++) {
            size_t next = rod_next_node(rod, j);
            cdg_quat q = rod_quat(end ? s->q1 : s->q0, j);
            cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, next), rod_vec3(rod->x, j));
            cdg_vec3 rate = vec3_scale(1 / vec3_norm(edge), vec3_sub(rod_vec3(rod->v, next), rod_vec3(rod->v, j)));
            rod_set_quat(rod->q, j, q);
            rod_set_vec3(rod->w, j,
                         vec3(-vec3_dot(quat_d2(q), rate), vec3_dot(quat_d1(q), rate), (end ? s->w1 : s->w0)[2][j]));
            if (end)
                assert_vec3_near(rod_vec3(s->w1, j), rod_vec3(rod->w, j), 1e-9 * (1 + vec3_norm(rod_vec3(rod->w, j))));
        }
        linear[end] = angular[end] = vec3(0, 0, 0);
        cdg_rod_measure_momentum(rod, &linear[end], &angular[end]);
    }
    cdg_vec3 impulse = vec3_scale(s->step, s->hold_force[0]), torque = vec3_scale(s->step, s->hold_moment[0]);
    cdg_vec3 held_m = vec3_scale(0.5, vec3_add(rod_vec3(s->x0, 0), rod_vec3(s->x1, 0)));
    torque = vec3_add(torque, vec3_cross(held_m, impulse));
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 f = vec3_scale(s->step, rod_vec3(c->loads.force, i));
        impulse = vec3_add(impulse, f);
        torque = vec3_add(torque, vec3_cross(vec3_scale(0.5, vec3_add(rod_vec3(s->x0, i), rod_vec3(s->x1, i))), f));
    }
    assert_vec3_near(vec3_sub(linear[1], linear[0]), impulse, 1e-10 * vec3_norm(impulse));
    // The support's share at either end of the step acts at that end's place: 1e-5 m from the middle.
    assert_vec3_near(vec3_sub(angular[1], angular[0]), torque, 1e-3 * vec3_norm(torque));
    case_destroy(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass_matrix_is_that_of_the_kinetic_energy),
        cmocka_unit_test(test_newtons_matrix_is_the_derivative),
        cmocka_unit_test(test_holds_and_loads_balance_momentum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
