// glTF 2.0 as one binary file (.glb): a skinned mesh a rod, with joints at its nodes and their motion as animation.
//
// Joints hang below one root node whose matrix turns z, which is up here, to y, which is up in glTF; so translations of
// joints are the run's own positions. The meshes stand outside, at the top of the scene: joints alone place a skin.
// Obstacles and bodies are plain meshes below the root, moved by their nodes; deformable solids have morph targets.
// The file is written front to back: the description first, because all sizes are known, then meshes, then the
// motion of one rod after the other (one pass each), which lies in memory only meanwhile.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "export/format.h"
#include "export/gltf_json.h"
#include "export/gltf_rig.h"
#include "export/gltf_solids.h"
#include "export/rigids.h"
#include "math/quat.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

typedef struct gltf_state {
    cdg_whole_file file;
    cdg_gltf_rig rig;    // of the rod of the current pass
    double *numbers;     // one field of one rod
    cdg_quat *frames;    // element_count of the largest rod: as stored
    cdg_quat *turns;     // node_count of the largest rod: of the joints
    float *translations; // 3 for every frame of every node of the current rod
    float *rotations;    // 4
    cdg_export_rigids rigids;
    size_t *moving; // rigids that move, moving_count: the passes after those of the rods
    size_t moving_count;
    cdg_gltf_solid solid;    // that is written
    size_t first_solid_pass; // solids come last
    cdg_gltf_json json;
} gltf_state;

// ---- the description ------------------------------------------------------------------------------------------------

static void add_material(cdg_gltf_json *json, const cdg_export *export, size_t rod) {
    double color[3];
    float factor[4] = {1, 1, 1, 1};
    cdg_export_rod_color(export, rod, color);
    for (int i = 0; i < 3 && !export->def.has_stripe; i++) factor[i] = (float)cdg_export_linear(color[i]);
    cdg_gltf_put_comma(&json->materials);
    cdg_bytes_print(&json->materials, "{\"name\":");
    cdg_gltf_put_text(&json->materials, export->reader->rods[rod].name);
    cdg_bytes_print(&json->materials, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    cdg_gltf_put_floats(&json->materials, factor, 4);
    double metallic, roughness;
    cdg_export_finish(export->looks.rods[rod].surface, &metallic, &roughness);
    cdg_bytes_print(&json->materials, "],\"metallicFactor\":%g,\"roughnessFactor\":%g}}", metallic, roughness);
}

// A mesh up to its positions, whose bounds are those of `points`, and its normals.
static void begin_mesh(cdg_gltf_json *json, const char *name, const float *points, size_t point_count,
                       size_t vertices) {
    cdg_bytes bounds = {0}, *out = &json->meshes;
    cdg_gltf_put_bounds(&bounds, points, point_count, 3);
    if (bounds.has_failed) json->accessors.has_failed = true;
    cdg_gltf_put_comma(out);
    cdg_bytes_print(out, "{\"name\":");
    cdg_gltf_put_text(out, name);
    size_t view = cdg_gltf_add_view(json, vertices * 12, TARGET_VERTICES);
    cdg_bytes_print(out, ",\"primitives\":[{\"attributes\":{\"POSITION\":%zu",
                    cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, vertices, "VEC3",
                                          bounds.has_failed ? "" : (const char *)bounds.data));
    view = cdg_gltf_add_view(json, vertices * 12, TARGET_VERTICES);
    cdg_bytes_print(out, ",\"NORMAL\":%zu", cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, vertices, "VEC3", ""));
    cdg_bytes_free(&bounds);
}

