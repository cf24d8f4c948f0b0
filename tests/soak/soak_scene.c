// The generator of random scenes. A scene belongs to a family (free rods, a pile, links, a structure, ...), which
// decides what is in it; sizes, stiffnesses, options, loads and motions are drawn from ranges in which a careful user
// might be, and what the documents refuse is left out: such scenes must run to their end. One scene in sixteen takes
// them from wild ranges, or lets rods begin in each other: it may stop, but only with a sentence.
#include "soak_scene.h"

#include "soak_solids.h"
#include "soak_writer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const model_names[MODEL_COUNT] = {"pobd", "corde", "reference", "der", "galpha"};

// ---- materials, sections, options -----------------------------------------------------------------------------------

static void write_material(writer *w) {
    put(w, "material: {young_modulus: %.3g, density: %.3g", w->modulus,
        w->is_wild ? decades(w, 50, 2e4) : even(w, 500, 8000));
    if (chance(w, 0.4)) put(w, ", poisson_ratio: %.2g", even(w, 0, 0.5));
    if (chance(w, 0.4)) put(w, ", damping: %.2g", decades(w, 1e-5, 1e-2));
    put(w, "}");
}

static void write_section(writer *w, bool may_taper) {
    double r = w->radius;
    int kind = whole(w, 0, 5);
    double thin = even(w, 0.4, 1);
    static const char *const formats[] = {
        "circle: {radius: %.4g}",
        "circle: {radius: %.4g}",
        "ellipse: {semi_axes: [%.4g, %.4g]}",
        "rectangle: {width: %.4g, height: %.4g}",
        "tube: {radius: %.4g, inner_radius: %.4g}",
    };
    if (kind == 5) { // a taper, where the thing has two ends
        put(w, "section: {circle: {radius: %.4g}", r);
        if (may_taper) put(w, ", end: {circle: {radius: %.4g}}", r * thin);
        put(w, "}");
        return;
    }
    double first = kind == 3 ? 1.4 * r : r, second = kind == 3 ? 1.4 * r * thin : kind == 4 ? 0.8 * r * thin : r * thin;
    put(w, "section: {");
    put(w, formats[kind], first, second);
    put(w, "}");
}

static void write_matter(writer *w, bool may_taper) {
    if (chance(w, 0.85)) {
        write_material(w);
        put(w, ", ");
        write_section(w, may_taper);
        return;
    }
    double r = w->radius, area = 3.14 * r * r, bend = 0.25 * w->modulus * area * r * r;
    put(w, "stiffness: {stretch: %.3g, bend: [%.3g, %.3g], twist: %.3g, mass: %.3g, radius: %.3g}", w->modulus * area,
        bend, bend * even(w, 0.3, 1), bend * even(w, 0.3, 1), 1000 * area, r);
    if (chance(w, 0.5)) put(w, ", damping: {bend: %.2g, twist: %.2g}", decades(w, 1e-5, 1e-2), decades(w, 1e-5, 1e-2));
}

typedef enum written_use { ALONE, JOINED, WELDED } written_use;

