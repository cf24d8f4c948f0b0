// Contact: a rope falls on a floor and comes to rest. The floor's forces are read one by one; together they carry the
// rope's weight. Before the rope lies there the world is kept in a snapshot and brought back, to the same bits.
#include <cordage/cordage.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ELEMENTS = 40, CONTACTS_MAX = 400 };

static cdg_result build(cdg_world *world, cdg_rod_id *rope) {
    cdg_rod_def def = cdg_rod_def_default();
    def.name = "rope";
    def.element_count = ELEMENTS;
    def.section.radius = 5e-3;
    def.material.damping_bend = def.material.damping_stretch = 0.02;
    def.centerline.kind = CDG_CENTERLINE_LINE;
    def.centerline.line.from = (cdg_vec3){0, 0, 0.02};
    def.centerline.line.to = (cdg_vec3){0.6, 0, 0.06};
    cdg_result result = cdg_world_add_rod(world, &def, rope);
    if (result != CDG_OK) return result;
    cdg_contact_def contact = cdg_contact_def_default();
    contact.friction = 0.4;
    result = cdg_world_set_contact(world, &contact);
    if (result != CDG_OK) return result;
    cdg_obstacle_def floor = cdg_obstacle_def_default(); // the plane z = 0
    return cdg_world_add_obstacle(world, &floor, NULL);
}

static cdg_result run(cdg_world *world, double until) {
    cdg_result result = CDG_OK;
    while (result == CDG_OK && cdg_world_time(world) < until) result = cdg_world_step(world, NULL);
    return result;
}

// Runs on, goes back to the snapshot and runs again: the same bits?
static cdg_result run_twice(cdg_world *world, cdg_rod_id rope, double until, bool *is_same) {
    cdg_vec3 once[ELEMENTS + 1], again[ELEMENTS + 1];
    double *snapshot = malloc(cdg_world_snapshot_size(world) * sizeof *snapshot);
    cdg_result result = snapshot == NULL ? CDG_ERROR_MEMORY : cdg_world_snapshot_save(world, snapshot);
    if (result == CDG_OK) result = run(world, until);
    if (result == CDG_OK) result = cdg_rod_positions(world, rope, once);
    if (result == CDG_OK) result = cdg_world_snapshot_load(world, snapshot);
    if (result == CDG_OK) result = run(world, until);
    if (result == CDG_OK) result = cdg_rod_positions(world, rope, again);
    *is_same = result == CDG_OK && memcmp(once, again, sizeof once) == 0;
    free(snapshot);
    return result;
}

int main(void) {
    cdg_error error = {0};
    cdg_world_def def = cdg_world_def_default();
    def.step = 0.002;
    cdg_world *world = NULL;
    if (cdg_world_create(&def, &world, &error) != CDG_OK) {
        fprintf(stderr, "%s\n", error.message);
        return EXIT_FAILURE;
    }
    cdg_rod_id rope;
    cdg_rod_info info = {0};
    bool is_same = false;
    static cdg_contact_info contacts[CONTACTS_MAX];
    size_t count = 0;
    cdg_result result = build(world, &rope);
    if (result == CDG_OK) result = run(world, 0.1);
    if (result == CDG_OK) result = run_twice(world, rope, 2, &is_same);
    if (result == CDG_OK) result = cdg_world_contacts(world, contacts, CONTACTS_MAX, &count);
    if (result == CDG_OK) result = cdg_rod_get_info(world, rope, &info);
    if (result != CDG_OK) {
        fprintf(stderr, "%s: %s\n", cdg_result_text(result), cdg_world_message(world));
        cdg_world_destroy(world);
        return EXIT_FAILURE;
    }
    double carried = 0, weight = 9.81 * info.mass;
    for (size_t i = 0; i < count; i++) carried += contacts[i].force.z;
    printf("%zu contacts carry %.5f N of %.5f N, deepest %.1e radii; %s after going back\n", count, carried, weight,
           cdg_world_deepest_contact(world), is_same ? "the same bits" : "other bits");
    cdg_world_destroy(world);
    return is_same && fabs(carried - weight) < 0.01 * weight ? EXIT_SUCCESS : EXIT_FAILURE;
}
