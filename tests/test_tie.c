// Ties: what is refused, removing them, and where a rod passes through the solid that it is tied to.
#include "tie_case.h"

static void expect(const cdg_world *world, cdg_result result, cdg_result expected, const char *words) {
    assert_int_equal(result, expected);
    if (strstr(cdg_world_message(world), words) == NULL) print_error("'%s'\n", cdg_world_message(world));
    assert_non_null(strstr(cdg_world_message(world), words));
}

static void test_contradictions_are_told(void **state) {
    (void)state;
    tie_case it = tie_case_make(CDG_MODEL_POBD, CDG_SOLID_BDF2, false, 1);
    cdg_world *world = it.world;
    cdg_place start = {it.rod, CDG_PLACE_NODE, 0}, end = {it.rod, CDG_PLACE_NODE, 12};
    cdg_tie_def def = {.place = end, .solid = it.solid};
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_ARGUMENT, "0.4 m outside of solid");
    def.place = start;
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_ARGUMENT, "has a support, a weld or a tie");
    def.place = (cdg_place){it.rod, CDG_PLACE_NODE, 13};
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_ARGUMENT, "nodes 0 to 12");
    def.place = (cdg_place){{9, 1}, CDG_PLACE_NODE, 0};
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_STALE, "rod that does not exist");
    def = (cdg_tie_def){.place = end, .solid = {7, 1}};
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_STALE, "solid that does not exist");
    cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = start};
    expect(world, cdg_world_add_support(world, &pin, NULL), CDG_ERROR_ARGUMENT, "tied to a solid");
    expect(world, cdg_world_remove_rod(world, it.rod), CDG_ERROR_UNSUPPORTED, "remove its ties first");
    expect(world, cdg_rod_cut(world, (cdg_place){it.rod, CDG_PLACE_NODE, 6}, NULL), CDG_ERROR_UNSUPPORTED,
           "tied to a solid and cannot be cut");
    expect(world, cdg_world_remove_solid(world, it.solid), CDG_ERROR_UNSUPPORTED, "remove its ties first");
    expect(world, cdg_world_find_equilibrium(world, NULL), CDG_ERROR_UNSUPPORTED, "model 'pobd' has no equilibria");
    assert_int_equal(cdg_world_tie_count(world), 1);
    cdg_solid_def explicit_block = solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_EXPLICIT);
    explicit_block.position = vec3(0.5, 0, 0);
    cdg_solid_id other = solid_world_add(world, explicit_block, vec3(0.1, 0.1, 0.1), 0.05);
    def = (cdg_tie_def){.place = end, .solid = other};
    expect(world, cdg_world_add_tie(world, &def, NULL), CDG_ERROR_UNSUPPORTED, "explicit steps");
    cdg_world_destroy(world);
}

static void test_other_models_are_refused(void **state) {
    (void)state;
    const cdg_model models[] = {CDG_MODEL_CORDE, CDG_MODEL_GALPHA, CDG_MODEL_REFERENCE};
    for (int m = 0; m < 4; m++) {
        tie_case it = tie_case_make(CDG_MODEL_DER, CDG_SOLID_BDF2, false, 1);
        cdg_rod_def rod = tie_case_rod(m < 3 ? models[m] : CDG_MODEL_POBD);
        if (m == 3) rod.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        rod.name = "other";
        cdg_rod_id id;
        must(it.world, cdg_world_add_rod(it.world, &rod, &id));
        cdg_tie_def def = {.place = {id, CDG_PLACE_NODE, 0}, .solid = it.solid};
        expect(it.world, cdg_world_add_tie(it.world, &def, NULL), CDG_ERROR_UNSUPPORTED, "of model der, or of pobd");
        cdg_world_destroy(it.world);
    }
}

