// The type History: a run directory read back output by output.
#include "extension.h"

#include <string.h>

typedef struct history_object {
    PyObject_HEAD cdg_history *history;
} history_object;

static history_object *as_history(PyObject *object) { return (history_object *)object; }

static bool find_info(PyObject *object, cdg_history_info *info) {
    if (cdg_history_get_info(as_history(object)->history, info) == CDG_OK) return true;
    PyErr_SetString(PyExc_ValueError, "the run was closed");
    return false;
}

static int history_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"path", NULL};
    const char *path;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "s", names, &path)) return -1;
    cdg_error error = {0};
    cdg_history *history = NULL;
    cdg_result result = cdg_history_open(path, &history, &error);
    if (result != CDG_OK) {
        (void)raise_error(result, error.message);
        return -1;
    }
    cdg_history_close(as_history(object)->history);
    as_history(object)->history = history;
    return 0;
}

static PyObject *history_close(PyObject *object, PyObject *unused) {
    (void)unused;
    cdg_history_close(as_history(object)->history);
    as_history(object)->history = NULL;
    Py_RETURN_NONE;
}

static void history_free(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    cdg_history_close(as_history(object)->history);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *history_info(PyObject *object, PyObject *unused) {
    (void)unused;
    cdg_history_info i;
    if (!find_info(object, &i)) return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:s,s:n,s:n,s:n,s:n,s:O,s:O,s:n}", "title", i.title, "scene_name", i.scene_name,
                         "scene_text", i.scene_text, "overrides", i.overrides, "frame_count", (Py_ssize_t)i.frame_count,
                         "rod_count", (Py_ssize_t)i.rod_count, "body_count", (Py_ssize_t)i.body_count, "obstacle_count",
                         (Py_ssize_t)i.obstacle_count, "has_contacts", i.has_contacts ? Py_True : Py_False, "is_static",
                         i.is_static ? Py_True : Py_False, "mode_count", (Py_ssize_t)i.mode_count);
}

static PyObject *copy_numbers(const double *numbers, size_t count) {
    array_object *out = array_of((Py_ssize_t)count, 1);
    if (out != NULL) memcpy(out->data, numbers, count * sizeof *numbers);
    return (PyObject *)out;
}

static PyObject *history_times(PyObject *object, PyObject *unused) {
    (void)unused;
    cdg_history_info i;
    return find_info(object, &i) ? copy_numbers(i.times, i.frame_count) : NULL;
}

static PyObject *history_rod(PyObject *object, PyObject *arguments) {
    Py_ssize_t rod;
    cdg_history_rod r;
    if (!PyArg_ParseTuple(arguments, "n", &rod)) return NULL;
    if (cdg_history_rod_at(as_history(object)->history, (size_t)rod, &r) != CDG_OK)
        return PyErr_SetString(PyExc_IndexError, "the run has no such rod"), NULL;
    return Py_BuildValue("(ssOnnddNNO)", r.name, r.model, r.is_closed ? Py_True : Py_False, (Py_ssize_t)r.node_count,
                         (Py_ssize_t)r.element_count, r.length, r.mass, copy_numbers(r.radii, r.node_count),
                         copy_numbers(r.rest_lengths, r.element_count), r.adapts ? Py_True : Py_False);
}

static bool find_shape(const char *name, cdg_field_shape *shape) {
    size_t place = 0;
    while (cdg_field_shape_at(place, shape) == CDG_OK && strcmp(shape->name, name) != 0) place++;
    if (place < cdg_field_shape_count()) return true;
    PyErr_Format(PyExc_ValueError, "there is no field '%s'", name);
    return false;
}

static PyObject *give(array_object *out, cdg_result result, const cdg_error *error) {
    if (result == CDG_OK) return (PyObject *)out;
    Py_DECREF((PyObject *)out);
    return raise_error(result, error->message);
}

