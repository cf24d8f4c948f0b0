// VTK's unstructured grids in XML: numbers as text, as letters (base64) or appended raw, compressed by zlib or not.
#include "base/deflate.h"
#include "base/error.h"
#include "meshing/base64.h"
#include "meshing/tetrahedra_build.h"
#include "meshing/text_scan.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are taken as they lie in the file");

enum { CELL_TETRAHEDRON = 10, CELL_CURVED = 24, CELL_LAGRANGE = 71, INFLATE_MOST = 1100 };

typedef struct vtu_tag {
    cdg_word name; // "/Piece" when it ends one
    const char *attributes, *end;
} vtu_tag;

typedef enum array_form { FORM_TEXT, FORM_LETTERS, FORM_APPENDED } array_form;

typedef struct vtu_array {
    bool is_there;
    array_form form;
    char kind; // 'f' float, 'i' signed, 'u' unsigned
    size_t width;
    const char *data; // text and letters: where they begin
    size_t offset;    // appended
} vtu_array;

typedef enum array_role { ROLE_POINTS, ROLE_CORNERS, ROLE_OFFSETS, ROLE_TYPES, ROLE_COUNT } array_role;

typedef struct vtu_piece {
    size_t point_count, cell_count;
    vtu_array arrays[ROLE_COUNT];
} vtu_piece;

typedef struct vtu_reader {
    cdg_tetrahedra_build *build;
    const char *text, *end;
    size_t head_width; // bytes of the integers before data
    bool is_compressed, is_swapped;
    const char *appended; // NULL: none
    bool is_appended_raw;
    vtu_piece *pieces;
    size_t piece_count;
} vtu_reader;

static cdg_result fail(const vtu_reader *in, const char *sentence) {
    return cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: %s", in->build->path, sentence);
}

// ---- tags -----------------------------------------------------------------------------------------------------------

// The next tag from *at on, which moves behind it. False: there is none.
static bool next_tag(const vtu_reader *in, const char **at, vtu_tag *out) {
    const char *open = memchr(*at, '<', (size_t)(in->end - *at));
    if (open == NULL) return false;
    const char *close = memchr(open, '>', (size_t)(in->end - open));
    if (close == NULL) return false;
    const char *name = open + 1, *stop = name;
    while (stop < close && strchr(" \t\r\n/", *stop) == NULL) stop++;
    if (name < close && *name == '/')
        for (stop = name + 1; stop < close && strchr(" \t\r\n", *stop) == NULL;) stop++;
    *out = (vtu_tag){.name = {name, (size_t)(stop - name)}, .attributes = stop, .end = close};
    *at = close + 1;
    return true;
}

// The value of attribute `key`; size 0 when there is none.
static cdg_word attribute(const vtu_tag *tag, const char *key) {
    size_t length = strlen(key);
    for (const char *at = tag->attributes; at < tag->end; at++) {
        bool begins = at == tag->attributes || strchr(" \t\r\n", at[-1]) != NULL;
        if (!begins || (size_t)(tag->end - at) < length + 2 || memcmp(at, key, length) != 0) continue;
        const char *quote = at + length;
        while (quote < tag->end && strchr(" \t\r\n=", *quote) != NULL) quote++;
        if (quote == tag->end || (*quote != '"' && *quote != '\'')) continue;
        const char *close = memchr(quote + 1, *quote, (size_t)(tag->end - quote - 1));
        if (close == NULL) continue;
        return (cdg_word){quote + 1, (size_t)(close - quote - 1)};
    }
    return (cdg_word){"", 0};
}

static bool attribute_count(const vtu_tag *tag, const char *key, size_t *out) {
    cdg_word word = attribute(tag, key);
    size_t value = 0;
    if (word.size == 0 || word.size > 15) return false;
    for (size_t i = 0; i < word.size; i++) {
        if (word.text[i] < '0' || word.text[i] > '9') return false;
        value = 10 * value + (size_t)(word.text[i] - '0');
    }
    *out = value;
    return true;
}

