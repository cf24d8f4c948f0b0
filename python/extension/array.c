// Numbers for Python by the buffer protocol: arrays of their own, and views of a world's state that know when they are
// out of date.
#include "extension.h"

#include <structmember.h>

#include <string.h>

array_object *array_new(int dimension_count, const Py_ssize_t *shape) {
    array_object *self = PyObject_New(array_object, extension.array);
    if (self == NULL) return NULL;
    self->world = NULL;
    self->epoch = 0;
    self->dimension_count = dimension_count;
    size_t count = 1;
    for (int k = dimension_count - 1; k >= 0; k--) {
        self->shape[k] = shape[k];
        self->strides[k] = (Py_ssize_t)(count * sizeof(double));
        count *= (size_t)shape[k];
    }
    self->data = PyMem_Calloc(count > 0 ? count : 1, sizeof *self->data);
    if (self->data != NULL) return self;
    Py_DECREF((PyObject *)self);
    PyErr_NoMemory();
    return NULL;
}

array_object *array_of(Py_ssize_t rows, Py_ssize_t columns) {
    Py_ssize_t shape[2] = {rows, columns};
    return array_new(columns == 1 ? 1 : 2, shape);
}

PyObject *array_view(world_object *world, const cdg_state_view *view) {
    array_object *self = PyObject_New(array_object, extension.array);
    if (self == NULL) return NULL;
    Py_INCREF((PyObject *)world);
    *self = (array_object){.ob_base = self->ob_base,
                           .world = world,
                           .epoch = world->epoch,
                           .data = (double *)(uintptr_t)view->data,
                           .dimension_count = 2,
                           .shape = {(Py_ssize_t)view->count, (Py_ssize_t)view->components},
                           .strides = {(Py_ssize_t)(view->entry_stride * sizeof(double)),
                                       (Py_ssize_t)(view->component_stride * sizeof(double))}};
    return (PyObject *)self;
}

static bool is_fresh(const array_object *self) {
    if (self->world == NULL || self->world->epoch == self->epoch) return true;
    PyErr_SetString(extension.stale_view,
                    "this view is of a state that is past: the world has moved on since it was taken; take it again "
                    "after each step, or keep a copy (.copy())");
    return false;
}

static void array_free(PyObject *object) {
    array_object *self = (array_object *)object;
    PyTypeObject *type = Py_TYPE(object);
    if (self->world == NULL)
        PyMem_Free(self->data);
    else
        Py_DECREF((PyObject *)self->world);
    PyObject_Free(object);
    Py_DECREF(type);
}

// ---- buffer ---------------------------------------------------------------------------------------------------------

static bool is_contiguous(const array_object *self) {
    Py_ssize_t expected = sizeof(double);
    for (int k = self->dimension_count - 1; k >= 0; k--) {
        if (self->strides[k] != expected && self->shape[k] > 1) return false;
        expected *= self->shape[k];
    }
    return true;
}

static int get_buffer(PyObject *object, Py_buffer *view, int flags) {
    array_object *self = (array_object *)object;
    view->obj = NULL;
    if (!is_fresh(self)) return -1;
    bool is_view = self->world != NULL;
    if (is_view && (flags & PyBUF_WRITABLE) == PyBUF_WRITABLE) {
        PyErr_SetString(PyExc_BufferError, "a world's state is read in place; Rod.set_state changes it");
        return -1;
    }
    if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES && !is_contiguous(self)) {
        PyErr_SetString(PyExc_BufferError, "the components of a state lie apart: ask for strides, or copy it first");
        return -1;
    }
    if (((flags & PyBUF_C_CONTIGUOUS) == PyBUF_C_CONTIGUOUS ||
         (flags & PyBUF_ANY_CONTIGUOUS) == PyBUF_ANY_CONTIGUOUS) &&
        !is_contiguous(self)) {
        PyErr_SetString(PyExc_BufferError, "the components of a state lie apart: copy it first");
        return -1;
    }
    Py_ssize_t count = 1;
    for (int k = 0; k < self->dimension_count; k++) count *= self->shape[k];
    *view = (Py_buffer){.buf = self->data,
                        .obj = object,
                        .len = count * (Py_ssize_t)sizeof(double),
                        .itemsize = sizeof(double),
                        .readonly = is_view,
                        .ndim = self->dimension_count,
                        .format = (flags & PyBUF_FORMAT) == PyBUF_FORMAT ? "d" : NULL,
                        .shape = (flags & PyBUF_ND) == PyBUF_ND ? self->shape : NULL,
                        .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? self->strides : NULL};
    Py_INCREF(object);
    if (is_view) self->world->export_count++;
    return 0;
}

static void release_buffer(PyObject *object, Py_buffer *view) {
    (void)view;
    array_object *self = (array_object *)object;
    if (self->world != NULL) self->world->export_count--;
}

// ---- reading without NumPy ------------------------------------------------------------------------------------------

