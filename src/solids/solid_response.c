// How an implicit solid answers small forces: through the last system of its prediction.
#include "base/error.h"
#include "solids/solid_model.h"
#include "solids/solid_system.h"

static const double closeness = 1e-9; // of conjugate gradients: contact takes differences of responses

cdg_result cdg_solid_keep_response(cdg_solid *s, int threads, cdg_error *error) {
    cdg_solid_system *m = s->system;
    bool is_near = m->moved < 5e-2 * s->mean_edge;
    if (is_near && m->has_entries && (m->pattern == NULL || m->has_factors)) return CDG_OK;
    for (int is_projected = 0; is_projected < 2; is_projected++) { // there is none, or it is of another shape
        cdg_solid_assemble(s, &m->at, m->inertia, is_projected != 0, threads);
        m->moved = 0;
        for (size_t k = 0; k < 3 * s->node_count; k++) m->right[k] = 0;
        if (cdg_solid_solve(s, closeness, threads)) return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_NO_CONVERGENCE, "its system has no solution");
}

void cdg_solid_respond(cdg_solid *s, int threads) {
    // A matrix that is not positive definite answers by what was found until then; the next prediction makes it good.
    (void)cdg_solid_solve(s, closeness, threads);
}

double cdg_solid_compliance(const cdg_solid *s, size_t node) {
    const double *a = s->system->inverse + 9 * node;
    return s->is_held[node] ? 0 : (a[0] + a[4] + a[8]) / 3;
}
