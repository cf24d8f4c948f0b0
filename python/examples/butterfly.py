"""A free rod bent like a roof is let go and flaps: nothing acts from outside, so momentum stays zero, and nothing is lost,
so energy stays. As PyElastica's example."""
import math

import cordage

length, elements = 3.0, 20
half = length / 2 * math.cos(math.pi / 4)
world = cordage.World(gravity=0, step="2 ms", model="pobd")
rod = world.add_rod("butterfly", points=[(0, 0, 0), (half, 0, half), (2 * half, 0, 0)], elements=elements, radius=0.25,
                    young_modulus=1e4, density=5000)
energy = world.energy()["total"]
middle, shapes = [], []
world.run(40, every=0.1, call=lambda w: (middle.append(rod.positions[elements // 2][2]), shapes.append(rod.positions.copy()))[2:])

flat = rod.positions
error = max(abs(flat[i][0] + flat[-1 - i][0] - 2 * half) + abs(flat[i][2] - flat[-1 - i][2]) for i in range(elements))
lost = 1 - world.energy()["total"] / energy
print(f"flaps between {min(middle):.3f} and {max(middle):.3f} m; energy {energy:.1f} J, lost in 40 s: {100 * lost:.2f} %; "
      f"asymmetry {error:.1e} m; momentum {max(map(abs, world.momentum()[0])):.1e} kg m/s")
assert max(map(abs, world.momentum()[0])) < 1e-6 and error < 1e-6
