// Points are those of the surface. There are no normals: programs then draw flat faces, as pictures do.
#include "export/gltf_solids.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>

static cdg_result begin(const cdg_export *export, size_t solid, cdg_gltf_solid *out, cdg_error *error) {
    const cdg_run_solid_entry *own = &export->reader->solids[solid];
    cdg_gltf_solid_free(out);
    cdg_result result = cdg_solid_surface_make(own, &out->surface, error);
    if (result != CDG_OK) return result;
    out->numbers = malloc((3 * own->node_count + 1) * sizeof *out->numbers);
    out->first = calloc(3 * out->surface.point_count + 1, sizeof *out->first);
    out->move = calloc(3 * out->surface.point_count + 1, sizeof *out->move);
    return out->numbers != NULL && out->first != NULL && out->move != NULL ? CDG_OK
                                                                           : cdg_export_fail_memory(export, error);
}

// Fills `first` at frame 0, else `move`, which is what must be added to `first` in single precision.
static cdg_result read_points(const cdg_export *export, size_t solid, size_t frame, cdg_gltf_solid *it,
                              cdg_error *error) {
    cdg_result result = cdg_export_read_solid(export, frame, solid, CDG_SOLID_FIELD_positions, it->numbers, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < 3 * it->surface.point_count; i++) {
        double x = it->numbers[3 * it->surface.nodes[i / 3] + i % 3];
        if (frame == 0)
            it->first[i] = (float)x;
        else
            it->move[i] = (float)(x - (double)it->first[i]);
    }
    return CDG_OK;
}

// ---- the description ------------------------------------------------------------------------------------------------

static size_t add_points(cdg_gltf_json *json, const float *points, size_t count, int target) {
    cdg_bytes bounds = {0};
    cdg_gltf_put_bounds(&bounds, points, count, 3);
    if (bounds.has_failed) json->accessors.has_failed = true;
    size_t view = cdg_gltf_add_view(json, count * 12, target);
    size_t accessor = cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, count, "VEC3",
                                            bounds.has_failed ? "" : (const char *)bounds.data);
    cdg_bytes_free(&bounds);
    return accessor;
}

static void add_material(cdg_gltf_json *json, const cdg_export *export, size_t solid) {
    double color[3], metallic, roughness;
    float factor[4] = {1, 1, 1, 1};
    cdg_export_solid_color(export, solid, color);
    for (int i = 0; i < 3; i++) factor[i] = (float)cdg_export_linear(color[i]);
    cdg_export_finish(export->looks.solids[solid].surface, &metallic, &roughness);
    cdg_gltf_put_comma(&json->materials);
    cdg_bytes_print(&json->materials, "{\"name\":");
    cdg_gltf_put_text(&json->materials, export->reader->solids[solid].name);
    cdg_bytes_print(&json->materials, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    cdg_gltf_put_floats(&json->materials, factor, 4);
    cdg_bytes_print(&json->materials, "],\"metallicFactor\":%g,\"roughnessFactor\":%g}}", metallic, roughness);
}

// The order of views here is the order in which cdg_gltf_solids_write writes.
static cdg_result add_mesh(const cdg_export *export, cdg_gltf_json *json, size_t solid, size_t index,
                           cdg_gltf_solid *it, cdg_error *error) {
    cdg_result result = begin(export, solid, it, error);
    if (result == CDG_OK) result = read_points(export, solid, 0, it, error);
    if (result != CDG_OK) return result;
    size_t points = it->surface.point_count, corners = 3 * it->surface.triangle_count;
    cdg_bytes *out = &json->meshes;
    cdg_gltf_put_comma(out);
    cdg_bytes_print(out, "{\"name\":");
    cdg_gltf_put_text(out, export->reader->solids[solid].name);
    cdg_bytes_print(out, ",\"primitives\":[{\"attributes\":{\"POSITION\":%zu}",
                    add_points(json, it->first, points, TARGET_VERTICES));
    size_t view = cdg_gltf_add_view(json, corners * 4, TARGET_INDICES);
    cdg_bytes_print(out, ",\"indices\":%zu,\"material\":%zu",
                    cdg_gltf_add_accessor(json, view, 0, TYPE_UNSIGNED_INT, corners, "SCALAR", ""), index);
    for (size_t frame = 1; frame < export->frame_count; frame++) {
        result = read_points(export, solid, frame, it, error);
        if (result != CDG_OK) return result;
        cdg_bytes_print(out, "%s{\"POSITION\":%zu}", frame > 1 ? "," : ",\"targets\":[",
                        add_points(json, it->move, points, TARGET_VERTICES));
    }
    cdg_bytes_print(out, export->frame_count > 1 ? "]}]}" : "}]}");
    return CDG_OK;
}

cdg_result cdg_gltf_solids_describe(const cdg_export *export, cdg_gltf_json *json, size_t first, size_t times,
                                    cdg_error *error) {
    size_t count = export->reader->solid_count, frames = export->frame_count, sampler = json->sampler_count;
    if (count > 0 && frames > 1) { // all solids share their weights
        size_t view = cdg_gltf_add_view(json, frames * (frames - 1) * 4, 0);
        cdg_gltf_put_comma(&json->samplers);
        cdg_bytes_print(&json->samplers, "{\"input\":%zu,\"output\":%zu}", times,
                        cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, frames * (frames - 1), "SCALAR", ""));
        json->sampler_count++;
    }
    cdg_gltf_solid memory = {0};
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        add_material(json, export, i);
        result = add_mesh(export, json, i, first + i, &memory, error);
        size_t node = cdg_gltf_add_node(json, export->reader->solids[i].name, "");
        cdg_bytes_print(&json->nodes, ",\"mesh\":%zu}", first + i);
        cdg_gltf_put_comma(&json->skeletons);
        cdg_bytes_print(&json->skeletons, "%zu", node);
        if (frames > 1) cdg_gltf_add_channel(json, sampler, node, "weights");
    }
    cdg_gltf_solid_free(&memory);
    return result;
}

