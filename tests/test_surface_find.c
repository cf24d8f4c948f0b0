// Contacts of surfaces: nothing passes through, nothing lies in anything, momentum is kept, friction holds and slides.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/point_triangle.h"
#include "math/random.h"
#include "near.h"
#include "rounds.h"
#include "surface_case.h"

static const double thickness = 0.05; // of an edge

// ---- what the eye would see -----------------------------------------------------------------------------------------

typedef struct state_of {
    double x[3][CLOTH_POINTS];
} state_of;

// Whether on straight ways from one state to the other a vertex of one goes through a triangle of the other, or an edge
// through an edge. By looking at all pairs.
static cdg_moving_segment edge_of(const state_of *from, cloth *it, uint32_t n) {
    cdg_moving_segment s;
    for (int k = 0; k < 2; k++) {
        uint32_t i = it->spring[n][k];
        s.from[k] = vec3(from->x[0][i], from->x[1][i], from->x[2][i]);
        s.to[k] = cloth_at(it->x, i);
    }
    return s;
}

static cdg_box swept_box(const state_of *from, const cloth *it) {
    cdg_box box = {{HUGE_VAL, HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}};
    for (size_t i = 0; i < it->point_count; i++)
        for (int k = 0; k < 3; k++) {
            box.low[k] = fmin(box.low[k], fmin(from->x[k][i], it->x[k][i]) - thickness);
            box.high[k] = fmax(box.high[k], fmax(from->x[k][i], it->x[k][i]) + thickness);
        }
    return box;
}

static bool are_far(const state_of *a_from, const cloth *a, const state_of *b_from, const cloth *b) {
    cdg_box one = swept_box(a_from, a), other = swept_box(b_from, b);
    return !cdg_boxes_overlap(&one, &other);
}

static bool has_passed(const state_of *a_from, cloth *a, const state_of *b_from, cloth *b) {
    double time;
    for (uint32_t i = 0; i < a->point_count; i++)
        for (size_t t = 0; t < b->triangle_count; t++) {
            cdg_moving_triangle triangle;
            for (int k = 0; k < 3; k++) {
                uint32_t n = b->triangles[t][k];
                triangle.from[k] = vec3(b_from->x[0][n], b_from->x[1][n], b_from->x[2][n]);
                triangle.to[k] = cloth_at(b->x, n);
            }
            cdg_vec3 from = {a_from->x[0][i], a_from->x[1][i], a_from->x[2][i]};
            if (cdg_point_triangle_meet(from, cloth_at(a->x, i), &triangle, 1e-6, 1e-3, &time)) return true;
        }
    for (uint32_t n = 0; n < a->spring_count; n++)
        for (uint32_t m = 0; m < b->spring_count; m++) {
            cdg_moving_segment one = edge_of(a_from, a, n), other = edge_of(b_from, b, m);
            if (cdg_segments_meet(&one, &other, 1e-6, 1e-3, &time)) return true;
        }
    return false;
}

// How deep they lie in each other, m.
static double depth_of(cloth *a, cloth *b, double sum) {
    double deepest = 0;
    for (int turned = 0; turned < 2; turned++) {
        cloth *one = turned ? b : a, *other = turned ? a : b;
        for (uint32_t i = 0; i < one->point_count; i++)
            for (size_t t = 0; t < other->triangle_count; t++) {
                cdg_vec3 corners[3];
                for (int k = 0; k < 3; k++) corners[k] = cloth_at(other->x, other->triangles[t][k]);
                double distance = sqrt(cdg_point_triangle_closest(cloth_at(one->x, i), corners).distance2);
                deepest = fmax(deepest, sum - distance);
            }
    }
    for (uint32_t n = 0; n < a->spring_count; n++)
        for (uint32_t m = 0; m < b->spring_count; m++) {
            uint32_t *e = a->spring[n], *f = b->spring[m];
            cdg_closest near = cdg_segments_closest(cloth_at(a->x, e[0]), cloth_at(a->x, e[1]), cloth_at(b->x, f[0]),
                                                    cloth_at(b->x, f[1]));
            deepest = fmax(deepest, sum - sqrt(near.distance2));
        }
    return deepest;
}

