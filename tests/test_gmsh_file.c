// Gmsh's .msh: versions 2.2 and 4.1, text and binary, numbers of nodes with gaps, other elements, and what is refused.
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
    for (int k = 0; k < 4; k++) { // corner k is at 0 0 0, 1 0 0, 0 1 0, 0 0 1
        cdg_vec3 p = mesh->points[mesh->tetrahedra[0][k]];
        assert_true(p.x == (k == 1) && p.y == (k == 2) && p.z == (k == 3));
    }
}

static void version_2_is_read(void **state) {
    (void)state;
    static const char text[] =
        "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n1\n3 1 \"a $ b\"\n$EndPhysicalNames\n"
        "$Nodes\n4\n70 0 0 1\n5 0 1 0\n9 0 0 0\n4294967000 1 0 0\n$EndNodes\n"
        "$Elements\n3\n1 15 2 0 1 5\n2 2 2 0 1 9 5 70\n3 4 3 1 1 0 9 4294967000 5 70\n$EndElements\n";
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "a.msh", text, sizeof text - 1, &found);
    check_tetrahedron(&mesh, &found, 2);
    cdg_mesh_free(&mesh);
}

static void version_4_is_read(void **state) {
    (void)state;
    static const char text[] =
        "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Entities\n0 0 0 0\n$EndEntities\n"
        "$Nodes\n2 4 1 9\n2 1 1 3\n1\n2\n3\n0 0 0 0.5 0.5\n1 0 0 1 2\n0 1 0 3 4\n3 1 0 1\n9\n0 0 1\n$EndNodes\n"
        "$Elements\n2 2 1 2\n2 1 2 1\n1 1 2 3\n3 1 4 1\n2 1 2 3 9\n$EndElements\n";
    cdg_mesh_found found;
    cdg_mesh mesh = read_tetrahedra(directory, "b.msh", text, sizeof text - 1, &found);
    check_tetrahedron(&mesh, &found, 1);
    cdg_mesh_free(&mesh);
}

