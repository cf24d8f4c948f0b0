// libFuzzer target of everything that reads a run: run.h5 with something altered in it, as a program of somebody else,
// a bug of ours or a bad disk would, is read to its end or refused with a sentence; and the run is resumed or refused.
//
// Random bytes seldom get past HDF5's checksums (and what it does without them is its own affair), so the bytes are a
// list of alterations of a valid file: datasets and attributes deleted, renamed, or made anew with other sizes, types
// and values.
#define _DEFAULT_SOURCE
#include <cordage/run.h>

#include "output/fiber_reader.h"
#include "output/run_info.h"

#include <hdf5.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *count, char ***words);

enum { OBJECTS_MAX = 400, NAME_SIZE = 96, ALTERATIONS_MAX = 6 };

typedef struct fuzz_object {
    char path[NAME_SIZE];      // of a group or dataset
    char attribute[NAME_SIZE]; // "" : the object itself
    bool is_dataset;
} fuzz_object;

static struct {
    char directory[64], run_path[96], probes_path[96];
    char *bytes, *probes; // the valid run
    size_t byte_count, probes_count;
    fuzz_object objects[OBJECTS_MAX];
    size_t object_count;
    cdg_scene *scene;
} world;

static const char scene_text[] =
    "cordage: 1\n"
    "simulation: {duration: 8 ms, step: 2 ms, model: der, modes: 2}\n"
    "output: {every: 2 ms}\n"
    "rods:\n"
    "  - {name: a, material: {young_modulus: 1 MPa, density: 1100}, section: {ellipse: {semi_axes: [2 mm, 1 mm]}},\n"
    "     centerline: {line: {to: [1, 0, 0]}}, elements: 4}\n"
    "  - {name: b, material: {young_modulus: 1 MPa, density: 1100}, section: {circle: {radius: 2 mm}},\n"
    "     centerline: {circle: {center: [0, 1, 0], radius: 0.1}}, elements: 6, rest: initial}\n"
    "  - {name: c, material: {young_modulus: 10 kPa, density: 1100}, section: {circle: {radius: 2 mm}}, adapt: on,\n"
    "     centerline: {circle: {center: [0, 2, 0], radius: 0.1}}, elements: 6}\n"
    "strands:\n"
    "  - {name: s, roots: {disc: {radius: 1 cm}}, guides: 2, fibers: 3, elements: 3, length: 10 cm, model: der,\n"
    "     material: {young_modulus: 1 GPa, density: 1320}, section: {circle: {radius: 0.2 mm}}}\n"
    "bodies:\n"
    "  - {name: ball, shape: {sphere: {radius: 5 cm}}, mass: 1, position: [0, 0, 2]}\n"
    "obstacles:\n"
    "  - {box: {size: [1, 1, 0.1]}, position: [0, 0, -5]}\n"
    "contact: off\n"
    "supports: [{clamp: a.start}]\n"
    "probes: [{name: tip, position: a.end}, {name: all, energy: all}]\n";

static void check(bool condition) {
    if (!condition) abort();
}

