// One page that opens in a browser without any server: the player, and the run packed into it (html_pack.h).
//
// Two passes over the outputs: the first finds ranges, the second packs. One chunk is in memory at a time. The page is
// the caller's; what it expects is in docs/exports.md.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "export/format.h"
#include "export/html_pack.h"
#include "export/html_world.h"
#include "export/node_values.h"
#include "export/value_range.h"
#include "math/vec3.h"
#include "output/run_gravity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The fields that colours can show: one number a node.
static const struct {
    const char *name, *label;
    cdg_field field;
    int component; // -1: the length of the vector
} shown_fields[] = {{"tension", "tension", CDG_FIELD_tension, 0}, {"curvature", "curvature", CDG_FIELD_curvature, -1},
                    {"twist", "twist rate", CDG_FIELD_twist, 0},  {"moment", "moment", CDG_FIELD_moment, -1},
                    {"torque", "torque", CDG_FIELD_moment, 2},    {"force", "section force", CDG_FIELD_forces, -1},
                    {"stretch", "stretch", CDG_FIELD_strains, 2}, {"speed", "speed", CDG_FIELD_velocities, -1}};
enum { SHOWN_FIELDS = sizeof shown_fields / sizeof *shown_fields };

// Blocks of a picture: ids are those of the page's protocol. Fields that can be shown follow, each with id 3.
enum { POSITIONS, FRAMES, BODIES, OBSTACLES, CONTACTS, SOLIDS, FIRST_FIELD };
enum { BLOCK_COUNT = FIRST_FIELD + SHOWN_FIELDS + 1, CONTACT_FORCE = BLOCK_COUNT - 1, FIELD_ID = 3 };
static const unsigned block_ids[FIRST_FIELD] = {1, 2, 5, 6, 4, 8};
static const size_t chunk_bytes = 1 << 20; // before it is packed

typedef struct html_state {
    cdg_whole_file file;
    cdg_export_rigids rigids;
    cdg_solid_surface *surfaces; // of each solid
    cdg_pack_block blocks[BLOCK_COUNT];
    cdg_value_range ranges[BLOCK_COUNT]; // of fields, for the legend
    double *values[BLOCK_COUNT];         // of the picture at hand
    size_t entries[BLOCK_COUNT];         // of that
    double *scratch[2];                  // one field of one rod, or of one solid
    cdg_run_contact *contacts;
    size_t contact_room;
    size_t pictures_per_chunk;
    const char *tail; // the page after the mark
    cdg_bytes chunk, text;
} html_state;

static size_t all_nodes(const cdg_export *export) {
    size_t count = 0;
    for (size_t i = 0; i < export->reader->rod_count; i++) count += export->reader->rods[i].node_count;
    return count;
}
static size_t all_elements(const cdg_export *export) {
    size_t count = 0;
    for (size_t i = 0; i < export->reader->rod_count; i++) count += export->reader->rods[i].element_count;
    return count;
}

// At most: those within are not shown.
static size_t all_solid_nodes(const cdg_export *export) {
    size_t count = 0;
    for (size_t i = 0; i < export->reader->solid_count; i++) count += export->reader->solids[i].node_count;
    return count;
}

// Numbers of a picture, contacts aside.
static double numbers_of(const cdg_export *export) {
    return (double)all_nodes(export) * (3 + SHOWN_FIELDS + 1) + 4 * (double)all_elements(export) +
           7 * (double)cdg_run_rigid_count(export->reader) + 3 * (double)all_solid_nodes(export);
}

static double html_estimate(const cdg_export *export) { // a byte or so is left of a number
    return (double)export->def.page_size + 1.2 * numbers_of(export) * (double)export->frame_count;
}

// ---- a picture ------------------------------------------------------------------------------------------------------

static bool is_contact_shown(const cdg_export *export) { return export->reader->has_contact_places; }

static double shown_value(const double *entry, size_t components, int component) {
    if (component >= 0) return entry[component];
    double sum = 0;
    for (size_t k = 0; k < components; k++) sum += entry[k] * entry[k];
    return sqrt(sum);
}

