// Bodies and obstacles as the collider takes them; and impulses between them where contact is off: by ODE's solver, in
// turn with welds.
#include "world/world_bodies.h"

void cdg_bodies_place_items(const cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    double friction = world->contact_def.friction, restitution = world->contact_def.restitution;
    for (size_t i = 0; i < work->item_count; i++) {
        cdg_collider_item *item = &work->items[i];
        if (i >= world->body_count) {
            const cdg_obstacle *o = &world->obstacles[i - world->body_count];
            cdg_pose from = cdg_obstacle_pose(o, work->time - work->step), to = cdg_obstacle_pose(o, work->time);
            cdg_quat turn = quat_multiply(to.orientation, quat_conjugate(from.orientation));
            *item = (cdg_collider_item){
                .position = from.position,
                .orientation = from.orientation,
                .center = from.position,
                .velocity = vec3_scale(1 / work->step, vec3_sub(to.position, from.position)),
                .angular_velocity = vec3_scale(1 / work->step, quat_log(turn)),
                .friction = o->def.friction < 0 ? friction : o->def.friction,
                .restitution = restitution,
            };
            continue;
        }
        const cdg_body *b = &world->bodies[i];
        *item = (cdg_collider_item){
            .position = cdg_body_origin(b, &b->now),
            .orientation = b->now.q,
            .center = b->now.x,
            .mass = b->def.is_fixed ? 0 : b->mass.mass,
            .inertia = cdg_body_world_inertia(b, b->now.q),
            .friction = b->def.friction < 0 ? friction : b->def.friction,
            .restitution = b->def.restitution < 0 ? restitution : b->def.restitution,
            .is_ghost = b->def.is_ghost,
        };
        if (!b->def.is_fixed) continue;
        const cdg_body_now *end = &work->bodies[i].trial;
        cdg_quat turn = quat_multiply(end->q, quat_conjugate(b->now.q));
        item->velocity = vec3_scale(1 / work->step, vec3_sub(end->x, b->now.x));
        item->angular_velocity = vec3_scale(1 / work->step, quat_log(turn));
    }
}

cdg_result cdg_bodies_touch(cdg_world *world, bool is_guess, double *change) {
    struct world_bodies *work = world->bodies_work;
    for (size_t i = 0; i < world->body_count; i++) {
        const cdg_body *b = &world->bodies[i];
        if (b->def.is_fixed) continue;
        cdg_vec3 impulse, turn;
        cdg_bodies_collect(world, work, i, is_guess, &impulse, &turn);
        work->items[i].velocity = vec3_mad(b->now.v, 1 / b->mass.mass, impulse);
        work->items[i].angular_velocity = cdg_body_angular_velocity(b, b->now.q, vec3_add(b->now.spin, turn));
    }
    // What gravity alone makes of a resting body in a step is no blow.
    double slow = 2 * vec3_norm(world->def.gravity) * work->step;
    cdg_result result = cdg_collider_solve(work->collider, work->step, slow, work->items, &world->error);
    if (result != CDG_OK) return result;
    double largest = 0, most = 0;
    for (size_t i = 0; i < world->body_count; i++) {
        body_work *b = &work->bodies[i];
        if (b->number != SIZE_MAX) most = fmax(most, vec3_distance(b->contact_impulse, work->items[i].impulse));
        largest = fmax(largest, vec3_norm(work->items[i].impulse));
        b->contact_impulse = work->items[i].impulse;
        b->contact_turn = work->items[i].turn_impulse;
    }
    *change = largest > 0 ? most / largest : 0;
    return CDG_OK;
}

cdg_result cdg_bodies_find_touches(cdg_world *world, struct world_bodies *work) {
    double change;
    work->touch_count = 0;
    if (work->collider == NULL) return CDG_OK;
    bool has_contact = world_has_contact(world), is_known = world->contacts.is_known_free;
    if (has_contact && is_known) return CDG_OK; // contact finds them and solves for them, with all that rods do
    cdg_bodies_place_items(world);
    cdg_result result = is_known ? CDG_OK : cdg_bodies_check_apart(world);
    if (result != CDG_OK || has_contact) return result;
    world->contacts.is_known_free = true;
    result = cdg_collider_find(work->collider, work->items, &work->touch_count, &world->error);
    if (result == CDG_OK && work->touch_count > 0) result = cdg_bodies_touch(world, true, &change);
    return result;
}
