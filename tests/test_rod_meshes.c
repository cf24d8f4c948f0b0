// Rods as meshes: the twist of a ribbon is seen in its picture, thin rods are drawn thick enough, fields have their
// colours.
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "picture_case.h"
#include "rod_case.h"

#include "output/solid_surface.h"
#include "render/rod_meshes.h"
#include "run_scene.h"

enum { WIDTH = 320, HEIGHT = 60 };

static const cdg_section ribbon = {.kind = CDG_SECTION_RECTANGLE, .side = {0.12, 0.012}};

static cdg_rod_meshes_def plain_def(void) {
    return (cdg_rod_meshes_def){.scale = 1.1, .thickness = 1, .pixel = 0.01, .range = {0, 1}};
}

// The line of pixels along the rod changes colour at each half turn: each side has its own.
static void test_twist_is_seen(void **state) {
    (void)state;
    static rod_case rod;
    for (int half_turns = 1; half_turns <= 7; half_turns += 2) {
        rod_case_make(&rod, ribbon, 0.5 * half_turns);
        cdg_rod_meshes_def def = plain_def();
        def.has_stripe = true;
        cdg_rod_meshes *meshes = NULL;
        ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
        ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
        cdg_camera camera = case_camera(vec3(0, -20, 0), 0.0094, (double)WIDTH / HEIGHT);
        unsigned char *rgb = case_picture(meshes->scene, &camera, WIDTH, HEIGHT, 1);
        // Red against blue tells orange and slate apart at any brightness; edge-on pixels show both or the background.
        int changes = 0, last = 0;
        for (int x = 0; x < WIDTH; x++) {
            const unsigned char *p = rgb + 3 * ((size_t)(HEIGHT / 2) * WIDTH + (size_t)x);
            int side = p[0] > p[2] + 40 ? 1 : p[0] < p[2] && p[0] < 140 ? -1 : 0;
            if (side != 0 && last != 0 && side != last) changes++;
            if (side != 0) last = side;
        }
        // The rod begins with a flat side to the viewer, so it is edge-on once in each half turn.
        assert_int_equal(changes, half_turns);
        free(rgb);
        cdg_rod_meshes_destroy(meshes);
    }
}

static void test_untwisted_has_one_color(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, ribbon, 0);
    cdg_rod_meshes_def def = plain_def();
    def.has_stripe = true;
    cdg_rod_meshes *meshes = NULL;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
    const cdg_picture_mesh *mesh = &meshes->scene->meshes[0];
    for (size_t i = 0; i < mesh->vertex_count; i++) // d1 is up, d2 towards the viewer (-y): that is the stripe's side
        if (fabsf(mesh->vertices[3 * i]) < 0.8F && fabsf(mesh->vertices[3 * i + 2]) < 0.045F)
            assert_true((mesh->around[i] < 0.5F) == (mesh->vertices[3 * i + 1] < 0));
    cdg_rod_meshes_destroy(meshes);
}

static void test_thin_rods_are_thickened(void **state) {
    (void)state;
    static rod_case rod;
    cdg_section thin = {.kind = CDG_SECTION_CIRCLE, .radius = 0.001};
    rod_case_make(&rod, thin, 0);
    for (int i = 0; i < 20; i++) rod.sections[i].radius = 0.02; // thick enough
    cdg_rod_meshes_def def = plain_def();
    def.smallest_radius = 0.005;
    cdg_rod_meshes *meshes = NULL;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
    assert_float_equal(meshes->most_thickened, 2.5,
                       1e-9); // beside what is 20 times thicker half of the least is enough
    assert_float_equal(meshes->least_thickened, 1, 1e-9);
    assert_float_equal(meshes->extra_radius, 0.0015, 1e-9);
    const cdg_picture_mesh *mesh = &meshes->scene->meshes[0];
    float thickest = 0, thinnest = 1;
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        const float *p = mesh->vertices + 3 * i;
        float radius = hypotf(p[1], p[2]) * 1.1F;
        if (p[0] < -0.7F) thickest = fmaxf(thickest, radius);
        if (p[0] > 0 && p[0] < 0.8F) thinnest = fminf(thinnest, radius);
    }
    assert_float_equal(thickest, 0.02, 1e-4);
    assert_float_equal(thinnest, 0.0025, 1e-4);
    cdg_rod_meshes_destroy(meshes);

    // Alone it has the whole; where all are too thin, the thinner stays thinner.
    def.smallest_radius = 0.1;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    assert_float_equal(meshes->least_thickened, 5, 1e-9);
    assert_float_equal(meshes->most_thickened, 50, 1e-9);
    cdg_rod_meshes_destroy(meshes);
    for (int i = 0; i < 20; i++) rod.sections[i].radius = 0.001;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    assert_float_equal(meshes->least_thickened, 100, 1e-9);
    assert_float_equal(meshes->most_thickened, 100, 1e-9);
    cdg_rod_meshes_destroy(meshes);
    for (int i = 0; i < 20; i++) rod.sections[i].radius = 0.02;
    def.smallest_radius = 0.005;
    def.thickness = 3;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    assert_float_equal(meshes->least_thickened, 3, 1e-9);
    cdg_rod_meshes_destroy(meshes);
}

