// Checks of any model's response to additional forces (rod_model.h): against differences of predicted candidates, for
// symmetry, positive definiteness, held nodes, the range that a cutoff leaves.
#ifndef CDG_TESTS_RESPONSE_CASE_H
#define CDG_TESTS_RESPONSE_CASE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "math/random.h"
#include "rods/rod_model.h"

enum { RESPONSE_HOLDS = 4 };
enum { RESPONSE_FREE, RESPONSE_CLAMPED, RESPONSE_HELD_INSIDE, RESPONSE_CLAMPED_BOTH, RESPONSE_ROLL };

typedef struct response_case {
    cdg_rod *rod;
    cdg_rod_loads loads;
    double *force[3], *torque, *move[3], *turn; // of a push
    void *scratch, *response;
    double step;
} response_case;

static inline double *response_array(size_t count) {
    double *array = malloc(count * sizeof(double)); // its own block, so that a sanitizer sees a step beyond its end
    assert_non_null(array);
    for (size_t i = 0; i < count; i++) array[i] = NAN;
    return array;
}

// An uneven polygon with an uneven section and a curved and twisted rest shape.
static inline cdg_rod_def response_def(cdg_random *random, size_t element_count, bool is_closed, cdg_vec3 *points) {
    cdg_rod_def def = cdg_rod_def_default();
    cdg_vec3 at = vec3(0, 0, 0);
    for (size_t i = 0; i <= element_count; i++) {
        double a = 6.283185307179586 * (double)i / (double)element_count, radius = 0.05 * (double)element_count;
        points[i] = is_closed ? vec3(radius * cos(a), radius * sin(a), 0) : at;
        points[i] = vec3_add(points[i], random_vec3(random, 0.02));
        at = vec3_add(at, vec3(0.3 * cos(0.3 * (double)i), 0.3 * sin(0.3 * (double)i), 0.1));
    }
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = element_count + (is_closed ? 0 : 1);
    def.centerline.closed = is_closed;
    def.element_count = element_count;
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = 0.06, def.section.side[1] = 0.03;
    def.material.young_modulus = 1e6;
    def.rest.kind = CDG_REST_CURVATURE;
    def.rest.curvature[0] = 0.2, def.rest.curvature[1] = -0.1, def.rest.twist = 0.3;
    return def;
}

static inline response_case response_build(const cdg_rod_def *def, double step) {
    response_case c = {.step = step};
    cdg_error error;
    if (cdg_rod_build(def, &c.rod, &error) != CDG_OK) {
        print_error("%s\n", error.message);
        assert_non_null(c.rod);
    }
    cdg_rod *rod = c.rod;
    rod->holds = calloc(RESPONSE_HOLDS, sizeof *rod->holds);
    rod->holds_before = calloc(RESPONSE_HOLDS, sizeof *rod->holds_before);
    rod->hold_capacity = RESPONSE_HOLDS;
    rod->has_inner_frame_support = true;
    for (int k = 0; k < 3; k++) {
        c.loads.force[k] = calloc(rod->node_count, sizeof(double));
        c.loads.torque[k] = calloc(rod->element_count, sizeof(double));
        c.force[k] = response_array(rod->node_count);
        c.move[k] = response_array(rod->node_count);
    }
    c.torque = response_array(rod->element_count);
    c.turn = response_array(rod->element_count);
    size_t bytes = (rod->model->scratch_size(rod) + 63) / 64 * 64;
    c.scratch = aligned_alloc(64, bytes);
    memset(c.scratch, 0xff, bytes); // not a number
    bytes = (rod->model->contact.response_size(rod) + 63) / 64 * 64;
    c.response = aligned_alloc(64, bytes);
    assert_non_null(c.response);
    memset(c.response, 0xff, bytes);
    return c;
}

static inline void response_free(response_case *c) {
    for (int k = 0; k < 3; k++) {
        free(c->loads.force[k]), free(c->loads.torque[k]);
        free(c->force[k]), free(c->move[k]);
    }
    free(c->torque), free(c->turn);
    free(c->scratch), free(c->response);
    cdg_rod_destroy(c->rod);
}

static inline int response_predict(response_case *c) {
    cdg_rod_step_result result = {0};
    cdg_error error = {0};
    if (c->rod->model->predict(c->rod, c->step, &c->loads, c->scratch, &result, &error) != CDG_OK) {
        print_error("%s\n", error.message);
        fail();
    }
    return result.iterations;
}

static inline void response_keep(response_case *c) {
    cdg_error error = {0};
    if (c->rod->model->contact.keep_response(c->rod, c->step, &c->loads, c->scratch, c->response, &error) == CDG_OK)
        return;
    print_error("%s\n", error.message);
    fail();
}

