// Hands: grabbing, moving, pinning, letting go.
#include "view/hands.h"

#include "base/error.h"
#include "math/quat.h"
#include "output/json.h"
#include "view/shown.h"
#include "world/solid_grip.h"

#include <math.h>

static const double lead_rate = 60; // 1/s: a led thing follows like a critically damped spring
static const double lead_speed = 2; // m/s at most
enum { NUMBERS_OF_A_HAND = 12 };

static bool refuse(cdg_error *error, const char *text) {
    (void)cdg_fail(error, CDG_ERROR_ARGUMENT, "%s", text);
    return false;
}

// ---- grabbing -------------------------------------------------------------------------------------------------------

static bool grip(cdg_hand *hand, cdg_world *world, const cdg_request *request, cdg_error *error) {
    cdg_grip_def def = {.place = {.kind = CDG_PLACE_POINT}, .target = request->point};
    if (request->object == CDG_GRAB_ROD) {
        def.place = cdg_rod_along(cdg_world_rod_at(world, request->index), request->element, request->fraction);
        if (def.place.rod.index1 == 0) return refuse(error, "there is no such rod");
        // the very end of the last element
        const cdg_rod *rod = cdg_world_get_rod(world, def.place.rod);
        if (def.place.index == cdg_shown_count(rod).elements && def.place.fraction == 0)
            def.place.index--, def.place.fraction = 1;
        cdg_shown_find(rod, def.place.index, def.place.fraction, &def.place.index, &def.place.fraction);
    } else if (request->object == CDG_GRAB_BODY) {
        def.place.body = cdg_world_body_at(world, request->index);
        def.place.point = request->local;
        if (def.place.body.index1 == 0) return refuse(error, "there is no such body");
    } else {
        def.place.solid = cdg_world_solid_at(world, request->index);
        if (def.place.solid.index1 == 0) return refuse(error, "there is no such solid");
        def.place.point = hand->local =
            cdg_solid_rest_point(cdg_world_get_solid(world, def.place.solid), request->point);
    }
    if (cdg_world_add_grip(world, &def, &hand->grip) != CDG_OK) return refuse(error, cdg_world_message(world));
    if (request->object != CDG_GRAB_SOLID) return true;
    // nodes about the place are held: their middle is what stays behind the pointer
    cdg_vec3 middle;
    (void)cdg_grip_get(world, hand->grip, &middle, NULL);
    hand->offset = vec3_sub(request->point, middle);
    return cdg_grip_move(world, hand->grip, &middle) == CDG_OK;
}

static bool take_obstacle(cdg_hand *hand, const cdg_world *world, const cdg_request *request, cdg_error *error) {
    cdg_quat orientation;
    cdg_obstacle_id id = cdg_world_obstacle_at(world, request->index);
    if (id.index1 == 0) return refuse(error, "there is no such obstacle");
    hand->local = request->local;
    return cdg_obstacle_get_pose(world, id, &hand->position, &orientation) == CDG_OK;
}

static bool take_support(cdg_hand *hand, const cdg_world *world, const cdg_request *request, cdg_error *error) {
    cdg_quat frame;
    if (request->index >= world->support_count) return refuse(error, "there is no such support");
    const world_support *support = &world->supports[request->index];
    if (support->weld1 != 0) return refuse(error, "this is a weld; take its body");
    if (support->tie1 != 0) return refuse(error, "this is a tie to a solid; pull the rod");
    if (support->is_removed || support->is_released) return refuse(error, "this support has let go");
    cdg_support_pose(support, cdg_world_time(world), &hand->position, &frame);
    return true;
}

bool cdg_hands_grab(cdg_hands *hands, cdg_world *world, const cdg_request *request, cdg_error *error) {
    cdg_hands_release(hands, world, request->hand);
    cdg_hand hand = {.is_holding = true, .object = request->object, .index = request->index, .target = request->point};
    bool is_good = false;
    switch (request->object) {
    case CDG_GRAB_ROD:
    case CDG_GRAB_SOLID:
    case CDG_GRAB_BODY: is_good = grip(&hand, world, request, error); break;
    case CDG_GRAB_OBSTACLE: is_good = take_obstacle(&hand, world, request, error); break;
    case CDG_GRAB_SUPPORT: is_good = take_support(&hand, world, request, error); break;
    }
    bool is_led = request->object == CDG_GRAB_OBSTACLE || request->object == CDG_GRAB_SUPPORT;
    if (is_good && is_led && cdg_led_note(world, request->object == CDG_GRAB_OBSTACLE, request->index) != CDG_OK)
        is_good = refuse(error, cdg_world_message(world));
    if (is_good) hands->hands[request->hand] = hand;
    return is_good;
}

