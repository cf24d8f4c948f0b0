// Rooms are never too wide: even when moves use them up to the last bit, no two elements are near.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <cordage/structure.h>

#include "contact_case.h"
#include "math/quat.h"
#include "math/random.h"
#include "world/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct rooms_case {
    cdg_world *world;
    cdg_contact_input input;
    size_t node_count;
    cdg_vec3 *x; // of all rods' nodes, at the look
    double time; // s: its
} rooms_case;

static cdg_vec3 random_point(cdg_random *random, double size) {
    return vec3(random_in(random, -size, size), random_in(random, -size, size), random_in(random, -size, size));
}

static void begin(rooms_case *it, cdg_world *world) {
    must(world, cdg_world_check_contact(world));
    world->contacts.is_known_free = true;
    *it = (rooms_case){.world = world};
    it->input = (cdg_contact_input){.def = &world->contact_def,
                                    .obstacles = world->obstacles,
                                    .obstacle_count = world->obstacle_count,
                                    .time = 1e-3,
                                    .step = 1e-3};
    for (size_t r = 0; r < world->rod_count; r++) it->node_count += world->rods[r].rod->node_count;
    it->x = calloc(it->node_count, sizeof *it->x);
    assert_non_null(it->x);
}

static void end(rooms_case *it) {
    free(it->x);
    cdg_world_destroy(it->world);
}

// Two bumps that move towards each other, a turn, a flight, and a squeeze.
typedef struct field {
    cdg_vec3 from[2], to[2], flight, axis;
    double width;
    cdg_vec3 squeeze; // along it, towards the first
    double time;      // s: what is led goes on by
} field;

static cdg_vec3 move_of(const field *f, cdg_vec3 at) {
    cdg_vec3 sum = vec3_add(f->flight, vec3_cross(f->axis, at));
    sum = vec3_mad(sum, -vec3_dot(f->squeeze, vec3_sub(at, f->from[0])), f->squeeze);
    for (int i = 0; i < 2; i++) {
        double far = vec3_distance(at, f->from[i]) / f->width;
        sum = vec3_mad(sum, exp(-far * far), f->to[i]);
    }
    return sum;
}

static void place(rooms_case *it, const field *f, double start, double finish) {
    it->input.time = it->time + finish * f->time;
    for (size_t r = 0, k = 0; r < it->world->rod_count; r++) {
        cdg_rod *rod = it->world->rods[r].rod;
        for (size_t i = 0; i < rod->node_count; i++, k++) {
            cdg_vec3 move = move_of(f, it->x[k]);
            rod_set_vec3(rod->x, i, vec3_mad(it->x[k], start, move));
            rod_set_vec3(rod->x_next, i, vec3_mad(it->x[k], finish, move));
        }
    }
    for (size_t b = 0; b < it->world->body_count; b++) {
        cdg_body_piece *piece = &it->world->contacts.bodies[b];
        piece->free = piece->body->now;
        piece->free.x = vec3_mad(piece->body->now.x, -finish, f->to[b % 2]);
        piece->free.q = quat_multiply(quat_exp(vec3_scale(finish, f->axis)), piece->body->now.q);
    }
}

// Whether the rooms of the last look are enough; no other look is allowed.
static bool fits(rooms_case *it, const field *f, double start, double finish) {
    cdg_contacts *c = &it->world->contacts;
    size_t capacity = c->shape_capacity;
    place(it, f, start, finish);
    c->idle.is_known = true;
    c->idle.waiting = 0;
    c->shape_capacity = 0;
    bool is_idle = cdg_contacts_are_idle(c, &it->input);
    c->shape_capacity = capacity;
    return is_idle;
}

static bool is_anything_near(const rooms_case *it) {
    cdg_contacts *c = &it->world->contacts;
    cdg_pieces_load(&c->pieces, it->input.step);
    cdg_body_pieces_load(&c->pieces, c->bodies, it->input.step);
    c->count = 0;
    must(it->world, cdg_contacts_find(c, &it->input, true, NULL));
    return c->count > 0;
}

