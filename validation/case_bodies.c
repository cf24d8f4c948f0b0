// Rigid bodies welded to rods: momentum with every model, the torque transducer and the Wilberforce pendulum of Bergou
// et al. 2008, section 9.4.
#include "validation/case_functions.h"
#include "validation/model_rods.h"

#include "base/error.h"
#include "math/quat.h"

#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;

typedef struct body_world {
    cdg_world *world;
    cdg_rod_id rod;
} body_world;

static cdg_result make(const validation_context *context, cdg_rod_def def, cdg_vec3 gravity, double step,
                       body_world *out, cdg_error *error) {
    cdg_world_def world_def = cdg_world_def_default();
    world_def.contact = CDG_CONTACT_OFF; // models alone
    world_def.gravity = validation_spoil_gravity(context, gravity);
    world_def.step = step;
    world_def.thread_count = 1;
    cdg_result result = cdg_world_create(&world_def, &out->world, error);
    if (result == CDG_OK) result = validation_spoil_rod(context, &def, error);
    if (result == CDG_OK) result = cdg_world_add_rod(out->world, &def, &out->rod);
    return result;
}

static cdg_result add_welded(const body_world *w, const cdg_body_def *def, size_t node, cdg_body_id *out) {
    cdg_result result = cdg_world_add_body(w->world, def, out);
    cdg_weld_def weld = {{w->rod, CDG_PLACE_NODE, node}, *out};
    return result == CDG_OK ? cdg_world_add_weld(w->world, &weld, NULL) : result;
}

static cdg_result close_world(body_world *w, cdg_result result, cdg_error *error) {
    if (result != CDG_OK && w->world != NULL && cdg_world_message(w->world)[0] != '\0')
        cdg_fail(error, result, "%.900s", cdg_world_message(w->world));
    cdg_world_destroy(w->world);
    w->world = NULL;
    return result;
}

// ---- momentum -------------------------------------------------------------------------------------------------------

// A block at the end of a rod, both thrown, turning and bending: momentum after a fifth of a second.
cdg_result validate_bodies_momentum(validation_context *context, cdg_error *error) {
    const cdg_vec3 gravity = {0, 0, -9.81};
    for (int m = 0; m < VALIDATION_MODEL_COUNT; m++) {
        double step = m == VALIDATION_CORDE || m == VALIDATION_DER_EXPLICIT ? 1e-4 : 1e-3, duration = 0.2;
        cdg_rod_def def = cdg_rod_def_default();
        model_choose((validation_model)m, &def);
        validation_under(context, (validation_model)m);
        def.element_count = 10;
        def.section.radius = 5e-3;
        def.material.poisson_ratio = 0.3;
        def.der.tolerance = 1e-12;
        def.velocity = vec3(1, 2, 3);
        def.angular_velocity = vec3(0, 1, 2);
        cdg_body_def block = cdg_body_def_default();
        block.shape.kind = CDG_SHAPE_BOX;
        block.shape.size = vec3(0.05, 0.03, 0.08);
        block.shape.position = vec3(1.02, 0.01, 0);
        block.velocity = vec3(1, 2, 3);
        block.angular_velocity = vec3(1, -2, 0.5);
        body_world w = {0};
        cdg_body_id id;
        cdg_result result = make(context, def, gravity, step, &w, error);
        if (result == CDG_OK) result = add_welded(&w, &block, 10, &id);
        cdg_vec3 start = {0}, end = {0}, spin;
        cdg_rod_info rod = {0};
        if (result == CDG_OK) {
            cdg_rod_get_info(w.world, w.rod, &rod);
            cdg_world_momentum(w.world, &start, &spin);
        }
        for (int i = 0; i < (int)round(duration / step) && result == CDG_OK; i++)
            result = cdg_world_step(w.world, NULL);
        if (result == CDG_OK) {
            char label[VALIDATION_TEXT_SIZE];
            cdg_body_info body;
            cdg_body_get_info(w.world, id, &body);
            cdg_world_momentum(w.world, &end, &spin);
            cdg_vec3 expected = vec3_mad(start, (rod.mass + body.mass) * duration, gravity);
            snprintf(label, sizeof label, "momentum of rod and body in flight against m v + m g t, %s",
                     validation_model_name((validation_model)m));
            bool is_iterated = m == VALIDATION_GAUSS_SEIDEL;
            validation_because(context, is_iterated ? "sweeps end before body and rod agree to rounding" : NULL);
            validation_add_limit(context, label, "", vec3_distance(end, expected) / vec3_norm(start),
                                 is_iterated ? 1e-4 : 1e-8);
        }
        result = close_world(&w, result, error);
        if (result != CDG_OK) return result;
        validation_progress(context, (m + 1.0) / VALIDATION_MODEL_COUNT);
    }
    return CDG_OK;
}

