// VTK, for ParaView: one poly-data file (.vtp) an output, all rods in it, others with all rigids and all contacts if
// there are any, and a collection (.pvd) with the times.
//
// A rod is one poly-line, so that ParaView's Tube filter makes one smooth tube of it. Values of elements are therefore
// taken to the nodes (node_values.h): a poly-line is a single cell and cannot carry a value for each of its segments.
#define _POSIX_C_SOURCE 200809L
#include "base/error.h"
#include "export/contacts_vtp.h"
#include "export/format.h"
#include "export/node_values.h"
#include "export/rigids.h"
#include "export/solids_vtu.h"
#include "export/vtp.h"
#include "export/whole_folder.h"
#include "math/quat.h"
#include "output/disk.h"
#include "output/field_view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct vtk_state {
    cdg_whole_folder folder;
    cdg_whole_file collection;
    cdg_vtp vtp;
    cdg_bytes text;
    const char *name; // of the folder and of the files in it
    size_t node_count;
    int digits; // of the output's number in file names
    // all rods one after the other, entries of nodes
    double *fields[CDG_FIELD_COUNT];
    double *elements; // one field of one rod as stored
    cdg_quat *frames; // of one rod at its nodes
    float *axes[3];   // d1, d2, d3
    double *speed, *radius, *arc_length;
    int64_t *connectivity, *offsets; // of the poly-lines
    int32_t *rod_of_point, *rod_of_line, *is_closed;
    const char **names;
    cdg_export_rigids rigids; // their corners and triangles one after the other
    size_t corner_count, triangle_count;
    cdg_vec3 *corners;
    int64_t *triangle_corners, *triangle_ends;
    int32_t *rigid_of_triangle, *is_free;
    const char **rigid_names;
    bool has_contacts;
} vtk_state;

// ---- memory and what stays the same ---------------------------------------------------------------------------------

static bool allocate(const cdg_export *export, vtk_state *state) {
    const cdg_run_reader *reader = export->reader;
    size_t rods = reader->rod_count > 0 ? reader->rod_count : 1, nodes = state->node_count > 0 ? state->node_count : 1;
    bool is_done = true;
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        size_t components = cdg_field_get((cdg_field)i).component_count;
        is_done = (state->fields[i] = malloc(nodes * components * sizeof(double))) != NULL && is_done;
    }
    for (int i = 0; i < 3; i++) is_done = (state->axes[i] = malloc(3 * nodes * sizeof(float))) != NULL && is_done;
    state->elements = malloc(cdg_export_largest_field(export) * sizeof(double));
    state->frames = malloc(nodes * sizeof(cdg_quat));
    state->speed = malloc(nodes * sizeof(double));
    state->radius = malloc(nodes * sizeof(double));
    state->arc_length = malloc(nodes * sizeof(double));
    state->connectivity = malloc((nodes + rods) * sizeof(int64_t));
    state->offsets = malloc(rods * sizeof(int64_t));
    state->rod_of_point = malloc(nodes * sizeof(int32_t));
    state->rod_of_line = malloc(rods * sizeof(int32_t));
    state->is_closed = malloc(rods * sizeof(int32_t));
    state->names = malloc(rods * sizeof *state->names);
    return is_done && state->elements != NULL && state->frames != NULL && state->speed != NULL &&
           state->radius != NULL && state->arc_length != NULL && state->connectivity != NULL &&
           state->offsets != NULL && state->rod_of_point != NULL && state->rod_of_line != NULL &&
           state->is_closed != NULL && state->names != NULL;
}

// Rod number i, whose nodes follow those of the rods before it.
static void fill_rod(vtk_state *state, size_t i, const cdg_run_rod *rod, size_t first) {
    size_t corner = i > 0 ? (size_t)state->offsets[i - 1] : 0;
    double arc_length = 0;
    for (size_t k = 0; k < rod->node_count; k++) {
        state->rod_of_point[first + k] = (int32_t)i;
        state->radius[first + k] = rod->radius[k];
        state->arc_length[first + k] = arc_length;
        state->connectivity[corner++] = (int64_t)(first + k);
        if (k < rod->element_count) arc_length += rod->rest_length[k];
    }
    if (rod->is_closed) state->connectivity[corner++] = (int64_t)first;
    state->offsets[i] = (int64_t)corner;
    state->rod_of_line[i] = (int32_t)i;
    state->is_closed[i] = rod->is_closed;
    state->names[i] = rod->name;
}

