"""An overhand knot is pulled tight by two driven ends. The determinant of the knot tells that it is still tied, and friction
how hard it holds."""
import cordage

world = cordage.World(gravity=0, step="2 ms", model="corde", contact={"friction": 0.2}, threads=1)
rope = world.add_rod("rope", tied={"knot": "overhand", "radius": "4 mm", "clearance": "3 mm", "tail": "10 cm"}, radius="4 mm",
                     young_modulus="1 MPa", density=1000, damping="5 ms")
world.add_load(drag="5 1/s")
left, right = rope.clamp("start"), rope.clamp("end")
assert rope.measure("knot") == 3
start, end = left.position, right.position
for k in range(150):
    shift = 2e-4 * (k + 1)
    left.move_to((start[0] - shift, start[1], start[2]))
    right.move_to((end[0] + shift, end[1], end[2]))
    world.step()
print(f"{len(world.contacts)} contacts, pull {abs(right.force[0]):.3f} N, determinant {rope.measure('knot'):.0f}")
assert rope.measure("knot") == 3 and len(world.contacts) > 3