// One output, or all from `first` on: [entries, components] or [outputs, entries, components]. Of a rod whose
// resolution changes one output alone.
static PyObject *history_read(PyObject *object, PyObject *arguments) {
    Py_ssize_t first, count, rod;
    const char *name;
    cdg_history_rod r;
    cdg_field_shape shape;
    if (!PyArg_ParseTuple(arguments, "nnns", &first, &count, &rod, &name)) return NULL;
    if (cdg_history_rod_at(as_history(object)->history, (size_t)rod, &r) != CDG_OK)
        return PyErr_SetString(PyExc_IndexError, "the run has no such rod"), NULL;
    if (!find_shape(name, &shape)) return NULL;
    cdg_error error = {0};
    cdg_result result = CDG_OK;
    if (r.adapts)
        result = cdg_history_counts(as_history(object)->history, (size_t)first, (size_t)rod, &r.node_count,
                                    &r.element_count, &error);
    if (result != CDG_OK) return raise_error(result, error.message);
    size_t entries = shape.is_per_element ? r.element_count : r.node_count, size = entries * shape.components;
    Py_ssize_t lengths[3] = {count, (Py_ssize_t)entries, (Py_ssize_t)shape.components};
    int last = shape.components == 1 ? 2 : 3;
    array_object *out = count < 0 ? array_new(last - 1, lengths + 1) : array_new(last, lengths);
    if (out == NULL) return NULL;
    for (Py_ssize_t i = 0; i < (count < 0 ? 1 : count) && result == CDG_OK; i++)
        result = cdg_history_read(as_history(object)->history, (size_t)(first + i), (size_t)rod, name,
                                  out->data + (size_t)i * size, size, &error);
    return give(out, result, &error);
}

static PyObject *history_arc_lengths(PyObject *object, PyObject *arguments) {
    Py_ssize_t frame, rod;
    size_t nodes, elements;
    cdg_error error = {0};
    if (!PyArg_ParseTuple(arguments, "nn", &frame, &rod)) return NULL;
    const cdg_history *history = as_history(object)->history;
    cdg_result result = cdg_history_counts(history, (size_t)frame, (size_t)rod, &nodes, &elements, &error);
    if (result != CDG_OK) return raise_error(result, error.message);
    array_object *out = array_of((Py_ssize_t)nodes, 1);
    if (out == NULL) return NULL;
    result = cdg_history_arc_lengths(history, (size_t)frame, (size_t)rod, out->data, nodes, &error);
    return give(out, result, &error);
}

// At places: [places, components].
static PyObject *history_sample(PyObject *object, PyObject *arguments) {
    Py_ssize_t frame, rod;
    const char *name;
    PyObject *list;
    cdg_field_shape shape;
    if (!PyArg_ParseTuple(arguments, "nnsO", &frame, &rod, &name, &list) || !find_shape(name, &shape)) return NULL;
    Py_ssize_t count = PySequence_Size(list);
    if (count < 0) return NULL;
    Py_ssize_t lengths[2] = {count, (Py_ssize_t)shape.components};
    array_object *out = array_new(shape.components == 1 ? 1 : 2, lengths);
    double *places = PyMem_Malloc(((size_t)count + 1) * sizeof *places);
    bool is_right = out != NULL && places != NULL;
    for (Py_ssize_t i = 0; i < count && is_right; i++) {
        PyObject *item = PySequence_GetItem(list, i);
        places[i] = item != NULL ? PyFloat_AsDouble(item) : -1;
        Py_XDECREF(item);
        is_right = PyErr_Occurred() == NULL;
    }
    if (!is_right) {
        PyMem_Free(places);
        Py_XDECREF((PyObject *)out);
        return PyErr_Occurred() == NULL ? PyErr_NoMemory() : NULL;
    }
    cdg_error error = {0};
    cdg_result result = cdg_history_sample(as_history(object)->history, (size_t)frame, (size_t)rod, name, places,
                                           (size_t)count, out->data, (size_t)count * shape.components, &error);
    PyMem_Free(places);
    return give(out, result, &error);
}

static PyObject *history_energy(PyObject *object, PyObject *arguments) {
    const char *name;
    cdg_history_info i;
    cdg_error error = {0};
    if (!PyArg_ParseTuple(arguments, "s", &name) || !find_info(object, &i)) return NULL;
    array_object *out = array_of((Py_ssize_t)i.frame_count, 1);
    if (out == NULL) return NULL;
    cdg_result result = cdg_history_energy(as_history(object)->history, name, out->data, &error);
    if (result == CDG_OK) return (PyObject *)out;
    Py_DECREF((PyObject *)out);
    return raise_error(result, error.message);
}

