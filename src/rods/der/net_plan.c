// Blocks of joined der rods and the order of their elimination (der/net_plan.h).
//
// Where no rod adapts, the order is found once (minimum degree). Else the ends of all stretches of rod between joints
// come last, in an order that is found once: joints and the nodes beside them, which never change. What lies
// between is eliminated before, along the rod from one end of the stretch, so that each block is coupled with the two
// after it and, but for free ends, with the other end: memory is bounded, and the order is found in linear time.
#include "rods/der/net_plan.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---- blocks and what they are coupled with --------------------------------------------------------------------------

// Blocks of all nodes; returns how many there are.
static size_t number_blocks(const cdg_net *net, const der_net_plan *plan) {
    enum { OWN, COPY };
    size_t count = 0;
    for (size_t i = 0; i < plan->first[net->rod_count]; i++) plan->block[i] = OWN;
    for (size_t j = 0; j < net->joint_count; j++) {
        const cdg_net_member *members = &net->members[net->joints[j].first];
        for (size_t m = 1; m < net->joints[j].count; m++)
            plan->block[der_net_number(plan, members[m].rod, members[m].node)] = COPY;
    }
    for (size_t r = 0; r < net->rod_count; r++)
        for (size_t i = 0; i < net->rods[r]->node_count; i++) {
            size_t number = der_net_number(plan, r, i);
            bool is_copy = plan->block[number] == COPY;
            plan->angle[number] = !is_copy || i < net->rods[r]->element_count ? count++ : SIZE_MAX;
            plan->block[number] = plan->angle[number];
        }
    for (size_t j = 0; j < net->joint_count; j++) { // copies are where the first is
        const cdg_net_member *members = &net->members[net->joints[j].first];
        size_t block = plan->block[der_net_number(plan, members[0].rod, members[0].node)];
        for (size_t m = 1; m < net->joints[j].count; m++)
            plan->block[der_net_number(plan, members[m].rod, members[m].node)] = block;
    }
    return count;
}

static void couple(const size_t *blocks, size_t count, block_pair *pairs, size_t *pair_count) {
    for (size_t a = 0; a < count; a++)
        for (size_t b = a + 1; b < count; b++)
            if (blocks[a] != SIZE_MAX && blocks[b] != SIZE_MAX && blocks[a] != blocks[b])
                pairs[(*pair_count)++] = (block_pair){blocks[a], blocks[b]};
}

enum { COUPLED_IN_ROD = 15, COUPLED_IN_PAIR = 15 }; // pairs of six blocks

static size_t couple_all(const cdg_net *net, const der_net_plan *plan, block_pair *pairs) {
    size_t count = 0;
    for (size_t r = 0; r < net->rod_count; r++) {
        size_t nodes = net->rods[r]->node_count;
        for (size_t i = 0; i < nodes; i++) { // three nodes in a row
            size_t blocks[6], used = 0;
            for (size_t k = 0; k < 3; k++) {
                if (i + k >= nodes && !net->rods[r]->is_closed) break;
                size_t number = der_net_number(plan, r, (i + k) % nodes);
                blocks[used++] = plan->block[number];
                blocks[used++] = plan->angle[number];
            }
            couple(blocks, used, pairs, &count);
        }
    }
    for (size_t k = 0; k < net->pair_count; k++) {
        const cdg_net_pair *pair = &net->pairs[k];
        size_t blocks[6], from_a = der_net_number(plan, pair->rod_a, pair->element_a),
                          from_b = der_net_number(plan, pair->rod_b, pair->element_b);
        blocks[0] = plan->block[from_a], blocks[1] = plan->angle[from_a];
        blocks[2] =
            plan->block[der_net_number(plan, pair->rod_a, rod_next_node(net->rods[pair->rod_a], pair->element_a))];
        blocks[3] = plan->block[from_b], blocks[4] = plan->angle[from_b];
        blocks[5] =
            plan->block[der_net_number(plan, pair->rod_b, rod_next_node(net->rods[pair->rod_b], pair->element_b))];
        couple(blocks, 6, pairs, &count);
    }
    return count;
}

// ---- where rods adapt -----------------------------------------------------------------------------------------------

// Of one inner block, entries of L: the two nodes that come next, and the joint and the node beside it on the other
// side. A joint's node may have two blocks.
enum { ENTRIES_INNER = 6 };

typedef struct der_net_order {
    block_planner *planner;
    block_pattern *ends;           // of blocks at ends of stretches, by their number among themselves
    bool *is_joint, *is_end;       // of each node
    size_t *position, *end_number; // of each block; end_number: SIZE_MAX, it is between ends
    size_t *ends_of_rod;           // scratch: nodes
    block_pair *pairs;
    size_t pair_capacity;
} der_net_order;

