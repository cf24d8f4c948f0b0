// Who is on the stage, gathered from a world or a run.
#include "view/cast.h"

#include "base/error.h"
#include "fields/color_map.h"
#include "geometry/shape_surface.h"
#include "math/quat.h"
#include "output/run_rigids.h"
#include "view/shown.h"
#include "world/solid_object.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static cdg_result no_memory(cdg_error *error) { return cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene"); }

void cdg_section_halves(const cdg_section *section, double *half1, double *half2) {
    switch (section->kind) {
    case CDG_SECTION_ELLIPSE: *half1 = section->semi_axis[0], *half2 = section->semi_axis[1]; return;
    case CDG_SECTION_RECTANGLE: *half1 = section->side[0] / 2, *half2 = section->side[1] / 2; return;
    case CDG_SECTION_CIRCLE:
    case CDG_SECTION_TUBE:
    case CDG_SECTION_KIND_COUNT: break;
    }
    *half1 = *half2 = section->radius;
}

// ---- bounds ---------------------------------------------------------------------------------------------------------

static bool is_empty(const cdg_cast *cast) {
    return cast->low.x == 0 && cast->low.y == 0 && cast->low.z == 0 && cast->high.x == 0 && cast->high.y == 0 &&
           cast->high.z == 0;
}

void cdg_cast_include(cdg_cast *cast, cdg_vec3 p) {
    if (!vec3_is_finite(p)) return;
    if (is_empty(cast)) cast->low = cast->high = p;
    cast->low = vec3(fmin(cast->low.x, p.x), fmin(cast->low.y, p.y), fmin(cast->low.z, p.z));
    cast->high = vec3(fmax(cast->high.x, p.x), fmax(cast->high.y, p.y), fmax(cast->high.z, p.z));
}

double cdg_cast_reach(const cdg_cast *cast) {
    cdg_vec3 size = vec3_sub(cast->high, cast->low);
    double reach = fmax(size.x, fmax(size.y, size.z)) / 2;
    return reach > 0 ? reach : 1;
}

static void include_rigid(cdg_cast *cast, const cdg_cast_rigid *rigid) {
    cdg_vec3 corners[8];
    if (rigid->shape.kind == CDG_SHAPE_PLANE) return;
    cdg_shape_surface_corners(&rigid->shape, corners);
    for (int i = 0; i < 8; i++)
        cdg_cast_include(cast, vec3_add(rigid->position, quat_rotate(rigid->orientation, corners[i])));
}

// ---- growing --------------------------------------------------------------------------------------------------------

static cdg_cast_rod *add_rods(cdg_cast *cast, size_t count) {
    cdg_cast_rod *grown = realloc(cast->rods, (cast->rod_count + count + 1) * sizeof *grown);
    if (grown == NULL) return NULL;
    cast->rods = grown;
    memset(grown + cast->rod_count, 0, count * sizeof *grown);
    cast->rod_count += count;
    return grown + cast->rod_count - count;
}

static cdg_cast_rigid *add_rigids(cdg_cast_rigid **list, size_t *list_count, size_t count) {
    cdg_cast_rigid *grown = realloc(*list, (*list_count + count + 1) * sizeof *grown);
    if (grown == NULL) return NULL;
    *list = grown;
    memset(grown + *list_count, 0, count * sizeof *grown);
    *list_count += count;
    return grown + *list_count - count;
}

static bool name_rigid(cdg_cast_rigid *rigid, const char *name) {
    rigid->name = strdup(name != NULL ? name : "");
    return rigid->name != NULL;
}

static bool set_rod(cdg_cast *cast, cdg_cast_rod *rod, const char *name, size_t nodes, size_t elements) {
    rod->node_count = nodes;
    rod->element_count = elements;
    rod->name = strdup(name != NULL ? name : "");
    rod->sections = malloc(nodes * sizeof *rod->sections);
    cast->node_count += nodes;
    cast->element_count += elements;
    return rod->name != NULL && rod->sections != NULL;
}

// ---- a world --------------------------------------------------------------------------------------------------------

