// Positions follow cubics through positions and velocities of the two outputs around, or straight lines in runs that do
// not hold velocities; frames turn evenly from one to the other; other values change linearly.
#include "render/run_player.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdlib.h>
#include <string.h>

// Two outputs are kept; film frames in turn mostly need the same ones again.
typedef struct kept_frame {
    size_t frame; // SIZE_MAX: none
    cdg_rod_moment *rods;
} kept_frame;

struct cdg_run_player_memory {
    kept_frame kept[2];
    double *numbers; // of all moments
    double *scratch; // one field of one rod
};

// Positions and velocities, frames, and values of nodes or elements, of which there are no more.
static size_t numbers_of(const cdg_run_rod *rod) { return 7 * rod->node_count + 4 * rod->element_count; }

// Lays one moment's arrays out from `at` on; returns what follows.
static double *lay_out(const cdg_run_reader *reader, cdg_rod_moment *moments, double *at) {
    for (size_t i = 0; i < reader->rod_count; i++) {
        const cdg_run_rod *rod = &reader->rods[i];
        moments[i].positions = (cdg_vec3 *)at;
        moments[i].velocities = (cdg_vec3 *)(at + 3 * rod->node_count);
        at += 6 * rod->node_count;
        moments[i].frames = (cdg_quat *)at;
        moments[i].values = at + 4 * rod->element_count;
        at += 4 * rod->element_count + rod->node_count;
    }
    return at;
}

static void free_solids(cdg_run_player *player) {
    for (size_t i = 0; player->solids != NULL && i < player->reader->solid_count; i++)
        free(player->solids[i].positions), free(player->solids[i].values);
    free(player->solids);
}

// Numbers of a solid's moment, and of the one that it is mixed with.
static size_t solid_values(const cdg_run_player *player, size_t solid) {
    const cdg_run_solid_entry *of = &player->reader->solids[solid];
    return player->field.is_of_solids ? cdg_rod_field_solid_entries(&player->field, of) : 0;
}

static cdg_result make_solids(cdg_run_player *player, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    player->solids = calloc(reader->solid_count + 1, sizeof *player->solids);
    bool is_good = player->solids != NULL;
    for (size_t i = 0; i < reader->solid_count && is_good; i++) {
        player->solids[i].positions = calloc(2 * reader->solids[i].node_count + 1, sizeof(cdg_vec3));
        size_t scratch = cdg_run_solid_numbers(&reader->solids[i], player->field.of_solid);
        if (player->field.is_of_solids)
            player->solids[i].values = calloc(2 * solid_values(player, i) + scratch + 1, sizeof(double));
        is_good =
            player->solids[i].positions != NULL && (player->solids[i].values != NULL || !player->field.is_of_solids);
    }
    return is_good ? CDG_OK : cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu solids", reader->solid_count);
}

cdg_result cdg_run_player_create(const cdg_run_reader *reader, const cdg_rod_field *field, cdg_run_player **out,
                                 cdg_error *error) {
    *out = NULL;
    size_t numbers = 0, longest = 0;
    for (size_t i = 0; i < reader->rod_count; i++) {
        numbers += numbers_of(&reader->rods[i]);
        if (reader->rods[i].node_count > longest) longest = reader->rods[i].node_count;
    }
    cdg_run_player *player = calloc(1, sizeof *player);
    struct cdg_run_player_memory *memory = calloc(1, sizeof *memory);
    cdg_rod_moment *moments = calloc(3 * reader->rod_count + 1, sizeof *moments);
    double *space = calloc(3 * numbers + 1, sizeof *space);
    double *scratch = calloc(CDG_FIELD_COMPONENTS_MAX * longest + 1, sizeof *scratch);
    cdg_rigid_moment *rigids = calloc(cdg_run_rigid_count(reader) + 1, sizeof *rigids);
    if (!player || !memory || !moments || !space || !scratch || !rigids) {
        free(scratch);
        free(rigids);
        free(player);
        free(memory);
        free(moments);
        free(space);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the run's %zu rods", reader->rod_count);
    }
    player->reader = reader;
    player->memory = memory;
    player->rods = moments;
    player->rigids = rigids;
    memory->numbers = space;
    memory->scratch = scratch;
    if (field != NULL) player->field = *field;
    double *at = lay_out(reader, moments, space);
    for (size_t k = 0; k < 2; k++) {
        memory->kept[k] = (kept_frame){.frame = SIZE_MAX, .rods = moments + (k + 1) * reader->rod_count};
        at = lay_out(reader, memory->kept[k].rods, at);
    }
    cdg_result result = make_solids(player, error);
    if (result == CDG_OK) result = cdg_run_player_show_frame(player, 0, error);
    if (result != CDG_OK) {
        cdg_run_player_destroy(player);
        return result;
    }
    *out = player;
    return CDG_OK;
}

