// Fibres of a live scene: they follow their guides as the public placer says, and stand for them when they are taken.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "view/live_fibers.h"
#include "view_case.h"
#include "world/world.h"

static const char text[] =
    "cordage: 1\n"
    "simulation: {duration: 1 s, step: 2 ms, model: pobd}\n"
    "contact: off\n"
    "materials: {hair: {young_modulus: 1 GPa, density: 1300 kg/m^3}}\n"
    "rods:\n"
    "  - {name: bar, material: hair, section: {circle: {radius: 1 mm}}, elements: 3,\n"
    "     centerline: {line: {from: [1 m, 0, 0], to: [2 m, 0, 0]}}}\n"
    "strands:\n"
    "  - {name: bald, material: hair, section: {circle: {radius: 50 um}}, fibers: 0,\n"
    "     elements: 4, guides: 1, roots: {disc: {radius: 5 mm, normal: [1, 0, 0]}}}\n"
    "  - {name: wisp, material: hair, section: {circle: {radius: 50 um}}, guides: 3, fibers: 6,\n"
    "     elements: 8, length: 10 cm, seed: 3, roots: {disc: {radius: 1 cm}},\n"
    "     length_variation: 0.5}\n";
enum { RODS = 5, GUIDE = 2, FIBERS = 6, NODES = 9 };

typedef struct wig {
    cdg_scene *scene;
    cdg_world *world;
    cdg_live_fibers *fibers;
    cdg_cast cast;
} wig;

static wig make(void) {
    wig w = {.scene = view_scene_of(text)};
    cdg_error error;
    assert_int_equal(cdg_scene_build(w.scene, 1, &w.world, &error), CDG_OK);
    assert_int_equal(cdg_live_fibers_create(w.scene, w.world, &w.fibers, &error), CDG_OK);
    assert_int_equal(cdg_cast_add_world(&w.cast, w.world, &error), CDG_OK);
    assert_true(cdg_live_fibers_cast(w.fibers, &w.cast));
    return w;
}

static void destroy(wig *w) {
    cdg_live_fibers_destroy(w->fibers);
    cdg_cast_free(&w->cast);
    cdg_world_destroy(w->world);
    cdg_scene_destroy(w->scene);
}

static void they_are_rods_of_the_cast(void **state) {
    (void)state;
    wig w = make();
    assert_int_equal(w.cast.rod_count, RODS + FIBERS);
    assert_int_equal(w.cast.rods[0].strands, 0);
    assert_int_equal(w.cast.rods[GUIDE].strands, 1);
    assert_string_equal(w.cast.rods[RODS].name, "wisp.f0");
    assert_int_equal(w.cast.rods[RODS].element_count, w.cast.rods[RODS].node_count - 1);
    for (uint32_t i = 0; i < RODS; i++) assert_int_equal(cdg_live_fibers_guide(w.fibers, i), i);
    const cdg_fibers *f = &w.scene->strands[1]->fibers;
    for (uint32_t i = 0; i < FIBERS; i++) { // the guide of no lesser weight than the others
        uint32_t guide = cdg_live_fibers_guide(w.fibers, RODS + i) - GUIDE;
        double weight = 0;
        for (int k = 0; k < CDG_FIBER_GUIDES; k++)
            if (f->guides[i][k] == guide) weight = f->weights[i][k] > weight ? f->weights[i][k] : weight;
        for (int k = 0; k < CDG_FIBER_GUIDES; k++) assert_true(weight >= f->weights[i][k]);
    }
    assert_int_equal(cdg_live_fibers_guide(w.fibers, RODS + FIBERS), RODS + FIBERS); // no such rod
    destroy(&w);
}

// Guides moved as one body take their fibres with them, and colours are the guides'.
static void they_follow(void **state) {
    (void)state;
    wig w = make();
    float before[3 * FIBERS * NODES], after[3 * FIBERS * NODES], values[4 + 5 + 3 * NODES], colors[FIBERS * NODES];
    size_t count = (size_t)(cdg_live_fibers_place(w.fibers, w.world, before) - before);
    assert_true(count > 0 && count < 3 * FIBERS * NODES); // some are shorter
    size_t last = 3 * (w.cast.rods[RODS].node_count - 1);
    float way = before[last + 2] - before[2]; // along the disc's normal, from root to tip
    assert_true(way * way > 0.04F * 0.04F);
    for (size_t i = GUIDE; i < RODS; i++) {
        cdg_rod *rod = cdg_world_get_rod(w.world, cdg_world_rod_at(w.world, i));
        for (size_t k = 0; k < rod->node_count; k++) rod->x[1][k] += 0.25;
    }
    assert_int_equal(cdg_live_fibers_place(w.fibers, w.world, after) - after, count);
    for (size_t i = 0; i < count; i++) assert_true(after[i] - before[i] - (i % 3 == 1 ? 0.25F : 0) < 1e-6F);
    for (size_t i = 0; i < count; i++) assert_true(after[i] - before[i] - (i % 3 == 1 ? 0.25F : 0) > -1e-6F);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) values[i] = (float)i;
    assert_int_equal(cdg_live_fibers_color(w.fibers, values, colors) - colors, count / 3);
    uint32_t guide = cdg_live_fibers_guide(w.fibers, RODS);
    assert_int_equal((int)colors[1], 9 + (int)(guide - GUIDE) * NODES + 1);
    destroy(&w);
}

static void scenes_without_fibres_have_none(void **state) {
    (void)state;
    cdg_scene *scene = view_scene();
    cdg_world *world;
    cdg_live_fibers *fibers;
    cdg_error error;
    assert_int_equal(cdg_scene_build(scene, 1, &world, &error), CDG_OK);
    assert_int_equal(cdg_live_fibers_create(scene, world, &fibers, &error), CDG_OK);
    assert_null(fibers);
    assert_int_equal(cdg_live_fibers_guide(NULL, 7), 7);
    cdg_world_destroy(world);
    cdg_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_are_rods_of_the_cast), cmocka_unit_test(they_follow),
                                       cmocka_unit_test(scenes_without_fibres_have_none)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