static void test_welded_rods_are_refused(void **state) {
    (void)state;
    tie_case it = tie_case_make(CDG_MODEL_DER, CDG_SOLID_BDF2, false, 1);
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.name = "other";
    cdg_rod_id id;
    cdg_body_id ball;
    cdg_body_def body = cdg_body_def_default();
    body.shape.position = rod.centerline.line.to;
    must(it.world, cdg_world_add_rod(it.world, &rod, &id));
    must(it.world, cdg_world_add_body(it.world, &body, &ball));
    must(it.world, cdg_world_add_weld(it.world, &(cdg_weld_def){{id, CDG_PLACE_NODE, 12}, ball}, NULL));
    cdg_tie_def def = {.place = {id, CDG_PLACE_NODE, 0}, .solid = it.solid};
    expect(it.world, cdg_world_add_tie(it.world, &def, NULL), CDG_ERROR_UNSUPPORTED, "welded to a body");
    cdg_world_destroy(it.world);
}

static void test_what_is_removed_lets_go(void **state) {
    (void)state;
    tie_case it = tie_case_make(CDG_MODEL_DER, CDG_SOLID_BDF2, false, 1);
    solid_world_steps(it.world, 5);
    must(it.world, cdg_world_remove_tie(it.world, it.tie));
    expect(it.world, cdg_world_remove_tie(it.world, it.tie), CDG_ERROR_STALE, "no longer exists");
    cdg_vec3 before = vec3(0, 0, 0), after = vec3(0, 0, 0), spin;
    const cdg_solid *s = &it.world->solids[0]->solid;
    cdg_solid_momentum(s, s->x, s->v, &before, &spin);
    solid_world_steps(it.world, 10);
    cdg_solid_momentum(s, s->x, s->v, &after, &spin);
    assert_near(vec3_distance(before, after), 0, 1e-13); // nothing pulls any more
    must(it.world, cdg_world_remove_solid(it.world, it.solid));
    must(it.world, cdg_world_remove_rod(it.world, it.rod));
    cdg_world_destroy(it.world);
}

// With contact on: the part of the rod that is inside passes, and the rest lies on the block.
static void test_a_rod_passes_where_it_is_inside(void **state) {
    (void)state;
    tie_case it = {.world = solid_world(1, 2e-3)};
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.3;
    must(it.world, cdg_world_set_contact(it.world, &contact));
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.centerline.line.from = vec3(0, 0, 0); // four elements are inside, one comes out, one is near
    rod.element_count = 40;
    must(it.world, cdg_world_add_rod(it.world, &rod, &it.rod));
    it.solid =
        solid_world_add(it.world, solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.1, 0.08, 0.08), 0.04);
    cdg_tie_def def = {.place = {it.rod, CDG_PLACE_NODE, 0}, .solid = it.solid};
    must(it.world, cdg_world_add_tie(it.world, &def, &it.tie));
    assert_near(it.world->ties[0].pass[0], 0, 1e-12);
    assert_near(it.world->ties[0].pass[1], 6 * 0.45 / 40, 1e-12);
    solid_world_steps(it.world, 10);
    const cdg_pieces *p = &it.world->contacts.pieces;
    for (size_t e = 0; e < 40; e++) assert_int_equal(p->passes[e][0], e < 6 ? 0 : UINT32_MAX);
    cdg_world_destroy(it.world);
}

// A rod that was tied where it lies in the surface may go on from there once it is let go; nothing else may.
static void test_what_is_let_go_may_overlap(void **state) {
    (void)state;
    tie_case it = {.world = solid_world(1, 2e-3)};
    cdg_world_set_gravity(it.world, vec3(0, 0, 0));
    cdg_contact_def contact = cdg_contact_def_default();
    must(it.world, cdg_world_set_contact(it.world, &contact));
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.centerline.line.from = vec3(-0.02, 0.003, 0.042), rod.centerline.line.to = vec3(0.02, 0.003, 0.042);
    rod.element_count = 2;
    must(it.world, cdg_world_add_rod(it.world, &rod, &it.rod));
    it.solid =
        solid_world_add(it.world, solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.1, 0.08, 0.08), 0.04);
    cdg_tie_def def = {.place = {it.rod, CDG_PLACE_NODE, 1}, .solid = it.solid};
    must(it.world, cdg_world_add_tie(it.world, &def, &it.tie));
    solid_world_steps(it.world, 3);
    must(it.world, cdg_world_remove_tie(it.world, it.tie));
    assert_false(cdg_world_contact(it.world).separates);
    assert_true(it.world->rods[0].may_overlap);
    for (int i = 0; i < 300 && it.world->rods[0].may_overlap; i++) solid_world_steps(it.world, 1);
    assert_false(it.world->rods[0].may_overlap); // it has been pushed out
    rod.name = "other", rod.centerline.line.from.y = rod.centerline.line.to.y = -0.03;
    must(it.world, cdg_world_add_rod(it.world, &rod, NULL));
    expect(it.world, cdg_world_step(it.world, NULL), CDG_ERROR_ARGUMENT, "deep in");
    cdg_world_destroy(it.world);
}

