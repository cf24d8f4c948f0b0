// The type Scene: a scene file or its text, with its warnings, its times and its run.
#include "extension.h"

#include <stdlib.h>
#include <string.h>

static scene_object *as_scene(PyObject *object) { return (scene_object *)object; }

// ---- reading --------------------------------------------------------------------------------------------------------

// Lines of all diagnostics of a severity; with their places unless the text has none.
static PyObject *diagnostic_list(const cdg_scene *scene, cdg_severity severity, bool has_places) {
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_scene_diagnostic_count(scene) && out != NULL; i++) {
        cdg_diagnostic d = cdg_scene_diagnostic(scene, i);
        if (d.severity != severity) continue;
        char line[2048];
        if (has_places) (void)cdg_scene_format_diagnostic(scene, i, line, sizeof line);
        PyObject *text =
            PyUnicode_DecodeUTF8(has_places ? line : d.text, (Py_ssize_t)strlen(has_places ? line : d.text), "replace");
        if (text == NULL || PyList_Append(out, text) != 0) Py_CLEAR(out);
        Py_XDECREF(text);
    }
    return out;
}

static int fail_scene(cdg_result result, const cdg_scene *scene, bool has_places, const cdg_error *error) {
    if (result != CDG_ERROR_SCENE || scene == NULL) {
        (void)raise_error(result, error->message);
        return -1;
    }
    PyObject *lines = diagnostic_list(scene, CDG_FAULT, has_places), *newline = PyUnicode_FromString("\n");
    PyObject *text = lines != NULL && newline != NULL ? PyUnicode_Join(newline, lines) : NULL;
    if (text != NULL) PyErr_SetObject(extension.errors[result], text);
    Py_XDECREF(lines);
    Py_XDECREF(newline);
    Py_XDECREF(text);
    return -1;
}

// Texts of a list of strings, which must outlive them; NULL: an exception is set.
static const char **read_texts(PyObject *list, size_t *count) {
    *count = (size_t)PyList_Size(list);
    const char **texts = PyMem_Calloc(*count + 1, sizeof *texts);
    if (texts == NULL) return (void)PyErr_NoMemory(), NULL;
    for (size_t i = 0; i < *count; i++) {
        texts[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, (Py_ssize_t)i), NULL);
        if (texts[i] == NULL) {
            PyMem_Free(texts);
            return NULL;
        }
    }
    return texts;
}

static int scene_init(PyObject *object, PyObject *arguments, PyObject *keywords) {
    static char *names[] = {"path", "text", "name", "directory", "overrides", NULL};
    scene_object *self = as_scene(object);
    const char *path = NULL, *text = NULL, *name = NULL, *directory = NULL;
    Py_ssize_t size = 0;
    PyObject *list = NULL;
    if (!PyArg_ParseTupleAndKeywords(arguments, keywords, "zz#zzO!", names, &path, &text, &size, &name, &directory,
                                     &PyList_Type, &list))
        return -1;
    if (self->scene != NULL || (path == NULL && text == NULL)) {
        PyErr_SetString(PyExc_TypeError, "a scene is read once, from a path or a text");
        return -1;
    }
    size_t count = 0;
    const char **overrides = read_texts(list, &count);
    if (overrides == NULL) return -1;
    cdg_error error = {0};
    cdg_scene *scene = NULL;
    cdg_result result = path != NULL ? cdg_scene_load(path, overrides, count, &scene, &error)
                                     : cdg_scene_parse(text, (size_t)size, name != NULL ? name : "scene", directory,
                                                       overrides, count, &scene, &error);
    PyMem_Free(overrides);
    int status = result == CDG_OK ? 0 : fail_scene(result, scene, path != NULL || name != NULL, &error);
    if (status != 0) cdg_scene_destroy(scene);
    if (status == 0) self->scene = scene;
    return status;
}

static void scene_free(PyObject *object) {
    PyTypeObject *type = Py_TYPE(object);
    cdg_scene_destroy(as_scene(object)->scene);
    freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

static PyObject *scene_warnings(PyObject *object, void *unused) {
    (void)unused;
    return diagnostic_list(as_scene(object)->scene, CDG_WARNING, true);
}

static PyObject *scene_times(PyObject *object, void *unused) {
    (void)unused;
    cdg_scene_times t;
    if (cdg_scene_get_times(as_scene(object)->scene, &t) != CDG_OK)
        return raise_error(CDG_ERROR_ARGUMENT, "the scene was not read");
    return Py_BuildValue("{s:d,s:d,s:d,s:O}", "duration", t.duration, "step", t.step, "output_every", t.output_every,
                         "is_static", t.is_static ? Py_True : Py_False);
}

// Names of the probes, in order.
static PyObject *scene_probes(PyObject *object, PyObject *world) {
    if (!PyObject_TypeCheck(world, extension.world) || ((world_object *)world)->world == NULL)
        return PyErr_SetString(PyExc_TypeError, "expected a world"), NULL;
    const cdg_scene *scene = as_scene(object)->scene;
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_scene_probe_count(scene) && out != NULL; i++) {
        const char *name = "";
        cdg_probe probe;
        (void)cdg_scene_probe(scene, ((world_object *)world)->world, NULL, 0, i, &name, &probe);
        PyObject *text = PyUnicode_FromString(name);
        if (text == NULL || PyList_Append(out, text) != 0) Py_CLEAR(out);
        Py_XDECREF(text);
    }
    return out;
}

