// Supports and loads of solids: which nodes they act on, and what they do in a step.
#include "base/error.h"
#include "geometry/shape_inside.h"
#include "math/quat.h"
#include "world/solid_object.h"

#include <stdlib.h>
#include <string.h>

static bool is_mesh_sound(const cdg_mesh *mesh) {
    for (size_t t = 0; t < mesh->triangle_count; t++)
        for (int k = 0; k < 3; k++)
            if (mesh->triangles[t][k] >= mesh->point_count) return false;
    return mesh->triangle_count > 0;
}

static cdg_result check_region(cdg_world *world, const cdg_shape *r) {
    if (r == NULL) return CDG_OK;
    if ((unsigned)r->kind >= CDG_SHAPE_KIND_COUNT)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "there is no kind of region number %d", (int)r->kind);
    double norm2 = quat_dot(r->orientation, r->orientation);
    if (!vec3_is_finite(r->position) || !(norm2 > 0 && isfinite(norm2)))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "the region's position and orientation must be finite, and the orientation not zero");
    if (r->kind == CDG_SHAPE_SPHERE && !(r->radius > 0))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the region's radius is %g m; it must be positive",
                        r->radius);
    if (r->kind == CDG_SHAPE_PLANE && !(vec3_norm(r->normal) > 0))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the region's plane needs a normal that is not zero");
    if (r->kind == CDG_SHAPE_MESH && (r->is_surface || !is_mesh_sound(&r->mesh)))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "the region's mesh needs an inside: triangles with points that it has, and not is_surface");
    return CDG_OK;
}

static bool has(const cdg_shape *region, const cdg_solid *s, size_t node) {
    return region == NULL || cdg_shape_contains(region, solid_vec3(s->x, node));
}

static cdg_result fail_empty(cdg_world *world, const cdg_solid *solid, const char *what) {
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < solid->node_count; i++)
            low[k] = fmin(low[k], solid->x[k][i]), high[k] = fmax(high[k], solid->x[k][i]);
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                    "no %s of solid '%s' is in the region; the solid lies between (%.4g, %.4g, %.4g) and (%.4g, %.4g, "
                    "%.4g) m",
                    what, solid->name, low[0], low[1], low[2], high[0], high[1], high[2]);
}

static cdg_result find_nodes(cdg_world *world, const cdg_solid *s, const cdg_shape *region, uint32_t **nodes,
                             size_t *count) {
    *count = 0;
    *nodes = malloc(s->node_count * sizeof **nodes);
    if (*nodes == NULL)
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for a region of solid '%s'", s->name);
    for (size_t i = 0; i < s->node_count; i++)
        if (has(region, s, i)) (*nodes)[(*count)++] = (uint32_t)i;
    if (*count > 0) return CDG_OK;
    free(*nodes);
    *nodes = NULL;
    return fail_empty(world, s, "node");
}

// Room for one more in a list; NULL: none.
static void *grow(void *list, size_t count, size_t size) { return realloc(list, (count + 1) * size); }

// ---- handles --------------------------------------------------------------------------------------------------------

static struct world_solid_ref **refs_of(cdg_world *world, world_kind kind) {
    return kind == WORLD_SOLID_SUPPORTS ? &world->solid_supports : &world->solid_loads;
}

static size_t *ref_count_of(cdg_world *world, world_kind kind) {
    return kind == WORLD_SOLID_SUPPORTS ? &world->solid_support_count : &world->solid_load_count;
}

static cdg_result reserve_ref(cdg_world *world, world_kind kind) {
    struct world_solid_ref **refs = refs_of(world, kind),
                           *grown = grow(*refs, *ref_count_of(world, kind), sizeof *grown);
    if (grown != NULL) *refs = grown;
    if (grown != NULL && cdg_handles_reserve(&world->handles[kind])) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another support or load");
}