static char *read_all(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    check(file != NULL && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    check(bytes != NULL && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const char *bytes, size_t size) {
    FILE *file = fopen(path, "wb");
    check(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

// ---- the valid run --------------------------------------------------------------------------------------------------

static void add_object(const char *path, const char *attribute, bool is_dataset) {
    if (world.object_count == OBJECTS_MAX) return;
    fuzz_object *object = &world.objects[world.object_count++];
    snprintf(object->path, sizeof object->path, "%s", path);
    snprintf(object->attribute, sizeof object->attribute, "%s", attribute);
    object->is_dataset = is_dataset;
}

static herr_t list_attribute(hid_t object, const char *name, const H5A_info_t *info, void *path) {
    (void)object, (void)info;
    add_object(path, name, false);
    return 0;
}

static herr_t list_object(hid_t file, const char *name, const H5O_info_t *info, void *user) {
    (void)user;
    char path[NAME_SIZE];
    snprintf(path, sizeof path, "%s", name);
    if (strcmp(name, ".") != 0) add_object(path, "", info->type == H5O_TYPE_DATASET);
    hid_t object = H5Oopen(file, name, H5P_DEFAULT);
    hsize_t place = 0;
    if (object >= 0) {
        H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_NATIVE, &place, list_attribute, path);
        H5Oclose(object);
    }
    return 0;
}

static bool stop_early(void *user, const cdg_run_progress *progress) {
    (void)user;
    return progress->step < 3;
}

static void clean_up(void) {
    char command[160];
    unlink(world.run_path);
    unlink(world.probes_path);
    snprintf(command, sizeof command, "%s/summary.json", world.directory);
    unlink(command);
    snprintf(command, sizeof command, "%s/run.h5.new", world.directory);
    unlink(command);
    rmdir(world.directory);
    cdg_scene_destroy(world.scene);
    free(world.bytes);
    free(world.probes);
}

int LLVMFuzzerInitialize(int *count, char ***words) {
    (void)count, (void)words;
    snprintf(world.directory, sizeof world.directory, "%s/cordage_fuzz_XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    check(mkdtemp(world.directory) != NULL);
    snprintf(world.run_path, sizeof world.run_path, "%s/run.h5", world.directory);
    snprintf(world.probes_path, sizeof world.probes_path, "%s/probes.csv", world.directory);
    cdg_error error;
    check(cdg_scene_parse(scene_text, sizeof scene_text - 1, "fuzz.yaml", NULL, NULL, 0, &world.scene, &error) ==
          CDG_OK);
    cdg_run_def def = {
        .scene = world.scene, .directory = world.directory, .thread_count = 1, .on_progress = stop_early};
    cdg_run_summary summary;
    check(cdg_run(&def, &summary, &error) == CDG_ERROR_INTERRUPTED);
    world.bytes = read_all(world.run_path, &world.byte_count);
    world.probes = read_all(world.probes_path, &world.probes_count);
    hid_t file = H5Fopen(world.run_path, H5F_ACC_RDONLY, H5P_DEFAULT);
    check(file >= 0);
    H5Ovisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, list_object, NULL);
    H5Fclose(file);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    atexit(clean_up);
    return 0;
}

// ---- alterations ----------------------------------------------------------------------------------------------------

typedef struct fuzz_bytes {
    const uint8_t *next, *end;
} fuzz_bytes;

static unsigned take(fuzz_bytes *bytes) { return bytes->next < bytes->end ? *bytes->next++ : 0; }

static uint64_t take_size(fuzz_bytes *bytes) {
    static const uint64_t sizes[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 100, 1000, 65536};
    return sizes[take(bytes) % (sizeof sizes / sizeof *sizes)];
}

static double take_number(fuzz_bytes *bytes) {
    static const double numbers[] = {0,        -0.0, 1,         -1,           2,      3,      1e300,  -1e300, 1e-300,
                                     INFINITY, NAN,  -INFINITY, 4294967296.0, 9.3e18, 1.8e19, 1.9e19, 0.5,    7,
                                     255,      1e6};
    unsigned kind = take(bytes);
    if (kind < 200) return numbers[kind % (sizeof numbers / sizeof *numbers)];
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) bits = bits << 8 | take(bytes);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static hid_t take_type(fuzz_bytes *bytes) {
    const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_DOUBLE, H5T_NATIVE_UINT64, H5T_NATIVE_FLOAT,
                           H5T_NATIVE_INT,    H5T_IEEE_F64BE,    H5T_NATIVE_SCHAR,  H5T_STD_U64BE};
    return types[take(bytes) % (sizeof types / sizeof *types)];
}

// Other sizes, another type, or stored in pieces; one value all over.
static void make_dataset(hid_t file, const char *path, fuzz_bytes *bytes) {
    hsize_t size[4];
    int rank = (int)(take(bytes) % 5);
    hsize_t all = 1;
    for (int i = 0; i < rank; i++) {
        size[i] = take_size(bytes);
        if (all * size[i] > 100000) size[i] = 1;
        all *= size[i];
    }
    hid_t type = take_type(bytes), space = rank > 0 ? H5Screate_simple(rank, size, NULL) : H5Screate(H5S_SCALAR);
    hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
    bool is_chunked = rank > 0 && all > 0 && take(bytes) % 8 == 0;
    if (is_chunked) H5Pset_chunk(properties, rank, size);
    double fill = take_number(bytes);
    H5Pset_fill_value(properties, H5T_NATIVE_DOUBLE, &fill);
    if (take(bytes) % 4 != 0) H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (dataset >= 0) H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
}

static void poke_dataset(hid_t file, const char *path, fuzz_bytes *bytes) {
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    if (dataset < 0) return;
    hid_t space = H5Dget_space(dataset);
    hssize_t count = H5Sget_simple_extent_npoints(space);
    double *values = count > 0 && count < 200000 ? malloc((size_t)count * sizeof *values) : NULL;
    if (values != NULL && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
        int pokes = 1 + (int)(take(bytes) % 4);
        for (int i = 0; i < pokes; i++) {
            size_t place = (take(bytes) << 8 | take(bytes)) % (size_t)count;
            values[place] = take_number(bytes);
        }
        H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    free(values);
    H5Sclose(space);
    H5Dclose(dataset);
}

static void make_attribute(hid_t object, const char *name, fuzz_bytes *bytes) {
    unsigned kind = take(bytes) % 4;
    hid_t type, space;
    char text[64] = {0};
    double number[3] = {0};
    uint64_t integer[3] = {0};
    const void *value = text;
    hsize_t size[1] = {take(bytes) % 4};
    if (kind == 0) {
        type = H5Tcopy(H5T_C_S1);
        size_t length = take(bytes) % (sizeof text - 1) + 1;
        H5Tset_size(type, length);
        if (take(bytes) % 2) H5Tset_strpad(type, H5T_STR_NULLTERM);
        for (size_t i = 0; i < length; i++) text[i] = (char)take(bytes);
    } else if (kind == 1) {
        type = H5Tcopy(H5T_NATIVE_DOUBLE);
        for (int i = 0; i < 3; i++) number[i] = take_number(bytes);
        value = number;
    } else if (kind == 2) {
        type = H5Tcopy(H5T_NATIVE_UINT64);
        for (int i = 0; i < 3; i++) integer[i] = take(bytes) % 2 ? take_size(bytes) : UINT64_MAX >> take(bytes) % 64;
        value = integer;
    } else {
        type = H5Tcopy(H5T_NATIVE_INT);
        integer[0] = take(bytes);
        value = integer;
    }
    bool is_scalar = take(bytes) % 3 != 0 || kind == 0;
    space = is_scalar ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, size, NULL);
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    if (attribute >= 0) {
        if (is_scalar || size[0] > 0) H5Awrite(attribute, type, value);
        H5Aclose(attribute);
    }
    H5Sclose(space);
    H5Tclose(type);
}

static void alter(hid_t file, fuzz_bytes *bytes) {
    const fuzz_object *object = &world.objects[(take(bytes) << 8 | take(bytes)) % world.object_count];
    const fuzz_object *other = &world.objects[(take(bytes) << 8 | take(bytes)) % world.object_count];
    unsigned what = take(bytes) % 8;
    if (object->attribute[0] != '\0') {
        hid_t owner = H5Oopen(file, object->path, H5P_DEFAULT);
        if (owner < 0) return;
        H5Adelete(owner, object->attribute);
        if (what > 0) make_attribute(owner, object->attribute, bytes);
        H5Oclose(owner);
    } else if (what == 0) {
        H5Ldelete(file, object->path, H5P_DEFAULT);
    } else if (what == 1 && other->attribute[0] == '\0') {
        H5Lmove(file, object->path, file, other->path, H5P_DEFAULT, H5P_DEFAULT); // fails when the place is taken
        if (take(bytes) % 2) H5Lcreate_hard(file, other->path, file, object->path, H5P_DEFAULT, H5P_DEFAULT);
    } else if (what < 5 && object->is_dataset) {
        poke_dataset(file, object->path, bytes);
    } else {
        H5Ldelete(file, object->path, H5P_DEFAULT);
        make_dataset(file, object->path, bytes);
    }
}

// ---- reading --------------------------------------------------------------------------------------------------------

static void read_frames(const cdg_run_reader *reader) {
    cdg_error error = {0};
    for (size_t rod = 0; rod < reader->rod_count; rod++)
        for (int field = 0; field < CDG_FIELD_COUNT; field++) {
            size_t count = (reader->rods[rod].node_count + 1) * cdg_field_get((cdg_field)field).component_count;
            double *numbers = malloc(count * sizeof *numbers);
            if (numbers == NULL) continue;
            for (size_t frame = 0; frame < reader->frame_count && frame < 8; frame++)
                if (cdg_run_reader_read(reader, frame, rod, (cdg_field)field, numbers, &error) != CDG_OK)
                    check(error.message[0] != '\0');
            free(numbers);
        }
}

static void read_run(void) {
    cdg_error error = {0};
    cdg_run_info info;
    cdg_result result = cdg_run_info_read(world.directory, &info, &error);
    check((result == CDG_OK) == (error.message[0] == '\0'));
    if (result == CDG_OK) cdg_run_info_free(&info);
    cdg_run_reader *reader = NULL;
    error = (cdg_error){0};
    if (cdg_run_reader_open(world.directory, &reader, &error) != CDG_OK) {
        check(reader == NULL && error.message[0] != '\0');
        return;
    }
    check(reader->frame_count > 0);
    for (size_t i = 0; i < reader->frame_count; i++) check(isfinite(reader->times[i]));
    double *numbers = malloc((reader->frame_count + reader->mode_count + 1) * sizeof *numbers);
    check(numbers != NULL);
    cdg_run_reader_energy(reader, "total", numbers, &error);
    if (reader->is_static) cdg_run_reader_stability(reader, numbers, &error);
    for (size_t i = 0; i < reader->body_count; i++) {
        cdg_vec3 position;
        cdg_quat orientation;
        cdg_run_reader_body(reader, 0, i, &position, &orientation, &error);
    }
    read_frames(reader);
    cdg_run_reader_nearest_frame(reader, 1);
    if (cdg_run_reader_add_fibers(reader, &error) == CDG_OK) read_frames(reader);
    if (reader->mode_count > 0 && cdg_run_reader_show_mode(reader, 1, 0, &error) == CDG_OK) read_frames(reader);
    free(numbers);
    cdg_run_reader_close(reader);
}

static void resume_run(void) {
    cdg_error error = {0};
    cdg_run_summary summary;
    cdg_run_def def = {.scene = world.scene, .directory = world.directory, .thread_count = 1, .resume = true};
    if (cdg_run(&def, &summary, &error) != CDG_OK) check(error.message[0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_bytes bytes = {data, data + size};
    unsigned how = take(&bytes);
    write_all(world.run_path, world.bytes, world.byte_count);
    write_all(world.probes_path, world.probes, world.probes_count);
    if (how % 8 == 1) { // cut off
        size_t kept = world.byte_count * take(&bytes) / 256;
        write_all(world.run_path, world.bytes, kept);
    } else {
        hid_t file = H5Fopen(world.run_path, H5F_ACC_RDWR, H5P_DEFAULT);
        check(file >= 0);
        for (int i = 0; i < ALTERATIONS_MAX && bytes.next < bytes.end; i++) alter(file, &bytes);
        H5Fclose(file);
    }
    read_run();
    if (how % 4 != 0) return 0;
    if (how % 8 == 4) write_all(world.probes_path, (const char *)bytes.next, (size_t)(bytes.end - bytes.next));
    resume_run();
    return 0;
}
