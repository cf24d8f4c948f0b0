// Contacts as programs see them: a rod on a soft block on another on a floor. Forces add up to what each one feels, and
// places are on the triangles that are named. Bodies on bodies and on the floor are listed, too.
#include "solid_world_case.h"

#include "small_world.h"

static cdg_rod_id add_rod(cdg_world *world, double z) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.model = CDG_MODEL_DER;
    def.centerline.line.from = vec3(-0.1, 0.011, z), def.centerline.line.to = vec3(0.1, 0.011, z);
    def.element_count = 8;
    def.section.radius = 5e-3;
    def.material.young_modulus = 1e9, def.material.density = 2000;
    cdg_rod_id id = {0};
    must(world, cdg_world_add_rod(world, &def, &id));
    return id;
}

static cdg_vec3 corner(const cdg_world *world, cdg_solid_id id, size_t triangle, int k) {
    cdg_solid_view view;
    cdg_solid_info info;
    must(world, cdg_solid_get_view(world, id, &view));
    must(world, cdg_solid_get_info(world, id, &info));
    assert_true(triangle < info.surface_count);
    uint32_t node = info.surface[triangle][k];
    return vec3(view.position[0][node], view.position[1][node], view.position[2][node]);
}

// How far a point is out of a triangle: what its barycentric weights are below 0, and its height, in sizes of it.
static double outside(const cdg_world *world, cdg_solid_id id, size_t triangle, cdg_vec3 point) {
    cdg_vec3 a = corner(world, id, triangle, 0), b = corner(world, id, triangle, 1), c = corner(world, id, triangle, 2);
    cdg_vec3 across = vec3_cross(vec3_sub(b, a), vec3_sub(c, a));
    double area2 = vec3_dot(across, across), most = fabs(vec3_dot(across, vec3_sub(point, a))) / pow(area2, 0.75);
    const cdg_vec3 x[3] = {a, b, c};
    for (int k = 0; k < 3; k++) {
        cdg_vec3 part = vec3_cross(vec3_sub(x[(k + 1) % 3], point), vec3_sub(x[(k + 2) % 3], point));
        most = fmax(most, -vec3_dot(across, part) / area2);
    }
    return most;
}

typedef struct felt {
    cdg_vec3 rod, solid[2], floor;
    size_t of_rod, of_solids, of_floor;
} felt;

static void add_up(const cdg_world *world, const cdg_contact_info *c, const cdg_solid_id id[2], felt *out) {
    cdg_vec3 opposite = vec3_scale(-1, c->force);
    assert_near(vec3_norm(c->normal), 1, 1e-12);
    assert_true((c->rod.index1 != 0) != (c->solid.index1 != 0));
    if (c->rod.index1 != 0) out->rod = vec3_add(out->rod, c->force), out->of_rod++;
    for (int k = 0; k < 2; k++) {
        if (c->solid.index1 == id[k].index1) out->solid[k] = vec3_add(out->solid[k], c->force);
        if (c->other_solid.index1 == id[k].index1) out->solid[k] = vec3_add(out->solid[k], opposite);
    }
    if (c->solid.index1 != 0) assert_true(outside(world, c->solid, c->element, c->point) < 1e-9);
    // the first one's place is above the other's triangle, its thickness and the rod's place off
    if (c->other_solid.index1 != 0) assert_true(outside(world, c->other_solid, c->other_element, c->point) < 0.12);
    if (c->solid.index1 != 0 && c->other_solid.index1 != 0) out->of_solids++;
    if (c->obstacle.index1 != 0) out->floor = vec3_add(out->floor, opposite), out->of_floor++;
}

static void test_forces_and_places(void **state) {
    (void)state;
    cdg_world *world = solid_world(1, 5e-3);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.4;
    must(world, cdg_world_set_contact(world, &contact));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    floor.shape.kind = CDG_SHAPE_PLANE, floor.shape.normal = vec3(0, 0, 1);
    must(world, cdg_world_add_obstacle(world, &floor, NULL));
    cdg_solid_id id[2];
    for (int k = 0; k < 2; k++) {
        cdg_solid_def def = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EULER);
        def.damping_time = 0.02, def.position = vec3(0.01 * k, 0.013 * k, 0.053 + 0.107 * k);
        id[k] = solid_world_add(world, def, vec3(0.1, 0.1, 0.1), 0.05);
    }
    cdg_rod_id rod = add_rod(world, 0.2225);
    assert_int_equal(cdg_world_contact_count(world), 0);
    solid_world_steps(world, 100);
    static cdg_contact_info all[400];
    size_t count = 0, of_rod = 0;
    must(world, cdg_world_contacts(world, all, 400, &count));
    assert_true(count <= 400 && count == cdg_world_contact_count(world));
    felt sum = {0};
    for (size_t i = 0; i < count; i++) {
        cdg_contact_info one;
        must(world, cdg_world_contact_at(world, i, &one));
        assert_memory_equal(&one.point, &all[i].point, sizeof one.point);
        add_up(world, &all[i], id, &sum);
    }
    assert_true(sum.of_rod > 0 && sum.of_solids > 0 && sum.of_floor >= 4);
    cdg_vec3 force;
    must(world, cdg_rod_contact_force(world, rod, &force, &of_rod));
    assert_int_equal(of_rod, sum.of_rod);
    assert_vec3_near(sum.rod, force, 1e-12);
    for (int k = 0; k < 2; k++) {
        must(world, cdg_solid_contact_force(world, id[k], &force, NULL));
        assert_vec3_near(sum.solid[k], force, 1e-12);
    }
    double weight = 10 * (2 * 1.0 + 2000 * 3.14159265358979 * 25e-6 * 0.2);
    assert_near(sum.floor.z, -weight, 0.02 * weight);
    assert_true(sum.rod.z > 0);
    assert_int_equal(cdg_world_contact_at(world, count, &all[0]), CDG_ERROR_ARGUMENT);
    assert_true(cdg_world_deepest_contact(world) < 0.1);
    cdg_world_destroy(world);
}

