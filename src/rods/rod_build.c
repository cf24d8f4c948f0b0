// From a rod definition to the arrays of rod.h: sampling, frames, rest shape, section properties, masses.
#include "rods/rod.h"

#include "base/error.h"
#include "geometry/frames.h"
#include "math/quat.h"
#include "rods/model_options.h"
#include "rods/rod_model.h"

#include <assert.h>
#include <float.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

cdg_rod_def cdg_rod_def_default(void) {
    cdg_rod_def def = {0};
    def.name = "rod";
    def.model = 0; // the first of the list
    for (size_t i = 0; i < cdg_rod_model_count(); i++) {
        const cdg_model_options *of = cdg_rod_model_get((cdg_model)i)->options;
        if (of != NULL && of->def_offset != SIZE_MAX) of->set_default((char *)&def + of->def_offset);
    }
    def.material = cdg_material_default();
    def.section = cdg_section_default();
    def.section.radius = 2e-3;
    def.section_end = def.section;
    def.centerline = cdg_centerline_default();
    def.element_count = 50;
    def.adapt = cdg_adapt_options_default();
    def.rest.kind = CDG_REST_STRAIGHT;
    return def;
}

// ---- memory: one block, carved into 64-byte aligned arrays ----------------------------------------------------------

enum { ALIGNMENT = 64 };

