// Loads: factor in time, totals of what is put on nodes and elements, power, equivariance, stability of wind, work.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "hand_rod.h"
#include "near.h"

enum { ELEMENTS = 7, LOADS_MAX = 8 };

// ---- factor in time -------------------------------------------------------------------------------------------------

static void test_interval(void **state) {
    (void)state;
    cdg_load_def load = cdg_load_def_default();
    assert_near(cdg_load_factor(&load, 0), 1, 0); // default: always, from time zero
    assert_near(cdg_load_factor(&load, 1e9), 1, 0);
    load.from = 1;
    load.to = 2;
    assert_near(cdg_load_factor(&load, nextafter(1, 0)), 0, 0);
    assert_near(cdg_load_factor(&load, 1), 1, 0); // inclusive
    assert_near(cdg_load_factor(&load, nextafter(2, 0)), 1, 0);
    assert_near(cdg_load_factor(&load, 2), 0, 0); // exclusive
    load.to = 1;                                  // to <= from: for ever
    assert_near(cdg_load_factor(&load, 0.5), 0, 0);
    assert_near(cdg_load_factor(&load, 1), 1, 0);
    assert_near(cdg_load_factor(&load, 100), 1, 0);
    load.to = HUGE_VAL;
    assert_near(cdg_load_factor(&load, 100), 1, 0);
}

static void test_ramp(void **state) {
    (void)state;
    cdg_load_def load = cdg_load_def_default();
    load.from = 1;
    load.to = 4;
    load.ramp = 2;
    const double times[] = {0.9, 1, 1.5, 2, 3, 3.9, 4}, factors[] = {0, 0, 0.25, 0.5, 1, 1, 0};
    for (int i = 0; i < 7; i++) assert_near(cdg_load_factor(&load, times[i]), factors[i], 1e-15);
}

static void test_keyframes(void **state) {
    (void)state;
    const cdg_keyframe keyframes[] = {{1, 2}, {2, 4}, {4, -1}, {4.5, 0}};
    cdg_load_def load = cdg_load_def_default();
    load.keyframes = keyframes;
    load.keyframe_count = 4;
    const double times[] = {0, 1, 1.5, 2, 3, 4, 4.25, 4.5, 10}, factors[] = {2, 2, 3, 4, 1.5, -1, -0.5, 0, 0};
    for (int i = 0; i < 9; i++) assert_near(cdg_load_factor(&load, times[i]), factors[i], 1e-15);
    load.ramp = 4; // ramp and keyframes multiply
    assert_near(cdg_load_factor(&load, 2), 4 * 0.5, 1e-15);
    load.keyframe_count = 1;
    assert_near(cdg_load_factor(&load, 8), 2, 0);
}

// Against a plain scan, for every count: the bisection must find the same span.
static void test_keyframe_search(void **state) {
    (void)state;
    cdg_random random = {3};
    cdg_keyframe keyframes[20];
    for (size_t count = 1; count <= 20; count++) {
        for (size_t k = 0; k < count; k++)
            keyframes[k] = (cdg_keyframe){(double)k + random_in(&random, 0, 0.9), random_in(&random, -1, 1)};
        cdg_load_def load = cdg_load_def_default();
        load.from = load.to = -10;
        load.keyframes = keyframes;
        load.keyframe_count = count;
        for (int i = 0; i < 200; i++) {
            double time = random_in(&random, -1, (double)count + 1);
            double expected = keyframes[count - 1].factor;
            if (time < keyframes[0].time) expected = keyframes[0].factor;
            for (size_t k = 0; k + 1 < count; k++) {
                const cdg_keyframe *a = &keyframes[k], *b = a + 1;
                if (time >= a->time && time < b->time)
                    expected = ((b->time - time) * a->factor + (time - a->time) * b->factor) / (b->time - a->time);
            }
            assert_near(cdg_load_factor(&load, time), expected, 1e-13);
        }
    }
}

