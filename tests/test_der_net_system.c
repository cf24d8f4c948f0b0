// The system of joined rods: gradient and Hessian against differences of the value, with an open rod, a ring and a rod
// that is joined to itself; the solution against multiplication; held points do not move.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "der_case.h"
#include "near.h"
#include "rods/der/net_system.h"

enum { RODS = 3, NODES_MAX = 10 };

typedef struct net_system_case {
    der_case rods[RODS];
    cdg_net *net;
    der_net_plan *plan;
    der_chain chains[RODS];
    der_workspace works[RODS];
    der_net_system system;
    char *memory;
} net_system_case;

static der_case build_rod(const cdg_vec3 *points, size_t count, bool is_closed) {
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = count;
    def.centerline.closed = is_closed;
    def.element_count = is_closed ? count : count - 1;
    def.section.kind = CDG_SECTION_RECTANGLE;
    def.section.side[0] = 0.06, def.section.side[1] = 0.03;
    def.material.young_modulus = 1e5;
    return case_build(&def);
}

// Rod a ends at node 0 of ring b, crosses rod c, whose first and last nodes meet.
static void make(net_system_case *c, cdg_random *random) {
    cdg_vec3 a[8], b[6], loop[7];
    for (int i = 0; i < 8; i++) a[i] = vec3(0.2 * i, 0.02 * i * i, 0);
    for (int i = 0; i < 6; i++)
        b[i] = vec3_add(a[7], vec3(0.3 - 0.3 * cos(1.0472 * i), 0.3 * sin(1.0472 * i), 0.1 * i));
    for (int i = 0; i < 7; i++)
        loop[i] = vec3_add(a[3], vec3(0.3 * sin(1.0472 * i), 0.1 * (i % 6), 0.3 - 0.3 * cos(1.0472 * i)));
    loop[6] = loop[0];
    b[0] = a[7];
    c->rods[0] = build_rod(a, 8, false);
    c->rods[1] = build_rod(b, 6, true);
    c->rods[2] = build_rod(loop, 7, false);
    cdg_rod *rods[RODS] = {c->rods[0].rod, c->rods[1].rod, c->rods[2].rod};
    cdg_net_member first[2] = {cdg_net_member_of(rods[0], 0, 7), cdg_net_member_of(rods[1], 1, 0)};
    cdg_net_member second[3] = {cdg_net_member_of(rods[2], 2, 0), cdg_net_member_of(rods[0], 0, 3),
                                cdg_net_member_of(rods[2], 2, 6)};
    cdg_net_joint_def joints[2] = {{.members = first, .count = 2, .stiffness = 1},
                                   {.members = second, .count = 3, .stiffness = 0.7}};
    cdg_error error;
    assert_int_equal(cdg_net_build(rods, RODS, joints, 2, &c->net, &error), CDG_OK);
    for (int r = 0; r < RODS; r++) case_shake(&c->rods[r], random, 0.3);
    for (size_t j = 0; j < 2; j++) { // copies in one place, frames along the edges
        const cdg_net_member *members = &c->net->members[c->net->joints[j].first];
        for (size_t m = 1; m < c->net->joints[j].count; m++)
            rod_set_vec3(rods[members[m].rod]->x, members[m].node, rod_vec3(rods[members[0].rod]->x, members[0].node));
    }
    for (int r = 0; r < RODS; r++) {
        for (size_t j = 0; j < rods[r]->element_count; j++) {
            cdg_vec3 e = vec3_sub(rod_vec3(rods[r]->x, rod_next_node(rods[r], j)), rod_vec3(rods[r]->x, j));
            rod_set_quat(rods[r]->q, j, der_transport(rod_quat(rods[r]->q, j), vec3_normalize(e), 0));
        }
        cdg_rod_recount_turns(rods[r]);
        case_chain(&c->rods[r], &c->chains[r], &c->works[r]);
    }
    c->plan = der_net_plan_make(c->net);
    assert_non_null(c->plan);
    c->system = (der_net_system){.net = c->net, .plan = c->plan, .chains = c->chains, .works = c->works};
    c->memory = aligned_alloc(64, (der_net_system_bytes(c->net, c->plan) + 63) / 64 * 64);
    der_net_system_place(&c->system, c->memory);
    for (size_t k = 0; k < c->net->pair_count; k++)
        c->system.pairs[k] = (der_pair){.pair = &c->net->pairs[k], .factor = 1};
}

static void drop(net_system_case *c) {
    der_net_plan_free(c->plan);
    cdg_net_destroy(c->net);
    free(c->memory);
    for (int r = 0; r < RODS; r++) case_free(&c->rods[r]);
}

static double assemble(net_system_case *c, double geometric) {
    double value = 0;
    for (int r = 0; r < RODS; r++) {
        strip_clear(&c->works[r].matrix);
        value += der_chain_assemble(&c->chains[r], &c->works[r].matrix, geometric);
    }
    return value + der_net_assemble(&c->system, geometric);
}

// The value with unknowns moved from the state.
static double value_at(net_system_case *c, const double *move) {
    for (int r = 0; r < RODS; r++) {
        der_workspace work;
        case_chain(&c->rods[r], &c->chains[r], &work);
        const der_chain *chain = &c->chains[r];
        double turn[NODES_MAX];
        size_t element;
        for (size_t i = 0; i < chain->node_count; i++) {
            size_t number = c->plan->first[r] + i;
            for (size_t k = 0; k < 3; k++) chain->x[k][i] += move[4 * c->plan->block[number] + k];
            turn[i] = c->plan->angle[number] != SIZE_MAX ? move[4 * c->plan->angle[number] + 3] : 0;
        }
        assert_true(der_chain_follow(chain, turn, &element));
    }
    return assemble(c, 1);
}

