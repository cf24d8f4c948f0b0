// Between Python's values and the library's: numbers with units, vectors, arrays; result codes as exceptions.
#include "extension.h"

#include <string.h>

PyObject *raise_error(cdg_result code, const char *message) {
    if (code == CDG_ERROR_MEMORY) return PyErr_NoMemory();
    if ((unsigned)code >= CDG_RESULT_COUNT) code = CDG_ERROR_ARGUMENT;
    PyErr_SetString(extension.errors[code], message != NULL && message[0] != '\0' ? message : cdg_result_text(code));
    return NULL;
}

bool read_real(PyObject *value, const char *unit, double *out) {
    if (PyUnicode_Check(value)) {
        const char *text = PyUnicode_AsUTF8AndSize(value, NULL);
        cdg_error error = {0};
        if (text == NULL) return false;
        cdg_result result = cdg_quantity_read(text, unit, out, &error);
        if (result != CDG_OK) (void)raise_error(result, error.message);
        return result == CDG_OK;
    }
    *out = PyFloat_AsDouble(value);
    return !(*out == -1.0 && PyErr_Occurred());
}

// What can be iterated over and is no list of numbers.
static bool is_other(PyObject *value) {
    return PyUnicode_Check(value) || PyBytes_Check(value) || PyDict_Check(value) || PyAnySet_Check(value);
}

static bool read_several(PyObject *value, const char *unit, const char *what, Py_ssize_t count, double *out) {
    PyObject *list = is_other(value) ? NULL : PySequence_List(value);
    if (list == NULL && (is_other(value) || PyErr_ExceptionMatches(PyExc_TypeError))) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "expected %s, not %R", what, value);
    }
    if (list == NULL) return false;
    bool is_good = PyList_Size(list) == count;
    if (!is_good) PyErr_Format(PyExc_ValueError, "expected %s, found %zd numbers", what, PyList_Size(list));
    for (Py_ssize_t i = 0; i < count && is_good; i++) is_good = read_real(PyList_GetItem(list, i), unit, &out[i]);
    Py_DECREF(list);
    return is_good;
}

bool read_vec3(PyObject *value, const char *unit, cdg_vec3 *out) {
    double v[3];
    if (!read_several(value, unit, "a vector of three numbers (x, y, z)", 3, v)) return false;
    *out = (cdg_vec3){v[0], v[1], v[2]};
    return true;
}

bool read_quat(PyObject *value, cdg_quat *out) {
    double v[4];
    if (!read_several(value, "1", "a quaternion of four numbers (w, x, y, z)", 4, v)) return false;
    *out = (cdg_quat){v[0], v[1], v[2], v[3]};
    return true;
}

// ---- arrays ---------------------------------------------------------------------------------------------------------

static bool fits_rows(const Py_buffer *b, size_t count, size_t columns) {
    bool is_double = b->format != NULL && (strcmp(b->format, "d") == 0 || strcmp(b->format, "<d") == 0);
    if (!is_double || b->shape == NULL) return false;
    if (columns == 1 && b->ndim == 1) return b->shape[0] == (Py_ssize_t)count;
    return b->ndim == 2 && b->shape[0] == (Py_ssize_t)count && b->shape[1] == (Py_ssize_t)columns;
}

static void copy_rows(const Py_buffer *b, size_t count, size_t columns, double *out) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < columns; k++) {
            const char *at = (const char *)b->buf + (Py_ssize_t)i * b->strides[0];
            if (b->ndim == 2) at += (Py_ssize_t)k * b->strides[1];
            memcpy(&out[columns * i + k], at, sizeof *out);
        }
}

static bool read_sequence(PyObject *value, size_t count, size_t columns, const char *what, double *out) {
    PyObject *rows = PyUnicode_Check(value) ? NULL : PySequence_List(value);
    if (rows == NULL && (PyUnicode_Check(value) || PyErr_ExceptionMatches(PyExc_TypeError))) {
        PyErr_Clear();
        PyErr_Format(PyExc_TypeError, "%s: expected an array or a list of %zu %s, not %R", what, count,
                     columns == 1 ? "numbers" : "rows", value);
    }
    if (rows == NULL) return false;
    bool is_good = PyList_Size(rows) == (Py_ssize_t)count;
    if (!is_good) PyErr_Format(PyExc_ValueError, "%s: expected %zu entries, found %zd", what, count, PyList_Size(rows));
    for (size_t i = 0; i < count && is_good; i++) {
        PyObject *row = PyList_GetItem(rows, (Py_ssize_t)i);
        is_good = columns == 1 ? read_real(row, "1", &out[i])
                               : read_several(row, "1", what, (Py_ssize_t)columns, &out[columns * i]);
    }
    Py_DECREF(rows);
    return is_good;
}

bool read_rows(PyObject *value, size_t count, size_t columns, const char *what, double **out) {
    *out = NULL;
    if (value == Py_None) return true;
    double *numbers = PyMem_Calloc(count * columns > 0 ? count * columns : 1, sizeof *numbers);
    if (numbers == NULL) {
        PyErr_NoMemory();
        return false;
    }
    bool is_good = false;
    Py_buffer buffer;
    if (PyObject_CheckBuffer(value) && PyObject_GetBuffer(value, &buffer, PyBUF_FORMAT | PyBUF_STRIDES) == 0) {
        is_good = fits_rows(&buffer, count, columns);
        if (is_good) copy_rows(&buffer, count, columns, numbers);
        PyBuffer_Release(&buffer);
    } else if (PyErr_Occurred()) {
        PyMem_Free(numbers);
        return false;
    }
    if (!is_good) is_good = read_sequence(value, count, columns, what, numbers);
    if (!is_good) PyMem_Free(numbers);
    if (is_good) *out = numbers;
    return is_good;
}

PyObject *vec3_tuple(cdg_vec3 v) { return Py_BuildValue("(ddd)", v.x, v.y, v.z); }
PyObject *quat_tuple(cdg_quat q) { return Py_BuildValue("(dddd)", q.w, q.x, q.y, q.z); }