static cdg_handle add_ref(cdg_world *world, world_kind kind, cdg_solid_id solid, size_t number) {
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, solid);
    (*refs_of(world, kind))[(*ref_count_of(world, kind))++] =
        (struct world_solid_ref){(uint32_t)index, (uint32_t)number};
    return cdg_handles_append(&world->handles[kind]);
}

// Numbers of the same solid's later ones move down.
static void remove_ref(cdg_world *world, world_kind kind, size_t index) {
    struct world_solid_ref *refs = *refs_of(world, kind), removed = refs[index];
    size_t count = --*ref_count_of(world, kind);
    memmove(&refs[index], &refs[index + 1], (count - index) * sizeof *refs);
    cdg_handles_close_up(&world->handles[kind], index);
    for (size_t i = 0; i < count; i++)
        if (refs[i].solid == removed.solid && refs[i].number > removed.number) refs[i].number--;
}

static void leave_solid(cdg_world *world, world_kind kind, uint32_t solid) {
    struct world_solid_ref *refs = *refs_of(world, kind);
    for (size_t i = *ref_count_of(world, kind); i-- > 0;) {
        if (refs[i].solid == solid)
            remove_ref(world, kind, i);
        else if (refs[i].solid > solid)
            refs[i].solid--;
    }
}

void cdg_solid_forcing_leave(cdg_world *world, uint32_t index) {
    const world_solid *solid = world->solids[index];
    for (size_t i = 0; i < solid->support_count; i++) world->motion_count -= solid->supports[i].def.motion_count;
    leave_solid(world, WORLD_SOLID_SUPPORTS, index);
    leave_solid(world, WORLD_SOLID_LOADS, index);
}

// ---- supports -------------------------------------------------------------------------------------------------------

cdg_solid_support_def cdg_solid_support_def_default(void) { return (cdg_solid_support_def){0}; }

static cdg_result hold_region(cdg_world *world, const cdg_solid *s, const cdg_solid_support_def *def,
                              solid_support *out) {
    *out = (solid_support){.def = *def, .turn = quat_identity()};
    cdg_result result = find_nodes(world, s, def->region, &out->nodes, &out->node_count);
    if (result != CDG_OK) return result;
    out->arm = malloc(out->node_count * sizeof *out->arm);
    cdg_motion *motions = def->motion_count > 0 ? malloc(def->motion_count * sizeof *motions) : NULL;
    if (out->arm == NULL || (def->motion_count > 0 && motions == NULL)) {
        free(out->nodes), free(out->arm), free(motions);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another support");
    }
    if (motions != NULL) memcpy(motions, def->motions, def->motion_count * sizeof *motions);
    out->def.motions = motions;
    out->def.region = NULL; // its nodes are known
    for (size_t i = 0; i < out->node_count; i++)
        out->middle = vec3_mad(out->middle, 1 / (double)out->node_count, solid_vec3(s->x, out->nodes[i]));
    for (size_t i = 0; i < out->node_count; i++) out->arm[i] = vec3_sub(solid_vec3(s->x, out->nodes[i]), out->middle);
    return CDG_OK;
}

cdg_result cdg_world_add_solid_support(cdg_world *world, const cdg_solid_support_def *def, cdg_solid_support_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    world_solid *entry = cdg_world_get_solid(world, def->solid);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid no longer exists");
    cdg_result result = check_region(world, def->region);
    if (result == CDG_OK) result = cdg_motion_check(def->motions, def->motion_count, &world->error);
    solid_support *supports = grow(entry->supports, entry->support_count, sizeof *supports);
    if (supports != NULL) entry->supports = supports;
    if (result == CDG_OK) result = reserve_ref(world, WORLD_SOLID_SUPPORTS);
    if (result == CDG_OK && supports == NULL)
        result = cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another support");
    if (result == CDG_OK) result = hold_region(world, &entry->solid, def, &entry->supports[entry->support_count]);
    if (result != CDG_OK) return result;
    cdg_handle handle = add_ref(world, WORLD_SOLID_SUPPORTS, def->solid, entry->support_count++);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_solid_support_id, handle);
    world->motion_count += def->motion_count;
    world_renew(world);
    return CDG_OK;
}

