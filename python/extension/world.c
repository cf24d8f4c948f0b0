// The type World: a cdg_world for Python. Steps and searches release the interpreter's lock; meanwhile other threads
// are refused. The package's own World, in Python, derives from it and names and documents what is private here.
#include "world_parts.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

// ---- life -----------------------------------------------------------------------------------------------------------

static bool read_definition(PyObject *arguments, PyObject *keywords, cdg_world_def *def) {
    static char *names[] = {"gravity", "step", "threads", "energy_guard", NULL};
    PyObject *gravity = NULL, *step = NULL;
    int guard = 1;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "|OOip", names, &gravity, &step, &def->thread_count, &guard))
        return false;
    def->is_unguarded = !guard;
    if (gravity != NULL && gravity != Py_None && !read_vec3(gravity, "m/s^2", &def->gravity)) return false;
    bool is_auto = step == NULL || step == Py_None ||
                   (PyUnicode_Check(step) && PyUnicode_CompareWithASCIIString(step, "auto") == 0);
    return is_auto || read_real(step, "s", &def->step);
}

static int world_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    world_object *self = as_world(object);
    cdg_world_def def = cdg_world_def_default();
    if (self->world != NULL) {
        PyErr_SetString(PyExc_RuntimeError, "the world is built already");
        return -1;
    }
    if (!read_definition(arguments, keywords, &def)) return -1;
    cdg_error error = {0};
    cdg_result result = cdg_world_create(&def, &self->world, &error);
    if (result != CDG_OK) (void)raise_error(result, error.message);
    return result == CDG_OK ? 0 : -1;
}

static PyObject *world_build(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    scene_object *scene;
    int threads = 0;
    if (!PyArg_ParseTuple(arguments, "O!i", extension.scene, &scene, &threads)) return NULL;
    cdg_error error = {0};
    if (self->world != NULL) return raise_error(CDG_ERROR_ARGUMENT, "the world is built already");
    cdg_result result = cdg_scene_build(scene->scene, threads, &self->world, &error);
    double step = 0;
    // the step of a run, so that both go through the same states
    if (result == CDG_OK) result = cdg_run_step(scene->scene, self->world, &step, &error);
    if (result == CDG_OK && step > 0) result = cdg_world_set_step_size(self->world, step);
    if (result != CDG_OK) return raise_error(result, error.message);
    Py_RETURN_NONE;
}