// Options of a model; joints are known to few of them, and what is welded to a free body must stretch. Tells whether
// the rod cannot be stretched.
static bool write_options(writer *w, soak_model model, written_use use) {
    static const char *const integrators[] = {"bdf2", "euler"};
    bool has_joints = use == JOINED, keeps_length = false;
    bool may_adapt = use == ALONE && (model == POBD || model == CORDE || model == DER);
    bool is_explicit = !has_joints && (w->is_wild || !w->has_step) && chance(w, 0.35);
    switch (model) {
    case POBD: {
        bool sweeps = has_joints || chance(w, 0.5);
        bool is_paper = sweeps && !has_joints && chance(w, 0.15);
        may_adapt = may_adapt && !is_paper;
        if (w->rod_count > 0) w->rods[w->rod_count - 1].is_rigid = is_paper;
        put(w, "pobd: {solver: %s, integrator: %s", sweeps ? "gauss_seidel" : "direct",
            is_paper ? "euler" : integrators[whole(w, 0, 1)]);
        if (chance(w, 0.5)) put(w, ", iterations: %d", sweeps ? whole(w, 2, 40) : whole(w, 4, 20));
        if (chance(w, 0.3)) put(w, ", darboux: tangent");
        if (is_paper) put(w, ", stiffness: {paper: {stretch: 1, bend: [%.2g, 1, 0.5]}}", even(w, 0, 1));
        if (sweeps && chance(w, 0.2)) put(w, ", long_range_attachments: true");
        put(w, "}");
        break;
    }
    case CORDE:
        put(w, "corde: {coupling: %s", chance(w, 0.5) ? "penalty" : "constraint");
        if (chance(w, 0.3)) put(w, ", inertia_factor: %.3g", decades(w, 1, 1000));
        put(w, "}");
        break;
    case REFERENCE:
        put(w, "reference: {dissipation: %.2g, darboux: %s}", chance(w, 0.5) ? 0 : even(w, 0, 0.5),
            chance(w, 0.5) ? "angle" : "sine");
        break;
    case DER:
        if (is_explicit) {
            static const char *const constraints[] = {"none", "projection", "rattle"};
            int constraint = whole(w, 0, 2);
            keeps_length = constraint > 0;
            may_adapt = false;
            put(w, "der: {integrator: explicit, constraint: %s", constraints[constraint]);
        } else {
            put(w, "der: {integrator: implicit, scheme: %s", has_joints ? "bdf2" : integrators[whole(w, 0, 1)]);
            is_explicit = chance(w, 0.3);
            if (is_explicit) put(w, ", twist: quasistatic");
        }
        if (w->rod_count > 0) w->rods[w->rod_count - 1].has_free_twist = is_explicit;
        if (chance(w, 0.3)) put(w, ", curvature: angle");
        put(w, "}");
        break;
    default:
        // without damping of short waves large motions gain energy (docs/models/galpha.md)
        put(w, "galpha: {lambda_infinity: %.2g", w->is_wild ? even(w, -1, 0) : even(w, -0.6, 0));
        keeps_length = use != WELDED && chance(w, 0.2);
        if (keeps_length) put(w, ", extensible: false");
        // with control parts change from trial to trial, which a weld cannot have (docs/models/galpha.md)
        if (use != WELDED && chance(w, 0.2)) put(w, ", step_error: %.2g", decades(w, 1e-4, 1e-2));
        put(w, "}");
    }
    if (w->rod_count > 0) w->rods[w->rod_count - 1].may_adapt = may_adapt;
    return keeps_length;
}

static bool write_model(writer *w, soak_model model, written_use use) {
    put(w, "model: %s, ", model_names[model]);
    return write_options(w, model, use);
}

static soak_model joined_model(writer *w) {
    static const soak_model models[] = {POBD, CORDE, DER};
    return models[whole(w, 0, 2)];
}

// ---- rods -----------------------------------------------------------------------------------------------------------

static written_rod *begin_rod(writer *w, soak_model model, int elements) {
    written_rod *rod = &w->rods[w->rod_count];
    snprintf(rod->name, sizeof rod->name, "r%d", w->rod_count);
    rod->model = model;
    rod->elements = elements;
    rod->has_free_twist = rod->may_adapt = rod->is_rigid = false;
    rod->is_closed = rod->keeps_length = rod->is_coiled = rod->is_straight = rod->has_own_length = false;
    w->rod_count++;
    put(w, "  - {name: %s, elements: %d, ", rod->name, elements);
    return rod;
}

// At least as many as its weight's bends need, the radius of which is (E r^2/(4 rho g))^(1/3); `cordage check` advises
// so. An element of the reference model takes fifty times as long.
static int some_elements(writer *w, soak_model model) {
    double bend = cbrt(w->modulus * w->radius * w->radius / (4 * 4000 * 9.81));
    int most = model == REFERENCE ? 15 : 30, least = w->is_wild ? 1 : (int)fmin(most, 1 + w->length / bend);
    int count = chance(w, 0.1) ? whole(w, 1, 4) : whole(w, 5, most);
    return count < least ? least : count;
}

// A turn takes eight elements, or it is no turn.
static double some_turns(const writer *w, const written_rod *rod, double wanted) {
    return w->is_wild ? wanted : fmin(wanted, rod->elements / 8.0);
}