// A cone's normals lean by its slope, whatever the picture's units are.
// A coil may be drawn thinner than a straight rod, so that one sees between its turns.
static void test_coils_stay_open(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = 0.001}, 0);
    for (int i = 0; i < ROD_CASE_NODES; i++) // twelve turns of 2 m in a box of 0.1 m
        rod.positions[i] = vec3(0.025 * cos(1.2566 * i), 0.025 * sin(1.2566 * i), 0.001 * i);
    cdg_rod_meshes_def def = plain_def();
    def.smallest_radius = 0.005;
    cdg_rod_meshes *meshes = NULL;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    assert_float_equal(meshes->most_thickened, 3, 1e-9);
    cdg_rod_meshes_destroy(meshes);
}

static void test_tapered_normals(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    for (int i = 0; i < ROD_CASE_NODES; i++) rod.sections[i].radius = 0.1 - 0.08 * i / ROD_CASE_ELEMENTS; // on 2 m
    for (double scale = 0.05; scale < 30; scale *= 5) {
        cdg_rod_meshes_def def = plain_def();
        def.scale = scale;
        cdg_rod_meshes *meshes = NULL;
        ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
        ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
        const cdg_picture_mesh *mesh = &meshes->scene->meshes[0];
        for (size_t i = 0; i < mesh->vertex_count; i++)
            if (fabs((double)mesh->vertices[3 * i] * scale) < 0.99) // not the caps
                assert_float_equal(mesh->normals[3 * i], 0.04 / hypot(1, 0.04), 1e-4);
        cdg_rod_meshes_destroy(meshes);
    }
}

static void test_field_colors(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    for (int i = 0; i < ROD_CASE_ELEMENTS; i++) rod.values[i] = i;
    cdg_rod_meshes_def def = plain_def();
    def.has_field = true;
    ASSERT_OK(cdg_rod_field_parse("tension", &rod.player.field, error));
    def.range[1] = ROD_CASE_ELEMENTS - 1;
    cdg_rod_meshes *meshes = NULL;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
    cdg_color_map map = cdg_rod_field_color_map(def.range);
    const cdg_picture_mesh *mesh = &meshes->scene->meshes[0];
    for (size_t i = 0; i < mesh->vertex_count; i++) {
        double place = ((double)mesh->vertices[3 * i] * 1.1 + 1) / 2 * ROD_CASE_ELEMENTS - 0.5; // element
        float3 expected = cdg_color_map_at(&map, place / (ROD_CASE_ELEMENTS - 1));
        float scale = (mesh->colors[3 * i] + mesh->colors[3 * i + 1] + mesh->colors[3 * i + 2]) /
                      (expected.x + expected.y + expected.z);
        assert_true(scale > 0.5F && scale <= 1);
        for (int k = 0; k < 3; k++) assert_float_equal(mesh->colors[3 * i + (size_t)k], scale * (&expected.x)[k], 0.01);
    }
    cdg_rod_meshes_destroy(meshes);
    const double about_zero[] = {-2, 2}, above[] = {0, 2};
    float3 middle = cdg_rod_field_color_map(about_zero).colors[128], low = cdg_rod_field_color_map(above).colors[0];
    assert_true(middle.y > 0.3F && low.y < 0.1F); // grey; dark
}

// Steel looks like steel, but coloured by a field it has the legend's colours, which metal would mirror away.
static void test_metal_has_the_colors_of_a_field(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    rod.reader.scene_text = (char *)"cordage: 1\nsimulation: {duration: 1 s}\n"
                                    "materials: {m: {young_modulus: 1 MPa, density: 1000 kg/m^3}}\n"
                                    "rods: [{name: rod, material: m, section: {circle: {radius: 1 mm}}, elements: 5,\n"
                                    "        centerline: {line: {from: [0, 0, 0], to: [1, 0, 0]}}}]\n"
                                    "looks: [{of: rod, surface: metal}]\n";
    cdg_rod_meshes_def def = plain_def();
    for (int has_field = 0; has_field < 2; has_field++) {
        cdg_rod_meshes *meshes = NULL;
        def.has_field = has_field;
        if (has_field) ASSERT_OK(cdg_rod_field_parse("tension", &rod.player.field, error));
        ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
        assert_int_equal(meshes->scene->meshes[0].surface, has_field ? SCENE_SURFACE_PLASTIC : SCENE_SURFACE_METAL);
        cdg_rod_meshes_destroy(meshes);
    }
}

