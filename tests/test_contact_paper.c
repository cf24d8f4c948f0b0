// Contact forces in closed form: what the equations say, momentum to rounding, friction by Coulomb's law.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/contact_paper.h"
#include "math/random.h"
#include "near.h"
#include "surface_case.h"

static const double thickness = 0.02;

static cdg_contact_input input_of(const cloth_world *world) {
    return (cdg_contact_input){.def = &world->def,
                               .obstacles = world->obstacles,
                               .obstacle_count = world->obstacle_count,
                               .step = 1,
                               .time = 1};
}

// Candidates of a step of 1 s, found and answered.
static void answer(cloth_world *world) {
    world->def.response = CDG_RESPONSE_PAPER;
    cdg_contact_input input = input_of(world);
    assert_int_equal(cloth_build(world), CDG_OK);
    for (size_t i = 0; i < world->count; i++) cloth_predict(NULL, world->cloths[i], world->gravity, 1);
    cdg_pieces_load(&world->contacts.pieces, 1);
    world->outcome = (cdg_contact_outcome){0};
    assert_int_equal(cdg_contacts_answer_by_paper(&world->contacts, &input, &world->outcome, &world->error), CDG_OK);
}

static void masses_share_the_way_out(void **state) {
    (void)state;
    // m alpha of (5.12): alpha = S/(c m + S).
    double c = 0.4, own = 3, others = 5;
    assert_near(cdg_paper_stiffness(c, own, others), own * others / (c * own + others), 1e-15);
    assert_near(cdg_paper_stiffness(c, own, HUGE_VAL), own, 0); // alpha is 1
    assert_near(cdg_paper_stiffness(c, own, 1e15), own, 1e-9);
    assert_near(cdg_paper_stiffness(c, HUGE_VAL, others), others / c, 0); // alpha m is S/c
    assert_near(cdg_paper_stiffness(c, 1e15, others), others / c, 1e-9);
    assert_near(cdg_paper_stiffness(c, HUGE_VAL, HUGE_VAL), 0, 0);
}

// Of two sheets that face each other, the upper lies `depth` too deep.
static void start_sheets(cloth_world *world, cloth *low, cloth *high, double depth) {
    cloth_sheet(low, 3, 0.25, thickness);
    cloth_sheet(high, 3, 0.25, thickness);
    cloth_place(high, quat_from_axis_angle(vec3(1, 0, 0), 3.14159265358979323846), vec3(0, 0, 2 * thickness - depth),
                vec3(0, 0, 0));
    *world = (cloth_world){.cloths = {low, high}, .count = 2};
}

static void matching_meshes_part_in_one_step(void **state) {
    (void)state;
    static cloth low, high;
    cloth_world world;
    const double depth = 0.01;
    start_sheets(&world, &low, &high, depth);
    answer(&world);
    const cdg_pieces *p = &world.contacts.pieces;
    assert_int_equal(world.contacts.count, 32); // every point has passed a corner of the other sheet
    for (size_t k = 1; k < p->first_body_point; k++) assert_near(fabs(p->next[k].z - p->free[k].z), depth / 2, 1e-12);
    assert_true(world.outcome.deepest < 1e-9);
    cloth_free(&world);
}

// A lone corner in a face, masses alike: c = 1 and 3/4, S = 3/4, alpha = 3/7, of which half remains; the face's corners
// go a third of that each. So 2/7 of the depth is taken away in a step.
static void a_lone_corner_keeps_most_of_its_depth(void **state) {
    (void)state;
    static cloth low, high;
    cloth_world world = {.cloths = {&low, &high}, .count = 2};
    cloth_sheet(&low, 1, 1, thickness);
    cloth_tetrahedron(&high, thickness);
    cdg_vec3 corner = vec3_normalize(cloth_at(high.x, 0)), axis = vec3_normalize(vec3_cross(corner, vec3(0, 0, -1)));
    cdg_quat turn = quat_from_axis_angle(axis, acos(-corner.z)); // corner 0 points down
    const double depth = 0.01;
    cloth_place(&high, turn, vec3(-1.0 / 6, -1.0 / 6, 0.6123724356957945 + 2 * thickness - depth), vec3(0, 0, 0));
    answer(&world);
    assert_int_equal(world.contacts.count, 1);
    assert_near(world.contacts.list[0].gap, -depth * 5 / 7, 1e-9);
    assert_near(world.outcome.deepest, depth * 5 / 7 / thickness, 1e-7);
    cloth_free(&world);
}