// One number a node of one rod.
static cdg_result read_shown(const cdg_export *export, html_state *state, size_t frame, size_t rod, int shown,
                             double *out, cdg_error *error) {
    cdg_field_info info = cdg_field_get(shown_fields[shown].field);
    const cdg_run_rod *own = &export->reader->rods[rod];
    if (own->is_fiber || !cdg_export_has_field(export, shown_fields[shown].field)) { // fibres: means of their guides'
        for (size_t i = 0; i < own->node_count; i++) out[i] = NAN;
        return CDG_OK;
    }
    bool is_nodal = info.per == CDG_FIELD_PER_NODE;
    double *raw = state->scratch[0], *single = is_nodal ? out : state->scratch[1];
    cdg_result result = cdg_export_read(export, frame, rod, shown_fields[shown].field, raw, error);
    if (result != CDG_OK) return result;
    size_t entries = is_nodal ? own->node_count : own->element_count;
    for (size_t i = 0; i < entries; i++) {
        single[i] = shown_value(raw + i * info.component_count, info.component_count, shown_fields[shown].component);
    }
    if (!is_nodal) cdg_node_values_average(own, false, single, 1, out);
    return CDG_OK;
}

static cdg_result read_rods(const cdg_export *export, html_state *state, size_t frame, cdg_error *error) {
    double *position = state->values[POSITIONS], *turn = state->values[FRAMES];
    size_t node = 0;
    for (size_t rod = 0; rod < export->reader->rod_count; rod++) {
        const cdg_run_rod *own = &export->reader->rods[rod];
        cdg_result result = cdg_export_read_single(export, frame, rod, CDG_FIELD_positions, position, error);
        if (result == CDG_OK && own->is_fiber) { // round and thin: nobody sees them turn
            memset(turn, 0, 4 * own->element_count * sizeof *turn);
        } else if (result == CDG_OK) {
            result = cdg_export_read_single(export, frame, rod, CDG_FIELD_frames, turn, error);
        }
        for (int shown = 0; shown < SHOWN_FIELDS && result == CDG_OK; shown++) {
            double *out = state->values[FIRST_FIELD + shown] + node;
            result = read_shown(export, state, frame, rod, shown, out, error);
        }
        if (result != CDG_OK) return result;
        position += 3 * own->node_count;
        turn += 4 * own->element_count;
        node += own->node_count;
    }
    return CDG_OK;
}

static cdg_result read_rigids(const cdg_export *export, html_state *state, size_t frame, cdg_error *error) {
    size_t obstacles = cdg_html_obstacle_count(export);
    for (size_t i = 0; i < state->rigids.count; i++) {
        cdg_vec3 position;
        cdg_quat orientation;
        cdg_result result = cdg_export_rigid_pose(export, frame, i, &position, &orientation, error);
        if (result != CDG_OK) return result;
        double *out = i < obstacles ? state->values[OBSTACLES] + 7 * i : state->values[BODIES] + 7 * (i - obstacles);
        const double pose[7] = {position.x,    position.y,    position.z,   orientation.w,
                                orientation.x, orientation.y, orientation.z};
        memcpy(out, pose, sizeof pose);
    }
    return CDG_OK;
}

static cdg_result read_solids(const cdg_export *export, html_state *state, size_t frame, cdg_error *error) {
    double *out = state->values[SOLIDS];
    for (size_t i = 0; i < export->reader->solid_count; i++) {
        const cdg_solid_surface *surface = &state->surfaces[i];
        cdg_result result =
            cdg_export_read_solid(export, frame, i, CDG_SOLID_FIELD_positions, state->scratch[0], error);
        if (result != CDG_OK) return result;
        for (size_t k = 0; k < surface->point_count; k++, out += 3)
            memcpy(out, state->scratch[0] + 3 * (size_t)surface->nodes[k], 3 * sizeof *out);
    }
    return CDG_OK;
}

// What touches a rod counts at its nearest node.
static void add_contact_force(const cdg_export *export, const cdg_run_contact *contact, double *out) {
    for (int k = 0; k < 2; k++) {
        const cdg_run_contact_side *side = &contact->sides[k];
        if (side->kind != CDG_RUN_SIDE_ROD || side->object >= export->reader->rod_count) continue;
        size_t first = 0;
        for (size_t i = 0; i < side->object; i++) first += export->reader->rods[i].node_count;
        const cdg_run_rod *rod = &export->reader->rods[side->object];
        if (side->element >= rod->element_count) continue;
        size_t node = (side->element + (side->parameter > 0.5)) % rod->node_count;
        out[first + node] += vec3_norm(contact->force);
    }
}