// A curve of about the writer's length that stays within a lane around y.
static void write_curve(writer *w, double y, double z, written_rod *rod) {
    double L = w->length, r = w->radius;
    bool may_close = rod->model != GALPHA && rod->elements >= 12, may_knot = w->is_wild || rod->elements >= 28;
    switch (whole(w, 0, !may_close ? 6 : !may_knot ? 7 : 8)) {
    case 0:
    case 1:
        put(w, "line: {from: [0, %.4g, %.4g], to: [%.4g, %.4g, %.4g]}", y, z, L, y, z + even(w, -0.3, 0.3) * L);
        rod->is_straight = true;
        break;
    case 2: {
        double angle = even(w, 0.2, 4.5);
        put(w, "arc: {start: [0, %.4g, %.4g], radius: %.4g, angle: %.4g}", y, z, L / angle, angle);
        break;
    }
    case 3:
        put(w, "helix: {base: [0, %.4g, %.4g], axis: [1, 0, 0], radius: %.4g, pitch: %.4g, turns: %.3g%s}", y, z,
            even(w, 3, 8) * r, even(w, 5, 12) * r, some_turns(w, rod, even(w, 1, 4)),
            chance(w, 0.5) ? ", left_handed: true" : "");
        rod->is_coiled = true;
        break;
    case 4:
    case 5: {
        const char *kind = chance(w, 0.5) ? "spline" : "points";
        rod->has_own_length = true;
        int count = whole(w, 2, 5);
        put(w, "%s: [", kind);
        for (int i = 0; i < count; i++)
            put(w, "%s[%.4g, %.4g, %.4g]", i > 0 ? ", " : "", L * i / (count - 1), y + even(w, -2, 2) * r,
                z + even(w, -0.1, 0.1) * L);
        put(w, "]");
        break;
    }
    case 6:
        if (w->has_file) { // where another rod is already
            put(w, "line: {from: [0, %.4g, %.4g], to: [%.4g, %.4g, %.4g]}", y, z, L, y, z);
        } else {
            put(w, "file: curve.csv");
            rod->has_own_length = true;
        }
        w->has_file = true;
        break;
    case 7:
        put(w, "circle: {center: [0, %.4g, %.4g], axis: [0.1, 1, 0.2], radius: %.4g}", y, z, L / 6.28);
        rod->is_closed = true;
        break;
    default:
        put(w, "knot: {torus: [2, %d], center: [0, %.4g, %.4g], axis: [0, 1, 0], radius: %.4g, tube_radius: %.4g}",
            chance(w, 0.5) ? 3 : 5, y, z, 20 * r, 8 * r);
        rod->is_closed = rod->is_coiled = true;
    }
}

static void write_rest(writer *w, const written_rod *rod) {
    double turns = some_turns(w, rod, 3), turn = w->length / turns, round = 0.0628 * w->length;
    double along = sqrt(turn * turn - round * round); // so that it is as long as the rod
    // galpha begins with the moments that its ends allow (docs/models/galpha.md)
    bool is_initial = rod->is_coiled || rod->has_own_length || rod->keeps_length ||
                      (rod->model == GALPHA && !rod->is_straight) ||
                      (rod->is_rigid && !rod->is_straight); // no straight rod stands a ring then
    switch (is_initial && !w->is_wild ? 2 : whole(w, 0, rod->model == GALPHA && !w->is_wild ? 3 : 5)) {
    case 0:
    case 1: break; // the default
    case 2:
    case 3: put(w, ", rest: initial"); break;
    case 4:
        put(w, ", rest: {curvature: [%.3g, %.3g], twist: %.3g}", even(w, -3, 3), even(w, -3, 3), even(w, -3, 3));
        break;
    default:
        if (rod->is_closed) break;
        if (w->is_wild)
            put(w, ", rest: {centerline: {helix: {radius: 2 cm, pitch: 3 cm, turns: 3}}}");
        else
            put(w, ", rest: {centerline: {helix: {radius: %.3g, pitch: %.3g, turns: %.3g}}}", 0.01 * w->length, along,
                turns);
    }
}

static void write_start(writer *w, const written_rod *rod) {
    if ((w->is_wild || rod->model != GALPHA) && chance(w, 0.2)) put(w, ", twist: %.3g", even(w, -5, 5));
    if (chance(w, 0.2)) put(w, ", roll: %.3g", even(w, -3, 3));
    if (chance(w, 0.2)) {
        put(w, ", velocity: ");
        write_vector(w, w->is_wild ? 5 : 1);
    }
    if (chance(w, 0.2)) {
        put(w, ", angular_velocity: ");
        write_vector(w, w->is_wild ? 20 : 5);
    }
}