solid_support *cdg_world_get_solid_support(const cdg_world *world, cdg_solid_support_id id) {
    size_t index = WORLD_INDEX(world, WORLD_SOLID_SUPPORTS, id);
    if (index == SIZE_MAX) return NULL;
    struct world_solid_ref ref = world->solid_supports[index];
    return &world->solids[ref.solid]->supports[ref.number];
}

cdg_result cdg_solid_support_reaction(const cdg_world *world, cdg_solid_support_id id, cdg_vec3 *force) {
    if (world == NULL || force == NULL) return CDG_ERROR_ARGUMENT;
    const solid_support *support = cdg_world_get_solid_support(world, id);
    if (support == NULL) return CDG_ERROR_STALE;
    *force = support->force;
    return CDG_OK;
}

static void free_support(solid_support *support) {
    free(support->nodes);
    free(support->arm);
    free((void *)(uintptr_t)support->def.motions);
}

// BDF2 would give a solid back some of the motion that a support has just taken from it.
static void let_go(cdg_solid *s) {
    if (s->x_before[0] != NULL) s->has_history = false;
}

cdg_result cdg_world_remove_solid_support(cdg_world *world, cdg_solid_support_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    size_t index = WORLD_INDEX(world, WORLD_SOLID_SUPPORTS, id);
    if (index == SIZE_MAX) return cdg_fail(&world->error, CDG_ERROR_STALE, "the support no longer exists");
    struct world_solid_ref ref = world->solid_supports[index];
    world_solid *solid = world->solids[ref.solid];
    solid_support *support = &solid->supports[ref.number];
    world->motion_count -= support->def.motion_count;
    let_go(&solid->solid);
    free_support(support);
    solid->support_count--;
    memmove(support, support + 1, (solid->support_count - ref.number) * sizeof *support);
    remove_ref(world, WORLD_SOLID_SUPPORTS, index);
    world->scratch_size = 0;
    return CDG_OK;
}

cdg_pose cdg_solid_support_pose(const solid_support *support, double time) {
    cdg_pose start = {support->middle, support->turn};
    return cdg_motion_pose(support->def.motions, support->def.motion_count, start, time);
}

