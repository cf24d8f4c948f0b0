// The module cordage._cordage: types, exceptions from cordage.errors, and quantities.
#include "extension.h"

#include <string.h>

extension_state extension;

static PyObject *module_quantity(PyObject *module, PyObject *arguments) {
    (void)module;
    PyObject *value;
    const char *unit = "1";
    double out;
    if (!PyArg_ParseTuple(arguments, "O|s", &value, &unit) || !read_real(value, unit, &out)) return NULL;
    return PyFloat_FromDouble(out);
}

static PyObject *module_fields(PyObject *module, PyObject *unused) {
    (void)module;
    (void)unused;
    PyObject *out = PyList_New(0);
    cdg_field_shape shape;
    for (size_t i = 0; out != NULL && cdg_field_shape_at(i, &shape) == CDG_OK; i++) {
        PyObject *item = Py_BuildValue("(sssOn)", shape.name, shape.unit, shape.text,
                                       shape.is_per_element ? Py_True : Py_False, (Py_ssize_t)shape.components);
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

// The exceptions are written in Python (cordage/errors.py): they take part in its own families of exceptions.
static bool find_errors(void) {
    static const char *const names[CDG_RESULT_COUNT] = {
        [CDG_OK] = "Error",
        [CDG_ERROR_ARGUMENT] = "ArgumentError",
        [CDG_ERROR_MEMORY] = "Error",
        [CDG_ERROR_STALE] = "StaleHandleError",
        [CDG_ERROR_UNSUPPORTED] = "UnsupportedError",
        [CDG_ERROR_SCENE] = "SceneError",
        [CDG_ERROR_NOT_FINITE] = "NotFiniteError",
        [CDG_ERROR_NO_CONVERGENCE] = "ConvergenceError",
        [CDG_ERROR_IO] = "FileError",
        [CDG_ERROR_FORMAT] = "FormatError",
        [CDG_ERROR_INTERRUPTED] = "InterruptedRun",
        [CDG_ERROR_ENERGY] = "EnergyError",
    };
    PyObject *errors = PyImport_ImportModule("cordage.errors");
    if (errors == NULL) return false;
    for (int i = 0; i < CDG_RESULT_COUNT; i++) {
        extension.errors[i] = PyObject_GetAttrString(errors, names[i] != NULL ? names[i] : "Error");
        if (extension.errors[i] == NULL) return false;
    }
    extension.stale_view = PyObject_GetAttrString(errors, "StaleViewError");
    Py_DECREF(errors);
    return extension.stale_view != NULL;
}

static bool add_type(PyObject *module, PyTypeObject *type) {
    return type != NULL && PyModule_AddType(module, type) == 0;
}

PyMODINIT_FUNC PyInit__cordage(void);
PyMODINIT_FUNC PyInit__cordage(void) {
    static PyMethodDef methods[] = {{"quantity", module_quantity, METH_VARARGS,
                                     "quantity(value, unit='1') -> float\n\nA number in SI from a number, or from text "
                                     "such as '2 mm' that must fit "
                                     "the SI unit given: quantity('2 mm', 'm') is 0.002."},
                                    {"_fields", module_fields, METH_NOARGS, NULL},
                                    {NULL, NULL, 0, NULL}};
    static PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "_cordage", .m_doc = "The C part of cordage.",
                                     .m_size = -1, .m_methods = methods};
    PyObject *module = PyModule_Create(&definition);
    if (module == NULL || !find_errors()) return NULL;
    extension.array = make_array_type(module);
    extension.world = make_world_type(module);
    extension.scene = make_scene_type(module);
    extension.history = make_history_type(module);
    bool is_good = add_type(module, extension.array) && add_type(module, extension.world) &&
                   add_type(module, extension.scene) && add_type(module, extension.history) &&
                   PyModule_AddStringConstant(module, "version", cdg_version()) == 0;
    if (is_good) return module;
    Py_DECREF(module);
    return NULL;
}