static void world_free(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    cdg_world_destroy(as_world(object)->world); // views hold a reference to the world, so there are none
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *fail_exported(const world_object *self, const char *what) {
    PyErr_Format(PyExc_BufferError, "%s while %zu arrays still look into its memory; delete them, or copy them first",
                 what, self->export_count);
    return NULL;
}

static PyObject *world_close(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (self->world == NULL) Py_RETURN_NONE;
    if (!may_change(self)) return NULL;
    if (self->export_count > 0) return fail_exported(self, "a world cannot be closed");
    self->epoch++;
    cdg_world_destroy(self->world);
    self->world = NULL;
    Py_RETURN_NONE;
}

// Handles of rods from a list of numbers, in new memory; NULL: an exception is set.
static cdg_rod_id *read_rods(PyObject *list, size_t *count) {
    *count = (size_t)PyList_Size(list);
    cdg_rod_id *rods = PyMem_Calloc(*count + 1, sizeof *rods);
    if (rods == NULL) return (void)PyErr_NoMemory(), NULL;
    for (size_t i = 0; i < *count; i++) {
        handle_number number = PyLong_AsUnsignedLongLong(PyList_GetItem(list, (Py_ssize_t)i));
        rods[i] = NUMBER_HANDLE(cdg_rod_id, number);
    }
    if (!PyErr_Occurred()) return rods;
    PyMem_Free(rods);
    return NULL;
}

static PyObject *world_extend(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    scene_object *scene;
    PyObject *list;
    Py_ssize_t bodies;
    size_t count;
    if (!PyArg_ParseTuple(arguments, "O!O!n", extension.scene, &scene, &PyList_Type, &list, &bodies) ||
        !may_change(self))
        return NULL;
    cdg_rod_id *rods = read_rods(list, &count);
    if (rods == NULL) return NULL;
    cdg_error error = {0};
    cdg_scene_added a;
    cdg_result result = cdg_scene_extend(scene->scene, rods, count, (size_t)bodies, self->world, &a, &error);
    PyMem_Free(rods);
    self->epoch++;
    if (result != CDG_OK) return raise_error(result, error.message);
    return Py_BuildValue("{s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:K,s:n,s:n,s:(Kin)}", "rod", HANDLE_NUMBER(a.rod), "joint",
                         HANDLE_NUMBER(a.joint), "support", HANDLE_NUMBER(a.support), "load", HANDLE_NUMBER(a.load),
                         "obstacle", HANDLE_NUMBER(a.obstacle), "body", HANDLE_NUMBER(a.body), "weld",
                         HANDLE_NUMBER(a.weld), "solid", HANDLE_NUMBER(a.solid), "rod_count", (Py_ssize_t)a.rod_count,
                         "support_count", (Py_ssize_t)a.support_count, "load_place", HANDLE_NUMBER(a.load_place.rod),
                         (int)a.load_place.kind, (Py_ssize_t)a.load_place.index);
}

// ---- steps ----------------------------------------------------------------------------------------------------------

static const double signal_seconds = 0.1; // between two looks for signals such as Ctrl-C

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// As many of the steps as fit between two looks for signals; *done counts them.
static cdg_result take_steps(world_object *self, Py_ssize_t count, Py_ssize_t *done) {
    cdg_result result = CDG_OK;
    double end = count > 1 ? seconds_now() + signal_seconds : 0;
    do {
        result = cdg_world_step(self->world, &self->report);
        ++*done;
    } while (*done < count && result == CDG_OK && seconds_now() < end);
    return result;
}

static PyObject *world_step(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
    world_object *self = as_world(object);
    Py_ssize_t steps = 1;
    if (count > 1) {
        PyErr_SetString(PyExc_TypeError, "step() takes at most one argument, the number of steps");
        return NULL;
    }
    if (count == 1) {
        steps = PyNumber_AsSsize_t(arguments[0], PyExc_OverflowError); // integers of NumPy, too
        if (steps == -1 && PyErr_Occurred()) return NULL;
        if (steps < 0) return raise_error(CDG_ERROR_ARGUMENT, "the number of steps must not be negative");
    }
    if (!may_change(self)) return NULL;
    self->use = WORLD_BUSY;
    self->epoch++;
    cdg_result result = CDG_OK;
    bool goes_on = true;
    for (Py_ssize_t done = 0; done < steps && result == CDG_OK && goes_on;) {
        PyThreadState *thread = PyEval_SaveThread();
        result = take_steps(self, steps, &done);
        PyEval_RestoreThread(thread);
        goes_on = done >= steps || PyErr_CheckSignals() == 0;
    }
    self->use = WORLD_IDLE;
    if (!goes_on) return NULL;
    return result == CDG_OK ? (Py_INCREF(Py_None), Py_None) : fail_world(self, result);
}

static PyObject *world_report(PyObject *object, void *unused) {
    (void)unused;
    const cdg_step_report *r = &as_world(object)->report;
    return Py_BuildValue("{s:d,s:d,s:i,s:d,s:K,s:i,s:i,s:n,s:i,s:i,s:d}", "time", r->time, "step", r->step,
                         "iterations", r->iterations, "residual", r->residual, "worst_rod", HANDLE_NUMBER(r->worst_rod),
                         "halvings", r->halvings, "parts", r->parts, "contact_count", (Py_ssize_t)r->contact_count,
                         "contact_iterations", r->contact_iterations, "contact_halvings", r->contact_halvings,
                         "deepest", r->deepest);
}

static PyObject *world_time(PyObject *object, void *unused) {
    (void)unused;
    world_object *self = as_world(object);
    return may_read(self) ? PyFloat_FromDouble(cdg_world_time(self->world)) : NULL;
}

static PyObject *world_step_index(PyObject *object, void *unused) {
    (void)unused;
    world_object *self = as_world(object);
    return may_read(self) ? PyLong_FromUnsignedLongLong(cdg_world_step_index(self->world)) : NULL;
}

static PyObject *world_step_size(PyObject *object, void *unused) {
    (void)unused;
    world_object *self = as_world(object);
    return may_read(self) ? PyFloat_FromDouble(cdg_world_step_size(self->world)) : NULL;
}

static int world_set_step_size(PyObject *object, PyObject *value, void *unused) {
    (void)unused;
    world_object *self = as_world(object);
    double step;
    if (value == NULL || !read_real(value, "s", &step) || !may_change(self)) return -1;
    cdg_result result = cdg_world_set_step_size(self->world, step);
    if (result != CDG_OK) (void)fail_world(self, result);
    return result == CDG_OK ? 0 : -1;
}

static PyObject *world_advice(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_change(self)) return NULL;
    cdg_step_advice advice = cdg_world_advice(self->world);
    return Py_BuildValue("(ds)", advice.step, advice.reason);
}

// ---- control --------------------------------------------------------------------------------------------------------

static bool read_pose(PyObject *position, PyObject *frame, cdg_vec3 *x, cdg_quat *q) {
    return (position == Py_None || read_vec3(position, "m", x)) && (frame == Py_None || read_quat(frame, q));
}

