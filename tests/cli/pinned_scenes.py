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

# ---- what else touches, holds and changes ----------------------------------------------------------------------------
# Each of these is short, and asks for much at once: what a change of the code does to it shows in some digit.
MATERIAL = "materials: {rubber: {young_modulus: 1 MPa, poisson_ratio: 0.4, density: 1100, damping: 1 ms}}\n"
FILES = {  # beside the scene
    "wedge.obj": "v -3 -5 0\nv 3 -5 0\nv 3 5 0\nv -3 5 0\nv 0 -5 2\nv 0 5 2\n"
                 "f 1 4 3 2\nf 1 2 5\nf 3 4 6\nf 2 3 6 5\nf 4 1 5 6\n",
}

# Every kind of obstacle and of body, some of them moving, restitution, and cords of unlike thickness among them.
SHAPES = """cordage: 1
simulation: {model: pobd, duration: 0.07 s, step: 1 ms, gravity: [0, 0, -9.81], pobd: {solver: %s, iterations: 15}}
output: {every: 7 ms}
contact: {friction: 0.3, restitution: 0.2}
""" + MATERIAL + """rods:
  - {name: a, material: rubber, section: {circle: {radius: 4 mm}}, centerline: {line: {from: [-0.2, 0.01, 0.06], to: [0.2, 0, 0.055]}}, elements: 31, velocity: [0, 0, -0.5]}
  - {name: b, material: rubber, section: {circle: {radius: 6 mm}, end: {circle: {radius: 3 mm}}}, centerline: {line: {from: [0.06, -0.2, 0.075], to: [0.05, 0.2, 0.07]}}, elements: 27, velocity: [0, 0, -0.8]}
  - {name: ring, material: rubber, section: {circle: {radius: 3 mm}}, centerline: {circle: {center: [-0.08, 0.02, 0.13], axis: [0, 0.3, 1], radius: 4 cm}}, elements: 24}
obstacles:
  - {plane: {normal: [0.05, 0, 1], offset: -1 cm}, friction: 0.6}
  - {box: {size: [4 cm, 30 cm, 4 cm]}, position: [-0.12, 0, 0.02], motion: [{move: [0, 0, 1 cm], to: 0.05 s, ease: smooth}]}
  - {cylinder: {radius: 2 cm, length: 9 cm}, position: [0.02, 0, 0.02], orientation: {axis: [1, 0.2, 0], angle: 85 deg}, motion: [{rotate: {axis: [0, 0, 1], angle: 0.4 rad}, to: 0.06 s}]}
  - {sphere: {radius: 3 cm}, position: [0.12, 0.01, 0.01], friction: 0}
  - {mesh: {file: wedge.obj, scale: 1 cm}, position: [0.17, 0, 0.02]}
bodies:
  - {name: ball, shape: {sphere: {radius: 1 cm}}, mass: 6 g, position: [0.055, 0.06, 0.1], velocity: [0, 0, -1]}
  - {name: brick, shape: {box: {size: [3 cm, 2 cm, 2 cm]}}, density: 800, position: [-0.12, 0.01, 0.09], orientation: {axis: [1, 2, 0], angle: 30 deg}}
  - {name: pill, shape: {capsule: {radius: 6 mm, length: 2 cm}}, density: 900, position: [0.05, -0.08, 0.095], angular_velocity: [0, 20, 3]}
  - {name: plumb, shape: {box: {size: [2 cm, 2 cm, 2 cm]}}, mass: 15 g, position: [-0.2, 0.01, %s]}
  - {name: can, shape: {cylinder: {radius: 8 mm, height: 25 mm}}, density: 700, position: [0.12, 0.01, 0.08]}
%s
probes:
  - {name: a0, position: a.start}
  - {name: a1, velocity: a.node(16)}
  - {name: b0, position: b.end}
  - {name: b1, tension: b.element(9)}
  - {name: r, position: ring.node(5)}
  - {name: ball, position: ball}
  - {name: brick, frame: brick}
  - {name: pill, velocity: pill}
  - {name: can, frame: can}
  - {name: plumb, position: plumb}
  - {name: n, contacts: all}
  - {name: f, contact force: b}
  - {name: e, energy: all}
"""
# Soft things on each other, on a cord and on what is rigid; held, pressed, tied and pulled by a hand.
SOLIDS = """cordage: 1
simulation: {model: der, duration: %s, step: %s, gravity: [0, 0, -9.81]}
output: {every: %s}
contact: {friction: 0.4}
""" + MATERIAL + """rods:
  - {name: cord, material: rubber, section: {circle: {radius: 3 mm}}, centerline: {line: {from: [-0.08, 0.003, 0.0335], to: [0.08, 0.001, 0.034]}}, elements: 17}
  - {name: hair, material: rubber, section: {circle: {radius: 1 mm}}, centerline: {line: {from: [0.012, 0.01, %s], to: [0.012, 0.01, 0.09]}}, elements: 9}
obstacles:
  - {plane: {normal: [0, 0, 1], offset: 0}}
  - {name: bar, capsule: {radius: 6 mm, length: 8 cm}, position: [0.02, 0, 0.0035], orientation: {axis: [1, 0, 0], angle: 90 deg}}
bodies:
  - {name: ball, shape: {sphere: {radius: 8 mm}}, mass: 4 g, position: [-0.03, 0.004, 0.047], velocity: [0, 0, -0.6]}
solids:
  - name: pad
    shape: {box: {size: [8 cm, 4 cm, 2 cm]}, resolution: 12 mm}
    position: [-0.01, 0, 0.0202]
    model: %s
    integrator: %s
    material: {young_modulus: 60 kPa, poisson_ratio: 0.35, density: 900, damping_time: 4 ms}
    supports: [{plane: {point: [-4.9 cm, 0, 0], normal: [-1, 0, 0]}, motion: [{move: [0, 0, 2 mm], to: 20 ms}]}]
    loads: [{box: {low: [0, -1, 0.03], high: [1, 1, 1]}, pressure: 200 Pa, ramp: 10 ms}, {sphere: {center: [0, 0, 0.02], radius: 2 cm}, force: [0.05 N, 0, 0], to: 20 ms}]
  - name: drop
    shape: {sphere: {radius: 1 cm}, resolution: 7 mm}
    position: [0.012, -0.011, 0.0475]
    material: {young_modulus: 40 kPa, poisson_ratio: 0.4, density: 1000, damping_time: 3 ms}
    velocity: [0, 0, -0.7]
%s
probes:
  - {name: cord, position: cord.node(8)}
  - {name: pad, position: pad}
  - {name: at, position: {solid: pad, at: [0.01, 0, 0.03]}}
  - {name: hold, reaction: pad}
  - {name: push, contact force: pad}
  - {name: drop, velocity: drop}
  - {name: fat, volume: drop}
  - {name: stress, stress: pad}
  - {name: ball, position: ball}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
TIED = """joints: [{weld: [hair.start, pad]}]
hands: [{rod: hair, element: 7, fraction: 0.4, path: [[4 ms, [0.012, 0.01, 0.08]], [30 ms, [0.03, 0.02, 0.08]]], to: 40 ms}]"""
# Nets, welds, springs, all kinds of loads, supports that move, turn and let go; a cut, a change and hands.
HELD = """cordage: 1
simulation: {model: %s, duration: 0.08 s, step: %s, gravity: [0, 0, -9.81], %s}
output: {every: 8 ms}
contact: off
""" + MATERIAL + """rods:
  - {name: left, material: rubber, section: {circle: {radius: 3 mm}}, centerline: {line: {from: [0, 0, 0], to: [0.2, 0, 0]}}, elements: 12}
  - {name: right, material: rubber, section: {ellipse: {semi_axes: [4 mm, 2 mm]}}, centerline: {line: {from: [0.2, 0, 0], to: [0.3, 0.1, 0.05]}}, elements: 8}
  - {name: down, material: rubber, section: {circle: {radius: 2 mm}}, centerline: {line: {from: [0.2, 0, 0], to: [0.2, -0.02, -0.15]}}, elements: 10}
  - {name: free, material: rubber, section: {circle: {radius: 3 mm}}, centerline: {arc: {start: [0, 0.3, 0], radius: 8 cm, angle: 200 deg}}, elements: 22, rest: initial}
