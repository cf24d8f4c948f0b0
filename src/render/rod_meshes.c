// One skin a rod. Sections that a picture could not show are drawn thicker, and it is noted by how much.
#include "render/rod_meshes.h"

#include "base/error.h"
#include "geometry/shape_surface.h"
#include "geometry/skin.h"
#include "math/quat.h"
#include "output/run_looks.h"
#include "output/solid_surface.h"
#include "render/contact_arrows.h"
#include "render/held_faces.h"
#include "render/name_list.h"
#include "render/node_marks.h"
#include "render/support_marks.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

// Lit sides get about half again the light that would show a colour as it is; fields are to look like their legend.
static const float field_share = 0.66F;

// In picture units, in which all is within 1 of the middle.
static const double longest_arrow = 0.35;

struct cdg_rod_meshes_memory {
    cdg_skin **skins;
    size_t skin_count;
    bool colors_rods;          // by a field
    double thickest;           // m, radius of the thickest section of all
    cdg_shape_surface *rigids; // those that are drawn
    size_t *rigid_at;          // index of each in the run
    size_t rigid_count;
    cdg_solid_surface *surfaces; // where a field colours solids, which are surface_count then
    size_t surface_count;
    cdg_color_map map;
    cdg_run_looks looks; // colours where there is no field
    cdg_vec3 *positions; // picture units; of the longest rod
    double *rest_length; // picture units
    double *station_values;
    cdg_contact_arrows arrows;
    cdg_support_marks supports;
    cdg_held_faces held; // of solids
};

cdg_color_map cdg_rod_field_color_map(const double range[2]) {
    bool is_about_zero = range[0] < 0 && range[1] > 0 && fabs(range[0] + range[1]) < 0.5 * (range[1] - range[0]);
    return cdg_color_map_make(is_about_zero ? CDG_COLOR_MAP_DIVERGING : CDG_COLOR_MAP_RISING);
}

static cdg_section resize(const cdg_section *section, double factor) {
    cdg_section out = *section;
    out.radius *= factor;
    out.inner_radius *= factor;
    for (int k = 0; k < 2; k++) {
        out.semi_axis[k] *= factor;
        out.side[k] *= factor;
    }
    return out;
}

// A rod that thin would flicker; of many fibres side by side none is looked at alone.
static const double fiber_share = 0.5;

// What is too thin to be seen is drawn thicker, but twigs stay thinner than their trunk: the least radius falls with
// the fourth root of the share of the thickest section, down to half.
static double least_radius(const cdg_rod_meshes *meshes, double reach, double part) {
    double least = part * meshes->def.smallest_radius, share = reach / meshes->memory->thickest;
    return share < 1 && part == 1 ? fmax(0.5, sqrt(sqrt(share))) * least : least;
}

// The part of the least radius that a rod needs: less for hair, and for coils, which lie side by side, too: a Slinky
// that is drawn thicker is a tube. A rod is coiled that is many times as long as the box about it.
static double part_of_least(const cdg_run_rod *rod, const cdg_vec3 *positions) {
    static const double coiled = 6, coil_share = 0.6;
    if (rod->strands > 0) return fiber_share;
    cdg_point_spread spread = {.count = 0};
    cdg_point_spread_add(&spread, positions, rod->node_count);
    double box = vec3_distance(spread.lower, spread.upper);
    return rod->length > coiled * box ? fmax(coil_share, coiled * box / rod->length) : 1;
}

static double thickest_section(const cdg_run_reader *reader) {
    double most = 0;
    for (size_t i = 0; i < reader->rod_count; i++)
        for (size_t k = 0; k < reader->rods[i].node_count; k++)
            most = fmax(most, cdg_section_reach(&reader->rods[i].sections[k]));
    return most;
}

// The factor for one section, noted.
static double thicken(cdg_rod_meshes *meshes, const cdg_section *section, double part) {
    double reach = cdg_section_reach(section), factor = meshes->def.thickness;
    double least = least_radius(meshes, reach, part);
    if (reach > 0 && factor * reach < least) factor = least / reach;
    meshes->least_thickened = fmin(meshes->least_thickened, factor);
    meshes->most_thickened = fmax(meshes->most_thickened, factor);
    meshes->extra_radius = fmax(meshes->extra_radius, (factor - 1) * reach);
    return factor;
}

