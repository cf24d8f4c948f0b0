// Rings that hang in each other are told from those that do not, and a ring that is pulled out is noticed.
#include "validation/ring_links.h"

#include "solid_world_case.h"

static void add_ring(cdg_world *world, double x, double turn) {
    cdg_shape torus = {.kind = CDG_SHAPE_TORUS, .radius = 0.03, .thickness = 0.008, .orientation = {1, 0, 0, 0}};
    cdg_solid_def def = cdg_solid_def_default();
    cdg_error error;
    def.position = vec3(x, 0, 0), def.orientation = quat_from_axis_angle(vec3(1, 0, 0), turn);
    assert_int_equal(cdg_shape_mesh(&torus, 0.012, &def.mesh, &error), CDG_OK);
    assert_int_equal(cdg_world_add_solid(world, &def, NULL), CDG_OK);
    cdg_mesh_free(&def.mesh);
}

static void test_links(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 1e-3);
    for (int i = 0; i < 4; i++) add_ring(world, 0.042 * i, i % 2 * 1.5707963267948966);
    add_ring(world, 0.5, 0);
    solid_world_add(world, cdg_solid_def_default(), vec3(0.02, 0.02, 0.02), 0.02); // a block is no ring
    ring_links *links = ring_links_create(world);
    assert_non_null(links);
    assert_int_equal(ring_links_count(links), 3);
    assert_int_equal(ring_links_changed(links, world), 0);
    cdg_solid *first = &world->solids[0]->solid, *last = &world->solids[4]->solid;
    for (size_t i = 0; i < last->node_count; i++) last->x[0][i] -= 0.5 - 0.042 * 4; // one more
    assert_int_equal(ring_links_changed(links, world), 1);
    for (size_t i = 0; i < first->node_count; i++) first->x[1][i] += 0.5; // and one less
    assert_int_equal(ring_links_changed(links, world), 2);
    ring_links_free(links);
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
