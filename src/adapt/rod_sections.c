// Sections by material place: sizes are linear along the rod, and what follows from them is computed where it is asked
// for. Mass is the exception. That of an element is its length times that of its middle, which halves do not add up to
// (by an eighth of the change of size along it, squared): they share what there is, or mass would come and go.
#include "adapt/rod_sections.h"

#include "rods/rod_model.h"

#include <math.h>

static cdg_stiffness stiffness_at(const cdg_rod *rod, double arc) {
    cdg_section section = cdg_section_interpolate(&rod->section[0], &rod->section[1], fmin(arc / rod->length, 1));
    cdg_stiffness s = {0};
    (void)cdg_stiffness_compute(&rod->adapt->material, &section, &s, NULL); // as it was when the rod was built
    return s;
}

// Rotary inertia goes with the mass, which a change of the rest length has spread anew.
static void set_element(cdg_rod *rod, size_t j, const cdg_stiffness *s, double line_mass) {
    rod->stretch_stiffness[0][j] = s->shear[0];
    rod->stretch_stiffness[1][j] = s->shear[1];
    rod->stretch_stiffness[2][j] = s->stretch;
    rod->line_mass[j] = line_mass;
    for (int k = 0; k < 3; k++) rod->frame_inertia[k][j] = s->inertia[k] * (line_mass / s->mass);
    if (rod->model->prepare_section != NULL) rod->model->prepare_section(rod, j);
}

static void set_node(cdg_rod *rod, size_t i) {
    cdg_stiffness s = stiffness_at(rod, rod->adapt->arc[i]);
    rod->bend_stiffness[0][i] = s.bend[0];
    rod->bend_stiffness[1][i] = s.bend[1];
    rod->bend_stiffness[2][i] = s.twist;
    rod->radius[i] = s.radius;
}

void cdg_sections_halve(cdg_rod *rod, size_t element) {
    if (rod->section_stride == 0) return;
    double length = rod->rest_length[element], first = rod->adapt->arc[element], whole = rod->line_mass[element];
    cdg_stiffness a = stiffness_at(rod, first + length / 2), b = stiffness_at(rod, first + 1.5 * length);
    double share = 2 * whole / (a.mass + b.mass);
    set_element(rod, element, &a, share * a.mass);
    set_element(rod, element + 1, &b, share * b.mass);
    set_node(rod, element + 1);
}

void cdg_sections_join(cdg_rod *rod, size_t element) {
    if (rod->section_stride == 0) return;
    cdg_stiffness s = stiffness_at(rod, rod->adapt->arc[element] + rod->rest_length[element]);
    set_element(rod, element, &s, (rod->line_mass[element] + rod->line_mass[element + 1]) / 2);
}
