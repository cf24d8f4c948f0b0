// The key `solids`: deformable solids, what holds and what pulls them.
#include "math/quat.h"
#include "meshing/triangle_file.h"
#include "scene/reader.h"
#include "solids/nodal_pressure.h"
#include "solids/shape_mesh.h"
#include "solids/solid_model.h"
#include "solids/solid_structure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool is_given(const scene_node *node, const char *key) {
    const scene_node *value = cdg_tree_get(node, key);
    return value != NULL && value->kind != SCENE_NOTHING;
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// The scene owns meshes of its solids.
static bool keep_mesh(scene_reader *reader, cdg_mesh *read, cdg_mesh *out) {
    cdg_vec3 *points = cdg_storage_allocate(reader->storage, read->point_count, sizeof *points);
    uint32_t(*tetrahedra)[4] = cdg_storage_allocate(reader->storage, read->tetrahedron_count, sizeof *tetrahedra);
    if (points != NULL && tetrahedra != NULL) {
        memcpy(points, read->points, read->point_count * sizeof *points);
        memcpy(tetrahedra, read->tetrahedra, read->tetrahedron_count * sizeof *tetrahedra);
        *out = (cdg_mesh){.points = points,
                          .point_count = read->point_count,
                          .tetrahedra = tetrahedra,
                          .tetrahedron_count = read->tetrahedron_count};
    }
    cdg_mesh_free(read);
    return out->points != NULL;
}

static bool parse_profile(scene_reader *reader, const scene_node *node, cdg_shape *out) {
    char quoted[CDG_QUOTE_SIZE];
    bool is_list = node->kind == SCENE_LIST && node->count >= 2;
    for (size_t i = 0; is_list && i < node->count; i++)
        is_list = node->items[i]->kind == SCENE_LIST && node->items[i]->count == 2;
    if (!is_list)
        return cdg_reader_fault(reader, node, "revolved: expected pairs such as [[2 cm, 0 cm], [1 cm, 5 cm]], found %s",
                                cdg_tree_describe(node, quoted));
    double(*profile)[2] = cdg_storage_allocate(reader->storage, node->count, sizeof *profile);
    bool is_good = profile != NULL;
    for (size_t i = 0; is_good && i < node->count; i++)
        is_good =
            cdg_read_quantity(reader, node->items[i]->items[0], "radius", CDG_LENGTH, SCENE_POSITIVE, &profile[i][0]) &&
            cdg_read_quantity(reader, node->items[i]->items[1], "height", CDG_LENGTH, SCENE_ANY, &profile[i][1]);
    out->profile = (const double(*)[2])profile;
    out->profile_count = node->count;
    return is_good;
}

static const char *path_of(scene_reader *reader, const scene_node *node, const char *name) {
    if (reader->scene->directory == NULL) {
        cdg_reader_fault(reader, node, "file '%s': this scene does not come from a file, so it cannot refer to others",
                         name);
        return NULL;
    }
    if (!cdg_reader_may_read(reader, node, name)) return NULL;
    size_t size = strlen(reader->scene->directory) + strlen(name) + 2;
    char *path = cdg_storage_allocate(reader->storage, size, 1);
    if (path != NULL && name[0] == '/') snprintf(path, size, "%s", name);
    if (path != NULL && name[0] != '/') snprintf(path, size, "%s/%s", reader->scene->directory, name);
    return path;
}

static bool read_file(scene_reader *reader, const scene_node *node, const scene_solid_source *source, cdg_mesh *out) {
    const char *path = path_of(reader, node, source->file);
    if (path == NULL) return false;
    cdg_error error = {0};
    cdg_mesh read = {0};
    cdg_result result;
    if (cdg_mesh_format_has_tetrahedra(cdg_mesh_format_of(path))) {
        result = cdg_tetrahedra_read(path, source->unit, &read, NULL, &error);
    } else {
        cdg_mesh surface = {0};
        cdg_mesher_options options = cdg_mesher_options_default();
        options.size = source->resolution;
        options.thread_count = 1;
        result = cdg_triangles_read(path, source->unit, &surface, &error);
        if (result == CDG_OK) result = cdg_mesh_fill(&surface, &options, &read, NULL, &error);
        cdg_mesh_free(&surface);
    }
    if (result != CDG_OK) return cdg_reader_fault(reader, node, "%s", error.message);
    return keep_mesh(reader, &read, out) && cdg_reader_note_file(reader, node, source->file, path);
}