static PyObject *world_set_support_pose(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *position, *frame;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "KOO", &id, &position, &frame) || !read_pose(position, frame, &x, &q) ||
        !may_change(self))
        return NULL;
    return answer(self, cdg_support_set_pose(self->world, NUMBER_HANDLE(cdg_support_id, id),
                                             position == Py_None ? NULL : &x, frame == Py_None ? NULL : &q));
}

static PyObject *world_put_support(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *position, *frame;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "KOO", &id, &position, &frame) || !read_vec3(position, "m", &x) ||
        !read_quat(frame, &q) || !may_change(self))
        return NULL;
    return answer(self, cdg_support_put(self->world, NUMBER_HANDLE(cdg_support_id, id), x, q));
}

static PyObject *world_put_obstacle(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *position, *frame;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "KOO", &id, &position, &frame) || !read_vec3(position, "m", &x) ||
        !read_quat(frame, &q) || !may_change(self))
        return NULL;
    return answer(self, cdg_obstacle_put(self->world, NUMBER_HANDLE(cdg_obstacle_id, id), x, q));
}

static const char *const support_names[] = {
#define SUPPORT_NAME(name, key) key,
    CDG_SUPPORT_LIST(SUPPORT_NAME)
#undef SUPPORT_NAME
};

// (handle, kind, rod, node, whether it moves) of each support that is there.
static PyObject *world_supports(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_world_support_count(self->world) && out != NULL; i++) {
        cdg_support_id id = cdg_world_support_at(self->world, i);
        cdg_support_info info;
        cdg_rod_info rod;
        if (cdg_support_get_info(self->world, id, &info) != CDG_OK ||
            cdg_rod_get_info(self->world, info.place.rod, &rod) != CDG_OK)
            continue;
        PyObject *item = Py_BuildValue("(KssnO)", HANDLE_NUMBER(id), support_names[info.kind], rod.name,
                                       (Py_ssize_t)info.place.index, info.is_moving ? Py_True : Py_False);
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

static PyObject *world_gravity(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    return may_read(self) ? vec3_tuple(cdg_world_gravity(self->world)) : NULL;
}

static PyObject *world_support_pose(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_support_get_pose(self->world, NUMBER_HANDLE(cdg_support_id, id), &x, &q);
    if (result != CDG_OK) return raise_error(result, "the support no longer exists");
    return Py_BuildValue("(NN)", vec3_tuple(x), quat_tuple(q));
}

static PyObject *world_support_reaction(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_vec3 force, moment;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_support_reaction(self->world, NUMBER_HANDLE(cdg_support_id, id), &force, &moment);
    if (result != CDG_OK) return raise_error(result, "the support no longer exists");
    return Py_BuildValue("(NN)", vec3_tuple(force), vec3_tuple(moment));
}

static PyObject *world_remove_support(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_change(self)) return NULL;
    return answer(self, cdg_world_remove_support(self->world, NUMBER_HANDLE(cdg_support_id, id)));
}

static PyObject *world_set_obstacle_pose(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *position, *frame;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "KOO", &id, &position, &frame) || !read_pose(position, frame, &x, &q) ||
        !may_change(self))
        return NULL;
    return answer(self, cdg_obstacle_set_pose(self->world, NUMBER_HANDLE(cdg_obstacle_id, id),
                                              position == Py_None ? NULL : &x, frame == Py_None ? NULL : &q));
}

static PyObject *world_obstacle_pose(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_vec3 x;
    cdg_quat q;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_obstacle_get_pose(self->world, NUMBER_HANDLE(cdg_obstacle_id, id), &x, &q);
    if (result != CDG_OK) return raise_error(result, "the obstacle no longer exists");
    return Py_BuildValue("(NN)", vec3_tuple(x), quat_tuple(q));
}

// kind, rod, place kind, index, value, follows, drag rate, fluid density, drag coefficient, from, to, ramp, keyframes
static PyObject *world_change_load(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id, rod;
    int kind, place_kind, follows;
    Py_ssize_t index;
    PyObject *value, *keyframes;
    cdg_load_def def = cdg_load_def_default();
    if (!PyArg_ParseTuple(arguments, "KiKinOpddddddO", &id, &kind, &rod, &place_kind, &index, &value, &follows,
                          &def.drag_rate, &def.fluid_density, &def.drag_coefficient, &def.from, &def.to, &def.ramp,
                          &keyframes) ||
        !read_vec3(value, "1", &def.value) || !may_change(self))
        return NULL;
    def.kind = (cdg_load_kind)kind;
    def.place = cdg_rod_node(NUMBER_HANDLE(cdg_rod_id, rod), (size_t)index);
    def.place.kind = (cdg_place_kind)place_kind;
    def.follows = follows != 0;
    Py_ssize_t count = keyframes == Py_None ? 0 : PySequence_Size(keyframes);
    double *rows = NULL;
    if (count < 0 || (count > 0 && !read_rows(keyframes, (size_t)count, 2, "keyframes", &rows))) return NULL;
    def.keyframes = (const cdg_keyframe *)(const void *)rows;
    def.keyframe_count = (size_t)count;
    cdg_result result = cdg_load_change(self->world, NUMBER_HANDLE(cdg_load_id, id), &def);
    PyMem_Free(rows);
    return answer(self, result);
}