static size_t array_bytes(size_t count) {
    size_t bytes = count * sizeof(double);
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

// Visits every array of the rod in one fixed order: the block is sized and then carved by it, so the two always agree.
typedef struct carver {
    char *next; // NULL while sizing
    size_t bytes;
} carver;

static void carve(carver *c, double **array, size_t count) {
    if (c->next != NULL) {
        *array = (double *)(void *)c->next;
        c->next += array_bytes(count);
    }
    c->bytes += array_bytes(count);
}

static void carve_several(carver *c, double **arrays, size_t array_count, size_t count) {
    for (size_t k = 0; k < array_count; k++) carve(c, &arrays[k], count);
}

// What belongs to sections. A uniform rod has one entry of each, side by side: with many rods, a cache line for every
// entry would cost more than the entries are worth.
static void carve_sections(cdg_rod *rod, carver *c) {
    size_t elements = rod->element_capacity, nodes = rod->node_capacity;
    if (rod->section_stride != 0) {
        carve(c, &rod->line_mass, elements);
        carve_several(c, rod->stretch_stiffness, 3, elements);
        carve_several(c, rod->frame_inertia, 3, elements);
        carve_several(c, rod->bend_stiffness, 3, nodes);
        carve(c, &rod->radius, nodes);
        return;
    }
    enum { ENTRIES = 15 };
    double *entries = NULL;
    carve(c, &entries, ENTRIES);
    if (entries == NULL) return; // sizing
    rod->line_mass = entries++;
    for (int k = 0; k < 3; k++) rod->stretch_stiffness[k] = entries++;
    for (int k = 0; k < 3; k++) rod->bend_stiffness[k] = entries++;
    for (int k = 0; k < 3; k++) rod->frame_inertia[k] = entries++;
    rod->radius = entries++;
    for (int k = 0; k < 4 && rod->has_one_turn; k++) rod->rest_turn[k] = entries++;
}

static void carve_rod(cdg_rod *rod, carver *c, bool with_history) {
    size_t nodes = rod->node_capacity, elements = rod->element_capacity;
    if (rod->model->options != NULL)
        carve(c, &rod->options_memory, (rod->model->options->size + sizeof(double) - 1) / sizeof(double));
    carve_sections(rod, c);
    carve(c, &rod->rest_length, elements);
    carve(c, &rod->node_mass, nodes);
    if (!rod->has_one_turn || rod->section_stride != 0)
        carve_several(c, rod->rest_turn, 4, rod->has_one_turn ? 1 : nodes);
    carve_several(c, rod->x, 3, nodes);
    carve_several(c, rod->v, 3, nodes + 1); // one entry more: solvers use what is not in use yet
    carve_several(c, rod->q, 4, elements);
    carve_several(c, rod->w, 3, elements + 1);
    carve_several(c, rod->x_next, 3, nodes);
    carve_several(c, rod->v_next, 3, nodes + 1);
    carve_several(c, rod->q_next, 4, elements);
    carve_several(c, rod->w_next, 3, elements + 1);
    if (rod->model->measures.counts_turns) {
        carve_several(c, rod->rest_curl, 3, nodes);
        carve(c, &rod->twist, nodes);
        carve(c, &rod->twist_next, nodes);
        carve(c, &rod->tension, elements);
    }
    if (rod->own_count > 0) {
        carve(c, &rod->own, rod->own_count);
        carve(c, &rod->own_next, rod->own_count);
    }
    if (rod->own_constant_count > 0) carve(c, &rod->own_constant, rod->own_constant_count);
    if (with_history) {
        carve_several(c, rod->x_before, 3, nodes);
        carve_several(c, rod->v_before, 3, nodes + 1);
        carve_several(c, rod->q_before, 4, elements);
        carve_several(c, rod->w_before, 3, elements + 1);
    }
}

cdg_result cdg_rod_allocate(cdg_rod *rod, bool with_history, cdg_error *error) {
    carver sizing = {0};
    carve_rod(rod, &sizing, with_history);
    rod->memory = aligned_alloc(ALIGNMENT, sizing.bytes);
    if (rod->memory == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for %zu elements (%zu bytes)", rod->name,
                        rod->element_count, sizing.bytes);
    memset(rod->memory, 0, sizing.bytes);
    rod->memory_size = sizing.bytes;
    carver carving = {.next = rod->memory};
    carve_rod(rod, &carving, with_history);
    return CDG_OK;
}

// ---- sections -------------------------------------------------------------------------------------------------------

static cdg_result stiffness_at(const cdg_rod_def *def, double fraction, cdg_stiffness *out, cdg_error *error) {
    if (def->has_stiffness) {
        *out = def->stiffness;
        return CDG_OK;
    }
    cdg_section section =
        def->is_tapered ? cdg_section_interpolate(&def->section, &def->section_end, fraction) : def->section;
    return cdg_stiffness_compute(&def->material, &section, out, error);
}

static cdg_result check_stiffness(const char *name, const cdg_stiffness *s, cdg_error *error) {
    const struct {
        const char *what;
        double value;
        bool may_be_zero;
    } checks[] = {
        {"shear stiffness along d1", s->shear[0], true},
        {"shear stiffness along d2", s->shear[1], true},
        {"stretch stiffness", s->stretch, false},
        {"bending stiffness about d1", s->bend[0], true},
        {"bending stiffness about d2", s->bend[1], true},
        {"twist stiffness", s->twist, true},
        {"mass per length", s->mass, false},
        {"rotary inertia about d1", s->inertia[0], false},
        {"rotary inertia about d2", s->inertia[1], false},
        {"rotary inertia about d3", s->inertia[2], false},
        {"radius", s->radius, true},
    };
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        double value = checks[i].value;
        if (!isfinite(value) || value < 0 || (value == 0 && !checks[i].may_be_zero))
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the %s is %g; it must be finite and %s", name,
                            checks[i].what, value, checks[i].may_be_zero ? "not negative" : "positive");
    }
    return CDG_OK;
}

