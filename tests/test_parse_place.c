// Places on rods, reached through probes and supports.
#include "scene_text.h"

#define RING                                                                                                           \
    "  - {name: ring, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}}, "            \
    "centerline: "                                                                                                     \
    "{circle: {radius: 1 m}}, elements: 51}\n"

static cdg_place place_of(const char *kind, const char *place) {
    char text[1000];
    snprintf(text, sizeof text, SCENE_GOOD RING "probes: [{name: p, %s: '%s'}]\n", kind, place);
    cdg_scene *scene = scene_parse_good(text);
    cdg_place result = scene->probes[0].probe.place;
    cdg_scene_destroy(scene);
    return result;
}

static void check(const char *kind, const char *place, uint32_t rod, cdg_place_kind place_kind, size_t index) {
    cdg_place found = place_of(kind, place);
    assert_int_equal(found.rod.index1, rod);
    assert_int_equal(found.kind, place_kind);
    assert_int_equal(found.index, index);
}

static void test_places(void **state) {
    (void)state;
    check("position", "cable.start", 1, CDG_PLACE_NODE, 0);
    check("position", "cable.end", 1, CDG_PLACE_NODE, 100);
    check("position", "cable.middle", 1, CDG_PLACE_NODE, 50);
    check("position", "cable.node(40)", 1, CDG_PLACE_NODE, 40);
    check("position", "cable.node( -1 )", 1, CDG_PLACE_NODE, 100);
    check("position", "cable.node(-101)", 1, CDG_PLACE_NODE, 0);
    check("position", "cable.element(99)", 1, CDG_PLACE_ELEMENT, 99);
    check("position", "cable.element(-1)", 1, CDG_PLACE_ELEMENT, 99);
    check("tension", "cable.start", 1, CDG_PLACE_ELEMENT, 0);
    check("tension", "cable.end", 1, CDG_PLACE_ELEMENT, 99);
    check("tension", "cable.middle", 1, CDG_PLACE_ELEMENT, 49);
    check("position", "ring.start", 2, CDG_PLACE_NODE, 0);
    check("position", "ring.node(-1)", 2, CDG_PLACE_NODE, 50);
    check("position", "ring.middle", 2, CDG_PLACE_ELEMENT, 25); // an odd number of elements
    check("curvature", "ring.middle", 2, CDG_PLACE_NODE, 25);
    check("length", "ring", 2, CDG_PLACE_NODE, 0);
}

static void refuse(const char *kind, const char *place, const char *expected) {
    char text[1000], line[400];
    snprintf(text, sizeof text, SCENE_GOOD RING "probes: [{name: p, %s: '%s'}]\n", kind, place);
    snprintf(line, sizeof line, "scene.yaml:10:%zu: error: %s\n", 22 + strlen(kind), expected);
    assert_says(text, line);
}

static void test_mistakes(void **state) {
    (void)state;
    refuse("position", "cabel.end", "no rod is named 'cabel'; did you mean 'cable'?");
    refuse("position", "zzz.end", "no rod is named 'zzz'; names stand in the rods as 'name: cable'");
    refuse("position", "cable",
           "position takes a place such as cable.end, cable.node(40) or cable.element(50); 'cable' is a "
           "whole rod");
    refuse("position", "cable.ende", "rod 'cable' has no place 'ende'; did you mean 'cable.end'?");
    refuse("position", "cable.top",
           "rod 'cable' has no place 'top'; places are start, end, middle, node(i), element(i), along(30 %)");
    refuse("position", "cable.0.5",
           "rod 'cable' has no place '0.5'; nodes have whole numbers, such as 'cable.node(4)', and half of its way is "
           "'cable.middle'");
    refuse("position", "cable.node()", "rod 'cable' has no place 'node()'; did you mean 'cable.node(0)'?");
    refuse("position", "cable.node(101)",
           "rod 'cable' has nodes 0 to 100 (or -1 to -101 from the end); 'cable.node(101)' is not among them");
    refuse("position", "cable.node(-102)",
           "rod 'cable' has nodes 0 to 100 (or -1 to -101 from the end); 'cable.node(-102)' is not among them");
    refuse("position", "cable.element(100)",
           "rod 'cable' has elements 0 to 99 (or -1 to -100 from the end); 'cable.element(100)' is not among them");
    refuse("tension", "cable.node(3)", "tension takes an element such as cable.element(50); 'cable.node(3)' is a node");
    refuse("curvature", "cable.element(3)",
           "curvature takes a node such as cable.start or cable.node(40); 'cable.element(3)' is an element");
    refuse("position", "ring.end", "rod 'ring' is closed and has no end; use 'ring.start' or 'ring.node(i)'");
    refuse("length", "cable.end", "length takes the name of a rod; write 'cable' instead of 'cable.end'");
}

// A rod with a fault of its own does not raise doubts about places on it.
static void test_places_on_faulty_rods(void **state) {
    (void)state;
    assert_set_says(SCENE_GOOD "probes: [{name: p, position: cable.node(5000)}]\n", "rods.cable.elements=x",
                    "--set rods.cable.elements: error: elements: expected a whole number such as 5, found 'x'\n");
}

static void test_many_rods_are_found(void **state) {
    (void)state;
    enum { COUNT = 300 };
    char *text = malloc(COUNT * 300), *at = text;
    at += sprintf(at, SCENE_HEAD "rods:\n");
    for (int i = 0; i < COUNT; i++) {
        at += sprintf(
            at,
            "  - {name: r%d, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 1 mm}}, "
            "centerline: {line: {to: [1, 0, 0]}}}\n",
            (i * 7) % COUNT);
    }
    at += sprintf(at, "probes:\n");
    for (int i = 0; i < COUNT; i++) at += sprintf(at, "  - {name: p%d, length: r%d}\n", i, i);
    cdg_scene *scene = scene_parse_good(text);
    for (int i = 0; i < COUNT; i++) {
        char name[8];
        snprintf(name, sizeof name, "r%d", i);
        assert_string_equal(scene->rods[scene->probes[i].probe.place.rod.index1 - 1].name, name);
    }
    cdg_scene_destroy(scene);
    free(text);
}

static void test_points_of_others(void **state) {
    (void)state;
    assert_says(
        SCENE_GOOD RING "supports:\n  - {clamp: {body: crate, at: [0, 0, 0]}}\n",
        "scene.yaml:11:13: error: clamp takes a node such as cable.start or cable.node(40); a point of a body is "
        "for the probes 'position' and 'velocity', and for 'hands' as 'body' and 'local', which pull it; 'fixed: "
        "true' holds a body\n");
    assert_says(SCENE_GOOD RING "supports:\n  - {clamp: {solid: pad, at: [0, 0, 0]}}\n",
                "scene.yaml:11:13: error: clamp takes a node such as cable.start or cable.node(40); a point of a solid "
                "is for the probes 'position' and 'velocity' and 'stress', and for 'hands' as 'solid' and 'local'; "
                "solids have supports and loads of their own\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_points_of_others),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_places_on_faulty_rods),
        cmocka_unit_test(test_many_rods_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
