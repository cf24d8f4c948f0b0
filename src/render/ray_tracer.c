// Embree with one thread of its own: trees are then built the same way each time, and whoever shades brings the
// threads.
#include "render/ray_tracer.h"

#include "base/error.h"

#include <embree3/rtcore.h>

#include <stdalign.h>
#include <stdlib.h>

struct cdg_ray_tracer {
    RTCDevice device;
    RTCScene scene;
};

cdg_result cdg_ray_tracer_create(cdg_ray_tracer **out, cdg_error *error) {
    *out = NULL;
    cdg_ray_tracer *tracer = calloc(1, sizeof *tracer);
    if (!tracer) return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the ray tracer");
    tracer->device = rtcNewDevice("threads=1,set_affinity=0");
    if (!tracer->device) {
        free(tracer);
        return cdg_fail(error, CDG_ERROR_UNSUPPORTED, "the ray tracer (Embree) cannot start on this machine: code %d",
                        (int)rtcGetDeviceError(NULL));
    }
    *out = tracer;
    return CDG_OK;
}

void cdg_ray_tracer_destroy(cdg_ray_tracer *tracer) {
    if (!tracer) return;
    if (tracer->scene) rtcReleaseScene(tracer->scene);
    rtcReleaseDevice(tracer->device);
    free(tracer);
}

static void attach_mesh(const cdg_ray_tracer *tracer, const cdg_picture_mesh *mesh, unsigned id) {
    RTCGeometry geometry = rtcNewGeometry(tracer->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, mesh->vertices, 0,
                               3 * sizeof(float), mesh->vertex_count);
    rtcSetSharedGeometryBuffer(geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, mesh->triangles, 0,
                               3 * sizeof(uint32_t), mesh->triangle_count);
    rtcCommitGeometry(geometry);
    rtcAttachGeometryByID(tracer->scene, geometry, id);
    rtcReleaseGeometry(geometry); // the scene keeps it
}

cdg_result cdg_ray_tracer_set_scene(cdg_ray_tracer *tracer, const cdg_picture_scene *scene, cdg_error *error) {
    if (tracer->scene) rtcReleaseScene(tracer->scene);
    tracer->scene = rtcNewScene(tracer->device);
    rtcSetSceneFlags(tracer->scene, RTC_SCENE_FLAG_ROBUST); // rays along an edge must not slip through
    for (size_t i = 0; i < scene->mesh_count; i++)
        if (scene->meshes[i].triangle_count > 0) attach_mesh(tracer, &scene->meshes[i], (unsigned)i);
    rtcCommitScene(tracer->scene);
    enum RTCError code = rtcGetDeviceError(tracer->device);
    if (code == RTC_ERROR_OUT_OF_MEMORY)
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the ray tracer's tree");
    if (code != RTC_ERROR_NONE)
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "the ray tracer refused the scene: code %d", (int)code);
    return CDG_OK;
}

cdg_ray_hit cdg_ray_tracer_meet(const cdg_ray_tracer *tracer, const cdg_ray *ray) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    struct RTCRayHit query = {.ray = {.org_x = ray->from.x,
                                      .org_y = ray->from.y,
                                      .org_z = ray->from.z,
                                      .tnear = ray->near,
                                      .dir_x = ray->along.x,
                                      .dir_y = ray->along.y,
                                      .dir_z = ray->along.z,
                                      .tfar = ray->far,
                                      .mask = UINT32_MAX},
                              .hit = {.geomID = RTC_INVALID_GEOMETRY_ID}};
    rtcIntersect1(tracer->scene, &context, &query);
    if (query.hit.geomID == RTC_INVALID_GEOMETRY_ID) return (cdg_ray_hit){.mesh = CDG_NO_MESH, .distance = ray->far};
    return (cdg_ray_hit){.distance = query.ray.tfar,
                         .mesh = (int)query.hit.geomID,
                         .triangle = query.hit.primID,
                         .u = query.hit.u,
                         .v = query.hit.v};
}

void cdg_ray_tracer_meet_packet(const cdg_ray_tracer *tracer, const cdg_ray *rays, size_t count, cdg_ray_hit *hits) {
    struct RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    alignas(32) int valid[CDG_RAY_PACKET];
    alignas(32) struct RTCRayHit8 query;
    for (size_t i = 0; i < CDG_RAY_PACKET; i++) {
        const cdg_ray *ray = &rays[i < count ? i : 0];
        valid[i] = i < count ? -1 : 0;
        query.ray.org_x[i] = ray->from.x;
        query.ray.org_y[i] = ray->from.y;
        query.ray.org_z[i] = ray->from.z;
        query.ray.tnear[i] = ray->near;
        query.ray.dir_x[i] = ray->along.x;
        query.ray.dir_y[i] = ray->along.y;
        query.ray.dir_z[i] = ray->along.z;
        query.ray.time[i] = 0;
        query.ray.tfar[i] = ray->far;
        query.ray.mask[i] = UINT32_MAX;
        query.ray.id[i] = 0;
        query.ray.flags[i] = 0;
        query.hit.geomID[i] = RTC_INVALID_GEOMETRY_ID;
        query.hit.instID[0][i] = RTC_INVALID_GEOMETRY_ID;
    }
    rtcIntersect8(valid, tracer->scene, &context, &query);
    for (size_t i = 0; i < count; i++) {
        bool was_met = query.hit.geomID[i] != RTC_INVALID_GEOMETRY_ID;
        hits[i] = was_met ? (cdg_ray_hit){.distance = query.ray.tfar[i],
                                          .mesh = (int)query.hit.geomID[i],
                                          .triangle = query.hit.primID[i],
                                          .u = query.hit.u[i],
                                          .v = query.hit.v[i]}
                          : (cdg_ray_hit){.mesh = CDG_NO_MESH, .distance = rays[i].far};
    }
}
