// Contact of rigid bodies by ODE: its shapes find the points, its step solves for the impulses.
//
// ODE keeps lists whose order depends on the past, and moves bodies by a rule of its own. Here it sees pairs in the
// order of their numbers and bodies as they are told for this one step, and only the change of velocity is taken.
#include "bodies/collider.h"

#include "base/error.h"
#include "bodies/ode_guard.h"

#include <ode/ode.h>
#include <stdlib.h>
#include <string.h>

#if !defined(dDOUBLE)
#error "Cordage needs ODE in double precision, as Debian builds it"
#endif

enum { CONTACTS_OF_PAIR_MAX = 16 };

typedef struct shape {
    dGeomID geometry;
    dTriMeshDataID mesh;
    double *vertices; // ODE keeps pointers to both
    dTriIndex *triangles;
    cdg_shape_kind kind;
    cdg_vec3 normal; // plane
    double offset;
} shape;

typedef struct touch {
    uint32_t a, b;
    dContactGeom at;
} touch;

struct cdg_collider {
    dWorldID world;
    dBodyID *bodies; // one for each shape
    dJointGroupID joints;
    shape *shapes;
    size_t count, capacity;
    touch *touches;
    size_t touch_count, touch_capacity;
    bool is_broken; // ODE failed half way through
};

// ---- errors ---------------------------------------------------------------------------------------------------------

static cdg_result fail_broken(cdg_error *error) {
    return cdg_fail(error, CDG_ERROR_NOT_FINITE, "the collisions of bodies failed earlier and cannot go on");
}

// ---- creating -------------------------------------------------------------------------------------------------------

typedef struct task { // what runs under the guard
    cdg_collider *collider;
    const cdg_shape *shape;
    struct shape *built;
    cdg_collider_item *items;
    double step, slow;
    bool has_memory;
} task;

static void create_world(void *user) {
    task *t = user;
    t->collider->world = dWorldCreate();
    t->collider->joints = dJointGroupCreate(0);
    dWorldSetGravity(t->collider->world, 0, 0, 0);
}

cdg_result cdg_collider_create(cdg_collider **out, cdg_error *error) {
    *out = NULL;
    cdg_collider *collider = calloc(1, sizeof *collider);
    if (collider == NULL) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the collisions of bodies");
    if (!cdg_ode_acquire()) {
        free(collider);
        return cdg_fail(error, CDG_ERROR_MEMORY, "ODE, which computes the collisions of bodies, does not start");
    }
    task t = {.collider = collider};
    cdg_result result = cdg_ode_run(create_world, &t, error);
    if (result != CDG_OK) {
        cdg_ode_release();
        free(collider);
        return result;
    }
    *out = collider;
    return CDG_OK;
}

static void free_shape(shape *s) {
    if (s->geometry != NULL) dGeomDestroy(s->geometry);
    if (s->mesh != NULL) dGeomTriMeshDataDestroy(s->mesh);
    free(s->vertices);
    free(s->triangles);
}

static void destroy_all(void *user) {
    cdg_collider *collider = ((task *)user)->collider;
    dJointGroupDestroy(collider->joints);
    for (size_t i = 0; i < collider->count; i++) free_shape(&collider->shapes[i]);
    dWorldDestroy(collider->world);
}

void cdg_collider_destroy(cdg_collider *collider) {
    if (collider == NULL) return;
    task t = {.collider = collider};
    cdg_error ignored;
    cdg_ode_run(destroy_all, &t, &ignored);
    cdg_ode_release();
    free(collider->shapes);
    free(collider->bodies);
    free(collider->touches);
    free(collider);
}

