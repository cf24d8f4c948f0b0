"""A snake: a wave of muscle torques travels along a rod that lies on the ground, whose friction is less forwards than
backwards and sideways, so it slithers. As PyElastica's example; the friction is a law of one's own, in NumPy."""
import numpy as np

import cordage

length, elements, period, gravity = 0.35, 50, 2.0, 9.80665
amplitudes = [0, 3.4e-3, 3.3e-3, 4.2e-3, 2.6e-3, 3.6e-3, 3.5e-3, 0]  # N m, along the body
mu = length / (period**2 * gravity * 0.1)  # Froude number 0.1

world = cordage.World(gravity=(0, 0, -gravity), step="2 ms", model="pobd", threads=1)
snake = world.add_rod("snake", line=((0, 0, 0), (length, 0, 0)), radius=0.011 * length, young_modulus=1e6, density=1000,
                      elements=elements, damping="10 ms")
world.add_obstacle("ground", plane={"normal": (0, 0, 1), "offset": -0.0111 * length}, friction=0)
s = np.arange(1, elements) / elements
amplitude = np.interp(s, np.linspace(0, 1, len(amplitudes)), amplitudes)
weight = snake.mass * gravity / elements * np.r_[0.5, np.ones(elements - 1), 0.5][:, None]


def muscles(time):
    wave = min(time / period, 1) * amplitude * np.sin(2 * np.pi * (time / period - s))
    torques = np.zeros((elements, 3))
    torques[1:, 2] += wave[::-1]
    torques[:-1, 2] -= wave[::-1]
    return torques


def friction():
    velocity = snake.velocities * (1, 1, 0)
    tangent = np.gradient(snake.positions, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    along = np.sum(velocity * tangent, axis=1)[:, None] * tangent
    ahead = np.where(np.sum(along * tangent, axis=1) > 0, 1, 1.5)[:, None]
    speed = np.maximum(np.linalg.norm(velocity, axis=1), 2e-3)[:, None]
    return -mu * weight * (ahead * along + 2 * (velocity - along)) / speed


centres = []
while world.time < 4 * period:
    snake.set_forces(friction(), muscles(world.time))
    world.step()
    if world.step_index % 1000 == 0:
        centres.append(snake.positions.mean(axis=0))
speed = np.linalg.norm(centres[-1] - centres[1]) / 2 / length
print(f"it slithers {speed:.3f} of its length in each period")
assert 0.12 < speed < 0.2
