// Warnings about a run's accuracy in words that fit the model of the rod they are about.
#include "output/run_advice.h"

#include "solids/solid_model.h"
#include "world/solid_object.h"
#include "world/world.h"

#include <stdio.h>

void cdg_run_advice_count(const cdg_world *world, const cdg_step_report *report, cdg_run_tally *tally) {
    if (report->residual > CDG_POOR_RESIDUAL) tally->poor_step_count += 1;
    if (report->halvings > 0 || report->contact_halvings > 0) tally->halved_step_count += 1;
    tally->part_count += report->parts;
    if (!(report->residual > tally->worst_residual)) return;
    tally->worst_residual = report->residual;
    tally->worst_residual_time = report->time;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_id id = cdg_world_rod_at(world, i);
        if (id.index1 != report->worst_rod.index1 || id.generation != report->worst_rod.generation) continue;
        tally->worst_rod = (double)i;
        break;
    }
}

static void look_at_solid(const cdg_world *world, size_t index, cdg_run_tally *tally) {
    const cdg_solid *s = &world->solids[index]->solid;
    double count = 0, least = 0;
    size_t worst = 0;
    for (size_t t = 0; t < s->tetrahedron_count; t++) {
        mat3 f = solid_gradient(s, s->x, t);
        double volume = mat3_determinant(&f);
        count += volume < CDG_INVERTED_VOLUME;
        if (volume < least) least = volume, worst = t;
    }
    if (!(count > tally->inverted_count)) return;
    tally->inverted_count = count;
    tally->inverted_solid = (double)index;
    tally->inverted_time = cdg_world_time(world);
    for (int k = 0; k < 3; k++) {
        tally->inverted_at[k] = 0;
        for (int c = 0; c < 4; c++) tally->inverted_at[k] += 0.25 * s->x[k][s->tetrahedra[worst][c]];
    }
}

// An element r times as long as at rest, whose section leans by t, has the energy S/2 (r cos t - 1)^2 + K/2 (r sin t)^2
// per length: from r = S/(S - K) on, least is not at t = 0, but at cos t = S/(r (S - K)). INFINITY: never.
static double stretch_that_tilts(const cdg_rod *rod, size_t element) {
    size_t at = element * rod->section_stride;
    double stretch = rod->stretch_stiffness[2][at];
    double shear = fmin(rod->stretch_stiffness[0][at], rod->stretch_stiffness[1][at]);
    return stretch > shear ? stretch / (stretch - shear) : INFINITY;
}

static void look_at_sections(const cdg_world *world, size_t index, cdg_run_tally *tally) {
    const cdg_rod *rod = cdg_world_get_rod(world, cdg_world_rod_at(world, index));
    bool is_rough =
        rod->model->measures.strain_trust != NULL && rod->model->measures.strain_trust(rod) != CDG_STRAIN_TRUE;
    for (size_t j = 0; j < rod->element_count && !is_rough; j++) {
        size_t next = rod_next_node(rod, j);
        double ratio = vec3_distance(rod_vec3(rod->x, j), rod_vec3(rod->x, next)) / rod->rest_length[j];
        if (!(ratio > stretch_that_tilts(rod, j))) continue;
        cdg_vec3 strain = cdg_rod_strain(rod, j);
        double tilt = atan2(hypot(strain.x, strain.y), 1 + strain.z);
        if (!(tilt > tally->tilt)) continue;
        tally->tilt = tilt;
        tally->tilt_stretch = ratio - 1;
        tally->tilt_time = cdg_world_time(world);
        tally->tilt_rod = (double)index;
    }
}

void cdg_run_advice_look(const cdg_world *world, cdg_run_tally *tally) {
    for (size_t i = 0; i < world->solid_count; i++) look_at_solid(world, i, tally);
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) look_at_sections(world, i, tally);
    cdg_rod_id rod = {0};
    cdg_turn_error worst = cdg_world_turn_error(world, &rod);
    if (!(worst.error > tally->turn_error)) return;
    tally->turn_error = worst.error;
    tally->turn = worst.turn;
    tally->turn_time = cdg_world_time(world);
    for (size_t i = 0; i < cdg_world_rod_count(world); i++)
        if (cdg_world_rod_at(world, i).index1 == rod.index1) tally->turn_rod = (double)i;
}