// The order of views here is the order in which write_mesh writes.
static void add_mesh(cdg_gltf_json *json, const cdg_export *export, size_t rod, const cdg_gltf_rig *rig, size_t *bind) {
    size_t vertices = rig->skin->vertex_count, corners = 3 * rig->skin->triangle_count;
    cdg_bytes *out = &json->meshes;
    begin_mesh(json, export->reader->rods[rod].name, rig->positions, vertices, vertices);
    size_t view;
    if (export->def.has_stripe) {
        view = cdg_gltf_add_view(json, vertices * 4, TARGET_VERTICES);
        cdg_bytes_print(
            out, ",\"COLOR_0\":%zu",
            cdg_gltf_add_accessor(json, view, 0, TYPE_UNSIGNED_BYTE, vertices, "VEC4", ",\"normalized\":true"));
    }
    view = cdg_gltf_add_view(json, vertices * 8, TARGET_VERTICES);
    cdg_bytes_print(out, ",\"JOINTS_0\":%zu",
                    cdg_gltf_add_accessor(json, view, 0, TYPE_UNSIGNED_SHORT, vertices, "VEC4", ""));
    view = cdg_gltf_add_view(json, vertices * 16, TARGET_VERTICES);
    cdg_bytes_print(out, ",\"WEIGHTS_0\":%zu", cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, vertices, "VEC4", ""));
    view = cdg_gltf_add_view(json, corners * 4, TARGET_INDICES);
    cdg_bytes_print(out, "},\"indices\":%zu,\"material\":%zu}]}",
                    cdg_gltf_add_accessor(json, view, 0, TYPE_UNSIGNED_INT, corners, "SCALAR", ""), rod);
    view = cdg_gltf_add_view(json, rig->joint_count * 64, 0);
    *bind = cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, rig->joint_count, "MAT4", "");
}

static void put_indices(cdg_bytes *out, size_t first, size_t count) {
    for (size_t i = 0; i < count; i++) cdg_bytes_print(out, "%s%zu", i > 0 ? "," : "", first + i);
}

// The rod's nodes: the mesh, the parent of the joints, the joints in their first pose. Returns the first joint.
static size_t add_nodes(cdg_gltf_json *json, const cdg_export *export, const gltf_state *state, size_t rod,
                        const cdg_gltf_rig *rig, size_t bind) {
    const char *name = export->reader->rods[rod].name;
    cdg_gltf_put_comma(&json->roots);
    cdg_bytes_print(&json->roots, "%zu", cdg_gltf_add_node(json, name, ""));
    cdg_bytes_print(&json->nodes, ",\"mesh\":%zu,\"skin\":%zu}", rod, rod);
    size_t skeleton = cdg_gltf_add_node(json, name, "_joints"), first = skeleton + 1;
    cdg_bytes_print(&json->nodes, ",\"children\":[");
    put_indices(&json->nodes, first, rig->joint_count);
    cdg_bytes_print(&json->nodes, "]}");
    cdg_gltf_put_comma(&json->skeletons);
    cdg_bytes_print(&json->skeletons, "%zu", skeleton);
    for (size_t i = 0; i < rig->joint_count; i++) {
        size_t node = i % rig->rod->node_count; // a closed rod's last joint is its first
        char suffix[40];
        snprintf(suffix, sizeof suffix, "_%zu", i);
        cdg_gltf_add_node(json, name, suffix);
        const double *x = state->numbers + 3 * node;
        cdg_quat q = state->turns[node];
        const float translation[3] = {(float)x[0], (float)x[1], (float)x[2]};
        const float rotation[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
        cdg_bytes_print(&json->nodes, ",\"translation\":[");
        cdg_gltf_put_floats(&json->nodes, translation, 3);
        cdg_bytes_print(&json->nodes, "],\"rotation\":[");
        cdg_gltf_put_floats(&json->nodes, rotation, 4);
        cdg_bytes_print(&json->nodes, "]}");
    }
    cdg_gltf_put_comma(&json->skins);
    cdg_bytes_print(&json->skins, "{\"name\":");
    cdg_gltf_put_text(&json->skins, name);
    cdg_bytes_print(&json->skins, ",\"inverseBindMatrices\":%zu,\"skeleton\":%zu,\"joints\":[", bind, skeleton);
    put_indices(&json->skins, first, rig->joint_count);
    cdg_bytes_print(&json->skins, "]}");
    return first;
}

static void add_animation(cdg_gltf_json *json, const cdg_export *export, size_t rod, size_t first_joint, size_t times) {
    const cdg_run_rod *own = &export->reader->rods[rod];
    size_t frames = export->frame_count, nodes = own->node_count, joints = own->element_count + 1;
    assert(nodes > 0);
    static const struct {
        const char *path, *shape;
        size_t size; // bytes
    } parts[2] = {{"translation", "VEC3", 12}, {"rotation", "VEC4", 16}};
    for (int part = 0; part < 2; part++) {
        size_t view = cdg_gltf_add_view(json, nodes * frames * parts[part].size, 0),
               first_sampler = json->sampler_count;
        for (size_t i = 0; i < nodes; i++, json->sampler_count++) {
            cdg_gltf_put_comma(&json->samplers);
            cdg_bytes_print(&json->samplers, "{\"input\":%zu,\"output\":%zu}", times,
                            cdg_gltf_add_accessor(json, view, i * frames * parts[part].size, TYPE_FLOAT, frames,
                                                  parts[part].shape,
                                                  "")); // interpolation is LINEAR unless said otherwise
        }
        for (size_t i = 0; i < joints; i++) {
            cdg_gltf_add_channel(json, first_sampler + i % nodes, first_joint + i, parts[part].path);
        }
    }
}

// ---- obstacles and bodies in the description ------------------------------------------------------------------------

// The order of views here is the order in which write_rigid writes.
static void add_rigid_mesh(cdg_gltf_json *json, const cdg_export_rigid *rigid, size_t material) {
    size_t vertices = rigid->shape.vertex_count, corners = 3 * rigid->shape.triangle_count;
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < vertices; i++) {
        const float v[3] = {(float)rigid->shape.vertices[i].x, (float)rigid->shape.vertices[i].y,
                            (float)rigid->shape.vertices[i].z};
        for (int k = 0; k < 3; k++) low[k] = fminf(low[k], v[k]), high[k] = fmaxf(high[k], v[k]);
    }
    const float both[6] = {low[0], low[1], low[2], high[0], high[1], high[2]};
    begin_mesh(json, rigid->name, both, 2, vertices);
    cdg_bytes *out = &json->meshes;
    size_t view = cdg_gltf_add_view(json, corners * 4, TARGET_INDICES);
    cdg_bytes_print(out, "},\"indices\":%zu,\"material\":%zu}]}",
                    cdg_gltf_add_accessor(json, view, 0, TYPE_UNSIGNED_INT, corners, "SCALAR", ""), material);
}