static void remember(const cloth *it, state_of *out) { memcpy(out->x, it->x, sizeof out->x); }

typedef struct momentum {
    cdg_vec3 linear, angular;
    double scale, turn_scale;
} momentum;

static momentum momentum_of(const cloth_world *world) {
    momentum m = {{0, 0, 0}, {0, 0, 0}, 0, 0};
    for (size_t c = 0; c < world->count; c++)
        for (size_t i = 0; i < world->cloths[c]->point_count; i++) {
            cloth *it = world->cloths[c];
            cdg_vec3 p = vec3_scale(it->mass, cloth_at(it->v, i)), l = vec3_cross(cloth_at(it->x, i), p);
            m.linear = vec3_add(m.linear, p);
            m.angular = vec3_add(m.angular, l);
            m.scale += vec3_norm(p), m.turn_scale += vec3_norm(l);
        }
    if (world->body == NULL) return m;
    const cdg_body_now *now = &world->body->now;
    cdg_vec3 p = vec3_scale(world->body->mass.mass, now->v), l = vec3_add(vec3_cross(now->x, p), now->spin);
    m.linear = vec3_add(m.linear, p);
    m.angular = vec3_add(m.angular, l);
    m.scale += vec3_norm(p), m.turn_scale += vec3_norm(l);
    return m;
}

// By hand, with a test's name and a number, more of them (test_surface_find nothing_passes 1000).
static int throws = 60;

// ---- throws ---------------------------------------------------------------------------------------------------------

// Kinds of pairs that are thrown at each other.
enum { SHEET_AND_TETRAHEDRON, TETRAHEDRA, SHEETS, SHEET_AND_CHAIN, TETRAHEDRON_AND_CHAIN, PAIR_KINDS };

static void make_pair(int kind, cloth *a, cloth *b) {
    if (kind == SHEET_AND_CHAIN || kind == TETRAHEDRON_AND_CHAIN)
        cloth_chain(a, 3, 1, 0.05); // chains come first
    else if (kind == SHEETS)
        cloth_sheet(a, 2, 1, thickness);
    else
        cloth_tetrahedron(a, thickness);
    if (kind == TETRAHEDRA || kind == TETRAHEDRON_AND_CHAIN)
        cloth_tetrahedron(b, thickness);
    else
        cloth_sheet(b, kind == SHEETS ? 2 : 3, 1, thickness);
}