static bool make_contact_room(html_state *state, size_t count) {
    if (count <= state->contact_room) return true;
    cdg_run_contact *contacts = realloc(state->contacts, 2 * count * sizeof *contacts);
    if (contacts != NULL) state->contacts = contacts;
    double *values = realloc(state->values[CONTACTS], 2 * count * CDG_PACK_COMPONENTS_MAX * sizeof *values);
    if (values != NULL) state->values[CONTACTS] = values;
    if (contacts == NULL || values == NULL) return false;
    state->contact_room = 2 * count;
    return true;
}

static cdg_result read_contacts(const cdg_export *export, html_state *state, size_t frame, cdg_error *error) {
    size_t count = 0, output = cdg_export_output(export, frame);
    state->entries[CONTACTS] = 0;
    memset(state->values[CONTACT_FORCE], 0, state->entries[CONTACT_FORCE] * sizeof(double));
    if (!is_contact_shown(export)) return CDG_OK;
    cdg_result result = cdg_run_reader_contact_count(export->reader, output, &count, error);
    if (result != CDG_OK || count == 0) return result;
    if (!make_contact_room(state, count)) return cdg_export_fail_memory(export, error);
    result = cdg_run_reader_contacts(export->reader, output, state->contacts, count, error);
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        const cdg_run_contact *contact = &state->contacts[i];
        const double row[CDG_PACK_COMPONENTS_MAX] = {
            contact->position.x, contact->position.y, contact->position.z, contact->force.x,
            contact->force.y,    contact->force.z,    -contact->gap,       (double)contact->sides[1].kind};
        memcpy(state->values[CONTACTS] + CDG_PACK_COMPONENTS_MAX * i, row, sizeof row);
        add_contact_force(export, contact, state->values[CONTACT_FORCE]);
    }
    state->entries[CONTACTS] = count;
    return result;
}

static cdg_result read_picture(const cdg_export *export, html_state *state, size_t frame, cdg_error *error) {
    cdg_result result = read_rods(export, state, frame, error);
    if (result == CDG_OK) result = read_rigids(export, state, frame, error);
    if (result == CDG_OK) result = read_solids(export, state, frame, error);
    if (result == CDG_OK) result = read_contacts(export, state, frame, error);
    return result;
}

// ---- the description ------------------------------------------------------------------------------------------------

static void put_hello(cdg_json *json, const cdg_export *export) {
    const cdg_run_reader *reader = export->reader;
    cdg_json_begin_object(json, "hello");
    cdg_json_integer(json, "version", 1);
    cdg_json_text(json, "mode", "replay");
    cdg_json_text(json, "title", reader->title);
    cdg_json_text(json, "file", reader->scene_name);
    cdg_json_boolean(json, "static", reader->is_static);
    cdg_json_begin_array(json, "fields");
    for (int i = 0; i < SHOWN_FIELDS + is_contact_shown(export); i++) {
        bool is_force = i == SHOWN_FIELDS;
        if (!is_force && !cdg_export_has_field(export, shown_fields[i].field)) continue;
        cdg_json_begin_object(json, NULL);
        cdg_json_text(json, "name", is_force ? "contact" : shown_fields[i].name);
        cdg_json_text(json, "label", is_force ? "contact force" : shown_fields[i].label);
        cdg_json_text(json, "unit", is_force ? "N" : cdg_field_get(shown_fields[i].field).units);
        cdg_json_text(json, "at", "node");
        cdg_json_integer(json, "components", 1);
        cdg_json_end(json);
    }
    cdg_json_end(json);
    cdg_json_end(json);
}

static const char *field_of_block(size_t block) {
    if (block < FIRST_FIELD) return NULL;
    return block == CONTACT_FORCE ? "contact" : shown_fields[block - FIRST_FIELD].name;
}

static void put_range(cdg_json *json, cdg_value_range *range) {
    double ends[2];
    cdg_value_range_find(range, ends);
    cdg_json_begin_array(json, "range");
    for (int k = 0; k < 2; k++) cdg_json_number(json, NULL, ends[k]);
    cdg_json_end(json);
}

static void put_block(cdg_json *json, html_state *state, size_t index) {
    const cdg_pack_block *block = &state->blocks[index];
    cdg_json_begin_object(json, NULL);
    cdg_json_integer(json, "id", index < FIRST_FIELD ? block_ids[index] : FIELD_ID);
    cdg_json_text(json, "field", field_of_block(index));
    cdg_json_integer(json, "components", block->components);
    if (block->is_ragged)
        cdg_json_null(json, "count");
    else
        cdg_json_integer(json, "count", block->count);
    if (index >= FIRST_FIELD) put_range(json, &state->ranges[index]);
    cdg_json_begin_array(json, "low");
    for (size_t k = 0; k < block->components; k++)
        cdg_json_number(json, NULL, isfinite(block->low[k]) ? block->low[k] : 0);
    cdg_json_end(json);
    cdg_json_begin_array(json, "step");
    for (size_t k = 0; k < block->components; k++) cdg_json_number(json, NULL, cdg_pack_block_step(block, k));
    cdg_json_end(json);
    cdg_json_end(json);
}

