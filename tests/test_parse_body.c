// bodies, and welds of rods to them.
#include "scene_text.h"

#include "math/quat.h"
#include "near.h"

#define BODIES(text) SCENE_GOOD "bodies:\n" text "contact: off\n"
#define DISK "  - {name: disk, shape: {cylinder: {radius: 5 cm, height: 1 cm}}, mass: 0.5 kg, position: [1 m, 0, 0]}\n"

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        BODIES(DISK "  - name: ball\n"
                    "    shape: {sphere: {radius: 5 cm}}\n"
                    "    density: 7800 kg/m^3\n"
                    "    orientation: {axis: [0, 0, 1], angle: 90 deg}\n"
                    "    velocity: [1 m/s, 0, 0]\n"
                    "    angular_velocity: [0, 0, 1 turn/s]\n"
                    "    collides: false\n"
                    "    restitution: 0.5\n"
                    "  - {name: bar, shape: {capsule: {radius: 1 cm, length: 10 cm}}, mass: 1, inertia: [1, 2, 2.5]}\n"
                    "  - {name: wall, shape: {box: {size: [1, 2, 3]}}, position: [0, 5, 0], fixed: true, motion: "
                    "{move: [0, 0, 1], to: 2}}\n"
                    "joints:\n"
                    "  - weld: [cable.end, disk]\n"
                    "  - weld: [cable.start, cable.node(50), wall]\n"
                    "probes:\n"
                    "  - {name: a, position: disk}\n"
                    "  - {name: b, energy: ball}\n"
                    "  - {name: c, angular_velocity: cable.element(3)}\n"
                    "  - {name: d, frame: bar}\n"
                    "  - {name: e, reaction: cable.end}\n"));
    const cdg_body_def *b = scene->bodies;
    assert_int_equal(scene->body_count, 4);
    assert_int_equal(b[0].shape.kind, CDG_SHAPE_CYLINDER);
    assert_near(b[0].shape.length, 0.01, 1e-17);
    assert_near(b[0].mass, 0.5, 0);
    assert_near(b[0].density, 0, 0);
    assert_false(b[0].is_ghost);
    assert_true(b[1].is_ghost);
    assert_near(b[1].density, 7800, 0);
    assert_near(b[1].angular_velocity.z, 2 * 3.14159265358979, 1e-12);
    assert_near(b[1].restitution, 0.5, 0);
    assert_vec3_near(quat_rotate(b[1].shape.orientation, vec3(1, 0, 0)), vec3(0, 1, 0), 1e-15);
    assert_vec3_near(b[2].inertia, vec3(1, 2, 2.5), 0);
    assert_true(b[3].is_fixed);
    assert_int_equal(b[3].motion_count, 1);
    assert_int_equal(scene->weld_count, 3);
    assert_int_equal(scene->welds[2].place.index, 50);
    assert_int_equal(scene->welds[2].body.index1, 4);
    assert_int_equal(scene->probes[0].probe.place.body.index1, 1);
    assert_int_equal(scene->probes[3].probe.place.body.index1, 3);
    assert_int_equal(scene->probes[2].probe.place.body.index1, 0);

    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_body_count(world), 4);
    assert_int_equal(cdg_world_weld_count(world), 3);
    double out[CDG_PROBE_COLUMNS_MAX];
    for (size_t i = 0; i < scene->probe_count; i++) {
        cdg_probe probe = scene->probes[i].probe;
        if (probe.place.rod.index1 != 0) probe.place.rod = cdg_world_rod_at(world, probe.place.rod.index1 - 1);
        assert_int_equal(cdg_world_measure(world, &probe, out), CDG_OK);
        if (i == 0) assert_near(out[0], 1, 1e-15);
        if (i == 1) assert_true(out[4] > 0 && out[6] == out[4] + out[5]);
        if (i == 3) assert_near(out[0], 1, 0);
    }
    assert_int_equal(cdg_world_step(world, NULL), CDG_OK);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(BODIES("  - {name: a, shape: {sphere: {radius: 5 cm}}}\n"),
                "scene.yaml:10:5: error: body 'a' has no mass; give it a density or a mass, or let it be fixed\n");
    assert_says(BODIES("  - {name: a, shape: {sphere: {radius: 5 cm}}, mass: 0}\n"),
                "scene.yaml:10:54: error: mass must be greater than 0; it is '0'\n");
    assert_says(BODIES("  - {name: a, shape: {sphere: {radius: 5 cm}}, mass: 1, density: 1}\n"),
                "scene.yaml:10:5: error: body 'a' has a density and a mass; give one of them\n");
    assert_says(BODIES("  - {name: a, shape: {ball: {radius: 5 cm}}, mass: 1}\n"),
                "scene.yaml:10:23: error: unknown key 'ball' in the shape of body 'a'; use 'sphere'\n");
    assert_says(BODIES("  - {name: a, mass: 1}\n"),
                "scene.yaml:10:5: error: body 'a' has no shape; add for example 'shape: {cylinder: {radius: 5 cm, "
                "height: 1 cm}}'\n");
    assert_says(BODIES(DISK DISK),
                "scene.yaml:11:5: error: another body is named 'disk' already (line 10); names must differ\n");
    assert_says(BODIES("  - {name: cable, shape: {sphere: {radius: 5 cm}}, mass: 1}\n"),
                "scene.yaml:10:5: error: a rod is named 'cable', too; names of bodies and rods must differ\n");
    assert_says(
        BODIES("  - {name: a, shape: {sphere: {radius: 1}}, mass: 1, inertia: [1, 2]}\n"),
        "scene.yaml:10:63: error: inertia: expected three numbers in kg m^2, such as [1e-3, 1e-3, 2e-3], found a "
        "list\n");
    assert_says(BODIES("  - {name: a, shape: {sphere: {radius: 1}}, mass: 1, motion: {move: [0, 0, 1], to: 1}}\n"),
                "scene.yaml:10:5: error: body 'a' has a prescribed motion but is not fixed; a body either moves as "
                "prescribed or freely\n");
}

