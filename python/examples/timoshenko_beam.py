"""A thick cantilever that shears as much as it bends, against Timoshenko's closed form. As PyElastica's example."""
import math

import cordage

length, radius, young, shear, force = 3.0, 0.25, 1e6, 1e4, 15.0
world = cordage.World(gravity=0, model="galpha")
beam = world.add_rod("beam", line=((0, 0, 0), (length, 0, 0)), radius=radius, young_modulus=young, shear_modulus=shear,
                     density=5000, elements=100)
beam.clamp("start")
beam.force("end", (0, 0, -force))
world.find_equilibrium()

area, second_moment, factor = math.pi * radius**2, math.pi * radius**4 / 4, 0.9  # Cowper's, of a circle at nu = 1/2
theory = force * length / (factor * shear * area) + force * length**3 / (3 * young * second_moment)
tip = -beam.positions[-1][2]
print(f"the tip sinks by {tip:.5f} m; Timoshenko: {theory:.5f} m, of which shear {force * length / (factor * shear * area):.5f} m")
assert abs(tip / theory - 1) < 0.005  # linear theory; the beam has turned by 0.02 rad
