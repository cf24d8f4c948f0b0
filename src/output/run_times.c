#include "output/run_times.h"
#include "world/world.h"

#include <stdio.h>
#include <string.h>

static const double long_enough = 5; // s: shorter runs need no advice

enum { PARTS = 6 };

typedef struct time_part {
    const char *name;
    double seconds;
} time_part;

cdg_run_times cdg_run_times_of(const cdg_world *world, double output) {
    const cdg_step_clock *clock = &world->clock;
    return (cdg_run_times){.rods = clock->seconds[CDG_PHASE_PREDICT],
                           .contact = clock->seconds[CDG_PHASE_CONTACT],
                           .again = clock->seconds[CDG_PHASE_AGAIN],
                           .in_vain = clock->in_vain,
                           .commit = clock->seconds[CDG_PHASE_COMMIT],
                           .output = output,
                           .rounds = clock->rounds,
                           .has_rods = world->rod_count > 0,
                           .has_solids = world->solid_count > 0};
}

static double sum(const cdg_run_times *t) {
    return t->rods + t->contact + t->again + t->in_vain + t->commit + t->output;
}

static void order(time_part parts[PARTS]) {
    for (int i = 1; i < PARTS; i++)
        for (int k = i; k > 0 && parts[k].seconds > parts[k - 1].seconds; k--) {
            time_part swap = parts[k];
            parts[k] = parts[k - 1];
            parts[k - 1] = swap;
        }
}

// Rounds belong to steps of this process; a resumed run has made others.
static double rounds_a_step(const cdg_run_summary *s) {
    return s->step_count > 0 ? s->times.rounds / (double)s->step_count : 0;
}

// The objects that take the time, alone and with contact forces. Bodies take next to none.
static const char *movers(const cdg_run_times *t) {
    if (!t->has_solids) return "rods";
    return t->has_rods ? "rods and solids" : "solids";
}

bool cdg_run_times_text(const cdg_run_summary *summary, char out[CDG_TIMES_SIZE]) {
    const cdg_run_times *t = &summary->times;
    char again[80], rounds[32] = "";
    if (t->again > 0 && !summary->resumed)
        snprintf(rounds, sizeof rounds, " (%.2g rounds a step)", rounds_a_step(summary));
    snprintf(again, sizeof again, "%s with contact forces%s", movers(t), rounds);
    time_part parts[PARTS] = {{movers(t), t->rods},          {"contact", t->contact},        {again, t->again},
                              {"divided steps", t->in_vain}, {"books and guard", t->commit}, {"outputs", t->output}};
    double all = sum(t);
    out[0] = '\0';
    if (summary->is_static || !(all > 0)) return false;
    order(parts);
    for (int i = 0; i < PARTS && parts[i].seconds > 0.01 * all; i++) {
        size_t used = strlen(out);
        snprintf(out + used, CDG_TIMES_SIZE - used, "%s%.0f %% %s", i > 0 ? ", " : "", 100 * parts[i].seconds / all,
                 parts[i].name);
    }
    return true;
}

bool cdg_run_times_advice(const cdg_run_summary *summary, char out[CDG_TIME_ADVICE_SIZE]) {
    const cdg_run_times *t = &summary->times;
    double all = sum(t);
    out[0] = '\0';
    if (summary->is_static || summary->wall_seconds < long_enough || !(all > 0)) return false;
    if (t->in_vain > 0.3 * all) {
        snprintf(out, CDG_TIME_ADVICE_SIZE,
                 "quicker: a shorter step, so that fewer are divided, such as '--set simulation.step=%.3gs'",
                 0.5 * summary->step);
    } else if (t->output > 0.4 * all) {
        snprintf(out, CDG_TIME_ADVICE_SIZE,
                 "quicker: fewer outputs, by a larger 'every' in 'output', or smaller ones, by 'fields' there");
    } else if (t->contact + t->again > 0.6 * all) {
        snprintf(out, CDG_TIME_ADVICE_SIZE, "quicker: %s%s",
                 t->has_solids ? "coarser meshes and longer elements of what touches"
                               : "longer elements where rods touch",
                 rounds_a_step(summary) > 20 ? ", or a shorter step, which takes fewer rounds" : "");
    } else if (t->rods > 0.6 * all) {
        snprintf(out, CDG_TIME_ADVICE_SIZE,
                 "quicker: fewer %s, or a longer step; 'cordage check' tells what both should be",
                 !t->has_solids ? "elements"
                 : t->has_rods  ? "tetrahedra or elements"
                                : "tetrahedra");
    }
    return out[0] != '\0';
}

void cdg_run_times_write(cdg_json *json, const cdg_run_times *times) {
    cdg_json_begin_object(json, "seconds_of");
    cdg_json_number(json, "rods", times->rods);
    cdg_json_number(json, "contact", times->contact);
    cdg_json_number(json, "rods_again", times->again);
    cdg_json_number(json, "divided_steps", times->in_vain);
    cdg_json_number(json, "books", times->commit);
    cdg_json_number(json, "outputs", times->output);
    cdg_json_number(json, "contact_rounds", times->rounds);
    cdg_json_end(json);
}
