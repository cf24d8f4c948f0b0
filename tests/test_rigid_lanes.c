// Rigid motions in lanes: momentum by the motion, and the motion's energy, against plain sums.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/rigid_lanes.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"

enum { LANES = CDG_RIGID_LANES };

static void put3(cdg_rigid_lane to[3], size_t lane, cdg_vec3 v) {
    to[0][lane] = v.x, to[1][lane] = v.y, to[2][lane] = v.z;
}
static cdg_vec3 get3(cdg_rigid_lane *from, size_t lane) { return vec3(from[0][lane], from[1][lane], from[2][lane]); }
static cdg_quat frame_of(const cdg_rigid_frames *f, size_t k) {
    return quat(f->q[0][k], f->q[1][k], f->q[2][k], f->q[3][k]);
}

static void fill(cdg_random *random, cdg_rigid_nodes *nodes, cdg_rigid_frames *frames) {
    for (size_t k = 0; k < LANES; k++) {
        cdg_quat q = random_rotation(random);
        nodes->mass[k] = k == 23 ? 0 : random_unit(random);
        nodes->share[k] = k % 5 == 0 ? 0 : k % 7 == 0 ? 0.5 : 1;
        put3(nodes->x, k, random_vec3(random, 1)), put3(nodes->arm, k, random_vec3(random, 1));
        put3(nodes->v, k, random_vec3(random, 1));
        frames->q[0][k] = q.w, frames->q[1][k] = q.x, frames->q[2][k] = q.y, frames->q[3][k] = q.z;
        put3(frames->inertia, k, vec3(random_unit(random), random_unit(random), random_unit(random)));
        put3(frames->w, k, random_vec3(random, 1));
        put3(frames->axis, k, random_vec3(random, 1));
    }
}

// Momentum of a change of velocities, world axes.
static void momentum_of(cdg_rigid_nodes *nodes, cdg_rigid_frames *frames, cdg_rigid_change *by, cdg_vec3 *linear,
                        cdg_vec3 *angular) {
    *linear = *angular = vec3(0, 0, 0);
    for (size_t k = 0; k < LANES; k++) {
        cdg_vec3 p = vec3_scale(nodes->mass[k], get3(by->v, k)), w = get3(by->w, k), i = get3(frames->inertia, k);
        *linear = vec3_add(*linear, p);
        *angular = vec3_add(*angular, vec3_cross(get3(nodes->x, k), p));
        *angular = vec3_add(*angular, quat_rotate(frame_of(frames, k), vec3(i.x * w.x, i.y * w.y, i.z * w.z)));
    }
}

static double kinetic_of(cdg_rigid_nodes *nodes, cdg_rigid_frames *frames, cdg_rigid_change *by) {
    double sum = 0;
    for (size_t k = 0; k < LANES; k++) {
        cdg_vec3 v = vec3_add(get3(nodes->v, k), get3(by->v, k)), w = vec3_add(get3(frames->w, k), get3(by->w, k));
        cdg_vec3 i = get3(frames->inertia, k);
        sum += 0.5 * nodes->mass[k] * vec3_dot(v, v);
        sum += 0.5 * (i.x * w.x * w.x + i.y * w.y * w.y + i.z * w.z * w.z);
    }
    return sum;
}

static void sums_give_the_momentum(void **state) {
    (void)state;
    cdg_random random = {17};
    for (int round = 0; round < 20; round++) {
        cdg_rigid_nodes nodes;
        cdg_rigid_frames frames;
        cdg_rigid_sums s;
        cdg_rigid_change by, none = {0};
        cdg_vec3 u = random_vec3(&random, 1), turn = random_vec3(&random, 1), linear, angular;
        fill(&random, &nodes, &frames);
        frames.follows = round % 2 == 1;
        for (size_t k = 0; k < LANES && frames.follows; k++) frames.inertia[0][k] = frames.inertia[1][k] = 0;
        cdg_rigid_sum(&nodes, &frames, 3, &s);
        double gain = cdg_rigid_move(&nodes, &frames, 3, u, turn, &by);
        momentum_of(&nodes, &frames, &by, &linear, &angular);
        cdg_vec3 r = vec3(s.r[0], s.r[1], s.r[2]), x = vec3(s.x[0], s.x[1], s.x[2]);
        cdg_vec3 by_turn = vec3(s.turn[0][0] * turn.x + s.turn[0][1] * turn.y + s.turn[0][2] * turn.z,
                                s.turn[1][0] * turn.x + s.turn[1][1] * turn.y + s.turn[1][2] * turn.z,
                                s.turn[2][0] * turn.x + s.turn[2][1] * turn.y + s.turn[2][2] * turn.z);
        assert_vec3_near(vec3_add(vec3_scale(s.mass, u), vec3_cross(turn, r)), linear, 1e-12);
        assert_vec3_near(vec3_add(vec3_cross(x, u), vec3_mad(by_turn, s.along, turn)), angular, 1e-12);
        assert_near(gain, kinetic_of(&nodes, &frames, &by) - kinetic_of(&nodes, &frames, &none), 1e-12);
        for (size_t k = 0; k < LANES && !frames.follows; k++)
            assert_vec3_near(get3(by.w, k), quat_rotate_inverse(frame_of(&frames, k), turn), 1e-14);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(sums_give_the_momentum)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
