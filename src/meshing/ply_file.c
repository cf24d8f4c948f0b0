// Stanford's PLY: a head of text that lists elements and their properties, then their numbers as text or binary.
#include "base/error.h"
#include "math/vec3.h"
#include "meshing/polygon_files.h"
#include "meshing/text_scan.h"
#include "meshing/triangle_build.h"

#include <string.h>

enum { ELEMENTS_MAX = 16, PROPERTIES_MAX = 64 };

typedef struct ply_type {
    char kind; // 'f' float, 'i' signed, 'u' unsigned
    size_t width;
} ply_type;

typedef enum ply_use { USE_NONE, USE_X, USE_Y, USE_Z, USE_CORNERS } ply_use;

typedef struct ply_property {
    bool is_list;
    ply_type count_type, type;
    ply_use use;
} ply_property;

typedef struct ply_element {
    size_t count;
    bool is_corner, is_face;
    ply_property properties[PROPERTIES_MAX];
    size_t property_count;
} ply_element;

typedef struct ply_reader {
    cdg_text_scan scan;
    enum { PLY_TEXT, PLY_LITTLE, PLY_BIG } form;
    ply_element elements[ELEMENTS_MAX];
    size_t element_count;
    cdg_triangle_build build;
} ply_reader;

static cdg_result no_memory(const ply_reader *in) {
    return cdg_fail(in->scan.error, CDG_ERROR_MEMORY, "%s: out of memory while reading triangles", in->scan.path);
}

// ---- head -----------------------------------------------------------------------------------------------------------