static void fill_constants(const cdg_run_reader *reader, vtk_state *state) {
    for (size_t i = 0, node = 0; i < reader->rod_count; node += reader->rods[i++].node_count)
        fill_rod(state, i, &reader->rods[i], node);
}

static cdg_result make_rigids(cdg_export *export, vtk_state *state, cdg_error *error) {
    cdg_result result = cdg_export_rigids_make(export, &state->rigids, error);
    if (result != CDG_OK || state->rigids.count == 0) return result;
    const cdg_export_rigids *rigids = &state->rigids;
    for (size_t i = 0; i < rigids->count; i++) {
        state->corner_count += rigids->items[i].shape.vertex_count;
        state->triangle_count += rigids->items[i].shape.triangle_count;
    }
    state->corners = malloc((state->corner_count + 1) * sizeof *state->corners);
    state->triangle_corners = malloc((3 * state->triangle_count + 1) * sizeof *state->triangle_corners);
    state->triangle_ends = malloc((state->triangle_count + 1) * sizeof *state->triangle_ends);
    state->rigid_of_triangle = malloc((state->triangle_count + 1) * sizeof *state->rigid_of_triangle);
    state->is_free = malloc((state->triangle_count + 1) * sizeof *state->is_free);
    state->rigid_names = malloc(rigids->count * sizeof *state->rigid_names);
    if (state->corners == NULL || state->triangle_corners == NULL || state->triangle_ends == NULL ||
        state->rigid_of_triangle == NULL || state->is_free == NULL || state->rigid_names == NULL)
        return cdg_export_fail_memory(export, error);
    size_t corner = 0, triangle = 0;
    for (size_t i = 0; i < rigids->count; i++) {
        const cdg_shape_surface *shape = &rigids->items[i].shape;
        for (size_t t = 0; t < shape->triangle_count; t++, triangle++) {
            for (size_t k = 0; k < 3; k++)
                state->triangle_corners[3 * triangle + k] = (int64_t)(corner + shape->triangles[t][k]);
            state->triangle_ends[triangle] = (int64_t)(3 * triangle + 3);
            state->rigid_of_triangle[triangle] = (int32_t)i;
            state->is_free[triangle] = rigids->items[i].is_free;
        }
        corner += shape->vertex_count;
        state->rigid_names[i] = rigids->items[i].name;
    }
    return CDG_OK;
}

static double vtk_estimate(const cdg_export *export) {
    double bytes = 3000; // XML of one file
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        double nodes = (double)export->reader->rods[i].node_count;
        for (int k = 0; k < CDG_FIELD_COUNT; k++) {
            bytes += 0.9 * 8 * nodes * (double)cdg_field_get((cdg_field)k).component_count;
        }
        bytes += 0.9 * (8 + 9 * 4) * nodes; // speed and axes; what stays the same compresses well
    }
    for (size_t i = 0; i < export->reader->solid_count; i++) {
        const cdg_run_solid_entry *solid = &export->reader->solids[i];
        bytes += 0.9 * (24 * (double)solid->node_count + 16 * (double)solid->tetrahedron_count);
    }
    return bytes * (double)export->frame_count;
}

// Whether anything touches at one of the outputs asked for.
static cdg_result find_contacts(const cdg_export *export, bool *out, cdg_error *error) {
    cdg_result result = CDG_OK;
    *out = false;
    for (size_t frame = 0; frame < export->frame_count && export->reader->has_contact_places && !*out; frame++) {
        size_t count = 0;
        result = cdg_run_reader_contact_count(export->reader, cdg_export_output(export, frame), &count, error);
        if (result != CDG_OK) return result;
        *out = count > 0;
    }
    return result;
}