static bool parse_type(cdg_word type, vtu_array *out) {
    static const struct {
        const char *name;
        char kind;
        size_t width;
    } types[] = {{"Float32", 'f', 4}, {"Float64", 'f', 8}, {"Int8", 'i', 1},   {"Int16", 'i', 2},  {"Int32", 'i', 4},
                 {"Int64", 'i', 8},   {"UInt8", 'u', 1},   {"UInt16", 'u', 2}, {"UInt32", 'u', 4}, {"UInt64", 'u', 8}};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (cdg_word_is(type, types[i].name)) {
            out->kind = types[i].kind;
            out->width = types[i].width;
            return true;
        }
    return false;
}

static cdg_result parse_array(const vtu_reader *in, const vtu_tag *tag, vtu_array *out) {
    cdg_word form = attribute(tag, "format");
    *out = (vtu_array){.is_there = true, .data = tag->end + 1};
    if (!parse_type(attribute(tag, "type"), out)) return fail(in, "an array has numbers of an unknown type");
    if (cdg_word_is(form, "ascii"))
        out->form = FORM_TEXT;
    else if (cdg_word_is(form, "binary"))
        out->form = FORM_LETTERS;
    else if (cdg_word_is(form, "appended"))
        out->form = FORM_APPENDED;
    else
        return fail(in, "an array is neither ascii nor binary nor appended");
    if (in->is_swapped && out->form != FORM_TEXT)
        return fail(in, "its bytes are in the order of other machines (BigEndian); save it as ascii");
    if (out->form == FORM_APPENDED && !attribute_count(tag, "offset", &out->offset))
        return fail(in, "an appended array has no offset");
    return CDG_OK;
}

static cdg_result parse_head(vtu_reader *in, const vtu_tag *tag) {
    cdg_word type = attribute(tag, "type"), order = attribute(tag, "byte_order"), head = attribute(tag, "header_type"),
             compressor = attribute(tag, "compressor");
    if (!cdg_word_is(type, "UnstructuredGrid")) return fail(in, "it is a VTK file, but holds no unstructured grid");
    in->is_swapped = order.size > 0 && !cdg_word_is(order, "LittleEndian"); // says nothing about numbers in text
    in->head_width = cdg_word_is(head, "UInt64") ? 8 : 4;
    in->is_compressed = compressor.size > 0;
    if (in->is_compressed && !cdg_word_is(compressor, "vtkZLibDataCompressor"))
        return fail(in, "it is compressed by something other than zlib; save it with zlib or uncompressed");
    return CDG_OK;
}

static cdg_result add_piece(vtu_reader *in, const vtu_tag *tag) {
    vtu_piece piece = {0};
    if (!attribute_count(tag, "NumberOfPoints", &piece.point_count) ||
        !attribute_count(tag, "NumberOfCells", &piece.cell_count))
        return fail(in, "a piece does not say how many points and cells it has");
    vtu_piece *pieces = realloc(in->pieces, (in->piece_count + 1) * sizeof *pieces);
    if (pieces == NULL) return cdg_fail(in->build->error, CDG_ERROR_MEMORY, "%s: out of memory", in->build->path);
    in->pieces = pieces;
    in->pieces[in->piece_count++] = piece;
    return CDG_OK;
}

static cdg_result add_array(vtu_reader *in, const vtu_tag *tag, bool is_in_points) {
    cdg_word name = attribute(tag, "Name");
    array_role role = is_in_points                        ? ROLE_POINTS
                      : cdg_word_is(name, "connectivity") ? ROLE_CORNERS
                      : cdg_word_is(name, "offsets")      ? ROLE_OFFSETS
                      : cdg_word_is(name, "types")        ? ROLE_TYPES
                                                          : ROLE_COUNT;
    if (role == ROLE_COUNT || in->piece_count == 0) return CDG_OK;
    return parse_array(in, tag, &in->pieces[in->piece_count - 1].arrays[role]);
}