// Of rods and solids over the whole run.
static void find_bounds(const html_state *state, double low[3], double high[3]) {
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(state->blocks[POSITIONS].low[k], state->blocks[SOLIDS].low[k]);
        high[k] = fmax(state->blocks[POSITIONS].high[k], state->blocks[SOLIDS].high[k]);
    }
}

static cdg_result put_description(cdg_export *export, html_state *state, cdg_error *error) {
    cdg_json json = {0};
    double low[3], high[3];
    find_bounds(state, low, high);
    cdg_json_begin_object(&json, NULL);
    put_hello(&json, export);
    cdg_html_put_world(&json, export, &state->rigids, state->surfaces, cdg_run_reader_gravity(export->reader), low,
                       high);
    cdg_html_put_probes(&json, export);
    cdg_json_begin_object(&json, "pictures");
    cdg_json_integer(&json, "count", export->frame_count);
    cdg_json_integer(&json, "per_chunk", state->pictures_per_chunk);
    cdg_json_begin_array(&json, "blocks");
    for (size_t i = 0; i < BLOCK_COUNT; i++) put_block(&json, state, i);
    cdg_json_end(&json);
    cdg_json_end(&json);
    cdg_json_end(&json);
    const char *text = cdg_json_finish(&json);
    static const char *const escaped[] = {"\\u003c"}; // no name may end the script
    cdg_bytes_print(&state->text, "<script type=\"application/json\" id=\"cordage-run\">\n");
    if (text != NULL) cdg_bytes_escaped(&state->text, text, "<", escaped);
    cdg_bytes_print(&state->text, "</script>\n");
    state->text.has_failed |= text == NULL;
    cdg_json_free(&json);
    return cdg_export_put_bytes(export, &state->file, &state->text, error);
}

// ---- the file -------------------------------------------------------------------------------------------------------

static bool make_blocks(const cdg_export *export, html_state *state) {
    size_t nodes = all_nodes(export), obstacles = cdg_html_obstacle_count(export);
    size_t points = 0;
    for (size_t i = 0; i < export->reader->solid_count; i++) points += state->surfaces[i].point_count;
    const size_t components[FIRST_FIELD] = {3, 4, 7, 7, CDG_PACK_COMPONENTS_MAX, 3};
    const size_t counts[FIRST_FIELD] = {nodes, all_elements(export), state->rigids.count - obstacles, obstacles, 0,
                                        points};
    bool is_made = true;
    for (size_t i = 0; i < BLOCK_COUNT; i++) {
        size_t width = i < FIRST_FIELD ? components[i] : 1;
        state->entries[i] = i < FIRST_FIELD ? counts[i] : nodes;
        is_made &= cdg_pack_block_make(&state->blocks[i], width, state->entries[i], i == CONTACTS);
        state->values[i] = calloc(width * state->entries[i] + 1, sizeof(double));
        is_made &= state->values[i] != NULL;
        if (i >= FIRST_FIELD) is_made &= cdg_value_range_make(&state->ranges[i]);
    }
    for (int k = 0; k < 2; k++) {
        size_t most = cdg_export_largest_field(export), of_solids = cdg_export_largest_solid_field(export);
        state->scratch[k] = malloc(((most > of_solids ? most : of_solids) + 1) * sizeof(double));
        is_made &= state->scratch[k] != NULL;
    }
    return is_made;
}

static cdg_result make_surfaces(const cdg_export *export, html_state *state, cdg_error *error) {
    state->surfaces = calloc(export->reader->solid_count + 1, sizeof *state->surfaces);
    if (state->surfaces == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < export->reader->solid_count && result == CDG_OK; i++)
        result = cdg_solid_surface_make(&export->reader->solids[i], &state->surfaces[i], error);
    return result;
}