static cdg_result vtk_begin(cdg_export *export, cdg_error *error) {
    vtk_state *state = calloc(1, sizeof *state);
    export->state = state;
    if (state == NULL) return cdg_export_fail_memory(export, error);
    for (size_t i = 0; i < export->reader->rod_count; i++) state->node_count += export->reader->rods[i].node_count;
    if (!allocate(export, state)) return cdg_export_fail_memory(export, error);
    fill_constants(export->reader, state);
    cdg_result result = make_rigids(export, state, error);
    if (result == CDG_OK) result = find_contacts(export, &state->has_contacts, error);
    if (result != CDG_OK) return result;
    const char *slash = strrchr(export->stem, '/');
    state->name = slash != NULL ? slash + 1 : export->stem;
    state->digits = snprintf(NULL, 0, "%zu", cdg_export_output(export, export->frame_count - 1));
    if (state->digits < 4) state->digits = 4;
    result = cdg_export_set_main_file(export, 0, export->path, error);
    if (result == CDG_OK) result = cdg_whole_folder_begin(export->stem, ".vtp", &state->folder, error);
    if (result == CDG_OK) result = cdg_whole_file_begin(export->path, &state->collection, error);
    export->has_begun = result == CDG_OK;
    return result;
}

// ---- one output -----------------------------------------------------------------------------------------------------

static void put_axes(vtk_state *state, size_t node, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const cdg_vec3 d[3] = {quat_d1(state->frames[i]), quat_d2(state->frames[i]), quat_d3(state->frames[i])};
        for (int k = 0; k < 3; k++) {
            float *out = state->axes[k] + 3 * (node + i);
            out[0] = (float)d[k].x;
            out[1] = (float)d[k].y;
            out[2] = (float)d[k].z;
        }
    }
}

_Static_assert(CDG_FIELD_frames < CDG_FIELD_angular_velocities && CDG_FIELD_frames < CDG_FIELD_tension,
               "what is taken to the nodes comes after the frames");

static cdg_result collect_rod(cdg_export *export, vtk_state *state, size_t frame, size_t i, const cdg_run_rod *rod,
                              size_t node, cdg_error *error) {
    bool has_joint = false; // known once the frames are read
    for (int k = 0; k < CDG_FIELD_COUNT; k++) {
        if (!cdg_export_has_field(export, (cdg_field)k)) continue;
        cdg_field_info field = cdg_field_get((cdg_field)k);
        double *out = state->fields[k] + node * field.component_count;
        bool is_direct = field.per == CDG_FIELD_PER_NODE;
        cdg_result result =
            cdg_export_read_own(export, frame, i, (cdg_field)k, is_direct ? out : state->elements, error);
        if (result != CDG_OK) return result;
        if ((field.traits & CDG_FIELD_INNER) != 0) cdg_view_fill_ends(out, rod->node_count, field.component_count);
        if (k == CDG_FIELD_frames) {
            const cdg_quat *frames = (const cdg_quat *)(const void *)state->elements;
            has_joint = cdg_node_values_has_joint(rod, frames);
            cdg_node_values_frames(rod, has_joint, frames, state->frames);
            memcpy(out, state->frames, rod->node_count * sizeof *state->frames);
            put_axes(state, node, rod->node_count);
        } else if (k == CDG_FIELD_level) {
            cdg_node_values_largest(rod, state->elements, out);
        } else if (!is_direct) {
            cdg_node_values_average(rod, has_joint, state->elements, field.component_count, out);
        }
    }
    return CDG_OK;
}

static cdg_result collect(cdg_export *export, vtk_state *state, size_t frame, cdg_error *error) {
    size_t node = 0;
    for (size_t i = 0; i < export->reader->rod_count; i++) {
        cdg_run_division memory;
        cdg_run_rod rod;
        cdg_result result = cdg_export_own_rod(export, frame, i, &memory, &rod, error);
        if (result == CDG_OK && export->reader->has_adaptive) fill_rod(state, i, &rod, node);
        if (result == CDG_OK) result = collect_rod(export, state, frame, i, &rod, node, error);
        cdg_run_division_free(&memory);
        if (result != CDG_OK) return result;
        node += rod.node_count;
    }
    state->node_count = node;
    const double *v = state->fields[CDG_FIELD_velocities];
    for (size_t i = 0; i < state->node_count && cdg_export_has_field(export, CDG_FIELD_velocities); i++) {
        state->speed[i] = vec3_norm(vec3(v[3 * i], v[3 * i + 1], v[3 * i + 2]));
    }
    return CDG_OK;
}

