// obstacles, contact.
#include "scene_text.h"

#include "math/quat.h"
#include "near.h"

#include <unistd.h>

#define OBSTACLES(text) SCENE_GOOD "obstacles:\n" text

static void test_values(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(
        OBSTACLES("  - {plane: {normal: [0, 0, 2], offset: -1 cm}, friction: 0.4}\n"
                  "  - {name: ball, sphere: {radius: 5 cm}, position: [0, 1 m, 0]}\n"
                  "  - {box: {size: [1 m, 20 cm, 3]}, orientation: {axis: [0, 0, 1], angle: 90 deg}}\n"
                  "  - {capsule: {radius: 2 cm, length: 0}, orientation: [0, 2, 0, 0]}\n"
                  "  - cylinder: {radius: 2 cm, length: 20 cm}\n"
                  "    motion: {rotate: {axis: [0, 0, 1], angle: 1 turn}, to: 2 s}\n") "contact: {friction: 0.3, "
                                                                                       "restitution: 0.5, separate: "
                                                                                       "true}\n");
    const cdg_obstacle_def *o = scene->obstacles;
    assert_int_equal(scene->obstacle_count, 5);
    assert_int_equal(o[0].shape.kind, CDG_SHAPE_PLANE);
    assert_string_equal(o[0].name, "obstacle_1");
    assert_vec3_near(o[0].shape.normal, vec3(0, 0, 1), 1e-15);
    assert_near(o[0].shape.offset, -0.01, 1e-17);
    assert_near(o[0].friction, 0.4, 0);
    assert_string_equal(o[1].name, "ball");
    assert_near(o[1].shape.radius, 0.05, 1e-17);
    assert_near(o[1].shape.position.y, 1, 0);
    assert_true(o[1].friction < 0); // that of contact
    assert_vec3_near(o[2].shape.size, vec3(1, 0.2, 3), 1e-15);
    assert_vec3_near(quat_rotate(o[2].shape.orientation, vec3(1, 0, 0)), vec3(0, 1, 0), 1e-15);
    assert_rotation_near(o[3].shape.orientation, quat(0, 1, 0, 0), 1e-15);
    assert_int_equal(o[4].motion_count, 1);
    assert_near(o[4].motions[0].to, 2, 0);
    assert_int_equal(scene->obstacle_marks[1].line, 11);
    assert_near(scene->contact.friction, 0.3, 0);
    assert_near(scene->contact.restitution, 0.5, 0);
    assert_true(scene->contact.separates && scene->contact.choice != CDG_CONTACT_OFF);

    cdg_world *world = NULL;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_world_obstacle_count(world), 5);
    cdg_obstacle_info info;
    assert_int_equal(cdg_obstacle_get_info(world, cdg_world_find_obstacle(world, "ball"), &info), CDG_OK);
    assert_near(info.friction, 0.3, 0);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

static bool is_off(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    bool is_off = scene->contact.choice == CDG_CONTACT_OFF;
    cdg_scene_destroy(scene);
    return is_off;
}

#define TWO_RODS(model, more)                                                                                          \
    "cordage: 1\nsimulation: {duration: 1 s, model: " model more                                                       \
    "}\nmaterials: {m: {young_modulus: 1 MPa, density: 999}}\n"                                                        \
    "rods:\n"                                                                                                          \
    "  - {name: a, material: m, section: {circle: {radius: 1 mm}}, centerline: {line: {to: [1, 0, 0]}}}\n"             \
    "  - {name: b, material: m, section: {circle: {radius: 1 mm}}, centerline: {line: {from: [1, 0, 0], to: [1, 1, "   \
    "0]}}}\n"
#define JOINED "joints: [{join: [a.end, b.start]}]\n"

static void the_response_of_contact_is_chosen(void **state) {
    (void)state;
    cdg_scene *scene = scene_parse_good(TWO_RODS("der", "") "contact: {response: paper}\n");
    assert_int_equal(scene->contact.response, CDG_RESPONSE_PAPER);
    cdg_scene_destroy(scene);
}