// The equations as they are written, with H as a matrix.
static void forces_are_those_of_the_equations(void **state) {
    (void)state;
    static cloth one, other;
    enum { POINTS = 9 };
    cdg_random random = {5};
    size_t several = 0;
    for (int n = 0; n < 2000; n++) {
        cloth_world world = {.cloths = {&one, &other}, .count = 2};
        cloth *cloths[2] = {&one, &other};
        for (int k = 0; k < 2; k++) {
            cloth_tetrahedron(cloths[k], thickness);
            cloths[k]->mass = random_in(&random, 0.1, 10);
            cloths[k]->held[0] = random_in(&random, 0, 1) < 0.1;
            cdg_quat turn = random_rotation(&random);
            cloth_place(cloths[k], turn, random_vec3(&random, 0.5 * k), vec3(0, 0, 0));
        }
        answer(&world);
        const cdg_contacts *c = &world.contacts;
        const cdg_pieces *p = &c->pieces;
        double h[POINTS][POINTS] = {{0}}, mass[POINTS], column[POINTS] = {0};
        cdg_vec3 depth[POINTS] = {{0}}, force[POINTS] = {{0}}, sum = {0, 0, 0};
        assert_int_equal(p->first_body_point, POINTS);
        for (size_t k = 1; k < POINTS; k++) mass[k] = p->give[k] > 0 ? 1 / p->give[k] : 1e14; // a held point: heavy
        for (size_t i = 0; i < c->count; i++) {
            uint32_t point[3], corner[3];
            cdg_surface_points(p, &c->list[i].side[0], point, NULL);
            cdg_surface_points(p, &c->list[i].side[1], corner, NULL);
            const double w[3] = {c->list[i].point[1].x, c->list[i].point[1].y, c->list[i].point[1].z};
            for (int k = 0; k < 3; k++) h[point[0]][corner[k]] = w[k], column[corner[k]] += w[k];
            // depth as it was: the way out is what the formula is given, the place is the projection
            cdg_vec3 between = p->free[point[0]];
            for (int k = 0; k < 3; k++) between = vec3_mad(between, -w[k], p->free[corner[k]]);
            double gap = vec3_dot(between, c->list[i].normal) - 2 * thickness;
            depth[point[0]] = vec3_scale(-gap, c->list[i].normal);
        }
        for (size_t i = 1; i < POINTS; i++) {
            double own = 1 / (1 + column[i]), others = 0;
            for (size_t j = 1; j < POINTS; j++) others += h[i][j] * mass[j] / (1 + column[j]);
            if (others == 0) continue;
            double alpha = others / (own * mass[i] + others);
            cdg_vec3 f = vec3_scale(mass[i] * alpha, depth[i]);
            force[i] = vec3_mad(force[i], 0.5, f);
            for (size_t j = 1; j < POINTS; j++) force[j] = vec3_mad(force[j], -0.5 * h[i][j], f);
        }
        double largest = 0;
        for (size_t k = 1; k < POINTS; k++) largest = fmax(largest, vec3_norm(force[k]));
        for (size_t k = 1; k < POINTS && largest < 1e10; k++) { // else two held ones: the equations know no such thing
            assert_true(vec3_distance(force[k], p->force[k]) <= 1e-9 * largest);
            sum = vec3_add(sum, p->force[k]);
        }
        assert_true(vec3_norm(sum) <= 1e-14 * largest);
        several += c->count > 1;
        cloth_free(&world);
    }
    assert_true(several > 100);
}

// A tetrahedron on a plane: what presses it is its points' weight, and the plane takes it all.
static void friction_sticks_below_the_cone_and_slides_on_it(void **state) {
    (void)state;
    static cloth one;
    cdg_obstacle_def def = cdg_obstacle_def_default();
    cdg_obstacle floor;
    cdg_error error;
    def.shape.kind = CDG_SHAPE_PLANE;
    def.shape.normal = vec3(0, 0, 1);
    assert_int_equal(cdg_obstacle_build(&def, "floor", &floor, &error), CDG_OK);
    for (int slides = 0; slides < 2; slides++) {
        const double pull = 1e-3, weight = 4e-3, friction = slides ? 0.2 : 0.3; // N, of points of 1 kg
        cloth_tetrahedron(&one, thickness);
        cloth_place(&one, quat(1, 0, 0, 0), vec3(0, 0, thickness + 0.35355339059327373), vec3(0, 0, 0));
        cloth_world world = {.cloths = {&one}, .count = 1, .obstacles = &floor, .obstacle_count = 1};
        world.def.friction = friction;
        world.gravity = vec3(pull, 0, -weight);
        answer(&world);
        assert_int_equal(world.contacts.count, 2);
        for (size_t i = 0; i < 2; i++) {
            const cdg_contact *it = &world.contacts.list[i];
            assert_int_equal(it->sticks, !slides);
            assert_near(it->force.z, weight, 1e-15);
            assert_near(it->force.x, slides ? -friction * weight : -pull, 1e-15);
        }
        cloth_free(&world);
    }
    cdg_obstacle_free(&floor);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(masses_share_the_way_out), cmocka_unit_test(matching_meshes_part_in_one_step),
        cmocka_unit_test(a_lone_corner_keeps_most_of_its_depth), cmocka_unit_test(forces_are_those_of_the_equations),
        cmocka_unit_test(friction_sticks_below_the_cone_and_slides_on_it)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
