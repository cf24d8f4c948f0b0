// Rods and solids that are tied together move as one: places agree, momentum is kept, a stiff block is a rigid body.
#include "tie_case.h"

static const cdg_model models[] = {CDG_MODEL_POBD, CDG_MODEL_DER};
static const cdg_solid_integrator integrators[] = {CDG_SOLID_EULER, CDG_SOLID_BDF2};

static void test_momentum_is_exchanged(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++)
        for (int i = 0; i < 2; i++)
            for (int turns = 0; turns < 2; turns++) {
                tie_case it = tie_case_make(models[m], integrators[i], turns != 0, 1);
                cdg_vec3 before = vec3(0, 0, 0), spin, after = vec3(0, 0, 0), later, force;
                cdg_world_momentum(it.world, &before, &spin);
                double largest = 0;
                for (int step = 0; step < 60; step++) {
                    solid_world_steps(it.world, 1);
                    assert_true(tie_case_gap(it.world) < 1e-8);
                    must(it.world, cdg_tie_reaction(it.world, it.tie, &force, NULL));
                    largest = fmax(largest, vec3_norm(force));
                    cdg_world_momentum(it.world, &after, &later);
                    assert_near(vec3_distance(before, after), 0, 1e-12 * vec3_norm(before));
                }
                assert_true(largest > 0.1);                                         // N: the rod is pulled along
                assert_near(vec3_distance(spin, later), 0, 0.05 * vec3_norm(spin)); // implicit steps lose some
                cdg_world_destroy(it.world);
            }
}

// A cantilever with a block at its end hangs as deep as with a rigid body of that mass.
static double depth(cdg_model model, bool is_solid) {
    cdg_world *world = solid_world(1, 5e-3);
    world->contact_def.choice = CDG_CONTACT_OFF;
    cdg_rod_def def = tie_case_rod(model);
    def.centerline.line.from = vec3(-0.4, 0, 0), def.centerline.line.to = vec3(-0.03, 0, 0);
    def.section.radius = 8e-3;
    cdg_rod_id rod;
    must(world, cdg_world_add_rod(world, &def, &rod));
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {rod, CDG_PLACE_NODE, 0}};
    must(world, cdg_world_add_support(world, &clamp, NULL));
    cdg_place end = {rod, CDG_PLACE_NODE, 12};
    if (is_solid) {
        cdg_solid_def block = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2);
        block.young_modulus = 1e8, block.density = 50;
        cdg_solid_id id = solid_world_add(world, block, vec3(0.06, 0.06, 0.06), 0.03);
        must(world, cdg_world_add_tie(world, &(cdg_tie_def){.place = end, .solid = id}, NULL));
    } else {
        cdg_body_def body = cdg_body_def_default();
        body.shape.kind = CDG_SHAPE_BOX, body.shape.size = vec3(0.06, 0.06, 0.06), body.density = 50;
        cdg_body_id id;
        must(world, cdg_world_add_body(world, &body, &id));
        must(world, cdg_world_add_weld(world, &(cdg_weld_def){end, id}, NULL));
    }
    double sum = 0;
    for (int step = 0; step < 100; step++) {
        solid_world_steps(world, 1);
        sum += rod_vec3(world->rods[0].rod->x, 12).z;
    }
    cdg_world_destroy(world);
    return sum / 100;
}

static void test_a_stiff_block_is_a_rigid_body(void **state) {
    (void)state;
    for (int m = 0; m < 2; m++) {
        double rigid = depth(models[m], false), soft = depth(models[m], true);
        assert_true(rigid < -0.01);
        assert_near(soft, rigid, 0.01 * fabs(rigid));
    }
}

// A rod inside of a soft bar, held along its length, stiffens it; so do several ties on one solid.
static double sag(size_t ties) {
    cdg_world *world = solid_world(2, 1e-2);
    world->contact_def.choice = CDG_CONTACT_OFF;
    cdg_solid_def bar = solid_case_def(CDG_SOLID_COROTATIONAL, CDG_SOLID_EULER);
    bar.damping_time = 0.05;
    cdg_solid_id id = solid_world_add(world, bar, vec3(0.4, 0.08, 0.08), 0.04);
    cdg_solid_support_def held = cdg_solid_support_def_default();
    held.solid = id;
    held.region = &(cdg_shape){
        .kind = CDG_SHAPE_PLANE, .position = vec3(-0.199, 0, 0), .orientation = {1, 0, 0, 0}, .normal = vec3(1, 0, 0)};
    must(world, cdg_world_add_solid_support(world, &held, NULL));
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.element_count = 8;
    rod.centerline.line.from = vec3(-0.2, 0, 0.01), rod.centerline.line.to = vec3(0.19, 0, 0.01);
    rod.material.young_modulus = 1e10;
    cdg_rod_id cable;
    if (ties > 0) must(world, cdg_world_add_rod(world, &rod, &cable));
    for (size_t i = 0; i < ties; i++) {
        cdg_tie_def tie = {.place = {cable, CDG_PLACE_NODE, i * 8 / (ties - 1)}, .solid = id, .turns = i > 0};
        must(world, cdg_world_add_tie(world, &tie, NULL));
    }
    solid_world_steps(world, 60);
    if (ties > 0) assert_true(tie_case_gap(world) < 1e-8);
    cdg_solid_state now;
    must(world, cdg_solid_get_state(world, id, &now));
    cdg_world_destroy(world);
    return -now.center.z;
}

static void test_rebar_stiffens(void **state) {
    (void)state;
    double bare = sag(0), reinforced = sag(5);
    assert_true(bare > 5e-3);
    assert_true(reinforced < 0.5 * bare);
}

static void read_all(const cdg_world *world, double *out) {
    const cdg_rod *rod = world->rods[0].rod;
    for (size_t i = 0; i < rod->node_count; i++)
        memcpy(out + 3 * i, &(cdg_vec3){rod->x[0][i], rod->x[1][i], rod->x[2][i]}, 24);
    out[3 * rod->node_count] = world->solids[0]->solid.x[0][5];
}

static void test_threads_and_snapshots_keep_bits(void **state) {
    (void)state;
    double end[3][3 * 13 + 1];
    for (int way = 0; way < 3; way++) {
        tie_case it = tie_case_make(CDG_MODEL_DER, CDG_SOLID_BDF2, false, way == 1 ? 2 : 1);
        solid_world_steps(it.world, 15);
        if (way == 2) {
            double *kept = malloc(cdg_world_snapshot_size(it.world) * sizeof *kept);
            must(it.world, cdg_world_snapshot_save(it.world, kept));
            solid_world_steps(it.world, 3);
            tie_case other = tie_case_make(CDG_MODEL_DER, CDG_SOLID_BDF2, false, 1);
            must(other.world, cdg_world_snapshot_load(other.world, kept));
            cdg_world_destroy(it.world);
            it = other;
            free(kept);
        }
        solid_world_steps(it.world, 15);
        read_all(it.world, end[way]);
        cdg_world_destroy(it.world);
    }
    assert_memory_equal(end[0], end[1], sizeof end[0]);
    assert_memory_equal(end[0], end[2], sizeof end[0]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momentum_is_exchanged), cmocka_unit_test(test_a_stiff_block_is_a_rigid_body),
        cmocka_unit_test(test_rebar_stiffens), cmocka_unit_test(test_threads_and_snapshots_keep_bits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