// A look where the rods are; false: something is near.
static bool look(rooms_case *it) {
    cdg_contacts *c = &it->world->contacts;
    field none = {.width = 1};
    for (size_t r = 0, k = 0; r < it->world->rod_count; r++)
        for (size_t i = 0; i < it->world->rods[r].rod->node_count; i++)
            it->x[k++] = rod_vec3(it->world->rods[r].rod->x, i);
    place(it, &none, 0, 0);
    cdg_idle_forget(&c->idle);
    c->idle.waiting = c->idle.wait = 0;
    return cdg_contacts_are_idle(c, &it->input);
}

typedef struct tally {
    size_t idle, near, tried, after; // looks that found nothing, or something; fields; and those that would touch soon
} tally;

// Two nodes that are near each other, but not along a rod.
static void choose_two(const rooms_case *it, cdg_random *random, cdg_vec3 out[2]) {
    double least = HUGE_VAL;
    size_t apart = (size_t)pow((double)it->node_count - 3, random_in(random, 0, 1));
    for (int i = 0; i < 30 || least == HUGE_VAL; i++) {
        size_t a = (size_t)random_in(random, 0, (double)it->node_count);
        size_t b = (size_t)random_in(random, 0, (double)it->node_count);
        double far = vec3_distance(it->x[a], it->x[b]);
        if (a + 1 + apart > b || !(far < least) || !(far > 0)) continue;
        least = far;
        out[0] = it->x[a], out[1] = it->x[b];
    }
}

// Fields that just fit, in a step that begins anywhere on the way; three times as far things may touch.
static void try_fields(rooms_case *it, cdg_random *random, int count, tally *sum) {
    for (int n = 0; n < count; n++) {
        field f = {.width = pow(10, random_in(random, -2, -0.5))};
        choose_two(it, random, f.from);
        cdg_vec3 between = vec3_sub(f.from[1], f.from[0]);
        if (n % 5 == 4)
            f.squeeze = vec3_normalize(between); // turns of a coil come nearer without being bent
        else
            f.to[0] = vec3_mad(between, 0.3, random_point(random, vec3_norm(between)));
        f.to[1] = vec3_scale(-random_in(random, 0, 1), f.to[0]);
        if (n % 5 < 4 && n % 3 == 1) f.flight = random_point(random, 3);
        if (n % 5 < 4 && n % 3 == 2) f.axis = random_point(random, 3);
        if (n % 4 == 3) f.time = random_in(random, 0, 0.01);
        double share = n % 2 == 0 ? 0 : random_in(random, -1, 1), low = 0, high = 1;
        while (fits(it, &f, share * high, high) && high < 1e3) high *= 2;
        for (int i = 0; i < 30; i++) {
            double middle = 0.5 * (low + high);
            if (fits(it, &f, share * middle, middle))
                low = middle;
            else
                high = middle;
        }
        assert_true(fits(it, &f, share * low, low));
        assert_false(is_anything_near(it));
        place(it, &f, share * 3 * low, 3 * low);
        sum->after += is_anything_near(it);
        sum->tried++;
    }
}

static void try_shape(rooms_case *it, cdg_random *random, int count, tally *sum) {
    bool is_idle = look(it);
    bool is_near = is_anything_near(it);
    assert_false(is_idle && is_near);
    sum->idle += is_idle, sum->near += is_near;
    if (is_idle) try_fields(it, random, count, sum);
}

// ---- rods by themselves, rings, coils, with a plane and a ball ------------------------------------------------------

static void wander(cdg_random *random, cdg_rod *rod) {
    cdg_vec3 at = random_point(random, 0.15), direction = vec3_normalize(random_point(random, 1));
    double bend = random_in(random, 0, 0.4);
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, at);
        direction = vec3_normalize(vec3_mad(direction, bend, random_point(random, 1)));
        at = vec3_mad(at, rod->rest_length[0], direction);
    }
}

// Around an axis, which it rises along by a share of its length.
static void wind(cdg_random *random, double radius, double rise, cdg_rod *rod) {
    cdg_vec3 start = random_point(random, 0.2);
    cdg_quat turned = quat_exp(random_point(random, 1));
    double flat = sqrt(1 - rise * rise);
    for (size_t i = 0; i < rod->node_count; i++) {
        double arc = rod->rest_length[0] * (double)i, angle = flat * arc / radius;
        rod_set_vec3(rod->x, i,
                     vec3_add(start, quat_rotate(turned, vec3(radius * cos(angle), radius * sin(angle), //
                                                              rise * arc))));
    }
}