static bool add_world_rods(cdg_cast *cast, const cdg_world *world) {
    size_t count = cdg_world_rod_count(world);
    cdg_cast_rod *rods = add_rods(cast, count);
    if (rods == NULL) return false;
    for (size_t i = 0; i < count; i++) {
        cdg_rod_id id = cdg_world_rod_at(world, i);
        cdg_rod_info info;
        if (cdg_rod_get_info(world, id, &info) != CDG_OK) return false;
        const cdg_rod *rod = cdg_world_get_rod(world, id);
        cdg_shown_counts shown = cdg_shown_count(rod);
        if (!set_rod(cast, &rods[i], info.name, shown.nodes, shown.elements)) return false;
        rods[i].is_closed = info.is_closed;
        cdg_shown_sections(rod, rods[i].sections);
        for (size_t k = 0; k < rod->node_count; k++) cdg_cast_include(cast, rod_vec3(rod->x, k));
    }
    return true;
}

static bool add_world_rigids(cdg_cast *cast, const cdg_world *world) {
    size_t bodies = cdg_world_body_count(world), obstacles = cdg_world_obstacle_count(world);
    cdg_cast_rigid *rigid = add_rigids(&cast->bodies, &cast->body_count, bodies);
    for (size_t i = 0; rigid != NULL && i < bodies; i++) {
        cdg_body_info info;
        cdg_body_state state;
        cdg_body_id id = cdg_world_body_at(world, i);
        if (cdg_body_get_info(world, id, &info) != CDG_OK || cdg_body_get_state(world, id, &state) != CDG_OK)
            return false;
        rigid[i] = (cdg_cast_rigid){.shape = info.shape,
                                    .position = state.position,
                                    .orientation = state.orientation,
                                    .is_free = !info.is_fixed};
        if (!name_rigid(&rigid[i], info.name)) return false;
        include_rigid(cast, &rigid[i]);
    }
    if (rigid == NULL) return false;
    rigid = add_rigids(&cast->obstacles, &cast->obstacle_count, obstacles);
    for (size_t i = 0; rigid != NULL && i < obstacles; i++) {
        cdg_obstacle_id id = cdg_world_obstacle_at(world, i);
        cdg_obstacle_info info;
        if (cdg_obstacle_get_info(world, id, &info) != CDG_OK ||
            cdg_obstacle_get_pose(world, id, &rigid[i].position, &rigid[i].orientation) != CDG_OK)
            return false;
        rigid[i].shape = info.shape;
        if (!name_rigid(&rigid[i], info.name)) return false;
        include_rigid(cast, &rigid[i]);
    }
    return rigid != NULL;
}

static bool add_world_supports(cdg_cast *cast, const cdg_world *world) {
    cast->supports = calloc(world->support_count + 1, sizeof *cast->supports);
    if (cast->supports == NULL) return false;
    cast->support_count = world->support_count;
    for (size_t i = 0; i < world->support_count; i++) {
        const world_support *support = &world->supports[i];
        const cdg_rod *rod = world->rods[support->rod_index].rod;
        bool is_held = support->weld1 == 0 && support->tie1 == 0 && !support->is_removed && !support->is_released;
        cast->supports[i] = (cdg_cast_support){
            support->rod_index, rod != NULL ? cdg_shown_node(rod, support->def.place.index) : 0, is_held};
    }
    return true;
}

bool cdg_cast_add_fiber(cdg_cast *cast, const char *name, size_t node_count, double radius, size_t strands) {
    cdg_cast_rod *rod = add_rods(cast, 1);
    if (rod == NULL || !set_rod(cast, rod, name, node_count, node_count - 1)) return false;
    rod->strands = strands;
    for (size_t i = 0; i < node_count; i++)
        rod->sections[i] = (cdg_section){.kind = CDG_SECTION_CIRCLE, .radius = radius};
    return true;
}

// ---- solids ---------------------------------------------------------------------------------------------------------

static cdg_cast_solid *add_solid(cdg_cast *cast) {
    cdg_cast_solid *grown = realloc(cast->solids, (cast->solid_count + 1) * sizeof *grown);
    if (grown == NULL) return NULL;
    cast->solids = grown;
    grown[cast->solid_count] = (cdg_cast_solid){0};
    return &grown[cast->solid_count++];
}