bodies:
  - {name: weight, shape: {box: {size: [2 cm, 2 cm, 3 cm]}}, mass: 20 g, position: [0.2, -0.02, -0.16]}
joints:
  - weld: [down.end, weight]
%ssupports:
  - {clamp: left.start, motion: [{rotate: {axis: [1, 0, 0], angle: 1 rad}, to: 40 ms, ease: smooth}, {move: [0, 0, 2 cm], from: 10 ms, to: 60 ms}]}
  - {pin: right.end, release: 45 ms}
  - {pin: free.start}
loads:
  - {force: [0, 0.05 N, 0], at: right.node(3), from: 5 ms, to: 60 ms, ramp: 10 ms}
  - {moment: [0.002 N m, 0, 0], at: free.end, follow: true}
  - {line: [0, 0, 0.1 N/m], on: left, keyframes: [[0 s, 0], [30 ms, 1], [70 ms, 0.2]]}
  - {wind: [4 m/s, 1 m/s, 0], on: [free, down], vortices: [{center: [0, 0.3, 0], speed: 6 m/s, radius: 5 cm, velocity: [0.5, 0, 0]}]}
  - {drag: 2 1/s}
%s
probes:
  - {name: l, section_force: left.element(6)}
  - {name: lm, moment: left.node(4)}
  - {name: r, position: right.end}
  - {name: rc, curvature: right.node(4)}
  - {name: d, twist: down.node(5)}
  - {name: w, position: weight}
  - {name: wf, frame: weight}
  - {name: f, position: free.end}
  - {name: fv, angular_velocity: free.element(7)}
  - {name: hold, reaction: left.start}
  - {name: len, length: free}
  - {name: tr, tension range: left}
  - {name: mr, moment range: left}
  - {name: br, bend radius: free}
  - {name: e, energy: all}
