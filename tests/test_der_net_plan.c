// Blocks of joined rods that adapt: through random changes all that is coupled has its place, memory suffices, and the
// plan is that of a net which was made with this resolution.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "adapt/resolution.h"
#include "adapt_case.h"
#include "rods/der/net_plan.h"

enum { RODS = 3 };

static cdg_rod *build_rod(const cdg_vec3 *points, size_t count, bool is_closed, bool adapts) {
    cdg_rod_def def = adapt_def(ADAPT_DER, is_closed ? count : count - 1);
    def.adapt.is_on = adapts;
    def.centerline.kind = CDG_CENTERLINE_POLYLINE;
    def.centerline.points.points = points;
    def.centerline.points.count = count;
    def.centerline.closed = is_closed;
    return adapt_build(&def);
}

// Rod a ends at node 0 of ring b, and crosses rod c, whose first and last nodes meet; beyond the crossing it is free.
static cdg_net *build_net(cdg_rod *rods[RODS], bool adapts) {
    cdg_vec3 a[8], b[6], loop[7];
    for (int i = 0; i < 8; i++) a[i] = vec3(0.2 * i, 0.02 * i * i, 0);
    for (int i = 0; i < 6; i++)
        b[i] = vec3_add(a[7], vec3(0.3 - 0.3 * cos(1.0472 * i), 0.3 * sin(1.0472 * i), 0.1 * i));
    for (int i = 0; i < 7; i++)
        loop[i] = vec3_add(a[3], vec3(0.3 * sin(1.0472 * i), 0.1 * (i % 6), 0.3 - 0.3 * cos(1.0472 * i)));
    loop[6] = loop[0];
    b[0] = a[7];
    rods[0] = build_rod(a, 8, false, adapts);
    rods[1] = build_rod(b, 6, true, adapts);
    rods[2] = build_rod(loop, 7, false, adapts);
    cdg_net_member first[2] = {cdg_net_member_of(rods[0], 0, 7), cdg_net_member_of(rods[1], 1, 0)};
    cdg_net_member second[3] = {cdg_net_member_of(rods[2], 2, 0), cdg_net_member_of(rods[0], 0, 3),
                                cdg_net_member_of(rods[2], 2, 6)};
    cdg_net_joint_def joints[2] = {{.members = first, .count = 2, .stiffness = 1},
                                   {.members = second, .count = 3, .stiffness = 0.7}};
    cdg_error error = {0};
    cdg_net *net = NULL;
    assert_int_equal(cdg_net_build(rods, RODS, joints, 2, &net, &error), CDG_OK);
    for (size_t m = 0; m < net->member_count && adapts; m++)
        rods[net->members[m].rod]->adapt->joined[net->members[m].node] = 1;
    return net;
}

static bool is_beside_joint(const cdg_rod *rod, size_t element) {
    return rod->adapt->joined[element] != 0 || rod->adapt->joined[rod_next_node(rod, element)] != 0;
}

static void change(cdg_rod *rod, cdg_random *random) {
    size_t j = (size_t)random_in(random, 0, (double)rod->element_count);
    if (is_beside_joint(rod, j)) return;
    if (random_unit(random) < 0.6 && rod->adapt->level[j] < 3 && rod->element_count < rod->element_capacity)
        cdg_resolution_halve(rod, j);
    else if (cdg_resolution_are_halves(rod, j) && !is_beside_joint(rod, j + 1))
        cdg_resolution_join(rod, j);
}

static void assert_coupled(const block_pattern *p, size_t a, size_t b) {
    if (a == b || a == SIZE_MAX || b == SIZE_MAX) return;
    size_t row = p->position[a], column = p->position[b];
    if (row < column) row = p->position[b], column = p->position[a];
    size_t entry = p->first[column];
    while (entry < p->first[column + 1] && p->row[entry] < row) entry++;
    assert_true(entry < p->first[column + 1] && p->row[entry] == row);
}