// Obstacles are drawn where the player has them, but for a floor, which is the ground.
static void test_rigids(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    const cdg_run_obstacle_entry entries[] = {
        {.info = {.name = "floor", .shape.kind = CDG_SHAPE_PLANE, .shape.normal = {0, 0, 1}, .shape.offset = -1}},
        {.info = {.name = "ball", .shape.kind = CDG_SHAPE_SPHERE, .shape.radius = 0.3, .is_moving = true}},
        {.info = {.name = "slope", .shape.kind = CDG_SHAPE_PLANE, .shape.normal = {0.6, 0, 0.8}, .shape.offset = -2}}};
    cdg_rigid_moment poses[] = {{{0, 0, 0}, {1, 0, 0, 0}}, {{1, 2, 3}, {0, 1, 0, 0}}, {{0, 0, 1}, {1, 0, 0, 0}}};
    rod.reader.obstacles = entries;
    rod.reader.obstacle_count = 3;
    rod.player.rigids = poses;
    cdg_rod_meshes_def def = plain_def();
    def.up = vec3(0, 0, 1);
    def.center = vec3(0, 0, 0.5);
    cdg_rod_meshes *meshes = NULL;
    ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
    assert_int_equal(meshes->scene->mesh_count, 3);
    for (int trial = 0; trial < 3; trial++) {
        poses[1].position.x += 1;
        ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
        const cdg_picture_mesh *ball = &meshes->scene->meshes[1], *slope = &meshes->scene->meshes[2];
        assert_false(ball->is_sheet);
        assert_true(slope->is_sheet);
        for (size_t i = 0; i < ball->vertex_count; i++) {
            const float *v = ball->vertices + 3 * i, *n = ball->normals + 3 * i;
            cdg_vec3 at = vec3_add(def.center, vec3_scale(1.1, vec3(v[0], v[1], v[2])));
            assert_float_equal(vec3_distance(at, poses[1].position), 0.3, 1e-5);
            assert_float_equal(vec3_dot(vec3_sub(at, poses[1].position), vec3(n[0], n[1], n[2])), 0.3, 1e-5);
        }
        for (size_t i = 0; i < slope->vertex_count; i++) {
            const float *v = slope->vertices + 3 * i;
            cdg_vec3 at = vec3_add(def.center, vec3_scale(1.1, vec3(v[0], v[1], v[2])));
            assert_float_equal(vec3_dot(vec3_sub(at, poses[2].position), vec3(0.6, 0, 0.8)), -2, 1e-5);
        }
    }
    cdg_rod_meshes_destroy(meshes);
}

// With stripes two quarters of what is round and moves are darker; without, or where it stands still, all is alike.
static void test_round_bodies_are_marked(void **state) {
    (void)state;
    static rod_case rod;
    rod_case_make(&rod, cdg_section_default(), 0);
    const cdg_run_obstacle_entry entries[] = {
        {.info = {.name = "ball", .shape.kind = CDG_SHAPE_SPHERE, .shape.radius = 0.3, .is_moving = true}},
        {.info = {.name = "pole", .shape.kind = CDG_SHAPE_SPHERE, .shape.radius = 0.3}}};
    cdg_rigid_moment poses[] = {{{1, 2, 3}, {1, 0, 0, 0}}, {{0, 0, 1}, {1, 0, 0, 0}}};
    rod.reader.obstacles = entries;
    rod.reader.obstacle_count = 2;
    rod.player.rigids = poses;
    for (int has_stripe = 0; has_stripe < 2; has_stripe++) {
        cdg_rod_meshes_def def = plain_def();
        def.has_stripe = has_stripe;
        cdg_rod_meshes *meshes = NULL;
        ASSERT_OK(cdg_rod_meshes_create(&rod.player, &def, &meshes, error));
        ASSERT_OK(cdg_rod_meshes_move(meshes, &rod.player, error));
        for (int k = 0; k < 2; k++) {
            const cdg_picture_mesh *ball = &meshes->scene->meshes[1 + k];
            size_t dark = 0;
            float brightest = 0;
            for (size_t i = 0; i < ball->vertex_count; i++) brightest = fmaxf(brightest, ball->colors[3 * i]);
            for (size_t i = 0; i < ball->vertex_count; i++) dark += ball->colors[3 * i] < 0.9F * brightest;
            if (has_stripe && k == 0)
                assert_in_range(dark, ball->vertex_count / 3, 2 * ball->vertex_count / 3);
            else
                assert_int_equal(dark, 0);
        }
        cdg_rod_meshes_destroy(meshes);
    }
}