// A mesh cannot be coarser than its shape: with a longer resolution, a unit was forgotten.
static void check_resolution(scene_reader *reader, const scene_node *node, double resolution, const cdg_mesh *mesh) {
    cdg_vec3 low = mesh->points[0], high = low;
    for (size_t i = 1; i < mesh->point_count; i++) {
        cdg_vec3 p = mesh->points[i];
        low = vec3(fmin(low.x, p.x), fmin(low.y, p.y), fmin(low.z, p.z));
        high = vec3(fmax(high.x, p.x), fmax(high.y, p.y), fmax(high.z, p.z));
    }
    double size = fmax(high.x - low.x, fmax(high.y - low.y, high.z - low.z));
    if (!is_given(node, "resolution") || !(resolution > size)) return;
    cdg_reader_warn(
        reader, cdg_tree_get(node, "resolution"),
        "a resolution of %g m is longer than the whole shape, %.3g m, which has %zu tetrahedra and is far too "
        "stiff; take a quarter of its thickness or less, such as '%.2g mm'",
        resolution, size, mesh->tetrahedron_count, 100 * size);
}

static bool parse_shape(scene_reader *reader, const scene_node *node, const char *where, cdg_mesh *out) {
    enum { KINDS = 8 };
    static const struct {
        cdg_shape_kind kind;
        const scene_table *table;
    } shapes[KINDS] = {{CDG_SHAPE_BOX, &cdg_schema_solid_box},       {CDG_SHAPE_SPHERE, &cdg_schema_solid_sphere},
                       {CDG_SHAPE_ELLIPSOID, &cdg_schema_solid_box}, {CDG_SHAPE_CYLINDER, &cdg_schema_solid_cylinder},
                       {CDG_SHAPE_TUBE, &cdg_schema_solid_tube},     {CDG_SHAPE_TORUS, &cdg_schema_solid_torus},
                       {CDG_SHAPE_WEDGE, &cdg_schema_solid_wedge},   {CDG_SHAPE_REVOLVED, NULL}};
    const char *names[KINDS + 2] = {[KINDS] = "file"};
    for (size_t i = 0; i < KINDS; i++) names[i] = cdg_shape_name(shapes[i].kind);
    char label[CDG_WHERE_SIZE + 16];
    snprintf(label, sizeof label, "the shape of %s", where);
    scene_solid_source source = {.shape = cdg_shape_default(), .unit = 1};
    bool is_good = cdg_read_table(reader, &cdg_schema_solid_shape, node, label, &source);
    if (node->kind != SCENE_MAP) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_solid_shape, label, names);
    if (kind < 0 || !is_good) return false;
    const scene_node *values = cdg_tree_get(node, names[kind]);
    if (kind == KINDS) return read_file(reader, values, &source, out);
    if (is_given(node, "unit"))
        return cdg_reader_fault(reader, cdg_tree_get(node, "unit"), "unit is that of a file, and there is none");
    source.shape.kind = shapes[kind].kind;
    is_good = shapes[kind].table == NULL
                  ? parse_profile(reader, values, &source.shape)
                  : cdg_read_table(reader, shapes[kind].table, values, names[kind], &source.shape);
    if (!is_good) return false;
    enum { BYTES = 300 }; // of a tetrahedron while a mesh is made and judged
    if (!cdg_storage_has_room(reader->storage, BYTES * cdg_shape_tetrahedra(&source.shape, source.resolution)))
        return false;
    cdg_mesh made;
    cdg_error error;
    if (cdg_shape_mesh(&source.shape, source.resolution, &made, &error) != CDG_OK)
        return cdg_reader_fault(reader, values, "%s", error.message);
    check_resolution(reader, node, source.resolution, &made);
    return keep_mesh(reader, &made, out);
}

// ---- supports and loads ---------------------------------------------------------------------------------------------

static cdg_shape shape_of_region(cdg_shape_kind kind, const scene_region *read) {
    cdg_shape shape = cdg_shape_default();
    shape.kind = kind;
    if (kind == CDG_SHAPE_BOX) {
        shape.position = vec3_scale(0.5, vec3_add(read->low, read->high));
        shape.size = vec3_sub(read->high, read->low);
    } else {
        shape.position = read->point;
        shape.radius = read->radius;
        shape.normal =
            vec3_scale(-1, read->normal); // a scene's points to what is meant, a shape's out of what is filled
    }
    return shape;
}