static void hold(cdg_solid *s, const solid_support *support, double time) {
    cdg_pose pose = cdg_solid_support_pose(support, time);
    for (size_t i = 0; i < support->node_count; i++) {
        size_t node = support->nodes[i];
        s->held_count += !s->is_held[node];
        s->is_held[node] = true;
        solid_set_vec3(s->target, node, vec3_add(pose.position, quat_rotate(pose.orientation, support->arm[i])));
    }
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static cdg_result find_faces(cdg_world *world, const cdg_solid *s, const cdg_shape *region, solid_load *one) {
    one->faces = malloc((s->surface_count + 1) * sizeof *one->faces);
    if (one->faces == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another load");
    for (size_t i = 0; i < s->surface_count; i++) {
        bool is_in = true;
        for (int k = 0; k < 3; k++) is_in = is_in && has(region, s, s->surface[i][k]);
        if (is_in) one->faces[one->face_count++] = (uint32_t)i;
    }
    return one->face_count > 0 ? CDG_OK : fail_empty(world, s, "face of the surface");
}

static cdg_result share_force(cdg_world *world, const cdg_solid *s, solid_load *one) {
    double mass = 0;
    one->share = malloc((one->node_count + 1) * sizeof *one->share);
    if (one->share == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another load");
    for (size_t i = 0; i < one->node_count; i++) mass += s->mass[one->nodes[i]];
    for (size_t i = 0; i < one->node_count; i++) one->share[i] = s->mass[one->nodes[i]] / mass;
    return CDG_OK;
}

static void free_load(solid_load *one) {
    free(one->nodes);
    free(one->share);
    free(one->faces);
}

cdg_solid_load_def cdg_solid_load_def_default(void) { return (cdg_solid_load_def){0}; }

static cdg_result make_load(cdg_world *world, const cdg_solid *s, const cdg_solid_load_def *def, solid_load *out) {
    *out = (solid_load){.def = *def};
    if (!vec3_is_finite(def->force) || !isfinite(def->pressure) || !isfinite(def->from) || isnan(def->to) ||
        !(def->ramp >= 0))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "a load on solid '%s' has a force, pressure or time that is not finite", s->name);
    cdg_result result = check_region(world, def->region);
    if (result == CDG_OK) result = find_nodes(world, s, def->region, &out->nodes, &out->node_count);
    if (result == CDG_OK) result = share_force(world, s, out);
    if (result == CDG_OK && def->pressure != 0) result = find_faces(world, s, def->region, out);
    out->def.region = NULL; // its nodes are known
    if (result != CDG_OK) free_load(out);
    return result;
}

cdg_result cdg_world_add_solid_load(cdg_world *world, const cdg_solid_load_def *def, cdg_solid_load_id *out) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    world_solid *entry = cdg_world_get_solid(world, def->solid);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid no longer exists");
    solid_load *loads = grow(entry->loads, entry->load_count, sizeof *loads);
    if (loads == NULL) return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for another load");
    entry->loads = loads;
    cdg_result result = reserve_ref(world, WORLD_SOLID_LOADS);
    if (result == CDG_OK) result = make_load(world, &entry->solid, def, &loads[entry->load_count]);
    if (result != CDG_OK) return result;
    cdg_handle handle = add_ref(world, WORLD_SOLID_LOADS, def->solid, entry->load_count++);
    if (out != NULL) *out = CDG_HANDLE_AS(cdg_solid_load_id, handle);
    return CDG_OK;
}

static solid_load *get_load(cdg_world *world, cdg_solid_load_id id, struct world_solid_ref *ref) {
    size_t index = WORLD_INDEX(world, WORLD_SOLID_LOADS, id);
    if (index == SIZE_MAX) {
        (void)cdg_fail(&world->error, CDG_ERROR_STALE, "the load no longer exists");
        return NULL;
    }
    *ref = world->solid_loads[index];
    return &world->solids[ref->solid]->loads[ref->number];
}

cdg_result cdg_solid_load_change(cdg_world *world, cdg_solid_load_id id, const cdg_solid_load_def *def) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    struct world_solid_ref ref;
    solid_load *load = get_load(world, id, &ref), changed;
    if (load == NULL) return CDG_ERROR_STALE;
    if (WORLD_INDEX(world, WORLD_SOLIDS, def->solid) != ref.solid)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "a load stays on its solid; remove it and add another one to load another solid");
    cdg_result result = make_load(world, &world->solids[ref.solid]->solid, def, &changed);
    if (result != CDG_OK) return result;
    free_load(load);
    *load = changed;
    return CDG_OK;
}

cdg_result cdg_world_remove_solid_load(cdg_world *world, cdg_solid_load_id id) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    struct world_solid_ref ref;
    solid_load *load = get_load(world, id, &ref);
    if (load == NULL) return CDG_ERROR_STALE;
    world_solid *solid = world->solids[ref.solid];
    free_load(load);
    solid->load_count--;
    memmove(load, load + 1, (solid->load_count - ref.number) * sizeof *load);
    remove_ref(world, WORLD_SOLID_LOADS, WORLD_INDEX(world, WORLD_SOLID_LOADS, id));
    return CDG_OK;
}

cdg_result cdg_solid_load_set(cdg_world *world, cdg_solid_load_id id, cdg_vec3 force, double pressure) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    struct world_solid_ref ref;
    solid_load *load = get_load(world, id, &ref);
    if (load == NULL) return CDG_ERROR_STALE;
    const char *name = world->solids[ref.solid]->solid.name;
    if (!vec3_is_finite(force) || !isfinite(pressure))
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "a load on solid '%s' has a force or pressure that is not finite", name);
    if (pressure != 0 && load->face_count == 0)
        return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                        "the load on solid '%s' was added without pressure and has no faces; add another one", name);
    load->def.force = force;
    load->def.pressure = pressure;
    return CDG_OK;
}

