// Products with rows of contacts: as plain sums have them, for each instruction set, and each the other transposed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/processor.h"
#include "contact/contact_links.h"
#include "math/random.h"
#include "near.h"

#include <string.h>

enum { LINKS = 7, POINTS = 9, ELEMENTS = 5 };

static void make(cdg_random *random, cdg_link links[LINKS]) {
    memset(links, 0, LINKS * sizeof *links);
    for (int i = 0; i < LINKS; i++) {
        for (int k = 0; k < 4; k++) links[i].point[k] = (uint32_t)random_in(random, 0, POINTS - 1e-9);
        for (int k = 0; k < 2; k++) links[i].element[k] = (uint32_t)random_in(random, 0, ELEMENTS - 1e-9);
        for (int a = 0; a < 3; a++) {
            for (int k = 0; k < 16; k++) links[i].column[a][k] = k % 4 < 3 ? random_in(random, -1, 1) : 0;
            for (int k = 0; k < 2; k++) links[i].turn[k][a] = random_in(random, -1, 1);
        }
    }
}

static void check(const cdg_link_kernels *kernels) {
    cdg_random random = {5};
    cdg_link links[LINKS];
    make(&random, links);
    double force[3 * POINTS + 1], torque[ELEMENTS] = {0}, change[3 * LINKS], plain[3 * POINTS] = {0};
    double move[3 * POINTS + 1], turn[ELEMENTS], out[3 * LINKS];
    memset(force, 0, sizeof force);
    force[3 * POINTS] = 7;
    for (int i = 0; i < 3 * LINKS; i++) change[i] = i / 3 == 2 ? 0 : random_in(&random, -1, 1); // one is apart
    change[3 * 4] = change[3 * 4 + 1] = 0; // one has friction alone
    for (int i = 0; i <= 3 * POINTS; i++) move[i] = random_in(&random, -1, 1);
    for (int i = 0; i < ELEMENTS; i++) turn[i] = random_in(&random, -1, 1);
    kernels->spread(links, LINKS, change, force, torque);
    kernels->feel(links, LINKS, move, turn, out);
    for (int i = 0; i < LINKS; i++)
        for (int a = 0; a < 3; a++) {
            double sum = 0;
            for (int k = 0; k < 4; k++)
                for (int m = 0; m < 3; m++) {
                    plain[3 * links[i].point[k] + (unsigned)m] += links[i].column[a][4 * k + m] * change[3 * i + a];
                    sum += links[i].column[a][4 * k + m] * move[3 * links[i].point[k] + (unsigned)m];
                }
            for (int k = 0; k < 2; k++) sum += links[i].turn[k][a] * turn[links[i].element[k]];
            assert_near(out[3 * i + a], sum, 1e-14);
        }
    for (int i = 0; i < 3 * POINTS; i++) assert_near(force[i], plain[i], 1e-14);
    assert_true(force[3 * POINTS] == 7);
    double work = 0, other = 0; // change . feel = spread . move
    for (int i = 0; i < 3 * LINKS; i++) work += change[i] * out[i];
    for (int i = 0; i < 3 * POINTS; i++) other += force[i] * move[i];
    for (int i = 0; i < ELEMENTS; i++) other += torque[i] * turn[i];
    assert_near(work, other, 1e-13);
}

// Where links act nothing is left, elsewhere all is.
static void forces_are_cleared_where_links_act(void **state) {
    (void)state;
    cdg_random random = {6};
    cdg_link links[LINKS];
    make(&random, links);
    bool is_point[POINTS] = {false}, is_element[ELEMENTS] = {false};
    double force[3 * POINTS], torque[ELEMENTS];
    for (int i = 0; i < 3 * POINTS; i++) force[i] = 1;
    for (int i = 0; i < ELEMENTS; i++) torque[i] = 1;
    for (int k = 0; k < 4; k++) is_point[links[0].point[k]] = true;
    for (int k = 0; k < 2; k++) is_element[links[0].element[k]] = true;
    cdg_links_clear(links, 1, force, torque);
    for (int i = 0; i < 3 * POINTS; i++) assert_true(force[i] == (is_point[i / 3] ? 0 : 1));
    for (int i = 0; i < ELEMENTS; i++) assert_true(torque[i] == (is_element[i] ? 0 : 1));
    cdg_link_point more = {.point = 0};
    while (is_point[more.point]) more.point++;
    cdg_link_points_clear(&more, 1, force);
    for (uint32_t i = 0; i < 3 * POINTS; i++) assert_true(force[i] == (is_point[i / 3] || i / 3 == more.point ? 0 : 1));
}

// Further points of links: as plain sums have them; what they spread and what they feel are each other's transposed.
static void further_points_add(void **state) {
    (void)state;
    enum { MORE = 11 };
    cdg_random random = {8};
    cdg_link_point more[MORE];
    double force[3 * POINTS], move[3 * POINTS], change[3 * LINKS], out[3 * LINKS], plain[3 * POINTS], felt[3 * LINKS];
    for (int i = 0; i < 3 * POINTS; i++)
        force[i] = plain[i] = random_in(&random, -1, 1), move[i] = random_in(&random, -1, 1);
    for (int i = 0; i < 3 * LINKS; i++)
        out[i] = felt[i] = random_in(&random, -1, 1), change[i] = random_in(&random, -1, 1);
    for (int i = 0; i < MORE; i++) {
        more[i].link = (uint32_t)random_in(&random, 0, LINKS - 1e-9);
        more[i].point = (uint32_t)random_in(&random, 0, POINTS - 1e-9);
        for (int n = 0; n < 9; n++) more[i].column[n / 3][n % 3] = random_in(&random, -1, 1);
        for (unsigned n = 0; n < 9; n++) {
            plain[3 * more[i].point + n % 3] += change[3 * more[i].link + n / 3] * more[i].column[n / 3][n % 3];
            felt[3 * more[i].link + n / 3] += move[3 * more[i].point + n % 3] * more[i].column[n / 3][n % 3];
        }
    }
    cdg_link_points_spread(more, MORE, change, force);
    cdg_link_points_feel(more, MORE, move, out);
    for (int i = 0; i < 3 * POINTS; i++) assert_near(force[i], plain[i], 1e-14);
    for (int i = 0; i < 3 * LINKS; i++) assert_near(out[i], felt[i], 1e-14);
}

static void products_are_plain_sums(void **state) {
    (void)state;
    check(&cdg_link_kernels_base);
    check(cdg_link_kernels_choose());
#if defined(__x86_64__)
    if (cdg_processor_lanes() == CDG_LANES_AVX512) check(&cdg_link_kernels_avx2);
#endif
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_plain_sums),
                                       cmocka_unit_test(forces_are_cleared_where_links_act),
                                       cmocka_unit_test(further_points_add)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