// ---- mean over a step -----------------------------------------------------------------------------------------------

// Against midpoints of a great many parts, for windows, ramps and keyframes in all orders, inside and outside the step.
static void test_mean_is_the_integral(void **state) {
    (void)state;
    enum { PARTS = 20000 };
    cdg_random random = {17};
    for (int round = 0; round < 60; round++) {
        cdg_keyframe keyframes[6];
        cdg_load_def load = cdg_load_def_default();
        load.from = random_in(&random, -1, 2);
        load.to = load.from + random_in(&random, -0.5, 1);
        load.ramp = round % 3 == 0 ? 0 : random_in(&random, 0, 1);
        load.keyframes = keyframes;
        load.keyframe_count = (size_t)round % 7;
        for (size_t k = 0; k < load.keyframe_count; k++)
            keyframes[k] = (cdg_keyframe){0.3 * (double)k + random_in(&random, 0, 0.2), random_in(&random, -1, 1)};
        double begin = random_in(&random, 0, 1), end = begin + random_in(&random, 0.01, 1), sum = 0;
        for (int i = 0; i < PARTS; i++)
            sum += cdg_load_factor(&load, begin + (i + 0.5) / PARTS * (end - begin)) / PARTS;
        assert_near(cdg_load_mean_factor(&load, begin, end), sum, 2.0 / PARTS); // each jump is off by half a part
    }
}

// A pulse is there in full however it lies to the steps, and their means add up to it.
static void test_means_add_up(void **state) {
    (void)state;
    const cdg_keyframe keyframes[] = {{0.0105, 0}, {0.0125, 1}, {0.0145, 0}};
    cdg_load_def window = cdg_load_def_default(), push = cdg_load_def_default();
    window.from = 0.0112, window.to = 0.0122;
    push.keyframes = keyframes, push.keyframe_count = 3;
    const double steps[] = {5e-3, 1e-3, 7.3e-4, 0.1};
    for (int s = 0; s < 4; s++) {
        double of_window = 0, of_push = 0;
        for (int i = 0; i * steps[s] < 0.1; i++) {
            of_window += steps[s] * cdg_load_mean_factor(&window, i * steps[s], (i + 1) * steps[s]);
            of_push += steps[s] * cdg_load_mean_factor(&push, i * steps[s], (i + 1) * steps[s]);
        }
        assert_near(of_window, 1e-3, 1e-15);
        assert_near(of_push, 2e-3, 1e-15);
    }
    assert_near(cdg_load_mean_factor(&window, 0.0112, 0.0112), 1, 0); // no time: the value then
}

// ---- forces ---------------------------------------------------------------------------------------------------------

typedef struct fixture {
    cdg_random random;
    world_rod rods[3];
    world_load loads[LOADS_MAX];
    cdg_world world;
    double arrays[6][ELEMENTS + 1];
    cdg_rod_loads out;
} fixture;

static int make_fixture(void **state) { // rod 0 is open, rod 1 closed, rod 2 a single element
    fixture *f = calloc(1, sizeof *f);
    assert_non_null(f);
    f->random.state = 23;
    for (uint32_t i = 0; i < 3; i++) f->rods[i].rod = hand_rod(&f->random, i < 2 ? ELEMENTS : 1, i == 1);
    hand_world(&f->world, f->rods, 3);
    f->world.loads = f->loads;
    for (int k = 0; k < 3; k++) {
        f->out.force[k] = f->arrays[k];
        f->out.torque[k] = f->arrays[k + 3];
    }
    *state = f;
    return 0;
}

static int free_fixture(void **state) {
    fixture *f = *state;
    for (int i = 0; i < 3; i++) hand_rod_free(f->rods[i].rod);
    free(f);
    return 0;
}

static void remove_all(fixture *f) {
    f->world.load_count = 0;
    f->world.first_load_of_every = CDG_NO_INDEX;
    for (int i = 0; i < 3; i++) f->rods[i].first_load = CDG_NO_INDEX;
}