static void put_pose(cdg_bytes *out, cdg_vec3 position, cdg_quat orientation) {
    const float translation[3] = {(float)position.x, (float)position.y, (float)position.z};
    const float rotation[4] = {(float)orientation.x, (float)orientation.y, (float)orientation.z, (float)orientation.w};
    cdg_bytes_print(out, ",\"translation\":[");
    cdg_gltf_put_floats(out, translation, 3);
    cdg_bytes_print(out, "],\"rotation\":[");
    cdg_gltf_put_floats(out, rotation, 4);
    cdg_bytes_append(out, "]", 1);
}

static void add_rigid_material(cdg_gltf_json *json, const cdg_export *export, size_t index, const char *name) {
    double color[3];
    float factor[4] = {1, 1, 1, 1};
    cdg_export_rigid_color(export, index, color);
    for (int i = 0; i < 3; i++) factor[i] = (float)cdg_export_linear(color[i]);
    cdg_gltf_put_comma(&json->materials);
    cdg_bytes_print(&json->materials, "{\"name\":");
    cdg_gltf_put_text(&json->materials, name);
    cdg_bytes_print(&json->materials, ",\"pbrMetallicRoughness\":{\"baseColorFactor\":[");
    cdg_gltf_put_floats(&json->materials, factor, 4);
    cdg_bytes_print(&json->materials, "],\"metallicFactor\":0,\"roughnessFactor\":0.8},\"doubleSided\":true}");
}

// Meshes, materials and nodes of all rigids, which come after those of the rods.
static cdg_result add_rigids(cdg_export *export, gltf_state *state, size_t *first_node, cdg_error *error) {
    cdg_gltf_json *json = &state->json;
    *first_node = json->node_count;
    for (size_t i = 0; i < state->rigids.count; i++) {
        const cdg_export_rigid *rigid = &state->rigids.items[i];
        size_t index = export->reader->rod_count + i;
        cdg_vec3 position;
        cdg_quat orientation;
        cdg_result result = cdg_export_rigid_pose(export, 0, i, &position, &orientation, error);
        if (result != CDG_OK) return result;
        add_rigid_material(json, export, i, rigid->name);
        add_rigid_mesh(json, rigid, index);
        cdg_gltf_put_comma(&json->skeletons);
        cdg_bytes_print(&json->skeletons, "%zu", cdg_gltf_add_node(json, rigid->name, ""));
        cdg_bytes_print(&json->nodes, ",\"mesh\":%zu", index);
        put_pose(&json->nodes, position, orientation);
        cdg_bytes_append(&json->nodes, "}", 1);
    }
    return CDG_OK;
}