void cdg_run_player_destroy(cdg_run_player *player) {
    if (!player) return;
    free_solids(player);
    free(player->rigids);
    free(player->memory->numbers);
    free(player->memory->scratch);
    free(player->memory);
    free(player->rods);
    free(player);
}

static size_t value_count(const cdg_run_player *player, const cdg_run_rod *rod) {
    if (!cdg_rod_field_is_of_rods(&player->field)) return 0;
    return cdg_rod_field_is_per_element(&player->field) ? rod->element_count : rod->node_count;
}

// A ray tracer that is given a number which is none stops the whole program.
static cdg_result check_moment(const cdg_run_player *player, size_t frame, size_t index, const cdg_rod_moment *moment,
                               cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    const cdg_run_rod *rod = &reader->rods[index];
    const char *culprit = NULL;
    for (size_t i = 0; i < rod->node_count && !culprit; i++) {
        if (!vec3_is_finite(moment->positions[i]))
            culprit = "a position";
        else if (!vec3_is_finite(moment->velocities[i]))
            culprit = "a velocity";
    }
    for (size_t i = 0; i < rod->element_count && !culprit; i++) {
        double size = quat_dot(moment->frames[i], moment->frames[i]);
        if (!(size > 0 && isfinite(size))) culprit = "a frame";
    }
    for (size_t i = 0; i < value_count(player, rod) && !culprit; i++)
        if (!isfinite(moment->values[i])) culprit = player->field.view.name;
    if (!culprit) return CDG_OK;
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s: %s of rod '%s' at output %zu is not a finite number; the run is damaged, run the scene anew",
                    reader->directory, culprit, rod->name, frame);
}