static cdg_load_def *add(fixture *f, cdg_load_kind kind, cdg_place place, cdg_vec3 value) {
    cdg_load_def *load = &f->loads[f->world.load_count++].def;
    *load = cdg_load_def_default();
    load->kind = kind;
    load->place = place;
    load->value = value;
    hand_chain_load(&f->world);
    return load;
}

static void apply(fixture *f, uint32_t rod_index, double time, double step) {
    for (int k = 0; k < 6; k++)
        for (int i = 0; i <= ELEMENTS; i++) f->arrays[k][i] = 1e30; // apply must start from zero
    cdg_loads_apply(&f->world, rod_index, time, step, &f->out);
}

static cdg_vec3 sum_force(const fixture *f, const cdg_rod *rod) {
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t i = 0; i < rod->node_count; i++) sum = vec3_add(sum, rod_vec3(f->out.force, i));
    return sum;
}

static cdg_vec3 sum_moment(const fixture *f, const cdg_rod *rod) { // of the torques, world axes
    cdg_vec3 sum = vec3(0, 0, 0);
    for (size_t j = 0; j < rod->element_count; j++)
        sum = vec3_add(sum, quat_rotate(rod_quat(rod->q, j), rod_vec3(f->out.torque, j)));
    return sum;
}

static size_t loaded_count(double *const a[3], size_t count) {
    size_t loaded = 0;
    for (size_t i = 0; i < count; i++) loaded += vec3_norm(rod_vec3(a, i)) > 0;
    return loaded;
}

static void test_gravity_weighs_every_node(void **state) {
    fixture *f = *state;
    f->world.def.gravity = vec3(1, -2, -9.81);
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        apply(f, r, 0.1, 0.1);
        assert_vec3_near(sum_force(f, rod), vec3_scale(rod->mass, f->world.def.gravity), 1e-13);
        for (size_t i = 0; i < rod->node_count; i++)
            assert_vec3_near(rod_vec3(f->out.force, i), vec3_scale(rod->node_mass[i], f->world.def.gravity), 1e-15);
        assert_int_equal(loaded_count(f->out.torque, rod->element_count), 0);
        assert_near(rod->drag_rate, 0, 0);
    }
}

static void test_point_force(void **state) {
    fixture *f = *state;
    cdg_vec3 value = vec3(1, 2, 3);
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            remove_all(f);
            add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_NODE, i), value);
            apply(f, r, 0.1, 0.1);
            assert_vec3_near(rod_vec3(f->out.force, i), value, 0);
            assert_int_equal(loaded_count(f->out.force, rod->node_count), 1);
        }
        for (size_t j = 0; j < rod->element_count; j++) {
            remove_all(f);
            add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_ELEMENT, j), value);
            apply(f, r, 0.1, 0.1);
            assert_vec3_near(rod_vec3(f->out.force, j), vec3_scale(0.5, value), 0);
            assert_vec3_near(rod_vec3(f->out.force, rod_next_node(rod, j)), vec3_scale(0.5, value), 0);
            assert_vec3_near(sum_force(f, rod), value, 0);
            assert_int_equal(loaded_count(f->out.torque, rod->element_count), 0);
        }
    }
}

