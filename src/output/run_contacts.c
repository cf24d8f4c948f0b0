// Contacts in a run file, written and read at known offsets.
#include "output/run_contacts.h"

#include "base/error.h"
#include "output/disk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// One contact as rows of 8-byte numbers, one after the other in the order of the list.
enum {
#define CDG_RUN_BEGIN(name, numbers, units, text) AT_##name, LAST_##name = AT_##name + (numbers)-1,
    CDG_RUN_CONTACT_LIST(CDG_RUN_BEGIN)
#undef CDG_RUN_BEGIN
        NUMBERS
};

_Static_assert(sizeof(double) == sizeof(uint64_t), "integers and numbers have the same size");

size_t cdg_run_contact_numbers(void) { return NUMBERS; }

static cdg_run_contact_side first_side(const cdg_contact_info *info) {
    if (info->solid.index1 != 0)
        return (cdg_run_contact_side){CDG_RUN_SIDE_SOLID, info->solid.index1 - 1, info->element, 0};
    if (info->first_body.index1 != 0)
        return (cdg_run_contact_side){.kind = CDG_RUN_SIDE_BODY, .object = info->first_body.index1 - 1};
    return (cdg_run_contact_side){CDG_RUN_SIDE_ROD, info->rod.index1 - 1, info->element, info->place};
}

static cdg_run_contact_side second_side(const cdg_contact_info *info) {
    if (info->obstacle.index1 != 0)
        return (cdg_run_contact_side){.kind = CDG_RUN_SIDE_OBSTACLE, .object = info->obstacle.index1 - 1};
    if (info->body.index1 != 0)
        return (cdg_run_contact_side){.kind = CDG_RUN_SIDE_BODY, .object = info->body.index1 - 1};
    if (info->other_solid.index1 != 0)
        return (cdg_run_contact_side){CDG_RUN_SIDE_SOLID, info->other_solid.index1 - 1, info->other_element, 0};
    return (cdg_run_contact_side){CDG_RUN_SIDE_ROD, info->other.index1 - 1, info->other_element, info->other_place};
}

cdg_result cdg_run_contacts_list(const cdg_world *world, cdg_run_contact *out, size_t count) {
    cdg_contact_info info;
    for (size_t i = 0; i < count; i++) {
        cdg_result result = cdg_world_contact_at(world, i, &info);
        if (result != CDG_OK) return result;
        out[i] = (cdg_run_contact){.sides = {first_side(&info), second_side(&info)},
                                   .position = info.point,
                                   .normal = info.normal,
                                   .force = info.force,
                                   .gap = info.gap};
    }
    return CDG_OK;
}

static void put_integer(double *out, uint64_t value) { memcpy(out, &value, sizeof value); }

static uint64_t get_integer(const double *in) {
    uint64_t value;
    memcpy(&value, in, sizeof value);
    return value;
}

static void pack(const cdg_run_contact *contact, double row[NUMBERS]) {
    for (int k = 0; k < 2; k++) {
        const cdg_run_contact_side *side = &contact->sides[k];
        put_integer(row + AT_sides + 3 * k, side->kind);
        put_integer(row + AT_sides + 3 * k + 1, side->object);
        put_integer(row + AT_sides + 3 * k + 2, side->element);
        row[AT_parameters + k] = side->parameter;
    }
    memcpy(row + AT_position, &contact->position, sizeof contact->position);
    memcpy(row + AT_normal, &contact->normal, sizeof contact->normal);
    memcpy(row + AT_force, &contact->force, sizeof contact->force);
    row[AT_gap] = contact->gap;
}

static void unpack(const double row[NUMBERS], cdg_run_contact *out) {
    for (int k = 0; k < 2; k++) {
        uint64_t kind = get_integer(row + AT_sides + 3 * k);
        out->sides[k] =
            (cdg_run_contact_side){.kind = kind < CDG_RUN_SIDE_COUNT ? (cdg_run_side_kind)kind : CDG_RUN_SIDE_COUNT,
                                   .object = (size_t)get_integer(row + AT_sides + 3 * k + 1),
                                   .element = (size_t)get_integer(row + AT_sides + 3 * k + 2),
                                   .parameter = row[AT_parameters + k]};
    }
    memcpy(&out->position, row + AT_position, sizeof out->position);
    memcpy(&out->normal, row + AT_normal, sizeof out->normal);
    memcpy(&out->force, row + AT_force, sizeof out->force);
    out->gap = row[AT_gap];
}