static cdg_contact_choice choice_of(const char *text) {
    cdg_scene *scene = scene_parse_good(text);
    cdg_contact_choice choice = scene->contact.choice;
    cdg_scene_destroy(scene);
    return choice;
}

// Contact that nobody asked for is nowhere off. Equilibria, which know none, are refused only where things touch, so
// it must be told apart from contact that is asked for. Joined rods of every model touch.
static void test_contact_by_default(void **state) {
    (void)state;
    assert_int_equal(choice_of(TWO_RODS("der", ", mode: static, gravity: [0, 0, 0]")), CDG_CONTACT_DEFAULT);
    assert_int_equal(choice_of(TWO_RODS("der", ", mode: static, gravity: [0, 0, 0]") "contact: {friction: 1}\n"),
                     CDG_CONTACT_ON);
    assert_false(is_off(TWO_RODS("der", "")));
    assert_false(is_off(TWO_RODS("corde", "") JOINED));
    cdg_scene *scene = scene_parse_with(TWO_RODS("der", "") JOINED, NULL, 0);
    assert_false(scene->contact.choice == CDG_CONTACT_OFF);
    assert_int_equal(cdg_scene_diagnostic_count(scene), 0);
    cdg_scene_destroy(scene);
    assert_false(is_off(TWO_RODS("der", "") JOINED "contact: on\n"));
}

static void test_when_contact_is_on(void **state) {
    (void)state;
    assert_false(is_off(SCENE_GOOD)); // things touch, unless somebody says otherwise
    assert_true(is_off(SCENE_GOOD "contact: off\n"));
    assert_true(is_off(SCENE_GOOD "contact: false\n"));
    assert_false(is_off(SCENE_GOOD "contact: on\n"));
    assert_false(is_off(SCENE_GOOD "contact: {}\n"));
    assert_false(is_off(OBSTACLES("  - {plane: {normal: [0, 0, 1]}}\n")));
    assert_says(OBSTACLES("  - {plane: {normal: [0, 0, 1]}}\n") "contact: off\n",
                "scene.yaml:10:3: warning: contact is off, so nothing touches these obstacles\n");
    assert_says(SCENE_GOOD "contact: maybe\n", "scene.yaml:9:10: error: contact: expected off, on, or a map such as "
                                               "{friction: 0.3}, found 'maybe'\n");
    assert_says(SCENE_GOOD "contact: {frction: 0.3}\n",
                "scene.yaml:9:11: error: unknown key 'frction' in contact; did you mean 'friction'?\n");
    cdg_scene *scene = scene_parse_with(SCENE_GOOD "contact: {friction: -1}\n", NULL, 0);
    assert_true(scene_says(scene, "friction"));
    assert_false(scene->is_usable);
    cdg_scene_destroy(scene);
}

static void refuses(const char *text, const char *part) {
    cdg_scene *scene = scene_parse_with(text, NULL, 0);
    if (!scene_says(scene, part)) {
        char *said = scene_said(scene);
        print_error("%s is not in %s", part, said);
        free(said);
        fail();
    }
    assert_false(scene->is_usable);
    cdg_scene_destroy(scene);
}

static void test_faults(void **state) {
    (void)state;
    refuses(OBSTACLES("  - {name: a}\n"), "obstacle 'a'");
    refuses(OBSTACLES("  - {sphere: {radius: 1}, box: {size: [1, 1, 1]}}\n"), "sphere");
    refuses(OBSTACLES("  - {sphere: {radius: 2 MPa}}\n"), "radius is a length; '2 MPa' is a pressure");
    refuses(OBSTACLES("  - {sphere: {radius: 0}}\n"), "greater than 0");
    refuses(OBSTACLES("  - {box: {size: [1, -1, 1]}}\n"), "the sides of a box must be positive");
    refuses(OBSTACLES("  - {sphere: {raduis: 1}}\n"), "did you mean 'radius'?");
    refuses(OBSTACLES("  - {plane: {normal: [0, 0, 0]}}\n"), "normal");
    refuses(OBSTACLES("  - {plane: {normal: [0, 0, 1]}, orientation: 3}\n"), "orientation: expected");
    refuses(OBSTACLES("  - {plane: {normal: [0, 0, 1]}, orientation: [0, 0, 0, 0]}\n"), "quaternion");
    refuses(OBSTACLES("  - {plane: {normal: [0, 0, 1]}, motion: 3}\n"), "motion: expected");
    refuses(OBSTACLES("  - {name: a, sphere: {radius: 1}}\n  - {name: a, sphere: {radius: 1}}\n"),
            "another obstacle is named 'a' already (line 10)");
    refuses(OBSTACLES("  - {mesh: {file: part.stl}}\n"), "does not come from a file");
    refuses(OBSTACLES("  - 3\n"), "obstacle 1");
    refuses(SCENE_GOOD "obstacles: 3\n", "expected a list");
}