// Resolution that follows the shape, in one rod of five that can. Its section does not vary.
static bool write_adapt(writer *w, const written_rod *rod) {
    if (!rod->may_adapt || !chance(w, 0.2)) return false;
    double angle = even(w, 0.2, 0.5);
    put(w, ", adapt: {angle: %.2g, coarsen: %.2g, levels: %d, hold: %.2g}", angle, even(w, 0.2, 0.45) * angle,
        whole(w, 1, 2), decades(w, 1e-3, 5e-2));
    return true;
}

// A rod anywhere in the lane about y.
static void write_rod(writer *w, soak_model model, double y, double z) {
    written_rod *rod = begin_rod(w, model, some_elements(w, model));
    rod->keeps_length = write_model(w, model, ALONE);
    bool adapts = write_adapt(w, rod);
    put(w, ", centerline: {");
    write_curve(w, y, z, rod);
    put(w, "}, ");
    write_matter(w, !rod->is_closed && !adapts);
    write_rest(w, rod);
    write_start(w, rod);
    put(w, "}\n");
}

// A ring or a knot: what has a topology to keep.
static void write_ring(writer *w, soak_model model, const char *curve, int elements) {
    written_rod *rod = begin_rod(w, model, elements);
    rod->keeps_length = write_model(w, model, ALONE);
    write_adapt(w, rod);
    put(w, ", centerline: {%s}, ", curve);
    w->modulus = fmin(w->modulus, decades(w, w->is_wild ? 1e5 : 1e6, 1e8));
    write_material(w);
    put(w, ", section: {circle: {radius: %.4g}}", w->radius);
    // No straight rod stands a knot, nor a ring with the paper's factors, which are stiff at any size.
    bool is_tight = !w->is_wild && (model == POBD || strncmp(curve, "knot", 4) == 0);
    if (chance(w, 0.7) || is_tight) put(w, ", rest: initial");
    if (chance(w, 0.5)) {
        put(w, ", velocity: ");
        write_vector(w, w->is_wild ? 5 : 1);
    }
    put(w, "}\n");
    rod->is_closed = true;
}

// ---- supports, loads, probes ----------------------------------------------------------------------------------------

static void write_end_support(writer *w, const written_rod *rod, const char *place, bool moves) {
    static const char *const kinds[] = {"clamp", "clamp", "pin", "twist"};
    bool slides = rod->model == GALPHA && chance(w, 0.2);
    put(w, "  - {%s: %s.%s", slides ? "slide" : kinds[whole(w, 0, 3)], rod->name, place);
    if (slides) {
        put(w, ", along: ");
        write_direction(w);
        if (chance(w, 0.5)) put(w, ", holds_frame: true");
    }
    if (moves) write_motion(w, (w->is_wild ? 0.5 : 0.15) * w->length);
    if (chance(w, 0.15)) put(w, ", release: %.3g", even(w, 1e-3, 0.05));
    put(w, "}\n");
}

static void write_supports(writer *w) {
    bool is_begun = false;
    for (int i = 0; i < w->rod_count; i++) {
        const written_rod *rod = &w->rods[i];
        if (!chance(w, 0.6)) continue;
        if (!is_begun) put(w, "supports:\n");
        is_begun = true;
        write_end_support(w, rod, "start", chance(w, 0.4));
        if (rod->keeps_length && !w->is_wild) continue;
        if (!rod->is_closed && chance(w, 0.4)) write_end_support(w, rod, "end", chance(w, 0.4));
        if (rod->model != GALPHA && rod->elements > 4 && chance(w, 0.15))
            put(w, "  - {pin: %s.node(%d)}\n", rod->name, whole(w, 2, rod->elements - 2));
    }
}