static void test_moment_is_shared_by_the_elements_beside(void **state) {
    fixture *f = *state;
    cdg_vec3 value = vec3(1, -2, 0.5);
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        for (size_t i = 0; i < rod->node_count; i++) {
            remove_all(f);
            add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_NODE, i), value);
            apply(f, r, 0.1, 0.1);
            bool is_end = !rod->is_closed && (i == 0 || i == rod->element_count);
            assert_int_equal(loaded_count(f->out.torque, rod->element_count), is_end ? 1 : 2);
            assert_vec3_near(sum_moment(f, rod), value, 1e-14);
            size_t left = rod_left_element(rod, i);
            if (left != SIZE_MAX)
                assert_near(vec3_norm(rod_vec3(f->out.torque, left)), vec3_norm(value) * (is_end ? 1 : 0.5), 1e-14);
            assert_int_equal(loaded_count(f->out.force, rod->node_count), 0);
        }
        for (size_t j = 0; j < rod->element_count; j++) {
            remove_all(f);
            add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_ELEMENT, j), value);
            apply(f, r, 0.1, 0.1);
            assert_int_equal(loaded_count(f->out.torque, rod->element_count), 1);
            assert_vec3_near(rod_vec3(f->out.torque, j), quat_rotate_inverse(rod_quat(rod->q, j), value), 1e-14);
        }
    }
}

static void test_line_load_adds_up_to_the_length(void **state) {
    fixture *f = *state;
    add(f, CDG_LOAD_LINE, (cdg_place){0}, vec3(0, 3, -1)); // every rod
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        apply(f, r, 0.1, 0.1);
        assert_vec3_near(sum_force(f, rod), vec3_scale(rod->length, vec3(0, 3, -1)), 1e-13);
        assert_near(f->out.force[1][0], 3 * rod_cell_length(rod, 0), 1e-14);
    }
}

// A couple along the rod adds up to its length, in world axes or in the elements' own.
static void test_line_moment_adds_up_to_the_length(void **state) {
    fixture *f = *state;
    const cdg_vec3 value = {2, 3, -1};
    for (int follows = 0; follows < 2; follows++) {
        remove_all(f);
        add(f, CDG_LOAD_LINE_MOMENT, (cdg_place){0}, value)->follows = follows;
        for (uint32_t r = 0; r < 3; r++) {
            const cdg_rod *rod = f->rods[r].rod;
            apply(f, r, 0.1, 0.1);
            assert_vec3_near(sum_force(f, rod), vec3(0, 0, 0), 0);
            for (size_t j = 0; j < rod->element_count; j++) {
                cdg_vec3 own = follows ? value : quat_rotate_inverse(rod_quat(rod->q, j), value);
                assert_vec3_near(rod_vec3(f->out.torque, j), vec3_scale(rod->rest_length[j], own), 1e-13);
            }
        }
    }
}

static void test_loads_reach_their_rod_only(void **state) {
    fixture *f = *state;
    add(f, CDG_LOAD_LINE, hand_place(1, CDG_PLACE_NODE, 0), vec3(1, 0, 0));
    add(f, CDG_LOAD_LINE, (cdg_place){0}, vec3(0, 1, 0));
    add(f, CDG_LOAD_LINE, hand_place(0, CDG_PLACE_NODE, 0), vec3(0, 0, 1));
    add(f, CDG_LOAD_LINE, hand_place(1, CDG_PLACE_NODE, 0), vec3(1, 0, 0));
    const cdg_vec3 expected[3] = {{0, 1, 1}, {2, 1, 0}, {0, 1, 0}};
    for (uint32_t r = 0; r < 3; r++) {
        apply(f, r, 0.1, 0.1);
        assert_vec3_near(sum_force(f, f->rods[r].rod), vec3_scale(f->rods[r].rod->length, expected[r]), 1e-13);
    }
}

