// Bodies, obstacles and welds of the type World.
#include "world_parts.h"

PyObject *world_bodies(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_world_body_count(self->world) && out != NULL; i++) {
        cdg_body_info info;
        cdg_body_id id = cdg_world_body_at(self->world, i);
        if (cdg_body_get_info(self->world, id, &info) != CDG_OK) continue;
        PyObject *item = Py_BuildValue("(sKdidd(ddd)d)", info.name, HANDLE_NUMBER(id), info.mass, (int)info.shape.kind,
                                       info.shape.radius, info.shape.length, info.shape.size.x, info.shape.size.y,
                                       info.shape.size.z, info.friction);
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

PyObject *world_obstacles(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_world_obstacle_count(self->world) && out != NULL; i++) {
        cdg_obstacle_info info;
        cdg_obstacle_id id = cdg_world_obstacle_at(self->world, i);
        if (cdg_obstacle_get_info(self->world, id, &info) != CDG_OK) continue;
        PyObject *item = Py_BuildValue("(sKdidd(ddd))", info.name, HANDLE_NUMBER(id), info.friction,
                                       (int)info.shape.kind, info.shape.radius, info.shape.length, info.shape.size.x,
                                       info.shape.size.y, info.shape.size.z);
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

PyObject *world_body_state(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_body_state s;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_body_get_state(self->world, NUMBER_HANDLE(cdg_body_id, id), &s);
    if (result != CDG_OK) return raise_error(result, "the body no longer exists");
    return Py_BuildValue("(NNNN)", vec3_tuple(s.position), quat_tuple(s.orientation), vec3_tuple(s.velocity),
                         vec3_tuple(s.angular_velocity));
}

PyObject *world_set_body_state(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *x, *q, *v, *w;
    cdg_body_state s;
    if (!PyArg_ParseTuple(arguments, "KOOOO", &id, &x, &q, &v, &w) || !may_change(self)) return NULL;
    cdg_result result = cdg_body_get_state(self->world, NUMBER_HANDLE(cdg_body_id, id), &s);
    if (result != CDG_OK) return raise_error(result, "the body no longer exists");
    if ((x != Py_None && !read_vec3(x, "m", &s.position)) || (q != Py_None && !read_quat(q, &s.orientation)) ||
        (v != Py_None && !read_vec3(v, "m/s", &s.velocity)) ||
        (w != Py_None && !read_vec3(w, "rad/s", &s.angular_velocity)))
        return NULL;
    return answer_changed(self, cdg_body_set_state(self->world, NUMBER_HANDLE(cdg_body_id, id), &s));
}

PyObject *world_weld_reaction(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_vec3 force, moment;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_weld_reaction(self->world, NUMBER_HANDLE(cdg_weld_id, id), &force, &moment);
    if (result != CDG_OK) return raise_error(result, "the weld no longer exists");
    return Py_BuildValue("(NN)", vec3_tuple(force), vec3_tuple(moment));
}