static void bend_ring(cdg_random *random, cdg_rod *rod) {
    double radius = rod->rest_length[0] * (double)rod->node_count / 6.4, squeeze = random_in(random, 0.15, 1);
    cdg_vec3 middle = random_point(random, 0.4);
    for (size_t i = 0; i < rod->node_count; i++) {
        double angle = 6.283185307179586 * (double)i / (double)rod->node_count;
        rod_set_vec3(rod->x, i, vec3_add(middle, vec3(radius * cos(angle), radius * squeeze * sin(angle), 0)));
    }
}

static void shape_rod(cdg_random *random, cdg_rod *rod) {
    double kind = random_in(random, 0, 3), length = rod->rest_length[0] * (double)rod->element_count;
    if (rod->is_closed)
        bend_ring(random, rod);
    else if (kind < 1)
        wander(random, rod);
    else if (kind < 2)
        wind(random, length / random_in(random, 3, 5.8), 0, rod); // open like a hairpin
    else
        wind(random, random_in(random, 4, 10) * rod->radius[0], random_in(random, 0.08, 0.3), rod);
}

typedef struct rod_kind {
    size_t elements;
    double length, radius; // m: length of an element
    bool is_ring;
} rod_kind;

static void add_rod(cdg_world *world, const rod_kind *kind) {
    char name[20];
    double length = kind->length * (double)kind->elements, y = (double)world->rod_count;
    snprintf(name, sizeof name, "rod%zu", world->rod_count);
    cdg_rod_def def = contact_rod(name, vec3(0, y, 0), vec3(length, y, 0), kind->radius, kind->elements);
    if (kind->is_ring) {
        def.centerline.kind = CDG_CENTERLINE_CIRCLE, def.centerline.closed = true;
        def.centerline.circle.center = vec3(0, y, 0), def.centerline.circle.axis = vec3(0, 0, 1);
        def.centerline.circle.radius = length / 6.283185307179586;
        def.rest.kind = CDG_REST_INITIAL;
    }
    contact_add(world, &def);
}

static void try_rods(const rod_kind *kinds, int count, bool has_shapes, tally *sum) {
    cdg_random random = {17};
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_obstacle_def plane = cdg_obstacle_def_default(), ball = cdg_obstacle_def_default();
    plane.shape.position.z = has_shapes ? -0.5 : -100;
    ball.shape.kind = CDG_SHAPE_SPHERE, ball.shape.radius = 0.02, ball.shape.position = vec3(0.3, 0.1, 0);
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    if (has_shapes) must(world, cdg_world_add_obstacle(world, &ball, NULL));
    for (int i = 0; i < count; i++) add_rod(world, &kinds[i]);
    rooms_case it;
    begin(&it, world);
    for (int round = 0; round < 200; round++) {
        for (int r = 0; r < count; r++) shape_rod(&random, world->rods[r].rod);
        try_shape(&it, &random, 8, sum);
    }
    end(&it);
}

static void rods_have_room(void **state) {
    (void)state;
    static const rod_kind kinds[] = {{24, 0.02, 8e-3, false},  {100, 0.01, 2e-3, false}, {24, 0.02, 5e-3, true},
                                     {80, 0.004, 8e-3, false}, {50, 0.02, 2e-3, false},  {20, 0.02, 2e-3, false}};
    tally all = {0};
    try_rods(kinds, 3, true, &all);
    assert_true(all.idle > 50 && all.near > 50); // both happen
    for (int i = 0; i < 5; i++) {
        tally alone = {0};
        try_rods(&kinds[i], 1, false, &alone);
        assert_true(alone.idle > 60 && alone.idle + alone.near > 150); // it is rarely wrong to look,
        assert_true(alone.after > alone.tried / 20);                   // and rooms are not far too narrow
    }
    tally two = {0};
    try_rods(&kinds[4], 2, false, &two);
    assert_true(two.after > two.tried / 20);
}

// ---- a net with a body and a box that turns -------------------------------------------------------------------------

