// The description of a glTF file: its lists are written side by side and put together at the end.
#ifndef CDG_EXPORT_GLTF_JSON_H
#define CDG_EXPORT_GLTF_JSON_H

#include "export/bytes.h"

#include <stddef.h>
#include <stdint.h>

enum { // constants of the glTF specification
    GLB_MAGIC = 0x46546C67,
    GLB_JSON = 0x4E4F534A,
    GLB_BIN = 0x004E4942,
    TYPE_UNSIGNED_BYTE = 5121,
    TYPE_UNSIGNED_SHORT = 5123,
    TYPE_UNSIGNED_INT = 5125,
    TYPE_FLOAT = 5126,
    TARGET_VERTICES = 34962,
    TARGET_INDICES = 34963
};

// The parts of the description, which are written side by side and put together at the end.
typedef struct cdg_gltf_json {
    cdg_bytes views, accessors, nodes, roots, skeletons, meshes, skins, materials, samplers, channels;
    size_t view_count, accessor_count, node_count, sampler_count;
    uint64_t size; // of the binary part so far
} cdg_gltf_json;

// A text in quotes; a comma unless the list is empty; numbers with commas.
void cdg_gltf_put_text(cdg_bytes *out, const char *text);
void cdg_gltf_put_comma(cdg_bytes *out);
void cdg_gltf_put_floats(cdg_bytes *out, const float *values, size_t count);
// ",\"min\":[...],\"max\":[...]" of vectors of 1 to 3 components, into `out`, terminated.
void cdg_gltf_put_bounds(cdg_bytes *out, const float *values, size_t count, size_t components);

// Each returns the number of what was added. A view is the next `size` bytes of the binary part; target 0: none.
size_t cdg_gltf_add_view(cdg_gltf_json *json, uint64_t size, int target);
size_t cdg_gltf_add_accessor(cdg_gltf_json *json, size_t view, uint64_t offset, int type, size_t count,
                             const char *shape, const char *more);
size_t cdg_gltf_add_node(cdg_gltf_json *json, const char *name, const char *suffix); // left open: "}" is missing
void cdg_gltf_add_channel(cdg_gltf_json *json, size_t sampler, size_t node, const char *path);

void cdg_gltf_json_free(cdg_gltf_json *json);

#endif