static size_t most_nodes(const cdg_net *net) {
    size_t count = 0;
    for (size_t r = 0; r < net->rod_count; r++) count += net->rods[r]->node_capacity;
    return count;
}

static void order_free(der_net_order *o) {
    if (o == NULL) return;
    block_planner_free(o->planner);
    block_pattern_free(o->ends);
    free(o->is_joint);
    free(o->position);
    free(o->pairs);
    free(o);
}

static der_net_order *order_allocate(size_t nodes, size_t pair_count) {
    der_net_order *o = calloc(1, sizeof *o);
    if (o == NULL) return NULL;
    o->pair_capacity = COUPLED_IN_ROD * nodes + COUPLED_IN_PAIR * pair_count + 1;
    o->is_joint = calloc(2 * nodes, sizeof *o->is_joint);
    o->position = malloc(3 * nodes * sizeof *o->position);
    o->pairs = malloc(o->pair_capacity * sizeof *o->pairs);
    if (o->is_joint == NULL || o->position == NULL || o->pairs == NULL) {
        order_free(o);
        return NULL;
    }
    o->is_end = o->is_joint + nodes;
    o->end_number = o->position + nodes;
    o->ends_of_rod = o->position + 2 * nodes;
    return o;
}

// Joints and the nodes beside them.
static void mark_ends(const cdg_net *net, const der_net_plan *plan) {
    const der_net_order *o = plan->order;
    memset(o->is_joint, 0, plan->first[net->rod_count] * sizeof *o->is_joint);
    for (size_t m = 0; m < net->member_count; m++)
        o->is_joint[der_net_number(plan, net->members[m].rod, net->members[m].node)] = true;
    for (size_t r = 0; r < net->rod_count; r++) {
        size_t first = plan->first[r], count = net->rods[r]->node_count;
        bool is_closed = net->rods[r]->is_closed;
        for (size_t i = 0; i < count; i++) {
            size_t left = i > 0 ? i - 1 : is_closed ? count - 1 : i, right = i + 1 < count ? i + 1 : is_closed ? 0 : i;
            o->is_end[first + i] = o->is_joint[first + left] || o->is_joint[first + i] || o->is_joint[first + right];
        }
    }
}

// Numbers the blocks at ends in the order of all blocks, which resolution does not change; returns how many.
static size_t number_ends(const cdg_net *net, const der_net_plan *plan, size_t block_count) {
    const der_net_order *o = plan->order;
    size_t count = 0;
    for (size_t b = 0; b < block_count; b++) o->end_number[b] = SIZE_MAX;
    for (size_t i = 0; i < plan->first[net->rod_count]; i++)
        if (o->is_end[i] && plan->angle[i] != SIZE_MAX) o->end_number[plan->angle[i]] = count++;
    return count;
}

static size_t add_blocks(const der_net_plan *plan, size_t number, size_t *blocks, size_t count) {
    blocks[count++] = plan->block[number];
    blocks[count++] = plan->angle[number];
    return count;
}

// What the elimination of all that may lie between two ends couples: two nodes on either side.
static size_t couple_across(const cdg_net *net, const der_net_plan *plan, size_t r, block_pair *pairs) {
    const der_net_order *o = plan->order;
    const cdg_rod *rod = net->rods[r];
    size_t first = plan->first[r], count = 0, used = 0;
    for (size_t i = 0; i < rod->node_count; i++)
        if (o->is_end[first + i]) o->ends_of_rod[used++] = first + i;
    for (size_t e = 0; e < used; e++) {
        size_t after = e + 1 < used ? e + 1 : 0;
        if (after == 0 && !rod->is_closed) break;
        size_t p = o->ends_of_rod[e], q = o->ends_of_rod[after], blocks[8], n = 0;
        if (o->is_joint[p] || o->is_joint[q]) continue; // elements beside joints stay
        n = add_blocks(plan, p, blocks, n), n = add_blocks(plan, q, blocks, n);
        n = add_blocks(plan, o->ends_of_rod[e > 0 ? e - 1 : used - 1], blocks, n);
        n = add_blocks(plan, o->ends_of_rod[after + 1 < used ? after + 1 : 0], blocks, n);
        couple(blocks, n, pairs, &count);
    }
    return count;
}

enum { COUPLED_ACROSS = 28 }; // pairs of eight blocks

// The order of the blocks at ends among themselves.
static bool order_ends(const cdg_net *net, const der_net_plan *plan, size_t block_count) {
    der_net_order *o = plan->order;
    size_t end_count = number_ends(net, plan, block_count), pair_count = couple_all(net, plan, o->pairs), used = 0;
    block_pair *pairs = malloc((pair_count + COUPLED_ACROSS * end_count + 1) * sizeof *pairs);
    if (pairs == NULL) return false;
    memcpy(pairs, o->pairs, pair_count * sizeof *pairs);
    for (size_t r = 0; r < net->rod_count; r++) pair_count += couple_across(net, plan, r, pairs + pair_count);
    for (size_t k = 0; k < pair_count; k++) {
        size_t a = o->end_number[pairs[k].a], b = o->end_number[pairs[k].b];
        if (a != SIZE_MAX && b != SIZE_MAX) pairs[used++] = (block_pair){a, b};
    }
    o->ends = block_pattern_find(end_count, pairs, used);
    free(pairs);
    return o->ends != NULL;
}