static double entry(const block_matrix *m, size_t i, size_t j) {
    const block_pattern *p = m->pattern;
    size_t row = p->position[i / 4], column = p->position[j / 4];
    if (row == column) return m->diagonal[16 * row + 4 * (i % 4) + j % 4];
    if (row < column) return entry(m, j, i);
    for (size_t e = p->first[column]; e < p->first[column + 1]; e++)
        if (p->row[e] == row) return m->below[16 * e + 4 * (i % 4) + j % 4];
    return 0;
}

// Unknowns that are there: not the places of blocks for angles alone, nor angles of last nodes.
static bool is_unknown(const net_system_case *c, size_t unknown) {
    for (size_t r = 0; r < RODS; r++)
        for (size_t i = 0; i < c->chains[r].node_count; i++) {
            size_t number = c->plan->first[r] + i;
            if (unknown % 4 < 3 && c->plan->block[number] == unknown / 4) return true;
            if (unknown % 4 == 3 && c->plan->angle[number] == unknown / 4) return i < c->chains[r].element_count;
        }
    return false;
}

static void test_derivatives(void **state) {
    (void)state;
    cdg_random random = {51};
    net_system_case c = {0};
    make(&c, &random);
    size_t size = 4 * c.plan->pattern->count;
    double *move = calloc(size, sizeof *move), *dense = calloc(size * size, sizeof *dense), d = 2e-4, largest = 0;
    double *gradient = calloc(size, sizeof *gradient);
    assemble(&c, 1);
    for (size_t i = 0; i < size; i++) {
        gradient[i] = -c.system.gradient[i];
        for (size_t j = 0; j < size; j++) {
            dense[size * i + j] = entry(&c.system.matrix, i, j);
            largest = fmax(largest, fabs(dense[size * i + j]));
        }
    }
    int checked = 0, coupled = 0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = 0; j <= i; j++) {
            if (!is_unknown(&c, i) || !is_unknown(&c, j)) continue;
            if (dense[size * i + j] == 0 && random_unit(&random) > 0.05) continue;
            double value[4];
            for (int k = 0; k < 4; k++) {
                move[i] += k % 2 == 0 ? d : -d;
                move[j] += k / 2 == 0 ? d : -d;
                value[k] = value_at(&c, move);
                move[i] = move[j] = 0;
            }
            assert_near(dense[size * i + j], (value[0] - value[1] - value[2] + value[3]) / (4 * d * d), 1e-5 * largest);
            if (i == j) assert_near(gradient[i], (value[0] - value[3]) / (4 * d), 1e-5 * largest);
            checked++;
            coupled += dense[size * i + j] != 0;
        }
    assert_true(coupled > 500 && checked > coupled);
    free(move);
    free(dense);
    free(gradient);
    drop(&c);
}

static void test_solves_with_held_points(void **state) {
    (void)state;
    cdg_random random = {52};
    for (int is_held = 0; is_held < 2; is_held++) {
        net_system_case c = {0};
        make(&c, &random);
        if (is_held == 1) {
            c.chains[0].weight[3] = c.chains[2].weight[0] = c.chains[2].weight[6] = INFINITY;
            c.chains[1].weight[1] = INFINITY;
        }
        size_t size = 4 * c.plan->pattern->count;
        double *dense = calloc(size * size, sizeof *dense);
        assemble(&c, 0);
        for (size_t i = 0; i < size; i++)
            for (size_t j = 0; j < size; j++) {
                dense[size * i + j] = entry(&c.system.matrix, i, j);
                if (i == j) { // stand in for inertia
                    dense[size * i + j] += 10;
                    double block[BLOCK_DOUBLES] = {0};
                    block[5 * (i % 4)] = 10;
                    block_add(&c.system.matrix, i / 4, i / 4, block);
                }
            }
        der_net_factor(&c.system);
        assert_false(c.system.matrix.is_broken);
        assert_int_equal(c.system.matrix.negative_count, 0);
        der_net_substitute(&c.system);
        double slope = 0;
        for (size_t i = 0; i < size; i++) {
            double sum = 0;
            for (size_t j = 0; j < size; j++) sum += dense[size * i + j] * c.system.right[j];
            assert_near(sum, c.system.gradient[i], 1e-8);
            slope += c.system.gradient[i] * c.system.right[i];
        }
        assert_near(der_net_slope(&c.system), slope, 1e-12 * slope);
        for (size_t m = 0; m < c.net->member_count; m++) { // copies move alike; held ones do not
            const cdg_net_member *member = &c.net->members[m];
            const double *move = der_solution(&c.chains[member->rod], &c.works[member->rod], member->node);
            size_t place = c.plan->block[c.plan->first[member->rod] + member->node];
            for (size_t k = 0; k < 3; k++) assert_near(move[k], c.system.right[4 * place + k], 0);
            if (is_held == 1 && member->rod != 1 && member->node != 7)
                for (size_t k = 0; k < 3; k++) assert_near(move[k], 0, 0);
        }
        free(dense);
        drop(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_derivatives),
        cmocka_unit_test(test_solves_with_held_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
