// probes.
#include "scene_text.h"

#include "near.h"

#define PROBES(text) SCENE_GOOD "supports: [{clamp: cable.start}]\nprobes:\n" text

// Two closed rods after the cable, in lines 9 and 10.
#define RING(name)                                                                                                     \
    "  - {name: " name ", material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 1 mm}}, "        \
    "elements: 50, centerline: {circle: {radius: 10 cm}}}\n"

static void test_every_kind(void **state) {
    (void)state;
    cdg_scene *scene =
        scene_parse_good(SCENE_GOOD RING("ring_1") RING("ring_2") "supports: [{clamp: cable.start}]\nprobes:\n"
                                                                  "  - {name: a, position: cable.end}\n"
                                                                  "  - {name: b, velocity: cable.end}\n"
                                                                  "  - {name: c, frame: cable.end}\n"
                                                                  "  - {name: d, angular_velocity: cable.end}\n"
                                                                  "  - {name: e, tension: cable.element(50)}\n"
                                                                  "  - {name: f, section_force: cable.end}\n"
                                                                  "  - {name: g, moment: cable.end}\n"
                                                                  "  - {name: h, curvature: cable.end}\n"
                                                                  "  - {name: i, twist: cable.end}\n"
                                                                  "  - {name: j, reaction: cable.start}\n"
                                                                  "  - {name: k, energy: cable}\n"
                                                                  "  - {name: l, length: cable}\n"
                                                                  "  - {name: m, linking number: [ring_1, ring_2]}\n"
                                                                  "  - {name: n, knot: cable}\n"
                                                                  "  - {name: o, contacts: cable}\n"
                                                                  "  - {name: p, contact force: cable}\n"
                                                                  "  - {name: q, writhe: cable}\n"
                                                                  "  - {name: r, bend radius: cable}\n"
                                                                  "  - {name: s, energy: all}\n");
    const size_t of_rods = CDG_PROBE_VOLUME; // later ones are of solids alone
    assert_int_equal(scene->probe_count, of_rods + 1);
    for (size_t i = 0; i < of_rods; i++) {
        assert_int_equal(scene->probes[i].probe.kind, i);
        assert_int_equal(scene->probes[i].probe.place.rod.index1, i == CDG_PROBE_LINKING ? 2 : 1);
        assert_int_equal(scene->probes[i].probe.other.index1, i == CDG_PROBE_LINKING ? 3 : 0);
        assert_int_equal(scene->probes[i].name[0], 'a' + (int)i);
    }
    assert_int_equal(scene->probes[of_rods].probe.place.rod.index1, 0);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(PROBES("  - {position: cable.end}\n"),
                "scene.yaml:11:5: error: probe 1 has no name; add for example 'name: tip'\n");
    assert_says(PROBES("  - {name: 'a,b', position: cable.end}\n"),
                "scene.yaml:11:12: error: the name of a probe has letters, digits, '_' and '-' only; found 'a,b'; "
                "write for example 'a_b'\n");
    assert_says(PROBES("  - {name: a, positon: cable.end}\n"),
                "scene.yaml:11:15: error: unknown key 'positon' in probe 'a'; did you mean 'position'?\n");
    assert_says(PROBES("  - {name: a}\n"),
                "scene.yaml:11:5: error: probe 'a' needs one of position, velocity, frame, angular_velocity, tension, "
                "section_force, moment, curvature, twist, reaction, energy, length, linking number, knot, "
                "contacts, contact force, writhe, bend radius, volume, stress, tension range or moment range\n");
    assert_says(PROBES("  - {name: a, position: cable.end, velocity: cable.end}\n"),
                "scene.yaml:11:36: error: probe 'a' has both position and velocity; keep one\n");
    assert_says(PROBES("  - {name: a, position: cable.end}\n  - {name: a, velocity: cable.end}\n"),
                "scene.yaml:12:5: error: another probe is named 'a' already (line 11); names must differ\n");
    assert_says(PROBES("  - {name: a, writhe: cable.end}\n"),
                "scene.yaml:11:23: error: writhe takes the name of a rod; write 'cable' instead of 'cable.end'\n");
    assert_says(PROBES("  - {name: a, linking number: cable}\n"),
                "scene.yaml:11:31: error: linking number: expected two closed rods such as [ring_1, ring_2], found "
                "'cable'\n");
    assert_says(PROBES("  - {name: a, linking number: [cable, cable]}\n"),
                "scene.yaml:11:32: error: linking number: rod 'cable' is open; only closed rods are linked\n"
                "scene.yaml:11:39: error: linking number: rod 'cable' is open; only closed rods are linked\n");
    assert_says(PROBES("  - {name: a, linking_number: [cable, cable]}\n"),
                "scene.yaml:11:15: error: unknown key 'linking_number' in probe 'a'; use 'linking number'\n");
    assert_says(
        PROBES("  - {name: a, reaction: cable.end}\n"),
        "scene.yaml:11:25: error: reaction: nothing holds 'cable.end'; a reaction is what a support exerts there\n");
}