static PyObject *world_remove_load(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_change(self)) return NULL;
    return answer(self, cdg_world_remove_load(self->world, NUMBER_HANDLE(cdg_load_id, id)));
}

static PyObject *world_set_gravity(PyObject *object, PyObject *value) {
    world_object *self = as_world(object);
    cdg_vec3 gravity;
    if (!read_vec3(value, "m/s^2", &gravity) || !may_change(self)) return NULL;
    return answer(self, cdg_world_set_gravity(self->world, gravity));
}

static PyObject *world_set_friction(PyObject *object, PyObject *value) {
    world_object *self = as_world(object);
    double friction;
    if (!read_real(value, "1", &friction) || !may_change(self)) return NULL;
    cdg_contact_def def = cdg_world_contact(self->world);
    def.friction = friction;
    if (def.choice == CDG_CONTACT_DEFAULT) def.choice = CDG_CONTACT_ON;
    return answer(self, cdg_world_set_contact(self->world, &def));
}

static PyObject *world_set_obstacle_friction(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    double friction;
    if (!PyArg_ParseTuple(arguments, "Kd", &id, &friction) || !may_change(self)) return NULL;
    return answer(self, cdg_obstacle_set_friction(self->world, NUMBER_HANDLE(cdg_obstacle_id, id), friction));
}

static PyObject *world_set_body_friction(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    double friction;
    if (!PyArg_ParseTuple(arguments, "Kd", &id, &friction) || !may_change(self)) return NULL;
    return answer(self, cdg_body_set_friction(self->world, NUMBER_HANDLE(cdg_body_id, id), friction));
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static const char *const model_names[] = {
#define MODEL_NAME(name, key, text) #key,
    CDG_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
};

static PyObject *world_rod_info(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_info(self, id, &info)) return NULL;
    return Py_BuildValue("(ssOnnddnn)", info.name, model_names[info.model], info.is_closed ? Py_True : Py_False,
                         (Py_ssize_t)info.node_count, (Py_ssize_t)info.element_count, info.length, info.mass,
                         (Py_ssize_t)info.defined_element_count,
                         (Py_ssize_t)cdg_rod_node_capacity(self->world, NUMBER_HANDLE(cdg_rod_id, id)));
}

static PyObject *world_rods(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    PyObject *out = PyList_New(0);
    size_t count = cdg_world_rod_count(self->world);
    for (size_t place = 0, found = 0; found < count && out != NULL; place++) {
        cdg_rod_id id = cdg_world_rod_at(self->world, place);
        cdg_rod_info info;
        if (cdg_rod_get_info(self->world, id, &info) != CDG_OK) {
            if (place > 2 * count + 1000000) break;
            continue; // a free entry
        }
        found++;
        PyObject *pair = Py_BuildValue("(sK)", info.name, HANDLE_NUMBER(id));
        if (pair == NULL || PyList_Append(out, pair) != 0) Py_CLEAR(out);
        Py_XDECREF(pair);
    }
    return out;
}

static PyObject *world_find_rod(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    const char *name;
    if (!PyArg_ParseTuple(arguments, "s", &name) || !may_read(self)) return NULL;
    return PyLong_FromUnsignedLongLong(HANDLE_NUMBER(cdg_world_find_rod(self->world, name)));
}

static PyObject *world_remove_rod(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_change(self)) return NULL;
    if (self->export_count > 0) return fail_exported(self, "a rod cannot be removed");
    return answer_changed(self, cdg_world_remove_rod(self->world, NUMBER_HANDLE(cdg_rod_id, id)));
}

static PyObject *world_view(PyObject *object, PyObject *const *arguments, Py_ssize_t count) {
    world_object *self = as_world(object);
    if (count != 2) return PyErr_SetString(PyExc_TypeError, "expected a rod and a kind"), NULL;
    handle_number id = PyLong_AsUnsignedLongLong(arguments[0]);
    long kind = PyLong_AsLong(arguments[1]);
    if (PyErr_Occurred() || !may_read(self)) return NULL;
    cdg_state_view view;
    cdg_result result = cdg_rod_view(self->world, NUMBER_HANDLE(cdg_rod_id, id), (cdg_state_kind)kind, &view);
    if (result != CDG_OK) return raise_error(result, "the rod no longer exists");
    return array_view(self, &view);
}

static bool find_field(const char *name, cdg_field_shape *out) {
    for (size_t i = 0; cdg_field_shape_at(i, out) == CDG_OK; i++)
        if (strcmp(out->name, name) == 0) return true;
    return false;
}