"""
JOINED = "  - {join: [left.end, right.start, down.start], stiffness: 0.5}\n"
CHANGED = """hands:
  - {rod: free, element: 15, fraction: 0.3, path: [[5 ms, [0.02, 0.38, 0]], [50 ms, [0.05, 0.35, 0.03]]], to: 60 ms}
  - {body: weight, local: [0, 0, 1 cm], path: [[20 ms, [0.2, -0.02, -0.15]], [60 ms, [0.22, 0, -0.16]]], to: 70 ms}
cuts: [{cut: free.node(11), at: 30 ms}]
changes: [{at: 40 ms, set: ['materials.rubber.young_modulus=2 MPa', 'simulation.gravity=[0, 1, -9]']}]"""
# A rope that is drawn tight around itself: many contacts that are solved for together, with friction.
KNOT = """cordage: 1
simulation: {model: %s, duration: %s, step: %s, gravity: [0, 0, 0], %s}
output: {every: %s}
contact: {friction: 0.3}
""" + MATERIAL + """rods:
  - {name: rope, material: rubber, section: {circle: {radius: 4 mm}}, centerline: {tied: {knot: overhand, clearance: 0.5 mm, tail: 12 cm}}, %s}
supports:
  - {clamp: rope.start, motion: {move: [-1 cm, 0, 0], to: %s}}
  - {clamp: rope.end, motion: {move: [1 cm, 0, 0], to: %s}}
loads: [{drag: 5 1/s}]
probes:
  - {name: pull, reaction: rope.start}
  - {name: turn, writhe: rope}
  - {name: middle, position: rope.node(30)}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# Two layers of rods across each other on a floor: enough contacts for two threads to take halves of them.
LAYERS = """cordage: 1
simulation: {model: corde, duration: 3 ms, step: 1 ms}
output: {every: 1 ms}
contact: {friction: 0.3}
""" + MATERIAL + "rods:\n" + "".join(
    f"  - {{name: {name}{i}, material: rubber, section: {{circle: {{radius: 2 mm}}}}, elements: 46, "
    f"centerline: {{line: {{from: [{start}], to: [{end}]}}}}}}\n"
    for i in range(46) for name, start, end in (
        ("a", f"-0.23, {0.01 * i - 0.225:.3f}, 0.002", f"0.23, {0.01 * i - 0.225:.3f}, 0.002"),
        ("b", f"{0.01 * i - 0.225:.3f}, -0.23, 0.00599", f"{0.01 * i - 0.225:.3f}, 0.23, 0.00599"))
) + """obstacles: [{plane: {normal: [0, 0, 1], offset: 0}}]
probes:
  - {name: p, position: a7.node(20)}
  - {name: q, position: b40.node(11)}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# Nodes at any point of a rod, which stretches less than it bends.
ALONG = """cordage: 1
simulation: {model: der, duration: 0.04 s, step: 2 ms, gravity: [0, 0, -9.81]}
output: {every: 4 ms}
materials: {rope: {young_modulus: 1 MPa, stretch_modulus: 20 MPa, poisson_ratio: 0.4, density: 1100, damping: 1 ms}}
rods:
  - {name: rope, material: rope, section: {circle: {radius: 4 mm}}, centerline: {helix: {radius: 5 cm, pitch: 2 cm, turns: 1.5}}, elements: 40}
