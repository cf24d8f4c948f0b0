// What the files of the Python extension share: its types, the state of the module, reading of arguments.
#ifndef CORDAGE_PYTHON_EXTENSION_H
#define CORDAGE_PYTHON_EXTENSION_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cordage/cordage.h>

// One interpreter a process: the types and the exceptions, made when the module is imported.
typedef struct extension_state {
    PyTypeObject *array, *world, *scene, *history;
    PyObject *errors[CDG_RESULT_COUNT]; // class for each result code
    PyObject *stale_view;
} extension_state;
extern extension_state extension;

// ---- worlds ---------------------------------------------------------------------------------------------------------

// Who may touch a world: anybody, readers only (a callback of its own work), or nobody (it works without the lock).
typedef enum world_use { WORLD_IDLE, WORLD_READABLE, WORLD_BUSY } world_use;

typedef struct world_object {
    PyObject_HEAD cdg_world *world; // NULL: not built yet
    world_use use;
    uint64_t epoch;         // counts what may change the state; a view knows the one it was made in
    size_t export_count;    // buffers that point into the world's memory
    cdg_step_report report; // of the last step
} world_object;

// ---- arrays ---------------------------------------------------------------------------------------------------------

enum { ARRAY_DIMENSIONS_MAX = 3 };

typedef struct array_object {
    PyObject_HEAD world_object *world; // whose memory this is a view of; NULL: owns its own
    uint64_t epoch;
    double *data;
    int dimension_count;
    Py_ssize_t shape[ARRAY_DIMENSIONS_MAX], strides[ARRAY_DIMENSIONS_MAX]; // strides in bytes
} array_object;

// A new array of zeros that owns its memory; count 0 of a dimension is fine.
array_object *array_new(int dimension_count, const Py_ssize_t *shape);
array_object *array_of(Py_ssize_t rows, Py_ssize_t columns); // columns 1: one dimension
PyObject *array_view(world_object *world, const cdg_state_view *view);

// ---- errors and arguments -------------------------------------------------------------------------------------------

PyObject *raise_error(cdg_result code, const char *message); // NULL, always
// Any number, or text with a unit that fits `unit`. False: an exception is set.
bool read_real(PyObject *value, const char *unit, double *out);
bool read_vec3(PyObject *value, const char *unit, cdg_vec3 *out);
bool read_quat(PyObject *value, cdg_quat *out); // w x y z
// count * columns doubles from a buffer of doubles or nested sequences into new memory; *out NULL when value is None.
bool read_rows(PyObject *value, size_t count, size_t columns, const char *what, double **out);
PyObject *vec3_tuple(cdg_vec3 v);
PyObject *quat_tuple(cdg_quat q);

// A handle as an integer: index + 1, and the generation above it.
#define HANDLE_NUMBER(id) ((unsigned long long)(id).index1 | (unsigned long long)(id).generation << 32)
#define NUMBER_HANDLE(type, number) ((type){(uint32_t)(number), (uint32_t)((number) >> 32)})

// ---- scenes ---------------------------------------------------------------------------------------------------------

typedef struct scene_object {
    PyObject_HEAD cdg_scene *scene;
} scene_object;

PyTypeObject *make_array_type(PyObject *module);
PyTypeObject *make_world_type(PyObject *module);
PyTypeObject *make_scene_type(PyObject *module);
PyTypeObject *make_history_type(PyObject *module);

#endif