static inline void response_hold(response_case *c, int supports) {
    cdg_rod *rod = c->rod;
    size_t inner = rod->node_count / 2, last = rod->node_count - 1;
    rod->hold_count = 0;
    if (supports == RESPONSE_CLAMPED || supports == RESPONSE_CLAMPED_BOTH)
        rod->holds[rod->hold_count++] = (cdg_hold){.node = 0, .holds_position = true, .frame_hold = CDG_HOLD_FRAME};
    if (supports == RESPONSE_CLAMPED_BOTH && last > 0)
        rod->holds[rod->hold_count++] = (cdg_hold){.node = last, .holds_position = true, .frame_hold = CDG_HOLD_FRAME};
    if (supports == RESPONSE_HELD_INSIDE)
        rod->holds[rod->hold_count++] = (cdg_hold){.node = inner, .holds_position = true};
    if (supports == RESPONSE_ROLL)
        rod->holds[rod->hold_count++] = (cdg_hold){.node = inner, .frame_hold = CDG_HOLD_ROLL};
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        size_t element = hold->node < rod->element_count ? hold->node : rod->element_count - 1;
        hold->position = rod_vec3(rod->x, hold->node);
        hold->frame = rod_quat(rod->q, element);
        rod->holds_before[h] = *hold;
    }
    rod->hold_before_count = rod->hold_count;
}

// Moves it by a few steps under random loads and velocities, and predicts one more.
static inline void response_shake(response_case *c, cdg_random *random, double force, double speed) {
    cdg_rod *rod = c->rod;
    for (size_t i = 0; i < rod->node_count; i++) rod_set_vec3(rod->v, i, random_vec3(random, speed));
    for (int n = 0; n < 3; n++) {
        for (int k = 0; k < 3; k++) {
            for (size_t i = 0; i < rod->node_count; i++) c->loads.force[k][i] = random_in(random, -force, force);
            for (size_t j = 0; j < rod->element_count; j++)
                c->loads.torque[k][j] = k == 2 ? random_in(random, -0.1 * force, 0.1 * force) : 0;
        }
        response_predict(c);
        if (n < 2) rod->model->commit(rod, c->step);
    }
}

static inline bool response_is_held(const cdg_rod *rod, size_t node) {
    for (size_t h = 0; h < rod->hold_count; h++)
        if (rod->holds[h].node == node && rod->holds[h].holds_position) return true;
    return false;
}

static inline cdg_rod_range response_whole(const cdg_rod *rod) {
    return (cdg_rod_range){0, rod->node_count + (rod->is_closed ? 1 : 0)};
}

static inline cdg_rod_range response_ask(response_case *c, cdg_rod_range loaded, double cutoff) {
    return c->rod->model->contact.respond(c->rod, c->response, loaded, c->force, c->torque, cutoff, c->move, c->turn);
}

// Random loads within a range, not a number elsewhere.
static inline void response_load(response_case *c, cdg_random *random, cdg_rod_range loaded) {
    cdg_rod *rod = c->rod;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++) c->force[k][i] = NAN;
    for (size_t j = 0; j < rod->element_count; j++) c->torque[j] = NAN;
    for (size_t i = loaded.first; i < loaded.end; i++)
        for (int k = 0; k < 3; k++) c->force[k][i % rod->node_count] = random_in(random, -1, 1);
    for (size_t j = loaded.first; j + 1 < loaded.end; j++)
        c->torque[j % rod->element_count] = random_in(random, -0.1, 0.1);
}

static inline void response_add_loads(response_case *c, double factor) { // where they are numbers
    cdg_rod *rod = c->rod;
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < rod->node_count; i++)
            if (!isnan(c->force[k][i])) c->loads.force[k][i] += factor * c->force[k][i];
    for (size_t j = 0; j < rod->element_count; j++)
        if (!isnan(c->torque[j])) c->loads.torque[2][j] += factor * c->torque[j];
}

