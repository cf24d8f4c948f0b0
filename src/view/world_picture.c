// Pictures of a world: positions, frames, colours, contacts, poses, surfaces.
#include "view/world_picture.h"

#include "base/error.h"
#include "view/picture_message.h"
#include "view/shown.h"
#include "world/solid_object.h"

#include <math.h>
#include <stdlib.h>

static const cdg_rod *rod_at(const cdg_world *world, size_t i) {
    return cdg_world_get_rod(world, cdg_world_rod_at(world, i));
}

// ---- beginning ------------------------------------------------------------------------------------------------------

cdg_result cdg_world_picture_make(cdg_world_picture *picture, const cdg_scene *scene, const cdg_world *world,
                                  cdg_error *error) {
    cdg_world_picture next = *picture;
    size_t most = 1;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        size_t nodes = cdg_shown_count(rod_at(world, i)).nodes;
        most = most < nodes ? nodes : most;
    }
    next.cast = (cdg_cast){0};
    next.fibers = NULL;
    next.numbers = malloc(CDG_FIELD_COMPONENTS_MAX * most * sizeof *next.numbers);
    cdg_result result = next.numbers != NULL ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene");
    if (result == CDG_OK) result = cdg_cast_add_world(&next.cast, world, error);
    if (result == CDG_OK) result = cdg_live_fibers_create(scene, world, &next.fibers, error);
    if (result == CDG_OK && !cdg_live_fibers_cast(next.fibers, &next.cast))
        result = cdg_fail(error, CDG_ERROR_MEMORY, "no memory to show a scene");
    if (result == CDG_OK) cdg_cast_dress(&next.cast, scene);
    cdg_world_picture *gone = result == CDG_OK ? picture : &next;
    cdg_cast_free(&gone->cast);
    cdg_live_fibers_destroy(gone->fibers);
    free(gone->numbers);
    if (result == CDG_OK) *picture = next;
    return result;
}

void cdg_world_picture_free(cdg_world_picture *picture) {
    cdg_cast_free(&picture->cast);
    cdg_live_fibers_destroy(picture->fibers);
    free(picture->numbers);
    free(picture->contacts);
    *picture = (cdg_world_picture){0};
}

cdg_message *cdg_world_picture_announce(const cdg_world_picture *picture, uint32_t epoch) {
    return cdg_cast_message(&picture->cast, epoch);
}

uint32_t cdg_world_picture_rod(const cdg_world_picture *picture, uint32_t rod) {
    return cdg_live_fibers_guide(picture->fibers, rod);
}

// ---- drawing --------------------------------------------------------------------------------------------------------

// Numbers of a rod as single ones; without memory there is no picture.
static float *draw_field(const cdg_world_picture *picture, cdg_picture_draft *draft, const cdg_rod *rod,
                         cdg_field field, float *to) {
    cdg_field_info info = cdg_field_get(field);
    cdg_shown_counts shown = cdg_shown_count(rod);
    size_t count = cdg_field_entries(&info, shown.nodes, shown.elements) * info.component_count;
    if (cdg_shown_measure(rod, field, picture->numbers, NULL) != CDG_OK) return draft->has_failed = true, NULL;
    for (size_t i = 0; i < count; i++) *to++ = (float)picture->numbers[i];
    return to;
}

static void draw_rods(cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft) {
    size_t count = cdg_world_rod_count(world), elements = 0;
    float *to = cdg_draft_block(draft, CDG_BLOCK_POSITIONS, 3 * picture->cast.node_count);
    for (size_t i = 0; to != NULL && i < count; i++)
        to = draw_field(picture, draft, rod_at(world, i), CDG_FIELD_positions, to);
    if (to != NULL) (void)cdg_live_fibers_place(picture->fibers, world, to);
    for (size_t i = 0; i < count; i++) elements += cdg_shown_count(rod_at(world, i)).elements;
    to = cdg_draft_block(draft, CDG_BLOCK_FRAMES, 4 * elements); // of the world's rods alone
    for (size_t i = 0; to != NULL && i < count; i++)
        to = draw_field(picture, draft, rod_at(world, i), CDG_FIELD_frames, to);
}

