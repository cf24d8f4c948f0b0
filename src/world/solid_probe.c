// What probes measure on solids: of the whole, or at a place that goes with the material.
#include "solids/solid_place.h"
#include "world/solid_object.h"

static void put(double *out, cdg_vec3 v) { out[0] = v.x, out[1] = v.y, out[2] = v.z; }

static bool is_on_solid(const cdg_contact_side *side, size_t solid) {
    bool is_surface = side->kind == CDG_SIDE_VERTEX || side->kind == CDG_SIDE_EDGE || side->kind == CDG_SIDE_TRIANGLE;
    return is_surface && side->object == solid;
}

cdg_result cdg_solid_contact_force(const cdg_world *world, cdg_solid_id id, cdg_vec3 *out, size_t *count) {
    if (world == NULL || out == NULL) return CDG_ERROR_ARGUMENT;
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, id), found = 0;
    if (index == SIZE_MAX) return CDG_ERROR_STALE;
    *out = vec3(0, 0, 0);
    for (size_t i = 0; i < cdg_contacts_kept(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        bool is_first = is_on_solid(&contact->side[0], index), is_second = is_on_solid(&contact->side[1], index);
        if (is_first) *out = vec3_add(*out, contact->force);
        if (is_second) *out = vec3_sub(*out, contact->force);
        found += is_first || is_second;
    }
    if (count != NULL) *count = found;
    return CDG_OK;
}

// Of the place that was there when the solid was made. Within an edge of the surface it goes on as inside; farther away
// nothing is (cdg_place_check_solid).
static cdg_result measure_place(const cdg_solid *s, const cdg_probe *probe, double *out) {
    solid_place place;
    double away = cdg_solid_find_place(s, s->rest, probe->place.point, &place);
    if (!(away <= s->mean_edge)) return CDG_ERROR_ARGUMENT;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, cdg_solid_place_at(s, s->x, &place)); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, cdg_solid_place_at(s, s->v, &place)); return CDG_OK;
    case CDG_PROBE_STRESS: out[0] = cdg_solid_place_stress(s, s->x, &place); return CDG_OK;
    default: return CDG_ERROR_ARGUMENT;
    }
}

static cdg_result measure_node(const cdg_solid *s, const cdg_probe *probe, double *out) {
    if (probe->place.index >= s->node_count) return CDG_ERROR_ARGUMENT;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, solid_vec3(s->x, probe->place.index)); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, solid_vec3(s->v, probe->place.index)); return CDG_OK;
    default: return CDG_ERROR_ARGUMENT;
    }
}

static cdg_result measure_contacts(const cdg_world *world, size_t solid, double *out) {
    for (size_t i = 0; i < cdg_contacts_kept(world); i++) {
        const cdg_contact *contact = &world->contacts.kept[i];
        if (!is_on_solid(&contact->side[0], solid) && !is_on_solid(&contact->side[1], solid)) continue;
        out[0] += 1;
        out[1] = fmax(out[1], -contact->gap / contact->radius);
    }
    return CDG_OK;
}

cdg_result cdg_solid_measure_probe(const cdg_world *world, const cdg_probe *probe, double *out) {
    cdg_solid_state now;
    size_t index = WORLD_INDEX(world, WORLD_SOLIDS, probe->place.solid);
    if (index == SIZE_MAX) return CDG_ERROR_STALE;
    const cdg_solid *s = &world->solids[index]->solid;
    if (probe->place.kind == CDG_PLACE_POINT) return measure_place(s, probe, out);
    if (probe->place.kind == CDG_PLACE_NODE) return measure_node(s, probe, out);
    if (probe->place.kind != CDG_PLACE_WHOLE) return CDG_ERROR_ARGUMENT;
    if (probe->kind == CDG_PROBE_CONTACTS) return measure_contacts(world, index, out);
    cdg_result result = cdg_solid_get_state(world, probe->place.solid, &now);
    if (result != CDG_OK) return result;
    switch (probe->kind) {
    case CDG_PROBE_POSITION: put(out, now.center); return CDG_OK;
    case CDG_PROBE_VELOCITY: put(out, now.velocity); return CDG_OK;
    case CDG_PROBE_STRESS: out[0] = now.largest_stress; return CDG_OK;
    case CDG_PROBE_VOLUME: out[0] = now.volume; return CDG_OK;
    case CDG_PROBE_REACTION: put(out, now.reaction); return CDG_OK; // moments depend on about what: none are told
    case CDG_PROBE_ENERGY:
        out[0] = now.elastic, out[4] = now.kinetic, out[5] = now.gravity;
        out[6] = now.elastic + now.kinetic + now.gravity;
        return CDG_OK;
    case CDG_PROBE_CONTACT_FORCE: {
        cdg_vec3 force;
        result = cdg_solid_contact_force(world, probe->place.solid, &force, NULL);
        put(out, force);
        return result;
    }
    default: return CDG_ERROR_ARGUMENT;
    }
}
