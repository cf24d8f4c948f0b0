// VTK's .vtu: text, letters, appended, pieces, and what is refused. What we write is read in test_tetrahedra.c.
#define _DEFAULT_SOURCE // mkdtemp
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "bad_tetrahedra.h"

static char directory[RUN_PATH_SIZE];

static void check_tetrahedron(const cdg_mesh *mesh, const cdg_mesh_found *found, size_t others) {
    assert_int_equal(mesh->point_count, 4);
    assert_int_equal(mesh->tetrahedron_count, 1);
    assert_int_equal(found->other_cells, others);
    for (int k = 0; k < 4; k++) {
        cdg_vec3 p = mesh->points[mesh->tetrahedra[0][k]];
        assert_true(p.x == (k == 1) && p.y == (k == 2) && p.z == (k == 3));
    }
}

static void text_is_read(void **state) {
    (void)state;
    static const char text[] =
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
        "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
        "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
        "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
        "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
        "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
        "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
        "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "a.vtu", text, sizeof text - 1, &found);
    check_tetrahedron(&mesh, &found, 1);
    cdg_mesh_free(&mesh);
}

// Inline and appended, plain and compressed in blocks of 16 bytes; written by Python's own libraries.
static const char *const letter_files[] = {
    "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid><Piece NumberOfPoints='4' "
    "NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" Name=\"Points\" format=\"binary\">\n  "
    "MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAAAACAPw==\n</DataArray></Points><Cells><DataArray "
    "type=\"Int16\" Name=\"connectivity\" format=\"binary\">CAAAAAAAAQACAAMA</DataArray><DataArray format=\"binary\" "
    "type=\"UInt64\" Name=\"offsets\">CAAAAAQAAAAAAAAA</DataArray><DataArray type=\"UInt8\" Name=\"types\" "
    "format=\"binary\"> AQAAAAo= </DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
    "<VTKFile type=\"UnstructuredGrid\">\n<UnstructuredGrid><Piece NumberOfPoints=\"4\" "
    "NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" Name=\"Points\" format=\"appended\" "
    "offset=\"0\"/></Points><Cells><DataArray type=\"Int16\" Name=\"connectivity\" format=\"appended\" "
    "offset=\"72\"/><DataArray format=\"appended\" type=\"UInt64\" Name=\"offsets\" offset=\"88\"/><DataArray "
    "type=\"UInt8\" Name=\"types\" format=\"appended\" "
    "offset=\"104\"/></Cells></Piece></UnstructuredGrid><AppendedData "
    "encoding=\"base64\">_MAAAAAAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/"
    "AAAAAAAAAAAAAAAAAACAPw==CAAAAAAAAQACAAMACAAAAAQAAAAAAAAAAQAAAAo=</AppendedData></VTKFile>",
    "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid><Piece "
    "NumberOfPoints='4' NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" Name=\"Points\" format=\"binary\">\n  "
    "AwAAABAAAAAAAAAADQAAAA0AAAANAAAAeJxjYEAGDfYAAU8AwHicY2BABg32AAFPAMB4nGNgQAYN9gABTwDA\n</DataArray></"
    "Points><Cells><DataArray type=\"Int16\" Name=\"connectivity\" "
    "format=\"binary\">AQAAABAAAAAIAAAAEAAAAA==eJxjYGBkYGJgZgAAABwABw==</DataArray><DataArray format=\"binary\" "
    "type=\"UInt64\" Name=\"offsets\">AQAAABAAAAAIAAAACwAAAA==eJxjYYAAAAAoAAU=</DataArray><DataArray type=\"UInt8\" "
    "Name=\"types\" format=\"binary\"> AQAAABAAAAABAAAACQAAAA==eJzjAgAACwAL "
    "</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>",
    "<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkZLibDataCompressor\">\n<UnstructuredGrid><Piece "
    "NumberOfPoints=\"4\" NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" Name=\"Points\" format=\"appended\" "
    "offset=\"0\"/></Points><Cells><DataArray type=\"Int16\" Name=\"connectivity\" format=\"appended\" "
    "offset=\"84\"/><DataArray format=\"appended\" type=\"UInt64\" Name=\"offsets\" offset=\"132\"/><DataArray "
    "type=\"UInt8\" Name=\"types\" format=\"appended\" "
    "offset=\"172\"/></Cells></Piece></UnstructuredGrid><AppendedData "
    "encoding=\"base64\">_"
    "AwAAABAAAAAAAAAADQAAAA0AAAANAAAAeJxjYEAGDfYAAU8AwHicY2BABg32AAFPAMB4nGNgQAYN9gABTwDAAQAAABAAAAAIAAAAEAAAAA=="
    "eJxjYGBkYGJgZgAAABwABw==AQAAABAAAAAIAAAACwAAAA==eJxjYYAAAAAoAAU=AQAAABAAAAABAAAACQAAAA==eJzjAgAACwAL</"
    "AppendedData></VTKFile>"};