// Corners around a section: facets of about two pixels, so that no corner shows.
static size_t sides_for(const cdg_rod_meshes_def *def, double radius) {
    double sides = 10 + 2 * radius / def->pixel;
    return sides > 40 ? 40 : (size_t)sides & ~(size_t)1;
}

static cdg_result make_skin(cdg_rod_meshes *meshes, const cdg_run_rod *rod, const cdg_rod_moment *moment,
                            cdg_skin **out, double *radius, cdg_error *error) {
    cdg_section *sections = malloc((rod->node_count + 1) * sizeof *sections);
    double *rest_length = malloc((rod->element_count + 1) * sizeof *rest_length); // picture units, as the sections
    if (!sections || !rest_length) {
        free(sections);
        free(rest_length);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for rod '%s'", rod->name);
    }
    const cdg_rod_meshes_def *def = &meshes->def;
    double largest = 0, part = part_of_least(rod, moment->positions);
    for (size_t i = 0; i < rod->node_count; i++) {
        double factor = thicken(meshes, &rod->sections[i], part);
        largest = fmax(largest, factor * cdg_section_reach(&rod->sections[i]));
        sections[i] = resize(&rod->sections[i], factor / def->scale);
    }
    for (size_t i = 0; i < rod->element_count; i++) rest_length[i] = rod->rest_length[i] / def->scale;
    bool is_round = rod->sections[0].kind == CDG_SECTION_CIRCLE || rod->sections[0].kind == CDG_SECTION_TUBE;
    cdg_skin_def skin = {.is_closed = rod->is_closed,
                         .element_count = rod->element_count,
                         .rest_length = rest_length,
                         .sections = sections,
                         .frames = rod->is_closed ? moment->frames : NULL,
                         .side_count = is_round ? sides_for(def, largest) : 0};
    // An element of a few pixels needs no more rings than the rod has nodes.
    double element = rod->length / (double)rod->element_count / def->pixel;
    skin.rings_per_element = element < 3 ? 1 : element < 8 ? 2 : 0;
    cdg_result result = cdg_skin_create(&skin, out, error);
    *radius = largest / def->scale;
    free(sections);
    free(rest_length);
    return result;
}

static void paint_mesh(const cdg_skin *skin, float3 color, cdg_picture_mesh *mesh) {
    for (size_t i = 0; i < skin->vertex_count; i++) {
        mesh->colors[3 * i] = color.x;
        mesh->colors[3 * i + 1] = color.y;
        mesh->colors[3 * i + 2] = color.z;
    }
}

// Flat sections change colour at their edges, so that each side has one: those are on d1 or on d2.
static float stripe_start(const cdg_section *section) {
    bool is_wide_along_d2 = (section->kind == CDG_SECTION_ELLIPSE && section->semi_axis[1] > section->semi_axis[0]) ||
                            (section->kind == CDG_SECTION_RECTANGLE && section->side[1] > section->side[0]);
    return is_wide_along_d2 ? 0.25F : 0;
}

// A strand goes once around in this many diameters.
static const double lay_length = 3.4;

static cdg_result fill_lay(const cdg_skin *skin, double length, double radius, cdg_picture_mesh *mesh,
                           cdg_error *error) {
    cdg_result result = cdg_picture_mesh_add_lay(mesh, error);
    if (result != CDG_OK) return result;
    double turns = length / (2 * radius * lay_length);
    if (skin->is_closed) turns = fmax(1, round(turns)); // strands meet themselves
    for (size_t i = 0; i < skin->vertex_count; i++) {
        mesh->around[i] = skin->around[i];
        mesh->lay[i] = (float)(turns * skin->station[skin->station_of[i]]);
    }
    return CDG_OK;
}