// NULL: the whole solid.
static bool parse_region(scene_reader *reader, const scene_node *node, const char *where, const cdg_shape **out) {
    static const scene_table *const tables[] = {&cdg_schema_region_box, &cdg_schema_region_sphere,
                                                &cdg_schema_region_plane};
    static const cdg_shape_kind kinds[] = {CDG_SHAPE_BOX, CDG_SHAPE_SPHERE, CDG_SHAPE_PLANE};
    bool is_good = true;
    for (int i = 0; i < 3; i++) {
        const char *name = cdg_shape_name(kinds[i]);
        if (!is_given(node, name)) continue;
        if (*out != NULL) return cdg_reader_fault(reader, cdg_tree_get(node, name), "%s: one region, not two", where);
        scene_region read = {0};
        is_good = cdg_read_table(reader, tables[i], cdg_tree_get(node, name), name, &read) && is_good;
        cdg_shape *shape = cdg_storage_allocate(reader->storage, 1, sizeof *shape);
        if (shape == NULL) return false;
        *shape = shape_of_region(kinds[i], &read);
        *out = shape;
    }
    return is_good;
}

// One thing alone is a list of one.
static size_t items_of(const scene_node *node) { return node->kind == SCENE_LIST ? node->count : 1; }
static const scene_node *item_of(const scene_node *node, size_t i) {
    return node->kind == SCENE_LIST ? node->items[i] : node;
}

static bool parse_supports(scene_reader *reader, const scene_node *list, const char *where, scene_solid *out) {
    bool is_good = true;
    out->supports = cdg_storage_allocate(reader->storage, items_of(list), sizeof *out->supports);
    for (size_t i = 0; out->supports != NULL && i < items_of(list); i++) {
        const scene_node *node = item_of(list, i);
        char label[CDG_WHERE_SIZE + 32];
        snprintf(label, sizeof label, "support %zu of %s", i + 1, where);
        cdg_solid_support_def def = {0};
        is_good = cdg_read_table(reader, &cdg_schema_solid_support, node, label, &def) && is_good;
        if (node->kind != SCENE_MAP) return false;
        is_good = parse_region(reader, node, label, &def.region) && is_good;
        if (is_given(node, "motion")) {
            cdg_motion *motions = NULL;
            is_good = cdg_parse_motions(reader, cdg_tree_get(node, "motion"), CDG_SUPPORT_CLAMP, &motions,
                                        &def.motion_count) &&
                      is_good;
            def.motions = motions;
        }
        out->supports[out->support_count++] = def;
    }
    return is_good && out->supports != NULL;
}

static bool parse_loads(scene_reader *reader, const scene_node *list, const char *where, scene_solid *out) {
    bool is_good = true;
    out->loads = cdg_storage_allocate(reader->storage, items_of(list), sizeof *out->loads);
    for (size_t i = 0; out->loads != NULL && i < items_of(list); i++) {
        const scene_node *node = item_of(list, i);
        char label[CDG_WHERE_SIZE + 32];
        snprintf(label, sizeof label, "load %zu of %s", i + 1, where);
        cdg_solid_load_def def = {0};
        is_good = cdg_read_table(reader, &cdg_schema_solid_load, node, label, &def) && is_good;
        if (node->kind != SCENE_MAP) return false;
        is_good = parse_region(reader, node, label, &def.region) && is_good;
        if (!is_given(node, "force") && !is_given(node, "pressure"))
            is_good = cdg_reader_fault(reader, node, "%s needs a force or a pressure", label);
        out->loads[out->load_count++] = def;
    }
    return is_good && out->loads != NULL;
}

// ---- solids ---------------------------------------------------------------------------------------------------------

static void check_solid(scene_reader *reader, const scene_node *node, const char *where, const cdg_solid_def *def) {
    if (reader->scene->mode_count > 0 && cdg_solid_model_get(def->model)->curvature == NULL)
        cdg_reader_fault(reader, node, "%s: model %s has no vibrations (modes); use neo_hookean or corotational", where,
                         cdg_solid_model_get(def->model)->name);
    bool is_law = cdg_solid_model_get(def->model)->curvature != NULL;
    if (def->poisson_ratio > CDG_NODAL_PRESSURE_ABOVE && is_law && def->pressure == CDG_SOLID_PRESSURE_ELEMENTS)
        cdg_reader_warn(reader, node,
                        "%s: tetrahedra that each resist changes of volume for themselves are too stiff for a "
                        "Poisson's ratio of %g (they lock): pressure: averaged does not",
                        where, def->poisson_ratio);
    if (def->poisson_ratio > CDG_NODAL_PRESSURE_ABOVE && def->model == CDG_SOLID_MASS_SPRING)
        cdg_reader_warn(reader, node,
                        "%s: springs are too stiff for a Poisson's ratio of %g, nearly without change of volume (they "
                        "lock): up to 0.45 they are good; model: neo_hookean has no such limit",
                        where, def->poisson_ratio);
}

