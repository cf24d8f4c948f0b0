// Colours are chosen first; then the scene's looks are laid over them, in their order.
#include "output/run_looks.h"

#include "base/error.h"
#include "fields/color_map.h"
#include "output/run_scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// A light grey that takes any rod's colour beside it, and the colour of sandstone for those that nothing moves: a grey
// there would be that of the background, and of metal.
static const float3 free_color = {0.42F, 0.40F, 0.37F}, fixed_color = {0.48F, 0.36F, 0.25F};

static void choose_all(const cdg_run_reader *reader, cdg_run_looks *out) {
    size_t plain_count = 0, plain = 0; // hair has its own colours, which the others are not spread over
    for (size_t i = 0; i < reader->rod_count; i++) plain_count += reader->rods[i].strands == 0;
    for (size_t i = 0; i < reader->rod_count; i++) {
        size_t strands = reader->rods[i].strands;
        out->rods[i].color = strands > 0 ? cdg_hair_color(strands - 1, i) : cdg_rod_color(plain++, plain_count);
    }
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++)
        out->rigids[i].color = cdg_rigid_color(cdg_run_rigid_get(reader, i).is_free);
    for (size_t i = 0; i < reader->solid_count; i++)
        out->solids[i].color = cdg_solid_color(i, reader->solid_count, plain_count);
}

void cdg_look_lay_over(const cdg_scene *scene, const char *name, cdg_look *look) {
    for (size_t k = 0; scene != NULL && k < scene->look_count; k++) {
        const scene_look *over = &scene->looks[k];
        if (!cdg_look_is_of(over, name)) continue;
        if (over->color) cdg_color_parse(over->color, &look->color);
        look->surface = over->surface;
    }
}

float3 cdg_rigid_color(bool is_free) { return is_free ? free_color : fixed_color; }

static void take_from(const cdg_scene *scene, const cdg_run_reader *reader, cdg_run_looks *out) {
    for (size_t i = 0; i < reader->rod_count; i++) cdg_look_lay_over(scene, reader->rods[i].name, &out->rods[i]);
    for (size_t i = 0; i < cdg_run_rigid_count(reader); i++)
        cdg_look_lay_over(scene, cdg_run_rigid_get(reader, i).name, &out->rigids[i]);
    for (size_t i = 0; i < reader->solid_count; i++) cdg_look_lay_over(scene, reader->solids[i].name, &out->solids[i]);
}

void cdg_look_put(cdg_json *json, const cdg_look *look) {
    static const char *const words[] = {
#define X(NAME, name) name,
        CDG_SURFACE_LIST(X)
#undef X
    };
    char text[8];
    const float part[3] = {look->color.x, look->color.y, look->color.z};
    int byte[3];
    for (int k = 0; k < 3; k++) byte[k] = (int)(255 * cdg_srgb_encode(fminf(fmaxf(part[k], 0), 1)) + 0.5F) & 255;
    snprintf(text, sizeof text, "#%02x%02x%02x", byte[0], byte[1], byte[2]);
    cdg_json_text(json, "color", text);
    if (look->surface != SCENE_SURFACE_PLASTIC) cdg_json_text(json, "surface", words[look->surface]);
}

cdg_result cdg_run_looks_make(const cdg_run_reader *reader, cdg_run_looks *out, cdg_error *error) {
    *out = (cdg_run_looks){.rods = calloc(reader->rod_count + 1, sizeof *out->rods),
                           .rigids = calloc(cdg_run_rigid_count(reader) + 1, sizeof *out->rigids),
                           .solids = calloc(reader->solid_count + 1, sizeof *out->solids)};
    if (!out->rods || !out->rigids || !out->solids) {
        cdg_run_looks_free(out);
        return cdg_fail(error, CDG_ERROR_MEMORY, "out of memory for the looks of %zu rods", reader->rod_count);
    }
    choose_all(reader, out);
    cdg_scene *scene = cdg_run_reader_scene(reader);
    if (scene) take_from(scene, reader, out);
    cdg_scene_destroy(scene);
    return CDG_OK;
}

void cdg_run_looks_free(cdg_run_looks *looks) {
    free(looks->rods);
    free(looks->rigids);
    free(looks->solids);
    *looks = (cdg_run_looks){.rods = NULL};
}
