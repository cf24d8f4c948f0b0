// What hands do is in the books: what is gained is the work that is booked, as closely as the integrators keep energy.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact_case.h"
#include "math/quat.h"
#include "math/random.h"
#include "near.h"
#include "solid_world_case.h"

enum { ELEMENTS = 20 };

typedef enum rod_kind { BDF2, EULER, SWEEPS, DER, DER_EULER, EXPLICIT, RATTLE, CORDE, CORDE_EXACT, KINDS } rod_kind;

static cdg_rod_def rod_of(rod_kind kind, size_t elements) {
    cdg_rod_def def = contact_rod("rod", vec3(0, 0, 0), vec3(0.2, 0, 0), 2e-3, elements);
    def.model = kind <= SWEEPS ? CDG_MODEL_POBD : kind <= RATTLE ? CDG_MODEL_DER : CDG_MODEL_CORDE;
    if (kind == EULER) def.pobd.integrator = CDG_POBD_EULER;
    if (kind == SWEEPS) def.pobd.solver = CDG_POBD_GAUSS_SEIDEL, def.pobd.iterations = 200;
    if (kind == DER_EULER) def.der.scheme = CDG_DER_EULER;
    if (kind == EXPLICIT || kind == RATTLE) def.der.integrator = CDG_DER_EXPLICIT;
    if (kind == RATTLE) def.der.constraint = CDG_DER_CONSTRAINT_RATTLE;
    if (kind == CORDE_EXACT) def.corde.coupling = CDG_CORDE_CONSTRAINT;
    return def;
}

static cdg_world *world_of(double step) {
    cdg_world *world = contact_world(vec3(0, 0, 0), step, 0, 1);
    cdg_contact_def contact = cdg_contact_def_default();
    contact.choice = CDG_CONTACT_OFF;
    must(world, cdg_world_set_contact(world, &contact));
    return world;
}

// A way of a hand, smooth and from rest.
typedef struct pull {
    cdg_vec3 from, size, rate; // m, m, 1/s
} pull;

static pull random_pull(cdg_random *random, cdg_vec3 from) {
    return (pull){from, random_vec3(random, 0.05), vec3_add(vec3(20, 20, 20), random_vec3(random, 15))};
}

static cdg_vec3 target_at(const pull *p, double time) {
    cdg_vec3 turn = vec3_scale(time, p->rate);
    return vec3_add(p->from,
                    vec3(p->size.x * (1 - cos(turn.x)), p->size.y * (1 - cos(turn.y)), p->size.z * (1 - cos(turn.z))));
}

// What was lost, in shares of the most energy that there was: at worst on the way, where less than nothing is gained
// from nowhere, and in the end.
typedef struct loss {
    double least, most, end;
} loss;

static loss drag(cdg_world *world, cdg_grip_id grip, const pull *p, double duration) {
    loss lost = {0};
    double highest = 0;
    for (int i = 0; i < (int)(duration / world->step + 0.5); i++) {
        cdg_vec3 target = target_at(p, (i + 1) * world->step);
        must(world, cdg_grip_move(world, grip, &target));
        contact_run(world, 1);
        double gained = cdg_world_energy(world).total - world->energy_at_start;
        lost.end = world->external_work - gained;
        lost.least = fmin(lost.least, lost.end), lost.most = fmax(lost.most, lost.end);
        highest = fmax(highest, gained);
    }
    assert_true(highest > 0);
    return (loss){lost.least / highest, lost.most / highest, lost.end / highest};
}

static loss drag_rod(rod_kind kind, double step, uint64_t seed, size_t elements, size_t element, double fraction) {
    cdg_world *world = world_of(step);
    cdg_rod_def def = rod_of(kind, elements);
    cdg_rod_id rod = contact_add(world, &def);
    cdg_random random = {seed};
    pull p = random_pull(&random, vec3(((double)element + fraction) * 0.2 / (double)elements, 0, 0));
    cdg_grip_def held = {.place = cdg_rod_along(rod, element, fraction), .target = p.from};
    cdg_grip_id grip;
    must(world, cdg_world_add_grip(world, &held, &grip));
    loss lost = drag(world, grip, &p, 0.15);
    cdg_world_destroy(world);
    return lost;
}

// Implicit integrators damp what a pull excites, and gain nothing; explicit ones keep it.
static void work_on_rods_is_booked(void **state) {
    (void)state;
    static const double steps[KINDS] = {1e-3, 1e-3, 1e-3, 1e-3, 1e-3, 5e-5, 5e-4, 1e-3, 1e-3};
    static const double most[KINDS] = {0.01, 0.25, 0.02, 0.01, 0.25, 2e-3, 1e-3, 2e-3, 2e-3};
    for (rod_kind kind = 0; kind < KINDS; kind++)
        for (uint64_t seed = 1; seed <= 4; seed++) {
            size_t element = (size_t)(seed * 5 % ELEMENTS);
            loss lost = drag_rod(kind, steps[kind], seed, ELEMENTS, element, 0.4);
            bool is_good = lost.least > -3e-3 && lost.most < most[kind];
            if (!is_good) fail_msg("kind %d, seed %d: %g to %g", (int)kind, (int)seed, lost.least, lost.most);
        }
}