static void add_rigid_animation(cdg_gltf_json *json, size_t frames, size_t node, size_t times) {
    static const struct {
        const char *path, *shape;
        size_t size; // bytes
    } parts[2] = {{"translation", "VEC3", 12}, {"rotation", "VEC4", 16}};
    for (int part = 0; part < 2; part++, json->sampler_count++) {
        size_t view = cdg_gltf_add_view(json, frames * parts[part].size, 0);
        cdg_gltf_put_comma(&json->samplers);
        cdg_bytes_print(&json->samplers, "{\"input\":%zu,\"output\":%zu}", times,
                        cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, frames, parts[part].shape, ""));
        cdg_gltf_add_channel(json, json->sampler_count, node, parts[part].path);
    }
}

static void put_part(cdg_bytes *out, const char *name, const cdg_bytes *part) {
    if (part->size == 0 && !part->has_failed) return; // glTF has no empty lists
    cdg_bytes_print(out, ",\n\"%s\":[\n", name);
    if (part->has_failed) out->has_failed = true;
    cdg_bytes_append(out, part->data, part->size);
    cdg_bytes_append(out, "]", 1);
}

static void put_description(cdg_bytes *out, const cdg_export *export, cdg_gltf_json *json) {
    cdg_bytes_print(
        out, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"cordage %s\",\"extras\":{\"title\":", cdg_version());
    cdg_gltf_put_text(out, export->reader->title);
    cdg_bytes_print(out, "}},\n\"scene\":0,\n\"scenes\":[{\"nodes\":[0%s", json->roots.size > 0 ? "," : "");
    if (json->roots.has_failed || json->skeletons.has_failed) out->has_failed = true;
    cdg_bytes_append(out, json->roots.data, json->roots.size);
    // (x, y, z) goes to (x, z, -y); columns. A matrix is exact, the quaternion of a quarter turn is not.
    cdg_bytes_print(out, "]}],\n\"nodes\":[\n{\"name\":\"z_up\",\"matrix\":[1,0,0,0, 0,0,-1,0, 0,1,0,0, 0,0,0,1],"
                         "\"children\":[");
    cdg_bytes_append(out, json->skeletons.data, json->skeletons.size);
    cdg_bytes_print(out, "]},\n");
    if (json->nodes.has_failed) out->has_failed = true;
    cdg_bytes_append(out, json->nodes.data, json->nodes.size);
    cdg_bytes_append(out, "]", 1);
    put_part(out, "meshes", &json->meshes);
    put_part(out, "skins", &json->skins);
    put_part(out, "materials", &json->materials);
    if (json->sampler_count > 0) {
        cdg_bytes_print(out, ",\n\"animations\":[{\"name\":\"run\"");
        put_part(out, "samplers", &json->samplers);
        put_part(out, "channels", &json->channels);
        cdg_bytes_print(out, "}]");
    }
    put_part(out, "accessors", &json->accessors);
    put_part(out, "bufferViews", &json->views);
    cdg_bytes_print(out, ",\n\"buffers\":[{\"byteLength\":%llu}]}", (unsigned long long)json->size);
    while (out->size % 4 != 0 && !out->has_failed) cdg_bytes_append(out, " ", 1);
}

// ---- numbers --------------------------------------------------------------------------------------------------------

