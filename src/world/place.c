// Naming places on objects, and refusing those that a function has no use for.
#include "world/place.h"

#include "base/error.h"
#include "solids/solid_place.h"
#include "world/solid_object.h"

cdg_place cdg_rod_node(cdg_rod_id rod, size_t node) {
    return (cdg_place){.rod = rod, .kind = CDG_PLACE_NODE, .index = node};
}

cdg_place cdg_rod_along(cdg_rod_id rod, size_t element, double fraction) {
    return (cdg_place){.rod = rod, .kind = CDG_PLACE_ALONG, .index = element, .fraction = fraction};
}

cdg_place cdg_body_whole(cdg_body_id body) { return (cdg_place){.body = body, .kind = CDG_PLACE_WHOLE}; }

cdg_place cdg_body_point(cdg_body_id body, cdg_vec3 point) {
    return (cdg_place){.body = body, .kind = CDG_PLACE_POINT, .point = point};
}

cdg_place cdg_solid_whole(cdg_solid_id solid) { return (cdg_place){.solid = solid, .kind = CDG_PLACE_WHOLE}; }

cdg_place cdg_solid_point(cdg_solid_id solid, cdg_vec3 point) {
    return (cdg_place){.solid = solid, .kind = CDG_PLACE_POINT, .point = point};
}

cdg_place cdg_solid_node(cdg_solid_id solid, size_t node) {
    return (cdg_place){.solid = solid, .kind = CDG_PLACE_NODE, .index = node};
}

bool cdg_place_is_of_rod(const cdg_place *place) {
    return place->body.index1 == 0 && place->solid.index1 == 0 && (unsigned)place->kind <= CDG_PLACE_ALONG;
}

cdg_result cdg_place_check_rod(const cdg_place *place, const char *serves, cdg_error *error) {
    if (cdg_place_is_of_rod(place)) return CDG_OK;
    if (place->body.index1 != 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s; this is a place on a body", serves);
    if (place->solid.index1 != 0) return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s; this is a place in a solid", serves);
    return cdg_fail(error, CDG_ERROR_ARGUMENT, "%s; rods have no place kind number %d", serves, (int)place->kind);
}

cdg_result cdg_place_check_solid(cdg_world *world, const cdg_place *place) {
    const world_solid *entry = cdg_world_get_solid(world, place->solid);
    if (entry == NULL) return cdg_fail(&world->error, CDG_ERROR_STALE, "the place is in a solid that does not exist");
    const cdg_solid *solid = &entry->solid;
    solid_place found;
    cdg_vec3 p = place->point;
    double away = vec3_is_finite(p) ? cdg_solid_find_place(solid, solid->rest, p, &found) : INFINITY;
    if (away <= solid->mean_edge) return CDG_OK;
    return cdg_fail(
        &world->error, CDG_ERROR_ARGUMENT,
        "the place (%.4g, %.4g, %.4g) m is %.3g m outside of solid '%s' as it is at the start; it may be as "
        "far away as an edge, %.3g m",
        p.x, p.y, p.z, away, solid->name, solid->mean_edge);
}