static cdg_result begin_appended(vtu_reader *in, const vtu_tag *tag) {
    const char *mark = memchr(tag->end, '_', (size_t)(in->end - tag->end));
    if (mark == NULL) return fail(in, "its appended data do not begin");
    in->appended = mark + 1;
    in->is_appended_raw = cdg_word_is(attribute(tag, "encoding"), "raw");
    return CDG_OK;
}

static cdg_result read_tags(vtu_reader *in) {
    const char *at = in->text;
    vtu_tag tag;
    bool has_head = false, is_in_points = false, is_in_cells = false;
    cdg_result result = CDG_OK;
    while (result == CDG_OK && in->appended == NULL && next_tag(in, &at, &tag)) {
        if (cdg_word_is(tag.name, "VTKFile")) has_head = true, result = parse_head(in, &tag);
        if (cdg_word_is(tag.name, "Piece")) result = add_piece(in, &tag);
        if (cdg_word_is(tag.name, "Points")) is_in_points = true;
        if (cdg_word_is(tag.name, "Cells")) is_in_cells = true;
        if (cdg_word_is(tag.name, "/Points")) is_in_points = false;
        if (cdg_word_is(tag.name, "/Cells")) is_in_cells = false;
        if (cdg_word_is(tag.name, "DataArray") && (is_in_points || is_in_cells))
            result = add_array(in, &tag, is_in_points);
        if (cdg_word_is(tag.name, "AppendedData")) result = begin_appended(in, &tag);
    }
    if (result == CDG_OK && !has_head) result = fail(in, "it is no VTK file: there is no <VTKFile>");
    return result;
}

// ---- bytes of an array ----------------------------------------------------------------------------------------------

typedef struct vtu_source {
    const char *at, *end;
    bool is_raw; // else letters
} vtu_source;

static bool take(const vtu_source *source, size_t offset, void *out, size_t size) {
    size_t left = (size_t)(source->end - source->at);
    if (offset > left) return false;
    if (!source->is_raw) return cdg_base64_decode(source->at + offset, left - offset, out, size);
    if (size > left - offset) return false;
    if (size > 0) memcpy(out, source->at + offset, size);
    return true;
}

static size_t stored_size(const vtu_source *source, size_t size) {
    return source->is_raw ? size : cdg_base64_length(size);
}

static uint64_t head_number(const vtu_reader *in, const unsigned char *bytes, size_t index) {
    uint64_t value = 0;
    memcpy(&value, bytes + index * in->head_width, in->head_width);
    return value;
}

// Number of blocks, size of a block, size of the last one, compressed size of each; then the blocks.
static bool inflate_blocks(const vtu_reader *in, const vtu_source *source, unsigned char *out, size_t size) {
    unsigned char first[3 * 8];
    if (!take(source, 0, first, 3 * in->head_width)) return false;
    uint64_t count = head_number(in, first, 0), block = head_number(in, first, 1), last = head_number(in, first, 2);
    if (size == 0) return true;
    if (count == 0 || count > size || (count > 1 && block > size)) return false; // also: nothing overflows below
    if (last == 0) last = block;
    if ((count - 1) * block + last != size) return false;
    size_t head_size = (3 + (size_t)count) * in->head_width;
    if (head_size > (size_t)(source->end - source->at)) return false;
    unsigned char *head = malloc(head_size);
    if (head == NULL || !take(source, 0, head, head_size)) {
        free(head);
        return false;
    }
    size_t packed_size = 0, rest = (size_t)(source->end - source->at);
    bool is_good = true;
    for (uint64_t i = 0; i < count && is_good; i++) {
        uint64_t part = head_number(in, head, 3 + (size_t)i);
        is_good = part <= rest - packed_size;
        packed_size += is_good ? (size_t)part : 0;
    }
    unsigned char *packed = is_good ? malloc(packed_size + 1) : NULL;
    is_good = packed != NULL && take(source, stored_size(source, head_size), packed, packed_size);
    for (uint64_t i = 0, from = 0; i < count && is_good; i++) {
        uint64_t part = head_number(in, head, 3 + (size_t)i);
        is_good = cdg_inflate(packed + from, (size_t)part, out + i * block, (size_t)(i + 1 < count ? block : last));
        from += part;
    }
    free(packed);
    free(head);
    return is_good;
}