static cdg_result fill_sections(cdg_rod *rod, const cdg_rod_def *def, cdg_error *error) {
    size_t stride = rod->section_stride;
    size_t elements = stride != 0 ? rod->element_count : 1, nodes = stride != 0 ? rod->node_count : 1;
    double arc = 0;
    cdg_stiffness s;
    for (size_t j = 0; j < elements; j++) {
        double middle = arc + rod->rest_length[j] / 2;
        arc += rod->rest_length[j];
        cdg_result result = stiffness_at(def, stride != 0 ? middle / rod->length : 0, &s, error);
        if (result == CDG_OK) result = check_stiffness(rod->name, &s, error);
        if (result != CDG_OK) return result;
        rod->stretch_stiffness[0][j] = s.shear[0];
        rod->stretch_stiffness[1][j] = s.shear[1];
        rod->stretch_stiffness[2][j] = s.stretch;
        rod->line_mass[j] = s.mass;
        for (int k = 0; k < 3; k++) rod->frame_inertia[k][j] = s.inertia[k];
    }
    arc = 0;
    for (size_t i = 0; i < nodes; i++) {
        cdg_result result = stiffness_at(def, stride != 0 ? fmin(arc / rod->length, 1) : 0, &s, error);
        if (result != CDG_OK) return result;
        if (i < rod->element_count) arc += rod->rest_length[i];
        rod->bend_stiffness[0][i] = s.bend[0];
        rod->bend_stiffness[1][i] = s.bend[1];
        rod->bend_stiffness[2][i] = s.twist;
        rod->radius[i] = s.radius;
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        double mass = rod->line_mass[j * stride] * rod->rest_length[j];
        rod->node_mass[j] += mass / 2;
        rod->node_mass[rod_next_node(rod, j)] += mass / 2;
        rod->mass += mass;
    }
    const cdg_material *m = &def->material;
    double times[4] = {m->damping_shear, m->damping_stretch, m->damping_bend, m->damping_twist};
    for (int k = 0; k < 4; k++) {
        if (!(times[k] >= 0 && isfinite(times[k])))
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "rod '%s': a damping time is %g s; it must be finite and not negative", rod->name,
                            times[k]);
        rod->damping_time[k] = times[k];
    }
    return CDG_OK;
}

// ---- shape ----------------------------------------------------------------------------------------------------------

static void set_rest_lengths(cdg_rod *rod, const cdg_vec3 *nodes) {
    for (size_t j = 0; j < rod->element_count; j++) {
        rod->rest_length[j] = vec3_distance(nodes[j], nodes[rod_next_node(rod, j)]);
        rod->length += rod->rest_length[j];
    }
    // Equal spacing survives sampling only up to rounding of the coordinates, which in a long fine rod is much more
    // than that of a length; making it exact lets the solvers treat the rod as uniform.
    double mean = rod->length / (double)rod->element_count, worst = 0, extent = 0;
    for (size_t i = 0; i < rod->node_count; i++)
        extent = fmax(extent, fmax(fabs(nodes[i].x), fmax(fabs(nodes[i].y), fabs(nodes[i].z))));
    for (size_t j = 0; j < rod->element_count; j++) worst = fmax(worst, fabs(rod->rest_length[j] - mean));
    rod->has_equal_elements = worst <= 1e-12 * mean + 4 * DBL_EPSILON * extent;
    if (rod->has_equal_elements)
        for (size_t j = 0; j < rod->element_count; j++) rod->rest_length[j] = mean;
}

// Turns between neighbouring frames. The half cells at the ends of an open rod continue the curvature of the cell
// beside them, so that a clamp there sees the tangent of the curve and not of the first chord.
static void set_turns_from_frames(cdg_rod *rod, const cdg_quat *frames) {
    for (size_t i = 0; i < rod->node_count; i++) {
        size_t left = rod_left_element(rod, i), right = rod_right_element(rod, i);
        if (left == SIZE_MAX || right == SIZE_MAX) continue;
        // Frames that close up only but for their sign have a turn of w < 0 at the seam, whose strain would be measured
        // with the opposite sign.
        cdg_quat turn = quat_relative(frames[left], frames[right]);
        rod_set_quat(rod->rest_turn, i, turn.w < 0 ? quat_negate(turn) : turn);
    }
    if (rod->is_closed) return;
    size_t last = rod->node_count - 1;
    cdg_quat start = quat_identity(), end = quat_identity();
    if (rod->element_count > 1) {
        start = quat_power(rod_quat(rod->rest_turn, 1), rod_cell_length(rod, 0) / rod_cell_length(rod, 1));
        end =
            quat_power(rod_quat(rod->rest_turn, last - 1), rod_cell_length(rod, last) / rod_cell_length(rod, last - 1));
    }
    rod_set_quat(rod->rest_turn, 0, start);
    rod_set_quat(rod->rest_turn, last, end);
}