static void test_factor_scales_every_kind(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    add(f, CDG_LOAD_FORCE, hand_place(0, CDG_PLACE_NODE, 2), vec3(4, 0, 0))->ramp = 4;
    add(f, CDG_LOAD_MOMENT, hand_place(0, CDG_PLACE_ELEMENT, 2), vec3(0, 4, 0))->ramp = 4;
    cdg_load_def *drag = add(f, CDG_LOAD_DRAG, hand_place(0, CDG_PLACE_NODE, 0), vec3(0, 0, 0));
    drag->drag_rate = 8;
    drag->ramp = 4;
    add(f, CDG_LOAD_DRAG, (cdg_place){0}, vec3(0, 0, 0))->drag_rate = 0.5;
    apply(f, 0, 1.05, 0.1);
    assert_vec3_near(sum_force(f, rod), vec3(1, 0, 0), 1e-14); // the mean of 0.95 and 1.05
    assert_vec3_near(sum_moment(f, rod), vec3(0, 1, 0), 1e-14);
    assert_near(rod->drag_rate, 2.5, 1e-14);
    apply(f, 0, 1.05, 0.1); // set, not added to
    assert_near(rod->drag_rate, 2.5, 1e-14);
    apply(f, 1, 1.05, 0.1);
    assert_near(f->rods[1].rod->drag_rate, 0.5, 0);
    drag->from = 3;
    apply(f, 0, 1.05, 0.1);
    assert_near(rod->drag_rate, 0.5, 0);
}

static void test_following_loads_turn_with_the_rod(void **state) {
    fixture *f = *state;
    cdg_vec3 value = vec3(1, 2, 3);
    for (uint32_t r = 0; r < 2; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        remove_all(f);
        add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_ELEMENT, 3), value)->follows = true;
        add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_ELEMENT, 4), value)->follows = true;
        apply(f, r, 0.1, 0.1);
        assert_vec3_near(sum_force(f, rod), quat_rotate(rod_quat(rod->q, 3), value), 1e-14);
        assert_vec3_near(rod_vec3(f->out.torque, 4), value, 1e-14);

        // At a node: the frame halfway between its neighbours, whichever sign their quaternions have.
        cdg_quat half = quat_multiply(rod_quat(rod->q, 2),
                                      quat_power(quat_relative(rod_quat(rod->q, 2), rod_quat(rod->q, 3)), 0.5));
        for (int sign = 0; sign < 2; sign++) {
            remove_all(f);
            rod_set_quat(rod->q, 3, quat_negate(rod_quat(rod->q, 3)));
            add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_NODE, 3), value)->follows = true;
            add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_NODE, 3), value)->follows = true;
            apply(f, r, 0.1, 0.1);
            assert_vec3_near(sum_force(f, rod), quat_rotate(half, value), 1e-13);
            assert_vec3_near(sum_moment(f, rod), quat_rotate(half, value), 1e-13);
        }
    }
    const cdg_rod *open = f->rods[0].rod;
    remove_all(f);
    add(f, CDG_LOAD_FORCE, hand_place(0, CDG_PLACE_NODE, ELEMENTS), value)->follows = true;
    apply(f, 0, 0.1, 0.1);
    assert_vec3_near(sum_force(f, open), quat_rotate(rod_quat(open->q, ELEMENTS - 1), value), 1e-14);
}

// Power of each load as a user would compute it: force . velocity there, moment . spin there, line load . velocity.
static void test_power_is_force_times_velocity(void **state) {
    fixture *f = *state;
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        remove_all(f);
        cdg_vec3 force = random_vec3(&f->random, 1), moment = random_vec3(&f->random, 1);
        add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_ELEMENT, 0), force);
        add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_ELEMENT, 0), moment);
        apply(f, r, 0.1, 0.1);
        double power = 0;
        for (size_t i = 0; i < rod->node_count; i++) power += vec3_dot(rod_vec3(f->out.force, i), rod_vec3(rod->v, i));
        for (size_t j = 0; j < rod->element_count; j++)
            power += vec3_dot(rod_vec3(f->out.torque, j), rod_vec3(rod->w, j));
        cdg_vec3 middle = vec3_lerp(rod_vec3(rod->v, 0), rod_vec3(rod->v, rod_next_node(rod, 0)), 0.5);
        cdg_vec3 spin = quat_rotate(rod_quat(rod->q, 0), rod_vec3(rod->w, 0));
        assert_near(power, vec3_dot(force, middle) + vec3_dot(moment, spin), 1e-13);
    }
}

