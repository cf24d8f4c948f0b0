// A rod as point masses on springs, by symplectic Euler: no bending, no twist. It shows what a model must have.
#include "models/beads/beads.h"

#include "base/error.h"
#include "math/quat.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---- options --------------------------------------------------------------------------------------------------------

static void set_default(void *options) { *(cdg_beads_options *)options = (cdg_beads_options){.softness = 1}; }

static const char *const law_choices[] = {"linear", "slack", NULL};

static const scene_key beads_keys[] = {
    {.name = "softness",
     QUANTITY(CDG_NUMBER),
     .range = SCENE_POSITIVE,
     IN(cdg_beads_options, softness),
     .initial = "1",
     .text = "divides the stretching stiffness"},
    {.name = "law",
     .type = SCENE_TYPE_CHOICE,
     .choices = law_choices,
     IN(cdg_beads_options, law),
     .initial = "linear",
     .text = "springs push and pull, or only pull"},
};
KEY_TABLE(beads, "`beads`", "Options of the beads model.");

static const scene_table *const tables[] = {&beads_table, NULL};

static const cdg_model_options options = {
    .size = sizeof(cdg_beads_options),
    .def_offset = SIZE_MAX, // cdg_rod_def has no member for it
    .set_default = set_default,
    .keys = OPTION_KEYS(beads),
    .tables = tables,
};

// ---- the step -------------------------------------------------------------------------------------------------------

static cdg_result check(const cdg_rod_def *def, cdg_error *error) {
    if (!cdg_centerline_is_closed(&def->centerline)) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_UNSUPPORTED, "rod '%s': model beads has open rods only", def->name);
}

static bool needs_history(const cdg_rod_def *def) {
    (void)def;
    return false;
}

static size_t scratch_size(const cdg_rod *rod) { return rod->node_count * sizeof(cdg_vec3); }

static void add_springs(const cdg_rod *rod, cdg_vec3 *force) {
    const cdg_beads_options *own = rod->options;
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x, j + 1), rod_vec3(rod->x, j));
        double length = vec3_norm(edge), strain = length / rod->rest_length[j] - 1;
        double tension = rod->stretch_stiffness[2][j * rod->section_stride] / own->softness * strain;
        if (own->law == CDG_BEADS_SLACK) tension = fmax(tension, 0);
        cdg_vec3 pull = vec3_scale(tension / length, edge);
        force[j] = vec3_add(force[j], pull);
        force[j + 1] = vec3_sub(force[j + 1], pull);
    }
}

static void follow_edges(cdg_rod *rod) {
    for (size_t j = 0; j < rod->element_count; j++) {
        cdg_vec3 edge = vec3_sub(rod_vec3(rod->x_next, j + 1), rod_vec3(rod->x_next, j));
        cdg_quat q = rod_quat(rod->q, j);
        rod_set_quat(rod->q_next, j, quat_normalize(quat_multiply(quat_between(quat_d3(q), vec3_normalize(edge)), q)));
        rod_set_vec3(rod->w_next, j, vec3(0, 0, 0));
    }
}

static cdg_result predict(cdg_rod *rod, double step, const cdg_rod_loads *loads, void *scratch,
                          cdg_rod_step_result *result, cdg_error *error) {
    (void)error;
    cdg_vec3 *force = scratch;
    for (size_t i = 0; i < rod->node_count; i++) force[i] = rod_load_force(rod, loads, i);
    add_springs(rod, force);
    for (size_t i = 0; i < rod->node_count; i++) {
        cdg_vec3 v = vec3_add(rod_vec3(rod->v, i), vec3_scale(step / rod->node_mass[i], force[i]));
        v = vec3_scale(1 / (1 + step * rod->drag_rate), v);
        rod_set_vec3(rod->v_next, i, v);
        rod_set_vec3(rod->x_next, i, vec3_add(rod_vec3(rod->x, i), vec3_scale(step, v)));
    }
    for (size_t h = 0; h < rod->hold_count; h++) {
        cdg_hold *hold = &rod->holds[h];
        cdg_vec3 v = vec3_scale(1 / step, vec3_sub(hold->position, rod_vec3(rod->x, hold->node)));
        hold->force = vec3_scale(rod->node_mass[hold->node] / step, vec3_sub(v, rod_vec3(rod->v_next, hold->node)));
        rod_set_vec3(rod->v_next, hold->node, v);
        rod_set_vec3(rod->x_next, hold->node, hold->position);
    }
    follow_edges(rod);
    *result = (cdg_rod_step_result){.iterations = 1};
    return CDG_OK;
}

// A fifth of the period of a bead between two springs.
static double advise_step(const cdg_rod *rod, char *reason) {
    const cdg_beads_options *own = rod->options;
    double stiffness = rod->stretch_stiffness[2][0] / own->softness / rod->rest_length[0];
    double step = 0.2 * sqrt(rod->mass / (double)rod->element_count / stiffness);
    snprintf(reason, 256, "a fifth of the time that a bead of rod '%.60s' needs", rod->name);
    return step;
}

// Energies of strain are measured by the stiffness of the section, which options change.
static cdg_strain_trust strain_trust(const cdg_rod *rod) {
    (void)rod;
    return CDG_STRAIN_OTHER;
}

const cdg_rod_model cdg_beads_model = {
    .name = "beads",
    .options = &options,
    .element_cost = 1e-8,
    .supports_varying_section = true,
    .carries_node_mass = true,
    .check = check,
    .needs_history = needs_history,
    .scratch_size = scratch_size,
    .predict = predict,
    .commit = cdg_rod_commit,
    .advise_step = advise_step,
    .measures.strain_trust = strain_trust,
};
