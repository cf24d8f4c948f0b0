// A lamp with a soft-edged highlight (Trowbridge-Reitz distribution, Smith's shadowing, Schlick's Fresnel term, as in
// Walter et al. 2007), a sky that is brighter above, a weak fill light. Surfaces differ in how rough they are and how
// much they mirror.
#include "render/shading.h"

#include "base/error.h"
#include "fields/color_map.h"
#include "math/vec3.h"

#include <string.h>

static const float ground_begin_fade = 1.1F, ground_end_fade = 3.2F; // picture units

cdg_background cdg_background_default(void) {
    cdg_background background;
    cdg_background_parse("light", &background, NULL);
    return background;
}

cdg_result cdg_background_parse(const char *text, cdg_background *out, cdg_error *error) {
    static const struct {
        const char *name, *low, *high;
        float vignette;
    } known[] = {{"light", "#eef0f3", "#d9dee5", 0.10F},
                 {"white", "#ffffff", "#ffffff", 0},
                 {"dark", "#2b3038", "#15181d", 0.25F}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(text, known[i].name) == 0) {
            cdg_color_parse(known[i].low, &out->low);
            cdg_color_parse(known[i].high, &out->high);
            out->vignette = known[i].vignette;
            return CDG_OK;
        }
    if (!cdg_color_parse(text, &out->low))
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "--background is light, white, dark or a colour such as \"#e8edf2\", not '%s'", text);
    out->high = out->low;
    out->vignette = 0;
    return CDG_OK;
}

float3 cdg_background_at(const cdg_background *background, float x, float y) {
    float3 color = float3_lerp(background->high, background->low, smooth_step(0, 1, y));
    float dx = 2 * x - 1, dy = 2 * y - 1, corner = 0.5F * (dx * dx + dy * dy);
    return float3_scale(1 - background->vignette * corner * corner, color);
}

bool cdg_background_is_dark(const cdg_background *background) {
    double lab[3];
    cdg_color_to_lab(float3_lerp(background->low, background->high, 0.5F), lab);
    return lab[0] < 0.6;
}

cdg_studio cdg_studio_make(const cdg_camera *camera, cdg_vec3 up, const cdg_background *background) {
    // Level directions of the camera, so that the lamp stays above whatever is looked at.
    cdg_vec3 right = vec3_mad(camera->right, -vec3_dot(camera->right, up), up), back = vec3_cross(right, up);
    if (vec3_norm(right) < 1e-3) right = vec3_any_perpendicular(up), back = vec3_cross(right, up);
    right = vec3_normalize(right), back = vec3_normalize(back);
    cdg_vec3 lamp = vec3_add(vec3_add(vec3_scale(-0.55, right), vec3_scale(0.40, back)), up);
    cdg_vec3 fill = vec3_add(vec3_add(vec3_scale(0.9, right), vec3_scale(0.7, back)), vec3_scale(0.25, up));
    return (cdg_studio){.up = float3_from(up),
                        .to_lamp = float3_normalize(float3_from(lamp)),
                        .to_fill = float3_normalize(float3_from(fill)),
                        .lamp_size = 0.06F,
                        .reach = 0.5F,
                        .background = *background};
}

// How a surface answers light: what it mirrors looking straight at it, how rough it is, and how much of its colour it
// scatters. Metal mirrors in its own colour.
typedef struct finish {
    float mirrored, roughness, scattered;
} finish;

static finish finish_of(scene_surface surface) {
    switch (surface) {
    case SCENE_SURFACE_METAL: return (finish){0.75F, 0.30F, 0.22F};
    case SCENE_SURFACE_RUBBER: return (finish){0.02F, 0.75F, 0.9F};
    case SCENE_SURFACE_ROPE: return (finish){0.02F, 0.65F, 1};
    case SCENE_SURFACE_PLASTIC: break;
    }
    return (finish){0.04F, 0.42F, 1};
}

static float fresnel(float mirrored, float cosine) {
    float m = clamp_unit(1 - cosine), m2 = m * m;
    return mirrored + (1 - mirrored) * m2 * m2 * m;
}