static cdg_result html_begin(cdg_export *export, cdg_error *error) {
    html_state *state = calloc(1, sizeof *state);
    export->state = state;
    if (state == NULL) return cdg_export_fail_memory(export, error);
    const char *page = export->def.page, *mark = page != NULL ? strstr(page, CDG_EXPORT_PAGE_MARK) : NULL;
    if (mark == NULL) {
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                        "this cordage was built without its page (CORDAGE_VIEWER is off), so it cannot export to html; "
                        "--to gltf makes a file that other viewers show");
    }
    cdg_result result = cdg_export_rigids_make(export, &state->rigids, error);
    if (result == CDG_OK) result = make_surfaces(export, state, error);
    if (result != CDG_OK) return result;
    if (!make_blocks(export, state)) return cdg_export_fail_memory(export, error);
    double chunk = floor((double)chunk_bytes / (2 * numbers_of(export) + 1));
    state->pictures_per_chunk = chunk < 1 ? 1 : chunk > 1000 ? 1000 : (size_t)chunk;
    export->pass_count = 2;
    state->tail = mark + strlen(CDG_EXPORT_PAGE_MARK);
    result = cdg_export_set_main_file(export, 0, export->path, error);
    if (result == CDG_OK) result = cdg_whole_file_begin(export->path, &state->file, error);
    if (result != CDG_OK) return result;
    export->has_begun = true;
    return cdg_export_put(export, &state->file, page, (size_t)(mark - page), error);
}

static cdg_result write_chunk(cdg_export *export, html_state *state, cdg_error *error) {
    cdg_bytes_print(&state->text, "<script type=\"text/plain\" class=\"cordage-chunk\">");
    cdg_pack_chunk(&state->chunk, &state->text);
    cdg_bytes_print(&state->text, "</script>\n");
    cdg_bytes_clear(&state->chunk);
    for (size_t i = 0; i < BLOCK_COUNT; i++) cdg_pack_block_restart(&state->blocks[i]);
    return cdg_export_put_bytes(export, &state->file, &state->text, error);
}

static cdg_result html_write(cdg_export *export, size_t pass, size_t frame, cdg_error *error) {
    html_state *state = export->state;
    cdg_result result = CDG_OK;
    if (pass == 1 && frame == 0) result = put_description(export, state, error);
    if (result == CDG_OK) result = read_picture(export, state, frame, error);
    for (size_t i = 0; i < BLOCK_COUNT && result == CDG_OK; i++) {
        const double *values = state->values[i];
        if (pass == 0) cdg_pack_block_widen(&state->blocks[i], values, state->entries[i]);
        if (pass == 0 && i >= FIRST_FIELD) cdg_value_range_add(&state->ranges[i], values, state->entries[i]);
        if (pass == 1) cdg_pack_block_put(&state->blocks[i], values, state->entries[i], &state->chunk);
    }
    bool is_last = frame + 1 == export->frame_count || (frame + 1) % state->pictures_per_chunk == 0;
    if (result == CDG_OK && pass == 1 && is_last) result = write_chunk(export, state, error);
    return result;
}

static cdg_result html_end(cdg_export *export, cdg_error *error) {
    html_state *state = export->state;
    size_t size = export->def.page_size - (size_t)(state->tail - export->def.page);
    cdg_result result = cdg_export_put(export, &state->file, state->tail, size, error);
    if (result == CDG_OK) result = cdg_whole_file_end(&state->file, error);
    if (result == CDG_OK) export->file_count++;
    return result;
}

static void html_release(cdg_export *export) {
    html_state *state = export->state;
    if (state == NULL) return;
    cdg_whole_file_abandon(&state->file);
    cdg_export_rigids_free(&state->rigids);
    for (size_t i = 0; i < export->reader->solid_count && state->surfaces != NULL; i++)
        cdg_solid_surface_free(&state->surfaces[i]);
    free(state->surfaces);
    for (size_t i = 0; i < BLOCK_COUNT; i++) {
        cdg_pack_block_free(&state->blocks[i]);
        cdg_value_range_free(&state->ranges[i]);
        free(state->values[i]);
    }
    for (int k = 0; k < 2; k++) free(state->scratch[k]);
    free(state->contacts);
    cdg_bytes_free(&state->chunk);
    cdg_bytes_free(&state->text);
    free(state);
    export->state = NULL;
}

const cdg_export_operations cdg_export_html = {.large = 1e8,
                                               .has_fields = true,
                                               .is_picture = true,
                                               .estimate = html_estimate,
                                               .begin = html_begin,
                                               .write = html_write,
                                               .end = html_end,
                                               .release = html_release};