static PyObject *history_body(PyObject *object, PyObject *arguments) {
    Py_ssize_t frame, body;
    cdg_vec3 x;
    cdg_quat q;
    cdg_error error = {0};
    if (!PyArg_ParseTuple(arguments, "nn", &frame, &body)) return NULL;
    cdg_result result = cdg_history_body(as_history(object)->history, (size_t)frame, (size_t)body, &x, &q, &error);
    if (result != CDG_OK) return raise_error(result, error.message);
    return Py_BuildValue("(NN)", vec3_tuple(x), quat_tuple(q));
}

static PyObject *history_body_name(PyObject *object, PyObject *arguments) {
    Py_ssize_t body;
    if (!PyArg_ParseTuple(arguments, "n", &body)) return NULL;
    return PyUnicode_FromString(cdg_history_body_name(as_history(object)->history, (size_t)body));
}

static PyObject *history_contacts(PyObject *object, PyObject *arguments) {
    Py_ssize_t frame;
    size_t count;
    cdg_error error = {0};
    if (!PyArg_ParseTuple(arguments, "n", &frame)) return NULL;
    cdg_result result = cdg_history_contact_count(as_history(object)->history, (size_t)frame, &count, &error);
    return result == CDG_OK ? PyLong_FromSize_t(count) : raise_error(result, error.message);
}

static PyObject *history_modes(PyObject *object, PyObject *arguments) {
    Py_ssize_t rod;
    cdg_history_info i;
    cdg_history_rod r;
    if (!PyArg_ParseTuple(arguments, "n", &rod) || !find_info(object, &i)) return NULL;
    if (cdg_history_rod_at(as_history(object)->history, (size_t)rod, &r) != CDG_OK)
        return PyErr_SetString(PyExc_IndexError, "the run has no such rod"), NULL;
    if (r.adapts && cdg_history_counts(as_history(object)->history, 0, (size_t)rod, &r.node_count, &r.element_count,
                                       NULL) != CDG_OK)
        return PyErr_SetString(PyExc_IndexError, "the run's first output cannot be read"), NULL;
    Py_ssize_t shape[3] = {(Py_ssize_t)i.mode_count, (Py_ssize_t)r.node_count, 3};
    array_object *frequencies = array_of((Py_ssize_t)i.mode_count, 1), *shapes = array_new(3, shape);
    cdg_error error = {0};
    cdg_result result = frequencies != NULL && shapes != NULL
                            ? cdg_history_modes(as_history(object)->history, (size_t)rod, frequencies->data,
                                                (cdg_vec3 *)(void *)shapes->data, &error)
                            : CDG_ERROR_MEMORY;
    if (result == CDG_OK) return Py_BuildValue("(NN)", frequencies, shapes);
    Py_XDECREF((PyObject *)frequencies);
    Py_XDECREF((PyObject *)shapes);
    return raise_error(result, error.message);
}

PyTypeObject *make_history_type(PyObject *module) {
    static PyMethodDef methods[] = {{"close", history_close, METH_NOARGS, "close()\n\nCloses the run's file."},
                                    {"_info", history_info, METH_NOARGS, NULL},
                                    {"_times", history_times, METH_NOARGS, NULL},
                                    {"_rod", history_rod, METH_VARARGS, NULL},
                                    {"_read", history_read, METH_VARARGS, NULL},
                                    {"_arc_lengths", history_arc_lengths, METH_VARARGS, NULL},
                                    {"_sample", history_sample, METH_VARARGS, NULL},
                                    {"_energy", history_energy, METH_VARARGS, NULL},
                                    {"_body", history_body, METH_VARARGS, NULL},
                                    {"_body_name", history_body_name, METH_VARARGS, NULL},
                                    {"_contact_count", history_contacts, METH_VARARGS, NULL},
                                    {"_modes", history_modes, METH_VARARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyType_Slot slots[] = {{Py_tp_doc, "A run read back; cordage.Run is what programs use."},
                                  {Py_tp_init, (void *)history_init},
                                  {Py_tp_dealloc, (void *)history_free},
                                  {Py_tp_methods, methods},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "cordage._cordage.History",
                               .basicsize = sizeof(history_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
