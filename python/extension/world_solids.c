// Deformable solids of the type World.
#include "world_parts.h"

static const char *const model_names[] = {
#define MODEL_NAME(name, key, text) key,
    CDG_SOLID_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
};
static const char *const integrator_names[] = {
#define INTEGRATOR_NAME(name, key, text) key,
    CDG_SOLID_INTEGRATOR_LIST(INTEGRATOR_NAME)
#undef INTEGRATOR_NAME
};

static cdg_solid_id solid_of(handle_number number) { return NUMBER_HANDLE(cdg_solid_id, number); }

static bool find_solid(world_object *self, handle_number id, cdg_solid_info *info) {
    cdg_result result = cdg_solid_get_info(self->world, solid_of(id), info);
    if (result != CDG_OK) (void)raise_error(result, "the solid no longer exists");
    return result == CDG_OK;
}

// (name, handle) of each.
PyObject *world_solids(PyObject *object, PyObject *unused) {
    (void)unused;
    world_object *self = as_world(object);
    if (!may_read(self)) return NULL;
    PyObject *out = PyList_New(0);
    for (size_t i = 0; i < cdg_world_solid_count(self->world) && out != NULL; i++) {
        cdg_solid_info info;
        cdg_solid_id id = cdg_world_solid_at(self->world, i);
        if (cdg_solid_get_info(self->world, id, &info) != CDG_OK) continue;
        PyObject *item = Py_BuildValue("(sK)", info.name, HANDLE_NUMBER(id));
        if (item == NULL || PyList_Append(out, item) != 0) Py_CLEAR(out);
        Py_XDECREF(item);
    }
    return out;
}

PyObject *world_solid_info(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_solid_info i;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_solid(self, id, &i)) return NULL;
    return Py_BuildValue("{s:s,s:s,s:s,s:n,s:n,s:n,s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:d}", "name", i.name, "model",
                         model_names[i.model], "integrator", integrator_names[i.integrator], "node_count",
                         (Py_ssize_t)i.node_count, "tetrahedron_count", (Py_ssize_t)i.tetrahedron_count,
                         "surface_count", (Py_ssize_t)i.surface_count, "mass", i.mass, "rest_volume", i.rest_volume,
                         "shortest_edge", i.shortest_edge, "mean_edge", i.mean_edge, "stable_step", i.stable_step,
                         "young_modulus", i.young_modulus, "poisson_ratio", i.poisson_ratio, "density", i.density);
}

// Corners of the tetrahedra and of the triangles of the surface, as bytes of 32-bit numbers.
PyObject *world_solid_mesh(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_solid_info i;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self) || !find_solid(self, id, &i)) return NULL;
    return Py_BuildValue("(y#y#)", (const char *)i.tetrahedra, (Py_ssize_t)(i.tetrahedron_count * sizeof *i.tetrahedra),
                         (const char *)i.surface, (Py_ssize_t)(i.surface_count * sizeof *i.surface));
}

// 0: positions, 1: velocities, 2: reactions. Components lie at one distance from each other.
PyObject *world_solid_view(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    int kind;
    cdg_solid_info info;
    cdg_solid_view view;
    if (!PyArg_ParseTuple(arguments, "Ki", &id, &kind) || !may_read(self) || !find_solid(self, id, &info)) return NULL;
    cdg_result result = cdg_solid_get_view(self->world, solid_of(id), &view);
    if (result != CDG_OK) return raise_error(result, "the solid no longer exists");
    const double *const *parts = kind == 0 ? view.position : kind == 1 ? view.velocity : view.reaction;
    cdg_state_view state = {.data = parts[0],
                            .count = info.node_count,
                            .components = 3,
                            .entry_stride = 1,
                            .component_stride = (size_t)(parts[1] - parts[0])};
    if (parts[2] - parts[1] != parts[1] - parts[0])
        return raise_error(CDG_ERROR_UNSUPPORTED, "the components of the solid's state do not lie at one distance");
    return array_view(self, &state);
}

