// Stiffness and inertia of a section of isotropic material: the constitutive law of a Timoshenko (Simo-Reissner) rod,
// diagonal because d1 and d2 are the section's principal axes and all our sections have two axes of symmetry.
#include <cordage/rod.h>

#include "base/error.h"

#include <math.h>

cdg_material cdg_material_default(void) {
    return (cdg_material){.young_modulus = 1e6, .poisson_ratio = 0.5, .density = 1100};
}

static cdg_result check_material(const cdg_material *material, cdg_error *error) {
    if (!(material->young_modulus > 0) || !isfinite(material->young_modulus)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "material: young_modulus is %g Pa; give a finite pressure greater than 0",
                        material->young_modulus);
    }
    if (!(material->poisson_ratio > -1 && material->poisson_ratio <= 0.5)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "material: poisson_ratio is %g; an isotropic solid has one above -1 and at most 0.5",
                        material->poisson_ratio);
    }
    if (!(material->shear_modulus >= 0) || !isfinite(material->shear_modulus)) {
        return cdg_fail(
            error, CDG_ERROR_ARGUMENT,
            "material: shear_modulus is %g Pa; give a finite pressure greater than 0, or 0 to have it computed "
            "from young_modulus and poisson_ratio",
            material->shear_modulus);
    }
    if (!(material->stretch_modulus >= 0) || !isfinite(material->stretch_modulus)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT,
                        "material: stretch_modulus is %g Pa; give a finite pressure greater than 0, or 0 for that of "
                        "young_modulus",
                        material->stretch_modulus);
    }
    if (!(material->density > 0) || !isfinite(material->density)) {
        return cdg_fail(error, CDG_ERROR_ARGUMENT, "material: density is %g kg/m^3; give a finite value greater than 0",
                        material->density);
    }
    const struct {
        const char *name;
        double time;
    } damping[] = {{"stretch", material->damping_stretch},
                   {"shear", material->damping_shear},
                   {"bend", material->damping_bend},
                   {"twist", material->damping_twist}};
    for (size_t i = 0; i < sizeof damping / sizeof damping[0]; ++i) {
        if (!(damping[i].time >= 0) || !isfinite(damping[i].time)) {
            return cdg_fail(error, CDG_ERROR_ARGUMENT,
                            "material: damping of %s is %g s; give a finite time of 0 or more", damping[i].name,
                            damping[i].time);
        }
    }
    return CDG_OK;
}

cdg_result cdg_stiffness_compute(const cdg_material *material, const cdg_section *section, cdg_stiffness *out,
                                 cdg_error *error) {
    if (material == NULL) return cdg_fail_null(error, "material");
    if (section == NULL) return cdg_fail_null(error, "section");
    if (out == NULL) return cdg_fail_null(error, "out");
    cdg_result result = check_material(material, error);
    if (result != CDG_OK) return result;
    cdg_section_properties properties;
    result = cdg_section_compute(section, material->poisson_ratio, &properties, error);
    if (result != CDG_OK) return result;

    double young_modulus = material->young_modulus, density = material->density;
    double shear_modulus =
        material->shear_modulus > 0 ? material->shear_modulus : young_modulus / (2 * (1 + material->poisson_ratio));
    double stretch_modulus = material->stretch_modulus > 0 ? material->stretch_modulus : young_modulus;
    // Sections of a taut rod tilt, and shear in place of stretching, once tension exceeds the stiffness against shear.
    // A material that stretches less than it bends resists that, too, or its rods would give way at a few per cent.
    double stiffening = fmax(1, stretch_modulus / young_modulus);
    cdg_stiffness stiffness = {
        .shear = {stiffening * shear_modulus * properties.area * properties.shear_factor[0],
                  stiffening * shear_modulus * properties.area * properties.shear_factor[1]},
        .stretch = stretch_modulus * properties.area,
        .bend = {young_modulus * properties.second_moment[0], young_modulus * properties.second_moment[1]},
        .twist = shear_modulus * properties.torsion_constant,
        .mass = density * properties.area,
        .inertia = {density * properties.second_moment[0], density * properties.second_moment[1],
                    density * properties.polar_moment},
        .radius = properties.bounding_radius,
    };
    const double values[] = {stiffness.shear[0],   stiffness.shear[1],   stiffness.stretch, stiffness.bend[0],
                             stiffness.bend[1],    stiffness.twist,      stiffness.mass,    stiffness.inertia[0],
                             stiffness.inertia[1], stiffness.inertia[2], stiffness.radius};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; ++i) {
        // below the smallest normal number digits are lost
        if (!(values[i] >= 1e-300) || !isfinite(values[i])) {
            return cdg_fail(
                error, CDG_ERROR_ARGUMENT,
                "material and section: a stiffness or inertia of %g is beyond what numbers can hold; check the "
                "units of young_modulus, density and the section's sizes",
                values[i]);
        }
    }
    *out = stiffness;
    return CDG_OK;
}