// ---- torque transducer ----------------------------------------------------------------------------------------------

enum { OUTPUTS = 250 };

typedef struct exchange {
    double drift;        // largest change of the total energy, relative
    double period;       // s
    double light, heavy; // largest energies of the bodies, relative to the total
    double momentum;     // largest spin about the axis, relative to that of one body
    size_t count;
    double time[OUTPUTS], rod[OUTPUTS], body[2][OUTPUTS]; // energies, J, over the first two periods
} exchange;

// Two disks at rest on a twisted rod: all energy is twist first, then goes to and fro.
static cdg_result run_transducer(validation_context *context, cdg_model model, double step, int steps,
                                 double inertia[2], exchange *out, cdg_error *error) {
    enum { ELEMENTS = 5 };
    cdg_rod_def def = cdg_rod_def_default();
    def.model = model;
    def.element_count = ELEMENTS;
    def.centerline.line.to = vec3(0.5, 0, 0);
    def.has_stiffness = true;
    // stiff but for twist, and light beside the disks
    def.stiffness = (cdg_stiffness){.shear = {1e4, 1e4},
                                    .stretch = 1e4,
                                    .bend = {5, 5},
                                    .twist = 0.5,
                                    .mass = 0.01,
                                    .inertia = {1e-9, 1e-9, 2e-9},
                                    .radius = 5e-3};
    def.initial_twist = 2;
    body_world w = {0};
    cdg_body_def disk = cdg_body_def_default();
    cdg_body_id id[2];
    cdg_result result = make(context, def, (cdg_vec3){0}, step, &w, error);
    disk.shape.kind = CDG_SHAPE_CYLINDER;
    disk.density = 0;
    disk.shape.length = 0.02;
    disk.shape.orientation = quat_from_axis_angle(vec3(0, 1, 0), pi / 2);
    for (int k = 0; k < 2 && result == CDG_OK; k++) {
        disk.shape.radius = k == 0 ? 0.06 : 0.12;
        disk.mass = 2 * inertia[k] / (disk.shape.radius * disk.shape.radius);
        disk.shape.position = vec3(k == 0 ? -0.01 : 0.51, 0, 0);
        result = add_welded(&w, &disk, k == 0 ? 0 : ELEMENTS, &id[k]);
    }
    *out = (exchange){0};
    if (result != CDG_OK) return close_world(&w, result, error);
    double start = cdg_world_energy(w.world).total, before = 0, first = 0, last = 0;
    int passages = 0, every = model == CDG_MODEL_DER ? 4 : 1;
    for (int i = 1; i <= steps && result == CDG_OK; i++) {
        result = cdg_world_step(w.world, NULL);
        if (result != CDG_OK) break;
        cdg_body_state now[2];
        double energy[2];
        for (int k = 0; k < 2; k++) {
            cdg_body_get_state(w.world, id[k], &now[k]);
            cdg_body_energy(w.world, id[k], &energy[k], NULL);
        }
        if (i % every == 0 && out->count < OUTPUTS) {
            cdg_energy all = cdg_world_energy(w.world);
            out->time[out->count] = i * step;
            out->rod[out->count] = all.total - energy[0] - energy[1];
            for (int k = 0; k < 2; k++) out->body[k][out->count] = energy[k];
            out->count++;
        }
        out->light = fmax(out->light, energy[0] / start);
        out->heavy = fmax(out->heavy, energy[1] / start);
        out->drift = fmax(out->drift, fabs(cdg_world_energy(w.world).total - start) / start);
        double spin = now[0].angular_velocity.x, sum = inertia[0] * spin + inertia[1] * now[1].angular_velocity.x;
        out->momentum = fmax(out->momentum, fabs(sum) / (inertia[0] * sqrt(2 * start / inertia[0])));
        if (i > 1 && before < 0 && spin >= 0) { // rising zero
            double at = (i - 1 + before / (before - spin)) * step;
            if (passages++ == 0) first = at;
            last = at;
        }
        before = spin;
        if (i % 1000 == 0) validation_progress(context, (double)i / steps);
    }
    out->period = passages > 1 ? (last - first) / (passages - 1) : NAN;
    return close_world(&w, result, error);
}