// ---- running --------------------------------------------------------------------------------------------------------

typedef struct run_call {
    PyObject *function; // of progress; NULL: none
    uint64_t calls;
    double next; // s of wall clock: when to tell again
    bool has_failed;
} run_call;

// The lock is taken some times a second only: for progress, and for signals such as Ctrl-C.
static bool on_progress(void *user, const cdg_run_progress *p) {
    run_call *call = user;
    bool is_last = p->step == p->step_count;
    if (p->elapsed < call->next && !is_last) return true;
    call->next = p->elapsed + 0.1;
    PyGILState_STATE state = PyGILState_Ensure();
    bool goes_on = PyErr_CheckSignals() == 0;
    if (goes_on && call->function != NULL) {
        PyObject *said =
            PyObject_CallFunction(call->function, "ddKKd", p->time, p->duration, (unsigned long long)p->step,
                                  (unsigned long long)p->step_count, p->elapsed);
        goes_on = said != NULL && said != Py_False;
        Py_XDECREF(said);
    }
    call->has_failed = PyErr_Occurred() != NULL;
    PyGILState_Release(state);
    return goes_on;
}

static PyObject *summary_dict(const cdg_run_summary *s) {
    return Py_BuildValue("{s:d,s:d,s:d,s:K,s:n,s:d,s:d,s:d,s:d,s:s,s:s,s:s,s:s,s:s,s:s,s:O,s:O}", "time", s->time,
                         "step", s->step, "wall_seconds", s->wall_seconds, "step_count",
                         (unsigned long long)s->step_count, "frame_count", (Py_ssize_t)s->frame_count, "energy_start",
                         s->energy_start, "energy_end", s->energy_end, "worst_residual", s->worst_residual,
                         "largest_turn", s->largest_turn, "residual_advice", s->residual_advice, "turn_advice",
                         s->turn_advice, "tilt_advice", s->tilt_advice, "solid_advice", s->solid_advice,
                         "energy_advice", s->energy_advice, "adapt_advice", s->adapt_advice, "finished",
                         s->finished ? Py_True : Py_False, "is_static", s->is_static ? Py_True : Py_False);
}

static PyObject *scene_run(PyObject *object, PyObject *arguments) {
    const char *directory;
    int resume, force, threads;
    PyObject *function;
    if (!PyArg_ParseTuple(arguments, "sppiO", &directory, &resume, &force, &threads, &function)) return NULL;
    run_call call = {.function = function == Py_None ? NULL : function};
    cdg_run_def def = {.scene = as_scene(object)->scene,
                       .directory = directory,
                       .resume = resume != 0,
                       .force = force != 0,
                       .thread_count = threads,
                       .on_progress = on_progress,
                       .user = &call};
    cdg_run_summary summary = {0};
    cdg_error error = {0};
    PyThreadState *thread = PyEval_SaveThread();
    cdg_result result = cdg_run(&def, &summary, &error);
    PyEval_RestoreThread(thread);
    if (PyErr_Occurred()) return NULL;
    if (result != CDG_OK && result != CDG_ERROR_INTERRUPTED) return raise_error(result, error.message);
    return summary_dict(&summary);
}

PyTypeObject *make_scene_type(PyObject *module) {
    static PyMethodDef methods[] = {
        {"_run", scene_run, METH_VARARGS, NULL}, {"_probes", scene_probes, METH_O, NULL}, {NULL, NULL, 0, NULL}};
    static PyGetSetDef members[] = {
        {"warnings", scene_warnings, NULL, "What is allowed but probably not meant, a sentence each.", NULL},
        {"times", scene_times, NULL, "Duration, step and interval of outputs in seconds; whether it is static.", NULL},
        {NULL, NULL, NULL, NULL, NULL}};
    static PyType_Slot slots[] = {{Py_tp_doc, "A scene; cordage.Scene is what programs use."},
                                  {Py_tp_init, (void *)scene_init},
                                  {Py_tp_dealloc, (void *)scene_free},
                                  {Py_tp_methods, methods},
                                  {Py_tp_getset, members},
                                  {0, NULL}};
    static PyType_Spec spec = {.name = "cordage._cordage.Scene",
                               .basicsize = sizeof(scene_object),
                               .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                               .slots = slots};
    return (PyTypeObject *)PyType_FromModuleAndSpec(module, &spec, NULL);
}
