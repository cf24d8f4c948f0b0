// Gmsh's .msh, versions 2.2 and 4.1, as text or binary. Both have the same sections; numbers come from one of two
// places through the same calls.
#include "base/error.h"
#include "meshing/tetrahedra_build.h"
#include "meshing/text_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct gmsh_tag {
    uint64_t tag;
    size_t index;
} gmsh_tag;

typedef struct gmsh_reader {
    cdg_tetrahedra_build *build;
    cdg_text_scan scan; // its place is that of binary numbers, too
    bool is_binary, is_4;
    gmsh_tag *tags; // of points; sorted before elements are read
    size_t tag_capacity;
    bool is_counted; // tags go up by one from the first: no search
} gmsh_reader;

// ---- numbers --------------------------------------------------------------------------------------------------------

static cdg_result take_bytes(gmsh_reader *in, void *out, size_t size) {
    if ((size_t)(in->scan.end - in->scan.at) < size)
        return cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: the file ends within its numbers; it is cut off",
                        in->build->path);
    memcpy(out, in->scan.at, size);
    in->scan.at += size;
    return CDG_OK;
}

static cdg_result take_int(gmsh_reader *in, const char *what, int64_t *out) {
    if (!in->is_binary) return cdg_scan_integer(&in->scan, what, out);
    int32_t value = 0;
    cdg_result result = take_bytes(in, &value, sizeof value);
    *out = value;
    return result;
}

// What is a size_t in version 4 and an int in version 2.
static cdg_result take_size(gmsh_reader *in, const char *what, int64_t *out) {
    if (!in->is_binary || !in->is_4) return take_int(in, what, out);
    return take_bytes(in, out, sizeof *out);
}

static cdg_result take_double(gmsh_reader *in, const char *what, double *out) {
    return in->is_binary ? take_bytes(in, out, sizeof *out) : cdg_scan_number(&in->scan, what, out);
}

// `text` and `binary`: the fewest bytes that one of these takes.
static cdg_result take_count(gmsh_reader *in, const char *what, size_t text, size_t binary, size_t *out) {
    if (!in->is_binary) return cdg_scan_count(&in->scan, what, text, out);
    int64_t value = 0;
    cdg_result result = take_size(in, what, &value);
    if (result != CDG_OK) return result;
    size_t left = (size_t)(in->scan.end - in->scan.at);
    if (value < 0 || (uint64_t)value > left / binary)
        return cdg_fail(in->build->error, CDG_ERROR_FORMAT,
                        "%s: %s cannot be %lld: the rest of the file has only %zu bytes", in->build->path, what,
                        (long long)value, left);
    *out = (size_t)value;
    return CDG_OK;
}

// The total stands as text even in binary files of version 2.
static cdg_result take_total(gmsh_reader *in, const char *what, size_t text, size_t binary, size_t *out) {
    if (in->is_4) return take_count(in, what, text, binary, out);
    cdg_result result = cdg_scan_count(&in->scan, what, in->is_binary ? binary : text, out);
    if (result == CDG_OK && in->is_binary) {
        cdg_scan_skip_line(&in->scan);
        in->scan.at += in->scan.at < in->scan.end;
    }
    return result;
}

static cdg_result fail_here(const gmsh_reader *in, const char *sentence, long long number) {
    if (in->is_binary)
        return cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: %s (%lld)", in->build->path, sentence, number);
    return cdg_scan_fail(&in->scan, "%s (%lld)", sentence, number);
}

// ---- points ---------------------------------------------------------------------------------------------------------

static cdg_result reserve_points(gmsh_reader *in, size_t count) {
    cdg_tetrahedra_build *build = in->build;
    cdg_result result = cdg_build_reserve_points(build, count);
    if (result != CDG_OK || build->point_capacity <= in->tag_capacity) return result;
    gmsh_tag *tags = realloc(in->tags, build->point_capacity * sizeof *tags);
    if (tags == NULL) return cdg_fail(build->error, CDG_ERROR_MEMORY, "%s: no memory for its points", build->path);
    in->tags = tags;
    in->tag_capacity = build->point_capacity;
    return CDG_OK;
}

