"""A heavy ball on a light string: its period against that of a pendulum, with Python watching for zero crossings."""
import math

import cordage

world = cordage.World(step="1 ms", model="der")
string = world.add_rod("string", line=((0, 0, 0), (0.1, 0, -0.995)), radius="0.5 mm", young_modulus="50 GPa", density=1000,
                       elements=10)
string.pin("start")
bob = world.add_body("bob", sphere={"radius": "2 cm"}, mass="1 kg", position=(0.1, 0, -0.995), collides=False)
string.weld("end", bob)

crossings, before = [], bob.position[0]
while len(crossings) < 3:
    world.step()
    now = bob.position[0]
    if before > 0 >= now or before < 0 <= now:
        crossings.append(world.time - world.step_size * now / (now - before))
    before = now
period = crossings[2] - crossings[0]
amplitude = math.atan2(0.1, 0.995)
theory = 2 * math.pi * math.sqrt(1.0 / 9.81) * (1 + amplitude**2 / 16)
print(f"period {period:.4f} s; pendulum of 1 m: {theory:.4f} s")
assert abs(period / theory - 1) < 0.01