static cdg_result set_rest_shape(cdg_rod *rod, const cdg_rod_def *def, const cdg_vec3 *initial_nodes,
                                 const cdg_quat *initial_frames, cdg_error *error) {
    const cdg_rest *rest = &def->rest;
    if (rest->kind == CDG_REST_CENTERLINE) {
        if (cdg_centerline_is_closed(&rest->centerline) != rod->is_closed)
            return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the rest centerline is %s but the rod is %s",
                            def->name, rod->is_closed ? "open" : "closed", rod->is_closed ? "closed" : "open");
        cdg_vec3 *nodes = malloc(rod->node_count * sizeof *nodes);
        cdg_quat *frames = malloc(rod->element_count * sizeof *frames);
        if (nodes == NULL || frames == NULL) {
            free(nodes);
            free(frames);
            return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for its rest shape", def->name);
        }
        cdg_result result = cdg_centerline_sample(&rest->centerline, rod->element_count, nodes, error);
        if (result == CDG_OK)
            result = cdg_frames_from_nodes(nodes, rod->element_count, rod->is_closed, NULL, rest->roll, rest->twist,
                                           frames, error);
        if (result == CDG_OK) {
            set_rest_lengths(rod, nodes);
            set_turns_from_frames(rod, frames);
        }
        free(nodes);
        free(frames);
        return result;
    }
    set_rest_lengths(rod, initial_nodes);
    if (rest->kind == CDG_REST_INITIAL) {
        set_turns_from_frames(rod, initial_frames);
        return CDG_OK;
    }
    cdg_vec3 darboux = vec3(0, 0, rest->twist);
    if (rest->kind == CDG_REST_CURVATURE) darboux = vec3(rest->curvature[0], rest->curvature[1], rest->twist);
    if (!vec3_is_finite(darboux))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': the rest curvature is not finite", def->name);
    for (size_t i = 0; i < (rod->has_one_turn ? 1 : rod->node_count); i++)
        rod_set_quat(rod->rest_turn, i, quat_exp(vec3_scale(rod_cell_length(rod, i), darboux)));
    return CDG_OK;
}

// As with lengths, equal but for rounding.
static bool has_equal_turns(const cdg_rod *rod) {
    if (rod->has_one_turn) return true;
    size_t first = rod->is_closed ? 0 : 1, end = rod->is_closed ? rod->node_count : rod->node_count - 1;
    for (size_t i = first; i < end; i++)
        for (int k = 0; k < 4; k++)
            if (!(fabs(rod->rest_turn[k][i] - rod->rest_turn[k][first]) <= 1e-14)) return false;
    return true;
}

static void set_state(cdg_rod *rod, const cdg_rod_def *def, const cdg_vec3 *nodes, const cdg_quat *frames) {
    cdg_vec3 center = {0};
    for (size_t i = 0; i < rod->node_count; i++) center = vec3_mad(center, rod->node_mass[i] / rod->mass, nodes[i]);
    for (size_t i = 0; i < rod->node_count; i++) {
        rod_set_vec3(rod->x, i, nodes[i]);
        cdg_vec3 arm = vec3_sub(nodes[i], center);
        rod_set_vec3(rod->v, i, vec3_add(def->velocity, vec3_cross(def->angular_velocity, arm)));
    }
    for (size_t j = 0; j < rod->element_count; j++) {
        rod_set_quat(rod->q, j, frames[j]);
        rod_set_vec3(rod->w, j, quat_rotate_inverse(frames[j], def->angular_velocity));
    }
}

// Models that count turns measure bending by an angle that has no limit where a rod turns back on itself.
static cdg_result check_folds(const cdg_rod *rod, cdg_error *error) {
    bool is_rest;
    size_t node = cdg_rod_folded_node(rod, &is_rest);
    if (node == SIZE_MAX) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_ARGUMENT,
                    "rod '%s': its %s turns back on itself at node %zu, where two elements lie against each other; "
                    "move a point, or use more elements",
                    rod->name, is_rest ? "shape at rest" : "centerline", node);
}