static bool parse_type(cdg_word word, ply_type *out) {
    static const struct {
        const char *names[2];
        ply_type type;
    } types[] = {{{"char", "int8"}, {'i', 1}},     {{"uchar", "uint8"}, {'u', 1}},   {{"short", "int16"}, {'i', 2}},
                 {{"ushort", "uint16"}, {'u', 2}}, {{"int", "int32"}, {'i', 4}},     {{"uint", "uint32"}, {'u', 4}},
                 {{"float", "float32"}, {'f', 4}}, {{"double", "float64"}, {'f', 8}}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (cdg_word_is(word, types[i].names[0]) || cdg_word_is(word, types[i].names[1])) {
            *out = types[i].type;
            return true;
        }
    return false;
}

static cdg_result read_type(ply_reader *in, ply_type *out) {
    cdg_word word;
    if (cdg_scan_line_goes_on(&in->scan) && cdg_scan_word(&in->scan, &word) && parse_type(word, out)) return CDG_OK;
    return cdg_scan_fail(&in->scan, "a property needs a type such as float or int");
}

static ply_use use_of(const ply_element *element, const ply_property *property, cdg_word name) {
    static const char *const names[] = {"x", "y", "z"};
    if (element->is_face && property->is_list &&
        (cdg_word_is(name, "vertex_indices") || cdg_word_is(name, "vertex_index")))
        return USE_CORNERS;
    for (int k = 0; k < 3; k++)
        if (element->is_corner && !property->is_list && cdg_word_is(name, names[k])) return (ply_use)(USE_X + k);
    return USE_NONE;
}

static cdg_result read_property(ply_reader *in) {
    if (in->element_count == 0) return cdg_scan_fail(&in->scan, "a property stands before the first element");
    ply_element *element = &in->elements[in->element_count - 1];
    if (element->property_count == PROPERTIES_MAX) return cdg_scan_fail(&in->scan, "there are too many properties");
    ply_property *property = &element->properties[element->property_count];
    cdg_text_scan before = in->scan;
    cdg_word word = {"", 0};
    property->is_list =
        cdg_scan_line_goes_on(&in->scan) && cdg_scan_word(&in->scan, &word) && cdg_word_is(word, "list");
    if (!property->is_list) in->scan.at = before.at;
    cdg_result result = property->is_list ? read_type(in, &property->count_type) : CDG_OK;
    if (result == CDG_OK) result = read_type(in, &property->type);
    if (result != CDG_OK) return result;
    if (!cdg_scan_line_goes_on(&in->scan) || !cdg_scan_word(&in->scan, &word))
        return cdg_scan_fail(&in->scan, "a property has no name");
    property->use = use_of(element, property, word);
    element->property_count++;
    return CDG_OK;
}

static cdg_result read_element(ply_reader *in) {
    cdg_word name = {"", 0};
    if (in->element_count == ELEMENTS_MAX) return cdg_scan_fail(&in->scan, "there are too many elements");
    ply_element *element = &in->elements[in->element_count++];
    if (!cdg_scan_line_goes_on(&in->scan) || !cdg_scan_word(&in->scan, &name))
        return cdg_scan_fail(&in->scan, "an element has no name");
    element->is_corner = cdg_word_is(name, "vertex");
    element->is_face = cdg_word_is(name, "face");
    return cdg_scan_count(&in->scan, "a number of elements", 1, &element->count);
}

static cdg_result read_form(ply_reader *in) {
    cdg_word word = {"", 0};
    cdg_scan_word(&in->scan, &word);
    if (cdg_word_is(word, "ascii"))
        in->form = PLY_TEXT;
    else if (cdg_word_is(word, "binary_little_endian"))
        in->form = PLY_LITTLE;
    else if (cdg_word_is(word, "binary_big_endian"))
        in->form = PLY_BIG;
    else
        return cdg_scan_fail(&in->scan, "the format is neither ascii nor binary_little_endian nor binary_big_endian");
    return CDG_OK;
}

static cdg_result read_head(ply_reader *in) {
    cdg_word word;
    if (!cdg_scan_word(&in->scan, &word) || !cdg_word_is(word, "ply"))
        return cdg_scan_fail(&in->scan, "a PLY file begins with ply");
    cdg_result result = CDG_OK;
    while (result == CDG_OK) {
        cdg_scan_skip_line(&in->scan);
        if (!cdg_scan_word(&in->scan, &word))
            return cdg_scan_fail(&in->scan, "the head has no end_header; it is cut off");
        if (cdg_word_is(word, "end_header")) break;
        if (cdg_word_is(word, "format")) result = read_form(in);
        if (cdg_word_is(word, "element")) result = read_element(in);
        if (cdg_word_is(word, "property")) result = read_property(in);
    }
    if (result == CDG_OK) { // numbers begin on the next line
        cdg_scan_skip_line(&in->scan);
        in->scan.at += in->scan.at < in->scan.end;
        in->scan.line++;
    }
    return result;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static double decode(const ply_type *type, const unsigned char *bytes) {
    float small;
    double large;
    uint64_t value = 0;
    memcpy(&value, bytes, type->width); // little-endian by now
    if (type->kind == 'f' && type->width == 4) {
        memcpy(&small, bytes, sizeof small);
        return (double)small;
    }
    if (type->kind == 'f') {
        memcpy(&large, bytes, sizeof large);
        return large;
    }
    unsigned shift = (unsigned)(64 - 8 * type->width);
    return type->kind == 'u' ? (double)value : (double)((int64_t)(value << shift) >> shift);
}

static cdg_result take(ply_reader *in, const ply_type *type, double *out) {
    if (in->form == PLY_TEXT) return cdg_scan_number(&in->scan, "a number", out);
    unsigned char bytes[8];
    if ((size_t)(in->scan.end - in->scan.at) < type->width)
        return cdg_fail(in->scan.error, CDG_ERROR_FORMAT, "%s: the file ends within its numbers; it is cut off",
                        in->scan.path);
    for (size_t i = 0; i < type->width; i++)
        bytes[in->form == PLY_BIG ? type->width - 1 - i : i] = (unsigned char)in->scan.at[i];
    in->scan.at += type->width;
    *out = decode(type, bytes);
    return CDG_OK;
}

static cdg_result fail_value(const ply_reader *in, const char *sentence, double value) {
    if (in->form == PLY_TEXT) return cdg_scan_fail(&in->scan, "%s (%g)", sentence, value);
    return cdg_fail(in->scan.error, CDG_ERROR_FORMAT, "%s: %s (%g)", in->scan.path, sentence, value);
}

static cdg_result take_list(ply_reader *in, const ply_property *property) {
    double count, value;
    uint32_t fan[3] = {0};
    cdg_result result = take(in, &property->count_type, &count);
    if (result == CDG_OK && !(count >= 0 && count <= (double)(in->scan.end - in->scan.at)))
        result = fail_value(in, "a list cannot have so many members", count);
    for (size_t i = 0; result == CDG_OK && i < (size_t)count; i++) {
        result = take(in, &property->type, &value);
        if (result != CDG_OK || property->use != USE_CORNERS) continue;
        if (!(value >= 0 && value < (double)UINT32_MAX))
            result = fail_value(in, "a face names a corner that is not there", value);
        else if (!cdg_triangle_build_corner(&in->build, fan, i, (uint32_t)value, in->scan.line))
            result = no_memory(in);
    }
    return result;
}

static cdg_result take_one(ply_reader *in, const ply_element *element) {
    double at[3] = {0, 0, 0}, value;
    cdg_result result = CDG_OK;
    for (size_t i = 0; result == CDG_OK && i < element->property_count; i++) {
        const ply_property *property = &element->properties[i];
        if (property->is_list) {
            result = take_list(in, property);
            continue;
        }
        result = take(in, &property->type, &value);
        if (result == CDG_OK && property->use != USE_NONE) at[property->use - USE_X] = value;
    }
    if (result != CDG_OK || !element->is_corner) return result;
    cdg_vec3 point = vec3(at[0], at[1], at[2]);
    if (!vec3_is_finite(vec3_scale(in->build.scale, point)))
        return fail_value(in, "a coordinate is not finite, of the corner with index",
                          (double)in->build.mesh.point_count);
    return cdg_triangle_build_point(&in->build, point) ? CDG_OK : no_memory(in);
}

// Corners need all three places; other elements may be anything.
static cdg_result check_head(const ply_reader *in) {
    bool has_corners = false, has_faces = false;
    for (size_t e = 0; e < in->element_count; e++) {
        const ply_element *element = &in->elements[e];
        unsigned uses = 0;
        for (size_t i = 0; i < element->property_count; i++) uses |= 1u << element->properties[i].use;
        if (element->is_corner) has_corners = (uses >> USE_X & 7) == 7;
        if (element->is_face) has_faces = uses >> USE_CORNERS & 1;
        // an element without properties takes no room, so its number says nothing
        if (element->property_count == 0 && element->count > 0)
            return cdg_scan_fail(&in->scan, "an element has no properties");
    }
    if (!has_corners) return cdg_scan_fail(&in->scan, "it has no element vertex with x, y and z");
    if (!has_faces)
        return cdg_scan_fail(&in->scan, "it has no element face with vertex_indices; a cloud of points is no surface");
    return CDG_OK;
}

static cdg_result read_elements(ply_reader *in) {
    cdg_result result = CDG_OK;
    for (size_t e = 0; result == CDG_OK && e < in->element_count; e++)
        for (size_t i = 0; result == CDG_OK && i < in->elements[e].count; i++) result = take_one(in, &in->elements[e]);
    if (result != CDG_OK) return result;
    if (in->build.mesh.triangle_count == 0)
        return cdg_fail(in->scan.error, CDG_ERROR_FORMAT, "%s: there are no triangles in it", in->scan.path);
    if (cdg_triangle_build_is_whole(&in->build)) return CDG_OK;
    if (in->form == PLY_TEXT) in->scan.line = in->build.largest_line;
    return fail_value(in, "a face names a corner that is not there", (double)in->build.largest);
}

cdg_result cdg_ply_read(const char *path, const cdg_file_bytes *bytes, double scale, cdg_mesh *out, cdg_error *error) {
    ply_reader in = {.scan = cdg_scan_begin(path, bytes->data, bytes->size, error), .build = {.scale = scale}};
    cdg_result result = read_head(&in);
    if (result == CDG_OK) result = check_head(&in);
    if (result == CDG_OK) result = read_elements(&in);
    cdg_scan_end(&in.scan);
    if (result != CDG_OK) cdg_mesh_free(&in.build.mesh);
    *out = in.build.mesh;
    return result;
}
