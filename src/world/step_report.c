// What a step tells its caller: the most that any object needed, and the rod that is worst off.
#include "world/step.h"

void cdg_step_tell(const cdg_world *world, cdg_step_report *report) {
    *report = (cdg_step_report){.time = world->time, .step = world->step};
    if (world_has_contact(world)) {
        report->contact_count = world->contact_outcome.count;
        report->contact_iterations = world->contact_outcome.iterations;
        report->deepest = world->contact_outcome.deepest;
    }
    for (size_t i = 0; i < world->rod_count; i++) {
        const world_rod *entry = &world->rods[i];
        if (entry->rod == NULL) continue;
        if (entry->result.iterations > report->iterations) report->iterations = entry->result.iterations;
        if (entry->result.halvings > report->halvings) report->halvings = entry->result.halvings;
        if (entry->result.parts > report->parts) report->parts = entry->result.parts;
        if (report->worst_rod.index1 == 0 || entry->result.residual > report->residual) {
            report->residual = entry->result.residual;
            report->worst_rod = cdg_world_rod_id(world, i);
        }
    }
    for (size_t i = 0; i < world->object_count; i++) {
        const cdg_object_report *own = &world->objects[i].report;
        if (own->iterations > report->iterations) report->iterations = own->iterations;
        if (own->parts > report->parts) report->parts = own->parts;
        if (own->residual > report->residual) report->residual = own->residual;
    }
}
