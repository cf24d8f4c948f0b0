// Where steps start from: what supports do not move stays, what they move alike moves as a whole, and between them the
// move changes evenly.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/random.h"
#include "near.h"
#include "rods/rod_model.h"

enum { NODES = 9, HOLDS = 4 };

typedef struct fixture {
    double now[3][NODES], next[3][NODES];
    cdg_hold holds[HOLDS];
    cdg_rod rod;
} fixture;

static void make(fixture *f, uint64_t seed, bool is_closed) {
    cdg_random random = {seed};
    f->rod = (cdg_rod){.node_count = NODES, .element_count = NODES - !is_closed, .is_closed = is_closed};
    f->rod.holds = f->holds;
    for (int k = 0; k < 3; k++) {
        f->rod.x[k] = f->now[k], f->rod.x_next[k] = f->next[k];
        for (int i = 0; i < NODES; i++) f->now[k][i] = random_in(&random, -1, 1), f->next[k][i] = NAN;
    }
}

static void hold(fixture *f, size_t node, cdg_vec3 move) {
    cdg_hold *h = &f->holds[f->rod.hold_count++];
    *h = (cdg_hold){.node = node, .holds_position = true, .position = vec3_add(rod_vec3(f->rod.x, node), move)};
}

static cdg_vec3 move_at(const fixture *f, size_t i) {
    return vec3_sub(rod_vec3(f->rod.x_next, i), rod_vec3(f->rod.x, i));
}

static void without_supports_nothing_moves(void **state) {
    (void)state;
    fixture f;
    make(&f, 1, false);
    f.holds[0] = (cdg_hold){.node = 3, .frame_hold = CDG_HOLD_FRAME, .position = {5, 5, 5}}; // holds no place
    f.rod.hold_count = 1;
    cdg_rod_start_from_now(&f.rod);
    for (size_t i = 0; i < NODES; i++) assert_vec3_near(move_at(&f, i), vec3(0, 0, 0), 0);
}

// Any order of holds, open or closed: all move alike, so does the rod.
static void common_moves_carry_the_whole(void **state) {
    (void)state;
    for (int closed = 0; closed < 2; closed++)
        for (size_t count = 1; count <= 3; count++) {
            fixture f;
            make(&f, 2 + count, closed);
            const size_t nodes[] = {5, 2, 7};
            for (size_t h = 0; h < count; h++) hold(&f, nodes[h], vec3(10, -20, 30));
            cdg_rod_start_from_now(&f.rod);
            for (size_t i = 0; i < NODES; i++) assert_vec3_near(move_at(&f, i), vec3(10, -20, 30), 1e-13);
        }
}

static void between_supports_the_move_changes_evenly(void **state) {
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        fixture f;
        make(&f, 7, closed);
        hold(&f, 6, vec3(0, 4, 0));
        hold(&f, 2, vec3(1, 0, 0));
        cdg_rod_start_from_now(&f.rod);
        for (size_t i = 2; i <= 6; i++)
            assert_vec3_near(move_at(&f, i), vec3(1 - ((double)i - 2) / 4, (double)i - 2, 0), 1e-14);
        const size_t rest[] = {7, 8, 0, 1}; // five steps from 6 round to 2
        for (size_t n = 0; n < 4; n++) {
            double share = (double)(n + 1) / 5;
            cdg_vec3 open = rest[n] > 6 ? vec3(0, 4, 0) : vec3(1, 0, 0);
            assert_vec3_near(move_at(&f, rest[n]), closed ? vec3(share, 4 * (1 - share), 0) : open, 1e-14);
        }
        assert_vec3_near(rod_vec3(f.rod.x_next, 6), f.holds[0].position, 0); // to the bit
        assert_vec3_near(rod_vec3(f.rod.x_next, 2), f.holds[1].position, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_supports_nothing_moves),
        cmocka_unit_test(common_moves_carry_the_whole),
        cmocka_unit_test(between_supports_the_move_changes_evenly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