supports: [{pin: rope.along(37 %)}, {clamp: rope.start}]
loads: [{force: [0.1, 0, 0], at: rope.along(20 cm)}]
probes:
  - {name: p, position: rope.along(80 %)}
  - {name: f, reaction: rope.along(37 %)}
  - {name: e, energy: all}
"""
# A thread that is shot at thin wires and at itself, far more than its thickness a step.
SHOT = """cordage: 1
simulation: {model: %s, duration: 0.02 s, step: 1 ms, gravity: [0, 0, -9.81], %s}
output: {every: 1 ms}
contact: {friction: 0.1, restitution: 0.5%s}
""" + MATERIAL + """rods:
  - {name: thread, material: rubber, section: {circle: {radius: 1 mm}}, centerline: {line: {from: [-0.1, 0, 0.1], to: [0.1, 0.01, 0.1]}}, elements: 16, velocity: [0, 0, -20]}
  - {name: wire, material: rubber, section: {circle: {radius: 1 mm}}, centerline: {line: {from: [0.01, -0.1, 0.06], to: [0, 0.1, 0.06]}}, elements: 14}
obstacles: [{name: pin, capsule: {radius: 1 mm, length: 20 cm}, position: [0.05, 0, 0.03], orientation: {axis: [1, 0, 0], angle: 90 deg}}]
supports: [{pin: wire.start}, {pin: wire.end}]
probes:
  - {name: a, position: thread.start}
  - {name: b, position: thread.node(8)}
  - {name: c, velocity: wire.node(7)}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# Equilibria along a load, and past its largest.
STATIC = """cordage: 1
simulation: {model: der, mode: static, gravity: [0, 0, -9.81], modes: 3, %s}
output: {every: 0.1 s}
""" + MATERIAL + """rods:
  - name: arch
    material: rubber
    section: {rectangle: {width: 4 mm, height: 6 mm}}
    normal: [0, 0, 1]
    centerline: {arc: {start: [0, 0, 0], tangent: [0.9715993, 0, 0.2366323], normal: [0.2366323, 0, -0.9715993], radius: 0.21129829 m, angle: 0.4777932 rad}}
    rest: initial
    elements: 20
supports: [{pin: [arch.start, arch.end]}, {twist: [arch.start, arch.end]}]
loads: [{force: [0, 0, -0.1 N], at: arch.node(10), ramp: 1 s}]
probes:
  - {name: crown, position: arch.node(10)}
  - {name: hinge, reaction: arch.start}
  - {name: m, moment: arch.node(6)}
  - {name: e, energy: all}
"""
# Rods that lie in each other, in a body and in an obstacle at the start, and a leaf that has no inside.
APART = """cordage: 1
simulation: {model: %s, duration: 0.04 s, step: 1 ms, gravity: [0, 0, -9.81], %s}
output: {every: 4 ms}
contact: {friction: 0.2, separate: true}
""" + MATERIAL + """rods:
  - {name: a, material: rubber, section: {circle: {radius: 4 mm}}, centerline: {line: {from: [-0.1, 0, 0.02], to: [0.1, 0.01, 0.02]}}, elements: 13}
  - {name: b, material: rubber, section: {circle: {radius: 4 mm}}, centerline: {line: {from: [0.01, -0.1, 0.025], to: [0, 0.1, 0.026]}}, elements: 11}
obstacles:
  - {box: {size: [4 cm, 20 cm, 2 cm]}, position: [0.08, 0, 0.008]}
  - {mesh: {file: wedge.obj, scale: 5 mm, surface: true}, position: [-0.05, 0, 0.004]}
bodies:
  - {name: ball, shape: {sphere: {radius: 1 cm}}, mass: 5 g, position: [0, 0.06, 0.037]}
  - {name: roof, shape: {mesh: {file: wedge.obj, scale: 3 mm}}, density: 900, position: [0.005, -0.06, 0.0305]}
probes:
  - {name: a, position: a.node(6)}
  - {name: b, position: b.start}
  - {name: ball, position: ball}
  - {name: roof, frame: roof}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# A net catches a ball and a block; and springs.
NET = """cordage: 1
simulation: {model: %s, duration: 0.04 s, step: %s, gravity: [0, 0, -9.81], %s}
output: {every: 4 ms}
contact: {friction: 0.4}
""" + MATERIAL + """structures:
  - {name: net, material: rubber, section: {circle: {radius: 3 mm}}, net: {size: [20 cm, 20 cm], threads: [4, 4]}, elements: 3, origin: [-10 cm, -10 cm, 0]}
