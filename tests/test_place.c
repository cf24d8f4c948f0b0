// Places on rods, bodies and solids: who takes them, who refuses them in words, and that the same point is meant
// however it is named.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "near.h"
#include "world/place.h"
#include "world/world.h"

#include <cordage/cordage.h>
#include <string.h>

typedef struct things {
    cdg_world *world;
    cdg_rod_id rod;
    cdg_body_id body;
    cdg_solid_id solid;
} things;

static things make(void) {
    things t = {.world = contact_world(vec3(0, 0, -9.8), 1e-3, 0, 1)};
    cdg_rod_def rod = contact_rod("rod", vec3(0, 0, 0), vec3(1, 0, 0), 5e-3, 10);
    t.rod = contact_add(t.world, &rod);
    cdg_body_def body = cdg_body_def_default();
    body.shape.kind = CDG_SHAPE_BOX, body.shape.size = vec3(0.2, 0.2, 0.2), body.shape.position = vec3(0, 3, 0);
    body.density = 1000, body.angular_velocity = vec3(0, 0, 2), body.velocity = vec3(1, 0, 0);
    must(t.world, cdg_world_add_body(t.world, &body, &t.body));
    cdg_shape box = {
        .kind = CDG_SHAPE_BOX, .size = vec3(0.1, 0.1, 0.1), .position = vec3(0, -3, 0), .orientation = {1, 0, 0, 0}};
    cdg_mesh mesh = {0};
    cdg_error error;
    if (cdg_shape_mesh(&box, 0.05, &mesh, &error) != CDG_OK) fail_msg("%s", error.message);
    cdg_solid_def solid = cdg_solid_def_default();
    solid.mesh = mesh;
    must(t.world, cdg_world_add_solid(t.world, &solid, &t.solid));
    cdg_mesh_free(&mesh);
    return t;
}

static void expect_refused(cdg_world *world, cdg_result result, const char *words) {
    assert_int_equal(result, CDG_ERROR_ARGUMENT);
    if (strstr(cdg_world_message(world), words) == NULL) fail_msg("%s", cdg_world_message(world));
}

// What serves rods alone says so of a body and of a solid, and changes nothing.
static void rods_alone(void **state) {
    (void)state;
    things t = make();
    cdg_world *w = t.world;
    const cdg_place other[2] = {cdg_body_point(t.body, vec3(0, 0, 0)), cdg_solid_node(t.solid, 0)};
    const char *const words[2] = {"this is a place on a body", "this is a place in a solid"};
    for (int i = 0; i < 2; i++) {
        cdg_support_def support = cdg_support_def_default();
        support.place = other[i];
        expect_refused(w, cdg_world_add_support(w, &support, NULL), words[i]);
        for (int kind = 0; kind < CDG_LOAD_KIND_COUNT; kind++) {
            cdg_load_def load = cdg_load_def_default();
            load.kind = (cdg_load_kind)kind, load.place = other[i];
            expect_refused(w, cdg_world_add_load(w, &load, NULL), words[i]);
        }
        cdg_weld_def weld = {.place = other[i], .body = t.body};
        expect_refused(w, cdg_world_add_weld(w, &weld, NULL), words[i]);
        cdg_tie_def tie = {.place = other[i], .solid = t.solid};
        expect_refused(w, cdg_world_add_tie(w, &tie, NULL), words[i]);
        cdg_place two[2] = {cdg_rod_node(t.rod, 0), other[i]};
        cdg_joint_def joint = cdg_joint_def_default();
        joint.places = two, joint.place_count = 2;
        expect_refused(w, cdg_world_add_joint(w, &joint, NULL), words[i]);
        expect_refused(w, cdg_rod_cut(w, other[i], NULL), words[i]);
        expect_refused(w, cdg_world_plan_cut(w, other[i], 1), words[i]);
    }
    cdg_load_def load = cdg_load_def_default();
    load.place = cdg_rod_along(t.rod, 3, 0.2);
    expect_refused(w, cdg_world_add_load(w, &load, NULL), "at a node or at the middle");
    load.place.kind = CDG_PLACE_WHOLE;
    expect_refused(w, cdg_world_add_load(w, &load, NULL), "rods have no place kind");
    cdg_world_destroy(w);
}

static void measure(const cdg_world *world, cdg_probe_kind kind, cdg_place place, double out[CDG_PROBE_COLUMNS_MAX]) {
    cdg_probe probe = {.kind = kind, .place = place};
    assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
}