// ---- bytes ----------------------------------------------------------------------------------------------------------

// At frame k the k-th target counts alone, at the first none.
static cdg_result write_weights(cdg_export *export, cdg_whole_file *file, cdg_error *error) {
    size_t targets = export->frame_count - 1;
    float *row = calloc(targets + 1, sizeof *row);
    if (row == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    for (size_t frame = 0; frame <= targets && result == CDG_OK; frame++) {
        for (size_t k = 0; k < targets; k++) row[k] = k + 1 == frame ? 1 : 0;
        result = cdg_export_put(export, file, row, targets * sizeof *row, error);
    }
    free(row);
    return result;
}

cdg_result cdg_gltf_solids_write(cdg_export *export, cdg_gltf_solid *memory, cdg_whole_file *file, size_t solid,
                                 size_t frame, cdg_error *error) {
    cdg_result result = frame == 0 ? begin(export, solid, memory, error) : CDG_OK;
    if (result == CDG_OK && frame == 0 && solid == 0 && export->frame_count > 1)
        result = write_weights(export, file, error);
    if (result == CDG_OK) result = read_points(export, solid, frame, memory, error);
    if (result != CDG_OK) return result;
    size_t bytes = memory->surface.point_count * 12;
    if (frame > 0) return cdg_export_put(export, file, memory->move, bytes, error);
    result = cdg_export_put(export, file, memory->first, bytes, error);
    if (result != CDG_OK) return result;
    return cdg_export_put(export, file, memory->surface.triangles, memory->surface.triangle_count * 12, error);
}

void cdg_gltf_solid_free(cdg_gltf_solid *memory) {
    cdg_solid_surface_free(&memory->surface);
    free(memory->numbers);
    free(memory->first);
    free(memory->move);
    *memory = (cdg_gltf_solid){0};
}

double cdg_gltf_solids_bytes(const cdg_export *export) {
    double frames = (double)export->frame_count, bytes = export->reader->solid_count > 0 ? 4 * frames * frames : 0;
    for (size_t i = 0; i < export->reader->solid_count; i++) // a point for every two triangles; 150: description
        bytes += (6 * frames + 12) * (double)export->reader->solids[i].surface_count + 150 * frames;
    return bytes;
}