static void draw_colors(const cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft) {
    const cdg_colors *colors = &picture->colors;
    double low = INFINITY, high = -INFINITY;
    if (!colors->is_set) return;
    float *values = cdg_draft_block(draft, CDG_BLOCK_VALUES, picture->cast.node_count), *to = values;
    for (size_t i = 0; to != NULL && i < cdg_world_rod_count(world); i++) {
        const cdg_rod *rod = rod_at(world, i);
        cdg_shown_counts shown = cdg_shown_count(rod);
        if (cdg_shown_measure(rod, colors->view.field, picture->numbers, NULL) != CDG_OK) {
            draft->has_failed = true;
            return;
        }
        cdg_colors_put(colors, picture->numbers, shown.nodes, shown.elements, rod->is_closed, to, &low, &high);
        to += shown.nodes;
    }
    if (to != NULL) (void)cdg_live_fibers_color(picture->fibers, values, to);
    cdg_colors_put_range(draft, low, high);
}

static void draw_rigids(const cdg_world *world, cdg_picture_draft *draft) {
    size_t bodies = cdg_world_body_count(world), obstacles = cdg_world_obstacle_count(world);
    float *to = bodies > 0 ? cdg_draft_block(draft, CDG_BLOCK_BODIES, 7 * bodies) : NULL;
    for (size_t i = 0; to != NULL && i < bodies; i++) {
        cdg_body_state state;
        if (cdg_body_get_state(world, cdg_world_body_at(world, i), &state) != CDG_OK) return;
        to = cdg_put_pose(to, state.position, state.orientation);
    }
    to = obstacles > 0 ? cdg_draft_block(draft, CDG_BLOCK_OBSTACLES, 7 * obstacles) : NULL;
    for (size_t i = 0; to != NULL && i < obstacles; i++) {
        cdg_vec3 position;
        cdg_quat orientation;
        (void)cdg_obstacle_get_pose(world, cdg_world_obstacle_at(world, i), &position, &orientation);
        to = cdg_put_pose(to, position, orientation);
    }
}

static void draw_solids(const cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft) {
    const cdg_cast *cast = &picture->cast;
    size_t count = 0;
    for (size_t i = 0; i < cast->solid_count; i++) count += cast->solids[i].point_count;
    float *to = count > 0 ? cdg_draft_block(draft, CDG_BLOCK_SOLIDS, 3 * count) : NULL;
    for (size_t i = 0; to != NULL && i < cast->solid_count; i++) {
        const cdg_solid *solid = &world->solids[i]->solid;
        for (size_t k = 0; k < cast->solids[i].point_count; k++) {
            uint32_t node = cast->solids[i].nodes[k];
            to = cdg_put_vec3(to, (cdg_vec3){solid->x[0][node], solid->x[1][node], solid->x[2][node]});
        }
    }
}

static bool fetch_contacts(cdg_world_picture *picture, const cdg_world *world, size_t *count) {
    *count = cdg_world_contact_count(world);
    if (*count > picture->contact_capacity) {
        cdg_contact_info *grown = realloc(picture->contacts, 2 * *count * sizeof *grown);
        if (grown == NULL) return false;
        picture->contacts = grown;
        picture->contact_capacity = 2 * *count;
    }
    return cdg_world_contacts(world, picture->contacts, *count, NULL) == CDG_OK;
}

static void draw_contacts(cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft) {
    size_t count;
    if (!picture->has_arrows || !fetch_contacts(picture, world, &count)) return;
    float *to = cdg_draft_block(draft, CDG_BLOCK_CONTACTS, 8 * count);
    for (size_t i = 0; to != NULL && i < count; i++) {
        const cdg_contact_info *contact = &picture->contacts[i];
        to = cdg_put_vec3(cdg_put_vec3(to, contact->point), contact->force);
        *to++ = (float)-contact->gap;
        bool is_of_solid = contact->other_solid.index1 != 0;
        *to++ = contact->obstacle.index1 != 0 ? 1 : contact->body.index1 != 0 ? 2 : is_of_solid ? 3 : 0;
    }
}

void cdg_world_picture_draw(cdg_world_picture *picture, const cdg_world *world, cdg_picture_draft *draft) {
    draw_rods(picture, world, draft);
    draw_colors(picture, world, draft);
    draw_contacts(picture, world, draft);
    draw_rigids(world, draft);
    draw_solids(picture, world, draft);
}