// Numbers as they lie in memory, behind each other.
typedef struct packer {
    char bytes[2000];
    size_t size;
} packer;
static void pack(packer *out, const void *data, size_t size) {
    memcpy(out->bytes + out->size, data, size);
    out->size += size;
}
static void pack_text(packer *out, const char *text) { pack(out, text, strlen(text)); }
static void pack_ints(packer *out, const int32_t *numbers, size_t count) {
    pack(out, numbers, count * sizeof *numbers);
}
static void pack_sizes(packer *out, const uint64_t *numbers, size_t count) {
    pack(out, numbers, count * sizeof *numbers);
}
static const double corners[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

static packer binary_2(void) {
    packer out = {.size = 0};
    const int32_t one = 1, triangle[] = {2, 1, 2, 1, 0, 0, 1, 2, 3}, tetrahedron[] = {4, 1, 2, 2, 0, 0, 1, 2, 3, 4};
    pack_text(&out, "$MeshFormat\n2.2 1 8\n");
    pack_ints(&out, &one, 1);
    pack_text(&out, "\n$EndMeshFormat\n$Nodes\n4\n");
    for (int32_t i = 0; i < 4; i++) {
        const int32_t tag = i + 1;
        pack_ints(&out, &tag, 1);
        pack(&out, corners[i], sizeof corners[i]);
    }
    pack_text(&out, "\n$EndNodes\n$Elements\n2\n");
    pack_ints(&out, triangle, 9);
    pack_ints(&out, tetrahedron, 10);
    pack_text(&out, "\n$EndElements\n");
    return out;
}

static packer binary_4(void) {
    packer out = {.size = 0};
    const int32_t one = 1, volume[] = {3, 1, 0}, element[] = {3, 1, 4};
    const uint64_t nodes[] = {1, 4, 1, 4}, four = 4, tags[] = {1, 2, 3, 4}, elements[] = {1, 1, 1, 1},
                   cell[] = {1, 1, 1, 2, 3, 4};
    pack_text(&out, "$MeshFormat\n4.1 1 8\n");
    pack_ints(&out, &one, 1);
    pack_text(&out, "\n$EndMeshFormat\n$Nodes\n");
    pack_sizes(&out, nodes, 4);
    pack_ints(&out, volume, 3);
    pack_sizes(&out, &four, 1);
    pack_sizes(&out, tags, 4);
    pack(&out, corners, sizeof corners);
    pack_text(&out, "\n$EndNodes\n$Elements\n");
    pack_sizes(&out, elements, 4);
    pack_ints(&out, element, 3);
    pack_sizes(&out, cell, 6);
    pack_text(&out, "\n$EndElements\n");
    return out;
}

static void binary_is_read(void **state) {
    (void)state;
    const packer files[] = {binary_2(), binary_4()};
    for (size_t i = 0; i < 2; i++) {
        cdg_mesh_found found;
        cdg_mesh mesh = read_tetrahedra(directory, "c.msh", files[i].bytes, files[i].size, &found);
        check_tetrahedron(&mesh, &found, i == 0 ? 1 : 0);
        cdg_mesh_free(&mesh);
        // wherever it is cut off, it gives a sentence or the whole mesh
        for (size_t size = 0; size < files[i].size; size++) {
            cdg_error error = {0};
            run_write_text(directory, "d.msh", files[i].bytes, size);
            cdg_result result = cdg_mesh_read(run_path(directory, "d.msh"), 1, &mesh, &found, &error);
            if (result == CDG_OK)
                check_tetrahedron(&mesh, &found, i == 0 ? 1 : 0);
            else
                assert_true(result == CDG_ERROR_FORMAT && error.message[0] != 0 && mesh.points == NULL);
            cdg_mesh_free(&mesh);
        }
    }
}

static void bad_files_are_refused(void **state) {
    (void)state;
    static const bad_tetrahedra cases[] = {
        {"hello", "begins with $MeshFormat"},
        {"$MeshFormat\n4 0 8\n$EndMeshFormat\n", "version 4 is not read; save it as 4.1"},
        {"$MeshFormat\n1 0 8\n", "not read"},
        {"$MeshFormat\n2.2 1 4\n", "4 bytes"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1000000000\n1 0 0 0\n$EndNodes\n",
         "e.msh:5: the number of nodes cannot be 1000000000"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n1\n1 0 0 nan\n", "e.msh:6: expected a coordinate"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n3\n1 0 0 0\n3 1 0 0\n3 0 1 0\n$EndNodes\n",
         "two nodes have the number 3"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
         "1\n$EndNodes\n$Elements\n1\n1 4 0 1 2 3 5\n$EndElements\n",
         "a node that is not there (5)"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
         "1\n$EndNodes\n$Elements\n1\n1 4 0 0 1 2 3\n$EndElements\n",
         "a node that is not there (0)"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
         "1\n$EndNodes\n$Elements\n1\n1 77 0 1 2 3 4\n$EndElements\n",
         "type of element is not known (77)"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
         "1\n$EndNodes\n$Elements\n1\n1 4 -1 1 2 3 4\n$EndElements\n",
         "tags (-1)"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
         "1\n$EndNodes\n$Elements\n1\n1 2 0 1 2 3\n$EndElements\n",
         "no tetrahedra in it, but 4 points and 1 other"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Elements\n1\n1 4 0 1 2 3 4\n$EndElements\n$Nodes\n4\n1 0 0 0\n2 1 0 "
         "0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
         "a node that is not there"},
        {"$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n$Nodes\n4\n1 "
         "0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
         "a second section"},
        {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 1 1 1\n7 1 0 1\n1\n0 0 0\n", "0 to 3 dimensions (7)"},
        {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n$Nodes\n1 9 1 9\n3 1 0 1000000\n1\n0 0 0\n", "cannot be 1000000"},
        {"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n12\n", "expected a section"}};
    assert_tetrahedra_are_refused(directory, "e.msh", cases, sizeof cases / sizeof *cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(version_2_is_read), cmocka_unit_test(version_4_is_read),
                                       cmocka_unit_test(binary_is_read), cmocka_unit_test(bad_files_are_refused)};
    run_directory_make(directory);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    run_directory_remove(directory);
    return failed;
}