// `length` and `radius` in picture units.
static cdg_result fill_mesh(const cdg_rod_meshes *meshes, const cdg_skin *skin, const cdg_section *section,
                            const cdg_look *look, double length, double radius, cdg_picture_mesh *mesh,
                            cdg_error *error) {
    memcpy(mesh->triangles, skin->triangles, 3 * skin->triangle_count * sizeof *mesh->triangles);
    paint_mesh(skin, look->color, mesh);
    mesh->offset = (float)(0.03 * radius);
    mesh->surface = look->surface;
    // Metal mirrors what is around it: its colour would not be the legend's.
    if (meshes->memory->colors_rods && look->surface == SCENE_SURFACE_METAL) mesh->surface = SCENE_SURFACE_PLASTIC;
    if (look->surface == SCENE_SURFACE_ROPE && !meshes->def.has_stripe)
        return fill_lay(skin, length, radius, mesh, error);
    if (!meshes->def.has_stripe) return CDG_OK;
    cdg_result result = cdg_picture_mesh_add_stripe(mesh, error);
    if (result != CDG_OK) return result;
    float start = stripe_start(section);
    for (size_t i = 0; i < skin->vertex_count; i++) {
        float around = skin->around[i] - start;
        mesh->around[i] = around < 0 ? around + 1 : around;
    }
    if (!meshes->def.has_field)
        mesh->stripe_color = float3_make(0.045F, 0.06F, 0.085F); // slate, whatever the rod's colour
    else
        mesh->stripe_factor = float3_make(0.30F, 0.30F, 0.30F);
    return CDG_OK;
}

// Of a plane, what lies under or beside the rest.
static cdg_result make_rigids(cdg_rod_meshes *meshes, const cdg_run_player *player, cdg_error *error) {
    static const double plane_reach = 1.2; // in picture units, in which all else is within 1 of the middle
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    size_t count = cdg_run_rigid_count(player->reader);
    memory->rigids = calloc(count + 1, sizeof *memory->rigids);
    memory->rigid_at = calloc(count + 1, sizeof *memory->rigid_at);
    if (!memory->rigids || !memory->rigid_at)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu obstacles and bodies", count);
    for (size_t i = 0; i < count; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(player->reader, i);
        const cdg_rigid_moment *now = &player->rigids[i];
        if (cdg_rigid_is_floor(&rigid, now, meshes->def.up)) continue;
        cdg_plane_part part = {quat_rotate_inverse(now->orientation, vec3_sub(meshes->def.center, now->position)),
                               plane_reach * meshes->def.scale};
        cdg_result result = cdg_shape_surface_make(&rigid.shape, &part, &memory->rigids[memory->rigid_count], error);
        if (result != CDG_OK) return result;
        memory->rigid_at[memory->rigid_count++] = i;
    }
    return CDG_OK;
}

// How bright a vertex is: with stripes, two opposite quarters of what is round about z are darker, so that one sees it
// turn. On the axis lies what belongs to all quarters.
static float brightness(const cdg_shape *shape, cdg_vec3 at) {
    static const float dark = 0.45F;
    bool is_round =
        shape->kind == CDG_SHAPE_SPHERE || shape->kind == CDG_SHAPE_CAPSULE || shape->kind == CDG_SHAPE_CYLINDER;
    if (!is_round) return 1;
    if (at.x == 0 && at.y == 0) return (1 + dark) / 2;
    return (at.x > 0) == (at.y > 0) ? dark : 1;
}

static void fill_rigid(const cdg_shape_surface *shape, const cdg_run_rigid *rigid, const cdg_look *look,
                       bool has_stripe, cdg_picture_mesh *mesh) {
    const float color[3] = {look->color.x, look->color.y, look->color.z};
    memcpy(mesh->triangles, shape->triangles, 3 * shape->triangle_count * sizeof *mesh->triangles);
    for (size_t i = 0; i < shape->vertex_count; i++) {
        float share = has_stripe && !rigid->is_still ? brightness(&rigid->shape, shape->vertices[i]) : 1;
        for (int k = 0; k < 3; k++) mesh->colors[3 * i + (size_t)k] = share * color[k];
    }
    mesh->surface = look->surface;
    mesh->is_sheet = rigid->shape.is_surface || rigid->shape.kind == CDG_SHAPE_PLANE;
    mesh->offset = 1e-4F;
}

// Flat faces with their edges: the tetrahedra's.
static void fill_solid(const cdg_look *look, cdg_picture_mesh *mesh) {
    float3 color = look->color;
    mesh->surface = look->surface;
    for (size_t i = 0; i < 3 * mesh->triangle_count; i++) {
        mesh->triangles[i] = (uint32_t)i;
        mesh->colors[3 * i] = color.x;
        mesh->colors[3 * i + 1] = color.y;
        mesh->colors[3 * i + 2] = color.z;
    }
    mesh->offset = 1e-4F;
    mesh->edge_width = 1;
    mesh->edge_color = float3_scale(0.35F, color);
}