// What colours show is what the file holds, between outputs half of each; the range of colours spans it.
static void test_colors_show_stress(void **state) {
    (void)state;
    static const char text[] =
        "cordage: 1\ncontact: off\nsimulation: {duration: 0.1 s, step: 5 ms}\noutput: {every: 50 ms}\nsolids:\n"
        "  - {name: block, shape: {box: {size: [20 cm, 10 cm, 10 cm]}, resolution: 5 cm}, material: {young_modulus: "
        "100 "
        "kPa, density: 1000 kg/m^3}, supports: {plane: {point: [-9 cm, 0, 0], normal: [-1, 0, 0]}}}\n";
    char directory[RUN_PATH_SIZE];
    run_directory_make(directory);
    cdg_error error = {0};
    cdg_scene *scene = NULL;
    assert_int_equal(cdg_scene_parse(text, strlen(text), "scene.yaml", ".", NULL, 0, &scene, &error), CDG_OK);
    cdg_run_def def = {.scene = scene, .directory = directory, .thread_count = 1};
    assert_int_equal(cdg_run(&def, NULL, &error), CDG_OK);
    cdg_scene_destroy(scene);
    cdg_run_reader *reader = NULL;
    assert_int_equal(cdg_run_reader_open(directory, &reader, &error), CDG_OK);
    cdg_rod_field field;
    cdg_run_player *player = NULL;
    cdg_run_survey survey;
    assert_int_equal(cdg_rod_field_parse("stress", &field, &error), CDG_OK);
    assert_int_equal(cdg_run_player_create(reader, &field, &player, &error), CDG_OK);
    assert_int_equal(cdg_run_survey_make(player, &survey, &error), CDG_OK);
    size_t count = reader->solids[0].tetrahedron_count;
    double *stress = malloc(2 * count * sizeof *stress), most = 0;
    for (size_t k = 0; k < 2; k++)
        assert_int_equal(cdg_run_reader_solid(reader, k + 1, 0, CDG_SOLID_FIELD_stress, stress + k * count, &error),
                         CDG_OK);
    assert_int_equal(cdg_run_player_seek(player, 0.5 * (reader->play[1] + reader->play[2]), &error), CDG_OK);
    for (size_t i = 0; i < count; i++) {
        assert_true(fabs(player->solids[0].values[i] - 0.5 * (stress[i] + stress[count + i])) <
                    1e-9 * stress[i] + 1e-9);
        most = fmax(most, stress[count + i]);
    }
    assert_true(survey.range[0] == 0 && survey.range[1] > 0.5 * most && survey.range[1] <= most);
    cdg_rod_meshes_def meshes_def = {
        .scale = 1, .thickness = 1, .pixel = 0.01, .has_field = true, .range = {survey.range[0], survey.range[1]}};
    cdg_rod_meshes *meshes = NULL;
    assert_int_equal(cdg_rod_meshes_create(player, &meshes_def, &meshes, &error), CDG_OK);
    assert_int_equal(cdg_rod_meshes_move(meshes, player, &error), CDG_OK);
    const cdg_picture_mesh *mesh = &meshes->scene->meshes[0];
    double light[2] = {0, 0}; // of faces with little and with much stress: the map rises from dark to light
    size_t seen[2] = {0, 0};
    cdg_solid_surface surface;
    assert_int_equal(cdg_solid_surface_make(&reader->solids[0], &surface, &error), CDG_OK);
    for (size_t i = 0; i < surface.triangle_count; i++) {
        int is_high = player->solids[0].values[surface.tetrahedra[i]] > 0.5 * survey.range[1];
        light[is_high] += mesh->colors[9 * i + 1], seen[is_high]++;
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
    assert_true(light[1] / (double)seen[1] > 2 * light[0] / (double)seen[0]);
    cdg_solid_surface_free(&surface);
    cdg_rod_meshes_destroy(meshes);
    cdg_run_player_destroy(player);
    cdg_run_reader_close(reader);
    free(stress);
    run_directory_remove(directory);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_colors_show_stress),
                                       cmocka_unit_test(test_twist_is_seen),
                                       cmocka_unit_test(test_untwisted_has_one_color),
                                       cmocka_unit_test(test_thin_rods_are_thickened),
                                       cmocka_unit_test(test_coils_stay_open),
                                       cmocka_unit_test(test_tapered_normals),
                                       cmocka_unit_test(test_field_colors),
                                       cmocka_unit_test(test_metal_has_the_colors_of_a_field),
                                       cmocka_unit_test(test_rigids),
                                       cmocka_unit_test(test_round_bodies_are_marked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
