"""A tress of curled hair on a head that nods: strands by keywords, roots driven by a motion."""
import cordage

world = cordage.World(step="2 ms", model="pobd", threads=1)
guides = world.add_strands("tress", roots={"disc": {"radius": "8 mm"}}, guides=4, fibers=0, length="15 cm", elements=30,
                           curl={"radius": "6 mm", "pitch": "3 cm"}, radius="60 um", young_modulus="3 GPa", density=1300,
                           damping="2 ms", motion=[{"rotate": {"axis": (0, 1, 0), "angle": "30 deg"}, "to": "0.2 s"}])
before = [float(guide.positions[-1][2]) for guide in guides]
world.run("0.4 s")
after = [float(guide.positions[-1][2]) for guide in guides]
print(f"{len(guides)} guides: tips from {min(before):.3f} to {min(after):.3f} m")
assert len(guides) == 4 and min(after) < -0.05