static cdg_result build_shape(cdg_rod *rod, const cdg_rod_def *def, cdg_error *error) {
    cdg_vec3 *nodes = malloc(rod->node_count * sizeof *nodes);
    cdg_quat *frames = malloc(rod->element_count * sizeof *frames);
    if (nodes == NULL || frames == NULL) {
        free(nodes);
        free(frames);
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory for its shape", def->name);
    }
    cdg_result result = cdg_centerline_sample(&def->centerline, rod->element_count, nodes, error);
    if (result == CDG_OK)
        result = cdg_frames_from_nodes(nodes, rod->element_count, rod->is_closed, def->initial_normal, def->roll,
                                       def->initial_twist, frames, error);
    if (result == CDG_OK) result = set_rest_shape(rod, def, nodes, frames, error);
    if (result == CDG_OK) rod->has_equal_turns = has_equal_turns(rod);
    if (result == CDG_OK) result = fill_sections(rod, def, error);
    if (result == CDG_OK) set_state(rod, def, nodes, frames);
    if (result == CDG_OK && rod->model->measures.counts_turns) result = check_folds(rod, error);
    if (result == CDG_OK && rod->model->measures.counts_turns)
        cdg_rod_set_turns(rod, def->rest.kind == CDG_REST_INITIAL ? def->initial_twist : def->rest.twist,
                          def->initial_twist);
    free(nodes);
    free(frames);
    return result;
}

static bool is_valid_name(const char *name) {
    if (name == NULL || name[0] == '\0') return false;
    const char *allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = strlen(name); // a point is inside: "net.h3"
    return strspn(name, allowed) == length && name[0] != '.' && name[length - 1] != '.';
}

// Choices that a definition made by hand may have beyond their lists.
static cdg_result check_choices(const cdg_rod_def *def, cdg_error *error) {
    const cdg_rod_model *model = cdg_rod_model_get(def->model);
    int choice = 0;
    const scene_key *key = cdg_options_beyond_list(model->options, cdg_rod_def_options(def), &choice);
    if (key != NULL)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': %s.%s is %d, which is not in its list", def->name,
                        model->name, key->name, choice);
    if ((unsigned)def->rest.kind >= CDG_REST_KIND_COUNT)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': rest.kind is %d, which is not in its list", def->name,
                        (int)def->rest.kind);
    return CDG_OK;
}

static cdg_result check_definition(const cdg_rod_def *def, cdg_error *error) {
    if (!is_valid_name(def->name))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod name '%s': use letters, digits, '_' and '-'",
                        def->name != NULL ? def->name : "");
    if ((unsigned)def->model >= cdg_rod_model_count())
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': there is no model number %d", def->name, (int)def->model);
    bool is_closed = cdg_centerline_is_closed(&def->centerline);
    size_t least = is_closed ? 3 : 1;
    if (def->element_count < least)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': %s rod needs at least %zu element%s, not %zu", def->name,
                        is_closed ? "a closed" : "a", least, least > 1 ? "s" : "", def->element_count);
    if (def->element_count > UINT32_MAX / 2)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': %zu elements are too many", def->name,
                        def->element_count);
    if (!vec3_is_finite(def->velocity) || !vec3_is_finite(def->angular_velocity) || !isfinite(def->roll) ||
        !isfinite(def->initial_twist))
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': velocity, roll and twist must be finite", def->name);
    if (!(vec3_norm(def->velocity) <= CDG_SPEED_MAX) || !(vec3_norm(def->angular_velocity) <= CDG_SPEED_MAX))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "rod '%s': its velocity is beyond %g m/s or rad/s, where its energy is no number", def->name,
                        CDG_SPEED_MAX);
    cdg_result adapts = cdg_adapt_check(def, is_closed, error);
    if (adapts != CDG_OK) return adapts;
    if (def->is_tapered && !def->has_stiffness && def->section.kind != def->section_end.kind)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "rod '%s': a taper needs the same kind of section at both ends",
                        def->name);
    cdg_result result = check_choices(def, error);
    return result == CDG_OK ? cdg_rod_model_get(def->model)->check(def, error) : result;
}