// Of several ties the one in the middle goes: the others are still those of their handles, and hold.
static void test_others_stay_when_one_is_removed(void **state) {
    (void)state;
    tie_case it = {.world = solid_world(1, 2e-3)};
    it.world->contact_def.choice = CDG_CONTACT_OFF;
    cdg_rod_def rod = tie_case_rod(CDG_MODEL_DER);
    rod.centerline.line.from = vec3(-0.04, 0, 0), rod.centerline.line.to = vec3(0.04, 0, 0);
    rod.element_count = 4;
    it.solid =
        solid_world_add(it.world, solid_case_def(CDG_SOLID_NEO_HOOKEAN, CDG_SOLID_BDF2), vec3(0.1, 0.08, 0.08), 0.04);
    const cdg_rod_id *of[4];
    cdg_rod_id rods[2];
    for (int r = 0; r < 2; r++) {
        rod.name = r == 0 ? "one" : "other";
        rod.centerline.line.from.z = rod.centerline.line.to.z = 0.02 * r;
        must(it.world, cdg_world_add_rod(it.world, &rod, &rods[r]));
    }
    cdg_tie_id ties[4];
    for (size_t i = 0; i < 4; i++) { // two of each rod
        of[i] = &rods[i % 2];
        cdg_tie_def def = {.place = {*of[i], CDG_PLACE_NODE, i}, .solid = it.solid, .turns = true};
        must(it.world, cdg_world_add_tie(it.world, &def, &ties[i]));
    }
    solid_world_steps(it.world, 3);
    must(it.world, cdg_world_remove_tie(it.world, ties[1]));
    assert_int_equal(cdg_world_tie_count(it.world), 3);
    cdg_vec3 force;
    assert_int_equal(cdg_tie_reaction(it.world, ties[1], &force, NULL), CDG_ERROR_STALE);
    solid_world_steps(it.world, 5);
    for (size_t i = 0, at = 0; i < 4; i++) {
        if (i == 1) continue;
        const world_tie *tie = &it.world->ties[at++];
        assert_true(tie->def.place.rod.index1 == of[i]->index1 && tie->def.place.index == i);
        assert_int_equal(it.world->supports[tie->support].tie1, at);
        assert_true(it.world->rods[of[i]->index1 - 1].has_tie);
        must(it.world, cdg_tie_reaction(it.world, ties[i], &force, NULL));
        assert_vec3_near(force, tie->now.force, 0);
        assert_true(vec3_norm(force) > 0);
    }
    assert_true(tie_case_gap(it.world) < 1e-8);
    must(it.world, cdg_world_remove_tie(it.world, ties[3])); // the last one of the second rod
    assert_false(it.world->rods[rods[1].index1 - 1].has_tie);
    assert_true(it.world->rods[rods[0].index1 - 1].has_tie);
    solid_world_steps(it.world, 2);
    cdg_world_destroy(it.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_contradictions_are_told),         cmocka_unit_test(test_other_models_are_refused),
        cmocka_unit_test(test_welded_rods_are_refused),         cmocka_unit_test(test_what_is_removed_lets_go),
        cmocka_unit_test(test_a_rod_passes_where_it_is_inside), cmocka_unit_test(test_what_is_let_go_may_overlap),
        cmocka_unit_test(test_others_stay_when_one_is_removed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