static void put_point_data(const cdg_export *export, vtk_state *state) {
    cdg_vtp *vtp = &state->vtp;
    size_t count = state->node_count;
    static const char *const axis_names[] = {"d1", "d2", "d3"}, *const world[] = {"x", "y", "z"};
    bool has_velocities = cdg_export_has_field(export, CDG_FIELD_velocities);
    cdg_vtp_print(vtp, "<PointData Scalars=\"radius\"%s>\n", has_velocities ? " Vectors=\"velocity\"" : "");
    cdg_vtp_array(vtp, "radius", CDG_VTP_FLOAT64, 1, NULL, state->radius, count, false);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) {
        if (i == CDG_FIELD_positions || !cdg_export_has_field(export, (cdg_field)i)) continue;
        cdg_field_info field = cdg_field_get((cdg_field)i);
        cdg_vtp_array(vtp, field.entry_name, CDG_VTP_FLOAT64, field.component_count, cdg_field_component_names(&field),
                      state->fields[i], count, false);
    }
    if (has_velocities) cdg_vtp_array(vtp, "speed", CDG_VTP_FLOAT64, 1, NULL, state->speed, count, false);
    for (int i = 0; i < 3; i++) {
        cdg_vtp_array(vtp, axis_names[i], CDG_VTP_FLOAT32, 3, world, state->axes[i], count, false);
    }
    cdg_vtp_array(vtp, "arc_length", CDG_VTP_FLOAT64, 1, NULL, state->arc_length, count, false);
    cdg_vtp_array(vtp, "rod", CDG_VTP_INT32, 1, NULL, state->rod_of_point, count, false);
    cdg_vtp_print(vtp, "</PointData>\n");
}

static bool make_file(const cdg_export *export, vtk_state *state, size_t frame) {
    cdg_vtp *vtp = &state->vtp;
    size_t rods = export->reader->rod_count;
    double time = cdg_export_time(export, frame);
    int32_t output = (int32_t)cdg_export_output(export, frame);
    cdg_vtp_begin(vtp, "PolyData");
    cdg_vtp_print(vtp, "<PolyData>\n<FieldData>\n");
    cdg_vtp_array(vtp, "TimeValue", CDG_VTP_FLOAT64, 1, NULL, &time, 1, true); // the name that VTK looks for
    cdg_vtp_array(vtp, "output", CDG_VTP_INT32, 1, NULL, &output, 1, true);
    cdg_vtp_texts(vtp, "rod_name", state->names, rods);
    cdg_vtp_print(vtp,
                  "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"%zu\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n",
                  state->node_count, rods);
    put_point_data(export, state);
    cdg_vtp_print(vtp, "<CellData>\n");
    cdg_vtp_array(vtp, "rod", CDG_VTP_INT32, 1, NULL, state->rod_of_line, rods, false);
    cdg_vtp_array(vtp, "is_closed", CDG_VTP_INT32, 1, NULL, state->is_closed, rods, false);
    cdg_vtp_print(vtp, "</CellData>\n<Points>\n");
    cdg_vtp_array(vtp, "Points", CDG_VTP_FLOAT64, 3, NULL, state->fields[CDG_FIELD_positions], state->node_count,
                  false);
    cdg_vtp_print(vtp, "</Points>\n<Lines>\n");
    cdg_vtp_array(vtp, "connectivity", CDG_VTP_INT64, 1, NULL, state->connectivity,
                  rods > 0 ? (size_t)state->offsets[rods - 1] : 0, false);
    cdg_vtp_array(vtp, "offsets", CDG_VTP_INT64, 1, NULL, state->offsets, rods, false);
    cdg_vtp_print(vtp, "</Lines>\n</Piece>\n</PolyData>\n");
    return cdg_vtp_end(vtp);
}