// The candidate's move and turn per load, by differences, against the response. `tolerance` is relative to the largest.
static inline void response_check_differences(response_case *c, cdg_rod_range loaded, double small, double tolerance,
                                              double turn_tolerance) {
    cdg_rod *rod = c->rod;
    cdg_rod_range whole = response_ask(c, loaded, 0);
    assert_true(whole.first == 0 && whole.end >= rod->node_count);
    cdg_vec3 *x = malloc(rod->node_count * sizeof *x);
    cdg_quat *q = malloc(rod->element_count * sizeof *q);
    response_add_loads(c, small);
    response_predict(c);
    for (size_t i = 0; i < rod->node_count; i++) x[i] = rod_vec3(rod->x_next, i);
    for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q_next, j);
    response_add_loads(c, -2 * small);
    response_predict(c);
    double largest = 0, error = 0, largest_turn = 0, turn_error = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 move = vec3_scale(0.5 / small, vec3_sub(x[i], rod_vec3(rod->x_next, i)));
        largest = fmax(largest, vec3_norm(move));
        double away = vec3_distance(move, rod_vec3(c->move, i));
        error = away <= error ? error : away; // keeps what is not a number
        if (response_is_held(rod, i)) assert_true(vec3_norm(rod_vec3(c->move, i)) == 0);
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_quat turned = quat_relative(rod_quat(rod->q_next, j), q[j]);
        double turn = (turned.w < 0 ? -1 : 1) * turned.z / small;
        largest_turn = fmax(largest_turn, fabs(turn));
        double away = fabs(turn - c->turn[j]);
        turn_error = away <= turn_error ? turn_error : away;
    }
    response_add_loads(c, small);
    response_predict(c);
    free(x), free(q);
    largest += 1e-4 * c->step * c->step / rod->node_mass[0];          // rounding, where held nodes alone are loaded
    largest_turn = fmax(largest_turn, largest / rod->rest_length[0]); // bending turns frames about d1 and d2 like that
    if (error <= tolerance * largest && turn_error <= turn_tolerance * largest_turn) return;
    print_error("moves up to %g differ by %g, turns up to %g by %g\n", largest, error, largest_turn, turn_error);
    fail();
}

// All columns of the compliance: symmetric, positive definite but for held nodes.
static inline void response_check_matrix(response_case *c, double tolerance) {
    cdg_rod *rod = c->rod;
    size_t nodes = rod->node_count, size = 3 * nodes + rod->element_count;
    double *a = malloc(size * size * sizeof *a);
    for (size_t column = 0; column < size; column++) {
        for (int k = 0; k < 3; k++) memset(c->force[k], 0, nodes * sizeof(double));
        memset(c->torque, 0, rod->element_count * sizeof(double));
        *(column < 3 * nodes ? &c->force[column % 3][column / 3] : &c->torque[column - 3 * nodes]) = 1;
        response_ask(c, response_whole(rod), 0);
        for (size_t row = 0; row < size; row++)
            a[row * size + column] = row < 3 * nodes ? c->move[row % 3][row / 3] : c->turn[row - 3 * nodes];
    }
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j < i; j++) {
            double scale = sqrt(fabs(a[i * size + i] * a[j * size + j]));
            if (fabs(a[i * size + j] - a[j * size + i]) <= tolerance * scale) continue;
            print_error("compliance (%zu, %zu) is %g and %g, scale %g\n", i, j, a[i * size + j], a[j * size + i],
                        scale);
            fail();
        }
    for (size_t j = 0; j < size; j++) { // Cholesky
        bool is_held = j < 3 * nodes && response_is_held(rod, j / 3);
        for (size_t i = 0; i < size && is_held; i++) assert_true(a[i * size + j] == 0 && a[j * size + i] == 0);
        if (is_held) a[j * size + j] = 1;
        double own = a[j * size + j];
        for (size_t k = 0; k < j; k++) a[j * size + j] -= a[j * size + k] * a[j * size + k];
        if (!(a[j * size + j] > 1e-12 * own)) print_error("pivot %zu is %g of %g\n", j, a[j * size + j], own);
        assert_true(a[j * size + j] > 1e-12 * own);
        a[j * size + j] = sqrt(a[j * size + j]);
        for (size_t i = j + 1; i < size; i++) {
            for (size_t k = 0; k < j; k++) a[i * size + j] -= a[i * size + k] * a[j * size + k];
            a[i * size + j] /= a[j * size + j];
        }
    }
    free(a);
}

// With a cutoff: the same within a range that holds the loads, small beyond it, nothing written there.
static inline cdg_rod_range response_check_cutoff(response_case *c, cdg_rod_range loaded, double cutoff) {
    cdg_rod *rod = c->rod;
    size_t nodes = rod->node_count;
    response_ask(c, loaded, 0);
    cdg_vec3 *full = malloc(nodes * sizeof *full);
    double *full_turn = malloc(rod->element_count * sizeof *full_turn), largest = 0;
    for (size_t i = 0; i < nodes; i++) full[i] = rod_vec3(c->move, i), largest = fmax(largest, vec3_norm(full[i]));
    for (size_t j = 0; j < rod->element_count; j++)
        full_turn[j] = c->turn[j], largest = fmax(largest, rod->radius[0] * fabs(full_turn[j]));
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < nodes; i++) c->move[k][i] = NAN;
    for (size_t j = 0; j < rod->element_count; j++) c->turn[j] = NAN;
    cdg_rod_range range = response_ask(c, loaded, cutoff);
    assert_true(range.first <= loaded.first || range.end >= range.first + nodes);
    assert_true(range.end >= loaded.end || range.end >= range.first + nodes);
    for (size_t i = 0; i < nodes; i++) {
        bool is_in = (i >= range.first && i < range.end) || i + nodes < range.end;
        if (is_in) {
            assert_true(vec3_distance(rod_vec3(c->move, i), full[i]) <= 4 * cutoff * largest);
        } else {
            assert_true(isnan(c->move[0][i]) && isnan(c->move[1][i]) && isnan(c->move[2][i]));
            assert_true(vec3_norm(full[i]) <= 4 * cutoff * largest);
        }
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        bool is_in = (j >= range.first && j + 1 < range.end) || j + nodes + 1 < range.end;
        if (is_in)
            assert_true(rod->radius[0] * fabs(c->turn[j] - full_turn[j]) <= 4 * cutoff * largest);
        else
            assert_true(isnan(c->turn[j]) && rod->radius[0] * fabs(full_turn[j]) <= 4 * cutoff * largest);
    }
    free(full), free(full_turn);
    return range;
}