// Reads the rod's positions into state->numbers and its joints' frames into state->turns.
static cdg_result read_pose(cdg_export *export, gltf_state *state, cdg_gltf_rig *rig, size_t rod, size_t frame,
                            cdg_error *error) {
    cdg_result result =
        cdg_export_read_single(export, frame, rod, CDG_FIELD_frames, (double *)(void *)state->frames, error);
    if (result == CDG_OK) {
        result = cdg_export_read_single(export, frame, rod, CDG_FIELD_positions, state->numbers, error);
    }
    if (result != CDG_OK) return result;
    cdg_error cause = {0};
    result =
        cdg_gltf_rig_pose(rig, (const cdg_vec3 *)(const void *)state->numbers, state->frames, state->turns, &cause);
    if (result == CDG_ERROR_ARGUMENT) { // the run's numbers are no pose
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: output %zu of rod '%s' is damaged: %s", export->def.run,
                        cdg_export_output(export, frame), export->reader->rods[rod].name, cause.message);
    }
    return result == CDG_OK ? CDG_OK : cdg_export_fail_memory(export, error);
}

static void fill_colors(const cdg_export *export, const cdg_skin *skin, size_t rod, unsigned char *out) {
    double color[3];
    cdg_export_rod_color(export, rod, color);
    for (size_t i = 0; i < skin->vertex_count; i++) {
        bool is_light = skin->around[i] < 0.5F; // towards +d2
        for (int k = 0; k < 3; k++) {
            double own = cdg_export_linear(color[k]);
            out[4 * i + (size_t)k] = (unsigned char)lround(255 * (is_light ? 0.85 : own));
        }
        out[4 * i + 3] = 255;
    }
}

// A skin for the rod. Of a closed one the last output tells how it is joined.
static cdg_result make_rig(cdg_export *export, gltf_state *state, size_t rod, cdg_gltf_rig *out, cdg_error *error) {
    cdg_result result = cdg_export_read_single(export, export->frame_count - 1, rod, CDG_FIELD_frames,
                                               (double *)(void *)state->frames, error);
    if (result == CDG_OK) result = cdg_gltf_rig_create(&export->reader->rods[rod], state->frames, out, error);
    return result;
}

static cdg_result write_mesh(cdg_export *export, gltf_state *state, size_t rod, const cdg_gltf_rig *rig,
                             cdg_error *error) {
    const cdg_skin *skin = rig->skin;
    size_t vertices = skin->vertex_count;
    cdg_whole_file *file = &state->file;
    unsigned char *colors = NULL;
    cdg_result result = cdg_export_put(export, file, rig->positions, vertices * 12, error);
    if (result == CDG_OK) result = cdg_export_put(export, file, skin->local_normal, vertices * 12, error);
    if (result == CDG_OK && export->def.has_stripe) {
        colors = malloc(4 * vertices);
        if (colors == NULL) return cdg_export_fail_memory(export, error);
        fill_colors(export, skin, rod, colors);
        result = cdg_export_put(export, file, colors, vertices * 4, error);
        free(colors);
    }
    if (result == CDG_OK) result = cdg_export_put(export, file, rig->joints, vertices * 8, error);
    if (result == CDG_OK) result = cdg_export_put(export, file, rig->weights, vertices * 16, error);
    if (result == CDG_OK) result = cdg_export_put(export, file, skin->triangles, skin->triangle_count * 12, error);
    if (result == CDG_OK) result = cdg_export_put(export, file, rig->inverse_bind, rig->joint_count * 64, error);
    return result;
}

// Numbers of all vertices, single precision.
static cdg_result write_vectors(cdg_export *export, gltf_state *state, const cdg_vec3 *vectors, size_t count,
                                cdg_error *error) {
    float *floats = malloc((3 * count + 1) * sizeof *floats);
    if (floats == NULL) return cdg_export_fail_memory(export, error);
    for (size_t i = 0; i < count; i++) {
        floats[3 * i] = (float)vectors[i].x;
        floats[3 * i + 1] = (float)vectors[i].y;
        floats[3 * i + 2] = (float)vectors[i].z;
    }
    cdg_result result = cdg_export_put(export, &state->file, floats, count * 12, error);
    free(floats);
    return result;
}

static cdg_result write_rigid(cdg_export *export, gltf_state *state, const cdg_shape_surface *shape, cdg_error *error) {
    cdg_result result = write_vectors(export, state, shape->vertices, shape->vertex_count, error);
    if (result == CDG_OK) result = write_vectors(export, state, shape->normals, shape->vertex_count, error);
    if (result == CDG_OK)
        result = cdg_export_put(export, &state->file, shape->triangles, shape->triangle_count * 12, error);
    return result;
}

