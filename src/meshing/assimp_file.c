// Mesh files through assimp (the only user of it).
#include "meshing/assimp_file.h"

#include "base/error.h"
#include "math/vec3.h"

#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cdg_mesh_data_free(cdg_mesh_data *data) {
    free(data->vertices);
    free(data->triangles);
    *data = (cdg_mesh_data){0};
}

static bool ends_with(const char *path, const char *end) {
    size_t length = strlen(path), size = strlen(end);
    if (length < size) return false;
    for (size_t i = 0; i < size; i++)
        if (tolower((unsigned char)path[length - size + i]) != end[i]) return false;
    return true;
}

// assimp's own message for a missing file does not say why.
static cdg_result check_file(const char *path, cdg_error *error) {
    if (!ends_with(path, ".stl") && !ends_with(path, ".obj"))
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: meshes are read from .stl and .obj files", path);
    FILE *file = fopen(path, "rb");
    if (file == NULL) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot open: %s", path, strerror(errno));
    int first = fgetc(file);
    int problem = first == EOF && ferror(file) ? errno : 0;
    fclose(file);
    if (problem != 0) return cdg_fail(error, CDG_ERROR_IO, "%s: cannot read: %s", path, strerror(problem));
    if (first == EOF) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: the file is empty", path);
    return CDG_OK;
}

static void count_parts(const struct aiScene *scene, cdg_mesh_data *data) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        data->vertex_count += mesh->mNumVertices;
        for (unsigned f = 0; f < mesh->mNumFaces; f++) data->triangle_count += mesh->mFaces[f].mNumIndices == 3;
    }
}

static void copy_parts(const struct aiScene *scene, double scale, cdg_mesh_data *data) {
    size_t vertex = 0, triangle = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *mesh = scene->mMeshes[m];
        for (unsigned f = 0; f < mesh->mNumFaces; f++) {
            if (mesh->mFaces[f].mNumIndices != 3) continue; // points and lines
            for (int k = 0; k < 3; k++) data->triangles[triangle][k] = (uint32_t)(vertex + mesh->mFaces[f].mIndices[k]);
            triangle++;
        }
        for (unsigned v = 0; v < mesh->mNumVertices; v++) {
            struct aiVector3D at = mesh->mVertices[v];
            data->vertices[vertex++] = vec3(scale * (double)at.x, scale * (double)at.y, scale * (double)at.z);
        }
    }
}

cdg_result cdg_mesh_file_read(const char *path, double scale, cdg_mesh_data *out, cdg_error *error) {
    *out = (cdg_mesh_data){0};
    cdg_result result = check_file(path, error);
    if (result != CDG_OK) return result;
    const struct aiScene *scene = aiImportFile(path, aiProcess_Triangulate | aiProcess_PreTransformVertices);
    if (scene == NULL) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: %s", path, aiGetErrorString());
    cdg_mesh_data data = {0};
    count_parts(scene, &data);
    if (data.triangle_count == 0) {
        aiReleaseImport(scene);
        return cdg_fail(error, CDG_ERROR_FORMAT, "%s: there are no triangles in it", path);
    }
    if (data.vertex_count <= UINT32_MAX) {
        data.vertices = malloc(data.vertex_count * sizeof *data.vertices);
        data.triangles = malloc(data.triangle_count * sizeof *data.triangles);
    }
    if (data.vertices == NULL || data.triangles == NULL) {
        cdg_mesh_data_free(&data);
        aiReleaseImport(scene);
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its triangles", path);
    }
    copy_parts(scene, scale, &data);
    aiReleaseImport(scene);
    for (size_t i = 0; i < data.vertex_count; i++)
        if (!vec3_is_finite(data.vertices[i])) {
            cdg_mesh_data_free(&data);
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: it holds a coordinate that is not finite", path);
        }
    *out = data;
    return CDG_OK;
}