static void nets_have_room(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "net";
    def.rod = contact_rod(NULL, vec3(0, 0, 0), vec3(0, 0, 0), 3e-3, 1);
    def.net.size[0] = def.net.size[1] = 0.3;
    def.net.threads[0] = 4, def.net.threads[1] = 3;
    must(world, cdg_world_add_structure(world, &def));
    cdg_body_def body = cdg_body_def_default();
    body.shape.radius = 0.03, body.shape.position = vec3(0.1, 0.1, 0.2);
    must(world, cdg_world_add_body(world, &body, NULL));
    cdg_motion motion = cdg_motion_default();
    motion.kind = CDG_MOTION_ROTATE, motion.axis = vec3(0, 1, 0), motion.angle = 50;
    cdg_obstacle_def box = cdg_obstacle_def_default();
    box.shape.kind = CDG_SHAPE_BOX, box.shape.size = vec3(0.3, 0.02, 0.02), box.shape.position = vec3(0.1, 0.1, -0.1);
    box.motions = &motion, box.motion_count = 1;
    must(world, cdg_world_add_obstacle(world, &box, NULL));
    rooms_case it;
    begin(&it, world);
    cdg_vec3 *flat = calloc(it.node_count, sizeof *flat);
    assert_non_null(flat);
    for (size_t r = 0, k = 0; r < world->rod_count; r++)
        for (size_t i = 0; i < world->rods[r].rod->node_count; i++) flat[k++] = rod_vec3(world->rods[r].rod->x, i);
    tally sum = {0};
    for (int round = 0; round < 200; round++) {
        double curl = random_in(&random, 1, 20), phase = random_in(&random, 0, 6.3), tilt = random_in(&random, -1, 1);
        for (size_t r = 0, k = 0; r < world->rod_count; r++)
            for (size_t i = 0; i < world->rods[r].rod->node_count; i++, k++) {
                double s = curl * (flat[k].x + tilt * flat[k].y) + phase;
                rod_set_vec3(world->rods[r].rod->x, i, vec3_add(flat[k], vec3(0, 0, 0.6 / curl * sin(s))));
            }
        it.time = random_in(&random, 0, 0.9);
        try_shape(&it, &random, 6, &sum);
    }
    assert_true(sum.idle > 40);
    assert_true(sum.after > 0); // rooms of what is curled are narrow: 3 to 6 of 510, by the compiler's rounding
    free(flat);
    end(&it);
}

// The last edge of a ring counts like the others, where moves that grow from node to node meet.
static void rings_have_no_seam(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    static const rod_kind kind = {24, 0.02, 5e-3, true};
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.shape.position.z = -1;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    add_rod(world, &kind);
    rooms_case it;
    begin(&it, world);
    assert_true(look(&it));
    field none = {.width = 1};
    double bend = world->contacts.idle.rooms.bend * 0.02, done = 0;
    for (int i = 0; i < 2; i++) {
        double more = (i == 0 ? 0.9 : 1.1) * bend - done;
        for (size_t k = 0; k < it.node_count; k++) it.x[k].z += more * (double)k / (double)(it.node_count - 1);
        done += more;
        assert_int_equal(fits(&it, &none, 0, 0), i == 0);
    }
    end(&it);
}

// The way from rod to rod leads through joints: not where a loaded state has their copies apart.
static void joints_hold(void **state) {
    (void)state;
    cdg_world *world = contact_world(vec3(0, 0, 0), 1e-3, 0, 1);
    cdg_structure_def def = cdg_structure_def_default();
    def.name = "net";
    def.rod = contact_rod(NULL, vec3(0, 0, 0), vec3(0, 0, 0), 3e-3, 1);
    must(world, cdg_world_add_structure(world, &def));
    cdg_obstacle_def plane = cdg_obstacle_def_default();
    plane.shape.position.z = -1;
    must(world, cdg_world_add_obstacle(world, &plane, NULL));
    rooms_case it;
    begin(&it, world);
    assert_true(look(&it));
    field none = {.width = 1};
    assert_true(fits(&it, &none, 0, 0));
    it.x[4] = vec3_add(it.x[4], vec3(0, 0, 1e-4)); // of the first rod
    assert_false(fits(&it, &none, 0, 0));
    end(&it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_have_room),
        cmocka_unit_test(nets_have_room),
        cmocka_unit_test(rings_have_no_seam),
        cmocka_unit_test(joints_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