bodies:
  - {name: ball, shape: {sphere: {radius: 4 cm}}, mass: 60 g, position: [-1 cm, 1 cm, 44 mm], velocity: [0, 0, -1]}
  - {name: block, shape: {box: {size: [3 cm, 3 cm, 3 cm]}}, mass: 20 g, position: [5 cm, -4 cm, 25 mm], orientation: {axis: [1, 1, 0], angle: 40 deg}, velocity: [0, 0, -1]}
supports: [{pin: ["net.h*.start", "net.h*.end", "net.v*.start", "net.v*.end"]}]
probes:
  - {name: ball, position: ball}
  - {name: block, frame: block}
  - {name: h, position: net.h1.node(4)}
  - {name: r, reaction: net.v2.end}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# Soft things of the other models that fall on each other, one of them pinned to a rod that is bent.
SOFT = """cordage: 1
simulation: {model: der, duration: 0.03 s, step: 2 ms, gravity: [0, 0, -9.81]}
output: {every: 3 ms}
contact: {friction: 0.5}
""" + MATERIAL + """rods:
  - {name: cord, material: rubber, section: {circle: {radius: 2 mm}}, centerline: {line: {from: [-0.06, 0, 0.0441], to: [0.06, 0, 0.0441]}}, elements: 12}
obstacles: [{box: {size: [20 cm, 20 cm, 2 cm]}, position: [0, 0, -1 cm]}]
solids:
  - name: ring
    shape: {torus: {radius: 2 cm, thickness: 8 mm}, resolution: 12 mm}
    position: [0, 0, 8.5 mm]
    %s
  - name: brick
    shape: {box: {size: [4 cm, 2 cm, 2 cm]}, resolution: 2 cm}
    position: [2 mm, 1 mm, 29 mm]
    %s
    velocity: [0, 0, -0.5]
probes:
  - {name: ring, position: ring}
  - {name: brick, velocity: brick}
  - {name: v, volume: brick}
  - {name: cord, position: cord.node(6)}
  - {name: f, contact force: ring}
  - {name: n, contacts: all}
  - {name: e, energy: all}
"""
# A heap of wires with shapes of their own, some of them alike.
HEAP = """cordage: 1
simulation: {model: %s, duration: 0.06 s, step: %s, gravity: [0, 0, -9.81], %s}
output: {every: 6 ms}
contact: {friction: 0.3%s}
""" + MATERIAL + """rods:
""" + "".join(
    f"  - {{name: w{i}, material: rubber, section: {{circle: {{radius: 3 mm}}}}, rest: initial, elements: {12 + i % 3}, centerline: {{arc: {{start: [{0.01 * i - 0.08}, {0.013 * (i % 4) - 0.06}, {0.008 + 0.008 * i}], "
    f"tangent: [{1 - 0.2 * (i % 5)}, {0.3 * (i % 3)}, 0], normal: [{-0.3 * (i % 3)}, {1 - 0.2 * (i % 5)}, 0.05], radius: {6 + i % 4} cm, angle: 1.5 rad}}}}}}\n"
    for i in range(10)
) + """obstacles: [{plane: {normal: [0, 0, 1], offset: 0}}]
probes:
  - {name: n, contacts: all}
  - {name: e, energy: all}
""" + "".join(f"  - {{name: p{i}, position: w{i}.end}}\n" for i in range(10))
# Rings that hang in each other where they begin and end, and one that lies on a ball.
RINGS = """cordage: 1
simulation: {model: %s, duration: 0.12 s, step: 3 ms, gravity: [0, 0, -9.81], %s}
output: {every: 12 ms}
contact: {friction: 0.3}
""" + MATERIAL + """rods:
  - {name: upper, material: rubber, section: {circle: {radius: 3 mm}}, rest: initial, centerline: {circle: {center: [0, 0, 0], radius: 3 cm, start_direction: [1, 0.02, 0]}}, elements: 24}
  - {name: lower, material: rubber, section: {circle: {radius: 3 mm}}, rest: initial, centerline: {circle: {center: [0.03, 0, -0.021], axis: [0, 1, 0.1], radius: 3 cm, start_direction: [0, 0, 1]}}, elements: 23}
  - {name: hat, material: rubber, section: {circle: {radius: 2 mm}}, rest: initial, centerline: {circle: {center: [-0.1, 0, 0.017], radius: 2 cm}}, elements: 20}
obstacles: [{sphere: {radius: 2 cm}, position: [-0.1, 0.002, 0]}]
supports: [{clamp: upper.node(12)}, {pin: [upper.node(5), upper.node(19)]}]
probes:
  - {name: u, position: upper.start}
  - {name: l, position: lower.start}
  - {name: lv, velocity: lower.node(11)}
  - {name: h, position: hat.node(3)}
  - {name: n, contacts: all}
  - {name: link, linking number: [upper, lower]}
  - {name: e, energy: all}
"""
FOAM = "material: {young_modulus: 50 kPa, poisson_ratio: 0.3, density: 900, damping_time: 3 ms}"
IMPLICIT = "der: {integrator: implicit, scheme: bdf2, curvature: tangent}"
DIRECT = "pobd: {solver: direct, integrator: bdf2, darboux: angle, iterations: 20}"
SWEEPS = "pobd: {solver: gauss_seidel, iterations: 20}"
AGREEING = tuple(SCENES)  # to rounding, whatever the instruction set; what comes now slips, snaps and bounces
SCENES |= {
    "shapes_sweeps": SHAPES % ("gauss_seidel", 0.08, ""),
    "shapes_direct": SHAPES % ("direct", 0.06, "joints: [{weld: [a.start, plumb]}]"),
    "solids_implicit": SOLIDS % ("0.05 s", "5 ms", "5 ms", 0.028, "neo_hookean", "bdf2", TIED),
    "solids_explicit": SOLIDS % ("0.012 s", "2 ms", "2 ms", 0.034, "corotational", "explicit", ""),
    "held_der": HELD % ("der", "2 ms", IMPLICIT, JOINED, ""),
    "held_sweeps": HELD % ("pobd", "2 ms", SWEEPS, JOINED, CHANGED),
    "held_direct": HELD % ("pobd", "2 ms", DIRECT, "", CHANGED),
    "knot_der": KNOT % ("der", "0.03 s", "2 ms", IMPLICIT, "5 ms", "elements: 153", "0.03 s", "0.03 s"),
    "knot_adapts": KNOT % ("pobd", "0.06 s", "2 ms", DIRECT + "", "10 ms", "adapt: {levels: 2, hold: 10 ms}", "0.06 s", "0.06 s"),
    "knot_adapts_sweeps": KNOT % ("pobd", "0.03 s", "2 ms", SWEEPS, "5 ms", "adapt: {levels: 2, hold: 10 ms}", "0.03 s", "0.03 s"),
    "layers_corde": LAYERS,
    "along_der": ALONG,
    "shot_corde": SHOT % ("corde", "corde: {coupling: constraint}", ""),
    "shot_sweeps": SHOT % ("pobd", SWEEPS, ", shock_propagation: 5 mm"),
    "shot_der": SHOT % ("der", IMPLICIT, ""),
    "static_load": STATIC % "static: {path: stable}",
    "static_arc": STATIC % "static: {path: arc_length}",
    "apart_sweeps": APART % ("pobd", SWEEPS),
    "apart_der": APART % ("der", IMPLICIT),
    "net_der": NET % ("der", "2 ms", IMPLICIT),
    "net_corde": NET % ("corde", "1 ms", "corde: {coupling: constraint}"),
    "soft_others": SOFT % ("model: shape_matching\n    material: {density: 900}", "model: mass_spring\n    " + FOAM),
    "soft_explicit": SOFT % ("integrator: explicit\n    " + FOAM, "model: corotational\n    " + FOAM),
    "heap_direct": HEAP % ("pobd", "2 ms", DIRECT, ""),
    "heap_sweeps": HEAP % ("pobd", "2 ms", SWEEPS, ", shock_propagation: 5 mm"),
    "rings_der": RINGS % ("der", IMPLICIT),
    "rings_direct": RINGS % ("pobd", DIRECT),
    "rings_sweeps": RINGS % ("pobd", SWEEPS),
}