static bool copy_block(const vtu_reader *in, const vtu_source *source, unsigned char *out, size_t size) {
    unsigned char head[8];
    if (!take(source, 0, head, in->head_width) || head_number(in, head, 0) != size) return false;
    if (source->is_raw) return take(source, in->head_width, out, size);
    size_t whole = in->head_width + size; // letters hold both in one piece
    unsigned char *bytes = malloc(whole);
    bool is_good = bytes != NULL && take(source, 0, bytes, whole);
    if (is_good) memcpy(out, bytes + in->head_width, size);
    free(bytes);
    return is_good;
}

static bool find_source(const vtu_reader *in, const vtu_array *array, vtu_source *out) {
    *out = (vtu_source){.at = array->data, .end = in->end};
    if (array->form == FORM_LETTERS) {
        while (out->at < in->end && strchr(" \t\r\n", *out->at) != NULL) out->at++;
        const char *stop = memchr(out->at, '<', (size_t)(in->end - out->at));
        if (stop != NULL) out->end = stop;
        return true;
    }
    if (in->appended == NULL || array->offset > (size_t)(in->end - in->appended)) return false;
    *out = (vtu_source){.at = in->appended + array->offset, .end = in->end, .is_raw = in->is_appended_raw};
    return true;
}

// ---- numbers --------------------------------------------------------------------------------------------------------

static double number_at(const vtu_array *array, const unsigned char *bytes, size_t index) {
    const unsigned char *at = bytes + index * array->width;
    if (array->kind == 'f') {
        float small;
        double large;
        memcpy(&small, at, sizeof small);
        if (array->width == 4) return (double)small;
        memcpy(&large, at, sizeof large);
        return large;
    }
    uint64_t value = 0;
    memcpy(&value, at, array->width);
    unsigned shift = (unsigned)(64 - 8 * array->width);
    return array->kind == 'u' ? (double)value : (double)((int64_t)(value << shift) >> shift);
}

static cdg_result read_text(const vtu_reader *in, const vtu_array *array, double *out, size_t count) {
    const char *stop = memchr(array->data, '<', (size_t)(in->end - array->data));
    size_t size = (size_t)((stop != NULL ? stop : in->end) - array->data);
    cdg_text_scan scan = cdg_scan_begin(in->build->path, array->data, size, in->build->error);
    for (const char *c = in->text; c < array->data; c++) scan.line += *c == '\n';
    cdg_result result = CDG_OK;
    for (size_t i = 0; result == CDG_OK && i < count; i++) result = cdg_scan_number(&scan, "a number", &out[i]);
    cdg_scan_end(&scan);
    return result;
}

static cdg_result read_bytes(const vtu_reader *in, const vtu_array *array, double *out, size_t count) {
    vtu_source source;
    size_t size = count * array->width;
    unsigned char *bytes = malloc(size + 1);
    if (bytes == NULL) return cdg_fail(in->build->error, CDG_ERROR_MEMORY, "%s: out of memory", in->build->path);
    bool is_good = find_source(in, array, &source) && (in->is_compressed ? inflate_blocks(in, &source, bytes, size)
                                                                         : copy_block(in, &source, bytes, size));
    for (size_t i = 0; is_good && i < count; i++) out[i] = number_at(array, bytes, i);
    free(bytes);
    return is_good ? CDG_OK : fail(in, "an array is cut off, damaged, or has another size than its piece announces");
}

// Numbers as doubles, which hold every index below 2^53. malloc'ed.
static cdg_result read_array(const vtu_reader *in, const vtu_array *array, size_t count, double **out) {
    size_t size = (size_t)(in->end - in->text), most = array->form == FORM_TEXT ? size : size * INFLATE_MOST;
    *out = NULL;
    if (!array->is_there) return fail(in, "a piece lacks its points, connectivity, offsets or types");
    if (count > most)
        return cdg_fail(in->build->error, CDG_ERROR_FORMAT,
                        "%s: a piece announces %zu numbers, but the file's %zu bytes cannot hold so many",
                        in->build->path, count, size);
    *out = malloc((count + 1) * sizeof **out);
    if (*out == NULL) return cdg_fail(in->build->error, CDG_ERROR_MEMORY, "%s: out of memory", in->build->path);
    cdg_result result =
        array->form == FORM_TEXT ? read_text(in, array, *out, count) : read_bytes(in, array, *out, count);
    return result;
}

