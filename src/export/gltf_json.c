// Text of glTF's description, piece by piece.
#include "export/gltf_json.h"

#include "output/json.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void cdg_gltf_put_text(cdg_bytes *out, const char *text) {
    cdg_json json = {0};
    cdg_json_text(&json, NULL, text);
    const char *quoted = cdg_json_finish(&json);
    if (quoted == NULL) {
        out->has_failed = true;
    } else {
        cdg_bytes_append(out, quoted, strcspn(quoted, "\n"));
    }
    cdg_json_free(&json);
}

void cdg_gltf_put_comma(cdg_bytes *out) {
    if (out->size > 0) cdg_bytes_append(out, ",\n", 2);
}

void cdg_gltf_put_floats(cdg_bytes *out, const float *values, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (i > 0) cdg_bytes_append(out, ",", 1);
        cdg_bytes_float(out, values[i]);
    }
}

size_t cdg_gltf_add_view(cdg_gltf_json *json, uint64_t size, int target) {
    cdg_gltf_put_comma(&json->views);
    cdg_bytes_print(&json->views, "{\"buffer\":0,\"byteOffset\":%llu,\"byteLength\":%llu",
                    (unsigned long long)json->size, (unsigned long long)size);
    if (target != 0) cdg_bytes_print(&json->views, ",\"target\":%d", target);
    cdg_bytes_append(&json->views, "}", 1);
    json->size += size;
    return json->view_count++;
}

size_t cdg_gltf_add_accessor(cdg_gltf_json *json, size_t view, uint64_t offset, int type, size_t count,
                             const char *shape, const char *more) {
    cdg_gltf_put_comma(&json->accessors);
    cdg_bytes_print(&json->accessors, "{\"bufferView\":%zu", view);
    if (offset > 0) cdg_bytes_print(&json->accessors, ",\"byteOffset\":%llu", (unsigned long long)offset);
    cdg_bytes_print(&json->accessors, ",\"componentType\":%d,\"count\":%zu,\"type\":\"%s\"%s}", type, count, shape,
                    more);
    return json->accessor_count++;
}

void cdg_gltf_put_bounds(cdg_bytes *out, const float *values, size_t count, size_t components) {
    float low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < count * components; i++) {
        low[i % components] = fminf(low[i % components], values[i]);
        high[i % components] = fmaxf(high[i % components], values[i]);
    }
    cdg_bytes_print(out, ",\"min\":[");
    cdg_gltf_put_floats(out, low, components);
    cdg_bytes_print(out, "],\"max\":[");
    cdg_gltf_put_floats(out, high, components);
    cdg_bytes_append(out, "]", 2); // with its terminator
}

size_t cdg_gltf_add_node(cdg_gltf_json *json, const char *name, const char *suffix) {
    char full[300];
    snprintf(full, sizeof full, "%.200s%s", name, suffix);
    cdg_gltf_put_comma(&json->nodes);
    cdg_bytes_print(&json->nodes, "{\"name\":");
    cdg_gltf_put_text(&json->nodes, full);
    return json->node_count++;
}

void cdg_gltf_add_channel(cdg_gltf_json *json, size_t sampler, size_t node, const char *path) {
    cdg_gltf_put_comma(&json->channels);
    cdg_bytes_print(&json->channels, "{\"sampler\":%zu,\"target\":{\"node\":%zu,\"path\":\"%s\"}}", sampler, node,
                    path);
}

void cdg_gltf_json_free(cdg_gltf_json *json) {
    cdg_bytes *const parts[] = {&json->views,  &json->accessors, &json->nodes,     &json->roots,    &json->skeletons,
                                &json->meshes, &json->skins,     &json->materials, &json->samplers, &json->channels};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) cdg_bytes_free(parts[i]);
}