// Where a field colours solids: what is behind their faces.
static cdg_result make_surfaces(cdg_rod_meshes *meshes, const cdg_run_player *player, cdg_error *error) {
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    const cdg_run_reader *reader = player->reader;
    if (!meshes->def.has_field || !player->field.is_of_solids) return CDG_OK;
    memory->surfaces = calloc(reader->solid_count + 1, sizeof *memory->surfaces);
    if (!memory->surfaces)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu solids", reader->solid_count);
    for (size_t i = 0; i < reader->solid_count; i++) {
        cdg_result result = cdg_solid_surface_make(&reader->solids[i], &memory->surfaces[i], error);
        if (result != CDG_OK) return result;
        memory->surface_count = i + 1;
    }
    return CDG_OK;
}

static cdg_result make_scene(cdg_rod_meshes *meshes, const cdg_run_player *player, const double *radii,
                             cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    cdg_result result = make_surfaces(meshes, player, error);
    if (result == CDG_OK) result = make_rigids(meshes, player, error);
    if (result == CDG_OK && meshes->def.has_contacts) result = cdg_contact_arrows_make(reader, &memory->arrows, error);
    if (result == CDG_OK && meshes->def.has_supports)
        result = cdg_support_marks_make(reader, radii, &memory->supports, error);
    if (result == CDG_OK && meshes->def.has_supports) result = cdg_held_faces_make(reader, &memory->held, error);
    if (result != CDG_OK) return result;
    size_t count = reader->rod_count, rigid_end = count + memory->rigid_count;
    size_t solid_end = rigid_end + reader->solid_count, arrows_end = solid_end + (memory->arrows.room > 0),
           all = arrows_end + (memory->supports.count > 0), *counts = calloc(2 * all + 1, sizeof *counts);
    if (!counts) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for %zu rods", count);
    for (size_t i = 0; i < count; i++) {
        assert(memory->skins[i]); // all were made
        counts[i] = memory->skins[i]->vertex_count;
        counts[all + i] = memory->skins[i]->triangle_count;
    }
    for (size_t i = count; i < rigid_end; i++) {
        counts[i] = memory->rigids[i - count].vertex_count;
        counts[all + i] = memory->rigids[i - count].triangle_count;
    }
    for (size_t i = rigid_end; i < solid_end; i++) {
        counts[i] = 3 * reader->solids[i - rigid_end].surface_count;
        counts[all + i] = reader->solids[i - rigid_end].surface_count;
    }
    if (arrows_end > solid_end) {
        counts[solid_end] = cdg_contact_arrows_vertices(&memory->arrows);
        counts[all + solid_end] = cdg_contact_arrows_triangles(&memory->arrows);
    }
    if (all > arrows_end) {
        counts[arrows_end] = cdg_support_marks_vertices(&memory->supports);
        counts[all + arrows_end] = cdg_support_marks_triangles(&memory->supports);
    }
    result = cdg_picture_scene_create(all, counts, counts + all, &meshes->scene, error);
    free(counts);
    if (result == CDG_OK && arrows_end > solid_end)
        cdg_contact_arrows_fill(&memory->arrows, &meshes->scene->meshes[solid_end]);
    if (result == CDG_OK && all > arrows_end)
        cdg_support_marks_fill(&memory->supports, &meshes->scene->meshes[arrows_end]);
    for (size_t i = rigid_end; result == CDG_OK && i < solid_end; i++)
        fill_solid(&memory->looks.solids[i - rigid_end], &meshes->scene->meshes[i]);
    for (size_t i = count; result == CDG_OK && i < rigid_end; i++) {
        cdg_run_rigid rigid = cdg_run_rigid_get(reader, memory->rigid_at[i - count]);
        fill_rigid(&memory->rigids[i - count], &rigid, &memory->looks.rigids[memory->rigid_at[i - count]],
                   meshes->def.has_stripe, &meshes->scene->meshes[i]);
    }
    for (size_t i = 0; result == CDG_OK && i < count; i++)
        result = fill_mesh(meshes, memory->skins[i], &reader->rods[i].sections[0], &memory->looks.rods[i],
                           reader->rods[i].length / meshes->def.scale, radii[i], &meshes->scene->meshes[i], error);
    return result;
}

