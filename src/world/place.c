// Naming places on objects, and refusing those that a function has no use for.
#include "world/place.h"

#include "base/error.h"

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
