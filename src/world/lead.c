// Leads: supports and obstacles that are taken along a path, as a hand would. Nothing of a lead changes while it acts:
// which key counts follows from the time, so only poses are state.
#include "base/error.h"
#include "geometry/motion.h"
#include "math/vec3.h"
#include "world/world.h"

#include <cordage/control.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { AIMED = 2 }; // motions of a thing that is driven (world_change.c): a move and a turn

// ---- what is led ----------------------------------------------------------------------------------------------------

typedef struct thing {
    cdg_vec3 *position;
    cdg_quat *orientation;
    const cdg_motion **motions;
    size_t *motion_count;
} thing;

static thing thing_of(const cdg_world *world, const world_led *led) {
    if (led->is_obstacle) {
        cdg_obstacle_def *def = &world->obstacles[led->index].def;
        return (thing){&def->shape.position, &def->shape.orientation, &def->motions, &def->motion_count};
    }
    world_support *support = &world->supports[led->index];
    return (thing){&support->position, &support->frame, &support->def.motions, &support->def.motion_count};
}

static size_t find_led(const cdg_world *world, bool is_obstacle, uint32_t index) {
    size_t i = 0;
    while (i < world->led_count && (world->led[i].is_obstacle != is_obstacle || world->led[i].index != index)) i++;
    return i;
}

cdg_result cdg_led_note(cdg_world *world, bool is_obstacle, uint32_t index) {
    if (find_led(world, is_obstacle, index) < world->led_count) return CDG_OK;
    world_led led = {.is_obstacle = is_obstacle, .index = index};
    thing now = thing_of(world, &led);
    led.position = *now.position;
    led.orientation = *now.orientation;
    led.motion_count = *now.motion_count;
    led.motions = malloc((led.motion_count + 1) * sizeof *led.motions);
    world_led *grown = realloc(world->led, (world->led_count + 1) * sizeof *grown);
    if (grown != NULL) world->led = grown;
    if (grown == NULL || led.motions == NULL) {
        free(led.motions);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to lead something");
    }
    if (led.motion_count > 0) memcpy(led.motions, *now.motions, led.motion_count * sizeof *led.motions);
    world->led[world->led_count++] = led;
    world->scratch_size = 0; // snapshots are longer
    return CDG_OK;
}

static bool is_as_before(const world_led *led, const thing *now) {
    return *now->motion_count == led->motion_count &&
           (led->motion_count == 0 ||
            memcmp(*now->motions, led->motions, led->motion_count * sizeof *led->motions) == 0) &&
           now->position->x == led->position.x && now->position->y == led->position.y &&
           now->position->z == led->position.z && now->orientation->w == led->orientation.w &&
           now->orientation->x == led->orientation.x && now->orientation->y == led->orientation.y &&
           now->orientation->z == led->orientation.z;
}

bool cdg_led_get(const cdg_world *world, size_t index, double out[CDG_LED_NUMBERS]) {
    const world_led *led = &world->led[index];
    thing now = thing_of(world, led);
    memset(out, 0, CDG_LED_NUMBERS * sizeof *out);
    if (is_as_before(led, &now) || *now.motion_count != AIMED) return false;
    const cdg_motion *move = &(*now.motions)[0], *turn = &(*now.motions)[1];
    const double numbers[CDG_LED_NUMBERS] = {
        now.position->x,    now.position->y,    now.position->z,    now.orientation->w,
        now.orientation->x, now.orientation->y, now.orientation->z, move->move.x,
        move->move.y,       move->move.z,       turn->axis.x,       turn->axis.y,
        turn->axis.z,       turn->angle,        move->from,         move->to};
    memcpy(out, numbers, sizeof numbers);
    return true;
}

// Motions are replaced by ones of the same number where that is so already; else the block is made anew.
static void set_motions(cdg_world *world, const thing *now, const cdg_motion *motions, size_t count) {
    cdg_motion *block = (cdg_motion *)(uintptr_t)*now->motions;
    if (*now->motion_count != count) {
        block = count > 0 ? malloc(count * sizeof *block) : NULL;
        if (block == NULL && count > 0) return; // it stays where it is
        free((void *)(uintptr_t)*now->motions);
    }
    if (count > 0) memcpy(block, motions, count * sizeof *block);
    world->motion_count += count - *now->motion_count;
    *now->motions = block;
    *now->motion_count = count;
}

void cdg_led_set(cdg_world *world, size_t index, bool is_led, const double in[CDG_LED_NUMBERS]) {
    const world_led *led = &world->led[index];
    thing now = thing_of(world, led);
    if (!is_led) {
        *now.position = led->position;
        *now.orientation = led->orientation;
        set_motions(world, &now, led->motions, led->motion_count);
        return;
    }
    cdg_motion aimed[AIMED] = {
        {.kind = CDG_MOTION_MOVE, .move = {in[7], in[8], in[9]}, .from = in[14], .to = in[15]},
        {.kind = CDG_MOTION_ROTATE, .axis = {in[10], in[11], in[12]}, .angle = in[13], .from = in[14], .to = in[15]}};
    *now.position = (cdg_vec3){in[0], in[1], in[2]};
    *now.orientation = (cdg_quat){in[3], in[4], in[5], in[6]};
    set_motions(world, &now, aimed, AIMED);
}

// ---- leads ----------------------------------------------------------------------------------------------------------

static bool does_lead(const world_lead *lead, double time) { return lead->keys[0].time < time && time < lead->to; }

static void tell(cdg_world *world, const world_led *led, const cdg_vec3 *position) {
    if (led->is_obstacle)
        (void)cdg_obstacle_set_pose(world, cdg_world_obstacle_at(world, led->index), position, NULL);
    else
        (void)cdg_support_set_pose(world, cdg_world_support_at(world, led->index), position, NULL);
}