// Nodes, by number in the net, which are all coupled.
static void assert_all_coupled(const der_net_plan *plan, const size_t *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k <= i; k++) {
            size_t a = numbers[i], b = numbers[k];
            assert_coupled(plan->pattern, plan->block[a], plan->block[b]);
            assert_coupled(plan->pattern, plan->block[a], plan->angle[b]);
            assert_coupled(plan->pattern, plan->angle[a], plan->block[b]);
            assert_coupled(plan->pattern, plan->angle[a], plan->angle[b]);
        }
}

static void check_plan(const der_net_plan *plan, const cdg_net *net) {
    const block_pattern *p = plan->pattern;
    assert_non_null(p);
    assert_true(p->count <= plan->most_blocks && p->entry_count <= plan->most_entries);
    size_t sum = 0;
    for (size_t b = 0; b < p->count; b++) sum += p->position[b];
    assert_int_equal(sum, p->count * (p->count - 1) / 2);
    for (size_t r = 0; r < RODS; r++) {
        const cdg_rod *rod = net->rods[r];
        for (size_t i = 0; i < rod->node_count; i++) {
            size_t next = rod_next_node(rod, i), after = rod_next_node(rod, next);
            if (!rod->is_closed && i + 2 >= rod->node_count) break;
            const size_t three[3] = {plan->first[r] + i, plan->first[r] + next, plan->first[r] + after};
            assert_all_coupled(plan, three, 3);
        }
    }
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        size_t a = plan->first[pair->rod_a] + pair->element_a, b = plan->first[pair->rod_b] + pair->element_b;
        size_t a_end = plan->first[pair->rod_a] + rod_next_node(net->rods[pair->rod_a], pair->element_a);
        size_t b_end = plan->first[pair->rod_b] + rod_next_node(net->rods[pair->rod_b], pair->element_b);
        const size_t from_a[3] = {plan->block[a], plan->angle[a], plan->block[a_end]};
        const size_t from_b[3] = {plan->block[b], plan->angle[b], plan->block[b_end]};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) assert_coupled(plan->pattern, from_a[i], from_b[j]);
    }
}

static void changes_are_followed(void **state) {
    (void)state;
    cdg_random random = {5};
    cdg_rod *rods[RODS];
    cdg_net *net = build_net(rods, true);
    der_net_plan *plan = der_net_plan_make(net);
    assert_non_null(plan);
    size_t most_entries = plan->most_entries, least = SIZE_MAX, most = 0;
    for (int round = 0; round < 400; round++) {
        check_plan(plan, net);
        if (plan->pattern->count < least) least = plan->pattern->count;
        if (plan->pattern->count > most) most = plan->pattern->count;
        der_net_plan *fresh = der_net_plan_make(net);
        assert_non_null(fresh);
        assert_int_equal(fresh->most_entries, most_entries);
        assert_int_equal(fresh->pattern->count, plan->pattern->count);
        assert_memory_equal(fresh->pattern->position, plan->pattern->position, plan->pattern->count * sizeof(size_t));
        assert_int_equal(fresh->pattern->entry_count, plan->pattern->entry_count);
        der_net_plan_free(fresh);
        for (int k = 0; k < 5; k++) change(rods[random_bits(&random) % RODS], &random);
        cdg_net_renumber(net);
        der_net_plan_settle(plan, net);
    }
    assert_true(most > 2 * least);
    der_net_plan_free(plan);
    cdg_net_destroy(net);
    for (int r = 0; r < RODS; r++) cdg_rod_destroy(rods[r]);
}

// Rods that do not adapt have what minimum degree finds, which settling leaves alone.
static void what_does_not_adapt_keeps_its_plan(void **state) {
    (void)state;
    cdg_rod *rods[RODS];
    cdg_net *net = build_net(rods, false);
    der_net_plan *plan = der_net_plan_make(net);
    const block_pattern *pattern = plan->pattern;
    check_plan(plan, net);
    assert_int_equal(plan->most_blocks, pattern->count);
    assert_int_equal(plan->most_entries, pattern->entry_count);
    der_net_plan_settle(plan, net);
    assert_ptr_equal(plan->pattern, pattern);
    der_net_plan_free(plan);
    cdg_net_destroy(net);
    for (int r = 0; r < RODS; r++) cdg_rod_destroy(rods[r]);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(changes_are_followed),
                                       cmocka_unit_test(what_does_not_adapt_keeps_its_plan)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