// Turning the world, its loads in world axes along, turns the forces and leaves the torques (material frame) alone.
static void test_everything_is_equivariant(void **state) {
    fixture *f = *state;
    cdg_quat turn = random_rotation(&f->random);
    cdg_vec3 shift = random_vec3(&f->random, 3);
    f->world.def.gravity = vec3(0, 0, -9.81);
    for (uint32_t r = 0; r < 2; r++) {
        remove_all(f);
        add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_NODE, 2), random_vec3(&f->random, 1));
        add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_NODE, 0), random_vec3(&f->random, 1));
        add(f, CDG_LOAD_LINE, (cdg_place){0}, random_vec3(&f->random, 1));
        add(f, CDG_LOAD_WIND, (cdg_place){0}, random_vec3(&f->random, 5));
        add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_NODE, 4), random_vec3(&f->random, 1))->follows = true;
        add(f, CDG_LOAD_LINE, (cdg_place){0}, random_vec3(&f->random, 1))->follows = true;
        add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_NODE, 5), random_vec3(&f->random, 1))->follows = true;
        cdg_rod *rod = f->rods[r].rod;
        apply(f, r, 0.1, 0.1);
        cdg_vec3 force[ELEMENTS + 1], torque[ELEMENTS];
        for (size_t i = 0; i < rod->node_count; i++) force[i] = rod_vec3(f->out.force, i);
        for (size_t j = 0; j < rod->element_count; j++) torque[j] = rod_vec3(f->out.torque, j);
        double work = cdg_loads_work(&f->world, r, 0, &f->out);

        cdg_vec3 gravity = f->world.def.gravity;
        f->world.def.gravity = quat_rotate(turn, gravity);
        for (size_t k = 0; k < f->world.load_count; k++)
            if (!f->loads[k].def.follows) f->loads[k].def.value = quat_rotate(turn, f->loads[k].def.value);
        hand_rod_transform(rod, turn, shift);
        apply(f, r, 0.1, 0.1);
        for (size_t i = 0; i < rod->node_count; i++)
            assert_vec3_near(rod_vec3(f->out.force, i), quat_rotate(turn, force[i]), 1e-12);
        for (size_t j = 0; j < rod->element_count; j++) assert_vec3_near(rod_vec3(f->out.torque, j), torque[j], 1e-13);
        assert_near(cdg_loads_work(&f->world, r, 0, &f->out), work, 1e-12);
        f->world.def.gravity = gravity;
    }
}

// ---- wind -----------------------------------------------------------------------------------------------------------

static void straighten(cdg_rod *rod, cdg_vec3 direction, cdg_vec3 velocity) {
    double s = 0;
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, vec3_scale(s, direction));
        rod_set_vec3(rod->v, i, velocity);
        if (i < rod->element_count) s += rod->rest_length[i];
    }
}

static void test_wind_on_a_straight_rod(void **state) {
    fixture *f = *state;
    cdg_rod *rod = f->rods[0].rod;
    cdg_vec3 direction = vec3(0, 0, 1), air = vec3(3, 4, 7), velocity = vec3(0.5, 0, -2);
    straighten(rod, direction, velocity);
    cdg_load_def *wind = add(f, CDG_LOAD_WIND, hand_place(0, CDG_PLACE_NODE, 0), air);
    wind->fluid_density = 1.3;
    wind->drag_coefficient = 1.1;
    apply(f, 0, 0, 0); // a step of zero: the plain quadratic law
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 normal = vec3(2.5, 4, 0);
        double scale = 0.5 * 1.3 * 1.1 * 2 * rod->radius[i] * rod_cell_length(rod, i) * vec3_norm(normal);
        assert_vec3_near(rod_vec3(f->out.force, i), vec3_scale(scale, normal), 1e-13);
    }
    wind->value = vec3(0.5, 0, 9); // along the rod only: nothing
    apply(f, 0, 0, 0);
    assert_vec3_near(sum_force(f, rod), vec3(0, 0, 0), 1e-15);
    wind->value = air;
    wind->ramp = 2; // scales the air's velocity: at a half, the force is not a half
    apply(f, 0, 1, 0);
    cdg_vec3 normal = vec3(1, 2, 0);
    double scale = 1.3 * 1.1 * rod->radius[2] * rod_cell_length(rod, 2) * vec3_norm(normal);
    assert_vec3_near(rod_vec3(f->out.force, 2), vec3_scale(scale, normal), 1e-13);
    wind->to = 0.5;
    apply(f, 0, 1, 0);
    assert_int_equal(loaded_count(f->out.force, rod->node_count), 0); // over: not even still air
}