static float highlight(float3 normal, float3 to_light, float3 to_viewer, finish f) {
    float n_l = float3_dot(normal, to_light), n_v = fmaxf(1e-3F, float3_dot(normal, to_viewer));
    if (n_l <= 0) return 0;
    float3 half = float3_normalize(float3_add(to_light, to_viewer));
    float n_h = clamp_unit(float3_dot(normal, half)), a = f.roughness * f.roughness, a2 = a * a;
    float d = n_h * n_h * (a2 - 1) + 1;
    float shadowing_l = n_l * sqrtf(a2 + (1 - a2) * n_v * n_v), shadowing_v = n_v * sqrtf(a2 + (1 - a2) * n_l * n_l);
    return fresnel(f.mirrored, float3_dot(half, to_light)) * a2 / (3.14159265F * d * d) * 0.5F /
           (shadowing_l + shadowing_v) * n_l;
}

cdg_shade cdg_studio_shade(const cdg_studio *studio, scene_surface surface, float3 color, float3 normal,
                           float3 to_viewer) {
    finish f = finish_of(surface);
    bool is_metal = surface == SCENE_SURFACE_METAL;
    float3 tint = is_metal ? float3_lerp(color, float3_make(1, 1, 1), 0.35F) : float3_make(1, 1, 1);
    color = float3_scale(f.scattered, color);
    float cosine = float3_dot(normal, to_viewer);
    if (cosine < 0) { // interpolated normals may point away at the rim: bend them back
        normal = float3_normalize(float3_mad(normal, -1.01F * cosine, to_viewer));
        cosine = 0;
    }
    const float3 lamp_color = {1.36F, 1.31F, 1.24F}, sky_color = {0.50F, 0.53F, 0.58F}, bounce = {0.26F, 0.255F, 0.25F};
    float lamp = clamp_unit(float3_dot(normal, studio->to_lamp)),
          fill = clamp_unit(float3_dot(normal, studio->to_fill));
    float raised = 0.5F + 0.5F * float3_dot(normal, studio->up);
    float3 sky = float3_lerp(bounce, sky_color, raised);
    sky = float3_add(sky, float3_scale(0.16F * fill, float3_make(1, 1, 1)));

    // The sky's mirror image: a bright band overhead, dim below; blurred by a smooth step as roughness would.
    float3 mirrored = float3_mad(float3_scale(-1, to_viewer), 2 * cosine, normal);
    // Metal shows it sharper, with a dark horizon, without which it would be as light as the background.
    float height = float3_dot(mirrored, studio->up);
    float band = is_metal ? smooth_step(-0.05F, 0.85F, height) : smooth_step(-0.3F, 0.9F, height);
    float dim = is_metal ? 0.05F + 0.12F * smooth_step(0.1F, 1, -height) : 0.15F;
    float3 mirror = float3_scale(fresnel(f.mirrored, cosine) * (dim + 0.75F * band) * 0.6F,
                                 float3_multiply(tint, float3_make(0.95F, 0.98F, 1)));
    float shine = (is_metal ? 0.35F : 1.9F) * highlight(normal, studio->to_lamp, to_viewer, f);
    float3 shining = float3_multiply(tint, lamp_color);

    return (cdg_shade){.lamp = float3_mad(float3_scale(lamp, float3_multiply(color, lamp_color)), shine, shining),
                       .sky = float3_add(float3_multiply(color, sky), mirror)};
}

float3 cdg_studio_ground(const cdg_studio *studio, float3 background, float lamp_seen, float sky_seen, float distance) {
    (void)studio;
    float fade = 1 - smooth_step(ground_begin_fade, ground_end_fade, distance);
    float hidden_lamp = 0.50F * fade * (1 - lamp_seen), hidden_sky = 0.60F * fade * (1 - sky_seen);
    // Shadows are a little bluer than the light that is missing.
    float3 lamp_part = float3_make(1 - 1.03F * hidden_lamp, 1 - hidden_lamp, 1 - 0.95F * hidden_lamp);
    return float3_multiply(background, float3_scale(1 - hidden_sky, lamp_part));
}

float cdg_studio_ground_end(void) { return ground_end_fade; }

float cdg_studio_sky_hidden(const cdg_studio *studio, float distance) {
    float rest = clamp_unit(1 - distance / studio->reach);
    return rest * rest;
}

static float shoulder(float x) { return x < 0.7F ? x : 0.7F + 0.3F * (1 - expf(-(x - 0.7F) / 0.3F)); }

float3 cdg_tone(float3 light) { return float3_make(shoulder(light.x), shoulder(light.y), shoulder(light.z)); }