PyObject *world_solid_state(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    cdg_solid_state s;
    if (!PyArg_ParseTuple(arguments, "K", &id) || !may_read(self)) return NULL;
    cdg_result result = cdg_solid_get_state(self->world, solid_of(id), &s);
    if (result != CDG_OK) return raise_error(result, "the solid no longer exists");
    return Py_BuildValue("{s:d,s:d,s:d,s:d,s:d,s:d,s:d,s:N,s:N,s:N}", "volume", s.volume, "kinetic", s.kinetic,
                         "elastic", s.elastic, "gravity", s.gravity, "largest_stress", s.largest_stress,
                         "largest_strain", s.largest_strain, "least_volume", s.least_volume, "center",
                         vec3_tuple(s.center), "velocity", vec3_tuple(s.velocity), "reaction", vec3_tuple(s.reaction));
}

// Von Mises stresses (kind 0) or largest strains (1) of the tetrahedra.
PyObject *world_solid_stress(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    int kind;
    cdg_solid_info info;
    if (!PyArg_ParseTuple(arguments, "Ki", &id, &kind) || !may_read(self) || !find_solid(self, id, &info)) return NULL;
    array_object *out = array_of((Py_ssize_t)info.tetrahedron_count, 1);
    if (out == NULL) return NULL;
    cdg_result result =
        cdg_solid_stress(self->world, solid_of(id), kind == 0 ? out->data : NULL, kind == 0 ? NULL : out->data);
    if (result == CDG_OK) return (PyObject *)out;
    Py_DECREF((PyObject *)out);
    return raise_error(result, "the solid no longer exists");
}

PyObject *world_solid_modes(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    Py_ssize_t count;
    cdg_solid_info info;
    if (!PyArg_ParseTuple(arguments, "Kn", &id, &count) || !may_change(self) || !find_solid(self, id, &info))
        return NULL;
    if (count < 1 || count > 100000)
        return raise_error(CDG_ERROR_ARGUMENT, "ask for at least one vibration, and for at most 100000");
    Py_ssize_t shape[3] = {count, (Py_ssize_t)info.node_count, 3};
    array_object *frequencies = array_of(count, 1), *shapes = array_new(3, shape);
    cdg_result result = CDG_ERROR_MEMORY;
    if (frequencies != NULL && shapes != NULL) {
        self->use = WORLD_BUSY;
        PyThreadState *thread = PyEval_SaveThread();
        result = cdg_solid_find_modes(self->world, solid_of(id), (size_t)count, frequencies->data,
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

// Supports and loads of the one solid of a fragment for one of the world: the last of each.
PyObject *world_extend_solid(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    scene_object *scene;
    handle_number id;
    if (!PyArg_ParseTuple(arguments, "O!K", extension.scene, &scene, &id) || !may_change(self)) return NULL;
    cdg_error error = {0};
    cdg_scene_added added;
    cdg_result result = cdg_scene_extend_solid(scene->scene, self->world, solid_of(id), &added, &error);
    self->epoch++;
    if (result != CDG_OK) return raise_error(result, error.message);
    return Py_BuildValue("(KK)", HANDLE_NUMBER(added.solid_support), HANDLE_NUMBER(added.solid_load));
}

PyObject *world_solid_support_force(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number number;
    cdg_vec3 force;
    if (!PyArg_ParseTuple(arguments, "K", &number) || !may_read(self)) return NULL;
    cdg_result result = cdg_solid_support_reaction(self->world, NUMBER_HANDLE(cdg_solid_support_id, number), &force);
    return result == CDG_OK ? vec3_tuple(force) : raise_error(result, "the support no longer exists");
}

PyObject *world_set_solid_load(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number number;
    PyObject *force, *pressure;
    cdg_vec3 f;
    double p;
    if (!PyArg_ParseTuple(arguments, "KOO", &number, &force, &pressure) || !read_vec3(force, "N", &f) ||
        !read_real(pressure, "Pa", &p) || !may_change(self))
        return NULL;
    return answer(self, cdg_solid_load_set(self->world, NUMBER_HANDLE(cdg_solid_load_id, number), f, p));
}

PyObject *world_set_solid_forces(PyObject *object, PyObject *arguments) {
    world_object *self = as_world(object);
    handle_number id;
    PyObject *forces;
    cdg_solid_info info;
    double *rows = NULL;
    if (!PyArg_ParseTuple(arguments, "KO", &id, &forces) || !may_change(self) || !find_solid(self, id, &info) ||
        !read_rows(forces, info.node_count, 3, "forces", &rows))
        return NULL;
    cdg_result result = cdg_solid_set_forces(self->world, solid_of(id), (const cdg_vec3 *)(const void *)rows);
    PyMem_Free(rows);
    return answer(self, result);
}