static cdg_result read_frame(const cdg_run_player *player, size_t frame, cdg_rod_moment *rods, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (size_t i = 0; i < reader->rod_count; i++) {
        const struct {
            cdg_field field;
            double *out;
        } wanted[] = {{CDG_FIELD_positions, &rods[i].positions->x},
                      {CDG_FIELD_velocities, &rods[i].velocities->x},
                      {CDG_FIELD_frames, &rods[i].frames->w}};
        for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
            if (!cdg_run_reader_has(reader, wanted[k].field)) { // only velocities are ever left out
                memset(wanted[k].out, 0, 3 * reader->rods[i].node_count * sizeof(double));
                continue;
            }
            cdg_result result = cdg_run_reader_read(reader, frame, i, wanted[k].field, wanted[k].out, error);
            if (result != CDG_OK) return result;
        }
        cdg_result result = CDG_OK;
        if (cdg_rod_field_is_of_rods(&player->field))
            result =
                cdg_rod_field_read(&player->field, reader, frame, i, player->memory->scratch, rods[i].values, error);
        if (result == CDG_OK) result = check_moment(player, frame, i, &rods[i], error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

// Makes sure that an output is kept, in place of the one that is not `other`.
static cdg_result keep(cdg_run_player *player, size_t frame, size_t other, kept_frame **out, cdg_error *error) {
    kept_frame *kept = player->memory->kept;
    for (int k = 0; k < 2; k++)
        if (kept[k].frame == frame) {
            *out = &kept[k];
            return CDG_OK;
        }
    *out = kept[0].frame == other ? &kept[1] : &kept[0];
    (*out)->frame = SIZE_MAX;
    cdg_result result = read_frame(player, frame, (*out)->rods, error);
    if (result == CDG_OK) (*out)->frame = frame;
    return result;
}

static void copy_moment(const cdg_run_reader *reader, const cdg_rod_moment *from, cdg_rod_moment *to) {
    for (size_t i = 0; i < reader->rod_count; i++) // arrays of a moment lie one after the other
        memcpy(to[i].positions, from[i].positions, numbers_of(&reader->rods[i]) * sizeof(double));
}

// Rigids are few: they are read when they are needed, straight from one output to the next, turning evenly.
static cdg_result show_rigids(cdg_run_player *player, size_t low, size_t high, double t, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++) {
        cdg_rigid_moment ends[2];
        for (int k = 0; k < 2; k++) {
            cdg_result result =
                cdg_run_rigid_pose(reader, k == 0 ? low : high, i, &ends[k].position, &ends[k].orientation, error);
            if (result != CDG_OK) return result;
        }
        cdg_quat turn = quat_power(quat_relative(ends[0].orientation, ends[1].orientation), t);
        player->rigids[i].position = vec3_lerp(ends[0].position, ends[1].position, t);
        player->rigids[i].orientation = quat_normalize(quat_multiply(ends[0].orientation, turn));
    }
    return CDG_OK;
}

static cdg_result show_values(cdg_run_player *player, size_t solid, size_t low, size_t high, double t,
                              cdg_error *error) {
    size_t count = solid_values(player, solid);
    double *now = player->solids[solid].values, *after = now + count, *scratch = after + count;
    cdg_result result = cdg_rod_field_read_solid(&player->field, player->reader, low, solid, scratch, now, error);
    if (result != CDG_OK || high == low) return result;
    result = cdg_rod_field_read_solid(&player->field, player->reader, high, solid, scratch, after, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) now[i] += t * (after[i] - now[i]);
    return result;
}

// Solids go straight from one output to the next.
static cdg_result show_solids(cdg_run_player *player, size_t low, size_t high, double t, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    for (size_t i = 0; i < reader->solid_count; i++) {
        size_t count = reader->solids[i].node_count;
        cdg_vec3 *now = player->solids[i].positions, *after = now + count;
        cdg_result result = cdg_run_reader_solid(reader, low, i, CDG_SOLID_FIELD_positions, &now->x, error);
        if (result == CDG_OK && high != low)
            result = cdg_run_reader_solid(reader, high, i, CDG_SOLID_FIELD_positions, &after->x, error);
        if (result == CDG_OK && player->field.is_of_solids) result = show_values(player, i, low, high, t, error);
        if (result != CDG_OK) return result;
        for (size_t n = 0; n < count; n++) {
            if (high != low) now[n] = vec3_lerp(now[n], after[n], t);
            if (!vec3_is_finite(now[n]))
                return cdg_fail(error, CDG_ERROR_FORMAT,
                                "%s: a position of solid '%s' at output %zu is not a finite number; the run is "
                                "damaged, run the scene anew",
                                reader->directory, reader->solids[i].name, low);
        }
    }
    return CDG_OK;
}

cdg_result cdg_run_player_show_frame(cdg_run_player *player, size_t frame, cdg_error *error) {
    kept_frame *kept;
    cdg_result result = keep(player, frame, SIZE_MAX, &kept, error);
    if (result != CDG_OK) return result;
    copy_moment(player->reader, kept->rods, player->rods);
    player->time = player->reader->times[frame];
    result = show_solids(player, frame, frame, 0, error);
    return result == CDG_OK ? show_rigids(player, frame, frame, 0, error) : result;
}

// Hermite's cubic. Slopes of more than three times the way would overshoot (Fritsch and Carlson 1980): a rod that swung
// to and fro between two outputs must not be thrown about. A step of 0 means that there are no velocities.
static cdg_vec3 cubic(cdg_vec3 a, cdg_vec3 va, cdg_vec3 b, cdg_vec3 vb, double step, double t) {
    cdg_vec3 way = vec3_sub(b, a);
    if (step == 0) return vec3_mad(a, t, way);
    double most = 3 * vec3_norm(way), start = step * vec3_norm(va), end = step * vec3_norm(vb);
    cdg_vec3 from = vec3_scale(start > most ? step * most / start : step, va);
    cdg_vec3 to = vec3_scale(end > most ? step * most / end : step, vb);
    double s = 1 - t;
    cdg_vec3 bent = vec3_sub(vec3_scale(s, vec3_sub(from, way)), vec3_scale(t, vec3_sub(to, way)));
    return vec3_mad(vec3_mad(a, t, way), s * t, bent);
}

static void mix_rod(const cdg_run_rod *rod, size_t values, const cdg_rod_moment *a, const cdg_rod_moment *b,
                    double step, double t, cdg_rod_moment *out) {
    for (size_t i = 0; i < rod->node_count; i++) {
        out->positions[i] = cubic(a->positions[i], a->velocities[i], b->positions[i], b->velocities[i], step, t);
        out->velocities[i] = vec3_lerp(a->velocities[i], b->velocities[i], t);
    }
    for (size_t i = 0; i < rod->element_count; i++) {
        cdg_quat turn = quat_power(quat_relative(a->frames[i], b->frames[i]), t);
        out->frames[i] = quat_normalize(quat_multiply(a->frames[i], turn));
    }
    for (size_t i = 0; i < values; i++) out->values[i] = a->values[i] + t * (b->values[i] - a->values[i]);
}

cdg_result cdg_run_player_seek(cdg_run_player *player, double time, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    size_t low = 0, high = reader->frame_count - 1;
    if (!(time > reader->play[low])) return cdg_run_player_show_frame(player, low, error);
    if (time >= reader->play[high]) return cdg_run_player_show_frame(player, high, error);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (reader->play[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    kept_frame *a = NULL, *b = NULL;
    cdg_result result = keep(player, low, high, &a, error);
    if (result == CDG_OK) result = keep(player, high, low, &b, error);
    if (result != CDG_OK) return result;
    bool is_straight = reader->is_static || !cdg_run_reader_has(reader, CDG_FIELD_velocities);
    double step = reader->play[high] - reader->play[low], t = step > 0 ? (time - reader->play[low]) / step : 0;
    for (size_t i = 0; i < reader->rod_count; i++)
        mix_rod(&reader->rods[i], value_count(player, &reader->rods[i]), &a->rods[i], &b->rods[i],
                is_straight ? 0 : step, t, &player->rods[i]);
    player->time = reader->times[low] + t * (reader->times[high] - reader->times[low]);
    result = show_solids(player, low, high, t, error);
    return result == CDG_OK ? show_rigids(player, low, high, t, error) : result;
}