// ---- the format -----------------------------------------------------------------------------------------------------

static double gltf_estimate(const cdg_export *export) {
    double bytes = 2000;
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        double nodes = (double)export->reader->rods[i].node_count;
        bytes += nodes * (28 * (double)export->frame_count + 800);     // 800: description
        bytes += 76 * cdg_gltf_rig_vertices(&export->reader->rods[i]); // with two triangles each
    }
    return bytes + cdg_gltf_solids_bytes(export);
}

static cdg_result fill_times(const cdg_export *export, float *times, cdg_error *error) {
    for (size_t i = 0; i < export->frame_count; i++) {
        times[i] = (float)cdg_export_play(export, i);
        if (i > 0 && !(times[i] > times[i - 1])) {
            return cdg_fail(error, CDG_ERROR_UNSUPPORTED,
                            "outputs %zu and %zu are too close in time for glTF, which keeps 7 digits; use --every",
                            cdg_export_output(export, i - 1), cdg_export_output(export, i));
        }
    }
    return CDG_OK;
}

static cdg_result describe(cdg_export *export, gltf_state *state, const float *times, cdg_bytes *out,
                           cdg_error *error) {
    cdg_gltf_json *json = &state->json;
    const cdg_run_reader *reader = export->reader;
    size_t *first_joints = malloc((reader->rod_count > 0 ? reader->rod_count : 1) * sizeof *first_joints);
    if (first_joints == NULL) return cdg_export_fail_memory(export, error);
    cdg_result result = CDG_OK;
    json->node_count = 1; // the root
    for (size_t i = 0; i < reader->rod_count && result == CDG_OK; i++) {
        cdg_gltf_rig rig = {0};
        size_t bind = 0;
        result = make_rig(export, state, i, &rig, error);
        if (result == CDG_OK) result = read_pose(export, state, &rig, i, 0, error);
        if (result == CDG_OK) {
            add_material(json, export, i);
            add_mesh(json, export, i, &rig, &bind);
            first_joints[i] = add_nodes(json, export, state, i, &rig, bind);
        }
        cdg_gltf_rig_free(&rig);
    }
    size_t first_rigid = 0, accessor = 0;
    if (result == CDG_OK) result = add_rigids(export, state, &first_rigid, error);
    if (result == CDG_OK && export->frame_count > 1) {
        cdg_bytes bounds = {0};
        cdg_gltf_put_bounds(&bounds, times, export->frame_count, 1);
        size_t view = cdg_gltf_add_view(json, export->frame_count * 4, 0);
        accessor = cdg_gltf_add_accessor(json, view, 0, TYPE_FLOAT, export->frame_count, "SCALAR",
                                         bounds.has_failed ? "" : (const char *)bounds.data);
        if (bounds.has_failed) json->accessors.has_failed = true;
        cdg_bytes_free(&bounds);
        for (size_t i = 0; i < reader->rod_count; i++) add_animation(json, export, i, first_joints[i], accessor);
        for (size_t i = 0; i < state->moving_count; i++)
            add_rigid_animation(json, export->frame_count, first_rigid + state->moving[i], accessor);
    }
    if (result == CDG_OK)
        result = cdg_gltf_solids_describe(export, json, reader->rod_count + state->rigids.count, accessor, error);
    free(first_joints);
    if (result == CDG_OK) put_description(out, export, json);
    if (result == CDG_OK && out->has_failed) result = cdg_export_fail_memory(export, error);
    return result;
}

static cdg_result write_head(cdg_export *export, gltf_state *state, cdg_bytes *description, cdg_error *error) {
    uint64_t total = 12 + 8 + (uint64_t)description->size + 8 + state->json.size;
    if (total > UINT32_MAX) {
        return cdg_fail(
            error, CDG_ERROR_UNSUPPORTED,
            "this would be %.1f GB, and a .glb file has 4.2 GB at most; export fewer outputs (--every %.0f, "
            "--frames)",
            1e-9 * (double)total, ceil(1.1 * (double)export->every * (double)total / (double)UINT32_MAX));
    }
    const uint32_t head[5] = {GLB_MAGIC, 2, (uint32_t)total, (uint32_t)description->size, GLB_JSON};
    const uint32_t chunk[2] = {(uint32_t)state->json.size, GLB_BIN};
    cdg_result result = cdg_export_put(export, &state->file, head, sizeof head, error);
    if (result == CDG_OK) result = cdg_export_put_bytes(export, &state->file, description, error);
    if (result == CDG_OK) result = cdg_export_put(export, &state->file, chunk, sizeof chunk, error);
    return result;
}