static cdg_result make_memory(struct cdg_rod_meshes_memory *memory, const cdg_run_reader *reader, cdg_error *error) {
    size_t nodes = 0, stations = 0;
    for (size_t i = 0; i < reader->rod_count; i++) {
        assert(memory->skins[i]);
        if (reader->rods[i].node_count > nodes) nodes = reader->rods[i].node_count;
        if (memory->skins[i]->station_count > stations) stations = memory->skins[i]->station_count;
    }
    memory->positions = calloc(nodes + 1, sizeof *memory->positions);
    memory->rest_length = calloc(nodes + 1, sizeof *memory->rest_length);
    memory->station_values = calloc(stations + 1, sizeof *memory->station_values);
    if (!memory->positions || !memory->rest_length || !memory->station_values)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for a rod of %zu nodes", nodes);
    return CDG_OK;
}

static cdg_result make_skins(cdg_rod_meshes *meshes, const cdg_run_player *player, double *radii, cdg_error *error) {
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    memory->thickest = thickest_section(player->reader);
    memory->colors_rods = meshes->def.has_field && cdg_rod_field_is_of_rods(&player->field);
    for (size_t i = 0; i < player->reader->rod_count; i++) {
        memory->skin_count = i + 1;
        cdg_result result =
            make_skin(meshes, &player->reader->rods[i], &player->rods[i], &memory->skins[i], &radii[i], error);
        if (result != CDG_OK) return result;
    }
    return CDG_OK;
}

static cdg_result make_all(cdg_rod_meshes *meshes, const cdg_run_player *player, cdg_error *error) {
    const cdg_run_reader *reader = player->reader;
    double *radii = calloc(reader->rod_count + 1, sizeof *radii);
    meshes->memory->skins = calloc(reader->rod_count + 1, sizeof *meshes->memory->skins);
    cdg_result result = CDG_ERROR_MEMORY;
    if (radii && meshes->memory->skins) {
        result = cdg_run_looks_make(reader, &meshes->memory->looks, error);
        if (result == CDG_OK) result = make_skins(meshes, player, radii, error);
        if (result == CDG_OK) result = make_scene(meshes, player, radii, error);
        if (result == CDG_OK) result = make_memory(meshes->memory, reader, error);
        if (result == CDG_OK && meshes->def.has_field) meshes->memory->map = cdg_rod_field_color_map(meshes->def.range);
    } else {
        cdg_fail(error, result, "out of memory for %zu rods", reader->rod_count);
    }
    free(radii);
    return result;
}

cdg_result cdg_rod_meshes_create(const cdg_run_player *player, const cdg_rod_meshes_def *def, cdg_rod_meshes **out,
                                 cdg_error *error) {
    *out = NULL;
    cdg_rod_meshes *meshes = calloc(1, sizeof *meshes);
    if (meshes) meshes->memory = calloc(1, sizeof *meshes->memory);
    cdg_result result = CDG_ERROR_MEMORY;
    if (meshes && meshes->memory) {
        meshes->def = *def;
        meshes->least_thickened = INFINITY;
        result = make_all(meshes, player, error);
    } else {
        cdg_fail(error, result, "out of memory for %zu rods", player->reader->rod_count);
    }
    if (result == CDG_OK)
        *out = meshes;
    else
        cdg_rod_meshes_destroy(meshes);
    return result;
}

void cdg_rod_meshes_destroy(cdg_rod_meshes *meshes) {
    if (!meshes) return;
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    if (memory) {
        for (size_t i = 0; i < memory->skin_count; i++) cdg_skin_destroy(memory->skins[i]);
        for (size_t i = 0; i < memory->rigid_count; i++) cdg_shape_surface_free(&memory->rigids[i]);
        for (size_t i = 0; i < memory->surface_count; i++) cdg_solid_surface_free(&memory->surfaces[i]);
        free(memory->surfaces);
        free(memory->rigids);
        free(memory->rigid_at);
        free(memory->skins);
        cdg_run_looks_free(&memory->looks);
        free(memory->positions);
        free(memory->rest_length);
        free(memory->station_values);
        cdg_contact_arrows_free(&memory->arrows);
        cdg_support_marks_free(&memory->supports);
        cdg_held_faces_free(&memory->held);
        free(memory);
    }
    cdg_picture_scene_destroy(meshes->scene);
    free(meshes);
}