static PyObject *world_field(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    const char *name;
    cdg_rod_info info;
    cdg_field_shape shape;
    if (!PyArg_ParseTuple(arguments, "Ks", &id, &name) || !may_read(self) || !find_info(self, id, &info)) return NULL;
    if (!find_field(name, &shape)) return PyErr_Format(PyExc_ValueError, "there is no field '%s'", name);
    size_t entries = shape.is_per_element ? info.element_count : info.node_count;
    array_object *out = array_of((Py_ssize_t)entries, (Py_ssize_t)shape.components);
    if (out == NULL) return NULL;
    cdg_result result =
        cdg_rod_measure_field(self->world, NUMBER_HANDLE(cdg_rod_id, id), name, out->data, entries * shape.components);
    if (result == CDG_OK) return (PyObject *)out;
    Py_DECREF((PyObject *)out);
    return fail_world(self, result);
}

static PyObject *world_radii(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_info(self, id, &info)) return NULL;
    array_object *out = array_of((Py_ssize_t)info.node_count, 1);
    if (out != NULL) (void)cdg_rod_radii(self->world, NUMBER_HANDLE(cdg_rod_id, id), out->data);
    return (PyObject *)out;
}

static PyObject *world_rest_curvature(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_info(self, id, &info)) return NULL;
    array_object *out = array_of((Py_ssize_t)info.node_count, 3);
    if (out != NULL)
        (void)cdg_rod_rest_curvature(self->world, NUMBER_HANDLE(cdg_rod_id, id), (cdg_vec3 *)(void *)out->data);
    return (PyObject *)out;
}

static PyObject *world_set_rest_curvature(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *value;
    double *rows;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "KO", &id, &value) || !may_change(self) || !find_info(self, id, &info) ||
        !read_rows(value, info.node_count, 3, "rest curvature", &rows))
        return NULL;
    cdg_result result =
        cdg_rod_set_rest_curvature(self->world, NUMBER_HANDLE(cdg_rod_id, id), (const cdg_vec3 *)(const void *)rows);
    PyMem_Free(rows);
    return answer(self, result);
}

static PyObject *world_set_rest_length(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *value;
    double length;
    if (!PyArg_ParseTuple(arguments, "KO", &id, &value) || !read_real(value, "m", &length) || !may_change(self))
        return NULL;
    return answer(self, cdg_rod_set_rest_length(self->world, NUMBER_HANDLE(cdg_rod_id, id), length));
}

static PyObject *world_set_forces(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *force_value, *torque_value;
    double *forces = NULL, *torques = NULL;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "KOO", &id, &force_value, &torque_value) || !may_change(self) ||
        !find_info(self, id, &info))
        return NULL;
    bool is_good = read_rows(force_value, info.node_count, 3, "forces", &forces) &&
                   read_rows(torque_value, info.element_count, 3, "torques", &torques);
    cdg_result result =
        !is_good ? CDG_OK
                 : cdg_rod_set_forces(self->world, NUMBER_HANDLE(cdg_rod_id, id),
                                      (const cdg_vec3 *)(const void *)forces, (const cdg_vec3 *)(const void *)torques);
    PyMem_Free(forces);
    PyMem_Free(torques);
    return is_good ? answer(self, result) : NULL;
}

static PyObject *world_forces(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_info(self, id, &info)) return NULL;
    array_object *forces = array_of((Py_ssize_t)info.node_count, 3),
                 *torques = array_of((Py_ssize_t)info.element_count, 3);
    if (forces != NULL && torques != NULL) {
        (void)cdg_rod_get_forces(self->world, NUMBER_HANDLE(cdg_rod_id, id), (cdg_vec3 *)(void *)forces->data,
                                 (cdg_vec3 *)(void *)torques->data);
        return Py_BuildValue("(NN)", forces, torques);
    }
    Py_XDECREF((PyObject *)forces);
    Py_XDECREF((PyObject *)torques);
    return NULL;
}

static PyObject *world_set_state(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *values[4];
    double *rows[4] = {NULL};
    cdg_rod_info info;
    if (!PyArg_ParseTuple(arguments, "KOOOO", &id, &values[0], &values[1], &values[2], &values[3]) ||
        !may_change(self) || !find_info(self, id, &info))
        return NULL;
    static const char *const names[] = {"positions", "frames", "velocities", "angular velocities"};
    bool is_good = true;
    for (int k = 0; k < 4 && is_good; k++)
        is_good =
            read_rows(values[k], k % 2 == 0 ? info.node_count : info.element_count, k == 1 ? 4 : 3, names[k], &rows[k]);
    cdg_result result = CDG_OK;
    if (is_good)
        result = cdg_rod_set_state(self->world, NUMBER_HANDLE(cdg_rod_id, id), (const cdg_vec3 *)(const void *)rows[0],
                                   (const cdg_quat *)(const void *)rows[1], (const cdg_vec3 *)(const void *)rows[2],
                                   (const cdg_vec3 *)(const void *)rows[3]);
    for (int k = 0; k < 4; k++) PyMem_Free(rows[k]);
    return is_good ? answer_changed(self, result) : NULL;
}

