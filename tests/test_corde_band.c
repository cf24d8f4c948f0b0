// The band matrix of inner friction, which knows dampers by the rates of strains, finds the same velocities as the
// chain of dampers in world axes, which is derived and solved in another way.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "corde_case.h"
#include "near.h"
#include "rods/corde/friction.h"

// A rod in the middle of a sub-step: elastic forces are known, friction is not.
typedef struct part_way {
    void *memory;
    corde_memory m;
    corde_state from, to;
    corde_substep s;
} part_way;

static void go_part_way(corde_case *c, double step, part_way *p) {
    cdg_rod *rod = c->rod;
    p->memory = aligned_alloc(64, (corde_memory_bytes(rod, true) + 63) / 64 * 64);
    memset(p->memory, 0xff, corde_memory_bytes(rod, true));
    p->m = corde_memory_carve(rod, true, p->memory);
    p->from = corde_state_of(rod->x, rod->v, rod->q, rod->w);
    p->to = corde_state_of(rod->x_next, rod->v_next, rod->q_next, rod->w_next);
    p->s = (corde_substep){.step = step,
                           .kick = 0.9 * step,
                           .slow = 1 / (1 + 0.9 * step * rod->drag_rate),
                           .done = 1,
                           .from = &p->from,
                           .to = &p->to,
                           .ahead = 1};
    corde_pairs_collect(rod, step, 0, &p->m.pairs);
    corde_elastic(rod, &p->m, &p->s, &c->loads, 1, true);
}

static void hold_places(corde_case *c, cdg_random *random, int round) {
    if (round % 3 == 0) return;
    case_hold(c, random);
    // none, the outer ones, or also the element at which the chain's two ends meet
    for (size_t h = 0; h < c->rod->hold_count; h++) {
        cdg_hold *hold = &c->rod->holds[h];
        hold->holds_position = round % 3 == 2 || h == 0;
        hold->position = vec3_add(rod_vec3(c->rod->x, hold->node), random_vec3(random, 1e-6));
    }
    if (round % 3 == 2)
        c->rod->holds[c->rod->hold_count++] = (cdg_hold){
            .node = round % 2 ? 4 : 7, .holds_position = true, .position = rod_vec3(c->rod->x, round % 2 ? 4 : 7)};
}

static void set_times(cdg_rod_def *def, int round, double time) {
    double *times[] = {&def->material.damping_shear, &def->material.damping_stretch, &def->material.damping_bend,
                       &def->material.damping_twist};
    for (int k = 0; k < 4; k++) *times[k] = round % 5 == k ? 0 : time; // each is left out once
}

// Both solutions for the velocities at the end of a sub-step.
static void compare(corde_case *c, double step, double tolerance) {
    enum { MOST = 401 };
    static double found[6][MOST];
    double *velocity[3] = {found[0], found[1], found[2]}, *spin[3] = {found[3], found[4], found[5]};
    cdg_rod *rod = c->rod;
    assert_true(rod->node_count <= MOST);
    part_way p;
    go_part_way(c, step, &p);
    double *memory = malloc(corde_band_doubles(rod) * sizeof *memory);
    assert_true(corde_band_solve(rod, &p.s, &c->loads, &p.m.pairs, &p.m.work, memory, velocity, spin));
    assert_true(corde_friction_solve(rod, &p.s, &c->loads, &p.m.pairs, &p.m.work, &p.m.friction));
    double largest_v = 0, largest_w = 0;
    for (size_t i = 0; i < rod->node_count; i++) largest_v = fmax(largest_v, vec3_norm(rod_vec3(velocity, i)));
    for (size_t j = 0; j < rod->element_count; j++) largest_w = fmax(largest_w, vec3_norm(rod_vec3(spin, j)));
    const corde_friction *f = &p.m.friction;
    for (size_t i = 0; i < rod->node_count; i++)
        assert_vec3_near(vec3_add(rod_vec3(rod->v, i), rod_vec3(f->dampers.velocity, i)), rod_vec3(velocity, i),
                         tolerance * largest_v);
    for (size_t j = 0; j < rod->element_count; j++)
        assert_vec3_near(vec3_add(rod_vec3(f->spin, j), rod_vec3(f->dampers.spin, j)), rod_vec3(spin, j),
                         tolerance * largest_w);
    free(memory);
    free(p.memory);
}

static void test_the_chain_finds_the_same_velocities(void **state) {
    (void)state;
    cdg_random random = {31};
    for (int round = 0; round < 240; round++) {
        cdg_vec3 points[CASE_ELEMENTS + 1];
        double time = pow(10, random_in(&random, -6, 0)), step = pow(10, random_in(&random, -6, -3));
        cdg_rod_def def = case_def(false, round / 2 % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        if (round % 7 == 0) def.rest.kind = CDG_REST_STRAIGHT;
        set_times(&def, round, time);
        corde_case c = case_build(&def);
        case_shake(&c, &random, 0.5);
        c.rod->drag_rate = round % 4 == 3 ? 100 : 0;
        for (size_t i = 0; i < c.rod->node_count; i++) {
            rod_set_vec3(c.rod->v, i, random_vec3(&random, 1));
            rod_set_vec3(c.force, i, random_vec3(&random, 1));
        }
        for (size_t j = 0; j < c.rod->element_count; j++) {
            rod_set_vec3(c.rod->w, j, random_vec3(&random, 3));
            rod_set_vec3(c.torque, j, random_vec3(&random, 0.01));
        }
        hold_places(&c, &random, round);
        compare(&c, step, 1e-8);
        case_free(&c);
    }
}

// Long rods, open and closed, in which lanes begin far from the ends, and whose sections and rest shapes vary.
static void test_long_rods_do_too(void **state) {
    (void)state;
    cdg_random random = {32};
    for (int round = 0; round < 32; round++) {
        cdg_vec3 points[401];
        bool is_closed = round % 2;
        size_t count = 300 + 3 * (size_t)round;
        cdg_rod_def def =
            case_def(is_closed, round / 2 % 2 ? CDG_CORDE_CONSTRAINT : CDG_CORDE_PENALTY, points, &random);
        for (size_t i = 0; i <= count; i++) {
            double a = 6.283185307179586 * (double)i / (double)count;
            points[i] = vec3(5 * cos(a), 5 * sin(a) + (is_closed ? 0 : a), cos(7 * a));
        }
        def.centerline.points.count = count + (is_closed ? 0 : 1);
        def.element_count = count;
        def.is_tapered = round / 4 % 2;
        set_times(&def, round, pow(10, -6 + round / 8 * 2));
        corde_case c = case_build(&def);
        cdg_rod *rod = c.rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            rod_set_vec3(rod->v, i, random_vec3(&random, 1));
            rod_set_vec3(c.force, i, random_vec3(&random, 1));
        }
        for (size_t j = 0; j < rod->element_count; j++) rod_set_vec3(rod->w, j, random_vec3(&random, 3));
        if (round % 3 == 0)
            rod->holds[rod->hold_count++] =
                (cdg_hold){.node = 0, .holds_position = true, .position = rod_vec3(rod->x, 0)};
        if (round % 5 == 0)
            rod->holds[rod->hold_count++] = (cdg_hold){
                .node = is_closed ? 0 : count, .frame_hold = CDG_HOLD_FRAME, .frame = rod_quat(rod->q, count - 1)};
        compare(&c, corde_safe_step(fmin(rod->node_step_limit, rod->frame_step_limit)), 1e-6);
        case_free(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_chain_finds_the_same_velocities),
        cmocka_unit_test(test_long_rods_do_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