static void color_by_field(const cdg_rod_meshes *meshes, const cdg_skin *skin, const cdg_skin_pose *pose,
                           const double *values, bool per_element, cdg_picture_mesh *mesh) {
    const cdg_rod_meshes_def *def = &meshes->def;
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    cdg_skin_spread(skin, pose, values, per_element, memory->station_values);
    for (size_t i = 0; i < skin->vertex_count; i++) {
        double value = memory->station_values[skin->station_of[i]];
        float3 color = cdg_color_map_at(&memory->map, (value - def->range[0]) / (def->range[1] - def->range[0]));
        color = float3_scale(field_share, color);
        mesh->colors[3 * i] = color.x;
        mesh->colors[3 * i + 1] = color.y;
        mesh->colors[3 * i + 2] = color.z;
    }
}

// Half of the width of a mark, in radii.
static const double mark_width = 0.12;

// The nodes that a rod has at the output nearest to the moment.
static cdg_result mark_nodes(const cdg_rod_meshes *meshes, const cdg_run_player *player, size_t rod,
                             cdg_picture_mesh *mesh, cdg_error *error) {
    const cdg_skin *skin = meshes->memory->skins[rod];
    size_t frame = cdg_run_reader_nearest_frame(player->reader, player->time);
    if (!meshes->def.has_field) paint_mesh(skin, meshes->memory->looks.rods[rod].color, mesh);
    cdg_run_division division;
    cdg_result result = cdg_run_reader_division(player->reader, frame, rod, &division, error);
    if (result != CDG_OK) return result;
    double length = division.arc[division.element_count], width = mark_width * division.radius[0] / length;
    for (size_t i = 0; i < division.node_count; i++) division.arc[i] /= length;
    cdg_node_marks_put(skin, division.arc, division.node_count, width, mesh->colors);
    cdg_run_division_free(&division);
    return CDG_OK;
}

static void put_float3(float *out, cdg_vec3 v) { out[0] = (float)v.x, out[1] = (float)v.y, out[2] = (float)v.z; }

static void move_rigid(const cdg_rod_meshes_def *def, const cdg_shape_surface *shape, const cdg_rigid_moment *now,
                       cdg_picture_mesh *mesh) {
    for (size_t i = 0; i < shape->vertex_count; i++) {
        cdg_vec3 at = vec3_add(now->position, quat_rotate(now->orientation, shape->vertices[i]));
        put_float3(mesh->vertices + 3 * i, vec3_scale(1 / def->scale, vec3_sub(at, def->center)));
        put_float3(mesh->normals + 3 * i, quat_rotate(now->orientation, shape->normals[i]));
    }
}

static void move_solid(const cdg_rod_meshes_def *def, const cdg_run_solid_entry *solid, const cdg_vec3 *positions,
                       cdg_picture_mesh *mesh) {
    for (size_t t = 0; t < solid->surface_count; t++) {
        cdg_vec3 p[3];
        for (int k = 0; k < 3; k++)
            p[k] = vec3_scale(1 / def->scale, vec3_sub(positions[solid->surface[t][k]], def->center));
        cdg_vec3 normal = vec3_normalize(vec3_cross(vec3_sub(p[1], p[0]), vec3_sub(p[2], p[0])));
        for (size_t k = 0; k < 3; k++) {
            put_float3(mesh->vertices + 9 * t + 3 * k, p[k]);
            put_float3(mesh->normals + 9 * t + 3 * k, normal);
        }
    }
}

// Each face has the colour of the tetrahedron behind it, or those of its corners.
static void color_solid(const cdg_rod_meshes *meshes, const cdg_run_player *player, size_t solid,
                        cdg_picture_mesh *mesh) {
    const cdg_rod_meshes_def *def = &meshes->def;
    const cdg_run_solid_entry *of = &player->reader->solids[solid];
    const double *values = player->solids[solid].values;
    bool is_per_node = cdg_solid_field_get(player->field.of_solid).per == CDG_SOLID_PER_NODE;
    for (size_t i = 0; i < 3 * of->surface_count; i++) {
        uint32_t tetrahedron = meshes->memory->surfaces[solid].tetrahedra[i / 3];
        double value = values[is_per_node ? of->surface[i / 3][i % 3] : tetrahedron];
        float3 color =
            cdg_color_map_at(&meshes->memory->map, (value - def->range[0]) / (def->range[1] - def->range[0]));
        color = float3_scale(field_share, color);
        mesh->colors[3 * i] = color.x, mesh->colors[3 * i + 1] = color.y, mesh->colors[3 * i + 2] = color.z;
    }
}