static PyObject *item_list(const array_object *self, int dimension, const char *at, bool is_tuple) {
    if (dimension >= self->dimension_count || dimension >= ARRAY_DIMENSIONS_MAX)
        return PyFloat_FromDouble(*(const double *)(const void *)at);
    Py_ssize_t count = self->shape[dimension];
    PyObject *out = is_tuple ? PyTuple_New(count) : PyList_New(count);
    for (Py_ssize_t i = 0; i < count && out != NULL; i++) {
        PyObject *item = item_list(self, dimension + 1, at + i * self->strides[dimension], is_tuple);
        if (item == NULL || (is_tuple ? PyTuple_SetItem(out, i, item) : PyList_SetItem(out, i, item)) != 0) {
            Py_DECREF((PyObject *)out);
            return NULL;
        }
    }
    return out;
}

static Py_ssize_t array_length(PyObject *object) { return ((array_object *)object)->shape[0]; }

static PyObject *array_item(PyObject *object, Py_ssize_t index) {
    array_object *self = (array_object *)object;
    if (!is_fresh(self)) return NULL;
    if (index < 0 || index >= self->shape[0]) {
        PyErr_SetString(PyExc_IndexError, "the array has no such entry");
        return NULL;
    }
    return item_list(self, 1, (const char *)self->data + index * self->strides[0], true);
}

static PyObject *array_to_list(PyObject *object, PyObject *unused) {
    (void)unused;
    array_object *self = (array_object *)object;
    return is_fresh(self) ? item_list(self, 0, (const char *)self->data, false) : NULL;
}

// Entries and distance along a dimension, whether there is one or not.
static Py_ssize_t length_along(const array_object *self, int dimension) {
    return dimension < self->dimension_count ? self->shape[dimension] : 1;
}
static Py_ssize_t stride_along(const array_object *self, int dimension) {
    return dimension < self->dimension_count ? self->strides[dimension] : 0;
}

static void copy_items(const array_object *self, double *to) {
    for (Py_ssize_t i = 0; i < length_along(self, 0); i++)
        for (Py_ssize_t j = 0; j < length_along(self, 1); j++)
            for (Py_ssize_t k = 0; k < length_along(self, 2); k++)
                *to++ = *(const double *)(const void *)((const char *)self->data + i * stride_along(self, 0) +
                                                        j * stride_along(self, 1) + k * stride_along(self, 2));
}

static PyObject *array_copy(PyObject *object, PyObject *unused) {
    (void)unused;
    array_object *self = (array_object *)object;
    if (!is_fresh(self)) return NULL;
    array_object *copy = array_new(self->dimension_count, self->shape);
    if (copy == NULL) return NULL;
    copy_items(self, copy->data);
    return (PyObject *)copy;
}

static PyObject *array_check(PyObject *object, PyObject *unused) {
    (void)unused;
    if (!is_fresh((array_object *)object)) return NULL;
    Py_RETURN_NONE;
}

static PyObject *array_shape(PyObject *object, void *unused) {
    (void)unused;
    array_object *self = (array_object *)object;
    PyObject *out = PyTuple_New(self->dimension_count);
    for (int k = 0; k < self->dimension_count && out != NULL; k++)
        PyTuple_SetItem(out, k, PyLong_FromSsize_t(self->shape[k]));
    return out;
}

static PyObject *array_address(PyObject *object, void *unused) {
    (void)unused;
    return PyLong_FromVoidPtr(((array_object *)object)->data);
}

static PyObject *array_is_stale(PyObject *object, void *unused) {
    (void)unused;
    array_object *self = (array_object *)object;
    return PyBool_FromLong(self->world != NULL && self->world->epoch != self->epoch);
}

static PyObject *array_repr(PyObject *object) {
    array_object *self = (array_object *)object;
    PyObject *shape = array_shape(object, NULL);
    if (shape == NULL) return NULL;
    const char *kind = self->world == NULL ? "" : self->world->epoch == self->epoch ? ", a view" : ", a stale view";
    PyObject *out = PyUnicode_FromFormat("<cordage.Array of shape %R%s>", shape, kind);
    Py_DECREF(shape);
    return out;
}

PyTypeObject *make_array_type(PyObject *module) {
    static PyMethodDef methods[] = {
        {"tolist", array_to_list, METH_NOARGS, "tolist() -> list\n\nThe numbers as nested lists."},
        {"copy", array_copy, METH_NOARGS, "copy() -> Array\n\nThe same numbers in memory of their own, never stale."},
        {"check", array_check, METH_NOARGS, "check()\n\nRaises StaleViewError when the world has moved on."},
        {NULL, NULL, 0, NULL}};
    static PyGetSetDef members[] = {
        {"shape", array_shape, NULL, "Entries along each dimension.", NULL},
        {"address", array_address, NULL, "Where the first number lies in memory.", NULL},
        {"is_stale", array_is_stale, NULL, "Whether this is a view of a state that is past.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {
        {Py_tp_doc, "Numbers in memory, by the buffer protocol. Views of a state raise StaleViewError after the next "
                    "step. With NumPy installed you meet numpy arrays instead."},
        {Py_tp_dealloc, (void *)array_free},
        {Py_tp_repr, (void *)array_repr},
        {Py_tp_methods, methods},
        {Py_tp_getset, members},
        {Py_sq_length, (void *)array_length},
        {Py_sq_item, (void *)array_item},
        {Py_bf_getbuffer, (void *)get_buffer},
        {Py_bf_releasebuffer, (void *)release_buffer},
        {0, NULL}};
    static PyType_Spec spec = {.name = "cordage.Array",
                               .basicsize = sizeof(array_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                               .slots = slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
