// The structure of run.h5: groups, datasets, attributes; made once, found again for reading and resuming.
#define _POSIX_C_SOURCE 200809L
#include "output/run_layout.h"

#include "base/error.h"
#include "base/regular_file.h"
#include "output/disk.h"
#include "output/hdf5_file.h"
#include "output/run_fibers.h"
#include "output/run_groups.h"
#include "output/run_longer.h"
#include "output/run_origin.h"
#include "output/run_parts.h"
#include "output/run_ragged.h"
#include "output/run_sets.h"
#include "output/run_settings.h"

#include <cordage/contact.h>

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Room for contacts to begin with, which costs nothing until it is used; the file is made anew when more is needed.
static size_t contact_room(const cdg_world *world, size_t frame_count) {
    size_t elements = 0;
    for (size_t i = 0; i < cdg_world_rod_count(world); i++) {
        cdg_rod_info info;
        if (cdg_rod_get_info(world, cdg_world_rod_at(world, i), &info) == CDG_OK) elements += info.element_count;
    }
    size_t each = elements < 1024 ? elements + 16 : 1024, most = (size_t)1 << 24;
    return frame_count < most / each ? frame_count * each + 1 : most;
}

cdg_result cdg_run_layout_make(const cdg_world *world, size_t frame_count, size_t slot_words, cdg_run_layout *out,
                               cdg_error *error) {
    *out = (cdg_run_layout){.frame_count = frame_count, .slot_words = slot_words};
    out->contacts.is_there = out->contacts.has_places = cdg_world_contact(world).choice != CDG_CONTACT_OFF;
    out->contacts.room = contact_room(world, frame_count);
    cdg_result result = cdg_run_parts_make(world, out, error);
    for (size_t i = 0; i < out->rod_count && result == CDG_OK; i++)
        cdg_run_ragged_make(&out->rods[i], world, frame_count);
    if (result == CDG_OK) result = cdg_run_obstacles_make(world, &out->obstacles, error);
    if (result == CDG_OK) result = cdg_run_bodies_make(world, &out->bodies, error);
    if (result == CDG_OK) result = cdg_run_solids_make(world, &out->solids, error);
    if (result != CDG_OK) cdg_run_layout_free(out);
    return result;
}

void cdg_run_layout_free(cdg_run_layout *layout) {
    cdg_run_sets_free(layout);
    free(layout->rods);
    cdg_run_obstacles_free(&layout->obstacles);
    free(layout->fibers);
    cdg_run_bodies_free(&layout->bodies);
    cdg_run_solids_free(&layout->solids);
    *layout = (cdg_run_layout){0};
}

static const char *const section_names[] = {
#define SECTION_NAME(name, key) key,
    CDG_SECTION_LIST(SECTION_NAME)
#undef SECTION_NAME
};

const char *cdg_run_section_name(cdg_section_kind kind) { return section_names[kind]; }

bool cdg_run_section_find(const char *name, cdg_section_kind *out) {
    for (int kind = 0; kind < CDG_SECTION_KIND_COUNT; kind++) {
        if (strcmp(name, section_names[kind]) != 0) continue;
        *out = (cdg_section_kind)kind;
        return true;
    }
    return false;
}

void cdg_run_section_pack(const cdg_section *section, double out[2]) {
    bool is_round = section->kind == CDG_SECTION_CIRCLE || section->kind == CDG_SECTION_TUBE;
    const double *size = section->kind == CDG_SECTION_ELLIPSE ? section->semi_axis : section->side;
    out[0] = is_round ? section->radius : size[0];
    out[1] = !is_round ? size[1] : section->kind == CDG_SECTION_TUBE ? section->inner_radius : 0;
}

cdg_section cdg_run_section_unpack(cdg_section_kind kind, const double size[2]) {
    cdg_section section = {.kind = kind};
    if (kind == CDG_SECTION_CIRCLE || kind == CDG_SECTION_TUBE) section.radius = size[0];
    if (kind == CDG_SECTION_TUBE) section.inner_radius = size[1];
    if (kind == CDG_SECTION_ELLIPSE) memcpy(section.semi_axis, size, sizeof section.semi_axis);
    if (kind == CDG_SECTION_RECTANGLE) memcpy(section.side, size, sizeof section.side);
    return section;
}

double cdg_run_layout_bytes(const cdg_run_layout *layout) {
    double row = 1, fixed = 2 * (double)layout->slot_words; // numbers
    fixed += cdg_run_obstacles_numbers(&layout->obstacles, layout->frame_count);
    fixed += cdg_run_bodies_numbers(&layout->bodies, layout->frame_count);
    fixed += cdg_run_solids_numbers(&layout->solids, layout->frame_count);
#define ADD_ENERGY(name, text) row += 1;
    CDG_ENERGY_LIST(ADD_ENERGY)
#undef ADD_ENERGY
#define ADD_STATIC(name, units, text) row += layout->is_static ? 1 : 0;
    CDG_RUN_STATIC_LIST(ADD_STATIC)
#undef ADD_STATIC
    if (layout->contacts.is_there) row += 3;
    if (layout->contacts.has_places) fixed += (double)(layout->contacts.room * cdg_run_contact_numbers());
    for (size_t i = 0; i < layout->rod_count; i++) {
        const cdg_rod_info *info = &layout->rods[i].info;
        if (layout->rods[i].adapts) {
            fixed += cdg_run_ragged_numbers(&layout->rods[i], layout->frame_count);
            continue;
        }
        for (int k = 0; k < CDG_FIELD_COUNT; k++)
            if (cdg_run_has_field(&layout->rods[i], (cdg_field)k))
                row += (double)(cdg_run_field_row(info, (cdg_field)k) * cdg_run_number_size(&layout->rods[i])) / 8;
#define ADD_FIXED(name, per, components, units, text) fixed += (double)cdg_run_row(info, per, components);
        CDG_RUN_ROD_CONSTANT_LIST(ADD_FIXED)
#undef ADD_FIXED
        fixed += (double)layout->mode_count * (1 + 3 * (double)info->node_count);
    }
    return 8 * (row * (double)layout->frame_count + fixed);
}

