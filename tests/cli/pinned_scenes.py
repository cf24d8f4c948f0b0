"""Small scenes whose results are written down to the bit (test_instructions.py, golden_results.json)."""

# Everything that could be left to a default is said, so that a new default changes nothing here.
HEAD = """cordage: 1
simulation: {model: %s, duration: 0.05 s, step: %s, gravity: [0, 0, -9.81], %s}
output: {every: 10 ms}
contact: off
materials: {rubber: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100}}
rods:
  - name: coil
    material: rubber
    section: {ellipse: {semi_axes: [3 mm, 2 mm]}}
    centerline: {helix: {radius: 5 cm, pitch: 4 cm, turns: 2}}
    rest: initial
    elements: 37
  - {name: straight, material: rubber, section: {circle: {radius: 2 mm}}, centerline: {line: {from: [0.2, 0, 0], to: [0.7, 0, 0.1]}}, elements: 21}
supports: [{clamp: coil.start}, {clamp: straight.start, motion: {rotate: {axis: [1, 0, 0.2], angle: 2 rad}, to: 0.03 s}}]
probes:
  - {name: tip, position: coil.end}
  - {name: end, position: straight.end}
  - {name: turn, frame: straight.element(20)}
"""
# Two cords that fall across each other onto a post and the floor, and a ball that falls onto them. From 0.08 s on
# ends slip and stick a moment sooner or later, and a difference in rounding becomes one that can be seen.
TOUCHING = """cordage: 1
simulation: {model: %s, duration: 0.08 s, step: %s, gravity: [0, 0, -9.81], %s}
output: {every: 10 ms}
contact: {friction: 0.4, restitution: 0}
materials: {rubber: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 1 ms}}
rods:
  - {name: low, material: rubber, section: {circle: {radius: 5 mm}}, centerline: {line: {from: [-0.15, 0.01, 0.032], to: [0.15, 0, 0.036]}}, elements: 23}
  - {name: high, material: rubber, section: {circle: {radius: 4 mm}}, centerline: {line: {from: [0.03, -0.14, 0.05], to: [0.01, 0.16, 0.045]}}, elements: 19}
obstacles:
  - {plane: {normal: [0, 0, 1], offset: 0}}
  - {name: post, capsule: {radius: 1 cm, length: 6 cm}, position: [0.02, 0, 1 cm], orientation: {axis: [0, 1, 0], angle: 80 deg}}
%s
probes:
  - {name: low_end, position: low.end}
  - {name: low_middle, position: low.node(11)}
  - {name: high_end, position: high.end}
  - {name: turn, frame: high.element(9)}
"""
BALL = "bodies: [{name: ball, shape: {sphere: {radius: 1 cm}}, mass: 5 g, position: [0.02, 0.005, 0.08]}]"
# Six strands alike, which go in teams: three of two, one of four and two that are left over, one of six.
TEAM = """cordage: 1
simulation: {model: pobd, duration: 0.05 s, step: 2 ms, gravity: [0, 0, -9.81], pobd: {solver: gauss_seidel, integrator: bdf2, darboux: angle, iterations: 8}}
output: {every: 10 ms}
contact: off
materials: {hair: {young_modulus: 50 MPa, poisson_ratio: 0.4, density: 1300}}
rods:
""" + "".join(
    f"  - {{name: s{i}, material: hair, section: {{circle: {{radius: 1 mm}}}}, centerline: {{line: {{from: [0, {i} cm, 0], to: [0.3, {2 * i} cm, 0.{i}]}}}}, elements: 31}}\n"
    for i in range(6)
) + "supports: [" + ", ".join(f"{{clamp: s{i}.start}}" for i in range(6)) + "]\nprobes:\n" + "".join(
    f"  - {{name: tip{i}, position: s{i}.end}}\n" for i in range(6)
)
SCENES = {
    "team": TEAM,
    "pobd": HEAD % ("pobd", "2 ms", "pobd: {solver: direct, integrator: bdf2, darboux: sine, iterations: 20}"),
    "der": HEAD % ("der", "2 ms", "der: {integrator: implicit, scheme: bdf2, curvature: tangent}"),
    "corde": HEAD % ("corde", "0.1 ms", "corde: {coupling: constraint, substeps: 4}"),
    "touching_gauss_seidel": TOUCHING % ("pobd", "2 ms", "pobd: {solver: gauss_seidel, iterations: 20}", BALL),
    "touching_pobd": TOUCHING % ("pobd", "2 ms", "pobd: {solver: direct, integrator: bdf2, darboux: sine, iterations: 20}", BALL),
    "touching_der": TOUCHING % ("der", "2 ms", "der: {integrator: implicit, scheme: bdf2, curvature: tangent}", ""),
    "touching_corde": TOUCHING % ("corde", "0.2 ms", "corde: {coupling: constraint}", ""),
}
