// Points with arrays, one vertex each: ParaView's filter Glyph draws the forces as arrows.
#include "export/contacts_vtp.h"

#include "base/error.h"

#include <stdlib.h>

typedef struct contact_columns {
    cdg_run_contact *contacts;
    cdg_vec3 *position, *normal, *force;
    double *gap;
    int64_t *corner, *end;
    int32_t *rod, *solid, *body, *kind, *other; // of the first three those that it is not of are -1
} contact_columns;

static bool allocate(contact_columns *c, size_t count) {
    size_t room = count + 1;
    c->contacts = calloc(room, sizeof *c->contacts);
    c->position = calloc(room, sizeof *c->position);
    c->normal = calloc(room, sizeof *c->normal);
    c->force = calloc(room, sizeof *c->force);
    c->gap = calloc(room, sizeof *c->gap);
    c->corner = calloc(room, sizeof *c->corner);
    c->end = calloc(room, sizeof *c->end);
    c->rod = calloc(room, sizeof *c->rod);
    c->solid = calloc(room, sizeof *c->solid);
    c->body = calloc(room, sizeof *c->body);
    c->kind = calloc(room, sizeof *c->kind);
    c->other = calloc(room, sizeof *c->other);
    return c->contacts != NULL && c->position != NULL && c->normal != NULL && c->force != NULL && c->gap != NULL &&
           c->corner != NULL && c->end != NULL && c->rod != NULL && c->solid != NULL && c->body != NULL &&
           c->kind != NULL && c->other != NULL;
}

static void release(contact_columns *c) {
    void *const all[] = {c->contacts, c->position, c->normal, c->force, c->gap,   c->corner,
                         c->end,      c->rod,      c->solid,  c->kind,  c->other, c->body};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

static void fill(contact_columns *c, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const cdg_run_contact *contact = &c->contacts[i];
        c->position[i] = contact->position;
        c->normal[i] = contact->normal;
        c->force[i] = contact->force;
        c->gap[i] = contact->gap;
        c->corner[i] = (int64_t)i;
        c->end[i] = (int64_t)i + 1;
        const cdg_run_contact_side *first = &contact->sides[0];
        c->rod[i] = first->kind == CDG_RUN_SIDE_ROD ? (int32_t)first->object : -1;
        c->solid[i] = first->kind == CDG_RUN_SIDE_SOLID ? (int32_t)first->object : -1;
        c->body[i] = first->kind == CDG_RUN_SIDE_BODY ? (int32_t)first->object : -1;
        c->kind[i] = (int32_t)contact->sides[1].kind;
        c->other[i] = (int32_t)contact->sides[1].object;
    }
}

static bool put(cdg_vtp *vtp, const contact_columns *c, size_t count, double time, size_t output) {
    static const char *const world[] = {"x", "y", "z"};
    int32_t number = (int32_t)output;
    cdg_vtp_begin(vtp, "PolyData");
    cdg_vtp_print(vtp, "<PolyData>\n<FieldData>\n");
    cdg_vtp_array(vtp, "TimeValue", CDG_VTP_FLOAT64, 1, NULL, &time, 1, true);
    cdg_vtp_array(vtp, "output", CDG_VTP_INT32, 1, NULL, &number, 1, true);
    cdg_vtp_print(vtp,
                  "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"%zu\" NumberOfLines=\"0\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n<PointData Vectors=\"force\">\n",
                  count, count);
    cdg_vtp_array(vtp, "force", CDG_VTP_FLOAT64, 3, world, c->force, count, false);
    cdg_vtp_array(vtp, "normal", CDG_VTP_FLOAT64, 3, world, c->normal, count, false);
    cdg_vtp_array(vtp, "gap", CDG_VTP_FLOAT64, 1, NULL, c->gap, count, false);
    cdg_vtp_array(vtp, "rod", CDG_VTP_INT32, 1, NULL, c->rod, count, false);
    cdg_vtp_array(vtp, "solid", CDG_VTP_INT32, 1, NULL, c->solid, count, false);
    cdg_vtp_array(vtp, "body", CDG_VTP_INT32, 1, NULL, c->body, count, false);
    cdg_vtp_array(vtp, "other_kind", CDG_VTP_INT32, 1, NULL, c->kind, count, false);
    cdg_vtp_array(vtp, "other", CDG_VTP_INT32, 1, NULL, c->other, count, false);
    cdg_vtp_print(vtp, "</PointData>\n<Points>\n");
    cdg_vtp_array(vtp, "Points", CDG_VTP_FLOAT64, 3, NULL, c->position, count, false);
    cdg_vtp_print(vtp, "</Points>\n<Verts>\n");
    cdg_vtp_array(vtp, "connectivity", CDG_VTP_INT64, 1, NULL, c->corner, count, false);
    cdg_vtp_array(vtp, "offsets", CDG_VTP_INT64, 1, NULL, c->end, count, false);
    cdg_vtp_print(vtp, "</Verts>\n</Piece>\n</PolyData>\n");
    return cdg_vtp_end(vtp);
}

cdg_result cdg_contacts_vtp_make(cdg_vtp *vtp, const cdg_run_reader *reader, size_t output, cdg_error *error) {
    size_t count = 0;
    contact_columns columns = {0};
    cdg_result result = cdg_run_reader_contact_count(reader, output, &count, error);
    if (result != CDG_OK) return result;
    if (!allocate(&columns, count)) {
        result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu contacts", count);
    } else {
        result = cdg_run_reader_contacts(reader, output, columns.contacts, count, error);
    }
    if (result == CDG_OK) {
        fill(&columns, count);
        if (!put(vtp, &columns, count, reader->times[output], output))
            result = cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu contacts", count);
    }
    release(&columns);
    return result;
}