static void write_loads(writer *w) {
    double weight = 3.14 * w->radius * w->radius * w->length * 1000 * 9.81; // N, a rod's, so that loads are not absurd
    double size = weight * (w->is_wild ? decades(w, 1, 1e4) : 3);
    int count = w->rod_count > 0 ? whole(w, 0, 3) : 0;
    if (count > 0) put(w, "loads:\n");
    for (int i = 0; i < count; i++) {
        const written_rod *rod = &w->rods[whole(w, 0, w->rod_count - 1)];
        int kind = whole(w, 0, 4);
        switch (kind == 1 && rod->has_free_twist && !w->is_wild ? 0 : kind) {
        case 0:
            put(w, "  - {force: ");
            write_vector(w, size);
            put(w, ", at: %s.node(%d)", rod->name, whole(w, 0, rod->elements - 1));
            if (chance(w, 0.2)) put(w, ", follow: true");
            break;
        case 1:
            put(w, "  - {moment: ");
            // a careful one bends the rod by a radian or so
            write_vector(w, w->is_wild
                                ? 0.1 * size * w->length
                                : fmin(0.1 * size * w->length, 0.5 * w->modulus * pow(w->radius, 4) / w->length));
            put(w, ", at: %s.middle", rod->name);
            break;
        case 2:
            put(w, "  - {line: ");
            write_vector(w, size / w->length);
            put(w, ", on: %s", rod->name);
            break;
        case 3: put(w, "  - {drag: %.3g", decades(w, 0.1, w->is_wild ? 1e4 : 20)); break;
        default: put(w, "  - {wind: "); write_vector(w, w->is_wild ? 100 : 10);
        }
        if (chance(w, 0.4)) put(w, ", from: %.3g", even(w, 0, 0.02));
        if (chance(w, 0.4)) put(w, ", ramp: %.3g", even(w, 1e-3, 0.1));
        put(w, "}\n");
    }
}

static void write_probes(writer *w) {
    static const char *const at_place[] = {"position", "velocity",  "frame", "angular_velocity", "tension",
                                           "moment",   "curvature", "twist", "section_force"};
    static const char *const of_rod[] = {"energy", "length", "contacts", "contact force"};
    if (w->rod_count == 0) return;
    put(w, "probes:\n  - {name: all, energy: all}\n");
    for (int i = 0; i < 3; i++) {
        const written_rod *rod = &w->rods[whole(w, 0, w->rod_count - 1)];
        if (chance(w, 0.7))
            put(w, "  - {name: p%d, %s: %s.middle}\n", i, at_place[whole(w, 0, 8)], rod->name);
        else
            put(w, "  - {name: p%d, %s: %s}\n", i, of_rod[whole(w, 0, 3)], rod->name);
    }
}

// ---- families -------------------------------------------------------------------------------------------------------

static soak_model any_model(writer *w) { return (soak_model)whole(w, 0, MODEL_COUNT - 1); }

static void free_rods(writer *w) { // no contact: lanes may be crossed
    int count = whole(w, 1, 4);
    put(w, "rods:\n");
    for (int i = 0; i < count; i++) write_rod(w, any_model(w), 0.1 * i, 0);
    write_supports(w);
    write_loads(w);
}

static void pile(writer *w) { // rods fall on a floor and on each other
    int count = whole(w, 1, 5);
    bool separates = w->is_wild && chance(w, 0.5);
    soak_model model = any_model(w);
    put(w, "rods:\n");
    for (int i = 0; i < count; i++) write_rod(w, chance(w, 0.8) ? model : any_model(w), 0.03 * i, 0.02 * i);
    if (chance(w, 0.4)) write_supports(w);
    bool has_galpha = false; // not for quick impacts (docs/models/galpha.md)
    for (int i = 0; i < w->rod_count; i++) has_galpha = has_galpha || w->rods[i].model == GALPHA;
    if (chance(w, 0.4) && (w->is_wild || !has_galpha)) write_loads(w);
    write_obstacles(w, -even(w, 0.1, 0.6) * w->length);
    write_contact(w, separates);
}

static void links(writer *w) { // rings through rings, and knots; all must stay what they are
    soak_model model;
    do {
        model = any_model(w);
    } while (model == GALPHA); // it has no closed rods
    double R = even(w, 12, 20) * w->radius;
    char curve[256];
    put(w, "rods:\n");
    if (chance(w, 0.5)) {
        int count = whole(w, 2, 4), elements = whole(w, 16, 30);
        for (int i = 0; i < count; i++) {
            snprintf(curve, sizeof curve, "circle: {center: [%.5g, 0, 0], axis: [0, %d, %d], radius: %.5g}",
                     1.25 * R * i, i % 2, 1 - i % 2, R);
            write_ring(w, model, curve, elements);
        }
    } else {
        snprintf(curve, sizeof curve, "knot: {torus: [2, %d], radius: %.5g, tube_radius: %.5g}", chance(w, 0.6) ? 3 : 5,
                 R, 0.42 * R);
        write_ring(w, model, curve, whole(w, 40, 60));
    }
    if (chance(w, 0.5)) {
        put(w, "supports:\n  - {pin: r0.start");
        if (chance(w, 0.5)) write_motion(w, 0.5 * R);
        put(w, "}\n");
    }
    write_loads(w);
    write_contact(w, false);
    w->scene.keeps_topology = true;
}