// What a model does not read is not given, and what it needs is.
static bool refuse(scene_reader *reader, const scene_node *map, const char *key, const char *where,
                   const cdg_solid_def *def, const char *cure) {
    static const char *const models[] = {
#define MODEL_NAME(id, name, text) name,
        CDG_SOLID_MODEL_LIST(MODEL_NAME)
#undef MODEL_NAME
    };
    if (!is_given(map, key)) return true;
    return cdg_reader_fault(reader, cdg_tree_get(map, key), "%s: model %s does not read %s; %s", where,
                            models[def->model], key, cure);
}

// One of the scene's materials, as rods have them.
static bool take_material(scene_reader *reader, const scene_node *node, const char *where, cdg_solid_def *out) {
    cdg_material m;
    if (!cdg_find_material(reader, node, where, &m)) return false;
    const scene_node *damping = cdg_tree_get(cdg_tree_get(reader->materials_map, node->text), "damping");
    if (cdg_has_friction_coefficients(damping))
        return cdg_reader_fault(reader, node,
                                "%s: gamma_t and gamma_r in the damping of this material are frictions of rods; give "
                                "the solid a material of its own with 'damping_time'",
                                where);
    double ratio = out->poisson_ratio; // solids' own where none is given: rods are taken for incompressible then
    if (is_given(cdg_tree_get(reader->materials_map, node->text), "poisson_ratio")) ratio = m.poisson_ratio;
    if (m.shear_modulus > 0) ratio = m.young_modulus / (2 * m.shear_modulus) - 1;
    if (!(ratio > -1 && ratio < 0.5))
        return cdg_reader_fault(
            reader, node,
            "%s: this material has a Poisson's ratio of %g, by young_modulus and shear_modulus or as "
            "given, and that of a solid is below 0.5; give it a material of its own",
            where, ratio);
    out->young_modulus = m.young_modulus, out->density = m.density, out->poisson_ratio = ratio;
    out->damping_time = m.damping_stretch;
    if (m.stretch_modulus > 0)
        cdg_reader_warn(reader, node,
                        "%s: solids have no stretch_modulus; of this material they take young_modulus, %g Pa", where,
                        m.young_modulus);
    if (m.damping_shear != m.damping_stretch || m.damping_bend != m.damping_stretch ||
        m.damping_twist != m.damping_stretch)
        cdg_reader_warn(reader, node,
                        "%s: solids have one damping time, and of this material's they take stretch, %g s", where,
                        m.damping_stretch);
    return true;
}

static bool parse_material(scene_reader *reader, const scene_node *node, const char *where, cdg_solid_def *out) {
    if (node->kind != SCENE_MAP) return take_material(reader, node, where, out);
    if (!cdg_read_table(reader, &cdg_schema_solid_material, node, "material", out)) return false;
    cdg_check_stiffness_and_density(reader, cdg_tree_get(node, "young_modulus"), out->young_modulus,
                                    cdg_tree_get(node, "density"), out->density);
    const scene_node *ratio = cdg_tree_get(node, "poisson_ratio");
    if (ratio != NULL && !(out->poisson_ratio < 0.5))
        return cdg_reader_fault(reader, ratio,
                                "poisson_ratio of a solid must be below 0.5; what hardly changes its volume has 0.499");
    return true;
}