cdg_result cdg_solid_set_forces(cdg_world *world, cdg_solid_id solid, const cdg_vec3 *forces) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    cdg_error_clear(&world->error);
    world_solid *entry = cdg_world_get_solid(world, solid);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the solid does not exist");
    size_t count = entry->solid.node_count;
    for (size_t i = 0; forces != NULL && i < count; i++)
        if (!vec3_is_finite(forces[i]))
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "the force on node %zu of solid '%s' is not finite", i,
                            entry->solid.name);
    if (forces == NULL) {
        free(entry->own_force);
        entry->own_force = NULL;
        return CDG_OK;
    }
    if (entry->own_force == NULL) entry->own_force = malloc((count + 1) * sizeof *entry->own_force);
    if (entry->own_force == NULL)
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory for forces on solid '%s'", entry->solid.name);
    memcpy(entry->own_force, forces, count * sizeof *forces);
    return CDG_OK;
}

static void add_at(cdg_solid *s, size_t node, cdg_vec3 force) {
    s->force[0][node] += force.x, s->force[1][node] += force.y, s->force[2][node] += force.z;
}

static void pull(cdg_solid *s, const solid_load *load, double from, double to) {
    cdg_load_def times = {.from = load->def.from, .to = load->def.to, .ramp = load->def.ramp};
    double factor = cdg_load_mean_factor(&times, from, to);
    for (size_t i = 0; i < load->node_count; i++)
        add_at(s, load->nodes[i], vec3_scale(factor * load->share[i], load->def.force));
    for (size_t i = 0; i < load->face_count; i++) { // a third of pressure times area at each corner
        const uint32_t *c = s->surface[load->faces[i]];
        cdg_vec3 a = solid_vec3(s->x, c[0]), b = solid_vec3(s->x, c[1]), d = solid_vec3(s->x, c[2]);
        cdg_vec3 area = vec3_scale(0.5, vec3_cross(vec3_sub(b, a), vec3_sub(d, a)));
        for (int k = 0; k < 3; k++) add_at(s, c[k], vec3_scale(-factor * load->def.pressure / 3, area));
    }
}

bool cdg_solid_has_pressure(const world_solid *entry) {
    for (size_t i = 0; i < entry->load_count; i++)
        if (entry->loads[i].face_count > 0) return true;
    return false;
}

static bool is_acting(const cdg_solid_support_def *def, double time) {
    return !(def->release > 0 && time > def->release * (1 + 1e-12));
}

void cdg_solid_drive(world_solid *entry, double time, double step) {
    cdg_solid *s = &entry->solid;
    memset(s->is_held, 0, s->node_count * sizeof *s->is_held);
    s->held_count = 0;
    for (int k = 0; k < 3; k++) memset(s->force[k], 0, s->node_count * sizeof(double));
    for (size_t i = 0; i < entry->support_count; i++) {
        const cdg_solid_support_def *def = &entry->supports[i].def;
        if (is_acting(def, time))
            hold(s, &entry->supports[i], time);
        else if (is_acting(def, time - step))
            let_go(s);
    }
    for (size_t i = 0; i < entry->load_count; i++) pull(s, &entry->loads[i], time - step, time);
    for (size_t i = 0; entry->own_force != NULL && i < s->node_count; i++) add_at(s, i, entry->own_force[i]);
}

void cdg_solid_forcing_free(world_solid *entry) {
    for (size_t i = 0; i < entry->support_count; i++) free_support(&entry->supports[i]);
    for (size_t i = 0; i < entry->load_count; i++) free_load(&entry->loads[i]);
    free(entry->supports);
    free(entry->loads);
    free(entry->own_force);
}