cdg_result validate_torque_transducer(validation_context *context, cdg_error *error) {
    double inertia[2] = {2e-4, 1e-3}, twist = 0.5 / 0.5; // GJ/L
    double sum = 1 / inertia[0] + 1 / inertia[1], period = 2 * pi / sqrt(twist * sum);
    const struct {
        cdg_model model;
        int steps;
    } runs[] = {{CDG_MODEL_DER, 100000}, {CDG_MODEL_REFERENCE, 1000}};
    for (int r = 0; r < 2 && !validation_is_decided(context); r++) {
        exchange found = {.count = 0};
        const char *name = r == 0 ? "der" : "reference";
        char label[VALIDATION_TEXT_SIZE];
        cdg_result result = run_transducer(context, runs[r].model, period / (r == 0 ? 500 : 100), runs[r].steps,
                                           inertia, &found, error);
        if (result != CDG_OK) return result;
        validation_under(context, r == 0 ? VALIDATION_DER_IMPLICIT : VALIDATION_REFERENCE);
        snprintf(label, sizeof label, "largest change of energy in %d steps, %s", runs[r].steps, name);
        validation_add_limit(context, label, "", found.drift, 5e-3);
        snprintf(label, sizeof label, "period of the exchange, %s", name);
        validation_add_relative(context, label, "s", found.period, period, 2e-3);
        validation_cite(context, VALIDATION_SEED_001_6, "no number printed; two inertias on a torsion spring");
        // The disks turn against each other, so the light one has the larger share.
        snprintf(label, sizeof label, "most energy in the light disk, %s", name);
        validation_add_absolute(context, label, "", found.light, 1 / inertia[0] / sum, 5e-3);
        validation_cite(context, VALIDATION_SEED_001_6, "no number printed: the light body's share is the larger");
        snprintf(label, sizeof label, "most energy in the heavy disk, %s", name);
        validation_add_absolute(context, label, "", found.heavy, 1 / inertia[1] / sum, 5e-3);
        if (r == 0) {
            double exact[OUTPUTS], whole = found.rod[0] + found.body[0][0] + found.body[1][0];
            validation_begin_chart(context, "Energy goes to and fro (figure 6), der", "time", "s", "energy", "J");
            validation_add_curve(context, "light body", found.time, found.body[0], found.count);
            validation_add_curve(context, "massive body", found.time, found.body[1], found.count);
            validation_add_curve(context, "rod", found.time, found.rod, found.count);
            for (size_t k = 0; k < found.count; k++)
                exact[k] = whole * pow(sin(2 * pi * found.time[k] / period), 2) / inertia[0] / sum;
            validation_add_reference_curve(context, "light body, theory", found.time, exact, found.count);
        }
        snprintf(label, sizeof label, "spin of both disks together, %s", name);
        validation_add_limit(context, label, "", found.momentum, 1e-3);
    }
    return CDG_OK;
}

// ---- Wilberforce pendulum -------------------------------------------------------------------------------------------

// A wire of length L, wound n turns, as an even helix of height z and total angle phi: curvature and torsion are
//     kappa = (phi/L) sqrt(1 - z^2/L^2),  tau = (phi/L) z/L,  U = L/2 (B (kappa - kappa0)^2 + C (tau - tau0)^2).
// An axial force and an axial torque on the helix's axis bend and twist it evenly, so that this is exact for a wire
// that does not stretch (Love 1927, section 271; Sommerfeld 1905).
typedef struct coil {
    double length, bend, twist, kappa, tau; // at rest
} coil;

typedef struct coil_forces {
    double force, torque; // dU/dz, dU/dphi
    double stiffness[2][2];
} coil_forces;