static void structure(writer *w) {
    soak_model model = joined_model(w);
    bool touches = model != DER && chance(w, 0.3); // its nets touch nothing
    int kind = whole(w, 0, 6);
    static const char *const shapes[] = {"net: {size: [40 cm, 30 cm], threads: [%d, 3]}",
                                         "truss: {size: [60 cm, 15 cm], bays: %d}",
                                         "ribbon: {size: [50 cm, 6 cm], bays: %d}",
                                         "chain: {radius: 5 cm, links: %d}",
                                         "spheroid: {radius: 15 cm, height: 30 cm, meridians: %d}",
                                         "tree: {length: 20 cm, levels: 2, branches: %d}",
                                         "chain: {radius: 5 cm, loose: true, links: %d}"};
    static const char *const held[] = {"s.h0.start", "s.lower.start", "s.left.start", "s.r0.start",
                                       "s.m0.start", "s.trunk.start", "s.r0.start"};
    bool is_loose = kind == 6;
    w->radius = even(w, 1e-3, 3e-3);
    put(w, "structures:\n  - {name: s, ");
    put(w, shapes[kind], whole(w, 2, 4));
    put(w, ", elements: %d, ", kind == 3 || is_loose ? 16 : kind == 4 ? 8 : whole(w, 1, 4));
    write_model(w, model, JOINED);
    put(w, ", ");
    write_material(w);
    put(w, ", section: {circle: {radius: %.4g}}", w->radius);
    if (chance(w, 0.3)) put(w, ", joint_stiffness: %.2g", even(w, 0, 2));
    put(w, "}\n");
    if (chance(w, 0.8)) {
        put(w, "supports:\n  - {%s: %s", chance(w, 0.5) ? "pin" : "clamp", held[kind]);
        if (chance(w, 0.4)) write_motion(w, 0.05);
        put(w, "}\n");
    }
    if (chance(w, 0.5)) put(w, "loads:\n  - {wind: [%.2g, 1, 0]}\n", even(w, 0, 10));
    if (touches) write_obstacles(w, -0.35);
    if (touches || is_loose) write_contact(w, false);
    w->scene.keeps_topology = is_loose;
}

static void joined_rods(writer *w) { // a trunk and branches, joined by hand
    soak_model model = joined_model(w);
    int elements = whole(w, 4, 16), count = whole(w, 1, 3);
    double L = w->length;
    double part = whole(w, 1, elements - 1);
    cdg_random options = w->random; // joined rods must agree in their options
    put(w, "rods:\n");
    for (int i = 0; i <= count; i++) {
        begin_rod(w, model, i == 0 ? elements : whole(w, 2, 10));
        cdg_random kept = w->random;
        w->random = options;
        write_model(w, model, JOINED);
        w->random = kept;
        if (i == 0)
            put(w, ", centerline: {line: {to: [%.6g, 0, 0]}}, ", L);
        else
            put(w, ", centerline: {line: {from: [%.17g, 0, 0], to: [%.6g, %.4g, %.4g]}}, ", L * part / elements,
                L * even(w, 0.2, 0.8), 0.3 * L * (i - 2), 0.4 * L);
        write_material(w);
        put(w, ", ");
        write_section(w, false);
        put(w, "}\n");
    }
    put(w, "joints:\n");
    put(w, "  - {join: [r0.node(%d)", (int)part);
    for (int i = 1; i <= count; i++) put(w, ", r%d.start", i);
    put(w, "]");
    if (chance(w, 0.4)) put(w, ", stiffness: %.2g", even(w, 0, 3));
    put(w, "}\n");
    put(w, "supports:\n  - {clamp: r0.start");
    if (chance(w, 0.4)) write_motion(w, 0.1 * L);
    put(w, "}\n");
    write_loads(w);
    if (model != DER && chance(w, 0.3)) {
        write_obstacles(w, -0.3 * L);
        write_contact(w, false);
    }
}