// Held in the middle a rod of two elements has next to nothing that swings: what is lost falls with the square of the
// step, and with the step itself under implicit Euler.
static void work_converges_as_the_scheme_does(void **state) {
    (void)state;
    static const rod_kind kinds[] = {BDF2, SWEEPS, DER, EULER, DER_EULER};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        bool is_euler = kinds[k] == EULER || kinds[k] == DER_EULER;
        loss coarse = drag_rod(kinds[k], 2e-3, 9, 2, 0, 1), fine = drag_rod(kinds[k], 1e-3, 9, 2, 0, 1);
        double ratio = fabs(coarse.end / fine.end);
        if (!(ratio > (is_euler ? 1.6 : 3)) || fabs(fine.end) > (is_euler ? 0.2 : 0.02))
            fail_msg("kind %d: %g, then %g", (int)kinds[k], coarse.end, fine.end);
    }
}

// A hand that turns a section.
static void twisting_is_booked(void **state) {
    (void)state;
    static const rod_kind kinds[] = {BDF2, DER};
    for (size_t k = 0; k < 2; k++) {
        cdg_world *world = world_of(1e-3);
        cdg_rod_def def = rod_of(kinds[k], ELEMENTS);
        cdg_rod_id rod = contact_add(world, &def);
        cdg_support_def clamp = cdg_support_def_default();
        cdg_support_id support;
        clamp.place = cdg_rod_node(rod, 0);
        must(world, cdg_world_add_support(world, &clamp, &support));
        cdg_grip_def held = {.place = cdg_rod_along(rod, ELEMENTS - 1, 0.5), .target = vec3(0.195, 0, 0)};
        cdg_grip_id grip;
        must(world, cdg_world_add_grip(world, &held, &grip));
        double highest = 0;
        for (int i = 0; i < 300; i++) {
            must(world, cdg_grip_twist(world, grip, 1 - cos(20 * (i + 1) * 1e-3)));
            contact_run(world, 1);
            double gained = cdg_world_energy(world).total - world->energy_at_start;
            highest = fmax(highest, gained);
            double lost = world->external_work - gained;
            if (!(lost > -5e-3 * highest - 1e-12)) fail_msg("kind %d: %g of %g", (int)kinds[k], lost, highest);
        }
        assert_true(highest > 0);
        cdg_world_destroy(world);
    }
}

static loss drag_solid(cdg_solid_integrator integrator, double step, uint64_t seed) {
    cdg_world *world = world_of(step);
    cdg_solid_def def = cdg_solid_def_default();
    def.young_modulus = 2e5, def.damping_time = 0, def.integrator = integrator;
    cdg_solid_id solid = solid_world_add(world, def, vec3(0.1, 0.05, 0.05), 0.025);
    cdg_random random = {seed};
    pull p = random_pull(&random, vec3(0.05, 0.02, 0));
    cdg_grip_def held = {.place = cdg_solid_point(solid, p.from), .target = p.from};
    cdg_grip_id grip;
    must(world, cdg_world_add_grip(world, &held, &grip));
    loss lost = drag(world, grip, &p, 0.2);
    cdg_world_destroy(world);
    return lost;
}

static void work_on_solids_is_booked(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        loss kept = drag_solid(CDG_SOLID_EXPLICIT, 1e-3, seed);
        if (kept.least < -5e-3 || kept.most > 5e-3) fail_msg("explicit: %g to %g", kept.least, kept.most);
        loss coarse = drag_solid(CDG_SOLID_BDF2, 1e-3, seed), fine = drag_solid(CDG_SOLID_BDF2, 5e-4, seed);
        if (coarse.least < -1e-3 || fine.least < -1e-3 || coarse.most > 0.08 || fine.end > 0.65 * coarse.end)
            fail_msg("bdf2: %g to %g, then %g to %g", coarse.least, coarse.end, fine.least, fine.end);
        loss euler = drag_solid(CDG_SOLID_EULER, 1e-3, seed);
        if (euler.least < -1e-3) fail_msg("euler: %g", euler.least);
    }
}

// A continued run has the books of one that went on.
static void books_go_on(void **state) {
    (void)state;
    double work[2], *middle = NULL;
    for (int i = 0; i < 2; i++) {
        cdg_world *world = world_of(1e-3);
        cdg_rod_def def = rod_of(BDF2, ELEMENTS);
        cdg_rod_id rod = contact_add(world, &def);
        cdg_grip_key keys[] = {{.time = 0.001, .target = {0.1, 0, 0.1}}, {.time = 0.02, .target = {0, 0.2, 0.3}}};
        cdg_grip_def held = {.place = cdg_rod_along(rod, 3, 0.4), .keys = keys, .key_count = 2, .to = 0.3};
        cdg_grip_id grip;
        must(world, cdg_world_add_grip(world, &held, &grip));
        if (i == 0) contact_run(world, 40);
        if (i == 0) middle = calloc(cdg_world_snapshot_size(world), sizeof *middle);
        if (i == 0) must(world, cdg_world_snapshot_save(world, middle));
        if (i == 1) must(world, cdg_world_snapshot_load(world, middle));
        contact_run(world, 20);
        work[i] = world->external_work;
        cdg_world_destroy(world);
    }
    assert_true(work[0] != 0);
    assert_memory_equal(&work[0], &work[1], sizeof *work);
    free(middle);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_on_rods_is_booked),
        cmocka_unit_test(work_converges_as_the_scheme_does),
        cmocka_unit_test(twisting_is_booked),
        cmocka_unit_test(work_on_solids_is_booked),
        cmocka_unit_test(books_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
