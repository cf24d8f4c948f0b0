// Mesh files through assimp (the only user of it), which sees files only through the calls below.
#include "meshing/assimp_file.h"

#include "base/error.h"
#include "math/vec3.h"

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdlib.h>
#include <string.h>

// ---- files as assimp sees them --------------------------------------------------------------------------------------

typedef struct assimp_files {
    const char *path; // the mesh's own, which is in memory already
    const cdg_file_bytes *bytes;
    uint64_t most; // of others
} assimp_files;

typedef struct assimp_file {
    struct aiFile calls; // first: assimp knows no more
    const char *data;
    size_t size, at;
    cdg_file_bytes own; // empty for the mesh itself
} assimp_file;

static assimp_file *file_of(struct aiFile *calls) { return (assimp_file *)(void *)calls->UserData; }

static size_t read_items(struct aiFile *calls, char *out, size_t size, size_t count) {
    assimp_file *file = file_of(calls);
    if (size == 0) return 0;
    size_t left = (file->size - file->at) / size, taken = count < left ? count : left;
    if (taken > 0) memcpy(out, file->data + file->at, taken * size);
    file->at += taken * size;
    return taken;
}

static size_t write_nothing(struct aiFile *calls, const char *data, size_t size, size_t count) {
    (void)calls, (void)data, (void)size, (void)count;
    return 0;
}

static void flush_nothing(struct aiFile *calls) { (void)calls; }
static size_t tell(struct aiFile *calls) { return file_of(calls)->at; }
static size_t size_of(struct aiFile *calls) { return file_of(calls)->size; }

static enum aiReturn seek(struct aiFile *calls, size_t offset, enum aiOrigin origin) {
    assimp_file *file = file_of(calls);
    size_t base = origin == aiOrigin_CUR ? file->at : origin == aiOrigin_END ? file->size : 0;
    size_t at = base + offset; // backwards is a large number that wraps around
    if (at > file->size) return aiReturn_FAILURE;
    file->at = at;
    return aiReturn_SUCCESS;
}

static struct aiFile *open_file(struct aiFileIO *io, const char *path, const char *mode) {
    const assimp_files *files = (const void *)io->UserData;
    if (strchr(mode, 'w') != NULL || strchr(mode, 'a') != NULL) return NULL;
    assimp_file *file = calloc(1, sizeof *file);
    if (file == NULL) return NULL;
    const cdg_file_bytes *bytes = files->bytes;
    if (strcmp(path, files->path) != 0) {
        cdg_error error;
        bytes = &file->own;
        if (cdg_regular_file_read(path, files->most, &file->own.data, &file->own.size, &error) != CDG_OK) {
            free(file);
            return NULL;
        }
    }
    file->data = bytes->data;
    file->size = bytes->size;
    file->calls = (struct aiFile){.ReadProc = read_items,
                                  .WriteProc = write_nothing,
                                  .TellProc = tell,
                                  .FileSizeProc = size_of,
                                  .SeekProc = seek,
                                  .FlushProc = flush_nothing,
                                  .UserData = (aiUserData)(void *)file};
    return &file->calls;
}

static void close_file(struct aiFileIO *io, struct aiFile *calls) {
    (void)io;
    assimp_file *file = file_of(calls);
    free(file->own.data);
    free(file);
}

// ---- its scene ------------------------------------------------------------------------------------------------------

static void count_parts(const struct aiScene *scene, cdg_mesh *mesh) {
    for (unsigned m = 0; m < scene->mNumMeshes; m++) {
        const struct aiMesh *part = scene->mMeshes[m];
        mesh->point_count += part->mNumVertices;
        for (unsigned f = 0; f < part->mNumFaces; f++) mesh->triangle_count += part->mFaces[f].mNumIndices == 3;
    }
}

// False: a face names a corner that its part does not have.
static bool copy_part(const struct aiMesh *part, double scale, cdg_mesh *mesh, size_t *point, size_t *triangle) {
    for (unsigned f = 0; f < part->mNumFaces; f++) {
        if (part->mFaces[f].mNumIndices != 3) continue; // points and lines
        for (int k = 0; k < 3; k++) {
            if (part->mFaces[f].mIndices[k] >= part->mNumVertices) return false;
            mesh->triangles[*triangle][k] = (uint32_t)(*point + part->mFaces[f].mIndices[k]);
        }
        ++*triangle;
    }
    for (unsigned v = 0; v < part->mNumVertices; v++) {
        struct aiVector3D at = part->mVertices[v];
        mesh->points[(*point)++] = vec3(scale * (double)at.x, scale * (double)at.y, scale * (double)at.z);
    }
    return true;
}

static cdg_result copy_scene(const struct aiScene *scene, const char *path, double scale, cdg_mesh *mesh,
                             cdg_error *error) {
    count_parts(scene, mesh);
    if (mesh->triangle_count == 0) return cdg_fail(error, CDG_ERROR_FORMAT, "%s: there are no triangles in it", path);
    if (mesh->point_count <= UINT32_MAX) {
        mesh->points = malloc(mesh->point_count * sizeof *mesh->points);
        mesh->triangles = malloc(mesh->triangle_count * sizeof *mesh->triangles);
    }
    if (mesh->points == NULL || mesh->triangles == NULL)
        return cdg_fail(error, CDG_ERROR_MEMORY, "%s: no memory for its triangles", path);
    size_t point = 0, triangle = 0;
    for (unsigned m = 0; m < scene->mNumMeshes; m++)
        if (!copy_part(scene->mMeshes[m], scale, mesh, &point, &triangle))
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: a face names a corner that is not there", path);
    for (size_t i = 0; i < mesh->point_count; i++)
        if (!vec3_is_finite(mesh->points[i]))
            return cdg_fail(error, CDG_ERROR_FORMAT, "%s: it holds a coordinate that is not finite", path);
    return CDG_OK;
}

cdg_result cdg_assimp_read(const char *path, const cdg_file_bytes *bytes, uint64_t most, double scale, cdg_mesh *out,
                           cdg_error *error) {
    *out = (cdg_mesh){0};
    assimp_files files = {.path = path, .bytes = bytes, .most = most};
    struct aiFileIO io = {.OpenProc = open_file, .CloseProc = close_file, .UserData = (aiUserData)(void *)&files};
    const struct aiScene *scene = aiImportFileEx(path, aiProcess_Triangulate | aiProcess_PreTransformVertices, &io);
    if (scene == NULL)
        return cdg_fail(error, CDG_ERROR_FORMAT,
                        "%s: this cannot be read as what its name says; the reader's words are '%s'", path,
                        aiGetErrorString());
    cdg_result result = copy_scene(scene, path, scale, out, error);
    aiReleaseImport(scene);
    if (result != CDG_OK) cdg_mesh_free(out);
    return result;
}
