// A VTK file in XML (.vtp, .vtu) made in memory: XML with its numbers appended, binary and compressed by zlib.
#ifndef CDG_EXPORT_VTP_H
#define CDG_EXPORT_VTP_H

#include "base/patience.h"
#include "export/bytes.h"

#include <stdint.h>

typedef enum cdg_vtp_type {
    CDG_VTP_FLOAT64,
    CDG_VTP_FLOAT32,
    CDG_VTP_INT64,
    CDG_VTP_INT32,
    CDG_VTP_UINT8
} cdg_vtp_type;

typedef struct cdg_vtp {
    cdg_bytes xml, appended;
    cdg_bytes block;        // one compressed block
    cdg_patience *patience; // NULL: endless; once over, as without memory
} cdg_vtp;

// Starts a new file of this type ("PolyData", "UnstructuredGrid"); keeps the memory of the last one.
void cdg_vtp_begin(cdg_vtp *vtp, const char *type);
void cdg_vtp_print(cdg_vtp *vtp, const char *format, ...) __attribute__((format(printf, 2, 3))); // XML as it stands

// One DataArray of tuple_count times component_count numbers. `components` are their names; NULL: none are given.
void cdg_vtp_array(cdg_vtp *vtp, const char *name, cdg_vtp_type type, size_t component_count,
                   const char *const *components, const void *numbers, size_t tuple_count, bool is_field);
// An array of texts, for field data.
void cdg_vtp_texts(cdg_vtp *vtp, const char *name, const char *const *texts, size_t count);

// Closes the file: its bytes are those of `xml`. False: out of memory.
bool cdg_vtp_end(cdg_vtp *vtp);
void cdg_vtp_free(cdg_vtp *vtp);

// A text for an XML attribute.
void cdg_vtp_escape(cdg_bytes *out, const char *text);

#endif