static void test_mesh_files(void **state) {
    (void)state;
    static const char open_mesh[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\n";
    const char *const texts[] = {open_mesh, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"};
    const char *scene_text = OBSTACLES("  - {mesh: {file: parse_obstacle.obj, scale: 0.5}}\n");
    for (int k = 0; k < 3; k++) {
        if (k < 2) {
            FILE *file = fopen("parse_obstacle.obj", "w");
            assert_non_null(file);
            fputs(texts[k], file);
            fclose(file);
        } else {
            unlink("parse_obstacle.obj");
        }
        cdg_scene *scene = NULL;
        cdg_error error;
        cdg_scene_parse(scene_text, strlen(scene_text), "scene.yaml", ".", NULL, 0, &scene, &error);
        assert_non_null(scene);
        if (k == 0) assert_true(scene_says(scene, "scene.yaml:10:12: error: obstacle 1: the mesh is open: the edge"));
        if (k == 1) {
            assert_true(scene->is_usable);
            assert_int_equal(scene->obstacles[0].shape.mesh.triangle_count, 4);
        }
        if (k == 2) assert_true(scene_says(scene, "parse_obstacle.obj: cannot open"));
        cdg_scene_destroy(scene);
    }
}

// An open mesh with repair: true becomes a closed one; a closed one stays as it is.
static void test_repair(void **state) {
    (void)state;
    static const char *const faces =
        "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
        "f 4 3 2 1\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    const struct {
        const char *lid, *options;
        size_t least, most;                                          // triangles
        const char *says;                                            // NULL: the scene is fine
    } cases[] = {{"f 5 6 7\n", "repair: true", 1000, 1000000, NULL}, // half of the lid is missing
                 {"f 5 6 7\n", "repair: true, repair_size: 20 cm", 100, 1000, NULL},
                 {"f 5 6 7 8\n", "repair: true", 12, 12, NULL},
                 {"f 5 6 7\n", "repair: false", 0, 0, "the mesh is open"},
                 {"f 5 6 7\n", "repair: true, surface: true", 0, 0, "leave one of them out"},
                 {"f 5 6 7\n", "repair_size: 1 cm", 0, 0, "add repair: true"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2000];
        FILE *file = fopen("parse_obstacle_repair.obj", "w");
        assert_non_null(file);
        fprintf(file, "%s%s", faces, cases[i].lid);
        fclose(file);
        snprintf(text, sizeof text, OBSTACLES("  - {mesh: {file: parse_obstacle_repair.obj, scale: 0.5, %s}}\n"),
                 cases[i].options);
        cdg_scene *scene = NULL;
        cdg_error error;
        cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error);
        assert_non_null(scene);
        if (cases[i].says != NULL)
            assert_true(scene_says(scene, cases[i].says));
        else {
            assert_true(scene->is_usable);
            size_t count = scene->obstacles[0].shape.mesh.triangle_count;
            assert_true(count >= cases[i].least && count <= cases[i].most);
        }
        cdg_scene_destroy(scene);
    }
    unlink("parse_obstacle_repair.obj");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(the_response_of_contact_is_chosen),
        cmocka_unit_test(test_when_contact_is_on),
        cmocka_unit_test(test_contact_by_default),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_mesh_files),
        cmocka_unit_test(test_repair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