static const char *mesh_name(const cdg_rod_meshes *meshes, const cdg_run_reader *reader, size_t i) {
    const struct cdg_rod_meshes_memory *memory = meshes->memory;
    size_t rod_end = memory->skin_count, rigid_end = rod_end + memory->rigid_count;
    if (i < rod_end) return reader->rods[i].name;
    if (i < rigid_end) return cdg_run_rigid_get(reader, memory->rigid_at[i - rod_end]).name;
    return reader->solids[i - rigid_end].name;
}

// What has no area is met by no ray.
static void hide_meshes(const cdg_rod_meshes *meshes, const cdg_run_reader *reader) {
    cdg_picture_mesh *mesh = meshes->scene->meshes;
    size_t count = meshes->memory->skin_count + meshes->memory->rigid_count + reader->solid_count;
    for (size_t i = 0; i < count; i++) {
        const char *name = mesh_name(meshes, reader, i);
        mesh[i].is_see_through = cdg_name_is_listed(meshes->def.see_through, name);
        if (cdg_name_is_listed(meshes->def.hidden, name))
            memset(mesh[i].vertices, 0, 3 * mesh[i].vertex_count * sizeof *mesh[i].vertices);
    }
}

cdg_result cdg_rod_meshes_move(cdg_rod_meshes *meshes, const cdg_run_player *player, cdg_error *error) {
    const cdg_rod_meshes_def *def = &meshes->def;
    struct cdg_rod_meshes_memory *memory = meshes->memory;
    for (size_t i = 0; i < memory->skin_count; i++) {
        const cdg_run_rod *rod = &player->reader->rods[i];
        const cdg_rod_moment *moment = &player->rods[i];
        cdg_picture_mesh *mesh = &meshes->scene->meshes[i];
        for (size_t k = 0; k < rod->node_count; k++)
            memory->positions[k] = vec3_scale(1 / def->scale, vec3_sub(moment->positions[k], def->center));
        for (size_t k = 0; k < rod->element_count; k++) memory->rest_length[k] = rod->rest_length[k] / def->scale;
        cdg_skin_pose pose = {.element_count = rod->element_count,
                              .rest_length = memory->rest_length,
                              .positions = memory->positions,
                              .frames = moment->frames};
        cdg_result result = cdg_skin_place(memory->skins[i], &pose, mesh->vertices, mesh->normals, error);
        if (result != CDG_OK) return result;
        if (def->has_field && cdg_rod_field_is_of_rods(&player->field))
            color_by_field(meshes, memory->skins[i], &pose, moment->values,
                           cdg_rod_field_is_per_element(&player->field), mesh);
        if (def->has_nodes) result = mark_nodes(meshes, player, i, mesh, error);
        if (result != CDG_OK) return result;
    }
    for (size_t i = 0; i < memory->rigid_count; i++)
        move_rigid(def, &memory->rigids[i], &player->rigids[memory->rigid_at[i]],
                   &meshes->scene->meshes[memory->skin_count + i]);
    for (size_t i = 0; i < player->reader->solid_count; i++) {
        cdg_picture_mesh *mesh = &meshes->scene->meshes[memory->skin_count + memory->rigid_count + i];
        move_solid(def, &player->reader->solids[i], player->solids[i].positions, mesh);
        if (!def->has_field || !player->field.is_of_solids) {
            cdg_held_faces_color(&memory->held, i, player->time, memory->looks.solids[i].color, mesh);
            continue;
        }
        mesh->edge_color = float3_make(0.02F, 0.02F, 0.025F); // whatever the solid's own colour
        color_solid(meshes, player, i, mesh);
    }
    if (def->hidden || def->see_through) hide_meshes(meshes, player->reader);
    if (memory->supports.count > 0)
        cdg_support_marks_place(&memory->supports, player, def->center, def->scale,
                                &meshes->scene->meshes[meshes->scene->mesh_count - 1]);
    if (memory->arrows.room == 0) return CDG_OK;
    size_t frame = cdg_run_reader_nearest_frame(player->reader, player->time);
    return cdg_contact_arrows_place(
        &memory->arrows, player->reader, frame, def->center, def->scale, longest_arrow,
        &meshes->scene->meshes[memory->skin_count + memory->rigid_count + player->reader->solid_count], error);
}
