// VTK's XML format, with appended raw data. An array of numbers is cut into blocks that are compressed
// one by one; before them stand, as 64-bit integers, the number of blocks, the size of a block, the size of the last
// one if it is smaller (else 0), and the compressed size of each.
#include "export/vtp.h"

#include "base/deflate.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "numbers are written as they lie in memory");

enum {
    BLOCK_SIZE = 1 << 18,
    // Positions and forces hardly compress; harder trying costs much time and gains a few per cent.
    COMPRESSION_LEVEL = 4
};

static const struct {
    const char *name;
    size_t size;
} types[] = {[CDG_VTP_FLOAT64] = {"Float64", 8},
             [CDG_VTP_FLOAT32] = {"Float32", 4},
             [CDG_VTP_INT64] = {"Int64", 8},
             [CDG_VTP_INT32] = {"Int32", 4},
             [CDG_VTP_UINT8] = {"UInt8", 1}};

void cdg_vtp_begin(cdg_vtp *vtp, const char *type) {
    cdg_bytes_clear(&vtp->xml);
    cdg_bytes_clear(&vtp->appended);
    cdg_vtp_print(vtp,
                  "<?xml version=\"1.0\"?>\n"
                  "<VTKFile type=\"%s\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\" "
                  "compressor=\"vtkZLibDataCompressor\">\n",
                  type);
}

void cdg_vtp_print(cdg_vtp *vtp, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length >= sizeof text) {
        vtp->xml.has_failed = true;
    } else {
        cdg_bytes_append(&vtp->xml, text, (size_t)length);
    }
}

static void append_compressed(cdg_vtp *vtp, const unsigned char *data, size_t size) {
    cdg_bytes *out = &vtp->appended;
    uint64_t block_count = (size + BLOCK_SIZE - 1) / BLOCK_SIZE, rest = size % BLOCK_SIZE;
    const uint64_t head[3] = {block_count, BLOCK_SIZE, rest};
    cdg_bytes_append(out, head, sizeof head);
    size_t sizes_at = out->size;
    const uint64_t unknown = 0;
    for (uint64_t i = 0; i < block_count; i++) cdg_bytes_append(out, &unknown, sizeof unknown);
    for (uint64_t i = 0; i < block_count; i++) {
        size_t block_size = i + 1 == block_count && rest > 0 ? (size_t)rest : BLOCK_SIZE;
        size_t bound = cdg_deflate_bound(block_size);
        cdg_bytes_clear(&vtp->block);
        while (vtp->block.size < bound && !vtp->block.has_failed) {
            static const unsigned char zeros[4096];
            cdg_bytes_append(&vtp->block, zeros, sizeof zeros);
        }
        if (vtp->block.has_failed || out->has_failed || !cdg_patience_lasts(vtp->patience)) {
            out->has_failed = true;
            return;
        }
        size_t compressed = vtp->block.size;
        if (!cdg_deflate(data, block_size, COMPRESSION_LEVEL, vtp->block.data, &compressed)) {
            out->has_failed = true;
            return;
        }
        const uint64_t written = compressed;
        memcpy(out->data + sizes_at + i * sizeof written, &written, sizeof written);
        cdg_bytes_append(out, vtp->block.data, compressed);
        data += block_size;
    }
}

void cdg_vtp_array(cdg_vtp *vtp, const char *name, cdg_vtp_type type, size_t component_count,
                   const char *const *components, const void *numbers, size_t tuple_count, bool is_field) {
    cdg_vtp_print(vtp, "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%zu\"", types[type].name, name,
                  component_count);
    for (size_t i = 0; components != NULL && i < component_count; i++) {
        cdg_vtp_print(vtp, " ComponentName%zu=\"%s\"", i, components[i]);
    }
    if (is_field) cdg_vtp_print(vtp, " NumberOfTuples=\"%zu\"", tuple_count);
    cdg_vtp_print(vtp, " format=\"appended\" offset=\"%zu\"/>\n", vtp->appended.size);
    append_compressed(vtp, numbers, tuple_count * component_count * types[type].size);
}

void cdg_vtp_texts(cdg_vtp *vtp, const char *name, const char *const *texts, size_t count) {
    // Texts are numbers of characters in VTK, each ended by a zero.
    cdg_vtp_print(vtp, "<Array type=\"String\" Name=\"%s\" NumberOfTuples=\"%zu\" format=\"ascii\">\n", name, count);
    for (size_t i = 0; i < count; i++) {
        for (const char *c = texts[i];; c++) {
            cdg_vtp_print(vtp, "%d ", (unsigned char)*c);
            if (*c == '\0') break;
        }
        cdg_vtp_print(vtp, "\n");
    }
    cdg_vtp_print(vtp, "</Array>\n");
}

bool cdg_vtp_end(cdg_vtp *vtp) {
    cdg_vtp_print(vtp, "<AppendedData encoding=\"raw\">\n_");
    if (vtp->appended.has_failed) vtp->xml.has_failed = true;
    cdg_bytes_append(&vtp->xml, vtp->appended.data, vtp->appended.size);
    cdg_vtp_print(vtp, "\n</AppendedData>\n</VTKFile>\n");
    return !vtp->xml.has_failed;
}

void cdg_vtp_free(cdg_vtp *vtp) {
    cdg_bytes_free(&vtp->xml);
    cdg_bytes_free(&vtp->appended);
    cdg_bytes_free(&vtp->block);
}

void cdg_vtp_escape(cdg_bytes *out, const char *text) {
    static const char *const entities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#10;"};
    cdg_bytes_escaped(out, text, "&<>\"\n", entities);
}
