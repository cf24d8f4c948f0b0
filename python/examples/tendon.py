"""A soft arm bent by a tendon along its side: the tendon's pull is a moment all along, which the arm answers like a shape at
rest that curls. The tip follows a circle as the tendon is pulled."""
import math

import cordage

world = cordage.World(gravity=0, step="5 ms", model="pobd")
arm = world.add_rod("arm", line=((0, 0, 0), (0, 0, 0.3)), normal=(1, 0, 0), radius="1 cm", young_modulus="200 kPa", density=1000,
                    damping="0.5 s", elements=30)
arm.clamp("start")
offset, bending = 8e-3, 200e3 * math.pi * 1e-2**4 / 4  # m, N m^2
for k in range(1, 1001):
    pull = 2.0 * min(k / 400, 1)  # N, over two seconds
    arm.rest_curvature = (0, pull * offset / bending, 0)
    world.step()

curvature = 2.0 * offset / bending
x, z = (1 - math.cos(0.3 * curvature)) / curvature, math.sin(0.3 * curvature) / curvature
tip = arm.positions[-1]
print(f"the tip is at ({tip[0]:.4f}, {tip[2]:.4f}) m; arc: ({x:.4f}, {z:.4f}) m")
assert math.hypot(tip[0] - x, tip[2] - z) < 2e-3
