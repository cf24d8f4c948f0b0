// Rods that cannot stretch, straight between two supports: their ends approach, stay, or are pulled apart.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "near.h"
#include "small_world.h"

enum { ELEMENTS = 30 };

typedef struct ends {
    cdg_support_kind first, last;
    cdg_vec3 move; // of the end, in the last `time` seconds
    double wait, time;
    double push; // N, on the middle
} ends;

static small_world make(const ends *e, cdg_support_id *end) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rod";
    def.model = CDG_MODEL_GALPHA;
    def.galpha.is_extensible = false;
    def.material.young_modulus = 1e7;
    def.material.damping_bend = def.material.damping_twist = 5e-3;
    def.material.damping_stretch = def.material.damping_shear = 5e-3;
    def.section.radius = 5e-3;
    def.element_count = ELEMENTS;
    def.centerline.line.to = vec3(1, 0, 0);
    small_world small = small_world_make(&def, vec3(0, 0, 0), 5e-3, false);
    cdg_motion motion = {.kind = CDG_MOTION_MOVE, .move = e->move, .from = e->wait, .to = e->wait + e->time};
    cdg_support_def first = {.kind = e->first, .place = {.rod = small.rod}};
    cdg_support_def last = {
        .kind = e->last, .place = {.rod = small.rod, .index = ELEMENTS}, .motions = &motion, .motion_count = 1};
    must(small.world, cdg_world_add_support(small.world, &first, &small.support));
    must(small.world, cdg_world_add_support(small.world, &last, end));
    cdg_load_def load = cdg_load_def_default();
    load.place = (cdg_place){small.rod, CDG_PLACE_NODE, ELEMENTS / 2};
    load.value = vec3(0, 0, e->push);
    small_world_drag(&small, 20);
    if (e->push != 0) must(small.world, cdg_world_add_load(small.world, &load, NULL));
    return small;
}

// m: how far it is from the line between its ends, at most, in the end.
static double bow_of(const ends *e) {
    cdg_support_id end;
    small_world small = make(e, &end);
    small_world_run(&small, (int)round((e->wait + e->time) / 5e-3) + 500);
    cdg_vec3 nodes[ELEMENTS + 1];
    must(small.world, cdg_rod_positions(small.world, small.rod, nodes));
    double bow = 0;
    for (size_t j = 0; j < ELEMENTS; j++) {
        assert_near(vec3_distance(nodes[j], nodes[j + 1]) * ELEMENTS, 1, 1e-9);
        bow = fmax(bow, hypot(nodes[j].y, nodes[j].z));
    }
    bool is_clamped = e->first == CDG_SUPPORT_CLAMP && e->last == CDG_SUPPORT_CLAMP; // others may swing through
    if (is_clamped) assert_true(e->push * nodes[ELEMENTS / 2].z >= 0);
    cdg_world_destroy(small.world);
    return bow;
}

static void ends_that_approach_bend_it(void **state) {
    (void)state;
    const ends cases[] = {
        {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0, 0.5, 0.01},
        {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0, 0.5, -0.01},
        {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0.1, 0.5, 0.01},
        {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0, 0.5, 0},
        {CDG_SUPPORT_PIN, CDG_SUPPORT_PIN, {-0.1, 0, 0}, 0, 0.5, 0.01},
    };
    // The elastica between clamps as between pins: E/K = 0.95 at k^2 = 0.0988, and a bow of k/K of the length.
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_near(bow_of(&cases[i]), 0.1950, 0.002);
    const ends mixed[] = {{CDG_SUPPORT_PIN, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0, 0.5, 0.01},
                          {CDG_SUPPORT_CLAMP, CDG_SUPPORT_PIN, {-0.1, 0, 0}, 0, 0.5, 0.01}};
    assert_near(bow_of(&mixed[0]), bow_of(&mixed[1]), 0.002);
}

// Between ends that stay it lies still; pulled a little its tension is that of its stiffness; pulled far it says why.
static void taut_rods_give_way(void **state) {
    (void)state;
    const double strains[] = {0, 1e-4, 0.05};
    for (size_t i = 0; i < 3; i++) {
        ends e = {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {strains[i], 0, 0}, 0, 0.5, 0};
        cdg_support_id end;
        small_world small = make(&e, &end);
        cdg_result result = CDG_OK;
        for (int s = 0; s < 150 && result == CDG_OK; s++) result = cdg_world_step(small.world, NULL);
        assert_int_equal(result, i < 2 ? CDG_OK : CDG_ERROR_NO_CONVERGENCE);
        cdg_vec3 force, moment;
        must(small.world, cdg_support_reaction(small.world, end, &force, &moment));
        if (i < 2) assert_near(force.x, strains[i] * 1e7 * 3.141592653589793 * 25e-6, 1e-3);
        if (i == 2) assert_non_null(strstr(cdg_world_message(small.world), "cannot stretch"));
        cdg_world_destroy(small.world);
    }
}

// Pushed across between ends that stay, its tension is that of an elastic string, 4 T bow = push x length, whatever the
// last bits are; and when its ends approach then, it bows without energy from nowhere.
static void taut_rods_are_pushed(void **state) {
    (void)state;
    const double pushes[] = {1e-3, 0.0099, 0.01, 0.0101, 0.1, 1};
    for (size_t i = 0; i < 6; i++) {
        ends e = {CDG_SUPPORT_CLAMP, CDG_SUPPORT_CLAMP, {-0.1, 0, 0}, 0.4, 0.5, pushes[i]};
        cdg_support_id end;
        small_world small = make(&e, &end);
        for (int s = 0; s < 180; s++) {
            must(small.world, cdg_world_step(small.world, NULL));
            cdg_vec3 force, moment;
            must(small.world, cdg_support_reaction(small.world, end, &force, &moment));
            double most = cbrt(785.4 * pushes[i] * pushes[i]); // four times cbrt(EA push^2/32), for swings
            if (s < 80) assert_true(fabs(force.x) < most);
        }
        assert_true(cdg_world_energy_balance(small.world).worst < 0.05);
        cdg_world_destroy(small.world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_that_approach_bend_it),
        cmocka_unit_test(taut_rods_give_way),
        cmocka_unit_test(taut_rods_are_pushed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
