// The table of models: complete, and in the order of the public list; how rods without a response of their own answer.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "near.h"
#include "net_case.h"
#include "rods/rod_model.h"
#include "world/world.h"

static void test_every_listed_model_is_whole(void **state) {
    (void)state;
    const char *names[] = {
#define MODEL_NAME(enumerator, name, text) #name,
        CDG_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    for (int m = 0; m < CDG_MODEL_COUNT; m++) {
        const cdg_rod_model *model = cdg_rod_model_get((cdg_model)m);
        assert_non_null(model);
        assert_string_equal(model->name, names[m]);
        assert_true(model->check && model->needs_history && model->scratch_size && model->predict && model->commit &&
                    model->advise_step);
        bool has_response = model->contact.respond != NULL;
        assert_true((model->contact.response_size != NULL) == has_response &&
                    (model->contact.keep_response != NULL) == has_response);
    }
}

// All copies of a joined point move alike, by what a force on one of them does to the sum of their masses: how contact
// answers rods that have no response of their own. The rods are so soft that nothing else counts.
static void test_joined_points_answer_by_the_sum_of_their_masses(void **state) {
    (void)state;
    for (int solver = 0; solver < 3; solver++) { // corde, gauss_seidel with euler and with bdf2
        cdg_rod_def def = cdg_rod_def_default();
        def.material.young_modulus = 1e-3;
        def.section.radius = 2e-3;
        def.model = solver == 0 ? CDG_MODEL_CORDE : CDG_MODEL_POBD;
        def.pobd.solver = CDG_POBD_GAUSS_SEIDEL;
        def.pobd.integrator = solver == 1 ? CDG_POBD_EULER : CDG_POBD_BDF2;
        double step = 1e-3, effective = solver == 2 ? 2 * step / 3 : step, force = 1e-6, mass = 0;
        net_case net = net_star(&def, 2.0943951023931953, 10, vec3(0, 0, 0), step);
        net_run(&net, 2);
        cdg_load_def load = cdg_load_def_default();
        load.kind = CDG_LOAD_FORCE;
        load.place = net_node(net.rods[1], 0);
        load.value = vec3(0, 0, force);
        must(net.world, cdg_world_add_load(net.world, &load, NULL));
        net_run(&net, 1);
        for (int i = 0; i < 3; i++) mass += net.world->rods[i].rod->node_mass[0];
        for (int i = 0; i < 3; i++)
            assert_near(net.world->rods[i].rod->x[2][0] * mass / (effective * effective * force), 1, 1e-4);
        cdg_world_destroy(net.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_listed_model_is_whole),
        cmocka_unit_test(test_joined_points_answer_by_the_sum_of_their_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