static cdg_result take_point(gmsh_reader *in, int extra) {
    double at[3], other;
    cdg_result result = CDG_OK;
    for (int k = 0; result == CDG_OK && k < 3; k++) result = take_double(in, "a coordinate", &at[k]);
    for (int k = 0; result == CDG_OK && k < extra; k++) result = take_double(in, "a parameter", &other);
    if (result == CDG_OK && !cdg_build_add_point(in->build, at))
        result = fail_here(in, "a coordinate is not finite, of the point with index",
                           (long long)in->build->mesh.point_count);
    return result;
}

static cdg_result read_nodes_2(gmsh_reader *in) {
    size_t count;
    cdg_result result = take_total(in, "the number of nodes", 8, 28, &count);
    if (result == CDG_OK) result = reserve_points(in, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        int64_t tag = 0;
        result = take_int(in, "a node's number", &tag);
        in->tags[in->build->mesh.point_count] = (gmsh_tag){(uint64_t)tag, in->build->mesh.point_count};
        if (result == CDG_OK) result = take_point(in, 0);
    }
    return result;
}

// An entity's block: all tags, then all places, which may have parameters on the entity behind them.
static cdg_result read_node_block(gmsh_reader *in) {
    int64_t dimension, entity, is_parametric, tag;
    size_t count;
    cdg_result result = take_int(in, "an entity's dimension", &dimension);
    if (result == CDG_OK) result = take_int(in, "an entity's number", &entity);
    if (result == CDG_OK) result = take_int(in, "whether nodes are parametric", &is_parametric);
    if (result == CDG_OK) result = take_count(in, "the number of nodes", 8, 32, &count);
    if (result == CDG_OK && (dimension < 0 || dimension > 3))
        result = fail_here(in, "an entity has 0 to 3 dimensions", (long long)dimension);
    if (result == CDG_OK) result = reserve_points(in, count);
    size_t first = in->build->mesh.point_count;
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        result = take_size(in, "a node's number", &tag);
        in->tags[first + i] = (gmsh_tag){(uint64_t)tag, first + i};
    }
    for (size_t i = 0; result == CDG_OK && i < count; i++)
        result = take_point(in, is_parametric != 0 ? (int)dimension : 0);
    return result;
}

static int compare_tags(const void *a, const void *b) {
    uint64_t x = ((const gmsh_tag *)a)->tag, y = ((const gmsh_tag *)b)->tag;
    return (x > y) - (x < y);
}

static cdg_result sort_tags(gmsh_reader *in) {
    size_t count = in->build->mesh.point_count;
    in->is_counted = true;
    for (size_t i = 1; i < count && in->is_counted; i++) in->is_counted = in->tags[i].tag == in->tags[0].tag + i;
    if (in->is_counted) return CDG_OK;
    qsort(in->tags, count, sizeof *in->tags, compare_tags);
    for (size_t i = 1; i < count; i++)
        if (in->tags[i].tag == in->tags[i - 1].tag)
            return cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: two nodes have the number %llu", in->build->path,
                            (unsigned long long)in->tags[i].tag);
    return CDG_OK;
}

static cdg_result read_nodes(gmsh_reader *in) {
    if (in->build->mesh.point_count > 0) return fail_here(in, "there is a second section of nodes", 2);
    if (!in->is_4) {
        cdg_result result = read_nodes_2(in);
        return result == CDG_OK ? sort_tags(in) : result;
    }
    size_t blocks;
    int64_t unused;
    cdg_result result = take_count(in, "the number of blocks", 4, 20, &blocks);
    for (int i = 0; result == CDG_OK && i < 3; i++) result = take_size(in, "a number of nodes", &unused);
    for (size_t i = 0; result == CDG_OK && i < blocks; i++) result = read_node_block(in);
    return result == CDG_OK ? sort_tags(in) : result;
}

// SIZE_MAX: no point has this number.
static size_t find_point(const gmsh_reader *in, uint64_t tag) {
    size_t count = in->build->mesh.point_count;
    if (count == 0) return SIZE_MAX;
    if (in->is_counted) return tag - in->tags[0].tag < count ? (size_t)(tag - in->tags[0].tag) : SIZE_MAX;
    gmsh_tag key = {.tag = tag};
    const gmsh_tag *found = bsearch(&key, in->tags, count, sizeof key, compare_tags);
    return found != NULL ? found->index : SIZE_MAX;
}

// ---- elements -------------------------------------------------------------------------------------------------------

enum { TYPE_TETRAHEDRON = 4, NODES_MAX = 125 };

