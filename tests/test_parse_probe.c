// probes.
#include "scene_text.h"

#define PROBES(text) SCENE_GOOD "supports: [{clamp: cable.start}]\nprobes:\n" text

static void test_every_kind(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(PROBES("  - {name: a, position: cable.end}\n"
                                               "  - {name: b, velocity: cable.end}\n"
                                               "  - {name: c, frame: cable.end}\n"
                                               "  - {name: d, tension: cable.element(50)}\n"
                                               "  - {name: e, section_force: cable.end}\n"
                                               "  - {name: f, moment: cable.end}\n"
                                               "  - {name: g, curvature: cable.end}\n"
                                               "  - {name: h, twist: cable.end}\n"
                                               "  - {name: i, reaction: cable.start}\n"
                                               "  - {name: j, energy: cable}\n"
                                               "  - {name: k, length: cable}\n"
                                               "  - {name: l, energy: all}\n"));
    assert_int_equal(scene->probe_count, CDG_PROBE_KIND_COUNT + 1);
    for (size_t i = 0; i < CDG_PROBE_KIND_COUNT; i++) {
        assert_int_equal(scene->probes[i].probe.kind, i);
        assert_int_equal(scene->probes[i].probe.place.rod.index1, 1);
        assert_int_equal(scene->probes[i].name[0], 'a' + (int)i);
    }
    assert_int_equal(scene->probes[11].probe.place.rod.index1, 0);
    cdg_scene_destroy(scene);
}

static void test_mistakes(void **state) {
    (void)state;
    assert_says(PROBES("  - {position: cable.end}\n"),
                "scene.yaml:11:5: error: probe 1 has no name; add for example 'name: tip'\n");
    assert_says(PROBES("  - {name: 'a,b', position: cable.end}\n"),
                "scene.yaml:11:12: error: the name of a probe has letters, digits, '_' and '-' only; found 'a,b'\n");
    assert_says(PROBES("  - {name: a, positon: cable.end}\n"),
                "scene.yaml:11:15: error: unknown key 'positon' in probe 'a'; did you mean 'position'?\n");
    assert_says(PROBES("  - {name: a}\n"),
                "scene.yaml:11:5: error: probe 'a' needs one of position, velocity, frame, tension, "
                "section_force, moment, curvature, twist, reaction, energy or length\n");
    assert_says(PROBES("  - {name: a, position: cable.end, velocity: cable.end}\n"),
                "scene.yaml:11:36: error: probe 'a' has both position and velocity; keep one\n");
    assert_says(PROBES("  - {name: a, position: cable.end}\n  - {name: a, velocity: cable.end}\n"),
                "scene.yaml:12:5: error: another probe is named 'a' already (line 11); names must differ\n");
    assert_says(PROBES("  - {name: a, contacts: cable}\n"),
                "scene.yaml:11:15: error: 'contacts' is not in this version of Cordage\n");
    assert_says(PROBES("  - {name: a, linking number: cable}\n"),
                "scene.yaml:11:15: error: 'linking number' is not in this version of Cordage\n");
    assert_says(
        PROBES("  - {name: a, reaction: cable.end}\n"),
        "scene.yaml:11:25: error: reaction: nothing holds 'cable.end'; a reaction is what a support exerts there\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),
        cmocka_unit_test(test_mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
