// Colours: maps from numbers to colours with even steps for the eye, a palette for rods, and sRGB.
#ifndef CDG_FIELDS_COLOR_MAP_H
#define CDG_FIELDS_COLOR_MAP_H

#include "math/float3.h"

typedef enum cdg_color_map_kind {
    CDG_COLOR_MAP_RISING,    // from dark to light, for values of one sign
    CDG_COLOR_MAP_DIVERGING, // two hues about a grey middle, for values about zero
} cdg_color_map_kind;

enum { CDG_COLOR_MAP_SIZE = 256 };
typedef struct cdg_color_map {
    float3 colors[CDG_COLOR_MAP_SIZE]; // linear light
} cdg_color_map;

cdg_color_map cdg_color_map_make(cdg_color_map_kind kind);
float3 cdg_color_map_at(const cdg_color_map *map, double fraction); // clamped to [0, 1]; not a number: grey

// The colour of a rod among `count`: distinct ones for a few, steps of a gradient for many.
float3 cdg_rod_color(size_t rod, size_t count);
// The same for solids in a scene of so many rods, none of which they look like.
float3 cdg_solid_color(size_t solid, size_t count, size_t rods);
// Guides and fibres of hair, counted from 0; no two quite alike. Strands from 0 on are brown, fair, auburn, dark.
float3 cdg_hair_color(size_t strands, size_t rod);

// Oklab (Ottosson 2020) lightness, chroma and hue in rad to linear sRGB; less chroma where the screen has not that
// much.
float3 cdg_color_from_lch(double lightness, double chroma, double hue);
void cdg_color_to_lab(float3 color, double lab[3]);

float cdg_srgb_encode(float linear); // both [0, 1]
float cdg_srgb_decode(float encoded);
// "#rrggbb" or "#rgb" to linear light.
bool cdg_color_parse(const char *text, float3 *out);

#endif
