// Maps are straight or bent lines in Oklab, whose distances follow what the eye sees: equal steps of the value are
// equal steps of lightness. (Ottosson, A perceptual color space for image processing, 2020.)
#include "fields/color_map.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const double degree = 0.017453292519943295;

float cdg_srgb_encode(float linear) {
    if (!(linear > 0)) return 0;
    if (linear >= 1) return 1;
    return linear <= 0.0031308F ? 12.92F * linear : 1.055F * powf(linear, 1 / 2.4F) - 0.055F;
}

float cdg_srgb_decode(float encoded) {
    if (!(encoded > 0)) return 0;
    if (encoded >= 1) return 1;
    return encoded <= 0.04045F ? encoded / 12.92F : powf((encoded + 0.055F) / 1.055F, 2.4F);
}

static void lab_to_linear(double lightness, double a, double b, double rgb[3]) {
    double l = lightness + 0.3963377774 * a + 0.2158037573 * b;
    double m = lightness - 0.1055613458 * a - 0.0638541728 * b;
    double s = lightness - 0.0894841775 * a - 1.2914855480 * b;
    l = l * l * l, m = m * m * m, s = s * s * s;
    rgb[0] = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s;
    rgb[1] = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s;
    rgb[2] = -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s;
}

void cdg_color_to_lab(float3 c, double lab[3]) {
    double l = cbrt(0.4122214708 * c.x + 0.5363325363 * c.y + 0.0514459929 * c.z);
    double m = cbrt(0.2119034982 * c.x + 0.6806995451 * c.y + 0.1073969566 * c.z);
    double s = cbrt(0.0883024619 * c.x + 0.2817188376 * c.y + 0.6299787005 * c.z);
    lab[0] = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s;
    lab[1] = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s;
    lab[2] = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s;
}

static bool is_shown(const double rgb[3]) {
    for (int k = 0; k < 3; k++)
        if (rgb[k] < -1e-9 || rgb[k] > 1 + 1e-9) return false;
    return true;
}

float3 cdg_color_from_lch(double lightness, double chroma, double hue) {
    double rgb[3], low = 0, high = chroma;
    lab_to_linear(lightness, chroma * cos(hue), chroma * sin(hue), rgb);
    if (!is_shown(rgb)) {
        for (int i = 0; i < 30; i++) {
            double middle = 0.5 * (low + high);
            lab_to_linear(lightness, middle * cos(hue), middle * sin(hue), rgb);
            if (is_shown(rgb))
                low = middle;
            else
                high = middle;
        }
        lab_to_linear(lightness, low * cos(hue), low * sin(hue), rgb);
    }
    return float3_make(clamp_unit((float)rgb[0]), clamp_unit((float)rgb[1]), clamp_unit((float)rgb[2]));
}

// From violet through blue-green to yellow, as lightness grows.
static float3 rising_color(double t) {
    double hue = (310 - 205 * t) * degree, chroma = 0.145 - 0.06 * sin(3.14159265 * t) + 0.03 * t;
    return cdg_color_from_lch(0.30 + 0.61 * t, chroma, hue);
}

// Blue, grey, red. Lightness falls equally to both sides. The grey is darker than light backgrounds and lighter than
// dark ones: what has no tension must be seen, too.
static float3 diverging_color(double t) {
    double side = fabs(2 * t - 1), chroma = 0.17 * sin(1.5707963 * fmin(1, 1.15 * side));
    return cdg_color_from_lch(0.72 - 0.28 * side, chroma, (t < 0.5 ? 255 : 30) * degree);
}

cdg_color_map cdg_color_map_make(cdg_color_map_kind kind) {
    cdg_color_map map;
    for (int i = 0; i < CDG_COLOR_MAP_SIZE; i++) {
        double t = (double)i / (CDG_COLOR_MAP_SIZE - 1);
        map.colors[i] = kind == CDG_COLOR_MAP_RISING ? rising_color(t) : diverging_color(t);
    }
    return map;
}

float3 cdg_color_map_at(const cdg_color_map *map, double fraction) {
    if (isnan(fraction)) return float3_make(0.2F, 0.2F, 0.2F);
    double position = fmin(fmax(fraction, 0), 1) * (CDG_COLOR_MAP_SIZE - 1);
    int low = (int)position;
    if (low > CDG_COLOR_MAP_SIZE - 2) low = CDG_COLOR_MAP_SIZE - 2;
    return float3_lerp(map->colors[low], map->colors[low + 1], (float)(position - low));
}

static const double few_colors[][3] = { // lightness, chroma, hue in degrees
    {0.62, 0.185, 40},  {0.55, 0.130, 245}, {0.66, 0.125, 165}, {0.78, 0.150, 85},
    {0.50, 0.150, 305}, {0.68, 0.110, 215}, {0.60, 0.180, 10},  {0.45, 0.040, 250}};
static const size_t few = sizeof few_colors / sizeof *few_colors;

static float3 one_of_few(size_t index) {
    const double *lch = few_colors[index % few];
    return cdg_color_from_lch(lch[0], lch[1], lch[2] * degree);
}

float3 cdg_rod_color(size_t rod, size_t count) {
    if (count <= few) return one_of_few(rod);
    double t = (double)rod / (double)(count - 1);
    return cdg_color_from_lch(0.60 + 0.10 * sin(9.42477796 * t), 0.14, (35 + 220 * t) * degree);
}

// Violet and pink are what many rods leave.
float3 cdg_solid_color(size_t solid, size_t count, size_t rods) {
    return rods > few ? one_of_few(4 + 2 * solid) : cdg_rod_color(rods + solid, rods + count);
}

float3 cdg_hair_color(size_t strands, size_t rod) {
    static const double palette[][3] = {// lightness, chroma, hue in degrees
                                        {0.47, 0.075, 58},
                                        {0.72, 0.090, 78},
                                        {0.46, 0.105, 42},
                                        {0.32, 0.030, 60}};
    const double *lch = palette[strands % (sizeof palette / sizeof *palette)];
    // the golden ratio spreads neighbours far apart
    double first = fmod(0.6180339887498949 * (double)(rod + 1), 1), second = fmod(0.7548776662466927 * (double)rod, 1);
    return cdg_color_from_lch(lch[0] + 0.16 * (first - 0.5), lch[1] * (0.8 + 0.4 * second),
                              (lch[2] + 12 * (second - 0.5)) * degree);
}

bool cdg_color_parse(const char *text, float3 *out) {
    size_t length = strlen(text);
    if (text[0] != '#' || (length != 4 && length != 7)) return false;
    for (size_t i = 1; i < length; i++)
        if (!isxdigit((unsigned char)text[i])) return false;
    unsigned long bits = strtoul(text + 1, NULL, 16);
    if (length == 4) bits = (bits & 0xf00) * 0x1100 + (bits & 0xf0) * 0x110 + (bits & 0xf) * 0x11;
    *out = float3_make(cdg_srgb_decode((float)(bits >> 16) / 255), cdg_srgb_decode((float)((bits >> 8) & 255) / 255),
                       cdg_srgb_decode((float)(bits & 255) / 255));
    return true;
}
