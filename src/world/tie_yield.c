// How rods that are tied to solids yield to contact. A model's response is that of a rod whose tied sections stand
// still; the rest is a correction of low rank, as for rods that are welded to bodies (world_yield.c). With P the moves
// of the rod by moves of its sections, a load f exerts P^T f on the solids, which adds P (I + C S)^-1 C P^T f to the
// response.
#include "base/error.h"
#include "math/quat.h"
#include "world/tie_work.h"

#include <stdlib.h>
#include <string.h>

static void free_unit(tie_unit *unit) {
    free(unit->yield.way);
    free(unit->yield.give);
    free(unit->kept);
    unit->yield = (cdg_yield){0};
    unit->kept = NULL;
}

void cdg_tie_yields_free(struct world_ties *work) {
    for (size_t u = 0; u < work->unit_count; u++) free_unit(&work->units[u]);
}

cdg_result cdg_tie_yields_prepare(cdg_world *world) {
    struct world_ties *work = world->ties_work;
    for (size_t u = 0; work != NULL && u < work->unit_count; u++) {
        tie_unit *unit = &work->units[u];
        const world_team *team = &world->teams[unit->team];
        free_unit(unit);
        if (team->net != NULL || !cdg_world_couples_contact(world, team->first)) continue; // found by rounds alone
        const cdg_rod *rod = world->rods[team->first].rod;
        size_t ways = 0, field = 3 * rod->node_capacity + rod->element_capacity;
        for (size_t k = 0; k < unit->count; k++) ways += world->ties[work->order[unit->first + k]].way_count;
        unit->yield_rod = team->first;
        unit->yield.way = calloc(ways * field, sizeof(double));
        unit->yield.give = calloc(ways * ways + 2 * ways, sizeof(double));
        unit->kept = calloc(3 * rod->node_capacity + 4 * rod->element_capacity, sizeof(double));
        if (unit->yield.way == NULL || unit->yield.give == NULL || unit->kept == NULL)
            return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for contact");
        unit->yield.along = unit->yield.give + ways * ways;
        unit->yield.way_count = ways;
        world->contacts.coupling.objects[team->first].yield = &unit->yield;
    }
    return CDG_OK;
}

void cdg_tie_yield_begin(const cdg_world *world, tie_unit *unit) {
    if (unit->yield.way_count > 0) cdg_ways_keep(world->rods[unit->yield_rod].rod, unit->kept);
}

void cdg_tie_yield_record(const cdg_world *world, tie_unit *unit, size_t way, double size) {
    if (unit->yield.way_count == 0) return;
    const cdg_rod *rod = world->rods[unit->yield_rod].rod;
    cdg_ways_record(rod, unit->kept, size, unit->yield.way + way * (3 * rod->node_count + rod->element_count));
}

bool cdg_tie_yields_are_wanted(const cdg_world *world, const struct world_ties *work) {
    for (size_t u = 0; u < work->unit_count; u++) {
        const tie_unit *unit = &work->units[u];
        if (unit->yield.way_count > 0 && world->contacts.coupling.objects[unit->yield_rod].wants_response) return true;
    }
    return false;
}

// Ways are moves (m) and turns times the tie's length; what goes with the latter is a moment over that length.
void cdg_tie_yields_finish(const cdg_world *world, struct world_ties *work) {
    size_t n = work->size;
    for (size_t u = 0; u < work->unit_count; u++) {
        tie_unit *unit = &work->units[u];
        size_t ways = unit->yield.way_count, column = 0;
        for (size_t k = 0; k < unit->count && ways > 0; k++) {
            const world_tie *from = &world->ties[work->order[unit->first + k]];
            for (size_t c = 0; c < from->way_count; c++, column++) {
                double unit_force = c < 3 ? 1 : from->length;
                size_t row = 0;
                for (size_t l = 0; l < unit->count; l++) {
                    const world_tie *to = &world->ties[work->order[unit->first + l]];
                    for (size_t d = 0; d < to->way_count; d++, row++) {
                        const double *inverse = work->inverse + (to->first_way + d) * n;
                        double sum = 0;
                        for (size_t i = 0; i < n; i++)
                            sum += inverse[i] * work->compliance[i * n + from->first_way + c];
                        unit->yield.give[row * ways + column] = unit_force * sum;
                    }
                }
            }
        }
    }
}