// Points of an element; 0: the type is not known.
static int node_count_of(int64_t type) {
    static const unsigned char counts[] = {0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                           8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
    if (type == 92) return 64;
    if (type == 93) return 125;
    return type > 0 && type < (int64_t)sizeof counts ? counts[type] : 0;
}

static bool is_curved(int64_t type) { return type == 11 || (type >= 29 && type <= 31); } // corners stand first

static cdg_result take_element(gmsh_reader *in, int64_t type, int node_count) {
    uint64_t corners[4] = {0};
    cdg_result result = CDG_OK;
    for (int k = 0; result == CDG_OK && k < node_count; k++) {
        int64_t tag = 0;
        result = take_size(in, "an element's node", &tag);
        if (k < 4) corners[k] = (uint64_t)tag;
    }
    if (result != CDG_OK) return result;
    if (type != TYPE_TETRAHEDRON && !is_curved(type)) {
        in->build->found.other_cells++;
        return CDG_OK;
    }
    for (int k = 0; k < 4; k++) {
        size_t index = find_point(in, corners[k]);
        if (index == SIZE_MAX)
            return fail_here(in, "a tetrahedron has a node that is not there", (long long)corners[k]);
        corners[k] = index;
    }
    result = cdg_build_reserve_tetrahedra(in->build, 0);
    in->build->found.curved_cells += is_curved(type);
    if (result == CDG_OK) cdg_build_add_tetrahedron(in->build, corners);
    return result;
}

static cdg_result check_type(const gmsh_reader *in, int64_t type) {
    return node_count_of(type) > 0 ? CDG_OK : fail_here(in, "this type of element is not known", (long long)type);
}

// Room for tetrahedra, if they are some.
static cdg_result reserve_elements(gmsh_reader *in, int64_t type, size_t count) {
    bool is_wanted = type == TYPE_TETRAHEDRON || is_curved(type);
    return is_wanted ? cdg_build_reserve_tetrahedra(in->build, count) : CDG_OK;
}

static cdg_result skip_tags(gmsh_reader *in, int64_t tag_count) {
    int64_t tag = 0;
    cdg_result result = CDG_OK;
    if (tag_count < 0 || tag_count > 1000)
        result = fail_here(in, "an element cannot have so many tags", (long long)tag_count);
    for (int64_t k = 0; result == CDG_OK && k < tag_count; k++) result = take_int(in, "a tag", &tag);
    return result;
}

static cdg_result read_elements_2(gmsh_reader *in) {
    size_t count;
    int64_t number, type, tag_count;
    cdg_result result = take_total(in, "the number of elements", 8, 8, &count);
    if (result == CDG_OK && !in->is_binary) result = cdg_build_reserve_tetrahedra(in->build, count);
    for (size_t i = 0; result == CDG_OK && i < count;) {
        int64_t block = 1; // binary: elements of one type follow each other
        if (!in->is_binary) result = take_int(in, "an element's number", &number);
        if (result == CDG_OK) result = take_int(in, "an element's type", &type);
        if (result == CDG_OK && in->is_binary) result = take_int(in, "a number of elements", &block);
        if (result == CDG_OK) result = take_int(in, "a number of tags", &tag_count);
        if (result == CDG_OK) result = check_type(in, type);
        if (result == CDG_OK && (block < 1 || (uint64_t)block > count - i))
            result = fail_here(in, "a block has another number of elements than the section", (long long)block);
        if (result == CDG_OK && in->is_binary) result = reserve_elements(in, type, (size_t)block);
        for (int64_t k = 0; result == CDG_OK && k < block; k++, i++) {
            if (in->is_binary) result = take_int(in, "an element's number", &number);
            if (result == CDG_OK) result = skip_tags(in, tag_count);
            if (result == CDG_OK) result = take_element(in, type, node_count_of(type));
        }
    }
    return result;
}

static cdg_result read_element_block(gmsh_reader *in) {
    int64_t dimension, entity, type, number;
    size_t count;
    cdg_result result = take_int(in, "an entity's dimension", &dimension);
    if (result == CDG_OK) result = take_int(in, "an entity's number", &entity);
    if (result == CDG_OK) result = take_int(in, "an element's type", &type);
    if (result == CDG_OK) result = check_type(in, type);
    if (result == CDG_OK) result = take_count(in, "the number of elements", 4, 16, &count);
    if (result == CDG_OK) result = reserve_elements(in, type, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        result = take_size(in, "an element's number", &number);
        if (result == CDG_OK) result = take_element(in, type, node_count_of(type));
    }
    return result;
}

static cdg_result read_elements(gmsh_reader *in) {
    if (!in->is_4) return read_elements_2(in);
    size_t blocks;
    int64_t unused;
    cdg_result result = take_count(in, "the number of blocks", 4, 20, &blocks);
    for (int i = 0; result == CDG_OK && i < 3; i++) result = take_size(in, "a number of elements", &unused);
    for (size_t i = 0; result == CDG_OK && i < blocks; i++) result = read_element_block(in);
    return result;
}

// ---- the file -------------------------------------------------------------------------------------------------------

static cdg_result read_head(gmsh_reader *in) {
    cdg_word word;
    double version;
    int64_t is_binary, size;
    if (!cdg_scan_word(&in->scan, &word) || !cdg_word_is(word, "$MeshFormat"))
        return cdg_scan_fail(&in->scan, "a Gmsh file begins with $MeshFormat");
    cdg_result result = cdg_scan_number(&in->scan, "the version", &version);
    if (result == CDG_OK) result = cdg_scan_integer(&in->scan, "whether it is binary", &is_binary);
    if (result == CDG_OK) result = cdg_scan_integer(&in->scan, "the size of a number", &size);
    if (result != CDG_OK) return result;
    in->is_4 = fabs(version - 4.1) < 0.05;
    in->is_binary = is_binary != 0;
    if (!in->is_4 && !(version >= 2 && version < 3))
        return cdg_scan_fail(&in->scan, "version %g is not read; save it as 4.1 or 2.2", version);
    if (!in->is_binary) return CDG_OK;
    if (size != 8) return cdg_scan_fail(&in->scan, "its numbers have %lld bytes; save it as text", (long long)size);
    int32_t one = 0;
    cdg_scan_skip_line(&in->scan);
    in->scan.at += in->scan.at < in->scan.end;
    result = take_bytes(in, &one, sizeof one);
    if (result == CDG_OK && one != 1)
        result = cdg_scan_fail(&in->scan, "its bytes are in another order than this machine's; save it as text");
    return result;
}

// Past "$EndNodes" and the like; sections that nobody reads may hold anything.
static void skip_to_end_of(gmsh_reader *in, cdg_word section) {
    while (in->scan.at < in->scan.end) {
        const char *found = memchr(in->scan.at, '$', (size_t)(in->scan.end - in->scan.at));
        if (found == NULL) found = in->scan.end;
        for (const char *c = in->scan.at; !in->is_binary && c < found; c++) in->scan.line += *c == '\n';
        in->scan.at = found;
        if (found == in->scan.end) return;
        size_t left = (size_t)(in->scan.end - found);
        in->scan.at++;
        if (left < section.size + 3 || memcmp(found, "$End", 4) != 0) continue;
        if (memcmp(found + 4, section.text + 1, section.size - 1) == 0) {
            in->scan.at = found + section.size + 3;
            return;
        }
    }
}

// Binary numbers begin on the line after the section's name.
static void step_to_numbers(gmsh_reader *in) {
    if (!in->is_binary || !in->is_4) return;
    cdg_scan_skip_line(&in->scan);
    in->scan.at += in->scan.at < in->scan.end;
}

static cdg_result read_sections(gmsh_reader *in) {
    cdg_word word = {"$MeshFormat", 11};
    cdg_result result = read_head(in);
    if (result == CDG_OK) skip_to_end_of(in, word);
    while (result == CDG_OK && cdg_scan_word(&in->scan, &word)) {
        if (word.text[0] != '$')
            return fail_here(in, "expected a section such as $Nodes; the number of bytes left is",
                             (long long)(in->scan.end - in->scan.at));
        step_to_numbers(in);
        if (cdg_word_is(word, "$Nodes")) result = read_nodes(in);
        if (cdg_word_is(word, "$Elements")) result = read_elements(in);
        if (result == CDG_OK) skip_to_end_of(in, word);
    }
    return result;
}

cdg_result cdg_gmsh_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes) {
    gmsh_reader in = {.build = build};
    in.scan = cdg_scan_begin(build->path, bytes->data, bytes->size, build->error);
    cdg_result result = read_sections(&in);
    cdg_scan_end(&in.scan);
    free(in.tags);
    return result;
}