// Making and finding walk through the same datasets; `visit` is what is done with each.
typedef cdg_block_visit *block_visit;

static bool visit_create(hid_t group, cdg_hdf5_block *block, uint64_t file_size) {
    (void)file_size;
    return cdg_hdf5_create_block(group, block);
}

static bool visit_rod(cdg_run_rod_entry *rod, hid_t group, block_visit visit, size_t frame_count, uint64_t file_size,
                      const char **culprit) {
    cdg_hdf5_block block;
    if (rod->adapts) return cdg_run_ragged_visit(rod, group, visit, frame_count, file_size, culprit);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        cdg_field_info field = cdg_field_get((cdg_field)i);
        if (!cdg_run_has_field(rod, (cdg_field)i)) continue;
        block = (cdg_hdf5_block){.name = field.name,
                                 .type = rod->is_single ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE,
                                 .rank = field.component_count > 1 ? 3 : 2,
                                 .size = {frame_count, cdg_run_row(&rod->info, field.per, 1), field.component_count},
                                 .units = field.units,
                                 .description = field.description,
                                 .is_optional = (field.traits & CDG_FIELD_LATER) != 0};
        *culprit = field.name;
        if (!visit(group, &block, file_size)) return false;
        rod->fields[i] = block.offset;
    }
#define VISIT(dataset, per, components, units_text, text)                                                              \
    block = (cdg_hdf5_block){.name = #dataset,                                                                         \
                             .type = H5T_NATIVE_DOUBLE,                                                                \
                             .rank = (components) > 1 ? 2 : 1,                                                         \
                             .size = {cdg_run_row(&rod->info, per, 1), (components)},                                  \
                             .units = units_text,                                                                      \
                             .description = text,                                                                      \
                             .is_optional = strcmp(#dataset, "section_size") == 0};                                    \
    *culprit = #dataset;                                                                                               \
    if (!visit(group, &block, file_size)) return false;                                                                \
    rod->dataset = block.offset;
    CDG_RUN_ROD_CONSTANT_LIST(VISIT)
#undef VISIT
    return true;
}

static bool visit_modes(cdg_run_rod_entry *rod, hid_t group, block_visit visit, size_t mode_count, uint64_t file_size,
                        const char **culprit) {
    cdg_hdf5_block frequencies, shapes;
    cdg_run_mode_blocks(mode_count, rod->info.node_count, "kg^-1/2",
                        "moves of the nodes in each mode, world axes, with unit modal mass", &frequencies, &shapes);
    *culprit = frequencies.name;
    if (!visit(group, &frequencies, file_size)) return false;
    *culprit = shapes.name;
    if (!visit(group, &shapes, file_size)) return false;
    rod->mode_frequencies = frequencies.offset;
    rod->mode_shapes = shapes.offset;
    return true;
}

static bool visit_static(cdg_run_layout *layout, hid_t group, block_visit visit, uint64_t file_size,
                         const char **culprit) {
    cdg_hdf5_block block;
#define VISIT(member, units_text, text)                                                                                \
    block = (cdg_hdf5_block){.name = #member,                                                                          \
                             .type = H5T_NATIVE_DOUBLE,                                                                \
                             .rank = 1,                                                                                \
                             .size = {layout->frame_count},                                                            \
                             .units = units_text,                                                                      \
                             .description = text};                                                                     \
    *culprit = #member;                                                                                                \
    if (!visit(group, &block, file_size)) return false;                                                                \
    layout->static_##member = block.offset;
    CDG_RUN_STATIC_LIST(VISIT)
#undef VISIT
    return true;
}

static bool visit_energy(cdg_run_layout *layout, hid_t group, block_visit visit, uint64_t file_size,
                         const char **culprit) {
    cdg_hdf5_block block;
#define VISIT(member, text)                                                                                            \
    block = (cdg_hdf5_block){.name = #member,                                                                          \
                             .type = H5T_NATIVE_DOUBLE,                                                                \
                             .rank = 1,                                                                                \
                             .size = {layout->frame_count},                                                            \
                             .units = "J",                                                                             \
                             .description = "energy of all rods: " text,                                               \
                             .is_optional = strcmp(#member, "adapted") == 0};                                          \
    *culprit = #member;                                                                                                \
    if (!visit(group, &block, file_size)) return false;                                                                \
    layout->energy_##member = block.offset;
    CDG_ENERGY_LIST(VISIT)
#undef VISIT
    return true;
}

static bool visit_contact_rows(cdg_run_contacts *contacts, hid_t group, block_visit visit, uint64_t file_size) {
    cdg_hdf5_block block;
#define VISIT(member, numbers, units_text, text)                                                                       \
    block = (cdg_hdf5_block){.name = #member,                                                                          \
                             .type = (numbers) == 6 ? H5T_NATIVE_UINT64 : H5T_NATIVE_DOUBLE,                           \
                             .rank = (numbers) == 6  ? 3                                                               \
                                     : (numbers) > 1 ? 2                                                               \
                                                     : 1,                                                              \
                             .size = {contacts->room, (numbers) == 6 ? 2 : (numbers), 3},                              \
                             .units = units_text,                                                                      \
                             .description = text};                                                                     \
    if (!visit(group, &block, file_size)) return false;                                                                \
    contacts->room = (size_t)block.size[0];                                                                            \
    contacts->member = block.offset;
    CDG_RUN_CONTACT_LIST(VISIT)
#undef VISIT
    return true;
}

static bool visit_contacts(cdg_run_layout *layout, hid_t group, block_visit visit, uint64_t file_size) {
    cdg_run_contacts *contacts = &layout->contacts;
    cdg_hdf5_block count = {.name = "count",
                            .type = H5T_NATIVE_DOUBLE,
                            .rank = 1,
                            .size = {layout->frame_count},
                            .units = "1",
                            .description = "places where rods, solids and bodies touch each other and obstacles"};
    cdg_hdf5_block deepest = count, first = count;
    deepest.name = "deepest";
    deepest.description = "deepest penetration of a rod or a solid, in radii or thicknesses";
    first.name = "first";
    first.description = "row of the output's first contact in the other datasets of this group";
    if (!visit(group, &count, file_size) || !visit(group, &deepest, file_size)) return false;
    contacts->count = count.offset;
    contacts->deepest = deepest.offset;
    if (!contacts->has_places) return true;
    if (!visit(group, &first, file_size)) return false;
    contacts->first = first.offset;
    return visit_contact_rows(contacts, group, visit, file_size);
}

static bool create_contacts(cdg_run_layout *layout, hid_t file) {
    if (!layout->contacts.is_there) return true;
    hid_t group = H5Gcreate2(file, "contacts", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return false;
    bool is_done = visit_contacts(layout, group, visit_create, 0);
    return H5Gclose(group) >= 0 && is_done;
}

static bool find_contacts(cdg_run_layout *layout, hid_t file, uint64_t file_size) {
    layout->contacts = (cdg_run_contacts){.is_there = H5Lexists(file, "contacts", H5P_DEFAULT) > 0};
    if (!layout->contacts.is_there) return true;
    hid_t group = H5Gopen2(file, "contacts", H5P_DEFAULT);
    if (group < 0) return false;
    layout->contacts.has_places = H5Lexists(group, "sides", H5P_DEFAULT) > 0; // how many, the file tells
    bool is_found = visit_contacts(layout, group, cdg_hdf5_find_block, file_size);
    return H5Gclose(group) >= 0 && is_found;
}

static bool visit_checkpoint(cdg_run_layout *layout, hid_t group, block_visit visit, uint64_t file_size,
                             const char **culprit) {
    static const char *const names[2] = {"slot_0", "slot_1"};
    for (int i = 0; i < 2; i++) {
        cdg_hdf5_block block = {.name = names[i],
                                .type = H5T_NATIVE_UINT64,
                                .rank = 1,
                                .size = {layout->slot_words},
                                .units = "1",
                                .description = "state for resuming the run; private to cordage"};
        *culprit = names[i];
        if (!visit(group, &block, file_size)) return false;
        layout->checkpoint[i] = block.offset;
    }
    return true;
}

static bool put_settings(hid_t object, void (*write)(cdg_json *, const void *), const void *subject) {
    cdg_json json = {0};
    write(&json, subject);
    const char *text = cdg_json_finish(&json);
    bool is_done = text != NULL && cdg_hdf5_put_text(object, "settings", text);
    cdg_json_free(&json);
    return is_done;
}
static void write_scene_settings(cdg_json *json, const void *scene) { cdg_run_settings_write(json, NULL, scene); }
static void write_rod_settings(cdg_json *json, const void *rod) { cdg_run_settings_write_rod(json, NULL, rod); }

static const char *text_or_empty(const char *text) { return text != NULL ? text : ""; }

static bool has_single(const cdg_run_layout *layout) {
    for (size_t i = 0; i < layout->rod_count; i++)
        if (layout->rods[i].is_single) return true;
    return false;
}

static uint64_t format_of(const cdg_run_layout *layout) {
    if (has_single(layout)) return CDG_RUN_FORMAT_VERSION;
    if (layout->rod_count > 0 && layout->rods[0].left_out != 0) return CDG_RUN_FORMAT_FIELDS;
    for (size_t i = 0; i < layout->rod_count; i++)
        if (layout->rods[i].adapts) return CDG_RUN_FORMAT_ADAPTIVE;
    return CDG_RUN_FORMAT_FIXED;
}

// The attribute `fields`: names of the fields that the file holds, where some are left out.
static bool put_fields(const cdg_run_layout *layout, hid_t file) {
    char text[512] = "";
    size_t length = 0;
    if (layout->rod_count == 0 || layout->rods[0].left_out == 0) return true;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        if ((layout->rods[0].left_out & cdg_field_bit((cdg_field)k)) == 0)
            length += (size_t)snprintf(text + length, sizeof text - length, "%s%s", length > 0 ? " " : "",
                                       cdg_field_get((cdg_field)k).name);
    assert(length < sizeof text);
    return cdg_hdf5_put_text(file, "fields", text);
}

static bool find_fields(cdg_run_layout *layout, hid_t file) {
    if (H5Aexists(file, "fields") <= 0) return true;
    char *text = NULL;
    if (!cdg_hdf5_get_text(file, "fields", &text)) return false;
    cdg_field_set left_out = 0;
    for (int k = 0; k < CDG_FIELD_COUNT; k++)
        if ((cdg_field_get((cdg_field)k).traits & CDG_FIELD_ALWAYS) == 0) left_out |= cdg_field_bit((cdg_field)k);
    char *rest = NULL;
    for (char *name = strtok_r(text, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
        cdg_field field;
        if (cdg_field_find(name, &field)) left_out &= ~cdg_field_bit(field);
    }
    free(text);
    for (size_t i = 0; i < layout->rod_count; i++) layout->rods[i].left_out = left_out;
    return true;
}

// The attribute `precision`: "single"; where there is none, fields are in double precision.
static bool put_precision(const cdg_run_layout *layout, hid_t file) {
    return !has_single(layout) || cdg_hdf5_put_text(file, "precision", "single");
}

static bool find_precision(cdg_run_layout *layout, hid_t file) {
    static const char *const words[] = {"single"};
    int word;
    if (H5Aexists(file, "precision") <= 0) return true;
    if (!cdg_hdf5_get_word(file, "precision", words, 1, &word)) return false;
    for (size_t i = 0; i < layout->rod_count; i++) cdg_run_set_form(&layout->rods[i], layout->rods[i].left_out, true);
    return true;
}

static bool put_attributes(const cdg_run_layout *layout, hid_t file, const cdg_scene *scene, const cdg_run_plan *plan) {
    return cdg_hdf5_put_text(file, "format", CDG_RUN_FORMAT) &&
           cdg_hdf5_put_integer(file, "format_version", format_of(layout)) && put_fields(layout, file) &&
           put_precision(layout, file) && cdg_hdf5_put_text(file, "version", cdg_version()) &&
           cdg_hdf5_put_text(file, "title", text_or_empty(scene->title)) &&
           cdg_hdf5_put_text(file, "model", cdg_run_model_name(scene->model)) &&
           cdg_hdf5_put_text(file, "scene", text_or_empty(scene->text)) &&
           cdg_hdf5_put_text(file, "scene_name", text_or_empty(scene->name)) &&
           cdg_hdf5_put_text(file, "overrides", text_or_empty(scene->overrides)) &&
           put_settings(file, write_scene_settings, scene) && cdg_hdf5_put_number(file, "step", plan->step) &&
           cdg_hdf5_put_text(file, "step_reason", plan->reason) &&
           cdg_hdf5_put_integer(file, "steps_per_output", plan->steps_per_output) &&
           cdg_hdf5_put_number(file, "output_every", plan->every) && cdg_hdf5_put_number(file, "end_time", plan->end) &&
           cdg_hdf5_put_integer(file, "outputs_planned", plan->frame_count) && cdg_run_origin_put(file, scene) &&
           cdg_hdf5_put_text(
               file, "description",
               "A simulation of elastic rods. All datasets are in SI units; the first index is the output. "
               "Outputs that were not reached have time NaN and no meaning.");
}

static bool create_rods(cdg_run_layout *layout, hid_t parent, const cdg_scene *scene) {
    const char *culprit = NULL;
    for (size_t i = 0; i < layout->rod_count; i++) {
        cdg_run_rod_entry *rod = &layout->rods[i];
        if (rod->set > 0) continue;
        hid_t group = H5Gcreate2(parent, rod->info.name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
        if (group < 0) return false;
        bool is_done = cdg_hdf5_put_text(group, "model", cdg_run_model_name(rod->info.model)) &&
                       cdg_hdf5_put_integer(group, "is_closed", rod->info.is_closed) &&
                       cdg_hdf5_put_number(group, "length", rod->info.length) &&
                       cdg_hdf5_put_number(group, "mass", rod->info.mass) &&
                       cdg_hdf5_put_text(group, "section", cdg_run_section_name(rod->info.section_kind)) &&
                       cdg_hdf5_put_integer(group, "place", i) &&
                       (!rod->adapts || cdg_hdf5_put_integer(group, "node_capacity", rod->node_capacity));
        if (is_done && (scene->rod_count == layout->rod_count || scene->cut_count > 0)) {
            is_done = put_settings(group, write_rod_settings, &scene->rods[rod->part.root]);
        }
        if (is_done && rod->is_part) {
            is_done = cdg_hdf5_put_text(group, "cut_from", scene->rods[rod->part.root].name) &&
                      cdg_hdf5_put_integer(group, "cut_element", rod->part.first) &&
                      cdg_hdf5_put_number(group, "cut_time", rod->cut_time);
        }
        is_done = is_done && visit_rod(rod, group, visit_create, layout->frame_count, 0, &culprit);
        if (is_done && layout->mode_count > 0) {
            is_done = visit_modes(rod, group, visit_create, layout->mode_count, 0, &culprit);
        }
        is_done = H5Gclose(group) >= 0 && is_done;
        if (!is_done) return false;
    }
    return true;
}

static bool create_set(cdg_run_layout *layout, size_t number, hid_t parent, const cdg_scene *scene) {
    const char *culprit = NULL;
    char name[24];
    size_t first = layout->sets[number].rods[0];
    const cdg_rod_info *info = &layout->rods[first].info;
    snprintf(name, sizeof name, "%zu", number);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0) return false;
    bool is_done = cdg_hdf5_put_text(group, "model", cdg_run_model_name(info->model)) &&
                   cdg_hdf5_put_integer(group, "is_closed", info->is_closed) &&
                   cdg_hdf5_put_text(group, "section", cdg_run_section_name(info->section_kind)) &&
                   put_settings(group, write_rod_settings, &scene->rods[first]) &&
                   cdg_hdf5_put_text(group, "description",
                                     "Rods that are alike: as a group of /rods, with one more index after that of the "
                                     "output, by the rod's index in 'names'.") &&
                   cdg_run_set_visit(layout, number, group, visit_create, 0, &culprit);
    return H5Gclose(group) >= 0 && is_done;
}

static bool create_sets(cdg_run_layout *layout, hid_t file, const cdg_scene *scene) {
    if (layout->set_count == 0) return true;
    hid_t sets = H5Gcreate2(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    bool is_done = sets >= 0;
    for (size_t s = 0; s < layout->set_count && is_done; s++) is_done = create_set(layout, s, sets, scene);
    if (sets >= 0) H5Gclose(sets);
    return is_done;
}

static bool create_structure(cdg_run_layout *layout, hid_t file, const cdg_scene *scene, const cdg_run_plan *plan) {
    const char *culprit = NULL;
    hid_t rods = H5Gcreate2(file, "rods", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t energy = H5Gcreate2(file, "energy", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t checkpoint = H5Gcreate2(file, "checkpoint", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t statics = layout->is_static ? H5Gcreate2(file, "static", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
    cdg_hdf5_block time = {.name = "time",
                           .type = H5T_NATIVE_DOUBLE,
                           .rank = 1,
                           .size = {layout->frame_count},
                           .units = "s",
                           .description = "time of each output; NaN: not reached"};
    bool is_done = rods >= 0 && energy >= 0 && checkpoint >= 0 && put_attributes(layout, file, scene, plan) &&
                   cdg_hdf5_create_block(file, &time) && create_rods(layout, rods, scene) &&
                   create_sets(layout, file, scene) &&
                   cdg_run_obstacles_create(&layout->obstacles, file, layout->frame_count) &&
                   cdg_run_fibers_create(file, scene, layout->fibers) &&
                   cdg_run_bodies_create(&layout->bodies, file, layout->frame_count) &&
                   cdg_run_solids_create(&layout->solids, file, layout->frame_count) &&
                   visit_energy(layout, energy, visit_create, 0, &culprit) && create_contacts(layout, file) &&
                   visit_checkpoint(layout, checkpoint, visit_create, 0, &culprit) &&
                   (!layout->is_static || (statics >= 0 && visit_static(layout, statics, visit_create, 0, &culprit)));
    layout->time = time.offset;
    if (statics >= 0) H5Gclose(statics);
    if (checkpoint >= 0) H5Gclose(checkpoint);
    if (energy >= 0) H5Gclose(energy);
    if (rods >= 0) H5Gclose(rods);
    return is_done;
}

// HDF5 does not bear a disk that fills up while it writes its own tables, or a file that becomes too long: closing
// the file then fails, and the process crashes when it ends. So the room it will need is claimed with plain calls
// before, where a failure is harmless; creating the file proper frees it again at once.
static cdg_result claim_room(const cdg_run_layout *layout, const cdg_scene *scene, const char *path, cdg_error *error) {
    // measured: 1.1 kB a dataset, attributes included, and 12 kB for the rest
    size_t parts = layout->set_count + layout->obstacles.count + layout->bodies.count + scene->strands_count + 2;
    size_t names = 0;
    for (size_t i = 0; i < layout->rod_count; i++)
        parts += layout->rods[i].set > 0 ? 0 : layout->rods[i].adapts ? 2 : 1;
    for (size_t s = 0; s < layout->set_count; s++) names += layout->sets[s].count * (layout->sets[s].name_size + 24);
    size_t size = 65536 + parts * 20480 + names + 2 * scene->text_size;
    cdg_result result = cdg_regular_file_check_target(path, error);
    if (result != CDG_OK) return result;
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor < 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot create: %s", path, strerror(errno));
    static const char zeros[65536] = {0};
    for (size_t at = 0; at < size && result == CDG_OK; at += sizeof zeros) {
        result = cdg_disk_write_at(descriptor, path, zeros, sizeof zeros, at, error);
    }
    double bytes = cdg_run_layout_bytes(layout) + cdg_run_fibers_bytes(scene) + (double)size;
    if (result == CDG_OK && ftruncate(descriptor, (off_t)bytes) != 0) {
        result = cdg_fail(error, CDG_ERROR_IO, "%s: the run would take %.3g MB: %s; write outputs less often", path,
                          bytes / 1e6, strerror(errno));
    }
    close(descriptor);
    return result;
}

cdg_result cdg_run_layout_create(cdg_run_layout *layout, const char *path, const cdg_scene *scene,
                                 const cdg_run_plan *plan, cdg_error *error) {
    double bytes = cdg_run_layout_bytes(layout);
    if (!(bytes < 0x1p62)) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: the run would take %g bytes; write outputs less often", path, bytes);
    }
    free(layout->fibers);
    layout->fibers = calloc(scene->strands_count + 1, sizeof *layout->fibers);
    if (layout->fibers == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "%s: out of memory", path);
    cdg_result result = claim_room(layout, scene, path, error);
    if (result != CDG_OK) return result;

    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = cdg_hdf5_create(path);
    bool is_done = file >= 0 && create_structure(layout, file, scene, plan);
    if (file >= 0) is_done = H5Fclose(file) >= 0 && is_done;
    cdg_hdf5_quiet_end(&quiet);
    if (!is_done) {
        return cdg_fail(error, CDG_ERROR_IO, "%s: cannot create a run file of %.3g MB: %s", path, bytes / 1e6,
                        quiet.reason);
    }
    return CDG_OK;
}

// ---- finding --------------------------------------------------------------------------------------------------------

static cdg_result check_text(hid_t file, const char *path, const char *name, const char *expected, const char *cure,
                             cdg_error *error) {
    char *text = NULL;
    cdg_result result = CDG_OK;
    if (!cdg_hdf5_get_text(file, name, &text)) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a run of cordage: it has no '%s'", path, name);
    } else if (strcmp(text, expected) != 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: %s", path, cure);
    }
    free(text);
    return result;
}

static cdg_result check_version(const cdg_run_layout *layout, hid_t file, const char *path, cdg_error *error) {
    cdg_result result = check_text(file, path, "format", CDG_RUN_FORMAT, "this is not a run of cordage", error);
    uint64_t format = 0;
    if (result == CDG_OK && !cdg_hdf5_get_integer(file, "format_version", &format)) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a run of cordage: it has no 'format_version'", path);
    }
    char *version = NULL;
    if (result == CDG_OK && !cdg_hdf5_get_text(file, "version", &version)) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a run of cordage: it has no 'version'", path);
    }
    if (result == CDG_OK && format != format_of(layout)) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT,
                     "%s: the run has format %llu, and this cordage continues format %llu only: run the scene anew",
                     path, (unsigned long long)format, (unsigned long long)format_of(layout));
    }
    if (result == CDG_OK && strcmp(version, cdg_version()) != 0) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT,
                     "%s: the run was made by cordage %s and this is %s; only the same version continues it exactly: "
                     "use that version, or run the scene anew",
                     path, version, cdg_version());
    }
    free(version);
    return result;
}

// The run's own, or those and a later end.
static cdg_result check_overrides(hid_t file, const char *path, const char *now, bool *is_longer, cdg_error *error) {
    char *then = NULL;
    *is_longer = cdg_hdf5_get_text(file, "overrides", &then) && cdg_run_longer_is(then, now);
    free(then);
    if (*is_longer) return CDG_OK;
    return check_text(file, path, "overrides", now,
                      "the run was made with other overrides (--set); resume with the same, or run it anew", error);
}

static cdg_result check_run(const cdg_run_layout *layout, hid_t file, const char *path, const cdg_scene *scene,
                            const cdg_run_plan *plan, cdg_error *error) {
    cdg_result result = check_version(layout, file, path, error);
    if (result == CDG_OK) {
        result = check_text(
            file, path, "scene", text_or_empty(scene->text),
            "the run was made from another scene text; resume with the scene as it was (--until T for a later "
            "end), or run it anew",
            error);
    }
    bool is_longer = false;
    if (result == CDG_OK) result = check_overrides(file, path, text_or_empty(scene->overrides), &is_longer, error);
    if (result != CDG_OK) return result;
    double step = 0;
    uint64_t frames = 0, steps = 0;
    if (!cdg_hdf5_get_number(file, "step", &step) || !cdg_hdf5_get_integer(file, "outputs_planned", &frames) ||
        !cdg_hdf5_get_integer(file, "steps_per_output", &steps)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a run of cordage: its step is missing", path);
    }
    bool has_outputs = is_longer ? frames < plan->frame_count : frames == plan->frame_count;
    if (step != plan->step || !has_outputs || steps != plan->steps_per_output) {
        return cdg_fail(
            error, CDG_ERROR_FORMAT,
            "%s: the run has %llu outputs and steps of %.17g s, the scene now gives %zu outputs and steps of "
            "%.17g s; resume with the scene as it was, or run it anew",
            path, (unsigned long long)frames, step, plan->frame_count, plan->step);
    }
    return CDG_OK;
}

static bool visit_find_readable(hid_t group, cdg_hdf5_block *block, uint64_t file_size) {
    if (block->is_optional && H5Lexists(group, block->name, H5P_DEFAULT) <= 0) {
        block->offset = 0;
        return true;
    }
    return cdg_hdf5_find_block(group, block, file_size);
}

// Leaves what is there when the file does not tell.
static cdg_result find_section_kind(hid_t group, const char *path, cdg_rod_info *info, cdg_error *error) {
    if (H5Aexists(group, "section") == 0) return CDG_OK;
    char *name = NULL;
    bool is_known = cdg_hdf5_get_text(group, "section", &name) && cdg_run_section_find(name, &info->section_kind);
    cdg_result result = CDG_OK;
    if (!is_known) {
        result =
            cdg_fail(error, CDG_ERROR_FORMAT, "%s: the section of rod '%s' is '%s', which this cordage does not know",
                     path, info->name, name != NULL ? name : "");
    }
    free(name);
    return result;
}

// Which modes the file holds; as many of each rod.
static cdg_result find_modes(cdg_run_layout *layout, hid_t group, cdg_run_rod_entry *rod, const char *path,
                             uint64_t file_size, bool for_reading, cdg_error *error) {
    const char *culprit = "mode_frequencies";
    if (for_reading && H5Lexists(group, culprit, H5P_DEFAULT) > 0) {
        cdg_hdf5_block block = {.name = culprit, .type = H5T_NATIVE_DOUBLE, .rank = 1}; // size[0] is found
        if (cdg_hdf5_find_block(group, &block, file_size)) layout->mode_count = (size_t)block.size[0];
    }
    if (layout->mode_count == 0 ||
        visit_modes(rod, group, cdg_hdf5_find_block, layout->mode_count, file_size, &culprit)) {
        return CDG_OK;
    }
    return cdg_fail(error, CDG_ERROR_FORMAT, "%s: '%s' of rod '%s' is damaged", path, culprit, rod->info.name);
}

static cdg_result find_rods(cdg_run_layout *layout, hid_t parent, block_visit visit, const char *path,
                            uint64_t file_size, cdg_error *error) {
    H5G_info_t info;
    size_t single_count = layout->rod_count;
    for (size_t s = 0; s < layout->set_count; s++) single_count -= layout->sets[s].count;
    if (H5Gget_info(parent, &info) < 0 || info.nlinks != single_count) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run does not hold the scene's %zu rods", path,
                        layout->rod_count);
    }
    for (size_t i = 0; i < layout->rod_count; i++) {
        cdg_run_rod_entry *rod = &layout->rods[i];
        if (rod->set > 0) continue;
        if (H5Lexists(parent, rod->info.name, H5P_DEFAULT) <= 0) {
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has no rod '%s'", path, rod->info.name);
        }
        const char *culprit = "group";
        rod->room = 0; // the file tells
        hid_t group = H5Gopen2(parent, rod->info.name, H5P_DEFAULT);
        bool is_found = group >= 0 && visit_rod(rod, group, visit, layout->frame_count, file_size, &culprit);
        bool is_there = is_found || (group >= 0 && H5Lexists(group, culprit, H5P_DEFAULT) > 0);
        cdg_result result = is_found ? find_section_kind(group, path, &rod->info, error) : CDG_OK;
        if (is_found && result == CDG_OK) {
            result = find_modes(layout, group, rod, path, file_size, visit == visit_find_readable, error);
        }
        if (group >= 0) H5Gclose(group);
        if (!is_there) {
            return cdg_fail(error, CDG_ERROR_FORMAT,
                            "%s: '%s' of rod '%s' is not stored in this run; run the scene anew", path, culprit,
                            rod->info.name);
        }
        if (!is_found) {
            return cdg_fail(error, CDG_ERROR_FORMAT,
                            "%s: '%s' of rod '%s' is damaged or was made for another number of elements than %zu", path,
                            culprit, rod->info.name, rod->info.element_count);
        }
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

static cdg_result find_set(cdg_run_layout *layout, size_t number, hid_t sets, block_visit visit, const char *path,
                           uint64_t file_size, cdg_error *error) {
    const char *culprit = "group";
    char name[24];
    const cdg_run_set *set = &layout->sets[number];
    snprintf(name, sizeof name, "%zu", number);
    hid_t group = H5Lexists(sets, name, H5P_DEFAULT) > 0 ? H5Gopen2(sets, name, H5P_DEFAULT) : -1;
    bool is_found = group >= 0 && cdg_run_set_visit(layout, number, group, visit, file_size, &culprit);
    cdg_rod_info *first = &layout->rods[set->rods[0]].info;
    cdg_result result = is_found ? find_section_kind(group, path, first, error) : CDG_OK;
    for (size_t i = 1; i < set->count; i++) layout->rods[set->rods[i]].info.section_kind = first->section_kind;
    if (group >= 0) H5Gclose(group);
    if (is_found) return result;
    return cdg_fail(error, CDG_ERROR_FORMAT,
                    "%s: '%s' of the set of rods number %zu is missing, damaged or was made for other rods", path,
                    culprit, number);
}

static cdg_result find_sets(cdg_run_layout *layout, hid_t file, block_visit visit, const char *path, uint64_t file_size,
                            cdg_error *error) {
    if (layout->set_count == 0) return CDG_OK;
    bool is_there = H5Lexists(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT) > 0;
    hid_t sets = is_there ? H5Gopen2(file, CDG_RUN_SETS_GROUP, H5P_DEFAULT) : -1;
    cdg_result result = CDG_OK;
    if (sets < 0) result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run has no sets of rods", path);
    for (size_t s = 0; s < layout->set_count && result == CDG_OK; s++)
        result = find_set(layout, s, sets, visit, path, file_size, error);
    if (sets >= 0) H5Gclose(sets);
    return result;
}

static cdg_result find_structure(cdg_run_layout *layout, hid_t file, const char *path, uint64_t file_size,
                                 bool for_reading, cdg_error *error) {
    cdg_hdf5_block time = {.name = "time", .type = H5T_NATIVE_DOUBLE, .rank = 1}; // size[0] is found
    if (!cdg_hdf5_find_block(file, &time, file_size)) {
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'time' is damaged", path);
    }
    layout->time = time.offset;
    layout->frame_count = (size_t)time.size[0];
    if (for_reading && !find_fields(layout, file))
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: its attribute 'fields'", path);
    if (for_reading && !find_precision(layout, file))
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: its attribute 'precision'", path);

    const char *culprit = "group";
    hid_t rods = H5Gopen2(file, "rods", H5P_DEFAULT), energy = H5Gopen2(file, "energy", H5P_DEFAULT),
          checkpoint = H5Gopen2(file, "checkpoint", H5P_DEFAULT);
    cdg_result result = CDG_OK;
    if (rods < 0 || energy < 0 || checkpoint < 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: the run is damaged: a group is missing", path);
    }
    block_visit visit = for_reading ? visit_find_readable : cdg_hdf5_find_block;
    if (result == CDG_OK) result = find_rods(layout, rods, visit, path, file_size, error);
    if (result == CDG_OK) result = find_sets(layout, file, visit, path, file_size, error);
    if (result == CDG_OK &&
        !(for_reading ? cdg_run_obstacles_discover(&layout->obstacles, file, layout->frame_count, file_size, path)
                      : cdg_run_obstacles_find(&layout->obstacles, file, layout->frame_count, file_size))) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'obstacles' is damaged or was made for another scene", path);
    }
    if (result == CDG_OK &&
        !(for_reading ? cdg_run_bodies_discover(&layout->bodies, file, layout->frame_count, file_size, path)
                      : cdg_run_bodies_find(&layout->bodies, file, layout->frame_count, file_size))) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'bodies' is damaged or was made for another scene", path);
    }
    if (result == CDG_OK &&
        !(for_reading ? cdg_run_solids_discover(&layout->solids, file, layout->frame_count, file_size, path)
                      : cdg_run_solids_find(&layout->solids, file, layout->frame_count, file_size))) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'solids' is damaged or was made for another scene", path);
    }
    if (layout->mode_count == 0) layout->mode_count = layout->solids.mode_count; // a run without rods
    if (result == CDG_OK && !visit_energy(layout, energy, visit, file_size, &culprit)) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'energy/%s' is damaged", path, culprit);
    }
    if (result == CDG_OK && !find_contacts(layout, file, file_size)) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'contacts' is damaged", path);
    }
    if (result == CDG_OK && !for_reading &&
        !visit_checkpoint(layout, checkpoint, cdg_hdf5_find_block, file_size, &culprit)) {
        result = cdg_fail(error, CDG_ERROR_FORMAT,
                          "%s: 'checkpoint/%s' is damaged, or was made for another scene or by a version that "
                          "keeps other numbers; run the scene anew",
                          path, culprit);
    }
    if (for_reading) layout->is_static = H5Lexists(file, "static", H5P_DEFAULT) > 0;
    if (result == CDG_OK && layout->is_static) {
        hid_t statics = H5Gopen2(file, "static", H5P_DEFAULT);
        if (statics < 0 || !visit_static(layout, statics, cdg_hdf5_find_block, file_size, &culprit)) {
            result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: 'static/%s' is damaged", path, culprit);
        }
        if (statics >= 0) H5Gclose(statics);
    }
    if (checkpoint >= 0) H5Gclose(checkpoint);
    if (energy >= 0) H5Gclose(energy);
    if (rods >= 0) H5Gclose(rods);
    return result;
}