static bool check_model(scene_reader *reader, const scene_node *node, const char *where, const cdg_solid_def *def) {
    const scene_node *material = cdg_tree_get(node, "material");
    bool is_matched = def->model == CDG_SOLID_SHAPE_MATCHING, has_springs = def->model == CDG_SOLID_MASS_SPRING;
    bool is_good = true, is_free = is_matched || (has_springs && is_given(node, "mass_spring"));
    if (material == NULL) return true;         // told already
    bool is_own = material->kind == SCENE_MAP; // else others may have it, and a model takes of it what it reads
    if (is_own && !is_free && !is_given(material, "young_modulus"))
        is_good = cdg_reader_fault(reader, material, "%s: its material needs a young_modulus, such as 100 kPa", where);
    if (!is_matched)
        is_good = refuse(reader, node, "shape_matching", where, def, "add model: shape_matching") && is_good;
    if (is_matched || has_springs) is_good = refuse(reader, node, "pressure", where, def, "leave it out") && is_good;
    if (!has_springs) is_good = refuse(reader, node, "mass_spring", where, def, "add model: mass_spring") && is_good;
    if (is_own && is_free) {
        is_good = refuse(reader, material, "young_modulus", where, def, "leave it out") && is_good;
        is_good = refuse(reader, material, "poisson_ratio", where, def, "leave it out") && is_good;
    }
    if (is_own && is_matched)
        is_good = refuse(reader, material, "damping_time", where, def,
                         "give shape_matching: {damping_ratio: 1} in its place") &&
                  is_good;
    if (is_matched || (has_springs && def->integrator != CDG_SOLID_EXPLICIT))
        is_good =
            refuse(reader, node, "integrator", where, def, "it has steps of its own: leave integrator out") && is_good;
    return is_good;
}

// ---- structures -----------------------------------------------------------------------------------------------------

static bool parse_structure(scene_reader *reader, const scene_node *node, const char *where, solid_structure_def *out) {
    static const char *const names[] = {
#define STRUCTURE_NAME(id, name, text) name,
        CDG_SOLID_STRUCTURE_LIST(STRUCTURE_NAME)
#undef STRUCTURE_NAME
            NULL};
    static const scene_table *const tables[] = {&cdg_schema_solid_arch, &cdg_schema_solid_stack,
                                                &cdg_schema_solid_chain, &cdg_schema_solid_heap};
    char label[CDG_WHERE_SIZE + 24];
    snprintf(label, sizeof label, "the structure of %s", where);
    bool is_good = cdg_read_table(reader, &cdg_schema_solid_structure, node, label, out);
    if (node->kind != SCENE_MAP) return false;
    int kind = cdg_read_one_of(reader, node, &cdg_schema_solid_structure, label, names);
    if (kind < 0 || !is_good) return false;
    *out = (solid_structure_def){.kind = (solid_structure_kind)kind, .span = 3.14159265358979324, .side = 3};
    return cdg_read_table(reader, tables[kind], cdg_tree_get(node, names[kind]), names[kind], out);
}

static bool is_taken(scene_reader *reader, const scene_node *node, const char *name) {
    const cdg_scene *scene = reader->scene;
    for (size_t i = 0; i < scene->solid_count; i++)
        if (strcmp(scene->solids[i].def.name, name) == 0)
            return !cdg_reader_fault(reader, node, "another solid is named '%s' already (line %d); names must differ",
                                     name, scene->solid_marks[i].line);
    if (cdg_find_rod(reader, name, strlen(name)) != SIZE_MAX || cdg_find_body(reader, name, strlen(name)) != SIZE_MAX)
        return !cdg_reader_fault(reader, node, "a rod or body is named '%s', too; names must differ", name);
    return false;
}

enum { SOLIDS_MAX = 10000 };

// Room is doubled when it is used up: structures are many.
static bool append(scene_reader *reader, const scene_node *node, const scene_solid *solid) {
    cdg_scene *scene = reader->scene;
    if (scene->solid_count == SOLIDS_MAX)
        return cdg_reader_fault(reader, node, "these are more than %d solids", SOLIDS_MAX);
    if (scene->solid_count == scene->solid_room) {
        size_t room = 2 * scene->solid_room + 8;
        scene_solid *solids = cdg_storage_allocate(reader->storage, room, sizeof *solids);
        scene_mark *marks = cdg_storage_allocate(reader->storage, room, sizeof *marks);
        if (solids == NULL || marks == NULL) return false;
        if (scene->solid_count > 0) {
            memcpy(solids, scene->solids, scene->solid_count * sizeof *solids);
            memcpy(marks, scene->solid_marks, scene->solid_count * sizeof *marks);
        }
        scene->solids = solids, scene->solid_marks = marks, scene->solid_room = room;
    }
    scene->solids[scene->solid_count] = *solid;
    scene->solid_marks[scene->solid_count++] = node->mark;
    return true;
}