static cdg_result write_still_parts(cdg_export *export, gltf_state *state, const float *times, cdg_error *error) {
    cdg_result result = CDG_OK;
    for (size_t i = 0; i < export->reader->rod_count && result == CDG_OK; i++) {
        cdg_gltf_rig rig = {0};
        result = make_rig(export, state, i, &rig, error);
        if (result == CDG_OK) result = write_mesh(export, state, i, &rig, error);
        cdg_gltf_rig_free(&rig);
    }
    for (size_t i = 0; i < state->rigids.count && result == CDG_OK; i++)
        result = write_rigid(export, state, &state->rigids.items[i].shape, error);
    if (result == CDG_OK && export->frame_count > 1) {
        result = cdg_export_put(export, &state->file, times, export->frame_count * 4, error);
    }
    return result;
}

static cdg_result make_rigids(const cdg_export *export, gltf_state *state, cdg_error *error) {
    cdg_result result = cdg_export_rigids_make(export, &state->rigids, error);
    if (result != CDG_OK) return result;
    state->moving = malloc((state->rigids.count + 1) * sizeof *state->moving);
    if (state->moving == NULL) return cdg_export_fail_memory(export, error);
    for (size_t i = 0; i < state->rigids.count; i++)
        if (!state->rigids.items[i].is_still) state->moving[state->moving_count++] = i;
    return CDG_OK;
}

static cdg_result gltf_begin(cdg_export *export, cdg_error *error) {
    gltf_state *state = calloc(1, sizeof *state);
    export->state = state;
    if (state == NULL) return cdg_export_fail_memory(export, error);
    size_t room = cdg_export_largest_field(export);
    float *times = malloc(export->frame_count * sizeof *times);
    state->numbers = malloc(room * sizeof *state->numbers);
    state->frames = malloc(room * sizeof *state->frames);
    state->turns = malloc(room * sizeof *state->turns);
    cdg_bytes description = {0};
    bool has_memory = times != NULL && state->numbers != NULL && state->frames != NULL && state->turns != NULL;
    if (!has_memory) {
        free(times);
        return cdg_export_fail_memory(export, error);
    }
    cdg_result result = fill_times(export, times, error);
    if (result == CDG_OK) result = make_rigids(export, state, error);
    if (result == CDG_OK) result = describe(export, state, times, &description, error);
    if (result == CDG_OK) result = cdg_export_set_main_file(export, 0, export->path, error);
    if (result == CDG_OK) result = cdg_whole_file_begin(export->path, &state->file, error);
    if (result == CDG_OK) export->has_begun = true;
    if (result == CDG_OK) result = write_head(export, state, &description, error);
    if (result == CDG_OK) result = write_still_parts(export, state, times, error);
    cdg_bytes_free(&description);
    cdg_gltf_json_free(&state->json);
    free(times);
    state->first_solid_pass = export->frame_count > 1 ? export->reader->rod_count + state->moving_count : 0;
    export->pass_count = state->first_solid_pass + export->reader->solid_count;
    return result;
}

static cdg_result make_room(cdg_export *export, gltf_state *state, size_t count, cdg_error *error) {
    free(state->translations);
    free(state->rotations);
    state->translations = malloc(count * 3 * sizeof *state->translations);
    state->rotations = malloc(count * 4 * sizeof *state->rotations);
    if (state->translations == NULL || state->rotations == NULL) return cdg_export_fail_memory(export, error);
    return CDG_OK;
}

static cdg_result begin_rod(cdg_export *export, gltf_state *state, size_t rod, cdg_error *error) {
    size_t count = export->reader->rods[rod].node_count * export->frame_count;
    cdg_result result = make_room(export, state, count, error);
    if (result != CDG_OK) return result;
    cdg_gltf_rig_free(&state->rig);
    return make_rig(export, state, rod, &state->rig, error);
}

