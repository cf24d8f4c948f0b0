// Warnings about a run's accuracy in words that fit the model of the rod they are about.
#include "output/run_advice.h"

#include "world/world.h"

#include <stdio.h>

void cdg_run_advice_count(const cdg_world *world, const cdg_step_report *report, cdg_run_tally *tally) {
    if (report->residual > CDG_POOR_RESIDUAL) tally->poor_step_count += 1;
    if (report->halvings > 0) tally->halved_step_count += 1;
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

void cdg_run_advice_look(const cdg_world *world, cdg_run_tally *tally) {
    cdg_rod_id rod = {0};
    cdg_turn_error worst = cdg_world_turn_error(world, &rod);
    if (!(worst.error > tally->turn_error)) return;
    tally->turn_error = worst.error;
    tally->turn = worst.turn;
    tally->turn_time = cdg_world_time(world);
    for (size_t i = 0; i < cdg_world_rod_count(world); i++)
        if (cdg_world_rod_at(world, i).index1 == rod.index1) tally->turn_rod = (double)i;
}

static const cdg_rod *rod_at(const cdg_world *world, double place) {
    if (!(place >= 0 && place < (double)cdg_world_rod_count(world))) return NULL;
    return cdg_world_get_rod(world, cdg_world_rod_at(world, (size_t)place));
}

bool cdg_run_advice_residual(const cdg_world *world, const cdg_run_tally *tally, char out[CDG_ADVICE_SIZE]) {
    const cdg_rod *rod = rod_at(world, tally->worst_rod);
    out[0] = '\0';
    if (tally->poor_step_count == 0 || rod == NULL) return false;
    char cure[256] = "";
    if (rod->model->solver_advice != NULL) rod->model->solver_advice(rod, cure);
    snprintf(out, CDG_ADVICE_SIZE,
             "rod '%.80s': the solver stopped some %.2g %% of an element's length away from its solution (at %g s; "
             "in %.0f of %llu steps by more than %g %%); try %s%sa shorter step (--set simulation.step=...)",
             rod->name, 100 * tally->worst_residual, tally->worst_residual_time, tally->poor_step_count,
             (unsigned long long)cdg_world_step_index(world), 100 * CDG_POOR_RESIDUAL, cure,
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