// ---- holding --------------------------------------------------------------------------------------------------------

static bool has_grip(const cdg_hand *hand) {
    return hand->object == CDG_GRAB_ROD || hand->object == CDG_GRAB_BODY || hand->object == CDG_GRAB_SOLID;
}

cdg_vec3 cdg_hand_aim(const cdg_hand *hand) { return vec3_sub(hand->target, hand->offset); }

bool cdg_hands_move(cdg_hands *hands, cdg_world *world, const cdg_request *request, cdg_error *error) {
    cdg_hand *hand = &hands->hands[request->hand];
    if (!hand->is_holding) return refuse(error, "this hand holds nothing");
    hand->target = request->point;
    if (!has_grip(hand)) return true;
    cdg_vec3 aim = cdg_hand_aim(hand);
    bool is_good = cdg_grip_move(world, hand->grip, &aim) == CDG_OK;
    hand->is_twisting = hand->object == CDG_GRAB_ROD && (hand->is_twisting || request->has_twist);
    if (hand->is_twisting) hand->twist = request->twist;
    if (is_good && hand->is_twisting) is_good = cdg_grip_twist(world, hand->grip, hand->twist) == CDG_OK;
    return is_good || refuse(error, cdg_world_message(world));
}

bool cdg_hands_pin(cdg_hands *hands, const cdg_request *request, cdg_error *error) {
    cdg_hand *hand = &hands->hands[request->hand];
    if (!hand->is_holding) return refuse(error, "this hand holds nothing");
    hand->is_pinned = !hand->is_pinned;
    return true;
}

void cdg_hands_release_all(cdg_hands *hands, cdg_world *world) {
    for (uint32_t i = 0; i < CDG_HANDS_MAX; i++) cdg_hands_release(hands, world, i);
}

bool cdg_hands_are_empty(const cdg_hands *hands) {
    for (size_t i = 0; i < CDG_HANDS_MAX; i++)
        if (hands->hands[i].is_holding) return false;
    return true;
}

// ---- leading --------------------------------------------------------------------------------------------------------

static cdg_support_id support_of(const cdg_hand *hand) { return (cdg_support_id){hand->index + 1, 1}; }

// Where the led thing's own point is to be when the hand's is at the target.
static cdg_vec3 goal_of(const cdg_hand *hand, const cdg_world *world) {
    cdg_vec3 position;
    cdg_quat orientation = quat_identity();
    if (hand->object == CDG_GRAB_OBSTACLE)
        (void)cdg_obstacle_get_pose(world, cdg_world_obstacle_at(world, hand->index), &position, &orientation);
    return vec3_sub(hand->target, quat_rotate(orientation, hand->local));
}

// One step of x'' = r^2 (goal - x) - 2 r x', solved at the step's end.
static void lead(cdg_hand *hand, cdg_vec3 goal, double step) {
    double a = lead_rate * step;
    cdg_vec3 pull = vec3_scale(lead_rate * a, vec3_sub(goal, hand->position));
    hand->velocity = vec3_scale(1 / (1 + 2 * a + a * a), vec3_add(hand->velocity, pull));
    double speed = vec3_norm(hand->velocity);
    if (speed > lead_speed) hand->velocity = vec3_scale(lead_speed / speed, hand->velocity);
    hand->position = vec3_mad(hand->position, step, hand->velocity);
}

static void put(const cdg_hand *hand, cdg_world *world) {
    if (hand->object == CDG_GRAB_SUPPORT)
        (void)cdg_support_set_pose(world, support_of(hand), &hand->position, NULL);
    else
        (void)cdg_obstacle_set_pose(world, cdg_world_obstacle_at(world, hand->index), &hand->position, NULL);
}

void cdg_hands_drive(cdg_hands *hands, cdg_world *world) {
    for (size_t i = 0; i < CDG_HANDS_MAX; i++) {
        cdg_hand *hand = &hands->hands[i];
        if (!hand->is_holding || has_grip(hand)) continue;
        lead(hand, goal_of(hand, world), cdg_world_step_size(world));
        put(hand, world);
    }
}