static void build_mesh(task *t) {
    const cdg_shape *from = t->shape;
    shape *to = t->built;
    to->vertices = malloc(from->mesh.point_count * 3 * sizeof *to->vertices);
    to->triangles = malloc(from->mesh.triangle_count * 3 * sizeof *to->triangles);
    t->has_memory = to->vertices != NULL && to->triangles != NULL;
    if (!t->has_memory) return;
    for (size_t i = 0; i < from->mesh.point_count; i++) {
        to->vertices[3 * i] = from->mesh.points[i].x;
        to->vertices[3 * i + 1] = from->mesh.points[i].y;
        to->vertices[3 * i + 2] = from->mesh.points[i].z;
    }
    for (size_t i = 0; i < from->mesh.triangle_count; i++)
        for (int k = 0; k < 3; k++) to->triangles[3 * i + (size_t)k] = from->mesh.triangles[i][k];
    to->mesh = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(to->mesh, to->vertices, 3 * sizeof *to->vertices, (int)from->mesh.point_count,
                                to->triangles, (int)(3 * from->mesh.triangle_count), 3 * sizeof *to->triangles);
    to->geometry = dCreateTriMesh(NULL, to->mesh, NULL, NULL, NULL);
}

static void build_shape(void *user) {
    task *t = user;
    const cdg_shape *s = t->shape;
    switch (s->kind) {
    case CDG_SHAPE_PLANE:
        t->built->geometry = dCreatePlane(NULL, s->normal.x, s->normal.y, s->normal.z, s->offset);
        break;
    case CDG_SHAPE_SPHERE: t->built->geometry = dCreateSphere(NULL, s->radius); break;
    case CDG_SHAPE_BOX: t->built->geometry = dCreateBox(NULL, s->size.x, s->size.y, s->size.z); break;
    case CDG_SHAPE_CAPSULE:
        t->built->geometry =
            s->length > 0 ? dCreateCapsule(NULL, s->radius, s->length) : dCreateSphere(NULL, s->radius);
        break;
    case CDG_SHAPE_CYLINDER: t->built->geometry = dCreateCylinder(NULL, s->radius, s->length); break;
    case CDG_SHAPE_MESH: build_mesh(t); break;
    default: break;
    }
    cdg_collider *collider = t->collider;
    dBodyID body = dBodyCreate(collider->world);
    dBodySetGyroscopicMode(body, 0); // turning is our own motion's business
    dBodySetAutoDisableFlag(body, 0);
    collider->bodies[collider->count] = body;
}

cdg_result cdg_collider_add(cdg_collider *collider, const cdg_shape *from, cdg_error *error) {
    if (collider->is_broken) return fail_broken(error);
    if (collider->count == collider->capacity) {
        size_t capacity = collider->capacity > 0 ? 2 * collider->capacity : 8;
        shape *shapes = realloc(collider->shapes, capacity * sizeof *shapes);
        if (shapes != NULL) collider->shapes = shapes;
        dBodyID *bodies = realloc(collider->bodies, capacity * sizeof *bodies);
        if (bodies != NULL) collider->bodies = bodies;
        if (shapes == NULL || bodies == NULL)
            return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the shape of a body");
        collider->capacity = capacity;
    }
    shape *built = &collider->shapes[collider->count];
    *built = (shape){.kind = from->kind, .normal = from->normal, .offset = from->offset};
    task t = {.collider = collider, .shape = from, .built = built, .has_memory = true};
    cdg_result result = cdg_ode_run(build_shape, &t, error);
    if (result != CDG_OK) {
        collider->is_broken = true;
        return result;
    }
    if (!t.has_memory || built->geometry == NULL) {
        free_shape(built);
        return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the shape of a body");
    }
    collider->count++;
    return CDG_OK;
}

size_t cdg_collider_count(const cdg_collider *collider) { return collider->count; }

// ---- finding --------------------------------------------------------------------------------------------------------

static void place(const shape *s, const cdg_collider_item *item) {
    if (s->kind == CDG_SHAPE_PLANE) {
        cdg_vec3 normal = vec3_normalize(quat_rotate(item->orientation, s->normal));
        dGeomPlaneSetParams(s->geometry, normal.x, normal.y, normal.z, s->offset + vec3_dot(normal, item->position));
        return;
    }
    dQuaternion q = {item->orientation.w, item->orientation.x, item->orientation.y, item->orientation.z};
    dGeomSetPosition(s->geometry, item->position.x, item->position.y, item->position.z);
    dGeomSetQuaternion(s->geometry, q);
}