static const cdg_grip_key *key_at(const world_lead *lead, double time) {
    size_t low = 0, high = lead->key_count - 1;
    while (low < high) {
        size_t middle = (low + high + 1) / 2;
        if (lead->keys[middle].time < time)
            low = middle;
        else
            high = middle - 1;
    }
    return &lead->keys[low];
}

void cdg_leads_prepare(cdg_world *world) {
    double now = world->time + world->step / 2; // rounding of times does not matter
    for (size_t i = 0; i < world->lead_count; i++) {
        const world_lead *lead = &world->leads[i];
        if (does_lead(lead, now))
            tell(world, &world->led[lead->led], &key_at(lead, now)->target);
        else if (does_lead(lead, now - world->step))
            tell(world, &world->led[lead->led], NULL); // let go: it stays
    }
}

bool cdg_leads_move(const cdg_world *world, double time, double step) {
    for (size_t i = 0; i < world->led_count; i++) {
        thing now = thing_of(world, &world->led[i]);
        if (is_as_before(&world->led[i], &now)) continue; // the scene moves it, and gives way to nobody
        for (size_t k = 0; k < *now.motion_count; k++) {
            const cdg_motion *motion = &(*now.motions)[k];
            bool is_in_step = motion->from < time && motion->to > time - step;
            if (is_in_step && (vec3_norm(motion->move) > 0 || motion->angle != 0)) return true;
        }
    }
    return false;
}

static cdg_result check_keys(cdg_world *world, const cdg_lead_def *def) {
    if (def->keys == NULL) return cdg_fail_null(&world->error, "keys");
    if (def->key_count == 0) return cdg_fail(&world->error, CDG_ERROR_ARGUMENT, "a lead needs a key");
    for (size_t i = 0; i < def->key_count; i++) {
        const cdg_grip_key *key = &def->keys[i];
        bool is_good = isfinite(key->time) && isfinite(key->target.x + key->target.y + key->target.z) &&
                       (i == 0 || key->time > key[-1].time) && isfinite(def->to) && def->to > key->time;
        if (!is_good)
            return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                            "key %zu of a lead: its numbers must be finite, its time after the one before and before "
                            "the end",
                            i + 1);
    }
    return CDG_OK;
}

static cdg_result check_thing(cdg_world *world, const cdg_lead_def *def, uint32_t *index) {
    cdg_support_info info;
    if (def->support.index1 == 0) {
        size_t slot = WORLD_INDEX(world, WORLD_OBSTACLES, def->obstacle);
        *index = (uint32_t)slot;
        if (slot != SIZE_MAX) return CDG_OK;
        return cdg_fail(&world->error, CDG_ERROR_STALE, "the obstacle no longer exists");
    }
    *index = def->support.index1 - 1;
    if (cdg_support_get_info(world, def->support, &info) == CDG_OK) return CDG_OK;
    return cdg_fail(&world->error, CDG_ERROR_STALE, "the support no longer exists");
}

cdg_lead_def cdg_lead_def_default(void) { return (cdg_lead_def){0}; }

cdg_result cdg_world_add_lead(cdg_world *world, const cdg_lead_def *def) {
    if (world == NULL) return CDG_ERROR_ARGUMENT;
    if (def == NULL) return cdg_fail_null(&world->error, "def");
    cdg_error_clear(&world->error);
    uint32_t index;
    cdg_result result = check_keys(world, def);
    if (result == CDG_OK) result = check_thing(world, def, &index);
    if (result == CDG_OK) result = cdg_led_note(world, def->support.index1 == 0, index);
    if (result != CDG_OK) return result;
    world_lead lead = {.led = (uint32_t)find_led(world, def->support.index1 == 0, index),
                       .keys = malloc(def->key_count * sizeof *lead.keys),
                       .key_count = def->key_count,
                       .to = def->to};
    world_lead *grown = realloc(world->leads, (world->lead_count + 1) * sizeof *grown);
    if (grown != NULL) world->leads = grown;
    if (grown == NULL || lead.keys == NULL) {
        free(lead.keys);
        return cdg_fail(&world->error, CDG_ERROR_MEMORY, "no memory to lead something");
    }
    memcpy(lead.keys, def->keys, def->key_count * sizeof *lead.keys);
    world->leads[world->lead_count++] = lead;
    return CDG_OK;
}

// ---- what is led is removed -----------------------------------------------------------------------------------------

static void forget_led(cdg_world *world, size_t index) {
    size_t kept = 0;
    for (size_t i = 0; i < world->lead_count; i++) {
        world_lead lead = world->leads[i];
        if (lead.led == index) {
            free(lead.keys);
            continue;
        }
        if (lead.led > index) lead.led--;
        world->leads[kept++] = lead;
    }
    world->lead_count = kept;
    free(world->led[index].motions);
    world->led_count--;
    memmove(&world->led[index], &world->led[index + 1], (world->led_count - index) * sizeof *world->led);
    world->scratch_size = 0; // snapshots are shorter
}

void cdg_leads_leave_support(cdg_world *world, uint32_t index) {
    size_t slot = find_led(world, false, index);
    if (slot < world->led_count) forget_led(world, slot);
}

void cdg_leads_leave_obstacle(cdg_world *world, uint32_t index) {
    size_t slot = find_led(world, true, index);
    if (slot < world->led_count) forget_led(world, slot);
    for (size_t i = 0; i < world->led_count; i++)
        if (world->led[i].is_obstacle && world->led[i].index > index) world->led[i].index--;
}

void cdg_leads_free(cdg_world *world) {
    for (size_t i = 0; i < world->lead_count; i++) free(world->leads[i].keys);
    for (size_t i = 0; i < world->led_count; i++) free(world->led[i].motions);
    free(world->leads);
    free(world->led);
}