// Where a led thing is at the world's time.
static void find_led(cdg_hand *hand, const cdg_world *world) {
    cdg_quat orientation;
    if (hand->object == CDG_GRAB_SUPPORT)
        cdg_support_pose(&world->supports[hand->index], cdg_world_time(world), &hand->position, &orientation);
    else
        (void)cdg_obstacle_get_pose(world, cdg_world_obstacle_at(world, hand->index), &hand->position, &orientation);
    hand->velocity = vec3(0, 0, 0);
}

void cdg_hands_release(cdg_hands *hands, cdg_world *world, uint32_t index) {
    cdg_hand *hand = &hands->hands[index];
    if (hand->is_holding && has_grip(hand)) (void)cdg_world_remove_grip(world, hand->grip); // its rod may be gone
    if (hand->is_holding && !has_grip(hand)) { // it stays, as a lead that ends has it
        find_led(hand, world);
        put(hand, world);
    }
    *hand = (cdg_hand){0};
}

void cdg_hands_relax(cdg_hands *hands, cdg_world *world) {
    for (size_t i = 0; i < CDG_HANDS_MAX; i++) {
        cdg_hand *hand = &hands->hands[i];
        if (!hand->is_holding) continue;
        if (has_grip(hand)) {
            cdg_vec3 here;
            if (cdg_grip_get(world, hand->grip, &here, NULL) != CDG_OK) continue;
            (void)cdg_grip_move(world, hand->grip, &here);
            hand->target = vec3_add(here, hand->offset);
        } else {
            find_led(hand, world);
            cdg_vec3 offset = vec3_sub(hand->target, goal_of(hand, world));
            hand->target = vec3_add(hand->position, offset);
            put(hand, world);
        }
    }
}

// ---- telling --------------------------------------------------------------------------------------------------------

cdg_message *cdg_hands_grabbed(const cdg_request *request, bool is_good, const char *text) {
    static const char *const objects[] = {"rod", "body", "obstacle", "support", "solid"};
    cdg_json json = {0};
    cdg_json_begin_object(&json, NULL);
    cdg_json_text(&json, "type", "grabbed");
    cdg_json_integer(&json, "hand", request->hand);
    cdg_json_integer(&json, objects[request->object], request->index);
    if (request->object == CDG_GRAB_ROD) cdg_json_number(&json, "place", request->element + request->fraction);
    cdg_json_boolean(&json, "ok", is_good);
    cdg_json_text(&json, "message", is_good ? NULL : text);
    cdg_json_end(&json);
    const char *bytes = cdg_json_finish(&json);
    cdg_message *message = bytes != NULL ? cdg_message_create(bytes, json.size, false) : NULL;
    cdg_json_free(&json);
    return message;
}

static void measure(const cdg_hand *hand, const cdg_world *world, cdg_vec3 *point, cdg_vec3 *force) {
    cdg_vec3 moment;
    *point = hand->target;
    *force = vec3(0, 0, 0);
    if (has_grip(hand)) {
        (void)cdg_grip_get(world, hand->grip, point, force);
        *point = vec3_add(*point, hand->offset);
    } else if (hand->object == CDG_GRAB_SUPPORT) {
        *point = hand->position;
        (void)cdg_support_reaction(world, support_of(hand), force, &moment);
    } else {
        *point = vec3_add(hand->position, vec3_sub(hand->target, goal_of(hand, world)));
    }
}

void cdg_hands_draw(const cdg_hands *hands, const cdg_world *world, cdg_picture_draft *draft) {
    size_t count = 0;
    for (size_t i = 0; i < CDG_HANDS_MAX; i++) count += hands->hands[i].is_holding;
    float *to = count > 0 ? cdg_draft_block(draft, CDG_BLOCK_HANDS, NUMBERS_OF_A_HAND * count) : NULL;
    for (size_t i = 0; to != NULL && i < CDG_HANDS_MAX; i++) {
        const cdg_hand *hand = &hands->hands[i];
        cdg_vec3 point, force;
        if (!hand->is_holding) continue;
        measure(hand, world, &point, &force);
        *to++ = (float)i;
        *to++ = (float)hand->object;
        to = cdg_put_vec3(cdg_put_vec3(cdg_put_vec3(to, point), hand->target), force);
        *to++ = hand->is_pinned ? 1 : 0;
    }
}