// However dense the fluid, long the step and many the winds: the velocity after the step lies between what it was and
// the air's, so |v - air| never grows.
static void test_wind_never_overshoots(void **state) {
    fixture *f = *state;
    cdg_rod *rod = f->rods[0].rod;
    for (int round = 0; round < 300; round++) {
        remove_all(f);
        cdg_vec3 air = random_vec3(&f->random, 20);
        int count = 1 + round % 5;
        for (int k = 0; k < count; k++)
            add(f, CDG_LOAD_WIND, (cdg_place){0}, air)->fluid_density = pow(10, random_in(&f->random, -2, 6));
        double step = pow(10, random_in(&f->random, -4, 2));
        apply(f, 0, step, step);
        for (size_t i = 0; i < rod->node_count; i++) {
            cdg_vec3 v = rod_vec3(rod->v, i);
            cdg_vec3 change = vec3_scale(step / rod->node_mass[i], rod_vec3(f->out.force, i));
            cdg_vec3 relative = vec3_sub(v, air), after = vec3_add(relative, change);
            assert_true(vec3_dot(change, relative) <= 1e-12);
            assert_true(vec3_norm(after) <= vec3_norm(relative) * (1 + 1e-12));
            assert_true(vec3_dot(vec3_add(relative, change), change) <= 1e-9); // stops short of the air's velocity
        }
    }
}

// Half a step of wind pushes half as much; a gust that rises and falls within it, by the mean of its square.
static void test_gusts_within_a_step(void **state) {
    fixture *f = *state;
    const cdg_rod *rod = f->rods[0].rod;
    straighten(f->rods[0].rod, vec3(1, 0, 0), vec3(0, 0, 0));
    for (size_t i = 0; i < rod->node_count; i++) rod->node_mass[i] = 1e9; // does not yield to it
    const cdg_keyframe keyframes[] = {{0.3, 0}, {0.5, 1}, {0.7, 0}};
    f->world.def.gravity = vec3(0, 0, 0);
    cdg_load_def *wind = add(f, CDG_LOAD_WIND, (cdg_place){0}, vec3(0, 3, 0));
    apply(f, 0, 1, 0);
    double full = sum_force(f, rod).y;
    assert_true(full > 0);
    wind->from = 0.25, wind->to = 0.75;
    apply(f, 0, 1, 1);
    assert_near(sum_force(f, rod).y, 0.5 * full, 1e-8 * full);
    wind->from = wind->to = 0;
    wind->keyframes = keyframes, wind->keyframe_count = 3;
    apply(f, 0, 1, 1);
    assert_near(sum_force(f, rod).y, 0.4 / 3 * full, 1e-8 * full);
}