static cdg_result write_numbers(int descriptor, const char *path, const double *numbers, size_t count, uint64_t offset,
                                size_t at, cdg_error *error) {
    return cdg_disk_write_at(descriptor, path, numbers, count * sizeof *numbers, offset + at * sizeof *numbers, error);
}

// Columns of `rows` one dataset after the other, through `column`.
static cdg_result write_rows(const cdg_run_contacts *contacts, size_t first, const double *rows, size_t count,
                             double *column, int descriptor, const char *path, cdg_error *error) {
    cdg_result result = CDG_OK;
#define WRITE(name, numbers, units, text)                                                                              \
    for (size_t i = 0; i < count; i++)                                                                                 \
        memcpy(column + i * (numbers), rows + i * NUMBERS + AT_##name, (numbers) * sizeof *rows);                      \
    if (result == CDG_OK)                                                                                              \
        result = write_numbers(descriptor, path, column, count * (numbers), contacts->name, first * (numbers), error);
    CDG_RUN_CONTACT_LIST(WRITE)
#undef WRITE
    return result;
}

cdg_result cdg_run_contacts_write_frame(const cdg_run_contacts *contacts, size_t frame, size_t first,
                                        const cdg_run_contact *list, size_t count, double deepest, int descriptor,
                                        const char *path, cdg_error *error) {
    cdg_result result = CDG_OK;
    if (count > 0) {
        double *rows = malloc(2 * count * NUMBERS * sizeof *rows);
        if (rows == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for %zu contacts", path, count);
        for (size_t i = 0; i < count; i++) pack(&list[i], rows + i * NUMBERS);
        result = write_rows(contacts, first, rows, count, rows + count * NUMBERS, descriptor, path, error);
        free(rows);
    }
    const double numbers[] = {(double)count, deepest, (double)first};
    if (result == CDG_OK) result = write_numbers(descriptor, path, &numbers[0], 1, contacts->count, frame, error);
    if (result == CDG_OK) result = write_numbers(descriptor, path, &numbers[1], 1, contacts->deepest, frame, error);
    if (result == CDG_OK) result = write_numbers(descriptor, path, &numbers[2], 1, contacts->first, frame, error);
    return result;
}

cdg_result cdg_run_contacts_range(const cdg_run_contacts *contacts, size_t frame, int descriptor, const char *path,
                                  size_t *first, size_t *count, cdg_error *error) {
    double from = 0, many = 0;
    cdg_result result =
        cdg_disk_read_at(descriptor, path, &many, sizeof many, contacts->count + frame * sizeof many, error);
    if (result == CDG_OK && contacts->has_places)
        result = cdg_disk_read_at(descriptor, path, &from, sizeof from, contacts->first + frame * sizeof from, error);
    if (result != CDG_OK) return result;
    double room = contacts->has_places ? (double)contacts->room : 1e15;
    if (!(many >= 0 && from >= 0 && from + many <= room) || many != floor(many) || from != floor(from))
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: its contacts at output %zu", path, frame);
    *first = (size_t)from;
    *count = (size_t)many;
    return CDG_OK;
}

cdg_result cdg_run_contacts_read(const cdg_run_contacts *contacts, size_t first, size_t count, int descriptor,
                                 const char *path, cdg_run_contact *out, cdg_error *error) {
    if (count == 0) return CDG_OK;
    double *rows = malloc(2 * count * NUMBERS * sizeof *rows), *column = rows + count * NUMBERS;
    if (rows == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory for %zu contacts", path, count);
    cdg_result result = CDG_OK;
#define READ(name, numbers, units, text)                                                                               \
    if (result == CDG_OK)                                                                                              \
        result = cdg_disk_read_at(descriptor, path, column, count * (numbers) * sizeof *column,                        \
                                  contacts->name + first * (numbers) * sizeof *column, error);                         \
    for (size_t i = 0; i < count && result == CDG_OK; i++)                                                             \
        memcpy(rows + i * NUMBERS + AT_##name, column + i * (numbers), (numbers) * sizeof *rows);
    CDG_RUN_CONTACT_LIST(READ)
#undef READ
    for (size_t i = 0; i < count && result == CDG_OK; i++) unpack(rows + i * NUMBERS, &out[i]);
    free(rows);
    return result;
}