// `scene` is NULL for reading alone.
static cdg_result find(cdg_run_layout *layout, const char *path, const cdg_scene *scene, const cdg_run_plan *plan,
                       cdg_error *error) {
    struct stat status;
    if (stat(path, &status) != 0) {
        const char *what = scene != NULL ? "run to resume" : "run";
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: there is no %s: %s", path, what, strerror(errno));
    }
    cdg_hdf5_quiet quiet;
    cdg_hdf5_quiet_begin(&quiet);
    hid_t file = S_ISREG(status.st_mode) ? cdg_hdf5_open(path) : -1;
    cdg_result result = CDG_OK;
    if (file < 0) {
        result = cdg_fail(error, CDG_ERROR_FORMAT, "%s: this is not a whole run file: %s", path,
                          quiet.reason[0] != '\0' ? quiet.reason : "a regular file is needed");
    } else {
        if (scene != NULL) result = check_run(layout, file, path, scene, plan, error);
        if (result == CDG_OK) {
            result = find_structure(layout, file, path, (uint64_t)status.st_size, scene == NULL, error);
        }
        H5Fclose(file);
    }
    cdg_hdf5_quiet_end(&quiet);
    return result;
}

cdg_result cdg_run_layout_find(cdg_run_layout *layout, const char *path, const cdg_scene *scene,
                               const cdg_run_plan *plan, cdg_error *error) {
    return find(layout, path, scene, plan, error);
}

cdg_result cdg_run_layout_find_readable(cdg_run_layout *layout, const char *path, cdg_error *error) {
    return find(layout, path, NULL, NULL, error);
}