// A point of a body that flies and turns: where it is, and its velocity is how fast that changes.
static void points_of_bodies(void **state) {
    (void)state;
    things t = make();
    double now[CDG_PROBE_COLUMNS_MAX], later[CDG_PROBE_COLUMNS_MAX], velocity[CDG_PROBE_COLUMNS_MAX];
    cdg_place corner = cdg_body_point(t.body, vec3(0.1, 0.1, -0.1));
    measure(t.world, CDG_PROBE_POSITION, corner, now);
    measure(t.world, CDG_PROBE_VELOCITY, corner, velocity);
    assert_near(now[0], 0.1, 1e-12);
    assert_near(now[1], 3.1, 1e-12);
    assert_near(velocity[0], 1 - 2 * 0.1, 1e-12);
    assert_near(velocity[1], 2 * 0.1, 1e-12);
    contact_run(t.world, 1);
    measure(t.world, CDG_PROBE_POSITION, corner, later);
    for (int k = 0; k < 2; k++) assert_near((later[k] - now[k]) / 1e-3, velocity[k], 1e-3);
    cdg_probe wrong[] = {
        {.kind = CDG_PROBE_ENERGY, .place = corner},
        {.kind = CDG_PROBE_POSITION, .place = {.body = t.body, .kind = CDG_PLACE_NODE}},
        {.kind = CDG_PROBE_POSITION, .place = {.body = t.body, .solid = t.solid, .kind = CDG_PLACE_POINT}},
        {.kind = CDG_PROBE_POSITION, .place = cdg_rod_along(t.rod, 3, 0.5)},
        {.kind = CDG_PROBE_ENERGY, .place = {.kind = CDG_PLACE_WHOLE}}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(cdg_world_measure(t.world, &wrong[i], now), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(t.world);
}

// A node of a solid, by its number and by where it was.
static void nodes_of_solids(void **state) {
    (void)state;
    things t = make();
    double rest[CDG_PROBE_COLUMNS_MAX], by_node[CDG_PROBE_COLUMNS_MAX], by_point[CDG_PROBE_COLUMNS_MAX];
    measure(t.world, CDG_PROBE_POSITION, cdg_solid_node(t.solid, 5), rest);
    contact_run(t.world, 20);
    cdg_place point = cdg_solid_point(t.solid, vec3(rest[0], rest[1], rest[2]));
    for (int k = 0; k < 2; k++) {
        cdg_probe_kind kind = k == 0 ? CDG_PROBE_POSITION : CDG_PROBE_VELOCITY;
        measure(t.world, kind, cdg_solid_node(t.solid, 5), by_node);
        measure(t.world, kind, point, by_point);
        for (int i = 0; i < 3; i++) assert_near(by_node[i], by_point[i], 1e-9);
    }
    assert_true(by_node[2] < -0.1); // it falls
    cdg_probe wrong = {.kind = CDG_PROBE_POSITION, .place = cdg_solid_node(t.solid, 100000)};
    assert_int_equal(cdg_world_measure(t.world, &wrong, by_node), CDG_ERROR_ARGUMENT);
    wrong = (cdg_probe){.kind = CDG_PROBE_STRESS, .place = cdg_solid_node(t.solid, 5)};
    assert_int_equal(cdg_world_measure(t.world, &wrong, by_node), CDG_ERROR_ARGUMENT);
    cdg_world_destroy(t.world);
}

// Where a grip takes hold, by each way to name it.
static void grips(void **state) {
    (void)state;
    things t = make();
    const struct {
        cdg_place place;
        cdg_vec3 at;
    } held[] = {{cdg_rod_node(t.rod, 0), {0, 0, 0}},
                {cdg_rod_node(t.rod, 4), {0.4, 0, 0}},
                {cdg_rod_node(t.rod, 10), {1, 0, 0}},
                {{.rod = t.rod, .kind = CDG_PLACE_ELEMENT, .index = 4}, {0.45, 0, 0}},
                {cdg_rod_along(t.rod, 4, 0.25), {0.425, 0, 0}},
                {cdg_body_point(t.body, vec3(0.1, 0, 0)), {0.1, 3, 0}}};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) {
        cdg_grip_def def = cdg_grip_def_default();
        def.place = held[i].place, def.target = held[i].at;
        cdg_grip_id id;
        must(t.world, cdg_world_add_grip(t.world, &def, &id));
        cdg_vec3 point;
        assert_int_equal(cdg_grip_get(t.world, id, &point, NULL), CDG_OK);
        assert_near(point.x, held[i].at.x, 1e-12);
        assert_near(point.y, held[i].at.y, 1e-12);
        must(t.world, cdg_world_remove_grip(t.world, id));
    }
    const struct {
        cdg_place place;
        const char *words;
    } wrong[] = {{cdg_rod_node(t.rod, 11), "has no node 11"},
                 {cdg_rod_along(t.rod, 10, 0.5), "has no element 10"},
                 {{.rod = t.rod, .kind = CDG_PLACE_POINT}, "rods have no place kind"},
                 {cdg_body_whole(t.body), "at a point of it"},
                 {cdg_solid_whole(t.solid), "at a point of it"},
                 {cdg_solid_node(t.solid, 100000), "one of its"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cdg_grip_def def = cdg_grip_def_default();
        cdg_grip_id id;
        def.place = wrong[i].place;
        expect_refused(t.world, cdg_world_add_grip(t.world, &def, &id), wrong[i].words);
    }
    cdg_world_destroy(t.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rods_alone),
        cmocka_unit_test(points_of_bodies),
        cmocka_unit_test(nodes_of_solids),
        cmocka_unit_test(grips),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
