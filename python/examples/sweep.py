"""Many worlds in threads: how deep a cantilever hangs for twenty stiffnesses. Steps release Python's lock, so the worlds
run side by side."""
from concurrent.futures import ThreadPoolExecutor

import cordage


def deflection(young_modulus):
    world = cordage.World(step="5 ms", model="der", threads=1)
    beam = world.add_rod(line=((0, 0, 0), (0.5, 0, 0)), radius="5 mm", young_modulus=young_modulus, density=1200,
                         damping="0.3 s", elements=20)
    beam.clamp("start")
    world.run("4 s")
    moving = -float(beam.positions[-1][2])
    world.find_equilibrium()
    return moving, -float(beam.positions[-1][2])


moduli = [10 ** (6.5 + 0.1 * k) for k in range(10)]
with ThreadPoolExecutor(2) as pool:
    table = list(pool.map(deflection, moduli))
for young_modulus, (moving, still) in zip(moduli, table):
    print(f"{young_modulus:10.3e} Pa  {moving:.5f} m after 4 s, {still:.5f} m at rest")
assert all(abs(moving - still) < 0.02 for moving, still in table)
assert all(a[1] > b[1] for a, b in zip(table, table[1:]))