enum { LETTER_FILES = sizeof letter_files / sizeof *letter_files };

static void letters_are_read(void **state) {
    (void)state;
    for (size_t i = 0; i < LETTER_FILES; i++) {
        cdg_mesh_found found;
        cdg_mesh mesh = read_tetrahedra(directory, "c.vtu", letter_files[i], strlen(letter_files[i]), &found);
        check_tetrahedron(&mesh, &found, 0);
        cdg_mesh_free(&mesh);
    }
}

// The order of bytes says nothing about numbers that are written as text.
static void text_has_no_order_of_bytes(void **state) {
    (void)state;
    static const char text[] =
        "<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" "
        "NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">0 0 0 1 0 0 "
        "0 1 "
        "0 0 0 1</DataArray></Points><Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 "
        "3</DataArray><DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4</DataArray><DataArray "
        "type=\"UInt8\" "
        "Name=\"types\" format=\"ascii\">10</DataArray></Cells></Piece></UnstructuredGrid></VTKFile>";
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "e.vtu", text, strlen(text), &found);
    assert_int_equal(mesh.tetrahedron_count, 1);
    cdg_mesh_free(&mesh);
}

static void cut_files_are_noticed(void **state) {
    (void)state;
    for (size_t i = 0; i < LETTER_FILES; i++)
        for (size_t size = 0; size < strlen(letter_files[i]); size++) {
            cdg_mesh mesh;
            cdg_mesh_found found;
            cdg_error error = {0};
            run_write_text(directory, "d.vtu", letter_files[i], size);
            cdg_result result = cdg_mesh_read(run_path(directory, "d.vtu"), 1, &mesh, &found, &error);
            if (result == CDG_OK)
                check_tetrahedron(&mesh, &found, 0);
            else
                assert_true(result == CDG_ERROR_FORMAT && error.message[0] != 0 && mesh.points == NULL);
            cdg_mesh_free(&mesh);
        }
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const bad_tetrahedra cases[] = {
        {"hello", "no <VTKFile>"},
        {"<VTKFile type=\"PolyData\">", "no unstructured grid"},
        {"<VTKFile type=\"UnstructuredGrid\" byte_order=\"BigEndian\"><UnstructuredGrid><Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"1\"><Points><DataArray type=\"Float32\" format=\"binary\">AAAA</DataArray></Points>",
         "BigEndian"},
        {"<VTKFile type=\"UnstructuredGrid\" compressor=\"vtkLZ4DataCompressor\">", "other than zlib"},
        {"<VTKFile type=\"UnstructuredGrid\"><Piece NumberOfPoints=\"x\">", "does not say"},
        {"<VTKFile type=\"UnstructuredGrid\"><Piece NumberOfPoints=\"4\" NumberOfCells=\"1\">", "lacks its points"},
        {"<VTKFile type=\"UnstructuredGrid\"></VTKFile>", "no tetrahedra"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"1000000000\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "announces 3000000000 numbers"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 nan\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "b.vtu:7: expected a number, found 'nan'"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" format=\"ascii\">0 1 2 3 "
         "0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 7</DataArray>\n<DataArray "
         "type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "cut off"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 4 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "names point 4 of 4"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 -1 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "names point -1"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">7 "
         "4</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "do not grow"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">3 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "fewer than four"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">5 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "no tetrahedra in it, but 4 points and 2 other"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "1000000000000</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "announces 1000000000000"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Complex\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"ascii\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "unknown type"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"appended\" offset=\"0\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "cut off"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"appended\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "no offset"},
        {"<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\" "
         "byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n<Piece NumberOfPoints=\"4\" "
         "NumberOfCells=\"2\">\n<PointData><DataArray type=\"Float32\" Name=\"u\" format=\"ascii\">1 2 3 "
         "4</DataArray></PointData>\n<Points><DataArray type=\"Float32\" NumberOfComponents=\"3\" format=\"ascii\">\n0 "
         "0 0 1 0 0 0 1 0 0 0 1\n</DataArray></Points>\n<Cells><DataArray type=\"Int32\" Name=\"connectivity\" "
         "format=\"ascii\">0 1 2 3 0 1 2</DataArray>\n<DataArray type=\"Int32\" Name=\"offsets\" format=\"ascii\">4 "
         "7</DataArray>\n<DataArray type=\"UInt8\" Name=\"types\" format=\"other\">10 "
         "5</DataArray></Cells>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n",
         "neither ascii"}};
    assert_tetrahedra_are_refused(directory, "b.vtu", cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_is_read), cmocka_unit_test(letters_are_read),
                                       cmocka_unit_test(text_has_no_order_of_bytes),
                                       cmocka_unit_test(cut_files_are_noticed),
                                       cmocka_unit_test(bad_files_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