// Positions of blocks between ends, of one rod, from `next` on; returns what comes after them.
static size_t place_between(const cdg_net *net, const der_net_plan *plan, size_t r, size_t next) {
    const der_net_order *o = plan->order;
    size_t first = plan->first[r], count = net->rods[r]->node_count, begin = 0, last = count - 1;
    if (net->rods[r]->is_closed) { // round, from an end on
        while (!o->is_end[first + begin]) begin++;
    } else {
        while (!o->is_end[first + last]) last--;
    }
    for (size_t k = 0; k < count; k++) {
        size_t i = (begin + k) % count;
        if (i <= last && !o->is_end[first + i]) o->position[plan->block[first + i]] = next++;
    }
    for (size_t i = count; i-- > last + 1;) o->position[plan->block[first + i]] = next++; // from the free end
    return next;
}

void der_net_plan_settle(der_net_plan *plan, const cdg_net *net) {
    der_net_order *o = plan->order;
    if (o == NULL) return;
    plan->first[0] = 0;
    for (size_t r = 0; r < net->rod_count; r++) plan->first[r + 1] = plan->first[r] + net->rods[r]->node_count;
    size_t count = number_blocks(net, plan), next = 0;
    mark_ends(net, plan);
    if (o->ends == NULL && !order_ends(net, plan, count)) return;
    number_ends(net, plan, count);
    for (size_t r = 0; r < net->rod_count; r++) next = place_between(net, plan, r, next);
    for (size_t b = 0; b < count; b++)
        if (o->end_number[b] != SIZE_MAX) o->position[b] = next + o->ends->position[o->end_number[b]];
    size_t pair_count = couple_all(net, plan, o->pairs);
    if (o->planner == NULL) {
        plan->most_entries = ENTRIES_INNER * plan->most_blocks + o->ends->entry_count;
        o->planner = block_planner_make(plan->most_blocks, o->pair_capacity, plan->most_entries);
        if (o->planner == NULL) return;
    }
    plan->pattern = block_planner_order(o->planner, count, o->position, o->pairs, pair_count);
    assert(plan->pattern != NULL);
}

// ---- all ------------------------------------------------------------------------------------------------------------

static bool adapts(const cdg_net *net) {
    for (size_t r = 0; r < net->rod_count; r++)
        if (net->rods[r]->adapt != NULL) return true;
    return false;
}

static void find_pattern(const cdg_net *net, der_net_plan *plan) {
    size_t nodes = most_nodes(net);
    block_pair *pairs = malloc((COUPLED_IN_ROD * nodes + COUPLED_IN_PAIR * net->pair_count + 1) * sizeof *pairs);
    if (pairs == NULL) return;
    plan->first[0] = 0;
    for (size_t r = 0; r < net->rod_count; r++) plan->first[r + 1] = plan->first[r] + net->rods[r]->node_count;
    size_t count = number_blocks(net, plan), pair_count = couple_all(net, plan, pairs);
    plan->own_pattern = block_pattern_find(count, pairs, pair_count);
    plan->pattern = plan->own_pattern;
    free(pairs);
    if (plan->pattern != NULL) plan->most_blocks = count, plan->most_entries = plan->pattern->entry_count;
}

der_net_plan *der_net_plan_make(const cdg_net *net) {
    size_t nodes = most_nodes(net);
    der_net_plan *plan = calloc(1, sizeof *plan);
    size_t *memory = malloc((net->rod_count + 1 + 2 * nodes) * sizeof *memory);
    if (plan == NULL || memory == NULL) {
        free(plan);
        free(memory);
        return NULL;
    }
    *plan = (der_net_plan){
        .first = memory, .block = memory + net->rod_count + 1, .angle = memory + net->rod_count + 1 + nodes};
    if (adapts(net)) {
        plan->most_blocks = nodes;
        plan->order = order_allocate(nodes, net->pair_count);
        der_net_plan_settle(plan, net);
    } else {
        find_pattern(net, plan);
    }
    if (plan->pattern != NULL) return plan;
    der_net_plan_free(plan);
    return NULL;
}

void der_net_plan_free(void *user) {
    der_net_plan *plan = user;
    if (plan == NULL) return;
    block_pattern_free(plan->own_pattern);
    order_free(plan->order);
    free(plan->first);
    free(plan);
}