// Meshes, supports and loads are one for all.
static void append_structure(scene_reader *reader, const scene_node *node, const solid_structure_def *structure,
                             const scene_solid *one) {
    for (size_t k = 0; k < structure->count; k++) {
        scene_solid next = *one;
        cdg_vec3 position;
        cdg_quat turn, whole = quat_normalize(one->def.orientation);
        char name[300];
        cdg_solid_structure_place(structure, k, &position, &turn);
        snprintf(name, sizeof name, "%.250s_%zu", one->def.name, k + 1);
        next.def.position = vec3_add(one->def.position, quat_rotate(whole, position));
        next.def.orientation = quat_multiply(whole, turn);
        if (is_taken(reader, node, name)) return;
        next.def.name = cdg_storage_copy(reader->storage, name, strlen(name));
        if (next.def.name == NULL || !append(reader, node, &next)) return;
    }
}

static void parse_solid(scene_reader *reader, const scene_node *node, size_t index) {
    char where[CDG_WHERE_SIZE];
    cdg_reader_where(where, "solid", node, index);
    solid_structure_def structure = {0};
    scene_solid read = {.def = cdg_solid_def_default()};
    bool is_good = cdg_read_table(reader, &cdg_schema_solid, node, where, &read.def);
    if (node->kind != SCENE_MAP) return;
    const char *name = cdg_read_name(reader, node, "solid");
    is_good = is_given(node, "material") && parse_material(reader, cdg_tree_get(node, "material"), where, &read.def) &&
              is_good;
    if (is_given(node, "shape_matching"))
        is_good = cdg_read_table(reader, &cdg_schema_shape_matching, cdg_tree_get(node, "shape_matching"),
                                 "shape_matching", &read.def.shape_matching) &&
                  is_good;
    if (is_given(node, "mass_spring"))
        is_good = cdg_read_table(reader, &cdg_schema_mass_spring, cdg_tree_get(node, "mass_spring"), "mass_spring",
                                 &read.def.mass_spring) &&
                  is_good;
    is_good = check_model(reader, node, where, &read.def) && is_good;
    is_good =
        is_given(node, "shape") && parse_shape(reader, cdg_tree_get(node, "shape"), where, &read.def.mesh) && is_good;
    if (is_given(node, "orientation"))
        is_good = cdg_parse_orientation(reader, cdg_tree_get(node, "orientation"), &read.def.orientation) && is_good;
    if (is_given(node, "structure"))
        is_good = parse_structure(reader, cdg_tree_get(node, "structure"), where, &structure) && is_good;
    if (is_given(node, "supports"))
        is_good = parse_supports(reader, cdg_tree_get(node, "supports"), where, &read) && is_good;
    if (is_given(node, "loads")) is_good = parse_loads(reader, cdg_tree_get(node, "loads"), where, &read) && is_good;
    if (!is_good || name == NULL || cdg_storage_has_failed(reader->storage) || is_taken(reader, node, name)) return;
    char *own = cdg_storage_copy(reader->storage, name, strlen(name));
    if (own == NULL) return;
    read.def.name = own;
    // Built once for its faults: a mesh that is inside out is told with its line.
    cdg_solid built;
    cdg_error error;
    cdg_solid_def plain = read.def;
    plain.integrator = CDG_SOLID_EXPLICIT; // needs the least, and the least memory without a barrier
    if (read.def.integrator != CDG_SOLID_EXPLICIT && plain.model < CDG_SOLID_SHAPE_MATCHING) plain.volume_barrier = 0;
    if (cdg_solid_build(&plain, own, &built, &error) != CDG_OK) {
        cdg_reader_pass_on(reader, node, where, error.message);
        return;
    }
    cdg_solid_free(&built);
    check_solid(reader, node, where, &read.def);
    if (structure.count == 0)
        append(reader, node, &read);
    else
        append_structure(reader, node, &structure, &read);
}

void cdg_parse_solids(scene_reader *reader) {
    const scene_node *list = cdg_read_list(reader, "solids", "{name: block, shape: {box: {size: [1 m, 1 m, 1 m]}}}");
    if (list == NULL) return;
    if (list->count > SOLIDS_MAX) {
        cdg_reader_fault(reader, list, "these are more than %d solids", SOLIDS_MAX);
        return;
    }
    if (cdg_storage_has_failed(reader->storage)) return;
    for (size_t i = 0; i < list->count; i++) parse_solid(reader, list->items[i], i);
}