// The same step under slightly other loads, from the state and from the candidate that stands.
static inline void response_check_warm_start(response_case *c, cdg_random *random, double size, double tolerance) {
    cdg_rod *rod = c->rod;
    cdg_vec3 *x = malloc(rod->node_count * sizeof *x), *v = malloc(rod->node_count * sizeof *v);
    cdg_quat *q = malloc(rod->element_count * sizeof *q);
    response_load(c, random, response_whole(rod));
    response_add_loads(c, size);
    int cold = response_predict(c);
    for (size_t i = 0; i < rod->node_count; i++) x[i] = rod_vec3(rod->x_next, i), v[i] = rod_vec3(rod->v_next, i);
    for (size_t j = 0; j < rod->element_count; j++) q[j] = rod_quat(rod->q_next, j);
    response_add_loads(c, -size);
    response_predict(c);
    response_add_loads(c, size);
    c->loads.starts_from_candidate = true;
    int warm = response_predict(c);
    c->loads.starts_from_candidate = false;
    for (size_t i = 0; i < rod->node_count; i++) {
        assert_true(vec3_distance(rod_vec3(rod->x_next, i), x[i]) <= tolerance);
        assert_true(vec3_distance(rod_vec3(rod->v_next, i), v[i]) <= 4 * tolerance / c->step);
    }
    for (size_t j = 0; j < rod->element_count; j++)
        assert_true(1 - fabs(quat_dot(rod_quat(rod->q_next, j), q[j])) <= tolerance);
    assert_true(warm < cold || cold <= 2);
    free(x), free(v), free(q);
}

// Friction in all that a rod can do.
static inline void response_damp(cdg_rod_def *def) {
    def->material.damping_bend = def->material.damping_twist = def->material.damping_stretch =
        def->material.damping_shear = 0.01;
}

static inline void response_taper(cdg_rod_def *def) {
    def->is_tapered = true, def->section_end = def->section;
    def->section_end.side[0] = 0.04;
}

// Loads throughout a range, answered there in single precision as in double. The whole rod is the last of the ranges.
static inline void response_check_light(response_case *c, cdg_random *random) {
    cdg_rod *rod = c->rod;
    size_t nodes = rod->node_count;
    const cdg_rod_range ranges[] = {{3, nodes - 2}, {0, 6}, {nodes - 7, nodes}, {0, nodes}};
    double *exact[4];
    for (int k = 0; k < 4; k++) exact[k] = response_array(nodes);
    for (int n = 0; n < 4; n++) {
        cdg_rod_range loaded = ranges[n];
        response_load(c, random, loaded);
        assert_true(rod->model->contact.lighten(rod, c->response, loaded));
        rod->model->contact.respond_lightly(rod, c->response, loaded, c->force, c->torque, c->move, c->turn);
        rod->model->contact.respond(rod, c->response, loaded, c->force, c->torque, 0, exact, exact[3]);
        double largest[2] = {0};
        for (size_t i = 0; i < nodes; i++)
            for (int k = 0; k < 3; k++) largest[0] = fmax(largest[0], fabs(exact[k][i]));
        for (size_t j = 0; j < rod->element_count; j++) largest[1] = fmax(largest[1], fabs(exact[3][j]));
        assert_true(largest[0] > 0 && largest[1] > 0);
        for (size_t i = loaded.first; i < loaded.end; i++)
            for (int k = 0; k < 3; k++) assert_true(fabs(c->move[k][i] - exact[k][i]) < 1e-5 * largest[0]);
        for (size_t j = loaded.first; j + 1 < loaded.end; j++)
            assert_true(fabs(c->turn[j] - exact[3][j]) < 1e-5 * largest[1]);
    }
    for (int k = 0; k < 4; k++) free(exact[k]);
}

#endif