// What flies at 0.1 to 100 edges a step does not come through.
static void nothing_passes(void **state) {
    (void)state;
    static cloth a, b;
    int hits = 0, failures = 0;
    double deepest = 0;
    for (int n = 0; n < throws; n++) {
        cdg_random random = {7000 + (uint64_t)n};
        make_pair(n % PAIR_KINDS, &a, &b);
        a.stiffness = b.stiffness = 0.05;
        double speed = pow(10, random_in(&random, -1, 2));
        cdg_vec3 direction = vec3_normalize(random_vec3(&random, 1));
        double away = 4 + random_in(&random, 0, 1) * speed;
        cloth_place(&b, random_rotation(&random), vec3(0, 0, 0), vec3(0, 0, 0));
        cloth_place(&a, random_rotation(&random), vec3_mad(random_vec3(&random, 0.7), -away, direction),
                    vec3_scale(speed, direction));
        cloth_world world = {.cloths = {&a, &b}, .count = 2, .def = {.friction = 0.3 * (n % 3)}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        bool is_hit = false;
        int left = 4; // steps from the first hit on
        for (int step = 0; step < (int)(2 * away / speed) + 3 && left > 0; step++) {
            state_of was[2];
            remember(&a, &was[0]), remember(&b, &was[1]);
            int halvings = world.halvings;
            if (!cloth_step(&world, 1, 0)) {
                failures++;
                break;
            }
            is_hit = is_hit || world.outcome.count > 0;
            left -= is_hit;
            bool is_far = are_far(&was[0], &a, &was[1], &b);
            if (!is_far && world.halvings == halvings && has_passed(&was[0], &a, &was[1], &b)) {
                print_error("throw %d, step %d: passed at %g edges a step\n", n, step, speed);
                failures++;
                break;
            }
            if (!is_far) deepest = fmax(deepest, depth_of(&a, &b, 2 * thickness));
        }
        hits += is_hit;
        cloth_free(&world);
    }
    print_message("%d hits, deepest %.3g edges, %d failures\n", hits, deepest, failures);
    assert_true(2 * hits > throws);
    assert_int_equal(failures, 0);
    assert_true(deepest <= 1e-3);
}

// Blows of free surfaces keep linear and angular momentum.
static void momentum_is_kept(void **state) {
    (void)state;
    skip_when_sanitized();
    static cloth a, b;
    int hits = 0;
    for (int n = 0; n < 60; n++) {
        cdg_random random = {100 + (uint64_t)n};
        make_pair(n % 3, &a, &b);
        a.stiffness = b.stiffness = 0.05;
        double speed = 0.04;
        cloth_place(&b, random_rotation(&random), vec3(1, 2, 3), vec3(0.01, 0, 0));
        cloth_place(&a, random_rotation(&random), vec3_add(vec3(1, 2, 6.2), random_vec3(&random, 0.3)),
                    vec3(0.005, 0.01, -speed));
        cloth_world world = {.cloths = {&a, &b}, .count = 2, .def = {.friction = 0.5}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        momentum before = momentum_of(&world);
        for (int step = 0; step < 150; step++) {
            if (!cloth_step(&world, 1, 0)) fail_msg("%s", world.error.message);
            hits += world.outcome.count > 0;
        }
        momentum after = momentum_of(&world);
        assert_vec3_near(after.linear, before.linear, 1e-12 * before.scale);
        assert_vec3_near(after.angular, before.angular, 1e-10 * before.turn_scale);
        cloth_free(&world);
    }
    assert_true(hits > 100);
}

// ---- obstacles ------------------------------------------------------------------------------------------------------

static cdg_obstacle obstacle_of(cdg_obstacle_def def) {
    cdg_obstacle out;
    cdg_error error;
    assert_int_equal(cdg_obstacle_build(&def, "thing", &out, &error), CDG_OK);
    return out;
}

static cdg_vec3 cube_corners[8] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                   {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1}};
static uint32_t cube_faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};

static cdg_obstacle any_obstacle(int kind, cdg_random *random) {
    cdg_obstacle_def def = cdg_obstacle_def_default();
    def.shape.kind = (cdg_shape_kind)kind;
    def.shape.orientation = kind == CDG_SHAPE_PLANE ? (cdg_quat){1, 0, 0, 0} : random_rotation(random);
    def.shape.radius = 0.3, def.shape.length = 0.8;
    def.shape.size = vec3(0.5, 0.7, 0.2);
    cdg_vec3 small[8];
    for (int k = 0; k < 8; k++) small[k] = vec3_scale(0.2, cube_corners[k]);
    if (kind == CDG_SHAPE_MESH) {
        def.shape.mesh.points = small, def.shape.mesh.point_count = 8;
        def.shape.mesh.triangles = cube_faces, def.shape.mesh.triangle_count = 12;
    }
    return obstacle_of(def);
}

