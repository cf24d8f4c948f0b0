// Numbers that fit their keys and are unlike anything there is: almost surely a unit that was forgotten. Warnings only,
// and none for a number that is not in the text (node NULL).
#include "math/vec3.h"
#include "scene/reader.h"

// Foams have 20 kg/m^3 and more, osmium has 22600.
void cdg_check_density(scene_reader *reader, const scene_node *node, double density) {
    if (node == NULL || !(density > 0)) return;
    if (density > 25000)
        cdg_reader_warn(reader, node,
                        "a density of %g kg/m^3 is unlike any material; rubber has 1100 kg/m^3, which is 1.1 g/cm^3",
                        density);
    if (density < 20)
        cdg_reader_warn(
            reader, node,
            "a density of %g kg/m^3 is lighter than foam; in g/cm^3 it would be %g kg/m^3: write '%g g/cm^3'", density,
            1000 * density, density);
}

// Jelly has some kPa; diamond has 1.2 TPa.
void cdg_check_stiffness_and_density(scene_reader *reader, const scene_node *young_node, double young,
                                     const scene_node *density_node, double density) {
    if (young_node != NULL && young < 1000)
        cdg_reader_warn(reader, young_node,
                        "a young_modulus of %g Pa is softer than jelly; a unit forgotten, such as MPa or GPa?", young);
    if (young_node != NULL && young > 2e12)
        cdg_reader_warn(reader, young_node,
                        "a young_modulus of %g Pa is stiffer than diamond, which has 1.2 TPa; steel has 200 GPa",
                        young);
    cdg_check_density(reader, density_node, density);
}

void cdg_check_friction(scene_reader *reader, const scene_node *node, double friction) {
    if (node == NULL || !(friction > 3)) return;
    cdg_reader_warn(reader, node, "a coefficient of friction of %g; most are below 1: was '%g %%' meant?", friction,
                    friction);
}

void cdg_check_gravity(scene_reader *reader, const scene_node *node, cdg_vec3 gravity) {
    double size = vec3_norm(gravity);
    if (size > 1000)
        cdg_reader_warn(reader, node,
                        "a gravity of %g m/s^2 is %.0f times that of the earth, 9.81 m/s^2; gravity is in SI like all "
                        "numbers without a unit",
                        size, size / 9.81);
    else if (gravity.x == 0 && gravity.y == 0 && gravity.z > 9 && gravity.z < 11)
        cdg_reader_warn(reader, node, "gravity points up; things fall down with [0, 0, -%g]", gravity.z);
}

void cdg_check_slenderness(scene_reader *reader, const scene_node *node, const char *where, double length,
                           double radius) {
    enum { SLENDER_MAX = 50000, LONG = 10 }; // a power line over a valley has 20,000; m
    if (length < LONG || !(length > SLENDER_MAX * 2 * radius)) return;
    cdg_reader_warn(reader, node,
                    "%s is %g m long and %g m thick, %.0f times as long as thick; coordinates without a unit are in "
                    "metres: was '%g mm' meant?",
                    where, length, 2 * radius, length / (2 * radius), length);
}
