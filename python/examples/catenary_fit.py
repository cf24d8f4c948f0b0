"""Which length has a chain that hangs like this? Statics inside a search: the sag of a cable between two hooks is fitted by
its length, and compared with the catenary."""
import math

import cordage

span, target = 1.0, 0.3  # m: between the hooks, and the sag that was measured


def sag(length):
    depth = math.sqrt((length / 2) ** 2 - (span / 2) ** 2)
    world = cordage.World(model="der")
    chain = world.add_rod("chain", points=[(0, 0, 0), (span / 2, 0, -depth), (span, 0, 0)], elements=60,
                          stiffness={"stretch": "20 kN", "bend": "1e-6 N m^2", "twist": "1e-6 N m^2", "mass": "50 g/m",
                                     "radius": "2 mm"})
    chain.pin("start")
    chain.pin("end")
    world.find_equilibrium()
    return -min(point[2] for point in chain.positions.tolist())


low, high = 1.01, 1.6
while high - low > 1e-5:  # the sag grows with the length
    middle = (low + high) / 2
    low, high = (middle, high) if sag(middle) < target else (low, middle)

a = 0.5  # of the catenary z = a cosh(x / a) with that sag
for _ in range(60):
    f = a * (math.cosh(span / 2 / a) - 1) - target
    a -= f / (math.cosh(span / 2 / a) - 1 - span / 2 / a * math.sinh(span / 2 / a))
exact = 2 * a * math.sinh(span / 2 / a)
print(f"length {low:.5f} m; catenary: {exact:.5f} m")
assert abs(low / exact - 1) < 1e-3