static coil_forces coil_at(const coil *c, double z, double phi) {
    double l = c->length, slope = z / l, cosine = sqrt(1 - slope * slope);
    double kappa = phi / l * cosine, tau = phi / l * slope, bent = c->bend * (kappa - c->kappa),
           twisted = c->twist * (tau - c->tau);
    double k[2] = {-phi / (l * l) * slope / cosine, cosine / l}, t[2] = {phi / (l * l), slope / l};
    double cubed = cosine * cosine * cosine;
    double kk[2][2] = {{-phi / (l * l * l) / cubed, -slope / cosine / (l * l)}, {-slope / cosine / (l * l), 0}};
    double tt[2][2] = {{0, 1 / (l * l)}, {1 / (l * l), 0}};
    coil_forces out = {.force = l * (bent * k[0] + twisted * t[0]), .torque = l * (bent * k[1] + twisted * t[1])};
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            out.stiffness[i][j] =
                l * (c->bend * k[i] * k[j] + c->twist * t[i] * t[j] + bent * kk[i][j] + twisted * tt[i][j]);
    return out;
}

// Where a weight hangs at rest: Newton's method on two equations.
static coil_forces hang(const coil *c, double weight, double *z, double *phi) {
    coil_forces at = coil_at(c, *z, *phi);
    for (int i = 0; i < 30; i++) {
        double(*s)[2] = at.stiffness, f = weight - at.force, t = -at.torque;
        double determinant = s[0][0] * s[1][1] - s[0][1] * s[1][0];
        *z += (f * s[1][1] - t * s[0][1]) / determinant;
        *phi += (t * s[0][0] - f * s[1][0]) / determinant;
        at = coil_at(c, *z, *phi);
    }
    return at;
}

typedef struct swing {
    double time, height, height_rate, spin; // of the bob
} swing;

// Energy of the vertical motion, averaged over one swing about output i.
static double vertical_energy(const swing *s, size_t i, size_t window, double mean, double omega) {
    double sum = 0;
    for (size_t k = i - window / 2; k < i - window / 2 + window; k++)
        sum += s[k].height_rate * s[k].height_rate + omega * omega * (s[k].height - mean) * (s[k].height - mean);
    return sum / (double)window;
}