static void test_contradictory_welds(void **state) {
    (void)state;
    assert_says(BODIES(DISK "joints:\n  - weld: [cable.end, dusk]\n"),
                "scene.yaml:12:23: error: no body is named 'dusk'; did you mean 'disk'?\n");
    assert_says(SCENE_GOOD "joints:\n  - weld: [cable.end, moon]\n",
                "scene.yaml:10:23: error: no body is named 'moon'; a weld is a list of places and, last, a body\n");
    assert_says(
        BODIES(DISK "joints:\n  - weld: cable.end\n"),
        "scene.yaml:12:11: error: weld: expected a list of places and, last, a body, such as [cable.end, disk], "
        "found 'cable.end'\n");
    assert_says(BODIES(DISK "joints:\n  - {weld: [cable.end, disk], stiffness: 2}\n"),
                "scene.yaml:12:42: error: a weld is stiff; 'stiffness' belongs to 'join'\n");
    assert_says(BODIES(DISK "joints:\n  - weld: [cable.end, disk]\n  - weld: [cable.node(100), disk]\n"),
                "scene.yaml:13:5: error: node 100 of rod 'cable' is welded to 'disk' already (line 12) and cannot be "
                "welded to 'disk', too; make the two one body, or weld another node\n");
    assert_says(
        BODIES(DISK "joints:\n  - weld: [cable.end, disk]\nsupports:\n  - pin: cable.end\n"),
        "scene.yaml:12:5: error: node 100 of rod 'cable' has a support (line 14) and cannot be welded to 'disk', "
        "too; fix the body instead, or remove the support\n");
    assert_says(
        BODIES(DISK "joints:\n  - weld: [cable.element(3), disk]\n"),
        "scene.yaml:12:12: error: weld takes a node such as cable.start or cable.node(40); 'cable.element(3)' is "
        "an element\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_contradictory_welds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