// A ball on a block on a floor, beside a rod on the floor: who touches whom, where, and with which weight.
static void test_bodies(void **state) {
    (void)state;
    cdg_world_def world_def = cdg_world_def_default();
    world_def.gravity = vec3(0, 0, -10), world_def.step = 1e-3, world_def.thread_count = 1;
    cdg_world *world;
    must(NULL, cdg_world_create(&world_def, &world, NULL));
    cdg_obstacle_def floor = cdg_obstacle_def_default();
    cdg_obstacle_id ground;
    must(world, cdg_world_add_obstacle(world, &floor, &ground));
    cdg_body_def def = cdg_body_def_default();
    cdg_body_id block, ball;
    def.shape.kind = CDG_SHAPE_BOX, def.shape.size = vec3(0.2, 0.2, 0.1), def.density = 0, def.mass = 2;
    def.shape.position = vec3(0, 0, 0.05);
    must(world, cdg_world_add_body(world, &def, &block));
    def.shape.kind = CDG_SHAPE_SPHERE, def.shape.radius = 0.03, def.mass = 0.5,
    def.shape.position = vec3(0.01, 0.02, 0.13);
    must(world, cdg_world_add_body(world, &def, &ball));
    cdg_rod_def rod_def = cdg_rod_def_default();
    rod_def.centerline.line.from = vec3(0.3, 0, 0.004), rod_def.centerline.line.to = vec3(0.5, 0, 0.004);
    rod_def.element_count = 4, rod_def.section.radius = 4e-3;
    cdg_rod_id rod;
    must(world, cdg_world_add_rod(world, &rod_def, &rod));
    for (int i = 0; i < 500; i++) must(world, cdg_world_step(world, NULL));
    static cdg_contact_info all[40];
    size_t count = 0, of_rod = 0, of_ball = 0, of_block = 0;
    must(world, cdg_world_contacts(world, all, 40, &count));
    assert_true(count <= 40);
    double on_floor = 0, on_block = 0;
    for (size_t i = 0; i < count; i++) {
        const cdg_contact_info *c = &all[i];
        assert_int_equal((c->rod.index1 != 0) + (c->solid.index1 != 0) + (c->first_body.index1 != 0), 1);
        assert_int_equal((c->other.index1 != 0) + (c->body.index1 != 0) + (c->obstacle.index1 != 0), 1);
        assert_true(vec3_dot(c->normal, c->force) > 0);
        if (c->rod.index1 != 0) {
            assert_int_equal(i, of_rod++); // those of rods come first
            continue;
        }
        if (c->obstacle.index1 != 0) { // the block's four corners
            assert_int_equal(c->first_body.index1, block.index1);
            assert_near(fabs(c->point.x), 0.1, 2e-3);
            assert_near(fabs(c->point.y), 0.1, 2e-3);
            assert_near(c->point.z, 0, 1e-4);
            on_floor += c->force.z;
            of_block++;
        } else { // the ball stands on the block, whichever of the two is the first
            bool is_ball = c->first_body.index1 == ball.index1;
            assert_int_equal(c->body.index1, is_ball ? block.index1 : ball.index1);
            assert_vec3_near(c->point, vec3(0.01, 0.02, 0.1), 1e-3);
            on_block += is_ball ? c->force.z : -c->force.z;
            of_ball++;
        }
    }
    assert_true(of_rod > 0 && of_ball > 0 && of_block >= 3);
    assert_near(on_block, 5, 1e-3);
    assert_near(on_floor, 25, 5e-3);
    assert_true(cdg_world_deepest_contact(world) < 0.1); // of the rod
    cdg_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forces_and_places), cmocka_unit_test(test_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