static void write_body(writer *w, int number, double x, double y, double z) {
    double s = even(w, 0.02, 0.06);
    static const char *const shapes[] = {
        "sphere: {radius: %.3g}", "box: {size: [%.3g, %.3g, 0.05]}", "capsule: {radius: %.3g, length: %.3g}",
        "cylinder: {radius: %.3g, height: %.3g}", "mesh: {file: cube.obj, scale: %.3g}"};
    put(w, "  - {name: b%d, shape: {", number);
    put(w, shapes[whole(w, 0, 4)], s, s * even(w, 0.5, 2));
    bool by_density = chance(w, 0.5);
    double least = w->is_wild ? 0.01 : 0.3; // of what a body of its size may have
    put(w, "}, %s: %.3g, position: [%.4g, %.4g, %.4g]", by_density ? "density" : "mass",
        decades(w, least, 1) * (by_density ? 8000 : 3), x, y, z);
    if (chance(w, 0.2)) {
        put(w, ", fixed: true");
        if (chance(w, 0.5)) write_motion(w, 0.05);
    } else if (chance(w, 0.5)) {
        put(w, ", velocity: ");
        write_vector(w, 1);
        put(w, ", angular_velocity: ");
        write_vector(w, w->is_wild ? 100 : 5);
    }
    if (chance(w, 0.3)) put(w, ", friction: %.2g, restitution: %.2g", even(w, 0, 1), even(w, 0, 1));
    put(w, "}\n");
}

static void bodies(writer *w) { // bodies on rods, and on a floor
    int count = whole(w, 1, 3);
    soak_model model = any_model(w);
    double L = w->length;
    // a rod that carries a body bends within (B/F)^(1/2), which elements must resolve
    if (!w->is_wild) w->modulus = fmax(w->modulus, 3e7);
    cdg_random options = w->random; // those that keep their lengths and others are not mixed
    put(w, "rods:\n");
    for (int i = 0; i < count; i++) {
        begin_rod(w, model, w->is_wild ? whole(w, 3, 12) : whole(w, 8, 16));
        cdg_random kept = w->random;
        w->random = options;
        write_model(w, model, WELDED);
        w->random = kept;
        put(w, ", centerline: {line: {from: [0, %.3g, 0], to: [%.4g, %.3g, 0]}}, ", 0.2 * i, L, 0.2 * i);
        write_matter(w, true);
        put(w, "}\n");
    }
    put(w, "bodies:\n");
    for (int i = 0; i < count; i++) write_body(w, i, L, 0.2 * i, 0);
    if (chance(w, 0.5)) write_body(w, count, L, 0, -0.25);
    put(w, "joints:\n");
    for (int i = 0; i < count; i++) put(w, "  - {weld: [r%d.end, b%d]}\n", i, i);
    if (chance(w, 0.7)) put(w, "supports:\n  - {clamp: r0.start}\n");
    if (chance(w, 0.3)) put(w, "loads:\n  - {drag: %.3g}\n", even(w, 0.1, 10));
    if (chance(w, 0.5)) write_obstacles(w, -0.5);
    put(w, "contact: off\n");
}

static void strands(writer *w) { // soft ones for corde, which takes stiff hair in thousands of sub-steps a step
    soak_model model = any_model(w);
    static const char *const roots[] = {"disc: {radius: 2 cm}", "cap: {radius: 9 cm, angle: 60 deg}",
                                        "mesh: {file: cube.obj, scale: 0.1}"};
    put(w, "strands:\n  - {name: s, roots: {%s}, guides: %d, fibers: %d, elements: %d, length: %.3g, seed: %d, ",
        roots[whole(w, 0, 2)], whole(w, 1, 20), whole(w, 0, 20), whole(w, 3, 20), even(w, 0.05, 0.3), whole(w, 0, 100));
    write_model(w, model, ALONE);
    put(w, ", material: {young_modulus: %.3g, density: 1320}, section: {%s}",
        model == CORDE ? decades(w, 1e6, 2e7) : decades(w, w->is_wild ? 1e6 : 2e8, 4e9),
        chance(w, 0.5) ? "circle: {radius: 0.2 mm}" : "ellipse: {semi_axes: [0.3 mm, 0.1 mm]}");
    if (chance(w, 0.5)) put(w, ", curl: {radius: 8 mm, pitch: 4 cm}");
    if (chance(w, 0.3)) put(w, ", clump: %.2g, frizz: 1 mm", even(w, 0, 1));
    if (chance(w, 0.4)) write_motion(w, 0.05);
    put(w, "}\n");
    if (chance(w, 0.4)) put(w, "loads:\n  - {drag: %.3g}\n", even(w, 0.1, 10));
}