static bool keep_touches(cdg_collider *collider, uint32_t a, uint32_t b, const dContactGeom *found, int count) {
    while (collider->touch_count + (size_t)count > collider->touch_capacity) {
        size_t capacity = collider->touch_capacity > 0 ? 2 * collider->touch_capacity : 64;
        touch *grown = realloc(collider->touches, capacity * sizeof *grown);
        if (grown == NULL) return false;
        collider->touches = grown;
        collider->touch_capacity = capacity;
    }
    for (int i = 0; i < count; i++) collider->touches[collider->touch_count++] = (touch){a, b, found[i]};
    return true;
}

static bool do_boxes_meet(const dReal a[6], const dReal b[6]) {
    for (int k = 0; k < 6; k += 2)
        if (a[k] > b[k + 1] || b[k] > a[k + 1]) return false;
    return true;
}

static void find_all(void *user) {
    task *t = user;
    cdg_collider *collider = t->collider;
    cdg_collider_item *items = t->items;
    collider->touch_count = 0;
    for (size_t i = 0; i < collider->count; i++) {
        place(&collider->shapes[i], &items[i]);
        items[i].is_touched = false;
    }
    for (uint32_t a = 0; a < collider->count; a++) {
        if (items[a].is_ghost) continue;
        dReal box_a[6];
        dGeomGetAABB(collider->shapes[a].geometry, box_a);
        for (uint32_t b = a + 1; b < collider->count; b++) {
            if (items[b].is_ghost || (items[a].mass <= 0 && items[b].mass <= 0)) continue;
            dReal box_b[6];
            dGeomGetAABB(collider->shapes[b].geometry, box_b);
            if (!do_boxes_meet(box_a, box_b)) continue;
            dContactGeom found[CONTACTS_OF_PAIR_MAX];
            int count = dCollide(collider->shapes[a].geometry, collider->shapes[b].geometry, CONTACTS_OF_PAIR_MAX,
                                 found, sizeof *found);
            if (count <= 0) continue;
            items[a].is_touched = items[b].is_touched = true;
            if (!keep_touches(collider, a, b, found, count)) {
                t->has_memory = false;
                return;
            }
        }
    }
}

cdg_result cdg_collider_find(cdg_collider *collider, cdg_collider_item *items, size_t *count, cdg_error *error) {
    if (collider->is_broken) return fail_broken(error);
    task t = {.collider = collider, .items = items, .has_memory = true};
    cdg_result result = cdg_ode_run(find_all, &t, error);
    collider->is_broken = result != CDG_OK;
    if (result != CDG_OK) return result;
    if (!t.has_memory) return cdg_fail(error, CDG_ERROR_MEMORY, "no memory for the contacts of bodies");
    if (count != NULL) *count = collider->touch_count;
    return CDG_OK;
}

cdg_collider_touch cdg_collider_touch_at(const cdg_collider *collider, size_t index) {
    const touch *it = &collider->touches[index];
    const dReal *x = it->at.pos, *n = it->at.normal;
    return (cdg_collider_touch){it->a, it->b, vec3(x[0], x[1], x[2]), vec3(n[0], n[1], n[2]), it->at.depth};
}

// ---- solving --------------------------------------------------------------------------------------------------------

static void tell_body(dBodyID body, const cdg_collider_item *item) {
    // The orientation is ODE's to have, but inertia is told in world axes, so it is always none.
    const dQuaternion none = {1, 0, 0, 0};
    dBodySetPosition(body, item->center.x, item->center.y, item->center.z);
    dBodySetQuaternion(body, none);
    dBodySetLinearVel(body, item->velocity.x, item->velocity.y, item->velocity.z);
    dBodySetAngularVel(body, item->angular_velocity.x, item->angular_velocity.y, item->angular_velocity.z);
    if (item->mass <= 0) {
        dBodySetKinematic(body);
        return;
    }
    dMass mass;
    symmetric3 i = item->inertia;
    dMassSetParameters(&mass, item->mass, 0, 0, 0, i.xx, i.yy, i.zz, i.xy, i.xz, i.yz);
    dBodySetDynamic(body);
    dBodySetMass(body, &mass);
}