static cdg_result place_rigids(cdg_export *export, vtk_state *state, size_t frame, cdg_error *error) {
    cdg_vec3 *out = state->corners;
    for (size_t i = 0; i < state->rigids.count; i++) {
        const cdg_shape_surface *shape = &state->rigids.items[i].shape;
        cdg_vec3 position;
        cdg_quat orientation;
        cdg_result result = cdg_export_rigid_pose(export, frame, i, &position, &orientation, error);
        if (result != CDG_OK) return result;
        for (size_t k = 0; k < shape->vertex_count; k++)
            *out++ = vec3_add(position, quat_rotate(orientation, shape->vertices[k]));
    }
    return CDG_OK;
}

static bool make_rigid_file(const cdg_export *export, vtk_state *state, size_t frame) {
    cdg_vtp *vtp = &state->vtp;
    double time = cdg_export_time(export, frame);
    int32_t output = (int32_t)cdg_export_output(export, frame);
    size_t triangles = state->triangle_count;
    cdg_vtp_begin(vtp, "PolyData");
    cdg_vtp_print(vtp, "<PolyData>\n<FieldData>\n");
    cdg_vtp_array(vtp, "TimeValue", CDG_VTP_FLOAT64, 1, NULL, &time, 1, true);
    cdg_vtp_array(vtp, "output", CDG_VTP_INT32, 1, NULL, &output, 1, true);
    cdg_vtp_texts(vtp, "solid_name", state->rigid_names, state->rigids.count);
    cdg_vtp_print(vtp,
                  "</FieldData>\n<Piece NumberOfPoints=\"%zu\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
                  "NumberOfStrips=\"0\" NumberOfPolys=\"%zu\">\n<CellData>\n",
                  state->corner_count, triangles);
    cdg_vtp_array(vtp, "solid", CDG_VTP_INT32, 1, NULL, state->rigid_of_triangle, triangles, false);
    cdg_vtp_array(vtp, "is_free", CDG_VTP_INT32, 1, NULL, state->is_free, triangles, false);
    cdg_vtp_print(vtp, "</CellData>\n<Points>\n");
    cdg_vtp_array(vtp, "Points", CDG_VTP_FLOAT64, 3, NULL, state->corners, state->corner_count, false);
    cdg_vtp_print(vtp, "</Points>\n<Polys>\n");
    cdg_vtp_array(vtp, "connectivity", CDG_VTP_INT64, 1, NULL, state->triangle_corners, 3 * triangles, false);
    cdg_vtp_array(vtp, "offsets", CDG_VTP_INT64, 1, NULL, state->triangle_ends, triangles, false);
    cdg_vtp_print(vtp, "</Polys>\n</Piece>\n</PolyData>\n");
    return cdg_vtp_end(vtp);
}

// The file that was made, as "NAME_0012.vtp", "NAME_solids_0012.vtp" or "NAME_tetrahedra_0012.vtu".
static cdg_result put_file(cdg_export *export, vtk_state *state, const char *kind, const char *extension, size_t frame,
                           cdg_error *error) {
    cdg_bytes_clear(&state->text);
    cdg_bytes_print(&state->text, "%s/%s%s_%0*zu.%s", state->folder.temporary_path, state->name, kind, state->digits,
                    cdg_export_output(export, frame), extension);
    cdg_bytes_append(&state->text, "", 1);
    if (state->text.has_failed) return cdg_export_fail_memory(export, error);
    cdg_whole_file file = {0};
    cdg_result result = cdg_whole_file_begin((const char *)state->text.data, &file, error);
    if (result == CDG_OK) result = cdg_export_put_bytes(export, &file, &state->vtp.xml, error);
    if (result == CDG_OK) result = cdg_whole_file_end(&file, error);
    cdg_whole_file_abandon(&file);
    export->file_count += result == CDG_OK;
    return result;
}

static cdg_result vtk_write(cdg_export *export, size_t pass, size_t frame, cdg_error *error) {
    (void)pass;
    vtk_state *state = export->state;
    cdg_result result = collect(export, state, frame, error);
    if (result != CDG_OK) return result;
    if (!make_file(export, state, frame)) return cdg_export_fail_memory(export, error);
    result = put_file(export, state, "", "vtp", frame, error);
    if (result == CDG_OK && state->has_contacts) {
        result = cdg_contacts_vtp_make(&state->vtp, export->reader, cdg_export_output(export, frame), error);
        if (result == CDG_OK) result = put_file(export, state, "_contacts", "vtp", frame, error);
    }
    if (result == CDG_OK && export->reader->solid_count > 0) {
        result = cdg_solids_vtu_make(&state->vtp, export->reader, cdg_export_output(export, frame), error);
        if (result == CDG_OK) result = put_file(export, state, "_tetrahedra", "vtu", frame, error);
    }
    if (result != CDG_OK || state->rigids.count == 0) return result;
    result = place_rigids(export, state, frame, error);
    if (result != CDG_OK) return result;
    if (!make_rigid_file(export, state, frame)) return cdg_export_fail_memory(export, error);
    return put_file(export, state, "_solids", "vtp", frame, error);
}

