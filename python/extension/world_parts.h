// What the files of the type World share: who may use it, and answers to Python; and functions of it that stand apart.
#ifndef CORDAGE_PYTHON_WORLD_PARTS_H
#define CORDAGE_PYTHON_WORLD_PARTS_H

#include "extension.h"

typedef unsigned long long handle_number;

static inline world_object *as_world(PyObject *object) { return (world_object *)object; }

static inline bool may_use(world_object *self, world_use worst) {
    if (self->world == NULL) {
        PyErr_SetString(PyExc_ValueError, "the world was closed, or never built");
        return false;
    }
    if (self->use <= worst) return true;
    PyErr_SetString(PyExc_RuntimeError,
                    self->use == WORLD_BUSY
                        ? "the world is at work in another thread; one thread at a time may use a world"
                        : "a callback may read its world but not change it");
    return false;
}
static inline bool may_read(world_object *self) { return may_use(self, WORLD_READABLE); }
static inline bool may_change(world_object *self) { return may_use(self, WORLD_IDLE); }

static inline PyObject *fail_world(world_object *self, cdg_result result) {
    return raise_error(result, cdg_world_message(self->world));
}

static inline PyObject *answer(world_object *self, cdg_result result) {
    if (result != CDG_OK) return fail_world(self, result);
    Py_RETURN_NONE;
}

// Changed: views of the state before are stale.
static inline PyObject *answer_changed(world_object *self, cdg_result result) {
    self->epoch++;
    return answer(self, result);
}

static inline bool find_info(world_object *self, handle_number id, cdg_rod_info *info) {
    cdg_result result = cdg_rod_get_info(self->world, NUMBER_HANDLE(cdg_rod_id, id), info);
    if (result != CDG_OK) (void)raise_error(result, "the rod no longer exists");
    return result == CDG_OK;
}

PyObject *world_find_equilibrium(PyObject *object, PyObject *unused);
PyObject *world_follow_path(PyObject *object, PyObject *arguments);
PyObject *world_modes(PyObject *object, PyObject *arguments);
PyObject *world_bodies(PyObject *object, PyObject *unused);
PyObject *world_obstacles(PyObject *object, PyObject *unused);
PyObject *world_body_state(PyObject *object, PyObject *arguments);
PyObject *world_set_body_state(PyObject *object, PyObject *arguments);
PyObject *world_weld_reaction(PyObject *object, PyObject *arguments);
PyObject *world_solids(PyObject *object, PyObject *unused);
PyObject *world_solid_info(PyObject *object, PyObject *arguments);
PyObject *world_solid_mesh(PyObject *object, PyObject *arguments);
PyObject *world_solid_view(PyObject *object, PyObject *arguments);
PyObject *world_solid_state(PyObject *object, PyObject *arguments);
PyObject *world_solid_stress(PyObject *object, PyObject *arguments);
PyObject *world_solid_modes(PyObject *object, PyObject *arguments);
PyObject *world_extend_solid(PyObject *object, PyObject *arguments);
PyObject *world_solid_support_force(PyObject *object, PyObject *arguments);
PyObject *world_set_solid_load(PyObject *object, PyObject *arguments);
PyObject *world_set_solid_forces(PyObject *object, PyObject *arguments);

#endif
