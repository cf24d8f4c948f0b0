// The response of joined der rods against differences of their steps: stars with hinges and stiff joints, held or not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "net_case.h"
#include "rods/der/net.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 4, NODES = ELEMENTS + 1, RODS = 3, ALL = RODS * NODES };

typedef struct net_loads {
    double force[3][ALL], torque[3][ALL];
    cdg_rod_loads rods[RODS];
} net_loads;

static void clear(net_loads *l) {
    *l = (net_loads){0};
    for (size_t r = 0; r < RODS; r++)
        for (int k = 0; k < 3; k++) {
            l->rods[r].force[k] = l->force[k] + r * NODES;
            l->rods[r].torque[k] = l->torque[k] + r * NODES;
        }
}

static void predict(const cdg_net *net, double step, const net_loads *loads, void *scratch) {
    cdg_rod_step_result results[RODS];
    cdg_error error = {0};
    size_t failed;
    must(NULL, der_predict_net(net, step, loads->rods, scratch, results, &failed, &error));
}

// Forces at a few places, torques on a few elements; copies of the shared point, too.
static void equals_differences_of_steps(void **state) {
    (void)state;
    cdg_random random = {7};
    for (int kind = 0; kind < 4; kind++) {
        cdg_rod_def def = cdg_rod_def_default();
        def.model = CDG_MODEL_DER;
        def.der.tolerance = 1e-13;
        def.der.scheme = kind % 2 == 0 ? CDG_DER_EULER : CDG_DER_BDF2;
        net_case it = net_star(&def, 2.0943951023931953, ELEMENTS, vec3(0, 0, -9.81), 5e-3);
        if (kind >= 2) {
            cdg_support_def pin = {.kind = CDG_SUPPORT_PIN, .place = net_node(it.rods[1], ELEMENTS)};
            must(it.world, cdg_world_add_support(it.world, &pin, NULL));
        }
        net_run(&it, 5);
        const cdg_net *net = it.world->nets[0];
        for (uint32_t r = 0; r < RODS; r++) cdg_supports_drive(it.world, r, it.world->time + 5e-3);
        void *scratch = aligned_alloc(64, (der_net_scratch_size(net) + 63) / 64 * 64);
        void *response = aligned_alloc(64, (der_net_response_size(net) + 63) / 64 * 64);
        net_loads loads;
        cdg_error error = {0};
        clear(&loads);
        predict(net, 5e-3, &loads, scratch);
        must(NULL, der_keep_net_response(net, 5e-3, loads.rods, scratch, response, &error));
        double base[3][ALL];
        for (int k = 0; k < 3; k++)
            for (size_t r = 0; r < RODS; r++)
                memcpy(base[k] + r * NODES, net->rods[r]->x_next[k], NODES * sizeof(double));

        for (int trial = 0; trial < 6; trial++) {
            const double size = 1e-4; // N, of a rod that weighs some hundredths
            double force[3][ALL] = {0}, torque[ALL] = {0}, move[3][ALL], turn[ALL];
            size_t at = trial == 0 ? 0 : (size_t)random_in(&random, 0, ALL - 0.01);
            clear(&loads);
            for (int k = 0; k < 3; k++) loads.force[k][at] = force[k][at] = random_in(&random, -size, size);
            double *const forces[3] = {force[0], force[1], force[2]}, *const moves[3] = {move[0], move[1], move[2]};
            der_respond_net(net, response, forces, torque, moves, turn);
            predict(net, 5e-3, &loads, scratch);
            double largest = 0, worst = 0;
            for (size_t r = 0; r < RODS; r++)
                for (size_t i = 0; i < NODES; i++)
                    for (int k = 0; k < 3; k++) {
                        double true_move = net->rods[r]->x_next[k][i] - base[k][r * NODES + i];
                        largest = fmax(largest, fabs(true_move));
                        worst = fmax(worst, fabs(true_move - move[k][r * NODES + i]));
                    }
            bool is_held = kind >= 2 && at == NODES + ELEMENTS;
            if (is_held) assert_near(largest, 0, 1e-12);
            if (!is_held) assert_true(largest > 0 && worst < 1e-3 * largest);
        }
        free(scratch);
        free(response);
        cdg_world_destroy(it.world);
    }
}

// What a force here does there is what the same force there does here.
static void is_symmetric(void **state) {
    (void)state;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    net_case it = net_star(&def, 1.6, ELEMENTS, vec3(0, 1, -9.81), 5e-3);
    net_run(&it, 10);
    const cdg_net *net = it.world->nets[0];
    void *scratch = aligned_alloc(64, (der_net_scratch_size(net) + 63) / 64 * 64);
    void *response = aligned_alloc(64, (der_net_response_size(net) + 63) / 64 * 64);
    net_loads loads;
    cdg_error error = {0};
    clear(&loads);
    predict(net, 5e-3, &loads, scratch);
    must(NULL, der_keep_net_response(net, 5e-3, loads.rods, scratch, response, &error));
    double there[2];
    for (size_t k = 0; k < 2; k++) {
        double force[3][ALL] = {0}, torque[ALL] = {0}, move[3][ALL], turn[ALL];
        double *const forces[3] = {force[0], force[1], force[2]}, *const moves[3] = {move[0], move[1], move[2]};
        size_t from = k == 0 ? 3 : 2 * NODES + 2, to = k == 0 ? 2 * NODES + 2 : 3;
        force[k == 0 ? 1 : 2][from] = 1;
        der_respond_net(net, response, forces, torque, moves, turn);
        there[k] = move[k == 0 ? 2 : 1][to];
    }
    assert_near(there[0], there[1], 1e-9 * fabs(there[0]));
    free(scratch);
    free(response);
    cdg_world_destroy(it.world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equals_differences_of_steps),
        cmocka_unit_test(is_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