static bool add_world_solids(cdg_cast *cast, const cdg_world *world) {
    for (size_t i = 0; i < world->solid_count; i++) {
        const cdg_solid *solid = &world->solids[i]->solid;
        cdg_cast_solid *out = add_solid(cast);
        if (out == NULL || !cdg_cast_solid_make(out, solid->name, solid->node_count,
                                                (const uint32_t(*)[3])solid->surface, solid->surface_count))
            return false;
        for (size_t k = 0; k < out->point_count; k++)
            cdg_cast_include(cast,
                             vec3(solid->x[0][out->nodes[k]], solid->x[1][out->nodes[k]], solid->x[2][out->nodes[k]]));
    }
    return true;
}

cdg_result cdg_cast_add_world(cdg_cast *cast, const cdg_world *world, cdg_error *error) {
    cast->gravity = world->def.gravity;
    bool is_done = add_world_rods(cast, world) && add_world_rigids(cast, world) && add_world_supports(cast, world) &&
                   add_world_solids(cast, world);
    return is_done ? CDG_OK : no_memory(error);
}

void cdg_cast_dress(cdg_cast *cast, const cdg_scene *scene) {
    size_t plain_count = 0, plain = 0;
    for (size_t i = 0; i < cast->rod_count; i++) plain_count += cast->rods[i].strands == 0;
    for (size_t i = 0; i < cast->rod_count; i++) {
        cdg_cast_rod *rod = &cast->rods[i];
        rod->look.color = rod->strands > 0 ? cdg_hair_color(rod->strands - 1, i) : cdg_rod_color(plain++, plain_count);
        cdg_look_lay_over(scene, rod->name, &rod->look);
    }
    for (size_t i = 0; i < cast->body_count + cast->obstacle_count; i++) {
        cdg_cast_rigid *rigid = i < cast->body_count ? &cast->bodies[i] : &cast->obstacles[i - cast->body_count];
        rigid->look.color = cdg_rigid_color(rigid->is_free);
        cdg_look_lay_over(scene, rigid->name, &rigid->look);
    }
    for (size_t i = 0; i < cast->solid_count; i++) {
        cast->solids[i].look.color = cdg_solid_color(i, cast->solid_count, plain_count);
        cdg_look_lay_over(scene, cast->solids[i].name, &cast->solids[i].look);
    }
}

// ---- a run ----------------------------------------------------------------------------------------------------------

enum { LOOKS = 8 }; // outputs that the bounds are taken from

static cdg_result include_run(cdg_cast *cast, const cdg_run_reader *reader, cdg_error *error) {
    size_t most = 1;
    for (size_t i = 0; i < reader->rod_count; i++)
        most = most < reader->rods[i].node_count ? reader->rods[i].node_count : most;
    cdg_vec3 *positions = malloc(most * sizeof *positions);
    if (positions == NULL) return no_memory(error);
    cdg_result result = CDG_OK;
    for (size_t k = 0; k < LOOKS && result == CDG_OK; k++) {
        size_t frame = (reader->frame_count - 1) * k / (LOOKS - 1);
        for (size_t i = 0; i < reader->rod_count && result == CDG_OK; i++) {
            result = cdg_run_reader_read(reader, frame, i, CDG_FIELD_positions, (double *)positions, error);
            for (size_t n = 0; result == CDG_OK && n < reader->rods[i].node_count; n++)
                cdg_cast_include(cast, positions[n]);
        }
    }
    free(positions);
    return result;
}

static cdg_result add_run_rods(cdg_cast *cast, const cdg_run_reader *reader, int run, cdg_error *error) {
    cdg_cast_rod *rods = add_rods(cast, reader->rod_count);
    if (rods == NULL) return no_memory(error);
    for (size_t i = 0; i < reader->rod_count; i++) {
        const cdg_run_rod *from = &reader->rods[i];
        if (!set_rod(cast, &rods[i], from->name, from->node_count, from->element_count)) return no_memory(error);
        rods[i].is_closed = from->is_closed;
        rods[i].run = run;
        rods[i].strands = from->strands;
        memcpy(rods[i].sections, from->sections, from->node_count * sizeof *from->sections);
    }
    return CDG_OK;
}

