// Scenes and sweeps that tests of src/sweep share: a cantilever in equilibrium, and a cord that swings.
#ifndef TESTS_SWEEP_BEAM_H
#define TESTS_SWEEP_BEAM_H

#include "sweep/sweep.h"

#include <string.h>

static const char beam_text[] =
    "cordage: 1\n"
    "simulation: {mode: static, model: der, gravity: [0, 0, 0]}\n"
    "loads: [{force: [0, 0, -0.1 N], at: rod.end}]\n"
    "materials: {m: {young_modulus: 1 GPa, density: 1200}}\n"
    "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.2, 0, 0]}}, "
    "elements: 8}]\n"
    "supports: [{clamp: rod.start}]\n"
    "probes: [{name: tip, position: rod.end}, {name: hold, reaction: rod.start}]\n";

static const char cord_text[] =
    "cordage: 1\n"
    "simulation: {model: pobd, step: 1 ms, duration: 20 ms, gravity: [0, 0, -9.81], pobd: {solver: gauss_seidel, "
    "iterations: 6}}\n"
    "output: {every: 5 ms}\n"
    "contact: off\n"
    "materials: {m: {young_modulus: 1 MPa, density: 1200}}\n"
    "rods: [{name: rod, material: m, section: {circle: {radius: 5 mm}}, centerline: {line: {to: [0.2, 0, 0]}}, "
    "elements: 12}]\n"
    "supports: [{clamp: rod.start}]\n"
    "probes: [{name: tip, position: rod.end}, {name: hold, reaction: rod.start}]\n";

// Fails the test when something is refused.
static inline void sweep_of(const char *text, const char *vary, const char *probes, bool wants_lanes, cdg_sweep *out) {
    cdg_error error = {0};
    *out = (cdg_sweep){.source = {.text = text, .size = strlen(text), .name = "scene"}, .wants_lanes = wants_lanes};
    cdg_result result = cdg_sweep_vary(out, vary, &error);
    if (result == CDG_OK) result = cdg_readout_add(&out->readout, probes, &error);
    if (result == CDG_OK) result = cdg_sweep_prepare(out, &error);
    if (result != CDG_OK) fail_msg("%s", error.message);
}

#endif