static PyObject *energy_dict(const cdg_energy *e) {
    PyObject *out = PyDict_New();
#define PUT_ENERGY(name, text)                                                                                         \
    if (out != NULL) {                                                                                                 \
        PyObject *value = PyFloat_FromDouble(e->name);                                                                 \
        if (value == NULL || PyDict_SetItemString(out, #name, value) != 0) Py_CLEAR(out);                              \
        Py_XDECREF(value);                                                                                             \
    }
    CDG_ENERGY_LIST(PUT_ENERGY)
#undef PUT_ENERGY
    return out;
}

static PyObject *world_rod_energy(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_energy energy;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_rod_energy(self->world, NUMBER_HANDLE(cdg_rod_id, id), &energy);
    return result == CDG_OK ? energy_dict(&energy) : raise_error(result, "the rod no longer exists");
}

// ---- the whole world ------------------------------------------------------------------------------------------------

static PyObject *world_energy(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    cdg_energy energy = cdg_world_energy(self->world);
    return energy_dict(&energy);
}

static PyObject *world_momentum(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    cdg_vec3 linear, angular;
    if (!may_read(self)) return NULL;
    cdg_world_momentum(self->world, &linear, &angular);
    return Py_BuildValue("(NN)", vec3_tuple(linear), vec3_tuple(angular));
}

static PyObject *world_memory(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    return may_read(self) ? PyLong_FromSize_t(cdg_world_memory(self->world)) : NULL;
}

static PyObject *world_contact(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    cdg_contact_def def = cdg_world_contact(self->world);
    return Py_BuildValue("{s:O,s:d,s:d,s:O}", "on", def.choice == CDG_CONTACT_OFF ? Py_False : Py_True, "friction",
                         def.friction, "restitution", def.restitution, "separate", def.separates ? Py_True : Py_False);
}

static PyObject *contact_dict(const cdg_contact_info *c) {
    return Py_BuildValue(
        "{s:K,s:K,s:K,s:n,s:d,s:K,s:K,s:n,s:d,s:K,s:K,s:N,s:N,s:N,s:d,s:O}", "rod", HANDLE_NUMBER(c->rod), "solid",
        HANDLE_NUMBER(c->solid), "first_body", HANDLE_NUMBER(c->first_body), "element", (Py_ssize_t)c->element, "place",
        c->place, "other", HANDLE_NUMBER(c->other), "other_solid", HANDLE_NUMBER(c->other_solid), "other_element",
        (Py_ssize_t)c->other_element, "other_place", c->other_place, "obstacle", HANDLE_NUMBER(c->obstacle), "body",
        HANDLE_NUMBER(c->body), "point", vec3_tuple(c->point), "normal", vec3_tuple(c->normal), "force",
        vec3_tuple(c->force), "gap", c->gap, "sticks", c->sticks ? Py_True : Py_False);
}

static PyObject *world_contacts(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    size_t count = cdg_world_contact_count(self->world);
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < count && out != NULL; i++) {
        cdg_contact_info info;
        if (cdg_world_contact_at(self->world, i, &info) != CDG_OK) continue;
        PyObject *item = contact_dict(&info);
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

static PyObject *world_measure(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    scene_object *scene;
    PyObject *list;
    Py_ssize_t place;
    size_t known;
    if (!PyArg_ParseTuple(arguments, "O!O!n", extension.scene, &scene, &PyList_Type, &list, &place) || !may_read(self))
        return NULL;
    cdg_rod_id *rods = read_rods(list, &known);
    if (rods == NULL) return NULL;
    cdg_probe probe;
    double out[CDG_PROBE_COLUMNS_MAX];
    cdg_result result = cdg_scene_probe(scene->scene, self->world, rods, known, (size_t)place, NULL, &probe);
    PyMem_Free(rods);
    if (result == CDG_OK) result = cdg_world_measure(self->world, &probe, out);
    if (result != CDG_OK) return fail_world(self, result);
    size_t count = cdg_probe_column_count(probe.kind);
    if (count == 1) return PyFloat_FromDouble(out[0]);
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (size_t k = 0; k < count && tuple != NULL; k++)
        PyTuple_SetItem(tuple, (Py_ssize_t)k, PyFloat_FromDouble(out[k]));
    return tuple;
}

static PyObject *world_save(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_change(self)) return NULL;
    size_t count = cdg_world_snapshot_size(self->world);
    double *numbers = PyMem_Calloc(count + 1, sizeof *numbers);
    if (numbers == NULL) return PyErr_NoMemory();
    cdg_result result = cdg_world_snapshot_save(self->world, numbers);
    PyObject *out = result != CDG_OK
                        ? fail_world(self, result)
                        : PyBytes_FromStringAndSize((const char *)numbers, (Py_ssize_t)(count * sizeof *numbers));
    PyMem_Free(numbers);
    return out;
}

// Either goes back to a snapshot or only asks whether that is possible.
static PyObject *load_or_check(PyObject *object, PyObject *arguments, bool is_check) {
    world_object *self = as_world(object);
    const char *bytes;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size) || !may_change(self)) return NULL;
    if ((size_t)size < sizeof(double)) return raise_error(CDG_ERROR_ARGUMENT, "this is no snapshot");
    size_t count = cdg_world_snapshot_size(self->world);
    if ((size_t)size != count * sizeof(double))
        return raise_error(CDG_ERROR_ARGUMENT,
                           "the snapshot is of another world: rods, supports, bodies and contact must be the same");
    double *numbers = PyMem_Calloc(count + 1, sizeof *numbers); // bytes need not be aligned
    if (numbers == NULL) return PyErr_NoMemory();
    memcpy(numbers, bytes, (size_t)size);
    cdg_result result =
        is_check ? cdg_world_snapshot_check(self->world, numbers) : cdg_world_snapshot_load(self->world, numbers);
    PyMem_Free(numbers);
    if (!is_check) return answer_changed(self, result);
    if (result != CDG_OK) return fail_world(self, result);
    Py_RETURN_NONE;
}

