"""A cable that is clamped at one end falls and swings: the first five minutes."""
import cordage

world = cordage.World(step="2 ms", model="der")
cable = world.add_rod("cable", line=((0, 0, 0), (1, 0, 0)), radius="3 mm", young_modulus="5 MPa", density="1100 kg/m^3",
                      damping="10 ms", elements=40)
clamp = cable.clamp("start")
world.run("0.5 s")
print(f"at {world.time:.2f} s the end is at {cable.positions[-1]}, and the clamp carries {clamp.force[2]:.3f} N")
print(f"energies: { {name: round(value, 5) for name, value in world.energy().items()} }")
assert cable.positions[-1][2] < -0.3