static cdg_result add_run_rigids(cdg_cast *cast, const cdg_run_reader *reader, cdg_error *error) {
    cdg_cast_rigid *obstacle = add_rigids(&cast->obstacles, &cast->obstacle_count, reader->obstacle_count);
    cdg_cast_rigid *body = add_rigids(&cast->bodies, &cast->body_count, reader->body_count);
    if (obstacle == NULL || body == NULL) return no_memory(error);
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++) {
        cdg_cast_rigid *rigid = i < reader->obstacle_count ? &obstacle[i] : &body[i - reader->obstacle_count];
        cdg_run_rigid found = cdg_run_rigid_get(reader, i);
        rigid->shape = found.shape;
        cdg_result result = cdg_run_rigid_pose(reader, 0, i, &rigid->position, &rigid->orientation, error);
        if (!name_rigid(rigid, found.name)) return no_memory(error);
        if (result != CDG_OK) return result;
        include_rigid(cast, rigid);
    }
    return CDG_OK;
}

static cdg_result include_solid(cdg_cast *cast, const cdg_run_reader *reader, size_t index, cdg_error *error) {
    size_t count = reader->solids[index].node_count;
    cdg_vec3 *positions = malloc((count + 1) * sizeof *positions);
    cdg_result result = positions != NULL ? CDG_OK : no_memory(error);
    for (size_t k = 0; k < LOOKS && result == CDG_OK; k++) {
        size_t frame = (reader->frame_count - 1) * k / (LOOKS - 1);
        result = cdg_run_reader_solid(reader, frame, index, CDG_SOLID_FIELD_positions, &positions->x, error);
        for (size_t i = 0; i < count && result == CDG_OK; i++) cdg_cast_include(cast, positions[i]);
    }
    free(positions);
    return result;
}

static cdg_result add_run_solids(cdg_cast *cast, const cdg_run_reader *reader, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < reader->solid_count && result == CDG_OK; i++) {
        const cdg_run_solid_entry *from = &reader->solids[i];
        cdg_cast_solid *out = add_solid(cast);
        if (out == NULL || !cdg_cast_solid_make(out, from->name, from->node_count, from->surface, from->surface_count))
            return no_memory(error);
        result = include_solid(cast, reader, i, error);
    }
    return result;
}

// What was added last is this run's.
static cdg_result dress_run(const cdg_cast *cast, const cdg_run_reader *reader, cdg_error *error) {
    cdg_run_looks looks;
    cdg_result result = cdg_run_looks_make(reader, &looks, error);
    if (result != CDG_OK) return result;
    size_t obstacles = reader->obstacle_count, rod = cast->rod_count - reader->rod_count;
    size_t solid = cast->solid_count - reader->solid_count, body = cast->body_count - reader->body_count;
    size_t obstacle = cast->obstacle_count - obstacles;
    for (size_t i = 0; i < reader->rod_count; i++) cast->rods[rod + i].look = looks.rods[i];
    for (size_t i = 0; i < obstacles; i++) cast->obstacles[obstacle + i].look = looks.rigids[i];
    for (size_t i = 0; i < reader->body_count; i++) cast->bodies[body + i].look = looks.rigids[obstacles + i];
    for (size_t i = 0; i < reader->solid_count; i++) cast->solids[solid + i].look = looks.solids[i];
    cdg_run_looks_free(&looks);
    return CDG_OK;
}

cdg_result cdg_cast_add_run(cdg_cast *cast, const cdg_run_reader *reader, int run, cdg_error *error) {
    cdg_result result = add_run_rods(cast, reader, run, error);
    if (result == CDG_OK) result = add_run_rigids(cast, reader, error);
    if (result == CDG_OK) result = add_run_solids(cast, reader, error);
    if (result == CDG_OK) result = dress_run(cast, reader, error);
    if (result == CDG_OK) result = include_run(cast, reader, error);
    return result;
}

void cdg_cast_free(cdg_cast *cast) {
    for (size_t i = 0; i < cast->rod_count; i++) {
        free(cast->rods[i].name);
        free(cast->rods[i].sections);
    }
    for (size_t i = 0; i < cast->body_count; i++) free(cast->bodies[i].name);
    for (size_t i = 0; i < cast->obstacle_count; i++) free(cast->obstacles[i].name);
    for (size_t i = 0; i < cast->solid_count; i++) cdg_cast_solid_free(&cast->solids[i]);
    free(cast->solids);
    free(cast->rods);
    free(cast->bodies);
    free(cast->obstacles);
    free(cast->supports);
    *cast = (cdg_cast){0};
}