// ---- the collection -------------------------------------------------------------------------------------------------

static void put_entry(const cdg_export *export, vtk_state *state, size_t frame, int part, const char *kind,
                      const char *extension) {
    cdg_bytes *text = &state->text;
    cdg_bytes_print(text, "<DataSet timestep=\"");
    cdg_bytes_number(text, cdg_export_play(export, frame));
    cdg_bytes_print(text, "\" group=\"\" part=\"%d\" file=\"", part);
    cdg_vtp_escape(text, state->name);
    cdg_bytes_print(text, "/");
    cdg_vtp_escape(text, state->name);
    cdg_bytes_print(text, "%s_%0*zu.%s\"/>\n", kind, state->digits, cdg_export_output(export, frame), extension);
}

static cdg_result put_collection(cdg_export *export, vtk_state *state, cdg_error *error) {
    cdg_bytes *text = &state->text;
    cdg_bytes_clear(text);
    cdg_bytes_print(text, "<?xml version=\"1.0\"?>\n"
                          "<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n<Collection>\n");
    for (size_t frame = 0; frame < export->frame_count; frame++) {
        put_entry(export, state, frame, 0, "", "vtp");
        if (state->rigids.count > 0) put_entry(export, state, frame, 1, "_solids", "vtp");
        if (state->has_contacts) put_entry(export, state, frame, 2, "_contacts", "vtp");
        if (export->reader->solid_count > 0) put_entry(export, state, frame, 3, "_tetrahedra", "vtu");
    }
    cdg_bytes_print(text, "</Collection>\n</VTKFile>\n");
    return cdg_export_put_bytes(export, &state->collection, text, error);
}

static cdg_result vtk_end(cdg_export *export, cdg_error *error) {
    vtk_state *state = export->state;
    cdg_result result = put_collection(export, state, error);
    // Known to be whole before the folder is put in place, for after that only a rename can fail.
    if (result == CDG_OK && fflush(state->collection.stream) != 0) {
        return cdg_whole_file_end(&state->collection, error);
    }
    if (result == CDG_OK) result = cdg_whole_folder_end(&state->folder, error);
    if (result == CDG_OK) result = cdg_whole_file_end(&state->collection, error);
    export->file_count += result == CDG_OK;
    return result;
}

static void vtk_release(cdg_export *export) {
    vtk_state *state = export->state;
    if (state == NULL) return;
    cdg_whole_file_abandon(&state->collection);
    cdg_whole_folder_abandon(&state->folder);
    cdg_vtp_free(&state->vtp);
    cdg_bytes_free(&state->text);
    for (int i = 0; i < CDG_FIELD_COUNT; i++) free(state->fields[i]);
    for (int i = 0; i < 3; i++) free(state->axes[i]);
    free(state->elements);
    free(state->frames);
    free(state->speed);
    free(state->radius);
    free(state->arc_length);
    free(state->connectivity);
    free(state->offsets);
    free(state->rod_of_point);
    free(state->rod_of_line);
    free(state->is_closed);
    free(state->names);
    cdg_export_rigids_free(&state->rigids);
    free(state->corners);
    free(state->triangle_corners);
    free(state->triangle_ends);
    free(state->rigid_of_triangle);
    free(state->is_free);
    free(state->rigid_names);
    free(state);
    export->state = NULL;
}

const cdg_export_operations cdg_export_vtk = {.large = 10e9,
                                              .has_fields = true,
                                              .estimate = vtk_estimate,
                                              .begin = vtk_begin,
                                              .write = vtk_write,
                                              .end = vtk_end,
                                              .release = vtk_release};