static PyObject *world_load(PyObject *object, PyObject *arguments) { return load_or_check(object, arguments, false); }

static PyObject *world_check_snapshot(PyObject *object, PyObject *arguments) {
    return load_or_check(object, arguments, true);
}

// Cuts that a snapshot knows of, and no others; and cutting.
static PyObject *world_restore_cuts(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    const char *bytes;
    Py_ssize_t size;
    double count = 0;
    if (!PyArg_ParseTuple(arguments, "y#", &bytes, &size) || !may_change(self)) return NULL;
    if ((size_t)size >= sizeof count) memcpy(&count, bytes, sizeof count);
    if (!(count >= 0 && count < (double)((size_t)size / sizeof count / 3)))
        return raise_error(CDG_ERROR_ARGUMENT, "this is no snapshot");
    if ((size_t)count != cdg_world_cut_count(self->world) && self->export_count > 0)
        return fail_exported(self, "a rod cannot be cut or made whole");
    double *numbers = PyMem_Calloc((size_t)size / sizeof count + 1, sizeof *numbers); // bytes need not be aligned
    if (numbers == NULL) return PyErr_NoMemory();
    memcpy(numbers, bytes, (size_t)size);
    cdg_result result = cdg_world_restore_cuts(self->world, numbers);
    PyMem_Free(numbers);
    return answer_changed(self, result);
}

static PyObject *world_cut(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    Py_ssize_t node;
    if (!PyArg_ParseTuple(arguments, "Kn", &id, &node) || !may_change(self)) return NULL;
    if (self->export_count > 0) return fail_exported(self, "a rod cannot be cut");
    cdg_place place = cdg_rod_node(NUMBER_HANDLE(cdg_rod_id, id), (size_t)node);
    cdg_cut_report report;
    PyObject *changed = answer_changed(self, cdg_rod_cut(self->world, place, &report));
    if (changed == NULL) return NULL;
    Py_DECREF(changed);
    return PyLong_FromUnsignedLongLong(HANDLE_NUMBER(report.second));
}

// ---- the type -------------------------------------------------------------------------------------------------------

