"""What 'cordage check' tells of deformable solids."""
import json
import unittest

from command_case import CommandCase

SCENE = """cordage: 1
simulation: {duration: 0.1 s, step: 1 ms}
contact: off
solids:
  - {name: bar, shape: {box: {size: [40 cm, 8 cm, 8 cm]}, resolution: %s}, integrator: explicit,
     material: {young_modulus: 200 kPa, poisson_ratio: 0.35, density: 1000 kg/m^3}}
"""
# A regular tetrahedron, nearly, and one that is nearly flat, or inside out, above it.
MESH = """$MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
5
1 0 0 0
2 1 0 0
3 0.5 0.87 0
4 0.5 0.29 0.82
5 0.5 0.3 %s
$EndNodes
$Elements
2
1 4 2 0 1 1 2 3 4
2 4 2 0 1 1 3 2 5
$EndElements
"""


class CheckSolids(CommandCase):
    def check(self, text):
        self.write("scene.yaml", text)
        return json.loads(self.run_command("check", "scene.yaml", "--json").stdout)["solids"][0]

    def test_resolution(self):
        coarse, fine = self.check(SCENE % "2 cm"), self.check(SCENE % "1 cm")
        self.assertAlmostEqual(coarse["cell"], 0.02, places=9)
        self.assertAlmostEqual(coarse["thickness"], 0.08, places=9)
        self.assertAlmostEqual(coarse["bending_error"] / fine["bending_error"], 4, places=6)
        self.assertGreater(fine["sub_steps"], 1.9 * coarse["sub_steps"] - 1)
        self.assertEqual(coarse["slivers"], 0)
        self.write("scene.yaml", SCENE % "2 cm")
        text = self.run_command("check", "scene.yaml").stdout
        self.assertIn("solid 'bar' has 4 cells across", text)
        self.assertNotIn("length/thickness", text)  # there are no rods to list

    def test_slivers_and_inverted(self):
        scene = """cordage: 1
simulation: {duration: 10 ms, step: 1 ms}
contact: off
solids:
  - {name: two, shape: {file: two.msh}, material: {young_modulus: 1 MPa, density: 1000 kg/m^3}}
"""
        self.write("two.msh", MESH % "-0.01")
        self.assertEqual(self.check(scene)["slivers"], 1)
        self.assertIn("number 1 most (10 mm high)", self.run_command("check", "scene.yaml").stdout)
        self.write("two.msh", MESH % "0.4")  # inside out, in the other one
        self.assertRegex(self.run_command("check", "scene.yaml", status=2).stderr, r"scene.yaml:\d+.*two")


if __name__ == "__main__":
    unittest.main()