cdg_result validate_wilberforce(validation_context *context, cdg_error *error) {
    enum { TURNS = 5, ELEMENTS = 40 * TURNS };
    const double radius = 0.015, pitch = 0.02, wire = 0.8e-3, mass = 0.2, gravity = 9.81;
    cdg_rod_def def = cdg_rod_def_default();
    def.model = CDG_MODEL_DER;
    def.der.curvature = CDG_DER_ANGLE; // of the two measures the one that converges faster here
    def.material = (cdg_material){.young_modulus = 200e9, .poisson_ratio = 0.5, .density = 7800};
    def.section.radius = wire;
    def.element_count = ELEMENTS;
    def.centerline.kind = CDG_CENTERLINE_HELIX;
    def.centerline.helix.axis = vec3(0, 0, -1);
    def.centerline.helix.start_direction = vec3(1, 0, 0);
    def.centerline.helix.radius = radius;
    def.centerline.helix.pitch = pitch;
    def.centerline.helix.turns = TURNS;
    def.rest.kind = CDG_REST_INITIAL;

    double turn = hypot(2 * pi * radius, pitch), length = TURNS * turn;
    double second = pi / 4 * pow(wire, 4), rod_mass = 7800 * pi * wire * wire * length;
    coil c = {.length = length,
              .bend = 200e9 * second,
              .twist = 200e9 / 3 * 2 * second,
              .kappa = 2 * pi / turn * (2 * pi * radius / turn),
              .tau = 2 * pi / turn * (pitch / turn)};
    double z = TURNS * pitch, phi = 2 * pi * TURNS;
    coil_forces at = hang(&c, (mass + rod_mass / 2) * gravity, &z, &phi);
    // A third of the wire moves with the bob. Its inertia is chosen so that it swings and turns at one frequency.
    double moving = mass + rod_mass / 3, omega = sqrt(at.stiffness[0][0] / moving);
    double inertia = at.stiffness[1][1] / (omega * omega) - rod_mass / 3 * radius * radius;
    double coupling = at.stiffness[0][1] / sqrt(at.stiffness[0][0] * at.stiffness[1][1]);
    double fast = omega * sqrt(1 + fabs(coupling)), slow = omega * sqrt(1 - fabs(coupling));
    double beat = 2 * pi / (fast - slow), period = 2 * pi / omega, step = period / 60;

    body_world w = {0};
    cdg_result result = make(context, def, (cdg_vec3){0, 0, -gravity}, step, &w, error);
    cdg_support_def clamp = {.kind = CDG_SUPPORT_CLAMP, .place = {w.rod, CDG_PLACE_NODE, 0}};
    if (result == CDG_OK) result = cdg_world_add_support(w.world, &clamp, NULL);
    cdg_body_def bob = cdg_body_def_default();
    cdg_body_id id;
    bob.shape.kind = CDG_SHAPE_CYLINDER;
    bob.shape.radius = sqrt(2 * inertia / mass);
    bob.shape.length = 0.02;
    bob.density = 0;
    bob.mass = mass;
    bob.shape.position = vec3(0, 0, -TURNS * pitch - 0.01); // on the axis of the spring
    if (result == CDG_OK) result = add_welded(&w, &bob, ELEMENTS, &id);
    size_t count = (size_t)(0.9 * beat / step), window = 60;
    swing *record = calloc(count + 1, sizeof *record);
    if (record == NULL) result = CDG_ERROR_MEMORY;
    for (size_t i = 0; i < count && result == CDG_OK; i++) {
        result = cdg_world_step(w.world, NULL);
        cdg_body_state now = {0};
        if (result == CDG_OK) result = cdg_body_get_state(w.world, id, &now);
        record[i] = (swing){cdg_world_time(w.world), now.position.z, now.velocity.z, now.angular_velocity.z};
        if (i % 100 == 0) validation_progress(context, (double)i / (double)count);
    }
    if (result == CDG_OK) {
        double mean = 0, highest = 0, least = HUGE_VAL;
        for (size_t i = 0; i < count; i++) mean += record[i].height / (double)count;
        // Half a beat is where the vertical motion has died away; the first time within the run.
        size_t at_least = window;
        for (size_t i = window; i + window < count; i++) {
            double energy = vertical_energy(record, i, window, mean, omega);
            highest = fmax(highest, energy);
            if (energy < least) least = energy, at_least = i;
        }
        // The middle of the dip, weighed by its depth: less noise than its lowest place alone.
        double sum = 0, weight = 0;
        for (size_t i = window; i + window < count; i++) {
            double energy = vertical_energy(record, i, window, mean, omega);
            if (energy > 0.25 * highest || fabs(record[i].time - record[at_least].time) > 0.3 * beat) continue;
            double share = 0.25 * highest - energy;
            sum += share * record[i].time;
            weight += share;
        }
        validation_add_relative(context, "beat period: the bob swings, turns, and swings again", "s", 2 * sum / weight,
                                beat, 0.03);
        validation_cite(context, VALIDATION_SEED_001_11, "no number printed: energy passes over and back");
        double *times = calloc(2 * count, sizeof *times), *heights = times + count;
        for (size_t i = 0; times != NULL && i < count; i++) times[i] = record[i].time, heights[i] = record[i].height;
        validation_begin_chart(context, "Wilberforce pendulum (figure 11): height of the bob", "time", "s", "z", "m");
        if (times != NULL) validation_add_curve(context, "height", times, heights, count);
        for (size_t i = 0; times != NULL && i < count; i++) heights[i] = record[i].spin;
        validation_begin_chart(context, "Wilberforce pendulum: spin of the bob", "time", "s", "spin", "rad/s");
        if (times != NULL) validation_add_curve(context, "spin", times, heights, count);
        free(times);
        validation_add_picture(context, "the spring as the run ends", w.world);
        validation_add_limit(context, "energy of swinging that is left when the bob turns", "", least / highest, 0.03);
        validation_add_relative(context, "height at which it swings", "m", mean, -z - 0.01, 0.01);
    }
    free(record);
    return close_world(&w, result, error);
}