// The pose of a joint or a rigid at a frame; `q` follows that of the frame before.
static void keep_pose(cdg_vec3 position, cdg_quat turn, size_t frame, float *x, float *q) {
    x[0] = (float)position.x, x[1] = (float)position.y, x[2] = (float)position.z;
    if (frame > 0) { // the same rotation as -turn, but programs interpolate between the numbers
        const float *before = q - 4;
        double dot = turn.x * (double)before[0] + turn.y * (double)before[1] + turn.z * (double)before[2] +
                     turn.w * (double)before[3];
        if (dot < 0) turn = quat_negate(turn);
    }
    q[0] = (float)turn.x;
    q[1] = (float)turn.y;
    q[2] = (float)turn.z;
    q[3] = (float)turn.w;
}

static cdg_result collect_rod(cdg_export *export, gltf_state *state, size_t rod, size_t frame, cdg_error *error) {
    size_t nodes = export->reader->rods[rod].node_count, frames = export->frame_count;
    cdg_result result = frame == 0 ? begin_rod(export, state, rod, error) : CDG_OK;
    if (result == CDG_OK) result = read_pose(export, state, &state->rig, rod, frame, error);
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < nodes; i++) {
        const double *x = state->numbers + 3 * i;
        keep_pose(vec3(x[0], x[1], x[2]), state->turns[i], frame, state->translations + 3 * (i * frames + frame),
                  state->rotations + 4 * (i * frames + frame));
    }
    return CDG_OK;
}

static cdg_result collect_rigid(cdg_export *export, gltf_state *state, size_t rigid, size_t frame, cdg_error *error) {
    cdg_vec3 position;
    cdg_quat orientation;
    cdg_result result = frame == 0 ? make_room(export, state, export->frame_count, error) : CDG_OK;
    if (result == CDG_OK) result = cdg_export_rigid_pose(export, frame, rigid, &position, &orientation, error);
    if (result == CDG_OK)
        keep_pose(position, orientation, frame, state->translations + 3 * frame, state->rotations + 4 * frame);
    return result;
}

static cdg_result gltf_write(cdg_export *export, size_t pass, size_t frame, cdg_error *error) {
    gltf_state *state = export->state;
    size_t rods = export->reader->rod_count, frames = export->frame_count;
    if (pass >= state->first_solid_pass)
        return cdg_gltf_solids_write(export, &state->solid, &state->file, pass - state->first_solid_pass, frame, error);
    size_t nodes = pass < rods ? export->reader->rods[pass].node_count : 1;
    cdg_result result = pass < rods ? collect_rod(export, state, pass, frame, error)
                                    : collect_rigid(export, state, state->moving[pass - rods], frame, error);
    if (result != CDG_OK || frame + 1 < frames) return result;
    result = cdg_export_put(export, &state->file, state->translations, nodes * frames * 12, error);
    if (result == CDG_OK) {
        result = cdg_export_put(export, &state->file, state->rotations, nodes * frames * 16, error);
    }
    return result;
}

static cdg_result gltf_end(cdg_export *export, cdg_error *error) {
    gltf_state *state = export->state;
    cdg_result result = cdg_whole_file_end(&state->file, error);
    export->file_count = result == CDG_OK;
    return result;
}

static void gltf_release(cdg_export *export) {
    gltf_state *state = export->state;
    if (state == NULL) return;
    cdg_whole_file_abandon(&state->file);
    cdg_gltf_rig_free(&state->rig);
    cdg_gltf_solid_free(&state->solid);
    cdg_export_rigids_free(&state->rigids);
    free(state->moving);
    free(state->numbers);
    free(state->frames);
    free(state->turns);
    free(state->translations);
    free(state->rotations);
    free(state);
    export->state = NULL;
}

const cdg_export_operations cdg_export_gltf = {.large = 100e6,
                                               .is_picture = true,
                                               .estimate = gltf_estimate,
                                               .begin = gltf_begin,
                                               .write = gltf_write,
                                               .end = gltf_end,
                                               .release = gltf_release};