// ---- pieces ---------------------------------------------------------------------------------------------------------

static cdg_result add_points(vtu_reader *in, const vtu_piece *piece) {
    double *numbers;
    cdg_result result = read_array(in, &piece->arrays[ROLE_POINTS], 3 * piece->point_count, &numbers);
    if (result == CDG_OK) result = cdg_build_reserve_points(in->build, piece->point_count);
    for (size_t i = 0; result == CDG_OK && i < piece->point_count; i++)
        if (!cdg_build_add_point(in->build, &numbers[3 * i]))
            result = cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: point %zu is not finite", in->build->path, i);
    free(numbers);
    return result;
}

static cdg_result add_cell(vtu_reader *in, const vtu_piece *piece, size_t first_point, const double *corners,
                           size_t corner_count) {
    uint64_t cell[4];
    if (corner_count < 4) return fail(in, "a tetrahedron has fewer than four points");
    for (int k = 0; k < 4; k++) {
        if (!(corners[k] >= 0 && corners[k] < (double)piece->point_count))
            return cdg_fail(in->build->error, CDG_ERROR_FORMAT, "%s: a tetrahedron names point %g of %zu",
                            in->build->path, corners[k], piece->point_count);
        cell[k] = first_point + (uint64_t)corners[k];
    }
    cdg_build_add_tetrahedron(in->build, cell);
    return CDG_OK;
}

static cdg_result add_cells(vtu_reader *in, const vtu_piece *piece, size_t first_point) {
    size_t count = piece->cell_count;
    double *offsets = NULL, *types = NULL, *corners = NULL;
    cdg_result result = read_array(in, &piece->arrays[ROLE_OFFSETS], count, &offsets);
    if (result == CDG_OK) result = read_array(in, &piece->arrays[ROLE_TYPES], count, &types);
    double before = 0;
    for (size_t i = 0; result == CDG_OK && i < count; before = offsets[i++])
        if (!(offsets[i] >= before && offsets[i] <= 1e15)) result = fail(in, "the cells' offsets do not grow");
    if (result == CDG_OK && before > 0) result = read_array(in, &piece->arrays[ROLE_CORNERS], (size_t)before, &corners);
    if (result == CDG_OK) result = cdg_build_reserve_tetrahedra(in->build, count);
    for (size_t i = 0; result == CDG_OK && i < count; i++) {
        size_t first = i > 0 ? (size_t)offsets[i - 1] : 0;
        int type = types[i] >= 0 && types[i] < 256 ? (int)types[i] : 0;
        bool is_curved = type == CELL_CURVED || type == CELL_LAGRANGE;
        if (type == CELL_TETRAHEDRON || is_curved)
            result =
                add_cell(in, piece, first_point, corners != NULL ? corners + first : NULL, (size_t)offsets[i] - first);
        else
            in->build->found.other_cells++;
        in->build->found.curved_cells += is_curved;
    }
    free(offsets);
    free(types);
    free(corners);
    return result;
}

cdg_result cdg_vtu_read(cdg_tetrahedra_build *build, const cdg_file_bytes *bytes) {
    vtu_reader in = {.build = build, .text = bytes->data, .end = bytes->data + bytes->size};
    cdg_result result = read_tags(&in);
    for (size_t i = 0; result == CDG_OK && i < in.piece_count; i++) {
        size_t first_point = build->mesh.point_count;
        if (in.pieces[i].point_count == 0 && in.pieces[i].cell_count == 0) continue;
        result = add_points(&in, &in.pieces[i]);
        if (result == CDG_OK) result = add_cells(&in, &in.pieces[i], first_point);
    }
    free(in.pieces);
    return result;
}