static void join(const cdg_collider *collider, const touch *contact, const cdg_collider_item *items, double slow) {
    const cdg_collider_item *a = &items[contact->a], *b = &items[contact->b];
    dContact c = {.geom = contact->at};
    c.surface.mode = dContactApprox1;
    c.surface.mu = (a->friction + b->friction) / 2;
    double restitution = fmax(a->restitution, b->restitution);
    if (restitution > 0) {
        c.surface.mode |= dContactBounce;
        c.surface.bounce = restitution;
        c.surface.bounce_vel = slow;
    }
    dJointID joint = dJointCreateContact(collider->world, collider->joints, &c);
    dJointAttach(joint, collider->bodies[contact->a], collider->bodies[contact->b]);
}

static cdg_vec3 vec3_from(const dReal *a) { return vec3(a[0], a[1], a[2]); }

static const double overlap_rate = 40; // 1/s

static void solve_all(void *user) {
    task *t = user;
    cdg_collider *collider = t->collider;
    double lightest = HUGE_VAL;
    for (size_t i = 0; i < collider->count; i++) {
        cdg_collider_item *item = &t->items[i];
        item->impulse = item->turn_impulse = vec3(0, 0, 0);
        if (item->is_touched) {
            tell_body(collider->bodies[i], item);
            dBodyEnable(collider->bodies[i]);
            if (item->mass > 0) lightest = fmin(lightest, item->mass);
        } else {
            dBodyDisable(collider->bodies[i]);
        }
    }
    // Softens contacts by a tiny share of the lightest mass, so that four points under a box are not one too many.
    dWorldSetCFM(collider->world, 1e-8 * t->step / lightest);
    // Share of the overlap that is taken out in the step: however short that is, no faster than this in time, lest what
    // lies in something is thrown out of it.
    dWorldSetERP(collider->world, fmin(0.2, overlap_rate * t->step));
    for (size_t i = 0; i < collider->touch_count; i++) join(collider, &collider->touches[i], t->items, t->slow);
    dWorldStep(collider->world, t->step);
    dJointGroupEmpty(collider->joints);
    for (size_t i = 0; i < collider->count; i++) {
        cdg_collider_item *item = &t->items[i];
        if (!item->is_touched || item->mass <= 0) continue;
        cdg_vec3 v = vec3_from(dBodyGetLinearVel(collider->bodies[i]));
        cdg_vec3 w = vec3_from(dBodyGetAngularVel(collider->bodies[i]));
        item->impulse = vec3_scale(item->mass, vec3_sub(v, item->velocity));
        item->turn_impulse = symmetric3_times(item->inertia, vec3_sub(w, item->angular_velocity));
    }
}

cdg_result cdg_collider_solve(cdg_collider *collider, double step, double slow, cdg_collider_item *items,
                              cdg_error *error) {
    if (collider->is_broken) return fail_broken(error);
    task t = {.collider = collider, .items = items, .step = step, .slow = slow};
    if (collider->touch_count == 0) {
        for (size_t i = 0; i < collider->count; i++) items[i].impulse = items[i].turn_impulse = vec3(0, 0, 0);
        return CDG_OK;
    }
    cdg_result result = cdg_ode_run(solve_all, &t, error);
    collider->is_broken = result != CDG_OK;
    if (result != CDG_OK) return result;
    for (size_t i = 0; i < collider->count; i++)
        if (!vec3_is_finite(items[i].impulse) || !vec3_is_finite(items[i].turn_impulse))
            return cdg_fail(error, CDG_ERROR_NOT_FINITE, "contact of bodies gave an impulse that is not finite");
    return CDG_OK;
}