// Those of the definition, or the model's defaults in `defaults`.
static const void *options_of(const cdg_rod_def *def, void *defaults) {
    const cdg_model_options *of = cdg_rod_model_get(def->model)->options;
    const void *options = cdg_rod_def_options(def);
    if (of == NULL || options != NULL) return options;
    assert(of->size <= CDG_OPTIONS_BYTES_MAX);
    of->set_default(defaults);
    return defaults;
}

static void keep_options(cdg_rod *rod, const void *options) {
    if (rod->model->options == NULL) return;
    memcpy(rod->options_memory, options, rod->model->options->size);
    rod->options = rod->options_memory;
}

cdg_result cdg_rod_build(const cdg_rod_def *def, cdg_rod **out, cdg_error *error) {
    *out = NULL;
    cdg_result result = check_definition(def, error);
    if (result != CDG_OK) return result;

    cdg_rod *rod = calloc(1, sizeof *rod);
    if (rod != NULL) {
        size_t size = strlen(def->name) + 1;
        rod->name = malloc(size);
        if (rod->name != NULL) memcpy(rod->name, def->name, size);
    }
    if (rod == NULL || rod->name == NULL) {
        cdg_rod_destroy(rod);
        return cdg_fail(error, CDG_ERROR_MEMORY, "rod '%s': no memory", def->name);
    }
    rod->model = cdg_rod_model_get(def->model);
    rod->has_consistent_mass = rod->model->measures.has_consistent_mass;
    rod->measures_angle = rod->model->measures.by_angle != NULL && rod->model->measures.by_angle(def);
    rod->curls_by_angle = rod->model->measures.curls_by_angle != NULL && rod->model->measures.curls_by_angle(def);
    _Alignas(max_align_t) unsigned char defaults[CDG_OPTIONS_BYTES_MAX];
    const void *options = options_of(def, defaults);
    rod->options = options;
    rod->is_closed = cdg_centerline_is_closed(&def->centerline);
    rod->element_count = def->element_count << cdg_adapt_start_levels(def);
    rod->node_count = rod->element_count + (rod->is_closed ? 0 : 1);
    rod->element_capacity = cdg_adapt_capacity(def);
    rod->node_capacity = rod->element_capacity + (rod->is_closed ? 0 : 1);
    rod->section_stride = def->is_tapered && !def->has_stiffness ? 1 : 0;
    rod->section[0] =
        def->has_stiffness ? (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = def->stiffness.radius} : def->section;
    rod->section[1] = rod->section_stride != 0 ? def->section_end : rod->section[0];

    rod->has_one_turn = rod->model->takes_one_turn && def->rest.kind == CDG_REST_STRAIGHT && def->rest.twist == 0;
    if (rod->model->own_count != NULL) rod->own_count = rod->model->own_count(rod);
    if (rod->model->own_constant_count != NULL) rod->own_constant_count = rod->model->own_constant_count(rod);
    result = cdg_rod_allocate(rod, rod->model->needs_history(def), error);
    if (result == CDG_OK) keep_options(rod, options);
    if (result == CDG_OK) result = build_shape(rod, def, error);
    if (result == CDG_OK && rod->model->prepare != NULL) rod->model->prepare(rod);
    if (result == CDG_OK && rod->model->check_shape != NULL) result = rod->model->check_shape(rod, error);
    if (result == CDG_OK && def->adapt.is_on) result = cdg_rod_adapt_create(rod, def, error);
    if (result != CDG_OK) {
        cdg_rod_destroy(rod);
        return result;
    }
    *out = rod;
    return CDG_OK;
}

void cdg_rod_destroy(cdg_rod *rod) {
    if (rod == NULL) return;
    free(rod->memory);
    free(rod->turn_memory);
    free(rod->holds);
    free(rod->holds_before);
    free(rod->hold_at);
    free(rod->support_at);
    free(rod->adapt);
    free(rod->name);
    free(rod);
}