#define BALL                                                                                                           \
    "cordage: 1\nsimulation: {duration: 1 s}\nsolids:\n"                                                               \
    "  - {name: ball, shape: {box: {size: [1 cm, 1 cm, 1 cm]}}, material: {young_modulus: 1 kPa, density: 1000}}\n"

static void test_solids(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(BALL "probes:\n"
                                             "  - {name: a, position: ball}\n  - {name: b, volume: ball}\n"
                                             "  - {name: c, stress: {solid: ball, at: [0, 0, 2 mm]}}\n"
                                             "  - {name: d, reaction: ball}\n  - {name: e, contact force: ball}\n");
    assert_int_equal(scene->probe_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(scene->probes[i].probe.place.solid.index1, 1);
        assert_int_equal(scene->probes[i].probe.place.kind, i == 2 ? CDG_PLACE_POINT : CDG_PLACE_WHOLE);
    }
    assert_near(scene->probes[2].probe.place.point.z, 2e-3, 1e-15);
    cdg_scene_destroy(scene);
    assert_says(BALL "probes:\n  - {name: a, volume: boll}\n",
                "scene.yaml:6:23: error: volume: no solid is named 'boll'\n");
    assert_says(BALL "probes:\n  - {name: a, stress: {solid: ball}}\n",
                "scene.yaml:6:23: error: stress has no at; add for example 'at: [0, 0, 1 cm]'\n");
}

#define CRATE                                                                                                          \
    "bodies:\n  - {name: crate, shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, density: 500 kg/m^3, position: [1 m, 0, "    \
    "0]}\n"

static void test_points_of_bodies(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(SCENE_GOOD CRATE "probes:\n"
                                                         "  - {name: a, position: {body: crate, at: [1 cm, 0, 2 mm]}}\n"
                                                         "  - {name: b, velocity: {body: crate, at: [0, 0, 1 cm]}}\n"
                                                         "  - {name: c, position: crate}\n");
    assert_int_equal(scene->probe_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(scene->probes[i].probe.place.body.index1, 1);
        assert_int_equal(scene->probes[i].probe.place.kind, i < 2 ? CDG_PLACE_POINT : CDG_PLACE_WHOLE);
    }
    assert_near(scene->probes[0].probe.place.point.z, 2e-3, 1e-15);
    cdg_scene_destroy(scene);
}

static void refuse_point(const char *probe, const char *expected) {
    char text[1200], line[500];
    snprintf(text, sizeof text, SCENE_GOOD CRATE "probes: [{name: p, %s}]\n", probe);
    snprintf(line, sizeof line, "scene.yaml:11:%s\n", expected);
    assert_says(text, line);
}

static void test_points_that_are_none(void **state) {
    (void)state;
    refuse_point("position: {body: crat, at: [0, 0, 0]}", "37: error: position: no body is named 'crat'");
    refuse_point("position: {body: crate}", "30: error: position has no at; add for example 'at: [0, 0, 1 cm]'");
    refuse_point("position: {at: [0, 0, 0]}", "30: error: position needs one of solid or body");
    refuse_point("stress: {body: crate, at: [0, 0, 0]}",
                 "35: error: stress: bodies are rigid and have none; name a solid");
    refuse_point("frame: {body: crate, at: [0, 0, 0]}",
                 "27: error: frame: a body turns as a whole; write its name alone, such as 'frame: ball'");
    refuse_point("tension: {body: crate, at: [0, 0, 0]}",
                 "29: error: tension takes an element such as cable.element(50); a point of a body is for the probes "
                 "'position' and 'velocity', and for 'hands' as 'body' and 'local', which pull it; 'fixed: true' holds "
                 "a body");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_solids),
        cmocka_unit_test(test_points_of_bodies),
        cmocka_unit_test(test_points_that_are_none),
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
