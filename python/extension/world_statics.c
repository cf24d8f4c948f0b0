// Statics of the type World: equilibria, paths, natural frequencies.
#include "world_parts.h"

#include <stdlib.h>
#include <string.h>

static PyObject *equilibrium_dict(const cdg_equilibrium_report *r) {
    return Py_BuildValue("{s:i,s:d,s:d,s:O,s:d}", "iterations", r->iterations, "residual", r->residual, "force",
                         r->force, "is_stable", r->is_stable ? Py_True : Py_False, "lowest", r->lowest);
}

PyObject *world_find_equilibrium(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    cdg_equilibrium_report report = {0};
    if (!may_change(self)) return NULL;
    self->use = WORLD_BUSY;
    self->epoch++;
    PyThreadState *thread = PyEval_SaveThread();
    cdg_result result = cdg_world_find_equilibrium(self->world, &report);
    PyEval_RestoreThread(thread);
    self->use = WORLD_IDLE;
    return result == CDG_OK ? equilibrium_dict(&report) : fail_world(self, result);
}

static PyObject *path_dict(const cdg_path_report *r) {
    return Py_BuildValue("{s:d,s:i,s:i,s:i,s:i,s:i,s:i,s:d,s:N}", "time", r->time, "step_count", r->step_count,
                         "halvings", r->halvings, "iterations", r->iterations, "snap_count", r->snap_count,
                         "turn_count", r->turn_count, "branch_count", r->branch_count, "snap_time", r->snap_time,
                         "equilibrium", equilibrium_dict(&r->equilibrium));
}

typedef struct path_call {
    world_object *world;
    PyObject *function; // NULL: none
} path_call;

static bool on_path_step(void *user, const cdg_path_report *report) {
    path_call *call = user;
    if (call->function == NULL) return true;
    PyGILState_STATE state = PyGILState_Ensure();
    call->world->use = WORLD_READABLE;
    call->world->epoch++;
    PyObject *told = path_dict(report);
    PyObject *said = told != NULL ? PyObject_CallFunctionObjArgs(call->function, told, NULL) : NULL;
    bool goes_on = said != NULL && said != Py_False;
    Py_XDECREF(told);
    Py_XDECREF(said);
    call->world->epoch++;
    call->world->use = WORLD_BUSY;
    PyGILState_Release(state);
    return goes_on;
}

PyObject *world_follow_path(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    cdg_path_def def = cdg_path_def_default();
    int kind;
    PyObject *function;
    handle_number seed;
    if (!PyArg_ParseTuple(arguments, "iddidKO", &kind, &def.end, &def.step, &def.step_limit, &def.imperfection, &seed,
                          &function) ||
        !may_change(self))
        return NULL;
    path_call call = {self, function == Py_None ? NULL : function};
    def.kind = (cdg_path_kind)kind;
    def.seed = seed;
    def.on_step = on_path_step;
    def.user = &call;
    cdg_path_report report = {0};
    self->use = WORLD_BUSY;
    self->epoch++;
    PyThreadState *thread = PyEval_SaveThread();
    cdg_result result = cdg_world_follow_path(self->world, &def, &report);
    PyEval_RestoreThread(thread);
    self->use = WORLD_IDLE;
    self->epoch++;
    if (PyErr_Occurred()) return NULL; // of the callback
    return result == CDG_OK || result == CDG_ERROR_INTERRUPTED ? path_dict(&report) : fail_world(self, result);
}

PyObject *world_modes(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    Py_ssize_t count;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "Kn", &id, &count) || !may_change(self) || !find_info(self, id, &info))
        return NULL;
    if (count < 1 || count > 100000)
        return raise_error(CDG_ERROR_ARGUMENT, "ask for at least one vibration, and for at most 100000");
    Py_ssize_t shape[3] = {count, (Py_ssize_t)info.node_count, 3};
    array_object *frequencies = array_of(count, 1), *shapes = array_new(3, shape);
    cdg_result result = CDG_ERROR_MEMORY;
    if (frequencies != NULL && shapes != NULL) {
        self->use = WORLD_BUSY;
        PyThreadState *thread = PyEval_SaveThread();
        result = cdg_rod_find_modes(self->world, NUMBER_HANDLE(cdg_rod_id, id), (size_t)count, frequencies->data,
                                    (cdg_vec3 *)(void *)shapes->data);
        PyEval_RestoreThread(thread);
        self->use = WORLD_IDLE;
        self->epoch++;
    }
    if (result == CDG_OK) return Py_BuildValue("(NN)", frequencies, shapes);
    Py_XDECREF((PyObject *)frequencies);
    Py_XDECREF((PyObject *)shapes);
    return fail_world(self, result);
}
