"""Bodies of shape matching for the doubles of figures B.5 and B.7 of Spillmann's thesis, which scripts/figures draws. Theirs
have 4K to 80K points each and touch at the level of spheres; these are coarser, and touch by the contact solver."""

TWO = """# Figure B.5, left: two quadratic clusters collide in flight. 441 points each.
cordage: 1
title: Two soft bodies collide
simulation: {duration: 0.3 s, step: 2 ms, gravity: [0, 0, 0]}
output: {every: 10 ms}
contact: {friction: 0.3}
solids:
  - &body
    name: left
    shape: {box: {size: [12 cm, 12 cm, 16 cm]}, resolution: 2 cm}
    position: [-12 cm, 0, 0]
    orientation: {axis: [1, 2, 0], angle: 25 deg}
    velocity: [0.8 m/s, 0, 0]
    model: shape_matching
    shape_matching: {mode: quadratic, relaxation_time: 2.5 ms, linear_time: 16 ms, quadratic_time: 14 ms}
    material: {density: 300 kg/m^3}
  - <<: *body
    name: right
    position: [12 cm, 3 cm, 4 cm]
    orientation: {axis: [0, 1, 1], angle: 40 deg}
    velocity: [-0.8 m/s, 0, 0]
"""

THREE = """# Figure B.7: three quadratic clusters fall onto each other and to the floor.
cordage: 1
title: Three soft bodies fall
simulation: {duration: 0.4 s, step: 2 ms}
output: {every: 20 ms}
contact: {friction: 0.4}
obstacles:
  - {name: floor, plane: {normal: [0, 0, 1]}}
solids:
  - name: figure
    shape:
      revolved: [[3 cm, -5 cm], [3 cm, -4 cm], [2.4 cm, -2 cm], [2.4 cm, 1 cm], [2.6 cm, 3 cm], [2 cm, 5 cm]]
      resolution: 1 cm
    structure: {heap: {count: 3, distance: 10.6 cm, side: 1, seed: 4}}
    position: [0, 0, 7 cm]
    model: shape_matching
    shape_matching: {mode: quadratic, relaxation_time: 2.2 ms, linear_time: 2.5 ms, quadratic_time: 2.5 ms}
    material: {density: 300 kg/m^3}
"""

MANY = """# Figure B.5, right, and table B.1: 300 bodies fall into a heap. 18 points each, theirs have 437.
cordage: 1
title: Three hundred soft bodies fall into a heap
simulation: {duration: 0.5 s, step: 4 ms}
output: {every: 20 ms}
contact: {friction: 0.4}
obstacles:
  - {name: floor, plane: {normal: [0, 0, 1]}}
solids:
  - name: body
    shape: {box: {size: [4 cm, 4 cm, 6 cm]}, resolution: 3 cm}
    structure: {heap: {count: 300, distance: 9.2 cm, side: 10, seed: 3}}
    position: [0, 0, 6 cm]
    model: shape_matching
    shape_matching: {mode: linear, relaxation_time: 4.3 ms, linear_time: 4.3 ms}
    material: {density: 300 kg/m^3}
"""

# Name, scene, and how it is drawn.
BODIES = {"two": (TWO, ["--camera", "view=front", "--sheet", "4x1", "--time", "0.05:0.25"]),
          "three": (THREE, ["--camera", "view=front fit=moment", "--sheet", "4x1"]),
          "many": (MANY, ["--camera", "orbit=0,-20 fit=moment", "--sheet", "3x1"])}
