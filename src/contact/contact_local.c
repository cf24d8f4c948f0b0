// Points numbered anew (contact_local.h).
#include "contact/contact_local.h"

#include <stdlib.h>

void cdg_local_points_free(cdg_local_points *it) {
    free(it->number);
    free(it->point);
    free(it->give);
    free(it->force_before);
    *it = (cdg_local_points){0};
}

static bool reserve(cdg_local_points *it, size_t capacity) {
    if (capacity <= it->capacity) return true;
    cdg_local_points_free(it);
    it->number = calloc(capacity, sizeof *it->number);
    it->point = malloc(capacity * sizeof *it->point);
    it->give = malloc(capacity * sizeof *it->give);
    it->force_before = malloc(capacity * sizeof *it->force_before);
    if (it->number == NULL || it->point == NULL || it->give == NULL || it->force_before == NULL) return false;
    it->capacity = capacity;
    return true;
}

static uint32_t append(cdg_local_points *it, const cdg_pieces *p, uint32_t point) {
    uint32_t number = (uint32_t)it->count++;
    it->point[number] = point;
    it->give[number] = p->give[point];
    it->force_before[number] = p->force_before[point];
    return number;
}

bool cdg_local_points_start(cdg_local_points *it, const cdg_pieces *p) {
    for (size_t i = 0; i < it->count; i++) it->number[it->point[i]] = 0;
    it->count = 0;
    if (!reserve(it, p->point_capacity)) return false;
    append(it, p, CDG_STILL_POINT);
    return true;
}

uint32_t cdg_local_points_number(cdg_local_points *it, const cdg_pieces *p, uint32_t point) {
    if (point == CDG_STILL_POINT) return 0;
    if (it->number[point] == 0) it->number[point] = append(it, p, point);
    return it->number[point];
}
