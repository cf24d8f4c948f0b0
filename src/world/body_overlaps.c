// Bodies that begin inside each other, or inside obstacles, would be shot out: they are refused with both names and the
// depth, or pushed apart where the scene asks for it.
#include "base/error.h"
#include "world/world_bodies.h"

#include <stdio.h>

// Of the radius of a ball that fits into the body: less is no overlap, as with rods, because bodies drawn to touch and
// bodies left by a step lie a little in each other. Without contact, bodies at rest lie deeper in their supports.
static const double overlap_share = 1e-2, loose_share = 0.1;
// Of that: a deeper overlap is pushed apart all the same, unwatched by the energy guard (contact_start.c).
static const double slight = 0.15;

static double depth_allowed(const cdg_world *world, const cdg_collider_touch *touch) {
    const uint32_t items[] = {touch->a, touch->b};
    double least = HUGE_VAL;
    for (int k = 0; k < 2; k++)
        if (items[k] < world->body_count) least = fmin(least, world->bodies[items[k]].thickness);
    return (world_has_contact(world) ? overlap_share : loose_share) * least;
}

static void describe(const cdg_world *world, uint32_t item, char *out, size_t size) {
    const char *kind = item < world->body_count ? "body" : "obstacle";
    const char *name =
        item < world->body_count ? world->bodies[item].name : world->obstacles[item - world->body_count].name;
    if (name != NULL && name[0] != '\0')
        snprintf(out, size, "%s '%.80s'", kind, name);
    else
        snprintf(out, size, "%s %zu", kind, (size_t)(item < world->body_count ? item : item - world->body_count));
}

static cdg_result fail_inside(cdg_world *world, const cdg_collider_touch *touch, size_t more) {
    char one[120], other[120], others[80] = "";
    describe(world, touch->a, one, sizeof one);
    describe(world, touch->b, other, sizeof other);
    if (more > 0) snprintf(others, sizeof others, "; likewise %zu other pair%s", more, more > 1 ? "s" : "");
    const char *cure = world_has_contact(world) ? "or set contact: {separate: true}, which pushes them apart gently"
                                                : "or set 'collides: false' for one of them";
    return cdg_fail(&world->error, CDG_ERROR_ARGUMENT,
                    "%s lies %.3g m deep in %s, at (%.4g, %.4g, %.4g) m%s: they would be shot out; move them apart, %s",
                    one, touch->depth, other, touch->point.x, touch->point.y, touch->point.z, others, cure);
}

static bool is_pair_of(const cdg_collider_touch *a, const cdg_collider_touch *b) {
    return a->a == b->a && a->b == b->b;
}

// Pairs stand one after the other in the collider's list.
cdg_result cdg_bodies_check_apart(cdg_world *world) {
    struct world_bodies *work = world->bodies_work;
    cdg_collider_touch worst = {0}, last = {0};
    size_t count = 0, pairs = 0;
    double deepest = 1;
    bool is_slight = false;
    cdg_result result = cdg_collider_find(work->collider, work->items, &count, &world->error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        cdg_collider_touch touch = cdg_collider_touch_at(work->collider, i);
        double depth = touch.depth / depth_allowed(world, &touch);
        is_slight = is_slight || depth > slight;
        if (!(depth > 1)) continue;
        if (pairs == 0 || !is_pair_of(&touch, &last)) pairs++;
        last = touch;
        if (depth > deepest) deepest = depth, worst = touch;
    }
    if (result != CDG_OK) return result;
    bool may_part = world_has_contact(world) && world->contact_def.separates;
    if (pairs > 0 && !may_part) return fail_inside(world, &worst, pairs - 1);
    if (is_slight && world_has_contact(world)) world->contacts.is_parting = true;
    return CDG_OK;
}