static void equilibria(writer *w) {
    soak_model model = chance(w, 0.5) ? DER : GALPHA;
    int count = whole(w, 1, 2);
    w->scene.is_static = true;
    w->is_wild = false;       // a rod far from any equilibrium is a question of patience
    put(w, "contact: off\n"); // equilibria in which rods would touch are refused
    put(w, "rods:\n");
    for (int i = 0; i < count; i++) {
        int elements = some_elements(w, model);
        begin_rod(w, model, elements < 4 ? 4 : elements);
        if (model == DER)
            put(w, "model: der");
        else
            put(w, "model: galpha");
        put(w, ", centerline: {line: {from: [0, %.3g, 0], to: [%.4g, %.3g, 0]}}, ", 0.1 * i, w->length, 0.1 * i);
        write_matter(w, true);
        if (chance(w, 0.3)) put(w, ", rest: {curvature: [%.3g, %.3g]}", even(w, -2, 2), even(w, -2, 2));
        put(w, "}\n");
    }
    put(w, "supports:\n");
    for (int i = 0; i < count; i++) {
        put(w, "  - {clamp: r%d.start}\n", i);
        if (chance(w, 0.5))
            put(w, "  - {clamp: r%d.end, motion: [{move: [%.4g, 0, %.4g], to: 1}]}\n", i, -0.1 * w->length,
                even(w, 0.02, 0.1) * w->length);
    }
    if (chance(w, 0.5)) put(w, "loads:\n  - {force: [0, 0, %.3g], at: r0.middle, ramp: 1}\n", even(w, -0.01, 0.01));
}

static void only_solids(writer *w) { // on a floor and on each other
    write_solids(w);
    write_obstacles(w, -0.7 * 0.2 * w->length);
    write_contact(w, false);
}

typedef struct family {
    const char *name;
    void (*write)(writer *w);
    double share;
} family;
static const family families[] = {
    {"free rods", free_rods, 0.18}, {"pile", pile, 0.20},          {"links", links, 0.14},
    {"structure", structure, 0.12}, {"joints", joined_rods, 0.10}, {"bodies", bodies, 0.10},
    {"strands", strands, 0.05},     {"static", equilibria, 0.06},  {"solids", only_solids, 0.05},
};

soak_scene soak_scene_make(uint64_t seed, int attempt) {
    writer w = {.random = {seed + ((uint64_t)attempt << 40)}};
    for (int i = 0; i < 4; i++) random_bits(&w.random); // neighbouring seeds part
    w.is_wild = chance(&w, 1.0 / 16);
    w.length = even(&w, 0.2, 1);
    w.radius = w.length * decades(&w, 4e-3, 1.2e-2);
    double slender = w.radius / w.length; // fifteen elements resolve the bends of what is stiffer
    w.modulus = w.is_wild ? decades(&w, 1e4, 1e10) : fmax(decades(&w, 1e6, 1e9), 200 * w.length / (slender * slender));
    w.scene.step_count = whole(&w, 4, w.is_wild ? 10 : 40); // wild ones may take a thousand parts a step
    const family *chosen = &families[0];
    double share = random_unit(&w.random);
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        chosen = &families[i];
        if (share < chosen->share) break;
        share -= chosen->share;
    }
    w.scene.family = chosen->name;
    bool is_static = chosen->write == equilibria;
    put(&w, "cordage: 1\nsimulation: {");
    if (is_static)
        put(&w, "mode: static, duration: 1, static: {steps: 40}, modes: %d", whole(&w, 0, 2));
    else
        put(&w, "duration: 10");
    w.has_step = !is_static && chance(&w, 0.5);
    if (w.has_step) put(&w, ", step: %.3g", decades(&w, 1e-4, w.is_wild ? 2e-2 : 4e-3));
    if (chance(&w, 0.3)) {
        put(&w, ", gravity: ");
        write_vector(&w, w.is_wild && !is_static ? 100 : 10);
    }
    put(&w, "}\noutput: {every: %s}\n", is_static ? "0.1" : "40 ms");
    chosen->write(&w);
    if (!is_static && !w.has_solids && chance(&w, 0.28)) write_solids(&w); // one scene of four has some
    write_probes(&w);
    w.scene.may_stop = w.is_wild;
    if (w.is_out_of_memory) {
        free(w.scene.text);
        w.scene.text = NULL;
    }
    return w.scene;
}

void soak_scene_free(soak_scene *scene) { free(scene->text); }