PyTypeObject *make_world_type(PyObject *module) {
    static PyMethodDef methods[] = {
        {"step", (PyCFunction)(void (*)(void))world_step, METH_FASTCALL,
         "step(count=1)\n\nTakes one step, or several. On failure the world is at its last good time. Views of the "
         "state are stale from now on."},
        {"close", world_close, METH_NOARGS, "close()\n\nFrees the world's memory now."},
        {"energy", world_energy, METH_NOARGS, "energy() -> dict\n\nAll energies in joules, by name."},
        {"momentum", world_momentum, METH_NOARGS, "momentum() -> (linear, angular)\n\nAbout the origin."},
        {"advice", world_advice, METH_NOARGS, "advice() -> (step, reason)\n\nThe step this world should use, and why."},
        {"memory", world_memory, METH_NOARGS, "memory() -> int\n\nBytes held for rods."},
        {"_build", world_build, METH_VARARGS, NULL},
        {"_extend", world_extend, METH_VARARGS, NULL},
        {"_set_support_pose", world_set_support_pose, METH_VARARGS, NULL},
        {"_support_pose", world_support_pose, METH_VARARGS, NULL},
        {"_put_support", world_put_support, METH_VARARGS, NULL},
        {"_put_obstacle", world_put_obstacle, METH_VARARGS, NULL},
        {"_supports", world_supports, METH_NOARGS, NULL},
        {"_gravity", world_gravity, METH_NOARGS, NULL},
        {"_forces", world_forces, METH_VARARGS, NULL},
        {"_support_reaction", world_support_reaction, METH_VARARGS, NULL},
        {"_remove_support", world_remove_support, METH_VARARGS, NULL},
        {"_set_obstacle_pose", world_set_obstacle_pose, METH_VARARGS, NULL},
        {"_obstacle_pose", world_obstacle_pose, METH_VARARGS, NULL},
        {"_set_obstacle_friction", world_set_obstacle_friction, METH_VARARGS, NULL},
        {"_set_body_friction", world_set_body_friction, METH_VARARGS, NULL},
        {"_change_load", world_change_load, METH_VARARGS, NULL},
        {"_remove_load", world_remove_load, METH_VARARGS, NULL},
        {"_set_gravity", world_set_gravity, METH_O, NULL},
        {"_set_friction", world_set_friction, METH_O, NULL},
        {"_contact", world_contact, METH_NOARGS, NULL},
        {"_rod_info", world_rod_info, METH_VARARGS, NULL},
        {"_rods", world_rods, METH_NOARGS, NULL},
        {"_find_rod", world_find_rod, METH_VARARGS, NULL},
        {"_remove_rod", world_remove_rod, METH_VARARGS, NULL},
        {"_cut", world_cut, METH_VARARGS, NULL},
        {"_restore_cuts", world_restore_cuts, METH_VARARGS, NULL},
        {"_check_snapshot", world_check_snapshot, METH_VARARGS, NULL},
        {"_view", (PyCFunction)(void (*)(void))world_view, METH_FASTCALL, NULL},
        {"_field", world_field, METH_VARARGS, NULL},
        {"_radii", world_radii, METH_VARARGS, NULL},
        {"_rest_curvature", world_rest_curvature, METH_VARARGS, NULL},
        {"_set_rest_curvature", world_set_rest_curvature, METH_VARARGS, NULL},
        {"_set_rest_length", world_set_rest_length, METH_VARARGS, NULL},
        {"_set_forces", world_set_forces, METH_VARARGS, NULL},
        {"_set_state", world_set_state, METH_VARARGS, NULL},
        {"_rod_energy", world_rod_energy, METH_VARARGS, NULL},
        {"_contacts", world_contacts, METH_NOARGS, NULL},
        {"_measure", world_measure, METH_VARARGS, NULL},
        {"_save", world_save, METH_NOARGS, NULL},
        {"_load", world_load, METH_VARARGS, NULL},
        {"_find_equilibrium", world_find_equilibrium, METH_NOARGS, NULL},
        {"_follow_path", world_follow_path, METH_VARARGS, NULL},
        {"_modes", world_modes, METH_VARARGS, NULL},
        {"_bodies", world_bodies, METH_NOARGS, NULL},
        {"_obstacles", world_obstacles, METH_NOARGS, NULL},
        {"_body_state", world_body_state, METH_VARARGS, NULL},
        {"_set_body_state", world_set_body_state, METH_VARARGS, NULL},
        {"_weld_reaction", world_weld_reaction, METH_VARARGS, NULL},
        {"_solids", world_solids, METH_NOARGS, NULL},
        {"_solid_info", world_solid_info, METH_VARARGS, NULL},
        {"_solid_mesh", world_solid_mesh, METH_VARARGS, NULL},
        {"_solid_view", world_solid_view, METH_VARARGS, NULL},
        {"_solid_state", world_solid_state, METH_VARARGS, NULL},
        {"_solid_stress", world_solid_stress, METH_VARARGS, NULL},
        {"_solid_modes", world_solid_modes, METH_VARARGS, NULL},
        {"_extend_solid", world_extend_solid, METH_VARARGS, NULL},
        {"_solid_support_force", world_solid_support_force, METH_VARARGS, NULL},
        {"_set_solid_load", world_set_solid_load, METH_VARARGS, NULL},
        {"_set_solid_forces", world_set_solid_forces, METH_VARARGS, NULL},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef members[] = {{"time", world_time, NULL, "Seconds of simulated time.", NULL},
                                    {"step_index", world_step_index, NULL, "Steps taken.", NULL},
                                    {"step_size", world_step_size, world_set_step_size,
                                     "Seconds a step; 0 until an automatic one is chosen.", NULL},
                                    {"_report", world_report, NULL, NULL, NULL},
                                    {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_doc, "A world of rods; cordage.World is what programs use."},
                                  {Py_tp_init, (void *)world_init},
                                  {Py_tp_dealloc, (void *)world_free},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, members},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "cordage._cordage.World",
                               .basicsize = sizeof(world_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