static const cdg_rod *rod_at(const cdg_world *world, double index) {
    if (!(index >= 0 && index < (double)cdg_world_rod_count(world))) return NULL;
    return cdg_world_get_rod(world, cdg_world_rod_at(world, (size_t)index));
}

bool cdg_run_advice_residual(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    const cdg_rod *rod = rod_at(world, tally->worst_rod);
    out[0] = '\0';
    if (tally->poor_step_count == 0 || rod == NULL) return false;
    char cure[256] = "";
    if (rod->model->solver_advice != NULL) rod->model->solver_advice(rod, world->step, cure);
    const double far = 0.1; // of an element, and in most steps: then it is no solution to speak of
    double steps = (double)cdg_world_step_index(world);
    bool is_lost = tally->worst_residual > far && 2 * tally->poor_step_count > steps;
    snprintf(out, CDG_ADVICE_SIZE,
             "rod '%.80s': the solver stopped some %.2g %% of an element's length away from its solution (at %g s; "
             "in %.0f of %.0f steps by more than %g %%)%s; try %s%sa shorter step (--set simulation.step=...)",
             rod->name, 100 * tally->worst_residual, tally->worst_residual_time, tally->poor_step_count, steps,
             100 * CDG_POOR_RESIDUAL, is_lost ? ": its shape, forces and energy are wrong" : "", cure,
             cure[0] != '\0' ? ", or " : "");
    return true;
}

bool cdg_run_advice_turn(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    const cdg_rod *rod = rod_at(world, tally->turn_rod);
    out[0] = '\0';
    if (!(tally->turn_error > CDG_POOR_MOMENT) || rod == NULL) return false;
    int length = snprintf(out, CDG_ADVICE_SIZE,
                          "rod '%.80s': neighbouring elements turn by up to %.2g rad against the rest shape at %g s: ",
                          rod->name, tally->turn, tally->turn_time);
    if (tally->turn_error < 1 || rod->model->measures.counts_turns) {
        snprintf(out + length, CDG_ADVICE_SIZE - (size_t)length,
                 "moments there are some %.0f %% wrong under model %s; use more elements", 100 * tally->turn_error,
                 rod->model->name);
    } else {
        snprintf(out + length, CDG_ADVICE_SIZE - (size_t)length,
                 "model %s loses whole turns between neighbours from half a turn on, and moments there are wrong; use "
                 "more elements, or a model that counts turns (der)",
                 rod->model->name);
    }
    return true;
}

bool cdg_run_advice_tilt(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    const cdg_rod *rod = rod_at(world, tally->tilt_rod);
    out[0] = '\0';
    if (!(tally->tilt > CDG_POOR_TILT) || rod == NULL) return false;
    snprintf(
        out, CDG_ADVICE_SIZE,
        "rod '%.80s': sections lean by up to %.2g rad against the centreline at %g s, where the rod is stretched by "
        "%.3g %%: from %.3g %% on it gives way by shear, and pulls less than its stretching stiffness says; take "
        "model der, which does not shear, or a rod whose 'stiffness: {shear: ...}' is at least that of stretch",
        rod->name, tally->tilt, tally->tilt_time, 100 * tally->tilt_stretch, 100 * (stretch_that_tilts(rod, 0) - 1));
    return true;
}

bool cdg_run_advice_solid(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    double index = tally->inverted_solid;
    out[0] = '\0';
    if (!(tally->inverted_count > 0 && index >= 0 && index < (double)world->solid_count)) return false;
    const cdg_solid *s = &world->solids[(size_t)index]->solid;
    const char *cure = s->def.model == CDG_SOLID_SHAPE_MATCHING
                           ? "it has nothing against that, and was squeezed too far: a shorter relaxation_time, "
                             "clusters, slower motions, or the model neo_hookean, which resists"
                           : "it was squeezed harder than it can resist, in steps of any length: a volume_barrier, a "
                             "stiffer material or slower motions";
    snprintf(out, CDG_ADVICE_SIZE,
             "solid '%.80s': %.0f of its %zu tetrahedra are inside out at %g s, the worst near (%.3g, %.3g, %.3g) m: "
             "its shape is wrong from there on; %s",
             s->name, tally->inverted_count, s->tetrahedron_count, tally->inverted_time, tally->inverted_at[0],
             tally->inverted_at[1], tally->inverted_at[2], cure);
    return true;
}

