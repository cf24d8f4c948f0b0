"""A law of one's own in NumPy: a magnetic filament in a field that turns. Each element has a magnetic moment along its
tangent; the torque m x B turns it towards the field, and the filament follows."""
import numpy as np

import cordage

world = cordage.World(gravity=0, step="2 ms", model="pobd")
rod = world.add_rod("filament", line=((0, 0, 0), (0.1, 0, 0)), radius="1 mm", young_modulus="500 kPa", density=1200,
                    damping="50 ms", elements=20)
rod.clamp("start")
world.add_load(drag="20 1/s")
magnetisation = 60e3 * np.pi * 1e-3**2 * 0.1 / 20  # A m^2 of an element


def torque(time):
    tangents = np.diff(rod.positions, axis=0)
    tangents /= np.linalg.norm(tangents, axis=1)[:, None]
    angle = min(time, 1.0) * np.pi / 2
    return magnetisation * np.cross(tangents, 20e-3 * np.array([np.cos(angle), 0, np.sin(angle)]))


while world.time < 2.0:
    rod.set_forces(torques=torque(world.time))
    world.step()
x, y, z = rod.positions[-1]
# clamped along x, the field along z: M B A cos(angle) = -E I angle'', whose end angle solves an elliptic integral
print(f"the tip is at ({x:.4f}, {y:.1e}, {z:.4f}) m")
assert z > 0.04 and abs(y) < 1e-6