static void test_wind_on_a_closed_and_a_folded_rod(void **state) {
    fixture *f = *state;
    add(f, CDG_LOAD_WIND, (cdg_place){0}, vec3(0, 0, 5));
    cdg_rod *ring = f->rods[1].rod;
    for (size_t i = 0; i < ring->node_count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)ring->node_count;
        rod_set_vec3(ring->x, i, vec3(cos(angle), sin(angle), 0));
        rod_set_vec3(ring->v, i, vec3(0, 0, 0));
    }
    apply(f, 1, 0.01, 0.01);
    for (size_t i = 0; i < ring->node_count; i++) assert_true(f->out.force[2][i] > 0); // broadside everywhere
    for (size_t i = 0; i < ring->node_count; i++) // spinning in its own tangent: no normal part, so no in-plane force
        rod_set_vec3(ring->v, i, vec3(-ring->x[1][i], ring->x[0][i], 0));
    apply(f, 1, 0.01, 0.01);
    for (size_t i = 0; i < ring->node_count; i++) assert_near(hypot(f->out.force[0][i], f->out.force[1][i]), 0, 1e-14);

    cdg_rod *folded = f->rods[0].rod;
    rod_set_vec3(folded->x, 2, rod_vec3(folded->x, 0)); // node 1 has no direction
    apply(f, 0, 0.01, 0.01);
    assert_true(vec3_is_finite(rod_vec3(f->out.force, 1)));
}

// ---- work -----------------------------------------------------------------------------------------------------------

static void test_work_leaves_gravity_out(void **state) {
    fixture *f = *state;
    f->world.def.gravity = vec3(1, 2, -9.81);
    for (uint32_t r = 0; r < 3; r++) {
        const cdg_rod *rod = f->rods[r].rod;
        remove_all(f);
        apply(f, r, 0.1, 0.1);
        assert_near(cdg_loads_work(&f->world, r, 0, &f->out), 0, 1e-14);
        cdg_vec3 force = vec3(3, -1, 2), moment = vec3(-1, 0.5, 2);
        add(f, CDG_LOAD_FORCE, hand_place(r, CDG_PLACE_NODE, 1 % rod->node_count), force);
        add(f, CDG_LOAD_MOMENT, hand_place(r, CDG_PLACE_ELEMENT, 0), moment);
        apply(f, r, 0.1, 0.1);
        cdg_vec3 displacement = vec3_sub(rod_vec3(rod->x_next, 1), rod_vec3(rod->x, 1));
        cdg_vec3 rotation = quat_log(quat_multiply(rod_quat(rod->q_next, 0), quat_conjugate(rod_quat(rod->q, 0))));
        double expected = vec3_dot(force, displacement) + vec3_dot(moment, rotation);
        assert_near(cdg_loads_work(&f->world, r, 0, &f->out), expected, 1e-13);
        rod_set_quat(rod->q_next, 0, quat_negate(rod_quat(rod->q_next, 0))); // the same rotation
        assert_near(cdg_loads_work(&f->world, r, 0, &f->out), expected, 1e-13);
    }
}

int main(void) {
#define WITH_FIXTURE(test) cmocka_unit_test_setup_teardown(test, make_fixture, free_fixture)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interval),
        cmocka_unit_test(test_ramp),
        cmocka_unit_test(test_keyframes),
        cmocka_unit_test(test_keyframe_search),
        cmocka_unit_test(test_mean_is_the_integral),
        cmocka_unit_test(test_means_add_up),
        WITH_FIXTURE(test_gravity_weighs_every_node),
        WITH_FIXTURE(test_point_force),
        WITH_FIXTURE(test_moment_is_shared_by_the_elements_beside),
        WITH_FIXTURE(test_line_load_adds_up_to_the_length),
        WITH_FIXTURE(test_line_moment_adds_up_to_the_length),
        WITH_FIXTURE(test_loads_reach_their_rod_only),
        WITH_FIXTURE(test_factor_scales_every_kind),
        WITH_FIXTURE(test_following_loads_turn_with_the_rod),
        WITH_FIXTURE(test_power_is_force_times_velocity),
        WITH_FIXTURE(test_everything_is_equivariant),
        WITH_FIXTURE(test_wind_on_a_straight_rod),
        WITH_FIXTURE(test_wind_never_overshoots),
        WITH_FIXTURE(test_gusts_within_a_step),
        WITH_FIXTURE(test_wind_on_a_closed_and_a_folded_rod),
        WITH_FIXTURE(test_work_leaves_gravity_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