// Of what is allowed. Strain that sweeps leave for a moment, where a rod begins to carry, is below it.
static const double strained_most = 10;

static bool tell_strained(const cdg_world *world, char out[CDG_ADVICE_SIZE]) {
    const world_guard *guard = &world->guard;
    const cdg_rod *rod = rod_at(world, guard->strained_rod);
    if (!(guard->strained > strained_most) || rod == NULL) return false;
    snprintf(out, CDG_ADVICE_SIZE,
             "rod '%.80s': sweeps left it strained with more energy than there was, by %.2g times the tolerance (at %g "
             "s; docs/energy-guard.md): tensions and moments of such rods are wrong then; try solver direct, a shorter "
             "step, or more iterations",
             rod->name, guard->strained, guard->strained_time);
    return true;
}

bool cdg_run_advice_energy(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    cdg_energy_balance balance = cdg_world_energy_balance(world);
    out[0] = '\0';
    bool is_told = tally->poor_step_count > 0; // by cdg_run_advice_residual: too few sweeps
    if (!(balance.is_watched && balance.worst > 1)) return balance.is_watched && !is_told && tell_strained(world, out);
    snprintf(
        out, CDG_ADVICE_SIZE,
        "for a moment there was energy from nowhere, %.2g times as much as is allowed (docs/energy-guard.md): what "
        "moves after that may be wrong; take a shorter step (--set simulation.step=...)",
        balance.worst);
    return true;
}

// ---- resolution -----------------------------------------------------------------------------------------------------

// Of the splits that were asked for: what may be refused without a word. Most are made a few steps later.
static const double few = 0.05;

static uint64_t refused_splits(const cdg_rod_adapt *adapt) {
    uint64_t sum = 0;
    for (int k = 0; k < CDG_ADAPT_REFUSALS; k++) sum += adapt->refused[0][k];
    return sum;
}

cdg_adapt_counts cdg_run_count_changes(const cdg_world *world) {
    cdg_adapt_counts sum = {0};
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        const cdg_rod *rod = rod_at(world, (double)i);
        if (rod == NULL || rod->adapt == NULL) continue;
        sum.splits += rod->adapt->split_count, sum.merges += rod->adapt->merge_count;
        sum.refused_splits += refused_splits(rod->adapt);
    }
    return sum;
}

bool cdg_run_advice_adapt(const cdg_world *world, char out[CDG_ADVICE_SIZE]) {
    const cdg_rod *worst = NULL;
    out[0] = '\0';
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        const cdg_rod *rod = rod_at(world, (double)i);
        if (rod == NULL || rod->adapt == NULL) continue;
        uint64_t refused = refused_splits(rod->adapt);
        if (!((double)refused > few * (double)(rod->adapt->split_count + refused))) continue;
        if (worst == NULL || refused > refused_splits(worst->adapt)) worst = rod;
    }
    if (worst == NULL) return false;
    const uint64_t *why = worst->adapt->refused[0];
    snprintf(
        out, CDG_ADVICE_SIZE,
        "rod '%.80s': %llu times an element was to be halved and could not be, and %llu times it was (something in "
        "the way %llu, no equilibrium near %llu, strained too much %llu, too much energy gained %llu): parts of it "
        "are coarser than asked for; start with more elements and fewer levels",
        worst->name, (unsigned long long)refused_splits(worst->adapt), (unsigned long long)worst->adapt->split_count,
        (unsigned long long)why[CDG_ADAPT_IN_THE_WAY], (unsigned long long)why[CDG_ADAPT_NO_EQUILIBRIUM],
        (unsigned long long)why[CDG_ADAPT_TOO_STRAINED], (unsigned long long)why[CDG_ADAPT_TOO_DEAR]);
    return true;
}