// How deep points of a surface, a grid on each triangle, lie in an obstacle, m.
static double depth_in(cloth *it, const cdg_obstacle *o) {
    enum { GRID = 8 };
    cdg_pose pose = cdg_obstacle_pose(o, 0);
    double deepest = 0;
    for (size_t t = 0; t < it->triangle_count; t++)
        for (int i = 0; i <= GRID; i++)
            for (int k = 0; k <= GRID - i; k++) {
                cdg_vec3 a = cloth_at(it->x, it->triangles[t][0]), b = cloth_at(it->x, it->triangles[t][1]),
                         c = cloth_at(it->x, it->triangles[t][2]);
                cdg_vec3 at = vec3_lerp(a, b, (double)i / GRID);
                at = vec3_mad(at, (double)k / GRID, vec3_sub(c, a));
                deepest = fmax(deepest, thickness - cdg_obstacle_distance(o, &pose, at).value);
            }
    return deepest;
}

// Obstacles of every shape, smaller than a triangle, thrown at from all around: they come through nowhere.
static void obstacles_are_not_passed(void **state) {
    (void)state;
    static cloth it;
    int hits = 0;
    double deepest = 0;
    for (int n = 0; n < throws; n++) {
        cdg_random random = {9000 + (uint64_t)n};
        int kind = n % (CDG_SHAPE_MESH + 1);
        if (n % 2 == 0)
            cloth_sheet(&it, 2, 1.5, thickness);
        else
            cloth_tetrahedron(&it, thickness);
        it.stiffness = 0.05;
        double speed = pow(10, random_in(&random, -1, 2)), away = 3 + random_in(&random, 0, 1) * speed;
        cdg_vec3 direction = vec3_normalize(random_vec3(&random, 1));
        if (kind == CDG_SHAPE_PLANE && direction.z > 0) direction = vec3_scale(-1, direction);
        cdg_vec3 from = vec3_mad(random_vec3(&random, 0.4), -away, direction);
        if (kind == CDG_SHAPE_PLANE) from.z += 3;
        cloth_place(&it, random_rotation(&random), from, vec3_scale(speed, direction));
        cdg_obstacle obstacle = any_obstacle(kind, &random);
        cloth_world world = {
            .cloths = {&it}, .count = 1, .obstacles = &obstacle, .obstacle_count = 1, .def = {.friction = 0.3}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        bool is_hit = false;
        int left = 4;
        for (int step = 0; step < (int)(2 * away / speed) + 3 && left > 0; step++) {
            if (!cloth_step(&world, 1, 0)) fail_msg("throw %d, kind %d: %s", n, kind, world.error.message);
            is_hit = is_hit || world.outcome.count > 0;
            left -= is_hit;
            double depth = depth_in(&it, &obstacle);
            if (depth > 1e-3)
                print_message("throw %d, kind %d, step %d: %g deep at %g a step\n", n, kind, step, depth, speed);
            deepest = fmax(deepest, depth);
        }
        hits += is_hit;
        cloth_free(&world);
        cdg_obstacle_free(&obstacle);
    }
    print_message("%d hits, deepest %.3g edges\n", hits, deepest);
    assert_true(3 * hits > throws);
    assert_true(deepest <= 1e-3);
}

// A sheet on a slope: below the angle of friction it stays where it is, above it slides as Coulomb says.
static void friction_holds_and_slides(void **state) {
    (void)state;
    static cloth it;
    for (int slides = 0; slides < 2; slides++) {
        cloth_sheet(&it, 3, 1, thickness);
        it.stiffness = 200, it.damping = 2;
        cloth_place(&it, (cdg_quat){1, 0, 0, 0}, vec3(0, 0, thickness), vec3(0, 0, 0));
        cdg_obstacle floor = obstacle_of(cdg_obstacle_def_default());
        double friction = 0.5, slope = slides ? 0.8 : 0.4, g = 9.81, step = 0.01;
        cloth_world world = {.cloths = {&it},
                             .count = 1,
                             .obstacles = &floor,
                             .obstacle_count = 1,
                             .gravity = vec3(g * sin(atan(slope)), 0, -g * cos(atan(slope))),
                             .def = {.friction = friction}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        cdg_vec3 start = cloth_at(it.x, 5);
        for (int n = 0; n < 200; n++)
            if (!cloth_step(&world, step, 0)) fail_msg("%s", world.error.message);
        double way = it.x[0][5] - start.x, a = g * (sin(atan(slope)) - friction * cos(atan(slope)));
        print_message("slope %g: %g m, Coulomb %g\n", slope, way, slides ? 0.5 * a * 4 : 0);
        if (slides) {
            assert_near(way, 0.5 * a * 4 * 1.005, 1e-3 * way); // sums of 200 steps
        } else {
            assert_true(fabs(way) < 1e-6);
        }
        assert_true(depth_in(&it, &floor) < 1e-3);
        cloth_free(&world);
        cdg_obstacle_free(&floor);
    }
}

// A heap of tetrahedra on a sheet that is held at its rim moves and rests, and nothing lies in anything.
static void heaps_lie_in_nothing(void **state) {
    (void)state;
    skip_when_sanitized();
    static cloth chain, sheet, one, two;
    cloth_chain(&chain, 4, 0.5, 0.05);
    cloth_sheet(&sheet, 4, 1, thickness);
    cloth_tetrahedron(&one, thickness);
    cloth_tetrahedron(&two, thickness);
    for (size_t i = 0; i < sheet.point_count; i++) sheet.held[i] = i < 5 || i >= 20 || i % 5 == 0 || i % 5 == 4;
    chain.stiffness = sheet.stiffness = one.stiffness = two.stiffness = 2000;
    chain.damping = sheet.damping = one.damping = two.damping = 20;
    cloth_place(&one, (cdg_quat){0.9, 0.3, 0.2, 0.1}, vec3(0.1, 0.2, 0.8), vec3(0, 0, 0));
    cloth_place(&two, (cdg_quat){0.7, 0.1, 0.5, 0.3}, vec3(0, 0.1, 2), vec3(0, 0, 0));
    cloth_place(&chain, (cdg_quat){1, 0, 0, 0.3}, vec3(0, -0.1, 3), vec3(0, 0, 0));
    cloth_world world = {
        .cloths = {&chain, &sheet, &one, &two}, .count = 4, .gravity = vec3(0, 0, -9.81), .def = {.friction = 0.6}};
    assert_int_equal(cloth_build(&world), CDG_OK);
    cloth *all[3] = {&sheet, &one, &two};
    for (int n = 0; n < 1500; n++) {
        if (!cloth_step(&world, 2e-3, 0)) fail_msg("step %d: %s", n, world.error.message);
        for (int i = 0; i < 3 && n % 10 == 0; i++) {
            for (int k = 0; k < i; k++) assert_true(depth_of(all[i], all[k], 2 * thickness) < 1e-3);
            assert_true(depth_of(&chain, all[i], thickness + 0.05) < 1e-3);
        }
    }
    double fastest = 0;
    for (size_t i = 0; i < one.point_count; i++) fastest = fmax(fastest, vec3_norm(cloth_at(one.v, i)));
    print_message("fastest %g m/s, contacts %zu\n", fastest, world.outcome.count);
    assert_true(world.outcome.count > 3);
    cloth_free(&world);
}

// Bodies of every shape that fly into free surfaces, smaller than a triangle and larger: momentum is kept, nothing lies
// in anything.
static void bodies_push_and_are_pushed(void **state) {
    (void)state;
    static cloth it;
    int hits = 0;
    for (int n = 0; n < 60; n++) {
        cdg_random random = {400 + (uint64_t)n};
        if (n % 2 == 0)
            cloth_sheet(&it, 2, 1.5, thickness);
        else
            cloth_tetrahedron(&it, thickness);
        it.stiffness = 0.05;
        double size = n % 3 == 0 ? 3 : 1;
        cdg_body_def def = cdg_body_def_default();
        def.shape.kind = (cdg_shape_kind)(CDG_SHAPE_SPHERE + n % (CDG_SHAPE_MESH - CDG_SHAPE_SPHERE));
        def.shape.radius = 0.2 * size, def.shape.length = 0.3 * size,
        def.shape.size = vec3(0.3 * size, 0.2 * size, 0.4 * size);
        def.density = 0, def.mass = 2;
        def.shape.position = vec3_add(vec3(0, 0, 3), random_vec3(&random, 0.3));
        def.shape.orientation = random_rotation(&random);
        def.velocity = vec3(0.004, 0, -0.02); // a tenth of the size in a step: then levers are those of the base
        def.angular_velocity = random_vec3(&random, 0.01);
        cdg_body body;
        assert_int_equal(cdg_body_build(&def, "body", &body, NULL), CDG_OK);
        cdg_obstacle_def form = cdg_obstacle_def_default();
        form.shape = def.shape;
        form.shape.position = vec3(0, 0, 0), form.shape.orientation = quat(1, 0, 0, 0);
        cdg_obstacle shape = obstacle_of(form);
        cloth_place(&it, random_rotation(&random), vec3(0, 0, 0), vec3(0, 0, 0));
        cloth_world world = {
            .cloths = {&it}, .count = 1, .body = &body, .body_shape = &shape, .def = {.friction = 0.5}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        momentum before = momentum_of(&world);
        bool is_hit = false;
        for (int step = 0; step < 220; step++) {
            if (!cloth_step(&world, 1, 0)) fail_msg("throw %d: %s", n, world.error.message);
            is_hit = is_hit || world.outcome.count > 0;
            cdg_obstacle moved = shape;
            moved.def.shape.position = cdg_body_origin(&body, &body.now), moved.def.shape.orientation = body.now.q;
            assert_true(depth_in(&it, &moved) < 1e-3);
        }
        hits += is_hit;
        momentum after = momentum_of(&world);
        assert_vec3_near(after.linear, before.linear, 1e-12 * before.scale);
        assert_vec3_near(after.angular, before.angular, 1e-10 * before.turn_scale);
        cloth_free(&world);
        cdg_obstacle_free(&shape);
        cdg_body_free(&body);
    }
    assert_true(hits > 30);
}

// Surfaces that are solved as a whole: a stiff sheet falls onto the floor and a tetrahedron onto it, far stiffer than
// explicit steps could bear; with and without a guess of their compliance. In the end the floor carries all.
static void implicit_surfaces_answer_as_a_whole(void **state) {
    (void)state;
    static cloth sheet, one;
    for (int says = 0; says < 2; says++) {
        cloth_sheet(&sheet, 3, 1, thickness);
        cloth_tetrahedron(&one, thickness);
        sheet.stiffness = one.stiffness = 1e5;
        cloth_place(&sheet, (cdg_quat){1, 0, 0, 0}, vec3(0, 0, 0.3), vec3(0, 0, 0));
        cloth_place(&one, (cdg_quat){0.9, 0.3, 0.2, 0.1}, vec3(0.1, 0.2, 1.4), vec3(0, 0, 0));
        cloth_make_implicit(&sheet, says == 1);
        cloth_make_implicit(&one, says == 1);
        cdg_obstacle floor = obstacle_of(cdg_obstacle_def_default());
        cloth_world world = {.cloths = {&sheet, &one},
                             .count = 2,
                             .obstacles = &floor,
                             .obstacle_count = 1,
                             .gravity = vec3(0, 0, -9.81),
                             .def = {.friction = 0.5}};
        assert_int_equal(cloth_build(&world), CDG_OK);
        double carried = 0, pressed = 0;
        for (int n = 0; n < 300; n++) {
            if (!cloth_step(&world, 5e-3, 0)) fail_msg("step %d: %s", n, world.error.message);
            assert_true(depth_of(&sheet, &one, 2 * thickness) < 1e-3);
            assert_true(depth_in(&sheet, &floor) < 1e-3);
            for (size_t i = 0; i < world.contacts.kept_count && n >= 200; i++) {
                const cdg_contact *contact = &world.contacts.kept[i];
                if (contact->side[1].kind == CDG_SIDE_OBSTACLE) carried += contact->force.z / 100;
                if (contact->side[1].kind != CDG_SIDE_OBSTACLE) pressed += fabs(contact->force.z) / 100;
            }
        }
        print_message("compliance %d: the floor carries %g N, the sheet %g N\n", says, carried, pressed);
        assert_near(carried, 20 * 9.81, 1e-2);
        assert_near(pressed, 4 * 9.81, 1e-2);
        cloth_free(&world);
        cdg_obstacle_free(&floor);
    }
}

// What goes through something at the start is refused, whatever its distances say.
static void crossings_at_the_start_are_refused(void **state) {
    (void)state;
    static cloth a, b;
    cloth_sheet(&a, 1, 4, thickness);
    cloth_tetrahedron(&b, thickness);
    cloth_world world = {.cloths = {&a, &b}, .count = 2};
    assert_int_equal(cloth_build(&world), CDG_OK);
    assert_false(cloth_step(&world, 1e-3, 0));
    assert_non_null(strstr(world.error.message, "goes through"));
    cloth_free(&world);
}

// A tetrahedron's face on a sheet, 1 % of the thickness too deep.
static void press(cloth_world *world, cloth *sheet, cloth *other) {
    cloth_sheet(sheet, 3, 1, 0.05);
    cloth_tetrahedron(other, 0.05);
    double low = HUGE_VAL;
    for (size_t i = 0; i < other->point_count; i++) low = fmin(low, other->x[2][i]);
    for (size_t i = 0; i < other->point_count; i++) other->x[2][i] += 0.1 - 5e-4 - low;
    cloth_predict(NULL, sheet, vec3(0, 0, 0), 1);
    cloth_predict(NULL, other, vec3(0, 0, 0), 1);
    *world = (cloth_world){.cloths = {sheet, other}, .count = 2};
    assert_int_equal(cloth_build(world), CDG_OK);
    cdg_pieces_load(&world->contacts.pieces, 1);
}

// An impact of an early round is kept, but where the two lie in each other now, it goes to where they do.
static void kept_impacts_go_to_the_nearest_points(void **state) {
    (void)state;
    static cloth sheet, other;
    cloth_world world;
    press(&world, &sheet, &other);
    cdg_contacts *c = &world.contacts;
    cdg_contact_def def = {0};
    cdg_contact_input input = {.def = &def, .step = 1, .time = 1};
    cdg_error error;
    assert_int_equal(cdg_contacts_find(c, &input, true, &error), CDG_OK);
    size_t chosen = 0;
    while (chosen < c->count && c->list[chosen].side[1].kind != CDG_SIDE_TRIANGLE) chosen++;
    assert_true(chosen < c->count);
    cdg_contact *impact = &c->list[chosen];
    const cdg_contact nearest = *impact;
    cdg_vec3 aside = vec3_sub(vec3(1.0 / 3, 1.0 / 3, 1.0 / 3), nearest.point[1]);
    impact->is_impact = true;
    impact->force = nearest.normal;
    impact->point[1] = vec3_mad(nearest.point[1], 0.5, aside);
    double off = vec3_norm(vec3_scale(0.5, aside));
    assert_true(off > 1e-2);
    const int rounds_of[3] = {5, 10, 20}; // later ones go there in shorter steps
    const double left[3] = {0.5, 0.75, 0.875};
    for (int n = 0; n < 3; n++) {
        c->round = rounds_of[n];
        off *= left[n];
        assert_int_equal(cdg_contacts_find(c, &input, false, &error), CDG_OK);
        const cdg_contact *found = NULL;
        for (size_t i = 0; i < c->count; i++)
            if (contact_compare_sides(c->list[i].side, nearest.side) == 0) found = &c->list[i];
        assert_non_null(found);
        assert_true(found->is_impact);
        assert_true(fabs(vec3_distance(found->point[1], nearest.point[1]) - off) < 1e-9);
    }
    cloth_free(&world);
}

// A sheet that falls onto another one with a corner first, and lies on it: steps are the same on two threads.
static void fall(cloth_world *world, cloth *below, cloth *above, int threads, size_t *watched) {
    cloth_sheet(below, 12, 0.3, 0.05);
    cloth_sheet(above, 12, 0.3, 0.05);
    for (size_t i = 0; i < below->point_count; i++) below->held[i] = true;
    below->stiffness = above->stiffness = 200, below->damping = above->damping = 5;
    cloth_place(above, quat_from_axis_angle(vec3(1, 0.3, 0), 0.02), vec3(0.05, 0.07, 0.15), vec3(0.1, 0, -1));
    *world = (cloth_world){.cloths = {below, above}, .count = 2, .def = {.friction = 0.3}, .gravity = {0, 0, -10}};
    assert_int_equal(cloth_build(world), CDG_OK);
    world->contacts.thread_count = threads;
    *watched = 0;
    for (int i = 0; i < 25; i++) {
        assert_true(cloth_step(world, 0.005, 0));
        size_t count = world->contacts.threads > 1 ? world->contacts.surface_near.watched_count : 0;
        *watched = count > *watched ? count : *watched;
    }
}

static void threads_find_the_same_contacts(void **state) {
    (void)state;
    static cloth below[2], above[2];
    cloth_world world[2];
    size_t watched[2];
    for (int n = 0; n < 2; n++) fall(&world[n], &below[n], &above[n], 1 + n, &watched[n]);
    assert_int_equal(watched[0], 0);
    assert_true(watched[1] > 2000 && world[1].contacts.parts != NULL);
    assert_memory_equal(above[0].x, above[1].x, sizeof above[0].x);
    assert_memory_equal(above[0].v, above[1].v, sizeof above[0].v);
    assert_true(world[0].contacts.kept_count > 50);
    assert_int_equal(world[0].contacts.kept_count, world[1].contacts.kept_count);
    for (size_t i = 0; i < world[0].contacts.kept_count; i++) { // member by member: padding may hold anything
        const cdg_contact *one = &world[0].contacts.kept[i], *two = &world[1].contacts.kept[i];
        assert_int_equal(contact_compare_sides(one->side, two->side), 0);
        assert_memory_equal(one->point, two->point, sizeof one->point);
        assert_memory_equal(&one->normal, &two->normal, sizeof one->normal);
        assert_memory_equal(&one->force, &two->force, sizeof one->force);
        assert_memory_equal(&one->drift, &two->drift, sizeof one->drift);
        assert_true(one->gap == two->gap && one->sticks == two->sticks && one->is_impact == two->is_impact);
    }
    for (int n = 0; n < 2; n++) cloth_free(&world[n]);
}

int main(int count, char **names) {
    if (count > 1) cmocka_set_test_filter(names[1]);
    throws = count > 2 ? atoi(names[2]) : rounds(throws);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_is_kept),
        cmocka_unit_test(threads_find_the_same_contacts),
        cmocka_unit_test(nothing_passes),
        cmocka_unit_test(obstacles_are_not_passed),
        cmocka_unit_test(friction_holds_and_slides),
        cmocka_unit_test(heaps_lie_in_nothing),
        cmocka_unit_test(bodies_push_and_are_pushed),
        cmocka_unit_test(implicit_surfaces_answer_as_a_whole),
        cmocka_unit_test(crossings_at_the_start_are_refused),
        cmocka_unit_test(kept_impacts_go_to_the_nearest_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
