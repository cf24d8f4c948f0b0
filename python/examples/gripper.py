"""A gripper that is driven by hand pulls one end of a cable until it carries 2 N: control from measured force to motion."""
import cordage

world = cordage.World(step="2 ms", model="der", gravity=0)
cable = world.add_rod("cable", line=((0, 0, 0), (0.5, 0, 0)), radius="2 mm", young_modulus="1 MPa", density=1100,
                      damping={"stretch": "2 ms", "bend": "20 ms"}, elements=30)
anchor = cable.clamp("start")
gripper = cable.clamp("end")

target, x = 2.0, 0.5
for _ in range(2500):
    pull = -anchor.force[0]
    x += 2e-4 * (target - pull)  # an integrating controller
    gripper.move_to((x, 0, 0))
    world.step()
strain = target / (1e6 * 3.14159265 * 2e-3**2)
print(f"pull {-anchor.force[0]:.4f} N with the gripper at {gripper.position[0]:.4f} m; Hooke: {0.5 * (1 + strain):.4f} m")
assert abs(-anchor.force[0] - target) < 2e-3 and abs(gripper.position[0] - 0.5 * (1 + strain)) < 1e-3
