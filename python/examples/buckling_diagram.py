"""Euler's column: load against deflection, followed through buckling, as a table for a diagram."""
import math

import cordage

length, bending = 1.0, 1e-2  # m, N m^2
critical = math.pi**2 * bending / (2 * length) ** 2  # clamped below, free above
world = cordage.World(gravity=0, model="der")
column = world.add_rod("column", line=((0, 0, 0), (0, 0, length)), elements=40,
                       stiffness={"stretch": "10 kN", "bend": bending, "twist": bending, "mass": "0.1 kg/m"})
column.clamp("start")
column.force("end", (0, 0, -2 * critical), ramp="1 s")  # time is only the load's parameter

table = []


def note(report):
    tip = column.positions[-1]
    table.append((2 * report["time"], math.hypot(tip[0], tip[1]) / length))


world.follow_path("1 s", step="20 ms", imperfection=1e-3, on_step=note)
for load, deflection in table[::5]:
    print(f"P/Pc = {load:.2f}  deflection {deflection:.4f}  {'*' * int(50 * deflection)}")
assert all(d < 0.02 for p, d in table if p < 0.9) and all(d > 0.3 for p, d in table if p > 1.15)
